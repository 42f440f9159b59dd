/* app/study/ssapp-study-queue.h: runs the tasks of a stored study, several at a time, each in a process of its own.
 *
 * The order is that of the tasks. What is in the project with a result is not run again; a run whose program ended is
 * made anew, so that a study goes on after it was stopped, killed or paused. A solver that crashes ends its run only.
 * Threads: that of the store, with a main loop. Tests: tests/cli/test-sweep.sh
 */
#pragma once

#include "app/store/ssapp-store.h"
#include "app/study/ssapp-study.h"

G_BEGIN_DECLS

#define SSAPP_TYPE_STUDY_QUEUE (ssapp_study_queue_get_type ())
G_DECLARE_FINAL_TYPE (SsappStudyQueue, ssapp_study_queue, SSAPP, STUDY_QUEUE, GObject)

/* Of a study in the project, by its id. Signals "changed" (): counts or runs changed; "run-ended" (guint task, gpointer
 * SsappJob*): a run that it made ended; "ended" (): nothing runs or waits any more, or it was stopped. */
SsappStudyQueue *ssapp_study_queue_new (SsappStore *store, const char *study_id, GError **error);
void ssapp_study_queue_start (SsappStudyQueue *self);
/* No new run begins while it is paused; those that run go on. */
void ssapp_study_queue_set_paused (SsappStudyQueue *self, gboolean is_paused);
gboolean ssapp_study_queue_is_paused (SsappStudyQueue *self);
/* Ends what runs too; a later start goes on. */
void ssapp_study_queue_stop (SsappStudyQueue *self);
gboolean ssapp_study_queue_is_running (SsappStudyQueue *self);
/* Why it paused by itself, such as a full disk; NULL: it did not. Going on forgets it. Borrowed. */
const char *ssapp_study_queue_get_trouble (SsappStudyQueue *self);
/* The study as it was when the queue was made; borrowed. */
const SsappStudyPlan *ssapp_study_queue_get_plan (SsappStudyQueue *self);
/* How many run at once, in the place of what the study says; 0: as many as cores. */
void ssapp_study_queue_set_workers (SsappStudyQueue *self, guint workers);

typedef struct {
  guint n_tasks, n_queued, n_running, n_solved, n_unsolved;
  guint n_limited, n_failed, n_slow; /* of n_unsolved; n_slow: the machine was too slow */
  guint n_elsewhere;                 /* of n_running: by another program */
  double seconds_left;               /* estimate; NaN: not known yet */
  double elapsed;                    /* [s] since the start */
} SsappStudyProgress;
/* How far it is. */
void ssapp_study_queue_get_progress (SsappStudyQueue *self, SsappStudyProgress *progress);

/* A run that goes on. */
typedef struct {
  guint task;
  char *words;    /* "Ipopt, mu 0.8, j 2" */
  double seconds; /* since it began */
} SsappStudyRunning;
/* Of SsappStudyRunning, by task; clear function set. */
GArray *ssapp_study_queue_list_running (SsappStudyQueue *self);

G_END_DECLS
