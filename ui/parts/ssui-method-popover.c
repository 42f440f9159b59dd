/* ui/parts/ssui-method-popover.c: see the header. */
#include "ui/parts/ssui-method-popover.h"

#include "ui/parts/ssui-method-mark.h"
#include "ui/parts/ssui-util.h"

#include <glib/gi18n.h>
#include <string.h>

#define POPOVER_WIDTH 380 /* px */
#define LIST_HEIGHT   280 /* px */

struct _SsuiMethodPopover {
  GtkPopover parent_instance;
  SsappStudySession *study;
  int index;
  GtkWidget *pages[2], *list, *title, *entry, *words, *options, *done, *back, *remove;
};

G_DEFINE_FINAL_TYPE (SsuiMethodPopover, ssui_method_popover, GTK_TYPE_POPOVER)

/* One of two; a stack would hide both from those who do not see them. */
static void
show_page (SsuiMethodPopover *self, int page)
{
  gtk_widget_set_visible (self->pages[page], TRUE);
  gtk_widget_set_visible (self->pages[1 - page], FALSE);
}

/* ---- options ----------------------------------------------------------------------------------------------------- */

static void
check (SsuiMethodPopover *self)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *words = ssapp_study_session_try_method (self->study, self->index,
                                                           gtk_editable_get_text (GTK_EDITABLE (self->entry)), &error);

  gtk_label_set_text (GTK_LABEL (self->words), words != NULL ? words : error->message);
  gtk_widget_set_sensitive (self->done, words != NULL);
  if (words != NULL) {
    gtk_widget_remove_css_class (self->entry, "error");
    gtk_widget_remove_css_class (self->words, "error");
  } else {
    gtk_widget_add_css_class (self->entry, "error");
    gtk_widget_add_css_class (self->words, "error");
  }
}

static void
on_done (SsuiMethodPopover *self)
{
  g_autofree char *text = g_strdup (gtk_editable_get_text (GTK_EDITABLE (self->entry)));
  const int index = self->index;

  check (self);
  if (!gtk_widget_get_sensitive (self->done))
    return;
  g_object_ref (self);
  gtk_popover_popdown (GTK_POPOVER (self));
  gtk_widget_activate_action (GTK_WIDGET (self), "win.study-set-method", "(is)", index, text);
  g_object_unref (self);
}

static void
on_remove (SsuiMethodPopover *self)
{
  const int index = self->index;

  g_object_ref (self);
  gtk_popover_popdown (GTK_POPOVER (self));
  gtk_widget_activate_action (GTK_WIDGET (self), "win.study-remove-method", "i", index);
  g_object_unref (self);
}

/* Puts the option behind the text, with its value as it is, ready to be typed over. */
static void
on_option (SsuiMethodPopover *self, GtkListBoxRow *row)
{
  const char *option = g_object_get_data (G_OBJECT (row), "option"), *value = strchr (option, '=') + 1;
  g_autofree char *text = g_strdup_printf ("%s:%s", gtk_editable_get_text (GTK_EDITABLE (self->entry)), option);

  gtk_editable_set_text (GTK_EDITABLE (self->entry), text);
  gtk_widget_grab_focus (self->entry);
  gtk_editable_select_region (GTK_EDITABLE (self->entry), (int)(g_utf8_strlen (text, -1) - g_utf8_strlen (value, -1)),
                              -1);
}

static GtkWidget *
make_text_row (const char *first, const char *second, const char *below)
{
  GtkWidget *row = gtk_list_box_row_new (), *grid = gtk_grid_new (), *name = gtk_label_new (first),
            *value = gtk_label_new (second), *note = gtk_label_new (below);

  gtk_label_set_xalign (GTK_LABEL (name), 0);
  gtk_widget_set_hexpand (name, TRUE);
  gtk_widget_add_css_class (value, "dim-label");
  gtk_widget_add_css_class (value, "numeric");
  gtk_label_set_ellipsize (GTK_LABEL (value), PANGO_ELLIPSIZE_END);
  gtk_label_set_xalign (GTK_LABEL (note), 0);
  gtk_label_set_ellipsize (GTK_LABEL (note), PANGO_ELLIPSIZE_END);
  gtk_label_set_max_width_chars (GTK_LABEL (note), 1);
  gtk_widget_set_hexpand (note, TRUE);
  gtk_widget_add_css_class (note, "caption");
  gtk_widget_add_css_class (note, "dim-label");
  gtk_grid_set_column_spacing (GTK_GRID (grid), 12);
  gtk_grid_attach (GTK_GRID (grid), name, 1, 0, 1, 1);
  gtk_grid_attach (GTK_GRID (grid), value, 2, 0, 1, 1);
  gtk_grid_attach (GTK_GRID (grid), note, 1, 1, 2, 1);
  gtk_widget_add_css_class (grid, "study-choice");
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), grid);
  gtk_widget_set_tooltip_text (row, below);
  return row;
}

static void
clear (GtkWidget *list)
{
  ssui_take_focus_from (list);
  ssui_empty (list);
}

static void
show_options (SsuiMethodPopover *self, const SsMethod *method, const char *text)
{
  g_autofree void *options = g_malloc0 (method->options->size + 1);

  ss_options_init (method->options, options);
  clear (self->options);
  for (int pass = 0; pass < 2; pass++) /* common ones first */
    for (int k = 0; k < method->options->n_specs; k++) {
      const SsOptionSpec *spec = &method->options->specs[k];
      char value[SS_OPTION_TEXT_MAX];
      if (spec->common == (pass == 1))
        continue;
      ss_options_format (method->options, options, k, value, sizeof value);
      GtkWidget *row = make_text_row (spec->name, value, spec->summary);
      g_autofree char *label = g_strdup_printf (_ ("Set %s"), spec->name);
      ssui_set_label (row, label);
      g_object_set_data_full (G_OBJECT (row), "option", g_strdup_printf ("%s=%s", spec->name, value), g_free);
      gtk_list_box_append (GTK_LIST_BOX (self->options), row);
    }
  gtk_label_set_text (GTK_LABEL (self->title), method->label);
  gtk_editable_set_text (GTK_EDITABLE (self->entry), text);
  show_page (self, 1);
  gtk_widget_grab_focus (self->entry);
  gtk_editable_set_position (GTK_EDITABLE (self->entry), -1);
  check (self);
}

/* ---- methods ----------------------------------------------------------------------------------------------------- */

static void
on_method (SsuiMethodPopover *self, GtkListBoxRow *row)
{
  const SsMethod *method = g_object_get_data (G_OBJECT (row), "method");

  show_options (self, method, method->name);
}

/* Above methods of another kind than those that the study has, which would go. */
static GtkWidget *
make_heading (const SsMethod *method)
{
  GtkWidget *row = gtk_list_box_row_new (),
            *label = gtk_label_new (method->kind == SS_METHOD_INTEGRATOR
                                        ? _ ("Simulators, in the place of the methods that are there")
                                        : _ ("Planners, in the place of the methods that are there"));

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_widget_add_css_class (label, "caption-heading");
  gtk_widget_add_css_class (label, "study-choice");
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), label);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), FALSE);
  gtk_widget_set_focusable (row, FALSE);
  return row;
}

static void
show_methods (SsuiMethodPopover *self)
{
  const SsappStudy *study = ssapp_study_session_get_study (self->study);
  g_autoptr (GPtrArray) methods = study != NULL ? ssapp_study_list_methods (study) : g_ptr_array_new ();

  clear (self->list);
  for (guint m = 0; m < methods->len; m++) {
    const SsMethod *method = g_ptr_array_index (methods, m),
                   *before = m > 0 ? g_ptr_array_index (methods, m - 1) : NULL;
    if (study->methods->len > 0 && before != NULL && before->kind != method->kind)
      gtk_list_box_append (GTK_LIST_BOX (self->list), make_heading (method));
    GtkWidget *row = make_text_row (method->label, "", method->summary), *mark = ssui_method_mark_new ((SsMethodId){0});
    g_autofree char *label = g_strdup_printf (_ ("Method %s"), method->label);
    ssui_method_mark_set_method (SSUI_METHOD_MARK (mark), ss_method_id (method));
    gtk_widget_set_margin_end (mark, 6);
    gtk_grid_attach (GTK_GRID (gtk_list_box_row_get_child (GTK_LIST_BOX_ROW (row))), mark, 0, 0, 1, 2);
    ssui_set_label (row, label);
    g_object_set_data (G_OBJECT (row), "method", (gpointer)method);
    gtk_list_box_append (GTK_LIST_BOX (self->list), row);
  }
  show_page (self, 0);
}

static void
on_show (SsuiMethodPopover *self)
{
  const SsappStudy *study = ssapp_study_session_get_study (self->study);
  const SsMethod *method = NULL;

  if (study != NULL && self->index >= 0 && self->index < (int)study->methods->len)
    method = ss_method_lookup (((const SsappStudyMethod *)g_ptr_array_index (study->methods, self->index))->id);
  if (method != NULL) {
    g_autofree char *text = ssapp_study_session_dup_method (self->study, (guint)self->index);
    show_options (self, method, text);
  } else {
    show_methods (self);
  }
}

/* ---- parts ------------------------------------------------------------------------------------------------------- */

static GtkWidget *
make_list (const char *name, int height, GtkWidget **list)
{
  GtkWidget *scroller = gtk_scrolled_window_new ();

  *list = gtk_list_box_new ();
  gtk_list_box_set_selection_mode (GTK_LIST_BOX (*list), GTK_SELECTION_NONE);
  gtk_widget_add_css_class (*list, "study-choices");
  ssui_set_label (*list, name);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), *list);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (scroller), TRUE);
  gtk_scrolled_window_set_max_content_height (GTK_SCROLLED_WINDOW (scroller), height);
  return scroller;
}

static GtkWidget *
make_options_page (SsuiMethodPopover *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6), *head = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  self->back =
      ssui_icon_button_new ("go-previous-symbolic", _ ("Back to the methods"), G_CALLBACK (show_methods), self);
  self->title = gtk_label_new (NULL);
  gtk_widget_add_css_class (self->title, "heading");
  gtk_label_set_xalign (GTK_LABEL (self->title), 0);
  gtk_widget_set_hexpand (self->title, TRUE);
  self->remove = ssui_icon_button_new ("user-trash-symbolic", _ ("Remove the method"), G_CALLBACK (on_remove), self);
  gtk_box_append (GTK_BOX (head), self->back);
  gtk_box_append (GTK_BOX (head), self->title);
  gtk_box_append (GTK_BOX (head), self->remove);
  self->entry = gtk_entry_new ();
  ssui_set_label (self->entry, _ ("Method with its options"));
  self->words = gtk_label_new (NULL);
  gtk_label_set_xalign (GTK_LABEL (self->words), 0);
  gtk_label_set_wrap (GTK_LABEL (self->words), TRUE);
  gtk_label_set_max_width_chars (GTK_LABEL (self->words), 1);
  gtk_widget_add_css_class (self->words, "caption");
  self->done = gtk_button_new_with_label (self->index < 0 ? _ ("Add Method") : _ ("Change Method"));
  gtk_widget_add_css_class (self->done, "suggested-action");
  gtk_box_append (GTK_BOX (box), head);
  gtk_box_append (GTK_BOX (box), self->entry);
  gtk_box_append (GTK_BOX (box), self->words);
  gtk_box_append (GTK_BOX (box), make_list (_ ("Options of the method"), LIST_HEIGHT, &self->options));
  gtk_box_append (GTK_BOX (box), self->done);
  g_signal_connect_object (self->entry, "changed", G_CALLBACK (check), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->entry, "activate", G_CALLBACK (on_done), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->done, "clicked", G_CALLBACK (on_done), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->options, "row-activated", G_CALLBACK (on_option), self, G_CONNECT_SWAPPED);
  return box;
}

GtkWidget *
ssui_method_popover_new (SsappStudySession *study, int index)
{
  SsuiMethodPopover *self = g_object_new (SSUI_TYPE_METHOD_POPOVER, NULL);

  self->study = g_object_ref (study);
  self->index = index;
  self->pages[0] = make_list (_ ("Methods"), LIST_HEIGHT + 80, &self->list);
  gtk_box_append (GTK_BOX (gtk_popover_get_child (GTK_POPOVER (self))), self->pages[0]);
  self->pages[1] = make_options_page (self);
  gtk_box_append (GTK_BOX (gtk_popover_get_child (GTK_POPOVER (self))), self->pages[1]);
  gtk_widget_set_visible (self->back, index < 0);
  gtk_widget_set_visible (self->remove, index >= 0);
  g_signal_connect_object (self->list, "row-activated", G_CALLBACK (on_method), self, G_CONNECT_SWAPPED);
  return GTK_WIDGET (self);
}

static void
ssui_method_popover_dispose (GObject *object)
{
  g_clear_object (&SSUI_METHOD_POPOVER (object)->study);
  G_OBJECT_CLASS (ssui_method_popover_parent_class)->dispose (object);
}

static void
ssui_method_popover_class_init (SsuiMethodPopoverClass *class)
{
  G_OBJECT_CLASS (class)->dispose = ssui_method_popover_dispose;
}

static void
ssui_method_popover_init (SsuiMethodPopover *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  gtk_widget_set_size_request (box, POPOVER_WIDTH, -1);
  gtk_popover_set_child (GTK_POPOVER (self), box);
  g_signal_connect (self, "show", G_CALLBACK (on_show), NULL);
}
