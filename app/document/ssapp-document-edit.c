/* app/document/ssapp-document-edit.c: what edits of a document share: whose they are, how they end, why they are
 * refused. */
#include "app/document/ssapp-document-private.h"

#include <glib/gi18n.h>

gboolean
ssapp_document_finish_gesture (SsappDocument *self, gboolean done)
{
  if (done)
    ssapp_document_end_gesture (self);
  else
    ssapp_document_cancel_gesture (self);
  return done;
}

gboolean
ssapp_refuse (GError **error, const char *text)
{
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, text);
  return FALSE;
}

gboolean
ssapp_document_require_scene (SsappDocument *self, GError **error)
{
  g_return_val_if_fail (self != NULL, FALSE);
  if (ssapp_document_scene (self) != NULL)
    return TRUE;
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
                       _ ("This scenario is given by equations: its bodies are set through its parameters"));
  return FALSE;
}

char *
ssapp_document_body_path (SsappDocument *self, int index)
{
  g_return_val_if_fail (SSAPP_IS_DOCUMENT (self), NULL);

  const SsScene *scene = ssapp_document_scene (self);

  if (scene == NULL || index < 0 || index >= scene->n_bodies || scene->bodies[index].item < 0)
    return NULL;
  return g_strdup_printf ("scene.bodies[%d]", scene->bodies[index].item);
}
