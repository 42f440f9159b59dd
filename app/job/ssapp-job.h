/* app/job/ssapp-job.h: a run as a child process. Used by the window, the command line's `compare --parallel`, and
 * tests.
 *
 * SsappJob starts `stickslip-cli worker` (found beside the running program, or STICKSLIP_WORKER), writes one job line,
 * reads events line by line asynchronously on the GMainContext of its creation, and emits signals there. Cancel asks
 * ({"type":"cancel"}), waits 500 ms, then kills. A worker that dies without a `result` ends the job with outcome
 * `interrupted` (`failed` where it lacked memory), one that cannot be started with `failed`, and one that is silent two
 * seconds after the time limit with `time_limit`: it is killed, and what it told is kept. The best answer that a race
 * has told by then is the answer in each of these cases. No worker is trusted: what it tells is kept within the limits
 * of ssapp-quota.h, and a line that cannot be read, or is too long for one, ends the job at once with `failed`.
 * Threads: main thread only (the thread of its main context).
 */
#pragma once

#include <gio/gio.h>
#include <jansson.h>

#include "app/job/ssapp-replay-ask.h"
#include "app/job/ssapp-runner.h"

G_BEGIN_DECLS

#define SSAPP_TYPE_JOB (ssapp_job_get_type ())
G_DECLARE_FINAL_TYPE (SsappJob, ssapp_job, SSAPP, JOB, GObject)

typedef enum { SSAPP_JOB_WAITING, SSAPP_JOB_RUNNING, SSAPP_JOB_CANCELLING, SSAPP_JOB_ENDED } SsappJobState;

#define SSAPP_TRACE_BOUND  G_MAXINT /* of the search for a lower bound after the answer */
#define SSAPP_TRACE_ANSWER (-1)     /* of the answer, the last point of curves with several traces */
#define SSAPP_TRACE_GAP    (-2)     /* of the points between traces */

/* One row of the convergence table, every column the method has. */
typedef struct {
  int iteration;
  double t; /* seconds since the job's start */
  /* NaN where the method has none; parameter: radius or mu */
  double objective, violation, complementarity, step, parameter;
  double lower_bound;         /* of a search for one: proved so far; NaN: another row */
  const char *parameter_name; /* "radius", "mu", ...; static */
  /* 0: of the method; 1, 2, ...: of that polish, or member of a race; SSAPP_TRACE_BOUND: another curve */
  int trace;
  char *json; /* the whole event, owned */
} SsappIteration;

void ssapp_iteration_clear (SsappIteration *iteration); /* for g_array_set_clear_func */
/* From an `iteration` event or a stored row (t = NaN: from the event), and from a solver's columns. `out` is filled
 * anew; release with ssapp_iteration_clear. */
gboolean ssapp_iteration_from_json (const char *json, SsappIteration *out);
void ssapp_iteration_from_columns (int iteration, double t, const SsColumn *columns, int n_columns,
                                   SsappIteration *out);
/* What a run answers, or what a race has so far. Zeroed: nothing is known. */
typedef struct {
  gboolean is_known;
  double objective, violation; /* NaN: not known */
} SsappAnswer;
/* Points of curves of convergence, with a gap (NaN) where another trace begins; rows may be NULL. Where there are
 * several traces, of which the last need not be the winner's, the answer (NULL: none) is a last point of its own, so
 * that what stands at the curve's end is the run's. A lower bound is a curve of `objective` too. The arrays have room
 * for SSAPP_CURVE_POINTS; *n are filled. `traces` (NULL is allowed): of each point. */
#define SSAPP_CURVE_POINTS(rows) (3 * ((rows) != NULL ? (gsize)(rows)->len : 0) + 3)
void ssapp_iterations_to_curves (GArray *rows, gboolean over_time, const SsappAnswer *answer, double *x,
                                 double *objective, double *violation, int *traces, int *n);
/* Points of one trace, from one gap to the next. */
typedef struct {
  int trace, from, n;
} SsappTracePart;
/* In the order of the points; of SsappTracePart. g_array_unref. */
GArray *ssapp_trace_parts (const int *traces, int n);
/* What a trace of a race is called by its members' names, up to NULL; `whole`: what no member is. Borrowed. */
const char *ssapp_trace_label (const char *const *members, int trace, const char *whole);

/* The program of the workers: STICKSLIP_WORKER (which the command line sets to itself), else `stickslip-cli` beside the
 * running program, in the build tree's app/, or on the path; NULL: there is none. g_free. */
char *ssapp_job_find_worker (void);

/* Signals:
 *   "started"   ()                       the worker has read the job
 *   "iteration" (guint index)            a row was added, see ssapp_job_get_iterations
 *   "motion"    ()                       the newest trajectory (iterate of an optimiser, frames of a simulation so far)
 *               changed
 *   "iterate"   (int iteration, gpointer SsTrajectory*)  a kept iterate arrived (set_keep_iterates); valid during the
 *               emission
 *   "race"      ()                       the members of a race went on, see ssapp_job_get_race
 *   "log"       (int level, const char *text)
 *   "ended"     ()                       the result (or the interruption) is there
 */
SsappJob *ssapp_job_new (const char *scenario_text, const char *scenario_name, SsMethodId method);
void ssapp_job_set_option (SsappJob *self, const char *name, const char *value); /* method option        */
void ssapp_job_set_parameter (SsappJob *self, const char *name, double value);   /* scenario parameter   */
void ssapp_job_set_time_limit (SsappJob *self, double seconds);                  /* wall time; outcome time_limit */
/* CPU time of all its threads and processes (app/job/ssapp-cpu.h); outcome cpu_limit */
void ssapp_job_set_cpu_limit (SsappJob *self, double seconds);
/* How long a cancelled worker may take to hand over what it has, before it is ended; half a second unless told. */
void ssapp_job_set_cancel_grace (SsappJob *self, guint milliseconds);
void ssapp_job_set_work_limit (SsappJob *self, double work); /* counted work (core/ss-work.h); outcome cpu_limit */
/* Counted work for ways on when an optimiser's plan fails [s] (plan/ss-ways-on.h); NaN, and where it is not called:
 * none are looked for. */
void ssapp_job_set_ways_on (SsappJob *self, double seconds);
/* CPU time for a lower bound after a model's answer [s] (bound/ss-bound-run.h); NaN, and where it is not called: none
 * is looked for. */
void ssapp_job_set_bound (SsappJob *self, double seconds);
void ssapp_job_set_step (SsappJob *self, double dt, double t_end); /* NaN: the scenario's  */
/* Makes it a replay of a plan's controls: the trajectory is copied; `run` is where it comes from. The method must be an
 * integrator. */
void ssapp_job_set_plan (SsappJob *self, const SsTrajectory *plan, const char *run);
/* A motion for an optimiser to start from, likewise. */
void ssapp_job_set_start (SsappJob *self, const SsTrajectory *start, const char *run);
/* What happened in the start of a simulation that goes on, as a result lists it; NULL: not known. */
void ssapp_job_set_start_events (SsappJob *self, const json_t *events);
/* Between how many steps that start has rows; 1: of all. */
void ssapp_job_set_start_every (SsappJob *self, int every);
/* What a replay is asked for beside its plan; read now. */
void ssapp_job_set_replay (SsappJob *self, const SsappReplayAsk *ask);
/* With the start: the run of which the job goes on from, and how (taken; zeroed afterwards). */
void ssapp_job_set_continued (SsappJob *self, SsappContinued *continued);
void ssapp_job_set_pause_at (SsappJob *self, int iteration); /* ends there as paused; -1: nowhere */
const char *ssapp_job_get_replay_of (SsappJob *self);        /* NULL when it is none */
/* The plan or start that was set, and in *run where it comes from ("" or NULL: no run); NULL: none. Borrowed. */
const SsTrajectory *ssapp_job_get_given (SsappJob *self, const char **run);
/* Of an impact law: as SsappJobSpec has them; planes NULL-terminated, or NULL. */
void ssapp_job_set_impact (SsappJob *self, double touching, double tolerance, const char *const *planes);
void ssapp_job_set_seed (SsappJob *self, guint64 seed); /* also the parameter `seed`, where there is one */
/* Of the worker's address space; NaN, and where it is not called: ssapp_memory_default (1). */
void ssapp_job_set_memory_limit (SsappJob *self, double bytes);
void ssapp_job_set_keep_iterates (SsappJob *self, int every); /* 0: none; n: every n-th */
/* Numbers with commas by which derivatives of a simulation are followed; NULL: none. */
void ssapp_job_set_sensitivity (SsappJob *self, const char *names);
/* What is asked of the motion beside the scenario's own outcomes: texts "NAME=FORMULA". */
void ssapp_job_set_outcomes (SsappJob *self, const GPtrArray *outcomes);
void ssapp_job_set_every (SsappJob *self, int every); /* rows of every so many steps of a simulation; 1: of all */
/* FALSE where there is no worker: the job has ended then, with outcome `failed` and the error's message. */
gboolean ssapp_job_start (SsappJob *self, GError **error);
void ssapp_job_cancel (SsappJob *self);
/* Holds a job that runs where it is, or lets it go on. The time of a pause is none of the job's. */
void ssapp_job_pause (SsappJob *self, gboolean paused);
gboolean ssapp_job_is_paused (SsappJob *self);
/* Ends it where it is, with the outcome `paused` and what its method needs to go on. */
void ssapp_job_keep (SsappJob *self);
/* The same job for a runner in this process (ssapp-runner.h), without a limit of memory: that would be the process's.
 * ssapp_job_spec_free. */
SsappJobSpec *ssapp_job_dup_spec (SsappJob *self);

const char *ssapp_job_get_id (SsappJob *self); /* a UUID; the run's id in the project */
/* As given to ssapp_job_new; borrowed. */
SsMethodId ssapp_job_get_method (SsappJob *self); /* name borrowed */
const char *ssapp_job_get_scenario_text (SsappJob *self);
const char *ssapp_job_get_scenario_name (SsappJob *self);
/* 0 unless set. */
guint64 ssapp_job_get_seed (SsappJob *self);
char *ssapp_job_get_options_json (SsappJob *self);    /* what was asked for; g_free              */
char *ssapp_job_get_parameters_json (SsappJob *self); /* overrides; g_free                       */
gint64 ssapp_job_get_pid (SsappJob *self);            /* of the worker; 0 when there is none     */
/* Ends one member of a race; the others go on. */
void ssapp_job_stop_member (SsappJob *self, const char *member);
/* Newest members of a race, as ssapp-race.h has them; NULL: it is none. Borrowed. */
const json_t *ssapp_job_get_race (SsappJob *self);
/* Where it is: see SsappJobState. */
SsappJobState ssapp_job_get_state (SsappJob *self);
const char *ssapp_job_get_outcome (SsappJob *self); /* NULL until ended                      */
/* What the result says of itself, or why there is none; NULL until ended; borrowed. */
const char *ssapp_job_get_message (SsappJob *self);
const char *ssapp_job_get_result_json (SsappJob *self); /* the result object, NULL if none       */
/* Wall time since the start, up to the end [s]; 0 before. */
double ssapp_job_get_elapsed (SsappJob *self);
GArray *ssapp_job_get_iterations (SsappJob *self); /* of SsappIteration, borrowed           */
const SsTrajectory *ssapp_job_get_trajectory (
    SsappJob *self); /* newest motion, or the answer; may be NULL; borrowed until the next main loop turn */
/* Says what the channels of the frames of a job that runs are, which tell their names only; of this scenario. */
void ssapp_job_describe_frames (SsappJob *self, const SsScenario *scenario);
/* What a run with more than one answer leaves besides, once it has ended: samples (NULL: none), and its motions but for
 * the answer. Borrowed. */
const SsSamples *ssapp_job_get_samples (SsappJob *self);
const SsRunMotion *ssapp_job_get_motions (SsappJob *self, int *n_motions);
/* Warnings so far, of char *, each text once; the result has them in its list `warnings`. Borrowed. */
GPtrArray *ssapp_job_get_warnings (SsappJob *self);
GString *ssapp_job_get_log (SsappJob *self); /* all log text so far, borrowed         */

G_END_DECLS
