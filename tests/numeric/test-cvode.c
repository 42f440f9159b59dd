/* tests/numeric/test-cvode.c: the integrator cvode against closed forms, balances, the foundation's reference and
 * implicit Euler.
 *
 * Tolerances: rtol bounds the error of one internal step; errors of many steps add up. Where a check says "a hundred
 * times rtol" it means a few hundred steps whose errors partly cancel, relative to the motion's size; each prints
 * nothing unless it fails. */
#include "simulate/ss-simulate.h"
#include "ss-test-simulate.h"

#include <stdlib.h>

static const double pi = 3.14159265358979323846, g = 9.8;
/* Errors of some hundred steps together, in units of the tolerance. */
static const double many_steps = 100;
/* Impulses and work are quadratures without error control, and work is a difference of large terms: relative to the
 * energy that goes through the contact, at rtol 1e-8 or less. */
static const double work_tolerance = 1e-5;

/* ---- scenes by hand ---------------------------------------------------------------------------------------------- */

enum { BODIES_MAX = 8 };

static struct {
  SsScene scene;
  SsBody bodies[BODIES_MAX];
  SsContact contacts[BODIES_MAX];
  SsJoint joints[2];
  SsSpring spring;
  SsForce force;
  SsGraph *graph;
  SsVec2 vertices[4];
  double options[32];
  char message[512];
  SsSimMetrics metrics;
  SsOutcome outcome;
} world;

static void
world_init (double gravity)
{
  ss_graph_free (world.graph);
  memset (&world, 0, sizeof world);
  world.scene.gravity = (SsVec2){0, -gravity};
  world.scene.bodies = world.bodies;
  world.scene.contacts = world.contacts;
  world.scene.joints = world.joints;
  ss_options_init (ss_integrator_cvode.options, world.options);
}

static SsBody *
add_body (const char *name, double mass, double inertia, double x, double y)
{
  SsBody *body = &world.bodies[world.scene.n_bodies++];
  *body = (SsBody){.name = name, .mass = mass, .inertia = inertia, .q = {x, y, 0}, .color = ""};
  body->shape = (SsShape){.kind = SS_SHAPE_CIRCLE, .radius = 0.1};
  return body;
}

static void
add_ground (double slope)
{
  SsBody *body = add_body ("floor", 1, 1, 0, 0);
  body->is_fixed = true;
  body->q[2] = -slope;
  body->shape = (SsShape){.kind = SS_SHAPE_HALF_PLANE, .normal = {0, 1}};
}

static void
make_box (SsBody *body, double width, double height)
{
  world.vertices[0] = (SsVec2){-width / 2, -height / 2};
  world.vertices[1] = (SsVec2){width / 2, -height / 2};
  world.vertices[2] = (SsVec2){width / 2, height / 2};
  world.vertices[3] = (SsVec2){-width / 2, height / 2};
  body->shape = (SsShape){.kind = SS_SHAPE_POLYGON, .n_vertices = 4, .vertices = world.vertices};
}

/* With the floor. */
static void
touch (int body, double mu, double stiffness, double damping)
{
  world.contacts[world.scene.n_contacts++] = (SsContact){
      .name = "floor-body", .body_a = 0, .body_b = body, .mu = mu, .stiffness = stiffness, .damping = damping};
}

static void
option_of (const SsIntegratorClass *class_, void *options, const char *name, const char *value)
{
  SsError err = {0};
  SsStatus status = ss_options_set (class_->options, options, name, value, &err);
  if (status != SS_OK)
    printf ("  option %s=%s: %s\n", name, value, err.message);
  SS_CHECK (status == SS_OK);
}

static void
option (const char *name, const char *value)
{
  option_of (&ss_integrator_cvode, world.options, name, value);
}

static void
option_number (const char *name, double value)
{
  char buffer[40];
  ss_format_double (value, buffer, sizeof buffer);
  option (name, buffer);
}

static void
tolerances (double rtol, double atol)
{
  option_number ("rtol", rtol);
  option_number ("atol", atol);
}

static SsTrajectory *
run_class (const SsIntegratorClass *class_, const void *options, double dt, double t_end)
{
  SsError err = {0};
  SsTrajectory *trajectory = NULL;
  SsStatus status = ss_simulate (&world.scene, class_, options, dt, t_end, NULL, &trajectory, &world.metrics,
                                 &world.outcome, world.message, sizeof world.message, &err);
  SS_CHECK (status == SS_OK);
  if (status != SS_OK)
    printf ("  %s\n", err.message);
  return trajectory;
}

static SsTrajectory *
run (double dt, double t_end)
{
  SsTrajectory *trajectory = run_class (&ss_integrator_cvode, world.options, dt, t_end);
  SS_CHECK (world.outcome == SS_OUTCOME_COMPLETED);
  if (world.outcome != SS_OUTCOME_COMPLETED)
    printf ("  %s\n", world.message);
  return trajectory;
}

static double
sum (const SsTrajectory *trajectory, const char *channel)
{
  double total = 0;
  for (int i = 0; trajectory != NULL && i < trajectory->n_rows; i++)
    total += ss_test_value (trajectory, i, channel);
  return total;
}

/* ---- smooth motion ----------------------------------------------------------------------------------------------- */

static void
test_free_fall (void)
{
  world_init (g);
  SsBody *ball = add_body ("ball", 2, 1, 1000, 5);
  ball->v[0] = 3, ball->v[1] = 4, ball->v[2] = 5;
  tolerances (1e-9, 1e-12);
  SsTrajectory *out = run (0.1, 1);
  SS_CHECK_NEAR (ss_test_last_value (out, "ball.x"), 1003, 3 * many_steps * 1e-9);
  SS_CHECK_NEAR (ss_test_last_value (out, "ball.y"), 5 + 4 - g / 2, 5 * many_steps * 1e-9);
  SS_CHECK_NEAR (ss_test_last_value (out, "ball.theta"), 5, 5 * many_steps * 1e-9);
  SS_CHECK_NEAR (ss_test_last_value (out, "ball.vy"), 4 - g, g * many_steps * 1e-9);
  ss_trajectory_free (out);
}

/* x = e^-dt (cos wt + d/w sin wt) against the tolerance: the error follows rtol. */
static void
test_spring (void)
{
  const double k = 100, c = 0.6, t = 5, d = c / 2, w = sqrt (k - d * d);
  for (int i = 0; i < 3; i++) {
    double rtol = (const double[]){1e-4, 1e-7, 1e-10}[i];
    world_init (0);
    SsBody *ball = add_body ("ball", 1, 1, 3, 0);
    (void)ball;
    world.spring = (SsSpring){
        .name = "spring", .body_a = -1, .body_b = 0, .anchor_a = {0, 0}, .stiffness = k, .damping = c, .rest = 2};
    world.scene.springs = &world.spring;
    world.scene.n_springs = 1;
    tolerances (rtol, rtol / 100);
    SsTrajectory *out = run (0.1, t);
    double x = 2 + exp (-d * t) * (cos (w * t) + d / w * sin (w * t));
    double v = -exp (-d * t) * (w + d * d / w) * sin (w * t);
    SS_CHECK_NEAR (ss_test_last_value (out, "ball.x"), x, 5 * many_steps * rtol);
    SS_CHECK_NEAR (ss_test_last_value (out, "ball.vx"), v, 5 * w * many_steps * rtol);
    ss_trajectory_free (out);
  }
}

/* Released at 60 degrees from hanging, a pinned bar is back after 4 K (sin 30 deg)/w, K = pi/(2 agm (1, cos 30
 * deg)). */
static void
test_pendulum (void)
{
  const double angle = pi / 3, arm = 0.5, mass = 2, inertia = 0.3;
  double a = 1, b = cos (angle / 2);
  for (int i = 0; i < 8; i++) { /* agm: digits double each time */
    double mean = (a + b) / 2;
    b = sqrt (a * b);
    a = mean;
  }
  double period = 2 * pi / a * sqrt ((inertia + mass * arm * arm) / (mass * g * arm));
  world_init (g);
  SsBody *bar = add_body ("bar", mass, inertia, arm * sin (angle), -arm * cos (angle));
  bar->q[2] = angle;
  world.joints[0] = (SsJoint){.name = "hinge",
                              .kind = SS_JOINT_PIN,
                              .body_a = -1,
                              .body_b = 0,
                              .anchor_b = {0, arm},
                              .lower = -INFINITY,
                              .upper = INFINITY};
  world.scene.n_joints = 1;
  tolerances (1e-9, 1e-12);
  SsTrajectory *out = run (period / 40, period);
  /* at the turn the angle depends on the square of the time's error: half a period tells the place, the speed tells the
   * time */
  SS_CHECK_NEAR (ss_test_value (out, 20, "bar.theta"), -angle, many_steps * 1e-9);
  SS_CHECK_NEAR (ss_test_last_value (out, "bar.theta"), angle, many_steps * 1e-9);
  SS_CHECK_NEAR (ss_test_last_value (out, "bar.omega"), 0, 10 * many_steps * 1e-9);
  for (int i = 0; out != NULL && i < out->n_rows; i++) {
    SS_CHECK (ss_test_value (out, i, "hinge.drift") <= many_steps * 1e-9);
    SS_CHECK_NEAR (ss_test_value (out, i, "energy.kinetic") + ss_test_value (out, i, "energy.potential"),
                   -mass * g * arm / 2, mass * g * many_steps * 1e-9);
  }
  ss_trajectory_free (out);
}

/* A limit is a spring: the bar comes to rest on it, its moment over K deep. */
static void
test_limit (void)
{
  const double mass = 2, inertia = 0.3, arm = 0.5, K = 1e5;
  world_init (g);
  SsBody *bar = add_body ("bar", mass, inertia, arm, 0);
  (void)bar;
  world.joints[0] = (SsJoint){.name = "hinge",
                              .kind = SS_JOINT_PIN,
                              .body_a = -1,
                              .body_b = 0,
                              .anchor_b = {-arm, 0},
                              .lower = -0.2,
                              .upper = INFINITY,
                              .stiffness = K,
                              .damping = 200};
  world.scene.n_joints = 1;
  option ("roots", "on");
  SsTrajectory *out = run (0.01, 3);
  SS_CHECK_NEAR (ss_test_last_value (out, "bar.theta"), -0.2 - mass * g * arm * cos (0.2) / K,
                 1e-7); /* 1e-4 deep; a tenth of a percent */
  SS_CHECK_NEAR (ss_test_last_value (out, "bar.omega"), 0, 1e-6);
  ss_trajectory_free (out);
}

/* A belt moves steadily and drags: coordinates without forces move by their own speed. */
static void
test_belt (void)
{
  world_init (g);
  add_ground (0);
  world.bodies[0].is_fixed = false;
  world.bodies[0].lock[0] = world.bodies[0].lock[1] = world.bodies[0].lock[2] = true;
  world.bodies[0].v[0] = 0.5;
  SsBody *box = add_body ("box", 1, 1, 0, 0.1);
  make_box (box, 0.4, 0.2);
  touch (1, 0.5, 0, 0);
  SsTrajectory *out = run (0.01, 2);
  SS_CHECK_NEAR (ss_test_last_value (out, "floor.x"), 1, 1e-12);
  SS_CHECK_NEAR (ss_test_last_value (out, "box.vx"), 0.5, 1e-5); /* v_s = 1e-4 would be seen only under load */
  /* speed 0.5 = mu g t at t = 0.102: behind by half of 0.5 t; the box is first up to 5 um too high (1 um deep at
   * rest) */
  SS_CHECK_NEAR (ss_test_last_value (out, "box.x"), 1 - 0.5 * 0.5 / (2 * 0.5 * g), 1e-4);
  ss_trajectory_free (out);
}

/* ---- contact ----------------------------------------------------------------------------------------------------- */

/* A ball on a spring without damper: falls for sqrt (2 H/g), touches for (2/w) (pi - atan (v w/g)), and is back at its
 * height, at rest. */
static void
test_bounce (void)
{
  const double mass = 2, K = 1e5, H = 0.5, w = sqrt (K / mass), fall = sqrt (2 * H / g), v = g * fall;
  double contact = 2 / w * (pi - atan (v * w / g)), t = 2 * fall + contact;
  for (int roots = 0; roots < 2; roots++) {
    world_init (g);
    add_ground (0);
    add_body ("ball", mass, 1, 0, 0.1 + H);
    touch (1, 0, K, 0);
    option ("damping", "0");
    option ("roots", roots ? "on" : "off");
    tolerances (1e-9, 1e-12);
    SsTrajectory *out = run (t / 50, t);
    SS_CHECK_NEAR (ss_test_last_value (out, "ball.y"), 0.1 + H, 2 * many_steps * 1e-9);
    /* the time of contact and flight: speed off by g times its error */
    SS_CHECK_NEAR (ss_test_last_value (out, "ball.vy") / g, 0, 2 * many_steps * 1e-9);
    /* what the floor gave is what gravity took */
    SS_CHECK_NEAR (sum (out, "floor-body.impulse_n"), mass * g * t, mass * v * many_steps * 1e-9);
    SS_CHECK_NEAR (ss_test_last_value (out, "floor-body.dissipated"), 0, mass * v * v / 2 * work_tolerance);
    ss_trajectory_free (out);
  }
}

/* Without gravity: phi = -(v/wd) e^-at sin wd t, let go where the force -K phi - B phidot vanishes: wd t = pi - 2 asin
 * zeta. */
static void
test_damped_hit (void)
{
  const double mass = 2, K = 1e5, B = 200, v = 3, w = sqrt (K / mass), zeta = B / (2 * mass * w), a = zeta * w,
               wd = w * sqrt (1 - zeta * zeta), t = (pi - 2 * asin (zeta)) / wd;
  double v_out = -v * exp (-a * t) * (cos (wd * t) - a / wd * sin (wd * t)), gap = 0.3;
  double depth = v / wd * exp (-a * t) * sin (wd * t), t_end = 0.2;
  double y = 0.1 - depth + v_out * (t_end - gap / v - t);
  for (int roots = 0; roots < 2; roots++) {
    world_init (0);
    add_ground (0);
    SsBody *ball = add_body ("ball", mass, 1, 0, 0.1 + gap);
    ball->v[1] = -v;
    touch (1, 0, K, B);
    option ("roots", roots ? "on" : "off");
    tolerances (1e-9, 1e-12);
    SsTrajectory *out = run (0.01, t_end);
    /* the quadratures have no error control of their own: one digit less */
    SS_CHECK_NEAR (ss_test_last_value (out, "ball.vy"), v_out, 3 * v * many_steps * 1e-9);
    SS_CHECK_NEAR (ss_test_last_value (out, "ball.y"), y, 3 * many_steps * 1e-9);
    SS_CHECK_NEAR (sum (out, "floor-body.impulse_n"), mass * (v + v_out), 10 * mass * v * many_steps * 1e-9);
    SS_CHECK_NEAR (ss_test_last_value (out, "floor-body.dissipated"), mass * (v * v - v_out * v_out) / 2,
                   10 * mass * v * v * many_steps * 1e-9);
    ss_trajectory_free (out);
  }
}

/* At rest a disc is m g/K deep, a box on two corners half of it. */
static void
test_rest (void)
{
  const double mass = 3, K = 1e7;
  for (int is_box = 0; is_box < 2; is_box++) {
    world_init (g);
    add_ground (0);
    SsBody *body = add_body ("body", mass, 0.1, 0, 0.1);
    if (is_box)
      make_box (body, 0.4, 0.2);
    touch (1, 0.5, K, 2000);
    tolerances (1e-8, 1e-12);
    SsTrajectory *out = run (0.01, 1);
    double depth = mass * g / K / (is_box ? 2 : 1);
    SS_CHECK_NEAR (ss_test_last_value (out, "floor-body.penetration"), depth, depth * 1e-5); /* many steps of atol */
    SS_CHECK_NEAR (ss_test_last_value (out, "floor-body.lambda_n"), mass * g, mass * g * 1e-5);
    SS_CHECK_NEAR (ss_test_last_value (out, "body.x"), 0, 1e-9);
    ss_trajectory_free (out);
  }
}

/* A disc that cannot turn on a slope creeps at v_s atanh (tan a/mu) with tanh, at m g sin a/B_t with clamp, and slides
 * with g (sin a - mu cos a). */
static void
test_slope (void)
{
  const double a = 15 * pi / 180, mass = 1, v_s = 1e-4, B_t = 1e4;
  for (int i = 0; i < 3; i++) {
    double mu = i < 2 ? 0.375 : 0.2, K = 1e6, depth = mass * g * cos (a) / K;
    double expected = i == 0   ? v_s * atanh (tan (a) / mu)
                      : i == 1 ? mass * g * sin (a) / B_t
                               : g * (sin (a) - mu * cos (a));
    world_init (g);
    add_ground (a);
    SsBody *disc = add_body ("disc", mass, 1, (0.1 - depth) * sin (a), (0.1 - depth) * cos (a));
    disc->lock[2] = true;
    touch (1, mu, K, 0);
    option ("friction", i == 1 ? "clamp" : "tanh");
    option_number ("slip-velocity", v_s);
    option_number ("slip-damping", B_t);
    tolerances (1e-8, 1e-12);
    SsTrajectory *out = run (0.01, 1);
    /* it starts at rest: creep takes a hundredth of a second, sliding loses mu g of v_s/mu g seconds: v_s */
    SS_CHECK_NEAR (hypot (ss_test_last_value (out, "disc.vx"), ss_test_last_value (out, "disc.vy")), expected,
                   i < 2 ? 1e-5 * expected : 2 * v_s);
    SS_CHECK (world.metrics.max_cone_violation <= 1e-9);
    ss_trajectory_free (out);
  }
}

/* Dropped on a corner with friction: what the motion loses, the contact has taken. */
static void
make_tumbling_box (void)
{
  world_init (g);
  add_ground (0);
  SsBody *box = add_body ("box", 1, (0.16 + 0.04) / 12, 0, 0.4);
  make_box (box, 0.4, 0.2);
  box->q[2] = 0.5;
  box->v[0] = 1;
  touch (1, 0.4, 1e5, 100);
}

static void
test_energy (void)
{
  for (int i = 0; i < 2; i++) {
    make_tumbling_box ();
    option ("friction", i ? "clamp" : "tanh");
    option ("roots", i ? "on" : "off");
    option ("slip-damping", "1e3");
    option ("slip-velocity", "1e-2");
    tolerances (1e-8, 1e-11);
    SsTrajectory *out = run (0.005, 1.5);
    double start = ss_test_value (out, 0, "energy.kinetic") + ss_test_value (out, 0, "energy.potential"), worst = 0;
    for (int row = 0; out != NULL && row < out->n_rows; row++)
      worst =
          fmax (worst, fabs (ss_test_value (out, row, "energy.kinetic") + ss_test_value (out, row, "energy.potential") +
                             ss_test_value (out, row, "energy.dissipated") - start));
    SS_CHECK_NEAR (worst, 0, work_tolerance * start);
    SS_CHECK (ss_test_last_value (out, "energy.dissipated") > 1);
    ss_trajectory_free (out);
  }
}

/* The same laws with implicit Euler, from the fall into the first impact: its distance shrinks with its step, towards
 * cvode. */
static void
test_implicit_euler (void)
{
  double distance[2], options[32];
  for (int i = 0; i < 2; i++) {
    make_tumbling_box ();
    option ("friction", "clamp");
    option ("slip-damping", "1e3");
    tolerances (1e-9, 1e-12);
    SsTrajectory *out = run (0.005, 0.25);
    ss_options_init (ss_integrator_implicit_euler.options, options);
    option_of (&ss_integrator_implicit_euler, options, "slip-damping", "1e3");
    SsTrajectory *other = run_class (&ss_integrator_implicit_euler, options, i ? 2.5e-6 : 2e-5, 0.25);
    distance[i] = hypot (ss_test_last_value (out, "box.x") - ss_test_last_value (other, "box.x"),
                         ss_test_last_value (out, "box.y") - ss_test_last_value (other, "box.y")) +
                  fabs (ss_test_last_value (out, "box.theta") - ss_test_last_value (other, "box.theta"));
    ss_trajectory_free (out);
    ss_trajectory_free (other);
  }
  SS_CHECK (distance[1] < 2e-4);
  /* first order, an eighth; where the impact falls in its step moves it by up to a factor of two */
  SS_CHECK (distance[0] / distance[1] > 4 && distance[0] / distance[1] < 16);
}

/* ---- foundation.csv ---------------------------------------------------------------------------------------------- */

static SsStatus
resolve (void *user_data, const char *name, size_t length, int shift, SsExpr *out, SsError *err)
{
  (void)user_data, (void)shift, (void)err;
  int body = world.scene.n_bodies - 1; /* formulas speak of the last body */
  *out = ss_graph_input (world.graph, length == 1 && name[0] == 't' ? world.scene.slot_t : 6 * body + 2);
  return SS_OK;
}

/* Torque on the last body as a formula of th and t, and a constant force down. */
static void
add_force (const char *torque, double load)
{
  SS_CHECK (ss_graph_new (&world.graph, NULL) == SS_OK);
  world.scene.graph = world.graph;
  world.scene.slot_parameters = world.scene.slot_t = 6 * world.scene.n_bodies;
  world.scene.n_slots = world.scene.slot_t + 1;
  world.force = (SsForce){.name = "load", .body = world.scene.n_bodies - 1, .fx = SS_EXPR_NONE};
  world.force.fy = ss_graph_constant (world.graph, -load);
  SS_CHECK (ss_expr_parse (world.graph, torque, resolve, NULL, &world.force.torque, NULL) == SS_OK);
  world.scene.forces = &world.force;
  world.scene.n_forces = 1;
}

/* The reference's truth: its columns u_reference, theta_reference with their uncertainty. Rows of E = 1e11 take
 * millions of steps, many minutes: left out. 900 springs under 50 N take ten seconds: only with the long tests. */
/* A box of side 1 m and 8 kg on springs, pressed off its middle. */
static void
build_foundation (double load, double elements, double E)
{
  char torque[100];
  world_init (g);
  add_ground (0);
  SsBody *box = add_body ("box", 8, 8.0 / 6, 0, 0.5);
  make_box (box, 1, 1);
  touch (1, 0, E, elements); /* 1 N s/m an element */
  snprintf (torque, sizeof torque, "-%g*0.5*(cos(th)*cos(10*t)-sin(th))", load);
  add_force (torque, load);
  option_number ("foundation", elements);
}

static void
test_foundation (void)
{
  char line[1024];
  int n_rows = 0;
  double done_load = 0, done_elements = 0, done_E = 0;
  const bool is_long = ss_test_is_long ();
  FILE *file = fopen (SS_SOURCE_ROOT "/tests/data/constraint-solver/foundation.csv", "r");
  SS_CHECK (file != NULL);
  if (file == NULL)
    return;
  while (fgets (line, sizeof line, file) != NULL) {
    double load, elements, E, h, u_max, theta_max, u, theta, uncertainty;
    if (sscanf (line, "%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf", &load, &elements, &E, &h, &u_max, &theta_max, &u, &theta,
                &uncertainty) != 9)
      continue; /* the head */
    /* one row per truth */
    if ((load == done_load && elements == done_elements && E == done_E) || uncertainty > 0.01 * fabs (theta) ||
        E > 1e9 || (load * elements > 1e4 && !is_long))
      continue;
    done_load = load, done_elements = elements, done_E = E;
    build_foundation (load, elements, E);
    option ("max-steps", "1e8");
    tolerances (1e-10, 1e-12);
    SsTrajectory *out = run (0.01, 1);
    /* Hundreds of swings add up steps' errors of 1e-10: five digits of the displacement are asked */
    double tolerance = 2 * uncertainty + 1e-5 * fabs (u);
    SS_CHECK_NEAR (ss_test_last_value (out, "box.y") - 0.5, u, tolerance);
    SS_CHECK_NEAR (ss_test_last_value (out, "box.theta"), theta, tolerance);
    printf ("  load %g, %g springs, E %g: u off by %.2g, theta by %.2g of %.2g\n", load, elements, E,
            ss_test_last_value (out, "box.y") - 0.5 - u, ss_test_last_value (out, "box.theta") - theta, theta);
    ss_trajectory_free (out);
    n_rows++;
  }
  SS_CHECK (n_rows >= 3);
  fclose (file);
}

/* Springs of 1e9 N/m: the swings' amplitude is that of the displacement's change under the load's turns, a few per
 * cent, and the default tolerances leave what of it they like: 2 % of u and 10 % of theta are asked. 13 s. */
static void
test_stiff_foundation (void)
{
  const double u = -8.35090469924e-10, theta = 2.38791802123e-10; /* foundation.csv: 5 N, 100 springs, E = 1e11 */
  if (!ss_test_is_long ())
    return;
  build_foundation (5, 100, 1e11);
  SsTrajectory *out = run (0.01, 1);
  SS_CHECK_NEAR (ss_test_last_value (out, "box.y") - 0.5, u, 0.02 * fabs (u));
  SS_CHECK_NEAR (ss_test_last_value (out, "box.theta"), theta, 0.1 * fabs (theta));
  ss_trajectory_free (out);
}

/* ---- failures, repetition ---------------------------------------------------------------------------------------- */

static void
test_failures (void)
{
  /* a torque that has no value from some time on */
  world_init (g);
  add_body ("wheel", 1, 1, 0, 0);
  add_force ("sqrt(0.35-t)", 0);
  SsTrajectory *out = run_class (&ss_integrator_cvode, world.options, 0.1, 1);
  SS_CHECK (world.outcome == SS_OUTCOME_FAILED);
  SS_CHECK_CONTAINS (world.message, "body wheel, coordinate theta: a coordinate or force is not finite");
  SS_CHECK_CONTAINS (world.message, "t = 0.3");
  SS_CHECK (out != NULL && out->n_rows == 4); /* 0 to 0.3 s */
  ss_trajectory_free (out);

  /* steps that do not suffice */
  make_tumbling_box ();
  option ("max-steps", "3");
  out = run_class (&ss_integrator_cvode, world.options, 0.1, 1);
  SS_CHECK (world.outcome == SS_OUTCOME_FAILED);
  SS_CHECK_CONTAINS (world.message, "max-steps");
  SS_CHECK_CONTAINS (world.message, "body box");
  ss_trajectory_free (out);

  /* more coordinates than full matrices serve */
  static SsBody many[500];
  world_init (g);
  for (int i = 0; i < 500; i++)
    many[i] = (SsBody){.name = "b", .mass = 1, .inertia = 1, .shape = {.kind = SS_SHAPE_CIRCLE, .radius = 0.1}};
  world.scene.bodies = many;
  world.scene.n_bodies = 500;
  void *stepper = NULL;
  SsError err;
  SS_CHECK (ss_integrator_cvode.new_ (&world.scene, NULL, &stepper, &err) == SS_ERR_ARG && stepper == NULL);
  SS_CHECK_CONTAINS (err.message, "1500");

  /* nothing that moves */
  world_init (g);
  add_ground (0);
  out = run (0.1, 1);
  ss_trajectory_free (out);
}

typedef struct {
  double q[6], v[6], contact[SS_SIM_N_CONTACT_VALUES], dissipated[1];
  SsSimState state;
} State;

static void
state_init (State *s)
{
  memset (s, 0, sizeof *s);
  s->state = (SsSimState){.q = s->q, .v = s->v, .contact = s->contact, .dissipated = s->dissipated};
  for (int i = 0; i < 6; i++) {
    s->q[i] = world.bodies[i / 3].q[i % 3];
    s->v[i] = world.bodies[i / 3].v[i % 3];
  }
}

/* A failed step leaves the state; the stepper goes on from it, from another state, and from the first one again with
 * the same bits. */
static void
test_second_use (void)
{
  static State a, b;
  void *stepper = NULL;
  SsError err;
  SsStepInfo info;
  make_tumbling_box ();
  option ("roots", "on");
  SS_CHECK (ss_integrator_cvode.new_ (&world.scene, world.options, &stepper, &err) == SS_OK);
  state_init (&a);
  for (int i = 0; i < 60; i++)
    SS_CHECK (ss_integrator_cvode.step (stepper, &(SsStep){.dt = 0.01}, &a.state, &info, &err) == SS_OK);
  state_init (&b);
  b.q[4] = NAN;
  State before = b;
  SS_CHECK (ss_integrator_cvode.step (stepper, &(SsStep){.dt = 0.01}, &b.state, &info, &err) == SS_ERR_SINGULAR);
  SS_CHECK_CONTAINS (err.message, "body box, coordinate y");
  SS_CHECK (memcmp (before.q, b.q, sizeof b.q) == 0 && memcmp (before.v, b.v, sizeof b.v) == 0 && b.state.t == 0);
  state_init (&b);
  for (int i = 0; i < 60; i++)
    SS_CHECK (ss_integrator_cvode.step (stepper, &(SsStep){.dt = 0.01}, &b.state, &info, &err) == SS_OK);
  SS_CHECK (memcmp (a.q, b.q, sizeof a.q) == 0 && memcmp (a.v, b.v, sizeof a.v) == 0);
  SS_CHECK (a.dissipated[0] == b.dissipated[0] && a.dissipated[0] > 0);
  /* thrown into the air: from there it is free fall */
  b.q[4] = 10, b.v[4] = 1, b.v[3] = b.v[5] = 0;
  for (int i = 0; i < 10; i++)
    SS_CHECK (ss_integrator_cvode.step (stepper, &(SsStep){.dt = 0.01}, &b.state, &info, &err) == SS_OK);
  SS_CHECK_NEAR (b.q[4], 10 + 0.1 - g / 2 * 0.01, 1e-4);
  ss_integrator_cvode.free_ (stepper);
}

/* Every allocation of ours may fail; the library's own use malloc. */
static void
test_memory_failures (void)
{
  make_tumbling_box ();
  bool succeeded = false;
  for (uint64_t k = 1; k < 400 && !succeeded; k++) {
    SsTrajectory *out = NULL;
    SsError err;
    ss_alloc_fail_at (k);
    SsStatus status = ss_simulate (&world.scene, &ss_integrator_cvode, NULL, 0.05, 0.5, NULL, &out, &world.metrics,
                                   &world.outcome, world.message, sizeof world.message, &err);
    ss_alloc_fail_at (0);
    succeeded = status == SS_OK;
    SS_CHECK (succeeded || (status == SS_ERR_MEMORY && out == NULL));
    ss_trajectory_free (out);
  }
  SS_CHECK (succeeded && world.outcome == SS_OUTCOME_COMPLETED);
}

static void
test_caveat (void)
{
  make_tumbling_box ();
  SS_CHECK (ss_integrator_cvode.caveat (&world.scene, world.options) == NULL);
  world.contacts[0].stiffness = 1e11; /* 1e-10 m deep at atol = 1e-9 */
  SS_CHECK_CONTAINS (ss_integrator_cvode.caveat (&world.scene, world.options), "atol");
}

int
main (void)
{
  SS_RUN (test_free_fall);
  SS_RUN (test_spring);
  SS_RUN (test_pendulum);
  SS_RUN (test_limit);
  SS_RUN (test_belt);
  SS_RUN (test_bounce);
  SS_RUN (test_damped_hit);
  SS_RUN (test_rest);
  SS_RUN (test_slope);
  SS_RUN (test_energy);
  SS_RUN (test_implicit_euler);
  SS_RUN (test_foundation);
  SS_RUN (test_stiff_foundation);
  SS_RUN (test_failures);
  SS_RUN (test_second_use);
  SS_RUN (test_memory_failures);
  SS_RUN (test_caveat);
  ss_graph_free (world.graph);
  return ss_test_finish ();
}
