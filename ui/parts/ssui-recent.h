/* ui/parts/ssui-recent.h: sketches and projects to open again: what the desktop remembers of this program's files, and
 * the untitled projects of our own folder. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

typedef struct {
  char *path, *name; /* name: that people know it by, see ssapp_recent_name */
  gint64 changed;    /* unix seconds */
  gboolean is_project;
} SsuiRecent;

/* Of SsuiRecent, newest first, at most so many and only what is still there; g_ptr_array_unref. */
GPtrArray *ssui_recent_list (guint most);
void ssui_recent_add (const char *path); /* has been opened or saved */

G_END_DECLS
