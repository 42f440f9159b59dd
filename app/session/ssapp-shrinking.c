/* app/session/ssapp-shrinking.c: see the header. */
#include "app/session/ssapp-shrinking.h"

/* Lists of runs are read anew after each slice, which takes half a second where there are ten thousand. */
enum { SLICE_US = 250000, TOLD_US = 200000 };
/* A file that is written is tried again: runs that go on store something every second, people do at times. */
enum { RETRY_MS = 2000, MOST_TRIES = 10 };

typedef struct {
  char **ids;
  guint n, next, n_tries;
  gint64 size, freed; /* of the file at first, -1: not known; what it lost [bytes] */
  SsappKeep keep;
  SsappShrinkingDone done;
  gpointer data;
  gint64 told; /* when [us] */
} Shrinking;

static void
shrinking_free (gpointer data)
{
  Shrinking *self = data;

  g_strfreev (self->ids);
  g_free (self);
}

static void
end (GTask *task, GError *error)
{
  if (error != NULL)
    g_task_return_error (task, error);
  else
    g_task_return_boolean (task, TRUE);
}

static gboolean compact (gpointer data);

static void
on_compacted (GObject *source, GAsyncResult *result, gpointer data)
{
  GTask *task = data;
  Shrinking *self = g_task_get_task_data (task);
  GError *error = NULL;
  gint64 size;

  if (ssapp_store_compact_finish (SSAPP_STORE (source), result, &error)) {
    if (self->size >= 0 && ssapp_store_get_size (SSAPP_STORE (source), &size, NULL))
      self->freed = self->size - size;
  } else if (g_error_matches (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_BUSY) && ++self->n_tries < MOST_TRIES) {
    g_error_free (error);
    g_timeout_add_full (G_PRIORITY_DEFAULT_IDLE, RETRY_MS, compact, task, NULL);
    return;
  }
  end (task, error);
  g_object_unref (task);
}

/* Takes the reference on the task. */
static gboolean
compact (gpointer data)
{
  GTask *task = data;
  GError *error = NULL;

  if (g_cancellable_set_error_if_cancelled (g_task_get_cancellable (task), &error)) {
    end (task, error);
    g_object_unref (task);
  } else
    ssapp_store_compact_async (g_task_get_source_object (task), g_task_get_cancellable (task), on_compacted, task);
  return G_SOURCE_REMOVE;
}

static gboolean
go_on (gpointer data)
{
  GTask *task = data;
  Shrinking *self = g_task_get_task_data (task);
  SsappStore *store = g_task_get_source_object (task);
  const gint64 began = g_get_monotonic_time ();
  GError *error = NULL;

  while (error == NULL && self->next < self->n && g_get_monotonic_time () - began < SLICE_US)
    if (!g_cancellable_set_error_if_cancelled (g_task_get_cancellable (task), &error) &&
        ssapp_store_shrink_run (store, self->ids[self->next], self->keep, &error))
      self->next++;
  const gboolean goes_on = error == NULL && self->next < self->n;
  if (self->done != NULL && error == NULL && (!goes_on || began - self->told >= TOLD_US)) {
    self->told = began;
    self->done (self->next, self->n, self->data);
  }
  if (goes_on)
    return G_SOURCE_CONTINUE;
  if (error == NULL)
    compact (g_object_ref (task));
  else
    end (task, error);
  return G_SOURCE_REMOVE;
}

void
ssapp_shrink_runs_async (SsappStore *store, const char *const *ids, SsappKeep keep, GCancellable *cancellable,
                         SsappShrinkingDone done, GAsyncReadyCallback ended, gpointer data)
{
  g_return_if_fail (SSAPP_IS_STORE (store) && ids != NULL);
  GTask *task = g_task_new (store, cancellable, ended, data);
  Shrinking *self = g_new0 (Shrinking, 1);

  *self = (Shrinking){.ids = g_strdupv ((char **)ids),
                      .n = g_strv_length ((char **)ids),
                      .keep = keep,
                      .done = done,
                      .data = data,
                      .told = g_get_monotonic_time ()};
  if (!ssapp_store_get_size (store, &self->size, NULL))
    self->size = -1;
  g_task_set_check_cancellable (task, FALSE); /* what is done counts */
  g_task_set_task_data (task, self, shrinking_free);
  g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, go_on, task, g_object_unref);
}

gboolean
ssapp_shrink_runs_finish (GAsyncResult *result, guint *n_done, gint64 *freed, GError **error)
{
  g_return_val_if_fail (G_IS_TASK (result) && n_done != NULL, FALSE);
  const Shrinking *self = g_task_get_task_data (G_TASK (result));

  *n_done = self->next;
  if (freed != NULL)
    *freed = self->freed;
  return g_task_propagate_boolean (G_TASK (result), error);
}
