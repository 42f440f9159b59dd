/* app/base/ssapp-file.h: whole files written so that a failure leaves the old one, and values in a table of commas (RFC
 * 4180). Threads: any. Tests: tests/unit/test-export.c
 */
#pragma once

#include <gio/gio.h>
#include <sys/types.h>

#include "core/ss-status.h"

G_BEGIN_DECLS

/* Writes `length` bytes (-1: a text) beside the target and renames; errors name the file. A link stays a link. */
gboolean ssapp_write_file (const char *path, const char *data, gssize length, GError **error);

/* The same of what is made while it is written: `next` appends the next part to `out`, which is empty, and says whether
 * there are more. */
typedef gboolean SsappNextPart (GString *out, gpointer data);
gboolean ssapp_write_file_in_parts (const char *path, SsappNextPart *next, gpointer data, GError **error);

/* Reads a whole file, as every reader of inputs does: g_free *text, which ends with a zero that *length (nullable) does
 * not count. What is no regular file (a pipe, a device, a folder) is refused before it is read, since it may never end;
 * so is a file of more than `most` bytes (0: any size). Errors name the file. */
gboolean ssapp_read_file (const char *path, gsize most, char **text, gsize *length, GError **error);

/* What was read of a scenario file becomes its text: *text of a path that ends in .nl (scene/ss-nl.h) is replaced, any
 * other stays as it is. FALSE with problems; *text is freed and NULL then. */
gboolean ssapp_take_nl (const char *path, char **text, gsize *length, SsProblems *problems);

/* In steps, for files that a library writes. A new, empty file beside `target`: its descriptor and name (g_free); -1
 * with errno. */
int ssapp_open_beside (const char *target, mode_t mode, char **name);
/* Its bytes reach the disk, then it takes the place of `target`; after a failure it is gone. Errors name `path`. */
gboolean ssapp_put_in_place (const char *part, const char *target, const char *path, GError **error);
/* "Could not <doing> “FILE”: ..." for the errno `cause`; FALSE. */
gboolean ssapp_set_file_error (GError **error, const char *path, const char *doing, int cause);

/* 17 digits, '.' in every locale; empty when not finite. */
void ssapp_csv_append_number (GString *out, double value);
/* Quoted where needed; NULL is empty. A text that a spreadsheet would take for a formula (it begins with = + - @, a tab
 * or the end of a line) gets a single quote in front, as is usual. */
void ssapp_csv_append_text (GString *out, const char *text);
/* That quote, or "" for a text that needs none; static. */
const char *ssapp_csv_guard (const char *text);

G_END_DECLS
