/* app/session/ssapp-import-motion.h: a motion from elsewhere (an experiment, another program) as a run of a scene or of
 * a model in equations: read from a table, checked against the scenario, judged as any other, kept in a project.
 *
 * A table is CSV with the names of channels in its first line, as `export --plot trajectory` writes them, or JSON: an
 * object that has for each channel an array of numbers, {"t": [...], "box.x": [...]}, or {"channels": ["t", "box.x"],
 * "rows": [[0, 1], ...]}. Times do not descend; equal ones are a jump. Every body that can move needs x, y and theta;
 * of a model every variable at every time point.
 * Threads: any, with its own data; the store's for ssapp_import_motion. Tests: tests/unit/test-import.c */
#pragma once

#include <math.h>

#include "app/store/ssapp-store.h"
#include "scene/ss-scenario.h"

G_BEGIN_DECLS

#define SSAPP_IMPORTED_METHOD "imported"

/* What is said of how the motion came to be: kept with the run as it is told, and not judged. */
typedef struct {
  const char *method;  /* "" or NULL: "imported"; the name of a method of ours is an error */
  const char *options; /* a JSON object; NULL: none */
  double seconds;      /* that it took [s]; NaN: not known */
  int iterations;      /* -1: not known */
} SsappImportClaims;

#define SSAPP_IMPORT_CLAIMS_NONE ((SsappImportClaims){.seconds = NAN, .iterations = -1})

/* The table of a file whose name ends in .csv or .json. NULL with an error that names file, line and column (of JSON:
 * channel and row); the caller frees. */
SsTrajectory *ssapp_import_read_table (const char *path, GError **error);
/* Whether the table is a motion of the scene, and what its channels are; `warnings` (of char *, may be NULL) gets a
 * sentence for each column that the scene does not know. FALSE with an error that says what is missing. */
gboolean ssapp_import_check (const SsScenario *scenario, SsTrajectory *table, GPtrArray *warnings, GError **error);
/* Both, and the run in the project, with a note where it comes from: its id (g_free), or NULL with an error and nothing
 * stored. `scenario` was read from `text`. A scene with a task, and a model, get objective and violations too: of a
 * model the outcome says whether the point is feasible. */
char *ssapp_import_motion (SsappStore *store, const SsScenario *scenario, const char *text, const char *path,
                           const SsappImportClaims *claims, GError **error);
/* The same of a table that was read, which is taken, with that note; `path` is for messages. */
char *ssapp_import_table (SsappStore *store, const SsScenario *scenario, const char *text, SsTrajectory *table,
                          const char *path, const char *note, const SsappImportClaims *claims, GError **error);

G_END_DECLS
