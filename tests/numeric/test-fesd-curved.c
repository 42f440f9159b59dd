/* tests/numeric/test-fesd-curved.c: orders of fesd-j where what slides is curved: there friction acts along the motion,
 * so that velocities are as good as forces are. Truth: the same motions in coordinates of their own, which have no
 * constraint left, by the classical method of Runge with steps so short that rounding is what remains. */
#include "core/ss-random.h"
#include "fesd/ss-fesd-element-private.h"
#include "fesd/ss-fesd-j.h"
#include "ss-test-scenario.h"
#include "ss-test-simulate.h"

#include <math.h>
#include <stdarg.h>

static const double g = 9.81;

/* ---- truth ------------------------------------------------------------------------------------------------------- */

enum { N_MAX = 6, FINE_STEPS = 20000 };

/* The slope of a motion and the normal force where it slides; its slip [m/s]. */
typedef double (*Slope) (double mu, const double *x, double *slope);
typedef double (*Slip) (const double *x);

/* The state after t: fourth order, 20000 steps; half as many change it by less than 1e-13. Returns the least of the
 * slip and of the force on the way: below 0 the motion has another law. */
static double
integrate (Slope slope, Slip slip, double mu, int n, double t, double *x)
{
  static const double part[4] = {0, 0.5, 0.5, 1}, weight[4] = {1. / 6, 1. / 3, 1. / 3, 1. / 6};
  const double h = t / FINE_STEPS;
  double least = INFINITY;
  for (int step = 0; step < FINE_STEPS; step++) {
    double k[N_MAX] = {0}, y[N_MAX], sum[N_MAX] = {0};
    for (int s = 0; s < 4; s++) {
      for (int i = 0; i < n; i++)
        y[i] = x[i] + h * part[s] * k[i];
      const double force = slope (mu, y, k);
      least = fmin (least, fmin (force, slip (y)));
      for (int i = 0; i < n; i++)
        sum[i] += weight[s] * k[i];
    }
    for (int i = 0; i < n; i++)
      x[i] += h * sum[i];
  }
  return least;
}

/* Solves 3 equations, rows with their right side behind; no pivot is near zero here. */
static void
solve_three (double a[3][4], double *x)
{
  for (int k = 0; k < 3; k++)
    for (int i = 0; i < 3; i++)
      for (int j = 3; i != k && j >= k; j--)
        a[i][j] -= a[i][k] / a[k][k] * a[k][j];
  for (int k = 0; k < 3; k++)
    x[k] = a[k][3] / a[k][k];
}

/* A disc that keeps its angle slides down a fixed cylinder, friction mu; its centre goes on a circle of radius 1, at
 * angle x[0] from above. N is over the mass. */
static double
slope_of_disc (double mu, const double *x, double *slope)
{
  const double normal = g * cos (x[0]) - x[1] * x[1];
  slope[0] = x[1];
  slope[1] = g * sin (x[0]) - mu * normal;
  return normal;
}

static double
slip_of_disc (const double *x)
{
  return x[1];
}

static void
disc_at (const double *x, double *state)
{
  const double here[4] = {sin (x[0]), cos (x[0]), cos (x[0]) * x[1], -sin (x[0]) * x[1]};
  memcpy (state, here, sizeof here);
}

/* A solid ball of radius .1 and mass 1 with spin x[4] on a wide cylinder of mass 5 that glides on a floor (x[0]),
 * friction mu between them; its centre is at angle x[1] from above, on a radius of 1. Unknown: accelerations of x[0],
 * x[1], N. Friction -mu N along t = (cos, -sin). */
static double
slope_of_ball (double mu, const double *x, double *slope)
{
  const double s = sin (x[1]), c = cos (x[1]), w2 = x[3] * x[3];
  double a[3][4] = {{1, c, -(s - mu * c), s * w2}, {0, -s, -(c + mu * s), c * w2 - g}, {5, 0, s - mu * c, 0}}, y[3];
  solve_three (a, y);
  slope[0] = x[2];
  slope[1] = x[3];
  slope[2] = y[0];
  slope[3] = y[1];
  slope[4] = -2 * mu * y[2] / 0.1;
  return y[2];
}

static double
slip_of_ball (const double *x)
{
  return x[3] + 0.1 * x[4];
}

static void
ball_at (const double *x, double *state)
{
  const double here[4] = {x[0] + sin (x[1]), cos (x[1]), x[2] + cos (x[1]) * x[3], -sin (x[1]) * x[3]};
  memcpy (state, here, sizeof here);
}

/* The end of a rod of 1 m, 1 kg, .08 kg m2 and radius .02 slides to the right on a floor, friction mu. x: place,
 * angle from level. The contact is at (-a, -b) from the centre, N = g + a theta'' - sin/2 omega^2, friction -mu N. */
static double
slope_of_rod (double mu, const double *x, double *slope)
{
  const double a = 0.5 * cos (x[1]), b = 0.5 * sin (x[1]) + 0.02, fall = g - 0.5 * sin (x[1]) * x[3] * x[3];
  slope[0] = x[2];
  slope[1] = x[3];
  slope[3] = -(a + mu * b) * fall / (0.08 + (a + mu * b) * a);
  slope[2] = -mu * (fall + a * slope[3]);
  return fall + a * slope[3];
}

/* Or its angle, where that is less: at 0 the other end lands. */
static double
slip_of_rod (const double *x)
{
  return fmin (x[2] + (0.5 * sin (x[1]) + 0.02) * x[3], x[1]);
}

static void
rod_at (const double *x, double *state)
{
  const double here[4] = {x[0], 0.5 * sin (x[1]) + 0.02, x[2], 0.5 * cos (x[1]) * x[3]};
  memcpy (state, here, sizeof here);
}

/* Two rods of .5 m, 1 kg, .02 kg m2 and radius .02 hang from a pin; the end of the second slides on a floor, friction
 * mu. x: their angles. Unknown: angular accelerations, N. */
static double
slope_of_arm (double mu, const double *x, double *slope)
{
  const double l = 0.5, s1 = sin (x[0]), c1 = cos (x[0]), s2 = sin (x[1]), c2 = cos (x[1]), w1 = x[2] * x[2],
               w2 = x[3] * x[3], c12 = 0.5 * l * l, sd = sin (x[0] - x[1]), cd = cos (x[0] - x[1]);
  double a[3][4] = {{0.02 + 1.25 * l * l, c12 * cd, -(l * c1 + mu * l * s1), -c12 * sd * w2 - 1.5 * l * g * c1},
                    {c12 * cd, 0.02 + 0.25 * l * l, -(l * c2 + mu * (l * s2 - 0.02)), c12 * sd * w1 - 0.5 * l * g * c2},
                    {c1, c2, 0, s1 * w1 + s2 * w2}};
  double y[3];
  solve_three (a, y);
  slope[0] = x[2];
  slope[1] = x[3];
  slope[2] = y[0];
  slope[3] = y[1];
  return y[2];
}

static double
slip_of_arm (const double *x)
{
  return -0.5 * sin (x[0]) * x[2] - (0.5 * sin (x[1]) - 0.02) * x[3];
}

static void
arm_at (const double *x, double *state)
{
  const double l = 0.5;
  const double here[4] = {l * cos (x[0]) + 0.5 * l * cos (x[1]), 0.02 - 0.5 * l * sin (x[1]),
                          -l * sin (x[0]) * x[2] - 0.5 * l * sin (x[1]) * x[3], -0.5 * l * cos (x[1]) * x[3]};
  memcpy (state, here, sizeof here);
}

/* ---- scenes ------------------------------------------------------------------------------------------------------ */

typedef struct {
  const char *name;
  Slope slope;
  Slip slip;
  void (*at) (const double *x, double *state); /* x, y, vx, vy of body a */
  int n;
  double t, mu, start[N_MAX];
} Motion;

enum { DISC, BALL, ROD, ARM, N_MOTIONS };
static const Motion motions[N_MOTIONS] = {
    {"disc on a cylinder", slope_of_disc, slip_of_disc, disc_at, 2, 0.4, 0.2, {0.3, 0.8}},
    {"ball on a gliding cylinder", slope_of_ball, slip_of_ball, ball_at, 5, 0.16, 0.2, {0, 0.3, 0, 0.8, 10}},
    {"rod's end", slope_of_rod, slip_of_rod, rod_at, 4, 0.24, 1, {0, 1, 5, -0.5}},
    {"arm", slope_of_arm, slip_of_arm, arm_at, 4, 0.16, 0.3, {-1.9, -0.9, 2, 0}},
};

/* The end of the arm glides: the second speed follows from the first. */
static Motion
made_consistent (Motion motion)
{
  if (motion.slope == slope_of_arm)
    motion.start[3] = -cos (motion.start[0]) / cos (motion.start[1]) * motion.start[2];
  return motion;
}

typedef struct {
  char text[2048];
  size_t n;
} Text;

static void
add (Text *text, const char *format, ...)
{
  va_list arguments;
  va_start (arguments, format);
  text->n += (size_t)vsnprintf (text->text + text->n, sizeof text->text - text->n, format, arguments);
  va_end (arguments);
  SS_ASSERT (text->n < sizeof text->text);
}

/* pose: x, y, angle and their rates. */
static void
add_body (Text *text, const char *name, const char *what, const double pose[6])
{
  add (text,
       "%s{\"name\": \"%s\", \"position\": [%.17g, %.17g], \"angle\": %.17g, \"velocity\": [%.17g, %.17g], "
       "\"angular_velocity\": %.17g, %s}",
       text->text[text->n - 1] == '[' ? "" : ", ", name, pose[0], pose[1], pose[2], pose[3], pose[4], pose[5], what);
}

#define FLOOR "\"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]}"
#define WIDE  "\"shape\": {\"type\": \"circle\", \"radius\": 0.9}"
#define SMALL "\"shape\": {\"type\": \"circle\", \"radius\": 0.1}"
#define LONG  "\"mass\": 1, \"inertia\": 0.08, \"shape\": {\"type\": \"capsule\", \"length\": 1, \"radius\": 0.02}"
#define SHORT "\"mass\": 1, \"inertia\": 0.02, \"shape\": {\"type\": \"capsule\", \"length\": 0.5, \"radius\": 0.02}"

/* Contacts: what slides, with friction mu, between b and a. */
static SsScenario *
scene_of (const Motion *motion)
{
  Text text = {.n = 0};
  double s[4];
  const double *x = motion->start, rest[6] = {0};
  const char *more = "";
  motion->at (x, s);
  add (&text, "{\"format\": 1, \"name\": \"curved\", \"scene\": {\"gravity\": [0, -9.81], \"bodies\": [");
  if (motion->slope == slope_of_disc) {
    add_body (&text, "b", "\"fixed\": true, " WIDE, rest);
    add_body (&text, "a", "\"mass\": 2, \"lock\": [\"theta\"], " SMALL, (double[6]){s[0], s[1], 0, s[2], s[3]});
  } else if (motion->slope == slope_of_ball) {
    add_body (&text, "floor", FLOOR, rest);
    add_body (&text, "b", "\"mass\": 5, \"lock\": [\"theta\"], " WIDE, (double[6]){0, 0.9});
    add_body (&text, "a", "\"mass\": 1, " SMALL, (double[6]){s[0], s[1] + 0.9, 0, s[2], s[3], x[4]});
    more = ", {\"bodies\": [\"floor\", \"b\"], \"friction\": 0}";
  } else if (motion->slope == slope_of_rod) {
    add_body (&text, "b", FLOOR, rest);
    add_body (&text, "a", LONG, (double[6]){s[0], s[1], x[1], s[2], s[3], x[3]});
  } else {
    const double l = 0.5, c = cos (x[0]), d = sin (x[0]), height = 0.02 - l * (d + sin (x[1]));
    add_body (&text, "b", FLOOR, rest);
    add_body (&text, "arm", SHORT,
              (double[6]){0.5 * l * c, height + 0.5 * l * d, x[0], -0.5 * l * d * x[2], 0.5 * l * c * x[2], x[2]});
    add_body (&text, "a", SHORT, (double[6]){s[0], s[1], x[1], s[2], s[3], x[3]});
    add (&text,
         "], \"joints\": [{\"name\": \"p\", \"type\": \"pin\", \"bodies\": [\"world\", \"arm\"], \"anchor\": [0, "
         "%.17g]}, "
         "{\"name\": \"q\", \"type\": \"pin\", \"bodies\": [\"arm\", \"a\"], \"anchor\": [%.17g, %.17g]}",
         height, l * c, height + l * d);
  }
  add (&text, "], \"contacts\": [{\"bodies\": [\"b\", \"a\"], \"friction\": %.17g}%s]}}", motion->mu, more);
  return ss_test_read_text (text.text);
}

/* What a run says of its error is right to a tenth and a hundredfold, where that is above rounding; its order is, of
 * the longest elements to one and a half. */
static void
check_estimate (const SsSimMetrics *metrics, double place)
{
  SS_CHECK (metrics->has_error);
  if (place > 1e-12)
    SS_CHECK (metrics->error > 0.1 * place && metrics->error < 100 * place);
  SS_CHECK (metrics->order == 0 || metrics->order > metrics->due_order - 1.5);
}

/* Largest error of x, y, vx, vy of body a at the end; NAN where the motion stops sliding. */
static double
error_of (const Motion *motion, const char *scheme, int stages, double dt)
{
  static const char *const channels[4] = {"a.x", "a.y", "a.vx", "a.vy"};
  double x[N_MAX], truth[4], error = 0;
  char by_scheme[32], by_stages[32];
  memcpy (x, motion->start, sizeof x);
  if (integrate (motion->slope, motion->slip, motion->mu, motion->n, motion->t, x) < 0.01)
    return NAN;
  motion->at (x, truth);
  truth[1] += motion->slope == slope_of_ball ? 0.9 : 0;
  snprintf (by_scheme, sizeof by_scheme, "scheme=%s", scheme);
  snprintf (by_stages, sizeof by_stages, "stages=%d", stages);
  const char *const options[] = {by_scheme, by_stages, NULL};
  SsScenario *scenario = scene_of (motion);
  SsTestRun run = ss_test_simulate (scenario->scene, &ss_integrator_fesd_j, options, dt, motion->t, NULL);
  SS_CHECK (run.outcome == SS_OUTCOME_COMPLETED);
  SS_CHECK_NEAR (run.metrics.own_residual, 0, 1e-10);
  for (int k = 0; k < 4 && run.trajectory != NULL; k++) {
    error = fmax (error, fabs (ss_test_last_value (run.trajectory, channels[k]) - truth[k]));
    if (k == 1)
      check_estimate (&run.metrics, error);
  }
  ss_trajectory_free (run.trajectory);
  ss_scenario_free (scenario);
  return error;
}

/* Orders 2 n - 1, 2 n and 2 n - 2 between the two finest steps whose errors are above rounding and what it leaves of
 * the truth (1e-13), less .3: such errors have one digit. From order 6 on steps are so long that two elements are the
 * motion; from order 8 on rounding comes within three halvings of them, before errors fall quite as they do at last:
 * the steepest of these halvings counts, less .5, and rounding after two of them does. */
static void
test_orders (void)
{
  static const struct {
    const char *scheme;
    int stages, order;
  } schemes[] = {{"radau-iia", 1, 1},      {"radau-iia", 2, 3},      {"radau-iia", 3, 5},      {"radau-iia", 4, 7},
                 {"radau-iia", 5, 9},      {"gauss-legendre", 1, 2}, {"gauss-legendre", 2, 4}, {"gauss-legendre", 3, 6},
                 {"gauss-legendre", 4, 8}, {"lobatto-iiic", 2, 2},   {"lobatto-iiic", 3, 4},   {"lobatto-iiic", 4, 6},
                 {"lobatto-iiic", 5, 8}};
  for (int m = 0; m < N_MOTIONS; m++)
    for (size_t k = 0; k < sizeof schemes / sizeof *schemes; k++) {
      const Motion motion = made_consistent (motions[m]);
      const bool is_high = schemes[k].order >= 8;
      double error[4], order = NAN, longest = schemes[k].order < 6 ? 0.04 : motion.t; /* two elements a step */
      for (int i = 0; i < 4; i++) {
        error[i] = error_of (&motion, schemes[k].scheme, schemes[k].stages, longest / (1 << i));
        if (i > 0 && error[i] > (is_high ? 1e-14 : 1e-13))
          order = is_high ? fmax (order, log2 (error[i - 1] / error[i])) : log2 (error[i - 1] / error[i]);
      }
      printf ("  %s, %s %d: errors %.1e %.1e %.1e %.1e, order %.2f of %d\n", motion.name, schemes[k].scheme,
              schemes[k].stages, error[0], error[1], error[2], error[3], order, schemes[k].order);
      if (isnan (order)) /* rounding from the first halving on, by a factor of 64 at least */
        SS_CHECK (error[0] < 64e-13);
      else if (!is_high || error[2] > 3e-14)
        SS_CHECK (order > schemes[k].order - (is_high ? 0.5 : 0.3));
    }
}

/* Other starts and frictions, at the default scheme and steps of .01 s: order five of motions whose rates are some 10/s
 * leaves 1e-9. */
static void
test_random_starts (void)
{
  SsRandom random;
  int n_done = 0;
  double worst = 0;
  const int n_trials = ss_test_is_coarse () ? 40 : 200;
  ss_random_seed (&random, 23);
  for (int trial = 0; trial < n_trials; trial++) {
    Motion motion = motions[trial % N_MOTIONS];
    for (int i = 0; i < motion.n; i++)
      motion.start[i] *= ss_random_between (&random, 0.6, 1.3);
    motion.mu *= ss_random_between (&random, 0.3, 1.3);
    motion = made_consistent (motion);
    const double error = error_of (&motion, "radau-iia", 3, 0.01);
    if (isnan (error))
      continue;
    n_done++;
    worst = fmax (worst, error);
    SS_CHECK_NEAR (error, 0, 1e-9);
  }
  printf ("  %d random motions, worst error %.1e\n", n_done, worst);
  SS_CHECK (n_done > n_trials / 2);
}

/* A ball on a fixed cylinder, rolling or sliding down. With the exact matrix the error of each of Newton's steps is of
 * the square of the one before: from a tenth of the velocities to 1e-2, 1e-4, 1e-8 and rounding in four, so six with
 * the first and the one that sees it. A matrix with a wrong term loses a constant part each step and takes longer. */
static void
test_newton_squares_its_error (void)
{
  static const char *const text =
      "{\"format\": 1, \"name\": \"ball-on-cylinder\", \"title\": \"\", \"scene\": {\"gravity\": [0, -9.81], "
      "\"bodies\": ["
      "{\"name\": \"cylinder\", \"fixed\": true, \"shape\": {\"type\": \"circle\", \"radius\": 1}},"
      "{\"name\": \"ball\", \"mass\": 1, \"shape\": {\"type\": \"circle\", \"radius\": 0.3}}],"
      " \"contacts\": [{\"name\": \"c\", \"bodies\": [\"cylinder\", \"ball\"], \"friction\": 0.5}]}}";
  static const SsFesdMode modes[] = {SS_FESD_STICK, SS_FESD_SLIP_PLUS, SS_FESD_SLIP_MINUS};
  SsScenario *scenario = ss_test_read_text (text);
  SsFesdSystem *system = NULL;
  SsFesdElement *element = NULL;
  SsTableau tableau;
  SsError err = {0};
  static const double q[] = {0, 0, 0, 0.78, 1.04, 0}, v[] = {0, 0, 0, 1.6, -1.2, -2 / 0.3}; /* rolls */
  SS_CHECK (scenario != NULL && ss_fesd_system_new (scenario->scene, &system, &err) == SS_OK);
  for (int stages = 2; system != NULL && stages <= 3; stages++)
    for (size_t k = 0; k < sizeof modes / sizeof *modes; k++) {
      const double offset = 0;
      SS_CHECK (ss_tableau_make (SS_TABLEAU_RADAU_IIA, stages, &tableau, &err) == SS_OK);
      SS_CHECK (ss_fesd_element_new (system, &tableau, &element, &err) == SS_OK);
      SS_CHECK (ss_fesd_element_set_modes (element, &modes[k], &err) == SS_OK);
      ss_fesd_element_set_offsets (element, &offset);
      ss_fesd_element_start (element, 0, q, v, NULL, NULL, NULL, NULL);
      SS_CHECK (ss_fesd_element_solve (element, 0.1));
      printf ("  %d stages, mode %d: %ld steps\n", stages, (int)modes[k], element->iterations);
      SS_CHECK (element->iterations <= 6);
      ss_fesd_element_free (element);
      element = NULL;
    }
  ss_fesd_system_free (system);
  ss_scenario_free (scenario);
}

int
main (void)
{
  SS_RUN (test_newton_squares_its_error);
  SS_RUN_SLOW (test_orders);
  SS_RUN (test_random_starts);
  return ss_test_finish ();
}
