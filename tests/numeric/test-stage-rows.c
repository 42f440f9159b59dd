/* tests/numeric/test-stage-rows.c: rows of stages, beside the equations of their schemes with the tables of the books
 * (Hairer and Wanner, Solving Ordinary Differential Equations II, sec. IV.5), and that nothing else knows of them. */
#include "core/ss-stage-rows.h"
#include "run/ss-run.h"
#include "scene/ss-interest.h"
#include "ss-test-scenario.h"
#include "ss-test-simulate.h"

#include <math.h>
#include <string.h>

enum { MOST = 3 };

typedef struct {
  const char *scheme, *stages;
  int n;
  bool ends_at_one; /* the last stage is the end */
  double a[MOST][MOST], c[MOST];
} Scheme;

#define S15 3.8729833462074170
static const Scheme schemes[] = {
    {"scheme=radau-iia", "stages=2", 2, true, {{5.0 / 12, -1.0 / 12}, {0.75, 0.25}}, {1.0 / 3, 1}},
    {"scheme=gauss-legendre",
     "stages=3",
     3,
     false,
     {{5.0 / 36, 2.0 / 9 - S15 / 15, 5.0 / 36 - S15 / 30},
      {5.0 / 36 + S15 / 24, 2.0 / 9, 5.0 / 36 - S15 / 24},
      {5.0 / 36 + S15 / 30, 2.0 / 9 + S15 / 15, 5.0 / 36}},
     {0.5 - S15 / 10, 0.5, 0.5 + S15 / 10}},
    {"scheme=lobatto-iiic",
     "stages=3",
     3,
     true,
     {{1.0 / 6, -1.0 / 3, 1.0 / 6}, {1.0 / 6, 5.0 / 12, -1.0 / 12}, {1.0 / 6, 2.0 / 3, 1.0 / 6}},
     {0, 0.5, 1}},
};
enum { N_SCHEMES = sizeof schemes / sizeof *schemes };

/* A block that is thrown along a floor whose grip, and a spring that pulls it back and down, change its forces all the
 * time. It lands on the floor, slides, sticks, and is pulled loose. */
static const char scene_text[] =
    "{\"format\":1,\"name\":\"s\",\"scene\":{\"gravity\":[0,-10],\"bodies\":["
    "{\"name\":\"floor\",\"fixed\":true,\"shape\":{\"type\":\"half-plane\",\"normal\":[0,1]}},"
    "{\"name\":\"post\",\"fixed\":true,\"shape\":{\"type\":\"circle\",\"radius\":0.05},\"position\":[0,-1]},"
    "{\"name\":\"block\",\"shape\":{\"type\":\"box\",\"width\":0.4,\"height\":0.2},\"mass\":2,\"lock\":[\"theta\"],"
    "\"position\":[0,0.15],\"velocity\":[2,0]}],"
    "\"contacts\":[{\"name\":\"ground\",\"bodies\":[\"floor\",\"block\"],\"friction\":0.3}],"
    "\"springs\":[{\"name\":\"rubber\",\"bodies\":[\"post\",\"block\"],\"anchors\":[[0,0],[0,0]],\"stiffness\":40,"
    "\"rest\":1}]},"
    "\"task\":{\"t_end\":0.6,\"dt\":0.03}}";

/* Judged, as all runs are. */
static void
simulate (SsScenario *scenario, const SsMethod *method, const char *const *settings, SsRunResult *result)
{
  _Alignas(max_align_t) char options[1024];
  SsError err = {0};
  SS_CHECK (method->options->size <= sizeof options);
  ss_test_set_options (method->options, options, settings, &err);
  const SsJob job = ss_job (method, scenario, options);
  SS_CHECK (ss_run (&job, NULL, result, &err) == SS_OK && result->outcome == SS_OUTCOME_COMPLETED);
}

static double
value (const SsTrajectory *motion, int row, const char *channel)
{
  return ss_test_value (motion, row, channel);
}

/* Of the block at each stage. */
typedef struct {
  double q[MOST][2], v[MOST][2], a[MOST][2];
} Element;

/* What the spring and the weight give. */
static double
free_acceleration (const double q[2], int k)
{
  const double x = q[0], y = q[1] + 1, pull = 40 * (hypot (x, y) - 1), part = k == 0 ? x : y;
  return -pull * part / hypot (x, y) / 2 - (k == 1 ? 10 : 0);
}

/* The stage at the begin, which has no row, by the equations of the last stage; its contact's force keeps the law. */
static void
find_first (const Scheme *s, double h, const double q0[2], const double v0[2], Element *e)
{
  const double *a = s->a[s->n - 1];
  double force[2];
  for (int k = 0; k < 2; k++) {
    e->v[0][k] = (e->q[s->n - 1][k] - q0[k]) / h;
    e->a[0][k] = (e->v[s->n - 1][k] - v0[k]) / h;
    e->q[0][k] = q0[k];
    for (int j = 1; j < s->n; j++) {
      e->v[0][k] -= a[j] * e->v[j][k];
      e->a[0][k] -= a[j] * e->a[j][k];
    }
    e->v[0][k] /= a[0];
    e->a[0][k] /= a[0];
    for (int j = 0; j < s->n; j++)
      e->q[0][k] += h * s->a[0][j] * e->v[j][k];
  }
  for (int k = 0; k < 2; k++)
    force[k] = 2 * (e->a[0][k] - free_acceleration (e->q[0], k));
  SS_CHECK (h * force[1] > -1e-10 && h * fabs (force[0]) < h * 0.3 * force[1] + 1e-10);
}

/* Of one element: `start` is the row before it, `at` the rows of its stages, but of one that has none as it lies at the
 * begin. Its equations [000 (1a) (12a)-(12d)]. */
static void
check_element (const Scheme *s, const SsTrajectory *motion, int start, const int *at, int end)
{
  static const char *const places[] = {"block.x", "block.y"}, *const speeds[] = {"block.vx", "block.vy"};
  static const char *const forces[] = {"ground.lambda_t", "ground.lambda_n"};
  const double h = value (motion, end, "t") - value (motion, start, "t"), mass = 2;
  const double q0[] = {value (motion, start, places[0]), value (motion, start, places[1])},
               v0[] = {value (motion, start, speeds[0]), value (motion, start, speeds[1])};
  const int first = s->c[0] == 0 ? 1 : 0;
  Element e = {0};
  for (int i = first; i < s->n; i++) {
    SS_CHECK_NEAR (value (motion, at[i], "t"), value (motion, start, "t") + s->c[i] * h, 1e-14);
    for (int k = 0; k < 2; k++) {
      e.q[i][k] = value (motion, at[i], places[k]);
      e.v[i][k] = value (motion, at[i], speeds[k]);
    }
    for (int k = 0; k < 2; k++)
      e.a[i][k] = value (motion, at[i], forces[k]) / mass + free_acceleration (e.q[i], k);
  }
  if (first > 0)
    find_first (s, h, q0, v0, &e);
  for (int i = 0; i < s->n; i++)
    for (int k = 0; k < 2; k++) {
      double q = q0[k], v = v0[k];
      for (int j = 0; j < s->n; j++) {
        q += h * s->a[i][j] * e.v[j][k];
        v += h * s->a[i][j] * e.a[j][k];
      }
      SS_CHECK_NEAR (e.q[i][k], q, 1e-10);
      SS_CHECK_NEAR (i < first ? h * (e.v[i][k] - v) : e.v[i][k] - v, 0, 1e-10); /* as it was found: over h */
    }
}

/* Rows of stages obey the equations of their scheme, with forces that are the row's; steps and stages are numbered
 * as the rows come. */
static void
test_equations (const SsMethod *method, const Scheme *s)
{
  const char *const settings[] = {s->scheme, s->stages, "stage-rows=on", NULL};
  SsScenario *scenario = ss_test_read_text (scene_text);
  SsRunResult result;
  simulate (scenario, method, settings, &result);
  const SsTrajectory *motion = ss_run_motion (&result);
  const int first = s->c[0] == 0 ? 1 : 0, beside = s->ends_at_one ? s->n - 1 : s->n;
  int at[MOST], n = first, n_elements = 0, n_touching = 0, step = 0;
  for (int row = 0; row < motion->n_rows; row++) {
    const int stage = (int)value (motion, row, "stage");
    SsStagePlace place;
    SS_CHECK (ss_stage_rows_place (motion, row, &place) && place.n_stages == s->n);
    SS_CHECK (value (motion, row, "step") == place.step && (place.step == step || place.step == step + 1));
    step = place.step;
    if (stage > 0) {
      SS_CHECK (stage == n + 1 && place.stage == stage &&
                ss_stage_rows_is_one (motion, ss_stage_rows_channel (motion), row));
      at[n++] = row;
      continue;
    }
    SS_CHECK (!ss_stage_rows_is_one (motion, ss_stage_rows_channel (motion), row));
    if (n == first) { /* the start, or a jump */
      SS_CHECK (place.element == 0);
      continue;
    }
    SS_CHECK (n == beside && place.stage == (s->ends_at_one ? s->n : 0) && place.element >= 1 &&
              place.element <= place.n_elements);
    const int start = at[first] - 1;
    if (s->ends_at_one)
      at[n] = row;
    check_element (s, motion, start, at, row);
    n_touching += value (motion, at[1], "ground.lambda_n") > 0;
    n_elements++;
    n = first;
  }
  SS_CHECK (step == 20 && n_elements >= 40 && n_touching > 25 && n_touching < n_elements);
  ss_run_result_clear (&result);
  ss_scenario_free (scenario);
}

/* What is dissipated at a stage is what friction has taken by the scheme's equations: with the energy of the row it is
 * that of the start, to the order of the stages. Between stages of sliding only. */
static void
test_energy (const SsMethod *method)
{
  static const char *const settings[] = {"stages=3", "stage-rows=on", NULL};
  SsScenario *scenario = ss_test_read_text (scene_text);
  SsRunResult result;
  double impact = 0, before = NAN;
  int n_impacts = 0;
  simulate (scenario, method, settings, &result);
  const SsTrajectory *motion = ss_run_motion (&result);
  const double start = value (motion, 0, "energy.kinetic") + value (motion, 0, "energy.potential");
  for (int row = 0; row < motion->n_rows; row++) {
    const double energy = value (motion, row, "energy.kinetic") + value (motion, row, "energy.potential") +
                          value (motion, row, "energy.dissipated");
    if (row > 0 && value (motion, row, "ground.impulse_n") > 0) {
      SS_CHECK (value (motion, row, "t") == value (motion, row - 1, "t"));
      impact += before - energy; /* of this impact alone, where it is not told as dissipated */
      n_impacts++;
    }
    before = energy;
    SS_CHECK_NEAR (energy + impact, start, 2e-5);
  }
  SS_CHECK (n_impacts > 0);
  ss_run_result_clear (&result);
  ss_scenario_free (scenario);
}

/* The first and the last row of each time are those of the run without rows of stages: both sides of a jump. */
static void
check_times (const SsTrajectory *plain, const SsTrajectory *all)
{
  for (int row = 0; row < plain->n_rows; row++) {
    const double t = ss_trajectory_row (plain, row)[0];
    const size_t size = (size_t)plain->n_channels * sizeof (double);
    const int of_all = ss_trajectory_row_up_to (all, 0, t), of_plain = ss_trajectory_last_at (plain, row);
    SS_CHECK (memcmp (ss_trajectory_row (all, of_all), ss_trajectory_row (plain, of_plain), size) == 0);
    SS_CHECK (memcmp (ss_trajectory_row (all, ss_trajectory_first_at (all, of_all)),
                      ss_trajectory_row (plain, ss_trajectory_first_at (plain, row)), size) == 0);
  }
}

/* A mean over time, which more rows would change. */
static void
check_outcome (const SsTrajectory *plain, const SsTrajectory *all)
{
  char unit[SS_INTEREST_UNIT];
  double of_plain, of_all;
  SsInterest *mean;
  SS_CHECK (ss_interest_new ("mean(block.vx^2)", &mean, NULL) == SS_OK);
  SS_CHECK (ss_interest_value (mean, plain, NULL, 0, &of_plain, unit, NULL) == SS_OK);
  SS_CHECK (ss_interest_value (mean, all, NULL, 0, &of_all, unit, NULL) == SS_OK && of_all == of_plain);
  ss_interest_free (mean);
}

/* Who replays a motion steps as it did. */
static void
check_controls (const SsScenario *scenario, const SsTrajectory *plain, const SsTrajectory *all)
{
  SsControls *a, *b;
  SS_CHECK (ss_controls_new (scenario->scene, plain, &a, NULL) == SS_OK);
  SS_CHECK (ss_controls_new (scenario->scene, all, &b, NULL) == SS_OK);
  SS_CHECK (a->n_rows == b->n_rows && memcmp (a->t, b->t, (size_t)a->n_rows * sizeof *a->t) == 0);
  ss_controls_free (a);
  ss_controls_free (b);
}

/* Of fewer rows no stages are kept, and a fan has none, which is told. */
static void
test_what_has_none (void)
{
  const SsMethod *method = ss_method_find (SS_METHOD_INTEGRATOR, "event-driven", NULL);
  static const char *const one[] = {"stage-rows=on", NULL}, *const fan[] = {"stage-rows=on", "law=set-valued",
                                                                            "branches=3", NULL};
  SsScenario *scenario = ss_test_read_text (scene_text);
  _Alignas(max_align_t) char options[1024];
  SsError err = {0};
  ss_test_set_options (method->options, options, one, &err);
  SsJob job = ss_job (method, scenario, options);
  SsRunResult result;
  job.simulate.every = 2;
  ss_run_result_init (&result);
  SS_CHECK (ss_run (&job, NULL, &result, &err) == SS_ERR_INVALID && strstr (err.message, "rows of stages") != NULL);
  ss_run_result_clear (&result);
  simulate (scenario, method, fan, &result);
  for (int row = 0; row < ss_run_motion (&result)->n_rows; row++)
    SS_CHECK (!ss_stage_rows_is_one (ss_run_motion (&result), ss_stage_rows_channel (ss_run_motion (&result)), row));
  ss_run_result_clear (&result);
  ss_scenario_free (scenario);
}

/* Rows that are no stages are those of a run without the option, bit by bit, and so is all that is told of the run. */
static void
test_others (const SsMethod *method, const char *stages, const char *scheme)
{
  const char *const with[] = {"stage-rows=on", stages, scheme, NULL}, *const without[] = {stages, scheme, NULL};
  SsScenario *scenario = ss_test_read_text (scene_text);
  SsRunResult a, b;
  SsTrajectory *steps = NULL;
  simulate (scenario, method, without, &a);
  simulate (scenario, method, with, &b);
  const SsTrajectory *plain = ss_run_motion (&a), *all = ss_run_motion (&b);
  SS_CHECK (!ss_stage_rows_has (plain) && ss_stage_rows_has (all) && all->n_rows > 2 * plain->n_rows);
  SS_CHECK (all->n_channels == plain->n_channels + 3);
  SS_CHECK (ss_stage_rows_leave_out (all, &steps, NULL) == SS_OK);
  SS_CHECK (steps->n_rows == plain->n_rows);
  for (int row = 0, of_all = 0; row < plain->n_rows && row < steps->n_rows; row++) {
    SS_CHECK (memcmp (ss_trajectory_row (plain, row), ss_trajectory_row (steps, row),
                      (size_t)plain->n_channels * sizeof (double)) == 0);
    SS_CHECK (of_all >= 0 && ss_trajectory_row (all, of_all)[0] == ss_trajectory_row (plain, row)[0]);
    of_all = ss_stage_rows_next_step (all, ss_stage_rows_channel (all), of_all);
    SS_CHECK ((of_all < 0) == (row == plain->n_rows - 1));
  }
  for (int i = 0; i < SS_METRIC_COUNT; i++) {
    const double x = ss_metric_get (&a.metrics, (SsMetric)i), y = ss_metric_get (&b.metrics, (SsMetric)i);
    if (i != SS_METRIC_SETUP_SECONDS && i != SS_METRIC_SOLVE_SECONDS && i != SS_METRIC_CPU_SECONDS)
      SS_CHECK (x == y || (isnan (x) && isnan (y)));
  }
  check_times (plain, all);
  check_outcome (plain, all);
  check_controls (scenario, plain, all);
  SS_CHECK (a.events->n_items == b.events->n_items && a.events->n_items > 1);
  for (int row = 1; row < all->n_rows; row++) /* the second clock does not run backwards */
    for (int c = 0; c < all->n_channels; c++)
      if (ss_quantity_is_second_clock (all->channels[c].quantity))
        SS_CHECK (ss_trajectory_row (all, row)[c] >= ss_trajectory_row (all, row - 1)[c]);
  ss_trajectory_free (steps);
  ss_run_result_clear (&a);
  ss_run_result_clear (&b);
  ss_scenario_free (scenario);
}

static void
test_fesd_j (void)
{
  const SsMethod *method = ss_method_find (SS_METHOD_INTEGRATOR, "fesd-j", NULL);
  for (int i = 0; i < N_SCHEMES; i++)
    test_equations (method, &schemes[i]);
  test_energy (method);
  test_others (method, "stages=3", "scheme=radau-iia");
  test_others (method, "stages=4", "scheme=lobatto-iiic");
}

static void
test_event_driven (void)
{
  const SsMethod *method = ss_method_find (SS_METHOD_INTEGRATOR, "event-driven", NULL);
  test_equations (method, &schemes[0]);
  test_energy (method);
  test_others (method, "stages=4", "scheme=lobatto-iiic");
}

/* In numerical time: elements of Radau's scheme in tau, in which their stages lie at its nodes. */
static void
test_time_freezing (void)
{
  const SsMethod *method = ss_method_find (SS_METHOD_INTEGRATOR, "time-freezing", NULL);
  static const char *const settings[] = {"stages=2", "stage-rows=on", NULL};
  SsScenario *scenario = ss_test_read_text (scene_text);
  SsRunResult result;
  int n = 0;
  test_others (method, "stages=3", NULL);
  simulate (scenario, method, settings, &result);
  const SsTrajectory *motion = ss_run_motion (&result);
  for (int row = 1; row + 1 < motion->n_rows; row++) {
    if (value (motion, row, "stage") != 1)
      continue;
    const double start = value (motion, row - 1, "tau"), end = value (motion, row + 1, "tau");
    SS_CHECK_NEAR (value (motion, row, "tau"), start + (end - start) / 3, 1e-14);
    /* the speed of time of its forces: theta = 1 / (1 + lambda_n / a_n) is that of the row after where forces are */
    SS_CHECK (value (motion, row, "speed") > 0 && value (motion, row, "speed") <= 1);
    SS_CHECK ((value (motion, row, "speed") < 1) == (value (motion, row, "ground.lambda_n") > 0));
    n++;
  }
  SS_CHECK (n > 20);
  ss_run_result_clear (&result);
  ss_scenario_free (scenario);
}

int
main (void)
{
  SS_RUN (test_fesd_j);
  SS_RUN (test_event_driven);
  SS_RUN (test_time_freezing);
  SS_RUN (test_what_has_none);
  return ss_test_finish ();
}
