/* app/job/ssapp-own-kept.h: a method of the user's own as a text that a project keeps, with all its files, so that a
 * project is whole on another machine.
 *
 * Kept are the method's file, the files of its command and those of a module of Python that lie beside it: texts alone.
 * Such a text does nothing until its hash is allowed; then its files are written into a folder of the user's data
 * folder and the method there is allowed as any other (ssapp-own.h).
 * Threads: the main thread's. Tests: tests/cli/test-your-method.py */
#pragma once

#include "app/job/ssapp-own.h"

G_BEGIN_DECLS

/* How every such text begins; nothing else in a project does. */
#define SSAPP_OWN_KEPT_START "{\"stickslip_method\":"

/* The text of a method; g_free. NULL with an error: some of its files are no texts, do not lie beside, or are large. */
char *ssapp_own_keep (const SsappOwn *own, GError **error);
/* The method that a text keeps, with the paths that its files would have; nothing was written. It stays as long as the
 * program. NULL with an error. */
SsappOwn *ssapp_own_read_kept (const char *text, GError **error);
/* Writes its files and allows it, as ssapp_own_allow_as; `project`: the path of the one that keeps the text. */
const SsappOwn *ssapp_own_allow_kept (const char *text, const char *project, GError **error);

G_END_DECLS
