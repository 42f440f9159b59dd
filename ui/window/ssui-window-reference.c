/* ui/window/ssui-window-reference.c: the window's commands for what is held against something else: tables of the
 * papers, simulators against a reference, the sketch against measured motions. Tests: tests/ui/test_reference.py,
 * tests/ui/test_fit.py */
#include "ui/window/ssui-window-private.h"

#include "app/base/ssapp-file.h"
#include "app/bench/ssapp-paper-index.h"
#include "app/export/ssapp-file-kind.h"
#include "ui/window/ssui-accuracy-window.h"
#include "ui/window/ssui-fit-window.h"
#include "ui/window/ssui-paper-window.h"
#include "ui/window/ssui-table-window.h"

#include <glib/gi18n.h>
#include <string.h>

static const double FIT_FIGURE_MM = 180;

/* ---- tables that leave ------------------------------------------------------------------------------------------- */

/* FALSE where there is none yet. */
static gboolean
copy_table (SsuiWindow *self, const SsappTable *table, const char *name)
{
  SsappTableFormat format;

  if (table == NULL || !ssapp_table_format_from_name (name, &format))
    return FALSE;
  g_autofree char *text = ssapp_table_write (table, format);
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), text);
  return TRUE;
}

/* Told in the window that shows it by the caller. */
static gboolean
save_table (SsuiWindow *self, const SsappTable *table, const char *path, GError **error)
{
  SsappTableFormat format;

  if (table == NULL)
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, _ ("There is no table yet: run it first"));
  if (table == NULL || !ssapp_endings_check ("table", path, error) || !ssapp_table_format_of_path (path, &format))
    return FALSE;
  g_autofree char *text = ssapp_table_write (table, format);
  if (!ssapp_write_file (path, text, -1, error))
    return FALSE;
  self->n_exports++;
  ssui_window_queue_state (self);
  return TRUE;
}

/* ---- papers ------------------------------------------------------------------------------------------------------ */

/* The window of papers; made when it is first needed. */
static SsuiPaperWindow *
paper_window (SsuiWindow *self)
{
  if (self->paper_window == NULL) {
    self->paper_window = GTK_WIDGET (ssui_paper_window_new (self));
    g_object_add_weak_pointer (G_OBJECT (self->paper_window), (gpointer *)&self->paper_window);
  }
  return SSUI_PAPER_WINDOW (self->paper_window);
}

ACTION (on_paper)
{
  SsuiWindow *self = data;
  const char *name = g_variant_get_string (parameter, NULL);
  const SsappPaper *paper = ssapp_paper_find (name);
  (void)action;
  if (paper == NULL) {
    g_autofree char *message = g_strdup_printf (_ ("There is no table or figure “%s”"), name);
    ssui_window_fail (self, "", message);
    return;
  }
  ssui_paper_window_open (paper_window (self), paper);
  gtk_window_present (GTK_WINDOW (self->paper_window));
}

ACTION (on_paper_run)
{
  SsuiWindow *self = data;
  (void)action;
  if (self->paper_window != NULL)
    ssui_paper_window_run (SSUI_PAPER_WINDOW (self->paper_window),
                           ssapp_paper_extent_of (g_variant_get_string (parameter, NULL)));
}

ACTION (on_paper_stop)
{
  SsuiWindow *self = data;
  UNUSED_ACTION;
  if (self->paper_window != NULL)
    ssui_paper_window_stop (SSUI_PAPER_WINDOW (self->paper_window));
}

ACTION (on_paper_copy)
{
  SsuiWindow *self = data;
  SsuiPaperWindow *window = (SsuiPaperWindow *)self->paper_window;
  const char *format = g_variant_get_string (parameter, NULL);
  (void)action;
  if (window == NULL)
    return;
  if (strcmp (format, "command") == 0) {
    g_autofree char *command = ssui_paper_window_dup_command (window);
    gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), command);
    ssui_paper_window_toast (window, _ ("Copied the command"));
  } else {
    ssui_paper_window_toast (window, copy_table (self, ssui_paper_window_get_table (window), format)
                                         ? _ ("Copied the table")
                                         : _ ("There is no table yet: run it first"));
  }
}

static void
save_paper (SsuiWindow *self, const char *path)
{
  SsuiPaperWindow *window = (SsuiPaperWindow *)self->paper_window;
  g_autoptr (GError) error = NULL;

  if (window == NULL)
    return;
  const gboolean done = save_table (self, ssui_paper_window_get_table (window), path, &error);
  ssui_paper_window_toast (window, done ? _ ("Saved the table") : error->message);
}

ACTION (on_paper_save)
{
  (void)action;
  save_paper (data, g_variant_get_string (parameter, NULL));
}

ACTION (on_paper_save_dialog)
{
  UNUSED_ACTION;
  g_auto (GStrv) patterns = ssapp_endings_patterns ("table");
  ssui_window_choose_file (data, _ ("Save Table"), GTK_FILE_CHOOSER_ACTION_SAVE, _ ("_Save"), "table.csv",
                           (const char *const *)patterns, NULL, save_paper);
}

/* ---- the papers' equations --------------------------------------------------------------------------------------- */

ACTION (on_equations_index)
{
  const char *paper = g_variant_get_string (parameter, NULL);
  g_autoptr (GError) error = NULL;
  SsappTable *table = ssapp_paper_index (*paper != '\0' ? paper : NULL, FALSE, &error);
  (void)action;
  if (table != NULL)
    ssui_table_window_present (data, _ ("Index of Equations"), table);
  else
    ssui_window_fail (data, "", error->message);
}

/* ---- accuracy ---------------------------------------------------------------------------------------------------- */

ACTION (on_accuracy)
{
  SsuiWindow *self = data;
  const SsScenario *scenario = ssapp_document_get_scenario (ssui_window_get_document (self));
  UNUSED_ACTION;
  if (scenario == NULL || scenario->scene == NULL) {
    ssui_window_toast (self, _ ("Simulators need a scene: this one is a model in equations"));
    return;
  }
  if (self->accuracy_window == NULL) {
    self->accuracy_window = GTK_WIDGET (ssui_accuracy_window_new (self));
    g_object_add_weak_pointer (G_OBJECT (self->accuracy_window), (gpointer *)&self->accuracy_window);
  }
  ssui_accuracy_window_load (SSUI_ACCURACY_WINDOW (self->accuracy_window), scenario);
  gtk_window_present (GTK_WINDOW (self->accuracy_window));
}

ACTION (on_accuracy_run)
{
  SsuiWindow *self = data;
  SsuiAccuracyWindow *window = (SsuiAccuracyWindow *)self->accuracy_window;
  const SsappDocument *document = ssui_window_get_document (self);
  const char *methods, *steps, *reference, *error_name;
  g_autoptr (GError) error = NULL;
  (void)action;
  if (window == NULL)
    return;
  g_variant_get (parameter, "(&s&s&s&s)", &methods, &steps, &reference, &error_name);
  if (!ssapp_session_ensure_store (self->session, &error) ||
      !ssui_accuracy_window_run (window, ssapp_document_get_scenario ((SsappDocument *)document),
                                 ssapp_session_get_store (self->session), methods, steps, reference, error_name,
                                 &error))
    ssui_accuracy_window_tell (window, error->message);
}

ACTION (on_accuracy_stop)
{
  SsuiWindow *self = data;
  UNUSED_ACTION;
  if (self->accuracy_window != NULL)
    ssui_accuracy_window_stop (SSUI_ACCURACY_WINDOW (self->accuracy_window));
}

ACTION (on_accuracy_copy)
{
  SsuiWindow *self = data;
  SsuiAccuracyWindow *window = (SsuiAccuracyWindow *)self->accuracy_window;
  (void)action;
  if (window == NULL)
    return;
  const gboolean done =
      copy_table (self, ssui_accuracy_window_get_table (window), g_variant_get_string (parameter, NULL));
  ssui_accuracy_window_toast (window, done ? _ ("Copied the table") : _ ("There is no table yet: run it first"));
}

static void
save_accuracy (SsuiWindow *self, const char *path)
{
  SsuiAccuracyWindow *window = (SsuiAccuracyWindow *)self->accuracy_window;
  g_autoptr (GError) error = NULL;
  gboolean done;

  if (window == NULL)
    return;
  if (ssapp_endings_check ("picture", path, NULL)) {
    done = ssui_accuracy_window_save_figure (window, path, &error);
    self->n_exports += done;
    ssui_window_queue_state (self);
  } else {
    done = save_table (self, ssui_accuracy_window_get_table (window), path, &error);
  }
  ssui_accuracy_window_toast (window, done ? _ ("Saved") : error->message);
}

ACTION (on_accuracy_save)
{
  (void)action;
  save_accuracy (data, g_variant_get_string (parameter, NULL));
}

ACTION (on_accuracy_save_dialog)
{
  const gboolean is_figure = strcmp (g_variant_get_string (parameter, NULL), "figure") == 0;
  g_auto (GStrv) patterns = ssapp_endings_patterns (is_figure ? "picture" : "table");
  (void)action;
  ssui_window_choose_file (data, is_figure ? _ ("Save Figure") : _ ("Save Table"), GTK_FILE_CHOOSER_ACTION_SAVE,
                           _ ("_Save"), is_figure ? "accuracy.pdf" : "accuracy.csv", (const char *const *)patterns,
                           NULL, save_accuracy);
}

/* ---- fits to measured motions ----------------------------------------------------------------------------------- */

/* The window of the fit; made when it is first needed, NULL where the sketch is no scene, which is said. */
static SsuiFitWindow *
fit_window (SsuiWindow *self)
{
  if (!ssapp_document_is_scene (ssui_window_get_document (self))) {
    ssui_window_toast (self, _ ("Motions are fitted to scenes: this one is a model in equations"));
    return NULL;
  }
  if (self->fit_window == NULL) {
    self->fit_window = GTK_WIDGET (ssui_fit_window_new (GTK_WINDOW (self), self->session));
    g_object_add_weak_pointer (G_OBJECT (self->fit_window), (gpointer *)&self->fit_window);
  }
  gtk_window_present (GTK_WINDOW (self->fit_window));
  return SSUI_FIT_WINDOW (self->fit_window);
}

/* The same where it is open already; NULL: it is not. */
static SsuiFitWindow *
open_window (SsuiWindow *self)
{
  return (SsuiFitWindow *)self->fit_window;
}

gboolean
ssui_window_fit_motion (SsuiWindow *self, const char *path, GError **error)
{
  const gboolean was_open = open_window (self) != NULL;
  SsuiFitWindow *window = fit_window (self);
  const gboolean ok = window != NULL && ssapp_fit_session_add_file (ssui_fit_window_get_fit (window), path, error);

  if (window != NULL && !ok && !was_open)
    gtk_window_destroy (GTK_WINDOW (window));
  return ok;
}

ACTION (on_fit)
{
  UNUSED_ACTION;
  fit_window (data);
}

static void
add_motion (SsuiWindow *self, const char *path)
{
  SsuiFitWindow *window = fit_window (self);
  g_autoptr (GError) error = NULL;

  if (window != NULL && !ssapp_fit_session_add_file (ssui_fit_window_get_fit (window), path, &error))
    ssui_fit_window_tell (window, error->message);
}

ACTION (on_fit_add)
{
  (void)action;
  add_motion (data, g_variant_get_string (parameter, NULL));
}

ACTION (on_fit_add_dialog)
{
  static const char *const patterns[] = {"*.csv", "*.json", NULL};

  UNUSED_ACTION;
  ssui_window_choose_file (data, _ ("Add a Measured Motion"), GTK_FILE_CHOOSER_ACTION_OPEN, _ ("_Add"), NULL, patterns,
                           NULL, add_motion);
}

ACTION (on_fit_remove)
{
  SsuiFitWindow *window = open_window (data);
  guint found;

  (void)action;
  if (window == NULL)
    return;
  SsappFitSession *fit = ssui_fit_window_get_fit (window);
  if (g_ptr_array_find_with_equal_func (ssapp_fit_session_get_files (fit), g_variant_get_string (parameter, NULL),
                                        g_str_equal, &found))
    ssapp_fit_session_remove_file (fit, found);
}

ACTION (on_fit_map)
{
  SsuiFitWindow *window = open_window (data);
  g_autoptr (GError) error = NULL;

  (void)action;
  if (window != NULL &&
      !ssapp_fit_session_map (ssui_fit_window_get_fit (window), g_variant_get_string (parameter, NULL), &error))
    ssui_fit_window_tell (window, error->message);
}

ACTION (on_fit_free)
{
  SsuiFitWindow *window = open_window (data);
  g_autoptr (GError) error = NULL;

  (void)action;
  if (window != NULL &&
      !ssapp_fit_session_set_free (ssui_fit_window_get_fit (window), g_variant_get_string (parameter, NULL), &error))
    ssui_fit_window_tell (window, error->message);
}

ACTION (on_fit_run)
{
  SsuiFitWindow *window = open_window (data);
  g_autoptr (GError) error = NULL;

  UNUSED_ACTION;
  if (window != NULL && !ssapp_fit_session_start (ssui_fit_window_get_fit (window), &error))
    ssui_fit_window_tell (window, error->message);
}

ACTION (on_fit_stop)
{
  SsuiFitWindow *window = open_window (data);

  UNUSED_ACTION;
  if (window != NULL)
    ssapp_fit_session_cancel (ssui_fit_window_get_fit (window));
}

ACTION (on_fit_trial)
{
  SsuiFitWindow *window = open_window (data);

  (void)action;
  if (window != NULL)
    ssui_fit_window_show_trial (window, g_variant_get_int32 (parameter));
}

ACTION (on_fit_side)
{
  SsuiFitWindow *window = open_window (data);

  UNUSED_ACTION;
  if (window != NULL)
    ssui_fit_window_toggle_side (window);
}

ACTION (on_fit_keep)
{
  SsuiFitWindow *window = open_window (data);
  g_autoptr (GPtrArray) ids = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GError) error = NULL;

  UNUSED_ACTION;
  if (window == NULL)
    return;
  if (!ssapp_fit_session_keep (ssui_fit_window_get_fit (window), ids, &error)) {
    ssui_fit_window_tell (window, error->message);
    return;
  }
  g_ptr_array_add (ids, NULL);
  g_autofree char *list = g_strjoinv (",", (char **)ids->pdata);
  g_autofree char *text = g_strdup_printf (_ ("Kept %u runs, measured and fitted"), ids->len - 1);
  g_action_group_activate_action (G_ACTION_GROUP (data), "open-run", g_variant_new_string (list));
  ssui_fit_window_toast (window, text);
}

ACTION (on_fit_use)
{
  SsuiFitWindow *window = open_window (data);
  g_autoptr (GError) error = NULL;

  UNUSED_ACTION;
  if (window == NULL)
    return;
  if (!ssapp_fit_session_use (ssui_fit_window_get_fit (window), &error)) {
    ssui_fit_window_tell (window, error->message);
    return;
  }
  ssui_fit_window_toast_undo (window, _ ("The sketch has these values"));
}

/* ---- plots of the fit -------------------------------------------------------------------------------------------- */

static void
save_plot (SsuiWindow *self, const char *name, const char *path)
{
  SsuiFitWindow *window = open_window (self);
  g_autoptr (GError) error = NULL;
  const SsappPlotKind *plot = ssapp_fit_plot_find (name, &error);
  gboolean is_there;

  if (window == NULL)
    return;
  const SsappFitPicture picture = ssui_fit_window_get_picture (window, &is_there);
  if (plot != NULL && !is_there)
    g_set_error_literal (&error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, _ ("There is no plot yet: fit first"));
  if (error == NULL && ssapp_fit_picture_export (&picture, plot, FIT_FIGURE_MM, path, &error)) {
    self->n_exports++;
    ssui_window_queue_state (self);
  }
  ssui_fit_window_toast (window, error == NULL ? _ ("Saved") : error->message);
}

ACTION (on_fit_save)
{
  const char *name, *path;

  (void)action;
  g_variant_get (parameter, "(&s&s)", &name, &path);
  save_plot (data, name, path);
}

static void
save_plot_now (SsuiWindow *self, const char *path)
{
  save_plot (self, g_object_get_data (G_OBJECT (self), "fit-plot"), path);
}

ACTION (on_fit_save_dialog)
{
  const char *name = g_variant_get_string (parameter, NULL);
  const SsappPlotKind *plot = ssapp_fit_plot_find (name, NULL);

  (void)action;
  if (plot == NULL)
    return;
  g_auto (GStrv) patterns = ssapp_endings_patterns (name);
  g_autofree char *title = g_strdup_printf (_ ("Export %s"), _ (plot->heading)),
                  *file = g_strdup_printf ("%s.pdf", name);
  g_object_set_data_full (G_OBJECT (data), "fit-plot", g_strdup (name), g_free);
  ssui_window_choose_file (data, title, GTK_FILE_CHOOSER_ACTION_SAVE, _ ("_Export"), file,
                           (const char *const *)patterns, NULL, save_plot_now);
}

ACTION (on_fit_copy_command)
{
  SsuiFitWindow *window = open_window (data);

  UNUSED_ACTION;
  if (window == NULL)
    return;
  g_autofree char *command = ssapp_fit_session_dup_command (ssui_fit_window_get_fit (window));
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (window)), command);
  ssui_fit_window_toast (window, _ ("Copied the command"));
}

static const SsuiCommand commands[] = {
    {.name = "fit", .activate = on_fit, .label = N_ ("Fit to Measured Motions")},
    {.name = "fit-add", .activate = on_fit_add, .parameter_type = "s" /* path */},
    {.name = "fit-add-dialog", .activate = on_fit_add_dialog},
    {.name = "fit-remove", .activate = on_fit_remove, .parameter_type = "s" /* path */},
    {.name = "fit-map", .activate = on_fit_map, .parameter_type = "s" /* "column=box.x:mm,..." */},
    {.name = "fit-free", .activate = on_fit_free, .parameter_type = "s" /* "mu,e=0.2:0.9" */},
    {.name = "fit-run", .activate = on_fit_run},
    {.name = "fit-stop", .activate = on_fit_stop},
    {.name = "fit-trial", .activate = on_fit_trial, .parameter_type = "i" /* 0: all */},
    {.name = "fit-side", .activate = on_fit_side},
    {.name = "fit-keep", .activate = on_fit_keep},
    {.name = "fit-use", .activate = on_fit_use},
    {.name = "fit-save", .activate = on_fit_save, .parameter_type = "(ss)" /* plot, path */},
    {.name = "fit-save-dialog", .activate = on_fit_save_dialog, .parameter_type = "s" /* plot */},
    {.name = "fit-copy-command", .activate = on_fit_copy_command},
    {.name = "paper", .activate = on_paper, .parameter_type = "s" /* name */},
    {.name = "paper-run", .activate = on_paper_run, .parameter_type = "s" /* quick|usual|all */},
    {.name = "paper-stop", .activate = on_paper_stop},
    {.name = "paper-copy", .activate = on_paper_copy, .parameter_type = "s" /* csv|tsv|md|tex|text|jsonl|command */},
    {.name = "paper-save", .activate = on_paper_save, .parameter_type = "s" /* path */},
    {.name = "paper-save-dialog", .activate = on_paper_save_dialog},
    {.name = "equations-index",
     .activate = on_equations_index,
     .parameter_type = "s" /* paper, as `paper equations` names it; "": all */},
    {.name = "accuracy", .activate = on_accuracy, .label = N_ ("Accuracy of Simulators")},
    {.name = "accuracy-run",
     .activate = on_accuracy_run,
     .parameter_type = "(ssss)" /* methods, steps, reference, mean|max|end|NAME=FORMULA */},
    {.name = "accuracy-stop", .activate = on_accuracy_stop},
    {.name = "accuracy-copy", .activate = on_accuracy_copy, .parameter_type = "s" /* format */},
    {.name = "accuracy-save",
     .activate = on_accuracy_save,
     .parameter_type = "s" /* path: a table, or .pdf .svg .png */},
    {.name = "accuracy-save-dialog", .activate = on_accuracy_save_dialog, .parameter_type = "s" /* table|figure */},
};

const SsuiSubject ssui_reference_commands = {commands, G_N_ELEMENTS (commands), NULL, NULL};
