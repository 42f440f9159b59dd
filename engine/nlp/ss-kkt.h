/* engine/nlp/ss-kkt.h: the pattern of [H, J'; J, D]: Hessian of the Lagrangian, Jacobian of rows, a whole diagonal.
 *
 * Columns  variables, then the rows that are taken; lower triangle by columns, as SsLdl takes it.
 * Threads  any. Tests: tests/numeric/test-finish.c
 */
#pragma once

#include "mpcc/ss-mpcc.h"

typedef struct {
  SsPattern pattern;
  int size;                        /* variables and rows that are taken */
  int *h_slot, *j_slot, *diagonal; /* places in the values: of the Hessian's, the Jacobian's (-1: none), 0..size-1 */
} SsKkt;

/* `own`: place of each of the problem's rows among the n_own that are taken, -1: none; NULL: all, as they stand. On
 * failure, too, for ss_kkt_clear. */
SS_NODISCARD SsStatus ss_kkt_make (const SsMpcc *mpcc, const int *own, int n_own, SsKkt *kkt, SsError *err);
/* An empty one is allowed. */
void ss_kkt_clear (SsKkt *kkt);
