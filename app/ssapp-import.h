/* app/ssapp-import.h: tables of numbers from other programs. */
#pragma once

#include <gio/gio.h>

#include "core/ss-core.h"

G_BEGIN_DECLS

/* A trajectory from CSV: names in the first line, of which one is t (it becomes the first channel), then a line a time point; '.' in every locale,
 * empty lines are skipped, names may be in quotes. NULL with an error that names file and line. The caller frees. */
SsTrajectory *ssapp_import_trajectory_csv (const char *path, GError **error);

G_END_DECLS
