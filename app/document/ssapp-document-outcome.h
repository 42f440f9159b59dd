/* app/document/ssapp-document-outcome.h: what every motion of a sketch is asked: its section `outcomes`, of formulas
 * (scene/ss-interest.h), of which those that hold or fail are assertions. Threads: as the document. Tests:
 * tests/unit/test-document-selection.c
 */
#pragma once

#include "app/document/ssapp-document.h"

G_BEGIN_DECLS

/* "up, which holds or fails", "end [m]" of "NAME=FORMULA" in the place of the outcome `name` ("": a new one); g_free.
 * NULL with an error where it is none, or the name is taken. */
char *ssapp_document_try_outcome (SsappDocument *self, const char *name, const char *text, GError **error);
/* One step of undo. A description of the outcome stays. */
gboolean ssapp_document_set_outcome (SsappDocument *self, const char *name, const char *text, GError **error);
gboolean ssapp_document_remove_outcome (SsappDocument *self, const char *name, GError **error);

G_END_DECLS
