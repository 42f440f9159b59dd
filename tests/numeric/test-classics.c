/* tests/numeric/test-classics.c: the scenes of examples/classics against what their descriptions expect: closed forms
 * and invariants.
 *
 * The integrators used are exact for motion under constant forces between contacts or first-order; each tolerance says
 * which error it allows.
 */
#include "simulate/ss-simulate.h"
#include "ss-test-scenario.h"
#include "ss-test-simulate.h"

#include <stdlib.h>

/* Exact up to rounding and, at touching contacts, up to the solvers' tolerance of 1e-9 in velocities. */
static const double exact = 1e-8;

typedef struct {
  SsScenario *scenario;
  SsTrajectory *trajectory;
  SsSimMetrics metrics;
} Run;

/* Simulates a classical scene; the trajectory is complete unless a check has failed. */
static bool
simulate (const char *name, const SsIntegratorClass *integrator, const SsOverride *overrides, int n_overrides,
          double dt, Run *run)
{
  char path[128], message[512];
  SsOutcome outcome = SS_OUTCOME_FAILED;
  SsError error = {0};
  int before = ss_test_failed_checks;

  memset (run, 0, sizeof *run);
  snprintf (path, sizeof path, "examples/classics/%s.stickslip.json", name);
  run->scenario = ss_test_read_file (path, overrides, n_overrides);
  if (run->scenario == NULL)
    return false;
  SS_CHECK (ss_simulate (run->scenario->scene, integrator, NULL, dt > 0 ? dt : run->scenario->task.dt,
                         run->scenario->task.t_end, NULL, &run->trajectory, &run->metrics, &outcome, message,
                         sizeof message, &error) == SS_OK);
  SS_CHECK (outcome == SS_OUTCOME_COMPLETED);
  if (ss_test_failed_checks > before)
    printf ("  %s with %s: %s %s\n", name, integrator->name, message, error.message);
  return run->trajectory != NULL && ss_test_failed_checks == before;
}

static void
release (Run *run)
{
  ss_trajectory_free (run->trajectory);
  ss_scenario_free (run->scenario);
}

static double
at (const Run *run, int row, const char *channel)
{
  return ss_test_value (run->trajectory, row, channel);
}

static int
last (const Run *run)
{
  return run->trajectory->n_rows - 1;
}

static double
parameter (const Run *run, const char *name)
{
  int i = ss_scenario_parameter (run->scenario, name);

  return i >= 0 ? run->scenario->parameters[i].value : NAN;
}

static double
energy (const Run *run, int row)
{
  return at (run, row, "energy.kinetic") + at (run, row, "energy.potential");
}

/* Lands when energy conservation says, and the infinitely many bounces are over when their geometric series is. */
static void
test_bouncing_ball (void)
{
  Run run;

  if (simulate ("bouncing-ball", &ss_integrator_moreau_jean, NULL, 0, 0, &run)) {
    double g = parameter (&run, "g"), e = parameter (&run, "e"), dt = run.scenario->task.dt;
    double t1 = sqrt (2 * parameter (&run, "h0") / g), rest = t1 * (1 + e) / (1 - e), landed = NAN, r = 0.1;

    for (int k = last (&run); k >= 0; k--) {
      double t = at (&run, k, "t");

      if (at (&run, k, "floor-ball.impulse_n") > 0)
        landed = t;
      /* a bounce is placed at the end of a step, so the series is late by less than a step a bounce; ten of them are
       * longer than a step */
      if (t > rest + 10 * dt) {
        SS_CHECK_NEAR (at (&run, k, "ball.vy"), 0, g * dt);
        SS_CHECK_NEAR (at (&run, k, "ball.y"), r,
                       t1 * g * dt); /* Newton's law in velocities keeps what sank in while landing */
      }
    }
    SS_CHECK_NEAR (landed, t1, 2 * dt);
  }
  release (&run);
}

/* Constant forces: velocities are exact for every step length. */
static void
test_ball_on_ramp (void)
{
  const SsIntegratorClass *integrators[] = {&ss_integrator_stewart_trinkle, &ss_integrator_moreau_jean,
                                            &ss_integrator_anitescu_potra};

  for (int i = 0; i < 3; i++) {
    Run run;

    if (simulate ("ball-on-ramp", integrators[i], NULL, 0, 0, &run)) {
      int k = last (&run);
      double g = 9.81, alpha = parameter (&run, "alpha"), r = 0.1, t = at (&run, k, "t");
      double rolling = 2.0 / 3 * g * sin (alpha) * t, slipping = g * (sin (alpha) - 0.1 * cos (alpha)) * t;

      SS_CHECK_NEAR (hypot (at (&run, k, "rough.vx"), at (&run, k, "rough.vy")), rolling, exact);
      SS_CHECK_NEAR (at (&run, k, "rough.omega"), -rolling / r, exact / r);
      SS_CHECK_NEAR (hypot (at (&run, k, "smooth.vx"), at (&run, k, "smooth.vy")), slipping, exact);
      SS_CHECK_NEAR (at (&run, k, "smooth.omega"), -2 * 0.1 * g * cos (alpha) * t / r, exact / r);
    }
    release (&run);
  }
}

/* The last ball leaves with the first one's speed, the others stay, and the energy is kept. */
static void
test_newtons_cradle (void)
{
  Run run;

  if (simulate ("newtons-cradle", &ss_integrator_moreau_jean, NULL, 0, 0, &run)) {
    double speed = sqrt (2 * 9.81 * 0.5 * (1 - cos (parameter (&run, "angle")))), dt = run.scenario->task.dt;
    double fastest = 0, middle = 0,
           quarter = 0.37; /* of the first ball's swing is 0.363 s; the last one swings until 1.08 s */

    for (int k = 0; k <= last (&run) && at (&run, k, "t") < 2 * quarter; k++) {
      fastest = fmax (fastest, at (&run, k, "ball5.vx"));
      if (at (&run, k, "t") > quarter + 0.01)
        middle = fmax (middle, fabs (at (&run, k, "ball3.vx")));
    }
    /* the collision comes up to a gap before or after the lowest point, and within a step: relative (gap/l)^2/2 and g
     * dt/v */
    SS_CHECK_NEAR (fastest, speed, 9.81 * dt + 1e-5);
    SS_CHECK_NEAR (middle, 0, 0.05); /* swings of an ending inside a gap of 1 mm: omega times gap = 0.004 m/s a ball */
    /* midpoint steps keep the energy of a pendulum up to dt^2 */
    SS_CHECK_NEAR (energy (&run, last (&run)), energy (&run, 0), 0.02);
    printf ("  last ball %.6f m/s, first %.6f, energy changed by %.2g J\n", fastest, speed,
            energy (&run, last (&run)) - energy (&run, 0));
  }
  release (&run);
}

/* Housner's ratio at every impact that is well resolved, and the first quarter period from energy conservation. */
static void
test_rocking_block (void)
{
  Run run;

  if (simulate ("rocking-block", &ss_integrator_stewart_trinkle, NULL, 0, 0.0001, &run)) {
    double w = 0.2, h = 0.8, s = sin (atan2 (w, h)), ratio = 1 - 1.5 * s * s, g = 9.81, quarter = 0;
    double theta0 = 0.12, radius = hypot (w, h) / 2, alpha = atan2 (w, h), first = NAN;
    int n_impacts = 0, rows = last (&run);

    /* omega^2 = (3 g/2 R) (cos(alpha - theta0) - cos(alpha - theta)), from the centre's height R cos(alpha - theta);
     * time = integral of d theta/omega, with theta = theta0 (1 - u^2) against the root at the start; midpoint sums of
     * 1e4 pieces are exact to 1e-8 */
    for (int i = 0; i < 10000; i++) {
      double u = (i + 0.5) / 10000, theta = theta0 * (1 - u * u);

      quarter += 2 * theta0 * u / 10000 / sqrt (3 * g / (2 * radius) * (cos (alpha - theta0) - cos (alpha - theta)));
    }
    for (int k = 5; k + 5 < rows && n_impacts < 4; k++) {
      double theta = at (&run, k, "block.theta"), next = at (&run, k + 1, "block.theta");

      if ((theta > 0) == (next > 0) || theta == 0)
        continue;
      /* five steps before and after: gravity changes omega by about 1 rad/s2 meanwhile */
      double before = at (&run, k - 5, "block.omega"), after = at (&run, k + 6, "block.omega");
      if (n_impacts++ == 0)
        first = at (&run, k, "t");
      SS_CHECK_NEAR (after / before, ratio, 0.005);
    }
    SS_CHECK (n_impacts == 4);
    SS_CHECK_NEAR (first, quarter, 0.001); /* first order in the step of 0.0001 */
    printf ("  ratio %.6f; first impact at %.5f s, expected %.5f\n", ratio, first, quarter);
  }
  release (&run);
}

/* Through the paradox: the end stops at once, does not sink in, and no energy is made. Below 4/3 it goes on sliding. */
static void
test_painleve_rod (void)
{
  SsOverride smooth = {"mu", 1};
  Run run;

  for (int kind = 0; kind < 2; kind++) {
    if (simulate ("painleve-rod", &ss_integrator_stewart_trinkle, &smooth, kind, 0, &run)) {
      double largest = energy (&run, 0);
      int k = 10;
      double vx = at (&run, k, "rod.vx"), omega = at (&run, k, "rod.omega"), theta = at (&run, k, "rod.theta");
      double end = vx + omega * 0.5 * sin (theta); /* of the lower end */

      for (int row = 0; row <= last (&run); row++) {
        SS_CHECK (at (&run, row, "floor-rod.gap") > -1e-6); /* the linear gap's error is of order dt^2 */
        SS_CHECK (energy (&run, row) <= largest * (1 + 1e-12) + 1e-12);
        largest = fmin (largest, energy (&run, row));
      }
      if (kind == 0)
        SS_CHECK_NEAR (end, 0, 0.05);
      else
        SS_CHECK (end < -2);
    }
    release (&run);
  }
}

static void
test_domino_row (void)
{
  Run run;

  if (simulate ("domino-row", &ss_integrator_stewart_trinkle, NULL, 0, 0, &run)) {
    for (int i = 1; i <= 8; i++) {
      char channel[32];

      snprintf (channel, sizeof channel, "d%d.theta", i);
      SS_CHECK (at (&run, last (&run), channel) < -atan2 (0.1, 0.5));
    }
    SS_CHECK (energy (&run, last (&run)) < energy (&run, 0));
  }
  release (&run);
}

/* What a body has moved since the start. */
static double
largest_motion (const Run *run)
{
  double largest = 0;

  for (int i = 0; i < run->scenario->scene->n_bodies; i++)
    for (int c = 0; c < 3; c++) {
      int channel = 1 + 6 * i + c;

      largest = fmax (largest, fabs (ss_trajectory_row (run->trajectory, last (run))[channel] -
                                     ss_trajectory_row (run->trajectory, 0)[channel]));
    }
  return largest;
}

static void
test_card_house (void)
{
  SsOverride slippery = {"mu", 0.1};
  Run run;

  if (simulate ("card-house", &ss_integrator_stewart_trinkle, NULL, 0, 0, &run))
    SS_CHECK_NEAR (largest_motion (&run), 0, exact);
  release (&run);
  if (simulate ("card-house", &ss_integrator_stewart_trinkle, &slippery, 1, 0, &run))
    SS_CHECK (at (&run, last (&run), "roof.y") < 0.03); /* it stood at 0.087 */
  release (&run);
}

static void
test_box_pyramid (void)
{
  Run run;

  if (simulate ("box-pyramid", &ss_integrator_stewart_trinkle, NULL, 0, 0, &run)) {
    double normal = 0, tangential = 0;

    for (int j = 0; j < 5; j++) {
      char channel[32];

      snprintf (channel, sizeof channel, "floor-b0_%d.lambda_n", j);
      normal += at (&run, last (&run), channel);
      snprintf (channel, sizeof channel, "floor-b0_%d.lambda_t", j);
      tangential += at (&run, last (&run), channel);
    }
    SS_CHECK_NEAR (normal, 15 * 9.81, exact * 15 * 9.81);
    SS_CHECK_NEAR (tangential, 0, exact * 15 * 9.81);
    SS_CHECK_NEAR (largest_motion (&run), 0, exact);
  }
  release (&run);
}

/* Two heel strikes at the period of the gait, each losing what a step descends. */
static void
test_compass_walker (void)
{
  Run run;

  if (simulate ("compass-walker", &ss_integrator_stewart_trinkle, NULL, 0, 0.0002, &run)) {
    const double period = 0.708583108449; /* of the fixed point that the description speaks of */
    double loss = 20 * 9.81 * sin (3 * 3.14159265358979323846 / 180) * 2 * sin (parameter (&run, "th0"));
    static const char *const strikes[] = {"odd0-leg1.impulse_n", "even1-leg0.impulse_n"};

    for (int i = 0; i < 2; i++) {
      int k = 0;

      while (k < last (&run) && !(at (&run, k, strikes[i]) > 0))
        k++;
      /* first-order integration of a gait that repeats an error about once a step */
      SS_CHECK_NEAR (at (&run, k, "t"), (i + 1) * period, 0.004 * (i + 1));
      SS_CHECK_NEAR (energy (&run, k - 5) - energy (&run, k + 5), loss, 0.02 * loss * (i + 1));
      printf ("  strike at %.5f s, %.4f J; expected %.5f, %.4f\n", at (&run, k, "t"),
              energy (&run, k - 5) - energy (&run, k + 5), (i + 1) * period, loss);
    }
  }
  release (&run);
}

/* The linear oscillator, up to the cube of the tilt (1e-4, of which gravity makes a part) and first order in the step:
 * .24 of it. */
static void
test_held_pendulum (void)
{
  Run run;

  if (simulate ("held-pendulum", &ss_integrator_moreau_jean, NULL, 0, 0.0001, &run)) {
    double inertia = 1.0 / 3, damping = 0.5 + 0.1 / 4, stiffness = 15 - 9.81 / 2, theta0 = 0.05, worst = 0;
    double decay = damping / (2 * inertia), omega = sqrt (stiffness / inertia - decay * decay);

    for (int k = 0; k <= last (&run); k++) {
      double t = at (&run, k, "t");
      double expected = theta0 * exp (-decay * t) * (cos (omega * t) + decay / omega * sin (omega * t));

      worst = fmax (worst, fabs (at (&run, k, "rod.theta") - 3.14159265358979323846 / 2 - expected));
    }
    SS_CHECK_NEAR (worst, 0, 5e-5);
    SS_CHECK_NEAR (at (&run, 1, "u.motor"), -15 * 0.05, 0.01);
    printf ("  worst deviation %.2g rad\n", worst);
  }
  release (&run);
}

/* The crank turns steadily, whatever it drives; the piston's place follows from the lengths alone. */
static void
test_slider_crank (void)
{
  Run run;

  if (simulate ("slider-crank", &ss_integrator_stewart_trinkle, NULL, 0, 0, &run)) {
    double r = 0.5, l = 1.5, omega = parameter (&run, "omega"), worst = 0;

    for (int k = 0; k <= last (&run); k++) {
      double angle = omega * at (&run, k, "t"), s = r * sin (angle);

      SS_CHECK_NEAR (at (&run, k, "crank.theta"), angle, 1e-12);
      worst = fmax (worst, fabs (at (&run, k, "piston.x") - r * cos (angle) - sqrt (l * l - s * s)));
    }
    printf ("  worst deviation %.2g m\n", worst);
    SS_CHECK_NEAR (worst, 0, 1e-6); /* the drift of joints whose rows are linearised at each step: 4e-8 */
  }
  release (&run);
}

/* The motor gives what the weights ask for at its speed, the elbow holds the moment of what hangs on it. */
static void
test_driven_arm (void)
{
  Run run;

  if (simulate ("driven-arm", &ss_integrator_moreau_jean, NULL, 0, 0, &run)) {
    const double g = 9.81, h = 0.005;
    double motor = 0, elbow = 0, bent = 0;

    for (int k = 1; k <= last (&run); k++) { /* means over the step, of which the middle is half a step back */
      const double angle = (at (&run, k, "upper.theta") + at (&run, k - 1, "upper.theta")) / 2;

      motor = fmax (motor, fabs (at (&run, k, "shoulder.motor") - (2 * g * 0.5 + 1 * g * 1.5) * cos (angle)));
      elbow = fmax (elbow, fabs (at (&run, k, "elbow.friction") - 1 * g * 0.5 * cos (angle)));
      bent = fmax (bent, fabs (at (&run, k, "lower.theta") - at (&run, k, "upper.theta")));
      SS_CHECK_NEAR (at (&run, k, "upper.omega"), 1, 1e-9);
    }
    printf ("  motor off by %.2g N m, elbow by %.2g N m, bent by %.2g rad\n", motor, elbow, bent);
    SS_CHECK (motor < 24.5 * h * h && elbow < 4.9 * h * h && bent < 1e-9); /* omega = 1: (omega h)^2 of each */
  }
  release (&run);
  const SsOverride weaker = {"friction", 4};
  if (simulate ("driven-arm", &ss_integrator_moreau_jean, &weaker, 1, 0, &run))
    SS_CHECK (fabs (at (&run, last (&run), "lower.theta") - at (&run, last (&run), "upper.theta")) > 0.1);
  release (&run);
}

/* c g/(1.5 r) slower each second, at rest from then on; without resistance as fast as ever. */
static void
test_rolling_discs (void)
{
  Run run;

  if (simulate ("rolling-discs", &ss_integrator_stewart_trinkle, NULL, 0, 0, &run)) {
    const double a = 0.01 * 9.81 / (1.5 * 0.2), h = 0.005;
    double worst = 0;

    for (int k = 0; k <= last (&run); k++)
      worst = fmax (worst, fabs (at (&run, k, "resisted.vx") - fmax (1 - a * at (&run, k, "t"), 0)));
    SS_CHECK (worst < a * h);                                             /* it stops within a step */
    SS_CHECK_NEAR (at (&run, last (&run), "resisted.x"), 1 / (2 * a), h); /* first order: half a step of the way */
    SS_CHECK_NEAR (at (&run, last (&run), "free.vx"), 1, 1e-9);
  }
  release (&run);
}

/* The light block hangs, one stays on the wall by mu c > m g; the heavy one falls, from its first step on with g, in
 * which it is held by c. Sums of 50 steps of some 15 N on 1 kg. */
static void
test_sticky_ceiling (void)
{
  Run run;

  if (simulate ("sticky-ceiling", &ss_integrator_anitescu_potra, NULL, 0, 0, &run)) {
    SS_CHECK_NEAR (at (&run, last (&run), "light.y"), -0.1, 1e-11);
    SS_CHECK_NEAR (at (&run, last (&run), "stuck.y"), -0.5, 1e-11);
    SS_CHECK_NEAR (at (&run, last (&run), "heavy.vy"), -9.81 * 0.5 + 12 / 1.5 * 0.01, 1e-11);
  }
  release (&run);
  const SsOverride weaker = {"mu", 0.8};
  if (simulate ("sticky-ceiling", &ss_integrator_anitescu_potra, &weaker, 1, 0, &run))
    SS_CHECK_NEAR (at (&run, last (&run), "stuck.vy"), -(9.81 - 0.8 * 12) * 0.5, 1e-11);
  release (&run);
}

/* The rocker swings between the two positions in which crank and coupler are in line. */
static void
test_four_bar (void)
{
  Run run;

  if (simulate ("four-bar", &ss_integrator_stewart_trinkle, NULL, 0, 0, &run)) {
    double a = 1, b = 3.5, c = 3, d = 4, pi = 3.14159265358979323846, least = INFINITY, largest = -INFINITY;

    for (int k = 0; k <= last (&run); k++) {
      double angle = pi - at (&run, k, "rocker.theta");

      least = fmin (least, angle);
      largest = fmax (largest, angle);
    }
    printf ("  rocker from %.6f to %.6f rad\n", least, largest);
    SS_CHECK_NEAR (least, acos ((c * c + d * d - (b - a) * (b - a)) / (2 * c * d)), 1e-4);
    SS_CHECK_NEAR (largest, acos ((c * c + d * d - (b + a) * (b + a)) / (2 * c * d)), 1e-4);
  }
  release (&run);
}

/* Sticks while the spring pulls less than mu m g, then swings about where it pulls as much. */
static void
test_belt_block (void)
{
  Run run;

  if (simulate ("belt-block", &ss_integrator_stewart_trinkle, NULL, 0, 0, &run)) {
    double mu = 0.3, m = 1, k = 20, v = 0.2, g = 9.81, rest = mu * m * g / k, t1 = rest / v, w = sqrt (k / m),
           worst = 0;

    for (int row = 0; row <= last (&run); row++) {
      double t = at (&run, row, "t"), x = t < t1 ? v * t : rest + v / w * sin (w * (t - t1));

      worst = fmax (worst, fabs (at (&run, row, "block.x") - x));
    }
    printf ("  worst deviation %.2g m\n", worst);
    SS_CHECK_NEAR (worst, 0, 1e-5); /* (w dt)^2 v/w = 9e-7 a radian of the swing */
  }
  release (&run);
}

int
main (void)
{
  SS_RUN (test_bouncing_ball);
  SS_RUN (test_ball_on_ramp);
  SS_RUN (test_newtons_cradle);
  SS_RUN (test_rocking_block);
  SS_RUN (test_painleve_rod);
  SS_RUN (test_domino_row);
  SS_RUN (test_card_house);
  SS_RUN (test_box_pyramid);
  SS_RUN (test_compass_walker);
  SS_RUN (test_held_pendulum);
  SS_RUN (test_slider_crank);
  SS_RUN (test_driven_arm);
  SS_RUN (test_rolling_discs);
  SS_RUN (test_sticky_ceiling);
  SS_RUN (test_four_bar);
  SS_RUN (test_belt_block);
  return ss_test_finish ();
}
