/* app/study/ssapp-study-events.c: see the header.
 *
 * Files are read into a project of their own in the folder for temporary files, which then goes into the other one as a
 * whole: a run that is half there is never seen. */
#include "app/study/ssapp-study-events.h"

#include "app/base/ssapp-file.h"
#include "app/base/ssapp-json.h"
#include "app/base/ssapp-provenance.h"
#include "app/job/ssapp-judge-again.h"
#include "app/store/ssapp-store-merge.h"
#include "app/store/ssapp-store-study.h"
#include "app/study/ssapp-study-form.h"
#include "app/study/ssapp-study-job.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

enum { FORMAT = 1 };

/* ---- writing ----------------------------------------------------------------------------------------------------- */

struct SsappStudyRecorder {
  SsappJob *job;
  json_t *head; /* the first line */
  GString *log; /* lines */
};

static void
append_line (GString *out, json_t *event)
{
  g_autofree char *line = ssapp_json_text (event, FALSE);

  g_string_append_printf (out, "%s\n", line);
  json_decref (event);
}

static void
on_log (SsappJob *job, int level, const char *text, SsappStudyRecorder *self)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);

  append_line (self->log, json_pack ("{s:s, s:f, s:i, s:s}", "type", "log", "t", ssapp_job_get_elapsed (job), "level",
                                     level, "text", valid));
}

static json_t *
machine_to_json (void)
{
  SsappProvenance p;
  SsappOwner owner;

  ssapp_provenance_init (&p);
  ssapp_owner_init_self (&owner);
  json_t *json = json_pack ("{s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:i, s:I, s:I}", "version", p.version,
                            "git_commit", p.git_commit, "compiler", p.compiler, "build_flags", p.build_flags, "host",
                            p.host, "cpu", p.cpu, "os", p.os, "libraries", p.libraries_json, "cpu_count", p.cpu_count,
                            "pid", (json_int_t)owner.pid, "start", (json_int_t)owner.start);
  ssapp_owner_clear (&owner);
  ssapp_provenance_clear (&p);
  return json;
}

SsappStudyRecorder *
ssapp_study_recorder_new (const SsappStudy *study, const SsappStudyTask *task, SsappJob *job)
{
  g_return_val_if_fail (study != NULL && task != NULL && SSAPP_IS_JOB (job), NULL);

  SsappStudyRecorder *self = g_new0 (SsappStudyRecorder, 1);
  g_autofree char *values = ssapp_study_task_to_json (study, task), *options = ssapp_job_get_options_json (job),
                  *parameters = ssapp_job_get_parameters_json (job), *now = ssapp_time_now ();
  const SsMethodId method = ssapp_job_get_method (job);

  self->job = g_object_ref (job);
  self->log = g_string_new (NULL);
  self->head = json_pack ("{s:s, s:i, s:i, s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:I, s:s, s:o}", "type", "task",
                          "format", FORMAT, "task", (int)task->index, "key", task->key, "values", values, "run",
                          ssapp_job_get_id (job), "scenario_name", ssapp_job_get_scenario_name (job), "scenario_text",
                          ssapp_job_get_scenario_text (job), "kind", ss_method_kind_spec (method.kind)->name, "method",
                          method.name, "options", options, "parameters", parameters, "seed",
                          (json_int_t)ssapp_job_get_seed (job), "started", now, "machine", machine_to_json ());
  g_signal_connect (job, "log", G_CALLBACK (on_log), self);
  return self;
}

void
ssapp_study_recorder_free (SsappStudyRecorder *self)
{
  if (self == NULL)
    return;
  g_signal_handlers_disconnect_by_data (self->job, self);
  g_object_unref (self->job);
  json_decref (self->head);
  g_string_free (self->log, TRUE);
  g_free (self);
}

static void
append_motion (GString *out, const SsTrajectory *motion, SsMotionRole role, int branch, double share)
{
  g_autofree char *data = ssapp_base64_rows (motion, 0, motion->n_rows);

  append_line (out,
               json_pack ("{s:s, s:s, s:i, s:o, s:o, s:o, s:[i, i], s:s}", "type", "trajectory", "role",
                          ss_motion_role_name (role), "branch", branch, "share", ssapp_json_real (share), "channels",
                          ssapp_json_channels (motion), "channel_records", ssapp_json_channel_records (motion), "shape",
                          motion->n_rows, motion->n_channels, "data", data));
}

gboolean
ssapp_study_recorder_write (SsappStudyRecorder *self, const char *path, GError **error)
{
  g_return_val_if_fail (self != NULL, FALSE);
  g_autoptr (GString) out = g_string_new (NULL);
  GArray *iterations = ssapp_job_get_iterations (self->job);
  const SsTrajectory *answer = ssapp_job_get_trajectory (self->job);
  const char *text = ssapp_job_get_result_json (self->job);
  g_autofree char *now = ssapp_time_now ();
  int n_motions;
  const SsRunMotion *motions = ssapp_job_get_motions (self->job, &n_motions);

  append_line (out, json_incref (self->head));
  for (guint i = 0; i < iterations->len; i++)
    g_string_append_printf (out, "{\"type\":\"iteration\",\"event\":%s}\n",
                            g_array_index (iterations, SsappIteration, i).json);
  g_string_append_len (out, self->log->str, (gssize)self->log->len);
  if (answer != NULL)
    append_motion (out, answer, SS_MOTION_ANSWER, 0, 1);
  for (int i = 0; i < n_motions; i++)
    append_motion (out, motions[i].trajectory, motions[i].role, motions[i].branch, motions[i].share);
  json_t *result = text != NULL ? json_loads (text, 0, NULL) : NULL;
  append_line (out, json_pack ("{s:s, s:s, s:s, s:s, s:o}", "type", "result", "ended", now, "outcome",
                               ssapp_job_get_outcome (self->job), "message", ssapp_job_get_message (self->job),
                               "result", result != NULL ? result : json_null ()));
  return ssapp_write_file (path, out->str, (gssize)out->len, error);
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

/* One file, whole. */
typedef struct {
  json_t *head, *result;
  GPtrArray *events; /* of json_t between them */
} File;

static void
file_clear (File *file)
{
  json_decref (file->head);
  json_decref (file->result);
  g_clear_pointer (&file->events, g_ptr_array_unref);
}

static void
unref_json (gpointer json)
{
  json_decref (json);
}

/* NULL when it is good, else what is wrong with it; g_free. */
static char *
read_file (const char *path, File *file)
{
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;
  gsize length;

  *file = (File){.events = g_ptr_array_new_with_free_func (unref_json)};
  if (!ssapp_read_file (path, 0, &text, &length, &error))
    return g_strdup (error->message);
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL && (lines[i][0] != '\0' || lines[i + 1] != NULL); i++) {
    json_t *event = json_loads (lines[i], JSON_REJECT_DUPLICATES, NULL);
    const char *type = ssapp_json_get_string (event, "type");
    if (type == NULL || file->result != NULL || (i == 0) != (strcmp (type, "task") == 0)) {
      json_decref (event);
      return g_strdup_printf ("line %u is no event of a task", i + 1);
    }
    if (i == 0)
      file->head = event;
    else if (strcmp (type, "result") == 0)
      file->result = event;
    else
      g_ptr_array_add (file->events, event);
  }
  if (file->head == NULL || file->result == NULL)
    return g_strdup ("it ends before its result");
  if (json_integer_value (json_object_get (file->head, "format")) != FORMAT)
    return g_strdup ("it is of another version");
  return strlen (text) == length ? NULL : g_strdup ("it is no text");
}

static SsTrajectory *
read_motion (const json_t *event)
{
  gsize size = 0;
  const char *data = ssapp_json_get_string (event, "data");
  g_autofree guchar *bytes = data != NULL ? g_base64_decode (data, &size) : NULL;
  const json_int_t n_rows = json_integer_value (json_array_get (json_object_get (event, "shape"), 0));

  if (bytes == NULL || n_rows < 0 || n_rows > G_MAXINT)
    return NULL;
  return ssapp_trajectory_from_bytes (ssapp_json_get_channels (event), (int)n_rows, bytes, size);
}

/* ---- judging ----------------------------------------------------------------------------------------------------- */

/* A motion that is not what it says; NULL: none. g_free. */
static char *
motions_fault (const File *file)
{
  for (guint i = 0; i < file->events->len; i++) {
    const json_t *event = g_ptr_array_index (file->events, i);
    if (strcmp (ssapp_json_get_string (event, "type"), "trajectory") != 0)
      continue;
    SsTrajectory *motion = read_motion (event);
    const gboolean is_read = motion != NULL;
    ss_trajectory_free (motion);
    if (!is_read)
      return g_strdup_printf ("the %s among its motions cannot be read", ssapp_json_get_string (event, "role"));
  }
  return NULL;
}

/* The answer's motion, NULL without one. */
static SsTrajectory *
read_answer (const File *file)
{
  for (guint i = 0; i < file->events->len; i++) {
    const json_t *event = g_ptr_array_index (file->events, i);
    if (g_strcmp0 (ssapp_json_get_string (event, "type"), "trajectory") == 0 &&
        g_strcmp0 (ssapp_json_get_string (event, "role"), ss_motion_role_name (SS_MOTION_ANSWER)) == 0)
      return read_motion (event);
  }
  return NULL;
}

/* Whether a text of the file says the same JSON as another text. */
static gboolean
is_same_json (const char *a, const char *b)
{
  json_t *left = a != NULL ? json_loads (a, 0, NULL) : NULL, *right = b != NULL ? json_loads (b, 0, NULL) : NULL;
  const gboolean is_same = left != NULL && right != NULL && json_equal (left, right);

  json_decref (left);
  json_decref (right);
  return is_same;
}

/* Whether the run of the file is the one that the task asks for. */
static gboolean
answers_task (const File *file, const SsappStudyPlan *plan, guint index)
{
  const SsappStudy *study = ssapp_study_plan_get_study (plan);
  g_autoptr (SsappStudyTask) task = ssapp_study_plan_get_task (plan, index, TRUE);
  g_autoptr (SsappJob) job = ssapp_study_new_job (study, task, 1, NULL);
  g_autofree char *options = ssapp_job_get_options_json (job), *parameters = ssapp_job_get_parameters_json (job),
                  *values = ssapp_study_task_to_json (study, task);
  const SsMethodId method = ssapp_job_get_method (job);
  const json_t *head = file->head;

  return g_strcmp0 (ssapp_json_get_string (head, "key"), task->key) == 0 &&
         json_integer_value (json_object_get (head, "task")) == (json_int_t)index &&
         g_strcmp0 (ssapp_json_get_string (head, "scenario_name"), ssapp_job_get_scenario_name (job)) == 0 &&
         is_same_json (ssapp_json_get_string (head, "values"), values) &&
         g_strcmp0 (ssapp_json_get_string (head, "scenario_text"), ssapp_job_get_scenario_text (job)) == 0 &&
         g_strcmp0 (ssapp_json_get_string (head, "method"), method.name) == 0 &&
         g_strcmp0 (ssapp_json_get_string (head, "kind"), ss_method_kind_spec (method.kind)->name) == 0 &&
         (guint64)json_integer_value (json_object_get (head, "seed")) == ssapp_job_get_seed (job) &&
         is_same_json (ssapp_json_get_string (head, "options"), options) &&
         is_same_json (ssapp_json_get_string (head, "parameters"), parameters);
}

/* What its result claims and our judge does not find; NULL: nothing; g_free. */
static char *
judge_file (const File *file)
{
  const json_t *result = json_object_get (file->result, "result");
  const char *outcome = ssapp_json_get_string (file->result, "outcome");
  const char *text = ssapp_json_get_string (file->head, "parameters"),
             *kind = ssapp_json_get_string (file->head, "kind");
  char *words = motions_fault (file);
  if (words != NULL)
    return words;
  SsTrajectory *answer = read_answer (file);
  const char *fault = ssapp_result_fault (ss_method_kind_find (kind), outcome, answer);
  SsOutcome known;

  if (fault == NULL && !json_is_object (result) && ss_outcome_from_name (outcome, &known) &&
      ss_outcome_is_success (known))
    fault = "it claims success and has no result";
  if (fault != NULL) {
    words = g_strdup (fault);
  } else if (json_is_object (result)) {
    json_t *parameters = json_loads (text, 0, NULL);
    words = ssapp_judge_again (ss_method_kind_find (kind), ssapp_json_get_string (file->head, "scenario_text"),
                               parameters, result, answer);
    json_decref (parameters);
  }
  ss_trajectory_free (answer);
  return words;
}

/* Into the project, as if the run had been made here. */
static gboolean
store_file (SsappStore *store, const File *file, GError **error)
{
  const json_t *head = file->head;
  const char *id = ssapp_json_get_string (head, "run"), *text = ssapp_json_get_string (head, "scenario_text");
  const char *kind = ssapp_json_get_string (head, "kind"), *method = ssapp_json_get_string (head, "method");
  g_autoptr (GArray) motions = g_array_new (FALSE, TRUE, sizeof (SsRunMotion));
  SsTrajectory *answer = NULL;

  if (id == NULL || text == NULL || kind == NULL || method == NULL ||
      ss_method_kind_find (kind) == SS_METHOD_KIND_COUNT) {
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "its first line lacks something");
    return FALSE;
  }
  if (!ssapp_store_record (store, id, text, ssapp_json_get_string (head, "scenario_name"),
                           (SsMethodId){ss_method_kind_find (kind), method}, ssapp_json_get_string (head, "options"),
                           ssapp_json_get_string (head, "parameters"),
                           (guint64)json_integer_value (json_object_get (head, "seed")), error))
    return FALSE;
  for (guint i = 0; i < file->events->len; i++) {
    const json_t *event = g_ptr_array_index (file->events, i);
    const char *type = ssapp_json_get_string (event, "type");
    if (strcmp (type, "iteration") == 0) {
      g_autofree char *row = ssapp_json_text (json_object_get (event, "event"), FALSE);
      ssapp_store_add_iteration_json (store, id, row);
    } else if (strcmp (type, "log") == 0) {
      const char *line = ssapp_json_get_string (event, "text");
      ssapp_store_add_log (store, id, ssapp_json_get_real (event, "t"),
                           (int)json_integer_value (json_object_get (event, "level")), line != NULL ? line : "", NULL);
    } else if (strcmp (type, "trajectory") == 0) {
      const char *name = ssapp_json_get_string (event, "role");
      const SsMotionRole role = name != NULL ? ss_motion_role_find (name) : SS_MOTION_ROLE_COUNT;
      SsTrajectory *motion = read_motion (event);
      const SsRunMotion item = {.role = role,
                                .branch = (int)json_integer_value (json_object_get (event, "branch")),
                                .share = ssapp_json_get_real (event, "share"),
                                .trajectory = motion};
      if (motion == NULL || role == SS_MOTION_ROLE_COUNT || (role == SS_MOTION_ANSWER && answer != NULL))
        ss_trajectory_free (motion);
      else if (role == SS_MOTION_ANSWER)
        answer = motion;
      else
        g_array_append_val (motions, item);
    }
  }
  const json_t *result = json_object_get (file->result, "result");
  g_autofree char *result_text = json_is_object (result) ? ssapp_json_text (result, TRUE) : NULL;
  const gboolean ok =
      (result_text != NULL
           ? ssapp_store_finish_record (store, id, result_text, answer, NULL,
                                        (const SsRunMotion *)(void *)motions->data, (int)motions->len, error)
           : ssapp_store_abandon (store, id, ssapp_json_get_string (file->result, "outcome"),
                                  ssapp_json_get_string (file->result, "message"), answer, error)) &&
      ssapp_store_set_origin (store, id, ssapp_json_get_string (head, "started"),
                              ssapp_json_get_string (file->result, "ended"), json_object_get (head, "machine"), error);
  ss_trajectory_free (answer);
  for (guint i = 0; i < motions->len; i++)
    ss_trajectory_free (g_array_index (motions, SsRunMotion, i).trajectory);
  return ok;
}

/* ---- merging ----------------------------------------------------------------------------------------------------- */

typedef struct {
  char *key, *run, *values;
} Link;

static void
link_free (gpointer data)
{
  Link *link = data;

  g_free (link->key);
  g_free (link->run);
  g_free (link->values);
  g_free (link);
}

typedef struct {
  SsappStore *store, *heap; /* heap: what comes in */
  const char *study_id, *folder;
  GHashTable *runs; /* key to run, as the project has them */
  GHashTable *ids;  /* of runs: those, and what came in */
  GPtrArray *links; /* of Link: what is to be linked */
  SsappStudyMerge *told;
} Merge;

static void
add_fault (Merge *self, const char *name, const char *why)
{
  g_ptr_array_add (self->told->faults, g_strdup_printf ("%s: %s", name, why));
}

/* Whether the run of the file has the id of another one: of a task, or of what the project has beside them. A run that
 * a merge left without its link, because it was interrupted, is the same. */
static gboolean
is_id_taken (const Merge *self, const File *file)
{
  const char *id = ssapp_json_get_string (file->head, "run");
  g_autoptr (GError) error = NULL;

  if (g_hash_table_contains (self->ids, id))
    return TRUE;
  SsappRunRow *row = ssapp_store_get_run (self->store, id, &error);
  g_autofree char *text = row != NULL ? ssapp_store_get_scenario_text (self->store, row->id, &error) : NULL;
  const gboolean is_other =
      row != NULL && (g_strcmp0 (text, ssapp_json_get_string (file->head, "scenario_text")) != 0 ||
                      strcmp (row->method, ssapp_json_get_string (file->head, "method")) != 0 ||
                      !is_same_json (row->parameters_json, ssapp_json_get_string (file->head, "parameters")) ||
                      strcmp (row->started, ssapp_json_get_string (file->head, "started")) != 0);
  ssapp_run_row_free (row);
  return is_other;
}

/* The file of one task. FALSE only when the heap cannot be written. */
static gboolean
take_task (Merge *self, const SsappStudyPlan *plan, const SsappStudyTask *task, GError **error)
{
  g_autofree char *name = g_strdup_printf ("%u.jsonl", task->index),
                  *path = g_build_filename (self->folder, name, NULL), *fault = NULL;
  g_autoptr (GError) local = NULL;
  File file;

  if (!g_file_test (path, G_FILE_TEST_EXISTS)) {
    self->told->n_missing++;
    return TRUE;
  }
  fault = read_file (path, &file);
  const char *key = ssapp_json_get_string (file.head, "key"), *run = ssapp_json_get_string (file.head, "run");
  const char *here = key != NULL ? g_hash_table_lookup (self->runs, key) : NULL;
  if (fault == NULL && (run == NULL || !answers_task (&file, plan, task->index)))
    fault = g_strdup ("it is of another study");
  if (fault == NULL)
    fault = ssapp_study_form_fault (file.head, file.events, file.result);
  if (fault == NULL && here == NULL && is_id_taken (self, &file))
    fault = g_strdup ("its run has the id of another one");
  if (fault == NULL && here == NULL)
    fault = judge_file (&file);
  if (fault != NULL) {
    add_fault (self, name, fault);
  } else if (g_strcmp0 (here, run) == 0) {
    self->told->n_known++;
  } else if (here != NULL) {
    self->told->n_answered++;
  } else if (!store_file (self->heap, &file, &local)) {
    add_fault (self, name, local->message);
    if (local->domain == SSAPP_STORE_ERROR) {
      g_propagate_error (error, g_steal_pointer (&local));
      file_clear (&file);
      return FALSE;
    }
  } else {
    Link *link = g_new0 (Link, 1);
    link->key = g_strdup (key);
    link->run = g_strdup (run);
    link->values = g_strdup (ssapp_json_get_string (file.head, "values"));
    g_ptr_array_add (self->links, link);
    g_hash_table_add (self->ids, g_strdup (run));
  }
  file_clear (&file);
  return TRUE;
}

static gboolean
take_tasks (Merge *self, const SsappStudyPlan *plan, GError **error)
{
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < ssapp_study_plan_get_count (plan); i++) {
    g_autoptr (SsappStudyTask) task = ssapp_study_plan_get_task (plan, i, FALSE);
    if (g_hash_table_add (seen, g_strdup (task->key)) && !take_task (self, plan, task, error))
      return FALSE;
  }
  return TRUE;
}

/* What came in, then which task each run answers: the second alone is done again where it was interrupted. */
static gboolean
take_heap (Merge *self, const char *path, GError **error)
{
  SsappMerge told = {0};

  if (!ssapp_store_close (self->heap, error) ||
      (self->links->len > 0 && !ssapp_store_merge (self->store, path, NULL, &told, error)))
    return FALSE;
  for (guint i = 0; i < self->links->len; i++) {
    const Link *link = g_ptr_array_index (self->links, i);
    if (!ssapp_store_set_study_run (self->store, self->study_id, link->key, link->values, link->run, error))
      return FALSE;
  }
  self->told->n_new = self->links->len > 0 ? (guint)told.n_runs : 0;
  self->told->n_known += self->links->len - MIN (self->told->n_new, self->links->len);
  return TRUE;
}

static GHashTable *
list_ids (GHashTable *runs)
{
  GHashTable *ids = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  GHashTableIter iter;
  gpointer id;

  g_hash_table_iter_init (&iter, runs);
  while (g_hash_table_iter_next (&iter, NULL, &id))
    if (id != NULL)
      g_hash_table_add (ids, g_strdup (id));
  return ids;
}

gboolean
ssapp_study_merge_events (SsappStore *store, const char *study_id, const char *folder, SsappStudyMerge *told,
                          GError **error)
{
  g_return_val_if_fail (SSAPP_IS_STORE (store) && study_id != NULL && folder != NULL && told != NULL, FALSE);

  Merge self = {.store = store, .study_id = study_id, .folder = folder, .told = told};
  g_autoptr (SsappStudyPlan) plan = NULL;
  g_autofree char *work = NULL, *path = NULL;
  gboolean ok = FALSE;

  *told = (SsappStudyMerge){.faults = g_ptr_array_new_with_free_func (g_free)};
  SsappStudyRow *row = ssapp_store_get_study (store, study_id, error);
  json_t *json = row != NULL ? json_loads (row->definition, 0, NULL) : NULL;
  g_autoptr (SsappStudy) study = row != NULL ? ssapp_study_from_json (json, error) : NULL;
  json_decref (json);
  ssapp_study_row_free (row);
  plan = study != NULL ? ssapp_study_plan_new (study, error) : NULL;
  self.runs = plan != NULL ? ssapp_store_list_study_runs (store, study_id, error) : NULL;
  work = self.runs != NULL ? g_dir_make_tmp ("stickslip-merge-XXXXXX", error) : NULL;
  if (work != NULL) {
    path = g_build_filename (work, "heap" SSAPP_PROJECT_SUFFIX, NULL);
    self.links = g_ptr_array_new_with_free_func (link_free);
    self.ids = list_ids (self.runs);
    self.heap = ssapp_store_open (path, TRUE, error);
    ok = self.heap != NULL && take_tasks (&self, plan, error) && take_heap (&self, path, error);
    g_clear_object (&self.heap);
    g_ptr_array_unref (self.links);
    g_hash_table_unref (self.ids);
    g_unlink (path);
    g_rmdir (work);
  }
  g_clear_pointer (&self.runs, g_hash_table_unref);
  return ok;
}
