/* engine/nlp/ss-scholtes.c: homotopy of relaxed complementarity: a >= 0, b >= 0, a*b <= sigma for a falling sequence of
 * sigma, each member solved by Ipopt from the answer and the multipliers of the one before.
 *
 * Source    S. Scholtes, Convergence properties of a regularization scheme for mathematical programs with
 *           complementarity constraints, SIAM J. Optim. 11 (2001). The relaxed problems satisfy a constraint
 *           qualification that the products themselves never do.
 * Loop      sigma = sigma0, kappa sigma0, ... down to sigma_min, which is solved last. Members before the last are
 *           solved loosely: their tolerance is sigma times a factor, at most 1e-2, at least that of the answer. A
 *           member that fails is left where it ended, and the next one starts there without multipliers; two failures
 *           in a row end the run.
 * Progress  one row per interior-point iteration (a member takes long), numbered through; column `sigma` tells the
 *           member. The result's `iterations` and `subproblems` count members, `inner_iterations` the interior-point
 *           iterations.
 */
#include "nlp/ss-scholtes.h"

#include "nlp/ss-ipopt.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

typedef struct {
  double sigma0, kappa, sigma_min, tol, constr_viol_tol;
  int max_iter;
  int mu_strategy;
  bool warm_start;
  int print_level;
} Options;

static const char *const mu_strategies[] = {"monotone", "adaptive", NULL};

#define FIELD(name) offsetof (Options, name)

static const SsOptionSpec specs[] = {
    {"sigma0", SS_OPTION_REAL, FIELD (sigma0), 1e-12, 1e6, 1, NULL, "sigma_0", "", true,
     "First relaxation a*b <= sigma; raised, the start is easier and forgets more of the initial guess."},
    {"kappa", SS_OPTION_REAL, FIELD (kappa), 1e-6, 0.99, 0.1, NULL, "kappa", "", true,
     "Factor from one relaxation to the next; raised, there are more and easier steps."},
    {"sigma_min", SS_OPTION_REAL, FIELD (sigma_min), 1e-14, 1, 1e-7, NULL, "sigma_N", "", true,
     "Last relaxation, and so the largest product of the answer; raised, answers are less complementary."},
    {"tol", SS_OPTION_REAL, FIELD (tol), 1e-14, 1, 1e-6, NULL, "", "", true,
     "Relative optimality tolerance of the last member; raised, it stops earlier at a worse cost."},
    {"constr_viol_tol", SS_OPTION_REAL, FIELD (constr_viol_tol), 1e-14, 1, 1e-6, NULL, "", "", false,
     "Largest unscaled row violation of the answer (at most sigma_min/10 is asked for); raised, answers are less "
     "feasible."},
    {"max_iter", SS_OPTION_INTEGER, FIELD (max_iter), 1, 1e7, 3000, NULL, "", "", true,
     "Most interior-point iterations of all members together; raised, hopeless runs take longer."},
    {"mu_strategy", SS_OPTION_CHOICE, FIELD (mu_strategy), 0, 1, 0, mu_strategies, "", "", false,
     "How Ipopt's barrier parameter falls within a member."},
    {"warm_start", SS_OPTION_BOOLEAN, FIELD (warm_start), 0, 1, 1, NULL, "", "", false,
     "Start each member from the multipliers of the one before, not only from its point."},
    {"print_level", SS_OPTION_INTEGER, FIELD (print_level), 0, 5, 0, NULL, "", "", false,
     "Verbosity of Ipopt's own text on standard output; 0 prints nothing."},
};

static const SsOptionTable option_table = {(int)(sizeof specs / sizeof specs[0]), specs, sizeof (Options)};

/* Members before the last: tolerance = loose_factor * sigma, at most loosest. */
static const double loose_factor = 1e-2, loosest = 1e-2;

/* Rows must be kept to a fraction of sigma: a violation as large as sigma would let a member end where the one before
 * did. */
static const double row_factor = 0.1;

/* Barrier parameter at the start of a member: Ipopt's default, at most sigma (the scale of the products' slacks) when
 * warm. */
static const double cold_mu = 0.1;

enum { MAX_FAILURES = 2 };

typedef struct {
  const SsMpcc *mpcc;
  Options options;
  void *inner;
  double *x; /* start of the current member */
} Solver;

static void
scholtes_free (void *data)
{
  Solver *solver = data;

  if (solver == NULL)
    return;
  if (solver->inner != NULL)
    ss_nlp_ipopt.free_ (solver->inner);
  ss_free (solver->x);
  ss_free (solver);
}

/* Hands our option `name` to Ipopt under the same name. */
static SsStatus
pass_option (const Solver *solver, void *inner_options, const char *name, SsError *err)
{
  char text[64];

  for (int s = 0; s < option_table.n_specs; s++)
    if (strcmp (specs[s].name, name) == 0) {
      ss_options_format (&option_table, &solver->options, s, text, sizeof text);
      return ss_options_set (ss_nlp_ipopt.options, inner_options, name, text, err);
    }
  return ss_error_set (err, SS_ERR_INTERNAL, "no option %s", name);
}

static SsStatus
new_inner (Solver *solver, SsError *err)
{
  static const char *const passed[] = {"mu_strategy", "print_level"};
  void *inner_options = ss_alloc (1, ss_nlp_ipopt.options->size);
  SsStatus status = SS_OK;

  if (inner_options == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  ss_options_init (ss_nlp_ipopt.options, inner_options);
  for (size_t i = 0; i < sizeof passed / sizeof passed[0] && status == SS_OK; i++)
    status = pass_option (solver, inner_options, passed[i], err);
  if (status == SS_OK)
    status = ss_nlp_ipopt.new_ (solver->mpcc, inner_options, &solver->inner, err);
  ss_free (inner_options);
  return status;
}

static SsStatus
scholtes_new (const SsMpcc *mpcc, const void *options, void **out, SsError *err)
{
  Solver *solver = ss_new (Solver);
  SsStatus status;

  *out = NULL;
  if (solver == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  solver->mpcc = mpcc;
  ss_options_init (&option_table, &solver->options);
  if (options != NULL)
    solver->options = *(const Options *)options;
  solver->x = ss_new_array (double, ss_mpcc_n_variables (mpcc));
  status = solver->x == NULL ? ss_error_set (err, SS_ERR_MEMORY, "out of memory") : new_inner (solver, err);
  if (status != SS_OK) {
    scholtes_free (solver);
    return status;
  }
  *out = solver;
  return SS_OK;
}

/* Tolerances and start of the member with this sigma. */
static SsIpoptStage
plan_member (const Solver *solver, double sigma, bool is_last, bool is_warm)
{
  const Options *o = &solver->options;
  SsIpoptStage stage = {.sigma = sigma, .tol = o->tol, .mu_init = cold_mu, .warm_start = is_warm};

  stage.constr_viol_tol = fmin (is_last ? o->constr_viol_tol : loosest, row_factor * sigma);
  if (!is_last)
    stage.tol = fmax (o->tol, fmin (loosest, loose_factor * sigma));
  if (is_warm)
    stage.mu_init = fmin (cold_mu, sigma);
  return stage;
}

/* The next relaxation; one that is sigma_min but for rounding is sigma_min. */
static double
next_sigma (const Options *o, double sigma)
{
  static const double rounding = 1e-9;

  return o->kappa * sigma <= (1 + rounding) * o->sigma_min ? o->sigma_min : o->kappa * sigma;
}

static bool
is_end_of_run (SsOutcome outcome)
{
  return outcome == SS_OUTCOME_CANCELLED || outcome == SS_OUTCOME_TIME_LIMIT || outcome == SS_OUTCOME_FAILED;
}

static SsStatus
scholtes_solve (void *data, const double *x0, SsRunControl *control, SsNlpResult *result, SsError *err)
{
  Solver *solver = data;
  const Options *o = &solver->options;
  double wall = ss_clock_wall (), cpu = ss_clock_thread_cpu (), sigma = fmax (o->sigma0, o->sigma_min);
  size_t size = (size_t)ss_mpcc_n_variables (solver->mpcc) * sizeof (double);
  double derivative_seconds = 0, value_seconds = 0;
  int n_members = 0, n_inner = 0, n_rows = 0, n_failures = 0;
  char last[sizeof result->message];

  memset (result, 0, sizeof *result);
  memcpy (solver->x, x0, size);
  for (bool is_last = false; !is_last; sigma = next_sigma (o, sigma)) {
    SsIpoptStage stage;
    SsStatus status;

    is_last = sigma <= o->sigma_min;
    stage = plan_member (solver, sigma, is_last, o->warm_start && n_members > 0 && n_failures == 0);
    stage.first_iteration = n_rows;
    stage.max_iter = o->max_iter - n_inner;
    status = ss_ipopt_solve_stage (solver->inner, &stage, solver->x, control, result, err);
    if (status != SS_OK)
      return status;
    memcpy (solver->x, result->x, size);
    n_members++;
    n_inner += result->iterations;
    derivative_seconds += result->derivative_seconds;
    value_seconds += result->value_seconds;
    n_rows += result->iterations + 1;
    n_failures = result->outcome == SS_OUTCOME_SOLVED ? 0 : n_failures + 1;
    ss_run_control_log (control, SS_LOG_DEBUG, "sigma %.3g: %s", sigma, result->message);
    if (is_end_of_run (result->outcome) || n_failures == MAX_FAILURES || n_inner >= o->max_iter)
      break;
  }
  snprintf (last, sizeof last, "%s", result->message);
  snprintf (result->message, sizeof result->message, "homotopy of %d members, %d iterations in all; last: %.160s",
            n_members, n_inner, last);
  /* Stopping short of the last member is no solution, whatever the member before said. */
  if (result->outcome == SS_OUTCOME_SOLVED && n_inner >= o->max_iter && sigma > o->sigma_min)
    result->outcome = SS_OUTCOME_MAX_ITERATIONS;
  result->iterations = result->subproblems = n_members;
  result->inner_iterations = n_inner;
  result->solve_seconds = ss_clock_wall () - wall;
  result->cpu_seconds = ss_clock_thread_cpu () - cpu;
  result->derivative_seconds = derivative_seconds;
  result->value_seconds = value_seconds;
  return SS_OK;
}

const SsNlpClass ss_nlp_scholtes = {
    .name = "scholtes",
    .label = "Homotopy",
    .summary = "Solves a sequence of problems with the complementarity products relaxed to a*b <= sigma, sigma "
               "falling, each by Ipopt from "
               "the answer before.",
    .version = "0.1.0",
    .options = &option_table,
    .new_ = scholtes_new,
    .solve = scholtes_solve,
    .free_ = scholtes_free,
};
