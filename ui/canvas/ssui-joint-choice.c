/* ui/canvas/ssui-joint-choice.c: see the header. Tests: tests/ui/test_flush_block.py */
#include "ui/canvas/ssui-joint-choice.h"

#include "ui/parts/ssui-util.h"

#include <glib/gi18n.h>

/* A pair of bodies, and one body with the world: nothing to ask. */
#define LEAST_CHOICE 4

static void
on_chosen (GtkPopover *popover, GtkListBoxRow *row)
{
  GVariant *value = g_object_get_data (G_OBJECT (row), "pair");

  gtk_widget_activate_action_variant (gtk_widget_get_parent (GTK_WIDGET (popover)), "win.join-pair", value);
  gtk_popover_popdown (popover);
}

static gboolean
unparent_later (GtkWidget *popover)
{
  gtk_widget_unparent (popover);
  return G_SOURCE_REMOVE;
}

static void
on_closed (GtkWidget *popover)
{
  gtk_widget_grab_focus (gtk_widget_get_parent (popover));
  g_idle_add_full (G_PRIORITY_DEFAULT, (GSourceFunc)unparent_later, g_object_ref (popover), g_object_unref);
}

static GtkWidget *
make_row (const SsappPair *pair, const char *path)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6), *label = gtk_label_new (pair->text),
            *check = gtk_image_new_from_icon_name ("object-select-symbolic"), *row = gtk_list_box_row_new ();

  gtk_widget_set_opacity (check, pair->is_chosen ? 1 : 0);
  gtk_widget_set_margin_top (box, 4);
  gtk_widget_set_margin_bottom (box, 4);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_box_append (GTK_BOX (box), label);
  gtk_box_append (GTK_BOX (box), check);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  g_object_set_data_full (G_OBJECT (row), "pair", g_variant_ref_sink (g_variant_new ("(sss)", path, pair->a, pair->b)),
                          (GDestroyNotify)g_variant_unref);
  ssui_set_label (row, pair->text);
  return row;
}

gboolean
ssui_joint_choice_offer (GtkWidget *parent, SsappDocument *document, const char *path, double x, double y,
                         gboolean always)
{
  g_autoptr (GPtrArray) pairs = ssapp_document_list_pairs (document, path);
  GtkWidget *popover, *box, *title, *list, *chosen = NULL;
  const GdkRectangle at = {(int)x, (int)y, 1, 1};

  if (pairs->len < (always ? 1 : LEAST_CHOICE))
    return FALSE;
  popover = gtk_popover_new ();
  box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  title = gtk_label_new (_ ("Joins"));
  list = gtk_list_box_new ();
  gtk_widget_add_css_class (title, "heading");
  gtk_label_set_xalign (GTK_LABEL (title), 0);
  gtk_list_box_set_selection_mode (GTK_LIST_BOX (list), GTK_SELECTION_NONE);
  ssui_set_label (list, _ ("Bodies that it joins"));
  for (guint i = 0; i < pairs->len; i++) {
    GtkWidget *row = make_row (g_ptr_array_index (pairs, i), path);
    gtk_list_box_append (GTK_LIST_BOX (list), row);
    if (chosen == NULL || ((SsappPair *)g_ptr_array_index (pairs, i))->is_chosen)
      chosen = row;
  }
  gtk_box_append (GTK_BOX (box), title);
  gtk_box_append (GTK_BOX (box), list);
  gtk_popover_set_child (GTK_POPOVER (popover), box);
  gtk_popover_set_pointing_to (GTK_POPOVER (popover), &at);
  gtk_widget_set_parent (popover, parent);
  g_signal_connect_object (list, "row-activated", G_CALLBACK (on_chosen), popover, G_CONNECT_SWAPPED);
  g_signal_connect (popover, "closed", G_CALLBACK (on_closed), NULL);
  gtk_popover_popup (GTK_POPOVER (popover));
  gtk_widget_grab_focus (chosen);
  return TRUE;
}

void
ssui_joint_choice_allocate (GtkWidget *parent)
{
  for (GtkWidget *child = gtk_widget_get_first_child (parent); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (GTK_IS_POPOVER (child))
      gtk_popover_present (GTK_POPOVER (child));
}
