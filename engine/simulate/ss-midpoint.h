/* engine/simulate/ss-midpoint.h: the step that plans with law=midpoint have (transcribe/ss-transcribe.h, the law with
 * law=midpoint, whose letters are used), from numbers.
 *
 * The way, with velocities w: fixed points of gaps and joints linearised where the way ended before, with directions of
 * joints at the start, of contacts at the end, and forces at the middle; a round gains the turn of a step. Then what
 * holds at the end is one problem of contact/ss-contact-problem.h. Inelastic; all forces by their formulas. Tests:
 * tests/numeric/test-plan-law.c
 */
#pragma once

#include "simulate/ss-rattle.h"
#include "simulate/ss-stepper-private.h"

typedef struct {
  SsStepper *base;    /* borrowed */
  SsRattle *rattle;   /* borrowed: keeps what acted on the way */
  int rounds;         /* at most: one that needs more ends with a residual */
  double *v_free, *f; /* work, 3 n_bodies each, as are those below */
  double *v, *v_before, *q;
} SsMidpoint;

/* As SsIntegratorClass.step. */
SS_NODISCARD SsStatus ss_midpoint_step (const SsMidpoint *midpoint, const SsStep *step, SsSimState *state,
                                        SsStepInfo *info, SsError *err);
