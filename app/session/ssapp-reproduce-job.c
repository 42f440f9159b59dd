/* app/session/ssapp-reproduce-job.c: the job that repeats a stored run, and keeping it; see ssapp-reproduce.h. */
#include "app/store/ssapp-store-check.h"
#include "app/session/ssapp-reproduce.h"

#include "app/base/ssapp-json.h"
#include "app/base/ssapp-provenance.h"
#include "app/job/ssapp-asked.h"
#include "app/job/ssapp-interests.h"
#include "app/job/ssapp-state.h"

#include <math.h>
#include <string.h>

static void note (GPtrArray *notes, const char *format, ...) G_GNUC_PRINTF (2, 3);

static void
note (GPtrArray *notes, const char *format, ...)
{
  va_list values;

  va_start (values, format);
  g_ptr_array_add (notes, g_strdup_vprintf (format, values));
  va_end (values);
}

static void refuse (GError **error, const char *format, ...) G_GNUC_PRINTF (2, 3);

static void
refuse (GError **error, const char *format, ...)
{
  va_list values;

  va_start (values, format);
  *error = g_error_new_valist (SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_FAILED, format, values);
  va_end (values);
}

/* ---- what cannot be repeated ------------------------------------------------------------------------------------- */

static gboolean
has_outcome (const SsappRunRow *row, SsOutcome outcome)
{
  return strcmp (row->outcome, ss_outcome_name (outcome)) == 0;
}

/* TRUE after an error was set. */
static gboolean
is_refused (const SsappRunRow *row, const json_t *result, GError **error)
{
  const json_t *asked = json_object_get (result, "asked");
  const json_int_t hands = json_integer_value (json_object_get (asked, "by_hand"));

  if (strcmp (row->outcome, "running") == 0)
    refuse (error, "run %.8s cannot be repeated yet: it is still running", row->id);
  else if (has_outcome (row, SS_OUTCOME_CANCELLED))
    refuse (error, "run %.8s cannot be repeated: it was cancelled, and its answer depends on the time of that",
            row->id);
  else if (has_outcome (row, SS_OUTCOME_TIME_LIMIT) || has_outcome (row, SS_OUTCOME_CPU_LIMIT))
    refuse (error,
            "run %.8s cannot be repeated: its %s ended it, and how far a run comes within a limit depends on the "
            "machine's speed",
            row->id, has_outcome (row, SS_OUTCOME_TIME_LIMIT) ? "time limit" : "limit of CPU time");
  else if (has_outcome (row, SS_OUTCOME_MACHINE_SLOW))
    refuse (error, "run %.8s cannot be repeated: the machine was too slow for its time limit, run it again", row->id);
  else if (strcmp (row->outcome, "interrupted") == 0)
    refuse (error, "run %.8s cannot be repeated: its program ended before it", row->id);
  else if (hands > 0)
    refuse (error, "run %.8s cannot be repeated: hands steered it in the sandbox (%d changes, see its log)", row->id,
            (int)hands);
  else if (asked == NULL && g_str_has_prefix (row->note, "sandbox,"))
    refuse (error, "run %.8s cannot be repeated: hands steered it in the sandbox", row->id);
  else if (json_object_get (asked, "loop") != NULL)
    refuse (
        error,
        "run %.8s is a closed loop of many plans: the command line makes it again, by 'reproduce' or by its command",
        row->id);
  else if (ss_method_lookup (ssapp_run_row_get_method (row)) == NULL)
    refuse (error, "run %.8s cannot be repeated: this version has no method “%s”", row->id, row->method);
  return *error != NULL;
}

/* ---- what may make a difference ---------------------------------------------------------------------------------- */

static void
note_other (GPtrArray *notes, const char *what, const char *was, const char *is)
{
  if (was != NULL && was[0] != '\0' && strcmp (was, is) != 0)
    note (notes, "it was made with another %s: %s, now %s", what, was, is);
}

void
ssapp_reproduce_note_program (SsappStore *store, const char *id, GPtrArray *notes)
{
  g_autofree char *text = ssapp_store_get_provenance_json (store, id, NULL);
  json_t *was = text != NULL ? json_loads (text, 0, NULL) : NULL;
  SsappProvenance now;
  const char *name;
  json_t *version;

  ssapp_provenance_init (&now);
  json_t *libraries = json_loads (now.libraries_json, 0, NULL);
  note_other (notes, "version of Stickslip", ssapp_json_get_string (was, "version"), now.version);
  note_other (notes, "commit", ssapp_json_get_string (was, "git_commit"), now.git_commit);
  note_other (notes, "compiler", ssapp_json_get_string (was, "compiler"), now.compiler);
  note_other (notes, "build", ssapp_json_get_string (was, "build"), now.build_flags);
  note_other (notes, "processor", ssapp_json_get_string (was, "cpu"), now.cpu);
  json_object_foreach (json_object_get (was, "libraries"), name, version)
  {
    const char *own = ssapp_json_get_string (libraries, name);
    if (own != NULL && json_is_string (version))
      note_other (notes, name, json_string_value (version), own);
  }
  json_decref (libraries);
  json_decref (was);
  ssapp_provenance_clear (&now);
}

static void
note_run (const json_t *result, GPtrArray *notes)
{
  if (json_object_get (result, "asked") == NULL)
    note (notes, "it was stored before step, horizon, seed and start were recorded: what it was asked for of these is "
                 "guessed");
  if (json_is_object (json_object_get (result, "race")))
    note (notes, "it was a race: the clock stops its members, so that another answer may win");
}

/* ---- the job ----------------------------------------------------------------------------------------------------- */

static void
set_inputs (SsappJob *job, const SsappRunRow *row)
{
  json_t *options = json_loads (row->options_json, 0, NULL), *set = json_loads (row->parameters_json, 0, NULL), *value;
  const char *name;

  json_object_foreach (options, name, value)
  {
    g_autofree char *text =
        json_is_string (value) ? g_strdup (json_string_value (value)) : ssapp_json_text (value, FALSE);
    ssapp_job_set_option (job, name, text);
  }
  json_object_foreach (set, name, value) ssapp_job_set_parameter (job, name, json_number_value (value));
  json_decref (options);
  json_decref (set);
}

static void
set_asked (SsappJob *job, const SsappRunRow *row, const json_t *asked)
{
  const json_t *seed = json_object_get (asked, "seed"), *planes = json_object_get (asked, "planes");

  ssapp_job_set_step (job, ssapp_json_get_real (asked, "dt"), ssapp_json_get_real (asked, "t_end"));
  if (json_is_integer (seed))
    ssapp_job_set_seed (job, (guint64)json_integer_value (seed));
  else if (asked == NULL && row->seed != 0 && row->kind != SS_METHOD_IMPACT_LAW) /* of laws it is an option */
    ssapp_job_set_seed (job, row->seed);
  if (json_is_integer (json_object_get (asked, "keep_iterates")))
    ssapp_job_set_keep_iterates (job, (int)json_integer_value (json_object_get (asked, "keep_iterates")));
  g_autoptr (GPtrArray) outcomes = ssapp_interests_texts_from_json (json_object_get (asked, "outcomes"));
  ssapp_job_set_outcomes (job, outcomes);
  ssapp_job_set_sensitivity (job, json_string_value (json_object_get (asked, "sensitivity")));
  if (json_is_integer (json_object_get (asked, "pause_at")))
    ssapp_job_set_pause_at (job, (int)json_integer_value (json_object_get (asked, "pause_at")));
  if (json_is_integer (json_object_get (asked, "every")))
    ssapp_job_set_every (job, (int)json_integer_value (json_object_get (asked, "every")));
  if (row->kind == SS_METHOD_IMPACT_LAW && asked != NULL) {
    const gsize n = json_array_size (planes);
    g_autofree const char **names = g_new0 (const char *, n + 1);
    for (gsize i = 0; i < n; i++)
      names[i] = json_string_value (json_array_get (planes, i));
    ssapp_job_set_impact (job, ssapp_json_get_real (asked, "touching"), ssapp_json_get_real (asked, "tolerance"),
                          names);
  }
}

/* Controller, disturbances, the world and other worlds of a replay, which the result has as a job would. */
static gboolean
set_replay (SsappJob *job, const json_t *result, GError **error)
{
  static const char *const names[] = {"controller", "disturb", "friction", "worlds"};
  json_t *like_job = json_object (), *plan = json_object ();
  SsappReplayAsk ask;

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (json_object_get (result, names[i]) != NULL)
      json_object_set (like_job, names[i], json_object_get (result, names[i]));
  if (json_object_get (result, "plan_set") != NULL)
    json_object_set (plan, "set", json_object_get (result, "plan_set"));
  json_object_set_new (like_job, "plan", plan);
  ssapp_replay_ask_init (&ask);
  g_autofree char *message = ssapp_replay_ask_from_json (&ask, like_job);
  if (message == NULL)
    ssapp_job_set_replay (job, &ask);
  else
    refuse (error, "what the replay was asked for cannot be read: %s", message);
  ssapp_replay_ask_clear (&ask);
  json_decref (like_job);
  return message == NULL;
}

/* The plan of a replay or the start of an optimiser. An impact's text is that of its state: it needs no motion. */
static gboolean
set_motion (SsappStore *store, SsappJob *job, const SsappRunRow *row, const json_t *result, GError **error)
{
  const json_t *asked = json_object_get (result, "asked");
  const gboolean is_replay =
      row->replay_of[0] != '\0' || g_strcmp0 (ssapp_json_get_string (asked, "verb"), "replay") == 0;
  const gboolean has_start =
      json_object_get (asked, "motion") != NULL || ssapp_json_get_string (result, "start_from") != NULL;
  const char *from = ssapp_json_get_string (json_object_get (asked, "motion"), "run");
  gboolean is_own;

  if (row->kind == SS_METHOD_IMPACT_LAW || (!is_replay && !has_start))
    return TRUE;
  SsTrajectory *motion = ssapp_store_get_given (store, row->id, &is_own, error);
  if (motion == NULL && *error == NULL)
    refuse (error, "run %.8s cannot be repeated: the motion that it %s is not in this project", row->id,
            is_replay ? "replays" : "started from");
  if (motion == NULL)
    return FALSE;
  if (from == NULL)
    from = is_replay ? row->replay_of : ssapp_json_get_string (result, "start_from");
  if (is_replay)
    ssapp_job_set_plan (job, motion, from);
  else
    ssapp_job_set_start (job, motion, from);
  ss_trajectory_free (motion);
  return !is_replay || set_replay (job, result, error);
}

/* What the method knew where the run before was paused, in the result of that one. */
static gboolean
set_continued (SsappStore *store, SsappJob *job, const SsappRunRow *row, const json_t *result, GError **error)
{
  const char *from = ssapp_json_get_string (result, "start_from");
  json_t *asked = json_deep_copy (json_object_get (result, "continued"));
  SsappContinued continued;

  if (asked == NULL)
    return TRUE;
  g_autofree char *text = from != NULL ? ssapp_store_get_result_json (store, from, error) : NULL;
  json_t *before = text != NULL ? json_loads (text, 0, NULL) : NULL;
  if (json_object_get (before, "state") != NULL)
    json_object_set (asked, "state", json_object_get (before, "state"));
  const gboolean ok = before != NULL && ssapp_continued_from_json (asked, &continued);
  if (ok && row->kind == SS_METHOD_INTEGRATOR) {
    ssapp_job_set_start_events (job, json_object_get (before, "events"));
    ssapp_job_set_start_every (job, ssapp_interests_every (before));
  }
  if (ok)
    ssapp_job_set_continued (job, &continued);
  else if (*error == NULL)
    refuse (error, "the run cannot be repeated: run %.8s, from which it goes on, is not in this project",
            from != NULL ? from : "?");
  json_decref (before);
  json_decref (asked);
  return ok;
}

static SsappJob *
new_job (SsappStore *store, const SsappRunRow *row, const json_t *result, GError **error)
{
  g_autofree char *text = ssapp_store_get_scenario_text (store, row->id, error);
  SsappJob *job;

  if (text == NULL)
    return NULL;
  job = ssapp_job_new (text, row->scenario_name, ssapp_run_row_get_method (row));
  set_inputs (job, row);
  set_asked (job, row, json_object_get (result, "asked"));
  if (!set_motion (store, job, row, result, error) || !set_continued (store, job, row, result, error))
    g_clear_object (&job);
  return job;
}

/* What is to be compared with must be what was stored, every number of it. */
static SsappRunRow *
get_whole_run (SsappStore *store, const char *id, GError **error)
{
  SsappRunRow *row = ssapp_store_get_sound_run (store, id, error);
  GError *local = NULL;
  g_autofree char *damage = row != NULL ? ssapp_store_check_run (store, row->id, TRUE, &local) : NULL;

  if (damage == NULL && local == NULL)
    return row;
  if (local != NULL)
    g_propagate_error (error, local);
  else
    g_set_error (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_DAMAGED, "run %s is damaged: %s", row->id, damage);
  ssapp_run_row_free (row);
  return NULL;
}

SsappJob *
ssapp_reproduce_new_job (SsappStore *store, const char *id, GPtrArray *notes, GError **error)
{
  g_autofree char *text = NULL;
  GError *local = NULL;
  SsappJob *job = NULL;
  json_t *result = NULL;
  SsappRunRow *row = get_whole_run (store, id, &local);

  if (row != NULL && row->solution_of[0] != '\0') {
    SsappRunRow *answer = ssapp_store_get_sound_run (store, row->solution_of, &local);
    if (answer != NULL)
      note (notes, "it is one of several local solutions: the run with the answer, %.8s, was repeated", answer->id);
    ssapp_run_row_free (row);
    row = answer;
  }
  if (row != NULL)
    text = ssapp_store_get_result_json (store, row->id, &local);
  if (local == NULL) {
    result = text != NULL ? json_loads (text, 0, NULL) : NULL;
    if (!is_refused (row, result, &local))
      job = new_job (store, row, result, &local);
  }
  if (job != NULL) {
    note_run (result, notes);
    ssapp_reproduce_note_program (store, row->id, notes);
  }
  if (local != NULL)
    g_propagate_error (error, local);
  json_decref (result);
  ssapp_run_row_free (row);
  return job;
}

/* ---- keeping ----------------------------------------------------------------------------------------------------- */

static gboolean
add_rows (SsappStore *store, SsappJob *job, GError **error)
{
  const char *id = ssapp_job_get_id (job);
  GArray *rows = ssapp_job_get_iterations (job);
  g_auto (GStrv) lines = g_strsplit (ssapp_job_get_log (job)->str, "\n", -1);

  for (guint i = 0; i < rows->len; i++)
    if (!ssapp_store_add_iteration_row (store, id, &g_array_index (rows, SsappIteration, i), error))
      return FALSE;
  for (guint i = 0; lines[i] != NULL; i++)
    if (lines[i][0] != '\0' && !ssapp_store_add_log (store, id, 0, SS_LOG_INFO, lines[i], error))
      return FALSE;
  return TRUE;
}

char *
ssapp_reproduce_keep (SsappStore *store, SsappJob *job, const char *of, GError **error)
{
  const char *id = ssapp_job_get_id (job), *given_by, *replay_of = ssapp_job_get_replay_of (job);
  g_autofree char *options = ssapp_job_get_options_json (job), *parameters = ssapp_job_get_parameters_json (job),
                  *words = g_strdup_printf ("repeats run %.8s", of);
  const SsTrajectory *given = ssapp_job_get_given (job, &given_by);
  int n_motions;
  const SsRunMotion *motions = ssapp_job_get_motions (job, &n_motions);

  if (ssapp_job_get_result_json (job) == NULL) {
    g_set_error (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_FAILED, "the repeated run has no result to keep");
    return NULL;
  }
  if (!ssapp_store_record (store, id, ssapp_job_get_scenario_text (job), ssapp_job_get_scenario_name (job),
                           ssapp_job_get_method (job), options, parameters, ssapp_job_get_seed (job), error) ||
      (replay_of != NULL && !ssapp_store_set_replay_of (store, id, replay_of, error)) ||
      (given != NULL && !ssapp_store_add_given (store, id, given, given_by, error)) || !add_rows (store, job, error) ||
      !ssapp_store_finish_record (store, id, ssapp_job_get_result_json (job), ssapp_job_get_trajectory (job),
                                  ssapp_job_get_samples (job), motions, n_motions, error) ||
      !ssapp_store_flush (store, error) || !ssapp_store_set_note (store, id, words, error))
    return NULL;
  return g_strdup (id);
}
