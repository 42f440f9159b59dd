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
          "What options that are not given are worth. paper: Algorithm 1 and Table I of the paper; warm: for solving "
          "again from a plan that nearly fits, as in receding horizons; drawn: for plans of scenes, whose contacts have "
          "to be found (their default). Options given a value, even their default, keep it."),
  INTEGER ("max-iterations", k_max, 1, 1000000, 1000, "k_max", true, "Largest number of outer iterations."),
  REAL ("mu0", mu0, 1e-6, 1e12, 3, "mu_0", "", true,
        "Initial penalty of every row; large values keep a start that does nothing where it is."),
  REAL ("mu-growth", mu_growth, 1.01, 1e6, 3, "", "", true,
        "Factor of a penalty that is raised; larger values end sooner, at worse points."),
  REAL ("mu-max", mu_max, 1, 1e16, 1e6, "mu_max", "", false, "Largest penalty; when no violated row may be raised the run ends as infeasible."),
  REAL ("mu-spread", mu_spread, 0, 1e12, 1000, "", "", false,
        "No penalty stays further below the largest one than this factor, so that a violation cannot wander from row "
        "to row; lower: fewer iterations, worse points; 0: no limit. Shrinks in the later half of max-iterations."),
  INTEGER ("patience", patience, 0, 1000000, 0, "", false,
           "Raises in a row that leave the largest penalty of a formula alone before its other time points catch up with it (mu-spread on)."),
  INTEGER ("level-iterations", level_iterations, 0, 1000000, 40, "", false,
           "Iterations with the same penalties after which those of violated rows are raised even though the merit function still falls; 0: no limit."),
  CHOICE ("raise", raise, RAISES, SS_CRISP_RAISE_VIOLATED, "", false,
          "Whose penalties are raised: rows violated by the constraint tolerance or more, or all rows."),
  REAL ("radius0", delta0, 1e-12, 1e12, 1, "Delta_0", "", true, "Initial trust-region radius (largest change of one variable)."),
  REAL ("radius-max", delta_max, 1e-12, 1e12, 10, "Delta_max", "", false, "Largest trust-region radius."),
  REAL ("radius-after-raise", radius_after_raise, 0, 1e12, 0.1, "", "", false,
        "A smaller radius is lifted to this when penalties are raised; 0 keeps it."),
  REAL ("eta-low", eta_low, 0, 1, 0.25, "eta_low", "", false, "Below this ratio of actual to predicted decrease the radius shrinks."),
  REAL ("eta-high", eta_high, 0, 1, 0.75, "eta_high", "", false, "Above this ratio a step at the radius lets it grow."),
  CHOICE ("accept", accept, ACCEPTS, SS_CRISP_ACCEPT_RATIO, "", false,
          "A step is taken when its ratio exceeds accept-ratio, or when the merit function does not get worse (paper)."),
  REAL ("accept-ratio", accept_ratio, 0, 1, 1e-4, "", "", false, "Smallest ratio of a step that is taken (accept=ratio)."),
  REAL ("shrink", gamma_shrink, 1e-3, 0.99, 0.25, "gamma_shrink", "", false, "Factor of the radius after a rejected step."),
  REAL ("shrink-poor", gamma_poor, 1e-3, 1, 0.5, "gamma_shrink", "", false, "Factor of the radius after a step that was taken with a ratio below eta-low."),
  REAL ("expand", gamma_expand, 1, 100, 2, "gamma_expand", "", false, "Factor of the radius after a very good step at the radius."),
  CHOICE ("shrink-from", shrink_from, SHRINKS, SS_CRISP_SHRINK_STEP, "", false,
          "After a rejection the radius becomes a fraction of the step's length, or of the radius (paper)."),
  CHOICE ("correction", correction, CORRECTIONS, SS_CRISP_CORRECTION_NONE, "", false,
          "Second-order correction by a subproblem of its own when the merit function got worse: never "
          "(quick-correction does as well for less); take it (paper); or "
          "take the better of both points."),
  REAL ("quick-correction", quick_correction, 0, 1, 0.9, "", "", false,
        "A step below this ratio of actual to predicted decrease is corrected with the subproblem's last matrix if that helps; 0: never."),
  INTEGER ("backtrack", backtrack, 0, 30, 4, "", false,
           "Times a step that would be rejected is halved, along the arc of its quick correction, before the subproblem is solved again; 0: never."),
  REAL ("tolerance-constraint", eps_c, 1e-14, 1e3, 1e-6, "eps_c", "", true, "Largest violation of a row in a solution."),
  REAL ("tolerance-decrease", eps_decrease, 0, 1, 1e-3, "", "", true,
        "The merit function counts as minimised when the model promises less than this part of it; 0 switches the test off."),
  REAL ("tolerance-level", eps_level, 0, 1, 0, "", "", false,
        "While rows are violated, the larger of this and tolerance-decrease decides when the merit function counts as minimised."),
  BOOLEAN ("confirm", confirm, 1, "Solve a subproblem whose small promise would end the run once more, accurately, before it is believed."),
  BOOLEAN ("certificate", certify, 1, "Measure at the end, by one accurate subproblem, whether the answer is a stationary point of the merit function."),
  REAL ("merit-floor", merit_floor, 0, 1e12, 1, "", "", false,
        "tolerance-decrease is a part of the merit function's value, or of this number where the value is smaller."),
  REAL ("tolerance-step", eps_p, 0, 1e3, 1e-7, "eps_p", "", false, "The merit function counts as minimised when no variable changes by more than this."),
  REAL ("tolerance-radius", eps_r, 0, 1e3, 1e-8, "eps_r", "", false, "The merit function counts as minimised when the radius is smaller than this."),
  CHOICE ("radius-scale", radius_scale, SCALES, SS_CRISP_SCALE_NONE, "", false,
          "The radius of a variable is Delta, or Delta times the larger of 1 and its size at the start."),
  BOOLEAN ("row-weights", row_weights, 0, "Divide a row's initial penalty by its largest derivative at the start (if above 1)."),
  BOOLEAN ("convexify", convexify, 1, "Make the Hessian of a cost that is not convex positive semidefinite, block by block."),
  REAL ("qp-residual", qp_residual, 1e-14, 1, 1e-4, "", "", false, "Residual of a subproblem, relative to its gradient."),
  REAL ("qp-gap", qp_gap, 1e-14, 1, 2e-3, "", "", false, "Complementarity gap of a subproblem, relative to its value and the objective."),
  REAL ("qp-gap-floor", qp_gap_floor, 1e-12, 1, 0.1, "", "", false,
        "qp-gap is relative to the objective's size, taken as at least this number and at most 1."),
  REAL ("qp-shift", qp_shift, 0, 1, 1e-11, "", "", false, "Added to the diagonal of the subproblem's matrix, not to its conditions."),
  INTEGER ("qp-max-iterations", qp_max_iterations, 1, 10000, 60, "", false, "Largest number of interior-point iterations of a subproblem."),
  INTEGER ("max-failures", max_failures, 0, 1000, 10, "", false, "Subproblems in a row that may fail before the run does."),
  INTEGER ("restarts", restarts, 0, 10, 2, "", false,
           "Times a run that ended infeasible begins again at the start with ten times the initial penalty."),
  INTEGER ("cycles", cycles, 0, 100, 0, "", true,
           "Times a solved run lowers its penalties again, goes on from its answer and keeps the better of both: a "
           "few percent of the objective for half the time again."),
  REAL ("cycle-penalty", cycle_mu, 0, 1e12, 3, "", "", false, "Penalty of every row at the beginning of a cycle; the lower, the further the cycle strays."),
  REAL ("cycle-multipliers", cycle_multipliers, 0, 1e6, 0, "", "", false,
        "No penalty begins a cycle below this multiple of the size of its row's multiplier; above 1 the cycle only goes on minimising, with easier steps."),
  REAL ("relax", relax, 0, 1e12, 0, "sigma_0", "", true,
        "Products of complementary pairs may first be as large as this, and less at each minimum of the merit "
        "function (relax-factor): forces may act at a distance until contacts are found; 0: "
        "never. Slower where contacts are found anyway."),
  REAL ("relax-factor", relax_factor, 1e-6, 0.99, 0.1, "", "", false, "Factor of the allowed products from one minimum to the next."),
  REAL ("relax-least", relax_least, 1e-12, 1e12, 0.01, "", "", false, "Below this the products' relaxation ends; penalties start again with each relaxation."),
  INTEGER ("relax-iterations", relax_iterations, 0, 1000000, 0, "", false,
           "Iterations after which a relaxation gives way to the next, however much is violated; 0: no limit."),
  REAL ("price", price, 0, 1e12, 0, "", "", true,
        "First penalty of the products of complementary pairs alone, which are raised together: distance times force "
        "costs from the start and draws bodies towards each other, where relax lets forces act at a distance for "
        "nothing; 0: as all rows. With mu0=1000, relax=0 and mu-spread=0."),
  CHOICE ("bounds", bounds, ss_bounds_choices, SS_BOUNDS_ROWS, "", false,
          "Rows that bound one variable: exact: kept by every iterate; unpaired: so too, but not the sides of "
          "complementary pairs; rows: penalised as the others are, so that the way to the answer may break them."),
  REAL ("polish-from", polish_from, 0, 1e3, 1e-6, "", "", false,
        "At a minimum of the merit function with a violation up to this, rows are satisfied by least-norm steps before the answer is judged; 0: never."),
  REAL ("polish-to", polish_to, 0, 1e3, 1e-8, "", "", false, "Violation at which polishing stops."),
  INTEGER ("polish-steps", polish_steps, 0, 100, 8, "", false, "Largest number of polishing steps."),
  BOOLEAN ("snap", snap, 0,
          "At a solution move the smaller side of every complementary pair to zero (active sets as they are): a "
          "product of 1e-8 may be a gap of 0.1 mm with a force of 0.1 mN."),
  BOOLEAN ("finish", finish, 0, ss_finish_summary),
  REAL ("finish-from", finish_from, 0, 1e3, 0, "", "", false,
        "With finish: a minimum of the merit function with a violation up to this is finished at once; where that gives a "
        "solution that is proved B-stationary, it is the answer; 0: only answers are."),
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
