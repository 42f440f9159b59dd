/* app/document/ssapp-document-task.c: editing of what an optimiser shall reach: goals of bodies, what drives them,
 * bounds; and the problem in words. */
#include "app/document/ssapp-document-private.h"

#include "transcribe/ss-transcribe.h"

#include <math.h>
#include <string.h>

/* Steps of the first goal's horizon: contact-implicit steps of this length [s] follow a sketch of a metre well, and so
 * few are solved in seconds. */
#define PLAN_STEP 0.05
enum { PLAN_STEPS_MIN = 20, PLAN_STEPS_MAX = 60 };
/* A new goal stands this many diameters of its body beside it. */
#define GOAL_OFFSET 1.5
/* A new control may push this many times the weight of all that can move. */
#define FORCE_PER_WEIGHT 2.0
/* [m/s2] in place of a scene's gravity of 0 */
#define GRAVITY_INSTEAD 10.0
/* Candidates times steps up to which the problem is written out to count it, some hundredths of a second. */
#define COUNTED_MAX 20000
/* [m] of a body without extent or without end */
#define RADIUS_INSTEAD 0.5

/* ---- helpers ----------------------------------------------------------------------------------------------------- */

static const SsScene *
scene_of (SsappDocument *self)
{
  return ssapp_document_get_scenario (self)->scene;
}

/* A free body by its name; NULL with an error. */
static const SsBody *
require_moving (SsappDocument *self, const char *name, GError **error)
{
  int index = ssapp_scene_find_body (scene_of (self), name);

  if (!ssapp_document_require_scene (self, error))
    return NULL;
  if (index < 0) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "There is no body “%s”", name != NULL ? name : "");
    return NULL;
  }
  if (ss_body_is_immovable (&scene_of (self)->bodies[index])) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED, "“%s” does not move", name);
    return NULL;
  }
  return &scene_of (self)->bodies[index];
}

/* Largest extent from the body's origin [m]. */
static double
radius_of (const SsBody *body)
{
  double radius = 0;

  for (int i = 0; i < body->n_shapes; i++)
    radius = MAX (radius, ss_shape_radius (&body->shapes[i]));
  return isfinite (radius) && radius > 0 ? radius : RADIUS_INSTEAD;
}

char *
ssapp_document_find_entry (SsappDocument *self, const char *list, const char *body)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self), NULL);
  g_autoptr (GPtrArray) items = ssapp_document_list_items (self, list);

  for (guint i = 0; i < items->len; i++) {
    const SsappItem *item = g_ptr_array_index (items, i);
    if (!item->is_family && strcmp (item->name, body) == 0)
      return g_strdup (item->path);
  }
  return NULL;
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
static void
choose_steps (SsappDocument *self, json_t *root)
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
  double pose[3], offset;

  if (body == NULL)
    return FALSE;
  there = ssapp_document_find_entry (self, "task.targets", name);
  if (there != NULL) {
    ssapp_document_select_item (self, there);
    return TRUE;
  }
  ssapp_document_get_pose (self, ssapp_scene_find_body (scene_of (self), name), pose);
  offset = GOAL_OFFSET * 2 * radius_of (body);
  offset = offset > 0.1 ? round (offset * 10) / 10 : offset; /* to a decimetre */
  target = json_object ();
  position = json_array ();
  velocity = json_array ();
  json_object_set_new (target, "body", json_string (name));
  for (int c = 0; c < 2; c++) {
    json_array_append_new (position,
                           body->lock[c] ? json_null () : json_real (ssapp_tidy (pose[c] + (c == 0 ? offset : 0))));
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
  choose_steps (self, root);
  return add_entry (self, root, "task", "targets", target, label, TRUE, error);
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

static gboolean
is_taken (const SsScene *scene, const char *name)
{
  for (int i = 0; i < scene->n_actuators; i++)
    if (strcmp (scene->actuators[i].name, name) == 0)
      return TRUE;
  for (int i = 0; i < scene->n_joints; i++)
    if (strcmp (scene->joints[i].name, name) == 0)
      return TRUE;
  for (int i = 0; i < scene->n_springs; i++)
    if (strcmp (scene->springs[i].name, name) == 0)
      return TRUE;
  for (int i = 0; i < scene->n_forces; i++)
    if (strcmp (scene->forces[i].name, name) == 0)
      return TRUE;
  for (int i = 0; i < scene->n_contacts; i++)
    if (strcmp (scene->contacts[i].name, name) == 0)
      return TRUE;
  return FALSE;
}

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
  for (int n = 2; is_taken (scene_of (self), actuator); n++) {
    g_free (actuator);
    actuator = g_strdup_printf ("%s_%s%d", identifier, stems[kind], n);
  }
  limit = enough_force (scene_of (self)) * (kind == SSAPP_ACTUATOR_TORQUE ? radius_of (body) : 1);
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
append_count (GString *out, int n, const char *one, const char *many)
{
  g_string_append_printf (out, "%d %s", n, n == 1 ? one : many);
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
  const SsBody *body = &scene_of (self)->bodies[target->body];
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
  g_string_append_printf (out, "Goal of %s: ", body->name);
  for (int c = 0; c < SS_PLAN_COORDINATES; c++) {
    if (isnan (target->value[c]) || (c >= 3 && is_rest))
      continue;
    g_string_append_printf (out, "%s%s", separator, names[c]);
    append_number (out, c < 2 ? pose[c] : c == 2 ? pose[2] * 180 / G_PI : target->value[c], "%.3g");
    g_string_append (out, units[c]);
    separator = ", ";
  }
  if (has_velocity && is_rest)
    g_string_append_printf (out, "%sat rest", separator);
  g_string_append (out, is_hard ? ", exactly" : is_soft ? ", as near as the weights make it" : ", partly exactly");
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
    g_string_append_printf (out, "\nNo optimiser can solve this yet: %s.", error.message);
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
  g_string_append_printf (out, "\n%d variables, %d equations, %d complementarity pairs.",
                          problem->model->n_points * problem->model->n_variables, n_equations, n_pairs);
  ss_scenario_free (problem);
}

/* What a plan needs and the sketch lacks. */
static void
append_missing (GString *out, const SsScene *scene, const SsPlan *plan)
{
  if (plan == NULL)
    g_string_append (out, "Nothing is to be reached yet: select a body and give it a goal.");
  if (scene->n_actuators == 0)
    g_string_append_printf (out, "%sNothing drives the bodies yet: select one and add a force or a torque.",
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
    append_count (out, n_moving, "body that moves, ", "bodies that move, ");
    append_count (out, scene->n_actuators, "control, ", "controls, ");
    append_count (out, plan->n_candidates, "candidate contact, ", "candidate contacts, ");
    append_count (out, plan->steps, "step of ", "steps of ");
    append_number (out, plan->horizon / plan->steps * 1000, "%.3g");
    g_string_append (out, plan->are_steps_free ? " ms, each free."
                          : plan->is_time_free ? " ms, of free length."
                                               : " ms.");
    for (int i = 0; i < plan->n_targets; i++) {
      g_string_append_c (out, '\n');
      append_target (out, self, &plan->targets[i]);
      g_string_append_c (out, '.');
    }
    if (plan->n_constraints > 0 || plan->n_costs > 0) {
      g_string_append_c (out, '\n');
      append_count (out, plan->n_constraints, "formula as a constraint, ", "formulas as constraints, ");
      append_count (out, plan->n_costs, "as a cost.", "as costs.");
    }
    if (ss_transcribe_left_out (scenario, NULL, left_out, sizeof left_out))
      g_string_append_printf (out, "\nContacts %s.", left_out);
  }
  if (plan != NULL && scene->n_actuators > 0)
    append_size (out, scenario);
  append_missing (out, scene, plan);
  return g_string_free (out, FALSE);
}
