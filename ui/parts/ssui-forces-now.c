/* ui/parts/ssui-forces-now.c: see the header. */
#include "ui/parts/ssui-forces-now.h"

#include "ui/parts/ssui-contact-now.h"
#include "ui/parts/ssui-util.h"

#include <glib/gi18n.h>

struct _SsuiForcesNow {
  GtkWidget parent_instance;
  GtkWidget *time, *list, *note;
  GPtrArray *rows; /* of Row */
  SsappContactWatch *watch;
};

typedef struct {
  GtkWidget *row, *title, *words;
} Row;

G_DEFINE_FINAL_TYPE (SsuiForcesNow, ssui_forces_now, GTK_TYPE_WIDGET)

static Row *
add_row (SsuiForcesNow *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  Row *row = g_new (Row, 1);

  *row = (Row){gtk_list_box_row_new (), gtk_label_new (""), gtk_label_new ("")};
  gtk_label_set_xalign (GTK_LABEL (row->title), 0);
  gtk_label_set_xalign (GTK_LABEL (row->words), 0);
  gtk_label_set_ellipsize (GTK_LABEL (row->title), PANGO_ELLIPSIZE_END);
  gtk_label_set_wrap (GTK_LABEL (row->words), TRUE);
  gtk_widget_add_css_class (row->words, "numeric");
  gtk_widget_add_css_class (row->words, "caption");
  gtk_widget_add_css_class (box, "field-box");
  gtk_box_append (GTK_BOX (box), row->title);
  gtk_box_append (GTK_BOX (box), row->words);
  gtk_widget_add_css_class (row->row, "field");
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row->row), box);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row->row), FALSE);
  gtk_widget_set_focusable (row->row, FALSE);
  gtk_list_box_append (GTK_LIST_BOX (self->list), row->row);
  g_ptr_array_add (self->rows, row);
  return row;
}

static void
update (SsuiForcesNow *self)
{
  const GPtrArray *lines = ssapp_contact_watch_get_forces (self->watch);
  g_autofree char *when = ssapp_contact_watch_describe_time (self->watch);
  g_autoptr (GString) notes = g_string_new (NULL);
  guint n = 0;

  gtk_widget_set_visible (GTK_WIDGET (self), lines != NULL);
  gtk_label_set_text (GTK_LABEL (self->time), when != NULL ? when : _ ("in the sketch"));
  for (guint i = 0; lines != NULL && i < lines->len; i++) {
    const SsappForceLine *line = g_ptr_array_index (lines, i);
    if (*line->title == '\0') {
      g_string_append_printf (notes, "%s%s.", notes->len > 0 ? " " : "", line->words);
      continue;
    }
    Row *row = n < self->rows->len ? g_ptr_array_index (self->rows, n) : add_row (self);
    gtk_label_set_text (GTK_LABEL (row->title), line->title);
    gtk_label_set_text (GTK_LABEL (row->words), line->words);
    ssui_set_label (row->row, line->title);
    ssui_set_description (row->row, line->words);
    gtk_widget_set_visible (row->row, TRUE);
    n++;
  }
  for (; n < self->rows->len; n++)
    gtk_widget_set_visible (((Row *)g_ptr_array_index (self->rows, n))->row, FALSE);
  gtk_label_set_text (GTK_LABEL (self->note), notes->str);
  gtk_widget_set_visible (self->note, notes->len > 0);
}

static void
ssui_forces_now_dispose (GObject *object)
{
  SsuiForcesNow *self = SSUI_FORCES_NOW (object);

  if (self->watch != NULL)
    g_signal_handlers_disconnect_by_data (self->watch, self);
  g_clear_object (&self->watch);
  g_clear_pointer (&self->rows, g_ptr_array_unref);
  ssui_unparent_children (GTK_WIDGET (object));
  G_OBJECT_CLASS (ssui_forces_now_parent_class)->dispose (object);
}

static void
ssui_forces_now_class_init (SsuiForcesNowClass *class)
{
  G_OBJECT_CLASS (class)->dispose = ssui_forces_now_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (class), GTK_TYPE_BOX_LAYOUT);
}

static void
ssui_forces_now_init (SsuiForcesNow *self)
{
  GtkWidget *head = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 4), *title = gtk_label_new (_ ("Forces Now"));
  GtkBoxLayout *layout = GTK_BOX_LAYOUT (gtk_widget_get_layout_manager (GTK_WIDGET (self)));

  self->rows = g_ptr_array_new_with_free_func (g_free);
  gtk_orientable_set_orientation (GTK_ORIENTABLE (layout), GTK_ORIENTATION_VERTICAL);
  gtk_box_layout_set_spacing (layout, 4);
  gtk_label_set_xalign (GTK_LABEL (title), 0);
  gtk_widget_set_hexpand (title, TRUE);
  gtk_widget_set_margin_start (title, 2);
  gtk_widget_add_css_class (title, "group-title");
  gtk_widget_set_tooltip_text (title,
                               _ ("By the laws alone, rigid contacts with friction, at the state that is shown; not "
                                  "what a method found"));
  self->time = gtk_label_new ("");
  gtk_widget_add_css_class (self->time, "dim-label");
  gtk_widget_add_css_class (self->time, "caption");
  gtk_widget_add_css_class (self->time, "numeric");
  gtk_box_append (GTK_BOX (head), title);
  gtk_box_append (GTK_BOX (head), self->time);
  self->list = gtk_list_box_new ();
  gtk_list_box_set_selection_mode (GTK_LIST_BOX (self->list), GTK_SELECTION_NONE);
  gtk_widget_add_css_class (self->list, "boxed-list");
  ssui_set_label (self->list, _ ("Forces Now"));
  self->note = gtk_label_new ("");
  gtk_label_set_xalign (GTK_LABEL (self->note), 0);
  gtk_label_set_wrap (GTK_LABEL (self->note), TRUE);
  gtk_widget_add_css_class (self->note, "caption");
  gtk_widget_add_css_class (self->note, "dim-label");
  gtk_widget_set_parent (head, GTK_WIDGET (self));
  gtk_widget_set_parent (self->list, GTK_WIDGET (self));
  gtk_widget_set_parent (self->note, GTK_WIDGET (self));
}

void
ssui_forces_now_add (GtkBox *box, SsappDocument *document, SsappContactWatch *watch)
{
  const char *path = ssapp_document_get_selected_item (document);

  if (watch == NULL || ssapp_document_count_selected (document) != 1)
    return;
  if (path != NULL && g_str_has_prefix (path, "scene.contacts")) {
    gtk_box_append (box, ssui_contact_now_new (watch));
    return;
  }
  SsuiForcesNow *self = g_object_new (SSUI_TYPE_FORCES_NOW, NULL);
  self->watch = g_object_ref (watch);
  g_signal_connect_object (watch, "changed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  update (self);
  gtk_box_append (box, GTK_WIDGET (self));
}
