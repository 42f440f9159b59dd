/* app/session/ssapp-run-reader.c: see the header. */
#include "app/session/ssapp-run-reader.h"

#include <string.h>

/* What is read, also by the thread, which has one of its own. */
typedef struct {
  SsappStore *store; /* the thread's: a connection beside that of the window */
  SsMetric metrics[SS_METRIC_COUNT];
  int n_metrics;
} Asked;

struct SsappRunReader {
  SsappRunReaderFunc on_list;
  gpointer data;
  Asked asked;           /* last */
  guint queued;          /* source of a reading that waits */
  GCancellable *reading; /* of the one in the thread; NULL: none */
  SsappStore *beside;    /* what that one reads by */
  gboolean is_stale;     /* it was asked for again since */
  gint64 begun, spent;   /* [µs] of the last one */
  guint n_rows;          /* of its list */
};

static SsappRunList *
read_list (SsappStore *store, const Asked *asked, GError **error)
{
  GPtrArray *rows = store != NULL ? ssapp_store_list_runs (store, asked->metrics, asked->n_metrics, error) : NULL;
  GHashTable *studies = rows != NULL ? ssapp_store_list_run_studies (store, error) : NULL;

  if (store != NULL && studies == NULL) {
    g_clear_pointer (&rows, g_ptr_array_unref);
    return NULL;
  }
  SsappRunList *list = ssapp_run_list_new (rows);
  ssapp_run_list_set_studies (list, studies);
  return list;
}

static void
asked_set (Asked *self, SsappStore *store, const SsMetric *metrics, int n_metrics)
{
  g_set_object (&self->store, store);
  if (n_metrics > 0)
    memcpy (self->metrics, metrics, (size_t)n_metrics * sizeof *metrics);
  self->n_metrics = n_metrics;
}

static void
asked_free (gpointer data)
{
  Asked *self = data;

  g_clear_object (&self->store);
  g_free (self);
}

SsappRunReader *
ssapp_run_reader_new (SsappRunReaderFunc on_list, gpointer data)
{
  SsappRunReader *self = g_new0 (SsappRunReader, 1);

  self->on_list = on_list;
  self->data = data;
  return self;
}

static void
stop (SsappRunReader *self)
{
  g_clear_handle_id (&self->queued, g_source_remove);
  if (self->reading != NULL) {
    g_cancellable_cancel (self->reading);
    ssapp_store_interrupt (self->beside); /* else the project could not be closed yet */
  }
  g_clear_object (&self->reading);
  g_clear_object (&self->beside);
  self->is_stale = FALSE;
}

void
ssapp_run_reader_free (SsappRunReader *self)
{
  if (self == NULL)
    return;
  stop (self);
  g_clear_object (&self->asked.store);
  g_free (self);
}

static void
has_read (SsappRunReader *self, const SsappRunList *list)
{
  self->spent = g_get_monotonic_time () - self->begun;
  self->n_rows = list != NULL ? ssapp_run_list_get_n_rows (list) : 0;
}

SsappRunList *
ssapp_run_reader_read (SsappRunReader *self, SsappStore *store, const SsMetric *metrics, int n_metrics, GError **error)
{
  g_return_val_if_fail (self != NULL && n_metrics <= SS_METRIC_COUNT, NULL);

  stop (self);
  asked_set (&self->asked, store, metrics, n_metrics);
  self->begun = g_get_monotonic_time ();
  SsappRunList *list = read_list (store, &self->asked, error);
  has_read (self, list);
  return list;
}

/* ---- soon -------------------------------------------------------------------------------------------------------- */

static void
read_here (SsappRunReader *self)
{
  g_autoptr (GError) error = NULL;

  self->begun = g_get_monotonic_time ();
  SsappRunList *list = read_list (self->asked.store, &self->asked, &error);
  has_read (self, list);
  self->on_list (list, error, self->data);
}

static void
read_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const Asked *asked = data;
  GError *error = NULL;
  SsappRunList *list = read_list (asked->store, asked, &error);

  (void)source;
  (void)cancellable;
  if (list != NULL)
    g_task_return_pointer (task, list, (GDestroyNotify)ssapp_run_list_free);
  else
    g_task_return_error (task, error);
}

static gboolean on_queued (gpointer data);

static void
on_read (GObject *source, GAsyncResult *result, gpointer data)
{
  SsappRunReader *self = data;
  GError *error = NULL;
  SsappRunList *list = g_task_propagate_pointer (G_TASK (result), &error);

  (void)source;
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED)) {
    g_error_free (error);
    return; /* nobody waits for it: `self` may be gone */
  }
  g_clear_object (&self->reading);
  g_clear_object (&self->beside);
  g_clear_error (&error);
  if (self->is_stale)
    self->queued = g_timeout_add ((guint)(G_USEC_PER_SEC / 1000), on_queued, self);
  self->is_stale = FALSE;
  if (list == NULL) { /* the window's connection says why, or can */
    read_here (self);
    return;
  }
  has_read (self, list);
  self->on_list (list, NULL, self->data);
}

static gboolean
on_queued (gpointer data)
{
  SsappRunReader *self = data;

  self->queued = 0;
  if (self->n_rows >= SSAPP_RUN_READER_LONG && self->asked.store != NULL && !ssapp_store_is_lost (self->asked.store))
    self->beside = ssapp_store_open_beside (self->asked.store, NULL);
  if (self->beside == NULL) {
    read_here (self);
    return G_SOURCE_REMOVE;
  }
  Asked *asked = g_new0 (Asked, 1);
  asked_set (asked, self->beside, self->asked.metrics, self->asked.n_metrics);
  self->reading = g_cancellable_new ();
  self->begun = g_get_monotonic_time ();
  g_autoptr (GTask) task = g_task_new (NULL, self->reading, on_read, self);
  g_task_set_task_data (task, asked, asked_free);
  g_task_run_in_thread (task, read_in_thread);
  return G_SOURCE_REMOVE;
}

void
ssapp_run_reader_queue (SsappRunReader *self, SsappStore *store, const SsMetric *metrics, int n_metrics)
{
  g_return_if_fail (self != NULL && n_metrics <= SS_METRIC_COUNT);
  const gint64 rest = 11 * self->spent, passed = g_get_monotonic_time () - self->begun;

  asked_set (&self->asked, store, metrics, n_metrics);
  if (self->reading != NULL)
    self->is_stale = TRUE;
  else if (self->queued == 0)
    self->queued = g_timeout_add ((guint)(CLAMP (rest - passed, 0, G_USEC_PER_SEC) / 1000), on_queued, self);
}
