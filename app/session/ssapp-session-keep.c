/* app/session/ssapp-session-keep.c: edits of a session's document that no project keeps yet. */
#include "app/session/ssapp-session-private.h"

#include <glib/gi18n.h>

/* From the first edit to the project that keeps it. */
#define FIRST_KEEP_MS 1000

gboolean
ssapp_session_keep_sketch (SsappSession *self, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_SESSION (self), FALSE);
  GError *local = NULL;

  g_clear_handle_id (&self->keep_timer, g_source_remove);
  if ((!ssapp_document_is_dirty (self->document) && !ssapp_sketches_is_waiting (self->sketches)) ||
      (ssapp_session_ensure_store (self, &local) && ssapp_sketches_keep (self->sketches, &local)))
    return TRUE;
  if (local != NULL)
    g_propagate_error (error, local);
  else
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_READ_ONLY, _ ("The project can only be read"));
  return FALSE;
}

static gboolean
on_keep_timer (gpointer data)
{
  SsappSession *self = data;
  g_autoptr (GError) error = NULL;

  self->keep_timer = 0;
  if (self->store == NULL && !ssapp_session_keep_sketch (self, &error) && !self->has_told_keep)
    g_signal_emit_by_name (self, "write-failed", error->message);
  self->has_told_keep = self->has_told_keep || error != NULL;
  return G_SOURCE_REMOVE;
}

/* The first edit makes the project; then the sketches follow the document by themselves. */
static void
on_edited (SsappSession *self)
{
  if (self->store == NULL && self->keep_timer == 0 && ssapp_document_is_dirty (self->document))
    self->keep_timer = g_timeout_add (FIRST_KEEP_MS, on_keep_timer, self);
}

void
ssapp_session_keep_always (SsappSession *self)
{
  g_return_if_fail (SSAPP_IS_SESSION (self));
  g_signal_connect_object (self->document, "changed", G_CALLBACK (on_edited), self, G_CONNECT_SWAPPED);
}
