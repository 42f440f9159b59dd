/* app/document/ssapp-document-fields.c: which numbers an entry of a scene has, with names and units for people: shapes,
 * joints, springs, actuators, forces, goals, bounds. One table says it all; the inspector makes a row for each. */
#include "app/document/ssapp-document-private.h"

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

static const char *const color_choices[] = {"",      "Usual", "blue",  "Blue",  "yellow", "Yellow",
                                            "brown", "Brown", "green", "Green", NULL},
                         *const touch_choices[] = {"", "Do not touch", "true", "Touch", NULL},
                         *const rod_touch_choices[] = {"", "Touch", "false", "Do not touch", NULL},
                         *const gear_choices[] = {"",     "Teeth outside", "internal", "Teeth in a ring",
                                                  "belt", "A belt",        "crossed",  "A crossed belt",
                                                  NULL},
                         *const measure_choices[] = {"distance", "A distance", "angle", "An angle", NULL},
                         *const frame_choices[] = {"", "The world", "body", "Its body", NULL},
                         *const constraint_choices[] = {"",     "All the time", "interior", "Between the ends",
                                                        "last", "At the end",   NULL},
                         *const law_choices[] = {"", "Is 0", "at_least", "Is at least 0", NULL},
                         *const cost_choices[] = {"", "All the time, integrated", "last", "At the end", NULL},
                         *const guess_choices[] = {"",      "Standing still", "simulation", "Simulation",
                                                   "zeros", "All zero",       NULL},
                         *const step_choices[] = {"", "One for all", "true", "Each its own", NULL};

#define X_Y(title)                                                                                                     \
  {                                                                                                                    \
    title " x", title " y"                                                                                             \
  }

static const Spec specs[] = {
    {"shape", " circle capsule ", "radius", {"Radius"}, "m", "", WHEN_THERE},
    {"shape", " box ", "width", {"Width"}, "m", "", WHEN_THERE},
    {"shape", " box ", "height", {"Height"}, "m", "", WHEN_THERE},
    {"shape", " capsule segment ", "length", {"Length"}, "m", "", WHEN_THERE},
    {"shape", " capsule segment ", "from", X_Y ("From"), "m", "", WHEN_THERE},
    {"shape", " capsule segment ", "to", X_Y ("To"), "m", "", WHEN_THERE},
    {"shape", " half-plane ", "normal", X_Y ("Normal"), "", "", WHEN_THERE},
    {"shape", " polygon ", "vertices", {"All corners"}, "m", "", WHEN_THERE, TRUE, NULL},
    {"shape", NULL, "position", X_Y ("Offset"), "m", "0", WHEN_THERE},
    {"shape", NULL, "angle", {"Turned by"}, "deg", "0", WHEN_THERE},

    {"scene.bodies", NULL, "color", {"Colour"}, "", "", OPTIONAL, FALSE, color_choices},

    {"scene.joints", NULL, "anchor", X_Y ("Anchor"), "m", "", WHEN_THERE},
    {"scene.joints", NULL, "points[0]", X_Y ("First point"), "m", "", WHEN_THERE},
    {"scene.joints", NULL, "points[1]", X_Y ("Second point"), "m", "", WHEN_THERE},
    {"scene.joints", NULL, "anchors[0]", X_Y ("First anchor"), "m", "", WHEN_THERE},
    {"scene.joints", NULL, "anchors[1]", X_Y ("Second anchor"), "m", "", WHEN_THERE},
    {"scene.joints", " slider ", "axis", X_Y ("Axis"), "", "", WHEN_THERE},
    {"scene.joints", " pin ", "lower", {"Angle from"}, "deg", "free", OPTIONAL},
    {"scene.joints", " pin ", "upper", {"Angle to"}, "deg", "free", OPTIONAL},
    {"scene.joints", " slider ", "lower", {"Travel from"}, "m", "free", OPTIONAL},
    {"scene.joints", " slider ", "upper", {"Travel to"}, "m", "free", OPTIONAL},
    {"scene.joints", " rod rope ", "length", {"Length"}, "m", "drawn", OPTIONAL},
    {"scene.joints", " rope ", "restitution", {"Restitution"}, "", "0", OPTIONAL},
    {"scene.joints", " gear ", "style", {"Wheels joined by"}, "", "", OPTIONAL, FALSE, gear_choices},
    {"scene.joints", " gear ", "radii", {"First radius", "Second radius"}, "m", "", WHEN_THERE},
    {"scene.joints", NULL, "stiffness", {"Stiffness"}, "N/m", "rigid", OPTIONAL},
    {"scene.joints", NULL, "damping", {"Damping"}, "N s/m", "0", OPTIONAL},
    {"scene.joints", " pin ", "friction", {"Friction"}, "N m", "0", OPTIONAL},
    {"scene.joints", " slider ", "friction", {"Friction"}, "N", "0", OPTIONAL},
    {"scene.joints", " pin ", "motor_speed", {"Motor speed"}, "rad/s", "0", OPTIONAL},
    {"scene.joints", " slider ", "motor_speed", {"Motor speed"}, "m/s", "0", OPTIONAL},
    {"scene.joints", " pin ", "motor_limit", {"Motor limit"}, "N m", "none", OPTIONAL},
    {"scene.joints", " slider ", "motor_limit", {"Motor limit"}, "N", "none", OPTIONAL},
    {"scene.joints", " pin slider weld gear ", "collide", {"Its two bodies"}, "", "", OPTIONAL, FALSE, touch_choices},
    {"scene.joints", " rod rope ", "collide", {"Its two bodies"}, "", "", OPTIONAL, FALSE, rod_touch_choices},

    {"scene.contacts", NULL, "friction", {"Friction µ"}, "", "", OPTIONAL},
    {"scene.contacts", NULL, "restitution", {"Restitution"}, "", "", OPTIONAL},
    {"scene.contacts", NULL, "stiffness", {"Stiffness"}, "N/m", "", OPTIONAL},
    {"scene.contacts", NULL, "damping", {"Damping"}, "N s/m", "", OPTIONAL},
    {"scene.contacts", NULL, "rolling", {"Rolling"}, "m", "0", OPTIONAL},
    {"scene.contacts", NULL, "cohesion", {"Cohesion"}, "N", "0", OPTIONAL},
    {"scene.contacts", NULL, "compliance.stiffness", {"Stiffness by depth, rate"}, "N/m", "", OPTIONAL, TRUE, NULL},
    {"scene.contacts", NULL, "compliance.damping", {"Damping by depth, rate"}, "N s/m", "", OPTIONAL, TRUE, NULL},
    {"scene.contacts", NULL, "compliance.slip_stiffness", {"Slip stiffness"}, "N/m", "0", OPTIONAL},
    {"scene.contacts", NULL, "compliance.slip_damping", {"Slip damping by both"}, "N s/m", "", OPTIONAL, TRUE, NULL},

    {"scene.materials", NULL, "friction", {"Friction µ"}, "", "", OPTIONAL},
    {"scene.materials", NULL, "restitution", {"Restitution"}, "", "", OPTIONAL},
    {"scene.materials", NULL, "stiffness", {"Stiffness"}, "N/m", "", OPTIONAL},
    {"scene.materials", NULL, "damping", {"Damping"}, "N s/m", "", OPTIONAL},

    {"scene.material_pairs", NULL, "friction", {"Friction µ"}, "", "mean", OPTIONAL},
    {"scene.material_pairs", NULL, "restitution", {"Restitution"}, "", "larger", OPTIONAL},
    {"scene.material_pairs", NULL, "stiffness", {"Stiffness"}, "N/m", "series", OPTIONAL},
    {"scene.material_pairs", NULL, "damping", {"Damping"}, "N s/m", "series", OPTIONAL},

    {"scene.springs", NULL, "points[0]", X_Y ("First point"), "m", "", WHEN_THERE},
    {"scene.springs", NULL, "points[1]", X_Y ("Second point"), "m", "", WHEN_THERE},
    {"scene.springs", NULL, "anchors[0]", X_Y ("First anchor"), "m", "", WHEN_THERE},
    {"scene.springs", NULL, "anchors[1]", X_Y ("Second anchor"), "m", "", WHEN_THERE},
    {"scene.springs", NULL, "anchor", X_Y ("Anchor"), "m", "", WHEN_THERE},
    {"scene.springs", " linear ", "stiffness", {"Stiffness"}, "N/m", "0", OPTIONAL},
    {"scene.springs", " linear ", "damping", {"Damping"}, "N s/m", "0", OPTIONAL},
    {"scene.springs", " linear ", "rest", {"Rest length"}, "m", "drawn", OPTIONAL},
    {"scene.springs", " torsion ", "stiffness", {"Stiffness"}, "N m/rad", "0", OPTIONAL},
    {"scene.springs", " torsion ", "damping", {"Damping"}, "N m s/rad", "0", OPTIONAL},
    {"scene.springs", " torsion ", "rest", {"Rest angle"}, "deg", "drawn", OPTIONAL},

    {"scene.actuators", " force ", "direction", X_Y ("Direction"), "", "", WHEN_THERE},
    {"scene.actuators", " force ", "anchor", X_Y ("At"), "m", "0", OPTIONAL},
    {"scene.actuators", " force ", "frame", {"Direction turns with"}, "", "", OPTIONAL, FALSE, frame_choices},
    {"scene.actuators", " force ", "lower", {"At least"}, "N", "−∞", OPTIONAL},
    {"scene.actuators", " force ", "upper", {"At most"}, "N", "∞", OPTIONAL},
    {"scene.actuators", " torque ", "lower", {"At least"}, "N m", "−∞", OPTIONAL},
    {"scene.actuators", " torque ", "upper", {"At most"}, "N m", "∞", OPTIONAL},
    {"scene.actuators", " joint ", "lower", {"At least"}, effort, "−∞", OPTIONAL},
    {"scene.actuators", " joint ", "upper", {"At most"}, effort, "∞", OPTIONAL},
    {"scene.actuators", NULL, "formula", {"In simulations"}, "", "0", OPTIONAL, TRUE, NULL},

    {"scene.forces", NULL, "force", X_Y ("Force"), "N", "0", OPTIONAL, TRUE, NULL},
    {"scene.forces", NULL, "torque", {"Torque"}, "N m", "0", OPTIONAL, TRUE, NULL},

    {"scene.constraints", NULL, "formula", {"Formula"}, "", "", WHEN_THERE, TRUE, NULL},
    {"scene.constraints", NULL, "kind", {"The formula"}, "", "", OPTIONAL, FALSE, law_choices},
    {"scene.constraints", " at_least ", "restitution", {"Restitution"}, "", "0", OPTIONAL},
    {"scene.constraints", NULL, "stiffness", {"Stiffness"}, "N/m", "rigid", OPTIONAL},
    {"scene.constraints", NULL, "damping", {"Damping"}, "N s/m", "0", OPTIONAL},

    {"scene.measures", NULL, "name", {"Name"}, "", "", WHEN_THERE, TRUE, NULL},
    {"scene.measures", NULL, "kind", {"Measures"}, "", "", OPTIONAL, FALSE, measure_choices},
    {"scene.measures", NULL, "between", {"From", "To"}, "", "", WHEN_THERE, TRUE, NULL},

    {"scene.notes", NULL, "text", {"Text"}, "", "", WHEN_THERE, TRUE, NULL},
    {"scene.notes", NULL, "at", X_Y ("At"), "m", "", WHEN_THERE},

    {"task.targets", NULL, "position", X_Y ("Goal"), "m", "free", OPTIONAL},
    {"task.targets", NULL, "angle", {"Goal angle"}, "deg", "free", OPTIONAL},
    {"task.targets", NULL, "velocity", X_Y ("Goal velocity"), "m/s", "free", OPTIONAL},
    {"task.targets", NULL, "angular_velocity", {"Goal spin"}, "rad/s", "free", OPTIONAL},
    {"task.targets", NULL, "weight", {"Weight"}, "", "exact", OPTIONAL},

    {"task.bounds", NULL, "x", {"x from", "x to"}, "m", "free", OPTIONAL},
    {"task.bounds", NULL, "y", {"y from", "y to"}, "m", "free", OPTIONAL},
    {"task.bounds", NULL, "theta", {"Angle from", "Angle to"}, "deg", "free", OPTIONAL},
    {"task.bounds", NULL, "vx", {"Velocity x from", "Velocity x to"}, "m/s", "free", OPTIONAL},
    {"task.bounds", NULL, "vy", {"Velocity y from", "Velocity y to"}, "m/s", "free", OPTIONAL},
    {"task.bounds", NULL, "omega", {"Spin from", "Spin to"}, "rad/s", "free", OPTIONAL},

    {"task.cost", NULL, "cost", {"Cost"}, "", "", WHEN_THERE, TRUE, NULL},
    {"task.cost", NULL, "points", {"Counts"}, "", "", OPTIONAL, FALSE, cost_choices},
    {"task.constraints", NULL, "points", {"Holds"}, "", "", OPTIONAL, FALSE, constraint_choices},

    {"task.free_time", NULL, "lower", {"Shortest"}, "s", "", WHEN_THERE},
    {"task.free_time", NULL, "upper", {"Longest"}, "s", "", WHEN_THERE},
    {"task.free_time", NULL, "weight", {"Cost of a second"}, "", "1", OPTIONAL},
    {"task.free_time", NULL, "per_step", {"Length of steps"}, "", "", OPTIONAL, FALSE, step_choices},

    {"task", NULL, "effort_rate", {"Weight of changes"}, "", "0", OPTIONAL},
    {"task", NULL, "guess", {"First guess"}, "", "", OPTIONAL, FALSE, guess_choices},
    {"task", NULL, "worlds", {"Worlds"}, "", "this one", OPTIONAL},
};

/* A target's weights when they are given by kind. */
static const Spec weight_specs[] = {
    {"task.targets", NULL, "weight.position", {"Position weight"}, "", "exact", OPTIONAL},
    {"task.targets", NULL, "weight.angle", {"Angle weight"}, "", "exact", OPTIONAL},
    {"task.targets", NULL, "weight.velocity", {"Velocity weight"}, "", "exact", OPTIONAL},
    {"task.targets", NULL, "weight.angular_velocity", {"Spin weight"}, "", "exact", OPTIONAL},
};

static void
add_field (GPtrArray *fields, const char *entry_path, const char *key, int component, const char *title,
           const Spec *spec)
{
  SsappField *field = g_new0 (SsappField, 1);

  field->title = g_strdup (title);
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
