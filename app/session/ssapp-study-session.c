/* app/session/ssapp-study-session.c: studies of the project, edits, queue, the set of runs. What is shown of them:
 * ssapp-study-look.c */
#include "app/session/ssapp-study-private.h"

#include "app/base/ssapp-json.h"
#include "app/document/ssapp-source.h"
#include "app/study/ssapp-study-job.h"

#include <math.h>
#include <string.h>

#define REFRESH_MS      500  /* between two looks at the runs of the project */
#define TASKS_BUDGET_US 4000 /* of an idle moment, for the list of tasks */
#define UNDO_MAX        200  /* steps */
#define BYTES_A_GB      1e9

G_DEFINE_FINAL_TYPE (SsappStudySession, ssapp_study_session, G_TYPE_OBJECT)

enum { CHANGED, PROGRESS, RUNS, LOOKED, FAILED, N_SIGNALS };
static guint signals[N_SIGNALS];

typedef struct {
  char *label;
  SsappStudy *before;
} Step;

static void
step_free (gpointer data)
{
  Step *step = data;

  g_free (step->label);
  ssapp_study_free (step->before);
  g_free (step);
}

static gboolean
fail (GError **error, const char *message)
{
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, message);
  return FALSE;
}

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
  g_autoptr (GPtrArray) old = NULL;

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
static void
restart_tasks (SsappStudySession *self)
{
  g_clear_handle_id (&self->tasks_idle, g_source_remove);
  drop_set (self);
  g_clear_pointer (&self->tasks, ssapp_study_tasks_free);
  if (self->study == NULL) {
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

static void
drop_queue (SsappStudySession *self)
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

  drop_queue (self);
  g_ptr_array_set_size (self->undo, 0);
  g_ptr_array_set_size (self->redo, 0);
  g_free (self->id);
  self->id = g_steal_pointer (&own);
  ssapp_study_free (self->study);
  self->study = study;
  ssapp_study_look_reset (self);
  restart_tasks (self);
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
    return fail (error, "There is no project yet");
  if (g_strcmp0 (id, self->id) == 0)
    return TRUE;
  if (ssapp_study_session_is_running (self))
    return fail (error, "Stop the study that runs first");
  SsappStudyRow *row = ssapp_store_get_study (self->store, id, error);
  SsappStudy *study = row != NULL ? read_study (row, error) : NULL;
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
  drop_queue (self);
  drop_set (self);
  g_hash_table_remove_all (self->rows);
  g_set_object (&self->store, store);
  show_newest (self);
}

void
ssapp_study_session_leave_store (SsappStudySession *self)
{
  g_return_if_fail (SSAPP_IS_STUDY_SESSION (self));

  drop_queue (self);
  drop_set (self);
  g_hash_table_remove_all (self->rows);
  g_clear_object (&self->store);
  show (self, NULL, NULL);
}

static char *
definition_of (const SsappStudy *study)
{
  json_t *json = ssapp_study_to_json (study);
  char *text = ssapp_json_text (json, FALSE);

  json_decref (json);
  return text;
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
    return fail (error, "Stop the study that runs first");
  if (!ssapp_session_ensure_store (self->session, error))
    return FALSE;
  ssapp_study_session_take_store (self);
  char *title = free_title (self, own->title);
  g_free (own->title);
  own->title = title;
  g_autofree char *definition = definition_of (own);
  g_autofree char *id = ssapp_store_add_study (self->store, own->title, definition, ssapp_study_count (own), error);
  if (id == NULL)
    return FALSE;
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
    return fail (error, "There is no study to duplicate");

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
  restart_tasks (self);
  g_signal_emit (self, signals[PROGRESS], 0);
  return TRUE;
}

gboolean
ssapp_study_session_delete (SsappStudySession *self, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_STUDY_SESSION (self), FALSE);
  if (self->study == NULL)
    return fail (error, "There is no study to delete");
  if (ssapp_study_session_is_running (self))
    return fail (error, "Stop the study first");
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
    return fail (error, "There is no project yet");
  return ssapp_store_undelete_study (self->store, id, error) && ssapp_study_session_open (self, id, error);
}

/* ---- edits ------------------------------------------------------------------------------------------------------- */

static gboolean
store_study (SsappStudySession *self, const SsappStudy *study, GError **error)
{
  g_autofree char *definition = definition_of (study);

  return ssapp_store_set_study (self->store, self->id, study->title, definition, ssapp_study_count (study), error);
}

/* The study becomes another one, which is taken, in the project too; what it was goes on the list of steps. */
static gboolean
put (SsappStudySession *self, SsappStudy *study, const char *label, GPtrArray *steps, GError **error)
{
  g_autoptr (SsappStudy) own = study;
  Step *step;

  if (!store_study (self, own, error))
    return FALSE;
  step = g_new0 (Step, 1);
  step->label = g_strdup (label);
  step->before = self->study;
  g_ptr_array_add (steps, step);
  if (steps->len > UNDO_MAX)
    g_ptr_array_remove_index (steps, 0);
  self->study = g_steal_pointer (&own);
  drop_queue (self);
  if (self->study->axes->len != step->before->axes->len)
    ssapp_study_look_reset (self);
  restart_tasks (self);
  g_signal_emit (self, signals[CHANGED], 0);
  g_signal_emit (self, signals[PROGRESS], 0);
  return TRUE;
}

/* A copy to be changed; NULL: not now. */
static SsappStudy *
begin_edit (SsappStudySession *self, GError **error)
{
  if (self->study == NULL)
    return fail (error, "There is no study yet"), NULL;
  if (ssapp_study_session_is_running (self))
    return fail (error, "Stop the study before you change it"), NULL;
  return ssapp_study_copy (self->study);
}

static gboolean
end_edit (SsappStudySession *self, SsappStudy *study, const char *label, GError **error)
{
  if (!put (self, study, label, self->undo, error))
    return FALSE;
  g_ptr_array_set_size (self->redo, 0);
  g_signal_emit (self, signals[CHANGED], 0);
  return TRUE;
}

gboolean
ssapp_study_session_rename (SsappStudySession *self, const char *title, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_STUDY_SESSION (self), FALSE);
  SsappStudy *study = begin_edit (self, error);

  if (study == NULL)
    return FALSE;
  g_free (study->title);
  study->title = g_strstrip (g_strdup (title));
  if (*study->title == '\0') {
    ssapp_study_free (study);
    return fail (error, "A study needs a name");
  }
  return end_edit (self, study, "Rename", error);
}

gboolean
ssapp_study_session_set_scenario (SsappStudySession *self, const char *id, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_STUDY_SESSION (self), FALSE);
  SsappStudy *study = begin_edit (self, error);

  if (study == NULL)
    return FALSE;
  if (*id == '\0') {
    SsappDocument *document = ssapp_session_get_document (self->session);
    g_free (study->scenario_name);
    g_free (study->scenario_text);
    study->scenario_name = g_strdup (ssapp_document_get_name (document));
    study->scenario_text = g_strdup (ssapp_document_get_text (document));
  } else {
    SsappSketchRow *row = ssapp_store_get_sketch (self->store, id, error);
    if (row == NULL) {
      ssapp_study_free (study);
      return FALSE;
    }
    g_free (study->scenario_name);
    g_free (study->scenario_text);
    study->scenario_name = g_strdup (row->name);
    study->scenario_text = g_strdup (row->text);
    ssapp_sketch_row_free (row);
  }
  return end_edit (self, study, "Another Scenario", error);
}

static int
find_axis (const SsappStudy *study, const char *name)
{
  for (guint a = 0; a < study->axes->len; a++)
    if (g_strcmp0 (((const SsappStudyAxis *)g_ptr_array_index (study->axes, a))->name, name) == 0)
      return (int)a;
  return -1;
}

/* One that is new to a study without samples gets as many as the usual ones. */
static gboolean
set_axis (SsappStudy *study, const char *name, const char *values, GError **error)
{
  enum { USUAL_SAMPLES = 20 };

  if (!ssapp_study_set_axis (study, name, values, error))
    return FALSE;
  gboolean has_range = FALSE;
  for (guint a = 0; a < study->axes->len; a++)
    has_range |= ((const SsappStudyAxis *)g_ptr_array_index (study->axes, a))->form == SSAPP_AXIS_RANGE;
  if (!has_range)
    study->n_drawn = 0;
  else if (study->n_drawn == 0)
    study->n_drawn = USUAL_SAMPLES;
  return TRUE;
}

gboolean
ssapp_study_session_set_axis (SsappStudySession *self, const char *name, const char *values, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_STUDY_SESSION (self), FALSE);
  SsappStudy *study = begin_edit (self, error);

  if (study == NULL)
    return FALSE;
  const gboolean is_new = find_axis (study, name) < 0;
  if (!set_axis (study, name, values, error)) {
    ssapp_study_free (study);
    return FALSE;
  }
  g_autofree char *label = g_strdup_printf ("%s Axis %s", is_new ? "Add" : "Change", name);
  return end_edit (self, study, label, error);
}

gboolean
ssapp_study_session_remove_axis (SsappStudySession *self, const char *name, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_STUDY_SESSION (self), FALSE);
  SsappStudy *study = begin_edit (self, error);
  g_autofree char *label = g_strdup_printf ("Remove Axis %s", name);

  if (study == NULL)
    return FALSE;
  if (find_axis (study, name) < 0) {
    ssapp_study_free (study);
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "The study has no axis “%s”", name);
    return FALSE;
  }
  ssapp_study_remove_axis (study, name);
  return end_edit (self, study, label, error);
}

gboolean
ssapp_study_session_move_axis (SsappStudySession *self, const char *name, int by, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_STUDY_SESSION (self), FALSE);
  SsappStudy *study = begin_edit (self, error);

  if (study == NULL)
    return FALSE;
  const int from = find_axis (study, name), to = from + by;
  if (from < 0 || to < 0 || to >= (int)study->axes->len) {
    ssapp_study_free (study);
    return fail (error, "The axis cannot go further");
  }
  gpointer axis = study->axes->pdata[from];
  study->axes->pdata[from] = study->axes->pdata[to];
  study->axes->pdata[to] = axis;
  g_autofree char *label = g_strdup_printf ("Move Axis %s", name);
  return end_edit (self, study, label, error);
}

/* A new method at the end goes to the place of the one that it replaces. */
static gboolean
set_method (SsappStudy *study, int index, const char *text, GError **error)
{
  if (index >= (int)study->methods->len)
    return fail (error, "The study has no such method");
  if (index >= 0) { /* first, so that it may keep its name */
    ssapp_study_remove_method (study, (guint)index);
    if (!ssapp_study_add_method (study, text, error))
      return FALSE;
    gpointer added = study->methods->pdata[study->methods->len - 1];
    memmove (study->methods->pdata + index + 1, study->methods->pdata + index,
             sizeof (gpointer) * (study->methods->len - 1 - (guint)index));
    study->methods->pdata[index] = added;
    return TRUE;
  }
  return ssapp_study_add_method (study, text, error);
}

gboolean
ssapp_study_session_set_method (SsappStudySession *self, int index, const char *text, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_STUDY_SESSION (self), FALSE);
  SsappStudy *study = begin_edit (self, error);

  if (study == NULL)
    return FALSE;
  if (!set_method (study, index, text, error)) {
    ssapp_study_free (study);
    return FALSE;
  }
  return end_edit (self, study, index < 0 ? "Add Method" : "Change Method", error);
}

gboolean
ssapp_study_session_remove_method (SsappStudySession *self, int index, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_STUDY_SESSION (self), FALSE);
  SsappStudy *study = begin_edit (self, error);

  if (study == NULL)
    return FALSE;
  if (index < 0 || index >= (int)study->methods->len) {
    ssapp_study_free (study);
    return fail (error, "The study has no such method");
  }
  ssapp_study_remove_method (study, (guint)index);
  return end_edit (self, study, "Remove Method", error);
}

/* FALSE: that is no limit, or no such value. */
static gboolean
set_limit (SsappStudy *study, const char *name, const char *text, GError **error)
{
  double value = NAN;
  const gboolean is_empty = *text == '\0';

  if (strcmp (name, "draw") == 0) {
    if (strcmp (text, "random") != 0 && strcmp (text, "latin") != 0)
      return fail (error, "Values are drawn at random (“random”) or as a Latin hypercube (“latin”)");
    study->draw = strcmp (text, "latin") == 0 ? SSAPP_DRAW_LATIN : SSAPP_DRAW_RANDOM;
    return TRUE;
  }
  if (!is_empty && !ss_parse_double (text, &value)) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "“%s” is no number", text);
    return FALSE;
  }
  if (strcmp (name, "time") == 0 || strcmp (name, "memory") == 0) {
    if (!is_empty && value <= 0)
      return fail (error, "A limit is larger than 0; leave it empty for none");
    if (*name == 't')
      study->time_limit = value;
    else
      study->memory_limit = value * BYTES_A_GB;
    return TRUE;
  }
  if (value < 0 || value != floor (value) || value > 1e9)
    return fail (error, "A whole number, 0 or more, is expected");
  if (strcmp (name, "workers") == 0)
    study->workers = is_empty ? 0 : (guint)value;
  else if (strcmp (name, "samples") == 0)
    study->n_drawn = is_empty ? 0 : (guint)value;
  else if (strcmp (name, "seed") == 0)
    study->seed = is_empty ? 0 : (guint64)value;
  else
    return fail (error, "A study has the limits time, memory and workers, and draw, samples and seed");
  return TRUE;
}

gboolean
ssapp_study_session_set_limit (SsappStudySession *self, const char *name, const char *value, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_STUDY_SESSION (self), FALSE);
  SsappStudy *study = begin_edit (self, error);
  g_autofree char *text = g_strstrip (g_strdup (value)), *now = NULL, *wanted = NULL;

  if (study == NULL)
    return FALSE;
  now = definition_of (study);
  if (!set_limit (study, name, text, error)) {
    ssapp_study_free (study);
    return FALSE;
  }
  wanted = definition_of (study);
  if (strcmp (now, wanted) == 0) { /* what it was: no step */
    ssapp_study_free (study);
    return TRUE;
  }
  return end_edit (self, study, "Change Limits", error);
}

char *
ssapp_study_session_dup_limit (SsappStudySession *self, const char *name)
{
  g_return_val_if_fail (SSAPP_IS_STUDY_SESSION (self), NULL);
  const SsappStudy *study = self->study;
  char text[32] = "";

  if (study == NULL)
    return g_strdup ("");
  if (strcmp (name, "draw") == 0)
    return g_strdup (study->draw == SSAPP_DRAW_LATIN ? "latin" : "random");
  if (strcmp (name, "time") == 0 && isfinite (study->time_limit))
    ss_format_double (study->time_limit, text, sizeof text);
  else if (strcmp (name, "memory") == 0 && isfinite (study->memory_limit))
    ss_format_double (study->memory_limit / BYTES_A_GB, text, sizeof text);
  else if (strcmp (name, "workers") == 0)
    ss_format_double (study->workers, text, sizeof text);
  else if (strcmp (name, "samples") == 0)
    ss_format_double (study->n_drawn, text, sizeof text);
  else if (strcmp (name, "seed") == 0)
    return g_strdup_printf ("%" G_GUINT64_FORMAT, study->seed);
  return g_strdup (text);
}

char *
ssapp_study_session_dup_limits_words (SsappStudySession *self)
{
  g_return_val_if_fail (SSAPP_IS_STUDY_SESSION (self), NULL);
  const SsappStudy *study = self->study;
  GString *text = g_string_new (NULL);

  if (study == NULL)
    return g_string_free (text, FALSE);
  if (study->workers == 0)
    g_string_append (text, "A run a core");
  else
    g_string_append_printf (text, "%u at once", study->workers);
  if (isfinite (study->time_limit))
    g_string_append_printf (text, ", %g s", study->time_limit);
  if (isfinite (study->memory_limit))
    g_string_append_printf (text, ", %g GB", study->memory_limit / BYTES_A_GB);
  if (isfinite (study->time_limit) || isfinite (study->memory_limit))
    g_string_append (text, " each");
  return g_string_free (text, FALSE);
}

static const char *
label_of (GPtrArray *steps)
{
  return steps->len > 0 ? ((const Step *)g_ptr_array_index (steps, steps->len - 1))->label : NULL;
}

const char *
ssapp_study_session_get_undo_label (SsappStudySession *self)
{
  g_return_val_if_fail (SSAPP_IS_STUDY_SESSION (self), NULL);
  return label_of (self->undo);
}

const char *
ssapp_study_session_get_redo_label (SsappStudySession *self)
{
  g_return_val_if_fail (SSAPP_IS_STUDY_SESSION (self), NULL);
  return label_of (self->redo);
}

static gboolean
go_back (SsappStudySession *self, GPtrArray *from, GPtrArray *to, GError **error)
{
  if (from->len == 0)
    return fail (error, "There is nothing to take back");
  if (ssapp_study_session_is_running (self))
    return fail (error, "Stop the study before you change it");
  const Step *step = g_ptr_array_index (from, from->len - 1);
  if (!put (self, ssapp_study_copy (step->before), step->label, to, error))
    return FALSE;
  g_ptr_array_remove_index (from, from->len - 1);
  g_signal_emit (self, signals[CHANGED], 0);
  return TRUE;
}

gboolean
ssapp_study_session_undo (SsappStudySession *self, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_STUDY_SESSION (self), FALSE);
  return go_back (self, self->undo, self->redo, error);
}

gboolean
ssapp_study_session_redo (SsappStudySession *self, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_STUDY_SESSION (self), FALSE);
  return go_back (self, self->redo, self->undo, error);
}

/* ---- words ------------------------------------------------------------------------------------------------------- */

static char *
runs_text (guint n)
{
  if (n == 0)
    return g_strdup ("no method yet");
  if (n == 1)
    return g_strdup ("1 run");
  return n > SSAPP_STUDY_MAX_RUNS ? g_strdup_printf ("more than %d runs", SSAPP_STUDY_MAX_RUNS)
                                  : g_strdup_printf ("%u runs", n);
}

char *
ssapp_study_session_try_axis (SsappStudySession *self, const char *name, const char *values, GError **error)
{
  enum { SHOWN = 6 };
  g_return_val_if_fail (SSAPP_IS_STUDY_SESSION (self), NULL);
  if (self->study == NULL)
    return fail (error, "There is no study yet"), NULL;

  g_autoptr (SsappStudy) study = ssapp_study_copy (self->study);
  if (!set_axis (study, name, values, error))
    return NULL;
  if (study->methods->len > 0 && !ssapp_study_check (study, error))
    return NULL;
  const int a = find_axis (study, name);
  g_autofree char *runs = runs_text (ssapp_study_count (study));
  const SsappStudyAxis *axis = a >= 0 ? g_ptr_array_index (study->axes, a) : NULL;
  if (axis == NULL)
    return g_strdup (runs);
  if (axis->values == NULL)
    return g_strdup_printf ("%u values drawn from %g to %g; %s", study->n_drawn, axis->from, axis->to, runs);
  const guint n = g_strv_length (axis->values);
  GString *text = g_string_new (NULL);
  g_string_append_printf (text, n == 1 ? "1 value: " : "%u values: ", n);
  for (guint k = 0; k < n && k < SHOWN; k++)
    g_string_append_printf (text, "%s%s", k > 0 ? ", " : "", axis->values[k]);
  if (n > SHOWN)
    g_string_append_printf (text, " to %s", axis->values[n - 1]);
  g_string_append_printf (text, "; %s", runs);
  return g_string_free (text, FALSE);
}

char *
ssapp_study_session_try_method (SsappStudySession *self, int index, const char *text, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_STUDY_SESSION (self), NULL);
  if (self->study == NULL)
    return fail (error, "There is no study yet"), NULL;

  g_autoptr (SsappStudy) study = ssapp_study_copy (self->study);
  if (!set_method (study, index, text, error) || !ssapp_study_check (study, error))
    return NULL;
  const SsappStudyMethod *method =
      g_ptr_array_index (study->methods, index < 0 ? study->methods->len - 1 : (guint)index);
  g_autofree char *runs = runs_text (ssapp_study_count (study));
  return g_strdup_printf ("%s; %s", method->label, runs);
}

char *
ssapp_study_session_dup_method (SsappStudySession *self, guint index)
{
  g_return_val_if_fail (SSAPP_IS_STUDY_SESSION (self), NULL);
  if (self->study == NULL || index >= self->study->methods->len)
    return g_strdup ("");

  const SsappStudyMethod *method = g_ptr_array_index (self->study->methods, index);
  GString *text = g_string_new (method->id.name);
  for (guint k = 0; method->names != NULL && method->names[k] != NULL; k++)
    g_string_append_printf (text, ":%s=%s", method->names[k], method->values[k]);
  return g_string_free (text, FALSE);
}

char *
ssapp_study_session_dup_axis_note (SsappStudySession *self, guint index)
{
  static const char *const forms[] = {"list", "grid", "log grid", "drawn"};
  g_return_val_if_fail (SSAPP_IS_STUDY_SESSION (self), NULL);
  if (self->study == NULL || index >= self->study->axes->len)
    return g_strdup ("");

  const SsappStudyAxis *axis = g_ptr_array_index (self->study->axes, index);
  return g_strdup_printf ("%s, %u", forms[axis->form],
                          axis->values != NULL ? g_strv_length (axis->values) : self->study->n_drawn);
}

char *
ssapp_study_session_dup_count (SsappStudySession *self)
{
  g_return_val_if_fail (SSAPP_IS_STUDY_SESSION (self), NULL);
  if (self->study == NULL)
    return g_strdup ("");
  if (self->study->methods->len == 0)
    return g_strdup ("No method yet");
  const guint n = ssapp_study_count (self->study), n_methods = self->study->methods->len;
  g_autofree char *runs = runs_text (n);
  if (n > SSAPP_STUDY_MAX_RUNS)
    return g_strdup (runs);
  return g_strdup_printf ("%u %s × %u %s: %s", n / n_methods, n == n_methods ? "problem" : "problems", n_methods,
                          n_methods == 1 ? "method" : "methods", runs);
}

char *
ssapp_study_session_dup_problem (SsappStudySession *self)
{
  g_return_val_if_fail (SSAPP_IS_STUDY_SESSION (self), NULL);
  g_autoptr (GError) error = NULL;

  if (self->study == NULL)
    return g_strdup ("There is no study yet");
  if (self->study->methods->len == 0)
    return g_strdup ("Add a method first");
  if (ssapp_store_is_read_only (self->store))
    return g_strdup ("The project can only be read");
  if (self->queue != NULL && ssapp_study_queue_get_trouble (self->queue) != NULL)
    return g_strdup (ssapp_study_queue_get_trouble (self->queue));
  return ssapp_study_check (self->study, &error) ? NULL : g_strdup (error->message);
}

gboolean
ssapp_study_session_is_scenario_old (SsappStudySession *self)
{
  g_return_val_if_fail (SSAPP_IS_STUDY_SESSION (self), FALSE);
  SsappDocument *document = ssapp_session_get_document (self->session);

  return self->study != NULL && g_strcmp0 (self->study->scenario_name, ssapp_document_get_name (document)) == 0 &&
         g_strcmp0 (self->study->scenario_text, ssapp_document_get_text (document)) != 0;
}

char *
ssapp_study_session_dup_command (SsappStudySession *self)
{
  g_return_val_if_fail (SSAPP_IS_STUDY_SESSION (self), NULL);
  if (self->study == NULL)
    return NULL;

  SsappDocument *document = ssapp_session_get_document (self->session);
  const char *path = ssapp_document_get_path (document);
  g_autofree char *file = NULL, *project = NULL;
  if (path != NULL && g_strcmp0 (ssapp_document_get_text (document), self->study->scenario_text) == 0)
    file = g_path_get_basename (path);
  else
    file = g_strconcat (self->study->scenario_name, SSAPP_SCENARIO_SUFFIX, NULL);
  if (!ssapp_session_is_untitled (self->session))
    project = g_path_get_basename (ssapp_store_get_path (self->store));
  return ssapp_study_to_command (self->study, file, project);
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
    return fail (error, problem);
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
    progress->n_time_limit += g_strcmp0 (item->row->outcome, "time_limit") == 0;
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

  drop_queue (self);
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
  self->undo = g_ptr_array_new_with_free_func (step_free);
  self->redo = g_ptr_array_new_with_free_func (step_free);
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
