/* ui/window/ssui-window-contact.c: commands on contacts and materials beside those of ssui-window-edit.c: from contact
 * to contact, values of a contact set here or followed again, pairs of materials. */
#include "ui/window/ssui-window-private.h"

#include "app/document/ssapp-document-law.h"

#include <glib/gi18n.h>

/* The value of that name; says so where there is none. */
static gboolean
read_value (SsuiWindow *self, const char *name, SsMaterialValue *which)
{
  g_autofree char *text = NULL;

  *which = ssapp_material_value_from_name (name);
  if (*which < SS_MATERIAL_VALUES)
    return TRUE;
  text = g_strdup_printf (_ ("“%s” is no value of a contact: friction, restitution, stiffness or damping is"), name);
  ssui_window_fail (self, _ ("Not changed"), text);
  return FALSE;
}

static void
on_next_contact (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  SsuiWindow *self = data;

  (void)action;
  if (!ssapp_document_select_next_contact (ssui_window_get_document (self),
                                           g_variant_get_int32 (parameter) < 0 ? -1 : 1))
    ssui_window_toast (self, _ ("There is no contact"));
}

static void
on_set_here (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  SsuiWindow *self = data;
  g_autofree char *path = NULL, *name = NULL, *field = NULL;
  g_autoptr (GError) error = NULL;
  SsMaterialValue which;

  (void)action;
  g_variant_get (parameter, "(ss)", &path, &name);
  if (!read_value (self, name, &which))
    return;
  field = g_strdup_printf ("%s.%s", path, name);
  if (!ssapp_document_set_here (ssui_window_get_document (self), path, which, &error))
    ssui_window_fail (self, _ ("Not changed"), error->message);
  else
    ssui_sketch_page_edit_path (SKETCH_PAGE (self), field);
}

static void
on_clear_here (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  SsuiWindow *self = data;
  g_autofree char *path = NULL, *name = NULL;
  g_autoptr (GError) error = NULL;
  SsMaterialValue which;

  (void)action;
  g_variant_get (parameter, "(ss)", &path, &name);
  if (read_value (self, name, &which) && !ssapp_document_follow (ssui_window_get_document (self), path, which, &error))
    ssui_window_fail (self, _ ("Not changed"), error->message);
}

static void
on_set_pair (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  SsuiWindow *self = data;
  g_autofree char *a = NULL, *b = NULL, *name = NULL, *text = NULL;
  g_autoptr (GError) error = NULL;
  SsMaterialValue which;

  (void)action;
  g_variant_get (parameter, "(ssss)", &a, &b, &name, &text);
  if (read_value (self, name, &which) &&
      !ssapp_document_set_pair (ssui_window_get_document (self), a, b, which, text, &error))
    ssui_window_fail (self, _ ("Not changed"), error->message);
}

static const SsuiCommand commands[] = {
    {.name = "next-contact",
     .activate = on_next_contact,
     .parameter_type = "i" /* 1|-1 */,
     .when = ssui_window_has_scene},
    {.name = "set-here", .activate = on_set_here, .parameter_type = "(ss)" /* contact, value */},
    {.name = "clear-here", .activate = on_clear_here, .parameter_type = "(ss)" /* contact, value */},
    {.name = "set-pair", .activate = on_set_pair, .parameter_type = "(ssss)" /* material, material, value, text */},
};

const SsuiSubject ssui_contact_commands = {commands, G_N_ELEMENTS (commands), NULL, NULL};
