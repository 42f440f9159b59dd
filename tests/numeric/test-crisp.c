/* tests/numeric/test-crisp.c: CRISP on problems with known answers and on the 18 push-box targets.
 *
 * Push box is judged by bands over all targets: the iteration is sensitive to rounding, one trajectory proves nothing,
 * and doing nothing is feasible, so success (the paper's criterion, recomputed by ss_metrics) is always asked for
 * together with the violation. */
#include "core/ss-random.h"
#include "judge/ss-metrics.h"
#include "mpcc/ss-problem.h"
#include "nlp/ss-crisp-private.h"
#include "nlp/ss-crisp.h"
#include "nlp/ss-nlp.h"
#include "ss-test-scenario.h"

#include <stdlib.h>
#include <string.h>

enum { N_TARGETS = 18, MAX_FORMULAS = 8 };

/* ---- helpers ----------------------------------------------------------------------------------------------------- */

/* Variables are called a, b, c, ... */
static SsStatus
resolve_letter (void *user_data, const char *name, size_t length, int shift, SsExpr *out, SsError *err)
{
  if (length != 1 || shift != 0 || name[0] < 'a' || name[0] > 'z')
    return ss_error_set (err, SS_ERR_INVALID, "unknown name");
  *out = ss_graph_input (user_data, name[0] - 'a');
  return SS_OK;
}

static SsExpr
formula (SsGraph *graph, const char *text)
{
  SsExpr out = SS_EXPR_NONE;
  SsError err;
  SS_CHECK (ss_expr_parse (graph, text, resolve_letter, graph, &out, &err) == SS_OK);
  return out;
}

/* One template per kind, over all variables. Lists end with NULL. */
static SsMpcc *
build (int n, const char *cost, const char *const *equalities, const char *const *inequalities)
{
  SsGraph *graph = NULL;
  SsMpccBuilder *builder = NULL;
  SsMpcc *mpcc = NULL;
  SsError err;
  int gather[26], rows[MAX_FORMULAS];
  for (int i = 0; i < 26; i++)
    gather[i] = i;
  for (int i = 0; i < MAX_FORMULAS; i++)
    rows[i] = i;
  SS_CHECK (ss_graph_new (&graph, &err) == SS_OK);
  SS_CHECK (ss_mpcc_builder_new (graph, n, 0, &builder, &err) == SS_OK);
  SsExpr e[MAX_FORMULAS];
  e[0] = formula (graph, cost);
  SsMpccTemplate t = {.name = "cost", .n_inputs = n, .n_formulas = 1, .formulas = e};
  SS_CHECK (ss_mpcc_builder_add_cost (builder, &t, 1, gather, &err) == SS_OK);
  const char *const *lists[] = {equalities, inequalities};
  for (int kind = 0; kind < 2; kind++) {
    int count = 0;
    for (; lists[kind] != NULL && lists[kind][count] != NULL; count++)
      e[count] = formula (graph, lists[kind][count]);
    t.n_formulas = count;
    t.name = "rows";
    if (count > 0)
      SS_CHECK (ss_mpcc_builder_add_rows (builder, kind == 0 ? SS_ROW_EQUALITY : SS_ROW_INEQUALITY, &t, 1, gather, rows,
                                          &err) == SS_OK);
  }
  SS_CHECK (ss_mpcc_build (builder, &mpcc, &err) == SS_OK);
  ss_mpcc_builder_free (builder);
  ss_graph_free (graph);
  return mpcc;
}

/* Options as text: NULL-terminated pairs of name and value. */
static void *
new_solver (const SsMpcc *mpcc, const char *const *options)
{
  const SsNlpClass *crisp = &ss_nlp_crisp;
  void *values = calloc (1, crisp->options->size), *solver = NULL;
  SsError err;
  ss_options_init (crisp->options, values);
  for (int i = 0; options != NULL && options[i] != NULL; i += 2)
    SS_CHECK (ss_options_set (crisp->options, values, options[i], options[i + 1], &err) == SS_OK);
  SS_CHECK (crisp->new_ (mpcc, values, &solver, &err) == SS_OK);
  free (values);
  return solver;
}

typedef struct {
  SsOutcome outcome;
  double x[26], stationarity;
  char message[256];
} Answer;

static Answer
solve_toy (SsMpcc *mpcc, const double *x0, const char *const *options)
{
  Answer answer = {.outcome = SS_OUTCOME_FAILED};
  SsNlpResult result;
  SsError err;
  void *solver = new_solver (mpcc, options);
  SS_CHECK (ss_nlp_crisp.solve (solver, x0, NULL, &result, &err) == SS_OK);
  answer.outcome = result.outcome;
  memcpy (answer.x, result.x, (size_t)ss_mpcc_n_variables (mpcc) * sizeof (double));
  memcpy (answer.message, result.message, sizeof answer.message);
  ss_nlp_crisp.free_ (solver);
  ss_mpcc_free (mpcc);
  return answer;
}

typedef struct {
  SsScenario *scenario;
  SsMpcc *mpcc;
  double *x0;
} Instance;

static Instance
open_instance (const char *name, const SsOverride *overrides, int n_overrides)
{
  Instance p = {NULL, NULL, NULL};
  SsError err;
  char file[128];
  snprintf (file, sizeof file, "examples/crisp/%s.stickslip.json", name);
  p.scenario = ss_test_read_file (file, overrides, n_overrides);
  SS_CHECK (ss_problem_build (p.scenario, &p.mpcc, &err) == SS_OK);
  double *parameters = calloc ((size_t)p.scenario->n_parameters + 1, sizeof (double));
  ss_problem_parameters (p.scenario, parameters);
  ss_mpcc_set_parameters (p.mpcc, parameters);
  p.x0 = calloc ((size_t)ss_mpcc_n_variables (p.mpcc), sizeof (double));
  SS_CHECK (ss_problem_guess (p.scenario, p.x0, &err) == SS_OK);
  free (parameters);
  return p;
}

static Instance
open_push_box (double j)
{
  return open_instance ("push-box", &(SsOverride){"j", j}, 1); /* its guess is all zero */
}

static void
close_instance (Instance *p)
{
  ss_mpcc_free (p->mpcc);
  ss_scenario_free (p->scenario);
  free (p->x0);
}

/* ---- known answers ----------------------------------------------------------------------------------------------- */

static const char *const CORNER[] = {"a", "b", "-(a*b)", NULL};

/* [004 (1a)-(1d)]: the minimum is the origin, where no constraint qualification holds. */
static void
test_corner_of_example_1 (void)
{
  const double starts[][2] = {{0, 0}, {1, 1}, {3, 0.2}, {-1, -2}, {0.1, 5}};
  for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++) {
    Answer r = solve_toy (build (2, "a^2 + b^2", NULL, CORNER), starts[i], NULL);
    SS_CHECK (r.outcome == SS_OUTCOME_SOLVED);
    SS_CHECK_NEAR (r.x[0], 0, 0.04); /* the stop test leaves at most 1e-3 of the merit floor 1 in a^2 + b^2 */
    SS_CHECK_NEAR (r.x[1], 0, 0.04);
  }
}

/* Two local minima: (1, 0) with cost 4 and (0, 2) with cost 1. */
static void
test_local_minimum_of_a_complementarity (void)
{
  const char *const sharp[] = {"tolerance-decrease", "1e-8", NULL};
  Answer r = solve_toy (build (2, "(a - 1)^2 + (b - 2)^2", NULL, CORNER), (double[]){0, 0}, sharp);
  SS_CHECK (r.outcome == SS_OUTCOME_SOLVED);
  double cost = (r.x[0] - 1) * (r.x[0] - 1) + (r.x[1] - 2) * (r.x[1] - 2);
  SS_CHECK (fabs (cost - 1) < 1e-3 || fabs (cost - 4) < 1e-3);
  SS_CHECK (fabs (r.x[0] * r.x[1]) < 1e-6);
}

/* Smooth and curved: nearest point of the unit circle to (2, 1), which is (2, 1)/sqrt(5). */
static void
test_curved_equality (void)
{
  const char *const circle[] = {"a^2 + b^2 - 1", NULL}, *const sharp[] = {"tolerance-decrease", "1e-9", NULL};
  Answer r = solve_toy (build (2, "(a - 2)^2 + (b - 1)^2", circle, NULL), (double[]){0.5, -0.5}, sharp);
  SS_CHECK (r.outcome == SS_OUTCOME_SOLVED);
  SS_CHECK_NEAR (r.x[0], 2 / sqrt (5), 1e-3); /* square root of the remaining predicted decrease, times the curvature */
  SS_CHECK_NEAR (r.x[1], 1 / sqrt (5), 1e-3);
  SS_CHECK_NEAR (r.x[0] * r.x[0] + r.x[1] * r.x[1], 1, 1e-7);
}

/* [004 Thm 8]. The certificate says of a point what is true of it: the nearest point of the circle is stationary; the
 * starting point, where a run of no length ends, is feasible but not stationary, and its promise is known: the QP min
 * (a - 2)^2 + (b - 1)^2 + 3 |2 a da + 2 b db| along the tangent from (1, 0) gives db = 1 and a decrease of 1. */
static void
test_certificate (void)
{
  const char *const circle[] = {"a^2 + b^2 - 1", NULL}, *const sharp[] = {"tolerance-decrease", "1e-6", NULL};
  const char *const none[] = {"max-iterations", "1", "radius0", "1e-9", "radius-max", "1e-9", NULL};
  const char *const cost = "(a - 2)^2 + (b - 1)^2";
  const double start[] = {1, 0};
  SsMpcc *mpcc = build (2, cost, circle, NULL);
  SsNlpResult r;
  SsError err;
  for (int i = 0; i < 2; i++) {
    void *solver = new_solver (mpcc, i == 0 ? sharp : none);
    SS_CHECK (ss_nlp_crisp.solve (solver, start, NULL, &r, &err) == SS_OK);
    const SsNlpCertificate *c = &r.certificate;
    SS_CHECK (c->is_computed && c->is_feasible);
    SS_CHECK (c->is_stationary == (i == 0));
    if (i == 0)
      SS_CHECK (c->promise_part <= 1e-6);
    else
      SS_CHECK_NEAR (c->promise, 1, 1e-3); /* the subproblem's gap */
    SS_CHECK_CONTAINS (c->text, i == 0 ? "; stationary point" : "; not a stationary point");
    /* At x = (2, 1)/sqrt 5 the gradient is 2 (1 - sqrt 5) x and the row's is 2 x: y = 1 - sqrt 5, to the accuracy
     * of x. */
    if (i == 0)
      SS_CHECK_NEAR (r.multipliers[0], 1 - sqrt (5), 1e-3);
    ss_nlp_crisp.free_ (solver);
  }
  ss_mpcc_free (mpcc);
}

/* What a run of no length leaves unmet, equalities and inequalities each by the worst of its own. */
static void
test_certificate_of_what_is_missed (void)
{
  const char *const equalities[] = {"a + b - 1", "a - b", NULL}, *const inequalities[] = {"a - 2", "b + 5", NULL};
  const char *const none[] = {"max-iterations", "1", "radius0", "1e-9", "radius-max", "1e-9", NULL};
  static const double starts[][2] = {{0.25, -0.5}, {1.5, -0.75}, {3, -9}, {0.5, 0.5}};
  SsMpcc *mpcc = build (2, "(a - 2)^2 + (b - 1)^2", equalities, inequalities);

  for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
    const double a = starts[i][0], b = starts[i][1];
    void *solver = new_solver (mpcc, none);
    SsNlpResult r;
    SsError err;
    SS_CHECK (ss_nlp_crisp.solve (solver, starts[i], NULL, &r, &err) == SS_OK);
    const SsNlpCertificate *c = &r.certificate;
    SS_CHECK (c->is_computed && !c->is_feasible);
    SS_CHECK_NEAR (c->violation_equality, fmax (fabs (a + b - 1), fabs (a - b)), 1e-8); /* the radius, a few times */
    SS_CHECK_NEAR (c->violation_inequality, fmax (0, fmax (2 - a, -5 - b)), 1e-8);
    ss_nlp_crisp.free_ (solver);
  }
  ss_mpcc_free (mpcc);
}

/* A long way down: what it has gathered does not hide the slope, neither from the loop nor from the certificate. */
static void
test_long_way_down (void)
{
  SsMpcc *mpcc = build (1, "1e-6*a^2 - a", NULL, NULL);
  const double start[] = {0};
  SsNlpResult r;
  SsError err;
  void *solver = new_solver (mpcc, NULL);
  SS_CHECK (ss_nlp_crisp.solve (solver, start, NULL, &r, &err) == SS_OK);
  /* solved: where a radius of 1, the certificate's, promises a thousandth of 1: slope 1e-3 is a = 5e5 (1 - 1e-3) */
  SS_CHECK (r.outcome == SS_OUTCOME_SOLVED ? fabs (r.x[0] - 5e5) <= 500 : r.outcome == SS_OUTCOME_MAX_ITERATIONS);
  SS_CHECK (!r.certificate.is_computed || r.certificate.is_stationary == (fabs (r.x[0] - 5e5) <= 500));
  ss_nlp_crisp.free_ (solver);
  ss_mpcc_free (mpcc);
}

/* Costs that are not convex: a saddle within bounds (2 x 2 block, clipped), and a concave parabola. */
static void
test_costs_that_are_not_convex (void)
{
  const char *const box[] = {"1 - a", "a + 1", "1 - b", "b + 1", NULL};
  Answer r = solve_toy (build (2, "a*b", NULL, box), (double[]){0.3, -0.2}, NULL);
  SS_CHECK (r.outcome == SS_OUTCOME_SOLVED);
  SS_CHECK_NEAR (r.x[0] * r.x[1], -1, 1e-2);
  r = solve_toy (build (2, "-a^2 + b^2", NULL, box), (double[]){0.3, -0.2}, NULL);
  SS_CHECK (r.outcome == SS_OUTCOME_SOLVED);
  SS_CHECK_NEAR (fabs (r.x[0]), 1, 1e-2);
}

/* -(a + b + ...)^2/2 has a block without zeros, of eigenvalues -n and 0. Up to 24 variables it is clipped, to nothing;
 * a larger one is made dominant, with n - 1 beside each diagonal entry, which that becomes. */
static void
test_largest_block (void)
{
  for (int n = 23; n <= 26; n++) {
    char cost[80] = "-(a", *at = cost + 3;
    for (int j = 1; j < n; j++)
      at += sprintf (at, "+%c", 'a' + j);
    strcpy (at, ")^2/2");
    SsMpcc *mpcc = build (n, cost, NULL, NULL);
    SsCrisp *s = new_solver (mpcc, NULL);
    double inside = 0, beside = 0;

    memset (s->now.x, 0, (size_t)n * sizeof *s->now.x);
    ss_crisp_differentiate (s, &s->now);
    for (int k = 0; k < s->hessian.start[n]; k++)
      beside += s->h_values[k];
    for (int j = 0; j < n; j++)
      inside += s->h_values[s->hessian_diagonal[j]];
    SS_CHECK (s->hessian.start[n] == n * (n + 1) / 2);
    SS_CHECK_NEAR (inside, n <= 24 ? 0 : n * (n - 1), 1e-12);
    SS_CHECK_NEAR (beside - inside, n <= 24 ? 0 : -n * (n - 1) / 2, 1e-12);
    ss_nlp_crisp.free_ (s);
    ss_mpcc_free (mpcc);
  }
}

/* A block with structural zeros is made convex by its diagonal alone: by as little as makes its rows dominant, which is
 * the sum of what stands beside it, wherever and however often derivatives are taken. */
static void
test_dominant_diagonal (void)
{
  SsMpcc *mpcc = build (3, "a*b + b*c^2", NULL, NULL);
  SsCrisp *s = new_solver (mpcc, NULL);

  for (int i = 0; i < 4; i++) {
    const double c = 0.5 * i - 0.7, b = 0.2 - 0.1 * i, x[] = {1, b, c};
    /* of b: 1 beside a, 2 c beside c; 2 b is on the diagonal of c */
    const double least[] = {1, 1 + fabs (2 * c), fmax (2 * b, fabs (2 * c))};

    memcpy (s->now.x, x, sizeof x);
    ss_crisp_differentiate (s, &s->now);
    for (int j = 0; j < 3; j++)
      SS_CHECK_NEAR (s->h_values[s->hessian_diagonal[j]], least[j], 1e-15);
  }
  ss_nlp_crisp.free_ (s);
  ss_mpcc_free (mpcc);
}

static void
test_contradiction_is_infeasible (void)
{
  const char *const rows[] = {"a - 1", "-a - 1", NULL};
  Answer r = solve_toy (build (1, "a^2", NULL, rows), (double[]){0}, NULL);
  SS_CHECK (r.outcome == SS_OUTCOME_INFEASIBLE);
  SS_CHECK_CONTAINS (r.message, "penalties maxed out");
}

static void
test_bad_start_fails (void)
{
  Answer r = solve_toy (build (1, "sqrt(a)", NULL, NULL), (double[]){-1}, NULL);
  SS_CHECK (r.outcome == SS_OUTCOME_FAILED);
  SS_CHECK_CONTAINS (r.message, "not finite");
}

/* Values that leave the domain during the run only reject steps. */
static void
test_domain_is_left_and_entered_again (void)
{
  Answer r = solve_toy (build (1, "(sqrt(a) - 3)^2 + a", NULL, NULL), (double[]){0.01},
                        (const char *const[]){"radius0", "5", NULL});
  SS_CHECK (r.outcome == SS_OUTCOME_SOLVED);
  SS_CHECK_NEAR (r.x[0], 2.25, 0.1); /* sqrt(a) = 1.5; flat there, and the stop test is relative */
}

/* ---- push box ---------------------------------------------------------------------------------------------------- */

static void
test_push_box_targets (void)
{
  int n_success = 0, n_iterations = 0, n_subproblems = 0, n_inner = 0;
  double cost = 0, worst = 0;
  for (int j = 0; j < N_TARGETS; j++) {
    Instance p = open_push_box (j);
    void *solver = new_solver (p.mpcc, NULL);
    SsNlpResult r;
    SsMetrics m;
    SsError err;
    SS_CHECK (ss_nlp_crisp.solve (solver, p.x0, NULL, &r, &err) == SS_OK);
    SS_CHECK (ss_metrics_compute (p.scenario, r.x, &m, &err) == SS_OK);
    bool success = r.outcome == SS_OUTCOME_SOLVED && m.success_paper && m.max_violation < 1e-6;
    if (!success)
      printf ("target %d: %s, objective %g, violation %g, tracking %g\n", j, ss_outcome_name (r.outcome), m.objective,
              m.max_violation, m.tracking_error);
    if (j == 12)
      SS_CHECK (success && m.objective <= 8.5); /* the authors' program reaches 6.93 */
    n_success += success;
    cost += success ? m.objective : 0;
    worst = fmax (worst, success ? m.max_violation : 0);
    n_iterations += r.iterations;
    n_subproblems += r.subproblems;
    n_inner += r.inner_iterations;
    ss_nlp_crisp.free_ (solver);
    close_instance (&p);
  }
  printf (
      "%d of %d, mean cost %.3f, iterations %.1f, subproblems %.1f, interior-point iterations %.1f, violation %.1e\n",
      n_success, N_TARGETS, cost / fmax (1, n_success), (double)n_iterations / N_TARGETS,
      (double)n_subproblems / N_TARGETS, (double)n_inner / fmax (1, n_subproblems), worst);
  SS_CHECK (n_success == N_TARGETS); /* of 144 other targets and horizons, 144 */
  /* Bands: on 72 shifted targets and under changed tolerances the mean cost stayed between 7.0 and 7.6 and the
   * iterations between 36 and 55. */
  SS_CHECK (cost / fmax (1, n_success) < 8.5);
  SS_CHECK (n_iterations < 70 * N_TARGETS);
  SS_CHECK (n_inner < 14 * n_subproblems);
}

/* The other five problems of the paper with the same defaults [004 Fig 7]. The authors' program and Ipopt reach 2.72,
 * 2.98, 1.5 to 10, 10.4 and 2.27 (reference/crisp-results.csv); the bounds are about three times that because the
 * answers are local, and far below what the guesses cost (80 to 25000). */
static void
test_other_problems_of_the_paper (void)
{
  const struct {
    const char *name;
    double cost;
  } cases[] = {{"cartpole", 8}, {"transport", 9}, {"push-t", 20}, {"hopper", 30}, {"waiter", 20}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i += ss_test_is_coarse () ? 2 : 1) {
    Instance p = open_instance (cases[i].name, NULL, 0);
    void *solver = new_solver (p.mpcc, NULL);
    SsNlpResult r;
    SsMetrics m;
    SsError err;
    SS_CHECK (ss_nlp_crisp.solve (solver, p.x0, NULL, &r, &err) == SS_OK);
    SS_CHECK (ss_metrics_compute (p.scenario, r.x, &m, &err) == SS_OK);
    printf ("%-10s %s, objective %.4f, violation %.1e, tracking %.1e, %d iterations, %d subproblems\n", cases[i].name,
            ss_outcome_name (r.outcome), m.objective, m.max_violation, m.tracking_error, r.iterations, r.subproblems);
    SS_CHECK (r.outcome == SS_OUTCOME_SOLVED);
    SS_CHECK (m.max_violation <= 1e-8); /* polish-to */
    SS_CHECK (m.objective < cases[i].cost);
    ss_nlp_crisp.free_ (solver);
    close_instance (&p);
  }
}

/* Push T towards a target at which the first run ends where the violation cannot fall (cos and sin of the angle
 * contradict each other). */
static void
test_restart_after_infeasible (void)
{
  const SsOverride task[] = {{"px0", 0},
                             {"py0", 0},
                             {"th0", 0},
                             {"xt", 0.3 * cos (22 * acos (-1) / 18)},
                             {"yt", 0.3 * sin (22 * acos (-1) / 18)},
                             {"tht", 22 * acos (-1) / 18}};
  const char *const never[] = {"restarts", "0", NULL};
  for (int restarts = ss_test_is_coarse () ? 1 : 0; restarts < 2; restarts++) {
    Instance p = open_instance ("push-t", task, 6);
    void *solver = new_solver (p.mpcc, restarts ? NULL : never);
    SsNlpResult r;
    SsError err;
    SS_CHECK (ss_nlp_crisp.solve (solver, p.x0, NULL, &r, &err) == SS_OK);
    if (restarts)
      SS_CHECK (r.outcome == SS_OUTCOME_SOLVED);
    else
      printf ("without restart: %s\n", ss_outcome_name (r.outcome));
    ss_nlp_crisp.free_ (solver);
    close_instance (&p);
  }
}

/* The published loop, its text taken literally, works on most targets with several times the iterations. */
static void
test_paper_preset (void)
{
  int n_success = 0, n = 0;
  for (int j = 0; j < N_TARGETS; j += ss_test_is_coarse () ? 6 : 3) {
    Instance p = open_push_box (j);
    void *solver = new_solver (p.mpcc, (const char *const[]){"preset", "paper", "max-iterations", "400", NULL});
    SsNlpResult r;
    SsMetrics m;
    SsError err;
    SS_CHECK (ss_nlp_crisp.solve (solver, p.x0, NULL, &r, &err) == SS_OK);
    SS_CHECK (ss_metrics_compute (p.scenario, r.x, &m, &err) == SS_OK);
    n_success += m.success_paper && m.max_violation < 1e-6;
    n++;
    ss_nlp_crisp.free_ (solver);
    close_instance (&p);
  }
  SS_CHECK (2 * n_success >= n); /* 17 of all 18 when measured with 1000 iterations */
}

/* ---- Algorithm 1 ------------------------------------------------------------------------------------------------- */

/* One variable: J = (a - 2)^2, c_E = 2 sin (5 a) + a/5, c_I = 1.5 - a^2. */
static double
cost_at (double a)
{
  return (a - 2) * (a - 2);
}

static void
rows_at (double a, double c[2], double slope[2])
{
  c[0] = 2 * sin (5 * a) + a / 5;
  c[1] = 1.5 - a * a;
  slope[0] = 10 * cos (5 * a) + 0.2;
  slope[1] = -2 * a;
}

static double
merit_at (double a, const double mu[2])
{
  double c[2], slope[2];
  rows_at (a, c, slope);
  return cost_at (a) + mu[0] * fabs (c[0]) + mu[1] * fmax (0, -c[1]);
}

/* q of a step p from a, with rows c + slope p. */
static double
model_at (double a, double p, const double mu[2], const double c[2], const double slope[2])
{
  return cost_at (a) + 2 * (a - 2) * p + p * p + mu[0] * fabs (c[0] + slope[0] * p) +
         mu[1] * fmax (0, -c[1] - slope[1] * p);
}

/* The least of it within the radius: it is convex, so that thirds narrow it down. */
static double
least_step (double a, double radius, const double mu[2], const double c[2], const double slope[2])
{
  double low = -radius, high = radius;
  for (int i = 0; i < 200; i++) {
    const double left = low + (high - low) / 3, right = high - (high - low) / 3;
    if (model_at (a, left, mu, c, slope) < model_at (a, right, mu, c, slope))
      high = right;
    else
      low = left;
  }
  return (low + high) / 2;
}

enum { LOOP_MAX = 60 };

typedef struct {
  SsRunControl control;
  int n;
  double x[LOOP_MAX + 1], merit[LOOP_MAX + 1], radius[LOOP_MAX + 1], mu_max[LOOP_MAX + 1], ratio[LOOP_MAX + 1];
  bool is_corrected[LOOP_MAX + 1], is_accepted[LOOP_MAX + 1];
} Loop;

static void
hear_loop (void *user_data, const SsProgress *progress)
{
  Loop *l = user_data;
  if (progress->iteration < 0 || progress->iteration > LOOP_MAX)
    return;
  if (progress->kind == SS_PROGRESS_ITERATE)
    l->x[progress->iteration] = progress->values[0];
  if (progress->kind != SS_PROGRESS_ITERATION)
    return;
  l->n = progress->iteration;
  for (int i = 0; i < progress->n_columns; i++) {
    const char *name = progress->columns[i].name;
    const double value = progress->columns[i].value;
    if (strcmp (name, "merit") == 0)
      l->merit[l->n] = value;
    else if (strcmp (name, "radius") == 0)
      l->radius[l->n] = value;
    else if (strcmp (name, "mu_max") == 0)
      l->mu_max[l->n] = value;
    else if (strcmp (name, "ratio") == 0)
      l->ratio[l->n] = value;
    else if (strcmp (name, "soc") == 0)
      l->is_corrected[l->n] = value != 0;
    else if (strcmp (name, "accepted") == 0)
      l->is_accepted[l->n] = value != 0;
  }
}

/* [004 (10) (11) (12a)-(12e) (13) (15) (18)-(19) Alg 1 Tab 1]: every iteration of preset=paper from where the last one
 * ended, against one that is worked out here. A subproblem is solved to 1e-8 of its value, so that its step is right to
 * 1e-4, and ratios to 1e-2; what hangs on a ratio near its bounds is not asked. */
static void
test_algorithm_1 (void)
{
  const double delta_max = 10, mu_most = 1e6, low = 0.25, high = 0.75, shrink = 0.25, expand = 2;
  const double eps_c = 1e-6, eps_p = 1e-3, eps_r = 1e-3; /* Table I */
  const char *const rows[] = {"2*sin(5*a) + a/5", NULL}, *const least[] = {"1.5 - a^2", NULL};
  SsRandom random;
  int n_corrected = 0, n_abandoned = 0, n_grown = 0, n_poor = 0, n_raised = 0;
  ss_random_seed (&random, 1);
  for (int s = 0; s < 60; s++) {
    static Loop l;
    const double start = ss_random_between (&random, -10, 10);
    SsMpcc *mpcc = build (1, "(a - 2)^2", rows, least);
    const double mu0 = s % 2 ? 0.2 : 10, delta0 = s % 3 ? 5 : 1;
    void *solver = new_solver (mpcc, (const char *const[]){"preset", "paper", "max-iterations", "50", "mu0",
                                                           s % 2 ? "0.2" : "10", "radius0", s % 3 ? "5" : "1", NULL});
    SsNlpResult r;
    SsError err;
    l = (Loop){.n = 0};
    ss_run_control_init (&l.control);
    l.control.progress = hear_loop;
    l.control.user_data = &l;
    SS_CHECK (ss_nlp_crisp.solve (solver, &start, &l.control, &r, &err) == SS_OK);
    double mu[2] = {mu0, mu0}, delta = delta0;
    SS_CHECK (l.n > 1 && l.x[0] == start);
    for (int k = 0; k < l.n; k++) {
      double a = l.x[k], c[2], slope[2], there[2], unused[2], corrected[2];
      SS_CHECK_NEAR (l.merit[k], merit_at (a, mu), 1e-9 * (1 + l.merit[k]));
      SS_CHECK_NEAR (l.radius[k + 1], delta, 1e-3 * delta);
      SS_CHECK_NEAR (l.mu_max[k], fmax (mu[0], mu[1]), 0);
      delta = l.radius[k + 1];
      rows_at (a, c, slope);
      double p = least_step (a, delta, mu, c, slope);
      double actual = merit_at (a, mu) - merit_at (a + p, mu);
      const double predicted = model_at (a, 0, mu, c, slope) - model_at (a, p, mu, c, slope);
      const bool is_clear = fabs (actual) > 1e-3 * fmax (predicted, 1e-3);
      if (is_clear)
        SS_CHECK (l.is_corrected[k + 1] == (actual < 0));
      if (!is_clear || predicted < 1e-4) { /* chance decides, or nearly nothing is left to do: taken from the run */
        const double step = l.x[k + 1] - a;
        p = l.is_accepted[k + 1] ? step : p;
      } else if (actual < 0) {
        rows_at (a + p, there, unused);
        for (int i = 0; i < 2; i++)
          corrected[i] = there[i] - slope[i] * p;
        p = least_step (a, delta, mu, corrected, slope);
        actual = merit_at (a, mu) - merit_at (a + p, mu);
        n_corrected++;
      }
      const double ratio = actual / (model_at (a, 0, mu, c, slope) - model_at (a, p, mu, c, slope));
      const bool is_known = is_clear && predicted >= 1e-4 && fabs (actual) > 1e-3 * fmax (predicted, 1e-3);
      if (is_known) {
        SS_CHECK (l.is_accepted[k + 1] == (actual >= 0));
        SS_CHECK_NEAR (l.ratio[k + 1], ratio, 1e-2 * (1 + fabs (ratio)));
        SS_CHECK_NEAR (l.x[k + 1], actual >= 0 ? a + p : a, 2e-3);
        n_abandoned += actual < 0;
      }
      if (!l.is_accepted[k + 1] || l.ratio[k + 1] < low)
        delta *= shrink;
      else if (l.ratio[k + 1] > high && fabs (p) > 0.95 * delta)
        delta = fmin (expand * delta, delta_max);
      n_grown += delta > l.radius[k + 1];
      n_poor += l.is_accepted[k + 1] && delta < l.radius[k + 1];
      if (delta < eps_r || fabs (p) < eps_p) {
        rows_at (l.x[k + 1], c, slope);
        const double violated[2] = {fabs (c[0]), -c[1]};
        for (int i = 0; i < 2 && !(k + 1 == l.n && r.outcome == SS_OUTCOME_SOLVED); i++)
          if (violated[i] >= eps_c) {
            mu[i] = fmin (10 * mu[i], mu_most);
            n_raised++;
          }
        const bool is_feasible = violated[0] < eps_c && violated[1] < eps_c;
        if (is_feasible || k + 1 == l.n)
          SS_CHECK ((k + 1 == l.n && r.outcome == SS_OUTCOME_SOLVED) == is_feasible);
      }
    }
    ss_nlp_crisp.free_ (solver);
    ss_mpcc_free (mpcc);
  }
  SS_CHECK (n_corrected > 0 && n_abandoned > 0 && n_grown > 0 && n_poor > 0 && n_raised > 0);
}

/* ---- contract ---------------------------------------------------------------------------------------------------- */

typedef struct {
  SsRunControl control;
  int n_iterations, n_iterates, last, cancel_at;
  double mu0, *x;
  char names[256];
} Listener;

static void
listen (void *user_data, const SsProgress *progress)
{
  Listener *l = user_data;
  if (progress->kind == SS_PROGRESS_ITERATE) {
    memcpy (l->x, progress->values, (size_t)progress->n_values * sizeof (double));
    l->n_iterates++;
  }
  if (progress->kind != SS_PROGRESS_ITERATION)
    return;
  l->last = progress->iteration;
  l->n_iterations++;
  if (progress->iteration == 0)
    for (int i = 0; i < progress->n_columns; i++) {
      strcat (strcat (l->names, i > 0 ? " " : ""), progress->columns[i].name);
      if (strcmp (progress->columns[i].name, "mu_max") == 0)
        l->mu0 = progress->columns[i].value;
    }
  if (progress->iteration == l->cancel_at)
    ss_run_control_cancel (&l->control);
}

static void
listener_init (Listener *l, int n)
{
  memset (l, 0, sizeof *l);
  ss_run_control_init (&l->control);
  l->control.progress = listen;
  l->control.user_data = l;
  l->cancel_at = -1;
  l->x = calloc ((size_t)n, sizeof (double));
}

static void
test_solve_allocates_nothing_and_repeats (void)
{
  Instance p = open_push_box (12);
  void *solver = new_solver (p.mpcc, NULL);
  SsNlpResult r;
  SsError err;
  uint64_t before = ss_alloc_count ();
  SS_CHECK (ss_nlp_crisp.solve (solver, p.x0, NULL, &r, &err) == SS_OK);
  int iterations = r.iterations, inner = r.inner_iterations, n = ss_mpcc_n_variables (p.mpcc);
  double *first = calloc ((size_t)n, sizeof (double));
  memcpy (first, r.x, (size_t)n * sizeof (double));
  SS_CHECK (ss_nlp_crisp.solve (solver, p.x0, NULL, &r, &err) == SS_OK);
  SS_CHECK (ss_alloc_count () == before);
  SS_CHECK (r.iterations == iterations && r.inner_iterations == inner);
  SS_CHECK (memcmp (first, r.x, (size_t)n * sizeof (double)) == 0); /* same bits */
  free (first);
  ss_nlp_crisp.free_ (solver);
  close_instance (&p);
}

static void
test_progress_and_cancel (void)
{
  Instance p = open_push_box (3);
  void *solver = new_solver (p.mpcc, NULL);
  Listener l;
  SsNlpResult r;
  SsError err;
  int n = ss_mpcc_n_variables (p.mpcc);
  listener_init (&l, n);
  SS_CHECK (ss_nlp_crisp.solve (solver, p.x0, &l.control, &r, &err) == SS_OK);
  SS_CHECK_STR (l.names,
                "objective violation complementarity merit step radius mu_max ratio qp_iterations soc accepted");
  SS_CHECK (l.n_iterations == r.iterations + 1 && l.n_iterates == r.iterations + 1 && l.last == r.iterations);
  SS_CHECK (memcmp (l.x, r.x, (size_t)n * sizeof (double)) == 0); /* the last published point is the answer */
  free (l.x);

  listener_init (&l, n);
  l.cancel_at = 5;
  SS_CHECK (ss_nlp_crisp.solve (solver, p.x0, &l.control, &r, &err) == SS_OK);
  SS_CHECK (r.outcome == SS_OUTCOME_CANCELLED && r.iterations == 5);
  SS_CHECK (memcmp (l.x, r.x, (size_t)n * sizeof (double)) == 0);
  free (l.x);

  listener_init (&l, n);
  l.control.deadline = ss_clock_wall () - 1;
  SS_CHECK (ss_nlp_crisp.solve (solver, p.x0, &l.control, &r, &err) == SS_OK);
  SS_CHECK (r.outcome == SS_OUTCOME_TIME_LIMIT && r.iterations == 0);
  free (l.x);
  ss_nlp_crisp.free_ (solver);
  close_instance (&p);
}

/* Options that were: the value that holds is taken and changes nothing that a run uses, another one is refused and told
 * what holds. The value is that of the setting of code, where there is one. */
static void
test_retired_options (void)
{
  const SsOptionTable *table = ss_nlp_crisp.options;
  SsCrispOptions usual, set;
  int n_inner = 0;
  SsError err;

  SS_CHECK (table->n_retired > 0 && table->n_specs <= 30);
  ss_options_init (table, &usual);
  for (int i = 0; i < table->n_retired; i++) {
    const SsRetiredOption *retired = &table->retired[i];
    SS_CHECK (ss_options_find (table, retired->name) < 0 && ss_options_knows (table, retired->name));
    ss_options_init (table, &set);
    SS_CHECK (ss_options_set (table, &set, retired->name, "0.123", &err) == SS_ERR_INVALID);
    SS_CHECK (strstr (err.message, retired->name) != NULL);
    SS_CHECK (strstr (err.expected, retired->value) != NULL && strstr (err.expected, retired->instead) != NULL);
    SS_CHECK (memcmp (&set, &usual, sizeof set) == 0);
    SS_CHECK (ss_options_set (table, &set, retired->name, retired->value, &err) == SS_OK);
    n_inner += set.given != 0;
    set.given = 0;
    SS_CHECK (memcmp (&set, &usual, sizeof set) == 0);
  }
  SS_CHECK (n_inner == table->n_inner);
  for (int i = table->n_specs; i < table->n_specs + table->n_inner; i++) {
    const SsOptionSpec *spec = &table->specs[i];
    const SsRetiredOption *retired = ss_options_retired (table, spec->name);
    double value = NAN;
    if (retired == NULL)
      continue;
    if (spec->type == SS_OPTION_CHOICE)
      SS_CHECK_STR (spec->choices[(int)spec->fallback], retired->value);
    else if (spec->type == SS_OPTION_BOOLEAN)
      SS_CHECK_STR (spec->fallback != 0 ? "true" : "false", retired->value);
    else
      SS_CHECK (ss_parse_double (retired->value, &value) && value == spec->fallback);
  }
}

/* A cycle keeps the better answer: never a higher objective than without, however it ends; the last published point is
 * the answer all the same. */
static void
test_cycles_do_no_harm (void)
{
  char limit[16] = "";
  const char *const sets[][4] = {
      {"cycles", "0", NULL}, {"cycles", "2", NULL}, {"cycles", "1", "max-iterations", limit}};
  const SsOverride overrides[] = {{"N", 120}, {"x10", 3.3}, {"v10", 0}, {"v20", 0},
                                  {"v1t", 0}, {"v2t", 0},   {"x2t", 2}, {"x1t", 1.7}};
  Instance p = open_instance ("transport", overrides, sizeof overrides / sizeof overrides[0]);
  const int n = ss_mpcc_n_variables (p.mpcc);
  double first = NAN;
  for (size_t i = 0; i < sizeof sets / sizeof sets[0]; i++) {
    const char *options[5] = {sets[i][0], sets[i][1], sets[i][2], sets[i][3], NULL};
    void *solver = new_solver (p.mpcc, options);
    Listener l;
    SsNlpResult r;
    SsMetrics m;
    SsError err;
    listener_init (&l, n);
    SS_CHECK (ss_nlp_crisp.solve (solver, p.x0, &l.control, &r, &err) == SS_OK);
    SS_CHECK (ss_metrics_compute (p.scenario, r.x, &m, &err) == SS_OK);
    printf ("# cycles %s: objective %.6g, violation %.1e, %d iterations: %s\n", options[1], m.objective,
            m.max_violation, r.iterations, r.message);
    SS_CHECK (r.outcome == SS_OUTCOME_SOLVED);
    SS_CHECK (m.max_violation <= 1e-8); /* polish-to */
    SS_CHECK (l.last == r.iterations && memcmp (l.x, r.x, (size_t)n * sizeof (double)) == 0);
    first = i == 0 ? m.objective : first;
    if (i == 0)
      snprintf (limit, sizeof limit, "%d", r.iterations + 3); /* ends within the first cycle */
    SS_CHECK (m.objective <= first);
    ss_nlp_crisp.free_ (solver);
    free (l.x);
  }
  close_instance (&p);
}

/* [004 Tab 1]: preset=paper fills what is not given; options given a value, be it their default, keep it. */
static void
test_preset (void)
{
  const struct {
    const char *options[5];
    double mu0;
  } cases[] = {{{NULL}, 3},
               {{"preset", "paper", NULL}, 10},
               {{"preset", "paper", "mu0", "7", NULL}, 7},
               {{"mu0", "7", "preset", "paper", NULL}, 7},
               {{"preset", "paper", "mu0", "3", NULL}, 3}, /* our default, but given */
               {{"mu0", "3", "preset", "paper", NULL}, 3},
               {{"preset", "warm", NULL}, 30}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    Instance p = open_push_box (0);
    void *solver = new_solver (p.mpcc, cases[i].options);
    Listener l;
    SsNlpResult r;
    SsError err;
    listener_init (&l, ss_mpcc_n_variables (p.mpcc));
    l.cancel_at = 0;
    SS_CHECK (ss_nlp_crisp.solve (solver, p.x0, &l.control, &r, &err) == SS_OK);
    SS_CHECK_NEAR (l.mu0, cases[i].mu0, 0);
    free (l.x);
    ss_nlp_crisp.free_ (solver);
    close_instance (&p);
  }
}

static void
test_out_of_memory (void)
{
  SsMpcc *mpcc = build (2, "a^2 + a*b + b^2", (const char *const[]){"a - b + 1", NULL}, CORNER);
  SsStatus status = SS_ERR_MEMORY;
  uint64_t n = 0;
  while (status != SS_OK && n < 1000) {
    void *solver = NULL;
    ss_alloc_fail_at (++n);
    status = ss_nlp_crisp.new_ (mpcc, NULL, &solver, NULL);
    ss_alloc_fail_at (0);
    SS_CHECK (status == SS_OK ? solver != NULL : solver == NULL && status == SS_ERR_MEMORY);
    ss_nlp_crisp.free_ (solver);
  }
  SS_CHECK (status == SS_OK);
  ss_mpcc_free (mpcc);
}

int
main (void)
{
  SS_RUN (test_corner_of_example_1);
  SS_RUN (test_local_minimum_of_a_complementarity);
  SS_RUN (test_curved_equality);
  SS_RUN (test_certificate);
  SS_RUN (test_certificate_of_what_is_missed);
  SS_RUN (test_long_way_down);
  SS_RUN (test_costs_that_are_not_convex);
  SS_RUN (test_largest_block);
  SS_RUN (test_dominant_diagonal);
  SS_RUN (test_contradiction_is_infeasible);
  SS_RUN (test_bad_start_fails);
  SS_RUN (test_domain_is_left_and_entered_again);
  SS_RUN_SLOW (test_push_box_targets);
  SS_RUN (test_other_problems_of_the_paper);
  SS_RUN (test_restart_after_infeasible);
  SS_RUN_SLOW (test_paper_preset);
  SS_RUN (test_algorithm_1);
  SS_RUN (test_solve_allocates_nothing_and_repeats);
  SS_RUN (test_progress_and_cancel);
  SS_RUN (test_retired_options);
  SS_RUN (test_cycles_do_no_harm);
  SS_RUN (test_preset);
  SS_RUN (test_out_of_memory);
  return ss_test_finish ();
}
