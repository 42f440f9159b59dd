/* app/job/ssapp-solve.h: a job while it is solved, for ssapp-runner.c: what the solver's thread and the main thread
 * share, behind one mutex: a queue of events, the newest iterate, the frames so far, and at the end the result. The
 * solver's thread wakes the main thread through a source's ready time. */
#pragma once

#include "app/job/ssapp-elsewhere.h"
#include "app/job/ssapp-own.h"
#include "app/job/ssapp-runner.h"

G_BEGIN_DECLS

typedef struct {
  SsappEventKind kind; /* ITERATION, KEPT, LOG */
  double t;
  int iteration, n;
  SsColumn *columns;
  double *x;
  SsLogLevel level;
  char *text;
} SsappSolveItem;

typedef struct {
  /* Constant while the thread runs. */
  SsappJobSpec *spec;
  SsSolveCache *cache;
  GSource *wake;
  double start, waited_before; /* wall clock; what its process had waited for a processor then [s] */
  SsRunControl control;        /* atomics, and the solver's own */
  SsElsewhere elsewhere;

  GMutex mutex; /* guards all below */
  GPtrArray *queue;
  double *latest;
  int latest_n, latest_iteration;
  gboolean latest_is_new;
  SsTrajectory *frames; /* of every frames_every-th frame, frames_last: the number of the newest one */
  int frames_every, n_frames, frames_last;
  gboolean frames_are_new;
  json_t *race; /* newest members of a race; NULL: none */
  gboolean race_is_new;
  /* of a race: its best answer so far, as the result if the run ended now; NULL: none */
  SsTrajectory *best;
  json_t *best_result;
  gboolean best_is_new;
  double waited; /* for a processor, also of threads that have ended: at the last look; 0: none [s] */
  /* of the solver's thread, at the first and, but for a millisecond, at the last iterate or frame; when that was read
   * by the clock on the wall [s] */
  double first_cpu, last_cpu, cpu_looked;
  SsScenario *scenario; /* set once; then constant */
  /* of a replay: what its plan was made for, where that is another world, NULL: the same; and what is moved */
  SsScenario *believed;
  SsDisturbance *disturbances;
  SsEventList *past_events;    /* of what a simulation goes on from; NULL: not known, or it goes on from nothing */
  char **sensitivity;          /* NULL-terminated names; NULL: no derivatives are wanted */
  void *transcription_options; /* of ss_transcription_option_table */
  SsTranscribeOptions transcription;
  /* OPTIMISER: what the solver works on; the scenario, or its plan's, which the cache owns; else NULL */
  const SsScenario *model;
  const SsMethod *method;
  void *options;
  SsappOwnRun *own; /* of a method of the user's own; NULL: it is ours */
  /* IMPACT_LAW: a file of numbers and its configuration, in the place of the scenario; NULL: it is a scene */
  SsImpactFile *file;
  SsImpact *impact;
  double *state;        /* IMPACT_LAW: q, v at the impact, 3 n_bodies each; NULL: the scene's own */
  json_t *impact_parts; /* IMPACT_LAW: what its result says besides; set with is_done */
  gboolean is_done;
  SsStatus status;
  SsError error;
  SsProblems problems;
  SsRunResult result;
  double reading_seconds;
} SsappSolve;

/* With all that it owns; NULL is allowed. */
void ssapp_solve_item_free (SsappSolveItem *item);
/* Of the job once its thread has ended. */
void ssapp_solve_free (SsappSolve *shared);
/* The solver's thread: reads, prepares, solves; takes SsappSolve *, returns NULL. */
gpointer ssapp_solve_thread (gpointer user_data);
/* The engine's listener, in the solver's thread; takes SsappSolve *. */
void ssapp_solve_on_progress (void *user_data, const SsProgress *progress);
/* A new event at the end of the queue; under the mutex. Borrowed. */
SsappSolveItem *ssapp_solve_push (SsappSolve *shared, SsappEventKind kind, int iteration);
/* The main thread looks at the queue soon. */
void ssapp_solve_wake (SsappSolve *shared);
/* Of the scenario; its file's, where that has no name. Borrowed. */
const char *ssapp_solve_name (const SsappSolve *shared);
/* The result's object as it is told: without samples. New reference. */
json_t *ssapp_solve_result (const SsappSolve *shared, const SsRunResult *result);
/* Every n-th time and the last one, of rows with equal times the first and the last, so that a jump stays one; takes
 * and returns a trajectory. */
SsTrajectory *ssapp_solve_thin (SsTrajectory *motion);
/* How long the run has waited for a processor [s], with its family where `takes_family`; NaN: not known. Any thread. */
double ssapp_solve_waited (SsappSolve *shared, gboolean takes_family);
/* What the machine did beside: metrics `waited_seconds` and `machine_load`. */
void ssapp_solve_note_machine (SsappSolve *shared, SsMetricSet *metrics);
SsappEnd ssapp_end_of_status (SsStatus status);
SsappEnd ssapp_end_of_outcome (SsOutcome outcome);

G_END_DECLS
