/* engine/core/ss-run-control.h: cancel token, limits and progress sink of one run.
 *
 * Limits: wall time (`deadline`) and CPU time are clocks, which end a run and decide nothing else; counted work is none
 * (core/ss-work.h).
 *
 * Threads: `cancel` may be set from any thread; everything else belongs to the thread that runs the solver. The
 * progress function runs on the solver's thread, returns at once, and may copy its record but never keep a pointer into
 * it.
 */
#pragma once

#include "core/ss-status.h"

#include <stdatomic.h>

typedef struct {
  const char *name; /* static or owned by the solver; snake_case, as in the event stream */
  double value;     /* may be non-finite                                                 */
} SsColumn;

typedef enum {
  SS_PROGRESS_ITERATION, /* one row of the convergence table                      */
  SS_PROGRESS_ITERATE,   /* the current point of an optimiser (flat x)            */
  SS_PROGRESS_FRAME,     /* one new row of a simulation's trajectory              */
  SS_PROGRESS_LOG,       /* one line of text                                      */
  SS_PROGRESS_MEMBERS,   /* where the members of a race are (core/ss-members.h)    */
  SS_PROGRESS_ANSWER,    /* a judged answer while the run goes on to better it     */
} SsProgressKind;

typedef enum { SS_LOG_DEBUG, SS_LOG_INFO, SS_LOG_WARNING, SS_LOG_ERROR } SsLogLevel;

typedef struct {
  SsProgressKind kind;
  int iteration;           /* ITERATION, ITERATE: from 0 (the start point); FRAME: the row's index        */
  int n_columns;           /* ITERATION                                                                   */
  const SsColumn *columns; /* ITERATION: objective, violation, complementarity, merit, step, radius|mu... */
  int n_values;            /* ITERATE: number of variables; FRAME: number of channels                     */
  const double *values;    /* ITERATE: x; FRAME: the trajectory row, time first                           */
  SsLogLevel level;        /* LOG                                                                         */
  const char *text;        /* LOG: without newline                                                        */
  int n_members;           /* MEMBERS */
  const struct SsMember *members;
  const struct SsRunResult *answer; /* ANSWER; MEMBERS: a new best one of the race, NULL: none since the last time */
  const struct SsNlpResult *solved; /* ANSWER of an optimiser, not judged yet: engine/solve tells it on as `answer` */
} SsProgress;

typedef void (*SsProgressFunc) (void *user_data, const SsProgress *progress);
double ss_progress_column (const SsProgress *progress, const char *name); /* of an ITERATION; NaN: it has none */

typedef struct {
  atomic_int cancel;        /* non-zero: the outcome with which the run is asked to end (ss_run_control_stop) */
  atomic_int pause;         /* non-zero asks the run to wait (between iterations or steps)                 */
  atomic_uint stop_members; /* of a race: a bit for each member that is to stop, in their order           */
  int pause_at;             /* the run ends as PAUSED where it tells of that iteration or a later one; -1: nowhere */
  unsigned stops_at;        /* the solver's: bits of stop_members that end what it does now; 0: none         */
  double deadline;          /* value of ss_clock_wall() after which the run ends; INFINITY = no limit      */
  /* CPU time of the run, all its threads and processes [s]; INFINITY: no limit. Counted from cpu_start on, a value of
   * ss_clock_process_cpu (); cpu_others: that of its other processes, which the caller tells [ns] */
  double cpu_limit, cpu_start;
  double cpu_looked; /* value of ss_clock_wall() when that was looked at last; 0: never */
  atomic_llong cpu_others;
  double work_limit; /* value of ss_work_thread() of the solver's thread; beyond it ends as CPU_LIMIT; INFINITY: none */
  SsProgressFunc progress; /* NULL: nobody listens                                                        */
  void *user_data;
} SsRunControl;

void ss_run_control_init (SsRunControl *control); /* no cancel, no deadline, no listener */
/* The limits of a run for a part of it; what ends the run otherwise is the caller's to pass on. `outer` may be NULL. */
void ss_run_control_inherit (SsRunControl *inner, const SsRunControl *outer);
/* From here on the run may take that much CPU time [s]. */
void ss_run_control_limit_cpu (SsRunControl *control, double seconds);
double ss_run_control_cpu (SsRunControl *control); /* that it has taken since cpu_start [s] */
/* The limit of CPU time [s], from any thread, while that of the run moves it: the judge's time is not the solver's. */
double ss_run_control_cpu_limit (const SsRunControl *control);
void ss_run_control_move_cpu_limit (SsRunControl *control, double seconds);
/* From any thread. It is not taken back: another run needs another control, or init again. */
void ss_run_control_cancel (SsRunControl *control);
/* Likewise, with another of the outcomes that ss_outcome_is_early. The first one counts, but for CANCELLED. */
void ss_run_control_stop (SsRunControl *control, SsOutcome why);
/* Ends one member of a race, from any thread: the others go on. It may be told before the member begins. */
void ss_run_control_stop_member (SsRunControl *control, int member);
/* True when the run should end now; *why is then as told, CANCELLED, TIME_LIMIT or CPU_LIMIT. Waits while paused.
 * `control` may be NULL (false). */
bool ss_run_control_should_stop (SsRunControl *control, SsOutcome *why);

/* Tell the listener, if there is one (control may be NULL). What is pointed to need only live during the call. */
void ss_run_control_emit_iteration (SsRunControl *control, int iteration, const SsColumn *columns, int n_columns);
void ss_run_control_emit_iterate (SsRunControl *control, int iteration, const double *x, int n);
void ss_run_control_emit_frame (SsRunControl *control, int row_index, const double *row, int n_channels);
void ss_run_control_emit_members (SsRunControl *control, const struct SsMember *members, int n_members,
                                  const struct SsRunResult *answer);
void ss_run_control_emit_answer (SsRunControl *control, const struct SsRunResult *answer);
void ss_run_control_emit_solved (SsRunControl *control, const struct SsNlpResult *solved);
void ss_run_control_log (SsRunControl *control, SsLogLevel level, const char *format, ...) SS_PRINTF (3, 4);

/* Clocks, in seconds. */
double ss_clock_wall (void);        /* monotonic                */
double ss_clock_thread_cpu (void);  /* CPU time of this thread  */
double ss_clock_process_cpu (void); /* CPU time of the process  */
