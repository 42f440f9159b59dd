/* tests/unit/test-document-copy.c: copies of objects of a sketch without a window: duplicates, arrays, pieces as text
 * in this and other sketches; checked by what physics does not need: gaps, joints, names, the reader. */
#include "tests/ss-test-document.h"

#include <math.h>
#include <string.h>

/* A floor; two boxes with a motor between them, a material, a formula and a friction of their own with the floor; a
 * goal; a plan that knows two contacts. */
static const char RIG[] =
    "{\"format\": 1, \"name\": \"rig\",\n"
    " \"parameters\": {\"h\": {\"value\": \"2*g2\"}, \"g2\": 0.3, \"unused\": 7},\n"
    " \"scene\": {\"gravity\": [0, -9.81], \"materials\": {\"rubber\": {\"friction\": 0.9}, \"ice\": {\"friction\": "
    "0.01}},\n"
    "  \"bodies\": [\n"
    "   {\"name\": \"floor\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]}},\n"
    "   {\"name\": \"box\", \"shape\": {\"type\": \"box\", \"width\": 1, \"height\": 0.5}, \"mass\": 2,\n"
    "    \"position\": [0, \"h\"], \"material\": \"rubber\"},\n"
    "   {\"name\": \"arm\", \"shape\": {\"type\": \"box\", \"width\": 1, \"height\": 0.25}, \"density\": 4,\n"
    "    \"position\": [1, 0.6]}],\n"
    "  \"contacts\": [\"all\", {\"bodies\": [\"floor\", \"box\"], \"friction\": 0.2}],\n"
    "  \"joints\": [{\"name\": \"elbow\", \"type\": \"pin\", \"bodies\": [\"box\", \"arm\"], \"anchor\": [0.5, 0.6]},\n"
    "   {\"type\": \"slider\", \"bodies\": [\"world\", \"box\"], \"anchor\": [0, 0.6], \"axis\": [1, 0]}],\n"
    "  \"actuators\": [{\"name\": \"motor\", \"type\": \"joint\", \"joint\": \"elbow\", \"lower\": -5, \"upper\": 5,\n"
    "    \"formula\": \"-h*arm.omega - box.x\"}]},\n"
    " \"task\": {\"t_end\": 1, \"dt\": 0.01, \"horizon\": 1, \"steps\": 20, \"effort\": {\"motor\": 0.1},\n"
    "  \"contacts\": [\"floor-box\", \"floor-arm\"],\n"
    "  \"targets\": [{\"body\": \"box\", \"position\": [2, null], \"velocity\": [0, null]}]}}\n";

static const SsScene *
scene_of (SsappDocument *document)
{
  return ssapp_document_get_scenario (document)->scene;
}

static int
body (SsappDocument *document, const char *name)
{
  const SsScene *scene = scene_of (document);

  for (int i = 0; i < scene->n_bodies; i++)
    if (strcmp (scene->bodies[i].name, name) == 0)
      return i;
  SS_CHECK (!"a body of that name");
  return 0;
}

static void
select_rig (SsappDocument *document)
{
  const char *const keys[] = {"box", "arm", NULL};

  ssapp_document_set_selection (document, keys);
}

/* How far the anchors of a joint are apart at the start [m]. */
static double
residual (const SsScene *scene, const SsJoint *joint)
{
  double ends[2][2];

  for (int k = 0; k < 2; k++) {
    int b = k == 0 ? joint->body_a : joint->body_b;
    SsVec2 anchor = k == 0 ? joint->anchor_a : joint->anchor_b;
    const double *q = b >= 0 ? scene->bodies[b].q : (const double[3]){0, 0, 0};
    ends[k][0] = q[0] + cos (q[2]) * anchor.x - sin (q[2]) * anchor.y;
    ends[k][1] = q[1] + sin (q[2]) * anchor.x + cos (q[2]) * anchor.y;
  }
  return hypot (ends[1][0] - ends[0][0], ends[1][1] - ends[0][1]);
}

static double
gap (const SsScene *scene, int a, int b)
{
  SsGap gaps[SS_MANIFOLD_MAX];
  double least = INFINITY;
  int n = ss_geometry_manifold (&scene->bodies[a].shape, scene->bodies[a].q, &scene->bodies[b].shape,
                                scene->bodies[b].q, gaps);

  for (int i = 0; i < n; i++)
    least = fmin (least, gaps[i].phi);
  return least;
}

/* Numbers go through decimal text of 17 digits and some arithmetic. */
#define CLOSE 1e-9

static double
friction_between (SsappDocument *document, const char *a, const char *b)
{
  g_autofree char *path = g_strdup_printf ("scene.contacts{%s,%s}", a, b);
  int contact = ssapp_document_find_contact (document, path);

  return contact >= 0 ? scene_of (document)->contacts[contact].mu : NAN;
}

static void
check_twin (SsappDocument *document, const char *box, const char *arm, double dx)
{
  const SsScene *scene = scene_of (document);
  int b = body (document, box), a = body (document, arm), n_pins = 0, n_sliders = 0;

  SS_CHECK_NEAR (scene->bodies[b].q[0], dx, CLOSE);
  SS_CHECK_NEAR (scene->bodies[b].q[1], 0.6, CLOSE);
  SS_CHECK_NEAR (gap (scene, b, a), gap (scene, body (document, "box"), body (document, "arm")), CLOSE);
  SS_CHECK_NEAR (gap (scene, 0, b), gap (scene, 0, body (document, "box")), CLOSE);
  SS_CHECK_NEAR (friction_between (document, "floor", box), 0.2, CLOSE); /* the pair's own value came along */
  SS_CHECK_NEAR (scene->bodies[a].mass, 1, CLOSE);
  for (int j = 0; j < scene->n_joints; j++)
    if (scene->joints[j].body_b == a && scene->joints[j].body_a == b)
      n_pins += residual (scene, &scene->joints[j]) < CLOSE;
    else if (scene->joints[j].body_b == b && scene->joints[j].body_a < 0)
      n_sliders += residual (scene, &scene->joints[j]) < CLOSE;
  SS_CHECK (n_pins == 1 && n_sliders == 1);
}

static void
test_duplicate (void)
{
  g_autoptr (SsappDocument) document = open_text (RIG);
  const SsPlan *plan;

  select_rig (document);
  SS_CHECK (ssapp_document_duplicate_selection (document, 3, 0, NULL));
  SS_CHECK_STR (ssapp_document_get_undo_label (document), "Duplicate box and arm");
  SS_CHECK (scene_of (document)->n_bodies == 5 && scene_of (document)->n_joints == 4);
  SS_CHECK (scene_of (document)->n_actuators == 2);
  check_twin (document, "box_2", "arm_2", 3);
  g_autofree char *motor = ssapp_document_get_field (document, "scene.actuators[1].name", ""),
                  *joint = ssapp_document_get_field (document, "scene.actuators[1].joint", ""),
                  *formula = ssapp_document_get_field (document, "scene.actuators[1].formula", ""),
                  *height = ssapp_document_get_field (document, "scene.bodies[3].position[1]", ""),
                  *material = ssapp_document_get_material (document, 3),
                  *effort = ssapp_document_get_field (document, "task.effort.motor_2", "");
  SS_CHECK_STR (motor, "motor_2");
  SS_CHECK_STR (joint, "elbow_2");
  SS_CHECK_STR (formula, "-h*arm_2.omega - box_2.x");
  SS_CHECK_STR (height, "h"); /* what does not change keeps its formula */
  SS_CHECK_STR (material, "rubber");
  SS_CHECK_STR (effort, "0.1");
  plan = ssapp_document_get_scenario (document)->task.plan;
  SS_CHECK (plan->n_targets == 2 && plan->n_candidates == 4);
  SS_CHECK_NEAR (plan->targets[1].value[0], 5, CLOSE); /* the goal, three metres on */
  SS_CHECK (isnan (plan->targets[1].value[1]));
  /* What came is selected, so that the next one is a copy of the copy. */
  SS_CHECK (ssapp_document_is_selected (document, "box_2") && ssapp_document_is_selected (document, "arm_2"));
  SS_CHECK (ssapp_document_is_selected (document, "scene.joints[2]"));
  SS_CHECK (ssapp_document_duplicate_selection (document, 3, 0, NULL));
  check_twin (document, "box_3", "arm_3", 6);
  ssapp_document_undo (document);
  ssapp_document_undo (document);
  SS_CHECK_STR (ssapp_document_get_text (document), RIG);
  SS_CHECK (ssapp_document_get_undo_label (document) == NULL);
}

static void
test_array (void)
{
  g_autoptr (SsappDocument) document = open_text (RIG);
  const SsVec2 centre = {0, 2};
  const SsScene *scene;
  GError *error = NULL;

  select_rig (document);
  SS_CHECK (ssapp_document_array_selection (document, 4, 2.5, 0, 0, NULL, NULL));
  SS_CHECK_STR (ssapp_document_get_undo_label (document), "Array of box and arm");
  check_twin (document, "box_2", "arm_2", 2.5);
  check_twin (document, "box_3", "arm_3", 5);
  check_twin (document, "box_4", "arm_4", 7.5);
  ssapp_document_undo (document);
  SS_CHECK_STR (ssapp_document_get_text (document), RIG);
  /* In a circle: equal distances from the centre, joints that hold. */
  ssapp_document_select (document, "arm");
  SS_CHECK (ssapp_document_array_selection (document, 6, 0, 0, G_PI / 3, &centre, NULL));
  scene = scene_of (document);
  SS_CHECK (scene->n_bodies == 8 && scene->n_joints == 2); /* the pin holds another body, too */
  for (int b = 3; b < 8; b++) {
    SS_CHECK_NEAR (hypot (scene->bodies[b].q[0], scene->bodies[b].q[1] - 2), hypot (1, 1.4), CLOSE);
    SS_CHECK_NEAR (scene->bodies[b].q[2], (b - 2) * G_PI / 3, CLOSE);
  }
  ssapp_document_undo (document);
  SS_CHECK (!ssapp_document_array_selection (document, 1, 1, 0, 0, NULL, &error));
  SS_CHECK_CONTAINS (error->message, "2 to 200");
  g_clear_error (&error);
  SS_CHECK (!ssapp_document_array_selection (document, 3, 0, 0, 0, NULL, NULL));
  SS_CHECK_STR (ssapp_document_get_text (document), RIG);
}

static void
test_paste_elsewhere (void)
{
  g_autoptr (SsappDocument) document = open_text (RIG), other = ssapp_document_new ();
  g_autofree char *text = NULL, *again = NULL, *formula = NULL, *unused = NULL, *height = NULL;

  select_rig (document);
  text = ssapp_document_copy_selection (document, NULL);
  SS_CHECK (text != NULL);
  SS_CHECK (ssapp_document_paste (other, text, 0.1, -0.1, NULL));
  SS_CHECK_STR (ssapp_document_get_undo_label (other), "Paste 2 bodies");
  SS_CHECK (scene_of (other)->n_bodies == 2 && scene_of (other)->n_joints == 2);
  SS_CHECK_NEAR (scene_of (other)->bodies[0].q[1], 0.6, CLOSE); /* h = 2 g2, both came along */
  unused = ssapp_document_get_field (other, "parameters.unused.value", "");
  SS_CHECK (unused == NULL);
  SS_CHECK_NEAR (residual (scene_of (other), &scene_of (other)->joints[0]), 0, CLOSE);
  SS_CHECK (scene_of (other)->n_actuators == 1);
  /* Copied from there it is the same text. */
  again = ssapp_document_copy_selection (other, NULL);
  SS_CHECK (again != NULL && strstr (again, "\"elbow\"") != NULL);
  /* A parameter of the same name and another value keeps its own. */
  SS_CHECK (ssapp_document_set_field (other, "parameters.g2.value", "1", "", NULL));
  SS_CHECK (ssapp_document_paste (other, text, 0.1, 0, NULL));
  SS_CHECK (scene_of (other)->n_bodies == 4);
  SS_CHECK_NEAR (scene_of (other)->bodies[0].q[1], 2, CLOSE);
  SS_CHECK_NEAR (scene_of (other)->bodies[2].q[1], 0.6, CLOSE);
  height = ssapp_document_get_field (other, "scene.bodies[2].position[1]", "");
  SS_CHECK (height != NULL && g_str_has_prefix (height, "h")); /* a formula still */
  formula = ssapp_document_get_field (other, "scene.actuators[1].joint", "");
  SS_CHECK_STR (formula, "elbow_2");
  ssapp_document_undo (other);
  SS_CHECK (scene_of (other)->n_bodies == 2);
}

/* Where something is already, it is put beside it; a second time beside that. */
static void
test_paste_here (void)
{
  g_autoptr (SsappDocument) document = open_text (RIG);
  g_autofree char *text = NULL;

  select_rig (document);
  text = ssapp_document_copy_selection (document, NULL);
  SS_CHECK (ssapp_document_paste (document, text, 0.5, 0, NULL));
  check_twin (document, "box_2", "arm_2", 0.5);
  SS_CHECK (ssapp_document_paste (document, text, 0.5, 0, NULL));
  check_twin (document, "box_3", "arm_3", 1);
  ssapp_document_undo (document);
  ssapp_document_undo (document);
  SS_CHECK_STR (ssapp_document_get_text (document), RIG);
  /* Cut and paste is a move to the same place. */
  SS_CHECK (ssapp_document_delete_selection (document, NULL));
  SS_CHECK (scene_of (document)->n_bodies == 1);
  SS_CHECK (ssapp_document_paste (document, text, 0.5, 0, NULL));
  SS_CHECK (scene_of (document)->n_bodies == 3);
  SS_CHECK_STR (scene_of (document)->bodies[1].name, "box");
  SS_CHECK_NEAR (scene_of (document)->bodies[1].q[0], 0, CLOSE);
}

/* Lists of contacts: a copy has those of its original. */
static void
test_listed_contacts (void)
{
  static const char LISTED[] =
      "{\"format\": 1, \"name\": \"listed\", \"scene\": {\"bodies\": [\n"
      "   {\"name\": \"floor\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]}},\n"
      "   {\"name\": \"a\", \"shape\": {\"type\": \"circle\", \"radius\": 0.2}, \"mass\": 1, \"position\": [0, 1]},\n"
      "   {\"name\": \"b\", \"shape\": {\"type\": \"circle\", \"radius\": 0.2}, \"mass\": 1, \"position\": [1, 1]},\n"
      "   {\"name\": \"c\", \"shape\": {\"type\": \"circle\", \"radius\": 0.2}, \"mass\": 1, \"position\": [2, 1]}],\n"
      "  \"contacts\": [{\"name\": \"foot\", \"bodies\": [\"floor\", \"a\"], \"friction\": 0.1},\n"
      "   {\"bodies\": [\"b\", \"c\"]}]},\n"
      " \"task\": {\"t_end\": 1, \"dt\": 0.01}}\n";
  g_autoptr (SsappDocument) document = open_text (LISTED);
  const char *const keys[] = {"a", "b", NULL};

  ssapp_document_set_selection (document, keys);
  SS_CHECK (ssapp_document_duplicate_selection (document, 0, 1, NULL));
  SS_CHECK_NEAR (friction_between (document, "floor", "a-2"), 0.1, CLOSE);
  SS_CHECK (!isnan (friction_between (document, "b-2", "c")));    /* as b and c */
  SS_CHECK (isnan (friction_between (document, "a-2", "b-2")));   /* as a and b, which pass through one another */
  SS_CHECK (isnan (friction_between (document, "floor", "b-2"))); /* as floor and b */
  SS_CHECK (!isnan (friction_between (document, "a", "a-2")));    /* a copy does not pass through its original */
  ssapp_document_undo (document);
  SS_CHECK_STR (ssapp_document_get_text (document), LISTED);
}

static void
test_bad_text (void)
{
  static const struct {
    const char *text, *says;
  } bad[] = {
      {"", "no text"},
      {"hello", "no piece"},
      {"{\"scene\": {\"bodies\": [}}", "line 1"},
      {"{\"scene\": {}}", "no bodies"},
      {"{\"format\": 1, \"model\": {}}", "equations"},
      {"{\"scene\": {\"bodies\": [{\"for\": \"i = 1..3\", \"rows\": []}]}}", "rule"},
      {"{\"scene\": {\"bodies\": [{\"shape\": 3}]}}", "no name"},
      {"{\"scene\": {\"bodies\": [{\"name\": \"x\", \"shape\": {\"type\": \"blob\"}}]}}", "blob"},
      {"{\"scene\": {\"bodies\": [{\"name\": \"x\", \"mass\": 1, \"shape\": {\"type\": \"circle\", \"radius\": 1}}],"
       " \"joints\": [{\"type\": \"pin\", \"bodies\": [\"x\", \"nobody\"]}]}}",
       "nobody"}};
  g_autoptr (SsappDocument) document = open_text (RIG);
  int n_changes = 0;

  for (gsize i = 0; i < G_N_ELEMENTS (bad); i++) {
    g_autoptr (GError) error = NULL;
    SS_CHECK (!ssapp_document_paste (document, bad[i].text, 0.1, 0, &error));
    SS_CHECK_CONTAINS (error->message, bad[i].says);
    n_changes += strcmp (ssapp_document_get_text (document), RIG) != 0;
  }
  SS_CHECK (n_changes == 0 && ssapp_document_get_undo_label (document) == NULL);
  ssapp_document_select_item (document, "scene.joints[0]");
  SS_CHECK (ssapp_document_copy_selection (document, NULL) == NULL);
  ssapp_document_select (document, NULL);
  SS_CHECK (!ssapp_document_duplicate_selection (document, 1, 0, NULL));
}

/* A whole scenario is a piece, too. */
static void
test_paste_scenario (void)
{
  g_autoptr (SsappDocument) document = ssapp_document_new ();

  SS_CHECK (ssapp_document_paste (document, RIG, 0, 0, NULL));
  SS_CHECK (scene_of (document)->n_bodies == 3 && scene_of (document)->n_joints == 2);
  SS_CHECK_NEAR (friction_between (document, "floor", "box"), 0.2, CLOSE);
}

int
main (void)
{
  SS_RUN (test_duplicate);
  SS_RUN (test_array);
  SS_RUN (test_paste_elsewhere);
  SS_RUN (test_paste_here);
  SS_RUN (test_listed_contacts);
  SS_RUN (test_bad_text);
  SS_RUN (test_paste_scenario);
  return ss_test_finish ();
}
