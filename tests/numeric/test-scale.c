/* tests/numeric/test-scale.c: long runs and large scenes: few rows are kept, and what is known is that of all steps. */
#include "fesd/ss-event-driven.h"
#include "run/ss-run.h"
#include "ss-test-scenario.h"
#include "ss-test-simulate.h"

#include "core/ss-work.h"

static const char *const events_of[] = {"stewart-trinkle", "moreau-jean", "event-driven", "semi-implicit-euler"};

/* A simulation by that method with these rows kept, under a limit of counted work [s]. */
static void
run (const SsScenario *scenario, const char *method_name, double dt, double t_end, int every, double work,
     SsRunResult *result)
{
  SsError err = {0};
  const SsMethod *method = ss_method_find (SS_METHOD_INTEGRATOR, method_name, &err);
  _Alignas(max_align_t) char options[1024];
  SsRunControl control;

  ss_options_init (method->options, options);
  SsJob job = ss_job (method, scenario, options);
  job.simulate.dt = dt;
  job.simulate.t_end = t_end;
  job.simulate.every = every;
  ss_run_control_init (&control);
  if (isfinite (work))
    control.work_limit = ss_work_thread () + work;
  SS_CHECK (ss_run (&job, &control, result, &err) == SS_OK);
}

/* Everything but the rows is that of the run with all of them, and the rows that are kept are its rows. */
static void
rows_of_every_nth_step (void)
{
  SsScenario *scenario = ss_test_read_file ("examples/sketches/falling-box.stickslip.json", NULL, 0);
  for (size_t m = 0; m < sizeof events_of / sizeof *events_of; m++) {
    SsRunResult all, few;
    run (scenario, events_of[m], 0.01, 1, 1, INFINITY, &all);
    run (scenario, events_of[m], 0.01, 1, 7, INFINITY, &few);
    const SsTrajectory *a = ss_run_motion (&all), *b = ss_run_motion (&few);
    SS_CHECK (few.every == 7 && all.every <= 1 && few.outcome == all.outcome);
    SS_CHECK (b->n_rows == 1 + 100 / 7 + 1 && b->n_channels == a->n_channels); /* and the first, and the last */
    SS_CHECK (few.events->n_items == all.events->n_items && all.events->n_items > 0);
    for (int i = 0; i < all.events->n_items && i < few.events->n_items; i++)
      SS_CHECK (few.events->items[i].t == all.events->items[i].t &&
                few.events->items[i].kind == all.events->items[i].kind &&
                few.events->items[i].subject == all.events->items[i].subject);
    SS_CHECK (few.verdict.n_rows == all.verdict.n_rows && few.verdict.is_complete);
    SS_CHECK (few.verdict.balance.value == all.verdict.balance.value &&
              few.verdict.cone.value == all.verdict.cone.value);
    SS_CHECK (few.verdict.gained.value == all.verdict.gained.value && few.law.n_steps == all.law.n_steps);
    SS_CHECK (few.law.law.value == all.law.law.value);
    int at = 0;
    for (int k = 0; k < b->n_rows; k++) {
      const double *row = ss_trajectory_row (b, k);
      while (at + 1 < a->n_rows && ss_trajectory_row (a, at)[0] < row[0])
        at++;
      SS_CHECK (
          memcmp (ss_trajectory_row (a, ss_trajectory_last_at (a, at)), row, (size_t)a->n_channels * sizeof *row) == 0);
    }
    ss_run_result_clear (&all);
    ss_run_result_clear (&few);
  }
  ss_scenario_free (scenario);
}

static const char boxes[] =
    "{\"format\": 1, \"name\": \"boxes\", \"scene\": {\"gravity\": [0, -9.81], \"bodies\": ["
    "{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]}},"
    "{\"for\": \"i\", \"from\": 0, \"to\": 9, \"rows\": [{\"name\": \"b{i}\", \"mass\": 1, "
    "\"position\": [\"2*{i}\", 0.6], \"shape\": {\"type\": \"box\", \"width\": 1, \"height\": 1}}]}], "
    "\"contacts\": \"all\"}, \"task\": {\"t_end\": 1, \"dt\": 0.01}}";

/* What stays of 10,000 steps is what the rows that are kept need: nothing grows with the steps but 32 bytes of the
 * account of energy. */
static void
memory_by_arithmetic (void)
{
  SsScenario *scenario = ss_test_read_text (boxes);
  SsRunResult result;
  run (scenario, "stewart-trinkle", 1e-4, 1, 1000, INFINITY, &result);
  const SsTrajectory *motion = ss_run_motion (&result);
  SS_CHECK (result.outcome == SS_OUTCOME_COMPLETED && ss_metric_get (&result.metrics, SS_METRIC_STEPS) == 10000);
  SS_CHECK (motion->n_rows == 11 && result.verdict.n_rows == 10001 && result.stages == NULL);
  SS_CHECK (motion->capacity <= 4096);     /* reserved, not touched: the first guess of ss_simulate_job */
  SS_CHECK (result.events->n_items == 20); /* two corners of each box strike */
  ss_run_result_clear (&result);
  ss_scenario_free (scenario);
}

/* 95 discs have 4560 pairs, of which those with the floor do something: they have channels, events and a cone. */
static void
contacts_of_many_bodies (void)
{
  static const char text[] =
      "{\"format\": 1, \"name\": \"many\", \"scene\": {\"gravity\": [0, -9.81], \"bodies\": ["
      "{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]}},"
      "{\"for\": \"i\", \"from\": 0, \"to\": 94, \"rows\": [{\"name\": \"d{i}\", \"mass\": 1, "
      "\"position\": [\"{i}\", 0.5], \"shape\": {\"type\": \"circle\", \"radius\": 0.3}}]}], \"contacts\": \"all\"},"
      "\"task\": {\"t_end\": 0.3, \"dt\": 0.01}}";
  SsScenario *scenario = ss_test_read_text (text);
  SsRunResult all, few;
  SS_CHECK (scenario->scene->n_contacts > SS_CONTACTS_WITH_CHANNELS_MAX);
  run (scenario, "stewart-trinkle", 0.01, 0.3, 1, INFINITY, &all);
  run (scenario, "stewart-trinkle", 0.01, 0.3, 10, INFINITY, &few);
  const SsTrajectory *a = ss_run_motion (&all), *b = ss_run_motion (&few);
  int n_gaps = 0;
  for (int c = 0; c < a->n_channels; c++)
    n_gaps += a->channels[c].quantity == SS_QUANTITY_GAP;
  SS_CHECK (n_gaps == 95 && all.events->n_items == 95 && few.events->n_items == 95);
  SS_CHECK (all.verdict.balance.value < 1e-10 && all.verdict.cone.value < 1e-10); /* rounding of speeds of 2 m/s */
  SS_CHECK (few.verdict.balance.value == all.verdict.balance.value && few.law.law.value == all.law.law.value);
  SS_CHECK (all.law.law.value < 1e-8 && all.law.n_steps == 30);
  /* each rests: 1 kg for 0.01 s, once it has landed */
  SS_CHECK_NEAR (ss_test_last_value (a, "floor-d0.impulse_n"), 0.0981, 1e-9);
  SS_CHECK_NEAR (ss_test_last_value (b, "floor-d94.lambda_n"), 9.81, 1e-7);
  SS_CHECK (b->n_rows == 4 && a->n_rows == 31 && a->n_channels == b->n_channels);
  ss_run_result_clear (&all);
  ss_run_result_clear (&few);
  ss_scenario_free (scenario);
}

/* What is known of the steps that are finished is told where a limit ends the run. */
static void
a_limit_leaves_what_is_known (void)
{
  SsScenario *scenario = ss_test_read_text (boxes);
  SsRunResult all, cut;
  run (scenario, "stewart-trinkle", 1e-3, 1, 1, INFINITY, &all);
  const double half = ss_metric_get (&all.metrics, SS_METRIC_WORK) * SS_WORK_SECOND / 2;
  run (scenario, "stewart-trinkle", 1e-3, 1, 1, half, &cut);
  const SsTrajectory *motion = ss_run_motion (&cut);
  const double t = ss_trajectory_row (motion, motion->n_rows - 1)[0];
  SS_CHECK (cut.outcome == SS_OUTCOME_CPU_LIMIT && t > 0.2 && t < 0.9);
  SS_CHECK (cut.verdict.is_complete && cut.verdict.n_rows == motion->n_rows && cut.law.is_complete);
  SS_CHECK (ss_metric_get (&cut.metrics, SS_METRIC_MAX_BALANCE_RESIDUAL) < 1e-9);
  SS_CHECK (ss_metric_get (&cut.metrics, SS_METRIC_MAX_LAW_RESIDUAL) < 1e-7);
  SS_CHECK (cut.events->n_items == 20 && cut.events->items[0].t == all.events->items[0].t);
  ss_run_result_clear (&all);
  ss_run_result_clear (&cut);
  ss_scenario_free (scenario);
}

int
main (void)
{
  SS_RUN (rows_of_every_nth_step);
  SS_RUN (memory_by_arithmetic);
  SS_RUN (contacts_of_many_bodies);
  SS_RUN (a_limit_leaves_what_is_known);
  return ss_test_finish ();
}
