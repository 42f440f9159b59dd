/* engine/nlp/ss-ipopt.c: Ipopt 3.11 through its C interface, with exact sparse Jacobian and Lagrangian Hessian.
 *
 * Rows of the MPCC are general rows, c_E = 0 and c_I >= 0; those that bound one variable are bounds x_L, x_U of Ipopt's
 * problem, with bounds=rows general rows too, as in the reference runs. Product rows, of -(a*b), with sigma > 0:
 *
 *   products        -(a*b) >= 0                      sum             -(sum a*b) >= 0
 *   relaxed         sigma - a*b >= 0                 equal           sigma - a*b = 0
 *   elastic         s - a*b >= 0, 0 <= s <= 10       elastic-capped  s - a*b >= 0, 0 <= s <= sigma
 *                   and J + s/sigma                                  and J + s/sigma
 *   elastic-l1      s_i - a*b >= 0, 0 <= s_i         penalty         no row, J + (sum a*b)/sigma
 *                   and J + (sum s_i)/sigma
 *
 * with one slack s for all products, or one for each: variables of Ipopt's problem behind ours.
 *
 * As many equalities as free variables make Ipopt look for a feasible point only, more make it refuse (code -10); its
 * option for dependent rows looks at the start alone, and errs where rows depend only there, or not yet. Spare
 * variables that nothing reads, as many as it takes, make it solve such problems as any other.
 *
 * Version 3.11 cannot be asked for its current iterate: the points of the last gradient and of the last Jacobian
 * evaluation are remembered, and the one whose objective is the reported one is taken. Before each intermediate call
 * Ipopt has evaluated its dual infeasibility, and with it both, at the accepted point; in a restoration phase only the
 * Jacobian is.
 *
 * Time limit and cancel are looked at in the intermediate call, once per iteration. A factorisation inside MUMPS cannot
 * be interrupted: the process that runs the solver has to answer a cancel meanwhile.
 * Lack of memory in MUMPS is told by Ipopt as a failed restoration phase: its own complaints are read, from a file
 * without a name. The time of its linear solver is read there, too; it does not tell that of restoration phases.
 * Threads   MUMPS (sequential build) keeps global state: at most one Ipopt solve at a time in a process.
 * Files     an ipopt.opt in the working directory is not read.
 */
#include "nlp/ss-ipopt.h"

#include "core/ss-work.h"
#include "nlp/ss-bounds.h"
#include "nlp/ss-finish.h"
#include "nlp/ss-ipopt-options.h"

#include <IpStdCInterface.h>
#include <IpoptConfig.h>

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- solver ------------------------------------------------------------------------------------------------------ */

typedef struct {
  const SsMpcc *mpcc;
  SsIpoptOptions options;
  SsMpccEval *eval;
  SsBounds bounds;
  SsFinish *finish; /* NULL: the option is off */
  int n, n_rows;    /* of ours */
  int n_all, m;     /* variables, slacks after ours, and rows of Ipopt's problem */
  int n_spare;      /* variables that nothing reads, after the slacks: this solve's, not in n_all */
  int n_jacobian, n_hessian;
  int *row_map;              /* our row -> Ipopt's row; -1: a bound, or a product in the objective */
  bool *is_product;          /* by our row */
  int *slack_of;             /* our row -> its slack's variable; -1: none */
  double *x, *multipliers;   /* answer, Ipopt's sign and rows; kept for warm starts */
  double *z_lower, *z_upper; /* n_all: multipliers of the variables' bounds, kept likewise */
  bool has_multipliers;
  double *x_all;                   /* n_all: Ipopt's start and answer */
  double *x_gradient, *x_jacobian; /* n_all: where these were evaluated last */
  double *lower, *upper;           /* n_all */
  double *row_lower, *row_upper;
  double *c, *lambda;          /* n_rows, scratch */
  double *gradient, *jacobian; /* scratch for the stationarity of the answer */
  double *our_multipliers;     /* n_rows, our sign */
  /* one solve */
  const SsIpoptStage *stage; /* NULL outside a homotopy */
  SsRunControl *control;
  int iterations, n_unmatched;
  double derivative_seconds, value_seconds;
  bool is_stopped, has_room;
  SsOutcome why;
  double mu;    /* barrier parameter of the last iterate */
  bool goes_on; /* x_all, multipliers and mu are those of a point where it was paused */
} Solver;

/* Ipopt takes bounds beyond 1e19 as absent. */
static const double no_bound = 2e19;

/* Relative agreement of the reported objective with ours at the remembered point: rounding of scaling and unscaling. */
static const double same_objective = 1e-9;

/* Bounds of a spare variable: it stays in the middle. */
static const double spare_lower = -1, spare_upper = 1;

/* Largest slack of the elastic form without a cap. */
static const double most_slack = 10;

/* Ipopt's own values for the slacks of rows, and the largest it takes for bound_frac. */
static const double slack_push = 1e-2, largest_bound_frac = 0.5;

/* Ipopt's own value for how far it raises the least pivot when a step is inaccurate. */
static const double largest_pivot = 0.1;

/* With a warm start the point is hardly pushed away from its bounds; Ipopt's cold value is 1e-2. */
static const double warm_push = 1e-9;

/* ---- callbacks --------------------------------------------------------------------------------------------------- */

static void
copy_point (double *to, const double *from, int n)
{
  if (n > 0)
    memcpy (to, from, (size_t)n * sizeof *to);
}

static bool
has_slack (const Solver *solver)
{
  return solver->options.complementarity == SS_IPOPT_PRODUCTS_ELASTIC ||
         solver->options.complementarity == SS_IPOPT_PRODUCTS_ELASTIC_CAPPED ||
         solver->options.complementarity == SS_IPOPT_PRODUCTS_ELASTIC_L1;
}

static bool
has_penalty (const Solver *solver)
{
  return solver->options.complementarity == SS_IPOPT_PRODUCTS_PENALTY;
}

/* Number of the relaxed, equal, elastic and penalty forms in this solve; 0 for the others. */
static double
sigma_of (const Solver *solver)
{
  static const double least_divisor = 1e-14; /* s/sigma and a*b/sigma must stay finite */
  double sigma = solver->stage != NULL ? solver->stage->sigma : solver->options.relaxation;

  if (solver->options.complementarity < SS_IPOPT_PRODUCTS_RELAXED)
    return 0;
  return has_slack (solver) || has_penalty (solver) ? fmax (sigma, least_divisor) : sigma;
}

/* What Ipopt minimises: our objective, with what slack or products cost. */
static double
full_objective (Solver *solver, const double *x)
{
  double value = ss_mpcc_objective (solver->eval, x), sum = 0;

  for (int j = solver->n; j < solver->n_all; j++)
    value += x[j] / sigma_of (solver);
  if (!has_penalty (solver))
    return value;
  ss_mpcc_rows (solver->eval, x, solver->c);
  for (int r = 0; r < solver->n_rows; r++)
    if (solver->is_product[r])
      sum -= solver->c[r];
  return value + sum / sigma_of (solver);
}

static Bool
eval_objective (Index n, Number *x, Bool new_x, Number *value, UserDataPtr data)
{
  Solver *solver = data;

  (void)n;
  (void)new_x;
  double start = ss_clock_thread_cpu ();
  *value = full_objective (solver, x);
  solver->value_seconds += ss_clock_thread_cpu () - start;
  return isfinite (*value) ? TRUE : FALSE;
}

/* Minus the gradients of the product rows, over sigma. */
static void
add_penalty_gradient (Solver *solver, const double *x, double *gradient)
{
  const SsPattern *pattern = ss_mpcc_jacobian_pattern (solver->mpcc);
  double factor = 1 / sigma_of (solver);

  ss_mpcc_jacobian (solver->eval, x, solver->jacobian);
  for (int r = 0; r < solver->n_rows; r++)
    for (int e = pattern->start[r]; e < pattern->start[r + 1] && solver->is_product[r]; e++)
      gradient[pattern->index[e]] -= factor * solver->jacobian[e];
}

static Bool
eval_gradient (Index n, Number *x, Bool new_x, Number *gradient, UserDataPtr data)
{
  Solver *solver = data;

  (void)new_x;
  double start = ss_clock_thread_cpu ();
  copy_point (solver->x_gradient, x, n);
  ss_mpcc_gradient (solver->eval, x, gradient);
  for (int j = solver->n; j < solver->n_all; j++)
    gradient[j] = 1 / sigma_of (solver);
  for (int j = solver->n_all; j < n; j++)
    gradient[j] = 0;
  if (has_penalty (solver))
    add_penalty_gradient (solver, x, gradient);
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
  if (m > 0)
    memset (g, 0, (size_t)m * sizeof *g);
  for (int r = 0; r < solver->n_rows; r++) {
    if (solver->row_map[r] >= 0)
      g[solver->row_map[r]] += solver->c[r] + (solver->slack_of[r] >= 0 ? x[solver->slack_of[r]] : 0);
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
  int next = 0;

  (void)new_x;
  (void)m;
  (void)n_entries;
  if (values != NULL) {
    double start = ss_clock_thread_cpu ();

    copy_point (solver->x_jacobian, x, n);
    ss_mpcc_jacobian (solver->eval, x, solver->jacobian);
    solver->derivative_seconds += ss_clock_thread_cpu () - start;
  }
  /* Our entries row by row, then the slack's; Ipopt adds up entries of one place, as lumped rows may have. */
  for (int r = 0; r < solver->n_rows; r++)
    for (int e = pattern->start[r]; e < pattern->start[r + 1] && solver->row_map[r] >= 0; e++, next++)
      if (values != NULL)
        values[next] = solver->jacobian[e];
      else {
        row[next] = solver->row_map[r];
        column[next] = pattern->index[e];
      }
  for (int r = 0; r < solver->n_rows; r++)
    if (solver->slack_of[r] >= 0) {
      if (values != NULL)
        values[next] = 1;
      else {
        row[next] = solver->row_map[r];
        column[next] = solver->slack_of[r];
      }
      next++;
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
    double penalty = has_penalty (solver) ? -factor / sigma_of (solver) : 0;

    for (int r = 0; r < solver->n_rows; r++)
      solver->lambda[r] = solver->row_map[r] >= 0 ? lambda[solver->row_map[r]] : solver->is_product[r] ? penalty : 0;
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
  double ours = full_objective (solver, x);

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

/* Counted work of an iteration (core/ss-work.h) for each entry of the derivatives: their factorisation by MUMPS, which
 * does not tell its operations. */
static const double ENTRY_UNIT = 1000;

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
  solver->mu = mu;
  solver->iterations = iteration;
  ss_work_add (ENTRY_UNIT * (solver->n_jacobian + solver->n_hessian + solver->n));
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
  ss_free (solver->slack_of);
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
  ss_free (solver->z_lower);
  ss_free (solver->z_upper);
  ss_free (solver->x_all);
  ss_bounds_clear (&solver->bounds);
  ss_finish_free (solver->finish);
  ss_free (solver);
}

/* Bounds and penalised products have no row. Products lumped: all of them go into one row after the others. */
static void
map_rows (Solver *solver)
{
  const SsPattern *pattern = ss_mpcc_jacobian_pattern (solver->mpcc);
  const SsMpccPair *pairs = ss_mpcc_pairs (solver->mpcc);
  int n_equalities = ss_mpcc_n_equalities (solver->mpcc);
  bool is_lumped = solver->options.complementarity == SS_IPOPT_PRODUCTS_SUM, has_products = false;

  for (int r = 0; r < solver->n_rows; r++)
    solver->slack_of[r] = -1;
  for (int p = 0; p < ss_mpcc_n_pairs (solver->mpcc); p++) {
    const int row = n_equalities + pairs[p].product_row;

    solver->is_product[row] = true;
    if (has_slack (solver))
      solver->slack_of[row] = solver->n + (solver->options.complementarity == SS_IPOPT_PRODUCTS_ELASTIC_L1 ? p : 0);
  }
  solver->m = solver->n_jacobian = 0;
  for (int r = 0; r < solver->n_rows; r++) {
    bool is_sum = is_lumped && solver->is_product[r];
    bool has_none = solver->bounds.is_taken[r] || (has_penalty (solver) && solver->is_product[r]);

    has_products = has_products || is_sum;
    solver->row_map[r] = is_sum || has_none ? -1 : solver->m++;
    solver->n_jacobian += has_none ? 0 : pattern->start[r + 1] - pattern->start[r];
    solver->n_jacobian += has_slack (solver) && solver->is_product[r];
  }
  for (int r = 0; r < solver->n_rows; r++)
    if (is_lumped && solver->is_product[r])
      solver->row_map[r] = solver->m;
  solver->m += has_products;
}

static SsStatus
ipopt_new (const SsMpcc *mpcc, const void *options, void **out, SsError *err)
{
  Solver *solver = ss_new (Solver);
  SsStatus status = SS_ERR_MEMORY;
  int n = ss_mpcc_n_variables (mpcc), n_rows = ss_mpcc_n_rows (mpcc), n_most;

  *out = NULL;
  if (solver == NULL)
    return ss_error_set (err, status, "out of memory");
  solver->mpcc = mpcc;
  ss_options_init (&ss_ipopt_option_table, &solver->options);
  if (options != NULL)
    solver->options = *(const SsIpoptOptions *)options;
  solver->n = n;
  solver->n_rows = n_rows;
  solver->n_all = n;
  if (has_slack (solver))
    solver->n_all += solver->options.complementarity == SS_IPOPT_PRODUCTS_ELASTIC_L1 ? ss_mpcc_n_pairs (mpcc) : 1;
  solver->n_hessian = ss_mpcc_lagrangian_hessian_pattern (mpcc)->start[n];
  solver->row_map = ss_new_array (int, n_rows);
  solver->is_product = ss_new_array (bool, n_rows);
  solver->slack_of = ss_new_array (int, n_rows);
  solver->x = ss_new_array (double, n);
  solver->multipliers = ss_new_array (double, n_rows);
  n_most = solver->n_all + n_rows + 1; /* with spare ones */
  solver->x_gradient = ss_new_array (double, n_most);
  solver->x_jacobian = ss_new_array (double, n_most);
  solver->lower = ss_new_array (double, n_most);
  solver->upper = ss_new_array (double, n_most);
  solver->row_lower = ss_new_array (double, n_rows);
  solver->row_upper = ss_new_array (double, n_rows);
  solver->c = ss_new_array (double, n_rows);
  solver->lambda = ss_new_array (double, n_rows);
  solver->gradient = ss_new_array (double, n);
  solver->jacobian = ss_new_array (double, ss_mpcc_jacobian_pattern (mpcc)->start[n_rows]);
  solver->our_multipliers = ss_new_array (double, n_rows);
  solver->z_lower = ss_new_array (double, n_most);
  solver->z_upper = ss_new_array (double, n_most);
  solver->x_all = ss_new_array (double, n_most);
  if (solver->row_map == NULL || solver->is_product == NULL || solver->slack_of == NULL || solver->x == NULL ||
      solver->multipliers == NULL || solver->x_gradient == NULL || solver->x_jacobian == NULL ||
      solver->lower == NULL || solver->upper == NULL || solver->row_lower == NULL || solver->row_upper == NULL ||
      solver->c == NULL || solver->lambda == NULL || solver->gradient == NULL || solver->jacobian == NULL ||
      solver->our_multipliers == NULL || solver->z_lower == NULL || solver->z_upper == NULL || solver->x_all == NULL) {
    ss_error_set (err, status, "out of memory");
    goto fail;
  }
  status = ss_mpcc_eval_new (mpcc, &solver->eval, err);
  if (status == SS_OK)
    status = ss_bounds_init (&solver->bounds, mpcc, (SsBoundsChoice)solver->options.bounds, err);
  if (status == SS_OK && solver->options.finish)
    status = ss_finish_new (mpcc, &solver->finish, err);
  if (status != SS_OK)
    goto fail;
  map_rows (solver);
  *out = solver;
  return SS_OK;

fail:
  ipopt_free (solver);
  return status;
}

/* ---- solving ----------------------------------------------------------------------------------------------------- */

/* Bounds of the variables, and of the rows: c_E = 0, c_I >= 0, products as the head of this file has them. */
static void
set_bounds (Solver *solver)
{
  int form = solver->options.complementarity, n_equalities = ss_mpcc_n_equalities (solver->mpcc);
  double sigma = sigma_of (solver),
         product_lower = form == SS_IPOPT_PRODUCTS_RELAXED || form == SS_IPOPT_PRODUCTS_EQUAL ? -sigma : 0;

  for (int j = 0; j < solver->n; j++) {
    solver->lower[j] = fmax (solver->bounds.lower[j], -no_bound);
    solver->upper[j] = fmin (solver->bounds.upper[j], no_bound);
  }
  for (int j = solver->n; j < solver->n_all; j++) {
    solver->lower[j] = 0;
    solver->upper[j] = form == SS_IPOPT_PRODUCTS_ELASTIC_CAPPED ? sigma
                       : form == SS_IPOPT_PRODUCTS_ELASTIC      ? most_slack
                                                                : no_bound;
  }
  for (int r = 0; r < solver->n_rows; r++) {
    bool is_equal = r < n_equalities || (form == SS_IPOPT_PRODUCTS_EQUAL && solver->is_product[r]);
    double low = solver->is_product[r] ? product_lower : 0;

    if (solver->row_map[r] < 0)
      continue;
    solver->row_lower[solver->row_map[r]] = low;
    solver->row_upper[solver->row_map[r]] = is_equal ? low : no_bound;
  }
}

/* With as many equalities as variables that are not fixed, Ipopt looks for a feasible point alone, whatever the
 * multipliers say of it; with more it refuses. But equalities may depend on each other, everywhere or at the answer.
 * Variables that nothing reads make it look at the objective, and cost nothing. */
static void
count_spare (Solver *solver)
{
  int n_free = 0, n_equal = 0;

  for (int j = 0; j < solver->n_all; j++)
    n_free += solver->lower[j] < solver->upper[j];
  for (int r = 0; r < solver->m; r++)
    n_equal += !(solver->row_lower[r] < solver->row_upper[r]);
  solver->n_spare = n_equal >= n_free ? n_equal - n_free + 1 : 0;
  for (int j = solver->n_all; j < solver->n_all + solver->n_spare; j++) {
    solver->lower[j] = spare_lower;
    solver->upper[j] = spare_upper;
    solver->x_all[j] = (spare_lower + spare_upper) / 2;
  }
}

/* Our start within the bounds, and slacks that its products just keep: the paper's start of 1 would forget how far the
 * members before have come. */
static void
set_start (Solver *solver, const double *x0)
{
  copy_point (solver->x_all, x0, solver->n);
  ss_bounds_project (&solver->bounds, solver->x_all);
  if (!has_slack (solver))
    return;
  ss_mpcc_rows (solver->eval, solver->x_all, solver->c);
  for (int j = solver->n; j < solver->n_all; j++)
    solver->x_all[j] = 0;
  for (int r = 0; r < solver->n_rows; r++)
    if (solver->slack_of[r] >= 0) {
      double *slack = &solver->x_all[solver->slack_of[r]];

      *slack = fmin (fmax (*slack, -solver->c[r]), solver->upper[solver->slack_of[r]]);
    }
}

/* Options that are at Ipopt's own default are set all the same: the defaults of another build may differ. */
static bool
set_options (const Solver *solver, IpoptProblem problem)
{
  const SsIpoptOptions *o = &solver->options;
  const SsIpoptStage *stage = solver->stage;
  bool is_warm = solver->goes_on || ((stage != NULL ? stage->warm_start : o->warm_start) && solver->has_multipliers),
       ok = true;
  const double mu = solver->goes_on ? solver->mu : stage != NULL ? stage->mu_init : o->mu_init;

  ok = ok && AddIpoptStrOption (problem, "option_file_name", "");
  ok = ok && AddIpoptStrOption (problem, "sb", "yes");
  ok = ok && AddIpoptIntOption (problem, "print_level", o->print_level);
  ok = ok && AddIpoptStrOption (problem, "print_timing_statistics", "yes"); /* for open_account */
  ok = ok && AddIpoptStrOption (problem, "linear_solver", "mumps");
  ok = ok && AddIpoptNumOption (problem, "mumps_pivtol", o->pivot);
  ok = ok && AddIpoptNumOption (problem, "mumps_pivtolmax", fmax (o->pivot, largest_pivot));
  if (!o->permutes)
    ok = ok && AddIpoptIntOption (problem, "mumps_permuting_scaling", 0);
  ok = ok && AddIpoptNumOption (problem, "tol", stage != NULL ? stage->tol : o->tol);
  ok =
      ok && AddIpoptNumOption (problem, "constr_viol_tol", stage != NULL ? stage->constr_viol_tol : o->constr_viol_tol);
  ok = ok && AddIpoptIntOption (problem, "max_iter", stage != NULL ? stage->max_iter : o->max_iter);
  ok = ok && AddIpoptStrOption (problem, "mu_strategy", (char *)ss_ipopt_mu_strategies[o->mu_strategy]);
  ok = ok && AddIpoptStrOption (problem, "hessian_approximation", (char *)ss_ipopt_hessians[o->hessian]);
  ok = ok && AddIpoptNumOption (problem, "mu_init", mu);
  ok = ok && AddIpoptNumOption (problem, "bound_relax_factor", o->bound_relax);
  ok = ok && AddIpoptNumOption (problem, "bound_push", o->bound_push);
  ok = ok && AddIpoptNumOption (problem, "bound_frac", fmin (o->bound_push, largest_bound_frac));
  ok = ok && AddIpoptNumOption (problem, "slack_bound_push", slack_push);
  ok = ok && AddIpoptNumOption (problem, "slack_bound_frac", slack_push);
  ok = ok && AddIpoptStrOption (problem, "nlp_scaling_method", (char *)ss_ipopt_scalings[o->scaling]);
  ok = ok && AddIpoptStrOption (problem, "derivative_test", (char *)ss_ipopt_derivative_tests[o->derivative_test]);
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

static void
describe_ending (const Solver *solver, int code, SsNlpResult *result)
{
  const char *text = ss_ipopt_ending (code, &result->outcome);

  if (code == User_Requested_Stop && solver->is_stopped) {
    result->outcome = solver->why;
    text = ss_outcome_early_words (solver->why);
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
    double of_penalty = has_penalty (solver) && solver->is_product[r] ? 1 / sigma_of (solver) : 0;

    solver->our_multipliers[r] = solver->row_map[r] >= 0 ? -solver->multipliers[solver->row_map[r]] : of_penalty;
  }
  ss_bounds_multipliers (&solver->bounds, solver->z_lower, solver->z_upper, solver->our_multipliers);
  for (int r = 0; r < solver->n_rows; r++)
    solver->lambda[r] = -solver->our_multipliers[r];
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
  int code;

  if (solver->goes_on)
    ss_bounds_project (&solver->bounds, solver->x_all);
  else
    set_start (solver, x0);
  solver->goes_on = false;
  copy_point (solver->x, solver->x_all, solver->n);
  copy_point (solver->x_gradient, solver->x_all, solver->n_all + solver->n_spare);
  copy_point (solver->x_jacobian, solver->x_all, solver->n_all + solver->n_spare);
  code = IpoptSolve (problem, solver->x_all, NULL, NULL, solver->multipliers, solver->z_lower, solver->z_upper, solver);
  if (code != User_Requested_Stop)
    copy_point (solver->x, solver->x_all, solver->n);
  if (code == Insufficient_Memory)
    return lacks_memory (solver, err);
  solver->has_multipliers = code == Solve_Succeeded || code == Solved_To_Acceptable_Level;
  describe_ending (solver, code, result);
  return SS_OK;
}

/* Where Ipopt writes its errors and, at the end, its times; NULL when that cannot be had, and then its return code
 * alone counts. */
static FILE *
open_account (IpoptProblem problem)
{
  enum { SUMMARY = 3 }; /* errors, strong warnings, summaries */
  FILE *file = tmpfile ();
  char path[40];

  if (file == NULL)
    return NULL;
  snprintf (path, sizeof path, "/proc/self/fd/%d", fileno (file));
  if (!OpenIpoptOutputFile (problem, path, SUMMARY)) {
    fclose (file);
    return NULL;
  }
  return file;
}

/* Whether it names lack of memory, and the CPU time of the linear systems (NAN: not told); closes the file. The line
 * read holds matrix, factorisation and solves: those of MUMPS' factorisation alone stay zero in version 3.11. */
static bool
read_account (FILE *file, double *linear_seconds)
{
  static const char linear_systems[] = "StdAugSystemSolverMultiSolve";
  char line[256];
  bool lacks = false;

  *linear_seconds = NAN;
  if (file == NULL)
    return false;
  rewind (file);
  while (fgets (line, sizeof line, file) != NULL) {
    const char *colon = strchr (line, ':');

    lacks = lacks || strstr (line, "out of memory") != NULL;
    if (colon != NULL && strncmp (line + strspn (line, " "), linear_systems, sizeof linear_systems - 1) == 0)
      *linear_seconds = strtod (colon + 1, NULL);
  }
  fclose (file);
  return lacks;
}

/* No point satisfies the bounds: the start is the answer. `message` says why. */
static void
report_crossing (Solver *solver, const double *x0, SsNlpResult *result)
{
  const int first = solver->stage != NULL ? solver->stage->first_iteration : 0;
  double violation, complementarity;

  measure (solver, x0, &violation, &complementarity);
  ss_run_control_emit_iteration (solver->control, first,
                                 (const SsColumn[]){{"objective", ss_mpcc_objective (solver->eval, x0)},
                                                    {"violation", violation},
                                                    {"complementarity", complementarity}},
                                 3);
  ss_run_control_emit_iterate (solver->control, first, x0, solver->n);
  copy_point (solver->x, x0, solver->n);
  memset (solver->our_multipliers, 0, (size_t)solver->n_rows * sizeof (double));
  result->outcome = SS_OUTCOME_INFEASIBLE;
  result->stationarity = result->qp_seconds = result->linear_seconds = NAN;
  result->x = solver->x;
  result->multipliers = solver->our_multipliers;
}

static SsStatus
solve (Solver *solver, const double *x0, SsRunControl *control, SsNlpResult *result, SsError *err)
{
  IpoptProblem problem;
  SsStatus status = SS_ERR_INTERNAL;
  FILE *account = NULL;
  double linear_seconds = NAN;

  memset (result, 0, sizeof *result);
  solver->control = control;
  solver->iterations = solver->n_unmatched = 0;
  solver->derivative_seconds = solver->value_seconds = 0;
  solver->is_stopped = false;
  solver->has_room = ss_bounds_update (&solver->bounds, result->message, sizeof result->message);
  if (!solver->has_room) {
    report_crossing (solver, x0, result);
    return SS_OK;
  }
  set_bounds (solver);
  count_spare (solver);
  problem = CreateIpoptProblem (solver->n_all + solver->n_spare, solver->lower, solver->upper, solver->m,
                                solver->row_lower, solver->row_upper, solver->n_jacobian, solver->n_hessian, 0,
                                eval_objective, eval_rows, eval_gradient, eval_jacobian, eval_hessian);
  if (problem == NULL)
    return ss_error_set (err, SS_ERR_INTERNAL, "Ipopt does not accept the problem");
  const double wall = ss_clock_wall (), cpu = ss_clock_thread_cpu (); /* the first call may have opened the library */
  if (!set_options (solver, problem)) {
    ss_error_set (err, status, "Ipopt does not accept an option");
    goto done;
  }
  SetIntermediateCallback (problem, report_iteration);
  account = open_account (problem);
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
  if (read_account (account, &linear_seconds) && status == SS_OK && !solver->is_stopped &&
      result->outcome != SS_OUTCOME_SOLVED)
    return lacks_memory (solver, err);
  if (status == SS_OK)
    result->linear_seconds = linear_seconds;
  return status;
}

static SsStatus
ipopt_solve (void *data, const double *x0, SsRunControl *control, SsNlpResult *result, SsError *err)
{
  Solver *solver = data;

  solver->stage = NULL;
  SsStatus status = solve (solver, x0, control, result, err);
  if (status == SS_OK && solver->finish != NULL)
    status = ss_finish_answer (solver->finish, control, result, err);
  return status;
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

/* Point, multipliers and barrier parameter. Filter and inertia of the matrices before are the library's own, and lost:
 * steps may differ from those of a run that was not paused. In a restoration phase Ipopt's own variables are those from
 * before it. */
static SsStatus
ipopt_keep (const void *data, SsNlpState *state, SsError *err)
{
  const Solver *solver = data;
  const int n = solver->n_all;
  double *to;

  state->iteration = solver->iterations;
  if (memcmp (solver->x, solver->x_all, (size_t)solver->n * sizeof (double)) != 0)
    return SS_OK;
  state->n_values = 3 * n + solver->m + 1;
  to = state->values = ss_new_array (double, state->n_values);
  if (to == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory for what Ipopt knows");
  copy_point (to, solver->x_all, n);
  copy_point (to + n, solver->z_lower, n);
  copy_point (to + 2 * n, solver->z_upper, n);
  copy_point (to + 3 * n, solver->multipliers, solver->m);
  to[3 * n + solver->m] = solver->mu;
  return SS_OK;
}

static bool
ipopt_go_on (void *data, const SsNlpState *state)
{
  Solver *solver = data;
  const int n = solver->n_all;
  const double *from = state->values;

  if (state->n_values != 3 * n + solver->m + 1)
    return false;
  copy_point (solver->x_all, from, n);
  copy_point (solver->z_lower, from + n, n);
  copy_point (solver->z_upper, from + 2 * n, n);
  copy_point (solver->multipliers, from + 3 * n, solver->m);
  solver->mu = from[3 * n + solver->m];
  solver->goes_on = true;
  return true;
}

double
ss_ipopt_complementarity (void *data, const double *x)
{
  double violation, complementarity;

  measure (data, x, &violation, &complementarity);
  return complementarity;
}

double
ss_ipopt_objective (void *data, const double *x)
{
  Solver *solver = data;

  return ss_mpcc_objective (solver->eval, x);
}

bool
ss_ipopt_has_room (const void *data)
{
  const Solver *solver = data;

  return solver->has_room;
}

const SsNlpClass ss_nlp_ipopt = {
    .name = "ipopt",
    .label = "Ipopt",
    .summary = "Interior-point filter line-search method for general nonlinear programs, with MUMPS and exact second "
               "derivatives; takes the complementarity products as ordinary rows.",
    .version = IPOPT_VERSION,
    .options = &ss_ipopt_option_table,
    .new_ = ipopt_new,
    .solve = ipopt_solve,
    .free_ = ipopt_free,
    .keep = ipopt_keep,
    .go_on = ipopt_go_on,
};
