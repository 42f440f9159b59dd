/* app/document/ssapp-document-fields.c: which numbers an entry of a scene has, with names and units for people: shapes,
 * joints, springs, actuators, forces, goals, bounds. One table says it all; the inspector makes a row for each. */
#include "app/document/ssapp-document-private.h"

#include <glib/gi18n.h>
#include <string.h>

typedef enum {
  WHEN_THERE, /* shown when the file has it           */
  OPTIONAL,   /* shown always; may be cleared         */
} Presence;

/* Fields of entries: by list, and by their type where that matters. */
/* Stands for the unit of a motor, which its joint tells. */
static const char effort[] = "N or N m";

typedef struct {
  const char *list, *types; /* types: " pin rod " or NULL for all */
  const char *key;
  const char *titles[2]; /* of one number, or of the two of a point */
  const char *unit, *fallback;
  Presence presence;
  gboolean is_formula;
  const char *const *choices; /* as of SsappField */
} Spec;

static const char *const color_choices[] = {"",      N_ ("Usual"), "blue",  N_ ("Blue"),  "yellow", N_ ("Yellow"),
                                            "brown", N_ ("Brown"), "green", N_ ("Green"), NULL},
                         *const touch_choices[] = {"", N_ ("Do not touch"), "true", N_ ("Touch"), NULL},
                         *const rod_touch_choices[] = {"", N_ ("Touch"), "false", N_ ("Do not touch"), NULL},
                         *const gear_choices[] = {"",     N_ ("Teeth outside"), "internal", N_ ("Teeth in a ring"),
                                                  "belt", N_ ("A belt"),        "crossed",  N_ ("A crossed belt"),
                                                  NULL},
                         *const measure_choices[] = {"distance", N_ ("A distance"), "angle", N_ ("An angle"), NULL},
                         *const frame_choices[] = {"", N_ ("The world"), "body", N_ ("Its body"), NULL},
                         *const constraint_choices[] = {"",         N_ ("All the time"),
                                                        "interior", N_ ("Between the ends"),
                                                        "last",     N_ ("At the end"),
                                                        NULL},
                         *const law_choices[] = {"", N_ ("Is 0"), "at_least", N_ ("Is at least 0"), NULL},
                         *const cost_choices[] = {"", N_ ("All the time, integrated"), "last", N_ ("At the end"), NULL},
                         *const guess_choices[] = {"",      N_ ("Standing still"), "simulation", N_ ("Simulation"),
                                                   "zeros", N_ ("All zero"),       NULL},
                         *const step_choices[] = {"", N_ ("One for all"), "true", N_ ("Each its own"), NULL};

static const Spec specs[] = {
    {"shape", " circle capsule ", "radius", {N_ ("Radius")}, "m", "", WHEN_THERE},
    {"shape", " box ", "width", {N_ ("Width")}, "m", "", WHEN_THERE},
    {"shape", " box ", "height", {N_ ("Height")}, "m", "", WHEN_THERE},
    {"shape", " capsule segment ", "length", {N_ ("Length")}, "m", "", WHEN_THERE},
    {"shape", " capsule segment ", "from", {N_ ("From x"), N_ ("From y")}, "m", "", WHEN_THERE},
    {"shape", " capsule segment ", "to", {N_ ("To x"), N_ ("To y")}, "m", "", WHEN_THERE},
    {"shape", " half-plane ", "normal", {N_ ("Normal x"), N_ ("Normal y")}, "", "", WHEN_THERE},
    {"shape", " polygon ", "vertices", {N_ ("All corners")}, "m", "", WHEN_THERE, TRUE, NULL},
    {"shape", NULL, "position", {N_ ("Offset x"), N_ ("Offset y")}, "m", "0", WHEN_THERE},
    {"shape", NULL, "angle", {N_ ("Turned by")}, "deg", "0", WHEN_THERE},

    {"scene.bodies", NULL, "color", {N_ ("Colour")}, "", "", OPTIONAL, FALSE, color_choices},

    {"scene.joints", NULL, "anchor", {N_ ("Anchor x"), N_ ("Anchor y")}, "m", "", WHEN_THERE},
    {"scene.joints", NULL, "points[0]", {N_ ("First point x"), N_ ("First point y")}, "m", "", WHEN_THERE},
    {"scene.joints", NULL, "points[1]", {N_ ("Second point x"), N_ ("Second point y")}, "m", "", WHEN_THERE},
    {"scene.joints", NULL, "anchors[0]", {N_ ("First anchor x"), N_ ("First anchor y")}, "m", "", WHEN_THERE},
    {"scene.joints", NULL, "anchors[1]", {N_ ("Second anchor x"), N_ ("Second anchor y")}, "m", "", WHEN_THERE},
    {"scene.joints", " slider ", "axis", {N_ ("Axis x"), N_ ("Axis y")}, "", "", WHEN_THERE},
    {"scene.joints", " pin ", "lower", {N_ ("Angle from")}, "deg", "free", OPTIONAL},
    {"scene.joints", " pin ", "upper", {N_ ("Angle to")}, "deg", "free", OPTIONAL},
    {"scene.joints", " slider ", "lower", {N_ ("Travel from")}, "m", "free", OPTIONAL},
    {"scene.joints", " slider ", "upper", {N_ ("Travel to")}, "m", "free", OPTIONAL},
    {"scene.joints", " rod rope ", "length", {N_ ("Length")}, "m", "drawn", OPTIONAL},
    {"scene.joints", " rope ", "restitution", {N_ ("Restitution")}, "", "0", OPTIONAL},
    {"scene.joints", " gear ", "style", {N_ ("Wheels joined by")}, "", "", OPTIONAL, FALSE, gear_choices},
    {"scene.joints", " gear ", "radii", {N_ ("First radius"), N_ ("Second radius")}, "m", "", WHEN_THERE},
    {"scene.joints", NULL, "stiffness", {N_ ("Stiffness")}, "N/m", "rigid", OPTIONAL},
    {"scene.joints", NULL, "damping", {N_ ("Damping")}, "N s/m", "0", OPTIONAL},
    {"scene.joints", " pin ", "friction", {N_ ("Friction")}, "N m", "0", OPTIONAL},
    {"scene.joints", " slider ", "friction", {N_ ("Friction")}, "N", "0", OPTIONAL},
    {"scene.joints", " pin ", "motor_speed", {N_ ("Motor speed")}, "rad/s", "0", OPTIONAL},
    {"scene.joints", " slider ", "motor_speed", {N_ ("Motor speed")}, "m/s", "0", OPTIONAL},
    {"scene.joints", " pin ", "motor_limit", {N_ ("Motor limit")}, "N m", "none", OPTIONAL},
    {"scene.joints", " slider ", "motor_limit", {N_ ("Motor limit")}, "N", "none", OPTIONAL},
    {"scene.joints",
     " pin slider weld gear ",
     "collide",
     {N_ ("Its two bodies")},
     "",
     "",
     OPTIONAL,
     FALSE,
     touch_choices},
    {"scene.joints", " rod rope ", "collide", {N_ ("Its two bodies")}, "", "", OPTIONAL, FALSE, rod_touch_choices},

    {"scene.contacts", NULL, "friction", {N_ ("Friction µ")}, "", "", OPTIONAL},
    {"scene.contacts", NULL, "restitution", {N_ ("Restitution")}, "", "", OPTIONAL},
    {"scene.contacts", NULL, "stiffness", {N_ ("Stiffness")}, "N/m", "", OPTIONAL},
    {"scene.contacts", NULL, "damping", {N_ ("Damping")}, "N s/m", "", OPTIONAL},
    {"scene.contacts", NULL, "rolling", {N_ ("Rolling")}, "m", "0", OPTIONAL},
    {"scene.contacts", NULL, "cohesion", {N_ ("Cohesion")}, "N", "0", OPTIONAL},
    {"scene.contacts",
     NULL,
     "compliance.stiffness",
     {N_ ("Stiffness by depth, rate")},
     "N/m",
     "",
     OPTIONAL,
     TRUE,
     NULL},
    {"scene.contacts", NULL, "compliance.damping", {N_ ("Damping by depth, rate")}, "N s/m", "", OPTIONAL, TRUE, NULL},
    {"scene.contacts", NULL, "compliance.slip_stiffness", {N_ ("Slip stiffness")}, "N/m", "0", OPTIONAL},
    {"scene.contacts",
     NULL,
     "compliance.slip_damping",
     {N_ ("Slip damping by both")},
     "N s/m",
     "",
     OPTIONAL,
     TRUE,
     NULL},

    {"scene.materials", NULL, "friction", {N_ ("Friction µ")}, "", "", OPTIONAL},
    {"scene.materials", NULL, "restitution", {N_ ("Restitution")}, "", "", OPTIONAL},
    {"scene.materials", NULL, "stiffness", {N_ ("Stiffness")}, "N/m", "", OPTIONAL},
    {"scene.materials", NULL, "damping", {N_ ("Damping")}, "N s/m", "", OPTIONAL},

    {"scene.material_pairs", NULL, "friction", {N_ ("Friction µ")}, "", "mean", OPTIONAL},
    {"scene.material_pairs", NULL, "restitution", {N_ ("Restitution")}, "", "larger", OPTIONAL},
    {"scene.material_pairs", NULL, "stiffness", {N_ ("Stiffness")}, "N/m", "series", OPTIONAL},
    {"scene.material_pairs", NULL, "damping", {N_ ("Damping")}, "N s/m", "series", OPTIONAL},

    {"scene.springs", NULL, "points[0]", {N_ ("First point x"), N_ ("First point y")}, "m", "", WHEN_THERE},
    {"scene.springs", NULL, "points[1]", {N_ ("Second point x"), N_ ("Second point y")}, "m", "", WHEN_THERE},
    {"scene.springs", NULL, "anchors[0]", {N_ ("First anchor x"), N_ ("First anchor y")}, "m", "", WHEN_THERE},
    {"scene.springs", NULL, "anchors[1]", {N_ ("Second anchor x"), N_ ("Second anchor y")}, "m", "", WHEN_THERE},
    {"scene.springs", NULL, "anchor", {N_ ("Anchor x"), N_ ("Anchor y")}, "m", "", WHEN_THERE},
    {"scene.springs", " linear ", "stiffness", {N_ ("Stiffness")}, "N/m", "0", OPTIONAL},
    {"scene.springs", " linear ", "damping", {N_ ("Damping")}, "N s/m", "0", OPTIONAL},
    {"scene.springs", " linear ", "rest", {"Rest length"}, "m", "drawn", OPTIONAL},
    {"scene.springs", " torsion ", "stiffness", {N_ ("Stiffness")}, "N m/rad", "0", OPTIONAL},
    {"scene.springs", " torsion ", "damping", {N_ ("Damping")}, "N m s/rad", "0", OPTIONAL},
    {"scene.springs", " torsion ", "rest", {"Rest angle"}, "deg", "drawn", OPTIONAL},

    {"scene.actuators", " force ", "direction", {N_ ("Direction x"), N_ ("Direction y")}, "", "", WHEN_THERE},
    {"scene.actuators", " force ", "anchor", {N_ ("At x"), N_ ("At y")}, "m", "0", OPTIONAL},
    {"scene.actuators", " force ", "frame", {N_ ("Direction turns with")}, "", "", OPTIONAL, FALSE, frame_choices},
    {"scene.actuators", " force ", "lower", {N_ ("At least")}, "N", "−∞", OPTIONAL},
    {"scene.actuators", " force ", "upper", {N_ ("At most")}, "N", "∞", OPTIONAL},
    {"scene.actuators", " torque ", "lower", {N_ ("At least")}, "N m", "−∞", OPTIONAL},
    {"scene.actuators", " torque ", "upper", {N_ ("At most")}, "N m", "∞", OPTIONAL},
    {"scene.actuators", " joint ", "lower", {N_ ("At least")}, effort, "−∞", OPTIONAL},
    {"scene.actuators", " joint ", "upper", {N_ ("At most")}, effort, "∞", OPTIONAL},
    {"scene.actuators", NULL, "formula", {N_ ("In simulations")}, "", "0", OPTIONAL, TRUE, NULL},

    {"scene.forces", NULL, "force", {N_ ("Force x"), N_ ("Force y")}, "N", "0", OPTIONAL, TRUE, NULL},
    {"scene.forces", NULL, "torque", {N_ ("Torque")}, "N m", "0", OPTIONAL, TRUE, NULL},

    {"scene.constraints", NULL, "formula", {N_ ("Formula")}, "", "", WHEN_THERE, TRUE, NULL},
    {"scene.constraints", NULL, "kind", {N_ ("The formula")}, "", "", OPTIONAL, FALSE, law_choices},
    {"scene.constraints", " at_least ", "restitution", {N_ ("Restitution")}, "", "0", OPTIONAL},
    {"scene.constraints", NULL, "stiffness", {N_ ("Stiffness")}, "N/m", "rigid", OPTIONAL},
    {"scene.constraints", NULL, "damping", {N_ ("Damping")}, "N s/m", "0", OPTIONAL},

    {"scene.measures", NULL, "name", {N_ ("Name")}, "", "", WHEN_THERE, TRUE, NULL},
    {"scene.measures", NULL, "kind", {N_ ("Measures")}, "", "", OPTIONAL, FALSE, measure_choices},
    {"scene.measures", NULL, "between", {N_ ("From"), N_ ("To")}, "", "", WHEN_THERE, TRUE, NULL},

    {"scene.notes", NULL, "text", {N_ ("Text")}, "", "", WHEN_THERE, TRUE, NULL},
    {"scene.notes", NULL, "at", {N_ ("At x"), N_ ("At y")}, "m", "", WHEN_THERE},

    {"task.targets", NULL, "position", {N_ ("Goal x"), N_ ("Goal y")}, "m", "free", OPTIONAL},
    {"task.targets", NULL, "angle", {N_ ("Goal angle")}, "deg", "free", OPTIONAL},
    {"task.targets", NULL, "velocity", {N_ ("Goal velocity x"), N_ ("Goal velocity y")}, "m/s", "free", OPTIONAL},
    {"task.targets", NULL, "angular_velocity", {N_ ("Goal spin")}, "rad/s", "free", OPTIONAL},
    {"task.targets", NULL, "weight", {N_ ("Weight")}, "", "exact", OPTIONAL},

    {"task.bounds", NULL, "x", {N_ ("x from"), N_ ("x to")}, "m", "free", OPTIONAL},
    {"task.bounds", NULL, "y", {N_ ("y from"), N_ ("y to")}, "m", "free", OPTIONAL},
    {"task.bounds", NULL, "theta", {N_ ("Angle from"), N_ ("Angle to")}, "deg", "free", OPTIONAL},
    {"task.bounds", NULL, "vx", {N_ ("Velocity x from"), N_ ("Velocity x to")}, "m/s", "free", OPTIONAL},
    {"task.bounds", NULL, "vy", {N_ ("Velocity y from"), N_ ("Velocity y to")}, "m/s", "free", OPTIONAL},
    {"task.bounds", NULL, "omega", {N_ ("Spin from"), N_ ("Spin to")}, "rad/s", "free", OPTIONAL},

    {"task.cost", NULL, "cost", {N_ ("Cost")}, "", "", WHEN_THERE, TRUE, NULL},
    {"task.cost", NULL, "points", {N_ ("Counts")}, "", "", OPTIONAL, FALSE, cost_choices},
    {"task.constraints", NULL, "points", {N_ ("Holds")}, "", "", OPTIONAL, FALSE, constraint_choices},

    {"task.free_time", NULL, "lower", {N_ ("Shortest")}, "s", "", WHEN_THERE},
    {"task.free_time", NULL, "upper", {N_ ("Longest")}, "s", "", WHEN_THERE},
    {"task.free_time", NULL, "weight", {N_ ("Cost of a second")}, "", "1", OPTIONAL},
    {"task.free_time", NULL, "per_step", {N_ ("Length of steps")}, "", "", OPTIONAL, FALSE, step_choices},

    {"task", NULL, "effort_rate", {N_ ("Weight of changes")}, "", "0", OPTIONAL},
    {"task", NULL, "guess", {N_ ("First guess")}, "", "", OPTIONAL, FALSE, guess_choices},
    {"task", NULL, "worlds", {N_ ("Worlds")}, "", N_ ("this one"), OPTIONAL},
};

/* A target's weights when they are given by kind. */
static const Spec weight_specs[] = {
    {"task.targets", NULL, "weight.position", {N_ ("Position weight")}, "", "exact", OPTIONAL},
    {"task.targets", NULL, "weight.angle", {N_ ("Angle weight")}, "", "exact", OPTIONAL},
    {"task.targets", NULL, "weight.velocity", {N_ ("Velocity weight")}, "", "exact", OPTIONAL},
    {"task.targets", NULL, "weight.angular_velocity", {N_ ("Spin weight")}, "", "exact", OPTIONAL},
};

static void
add_field (GPtrArray *fields, const char *entry_path, const char *key, int component, const char *title,
           const Spec *spec)
{
  SsappField *field = g_new0 (SsappField, 1);

  field->title = g_strdup (_ (title));
  field->path = component < 0 ? g_strdup_printf ("%s.%s", entry_path, key)
                              : g_strdup_printf ("%s.%s[%d]", entry_path, key, component);
  field->unit = spec->unit;
  field->fallback = spec->fallback;
  field->is_optional = spec->presence == OPTIONAL;
  field->is_formula = spec->is_formula;
  field->choices = spec->choices;
  g_ptr_array_add (fields, field);
}

static void
add_spec (GPtrArray *fields, json_t *entry, const char *path, const Spec *spec)
{
  json_t *value = ssapp_tree_get (entry, spec->key);
  gboolean is_point = spec->titles[1] != NULL;

  /* Each of several shapes has a place. */
  gboolean is_place = strstr (path, ".shapes[") != NULL && strstr (" position angle ", spec->key) != NULL;

  if (value == NULL && spec->presence == WHEN_THERE && !is_place)
    return;
  if (json_is_object (value) && strcmp (spec->key, "weight") == 0) { /* weights by kind */
    for (guint i = 0; i < G_N_ELEMENTS (weight_specs); i++)
      add_spec (fields, entry, path, &weight_specs[i]);
    return;
  }
  for (int c = 0; c < (is_point ? 2 : 1); c++)
    add_field (fields, path, spec->key, is_point ? c : -1, spec->titles[c], spec);
}

/* The rows of a constraint. */
static void
add_rows (GPtrArray *fields, json_t *entry, const char *path)
{
  static const struct {
    const char *key, *title;
  } kinds[] = {{"zero", "= 0"}, {"nonnegative", "≥ 0"}};
  static const Spec row = {.unit = "", .fallback = "", .presence = WHEN_THERE, .is_formula = TRUE};

  for (guint k = 0; k < G_N_ELEMENTS (kinds); k++) {
    json_t *rows = json_object_get (entry, kinds[k].key);
    for (size_t i = 0; i < json_array_size (rows); i++) {
      if (json_is_object (json_array_get (rows, i))) /* a rule of the file writes them */
        continue;
      add_field (fields, path, kinds[k].key, (int)i, kinds[k].title, &row);
      ((SsappField *)g_ptr_array_index (fields, fields->len - 1))->is_row = TRUE;
    }
  }
}

/* What a list's specs call the entry's type: most entries say it, springs and constraints do not. */
static char *
type_of (json_t *entry, const char *list)
{
  const char *type = json_string_value (json_object_get (entry, "type"));

  if (g_str_equal (list, "scene.springs"))
    type = json_is_true (json_object_get (entry, "torsion")) ? "torsion" : "linear";
  else if (g_str_equal (list, "scene.constraints"))
    type = json_string_value (json_object_get (entry, "kind"));
  return g_strdup_printf (" %s ", type != NULL ? type : "");
}

/* "scene.joints" of "scene.joints[2]", "shape" of a body's; caller frees. */
static char *
list_of (const char *path)
{
  const char *bracket = strrchr (path, '[');

  if (g_str_has_prefix (path, "scene.bodies[") && strstr (path, ".shape") != NULL)
    return g_strdup ("shape");
  if (ssapp_tree_parse_contact (path, NULL, NULL, NULL))
    return g_strdup ("scene.contacts");
  if (g_str_has_prefix (path, SSAPP_MATERIALS "."))
    return g_strdup (SSAPP_MATERIALS);
  if (g_str_equal (path, "task") || g_str_equal (path, "task.free_time"))
    return g_strdup (path);
  return g_strndup (path, bracket != NULL ? (gsize)(bracket - path) : 0);
}

GPtrArray *
ssapp_document_list_fields (SsappDocument *self, const char *path)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self), NULL);

  GPtrArray *fields = g_ptr_array_new_with_free_func ((GDestroyNotify)ssapp_field_free);
  json_t *entry = ssapp_tree_get (ssapp_document_root (self), path);
  g_autofree char *list = list_of (path);
  g_autofree char *padded = type_of (entry, list);
  gboolean is_contact = g_str_equal (list, "scene.contacts"); /* has fields without an entry in the file */

  if ((!json_is_object (entry) && !is_contact) || json_object_get (entry, "for") != NULL)
    return fields;
  if (g_str_equal (list, "task.constraints"))
    add_rows (fields, entry, path);
  for (guint i = 0; i < G_N_ELEMENTS (specs); i++)
    if (g_str_equal (specs[i].list, list) && (specs[i].types == NULL || strstr (specs[i].types, padded) != NULL))
      add_spec (fields, entry, path, &specs[i]);
  for (guint i = 0; i < fields->len; i++) {
    SsappField *field = g_ptr_array_index (fields, i);
    if (field->unit == effort)
      field->unit = ssapp_document_motor_unit (self, entry);
  }
  return fields;
}

/* ---- choices ----------------------------------------------------------------------------------------------------- */

char *
ssapp_document_get_choice (SsappDocument *self, const char *path)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self), NULL);
  const json_t *value = ssapp_tree_get (ssapp_document_root (self), path);

  if (json_is_boolean (value))
    return g_strdup (json_is_true (value) ? "true" : "false");
  return g_strdup (json_is_string (value) ? json_string_value (value) : "");
}

gboolean
ssapp_document_set_choice (SsappDocument *self, const char *path, const char *value, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self) && value != NULL, FALSE);
  g_autofree char *now = ssapp_document_get_choice (self, path), *label = NULL;
  const char *last = strrchr (path, '.');
  json_t *root;

  if (strcmp (now, value) == 0)
    return TRUE;
  if (*value == '\0')
    return ssapp_document_clear_field (self, path, error);
  root = json_deep_copy (ssapp_document_root (self));
  if (!ssapp_tree_set (root, path,
                       strcmp (value, "true") == 0    ? json_true ()
                       : strcmp (value, "false") == 0 ? json_false ()
                                                      : json_string (value),
                       error)) {
    json_decref (root);
    return FALSE;
  }
  label = g_strdup_printf ("Set %s", last != NULL ? last + 1 : path);
  return ssapp_document_commit (self, root, label, error);
}
