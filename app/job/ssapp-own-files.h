/* app/job/ssapp-own-files.h: the files of a method of the user's own, in a folder or kept in a text, and their hash.
 *
 * Its own file, those that its command names, and those of a module of Python that lies beside (`python3 -m MODULE`).
 * Threads: any. Tests: tests/cli/test-your-method.py */
#pragma once

#include <gio/gio.h>
#include <jansson.h>

G_BEGIN_DECLS

typedef struct {
  const char *folder; /* where they lie, or would lie */
  const json_t *kept; /* {"NAME": "TEXT", ...}; NULL: they are read from the folder */
} SsappOwnFiles;

/* Whether there is a regular file of that name, a path from the folder. */
gboolean ssapp_own_files_has (const SsappOwnFiles *files, const char *name);
/* Its content; g_free. A whole path is that of this machine. */
gboolean ssapp_own_files_read (const SsappOwnFiles *files, const char *name, char **content, gsize *size,
                               GError **error);
/* The place in `words` of the module that a Python is to run; -1: none. Its word may begin with -m itself. */
int ssapp_own_files_find_module (char **words, const char **module);
/* Names of the files of the module's package or file, in order; of char *. Empty: it does not lie there. Of folders
 * with caches of Python nothing. */
GPtrArray *ssapp_own_files_of_module (const SsappOwnFiles *files, const char *module);
/* "sha256:" and the hash of the method's own text and of these files in their order: `named` (paths, which stand in the
 * text) and `found`, with their names; g_free. NULL with an error. */
char *ssapp_own_files_hash (const SsappOwnFiles *files, const char *text, gsize length, const GPtrArray *named,
                            const GPtrArray *found, GError **error);

G_END_DECLS
