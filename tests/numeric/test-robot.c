/* tests/numeric/test-robot.c: the drawn robot of paper 001 against the mass matrix, forces and points of its model in
 * joint coordinates (x, z, hip, knee), and named points of bodies in formulas.
 *
 * The coordinates are those of the released model: both angles count the other way than those of bodies, the knee is
 * relative to the thigh. Numbers: shared reference, given to some 17 digits; 1e-12 is their rounding over a few sums.
 */
#include "dynamics/ss-dynamics.h"
#include "ss-test-scenario.h"

enum { N = 4, HIP = 1, THIGH, SHANK, N_BODIES };

static const double q_at[N] = {0.1, 0.38, 0.3, -0.5}, v_at[N] = {0.2, -0.1, 1, -2};

static SsVec2
turned (SsVec2 a, double angle)
{
  const double c = cos (angle), s = sin (angle);
  return (SsVec2){c * a.x - s * a.y, s * a.x + c * a.y};
}

/* Poses of all bodies, their Jacobian by the joint coordinates, and J' v. */
typedef struct {
  double pose[3 * N_BODIES], jacobian[3 * N_BODIES][N], bias[3 * N_BODIES], speed[3 * N_BODIES];
} Pose;

/* By the anchors of the scene's joints. */
static Pose
pose_of (const SsScene *scene, const double *q, const double *v)
{
  const SsJoint *hip = &scene->joints[0], *knee = &scene->joints[1];
  const double thigh_angle = -q[2], shank_angle = -(q[2] + q[3]), w_thigh = -v[2], w_shank = -(v[2] + v[3]);
  const SsVec2 b0 = turned (hip->anchor_b, thigh_angle), a1 = turned (knee->anchor_a, thigh_angle),
               b1 = turned (knee->anchor_b, shank_angle);
  Pose p = {0};
  const double place[3][3] = {
      {q[0], q[1], 0},
      {q[0] + hip->anchor_a.x - b0.x, q[1] + hip->anchor_a.y - b0.y, thigh_angle},
      {q[0] + hip->anchor_a.x - b0.x + a1.x - b1.x, q[1] + hip->anchor_a.y - b0.y + a1.y - b1.y, shank_angle}};
  memcpy (p.pose + 3 * HIP, place, sizeof place);
  for (int b = HIP; b <= SHANK; b++)
    p.jacobian[3 * b][0] = p.jacobian[3 * b + 1][1] = 1;
  /* a turned arm a moves by (-a.y, a.x) per angle, and its second derivative is -a */
  const double by_thigh[2][2] = {{b0.y, -b0.x}, {b0.y - a1.y, -b0.x + a1.x}}, by_shank[2] = {b1.y, -b1.x};
  for (int k = 0; k < 2; k++) {
    p.jacobian[3 * THIGH + k][2] = -by_thigh[0][k];
    p.jacobian[3 * SHANK + k][2] = -by_thigh[1][k] - by_shank[k];
    p.jacobian[3 * SHANK + k][3] = -by_shank[k];
  }
  p.jacobian[3 * THIGH + 2][2] = p.jacobian[3 * SHANK + 2][2] = p.jacobian[3 * SHANK + 2][3] = -1;
  p.bias[3 * THIGH] = b0.x * w_thigh * w_thigh;
  p.bias[3 * THIGH + 1] = b0.y * w_thigh * w_thigh;
  p.bias[3 * SHANK] = (b0.x - a1.x) * w_thigh * w_thigh + b1.x * w_shank * w_shank;
  p.bias[3 * SHANK + 1] = (b0.y - a1.y) * w_thigh * w_thigh + b1.y * w_shank * w_shank;
  for (int i = 0; i < 3 * N_BODIES; i++)
    for (int k = 0; k < N; k++)
      p.speed[i] += p.jacobian[i][k] * v[k];
  return p;
}

static void
test_masses_and_forces (void)
{
  static const double mass_due[N][N] = {
      {6.305, 0, -0.18565108165181576, -0.053707648465700045},
      {0, 6.305, 0.029927807454841575, -0.010887079327569356},
      {-0.18565108165181576, 0.029927807454841575, 0.051292801756636974, 0.018298304878318485},
      {-0.053707648465700045, -0.010887079327569356, 0.018298304878318485, 0.00868}};
  static const double force_due[N] = {-0.02992780745484158, -62.03770108165182, -0.29359179113199585,
                                      0.11205675210655744};
  SsScenario *scenario = ss_test_read_file ("examples/time-freezing/robot.stickslip.json", NULL, 0);
  SsDynamics *dynamics = NULL;
  SsError err = {0};
  SS_CHECK (scenario != NULL && ss_dynamics_new (scenario->scene, &dynamics, &err) == SS_OK);
  if (dynamics == NULL)
    return;
  const Pose p = pose_of (scenario->scene, q_at, v_at);
  const double *mass = ss_dynamics_mass (dynamics);
  double force[3 * N_BODIES];
  SsRow rows[2 * SS_JOINT_ROWS_MAX];
  SS_CHECK (ss_dynamics_joint_rows (dynamics, p.pose, p.speed, rows) == 4);
  for (int i = 0; i < 4; i++) {
    SS_CHECK_NEAR (rows[i].phi, 0, 1e-15);
    SS_CHECK_NEAR (ss_row_velocity (&rows[i], p.speed), 0, 1e-15);
  }
  ss_dynamics_forces (dynamics, SS_FORCE_GRAVITY, 0, p.pose, p.speed, NULL, force);
  for (int i = 0; i < N; i++) {
    double h = 0;
    for (int k = 0; k < 3 * N_BODIES; k++)
      h += p.jacobian[k][i] * (force[k] - mass[k] * p.bias[k]);
    SS_CHECK_NEAR (h, force_due[i], 1e-12);
    for (int j = 0; j < N; j++) {
      double m = 0;
      for (int k = 0; k < 3 * N_BODIES; k++)
        m += p.jacobian[k][i] * mass[k] * p.jacobian[k][j];
      SS_CHECK_NEAR (m, mass_due[i][j], 1e-12);
    }
  }
  ss_dynamics_free (dynamics);
  ss_scenario_free (scenario);
}

/* Value of a formula of the scene at poses and velocities of its bodies. */
static double
value_of (const SsScenario *scenario, SsExpr e, const double *q, const double *v)
{
  const SsScene *scene = scenario->scene;
  const int n = ss_graph_n_nodes (scene->graph);
  double *inputs = calloc ((size_t)scene->n_slots + 1, sizeof *inputs), *memo = calloc ((size_t)n + 1, sizeof *memo);
  int *stamp = calloc ((size_t)n + 1, sizeof *stamp);
  for (int b = 0; b < scene->n_bodies; b++)
    for (int k = 0; k < 3; k++) {
      inputs[6 * b + k] = q[3 * b + k];
      inputs[6 * b + 3 + k] = v[3 * b + k];
    }
  const double value = ss_graph_eval (scene->graph, e, inputs, scene->n_slots, memo, stamp, 1);
  free (inputs);
  free (memo);
  free (stamp);
  return value;
}

/* Foot and knee by the names that the constraints read. */
static void
test_points_of_the_robot (void)
{
  static const double foot[2] = {0.08062982482674434, -0.007080613393369545},
                      knee[2] = {0.040895958667732095, 0.18893270217487879};
  const struct {
    int constraint;
    double due;
  } rows[] = {{4, foot[0] + 0.05}, {5, knee[0] + 0.05}, {6, knee[1] - 0.05}, {7, foot[1] + 0.005}, {8, 0.2 - foot[1]}};
  SsScenario *scenario = ss_test_read_file ("examples/time-freezing/robot.stickslip.json", NULL, 0);
  SS_CHECK (scenario != NULL && scenario->task.plan != NULL && scenario->task.plan->n_constraints == 12);
  const Pose p = pose_of (scenario->scene, q_at, v_at);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    SS_CHECK_NEAR (value_of (scenario, scenario->task.plan->constraints[rows[i].constraint].row, p.pose, p.speed),
                   rows[i].due, 1e-12);
  ss_scenario_free (scenario);
}

/* A point in the drawn frame of a body whose centre of mass is elsewhere: its place and velocity in the world. */
static void
test_points_in_formulas (void)
{
  static const char text[] =
      "{\"format\": 1, \"name\": \"points\", \"scene\": {\"bodies\": [{\"name\": \"bar\", \"density\": 2, \"shape\": "
      "{\"type\": \"box\", \"width\": 2, \"height\": 0.5, \"position\": [1, 0]}, \"points\": {\"tip\": [2, 0.25]}}], "
      "\"contacts\": [], \"forces\": [{\"body\": \"bar\", \"force\": [\"bar.tip.x\", \"bar.tip.y\"]}, {\"body\": "
      "\"bar\", \"force\": [\"bar.tip.vx\", \"bar.tip.vy\"]}]}}";
  SsScenario *scenario = ss_test_read_text (text);
  if (scenario == NULL)
    return;
  const double q[3] = {0.3, -0.7, 0.9}, v[3] = {1.1, -0.4, 2.5}; /* of the centre of mass */
  const SsVec2 arm = turned ((SsVec2){1, 0.25}, q[2]);
  const SsForce *force = scenario->scene->forces;
  SS_CHECK_NEAR (value_of (scenario, force[0].fx, q, v), q[0] + arm.x, 1e-15);
  SS_CHECK_NEAR (value_of (scenario, force[0].fy, q, v), q[1] + arm.y, 1e-15);
  SS_CHECK_NEAR (value_of (scenario, force[1].fx, q, v), v[0] - v[2] * arm.y, 1e-15);
  SS_CHECK_NEAR (value_of (scenario, force[1].fy, q, v), v[1] + v[2] * arm.x, 1e-15);
  ss_scenario_free (scenario);
}

static void
check_bad (const char *points, const char *formula, const char *path, const char *part)
{
  char text[1024];
  SsProblems problems;
  SsScenario *scenario = NULL;
  snprintf (
      text, sizeof text,
      "{\"format\": 1, \"name\": \"points\", \"scene\": {\"bodies\": [{\"name\": \"bar\", \"mass\": 1, \"shape\": "
      "{\"type\": \"circle\", \"radius\": 1}, \"points\": %s}], \"contacts\": [], \"forces\": [{\"body\": \"bar\", "
      "\"force\": [\"%s\", 0]}]}}",
      points, formula);
  ss_problems_init (&problems);
  SS_CHECK (ss_scenario_read (text, strlen (text), "test", NULL, 0, &problems, &scenario) != SS_OK);
  SS_CHECK (ss_test_has_problem (&problems, 0, path, part));
  ss_problems_clear (&problems);
  ss_scenario_free (scenario);
}

static void
test_bad_points (void)
{
  check_bad ("{\"tip\": [1]}", "0", "scene.bodies[0].points.tip", "two numbers");
  check_bad ("{\"the tip\": [1, 0]}", "0", "scene.bodies[0].points.the tip", "name");
  check_bad ("[1, 0]", "0", "scene.bodies[0].points", "object");
  check_bad ("{\"tip\": [1, 0]}", "bar.tap.x", "scene.forces[0].force[0]", "did you mean 'bar.tip.x'");
  check_bad ("{\"tip\": [1, 0]}", "bar.tip.omega", "scene.forces[0].force[0]", "unknown name");
}

int
main (void)
{
  SS_RUN (test_masses_and_forces);
  SS_RUN (test_points_of_the_robot);
  SS_RUN (test_points_in_formulas);
  SS_RUN (test_bad_points);
  return ss_test_finish ();
}
