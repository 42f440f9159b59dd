/* engine/nlp/ss-best-point.h: the best feasible point that a method has published while it solves, kept for the case
 * that
 * it is ended before it is done, or ends without success: its last point may be another one, dearer or no point of the
 * problem at all.
 *
 * Feasible and best by the method's own columns (violation, complementarity, objective); whoever takes the point judges
 * it. The starting point does not count: doing nothing may well obey every row.
 *
 * Threads: that of the solver. Tests: tests/numeric/test-race.c
 */
#pragma once

#include "core/ss-run-control.h"

typedef struct {
  double *x; /* owned; n numbers                */
  int n;
  int iteration;    /* of the point; -1: none yet      */
  double objective; /* of the point                    */
  /* the newest row of the table, and who hears of all */
  double feasible, now_objective, now_violation;
  int now_iteration;
  SsRunControl *control;
  SsProgressFunc progress;
  void *user_data;
} SsBestPoint;

/* From here to the end the control's progress is that of `best`, which must not move. `feasible`: violations and
 * products below it are none. SS_ERR_MEMORY: then there is nothing to end. */
SS_NODISCARD SsStatus ss_best_point_begin (SsBestPoint *best, int n, double feasible, SsRunControl *control,
                                           SsError *err);
/* The control is as before; the point stays until it is cleared. */
void ss_best_point_end (SsBestPoint *best);
void ss_best_point_clear (SsBestPoint *best); /* a zeroed one is allowed */
