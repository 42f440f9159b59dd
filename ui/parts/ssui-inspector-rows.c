/* ui/parts/ssui-inspector-rows.c: groups and rows of the inspector, as its other files ask for them. */
#include "ui/parts/ssui-inspector-private.h"

#include "ui/parts/ssui-entry-rows.h"
#include "ui/parts/ssui-util.h"

#include <glib/gi18n.h>

/* A click on the words of a tick. */
static void
on_tick_row (GtkListBox *list, GtkListBoxRow *row)
{
  GtkWidget *tick = g_object_get_data (G_OBJECT (row), "tick");

  (void)list;
  if (tick != NULL && gtk_widget_is_sensitive (tick))
    gtk_widget_activate (tick);
}

/* A heading, with a button at its end if `action` is given, and a list below it. */
void
ssui_inspector_begin_group_with (SsuiInspector *self, const char *title, const char *icon, const char *tip,
                                 const char *action, const char *target)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 4), *head = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 4),
            *label = gtk_label_new (title);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_widget_set_margin_start (label, 2);
  gtk_widget_add_css_class (label, "group-title");
  gtk_box_append (GTK_BOX (head), label);
  if (action != NULL) {
    GtkWidget *button = gtk_button_new_from_icon_name (icon);
    gtk_widget_add_css_class (button, "flat");
    gtk_widget_add_css_class (button, "group-button");
    gtk_widget_set_tooltip_text (button, tip);
    ssui_set_label (button, tip);
    gtk_actionable_set_action_name (GTK_ACTIONABLE (button), action);
    gtk_actionable_set_action_target (GTK_ACTIONABLE (button), "s", target);
    gtk_box_append (GTK_BOX (head), button);
  }
  self->head = head;
  self->list = gtk_list_box_new ();
  gtk_list_box_set_selection_mode (GTK_LIST_BOX (self->list), GTK_SELECTION_NONE);
  gtk_widget_add_css_class (self->list, "boxed-list");
  g_signal_connect (self->list, "row-activated", G_CALLBACK (on_tick_row), NULL);
  ssui_set_label (self->list, title);
  gtk_box_append (GTK_BOX (box), head);
  gtk_box_append (GTK_BOX (box), self->list);
  gtk_box_append (GTK_BOX (self->groups), box);
}

void
ssui_inspector_begin_group (SsuiInspector *self, const char *title)
{
  ssui_inspector_begin_group_with (self, title, NULL, NULL, NULL, NULL);
}

SsuiFieldRow *
ssui_inspector_add_row (SsuiInspector *self, const char *title, const char *path, const char *unit,
                        const char *fallback)
{
  GtkWidget *row = ssui_field_row_new (self->document, title, path, unit, fallback);
  gtk_list_box_append (GTK_LIST_BOX (self->list), row);
  g_ptr_array_add (self->rows, row);
  return SSUI_FIELD_ROW (row);
}

void
ssui_inspector_add_text_row (SsuiInspector *self, const char *title, SsuiTextKind kind, const char *path)
{
  GtkWidget *row = ssui_field_row_new_text (self->document, title, kind, path);
  gtk_list_box_append (GTK_LIST_BOX (self->list), row);
  g_ptr_array_add (self->rows, row);
}

/* A row that is no field: words, and something to press at the end. */
void
ssui_inspector_add_control_row (SsuiInspector *self, const char *title, GtkWidget *control)
{
  GtkWidget *row = gtk_list_box_row_new (), *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6),
            *label = gtk_label_new (title);
  const gboolean is_tick = GTK_IS_CHECK_BUTTON (control) || GTK_IS_SWITCH (control);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_widget_add_css_class (box, "field-box");
  gtk_widget_add_css_class (row, "field");
  gtk_widget_set_valign (control, GTK_ALIGN_CENTER);
  gtk_box_append (GTK_BOX (box), label);
  gtk_box_append (GTK_BOX (box), control);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), is_tick);
  g_object_set_data (G_OBJECT (row), "tick", is_tick ? control : NULL);
  gtk_widget_set_focusable (row, FALSE);
  gtk_list_box_append (GTK_LIST_BOX (self->list), row);
}

void
ssui_inspector_add_optional_row (SsuiInspector *self, const char *title, const char *path, const char *unit,
                                 const char *fallback)
{
  ssui_field_row_set_optional (ssui_inspector_add_row (self, title, path, unit, fallback), TRUE);
}

/* The numbers of an entry of the file. */
void
ssui_inspector_add_fields (SsuiInspector *self, const char *path)
{
  g_autoptr (GPtrArray) fields = ssapp_document_list_fields (self->document, path);

  for (guint i = 0; i < fields->len; i++) {
    const SsappField *field = g_ptr_array_index (fields, i);
    SsuiFieldRow *row;
    if (field->choices != NULL) {
      gtk_list_box_append (GTK_LIST_BOX (self->list), ssui_choice_row_new (self->document, field));
      continue;
    }
    row = ssui_inspector_add_row (self, field->title, field->path, field->unit, field->fallback);
    ssui_field_row_set_optional (row, field->is_optional);
    if (field->is_formula)
      ssui_field_row_set_formula (row);
    if (field->is_row)
      ssui_field_row_add_button (row, "list-remove-symbolic", _ ("Delete this row"), "win.remove-row", field->path);
  }
}

/* Words below the groups so far. */
GtkWidget *
ssui_inspector_add_note (SsuiInspector *self, const char *text)
{
  GtkWidget *note = gtk_label_new (text);

  gtk_label_set_wrap (GTK_LABEL (note), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (note), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_xalign (GTK_LABEL (note), 0);
  gtk_widget_set_margin_start (note, 2);
  gtk_widget_add_css_class (note, "dim-label");
  gtk_widget_add_css_class (note, "caption");
  gtk_box_append (GTK_BOX (self->groups), note);
  return note;
}

/* Buttons side by side, for what can be added. */
void
ssui_inspector_add_commands (SsuiInspector *self, const SsuiInspectorCommand *commands, int n)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  gtk_box_set_homogeneous (GTK_BOX (box), TRUE);
  for (int i = 0; i < n; i++) {
    GtkWidget *button = gtk_button_new (), *content = adw_button_content_new ();
    adw_button_content_set_icon_name (ADW_BUTTON_CONTENT (content), commands[i].icon);
    adw_button_content_set_label (ADW_BUTTON_CONTENT (content), _ (commands[i].label));
    gtk_button_set_child (GTK_BUTTON (button), content);
    gtk_widget_set_tooltip_text (button, _ (commands[i].tip));
    ssui_set_label (button, _ (commands[i].label));
    gtk_actionable_set_action_name (GTK_ACTIONABLE (button), commands[i].action);
    if (commands[i].target != NULL)
      gtk_actionable_set_action_target (GTK_ACTIONABLE (button), "s", commands[i].target);
    gtk_box_append (GTK_BOX (box), button);
  }
  gtk_box_append (GTK_BOX (self->groups), box);
}
