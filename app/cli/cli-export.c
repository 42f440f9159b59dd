/* app/cli/cli-export.c: the verb `export`: figures, films, pages and tables of stored runs. */
#include "app/cli/cli-channels.h"
#include "app/cli/cli-common.h"
#include "app/cli/cli-page.h"

#include "app/export/ssapp-export.h"
#include "app/export/ssapp-instants.h"
#include "app/export/ssapp-page.h"
#include "app/draw/ssapp-clock.h"
#include "app/draw/ssapp-overlays.h"
#include "app/job/ssapp-certainty.h"
#include "app/job/ssapp-fan.h"
#include "app/job/ssapp-race.h"
#include "app/job/ssapp-tries.h"
#include "app/store/ssapp-store-shrink.h"
#include "app/study/ssapp-run-set.h"
#include "simulate/ss-replay.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define DEFAULT_DPI 300.0

/* A stored run, read back for drawing. */
typedef struct {
  SsappRunRow *row;
  SsScenario *scenario;                       /* with its own parameters; NULL until a figure is made */
  SsTrajectory *trajectory, *slopes, *worlds; /* NULL: it has no derivatives, was not tried in other worlds */
  GArray *iterations;
  GArray *events;   /* of SsappRunEvent */
  GPtrArray *fan;   /* of SsTrajectory, branches of a fan beside the answer */
  GArray *members;  /* of SsappBranchMotion: all of them, the answer first; empty: no fan */
  GArray *branches; /* of SsappFanMotion: those beside the answer, as they are drawn */
  double answer_share;
  SsTries tries; /* of the race, or the starts, that it is of */
  char **racers; /* names of the members of the race; NULL: it is none */
  char *label;   /* that tells it from the others */
} Loaded;

static void
loaded_free (Loaded *loaded)
{
  ssapp_run_row_free (loaded->row);
  ss_scenario_free (loaded->scenario);
  ss_trajectory_free (loaded->trajectory);
  ss_trajectory_free (loaded->slopes);
  ss_trajectory_free (loaded->worlds);
  g_clear_pointer (&loaded->iterations, g_array_unref);
  g_clear_pointer (&loaded->events, g_array_unref);
  g_clear_pointer (&loaded->fan, g_ptr_array_unref);
  g_clear_pointer (&loaded->members, g_array_unref);
  g_clear_pointer (&loaded->branches, g_array_unref);
  ss_tries_clear (&loaded->tries);
  g_strfreev (loaded->racers);
  g_free (loaded->label);
  g_free (loaded);
}

/* Branches of a fan, of which branch 0 is the answer. */
static void
load_fan (SsappStore *store, Loaded *loaded, const json_t *result, GError **error)
{
  const char *role = ss_motion_role_name (SS_MOTION_BRANCH);
  SsappFan *fan = ssapp_fan_from_json (result);

  loaded->fan = g_ptr_array_new_with_free_func ((GDestroyNotify)ss_trajectory_free);
  loaded->members = g_array_new (FALSE, TRUE, sizeof (SsappBranchMotion));
  loaded->branches = g_array_new (FALSE, TRUE, sizeof (SsappFanMotion));
  for (guint i = 0; fan != NULL && *error == NULL && i < fan->branches->len; i++) {
    const SsappFanBranch *branch = &g_array_index (fan->branches, SsappFanBranch, i);
    const SsappMotionKey key = {role, branch->branch, -1};
    SsTrajectory *own = branch->branch > 0 ? ssapp_store_get_motion (store, loaded->row->id, &key, error) : NULL;
    const SsappBranchMotion member = {own != NULL ? own : loaded->trajectory, branch->branch, branch->own.share};
    const SsappFanMotion drawn = {own, branch->own.t_fork, branch->own.share, branch->branch};
    if (own != NULL)
      g_ptr_array_add (loaded->fan, own);
    if (own != NULL && isfinite (branch->own.t_fork))
      g_array_append_val (loaded->branches, drawn);
    if (branch->branch == 0)
      loaded->answer_share = branch->own.share;
    if (member.motion != NULL && (own != NULL || branch->branch == 0))
      g_array_append_val (loaded->members, member);
  }
  ssapp_fan_free (fan);
}

/* What the result tells beside its numbers. Another local solution has the tries of the run that it belongs to. */
static void
load_result (SsappStore *store, Loaded *loaded, GError **error)
{
  const char *whole = loaded->row->solution_of;
  g_autofree char *text = ssapp_store_get_result_json (store, loaded->row->id, error);
  g_autofree char *of_whole =
      *whole != '\0' && *error == NULL ? ssapp_store_get_result_json (store, whole, error) : NULL;
  json_t *result = cli_parse_or_null (text), *with_tries = of_whole != NULL ? cli_parse_or_null (of_whole) : result;

  load_fan (store, loaded, result, error);
  ssapp_tries_from_json (with_tries, &loaded->tries);
  SsappRace *race = ssapp_race_from_json (json_object_get (with_tries, "race"));
  if (race != NULL)
    loaded->racers = g_steal_pointer (&race->names);
  ssapp_race_free (race);
  if (with_tries != result)
    json_decref (with_tries);
  json_decref (result);
}

static Loaded *
load (SsappStore *store, const char *name, GError **error)
{
  Loaded *loaded = g_new0 (Loaded, 1);
  gboolean is_thinned = FALSE;
  GError *local = NULL;

  loaded->row = ssapp_store_get_sound_run (store, name, &local);
  if (local == NULL)
    loaded->trajectory = ssapp_store_get_shown (store, loaded->row->id, &is_thinned, &local);
  if (is_thinned)
    fprintf (stderr, "stickslip-cli: the project keeps %d rows of the motion of run %s, to look at\n",
             loaded->trajectory->n_rows, loaded->row->id);
  if (local == NULL)
    loaded->iterations = ssapp_store_get_iterations (store, loaded->row->id, &local);
  json_t *events = json_object ();
  if (local == NULL)
    json_object_set_new (events, "events", ssapp_store_get_events (store, loaded->row->id, 0, &local));
  loaded->events = ssapp_run_events_from_json (events);
  json_decref (events);
  if (local == NULL)
    load_result (store, loaded, &local);
  if (local == NULL)
    loaded->slopes = ssapp_store_get_motion (store, loaded->row->id,
                                             &(SsappMotionKey){ss_motion_role_name (SS_MOTION_SLOPES), 0, -1}, &local);
  if (local == NULL)
    loaded->worlds = ssapp_store_get_motion (store, loaded->row->id,
                                             &(SsappMotionKey){ss_motion_role_name (SS_MOTION_WORLDS), 0, -1}, &local);
  if (local != NULL) {
    g_propagate_error (error, local);
    g_clear_pointer (&loaded, loaded_free);
  }
  return loaded;
}

/* Replaces the motions of replays by their distances to their plans. */
static gboolean
measure_replays (SsappStore *store, GPtrArray *runs, GError **error)
{
  for (guint i = 0; i < runs->len; i++) {
    Loaded *run = g_ptr_array_index (runs, i);
    SsReplayDistance distance;
    SsTrajectory *plan, *over_time = NULL;
    SsError err;
    SsStatus status;

    if (run->row->replay_of[0] == '\0') {
      g_set_error (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_FAILED, "run %s is no replay", run->row->id);
      return FALSE;
    }
    plan = ssapp_store_get_trajectory (store, run->row->replay_of, error);
    if (plan == NULL || run->trajectory == NULL || run->scenario->scene == NULL) {
      if (error != NULL && *error == NULL)
        g_set_error (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_NOT_FOUND, "run %s or its plan has no motion",
                     run->row->id);
      ss_trajectory_free (plan);
      return FALSE;
    }
    status = ss_replay_compare (run->scenario->scene, plan, run->trajectory, &distance, &over_time, &err);
    ss_trajectory_free (plan);
    if (status != SS_OK) {
      g_set_error_literal (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_FAILED, err.message);
      return FALSE;
    }
    ss_trajectory_free (run->trajectory);
    run->trajectory = over_time;
  }
  return TRUE;
}

/* Motions by their second clock, where that was asked for. */
static gboolean
tell_by_clock (const CliArgs *args, GPtrArray *runs, GError **error)
{
  const char *clock = cli_args_text (args, "--clock");

  for (guint i = 0; g_strcmp0 (clock, "second") == 0 && i < runs->len; i++) {
    Loaded *run = g_ptr_array_index (runs, i);
    SsTrajectory *told = ssapp_told_by_second_clock (run->trajectory);
    if (told == NULL) {
      g_set_error (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_NOT_FOUND, "run %s has no second clock", run->row->id);
      return FALSE;
    }
    ss_trajectory_free (run->trajectory);
    run->trajectory = told;
    for (guint b = 0; b < run->branches->len; b++) {
      SsappFanMotion *branch = &g_array_index (run->branches, SsappFanMotion, b);
      SsTrajectory *own = ssapp_told_by_second_clock (branch->motion);
      if (own == NULL) {
        g_set_error (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_FAILED, "a branch of run %s has no second clock",
                     run->row->id);
        return FALSE;
      }
      branch->from = ssapp_second_clock_at (branch->motion, branch->from);
      branch->motion = own;
      g_ptr_array_add (run->fan, own);
    }
  }
  return TRUE;
}

/* Branches of a fan, told by the clock of the run's trajectory. */
static void
fill_branches (const Loaded *run, SsappFigureRun *out)
{
  out->branches = (const SsappFanMotion *)(const void *)run->branches->data;
  out->n_branches = (int)run->branches->len;
  out->largest_share = ssapp_fan_largest_share (out->branches, out->n_branches, run->answer_share);
  for (guint i = 0; i < run->fan->len; i++) {
    SsStatus status = ss_scenario_describe (run->scenario, g_ptr_array_index (run->fan, i), NULL);
    (void)status; /* as above */
  }
}

/* Region, followed body and layers of motions. FALSE with an error. */
static gboolean
read_view (const CliArgs *args, SsappFigureOptions *options, GError **error)
{
  const char *region = cli_args_text (args, "--region"), *follow = cli_args_text (args, "--follow"),
             *layers = cli_args_text (args, "--layers");

  options->forces_of = cli_args_text (args, "--forces-of");
  if (options->forces_of != NULL)
    options->layers = ssapp_layers_default ();
  ssapp_region_init (&options->region);
  options->region.is_chosen = region != NULL;
  if (follow != NULL)
    g_strlcpy (options->region.follow, follow, sizeof options->region.follow);
  return (region == NULL || ssapp_region_parse (region, options->region.bounds, error)) &&
         (layers == NULL || ssapp_layers_parse (layers, &options->layers, error));
}

static SsappAnswer
answer_of (const SsappRunRow *row)
{
  return (SsappAnswer){strcmp (row->outcome, "running") != 0, ssapp_run_row_get_metric (row, SS_METRIC_OBJECTIVE),
                       ssapp_run_row_get_metric (row, SS_METRIC_MAX_VIOLATION)};
}

/* Of each run its own, since parameters may change a scene's shapes. */
static gboolean
load_scenarios (SsappStore *store, GPtrArray *runs, GError **error)
{
  for (guint i = 0; i < runs->len; i++) {
    Loaded *run = g_ptr_array_index (runs, i);
    run->scenario = cli_load_scenario (store, run->row, error);
    if (run->scenario == NULL)
      return FALSE;
  }
  return TRUE;
}

/* Runs that are called the same are called by what differs, as in figures of studies. */
static gboolean
tell_apart (SsappStore *store, GPtrArray *runs, GError **error)
{
  g_autoptr (GHashTable) steps = runs->len > 1 ? ssapp_store_list_steps (store, error) : NULL;
  g_autoptr (GPtrArray) rows = g_ptr_array_new ();
  g_auto (GStrv) names = g_new0 (char *, runs->len + 1);

  if (runs->len > 1 && steps == NULL)
    return FALSE;
  for (guint i = 0; i < runs->len; i++) {
    Loaded *run = g_ptr_array_index (runs, i);
    g_ptr_array_add (rows, run->row);
    names[i] = g_strdup (run->row->label);
  }
  g_autoptr (SsappRunSet) set = ssapp_run_set_new_with_steps (g_ptr_array_ref (rows), steps);
  ssapp_run_set_tell_apart (set, names);
  for (guint i = 0; i < runs->len; i++)
    ((Loaded *)g_ptr_array_index (runs, i))->label = g_strdup (names[i]);
  return TRUE;
}

/* One line of a terminal, written over. */
static void
tell_film (int n_done, int n_frames, gpointer data)
{
  (void)data;
  fprintf (stderr, "\r%d of %d pictures%s", n_done, n_frames, n_done == n_frames ? "\n" : "");
}

static gboolean
export_figure (const CliArgs *args, SsappStore *store, GPtrArray *runs, const SsappPlotKind *plot, const char *path,
               GError **error)
{
  SsappFigureOptions options = {.width_mm = cli_args_number (args, "--width", CLI_WIDTH_MM),
                                .dpi = DEFAULT_DPI,
                                .time = NAN,
                                .frames_per_second = cli_args_number (args, "--fps", 0),
                                .speed = cli_args_number (args, "--speed", 0),
                                .progress = isatty (STDERR_FILENO) ? tell_film : NULL,
                                .x_channel = cli_args_text (args, "--x"),
                                .y_channel = cli_args_text (args, "--y")};
  const char *times = cli_args_text (args, "--times");
  double snapshots[SSAPP_INSTANTS_MOST];

  if (!read_view (args, &options, error) || !load_scenarios (store, runs, error))
    return FALSE;
  const SsScenario *scenario = ((const Loaded *)g_ptr_array_index (runs, 0))->scenario;
  g_autofree char *channels = cli_channels_text (args);
  g_auto (GStrv) pair = channels != NULL ? g_strsplit (channels, ",", 2) : NULL;
  if ((plot->takes & SSAPP_TAKES_AXES) != 0 && channels != NULL) {
    options.x_channel = pair[0];
    options.y_channel = pair[1];
  } else
    options.channels = channels;
  options.contact = cli_args_text (args, "--contact");
  options.band = cli_args_text (args, "--band");
  if (!tell_by_clock (args, runs, error) ||
      ((plot->needs & SSAPP_NEEDS_REPLAYS) != 0 && !measure_replays (store, runs, error)))
    return FALSE;
  if (!tell_apart (store, runs, error))
    return FALSE;
  g_autofree SsappFigureRun *figure_runs = g_new0 (SsappFigureRun, runs->len);
  for (guint i = 0; i < runs->len; i++) {
    const Loaded *run = g_ptr_array_index (runs, i);
    SsStatus status = run->trajectory != NULL ? ss_scenario_describe (run->scenario, run->trajectory, NULL) : SS_OK;
    (void)status; /* without memory for them the units are missing, which is no reason to draw nothing */
    figure_runs[i] =
        (SsappFigureRun){.label = run->label,
                         .method = ssapp_run_row_get_method (run->row),
                         .trajectory = run->trajectory,
                         .iterations = run->iterations,
                         .outcome = run->row->outcome,
                         .events = run->events,
                         .scenario = run->scenario,
                         .answer = answer_of (run->row),
                         .slopes = run->slopes,
                         .tries = &run->tries,
                         .members = (const char *const *)run->racers,
                         .worlds = run->worlds,
                         .holds_controls = run->row->kind == SS_METHOD_OPTIMISER || run->row->replay_of[0] != '\0'};
    fill_branches (run, &figure_runs[i]);
  }
  if (times != NULL) {
    options.snapshots = snapshots;
    options.n_snapshots = ssapp_instants_read (times, figure_runs, (int)runs->len, snapshots, error);
    if (options.n_snapshots == 0)
      return FALSE;
  }
  return ssapp_export_figure (plot, scenario, figure_runs, (int)runs->len, &options, path, error);
}

/* Runs of impact laws have pictures and tables of their own, one run at a time. */
static gboolean
export_impact (const CliArgs *args, SsappStore *store, GPtrArray *runs, const char *plot, const char *path,
               GError **error)
{
  if (runs->len > 1) {
    g_set_error_literal (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_FAILED,
                         "runs of impact laws are exported one at a time");
    return FALSE;
  }
  return cli_export_impact (store, ((const Loaded *)g_ptr_array_index (runs, 0))->row, plot,
                            cli_args_number (args, "--width", CLI_WIDTH_MM), path, error);
}

/* Whether the export is that of an impact law's set or outcomes; an error where only one of run and plot is. */
static gboolean
is_impact_export (GPtrArray *runs, const char *name, const SsappPlotKind *plot, GError **error)
{
  const Loaded *first = g_ptr_array_index (runs, 0);
  const gboolean is_law = first->row->kind == SS_METHOD_IMPACT_LAW;

  if (plot->of == SSAPP_PLOT_IMPACT && !is_law)
    g_set_error (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_FAILED, "run %s is of no impact law: it has no %s",
                 first->row->id, plot->file.name);
  return is_law && (name == NULL || (plot->impact != NULL && strcmp (name, plot->file.name) == 0));
}

typedef struct {
  SsappStore *store;
  const char *id;
} LogOf;

static char *
dup_log (gconstpointer data, GError **error)
{
  const LogOf *of = data;

  return ssapp_store_get_log (of->store, of->id, error);
}

static gboolean
export_table (SsappStore *store, GPtrArray *runs, const SsappPlotKind *plot, const char *path, GError **error)
{
  const Loaded *run = g_ptr_array_index (runs, 0);

  if (runs->len > 1) {
    g_set_error_literal (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_FAILED,
                         "a log, a trajectory, a controller or a list of events is written for one run at a time");
    return FALSE;
  }
  if (strcmp (plot->file.name, "controller") == 0 && !load_scenarios (store, runs, error))
    return FALSE;
  const LogOf log = {store, run->row->id};
  const SsappTableRun rows = {.id = run->row->id,
                              .label = run->row->label,
                              .scenario = run->scenario,
                              .trajectory = run->trajectory,
                              .members = (const SsappBranchMotion *)(const void *)run->members->data,
                              .n_members = (int)run->members->len,
                              .iterations = run->iterations,
                              .events = run->events,
                              .dup_log = dup_log,
                              .data = &log};
  return ssapp_export_table (plot, &rows, path, error);
}

static int
fail_no_plot (const char *name)
{
  guint n;
  const SsappPlotKind *plots = ssapp_plot_kinds (&n);
  g_autoptr (GPtrArray) names = g_ptr_array_new ();

  for (guint i = 0; i < n; i++)
    if (ssapp_plot_is_of_runs (&plots[i]))
      g_ptr_array_add (names, (gpointer)plots[i].file.name);
  const char *nearest = ss_nearest_name (name, (const char *const *)names->pdata, (int)names->len);
  g_ptr_array_add (names, NULL);
  g_autofree char *all = g_strjoinv (", ", (char **)names->pdata);
  return cli_fail ("there is no plot '%s' (expected %s)", name, nearest != NULL ? nearest : all);
}

/* Options of one kind of figure do nothing elsewhere. */
static gboolean
check_figure_options (const CliArgs *args, const SsappPlotKind *plot, GError **error)
{
  static const struct {
    const char *option, *text; /* %s: the plots that take it */
    guint takes;
  } of_plots[] = {{"--x", "options --x and --y are for --plot %s", SSAPP_TAKES_AXES | SSAPP_TAKES_NUMBERS},
                  {"--y", "options --x and --y are for --plot %s", SSAPP_TAKES_AXES | SSAPP_TAKES_NUMBERS},
                  {"--times", "option --times is for --plot %s", SSAPP_TAKES_TIMES},
                  {"--band", "option --band is for --plot %s", SSAPP_TAKES_BAND},
                  {"--region", "option --region is for pictures of motions: --plot %s", SSAPP_TAKES_REGION},
                  {"--follow", "option --follow is for pictures of motions: --plot %s", SSAPP_TAKES_REGION},
                  {"--forces-of", "option --forces-of is for pictures of motions: --plot %s", SSAPP_TAKES_REGION},
                  {"--layers", "option --layers is for pictures of motions: --plot %s", SSAPP_TAKES_REGION}};
  const char *times = cli_args_text (args, "--times");
  double unused[SSAPP_INSTANTS_MOST];

  for (guint i = 0; i < G_N_ELEMENTS (of_plots); i++)
    if (cli_args_text (args, of_plots[i].option) != NULL && (plot->takes & of_plots[i].takes) == 0) {
      g_autofree char *plots = ssapp_plots_that_take (of_plots[i].takes, " or ");
      const char *at = strstr (of_plots[i].text, "%s");
      g_set_error (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_FAILED, "%.*s%s%s", (int)(at - of_plots[i].text),
                   of_plots[i].text, plots, at + 2);
      return FALSE;
    }
  return (times == NULL || ssapp_instants_read (times, NULL, 0, unused, error) > 0) &&
         cli_channels_check (args, plot, error);
}

/* What a plot, a clock and a file's ending do not go together for; CLI_OK: nothing. */
static int
check_export (const CliArgs *args, const char *name, const SsappPlotKind *plot, const char *to)
{
  const char *clock = cli_args_text (args, "--clock");
  const gboolean is_second = g_strcmp0 (clock, "second") == 0;
  g_autoptr (GError) error = NULL;

  if (clock != NULL && !is_second && strcmp (clock, "time") != 0)
    return cli_fail ("there is no clock '%s' (expected time or second)", clock);
  if (plot == NULL)
    return fail_no_plot (name);
  if (is_second && (plot->of == SSAPP_PLOT_TABLE || (plot->needs & SSAPP_NEEDS_REPLAYS) != 0))
    return cli_fail ("%s: --clock second is for pictures of motions; a table has the column of the second clock", name);
  if (plot->of == SSAPP_PLOT_FIT)
    return cli_fail ("%s is %s of a fit, which is no run: fit FILE --motion ... --plot %s --figure FILE", name,
                     plot->file.about, name);
  if (plot->of == SSAPP_PLOT_PULL)
    return cli_fail (
        "%s is %s of a scene, which is no run: pull FILE --want ... --change ... --range NAME --figure FILE", name,
        plot->file.about);
  const int status = cli_check_ending (plot->file.name, to);
  if (status == CLI_OK &&
      !check_figure_options (args, plot->of == SSAPP_PLOT_IMPACT ? ssapp_plot_find ("full") : plot, &error))
    return cli_fail ("%s", error->message);
  return status;
}

/* Those that are named, then that of --difference; with what there was before `error`. */
static GPtrArray *
load_runs (const CliArgs *args, SsappStore *store, GError **error)
{
  GPtrArray *runs = g_ptr_array_new_with_free_func ((GDestroyNotify)loaded_free);
  const int n_named = cli_args_n_positional (args);
  const char *other = cli_args_text (args, "--difference");
  Loaded *loaded = NULL;

  for (int i = 0; i < n_named + (other != NULL) && (i == 0 || loaded != NULL); i++) {
    loaded = load (store, i < n_named ? cli_args_positional (args, i) : other, error);
    if (loaded != NULL)
      g_ptr_array_add (runs, loaded);
  }
  return runs;
}

int
cli_export (const CliArgs *args)
{
  const char *name = cli_args_text (args, "--plot"), *to = cli_args_text (args, "--to");
  const SsappPlotKind *plot = ssapp_plot_find (name != NULL ? name : "full");
  GError *error = NULL;

  if (to == NULL)
    return cli_fail ("'export' needs --to FILE");
  if (ssapp_page_is_name (to) && (name == NULL || strcmp (name, "motion") == 0))
    return cli_export_page (args);
  int status = check_export (args, name, plot, to);
  SsappStore *store = status == CLI_OK ? cli_open_to_read (args, NULL, &status) : NULL;
  if (store == NULL)
    return status;
  g_autoptr (GPtrArray) runs = load_runs (args, store, &error);
  const gboolean is_impact = error == NULL && is_impact_export (runs, name, plot, &error);
  if (is_impact)
    export_impact (args, store, runs, name, to, &error);
  else if (error == NULL && plot->of == SSAPP_PLOT_TABLE)
    export_table (store, runs, plot, to, &error);
  else if (error == NULL)
    export_figure (args, store, runs, plot, to, &error);
  if (error != NULL)
    status = cli_fail ("%s", error->message);
  g_clear_error (&error);
  g_object_unref (store); /* which closes it; nothing was written */
  return status;
}
