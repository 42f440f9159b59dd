/* engine/nlp/ss-ipopt.c: Ipopt 3.11 through its C interface, with exact sparse Jacobian and Lagrangian Hessian.
 *
 * Every row of the MPCC is a general row, c_E = 0 and c_I >= 0, and no variable has bounds, as in the reference runs. A
 * product row -(a*b) >= 0 is passed as it is, relaxed to sigma - a*b >= 0, or all of them lumped into -(sum a*b) >= 0.
 *
 * Version 3.11 cannot be asked for its current iterate: the points of the last gradient and of the last Jacobian
 * evaluation are remembered, and the one whose objective is the reported one is taken. Before each intermediate call
 * Ipopt has evaluated its dual infeasibility, and with it both, at the accepted point; in a restoration phase only the
 * Jacobian is.
 *
 * Time limit and cancel are looked at in the intermediate call, once per iteration. A factorisation inside MUMPS cannot
 * be interrupted: the process that runs the solver has to answer a cancel meanwhile.
 * Lack of memory in MUMPS is told by Ipopt as a failed restoration phase: its own complaints are read, from a file
 * without a name.
 * Threads   MUMPS (sequential build) keeps global state: at most one Ipopt solve at a time in a process.
 * Files     an ipopt.opt in the working directory is not read.
 */
#include "nlp/ss-ipopt.h"

#include <IpStdCInterface.h>
#include <IpoptConfig.h>

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* ---- options ----------------------------------------------------------------------------------------------------- */

typedef enum { PRODUCTS_EACH, PRODUCTS_SUM, PRODUCTS_RELAXED } Products;

typedef struct {
  double tol, constr_viol_tol;
  int max_iter;
  int mu_strategy, hessian, complementarity;
  double relaxation, mu_init, bound_relax;
  int scaling;
  bool warm_start;
  int print_level, derivative_test;
} Options;

static const char *const mu_strategies[] = {"monotone", "adaptive", NULL};
static const char *const hessians[] = {"exact", "limited-memory", NULL};
static const char *const product_forms[] = {"products", "sum", "relaxed", NULL};
static const char *const scalings[] = {"gradient-based", "none", NULL};
static const char *const derivative_tests[] = {"none", "first-order", "second-order", NULL};

#define FIELD(name) offsetof (Options, name)

static const SsOptionSpec specs[] = {
    {"tol", SS_OPTION_REAL, FIELD (tol), 1e-14, 1, 1e-6, NULL, "", "", true,
     "Relative optimality tolerance; raised, it stops earlier at a worse cost."},
    {"constr_viol_tol", SS_OPTION_REAL, FIELD (constr_viol_tol), 1e-14, 1, 1e-6, NULL, "", "", true,
     "Largest unscaled row violation of an answer; raised, answers are less feasible."},
    {"max_iter", SS_OPTION_INTEGER, FIELD (max_iter), 0, 1e7, 3000, NULL, "", "", true,
     "Most iterations; raised, hopeless runs take longer."},
    {"mu_strategy", SS_OPTION_CHOICE, FIELD (mu_strategy), 0, 1, 0, mu_strategies, "", "", true,
     "How the barrier parameter falls: monotone is the safe rule, adaptive often takes fewer iterations."},
    {"hessian", SS_OPTION_CHOICE, FIELD (hessian), 0, 1, 0, hessians, "", "", true,
     "Exact second derivatives, or their approximation from gradients (more iterations)."},
    {"complementarity", SS_OPTION_CHOICE, FIELD (complementarity), 0, 2, 0, product_forms, "", "", true,
     "Product rows one by one, lumped into one row, or each relaxed by `relaxation`."},
    {"relaxation", SS_OPTION_REAL, FIELD (relaxation), 0, 1e6, 1e-6, NULL, "sigma", "", false,
     "With complementarity=relaxed: a*b <= sigma; raised, the problem is easier and the answer less complementary."},
    {"mu_init", SS_OPTION_REAL, FIELD (mu_init), 1e-16, 1e10, 0.1, NULL, "mu", "", false,
     "First barrier parameter; small values suit starting points near the answer."},
    {"bound_relax", SS_OPTION_REAL, FIELD (bound_relax), 0, 1, 1e-8, NULL, "", "", false,
     "Relative widening of inequality bounds that gives the barrier an interior; raised, answers are less feasible."},
    {"scaling", SS_OPTION_CHOICE, FIELD (scaling), 0, 1, 0, scalings, "", "", false,
     "Scaling of cost and rows by their gradients at the starting point, or none."},
    {"warm_start", SS_OPTION_BOOLEAN, FIELD (warm_start), 0, 1, 0, NULL, "", "", false,
     "Start from the multipliers of this solver's previous answer; pair it with a small mu_init."},
    {"print_level", SS_OPTION_INTEGER, FIELD (print_level), 0, 5, 0, NULL, "", "", false,
     "Verbosity of Ipopt's own text on standard output; 0 prints nothing."},
    {"derivative_test", SS_OPTION_CHOICE, FIELD (derivative_test), 0, 2, 0, derivative_tests, "", "", false,
     "Compare derivatives with finite differences at the starting point; the findings are printed at print_level 1 and "
     "above."},
};

static const SsOptionTable option_table = {(int)(sizeof specs / sizeof specs[0]), specs, sizeof (Options)};

/* ---- solver ------------------------------------------------------------------------------------------------------ */

typedef struct {
  const SsMpcc *mpcc;
  Options options;
  SsMpccEval *eval;
  int n, n_rows, m; /* m: rows of Ipopt's problem */
  int n_jacobian, n_hessian;
  int *row_map;            /* our row -> Ipopt's row */
  bool *is_product;        /* by our row */
  double *x, *multipliers; /* answer, Ipopt's sign and rows; kept for warm starts */
  bool has_multipliers;
  double *x_gradient, *x_jacobian; /* where these were evaluated last */
  double *lower, *upper;           /* n: +-infinity; bounds of rows lie in row_lower, row_upper */
  double *row_lower, *row_upper;
  double *c, *lambda;                                  /* n_rows, scratch */
  double *gradient, *jacobian;                         /* scratch for the stationarity of the answer */
  double *our_multipliers;                             /* n_rows, our sign */
  double *no_multipliers_lower, *no_multipliers_upper; /* n, of the absent variable bounds */
  /* one solve */
  const SsIpoptStage *stage; /* NULL outside a homotopy */
  SsRunControl *control;
  int iterations, n_unmatched;
  double derivative_seconds, value_seconds;
  bool is_stopped;
  SsOutcome why;
} Solver;

/* Ipopt takes bounds beyond 1e19 as absent. */
static const double no_bound = 2e19;

/* Relative agreement of the reported objective with ours at the remembered point: rounding of scaling and unscaling. */
static const double same_objective = 1e-9;

/* With a warm start the point is hardly pushed away from its bounds; Ipopt's cold value is 1e-2. */
static const double warm_push = 1e-9;

/* ---- callbacks --------------------------------------------------------------------------------------------------- */

static void
copy_point (double *to, const double *from, int n)
{
  if (n > 0)
    memcpy (to, from, (size_t)n * sizeof *to);
}

static Bool
eval_objective (Index n, Number *x, Bool new_x, Number *value, UserDataPtr data)
{
  Solver *solver = data;

  (void)n;
  (void)new_x;
  double start = ss_clock_thread_cpu ();
  *value = ss_mpcc_objective (solver->eval, x);
  solver->value_seconds += ss_clock_thread_cpu () - start;
  return isfinite (*value) ? TRUE : FALSE;
}

static Bool
eval_gradient (Index n, Number *x, Bool new_x, Number *gradient, UserDataPtr data)
{
  Solver *solver = data;

  (void)new_x;
  double start = ss_clock_thread_cpu ();
  copy_point (solver->x_gradient, x, n);
  ss_mpcc_gradient (solver->eval, x, gradient);
  solver->derivative_seconds += ss_clock_thread_cpu () - start;
  return TRUE;
}

static Bool
eval_rows (Index n, Number *x, Bool new_x, Index m, Number *g, UserDataPtr data)
{
  Solver *solver = data;
  double sum = 0, start = ss_clock_thread_cpu ();

  (void)n;
  (void)new_x;
  ss_mpcc_rows (solver->eval, x, solver->c);
  solver->value_seconds += ss_clock_thread_cpu () - start;
  memset (g, 0, (size_t)m * sizeof *g);
  for (int r = 0; r < solver->n_rows; r++) {
    g[solver->row_map[r]] += solver->c[r];
    sum += solver->c[r];
  }
  return isfinite (sum) ? TRUE : FALSE;
}

static Bool
eval_jacobian (Index n, Number *x, Bool new_x, Index m, Index n_entries, Index *row, Index *column, Number *values,
               UserDataPtr data)
{
  Solver *solver = data;
  const SsPattern *pattern = ss_mpcc_jacobian_pattern (solver->mpcc);

  (void)new_x;
  (void)m;
  (void)n_entries;
  if (values != NULL) {
    double start = ss_clock_thread_cpu ();
    copy_point (solver->x_jacobian, x, n);
    ss_mpcc_jacobian (solver->eval, x, values);
    solver->derivative_seconds += ss_clock_thread_cpu () - start;
    return TRUE;
  }
  /* Ipopt adds up entries of one place, as lumped rows may have. */
  for (int r = 0; r < pattern->n_major; r++)
    for (int e = pattern->start[r]; e < pattern->start[r + 1]; e++) {
      row[e] = solver->row_map[r];
      column[e] = pattern->index[e];
    }
  return TRUE;
}

static Bool
eval_hessian (Index n, Number *x, Bool new_x, Number factor, Index m, Number *lambda, Bool new_lambda, Index n_entries,
              Index *row, Index *column, Number *values, UserDataPtr data)
{
  Solver *solver = data;
  const SsPattern *pattern = ss_mpcc_lagrangian_hessian_pattern (solver->mpcc);

  (void)n;
  (void)new_x;
  (void)m;
  (void)new_lambda;
  (void)n_entries;
  if (values != NULL) {
    for (int r = 0; r < solver->n_rows; r++)
      solver->lambda[r] = lambda[solver->row_map[r]];
    double start = ss_clock_thread_cpu ();
    ss_mpcc_lagrangian_hessian (solver->eval, x, factor, solver->lambda, values);
    solver->derivative_seconds += ss_clock_thread_cpu () - start;
    return TRUE;
  }
  for (int c = 0; c < pattern->n_major; c++)
    for (int e = pattern->start[c]; e < pattern->start[c + 1]; e++) {
      row[e] = pattern->index[e];
      column[e] = c;
    }
  return TRUE;
}

static double
objective_mismatch (Solver *solver, const double *x, double reported)
{
  double ours = ss_mpcc_objective (solver->eval, x);

  return fabs (ours - reported) / (1 + fabs (reported));
}

/* The accepted iterate: see the head of this file. */
static const double *
find_iterate (Solver *solver, bool is_restoration, double objective)
{
  const double *first = is_restoration ? solver->x_jacobian : solver->x_gradient;
  const double *second = is_restoration ? solver->x_gradient : solver->x_jacobian;

  if (objective_mismatch (solver, first, objective) <= same_objective)
    return first;
  if (objective_mismatch (solver, second, objective) <= same_objective)
    return second;
  solver->n_unmatched++;
  return first;
}

/* Largest violation of our unscaled rows and largest |a*b| at x. */
static void
measure (Solver *solver, const double *x, double *violation, double *complementarity)
{
  int n_equalities = ss_mpcc_n_equalities (solver->mpcc);

  ss_mpcc_rows (solver->eval, x, solver->c);
  *violation = *complementarity = 0;
  for (int r = 0; r < solver->n_rows; r++) {
    double c = solver->c[r], amount = r < n_equalities ? fabs (c) : -c;

    if (amount > *violation)
      *violation = amount;
    if (solver->is_product[r] && fabs (c) > *complementarity)
      *complementarity = fabs (c);
  }
}

static Bool
report_iteration (Index mode, Index iteration, Number objective, Number inf_pr, Number inf_du, Number mu, Number d_norm,
                  Number regularization, Number alpha_du, Number alpha_pr, Index ls_trials, UserDataPtr data)
{
  Solver *solver = data;
  const double *x = find_iterate (solver, mode == 1, objective);
  int number = iteration + (solver->stage != NULL ? solver->stage->first_iteration : 0);
  double violation, complementarity;

  (void)inf_pr;
  measure (solver, x, &violation, &complementarity);
  copy_point (solver->x, x, solver->n);
  solver->iterations = iteration;
  {
    SsColumn columns[] = {
        {"objective", ss_mpcc_objective (solver->eval, x)},
        {"violation", violation},
        {"complementarity", complementarity},
        {"inf_du", inf_du},
        {"mu", mu},
        {"d_norm", d_norm},
        {"alpha_pr", alpha_pr},
        {"alpha_du", alpha_du},
        {"regularization", regularization},
        {"ls_trials", ls_trials},
        {"restoration", mode},
        {"sigma", solver->stage != NULL ? solver->stage->sigma : 0},
    };
    int n_columns = (int)(sizeof columns / sizeof columns[0]) - (solver->stage == NULL);

    ss_run_control_emit_iteration (solver->control, number, columns, n_columns);
    ss_run_control_emit_iterate (solver->control, number, x, solver->n);
  }
  if (ss_run_control_should_stop (solver->control, &solver->why)) {
    solver->is_stopped = true;
    return FALSE;
  }
  return TRUE;
}

/* ---- life cycle -------------------------------------------------------------------------------------------------- */

static void
ipopt_free (void *data)
{
  Solver *solver = data;

  if (solver == NULL)
    return;
  ss_mpcc_eval_free (solver->eval);
  ss_free (solver->row_map);
  ss_free (solver->is_product);
  ss_free (solver->x);
  ss_free (solver->multipliers);
  ss_free (solver->x_gradient);
  ss_free (solver->x_jacobian);
  ss_free (solver->lower);
  ss_free (solver->upper);
  ss_free (solver->row_lower);
  ss_free (solver->row_upper);
  ss_free (solver->c);
  ss_free (solver->lambda);
  ss_free (solver->gradient);
  ss_free (solver->jacobian);
  ss_free (solver->our_multipliers);
  ss_free (solver->no_multipliers_lower);
  ss_free (solver->no_multipliers_upper);
  ss_free (solver);
}

/* Products lumped: all of them go into one row after the others. */
static void
map_rows (Solver *solver)
{
  const SsMpccPair *pairs = ss_mpcc_pairs (solver->mpcc);
  int n_equalities = ss_mpcc_n_equalities (solver->mpcc);
  bool is_lumped = solver->options.complementarity == PRODUCTS_SUM, has_products = false;

  for (int p = 0; p < ss_mpcc_n_pairs (solver->mpcc); p++)
    solver->is_product[n_equalities + pairs[p].product_row] = true;
  solver->m = 0;
  for (int r = 0; r < solver->n_rows; r++) {
    bool is_sum = is_lumped && solver->is_product[r];

    has_products = has_products || is_sum;
    solver->row_map[r] = is_sum ? -1 : solver->m++;
  }
  for (int r = 0; r < solver->n_rows; r++)
    if (solver->row_map[r] < 0)
      solver->row_map[r] = solver->m;
  solver->m += has_products;
}

static SsStatus
ipopt_new (const SsMpcc *mpcc, const void *options, void **out, SsError *err)
{
  Solver *solver = ss_new (Solver);
  SsStatus status = SS_ERR_MEMORY;
  int n = ss_mpcc_n_variables (mpcc), n_rows = ss_mpcc_n_rows (mpcc);

  *out = NULL;
  if (solver == NULL)
    return ss_error_set (err, status, "out of memory");
  solver->mpcc = mpcc;
  ss_options_init (&option_table, &solver->options);
  if (options != NULL)
    solver->options = *(const Options *)options;
  solver->n = n;
  solver->n_rows = n_rows;
  solver->n_jacobian = ss_mpcc_jacobian_pattern (mpcc)->start[n_rows];
  solver->n_hessian = ss_mpcc_lagrangian_hessian_pattern (mpcc)->start[n];
  solver->row_map = ss_new_array (int, n_rows);
  solver->is_product = ss_new_array (bool, n_rows);
  solver->x = ss_new_array (double, n);
  solver->multipliers = ss_new_array (double, n_rows);
  solver->x_gradient = ss_new_array (double, n);
  solver->x_jacobian = ss_new_array (double, n);
  solver->lower = ss_new_array (double, n);
  solver->upper = ss_new_array (double, n);
  solver->row_lower = ss_new_array (double, n_rows);
  solver->row_upper = ss_new_array (double, n_rows);
  solver->c = ss_new_array (double, n_rows);
  solver->lambda = ss_new_array (double, n_rows);
  solver->gradient = ss_new_array (double, n);
  solver->jacobian = ss_new_array (double, solver->n_jacobian);
  solver->our_multipliers = ss_new_array (double, n_rows);
  solver->no_multipliers_lower = ss_new_array (double, n);
  solver->no_multipliers_upper = ss_new_array (double, n);
  if (solver->row_map == NULL || solver->is_product == NULL || solver->x == NULL || solver->multipliers == NULL ||
      solver->x_gradient == NULL || solver->x_jacobian == NULL || solver->lower == NULL || solver->upper == NULL ||
      solver->row_lower == NULL || solver->row_upper == NULL || solver->c == NULL || solver->lambda == NULL ||
      solver->gradient == NULL || solver->jacobian == NULL || solver->our_multipliers == NULL ||
      solver->no_multipliers_lower == NULL || solver->no_multipliers_upper == NULL) {
    ss_error_set (err, status, "out of memory");
    goto fail;
  }
  status = ss_mpcc_eval_new (mpcc, &solver->eval, err);
  if (status != SS_OK)
    goto fail;
  map_rows (solver);
  for (int j = 0; j < n; j++) {
    solver->lower[j] = -no_bound;
    solver->upper[j] = no_bound;
  }
  *out = solver;
  return SS_OK;

fail:
  ipopt_free (solver);
  return status;
}

/* ---- solving ----------------------------------------------------------------------------------------------------- */

/* c_E = 0, c_I >= 0, products >= -sigma. */
static void
set_row_bounds (Solver *solver)
{
  int n_equalities = ss_mpcc_n_equalities (solver->mpcc);
  double sigma = solver->stage != NULL                                 ? solver->stage->sigma
                 : solver->options.complementarity == PRODUCTS_RELAXED ? solver->options.relaxation
                                                                       : 0;

  for (int r = 0; r < solver->n_rows; r++) {
    solver->row_lower[solver->row_map[r]] = solver->is_product[r] ? -sigma : 0;
    solver->row_upper[solver->row_map[r]] = r < n_equalities ? 0 : no_bound;
  }
}

/* Options that are at Ipopt's own default are set all the same: the defaults of another build may differ. */
static bool
set_options (const Solver *solver, IpoptProblem problem)
{
  const Options *o = &solver->options;
  const SsIpoptStage *stage = solver->stage;
  bool is_warm = (stage != NULL ? stage->warm_start : o->warm_start) && solver->has_multipliers, ok = true;

  ok = ok && AddIpoptStrOption (problem, "option_file_name", "");
  ok = ok && AddIpoptStrOption (problem, "sb", "yes");
  ok = ok && AddIpoptIntOption (problem, "print_level", o->print_level);
  ok = ok && AddIpoptStrOption (problem, "linear_solver", "mumps");
  ok = ok && AddIpoptNumOption (problem, "tol", stage != NULL ? stage->tol : o->tol);
  ok =
      ok && AddIpoptNumOption (problem, "constr_viol_tol", stage != NULL ? stage->constr_viol_tol : o->constr_viol_tol);
  ok = ok && AddIpoptIntOption (problem, "max_iter", stage != NULL ? stage->max_iter : o->max_iter);
  ok = ok && AddIpoptStrOption (problem, "mu_strategy", (char *)mu_strategies[o->mu_strategy]);
  ok = ok && AddIpoptStrOption (problem, "hessian_approximation", (char *)hessians[o->hessian]);
  ok = ok && AddIpoptNumOption (problem, "mu_init", stage != NULL ? stage->mu_init : o->mu_init);
  ok = ok && AddIpoptNumOption (problem, "bound_relax_factor", o->bound_relax);
  ok = ok && AddIpoptStrOption (problem, "nlp_scaling_method", (char *)scalings[o->scaling]);
  ok = ok && AddIpoptStrOption (problem, "derivative_test", (char *)derivative_tests[o->derivative_test]);
  /* Ipopt would test at a random point 10 away, where differences of a large objective drown in rounding. */
  ok = ok && AddIpoptNumOption (problem, "point_perturbation_radius", 0);
  if (is_warm) {
    ok = ok && AddIpoptStrOption (problem, "warm_start_init_point", "yes");
    ok = ok && AddIpoptNumOption (problem, "warm_start_bound_push", warm_push);
    ok = ok && AddIpoptNumOption (problem, "warm_start_bound_frac", warm_push);
    ok = ok && AddIpoptNumOption (problem, "warm_start_slack_bound_push", warm_push);
    ok = ok && AddIpoptNumOption (problem, "warm_start_slack_bound_frac", warm_push);
    ok = ok && AddIpoptNumOption (problem, "warm_start_mult_bound_push", warm_push);
  }
  return ok;
}

/* Ipopt's return codes: name, outcome of ours, account. */
typedef struct {
  int code;
  SsOutcome outcome;
  const char *text;
} Ending;

static const Ending endings[] = {
    {Solve_Succeeded, SS_OUTCOME_SOLVED, "optimal solution found"},
    {Solved_To_Acceptable_Level, SS_OUTCOME_SOLVED, "solved to acceptable level"},
    {Feasible_Point_Found, SS_OUTCOME_SOLVED, "feasible point of a square problem found"},
    {Infeasible_Problem_Detected, SS_OUTCOME_INFEASIBLE, "converged to a point of local infeasibility"},
    {Search_Direction_Becomes_Too_Small, SS_OUTCOME_STALLED, "search direction became too small"},
    {Diverging_Iterates, SS_OUTCOME_DIVERGED, "iterates diverge"},
    {Maximum_Iterations_Exceeded, SS_OUTCOME_MAX_ITERATIONS, "iteration limit reached"},
    {Restoration_Failed, SS_OUTCOME_STALLED, "restoration phase failed"},
    {Error_In_Step_Computation, SS_OUTCOME_STALLED, "no step could be computed"},
    {Maximum_CpuTime_Exceeded, SS_OUTCOME_TIME_LIMIT, "CPU time limit reached"},
    {Not_Enough_Degrees_Of_Freedom, SS_OUTCOME_FAILED, "more equality rows than variables"},
    {Invalid_Problem_Definition, SS_OUTCOME_FAILED, "invalid problem definition"},
    {Invalid_Option, SS_OUTCOME_FAILED, "invalid option"},
    {Invalid_Number_Detected, SS_OUTCOME_DIVERGED, "a function or derivative is not finite"},
};

static void
describe_ending (const Solver *solver, int code, SsNlpResult *result)
{
  const char *text = "stopped by an internal error";

  result->outcome = SS_OUTCOME_FAILED;
  for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++)
    if (endings[i].code == code) {
      result->outcome = endings[i].outcome;
      text = endings[i].text;
    }
  if (code == User_Requested_Stop && solver->is_stopped) {
    result->outcome = solver->why;
    text = solver->why == SS_OUTCOME_TIME_LIMIT ? "time limit reached" : "cancelled";
  }
  snprintf (result->message, sizeof result->message, "Ipopt %s: %s (code %d) after %d iterations", IPOPT_VERSION, text,
            code, solver->iterations);
}

/* |gradient J - J_c' y| at the answer, by our own derivatives. */
static double
measure_stationarity (Solver *solver)
{
  const SsPattern *pattern = ss_mpcc_jacobian_pattern (solver->mpcc);

  for (int r = 0; r < solver->n_rows; r++) {
    solver->our_multipliers[r] = -solver->multipliers[solver->row_map[r]];
    solver->lambda[r] = -solver->our_multipliers[r];
  }
  ss_mpcc_gradient (solver->eval, solver->x, solver->gradient);
  ss_mpcc_jacobian (solver->eval, solver->x, solver->jacobian);
  ss_csr_multiply_transposed (pattern, solver->jacobian, solver->lambda, solver->gradient);
  return ss_norm_inf (solver->n, solver->gradient);
}

static SsStatus
lacks_memory (const Solver *solver, SsError *err)
{
  return ss_error_set (err, SS_ERR_MEMORY, "Ipopt %s and MUMPS after %d iterations", IPOPT_VERSION, solver->iterations);
}

/* x of a solve that was stopped from outside is the last published iterate, otherwise Ipopt's own answer. */
static SsStatus
run_ipopt (Solver *solver, IpoptProblem problem, const double *x0, SsNlpResult *result, SsError *err)
{
  double *x = solver->lower; /* free to use: Ipopt has copied the bounds */
  int code;

  copy_point (x, x0, solver->n);
  copy_point (solver->x, x0, solver->n);
  copy_point (solver->x_gradient, x0, solver->n);
  copy_point (solver->x_jacobian, x0, solver->n);
  code = IpoptSolve (problem, x, NULL, NULL, solver->multipliers, solver->no_multipliers_lower,
                     solver->no_multipliers_upper, solver);
  if (code != User_Requested_Stop)
    copy_point (solver->x, x, solver->n);
  for (int j = 0; j < solver->n; j++)
    solver->lower[j] = -no_bound;
  if (code == Insufficient_Memory)
    return lacks_memory (solver, err);
  solver->has_multipliers = code == Solve_Succeeded || code == Solved_To_Acceptable_Level;
  describe_ending (solver, code, result);
  return SS_OK;
}

/* Where Ipopt writes its errors; NULL when that cannot be had, and then its return code alone counts. */
static FILE *
collect_complaints (IpoptProblem problem)
{
  enum { ERRORS_ONLY = 1 };
  FILE *file = tmpfile ();
  char path[40];

  if (file == NULL)
    return NULL;
  snprintf (path, sizeof path, "/proc/self/fd/%d", fileno (file));
  if (!OpenIpoptOutputFile (problem, path, ERRORS_ONLY)) {
    fclose (file);
    return NULL;
  }
  return file;
}

/* Whether they name lack of memory; closes the file. */
static bool
complains_of_memory (FILE *file)
{
  char text[4096];
  size_t n;

  if (file == NULL)
    return false;
  rewind (file);
  n = fread (text, 1, sizeof text - 1, file);
  fclose (file);
  text[n] = '\0';
  return strstr (text, "out of memory") != NULL;
}

static SsStatus
solve (Solver *solver, const double *x0, SsRunControl *control, SsNlpResult *result, SsError *err)
{
  IpoptProblem problem;
  double wall = ss_clock_wall (), cpu = ss_clock_thread_cpu ();
  SsStatus status = SS_ERR_INTERNAL;
  FILE *complaints = NULL;

  memset (result, 0, sizeof *result);
  solver->control = control;
  solver->iterations = solver->n_unmatched = 0;
  solver->derivative_seconds = solver->value_seconds = 0;
  solver->is_stopped = false;
  set_row_bounds (solver);
  problem = CreateIpoptProblem (solver->n, solver->lower, solver->upper, solver->m, solver->row_lower,
                                solver->row_upper, solver->n_jacobian, solver->n_hessian, 0, eval_objective, eval_rows,
                                eval_gradient, eval_jacobian, eval_hessian);
  if (problem == NULL)
    return ss_error_set (err, SS_ERR_INTERNAL, "Ipopt does not accept the problem");
  if (!set_options (solver, problem)) {
    ss_error_set (err, status, "Ipopt does not accept an option");
    goto done;
  }
  SetIntermediateCallback (problem, report_iteration);
  complaints = collect_complaints (problem);
  status = run_ipopt (solver, problem, x0, result, err);
  if (status != SS_OK)
    goto done;
  if (solver->n_unmatched > 0)
    ss_run_control_log (control, SS_LOG_DEBUG, "%d of %d iterates were published from another point than Ipopt's",
                        solver->n_unmatched, solver->iterations + 1);
  result->iterations = result->inner_iterations = solver->iterations;
  result->stationarity = measure_stationarity (solver);
  result->solve_seconds = ss_clock_wall () - wall;
  result->cpu_seconds = ss_clock_thread_cpu () - cpu;
  result->qp_seconds = NAN;
  result->derivative_seconds = solver->derivative_seconds;
  result->value_seconds = solver->value_seconds;
  result->x = solver->x;
  result->multipliers = solver->our_multipliers;

done:
  FreeIpoptProblem (problem);
  if (complains_of_memory (complaints) && status == SS_OK && !solver->is_stopped &&
      result->outcome != SS_OUTCOME_SOLVED)
    return lacks_memory (solver, err);
  return status;
}

static SsStatus
ipopt_solve (void *data, const double *x0, SsRunControl *control, SsNlpResult *result, SsError *err)
{
  Solver *solver = data;

  solver->stage = NULL;
  return solve (solver, x0, control, result, err);
}

SsStatus
ss_ipopt_solve_stage (void *data, const SsIpoptStage *stage, const double *x0, SsRunControl *control,
                      SsNlpResult *result, SsError *err)
{
  SS_ASSERT (data != NULL && stage != NULL && x0 != NULL && result != NULL);

  Solver *solver = data;
  SsStatus status;

  solver->stage = stage;
  status = solve (solver, x0, control, result, err);
  solver->stage = NULL;
  return status;
}

const SsNlpClass ss_nlp_ipopt = {
    .name = "ipopt",
    .label = "Ipopt",
    .summary = "Interior-point filter line-search method for general nonlinear programs, with MUMPS and exact second "
               "derivatives; takes the complementarity products as ordinary rows.",
    .version = IPOPT_VERSION,
    .options = &option_table,
    .new_ = ipopt_new,
    .solve = ipopt_solve,
    .free_ = ipopt_free,
};
