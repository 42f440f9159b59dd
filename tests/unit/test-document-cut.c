/* tests/unit/test-document-cut.c: the knife on bodies of a file. Truth: what a cut leaves as it is: mass, momentum and
 * angular momentum, places of joints, values of measures; masses by areas. */
#include "scene/ss-measure.h"
#include "tests/ss-test-document.h"

#include <math.h>

/* Numbers of pieces have 12 decimals. */
static const double CLOSE = 1e-10;

/* A box of 2 x 1 that moves and turns, of 3 kg; a pin of the world at its right, a spring at its left, a push at its
 * right, a goal; a ruler of a disc's. */
#define YARD(contacts, task, mass)                                                                                     \
  "{\"format\": 1, \"name\": \"yard\", \"scene\": {\"gravity\": [0, -9.81], \"bodies\": [\n"                           \
  "   {\"name\": \"floor\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]}},\n"            \
  "   {\"name\": \"box\", \"shape\": {\"type\": \"box\", \"width\": 2, \"height\": 1}, " mass                          \
  ", \"position\": [1, 0.5], \"velocity\": [0.5, -1], \"angular_velocity\": 2, \"points\": {\"tip\": [0.8, 0.4]}},\n"  \
  "   {\"name\": \"ball\", \"shape\": {\"type\": \"circle\", \"radius\": 0.5}, \"density\": 4, \"position\": [5, "     \
  "0.5]}],\n"                                                                                                          \
  "  \"contacts\": " contacts ",\n"                                                                                    \
  "  \"joints\": [{\"name\": \"pin\", \"type\": \"pin\", \"bodies\": [\"world\", \"box\"], \"anchor\": [1.9, "         \
  "0.9]}],\n"                                                                                                          \
  "  \"springs\": [{\"name\": \"left\", \"bodies\": [\"world\", \"box\"], \"points\": [[0, 3], [0.1, 0.9]], "          \
  "\"stiffness\": 5}],\n"                                                                                              \
  "  \"actuators\": [{\"name\": \"push\", \"type\": \"force\", \"body\": \"box\", \"direction\": [1, 0], "             \
  "\"anchor\": [0.9, 0]}],\n"                                                                                          \
  "  \"measures\": [{\"name\": \"low\", \"between\": [\"box.corner2\", \"ball\"]},\n"                                  \
  "    {\"name\": \"high\", \"between\": [\"ball\", \"box.corner4\"]},\n"                                              \
  "    {\"name\": \"lid\", \"between\": [\"box.edge3\", \"ball\"]},\n"                                                 \
  "    {\"name\": \"tip\", \"between\": [\"box.tip\", \"ball\"]},\n"                                                   \
  "    {\"name\": \"slope\", \"kind\": \"angle\", \"between\": [\"floor\", \"box.edge2\"]}]},\n"                       \
  " \"outcomes\": {\"far\": \"max(box.x)\"},\n"                                                                        \
  " \"task\": {\"t_end\": 1, \"dt\": 0.01" task "}}\n"

static const SsBody *
body_in (SsappDocument *document, const char *name)
{
  const SsScene *scene = ssapp_document_get_scenario (document)->scene;

  for (int i = 0; i < scene->n_bodies; i++)
    if (g_str_equal (scene->bodies[i].name, name))
      return &scene->bodies[i];
  printf ("no body %s\n", name);
  exit (1);
}

/* Of bodies whose names begin with that: mass, momentum, angular momentum about the world's origin. */
static void
add_up (SsappDocument *document, const char *stem, double sums[4])
{
  const SsScene *scene = ssapp_document_get_scenario (document)->scene;

  memset (sums, 0, 4 * sizeof *sums);
  for (int i = 0; i < scene->n_bodies; i++) {
    const SsBody *b = &scene->bodies[i];
    if (!g_str_has_prefix (b->name, stem))
      continue;
    sums[0] += b->mass;
    sums[1] += b->mass * b->v[0];
    sums[2] += b->mass * b->v[1];
    sums[3] += b->mass * (b->q[0] * b->v[1] - b->q[1] * b->v[0]) + b->inertia * b->v[2];
  }
}

static void
measure_all (SsappDocument *document, int n, double *values)
{
  const SsScene *scene = ssapp_document_get_scenario (document)->scene;
  g_autofree double *poses = g_new (double, 3 * scene->n_bodies);

  for (int i = 0; i < 3 * scene->n_bodies; i++)
    poses[i] = scene->bodies[i / 3].q[i % 3];
  for (int m = 0; m < n; m++)
    values[m] = ss_measure_at (&scene->measures[m], poses, 3).value;
}

static void
check_text (SsappDocument *document, const char *path, const char *expected)
{
  g_autofree char *text = ssapp_document_get_field (document, path, "");

  SS_CHECK_STR (text, expected);
}

static void
test_pieces (void)
{
  static const char *const masses[] = {YARD ("\"all\"", "", "\"mass\": 3"), YARD ("\"all\"", "", "\"density\": 1.5"),
                                       YARD ("\"all\"", "", "\"mass\": 3, \"inertia\": 1.25")};

  for (guint i = 0; i < G_N_ELEMENTS (masses); i++) {
    g_autoptr (SsappDocument) document = open_text (masses[i]);
    g_autofree char *told = NULL;
    double before[4], after[4], values[5], now[5];
    add_up (document, "box", before);
    measure_all (document, 5, values);
    SS_CHECK (ssapp_document_cut (document, (SsVec2){1.3, -1}, (SsVec2){1.3, 2}, NULL, &told, NULL));
    const SsBody *rest = body_in (document, "box"), *piece = body_in (document, "box-2");
    SS_CHECK_NEAR (rest->mass, 3 * 0.65, CLOSE);
    SS_CHECK_NEAR (piece->mass, 3 * 0.35, CLOSE);
    SS_CHECK_NEAR (piece->inertia, 3 * 0.35 * (0.7 * 0.7 + 1) / 12, CLOSE);
    SS_CHECK_NEAR (rest->q[0], 0.65, CLOSE);
    SS_CHECK_NEAR (piece->q[0], 1.65, CLOSE);
    SS_CHECK_NEAR (piece->v[1], -1 + 2 * 0.65, CLOSE);
    add_up (document, "box", after);
    for (int k = 0; k < 4; k++)
      SS_CHECK_NEAR (after[k], before[k], CLOSE);
    measure_all (document, 5, now); /* corners and edges have other numbers, which mean the same */
    for (int k = 0; k < 5; k++)
      SS_CHECK_NEAR (now[k], values[k], CLOSE);
    check_text (document, "scene.measures[0].between[0]", "box-2.corner2");
    check_text (document, "scene.measures[3].between[0]", "box-2.tip");
    check_text (document, "scene.measures[4].between[1]", "box-2.edge2");
    check_text (document, "scene.joints[0].bodies[1]", "box-2");
    check_text (document, "scene.springs[0].bodies[1]", "box");
    check_text (document, "scene.actuators[0].body", "box-2");
    SS_CHECK_STR (told, "“box” was cut: the other piece is “box-2”. Where formulas, measures and limits say “box” they "
                        "mean its largest piece. “pin” goes to “box-2”. “push” goes to “box-2”.");
    SS_CHECK (ssapp_document_get_overlaps (document)->len == 0);
    SS_CHECK (ssapp_document_count_selected (document) == 2);
    SS_CHECK_STR (ssapp_document_get_undo_label (document), "Cut bodies");
    ssapp_document_undo (document);
    SS_CHECK_STR (ssapp_document_get_text (document), masses[i]);
  }
}

/* A file that lists its contacts, and a plan that names those that it knows. */
static void
test_contacts (void)
{
  g_autoptr (SsappDocument) document = open_text (
      YARD ("[{\"name\": \"slide\", \"bodies\": [\"floor\", \"box\"], \"friction\": 0.7}, {\"bodies\": [\"floor\", "
            "\"ball\"]}]",
            ", \"steps\": 10, \"targets\": [{\"body\": \"box\", \"position\": [3, 0.5]}], \"contacts\": [\"slide\"]",
            "\"mass\": 3"));
  const SsScene *scene;
  int n_known = 0;

  SS_CHECK (ssapp_document_cut (document, (SsVec2){1.3, -1}, (SsVec2){1.3, 2}, "box", NULL, NULL));
  scene = ssapp_document_get_scenario (document)->scene;
  SS_CHECK (scene->n_contacts == 4);
  for (int i = 0; i < scene->n_contacts; i++) {
    const char *a = scene->bodies[scene->contacts[i].body_a].name, *b = scene->bodies[scene->contacts[i].body_b].name;
    g_autofree char *path = ssapp_document_contact_path (document, i);
    const gboolean is_slide = g_str_equal (a, "floor") && g_str_has_prefix (b, "box");
    SS_CHECK_NEAR (scene->contacts[i].mu, is_slide ? 0.7 : 0, 0);
    SS_CHECK (ssapp_document_is_candidate (document, path) == is_slide);
    n_known += is_slide;
  }
  SS_CHECK (n_known == 2);
  check_text (document, "task.targets[0].body", "box");
}

/* Formulas stay formulas; a stroke through two bodies cuts both, a disc as a polygon. */
static void
test_formulas (void)
{
  g_autoptr (SsappDocument) document = open_text (
      "{\"format\": 1, \"name\": \"two\", \"parameters\": {\"m\": {\"value\": 4}, \"w\": {\"value\": 3}},\n"
      " \"scene\": {\"bodies\": [\n"
      "  {\"name\": \"box\", \"mass\": \"m\", \"angular_velocity\": \"w\", \"position\": [0, \"m/4\"],\n"
      "   \"shape\": {\"type\": \"box\", \"width\": 2, \"height\": 1}},\n"
      "  {\"name\": \"ball\", \"density\": 2, \"position\": [0, 3], \"shape\": {\"type\": \"circle\", \"radius\": "
      "0.5}}],\n"
      "  \"contacts\": \"all\"}, \"task\": {\"t_end\": 1, \"dt\": 0.01}}\n");
  g_autofree char *told = NULL;
  double area;

  SS_CHECK (ssapp_document_cut (document, (SsVec2){0.2, 5}, (SsVec2){0.2, -5}, NULL, &told, NULL));
  check_text (document, "scene.bodies[0].mass", "(m)*0.6");
  check_text (document, "scene.bodies[0].velocity[1]", "(0) + (w)*(-0.4)");
  SS_CHECK_NEAR (body_in (document, "box-2")->v[1], 3 * 0.6, CLOSE);
  SS_CHECK_NEAR (body_in (document, "box-2")->mass, 1.6, CLOSE);
  area = (body_in (document, "ball")->mass + body_in (document, "ball-2")->mass) / 2;
  SS_CHECK_NEAR (area, 28 * 0.25 * sin (2 * G_PI / 56), CLOSE);
  SS_CHECK_CONTAINS (told, "Its arcs became edges, 56 in a whole turn.");
  SS_CHECK (ssapp_document_count_selected (document) == 4);
}

/* Mass that was not even is, and that is said: a box of inertia 2 kg m2, of 3 * (2^2 + 1^2) / 12 when it is even; a box
 * that hangs .7 m below its centre of mass. What is locked whole touches nothing fixed, as the reader wants it. */
static void
test_uneven (void)
{
  static const char locked[] =
      "{\"format\": 1, \"name\": \"mill\", \"scene\": {\"bodies\": [\n"
      "  {\"name\": \"wall\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]}},\n"
      "  {\"name\": \"wing\", \"mass\": 2, \"lock\": [\"x\", \"y\", \"theta\"], \"position\": [0, 3], \"shape\": "
      "{\"type\": "
      "\"box\", "
      "\"width\": 2, \"height\": 1}, \"angular_velocity\": 1},\n"
      "  {\"name\": \"weight\", \"mass\": 1, \"position\": [9, 3], \"shape\": {\"type\": \"box\", \"width\": 2, "
      "\"height\": "
      "1, \"position\": [0, -0.7]}}],\n"
      "  \"contacts\": []}, \"task\": {\"t_end\": 1, \"dt\": 0.01}}\n";
  g_autoptr (SsappDocument) box = open_text (YARD ("\"all\"", "", "\"mass\": 3, \"inertia\": 2"));
  g_autoptr (SsappDocument) mill = open_text (locked);
  g_autofree char *told = NULL, *wing = NULL, *weight = NULL;

  SS_CHECK (ssapp_document_cut (box, (SsVec2){1.3, -1}, (SsVec2){1.3, 2}, NULL, &told, NULL));
  SS_CHECK_CONTAINS (told, "lies 0 m beside that before, their inertia is 1.25 kg m², it was 2 kg m².");
  SS_CHECK (ssapp_document_cut (mill, (SsVec2){0.3, 1}, (SsVec2){0.3, 5}, NULL, &wing, NULL));
  SS_CHECK_STR (wing, "“wing” was cut: the other piece is “wing-2”.");
  SS_CHECK (body_in (mill, "wing")->v[1] == 0 && body_in (mill, "wing-2")->v[1] == 0); /* both turn about its centre */
  SS_CHECK (body_in (mill, "wing-2")->q[0] == 0 && body_in (mill, "wing-2")->v[2] == 1);
  SS_CHECK (ssapp_document_cut (mill, (SsVec2){9.3, 1}, (SsVec2){9.3, 5}, NULL, &weight, NULL));
  SS_CHECK_CONTAINS (weight, "lies 0.7 m beside that before");
  const SsScene *scene = ssapp_document_get_scenario (mill)->scene;
  for (int i = 0; i < scene->n_contacts; i++)
    SS_CHECK (g_str_has_prefix (scene->bodies[scene->contacts[i].body_b].name, "weight") ||
              g_str_has_prefix (scene->bodies[scene->contacts[i].body_a].name, "weight"));
  SS_CHECK (scene->n_contacts > 0);
}

/* Of the file's texts: an angle by formula turns the lever with it; sizes by formula become numbers, which is said. */
static void
test_angles (void)
{
  static const char text[] =
      "{\"format\": 1, \"name\": \"tilted\", \"parameters\": {\"phi\": {\"value\": 0.3}, \"w\": {\"value\": 2}},\n"
      " \"scene\": {\"bodies\": [{\"name\": \"box\", \"density\": 2, \"angle\": \"phi\", \"angular_velocity\": 3,\n"
      "  \"shape\": {\"type\": \"box\", \"width\": \"w\", \"height\": 1}}], \"contacts\": \"all\"},\n"
      " \"task\": {\"t_end\": 1, \"dt\": 0.01}}\n";
  g_autoptr (SsappDocument) document = open_text (text);
  g_autofree char *told = NULL;
  double sums[4];

  SS_CHECK (ssapp_document_cut (document, (SsVec2){-3 * sin (0.3), 3 * cos (0.3)},
                                (SsVec2){3 * sin (0.3), -3 * cos (0.3)}, NULL, &told, NULL));
  SS_CHECK_STR (told, "“box” was cut: the other piece is “box-2”. Formulas of its size became numbers.");
  for (int i = 0; i < 3; i++) { /* halves of 1 x 1 whose centres are .5 m from that of the box, at any angle */
    const double phi = 0.3 + 0.7 * i;
    g_autofree char *value = g_strdup_printf ("%g", phi);
    SS_CHECK (ssapp_document_set_field (document, "parameters.phi.value", value, "", NULL));
    const SsBody *right =
        body_in (document, "box-2")->v[1] > 0 ? body_in (document, "box-2") : body_in (document, "box");
    SS_CHECK_NEAR (fabs (right->v[0]), 3 * 0.5 * fabs (sin (phi)), CLOSE);
    SS_CHECK_NEAR (fabs (right->v[1]), 3 * 0.5 * fabs (cos (phi)), CLOSE);
    SS_CHECK_NEAR (right->v[0] * right->q[0] + right->v[1] * right->q[1], 0, CLOSE);
    add_up (document, "box", sums);
    SS_CHECK_NEAR (sums[1], 0, CLOSE);
    SS_CHECK_NEAR (sums[2], 0, CLOSE);
    SS_CHECK_NEAR (sums[3], 3 * 4 * (4. + 1) / 12, CLOSE);
  }
}

/* What is locked and turns: whole, its pieces turn about the centre of the body on, whatever it weighs; in places
 * alone, they would turn about others. A goal of a body by density needs an angle as one by mass does. */
static void
test_locked (void)
{
#define MILL(lock, weight)                                                                                             \
  "{\"format\": 1, \"name\": \"mill\", \"scene\": {\"bodies\": [{\"name\": \"wing\", \"lock\": " lock ", " weight      \
  " \"position\": [0, 3], \"shape\": {\"type\": \"box\", \"width\": 2, \"height\": 1}, \"angular_velocity\": 1}],\n"   \
  " \"contacts\": []}, \"task\": {\"t_end\": 1, \"dt\": 0.01}}\n"
  static const char *const whole[] = {MILL ("[\"x\", \"y\", \"theta\"]", "\"density\": 3,"),
                                      MILL ("[\"x\", \"y\", \"theta\"]", "\"mass\": 3, \"uniform\": true,")};
  g_autoptr (SsappDocument) pivot = open_text (MILL ("[\"x\", \"y\"]", "\"density\": 3,"));
  g_autoptr (SsappDocument) goal = open_text (YARD (
      "\"all\"", ", \"steps\": 10, \"targets\": [{\"body\": \"box\", \"position\": [3, 0.5]}]", "\"density\": 3"));
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (whole); i++) {
    g_autoptr (SsappDocument) mill = open_text (whole[i]);
    SS_CHECK (ssapp_document_cut (mill, (SsVec2){0.3, 1}, (SsVec2){0.3, 5}, NULL, NULL, NULL));
    for (int k = 0; k < 2; k++) {
      const SsBody *piece = body_in (mill, k == 0 ? "wing" : "wing-2");
      SS_CHECK (piece->q[0] == 0 && piece->q[1] == 3 && piece->v[0] == 0 && piece->v[1] == 0 && piece->v[2] == 1);
    }
  }
  SS_CHECK (!ssapp_document_cut (pivot, (SsVec2){0.3, 1}, (SsVec2){0.3, 5}, NULL, NULL, &error));
  SS_CHECK_CONTAINS (error->message, "“wing” turns about its centre, which is locked");
  SS_CHECK (ssapp_document_cut (goal, (SsVec2){1.3, -1}, (SsVec2){1.3, 2}, "box", NULL, NULL));
  check_text (goal, "task.targets[0].angle", "0");
}

/* An edge that is shortened is found on its own line, not on that of another shape whose edge runs the same way and is
 * as near: two slanted strips side by side, of which the longer one is cut. */
static void
test_edges_keep_their_lines (void)
{
  g_autoptr (SsappDocument) document =
      open_text ("{\"format\": 1, \"name\": \"strips\", \"scene\": {\"bodies\": [\n"
                 "  {\"name\": \"ball\", \"shape\": {\"type\": \"circle\", \"radius\": 0.5}, \"mass\": 4, "
                 "\"position\": [5, 0.5]},\n"
                 "  {\"name\": \"strip\", \"mass\": 1, \"position\": [0, 3], \"shapes\": [\n"
                 "   {\"type\": \"polygon\", \"vertices\": [[-0.70711, -0.70711], [0.70711, 0.70711], [0.49497, "
                 "0.91924], [-0.91924, "
                 "-0.49497]]},\n"
                 "   {\"type\": \"polygon\", \"vertices\": [[-0.35355, 0.07071], [-0.07071, 0.35355], [-0.28284, "
                 "0.56569], [-0.56569, "
                 "0.28284]]}]}],\n"
                 "  \"measures\": [{\"name\": \"below\", \"between\": [\"strip.edge1\", \"ball\"]}]}, \"task\": "
                 "{\"t_end\": 1, \"dt\": "
                 "0.01}}\n");
  const SsBody *strip = body_in (document, "strip");
  double before[1], after[1];

  measure_all (document, 1, before);
  const SsVec2 from = {strip->q[0] + 1.06066, strip->q[1] - 0.35355},
               to = {strip->q[0] - 0.35355, strip->q[1] + 1.06066};
  SS_CHECK (ssapp_document_cut (document, from, to, "strip", NULL, NULL));
  measure_all (document, 1, after);
  SS_CHECK_NEAR (after[0], before[0], CLOSE);
}

static void
test_refused (void)
{
  static const char family[] =
      "{\"format\": 1, \"name\": \"row\", \"scene\": {\"bodies\": [{\"for\": \"i\", \"from\": 0, \"to\": 2, \"rows\": "
      "[{\"name\": \"box{i}\", \"mass\": 1, \"position\": [\"3*{i}\", 0], \"shape\": {\"type\": \"box\", \"width\": 1, "
      "\"height\": 1}}]}], \"contacts\": \"all\"}, \"task\": {\"t_end\": 1, \"dt\": 0.01}}\n";
  static const struct {
    double stroke[4];
    const char *body, *message;
  } cases[] = {{{1.3, -1, 1.3, 0.5}, NULL, "The stroke ends inside “box”: draw it from one side to the other."},
               {{3, -1, 3, 2}, NULL, "The stroke crosses no body that has an end."},
               {{1.3, -1, 1.3, 2}, "ball", "The stroke crosses no body that has an end."},
               {{1.3, -1, 1.3, 2}, "cat", "There is no body “cat”"}};
  g_autoptr (SsappDocument) document = open_text (YARD ("\"all\"", "", "\"mass\": 3"));

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    const double *s = cases[i].stroke;
    g_autoptr (GError) error = NULL;
    SS_CHECK (!ssapp_document_cut (document, (SsVec2){s[0], s[1]}, (SsVec2){s[2], s[3]}, cases[i].body, NULL, &error));
    SS_CHECK_STR (error->message, cases[i].message);
    SS_CHECK (ssapp_document_get_undo_label (document) == NULL);
  }
  g_autoptr (SsappDocument) row = open_text (family);
  g_autoptr (GError) error = NULL;
  SS_CHECK (!ssapp_document_cut (row, (SsVec2){0.1, -2}, (SsVec2){0.1, 2}, NULL, NULL, &error));
  SS_CHECK_CONTAINS (error->message, "is one of a family");
}

int
main (void)
{
  SS_RUN (test_pieces);
  SS_RUN (test_contacts);
  SS_RUN (test_formulas);
  SS_RUN (test_angles);
  SS_RUN (test_locked);
  SS_RUN (test_uneven);
  SS_RUN (test_edges_keep_their_lines);
  SS_RUN (test_refused);
  return ss_test_finish ();
}
