/* app/cli/cli-start.c: motions that verbs begin with: of stored runs, their iterates, tables, and copies of a part. */
#include "app/cli/cli-common.h"

#include "app/base/ssapp-import.h"
#include "app/base/ssapp-json.h"
#include "app/job/ssapp-asked.h"
#include "app/job/ssapp-interests.h"
#include "app/job/ssapp-state.h"
#include "core/ss-stage-rows.h"
#include "run/ss-method.h"

#include <math.h>
#include <string.h>

/* Of a motion to start from: hops of a long way, not a way to fill the memory. */
enum { COPIES_MAX = 1000 };

SsTrajectory *
cli_read_motion_of (const CliArgs *args, SsappStore *store, const char *id, GError **error)
{
  const char *iterate = cli_args_text (args, "--iterate");
  g_autoptr (GArray) kept = NULL;
  SsTrajectory *motion;

  if (iterate == NULL)
    return ssapp_store_get_trajectory (store, id, error);
  motion = ssapp_store_get_iterate (store, id, (int)cli_args_number (args, "--iterate", 0), error);
  if (motion != NULL || *error != NULL)
    return motion;
  kept = ssapp_store_list_iterates (store, id, error);
  if (kept == NULL)
    return NULL;
  if (kept->len == 0)
    g_set_error (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_NOT_FOUND,
                 "run %s kept no iterates (--keep-iterates N keeps every N-th)", id);
  else
    g_set_error (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_NOT_FOUND,
                 "run %s kept no iterate %s; it has %u of them, from %d to %d", id, iterate, kept->len,
                 g_array_index (kept, int, 0), g_array_index (kept, int, kept->len - 1));
  return NULL;
}

gboolean
cli_read_motion (const CliArgs *args, SsTrajectory **motion, char **run_id)
{
  const char *name = cli_args_text (args, "--from"), *project = cli_args_text (args, "--project");
  g_autoptr (GError) error = NULL;
  SsappStore *store = NULL;
  SsappRunRow *row = NULL;

  if (cli_args_text (args, "--iterate") != NULL && (name == NULL || g_str_has_suffix (name, ".csv"))) {
    cli_fail ("--iterate needs a run: give --from RUN and --project FILE too");
    return FALSE;
  }
  if (name == NULL)
    return TRUE;
  if (g_str_has_suffix (name, ".csv")) {
    *motion = ssapp_import_trajectory_csv (name, &error);
  } else if (project == NULL) {
    cli_fail ("--from %s: a run needs --project FILE (or name a file that ends in .csv)", name);
    return FALSE;
  } else {
    const gboolean is_given = g_str_has_prefix (name, CLI_GIVEN);
    gboolean is_own;
    store = ssapp_store_open (project, FALSE, &error);
    if (store != NULL)
      row = ssapp_store_get_sound_run (store, is_given ? name + strlen (CLI_GIVEN) : name, &error);
    if (row != NULL) {
      *motion = is_given ? ssapp_store_get_given (store, row->id, &is_own, &error)
                         : cli_read_motion_of (args, store, row->id, &error);
      *run_id = is_given ? NULL : g_strdup (row->id);
      if (error == NULL && *motion == NULL)
        g_set_error (&error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_NOT_FOUND, "run %s has no trajectory", row->id);
    }
    ssapp_run_row_free (row);
    g_clear_object (&store);
  }
  if (error != NULL)
    cli_fail ("%s", error->message);
  return error == NULL;
}

gboolean
cli_repeat_motion (const CliArgs *args, SsTrajectory **motion)
{
  const double after = cli_args_number (args, "--from-time", -INFINITY);
  const double copies = cli_args_number (args, "--from-copies", 1);
  SsTrajectory *repeated = NULL;
  SsError error = {0};

  if (isinf (after) && copies == 1)
    return TRUE;
  if (*motion == NULL) {
    cli_fail ("--from-time and --from-copies change the motion of --from, which was not given");
    return FALSE;
  }
  if (!(copies >= 1 && copies <= COPIES_MAX)) {
    cli_fail ("--from-copies takes 1 to %d, not %g", COPIES_MAX, copies);
    return FALSE;
  }
  if (ss_trajectory_repeat (*motion, after, (int)copies, &repeated, &error) != SS_OK) {
    cli_fail ("--from-time %g: %s", after, error.message);
    return FALSE;
  }
  ss_trajectory_free (*motion);
  *motion = repeated;
  return TRUE;
}

/* ---- going on from another run ----------------------------------------------------------------------------------- */

/* What a run was asked for, before what is asked for now: where a name is given twice, the last one counts. */
static void
add_inputs (SsappJobSpec *spec, const SsappRunRow *row, const json_t *result)
{
  json_t *options = json_loads (row->options_json, 0, NULL), *set = json_loads (row->parameters_json, 0, NULL), *value;
  const json_t *asked = json_object_get (result, "asked"), *seed = json_object_get (asked, "seed");
  const char *name;
  guint at = 0;

  json_object_foreach (options, name, value)
  {
    if (strcmp (spec->method, row->method) != 0)
      break;
    g_ptr_array_insert (spec->option_names, (int)at, g_strdup (name));
    g_ptr_array_insert (spec->option_values, (int)at++,
                        json_is_string (value) ? g_strdup (json_string_value (value)) : ssapp_json_text (value, FALSE));
  }
  json_object_foreach (set, name, value)
  {
    gboolean is_given = FALSE;
    for (guint i = 0; i < spec->parameter_names->len; i++)
      is_given = is_given || strcmp (g_ptr_array_index (spec->parameter_names, i), name) == 0;
    if (!is_given)
      cli_spec_set_parameter (spec, name, json_number_value (value));
  }
  if (isnan (spec->dt))
    spec->dt = ssapp_json_get_real (asked, "dt");
  if (isnan (spec->t_end))
    spec->t_end = ssapp_json_get_real (asked, "t_end");
  if (!spec->has_seed && json_is_integer (seed)) {
    spec->has_seed = TRUE;
    spec->seed = (guint64)json_integer_value (seed);
  }
  json_decref (options);
  json_decref (set);
}

/* Of a simulation what was up to --at; FALSE with an error. */
static gboolean
cut_motion (const CliArgs *args, SsTrajectory *motion, GError **error)
{
  const double first = ss_trajectory_row (motion, 0)[0], last = ss_trajectory_row (motion, motion->n_rows - 1)[0],
               t = cli_args_number (args, "--at", INFINITY);
  const int stage = ss_stage_rows_channel (motion);
  int row = ss_trajectory_row_up_to (motion, 0, t);

  if (t < first || (isfinite (t) && t > last)) {
    g_set_error (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_NOT_FOUND,
                 "--at %.9g: the motion of the run is from %.9g s to %.9g s", t, first, last);
    return FALSE;
  }
  while (row > 0 && ss_stage_rows_is_one (motion, stage, row))
    row--;
  ss_trajectory_remove (motion, row + 1, motion->n_rows);
  return TRUE;
}

/* The spec goes on from that run; FALSE with an error. */
static gboolean
continue_run (const CliArgs *args, SsappJobSpec *spec, SsappStore *store, const SsappRunRow *row, const char *text,
              GError **error)
{
  g_autofree char *result_text = ssapp_store_get_result_json (store, row->id, error);
  json_t *result = result_text != NULL ? json_loads (result_text, 0, NULL) : NULL;

  if (cli_args_text (args, "--method") == NULL) {
    g_free (spec->method);
    spec->method = g_strdup (row->method);
  }
  add_inputs (spec, row, result);
  g_autofree char *options = ssapp_job_spec_options_json (spec), *parameters = ssapp_job_spec_parameters_json (spec);
  json_t *asked = ssapp_asked_to_json (spec);
  const SsappPosed before = {row->method, text, row->parameters_json, row->options_json, NULL},
                   now = {spec->method, spec->scenario_text, parameters, options, asked};
  ssapp_continued_from (&before, result, &now, &spec->continued);
  if (json_is_array (json_object_get (result, "events")))
    spec->start_events = json_incref (json_object_get (result, "events"));
  spec->start_every = ssapp_interests_every (result);
  json_decref (asked);
  json_decref (result);
  spec->start_from = g_strdup (row->id);
  spec->start = ssapp_store_get_trajectory (store, row->id, error);
  if ((spec->start == NULL || spec->start->n_rows == 0) && *error == NULL)
    g_set_error (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_NOT_FOUND, "run %.8s has no %s to go on from", row->id,
                 spec->kind == SS_METHOD_OPTIMISER ? "iterate" : "motion");
  if (*error != NULL || spec->kind == SS_METHOD_OPTIMISER)
    return *error == NULL;
  if (!cut_motion (args, spec->start, error))
    return FALSE;
  spec->continued.t = ss_trajectory_row (spec->start, spec->start->n_rows - 1)[0];
  return TRUE;
}

SsappJobSpec *
cli_new_continued_spec (const CliArgs *args, SsMethodKind kind)
{
  const char *id = cli_args_text (args, "--continue"), *path = cli_args_positional (args, 0),
             *project = cli_args_text (args, "--project");
  g_autoptr (GError) error = NULL;
  g_autoptr (SsappStore) store = NULL;
  g_autofree char *before = NULL;
  SsappRunRow *row = NULL;
  SsappJobSpec *spec = NULL;

  if (project == NULL || (kind == SS_METHOD_OPTIMISER && cli_args_text (args, "--from") != NULL)) {
    cli_fail (project == NULL ? "--continue needs --project FILE, which has the run"
                              : "--continue goes on from its run: it takes no --from");
    return NULL;
  }
  store = ssapp_store_open (project, FALSE, &error);
  if (store != NULL)
    row = ssapp_store_get_sound_run (store, id, &error);
  if (row != NULL && row->kind != kind)
    g_set_error (&error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_NOT_FOUND, "run %.8s is none of an %s", row->id,
                 ss_method_kind_spec (kind)->name);
  else if (row != NULL && row->replay_of[0] != '\0')
    g_set_error (&error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_NOT_FOUND,
                 "run %.8s is a replay, which follows its plan: it cannot go on otherwise", row->id);
  if (row != NULL && error == NULL)
    before = ssapp_store_get_scenario_text (store, row->id, &error);
  if (before != NULL)
    spec = cli_new_spec_of_text (args, kind, path != NULL ? path : row->scenario_name,
                                 path != NULL ? cli_read_text (path) : g_strdup (before));
  if (spec != NULL && !continue_run (args, spec, store, row, before, &error))
    g_clear_pointer (&spec, ssapp_job_spec_free);
  ssapp_run_row_free (row);
  if (error != NULL)
    cli_fail ("%s", error->message);
  return spec;
}
