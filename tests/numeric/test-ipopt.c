/* tests/numeric/test-ipopt.c: the Ipopt solver and the homotopy on top of it: known answers, optimality recomputed from
 * its multipliers, Ipopt's own derivative test, push box, cancel, deadline, silence.
 *
 * Ipopt stops at tol = 1e-6; answers of the small problems are compared to 1e-4 because the multipliers of a
 * complementarity are not unique and convergence there is slow.
 */
#include "judge/ss-metrics.h"
#include "mpcc/ss-problem.h"
#include "nlp/ss-scholtes.h"
#include "core/ss-random.h"
#include "ss-test-letters.h"
#include "ss-test-scenario.h"

#include <stdlib.h>
#include <unistd.h>

static const double ipopt_error = 1e-4;

/* ---- a small problem --------------------------------------------------------------------------------------------- */

/* (x - 1)^2 + (y - 2)^2 with 0 <= x _|_ y >= 0 and z = x + y: two local minima, (0, 2) with 1 and (1, 0) with 4. */
static SsMpcc *
build_small (void)
{
  SsGraph *g = NULL;
  SsMpccBuilder *builder = NULL;
  SsMpcc *mpcc = NULL;
  SsError err;
  int gather[] = {0, 1, 2}, rows_equality[] = {0}, rows[] = {0, 1, 2};
  SsExpr in[3], cost, sum, pair[3];

  SS_CHECK (ss_graph_new (&g, &err) == SS_OK);
  SS_CHECK (ss_mpcc_builder_new (g, 3, 0, &builder, &err) == SS_OK);
  for (int i = 0; i < 3; i++)
    in[i] = ss_graph_input (g, i);
  cost = ss_graph_constant (g, 0);
  for (int i = 0; i < 2; i++) {
    SsExpr d = ss_graph_binary (g, SS_OP_SUB, in[i], ss_graph_constant (g, i + 1));

    cost = ss_graph_binary (g, SS_OP_ADD, cost, ss_graph_binary (g, SS_OP_MUL, d, d));
  }
  sum = ss_graph_binary (g, SS_OP_SUB, in[2], ss_graph_binary (g, SS_OP_ADD, in[0], in[1]));
  pair[0] = in[0];
  pair[1] = in[1];
  pair[2] = ss_graph_unary (g, SS_OP_NEG, ss_graph_binary (g, SS_OP_MUL, in[0], in[1]));
  SsMpccTemplate t = {.name = "small", .n_inputs = 3, .n_formulas = 1, .formulas = &cost};
  SS_CHECK (ss_mpcc_builder_add_cost (builder, &t, 1, gather, &err) == SS_OK);
  t.formulas = &sum;
  SS_CHECK (ss_mpcc_builder_add_rows (builder, SS_ROW_EQUALITY, &t, 1, gather, rows_equality, &err) == SS_OK);
  t.formulas = pair;
  t.n_formulas = 3;
  SS_CHECK (ss_mpcc_builder_add_rows (builder, SS_ROW_INEQUALITY, &t, 1, gather, rows, &err) == SS_OK);
  SS_CHECK (ss_mpcc_builder_add_pair (builder, 2, 0, 1, &err) == SS_OK);
  SS_CHECK (ss_mpcc_build (builder, &mpcc, &err) == SS_OK);
  ss_mpcc_builder_free (builder);
  ss_graph_free (g);
  return mpcc;
}

/* "name=value name=value" */
static void *
make_options (const char *text)
{
  const SsOptionTable *table = ss_nlp_ipopt.options;
  void *options = calloc (1, table->size);
  char copy[256], *rest = NULL;
  SsError err;

  ss_options_init (table, options);
  snprintf (copy, sizeof copy, "%s", text);
  for (char *word = strtok_r (copy, " ", &rest); word != NULL; word = strtok_r (NULL, " ", &rest)) {
    char *value = strchr (word, '=');

    *value++ = '\0';
    SS_CHECK (ss_options_set (table, options, word, value, &err) == SS_OK);
  }
  return options;
}

static void *
new_solver (const SsMpcc *mpcc, const char *option_text)
{
  void *options = make_options (option_text), *solver = NULL;
  SsError err;

  SS_CHECK (ss_nlp_ipopt.new_ (mpcc, options, &solver, &err) == SS_OK);
  free (options);
  return solver;
}

static void
test_small (void)
{
  /* From the side of (0, 2): the answer; relaxed by sigma the pair may reach x y = sigma. */
  static const char *const forms[] = {"", "complementarity=sum", "mu_strategy=adaptive", "hessian=limited-memory",
                                      "scaling=none"};
  SsMpcc *mpcc = build_small ();

  for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
    void *solver = new_solver (mpcc, forms[i]);
    double x0[] = {0.1, 1.5, 0};
    SsNlpResult result;
    SsError err;

    SS_CHECK (ss_nlp_ipopt.solve (solver, x0, NULL, &result, &err) == SS_OK);
    SS_CHECK (result.outcome == SS_OUTCOME_SOLVED);
    SS_CHECK_NEAR (result.x[0], 0, ipopt_error);
    SS_CHECK_NEAR (result.x[1], 2, ipopt_error);
    SS_CHECK_NEAR (result.x[2], 2, ipopt_error);
    SS_CHECK (x0[0] == 0.1 && x0[2] == 0);
    SS_CHECK_CONTAINS (result.message, "3.11");
    ss_nlp_ipopt.free_ (solver);
  }
  ss_mpcc_free (mpcc);
}

/* Two pairs whose products cannot vanish, a, b, c >= 1 and d >= 2: slacks end at 1 and 2. A solver that is asked again
 * begins as it did at first: nothing of its answer is left, in no form. */
static void
test_again (void)
{
  static const char *const forms[] = {"products",       "sum",        "relaxed", "equal", "elastic",
                                      "elastic-capped", "elastic-l1", "penalty"};
  static const char *const rows[] = {"a", "b", "-a*b", "c", "d", "-c*d", "a - 1", "b - 1", "c - 1", "d - 2", NULL};
  static const int pairs[][3] = {{2, 0, 1}, {5, 3, 4}};
  static const double x0[] = {0.5, 0.5, 0.6, 0.4};
  SsMpcc *mpcc = ss_test_build_letters (4, "a + b^2 + c + d^2", NULL, rows, 2, pairs);

  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
    char text[64];
    SsNlpResult result;
    SsError err;
    double first[4] = {0};
    int iterations = 0;

    snprintf (text, sizeof text, "complementarity=%s max_iter=40", forms[i]);
    void *solver = new_solver (mpcc, text);
    for (int k = 0; k < 2; k++) {
      SS_CHECK (ss_nlp_ipopt.solve (solver, x0, NULL, &result, &err) == SS_OK);
      SS_CHECK (k == 0 || (result.iterations == iterations && memcmp (first, result.x, sizeof first) == 0));
      memcpy (first, result.x, sizeof first);
      iterations = result.iterations;
    }
    if (strcmp (forms[i], "elastic") == 0 || strcmp (forms[i], "elastic-l1") == 0) {
      SS_CHECK (result.outcome == SS_OUTCOME_SOLVED || result.outcome == SS_OUTCOME_INFEASIBLE);
      SS_CHECK_NEAR (result.x[0], 1, ipopt_error);
      SS_CHECK_NEAR (result.x[3], 2, ipopt_error);
    }
    ss_nlp_ipopt.free_ (solver);
  }
  ss_mpcc_free (mpcc);
}

/* Relaxed: at the answer x y = sigma = 0.25, and by symmetry of Lagrange's condition (x - 1)/y = (y - 2)/x. */
static void
test_relaxed (void)
{
  SsMpcc *mpcc = build_small ();
  void *solver = new_solver (mpcc, "complementarity=relaxed relaxation=0.25");
  double x0[] = {0.1, 1.5, 0};
  SsNlpResult result;
  SsError err;

  SS_CHECK (ss_nlp_ipopt.solve (solver, x0, NULL, &result, &err) == SS_OK);
  SS_CHECK (result.outcome == SS_OUTCOME_SOLVED);
  SS_CHECK_NEAR (result.x[0] * result.x[1], 0.25, 1e-6);
  SS_CHECK_NEAR ((result.x[0] - 1) * result.x[0], (result.x[1] - 2) * result.x[1], 1e-5);
  /* A second solve from the answer with its multipliers takes next to nothing. */
  ss_nlp_ipopt.free_ (solver);
  solver = new_solver (mpcc, "complementarity=relaxed relaxation=0.25 warm_start=on mu_init=1e-7");
  SS_CHECK (ss_nlp_ipopt.solve (solver, x0, NULL, &result, &err) == SS_OK);
  {
    double again[3];
    int first = result.iterations;

    memcpy (again, result.x, sizeof again);
    SS_CHECK (ss_nlp_ipopt.solve (solver, again, NULL, &result, &err) == SS_OK);
    SS_CHECK (result.outcome == SS_OUTCOME_SOLVED);
    SS_CHECK (result.iterations <= 5 && result.iterations < first);
    SS_CHECK_NEAR (result.x[0], again[0], 1e-5);
  }
  ss_nlp_ipopt.free_ (solver);
  ss_mpcc_free (mpcc);
}

/* ---- equalities that depend on each other ------------------------------------------------------------------------ */

enum { VARIABLES = 5, ROWS_MOST = 8 };

/* |x - a|^2 over A x = b with more rows than independent ones, and fixed variables beside: the start is a solution of
 * the rows. */
static SsMpcc *
build_dependent (int n_rows, int n_fixed, double A[ROWS_MOST][VARIABLES], const double *b, const double *a)
{
  SsGraph *g = NULL;
  SsMpccBuilder *builder = NULL;
  SsMpcc *mpcc = NULL;
  SsError err;
  SsExpr in[VARIABLES + 2], cost, rows[ROWS_MOST], fixed[4];
  int gather[VARIABLES + 2], targets[ROWS_MOST];

  SS_CHECK (ss_graph_new (&g, &err) == SS_OK);
  SS_CHECK (ss_mpcc_builder_new (g, VARIABLES + 2, 0, &builder, &err) == SS_OK);
  for (int i = 0; i < VARIABLES + 2; i++) {
    in[i] = ss_graph_input (g, i);
    gather[i] = i;
  }
  cost = ss_graph_constant (g, 0);
  for (int i = 0; i < VARIABLES + 2; i++) {
    SsExpr d = ss_graph_binary (g, SS_OP_SUB, in[i], ss_graph_constant (g, i < VARIABLES ? a[i] : 0));
    cost = ss_graph_binary (g, SS_OP_ADD, cost, ss_graph_binary (g, SS_OP_MUL, d, d));
  }
  for (int r = 0; r < n_rows; r++) {
    rows[r] = ss_graph_constant (g, -b[r]);
    for (int i = 0; i < VARIABLES; i++)
      rows[r] = ss_graph_binary (g, SS_OP_ADD, rows[r],
                                 ss_graph_binary (g, SS_OP_MUL, ss_graph_constant (g, A[r][i]), in[i]));
    targets[r] = r;
  }
  SsMpccTemplate t = {.name = "dependent", .n_inputs = VARIABLES + 2, .n_formulas = 1, .formulas = &cost};
  SS_CHECK (ss_mpcc_builder_add_cost (builder, &t, 1, gather, &err) == SS_OK);
  t.formulas = rows;
  t.n_formulas = n_rows;
  SS_CHECK (ss_mpcc_builder_add_rows (builder, SS_ROW_EQUALITY, &t, 1, gather, targets, &err) == SS_OK);
  for (int i = 0; i < 2 * n_fixed; i++) { /* x - 3 >= 0 and 3 - x >= 0 */
    const SsExpr three = ss_graph_constant (g, 3), x = in[VARIABLES + i / 2];
    fixed[i] = i % 2 == 0 ? ss_graph_binary (g, SS_OP_SUB, x, three) : ss_graph_binary (g, SS_OP_SUB, three, x);
  }
  t.formulas = fixed;
  t.n_formulas = 2 * n_fixed;
  if (n_fixed > 0)
    SS_CHECK (ss_mpcc_builder_add_rows (builder, SS_ROW_INEQUALITY, &t, 1, gather, targets, &err) == SS_OK);
  SS_CHECK (ss_mpcc_build (builder, &mpcc, &err) == SS_OK);
  ss_mpcc_builder_free (builder);
  ss_graph_free (g);
  return mpcc;
}

/* The nearest point to a that the independent rows allow, by Gram-Schmidt. */
static void
project_on_rows (int n_independent, double A[ROWS_MOST][VARIABLES], const double *b, const double *a, double *x)
{
  double q[VARIABLES][VARIABLES], reach[VARIABLES];

  memcpy (x, a, VARIABLES * sizeof *x);
  for (int r = 0; r < n_independent; r++) {
    memcpy (q[r], A[r], sizeof q[r]);
    reach[r] = b[r];
    for (int k = 0; k < r; k++) {
      const double part = ss_dot (VARIABLES, q[k], q[r]);
      ss_axpy (VARIABLES, -part, q[k], q[r]);
      reach[r] -= part * reach[k];
    }
    const double size = ss_norm_2 (VARIABLES, q[r]);
    for (int i = 0; i < VARIABLES; i++)
      q[r][i] /= size;
    reach[r] /= size;
  }
  for (int r = 0; r < n_independent; r++)
    ss_axpy (VARIABLES, reach[r] - ss_dot (VARIABLES, q[r], x), q[r], x);
}

/* As many equalities as variables, and more, of which 2 to 4 are independent. */
static void
test_dependent_equalities (void)
{
  static const char *const forms[] = {"", "bounds=exact", "mu_strategy=adaptive"};
  SsRandom random;

  ss_random_seed (&random, 31);
  for (int round = 0; round < 30; round++) {
    const int n_independent = 2 + round % 3, n_rows = VARIABLES + round % 4, n_fixed = round % 3;
    double A[ROWS_MOST][VARIABLES], b[ROWS_MOST], a[VARIABLES], truth[VARIABLES], x0[VARIABLES + 2] = {0};
    for (int i = 0; i < VARIABLES; i++) {
      a[i] = ss_random_between (&random, -3, 3);
      x0[i] = ss_random_between (&random, -3, 3);
    }
    for (int r = 0; r < n_rows; r++) {
      for (int i = 0; i < VARIABLES; i++)
        A[r][i] = r < n_independent ? ss_random_normal (&random) : 0;
      for (int k = 0; r >= n_independent && k < n_independent; k++)
        ss_axpy (VARIABLES, ss_random_normal (&random), A[k], A[r]);
      b[r] = ss_dot (VARIABLES, A[r], x0);
    }
    project_on_rows (n_independent, A, b, a, truth);
    SsMpcc *mpcc = build_dependent (n_rows, n_fixed, A, b, a);
    for (size_t f = 0; f < sizeof forms / sizeof *forms; f++) {
      void *solver = new_solver (mpcc, forms[f]);
      SsNlpResult result;
      SS_CHECK (ss_nlp_ipopt.solve (solver, x0, NULL, &result, NULL) == SS_OK);
      SS_CHECK (result.outcome == SS_OUTCOME_SOLVED);
      for (int i = 0; i < VARIABLES; i++)
        SS_CHECK_NEAR (result.x[i], truth[i], ipopt_error);
      for (int i = 0; i < n_fixed; i++)
        SS_CHECK_NEAR (result.x[VARIABLES + i], 3, ipopt_error);
      ss_nlp_ipopt.free_ (solver);
    }
    b[n_rows - 1] += 1; /* against the others */
    ss_mpcc_free (mpcc);
    mpcc = build_dependent (n_rows, n_fixed, A, b, a);
    void *solver = new_solver (mpcc, "");
    SsNlpResult result;
    SS_CHECK (ss_nlp_ipopt.solve (solver, x0, NULL, &result, NULL) == SS_OK);
    SS_CHECK (result.outcome == SS_OUTCOME_INFEASIBLE);
    ss_nlp_ipopt.free_ (solver);
    ss_mpcc_free (mpcc);
  }
}

/* ---- push box ---------------------------------------------------------------------------------------------------- */

typedef struct {
  SsScenario *scenario;
  SsMpcc *mpcc;
  SsMpccEval *eval;
  int n, n_rows;
  double *x;
} Box;

static void
open_box (Box *box, int n_points)
{
  SsError err;
  SsOverride points = {"N", n_points};

  memset (box, 0, sizeof *box);
  box->scenario = ss_test_read_file ("examples/crisp/push-box.stickslip.json", &points, 1);
  SS_CHECK (ss_problem_build (box->scenario, &box->mpcc, &err) == SS_OK);
  SS_CHECK (ss_mpcc_eval_new (box->mpcc, &box->eval, &err) == SS_OK);
  box->n = ss_mpcc_n_variables (box->mpcc);
  box->n_rows = ss_mpcc_n_rows (box->mpcc);
  box->x = calloc ((size_t)box->n, sizeof (double));
}

static void
close_box (Box *box)
{
  ss_mpcc_eval_free (box->eval);
  ss_mpcc_free (box->mpcc);
  ss_scenario_free (box->scenario);
  free (box->x);
}

/* What a listener saw. */
typedef struct {
  Box *box;
  int n_iterations, n_iterates, n_columns, cancel_at;
  double objective, violation, complementarity, worst_mismatch;
  char log[256];
  SsRunControl *control;
} Listener;

static double
column (const SsProgress *progress, const char *name)
{
  for (int c = 0; c < progress->n_columns; c++)
    if (strcmp (progress->columns[c].name, name) == 0)
      return progress->columns[c].value;
  return NAN;
}

static void
listen (void *user_data, const SsProgress *progress)
{
  Listener *listener = user_data;

  if (progress->kind == SS_PROGRESS_LOG)
    snprintf (listener->log, sizeof listener->log, "%s", progress->text);
  if (progress->kind == SS_PROGRESS_ITERATION) {
    SS_CHECK (progress->iteration == listener->n_iterations);
    SS_CHECK_STR (progress->columns[0].name, "objective");
    SS_CHECK_STR (progress->columns[1].name, "violation");
    SS_CHECK_STR (progress->columns[2].name, "complementarity");
    SS_CHECK (!isnan (column (progress, "mu")) && !isnan (column (progress, "inf_du")));
    listener->objective = progress->columns[0].value;
    listener->violation = progress->columns[1].value;
    listener->complementarity = progress->columns[2].value;
    listener->n_iterations++;
    if (progress->iteration == listener->cancel_at)
      ss_run_control_cancel (listener->control);
  }
  if (progress->kind == SS_PROGRESS_ITERATE) {
    SsMetrics metrics;
    SsError err;

    SS_CHECK (progress->n_values == listener->box->n);
    listener->n_iterates++;
    if (progress->iteration % 10 != 0)
      return;
    SS_CHECK (ss_metrics_compute (listener->box->scenario, progress->values, &metrics, &err) == SS_OK);
    listener->worst_mismatch =
        fmax (listener->worst_mismatch, fabs (metrics.objective - listener->objective) / (1 + metrics.objective));
    listener->worst_mismatch = fmax (listener->worst_mismatch, fabs (metrics.max_violation - listener->violation));
    listener->worst_mismatch =
        fmax (listener->worst_mismatch, fabs (metrics.complementarity - listener->complementarity));
  }
}

/* Sign and size of the multipliers by the definition: gradient J - J_c' y = 0, y_I >= 0, y_I c_I = 0. Ipopt scales rows
 * and cost and stops on a scaled criterion; 1e-3 is far below the multipliers (1 to 100) and above that scaling. */
static void
check_optimality (Box *box, const SsNlpResult *result)
{
  const SsPattern *pattern = ss_mpcc_jacobian_pattern (box->mpcc);
  double *gradient = calloc ((size_t)box->n, sizeof (double)), *c = calloc ((size_t)box->n_rows, sizeof (double));
  double *jacobian = calloc ((size_t)pattern->start[box->n_rows], sizeof (double)), worst = 0, sign = 0, product = 0;

  ss_mpcc_gradient (box->eval, result->x, gradient);
  ss_mpcc_rows (box->eval, result->x, c);
  ss_mpcc_jacobian (box->eval, result->x, jacobian);
  for (int r = 0; r < box->n_rows; r++) {
    for (int e = pattern->start[r]; e < pattern->start[r + 1]; e++)
      gradient[pattern->index[e]] -= result->multipliers[r] * jacobian[e];
    if (r < ss_mpcc_n_equalities (box->mpcc))
      continue;
    sign = fmin (sign, result->multipliers[r]);
    product = fmax (product, fabs (result->multipliers[r] * c[r]));
  }
  for (int j = 0; j < box->n; j++)
    worst = fmax (worst, fabs (gradient[j]));
  printf ("stationarity %.2g (reported %.2g), least multiplier %.2g, largest |y c| %.2g\n", worst, result->stationarity,
          sign, product);
  SS_CHECK_NEAR (worst, 0, 1e-3);
  SS_CHECK_NEAR (result->stationarity, worst, 1e-9 * (1 + worst));
  SS_CHECK (sign > -1e-6);
  SS_CHECK_NEAR (product, 0, 1e-3);
  free (gradient);
  free (c);
  free (jacobian);
}

static void
test_push_box (void)
{
  Box box;
  SsRunControl control;
  Listener listener = {.box = &box, .cancel_at = -1};
  SsNlpResult result;
  SsMetrics metrics;
  SsError err;
  void *solver;

  open_box (&box, 100);
  solver = new_solver (box.mpcc, "");
  ss_run_control_init (&control);
  control.progress = listen;
  control.user_data = &listener;
  SS_CHECK (ss_nlp_ipopt.solve (solver, box.x, &control, &result, &err) == SS_OK);
  SS_CHECK (result.outcome == SS_OUTCOME_SOLVED);
  SS_CHECK (ss_metrics_compute (box.scenario, result.x, &metrics, &err) == SS_OK);
  printf ("%s; %.3f s, objective %.6g, violation %.2g, tracking %.2g, unmatched: %s\n", result.message,
          result.solve_seconds, metrics.objective, metrics.max_violation, metrics.tracking_error,
          listener.log[0] ? listener.log : "none");
  SS_CHECK (metrics.max_violation < 1e-6);
  SS_CHECK (metrics.success_paper);
  SS_CHECK_STR (listener.log, "");
  SS_CHECK (listener.n_iterations == result.iterations + 1);
  SS_CHECK (listener.n_iterates == listener.n_iterations);
  /* Rounding only: tapes and metrics add in a different order. */
  SS_CHECK_NEAR (listener.worst_mismatch, 0, 1e-10);
  check_optimality (&box, &result);
  /* Nearly all of the time goes there; both clocks tick in ms at worst. */
  SS_CHECK (result.linear_seconds > 0.5 * result.cpu_seconds && result.linear_seconds <= result.cpu_seconds + 0.02);
  ss_nlp_ipopt.free_ (solver);
  close_box (&box);
}

static void
test_cancel_and_deadline (void)
{
  Box box;
  SsRunControl control;
  Listener listener = {.box = &box, .cancel_at = 7, .control = &control};
  SsNlpResult result;
  SsError err;
  SsMetrics metrics;
  void *solver;
  double started;

  open_box (&box, 100);
  solver = new_solver (box.mpcc, "");
  ss_run_control_init (&control);
  control.progress = listen;
  control.user_data = &listener;
  SS_CHECK (ss_nlp_ipopt.solve (solver, box.x, &control, &result, &err) == SS_OK);
  SS_CHECK (result.outcome == SS_OUTCOME_CANCELLED);
  SS_CHECK (result.iterations == 7);
  /* The answer is the last published iterate. */
  SS_CHECK (ss_metrics_compute (box.scenario, result.x, &metrics, &err) == SS_OK);
  SS_CHECK_NEAR (metrics.objective, listener.objective, 1e-9 * (1 + listener.objective));

  ss_run_control_init (&control);
  started = ss_clock_thread_cpu ();
  control.deadline = ss_clock_wall () + 0.05;
  SS_CHECK (ss_nlp_ipopt.solve (solver, box.x, &control, &result, &err) == SS_OK);
  SS_CHECK (result.outcome == SS_OUTCOME_TIME_LIMIT);
  SS_CHECK (ss_clock_thread_cpu () - started < 2); /* one iteration late at most */
  ss_nlp_ipopt.free_ (solver);

  solver = new_solver (box.mpcc, "max_iter=3");
  SS_CHECK (ss_nlp_ipopt.solve (solver, box.x, NULL, &result, &err) == SS_OK);
  SS_CHECK (result.outcome == SS_OUTCOME_MAX_ITERATIONS && result.iterations == 3);
  ss_nlp_ipopt.free_ (solver);
  close_box (&box);
}

/* ---- homotopy ---------------------------------------------------------------------------------------------------- */

/* From the middle the homotopy finds the better of the two minima; every product ends below sigma_min. */
static void
test_homotopy_small (void)
{
  SsMpcc *mpcc = build_small ();
  double x0[] = {0.5, 0.5, 0};
  SsNlpResult result;
  SsError err;
  void *solver = NULL;

  SS_CHECK (ss_nlp_scholtes.new_ (mpcc, NULL, &solver, &err) == SS_OK);
  SS_CHECK (ss_nlp_scholtes.solve (solver, x0, NULL, &result, &err) == SS_OK);
  SS_CHECK (result.outcome == SS_OUTCOME_SOLVED);
  SS_CHECK (result.subproblems == 8); /* 1, 1e-1, ..., 1e-7 */
  SS_CHECK_NEAR (result.x[0], 0, ipopt_error);
  SS_CHECK_NEAR (result.x[1], 2, ipopt_error);
  SS_CHECK (result.x[0] * result.x[1] < 1.2e-7); /* sigma_min, and the tolerance of a row */
  ss_nlp_scholtes.free_ (solver);
  ss_mpcc_free (mpcc);
}

static void
test_homotopy_push_box (void)
{
  Box box;
  SsRunControl control;
  Listener listener = {.box = &box, .cancel_at = -1, .control = &control};
  SsNlpResult result;
  SsMetrics metrics;
  SsError err;
  void *solver = NULL;

  open_box (&box, 100);
  ss_run_control_init (&control);
  control.progress = listen;
  control.user_data = &listener;
  SS_CHECK (ss_nlp_scholtes.new_ (box.mpcc, NULL, &solver, &err) == SS_OK);
  SS_CHECK (ss_nlp_scholtes.solve (solver, box.x, &control, &result, &err) == SS_OK);
  SS_CHECK (result.outcome == SS_OUTCOME_SOLVED);
  SS_CHECK (ss_metrics_compute (box.scenario, result.x, &metrics, &err) == SS_OK);
  printf ("%s; %.3f s, objective %.6g, violation %.2g\n", result.message, result.solve_seconds, metrics.objective,
          metrics.max_violation);
  SS_CHECK (metrics.max_violation < 1e-6);
  SS_CHECK (metrics.success_paper);
  SS_CHECK (listener.n_iterations == result.inner_iterations + result.subproblems);
  SS_CHECK (result.linear_seconds > 0.5 * result.cpu_seconds); /* the sum over the members */
  SS_CHECK_NEAR (listener.worst_mismatch, 0, 1e-10);

  ss_run_control_init (&control);
  listener.n_iterations = 0;
  listener.cancel_at = 30;
  control.progress = listen;
  control.user_data = &listener;
  SS_CHECK (ss_nlp_scholtes.solve (solver, box.x, &control, &result, &err) == SS_OK);
  SS_CHECK (result.outcome == SS_OUTCOME_CANCELLED);
  SS_CHECK (listener.n_iterations == 31);
  ss_nlp_scholtes.free_ (solver);
  close_box (&box);
}

/* ---- output ------------------------------------------------------------------------------------------------------ */

/* Standard output of one solve, as text. */
static char *
capture_solve (Box *box, const char *option_text, const double *x0, SsNlpResult *result)
{
  enum { MAX_OUTPUT = 1 << 20 };
  char *text = calloc (MAX_OUTPUT, 1);
  FILE *file = tmpfile ();
  void *solver = new_solver (box->mpcc, option_text);
  int saved;
  SsError err;

  fflush (stdout);
  saved = dup (STDOUT_FILENO);
  dup2 (fileno (file), STDOUT_FILENO);
  SS_CHECK (ss_nlp_ipopt.solve (solver, x0, NULL, result, &err) == SS_OK);
  fflush (stdout);
  dup2 (saved, STDOUT_FILENO);
  close (saved);
  rewind (file);
  text[fread (text, 1, MAX_OUTPUT - 1, file)] = '\0';
  fclose (file);
  ss_nlp_ipopt.free_ (solver);
  return text;
}

/* Ipopt's checker evaluates one Hessian per row and one Jacobian per row and variable: the second order is tested on a
 * short horizon. Its forward differences with step 1e-8 lose 1e-8 times the objective: the last point lies near the
 * target (-1.5, -2.598, 4.189), where the objective is of order 1. */
static void
check_derivatives (int n_points, const char *option_text)
{
  Box box;
  SsNlpResult result;
  SsRandom random;
  char *text;

  open_box (&box, n_points);
  ss_random_seed (&random, 8);
  for (int j = 0; j < box.n; j++)
    box.x[j] = ss_random_between (&random, -1, 1);
  memcpy (box.x + box.n - 9, (const double[]){-1.4, -2.5, 4.2}, 3 * sizeof (double));
  text = capture_solve (&box, option_text, box.x, &result);
  SS_CHECK_CONTAINS (text, "No errors detected by derivative checker");
  free (text);
  close_box (&box);
}

static void
test_derivative_checker (void)
{
  check_derivatives (20, "derivative_test=first-order print_level=4 max_iter=0");
  check_derivatives (8, "derivative_test=second-order print_level=4 max_iter=0");
  check_derivatives (8, "derivative_test=second-order print_level=4 max_iter=0 complementarity=sum");
}

/* Silent by default, and deaf to an options file that happens to lie in the working directory. */
static void
test_silence (void)
{
  Box box;
  SsNlpResult result;
  char *text, directory[] = "/tmp/ss-test-ipopt-XXXXXX", previous[1024];
  FILE *file;

  open_box (&box, 100);
  SS_CHECK (getcwd (previous, sizeof previous) != NULL);
  SS_CHECK (mkdtemp (directory) != NULL && chdir (directory) == 0);
  file = fopen ("ipopt.opt", "w");
  fprintf (file, "max_iter 2\nprint_level 5\n");
  fclose (file);
  text = capture_solve (&box, "max_iter=5", box.x, &result);
  SS_CHECK_STR (text, "");
  SS_CHECK (result.iterations == 5);
  free (text);
  SS_CHECK (unlink ("ipopt.opt") == 0 && chdir (previous) == 0 && rmdir (directory) == 0);
  close_box (&box);
}

int
main (void)
{
  SS_RUN (test_small);
  SS_RUN (test_again);
  SS_RUN (test_relaxed);
  SS_RUN (test_dependent_equalities);
  SS_RUN (test_push_box);
  SS_RUN (test_cancel_and_deadline);
  SS_RUN (test_homotopy_small);
  SS_RUN (test_homotopy_push_box);
  SS_RUN (test_derivative_checker);
  SS_RUN (test_silence);
  return ss_test_finish ();
}
