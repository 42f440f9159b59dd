/* ui/parts/ssui-source-view.c: see the header. */
#include "ui/parts/ssui-source-view.h"

#include "app/document/ssapp-source.h"
#include "ui/parts/ssui-keys.h"
#include "ui/parts/ssui-util.h"

#include <glib/gi18n.h>
#include <gtksourceview/gtksource.h>
#include <string.h>

enum { CHECK_MS = 300 }; /* after the last key */
#define MARK_ERROR   "ss-error"
#define MARK_WARNING "ss-warning"

struct _SsuiSourceView {
  GtkWidget parent_instance;
  GtkWidget *box, *view, *apply, *revert, *problem, *problem_label, *search_bar, *entry, *found;
  GtkSourceBuffer *buffer;
  GtkTextTag *wrong;
  GtkSourceSearchContext *search;
  SsappDocument *document;
  char *base;       /* text of the document that the buffer began with */
  GHashTable *kept; /* base text -> text that was not applied to it    */
  gboolean is_loading;
  guint check;
  int first_line; /* of the first problem; 0: none */
};

G_DEFINE_FINAL_TYPE (SsuiSourceView, ssui_source_view, GTK_TYPE_WIDGET)

static guint message_signal;

static char *
dup_text (SsuiSourceView *self)
{
  GtkTextIter start, end;

  gtk_text_buffer_get_bounds (GTK_TEXT_BUFFER (self->buffer), &start, &end);
  return gtk_text_buffer_get_text (GTK_TEXT_BUFFER (self->buffer), &start, &end, TRUE);
}

gboolean
ssui_source_view_is_changed (SsuiSourceView *self)
{
  g_return_val_if_fail (SSUI_IS_SOURCE_VIEW (self), FALSE);

  g_autofree char *text = dup_text (self);
  return self->base != NULL && strcmp (text, self->base) != 0;
}

/* ---- problems ---------------------------------------------------------------------------------------------------- */

static void
mark_line (SsuiSourceView *self, const SsappSourceProblem *problem)
{
  GtkTextBuffer *buffer = GTK_TEXT_BUFFER (self->buffer);
  GtkTextIter start, end;

  gtk_text_buffer_get_iter_at_line (buffer, &start, MAX (problem->line - 1, 0));
  gtk_source_buffer_create_source_mark (self->buffer, NULL, problem->is_warning ? MARK_WARNING : MARK_ERROR, &start);
  end = start;
  if (!gtk_text_iter_ends_line (&end))
    gtk_text_iter_forward_to_line_end (&end);
  while (!gtk_text_iter_equal (&start, &end) && g_unichar_isspace (gtk_text_iter_get_char (&start)))
    gtk_text_iter_forward_char (&start);
  gtk_text_buffer_apply_tag (buffer, self->wrong, &start, &end);
}

static void
update (SsuiSourceView *self)
{
  g_autofree char *text = dup_text (self), *summary = NULL;
  g_autoptr (GPtrArray) problems = ssapp_source_check (text);
  const gboolean is_changed = ssui_source_view_is_changed (self);
  gboolean is_wrong = FALSE;
  GtkTextIter start, end;

  gtk_text_buffer_get_bounds (GTK_TEXT_BUFFER (self->buffer), &start, &end);
  gtk_source_buffer_remove_source_marks (self->buffer, &start, &end, NULL);
  gtk_text_buffer_remove_tag (GTK_TEXT_BUFFER (self->buffer), self->wrong, &start, &end);
  for (guint i = 0; i < problems->len; i++) {
    mark_line (self, g_ptr_array_index (problems, i));
    is_wrong = is_wrong || !((SsappSourceProblem *)g_ptr_array_index (problems, i))->is_warning;
  }
  summary = ssapp_source_summary (problems);
  self->first_line = problems->len > 0 ? ((SsappSourceProblem *)g_ptr_array_index (problems, 0))->line : 0;
  gtk_label_set_text (GTK_LABEL (self->problem_label), summary);
  gtk_widget_set_tooltip_text (self->problem, *summary != '\0' ? _ ("Go to this line") : NULL);
  ssui_set_label (self->problem, *summary != '\0' ? summary : _ ("No problems"));
  gtk_widget_set_visible (self->problem, *summary != '\0');
  gtk_widget_set_sensitive (self->apply, is_changed && !is_wrong);
  gtk_widget_set_sensitive (self->revert, is_changed);
}

static gboolean
on_check (gpointer data)
{
  SsuiSourceView *self = data;

  self->check = 0;
  update (self);
  return G_SOURCE_REMOVE;
}

static void
on_typed (SsuiSourceView *self)
{
  if (self->is_loading)
    return;
  gtk_widget_set_sensitive (self->revert, TRUE);
  g_clear_handle_id (&self->check, g_source_remove);
  self->check = g_timeout_add (CHECK_MS, on_check, self);
}

static void
on_problem (SsuiSourceView *self)
{
  GtkTextIter at;

  if (self->first_line < 1)
    return;
  gtk_text_buffer_get_iter_at_line (GTK_TEXT_BUFFER (self->buffer), &at, self->first_line - 1);
  gtk_text_buffer_place_cursor (GTK_TEXT_BUFFER (self->buffer), &at);
  gtk_text_view_scroll_to_iter (GTK_TEXT_VIEW (self->view), &at, 0.2, FALSE, 0, 0.5);
  gtk_widget_grab_focus (self->view);
}

/* ---- the document ------------------------------------------------------------------------------------------------ */

/* The cursor stays in its line. */
static void
set_text (SsuiSourceView *self, const char *text, gboolean is_new)
{
  GtkTextBuffer *buffer = GTK_TEXT_BUFFER (self->buffer);
  GtkTextIter at;
  int line;

  gtk_text_buffer_get_iter_at_mark (buffer, &at, gtk_text_buffer_get_insert (buffer));
  line = is_new ? 0 : gtk_text_iter_get_line (&at);
  self->is_loading = TRUE;
  gtk_text_buffer_begin_irreversible_action (buffer);
  gtk_text_buffer_set_text (buffer, text, -1);
  gtk_text_buffer_end_irreversible_action (buffer);
  self->is_loading = FALSE;
  gtk_text_buffer_get_iter_at_line (buffer, &at, MIN (line, gtk_text_buffer_get_line_count (buffer) - 1));
  gtk_text_buffer_place_cursor (buffer, &at);
}

static void
show_document (SsuiSourceView *self, gboolean is_new)
{
  const char *text = ssapp_document_get_text (self->document);

  g_free (self->base);
  self->base = g_strdup (text);
  set_text (self, text, is_new);
  g_clear_handle_id (&self->check, g_source_remove);
  update (self);
}

/* Another scenario: text that was not applied waits until that sketch is back as it was. */
static void
on_loaded (SsuiSourceView *self)
{
  const char *text = ssapp_document_get_text (self->document);
  gpointer base = NULL, kept = NULL;

  if (ssui_source_view_is_changed (self)) {
    g_hash_table_replace (self->kept, g_strdup (self->base), dup_text (self));
    g_signal_emit (self, message_signal, 0, "Source text that was not applied waits with its sketch");
  }
  show_document (self, TRUE);
  if (g_hash_table_steal_extended (self->kept, text, &base, &kept)) {
    set_text (self, kept, TRUE);
    update (self);
  }
  g_free (base);
  g_free (kept);
}

/* What is being typed is not taken away by an edit elsewhere. */
static void
on_edited (SsuiSourceView *self)
{
  if (g_strcmp0 (self->base, ssapp_document_get_text (self->document)) == 0)
    return;
  if (!ssui_source_view_is_changed (self))
    show_document (self, FALSE);
}

gboolean
ssui_source_view_apply (SsuiSourceView *self)
{
  g_return_val_if_fail (SSUI_IS_SOURCE_VIEW (self), FALSE);

  g_autofree char *text = dup_text (self);
  g_autoptr (GError) error = NULL;

  if (!ssui_source_view_is_changed (self))
    return TRUE;
  if (!ssapp_document_set_source (self->document, text, &error)) {
    update (self);
    g_signal_emit (self, message_signal, 0, "The text has problems: see the marked lines");
    return FALSE;
  }
  g_free (self->base);
  self->base = g_strdup (ssapp_document_get_text (self->document));
  update (self);
  return TRUE;
}

void
ssui_source_view_revert (SsuiSourceView *self)
{
  show_document (self, FALSE);
}

void
ssui_source_view_set_document (SsuiSourceView *self, SsappDocument *document)
{
  g_set_object (&self->document, document);
  g_signal_connect_object (document, "loaded", G_CALLBACK (on_loaded), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (document, "changed", G_CALLBACK (on_edited), self, G_CONNECT_SWAPPED);
  show_document (self, TRUE);
}

gboolean
ssui_source_view_undo (SsuiSourceView *self, gboolean redo)
{
  g_return_val_if_fail (SSUI_IS_SOURCE_VIEW (self), FALSE);

  GtkTextBuffer *buffer = GTK_TEXT_BUFFER (self->buffer);

  if (!(redo ? gtk_text_buffer_get_can_redo (buffer) : gtk_text_buffer_get_can_undo (buffer)))
    return FALSE;
  if (redo)
    gtk_text_buffer_redo (buffer);
  else
    gtk_text_buffer_undo (buffer);
  return TRUE;
}

void
ssui_source_view_focus (SsuiSourceView *self)
{
  g_return_if_fail (SSUI_IS_SOURCE_VIEW (self));
  gtk_widget_grab_focus (self->view);
}

/* ---- find -------------------------------------------------------------------------------------------------------- */

static void
show_count (SsuiSourceView *self)
{
  const int n = gtk_source_search_context_get_occurrences_count (self->search);
  g_autofree char *text = n >= 0 && *gtk_editable_get_text (GTK_EDITABLE (self->entry)) != '\0'
                              ? g_strdup_printf (_ ("%d found"), n)
                              : g_strdup ("");

  gtk_label_set_text (GTK_LABEL (self->found), text);
}

static void
find_from (SsuiSourceView *self, gboolean goes_on)
{
  GtkTextBuffer *buffer = GTK_TEXT_BUFFER (self->buffer);
  GtkTextIter start, end, from;
  gboolean has_wrapped;

  gtk_text_buffer_get_selection_bounds (buffer, &start, &end);
  from = goes_on ? end : start;
  if (!gtk_source_search_context_forward (self->search, &from, &start, &end, &has_wrapped))
    return;
  gtk_text_buffer_select_range (buffer, &start, &end);
  gtk_text_view_scroll_to_iter (GTK_TEXT_VIEW (self->view), &start, 0.1, FALSE, 0, 0);
}

static void
on_search (SsuiSourceView *self)
{
  gtk_source_search_settings_set_search_text (gtk_source_search_context_get_settings (self->search),
                                              gtk_editable_get_text (GTK_EDITABLE (self->entry)));
  find_from (self, FALSE);
  show_count (self);
}

static void
on_search_next (SsuiSourceView *self)
{
  find_from (self, TRUE);
}

void
ssui_source_view_find (SsuiSourceView *self)
{
  g_return_if_fail (SSUI_IS_SOURCE_VIEW (self));
  if (gtk_search_bar_get_search_mode (GTK_SEARCH_BAR (self->search_bar)))
    find_from (self, TRUE);
  gtk_search_bar_set_search_mode (GTK_SEARCH_BAR (self->search_bar), TRUE);
  gtk_widget_grab_focus (self->entry);
}

/* ---- object ------------------------------------------------------------------------------------------------------ */

static void
update_scheme (SsuiSourceView *self)
{
  const gboolean is_dark = adw_style_manager_get_dark (adw_style_manager_get_default ());
  GtkSourceStyleScheme *scheme = gtk_source_style_scheme_manager_get_scheme (
      gtk_source_style_scheme_manager_get_default (), is_dark ? "Adwaita-dark" : "Adwaita");

  if (scheme != NULL)
    gtk_source_buffer_set_style_scheme (self->buffer, scheme);
}

static void
ssui_source_view_dispose (GObject *object)
{
  SsuiSourceView *self = SSUI_SOURCE_VIEW (object);

  g_clear_handle_id (&self->check, g_source_remove);
  g_clear_object (&self->search);
  ssui_unparent_children (GTK_WIDGET (object));
  g_clear_object (&self->buffer);
  g_clear_object (&self->document);
  g_clear_pointer (&self->base, g_free);
  g_clear_pointer (&self->kept, g_hash_table_unref);
  G_OBJECT_CLASS (ssui_source_view_parent_class)->dispose (object);
}

static void
ssui_source_view_class_init (SsuiSourceViewClass *class)
{
  G_OBJECT_CLASS (class)->dispose = ssui_source_view_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (class), GTK_TYPE_BIN_LAYOUT);
  message_signal = g_signal_new ("message", SSUI_TYPE_SOURCE_VIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                                 1, G_TYPE_STRING);
}

static void
add_mark_kind (SsuiSourceView *self, const char *category, const char *icon)
{
  g_autoptr (GtkSourceMarkAttributes) attributes = gtk_source_mark_attributes_new ();
  const GdkRGBA tint = {0.88f, 0.11f, 0.14f, 0.12f};

  gtk_source_mark_attributes_set_background (attributes, &tint);
  gtk_source_mark_attributes_set_icon_name (attributes, icon);
  gtk_source_view_set_mark_attributes (GTK_SOURCE_VIEW (self->view), category, attributes, 1);
}

/* The grammar of JSON when the text is first shown: reading it is a tenth of what starting the program takes. */
static void
on_map (SsuiSourceView *self)
{
  if (gtk_source_buffer_get_language (self->buffer) == NULL)
    gtk_source_buffer_set_language (
        self->buffer, gtk_source_language_manager_get_language (gtk_source_language_manager_get_default (), "json"));
}

static GtkWidget *
make_view (SsuiSourceView *self)
{
  GtkWidget *scrolled = gtk_scrolled_window_new ();

  self->buffer = gtk_source_buffer_new (NULL);
  self->wrong =
      gtk_text_buffer_create_tag (GTK_TEXT_BUFFER (self->buffer), NULL, "underline", PANGO_UNDERLINE_ERROR, NULL);
  self->view = gtk_source_view_new_with_buffer (self->buffer);
  gtk_source_view_set_show_line_numbers (GTK_SOURCE_VIEW (self->view), TRUE);
  gtk_source_view_set_show_line_marks (GTK_SOURCE_VIEW (self->view), TRUE);
  gtk_source_view_set_highlight_current_line (GTK_SOURCE_VIEW (self->view), TRUE);
  gtk_source_view_set_auto_indent (GTK_SOURCE_VIEW (self->view), TRUE);
  gtk_source_view_set_indent_width (GTK_SOURCE_VIEW (self->view), 2);
  gtk_source_view_set_tab_width (GTK_SOURCE_VIEW (self->view), 2);
  gtk_source_view_set_insert_spaces_instead_of_tabs (GTK_SOURCE_VIEW (self->view), TRUE);
  gtk_text_view_set_monospace (GTK_TEXT_VIEW (self->view), TRUE);
  gtk_text_view_set_wrap_mode (GTK_TEXT_VIEW (self->view), GTK_WRAP_WORD_CHAR);
  ssui_set_label (self->view, _ ("Source of the scenario"));
  add_mark_kind (self, MARK_ERROR, "dialog-error-symbolic");
  add_mark_kind (self, MARK_WARNING, "dialog-warning-symbolic");
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), self->view);
  gtk_widget_set_vexpand (scrolled, TRUE);
  return scrolled;
}

static GtkWidget *
make_search (SsuiSourceView *self)
{
  GtkSourceSearchSettings *settings = gtk_source_search_settings_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  gtk_source_search_settings_set_wrap_around (settings, TRUE);
  self->search = gtk_source_search_context_new (self->buffer, settings);
  g_object_unref (settings);
  self->search_bar = gtk_search_bar_new ();
  self->entry = gtk_search_entry_new ();
  self->found = gtk_label_new ("");
  gtk_widget_set_hexpand (self->entry, TRUE);
  gtk_editable_set_width_chars (GTK_EDITABLE (self->entry), 30);
  gtk_widget_add_css_class (self->found, "dim-label");
  ssui_set_label (self->entry, _ ("Find in the source"));
  gtk_box_append (GTK_BOX (box), self->entry);
  gtk_box_append (GTK_BOX (box), self->found);
  gtk_search_bar_set_child (GTK_SEARCH_BAR (self->search_bar), box);
  gtk_search_bar_connect_entry (GTK_SEARCH_BAR (self->search_bar), GTK_EDITABLE (self->entry));
  g_signal_connect_object (self->entry, "search-changed", G_CALLBACK (on_search), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->entry, "activate", G_CALLBACK (on_search_next), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->entry, "next-match", G_CALLBACK (on_search_next), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->search, "notify::occurrences-count", G_CALLBACK (show_count), self, G_CONNECT_SWAPPED);
  return self->search_bar;
}

static GtkWidget *
make_foot (SsuiSourceView *self)
{
  GtkWidget *foot = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  self->problem_label = gtk_label_new ("");
  gtk_label_set_wrap (GTK_LABEL (self->problem_label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (self->problem_label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_lines (GTK_LABEL (self->problem_label), 3);
  gtk_label_set_ellipsize (GTK_LABEL (self->problem_label), PANGO_ELLIPSIZE_END);
  gtk_label_set_xalign (GTK_LABEL (self->problem_label), 0);
  self->problem = gtk_button_new ();
  gtk_button_set_child (GTK_BUTTON (self->problem), self->problem_label);
  gtk_widget_add_css_class (self->problem, "flat");
  gtk_widget_add_css_class (self->problem, "error");
  gtk_widget_set_hexpand (self->problem, TRUE);
  g_signal_connect_object (self->problem, "clicked", G_CALLBACK (on_problem), self, G_CONNECT_SWAPPED);
  GtkWidget *space = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  gtk_widget_set_hexpand (space, TRUE);
  self->revert = gtk_button_new_with_label (_ ("Revert"));
  self->apply = gtk_button_new_with_label (_ ("Apply"));
  gtk_widget_add_css_class (self->apply, "suggested-action");
  gtk_widget_set_valign (self->apply, GTK_ALIGN_CENTER);
  gtk_widget_set_valign (self->revert, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (self->revert, _ ("Back to the scenario as it is"));
  gtk_widget_set_tooltip_text (self->apply, _ ("Take this text as the scenario, as one step to undo (Ctrl+Enter)"));
  gtk_actionable_set_action_name (GTK_ACTIONABLE (self->apply), NULL);
  ssui_set_label (self->apply, _ ("Apply source"));
  ssui_set_label (self->revert, _ ("Revert source"));
  g_signal_connect_object (self->apply, "clicked", G_CALLBACK (ssui_source_view_apply), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->revert, "clicked", G_CALLBACK (ssui_source_view_revert), self, G_CONNECT_SWAPPED);
  gtk_box_append (GTK_BOX (foot), self->problem);
  gtk_box_append (GTK_BOX (foot), space);
  gtk_box_append (GTK_BOX (foot), self->revert);
  gtk_box_append (GTK_BOX (foot), self->apply);
  gtk_widget_add_css_class (foot, "source-foot");
  return foot;
}

static void
ssui_source_view_init (SsuiSourceView *self)
{
  static const SsuiKey keys[] = {{.keys = "<Control>Return", .action = "win.apply-source"}, {0}};

  self->kept = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *view = make_view (self);
  gtk_box_append (GTK_BOX (self->box), make_search (self));
  gtk_box_append (GTK_BOX (self->box), view);
  gtk_box_append (GTK_BOX (self->box), make_foot (self));
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
  gtk_event_controller_set_propagation_phase (ssui_keys_attach (self->view, keys, FALSE), GTK_PHASE_CAPTURE);
  g_signal_connect (self, "map", G_CALLBACK (on_map), NULL);
  g_signal_connect_object (self->buffer, "changed", G_CALLBACK (on_typed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (adw_style_manager_get_default (), "notify::dark", G_CALLBACK (update_scheme), self,
                           G_CONNECT_SWAPPED);
  update_scheme (self);
}
