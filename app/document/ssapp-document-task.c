/* app/document/ssapp-document-task.c: editing of what an optimiser shall reach: goals of bodies, what drives them,
 * bounds; and the problem in words. */
#include "app/document/ssapp-document-private.h"

#include "run/ss-run.h"
#include "transcribe/ss-transcribe.h"

#include <glib/gi18n.h>
#include <math.h>

/* Steps of the first goal's horizon: contact-implicit steps of this length [s] follow a sketch of a metre well, and so
 * few are solved in seconds. */
#define PLAN_STEP 0.05
enum { PLAN_STEPS_MIN = 20, PLAN_STEPS_MAX = 60 };
/* A new control may push this many times the weight of all that can move. */
#define FORCE_PER_WEIGHT 2.0
/* [m/s2] in place of a scene's gravity of 0 */
#define GRAVITY_INSTEAD 10.0
/* Candidates times steps up to which the problem is written out to count it, some hundredths of a second. */
#define COUNTED_MAX 20000

/* ---- helpers ----------------------------------------------------------------------------------------------------- */

/* A free body by its name; NULL with an error. */
static const SsBody *
require_moving (SsappDocument *self, const char *name, GError **error)
{
  int index = ss_scene_find (ssapp_document_scene (self), SS_OWNER_BODY, name);

  if (!ssapp_document_require_scene (self, error))
    return NULL;
  if (index < 0) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, _ ("There is no body “%s”"), name != NULL ? name : "");
    return NULL;
  }
  if (ss_body_is_immovable (&ssapp_document_scene (self)->bodies[index])) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED, _ ("“%s” does not move"), name);
    return NULL;
  }
  return &ssapp_document_scene (self)->bodies[index];
}

/* Adds an entry (taken) to a list and selects it if asked. */
static gboolean
add_entry (SsappDocument *self, json_t *root, const char *section, const char *name, json_t *entry, const char *label,
           gboolean selects, GError **error)
{
  json_t *list = ssapp_tree_require_list (root, section, name);
  g_autofree char *path = g_strdup_printf ("%s.%s[%zu]", section, name, json_array_size (list));

  json_array_append_new (list, entry);
  if (!ssapp_document_commit (self, root, label, error))
    return FALSE;
  if (selects)
    ssapp_document_select_item (self, path);
  return TRUE;
}

/* ---- goals ------------------------------------------------------------------------------------------------------- */

/* Steps for a horizon, when the file says nothing and the steps of a simulation would be too many. */
void
ssapp_document_choose_steps (SsappDocument *self, json_t *root)
{
  const SsTask *task = &ssapp_document_get_scenario (self)->task;
  json_t *object = json_object_get (root, "task");
  double steps = CLAMP (round (task->t_end / PLAN_STEP), PLAN_STEPS_MIN, PLAN_STEPS_MAX);

  if (task->plan == NULL && json_object_get (object, "steps") == NULL)
    json_object_set_new (object, "steps", json_integer ((json_int_t)steps));
}

gboolean
ssapp_document_add_target (SsappDocument *self, const char *name, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self), FALSE);
  const SsBody *body = require_moving (self, name, error);
  g_autofree char *label = NULL, *there = NULL;
  json_t *root, *target, *position, *velocity;
  double pose[3];

  if (body == NULL)
    return FALSE;
  there = ssapp_document_find_entry (self, "task.targets", name);
  if (there != NULL) {
    ssapp_document_select_item (self, there);
    return TRUE;
  }
  ssapp_document_get_pose (self, ss_scene_find (ssapp_document_scene (self), SS_OWNER_BODY, name), pose);
  target = json_object ();
  position = json_array ();
  velocity = json_array ();
  json_object_set_new (target, "body", json_string (name));
  for (int c = 0; c < 2; c++) {
    json_array_append_new (position, body->lock[c] ? json_null () : json_real (ssapp_tidy (pose[c])));
    json_array_append_new (velocity, body->lock[c] ? json_null () : json_integer (0));
  }
  json_object_set_new (target, "position", position);
  if (!body->lock[2] || body->origin.x != 0 || body->origin.y != 0)
    json_object_set_new (target, "angle", json_real (ssapp_tidy (pose[2])));
  json_object_set_new (target, "velocity", velocity);
  if (!body->lock[2])
    json_object_set_new (target, "angular_velocity", json_integer (0));
  label = g_strdup_printf ("Give %s a goal", name);
  root = json_deep_copy (ssapp_document_root (self));
  ssapp_tree_require_list (root, "task", "targets");
  ssapp_document_choose_steps (self, root);
  return add_entry (self, root, "task", "targets", target, label, TRUE, error);
}

/* ---- goals from a motion ----------------------------------------------------------------------------------------- */

/* Less is no motion of a body [m or rad]; slower is rest [m/s or rad/s]. */
#define MOVED   0.02
#define AT_REST 0.05

/* Pose and speeds of a body in a row, of its centre of mass. */
static gboolean
read_state (const SsTrajectory *motion, int row, const SsBody *body, double state[6])
{
  static const char *const names[] = {"x", "y", "theta", "vx", "vy", "omega"};

  for (int c = 0; c < 6; c++) {
    g_autofree char *name = g_strdup_printf ("%s.%s", body->name, names[c]);
    const int channel = ss_trajectory_channel (motion, name);
    if (channel < 0)
      return FALSE;
    state[c] = ss_trajectory_row (motion, row)[channel];
  }
  return TRUE;
}

static gboolean
is_driven (const SsScene *scene, int body)
{
  for (int i = 0; i < scene->n_actuators; i++) {
    const SsActuator *a = &scene->actuators[i];
    if (a->kind == SS_ACTUATOR_JOINT ? scene->joints[a->joint].body_a == body || scene->joints[a->joint].body_b == body
                                     : a->body == body)
      return TRUE;
  }
  return FALSE;
}

/* A target where the body ends; NULL: it has not moved. */
static json_t *
end_target (const SsBody *body, const SsTrajectory *motion)
{
  double from[6], to[6];
  gboolean rests = TRUE;

  if (ss_body_is_immovable (body) || !read_state (motion, 0, body, from) ||
      !read_state (motion, motion->n_rows - 1, body, to))
    return NULL;
  if (hypot (to[0] - from[0], to[1] - from[1]) < MOVED && fabs (to[2] - from[2]) < MOVED)
    return NULL;
  for (int c = 3; c < 6; c++)
    rests = rests && fabs (to[c]) < AT_REST;
  const double cosine = cos (to[2]), sine = sin (to[2]),
               place[2] = {to[0] + cosine * body->origin.x - sine * body->origin.y,
                           to[1] + sine * body->origin.x + cosine * body->origin.y};
  json_t *target = json_object (), *position = json_array (), *velocity = json_array ();
  json_object_set_new (target, "body", json_string (body->name));
  for (int c = 0; c < 2; c++) {
    json_array_append_new (position, body->lock[c] ? json_null () : json_real (place[c]));
    json_array_append_new (velocity, body->lock[c] ? json_null () : json_integer (0));
  }
  json_object_set_new (target, "position", position);
  if (!body->lock[2] || body->origin.x != 0 || body->origin.y != 0)
    json_object_set_new (target, "angle", json_real (to[2]));
  if (rests)
    json_object_set (target, "velocity", velocity);
  if (rests && !body->lock[2])
    json_object_set_new (target, "angular_velocity", json_integer (0));
  json_decref (velocity);
  return target;
}

/* Adds those of bodies that are driven, or of those that are not. Returns their number. */
static int
add_end_targets (const SsScene *scene, const SsTrajectory *motion, gboolean driven, json_t *targets)
{
  int n = 0;

  for (int b = 0; b < scene->n_bodies; b++) {
    json_t *target = is_driven (scene, b) == driven ? end_target (&scene->bodies[b], motion) : NULL;
    if (target != NULL)
      json_array_append_new (targets, target);
    n += target != NULL;
  }
  return n;
}

gboolean
ssapp_document_add_end_targets (SsappDocument *self, const SsTrajectory *motion, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self) && motion != NULL && motion->n_rows > 0, FALSE);
  const SsScene *scene = ssapp_document_scene (self);

  if (!ssapp_document_require_scene (self, error))
    return FALSE;
  const double length = ss_trajectory_row (motion, motion->n_rows - 1)[0] - ss_run_begins_to_move (scene, motion);
  json_t *root = json_deep_copy (ssapp_document_root (self)),
         *targets = ssapp_tree_require_list (root, "task", "targets"), *task = json_object_get (root, "task");
  if (add_end_targets (scene, motion, FALSE, targets) == 0 && add_end_targets (scene, motion, TRUE, targets) == 0) {
    json_decref (root);
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, _ ("Nothing has moved yet"));
    return FALSE;
  }
  json_object_set_new (task, "horizon", json_real (ssapp_tidy (length)));
  json_object_set_new (task, "steps",
                       json_integer ((json_int_t)CLAMP (round (length / PLAN_STEP), PLAN_STEPS_MIN, PLAN_STEPS_MAX)));
  return ssapp_document_commit (self, root, "Take the end as the goal", error);
}

gboolean
ssapp_document_add_bounds (SsappDocument *self, const char *name, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self), FALSE);
  const SsBody *body = require_moving (self, name, error);
  g_autofree char *label = NULL;

  if (body == NULL)
    return FALSE;
  label = g_strdup_printf ("Bound %s", name);
  return add_entry (self, json_deep_copy (ssapp_document_root (self)), "task", "bounds",
                    json_pack ("{s:s, s:[n, n], s:[n, n]}", "body", name, "x", "y"), label, FALSE, error);
}

/* ---- what drives ------------------------------------------------------------------------------------------------- */

/* A round force that moves anything of the scene [N]. */
static double
enough_force (const SsScene *scene)
{
  double mass = 0, gravity = hypot (scene->gravity.x, scene->gravity.y), force, magnitude;

  for (int i = 0; i < scene->n_bodies; i++)
    mass += ss_body_is_immovable (&scene->bodies[i]) ? 0 : scene->bodies[i].mass;
  force = FORCE_PER_WEIGHT * mass * (gravity > 0 ? gravity : GRAVITY_INSTEAD);
  if (!(force > 0) || !isfinite (force))
    return 1;
  magnitude = pow (10, floor (log10 (force)));
  return ssapp_tidy (ceil (force / magnitude) * magnitude);
}

gboolean
ssapp_document_add_actuator (SsappDocument *self, const char *name, SsappActuatorKind kind, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self), FALSE);
  static const char *const stems[] = {"x", "y", "turn"};
  const SsBody *body = require_moving (self, name, error);
  g_autofree char *label = NULL, *actuator = NULL, *identifier = g_strdelimit (g_strdup (name), "-", '_');
  json_t *entry;
  double limit;

  if (body == NULL)
    return FALSE;
  actuator = g_strdup_printf ("%s_%s", identifier, stems[kind]);
  for (int n = 2; ssapp_scene_is_taken (ssapp_document_scene (self), actuator); n++) {
    g_free (actuator);
    actuator = g_strdup_printf ("%s_%s%d", identifier, stems[kind], n);
  }
  limit = enough_force (ssapp_document_scene (self)) * (kind == SSAPP_ACTUATOR_TORQUE ? ss_body_size (body) / 2 : 1);
  entry = json_object ();
  json_object_set_new (entry, "name", json_string (actuator));
  json_object_set_new (entry, "type", json_string (kind == SSAPP_ACTUATOR_TORQUE ? "torque" : "force"));
  json_object_set_new (entry, "body", json_string (name));
  if (kind != SSAPP_ACTUATOR_TORQUE)
    json_object_set_new (entry, "direction",
                         json_pack ("[i, i]", kind == SSAPP_ACTUATOR_FORCE_X, kind == SSAPP_ACTUATOR_FORCE_Y));
  json_object_set_new (entry, "lower", json_real (-ssapp_tidy (limit)));
  json_object_set_new (entry, "upper", json_real (ssapp_tidy (limit)));
  label = g_strdup_printf ("Add %s to %s", kind == SSAPP_ACTUATOR_TORQUE ? "a torque" : "a force", name);
  return add_entry (self, json_deep_copy (ssapp_document_root (self)), "scene", "actuators", entry, label, FALSE,
                    error);
}

/* ---- in words ---------------------------------------------------------------------------------------------------- */

static void
append_count (GString *out, int n, const char *words)
{
  g_string_append_printf (out, "%d %s", n, words);
}

static void
append_number (GString *out, double value, const char *format)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];
  g_string_append (out, g_ascii_formatd (text, sizeof text, format, value == 0 ? 0 : value));
}

/* "Goal of box: x 1.2 m, y 0.25 m, 0°, at rest, exactly" */
static void
append_target (GString *out, SsappDocument *self, const SsPlanTarget *target)
{
  static const char *const names[] = {"x ", "y ", "", "vx ", "vy ", "ω "};
  static const char *const units[] = {" m", " m", "°", " m/s", " m/s", " rad/s"};
  const SsBody *body = &ssapp_document_scene (self)->bodies[target->body];
  g_autofree char *path = ssapp_document_find_entry (self, "task.targets", body->name);
  double pose[3] = {target->value[0], target->value[1], target->value[2]};
  gboolean is_rest = TRUE, has_velocity = FALSE, is_hard = TRUE, is_soft = TRUE;
  const char *separator = "";

  if (path != NULL) /* as the file says it: of the body's frame */
    ssapp_document_get_target_pose (self, path, pose);
  for (int c = 0; c < SS_PLAN_COORDINATES; c++) {
    if (isnan (target->value[c]))
      continue;
    has_velocity = has_velocity || c >= 3;
    is_rest = is_rest && (c < 3 || target->value[c] == 0);
    is_hard = is_hard && isinf (target->weight[c]);
    is_soft = is_soft && !isinf (target->weight[c]);
  }
  g_string_append_printf (out, _ ("Goal of %s: "), body->name);
  for (int c = 0; c < SS_PLAN_COORDINATES; c++) {
    if (isnan (target->value[c]) || (c >= 3 && is_rest))
      continue;
    g_string_append_printf (out, "%s%s", separator, names[c]);
    append_number (out, c < 2 ? pose[c] : c == 2 ? pose[2] * 180 / G_PI : target->value[c], "%.3g");
    g_string_append (out, units[c]);
    separator = ", ";
  }
  if (has_velocity && is_rest)
    g_string_append_printf (out, _ ("%sat rest"), separator);
  g_string_append (out, is_hard   ? _ (", exactly")
                        : is_soft ? _ (", as near as the weights make it")
                                  : _ (", partly exactly"));
}

/* The size of the problem as optimisers get it, or why they cannot. */
static void
append_size (GString *out, const SsScenario *scenario)
{
  SsScenario *problem = NULL;
  SsError error = {0};
  int n_equations = 0, n_pairs = 0;

  if ((double)scenario->task.plan->n_candidates * scenario->task.plan->steps > COUNTED_MAX)
    return;
  if (ss_transcribe (scenario, NULL, &problem, &error) != SS_OK) {
    g_string_append_printf (out, _ ("\nNo optimiser can solve this yet: %s."), error.message);
    return;
  }
  for (int b = 0; b < problem->model->n_blocks; b++) {
    const SsModelBlock *block = &problem->model->blocks[b];
    const int n_points = ss_model_count_points (block->first, block->last, block->stride);

    for (int r = 0; r < block->n_rows; r++) {
      n_equations += block->rows[r].kind == SS_ROWS_EQUALITY ? n_points : 0;
      n_pairs += block->rows[r].kind == SS_ROWS_COMPLEMENTARY ? n_points : 0;
    }
  }
  g_string_append_printf (out, _ ("\n%d variables, %d equations, %d complementarity pairs."),
                          problem->model->n_points * problem->model->n_variables, n_equations, n_pairs);
  ss_scenario_free (problem);
}

/* What a plan needs and the sketch lacks. */
static void
append_missing (GString *out, const SsScene *scene, const SsPlan *plan)
{
  if (plan == NULL)
    g_string_append (out, _ ("Nothing is to be reached yet: select a body and give it a goal."));
  if (scene->n_actuators == 0)
    g_string_append_printf (out, _ ("%sNothing drives the bodies yet: select one and add a force or a torque."),
                            out->len > 0 ? "\n" : "");
}

char *
ssapp_document_describe_task (SsappDocument *self)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self), NULL);

  const SsScenario *scenario = ssapp_document_get_scenario (self);
  const SsScene *scene = scenario->scene;
  const SsPlan *plan = scenario->task.plan;
  GString *out = g_string_new (NULL);
  char left_out[512];
  int n_moving = 0;

  if (scene == NULL)
    return g_string_free (out, FALSE);
  for (int i = 0; i < scene->n_bodies; i++)
    n_moving += !ss_body_is_immovable (&scene->bodies[i]);
  if (plan != NULL) {
    append_count (out, n_moving, ngettext ("body that moves, ", "bodies that move, ", (gulong)n_moving));
    append_count (out, scene->n_actuators, ngettext ("control, ", "controls, ", (gulong)scene->n_actuators));
    append_count (out, plan->n_candidates,
                  ngettext ("candidate contact, ", "candidate contacts, ", (gulong)plan->n_candidates));
    append_count (out, plan->steps, ngettext ("step of ", "steps of ", (gulong)plan->steps));
    append_number (out, plan->horizon / plan->steps * 1000, "%.3g");
    g_string_append (out, plan->are_steps_free ? _ (" ms, each free.")
                          : plan->is_time_free ? _ (" ms, of free length.")
                                               : " ms.");
    for (int i = 0; i < plan->n_targets; i++) {
      g_string_append_c (out, '\n');
      append_target (out, self, &plan->targets[i]);
      g_string_append_c (out, '.');
    }
    if (plan->n_constraints > 0 || plan->n_costs > 0) {
      g_string_append_c (out, '\n');
      append_count (out, plan->n_constraints,
                    ngettext ("formula as a constraint, ", "formulas as constraints, ", (gulong)plan->n_constraints));
      append_count (out, plan->n_costs, ngettext ("as a cost.", "as costs.", (gulong)plan->n_costs));
    }
    if (ss_transcribe_left_out (scenario, NULL, left_out, sizeof left_out))
      g_string_append_printf (out, _ ("\nContacts %s."), left_out);
  }
  if (plan != NULL && scene->n_actuators > 0)
    append_size (out, scenario);
  append_missing (out, scene, plan);
  return g_string_free (out, FALSE);
}
