/* tests/numeric/test-freeze.c: the integrator time-freezing: other masses, friction, forces and a_n of the guiding
 * particle against fesd-j, orders, several contacts, elastic ones, what is refused, random particles. The reference
 * files themselves: test-fesd.c.
 */
#include "core/ss-random.h"
#include "fesd/ss-fesd-j.h"
#include "simulate/ss-recover.h"
#include "ss-test-freeze.h"
#include "transcribe/ss-freeze-plan.h"

enum { TEXT_SIZE = 4096, N_QUICK = 300, N_ALL = 10000 };

/* ---- runs -------------------------------------------------------------------------------------------------------- */

typedef struct {
  SsScenario *scenario;
  SsSimResult run;
  SsStatus status;
  SsError err;
} Case;

/* Options as "name=value", ended by NULL. */
static Case
run (SsScenario *scenario, const SsIntegratorClass *integrator, const char *const *options_text, double dt,
     double t_end)
{
  Case c = {.scenario = scenario};
  _Alignas(max_align_t) char options[256];
  SS_CHECK (integrator->options->size <= sizeof options);
  ss_test_set_options (integrator->options, options, options_text, &c.err);
  if (scenario == NULL) {
    c.status = SS_ERR_INVALID;
    return c;
  }
  const SsSimJob job = {
      .scene = scenario->scene, .integrator = integrator, .options = options, .dt = dt, .t_end = t_end};
  c.status = ss_simulate_job (&job, NULL, &c.run, &c.err);
  return c;
}

static void
clear (Case *c)
{
  ss_sim_result_clear (&c->run);
  ss_scenario_free (c->scenario);
}

static bool
is_complete (const Case *c)
{
  if (c->status == SS_OK && c->run.outcome == SS_OUTCOME_COMPLETED)
    return true;
  printf ("  %s: %s %s\n", c->scenario != NULL ? c->scenario->name : "?", c->err.message, c->run.message);
  return false;
}

/* Largest difference of poses and velocities at the ends of two runs of one scene. */
static double
end_difference (const Case *a, const Case *b)
{
  const SsTrajectory *m = a->run.trajectory, *n = b->run.trajectory;
  double largest = 0;
  for (int c = 1; c < m->n_channels; c++)
    if (m->channels[c].owner == SS_OWNER_BODY)
      largest = fmax (largest, fabs (ss_trajectory_row (m, m->n_rows - 1)[c] -
                                     ss_test_value (n, n->n_rows - 1, m->channels[c].name)));
  return largest;
}

/* Both methods on one scene: ends, and events by kind and time, agree to 1e-7, as the files do. The residual is
 * rounding, but on curved gaps the stages' n'v. */
static void
check_against_fesd_j (SsScenario *(*read) (const void *data), const void *data, const char *const *options, double dt,
                      double t_end, double residual)
{
  Case ours = run (read (data), &ss_integrator_time_freezing, options, dt, t_end);
  Case theirs = run (read (data), &ss_integrator_fesd_j, NULL, dt, t_end);
  const int before = ss_test_failed_checks;
  SS_CHECK (is_complete (&ours) && is_complete (&theirs));
  if (ss_test_failed_checks == before) {
    SS_CHECK_NEAR (end_difference (&ours, &theirs), 0, 1e-7);
    SS_CHECK_NEAR (ours.run.metrics.own_residual, 0, residual);
    SS_CHECK (ours.run.events->n_items == theirs.run.events->n_items);
    for (int i = 0; i < ours.run.events->n_items && i < theirs.run.events->n_items; i++) {
      SS_CHECK (ours.run.events->items[i].kind == theirs.run.events->items[i].kind);
      SS_CHECK_NEAR (ours.run.events->items[i].t, theirs.run.events->items[i].t, 1e-7);
      SS_CHECK (ours.run.events->items[i].tau >= ours.run.events->items[i].t - 1e-12);
    }
  }
  if (ss_test_failed_checks > before)
    printf ("  %s\n", ours.scenario != NULL ? ours.scenario->name : "?");
  clear (&ours);
  clear (&theirs);
}

/* ---- the guiding particle ---------------------------------------------------------------------------------------- */

typedef struct {
  double mass, g, mu, u1, q20, v10, v20, lift;
} Guided;

static SsScenario *
read_guided (const void *data)
{
  const Guided *p = data;
  const SsOverride overrides[] = {{"mass", p->mass}, {"g", p->g},     {"mu", p->mu},   {"u1", p->u1},
                                  {"q20", p->q20},   {"v10", p->v10}, {"v20", p->v20}, {"lift", p->lift}};
  return ss_test_read_file ("examples/time-freezing/guiding-particle.stickslip.json", overrides,
                            sizeof overrides / sizeof *overrides);
}

static void
test_variants (void)
{
  static const struct {
    Guided guided;
    const char *a_n;
  } variants[] = {
      {{2.3, 9.81, 0.35, 11, 0.7, 0, 0, 2}, "a-n=30"}, {{0.4, 9.81, 0.9, 2, 1.3, 4, -1, 3}, "a-n=3"},
      {{1, 9.81, 0.3, -9, 0.2, 3, 0, 2}, "a-n=9.81"},  {{1, 9.81, 0.8, 3, 0.1, 2, 0, 1.5}, "a-n=200"},
      {{1, 10, 0.6, 0, 1, -2, 0, 2}, "a-n=1"},         {{5, 1.6, 0.6, 7, 1, 0, 0, 1.2}, "a-n=0"},
      {{1, 9.81, 0, 7, 1, 0, 0, 2}, "a-n=9.81"},       {{1, 9.81, 0.5, 6, 0, 2, 0, 2}, "a-n=50"},
  };
  for (size_t i = 0; i < sizeof variants / sizeof *variants; i++) {
    const char *const options[] = {variants[i].a_n, NULL};
    check_against_fesd_j (read_guided, &variants[i].guided, options, 0.005, 2, 1e-9);
  }
}

/* What the frozen span of one contact is by its facts: its length is |n'v| / (D a_n) [001 (16) Prop 3], contact runs at
 * a_n / (a_n + weight) [001 (17) Thm 4]; while nothing else pushes, tau - t is the impulse of the floor over a_n
 * [001 (19)]. */
static void
test_clock (void)
{
  const Guided guided = {2, 9.81, 0.4, 5, 0.8, 0, 0, 0};
  const double a_n = 12, t_hit = sqrt (2 * 0.8 / 9.81), t_end = 1.5, weight = 2 * 9.81;
  Case c = run (read_guided (&guided), &ss_integrator_time_freezing, (const char *[]){"a-n=12", NULL}, 0.01, t_end);
  SS_CHECK (is_complete (&c));
  const SsTrajectory *m = c.run.trajectory;
  const int last = m->n_rows - 1, after = ss_test_freeze_row (m, "t", t_hit + 1e-9);
  SS_CHECK_NEAR (ss_test_value (m, after, "tau"), t_hit + 2 * 9.81 * t_hit / a_n, 1e-9);
  SS_CHECK_NEAR (ss_test_value (m, last, "speed"), a_n / (a_n + weight), 1e-12);
  SS_CHECK_NEAR (ss_test_value (m, last, "theta.free"), a_n / (a_n + weight), 1e-12);
  SS_CHECK_NEAR (ss_test_value (m, last, "tau") - t_end, (2 * 9.81 * t_hit + weight * (t_end - t_hit)) / a_n, 1e-9);
  /* alpha is the step function of c where c is not 0; theta = alpha_1 + alpha_2 - alpha_1 alpha_2 everywhere */
  for (int i = 1; i < m->n_rows; i++) {
    const double a1 = ss_test_value (m, i, "alpha.ground.n"), a2 = ss_test_value (m, i, "alpha.ground.v");
    SS_CHECK_NEAR (a1 + a2 - a1 * a2, ss_test_value (m, i, "theta.free"), 1e-12);
    SS_CHECK (!(ss_test_value (m, i, "particle.y") > 1e-9) || a1 == 1);
    SS_CHECK (!(ss_test_value (m, i, "particle.vy") < -1e-9) || a2 == 0);
    SS_CHECK (!(ss_test_value (m, i, "particle.vx") > 1e-9) || ss_test_value (m, i, "alpha.ground.t") == 1);
  }
  clear (&c);
}

/* Slip that ends within the jump is a grid point: the second span is stick [001 (24) (25a)-(25c)]. */
static void
test_slip_ends_in_jump (void)
{
  const Guided guided = {1, 9.81, 0.6, 0, 1, 1, 0, 0};
  Case c = run (read_guided (&guided), &ss_integrator_time_freezing, (const char *[]){"a-n=9.81", NULL}, 0.01, 1);
  SS_CHECK (is_complete (&c));
  const SsTrajectory *m = c.run.trajectory;
  const double t_hit = sqrt (2 / 9.81);
  /* friction takes 1 m/s after mu a_n tau = 1 */
  const int stops = ss_test_freeze_row (m, "tau", t_hit + 1 / (0.6 * 9.81));
  SS_CHECK_NEAR (ss_test_value (m, stops, "tau"), t_hit + 1 / (0.6 * 9.81), 1e-9);
  SS_CHECK_NEAR (ss_test_value (m, stops, "particle.vx"), 0, 1e-12);
  SS_CHECK_NEAR (ss_test_value (m, stops, "particle.vy"), -9.81 * t_hit + 1 / 0.6, 1e-9);
  SS_CHECK_NEAR (ss_test_value (m, stops, "alpha.ground.t"), 0.5, 1e-12);
  SS_CHECK_NEAR (ss_test_value (m, m->n_rows - 1, "particle.vx"), 0, 1e-12);
  clear (&c);
}

/* A horizon in numerical time may end in flight, within the jump, and in contact. */
static void
test_tau_end (void)
{
  const Guided guided = {1, 9.81, 0.6, 7, 1, 0, 0, 2};
  const double t_hit = sqrt (2 / 9.81);
  static const char *const ends[] = {"tau-end=0.3", "tau-end=0.7", "tau-end=1.33"};
  for (int i = 0; i < 3; i++) {
    Case c = run (read_guided (&guided), &ss_integrator_time_freezing, (const char *[]){"a-n=9.81", ends[i], NULL},
                  0.04, 10);
    const double tau = strtod (ends[i] + 8, NULL);
    SS_CHECK (is_complete (&c));
    const SsTrajectory *m = c.run.trajectory;
    const int last = m->n_rows - 1;
    SS_CHECK_NEAR (ss_test_value (m, last, "tau"), tau, 1e-12);
    SS_CHECK_NEAR (ss_test_value (m, last, "t"), i == 0 ? tau : i == 1 ? t_hit : t_hit + (tau - 2 * t_hit) / 2, 1e-9);
    SS_CHECK_NEAR (ss_test_value (m, last, "particle.vy"),
                   i == 0   ? -9.81 * tau
                   : i == 1 ? -9.81 * (2 * t_hit - tau)
                            : 0,
                   1e-9);
    SS_CHECK_NEAR (ss_test_value (m, last, "speed"), i == 0 ? 1 : i == 1 ? 0 : 0.5, 1e-12);
    clear (&c);
  }
}

/* Between two step lengths the error falls with 2 n - 1. Lifted with growing force the speed of time changes in
 * contact, which the scheme sees. n = 1 has the order 1 as well, and n = 4 meets rounding. */
static void
test_order (void)
{
  static const struct {
    const char *stages;
    int n, coarse, fine;
  } schemes[] = {{"stages=1", 1, 160, 640}, {"stages=2", 2, 24, 96}, {"stages=3", 3, 16, 64}};
  const Guided guided = {1, 9.81, 0.6, 7, 1, 0, 0, 2};
  for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
    double error[2];
    for (int k = 0; k < 2; k++) {
      Case c = run (read_guided (&guided), &ss_integrator_time_freezing,
                    (const char *[]){"a-n=9.81", schemes[i].stages, NULL},
                    2.25 / (k == 0 ? schemes[i].coarse : schemes[i].fine), 2.25);
      SS_CHECK (is_complete (&c));
      const SsTrajectory *m = c.run.trajectory;
      const int last = m->n_rows - 1;
      error[k] = fmax (fabs (ss_test_value (m, last, "particle.x") - 6.424125),
                       fabs (ss_test_value (m, last, "particle.vx") - 8.3925));
      clear (&c);
    }
    const double order = log (error[0] / error[1]) / log ((double)schemes[i].fine / schemes[i].coarse);
    printf ("  %s: errors %.3g, %.3g, order %.2f\n", schemes[i].stages, error[0], error[1], order);
    SS_CHECK_NEAR (order, 2 * schemes[i].n - 1, 0.3);
  }
}

/* ---- several contacts, joints, elastic --------------------------------------------------------------------------- */

static SsScenario *
read_text (const void *data)
{
  return ss_test_read_text (data);
}

#define SS_FREEZE_FLOOR                                                                                                \
  "{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]}},"                 \
  "{\"name\": \"wall\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [1, 0]}}"

/* Floor and wall: normals are orthogonal, and the friction of each pushes into the other. */
static const char corner_text[] =
    "{\"format\": 1, \"name\": \"corner\", \"scene\": {\"gravity\": [-3, -9.81], \"bodies\": [" SS_FREEZE_FLOOR ","
    "{\"name\": \"particle\", \"mass\": 1.7, \"shape\": {\"type\": \"circle\", \"radius\": 0.1}, \"lock\": [\"theta\"],"
    " \"position\": [0.8, 0.6], \"velocity\": [-2, -1]}], \"contacts\": ["
    "{\"bodies\": [\"floor\", \"particle\"], \"friction\": 0.2}, {\"bodies\": [\"wall\", \"particle\"], \"friction\": "
    "0.5}"
    "]}}";
/* Two that meet nobody but the floor, and one that stays above. */
static const char three_text[] =
    "{\"format\": 1, \"name\": \"three\", \"scene\": {\"gravity\": [0, -9.81], \"bodies\": [" SS_FREEZE_FLOOR ","
    "{\"name\": \"a\", \"mass\": 1, \"shape\": {\"type\": \"circle\", \"radius\": 0.1}, \"position\": [1, 0.5],"
    " \"velocity\": [2, 0]},"
    "{\"name\": \"b\", \"mass\": 0.3, \"shape\": {\"type\": \"circle\", \"radius\": 0.2}, \"position\": [2, 0.5],"
    " \"velocity\": [-1, 0], \"angular_velocity\": 3},"
    "{\"name\": \"c\", \"mass\": 2, \"shape\": {\"type\": \"circle\", \"radius\": 0.1}, \"position\": [3, 9]}],"
    " \"contacts\": [{\"bodies\": [\"floor\", \"a\"], \"friction\": 0.4}, {\"bodies\": [\"floor\", \"b\"], "
    "\"friction\": "
    "0.3}, {\"bodies\": [\"floor\", \"c\"]}]}}";
/* A box that cannot turn falls flat: its two corners are one point. */
static const char box_text[] =
    "{\"format\": 1, \"name\": \"flat-box\", \"scene\": {\"bodies\": [" SS_FREEZE_FLOOR ","
    "{\"name\": \"box\", \"mass\": 2, \"shape\": {\"type\": \"box\", \"width\": 1, \"height\": 0.4}, \"lock\": "
    "[\"theta\"], \"position\": [2, 0.7], \"velocity\": [3, 0]}], \"contacts\": [{\"bodies\": [\"floor\", \"box\"], "
    "\"friction\": 0.3}]}}";
/* A leg on a pin whose foot lands: the normal and the tangent of its point are not orthogonal in joint coordinates. */
static const char leg_text[] =
    "{\"format\": 1, \"name\": \"leg\", \"scene\": {\"gravity\": [0, -9.81], \"bodies\": [" SS_FREEZE_FLOOR ","
    "{\"name\": \"hip\", \"mass\": 4, \"shape\": {\"type\": \"circle\", \"radius\": 0.1}, \"lock\": [\"theta\"],"
    " \"position\": [1, 0.8]}, {\"name\": \"shank\", \"mass\": 1, \"inertia\": 0.01, \"shape\": {\"type\": \"circle\", "
    "\"radius\": 0.02, \"position\": [0, -0.2]}, \"position\": [1.1, 0.6268], \"angle\": 0.5236}],"
    " \"joints\": [{\"type\": \"pin\", \"name\": \"knee\", \"bodies\": [\"hip\", \"shank\"], \"anchor\": [1, 0.8]}],"
    " \"contacts\": [{\"bodies\": [\"floor\", \"shank\"], \"friction\": 0.4}]}}";

static void
test_several (void)
{
  check_against_fesd_j (read_text, corner_text, (const char *[]){"a-n=20", NULL}, 0.005, 1.2, 1e-9);
  check_against_fesd_j (read_text, corner_text, NULL, 0.005, 1.2, 1e-9);
  check_against_fesd_j (read_text, three_text, (const char *[]){"a-n=5", NULL}, 0.005, 1, 1e-9);
  check_against_fesd_j (read_text, box_text, (const char *[]){"a-n=15", NULL}, 0.005, 1, 1e-9);
}

/* Forces of the leg rise by a factor of 30 in 40 ms: fesd-j needs a finer step for the same digits. */
static void
test_leg (void)
{
  Case ours =
      run (ss_test_read_text (leg_text), &ss_integrator_time_freezing, (const char *[]){"a-n=60", NULL}, 0.001, 0.56);
  Case theirs = run (ss_test_read_text (leg_text), &ss_integrator_fesd_j, NULL, 0.0001, 0.56);
  SS_CHECK (is_complete (&ours) && is_complete (&theirs));
  SS_CHECK_NEAR (end_difference (&ours, &theirs), 0, 1e-7);
  clear (&ours);
  clear (&theirs);
}

static SsScenario *
read_example (const void *data)
{
  return ss_test_read_file (data, NULL, 0);
}

/* A disc that pushes another one, which drag holds back: they stay together while their normal turns, until the push
 * ends. */
static const char turning_text[] =
    "{\"format\": 1, \"name\": \"turning\", \"scene\": {\"gravity\": [0, 0], \"bodies\": ["
    "{\"name\": \"first\", \"shape\": {\"type\": \"circle\", \"radius\": 0.3}, \"mass\": 2, \"lock\": [\"theta\"], "
    "\"position\": [-1, 0]}, {\"name\": \"second\", \"shape\": {\"type\": \"circle\", \"radius\": 0.2}, \"mass\": 1, "
    "\"lock\": [\"theta\"], \"position\": [1, 0]}], \"contacts\": [{\"bodies\": [\"first\", \"second\"]}], \"forces\": "
    "["
    "{\"body\": \"first\", \"force\": [\"if(t < 1.2, 12, 0) - 2*first.vx/sqrt((first.vx + 0.1)^2 + (first.vy + "
    "0.1)^2)\", \"if(t < 0.4, 1, -1) - 2*first.vy/sqrt((first.vx + 0.1)^2 + (first.vy + 0.1)^2)\"]}, {\"body\": "
    "\"second\", \"force\": [\"-2*second.vx/sqrt((second.vx + 0.1)^2 + (second.vy + 0.1)^2)\", \"-2*second.vy/"
    "sqrt((second.vx + 0.1)^2 + (second.vy + 0.1)^2)\"]}]}, \"task\": {\"breaks\": [0.4, 1.2]}}";

static void
test_turning_normal (void)
{
  check_against_fesd_j (read_text, turning_text, (const char *[]){"a-n=10", NULL}, 0.01, 3, 1e-8);
  check_against_fesd_j (read_text, turning_text, (const char *[]){"a-n=10", NULL}, 0.002, 3, 1e-8);
}

/* A box whose corners are orthogonal where it stands, a disc between floor and wall, joints and a spring, discs that
 * stay together while their normal turns and part. */
static void
test_drawn_scenes (void)
{
  check_against_fesd_j (read_example, "examples/time-freezing/tall-box.stickslip.json", NULL, 0.005, 1.5, 1e-8);
  check_against_fesd_j (read_example, "examples/time-freezing/disc-in-corner.stickslip.json", NULL, 0.01, 2, 1e-9);
  check_against_fesd_j (read_example, "examples/time-freezing/hopper.stickslip.json", NULL, 0.005, 1, 1e-8);
  check_against_fesd_j (read_example, "examples/time-freezing/three-carts.stickslip.json", NULL, 0.05, 3, 1e-9);
  check_against_fesd_j (read_example, "examples/time-freezing/discs-switching.stickslip.json", NULL, 0.01, 3, 1e-8);
  check_against_fesd_j (read_example, "examples/time-freezing/discs-pushing.stickslip.json", NULL, 0.01, 2, 1e-8);
  check_against_fesd_j (read_example, "examples/fesd-j/slip-reversal.stickslip.json", NULL, 0.01, 1.7, 1e-9);
  check_against_fesd_j (read_example, "examples/fesd-j/particle.stickslip.json", NULL, 0.01, 1.5, 1e-9);
  check_against_fesd_j (read_example, "examples/fesd-j/two-balls.stickslip.json", NULL, 0.0005, 1, 1e-9);
  check_against_fesd_j (read_example, "examples/fesd-j/bouncing-ball.stickslip.json", NULL, 0.005, 3, 1e-9);
}

/* A particle that falls on a dome beside its top and slips down. */
static const char dome_text[] =
    "{\"format\": 1, \"name\": \"dome\", \"scene\": {\"gravity\": [0, -9.81], \"bodies\": ["
    "{\"name\": \"dome\", \"fixed\": true, \"shape\": {\"type\": \"circle\", \"radius\": 1}},"
    "{\"name\": \"p\", \"mass\": 1, \"shape\": {\"type\": \"circle\", \"radius\": 0.1}, \"lock\": [\"theta\"], "
    "\"position\": "
    "[0.1, 1.3], \"velocity\": [0.5, 0]}], \"contacts\": [{\"bodies\": [\"dome\", \"p\"], \"friction\": 0.3}]}}";

/* Friction on a curved gap: forces of stages are known there with less order than the motion, and friction brings that
 * into it, by both methods: shorter steps than elsewhere for the same digits. */
static void
test_friction_on_dome (void)
{
  check_against_fesd_j (read_text, dome_text, NULL, 0.0025, 0.6, 1e-8);
}

/* Two points in contact [001 (17)]: theta = (1 - theta r_1) (1 - theta r_2), r = weight / a_n. */
static void
test_two_in_contact (void)
{
  Case c =
      run (ss_test_read_text (three_text), &ss_integrator_time_freezing, (const char *[]){"a-n=8", NULL}, 0.005, 1);
  SS_CHECK (is_complete (&c));
  const double theta = ss_test_value (c.run.trajectory, c.run.trajectory->n_rows - 1, "theta.free");
  SS_CHECK_NEAR ((1 - theta * 9.81 / 8) * (1 - theta * 0.3 * 9.81 / 8), theta, 1e-12);
  clear (&c);
}

static const char ball_text[] =
    "{\"format\": 1, \"name\": \"ball\", \"scene\": {\"gravity\": [0, -10], \"bodies\": [" SS_FREEZE_FLOOR ","
    "{\"name\": \"ball\", \"mass\": 3, \"shape\": {\"type\": \"circle\", \"radius\": 0.1}, \"position\": [1, 1.1]}],"
    " \"contacts\": [{\"bodies\": [\"floor\", \"ball\"], \"restitution\": 0.8}]}}";

/* Newton's law after each frozen span, which lasts 2 pi / sqrt (4 k - c^2); the scheme's error is that of elements of
 * 2.5 ms in a half oscillation of some tenths of a second. */
static void
test_elastic (void)
{
  const double k = 40, l = log (0.8), pi = 3.14159265358979323846,
               damping = 2 * fabs (l) * sqrt (k / (pi * pi + l * l));
  const double span = 2 * pi / sqrt (4 * k - damping * damping), t_hit = sqrt (0.2);
  Case c =
      run (ss_test_read_text (ball_text), &ss_integrator_time_freezing, (const char *[]){"k=40", NULL}, 0.005, 1.5);
  SS_CHECK (is_complete (&c));
  const SsTrajectory *m = c.run.trajectory;
  const int after = ss_test_freeze_row (m, "t", t_hit + 1e-10);
  SS_CHECK (c.run.events->n_items == 2);
  SS_CHECK_NEAR (c.run.events->items[0].t, t_hit, 1e-9);
  SS_CHECK_NEAR (c.run.events->items[1].t, t_hit * (1 + 2 * 0.8), 1e-9);
  SS_CHECK_NEAR (c.run.events->items[0].impulse, 3 * 10 * t_hit * 1.8, 1e-9);
  SS_CHECK_NEAR (ss_test_value (m, after, "ball.vy"), 0.8 * 10 * t_hit, 1e-10);
  SS_CHECK_NEAR (ss_test_value (m, after, "ball.y"), 0.1, 1e-12);
  SS_CHECK_NEAR (ss_test_value (m, after, "tau"), t_hit + span, 1e-9);
  clear (&c);
}

/* A ball that slides while it bounces, rests, and is lifted off from t = 3 on. */
static const char resting_text[] =
    "{\"format\": 1, \"name\": \"resting\", \"scene\": {\"gravity\": [0.5, -10], \"bodies\": "
    "[" SS_FREEZE_FLOOR
    ",{\"name\": \"ball\", \"mass\": 2, \"shape\": {\"type\": \"circle\", \"radius\": 0.1}, \"lock\": "
    "[\"theta\"], \"position\": [0, 1.1]}], \"contacts\": [{\"name\": \"ground\", \"bodies\": [\"floor\", \"ball\"], "
    "\"restitution\": %g}], \"forces\": [{\"body\": \"ball\", \"force\": [0, \"40*max(t - 3, 0)\"]}]}}";

/* Impacts accumulate at t_hit (1 + e) / (1 - e). From there on the floor bears the weight, so that time runs by
 * a_n / (a_n + 20 N) of numerical time, until it is lifted with 20 N, at t = 3.5. The motion is that of fesd-j. Steps
 * longer than an excursion are no worse at its end. */
static void
test_elastic_rest (void)
{
  static const double restitutions[] = {0.3, 0.5, 0.7};
  static const char *const options[] = {"k=60", "a-n=15", NULL};
  for (int i = 0; i < 3; i++)
    for (int is_long = 0; is_long < 2; is_long++) {
      const double e = restitutions[i], end = sqrt (0.2) * (1 + e) / (1 - e);
      char text[TEXT_SIZE];
      snprintf (text, sizeof text, resting_text, e);
      Case c = run (ss_test_read_text (text), &ss_integrator_time_freezing, options, is_long == 1 ? 0.5 : 0.005, 4);
      Case other = run (ss_test_read_text (text), &ss_integrator_fesd_j, NULL, 0.005, 4);
      SS_CHECK (is_complete (&c) && is_complete (&other));
      const SsTrajectory *m = c.run.trajectory;
      const SsEvent *rest = ss_test_freeze_event (&c.run, SS_EVENT_ACCUMULATION),
                    *lift = ss_test_freeze_event (&c.run, SS_EVENT_SEPARATION);
      SS_CHECK (rest != NULL && lift != NULL);
      if (rest != NULL && lift != NULL) {
        /* flights settle to 1e-4 of their ratio before the last ones are summed up */
        SS_CHECK_NEAR (rest->t, end, 1e-6);
        SS_CHECK_NEAR (lift->t, 3.5, 1e-9);
        const int from = ss_test_freeze_row (m, "t", 2.6), to = ss_test_freeze_row (m, "t", 2.9);
        SS_CHECK_NEAR (ss_test_value (m, to, "tau") - ss_test_value (m, from, "tau"),
                       (ss_test_value (m, to, "t") - ss_test_value (m, from, "t")) * 35 / 15, 1e-8);
        SS_CHECK_NEAR (ss_test_value (m, from, "ball.y"), 0.1, 1e-12);
        SS_CHECK_NEAR (ss_test_value (m, from, "ball.vx"), 0.5 * ss_test_value (m, from, "t"), 1e-10);
      }
      /* while it is lifted the speed of time is no polynomial: long elements have it to their order only */
      SS_CHECK (is_long == 1 || end_difference (&c, &other) < 1e-7);
      clear (&c);
      clear (&other);
    }
}

/* ---- refusals ---------------------------------------------------------------------------------------------------- */

#define SS_FREEZE_TWO(first_, second_)                                                                                 \
  "{\"format\": 1, \"name\": \"mixed\", \"scene\": {\"bodies\": [" SS_FREEZE_FLOOR ","                                 \
  "{\"name\": \"a\", \"mass\": 1, \"shape\": {\"type\": \"circle\", \"radius\": 0.1}, \"position\": [1, 1]},"          \
  "{\"name\": \"b\", \"mass\": 1, \"shape\": {\"type\": \"circle\", \"radius\": 0.1}, \"position\": [2, 1]}],"         \
  " \"contacts\": [{\"name\": \"first\", \"bodies\": [\"floor\", \"a\"]" first_ "}, {\"name\": \"second\", "           \
  "\"bodies\": " second_ "}]}}"

static void
test_refusals (void)
{
  static const struct {
    const char *text, *says[3];
  } cases[] = {
      {SS_FREEZE_TWO (", \"restitution\": 0.5, \"friction\": 0.1", "[\"floor\", \"b\"], \"restitution\": 0.5"),
       {"first", "restitution 0.5", "friction 0.1"}},
      {SS_FREEZE_TWO (", \"restitution\": 0.5", "[\"floor\", \"b\"]"), {"first", "second", "mixed"}},
      {SS_FREEZE_TWO (", \"restitution\": 1", "[\"floor\", \"b\"], \"restitution\": 1"),
       {"first", "restitution 1", ""}},
      {SS_FREEZE_TWO (", \"restitution\": 0.5", "[\"a\", \"b\"], \"restitution\": 0.5"), {"second", "curved", ""}},
      {"{\"format\": 1, \"name\": \"flat\", \"scene\": {\"bodies\": [" SS_FREEZE_FLOOR ","
       "{\"name\": \"box\", \"mass\": 1, \"shape\": {\"type\": \"box\", \"width\": 1, \"height\": 0.5}, \"position\": "
       "[2, 0.25]}], \"contacts\": [{\"name\": \"ground\", \"bodies\": [\"floor\", \"box\"]}]}}",
       {"ground (point 0)", "ground (point 1)", "not orthogonal"}},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    Case c = run (ss_test_read_text (cases[i].text), &ss_integrator_time_freezing, NULL, 0.01, 0.1);
    SS_CHECK (c.status == SS_ERR_INVALID);
    for (int k = 0; k < 3; k++)
      SS_CHECK_CONTAINS (c.err.message, cases[i].says[k]);
    clear (&c);
  }
}

/* A box whose second corner comes down later: the run ends there. Its corners would be orthogonal if it were 1.41 times
 * as high as wide: that one goes on. */
static void
test_skew_on_the_way (void)
{
  static const char text[] =
      "{\"format\": 1, \"name\": \"tips\", \"parameters\": {\"h\": 0.5}, \"scene\": {\"bodies\": [" SS_FREEZE_FLOOR ","
      "{\"name\": \"box\", \"mass\": 1, \"shape\": {\"type\": \"box\", \"width\": 1, \"height\": \"h\"}, \"position\": "
      "[2, 1.2], \"angle\": 0.2}], \"contacts\": [{\"name\": \"ground\", \"bodies\": [\"floor\", \"box\"]}]}}";
  Case c = run (ss_test_read_text (text), &ss_integrator_time_freezing, NULL, 0.01, 3);
  SS_CHECK (c.status == SS_OK && c.run.outcome == SS_OUTCOME_FAILED);
  SS_CHECK_CONTAINS (c.run.message, "contact ground (point 0) and contact ground (point 1)");
  SS_CHECK_CONTAINS (c.run.message, "closed together at t = ");
  clear (&c);
}

/* A motion of fesd-j, which has no such condition, is judged as a plan would be: closed together when the integrator
 * ends, to a row, and nothing against the rows before. */
static void
test_judged_as_plan (void)
{
  const SsOverride overrides[] = {{"angle", 0.2}, {"height", 0.5}};
  const char *const path = "examples/time-freezing/skew-box.stickslip.json";
  const double dt = 0.005;
  Case ours = run (ss_test_read_file (path, overrides, 2), &ss_integrator_time_freezing, NULL, dt, 1);
  Case theirs = run (ss_test_read_file (path, overrides, 2), &ss_integrator_fesd_j, NULL, dt, 1);
  char reason[300], before[300];
  SsError err = {0};
  SS_CHECK (ours.run.outcome == SS_OUTCOME_FAILED && is_complete (&theirs));
  const char *told = strstr (ours.run.message, "at t = ");
  SS_CHECK (told != NULL);
  const double ends = told != NULL ? strtod (told + 7, NULL) : NAN;
  SsTrajectory *motion = theirs.run.trajectory;
  SS_CHECK (ss_transcription_time_freezing.judge (theirs.scenario->scene, motion, reason, sizeof reason, &err) ==
            SS_OK);
  SS_CHECK_CONTAINS (reason, "contact ground (point 0) and contact ground (point 1)");
  told = strstr (reason, "at t = ");
  SS_CHECK (told != NULL);
  SS_CHECK_NEAR (told != NULL ? strtod (told + 7, NULL) : NAN, ends, dt);
  const int n_rows = motion->n_rows;
  while (motion->n_rows > 1 && ss_trajectory_row (motion, motion->n_rows - 1)[0] > ends - 1e-6)
    motion->n_rows--;
  SS_CHECK (motion->n_rows > 10 && motion->n_rows < n_rows);
  SS_CHECK (ss_transcription_time_freezing.judge (theirs.scenario->scene, motion, before, sizeof before, &err) ==
            SS_OK);
  SS_CHECK (before[0] == '\0');
  motion->n_rows = n_rows;
  clear (&ours);
  clear (&theirs);
}

/* ---- recovery ---------------------------------------------------------------------------------------------------- */

/* The motion in time has no frozen rows, the impulses of a jump in its last row, its stages where they were, and the
 * forces of lasting contact [001 (18a)-(18b) (19) Thm 5 Thm 8]. */
static void
test_recovery (void)
{
  const Guided guided = {1, 9.81, 0.6, 7, 1, 0, 0, 2};
  Case c = run (read_guided (&guided), &ss_integrator_time_freezing, (const char *[]){"a-n=9.81", NULL}, 0.05, 2.25);
  SsTrajectory *motion = NULL, *stages = NULL;
  SsError err = {0};
  SS_CHECK (is_complete (&c));
  SS_CHECK (ss_recover_motion (c.run.trajectory, c.run.stages, &motion, &stages, &err) == SS_OK);
  const double t_hit = sqrt (2 / 9.81);
  const int after = ss_test_freeze_row (motion, "t", t_hit + 1e-9);
  SS_CHECK (motion->n_rows < c.run.trajectory->n_rows && stages->n_rows == c.run.stages->n_rows);
  SS_CHECK_NEAR (ss_test_value (motion, after, "ground.impulse_n"), 9.81 * t_hit, 1e-9);
  SS_CHECK_NEAR (ss_test_value (motion, after, "ground.impulse_t"), -0.6 * 9.81 * t_hit, 1e-9);
  SS_CHECK_NEAR (ss_test_value (motion, after - 1, "particle.vy"), -9.81 * t_hit, 1e-9);
  SS_CHECK (ss_test_value (motion, after - 2, "t") < ss_test_value (motion, after - 1, "t") &&
            ss_test_value (motion, after, "t") < ss_test_value (motion, after + 1, "t"));
  /* the weight, then what the growing lift leaves of it */
  for (int i = 0; i < 2; i++) {
    const int at = ss_test_freeze_row (motion, "t", i == 0 ? 0.8 : 1.25);
    const double force = 9.81 * (i == 0 ? 1 : 3 - 2 * ss_test_value (motion, at, "t"));

    SS_CHECK_NEAR (ss_test_value (motion, at, "ground.lambda_n"), force, 1e-9);
    SS_CHECK_NEAR (ss_test_value (motion, at, "ground.lambda_t"), -0.6 * force, 1e-9);
  }
  /* the weights of the stages between two rows are the time between them */
  double sum = 0;
  int row = 1;
  for (int i = 0; i < stages->n_rows; i++) {
    const int of = (int)ss_test_value (stages, i, "row");
    if (of != row) {
      SS_CHECK_NEAR (sum, ss_test_value (motion, row, "t") - ss_test_value (motion, row - 1, "t"), 1e-12);
      sum = 0;
      row = of;
    }
    sum += ss_test_value (stages, i, "weight");
  }
  ss_trajectory_free (motion);
  ss_trajectory_free (stages);
  clear (&c);
}

/* By hand: two spans stand still, of four rows and of two. Rows in between go, with what is told of stages before them;
 * the last one has the impulses of all after the first [001 (18a)]. */
static void
test_recovered_rows (void)
{
  const SsChannel channels[] = {ss_channel_named ("t"),
                                ss_channel_named ("x"),
                                {"c.impulse_n", SS_QUANTITY_NORMAL_IMPULSE, "N s", SS_OWNER_CONTACT, "c", false},
                                {"c.impulse_t", SS_QUANTITY_TANGENTIAL_IMPULSE, "N s", SS_OWNER_CONTACT, "c", false}};
  static const double rows[][4] = {{0, 0, 0, 0},     {1, 1, 1, 2}, {1, 2, 10, 20}, {1, 3, 100, 200},
                                   {1, 4, 1e3, 2e3}, {2, 5, 7, 8}, {2, 6, 70, 80}, {3, 7, 9, 9}},
                      expected[][4] = {{0, 0, 0, 0}, {1, 1, 1, 2},   {1, 4, 1110, 2220},
                                       {2, 5, 7, 8}, {2, 6, 70, 80}, {3, 7, 9, 9}};
  static const double stage_rows[] = {-1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, /* 8: after the last row; 9: none of them */
      expected_rows[] = {-1, 0, 1, 2, 2, 2, 3, 4, 5, 6, 9};
  SsTrajectory *motion = NULL, *stages = NULL, *out = NULL, *stages_out = NULL;
  SS_CHECK (ss_trajectory_new (channels, 4, 8, &motion, NULL) == SS_OK);
  SS_CHECK (ss_trajectory_new_named ((const char *[]){"t", "row"}, 2, 11, &stages, NULL) == SS_OK);
  for (int i = 0; i < 8; i++)
    SS_CHECK (ss_trajectory_append (motion, rows[i], NULL) == SS_OK);
  for (int i = 0; i < 11; i++)
    SS_CHECK (ss_trajectory_append (stages, (double[]){i, stage_rows[i]}, NULL) == SS_OK);
  SS_CHECK (ss_recover_motion (motion, stages, &out, &stages_out, NULL) == SS_OK);
  SS_CHECK (out->n_rows == 6 && stages_out->n_rows == 11);
  for (int i = 0; i < 6; i++)
    for (int c = 0; c < 4; c++)
      SS_CHECK_NEAR (ss_trajectory_row (out, i)[c], expected[i][c], 0);
  for (int i = 0; i < 11; i++)
    SS_CHECK_NEAR (ss_trajectory_row (stages_out, i)[1], expected_rows[i], 0);
  ss_trajectory_free (motion);
  ss_trajectory_free (stages);
  ss_trajectory_free (out);
  ss_trajectory_free (stages_out);
}

/* ---- random particles -------------------------------------------------------------------------------------------- */

/* A particle on a floor, which slopes where the largest angle is not 0. */
typedef struct {
  unsigned seed;
  double mass[2], height, speed, mu, push, angle;
} Family;

static void
write_random (SsRandom *random, const Family *f, char text[TEXT_SIZE])
{
  const double angle = f->angle > 0 ? ss_random_between (random, -f->angle, f->angle) : 0, nx = -sin (angle),
               ny = cos (angle), up = 0.1 + ss_random_between (random, 0, f->height);

  snprintf (text, TEXT_SIZE,
            "{\"format\": 1, \"name\": \"random\", \"scene\": {\"gravity\": [0, 0], \"bodies\": ["
            "{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [%.17g, %.17g]}},"
            "{\"name\": \"p\", \"mass\": %.4f, \"shape\": {\"type\": \"circle\", \"radius\": 0.1}, \"lock\": "
            "[\"theta\"], \"position\": [%.17g, %.17g], \"velocity\": [%.4f, %.4f]}], \"contacts\": [{\"bodies\": "
            "[\"floor\", \"p\"], \"friction\": %.3f}], \"forces\": [{\"body\": \"p\", \"force\": [\"%.3f + %.3f*t\", "
            "\"%.3f + %.3f*sin(3*t)\"]}]}}",
            nx, ny, ss_random_between (random, f->mass[0], f->mass[1]), up * nx, up * ny,
            ss_random_between (random, -f->speed, f->speed), ss_random_between (random, -f->speed, 0.4 * f->speed),
            ss_random_between (random, 0, f->mu), ss_random_between (random, -f->push, f->push),
            ss_random_between (random, -0.5 * f->push, 0.5 * f->push), ss_random_between (random, -3.3 * f->push, -2),
            ss_random_between (random, 0, 2.2 * f->push));
}

/* How far the body moves over rows of one instant. */
static double
moved_while_frozen (const SsTrajectory *m)
{
  const int x = ss_trajectory_channel (m, "p.x"), y = ss_trajectory_channel (m, "p.y");
  double most = 0;

  for (int r = 1; r < m->n_rows; r++) {
    const double *before = ss_trajectory_row (m, r - 1), *now = ss_trajectory_row (m, r);

    if (now[0] == before[0])
      most = fmax (most, fmax (fabs (now[x] - before[x]), fabs (now[y] - before[y])));
  }
  return most;
}

/* Heights, speeds, friction and forces at random: all run to their end, which is that of fesd-j. */
static void
check_family (const Family *f, int n)
{
  SsRandom random;
  int failed = 0, away = 0;
  double worst = 0, cpu = 0, moved = 0;
  long steps = 0;
  ss_random_seed (&random, f->seed);
  for (int i = 0; i < n; i++) {
    char text[TEXT_SIZE];
    write_random (&random, f, text);
    const double begun = ss_clock_thread_cpu ();
    Case ours = run (ss_test_read_text (text), &ss_integrator_time_freezing, NULL, 0.02, 2);
    cpu += ss_clock_thread_cpu () - begun;
    steps += ours.run.metrics.steps;
    Case theirs = run (ss_test_read_text (text), &ss_integrator_fesd_j, NULL, 0.02, 2);
    if (!is_complete (&ours) || !is_complete (&theirs)) {
      printf ("  %s\n", text);
      failed++;
    } else {
      const double difference = end_difference (&ours, &theirs);
      worst = fmax (worst, difference);
      moved = fmax (moved, moved_while_frozen (ours.run.trajectory));
      away += !(difference <= 1e-7);
      if (!(difference <= 1e-7))
        printf ("  %.3g: %s\n", difference, text);
    }
    clear (&ours);
    clear (&theirs);
  }
  printf ("  %d particles, seed %u: %d failed, %d away from fesd-j, worst %.3g, %.2g m in a jump, %.1f us a step\n", n,
          f->seed, failed, away, worst, moved, cpu / (double)steps * 1e6);
  SS_CHECK (failed == 0 && away == 0 && moved < 1e-12);
}

static void
test_random (void)
{
  static const Family families[] = {
      {12, {0.2, 5}, 2, 5, 1.2, 9, 0},
      {77, {0.05, 20}, 4, 15, 2, 20, 0},
      {1301, {0.3, 3}, 1, 6, 1, 12, 1.2},
  };
  const int n_families = (int)(sizeof families / sizeof *families);
  for (int i = 0; i < n_families; i++)
    check_family (&families[i], ss_test_is_long () ? N_ALL : N_QUICK / n_families);
}

int
main (void)
{
  SS_RUN (test_variants);
  SS_RUN (test_clock);
  SS_RUN (test_slip_ends_in_jump);
  SS_RUN (test_tau_end);
  SS_RUN (test_order);
  SS_RUN (test_several);
  SS_RUN (test_drawn_scenes);
  SS_RUN (test_turning_normal);
  SS_RUN (test_leg);
  SS_RUN (test_friction_on_dome);
  SS_RUN (test_two_in_contact);
  SS_RUN (test_elastic);
  SS_RUN (test_elastic_rest);
  SS_RUN (test_refusals);
  SS_RUN (test_skew_on_the_way);
  SS_RUN (test_judged_as_plan);
  SS_RUN (test_recovery);
  SS_RUN (test_recovered_rows);
  SS_RUN_SLOW (test_random);
  return ss_test_finish ();
}
