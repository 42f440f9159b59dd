/* engine/nlp/ss-crisp-options.c: the one table of CRISP's options, and what its presets mean. */
#include "nlp/ss-crisp-private.h"

#include <math.h>

static const char *const PRESETS[] = {"default", "paper", "warm", "drawn", NULL};
static const char *const CORRECTIONS[] = {"none", "paper", "better", NULL};
static const char *const ACCEPTS[] = {"ratio", "decrease", NULL};
static const char *const SHRINKS[] = {"step", "radius", NULL};

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
        "Penalty of every row at the beginning. Larger values hold iterates to the rows from the start on, so that a "
        "start in which nothing moves stays as it is."),
  REAL ("mu-growth", mu_growth, 1.01, 1e6, 3, "", "", true,
        "Factor by which a penalty is raised. Larger values take fewer iterations and end at worse objectives."),
  REAL ("mu-max", mu_max, 1, 1e16, 1e6, "mu_max", "", false,
        "Largest penalty. The run ends as infeasible when all rows that are violated have this penalty; larger "
        "values try longer."),
  REAL ("mu-spread", mu_spread, 0, 1e12, 1000, "", "", false,
        "Largest ratio of two penalties: a lower penalty is raised to the largest one divided by mu-spread, so that "
        "a violation does not move from row to row. Larger values take more iterations and end at better objectives; "
        "in the second half of max-iterations the ratio shrinks; 0: no limit."),
  INTEGER ("level-iterations", level_iterations, 0, 1000000, 40, "", false,
           "Largest number of iterations with the same penalties. After them the penalties of violated rows are "
           "raised, even while the merit function still falls; larger values minimise longer before that; 0: no "
           "limit."),
  REAL ("radius0", delta0, 1e-12, 1e12, 1, "Delta_0", "", true,
        "Trust-region radius at the beginning: the largest change of one variable in a step. Larger values take "
        "longer first steps."),
  REAL ("radius-max", delta_max, 1e-12, 1e12, 10, "Delta_max", "", false, "Largest trust-region radius."),
  CHOICE ("correction", correction, CORRECTIONS, SS_CRISP_CORRECTION_NONE, "", false,
          "Second-order correction, by one more subproblem, of a step that raised the merit function. none: no "
          "correction (steps are corrected quickly, which does as well); paper: the corrected point is taken; better: "
          "the better of both points is taken."),
  REAL ("tolerance-constraint", eps_c, 1e-14, 1e3, 1e-6, "eps_c", "", true,
        "Largest violation of a row in an answer that counts as solved. Larger values end sooner at answers that "
        "break rows by more."),
  REAL ("tolerance-decrease", eps_decrease, 0, 1, 1e-3, "", "", true,
        "Predicted decrease of the merit function, as a part of its value (of 1 where that is smaller), at which the "
        "minimisation ends. Larger values end sooner; 0: no such test."),
  BOOLEAN ("certificate", certify, 1,
        "Whether one accurate subproblem measures, at the end, how nearly the answer is a stationary point of the "
        "merit function."),
  REAL ("tolerance-step", eps_p, 0, 1e3, 1e-7, "eps_p", "", false,
        "Largest change of a variable in a step that ends the minimisation of the merit function. Larger values end "
        "sooner."),
  INTEGER ("restarts", restarts, 0, 10, 2, "", false,
           "How often a run that ended as infeasible begins anew, from the run's own start, with ten times the first "
           "penalty. Larger values try longer; 0: never."),
  INTEGER ("cycles", cycles, 0, 100, 0, "", true,
           "How often a solved run lowers its penalties, goes on from its answer and keeps the better of both "
           "answers. Each cycle gains a few percent of the objective and takes half as long as the run itself."),
  REAL ("relax", relax, 0, 1e12, 0, "sigma_0", "", true,
        "Largest product of a complementary pair that is allowed at first; each minimum of the merit function "
        "multiplies this bound by relax-factor. While products are allowed, forces act at a distance, by which "
        "contacts are found. Larger values find contacts further away and take longer; 0: no product is allowed."),
  REAL ("relax-factor", relax_factor, 1e-6, 0.99, 0.1, "", "", false,
        "Factor by which each minimum of the merit function lowers the product that relax allows; larger values "
        "take more, easier stages."),
  INTEGER ("relax-iterations", relax_iterations, 0, 1000000, 0, "", false,
           "Largest number of iterations in a stage of relax; the next stage then begins, however much is violated. "
           "Larger values minimise each stage further; 0: no limit."),
  REAL ("price", price, 0, 1e12, 0, "", "", true,
        "Penalty of the products of complementary pairs at the beginning; these penalties are raised together, and "
        "other rows begin with mu0. A force at a distance then costs something from the start, which draws bodies "
        "towards each other (with relax such a force costs nothing). Meant for mu0=1000, relax=0, mu-spread=0; 0: "
        "products begin with mu0, too."),
  CHOICE ("bounds", bounds, ss_bounds_choices, SS_BOUNDS_ROWS, "", false,
          "What becomes of rows that bound one variable. exact: bounds, which every iterate keeps; unpaired: bounds, "
          "except for the sides of complementary pairs, which stay rows; rows: rows with a penalty, which iterates "
          "may break."),
  BOOLEAN ("snap", snap, 0,
          "Whether the smaller side of every complementary pair of a solution is set to zero; which side is the "
          "smaller one stays. Without it a product of 1e-8 may be a gap of 0.1 mm with a force of 0.1 mN."),
  BOOLEAN ("finish", finish, 0, ss_finish_summary),
  /* From here on settings of presets and of code, no options: N_INNER. */
  REAL ("radius-after-raise", radius_after_raise, 0, 1e12, 0.1, "", "", false,
        "Smallest trust-region radius just after penalties were raised. Larger values allow longer steps there; 0: "
        "the radius stays as it is."),
  CHOICE ("accept", accept, ACCEPTS, SS_CRISP_ACCEPT_RATIO, "", false,
          "Which steps are taken. ratio: those whose ratio of actual to predicted decrease is above a ten-thousandth; "
          "decrease: those that do not raise the merit function (paper)."),
  REAL ("shrink-poor", gamma_poor, 1e-3, 1, 0.5, "gamma_shrink", "", false,
        "Factor by which the trust-region radius is multiplied after a step that was taken with a ratio below "
        "eta-low. With larger values the radius shrinks less."),
  CHOICE ("shrink-from", shrink_from, SHRINKS, SS_CRISP_SHRINK_STEP, "", false,
          "What is multiplied by shrink after a rejected step. step: the length of the step; radius: the radius "
          "itself (paper)."),
  REAL ("quick-correction", quick_correction, 0, 1, 0.9, "", "", false,
        "Ratio of actual to predicted decrease below which a step is corrected with the last matrix of its "
        "subproblem, provided that the correction lowers the merit function. Larger values correct more steps; 0: no "
        "step."),
  INTEGER ("backtrack", backtrack, 0, 30, 4, "", false,
           "How often a step that would be rejected is halved, along the arc of its quick correction, before a new "
           "subproblem is solved; larger values try shorter steps first; 0: never."),
  BOOLEAN ("confirm", confirm, 1,
        "Whether a subproblem whose small predicted decrease would end the run is solved once more, accurately, "
        "before the run ends."),
  REAL ("merit-floor", merit_floor, 0, 1e12, 1, "", "", false,
        "Least value of the merit function to which tolerance-decrease is relative. Larger values end runs with "
        "small objectives sooner."),
  REAL ("tolerance-radius", eps_r, 0, 1e3, 1e-8, "eps_r", "", false,
        "Trust-region radius below which the minimisation of the merit function ends. Larger values end sooner."),
  BOOLEAN ("convexify", convexify, 1,
        "Whether the Hessian of a cost that is not convex is made positive semidefinite, block by block."),
  REAL ("qp-residual", qp_residual, 1e-14, 1, 1e-4, "", "", false,
        "Residual at which a subproblem counts as solved, relative to its gradient; larger values are faster and "
        "less accurate."),
  REAL ("qp-gap", qp_gap, 1e-14, 1, 2e-3, "", "", false,
        "Complementarity gap at which a subproblem counts as solved, relative to its value and the objective; "
        "larger values are faster and less accurate."),
  REAL ("qp-gap-floor", qp_gap_floor, 1e-12, 1, 0.1, "", "", false,
        "Least size of the objective to which qp-gap is relative; the largest such size is 1. Larger values are "
        "faster where objectives are small."),
  REAL ("polish-from", polish_from, 0, 1e3, 1e-6, "", "", false,
        "Largest violation of a minimum of the merit function that is polished: least-norm steps bring the violation "
        "down to 1e-8. Larger values polish worse points; 0: no point."),
  REAL ("finish-from", finish_from, 0, 1e3, 0, "", "", false,
        "With finish: largest violation of a minimum of the merit function that is finished at once; a solution that "
        "is proved B-stationary is then the answer. Larger values finish more minima; 0: only answers are finished."),
};
/* clang-format on */

/* Options of version 0.2 that no example, study or paper set. Those that a preset or code has values for are the last
 * of SPECS, the others constants where they are used. */
static const SsRetiredOption RETIRED[] = {
    {"patience", "0", "mu-spread=0 leaves the other time points' penalties alone"},
    {"raise", "violated", "penalties of satisfied rows never grow"},
    {"radius-after-raise", "0.1", "preset=paper keeps the radius"},
    {"eta-low", "0.25", "the value of the paper's Table I"},
    {"eta-high", "0.75", "the value of the paper's Table I"},
    {"accept", "ratio", "preset=paper takes every decrease"},
    {"accept-ratio", "0.0001", "preset=paper takes every decrease"},
    {"shrink", "0.25", "the value of the paper's Table I"},
    {"shrink-poor", "0.5", "preset=paper has 0.25"},
    {"expand", "2", "the value of the paper's Table I"},
    {"shrink-from", "step", "preset=paper shrinks the radius itself"},
    {"quick-correction", "0.9", "preset=paper has none"},
    {"backtrack", "4", "preset=paper has none"},
    {"tolerance-level", "0", "tolerance-decrease counts everywhere"},
    {"confirm", "true", "preset=paper does not confirm"},
    {"merit-floor", "1", "tolerance-decrease says when a run ends"},
    {"tolerance-radius", "1e-8", "preset=paper has 1e-3"},
    {"radius-scale", "none", "scale the variables of the model"},
    {"row-weights", "false", "scale the rows of the model"},
    {"convexify", "true", "preset=paper leaves Hessians as they are"},
    {"qp-residual", "1e-4", "preset=paper has 1e-8"},
    {"qp-gap", "2e-3", "preset=paper has 1e-8"},
    {"qp-gap-floor", "0.1", "preset=paper has 1"},
    {"qp-shift", "1e-11", "solutions do not depend on it"},
    {"qp-max-iterations", "60", "max-iterations limits the run"},
    {"max-failures", "10", "max-iterations limits the run"},
    {"cycle-penalty", "3", "cycles says how many cycles there are"},
    {"cycle-multipliers", "0", "cycles says how many cycles there are"},
    {"relax-least", "0.01", "relax and relax-factor make the stages"},
    {"polish-from", "1e-6", "preset=paper does not polish"},
    {"polish-to", "1e-8", "preset=paper does not polish"},
    {"polish-steps", "8", "preset=paper does not polish"},
    {"finish-from", "0", "finish=on finishes answers"},
};

enum { N_SPECS = sizeof SPECS / sizeof SPECS[0], N_INNER = 15 };

const SsOptionTable ss_crisp_option_table = {.n_specs = N_SPECS - N_INNER,
                                             .specs = SPECS,
                                             .size = sizeof (SsCrispOptions),
                                             .given_offset = FIELD (given),
                                             .n_inner = N_INNER,
                                             .n_retired = sizeof RETIRED / sizeof RETIRED[0],
                                             .retired = RETIRED};

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

/* Algorithm 1 and Table I [004 Tab 1], where they differ from our defaults. The paper wants its subproblems accurate
 * and does not say how accurate; 1e-8 is the default of the QP solver it uses. */
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
  SS_ASSERT (used != NULL);
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
