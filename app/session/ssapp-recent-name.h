/* app/session/ssapp-recent-name.h: names of files that were used lately. Tests: tests/unit/test-sketches.c */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What people know a scenario or project by: the title of a scenario; of a project that nobody named the title of its
 * sketch that was changed last ("Push a Box, 2 more"), or "Untitled Project"; else the name of the file without its
 * ending. The file is only read. g_free. Threads: any. */
char *ssapp_recent_name (const char *path);

G_END_DECLS
