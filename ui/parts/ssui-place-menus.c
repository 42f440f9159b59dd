/* ui/parts/ssui-place-menus.c: see the header. Menus are filled when they are opened. */
#include "ui/parts/ssui-place-menus.h"

#include "ui/parts/ssui-util.h"

#include <glib/gi18n.h>

#define MOST_BODIES 20

typedef struct {
  SsappDocument *document;
  char *body; /* that is placed */
  const char *action, *usual;
} Menu;

static void
menu_free (gpointer data)
{
  Menu *menu = data;

  g_object_unref (menu->document);
  g_free (menu->body);
  g_free (menu);
}

static void
append (GMenu *menu, const char *label, const char *action, GVariant *target)
{
  g_autoptr (GMenuItem) item = g_menu_item_new (label, NULL);

  g_menu_item_set_action_and_target_value (item, action, target);
  g_menu_append_item (menu, item);
}

static void
fill_bodies (GtkMenuButton *button, gpointer data)
{
  const Menu *about = data;
  const SsScene *scene = ssapp_document_get_scenario (about->document)->scene;
  g_autoptr (GMenu) menu = g_menu_new (), bodies = g_menu_new ();

  append (menu, about->usual, about->action, g_variant_new_string (""));
  for (int b = 0, n = 0; scene != NULL && b < scene->n_bodies && n < MOST_BODIES; b++)
    if (g_strcmp0 (scene->bodies[b].name, about->body) != 0) {
      append (bodies, scene->bodies[b].name, about->action, g_variant_new_string (scene->bodies[b].name));
      n++;
    }
  g_menu_append_section (menu, NULL, G_MENU_MODEL (bodies));
  gtk_menu_button_set_menu_model (button, G_MENU_MODEL (menu));
}

static GtkWidget *
make_button (SsappDocument *document, int body, const char *label, const char *tip, const char *action,
             const char *usual)
{
  GtkWidget *button = gtk_menu_button_new ();
  Menu *menu = g_new0 (Menu, 1);

  menu->document = g_object_ref (document);
  menu->body = g_strdup (ssapp_document_get_scenario (document)->scene->bodies[body].name);
  menu->action = action;
  menu->usual = usual;
  gtk_menu_button_set_label (GTK_MENU_BUTTON (button), label);
  gtk_widget_set_tooltip_text (button, tip);
  ssui_set_label (button, label);
  gtk_menu_button_set_create_popup_func (GTK_MENU_BUTTON (button), fill_bodies, menu, menu_free);
  return button;
}

GtkWidget *
ssui_place_menus_new (SsappDocument *document, int body)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 4); /* beside each other they make the inspector wider */

  gtk_box_append (GTK_BOX (box), make_button (document, body, _ ("Rest On"),
                                              _ ("Move it down until it touches another body (Page Down)"),
                                              "win.rest-on", _ ("What Is Below")));
  gtk_box_append (GTK_BOX (box), make_button (document, body, _ ("Flush With"),
                                              _ ("Turn and move it so that an edge lies on one of another body (H)"),
                                              "win.flush-with", _ ("The Nearest Body")));
  return box;
}

static void
fill_pairs (GtkMenuButton *button, SsappDocument *document)
{
  const char *path = g_object_get_data (G_OBJECT (button), "path"), *chosen = _ ("Choose");
  g_autoptr (GPtrArray) pairs = ssapp_document_list_pairs (document, path);
  g_autoptr (GMenu) menu = g_menu_new ();

  for (guint i = 0; i < pairs->len; i++) {
    const SsappPair *pair = g_ptr_array_index (pairs, i);
    append (menu, pair->text, "win.join-pair", g_variant_new ("(sss)", path, pair->a, pair->b));
    if (pair->is_chosen)
      chosen = pair->text;
  }
  if (g_strcmp0 (gtk_menu_button_get_label (button), chosen) != 0)
    gtk_menu_button_set_label (button, chosen);
  gtk_menu_button_set_menu_model (button, G_MENU_MODEL (menu));
}

static void
on_document_changed (GtkMenuButton *button, SsappDocument *document)
{
  fill_pairs (button, document);
}

GtkWidget *
ssui_pair_menu_new (SsappDocument *document, const char *path)
{
  g_autoptr (GPtrArray) pairs = ssapp_document_list_pairs (document, path);
  GtkWidget *button;

  if (pairs->len < 2)
    return NULL;
  button = gtk_menu_button_new ();
  g_object_set_data_full (G_OBJECT (button), "path", g_strdup (path), g_free);
  gtk_widget_set_tooltip_text (button, _ ("Which bodies it joins, of those that overlap there"));
  ssui_set_label (button, _ ("Joined bodies"));
  fill_pairs (GTK_MENU_BUTTON (button), document);
  g_signal_connect_object (document, "changed", G_CALLBACK (on_document_changed), button, G_CONNECT_SWAPPED);
  return button;
}
