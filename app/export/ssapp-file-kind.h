/* app/export/ssapp-file-kind.h: what is written into files, and how the names of these files may end.
 *
 * Plots (ssapp-plot-kind.h) and all else that verbs and dialogs write. Endings come from the table of formats
 * (ssapp-format.h); help texts list them, file dialogs filter by them, and every writer checks its path with them, so
 * that no file has a name that promises something else than it holds. Endings are compared without regard to case.
 * Threads: any. Tests: tests/unit/test-export.c, tests/cli/test-endings.sh
 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Of tables of text, as ssapp_table_format_of_path takes them. */
#define SSAPP_ENDINGS_OF_TABLES ".csv .tsv .md .tex .jsonl .txt .text"

typedef struct {
  const char *name;  /* as `export --plot` calls it, or what a verb writes: "table", "chart", ... */
  const char *about; /* in a sentence: "a trajectory" */
  guint formats;     /* of SsappFormatKind: all formats of these kinds */
  const char *also;  /* endings beside those, parted by spaces, the usual one first; NULL: none */
  gboolean may_lack; /* a name without any ending is fine: it promises nothing, or is that of a device */
} SsappFileKind;

/* ".pdf .svg .png" of the kind `name`, the usual one first, "/" for a folder; g_free. */
char *ssapp_endings_text (const char *name);
/* ".pdf, .svg or .png" of the kind `name`; g_free. */
char *ssapp_endings_list (const char *name);
/* "*.pdf", "*.svg", ... for file dialogs, folders left out; g_strfreev. */
char **ssapp_endings_patterns (const char *name);
/* Whether the kind `name` can be written under that path; an error says which endings it can have. */
gboolean ssapp_endings_check (const char *name, const char *path, GError **error);

G_END_DECLS
