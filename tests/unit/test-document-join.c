/* tests/unit/test-document-join.c: joints between selected bodies without a pointer, and going through the history. */
#include "tests/ss-test-document.h"

#include <math.h>
#include <string.h>

/* Two boxes that touch at x = 0.5 along y = 0.875 to 1.125; a disc a metre above a floor. */
static const char YARD[] =
    "{\"format\": 1, \"name\": \"yard\", \"scene\": {\"gravity\": [0, -9.81], \"bodies\": [\n"
    "   {\"name\": \"floor\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]}},\n"
    "   {\"name\": \"box\", \"shape\": {\"type\": \"box\", \"width\": 1, \"height\": 0.5}, \"mass\": 2, \"position\": "
    "[0, 1]},\n"
    "   {\"name\": \"arm\", \"shape\": {\"type\": \"box\", \"width\": 1, \"height\": 0.25}, \"mass\": 1, \"position\": "
    "[1, 1]},\n"
    "   {\"name\": \"disc\", \"shape\": {\"type\": \"circle\", \"radius\": 0.2}, \"mass\": 1, \"position\": [3, "
    "1.2]}],\n"
    "  \"contacts\": \"all\"},\n \"task\": {\"t_end\": 1, \"dt\": 0.01}}\n";

#define CLOSE 1e-9

static void
choose (SsappDocument *document, const char *a, const char *b)
{
  const char *const keys[] = {a, b, NULL};

  ssapp_document_set_selection (document, keys);
}

static void
check_number (SsappDocument *document, const char *path, double expected)
{
  g_autofree char *text = ssapp_document_get_field (document, path, "");

  SS_CHECK_NEAR (text != NULL ? g_ascii_strtod (text, NULL) : NAN, expected, CLOSE);
}

static void
test_join_two (void)
{
  g_autoptr (SsappDocument) document = open_text (YARD);
  const SsVec2 at = {0.5, 1.1};

  choose (document, "box", "arm");
  SS_CHECK (ssapp_document_join_selection (document, SSAPP_JOINT_PIN, NULL, NULL));
  SS_CHECK_STR (ssapp_document_get_selected_item (document), "scene.joints[0]"); /* so that a motor can follow */
  check_number (document, "scene.joints[0].anchor[0]", 0.5);                     /* the middle of where they touch */
  check_number (document, "scene.joints[0].anchor[1]", 1);
  SS_CHECK (ssapp_document_add_motor (document, "scene.joints[0]", NULL));
  SS_CHECK (ssapp_document_get_scenario (document)->scene->n_actuators == 1);
  ssapp_document_undo (document);
  ssapp_document_undo (document);
  choose (document, "box", "arm");
  SS_CHECK (ssapp_document_join_selection (document, SSAPP_JOINT_WELD, &at, NULL));
  check_number (document, "scene.joints[0].anchor[1]", 1.1);
  ssapp_document_undo (document);
  choose (document, "arm", "disc");
  SS_CHECK (ssapp_document_join_selection (document, SSAPP_JOINT_ROD, NULL, NULL));
  SS_CHECK_NEAR (ssapp_document_get_scenario (document)->scene->joints[0].length, hypot (2, 0.2), CLOSE);
  ssapp_document_undo (document);
  choose (document, "box", "arm");
  SS_CHECK (ssapp_document_join_selection (document, SSAPP_JOINT_SLIDER, NULL, NULL));
  SS_CHECK_NEAR (ssapp_document_get_scenario (document)->scene->joints[0].axis.x, 1, CLOSE);
  ssapp_document_undo (document);
  SS_CHECK_STR (ssapp_document_get_text (document), YARD);
}

/* A disc of 0.2 m with others beside it, about it and further off; ropes to the world, of which an end is pulled. */
static void
test_wheels_and_ropes (void)
{
  static const struct {
    double radius, x;
    const char *style;
    double radii[2]; /* of the disc, the other */
  } wheels[] = {{0.4, 3.6, "external", {0.2, 0.4}},
                {0.3, 3.4, "external", {0.16, 0.24}}, /* drawn into one another: they meet in the same ratio */
                {0.5, 3.2, "internal", {0.2, 0.4}},
                {0.4, 4.5, "belt", {0.2, 0.4}}};

  for (guint i = 0; i < G_N_ELEMENTS (wheels); i++) {
    g_autoptr (SsappDocument) document = open_text (YARD);
    g_autofree char *name = NULL;
    SS_CHECK (ssapp_document_add_disc (document, (SsVec2){wheels[i].x, 1.2}, wheels[i].radius, NULL));
    name = g_strdup (ssapp_document_get_selected (document));
    choose (document, "disc", name);
    SS_CHECK (ssapp_document_join_selection (document, SSAPP_JOINT_GEAR, NULL, NULL));
    g_autofree char *style = ssapp_document_get_field (document, "scene.joints[0].style", "");
    SS_CHECK_STR (style, wheels[i].style);
    check_number (document, "scene.joints[0].radii[0]", wheels[i].radii[0]);
    check_number (document, "scene.joints[0].radii[1]", wheels[i].radii[1]);
    ssapp_document_undo (document);
    SS_CHECK (ssapp_document_get_scenario (document)->scene->n_joints == 0);
  }
  g_autoptr (SsappDocument) document = open_text (YARD);
  g_autoptr (GError) error = NULL;
  choose (document, "disc", NULL);
  SS_CHECK (!ssapp_document_join_selection (document, SSAPP_JOINT_GEAR, NULL, &error));
  SS_CHECK (error != NULL && strstr (error->message, "two bodies") != NULL);
  SS_CHECK (ssapp_document_join_selection (document, SSAPP_JOINT_ROPE, NULL, NULL));
  const SsJoint *rope = ssapp_document_get_scenario (document)->scene->joints;
  SS_CHECK (rope->kind == SS_JOINT_ROPE && rope->body_a == -1 && rope->length > 0.1);
  const double length = rope->length;
  SS_CHECK (ssapp_document_has_ends (document, "scene.joints[0]"));
  SS_CHECK (ssapp_document_move_end (document, "scene.joints[0]", 0, (SsVec2){3, 2.2}, NULL));
  rope = ssapp_document_get_scenario (document)->scene->joints;
  SS_CHECK_NEAR (rope->length, 1, CLOSE);
  SS_CHECK (fabs (rope->length - length) > 1e-3);
  /* one that is longer than drawn stays so, and is refused a way that is longer */
  SS_CHECK (ssapp_document_set_field (document, "scene.joints[0].length", "1.5", "m", NULL));
  SS_CHECK (ssapp_document_move_end (document, "scene.joints[0]", 0, (SsVec2){3, 2.4}, NULL));
  SS_CHECK_NEAR (ssapp_document_get_scenario (document)->scene->joints[0].length, 1.5, CLOSE);
  SS_CHECK (!ssapp_document_move_end (document, "scene.joints[0]", 0, (SsVec2){3, 4}, NULL));
}

static void
test_join_with_ground_and_world (void)
{
  g_autoptr (SsappDocument) document = open_text (YARD);
  const SsScene *scene;

  choose (document, "floor", "disc"); /* straight down to the surface */
  SS_CHECK (ssapp_document_join_selection (document, SSAPP_JOINT_SPRING, NULL, NULL));
  scene = ssapp_document_get_scenario (document)->scene;
  SS_CHECK_NEAR (scene->springs[0].rest, 1.2, CLOSE);
  choose (document, "disc", NULL);
  SS_CHECK (ssapp_document_join_selection (document, SSAPP_JOINT_PIN, NULL, NULL));
  scene = ssapp_document_get_scenario (document)->scene;
  SS_CHECK (scene->joints[0].body_a == -1 && scene->joints[0].body_b == 3);
  check_number (document, "scene.joints[0].anchor[0]", 3);
  check_number (document, "scene.joints[0].anchor[1]", 1.2);
}

static void
test_refused (void)
{
  g_autoptr (SsappDocument) document = open_text (YARD);
  SsappJointKind kind;
  GError *error = NULL;

  SS_CHECK (!ssapp_document_join_selection (document, SSAPP_JOINT_PIN, NULL, &error));
  SS_CHECK_CONTAINS (error->message, "Select two bodies");
  g_clear_error (&error);
  ssapp_document_select_all (document);
  SS_CHECK (!ssapp_document_join_selection (document, SSAPP_JOINT_PIN, NULL, NULL));
  ssapp_document_select (document, "floor");
  SS_CHECK (!ssapp_document_join_selection (document, SSAPP_JOINT_PIN, NULL, NULL)); /* fixed with the world */
  SS_CHECK_STR (ssapp_document_get_text (document), YARD);
  SS_CHECK (ssapp_joint_kind_from_name ("weld", &kind) && kind == SSAPP_JOINT_WELD);
  SS_CHECK (ssapp_joint_kind_from_name ("torsion", &kind) && kind == SSAPP_JOINT_TORSION);
  SS_CHECK (ssapp_joint_kind_from_name ("rope", &kind) && kind == SSAPP_JOINT_ROPE);
  SS_CHECK (!ssapp_joint_kind_from_name ("glue", &kind));
}

static void
test_history (void)
{
  g_autoptr (SsappDocument) document = open_text (YARD);
  g_autoptr (GPtrArray) undo = NULL, redo = NULL;

  SS_CHECK (move_body (document, "disc", 1, 0, NULL));
  choose (document, "box", "arm");
  SS_CHECK (ssapp_document_move_selection (document, 0, 1, NULL));
  SS_CHECK (ssapp_document_delete (document, "disc", NULL));
  undo = ssapp_document_list_steps (document, FALSE);
  SS_CHECK (undo->len == 3);
  SS_CHECK_STR (g_ptr_array_index (undo, 0), "Delete disc");
  SS_CHECK_STR (g_ptr_array_index (undo, 2), "Move disc");
  ssapp_document_go (document, -2);
  SS_CHECK_STR (ssapp_document_get_undo_label (document), "Move disc");
  redo = ssapp_document_list_steps (document, TRUE);
  SS_CHECK (redo->len == 2);
  SS_CHECK_STR (g_ptr_array_index (redo, 0), "Move box and arm");
  ssapp_document_go (document, 2);
  SS_CHECK (ssapp_document_get_scenario (document)->scene->n_bodies == 3);
  ssapp_document_go (document, -99);
  SS_CHECK_STR (ssapp_document_get_text (document), YARD);
  ssapp_document_go (document, 0);
  SS_CHECK_STR (ssapp_document_get_text (document), YARD);
}

int
main (void)
{
  SS_RUN (test_join_two);
  SS_RUN (test_wheels_and_ropes);
  SS_RUN (test_join_with_ground_and_world);
  SS_RUN (test_refused);
  SS_RUN (test_history);
  return ss_test_finish ();
}
