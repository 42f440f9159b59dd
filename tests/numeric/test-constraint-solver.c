/* tests/numeric/test-constraint-solver.c: the tables of an independent prototype (numpy, 40-digit arithmetic for smd),
 * row by row.
 *
 * test-constraint-solver [--all] [FILE...]: each FILE is a table of one of the forms below, told apart by its header;
 * without FILE the copies in tests/data/constraint-solver. Prints the worst deviation of each table in units of its
 * tolerance; exit 1 if one is exceeded. Rows that need more than a million steps are left out without --all.
 * Tolerances: those that the tables' README states, each named where it is used.
 */
#include "simulate/ss-simulate.h"
#include "../ss-test.h"

#include <stdlib.h>

static const double pi = 3.14159265358979323846, g = 9.8;
static bool all_rows;
enum { STEPS_MAX = 1000000 };

/* ---- tables ------------------------------------------------------------------------------------------------------ */

enum { COLUMNS_MAX = 40, LINE_MAX_LENGTH = 4096 };

typedef struct {
  const char *file;
  int n_columns, line;
  char *name[COLUMNS_MAX], *field[COLUMNS_MAX];
  char header[LINE_MAX_LENGTH], row[LINE_MAX_LENGTH];
  int n_rows, n_skipped;
  double worst; /* deviation / tolerance */
  char worst_where[200];
} Table;

static int
split (char *text, char *fields[])
{
  int n = 0;
  bool quoted = false;
  text[strcspn (text, "\r\n")] = '\0';
  for (char *start = text;; text++) {
    if (*text == '"')
      quoted = !quoted;
    if (*text != '\0' && (*text != ',' || quoted))
      continue;
    bool is_last = *text == '\0';
    *text = '\0';
    if (n < COLUMNS_MAX)
      fields[n++] = start;
    start = text + 1;
    if (is_last)
      return n;
  }
}

static const char *
text (const Table *table, const char *column)
{
  for (int i = 0; i < table->n_columns; i++)
    if (strcmp (table->name[i], column) == 0)
      return table->field[i];
  return "";
}

/* NaN when the field is empty. */
static double
number (const Table *table, const char *column)
{
  const char *field = text (table, column);
  return field[0] == '\0' ? NAN : strtod (field, NULL);
}

/* One value of the row against ours. */
static void
compare (Table *table, const char *column, double ours, double tolerance)
{
  double theirs = number (table, column), deviation = fabs (ours - theirs) / tolerance;
  if (isnan (theirs))
    return;
  if (!(deviation <= table->worst)) {
    table->worst = isnan (deviation) ? INFINITY : deviation;
    snprintf (table->worst_where, sizeof table->worst_where, "line %d, %s: %.15g, table %.15g, tolerance %.2g",
              table->line, column, ours, theirs, tolerance);
  }
  if (!(deviation <= 1)) {
    printf ("%s:%d: %s = %.15g, table %.15g, difference %.3g above %.3g\n", table->file, table->line, column, ours,
            theirs, fabs (ours - theirs), tolerance);
    ss_test_failed_checks++;
  }
}

static bool
too_long (Table *table, double steps)
{
  if (all_rows || steps <= (ss_test_is_long () ? 1 : ss_test_is_coarse () ? 0.01 : 0.1) * STEPS_MAX * 1.001)
    return false;
  table->n_skipped++;
  return true;
}

/* ---- scenes ------------------------------------------------------------------------------------------------------ */

enum { BODIES_MAX = 128 };

typedef struct {
  SsScene scene;
  SsBody bodies[BODIES_MAX];
  SsShape shapes[BODIES_MAX];
  SsContact contacts[BODIES_MAX];
  SsJoint joint;
  SsSpring spring;
  SsForce force;
  SsGraph *graph;
  SsVec2 vertices[4];
  char names[BODIES_MAX][8];
  double q[3 * BODIES_MAX], v[3 * BODIES_MAX], contact[5 * BODIES_MAX];
  SsSimState state;
  const SsIntegratorClass *integrator;
  double options[32];
  void *stepper;
  SsError err;
} World;

static World world;

static void
world_clear (void)
{
  if (world.stepper != NULL)
    world.integrator->free_ (world.stepper);
  ss_graph_free (world.graph);
  memset (&world, 0, sizeof world);
}

static void
world_init (double gx, double gy)
{
  world_clear ();
  world.scene.gravity = (SsVec2){gx, gy};
  world.scene.bodies = world.bodies;
  world.scene.contacts = world.contacts;
}

static SsBody *
add_body (double mass, double inertia, double x, double y)
{
  int i = world.scene.n_bodies++;
  SsBody *body = &world.bodies[i];
  snprintf (world.names[i], sizeof world.names[i], "b%d", i);
  body->name = world.names[i];
  body->color = "";
  body->mass = mass;
  body->inertia = inertia;
  body->q[0] = x;
  body->q[1] = y;
  body->shape = (SsShape){.kind = SS_SHAPE_CIRCLE, .radius = 0.1};
  return body;
}

static void
add_ground (void)
{
  SsBody *body = add_body (0, 0, 0, 0);
  body->is_fixed = true;
  body->shape = (SsShape){.kind = SS_SHAPE_HALF_PLANE, .normal = {0, 1}};
}

static void
make_box (SsBody *body, double width, double height)
{
  SsVec2 corners[4] = {
      {-width / 2, -height / 2}, {width / 2, -height / 2}, {width / 2, height / 2}, {-width / 2, height / 2}};
  memcpy (world.vertices, corners, sizeof corners);
  body->shape = (SsShape){.kind = SS_SHAPE_POLYGON, .n_vertices = 4, .vertices = world.vertices};
}

static void
touch (int a, int b, double mu, double stiffness, double restitution)
{
  SsContact *c = &world.contacts[world.scene.n_contacts++];
  *c = (SsContact){
      .name = "touch", .body_a = a, .body_b = b, .mu = mu, .stiffness = stiffness, .restitution = restitution};
}

static void
pin (int body, SsVec2 anchor_world, SsVec2 anchor_body, double lower)
{
  world.joint = (SsJoint){.name = "pin",
                          .kind = SS_JOINT_PIN,
                          .body_a = -1,
                          .body_b = body,
                          .anchor_a = anchor_world,
                          .anchor_b = anchor_body,
                          .lower = lower,
                          .upper = INFINITY};
  world.scene.joints = &world.joint;
  world.scene.n_joints = 1;
}

/* Slots of formulas: six a body, no parameters, then t. */
static void
begin_formulas (void)
{
  SS_CHECK (ss_graph_new (&world.graph, NULL) == SS_OK);
  world.scene.graph = world.graph;
  world.scene.slot_parameters = world.scene.slot_t = 6 * world.scene.n_bodies;
  world.scene.n_slots = world.scene.slot_t + 1;
}

static SsStatus
resolve (void *user_data, const char *name, size_t length, int shift, SsExpr *out, SsError *err)
{
  (void)user_data, (void)shift, (void)err;
  int last = world.scene.n_bodies - 1; /* formulas speak of the last body */
  *out = ss_graph_input (world.graph, length == 1 && name[0] == 't' ? world.scene.slot_t : 6 * last + 2);
  return SS_OK;
}

static SsExpr
formula (const char *what)
{
  SsExpr e = SS_EXPR_NONE;
  SS_CHECK (ss_expr_parse (world.graph, what, resolve, NULL, &e, NULL) == SS_OK);
  return e;
}

static void
option (const char *name, const char *value)
{
  SsStatus status = ss_options_set (world.integrator->options, world.options, name, value, &world.err);
  if (status != SS_OK)
    printf ("  option %s=%s: %s\n", name, value, world.err.message);
  SS_CHECK (status == SS_OK);
}

static void
option_number (const char *name, double value)
{
  char buffer[40];
  ss_format_double (value, buffer, sizeof buffer);
  option (name, buffer);
}

static void
choose (const SsIntegratorClass *integrator)
{
  world.integrator = integrator;
  SS_CHECK (integrator->options->size <= sizeof world.options);
  ss_options_init (integrator->options, world.options);
}

static void
start (void)
{
  for (int i = 0; i < 3 * world.scene.n_bodies; i++) {
    world.q[i] = world.bodies[i / 3].q[i % 3];
    world.v[i] = world.bodies[i / 3].v[i % 3];
  }
  world.state = (SsSimState){0, world.q, world.v, world.contact, NULL};
  SS_CHECK (world.integrator->new_ (&world.scene, world.options, &world.stepper, &world.err) == SS_OK);
}

static bool
step (double h)
{
  SsStepInfo info;
  SsStatus status = world.integrator->step (world.stepper, &(SsStep){.dt = h}, &world.state, &info, &world.err);
  if (status != SS_OK) {
    printf ("  %s\n", world.err.message);
    ss_test_failed_checks++;
  }
  return status == SS_OK;
}

/* ---- smd.csv ----------------------------------------------------------------------------------------------------- */

static void
make_oscillator (const Table *table, double x, double v)
{
  const char *scheme = text (table, "scheme");
  world_init (0, 0);
  SsBody *body = add_body (number (table, "m"), 1, x, 0);
  body->v[0] = v;
  body->lock[1] = body->lock[2] = true;
  world.spring = (SsSpring){
      .name = "spring", .body_a = -1, .body_b = 0, .stiffness = number (table, "k"), .damping = number (table, "b")};
  world.scene.springs = &world.spring;
  world.scene.n_springs = 1;
  if (strcmp (scheme, "implicit") == 0)
    choose (&ss_integrator_implicit_euler);
  else {
    choose (strcmp (scheme, "semi") == 0 ? &ss_integrator_semi_implicit_euler : &ss_integrator_explicit_euler);
    option ("substeps", "1");
    if (strcmp (scheme, "semi") == 0)
      option ("forces", "explicit");
  }
  start ();
}

/* [003 (4) (7)-(8) (11)-(14)]. README: 1e-9 relative to the amplitude reached (here: of that very step); values
 * below 1e-250 are skipped. */
static void
check_smd (Table *table)
{
  double h = number (table, "h"), m = number (table, "m"), k = number (table, "k"), A[2][2];
  for (int column = 0; column < 2; column++) {
    make_oscillator (table, column == 0, column == 1);
    step (h);
    A[0][column] = world.q[0];
    A[1][column] = world.v[0];
  }
  double trace = A[0][0] + A[1][1], determinant = A[0][0] * A[1][1] - A[0][1] * A[1][0];
  double root = trace * trace / 4 - determinant;
  double radius = root < 0 ? sqrt (determinant) : fmax (fabs (trace / 2 + sqrt (root)), fabs (trace / 2 - sqrt (root)));
  /* the determinant loses digits where the radius is small against the trace's terms: scaled by the largest of them */
  compare (table, "spectral_radius", radius, 1e-9 * fmax (1, radius));
  const char *class = radius < 1 - 1e-9 ? "stable" : radius > 1 + 1e-9 ? "unstable" : "marginal";
  if (strcmp (class, text (table, "class")) != 0 && fabs (number (table, "spectral_radius") - 1) > 1e-9) {
    printf ("%s:%d: %s, table %s\n", table->file, table->line, class, text (table, "class"));
    ss_test_failed_checks++;
  }
  make_oscillator (table, 1, 0);
  for (int i = 1; i <= 1000; i++) {
    step (h);
    if (i != 10 && i != 100 && i != 1000)
      continue;
    char x[8], v[8];
    snprintf (x, sizeof x, "x%d", i);
    snprintf (v, sizeof v, "v%d", i);
    double omega = sqrt (k / m), size = fmax (fabs (number (table, x)), fabs (number (table, v)) / omega);
    if (size < 1e-250)
      continue;
    compare (table, x, world.q[0], 1e-9 * size);
    compare (table, v, world.v[0], 1e-9 * fmax (size * omega, fabs (number (table, v))));
  }
}

/* ---- pendulum.csv ------------------------------------------------------------------------------------------------ */

static double
pin_deviation (double L)
{
  return hypot (world.q[0] - L * cos (world.q[2]), world.q[1] - L * sin (world.q[2]));
}

/* [003 (24) (36)-(39) (51)-(53) (59)-(62)]. README: 1e-7 relative for h <= 0.01, 1e-5 above. */
static void
check_pendulum (Table *table)
{
  double h = number (table, "h"), m = number (table, "m"), L = number (table, "L"), J = number (table, "J");
  double tolerance = h <= 0.01 ? 1e-7 : 1e-5, largest = 0, lowest = 0, highest = 0;
  int n = (int)lround (1 / h);
  if (too_long (table, n))
    return;
  world_init (0, -g);
  add_body (m, J, L, 0);
  pin (0, (SsVec2){0, 0}, (SsVec2){-L, 0}, -INFINITY);
  choose (&ss_integrator_constraint_solver);
  option ("joints", "start"); /* as the paper has it */
  option_number ("joint-stiffness", number (table, "K"));
  option_number ("joint-damping", number (table, "B"));
  if (text (table, "compensate")[0] != '\0')
    option ("compensate", text (table, "compensate"));
  start ();
  for (int i = 0; i < n && step (h); i++) {
    double energy = 0.5 * m * (world.v[0] * world.v[0] + world.v[1] * world.v[1]) + 0.5 * J * world.v[2] * world.v[2] +
                    m * g * world.q[1];
    largest = fmax (largest, pin_deviation (L));
    lowest = fmin (lowest, energy);
    highest = fmax (highest, energy);
  }
  compare (table, "max_dev", largest, tolerance * fmax (number (table, "max_dev"), 1e-7));
  compare (table, "end_dev", pin_deviation (L), tolerance * fmax (number (table, "max_dev"), 1e-7));
  compare (table, "x", world.q[0], tolerance);
  compare (table, "y", world.q[1], tolerance);
  compare (table, "theta", world.q[2], tolerance * fabs (number (table, "theta")));
  compare (table, "vx", world.v[0], tolerance);
  compare (table, "vy", world.v[1], tolerance * fabs (number (table, "vy")));
  compare (table, "omega", world.v[2], tolerance * fabs (number (table, "omega")));
  compare (table, "E_min", lowest, tolerance * fmax (1, m * g * L));
  compare (table, "E_max", highest, tolerance * fmax (1, m * g * L));
}

/* ---- limit_pendulum.csv ------------------------------------------------------------------------------------------ */

/* [003 (68)]. README: 1e-6 relative. One coordinate: a body whose position is locked, its torque a formula, the stop
 * a limit of its pin. */
static void
check_limit_pendulum (Table *table)
{
  double h = number (table, "h"), least = INFINITY;
  int n = (int)lround (1 / h);
  if (too_long (table, n))
    return;
  world_init (0, 0);
  SsBody *body = add_body (1, 1, 0, 0);
  body->lock[0] = body->lock[1] = true;
  body->q[2] = pi / 2;
  pin (0, (SsVec2){0, 0}, (SsVec2){0, 0}, 0);
  begin_formulas ();
  world.force = (SsForce){
      .name = "weight", .body = 0, .fx = SS_EXPR_NONE, .fy = SS_EXPR_NONE, .torque = formula ("-9.8*sin(th)")};
  world.scene.forces = &world.force;
  world.scene.n_forces = 1;
  choose (&ss_integrator_constraint_solver);
  option ("joints", "start"); /* as the paper has it */
  option_number ("joint-stiffness", number (table, "K"));
  option_number ("joint-damping", number (table, "B"));
  option ("activation", text (table, "activation"));
  start ();
  for (int i = 0; i < n && step (h); i++)
    least = fmin (least, world.q[2]);
  compare (table, "theta_1s", world.q[2], 1e-6 * fabs (number (table, "theta_1s")));
  compare (table, "omega_1s", world.v[2], 1e-6 * fabs (number (table, "omega_1s")));
  compare (table, "min_theta", least, 1e-6 * fabs (number (table, "min_theta")));
}

/* ---- ramp.csv, ramp_literal_qp.csv ------------------------------------------------------------------------------- */

/* Box of 0.2 x 0.05 m in the ramp's frame, at the equilibrium depth of its two Hertzian feet. */
static double
make_feet (double degrees, double mu, double stiffness)
{
  double slope = degrees * pi / 180, depth = pow (g * cos (slope) / 2 / stiffness, 2.0 / 3);
  world_init (g * sin (slope), -g * cos (slope));
  add_ground ();
  SsBody *box = add_body (1, (0.2 * 0.2 + 0.05 * 0.05) / 12, 0, 0.025 - depth);
  make_box (box, 0.2, 0.05);
  touch (0, 1, mu, stiffness, 0);
  choose (&ss_integrator_constraint_solver);
  option ("joints", "start"); /* as the paper has it */
  option ("hertz", "secant");
  option ("damping", "1");
  return depth;
}

/* Depth of the foot at x = side 0.1 m. */
static double
foot_depth (double side)
{
  return -(world.q[4] + side * 0.1 * sin (world.q[5]) - 0.025 * cos (world.q[5]));
}

/* [003 (97)-(98) (121) (123)]. README: distance 1e-7 m, creep 1e-4 relative, loads 1e-5. */
static void
check_ramp (Table *table)
{
  double h = number (table, "h"), stiffness = number (table, "Estar") * sqrt (number (table, "foot_radius"));
  double before[2] = {0, 0}, depth = make_feet (number (table, "angle_deg"), number (table, "mu"), stiffness);
  start ();
  for (int i = 0, n = (int)lround (1 / h); i < n; i++) {
    before[0] = foot_depth (-1);
    before[1] = foot_depth (1);
    if (!step (h))
      break;
  }
  compare (table, "initial_depth_eq", depth, 1e-12 * depth);
  compare (table, "distance_1s", world.q[3], 1e-7);
  compare (table, "speed_1s", world.v[3], 1e-7);
  compare (table, "normal_offset", world.q[4] - 0.025,
           1e-3 * depth); /* loads to 1e-5 leave 1e-5 of the depth; rounding of q 1e-17/6e-7 */
  compare (table, "tilt", world.q[5], 1e-3 * depth / 0.1);
  compare (table, "creep_speed", world.v[3], 1e-4 * fabs (number (table, "creep_speed")));
  for (int side = 0; side < 2; side++) {
    double load = stiffness * sqrt (fmax (before[side], 0)) * foot_depth (side ? 1 : -1);
    compare (table, side ? "N_down_slope_foot" : "N_up_slope_foot", load, 1e-5 * 10);
  }
}

/* [003 (99) (106)-(108) (180)-(184) (195) (197)]. README: rows that stay on the ramp only, 1e-4. */
static void
check_ramp_literal (Table *table)
{
  double h = number (table, "h"), lift = -INFINITY;
  if (number (table, "max_lift_m") >= 0) {
    table->n_skipped++;
    return;
  }
  make_feet (15, number (table, "mu"), 1e10);
  option ("law", "literal");
  option_number ("zeta", number (table, "zeta"));
  option_number ("slip-damping", number (table, "Br"));
  start ();
  for (int i = 0, n = (int)lround (1 / h); i < n && step (h); i++)
    lift = fmax (lift, world.q[4] - 0.025);
  compare (table, "distance_1s", world.q[3], 1e-4);
  SS_CHECK (lift < 0);
}

/* ---- foundation.csv ---------------------------------------------------------------------------------------------- */

/* A box of side 1 m and 8 kg on springs, pressed off its middle. */
static void
build_foundation (double load, double elements, double E)
{
  char torque[200];
  world_init (0, -g);
  add_ground ();
  SsBody *box = add_body (8, 8.0 / 6, 0, 0.5);
  make_box (box, 1, 1);
  touch (0, 1, 0, E, 0);
  begin_formulas ();
  world.force = (SsForce){.name = "load", .body = 1, .fx = SS_EXPR_NONE};
  world.force.fy = ss_graph_constant (world.graph, -load);
  snprintf (torque, sizeof torque, "-%g*0.5*(cos(th)*cos(10*t)-sin(th))", load);
  world.force.torque = formula (torque);
  world.scene.forces = &world.force;
  world.scene.n_forces = 1;
  choose (&ss_integrator_constraint_solver);
  option_number ("foundation", elements);
  option_number ("damping", elements); /* 1 N s/m an element */
}

/* [003 (68) (83)-(84)]. README: u, theta of `max` 1e-5 relative for E = 1e7, 1e-3 for E = 1e11. */
static void
check_foundation (Table *table)
{
  double h = number (table, "h"), load = number (table, "load_N"), E = number (table, "E");
  int elements = (int)number (table, "elements"), n = (int)lround (1 / h);
  double tolerance = E > 1e9 ? 1e-3 : 1e-5;
  /* the literal program of 100 springs takes 5 ms a step: long runs only when asked */
  bool with_literal = !isnan (number (table, "u_literal_QP")) && (all_rows || n <= (ss_test_is_coarse () ? 10 : 100));
  for (int literal = 0; literal <= with_literal; literal++) {
    build_foundation (load, elements, E);
    option ("activation", "penetrating"); /* the table's law is that of springs with phi <= 0 at the step's start */
    if (literal)
      option ("law", "literal");
    start ();
    for (int i = 0; i < n && step (h); i++)
      ;
    double u = world.q[4] - 0.5, theta = world.q[5];
    const char *columns[2][2] = {{"u_maxform", "theta_maxform"}, {"u_literal_QP", "theta_literal_QP"}};
    /* the table's literal solutions are diagnostic: one digit less is asked of them */
    double asked = literal ? 10 * tolerance : tolerance;
    compare (table, columns[literal][0], u, asked * fabs (number (table, columns[literal][0])));
    compare (table, columns[literal][1], theta, asked * fabs (number (table, columns[literal][1])));
  }
}

/* Springs that are reached within a step: with activation=all they act in that step, with penetrating in the next. One
 * step later is O(dt); 50 N lift an edge off, so that there are such. */
static void
test_foundation_activation (void)
{
  for (int k = 2; k <= 3; k++) {
    double h = pow (10, -k), u[2], theta[2];
    for (int all = 0; all < 2; all++) {
      build_foundation (50, 100, 1e7);
      option ("activation", all ? "all" : "penetrating");
      start ();
      for (int i = 0; i < lround (1 / h); i++)
        SS_CHECK (step (h));
      u[all] = world.q[4] - 0.5;
      theta[all] = world.q[5];
    }
    SS_CHECK (theta[0] != theta[1]);
    SS_CHECK_NEAR (u[1], u[0], h * fabs (u[0]));
    SS_CHECK_NEAR (theta[1], theta[0], h * fabs (theta[0]));
  }
}

/* ---- disk_stack.csv ---------------------------------------------------------------------------------------------- */

/* README: top displacement 1e-6 relative for K >= 1e8; softer stacks of many disks still ring (0.8 %, from section
 * 6.6). */
static void
check_disk_stack (Table *table)
{
  double K = number (table, "K"), r = number (table, "r"), spacing = number (table, "initial_spacing"),
         h = number (table, "h");
  double m = number (table, "m");
  int n = (int)number (table, "n"), steps = (int)number (table, "steps");
  SS_CHECK (n + 1 <= BODIES_MAX);
  world_init (0, -g);
  add_ground ();
  for (int i = 0; i < n; i++) {
    SsBody *disk = add_body (m, m * r * r / 2, 0, r + i * (2 * r) + (i + 1) * spacing);
    disk->shape.radius = r;
    touch (i, i + 1, 0, K, 0);
  }
  choose (&ss_integrator_constraint_solver);
  option_number ("damping", number (table, "B"));
  start ();
  for (int i = 0; i < steps && step (h); i++)
    ;
  double expected = number (table, "top_displacement");
  compare (table, "top_displacement", world.q[3 * n + 1] - (2 * n - 1) * r, fabs (expected) * (K >= 1e8 ? 1e-6 : 1e-3));
  compare (table, "ground_force_end", world.contact[SS_SIM_LAMBDA_N],
           1e-5 * number (table, "weight") * (K >= 1e8 ? 1 : 100));
}

/* ---- pinned_bar.csv ---------------------------------------------------------------------------------------------- */

/* [003 (189)-(192)]. README: positions 1e-6 m, first contact one step, pin deviation 1 %, forces only for mu = 0. */
static void
check_pinned_bar (Table *table)
{
  double h = number (table, "h"), mu = number (table, "mu"), largest = 0, contact_time = NAN;
  world_init (0, -g);
  add_ground ();
  SsBody *bar = add_body (1, 1.0 / 12, 0.5, 0.5);
  world.vertices[0] = (SsVec2){-0.5, 0};
  world.vertices[1] = (SsVec2){0.5, 0};
  bar->shape = (SsShape){.kind = SS_SHAPE_SEGMENT, .n_vertices = 2, .vertices = world.vertices};
  touch (0, 1, mu, number (table, "K_n"), 0);
  pin (1, (SsVec2){0, 0.5}, (SsVec2){-0.5, 0}, -INFINITY);
  choose (&ss_integrator_constraint_solver);
  option ("joints", "start"); /* as the paper has it */
  option_number ("joint-stiffness", number (table, "K_pin"));
  option_number ("joint-damping", number (table, "B_pin"));
  option_number ("damping", number (table, "B_n"));
  start ();
  for (int i = 0, n = (int)lround (2 / h); i < n && step (h); i++) {
    double c = cos (world.q[5]), s = sin (world.q[5]);
    largest = fmax (largest, hypot (world.q[3] - 0.5 * c, world.q[4] - 0.5 * s - 0.5));
    if (isnan (contact_time) && world.q[4] + 0.5 * s <= 0)
      contact_time = world.state.t;
  }
  compare (table, "x", world.q[3], 1e-6);
  compare (table, "y", world.q[4], 1e-6);
  compare (table, "theta", world.q[5], 1e-6);
  compare (table, "max_pin_dev", largest, 0.01 * number (table, "max_pin_dev"));
  compare (table, "first_contact_time", contact_time, h + 6e-4); /* the table gives three digits */
  if (mu == 0) {
    compare (table, "lambda_n_end", world.contact[SS_SIM_LAMBDA_N], 1e-6);
    compare (table, "tip_gap_end", world.contact[SS_SIM_GAP], 1e-12);
  }
}

/* ---- classical tables -------------------------------------------------------------------------------------------- */

/* README: 1e-9; gaps shifted by 1e-9 m for the schemes at velocity level, so that touching counts as active. */
static void
check_classical_ramp (Table *table)
{
  const char *scheme = text (table, "scheme");
  double slope = number (table, "angle_deg") * pi / 180, h = number (table, "h");
  const SsIntegratorClass *integrator = strcmp (scheme, "ST") == 0   ? &ss_integrator_stewart_trinkle
                                        : strcmp (scheme, "AP") == 0 ? &ss_integrator_anitescu_potra
                                                                     : &ss_integrator_moreau_jean;
  world_init (g * sin (slope), -g * cos (slope));
  add_ground ();
  SsBody *box = add_body (1, (0.2 * 0.2 + 0.05 * 0.05) / 12, 0, 0.025 - (strcmp (scheme, "ST") == 0 ? 0 : 1e-9));
  make_box (box, 0.2, 0.05);
  touch (0, 1, number (table, "mu"), 0, 0);
  choose (integrator);
  start ();
  for (int i = 0, n = (int)lround (1 / h); i < n && step (h); i++)
    ;
  compare (table, "distance_1s", world.q[3], 1e-9);
  compare (table, "tilt", world.q[5], 1e-9);
}

/* README: 1e-9 (closed recursion). */
static void
check_classical_bounce (Table *table)
{
  double h = number (table, "h"), T = number (table, "T");
  world_init (0, -g);
  add_ground ();
  add_body (1, 0.005, 0, 1.1);
  touch (0, 1, number (table, "mu"), 0, number (table, "e"));
  choose (&ss_integrator_moreau_jean);
  option_number ("theta", number (table, "theta"));
  start ();
  for (int i = 0, n = (int)lround (T / h); i < n; i++)
    if (!step ((i + 1 == n ? T : (i + 1) * h) - world.state.t))
      break;
  compare (table, "gap", world.contact[SS_SIM_GAP], 1e-9);
  compare (table, "vy", world.v[4], 1e-9);
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

typedef struct {
  const char *column; /* that only this form has */
  const char *file;
  void (*check) (Table *table);
} Form;

static const Form forms[] = {
    {"spectral_radius", "smd.csv", check_smd},
    {"E_min", "pendulum.csv", check_pendulum},
    {"theta_1s", "limit_pendulum.csv", check_limit_pendulum},
    {"foot_radius", "ramp.csv", check_ramp},
    {"max_lift_m", "ramp_literal_qp.csv", check_ramp_literal},
    {"u_maxform", "foundation.csv", check_foundation},
    {"top_displacement", "disk_stack.csv", check_disk_stack},
    {"first_contact_time", "pinned_bar.csv", check_pinned_bar},
    {"min_gap", "classical_ramp.csv", check_classical_ramp},
    {"gap_exact", "classical_bounce.csv", check_classical_bounce},
};
enum { N_FORMS = sizeof forms / sizeof *forms };

static bool
has_column (const Table *table, const char *column)
{
  for (int i = 0; i < table->n_columns; i++)
    if (strcmp (table->name[i], column) == 0)
      return true;
  return false;
}

static void
check_file (const char *path)
{
  static Table table;
  const Form *form = NULL;
  FILE *file = fopen (path, "r");
  memset (&table, 0, sizeof table);
  table.file = path;
  if (file == NULL || fgets (table.header, sizeof table.header, file) == NULL) {
    printf ("%s: cannot be read\n", path);
    ss_test_failed_checks++;
  } else {
    table.n_columns = split (table.header, table.name);
    for (int i = N_FORMS - 1; i >= 0; i--) /* the bounce table has a min_gap too: it is asked first */
      if (form == NULL && has_column (&table, forms[i].column))
        form = &forms[i];
    if (form == NULL) {
      printf ("%s:1: not a table of a known form\n", path);
      ss_test_failed_checks++;
    }
  }
  table.line = 1;
  double begun = ss_clock_wall ();
  while (form != NULL && fgets (table.row, sizeof table.row, file) != NULL) {
    table.line++;
    if (split (table.row, table.field) != table.n_columns) {
      printf ("%s:%d: %d columns expected\n", path, table.line, table.n_columns);
      ss_test_failed_checks++;
      continue;
    }
    table.n_rows++;
    form->check (&table);
  }
  world_clear ();
  if (file != NULL)
    fclose (file);
  const char *name = strrchr (path, '/');
  printf ("  %s: %d rows (%d left out), worst deviation %.3g of its tolerance (%s), %.1f s\n",
          name != NULL ? name + 1 : path, table.n_rows, table.n_skipped, table.worst, table.worst_where,
          ss_clock_wall () - begun);
}

static const char *current_file;

static void
test_table (void)
{
  check_file (current_file);
}

int
main (void)
{
  int first = 1;
  if (ss_test_argc > 1 && strcmp (ss_test_argv[1], "--all") == 0) {
    all_rows = true;
    first = 2;
  }
  for (int i = first; i < ss_test_argc; i++) {
    current_file = ss_test_argv[i];
    SS_RUN (test_table);
  }
  for (int i = 0; ss_test_argc <= first && i < N_FORMS; i++) {
    char path[512];
    snprintf (path, sizeof path, "%s/tests/data/constraint-solver/%s", SS_SOURCE_ROOT, forms[i].file);
    current_file = path;
    SS_RUN (test_table);
  }
  if (ss_test_argc <= first)
    SS_RUN (test_foundation_activation);
  return ss_test_finish ();
}
