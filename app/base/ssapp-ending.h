/* app/base/ssapp-ending.h: endings of file names, compared without regard to case. Threads: any. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* ".pdf" of a path, "/" of a folder's, "" where its last part has none; points into the path or is static. */
const char *ssapp_ending_of (const char *path);
gboolean ssapp_ending_is (const char *path, const char *ending);
/* ".zip and FOLDER/" with the last " and "; g_free. */
char *ssapp_endings_join (const char *const *endings, const char *last);

G_END_DECLS
