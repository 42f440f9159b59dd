/* engine/plan/ss-polish-tell.h: what is told of a smooth problem of a polish while it is solved: every tenth iteration
 * is a row of the run's progress. Must not move after its init. Threads: as for SsRunControl. Tests:
 * tests/numeric/test-exact-finish.c */
#pragma once

#include "core/ss-relay.h"

typedef struct {
  SsSilence silence;   /* `inner` is the control of the problem's solver */
  SsProgressFunc pass; /* of the silence */
  int problem;         /* its number, from 1 */
  int n_before;        /* iterations of the problems before */
} SsPolishTelling;

/* `outer` may be NULL; not `tells`: nobody is told. */
void ss_polish_telling_init (SsPolishTelling *telling, SsRunControl *outer, bool tells, int problem, int n_before);
