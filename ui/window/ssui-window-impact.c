/* ui/window/ssui-window-impact.c: commands of the Impact page. */
#include "ui/window/ssui-window-private.h"

#include "app/export/ssapp-file-kind.h"
#include "app/job/ssapp-compliant.h"
#include "ui/parts/ssui-util.h"

#include <glib/gi18n.h>
#include <string.h>

static SsappImpactSet *
set_of (SsuiWindow *self)
{
  return ssapp_session_get_impact (self->session);
}

/* ---- where it comes from ----------------------------------------------------------------------------------------- */

static SsappImpactSource *
source_of_run (SsuiWindow *self, GError **error)
{
  GPtrArray *runs = ssapp_session_get_runs (self->session);
  SsappRun *run = runs->len > 0 ? g_ptr_array_index (runs, 0) : NULL;

  if (run == NULL || !ssapp_run_has_motion (run)) {
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, _ ("There is no run with a motion on the Run page"));
    return NULL;
  }
  return ssapp_impact_source_new_from_scene (
      ssapp_run_get_scenario_text (run), ssapp_run_get_label (run), ssapp_run_get_motion (run),
      ssapp_run_to_time (
          run, ssui_clock_get_time (ssui_player_get_clock (ssui_window_get_parts (self, &ssui_run_page).player))),
      error);
}

static void
take_source (SsuiWindow *self, const char *from)
{
  SsappDocument *document = ssui_window_get_document (self);
  g_autoptr (SsappImpactSource) source = NULL;
  g_autoptr (GError) error = NULL;

  if (strcmp (from, "sketch") == 0)
    source = ssapp_impact_source_new_from_scene (ssapp_document_get_text (document),
                                                 ssapp_document_get_title (document), NULL, 0, &error);
  else if (strcmp (from, "run") == 0)
    source = source_of_run (self, &error);
  else
    source = ssapp_impact_source_new_from_file (from, &error);
  ssui_impact_page_take_source (IMPACT_PAGE (self), source, error != NULL ? error->message : NULL);
  ssui_window_queue_state (self);
}

ACTION (on_source)
{
  (void)action;
  take_source (data, g_variant_get_string (parameter, NULL));
}

static void
open_now (SsuiWindow *self, const char *path)
{
  take_source (self, path);
}

ACTION (on_open_dialog)
{
  static const char *const patterns[] = {"*.json", NULL};
  UNUSED_ACTION;
  ssui_window_choose_file (data, _ ("Open a Configuration at an Impact"), GTK_FILE_CHOOSER_ACTION_OPEN, _ ("_Open"),
                           NULL, patterns, NULL, open_now);
}

gboolean
ssui_window_open_impact (SsuiWindow *self, const char *id)
{
  SsappStore *store = ssapp_session_get_store (self->session);
  SsappRunRow *row = store != NULL ? ssapp_store_get_sound_run (store, id, NULL) : NULL;
  const gboolean is_impact = row != NULL && row->kind == SS_METHOD_IMPACT_LAW;

  if (is_impact) {
    g_autoptr (GError) error = NULL;
    g_autofree char *text = ssapp_store_get_scenario_text (store, row->id, &error);
    g_autoptr (SsappImpactSource) source = NULL;
    if (text != NULL && strstr (text, "\"v_pre\"") != NULL)
      source = ssapp_impact_source_new_from_text (text, row->scenario_name, &error);
    else if (text != NULL)
      source = ssapp_impact_source_new_from_scene (text, row->scenario_name, NULL, 0, &error);
    ssui_impact_page_take_source (IMPACT_PAGE (self), source, error != NULL ? error->message : NULL);
    ssui_window_show_page (self, "impact");
  }
  ssapp_run_row_free (row);
  return is_impact;
}

/* ---- what is shown ----------------------------------------------------------------------------------------------- */

ACTION (on_parameter)
{
  SsuiWindow *self = data;
  const char *name, *value;
  (void)action;
  g_variant_get (parameter, "(&s&s)", &name, &value);
  if (!ssui_impact_page_set_parameter (IMPACT_PAGE (self), name, value)) {
    g_autofree char *text = g_strdup_printf (_ ("“%s” cannot be set to “%s”"), name, value);
    ssui_window_fail (self, "", text);
  }
}

ACTION (on_layer)
{
  int layer;
  gboolean is_on;
  (void)action;
  g_variant_get (parameter, "(ib)", &layer, &is_on);
  ssapp_impact_set_set_layer (set_of (data), (SsappImpactLayer)layer, is_on);
}

ACTION (on_plane)
{
  int plane, x, y;
  (void)action;
  g_variant_get (parameter, "(iii)", &plane, &x, &y);
  if (plane >= 0 && plane < SSAPP_IMPACT_PLANES && x >= 0 && y >= 0)
    ssapp_impact_set_set_plane (set_of (data), plane, x, y);
}

ACTION (on_keep)
{
  SsappImpactSource *source = ssapp_impact_set_get_source (set_of (data));
  UNUSED_ACTION;
  if (source == NULL)
    return;
  g_autofree char *name = ssapp_impact_set_dup_name (set_of (data));
  ssapp_impact_set_keep_other (set_of (data), name);
  ssapp_impact_set_set_layer (set_of (data), SSAPP_IMPACT_LAYER_OTHER, TRUE);
  ssui_window_toast (data, _ ("The set is kept: it stays, in one colour with a dotted hull, whatever you change"));
}

ACTION (on_choose)
{
  (void)action;
  ssapp_impact_set_choose (set_of (data), g_variant_get_int64 (parameter));
}

ACTION (on_mode)
{
  (void)action;
  ssapp_impact_set_choose_mode (set_of (data), g_variant_get_int32 (parameter));
}

ACTION (on_next)
{
  (void)action;
  ssapp_impact_set_choose_next (set_of (data), g_variant_get_int32 (parameter) < 0 ? -1 : 1);
}

ACTION (on_step)
{
  SsappImpactSet *set = set_of (data);
  (void)action;
  ssapp_impact_set_set_step (set, ssapp_impact_set_get_step (set) + g_variant_get_int32 (parameter));
}

ACTION (on_nearest)
{
  const double scale[2] = {1, 1};
  double value[2];
  int plane;
  (void)action;
  g_variant_get (parameter, "(idd)", &plane, &value[0], &value[1]);
  if (plane >= 0 && plane < SSAPP_IMPACT_PLANES)
    ssapp_impact_set_choose_nearest (set_of (data), plane, value, scale);
}

ACTION (on_brush)
{
  double box[4];
  int plane;
  (void)action;
  g_variant_get (parameter, "(idddd)", &plane, &box[0], &box[1], &box[2], &box[3]);
  if (plane >= 0 && plane < SSAPP_IMPACT_PLANES)
    ssapp_impact_set_brush (set_of (data), plane, box);
}

ACTION (on_brush_mode)
{
  const int number = g_variant_get_int32 (parameter);
  (void)action;
  if (number < 0)
    ssapp_impact_set_clear_brush (set_of (data));
  else
    ssapp_impact_set_brush_mode (set_of (data), number);
}

ACTION (on_brush_energy)
{
  double low, high;
  (void)action;
  g_variant_get (parameter, "(dd)", &low, &high);
  ssapp_impact_set_brush_energy (set_of (data), low, high);
}

ACTION (on_lower)
{
  (void)action;
  ssui_impact_page_show_lower (IMPACT_PAGE (data), g_variant_get_string (parameter, NULL));
}

ACTION (on_stop_sweep)
{
  UNUSED_ACTION;
  ssapp_impact_set_stop_compliant (set_of (data));
}

ACTION (on_sweep)
{
  const char *name = g_variant_get_string (parameter, NULL);
  SsCompliantSweep sweep;
  (void)action;
  if (ssapp_compliant_sweep_from_name (name, &sweep))
    ssapp_impact_set_set_sweep (set_of (data), sweep);
}

ACTION (on_clear_brush)
{
  UNUSED_ACTION;
  ssapp_impact_set_clear_brush (set_of (data));
}

ACTION (on_rates)
{
  const SsImpact *impact = ssapp_impact_set_get_impact (set_of (data));
  gsize n;
  const double *rates = g_variant_get_fixed_array (parameter, &n, sizeof *rates);
  (void)action;
  if (impact != NULL)
    ssapp_impact_set_set_rates (set_of (data), rates, (int)n / impact->m);
}

/* ---- simulations ------------------------------------------------------------------------------------------------- */

static void
simulate (SsuiWindow *self, int most)
{
  SsappImpactSet *set = set_of (self);
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GArray) samples = ssapp_impact_set_pick (set, most);
  g_autoptr (GError) error = NULL;
  g_autofree char *note = NULL;

  if (samples->len == 0) {
    ssui_window_toast (self, _ ("Choose an outcome first"));
    return;
  }
  for (guint k = 0; k < samples->len && error == NULL; k++)
    g_ptr_array_add (texts, ssapp_impact_set_dup_scenario (set, g_array_index (samples, gint64, k), &error));
  note = g_strdup_printf (_ ("Outcomes of the impact of %s"),
                          ssapp_impact_source_get_name (ssapp_impact_set_get_source (set)));
  if (error != NULL || !ssapp_session_start_outcomes (self->session, texts, note, &error))
    ssui_window_fail (self, _ ("Not simulated"), error->message);
  else
    ssui_window_show_page (self, "run");
}

ACTION (on_simulate)
{
  UNUSED_ACTION;
  simulate (data, 1);
}

ACTION (on_simulate_all)
{
  UNUSED_ACTION;
  simulate (data, SSAPP_SESSION_OUTCOMES_MAX);
}

ACTION (on_fan)
{
  SsuiWindow *self = data;
  SsappImpactSet *set = set_of (self);
  g_autoptr (GError) error = NULL;
  g_autofree char *text = ssapp_impact_set_dup_scenario_before (set, &error), *note = NULL;
  UNUSED_ACTION;
  if (text != NULL)
    note = g_strdup_printf (_ ("Fan of the impact of %s"),
                            ssapp_impact_source_get_name (ssapp_impact_set_get_source (set)));
  if (text == NULL ||
      !ssapp_session_start_fan (self->session, text, &ssapp_impact_set_get_parameters (set)->options, note, &error))
    ssui_window_fail (self, _ ("Not simulated"), error->message);
  else
    ssui_window_show_page (self, "run");
}

/* ---- keeping ----------------------------------------------------------------------------------------------------- */

/* One thing to keep of the set. It waits until all samples are there: what is kept is what was asked for. */
typedef struct {
  char *kind; /* of ssapp_impact_set_export; NULL: into the project */
  char *path;
  double width; /* [mm] */
} Keeping;

static void
keeping_free (gpointer data)
{
  Keeping *keeping = data;
  g_free (keeping->kind);
  g_free (keeping->path);
  g_free (keeping);
}

static void
store_set (SsuiWindow *self)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *id = NULL;

  if (ssapp_session_ensure_store (self->session, &error))
    id = ssapp_impact_set_store (set_of (self), ssapp_session_get_store (self->session), &error);
  if (id == NULL)
    ssui_window_fail (self, _ ("Not stored"), error->message);
  else
    ssui_window_toast (self, _ ("The set is stored in the project"));
}

static void
export_set (SsuiWindow *self, const Keeping *keeping)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *name = g_path_get_basename (keeping->path), *text = g_strdup_printf (_ ("Exported “%s”"), name);

  if (ssapp_impact_set_export (set_of (self), keeping->kind, keeping->width, keeping->path, &error))
    ssui_window_toast (self, text);
  else
    ssui_window_fail (self, _ ("Not exported"), error->message);
}

static gboolean
is_whole (SsuiWindow *self)
{
  SsappImpactTotals totals;

  ssapp_impact_set_get_totals (set_of (self), &totals);
  return totals.n >= totals.n_wanted;
}

static void
keep_what_waits (SsuiWindow *self)
{
  if (self->impact_keepings->len == 0 || !is_whole (self))
    return;
  g_autoptr (GPtrArray) keepings = g_steal_pointer (&self->impact_keepings);
  self->impact_keepings = g_ptr_array_new_with_free_func (keeping_free);
  for (guint k = 0; k < keepings->len; k++) {
    const Keeping *keeping = g_ptr_array_index (keepings, k);
    if (keeping->kind == NULL)
      store_set (self);
    else
      export_set (self, keeping);
  }
}

static void
keep (SsuiWindow *self, const char *kind, const char *path, double width)
{
  Keeping *keeping = g_new0 (Keeping, 1);

  keeping->kind = g_strdup (kind);
  keeping->path = g_strdup (path);
  keeping->width = width;
  g_ptr_array_add (self->impact_keepings, keeping);
  if (!is_whole (self))
    ssui_window_toast (self, kind == NULL ? _ ("Stored once all samples are there")
                                          : _ ("Exported once all samples are there"));
  keep_what_waits (self);
}

ACTION (on_store)
{
  UNUSED_ACTION;
  keep (data, NULL, NULL, 0);
}

ACTION (on_export)
{
  const char *kind, *path;
  (void)action;
  g_variant_get (parameter, "(&s&s)", &kind, &path);
  keep (data, kind, path, 0);
}

static void
export_now (SsuiWindow *self, const char *path)
{
  keep (self, g_object_get_data (G_OBJECT (self), "impact-export-kind"), path,
        self->answer != NULL ? g_ascii_strtod (self->answer, NULL) : 0);
}

ACTION (on_export_dialog)
{
  static const char *const widths[] = {"88", "180", NULL}, *const labels[] = {N_ ("88 mm, one column"),
                                                                              N_ ("180 mm, the whole page"), NULL};
  static const struct {
    const char *kind, *title, *name, *file; /* file: of ssapp-file-kind.h */
  } kinds[] = {{"figure", N_ ("Export Figure"), "impact.pdf", "planes"},
               {"csv", N_ ("Export Samples"), "impact.csv", "samples"},
               {"table", N_ ("Export Shares"), "impact.tex", "shares"},
               {"configuration", N_ ("Export Configuration"), "impact.json", "configuration"}};
  const char *kind = g_variant_get_string (parameter, NULL);
  const SsuiQuestion question = {_ ("Width"), widths[1], widths, labels};
  (void)action;
  for (guint k = 0; k < G_N_ELEMENTS (kinds); k++)
    if (strcmp (kinds[k].kind, kind) == 0) {
      g_auto (GStrv) patterns = ssapp_endings_patterns (kinds[k].file);
      g_object_set_data_full (G_OBJECT (data), "impact-export-kind", g_strdup (kind), g_free);
      ssui_window_choose_file (data, _ (kinds[k].title), GTK_FILE_CHOOSER_ACTION_SAVE, _ ("_Export"), kinds[k].name,
                               (const char *const *)patterns, k == 0 ? &question : NULL, export_now);
    }
}

/* ---- table ------------------------------------------------------------------------------------------------------- */

static const SsuiCommand commands[] = {
    {.name = "impact-source", .activate = on_source, .parameter_type = "s" /* sketch|run|path */},
    {.name = "impact-open-dialog", .activate = on_open_dialog},
    {.name = "impact-parameter",
     .activate = on_parameter,
     .parameter_type = "(ss)" /* mu|angle|h|max-steps|seed|samples|policy|scene.NAME, value */},
    {.name = "impact-layer", .activate = on_layer, .parameter_type = "(ib)" /* layer's bit, on */},
    {.name = "impact-plane", .activate = on_plane, .parameter_type = "(iii)" /* plane, column along x, along y */},
    {.name = "impact-rates", .activate = on_rates, .parameter_type = "ad" /* rows of rates; none: no path */},
    {.name = "impact-keep", .activate = on_keep},
    {.name = "impact-choose", .activate = on_choose, .parameter_type = "x" /* sample */},
    {.name = "impact-mode", .activate = on_mode, .parameter_type = "i" /* number */},
    {.name = "impact-next", .activate = on_next, .parameter_type = "i" /* 1|-1 */},
    {.name = "impact-step", .activate = on_step, .parameter_type = "i" /* 1|-1 */},
    {.name = "impact-nearest", .activate = on_nearest, .parameter_type = "(idd)" /* plane, x, y */},
    {.name = "impact-brush",
     .activate = on_brush,
     .parameter_type = "(idddd)" /* plane, least x, largest x, least y, largest y */},
    {.name = "impact-brush-mode", .activate = on_brush_mode, .parameter_type = "i" /* number; -1: none */},
    {.name = "impact-brush-energy", .activate = on_brush_energy, .parameter_type = "(dd)" /* least, largest share */},
    {.name = "impact-lower", .activate = on_lower, .parameter_type = "s" /* sequence|energy|growth|rates */},
    {.name = "impact-sweep", .activate = on_sweep, .parameter_type = "s" /* ratio|angle */},
    {.name = "impact-stop-sweep", .activate = on_stop_sweep},
    {.name = "impact-clear-brush", .activate = on_clear_brush},
    {.name = "impact-simulate", .activate = on_simulate},
    {.name = "impact-simulate-all", .activate = on_simulate_all},
    {.name = "impact-fan", .activate = on_fan},
    {.name = "impact-store", .activate = on_store},
    {.name = "impact-export", .activate = on_export, .parameter_type = "(ss)" /* kind, path */},
    {.name = "impact-export-dialog", .activate = on_export_dialog, .parameter_type = "s" /* kind */},
};

static void
set_up (SsuiWindow *self)
{
  self->impact_keepings = g_ptr_array_new_with_free_func (keeping_free);
  g_signal_connect_object (set_of (self), "changed", G_CALLBACK (keep_what_waits), self, G_CONNECT_SWAPPED);
}

const SsuiSubject ssui_impact_commands = {commands, G_N_ELEMENTS (commands), set_up, NULL};
