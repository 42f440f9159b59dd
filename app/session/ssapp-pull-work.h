/* app/session/ssapp-pull-work.h: the thread of a pull (session/ssapp-pulling.h), which answers wishes until it is
 * over. */
#pragma once

#include "app/session/ssapp-fit-ask.h"
#include "fit/ss-pull.h"

G_BEGIN_DECLS

/* Filled by whom it tells; counted. */
typedef struct {
  gatomicrefcount refs;
  gpointer owner;      /* main thread's; NULL: nobody waits */
  GSourceFunc told;    /* called in the main thread with the work, of which it drops a reference */
  SsappFitAsk ask;     /* scene, method, options, and what may change; read only by the thread */
  int n_axes;          /* 2 of a body, else 1 */
  char *formulas[2];   /* of x and y of the body, of what else is pulled */
  double t_end, at[2]; /* NaN: the scenario's; where it was */
  double tolerance;
  SsRunControl control, thorough; /* of all, of the search that a newer wish ends */
  GMutex mutex;
  GCond cond;
  gboolean is_over, has_wish; /* under the mutex, as all below */
  double wish[2];
  int n_wishes, n_answered; /* told, and up to which they are answered */
  SsPull answer;            /* newest that was not taken; has_answer */
  SsReach band;
  gboolean has_answer, has_band, is_posted, is_thorough;
  int axis; /* that is followed with one number; -1: both */
} SsappPullWork;

/* One more who has it; any thread. */
SsappPullWork *ssapp_pull_work_ref (SsappPullWork *work);
/* The last one frees it; any thread. */
void ssapp_pull_work_unref (SsappPullWork *work);
/* The thread holds a reference until is_over is set and cond signalled. */
void ssapp_pull_work_start (SsappPullWork *work);

G_END_DECLS
