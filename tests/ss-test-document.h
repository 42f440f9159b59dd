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
