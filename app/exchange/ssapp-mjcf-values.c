/* app/exchange/ssapp-mjcf-values.c: attributes of MJCF with their classes of defaults, and the file's settings. */
#include "app/exchange/ssapp-mjcf-private.h"

#include "core/ss-option.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- attributes -------------------------------------------------------------------------------------------------- */

/* Elements of actuators have one set of defaults. */
static gboolean
is_actuator (const char *tag)
{
  static const char *const tags[] = {"general", "motor",    "position", "velocity", "intvelocity",
                                     "damper",  "cylinder", "adhesion", "muscle",   NULL};

  return g_strv_contains (tags, tag);
}

/* The class of an element's defaults: its own, or that of the bodies around it. NULL: the main one. */
static const char *
class_of (SsappXml *element)
{
  const char *name = ssapp_xml_get (element, "class");

  for (SsappXml *around = element->parent; name == NULL && around != NULL; around = around->parent)
    name = ssapp_xml_get (around, "childclass");
  return name;
}

/* Where attributes of the element are looked for, the nearest first: it, its class, the classes around that. */
static GPtrArray *
levels_of (SsappMjcf *self, SsappXml *element)
{
  GPtrArray *levels = g_ptr_array_new ();
  const char *name = class_of (element);
  const gboolean acts = is_actuator (element->name);
  SsappXml *class = name != NULL ? g_hash_table_lookup (self->classes, name) : NULL;

  g_ptr_array_add (levels, element);
  if (name != NULL && class == NULL && g_hash_table_add (self->known, g_strdup_printf ("class of %p", (void *)element)))
    ssapp_mjcf_tell (self, SSAPP_TOLD_WRONG, element, "there is no class '%s' of defaults", name);
  if (class == NULL)
    class = g_hash_table_lookup (self->classes, "");
  for (; class != NULL && strcmp (class->name, "default") == 0; class = class->parent)
    for (guint i = class->children->len; i > 0; i--) { /* the last of a class counts */
      SsappXml *child = ssapp_xml_child (class, i - 1);
      if (acts ? is_actuator (child->name) : strcmp (child->name, element->name) == 0)
        g_ptr_array_add (levels, child);
    }
  return levels;
}

static const char *
get_at (SsappMjcf *self, GPtrArray *levels, const char *name)
{
  const char *value = NULL;

  for (guint i = 0; i < levels->len; i++) {
    SsappXml *level = g_ptr_array_index (levels, i);
    g_hash_table_add (self->known, g_strdup_printf ("%s %s", level->name, name));
    if (value == NULL)
      value = ssapp_xml_get (level, name);
  }
  return value;
}

const char *
ssapp_mjcf_get (SsappMjcf *self, SsappXml *element, const char *name)
{
  g_autoptr (GPtrArray) levels = levels_of (self, element);

  return get_at (self, levels, name);
}

/* -1: these are no numbers, or too many. */
static int
parse_numbers (const char *text, int most, double *out)
{
  int n = 0;

  for (;;) {
    char *end;
    while (*text != '\0' && g_ascii_isspace (*text))
      text++;
    if (*text == '\0')
      return n;
    const double value = g_ascii_strtod (text, &end);
    if (end == text || n == most || !isfinite (value) || (*end != '\0' && !g_ascii_isspace (*end)))
      return -1;
    out[n++] = value;
    text = end;
  }
}

static int
numbers_of (SsappMjcf *self, SsappXml *element, const char *name, const char *text, int least, int most, double *out)
{
  double read[16] = {0};
  const int n = text != NULL ? parse_numbers (text, MIN (most, 16), read) : 0;

  if (n < 0 || (text != NULL && n < least)) {
    if (least == most)
      ssapp_mjcf_tell (self, SSAPP_TOLD_WRONG, element, "%s is '%.40s' (expected %d number%s)", name, text, most,
                       most == 1 ? "" : "s");
    else
      ssapp_mjcf_tell (self, SSAPP_TOLD_WRONG, element, "%s is '%.40s' (expected %d to %d numbers)", name, text, least,
                       most);
    return 0;
  }
  memcpy (out, read, (size_t)n * sizeof *read);
  return n;
}

int
ssapp_mjcf_numbers (SsappMjcf *self, SsappXml *element, const char *name, int least, int most, double *out)
{
  return numbers_of (self, element, name, ssapp_mjcf_get (self, element, name), least, most, out);
}

gboolean
ssapp_mjcf_range (SsappMjcf *self, SsappXml *element, const char *name, const char *limited, double range[2])
{
  double read[2] = {0, 0};
  const gboolean has = ssapp_mjcf_numbers (self, element, name, 2, 2, read) == 2;

  range[0] = -INFINITY;
  range[1] = INFINITY;
  if (!ssapp_mjcf_flag (self, element, limited, has && self->autolimits))
    return TRUE;
  if (read[0] > -SSAPP_ROBOT_FAR)
    range[0] = read[0];
  if (read[1] < SSAPP_ROBOT_FAR)
    range[1] = read[1];
  if (read[0] < read[1])
    return TRUE;
  ssapp_mjcf_tell (self, SSAPP_TOLD_WRONG, element, "no value fits into %s", name);
  return FALSE;
}

double
ssapp_mjcf_number (SsappMjcf *self, SsappXml *element, const char *name, double otherwise)
{
  double value = otherwise;

  ssapp_mjcf_numbers (self, element, name, 1, 1, &value);
  return value;
}

int
ssapp_mjcf_whole (SsappMjcf *self, SsappXml *element, const char *name, int otherwise)
{
  const double value = ssapp_mjcf_number (self, element, name, otherwise);

  if (fabs (value) <= G_MAXINT && value == floor (value))
    return (int)value;
  ssapp_mjcf_tell (self, SSAPP_TOLD_WRONG, element, "%s is no whole number", name);
  return otherwise;
}

SsappVec3
ssapp_mjcf_vec3 (SsappMjcf *self, SsappXml *element, const char *name, SsappVec3 otherwise)
{
  double v[3] = {otherwise.x, otherwise.y, otherwise.z};

  ssapp_mjcf_numbers (self, element, name, 3, 3, v);
  return (SsappVec3){v[0], v[1], v[2]};
}

gboolean
ssapp_mjcf_flag (SsappMjcf *self, SsappXml *element, const char *name, gboolean otherwise)
{
  const char *value = ssapp_mjcf_get (self, element, name);

  if (value == NULL || strcmp (value, "auto") == 0)
    return otherwise;
  if (strcmp (value, "true") == 0 || strcmp (value, "enable") == 0)
    return TRUE;
  if (strcmp (value, "false") != 0 && strcmp (value, "disable") != 0)
    ssapp_mjcf_tell (self, SSAPP_TOLD_WRONG, element, "%s is '%.40s' (expected true or false)", name, value);
  return FALSE;
}

/* The turn that one element says; FALSE: none. */
static gboolean
read_turn (SsappMjcf *self, SsappXml *level, SsappPose *pose)
{
  const double unit = self->in_degrees ? G_PI / 180 : 1;
  const char *text;
  double v[6];

  if ((text = ssapp_xml_get (level, "quat")) != NULL) {
    if (numbers_of (self, level, "quat", text, 4, 4, v) == 4 && !ssapp_pose_quaternion (pose, v))
      ssapp_mjcf_tell (self, SSAPP_TOLD_WRONG, level, "quat is zero");
  } else if ((text = ssapp_xml_get (level, "axisangle")) != NULL) {
    SsappVec3 axis = {0, 0, 0};
    if (numbers_of (self, level, "axisangle", text, 4, 4, v) == 4) {
      axis = (SsappVec3){v[0], v[1], v[2]};
      if (ssapp_vec3_normalise (&axis))
        ssapp_pose_about (pose, axis, v[3] * unit);
      else
        ssapp_mjcf_tell (self, SSAPP_TOLD_WRONG, level, "the axis of axisangle is zero");
    }
  } else if ((text = ssapp_xml_get (level, "euler")) != NULL) {
    if (numbers_of (self, level, "euler", text, 3, 3, v) == 3) {
      const double angles[3] = {v[0] * unit, v[1] * unit, v[2] * unit};
      ssapp_pose_euler (pose, angles, self->sequence);
    }
  } else if ((text = ssapp_xml_get (level, "xyaxes")) != NULL) {
    if (numbers_of (self, level, "xyaxes", text, 6, 6, v) == 6 &&
        !ssapp_pose_axes (pose, (SsappVec3){v[0], v[1], v[2]}, (SsappVec3){v[3], v[4], v[5]}))
      ssapp_mjcf_tell (self, SSAPP_TOLD_WRONG, level, "xyaxes have no directions");
  } else if ((text = ssapp_xml_get (level, "zaxis")) != NULL) {
    if (numbers_of (self, level, "zaxis", text, 3, 3, v) == 3 &&
        !ssapp_pose_to_axis (pose, (SsappVec3){v[0], v[1], v[2]}))
      ssapp_mjcf_tell (self, SSAPP_TOLD_WRONG, level, "zaxis is zero");
  } else {
    return FALSE;
  }
  return TRUE;
}

SsappPose
ssapp_mjcf_pose (SsappMjcf *self, SsappXml *element)
{
  static const char *const turns[] = {"quat", "axisangle", "euler", "xyaxes", "zaxis"};
  g_autoptr (GPtrArray) levels = levels_of (self, element);
  SsappPose pose = SSAPP_POSE_NONE;

  pose.at = ssapp_mjcf_vec3 (self, element, "pos", pose.at);
  for (guint i = 0; i < levels->len; i++)
    for (guint t = 0; t < G_N_ELEMENTS (turns); t++)
      g_hash_table_add (self->known,
                        g_strdup_printf ("%s %s", ((SsappXml *)g_ptr_array_index (levels, i))->name, turns[t]));
  for (guint i = 0; i < levels->len; i++)
    if (read_turn (self, g_ptr_array_index (levels, i), &pose))
      break;
  return pose;
}

/* ---- names ------------------------------------------------------------------------------------------------------- */

char *
ssapp_mjcf_name (SsappMjcf *self, const SsappXml *element, const char *otherwise)
{
  const char *given = element != NULL ? ssapp_xml_peek (element, "name") : NULL;
  g_autofree char *clean = g_strndup (given != NULL && *given != '\0' ? given : otherwise, 56);

  for (char *c = clean; *c != '\0'; c++)
    if (!g_ascii_isalnum (*c))
      *c = '_';
  g_autofree char *base =
      g_strconcat (g_ascii_isdigit (*clean) || strcmp (clean, "world") == 0 ? "_" : "", clean, NULL);
  char *name = g_strdup (base);
  for (int i = 2; g_hash_table_contains (self->names, name); i++) {
    g_free (name);
    name = g_strdup_printf ("%s_%d", base, i);
  }
  g_hash_table_add (self->names, g_strdup (name));
  if (given != NULL && *given != '\0' && strcmp (given, name) != 0)
    ssapp_mjcf_tell (self, SSAPP_TOLD_CHANGED, element, "is called %s", name);
  return name;
}

/* ---- settings ---------------------------------------------------------------------------------------------------- */

/* Classes by name, "" the main one. The depth of elements is bounded. */
static void
add_classes (SsappMjcf *self, SsappXml *element, gboolean is_main)
{
  static const char *const tags[] = {"geom", "joint", "pair", "equality", NULL};
  const char *name = ssapp_xml_get (element, "class");

  element->is_read = TRUE;
  if (is_main)
    g_hash_table_insert (self->classes, g_strdup (""), element);
  if (name != NULL)
    g_hash_table_insert (self->classes, g_strdup (name), element);
  else if (!is_main)
    ssapp_mjcf_tell (self, SSAPP_TOLD_WRONG, element, "a class without a name");
  for (guint i = 0; i < element->children->len; i++) {
    SsappXml *child = ssapp_xml_child (element, i);
    child->is_read = is_actuator (child->name) || g_strv_contains (tags, child->name);
    if (strcmp (child->name, "default") == 0)
      add_classes (self, child, FALSE);
  }
}

static void
read_compiler (SsappMjcf *self, SsappXml *element)
{
  const char *text;
  double groups[2];

  if ((text = ssapp_xml_get (element, "angle")) != NULL) {
    self->in_degrees = strcmp (text, "degree") == 0;
    if (!self->in_degrees && strcmp (text, "radian") != 0)
      ssapp_mjcf_tell (self, SSAPP_TOLD_WRONG, element, "angle is '%.40s' (expected degree or radian)", text);
  }
  if ((text = ssapp_xml_get (element, "coordinate")) != NULL && strcmp (text, "local") != 0)
    ssapp_mjcf_tell (self, SSAPP_TOLD_WRONG, element, "coordinate is '%.40s' (expected local)", text);
  if ((text = ssapp_xml_get (element, "eulerseq")) != NULL) {
    if (strlen (text) == 3 && strspn (text, "xyzXYZ") == 3)
      g_strlcpy (self->sequence, text, sizeof self->sequence);
    else
      ssapp_mjcf_tell (self, SSAPP_TOLD_WRONG, element, "eulerseq is '%.40s' (expected three of x, y, z)", text);
  }
  self->autolimits = ssapp_mjcf_flag (self, element, "autolimits", self->autolimits);
  if (ssapp_xml_peek (element, "inertiafromgeom") != NULL)
    self->inertia_from_geom = ssapp_mjcf_flag (self, element, "inertiafromgeom", 2);
  if (ssapp_mjcf_numbers (self, element, "inertiagrouprange", 2, 2, groups) == 2)
    memcpy (self->inertia_groups, groups, sizeof groups);
  self->total_mass = ssapp_mjcf_number (self, element, "settotalmass", self->total_mass);
  self->bound_mass = ssapp_mjcf_number (self, element, "boundmass", self->bound_mass);
  self->bound_inertia = ssapp_mjcf_number (self, element, "boundinertia", self->bound_inertia);
  if (ssapp_mjcf_flag (self, element, "balanceinertia", FALSE))
    ssapp_mjcf_tell (self, SSAPP_TOLD_CHANGED, element,
                     "balanceinertia is left out: moments of inertia are as they are");
}

static void
read_flags (SsappMjcf *self, SsappXml *element)
{
  const struct {
    const char *name;
    gboolean *is_off;
  } flags[] = {
      {"filterparent", &self->has_no_parent_filter},
      {"contact", &self->has_no_contact},
      {"limit", &self->has_no_limit},
      {"frictionloss", &self->has_no_friction},
      {"spring", &self->has_no_spring},
      {"damper", &self->has_no_damper},
      {"actuation", &self->has_no_actuation},
      {"equality", &self->has_no_equality},
  };

  element->is_read = TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (flags); i++)
    *flags[i].is_off = !ssapp_mjcf_flag (self, element, flags[i].name, !*flags[i].is_off);
  if (!ssapp_mjcf_flag (self, element, "gravity", TRUE))
    self->gravity = (SsappVec3){0, 0, 0};
  if (!ssapp_mjcf_flag (self, element, "passive", TRUE))
    self->has_no_spring = self->has_no_damper = TRUE;
  if (!ssapp_mjcf_flag (self, element, "constraint", TRUE))
    self->has_no_contact = self->has_no_limit = self->has_no_friction = self->has_no_equality = TRUE;
}

static void
read_option (SsappMjcf *self, SsappXml *element)
{
  static const char *const fluids[] = {"density", "viscosity"};
  SsappXml *flag = ssapp_xml_find (element, "flag");
  const double before = self->timestep;

  self->timestep = ssapp_mjcf_number (self, element, "timestep", self->timestep);
  if (!(self->timestep > 0)) {
    ssapp_mjcf_tell (self, SSAPP_TOLD_WRONG, element, "timestep is not above 0");
    self->timestep = before;
  }
  self->gravity = ssapp_mjcf_vec3 (self, element, "gravity", self->gravity);
  if (fabs (ssapp_vec3_dot (self->gravity, self->view.normal)) > 0)
    ssapp_mjcf_tell (self, SSAPP_TOLD_CHANGED, element, "gravity across the plane is left out");
  for (guint i = 0; i < G_N_ELEMENTS (fluids); i++)
    if (ssapp_mjcf_number (self, element, fluids[i], 0) > 0)
      ssapp_mjcf_tell (self, SSAPP_TOLD_WRONG, element, "%s: there is no fluid here", fluids[i]);
  if (flag != NULL)
    read_flags (self, flag);
}

void
ssapp_mjcf_read_settings (SsappMjcf *self)
{
  for (guint i = 0; i < self->root->children->len; i++) {
    SsappXml *element = ssapp_xml_child (self->root, i);
    const gboolean is_compiler = strcmp (element->name, "compiler") == 0;
    if (strcmp (element->name, "default") == 0)
      add_classes (self, element, TRUE);
    else if (is_compiler)
      read_compiler (self, element);
    else if (strcmp (element->name, "option") == 0)
      read_option (self, element);
    else
      continue;
    element->is_read = TRUE;
  }
}

/* ---- text of a scene --------------------------------------------------------------------------------------------- */

/* Smaller lengths, angles and masses are what turning leaves of a zero. */
#define ZERO 1e-15

const char *
ssapp_mjcf_digits (double value)
{
  static _Thread_local char texts[8][32];
  static _Thread_local int next;
  char *text = texts[next++ % 8];

  ss_format_double (fabs (value) < ZERO ? 0 : value, text, sizeof texts[0]);
  return text;
}

void
ssapp_mjcf_open (GString *list, const char *format, ...)
{
  va_list arguments;

  g_string_append (list, list->len > 0 ? ",\n      " : "\n      ");
  va_start (arguments, format);
  g_string_append_vprintf (list, format, arguments);
  va_end (arguments);
}
