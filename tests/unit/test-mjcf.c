/* tests/unit/test-mjcf.c: files of robots as scenes, number by number. Masses and moments of inertia are closed forms,
 * turns are products of turns about axes, texts that mean the same make the same scene, everything that cannot be read
 * is told with its place, and the examples come back from MJCF as they were. */
#include "app/exchange/ssapp-robot.h"
#include "tests/ss-test-scenario.h"

#define FILE_OF(settings, inner, more) "<mujoco>" settings "<worldbody>" inner "</worldbody>" more "</mujoco>"
#define WORLD(inner)                   FILE_OF ("", inner, "")
#define NEAR                           1e-12

typedef struct {
  char *text, *told, *error;
  SsScenario *scenario; /* NULL: refused */
} Read;

static Read
read_robot (const char *xml, gboolean is_xy, gboolean is_lossy)
{
  const SsappRobotOptions options = {is_xy, is_lossy};
  g_autoptr (GPtrArray) told = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GError) error = NULL;
  Read out = {.text = ssapp_robot_to_scene ("m.xml", xml, strlen (xml), &options, told, &error)};

  g_ptr_array_add (told, NULL);
  out.told = g_strjoinv ("\n", (char **)told->pdata);
  out.error = g_strdup (error != NULL ? error->message : "");
  SS_CHECK ((out.text == NULL) == (error != NULL));
  if (out.text != NULL && !is_lossy) /* what is left out may leave nothing */
    out.scenario = ss_test_read_text (out.text);
  if (out.text != NULL && !is_lossy && out.scenario == NULL)
    printf ("  of %s\n", xml);
  return out;
}

static void
clear (Read *read)
{
  ss_scenario_free (read->scenario);
  g_free (read->text);
  g_free (read->told);
  g_free (read->error);
}

/* The body of that name; one without a mass after a failed check. */
static const SsBody *
body_of (const Read *read, const char *name)
{
  static const SsBody none = {.name = "none", .mass = NAN, .inertia = NAN};

  const int body = read->scenario != NULL ? ss_scene_find (read->scenario->scene, SS_OWNER_BODY, name) : -1;
  if (body >= 0)
    return &read->scenario->scene->bodies[body];
  printf ("  there is no body %s; %s\n", name, read->told);
  SS_CHECK (FALSE);
  return &none;
}

static void
check_body (const char *xml, gboolean is_xy, const char *name, double mass, double inertia)
{
  Read read = read_robot (xml, is_xy, FALSE);
  const SsBody *body = body_of (&read, name);
  const int before = ss_test_failed_checks;

  SS_CHECK_NEAR (body->mass, mass, NEAR * mass);
  SS_CHECK_NEAR (body->inertia, inertia, NEAR * inertia);
  if (ss_test_failed_checks > before)
    printf ("  of %s\n%s\n", xml, read.told);
  clear (&read);
}

/* ---- masses ------------------------------------------------------------------------------------------------------ */

/* Of 1000 kg/m3. A capsule's moment across is that of a cylinder and of two half balls about the middle: each 2/5 r2 of
 * its mass about the ball's centre, less the way to its own centre (3/8 r), and Steiner's from there. */
static void
a_solid_weighs_what_its_volume_does (void)
{
  const double r = 0.1, l = 0.6, cylinder = 1000 * G_PI * r * r * l, ball = 1000 * G_PI * 4 / 3 * r * r * r;
  const double offset = 3 * r / 8, half_ball = ball / 2 * (0.4 * r * r - offset * offset);
  const double across =
      cylinder * (r * r / 4 + l * l / 12) + 2 * (half_ball + ball / 2 * (l / 2 + offset) * (l / 2 + offset));
  const double a = 0.1, b = 0.2, c = 0.3, box = 1000 * 8 * a * b * c, egg = 1000 * G_PI * 4 / 3 * a * b * c;
  const struct {
    const char *attributes;
    double mass, inertia;
  } solids[] = {
      {"size=\"0.1\"", ball, 0.4 * ball * r * r},
      {"size=\"0.1\" density=\"500\"", ball / 2, 0.2 * ball * r * r},
      {"size=\"0.1\" mass=\"3\" density=\"500\"", 3, 1.2 * r * r},
      {"type=\"capsule\" size=\"0.1 0.3\"", cylinder + ball, across}, /* along Z, in the plane */
      {"type=\"capsule\" size=\"0.1\" fromto=\"-0.3 0 0 0.3 0 0\"", cylinder + ball, across},
      {"type=\"capsule\" size=\"0.1\" fromto=\"0 -0.3 0 0 0.3 0\"", cylinder + ball,
       cylinder * r * r / 2 + 0.4 * ball * r * r},
      {"type=\"cylinder\" size=\"0.1 0.3\"", cylinder, cylinder * (r * r / 4 + l * l / 12)},
      {"type=\"cylinder\" size=\"0.1 0.3\" euler=\"90 0 0\"", cylinder, cylinder * r * r / 2},
      {"type=\"box\" size=\"0.1 0.2 0.3\"", box, box * (a * a + c * c) / 3},
      {"type=\"box\" size=\"0.1 0.2 0.3\" euler=\"90 0 0\"", box, box * (a * a + b * b) / 3},
      {"type=\"box\" size=\"0.1 0.2 0.3\" euler=\"0 0 90\"", box, box * (b * b + c * c) / 3},
      {"type=\"ellipsoid\" size=\"0.1 0.2 0.3\"", egg, egg * (a * a + c * c) / 5},
      {"type=\"ellipsoid\" size=\"0.1 0.2 0.3\" euler=\"90 0 0\"", egg, egg * (a * a + b * b) / 5},
      {"type=\"ellipsoid\" size=\"0.1 0.2 0.3\" euler=\"0 0 90\"", egg, egg * (b * b + c * c) / 5},
  };

  for (guint i = 0; i < G_N_ELEMENTS (solids); i++) {
    g_autofree char *xml =
        g_strdup_printf (WORLD ("<body name=\"b\"><freejoint/><geom %s/></body>"), solids[i].attributes);
    check_body (xml, FALSE, "b", solids[i].mass, solids[i].inertia);
  }
}

/* n F n of the plane's normal in a frame that is turned about X and then about its own Y: n = Ry' Rx' (0, -1, 0). All
 * six numbers of the tensor differ. */
static void
a_tensor_is_seen_from_the_side (void)
{
  const double f[] = {0.5, 0.6, 0.7, 0.01, 0.03, -0.02}, a = 0.3, b = 0.8;
  const double n[] = {-sin (b) * sin (a), -cos (a), cos (b) * sin (a)};
  const double full = f[0] * n[0] * n[0] + f[1] * n[1] * n[1] + f[2] * n[2] * n[2] + 2 * f[3] * n[0] * n[1] +
                      2 * f[4] * n[0] * n[2] + 2 * f[5] * n[1] * n[2];
  const double diagonal = f[0] * n[0] * n[0] + f[1] * n[1] * n[1] + f[2] * n[2] * n[2];

  check_body (FILE_OF ("<compiler angle=\"radian\"/>",
                       "<body name=\"b\"><freejoint/><geom size=\"1\"/><inertial pos=\"0 0 0\" mass=\"2\" "
                       "fullinertia=\"0.5 0.6 0.7 0.01 0.03 -0.02\" euler=\"0.3 0.8 0\"/></body>",
                       ""),
              FALSE, "b", 2, full);
  check_body (FILE_OF ("<compiler angle=\"radian\"/>",
                       "<body name=\"b\"><freejoint/><geom size=\"1\"/><inertial pos=\"0 0 0\" mass=\"2\" "
                       "diaginertia=\"0.5 0.6 0.7\" euler=\"0.3 0.8 0\"/></body>",
                       ""),
              FALSE, "b", 2, diagonal);
  /* The same as URDF, whose roll, pitch and yaw are about fixed axes: roll and then pitch of what was rolled is pitch
   * before roll there, so that only one of them is told. */
  const double m[] = {0, -cos (a), sin (a)};
  check_body ("<robot name=\"r\"><link name=\"a\"/><link name=\"b\"><inertial><origin rpy=\"0.3 0 0\"/><mass "
              "value=\"2\"/><inertia ixx=\"0.5\" iyy=\"0.6\" izz=\"0.7\" ixy=\"0.01\" ixz=\"0.03\" iyz=\"-0.02\"/>"
              "</inertial></link><joint name=\"j\" type=\"continuous\"><parent link=\"a\"/><child link=\"b\"/>"
              "<axis xyz=\"0 1 0\"/></joint></robot>",
              FALSE, "b", 2, f[1] * m[1] * m[1] + f[2] * m[2] * m[2] + 2 * f[5] * m[1] * m[2]);
}

/* Two balls of 1 and 3 kg in a body, of another group the second, and a third of 2 kg in a body without a joint. */
#define BALLS                                                                                                          \
  "<body name=\"b\"><freejoint/><geom size=\"0.1\" mass=\"1\"/><geom size=\"0.2\" pos=\"1 0 0\" mass=\"3\" "           \
  "group=\"2\"/><body pos=\"0 0 2\"><geom size=\"0.3\" mass=\"2\"/></body></body>"

static void
what_a_file_says_of_all_masses_holds (void)
{
  const double ball[] = {0.4 * 1 * 0.01, 0.4 * 3 * 0.04, 0.4 * 2 * 0.09};
  /* about the middle: parts, and m1 m2 d2 / (m1 + m2 + m3) of each two */
  const double inertia = ball[0] + ball[1] + ball[2] + (1 * 3 * 1 + 1 * 2 * 4 + 3 * 2 * 5) / 6.0;
  Read read = read_robot (WORLD (BALLS), FALSE, FALSE);

  SS_CHECK_NEAR (body_of (&read, "b")->q[0], 0.5, NEAR);
  SS_CHECK_NEAR (body_of (&read, "b")->q[1], 4.0 / 6, NEAR);
  clear (&read);
  check_body (WORLD (BALLS), FALSE, "b", 6, inertia);
  check_body (FILE_OF ("<compiler settotalmass=\"12\"/>", BALLS, ""), FALSE, "b", 12, 2 * inertia);
  check_body (FILE_OF ("<compiler inertiagrouprange=\"0 1\"/>", BALLS, ""), FALSE, "b", 3,
              ball[0] + ball[2] + 2 * 4 / 3.0);
  /* what has no mass of its own is where its body is */
  check_body (FILE_OF ("<compiler inertiagrouprange=\"2 2\" boundmass=\"0.5\"/>", BALLS, ""), FALSE, "b", 3.5,
              ball[1] + 3 * 0.5 / 3.5 * 5);
  check_body (FILE_OF ("<compiler boundmass=\"2.5\"/>", BALLS, ""), FALSE, "b", 4 + 2.5,
              ball[0] + ball[1] + 0.75 + ball[2] + 4 * 2.5 / 6.5 * (0.75 * 0.75 + 4));
  /* an inertial that weighs nothing says where its body's mass is all the same */
  Read bound = read_robot (FILE_OF ("<compiler boundmass=\"2\"/>",
                                    "<body name=\"b\" pos=\"1 0 1\"><freejoint/><inertial pos=\"0.3 0 0\" mass=\"0\" "
                                    "diaginertia=\"1 2 3\"/></body>",
                                    ""),
                           FALSE, FALSE);
  SS_CHECK_NEAR (body_of (&bound, "b")->q[0], 1.3, NEAR);
  SS_CHECK_NEAR (body_of (&bound, "b")->mass, 2, NEAR);
  clear (&bound);
  check_body (FILE_OF ("<compiler boundinertia=\"7\"/>", BALLS, ""), FALSE, "b", 6,
              7 + 7 + (4 * 2 / 6.0) * (0.75 * 0.75 + 4));
  /* An inertial, and geoms beside it. */
#define BOTH                                                                                                           \
  "<body name=\"b\"><freejoint/><inertial pos=\"0 0 0\" mass=\"5\" diaginertia=\"1 2 3\"/><geom size=\"0.1\" "         \
  "mass=\"1\"/></body>"
  check_body (WORLD (BOTH), FALSE, "b", 5, 2);
  check_body (FILE_OF ("<compiler inertiafromgeom=\"auto\"/>", BOTH, ""), FALSE, "b", 5, 2);
  check_body (FILE_OF ("<compiler inertiafromgeom=\"false\"/>", BOTH, ""), FALSE, "b", 5, 2);
  check_body (FILE_OF ("<compiler inertiafromgeom=\"true\"/>", BOTH, ""), FALSE, "b", 1, ball[0]);
  check_body (WORLD (BOTH), TRUE, "b", 5, 3); /* the plane of X and Y */
}

/* ---- turns and outlines ------------------------------------------------------------------------------------------ */

/* m = m times a turn about axis x, y or z. */
static void
turn (double m[3][3], char axis, double angle)
{
  const int i = (axis - 'x' + 1) % 3, k = (axis - 'x' + 2) % 3;

  for (int row = 0; row < 3; row++) {
    const double a = m[row][i], b = m[row][k];
    m[row][i] = a * cos (angle) + b * sin (angle);
    m[row][k] = b * cos (angle) - a * sin (angle);
  }
}

/* Turns by 20, 30 and 40 degrees about these axes, each of what was turned before. */
static void
turn_all (double m[3][3], const char *axes, const double degrees[3])
{
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++)
      m[i][k] = i == k;
  for (int i = 0; i < 3; i++)
    turn (m, axes[i], degrees[i] * G_PI / 180);
}

static void
a_frame_is_turned_as_its_file_says (void)
{
  static const double up[] = {20, 30, 40}, down[] = {40, 30, 20}, around[] = {90, 90, 0}, side[] = {0, 90, 0};
  static const struct {
    const char *settings, *attributes, *axes;
    const double *degrees;
  } turns[] = {
      {"", "euler=\"20 30 40\"", "xyz", up},
      {"angle=\"degree\"", "euler=\"20 30 40\"", "xyz", up},
      {"angle=\"radian\"", "euler=\"0.3490658503988659 0.5235987755982988 0.6981317007977318\"", "xyz", up},
      {"eulerseq=\"zyx\"", "euler=\"20 30 40\"", "zyx", up},
      {"eulerseq=\"yxy\"", "euler=\"20 30 40\"", "yxy", up},
      {"eulerseq=\"XYZ\"", "euler=\"20 30 40\"", "zyx", down}, /* about fixed axes: the last turn is the first */
      {"eulerseq=\"ZXZ\"", "euler=\"20 30 40\"", "zxz", down},
      {"", "axisangle=\"0 2 0 90\"", "xyz", side},
      {"angle=\"radian\"", "axisangle=\"0 1 0 1.5707963267948966\"", "xyz", side},
      {"", "axisangle=\"1 1 1 120\"", "xyz", around}, /* x becomes y, y z, z x; so do two quarters */
      {"", "quat=\"0.5 0.5 0.5 0.5\"", "xyz", around},
      {"", "quat=\"3 3 3 3\"", "xyz", around},
      {"", "quat=\"1 0 1 0\"", "xyz", side},
      {"", "xyaxes=\"0 1 0 0 0 1\"", "xyz", around},
      {"", "xyaxes=\"0 2 0 0 5 3\"", "xyz", around}, /* the second is made square */
      {"", "zaxis=\"1 0 0\"", "xyz", side},          /* the shortest way there */
      {"", "zaxis=\"4 0 0\"", "xyz", side},
      {"", "quat=\"1 0 1 0\" euler=\"1 2 3\"", "xyz", side}, /* the first of them counts */
  };
  static const double p[] = {0.3, 0.5, 0.7}, at[] = {1, 2, 3};

  static const char *const ways[][2] = {
      {"<body name=\"b\" pos=\"1 2 3\" ", "><freejoint/><geom size=\"0.1\" pos=\"0.3 0.5 0.7\"/></body>"},
      {"<frame pos=\"1 2 3\" ",
       "><body name=\"b\"><freejoint/><geom size=\"0.1\" pos=\"0.3 0.5 0.7\"/></body></frame>"},
      {"<body name=\"b\"><freejoint/><body pos=\"1 2 3\" ", "><geom size=\"0.1\" pos=\"0.3 0.5 0.7\"/></body></body>"},
  };

  for (guint i = 0; i < 6 * G_N_ELEMENTS (turns); i++) {
    const guint of = i / 6, way = i % 3;
    const gboolean is_xy = i % 2 == 1;
    double m[3][3];
    turn_all (m, turns[of].axes, turns[of].degrees);
    g_autofree char *xml = g_strconcat ("<mujoco><compiler ", turns[of].settings, "/><worldbody>", ways[way][0],
                                        turns[of].attributes, ways[way][1], "</worldbody></mujoco>", NULL);
    Read read = read_robot (xml, is_xy, FALSE);
    const SsBody *body = body_of (&read, "b");
    const int before = ss_test_failed_checks;
    for (int k = 0; k < 2; k++) {
      const int row = k == 0 ? 0 : is_xy ? 1 : 2;
      SS_CHECK_NEAR (body->q[k], at[row] + m[row][0] * p[0] + m[row][1] * p[1] + m[row][2] * p[2], NEAR);
    }
    if (ss_test_failed_checks > before)
      printf ("  of %s\n", xml);
    clear (&read);
  }
}

/* How far a shape reaches in a direction: of a polygon its corner, of what is round its points and its radius. */
static double
reach_of (const SsShape *shape, SsVec2 d)
{
  double far = -INFINITY;

  if (shape->kind == SS_SHAPE_CIRCLE)
    return d.x * shape->centre.x + d.y * shape->centre.y + shape->radius;
  for (int i = 0; i < shape->n_vertices; i++)
    far = fmax (far, d.x * shape->vertices[i].x + d.y * shape->vertices[i].y);
  return far + shape->radius;
}

/* What a solid reaches in a direction has a closed form; an outline of corners reaches less by the cosine of half a
 * corner's angle. */
static void
an_outline_reaches_as_far_as_its_solid (void)
{
  enum { BOX, CYLINDER, CAPSULE, ELLIPSOID, N_TYPES };
  static const char *const types[] = {"box", "cylinder", "capsule", "ellipsoid"};
  static const double turns[][3] = {{0, 0, 0}, {90, 0, 0}, {0, 90, 0}, {0, 0, 90}, {0, 25, 0}, {20, 30, 40}};
  const double s[] = {0.1, 0.2, 0.3}, corner = 1 - cos (G_PI / 16);

  for (int type = 0; type < N_TYPES; type++)
    for (guint t = 0; t < G_N_ELEMENTS (turns); t++) {
      double m[3][3];
      turn_all (m, "xyz", turns[t]);
      g_autofree char *xml = g_strdup_printf (WORLD ("<body name=\"b\"><freejoint/><geom type=\"%s\" size=\"%s\" "
                                                     "mass=\"1\" euler=\"%g %g %g\"/></body>"),
                                              types[type],
                                              type % 2 == 0 && type != CAPSULE ? "0.1 0.2 0.3"
                                              : type == ELLIPSOID              ? "0.1 0.2 0.3"
                                                                               : "0.1 0.2",
                                              turns[t][0], turns[t][1], turns[t][2]);
      Read read = read_robot (xml, FALSE, FALSE);
      const SsBody *body = body_of (&read, "b");
      const int before = ss_test_failed_checks;
      for (int i = 0; i < 32 && !isnan (body->mass); i++) {
        const SsVec2 d = {cos (2 * G_PI * i / 32), sin (2 * G_PI * i / 32)};
        double along[3], wanted = 0, less = 0;
        for (int k = 0; k < 3; k++)
          along[k] = d.x * m[0][k] + d.y * m[2][k];
        switch (type) {
        case BOX:
          for (int k = 0; k < 3; k++)
            wanted += s[k] * fabs (along[k]);
          break;
        case CYLINDER:
          wanted = s[1] * fabs (along[2]) + s[0] * sqrt (fmax (0, 1 - along[2] * along[2]));
          less = s[0] * corner;
          break;
        case CAPSULE:
          wanted = s[0] + s[1] * fabs (along[2]);
          break;
        default:
          for (int k = 0; k < 3; k++)
            wanted += s[k] * s[k] * along[k] * along[k];
          wanted = sqrt (wanted);
        }
        const double reach = reach_of (&body->shape, d);
        SS_CHECK (reach <= wanted + NEAR && reach >= wanted - less - NEAR);
      }
      if (ss_test_failed_checks > before)
        printf ("  of %s\n%s\n", xml, read.text);
      clear (&read);
    }
}

/* ---- texts that mean the same ------------------------------------------------------------------------------------ */

#define BODY(members) "<body name=\"b\">" members "</body>"
#define DISC          "<geom size=\"0.1\" mass=\"1\"/>"
#define HINGE         "<joint name=\"h\" axis=\"0 -1 0\"/>"
#define ACTED(more)   FILE_OF ("", BODY (HINGE DISC), "<actuator>" more "</actuator>")
#define RANGED(joint) FILE_OF ("", BODY (joint DISC), "")
#define TWO(settings, more)                                                                                            \
  FILE_OF (settings,                                                                                                   \
           "<body name=\"a\"><freejoint/><geom name=\"ga\" size=\"0.1\" mass=\"1\" friction=\"0.5\"/></body>"          \
           "<body name=\"c\" pos=\"1 0 0\">" HINGE "<geom name=\"gc\" size=\"0.1\" mass=\"1\" friction=\"0.3\"/>"      \
           "</body>",                                                                                                  \
           more)

static const char *const same[][2] = {
    /* joints */
    {RANGED ("<freejoint/>"), RANGED ("<joint type=\"free\"/>")},
    {RANGED ("<joint axis=\"0 1 0\" range=\"-30 60\"/>"), RANGED ("<joint axis=\"0 -1 0\" range=\"-60 30\"/>")},
    {RANGED ("<joint axis=\"0 1 0\" range=\"-30 60\" limited=\"true\"/>"),
     RANGED ("<joint type=\"hinge\" axis=\"0 7 0\" range=\"-30 60\" limited=\"auto\"/>")},
    {RANGED ("<joint axis=\"0 1 0\" range=\"-30 60\" limited=\"false\"/>"), RANGED ("<joint axis=\"0 1 0\"/>")},
    {FILE_OF ("<compiler autolimits=\"false\"/>", BODY ("<joint axis=\"0 1 0\" range=\"-30 60\"/>" DISC), ""),
     RANGED ("<joint axis=\"0 1 0\"/>")},
    {FILE_OF ("<compiler angle=\"radian\"/>",
              BODY ("<joint axis=\"0 1 0\" stiffness=\"5\" springref=\"1.5707963267948966\"/>" DISC), ""),
     RANGED ("<joint axis=\"0 1 0\" stiffness=\"5\" springref=\"90\"/>")},
    {RANGED ("<joint axis=\"0 1 0\" range=\"-1e7 60\" limited=\"true\" ref=\"10\"/>"),
     RANGED ("<joint axis=\"0 1 0\" range=\"-1e6 60\" ref=\"10\"/>")}, /* beyond what any joint reaches */
    /* what an option switches off */
    {FILE_OF ("<option><flag limit=\"disable\"/></option>", BODY ("<joint axis=\"0 1 0\" range=\"-30 60\"/>" DISC), ""),
     RANGED ("<joint axis=\"0 1 0\"/>")},
    {FILE_OF ("<option><flag frictionloss=\"disable\"/></option>",
              BODY ("<joint axis=\"0 1 0\" frictionloss=\"2\"/>" DISC), ""),
     RANGED ("<joint axis=\"0 1 0\"/>")},
    {FILE_OF ("<option><flag spring=\"disable\"/></option>",
              BODY ("<joint axis=\"0 1 0\" stiffness=\"2\" damping=\"3\"/>" DISC), ""),
     RANGED ("<joint axis=\"0 1 0\" damping=\"3\"/>")},
    {FILE_OF ("<option><flag damper=\"disable\"/></option>",
              BODY ("<joint axis=\"0 1 0\" stiffness=\"2\" damping=\"3\"/>" DISC), ""),
     RANGED ("<joint axis=\"0 1 0\" stiffness=\"2\"/>")},
    {FILE_OF ("<option><flag passive=\"disable\"/></option>",
              BODY ("<joint axis=\"0 1 0\" stiffness=\"2\" damping=\"3\" frictionloss=\"1\" range=\"-30 60\"/>" DISC),
              ""),
     RANGED ("<joint axis=\"0 1 0\" frictionloss=\"1\" range=\"-30 60\"/>")},
    {FILE_OF ("<option><flag constraint=\"disable\"/></option>",
              BODY ("<joint axis=\"0 1 0\" stiffness=\"2\" damping=\"3\" frictionloss=\"1\" range=\"-30 60\"/>" DISC),
              ""),
     RANGED ("<joint axis=\"0 1 0\" stiffness=\"2\" damping=\"3\"/>")},
    {FILE_OF ("<option gravity=\"1 2 3\"><flag gravity=\"disable\"/></option>", BODY (HINGE DISC), ""),
     FILE_OF ("<option gravity=\"0 0 0\"/>", BODY (HINGE DISC), "")},
    {FILE_OF ("<option><flag actuation=\"disable\"/></option>", BODY (HINGE DISC),
              "<actuator><motor joint=\"h\"/></actuator>"),
     RANGED (HINGE)},
    {TWO ("<option><flag contact=\"disable\"/></option>", "<contact><pair geom1=\"ga\" geom2=\"gc\"/></contact>"),
     TWO ("<default><geom contype=\"0\" conaffinity=\"0\"/></default>", "")},
    {TWO ("<option><flag equality=\"disable\"/></option>",
          "<equality><connect body1=\"a\" body2=\"c\" anchor=\"0 0 0\"/></equality>"),
     TWO ("", "")},
    {TWO ("<option><flag filterparent=\"enable\" contact=\"enable\" limit=\"enable\" gravity=\"enable\"/></option>",
          ""),
     TWO ("", "")},
    /* contacts: the larger friction of two geoms; a pair's own; masks; the world by its name */
    {TWO ("", "<contact><pair geom1=\"ga\" geom2=\"gc\"/></contact>"),
     TWO ("", "<contact><pair geom1=\"gc\" geom2=\"ga\" friction=\"0.5\"/></contact>")},
    {TWO ("", "<contact><pair geom1=\"ga\" geom2=\"gc\" friction=\"0.5 0.5 0.1 0.2\"/></contact>"), TWO ("", "")},
    {TWO ("", "<contact><exclude body1=\"a\" body2=\"c\"/></contact>"),
     TWO ("", "<contact><exclude body1=\"c\" body2=\"a\"/></contact>")},
    {TWO ("", "<contact><exclude body1=\"world\" body2=\"c\"/></contact>"), TWO ("", "")},
    {TWO ("<default><geom condim=\"1\"/></default>", ""),
     TWO ("", "<contact><pair geom1=\"ga\" geom2=\"gc\" condim=\"1\"/></contact>")},
    /* defaults: of all, of a class, of the class around it, of the bodies around */
    {FILE_OF ("<default><joint axis=\"0 1 0\" damping=\"3\"/><geom mass=\"2\"/></default>",
              BODY ("<joint/><geom size=\"0.1\"/>"), ""),
     WORLD (BODY ("<joint axis=\"0 1 0\" damping=\"3\"/><geom size=\"0.1\" mass=\"2\"/>"))},
    {FILE_OF ("<default><joint damping=\"9\"/><default class=\"k\"><joint axis=\"0 1 0\" "
              "damping=\"3\"/></default></default>",
              BODY ("<joint class=\"k\"/>" DISC), ""),
     RANGED ("<joint axis=\"0 1 0\" damping=\"3\"/>")},
    {FILE_OF ("<default><joint damping=\"9\"/><default class=\"k\"><joint axis=\"0 1 0\"/></default></default>",
              "<body name=\"b\" childclass=\"k\"><joint/>" DISC "</body>", ""),
     RANGED ("<joint axis=\"0 1 0\" damping=\"9\"/>")},
    {FILE_OF ("<default class=\"main\"><default class=\"k\"><default class=\"l\"><joint axis=\"0 1 "
              "0\"/></default><joint damping=\"2\" "
              "stiffness=\"1\"/></default></default>",
              "<body name=\"b\" childclass=\"k\"><joint class=\"l\" stiffness=\"4\"/>" DISC "</body>", ""),
     RANGED ("<joint axis=\"0 1 0\" damping=\"2\" stiffness=\"4\"/>")},
    {FILE_OF ("<default><geom euler=\"0 90 0\"/></default>", BODY (HINGE "<geom type=\"box\" size=\"1 2 3\"/>"), ""),
     WORLD (BODY (HINGE "<geom type=\"box\" size=\"1 2 3\" euler=\"0 90 0\"/>"))},
    /* actuators: a servo is a general law */
    {ACTED ("<position name=\"m\" joint=\"h\" kp=\"3\" kv=\"2\" gear=\"4\" ctrlrange=\"-1 2\" forcerange=\"-5 6\"/>"),
     ACTED ("<general name=\"m\" joint=\"h\" gainprm=\"3\" biastype=\"affine\" biasprm=\"0 -3 -2\" gear=\"4\" "
            "ctrlrange=\"-1 2\" forcerange=\"-5 6\"/>")},
    {ACTED ("<velocity name=\"m\" joint=\"h\" kv=\"3\" ctrlrange=\"-1 2\"/>"),
     ACTED (
         "<general name=\"m\" joint=\"h\" gainprm=\"3\" biastype=\"affine\" biasprm=\"0 0 -3\" ctrlrange=\"-1 2\"/>")},
    {ACTED ("<position name=\"m\" joint=\"h\"/>"),
     ACTED ("<position name=\"m\" joint=\"h\" kp=\"1\" kv=\"0\" gear=\"1 0 0 0 0 0\"/>")},
    {ACTED ("<motor name=\"m\" joint=\"h\" gear=\"-2\" ctrlrange=\"-1 3\"/>"),
     ACTED ("<general name=\"m\" joint=\"h\" biasprm=\"7 7 7\" gear=\"2\" ctrlrange=\"-3 1\"/>")},
    {ACTED ("<general name=\"m\" joint=\"h\" gainprm=\"4\" ctrlrange=\"-1 3\" forcerange=\"-2 100\"/>"),
     ACTED ("<motor name=\"m\" joint=\"h\" ctrlrange=\"-2 12\"/>")},
    {ACTED ("<motor name=\"m\" joint=\"h\" ctrlrange=\"-1 3\" ctrllimited=\"false\" forcerange=\"-2 5\"/>"),
     ACTED ("<motor name=\"m\" joint=\"h\" ctrlrange=\"-2 5\"/>")},
    /* geoms */
    {WORLD (BODY (HINGE "<geom type=\"capsule\" size=\"0.1\" fromto=\"1 0 1 1 0 3\"/>")),
     WORLD (BODY (HINGE "<geom type=\"capsule\" size=\"0.1 1\" pos=\"1 0 2\"/>"))},
    {WORLD (BODY (HINGE "<geom type=\"box\" size=\"0.1\" fromto=\"1 0 1 1 0 3\"/>")),
     WORLD (BODY (HINGE "<geom type=\"box\" size=\"0.1 0.1 1\" pos=\"1 0 2\"/>"))},
    {WORLD (BODY (HINGE "<geom type=\"ellipsoid\" size=\"0.1\" fromto=\"1 0 1 1 0 3\"/>")),
     WORLD (BODY (HINGE "<geom type=\"ellipsoid\" size=\"0.1 0.1 1\" pos=\"1 0 2\"/>"))},
    {WORLD (BODY (HINGE "<geom type=\"sphere\" size=\"0.1 7 7\"/>")), WORLD (BODY (HINGE "<geom size=\"0.1\"/>"))},
    {FILE_OF ("<asset><mesh name=\"w\" scale=\"2 1 0.5\" vertex=\"0 0 0 1 0 0 1 0 2 0 0 2 0.5 0 1\"/></asset>",
              BODY (HINGE "<inertial pos=\"0 0 0\" mass=\"1\" diaginertia=\"1 1 1\"/><geom mesh=\"w\"/>"), ""),
     FILE_OF ("<asset><mesh name=\"w\" vertex=\"0 1 0  2 0 0\n2 1 1\t0 1 1\"/></asset>",
              BODY (HINGE "<inertial pos=\"0 0 0\" mass=\"1\" diaginertia=\"1 1 1\"/><geom type=\"mesh\" mesh=\"w\"/>"),
              "")},
};

/* Without the lines that both tell. */
static void
what_means_the_same_makes_the_same_scene (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (same); i++) {
    Read a = read_robot (same[i][0], FALSE, FALSE), b = read_robot (same[i][1], FALSE, FALSE);
    if (a.text == NULL || b.text == NULL || strcmp (a.text, b.text) != 0) {
      SS_CHECK (FALSE);
      printf ("  %s\n  %s\n%s\n%s\n%s\n%s\n", same[i][0], same[i][1], a.told, b.told, a.text, b.text);
    }
    clear (&a);
    clear (&b);
  }
}

/* ---- what is told ------------------------------------------------------------------------------------------------ */

#define JOINED(joint) WORLD ("\n<body name=\"b\">" joint DISC "</body>")
#define FORMED(geom)  WORLD ("\n<body name=\"b\">" HINGE DISC geom "</body>")
#define TIED(more)    FILE_OF ("", BODY (HINGE DISC "<site name=\"s\"/>"), "\n" more)
#define SET(settings) FILE_OF ("\n" settings, BODY (HINGE DISC), "")
#define URDF(members) "<robot name=\"r\">" LINK ("a") LINK ("b") "\n" members "</robot>"
#define LINK(name)    "<link name=\"" name "\">" MASS "</link>"
#define MASS          "<inertial><mass value=\"1\"/>" MOMENTS "</inertial>"
#define MOMENTS       "<inertia ixx=\"1\" iyy=\"1\" izz=\"1\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/>"
#define DRIVEN(type, more)                                                                                             \
  URDF ("<joint name=\"j\" type=\"" type "\"><parent link=\"a\"/><child link=\"b\"/>" more "</joint>")
#define ONE_LINK(members)                                                                                              \
  "<robot><link name=\"a\"/>\n<link name=\"b\">" members                                                               \
  "</link><joint name=\"j\" type=\"continuous\"><parent link=\"a\"/><child link=\"b\"/><axis xyz=\"0 1 "               \
  "0\"/></joint></robot>"

/* All in line 2; "(error)" is refused, and left out where that is asked for. */
static const char *const told[][2] = {
    {JOINED ("<joint axis=\"0 0 0\"/>"), "joint: axis is zero (error)"},
    {JOINED ("<joint type=\"slide\" axis=\"1 1 0\"/>"), "joint: slides out of the plane (error)"},
    {JOINED ("<joint name=\"j\" type=\"ball\"/>"), "joint 'j': a ball joint moves out of the plane (error)"},
    {JOINED ("<joint axis=\"0 1 0\" springdamper=\"1 1\"/>"),
     "joint: springdamper is not read (expected stiffness and damping) (error)"},
    {JOINED ("<joint axis=\"0 1 0\" range=\"5 5\"/>"), "joint: no value fits into range (error)"},
    {WORLD ("\n<geom name=\"1\" size=\"1\"/><body name=\"1\">" HINGE DISC "</body>"), "geom '1': is called _1_2"},
    {JOINED ("<joint axis=\"0 1 0\" range=\"5\"/>"), "joint: range is '5' (expected 2 numbers) (error)"},
    {JOINED ("<joint axis=\"0 1 0\" range=\"1 2 3\"/>"), "joint: range is '1 2 3' (expected 2 numbers) (error)"},
    {JOINED ("<joint axis=\"0 1 0\" damping=\"1x\"/>"), "joint: damping is '1x' (expected 1 number) (error)"},
    {JOINED ("<joint axis=\"0 1 0\" damping=\"inf\"/>"), "joint: damping is 'inf' (expected 1 number) (error)"},
    {JOINED ("<joint axis=\"0 1 0\" limited=\"yes\"/>"), "joint: limited is 'yes' (expected true or false) (error)"},
    {JOINED ("<joint axis=\"0 1 0\" range=\"10 20\"/>"),
     "joint: starts beyond its range, which reaches to the start here"},
    {JOINED ("<joint axis=\"0 1 0\" range=\"-20 -10\"/>"),
     "joint: starts beyond its range, which reaches to the start here"},
    {JOINED ("<joint axis=\"0 1 0\"/><freejoint/>"),
     "body 'b': a free joint stands alone, in a body of the world (error)"},
    {JOINED ("<joint axis=\"1 0 0\" type=\"slide\"/><joint axis=\"2 0 0\" type=\"slide\"/>"),
     "joint: its body has joints in a combination that needs massless bodies between (error)"},
    {JOINED ("<joint axis=\"1 0 0\" type=\"slide\"/><joint axis=\"0 0 1\" type=\"slide\"/><joint axis=\"0 0 1\" "
             "type=\"slide\"/>"),
     "massless bodies between (error)"},
    {JOINED ("<joint axis=\"1 0 0\" type=\"slide\"/><joint axis=\"0 1 0\"/><joint axis=\"0 0 1\" type=\"slide\"/>"),
     "massless bodies between (error)"},
    {JOINED ("<joint axis=\"1 0 0\" type=\"slide\" frictionloss=\"1\"/><joint axis=\"0 1 0\"/>"),
     "joint: frictionloss is left out: only single joints have friction"},
    {JOINED ("<joint axis=\"1 0 0\" type=\"slide\" armature=\"1\"/>"),
     "joint: armature is left out: only a hinge on the world can have it, as inertia of its body"},
    {JOINED ("<joint axis=\"0 1 0\" quux=\"1\"/>"), "joint: quux is left out"},
    {JOINED ("<joint axis=\"0 1 0\" solreflimit=\"1 1\"/>"), "joint: solreflimit is left out: limits are rigid"},
    {WORLD ("\n<joint axis=\"0 1 0\"/>"), "joint: the world has no joints (error)"},
    {WORLD ("\n<freejoint/>"), "freejoint: the world has no joints (error)"},
    {WORLD ("\n<replicate/>"), "replicate: is not read (error)"},
    {"<mujoco>\n<deformable/></mujoco>", "deformable: is not read (error)"},
    {WORLD ("\n<body name=\"b\" mocap=\"true\">" DISC "</body>"), "body 'b': stands still: nobody moves it"},
    {WORLD ("\n<body name=\"b\">" HINGE "<inertial pos=\"0 0 0\" diaginertia=\"1 1 1\"/></body>"),
     "inertial: has no mass (error)"},
    {WORLD ("\n<body name=\"b\">" HINGE "<inertial pos=\"0 0 0\" mass=\"-1\" diaginertia=\"1 1 1\"/></body>"),
     "inertial: has no mass (error)"},
    {WORLD ("\n<body name=\"b\">" HINGE "<inertial pos=\"0 0 0\" mass=\"1\"/></body>"),
     "inertial: has no moments of inertia (error)"},
    {WORLD ("\n<body name=\"b\">" HINGE "<inertial pos=\"0 0 0\" mass=\"1\" diaginertia=\"1 0 1\"/></body>"),
     "body 'b': moves and has no mass, or no moment of inertia (error)"},
    {WORLD ("\n<body name=\"a b\">" HINGE DISC "</body>"), "body 'a b': is called a_b"},
    {WORLD ("\n<body name=\"b\">" HINGE DISC
            "<inertial pos=\"0 0 0\" mass=\"1\" diaginertia=\"1 1 1\"/><geom mesh=\"m\"/></body>"),
     "geom: its shape is left out: meshes of files are not read"},
    {WORLD ("\n<body name=\"b\">" HINGE "<geom mesh=\"m\"/></body>"),
     "geom: what a mesh weighs is not known, and its body has no inertial (error)"},
    {WORLD ("\n<body name=\"b\">" HINGE "<inertial pos=\"0 0 0\" mass=\"1\" diaginertia=\"1 1 1\"/></body>"),
     "body 'b': has no shape in the plane: it is drawn as a small disc that touches nothing"},
    /* geoms */
    {FORMED ("<geom type=\"sdf\" size=\"1\"/>"), "geom: type is 'sdf' (error)"},
    {FORMED ("<geom name=\"g\"/>"), "geom 'g': size has 0 numbers (expected 1) (error)"},
    {FORMED ("<geom type=\"box\" size=\"1 1\"/>"), "geom: size has 2 numbers (expected 3) (error)"},
    {FORMED ("<geom type=\"capsule\" size=\"1\"/>"), "geom: size has 1 numbers (expected 2) (error)"},
    {FORMED ("<geom type=\"cylinder\" fromto=\"0 0 0 1 0 0\"/>"), "geom: size has 0 numbers (expected 2) (error)"},
    {FORMED ("<geom type=\"capsule\" size=\"1\" fromto=\"1 2 3 1 2 3\"/>"), "geom: fromto has no length (error)"},
    {FORMED ("<geom type=\"box\" size=\"1 0 1\"/>"), "geom: a size is not above 0 (error)"},
    {FORMED ("<geom size=\"1\" mass=\"-2\"/>"), "geom: its mass is negative (error)"},
    {FORMED ("<geom size=\"1\" shellinertia=\"true\"/>"), "geom: shellinertia: only solid geoms are weighed (error)"},
    {FORMED ("<geom size=\"1\" contype=\"1.5\"/>"), "geom: contype is no whole number (error)"},
    {FORMED ("<geom size=\"1\" contype=\"3e9\"/>"), "geom: contype is no whole number (error)"},
    {FORMED ("<geom size=\"1\" friction=\"1 2 3 4\"/>"),
     "geom: friction is '1 2 3 4' (expected 1 to 3 numbers) (error)"},
    {FORMED ("<geom type=\"plane\" size=\"1 1 1\"/>"), "geom: a plane belongs to what stands still (error)"},
    {FORMED ("<geom size=\"1\" pos=\"0 1 0\"/>"), "geom: lies beside the plane and is moved into it"},
    {FORMED ("<geom size=\"1\" margin=\"1\"/>"), "geom: margin is left out: contacts begin where bodies touch"},
    {FORMED ("<geom type=\"box\" size=\"1 2 3\" euler=\"20 30 0\"/>"),
     "geom: lies askew to the plane: its outline is taken"},
    {FORMED ("<geom type=\"capsule\" size=\"1 2\" euler=\"20 0 0\"/>"),
     "geom: lies askew to the plane: its outline is taken"},
    {FORMED ("<geom type=\"cylinder\" size=\"1 2\" euler=\"20 0 0\"/>"),
     "geom: lies askew to the plane: its outline is taken"},
    {FORMED ("<geom type=\"ellipsoid\" size=\"1 2 3\"/>"), "geom: is a polygon of 32 corners"},
    {FORMED ("<geom size=\"1\" quat=\"0 0 0 0\"/>"), "geom: quat is zero (error)"},
    {FORMED ("<geom size=\"1\" axisangle=\"0 0 0 1\"/>"), "geom: the axis of axisangle is zero (error)"},
    {FORMED ("<geom size=\"1\" xyaxes=\"1 0 0 2 0 0\"/>"), "geom: xyaxes have no directions (error)"},
    {FORMED ("<geom size=\"1\" xyaxes=\"1 0 0 2 0\"/>"), "geom: xyaxes is '1 0 0 2 0' (expected 6 numbers) (error)"},
    {FORMED ("<geom size=\"1\" zaxis=\"0 0 0\"/>"), "geom: zaxis is zero (error)"},
    {WORLD ("\n<geom size=\"1\"/><geom type=\"plane\" zaxis=\"0 1 0\" size=\"1 1 1\"/>"),
     "geom: is left out: a wall beside the plane"},
    {WORLD ("\n<geom type=\"plane\" zaxis=\"0 1 1\" size=\"1 1 1\"/>"), "geom: stands askew to the plane (error)"},
    {FILE_OF ("<asset>\n<mesh name=\"m\" vertex=\"0 0 0 1 0 0 1 0\"/></asset>", "<geom mesh=\"m\"/>", ""),
     "mesh 'm': 8 numbers are no vertices (error)"},
    {FILE_OF ("<asset>\n<mesh name=\"m\" vertex=\"\"/></asset>", "<geom mesh=\"m\"/>", ""),
     "mesh 'm': 0 numbers are no vertices (error)"},
    {FILE_OF ("<asset>\n<mesh name=\"m\" vertex=\"0 0 0 1 0 0 2 0 0\"/></asset>", "<geom mesh=\"m\"/>", ""),
     "mesh 'm': its outline has 2 corners (expected 3 to 64) (error)"},
    {FILE_OF ("<asset>\n<mesh name=\"m\" vertex=\"0 0 0 1 0 nan 2 0 0\"/></asset>", "<geom mesh=\"m\"/>", ""),
     "mesh 'm': a vertex is 'nan' (error)"},
    /* settings */
    {SET ("<compiler angle=\"grad\"/>"), "compiler: angle is 'grad' (expected degree or radian) (error)"},
    {SET ("<compiler coordinate=\"global\"/>"), "compiler: coordinate is 'global' (expected local) (error)"},
    {SET ("<compiler eulerseq=\"xyw\"/>"), "compiler: eulerseq is 'xyw' (expected three of x, y, z) (error)"},
    {SET ("<compiler eulerseq=\"xyzx\"/>"), "compiler: eulerseq is 'xyzx' (expected three of x, y, z) (error)"},
    {SET ("<compiler balanceinertia=\"true\"/>"),
     "compiler: balanceinertia is left out: moments of inertia are as they are"},
    {SET ("<compiler meshdir=\"x\"/>"), "compiler: meshdir is left out: files beside this one are not read"},
    {SET ("<option timestep=\"0\"/>"), "option: timestep is not above 0 (error)"},
    {SET ("<option viscosity=\"1\"/>"), "option: viscosity: there is no fluid here (error)"},
    {SET ("<option gravity=\"0 1 -9\"/>"), "option: gravity across the plane is left out"},
    {SET ("<option solver=\"CG\"/>"), "option: solver is left out: numerics of another program"},
    {SET ("<default><default/></default>"), "default: a class without a name (error)"},
    {SET ("<size memory=\"1\"/>"), "size: is left out: numerics of another program"},
    {SET ("<quux/>"), "quux: is left out"},
    {SET ("<extension/>"), "extension: is left out: plugins of another program"},
    /* what ties bodies */
    {TIED ("<equality><joint joint1=\"h\" polycoef=\"1\"/></equality>"), "joint: does not hold at the start (error)"},
    {TIED ("<equality><joint joint1=\"h\" joint2=\"k\"/></equality>"),
     "joint: there is no joint 'k' in the plane (error)"},
    {TIED ("<equality><connect anchor=\"0 0 0\"/></equality>"), "connect: names no bodies (error)"},
    {TIED ("<equality><connect body1=\"q\" anchor=\"0 0 0\"/></equality>"),
     "connect: names a body that is not there (error)"},
    {TIED ("<equality><weld body1=\"b\" body2=\"q\"/></equality>"), "weld: names a body that is not there (error)"},
    {TIED ("<equality><weld body1=\"b\" body2=\"b\"/></equality>"), "weld: is left out: its bodies are one"},
    {TIED ("<equality><weld body1=\"b\" relpose=\"0 0 0 1 0 0 0\"/></equality>"),
     "weld: relpose is left out: the bodies keep the places of the start"},
    {TIED ("<equality><tendon tendon1=\"t\"/></equality>"), "tendon: is not read (error)"},
    {TIED ("<contact><exclude body1=\"b\" body2=\"q\"/></contact>"), "exclude: there is no body 'q' (error)"},
    {TIED ("<contact><pair geom1=\"q\" geom2=\"r\"/></contact>"), "pair: there is no geom 'q' (error)"},
    {TIED ("<tendon><spatial stiffness=\"1\"><site site=\"s\"/><site site=\"q\"/></spatial></tendon>"),
     "site: there is no site 'q' (error)"},
    {TIED ("<tendon><spatial stiffness=\"1\"><site site=\"s\"/><site site=\"s\"/></spatial></tendon>"),
     "spatial: is left out: its bodies are one"},
    {TIED ("<tendon><spatial range=\"0 1\"><site site=\"s\"/><site site=\"s\"/></spatial></tendon>"),
     "spatial: is left out: its bodies are one"},
    {TIED ("<tendon><fixed stiffness=\"1\"><joint joint=\"h\"/></fixed></tendon>"),
     "fixed: is no spring between two sites (error)"},
    {TIED ("<keyframe><key name=\"start\" qvel=\"1 2\"/></keyframe>"),
     "key 'start': qvel has 2 numbers that are none for the joints in the plane (error)"},
    {TIED ("<keyframe><key name=\"start\" qvel=\"nan\"/></keyframe>"),
     "key 'start': qvel has 1 numbers that are none for the joints in the plane (error)"},
    /* actuators */
    {TIED ("<actuator><motor site=\"s\"/></actuator>"), "motor: is left out: it does not act on a joint"},
    {TIED ("<actuator><muscle joint=\"h\"/></actuator>"), "muscle: is left out: only motors and servos are read"},
    {TIED ("<actuator><position joint=\"h\" timeconst=\"1\"/></actuator>"),
     "position: is left out: it has a timeconst or a dampratio"},
    {TIED ("<actuator><position joint=\"h\" dampratio=\"1\"/></actuator>"),
     "position: is left out: it has a timeconst or a dampratio"},
    {TIED ("<actuator><general joint=\"h\" gaintype=\"affine\"/></actuator>"),
     "general: is left out: only fixed gains, affine biases and no dynamics are read"},
    {TIED ("<actuator><general joint=\"h\" biastype=\"muscle\"/></actuator>"),
     "general: is left out: only fixed gains, affine biases and no dynamics are read"},
    {TIED ("<actuator><general joint=\"h\" dyntype=\"filter\"/></actuator>"),
     "general: is left out: only fixed gains, affine biases and no dynamics are read"},
    {TIED ("<actuator><motor name=\"m\" joint=\"h\" gear=\"2\"/></actuator>"),
     "motor 'm': its control is the force here, ctrl times 2"},
    {TIED ("<actuator><position name=\"m\" joint=\"h\"/></actuator>"),
     "position 'm': its control is the parameter ctrl_m, its law a formula"},
    {TIED ("<actuator><motor joint=\"h\" ctrlrange=\"2 1\"/></actuator>"),
     "motor: no value fits into ctrlrange (error)"},
    /* URDF */
    {DRIVEN ("revolute", "<axis xyz=\"0 1 0\"/><limit lower=\"1\" upper=\"1\"/>"),
     "limit: has no range: the joint is not limited"},
    {DRIVEN ("universal", ""), "joint 'j': its type is 'universal' (error)"},
    {URDF ("<joint name=\"j\"><parent link=\"a\"/><child link=\"b\"/></joint>"),
     "joint 'j': has no name, or no type (error)"},
    {URDF ("<joint name=\"j\" type=\"fixed\"><parent link=\"a\"/></joint>"),
     "joint 'j': its child '' is no link (error)"},
    {URDF ("<link/>"), "link: has no name (error)"},
    {URDF ("<link name=\"a\"/>"), "link 'a': its name is that of another link (error)"},
    {ONE_LINK (MASS "</link><transmission/><link name=\"c\">"),
     "transmission: is left out: each joint with an effort has a motor"},
    {DRIVEN ("continuous", "<axis xyz=\"0 1 0\"/><safety_controller/>"),
     "safety_controller: is left out: limits are those of limit"},
    {ONE_LINK ("<inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\" ixy=\"0\" ixz=\"0\"/></inertial>"),
     "inertial: has no iyz (error)"},
    {ONE_LINK ("<inertial>" MOMENTS "</inertial>"), "inertial: has no mass (error)"},
    {ONE_LINK (MASS "<visual/>"), "visual: has no geometry (error)"},
    {ONE_LINK (MASS "<collision><geometry/></collision>"), "collision: has no geometry (error)"},
    {ONE_LINK (MASS "<collision><geometry><box size=\"1 1\"/></geometry></collision>"),
     "box: size is '1 1' (expected 3 numbers) (error)"},
    {ONE_LINK (MASS "<collision><geometry><sphere/></geometry></collision>"),
     "collision: a size is not above 0 (error)"},
};

/* Whether a line "m.xml:2: ..." ends with the words. */
static gboolean
has_line (const char *text, const char *words)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

  for (int i = 0; lines[i] != NULL; i++)
    if (g_str_has_prefix (lines[i], "m.xml:2: ") && g_str_has_suffix (lines[i], words))
      return TRUE;
  return FALSE;
}

static void
what_cannot_be_read_is_told_with_its_place (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (told); i++) {
    const gboolean is_wrong = g_str_has_suffix (told[i][1], " (error)");
    Read strict = read_robot (told[i][0], FALSE, FALSE), lossy = read_robot (told[i][0], FALSE, TRUE);
    g_autoptr (GString) words = g_string_new (told[i][1]);
    const gboolean is_strict = has_line (strict.told, words->str) && (strict.text == NULL) == is_wrong;
    if (is_wrong)
      g_string_replace (words, " (error)", " (left out)", 0);
    if (!is_strict || !has_line (lossy.told, words->str) || lossy.text == NULL ||
        is_wrong != (strstr (strict.error, "a scene cannot say what is marked as an error") != NULL)) {
      SS_CHECK (FALSE);
      printf ("  of %s\n  expected %s\n%s\n  lossy:\n%s\n  %s\n", told[i][0], told[i][1], strict.told, lossy.told,
              strict.error);
    }
    clear (&strict);
    clear (&lossy);
  }
}

/* ---- there and back ---------------------------------------------------------------------------------------------- */

static int
contact_of (const SsScene *scene, const char *a, const char *b)
{
  for (int i = 0; i < scene->n_contacts; i++) {
    const char *first = scene->bodies[scene->contacts[i].body_a].name;
    const char *second = scene->bodies[scene->contacts[i].body_b].name;
    if ((g_str_equal (first, a) && g_str_equal (second, b)) || (g_str_equal (first, b) && g_str_equal (second, a)))
      return i;
  }
  return -1;
}

/* Bodies that move, one by one; contacts, if all have one shape that has a thickness. */
static void
check_there_and_back (const SsScenario *scenario, gboolean is_xy)
{
  const SsappRobotOptions options = {is_xy, TRUE};
  g_autoptr (GPtrArray) lines = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *xml = ssapp_scene_to_mjcf ("s", scenario, &options, lines, NULL);
  const SsScene *scene = scenario->scene;
  gboolean is_plain = TRUE, is_whole = TRUE; /* no motion of it is another one */

  SS_CHECK (xml != NULL);
  for (guint i = 0; i < lines->len; i++)
    is_whole = is_whole && !g_str_has_suffix (g_ptr_array_index (lines, i), "(left out)");
  Read read = read_robot (xml, is_xy, TRUE);
  read.scenario = ss_test_read_text (read.text);
  if (read.scenario == NULL) {
    clear (&read);
    return;
  }
  const SsScene *back = read.scenario->scene;
  SS_CHECK_NEAR (back->gravity.x, scene->gravity.x, 0);
  SS_CHECK_NEAR (back->gravity.y, scene->gravity.y, 0);
  SS_CHECK_NEAR (read.scenario->task.dt, scenario->task.dt, 0);
  for (int b = 0; b < scene->n_bodies; b++) {
    const SsBody *body = &scene->bodies[b];
    is_plain = is_plain && ss_body_n_shapes (body) == 1 && body->shape.kind != SS_SHAPE_SEGMENT;
    if (ss_body_is_immovable (body))
      continue;
    g_autofree char *name = g_strdelimit (g_strdup (body->name), "-", '_'); /* as a formula needs it */
    const SsBody *came = body_of (&read, name);
    SS_CHECK_NEAR (came->mass, body->mass, NEAR * body->mass);
    if (body->inertia > 0)
      SS_CHECK_NEAR (came->inertia, body->inertia, NEAR * body->inertia);
    for (int k = 0; k < 3; k++) {
      SS_CHECK_NEAR (came->q[k], body->q[k], NEAR * fmax (1, fabs (body->q[k])));
      if (is_whole)
        SS_CHECK_NEAR (came->v[k], body->v[k], NEAR * fmax (1, fabs (body->v[k])));
    }
  }
  for (int i = 0; i < scene->n_contacts && is_plain; i++) {
    const SsContact *c = &scene->contacts[i];
    g_autofree char *a = g_strdelimit (g_strdup (scene->bodies[c->body_a].name), "-", '_');
    g_autofree char *b = g_strdelimit (g_strdup (scene->bodies[c->body_b].name), "-", '_');
    const int k = contact_of (back, a, b);
    SS_CHECK (k >= 0);
    if (k >= 0) {
      SS_CHECK_NEAR (back->contacts[k].mu, c->mu, 0);
      SS_CHECK_NEAR (back->contacts[k].rolling, c->mu > 0 ? c->rolling : 0, 0);
    }
  }
  SS_CHECK (!is_plain || back->n_contacts == scene->n_contacts);
  clear (&read);
}

static void
examples_come_back_from_mjcf (void)
{
  static const char *const folders[] = {"classics", "constraint-solver", "fesd-j", "impacts", "plans", "time-freezing"};
  int n = 0;

  for (guint i = 0; i < G_N_ELEMENTS (folders); i++) {
    g_autofree char *path = g_strdup_printf ("%s/examples/%s", SS_SOURCE_ROOT, folders[i]);
    g_autoptr (GDir) folder = g_dir_open (path, 0, NULL);
    for (const char *name; (name = g_dir_read_name (folder)) != NULL;) {
      g_autofree char *relative = g_strdup_printf ("examples/%s/%s", folders[i], name);
      const int before = ss_test_failed_checks;
      SsScenario *scenario = g_str_has_suffix (name, ".json") ? ss_test_read_file (relative, NULL, 0) : NULL;
      if (scenario != NULL && scenario->scene != NULL) {
        check_there_and_back (scenario, FALSE);
        check_there_and_back (scenario, TRUE);
        n++;
      }
      if (ss_test_failed_checks > before)
        printf ("  of %s\n", relative);
      ss_scenario_free (scenario);
    }
  }
  SS_CHECK (n > 50);
}

/* Along the slider's axis from the anchor of its first body to that of its second [m]. */
static double
travel_of (const SsScene *scene, const SsJoint *joint)
{
  const SsBody none = {.q = {0}}, *a = joint->body_a >= 0 ? &scene->bodies[joint->body_a] : &none,
               *b = joint->body_b >= 0 ? &scene->bodies[joint->body_b] : &none;
  const SsVec2 axis = ss_vec2_turned (joint->axis, a->q[2]), pa = ss_vec2_turned (joint->anchor_a, a->q[2]),
               pb = ss_vec2_turned (joint->anchor_b, b->q[2]);

  return axis.x * (b->q[0] + pb.x - a->q[0] - pa.x) + axis.y * (b->q[1] + pb.y - a->q[1] - pa.y);
}

/* A slider that stands 0.2 m along its axis is written so, wherever its bodies are and however they are turned, with
 * either of them first, and comes back with as much room on both sides. */
static void
sliders_are_as_far_out (void)
{
  const double out = 0.2;
  static const struct {
    double q[3];              /* of the first body; world: where it always is */
    const char *first;        /* "world", "arm" */
    double angle, a[2], b[2]; /* of the axis in the first body; anchors */
    gboolean is_reversed;     /* the arm is named second */
  } cases[] = {{{0, 0, 0}, "world", 0, {0.35, -0.5}, {0, 0}, FALSE},
               {{0, 0, 0}, "world", 2.1, {-1.5, 0.75}, {0.25, 0.125}, FALSE},
               {{1, 2, 0.5}, "arm", 0, {0.3, 0.1}, {0, 0}, FALSE},
               {{-3, 0.5, -1.2}, "arm", 0.7, {0.3, -0.4}, {0.1, 0.2}, FALSE},
               {{0.5, -1, 0.3}, "arm", 0.4, {0.35, -0.5}, {0.1, 0}, TRUE}};

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    const double *q = cases[i].q, angle = q[2];
    const SsVec2 axis = {cos (cases[i].angle), sin (cases[i].angle)},
                 anchor = ss_vec2_turned ((SsVec2){cases[i].a[0], cases[i].a[1]}, angle),
                 way = ss_vec2_turned (axis, angle),
                 own = ss_vec2_turned ((SsVec2){cases[i].b[0], cases[i].b[1]}, angle);
    g_autofree char *bodies = g_strdup_printf ("[\"%s\", \"block\"]", cases[i].first),
                    *turned = g_strdup_printf ("[\"block\", \"%s\"]", cases[i].first),
                    *ends = g_strdup_printf ("[[%.17g, %.17g], [%.17g, %.17g]]", cases[i].a[0], cases[i].a[1],
                                             cases[i].b[0], cases[i].b[1]),
                    *ends_turned = g_strdup_printf ("[[%.17g, %.17g], [%.17g, %.17g]]", cases[i].b[0], cases[i].b[1],
                                                    cases[i].a[0], cases[i].a[1]);
    /* Named second, the other moves against the axis: it is turned, so that the joint is as far out. */
    const double sign = cases[i].is_reversed ? -1 : 1;
    g_autofree char *text = g_strdup_printf (
        "{\"format\": 1, \"name\": \"s\", \"scene\": {\"gravity\": [0, -9.81], \"bodies\": [{\"name\": \"arm\", "
        "\"mass\": 1, "
        "\"shape\": {\"type\": \"circle\", \"radius\": 0.1}, \"position\": [%.17g, %.17g], \"angle\": %.17g}, "
        "{\"name\": "
        "\"block\", \"mass\": 2, \"shape\": {\"type\": \"circle\", \"radius\": 0.1}, \"position\": [%.17g, %.17g], "
        "\"angle\": %.17g}], \"joints\": [{\"name\": \"rail\", \"type\": \"slider\", \"bodies\": %s, \"anchors\": %s, "
        "\"axis\": [%.17g, %.17g], \"lower\": -0.5, \"upper\": 1}], \"contacts\": []}, \"task\": {\"t_end\": 1, "
        "\"dt\": "
        "0.01}}",
        q[0], q[1], angle, q[0] + anchor.x + out * way.x - own.x, q[1] + anchor.y + out * way.y - own.y, angle,
        cases[i].is_reversed ? turned : bodies, cases[i].is_reversed ? ends_turned : ends, sign * axis.x,
        sign * axis.y);
    const int before = ss_test_failed_checks;
    SsScenario *scenario = ss_test_read_text (text);
    for (int is_xy = 0; scenario != NULL && is_xy < 2; is_xy++) {
      const SsappRobotOptions options = {is_xy != 0, FALSE};
      g_autoptr (GPtrArray) lines = g_ptr_array_new_with_free_func (g_free);
      g_autofree char *xml = ssapp_scene_to_mjcf ("s", scenario, &options, lines, NULL);
      const char *rail = xml != NULL ? strstr (xml, "<joint name=\"rail\"") : NULL,
                 *ref = rail != NULL ? strstr (rail, " ref=\"") : NULL;
      SS_CHECK_NEAR (ref != NULL ? g_ascii_strtod (ref + strlen (" ref=\""), NULL) : 0, out, NEAR);
      Read read = read_robot (xml != NULL ? xml : "", is_xy != 0, FALSE);
      SS_CHECK (read.scenario != NULL && read.scenario->scene->n_joints == 1);
      if (read.scenario != NULL && read.scenario->scene->n_joints == 1) {
        const SsJoint *joint = &read.scenario->scene->joints[0];
        const double travel = travel_of (read.scenario->scene, joint); /* it may be counted from the start, or back */
        SS_CHECK_NEAR (fmax (joint->upper - travel, travel - joint->lower), 1 - out, NEAR);
        SS_CHECK_NEAR (fmin (joint->upper - travel, travel - joint->lower), 0.5 + out, NEAR);
      }
      clear (&read);
    }
    if (scenario == NULL || ss_test_failed_checks > before) {
      SS_CHECK (scenario != NULL);
      printf ("  of case %u\n", i);
    }
    ss_scenario_free (scenario);
  }
}

int
main (void)
{
  SS_RUN (a_solid_weighs_what_its_volume_does);
  SS_RUN (a_tensor_is_seen_from_the_side);
  SS_RUN (what_a_file_says_of_all_masses_holds);
  SS_RUN (a_frame_is_turned_as_its_file_says);
  SS_RUN (an_outline_reaches_as_far_as_its_solid);
  SS_RUN (what_means_the_same_makes_the_same_scene);
  SS_RUN (what_cannot_be_read_is_told_with_its_place);
  SS_RUN (sliders_are_as_far_out);
  SS_RUN (examples_come_back_from_mjcf);
  return ss_test_finish ();
}
