/* tests/numeric/test-fesd-estimate.c: errors that runs of fesd-j estimate, the orders that they measure, and steps by a
 * tolerance. Truth: formulas, and for impacts the same motion with seven stages. */
#include "fesd/ss-fesd-j.h"
#include "ss-test-scenario.h"
#include "ss-test-simulate.h"

#include <math.h>

/* ---- motions of one disc ----------------------------------------------------------------------------------------- */

/* A force on a disc of 1 kg that begins at x = 1, and its place after 1 s. */
typedef struct {
  const char *formula;
  double truth;
} Pull;

/* Smooth: x'' = -100 x. */
static Pull
spring (void)
{
  return (Pull){"-100*a.x", cos (10)};
}

/* It bends at multiples of pi/7, within elements: x'' = -200 |sin 7 t|; the integral of |sin| up to pi k + r is
 * 2 k + 1 - cos r. */
static Pull
bends (void)
{
  const int k = 2;
  const double r = 7 - k * acos (-1);
  double sum = (2 * k + 1) * r - sin (r);
  for (int j = 0; j < k; j++)
    sum += (2 * j + 1) * acos (-1);
  return (Pull){"-200*abs(sin(7*t))", 1 - 200 * sum / 49};
}

typedef struct {
  int n;
  char text[1024];
} Warnings;

static void
hear (void *user_data, const SsProgress *progress)
{
  Warnings *heard = user_data;
  if (progress->kind != SS_PROGRESS_LOG || progress->level != SS_LOG_WARNING)
    return;
  heard->n++;
  snprintf (heard->text, sizeof heard->text, "%s", progress->text);
}

/* The run's metrics; *error: of the place at the end. */
static SsSimMetrics
run_pull (Pull pull, const char *const *options, double dt, double *error, Warnings *warnings)
{
  char text[1024];
  snprintf (
      text, sizeof text,
      "{\"format\": 1, \"name\": \"pull\", \"scene\": {\"gravity\": [0, 0], \"bodies\": [{\"name\": \"a\", \"mass\": "
      "1, \"position\": [1, 0], \"shape\": {\"type\": \"circle\", \"radius\": 0.1}}], \"actuators\": [{\"name\": "
      "\"f\", \"type\": \"force\", \"body\": \"a\", \"direction\": [1, 0], \"lower\": -1000, \"upper\": 1000, "
      "\"formula\": \"%s\"}]}}",
      pull.formula);
  SsScenario *scenario = ss_test_read_text (text);
  SsRunControl control;
  *warnings = (Warnings){0};
  ss_run_control_init (&control);
  control.progress = hear;
  control.user_data = warnings;
  SsTestRun run = ss_test_simulate (scenario->scene, &ss_integrator_fesd_j, options, dt, 1, &control);
  *error = fabs (ss_test_last_value (run.trajectory, "a.x") - pull.truth);
  ss_trajectory_free (run.trajectory);
  ss_scenario_free (scenario);
  return run.metrics;
}

/* To a tenth and a hundredfold, where errors are above what ten thousand roundings leave. */
static bool
is_fair (double estimate, double error)
{
  return error < 1e-12 ? estimate < 1e-10 : estimate > 0.1 * error && estimate < 100 * error;
}

static void
test_smooth (void)
{
  static const struct {
    const char *scheme, *stages;
    int order;
  } schemes[] = {{"scheme=radau-iia", "stages=1", 1},      {"scheme=radau-iia", "stages=2", 3},
                 {"scheme=radau-iia", "stages=3", 5},      {"scheme=radau-iia", "stages=4", 7},
                 {"scheme=gauss-legendre", "stages=1", 2}, {"scheme=gauss-legendre", "stages=2", 4},
                 {"scheme=gauss-legendre", "stages=3", 6}, {"scheme=lobatto-iiic", "stages=2", 2},
                 {"scheme=lobatto-iiic", "stages=3", 4},   {"scheme=lobatto-iiic", "stages=4", 6}};
  for (size_t k = 0; k < sizeof schemes / sizeof *schemes; k++) {
    const char *const options[] = {schemes[k].scheme, schemes[k].stages, NULL};
    double error;
    Warnings warnings;
    const SsSimMetrics m = run_pull (spring (), options, 0.04, &error, &warnings);
    printf ("  %s %s: error %.1e, estimated %.1e, order %.2f of %d\n", options[0], options[1], error, m.error, m.order,
            schemes[k].order);
    SS_CHECK (m.has_error && m.due_order == schemes[k].order && warnings.n == 0);
    SS_CHECK (is_fair (m.error, error));
    if (error > 1e-8) /* of long elements, of one digit */
      SS_CHECK_NEAR (m.order, schemes[k].order, 0.4);
  }
}

/* What bends within elements has a lower order than the scheme, and the run says so; a tolerance goes around it. */
static void
test_bends (void)
{
  static const char *const stages[] = {"stages=3", "stages=4", "stages=5"};
  double error;
  Warnings warnings;
  for (int k = 0; k < 3; k++) {
    const char *const options[] = {stages[k], NULL};
    const SsSimMetrics m = run_pull (bends (), options, 0.01, &error, &warnings);
    printf ("  %s: error %.1e, estimated %.1e, order %.2f\n", stages[k], error, m.error, m.order);
    SS_CHECK (error > 1e-6 && is_fair (m.error, error));
    SS_CHECK (m.order > 0 && m.order < m.due_order - 1);
    SS_CHECK (warnings.n == 1 && strstr (warnings.text, "errors fall with order") != NULL);
  }
  const char *const options[] = {"tolerance=1e-8", NULL};
  const SsSimMetrics m = run_pull (bends (), options, 0.01, &error, &warnings);
  printf ("  tolerance=1e-8: error %.1e, estimated %.1e\n", error, m.error);
  SS_CHECK (error < 1e-8 && warnings.n == 0);
}

/* A second adds at most the tolerance to each of place and speed; the oscillator turns the one into ten times the
 * other. Errors follow the tolerance, also where a step is half a second and holds many elements. */
static void
test_tolerance (void)
{
  static const char *const tolerances[] = {"tolerance=1e-4", "tolerance=1e-7", "tolerance=1e-10"};
  double before = INFINITY;
  for (int k = 0; k < 3; k++)
    for (int i = 0; i < 2; i++) {
      const char *const options[] = {tolerances[k], NULL};
      double error;
      Warnings warnings;
      const SsSimMetrics m = run_pull (spring (), options, i == 0 ? 0.5 : 0.1, &error, &warnings);
      const double tolerance = pow (10, -4 - 3 * k);
      printf ("  %s: error %.1e, estimated %.1e\n", tolerances[k], error, m.error);
      SS_CHECK (error < 10 * tolerance && is_fair (m.error, error));
      SS_CHECK (i == 1 || error < 0.1 * before);
      before = i == 0 ? error : before;
    }
}

/* Two balls on a spring, of which the lower one bounces: impacts carry errors on. */
static void
test_impacts (void)
{
  static const char *const channels[2] = {"ball1.y", "ball2.y"};
  double truth[2] = {0};
  for (int stages = 7; stages >= 1; stages -= 2) {
    char text[16];
    double error = 0;
    snprintf (text, sizeof text, "stages=%d", stages);
    const char *const options[] = {text, NULL};
    SsScenario *scenario = ss_test_read_file ("examples/fesd-j/two-balls.stickslip.json", NULL, 0);
    SsTestRun run = ss_test_simulate (scenario->scene, &ss_integrator_fesd_j, options, 0.001, 0.5, NULL);
    for (int i = 0; i < 2; i++) {
      const double at = ss_test_last_value (run.trajectory, channels[i]);
      error = fmax (error, fabs (at - truth[i]));
      truth[i] = stages == 7 ? at : truth[i];
    }
    if (stages < 7) {
      printf ("  %s: error %.1e, estimated %.1e\n", text, error, run.metrics.error);
      SS_CHECK (is_fair (run.metrics.error, error));
    }
    ss_trajectory_free (run.trajectory);
    ss_scenario_free (scenario);
  }
}

/* A ball whose bounces end, alone and beside one that falls far away: an exact parabola, fast, which has no part in the
 * flights that the end of the bounces passes over. The error is the same but for rounding. */
static void
test_falling_beside (void)
{
  double error[2];
  for (int is_beside = 0; is_beside < 2; is_beside++) {
    char text[1400];
    snprintf (text, sizeof text,
              "{\"format\": 1, \"name\": \"b\", \"scene\": {\"gravity\": [0, -9.81], \"restitution\": 0.5, \"bodies\": "
              "[{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]}}, "
              "{\"name\": "
              "\"ball\", \"mass\": 1, \"position\": [0, 0.3], \"shape\": {\"type\": \"circle\", \"radius\": 0.1}}%s]}}",
              is_beside
                  ? ", {\"name\": \"far\", \"mass\": 1, \"position\": [9, 50], \"velocity\": [0, -10], \"shape\": "
                    "{\"type\": \"circle\", \"radius\": 0.1}}"
                  : "");
    SsScenario *scenario = ss_test_read_text (text);
    SsTestRun run = ss_test_simulate (scenario->scene, &ss_integrator_fesd_j, NULL, 0.05, 1.2, NULL);
    error[is_beside] = run.metrics.error;
    SS_CHECK (run.metrics.has_error);
    if (is_beside) /* y = 50 - 10 t - g t^2 / 2 */
      SS_CHECK_NEAR (ss_test_last_value (run.trajectory, "far.y"), 50 - 10 * 1.2 - 9.81 / 2 * 1.2 * 1.2, 1e-10);
    ss_trajectory_free (run.trajectory);
    ss_scenario_free (scenario);
  }
  printf ("  estimated %.2e alone, %.2e beside\n", error[0], error[1]);
  SS_CHECK (error[0] > 0 && error[1] < 1.01 * error[0] + 1e-12);
}

int
main (void)
{
  SS_RUN (test_smooth);
  SS_RUN (test_bends);
  SS_RUN (test_tolerance);
  SS_RUN (test_impacts);
  SS_RUN (test_falling_beside);
  return ss_test_finish ();
}
