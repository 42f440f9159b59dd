/* app/exchange/ssapp-mjcf-told.c: what is told of a file: a line each, and what nobody read of it. */
#include "app/exchange/ssapp-mjcf-private.h"

#include <string.h>

static void
add (SsappMjcf *self, SsappToldKind kind, const SsappXml *element, gboolean is_once, const char *what)
{
  const char *name = ssapp_xml_peek (element, "name");
  g_autofree char *key = g_strdup_printf ("%s %s", element->name, what);
  const gpointer before = is_once ? g_hash_table_lookup (self->told_once, key) : NULL;
  SsappTold told = {element->line, 1, kind, NULL};

  /* Of what is left out whole its attributes need no lines. */
  if (kind == SSAPP_TOLD_WRONG || g_str_has_prefix (what, "is left out"))
    ssapp_xml_mark ((SsappXml *)element);
  if (before != NULL) {
    g_array_index (self->told, SsappTold, GPOINTER_TO_UINT (before) - 1).count++;
    return;
  }
  self->is_wrong = self->is_wrong || kind == SSAPP_TOLD_WRONG;
  const char *tag = element->called != NULL ? element->called : element->name;
  told.text = name != NULL ? g_strdup_printf ("%s '%s': %s", tag, name, what) : g_strdup_printf ("%s: %s", tag, what);
  g_array_append_val (self->told, told);
  if (is_once)
    g_hash_table_insert (self->told_once, g_steal_pointer (&key), GUINT_TO_POINTER (self->told->len));
}

void
ssapp_mjcf_tell (SsappMjcf *self, SsappToldKind kind, const SsappXml *element, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  g_autofree char *what = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  add (self, kind, element, FALSE, what);
}

void
ssapp_mjcf_tell_once (SsappMjcf *self, SsappToldKind kind, const SsappXml *element, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  g_autofree char *what = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  add (self, kind, element, TRUE, what);
}

/* ---- what nobody read -------------------------------------------------------------------------------------------- */

/* Why something is left out, of elements with `tag` (NULL: any) their attribute, NULL: they themselves. */
static const struct {
  const char *tag, *attribute, *why;
} whys[] = {
    {NULL, "rgba", "looks"},
    {NULL, "material", "looks"},
    {NULL, "group", "looks"},
    {NULL, "user", "data of users"},
    {NULL, "solref", "contacts and constraints are rigid"},
    {NULL, "solimp", "contacts and constraints are rigid"},
    {NULL, "solmix", "contacts and constraints are rigid"},
    {NULL, "solreflimit", "limits are rigid"},
    {NULL, "solimplimit", "limits are rigid"},
    {NULL, "solreffriction", "friction of joints is rigid"},
    {NULL, "solimpfriction", "friction of joints is rigid"},
    {"geom", "margin", "contacts begin where bodies touch"},
    {"geom", "gap", "contacts begin where bodies touch"},
    {"joint", "margin", "limits begin where they are"},
    {"geom", "fitscale", "meshes of files are not read"},
    {"option", NULL, "numerics of another program"},
    {"compiler", NULL, "files beside this one are not read"},
    {"size", "", "numerics of another program"},
    {"visual", "", "looks"},
    {"statistic", "", "looks"},
    {"asset", "", "looks"},
    {"camera", "", "looks"},
    {"material", "", "looks"},
    {"mesh", "", "meshes of files are not read"},
    {"light", "", "looks"},
    {NULL, "width", "looks"},
    {"site", "", "a place that nothing here reads"},
    {"sensor", "", "channels of runs are there without"},
    {"key", "", "the start is that of the file's bodies"},
    {"keyframe", "", "the start is that of the file's bodies"},
    {"custom", "", "data of users"},
    {"extension", "", "plugins of another program"},
    /* URDF: */
    {"visual", "", "looks"},
    {"gazebo", "", "settings of another program"},
    {"mujoco", "", "settings of another program"},
    {"transmission", "", "each joint with an effort has a motor"},
    {"limit", "velocity", "joints are as fast as their forces make them"},
    {"safety_controller", "", "limits are those of limit"},
    {"calibration", "", "a place that nothing here reads"},
};

/* Elements have "" as attribute. */
static const char *
why_of (const char *tag, const char *attribute)
{
  for (guint i = 0; i < G_N_ELEMENTS (whys); i++) {
    if (whys[i].tag != NULL && strcmp (whys[i].tag, tag) != 0)
      continue;
    if (whys[i].attribute == NULL ? *attribute != '\0' : strcmp (whys[i].attribute, attribute) == 0)
      return whys[i].why;
  }
  return NULL;
}

static void
tell_attributes (SsappMjcf *self, const SsappXml *element)
{
  for (guint i = 0; i < element->attributes->len; i++) {
    const SsappXmlAttribute *attribute = &g_array_index (element->attributes, SsappXmlAttribute, i);
    const char *why = why_of (element->name, attribute->name);
    g_autofree char *key = g_strdup_printf ("%s %s", element->name, attribute->name);
    /* What this reader asks for elsewhere is a default that no element here needs. */
    if (attribute->is_read || strcmp (attribute->name, "name") == 0 || g_hash_table_contains (self->known, key))
      continue;
    if (why != NULL)
      ssapp_mjcf_tell_once (self, SSAPP_TOLD_LEFT_OUT, element, "%s is left out: %s", attribute->name, why);
    else
      ssapp_mjcf_tell (self, SSAPP_TOLD_LEFT_OUT, element, "%s is left out", attribute->name);
  }
}

/* The depth of elements is bounded. */
static void
tell_element (SsappMjcf *self, const SsappXml *element)
{
  const char *why = why_of (element->name, "");

  if (element->is_read) {
    tell_attributes (self, element);
    for (guint i = 0; i < element->children->len; i++)
      tell_element (self, ssapp_xml_child (element, i));
  } else if (why != NULL) {
    ssapp_mjcf_tell_once (self, SSAPP_TOLD_LEFT_OUT, element, "is left out: %s", why);
  } else {
    ssapp_mjcf_tell (self, SSAPP_TOLD_LEFT_OUT, element, "is left out");
  }
}

void
ssapp_mjcf_tell_unread (SsappMjcf *self)
{
  tell_element (self, self->source);
}
