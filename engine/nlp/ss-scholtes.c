/* engine/nlp/ss-scholtes.c: homotopy of relaxed complementarity: a family of problems with a number sigma that falls,
 * each member solved by Ipopt from the answer and the multipliers of the one before.
 *
 * Source    S. Scholtes, Convergence properties of a regularization scheme for mathematical programs with
 *           complementarity constraints, SIAM J. Optim. 11 (2001). The relaxed problems satisfy a constraint
 *           qualification that the products themselves never do. The other relaxations are those that paper 000 lists
 *           for its homotopy.
 * Members   scholtes           a >= 0, b >= 0, a*b <= sigma
 *           scholtes-equality  a >= 0, b >= 0, a*b = sigma
 *           elastic            a >= 0, b >= 0, a*b <= s for one variable 0 <= s <= 10, and J + s/sigma
 *           elastic-scholtes   as elastic, with s <= sigma
 *           elastic-l1         a >= 0, b >= 0, a*b <= s_i for one variable 0 <= s_i a product, and J + (sum s_i)/sigma
 *           l1-penalty         a >= 0, b >= 0, and J + (sum a*b)/sigma
 * Loop      sigma = sigma0 and then down to sigma_min, which is solved last: linear kappa*sigma, superlinear
 *           min (kappa*sigma, sigma^1.5). members=loose: members before the last are solved with sigma times a factor,
 *           at most 1e-2, at least the tolerance of the answer, and a member whose products are all at most tol_comp is
 *           solved again with the tolerances of the answer, and is the last. members=full: all of them with the
 *           tolerances of the answer; the first one whose products are at most tol_comp is the last.
 * Presets   paper: the loop of paper 000, sec. 5 (problem text, sec. 6): every member in full, from the point alone,
 *           the barrier adaptive, bounds exact and not relaxed, and a member that fails does not end the run. Its
 *           members are solved to 1e-8 and not, as the program of the paper has it, to 1e-12: that is below the
 *           rounding of scaled gradients here, and iterations are lost on it (discs of sec. 5.2: a member of 2000
 *           iterations fails that takes 70).
 * Failures  A member that is solved at a much higher cost than the one before (option leap) fails too: sigma has
 *           changed a little, so has the cost on the same branch of solutions.
 *           A member that fails is left where it ended, and the next one starts there without multipliers. After
 *           `patience` failures in a row, and when the last member fails, sigma goes back up to where it was last
 *           solved, that answer is the start again, and sigma falls more slowly: kappa becomes its square root, the
 *           power of a superlinear fall goes half of the way to 1. Before
 *           any member was solved sigma goes above where it began, from the first start. `retries` says how often.
 * Progress  one row per interior-point iteration (a member takes long), numbered through; column `sigma` tells the
 *           member. The result's `iterations` and `subproblems` count members, `inner_iterations` the interior-point
 *           iterations.
 */
#include "nlp/ss-scholtes.h"

#include "nlp/ss-bounds.h"
#include "nlp/ss-finish.h"
#include "nlp/ss-ipopt.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* The option leap: not even from a cost of 0. */
#define NO_LEAP 1e300

static const char *const relaxations[] = {"scholtes",   "scholtes-equality", "elastic", "elastic-scholtes",
                                          "elastic-l1", "l1-penalty",        NULL};
/* What Ipopt makes of products for each. */
static const SsIpoptProducts forms[] = {
    [SS_SCHOLTES_PRODUCTS] = SS_IPOPT_PRODUCTS_RELAXED,
    [SS_SCHOLTES_EQUALITY] = SS_IPOPT_PRODUCTS_EQUAL,
    [SS_SCHOLTES_ELASTIC] = SS_IPOPT_PRODUCTS_ELASTIC,
    [SS_SCHOLTES_ELASTIC_CAPPED] = SS_IPOPT_PRODUCTS_ELASTIC_CAPPED,
    [SS_SCHOLTES_ELASTIC_L1] = SS_IPOPT_PRODUCTS_ELASTIC_L1,
    [SS_SCHOLTES_PENALTY] = SS_IPOPT_PRODUCTS_PENALTY,
};
static const char *const updates[] = {"linear", "superlinear", NULL};
static const char *const presets[] = {"default", "paper", NULL};
static const char *const member_choices[] = {"loose", "full", NULL};
static const char *const mu_strategies[] = {"monotone", "adaptive", NULL};

#define FIELD(name) offsetof (SsScholtesOptions, name)

static const SsOptionSpec specs[] = {
    {"preset", SS_OPTION_CHOICE, FIELD (preset), 0, 1, SS_SCHOLTES_PRESET_DEFAULT, presets, "", "", true,
     "Values of the options that are not given. paper: the homotopy of paper 000, each problem solved in full from "
     "the point before, without its multipliers."},
    {"relaxation", SS_OPTION_CHOICE, FIELD (relaxation), 0, 5, 0, relaxations, "", "", true,
     "How sigma relaxes the product a*b of a pair. scholtes: a*b <= sigma; scholtes-equality: a*b = sigma (Ipopt "
     "refuses more equalities than variables); elastic: a*b <= s for one variable s that costs s/sigma; "
     "elastic-scholtes: as elastic, with s <= sigma; elastic-l1: as elastic, with one s for each product; "
     "l1-penalty: no row, the product costs a*b/sigma."},
    {"sigma0", SS_OPTION_REAL, FIELD (sigma0), 1e-12, 1e6, 1, NULL, "sigma_0", "", true,
     "First sigma; larger values make the first problem easier and keep less of the initial guess."},
    {"kappa", SS_OPTION_REAL, FIELD (kappa), 1e-6, 0.99, 0.1, NULL, "kappa", "", true,
     "Factor from one sigma to the next; larger values take more problems, each easier."},
    {"update", SS_OPTION_CHOICE, FIELD (update), 0, 1, SS_SCHOLTES_UPDATE_LINEAR, updates, "", "", true,
     "How sigma falls. linear: to kappa*sigma; superlinear: to sigma^1.5 where that is less, which takes fewer "
     "problems, the later ones harder."},
    {"sigma_min", SS_OPTION_REAL, FIELD (sigma_min), 1e-14, 1, 1e-7, NULL, "sigma_N", "", true,
     "Last sigma, and with relaxation=scholtes the largest product of the answer; larger values end sooner at less "
     "complementary answers."},
    {"tol_comp", SS_OPTION_REAL, FIELD (tol_comp), 0, 1, 1e-7, NULL, "tol_comp", "", true,
     "Largest product a*b of an answer with which the homotopy ends; larger values end sooner; 0: sigma_min alone "
     "decides."},
    {"tol", SS_OPTION_REAL, FIELD (tol), 1e-14, 1, 1e-6, NULL, "", "", true,
     "Relative optimality tolerance of the last problem; larger values stop sooner at a higher cost."},
    {"constr_viol_tol", SS_OPTION_REAL, FIELD (constr_viol_tol), 1e-14, 1, 1e-6, NULL, "", "", false,
     "Largest unscaled row violation of the answer (at most sigma/10 is asked for); larger values give less feasible "
     "answers."},
    {"patience", SS_OPTION_INTEGER, FIELD (patience), 1, 100, 2, NULL, "", "", false,
     "Number of problems that may fail one after another before sigma goes back up; of the last problem one failure "
     "is enough. Larger values try more values of sigma first; 1: sigma goes back up after each failure."},
    {"retries", SS_OPTION_INTEGER, FIELD (retries), 0, 20, 0, NULL, "", "", false,
     "How often sigma goes back up to its value in the last solved problem and then falls more slowly (kappa becomes "
     "its square root). Larger values try longer; 0: the run ends at the failure."},
    {"leap", SS_OPTION_REAL, FIELD (leap), 0, NO_LEAP, NO_LEAP, NULL, "", "", false,
     "Largest rise of the cost from one problem to the next, as a part of the cost; a problem whose cost rises more "
     "counts as failed. Larger values follow worse answers; 1e300: no limit."},
    {"max_iter", SS_OPTION_INTEGER, FIELD (max_iter), 1, 1e7, 3000, NULL, "", "", true,
     "Largest number of interior-point iterations of all problems together. Larger values let runs without a "
     "solution go on longer."},
    {"member_iter", SS_OPTION_INTEGER, FIELD (member_iter), 1, 1e7, 1e7, NULL, "", "", false,
     "Largest number of interior-point iterations of one problem; a problem that needs more counts as failed. Larger "
     "values spend longer on problems that do not converge."},
    {"members", SS_OPTION_CHOICE, FIELD (members), 0, 1, SS_SCHOLTES_MEMBERS_LOOSE, member_choices, "", "", false,
     "How accurately the problems before the last are solved. loose: to a fraction of sigma; full: as the last one."},
    {"mu_strategy", SS_OPTION_CHOICE, FIELD (mu_strategy), 0, 1, 0, mu_strategies, "", "", false,
     "How Ipopt's barrier parameter falls within one problem: monotone is the safe rule, adaptive often takes fewer "
     "iterations."},
    {"bounds", SS_OPTION_CHOICE, FIELD (bounds), 0, 2, SS_BOUNDS_ROWS, ss_bounds_choices, "", "", false,
     "What becomes of rows that bound one variable. exact: bounds of Ipopt's problem, which its iterates keep; "
     "unpaired: bounds, except for the sides of complementary pairs, which stay rows; rows: rows like all others."},
    {"bound_push", SS_OPTION_REAL, FIELD (bound_push), 1e-16, 1, 0.1, NULL, "kappa_1", "", false,
     "With bounds=exact: least distance of a starting point without multipliers from a bound, relative to the size "
     "of the bound (at least 1) and to the room between both bounds. Larger values move the starting point further."},
    {"bound_relax", SS_OPTION_REAL, FIELD (bound_relax), 0, 1, 1e-8, NULL, "", "", false,
     "Relative widening of inequality bounds, which gives the barrier an interior; larger values give less feasible "
     "answers."},
    {"pivot", SS_OPTION_REAL, FIELD (pivot), 1e-12, 0.5, 1e-6, NULL, "", "", false,
     "Least pivot of the linear solver, relative to the pivot's column. Larger values make the steps of "
     "ill-conditioned problems more accurate and the factors fuller."},
    {"warm_start", SS_OPTION_BOOLEAN, FIELD (warm_start), 0, 1, 1, NULL, "", "", false,
     "Whether each problem starts from the multipliers of the problem before, and not from its point alone."},
    {"finish", SS_OPTION_BOOLEAN, FIELD (finish), 0, 1, 0, NULL, "", "", true, ss_finish_summary},
    {"print_level", SS_OPTION_INTEGER, FIELD (print_level), 0, 5, 0, NULL, "", "", false,
     "How much Ipopt prints itself on standard output; larger values print more; 0: nothing."},
};

static const SsOptionTable option_table = {(int)(sizeof specs / sizeof specs[0]), specs, sizeof (SsScholtesOptions),
                                           FIELD (given)};

static const SsOptionValue paper[] = {
    {FIELD (tol_comp), 1e-9},
    {FIELD (sigma_min), 1e-9},
    {FIELD (tol), 1e-8},
    {FIELD (constr_viol_tol), 1e-9},
    {FIELD (patience), 100},
    {FIELD (max_iter), 20000},
    {FIELD (member_iter), 2000},
    {FIELD (members), SS_SCHOLTES_MEMBERS_FULL},
    {FIELD (mu_strategy), SS_IPOPT_MU_ADAPTIVE},
    {FIELD (bounds), SS_BOUNDS_EXACT},
    {FIELD (bound_push), 1e-2},
    {FIELD (bound_relax), 0},
    {FIELD (warm_start), 0},
};

static void
resolve_options (const void *given, void *used)
{
  SsScholtesOptions *options = used;

  if (given != NULL)
    *options = *(const SsScholtesOptions *)given;
  else
    ss_options_init (&option_table, options);
  if (options->preset == SS_SCHOLTES_PRESET_PAPER)
    ss_options_fill (&option_table, options, paper, (int)(sizeof paper / sizeof paper[0]));
}

/* As used: given again, they do the same. */
static void
scholtes_resolve (const void *given, void *used)
{
  resolve_options (given, used);
  ((SsScholtesOptions *)used)->given = ~(uint64_t)0;
}

/* Members before the last: tolerance = loose_factor * sigma, at most loosest. */
static const double loose_factor = 1e-2, loosest = 1e-2;

/* Rows must be kept to a fraction of sigma: a violation as large as sigma would let a member end where the one before
 * did. */
static const double row_factor = 0.1;

/* Barrier parameter at the start of a member: Ipopt's default, at most sigma (the scale of the products' slacks) when
 * warm. */
static const double cold_mu = 0.1;

typedef struct {
  const SsMpcc *mpcc;
  SsScholtesOptions options;
  void *inner;
  SsFinish *finish; /* NULL: the option is off */
  double *x;        /* start of the next member            */
  double *x_solved; /* answer of the last one that was solved */
} Solver;

/* One run through the family. */
typedef struct {
  double sigma, kappa;
  double solved_sigma; /* of the last member that was solved; 0: none yet */
  double solved_cost;  /* its objective */
  double highest;      /* sigma that the run, or its last retry from x0, began with */
  bool is_last;        /* the member in hand ends the run if it is solved */
  bool is_solved;      /* the member before: its multipliers are a start */
  int n_members, n_inner, n_rows, n_failures, n_retries;
  double linear_seconds, derivative_seconds, value_seconds;
} Descent;

static void
scholtes_free (void *data)
{
  Solver *solver = data;

  if (solver == NULL)
    return;
  if (solver->inner != NULL)
    ss_nlp_ipopt.free_ (solver->inner);
  ss_finish_free (solver->finish);
  ss_free (solver->x);
  ss_free (solver->x_solved);
  ss_free (solver);
}

static SsStatus
new_inner (Solver *solver, SsError *err)
{
  const SsScholtesOptions *o = &solver->options;
  const SsOptionValue passed[] = {
      {offsetof (SsIpoptOptions, complementarity), forms[o->relaxation]},
      {offsetof (SsIpoptOptions, mu_strategy), o->mu_strategy},
      {offsetof (SsIpoptOptions, bounds), o->bounds},
      {offsetof (SsIpoptOptions, bound_push), o->bound_push},
      {offsetof (SsIpoptOptions, bound_relax), o->bound_relax},
      {offsetof (SsIpoptOptions, pivot), o->pivot},
      {offsetof (SsIpoptOptions, print_level), o->print_level},
  };
  SsIpoptOptions inner;

  ss_options_init (ss_nlp_ipopt.options, &inner);
  ss_options_give (ss_nlp_ipopt.options, &inner, passed, sizeof passed / sizeof *passed);
  return ss_nlp_ipopt.new_ (solver->mpcc, &inner, &solver->inner, err);
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
  resolve_options (options, &solver->options);
  solver->x = ss_new_array (double, ss_mpcc_n_variables (mpcc));
  solver->x_solved = ss_new_array (double, ss_mpcc_n_variables (mpcc));
  status = solver->x == NULL || solver->x_solved == NULL ? ss_error_set (err, SS_ERR_MEMORY, "out of memory")
                                                         : new_inner (solver, err);
  if (status == SS_OK && solver->options.finish)
    status = ss_finish_new (mpcc, &solver->finish, err);
  if (status != SS_OK) {
    scholtes_free (solver);
    return status;
  }
  *out = solver;
  return SS_OK;
}

/* Tolerances and start of the member in hand. */
static SsIpoptStage
plan_member (const Solver *solver, const Descent *d)
{
  const SsScholtesOptions *o = &solver->options;
  bool is_warm = o->warm_start && d->is_solved;
  SsIpoptStage stage = {.sigma = d->sigma, .tol = o->tol, .mu_init = cold_mu, .warm_start = is_warm};

  const bool is_full = d->is_last || o->members == SS_SCHOLTES_MEMBERS_FULL;
  stage.constr_viol_tol = fmin (is_full ? o->constr_viol_tol : loosest, row_factor * d->sigma);
  if (!is_full)
    stage.tol = fmax (o->tol, fmin (loosest, loose_factor * d->sigma));
  if (is_warm)
    stage.mu_init = fmin (cold_mu, d->sigma);
  stage.first_iteration = d->n_rows;
  stage.max_iter = o->max_iter - d->n_inner < o->member_iter ? o->max_iter - d->n_inner : o->member_iter;
  return stage;
}

/* The next sigma; one that is sigma_min but for rounding is sigma_min. */
static double
next_sigma (const SsScholtesOptions *o, const Descent *d)
{
  static const double rounding = 1e-9;
  const double superlinear_power = 1 + pow (0.5, 1 + d->n_retries);
  double next = d->kappa * d->sigma;

  if (o->update == SS_SCHOLTES_UPDATE_SUPERLINEAR)
    next = fmin (next, pow (d->sigma, superlinear_power));
  return next <= (1 + rounding) * o->sigma_min ? o->sigma_min : next;
}

static bool
is_end_of_run (SsOutcome outcome)
{
  return ss_outcome_is_early (outcome) || outcome == SS_OUTCOME_FAILED;
}

static bool
is_complementary (const Solver *solver, const SsNlpResult *result)
{
  return solver->options.tol_comp > 0 &&
         ss_ipopt_complementarity (solver->inner, result->x) <= solver->options.tol_comp;
}

/* Back up, from where a member was solved, or from the beginning; false when that was done often enough. */
static bool
go_back_up (Solver *solver, Descent *d, const double *x0)
{
  const SsScholtesOptions *o = &solver->options;
  size_t size = (size_t)ss_mpcc_n_variables (solver->mpcc) * sizeof (double);

  if (d->n_retries >= o->retries)
    return false;
  d->n_retries++;
  d->n_failures = 0;
  if (d->solved_sigma > 0) {
    memcpy (solver->x, solver->x_solved, size);
    d->sigma = d->solved_sigma;
  } else {
    memcpy (solver->x, x0, size);
    d->sigma = d->highest = d->highest / d->kappa;
  }
  d->kappa = sqrt (d->kappa);
  if (d->solved_sigma > 0)
    d->sigma = next_sigma (o, d);
  d->is_last = d->sigma <= o->sigma_min;
  return true;
}

/* What follows the member in hand; false: nothing. */
static bool
choose_next (Solver *solver, Descent *d, const double *x0, const SsNlpResult *result)
{
  const SsScholtesOptions *o = &solver->options;
  size_t size = (size_t)ss_mpcc_n_variables (solver->mpcc) * sizeof (double);

  if (is_end_of_run (result->outcome) || d->n_inner >= o->max_iter || !ss_ipopt_has_room (solver->inner))
    return false;
  memcpy (solver->x, result->x, size);
  const double cost = ss_ipopt_objective (solver->inner, result->x);
  const bool has_leapt =
      o->leap < NO_LEAP && d->solved_sigma > 0 && cost - d->solved_cost > o->leap * fabs (d->solved_cost);
  d->is_solved = result->outcome == SS_OUTCOME_SOLVED && !has_leapt;
  if (!d->is_solved) {
    d->n_failures++;
    if (d->is_last || has_leapt || d->n_failures >= o->patience)
      return go_back_up (solver, d, x0);
  } else {
    d->n_failures = 0;
    d->solved_sigma = d->sigma;
    d->solved_cost = cost;
    memcpy (solver->x_solved, result->x, size);
    if (d->is_last)
      return false;
    if (is_complementary (solver, result)) {
      d->is_last = true;
      return o->members != SS_SCHOLTES_MEMBERS_FULL;
    }
  }
  d->sigma = next_sigma (o, d);
  d->is_last = d->sigma <= o->sigma_min;
  return true;
}

static SsStatus
scholtes_solve (void *data, const double *x0, SsRunControl *control, SsNlpResult *result, SsError *err)
{
  Solver *solver = data;
  const SsScholtesOptions *o = &solver->options;
  double wall = ss_clock_wall (), cpu = ss_clock_thread_cpu (), sigma = fmax (o->sigma0, o->sigma_min);
  Descent d = {.sigma = sigma, .highest = sigma, .kappa = o->kappa, .is_last = sigma <= o->sigma_min};
  char last[sizeof result->message], again[64] = "";

  memset (result, 0, sizeof *result);
  memcpy (solver->x, x0, (size_t)ss_mpcc_n_variables (solver->mpcc) * sizeof (double));
  do {
    SsIpoptStage stage = plan_member (solver, &d);
    SsStatus status = ss_ipopt_solve_stage (solver->inner, &stage, solver->x, control, result, err);

    if (status != SS_OK)
      return status;
    d.n_members++;
    d.n_inner += result->iterations;
    d.linear_seconds += result->linear_seconds;
    d.derivative_seconds += result->derivative_seconds;
    d.value_seconds += result->value_seconds;
    d.n_rows += result->iterations + 1;
    ss_run_control_log (control, SS_LOG_DEBUG, "sigma %.3g: %s", d.sigma, result->message);
  } while (choose_next (solver, &d, x0, result));

  /* Stopping short of the last member is no solution, whatever the member before said. */
  if (result->outcome == SS_OUTCOME_SOLVED && !d.is_last)
    result->outcome = SS_OUTCOME_MAX_ITERATIONS;
  if (d.n_retries > 0)
    snprintf (again, sizeof again, ", sigma went back up %d times", d.n_retries);
  snprintf (last, sizeof last, "%s", result->message);
  snprintf (result->message, sizeof result->message, "homotopy of %d members, %d iterations in all%s; last: %.130s",
            d.n_members, d.n_inner, again, last);
  result->iterations = result->subproblems = d.n_members;
  result->inner_iterations = d.n_inner;
  result->solve_seconds = ss_clock_wall () - wall;
  result->cpu_seconds = ss_clock_thread_cpu () - cpu;
  result->linear_seconds = d.linear_seconds;
  result->derivative_seconds = d.derivative_seconds;
  result->value_seconds = d.value_seconds;
  return solver->finish != NULL ? ss_finish_answer (solver->finish, control, result, err) : SS_OK;
}

const SsNlpClass ss_nlp_scholtes = {
    .name = "scholtes",
    .label = "Homotopy",
    .summary = "Homotopy: a sequence of problems with relaxed complementarity products, such as a*b <= sigma with "
               "falling sigma; Ipopt solves each from the answer of the one before.",
    .version = "0.1.0",
    .options = &option_table,
    .new_ = scholtes_new,
    .solve = scholtes_solve,
    .free_ = scholtes_free,
    .resolve = scholtes_resolve,
};
