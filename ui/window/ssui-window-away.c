/* ui/window/ssui-window-away.c: runs that leave the project as one of their own, and what comes into it: archives, and
 * motions from elsewhere. Tests: tests/ui/test_away.py */
#include "ui/window/ssui-window-private.h"

#include "app/session/ssapp-import-judge.h"
#include "app/session/ssapp-import-motion.h"
#include "app/store/ssapp-store-merge.h"

#include <glib/gi18n.h>

static void
told (SsuiWindow *self, const char *what, const SsappMerge *merge)
{
  g_autofree char *words = ssapp_merge_describe (merge), *text = g_strdup_printf ("%s: %s", what, words);

  ssui_window_toast (self, text);
}

/* ---- out --------------------------------------------------------------------------------------------------------- */

/* Runs "a,b", "": all of the project. */
static void
archive (SsuiWindow *self, const char *ids, const char *path)
{
  SsappStore *store = ssapp_session_get_store (self->session);
  g_auto (GStrv) list = *ids != '\0' ? g_strsplit (ids, ",", -1) : NULL;
  g_autofree char *target =
      g_str_has_suffix (path, SSAPP_PROJECT_SUFFIX) ? g_strdup (path) : g_strconcat (path, SSAPP_PROJECT_SUFFIX, NULL);
  g_autoptr (GError) error = NULL;
  SsappMerge merge = {0};

  if (store == NULL)
    ssui_window_toast (self, _ ("No project is open"));
  else if (!ssapp_store_archive (store, (const char *const *)list, target, TRUE, &merge, &error))
    ssui_window_fail (self, _ ("Not exported"), error->message);
  else {
    self->n_exports++;
    ssui_window_queue_state (self);
    told (self, _ ("Exported"), &merge);
  }
}

ACTION (on_archive)
{
  const char *ids, *path;

  (void)action;
  g_variant_get (parameter, "(&s&s)", &ids, &path);
  archive (data, ids, path);
}

static void
archive_now (SsuiWindow *self, const char *path)
{
  archive (self, g_object_get_data (G_OBJECT (self), "archive-ids"), path);
}

void
ssui_window_archive_dialog (SsuiWindow *self, const char *ids)
{
  static const char *const patterns[] = {"*" SSAPP_PROJECT_SUFFIX, NULL};

  g_object_set_data_full (G_OBJECT (self), "archive-ids", g_strdup (ids), g_free);
  ssui_window_choose_file (self, _ ("Export Runs as a Project"), GTK_FILE_CHOOSER_ACTION_SAVE, _ ("_Export"),
                           "runs" SSAPP_PROJECT_SUFFIX, patterns, NULL, archive_now);
}

ACTION (on_archive_dialog)
{
  (void)action;
  ssui_window_archive_dialog (data, g_variant_get_string (parameter, NULL));
}

/* ---- in ---------------------------------------------------------------------------------------------------------- */

/* Runs that came and are judged, one a frame. */
typedef struct {
  SsappStore *store;
  GPtrArray *ids;
  guint at, n_doubtful, n_without; /* n_without: keep no motion that could bear out what they claim */
} Judging;

static void
judging_free (gpointer data)
{
  Judging *judging = data;

  g_object_unref (judging->store);
  g_ptr_array_unref (judging->ids);
  g_free (judging);
}

static gboolean
judge_next (GtkWidget *widget, GdkFrameClock *clock, gpointer data)
{
  Judging *self = data;

  (void)clock;
  if (self->at < self->ids->len) {
    g_autofree char *doubt =
        ssapp_import_judge (self->store, g_ptr_array_index (self->ids, self->at++), &self->n_without);
    self->n_doubtful += doubt != NULL;
    return G_SOURCE_CONTINUE;
  }
  if (self->n_without > 0) {
    g_autofree char *text =
        g_strdup_printf (ngettext ("%u imported run keeps no motion: what it claims was not judged",
                                   "%u imported runs keep no motion: what they claim was not judged", self->n_without),
                         self->n_without);
    ssui_window_toast ((SsuiWindow *)widget, text);
  }
  if (self->n_doubtful > 0) {
    g_autofree char *text =
        g_strdup_printf (ngettext ("Of the runs that were imported, %u claims what its motion does not bear out. It is "
                                   "tagged %s; the import command tells what it is.",
                                   "Of the runs that were imported, %u claim what their motion does not bear out. They "
                                   "are tagged %s; the import command tells what it is.",
                                   self->n_doubtful),
                         self->n_doubtful, SSAPP_DOUBTFUL_TAG);
    ssui_window_fail ((SsuiWindow *)widget, _ ("Doubtful Runs"), text); /* a checked cast would ask the file above */
  }
  return G_SOURCE_REMOVE;
}

static void
import_project (SsuiWindow *self, SsappStore *store, const char *path)
{
  g_autoptr (GPtrArray) fresh = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GError) error = NULL;
  SsappMerge merge = {.fresh = fresh};

  if (!ssapp_store_merge (store, path, NULL, &merge, &error)) {
    ssui_window_fail (self, _ ("Not imported"), error->message);
    return;
  }
  g_signal_emit_by_name (ssapp_session_get_sketches (self->session), "changed"); /* there may be more of them */
  ssui_window_show_page (self, "project");
  told (self, _ ("Imported"), &merge);
  Judging *judging = g_new0 (Judging, 1);
  judging->store = g_object_ref (store);
  judging->ids = g_steal_pointer (&fresh);
  gtk_widget_add_tick_callback (GTK_WIDGET (self), judge_next, judging, judging_free);
}

/* A motion that came, which the sketch's numbers may be fitted to. */
static void
offer_fit (SsuiWindow *self, const char *path)
{
  AdwToast *toast = adw_toast_new (_ ("Imported the motion"));

  adw_toast_set_button_label (toast, _ ("Fit"));
  adw_toast_set_action_name (toast, "win.fit-add");
  adw_toast_set_action_target (toast, "s", path);
  adw_toast_overlay_add_toast (self->toasts, toast);
}

/* Of the sketch that is shown: the run is shown then. A measured table that is no whole motion, without some columns or
 * with gaps, opens the window of fits. */
static void
import_table (SsuiWindow *self, SsappStore *store, const char *path)
{
  SsappDocument *document = ssui_window_get_document (self);
  g_autoptr (GError) error = NULL;
  g_autofree char *id =
      ssapp_import_motion (store, ssapp_document_get_scenario (document), ssapp_document_get_text (document), path,
                           &SSAPP_IMPORT_CLAIMS_NONE, &error);

  if (id == NULL) {
    if (!ssapp_document_is_scene (document) || !ssui_window_fit_motion (self, path, NULL))
      ssui_window_fail (self, _ ("Not imported"), error->message);
    return;
  }
  g_action_group_activate_action (G_ACTION_GROUP (self), "open-run", g_variant_new_string (id));
  offer_fit (self, path);
}

static void
import (SsuiWindow *self, const char *path)
{
  g_autoptr (GError) error = NULL;

  if (!ssapp_session_ensure_store (self->session, &error))
    ssui_window_fail (self, _ ("Not imported"), error->message);
  else if (g_str_has_suffix (path, SSAPP_PROJECT_SUFFIX))
    import_project (self, ssapp_session_get_store (self->session), path);
  else
    import_table (self, ssapp_session_get_store (self->session), path);
}

ACTION (on_import)
{
  (void)action;
  import (data, g_variant_get_string (parameter, NULL));
}

ACTION (on_import_dialog)
{
  static const char *const patterns[] = {"*" SSAPP_PROJECT_SUFFIX, "*.csv", "*.json", NULL};

  UNUSED_ACTION;
  ssui_window_choose_file (data, _ ("Import Runs, or a Motion of This Sketch"), GTK_FILE_CHOOSER_ACTION_OPEN,
                           _ ("_Import"), NULL, patterns, NULL, import);
}

static const SsuiCommand commands[] = {
    {.name = "archive", .activate = on_archive, .parameter_type = "(ss)" /* ids "" all, path */},
    {.name = "archive-dialog", .activate = on_archive_dialog, .parameter_type = "s" /* ids */},
    {.name = "import",
     .activate = on_import,
     .parameter_type = "s" /* path: a project, or a motion of the sketch as .csv or .json */},
    {.name = "import-dialog", .activate = on_import_dialog, .label = N_ ("Import…")},
};

const SsuiSubject ssui_away_commands = {commands, G_N_ELEMENTS (commands), NULL, NULL};
