/* app/job/ssapp-runner.h: one job in this process: the solver in a thread of its own, its events on the main context.
 *
 * Behind the worker and behind the command line's own runs. The main thread never waits for the solver: a cancel is
 * answered within SSAPP_RUNNER_GRACE_MS (of impact laws: SSAPP_RUNNER_SAMPLES_GRACE_MS, since samples are a large
 * answer) even when the solver is inside a factorisation; then the result is made of the last published iterate and the
 * thread is left behind ("abandoned"); the program should end soon, or wait with the next job until
 * ssapp_runner_is_busy is false. Threads: all functions on the thread of the main context the runner was made on.
 */
#pragma once

#include <glib.h>
#include <jansson.h>

#include "app/base/ssapp-capture.h"
#include "app/job/ssapp-replay-ask.h"
#include "app/job/ssapp-state.h"
#include "run/ss-run.h"

G_BEGIN_DECLS

/* What a cancelled solver gets to come back by itself; the rest of 200 ms is for metrics and output. */
enum { SSAPP_RUNNER_GRACE_MS = 60, SSAPP_RUNNER_SAMPLES_GRACE_MS = 140 };

/* What to run. All owned. */
typedef struct {
  char *id;
  SsMethodKind kind; /* of the method */
  /* IMPACT_LAW: the text may be a file of numbers; once the job has started, it is that of the state at the impact */
  char *scenario_text, *scenario_file;
  char *method;
  GPtrArray *option_names, *option_values; /* of char *, same length                             */
  GPtrArray *parameter_names;              /* of char *                                                      */
  GArray *parameter_values;                /* of double, same length                                         */
  guint64 seed;
  gboolean has_seed;     /* also sets the parameter `seed` of scenarios that have one      */
  double dt, t_end;      /* NaN: the scenario's                                            */
  double seconds, bytes; /* limits, of time and of the process's address space; NaN: none  */
  double cpu_seconds;    /* limit of CPU time, of all its threads and processes; NaN: none */
  double work;           /* limit of counted work (core/ss-work.h); NaN: none              */
  double ways_on;        /* OPTIMISER: counted work for ways on after a failure [s]; NaN: none */
  double bound;          /* OPTIMISER: CPU time for a lower bound after a model's answer [s]; NaN: none */
  SsTrajectory *plan;    /* INTEGRATOR: a replay of its controls; NULL: none               */
  char *replay_of;       /* run the plan comes from; NULL: none, or no run                 */
  SsappReplayAsk replay; /* with `plan`                                                    */
  /* OPTIMISER: a motion to start from; INTEGRATOR: one that it goes on from; IMPACT_LAW: one that has the state at the
   * impact; NULL: none */
  SsTrajectory *start;
  json_t *start_events;     /* INTEGRATOR: what happened in `start`, as a result lists it; NULL: not known */
  int start_every;          /* between how many steps `start` has rows; 0, 1: of all                       */
  char *start_from;         /* run it comes from; NULL: none, or no run                       */
  SsappContinued continued; /* with `start`, the run of which it goes on from; zeroed: from none */
  int pause_at;             /* OPTIMISER: iteration at which it ends as paused; -1: nowhere   */
  GPtrArray *outcomes;      /* of char *, "NAME=FORMULA": what is asked beside the scenario's own (ssapp-interests.h) */
  char *sensitivity;        /* numbers with commas by which derivatives are followed; NULL: none */
  int keep_every;           /* kept iterates: 0 none, n every n-th                            */
  int every;                /* INTEGRATOR: rows of every so many steps are kept; 0, 1: of all */
  /* INTEGRATOR: is told of the steps' contact problems in the solver's thread; borrowed; NULL: nobody */
  const struct SsContactWatch *contacts;
  /* Owned; with `every`: outcomes are asked of all rows (ssapp-interests-seen.h). NULL: of the motion */
  struct SsappInterestsSeen *seen;
  double at;         /* IMPACT_LAW: time of `start` [s]; NaN: its end                  */
  double touching;   /* IMPACT_LAW: of a scene [m]; 0: the engine's default            */
  double tolerance;  /* IMPACT_LAW: speeds below it are 0 where modes are named [m/s]  */
  GPtrArray *planes; /* IMPACT_LAW: of char *, planes whose hulls are asked for        */
} SsappJobSpec;

SsappJobSpec *ssapp_job_spec_new (void); /* random id, no limits */
/* With all that it owns; NULL is allowed. */
void ssapp_job_spec_free (SsappJobSpec *spec);
/* From a job line's object; NULL and a message when something in it is wrong. */
SsappJobSpec *ssapp_job_spec_from_json (const json_t *job, char **message);
char *ssapp_job_spec_options_json (const SsappJobSpec *spec);    /* g_free */
char *ssapp_job_spec_parameters_json (const SsappJobSpec *spec); /* g_free */

typedef enum {
  SSAPP_EVENT_START,     /* the scenario was read                                             */
  SSAPP_EVENT_ITERATION, /* a row of the convergence table                                    */
  SSAPP_EVENT_ITERATE,   /* newest point as a motion, at most 30 a second                     */
  SSAPP_EVENT_FRAME,     /* newest row of a simulation, at most 60 a second                   */
  SSAPP_EVENT_KEPT,      /* an iterate to keep                                                */
  SSAPP_EVENT_LOG,
  SSAPP_EVENT_RACE,   /* where the members of a race are, at most some ten a second     */
  SSAPP_EVENT_ANSWER, /* a race's best answer so far: the result if the run ended now    */
  SSAPP_EVENT_RESULT  /* always the last                                                   */
} SsappEventKind;

/* How a job ended, for exit statuses. */
typedef enum {
  SSAPP_END_SUCCESS,    /* solved, completed                       */
  SSAPP_END_NO_SUCCESS, /* the method ended otherwise              */
  SSAPP_END_BAD_INPUT,  /* scenario, method, options               */
  SSAPP_END_STOPPED,    /* cancelled, time limit                   */
  SSAPP_END_BROKEN      /* out of memory, something that should not have happened */
} SsappEnd;

typedef struct {
  SsappEventKind kind;
  double t;                /* seconds since the job's start                                          */
  int iteration;           /* ITERATION, ITERATE, KEPT; FRAME: index of the row                      */
  const SsColumn *columns; /* ITERATION                                                              */
  int n_columns;
  /* ITERATE, KEPT, ANSWER; FRAME: all rows so far; RESULT: the answer, may be NULL */
  const SsTrajectory *trajectory;
  SsLogLevel level;           /* LOG                                                                    */
  const char *text;           /* LOG                                                                    */
  const SsScenario *scenario; /* START; RESULT: NULL when it could not be read, and of a file of numbers */
  const char *scenario_name;  /* START                                                                  */
  const SsMethod *method;     /* START                                                                  */
  const json_t *race;         /* RACE: see ssapp-race.h; borrowed */
  json_t *result;             /* RESULT, ANSWER: the object of the command line; borrowed               */
  const SsRunResult *record;  /* RESULT: its samples and motions; NULL: it was ended from outside       */
  SsappEnd end;               /* RESULT                                                                 */
  const SsProblems *problems; /* RESULT: what is wrong with the scenario or the options; may be NULL    */
} SsappEvent;

typedef struct SsappRunner SsappRunner;
typedef void (*SsappEventFunc) (SsappRunner *runner, const SsappJobSpec *spec, const SsappEvent *event,
                                gpointer user_data);

/* Idle. `func` is called from the main context of the thread that starts a job. Release with ssapp_runner_free. */
SsappRunner *ssapp_runner_new (SsappEventFunc func, gpointer user_data);
void ssapp_runner_free (SsappRunner *runner); /* not while busy */
/* Takes `spec`. The runner must be idle. */
void ssapp_runner_start (SsappRunner *runner, SsappJobSpec *spec);
/* Borrowed until it is set to NULL: emptied before a result leaves, so that what libraries print comes before it. */
void ssapp_runner_set_capture (SsappRunner *runner, SsappCapture *capture);
gboolean ssapp_runner_is_running (SsappRunner *runner); /* a result is still to come                      */
gboolean ssapp_runner_is_busy (SsappRunner *runner);    /* the solver's thread is still there             */
void ssapp_runner_cancel (SsappRunner *runner);
/* Holds the job where it is, with all that its method knows, or lets it go on; neither costs CPU time, nor time of its
 * limits. */
void ssapp_runner_pause (SsappRunner *runner, gboolean paused);
/* Ends the job at the iterate where it is, as paused: its result has what the method needs to go on from there. */
void ssapp_runner_keep (SsappRunner *runner);
/* Ends one member of a race by its name; nothing where there is none. */
void ssapp_runner_stop_member (SsappRunner *runner, const char *member);
void ssapp_runner_log (SsappRunner *runner, SsLogLevel level, const char *text); /* an event of the running job  */

G_END_DECLS
