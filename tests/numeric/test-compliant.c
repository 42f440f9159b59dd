/* tests/numeric/test-compliant.c: impacts at two contacts that give way against reference speeds, closed forms, another
 * integrator, balances and the same body built in another way.
 *
 * `test-compliant FILE` reads another file of reference speeds; without arguments it uses
 * tests/data/set-valued/rocking-block-compliant.json.
 */
#include "impact/ss-compliant.h"
#include "../ss-test-scenario.h"

#include <jansson.h>
#include <stdlib.h>

static const double pi = 3.14159265358979323846, g = 9.81;
/* Asked of the reference speeds (its file, tolerance_for_tests). */
static const double reference_tolerance = 1e-5;
/* A step's error is at most 1e-8 of speeds of 1 m/s, some hundred steps together stay below this; contacts forget most
 * of it. */
static const double many_steps = 1e-7;

static const char *reference_file = SS_SOURCE_ROOT "/tests/data/set-valued/rocking-block-compliant.json";
static const char *block_file = "examples/impacts/rocking-block.stickslip.json";

static SsCompliantOptions
options_with (const char *name, const char *value)
{
  SsCompliantOptions options;
  SsError err = {0};
  ss_options_init (&ss_compliant_option_table, &options);
  if (name != NULL)
    SS_CHECK (ss_options_set (&ss_compliant_option_table, &options, name, value, &err) == SS_OK);
  return options;
}

/* A study that must be accepted. */
static SsCompliant *
new_study (const SsScenario *scenario, const char *const contacts[2], const SsCompliantOptions *options)
{
  SsCompliant *study = NULL;
  SsError err = {0};
  if (scenario == NULL)
    exit (1); /* what is wrong with it was printed */
  SS_CHECK (ss_compliant_new (scenario->scene, NULL, NULL, contacts, NULL, options, &study, &err) == SS_OK);
  if (study == NULL)
    printf ("  %s\n", err.message);
  return study;
}

static SsCompliantResult
run (SsCompliant *study, SsCompliantCase what, double *velocity)
{
  SsCompliantResult result = {.outcome = SS_OUTCOME_FAILED};
  SsError err = {0};
  SS_CHECK (study != NULL && ss_compliant_run (study, &what, NULL, &result, velocity, &err) == SS_OK);
  SS_CHECK (result.outcome == SS_OUTCOME_COMPLETED);
  if (result.outcome != SS_OUTCOME_COMPLETED)
    printf ("  %s %s\n", err.message, result.message);
  return result;
}

/* What the contacts took is what the energy lost. */
static void
check_energy (const SsCompliantResult *r)
{
  double taken = 0;
  for (int c = 0; c < 2; c++) {
    SS_CHECK (r->damper_loss[c] >= 0 && r->friction_loss[c] >= 0);
    taken += r->damper_loss[c] + r->friction_loss[c] + r->spring_work[c];
  }
  SS_CHECK_NEAR (r->energy_before - r->energy_after, taken, many_steps * r->energy_before);
}

/* ---- the reference ----------------------------------------------------------------------------------------------- */

enum { CASES = 51 };

static struct {
  SsCompliantResult results[2][CASES];
  double velocity[2][CASES][6];
} block;

static const char *const lists[] = {"stiffness_ratio_sweep", "initial_angle_sweep"};
static const char *const parameters[] = {"log10_ratio", "theta0_deg"};

static double
entry (const json_t *reference, int sweep, int i, const char *name, int k)
{
  const json_t *value = json_object_get (json_array_get (json_object_get (reference, lists[sweep]), (size_t)i), name);
  if (json_is_array (value))
    value = json_array_get (value, (size_t)k);
  return json_is_number (value) ? json_number_value (value) : NAN;
}

static void
run_block (const json_t *reference)
{
  SsScenario *scenario = ss_test_read_file (block_file, NULL, 0);
  SsCompliant *study = new_study (scenario, NULL, NULL);
  SS_CHECK_STR (ss_compliant_contact (study, 0), "floor-block.1");
  SS_CHECK_STR (ss_compliant_contact (study, 1), "floor-block.2");
  for (int sweep = 0; sweep < 2; sweep++)
    for (int i = 0; i < CASES; i++) {
      double x = entry (reference, sweep, i, parameters[sweep], 0);
      SsCompliantCase what =
          sweep == 0 ? ss_compliant_ratio_case (study, x) : ss_compliant_angle_case (study, x * pi / 180);
      block.results[sweep][i] = run (study, what, block.velocity[sweep][i]);
    }
  ss_compliant_free (study);
  ss_scenario_free (scenario);
}

/* Speeds of the file that are not ours: of corners, and of the block (x, y, omega). */
static int
count_wrong (const json_t *reference)
{
  int wrong = 0;
  for (int sweep = 0; sweep < 2; sweep++)
    for (int i = 0; i < CASES; i++) {
      const SsCompliantResult *r = &block.results[sweep][i];
      for (int c = 0; c < 2; c++) {
        wrong += !(fabs (entry (reference, sweep, i, "vn", c) - r->vn[c]) <= reference_tolerance);
        wrong += !(fabs (entry (reference, sweep, i, "vt", c) - r->vt[c]) <= reference_tolerance);
      }
      for (int k = 0; k < 3; k++)
        wrong += !(fabs (entry (reference, sweep, i, "v", k) - block.velocity[sweep][i][3 + k]) <= reference_tolerance);
    }
  return wrong;
}

/* [002 Fig 12]. */
static void
test_reference (void)
{
  json_t *reference = json_load_file (reference_file, 0, NULL);
  SS_CHECK (reference != NULL);
  run_block (reference);
  SS_CHECK_NEAR (count_wrong (reference), 0, 0);
  /* a wrong fourth digit of any of its 204 normal speeds is noticed */
  for (int sweep = 0; sweep < 2; sweep++)
    for (int i = 0; i < CASES; i++)
      for (int c = 0; c < 2; c++) {
        json_t *vn = json_object_get (json_array_get (json_object_get (reference, lists[sweep]), (size_t)i), "vn");
        double value = json_number_value (json_array_get (vn, (size_t)c));
        json_array_set_new (vn, (size_t)c, json_real (value + 1e-4));
        SS_CHECK (count_wrong (reference) == 1);
        json_array_set_new (vn, (size_t)c, json_real (value));
      }
  json_decref (reference);
}

/* What the paper says of Fig. 12, and what must hold of every run [002 Fig 12]. */
static void
test_figure (void)
{
  /* sequential impacts end with one corner lifting at this speed */
  const double extreme = 0.093018;
  double largest[2] = {0, 0};
  for (int sweep = 0; sweep < 2; sweep++)
    for (int i = 0; i < CASES; i++) {
      const SsCompliantResult *r = &block.results[sweep][i], *mirror = &block.results[sweep][CASES - 1 - i];
      const double *v = block.velocity[sweep][i] + 3;
      SS_CHECK (r->vn[0] < 1e-6 || r->vn[1] < 1e-6);
      largest[sweep] = fmax (largest[sweep], fmax (r->vn[0], r->vn[1]));
      /* the left corner of one run is the right one of its mirror image */
      SS_CHECK_NEAR (r->vn[0], mirror->vn[1], many_steps);
      SS_CHECK_NEAR (r->vt[0], -mirror->vt[1], many_steps);
      check_energy (r);
      /* momentum of the block of 1 kg: it starts straight down from where its lower corner touches, with the energy
       * of the flat start */
      double angle = sweep == 0 ? 0 : 0.01 * pi / 180 * (2 * i - (CASES - 1)) / (CASES - 1),
             height = cos (angle) + 0.5 * fabs (sin (angle));
      SS_CHECK_NEAR (r->energy_before, g * (1 + 0.01), 1e-12 * g);
      SS_CHECK_NEAR (v[0], r->impulse_t[0] + r->impulse_t[1], many_steps);
      SS_CHECK_NEAR (v[1] + sqrt (2 * (r->energy_before - g * height)), r->impulse_n[0] + r->impulse_n[1] - g * r->t,
                     many_steps);
    }
  SS_CHECK (largest[0] < extreme && largest[0] > 0.98 * extreme);
  SS_CHECK_NEAR (largest[1] / extreme, 1.018, 5e-4);
  /* all digits that the paper gives */
  SS_CHECK_NEAR (block.results[1][0].share_before_second, 0.999992, 5e-7);
  SS_CHECK_NEAR (block.results[1][CASES - 1].share_before_second, 0.999992, 5e-7);
  SS_CHECK_NEAR (block.results[0][3].share_before_second, 0, 0);
}

/* ---- closed form ------------------------------------------------------------------------------------------------- */

/* Flat: a mass on two springs and dampers, x'' = -g - 2 (k x + d x')/m, x (0) = 0, x' (0) = -v0. */
static void
test_flat (void)
{
  const double k = 1e6, d = 2 * 5 * sqrt (k), v0 = sqrt (2 * g * 0.01);
  const SsCompliantResult *r = &block.results[0][CASES / 2];
  double root = sqrt (d * d - 2 * k), fast = -d - root, slow = -d + root, rest = -g / (2 * k);
  /* x = rest + p exp (fast t) + q exp (slow t) */
  double p = (-v0 + slow * rest) / (fast - slow), q = -rest - p;
  double speed = p * fast * exp (fast * r->t) + q * slow * exp (slow * r->t);
  SS_CHECK_NEAR (speed, r->vn[0], 1e-11);
  SS_CHECK_NEAR (r->vn[0], -1e-9, 1e-13);
  SS_CHECK_NEAR (2 * r->impulse_n[0], v0 + speed + g * r->t, 1e-11);
}

/* ---- another integrator ------------------------------------------------------------------------------------------ */

typedef struct {
  double y[6]; /* x, y, theta, vx, vy, omega of the block */
} State;

typedef struct {
  double k[2], d[2], mu, epsilon;
} Law;

/* Corners and forces of the block of 1 by 2, by hand. Returns the rate of y; vn and phi of the corners
 * [002 (88)-(90)]. */
static State
rate (const Law *law, const State *s, double phi[2], double vn[2])
{
  double c = cos (s->y[2]), n = sin (s->y[2]), force[3] = {0, -g, 0};
  for (int i = 0; i < 2; i++) {
    double bx = i == 0 ? -0.5 : 0.5, rx = c * bx + n, ry = n * bx - c;
    double vt = s->y[3] - s->y[5] * ry;
    phi[i] = s->y[1] + ry;
    vn[i] = s->y[4] + s->y[5] * rx;
    double ln = phi[i] > 0 ? 0 : fmax (0, -law->k[i] * phi[i] - law->d[i] * vn[i]);
    double lt = -law->mu * ln * vt / fmax (fabs (vt), law->epsilon);
    force[0] += lt;
    force[1] += ln;
    force[2] += rx * ln - ry * lt;
  }
  return (State){{s->y[3], s->y[4], s->y[5], force[0], force[1], force[2] * 12 / 5}};
}

static State
moved (const State *s, const State *by, double h)
{
  State result;
  for (int i = 0; i < 6; i++)
    result.y[i] = s->y[i] + h * by->y[i];
  return result;
}

/* Classical Runge-Kutta steps of length h for a time. */
static State
runge_kutta (const Law *law, State s, double h, double t_end, double vn[2])
{
  double phi[2], other[2];
  long n = (long)ceil (t_end / h);
  h = t_end / (double)n;
  for (long i = 0; i < n; i++) {
    State k1 = rate (law, &s, phi, vn), s2 = moved (&s, &k1, h / 2);
    State k2 = rate (law, &s2, phi, other), s3 = moved (&s, &k2, h / 2);
    State k3 = rate (law, &s3, phi, other), s4 = moved (&s, &k3, h), k4 = rate (law, &s4, phi, other);
    for (int j = 0; j < 6; j++)
      s.y[j] += h / 6 * (k1.y[j] + 2 * k2.y[j] + 2 * k3.y[j] + k4.y[j]);
  }
  rate (law, &s, phi, vn);
  return s;
}

/* A block that slides, with friction that is soft enough for an explicit method: slip of both kinds, reversal, landing
 * of the second corner, letting go. */
static void
test_other_integrator (void)
{
  const struct {
    double mu, vx, omega, ratio, angle;
  } cases[] = {{0.2, 0.3, 0, 0.7, 0}, {0.5, 0.02, -0.1, -0.5, 0}, {0.4, -0.05, 0, 0, 5e-5}};
  SsScenario *scenario = ss_test_read_file (block_file, NULL, 0);
  SsCompliantOptions options = options_with ("slip-speed", "1e-3");
  SsScene scene = *scenario->scene;
  SsContact contact = scene.contacts[0];
  scene.contacts = &contact;
  for (int i = 0; i < 3; i++) {
    SsCompliant *study = NULL;
    double v0 = -sqrt (2 * g * 0.01), q[6] = {0, 0, 0, 0, 1, 0}, v[6] = {0, 0, 0, cases[i].vx, v0, cases[i].omega};
    contact.mu = cases[i].mu;
    SS_CHECK (ss_compliant_new (&scene, q, v, NULL, NULL, &options, &study, NULL) == SS_OK);
    SsCompliantCase what = ss_compliant_ratio_case (study, cases[i].ratio);
    what.angle = cases[i].angle;
    double end[6], vn[2];
    SsCompliantResult r = run (study, what, end);
    check_energy (&r);
    Law law = {{what.stiffness[0], what.stiffness[1]},
               {10 * sqrt (what.stiffness[0]), 10 * sqrt (what.stiffness[1])},
               contact.mu,
               1e-3};
    double height = cos (what.angle) + 0.5 * fabs (sin (what.angle)), energy = v[3] * v[3] + v0 * v0;
    double scale = sqrt (1 - 2 * g * (height - 1) / energy);
    State start = {{0, height, what.angle, v[3], v0, v[5]}};
    for (int k = 3; k < 6 && what.angle > 0; k++)
      start.y[k] *= scale;
    /* forces jump by some 1e3 N where a corner lands: an error of a step's length times that */
    State there = runge_kutta (&law, start, 1e-9, r.t, vn);
    for (int k = 0; k < 3; k++)
      SS_CHECK_NEAR (end[3 + k], there.y[3 + k], what.angle > 0 ? 1e-5 : many_steps);
    for (int c = 0; c < 2; c++)
      SS_CHECK_NEAR (r.vn[c], vn[c], what.angle > 0 ? 1e-5 : many_steps);
    ss_compliant_free (study);
  }
  ss_scenario_free (scenario);
}

/* ---- accuracy ---------------------------------------------------------------------------------------------------- */

/* A hundred times smaller errors of steps, and twice as large ones, change little. */
static void
test_tolerances (void)
{
  const char *const rtol[] = {"1e-10", "2e-8"};
  SsScenario *scenario = ss_test_read_file (block_file, NULL, 0);
  for (int k = 0; k < 2; k++) {
    SsCompliantOptions options = options_with ("rtol", rtol[k]);
    SsCompliant *study = new_study (scenario, NULL, &options);
    for (int i = 0; i < CASES; i += 10)
      for (int sweep = 0; sweep < 2; sweep++) {
        SsCompliantCase what = sweep == 0 ? ss_compliant_ratio_case (study, -5 + 0.2 * i)
                                          : ss_compliant_angle_case (study, (-0.01 + 0.0004 * i) * pi / 180);
        SsCompliantResult r = run (study, what, NULL);
        for (int c = 0; c < 2; c++)
          SS_CHECK_NEAR (r.vn[c], block.results[sweep][i].vn[c], many_steps);
        SS_CHECK (k == 1 || r.n_steps > block.results[sweep][i].n_steps);
      }
    ss_compliant_free (study);
  }
  ss_scenario_free (scenario);
}

/* ---- other scenes ------------------------------------------------------------------------------------------------ */

/* The block cut in two and welded: joints are another way of the same motion, at rest and turned. */
static void
test_welded (void)
{
  static const char text[] =
      "{\"format\": 1, \"name\": \"welded\", \"scene\": {\"friction\": 1, \"bodies\": ["
      "{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]}},"
      "{\"name\": \"left\", \"shape\": {\"type\": \"box\", \"width\": 0.5, \"height\": 2}, \"mass\": 0.5,"
      " \"position\": [-0.25, 1], \"velocity\": [0, \"-sqrt(2*9.81*0.01)\"]},"
      "{\"name\": \"right\", \"shape\": {\"type\": \"box\", \"width\": 0.5, \"height\": 2}, \"mass\": 0.5,"
      " \"position\": [0.25, 1], \"velocity\": [0, \"-sqrt(2*9.81*0.01)\"]}],"
      "\"joints\": [{\"type\": \"weld\", \"name\": \"seam\", \"bodies\": [\"left\", \"right\"], \"anchors\": [[0.25, "
      "0], [-0.25, 0]]},"
      "{\"type\": \"pin\", \"name\": \"spare\", \"bodies\": [\"left\", \"right\"], \"anchors\": [[0.25, 0.5], [-0.25, "
      "0.5]]}]}}";
  const char *const names[] = {"floor-left.1", "floor-right.2"};
  SsScenario *scenario = ss_test_read_text (text);
  SsCompliant *study = new_study (scenario, names, NULL);
  SS_CHECK_STR (ss_compliant_contact (study, 1), names[1]);
  for (int i = 0; i < CASES; i += 10)
    for (int sweep = 0; sweep < 2; sweep++) {
      SsCompliantCase what = sweep == 0 ? ss_compliant_ratio_case (study, -5 + 0.2 * i)
                                        : ss_compliant_angle_case (study, (-0.01 + 0.0004 * i) * pi / 180);
      const SsCompliantResult *one = &block.results[sweep][i];
      double v[9];
      SsCompliantResult r = run (study, what, v);
      check_energy (&r);
      SS_CHECK_NEAR (v[5], v[8], 1e-9);
      for (int c = 0; c < 2; c++) {
        SS_CHECK_NEAR (r.vn[c], one->vn[c], many_steps);
        SS_CHECK_NEAR (r.impulse_n[c], one->impulse_n[c], many_steps);
        SS_CHECK_NEAR (r.impulse_t[c], one->impulse_t[c], many_steps);
      }
    }
  ss_compliant_free (study);
  ss_scenario_free (scenario);
}

static const char groove[] =
    "{\"format\": 1, \"name\": \"groove\", \"parameters\": {\"mu\": 0, \"x\": 0, \"y\": \"0.1*sqrt(2)\"},"
    "\"scene\": {\"friction\": \"mu\", \"gravity\": [0, 0], \"bodies\": ["
    "{\"name\": \"west\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [1, 1]}},"
    "{\"name\": \"east\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [-1, 1]}},"
    "{\"name\": \"ball\", \"shape\": {\"type\": \"circle\", \"radius\": 0.1}, \"mass\": 3, \"position\": [\"x\", "
    "\"y\"],"
    " \"velocity\": [0.5, -2]}]}}";

/* A ball in a groove at right angles without friction: two impacts that do not know of each other, whatever the
 * stiffnesses; each ends when it has lost its normal speed. */
static void
test_groove (void)
{
  const double v[2] = {1.5 / sqrt (2), 2.5 / sqrt (2)};
  SsScenario *scenario = ss_test_read_text (groove);
  SsCompliant *study = new_study (scenario, NULL, NULL);
  SS_CHECK_STR (ss_compliant_contact (study, 0), "west-ball");
  for (int x = -4; x <= 4; x++) {
    SsCompliantResult r = run (study, ss_compliant_ratio_case (study, x), NULL);
    check_energy (&r);
    for (int c = 0; c < 2; c++) {
      SS_CHECK_NEAR (r.impulse_n[c], 3 * (v[c] + r.vn[c]), many_steps);
      SS_CHECK (r.vn[c] >= -1.1e-9);
      SS_CHECK_NEAR (r.impulse_t[c], 0, 0);
    }
    SS_CHECK_NEAR (fmin (r.vn[0], r.vn[1]), -1e-9, 1e-12);
  }
  ss_compliant_free (study);
  ss_scenario_free (scenario);
}

/* Two legs on a hip with nearly massless rods and high friction: a foot that sticks lets go. */
static void
test_compass (void)
{
  static const char text[] =
      "{\"format\": 1, \"name\": \"compass\", \"parameters\": {\"inertia\": 1e-4, \"a\": \"78deg\","
      " \"x\": \"0.5*sin(a)\", \"y\": \"0.5*cos(a)\"}, \"scene\": {\"friction\": 5, \"bodies\": ["
      "{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]}},"
      "{\"name\": \"leading\", \"shape\": {\"type\": \"segment\", \"from\": [0, 0.5], \"to\": [0, -0.5]}, \"mass\": 1,"
      " \"inertia\": \"inertia\", \"position\": [\"-x\", \"y\"], \"angle\": \"-a\", \"angular_velocity\": 0.25,"
      " \"velocity\": [\"-0.051978 + 0.25*y\", \"-0.244537 - 0.25*x\"]},"
      "{\"name\": \"trailing\", \"shape\": {\"type\": \"segment\", \"from\": [0, 0.5], \"to\": [0, -0.5]}, \"mass\": 1,"
      " \"inertia\": \"inertia\", \"position\": [\"x\", \"y\"], \"angle\": \"a\", \"angular_velocity\": 0.25,"
      " \"velocity\": [\"-0.051978 + 0.25*y\", \"-0.244537 + 0.25*x\"]}],"
      "\"joints\": [{\"name\": \"hip\", \"type\": \"pin\", \"bodies\": [\"leading\", \"trailing\"],"
      " \"anchors\": [[0, 0.5], [0, 0.5]]}]}}";
  SsScenario *scenario = ss_test_read_text (text);
  SsCompliant *study = new_study (scenario, NULL, NULL);
  for (int i = 0; i <= 10; i++)
    for (int sweep = 0; sweep < 2; sweep++) {
      SsCompliantCase what =
          sweep == 0 ? ss_compliant_ratio_case (study, i - 5) : ss_compliant_angle_case (study, 3e-5 * (i - 5));
      double v[9];
      SsCompliantResult r = run (study, what, v);
      check_energy (&r);
      /* what the contacts gave is what the legs and gravity took */
      double start[2] = {2 * -0.051978 + 0.25 * cos (78 * pi / 180), 2 * -0.244537};
      if (sweep == 0) {
        SS_CHECK_NEAR (v[3] + v[6] - start[0], r.impulse_t[0] + r.impulse_t[1], many_steps);
        SS_CHECK_NEAR (v[4] + v[7] - start[1], r.impulse_n[0] + r.impulse_n[1] - 2 * g * r.t, many_steps);
      }
    }
  ss_compliant_free (study);
  /* turned legs start with one hip: a run that ends at once shows the start */
  SsCompliantOptions options = options_with ("time-limit", "1e-12");
  SsCompliantCase what = {{1e6, 1e6}, 0.001};
  SsCompliantResult start;
  double v[9], lead = -78 * pi / 180 + what.angle, trail = 78 * pi / 180 + what.angle;
  study = new_study (scenario, NULL, &options);
  SS_CHECK (ss_compliant_run (study, &what, NULL, &start, v, NULL) == SS_OK);
  SS_CHECK (start.outcome == SS_OUTCOME_STALLED);
  SS_CHECK_NEAR (v[3] - 0.5 * cos (lead) * v[5], v[6] - 0.5 * cos (trail) * v[8], 1e-9);
  SS_CHECK_NEAR (v[4] - 0.5 * sin (lead) * v[5], v[7] - 0.5 * sin (trail) * v[8], 1e-9);
  ss_compliant_free (study);
  ss_scenario_free (scenario);
}

/* ---- sweeps and refusals ----------------------------------------------------------------------------------------- */

static int
column_named (const SsCompliant *study, SsCompliantSweep sweep, const char *wanted)
{
  char name[SS_CHANNEL_NAME_MAX + 16];
  for (int i = 0; i < SS_COMPLIANT_COLUMNS; i++) {
    ss_compliant_column (study, sweep, i, name, sizeof name);
    if (strcmp (name, wanted) == 0)
      return i;
  }
  return -1;
}

static void
test_sweep (void)
{
  SsScenario *scenario = ss_test_read_file (block_file, NULL, 0);
  SsCompliant *study = new_study (scenario, NULL, NULL);
  static double rows[CASES][SS_COMPLIANT_COLUMNS];
  int n_done = -1;
  SsOutcome outcome = SS_OUTCOME_FAILED;
  SS_CHECK (ss_compliant_n_cases (study) == CASES);
  for (int sweep = 0; sweep < 2; sweep++) {
    SsCompliantSweep kind = sweep == 0 ? SS_COMPLIANT_RATIO : SS_COMPLIANT_ANGLE;
    SS_CHECK (ss_compliant_sweep (study, kind, NULL, rows[0], &n_done, &outcome, NULL) == SS_OK);
    SS_CHECK (n_done == CASES && outcome == SS_OUTCOME_COMPLETED);
    int vn = column_named (study, kind, "vn_floor-block.2"), share = column_named (study, kind, "share_before_second"),
        completed = column_named (study, kind, "completed"),
        parameter = column_named (study, kind, sweep == 0 ? "log10_ratio" : "angle"),
        impulse = column_named (study, kind, "impulse_n_floor-block.1");
    SS_CHECK (vn > 0 && share > 0 && completed > 0 && parameter == 0 && impulse > 0);
    for (int i = 0; i < CASES; i++) {
      const SsCompliantResult *r = &block.results[sweep][i];
      SS_CHECK_NEAR (rows[i][0], sweep == 0 ? -5 + 0.2 * i : (-0.01 + 0.0004 * i) * pi / 180, 1e-14);
      /* the stiffness is 10^x of an x that may differ in its last digit */
      SS_CHECK_NEAR (rows[i][vn], r->vn[1], many_steps);
      SS_CHECK_NEAR (rows[i][impulse], r->impulse_n[0], many_steps);
      SS_CHECK_NEAR (rows[i][share], r->share_before_second, many_steps);
      SS_CHECK_NEAR (rows[i][completed], 1, 0);
    }
  }
  SsRunControl control;
  ss_run_control_init (&control);
  ss_run_control_cancel (&control);
  SS_CHECK (ss_compliant_sweep (study, SS_COMPLIANT_RATIO, &control, rows[0], &n_done, &outcome, NULL) == SS_OK);
  SS_CHECK (n_done == 0 && outcome == SS_OUTCOME_CANCELLED);
  ss_compliant_free (study);
  /* too short a time: the rows are there and say so */
  SsCompliantOptions options = options_with ("time-limit", "1e-4");
  study = new_study (scenario, NULL, &options);
  SS_CHECK (ss_compliant_sweep (study, SS_COMPLIANT_RATIO, NULL, rows[0], &n_done, &outcome, NULL) == SS_OK);
  SS_CHECK (n_done == CASES && outcome == SS_OUTCOME_STALLED);
  SS_CHECK_NEAR (rows[0][column_named (study, SS_COMPLIANT_RATIO, "completed")], 0, 0);
  ss_compliant_free (study);
  ss_scenario_free (scenario);
}

static void
check_refused (const SsScene *scene, const double *v, const char *const contacts[2], const char *body, const char *part)
{
  SsCompliant *study = (SsCompliant *)&scene; /* must become NULL */
  SsError err = {0};
  SS_CHECK (ss_compliant_new (scene, NULL, v, contacts, body, NULL, &study, &err) == SS_ERR_INVALID);
  SS_CHECK (study == NULL);
  char text[1200];
  ss_error_format (&err, text, sizeof text);
  SS_CHECK_CONTAINS (text, part);
}

static void
test_refusals (void)
{
  const char *const same[] = {"floor-block.1", "floor-block.1"}, *const none[] = {"floor-block.1", "wall"};
  const double up[6] = {0, 0, 0, 0, 1, 0};
  SsScenario *scenario = ss_test_read_file (block_file, NULL, 0);
  check_refused (scenario->scene, NULL, same, NULL, "named twice");
  check_refused (scenario->scene, NULL, none, NULL, "no contact wall touches");
  check_refused (scenario->scene, NULL, none, NULL, "floor-block.2");
  check_refused (scenario->scene, NULL, NULL, "brick", "brick");
  check_refused (scenario->scene, up, NULL, NULL, "approaches");
  SsCompliant *study = new_study (scenario, NULL, NULL);
  SsCompliantResult result;
  SsError err = {0};
  SsCompliantCase soft = {{0, 1}, 0};
  SS_CHECK (ss_compliant_run (study, &soft, NULL, &result, NULL, &err) == SS_ERR_INVALID);
  SS_CHECK_CONTAINS (err.message, "not positive");
  /* a tenth of a radian lifts the block's centre by more than the centimetre that it fell */
  SsCompliantCase steep = ss_compliant_angle_case (study, 0.1);
  SS_CHECK (ss_compliant_run (study, &steep, NULL, &result, NULL, &err) == SS_ERR_INVALID);
  SS_CHECK_CONTAINS (err.message, "energy");
  ss_compliant_free (study);
  ss_scenario_free (scenario);

  const SsOverride beside = {"x", 0.05};
  SsProblems problems;
  ss_problems_init (&problems);
  SS_CHECK (ss_scenario_read (groove, strlen (groove), "test", &beside, 1, &problems, &scenario) == SS_OK);
  check_refused (scenario->scene, NULL, NULL, NULL, "contacts touch, and two are needed");
  ss_problems_clear (&problems);
  ss_scenario_free (scenario);
}

/* Whatever allocation fails, nothing is lost and the next try works. */
static void
test_no_memory (void)
{
  SsScenario *scenario = ss_test_read_file (block_file, NULL, 0);
  SsStatus status = SS_ERR_MEMORY;
  for (int n = 1; status != SS_OK && n < 200; n++) {
    SsCompliant *study = NULL;
    ss_alloc_fail_at ((uint64_t)n);
    status = ss_compliant_new (scenario->scene, NULL, NULL, NULL, NULL, NULL, &study, NULL);
    ss_alloc_fail_at (0);
    SS_CHECK (status == SS_OK || (status == SS_ERR_MEMORY && study == NULL));
    if (study != NULL) {
      uint64_t before = ss_alloc_count ();
      SsCompliantResult r = run (study, ss_compliant_ratio_case (study, 1), NULL);
      SS_CHECK_NEAR (r.vn[0], block.results[0][30].vn[0], many_steps);
      SS_CHECK (ss_alloc_count () <= before + 1); /* the points of the collection, which grow once */
    }
    ss_compliant_free (study);
  }
  SS_CHECK (status == SS_OK);
  ss_scenario_free (scenario);
}

int
main (void)
{
  if (ss_test_argc > 1)
    reference_file = ss_test_argv[1];
  SS_RUN (test_reference);
  SS_RUN (test_figure);
  SS_RUN (test_flat);
  SS_RUN (test_other_integrator);
  SS_RUN (test_tolerances);
  SS_RUN (test_welded);
  SS_RUN (test_compass);
  SS_RUN (test_groove);
  SS_RUN (test_sweep);
  SS_RUN (test_refusals);
  SS_RUN (test_no_memory);
  return ss_test_finish ();
}
