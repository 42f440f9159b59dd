/* tests/numeric/test-simulate.c: time stepping against closed forms, invariants and an independent prototype's
 * tables. */
#include "simulate/ss-simulate.h"
#include "ss-test-scenario.h"
#include "ss-test-simulate.h"

#include <float.h>
#include <stdlib.h>

static const double pi = 3.14159265358979323846;

/* ---- scenes by hand ---------------------------------------------------------------------------------------------- */

enum { BODIES_MAX = 64, CONTACTS_MAX = 2100 };

typedef struct {
  SsScene scene;
  SsBody bodies[BODIES_MAX];
  SsContact contacts[CONTACTS_MAX];
  SsVec2 vertices[BODIES_MAX][4];
  char names[BODIES_MAX][16], contact_names[CONTACTS_MAX][40];
} World;

static World world;

static void
world_init (double gravity)
{
  memset (&world, 0, sizeof world);
  world.scene.gravity = (SsVec2){0, -gravity};
  world.scene.bodies = world.bodies;
  world.scene.contacts = world.contacts;
}

static SsBody *
add_body (const char *name, double x, double y, double theta)
{
  int i = world.scene.n_bodies++;
  SsBody *body = &world.bodies[i];
  snprintf (world.names[i], sizeof world.names[i], "%s", name);
  body->name = world.names[i];
  body->q[0] = x;
  body->q[1] = y;
  body->q[2] = theta;
  body->color = "";
  return body;
}

/* Ground whose surface passes through the origin and falls towards +x by `slope` radians. */
static SsBody *
add_ground (double slope)
{
  SsBody *body = add_body ("floor", 0, 0, -slope);
  body->is_fixed = true;
  body->shape = (SsShape){.kind = SS_SHAPE_HALF_PLANE, .normal = {0, 1}};
  return body;
}

static SsBody *
add_box (const char *name, double width, double height, double mass, double x, double y, double theta)
{
  SsBody *body = add_body (name, x, y, theta);
  SsVec2 *v = world.vertices[world.scene.n_bodies - 1];
  v[0] = (SsVec2){-width / 2, -height / 2};
  v[1] = (SsVec2){width / 2, -height / 2};
  v[2] = (SsVec2){width / 2, height / 2};
  v[3] = (SsVec2){-width / 2, height / 2};
  body->shape = (SsShape){.kind = SS_SHAPE_POLYGON, .n_vertices = 4, .vertices = v};
  body->mass = mass;
  body->inertia = mass * (width * width + height * height) / 12;
  return body;
}

static SsBody *
add_disc (const char *name, double radius, double mass, double x, double y)
{
  SsBody *body = add_body (name, x, y, 0);
  body->shape = (SsShape){.kind = SS_SHAPE_CIRCLE, .radius = radius};
  body->mass = mass;
  body->inertia = mass * radius * radius / 2;
  return body;
}

/* Every pair with a free body. */
static void
touch_all (double mu, double restitution)
{
  for (int a = 0; a < world.scene.n_bodies; a++)
    for (int b = a + 1; b < world.scene.n_bodies; b++) {
      if (world.bodies[a].is_fixed && world.bodies[b].is_fixed)
        continue;
      int i = world.scene.n_contacts++;
      snprintf (world.contact_names[i], sizeof world.contact_names[i], "%s-%s", world.names[a], world.names[b]);
      world.contacts[i] = (SsContact){world.contact_names[i], a, b, mu, restitution};
    }
}

/* ---- running ----------------------------------------------------------------------------------------------------- */

/* `option` is "name=value" or NULL. */
static SsTestRun
run (const SsIntegratorClass *integrator, const char *option, double dt, double t_end)
{
  const char *const options[] = {option, NULL};
  return ss_test_simulate (&world.scene, integrator, options, dt, t_end, NULL);
}

static double
smallest (const SsTestRun *out, const char *channel)
{
  double least = INFINITY;
  for (int i = 0; i < out->trajectory->n_rows; i++)
    least = fmin (least, ss_test_value (out->trajectory, i, channel));
  return least;
}

static double
row_energy (const SsTestRun *out, int row)
{
  double sum = 0;
  const double *r = ss_trajectory_row (out->trajectory, row);
  for (int i = 0; i < world.scene.n_bodies; i++) {
    const SsBody *body = &world.bodies[i];
    const double *c = r + 1 + 6 * i;
    if (!body->is_fixed)
      sum += 0.5 * body->mass * (c[3] * c[3] + c[4] * c[4]) + 0.5 * body->inertia * c[5] * c[5] -
             body->mass * (world.scene.gravity.x * c[0] + world.scene.gravity.y * c[1]);
  }
  return sum;
}

static const SsIntegratorClass *const classes[] = {&ss_integrator_stewart_trinkle, &ss_integrator_anitescu_potra,
                                                   &ss_integrator_moreau_jean};

/* ---- closed forms ------------------------------------------------------------------------------------------------ */

/* v_k = -g k h exactly; semi-implicit positions fall g h t/2 too far, the midpoint rule is exact. */
static void
test_free_fall (void)
{
  double steps[] = {0.1, 0.01, 0.001};
  for (int c = 0; c < 3; c++)
    for (int i = 0; i < 3; i++) {
      world_init (9.81);
      add_ground (0);
      SsBody *disc = add_disc ("disc", 0.1, 2, 0, 100);
      disc->v[0] = 3;
      disc->v[2] = -2;
      touch_all (0.5, 0);
      SsTestRun out = run (classes[c], NULL, steps[i], 1);
      double late = c == 2 ? 0 : 9.81 * steps[i] / 2;
      SS_CHECK (out.trajectory->n_rows == (int)(1 / steps[i] + 1.5));
      /* 1000 additions of numbers up to 100 */
      SS_CHECK_NEAR (ss_test_last_value (out.trajectory, "disc.y"), 100 - 9.81 / 2 - late, 1e-11);
      SS_CHECK_NEAR (ss_test_last_value (out.trajectory, "disc.vy"), -9.81, 1e-12);
      SS_CHECK_NEAR (ss_test_last_value (out.trajectory, "disc.x"), 3, 1e-12);
      SS_CHECK_NEAR (ss_test_last_value (out.trajectory, "disc.theta"), -2, 1e-12);
      SS_CHECK (ss_test_last_value (out.trajectory, "t") == 1);
      SS_CHECK (out.metrics.max_penetration == 0);
      ss_trajectory_free (out.trajectory);
    }
}

static void
test_box_at_rest (void)
{
  for (int c = 0; c < 3; c++) {
    world_init (9.81);
    add_ground (0);
    add_box ("box", 1, 0.5, 2, 0.3, 0.25, 0);
    touch_all (0.5, 0);
    SsTestRun out = run (classes[c], NULL, 0.01, 10);
    SS_CHECK_NEAR (ss_test_last_value (out.trajectory, "box.x"), 0.3, 1e-12);
    SS_CHECK_NEAR (ss_test_last_value (out.trajectory, "box.y"), 0.25, 1e-12);
    SS_CHECK_NEAR (ss_test_last_value (out.trajectory, "box.theta"), 0, 1e-12);
    SS_CHECK_NEAR (ss_test_last_value (out.trajectory, "floor-box.lambda_n"), 2 * 9.81,
                   1e-9); /* weight; impulse over h = 0.01 */
    SS_CHECK_NEAR (ss_test_last_value (out.trajectory, "floor-box.lambda_t"), 0, 1e-9);
    SS_CHECK (out.metrics.max_penetration <= 1e-12 && out.metrics.max_cone_violation <= 1e-12);
    ss_trajectory_free (out.trajectory);
  }
}

static void
make_ramp (double degrees, double mu, double inside)
{
  double slope = degrees * pi / 180, height = 0.025 - inside;
  world_init (9.8);
  add_ground (slope);
  add_box ("box", 0.2, 0.05, 1, height * sin (slope), height * cos (slope), -slope);
  touch_all (mu, 0);
}

static double
distance_along (const SsTestRun *out, double slope)
{
  double dx = ss_test_last_value (out->trajectory, "box.x") - ss_test_value (out->trajectory, 0, "box.x"),
         dy = ss_test_last_value (out->trajectory, "box.y") - ss_test_value (out->trajectory, 0, "box.y");
  return dx * cos (slope) - dy * sin (slope);
}

static void
test_incline_sticks (void)
{
  for (int c = 0; c < 3; c++) {
    make_ramp (15, 0.375, c == 0 ? 0 : 1e-9);
    SsTestRun out = run (classes[c], NULL, 0.01, 10);
    SS_CHECK_NEAR (distance_along (&out, 15 * pi / 180), 0, 1e-9);
    SS_CHECK_NEAR (hypot (ss_test_last_value (out.trajectory, "box.vx"), ss_test_last_value (out.trajectory, "box.vy")),
                   0, 1e-12);
    printf ("  %s: %.2g m in 10 s\n", classes[c]->name, distance_along (&out, 15 * pi / 180));
    ss_trajectory_free (out.trajectory);
  }
}

/* Every row of the reference table. */
static void
test_ramp_table (void)
{
  FILE *file = fopen (SS_SOURCE_ROOT "/tests/data/simulate/classical_ramp.csv", "r");
  char line[512], scheme[16];
  int n = 0;
  double worst = 0;
  SS_CHECK (file != NULL);
  while (file != NULL && fgets (line, sizeof line, file) != NULL) {
    double h, angle, mu, distance, exact, predicted, min_gap, tilt;
    if (sscanf (line, "ramp,%15[A-Z],%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf", scheme, &h, &angle, &mu, &distance, &exact,
                &predicted, &min_gap, &tilt) != 9)
      continue;
    int c = strcmp (scheme, "ST") == 0 ? 0 : strcmp (scheme, "AP") == 0 ? 1 : 2;
    make_ramp (angle, mu, c == 0 ? 0 : 1e-9);
    SsTestRun out = run (classes[c], NULL, h, 1);
    SS_CHECK_NEAR (distance_along (&out, angle * pi / 180), distance, 1e-9);
    SS_CHECK_NEAR (ss_test_last_value (out.trajectory, "box.theta") + angle * pi / 180, 0, 1e-10);
    SS_CHECK (out.metrics.max_penetration <= (c == 0 ? 1e-14 : 1e-9 + 1e-14));
    worst = fmax (worst, fabs (distance_along (&out, angle * pi / 180) - distance));
    ss_trajectory_free (out.trajectory);
    n++;
  }
  if (file != NULL)
    fclose (file);
  SS_CHECK (n == 40);
  printf ("  %d rows, worst %.2g m\n", n, worst);
}

static void
test_bounce_table (void)
{
  FILE *file = fopen (SS_SOURCE_ROOT "/tests/data/simulate/classical_bounce.csv", "r");
  char line[512];
  int n = 0;
  double worst = 0;
  SS_CHECK (file != NULL);
  while (file != NULL && fgets (line, sizeof line, file) != NULL) {
    double theta, h, e, mu, t, gap, vy, gap_exact, vy_exact, min_gap;
    if (sscanf (line, "bouncing_disk,MJ,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf", &theta, &h, &e, &mu, &t, &gap, &vy,
                &gap_exact, &vy_exact, &min_gap) != 10)
      continue;
    world_init (9.8);
    add_ground (0);
    add_disc ("disc", 0.1, 1, 0, 1.1);
    touch_all (mu, e);
    SsTestRun out = run (&ss_integrator_moreau_jean, theta == 1 ? "theta=1" : "theta=0.5", h, t);
    SS_CHECK_NEAR (ss_test_last_value (out.trajectory, "floor-disc.gap"), gap, 1e-9);
    SS_CHECK_NEAR (ss_test_last_value (out.trajectory, "disc.vy"), vy, 1e-9);
    worst = fmax (worst, fabs (ss_test_last_value (out.trajectory, "floor-disc.gap") - gap));
    ss_trajectory_free (out.trajectory);
    n++;
  }
  if (file != NULL)
    fclose (file);
  SS_CHECK (n == 48);
  printf ("  %d rows, worst %.2g m\n", n, worst);
}

/* A uniform disc rolls with a = 2/3 g sin(slope): semi-implicit speed exact, distance a t (t + h)/2. Slips when mu <
 * tan(slope)/3. */
static void
test_rolling_disc (void)
{
  double slope = 20 * pi / 180, r = 0.3, h = 0.01, t = 2;
  for (int slips = 0; slips < 2; slips++)
    for (int end = 0; end < 2; end++) {
      double mu = slips ? tan (slope) / 3 * 0.7 : 0.5;
      world_init (9.81);
      add_ground (slope);
      add_disc ("disc", r, 2, r * sin (slope), r * cos (slope));
      touch_all (mu, 0);
      SsTestRun out = run (&ss_integrator_stewart_trinkle, end ? "gap=end" : "gap=linear", h, t);
      double a = slips ? 9.81 * (sin (slope) - mu * cos (slope)) : 2.0 / 3 * 9.81 * sin (slope);
      double speed = ss_test_last_value (out.trajectory, "disc.vx") * cos (slope) -
                     ss_test_last_value (out.trajectory, "disc.vy") * sin (slope);
      double dx = ss_test_last_value (out.trajectory, "disc.x") - ss_test_value (out.trajectory, 0, "disc.x"),
             dy = ss_test_last_value (out.trajectory, "disc.y") - ss_test_value (out.trajectory, 0, "disc.y");
      SS_CHECK_NEAR (speed, a * t, 1e-10);
      SS_CHECK_NEAR (dx * cos (slope) - dy * sin (slope), a * t * (t + h) / 2, 1e-10);
      if (!slips)
        SS_CHECK_NEAR (speed + r * ss_test_last_value (out.trajectory, "disc.omega"), 0, 1e-12);
      else
        SS_CHECK_NEAR (ss_test_last_value (out.trajectory, "disc.omega"), -2 * mu * 9.81 * cos (slope) / r * t, 1e-9);
      SS_CHECK (out.metrics.max_penetration < 1e-12);
      ss_trajectory_free (out.trajectory);
    }
}

/* A disc that slides first and rolls later: Coulomb gives v = 2/3 v0 from t = v0/(3 mu g) on, exact up to one step's
 * impulse. */
static void
test_sliding_disc_starts_to_roll (void)
{
  world_init (9.81);
  add_ground (0);
  SsBody *disc = add_disc ("disc", 0.5, 1, 0, 0.5);
  disc->v[0] = 3;
  touch_all (0.2, 0);
  SsTestRun out = run (&ss_integrator_stewart_trinkle, NULL, 0.01, 2);
  SS_CHECK_NEAR (ss_test_last_value (out.trajectory, "disc.vx"), 2, 1e-12);
  SS_CHECK_NEAR (ss_test_last_value (out.trajectory, "disc.omega"), -4, 1e-12);
  int row = (int)(3 / (3 * 0.2 * 9.81) / 0.01);
  SS_CHECK_NEAR (ss_test_value (out.trajectory, row, "disc.vx"), 3 - 0.2 * 9.81 * row * 0.01, 1e-12);
  ss_trajectory_free (out.trajectory);
}

/* Poisson restitution of a disc: rebound speed e times the impact speed. */
static void
test_poisson_restitution (void)
{
  world_init (0);
  add_ground (0);
  SsBody *disc = add_disc ("disc", 0.1, 3, 0, 0.1);
  disc->v[1] = -2;
  touch_all (0.3, 0.6);
  SsTestRun out = run (&ss_integrator_anitescu_potra, NULL, 0.01, 0.05);
  SS_CHECK_NEAR (ss_test_last_value (out.trajectory, "disc.vy"), 1.2, 1e-14);
  SS_CHECK_NEAR (ss_test_value (out.trajectory, 1, "floor-disc.impulse_n"), 3 * 3.2, 1e-13);
  ss_trajectory_free (out.trajectory);
}

/* Penalty: a box at rest lies m g/(2 K) deep on its two points, creeps down a slope with m g sin/(2 B_t), slides with
 * Coulomb's acceleration. */
static void
test_penalty (void)
{
  double slope = 15 * pi / 180, m = 1, g = 9.8, stiffness = 1e5, slip_damping = 300;
  make_ramp (15, 0.375, m * g * cos (slope) / (2 * stiffness));
  SsTestRun out = run (&ss_integrator_semi_implicit_euler, NULL, 0.01, 4);
  double speed = ss_test_last_value (out.trajectory, "box.vx") * cos (slope) -
                 ss_test_last_value (out.trajectory, "box.vy") * sin (slope);
  SS_CHECK_NEAR (speed, m * g * sin (slope) / (2 * slip_damping), 1e-9);
  SS_CHECK_NEAR (ss_test_last_value (out.trajectory, "floor-box.lambda_n"), m * g * cos (slope), 1e-6);
  SS_CHECK_NEAR (ss_test_last_value (out.trajectory, "floor-box.lambda_t"), -m * g * sin (slope), 1e-6);
  ss_trajectory_free (out.trajectory);
  make_ramp (15, 0.125, m * g * cos (slope) / (2 * stiffness));
  out = run (&ss_integrator_semi_implicit_euler, NULL, 0.01, 1);
  speed = ss_test_last_value (out.trajectory, "box.vx") * cos (slope) -
          ss_test_last_value (out.trajectory, "box.vy") * sin (slope);
  SS_CHECK_NEAR (speed, g * (sin (slope) - 0.125 * cos (slope)),
                 0.02); /* the first 5 ms stick, the box first tilts by 1e-5 */
  ss_trajectory_free (out.trajectory);

  /* a disc on the spring without damping is the recursion of the rule; explicit Euler wins energy */
  world_init (0);
  add_ground (0);
  SsBody *disc = add_disc ("disc", 0.1, 2, 0, 0.1);
  disc->v[1] = -1;
  touch_all (0, 0);
  double y = 0, v = -1, h = 0.001;
  for (int i = 0; i < 12; i++) { /* half a period is pi sqrt (m/K) = 14 ms */
    v -= y <= 0 ? h * stiffness * y / 2 + h * 200 * v / 2 : 0;
    y += h * v;
  }
  out = run (&ss_integrator_semi_implicit_euler, "substeps=1", 0.001, 0.012);
  SS_CHECK_NEAR (ss_test_last_value (out.trajectory, "floor-disc.gap"), y, 1e-14);
  SS_CHECK_NEAR (ss_test_last_value (out.trajectory, "disc.vy"), v, 1e-13);
  ss_trajectory_free (out.trajectory);
  out = run (&ss_integrator_explicit_euler, "damping=0", 0.01, 0.1);
  SS_CHECK (out.metrics.energy_final > out.metrics.energy_initial);
  ss_trajectory_free (out.trajectory);

  /* much too stiff for the step: each bounce between floor and ceiling wins energy until it is noticed; said, not
   * hidden */
  world_init (0);
  add_ground (0);
  SsBody *ceiling = add_body ("ceiling", 0, 0.3, 0);
  ceiling->is_fixed = true;
  ceiling->shape = (SsShape){.kind = SS_SHAPE_HALF_PLANE, .normal = {0, -1}};
  disc = add_disc ("ball", 0.1, 1, 0, 0.15);
  disc->v[1] = -1;
  touch_all (0, 0);
  out = run (&ss_integrator_explicit_euler, "stiffness=1e9", 0.01, 10);
  SS_CHECK (out.outcome == SS_OUTCOME_DIVERGED);
  SS_CHECK_CONTAINS (out.message, "body ball");
  ss_trajectory_free (out.trajectory);
}

/* ---- invariants -------------------------------------------------------------------------------------------------- */

static void
momentum (const SsTestRun *out, int row, double p[3])
{
  const double *r = ss_trajectory_row (out->trajectory, row);
  p[0] = p[1] = p[2] = 0;
  for (int i = 0; i < world.scene.n_bodies; i++) {
    const SsBody *body = &world.bodies[i];
    const double *c = r + 1 + 6 * i;
    if (body->is_fixed)
      continue;
    p[0] += body->mass * c[3];
    p[1] += body->mass * c[4];
    p[2] += body->mass * (c[0] * c[4] - c[1] * c[3]) + body->inertia * c[5];
  }
}

/* Bodies that collide in free space: linear and angular momentum are kept to rounding (semi-implicit positions keep x v
 * of each body), energy never grows by more than the turning of the bodies within one step allows; impulses obey
 * Coulomb. */
static void
test_momentum_and_energy (void)
{
  for (int seed = 1; seed <= 6; seed++) {
    SsRandom random;
    ss_random_seed (&random, (uint64_t)seed);
    world_init (0);
    for (int i = 0; i < 6; i++) {
      char name[16];
      double angle = i * pi / 3;
      snprintf (name, sizeof name, "b%d", i);
      SsBody *body =
          i % 2 ? add_disc (name, 0.4, 0.5 + i, 2 * cos (angle), 2 * sin (angle))
                : add_box (name, 0.8, 0.5, 1 + i, 2 * cos (angle), 2 * sin (angle), ss_random_between (&random, -3, 3));
      body->v[0] = -2 * cos (angle) + 0.3 * ss_random_normal (&random);
      body->v[1] = -2 * sin (angle) + 0.3 * ss_random_normal (&random);
      body->v[2] = ss_random_normal (&random);
    }
    touch_all (0.4, 0);
    SsTestRun out = run (&ss_integrator_stewart_trinkle, NULL, 0.005, 2);
    double first[3], last[3], before = row_energy (&out, 0), worst_gain = 0;
    momentum (&out, 0, first);
    momentum (&out, out.trajectory->n_rows - 1, last);
    for (int k = 0; k < 3; k++)
      SS_CHECK_NEAR (last[k], first[k], 1e-11);
    for (int row = 1; row < out.trajectory->n_rows; row++) {
      double now = row_energy (&out, row);
      worst_gain = fmax (worst_gain, now - before);
      before = now;
    }
    /* the linear gap errs by (h omega)^2 r/2; closing it costs a speed of h omega^2 r/2, with v = 1: 1e-2 J for these
     * masses at h = 0.005 */
    SS_CHECK (worst_gain <= 1e-2);
    SS_CHECK (out.metrics.energy_final < 0.9 * out.metrics.energy_initial); /* they did collide */
    SS_CHECK (out.metrics.max_cone_violation <= 1e-10);
    SS_CHECK (out.metrics.own_residual <= 1e-9);
    ss_trajectory_free (out.trajectory);
  }
}

/* A pile of discs. With gap=linear the impulse acts along the normal at the step's start, and the chord between two
 * states on a convex surface points into it: energy cannot grow. With gap=end it acts along the normal at the end, out
 * of which the chord points: each step may win up to p h v^2 / 2R, here 10 N s x 0.005 s x (3 m/s)^2 / 0.5 m = 0.9 J at
 * worst, measured 0.013 J. */
static void
test_discs_lose_energy (void)
{
  world_init (9.81);
  add_ground (0);
  for (int i = 0; i < 8; i++) {
    char name[16];
    snprintf (name, sizeof name, "d%d", i);
    add_disc (name, 0.2 + 0.02 * i, 1 + i, 0.13 * (i % 3), 0.4 + 0.75 * i);
  }
  touch_all (0.3, 0);
  for (int c = 0; c < 2; c++) {
    SsTestRun out = run (&ss_integrator_stewart_trinkle, c ? "gap=end" : "gap=linear", 0.005, 3);
    double worst = -INFINITY;
    for (int row = 1; row < out.trajectory->n_rows; row++)
      worst = fmax (worst, row_energy (&out, row) - row_energy (&out, row - 1));
    printf ("  gap=%s: largest gain in a step %.2g J of %.0f J, penetration %.2g m\n", c ? "end" : "linear", worst,
            out.metrics.energy_initial, out.metrics.max_penetration);
    SS_CHECK (worst <= (c ? 0.1 : 1e-9)); /* rounding of 1377 J */
    SS_CHECK (out.metrics.max_cone_violation <= 1e-9);
    ss_trajectory_free (out.trajectory);
  }
}

/* ---- the example ------------------------------------------------------------------------------------------------- */

static void
check_lies_flat (const SsTestRun *out)
{
  double turns = ss_test_last_value (out->trajectory, "box.theta") / (pi / 2);
  SS_CHECK (out->outcome == SS_OUTCOME_COMPLETED);
  SS_CHECK_NEAR (turns, round (turns), 1e-6);
  SS_CHECK_NEAR (ss_test_last_value (out->trajectory, "floor-box.gap"), 0, 1e-6);
  SS_CHECK_NEAR (hypot (ss_test_last_value (out->trajectory, "box.vx"), ss_test_last_value (out->trajectory, "box.vy")),
                 0, 1e-6);
  SS_CHECK_NEAR (ss_test_last_value (out->trajectory, "box.omega"), 0, 1e-6);
  SS_CHECK (out->metrics.max_cone_violation <= 1e-10);
  SS_CHECK (out->metrics.energy_final < out->metrics.energy_initial);
}

static void
make_falling_box (void)
{
  world_init (9.81);
  add_ground (0);
  SsBody *box = add_box ("box", 1, 0.5, 2, 0, 1, 0.3);
  box->v[0] = 0.5;
  touch_all (0.5, 0);
}

static void
test_falling_box (void)
{
  double steps[] = {0.01, 0.005, 0.001};
  for (int end = 0; end < 2; end++)
    for (int i = 0; i < 3; i++) {
      make_falling_box ();
      SsTestRun out = run (&ss_integrator_stewart_trinkle, end ? "gap=end" : "gap=linear", steps[i], 2);
      check_lies_flat (&out);
      printf ("  gap=%s h=%g: x %.6f, penetration %.2g m, residual %.2g\n", end ? "end" : "linear", steps[i],
              ss_test_last_value (out.trajectory, "box.x"), out.metrics.max_penetration, out.metrics.own_residual);
      if (end)
        SS_CHECK (out.metrics.max_penetration <= 1e-12); /* true gap at the end: only rounding is left */
      else
        SS_CHECK (out.metrics.max_penetration <=
                  10 * steps[i] * steps[i]); /* O(h^2) with omega up to 5 rad/s, r = 0.56 m */
      ss_trajectory_free (out.trajectory);
    }
}

static void
test_falling_box_file (void)
{
  SsScenario *scenario = ss_test_read_file ("examples/sketches/falling-box.stickslip.json", NULL, 0);
  if (scenario != NULL && scenario->scene != NULL) {
    SsTestRun out = {0};
    SsError err;
    SS_CHECK (ss_simulate (scenario->scene, &ss_integrator_stewart_trinkle, NULL, scenario->task.dt,
                           scenario->task.t_end, NULL, &out.trajectory, &out.metrics, &out.outcome, out.message,
                           sizeof out.message, &err) == SS_OK);
    check_lies_flat (&out);
    /* the file is the scene made by hand above */
    make_falling_box ();
    SsTestRun same = run (&ss_integrator_stewart_trinkle, NULL, 0.01, 2);
    SS_CHECK_NEAR (ss_test_last_value (out.trajectory, "box.x"), ss_test_last_value (same.trajectory, "box.x"), 1e-9);
    ss_trajectory_free (out.trajectory);
    ss_trajectory_free (same.trajectory);
  }
  ss_scenario_free (scenario);
}

/* A stack of boxes stays, each contact carries what lies above it. */
static void
test_stack (void)
{
  enum { N = 8 };
  world_init (9.81);
  add_ground (0);
  for (int i = 0; i < N; i++) {
    char name[16];
    snprintf (name, sizeof name, "b%d", i);
    add_box (name, 1, 0.5, 1, 0, 0.25 + 0.5 * i, 0);
  }
  touch_all (0.5, 0);
  SsTestRun out = run (&ss_integrator_stewart_trinkle, NULL, 0.01, 3);
  for (int i = 0; i < N; i++) {
    char channel[40];
    snprintf (channel, sizeof channel, "b%d.y", i);
    SS_CHECK_NEAR (ss_test_last_value (out.trajectory, channel), 0.25 + 0.5 * i, 1e-10);
    if (i > 0)
      snprintf (channel, sizeof channel, "b%d-b%d.lambda_n", i - 1, i);
    else
      snprintf (channel, sizeof channel, "floor-b0.lambda_n");
    SS_CHECK_NEAR (ss_test_last_value (out.trajectory, channel), (N - i) * 9.81, 1e-8);
  }
  ss_trajectory_free (out.trajectory);
}

/* A light fast disc hits a resting pile: impulses run through all of it, beyond the first margin of the candidates. */
static void
test_fast_hit (void)
{
  world_init (0);
  for (int i = 0; i < 5; i++) {
    char name[16];
    snprintf (name, sizeof name, "d%d", i);
    add_disc (name, 0.1, i == 0 ? 100 : 0.1, 0.3 * i, 0);
  }
  world.bodies[0].v[0] = 50;
  touch_all (0, 0);
  SsTestRun out = run (&ss_integrator_stewart_trinkle, NULL, 0.01, 0.1);
  SS_CHECK (out.metrics.max_penetration <= 1e-12);
  for (int i = 0; i < 5; i++) {
    char channel[16];
    snprintf (channel, sizeof channel, "d%d.vx", i);
    SS_CHECK_NEAR (ss_test_last_value (out.trajectory, channel), 50 * 100 / 100.4, 1e-10); /* they move on as one */
  }
  ss_trajectory_free (out.trajectory);
}

/* Two runs give the same bits. */
static void
test_same_bits (void)
{
  make_falling_box ();
  SsTestRun a = run (&ss_integrator_stewart_trinkle, NULL, 0.01, 1),
            b = run (&ss_integrator_stewart_trinkle, NULL, 0.01, 1);
  SS_CHECK (a.trajectory->n_rows == b.trajectory->n_rows);
  SS_CHECK (memcmp (a.trajectory->values, b.trajectory->values,
                    sizeof (double) * (size_t)(a.trajectory->n_rows * a.trajectory->n_channels)) == 0);
  ss_trajectory_free (a.trajectory);
  ss_trajectory_free (b.trajectory);
}

/* ---- driver ------------------------------------------------------------------------------------------------------ */

static void
test_last_step_is_shortened (void)
{
  make_falling_box ();
  SsTestRun out = run (&ss_integrator_stewart_trinkle, NULL, 0.03, 0.1);
  SS_CHECK (out.metrics.steps == 4 && out.trajectory->n_rows == 5);
  SS_CHECK (ss_test_value (out.trajectory, 0, "t") == 0 && ss_test_value (out.trajectory, 4, "t") == 0.1);
  SS_CHECK_NEAR (ss_test_value (out.trajectory, 3, "t"), 0.09, 1e-16);
  SS_CHECK_NEAR (ss_test_value (out.trajectory, 4, "box.vy"), -0.981, 1e-15);
  SS_CHECK (ss_test_value (out.trajectory, 0, "box.y") == 1 && ss_test_value (out.trajectory, 0, "box.vx") == 0.5);
  SS_CHECK_NEAR (ss_test_value (out.trajectory, 0, "floor-box.gap"), 1 - 0.5 * sin (0.3) - 0.25 * cos (0.3), 1e-15);
  ss_trajectory_free (out.trajectory);
  /* 0.1/0.02 rounds: five steps, no sliver; and a horizon of 0 is the initial row */
  out = run (&ss_integrator_stewart_trinkle, NULL, 0.02, 0.1);
  SS_CHECK (out.metrics.steps == 5);
  ss_trajectory_free (out.trajectory);
  out = run (&ss_integrator_stewart_trinkle, NULL, 0.02, 0);
  SS_CHECK (out.metrics.steps == 0 && out.trajectory->n_rows == 1);
  ss_trajectory_free (out.trajectory);
}

typedef struct {
  SsRunControl *control;
  int frames, last_index, cancel_at, warnings;
  double last_time;
} Listener;

static void
listen (void *user_data, const SsProgress *progress)
{
  Listener *listener = user_data;
  if (progress->kind == SS_PROGRESS_LOG && progress->level == SS_LOG_WARNING)
    listener->warnings++;
  if (progress->kind != SS_PROGRESS_FRAME)
    return;
  listener->frames++;
  listener->last_index = progress->iteration;
  listener->last_time = progress->values[0];
  if (listener->frames == listener->cancel_at)
    ss_run_control_cancel (listener->control);
}

static void
test_control (void)
{
  for (int kind = 0; kind < 3; kind++) {
    SsRunControl control;
    SsTestRun out = {0};
    SsError err;
    ss_run_control_init (&control);
    Listener listener = {.control = &control, .cancel_at = kind == 0 ? 11 : -1};
    control.progress = listen;
    control.user_data = &listener;
    if (kind == 1)
      control.deadline = ss_clock_wall () - 1;
    make_falling_box ();
    if (kind == 2)
      world.contacts[0].restitution = 0.5;
    SS_CHECK (ss_simulate (&world.scene, &ss_integrator_implicit_euler, NULL, 0.01, 0.5, &control, &out.trajectory,
                           &out.metrics, &out.outcome, out.message, sizeof out.message, &err) == SS_OK);
    SsOutcome expected[] = {SS_OUTCOME_CANCELLED, SS_OUTCOME_TIME_LIMIT, SS_OUTCOME_COMPLETED};
    int frames[] = {11, 1, 51};
    SS_CHECK (out.outcome == expected[kind]);
    SS_CHECK (listener.frames == frames[kind] && out.trajectory->n_rows == frames[kind] &&
              listener.last_index == frames[kind] - 1);
    SS_CHECK (listener.warnings == (kind == 2)); /* the scheme is inelastic and says so */
    if (kind == 0)
      SS_CHECK_CONTAINS (out.message, "t = 0.1 s");
    ss_trajectory_free (out.trajectory);
  }
}

static SsStatus
blow_up (void *integrator, const SsStep *step, SsSimState *state, SsStepInfo *info, SsError *err)
{
  (void)integrator, (void)info, (void)err;
  state->t += step->dt;
  if (state->t > 0.045)
    state->v[5] = NAN;
  return SS_OK;
}

static SsStatus
give_up (void *integrator, const SsStep *step, SsSimState *state, SsStepInfo *info, SsError *err)
{
  (void)integrator, (void)info, (void)step;
  return ss_error_set (err, SS_ERR_SINGULAR, "contact floor-box at t = %g s: no", state->t);
}

static void
test_divergence_and_failure (void)
{
  make_falling_box ();
  SsIntegratorClass broken = ss_integrator_stewart_trinkle;
  broken.step = blow_up;
  SsTestRun out = run (&broken, NULL, 0.01, 1);
  SS_CHECK (out.outcome == SS_OUTCOME_DIVERGED && out.trajectory->n_rows == 5);
  SS_CHECK_CONTAINS (out.message, "body box");
  SS_CHECK_CONTAINS (out.message, "omega");
  SS_CHECK_CONTAINS (out.message, "t = 0.05 s");
  ss_trajectory_free (out.trajectory);
  broken.step = give_up;
  out = run (&broken, NULL, 0.01, 1);
  SS_CHECK (out.outcome == SS_OUTCOME_FAILED && out.trajectory->n_rows == 1);
  SS_CHECK_CONTAINS (out.message, "floor-box at t = 0 s");
  ss_trajectory_free (out.trajectory);

  /* no configuration without overlap exists: a box wider than the room between two walls */
  world_init (9.81);
  SsBody *left = add_ground (0), *right = add_body ("wall", 0.9, 0, 0);
  left->shape.normal = (SsVec2){1, 0};
  right->is_fixed = true;
  right->shape = (SsShape){.kind = SS_SHAPE_HALF_PLANE, .normal = {-1, 0}};
  add_disc ("disc", 0.5, 1, 0.45, 1);
  touch_all (0.5, 0);
  out = run (&ss_integrator_stewart_trinkle, NULL, 0.01, 0.1);
  SS_CHECK (out.outcome == SS_OUTCOME_FAILED);
  SS_CHECK_CONTAINS (out.message, "disc");
  SS_CHECK_CONTAINS (out.message, "t = 0 s");
  ss_trajectory_free (out.trajectory);
}

static void
test_bad_arguments (void)
{
  make_falling_box ();
  SsTestRun out = {0};
  SsError err;
  double steps[] = {0, -1, NAN, INFINITY, 1e-12};
  for (int i = 0; i < 5; i++) {
    SS_CHECK (ss_simulate (&world.scene, &ss_integrator_stewart_trinkle, NULL, steps[i], 1, NULL, &out.trajectory,
                           &out.metrics, &out.outcome, out.message, sizeof out.message, &err) == SS_ERR_ARG);
    SS_CHECK (out.trajectory == NULL);
    SS_CHECK_CONTAINS (err.message, "dt");
  }
}

/* Once every size has been seen, a step allocates nothing. */
static void
test_no_allocation_per_step (void)
{
  for (int c = 0; c < 3; c++) {
    make_falling_box ();
    double q[6], v[6], contact[5];
    void *stepper = NULL;
    SsError err;
    SS_CHECK (classes[c]->new_ (&world.scene, NULL, &stepper, &err) == SS_OK);
    uint64_t before = 0;
    for (int pass = 0; pass < 2; pass++) {
      SsSimState state = {0, q, v, contact};
      for (int i = 0; i < 6; i++) {
        q[i] = world.bodies[i / 3].q[i % 3];
        v[i] = world.bodies[i / 3].v[i % 3];
      }
      before = ss_alloc_count ();
      for (int i = 0; i < 200; i++) {
        SsStepInfo info;
        SS_CHECK (classes[c]->step (stepper, &(SsStep){.dt = 0.01}, &state, &info, &err) == SS_OK);
      }
    }
    SS_CHECK (ss_alloc_count () == before);
    classes[c]->free_ (stepper);
  }
}

/* Every allocation may fail: an error, no leak, outputs untouched. */
static void
test_memory_failures (void)
{
  make_falling_box ();
  for (int c = 0; c < 3; c++) {
    bool succeeded = false;
    for (uint64_t k = 1; k < 400 && !succeeded; k++) {
      SsTestRun out = {0};
      SsError err;
      ss_alloc_fail_at (k);
      SsStatus status = ss_simulate (&world.scene, classes[c], NULL, 0.01, 0.6, NULL, &out.trajectory, &out.metrics,
                                     &out.outcome, out.message, sizeof out.message, &err);
      ss_alloc_fail_at (0);
      succeeded = status == SS_OK;
      SS_CHECK (succeeded || (status == SS_ERR_MEMORY && out.trajectory == NULL));
      ss_trajectory_free (out.trajectory);
    }
    SS_CHECK (succeeded);
  }
}

/* Not a pass or fail of time: a pile of boxes must be stepped without failure; the time is printed. */
static void
test_pyramid (void)
{
  enum { ROWS = 6 };
  world_init (9.81);
  add_ground (0);
  for (int row = 0; row < ROWS; row++)
    for (int i = 0; i < ROWS - row; i++) {
      char name[16];
      snprintf (name, sizeof name, "b%d_%d", row, i);
      add_box (name, 0.5, 0.3, 1, 0.6 * (i + 0.5 * row), 0.15 + 0.301 * row, 0);
    }
  touch_all (0.5, 0);
  double start = ss_clock_wall ();
  SsTestRun out = run (&ss_integrator_stewart_trinkle, NULL, 0.01, 0.5);
  double seconds = ss_clock_wall () - start;
  SS_CHECK (out.outcome == SS_OUTCOME_COMPLETED);
  SS_CHECK (out.metrics.max_penetration <= 1e-4);
  SS_CHECK (smallest (&out, "b5_0.y") > 0.15 + 0.3 * 5 - 1e-3);
  SS_CHECK (smallest (&out, "b5_0.omega") >= -1e-9);
  printf ("  %d boxes: %.2f ms a step, penetration %.2g m, residual %.2g\n", world.scene.n_bodies - 1,
          1e3 * seconds / out.metrics.steps, out.metrics.max_penetration, out.metrics.own_residual);
  ss_trajectory_free (out.trajectory);
}

/* n boxes and discs by turns, thrown into a bin. */
static void
build_bin (uint64_t seed, int n)
{
  world_init (9.81);
  add_ground (0);
  SsBody *left = add_body ("left", -1.5, 0, 0), *right = add_body ("right", 1.5, 0, 0);
  left->is_fixed = right->is_fixed = true;
  left->shape = (SsShape){.kind = SS_SHAPE_HALF_PLANE, .normal = {1, 0}};
  right->shape = (SsShape){.kind = SS_SHAPE_HALF_PLANE, .normal = {-1, 0}};
  SsRandom random;
  ss_random_seed (&random, seed);
  for (int i = 0; i < n; i++) {
    char name[16];
    double x = -1.1 + 0.55 * (i % 5), y = 0.3 + 0.5 * (i / 5);
    snprintf (name, sizeof name, "b%d", i);
    SsBody *body = i % 2 ? add_disc (name, ss_random_between (&random, 0.1, 0.2), 1, x, y)
                         : add_box (name, 0.35, ss_random_between (&random, 0.1, 0.3), 1, x, y,
                                    ss_random_between (&random, -3, 3));
    body->v[0] = ss_random_normal (&random);
    body->v[1] = ss_random_normal (&random);
  }
  touch_all (0.4, 0);
}

/* Every step must be solved, nothing may leave, Coulomb holds. */
static void
test_bin (void)
{
  enum { N = 20 };
  build_bin (3, N);
  double start = ss_clock_wall ();
  SsTestRun out = run (&ss_integrator_stewart_trinkle, NULL, 0.01, 1);
  double seconds = ss_clock_wall () - start, worst_gain = 0;
  SS_CHECK (out.outcome == SS_OUTCOME_COMPLETED);
  for (int row = 1; row < out.trajectory->n_rows; row++)
    worst_gain = fmax (worst_gain, row_energy (&out, row) - row_energy (&out, row - 1));
  SS_CHECK (out.metrics.max_penetration <=
            0.03); /* (h omega)^2 r/2 with omega up to 30 rad/s, r = 0.23 m: 0.01 m, in two bodies */
  SS_CHECK (out.metrics.max_cone_violation <= 1e-9);
  SS_CHECK (out.metrics.energy_final < out.metrics.energy_initial);
  printf ("  %d bodies: %.2f ms a step, penetration %.2g m, residual %.2g, largest gain in a step %.2g J\n", N,
          1e3 * seconds / out.metrics.steps, out.metrics.max_penetration, out.metrics.own_residual, worst_gain);
  ss_trajectory_free (out.trajectory);
}

/* Collapsing piles: groups of dozens of points whose friction bounds hang on each other, impacts in every step. Each
 * step must meet its law to 1e-8 m/s (the natural residual, recomputed from the impulses). Half of a pile's motion has
 * impacts enough for sanitizers. */
static void
test_piles_are_solved (void)
{
  enum { N = 50 };
  const uint64_t n_seeds = ss_test_is_coarse () ? 1 : 3;
  const SsIntegratorClass *const laws[] = {&ss_integrator_stewart_trinkle, &ss_integrator_anitescu_potra,
                                           &ss_integrator_convex_time_stepping, &ss_integrator_constraint_solver};
  for (size_t k = 0; k < sizeof laws / sizeof *laws; k++)
    for (uint64_t seed = 1; seed <= n_seeds; seed++) {
      build_bin (seed, N);
      SsTestRun out = run (laws[k], NULL, 0.01, ss_test_is_coarse () ? 0.6 : 1.2);
      SS_CHECK (out.outcome == SS_OUTCOME_COMPLETED);
      SS_CHECK (out.metrics.own_residual <= 1e-8);
      SS_CHECK (out.metrics.max_cone_violation <= 1e-9);
      printf ("  %s, seed %d: residual %.2g\n", laws[k]->name, (int)seed, out.metrics.own_residual);
      ss_trajectory_free (out.trajectory);
    }
}

int
main (void)
{
  SS_RUN (test_free_fall);
  SS_RUN (test_box_at_rest);
  SS_RUN (test_incline_sticks);
  SS_RUN (test_ramp_table);
  SS_RUN (test_bounce_table);
  SS_RUN (test_rolling_disc);
  SS_RUN (test_sliding_disc_starts_to_roll);
  SS_RUN (test_poisson_restitution);
  SS_RUN (test_penalty);
  SS_RUN (test_momentum_and_energy);
  SS_RUN (test_discs_lose_energy);
  SS_RUN (test_falling_box);
  SS_RUN (test_falling_box_file);
  SS_RUN (test_stack);
  SS_RUN (test_fast_hit);
  SS_RUN (test_same_bits);
  SS_RUN (test_last_step_is_shortened);
  SS_RUN (test_control);
  SS_RUN (test_divergence_and_failure);
  SS_RUN (test_bad_arguments);
  SS_RUN (test_no_allocation_per_step);
  SS_RUN (test_memory_failures);
  SS_RUN (test_pyramid);
  SS_RUN (test_bin);
  SS_RUN (test_piles_are_solved);
  return ss_test_finish ();
}
