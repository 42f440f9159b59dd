/* tests/numeric/test-sensitivity-sides.c: derivatives of metrics, on one side of breaks and at the ends of ranges, and
 * of motions by time-freezing. Truth: closed forms. */
#include "fesd/ss-fesd-j.h"
#include "fesd/ss-time-freezing.h"
#include "run/ss-run-simulate.h"
#include "simulate/ss-sensitivity.h"
#include "simulate/ss-simulate.h"
#include "ss-test-scenario.h"

#include <math.h>
#include <string.h>

static const double g = 9.81;
/* What central differences of 1e-5 leave: 1e-10, and rounding over the elements. */
static const double closed = 1e-9;
/* Extrapolated from the side: 1e-9, and the rounding of three runs with weights of 5 in all. */
static const double sided = 1e-8;
/* Where the side begins with a fall that lasts the square root of the distance f, differences over f / 100 of it are
 * off by some (1 / 100)^2 / 8 of what it moves. */
static const double by_root = 5e-5;

#define FLOOR "{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]}}"
#define BEGIN                                                                                                          \
  "{\"format\": 1, \"name\": \"s\", \"parameters\": {\"mu\": {\"value\": 0.3, \"minimum\": 0}, \"e\": "                \
  "{\"value\": 0.7, \"minimum\": 0, \"maximum\": 1}, \"f\": {\"value\": 0}}, "
#define BOX(v_, end_, more_)                                                                                           \
  BEGIN "\"scene\": {\"gravity\": [0, -9.81], \"friction\": \"mu\", \"bodies\": [" FLOOR                               \
        ", {\"name\": \"box\", \"mass\": 2, \"position\": [0, 0.1], \"velocity\": [" #v_ ", 0], " more_                \
        "\"shape\": {\"type\": \"box\", \"width\": 0.4, \"height\": 0.2}}]"                                            \
        ", \"contacts\": \"all\"}, \"task\": {\"t_end\": " #end_ ", \"dt\": 0.01}}"
#define BALL(e_)                                                                                                       \
  BEGIN "\"scene\": {\"gravity\": [0, -9.81], \"restitution\": " e_ ", \"bodies\": [" FLOOR                            \
        ", {\"name\": \"ball\", \"mass\": 3, \"position\": [0, 1.1], \"velocity\": [0.5, 0], \"shape\": {\"type\": "   \
        "\"circle\", \"radius\": 0.1}}], \"contacts\": \"all\"}, \"task\": {\"t_end\": 1.5, \"dt\": 0.01}}"

enum { BODY = 1 };

/* A run of that text with a parameter set (NULL: as it is), by one number; s is result.sensitivity. */
static SsRunResult
run (const char *text, const SsOverride *set, const SsIntegratorClass *integrator, const char *name)
{
  SsRunResult result;
  SsError err = {0};
  SsProblems problems;
  SsScenario *scenario = NULL;
  ss_problems_init (&problems);
  ss_run_result_init (&result);
  SsStatus status = ss_scenario_read (text, strlen (text), "s", set, set != NULL, &problems, &scenario);
  if (status == SS_OK) {
    const SsSimulateJob job = {.scenario = scenario,
                               .integrator = integrator,
                               .dt = NAN,
                               .t_end = NAN,
                               .sensitivity = &name,
                               .n_sensitivity = 1,
                               .wants_sides = true};
    status = ss_run_simulate (&job, NULL, &result, &err);
  }
  if (status != SS_OK || result.sensitivity == NULL)
    printf ("  %s %s\n", err.message, problems.n_items > 0 ? problems.items[0].message : "");
  SS_CHECK (status == SS_OK && result.outcome == SS_OUTCOME_COMPLETED && result.sensitivity != NULL);
  ss_problems_clear (&problems);
  ss_scenario_free (scenario);
  return result;
}

static void
check_near (const char *what, double value, double truth, double tolerance)
{
  const bool is_near = fabs (value - truth) <= tolerance * fmax (1, fabs (truth));
  if (!is_near)
    printf ("  %s: %.15g, not %.15g: off by %.2e\n", what, value, truth, value - truth);
  SS_CHECK (is_near);
}

static double
metric (const SsRunResult *result, SsMetric which)
{
  SsMetricSet slopes;
  ss_sensitivity_metrics (result->sensitivity, 0, &slopes);
  return ss_metric_get (&slopes, which);
}

/* Coordinate c of the body with a little more or less of the number; NaN, and why. */
static double
side (const SsRunResult *result, bool is_more, int c, SsSensitivitySideKind *why)
{
  const SsSensitivitySide *found = ss_sensitivity_side (result->sensitivity, 0, is_more);
  SS_CHECK (found != NULL);
  *why = found != NULL ? found->kind : SS_SENSITIVITY_SIDE_N;
  return found != NULL ? found->slopes[BODY * SS_BODY_CHANNELS + c] : NAN;
}

/* ---- metrics ----------------------------------------------------------------------------------------------------- */

/* While it slides its speed is v - mu g t; what friction took of its energy is the rest. */
static void
test_energy_of_slide (void)
{
  const double m = 2, v = 1.5, t = 0.2, mu = 0.3, h = 0.1, now = v - mu * g * t;
  const struct {
    const char *name;
    double initial, final;
  } cases[] = {{"mu", 0, -m * now * g * t},
               {"box.vx", m * v, m * now},
               {"box.mass", v * v / 2 + g * h, now * now / 2 + g * h},
               {"box.x", 0, 0}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    SsRunResult r = run (BOX (1.5, 0.2, ""), NULL, &ss_integrator_fesd_j, cases[i].name);
    check_near (cases[i].name, metric (&r, SS_METRIC_ENERGY_INITIAL), cases[i].initial, closed);
    check_near (cases[i].name, metric (&r, SS_METRIC_ENERGY_FINAL), cases[i].final, closed);
    SS_CHECK (isnan (metric (&r, SS_METRIC_STEPS)) && isnan (metric (&r, SS_METRIC_MAX_PENETRATION)));
    ss_run_result_clear (&r);
  }
}

/* Two impacts leave e^4 of the energy of the fall. */
static void
test_energy_of_bounces (void)
{
  const double e = 0.7, m = 3;
  SsRunResult r = run (BALL ("\"e\""), NULL, &ss_integrator_fesd_j, "e");
  check_near ("dE/de", metric (&r, SS_METRIC_ENERGY_FINAL), 4 * e * e * e * m * g, closed);
  check_near ("dE0/de", metric (&r, SS_METRIC_ENERGY_INITIAL), 0, closed);
  ss_run_result_clear (&r);
}

/* The slopes are kept with the run, with gap and energies: the gap of the ball is its height. */
static void
test_slopes_are_kept (void)
{
  SsRunResult r = run (BALL ("\"e\""), NULL, &ss_integrator_fesd_j, "ball.y");
  const SsTrajectory *kept = NULL;
  for (int i = 0; i < r.n_motions; i++)
    if (r.motions[i].role == SS_MOTION_SLOPES)
      kept = r.motions[i].trajectory;
  SS_CHECK (kept != NULL && kept->n_rows == 151);
  for (int row = 0; kept != NULL && row < kept->n_rows; row += 10) {
    const double *values = ss_trajectory_row (kept, row);
    const double height = values[ss_trajectory_channel (kept, "d.ball.y.ball.y")];
    check_near ("gap", values[ss_trajectory_channel (kept, "d.ball.y.floor-ball.gap")], height, closed);
    check_near ("potential", values[ss_trajectory_channel (kept, "d.ball.y.energy.potential")], 3 * g * height, closed);
  }
  ss_run_result_clear (&r);
}

/* ---- sides ------------------------------------------------------------------------------------------------------- */

/* It slides on the floor. Thrown up, it flies for 2 s / g, and the landing's friction takes mu s of its speed, half of
 * what sliding would have taken; pushed down, it loses mu s at once: either way x moves by v / (mu g) mu s. */
static void
test_thrown_up (void)
{
  SsSensitivitySideKind less, more;
  SsRunResult r = run (BOX (1.5, 1, ""), NULL, &ss_integrator_fesd_j, "box.vy");
  SS_CHECK (r.sensitivity->n_breaks == 1 && r.sensitivity->breaks[0].kind == SS_SENSITIVITY_TOUCHING);
  check_near ("less", side (&r, false, 0, &less), 1.5 / g, sided);
  check_near ("more", side (&r, true, 0, &more), 1.5 / g, sided);
  SS_CHECK (less == SS_SENSITIVITY_SIDE_EXISTS && more == SS_SENSITIVITY_SIDE_EXISTS);
  check_near ("both", ss_sensitivity_final (r.sensitivity, 0, BODY, 0), 1.5 / g, sided);
  ss_run_result_clear (&r);
}

/* From s above it falls for the time T = sqrt (2 s / g): the landing takes the speed mu g T that sliding would have
 * taken, and it is ahead by mu g T^2 / 2 = mu s. Lower, it would overlap. */
static void
test_lifted (void)
{
  SsSensitivitySideKind less, more;
  SsRunResult r = run (BOX (1.5, 1, ""), NULL, &ss_integrator_fesd_j, "box.y");
  check_near ("more", side (&r, true, 0, &more), 0.3, by_root);
  SS_CHECK (isnan (side (&r, false, 0, &less)) && less == SS_SENSITIVITY_SIDE_OVERLAP);
  SS_CHECK (more == SS_SENSITIVITY_SIDE_EXISTS && isnan (ss_sensitivity_final (r.sensitivity, 0, BODY, 0)));
  ss_run_result_clear (&r);
}

/* It falls flat: turned, one corner comes first, and however little that is, it ends turning. */
static void
test_falls_flat (void)
{
  SsSensitivitySideKind why;
  SsRunResult r =
      run (BEGIN "\"scene\": {\"gravity\": [0, -9.81], \"bodies\": [" FLOOR
                 ", {\"name\": \"box\", \"mass\": 2, \"position\": [0, 0.3], \"shape\": {\"type\": \"box\", "
                 "\"width\": 0.4, \"height\": 0.2}}], \"restitution\": 0.5, \"contacts\": \"all\"}, \"task\": "
                 "{\"t_end\": 0.25, \"dt\": 0.01}}",
           NULL, &ss_integrator_fesd_j, "box.theta");
  SS_CHECK (r.sensitivity->n_breaks == 1 && r.sensitivity->breaks[0].kind == SS_SENSITIVITY_SIMULTANEOUS);
  SS_CHECK (isnan (side (&r, false, 0, &why)) && why == SS_SENSITIVITY_SIDE_JUMP);
  SS_CHECK (isnan (side (&r, true, 0, &why)) && why == SS_SENSITIVITY_SIDE_JUMP);
  ss_run_result_clear (&r);
}

/* A force of just mu m g: less does not move the box, more moves it by (f - mu m g) t^2 / (2 m). */
static void
test_stick_at_its_bound (void)
{
  SsSensitivitySideKind less, more;
  SsRunResult r = run (
      "{\"format\": 1, \"name\": \"s\", \"parameters\": {\"f\": {\"value\": 5}}, \"scene\": {\"gravity\": [0, -10], "
      "\"friction\": 0.25, \"bodies\": [" FLOOR
      ", {\"name\": \"box\", \"mass\": 2, \"position\": [0, 0.1], \"shape\": {\"type\": \"box\", \"width\": 0.4, "
      "\"height\": 0.2}}], \"forces\": [{\"name\": \"push\", \"body\": \"box\", \"force\": [\"f\", \"0\"]}], "
      "\"contacts\": \"all\"}, \"task\": {\"t_end\": 1, \"dt\": 0.01}}",
      NULL, &ss_integrator_fesd_j, "f");
  SS_CHECK (r.sensitivity->n_breaks == 1 && r.sensitivity->breaks[0].kind == SS_SENSITIVITY_BOUND);
  check_near ("less", side (&r, false, 0, &less), 0, sided);
  check_near ("more", side (&r, true, 0, &more), 1 / (2 * 2.), sided);
  check_near ("more, speed", side (&r, true, 3, &more), 1 / 2., sided);
  SS_CHECK (isnan (ss_sensitivity_final (r.sensitivity, 0, BODY, 0)));
  ss_run_result_clear (&r);
}

/* A disc that is just as high as the ceiling: slower, it does not reach it, x = v t - g t^2 / 2; faster, it hits it at
 * the square root of what is left of its energy. At the end of a step, and within one. */
static void
test_ceiling_just_reached (void)
{
  static const struct {
    const char *text;
    double t;
  } cases[] = {{"1.1", 2}, {"1.106009", 2.006}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    SsSensitivitySideKind less, more;
    char text[1024];
    snprintf (text, sizeof text,
              "{\"format\": 1, \"name\": \"s\", \"parameters\": {\"v\": {\"value\": %g}}, \"scene\": {\"gravity\": [0, "
              "-2], \"restitution\": 0.5, \"bodies\": [{\"name\": \"ceiling\", \"fixed\": true, \"position\": [0, %s], "
              "\"shape\": {\"type\": \"half-plane\", \"normal\": [0, -1]}}, {\"name\": \"disc\", \"mass\": 2, "
              "\"position\": [0, 0], \"velocity\": [0, \"v\"], \"shape\": {\"type\": \"circle\", \"radius\": 0.1}}], "
              "\"contacts\": \"all\"}, \"task\": {\"t_end\": 1.5, \"dt\": 0.01}}",
              cases[i].t, cases[i].text);
    SsRunResult r = run (text, NULL, &ss_integrator_fesd_j, "v");
    SS_CHECK (r.sensitivity->n_breaks == 1 && r.sensitivity->breaks[0].kind == SS_SENSITIVITY_GRAZING);
    check_near ("less", side (&r, false, 1, &less), 1.5, sided);
    SS_CHECK (isnan (side (&r, true, 1, &more)) && more == SS_SENSITIVITY_SIDE_UNBOUNDED);
    ss_run_result_clear (&r);
  }
}

/* It strikes two walls at once, at right angles: each takes its own speed, whichever comes first. */
static void
test_corner (void)
{
  SsSensitivitySideKind less, more;
  SsRunResult r =
      run ("{\"format\": 1, \"name\": \"s\", \"scene\": {\"gravity\": [0, 0], \"restitution\": 0.5, \"bodies\": ["
           "{\"name\": \"wall\", \"fixed\": true, \"position\": [1.1, 0], \"shape\": {\"type\": \"half-plane\", "
           "\"normal\": [-1, 0]}}, {\"name\": \"disc\", \"mass\": 2, \"position\": [0, 0], \"velocity\": [1, 1], "
           "\"shape\": {\"type\": \"circle\", \"radius\": 0.1}}, {\"name\": \"floor\", \"fixed\": true, \"position\": "
           "[0, 1.1], \"shape\": {\"type\": \"half-plane\", \"normal\": [0, -1]}}], \"contacts\": \"all\"}, "
           "\"task\": {\"t_end\": 1.505, \"dt\": 0.01}}",
           NULL, &ss_integrator_fesd_j, "disc.x");
  SS_CHECK (r.sensitivity->n_breaks == 1 && r.sensitivity->breaks[0].kind == SS_SENSITIVITY_SIMULTANEOUS);
  check_near ("less", side (&r, false, 0, &less), -0.5, sided);
  check_near ("more", side (&r, true, 0, &more), -0.5, sided);
  check_near ("both", ss_sensitivity_final (r.sensitivity, 0, BODY, 0), -0.5, sided);
  ss_run_result_clear (&r);
}

/* ---- ends of ranges ---------------------------------------------------------------------------------------------- */

static void
test_no_friction (void)
{
  SsSensitivitySideKind more;
  SsRunResult r = run (BOX (1.5, 1, ""), &(SsOverride){"mu", 0}, &ss_integrator_fesd_j, "mu");
  SS_CHECK (r.sensitivity->n_breaks == 1 && r.sensitivity->breaks[0].kind == SS_SENSITIVITY_END);
  check_near ("x", ss_sensitivity_final (r.sensitivity, 0, BODY, 0), -g / 2, sided);
  check_near ("vx", ss_sensitivity_final (r.sensitivity, 0, BODY, 3), -g, sided);
  check_near ("more", side (&r, true, 3, &more), -g, sided);
  SS_CHECK (ss_sensitivity_side (r.sensitivity, 0, false) == NULL);
  check_near ("energy", metric (&r, SS_METRIC_ENERGY_FINAL), -2 * 1.5 * g, sided);
  const SsTrajectory *slopes = r.sensitivity->slopes;
  check_near ("x in between", ss_trajectory_row (slopes, 30)[ss_trajectory_channel (slopes, "d.mu.box.x")],
              -g * 0.3 * 0.3 / 2, sided);
  ss_run_result_clear (&r);
}

/* A ball that loses nothing: with t_1 = sqrt (2 h / g), impact n is at t_1 (1 + 2 e + ... + 2 e^(n - 1)). */
static void
test_no_loss (void)
{
  const double t1 = sqrt (2 / g), v = sqrt (2 * g);
  SsRunResult r = run (BALL ("\"e\""), &(SsOverride){"e", 1}, &ss_integrator_fesd_j, "e");
  int n = 0;
  for (int i = 0; i < r.events->n_items; i++)
    if (r.events->items[i].kind == SS_EVENT_IMPACT) {
      check_near ("t", r.events->items[i].t, t1 * (1 + 2 * n), closed);
      check_near ("dt/de", r.sensitivity->event_slopes[i], t1 * n * (n + 1), sided);
      n++;
    }
  SS_CHECK (n == 2); /* at 0.45 s and 1.35 s */
  const double tau = 1.5 - 3 * t1, dv = 2 * v, dtau = -2 * t1;
  check_near ("dy/de", ss_sensitivity_final (r.sensitivity, 0, BODY, 1), dv * tau + (v - g * tau) * dtau, sided);
  SS_CHECK (ss_sensitivity_side (r.sensitivity, 0, true) == NULL);
  ss_run_result_clear (&r);
}

/* ---- time-freezing ----------------------------------------------------------------------------------------------- */

/* The same motions, whose impacts take numerical time: an excursion of 64 elements is off by 1e-9 of its speed. */
static void
test_frozen (void)
{
  SsRunResult r = run (BOX (1.5, 1, "\"lock\": [\"theta\"], "), NULL, &ss_integrator_time_freezing, "mu");
  check_near ("dx/dmu", ss_sensitivity_final (r.sensitivity, 0, BODY, 0), -1.5 * 1.5 / (2 * 0.09 * g), closed);
  SS_CHECK (r.sensitivity->n_breaks == 0);
  ss_run_result_clear (&r);
  r = run (BALL ("\"e\""), NULL, &ss_integrator_time_freezing, "e");
  const double e = 0.7, t1 = sqrt (2 / g);
  double slope = 0;
  int n = 0;
  /* impacts at 0.45 s and 1.08 s; the third would be at 1.52 s */
  for (int i = 0; i < r.events->n_items; i++)
    if (r.events->items[i].kind == SS_EVENT_IMPACT) {
      check_near ("dt/de", r.sensitivity->event_slopes[i], t1 * slope, 1e-8);
      slope += 2 * (n + 1) * pow (e, n);
      n++;
    }
  SS_CHECK (n == 2);
  const double since = 1.5 - t1 * (1 + 2 * e), up = e * e * sqrt (2 * g), dup = 2 * e * sqrt (2 * g);
  check_near ("dy/de", ss_sensitivity_final (r.sensitivity, 0, BODY, 1), dup * since + (up - g * since) * (-t1 * 2),
              1e-7);
  ss_run_result_clear (&r);
}

int
main (void)
{
  SS_RUN (test_energy_of_slide);
  SS_RUN (test_energy_of_bounces);
  SS_RUN (test_slopes_are_kept);
  SS_RUN (test_thrown_up);
  SS_RUN (test_lifted);
  SS_RUN (test_falls_flat);
  SS_RUN (test_stick_at_its_bound);
  SS_RUN (test_ceiling_just_reached);
  SS_RUN (test_corner);
  SS_RUN (test_no_friction);
  SS_RUN (test_no_loss);
  SS_RUN (test_frozen);
  return ss_test_finish ();
}
