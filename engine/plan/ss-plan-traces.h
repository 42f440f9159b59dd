/* engine/plan/ss-plan-traces.h: the convergence table of a run that solves more than one problem after another: the
 * method's own, then polishes from each start. Private to the room `plan`.
 *
 * Rows of the first problem pass as they are. Those of a polish (ss-polish.h: one a smooth problem, numbered by the
 * iterations so far, "problem" 1 where another polish begins) go on counting where the row before them stopped, and
 * have the column "polish": 1 for the first one, 2 for the next.
 */
#pragma once

#include "core/ss-run-control.h"

typedef struct {
  SsRunControl *control; /* NULL: nobody listens */
  SsProgressFunc progress;
  void *user_data;
  bool is_leading; /* before the method: rows are not told */
  bool is_polishing;
  bool is_within; /* the last row was one of a first problem that is not over */
  int polish;
  int base, last; /* iterations before this polish, and of the newest row, as it was told */
} SsPlanTraces;

/* Between begin and end the control's progress is that of `traces`, which must not move; `control` may be NULL. */
void ss_plan_traces_begin (SsPlanTraces *traces, SsRunControl *control);
/* The method has ended: rows are of polishes from now on. */
void ss_plan_traces_polish (SsPlanTraces *traces);
void ss_plan_traces_end (SsPlanTraces *traces);
