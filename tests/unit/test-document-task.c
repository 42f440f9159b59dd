/* tests/unit/test-document-task.c: editing of a scene's task without a window: goals, what drives, bounds, locks;
 * entries of lists; bodies whose frame is not at the centre of mass and bodies that a family writes; what follows from
 * deleting and renaming a body. */

#include "tests/ss-test-document.h"

/* Numbers go through decimal text of 17 digits and a rounding to a nanometre. */
#define TYPED 1e-9

static const char EVERYTHING[] =
    "{\"format\": 1, \"name\": \"everything\", \"parameters\": {\"n\": 3},\n"
    " \"scene\": {\"bodies\": [\n"
    "   {\"name\": \"floor\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]}},\n"
    "   {\"for\": \"i\", \"from\": 1, \"to\": \"n\", \"rows\": [{\"name\": \"ball{i}\", \"mass\": 1, \"position\": "
    "[\"2*{i}\", 3], \"shape\": {\"type\": \"circle\", \"radius\": 0.2}}]},\n"
    "   {\"name\": \"slab\", \"density\": 3, \"position\": [5, 0], \"angle\": 0, \"shape\": {\"type\": \"polygon\", "
    "\"vertices\": [[0, 0], [2, 0], [2, 1], [0, 1]]}},\n"
    "   {\"name\": \"arm\", \"mass\": 1, \"position\": [0, 2], \"shape\": {\"type\": \"capsule\", \"length\": 1, "
    "\"radius\": 0.1}}],\n"
    "  \"joints\": [{\"name\": \"hinge\", \"type\": \"pin\", \"bodies\": [\"world\", \"arm\"], \"anchor\": [-0.5, "
    "2]},\n"
    "   {\"type\": \"rod\", \"bodies\": [\"arm\", \"slab\"]}],\n"
    "  \"springs\": [{\"bodies\": [\"world\", \"slab\"], \"points\": [[5, 3], [5, 0]], \"stiffness\": 5}],\n"
    "  \"actuators\": [{\"name\": \"motor\", \"type\": \"joint\", \"joint\": \"hinge\", \"lower\": -2, \"upper\": 2},\n"
    "   {\"name\": \"push\", \"type\": \"force\", \"body\": \"slab\", \"direction\": [1, 0], \"formula\": "
    "\"-3*slab.x + arm.omega\"}],\n"
    "  \"forces\": [{\"name\": \"drag\", \"body\": \"arm\", \"torque\": \"-0.1*arm.omega\"}]},\n"
    " \"task\": {\"t_end\": 1, \"targets\": [{\"body\": \"arm\", \"angle\": 1}, {\"body\": \"slab\", \"position\": [7, "
    "0], "
    "\"angle\": 0}],\n"
    "  \"bounds\": [{\"body\": \"slab\", \"x\": [0, 10]}], \"effort\": {\"motor\": 1, \"push\": 2},\n"
    "  \"constraints\": [{\"nonnegative\": [\"slab.x\", \"u.push + slab.y*2\"]}], \"contacts\": [\"floor-slab\", "
    "\"floor-ball1\"]}}\n";

static const SsScenario *
scenario_of (SsappDocument *document)
{
  return ssapp_document_get_scenario (document);
}

/* An edit that must be accepted. */
static void
accept (gboolean done, GError *error)
{
  SS_CHECK (done && error == NULL);
  if (error != NULL)
    printf ("%s\n", error->message);
  g_clear_error (&error);
}

static SsappDocument *
open_sketch (void)
{
  SsappDocument *document = ssapp_document_new ();

  SS_CHECK (ssapp_document_add_ground (document, (SsVec2){-1, 0}, (SsVec2){1, 0}, NULL));
  SS_CHECK (ssapp_document_add_box (document, (SsVec2){-0.5, 0}, (SsVec2){0.5, 0.5}, NULL));
  SS_CHECK (ssapp_document_add_disc (document, (SsVec2){-1, 0.25}, 0.25, NULL));
  return document;
}

/* ---- goals ------------------------------------------------------------------------------------------------------- */

static void
test_goal (void)
{
  g_autoptr (SsappDocument) document = open_sketch ();
  g_autofree char *before = g_strdup (ssapp_document_get_text (document)), *words = NULL;
  GError *error = NULL;
  const SsPlan *plan;
  double pose[3];

  SS_CHECK (scenario_of (document)->task.plan == NULL);
  accept (ssapp_document_add_target (document, "box", &error), error);
  plan = scenario_of (document)->task.plan;
  SS_CHECK (plan != NULL && plan->n_targets == 1 && plan->targets[0].body == 1);
  SS_CHECK (plan->targets[0].value[0] == 0 && plan->targets[0].value[1] == 0.25 && plan->targets[0].value[2] == 0);
  for (int c = 3; c < SS_PLAN_COORDINATES; c++)
    SS_CHECK (plan->targets[0].value[c] == 0 && isinf (plan->targets[0].weight[c]));
  SS_CHECK (plan->steps == 40 && plan->horizon == 2); /* 2 s in steps of 50 ms */
  SS_CHECK_STR (ssapp_document_get_selected_item (document), "task.targets[0]");
  SS_CHECK (ssapp_document_get_selected (document) == NULL);
  SS_CHECK_STR (ssapp_document_get_undo_label (document), "Give box a goal");
  /* Asked again, the goal is selected, not doubled. */
  ssapp_document_select (document, "box");
  accept (ssapp_document_add_target (document, "box", &error), error);
  SS_CHECK (scenario_of (document)->task.plan->n_targets == 1);
  SS_CHECK_STR (ssapp_document_get_selected_item (document), "task.targets[0]");
  /* Moved and turned. */
  accept (ssapp_document_set_pose (document, "task.targets[0]", (double[3]){2, 0.5, 0.25}, &error), error);
  SS_CHECK (ssapp_document_get_target_pose (document, "task.targets[0]", pose));
  SS_CHECK (pose[0] == 2 && pose[1] == 0.5 && pose[2] == 0.25);
  SS_CHECK_STR (ssapp_document_get_undo_label (document), "Turn goal of box");
  words = ssapp_document_describe_task (document);
  SS_CHECK (strstr (words, "Goal of box: x 2 m, y 0.5 m, 14.3°, at rest, exactly") != NULL);
  SS_CHECK (strstr (words, "Nothing drives the bodies yet") != NULL);
  /* A coordinate that is cleared is free, and is shown where the body starts. */
  accept (ssapp_document_clear_field (document, "task.targets[0].position[1]", &error), error);
  accept (ssapp_document_clear_field (document, "task.targets[0].angle", &error), error);
  plan = scenario_of (document)->task.plan;
  SS_CHECK (plan->targets[0].value[0] == 2 && isnan (plan->targets[0].value[1]) && isnan (plan->targets[0].value[2]));
  SS_CHECK (ssapp_document_get_target_pose (document, "task.targets[0]", pose) && pose[1] == 0.25 && pose[2] == 0);
  accept (ssapp_document_set_field (document, "task.targets[0].weight", "100", "", &error), error);
  SS_CHECK (scenario_of (document)->task.plan->targets[0].weight[0] == 100);
  /* Deleted and back again, with the selection. */
  accept (ssapp_document_remove_item (document, "task.targets[0]", &error), error);
  SS_CHECK (scenario_of (document)->task.plan == NULL && ssapp_document_get_selected_item (document) == NULL);
  ssapp_document_undo (document);
  SS_CHECK_STR (ssapp_document_get_selected_item (document), "task.targets[0]");
  for (int i = 0; i < 5; i++)
    ssapp_document_undo (document);
  SS_CHECK_STR (ssapp_document_get_text (document), before);
  SS_CHECK (ssapp_document_get_selected_item (document) == NULL);
  /* What does not move has no goal. */
  SS_CHECK (!ssapp_document_add_target (document, "floor", &error) && strstr (error->message, "does not move") != NULL);
  g_clear_error (&error);
  SS_CHECK (!ssapp_document_add_target (document, "nobody", &error));
  g_clear_error (&error);
}

static void
test_goal_is_seen (void)
{
  g_autoptr (SsappDocument) document = open_sketch ();
  SsappCamera camera = {.scale = 100, .ox = 0, .oy = 0, .width = 1000, .height = 1000};
  int n_marks, n_goals = 0;
  const SsMark *marks, *goal;
  g_autofree char *hit = NULL, *nothing = NULL, *above_body = NULL, *text = NULL, *covered = NULL;
  double x, y;

  SS_CHECK (ssapp_document_add_target (document, "box", NULL));
  marks = ssapp_document_get_marks (document, &n_marks);
  for (int i = 0; i < n_marks; i++)
    n_goals += marks[i].role == SS_ROLE_GOAL;
  goal = ssapp_document_get_selected_mark (document);
  SS_CHECK (n_goals == 1 && goal != NULL && goal->role == SS_ROLE_GOAL && goal->kind == SS_MARK_POLYGON);
  SS_CHECK_STR (goal->name, "Goal: box");
  SS_CHECK_NEAR (goal->position.x, scenario_of (document)->task.plan->targets[0].value[0], 0);
  ssapp_camera_to_device (&camera, goal->position, &x, &y);
  hit = ssapp_document_hit_item (document, &camera, x + 5, y - 5, 3);
  SS_CHECK_STR (hit, "task.targets[0]"); /* it is new and selected: in hand, though its body lies on it */
  ssapp_document_select (document, "box");
  covered = ssapp_document_hit_item (document, &camera, x + 5, y - 5, 3);
  SS_CHECK (covered == NULL); /* else the body is */
  SS_CHECK_STR (ssapp_document_hit (document, &camera, x + 5, y - 5, 3), "box");
  accept (ssapp_document_set_pose (document, "task.targets[0]", (double[3]){2, 0.25, 0}, NULL), NULL);
  ssapp_document_select_item (document, "task.targets[0]");
  nothing = ssapp_document_hit_item (document, &camera, x, y - 300, 3);
  SS_CHECK (nothing == NULL);
  above_body = ssapp_document_hit_item (document, &camera, 10, -30, 3);
  SS_CHECK (above_body == NULL);
  SS_CHECK_STR (ssapp_document_hit (document, &camera, 10, -30, 3), "box");
  text = ssapp_document_describe (document);
  SS_CHECK (strstr (text, "goal box selected") != NULL);
  ssapp_document_select (document, "box");
  SS_CHECK (ssapp_document_get_selected_mark (document) == &ssapp_document_get_marks (document, &n_marks)[1]);
}

/* The file's frame of the slab is at its corner, the centre at (1, 0.5) of it. */
static void
test_frames (void)
{
  g_autoptr (SsappDocument) document = open_text (EVERYTHING);
  int slab = 4;
  const SsBody *body = &scenario_of (document)->scene->bodies[slab];
  GError *error = NULL;
  g_autofree char *path = ssapp_document_body_path (document, slab), *none = NULL, *label = NULL;
  double pose[3];

  SS_CHECK_STR (body->name, "slab");
  SS_CHECK_STR (path, "scene.bodies[2]"); /* the family is one entry of the file */
  ssapp_document_get_pose (document, slab, pose);
  SS_CHECK_NEAR (pose[0], 5, TYPED);
  SS_CHECK_NEAR (pose[1], 0, TYPED);
  /* Turned about its corner: the rod must fit the start, so it goes first. */
  accept (ssapp_document_remove_item (document, "scene.joints[1]", &error), error);
  accept (ssapp_document_set_pose (document, path, (double[3]){5, 1, G_PI_2}, &error), error);
  body = &scenario_of (document)->scene->bodies[slab];
  SS_CHECK_NEAR (body->q[0], 5 - 0.5, TYPED);
  SS_CHECK_NEAR (body->q[1], 1 + 1, TYPED);
  ssapp_document_get_pose (document, slab, pose);
  SS_CHECK_NEAR (pose[0], 5, TYPED);
  SS_CHECK_NEAR (pose[1], 1, TYPED);
  accept (move_body (document, "slab", 0.5, 0, &error), error);
  ssapp_document_get_pose (document, slab, pose);
  SS_CHECK_NEAR (pose[0], 5.5, TYPED);
  /* A body of a family has no place of its own in the file. */
  none = ssapp_document_body_path (document, 2);
  SS_CHECK (none == NULL);
  ssapp_document_select (document, "ball2");
  SS_CHECK (ssapp_document_get_selected_index (document) == 2);
  label = g_strdup (ssapp_document_get_undo_label (document));
  SS_CHECK (!move_body (document, "ball2", 1, 0, NULL));
  SS_CHECK (!ssapp_document_delete (document, "ball2", &error) && strstr (error->message, "family") != NULL);
  g_clear_error (&error);
  SS_CHECK (!ssapp_document_rename (document, "ball2", "b", NULL));
  SS_CHECK (!ssapp_document_set_fixed (document, 2, TRUE, NULL) &&
            !ssapp_document_set_lock (document, 2, 0, TRUE, NULL));
  SS_CHECK_STR (ssapp_document_get_undo_label (document), label);
  /* Its goal is an entry as any other. */
  accept (ssapp_document_add_target (document, "ball2", &error), error);
  accept (ssapp_document_set_pose (document, "task.targets[2]", (double[3]){1, 2, 0}, &error), error);
}

/* ---- what drives, what holds ------------------------------------------------------------------------------------- */

static void
test_actuators (void)
{
  g_autoptr (SsappDocument) document = open_sketch ();
  GError *error = NULL;
  const SsScene *scene;
  double mass;

  accept (ssapp_document_add_actuator (document, "disc", SSAPP_ACTUATOR_FORCE_X, &error), error);
  accept (ssapp_document_add_actuator (document, "disc", SSAPP_ACTUATOR_FORCE_Y, &error), error);
  accept (ssapp_document_add_actuator (document, "disc", SSAPP_ACTUATOR_TORQUE, &error), error);
  accept (ssapp_document_add_actuator (document, "disc", SSAPP_ACTUATOR_FORCE_X, &error), error);
  scene = scenario_of (document)->scene;
  SS_CHECK (scene->n_actuators == 4);
  SS_CHECK_STR (scene->actuators[0].name, "disc_x");
  SS_CHECK_STR (scene->actuators[3].name, "disc_x2");
  SS_CHECK (scene->actuators[1].direction.y == 1 && scene->actuators[2].kind == SS_ACTUATOR_TORQUE);
  /* Enough to lift all that moves, on both sides of zero. */
  mass = scene->bodies[1].mass + scene->bodies[2].mass;
  SS_CHECK (scene->actuators[1].upper > 9.81 * mass && scene->actuators[1].lower == -scene->actuators[1].upper);
  SS_CHECK (scene->actuators[1].upper < 10 * 9.81 * mass);
  accept (ssapp_document_set_field (document, "scene.actuators[0].upper", "20", "", &error), error);
  accept (ssapp_document_clear_field (document, "scene.actuators[0].lower", &error), error);
  scene = scenario_of (document)->scene;
  SS_CHECK (scene->actuators[0].upper == 20 && scene->actuators[0].lower == -INFINITY);
  accept (ssapp_document_set_field (document, "task.effort.disc_x", "0.5", "", &error), error);
  accept (ssapp_document_remove_item (document, "scene.actuators[0]", &error), error); /* and its effort */
  SS_CHECK (scenario_of (document)->scene->n_actuators == 3);
  SS_CHECK (strstr (ssapp_document_get_text (document), "disc_x\"") == NULL);
  SS_CHECK_STR (ssapp_document_get_undo_label (document), "Delete disc_x");
  SS_CHECK (!ssapp_document_add_actuator (document, "floor", SSAPP_ACTUATOR_TORQUE, NULL));
}

static void
test_bounds_locks_and_fixing (void)
{
  g_autoptr (SsappDocument) document = open_sketch ();
  GError *error = NULL;
  g_autofree char *path = NULL;
  const SsBody *box;

  accept (ssapp_document_add_target (document, "box", &error), error);
  accept (ssapp_document_add_bounds (document, "disc", &error), error);
  path = ssapp_document_find_entry (document, "task.bounds", "disc");
  SS_CHECK_STR (path, "task.bounds[0]");
  accept (ssapp_document_set_field (document, "task.bounds[0].x[0]", "-2", "", &error), error);
  SS_CHECK (scenario_of (document)->task.plan->bounds[0].lower[0] == -2);
  SS_CHECK (scenario_of (document)->task.plan->bounds[0].upper[0] == INFINITY);
  SS_CHECK (!ssapp_document_set_field (document, "task.bounds[0].x[1]", "-3", "", NULL)); /* nothing fits */
  accept (ssapp_document_set_lock (document, 2, 2, TRUE, &error), error);
  accept (ssapp_document_set_lock (document, 2, 0, TRUE, &error), error);
  SS_CHECK (scenario_of (document)->scene->bodies[2].lock[0] && !scenario_of (document)->scene->bodies[2].lock[1]);
  accept (ssapp_document_set_lock (document, 2, 2, FALSE, &error), error);
  SS_CHECK (scenario_of (document)->scene->bodies[2].lock[0] && !scenario_of (document)->scene->bodies[2].lock[2]);
  accept (ssapp_document_add_target (document, "disc", &error), error); /* nothing is asked of what is locked */
  SS_CHECK (isnan (scenario_of (document)->task.plan->targets[1].value[0]));
  /* An obstacle: a box that is fixed, and free again with a mass. */
  accept (ssapp_document_remove_item (document, "task.targets[0]", &error), error);
  accept (ssapp_document_set_fixed (document, 1, TRUE, &error), error);
  SS_CHECK (scenario_of (document)->scene->bodies[1].is_fixed);
  accept (ssapp_document_set_fixed (document, 1, FALSE, &error), error);
  box = &scenario_of (document)->scene->bodies[1];
  SS_CHECK (!box->is_fixed && box->mass > 0);
}

/* ---- entries ----------------------------------------------------------------------------------------------------- */

static void
test_items (void)
{
  g_autoptr (SsappDocument) document = open_text (EVERYTHING);
  g_autoptr (GPtrArray) joints = ssapp_document_list_items (document, "scene.joints"),
                        actuators = ssapp_document_list_items (document, "scene.actuators"),
                        bodies = ssapp_document_list_items (document, "scene.bodies"),
                        goals = ssapp_document_list_items (document, "task.targets");
  const SsappItem *item;

  SS_CHECK (joints->len == 2 && actuators->len == 2 && goals->len == 2);
  item = g_ptr_array_index (joints, 0);
  SS_CHECK_STR (item->name, "hinge");
  SS_CHECK_STR (item->kind, "pin");
  SS_CHECK_STR (item->detail, "world – arm");
  item = g_ptr_array_index (joints, 1);
  SS_CHECK_STR (item->name, scenario_of (document)->scene->joints[1].name); /* as the engine calls it */
  item = g_ptr_array_index (actuators, 0);
  SS_CHECK_STR (item->detail, "±2");
  item = g_ptr_array_index (bodies, 1);
  SS_CHECK (item->is_family);
  item = g_ptr_array_index (goals, 1);
  SS_CHECK_STR (item->name, "slab");
  SS_CHECK_STR (item->detail, "7, 0 m");
  ssapp_document_select_item (document, "scene.joints[1]");
  SS_CHECK_STR (ssapp_document_get_selected_item (document), "scene.joints[1]");
  ssapp_document_select_item (document, "scene.joints[5]");
  SS_CHECK (ssapp_document_get_selected_item (document) == NULL);
  SS_CHECK (ssapp_document_get_item (document, "parameters.n") == NULL &&
            !ssapp_document_remove_item (document, "nowhere", NULL));
}

static void
test_deleting_takes_what_belongs (void)
{
  g_autoptr (SsappDocument) document = open_text (EVERYTHING);
  g_autofree char *before = g_strdup (ssapp_document_get_text (document));
  GError *error = NULL;
  const SsScene *scene;

  /* A formula of an actuator of another body reads the arm: that is for the user to change. */
  SS_CHECK (!ssapp_document_delete (document, "arm", &error) && strstr (error->message, "arm.omega") != NULL);
  g_clear_error (&error);
  SS_CHECK_STR (ssapp_document_get_text (document), before);
  accept (ssapp_document_set_field (document, "scene.actuators[1].formula", "-3*slab.x", "", &error), error);
  accept (ssapp_document_delete (document, "arm", &error), error);
  scene = scenario_of (document)->scene;
  SS_CHECK (scene->n_joints == 0 && scene->n_actuators == 1 && scene->n_forces == 0 && scene->n_springs == 1);
  SS_CHECK (scenario_of (document)->task.plan->n_targets == 1);
  SS_CHECK (strstr (ssapp_document_get_text (document), "motor") == NULL);
  accept (ssapp_document_set_field (document, "task.constraints[0].nonnegative[0]", "1", "", &error), error);
  accept (ssapp_document_set_field (document, "task.constraints[0].nonnegative[1]", "2", "", &error), error);
  accept (ssapp_document_delete (document, "slab", &error), error);
  SS_CHECK (scenario_of (document)->scene->n_springs == 0 && scenario_of (document)->task.plan->n_bounds == 0);
  SS_CHECK (scenario_of (document)->task.plan->n_candidates == 1); /* floor-ball1 */
  for (int i = 0; i < 5; i++)
    ssapp_document_undo (document);
  SS_CHECK_STR (ssapp_document_get_text (document), before);
}

static void
test_renaming_goes_everywhere (void)
{
  g_autoptr (SsappDocument) document = open_text (EVERYTHING);
  GError *error = NULL;
  const SsScenario *scenario;

  accept (ssapp_document_rename (document, "slab", "plate", &error), error);
  accept (ssapp_document_rename (document, "arm", "limb", &error), error);
  scenario = scenario_of (document);
  SS_CHECK (strstr (ssapp_document_get_text (document), "slab") == NULL);
  SS_CHECK (strstr (ssapp_document_get_text (document), "\"-3*plate.x + limb.omega\"") != NULL);
  SS_CHECK (strstr (ssapp_document_get_text (document), "\"u.push + plate.y*2\"") != NULL);
  SS_CHECK (scenario->task.plan->n_candidates == 2 && scenario->scene->n_joints == 2);
  ssapp_document_undo (document);
  ssapp_document_undo (document);
  SS_CHECK (!ssapp_document_is_dirty (document));
}

/* ---- joints drawn ------------------------------------------------------------------------------------------------ */

/* Two boxes that overlap: a pin where both are joins them, one beside joins a box with the world; rods and springs take
 * what is under their ends. */
static void
test_joints_are_drawn (void)
{
  g_autoptr (SsappDocument) document = ssapp_document_new ();
  GError *error = NULL;
  const double reach = 0.01;

  accept (ssapp_document_add_box (document, (SsVec2){0, 0}, (SsVec2){1, 0.2}, &error), error);
  accept (ssapp_document_add_box (document, (SsVec2){0.8, 0}, (SsVec2){1.8, 0.2}, &error), error);
  SS_CHECK (!ssapp_document_add_joint (document, SSAPP_JOINT_PIN, (SsVec2){5, 5}, (SsVec2){5, 5}, reach, &error));
  SS_CHECK_CONTAINS (error != NULL ? error->message : NULL, "no body");
  g_clear_error (&error);
  accept (ssapp_document_add_joint (document, SSAPP_JOINT_PIN, (SsVec2){0.9, 0.1}, (SsVec2){0.9, 0.1}, reach, &error),
          error);
  const SsScene *scene = scenario_of (document)->scene;
  SS_CHECK (scene->n_joints == 1 && scene->joints[0].kind == SS_JOINT_PIN);
  SS_CHECK (scene->joints[0].body_a + scene->joints[0].body_b == 1); /* the two boxes */
  SS_CHECK_STR (ssapp_document_get_selected_item (document), "scene.joints[0]");
  accept (ssapp_document_add_joint (document, SSAPP_JOINT_PIN, (SsVec2){0.1, 0.1}, (SsVec2){0.1, 0.1}, reach, &error),
          error);
  scene = scenario_of (document)->scene;
  SS_CHECK (scene->n_joints == 2 && scene->joints[1].body_a == -1 && scene->joints[1].body_b == 0);

  /* A motor on it: the joint gets its name in writing. */
  accept (ssapp_document_add_motor (document, "scene.joints[1]", &error), error);
  scene = scenario_of (document)->scene;
  SS_CHECK (scene->n_actuators == 1 && scene->actuators[0].kind == SS_ACTUATOR_JOINT && scene->actuators[0].joint == 1);
  SS_CHECK (scene->actuators[0].upper > 0 && scene->actuators[0].lower == -scene->actuators[0].upper);

  /* Rod from the world to the second box, given in the other order; its length is that of the drag. */
  accept (ssapp_document_add_joint (document, SSAPP_JOINT_ROD, (SsVec2){1.5, 0.1}, (SsVec2){1.5, 0.7}, reach, &error),
          error);
  scene = scenario_of (document)->scene;
  SS_CHECK (scene->n_joints == 3 && scene->joints[2].kind == SS_JOINT_ROD && scene->joints[2].body_a == -1 &&
            scene->joints[2].body_b == 1);
  SS_CHECK_NEAR (scene->joints[2].length, 0.6, TYPED);
  SS_CHECK (!ssapp_document_add_motor (document, "scene.joints[2]", &error));
  SS_CHECK_CONTAINS (error != NULL ? error->message : NULL, "pin or a slider");
  g_clear_error (&error);

  /* A spring hangs the mass m with the period of half a second: k = m (2 pi / T)^2, written with two digits. */
  accept (ssapp_document_add_joint (document, SSAPP_JOINT_SPRING, (SsVec2){0.3, 1}, (SsVec2){0.3, 0.1}, reach, &error),
          error);
  scene = scenario_of (document)->scene;
  SS_CHECK (scene->n_springs == 1 && scene->springs[0].body_a == -1 && scene->springs[0].body_b == 0);
  double k = scene->bodies[0].mass * 16 * G_PI * G_PI;
  SS_CHECK_NEAR (scene->springs[0].stiffness, k, 0.05 * k);
  SS_CHECK (
      !ssapp_document_add_joint (document, SSAPP_JOINT_SPRING, (SsVec2){0.3, 0.1}, (SsVec2){0.4, 0.1}, reach, &error));
  SS_CHECK_CONTAINS (error != NULL ? error->message : NULL, "same body");
  g_clear_error (&error);

  /* A slider along what was dragged, in a file that is read again. */
  g_autoptr (SsappDocument) other = ssapp_document_new ();
  accept (ssapp_document_add_box (other, (SsVec2){0, 0}, (SsVec2){1, 0.2}, &error), error);
  accept (ssapp_document_add_joint (other, SSAPP_JOINT_SLIDER, (SsVec2){0.5, 0.1}, (SsVec2){0.8, 0.5}, reach, &error),
          error);
  scene = scenario_of (other)->scene;
  SS_CHECK (scene->n_joints == 1 && scene->joints[0].kind == SS_JOINT_SLIDER && scene->joints[0].body_a == -1);
  SS_CHECK_NEAR (scene->joints[0].axis.x, 0.6, TYPED);
  SS_CHECK_NEAR (scene->joints[0].axis.y, 0.8, TYPED);
  ssapp_document_undo (other);
  SS_CHECK (scenario_of (other)->scene->n_joints == 0);
}

/* A name and its range, and how many are drawn, in one entry; taken out again; one step of undo each. */
static void
worlds_are_ranges_in_one_entry (void)
{
  SsappDocument *document = open_text (EVERYTHING);
  GError *error = NULL;

  accept (ssapp_document_set_field (document, "task.worlds", "arm.mass 0.5, 1.5; samples 12; feedback lqr", "", &error),
          error);
  const SsPlan *plan = ssapp_document_get_scenario (document)->task.plan;
  SS_CHECK (plan->n_ranges == 1 && plan->world_samples == 12 && plan->world_feedback == SS_PLAN_WORLDS_LQR);
  SS_CHECK (plan->ranges[0].lower == 0.5 && plan->ranges[0].upper == 1.5);
  char *text = ssapp_document_get_field (document, "task.worlds", "");
  SS_CHECK_STR (text, "arm.mass 0.5, 1.5; samples 12; feedback lqr");
  g_free (text);
  SS_CHECK (!ssapp_document_set_field (document, "task.worlds", "arm.mass", "", &error));
  SS_CHECK_CONTAINS (error->message, "is no range");
  g_clear_error (&error);
  SS_CHECK (!ssapp_document_set_field (document, "task.worlds", "nothing 1, 2", "", &error));
  SS_CHECK_CONTAINS (error->message, "nothing");
  g_clear_error (&error);
  accept (ssapp_document_rename (document, "arm", "boom", &error), error);
  SS_CHECK_STR (ssapp_document_get_scenario (document)->task.plan->ranges[0].name, "boom.mass");
  accept (ssapp_document_set_field (document, "scene.actuators[1].formula", "-3*slab.x", "", &error), error);
  accept (ssapp_document_delete (document, "boom", &error), error);
  SS_CHECK (!ssapp_document_has_field (document, "task.worlds"));
  for (int i = 0; i < 4; i++)
    ssapp_document_undo (document);
  SS_CHECK (ssapp_document_get_scenario (document)->task.plan->n_ranges == 0);
  g_object_unref (document);
}

static char *
breaks_of (SsappDocument *document)
{
  return ssapp_document_get_field (document, "task.breaks", "");
}

static void
breaks_are_a_list_in_one_entry (void)
{
  SsappDocument *document = open_text (EVERYTHING);
  GError *error = NULL;
  char *text = breaks_of (document);

  SS_CHECK (text == NULL);
  accept (ssapp_document_set_field (document, "task.breaks", " 250ms ,0.25*n, min(0.5, 2)", "", &error), error);
  const SsScene *scene = scenario_of (document)->scene;
  SS_CHECK (scene->n_breaks == 3 && scene->breaks[0] == 0.25 && scene->breaks[1] == 0.5 && scene->breaks[2] == 0.75);
  text = breaks_of (document);
  SS_CHECK_STR (text, "0.25, 0.25*n, min(0.5, 2)");
  g_free (text);

  /* the file says the same again */
  SsappDocument *copy = open_text (ssapp_document_get_text (document));
  text = breaks_of (copy);
  SS_CHECK_STR (text, "0.25, 0.25*n, min(0.5, 2)");
  g_free (text);
  g_object_unref (copy);

  /* what is wrong is refused, with its place, and changes nothing */
  static const struct {
    const char *text, *word;
  } wrong[] = {{"0.1,, 0.2", "number or a formula"}, {"0.1,", "number or a formula"}, {"0.1, tpush", "breaks[1]"}};
  for (gsize i = 0; i < G_N_ELEMENTS (wrong); i++) {
    SS_CHECK (!ssapp_document_set_field (document, "task.breaks", wrong[i].text, "", &error));
    SS_CHECK_CONTAINS (error != NULL ? error->message : NULL, wrong[i].word);
    g_clear_error (&error);
    SS_CHECK (scenario_of (document)->scene->n_breaks == 3);
  }
  accept (ssapp_document_set_field (document, "task.breaks", "none", "", &error), error);
  text = breaks_of (document);
  SS_CHECK_STR (text, "none");
  SS_CHECK (scenario_of (document)->scene->n_breaks == 0 && ssapp_document_has_field (document, "task.breaks"));
  g_free (text);
  accept (ssapp_document_clear_field (document, "task.breaks", &error), error);
  SS_CHECK (!ssapp_document_has_field (document, "task.breaks"));
  ssapp_document_undo (document);
  ssapp_document_undo (document);
  SS_CHECK (scenario_of (document)->scene->n_breaks == 3);
  g_object_unref (document);
}

/* Where a motion ends becomes the goal of bodies that nothing drives; of those that are driven only where no other has
 * moved. A goal of a family's body is told as its numbers say. */
static void
test_end_becomes_the_goal (void)
{
  static const char *const moved[][3] = {{"box", "hand", "arm"}, {"hand", "arm", NULL}, {NULL, NULL, NULL}};
  static const char text[] =
      "{\"format\": 1, \"name\": \"end\", \"scene\": {\"gravity\": [0, 0], \"bodies\": [\n"
      "   {\"name\": \"hand\", \"mass\": 1, \"shape\": {\"type\": \"circle\", \"radius\": 0.2}},\n"
      "   {\"name\": \"box\", \"mass\": 1, \"position\": [2, 0], \"shape\": {\"type\": \"box\", \"width\": 1, "
      "\"height\": 1}},\n"
      "   {\"name\": \"arm\", \"mass\": 1, \"position\": [0, 2], \"shape\": {\"type\": \"capsule\", \"length\": 1, "
      "\"radius\": "
      "0.1}}],\n"
      "  \"joints\": [{\"name\": \"hinge\", \"type\": \"pin\", \"bodies\": [\"world\", \"arm\"], \"anchor\": [-0.5, "
      "2]}],\n"
      "  \"actuators\": [{\"name\": \"motor\", \"type\": \"joint\", \"joint\": \"hinge\", \"lower\": -2, \"upper\": "
      "2},\n"
      "   {\"name\": \"push\", \"type\": \"force\", \"body\": \"hand\", \"direction\": [1, 0], \"lower\": 0, "
      "\"upper\": 1}],\n"
      "  \"contacts\": []}, \"task\": {\"t_end\": 1, \"dt\": 0.01}}\n";
  static const char family[] = "{\"format\": 1, \"name\": \"goals\", \"scene\": {\"bodies\": [\n"
                               "   {\"for\": \"i\", \"from\": 1, \"to\": 2, \"rows\": [{\"name\": \"ball{i}\", "
                               "\"mass\": 1, \"position\": [\"2*{i}\", 3], "
                               "\"shape\": {\"type\": \"circle\", \"radius\": 0.2}}]}], \"contacts\": []},\n"
                               " \"task\": {\"t_end\": 1, \"targets\": [{\"for\": \"i\", \"from\": 1, \"to\": 2, "
                               "\"rows\": [{\"body\": \"ball{i}\", "
                               "\"position\": [\"{i}\", 0.5], \"angle\": 1}]}]}}\n";

  for (guint k = 0; k < G_N_ELEMENTS (moved); k++) {
    g_autoptr (SsappDocument) document = open_text (text);
    SsTrajectory *motion = NULL;
    GError *error = NULL;
    int n = 0;
    SS_CHECK (ss_scenario_initial_trajectory (scenario_of (document), &motion, NULL) == SS_OK);
    g_autofree double *row = g_memdup2 (ss_trajectory_row (motion, 0), sizeof (double) * (gsize)motion->n_channels);
    row[0] = 1;
    for (; n < 3 && moved[k][n] != NULL; n++) {
      g_autofree char *x = g_strconcat (moved[k][n], ".x", NULL), *y = g_strconcat (moved[k][n], ".y", NULL);
      row[ss_trajectory_channel (motion, x)] = 5 + n;
      row[ss_trajectory_channel (motion, y)] = 0.25;
    }
    SS_CHECK (ss_trajectory_append (motion, row, NULL) == SS_OK);
    SS_CHECK (ssapp_document_add_end_targets (document, motion, &error) == (n > 0));
    SS_CHECK ((error == NULL) == (n > 0));
    g_clear_error (&error);
    const SsPlan *plan = scenario_of (document)->task.plan;
    SS_CHECK (plan == NULL ? n == 0 : plan->n_targets == (k == 0 ? 1 : n));
    for (int t = 0; plan != NULL && t < plan->n_targets; t++) {
      SS_CHECK_STR (scenario_of (document)->scene->bodies[plan->targets[t].body].name, moved[k][t]);
      SS_CHECK_NEAR (plan->targets[t].value[0], 5 + t, TYPED);
      SS_CHECK_NEAR (plan->targets[t].value[1], 0.25, TYPED);
    }
    ss_trajectory_free (motion);
  }
  g_autoptr (SsappDocument) goals = open_text (family);
  g_autofree char *words = ssapp_document_describe_task (goals);
  SS_CHECK_CONTAINS (words, "Goal of ball1: x 1 m, y 0.5 m, 57.3°");
  SS_CHECK_CONTAINS (words, "Goal of ball2: x 2 m, y 0.5 m, 57.3°");
}

int
main (void)
{
  SS_RUN (test_goal);
  SS_RUN (test_goal_is_seen);
  SS_RUN (test_frames);
  SS_RUN (test_actuators);
  SS_RUN (test_bounds_locks_and_fixing);
  SS_RUN (test_items);
  SS_RUN (test_deleting_takes_what_belongs);
  SS_RUN (test_renaming_goes_everywhere);
  SS_RUN (test_joints_are_drawn);
  SS_RUN (breaks_are_a_list_in_one_entry);
  SS_RUN (worlds_are_ranges_in_one_entry);
  SS_RUN (test_end_becomes_the_goal);
  return ss_test_finish ();
}
