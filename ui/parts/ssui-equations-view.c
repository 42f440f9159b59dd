/* ui/parts/ssui-equations-view.c: see the header. */
#include "ui/parts/ssui-equations-view.h"

#include "app/equations/ssapp-equations.h"
#include "app/export/ssapp-help.h"
#include "ui/parts/ssui-util.h"

#include <glib/gi18n.h>
#include <string.h>

struct _SsuiEquationsView {
  GtkWidget parent_instance;
  GtkWidget *box, *methods, *index, *manual, *view;
  GtkTextBuffer *buffer;
  SsappSession *session;
  SsappEquations *equations;
  char *method;      /* chosen here; NULL: the session's first one */
  GPtrArray *listed; /* of const SsMethod, as in the list */
  gboolean is_listing;
  guint idle;
};

G_DEFINE_FINAL_TYPE (SsuiEquationsView, ssui_equations_view, GTK_TYPE_WIDGET)

/* ---- what is shown ----------------------------------------------------------------------------------------------- */

/* The one chosen here, else the first one that the session has chosen. */
static const SsMethod *
shown_method (SsuiEquationsView *self)
{
  const SsMethod *first = NULL;

  for (guint i = 0; i < self->listed->len; i++) {
    const SsMethod *method = g_ptr_array_index (self->listed, i);
    if (self->method != NULL && strcmp (method->name, self->method) == 0)
      return method;
    if (first == NULL && ssapp_session_is_chosen (self->session, method))
      first = method;
  }
  return first;
}

static void
list_methods (SsuiEquationsView *self)
{
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);
  guint selected = GTK_INVALID_LIST_POSITION;

  g_ptr_array_unref (self->listed);
  self->listed = ssapp_session_list_methods (self->session);
  const SsMethod *shown = shown_method (self);
  for (guint i = 0; i < self->listed->len; i++) {
    const SsMethod *method = g_ptr_array_index (self->listed, i);
    gtk_string_list_append (names, method->label);
    if (method == shown)
      selected = i;
  }
  self->is_listing = TRUE;
  gtk_drop_down_set_model (GTK_DROP_DOWN (self->methods), G_LIST_MODEL (names));
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->methods), selected);
  self->is_listing = FALSE;
}

static void
append (SsuiEquationsView *self, const char *text, const char *tag)
{
  GtkTextIter end;

  gtk_text_buffer_get_end_iter (self->buffer, &end);
  gtk_text_buffer_insert_with_tags_by_name (self->buffer, &end, text, -1, tag, NULL);
  gtk_text_buffer_get_end_iter (self->buffer, &end);
  gtk_text_buffer_insert (self->buffer, &end, "\n", -1);
}

/* The method's options in the session that are not its defaults, as "NAME=VALUE". */
static GPtrArray *
list_options (SsuiEquationsView *self, const SsMethod *method)
{
  GPtrArray *options = g_ptr_array_new_with_free_func (g_free);

  for (int i = 0; method != NULL && i < ssapp_session_n_options (self->session, method); i++) {
    if (ssapp_session_is_option_default (self->session, method, i))
      continue;
    g_autofree char *value = ssapp_session_get_option (self->session, method, i);
    g_ptr_array_add (options,
                     g_strdup_printf ("%s=%s", ssapp_session_get_option_spec (self->session, method, i)->name, value));
  }
  return options;
}

static void
show (SsuiEquationsView *self)
{
  const SsScenario *scenario = ssapp_document_get_scenario (ssapp_session_get_document (self->session));

  list_methods (self);
  const SsMethod *shown = shown_method (self);
  const char *paper = shown != NULL ? ssapp_equations_paper (shown) : NULL;
  g_autoptr (GPtrArray) options = list_options (self, shown);
  g_autofree char *page = shown != NULL ? ssapp_help_method_page (shown) : g_strdup ("methods");
  gtk_actionable_set_action_target (GTK_ACTIONABLE (self->index), "s", paper != NULL ? paper : "");
  gtk_actionable_set_action_target (GTK_ACTIONABLE (self->manual), "s", page);
  ssapp_equations_free (self->equations);
  self->equations = ssapp_equations_new_with (scenario, shown, options, NULL);
  if (self->equations == NULL) /* an option that another scenario's plans had */
    self->equations = ssapp_equations_new (scenario, shown);
  gtk_text_buffer_set_text (self->buffer, "", 0);
  append (self, self->equations->title, "title");
  for (guint s = 0; s < self->equations->sections->len; s++) {
    const SsappEquationSection *section = g_ptr_array_index (self->equations->sections, s);
    append (self, section->title, "head");
    for (guint i = 0; i < section->items->len; i++) {
      const SsappEquation *item = g_ptr_array_index (section->items, i);
      append (self, item->words != NULL ? item->words : item->text, item->words != NULL ? "words" : "formula");
    }
  }
}

static gboolean
on_idle (gpointer data)
{
  SsuiEquationsView *self = data;

  self->idle = 0;
  show (self);
  return G_SOURCE_REMOVE;
}

/* Many edits of a drag make one. */
static void
show_soon (SsuiEquationsView *self)
{
  if (gtk_widget_get_mapped (GTK_WIDGET (self)) && self->idle == 0)
    self->idle = g_timeout_add (120, on_idle, self);
}

static void
on_selected (SsuiEquationsView *self)
{
  const guint selected = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->methods));

  if (self->is_listing || selected >= self->listed->len)
    return;
  (void)ssui_equations_view_set_method (self, ((const SsMethod *)g_ptr_array_index (self->listed, selected))->name);
}

gboolean
ssui_equations_view_set_method (SsuiEquationsView *self, const char *name)
{
  g_return_val_if_fail (SSUI_IS_EQUATIONS_VIEW (self), FALSE);
  if (ssapp_session_find_method (self->session, name, NULL) == NULL)
    return FALSE;
  g_free (self->method);
  self->method = g_strdup (name);
  show (self);
  return TRUE;
}

/* The session's choice counts again. */
static void
on_methods_changed (SsuiEquationsView *self)
{
  g_clear_pointer (&self->method, g_free);
  show_soon (self);
}

void
ssui_equations_view_copy (SsuiEquationsView *self, gboolean as_latex)
{
  g_return_if_fail (SSUI_IS_EQUATIONS_VIEW (self));

  g_autofree char *text = NULL;

  show (self);
  text = as_latex ? ssapp_equations_to_latex (self->equations) : ssapp_equations_to_text (self->equations);
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), text);
}

void
ssui_equations_view_set_session (SsuiEquationsView *self, SsappSession *session)
{
  g_set_object (&self->session, session);
  g_signal_connect_object (ssapp_session_get_document (session), "changed", G_CALLBACK (show_soon), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "methods-changed", G_CALLBACK (on_methods_changed), self, G_CONNECT_SWAPPED);
}

/* ---- object ------------------------------------------------------------------------------------------------------ */

static void
ssui_equations_view_map (GtkWidget *widget)
{
  SsuiEquationsView *self = SSUI_EQUATIONS_VIEW (widget);

  if (self->session != NULL)
    show (self);
  GTK_WIDGET_CLASS (ssui_equations_view_parent_class)->map (widget);
}

static void
ssui_equations_view_dispose (GObject *object)
{
  SsuiEquationsView *self = SSUI_EQUATIONS_VIEW (object);

  g_clear_handle_id (&self->idle, g_source_remove);
  ssui_unparent_children (GTK_WIDGET (object));
  g_clear_object (&self->session);
  g_clear_pointer (&self->equations, ssapp_equations_free);
  g_clear_pointer (&self->listed, g_ptr_array_unref);
  g_clear_pointer (&self->method, g_free);
  G_OBJECT_CLASS (ssui_equations_view_parent_class)->dispose (object);
}

static void
ssui_equations_view_class_init (SsuiEquationsViewClass *class)
{
  G_OBJECT_CLASS (class)->dispose = ssui_equations_view_dispose;
  GTK_WIDGET_CLASS (class)->map = ssui_equations_view_map;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (class), GTK_TYPE_BIN_LAYOUT);
}

static GtkWidget *
make_button (const char *label, const char *action, const char *target, const char *tooltip)
{
  GtkWidget *button = gtk_button_new_with_label (label);

  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), action);
  gtk_actionable_set_action_target (GTK_ACTIONABLE (button), "s", target);
  gtk_widget_set_tooltip_text (button, tooltip);
  return button;
}

static GtkWidget *
make_bar (SsuiEquationsView *self)
{
  GtkWidget *bar = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  self->methods = gtk_drop_down_new (NULL, NULL);
  gtk_widget_set_hexpand (self->methods, TRUE);
  gtk_widget_set_tooltip_text (self->methods, _ ("Method whose system is shown at the end"));
  ssui_label_drop_down (self->methods, _ ("Method of the equations"));
  g_signal_connect_object (self->methods, "notify::selected", G_CALLBACK (on_selected), self, G_CONNECT_SWAPPED);
  gtk_box_append (GTK_BOX (bar), self->methods);
  self->index = make_button (_ ("Index"), "win.equations-index", "",
                             _ ("Each numbered equation of the method's paper: its lines in the code and its tests"));
  gtk_box_append (GTK_BOX (bar), self->index);
  self->manual =
      make_button (_ ("Manual"), "win.manual", "README",
                   _ ("The method's page of the manual: what it assumes, a scene where it errs, its options"));
  gtk_box_append (GTK_BOX (bar), self->manual);
  gtk_box_append (GTK_BOX (bar),
                  make_button (_ ("Copy Text"), "win.copy-equations", "text", _ ("Copy all of it as text")));
  gtk_box_append (GTK_BOX (bar), make_button (_ ("Copy LaTeX"), "win.copy-equations", "latex",
                                              _ ("Copy all of it as a LaTeX document")));
  gtk_widget_add_css_class (bar, "source-foot");
  return bar;
}

static void
make_tags (GtkTextBuffer *buffer)
{
  gtk_text_buffer_create_tag (buffer, "title", "weight", 700, "scale", 1.25, "pixels-below-lines", 4, NULL);
  gtk_text_buffer_create_tag (buffer, "head", "weight", 700, "pixels-above-lines", 14, "pixels-below-lines", 4, NULL);
  gtk_text_buffer_create_tag (buffer, "words", "pixels-below-lines", 3, NULL);
  gtk_text_buffer_create_tag (buffer, "formula", "left-margin", 34, "indent", -14, "pixels-below-lines", 3, "family",
                              "DejaVu Sans, Cantarell, sans-serif", NULL);
}

static void
ssui_equations_view_init (SsuiEquationsView *self)
{
  GtkWidget *scrolled = gtk_scrolled_window_new ();

  self->listed = g_ptr_array_new ();
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  self->view = gtk_text_view_new ();
  self->buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (self->view));
  make_tags (self->buffer);
  gtk_text_view_set_editable (GTK_TEXT_VIEW (self->view), FALSE);
  gtk_text_view_set_cursor_visible (GTK_TEXT_VIEW (self->view), FALSE);
  gtk_text_view_set_wrap_mode (GTK_TEXT_VIEW (self->view), GTK_WRAP_WORD_CHAR);
  gtk_text_view_set_left_margin (GTK_TEXT_VIEW (self->view), 14);
  gtk_text_view_set_right_margin (GTK_TEXT_VIEW (self->view), 14);
  gtk_text_view_set_top_margin (GTK_TEXT_VIEW (self->view), 10);
  gtk_text_view_set_bottom_margin (GTK_TEXT_VIEW (self->view), 20);
  gtk_text_view_set_accepts_tab (GTK_TEXT_VIEW (self->view), FALSE);
  ssui_set_label (self->view, _ ("Equations of the scenario"));
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), self->view);
  gtk_widget_set_vexpand (scrolled, TRUE);
  gtk_box_append (GTK_BOX (self->box), make_bar (self));
  gtk_box_append (GTK_BOX (self->box), scrolled);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
}
