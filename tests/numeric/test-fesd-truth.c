/* tests/numeric/test-fesd-truth.c: fesd-j at its defaults against an event-driven simulator that shares no code with
 * it, on random scenes: boxes, rods, pendulums, discs on discs, and what slides on something round.
 * test-fesd-truth [FIRST N]: other seeds, a line each. */
#include "core/ss-random.h"
#include "fesd/ss-fesd-j.h"
#include "ss-test-scenario.h"
#include "ss-test-simulate.h"
#include "ss-test-truth.h"

#include <stdarg.h>
#include <stdlib.h>

enum { FIRST_SEED = 1, N_QUICK = 20, N_ALL = 300, TEXT_SIZE = 8192 };
static const double dt = 0.01, most = 1e-7;

/* ---- scenes ------------------------------------------------------------------------------------------------------ */

/* A scene for both. */
typedef struct {
  char bodies[TEXT_SIZE / 2], joints[TEXT_SIZE / 4], contacts[TEXT_SIZE / 4];
  Truth truth;
  int number[TRUTH_BODIES]; /* of bodies in the scene */
  double mu, e, t_end;
} Drawing;

static void __attribute__ ((format (printf, 3, 4))) add (char *text, size_t size, const char *format, ...)
{
  const size_t used = strlen (text);
  va_list list;
  va_start (list, format);
  const int n = vsnprintf (text + used, size - used, format, list);
  va_end (list);
  SS_ASSERT (n >= 0 && used + (size_t)n < size);
}

/* A body with its shape; inverse inertia 0: its angle is locked. Returns its number. */
static int
add_body (Drawing *d, double mass, double inertia, const double pose[6], const char *shape)
{
  Truth *t = &d->truth;
  const int i = t->n_bodies++;
  SS_ASSERT (i < TRUTH_BODIES);
  add (d->bodies, sizeof d->bodies,
       ", {\"name\": \"b%d\", \"position\": [%.17g, %.17g], \"angle\": %.17g, \"velocity\": [%.17g, %.17g], "
       "\"angular_velocity\": %.17g, ",
       i, pose[0], pose[1], pose[2], pose[3], pose[4], pose[5]);
  if (mass == 0)
    add (d->bodies, sizeof d->bodies, "\"fixed\": true, ");
  else if (inertia == 0)
    add (d->bodies, sizeof d->bodies, "\"mass\": %.17g, \"lock\": [\"theta\"], ", mass);
  else
    add (d->bodies, sizeof d->bodies, "\"mass\": %.17g, \"inertia\": %.17g, ", mass, inertia);
  add (d->bodies, sizeof d->bodies, "\"shape\": %s}", shape);
  for (int k = 0; k < 3; k++)
    t->inverse[3 * i + k] = mass == 0 ? 0 : k < 2 ? 1 / mass : inertia == 0 ? 0 : 1 / inertia;
  for (int k = 0; k < 6; k++)
    t->state[6 * i + k] = pose[k]; /* a body at a time; put in order by finish */
  return i;
}

static int
add_disc (Drawing *d, double mass, double inertia, double radius, const double pose[6])
{
  char shape[96];
  snprintf (shape, sizeof shape, "{\"type\": \"circle\", \"radius\": %.17g}", radius);
  return add_body (d, mass, inertia, pose, shape);
}

static int
add_rod (Drawing *d, double mass, double inertia, double length, double radius, const double pose[6])
{
  char shape[128];
  snprintf (shape, sizeof shape, "{\"type\": \"capsule\", \"length\": %.17g, \"radius\": %.17g}", length, radius);
  return add_body (d, mass, inertia, pose, shape);
}

static void
add_pair (Drawing *d, int a, int b)
{
  char name[16] = "floor";
  if (a >= 0)
    snprintf (name, sizeof name, "b%d", a);
  add (d->contacts, sizeof d->contacts,
       "%s{\"bodies\": [\"%s\", \"b%d\"], \"friction\": %.17g, \"restitution\": %.17g}",
       d->contacts[0] == '\0' ? "" : ", ", name, b, d->mu, d->e);
}

static void
add_point (Drawing *d, TruthPoint point)
{
  SS_ASSERT (d->truth.n_points < TRUTH_POINTS);
  point.mu = d->mu;
  point.e = d->e;
  d->truth.points[d->truth.n_points++] = point;
}

/* On the floor, whose normal is `up`. */
static void
put_disc_on_floor (Drawing *d, int b, double radius, const double up[2])
{
  add_pair (d, -1, b);
  add_point (d, (TruthPoint){.a = -1, .b = b, .normal = {up[0], up[1]}, .radius_b = radius});
}

static void
put_rod_on_floor (Drawing *d, int b, double length, double radius)
{
  add_pair (d, -1, b);
  for (int k = -1; k <= 1; k += 2)
    add_point (d, (TruthPoint){.a = -1, .b = b, .normal = {0, 1}, .at_b = {k * 0.5 * length, 0}, .radius_b = radius});
}

static void
put_disc_on_disc (Drawing *d, int a, double radius_a, int b, double radius_b)
{
  add_pair (d, a, b);
  add_point (d, (TruthPoint){.a = a, .b = b, .radius_a = radius_a, .radius_b = radius_b});
}

static void
add_pin (Drawing *d, int a, int b, const double at_a[2], const double at_b[2], const double place[2])
{
  char name[16] = "world";
  if (a >= 0)
    snprintf (name, sizeof name, "b%d", a);
  add (d->joints, sizeof d->joints,
       "%s{\"name\": \"p%d\", \"type\": \"pin\", \"bodies\": [\"%s\", \"b%d\"], \"anchor\": [%.17g, %.17g]}",
       d->joints[0] == '\0' ? "" : ", ", d->truth.n_pins, name, b, place[0], place[1]);
  d->truth.pins[d->truth.n_pins++] = (TruthPin){.a = a, .b = b, .at_a = {at_a[0], at_a[1]}, .at_b = {at_b[0], at_b[1]}};
}

/* Poses and velocities by their kind, as the truth has them. */
static SsScenario *
finish (Drawing *d, const double up[2])
{
  char text[TEXT_SIZE + 512];
  Truth *t = &d->truth;
  double state[TRUTH_STATE];
  memcpy (state, t->state, sizeof state);
  for (int i = 0; i < t->n_bodies; i++)
    for (int k = 0; k < 6; k++)
      t->state[(k < 3 ? 3 * i : 3 * t->n_bodies + 3 * i - 3) + k] = state[6 * i + k];
  snprintf (text, sizeof text,
            "{\"format\": 1, \"name\": \"random\", \"scene\": {\"gravity\": [0, -9.81], \"bodies\": [{\"name\": "
            "\"floor\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [%.17g, %.17g]}}%s], "
            "\"joints\": [%s], \"contacts\": [%s]}}",
            up[0], up[1], d->bodies, d->joints, d->contacts);
  return ss_test_read_text (text);
}

/* A box above a floor that may slope, flat above it at times. */
static SsScenario *
draw_box (Drawing *d, SsRandom *r)
{
  const double slope = ss_random_next (r) % 3 == 0 ? ss_random_between (r, -0.4, 0.4) : 0;
  const double up[2] = {-sin (slope), cos (slope)}, w = ss_random_between (r, 0.1, 0.3),
               l = ss_random_between (r, 0.1, 0.3), mass = ss_random_between (r, 0.5, 3);
  const bool is_flat = ss_random_next (r) % 3 == 0;
  const double angle = slope + (is_flat ? 0 : ss_random_between (r, -1, 1));
  const double high = 0.5 * hypot (w, l) + ss_random_between (r, 0, 0.2), x = ss_random_between (r, -0.5, 0.5);
  const double pose[6] = {
      x * up[1] + high * up[0],     high * up[1] - x * up[0],     angle,
      ss_random_between (r, -2, 2), ss_random_between (r, -1, 1), is_flat ? 0 : ss_random_between (r, -4, 4)};
  char shape[128];
  snprintf (shape, sizeof shape, "{\"type\": \"box\", \"width\": %.17g, \"height\": %.17g}", w, l);
  const int b = add_body (d, mass, mass * (w * w + l * l) / 12, pose, shape);
  add_pair (d, -1, b);
  for (int k = 0; k < 4; k++)
    add_point (d, (TruthPoint){.a = -1,
                               .b = b,
                               .normal = {up[0], up[1]},
                               .at_b = {(k % 2 ? 0.5 : -0.5) * w, (k / 2 ? 0.5 : -0.5) * l}});
  return finish (d, up);
}

/* A rod, one end on the floor or above it. */
static SsScenario *
draw_rod (Drawing *d, SsRandom *r)
{
  const double length = ss_random_between (r, 0.4, 1.2), radius = ss_random_between (r, 0.01, 0.05),
               mass = ss_random_between (r, 0.5, 3), angle = ss_random_between (r, 0.2, 1.4),
               w = ss_random_between (r, -2, 1), speed = ss_random_between (r, -3, 3);
  const bool is_on = ss_random_next (r) % 2 == 0;
  const double high = is_on ? 0 : ss_random_between (r, 0, 0.1);
  const double pose[6] = {0, 0.5 * length * sin (angle) + radius + high, angle, speed, 0.5 * length * cos (angle) * w,
                          w};
  const int b = add_rod (d, mass, mass * (length * length / 12 + radius * radius), length, radius, pose);
  put_rod_on_floor (d, b, length, radius);
  return finish (d, (double[2]){0, 1});
}

/* One or two rods on a pin above a floor that the last one reaches. */
static SsScenario *
draw_pendulum (Drawing *d, SsRandom *r)
{
  const int n = 1 + (int)(ss_random_next (r) % 2);
  const double radius = 0.02, length = ss_random_between (r, 0.4, 0.8);
  const double pivot[2] = {0, n * length * ss_random_between (r, 0.6, 0.95)};
  double at[2] = {pivot[0], pivot[1]}, speed[2] = {0, 0};
  for (int i = 0; i < n; i++) {
    /* the first one level at least, so that nothing begins in the floor */
    const double angle = ss_random_between (r, -0.3, 0.3) + (ss_random_next (r) % 2 == 0 ? 0 : acos (-1));
    const double w = ss_random_between (r, -2, 2), c = 0.5 * length * cos (angle), s = 0.5 * length * sin (angle);
    const double mass = ss_random_between (r, 0.5, 2);
    const double pose[6] = {at[0] + c, at[1] + s, angle, speed[0] - s * w, speed[1] + c * w, w};
    const int b = add_rod (d, mass, mass * (length * length / 12 + radius * radius), length, radius, pose);
    const double before[2] = {0.5 * length, 0}, here[2] = {-0.5 * length, 0};
    add_pin (d, i - 1, b, i == 0 ? pivot : before, here, at);
    put_rod_on_floor (d, b, length, radius);
    at[0] += 2 * c;
    at[1] += 2 * s;
    speed[0] -= 2 * s * w;
    speed[1] += 2 * c * w;
  }
  return finish (d, (double[2]){0, 1});
}

/* Two or three discs on a floor and on each other. */
static SsScenario *
draw_discs (Drawing *d, SsRandom *r)
{
  const int n = 2 + (int)(ss_random_next (r) % 2);
  double radius[3], at = 0;
  for (int i = 0; i < n; i++) {
    const double mass = ss_random_between (r, 0.5, 3);
    radius[i] = ss_random_between (r, 0.08, 0.25);
    at += radius[i] + ss_random_between (r, 0, 0.05);
    const double pose[6] = {
        ss_random_between (r, -0.1, 0.1), at, 0, ss_random_between (r, -1, 1), ss_random_between (r, -0.5, 0.5),
        ss_random_between (r, -10, 10)};
    at += radius[i];
    const int b = add_disc (d, mass, 0.5 * mass * radius[i] * radius[i], radius[i], pose);
    put_disc_on_floor (d, b, radius[i], (double[2]){0, 1});
    for (int k = 0; k < i; k++)
      put_disc_on_disc (d, k, radius[k], b, radius[i]);
  }
  return finish (d, (double[2]){0, 1});
}

/* A particle or a ball slides over a fixed cylinder, or over one that glides, and may leave it. */
static SsScenario *
draw_curved (Drawing *d, SsRandom *r)
{
  const bool is_fixed = ss_random_next (r) % 2 == 0, turns = ss_random_next (r) % 2 == 0;
  const double wide = ss_random_between (r, 0.5, 1), small = ss_random_between (r, 0.05, 0.15),
               mass = ss_random_between (r, 0.5, 2), angle = ss_random_between (r, -0.6, 0.6),
               w = ss_random_between (r, -1.5, 1.5), u = is_fixed ? 0 : ss_random_between (r, -1, 1),
               way = wide + small;
  const double lower[6] = {0, wide, 0, u};
  const double upper[6] = {
      way * sin (angle),         wide + way * cos (angle), 0,
      u + way * cos (angle) * w, -way * sin (angle) * w,   turns ? ss_random_between (r, -10, 10) : 0};
  const int a = add_disc (d, is_fixed ? 0 : ss_random_between (r, 2, 6), is_fixed || turns ? 0 : 1, wide, lower);
  const int b = add_disc (d, mass, turns ? 0.4 * mass * small * small : 0, small, upper);
  if (!is_fixed)
    put_disc_on_floor (d, a, wide, (double[2]){0, 1});
  put_disc_on_disc (d, a, wide, b, small);
  put_disc_on_floor (d, b, small, (double[2]){0, 1});
  return finish (d, (double[2]){0, 1});
}

static const struct {
  const char *name;
  SsScenario *(*draw) (Drawing *d, SsRandom *r);
} families[] = {
    {"box", draw_box}, {"rod", draw_rod}, {"pendulum", draw_pendulum}, {"discs", draw_discs}, {"curved", draw_curved}};
enum { N_FAMILIES = sizeof families / sizeof *families };

/* ---- runs -------------------------------------------------------------------------------------------------------- */

/* The next scene of the family of which the truth is known, to a hundredth of what is asked for: with steps of a half
 * it is the same. NULL where 50 draws gave none. */
static SsScenario *
draw_known (Drawing *d, SsRandom *random, int family)
{
  for (int trial = 0; trial < 50; trial++) {
    memset (d, 0, sizeof *d);
    d->mu = ss_random_next (random) % 4 == 0 ? 0 : ss_random_between (random, 0.05, 1);
    d->e = ss_random_next (random) % 3 == 0 ? ss_random_between (random, 0.2, 0.7) : 0;
    d->t_end = ss_random_between (random, 0.4, 1);
    SsScenario *scenario = families[family].draw (d, random);
    Truth finer = d->truth;
    double apart = 0;
    truth_run (&d->truth, d->t_end, truth_step);
    if (d->truth.why == NULL)
      truth_run (&finer, d->t_end, truth_step / 2);
    for (int k = 0; k < 6 * finer.n_bodies; k++)
      apart = fmax (apart, fabs (finer.state[k] - d->truth.state[k]));
    if (d->truth.why == NULL && finer.why == NULL && apart < 0.01 * most)
      return scenario;
    ss_scenario_free (scenario);
  }
  return NULL;
}

/* Largest distance from the truth at the end, of all coordinates and velocities; INFINITY: not completed. */
static double
error_of (const Drawing *d, const SsScenario *scenario, double *estimate, double *place)
{
  static const char *const channels[6] = {"x", "y", "theta", "vx", "vy", "omega"};
  const Truth *t = &d->truth;
  double error = 0;
  *place = 0;
  SsTestRun run = ss_test_simulate (scenario->scene, &ss_integrator_fesd_j, NULL, dt, d->t_end, NULL);
  for (int i = 0; i < t->n_bodies && run.outcome == SS_OUTCOME_COMPLETED; i++)
    for (int k = 0; k < 6; k++) {
      char name[32];
      snprintf (name, sizeof name, "b%d.%s", i, channels[k]);
      const double off = fabs (ss_test_last_value (run.trajectory, name) -
                               t->state[(k < 3 ? 3 * i : 3 * t->n_bodies + 3 * i - 3) + k]);
      error = fmax (error, off);
      *place = fmax (*place, k < 2 ? off : 0);
    }
  if (run.outcome != SS_OUTCOME_COMPLETED)
    error = INFINITY;
  *estimate = run.metrics.error;
  ss_trajectory_free (run.trajectory);
  return error;
}

/* Places of 98 of 100 are within 1e-7 m; so are states, speeds in m/s and rad/s among them, of 95: the others are
 * double pendulums that whip, whose speeds elements of 5 ms do not resolve so well. Of those whose error can be told
 * from rounding, and which no accumulation ends, 9 of 10 have an estimate that is right to a tenth and a hundredfold:
 * it knows nothing of growth beyond drift. */
static void
run_scenes (int first, int n, bool tells)
{
  int n_done = 0, n_right = 0, n_placed = 0, n_told = 0, n_estimated = 0;
  double worst[N_FAMILIES] = {0};
  for (int i = 0; i < n; i++) {
    SsRandom random;
    Drawing d;
    const int family = (first + i) % N_FAMILIES;
    ss_random_seed (&random, (uint64_t)(first + i));
    SsScenario *scenario = draw_known (&d, &random, family);
    SS_CHECK (scenario != NULL);
    if (scenario == NULL)
      continue;
    double estimate, place;
    const double error = error_of (&d, scenario, &estimate, &place);
    n_done++;
    n_right += error <= most;
    n_placed += error < INFINITY && place <= most;
    if (place > 1e-12 && d.truth.n_events < 20) {
      n_told++;
      n_estimated += estimate > 0.1 * place && estimate < 100 * place;
    }
    worst[family] = fmax (worst[family], error <= most ? error : 0);
    if (tells || !(error <= most))
      printf ("  seed %d, %s: mu %.2f, e %.2f, %.2f s, %d events: %.1e (places %.1e, estimated %.1e, %.1f)\n",
              first + i, families[family].name, d.mu, d.e, d.t_end, d.truth.n_events, error, place, estimate,
              estimate / place);
    ss_scenario_free (scenario);
  }
  printf ("  of %d places of %d, states of %d within %g; worst of these:", n_done, n_placed, n_right, most);
  for (int k = 0; k < N_FAMILIES; k++)
    printf (" %s %.1e", families[k].name, worst[k]);
  printf ("\n");
  printf ("  estimates of errors above rounding: %d of %d right\n", n_estimated, n_told);
  SS_CHECK (n_placed >= 0.98 * n_done && n_right >= 0.95 * n_done);
  SS_CHECK (n_estimated >= 0.9 * n_told - 1);
}

static void
test_quick (void)
{
  run_scenes (FIRST_SEED, N_QUICK, false);
}

static void
test_all (void)
{
  if (ss_test_is_long ())
    run_scenes (FIRST_SEED + N_QUICK, N_ALL, false);
}

int
main (void)
{
  if (ss_test_argc == 3) {
    run_scenes (atoi (ss_test_argv[1]), atoi (ss_test_argv[2]), true);
  } else {
    SS_RUN (test_quick);
    SS_RUN (test_all);
  }
  return ss_test_finish ();
}
