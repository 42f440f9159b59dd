/* tests/unit/test-points.c: rows at every n-th point of a model and rows of its trajectories that are not its points,
 * in the reader, the problem and the metrics, against answers found by hand. */
#include "judge/ss-metrics.h"
#include "mpcc/ss-problem.h"
#include "ss-test-scenario.h"

#include <stdlib.h>

/* Seven points of one state and one control, t = k / 2. */
#define MODEL(rest)                                                                                                    \
  "{\"format\": 1, \"name\": \"m\", \"parameters\": {\"s\": 2, \"p\": 10}, \"model\": {\"points\": 7, \"time_step\": " \
  "0.5, \"states\": [\"x\"], \"controls\": [\"u\"], " rest "}}"
enum { N_POINTS = 7, N = 2 * N_POINTS };

/* x_k = k + 1, u_k = -k */
static void
fill (double *x)
{
  for (int k = 0; k < N_POINTS; k++) {
    x[2 * k] = k + 1;
    x[2 * k + 1] = -k;
  }
}

typedef struct {
  SsScenario *scenario;
  SsMpcc *mpcc;
  SsMpccEval *eval;
  double x[N], rows[64];
  SsMetrics metrics;
} Built;

static Built
build (const char *text)
{
  Built b = {.scenario = ss_test_read_text (text)};
  SsError err = {0};

  SS_CHECK (b.scenario != NULL && ss_problem_build (b.scenario, &b.mpcc, &err) == SS_OK &&
            ss_mpcc_eval_new (b.mpcc, &b.eval, &err) == SS_OK);
  if (b.eval == NULL)
    exit (1); /* the checks have failed */
  fill (b.x);
  SS_CHECK (ss_mpcc_n_rows (b.mpcc) <= (int)(sizeof b.rows / sizeof *b.rows));
  ss_mpcc_rows (b.eval, b.x, b.rows);
  SS_CHECK (ss_metrics_compute (b.scenario, b.x, &b.metrics, &err) == SS_OK);
  return b;
}

static void
clear (Built *b)
{
  ss_mpcc_eval_free (b->eval);
  ss_mpcc_free (b->mpcc);
  ss_scenario_free (b->scenario);
}

/* Points 1, 3, 5: next reads 2, 4, 6, and k and t are those of the point; the stride may be a parameter. The end is
 * brought to the last point of the list. */
static void
test_equalities (void)
{
  Built b = build (MODEL ("\"constraints\": [{\"name\": \"odd\", \"points\": [1, 6, \"s\"], "
                          "\"zero\": [\"next(x) - x*k\", \"u + t + p\"]}]"));
  const SsModelBlock *block = &b.scenario->model->blocks[0];
  /* x_{k+1} - k x_k = k + 2 - k (k + 1);  -k + k / 2 + 10 */
  const double rows[6] = {3 - 2, 9.5, 5 - 12, 8.5, 7 - 30, 7.5};

  SS_CHECK (block->first == 1 && block->last == 5 && block->stride == 2);
  SS_CHECK (b.scenario->parameters[0].is_structural && !b.scenario->parameters[1].is_structural);
  SS_CHECK (ss_mpcc_n_rows (b.mpcc) == 6 && ss_mpcc_n_equalities (b.mpcc) == 6);
  for (int i = 0; i < 6; i++)
    SS_CHECK (b.rows[i] == rows[i]);
  SS_CHECK_STR (ss_mpcc_row_name (b.mpcc, 2), "odd[3].zero[0]");
  SS_CHECK_STR (ss_mpcc_row_name (b.mpcc, 5), "odd[5].zero[1]");
  SS_CHECK (b.metrics.n_equalities == 6 && b.metrics.violation_equality == 23 && b.metrics.l1_violation == 56.5);
  SS_CHECK (strstr (b.metrics.worst, "k = 5") != NULL);
  /* row 2 reads x_3 (variable 6) and x_4 (8) */
  const SsPattern *jacobian = ss_mpcc_jacobian_pattern (b.mpcc);
  SS_CHECK (jacobian->start[3] - jacobian->start[2] == 2 && jacobian->index[jacobian->start[2]] == 6 &&
            jacobian->index[jacobian->start[2] + 1] == 8);
  clear (&b);
}

/* Sum of x^2 over the points 0, 3, 6: 1 + 16 + 49; of x over a stride longer than the range: its first point. */
static void
test_costs (void)
{
  Built b = build (MODEL ("\"cost\": [{\"points\": [0, 6, 3], \"cost\": \"x^2\"}, {\"points\": [2, 4, 9], \"cost\": "
                          "\"100*x\"}]"));

  SS_CHECK (b.metrics.objective == 66 + 300 && ss_mpcc_objective (b.eval, b.x) == 366);
  clear (&b);
}

/* x >= 0 is listed at even points, so that the pairs at all points have that row of their own at odd points only. */
static void
test_pairs (void)
{
  Built b = build (MODEL ("\"constraints\": [{\"points\": [0, 6, 2], \"nonnegative\": [\"x\"]}, {\"points\": \"all\", "
                          "\"complementary\": [[\"x\", \"u\"]]}, {\"points\": [1, 6, 4], \"nonnegative\": [\"x\"]}]"));
  const SsMpccPair *pairs = ss_mpcc_pairs (b.mpcc);

  /* 4 at even points, 2 at points 1 and 5; the pairs: a at point 3, b and the product everywhere */
  SS_CHECK (ss_mpcc_n_inequalities (b.mpcc) == 4 + 2 + 1 + 7 + 7 && b.metrics.n_inequalities == 21);
  SS_CHECK (ss_mpcc_n_pairs (b.mpcc) == 7 && b.metrics.n_products == 7);
  for (int k = 0; k < N_POINTS; k++) {
    SS_CHECK (b.rows[pairs[k].row_a] == k + 1);
    SS_CHECK (b.rows[pairs[k].row_b] == -k);
    SS_CHECK (b.rows[pairs[k].product_row] == k * (k + 1));
  }
  SS_CHECK (b.metrics.violation_inequality == 6 && b.metrics.violation_product == 0 && b.metrics.complementarity == 42);
  clear (&b);
}

/* Points 0, 2, 3 and 6 are rows. */
static void
test_rows (void)
{
  static const int rows[] = {0, 2, 3, 6};
  enum { N_ROWS = sizeof rows / sizeof *rows };
  Built b = build (MODEL ("\"cost\": [{\"points\": \"all\", \"cost\": \"x\"}]"));
  SsScenario shown = *b.scenario;
  SsModel model = *b.scenario->model;
  const SsModelChannel channel = {ss_channel_named ("index"), ss_graph_input (shown.graph, model.slot_k)};
  SsTrajectory *trajectory = NULL;
  SsError err = {0};

  model.rows = rows;
  model.n_rows = N_ROWS;
  model.channels = &channel;
  model.n_channels = 1;
  shown.model = &model;
  SS_CHECK (ss_problem_trajectory (&shown, b.x, &trajectory, &err) == SS_OK);
  SS_CHECK (trajectory->n_rows == N_ROWS && trajectory->n_channels == 4);
  for (int r = 0; r < N_ROWS; r++) {
    const double *row = ss_trajectory_row (trajectory, r);
    const int k = rows[r];

    SS_CHECK (row[0] == 0.5 * k && row[1] == k + 1 && row[2] == -k && row[3] == k);
  }
  /* between rows a motion is the line from one to the next: t = 2 is a third of the way from k = 3 to k = 6 */
  double at[4];
  ss_trajectory_sample (trajectory, 2, at);
  SS_CHECK_NEAR (at[1], 5, 1e-15);
  ss_trajectory_free (trajectory);

  /* the clock of a point is the time of its row */
  model.has_clock = true;
  model.clock = 0;
  SS_CHECK (ss_problem_trajectory (&shown, b.x, &trajectory, &err) == SS_OK);
  for (int r = 0; r < N_ROWS; r++)
    SS_CHECK (ss_trajectory_row (trajectory, r)[0] == rows[r] + 1);
  ss_trajectory_free (trajectory);
  clear (&b);
}

int
main (void)
{
  SS_RUN (test_equalities);
  SS_RUN (test_costs);
  SS_RUN (test_pairs);
  SS_RUN (test_rows);
  return ss_test_finish ();
}
