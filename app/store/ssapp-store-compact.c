/* app/store/ssapp-store-compact.c: see the header. */
#include "app/store/ssapp-store-compact.h"

#include "app/job/ssapp-asked.h"
#include "app/store/ssapp-store-private.h"

static const char WHAT[] = "write the file anew, which takes as much room again beside it and for temporary files";
enum { STEPS = 1000 }; /* of SQLite's between two looks at whether to stop */

static int
on_progress (void *data)
{
  return g_atomic_int_get ((gint *)data);
}

static void
compacting_free (SsappStoreCompacting *self)
{
  if (self->own != NULL)
    ssapp_store_close_database (self->own);
  g_clear_object (&self->own);
  g_clear_error (&self->error);
  g_free (self);
}

/* With a connection of its own on the same file; NULL with an error. */
static SsappStoreCompacting *
prepare (SsappStore *self, GError **error)
{
  if (!ssapp_store_flush (self, error) || !ssapp_store_check_writable (self, error) ||
      (self->has_no_journal && !ssapp_store_begin_journal (self, error)) || !ssapp_store_check_place (self, error))
    return NULL;
  SsappStoreCompacting *compacting = g_new0 (SsappStoreCompacting, 1);
  SsappStore *own = compacting->own = ssapp_store_new_beside (self, SQLITE_OPEN_READWRITE);
  const gboolean ok = sqlite3_errcode (own->db) == SQLITE_OK;
  if (!ok)
    ssapp_store_set_error (own, error, WHAT);
  sqlite3_progress_handler (own->db, STEPS, on_progress, &compacting->is_stopped);
  /* The same file still: the other one would be written anew. */
  if (ok && ssapp_store_check_place (self, error))
    return compacting;
  compacting_free (compacting);
  return NULL;
}

/* In any thread. */
static void
write_anew (SsappStoreCompacting *self)
{
  self->ok = (self->own->is_whole || ssapp_store_check_structure (self->own, NULL, &self->error)) &&
             ssapp_store_execute (self->own, "PRAGMA synchronous = FULL; VACUUM", WHAT, &self->error);
}

gboolean
ssapp_store_compact (SsappStore *self, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_STORE (self), FALSE);
  SsappStoreCompacting *compacting = prepare (self, error);

  if (compacting == NULL)
    return FALSE;
  write_anew (compacting);
  const gboolean ok = compacting->ok;
  if (!ok)
    g_propagate_error (error, g_steal_pointer (&compacting->error));
  compacting_free (compacting);
  return ok && ssapp_store_check_place (self, error);
}

/* ---- in a thread ------------------------------------------------------------------------------------------------- */

/* Waits for the thread, closes its connection and tells how it ended. */
static void
end (SsappStore *self, gboolean is_closing)
{
  SsappStoreCompacting *compacting = g_steal_pointer (&self->compacting);
  GTask *task = compacting->task;
  GCancellable *cancellable = g_task_get_cancellable (task);

  g_thread_join (compacting->thread);
  g_source_destroy (compacting->ended);
  g_source_unref (compacting->ended);
  g_cancellable_disconnect (cancellable, compacting->cancelled);
  if (compacting->ok) {
    ssapp_store_tidy_soon (self);
    g_task_return_boolean (task, TRUE);
  } else if (is_closing || g_cancellable_is_cancelled (cancellable))
    g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_CANCELLED, "%s: the file was not written anew", self->path);
  else if (g_atomic_int_get (&compacting->is_stopped))
    g_task_return_new_error (task, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_BUSY,
                             "%s: the file was not written anew, since something was stored meanwhile", self->path);
  else
    g_task_return_error (task, g_steal_pointer (&compacting->error));
  compacting_free (compacting);
  g_object_unref (task);
}

static gboolean
on_ended (gpointer data)
{
  end (data, FALSE);
  return G_SOURCE_REMOVE;
}

static gpointer
run (gpointer data)
{
  SsappStoreCompacting *self = data;

  write_anew (self);
  g_source_attach (self->ended, g_task_get_context (self->task));
  return NULL;
}

static void
on_cancelled (GCancellable *cancellable, gpointer data)
{
  (void)cancellable;
  ssapp_store_stop_compacting (data);
}

void
ssapp_store_end_compacting (SsappStore *self)
{
  g_return_if_fail (self != NULL);
  ssapp_store_stop_compacting (self);
  if (self->compacting != NULL)
    end (self, TRUE);
}

void
ssapp_store_compact_async (SsappStore *self, GCancellable *cancellable, GAsyncReadyCallback ready, gpointer data)
{
  g_return_if_fail (SSAPP_IS_STORE (self));
  GTask *task = g_task_new (self, cancellable, ready, data);
  GError *error = NULL;

  g_task_set_check_cancellable (task, FALSE); /* what is done counts */
  SsappStoreCompacting *compacting = self->compacting == NULL ? prepare (self, &error) : NULL;
  if (compacting == NULL) {
    if (error == NULL)
      g_set_error (&error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_FAILED, "%s: the file is being written anew already",
                   self->path);
    g_task_return_error (task, error);
    g_object_unref (task);
    return;
  }
  compacting->task = task;
  compacting->ended = g_idle_source_new ();
  g_source_set_callback (compacting->ended, on_ended, self, NULL);
  self->compacting = compacting;
  if (cancellable != NULL)
    compacting->cancelled = g_cancellable_connect (cancellable, G_CALLBACK (on_cancelled), self, NULL);
  compacting->thread = g_thread_new ("compact", run, compacting);
}

gboolean
ssapp_store_compact_finish (SsappStore *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  return g_task_propagate_boolean (G_TASK (result), error);
}

/* ---- how large --------------------------------------------------------------------------------------------------- */

gboolean
ssapp_store_get_size (SsappStore *self, gint64 *bytes, GError **error)
{
  gint64 pages = 0, page = 0;

  g_return_val_if_fail (SSAPP_IS_STORE (self) && bytes != NULL, FALSE);
  const gboolean ok = ssapp_store_check_open (self, error) &&
                      ssapp_store_read_integer (self, "PRAGMA page_count", &pages, error) &&
                      ssapp_store_read_integer (self, "PRAGMA page_size", &page, error);
  *bytes = pages * page;
  return ok;
}

char **
ssapp_store_list_deleted (SsappStore *self, GError **error)
{
  static const char what[] = "list deleted runs";
  gboolean has_row = TRUE, ok;

  g_return_val_if_fail (SSAPP_IS_STORE (self), NULL);
  if (!ssapp_store_check_open (self, error))
    return NULL;
  g_autoptr (GPtrArray) ids = g_ptr_array_new_with_free_func (g_free);
  sqlite3_stmt *s = ssapp_store_prepare (
      self,
      "SELECT id FROM run WHERE deleted IS NOT NULL AND outcome <> 'running' AND EXISTS (SELECT 1 FROM motion WHERE "
      "run_id = id AND role <> '" SSAPP_ROLE_GIVEN "') ORDER BY number",
      error);
  ok = s != NULL;
  while (ok && (ok = ssapp_store_step (self, s, &has_row, what, error)) && has_row)
    g_ptr_array_add (ids, ssapp_store_column_text (s, 0));
  if (s != NULL)
    ssapp_store_end_statement (self, s);
  if (!ok)
    return NULL;
  g_ptr_array_add (ids, NULL);
  return (char **)g_ptr_array_free (g_steal_pointer (&ids), FALSE);
}
