/* app/session/ssapp-study-session.c: the study on show as an object: its fields, the set of its runs, how far it is.
 * Edits: ssapp-study-edit.c; what is shown: ssapp-study-look.c; studies of the project: ssapp-study-project.c */
#include "app/session/ssapp-study-private.h"

#include "app/base/ssapp-json.h"
#include "app/document/ssapp-source.h"
#include "app/study/ssapp-ignored.h"
#include "app/study/ssapp-study-job.h"

#include <glib/gi18n.h>
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

void
ssapp_study_session_tell_failed (SsappStudySession *self, const char *message)
{
  g_signal_emit (self, signals[FAILED], 0, message);
}

/* ---- life of the fields ------------------------------------------------------------------------------------------ */

void
ssapp_study_look_drop_chart (SsappStudySession *self, SsappStudyPart part)
{
  g_return_if_fail (self != NULL);
  g_clear_pointer (&self->charts[part], ssapp_chart_free);
}

void
ssapp_study_look_drop_charts (SsappStudySession *self)
{
  for (int part = 0; part < SSAPP_STUDY_PARTS; part++)
    ssapp_study_look_drop_chart (self, (SsappStudyPart)part);
}

/* The set is another, or goes: charts and lists of choices are forgotten. */
static void
forget_look (SsappStudySession *self)
{
  g_return_if_fail (self != NULL);
  ssapp_study_look_drop_charts (self);
  for (int part = 0; part < SSAPP_STUDY_PARTS; part++) {
    g_clear_pointer (&self->lists[part], g_ptr_array_unref);
    g_clear_pointer (&self->keys[part], g_strfreev);
  }
  g_array_set_size (self->table_items, 0);
}

void
ssapp_study_look_reset (SsappStudySession *self)
{
  g_return_if_fail (self != NULL);
  g_clear_pointer (&self->selected, g_free);
  g_hash_table_remove_all (self->hidden);
  self->x_axis = self->y_axis = -1;
}

static void
init_look (SsappStudySession *self)
{
  self->hidden = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->table_items = g_array_new (FALSE, FALSE, sizeof (guint));
  self->x_axis = self->y_axis = -1;
}

static void
finalize_look (SsappStudySession *self)
{
  for (int part = 0; part < SSAPP_STUDY_PARTS; part++)
    g_free (self->choices[part]);
  g_hash_table_unref (self->hidden);
  g_array_unref (self->table_items);
  g_free (self->selected);
}

static void
step_free (gpointer data)
{
  SsappStudyStep *step = data;

  g_free (step->label);
  ssapp_study_free (step->before);
  g_free (step);
}

gboolean
ssapp_study_fail_with (GError **error, const char *message)
{
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, message);
  return FALSE;
}

char *
ssapp_study_to_text (const SsappStudy *study)
{
  json_t *json = ssapp_study_to_json (study);
  char *text = ssapp_json_text (json, FALSE);

  json_decref (json);
  return text;
}

/* ---- the set of runs --------------------------------------------------------------------------------------------- */

static gboolean
has_ended (const SsappRunRow *row)
{
  return *row->ended != '\0' && g_strcmp0 (row->outcome, "running") != 0;
}

void
ssapp_study_session_drop_set (SsappStudySession *self)
{
  g_return_if_fail (self != NULL);
  forget_look (self);
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

/* Rows of many runs that are not known yet, all at once: one by one ten thousand take half a minute. */
static void
read_rows (SsappStudySession *self, GHashTable *runs)
{
  enum { FEW = 64 };
  SsMetric metrics[SS_METRIC_COUNT];
  GHashTableIter iter;
  gpointer id;
  guint n_unknown = 0;

  g_hash_table_iter_init (&iter, runs);
  while (g_hash_table_iter_next (&iter, NULL, &id))
    n_unknown += !g_hash_table_contains (self->rows, id);
  if (n_unknown <= FEW)
    return;
  for (int i = 0; i < SS_METRIC_COUNT; i++)
    metrics[i] = (SsMetric)i;
  g_autoptr (GPtrArray) all = ssapp_store_list_runs (self->store, metrics, SS_METRIC_COUNT, NULL);
  g_autoptr (GHashTable) wanted = g_hash_table_new (g_str_hash, g_str_equal);
  g_hash_table_iter_init (&iter, runs);
  while (g_hash_table_iter_next (&iter, NULL, &id))
    g_hash_table_add (wanted, id);
  for (guint i = all != NULL ? all->len : 0; i > 0; i--) {
    SsappRunRow *row = g_ptr_array_index (all, i - 1);
    if (g_hash_table_contains (wanted, row->id) && !g_hash_table_contains (self->rows, row->id)) {
      row = g_ptr_array_steal_index_fast (all, i - 1);
      g_hash_table_insert (self->rows, row->id, row);
    }
  }
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
  read_rows (self, runs);
  for (guint i = 0; i < n; i++) {
    const char *run = g_hash_table_lookup (runs, ssapp_study_tasks_get_key (self->tasks, i));
    rows[i] = run != NULL ? row_of (self, run) : NULL;
  }
  forget_look (self);
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

void
ssapp_study_session_refresh_soon (SsappStudySession *self)
{
  g_return_if_fail (self != NULL);
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
  ssapp_study_session_drop_set (self);
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

/* ---- the study on show ------------------------------------------------------------------------------------------- */

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
  g_return_if_fail (self != NULL);
  if (self->queue == NULL)
    return;
  g_signal_handlers_disconnect_by_data (self->queue, self);
  if (ssapp_study_queue_is_running (self->queue))
    ssapp_study_queue_stop (self->queue);
  g_clear_object (&self->queue);
}

/* ---- how far it is ----------------------------------------------------------------------------------------------- */

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

char *
ssapp_study_session_dup_problem (SsappStudySession *self)
{
  g_return_val_if_fail (SSAPP_IS_STUDY_SESSION (self), NULL);
  g_autoptr (GError) error = NULL;

  if (self->study == NULL)
    return g_strdup (_ ("There is no study yet"));
  if (self->study->methods->len == 0)
    return g_strdup (_ ("Add a method first"));
  if (ssapp_store_is_read_only (self->store))
    return g_strdup (_ ("The project can only be read"));
  if (self->queue != NULL && ssapp_study_queue_get_trouble (self->queue) != NULL)
    return g_strdup (ssapp_study_queue_get_trouble (self->queue));
  return ssapp_study_check (self->study, &error) ? NULL : g_strdup (error->message);
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
    progress->n_unsolved += item->state == SSAPP_RUN_UNSOLVED || item->state == SSAPP_RUN_SLOW;
    progress->n_slow += item->state == SSAPP_RUN_SLOW;
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
    if (item->method < counts->len && item->state >= SSAPP_RUN_SOLVED)
      g_array_index (counts, guint, item->method)++;
  }
  return counts;
}

char *
ssapp_study_session_dup_progress (SsappStudySession *self)
{
  SsappStudyProgress progress;

  ssapp_study_session_get_progress (self, &progress);
  return g_strdup_printf (_ ("%u of %u runs"), progress.n_solved + progress.n_unsolved, progress.n_tasks);
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
    return g_strdup_printf (_ ("about %.0f s left"), MAX (1., ceil (progress.seconds_left)));
  if (progress.seconds_left < 6000)
    return g_strdup_printf (_ ("about %.0f min left"), ceil (progress.seconds_left / 60));
  return g_strdup_printf (_ ("about %.1f h left"), progress.seconds_left / 3600);
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

  ssapp_study_session_drop_set (self);
  finalize_look (self);
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
  self->undo = g_ptr_array_new_with_free_func (step_free);
  self->redo = g_ptr_array_new_with_free_func (step_free);
  self->rows = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, row_free);
  self->old_rows = g_ptr_array_new_with_free_func (row_free);
  init_look (self);
}
