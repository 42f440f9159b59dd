/* app/document/ssapp-document-fields.c: which numbers an entry of a scene has, with names and units for people: shapes,
 * joints, springs, actuators, forces, goals, bounds. One table says it all; the inspector makes a row for each. */
#include "app/document/ssapp-document-private.h"

#include <string.h>

typedef enum {
  WHEN_THERE, /* shown when the file has it           */
  OPTIONAL,   /* shown always; may be cleared         */
} Presence;

/* Fields of entries: by list, and by their type where that matters. */
typedef struct {
  const char *list, *types; /* types: " pin rod " or NULL for all */
  const char *key;
  const char *titles[2]; /* of one number, or of the two of a point */
  const char *unit, *fallback;
  Presence presence;
} Spec;

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
    {"shape", NULL, "position", X_Y ("Offset"), "m", "0", WHEN_THERE},
    {"shape", NULL, "angle", {"Turned by"}, "deg", "0", WHEN_THERE},

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
    {"scene.joints", " rod ", "length", {"Length"}, "m", "drawn", OPTIONAL},
    {"scene.joints", NULL, "stiffness", {"Stiffness"}, "N/m", "rigid", OPTIONAL},
    {"scene.joints", NULL, "damping", {"Damping"}, "N s/m", "0", OPTIONAL},

    {"scene.contacts", NULL, "friction", {"Friction µ"}, "", "", OPTIONAL},
    {"scene.contacts", NULL, "restitution", {"Restitution"}, "", "", OPTIONAL},
    {"scene.contacts", NULL, "stiffness", {"Stiffness"}, "N/m", "", OPTIONAL},
    {"scene.contacts", NULL, "damping", {"Damping"}, "N s/m", "", OPTIONAL},

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
    {"scene.springs", NULL, "stiffness", {"Stiffness"}, "N/m", "0", OPTIONAL},
    {"scene.springs", NULL, "damping", {"Damping"}, "N s/m", "0", OPTIONAL},
    {"scene.springs", NULL, "rest", {"Rest length"}, "m", "drawn", OPTIONAL},

    {"scene.actuators", " force ", "direction", X_Y ("Direction"), "", "", WHEN_THERE},
    {"scene.actuators", " force ", "anchor", X_Y ("At"), "m", "0", WHEN_THERE},
    {"scene.actuators", " force ", "lower", {"At least"}, "N", "−∞", OPTIONAL},
    {"scene.actuators", " force ", "upper", {"At most"}, "N", "∞", OPTIONAL},
    {"scene.actuators", " torque ", "lower", {"At least"}, "N m", "−∞", OPTIONAL},
    {"scene.actuators", " torque ", "upper", {"At most"}, "N m", "∞", OPTIONAL},
    {"scene.actuators", " joint ", "lower", {"At least"}, "N, N m", "−∞", OPTIONAL},
    {"scene.actuators", " joint ", "upper", {"At most"}, "N, N m", "∞", OPTIONAL},
    {"scene.actuators", NULL, "formula", {"In simulations"}, "", "0", OPTIONAL},

    {"scene.forces", NULL, "force", X_Y ("Force"), "N", "0", WHEN_THERE},
    {"scene.forces", NULL, "torque", {"Torque"}, "N m", "0", OPTIONAL},

    {"task.targets", NULL, "position", X_Y ("Goal"), "m", "free", OPTIONAL},
    {"task.targets", NULL, "angle", {"Goal angle"}, "deg", "free", OPTIONAL},
    {"task.targets", NULL, "velocity", X_Y ("Goal velocity"), "m/s", "free", OPTIONAL},
    {"task.targets", NULL, "angular_velocity", {"Goal spin"}, "rad/s", "free", OPTIONAL},
    {"task.targets", NULL, "weight", {"Weight"}, "", "exact", OPTIONAL},

    {"task.bounds", NULL, "x", {"x from", "x to"}, "m", "free", OPTIONAL},
    {"task.bounds", NULL, "y", {"y from", "y to"}, "m", "free", OPTIONAL},
    {"task.bounds", NULL, "theta", {"Angle from", "Angle to"}, "deg", "free", WHEN_THERE},
    {"task.bounds", NULL, "vx", {"Velocity x from", "Velocity x to"}, "m/s", "free", WHEN_THERE},
    {"task.bounds", NULL, "vy", {"Velocity y from", "Velocity y to"}, "m/s", "free", WHEN_THERE},
    {"task.bounds", NULL, "omega", {"Spin from", "Spin to"}, "rad/s", "free", WHEN_THERE},
};

/* A target's weights when they are given by kind. */
static const Spec weight_specs[] = {
    {"task.targets", NULL, "weight.position", {"Position weight"}, "", "exact", OPTIONAL},
    {"task.targets", NULL, "weight.angle", {"Angle weight"}, "", "exact", OPTIONAL},
    {"task.targets", NULL, "weight.velocity", {"Velocity weight"}, "", "exact", OPTIONAL},
    {"task.targets", NULL, "weight.angular_velocity", {"Spin weight"}, "", "exact", OPTIONAL},
};

static void
free_field (SsappField *field)
{
  g_free (field->title);
  g_free (field->path);
  g_free (field);
}

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
  g_ptr_array_add (fields, field);
}

static void
add_spec (GPtrArray *fields, json_t *entry, const char *path, const Spec *spec)
{
  json_t *value = ssapp_tree_get (entry, spec->key);
  gboolean is_point = spec->titles[1] != NULL;

  if (value == NULL && spec->presence == WHEN_THERE)
    return;
  if (json_is_object (value)) { /* weights by kind */
    for (guint i = 0; i < G_N_ELEMENTS (weight_specs); i++)
      add_spec (fields, entry, path, &weight_specs[i]);
    return;
  }
  for (int c = 0; c < (is_point ? 2 : 1); c++)
    add_field (fields, path, spec->key, is_point ? c : -1, spec->titles[c], spec);
}

/* The corners of a polygon that has not too many for a list of numbers. */
static void
add_corners (GPtrArray *fields, json_t *entry, const char *path)
{
  enum { CORNERS_MAX = 8 };
  static const Spec corner = {.unit = "m", .fallback = "", .presence = WHEN_THERE};
  json_t *vertices = json_object_get (entry, "vertices");

  for (size_t i = 0; json_array_size (vertices) <= CORNERS_MAX && i < json_array_size (vertices); i++)
    for (int c = 0; c < 2; c++) {
      g_autofree char *key = g_strdup_printf ("vertices[%zu]", i);
      g_autofree char *title = g_strdup_printf ("Corner %zu %c", i + 1, "xy"[c]);
      add_field (fields, path, key, c, title, &corner);
    }
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
  return g_strndup (path, bracket != NULL ? (gsize)(bracket - path) : 0);
}

GPtrArray *
ssapp_document_list_fields (SsappDocument *self, const char *path)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self), NULL);

  GPtrArray *fields = g_ptr_array_new_with_free_func ((GDestroyNotify)free_field);
  json_t *entry = ssapp_tree_get (ssapp_document_root (self), path);
  const char *type = json_string_value (json_object_get (entry, "type"));
  g_autofree char *list = list_of (path);
  g_autofree char *padded = g_strdup_printf (" %s ", type != NULL ? type : "");
  gboolean is_contact = g_str_equal (list, "scene.contacts"); /* has fields without an entry in the file */

  if ((!json_is_object (entry) && !is_contact) || json_object_get (entry, "for") != NULL)
    return fields;
  if (g_str_equal (list, "shape"))
    add_corners (fields, entry, path);
  for (guint i = 0; i < G_N_ELEMENTS (specs); i++)
    if (g_str_equal (specs[i].list, list) && (specs[i].types == NULL || strstr (specs[i].types, padded) != NULL))
      add_spec (fields, entry, path, &specs[i]);
  return fields;
}
