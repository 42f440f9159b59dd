/* app/session/ssapp-study-project.c: studies of the project: which is on show, new ones, their start and end, their
 * status for scripts. */
#include "app/session/ssapp-study-private.h"

#include "app/base/ssapp-json.h"
#include "app/job/ssapp-interests.h"
#include "app/study/ssapp-study-job.h"
#include "app/store/ssapp-store-shrink.h"

#include <glib/gi18n.h>
#include <string.h>

GPtrArray *
ssapp_study_session_list (SsappStudySession *self)
{
  g_return_val_if_fail (SSAPP_IS_STUDY_SESSION (self), NULL);
  GPtrArray *list = self->store != NULL ? ssapp_store_list_studies (self->store, NULL) : NULL;

  return list != NULL ? list : g_ptr_array_new ();
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
  ssapp_study_session_tell (self, "changed");
  ssapp_study_session_tell (self, "progress");
}

static SsappStudy *
read_study (const SsappStudyRow *row, GError **error)
{
  json_error_t where;
  json_t *json = json_loads (row->definition, 0, &where);
  SsappStudy *study;

  if (json == NULL) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, _ ("The study “%s” cannot be read: %s"), row->title,
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
    return ssapp_study_fail_with (error, _ ("There is no project yet"));
  if (g_strcmp0 (id, self->id) == 0)
    return TRUE;
  if (ssapp_study_session_is_running (self))
    return ssapp_study_fail_with (error, _ ("Stop the study that runs first"));
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
    ssapp_study_session_tell_failed (self, error->message);
  }
  show (self, NULL, NULL);
}

/* Another project, or none: its newest study is shown. */
static void
take_store (SsappStudySession *self)
{
  g_return_if_fail (SSAPP_IS_STUDY_SESSION (self));
  SsappStore *store = ssapp_session_get_store (self->session);

  if (store == self->store)
    return;
  ssapp_study_session_drop_queue (self);
  ssapp_study_session_drop_set (self);
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
  ssapp_study_session_drop_set (self);
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

/* One that is complete, such as one of the gallery; taken. */
static gboolean
add_study (SsappStudySession *self, SsappStudy *study, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_STUDY_SESSION (self), FALSE);
  g_autoptr (SsappStudy) own = study;

  if (ssapp_study_session_is_running (self))
    return ssapp_study_fail_with (error, _ ("Stop the study that runs first"));
  if (!ssapp_session_ensure_store (self->session, error))
    return FALSE;
  take_store (self);
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
  return add_study (self, study, error);
}

gboolean
ssapp_study_session_duplicate (SsappStudySession *self, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_STUDY_SESSION (self), FALSE);
  if (self->study == NULL)
    return ssapp_study_fail_with (error, _ ("There is no study to duplicate"));

  g_autofree char *from = g_strdup (self->id);
  SsappStudy *study = ssapp_study_copy (self->study);
  char *title = g_strdup_printf ("%s (copy)", study->title);
  g_free (study->title);
  study->title = title;
  if (!add_study (self, study, error))
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
  ssapp_study_session_tell (self, "progress");
  return TRUE;
}

gboolean
ssapp_study_session_delete (SsappStudySession *self, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_STUDY_SESSION (self), FALSE);
  if (self->study == NULL)
    return ssapp_study_fail_with (error, _ ("There is no study to delete"));
  if (ssapp_study_session_is_running (self))
    return ssapp_study_fail_with (error, _ ("Stop the study first"));
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
    return ssapp_study_fail_with (error, _ ("There is no project yet"));
  return ssapp_store_undelete_study (self->store, id, error) && ssapp_study_session_open (self, id, error);
}

/* ---- running ----------------------------------------------------------------------------------------------------- */

static void
on_queue_ended (SsappStudySession *self)
{
  self->refreshed = 0;
  ssapp_study_session_refresh_soon (self);
  ssapp_study_session_tell (self, "changed");
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
    g_signal_connect_object (self->queue, "changed", G_CALLBACK (ssapp_study_session_refresh_soon), self,
                             G_CONNECT_SWAPPED);
    g_signal_connect_object (self->queue, "ended", G_CALLBACK (on_queue_ended), self, G_CONNECT_SWAPPED);
  }
  if (ssapp_study_queue_is_paused (self->queue))
    ssapp_study_queue_set_paused (self->queue, FALSE);
  if (!ssapp_study_queue_is_running (self->queue))
    ssapp_study_queue_start (self->queue);
  ssapp_study_session_tell (self, "changed");
  ssapp_study_session_refresh_soon (self);
  return TRUE;
}

gboolean
ssapp_study_session_again (SsappStudySession *self, const char *outcomes, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_STUDY_SESSION (self) && outcomes != NULL, FALSE);
  g_auto (GStrv) names = *outcomes != '\0' ? g_strsplit (outcomes, ",", -1) : NULL;

  if (self->study == NULL)
    return ssapp_study_fail_with (error, _ ("There is no study yet"));
  if (ssapp_study_session_is_running (self))
    return ssapp_study_fail_with (error, _ ("Stop the study first"));
  const int n = ssapp_store_forget_study_runs (self->store, self->id, (const char *const *)names, error);
  if (n == 0)
    return ssapp_study_fail_with (error, _ ("No run of the study ended so"));
  ssapp_study_session_drop_queue (self);
  return n > 0 && ssapp_study_session_start (self, error);
}

void
ssapp_study_session_pause (SsappStudySession *self)
{
  g_return_if_fail (SSAPP_IS_STUDY_SESSION (self));
  if (self->queue == NULL || !ssapp_study_queue_is_running (self->queue))
    return;
  ssapp_study_queue_set_paused (self->queue, TRUE);
  ssapp_study_session_tell (self, "changed");
  ssapp_study_session_refresh_soon (self);
}

void
ssapp_study_session_stop (SsappStudySession *self)
{
  g_return_if_fail (SSAPP_IS_STUDY_SESSION (self));
  if (self->queue == NULL)
    return;
  ssapp_study_queue_stop (self->queue);
  ssapp_study_session_tell (self, "changed");
  ssapp_study_session_refresh_soon (self);
}

/* ---- for scripts ------------------------------------------------------------------------------------------------- */

static json_t *
axes_to_json (const SsappStudy *study)
{
  json_t *list = json_array ();

  for (guint a = 0; a < study->axes->len; a++) {
    const SsappStudyAxis *axis = g_ptr_array_index (study->axes, a);
    json_array_append_new (list,
                           json_pack ("{s:s, s:s, s:i}", "name", axis->name, "values", axis->text, "n",
                                      axis->values != NULL ? (int)g_strv_length (axis->values) : (int)study->n_drawn));
  }
  return list;
}

static json_t *
methods_to_json (SsappStudySession *self)
{
  json_t *list = json_array ();

  for (guint m = 0; m < self->study->methods->len; m++)
    json_array_append_new (list,
                           json_pack ("{s:s, s:b}", "label",
                                      ((const SsappStudyMethod *)g_ptr_array_index (self->study->methods, m))->label,
                                      "hidden", ssapp_study_session_is_hidden (self, m)));
  return list;
}

char *
ssapp_study_session_dup_status (SsappStudySession *self)
{
  g_return_val_if_fail (SSAPP_IS_STUDY_SESSION (self), NULL);
  SsappStudyProgress progress;

  if (self->study == NULL)
    return g_strdup ("null");
  ssapp_study_session_get_progress (self, &progress);
  g_autofree char *words = ssapp_study_session_dup_selected_words (self),
                  *problem = ssapp_study_session_dup_problem (self);
  json_t *choices = json_object ();
  for (int part = 0; part < SSAPP_STUDY_RUNS; part++)
    json_object_set_new (choices, ssapp_study_part_name ((SsappStudyPart)part),
                         json_string (ssapp_study_session_get_choice (self, (SsappStudyPart)part)));
  json_t *status = json_pack (
      "{s:s, s:s, s:s, s:o, s:o, s:i, s:i, s:i, s:i, s:i, s:b, s:b, s:s?, s:s?, s:s, s:o, s:b, s:s?}", "id", self->id,
      "title", self->study->title, "scenario", self->study->scenario_name, "axes", axes_to_json (self->study),
      "methods", methods_to_json (self), "tasks", (int)progress.n_tasks, "queued", (int)progress.n_queued, "running",
      (int)progress.n_running, "solved", (int)progress.n_solved, "unsolved", (int)progress.n_unsolved, "is_running",
      ssapp_study_session_is_running (self), "is_paused", ssapp_study_session_is_paused (self), "undo",
      ssapp_study_session_get_undo_label (self), "redo", ssapp_study_session_get_redo_label (self), "selected", words,
      "choices", choices, "shows_all", self->shows_all, "problem", problem);
  json_object_set_new (status, "outcomes", ssapp_interests_texts_to_json (self->study->outcomes));
  char *text = ssapp_json_text (status, FALSE);
  json_decref (status);
  return text;
}

/* ---- object ------------------------------------------------------------------------------------------------------ */

static void
on_store_changed (SsappStudySession *self)
{
  take_store (self);
  if (self->study != NULL)
    ssapp_study_session_refresh_soon (self);
}

SsappStudySession *
ssapp_study_session_new (SsappSession *session)
{
  SsappStudySession *self = g_object_new (SSAPP_TYPE_STUDY_SESSION, NULL);

  self->session = session;
  g_signal_connect_object (session, "store-changed", G_CALLBACK (on_store_changed), self, G_CONNECT_SWAPPED);
  take_store (self);
  return self;
}
