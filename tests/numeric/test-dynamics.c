/* tests/numeric/test-dynamics.c: rows of joints against differences, forces against energies and closed forms. */
#include "dynamics/ss-dynamics.h"
#include "../ss-test.h"

#include <stdlib.h>

enum { N_BODIES = 3, N_ROWS = 40 };

static SsBody bodies[N_BODIES];
static SsJoint joints[8];
static SsSpring springs[4];
static SsScene scene;
static SsDynamics *dynamics;
static double q[3 * N_BODIES], v[3 * N_BODIES];

static void
make_scene (int seed)
{
  SsRandom random;
  ss_random_seed (&random, (uint64_t)seed);
  memset (&scene, 0, sizeof scene);
  memset (bodies, 0, sizeof bodies);
  const char *names[N_BODIES] = {"a", "b", "c"};
  for (int i = 0; i < N_BODIES; i++) {
    bodies[i] = (SsBody){.name = names[i], .mass = 1 + i, .inertia = 0.3 * (1 + i)};
    bodies[i].shape = (SsShape){.kind = SS_SHAPE_CIRCLE, .radius = 0.1};
  }
  for (int i = 0; i < 3 * N_BODIES; i++) {
    q[i] = ss_random_between (&random, -2, 2);
    v[i] = ss_random_between (&random, -3, 3);
  }
  scene.gravity = (SsVec2){0.3, -9.8};
  scene.n_bodies = N_BODIES;
  scene.bodies = bodies;
  SsVec2 anchors[4] = {{0.3, -0.2}, {-0.5, 0.1}, {0.7, 0.4}, {0.1, 0.9}};
  SsJointKind kinds[4] = {SS_JOINT_PIN, SS_JOINT_SLIDER, SS_JOINT_WELD, SS_JOINT_ROD};
  for (int i = 0; i < 8; i++)
    joints[i] = (SsJoint){.name = "joint",
                          .kind = kinds[i % 4],
                          .body_a = i < 4 ? -1 : 0,
                          .body_b = 1 + i % 2,
                          .anchor_a = anchors[i % 4],
                          .anchor_b = anchors[(i + 1) % 4],
                          .axis = {0.6, 0.8},
                          .length = 0.4,
                          .angle = 0.1,
                          .lower = -0.7,
                          .upper = 0.9};
  for (int i = 0; i < 4; i++)
    springs[i] = (SsSpring){.name = "spring",
                            .body_a = i % 2 ? -1 : 0,
                            .body_b = 1 + i % 2,
                            .anchor_a = anchors[i],
                            .anchor_b = anchors[3 - i],
                            .is_torsion = i == 2,
                            .stiffness = 50 + 10 * i,
                            .damping = 3 + i,
                            .rest = i == 3 ? 0 : 0.3};
  scene.n_joints = 8;
  scene.joints = joints;
  scene.n_springs = 4;
  scene.springs = springs;
  SS_CHECK (ss_dynamics_new (&scene, &dynamics, NULL) == SS_OK);
}

typedef int (*RowsFunc) (const SsDynamics *dynamics, const double *q, const double *v, SsRow *rows);

/* J is the difference quotient of phi, gdv that of J v along v [003 (29)]. */
static void
check_rows (RowsFunc rows_of)
{
  const double e = 1e-6; /* differences of O(1) numbers: errors e^2 + 1e-16/e */
  SsRow rows[N_ROWS], more[N_ROWS], less[N_ROWS];
  double p[3 * N_BODIES], m[3 * N_BODIES];
  int n = rows_of (dynamics, q, v, rows);
  SS_CHECK (n > 0);
  for (int k = 0; k < 3 * N_BODIES; k++) {
    memcpy (p, q, sizeof q);
    memcpy (m, q, sizeof q);
    p[k] += e;
    m[k] -= e;
    rows_of (dynamics, p, v, more);
    rows_of (dynamics, m, v, less);
    for (int i = 0; i < n; i++) {
      double j = 0;
      for (int side = 0; side < 2; side++)
        j += rows[i].body[side] == k / 3 ? rows[i].j[3 * side + k % 3] : 0;
      SS_CHECK_NEAR ((more[i].phi - less[i].phi) / (2 * e), j, 1e-8);
    }
  }
  for (int k = 0; k < 3 * N_BODIES; k++) {
    p[k] = q[k] + e * v[k];
    m[k] = q[k] - e * v[k];
  }
  rows_of (dynamics, p, v, more);
  rows_of (dynamics, m, v, less);
  for (int i = 0; i < n; i++)
    SS_CHECK_NEAR ((ss_row_velocity (&more[i], v) - ss_row_velocity (&less[i], v)) / (2 * e), rows[i].gdv, 1e-6);
}

static void
test_rows (void)
{
  for (int seed = 1; seed <= 20; seed++) {
    make_scene (seed);
    check_rows (ss_dynamics_joint_rows);
    check_rows (ss_dynamics_limit_rows);
    check_rows (ss_dynamics_spring_rows);
    ss_dynamics_free (dynamics);
  }
}

/* Numbers of rows, and which limits exist. */
static void
test_counts (void)
{
  SsRow rows[N_ROWS];
  make_scene (1);
  SS_CHECK (ss_dynamics_joint_rows (dynamics, q, v, rows) == 2 * (2 + 2 + 3 + 1));
  SS_CHECK (ss_dynamics_limit_rows (dynamics, q, v, rows) == 2 * (2 + 2));
  SS_CHECK_NEAR (rows[0].phi + rows[1].phi, 1.6, 1e-14); /* room below and above sums to the range */
  joints[0].lower = -INFINITY;
  SS_CHECK (ss_dynamics_limit_rows (dynamics, q, v, rows) == 7);
  ss_dynamics_free (dynamics);
}

/* Gravity and springs are minus the gradient of the potential energy. */
static void
test_potential (void)
{
  const double e = 1e-6;
  double f[3 * N_BODIES], p[3 * N_BODIES];
  for (int seed = 1; seed <= 20; seed++) {
    make_scene (seed);
    ss_dynamics_forces (dynamics, SS_FORCE_GRAVITY | SS_FORCE_SPRINGS, 0, q, v, NULL, f);
    for (int k = 0; k < 3 * N_BODIES; k++) {
      memcpy (p, q, sizeof q);
      p[k] += e;
      double up = ss_dynamics_potential_energy (dynamics, p);
      p[k] -= 2 * e;
      double down = ss_dynamics_potential_energy (dynamics, p);
      SS_CHECK_NEAR (f[k], -(up - down) / (2 * e), 1e-6);
    }
    ss_dynamics_free (dynamics);
  }
}

/* Dampers take power rate^2 d and nothing else. */
static void
test_dampers (void)
{
  double f[3 * N_BODIES], power = 0, expected = 0;
  SsRow rows[N_ROWS];
  make_scene (5);
  ss_dynamics_forces (dynamics, SS_FORCE_DAMPERS, 0, q, v, NULL, f);
  for (int k = 0; k < 3 * N_BODIES; k++)
    power += f[k] * v[k];
  int n = ss_dynamics_spring_rows (dynamics, q, v, rows);
  for (int i = 0; i < n; i++)
    expected -= rows[i].damping * ss_row_velocity (&rows[i], v) * ss_row_velocity (&rows[i], v);
  SS_CHECK_NEAR (power, expected, 1e-11);
  ss_dynamics_free (dynamics);
}

/* Internal springs change no momentum; the torque about the origin sums to zero too. */
static void
test_action_and_reaction (void)
{
  double f[3 * N_BODIES], sum[3] = {0, 0, 0};
  make_scene (3);
  for (int i = 0; i < 4; i++)
    springs[i].body_a = i < 3 ? 0 : 2;
  ss_dynamics_forces (dynamics, SS_FORCE_SPRINGS | SS_FORCE_DAMPERS, 0, q, v, NULL, f);
  for (int i = 0; i < N_BODIES; i++) {
    sum[0] += f[3 * i];
    sum[1] += f[3 * i + 1];
    sum[2] += f[3 * i + 2] + q[3 * i] * f[3 * i + 1] - q[3 * i + 1] * f[3 * i];
  }
  for (int k = 0; k < 3; k++)
    SS_CHECK_NEAR (sum[k], 0, 1e-11);
  ss_dynamics_free (dynamics);
}

static SsStatus
resolve (void *graph, const char *name, size_t length, int shift, SsExpr *out, SsError *err)
{
  (void)shift, (void)err, (void)length;
  int slot = name[0] == 't' ? scene.slot_t : name[0] == 'k' ? scene.slot_parameters : name[0] == 'x' ? 6 : 6 + 3;
  *out = ss_graph_input (graph, slot); /* t, parameter k, b.x, b.vx */
  return SS_OK;
}

/* Formulas read state, parameters and time; controls are clamped; forces act where they are said to. */
static void
test_formulas_and_actuators (void)
{
  SsGraph *graph;
  SsExpr force, control;
  double parameter = 7, f[3 * N_BODIES];
  make_scene (2);
  ss_dynamics_free (dynamics);
  SS_CHECK (ss_graph_new (&graph, NULL) == SS_OK);
  scene.slot_parameters = 6 * N_BODIES;
  scene.slot_t = scene.slot_parameters + 1;
  scene.n_slots = scene.slot_t + 1;
  scene.parameter_values = &parameter;
  scene.graph = graph;
  SS_CHECK (ss_expr_parse (graph, "k*x - 2*v + sin(t)", resolve, graph, &force, NULL) == SS_OK);
  SS_CHECK (ss_expr_parse (graph, "10*t", resolve, graph, &control, NULL) == SS_OK);
  SsForce forces[1] = {{"push", 1, force, SS_EXPR_NONE, force}};
  SsActuator actuators[3] = {
      {"thrust", SS_ACTUATOR_FORCE, 2, -1, {0, 1}, {0.5, 0}, true, -100, 4, control},
      {"motor", SS_ACTUATOR_TORQUE, 0, -1, {0, 0}, {0, 0}, false, -100, 100, control},
      {"hinge", SS_ACTUATOR_JOINT, -1, 4, {0, 0}, {0, 0}, false, -100, 100, control},
  };
  scene.n_forces = 1;
  scene.forces = forces;
  SS_CHECK (ss_dynamics_new (&scene, &dynamics, NULL) == SS_OK);
  double t = 0.9, expected = 7 * q[3] - 2 * v[3] + sin (t);
  ss_dynamics_forces (dynamics, SS_FORCE_FORMULAS, t, q, v, NULL, f);
  SS_CHECK_NEAR (f[3], expected, 1e-14);
  SS_CHECK_NEAR (f[4], 0, 0);
  SS_CHECK_NEAR (f[5], expected, 1e-14);
  ss_dynamics_free (dynamics);

  scene.n_forces = 0;
  scene.n_actuators = 3;
  scene.actuators = actuators;
  SS_CHECK (ss_dynamics_new (&scene, &dynamics, NULL) == SS_OK);
  ss_dynamics_forces (dynamics, SS_FORCE_ACTUATORS, t, q, v, NULL, f);
  double c = cos (q[8]), s = sin (q[8]);
  SS_CHECK_NEAR (ss_dynamics_control (dynamics, 0, t, q, v, NULL), 4, 0); /* 9 clamped to 4 */
  SS_CHECK_NEAR (f[6], -4 * s, 1e-14);
  SS_CHECK_NEAR (f[7], 4 * c, 1e-14);
  SS_CHECK_NEAR (f[8], 0.5 * 4, 1e-14); /* along the body's y at (0.5, 0) */
  SS_CHECK_NEAR (f[2], 9 - 9, 1e-14);   /* motor and the reaction of the hinge (a pin between a and b) */
  SS_CHECK_NEAR (f[5], 9, 1e-14);
  ss_dynamics_free (dynamics);
  ss_graph_free (graph);
}

/* Locked coordinates and fixed bodies have no force, no mass, no momentum. */
static void
test_locks (void)
{
  double f[3 * N_BODIES], momentum[3];
  make_scene (4);
  ss_dynamics_free (dynamics);
  bodies[0].is_fixed = true;
  bodies[1].lock[0] = bodies[1].lock[2] = true;
  SS_CHECK (ss_dynamics_new (&scene, &dynamics, NULL) == SS_OK);
  ss_dynamics_forces (dynamics, SS_FORCE_ALL, 0, q, v, NULL, f);
  const double *inverse = ss_dynamics_inverse_mass (dynamics);
  int still[] = {0, 1, 2, 3, 5};
  for (int i = 0; i < 5; i++)
    SS_CHECK (f[still[i]] == 0 && inverse[still[i]] == 0);
  SS_CHECK (f[4] != 0 && inverse[4] == 0.5);
  ss_dynamics_momentum (dynamics, q, v, momentum);
  SS_CHECK_NEAR (momentum[0], 3 * v[6], 1e-14);
  SS_CHECK_NEAR (momentum[1], 2 * v[4] + 3 * v[7], 1e-14);
  SS_CHECK_NEAR (ss_dynamics_kinetic_energy (dynamics, v),
                 v[4] * v[4] + 1.5 * (v[6] * v[6] + v[7] * v[7]) + 0.45 * v[8] * v[8], 1e-13);
  ss_dynamics_free (dynamics);
}

int
main (void)
{
  SS_RUN (test_rows);
  SS_RUN (test_counts);
  SS_RUN (test_potential);
  SS_RUN (test_dampers);
  SS_RUN (test_action_and_reaction);
  SS_RUN (test_formulas_and_actuators);
  SS_RUN (test_locks);
  return ss_test_finish ();
}
