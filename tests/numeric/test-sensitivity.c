/* tests/numeric/test-sensitivity.c: derivatives of motions by numbers of their scenes, through impacts, slips and
 * stops. Truth: closed forms, and differences of whole runs. */
#include "fesd/ss-event-driven.h"
#include "fesd/ss-fesd-j.h"
#include "run/ss-run-sensitivity.h"
#include "ss-test-scenario.h"
#include "ss-test-simulate.h"

#include <math.h>

/* A run with derivatives by names with commas. */
static SsSimResult
run (const SsScenario *scenario, const SsIntegratorClass *integrator, const char *const *options_text,
     const char *names, double dt, double t_end)
{
  SsSimResult result = {0};
  SsError err = {0};
  _Alignas(max_align_t) char options[1024];
  char text[256], *at = text;
  const char *list[16];
  int n = 0;
  SsSensitivityInputs *inputs = NULL;
  snprintf (text, sizeof text, "%s", names);
  for (char *name = strtok_r (text, ",", &at); name != NULL && n < 16; name = strtok_r (NULL, ",", &at))
    list[n++] = name;
  ss_test_set_options (integrator->options, options, options_text, &err);
  SsStatus status = n > 0 ? ss_sensitivity_inputs_new (scenario, NULL, list, n, &inputs, &err) : SS_OK;
  const SsSimJob job = {.scene = scenario->scene,
                        .integrator = integrator,
                        .options = options,
                        .dt = dt,
                        .t_end = t_end,
                        .inputs = inputs != NULL ? inputs->inputs : NULL,
                        .n_inputs = n};
  if (status == SS_OK)
    status = ss_simulate_job (&job, NULL, &result, &err);
  if (status != SS_OK)
    printf ("  %s\n", err.message);
  SS_CHECK (status == SS_OK && result.outcome == SS_OUTCOME_COMPLETED);
  ss_sensitivity_inputs_free (inputs);
  return result;
}

static bool
is_near (const char *what, double value, double truth, double tolerance)
{
  const bool is_so = fabs (value - truth) <= tolerance * fmax (1, fabs (truth));
  if (!is_so)
    printf ("  %s: %.15g, not %.15g: off by %.2e\n", what, value, truth, value - truth);
  return is_so;
}

/* Number of the n-th event of that kind; -1. */
static int
event_of (const SsSimResult *result, SsEventKind kind, int n)
{
  for (int i = 0; i < result->events->n_items; i++)
    if (result->events->items[i].kind == kind && n-- == 0)
      return i;
  return -1;
}

/* ---- closed forms ------------------------------------------------------------------------------------------------ */

/* Closed forms hold to what central differences of 1e-5 leave: 1e-10 of them, and rounding over the elements. */
static const double closed = 1e-9;

#define FLOOR "{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]}}"
#define BEGIN "{\"format\": 1, \"name\": \"s\", \"parameters\": {\"mu\": {\"value\": 0.3}, \"e\": {\"value\": 0.7}}, "

static void
test_sliding_block (void)
{
  SsScenario *scenario = ss_test_read_text (
      BEGIN
      "\"scene\": {\"gravity\": [0, -9.81], \"friction\": \"mu\", \"bodies\": [" FLOOR
      ", {\"name\": \"box\", \"mass\": 2, \"position\": [0, 0.1], \"velocity\": [1.5, 0], \"shape\": {\"type\": "
      "\"box\", \"width\": 0.4, \"height\": 0.2}}], \"contacts\": \"all\"}, \"task\": {\"t_end\": 1, \"dt\": 0.01}}");
  SsSimResult r = run (scenario, &ss_integrator_fesd_j, NULL, "mu,box.vx,box.x,box.mass", 0.01, 1);
  const double mu = 0.3, g = 9.81, v = 1.5;
  const int box = 1, stick = event_of (&r, SS_EVENT_STICK, 0);
  SS_CHECK (is_near ("dx/dmu", ss_sensitivity_final (r.sensitivity, 0, box, 0), -v * v / (2 * mu * mu * g), closed));
  SS_CHECK (is_near ("dx/dv", ss_sensitivity_final (r.sensitivity, 1, box, 0), v / (mu * g), closed));
  SS_CHECK (is_near ("dx/dx", ss_sensitivity_final (r.sensitivity, 2, box, 0), 1, closed));
  SS_CHECK (is_near ("dx/dm", ss_sensitivity_final (r.sensitivity, 3, box, 0), 0, closed));
  SS_CHECK (is_near ("dvx/dmu", ss_sensitivity_final (r.sensitivity, 0, box, 3), 0, closed));
  SS_CHECK (stick >= 0 && r.sensitivity->n_events > stick);
  SS_CHECK (is_near ("dt/dmu", r.sensitivity->event_slopes[4 * stick], -v / (mu * mu * g), closed));
  SS_CHECK (is_near ("dt/dv", r.sensitivity->event_slopes[4 * stick + 1], 1 / (mu * g), closed));
  SS_CHECK (r.sensitivity->n_breaks == 0);
  /* in between: x = v t - mu g t^2 / 2 */
  const SsTrajectory *slopes = r.sensitivity->slopes;
  const double t = ss_trajectory_row (slopes, 20)[0];
  SS_CHECK (is_near ("t", t, 0.2, 1e-12));
  SS_CHECK (is_near ("dx(t)/dmu", ss_test_value (slopes, 20, "d.mu.box.x"), -g * t * t / 2, closed));
  SS_CHECK (is_near ("dvx(t)/dmu", ss_test_value (slopes, 20, "d.mu.box.vx"), -g * t, closed));
  ss_sim_result_clear (&r);
  ss_scenario_free (scenario);
}

/* A ball that falls from h: impacts at t_1 = sqrt (2 h / g), then each flight lasts 2 e^n t_1. */
static void
test_bouncing_ball (void)
{
  static const SsIntegratorClass *const integrators[] = {&ss_integrator_fesd_j, &ss_integrator_event_driven};
  static const char *const laws[] = {NULL, "law=anitescu-potra"};
  SsScenario *scenario = ss_test_read_text (
      BEGIN "\"scene\": {\"gravity\": [0, -9.81], \"restitution\": \"e\", \"bodies\": [" FLOOR
            ", {\"name\": \"ball\", \"mass\": 1, \"position\": [0, 1.1], \"velocity\": [0.5, 0], \"shape\": {\"type\": "
            "\"circle\", \"radius\": 0.1}}], \"contacts\": \"all\"}, \"task\": {\"t_end\": 1.5, \"dt\": 0.01}}");
  const double e = 0.7, g = 9.81, h = 1, t1 = sqrt (2 * h / g), t_end = 1.5;
  for (int k = 0; k < 2; k++) {
    const char *const options[] = {laws[k], NULL};
    SsSimResult r = run (scenario, integrators[k], options, "e,ball.y", 0.01, t_end);
    double sum = 1, slope = 0; /* of flights before the n-th impact: t_n = t1 (1 + 2 e + ... + 2 e^(n - 1)) */
    int n = 0;
    for (int i = event_of (&r, SS_EVENT_IMPACT, n); i >= 0; i = event_of (&r, SS_EVENT_IMPACT, ++n)) {
      SS_CHECK (is_near ("t", r.events->items[i].t, t1 * sum, 1e-12));
      SS_CHECK (is_near ("dt/de", r.sensitivity->event_slopes[2 * i], t1 * slope, closed));
      SS_CHECK (is_near ("dt/dh", r.sensitivity->event_slopes[2 * i + 1], t1 * sum / (2 * h), closed));
      slope += 2 * (n + 1) * pow (e, n);
      sum += 2 * pow (e, n + 1);
    }
    SS_CHECK (n == 2);
    /* y = v_n tau - g tau^2 / 2 with v_n = e^n sqrt (2 g h), tau = t - t_n */
    const double last = sum - 2 * pow (e, n), before = slope - 2 * n * pow (e, n - 1), tau = t_end - t1 * last,
                 v = pow (e, n) * sqrt (2 * g * h), dv = n * pow (e, n - 1) * sqrt (2 * g * h), dtau = -t1 * before;
    SS_CHECK (
        is_near ("dy/de", ss_sensitivity_final (r.sensitivity, 0, 1, 1), dv * tau + (v - g * tau) * dtau, closed));
    SS_CHECK (is_near ("dvy/de", ss_sensitivity_final (r.sensitivity, 0, 1, 4), dv - g * dtau, closed));
    SS_CHECK (is_near ("dy/dh", ss_sensitivity_final (r.sensitivity, 1, 1, 1),
                       v / (2 * h) * tau - (v - g * tau) * t1 * last / (2 * h), closed));
    SS_CHECK (r.sensitivity->n_breaks == 0);
    ss_sim_result_clear (&r);
  }
  ss_scenario_free (scenario);
}

/* K and E of the modulus k, by the arithmetic-geometric mean (Abramowitz and Stegun 17.6). */
static void
elliptic (double k, double *first, double *second)
{
  double a = 1, b = sqrt (1 - k * k), c = k, sum = c * c, power = 1;
  for (int i = 0; i < 8; i++) {
    const double mean = (a + b) / 2;
    c = (a - b) / 2;
    b = sqrt (a * b);
    a = mean;
    power *= 2;
    sum += power * c * c;
  }
  *first = acos (-1) / (2 * a);
  *second = *first * (1 - sum / 2);
}

/* From rest at the angle a it is at the bottom after K (sin (a / 2)) / w, and the stop takes its speed. */
static void
test_pendulum_on_stop (void)
{
  SsScenario *scenario = ss_test_read_text (
      "{\"format\": 1, \"name\": \"p\", \"parameters\": {\"a\": {\"value\": 1.2}}, \"scene\": {\"gravity\": [0, "
      "-9.81], "
      "\"bodies\": [{\"name\": \"bob\", \"mass\": 2, \"inertia\": 0.1, \"position\": [\"0.5*sin(a)\", "
      "\"-0.5*cos(a)\"], "
      "\"angle\": \"a\", \"shape\": {\"type\": \"circle\", \"radius\": 0.1}}], \"joints\": [{\"name\": \"pin\", "
      "\"type\": \"pin\", \"bodies\": [\"world\", \"bob\"], \"anchors\": [[0, 0], [0, 0.5]], \"lower\": 0, \"upper\": "
      "3}]}, "
      "\"task\": {\"t_end\": 1, \"dt\": 0.01}}");
  if (scenario == NULL)
    return;
  const double a = 1.2, w = sqrt (2 * 9.81 * 0.5 / (0.1 + 2 * 0.25)), k = sin (a / 2);
  double first, second;
  elliptic (k, &first, &second);
  SsSimResult r = run (scenario, &ss_integrator_fesd_j, NULL, "a", 0.01, 1);
  const int stop = event_of (&r, SS_EVENT_LIMIT, 0);
  SS_CHECK (stop >= 0);
  if (stop >= 0) {
    SS_CHECK (is_near ("t", r.events->items[stop].t, first / w, 1e-10));
    SS_CHECK (is_near ("dt/da", r.sensitivity->event_slopes[stop],
                       (second / (1 - k * k) - first) / k * cos (a / 2) / 2 / w, closed));
  }
  SS_CHECK (is_near ("dx/da", ss_sensitivity_final (r.sensitivity, 0, 0, 0), 0, closed)); /* it rests at the stop */
  ss_sim_result_clear (&r);
  ss_scenario_free (scenario);
}

/* A bob that turns while its centre stands does not fit its pin, which leaves it J w / (J + m l^2) at once. */
static void
a_start_that_fits_no_joint_is_part_of_the_motion (void)
{
  SsScenario *scenario = ss_test_read_text (
      "{\"format\": 1, \"name\": \"p\", \"scene\": {\"gravity\": [0, 0], \"bodies\": [{\"name\": \"bob\", \"mass\": 2, "
      "\"inertia\": 0.1, \"position\": [0, -0.5], \"angular_velocity\": 3, \"shape\": {\"type\": \"circle\", "
      "\"radius\": 0.1}}], \"joints\": [{\"name\": \"pin\", \"type\": \"pin\", \"bodies\": [\"world\", \"bob\"], "
      "\"anchor\": [0, 0]}]}, \"task\": {\"t_end\": 0.4, \"dt\": 0.01}}");
  if (scenario == NULL)
    return;
  const double w = 3, t = 0.4, inertia = 0.1, ml2 = 2 * 0.25, all = inertia + ml2;
  SsSimResult r = run (scenario, &ss_integrator_event_driven, NULL, "bob.inertia,bob.mass,bob.omega,bob.vx", 0.01, 0.4);
  const double truths[] = {w * ml2 / all / all * t, -w * inertia * 0.25 / all / all * t, inertia / all * t,
                           2 * 0.5 / all * t};
  for (int i = 0; i < 4; i++)
    SS_CHECK (is_near ("dtheta/dp", ss_sensitivity_final (r.sensitivity, i, 0, 2), truths[i], closed));
  SS_CHECK (is_near ("domega/dJ", ss_sensitivity_final (r.sensitivity, 0, 0, 5), w * ml2 / all / all, closed));
  SS_CHECK (r.sensitivity->n_breaks == 0);
  ss_sim_result_clear (&r);
  ss_scenario_free (scenario);
}

/* The kinds of breaks that derivatives by `name` meet, as bits. */
static unsigned
breaks_of (const char *text, const char *name)
{
  SsScenario *scenario = ss_test_read_text (text);
  SsSimResult r = run (scenario, &ss_integrator_fesd_j, NULL, name, 0.01, 1);
  unsigned kinds = 0;
  for (int i = 0; i < r.sensitivity->n_breaks; i++)
    kinds |= 1u << r.sensitivity->breaks[i].kind;
  const bool is_known = !isnan (ss_sensitivity_final (r.sensitivity, 0, 1, 0));
  SS_CHECK (is_known == ((kinds & ~(1u << SS_SENSITIVITY_ACCUMULATION)) == 0));
  ss_sim_result_clear (&r);
  ss_scenario_free (scenario);
  return kinds;
}

#define BOX(y_)                                                                                                        \
  BEGIN "\"scene\": {\"gravity\": [0, -9.81], \"friction\": \"mu\", \"bodies\": [" FLOOR                               \
        ", {\"name\": \"box\", \"mass\": 2, \"position\": [0, " #y_                                                    \
        "], \"velocity\": [1.5, 0], \"shape\": {\"type\": "                                                            \
        "\"box\", \"width\": 0.4, \"height\": 0.2}}], \"contacts\": \"all\"}, \"task\": {\"t_end\": 1, \"dt\": 0.01}}"

/* What is no differentiable function is told of as that: no derivative of one side passes for that of both. */
static void
test_breaks (void)
{
  /* it lies on two corners: turned, it stands on one of them, and higher, it falls */
  SS_CHECK (breaks_of (BOX (0.1), "box.theta") == 1u << SS_SENSITIVITY_TOUCHING);
  SS_CHECK (breaks_of (BOX (0.1), "box.y") == 1u << SS_SENSITIVITY_TOUCHING);
  SS_CHECK (breaks_of (BOX (0.1), "box.vy") == 1u << SS_SENSITIVITY_TOUCHING);
  /* it falls flat: turned, one corner comes first, and which one is a matter of the sign; higher, both come later */
  SS_CHECK (breaks_of (BOX (0.3), "box.theta") == 1u << SS_SENSITIVITY_SIMULTANEOUS);
  SS_CHECK (breaks_of (BOX (0.3), "box.y") == 0);
  SS_CHECK (breaks_of (BOX (0.3), "mu") == 0);
  /* a ball whose bounces end */
  SS_CHECK (breaks_of (BEGIN "\"scene\": {\"gravity\": [0, -9.81], \"restitution\": 0.3, \"bodies\": [" FLOOR
                             ", {\"name\": \"ball\", \"mass\": 1, \"position\": [0, 0.4], \"velocity\": [0.5, 0], "
                             "\"shape\": {\"type\": \"circle\", \"radius\": 0.1}}], \"contacts\": \"all\"}, \"task\": "
                             "{\"t_end\": 1, \"dt\": 0.01}}",
                       "ball.y") == 1u << SS_SENSITIVITY_ACCUMULATION);
}

/* A disc that a force pushes: of u in [0.2, 0.5) its place at 1 s is u (0.3 0.5 + 0.3^2 / 2) / m. */
static void
test_controls (void)
{
  SsScenario *scenario = ss_test_read_text (
      "{\"format\": 1, \"name\": \"u\", \"scene\": {\"gravity\": [0, 0], \"bodies\": [{\"name\": \"a\", \"mass\": 2, "
      "\"position\": [0, 0], \"shape\": {\"type\": \"circle\", \"radius\": 0.1}}], \"actuators\": [{\"name\": \"f\", "
      "\"type\": "
      "\"force\", \"body\": \"a\", \"direction\": [1, 0], \"lower\": -10, \"upper\": 10}]}, \"task\": {\"t_end\": 1, "
      "\"dt\": "
      "0.01}}");
  if (scenario == NULL)
    return;
  double t[] = {0}, u[] = {3};
  const SsControls controls = {.n_rows = 1, .n_actuators = 1, .t = t, .u = u};
  const SsSensitivityInput input = {
      .name = "u", .step = 1e-3, .coordinate = -1, .actuator = 0, .t_from = 0.2 - 1e-9, .t_to = 0.5 - 1e-9};
  SsSimResult r = {0};
  SsError err = {0};
  const SsSimJob job = {.scene = scenario->scene,
                        .integrator = &ss_integrator_fesd_j,
                        .controls = &controls,
                        .dt = 0.01,
                        .t_end = 1,
                        .inputs = &input,
                        .n_inputs = 1};
  SS_CHECK (ss_simulate_job (&job, NULL, &r, &err) == SS_OK);
  SS_CHECK (is_near ("dx/du", ss_sensitivity_final (r.sensitivity, 0, 0, 0), (0.3 * 0.5 + 0.045) / 2, closed));
  SS_CHECK (is_near ("dv/du", ss_sensitivity_final (r.sensitivity, 0, 0, 3), 0.3 / 2, closed));
  ss_sim_result_clear (&r);
  ss_scenario_free (scenario);
}

/* ---- differences of whole runs ----------------------------------------------------------------------------------- */

/* The largest difference of derivatives at the end from differences of runs, as a part of the largest derivative. */
static double
compare (const SsScenario *scenario, const SsIntegratorClass *integrator, const char *name, double dt, double t_end,
         SsSimResult *result)
{
  SsError err = {0};
  SsSensitivityInputs *inputs = NULL;
  double off = 0, size = 0;
  *result = run (scenario, integrator, NULL, name, dt, t_end);
  SS_CHECK (ss_sensitivity_inputs_new (scenario, NULL, &name, 1, &inputs, &err) == SS_OK);
  if (inputs == NULL || inputs->inputs[0].scene[0] == NULL || result->sensitivity == NULL) {
    ss_sensitivity_inputs_free (inputs);
    return NAN;
  }
  SsSimResult side[2] = {{0}};
  for (int k = 0; k < 2; k++) {
    SsScenario moved = *scenario;
    moved.scene = inputs->inputs[0].scene[k];
    side[k] = run (&moved, integrator, NULL, "", dt, t_end);
  }
  for (int body = 0; body < scenario->scene->n_bodies; body++)
    for (int c = 0; c < SS_BODY_CHANNELS; c++) {
      char channel[128];
      snprintf (channel, sizeof channel, "%s.%s", scenario->scene->bodies[body].name, ss_body_channels[c]);
      const double slope = ss_sensitivity_final (result->sensitivity, 0, body, c);
      const double difference =
          (ss_test_last_value (side[1].trajectory, channel) - ss_test_last_value (side[0].trajectory, channel)) /
          (2 * inputs->inputs[0].step);
      off = isnan (slope) ? NAN : fmax (off, fabs (slope - difference));
      size = fmax (size, fabs (difference));
    }
  for (int k = 0; k < 2; k++)
    ss_sim_result_clear (&side[k]);
  ss_sensitivity_inputs_free (inputs);
  return off / fmax (size, 1e-3);
}

/* Of an event at a time at which nothing switched no derivative is known. */
static void
events_beside_the_switches_have_none (void)
{
  SsScenario *scenario = ss_test_read_text (BOX (0.1));
  const SsSensitivityInput input = {.name = "box.x", .coordinate = 3, .actuator = -1};
  SsEvent items[] = {{.t = 0.1, .kind = SS_EVENT_STICK}, {.t = 0.2, .kind = SS_EVENT_STICK}, {.t = 0.3}};
  const SsEventList events = {.n_items = 3, .items = items};
  const double zeros[24] = {0}, times[] = {0.3, 0.1}, slopes[] = {5, 7};
  const SsSensitivityState state = {.n_inputs = 1,
                                    .n_q = 6,
                                    .q = zeros,
                                    .v = zeros,
                                    .slopes = zeros,
                                    .n_switches = 2,
                                    .times = times,
                                    .time_slopes = slopes};
  SsSensitivity *of = NULL;

  SS_CHECK (ss_sensitivity_new (scenario->scene, &input, 1, &of, NULL) == SS_OK);
  SS_CHECK (ss_sensitivity_add (of, 0.3, &state, &events, NULL) == SS_OK && of->n_events == 3);
  SS_CHECK (of->event_slopes[0] == 7 && isnan (of->event_slopes[1]) && of->event_slopes[2] == 5);
  ss_sensitivity_free (of);
  ss_scenario_free (scenario);
}

/* A number of an example, whose motion has impacts, or sticks and slips. */
typedef struct {
  const char *example, *name;
} Case;

/* Differences of runs over 1e-5 of the number are off by their square times the third derivative, and by rounding over
 * 1e-5: some 1e-8 of the largest derivative where motions are stable. */
static void
test_examples (void)
{
  static const Case cases[] = {{"sketches/falling-box", "mu"},
                               {"sketches/falling-box", "tilt"},
                               {"plans/finger-drag", "mu"},
                               {"plans/cart-pole-walls", "w"},
                               {"time-freezing/guiding-particle", "mu"},
                               {"time-freezing/guiding-particle", "t1"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char path[512];
    SsProblems problems;
    SsScenario *scenario = NULL;
    SsSimResult r;
    snprintf (path, sizeof path, "%s/examples/%s.stickslip.json", SS_SOURCE_ROOT, cases[i].example);
    ss_problems_init (&problems);
    const SsStatus status = ss_scenario_read_file (path, NULL, 0, &problems, &scenario);
    ss_problems_clear (&problems);
    SS_CHECK (status == SS_OK);
    if (status != SS_OK)
      continue;
    const double off =
        compare (scenario, &ss_integrator_fesd_j, cases[i].name, scenario->task.dt, fmin (scenario->task.t_end, 2), &r);
    if (!(off <= 1e-6))
      printf ("  %s by %s: off by %.1e\n", cases[i].example, cases[i].name, off);
    SS_CHECK (off <= 1e-6);
    SS_CHECK (r.sensitivity != NULL && r.sensitivity->n_breaks == 0);
    ss_sim_result_clear (&r);
    ss_scenario_free (scenario);
  }
}

int
main (void)
{
  SS_RUN (test_sliding_block);
  SS_RUN (test_bouncing_ball);
  SS_RUN (test_pendulum_on_stop);
  SS_RUN (a_start_that_fits_no_joint_is_part_of_the_motion);
  SS_RUN (test_breaks);
  SS_RUN (test_controls);
  SS_RUN (events_beside_the_switches_have_none);
  SS_RUN (test_examples);
  return ss_test_finish ();
}
