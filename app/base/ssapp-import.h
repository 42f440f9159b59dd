/* app/base/ssapp-import.h: tables of numbers from other programs. */
#pragma once

#include <gio/gio.h>

#include "core/ss-core.h"

G_BEGIN_DECLS

/* Which of the names is that of the time: t, else time, with its unit (s) behind it or without; -1: none. */
int ssapp_import_time (const char *const *names, int n);
/* A trajectory from CSV: names in the first line, of which one is the time (it becomes the first channel, t), then a
 * line a time point; '.' in every locale, empty lines are skipped, names may be in quotes. Times do not descend; equal
 * ones are a jump. NULL with an error that names file and line. The caller frees. */
SsTrajectory *ssapp_import_trajectory_csv (const char *path, GError **error);
/* The same with values that are not there, NaN: what an exported table leaves empty, or another program calls nan. */
SsTrajectory *ssapp_import_gappy_csv (const char *path, GError **error);

/* The text behind its byte-order mark, which some programs write at the beginning of a table. */
const char *ssapp_import_skip_mark (const char *text);

G_END_DECLS
