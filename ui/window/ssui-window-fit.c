/* ui/window/ssui-window-fit.c: the window's commands for fits to measured motions. Tests: tests/ui/test_fit.py */
#include "ui/window/ssui-window-private.h"

#include "app/export/ssapp-file-kind.h"
#include "ui/window/ssui-fit-window.h"

static const double FIGURE_MM = 180;

/* The window of the fit; made when it is first needed, NULL where the sketch is no scene, which is said. */
static SsuiFitWindow *
fit_window (SsuiWindow *self)
{
  if (!ssapp_document_is_scene (ssapp_session_get_document (self->session))) {
    ssui_window_toast (self, "Motions are fitted to scenes: this one is a model in equations");
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
add (SsuiWindow *self, const char *path)
{
  SsuiFitWindow *window = fit_window (self);
  g_autoptr (GError) error = NULL;

  if (window != NULL && !ssapp_fit_session_add_file (ssui_fit_window_get_fit (window), path, &error))
    ssui_fit_window_tell (window, error->message);
}

ACTION (on_fit_add)
{
  (void)action;
  add (data, g_variant_get_string (parameter, NULL));
}

ACTION (on_fit_add_dialog)
{
  static const char *const patterns[] = {"*.csv", "*.json", NULL};

  UNUSED_ACTION;
  ssui_window_choose_file (data, "Add a Measured Motion", GTK_FILE_CHOOSER_ACTION_OPEN, "_Add", NULL, patterns, NULL,
                           add);
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
  g_autofree char *text = g_strdup_printf ("Kept %u runs, measured and fitted", ids->len - 1);
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
  ssui_fit_window_toast_undo (window, "The sketch has these values");
}

/* ---- exports ----------------------------------------------------------------------------------------------------- */

static void
save (SsuiWindow *self, const char *name, const char *path)
{
  SsuiFitWindow *window = open_window (self);
  g_autoptr (GError) error = NULL;
  const SsappPlotKind *plot = ssapp_fit_plot_find (name, &error);
  gboolean is_there;

  if (window == NULL)
    return;
  const SsappFitPicture picture = ssui_fit_window_get_picture (window, &is_there);
  if (plot != NULL && !is_there)
    g_set_error_literal (&error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "There is no plot yet: fit first");
  if (error == NULL && ssapp_fit_picture_export (&picture, plot, FIGURE_MM, path, &error)) {
    self->n_exports++;
    ssui_window_queue_state (self);
  }
  ssui_fit_window_toast (window, error == NULL ? "Saved" : error->message);
}

ACTION (on_fit_save)
{
  const char *name, *path;

  (void)action;
  g_variant_get (parameter, "(&s&s)", &name, &path);
  save (data, name, path);
}

static void
save_now (SsuiWindow *self, const char *path)
{
  save (self, g_object_get_data (G_OBJECT (self), "fit-plot"), path);
}

ACTION (on_fit_save_dialog)
{
  const char *name = g_variant_get_string (parameter, NULL);
  const SsappPlotKind *plot = ssapp_fit_plot_find (name, NULL);

  (void)action;
  if (plot == NULL)
    return;
  g_auto (GStrv) patterns = ssapp_endings_patterns (name);
  g_autofree char *title = g_strdup_printf ("Export %s", plot->heading), *file = g_strdup_printf ("%s.pdf", name);
  g_object_set_data_full (G_OBJECT (data), "fit-plot", g_strdup (name), g_free);
  ssui_window_choose_file (data, title, GTK_FILE_CHOOSER_ACTION_SAVE, "_Export", file, (const char *const *)patterns,
                           NULL, save_now);
}

ACTION (on_fit_copy_command)
{
  SsuiFitWindow *window = open_window (data);

  UNUSED_ACTION;
  if (window == NULL)
    return;
  g_autofree char *command = ssapp_fit_session_dup_command (ssui_fit_window_get_fit (window));
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (window)), command);
  ssui_fit_window_toast (window, "Copied the command");
}

void
ssui_window_add_fit_actions (SsuiWindow *self)
{
  static const GActionEntry entries[] = {
      {.name = "fit", .activate = on_fit},
      {.name = "fit-add", .activate = on_fit_add, .parameter_type = "s"},
      {.name = "fit-add-dialog", .activate = on_fit_add_dialog},
      {.name = "fit-remove", .activate = on_fit_remove, .parameter_type = "s"},
      {.name = "fit-map", .activate = on_fit_map, .parameter_type = "s"},
      {.name = "fit-free", .activate = on_fit_free, .parameter_type = "s"},
      {.name = "fit-run", .activate = on_fit_run},
      {.name = "fit-stop", .activate = on_fit_stop},
      {.name = "fit-trial", .activate = on_fit_trial, .parameter_type = "i"},
      {.name = "fit-side", .activate = on_fit_side},
      {.name = "fit-keep", .activate = on_fit_keep},
      {.name = "fit-use", .activate = on_fit_use},
      {.name = "fit-save", .activate = on_fit_save, .parameter_type = "(ss)"},
      {.name = "fit-save-dialog", .activate = on_fit_save_dialog, .parameter_type = "s"},
      {.name = "fit-copy-command", .activate = on_fit_copy_command},
  };

  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
}
