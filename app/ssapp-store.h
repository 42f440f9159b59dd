/* app/ssapp-store.h: one project = one SQLite file. Scenarios with versions, runs with provenance, iterations as rows, trajectories as
 * float64 blobs, metrics, log. Schema: data/schema.sql (in the program as a GResource-free C string made by the build).
 *
 * Only the process that owns the queue writes; all calls on one thread. Statement errors become GErrors, never swallowed. WAL while open; closing leaves
 * one file. A run is recorded when it starts, its iterations are streamed in (a transaction at most every 100 ms and at the end). On opening, running rows
 * whose owner (host, pid, process start time) is dead become `interrupted`. Two processes may have one project open: busy timeout, no lost writes.
 */
#pragma once

#include "app/ssapp-job.h"

G_BEGIN_DECLS

#define SSAPP_TYPE_STORE (ssapp_store_get_type ())
G_DECLARE_FINAL_TYPE (SsappStore, ssapp_store, SSAPP, STORE, GObject)

#define SSAPP_PROJECT_SUFFIX ".stickslip"

/* What went wrong, for callers that offer different ways out. The message always says it in words, with the file's name. */
#define SSAPP_STORE_ERROR (ssapp_store_error_quark ())
GQuark ssapp_store_error_quark (void);
typedef enum {
  SSAPP_STORE_ERROR_NOT_FOUND,     /* no such file, run or scenario                       */
  SSAPP_STORE_ERROR_NOT_A_PROJECT, /* no SQLite database, or another program's            */
  SSAPP_STORE_ERROR_NEWER,         /* written by a newer version                          */
  SSAPP_STORE_ERROR_DAMAGED,
  SSAPP_STORE_ERROR_READ_ONLY,
  SSAPP_STORE_ERROR_FULL, /* disk full or file size limit; what was committed before is safe */
  SSAPP_STORE_ERROR_BUSY, /* another process kept it locked for more than SSAPP_STORE_BUSY_MS */
  SSAPP_STORE_ERROR_FAILED
} SsappStoreError;

#define SSAPP_STORE_BUSY_MS        5000 /* how long a write waits for another process; its transactions last milliseconds */
#define SSAPP_STORE_APPLICATION_ID 0x53534c50 /* "SSLP" */
#define SSAPP_STORE_SCHEMA_VERSION 2

/* A file without write permission is opened for reading: then every write fails with READ_ONLY. Opens or creates (if allowed). Errors name the file and what it is instead: no SQLite file, another application_id, a newer schema, damaged, disk full... */
SsappStore *ssapp_store_open (const char *path, gboolean create, GError **error);
void ssapp_store_close (SsappStore *self); /* commits, checkpoints, removes -wal and -shm; also at finalize */
const char *ssapp_store_get_path (SsappStore *self);

gboolean ssapp_store_is_read_only (SsappStore *self);

/* Signal "write-failed" (const char *message): a write behind the scenes (rows of a followed job) failed; the rows are kept and tried again.
 * Signal "changed" (): a run was added, ended, or renamed: lists should be read again. */

/* A stored run as a row. */
typedef struct {
  char *id, *scenario_name, *scenario_sha256, *method, *label, *outcome, *message, *started,
      *note; /* owned; outcome "running" while it runs */
  double objective, max_violation, tracking_error, solve_seconds, cpu_seconds; /* NaN where unknown */
  gint64 iterations;
  gboolean success_paper;
  gboolean is_simulation;
  char *options_json, *parameters_json;
  char *ended;            /* "" while it runs */
  char *replay_of;        /* plan's run; "" when it is no replay */
  double replay_distance; /* [m]; NaN */
  guint64 seed;
} SsappRunRow;
void ssapp_run_row_free (SsappRunRow *row);

/* Follows a job: records its start, streams iterations, log, newest iterate and the result. The store keeps a reference until the job ended. Call before ssapp_job_start. */
gboolean ssapp_store_follow (SsappStore *self, SsappJob *job, GError **error);
/* The same for a run made in this process (command line). */
gboolean ssapp_store_record (SsappStore *self, const char *id, const char *scenario_text, const char *scenario_name,
                             const char *method, const char *options_json, const char *parameters_json, guint64 seed,
                             GError **error);
/* The run is a replay of that run's controls. */
gboolean ssapp_store_set_replay_of (SsappStore *self, const char *id, const char *plan, GError **error);
gboolean ssapp_store_add_iteration (SsappStore *self, const char *id, int iteration, double t, const SsColumn *columns,
                                    int n_columns, GError **error);
gboolean ssapp_store_add_log (SsappStore *self, const char *id, double t, int level, const char *text, GError **error);
gboolean ssapp_store_finish (SsappStore *self, const char *id, const char *result_json, const SsTrajectory *trajectory,
                             GError **error);
gboolean ssapp_store_flush (SsappStore *self, GError **error);

/* Ends a run that has no result: outcome `interrupted` or `failed`, what there is of the motion (may be NULL). */
gboolean ssapp_store_abandon (SsappStore *self, const char *id, const char *outcome, const char *message,
                              const SsTrajectory *trajectory, GError **error);
/* A kept iterate of an optimiser. */
gboolean ssapp_store_add_iterate (SsappStore *self, const char *id, int iteration, const SsTrajectory *trajectory,
                                  GError **error);

GPtrArray *ssapp_store_list_runs (SsappStore *self,
                                  GError **error); /* of SsappRunRow, newest first; (element-free set) */
SsappRunRow *ssapp_store_get_run (SsappStore *self, const char *id_or_prefix,
                                  GError **error); /* unique prefix of >= 4 characters, or "last" */
char *ssapp_store_get_scenario_text (SsappStore *self, const char *id, GError **error);
char *ssapp_store_get_result_json (SsappStore *self, const char *id,
                                   GError **error); /* NULL without error if none yet */
char *ssapp_store_get_log (SsappStore *self, const char *id, GError **error);
GArray *ssapp_store_get_iterations (SsappStore *self, const char *id,
                                    GError **error); /* of SsappIteration, clear func set */
SsTrajectory *ssapp_store_get_trajectory (SsappStore *self, const char *id,
                                          GError **error); /* caller frees; NULL without error if none */
GArray *ssapp_store_list_iterates (SsappStore *self, const char *id,
                                   GError **error); /* of int: iterations with a kept iterate, ascending */
SsTrajectory *ssapp_store_get_iterate (SsappStore *self, const char *id, int iteration, GError **error);
char *ssapp_store_get_provenance_json (SsappStore *self, const char *id, GError **error);
gboolean ssapp_store_delete_run (SsappStore *self, const char *id, GError **error); /* soft: can be undone */
gboolean ssapp_store_undelete_run (SsappStore *self, const char *id, GError **error);
gboolean ssapp_store_set_note (SsappStore *self, const char *id, const char *note, GError **error);

/* Scenarios saved in the project (sketches), with versions. */
gboolean ssapp_store_save_scenario (SsappStore *self, const char *name, const char *text, GError **error);
GPtrArray *ssapp_store_list_scenarios (SsappStore *self, GError **error);            /* names, newest first */
char *ssapp_store_get_scenario (SsappStore *self, const char *name, GError **error); /* newest version's text */

G_END_DECLS
