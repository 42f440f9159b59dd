/* app/session/ssapp-newer-sketch.h: a file that was edited and not saved. The edits are in a project that nobody named
 * (ssapp-session.h); who opens the file again is told where. Tests: tests/unit/test-sketches.c */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  char *project, *id; /* the project's path, and the sketch in it */
  char *changed;      /* as of runs                               */
} SsappNewerSketch;
void ssapp_newer_sketch_free (SsappNewerSketch *newer); /* NULL is allowed */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SsappNewerSketch, ssapp_newer_sketch_free)

/* What stands for a file in a sketch's view (key "file"): a hash of its absolute path, so that a project that is given
 * away names no folder. g_free. */
char *ssapp_sketch_file_key (const char *path);

/* The sketch that was changed last of those that were edited from the file at `path`, in the projects of `folder` and
 * in the project `also` (NULL: no other); NULL: none, its text is the file's, or the file was written after it.
 * `text`: of the file. Projects are only read, the SSAPP_MOST_PEEKED of the folder that were written last. Threads:
 * any. */
#define SSAPP_MOST_PEEKED 30
SsappNewerSketch *ssapp_newer_sketch_find (const char *folder, const char *also, const char *path, const char *text);

G_END_DECLS
