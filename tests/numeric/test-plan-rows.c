/* tests/numeric/test-plan-rows.c: units of the rows of plans, and starts that are known. A ball without forces; what is
 * missed is put in, and by which row it is missed follows. */
#include "judge/ss-metrics.h"
#include "mpcc/ss-problem.h"
#include "run/ss-run.h"
#include "ss-test-scenario.h"

#include <math.h>
#include <stdlib.h>

enum { STEPS = 4 };
static const double H = 0.05;

static SsScenario *
ball (void)
{
  return ss_test_read_text ("{\"format\": 1, \"name\": \"ball\", \"scene\": {\"gravity\": [0, 0], \"bodies\": ["
                            "{\"name\": \"ball\", \"mass\": 2, \"velocity\": [0.5, 0], \"lock\": [\"y\", \"theta\"],"
                            " \"shape\": {\"type\": \"circle\", \"radius\": 0.1}}], \"contacts\": []},"
                            "\"task\": {\"horizon\": 0.2, \"steps\": 4, \"t_end\": 0.2, \"dt\": 0.05,"
                            " \"cost\": [{\"points\": \"last\", \"cost\": \"ball.x^2\"}]}}");
}

/* The ball at constant velocity v, displaced by `jump` from point 2 on. */
static SsMetrics
violation (const char *const options[2], double v, double jump)
{
  SsScenario *scenario = ball (), *model = NULL;
  const SsOptionTable *table = ss_transcription_option_table ();
  void *own = calloc (1, table->size);
  SsMetrics metrics = {0};
  SsError err = {0};

  ss_options_init (table, own);
  for (int i = 0; i < 2 && options[i] != NULL; i++)
    SS_CHECK (ss_options_set (table, own, options[i], i == 0 ? "velocity" : "on", &err) == SS_OK);
  const SsTranscribeOptions choice = ss_transcription_choose (own);
  SS_CHECK (ss_transcribe (scenario, &choice, &model, &err) == SS_OK);
  if (model != NULL) {
    const int n = model->model->n_variables;
    double *x = calloc ((size_t)(n * model->model->n_points), sizeof *x);

    SS_CHECK (n == 2 && model->model->n_points == STEPS + 1);
    for (int k = 0; k <= STEPS; k++) {
      x[k * n] = k * H * v + (k >= 2 ? jump : 0);
      x[k * n + 1] = v;
    }
    SS_CHECK (ss_metrics_compute (model, x, &metrics, &err) == SS_OK);
    free (x);
  }
  ss_scenario_free (model);
  ss_scenario_free (scenario);
  free (own);
  return metrics;
}

static void
units_of_positions (void)
{
  const double jump = 0.026;
  SsMetrics metrics = violation ((const char *const[2]){NULL}, 0.5, jump);

  SS_CHECK_NEAR (metrics.max_violation, jump, 1e-15);
  SS_CHECK_CONTAINS (metrics.worst, "dynamics.ball x at k = 1");
  metrics = violation ((const char *const[2]){"rows", NULL}, 0.5, jump);
  SS_CHECK_NEAR (metrics.max_violation, jump / H, 1e-13);
  SS_CHECK_CONTAINS (metrics.worst, "dynamics.ball x at k = 1");
}

/* Started at 0.18 m/s more than the scene says: the start's row misses that, and with a known start the first balance
 * does as well. */
static void
known_starts (void)
{
  SsMetrics metrics = violation ((const char *const[2]){NULL}, 0.68, 0);

  SS_CHECK_NEAR (metrics.max_violation, 0.18, 1e-15);
  SS_CHECK_NEAR (metrics.l1_violation, 0.18, 1e-14);
  metrics = violation ((const char *const[2]){"rows", "known-start"}, 0.68, 0);
  SS_CHECK_NEAR (metrics.l1_violation, 2 * 0.18, 1e-13);
  metrics = violation ((const char *const[2]){"rows", "known-start"}, 0.5, 0);
  SS_CHECK_NEAR (metrics.l1_violation, 0, 1e-14);
}

int
main (void)
{
  SS_RUN (units_of_positions);
  SS_RUN (known_starts);
  return ss_test_finish ();
}
