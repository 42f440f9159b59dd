/* engine/nlp/ss-crisp-options.c: the one table of CRISP's options, and what its presets mean. */
#include "nlp/ss-crisp-private.h"

#include <math.h>

static const char *const PRESETS[] = {"default", "paper", "warm", "drawn", NULL};
static const char *const CORRECTIONS[] = {"none", "paper", "better", NULL};
static const char *const ACCEPTS[] = {"ratio", "decrease", NULL};
static const char *const SHRINKS[] = {"step", "radius", NULL};
static const char *const RAISES[] = {"violated", "all", NULL};
static const char *const SCALES[] = {"none", "point", NULL};

#define FIELD(field) offsetof (SsCrispOptions, field)
#define REAL(name, field, lo, hi, value, symbol, unit, common, summary)                                                \
  {                                                                                                                    \
    name, SS_OPTION_REAL, FIELD (field), lo, hi, value, NULL, symbol, unit, common, summary                            \
  }
#define INTEGER(name, field, lo, hi, value, symbol, common, summary)                                                   \
  {                                                                                                                    \
    name, SS_OPTION_INTEGER, FIELD (field), lo, hi, value, NULL, symbol, "", common, summary                           \
  }
#define BOOLEAN(name, field, value, summary)                                                                           \
  {                                                                                                                    \
    name, SS_OPTION_BOOLEAN, FIELD (field), 0, 1, value, NULL, "", "", false, summary                                  \
  }
#define CHOICE(name, field, list, value, symbol, common, summary)                                                      \
  {                                                                                                                    \
    name, SS_OPTION_CHOICE, FIELD (field), 0, sizeof list / sizeof *list - 2, value, list, symbol, "", common, summary \
  }

/* clang-format off */
static const SsOptionSpec SPECS[] = {
  CHOICE ("preset", preset, PRESETS, SS_CRISP_PRESET_DEFAULT, "", true,
          "Values of the options that are not given. paper: Algorithm 1 and Table I of the paper; warm: for a start "
          "that is nearly a solution, as in receding horizons; drawn: for plans of scenes, whose contacts must be "
          "found (the default there). An option that is given keeps its value."),
  INTEGER ("max-iterations", k_max, 1, 1000000, 1000, "k_max", true, "Largest number of outer iterations."),
  REAL ("mu0", mu0, 1e-6, 1e12, 3, "mu_0", "", true,
        "First penalty of every row; larger values hold the start to its rows, so that a start in which nothing "
        "moves stays as it is."),
  REAL ("mu-growth", mu_growth, 1.01, 1e6, 3, "", "", true,
        "Factor by which a penalty is raised; larger values take fewer iterations and end at worse objectives."),
  REAL ("mu-max", mu_max, 1, 1e16, 1e6, "mu_max", "", false,
        "Largest penalty; a run whose violated rows all have it ends as infeasible."),
  REAL ("mu-spread", mu_spread, 0, 1e12, 1000, "", "", false,
        "Largest ratio of two penalties: lower ones are raised to the largest divided by mu-spread, so that a "
        "violation does not move from row to row. Smaller values take fewer iterations and end at worse objectives; "
        "in the second half of max-iterations the ratio shrinks; 0: no limit."),
  INTEGER ("patience", patience, 0, 1000000, 0, "", false,
           "With mu-spread: raises in a row that may leave the largest penalty of a formula unchanged; after them "
           "the penalties of its other time points rise towards it, by one more factor mu-growth each time. Larger "
           "values wait longer."),
  INTEGER ("level-iterations", level_iterations, 0, 1000000, 40, "", false,
           "Most iterations with the same penalties; then those of violated rows are raised, even while the merit "
           "function still falls; 0: no limit."),
  CHOICE ("raise", raise, RAISES, SS_CRISP_RAISE_VIOLATED, "", false,
          "Which penalties are raised. violated: those of rows that miss tolerance-constraint; all: those of all "
          "rows."),
  REAL ("radius0", delta0, 1e-12, 1e12, 1, "Delta_0", "", true, "Initial trust-region radius (largest change of one variable)."),
  REAL ("radius-max", delta_max, 1e-12, 1e12, 10, "Delta_max", "", false, "Largest trust-region radius."),
  REAL ("radius-after-raise", radius_after_raise, 0, 1e12, 0.1, "", "", false,
        "Smallest trust-region radius after penalties were raised; larger values allow longer steps then; 0: the "
        "radius stays."),
  REAL ("eta-low", eta_low, 0, 1, 0.25, "eta_low", "", false,
        "The radius shrinks after a step whose ratio of actual to predicted decrease is below this; larger values "
        "take shorter steps."),
  REAL ("eta-high", eta_high, 0, 1, 0.75, "eta_high", "", false,
        "The radius grows after a step as long as the radius whose ratio of actual to predicted decrease is above "
        "this; larger values let it grow less often."),
  CHOICE ("accept", accept, ACCEPTS, SS_CRISP_ACCEPT_RATIO, "", false,
          "Which steps are taken. ratio: those whose ratio of actual to predicted decrease exceeds accept-ratio; "
          "decrease: those that do not raise the merit function (paper)."),
  REAL ("accept-ratio", accept_ratio, 0, 1, 1e-4, "", "", false,
        "With accept=ratio: smallest ratio of actual to predicted decrease of a step that is taken; larger values "
        "reject more steps."),
  REAL ("shrink", gamma_shrink, 1e-3, 0.99, 0.25, "gamma_shrink", "", false, "Factor of the radius after a rejected step."),
  REAL ("shrink-poor", gamma_poor, 1e-3, 1, 0.5, "gamma_shrink", "", false, "Factor of the radius after a step that was taken with a ratio below eta-low."),
  REAL ("expand", gamma_expand, 1, 100, 2, "gamma_expand", "", false, "Factor of the radius after a very good step at the radius."),
  CHOICE ("shrink-from", shrink_from, SHRINKS, SS_CRISP_SHRINK_STEP, "", false,
          "After a rejection the radius becomes a fraction of the step's length, or of the radius (paper)."),
  CHOICE ("correction", correction, CORRECTIONS, SS_CRISP_CORRECTION_NONE, "", false,
          "Second-order correction, by one more subproblem, of a step that raised the merit function. none: no "
          "correction (quick-correction does as well and costs less); paper: the corrected point is taken; better: "
          "the better of both points is taken."),
  REAL ("quick-correction", quick_correction, 0, 1, 0.9, "", "", false,
        "A step whose ratio of actual to predicted decrease is below this is corrected with the last matrix of its "
        "subproblem, where that lowers the merit function; larger values correct more steps; 0: never."),
  INTEGER ("backtrack", backtrack, 0, 30, 4, "", false,
           "How often a step that would be rejected is halved, along the arc of its quick correction, before the "
           "subproblem is solved again; 0: never."),
  REAL ("tolerance-constraint", eps_c, 1e-14, 1e3, 1e-6, "eps_c", "", true, "Largest violation of a row in a solution."),
  REAL ("tolerance-decrease", eps_decrease, 0, 1, 1e-3, "", "", true,
        "The merit function counts as minimised when a subproblem predicts a decrease below this part of it (see "
        "merit-floor); larger values end sooner; 0: no such test."),
  REAL ("tolerance-level", eps_level, 0, 1, 0, "", "", false,
        "As tolerance-decrease, while rows are violated; the larger of the two counts. Larger values raise penalties "
        "sooner."),
  BOOLEAN ("confirm", confirm, 1,
        "Solves a subproblem once more, accurately, where the small decrease that it predicts would end the run."),
  BOOLEAN ("certificate", certify, 1,
        "Measures at the end, by one accurate subproblem, whether the answer is a stationary point of the merit "
        "function."),
  REAL ("merit-floor", merit_floor, 0, 1e12, 1, "", "", false,
        "tolerance-decrease is a part of the larger of the merit function's value and this number; larger values end "
        "runs of small objectives sooner."),
  REAL ("tolerance-step", eps_p, 0, 1e3, 1e-7, "eps_p", "", false, "The merit function counts as minimised when no variable changes by more than this."),
  REAL ("tolerance-radius", eps_r, 0, 1e3, 1e-8, "eps_r", "", false, "The merit function counts as minimised when the radius is smaller than this."),
  CHOICE ("radius-scale", radius_scale, SCALES, SS_CRISP_SCALE_NONE, "", false,
          "The radius of a variable is Delta, or Delta times the larger of 1 and its size at the start."),
  BOOLEAN ("row-weights", row_weights, 0,
        "Divides the first penalty of a row by its largest derivative at the start, where that is above 1."),
  BOOLEAN ("convexify", convexify, 1,
        "Makes the Hessian of a cost that is not convex positive semidefinite, block by block."),
  REAL ("qp-residual", qp_residual, 1e-14, 1, 1e-4, "", "", false,
        "Residual at which a subproblem counts as solved, relative to its gradient; larger values are faster and "
        "less accurate."),
  REAL ("qp-gap", qp_gap, 1e-14, 1, 2e-3, "", "", false,
        "Complementarity gap at which a subproblem counts as solved, relative to its value and the objective; "
        "larger values are faster and less accurate."),
  REAL ("qp-gap-floor", qp_gap_floor, 1e-12, 1, 0.1, "", "", false,
        "Least size of the objective, and 1 the largest, to which qp-gap is relative; larger values are faster where "
        "objectives are small."),
  REAL ("qp-shift", qp_shift, 0, 1, 1e-11, "", "", false,
        "Shift of the diagonal of the subproblem's matrix; the conditions that are solved stay as they are. Larger "
        "values factorise more safely and converge more slowly."),
  INTEGER ("qp-max-iterations", qp_max_iterations, 1, 10000, 60, "", false, "Largest number of interior-point iterations of a subproblem."),
  INTEGER ("max-failures", max_failures, 0, 1000, 10, "", false,
        "Most subproblems in a row that may fail; one more ends the run as failed."),
  INTEGER ("restarts", restarts, 0, 10, 2, "", false,
           "How often a run that ended as infeasible begins anew, from its start, with ten times the first penalty."),
  INTEGER ("cycles", cycles, 0, 100, 0, "", true,
           "How often a solved run lowers its penalties, goes on from its answer and keeps the better of both "
           "answers; each cycle gains a few percent of the objective and costs half of the time again."),
  REAL ("cycle-penalty", cycle_mu, 0, 1e12, 3, "", "", false,
        "Penalty of every row at the beginning of a cycle; smaller values let the cycle go further from the answer."),
  REAL ("cycle-multipliers", cycle_multipliers, 0, 1e6, 0, "", "", false,
        "Least penalty of a row at the beginning of a cycle, as a multiple of the size of the row's multiplier; "
        "above 1 the cycle stays at the answer and only minimises further."),
  REAL ("relax", relax, 0, 1e12, 0, "sigma_0", "", true,
        "Largest product of a complementary pair that is allowed at first; each minimum of the merit function lowers "
        "it by relax-factor. Forces act at a distance until contacts are found; larger values find contacts further "
        "away and take longer; 0: no product is allowed."),
  REAL ("relax-factor", relax_factor, 1e-6, 0.99, 0.1, "", "", false,
        "Factor by which each minimum of the merit function lowers the product that relax allows; larger values "
        "take more, easier stages."),
  REAL ("relax-least", relax_least, 1e-12, 1e12, 0.01, "", "", false,
        "Smallest product that relax allows; the next stage allows none. Penalties start anew in each stage."),
  INTEGER ("relax-iterations", relax_iterations, 0, 1000000, 0, "", false,
           "Most iterations of a stage of relax; then the next stage begins, however much is violated; 0: no limit."),
  REAL ("price", price, 0, 1e12, 0, "", "", true,
        "First penalty of the products of complementary pairs, which are raised together; other rows have mu0. A "
        "force at a distance costs from the start, so that bodies are drawn towards each other; with relax such "
        "forces cost nothing. Meant for mu0=1000, relax=0, mu-spread=0; 0: products have mu0 too."),
  CHOICE ("bounds", bounds, ss_bounds_choices, SS_BOUNDS_ROWS, "", false,
          "What becomes of rows that bound one variable. exact: bounds, which every iterate keeps; unpaired: bounds, "
          "but for the sides of complementary pairs; rows: rows with a penalty, which iterates may break."),
  REAL ("polish-from", polish_from, 0, 1e3, 1e-6, "", "", false,
        "Largest violation at a minimum of the merit function from which least-norm steps bring the rows to "
        "polish-to; larger values polish worse points; 0: no polish."),
  REAL ("polish-to", polish_to, 0, 1e3, 1e-8, "", "", false, "Violation at which polishing stops."),
  INTEGER ("polish-steps", polish_steps, 0, 100, 8, "", false, "Largest number of polishing steps."),
  BOOLEAN ("snap", snap, 0,
          "Moves the smaller side of every complementary pair of a solution to zero, without changing which side "
          "that is: a product of 1e-8 may be a gap of 0.1 mm with a force of 0.1 mN."),
  BOOLEAN ("finish", finish, 0, ss_finish_summary),
  REAL ("finish-from", finish_from, 0, 1e3, 0, "", "", false,
        "With finish: largest violation of a minimum of the merit function that is finished at once; a solution that "
        "is proved B-stationary is then the answer. Larger values finish more minima; 0: answers alone are finished."),
};
/* clang-format on */

const SsOptionTable ss_crisp_option_table = {sizeof SPECS / sizeof SPECS[0], SPECS, sizeof (SsCrispOptions),
                                             FIELD (given)};

/* Solving again from a plan that nearly fits: the contacts are known, so that neither low penalties nor long steps have
 * to look for them. */
static const SsOptionValue WARM[] = {
    {FIELD (mu0), 30},
    {FIELD (delta0), 0.3},
    {FIELD (certify), 0},
};

/* Plans of drawn scenes, mostly from standing still: forces may act at a distance first (10 N m: the weight of a
 * kilogram at a metre). With the l1 merit alone, a body that jumps to its target, breaking one row, is a minimum as
 * soon as no contact is near. Bounds are kept: on the nine plans of examples/plans the costs of the answers are 7 %
 * lower in the geometric mean than with penalised ones, and a length of a step cannot become negative. On the six
 * problems of the paper it is the other way round (equal or better on two, 1 to 11 % worse on four), hence the default
 * elsewhere. */
static const SsOptionValue DRAWN[] = {
    {FIELD (mu0), 100},
    {FIELD (relax), 10},
    {FIELD (relax_factor), 0.3},
    {FIELD (snap), 1},
    {FIELD (bounds), SS_BOUNDS_EXACT},
};

/* Algorithm 1 and Table I, where they differ from our defaults. The paper wants its subproblems accurate and does not
 * say how accurate; 1e-8 is the default of the QP solver it uses. */
static const SsOptionValue PAPER[] = {
    {FIELD (mu0), 10},
    {FIELD (mu_growth), 10},
    {FIELD (mu_max), 1e6},
    {FIELD (mu_spread), 0},
    {FIELD (radius_after_raise), 0},
    {FIELD (accept), SS_CRISP_ACCEPT_DECREASE},
    {FIELD (gamma_poor), 0.25},
    {FIELD (shrink_from), SS_CRISP_SHRINK_RADIUS},
    {FIELD (correction), SS_CRISP_CORRECTION_PAPER},
    {FIELD (quick_correction), 0},
    {FIELD (backtrack), 0},
    {FIELD (confirm), 0},
    {FIELD (eps_decrease), 0},
    {FIELD (eps_level), 0},
    {FIELD (eps_p), 1e-3},
    {FIELD (eps_r), 1e-3},
    {FIELD (convexify), 0},
    {FIELD (qp_residual), 1e-8},
    {FIELD (qp_gap), 1e-8},
    {FIELD (qp_gap_floor), 1},
    {FIELD (polish_from), 0},
    {FIELD (level_iterations), 0},
    {FIELD (restarts), 0},
};

void
ss_crisp_options_resolve (const SsCrispOptions *given, SsCrispOptions *used)
{
  if (given != NULL)
    *used = *given;
  else
    ss_options_init (&ss_crisp_option_table, used);
  if (used->preset == SS_CRISP_PRESET_PAPER)
    ss_options_fill (&ss_crisp_option_table, used, PAPER, sizeof PAPER / sizeof PAPER[0]);
  else if (used->preset == SS_CRISP_PRESET_WARM)
    ss_options_fill (&ss_crisp_option_table, used, WARM, sizeof WARM / sizeof WARM[0]);
  else if (used->preset == SS_CRISP_PRESET_DRAWN)
    ss_options_fill (&ss_crisp_option_table, used, DRAWN, sizeof DRAWN / sizeof DRAWN[0]);
}
