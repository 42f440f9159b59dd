/* ui/window/ssui-window-export.c: what is on show, or stored runs, as files: pictures by the renderer of the screen,
 * data as CSV. */
#include "ui/window/ssui-window-private.h"

#include "app/export/ssapp-export.h"
#include "app/export/ssapp-file-kind.h"
#include "app/export/ssapp-instants.h"
#include "app/session/ssapp-bands.h"
#include "app/session/ssapp-run-list.h"
#include "app/session/ssapp-run-page.h"
#include "ui/parts/ssui-exports.h"
#include "ui/parts/ssui-util.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#define NARROW_MM   88.0  /* one column of a paper  */
#define WIDE_MM     180.0 /* both                   */
#define PRINT_DPI   300.0
#define MM_PER_INCH 25.4
#define LOOK_MS     250 /* between two looks at how far a film is */

/* Motions of several runs stand side by side. */
static double
usual_width (const SsappPlotKind *plot, GPtrArray *runs)
{
  return runs != NULL && runs->len > 1 && plot != ssapp_plot_find ("convergence") ? WIDE_MM : NARROW_MM;
}

/* ---- which runs -------------------------------------------------------------------------------------------------- */

GPtrArray *
ssui_window_load_runs (SsuiWindow *self, const char *ids)
{
  g_auto (GStrv) list = g_strsplit (ids, ",", -1);
  GPtrArray *shown = ssapp_session_get_runs (self->session);
  g_autoptr (GPtrArray) runs = g_ptr_array_new_with_free_func (g_object_unref);
  SsappStore *store = ssapp_session_get_store (self->session);

  for (int i = 0; list[i] != NULL; i++) {
    g_autoptr (GError) error = NULL;
    SsappRun *run = NULL;
    for (guint k = 0; k < shown->len && run == NULL; k++)
      if (g_strcmp0 (ssapp_run_get_id (g_ptr_array_index (shown, k)), list[i]) == 0)
        run = g_object_ref (g_ptr_array_index (shown, k));
    if (run == NULL && store != NULL)
      run = ssapp_run_new_stored (store, list[i], &error);
    if (run == NULL) {
      ssui_window_fail (self, _ ("The run cannot be read"), error != NULL ? error->message : _ ("No project is open"));
      return NULL;
    }
    g_ptr_array_add (runs, run);
  }
  if (store != NULL && runs->len > 1)
    ssapp_run_tell_apart (store, runs);
  return g_steal_pointer (&runs);
}

/* What the page shows; on the Sketch page the sketch itself, with its motion if there is one. */
static GPtrArray *
page_runs (SsuiWindow *self)
{
  GPtrArray *shown = ssui_window_get_shown (self).runs;
  SsappDocument *document = ssui_window_get_document (self);
  g_autoptr (GPtrArray) methods = NULL;
  GPtrArray *runs;

  if (shown != NULL)
    return g_ptr_array_ref (shown);
  if (ssapp_session_runs_are_current (self->session))
    return g_ptr_array_ref (ssapp_session_get_runs (self->session));
  methods = ssapp_session_list_methods (self->session);
  runs = g_ptr_array_new_with_free_func (g_object_unref);
  if (methods->len > 0) {
    SsappRun *run = ssapp_run_new (ssapp_document_get_text (document), g_ptr_array_index (methods, 0), NULL);
    if (run != NULL)
      g_ptr_array_add (runs, run);
  }
  return runs;
}

/* ---- writing ----------------------------------------------------------------------------------------------------- */

/* Region and layers as the page shows its motions. */
static void
use_look (SsuiWindow *self, SsappFigureOptions *options)
{
  SsuiPlayer *player = ssui_window_get_player (self);

  ssapp_region_init (&options->region);
  if (player == NULL)
    return;
  options->region = *ssui_motion_look_get_region (ssui_player_get_look (player));
  options->layers = ssui_motion_look_get_layers (ssui_player_get_look (player));
  options->forces_of = ssui_motion_look_get_forces_of (ssui_player_get_look (player));
}

/* The number of the bands in the channel plots; NULL: none of the runs shows one. */
static const char *
shown_band (SsuiWindow *self, GPtrArray *runs)
{
  const char *band = ssui_channel_plots_get_band (ssui_window_get_parts (self, &ssui_run_page).channel_plots);

  for (guint i = 0; band != NULL && i < runs->len; i++)
    if (ssapp_bands_has (g_ptr_array_index (runs, i), band))
      return band;
  return NULL;
}

/* `name` "plots": the channel plots of the Run page; other kinds are told by the figure alone. asked: a kind with its
 * answers, "picture:180:events": width in millimetres, instants that stand side by side. */
static gboolean
export_picture (SsuiWindow *self, const char *name, const SsappPlotKind *plot, GPtrArray *runs, const char *asked,
                const char *path, GError **error)
{
  g_auto (GStrv) answers = g_strsplit (asked, ":", 3);
  const guint n_answers = g_strv_length (answers);
  const double width = n_answers > 1 ? g_ascii_strtod (answers[1], NULL) : 0;
  const char *instants = n_answers > 2 ? answers[2] : "";
  double snapshots[SSAPP_INSTANTS_MOST];
  g_autofree char *channels = ssui_channel_plots_dup_shown (ssui_window_get_parts (self, &ssui_run_page).channel_plots);
  g_autofree SsappFigureRun *figures = g_new0 (SsappFigureRun, runs->len);
  const gboolean has_iterations = ssapp_run_get_kind (g_ptr_array_index (runs, 0)) == SS_METHOD_OPTIMISER;
  SsappFigureOptions options = {
      .width_mm = width > 0 ? width : usual_width (plot, runs), .dpi = PRINT_DPI, .time = NAN};

  SsuiPlotChoice *choice = ssui_window_get_plots (self).plot_choice;

  use_look (self, &options);
  for (guint i = 0; i < runs->len; i++)
    ssapp_run_fill_figure (g_ptr_array_index (runs, i), &figures[i]);
  if ((plot->takes & (SSAPP_TAKES_AXES | SSAPP_TAKES_NUMBERS)) != 0) /* what the page shows */
    ssui_plot_choice_get_axes (choice, plot, &options.x_channel, &options.y_channel);
  if ((plot->takes & SSAPP_TAKES_TIMES) != 0 && *instants != '\0') {
    options.snapshots = snapshots;
    options.n_snapshots = ssapp_instants_read (instants, figures, (int)runs->len, snapshots, error);
    if (options.n_snapshots == 0)
      return FALSE;
  }
  if ((plot->takes & SSAPP_TAKES_CONTACT) != 0)
    options.contact = ssui_plot_choice_get_contact (choice);
  if (strcmp (name, "plots") == 0) {
    options.channels = channels;
    options.band = shown_band (self, runs);
  }
  if (!has_iterations && plot == ssapp_plot_find ("convergence"))
    plot = ssapp_plot_find ("channels"); /* its curves over time */
  return ssapp_export_figure (plot, ssapp_run_get_scenario (g_ptr_array_index (runs, 0)), figures, (int)runs->len,
                              &options, path, error);
}

/* ---- films and pages: seconds of work, so on a thread, with a toast that can stop it ----------------------------- */

ACTION (on_export_cancel)
{
  SsuiWindow *self = data;
  UNUSED_ACTION;
  if (self->film != NULL)
    g_cancellable_cancel (self->film);
}

static void
on_film_ended (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (SsuiWindow) self = data;
  g_autoptr (GError) error = NULL;
  gboolean done = ssapp_export_figure_finish (result, &error);

  (void)source;
  if (self->film_toast != NULL)
    adw_toast_dismiss (self->film_toast);
  g_clear_object (&self->film_toast);
  g_clear_object (&self->film);
  g_clear_handle_id (&self->film_look, g_source_remove);
  if (self->session == NULL) /* the window has been closed meanwhile */
    return;
  if (done) {
    self->n_exports++;
    ssui_window_queue_state (self);
    ssui_window_toast (self, self->film_is_page ? _ ("Exported the web page") : _ ("Exported the film"));
  } else if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    ssui_window_toast (self,
                       self->film_is_page ? _ ("The web page was not finished") : _ ("The film was not finished"));
  else
    ssui_window_fail (self, _ ("Not exported"), error->message);
}

/* FALSE after saying so: one is being made. */
static gboolean
begin_film (SsuiWindow *self, gboolean is_page)
{
  if (self->film != NULL) {
    ssui_window_toast (self, self->film_is_page ? _ ("Another web page is still being made")
                                                : _ ("Another film is still being drawn"));
    return FALSE;
  }
  self->film_is_page = is_page;
  self->film = g_cancellable_new ();
  self->film_toast = g_object_ref_sink (adw_toast_new (is_page ? _ ("Making the web page…") : _ ("Drawing the film…")));
  adw_toast_set_timeout (self->film_toast, 0);
  adw_toast_set_button_label (self->film_toast, _ ("Cancel"));
  adw_toast_set_action_name (self->film_toast, "win.export-cancel");
  adw_toast_overlay_add_toast (self->toasts, g_object_ref (self->film_toast));
  return TRUE;
}

/* What films are asked, in the order of their answers: pixels across, pictures a second (a GIF has at most 50), seconds
 * of motion in a second (0: real time; very short motions are slower). */
static const char *const
    film_widths[] = {"640", "960", "1280", "1920", NULL},
    *const film_width_labels[] = {N_ ("640 pixels"), N_ ("960 pixels"), N_ ("1280 pixels"), N_ ("1920 pixels"), NULL},
    *const film_rates[] = {"10", "25", "30", "50", "60", NULL}, *const film_speeds[] = {"0",    "0.01", "0.1",
                                                                                        "0.25", "0.5",  "1",
                                                                                        "2",    "10",   NULL},
    *const film_speed_labels[] = {
        N_ ("real time, short motions slower"), "1/100", "1/10", "1/4", "1/2", N_ ("real time"), "2", "10", NULL};
static const double USUAL_FILM[] = {960, 25, 0};

/* In the thread that draws the film. */
static void
on_film_picture (int n_done, int n_frames, gpointer data)
{
  SsuiWindow *self = data;

  g_atomic_int_set (&self->film_percent, (int)((gint64)100 * n_done / MAX (n_frames, 1)));
}

static gboolean
on_film_look (gpointer data)
{
  SsuiWindow *self = data;
  g_autofree char *title =
      g_strdup_printf (_ ("Drawing the film: %d %%"), g_atomic_int_get (&self->film_percent)); /* of its pictures */

  if (self->film_toast != NULL)
    adw_toast_set_title (self->film_toast, title);
  return G_SOURCE_CONTINUE;
}

/* kind: "film:1280:50:0.5", or the first of these. */
static void
export_film (SsuiWindow *self, const char *kind, GPtrArray *runs, const char *path)
{
  g_autofree SsappFigureRun *figures = g_new0 (SsappFigureRun, runs->len);
  g_auto (GStrv) asked = g_strsplit (kind, ":", 1 + (int)G_N_ELEMENTS (USUAL_FILM));
  double chosen[G_N_ELEMENTS (USUAL_FILM)];

  for (guint i = 0, n = g_strv_length (asked); i < G_N_ELEMENTS (USUAL_FILM); i++)
    chosen[i] = i + 1 < n ? g_ascii_strtod (asked[i + 1], NULL) : USUAL_FILM[i];

  if (!begin_film (self, FALSE))
    return;
  self->film_percent = 0;
  self->film_look = g_timeout_add (LOOK_MS, on_film_look, self);
  for (guint i = 0; i < runs->len; i++)
    ssapp_run_fill_figure (g_ptr_array_index (runs, i), &figures[i]);
  SsappFigureOptions options = {.width_mm = chosen[0] / SSAPP_FILM_DPI_MAX * MM_PER_INCH,
                                .dpi = SSAPP_FILM_DPI_MAX,
                                .time = NAN,
                                .frames_per_second = chosen[1],
                                .speed = chosen[2],
                                .cancellable = self->film,
                                .progress = on_film_picture,
                                .progress_data = self};
  use_look (self, &options);
  ssapp_export_figure_async (ssapp_plot_find ("motion"), ssapp_run_get_scenario (g_ptr_array_index (runs, 0)), figures,
                             (int)runs->len, &options, path, on_film_ended, g_object_ref (self));
}

/* "a.csv" for one run, "a-crisp.csv", "a-ipopt.csv" for several; two of one method get numbers. */
static char *
path_for_run (const char *path, GPtrArray *runs, guint index)
{
  const char *dot = strrchr (path, '.'), *slash = strrchr (path, G_DIR_SEPARATOR);
  gsize stem = dot != NULL && (slash == NULL || dot > slash) ? (gsize)(dot - path) : strlen (path);
  const char *method = ssapp_run_get_method (g_ptr_array_index (runs, index)).name;
  guint same_before = 0;
  g_autofree char *number = NULL;

  if (runs->len == 1)
    return g_strdup (path);
  for (guint i = 0; i < index; i++)
    same_before += strcmp (ssapp_run_get_method (g_ptr_array_index (runs, i)).name, method) == 0 ? 1 : 0;
  number = same_before > 0 ? g_strdup_printf ("-%u", same_before + 1) : g_strdup ("");
  return g_strdup_printf ("%.*s-%s%s%s", (int)stem, path, method, number, path + stem);
}

/* A page for each run, which computes itself or does not; of those on the Run page with the channels that are plotted
 * there. */
static gboolean
export_pages (SsuiWindow *self, GPtrArray *runs, gboolean is_live, const char *path)
{
  const gboolean is_shown = runs == ssui_window_get_parts (self, &ssui_run_page).runs && runs->len == 1;
  g_autofree char *channels =
      is_shown ? ssui_channel_plots_dup_shown (ssui_window_get_parts (self, &ssui_run_page).channel_plots) : NULL;
  g_autofree SsappRunPage *made = g_new0 (SsappRunPage, runs->len);
  g_autofree SsappPage *pages = g_new0 (SsappPage, runs->len);
  g_auto (GStrv) paths = g_new0 (char *, runs->len + 1);
  gboolean ok = TRUE;

  for (guint i = 0; i < runs->len; i++) {
    ok = ssapp_run_page_init (&made[i], g_ptr_array_index (runs, i), ssapp_session_get_store (self->session),
                              channels != NULL && *channels != '\0' ? channels : NULL) &&
         ok;
    pages[i] = made[i].page;
    pages[i].is_live = is_live;
    paths[i] = path_for_run (path, runs, i);
  }
  if (!ok)
    ssui_window_fail (self, _ ("Not exported"), _ ("The scenario of the run can no longer be read"));
  else if ((ok = begin_film (self, TRUE)))
    ssapp_page_export_async (pages, (const char *const *)paths, (int)runs->len, self->film, on_film_ended,
                             g_object_ref (self));
  for (guint i = 0; i < runs->len; i++)
    ssapp_run_page_clear (&made[i]);
  return ok;
}

static gboolean
export_data (const char *kind, GPtrArray *runs, const char *path, GError **error)
{
  for (guint i = 0; i < runs->len; i++) {
    SsappRun *run = g_ptr_array_index (runs, i);
    g_autofree char *target = path_for_run (path, runs, i);
    if (strcmp (kind, "log") == 0) {
      GArray *iterations = ssapp_run_get_iterations (run);
      if (iterations == NULL || iterations->len == 0) {
        g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, _ ("%s has no iterations to write"),
                     ssapp_run_get_label (run));
        return FALSE;
      }
      g_autofree char *raw = ssapp_run_dup_log (run);
      if (!ssapp_export_log (iterations, ssapp_run_get_label (run), raw, target, error))
        return FALSE;
    } else {
      const SsTrajectory *trajectory = ssapp_run_has_motion (run) ? ssapp_run_get_motion (run) : NULL;
      if (trajectory == NULL) {
        g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, _ ("%s has no motion to write"),
                     ssapp_run_get_label (run));
        return FALSE;
      }
      if (strcmp (kind, "controller") == 0) {
        const SsappTableRun table = {
            .label = ssapp_run_get_label (run), .scenario = ssapp_run_get_scenario (run), .trajectory = trajectory};
        if (!ssapp_export_table (ssapp_plot_find (kind), &table, target, error))
          return FALSE;
        continue;
      }
      g_autoptr (GArray) members = ssapp_run_list_motions (run);
      const gboolean done = members->len > 0
                                ? ssapp_export_branches_csv ((const SsappBranchMotion *)(const void *)members->data,
                                                             (int)members->len, target, error)
                                : ssapp_export_trajectory_csv (trajectory, target, error);
      if (!done)
        return FALSE;
    }
  }
  return TRUE;
}

/* The runs of the ids, else of the page; NULL after telling the user why. */
static GPtrArray *
runs_to_export (SsuiWindow *self, const char *ids)
{
  return *ids != '\0' ? ssui_window_load_runs (self, ids) : page_runs (self);
}

/* kind: a plot, picture, log, trajectory, ..., with what export_picture or export_film is asked; ids with commas, "":
 * the page's runs. */
static gboolean export(SsuiWindow *self, const char *kind, const char *ids, const char *path)
{
  const SsuiExport *export = ssui_export_find (kind);
  g_autoptr (GPtrArray) runs = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *name = g_path_get_basename (path), *text = NULL;
  gboolean done;

  if (export == NULL) {
    g_autofree char *all = ssui_exports_list ();
    text = g_strdup_printf (_ ("“%s” is nothing to export (%s)"), kind, all);
    ssui_window_fail (self, "", text);
    return FALSE;
  }
  runs = runs_to_export (self, ids);
  if (runs == NULL)
    return FALSE;
  if (runs->len == 0) {
    ssui_window_toast (self, _ ("There is no run to export yet"));
    return FALSE;
  }
  if (!ssapp_endings_check (export->file, path, &error)) {
    ssui_window_fail (self, _ ("Not exported"), error->message);
    return FALSE;
  }
  if (strcmp (export->kind, "film") == 0) {
    export_film (self, kind, runs, path);
    return TRUE;
  }
  if (strcmp (kind, "page") == 0 || strcmp (kind, SSUI_EXPORT_LIVE) == 0)
    return export_pages (self, runs, strcmp (kind, SSUI_EXPORT_LIVE) == 0, path);
  done = export->is_painted ? export_picture (self, export->kind, export->plot, runs, kind, path, &error)
                            : export_data (kind, runs, path, &error);
  if (!done) {
    ssui_window_fail (self, _ ("Not exported"), error->message);
    return FALSE;
  }
  self->n_exports++;
  ssui_window_queue_state (self);
  text = g_strdup_printf (_ ("Exported “%s”"), name);
  ssui_window_toast (self, text);
  return TRUE;
}

static void
export_now (SsuiWindow *self, const char *path)
{
  const char *kind = g_object_get_data (G_OBJECT (self), "export-kind"),
             *ids = g_object_get_data (G_OBJECT (self), "export-ids");
  g_autofree char *sized = self->answer != NULL ? g_strdup_printf ("%s:%s", kind, self->answer) : g_strdup (kind);

  export(self, sized, ids, path);
}

static void
open_dialog (SsuiWindow *self, const char *kind, const char *ids)
{
  static const char *const widths[] = {"88", "180", NULL}, *const labels[] = {N_ ("88 mm, one column"),
                                                                              N_ ("180 mm, the whole page"), NULL};
  const SsuiExport *export = ssui_export_find (kind);
  if (strcmp (kind, "archive") == 0) {
    ssui_window_archive_dialog (self, ids);
    return;
  }
  g_autofree char *name = NULL, *title = NULL;
  g_autoptr (GPtrArray) runs = NULL;
  SsuiQuestion question = {_ ("Width"), widths[0], widths, labels, NULL};
  static const char *const instants[] = {"", "events", "even:4", "even:6", "even:9", NULL},
                           *const instant_labels[] = {N_ ("as many as fit"), N_ ("at events"), "4", "6", "9", NULL};
  const SsuiQuestion shown = {_ ("Instants"), instants[0], instants, instant_labels, NULL};
  if (export != NULL && (export->plot->takes & SSAPP_TAKES_TIMES) != 0)
    question.next = &shown;
  const SsuiQuestion speed = {_ ("Speed"), film_speeds[0], film_speeds, film_speed_labels, NULL},
                     rate = {_ ("Pictures a Second"), film_rates[1], film_rates, film_rates, &speed},
                     film = {_ ("Width"), film_widths[1], film_widths, film_width_labels, &rate};
  gboolean is_film = strcmp (kind, "film") == 0;

  if (export == NULL)
    return;
  if (strcmp (kind, SSUI_EXPORT_LIVE) == 0 && ssapp_page_live_lack () != NULL) {
    ssui_window_fail (self, _ ("Not exported"), ssapp_page_live_lack ());
    return;
  }
  runs = runs_to_export (self, ids);
  if (runs == NULL)
    return;
  if (self->settings != NULL && g_settings_get_int (self->settings, "figure-width") > 0)
    question.usual = g_settings_get_int (self->settings, "figure-width") > (int)NARROW_MM ? widths[1] : widths[0];
  else if (usual_width (export->plot, runs) == WIDE_MM)
    question.usual = widths[1];
  g_object_set_data_full (G_OBJECT (self), "export-kind", g_strdup (kind), g_free);
  g_object_set_data_full (G_OBJECT (self), "export-ids", g_strdup (ids), g_free);
  g_auto (GStrv) patterns = ssapp_endings_patterns (export->file);
  name = g_strdup_printf ("%s-%s%s", ssapp_document_get_name (ssui_window_get_document (self)), export->stem,
                          patterns[0] + 1);
  title = g_strdup_printf (_ ("Export %s"), _ (export->heading));
  ssui_window_choose_file (self, title, GTK_FILE_CHOOSER_ACTION_SAVE, _ ("_Export"), name,
                           (const char *const *)patterns,
                           is_film              ? &film
                           : export->is_painted ? &question
                                                : NULL,
                           export_now);
}

ACTION (on_export)
{
  const char *path = g_variant_get_string (parameter, NULL);
  (void)action;
  export(data, g_str_has_suffix (path, ".csv") ? "log" : "figure", "", path);
}

ACTION (on_export_to)
{
  const char *kind, *ids, *path;
  (void)action;
  g_variant_get (parameter, "(&s&s&s)", &kind, &ids, &path);
  export(data, kind, ids, path);
}

ACTION (on_export_dialog)
{
  (void)action;
  if (strcmp (g_variant_get_string (parameter, NULL), "figure") != 0 ||
      !ssui_window_pass_on (data, "export-dialog::figure"))
    open_dialog (data, g_variant_get_string (parameter, NULL), "");
}

ACTION (on_export_run)
{
  const char *kind, *ids;
  (void)action;
  g_variant_get (parameter, "(&s&s)", &kind, &ids);
  open_dialog (data, kind, ids);
}

static const SsuiCommand commands[] = {
    {.name = "export-dialog",
     .activate = on_export_dialog,
     .parameter_type = "s" /* kind */,
     .keys = "<Control>e",
     .target = "::figure",
     .group = SSUI_KEYS_GENERAL,
     .title = N_ ("Export figure")},
    {.name = "export-run", .activate = on_export_run, .parameter_type = "(ss)" /* kind, ids */},
    {.name = "export", .activate = on_export, .parameter_type = "s" /* path */},
    {.name = "export-to", .activate = on_export_to, .parameter_type = "(sss)" /* kind, ids, path */},
    {.name = "export-cancel", .activate = on_export_cancel},
};

const SsuiSubject ssui_export_commands = {commands, G_N_ELEMENTS (commands), NULL, NULL};
