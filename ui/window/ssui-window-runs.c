/* ui/window/ssui-window-runs.c: commands on lists of stored runs: order, search, notes, tags, tables to copy.
 * They act on the list of the page on show, Compare or else Project. Tests: tests/ui/test_compare.py */
#include "ui/window/ssui-window-private.h"

#include "app/export/ssapp-file-kind.h"
#include "app/store/ssapp-store-study.h"
#include "app/study/ssapp-chart-export.h"
#include "ui/parts/ssui-util.h"

#include <glib/gi18n.h>
#include <string.h>

static SsuiRunTable *
table_of (SsuiWindow *self)
{
  return ssui_window_get_list (self).table;
}

/* ---- order and search -------------------------------------------------------------------------------------------- */

ACTION (on_search)
{
  GtkWidget *search = ssui_window_get_list (data).search;
  (void)action;
  gtk_editable_set_text (GTK_EDITABLE (search), g_variant_get_string (parameter, NULL));
  g_signal_emit_by_name (search, "search-changed"); /* at once, not when somebody has stopped typing */
}

ACTION (on_sort)
{
  const char *column;
  gboolean is_descending;
  g_autoptr (GError) error = NULL;
  (void)action;
  g_variant_get (parameter, "(&sb)", &column, &is_descending);
  if (!ssui_run_table_sort (table_of (data), column, is_descending, &error))
    ssui_window_fail (data, _ ("Not sorted"), error->message);
}

ACTION (on_choose)
{
  const char *ids = g_variant_get_string (parameter, NULL);
  (void)action;
  if (strcmp (ids, "all") == 0) {
    ssui_run_table_check_shown (table_of (data));
    return;
  }
  g_auto (GStrv) list = g_strsplit (strcmp (ids, "none") == 0 ? "" : ids, ",", -1);
  ssui_run_table_check (table_of (data), (const char *const *)list);
}

/* ---- the Compare page -------------------------------------------------------------------------------------------- */

ACTION (on_only_differing)
{
  SsuiWindow *self = data;
  (void)action;
  ssui_compare_page_set_only_differing (COMPARE_PAGE (self), g_variant_get_boolean (parameter));
}

ACTION (on_over_time)
{
  SsuiWindow *self = data;
  (void)action;
  ssui_compare_page_set_over_time (COMPARE_PAGE (self), g_variant_get_boolean (parameter));
}

ACTION (on_overlaid)
{
  SsuiWindow *self = data;
  (void)action;
  ssui_compare_page_set_overlaid (COMPARE_PAGE (self), g_variant_get_boolean (parameter));
}

ACTION (on_compare_view)
{
  SsuiWindow *self = data;
  (void)action;
  if (!ssui_compare_page_show_view (COMPARE_PAGE (self), g_variant_get_string (parameter, NULL)))
    ssui_window_toast (self, _ ("Views of the comparison are “runs” and “figures”"));
}

ACTION (on_reference)
{
  SsuiWindow *self = data;
  (void)action;
  if (!ssui_compare_page_set_reference (COMPARE_PAGE (self), g_variant_get_string (parameter, NULL)))
    ssui_window_toast (self, _ ("That run is not among the plots of the comparison"));
}

/* What the chosen runs are asked. */
static SsappCompared *
compared_of (SsuiWindow *self)
{
  return ssui_compare_page_get_compared (COMPARE_PAGE (self));
}

/* `error` is set where it was not begun. */
static void
tell_begun (SsuiWindow *self, const char *heading, const GError *error)
{
  if (error != NULL)
    ssui_window_fail (self, heading, error->message);
  ssui_window_queue_state (self);
}

ACTION (on_set_outcome)
{
  const char *name, *text;
  g_autoptr (GError) error = NULL;
  (void)action;
  g_variant_get (parameter, "(&s&s)", &name, &text);
  ssapp_compared_set (compared_of (data), name, text, &error);
  tell_begun (data, _ ("No such outcome"), error);
}

ACTION (on_remove_outcome)
{
  g_autoptr (GError) error = NULL;
  (void)action;
  ssapp_compared_remove (compared_of (data), g_variant_get_string (parameter, NULL), &error);
  tell_begun (data, _ ("Not removed"), error);
}

ACTION (on_undo)
{
  g_autoptr (GError) error = NULL;
  UNUSED_ACTION;
  ssapp_compared_undo (compared_of (data), FALSE, &error);
  tell_begun (data, "", error);
}

ACTION (on_redo)
{
  g_autoptr (GError) error = NULL;
  UNUSED_ACTION;
  ssapp_compared_undo (compared_of (data), TRUE, &error);
  tell_begun (data, "", error);
}

/* Into the clipboard; NULL: there is none. */
static void
copy_table (SsuiWindow *self, const SsappTable *table, const char *name)
{
  SsappTableFormat format;

  if (table == NULL) {
    ssui_window_toast (self, _ ("Choose runs to compare first"));
    return;
  }
  if (!ssapp_table_format_from_name (name, &format)) {
    g_autofree char *text = g_strdup_printf (_ ("Tables are copied as %s"), ssapp_table_format_names ());
    ssui_window_toast (self, text);
    return;
  }
  g_autofree char *text = ssapp_table_write (table, format);
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), text);
  ssui_window_toast (self, _ ("Table copied"));
}

ACTION (on_copy_table)
{
  SsuiWindow *self = data;
  (void)action;
  g_autoptr (SsappTable) table = ssui_compare_page_make_table (COMPARE_PAGE (self), FALSE);
  copy_table (self, table, g_variant_get_string (parameter, NULL));
}

ACTION (on_copy_summary)
{
  SsuiWindow *self = data;
  (void)action;
  g_autoptr (SsappTable) table = ssui_compare_page_make_table (COMPARE_PAGE (self), TRUE);
  copy_table (self, table, g_variant_get_string (parameter, NULL));
}

/* A figure of the chosen runs; says so where there is none. */
static const SsappChart *
chart_of (SsuiWindow *self, const char *name)
{
  const SsappChart *chart = ssui_compare_page_get_chart (COMPARE_PAGE (self), name);

  if (chart == NULL)
    ssui_window_toast (self, _ ("Choose runs to compare first"));
  return chart;
}

ACTION (on_copy_figure)
{
  const SsappChart *chart = chart_of (data, g_variant_get_string (parameter, NULL));
  (void)action;
  if (chart == NULL)
    return;
  g_autoptr (SsappTable) table = ssapp_chart_to_table (chart);
  copy_table (data, table, "csv");
}

static void
export_chart (SsuiWindow *self, const char *name, const char *path)
{
  const SsappChart *chart = chart_of (self, name);
  g_autoptr (GError) error = NULL;

  if (chart == NULL)
    return;
  if (!ssapp_chart_export (chart, SSAPP_CHART_COLUMN_MM, path, &error)) {
    ssui_window_fail (self, _ ("Not exported"), error->message);
    return;
  }
  self->n_exports++;
  ssui_window_queue_state (self);
  ssui_window_toast (self, _ ("Figure exported"));
}

ACTION (on_export_figure)
{
  const char *name, *path;
  (void)action;
  g_variant_get (parameter, "(&s&s)", &name, &path);
  export_chart (data, name, path);
}

static void
export_chosen (SsuiWindow *self, const char *path)
{
  g_autofree char *name = g_strdup (g_object_get_data (G_OBJECT (self), "compare-figure"));

  if (name != NULL)
    export_chart (self, name, path);
}

ACTION (on_export_dialog)
{
  SsuiWindow *self = data;
  g_auto (GStrv) patterns = ssapp_endings_patterns ("chart");
  const char *name = g_variant_get_string (parameter, NULL);
  g_autofree char *file = g_strdup_printf ("%s.pdf", name);
  (void)action;
  if (chart_of (self, name) == NULL)
    return;
  g_object_set_data_full (G_OBJECT (self), "compare-figure", g_strdup (name), g_free);
  ssui_window_choose_file (self, _ ("Export Figure"), GTK_FILE_CHOOSER_ACTION_SAVE, _ ("_Export"), file,
                           (const char *const *)patterns, NULL, export_chosen);
}

/* ---- notes and tags ---------------------------------------------------------------------------------------------- */

typedef gboolean (*Write) (SsappStore *store, const char *id, const char *text, GError **error);

/* Writes the same text to each of the runs. */
static void
write_text (SsuiWindow *self, const char *list, const char *text, Write write)
{
  g_auto (GStrv) ids = g_strsplit (list, ",", -1);
  SsappStore *store = ssapp_session_get_store (self->session);

  for (int i = 0; store != NULL && ids[i] != NULL; i++) {
    g_autoptr (GError) error = NULL;
    if (!write (store, ids[i], text, &error)) {
      ssui_window_fail (self, _ ("Not written"), error->message);
      return;
    }
  }
}

static void
set_text (SsuiWindow *self, GVariant *parameter, Write write)
{
  const char *ids, *text;

  g_variant_get (parameter, "(&s&s)", &ids, &text);
  write_text (self, ids, text, write);
}

ACTION (on_set_note)
{
  (void)action;
  set_text (data, parameter, ssapp_store_set_note);
}

ACTION (on_set_tags)
{
  (void)action;
  set_text (data, parameter, ssapp_store_set_tags);
}

static void
on_response (AdwMessageDialog *dialog, const char *response, SsuiWindow *self)
{
  GtkWidget *entry = adw_message_dialog_get_extra_child (dialog);
  Write write = g_object_get_data (G_OBJECT (dialog), "is-tags") != NULL ? ssapp_store_set_tags : ssapp_store_set_note;

  if (strcmp (response, "keep") == 0)
    write_text (self, g_object_get_data (G_OBJECT (dialog), "ids"), gtk_editable_get_text (GTK_EDITABLE (entry)),
                write);
}

/* Asks for the note or the tags of runs; what the first one has is there. */
static void
ask (SsuiWindow *self, const char *list, gboolean is_tags)
{
  g_auto (GStrv) ids = g_strsplit (list, ",", -1);
  SsappStore *store = ssapp_session_get_store (self->session);
  g_autoptr (GError) error = NULL;
  SsappRunRow *row = store != NULL && ids[0] != NULL ? ssapp_store_get_run (store, ids[0], &error) : NULL;
  const guint n = g_strv_length (ids);

  if (row == NULL) {
    ssui_window_fail (self, "", error != NULL ? error->message : _ ("No run is chosen"));
    return;
  }
  g_autofree char *heading = n == 1 ? g_strdup (is_tags ? _ ("Tags of the Run") : _ ("Note on the Run"))
                                    : g_strdup_printf (is_tags ? _ ("Tags of %u Runs") : _ ("Note on %u Runs"), n);
  GtkWidget *widget = adw_message_dialog_new (
                GTK_WINDOW (self), heading,
                is_tags
                    ? _ ("Words to find runs by, with commas between them, such as “paper, outlier”. Search finds them "
                         "as “tag:paper”.")
                    : _ ("Your own words. Search finds them.")),
            *entry = gtk_entry_new ();
  AdwMessageDialog *dialog = ADW_MESSAGE_DIALOG (widget);
  adw_message_dialog_add_responses (dialog, "cancel", _ ("_Cancel"), "keep", _ ("_Keep"), NULL);
  adw_message_dialog_set_response_appearance (dialog, "keep", ADW_RESPONSE_SUGGESTED);
  adw_message_dialog_set_default_response (dialog, "keep");
  adw_message_dialog_set_close_response (dialog, "cancel");
  gtk_editable_set_text (GTK_EDITABLE (entry), is_tags ? row->tags : row->note);
  gtk_entry_set_activates_default (GTK_ENTRY (entry), TRUE);
  ssui_set_label (entry, is_tags ? _ ("Tags") : _ ("Note"));
  adw_message_dialog_set_extra_child (dialog, entry);
  g_object_set_data_full (G_OBJECT (dialog), "ids", g_strdup (list), g_free);
  g_object_set_data (G_OBJECT (dialog), "is-tags", is_tags ? self : NULL);
  g_signal_connect_object (dialog, "response", G_CALLBACK (on_response), self, 0);
  ssapp_run_row_free (row);
  gtk_window_present (GTK_WINDOW (dialog));
  gtk_widget_grab_focus (entry);
}

ACTION (on_note_dialog)
{
  (void)action;
  ask (data, g_variant_get_string (parameter, NULL), FALSE);
}

ACTION (on_tags_dialog)
{
  (void)action;
  ask (data, g_variant_get_string (parameter, NULL), TRUE);
}

ACTION (on_compare)
{
  SsuiWindow *self = data;
  g_auto (GStrv) ids = g_strsplit (g_variant_get_string (parameter, NULL), ",", -1);
  (void)action;
  ssui_window_show_page (self, "compare");
  ssui_compare_page_compare (COMPARE_PAGE (self), (const char *const *)ids);
}

ACTION (on_open_comparison)
{
  SsuiWindow *self = data;
  (void)action;
  ssui_window_show_page (self, "compare");
  if (!ssui_compare_page_open (COMPARE_PAGE (self), g_variant_get_string (parameter, NULL)))
    ssui_window_toast (self, _ ("The project has no such comparison"));
}

/* Deletes, or brings back, each of them; TRUE if all worked. */
static gboolean
for_runs (SsuiWindow *self, const char *list, gboolean (*act) (SsappStore *, const char *, GError **))
{
  g_auto (GStrv) ids = g_strsplit (list, ",", -1);
  SsappStore *store = ssapp_session_get_store (self->session);

  for (int i = 0; store != NULL && ids[i] != NULL; i++) {
    g_autoptr (GError) error = NULL;
    if (!act (store, ids[i], &error)) {
      ssui_window_fail (self, _ ("Not done"), error->message);
      return FALSE;
    }
  }
  return store != NULL;
}

ACTION (on_delete_runs)
{
  SsuiWindow *self = data;
  const char *list = g_variant_get_string (parameter, NULL);
  g_auto (GStrv) ids = g_strsplit (list, ",", -1);
  g_autofree char *text = NULL;
  (void)action;
  if (!for_runs (self, list, ssapp_store_delete_run))
    return;
  text =
      g_strv_length (ids) == 1
          ? g_strdup (_ ("Run deleted"))
          : g_strdup_printf (ngettext ("%u run deleted", "%u runs deleted", g_strv_length (ids)), g_strv_length (ids));
  ssui_window_toast_undo (self, text, "win.undelete-runs", list);
}

ACTION (on_undelete_runs)
{
  (void)action;
  for_runs (data, g_variant_get_string (parameter, NULL), ssapp_store_undelete_run);
}

static const SsuiCommand commands[] = {
    {.name = "search-runs", .activate = on_search, .parameter_type = "s" /* app/session/ssapp-run-filter.h */},
    {.name = "sort-runs", .activate = on_sort, .parameter_type = "(sb)" /* column, "": as they come; largest first */},
    {.name = "choose-runs", .activate = on_choose, .parameter_type = "s" /* ids|all|none */},
    {.name = "choose-runs", .target = "::all", .label = N_ ("Choose _All Shown"), .menus = SSUI_MENU_CHOOSE},
    {.name = "choose-runs", .target = "::none", .label = N_ ("Choose N_one"), .menus = SSUI_MENU_CHOOSE},
    {.name = "only-differing", .activate = on_only_differing, .parameter_type = "b"},
    {.name = "over-time", .activate = on_over_time, .parameter_type = "b"},
    {.name = "overlaid", .activate = on_overlaid, .parameter_type = "b"},
    {.name = "compare-view", .activate = on_compare_view, .parameter_type = "s" /* runs|figures */},
    {.name = "compare-reference", .activate = on_reference, .parameter_type = "s" /* id */},
    {.name = "compare-set-outcome",
     .activate = on_set_outcome,
     .parameter_type = "(ss)" /* in whose place, "": a new one; NAME=FORMULA */},
    {.name = "compare-remove-outcome", .activate = on_remove_outcome, .parameter_type = "s"},
    {.name = "compare-undo", .activate = on_undo},
    {.name = "compare-redo", .activate = on_redo},
    {.name = "copy-table", .activate = on_copy_table, .parameter_type = "s" /* text|csv|tsv|md|tex|jsonl */},
    {.name = "copy-summary", .activate = on_copy_summary, .parameter_type = "s" /* as copy-table */},
    {.name = "compare-copy-figure",
     .activate = on_copy_figure,
     .parameter_type = "s" /* profile|objective|error|violation */},
    {.name = "compare-export", .activate = on_export_figure, .parameter_type = "(ss)" /* figure, path */},
    {.name = "compare-export-dialog", .activate = on_export_dialog, .parameter_type = "s" /* figure */},
    {.name = "set-note", .activate = on_set_note, .parameter_type = "(ss)" /* ids, text */},
    {.name = "note-dialog",
     .activate = on_note_dialog,
     .parameter_type = "s" /* ids */,
     .label = N_ ("Edit _Note…"),
     .menus = SSUI_MENU_WORDS},
    {.name = "set-tags", .activate = on_set_tags, .parameter_type = "(ss)" /* ids, text */},
    {.name = "tags-dialog",
     .activate = on_tags_dialog,
     .parameter_type = "s" /* ids */,
     .label = N_ ("Edit _Tags…"),
     .menus = SSUI_MENU_WORDS},
    {.name = "compare",
     .activate = on_compare,
     .parameter_type = "s" /* ids */,
     .label = N_ ("_Compare"),
     .menus = SSUI_MENU_SHOW_RUNS},
    {.name = "open-comparison", .activate = on_open_comparison, .parameter_type = "s" /* id */},
    {.name = "delete-runs",
     .activate = on_delete_runs,
     .parameter_type = "s" /* ids */,
     .label = N_ ("_Delete"),
     .menus = SSUI_MENU_DELETE_RUNS},
    {.name = "undelete-runs", .activate = on_undelete_runs, .parameter_type = "s" /* ids */},
};

const SsuiSubject ssui_run_commands = {commands, G_N_ELEMENTS (commands), NULL, NULL};
