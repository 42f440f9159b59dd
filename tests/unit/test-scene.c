/* tests/unit/test-scene.c: what a scene's bodies, joints, springs, materials, actuators and forces become, and how
 * mistakes in them are told.
 *
 * Truth: closed forms (areas, inertias, linkages), sums over fine strips for the inertia of a capsule, and the same
 * scene written in two ways.
 */
#include "scene/ss-impact-file.h"
#include "scene/ss-view.h"
#include "ss-test-scenario.h"

#include <stdlib.h>

static const double pi = 3.14159265358979323846;

/* Values from a few operations on numbers of order 1. */
static const double rounding = 4e-15;

#define SCENE(parts) "{\"format\": 1, \"name\": \"s\", \"parameters\": {\"a\": 2, \"k\": 5}, \"scene\": {" parts "}}"
#define DISC(name, more)                                                                                               \
  "{\"name\": \"" name "\", \"mass\": 1, \"shape\": {\"type\": \"circle\", \"radius\": 0.5}" more "}"

static SsScenario *
read_example (const char *name, const SsOverride *overrides, int n_overrides)
{
  char relative[128];

  snprintf (relative, sizeof relative, "examples/classics/%s.stickslip.json", name);
  return ss_test_read_file (relative, overrides, n_overrides);
}

/* ---- mistakes ---------------------------------------------------------------------------------------------------- */

static const SsTestBadFile bad_files[] = {
    {"joint-mistakes",
     SS_ERR_INVALID,
     6,
     {{11, "scene.joints[0].bodies[1]", "did you mean 'arm'"},
      {12, "scene.joints[1]", "1.5 m apart"},
      {13, "scene.joints[2]", "no length"},
      {14, "scene.joints[3]", "2.5 m apart"},
      {15, "scene.joints[4].bodies", "both bodies are fixed"},
      {16, "scene.joints[5]", "0.25 m beside the axis"}}},
    {"joint-limits",
     SS_ERR_INVALID,
     7,
     {{11, "scene.joints[0]", "starts at 0 rad, beyond its limits"},
      {12, "scene.joints[1].name", "used twice (first on line 11)"},
      {12, "scene.joints[1]", "lower < upper"},
      {13, "scene.joints[2].bodies", "\"world\" first"},
      {14, "scene.joints[3].axis", "no direction"},
      {15, "scene.joints[4]", "more than once"},
      {16, "scene.joints[5].type", "pin, slider, weld, rod"}}},
    {"spring-mistakes",
     SS_ERR_INVALID,
     4,
     {{11, "scene.springs[0]", "neither"},
      {12, "scene.springs[1].stiffness", "0 or more"},
      {13, "scene.springs[2]", "no direction"},
      {14, "scene.springs[3].bodies", "itself"}}},
    {"actuator-mistakes",
     SS_ERR_INVALID,
     7,
     {{12, "scene.actuators[0].body", "acts on a fixed body"},
      {13, "scene.actuators[1].joint", "did you mean 'hinge'"},
      {14, "scene.actuators[2].direction", "zero"},
      {15, "scene.actuators[3]", "lower <= upper"},
      {18, "scene.forces[0].force[0]", "did you mean 'cart.x'"},
      {18, "scene.forces[0].force[1]", "finite value at the start"},
      {19, "scene.forces[1]", "neither"}}},
    {"material-mistakes",
     SS_ERR_INVALID,
     3,
     {{5, "scene.materials.ice.friction", "0 or more"},
      {6, "scene.material_pairs[0].materials[1]", "did you mean 'ice'"},
      {11, "scene.bodies[3].material", "did you mean 'rubber'"}}},
    {"mass-mistakes",
     SS_ERR_INVALID,
     6,
     {{6, "scene.bodies[0].mass", "density"},
      {7, "scene.bodies[1]", "segment has none"},
      {8, "scene.bodies[2].shapes", "0 shapes"},
      {9, "scene.bodies[3]", "both"},
      {10, "scene.bodies[4].shape", "coincide"},
      {11, "scene.bodies[5].lock[0]", "x, y, theta"}}},
    {"contact-names",
     SS_ERR_INVALID,
     5,
     {{16, "scene.contacts", "'b-d' is used twice (first on line 14)"},
      {16, "scene.contacts", "'a-d' is used twice (first on line 18)"},
      {16, "scene.contacts", "'a-b-c' is used twice (first on line 16)"},
      {22, "scene.forces[1].name", "'b-c' is used twice (first on line 16)"},
      {23, "scene.forces[2].name", "'a-c' is used twice (first on line 17)"}}},
    {"scene-family", SS_ERR_INVALID, 1, {{7, "scene.bodies[0].rows[0].mass (i = 1)", "above 0"}}},
};

static void
test_bad_files (void)
{
  for (size_t i = 0; i < sizeof bad_files / sizeof *bad_files; i++)
    ss_test_check_bad_file (&bad_files[i]);
}

/* Configurations of numbers: each mistake is told once, at its place. */
static void
test_impact_files (void)
{
#define NUMBERS(mass, jn, jt, more) "{\"M\": " mass ", \"Jn\": " jn ", \"Jt\": " jt ", " more "}"
#define MASS                        "[[2, 0.1], [0.1, 3]]"
#define REST                        "\"mu\": [0.5], \"v_pre\": [1, -1]"
  static const struct {
    const char *text, *path, *part; /* path NULL: there is no mistake */
  } cases[] = {
      {NUMBERS (MASS, "[[0, 1]]", "[[1, 0]]", REST), NULL, NULL},
      {NUMBERS ("[[2, 0.1], [0.10000000000000001, 3]]", "[[0, 1]]", "[[1, 0]]", REST), NULL, NULL},
      {NUMBERS ("[[2, 0.1], [0.2, 3]]", "[[0, 1]]", "[[1, 0]]", REST), "M", "rows 2 and 1 differ"},
      {NUMBERS ("[[\"2\", 0.1], [0.1, 3]]", "[[0, 1]]", "[[1, 0]]", REST), "M[0][0]", "no"},
      {NUMBERS ("[[2, 0.1], [0.1, null]]", "[[0, 1]]", "[[1, 0]]", REST), "M[1][1]", "no"},
      {NUMBERS ("[[2, []], [0.1, 3]]", "[[0, 1]]", "[[1, 0]]", REST), "M[0][1]", "no"},
      {NUMBERS ("[[2, 0.1], [0.1]]", "[[0, 1]]", "[[1, 0]]", REST), "M[1]", "this has 1"},
      {NUMBERS ("[]", "[[0, 1]]", "[[1, 0]]", REST), "M", "this has 0"},
      {NUMBERS (MASS, "[]", "[[1, 0]]", REST), "Jn", "this has 0"},
      {NUMBERS (MASS, "[[0, 1]]", "[[1, 0], [1, 0]]", REST), "Jt", "this has 2 rows"},
      {NUMBERS (MASS, "[[0, 1]]", "[[1, true]]", REST), "Jt[0][1]", "no"},
      {NUMBERS (MASS, "[[0, 1]]", "[[1, 0]]", "\"mu\": [-0.1], \"v_pre\": [1, -1]"), "mu[0]", "from 0 to 1e9"},
      {NUMBERS (MASS, "[[0, 1]]", "[[1, 0]]", "\"mu\": [0.5], \"v_pre\": [1]"), "v_pre", "this has 1"},
      {NUMBERS (MASS, "[[0, 1]]", "[[1, 0]]", "\"mu\": [0.5]"), "", "v_pre"},
      {NUMBERS (MASS, "[[0, 1]]", "[[1, 0]]", REST ", \"restitution\": [1.1]"), "restitution[0]", "from 0 to 1"},
      {NUMBERS (MASS, "[[0, 1]]", "[[1, 0]]", REST ", \"h\": 0"), "h", "above 0"},
      {NUMBERS (MASS, "[[0, 1]]", "[[1, 0]]", REST ", \"N\": 0"), "N", "from 1 to 1e6"},
      {NUMBERS (MASS, "[[0, 1]]", "[[1, 0]]", REST ", \"contacts\": [{}, {}]"), "contacts", "this has 2"},
      {NUMBERS (MASS, "[[0, 1], [0, 1]]", "[[1, 0], [1, 0]]",
                "\"mu\": [1, 1], \"v_pre\": [1, -1], \"contacts\": [{\"name\": \"A\"}, {\"name\": \"A\"}]"),
       "contacts", "two contacts are named 'A'"},
  };
#undef NUMBERS
#undef MASS
#undef REST

  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    SsImpactFile *file = NULL;
    SsProblems problems;

    ss_problems_init (&problems);
    const SsStatus status = ss_impact_file_read (cases[i].text, strlen (cases[i].text), "n", &problems, &file);
    SS_CHECK (status == (cases[i].path == NULL ? SS_OK : SS_ERR_INVALID) && (file != NULL) == (status == SS_OK));
    SS_CHECK (problems.n_items == (cases[i].path != NULL));
    SS_CHECK (cases[i].path == NULL || ss_test_has_problem (&problems, 1, cases[i].path, cases[i].part));
    if (problems.n_items > 1)
      ss_test_print_problems (&problems);
    ss_problems_clear (&problems);
    ss_impact_file_free (file);
  }
}

/* ---- shapes and mass --------------------------------------------------------------------------------------------- */

/* A sketch begins with nothing in it: a valid file, a picture with no marks, a state that is only time. */
static void
test_empty_sketch (void)
{
  SsScenario *scenario = ss_test_read_text (SCENE ("\"bodies\": []"));
  SsTrajectory *initial = NULL;
  SsView *view = NULL;
  SsError err;

  if (scenario == NULL)
    return;
  SS_CHECK (scenario->scene->n_bodies == 0 && scenario->scene->n_contacts == 0);
  SS_CHECK (ss_scenario_initial_trajectory (scenario, &initial, &err) == SS_OK);
  SS_CHECK (initial != NULL && initial->n_channels == 1 + 7 && initial->n_rows == 1);
  if (initial != NULL)
    SS_CHECK (ss_view_new (scenario, initial->channels, initial->n_channels, &view, &err) == SS_OK);
  SS_CHECK (view != NULL && ss_view_n_marks (view) == 0);
  ss_view_free (view);
  ss_trajectory_free (initial);
  ss_scenario_free (scenario);
}

/* A T of two boxes with a density: the closed form of area, centre and inertia; the shapes move so that the centre is
 * the origin, and what is drawn at the start is where the file put it. */
static void
test_composite_density (void)
{
  static const char text[] =
      SCENE ("\"bodies\": [{\"name\": \"tee\", \"density\": 3, \"position\": [1, 2], \"angle\": 0.5, \"shapes\": ["
             "{\"type\": \"box\", \"width\": 2, \"height\": 0.5, \"position\": [0, 1.25]},"
             "{\"type\": \"box\", \"width\": 2, \"height\": 0.5, \"angle\": \"pi/2\"}]}]");
  SsScenario *s = ss_test_read_text (text);

  if (s == NULL)
    return;
  const SsBody *b = &s->scene->bodies[0];
  double centre = 1.25 / 2; /* two equal areas, centres 0 and 1.25 */
  double box = (2 * 2 + 0.5 * 0.5) / 12;
  SS_CHECK (b->n_shapes == 2 && b->shapes[0].n_vertices == 4);
  SS_CHECK_NEAR (b->mass, 3 * 2, rounding);
  SS_CHECK_NEAR (b->inertia, 3 * (2 * box + 2 * centre * centre), 3 * rounding);
  SS_CHECK_NEAR (b->origin.x, 0, rounding);
  SS_CHECK_NEAR (b->origin.y, -centre, rounding);
  /* a corner of the bar: file frame (-1, 1), in the world by the file's pose */
  double c = cos (0.5), sn = sin (0.5);
  SsVec2 v = b->shapes[0].vertices[0];
  SS_CHECK_NEAR (b->q[0] + c * v.x - sn * v.y, 1 + c * -1 - sn * 1, rounding);
  SS_CHECK_NEAR (b->q[1] + sn * v.x + c * v.y, 2 + sn * -1 + c * 1, rounding);
  /* with a mass instead, the frame's origin is the centre by definition */
  ss_scenario_free (s);
  s = ss_test_read_text (SCENE ("\"bodies\": [{\"name\": \"tee\", \"mass\": 6, \"shapes\": ["
                                "{\"type\": \"box\", \"width\": 2, \"height\": 0.5, \"position\": [0, 1.25]},"
                                "{\"type\": \"box\", \"width\": 0.5, \"height\": 2}]}]"));
  if (s == NULL)
    return;
  SS_CHECK (s->scene->bodies[0].origin.x == 0 && s->scene->bodies[0].origin.y == 0);
  SS_CHECK_NEAR (s->scene->bodies[0].shape.vertices[0].y, 1, rounding);
  SS_CHECK_NEAR (s->scene->bodies[0].inertia, 3 * (2 * box + 1.25 * 1.25), 3 * rounding);
  ss_scenario_free (s);
}

/* Area and second moment of a capsule about its middle by strips across its axis: width dx, height 2 y(x), moment y dx
 * (x^2 + y^2/3) 2. */
static void
sum_capsule (double length, double radius, double *area, double *second)
{
  enum { STRIPS = 200000 };
  double reach = length / 2 + radius, dx = 2 * reach / STRIPS;

  *area = *second = 0;
  for (int i = 0; i < STRIPS; i++) {
    double x = -reach + (i + 0.5) * dx, beyond = fmax (fabs (x) - length / 2, 0);
    double y = sqrt (fmax (radius * radius - beyond * beyond, 0));

    *area += 2 * y * dx;
    *second += 2 * y * dx * (x * x + y * y / 3);
  }
}

static void
test_capsule_and_segment (void)
{
  SsScenario *s = ss_test_read_text (
      SCENE ("\"bodies\": [{\"name\": \"c\", \"density\": 1, \"shape\": {\"type\": \"capsule\", \"length\": "
             "\"a\", \"radius\": 0.3}},"
             "{\"name\": \"d\", \"density\": 1, \"shape\": {\"type\": \"capsule\", \"from\": [5, 5], "
             "\"to\": [5, 7], \"radius\": 0.3}},"
             "{\"name\": \"rod\", \"mass\": 3, \"shape\": {\"type\": \"segment\", \"length\": \"a\"}},"
             "{\"name\": \"disc\", \"density\": 2, \"shape\": {\"type\": \"circle\", \"radius\": 0.5, "
             "\"position\": [3, 4]}}]"));
  double area, second;

  if (s == NULL)
    return;
  const SsBody *b = s->scene->bodies;
  sum_capsule (2, 0.3, &area, &second);
  /* the strips' error is of order dx^(3/2) at the round ends: 1e-7 */
  SS_CHECK_NEAR (b[0].mass, area, 1e-7);
  SS_CHECK_NEAR (b[0].inertia, second, 1e-7);
  SS_CHECK_NEAR (b[0].mass, 2 * 0.6 + pi * 0.09, rounding);
  SS_CHECK (b[0].shape.kind == SS_SHAPE_CAPSULE && b[0].shape.radius == 0.3 && b[0].shape.vertices[0].x == -1);
  /* turned and moved away: the same body */
  SS_CHECK_NEAR (b[1].mass, b[0].mass, rounding);
  SS_CHECK_NEAR (b[1].inertia, b[0].inertia, rounding);
  SS_CHECK_NEAR (b[1].q[0], 5, rounding);
  SS_CHECK_NEAR (b[1].q[1], 6, rounding);
  SS_CHECK_NEAR (b[1].shape.vertices[1].y, 1, rounding);
  /* thin rod m l^2 / 12 */
  SS_CHECK (b[2].shape.kind == SS_SHAPE_SEGMENT);
  SS_CHECK_NEAR (b[2].inertia, 3 * 4 / 12.0, rounding);
  SS_CHECK_NEAR (b[3].mass, 2 * pi / 4, rounding);
  SS_CHECK_NEAR (b[3].inertia, b[3].mass / 8, rounding);
  SS_CHECK (b[3].shape.centre.x == 0 && b[3].shape.centre.y == 0 && b[3].q[0] == 3 && b[3].q[1] == 4);
  ss_scenario_free (s);
}

static void
test_locks (void)
{
  SsScenario *s = ss_test_read_text (SCENE ("\"bodies\": [" DISC (
      "a", ", \"lock\": [\"theta\", \"x\"]") "," //
                                             "{\"name\": \"belt\", \"lock\": [\"x\", \"y\", \"theta\"], \"velocity\": "
                                             "[\"a\", 0], "
                                             "\"shape\": {\"type\": \"box\", \"width\": 5, \"height\": 1}},"
                                             "{\"name\": \"f\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", "
                                             "\"normal\": [0, 1]}}]"));

  if (s == NULL)
    return;
  const SsBody *b = s->scene->bodies;
  SS_CHECK (b[0].lock[0] && !b[0].lock[1] && b[0].lock[2] && !ss_body_is_immovable (&b[0]));
  SS_CHECK (ss_body_is_immovable (&b[1]) && !b[1].is_fixed && b[1].v[0] == 2 && b[1].mass > 0 && b[1].inertia > 0);
  /* belt and floor answer to nothing: no contact of the two */
  SS_CHECK (s->scene->n_contacts == 2);
  ss_scenario_free (s);
}

/* ---- joints ------------------------------------------------------------------------------------------------------ */

static SsVec2
world_point (const SsScene *scene, int body, SsVec2 p)
{
  if (body < 0)
    return p;
  const double *q = scene->bodies[body].q;
  return (SsVec2){q[0] + cos (q[2]) * p.x - sin (q[2]) * p.y, q[1] + sin (q[2]) * p.x + cos (q[2]) * p.y};
}

/* The same pin as a point of the world, as two, and as points of the bodies; the anchors meet in each. One body has a
 * density, hence an origin off its centre. */
static void
test_anchors (void)
{
  SsScenario *s = ss_test_read_text (SCENE (
      "\"contacts\": [], \"bodies\": ["
      "{\"name\": \"a\", \"density\": 1, \"position\": [1, 1], \"angle\": \"pi/2\", \"shape\": {\"type\": \"box\", "
      "\"width\": 2, "
      "\"height\": 1, \"position\": [1, 0]}},"
      "{\"name\": \"b\", \"mass\": 1, \"position\": [1, 4], \"angle\": 0.3, \"shape\": {\"type\": \"circle\", "
      "\"radius\": 1}}],"
      "\"joints\": ["
      "{\"name\": \"p\", \"type\": \"pin\", \"bodies\": [\"a\", \"b\"], \"anchor\": [1, 3], \"lower\": -3, \"upper\": "
      "\"a\"},"
      "{\"type\": \"pin\", \"bodies\": [\"a\", \"b\"], \"points\": [[1, 3], [1, 3]]},"
      "{\"type\": \"pin\", \"bodies\": [\"a\", \"b\"], \"anchors\": [[2, 0], [\"-sin(0.3)\", \"-cos(0.3)\"]]},"
      "{\"type\": \"weld\", \"bodies\": [\"world\", \"b\"], \"anchor\": [7, 7], \"stiffness\": 1e9, \"damping\": 10},"
      "{\"type\": \"slider\", \"bodies\": [\"a\", \"b\"], \"anchors\": [[0, 0], [0, 0]], \"axis\": [3, 0], \"lower\": "
      "0},"
      "{\"type\": \"rod\", \"bodies\": [\"a\", \"b\"]}]"));

  if (s == NULL)
    return;
  const SsJoint *j = s->scene->joints;
  SS_CHECK (s->scene->n_joints == 6);
  for (int i = 0; i < 3; i++) {
    SsVec2 pa = world_point (s->scene, 0, j[i].anchor_a), pb = world_point (s->scene, 1, j[i].anchor_b);
    SS_CHECK (j[i].kind == SS_JOINT_PIN && j[i].body_a == 0 && j[i].body_b == 1);
    SS_CHECK_NEAR (pa.x, 1, rounding);
    SS_CHECK_NEAR (pa.y, 3, rounding);
    SS_CHECK_NEAR (pb.x, 1, rounding);
    SS_CHECK_NEAR (pb.y, 3, rounding);
  }
  SS_CHECK_STR (j[0].name, "p");
  SS_CHECK_STR (j[1].name, "pin2");
  SS_CHECK (j[0].lower == -3 && j[0].upper == 2 && isinf (j[1].upper));
  SS_CHECK (j[3].kind == SS_JOINT_WELD && j[3].body_a == -1 && j[3].anchor_a.x == 7 && j[3].stiffness == 1e9);
  SS_CHECK_NEAR (j[3].angle, 0.3, rounding);
  SS_CHECK (j[4].kind == SS_JOINT_SLIDER && j[4].axis.x == 1 && j[4].axis.y == 0 && j[4].lower == 0);
  SS_CHECK_NEAR (j[4].angle, 0.3 - pi / 2, rounding);
  /* from the file's origin of a (1, 1) to the centre of b (1, 4) */
  SS_CHECK_NEAR (j[5].length, 3, rounding);
  ss_scenario_free (s);
}

static void
test_springs (void)
{
  SsScenario *s = ss_test_read_text (SCENE ("\"contacts\": [], \"bodies\": [" DISC (
      "b", ", \"position\": [3, 4], \"angle\": 0.2") "], \"springs\": ["
                                                     "{\"bodies\": [\"world\", \"b\"], \"stiffness\": \"2*k\"},"
                                                     "{\"name\": \"damper\", \"bodies\": [\"world\", \"b\"], "
                                                     "\"points\": [[0, 4], [3, 4]], \"damping\": 3, \"rest\": 0},"
                                                     "{\"bodies\": [\"world\", \"b\"], \"torsion\": true, "
                                                     "\"stiffness\": 1}]"));

  if (s == NULL)
    return;
  const SsSpring *p = s->scene->springs;
  SS_CHECK (s->scene->n_springs == 3);
  SS_CHECK (p[0].stiffness == 10 && p[0].damping == 0 && p[0].body_a == -1 && p[0].body_b == 0);
  SS_CHECK_NEAR (p[0].rest, 5, rounding);
  SS_CHECK_STR (p[0].name, "spring1");
  SS_CHECK_STR (p[1].name, "damper");
  SS_CHECK (p[1].rest == 0 && p[1].anchor_a.y == 4);
  SS_CHECK_NEAR (p[1].anchor_b.x, 0, rounding);
  SS_CHECK (p[2].is_torsion);
  SS_CHECK_NEAR (p[2].rest, 0.2, rounding);
  ss_scenario_free (s);
}

/* ---- contacts ---------------------------------------------------------------------------------------------------- */

static const SsContact *
find_contact (const SsScene *scene, const char *name)
{
  for (int i = 0; i < scene->n_contacts; i++)
    if (strcmp (scene->contacts[i].name, name) == 0)
      return &scene->contacts[i];
  return NULL;
}

static void
test_materials (void)
{
  SsScenario *s = ss_test_read_text (SCENE (
      "\"friction\": 0.25, \"restitution\": 0.1, "
      "\"materials\": {\"rubber\": {\"friction\": 0.81, \"restitution\": 0.7, \"stiffness\": 3000, \"damping\": 6},"
      "\"steel\": {\"friction\": 0.36, \"stiffness\": 6000, \"damping\": 3}},"
      "\"material_pairs\": [{\"materials\": [\"steel\", \"steel\"], \"friction\": 0.05}],"
      "\"bodies\": [" DISC ("r", ", \"material\": \"rubber\"") "," DISC ("s", ", \"material\": \"steel\"") "," DISC (
          "t",
          ", \"material\": \"steel\"") "," DISC ("plain",
                                                 "") "," DISC ("bare",
                                                               "") "],"
                                                                   "\"contacts\": [\"all\", {\"bodies\": [\"t\", "
                                                                   "\"r\"], \"friction\": 0.5, \"name\": \"special\"},"
                                                                   "{\"bodies\": [\"plain\", \"s\"], \"enabled\": "
                                                                   "false}]"));

  if (s == NULL)
    return;
  const SsContact *c;
  SS_CHECK (s->scene->n_contacts == 10 - 1);
  c = find_contact (s->scene, "r-s");
  /* sqrt (0.81 * 0.36), the larger restitution, 1 / (1/3000 + 1/6000), 1 / (1/6 + 1/3) */
  SS_CHECK (c != NULL);
  SS_CHECK_NEAR (c->mu, 0.54, rounding);
  SS_CHECK (c->restitution == 0.7);
  SS_CHECK_NEAR (c->stiffness, 2000, 2000 * rounding);
  SS_CHECK_NEAR (c->damping, 2, rounding);
  c = find_contact (s->scene, "s-t"); /* the pair's friction, the rest as it would be */
  SS_CHECK (c != NULL && c->mu == 0.05 && c->restitution == 0.1);
  SS_CHECK_NEAR (c->stiffness, 3000, 3000 * rounding);
  c = find_contact (s->scene, "r-plain"); /* plain: the scene's own material, without a stiffness */
  SS_CHECK (c != NULL && c->restitution == 0.7 && c->stiffness == 3000);
  SS_CHECK_NEAR (c->mu, 0.9 * 0.5, rounding);
  c = find_contact (s->scene, "plain-bare");
  SS_CHECK (c != NULL && c->mu == 0.25 && c->restitution == 0.1 && c->stiffness == 0);
  c = find_contact (s->scene, "special"); /* in the place of r-t, with its own order of bodies */
  SS_CHECK (c == &s->scene->contacts[1] && c->body_a == 2 && c->body_b == 0 && c->mu == 0.5 && c->restitution == 0.7);
  SS_CHECK (find_contact (s->scene, "s-plain") == NULL && find_contact (s->scene, "r-t") == NULL);
  ss_scenario_free (s);
}

/* Bodies that a pin, slider or weld holds together do not collide unless the file says so; those on a rod do. */
static void
test_joined_bodies (void)
{
  SsScenario *s =
      ss_test_read_text (SCENE ("\"bodies\": [" DISC ("a", "") "," DISC ("b", "") "," DISC ("c", "") "," DISC (
          "d",
          ", \"position\": [5, 0]") "], "
                                    "\"joints\": [{\"type\": \"pin\", \"bodies\": [\"b\", \"a\"], \"anchor\": [0, 0]},"
                                    "{\"type\": \"weld\", \"bodies\": [\"a\", \"c\"], \"anchor\": [0, 0], "
                                    "\"collide\": true},"
                                    "{\"type\": \"rod\", \"bodies\": [\"a\", \"d\"]}]"));

  if (s == NULL)
    return;
  SS_CHECK (s->scene->n_contacts == 5);
  SS_CHECK (find_contact (s->scene, "a-b") == NULL && find_contact (s->scene, "a-c") != NULL &&
            find_contact (s->scene, "a-d") != NULL);
  ss_scenario_free (s);
}

/* ---- actuators and forces ---------------------------------------------------------------------------------------- */

static double
evaluate (const SsScenario *s, SsExpr e, const double *inputs)
{
  int n = ss_graph_n_nodes (s->scene->graph);
  double *memo = calloc ((size_t)n, sizeof *memo), value;
  int *stamp = calloc ((size_t)n, sizeof *stamp);

  value = ss_graph_eval (s->scene->graph, e, inputs, s->scene->n_slots, memo, stamp, 1);
  free (memo);
  free (stamp);
  return value;
}

static void
test_formulas (void)
{
  SsScenario *s =
      ss_test_read_text (SCENE ("\"contacts\": [], \"bodies\": [" DISC ("b", ", \"position\": [1, 0]") "," DISC (
          "c",
          ", \"position\": [2, 0]") "],"
                                    "\"joints\": [{\"name\": \"hinge\", \"type\": \"pin\", \"bodies\": [\"world\", "
                                    "\"b\"], \"anchor\": [0, 0]}],"
                                    "\"actuators\": [{\"name\": \"motor\", \"type\": \"joint\", \"joint\": \"hinge\", "
                                    "\"lower\": -1, \"upper\": \"a\", "
                                    "\"formula\": \"-k*b.theta - 0.1*b.omega + sin(t)\"},"
                                    "{\"name\": \"jet\", \"type\": \"force\", \"body\": \"c\", \"direction\": [0, 2], "
                                    "\"anchor\": [0.5, 0], \"frame\": \"body\"},"
                                    "{\"name\": \"wheel\", \"type\": \"torque\", \"body\": \"c\"}],"
                                    "\"forces\": [{\"name\": \"drag\", \"body\": \"c\", \"force\": [\"-a*c.vx\", 0]},"
                                    "{\"body\": \"c\", \"torque\": \"if(t < 1, c.x, b.y)\"}]"));

  if (s == NULL)
    return;
  const SsScene *scene = s->scene;
  double inputs[2 * 6 + 2 + 1 + 3] = {0};
  SS_CHECK (scene->slot_parameters == 12 && scene->slot_t == 14 && scene->graph != NULL);
  SS_CHECK (scene->slot_controls == 15 && scene->n_slots == scene->slot_controls + scene->n_actuators);
  SS_CHECK (scene->parameter_values[0] == 2 && scene->parameter_values[1] == 5);
  memcpy (inputs + 12, scene->parameter_values, 2 * sizeof (double));
  inputs[2] = 0.3;  /* b.theta */
  inputs[5] = -2;   /* b.omega */
  inputs[6] = 7;    /* c.x */
  inputs[9] = 1.5;  /* c.vx */
  inputs[14] = 0.5; /* t */
  SS_CHECK (scene->n_actuators == 3 && scene->n_forces == 2);
  SS_CHECK (scene->actuators[0].kind == SS_ACTUATOR_JOINT && scene->actuators[0].joint == 0 &&
            scene->actuators[0].body == -1 && scene->actuators[0].lower == -1 && scene->actuators[0].upper == 2);
  SS_CHECK_NEAR (evaluate (s, scene->actuators[0].formula, inputs), -5 * 0.3 + 0.2 + sin (0.5), rounding);
  SS_CHECK (scene->actuators[1].kind == SS_ACTUATOR_FORCE && scene->actuators[1].is_body_frame &&
            scene->actuators[1].direction.y == 1 && scene->actuators[1].anchor.x == 0.5 &&
            scene->actuators[1].formula == SS_EXPR_NONE && isinf (scene->actuators[1].upper));
  SS_CHECK (scene->actuators[2].kind == SS_ACTUATOR_TORQUE && scene->actuators[2].body == 1);
  SS_CHECK_NEAR (evaluate (s, scene->forces[0].fx, inputs), -3, rounding);
  SS_CHECK_NEAR (evaluate (s, scene->forces[0].fy, inputs), 0, 0);
  SS_CHECK (scene->forces[0].torque == SS_EXPR_NONE && scene->forces[1].fx == SS_EXPR_NONE);
  SS_CHECK_NEAR (evaluate (s, scene->forces[1].torque, inputs), 7, 0);
  SS_CHECK_STR (scene->forces[1].name, "force2");
  ss_scenario_free (s);
  /* a scene without formulas has no graph */
  s = ss_test_read_text (SCENE ("\"bodies\": [" DISC ("b", "") "]"));
  SS_CHECK (s != NULL && s->scene->graph == NULL);
  ss_scenario_free (s);
}

/* ---- families ---------------------------------------------------------------------------------------------------- */

static void
test_families (void)
{
  SsOverride rows = {"n", 14};
  SsScenario *s = read_example ("box-pyramid", NULL, 0);

  if (s == NULL)
    return;
  SS_CHECK (s->scene->n_bodies == 1 + 15 && s->scene->bodies[0].item == 0 && s->scene->bodies[1].item == -1);
  SS_CHECK_STR (s->scene->bodies[15].name, "b4_0");
  SS_CHECK (s->scene->bodies[15].q[0] == 0 && s->scene->bodies[15].q[1] == 4.5);
  SS_CHECK (s->parameters[ss_scenario_parameter (s, "n")].is_structural);
  SS_CHECK (!s->parameters[ss_scenario_parameter (s, "mu")].is_structural);
  ss_scenario_free (s);
  s = read_example ("box-pyramid", &rows, 1);
  SS_CHECK (s != NULL && s->scene->n_bodies == 106);
  ss_scenario_free (s);
}

/* 1035 boxes: half a million pairs; the first picture shows where they touch, without a channel for each pair. */
static void
test_many_bodies (void)
{
  SsOverride rows = {"n", 45};
  SsScenario *s = read_example ("box-pyramid", &rows, 1);
  SsTrajectory *start = NULL;
  SsView *view = NULL;

  if (s == NULL)
    return;
  SS_CHECK (s->scene->n_bodies == 1036 && s->scene->n_contacts == 1036 * 1035 / 2);
  SS_CHECK (ss_scenario_initial_trajectory (s, &start, NULL) == SS_OK && start->n_channels == 1 + 6 * 1036 + 7);
  SS_CHECK (ss_view_new (s, start->channels, start->n_channels, &view, NULL) == SS_OK);
  if (view != NULL) {
    int n = ss_view_n_marks (view), n_points = 0;
    SsMark *marks = calloc ((size_t)n, sizeof *marks);

    ss_view_frame (view, ss_trajectory_row (start, 0), marks);
    for (int i = 0; i < n; i++)
      n_points += marks[i].role == SS_ROLE_CONTACT && marks[i].visible;
    /* two points each: 45 boxes on the floor, the others on two boxes each */
    SS_CHECK (n_points == 2 * 45 + 2 * 2 * (1035 - 45));
    free (marks);
  }
  ss_view_free (view);
  ss_trajectory_free (start);
  ss_scenario_free (s);
}

/* ---- the classical scenes ---------------------------------------------------------------------------------------- */

static const char *const classics[] = {
    "ball-on-ramp", "belt-block",    "bouncing-ball",  "box-pyramid",  "card-house",    "compass-walker",
    "domino-row",   "driven-arm",    "rolling-discs",  "four-bar",     "held-pendulum", "newtons-cradle",
    "painleve-rod", "rocking-block", "slider-crank",   "gear-train",   "slack-rope",    "bead-on-wire",
    "cam-follower", "hunt-crossley", "sticky-ceiling", "turning-wire", "gear-hoist",    "tether"};

/* Every scene is good, nothing overlaps at the start by more than rounding, and the velocities of its joints' anchors
 * agree. */
static void
test_classics (void)
{
  for (size_t k = 0; k < sizeof classics / sizeof *classics; k++) {
    SsScenario *s = read_example (classics[k], NULL, 0);
    SsTrajectory *start = NULL;
    int before = ss_test_failed_checks;

    if (s == NULL)
      continue;
    SS_CHECK_STR (s->name, classics[k]);
    SS_CHECK_CONTAINS (s->description, "Expected");
    SS_CHECK (ss_scenario_initial_trajectory (s, &start, NULL) == SS_OK);
    for (int i = 0; i < s->scene->n_contacts; i++)
      SS_CHECK (ss_trajectory_row (start, 0)[1 + 6 * s->scene->n_bodies + 5 * i] > -1e-15);
    for (int i = 0; i < s->scene->n_joints; i++) {
      const SsJoint *j = &s->scene->joints[i];
      SsVec2 v[2] = {{0, 0}, {0, 0}}, p[2];

      for (int e = 0; e < 2; e++) {
        int body = e == 0 ? j->body_a : j->body_b;

        p[e] = world_point (s->scene, body, e == 0 ? j->anchor_a : j->anchor_b);
        if (body >= 0) {
          const SsBody *b = &s->scene->bodies[body];

          v[e] = (SsVec2){b->v[0] - b->v[2] * (p[e].y - b->q[1]), b->v[1] + b->v[2] * (p[e].x - b->q[0])};
        }
      }
      SsVec2 d = {v[1].x - v[0].x, v[1].y - v[0].y};
      if (j->kind == SS_JOINT_PIN)
        SS_CHECK_NEAR (hypot (d.x, d.y), 0, 1e-13);
      else if (j->kind == SS_JOINT_ROD)
        SS_CHECK_NEAR (d.x * (p[1].x - p[0].x) + d.y * (p[1].y - p[0].y), 0, 1e-13);
      else if (j->kind == SS_JOINT_SLIDER)
        SS_CHECK_NEAR (d.x * j->axis.y - d.y * j->axis.x, 0,
                       1e-13); /* only along the axis, which is the world's here */
    }
    if (ss_test_failed_checks > before)
      printf ("  in %s\n", classics[k]);
    ss_trajectory_free (start);
    ss_scenario_free (s);
  }
}

/* Allocation number n fails, for every n, on the way to a scene with everything in it and its picture. */
static void
test_out_of_memory (void)
{
  static const char *const names[] = {"compass-walker", "belt-block", "domino-row"};
  static const char everything[] =
      SCENE ("\"materials\": {\"m\": {\"friction\": 1}}, \"material_pairs\": [{\"materials\": [\"m\", \"m\"], "
             "\"friction\": 2}],"
             "\"bodies\": [" DISC ("b", ", \"material\": \"m\", \"position\": [1, 0]") "," DISC (
                 "c", ", \"position\": [2, 0]") "],"
                                                "\"joints\": [{\"name\": \"hinge\", \"type\": \"pin\", \"bodies\": "
                                                "[\"world\", \"b\"], \"anchor\": [0, 0]}],"
                                                "\"springs\": [{\"bodies\": [\"b\", \"c\"], \"stiffness\": 1}],"
                                                "\"actuators\": [{\"type\": \"joint\", \"joint\": \"hinge\", "
                                                "\"formula\": \"-k*b.theta\"}],"
                                                "\"forces\": [{\"body\": \"c\", \"force\": [\"-a*c.vx\", 0]}], "
                                                "\"contacts\": [\"all\", {\"bodies\": [\"c\", \"b\"]}]");

  for (int k = 0; k < 4; k++) {
    bool done = false;
    int n = 0;

    while (!done && n < 3000) {
      SsProblems problems;
      SsScenario *s = NULL;
      SsTrajectory *start = NULL;
      SsView *view = NULL;
      char path[512];
      SsStatus status;

      ss_problems_init (&problems);
      ss_alloc_fail_at ((uint64_t)++n);
      if (k < 3) {
        snprintf (path, sizeof path, "%s/examples/classics/%s.stickslip.json", SS_SOURCE_ROOT, names[k]);
        status = ss_scenario_read_file (path, NULL, 0, &problems, &s);
      } else {
        status = ss_scenario_read (everything, strlen (everything), "", NULL, 0, &problems, &s);
      }
      if (status == SS_OK)
        status = ss_scenario_initial_trajectory (s, &start, NULL);
      if (status == SS_OK)
        status = ss_view_new (s, start->channels, start->n_channels, &view, NULL);
      ss_alloc_fail_at (0);
      done = status == SS_OK;
      SS_CHECK (done || status == SS_ERR_MEMORY);
      ss_view_free (view);
      ss_trajectory_free (start);
      ss_scenario_free (s);
      ss_problems_clear (&problems);
    }
    SS_CHECK (done && n > 20);
    printf ("  %d allocations\n", n - 1);
  }
}

/* A channel says what it is; the units are those of the definitions (a momentum is in N s). */
static void
check_channel (const SsTrajectory *t, const char *name, SsQuantity quantity, const char *unit, SsOwner owner,
               const char *owner_name, bool is_state)
{
  int c = ss_trajectory_channel (t, name);

  SS_CHECK (c >= 0);
  if (c < 0)
    return;
  SS_CHECK (t->channels[c].quantity == quantity);
  SS_CHECK_STR (t->channels[c].unit, unit);
  SS_CHECK (t->channels[c].owner == owner);
  SS_CHECK_STR (t->channels[c].owner_name, owner_name);
  SS_CHECK (t->channels[c].is_state == is_state);
}

static void
check_channels (const SsTrajectory *t)
{
  char label[64];

  check_channel (t, "t", SS_QUANTITY_TIME, "s", SS_OWNER_SCENE, "", false);
  check_channel (t, "a.x", SS_QUANTITY_POSITION_X, "m", SS_OWNER_BODY, "a", true);
  check_channel (t, "b.omega", SS_QUANTITY_ANGULAR_VELOCITY, "rad/s", SS_OWNER_BODY, "b", true);
  check_channel (t, "touch.impulse_n", SS_QUANTITY_NORMAL_IMPULSE, "N s", SS_OWNER_CONTACT, "touch", false);
  check_channel (t, "touch.cone_violation", SS_QUANTITY_CONE_VIOLATION, "N s", SS_OWNER_CONTACT, "touch", false);
  check_channel (t, "hinge.drift", SS_QUANTITY_DRIFT, "m", SS_OWNER_JOINT, "hinge", false);
  check_channel (t, "u.motor", SS_QUANTITY_CONTROL, "N m", SS_OWNER_ACTUATOR, "motor", false);
  check_channel (t, "u.jet", SS_QUANTITY_CONTROL, "N", SS_OWNER_ACTUATOR, "jet", false);
  check_channel (t, "energy.kinetic", SS_QUANTITY_KINETIC_ENERGY, "J", SS_OWNER_SCENE, "", false);
  check_channel (t, "momentum.x", SS_QUANTITY_MOMENTUM_X, "N s", SS_OWNER_SCENE, "", false);
  check_channel (t, "momentum.angular", SS_QUANTITY_ANGULAR_MOMENTUM, "N m s", SS_OWNER_SCENE, "", false);
  ss_channel_label (&t->channels[ss_trajectory_channel (t, "momentum.x")], label, sizeof label);
  SS_CHECK_STR (label, "momentum.x [N s]");
}

static void
test_channels (void)
{
  SsScenario *s = ss_test_read_text (
      "{\"format\": 1, \"name\": \"c\", \"scene\": {\"bodies\": ["
      "{\"name\": \"a\", \"mass\": 1, \"shape\": {\"type\": \"circle\", \"radius\": 1}},"
      "{\"name\": \"b\", \"mass\": 1, \"position\": [3, 0], \"shape\": {\"type\": \"circle\", \"radius\": 1}}],"
      "\"joints\": [{\"name\": \"hinge\", \"type\": \"pin\", \"bodies\": [\"world\", \"a\"]}],"
      "\"contacts\": [{\"name\": \"touch\", \"bodies\": [\"a\", \"b\"]}],"
      "\"actuators\": [{\"name\": \"motor\", \"type\": \"joint\", \"joint\": \"hinge\"},"
      "{\"name\": \"jet\", \"type\": \"force\", \"body\": \"b\", \"direction\": [1, 0]}]}}");
  SsTrajectory *start = NULL, *bare = NULL;
  const char **names;

  SS_CHECK (s != NULL && ss_scenario_initial_trajectory (s, &start, NULL) == SS_OK);
  if (start == NULL)
    return;
  check_channels (start);

  /* a table of the same names, in the other order but for the time, is told the same; a strange name stays a name */
  names = calloc ((size_t)start->n_channels + 1, sizeof *names);
  names[0] = "t";
  for (int i = 1; i < start->n_channels; i++)
    names[i] = start->channels[start->n_channels - i].name;
  names[start->n_channels] = "some.x";
  SS_CHECK (ss_trajectory_new_named (names, start->n_channels + 1, 1, &bare, NULL) == SS_OK);
  SS_CHECK (ss_scenario_describe (s, bare, NULL) == SS_OK);
  check_channels (bare);
  check_channel (bare, "some.x", SS_QUANTITY_UNKNOWN, "", SS_OWNER_SCENE, "", false);
  free (names);
  ss_trajectory_free (bare);
  ss_trajectory_free (start);
  ss_scenario_free (s);
}

int
main (void)
{
  SS_RUN (test_bad_files);
  SS_RUN (test_impact_files);
  SS_RUN (test_empty_sketch);
  SS_RUN (test_composite_density);
  SS_RUN (test_capsule_and_segment);
  SS_RUN (test_locks);
  SS_RUN (test_anchors);
  SS_RUN (test_springs);
  SS_RUN (test_materials);
  SS_RUN (test_joined_bodies);
  SS_RUN (test_formulas);
  SS_RUN (test_families);
  SS_RUN (test_many_bodies);
  SS_RUN (test_channels);
  SS_RUN (test_classics);
  SS_RUN (test_out_of_memory);
  return ss_test_finish ();
}
