/* app/export/ssapp-file-kind.h: what is written into files, and how the names of these files may end.
 *
 * One table: help texts list it, file dialogs filter by it, and every writer checks its path with it, so that no file
 * has a name that promises something else than it holds. Endings are compared without regard to case.
 * Threads: any. Tests: tests/cli/test-endings.sh
 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct {
  const char *name;    /* as `export --plot` calls it, or what a verb writes: "table", "chart", ... */
  const char *about;   /* in a sentence: "a trajectory" */
  const char *endings; /* parted by spaces, the usual one first; "/" is a folder */
  gboolean is_plot;    /* one of `export --plot` */
  gboolean may_lack;   /* a name without any ending is fine: it promises nothing, or is that of a device */
} SsappFileKind;

/* All of them; static. */
const SsappFileKind *ssapp_file_kinds (guint *n);
/* NULL: there is none of that name. */
const SsappFileKind *ssapp_file_kind_find (const char *name);

/* ".pdf, .svg or .png" of the kind `name`; g_free. */
char *ssapp_endings_list (const char *name);
/* "*.pdf", "*.svg", ... for file dialogs, folders left out; g_strfreev. */
char **ssapp_endings_patterns (const char *name);
/* Whether the kind `name` can be written under that path; an error says which endings it can have. */
gboolean ssapp_endings_check (const char *name, const char *path, GError **error);

G_END_DECLS
