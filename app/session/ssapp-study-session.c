/* app/session/ssapp-study-session.c: studies of the project, queue, the set of runs. Edits: ssapp-study-edit.c; what is
 * shown: ssapp-study-look.c */
#include "app/session/ssapp-study-private.h"

#include "app/base/ssapp-json.h"
#include "app/document/ssapp-source.h"
#include "app/study/ssapp-ignored.h"
#include "app/study/ssapp-study-job.h"

#include <math.h>
#include <string.h>

#define REFRESH_MS      500  /* between two looks at the runs of the project */
#define TASKS_BUDGET_US 4000 /* of an idle moment, for the list of tasks */

G_DEFINE_FINAL_TYPE (SsappStudySession, ssapp_study_session, G_TYPE_OBJECT)

enum { CHANGED, PROGRESS, RUNS, LOOKED, FAILED, N_SIGNALS };
static guint signals[N_SIGNALS];

void
ssapp_study_session_tell (SsappStudySession *self, const char *signal)
{
  g_signal_emit_by_name (self, signal);
}

/* ---- the set of runs --------------------------------------------------------------------------------------------- */

static gboolean
has_ended (const SsappRunRow *row)
{
  return *row->ended != '\0' && g_strcmp0 (row->outcome, "running") != 0;
}

static void
drop_set (SsappStudySession *self)
{
  ssapp_study_look_forget (self);
  g_clear_pointer (&self->set, ssapp_run_set_free);
  g_ptr_array_set_size (self->old_rows, 0);
}

/* The row of a run, read again while it has not ended. */
static const SsappRunRow *
row_of (SsappStudySession *self, const char *id)
{
  SsappRunRow *row = g_hash_table_lookup (self->rows, id);

  if (row != NULL && has_ended (row))
    return row;
  SsappRunRow *fresh = ssapp_store_get_run (self->store, id, NULL);
  if (fresh == NULL)
    return row;
  if (row != NULL) { /* the set on show still has it */
    g_ptr_array_add (self->old_rows, row);
    g_hash_table_steal_extended (self->rows, id, NULL, NULL);
  }
  g_hash_table_insert (self->rows, fresh->id, fresh);
  return fresh;
}

static void
make_set (SsappStudySession *self)
{
  const guint n = ssapp_study_tasks_get_n (self->tasks);
  g_autofree const SsappRunRow **rows = g_new0 (const SsappRunRow *, n + 1);
  g_autoptr (GError) error = NULL;
  g_autoptr (GHashTable) runs = ssapp_store_list_study_runs (self->store, self->id, &error);

  if (runs == NULL) {
    g_signal_emit (self, signals[FAILED], 0, error->message);
    return;
  }
  for (guint i = 0; i < n; i++) {
    const char *run = g_hash_table_lookup (runs, ssapp_study_tasks_get_key (self->tasks, i));
    rows[i] = run != NULL ? row_of (self, run) : NULL;
  }
  ssapp_study_look_forget (self);
  g_clear_pointer (&self->set, ssapp_run_set_free);
  g_ptr_array_set_size (self->old_rows, 0);
  self->set = ssapp_study_tasks_make_set (self->tasks, rows);
  ssapp_run_set_tell_ignored (self->set, self->store);
}

static gboolean
on_refresh (gpointer data)
{
  SsappStudySession *self = data;

  self->refresh = 0;
  self->refreshed = g_get_monotonic_time ();
  if (self->study != NULL && self->tasks != NULL && self->tasks_idle == 0) {
    make_set (self);
    g_signal_emit (self, signals[RUNS], 0);
  }
  g_signal_emit (self, signals[PROGRESS], 0);
  return G_SOURCE_REMOVE;
}

/* At once where nothing was read for a while, else when half a second has passed. */
static void
queue_refresh (SsappStudySession *self)
{
  const gint64 rest = REFRESH_MS - (g_get_monotonic_time () - self->refreshed) / 1000;

  if (self->refresh == 0)
    self->refresh = g_timeout_add ((guint)CLAMP (rest, 0, REFRESH_MS), on_refresh, self);
}

static gboolean
on_tasks_idle (gpointer data)
{
  SsappStudySession *self = data;

  if (!ssapp_study_tasks_go_on (self->tasks, TASKS_BUDGET_US))
    return G_SOURCE_CONTINUE;
  self->tasks_idle = 0;
  self->refreshed = 0;
  g_clear_handle_id (&self->refresh, g_source_remove);
  on_refresh (self);
  return G_SOURCE_REMOVE;
}

/* After every edit: small studies are known at once, large ones a moment later. */
void
ssapp_study_session_restart (SsappStudySession *self)
{
  g_clear_handle_id (&self->tasks_idle, g_source_remove);
  drop_set (self);
  g_clear_pointer (&self->tasks, ssapp_study_tasks_free);
  if (self->study == NULL || !self->is_looked_at) {
    g_signal_emit (self, signals[RUNS], 0);
    return;
  }
  self->tasks = ssapp_study_tasks_new (self->study);
  if (ssapp_study_tasks_go_on (self->tasks, 4 * TASKS_BUDGET_US)) {
    make_set (self);
    self->refreshed = g_get_monotonic_time ();
  } else {
    self->tasks_idle = g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, on_tasks_idle, self, NULL);
  }
  g_signal_emit (self, signals[RUNS], 0);
}

void
ssapp_study_session_look (SsappStudySession *self)
{
  g_return_if_fail (SSAPP_IS_STUDY_SESSION (self));

  if (self->is_looked_at)
    return;
  self->is_looked_at = TRUE;
  if (self->study == NULL)
    return;
  ssapp_study_session_restart (self);
  g_signal_emit (self, signals[PROGRESS], 0);
}

const SsappRunSet *
ssapp_study_session_get_set (SsappStudySession *self)
{
  g_return_val_if_fail (SSAPP_IS_STUDY_SESSION (self), NULL);
  return self->set;
}

const char *
ssapp_study_session_get_run_id (SsappStudySession *self, guint item)
{
  g_return_val_if_fail (SSAPP_IS_STUDY_SESSION (self), NULL);
  if (self->set == NULL || item >= self->set->items->len)
    return NULL;
  const SsappRunRow *row = g_array_index (self->set->items, SsappRunItem, item).row;
  return row != NULL ? row->id : NULL;
}

/* ---- studies of the project -------------------------------------------------------------------------------------- */

GPtrArray *
ssapp_study_session_list (SsappStudySession *self)
{
  g_return_val_if_fail (SSAPP_IS_STUDY_SESSION (self), NULL);
  GPtrArray *list = self->store != NULL ? ssapp_store_list_studies (self->store, NULL) : NULL;

  return list != NULL ? list : g_ptr_array_new ();
}

const char *
ssapp_study_session_get_id (SsappStudySession *self)
{
  g_return_val_if_fail (SSAPP_IS_STUDY_SESSION (self), NULL);
  return self->id;
}

const SsappStudy *
ssapp_study_session_get_study (SsappStudySession *self)
{
  g_return_val_if_fail (SSAPP_IS_STUDY_SESSION (self), NULL);
  return self->study;
}

void
ssapp_study_session_drop_queue (SsappStudySession *self)
{
  if (self->queue == NULL)
    return;
  g_signal_handlers_disconnect_by_data (self->queue, self);
  if (ssapp_study_queue_is_running (self->queue))
    ssapp_study_queue_stop (self->queue);
  g_clear_object (&self->queue);
}

/* Takes the study. */
static void
show (SsappStudySession *self, const char *id, SsappStudy *study)
{
  g_autofree char *own = g_strdup (id);

  ssapp_study_session_drop_queue (self);
  g_ptr_array_set_size (self->undo, 0);
  g_ptr_array_set_size (self->redo, 0);
  g_free (self->id);
  self->id = g_steal_pointer (&own);
  ssapp_study_free (self->study);
  self->study = study;
  ssapp_study_look_reset (self);
  ssapp_study_session_restart (self);
  g_signal_emit (self, signals[CHANGED], 0);
  g_signal_emit (self, signals[PROGRESS], 0);
}

static SsappStudy *
read_study (const SsappStudyRow *row, GError **error)
{
  json_error_t where;
  json_t *json = json_loads (row->definition, 0, &where);
  SsappStudy *study;

  if (json == NULL) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "The study “%s” cannot be read: %s", row->title,
                 where.text);
    return NULL;
  }
  study = ssapp_study_from_json (json, error);
  json_decref (json);
  return study;
}

gboolean
ssapp_study_session_open (SsappStudySession *self, const char *id, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_STUDY_SESSION (self), FALSE);

  if (self->store == NULL)
    return ssapp_study_fail_with (error, "There is no project yet");
  if (g_strcmp0 (id, self->id) == 0)
    return TRUE;
  if (ssapp_study_session_is_running (self))
    return ssapp_study_fail_with (error, "Stop the study that runs first");
  SsappStudyRow *row = ssapp_store_get_study (self->store, id, error);
  SsappStudy *study = row != NULL ? read_study (row, error) : NULL;
  self->is_looked_at = TRUE;
  if (study != NULL)
    show (self, row->id, study);
  ssapp_study_row_free (row);
  return study != NULL;
}

/* The one changed last, or none. */
static void
show_newest (SsappStudySession *self)
{
  g_autoptr (GPtrArray) list = ssapp_study_session_list (self);

  for (guint i = 0; i < list->len; i++) {
    const SsappStudyRow *row = g_ptr_array_index (list, i);
    g_autoptr (GError) error = NULL;
    SsappStudy *study = read_study (row, &error);
    if (study != NULL) {
      show (self, row->id, study);
      return;
    }
    g_signal_emit (self, signals[FAILED], 0, error->message);
  }
  show (self, NULL, NULL);
}

void
ssapp_study_session_take_store (SsappStudySession *self)
{
  g_return_if_fail (SSAPP_IS_STUDY_SESSION (self));
  SsappStore *store = ssapp_session_get_store (self->session);

  if (store == self->store)
    return;
  ssapp_study_session_drop_queue (self);
  drop_set (self);
  g_hash_table_remove_all (self->rows);
  g_set_object (&self->store, store);
  self->is_looked_at = FALSE;
  show_newest (self);
}

void
ssapp_study_session_leave_store (SsappStudySession *self)
{
  g_return_if_fail (SSAPP_IS_STUDY_SESSION (self));

  ssapp_study_session_drop_queue (self);
  drop_set (self);
  g_hash_table_remove_all (self->rows);
  g_clear_object (&self->store);
  show (self, NULL, NULL);
}

/* "Study", "Study 2", ... */
static char *
free_title (SsappStudySession *self, const char *wish)
{
  g_autoptr (GPtrArray) list = ssapp_study_session_list (self);

  for (int number = 1;; number++) {
    g_autofree char *title = number == 1 ? g_strdup (wish) : g_strdup_printf ("%s %d", wish, number);
    gboolean is_taken = FALSE;
    for (guint i = 0; i < list->len; i++)
      is_taken |= g_strcmp0 (((const SsappStudyRow *)g_ptr_array_index (list, i))->title, title) == 0;
    if (!is_taken)
      return g_steal_pointer (&title);
  }
}

gboolean
ssapp_study_session_add_study (SsappStudySession *self, SsappStudy *study, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_STUDY_SESSION (self), FALSE);
  g_autoptr (SsappStudy) own = study;

  if (ssapp_study_session_is_running (self))
    return ssapp_study_fail_with (error, "Stop the study that runs first");
  if (!ssapp_session_ensure_store (self->session, error))
    return FALSE;
  ssapp_study_session_take_store (self);
  char *title = free_title (self, own->title);
  g_free (own->title);
  own->title = title;
  g_autofree char *definition = ssapp_study_to_text (own);
  g_autofree char *id = ssapp_store_add_study (self->store, own->title, definition, ssapp_study_count (own), error);
  if (id == NULL)
    return FALSE;
  self->is_looked_at = TRUE;
  show (self, id, g_steal_pointer (&own));
  return TRUE;
}

/* What is chosen on the Run page, with the options set there. */
static void
add_chosen_methods (SsappStudySession *self, SsappStudy *study)
{
  g_autoptr (GPtrArray) methods = ssapp_session_list_methods (self->session);

  for (guint m = 0; m < methods->len; m++) {
    const SsMethod *method = g_ptr_array_index (methods, m);
    GString *text = g_string_new (method->name);
    gboolean is_first = TRUE;
    if (ssapp_session_is_chosen (self->session, method)) {
      for (int i = 0; i < ssapp_session_n_options (self->session, method); i++) {
        g_autofree char *value = NULL;
        if (ssapp_session_is_option_default (self->session, method, i))
          continue;
        value = ssapp_session_get_option (self->session, method, i);
        g_string_append_printf (text, ":%s=%s", ssapp_session_get_option_spec (self->session, method, i)->name, value);
        is_first = FALSE;
      }
      if (!ssapp_study_add_method (study, text->str, NULL) && !is_first)
        (void)ssapp_study_add_method (study, method->name, NULL);
    }
    g_string_free (text, TRUE);
  }
}

gboolean
ssapp_study_session_add (SsappStudySession *self, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_STUDY_SESSION (self), FALSE);
  SsappDocument *document = ssapp_session_get_document (self->session);
  g_autofree char *title = g_strdup_printf ("Study of %s", ssapp_document_get_title (document));
  SsappStudy *study = ssapp_study_new (title, ssapp_document_get_name (document), ssapp_document_get_text (document));

  add_chosen_methods (self, study);
  return ssapp_study_session_add_study (self, study, error);
}

gboolean
ssapp_study_session_duplicate (SsappStudySession *self, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_STUDY_SESSION (self), FALSE);
  if (self->study == NULL)
    return ssapp_study_fail_with (error, "There is no study to duplicate");

  g_autofree char *from = g_strdup (self->id);
  SsappStudy *study = ssapp_study_copy (self->study);
  char *title = g_strdup_printf ("%s (copy)", study->title);
  g_free (study->title);
  study->title = title;
  if (!ssapp_study_session_add_study (self, study, error))
    return FALSE;
  /* The same tasks have the same keys, so what was run answers both. */
  g_autoptr (GHashTable) runs = ssapp_store_list_study_runs (self->store, from, NULL);
  g_autoptr (SsappStudyPlan) plan = ssapp_study_plan_new (self->study, NULL);
  for (guint i = 0; runs != NULL && plan != NULL && i < ssapp_study_plan_get_count (plan); i++) {
    g_autoptr (SsappStudyTask) task = ssapp_study_plan_get_task (plan, i, FALSE);
    g_autofree char *values = ssapp_study_task_to_json (self->study, task);
    const char *run = g_hash_table_lookup (runs, task->key);
    if (run != NULL && !ssapp_store_set_study_run (self->store, self->id, task->key, values, run, error))
      return FALSE;
  }
  ssapp_study_session_restart (self);
  g_signal_emit (self, signals[PROGRESS], 0);
  return TRUE;
}

gboolean
ssapp_study_session_delete (SsappStudySession *self, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_STUDY_SESSION (self), FALSE);
  if (self->study == NULL)
    return ssapp_study_fail_with (error, "There is no study to delete");
  if (ssapp_study_session_is_running (self))
    return ssapp_study_fail_with (error, "Stop the study first");
  if (!ssapp_store_delete_study (self->store, self->id, error))
    return FALSE;
  show_newest (self);
  return TRUE;
}

gboolean
ssapp_study_session_undelete (SsappStudySession *self, const char *id, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_STUDY_SESSION (self), FALSE);
  if (self->store == NULL)
    return ssapp_study_fail_with (error, "There is no project yet");
  return ssapp_store_undelete_study (self->store, id, error) && ssapp_study_session_open (self, id, error);
}

/* ---- running ----------------------------------------------------------------------------------------------------- */

static void
on_queue_ended (SsappStudySession *self)
{
  self->refreshed = 0;
  queue_refresh (self);
  g_signal_emit (self, signals[CHANGED], 0);
}

gboolean
ssapp_study_session_start (SsappStudySession *self, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_STUDY_SESSION (self), FALSE);
  g_autofree char *problem = self->queue == NULL ? ssapp_study_session_dup_problem (self) : NULL;

  if (problem != NULL)
    return ssapp_study_fail_with (error, problem);
  ssapp_study_session_look (self);
  if (self->queue == NULL) {
    self->queue = ssapp_study_queue_new (self->store, self->id, error);
    if (self->queue == NULL)
      return FALSE;
    g_signal_connect_object (self->queue, "changed", G_CALLBACK (queue_refresh), self, G_CONNECT_SWAPPED);
    g_signal_connect_object (self->queue, "ended", G_CALLBACK (on_queue_ended), self, G_CONNECT_SWAPPED);
  }
  if (ssapp_study_queue_is_paused (self->queue))
    ssapp_study_queue_set_paused (self->queue, FALSE);
  if (!ssapp_study_queue_is_running (self->queue))
    ssapp_study_queue_start (self->queue);
  g_signal_emit (self, signals[CHANGED], 0);
  queue_refresh (self);
  return TRUE;
}

void
ssapp_study_session_pause (SsappStudySession *self)
{
  g_return_if_fail (SSAPP_IS_STUDY_SESSION (self));
  if (self->queue == NULL || !ssapp_study_queue_is_running (self->queue))
    return;
  ssapp_study_queue_set_paused (self->queue, TRUE);
  g_signal_emit (self, signals[CHANGED], 0);
  queue_refresh (self);
}

void
ssapp_study_session_stop (SsappStudySession *self)
{
  g_return_if_fail (SSAPP_IS_STUDY_SESSION (self));
  if (self->queue == NULL)
    return;
  ssapp_study_queue_stop (self->queue);
  g_signal_emit (self, signals[CHANGED], 0);
  queue_refresh (self);
}

gboolean
ssapp_study_session_is_running (SsappStudySession *self)
{
  g_return_val_if_fail (SSAPP_IS_STUDY_SESSION (self), FALSE);
  return self->queue != NULL && ssapp_study_queue_is_running (self->queue);
}

gboolean
ssapp_study_session_is_paused (SsappStudySession *self)
{
  g_return_val_if_fail (SSAPP_IS_STUDY_SESSION (self), FALSE);
  return ssapp_study_session_is_running (self) && ssapp_study_queue_is_paused (self->queue);
}

/* Without a queue: what the set tells. */
void
ssapp_study_session_get_progress (SsappStudySession *self, SsappStudyProgress *progress)
{
  g_return_if_fail (SSAPP_IS_STUDY_SESSION (self));

  *progress = (SsappStudyProgress){.seconds_left = NAN, .elapsed = NAN};
  if (self->queue != NULL) {
    ssapp_study_queue_get_progress (self->queue, progress);
    return;
  }
  if (self->study == NULL)
    return;
  progress->n_tasks = ssapp_study_count (self->study);
  for (guint i = 0; self->set != NULL && i < self->set->items->len; i++) {
    const SsappRunItem *item = &g_array_index (self->set->items, SsappRunItem, i);
    progress->n_running += item->state == SSAPP_RUN_RUNNING;
    progress->n_solved += item->state == SSAPP_RUN_SOLVED;
    progress->n_unsolved += item->state == SSAPP_RUN_UNSOLVED;
    if (item->state != SSAPP_RUN_UNSOLVED)
      continue;
    progress->n_limited +=
        g_strcmp0 (item->row->outcome, "time_limit") == 0 || g_strcmp0 (item->row->outcome, "cpu_limit") == 0;
    progress->n_failed += g_strcmp0 (item->row->outcome, "failed") == 0;
  }
  progress->n_queued = progress->n_tasks - progress->n_running - progress->n_solved - progress->n_unsolved;
}

GArray *
ssapp_study_session_count_methods (SsappStudySession *self)
{
  g_return_val_if_fail (SSAPP_IS_STUDY_SESSION (self), NULL);
  GArray *counts = g_array_new (FALSE, TRUE, sizeof (guint));

  if (self->study != NULL)
    g_array_set_size (counts, self->study->methods->len);
  for (guint i = 0; self->set != NULL && i < self->set->items->len; i++) {
    const SsappRunItem *item = &g_array_index (self->set->items, SsappRunItem, i);
    if (item->method < counts->len && (item->state == SSAPP_RUN_SOLVED || item->state == SSAPP_RUN_UNSOLVED))
      g_array_index (counts, guint, item->method)++;
  }
  return counts;
}

char *
ssapp_study_session_dup_progress (SsappStudySession *self)
{
  SsappStudyProgress progress;

  ssapp_study_session_get_progress (self, &progress);
  return g_strdup_printf ("%u of %u runs", progress.n_solved + progress.n_unsolved, progress.n_tasks);
}

char *
ssapp_study_session_dup_time_left (SsappStudySession *self)
{
  SsappStudyProgress progress;

  ssapp_study_session_get_progress (self, &progress);
  if (ssapp_study_session_is_paused (self))
    return g_strdup (progress.n_running > 0 ? "pausing" : "paused");
  if (!ssapp_study_session_is_running (self))
    return g_strdup ("");
  if (!isfinite (progress.seconds_left))
    return g_strdup ("");
  if (progress.seconds_left < 100)
    return g_strdup_printf ("about %.0f s left", MAX (1., ceil (progress.seconds_left)));
  if (progress.seconds_left < 6000)
    return g_strdup_printf ("about %.0f min left", ceil (progress.seconds_left / 60));
  return g_strdup_printf ("about %.1f h left", progress.seconds_left / 3600);
}

static void
running_clear (gpointer data)
{
  g_free (((SsappStudyRunning *)data)->words);
}

GArray *
ssapp_study_session_list_running (SsappStudySession *self)
{
  g_return_val_if_fail (SSAPP_IS_STUDY_SESSION (self), NULL);
  GArray *none;

  if (self->queue != NULL)
    return ssapp_study_queue_list_running (self->queue);
  none = g_array_new (FALSE, FALSE, sizeof (SsappStudyRunning));
  g_array_set_clear_func (none, running_clear);
  return none;
}

/* ---- object ------------------------------------------------------------------------------------------------------ */

static void
ssapp_study_session_dispose (GObject *object)
{
  SsappStudySession *self = SSAPP_STUDY_SESSION (object);

  ssapp_study_session_drop_queue (self);
  g_clear_handle_id (&self->tasks_idle, g_source_remove);
  g_clear_handle_id (&self->refresh, g_source_remove);
  g_clear_object (&self->store);
  G_OBJECT_CLASS (ssapp_study_session_parent_class)->dispose (object);
}

static void
ssapp_study_session_finalize (GObject *object)
{
  SsappStudySession *self = SSAPP_STUDY_SESSION (object);

  drop_set (self);
  ssapp_study_look_finalize (self);
  g_clear_pointer (&self->tasks, ssapp_study_tasks_free);
  ssapp_study_free (self->study);
  g_free (self->id);
  g_ptr_array_unref (self->undo);
  g_ptr_array_unref (self->redo);
  g_ptr_array_unref (self->old_rows);
  g_hash_table_unref (self->rows);
  G_OBJECT_CLASS (ssapp_study_session_parent_class)->finalize (object);
}

static void
ssapp_study_session_class_init (SsappStudySessionClass *class)
{
  static const char *const names[] = {"changed", "progress", "runs", "looked"};

  G_OBJECT_CLASS (class)->dispose = ssapp_study_session_dispose;
  G_OBJECT_CLASS (class)->finalize = ssapp_study_session_finalize;
  for (guint k = 0; k < G_N_ELEMENTS (names); k++)
    signals[k] =
        g_signal_new (names[k], SSAPP_TYPE_STUDY_SESSION, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[FAILED] = g_signal_new ("failed", SSAPP_TYPE_STUDY_SESSION, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                  G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void
row_free (gpointer row)
{
  ssapp_run_row_free (row);
}

static void
ssapp_study_session_init (SsappStudySession *self)
{
  self->undo = g_ptr_array_new_with_free_func (ssapp_study_step_free);
  self->redo = g_ptr_array_new_with_free_func (ssapp_study_step_free);
  self->rows = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, row_free);
  self->old_rows = g_ptr_array_new_with_free_func (row_free);
  ssapp_study_look_init (self);
}

static void
on_store_changed (SsappStudySession *self)
{
  ssapp_study_session_take_store (self);
  if (self->study != NULL)
    queue_refresh (self);
}

SsappStudySession *
ssapp_study_session_new (SsappSession *session)
{
  SsappStudySession *self = g_object_new (SSAPP_TYPE_STUDY_SESSION, NULL);

  self->session = session;
  g_signal_connect_object (session, "store-changed", G_CALLBACK (on_store_changed), self, G_CONNECT_SWAPPED);
  ssapp_study_session_take_store (self);
  return self;
}
