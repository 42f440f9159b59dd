/* ui/parts/ssui-corner-list.c: see the header. Lines are made anew when their number changes. */
#include "ui/parts/ssui-corner-list.h"

#include "ui/parts/ssui-util.h"

#include <glib/gi18n.h>
#include <string.h>

struct _SsuiCornerList {
  GtkBox parent_instance;
  SsappDocument *document;
  char *path;
  GtkWidget *list, *problem;
  GPtrArray *entries; /* borrowed: x and y of each corner */
  gboolean is_committing;
};

G_DEFINE_FINAL_TYPE (SsuiCornerList, ssui_corner_list, GTK_TYPE_BOX)

static char *
path_of (SsuiCornerList *self, guint entry)
{
  return g_strdup_printf ("%s[%u][%u]", self->path, entry / 2, entry % 2);
}

static guint
count_corners (SsuiCornerList *self)
{
  for (guint i = 0;; i++) {
    g_autofree char *path = path_of (self, 2 * i);
    if (!ssapp_document_has_field (self->document, path))
      return i;
  }
}

static void
show_problem (SsuiCornerList *self, const char *message)
{
  gtk_label_set_text (GTK_LABEL (self->problem), message != NULL ? message : "");
  gtk_widget_set_visible (self->problem, message != NULL);
}

static void
follow_entry (SsuiCornerList *self, guint i)
{
  g_autofree char *path = path_of (self, i), *text = ssapp_document_get_field (self->document, path, "");

  if (text != NULL)
    ssui_follow_text (g_ptr_array_index (self->entries, i), text);
}

/* What was typed goes. */
static void
show_entry (SsuiCornerList *self, guint i)
{
  GtkWidget *entry = g_ptr_array_index (self->entries, i);

  g_object_set_data (G_OBJECT (entry), "shown", NULL);
  follow_entry (self, i);
  gtk_widget_remove_css_class (entry, "error");
}

static void
commit (SsuiCornerList *self, GtkWidget *entry)
{
  G_GNUC_UNUSED g_autoptr (SsuiCornerList) hold = g_object_ref (self); /* an edit makes the rows anew */
  g_autoptr (GError) error = NULL;
  g_autofree char *path = NULL, *now = NULL, *text = g_strdup (gtk_editable_get_text (GTK_EDITABLE (entry)));
  const char *shown = g_object_get_data (G_OBJECT (entry), "shown");
  guint i = 0;

  if (self->is_committing || self->document == NULL || !g_ptr_array_find (self->entries, entry, &i))
    return;
  path = path_of (self, i);
  now = ssapp_document_get_field (self->document, path, "");
  if (now == NULL || shown == NULL || strcmp (shown, text) == 0 || strcmp (now, text) == 0) {
    gtk_widget_remove_css_class (entry, "error");
    show_problem (self, NULL);
    return;
  }
  self->is_committing = TRUE;
  if (ssapp_document_set_field (self->document, path, text, "", &error)) {
    if (self->document != NULL)
      show_entry (self, i);
    show_problem (self, NULL);
  } else {
    gtk_widget_add_css_class (entry, "error");
    show_problem (self, error->message);
  }
  self->is_committing = FALSE;
}

static void
on_activate (GtkWidget *entry, SsuiCornerList *self)
{
  commit (self, entry);
}

static void
on_leave (GtkEventController *focus, SsuiCornerList *self)
{
  commit (self, gtk_event_controller_get_widget (focus));
}

static gboolean
on_key (GtkEventController *controller, guint key, guint code, GdkModifierType state, SsuiCornerList *self)
{
  GtkWidget *entry = gtk_event_controller_get_widget (controller);
  guint i;

  (void)code;
  (void)state;
  if (key != GDK_KEY_Escape || !g_ptr_array_find (self->entries, entry, &i))
    return FALSE;
  show_entry (self, i);
  show_problem (self, NULL);
  return TRUE;
}

static GtkWidget *
entry_new (SsuiCornerList *self, guint i)
{
  const int width = 7; /* characters */
  GtkWidget *entry = gtk_entry_new ();
  GtkEventController *focus = gtk_event_controller_focus_new (), *key = gtk_event_controller_key_new ();
  g_autofree char *name = g_strdup_printf (_ ("Corner %u %c"), i / 2 + 1, "xy"[i % 2]);

  gtk_editable_set_width_chars (GTK_EDITABLE (entry), width);
  gtk_editable_set_max_width_chars (GTK_EDITABLE (entry), width);
  gtk_entry_set_alignment (GTK_ENTRY (entry), 1);
  gtk_widget_set_hexpand (entry, TRUE);
  gtk_widget_set_valign (entry, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (entry, "numeric");
  ssui_set_label (entry, name);
  g_signal_connect_object (entry, "activate", G_CALLBACK (on_activate), self, 0);
  g_signal_connect_object (focus, "leave", G_CALLBACK (on_leave), self, 0);
  gtk_widget_add_controller (entry, focus);
  gtk_event_controller_set_propagation_phase (key, GTK_PHASE_CAPTURE);
  g_signal_connect_object (key, "key-pressed", G_CALLBACK (on_key), self, 0);
  gtk_widget_add_controller (entry, key);
  return entry;
}

static GtkWidget *
button_new (SsuiCornerList *self, guint corner, const char *icon, const char *action, const char *format)
{
  GtkWidget *button = gtk_button_new_from_icon_name (icon);
  g_autofree char *path = g_strdup_printf ("%s[%u]", self->path, corner), *tip = g_strdup_printf (format, corner + 1);

  gtk_widget_add_css_class (button, "flat");
  gtk_widget_add_css_class (button, "group-button");
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (button, tip);
  ssui_set_label (button, tip);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), action);
  gtk_actionable_set_action_target (GTK_ACTIONABLE (button), "s", path);
  return button;
}

static void
add_line (SsuiCornerList *self, guint corner)
{
  GtkWidget *row = gtk_list_box_row_new (), *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 4);
  g_autofree char *number = g_strdup_printf ("%u", corner + 1);
  GtkWidget *label = gtk_label_new (number);

  gtk_widget_add_css_class (row, "field");
  gtk_widget_add_css_class (box, "field-box");
  gtk_label_set_width_chars (GTK_LABEL (label), 2);
  gtk_widget_add_css_class (label, "dim-label");
  gtk_box_append (GTK_BOX (box), label);
  for (guint c = 0; c < 2; c++) {
    GtkWidget *entry = entry_new (self, 2 * corner + c);
    gtk_box_append (GTK_BOX (box), entry);
    g_ptr_array_add (self->entries, entry);
    show_entry (self, 2 * corner + c);
  }
  gtk_box_append (GTK_BOX (box), gtk_label_new ("m"));
  gtk_box_append (GTK_BOX (box), button_new (self, corner, "list-add-symbolic", "win.add-corner",
                                             _ ("Add a corner behind corner %u")));
  gtk_box_append (GTK_BOX (box),
                  button_new (self, corner, "list-remove-symbolic", "win.remove-corner", _ ("Delete corner %u")));
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), FALSE);
  gtk_widget_set_focusable (row, FALSE);
  gtk_list_box_append (GTK_LIST_BOX (self->list), row);
}

static void
update (SsuiCornerList *self)
{
  const guint n = count_corners (self);

  if (self->is_committing)
    return;
  if (2 * n == self->entries->len) {
    for (guint i = 0; i < self->entries->len; i++)
      if (!gtk_widget_has_css_class (g_ptr_array_index (self->entries, i), "error"))
        follow_entry (self, i);
    return;
  }
  g_ptr_array_set_size (self->entries, 0);
  ssui_take_focus_from (self->list);
  ssui_empty (self->list);
  for (guint i = 0; i < n; i++)
    add_line (self, i);
  show_problem (self, NULL);
}

static void
ssui_corner_list_dispose (GObject *object)
{
  SsuiCornerList *self = SSUI_CORNER_LIST (object);

  if (self->entries != NULL)
    g_ptr_array_set_size (self->entries, 0);
  g_clear_object (&self->document);
  G_OBJECT_CLASS (ssui_corner_list_parent_class)->dispose (object);
}

static void
ssui_corner_list_finalize (GObject *object)
{
  SsuiCornerList *self = SSUI_CORNER_LIST (object);

  g_clear_pointer (&self->entries, g_ptr_array_unref);
  g_free (self->path);
  G_OBJECT_CLASS (ssui_corner_list_parent_class)->finalize (object);
}

static void
ssui_corner_list_class_init (SsuiCornerListClass *class)
{
  G_OBJECT_CLASS (class)->dispose = ssui_corner_list_dispose;
  G_OBJECT_CLASS (class)->finalize = ssui_corner_list_finalize;
}

static void
ssui_corner_list_init (SsuiCornerList *self)
{
  self->entries = g_ptr_array_new ();
  self->list = gtk_list_box_new ();
  self->problem = gtk_label_new ("");
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self), GTK_ORIENTATION_VERTICAL);
  gtk_list_box_set_selection_mode (GTK_LIST_BOX (self->list), GTK_SELECTION_NONE);
  gtk_widget_add_css_class (self->list, "boxed-list");
  ssui_set_label (self->list, _ ("Corners"));
  gtk_label_set_wrap (GTK_LABEL (self->problem), TRUE);
  gtk_label_set_xalign (GTK_LABEL (self->problem), 0);
  gtk_widget_add_css_class (self->problem, "caption");
  gtk_widget_add_css_class (self->problem, "error");
  gtk_widget_set_visible (self->problem, FALSE);
  gtk_box_append (GTK_BOX (self), self->list);
  gtk_box_append (GTK_BOX (self), self->problem);
}

GtkWidget *
ssui_corner_list_new (SsappDocument *document, const char *path)
{
  SsuiCornerList *self = g_object_new (SSUI_TYPE_CORNER_LIST, NULL);

  self->document = g_object_ref (document);
  self->path = g_strdup (path);
  update (self);
  g_signal_connect_object (document, "changed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  return GTK_WIDGET (self);
}
