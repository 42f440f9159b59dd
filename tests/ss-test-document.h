/* tests/ss-test-document.h: what tests of documents share. */
#pragma once

#include "app/document/ssapp-document.h"
#include "tests/ss-test.h"

/* A document of that text, which must be right. */
static inline SsappDocument *
open_text (const char *text)
{
  SsappDocument *document = ssapp_document_new ();
  GError *error = NULL;

  SS_CHECK (ssapp_document_load_text (document, text, -1, "test", &error));
  if (error != NULL)
    printf ("%s\n", error->message);
  g_clear_error (&error);
  return document;
}

/* As arrow keys and drags do. */
static inline gboolean
move_body (SsappDocument *document, const char *name, double dx, double dy, GError **error)
{
  ssapp_document_select (document, name);
  return ssapp_document_move_selection (document, dx, dy, error);
}
