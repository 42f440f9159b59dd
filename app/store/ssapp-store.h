/* app/store/ssapp-store.h: one project = one SQLite file. Sketches (ssapp-store-sketch.h), runs with provenance,
 * iterations, metrics and events as rows, motions and samples as blobs, log. Schema: data/schema-1.sql to
 * schema-7.sql, one file a format (in the program as GResource-free C strings made by the build).
 *
 * Only the process that owns the queue writes; all calls on one thread. Statement errors become GErrors, never
 * swallowed. WAL while open; closing leaves one file. A run is recorded when it starts, its iterations are streamed in
 * (a transaction at most every 100 ms and at the end). On opening, running rows whose owner (host, pid, process start
 * time) is dead become `interrupted`. Two processes may have one project open: busy timeout, no lost writes.
 *
 * A file of an older format is brought to this one when it is opened for writing, in one transaction; one without write
 * permission is read as it is, and all functions that read give the same of it.
 */
#pragma once

#include "app/job/ssapp-job.h"
#include "judge/ss-metric.h"

#include <jansson.h>

G_BEGIN_DECLS

#define SSAPP_TYPE_STORE (ssapp_store_get_type ())
G_DECLARE_FINAL_TYPE (SsappStore, ssapp_store, SSAPP, STORE, GObject)

#define SSAPP_PROJECT_SUFFIX ".stickslip"

/* What went wrong, for callers that offer different ways out. The message always says it in words, with the file's
 * name. */
#define SSAPP_STORE_ERROR (ssapp_store_error_quark ())
GQuark ssapp_store_error_quark (void);
typedef enum {
  SSAPP_STORE_ERROR_NOT_FOUND,     /* no such file, run or scenario                       */
  SSAPP_STORE_ERROR_NOT_A_PROJECT, /* no SQLite database, or another program's            */
  SSAPP_STORE_ERROR_NEWER,         /* written by a newer version                          */
  SSAPP_STORE_ERROR_DAMAGED,       /* no sound database, or not what its checksum says    */
  SSAPP_STORE_ERROR_FOREIGN,       /* its tables are not those of its format, or there are others, triggers, views */
  SSAPP_STORE_ERROR_READ_ONLY,
  SSAPP_STORE_ERROR_FULL,   /* disk full or file size limit; what was committed before is safe */
  SSAPP_STORE_ERROR_MEMORY, /* there was none for the call: nothing is told of the project */
  SSAPP_STORE_ERROR_BUSY,   /* another process kept it locked for longer than is waited */
  SSAPP_STORE_ERROR_MOVED,  /* deleted, renamed or replaced while it was open: what was stored since is in memory */
  SSAPP_STORE_ERROR_TAKEN,  /* another run answers this task of a study */
  SSAPP_STORE_ERROR_OTHER,  /* another process changed it since it was read */
  SSAPP_STORE_ERROR_FAILED
} SsappStoreError;

/* How long a write waits for another process; its transactions last milliseconds. */
#define SSAPP_STORE_BUSY_MS        5000
#define SSAPP_STORE_APPLICATION_ID 0x53534c50 /* "SSLP" */
#define SSAPP_STORE_SCHEMA_VERSION 11
/* Projects from this format on have checksums. */
#define SSAPP_STORE_FIRST_WITH_SUMS 7
/* What can be done about a project that is not opened, at the end of a message. */
#define SSAPP_STORE_WAY_OUT "`stickslip-cli copy PROJECT --to NEW.stickslip` saves what can be read of it"

/* The same of what this store writes from now on [ms], for somebody who comes again. */
void ssapp_store_set_patience (SsappStore *self, int ms);

/* A file without write permission is opened for reading: then every write fails with READ_ONLY. Opens or creates (if
 * allowed). Errors name the file and what it is instead: no SQLite file, another application_id, a newer schema,
 * damaged, disk full... */
SsappStore *ssapp_store_open (const char *path, gboolean create, GError **error);
/* One that is there, for somebody who reads it, and soon closes it: the file itself is touched by the first write only,
 * so that pages that were read need not be read again. Errors as above. */
SsappStore *ssapp_store_open_to_read (const char *path, GError **error);
/* Another connection on the file of one that is open, for a thread that reads lists: made and let go on the thread of
 * `self`, used on one thread. It writes nothing and looks after nothing. NULL, perhaps with an error, where there is
 * none: of a project that is lost, closed or read-only, which is read by itself. */
SsappStore *ssapp_store_open_beside (SsappStore *self, GError **error);
/* What it reads ends soon, with an error; any thread that has a reference. */
void ssapp_store_interrupt (SsappStore *self);
/* Commits, checkpoints, removes -wal and -shm; also at finalize. FALSE with an error when something that was to be
 * stored is in no file: a write failed, or the file was deleted, renamed or replaced meanwhile. Closed all the same. */
gboolean ssapp_store_close (SsappStore *self, GError **error);
const char *ssapp_store_get_path (SsappStore *self);

/* Whether it was opened for reading: see ssapp_store_open. */
gboolean ssapp_store_is_read_only (SsappStore *self);

/* ---- where it is ------------------------------------------------------------------------------------------------- */

/* Before each commit and at closing the path and the open file must be the same file. Once they are not, every write
 * fails with MOVED and what was stored is in memory: it can be read, and ssapp_store_save_as gives it a file again.
 * Nothing at the path is touched then, since it may be another project. */
gboolean ssapp_store_is_lost (SsappStore *self);
/* Whether all that was to be stored is in the file; else FALSE with an error that names it. */
gboolean ssapp_store_check_kept (SsappStore *self, GError **error);
/* Goes on in another file, with all that the project has and what waits to be written, also while runs are followed. It
 * is made beside `path` by SQLite's backup and renamed when it is complete; after a failure there is no part of it and
 * the project stays where it was. A file at `path` is replaced unless somebody has it open (BUSY). `removes_old`:
 * removes the former file unless another connection, of this or another process, has it open. */
gboolean ssapp_store_save_as (SsappStore *self, const char *path, gboolean removes_old, GError **error);

/* From now on "changed" is emitted within a second, too, when another connection has written to the project; and every
 * two seconds running rows whose owner is gone are closed as interrupted. By the default main loop. */
void ssapp_store_watch_others (SsappStore *self);

/* Signal "lost" (const char *message), once: the file of what was stored is no longer there.
 * Signal "write-failed" (const char *message): a write behind the scenes (rows of a followed job) failed; the rows are
 * kept and tried again.
 * Signal "changed" (): a run was added, ended, or renamed, or the file is another: lists should be read again. */

/* What is stored of a run has checksums from format 7 on. Lists check what they show, a single run is checked whole but
 * for motions and samples, and these when they are read: what does not match is not given (DAMAGED). */
#define SSAPP_OUTCOME_DAMAGED "damaged"

typedef struct {
  SsMetric metric;
  double value; /* NaN: not known */
} SsappRunOutcome;

/* A stored run as a row. Texts are owned by the row. */
typedef struct {
  char *id, *scenario_name, *scenario_sha256;
  SsMethodKind kind;                /* SS_METHOD_KIND_COUNT: none of this version */
  char *kind_name, *method, *label; /* kind as the project says it, method's name, and what people call it */
  char *outcome, *message;          /* outcome "running" while it runs */
  char *started, *ended;            /* ended "" while it runs */
  char *note;
  char *tags; /* words of the user, separated by ", "; "" without */
  char *options_json, *parameters_json;
  char *replay_of;   /* plan's run; "" when it is no replay */
  char *solution_of; /* of a local solution from another start: run with the answer; "" for others */
  char *start;       /* what led to the plan, in words; "" where there was one start */
  guint64 seed;
  guint n_metrics;  /* that were read (ssapp_run_row_get_metric); owned by the row */
  guint n_outcomes; /* what was asked of the run (ssapp_metric_of_outcome); owned by the row */
  SsappRunOutcome *metrics, *outcomes;
  char
      *damage; /* what does not match its checksum, in words; then `outcome` is SSAPP_OUTCOME_DAMAGED, `message` says it
                 * too, and no metric is known. NULL: nothing */
  char *texts; /* where all of these are */
} SsappRunRow;
/* NaN where it is not known or does not apply. */
double ssapp_run_row_get_metric (const SsappRunRow *row, SsMetric metric);
/* Also an outcome; one of that name is replaced. */
void ssapp_run_row_set_metric (SsappRunRow *row, SsMetric metric, double value);
/* Adds the row's outcomes that are not in the array (of SsMetric) yet. */
void ssapp_run_row_list_outcomes (const SsappRunRow *row, GArray *metrics);
/* With its texts; NULL is allowed. */
void ssapp_run_row_free (SsappRunRow *row);
/* Method of the run; the name is borrowed. */
SsMethodId ssapp_run_row_get_method (const SsappRunRow *row);

/* Follows a job: records its start, streams iterations, log, newest iterate and the result. The store keeps a reference
 * until the job ended. Call before ssapp_job_start. */
gboolean ssapp_store_follow (SsappStore *self, SsappJob *job, GError **error);
/* The same for a run made in this process (command line). */
gboolean ssapp_store_record (SsappStore *self, const char *id, const char *scenario_text, const char *scenario_name,
                             SsMethodId method, const char *options_json, const char *parameters_json, guint64 seed,
                             GError **error);
/* The run is a replay of that run's controls. */
gboolean ssapp_store_set_replay_of (SsappStore *self, const char *id, const char *plan, GError **error);
gboolean ssapp_store_add_iteration (SsappStore *self, const char *id, int iteration, double t, const SsColumn *columns,
                                    int n_columns, GError **error);
gboolean ssapp_store_add_iteration_row (SsappStore *self, const char *id, const SsappIteration *row, GError **error);
gboolean ssapp_store_add_log (SsappStore *self, const char *id, double t, int level, const char *text, GError **error);
/* Stores the result, its metrics and events as rows too, and the motion (may be NULL): in a transaction before that of
 * the iterations, log and iterates that wait, so that an answer is stored where there is no room for those. An error
 * then tells of them. */
gboolean ssapp_store_finish (SsappStore *self, const char *id, const char *result_json, const SsTrajectory *trajectory,
                             GError **error);
/* The same for a run with more than one answer: stores also its motions beside the answer, and its samples as the cloud
 * "velocities", thinned as ssapp_samples_thin says, in single precision. `samples` may be NULL, `motions` may have the
 * answer, which is left out. Local solutions (role SOLUTION; the result has them in its list `solutions`) become runs
 * of their own, recorded with the result: same scenario, method, options and times, `solution_of` this run. */
gboolean ssapp_store_finish_record (SsappStore *self, const char *id, const char *result_json,
                                    const SsTrajectory *trajectory, const SsSamples *samples,
                                    const SsRunMotion *motions, int n_motions, GError **error);
gboolean ssapp_store_flush (SsappStore *self, GError **error);

/* Ends a run that has no result: outcome `interrupted` or `failed`, what there is of the motion (may be NULL). */
gboolean ssapp_store_abandon (SsappStore *self, const char *id, const char *outcome, const char *message,
                              const SsTrajectory *trajectory, GError **error);
/* Ends a run that is recorded as running and whose program is gone: `interrupted`. An error where it is at work on this
 * machine. Of another machine that is not known: one of which nothing was stored for so many days also ends by itself
 * when the project is opened for writing. */
#define SSAPP_STORE_GONE_DAYS 7
gboolean ssapp_store_end_run (SsappStore *self, const char *id, GError **error);
/* A kept iterate of an optimiser. */
gboolean ssapp_store_add_iterate (SsappStore *self, const char *id, int iteration, const SsTrajectory *trajectory,
                                  GError **error);

/* Of SsappRunRow, newest first, an answer before its other local solutions; element-free set. They have the metrics
 * that are asked for, since a list of ten thousand runs shows few of them; the others are not known there. */
GPtrArray *ssapp_store_list_runs (SsappStore *self, const SsMetric *metrics, int n_metrics, GError **error);
/* With all its metrics. */
SsappRunRow *
ssapp_store_get_run (SsappStore *self, const char *id_or_prefix,
                     GError **error); /* unique prefix of >= 4 characters, or "last": no solution_of another; with
                                       * ":MARK" the answer with that mark of its race (core/ss-members.h) */
/* The same, and an error (DAMAGED) where any of it does not match its checksum: for what goes on from it. */
SsappRunRow *ssapp_store_get_sound_run (SsappStore *self, const char *id_or_prefix, GError **error);
/* The text that the run was made from, as it was then; g_free. NULL with an error: no such run. */
char *ssapp_store_get_scenario_text (SsappStore *self, const char *id, GError **error);
char *ssapp_store_get_result_json (SsappStore *self, const char *id,
                                   GError **error); /* NULL without error if none yet */
/* What was asked of the run, as its result has it (job/ssapp-asked.h); NULL without error: it does not say. g_free. */
char *ssapp_store_get_asked_json (SsappStore *self, const char *id, GError **error);
/* All lines of the log, in order, as one text; g_free; "" if there are none. */
char *ssapp_store_get_log (SsappStore *self, const char *id, GError **error);
GArray *ssapp_store_get_iterations (SsappStore *self, const char *id,
                                    GError **error); /* of SsappIteration, clear func set */
/* What happened in a motion, as the list `events` of a result; new reference. Branch 0 where a run has one motion. */
json_t *ssapp_store_get_events (SsappStore *self, const char *id, int branch, GError **error);
/* Versions, compiler, machine and owner of a run as an object; g_free. */
char *ssapp_store_get_provenance_json (SsappStore *self, const char *id, GError **error);
gboolean ssapp_store_delete_run (SsappStore *self, const char *id, GError **error); /* soft: can be undone */
/* Takes the deletion back. */
gboolean ssapp_store_undelete_run (SsappStore *self, const char *id, GError **error);
/* The user's words on a run, copied; "" takes them away. */
gboolean ssapp_store_set_note (SsappStore *self, const char *id, const char *note, GError **error);

/* ---- comparisons ------------------------------------------------------------------------------------------------- */

/* Runs that belong together. */
typedef struct {
  char *id, *title, *created;
  char **run_ids, **labels; /* in their order, NULL-terminated; label "": the run is called by its method */
} SsappComparisonRow;
/* Of runs of this project, in this order; labels may be NULL. Written at once. Returns its id (g_free). */
char *ssapp_store_add_comparison (SsappStore *self, const char *title, const char *const *run_ids,
                                  const char *const *labels, GError **error);
/* Of SsappComparisonRow, newest first, without runs that were removed; free function set. */
GPtrArray *ssapp_store_list_comparisons (SsappStore *self, GError **error);

/* ---- motions ----------------------------------------------------------------------------------------------------- */

/* Which motion of a run. Roles: "answer"; "latest" while it runs; "iterate": kept on the way; others as methods
 * need. */
typedef struct {
  const char *role;
  int branch;    /* of a run whose motion goes on in several ways, from 0; 0 where there is one */
  int iteration; /* of an iterate; else -1 */
} SsappMotionKey;

typedef struct {
  SsappMotionKey key; /* role owned by the list */
  double share;       /* of the branch in all outcomes, 0..1; NaN: not known */
  int n_rows, n_channels;
} SsappMotionRow;

/* A motion beside the answer that ssapp_store_finish stores, such as another branch. One with the same key is
 * replaced. */
gboolean ssapp_store_add_motion (SsappStore *self, const char *id, const SsappMotionKey *key, double share,
                                 const SsTrajectory *trajectory, GError **error);
/* All motions of a run, by role, branch and iteration: of SsappMotionRow, clear func set. */
GArray *ssapp_store_list_motions (SsappStore *self, const char *id, GError **error);
/* Caller frees; NULL without error if there is none. Channels have quantity, unit and owner where the project knows
 * them. */
SsTrajectory *ssapp_store_get_motion (SsappStore *self, const char *id, const SsappMotionKey *key, GError **error);
/* The motion that a run was given: the start of an optimiser, the plan of a replay. It is stored as role "given" unless
 * it is, bit by bit, the answer of the run of this project that it comes from (NULL: of none). */
gboolean ssapp_store_add_given (SsappStore *self, const char *id, const SsTrajectory *motion, const char *run,
                                GError **error);
/* That motion, from where it is; *is_own: it is stored with the run. NULL without error where the run was given none;
 * NOT_FOUND where it was, and it is not there. */
SsTrajectory *ssapp_store_get_given (SsappStore *self, const char *id, gboolean *is_own, GError **error);
/* The answer, else the latest motion. */
SsTrajectory *ssapp_store_get_trajectory (SsappStore *self, const char *id, GError **error);
GArray *ssapp_store_list_iterates (SsappStore *self, const char *id,
                                   GError **error); /* of int: iterations with a kept iterate, ascending */
/* One of these; ss_trajectory_free. NULL without error when it was not kept. */
SsTrajectory *ssapp_store_get_iterate (SsappStore *self, const char *id, int iteration, GError **error);

/* ---- samples ----------------------------------------------------------------------------------------------------- */

/* A cloud of numbers of a run, such as velocities after an impact. */
typedef struct {
  char **columns; /* names; NULL-terminated */
  gint64 n;       /* rows */
  double *values; /* n x number of columns, row-major */
} SsappSamples;
void ssapp_samples_free (SsappSamples *samples); /* NULL is allowed */

/* Stores n rows of `values`, as float32 or float64; a cloud of that name is replaced. Written at once. */
gboolean ssapp_store_add_samples (SsappStore *self, const char *id, const char *name, const char *const *columns,
                                  const double *values, gint64 n, gboolean is_single, GError **error);
/* NULL without error if there is none. */
SsappSamples *ssapp_store_get_samples (SsappStore *self, const char *id, const char *name, GError **error);

G_END_DECLS
