/* ui/parts/ssui-selection-menu.c: see the header. */
#include "ui/parts/ssui-selection-menu.h"

#include "ui/parts/ssui-context-menu.h"

#include <glib/gi18n.h>
#include <string.h>

/* What one body can be given. */
static void
add_body (GMenu *menu, SsappDocument *document, const char *name)
{
  const SsScene *scene = ssapp_document_get_scenario (document)->scene;

  for (int i = 0; scene != NULL && i < scene->n_bodies; i++) {
    const SsBody *body = &scene->bodies[i];
    if (strcmp (body->name, name) != 0)
      continue;
    if (!ss_body_is_immovable (body))
      ssui_context_menu_add (menu, NULL, SSUI_MENU_MOVABLE, NULL);
    if (body->shape.kind != SS_SHAPE_HALF_PLANE && body->item >= 0)
      ssui_context_menu_add (menu, NULL, body->is_fixed ? SSUI_MENU_FIXED : SSUI_MENU_FREE, NULL);
  }
}

/* The commands that fit the selection. */
static GMenuModel *
menu_of (SsappDocument *document)
{
  GMenu *menu = g_menu_new ();
  g_autoptr (GMenu) arranging = g_menu_new ();
  const char *item = ssapp_document_get_selected_item (document), *body = ssapp_document_get_selected (document);
  int n = ssapp_document_count_selected (document), n_bodies = 0;

  for (const char *const *key = ssapp_document_get_selection (document, NULL); *key != NULL; key++)
    n_bodies += !ssapp_key_is_item (*key);
  if (n == 0) {
    ssui_context_menu_add (menu, NULL, SSUI_MENU_SHEET, NULL);
    if (ssapp_document_is_scene (document))
      ssui_context_menu_add (menu, NULL, SSUI_MENU_ADD, NULL);
    ssui_context_menu_add (arranging, _ ("Picture Under the Sheet"), SSUI_MENU_PICTURE, NULL);
    g_menu_append_section (menu, NULL, G_MENU_MODEL (arranging));
    return G_MENU_MODEL (menu);
  }
  if (n == 1)
    ssui_context_menu_add (menu, NULL, SSUI_MENU_EDIT, NULL);
  if (n_bodies > 0)
    ssui_context_menu_add (menu, NULL, SSUI_MENU_CLIPBOARD, NULL);
  if (n_bodies == 1 || n_bodies == 2)
    ssui_context_menu_add (arranging, n_bodies == 1 ? _ ("Join with the World") : _ ("Join"), SSUI_MENU_JOIN, NULL);
  if (n_bodies > 0 || n > 1) {
    if (n_bodies > 1)
      ssui_context_menu_add (arranging, _ ("Align and Spread"), SSUI_MENU_ALIGN, NULL);
    ssui_context_menu_add (arranging, _ ("Mirror and Turn"), SSUI_MENU_TURN, NULL);
    ssui_context_menu_add (arranging, "", SSUI_MENU_REPEAT, NULL);
    g_menu_append_section (menu, NULL, G_MENU_MODEL (arranging));
  }
  if (n == 1 && body != NULL) {
    ssui_context_menu_add (menu, NULL, SSUI_MENU_PLACE, NULL);
    add_body (menu, document, body);
  }
  if (n == 1 && item != NULL && g_str_has_prefix (item, "scene.joints["))
    ssui_context_menu_add (menu, NULL, SSUI_MENU_JOINT, NULL);
  if (n == 1 && item != NULL && g_str_has_prefix (item, "scene.contacts{")) {
    const gboolean is_on = ssapp_document_find_contact (document, item) >= 0;
    ssui_context_menu_add (menu, NULL, is_on ? SSUI_MENU_CONTACT_ON : SSUI_MENU_CONTACT_OFF,
                           g_variant_new ("(sb)", item, !is_on));
  }
  if (item == NULL || n > 1 || !g_str_has_prefix (item, "scene.contacts{"))
    ssui_context_menu_add (menu, NULL, SSUI_MENU_DELETE, NULL);
  return G_MENU_MODEL (menu);
}

GMenuModel *
ssui_selection_menu_at (GtkWidget *widget, SsappDocument *document, const char *key, gboolean by_key)
{
  const char *only[] = {key, NULL};

  gtk_widget_grab_focus (widget);
  if (document == NULL)
    return NULL;
  if (!by_key && (key == NULL || !ssapp_document_is_selected (document, key)))
    ssapp_document_set_selection (document, only);
  return menu_of (document);
}
