/* tests/unit/test-document-selection.c: several objects of a sketch without a window: choosing, describing. */
#include "app/document/ssapp-document-outcome.h"
#include "tests/ss-test-document.h"

#include <math.h>
#include <string.h>

/* A floor, two boxes joined by a pin, a disc on a spring, a goal of the disc at (3, 1). */
static const char WORKSHOP[] =
    "{\"format\": 1, \"name\": \"workshop\",\n"
    " \"parameters\": {\"h\": 0.75, \"mu\": {\"value\": 0.3}},\n"
    " \"scene\": {\"gravity\": [0, -9.81], \"friction\": \"mu\", \"bodies\": [\n"
    "   {\"name\": \"floor\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]}},\n"
    "   {\"name\": \"box\", \"shape\": {\"type\": \"box\", \"width\": 1, \"height\": 0.5}, \"mass\": 2,\n"
    "    \"position\": [0, \"h\"]},\n"
    "   {\"name\": \"arm\", \"shape\": {\"type\": \"box\", \"width\": 1, \"height\": 0.25}, \"mass\": 1,\n"
    "    \"position\": [1, 0.75], \"note\": \"kept\"},\n"
    "   {\"name\": \"disc\", \"shape\": {\"type\": \"circle\", \"radius\": 0.2}, \"mass\": 1, \"position\": [2, 1]}],\n"
    "  \"contacts\": \"all\",\n"
    "  \"joints\": [{\"name\": \"elbow\", \"type\": \"pin\", \"bodies\": [\"box\", \"arm\"], \"anchor\": [0.5, "
    "0.75]}],\n"
    "  \"springs\": [{\"bodies\": [\"world\", \"disc\"], \"points\": [[2, 3], [2, 1]], \"stiffness\": 40}]},\n"
    " \"task\": {\"t_end\": 1, \"dt\": 0.01, \"steps\": 20,\n"
    "  \"targets\": [{\"body\": \"disc\", \"position\": [3, 1], \"velocity\": [0, 0]}]}}\n";

static void
count_signal (int *count)
{
  (*count)++;
}

static char *
join_selection (SsappDocument *document)
{
  return g_strjoinv (" ", (char **)ssapp_document_get_selection (document, NULL));
}

static void
check_selection (SsappDocument *document, const char *expected)
{
  g_autofree char *keys = join_selection (document);

  SS_CHECK_STR (keys, expected);
}

static void
test_set (void)
{
  g_autoptr (SsappDocument) document = open_text (WORKSHOP);
  int n_signals = 0;

  g_signal_connect_swapped (document, "selection-changed", G_CALLBACK (count_signal), &n_signals);
  check_selection (document, "");
  ssapp_document_select (document, "box");
  ssapp_document_toggle_selected (document, "scene.joints[0]");
  check_selection (document, "box scene.joints[0]");
  SS_CHECK (ssapp_document_get_selected (document) == NULL); /* the joint is the primary */
  SS_CHECK_STR (ssapp_document_get_selected_item (document), "scene.joints[0]");
  ssapp_document_toggle_selected (document, "disc");
  SS_CHECK_STR (ssapp_document_get_selected (document), "disc");
  SS_CHECK (ssapp_document_get_selected_item (document) == NULL);
  SS_CHECK (ssapp_document_is_selected (document, "box") && !ssapp_document_is_selected (document, "arm"));
  SS_CHECK (ssapp_document_count_selected (document) == 3 && n_signals == 3);
  ssapp_document_toggle_selected (document, "disc");
  check_selection (document, "box scene.joints[0]");
  ssapp_document_set_selection (document, ssapp_document_get_selection (document, NULL)); /* its own: nothing changes */
  check_selection (document, "box scene.joints[0]");
  SS_CHECK (n_signals == 4);
  const char *const wild[] = {"box", "nobody", "box", "scene.joints[7]", "arm", NULL};
  ssapp_document_set_selection (document, wild);
  check_selection (document, "box arm");
  ssapp_document_select (document, "disc"); /* the only one */
  check_selection (document, "disc");
  ssapp_document_select (document, NULL);
  check_selection (document, "");
}

/* What goes leaves the selection, and undo brings it back. */
static void
test_set_and_edits (void)
{
  g_autoptr (SsappDocument) document = open_text (WORKSHOP);
  const char *const keys[] = {"arm", "scene.joints[0]", "box", NULL};

  ssapp_document_set_selection (document, keys);
  SS_CHECK (ssapp_document_delete (document, "box", NULL)); /* with its joint */
  check_selection (document, "arm");
  SS_CHECK_STR (ssapp_document_get_selected (document), "arm");
  ssapp_document_undo (document);
  check_selection (document, "arm scene.joints[0] box");
  SS_CHECK (ssapp_document_rename (document, "box", "crate", NULL));
  check_selection (document, "arm scene.joints[0] crate");
  ssapp_document_undo (document);
  SS_CHECK_STR (ssapp_document_get_text (document), WORKSHOP);
  check_selection (document, "arm scene.joints[0] box");
}

/* Outcomes are added, changed in their place, and removed; each is one step of undo. */
static void
test_outcomes_edited (void)
{
  g_autoptr (SsappDocument) document = ssapp_document_new ();
  g_autoptr (GError) error = NULL;

  SS_CHECK (ssapp_document_add_box (document, (SsVec2){0, 0}, (SsVec2){1, 0.5}, NULL));
  g_autofree char *words = ssapp_document_try_outcome (document, "", "up=always(box.y > 0, from=1)", &error);
  SS_CHECK (g_strcmp0 (words, "up, which holds or fails") == 0);
  SS_CHECK (ssapp_document_set_outcome (document, "", "up=always(box.y > 0, from=1)", NULL));
  SS_CHECK (ssapp_document_set_outcome (document, "", "end=final(box.x)", NULL));
  SS_CHECK (ssapp_document_set_outcome (document, "up", "high=always(box.y > 0.2)", NULL));
  const SsScenario *scenario = ssapp_document_get_scenario (document);
  SS_CHECK (scenario->n_interests == 2 && strcmp (scenario->interests[0].name, "high") == 0 &&
            strcmp (scenario->interests[0].formula, "always(box.y > 0.2)") == 0);
  SS_CHECK (!ssapp_document_set_outcome (document, "end", "high=final(box.x)", NULL)); /* taken */
  SS_CHECK (!ssapp_document_set_outcome (document, "", "far=final(bix.x)", &error) && error != NULL);
  SS_CHECK (!ssapp_document_remove_outcome (document, "up", NULL));
  SS_CHECK (ssapp_document_remove_outcome (document, "high", NULL) &&
            ssapp_document_remove_outcome (document, "end", NULL));
  SS_CHECK (ssapp_document_get_scenario (document)->n_interests == 0);
  ssapp_document_undo (document);
  ssapp_document_undo (document);
  SS_CHECK (ssapp_document_get_scenario (document)->n_interests == 2);
}

/* Formulas of outcomes follow the names that they read, of bodies and of contacts, and go with them. */
static void
test_outcomes (void)
{
  static const char text[] =
      "{\"format\": 1, \"name\": \"asked\", \"scene\": {\"bodies\": ["
      "{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]}},"
      "{\"name\": \"box\", \"shape\": {\"type\": \"box\", \"width\": 1, \"height\": 1}, \"mass\": 1},"
      "{\"name\": \"max\", \"shape\": {\"type\": \"circle\", \"radius\": 1}, \"mass\": 1, \"position\": [3, 1]}]},"
      "\"outcomes\": {\"far\": \"max(box.x)\", \"hits\": {\"formula\": \"count(impact floor-box) + count(impact "
      "box)\"},"
      "\"push\": \"integral(abs(floor_box.lambda_t))\", \"high\": \"max(max.y)\"}}";
  g_autoptr (SsappDocument) document = open_text (text);
  const char *now = NULL;

  SS_CHECK (ssapp_document_rename (document, "box", "left-crate", NULL));
  now = ssapp_document_get_text (document);
  SS_CHECK (strstr (now, "\"max(left_crate.x)\"") != NULL);
  SS_CHECK (strstr (now, "count(impact floor-left-crate) + count(impact left-crate)") != NULL);
  SS_CHECK (strstr (now, "abs(floor_left_crate.lambda_t)") != NULL);
  SS_CHECK (ssapp_document_rename (document, "max", "ball", NULL));
  SS_CHECK (strstr (ssapp_document_get_text (document), "\"max(ball.y)\"") != NULL);
  SS_CHECK (ssapp_document_delete (document, "left-crate", NULL));
  now = ssapp_document_get_text (document);
  SS_CHECK (strstr (now, "\"high\"") != NULL && strstr (now, "\"far\"") == NULL && strstr (now, "\"hits\"") == NULL &&
            strstr (now, "\"push\"") == NULL);
  for (int i = 0; i < 3; i++)
    ssapp_document_undo (document);
  SS_CHECK_STR (ssapp_document_get_text (document), text);
}

static void
test_many (void)
{
  g_autoptr (SsappDocument) document = open_text (WORKSHOP), empty = ssapp_document_new ();
  const double around_boxes[4] = {-0.6, 0.4, 1.6, 1.1}, nowhere[4] = {5, 5, 6, 6},
               around_goal[4] = {2.7, 0.7, 3.3, 1.3};

  ssapp_document_select_all (document);
  check_selection (document, "scene.joints[0] scene.springs[0] task.targets[0] floor box arm disc");
  ssapp_document_select_within (document, around_boxes, FALSE);
  check_selection (document, "scene.joints[0] box arm");
  ssapp_document_select_within (document, around_goal, TRUE);
  check_selection (document, "scene.joints[0] box arm task.targets[0]");
  ssapp_document_select_within (document, nowhere, TRUE);
  SS_CHECK (ssapp_document_count_selected (document) == 4);
  ssapp_document_select_within (document, nowhere, FALSE);
  check_selection (document, "");
  ssapp_document_select_all (empty);
  check_selection (empty, "");
}

static void
test_words (void)
{
  g_autoptr (SsappDocument) document = open_text (WORKSHOP);
  const char *const two[] = {"box", "task.targets[0]", NULL}, *const three[] = {"box", "scene.joints[0]", "arm", NULL};
  g_autofree char *of_two = NULL, *of_three = NULL, *of_all = NULL, *sentence = NULL;

  ssapp_document_set_selection (document, two);
  of_two = ssapp_document_describe_selection (document);
  SS_CHECK_STR (of_two, "box and goal of disc");
  ssapp_document_set_selection (document, three);
  of_three = ssapp_document_describe_selection (document);
  SS_CHECK_STR (of_three, "box, elbow and arm");
  sentence = ssapp_document_describe (document);
  SS_CHECK_STR (sentence, "4 bodies, box, elbow and arm selected");
  ssapp_document_select_all (document);
  of_all = ssapp_document_describe_selection (document);
  SS_CHECK_STR (of_all, "7 objects");
}

/* ---- one edit for all -------------------------------------------------------------------------------------------- */

static const SsScene *
scene_of (SsappDocument *document)
{
  return ssapp_document_get_scenario (document)->scene;
}

/* A family of bodies that a rule writes counts as so many; what is edited is the others. */
static void
test_families (void)
{
  g_autoptr (SsappDocument) document = open_text (
      "{\"format\": 1, \"name\": \"row\", \"scene\": {\"gravity\": [0, -9.81], \"bodies\": ["
      "{\"name\": \"first\", \"shape\": {\"type\": \"circle\", \"radius\": 0.1}, \"mass\": 1},"
      "{\"for\": \"i\", \"from\": 1, \"to\": 4, \"rows\": [{\"name\": \"d{i}\", \"shape\": {\"type\": \"circle\", "
      "\"radius\": 0.1}, \"mass\": 1, \"position\": [\"{i}\", 0]}]}]}, \"task\": {\"t_end\": 1, \"dt\": 0.01}}");
  static const char *const family[] = {"d1", "d2", NULL};

  ssapp_document_select_all (document);
  g_autoptr (GPtrArray) groups = ssapp_document_list_common (document);
  const SsappCommonGroup *all = g_ptr_array_index (groups, 0);
  SS_CHECK_STR (all->title, "5 bodies");
  SS_CHECK (groups->len == 1 && all->n_by_rule == 4 && all->fields->len > 0);
  ssapp_document_set_selection (document, family);
  g_autoptr (GPtrArray) own = ssapp_document_list_common (document);
  const SsappCommonGroup *some = g_ptr_array_index (own, 0);
  SS_CHECK_STR (some->title, "2 bodies");
  SS_CHECK (own->len == 1 && some->n_by_rule == 2 && some->fields->len == 0);
}

static void
test_common_fields (void)
{
  g_autoptr (SsappDocument) document = open_text (WORKSHOP);
  const char *const boxes[] = {"box", "scene.joints[0]", "arm", NULL};
  g_autoptr (GPtrArray) groups = NULL;
  g_autofree char *mass = NULL, *width = NULL, *after = NULL, *placeholder = NULL;
  gboolean holds[4], is_mixed;

  ssapp_document_set_selection (document, boxes);
  groups = ssapp_document_list_common (document);
  SS_CHECK (groups->len == 2);
  SS_CHECK_STR (((SsappCommonGroup *)g_ptr_array_index (groups, 0))->title, "2 bodies");
  SS_CHECK_STR (((SsappCommonGroup *)g_ptr_array_index (groups, 1))->title, "1 joint");
  mass = ssapp_document_get_field (document, "selection.scene.bodies.mass", "");
  width = ssapp_document_get_field (document, "selection.scene.bodies.shape.width", "");
  placeholder = ssapp_document_get_derived (document, "selection.scene.bodies.mass");
  SS_CHECK (mass == NULL); /* 2 and 1 */
  SS_CHECK_STR (placeholder, "several values");
  SS_CHECK_STR (width, "1");
  SS_CHECK (ssapp_document_set_field (document, "selection.scene.bodies.mass", "500 g", "kg", NULL));
  after = ssapp_document_get_field (document, "selection.scene.bodies.mass", "");
  SS_CHECK_STR (after, "0.5");
  SS_CHECK (scene_of (document)->bodies[1].mass == 0.5 && scene_of (document)->bodies[2].mass == 0.5);
  SS_CHECK (scene_of (document)->bodies[3].mass == 1);
  SS_CHECK_STR (ssapp_document_get_undo_label (document), "Set mass of 2 objects");
  SS_CHECK (
      !ssapp_document_set_field (document, "selection.scene.bodies.mass", "-1", "kg", NULL)); /* nothing is lost */
  SS_CHECK (scene_of (document)->bodies[1].mass == 0.5);
  SS_CHECK (ssapp_document_set_selected_hold (document, 1, TRUE, NULL));
  ssapp_document_get_common_holds (document, holds);
  SS_CHECK (!holds[0] && holds[1] && !holds[2]);
  SS_CHECK_STR (ssapp_document_get_undo_label (document), "Lock x of 2 bodies");
  SS_CHECK (!ssapp_document_set_selected_hold (document, 0, TRUE, NULL)); /* no joint between two fixed bodies */
  SS_CHECK (!scene_of (document)->bodies[1].is_fixed);
  ssapp_document_undo (document);
  SS_CHECK (ssapp_document_add_material (document, 1, NULL));
  ssapp_document_set_selection (document, boxes);
  g_free (ssapp_document_get_common_material (document, &is_mixed));
  SS_CHECK (is_mixed);
  SS_CHECK (ssapp_document_set_selected_material (document, NULL, NULL));
  SS_CHECK (ssapp_document_get_common_material (document, &is_mixed) == NULL && !is_mixed);
  while (ssapp_document_get_undo_label (document) != NULL)
    ssapp_document_undo (document);
  SS_CHECK_STR (ssapp_document_get_text (document), WORKSHOP);
}

static void
test_delete (void)
{
  g_autoptr (SsappDocument) document = open_text (WORKSHOP);
  const char *const keys[] = {"box", "scene.springs[0]", "scene.contacts{floor,arm}", "task.targets[0]", NULL};

  ssapp_document_set_selection (document, keys);
  SS_CHECK (ssapp_document_delete_selection (document, NULL));
  SS_CHECK (scene_of (document)->n_bodies == 3 && scene_of (document)->n_joints == 0);
  SS_CHECK (scene_of (document)->n_springs == 0 && scene_of (document)->n_contacts == 2); /* floor-disc, arm-disc */
  SS_CHECK_STR (ssapp_document_get_undo_label (document), "Delete 4 objects");
  check_selection (document, "");
  ssapp_document_undo (document);
  SS_CHECK_STR (ssapp_document_get_text (document), WORKSHOP);
  SS_CHECK (ssapp_document_count_selected (document) == 4);
}

/* ---- moving together --------------------------------------------------------------------------------------------- */

/* How far the anchors of a joint are apart at the start [m]. */
static double
residual (const SsScene *scene, int joint)
{
  const SsJoint *j = &scene->joints[joint];
  double ends[2][2];

  for (int k = 0; k < 2; k++) {
    int body = k == 0 ? j->body_a : j->body_b;
    SsVec2 anchor = k == 0 ? j->anchor_a : j->anchor_b;
    const double *q = body >= 0 ? scene->bodies[body].q : (const double[3]){0, 0, 0};
    ends[k][0] = q[0] + cos (q[2]) * anchor.x - sin (q[2]) * anchor.y;
    ends[k][1] = q[1] + sin (q[2]) * anchor.x + cos (q[2]) * anchor.y;
  }
  return hypot (ends[1][0] - ends[0][0], ends[1][1] - ends[0][1]);
}

/* Gap of two bodies of one shape each [m]. */
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

/* Numbers go through decimal text of 17 digits, some arithmetic, and a rounding far below a nanometre. */
#define CLOSE 1e-9

/* Gaps and joints among box, arm and disc (bodies 1 to 3) are those of another document. */
static void
check_congruent (SsappDocument *document, SsappDocument *original)
{
  const SsScene *now = scene_of (document), *before = scene_of (original);

  for (int a = 1; a < 4; a++)
    for (int b = a + 1; b < 4; b++)
      SS_CHECK (fabs (gap (now, a, b) - gap (before, a, b)) < CLOSE);
  SS_CHECK (residual (now, 0) < CLOSE);
  SS_CHECK (fabs (now->springs[0].rest - before->springs[0].rest) < CLOSE);
  for (int b = 1; b < 4; b++) {
    SS_CHECK (fabs (now->bodies[b].mass - before->bodies[b].mass) < CLOSE);
    SS_CHECK (fabs (now->bodies[b].inertia - before->bodies[b].inertia) < CLOSE);
  }
}

static const char *const MECHANISM[] = {"box", "arm", "scene.springs[0]", "disc", NULL};

static void
test_move (void)
{
  g_autoptr (SsappDocument) document = open_text (WORKSHOP), original = open_text (WORKSHOP);

  ssapp_document_set_selection (document, MECHANISM);
  SS_CHECK (ssapp_document_move_selection (document, 0.5, 0.25, NULL));
  SS_CHECK_STR (ssapp_document_get_undo_label (document), "Move 4 objects");
  SS_CHECK_NEAR (scene_of (document)->bodies[1].q[1], 1.0, CLOSE);
  SS_CHECK_NEAR (scene_of (document)->springs[0].anchor_a.x, 2.5, CLOSE);
  check_congruent (document, original);
  ssapp_document_undo (document);
  SS_CHECK_STR (ssapp_document_get_text (document), WORKSHOP);
  SS_CHECK (ssapp_document_move_selection (document, 0.5, 0, NULL)); /* y keeps its formula */
  SS_CHECK (ssapp_document_field_is_formula (document, "scene.bodies[1].position[1]"));
  SS_CHECK (!ssapp_document_field_is_formula (document, "scene.bodies[1].position[0]"));
  g_autofree char *note = ssapp_document_get_field (document, "scene.bodies[2].note", "");
  SS_CHECK_STR (note, "kept");
  ssapp_document_select_item (document, "scene.contacts{floor,box}");
  SS_CHECK (!ssapp_document_move_selection (document, 1, 0, NULL)); /* a contact has no place of its own */
}

static void
test_turn (void)
{
  g_autoptr (SsappDocument) document = open_text (WORKSHOP), original = open_text (WORKSHOP);
  const SsVec2 centre = {1, 1};

  ssapp_document_set_selection (document, MECHANISM);
  SS_CHECK (ssapp_document_turn_selection (document, G_PI / 2, &centre, NULL));
  SS_CHECK_NEAR (scene_of (document)->bodies[1].q[0], 1.25, CLOSE); /* (0, 0.75) -> (1.25, 0) */
  SS_CHECK_NEAR (scene_of (document)->bodies[1].q[1], 0, CLOSE);
  SS_CHECK_NEAR (scene_of (document)->bodies[1].q[2], G_PI / 2, CLOSE);
  check_congruent (document, original);
  SS_CHECK (ssapp_document_turn_selection (document, -G_PI / 2, &centre, NULL));
  for (int c = 0; c < 3; c++)
    SS_CHECK_NEAR (scene_of (document)->bodies[2].q[c], scene_of (original)->bodies[2].q[c], CLOSE);
}

/* Everything that a mirror changes, and what drives it. */
static const char ODD[] =
    "{\"format\": 1, \"name\": \"odd\", \"parameters\": {\"v\": 0.5},\n"
    " \"scene\": {\"gravity\": [0, -9.81], \"bodies\": [\n"
    "   {\"name\": \"wedge\", \"shape\": {\"type\": \"polygon\", \"vertices\": [[0, 0], [1, 0], [0, 0.5]]},"
    " \"density\": 3,\n    \"position\": [0.2, 0.3], \"angle\": 0.4, \"velocity\": [\"v\", 1],"
    " \"angular_velocity\": 2, \"points\": {\"tip\": [1, 0]}},\n"
    "   {\"name\": \"rod\", \"shapes\": [{\"type\": \"capsule\", \"length\": 1, \"radius\": 0.1, \"angle\": 0.3,"
    " \"position\": [0.1, 0]},\n    {\"type\": \"circle\", \"radius\": 0.2}], \"mass\": 1, \"position\": [2, 0]}],\n"
    "  \"joints\": [{\"name\": \"hinge\", \"type\": \"pin\", \"bodies\": [\"wedge\", \"rod\"], \"anchor\": [1, 0.2],"
    " \"lower\": -0.6, \"upper\": 1}],\n"
    "  \"actuators\": [{\"name\": \"push\", \"type\": \"force\", \"body\": \"rod\", \"direction\": [1, 0.5],"
    " \"lower\": -1, \"upper\": 2},\n   {\"name\": \"motor\", \"type\": \"joint\", \"joint\": \"hinge\","
    " \"lower\": -3, \"upper\": 4, \"formula\": \"sin(t)\"}]},\n"
    " \"task\": {\"t_end\": 1, \"dt\": 0.01}}\n";

static void
test_mirror (void)
{
  g_autoptr (SsappDocument) document = open_text (ODD), original = open_text (ODD);
  const SsScene *now, *before = scene_of (original);
  double box[4];

  ssapp_document_select_all (document);
  SS_CHECK (ssapp_document_get_selection_bounds (document, box));
  SS_CHECK (ssapp_document_mirror_selection (document, TRUE, NULL));
  SS_CHECK_STR (ssapp_document_get_undo_label (document), "Mirror hinge, wedge and rod");
  now = scene_of (document);
  for (int b = 0; b < 2; b++) { /* of centres of mass, which a density puts elsewhere */
    SS_CHECK_NEAR (now->bodies[b].q[0], box[0] + box[2] - before->bodies[b].q[0], CLOSE);
    SS_CHECK_NEAR (now->bodies[b].q[1], before->bodies[b].q[1], CLOSE);
    SS_CHECK_NEAR (now->bodies[b].v[0], -before->bodies[b].v[0], CLOSE);
    SS_CHECK_NEAR (now->bodies[b].v[1], before->bodies[b].v[1], CLOSE);
    SS_CHECK_NEAR (now->bodies[b].v[2], -before->bodies[b].v[2], CLOSE);
    SS_CHECK_NEAR (now->bodies[b].inertia, before->bodies[b].inertia, CLOSE);
  }
  SS_CHECK (residual (now, 0) < CLOSE);
  SS_CHECK_NEAR (gap (now, 0, 1), gap (before, 0, 1), CLOSE);
  SS_CHECK_NEAR (now->joints[0].lower, -1, CLOSE);
  SS_CHECK_NEAR (now->joints[0].upper, 0.6, CLOSE);
  SS_CHECK_NEAR (now->actuators[0].direction.x, -before->actuators[0].direction.x, CLOSE);
  SS_CHECK_NEAR (now->actuators[0].upper, 2, CLOSE); /* a force keeps its sign, a torque changes it */
  SS_CHECK_NEAR (now->actuators[1].lower, -4, CLOSE);
  SS_CHECK_NEAR (now->actuators[1].upper, 3, CLOSE);
  g_autofree char *formula = ssapp_document_get_field (document, "scene.actuators[1].formula", ""),
                  *speed = ssapp_document_get_field (document, "scene.bodies[0].velocity[0]", "");
  SS_CHECK_STR (formula, "-(sin(t))");
  SS_CHECK_STR (speed, "-(v)");
  /* Twice is nothing: not a byte of the file differs from one that was written once. */
  SS_CHECK (ssapp_document_mirror_selection (document, TRUE, NULL));
  SS_CHECK (ssapp_document_set_field (original, "task.dt", "0.02", "", NULL));
  SS_CHECK (ssapp_document_set_field (document, "task.dt", "0.02", "", NULL));
  SS_CHECK_STR (ssapp_document_get_text (document), ssapp_document_get_text (original));
  SS_CHECK (ssapp_document_mirror_selection (document, FALSE, NULL));
  SS_CHECK (residual (scene_of (document), 0) < CLOSE);
  SS_CHECK (ssapp_document_mirror_selection (document, FALSE, NULL));
  SS_CHECK_STR (ssapp_document_get_text (document), ssapp_document_get_text (original));
  while (ssapp_document_get_undo_label (document) != NULL)
    ssapp_document_undo (document);
  SS_CHECK_STR (ssapp_document_get_text (document), ODD);
}

/* Motors that hold a speed: mirrored, a pin turns the other way, and a slider goes with its axis, by the sign it had.
 * Friction and what a motor gives at most have no side. */
static void
test_mirror_motors (void)
{
  static const char text[] =
      "{\"format\": 1, \"name\": \"driven\", \"scene\": {\"bodies\": [\n"
      "   {\"name\": \"cart\", \"mass\": 1, \"position\": [1, 0], \"shape\": {\"type\": \"box\", \"width\": 1, "
      "\"height\": "
      "0.5}},\n   {\"name\": \"wheel\", \"mass\": 1, \"position\": [1.3, 0], \"shape\": {\"type\": \"circle\", "
      "\"radius\": "
      "0.1}}],\n  \"joints\": [{\"name\": \"rail\", \"type\": \"slider\", \"bodies\": [\"world\", \"cart\"], \"axis\": "
      "[1, 0],"
      " \"anchors\": [[0, 0], [0, 0]], \"motor_speed\": 0.5, \"motor_limit\": 3},\n   {\"name\": \"axle\", \"type\": "
      "\"pin\","
      " \"bodies\": [\"cart\", \"wheel\"], \"anchor\": [1.3, 0], \"motor_speed\": 2, \"motor_limit\": 4, \"friction\": "
      "0.2}]},\n \"task\": {\"t_end\": 1, \"dt\": 0.01}}\n";
  g_autoptr (SsappDocument) document = open_text (text);

  ssapp_document_select_all (document);
  SS_CHECK (ssapp_document_mirror_selection (document, TRUE, NULL));
  const SsJoint *rail = &scene_of (document)->joints[0], *axle = &scene_of (document)->joints[1];
  SS_CHECK_NEAR (rail->motor_speed, 0.5, 0);
  SS_CHECK_NEAR (rail->axis.x, -1, CLOSE);
  SS_CHECK_NEAR (axle->motor_speed, -2, 0);
  SS_CHECK (rail->motor_limit == 3 && axle->motor_limit == 4 && axle->friction == 0.2);
  SS_CHECK (ssapp_document_mirror_selection (document, TRUE, NULL));
  SS_CHECK_NEAR (scene_of (document)->joints[1].motor_speed, 2, 0);
  SS_CHECK_NEAR (scene_of (document)->joints[0].axis.x, 1, CLOSE);
}

/* Bounds of box, arm and disc: from -0.5, 0.5, 1.8 to 0.5, 1.5, 2.2 across, from 0.5, 0.625, 0.8 to 1, 0.875, 1.2
 * upright. What has no end stays. */
static void
test_arrange (void)
{
  static const char *const all[] = {"floor", "box", "arm", "disc", NULL};
  static const struct {
    const char *how;
    int axis;
    double box, arm, disc; /* where they are then */
  } cases[] = {{"left", 0, 0, 0, -0.3},    {"centre", 0, 0.85, 0.85, 0.85}, {"right", 0, 1.7, 1.7, 2},
               {"top", 1, 0.95, 1.075, 1}, {"middle", 1, 0.85, 0.85, 0.85}, {"bottom", 1, 0.75, 0.625, 0.7}};
  g_autoptr (SsappDocument) document = open_text (WORKSHOP);
  g_autofree char *before = g_strdup (ssapp_document_get_text (document));
  g_autoptr (GError) error = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    ssapp_document_set_selection (document, (const char **)(void *)all);
    SS_CHECK (ssapp_document_align_selection (document, cases[i].how, &error));
    const SsBody *bodies = ssapp_document_get_scenario (document)->scene->bodies;
    SS_CHECK_NEAR (bodies[1].q[cases[i].axis], cases[i].box, 1e-12);
    SS_CHECK_NEAR (bodies[2].q[cases[i].axis], cases[i].arm, 1e-12);
    SS_CHECK_NEAR (bodies[3].q[cases[i].axis], cases[i].disc, 1e-12);
    ssapp_document_undo (document); /* one step */
    SS_CHECK_STR (ssapp_document_get_text (document), before);
  }
  ssapp_document_set_selection (document, (const char **)(void *)all);
  SS_CHECK (
      ssapp_document_distribute_selection (document, TRUE, NULL)); /* 2.7 m with 2.4 m of bodies: gaps of 0.15 m */
  SS_CHECK_NEAR (ssapp_document_get_scenario (document)->scene->bodies[2].q[0], 1.15, 1e-12);
  SS_CHECK_NEAR (ssapp_document_get_scenario (document)->scene->bodies[3].q[0], 2, 0);
  SS_CHECK (!ssapp_document_align_selection (document, "up", &error) && error != NULL);
  g_clear_error (&error);
  ssapp_document_select (document, "box");
  SS_CHECK (!ssapp_document_align_selection (document, "left", &error) && error != NULL);
}

int
main (void)
{
  SS_RUN (test_set);
  SS_RUN (test_set_and_edits);
  SS_RUN (test_outcomes);
  SS_RUN (test_outcomes_edited);
  SS_RUN (test_many);
  SS_RUN (test_words);
  SS_RUN (test_families);
  SS_RUN (test_common_fields);
  SS_RUN (test_delete);
  SS_RUN (test_move);
  SS_RUN (test_turn);
  SS_RUN (test_mirror);
  SS_RUN (test_mirror_motors);
  SS_RUN (test_arrange);
  return ss_test_finish ();
}
