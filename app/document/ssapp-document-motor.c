/* app/document/ssapp-document-motor.c: motors on pins and sliders: controls, and laws that keep a speed or a place,
 * written as formulas that can be read and changed. Tests: tests/unit/test-document-motor.c */
#include "app/document/ssapp-document-private.h"
#include "app/draw/ssapp-scene-point.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

/* A new motor may push with this many times the weight of what moves: force [N], or torque [N m] at a metre. */
#define MOTOR_PER_WEIGHT 1.0
/* [m/s2] in place of a scene's gravity of 0 */
#define GRAVITY_INSTEAD 10.0
/* A new law brings what it drives to its speed with this time constant [s], ... */
#define SPEED_TIME 0.1
/* ... or to its place with this frequency [rad/s], critically damped. */
#define PLACE_FREQUENCY 10.0
#define DEFAULT_SPIN    5.0 /* rad/s */
#define DEFAULT_SPEED   0.5 /* m/s   */
#define DEFAULT_STEP    0.5 /* m     */
/* A component of an axis below this is none. */
#define NO_COMPONENT 1e-9

/* The joint at a path such as "scene.joints[0]" in the reading; NULL if a family wrote it or it is none. */
static const SsJoint *
joint_at (SsappDocument *self, const char *path)
{
  SsappItem *item =
      path != NULL && g_str_has_prefix (path, "scene.joints[") ? ssapp_document_get_item (self, path) : NULL;
  const SsScene *scene = ssapp_document_scene (self);
  const int joint = item != NULL && !item->is_family ? ss_scene_find (scene, SS_OWNER_JOINT, item->name) : -1;

  ssapp_item_free (item);
  return joint >= 0 ? &scene->joints[joint] : NULL;
}

static const SsJoint *
require_driven (SsappDocument *self, const char *path, GError **error)
{
  const SsJoint *joint = joint_at (self, path);

  if (joint != NULL && (joint->kind == SS_JOINT_PIN || joint->kind == SS_JOINT_SLIDER))
    return joint;
  ssapp_refuse (error, _ ("A motor drives a pin or a slider"));
  return NULL;
}

/* ---- the actuator ------------------------------------------------------------------------------------------------ */

/* "motor", "motor2", ...: neither an entry of the scene nor the end of a parameter's name. */
static char *
new_name (SsappDocument *self)
{
  static const char *const gains[] = {"k", "d", "speed", "angle", "place"};
  const SsScenario *scenario = ssapp_document_get_scenario (self);
  char *name = NULL;

  for (int n = 1; name == NULL; n++) {
    name = n == 1 ? g_strdup ("motor") : g_strdup_printf ("motor%d", n);
    gboolean is_used = ssapp_scene_is_taken (scenario->scene, name);
    for (guint i = 0; i < G_N_ELEMENTS (gains); i++) {
      g_autofree char *parameter = g_strdup_printf ("%s_%s", gains[i], name);
      is_used = is_used || ss_scenario_parameter (scenario, parameter) >= 0;
    }
    if (is_used)
      g_clear_pointer (&name, g_free);
  }
  return name;
}

char *
ssapp_document_find_motor (SsappDocument *self, const char *path)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self), NULL);
  const SsJoint *joint = joint_at (self, path);
  const json_t *actuators = ssapp_tree_get (ssapp_document_root (self), "scene.actuators");

  for (size_t i = 0; joint != NULL && i < json_array_size (actuators); i++)
    if (g_strcmp0 (json_string_value (json_object_get (json_array_get (actuators, i), "joint")), joint->name) == 0)
      return g_strdup_printf ("scene.actuators[%zu]", i);
  return NULL;
}

const char *
ssapp_document_motor_unit (SsappDocument *self, const json_t *entry)
{
  const SsScene *scene = ssapp_document_scene (self);
  const int joint = ss_scene_find (scene, SS_OWNER_JOINT, json_string_value (json_object_get (entry, "joint")));

  return joint < 0 ? "" : scene->joints[joint].kind == SS_JOINT_PIN ? "N m" : "N";
}

/* A bound that moves whatever is in the scene [N, N m]. */
static double
enough (const SsScene *scene)
{
  double gravity = hypot (scene->gravity.x, scene->gravity.y), mass = 0;

  for (int b = 0; b < scene->n_bodies; b++)
    if (!ss_body_is_immovable (&scene->bodies[b]))
      mass += scene->bodies[b].mass;
  return ssapp_round_roughly (MOTOR_PER_WEIGHT * mass * (gravity > 0 ? gravity : GRAVITY_INSTEAD));
}

/* The joint's actuator in a copy of the tree, made where there is none. Borrowed. */
static json_t *
require_actuator (SsappDocument *self, json_t *root, const char *path, const SsJoint *joint)
{
  g_autofree char *found = ssapp_document_find_motor (self, path), *name = NULL;
  json_t *list, *entry;
  double limit;

  if (found != NULL)
    return ssapp_tree_get (root, found);
  /* A joint without a name in the file is called by its number: the motor needs the name written down. */
  json_object_set_new (ssapp_tree_get (root, path), "name", json_string (joint->name));
  name = new_name (self);
  limit = enough (ssapp_document_scene (self));
  entry = json_pack ("{s:s, s:s, s:s, s:f, s:f}", "name", name, "type", "joint", "joint", joint->name, "lower", -limit,
                     "upper", limit);
  list = ssapp_tree_require_list (root, "scene", "actuators");
  json_array_append_new (list, entry);
  return entry;
}

gboolean
ssapp_document_add_motor (SsappDocument *self, const char *path, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self), FALSE);
  g_autofree char *found = ssapp_document_find_motor (self, path);

  if (found != NULL)
    return ssapp_refuse (error, _ ("This joint has a motor already"));
  return ssapp_document_set_motor_law (self, path, SSAPP_MOTOR_CONTROL, error);
}

/* ---- formulas ---------------------------------------------------------------------------------------------------- */

static char *
number_text (double value)
{
  char digits[64];
  ss_format_double (ssapp_tidy (value) + 0.0, digits, sizeof digits);
  return g_strdup (digits);
}

/* A body whose motion the formula must read. */
static const SsBody *
moving (const SsScene *scene, int body)
{
  return body >= 0 && !ss_body_is_immovable (&scene->bodies[body]) ? &scene->bodies[body] : NULL;
}

/* " + c*name" without what is not needed. */
static void
append_term (GString *out, double factor, const char *name)
{
  g_autofree char *digits = number_text (fabs (factor));

  if (fabs (factor) < NO_COMPONENT)
    return;
  g_string_append (out, out->len == 0 ? (factor < 0 ? "-" : "") : factor < 0 ? " - " : " + ");
  if (strcmp (digits, "1") != 0)
    g_string_append_printf (out, "%s*", digits);
  g_string_append (out, name);
}

static void
append_number (GString *out, double value)
{
  g_autofree char *digits = number_text (fabs (value));

  if (strcmp (digits, "0") != 0)
    g_string_append_printf (out, "%s%s", out->len == 0 ? (value < 0 ? "-" : "") : value < 0 ? " - " : " + ", digits);
}

/* A sum that stands as one factor. */
static char *
as_factor (GString *out)
{
  if (out->len == 0)
    g_string_append (out, "0");
  if (strchr (out->str, ' ') != NULL || out->str[0] == '-') {
    g_string_prepend_c (out, '(');
    g_string_append_c (out, ')');
  }
  return g_string_free (out, FALSE);
}

/* What formulas call a body: what a '-' stands in cannot be read by them. */
static char *
formula_name (const SsBody *body)
{
  return g_strdelimit (g_strdup (body->name), "-", '_');
}

/* theta_b - theta_a (rate: its rate) of a pin. */
static char *
pin_term (const SsScene *scene, const SsJoint *joint, gboolean is_rate)
{
  GString *out = g_string_new (NULL);
  double constant = 0;

  for (int side = 1; side >= 0; side--) {
    const int index = side == 1 ? joint->body_b : joint->body_a;
    const SsBody *body = moving (scene, index);
    g_autofree char *called = body != NULL ? formula_name (body) : NULL,
                    *name = g_strdup_printf ("%s.%s", called, is_rate ? "omega" : "theta");
    if (body != NULL)
      append_term (out, side == 1 ? 1 : -1, name);
    else if (index >= 0) /* fixed, or turning steadily */
      constant += (side == 1 ? 1 : -1) * scene->bodies[index].q[2] * !is_rate;
    if (body == NULL && index >= 0 && is_rate)
      constant += (side == 1 ? 1 : -1) * scene->bodies[index].v[2];
  }
  append_number (out, constant);
  return as_factor (out);
}

/* A slider whose guide cannot turn: the travel along its axis (rate: its rate) is a sum of coordinates, since neither
 * body turns. */
static char *
slider_term (const SsScene *scene, const SsJoint *joint, gboolean is_rate, double start)
{
  static const char *const names[2][2] = {{"x", "y"}, {"vx", "vy"}};
  const SsBody *a = joint->body_a >= 0 ? &scene->bodies[joint->body_a] : NULL;
  const double angle = a != NULL ? a->q[2] : 0;
  const double axis[2] = {cos (angle) * joint->axis.x - sin (angle) * joint->axis.y,
                          sin (angle) * joint->axis.x + cos (angle) * joint->axis.y};
  GString *out = g_string_new (NULL);
  double sum = 0; /* of what is read, at the start */

  for (int side = 1; side >= 0; side--) {
    const SsBody *body = moving (scene, side == 1 ? joint->body_b : joint->body_a);
    g_autofree char *called = body != NULL ? formula_name (body) : NULL;
    for (int c = 0; body != NULL && c < 2; c++) {
      g_autofree char *name = g_strdup_printf ("%s.%s", called, names[is_rate][c]);
      append_term (out, (side == 1 ? 1 : -1) * axis[c], name);
      sum += (side == 1 ? 1 : -1) * axis[c] * body->q[c];
    }
  }
  if (!is_rate)
    append_number (out, start - sum);
  return as_factor (out);
}

/* Where the joint is at the start: theta_b - theta_a [rad], or the travel along the axis [m]. */
static double
start_of (const SsScene *scene, const SsJoint *joint)
{
  const double angle = joint->body_a >= 0 ? scene->bodies[joint->body_a].q[2] : 0;

  if (joint->kind == SS_JOINT_PIN)
    return (joint->body_b >= 0 ? scene->bodies[joint->body_b].q[2] : 0) - angle;
  const SsVec2 from = ssapp_point_at_start (scene, joint->body_a, joint->anchor_a),
               to = ssapp_point_at_start (scene, joint->body_b, joint->anchor_b),
               axis = ssapp_turned (joint->axis, angle);
  return (to.x - from.x) * axis.x + (to.y - from.y) * axis.y;
}

/* The formula of a law with the gains of that motor; NULL for one that is none, or where the guide of a slider can
 * turn: no sum of coordinates is its travel then. */
static char *
formula_of (const SsScene *scene, const SsJoint *joint, const char *motor, SsappMotorLaw law)
{
  const gboolean is_pin = joint->kind == SS_JOINT_PIN;
  const SsBody *guide = moving (scene, joint->body_a);
  g_autofree char *rate = NULL, *there = NULL;

  if ((law != SSAPP_MOTOR_SPEED && law != SSAPP_MOTOR_PLACE) || (!is_pin && guide != NULL && !guide->lock[2]))
    return NULL;
  rate = is_pin ? pin_term (scene, joint, TRUE) : slider_term (scene, joint, TRUE, 0);
  if (law == SSAPP_MOTOR_SPEED)
    return g_strdup_printf ("d_%s*(speed_%s - %s)", motor, motor, rate);
  there = is_pin ? pin_term (scene, joint, FALSE) : slider_term (scene, joint, FALSE, start_of (scene, joint));
  return g_strdup_printf ("k_%s*(%s_%s - %s) - d_%s*%s", motor, is_pin ? "angle" : "place", motor, there, motor, rate);
}

SsappMotorLaw
ssapp_document_get_motor_law (SsappDocument *self, const char *path)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self), SSAPP_MOTOR_NONE);
  g_autofree char *found = ssapp_document_find_motor (self, path);
  const SsJoint *joint = joint_at (self, path);
  const json_t *entry = found != NULL ? ssapp_tree_get (ssapp_document_root (self), found) : NULL, *formula;
  const char *name = json_string_value (json_object_get (entry, "name"));

  if (entry == NULL || joint == NULL)
    return SSAPP_MOTOR_NONE;
  formula = json_object_get (entry, "formula");
  if (formula == NULL)
    return SSAPP_MOTOR_CONTROL;
  for (int law = SSAPP_MOTOR_SPEED; name != NULL && law <= SSAPP_MOTOR_PLACE; law++) {
    g_autofree char *text = formula_of (ssapp_document_scene (self), joint, name, (SsappMotorLaw)law);
    if (text != NULL && g_strcmp0 (json_string_value (formula), text) == 0)
      return (SsappMotorLaw)law;
  }
  return SSAPP_MOTOR_FORMULA;
}

/* ---- gains ------------------------------------------------------------------------------------------------------- */

/* What a push at the joint has to move: mass, or inertia about the pin; of two bodies both in series. */
static double
reduced_inertia (const SsScene *scene, const SsJoint *joint)
{
  double inverse = 0;

  for (int side = 0; side < 2; side++) {
    const SsBody *body = moving (scene, side == 0 ? joint->body_a : joint->body_b);
    const SsVec2 arm = side == 0 ? joint->anchor_a : joint->anchor_b;
    double inertia = body == NULL                     ? INFINITY
                     : joint->kind == SS_JOINT_SLIDER ? body->mass
                                                      : body->inertia + body->mass * (arm.x * arm.x + arm.y * arm.y);
    inverse += inertia > 0 ? 1 / inertia : 0;
  }
  return inverse > 0 ? 1 / inverse : 1;
}

/* Adds the parameter if there is none of that name; takes the value. */
static void
require_parameter (json_t *root, const char *gain, const char *motor, json_t *value, const char *description)
{
  g_autofree char *name = g_strdup_printf ("%s_%s", gain, motor);
  json_t *parameters = json_object_get (root, "parameters");

  if (parameters == NULL) {
    parameters = json_object ();
    json_object_set_new (root, "parameters", parameters);
  }
  if (json_object_get (parameters, name) == NULL)
    json_object_set_new (parameters, name, json_pack ("{s:O, s:s}", "value", value, "description", description));
  json_decref (value);
}

static void
require_gains (json_t *root, const SsScene *scene, const SsJoint *joint, const char *motor, SsappMotorLaw law)
{
  const gboolean is_pin = joint->kind == SS_JOINT_PIN;
  const double inertia = reduced_inertia (scene, joint), start = start_of (scene, joint);

  if (law == SSAPP_MOTOR_SPEED) {
    require_parameter (root, "speed", motor, json_real (is_pin ? DEFAULT_SPIN : DEFAULT_SPEED),
                       is_pin ? "speed to keep [rad/s]" : "speed to keep [m/s]");
    require_parameter (root, "d", motor, json_real (ssapp_round_roughly (inertia / SPEED_TIME)),
                       is_pin ? "torque per speed that is missing [N m s/rad]"
                              : "force per speed that is missing [N s/m]");
  } else if (law == SSAPP_MOTOR_PLACE) {
    g_autofree char *from = number_text (start),
                    *angle = fabs (start) < NO_COMPONENT ? g_strdup ("90deg") : g_strdup_printf ("%s + 90deg", from);
    if (is_pin)
      require_parameter (root, "angle", motor, json_string (angle), "angle to go to [rad]");
    else
      require_parameter (root, "place", motor, json_real (ssapp_tidy (start + DEFAULT_STEP)), "travel to go to [m]");
    require_parameter (root, "k", motor, json_real (ssapp_round_roughly (inertia * PLACE_FREQUENCY * PLACE_FREQUENCY)),
                       is_pin ? "torque per angle that is missing [N m/rad]"
                              : "force per travel that is missing [N/m]");
    require_parameter (root, "d", motor, json_real (ssapp_round_roughly (2 * inertia * PLACE_FREQUENCY)),
                       is_pin ? "torque per speed [N m s/rad]" : "force per speed [N s/m]");
  }
}

static gboolean
is_word_in (const char *text, const char *word)
{
  g_autofree char *escaped = g_regex_escape_string (word, -1), *pattern = g_strdup_printf ("\\b%s\\b", escaped);

  return g_regex_match_simple (pattern, text, 0, 0);
}

/* Gains of the motor that nothing in the file reads any more go. */
static void
drop_gains (json_t *root, const char *motor)
{
  static const char *const gains[] = {"k", "d", "speed", "angle", "place"};
  json_t *parameters = json_object_get (root, "parameters");

  for (guint i = 0; i < G_N_ELEMENTS (gains); i++) {
    g_autofree char *name = g_strdup_printf ("%s_%s", gains[i], motor), *rest = NULL;
    json_t *kept = json_object_get (parameters, name);
    if (kept == NULL)
      continue;
    json_incref (kept);
    json_object_del (parameters, name);
    rest = ssapp_tree_write (root);
    if (is_word_in (rest, name))
      json_object_set (parameters, name, kept);
    json_decref (kept);
  }
  if (parameters != NULL && json_object_size (parameters) == 0)
    json_object_del (root, "parameters");
}

GPtrArray *
ssapp_document_list_motor_fields (SsappDocument *self, const char *path)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self), NULL);
  static const struct {
    const char *gain, *title, *unit[2]; /* of a pin, of a slider */
  } rows[] = {{"speed", N_ ("Speed"), {"rad/s", "m/s"}},
              {"angle", N_ ("Angle"), {"deg", "deg"}},
              {"place", N_ ("Place"), {"m", "m"}},
              {"k", N_ ("Stiffness k"), {"N m/rad", "N/m"}},
              {"d", N_ ("Damping d"), {"N m s/rad", "N s/m"}}};
  GPtrArray *fields = g_ptr_array_new_with_free_func ((GDestroyNotify)ssapp_field_free);
  g_autofree char *found = ssapp_document_find_motor (self, path),
                  *formula_path = found != NULL ? g_strconcat (found, ".formula", NULL) : NULL;
  const SsJoint *joint = joint_at (self, path);
  json_t *root = ssapp_document_root (self);
  const char *name = found != NULL ? json_string_value (json_object_get (ssapp_tree_get (root, found), "name")) : NULL,
             *formula = found != NULL ? json_string_value (ssapp_tree_get (root, formula_path)) : NULL;

  for (guint i = 0; name != NULL && formula != NULL && joint != NULL && i < G_N_ELEMENTS (rows); i++) {
    g_autofree char *parameter = g_strdup_printf ("%s_%s", rows[i].gain, name);
    SsappField *field;
    if (ss_scenario_parameter (ssapp_document_get_scenario (self), parameter) < 0 || !is_word_in (formula, parameter))
      continue;
    field = g_new0 (SsappField, 1);
    field->title = g_strdup (_ (rows[i].title));
    field->path = g_strdup_printf ("parameters.%s.value", parameter);
    field->unit = rows[i].unit[joint->kind == SS_JOINT_SLIDER];
    field->fallback = "";
    g_ptr_array_add (fields, field);
  }
  return fields;
}

/* ---- setting ----------------------------------------------------------------------------------------------------- */

/* Bodies that the law reads under names that formulas can read. */
static void
rename_for_formulas (json_t *root, const SsScene *scene, const SsJoint *joint)
{
  for (int side = 0; side < 2; side++) {
    const SsBody *body = moving (scene, side == 0 ? joint->body_a : joint->body_b);
    g_autofree char *name = body != NULL ? formula_name (body) : NULL;
    if (body != NULL && strcmp (name, body->name) != 0)
      ssapp_tree_rename_body (root, scene, body->name, name);
  }
}

static gboolean
check_names (const SsScene *scene, const SsJoint *joint, GError **error)
{
  for (int side = 0; side < 2; side++) {
    const SsBody *body = moving (scene, side == 0 ? joint->body_a : joint->body_b);
    g_autofree char *name = body != NULL ? formula_name (body) : NULL;
    if (body == NULL || strcmp (name, body->name) == 0)
      continue;
    if (body->item < 0 || ss_scene_find (scene, SS_OWNER_BODY, name) >= 0) {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
                   _ ("Formulas cannot read “%s”: give the body a name of letters, digits and _"), body->name);
      return FALSE;
    }
  }
  return TRUE;
}

static gboolean
remove_motor (SsappDocument *self, const char *path, GError **error)
{
  g_autofree char *found = ssapp_document_find_motor (self, path), *motor = NULL, *label = NULL;
  json_t *root, *entry;

  if (found == NULL)
    return TRUE;
  root = json_deep_copy (ssapp_document_root (self));
  entry = ssapp_tree_get (root, found);
  motor = g_strdup (json_string_value (json_object_get (entry, "name")));
  ssapp_tree_remove_item (root, found);
  if (motor != NULL)
    drop_gains (root, motor);
  label = g_strdup_printf ("Take the motor from %s", joint_at (self, path)->name);
  return ssapp_document_commit (self, root, label, error);
}

gboolean
ssapp_document_set_motor_law (SsappDocument *self, const char *path, SsappMotorLaw law, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self) && law != SSAPP_MOTOR_FORMULA, FALSE);
  const SsScene *scene = ssapp_document_scene (self);
  const SsJoint *joint;
  g_autofree char *formula = NULL, *label = NULL;
  json_t *root, *entry;
  const char *motor;

  if (!ssapp_document_require_scene (self, error))
    return FALSE;
  joint = require_driven (self, path, error);
  if (joint == NULL)
    return FALSE;
  if (law == SSAPP_MOTOR_NONE)
    return remove_motor (self, path, error);
  if (law != SSAPP_MOTOR_CONTROL && !check_names (scene, joint, error))
    return FALSE;
  root = json_deep_copy (ssapp_document_root (self));
  entry = require_actuator (self, root, path, joint);
  if (law != SSAPP_MOTOR_CONTROL && json_object_get (entry, "name") == NULL) { /* gains are called after it */
    g_autofree char *name = new_name (self);
    json_object_set_new (entry, "name", json_string (name));
  }
  motor = json_string_value (json_object_get (entry, "name"));
  formula = motor != NULL ? formula_of (scene, joint, motor, law) : NULL;
  if (law != SSAPP_MOTOR_CONTROL && formula == NULL) {
    json_decref (root);
    return ssapp_refuse (error,
                         _ ("The guide of this slider can turn: lock its angle, or write a formula of your own"));
  }
  json_object_del (entry, "formula");
  if (motor != NULL)
    drop_gains (root, motor);
  if (formula != NULL) {
    json_object_set_new (entry, "formula", json_string (formula));
    rename_for_formulas (root, scene, joint);
    require_gains (root, scene, joint, motor, law);
  }
  label = g_strdup_printf (law == SSAPP_MOTOR_SPEED   ? "Drive %s by a speed"
                           : law == SSAPP_MOTOR_PLACE ? "Drive %s to a place"
                                                      : "Add a motor to %s",
                           joint->name);
  return ssapp_document_commit (self, root, label, error);
}
