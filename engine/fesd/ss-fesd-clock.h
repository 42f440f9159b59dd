/* engine/fesd/ss-fesd-clock.h: the clock of impulse of paper 002, section 4.3, over the steps of an integrator:
 *
 *     ds = (1 + sum over the contacts of lambda_n) dt,    in a jump  s+ = s- + sum Lambda_n
 *
 * so that an impact, which takes no time, takes as long as its impulse; 1 N s counts as 1 s, as there. It listens
 * between a step and its sink: stages give the integral with their weights, rows and events get their s.
 * Accuracy   at rows that of the stages' quadrature. An accumulation lies between two rows: the element over it ends
 *            the flights that are left, whose impulse belongs before the accumulation and the rest of its forces after
 *            it. So its s is that of the element's end less what the forces of rest add until there; those of the
 *            step's end are taken for them, exact where they are constant.
 * Contacts   of the scene; forces of joints at their limits do not count.
 */
#pragma once

#include "simulate/ss-step.h"

typedef struct {
  SsStepSink sink; /* to be given to the step */
  /* Sum of the contacts' normal forces at the step's end, asked for when the step has ended [N]. */
  double (*force) (void *owner);
  void *owner;
  /* private */
  const SsStepSink *to; /* nullable */
  int n_contacts;
  double t, s, grown; /* of the last row; growth over the stages since */
  int n_held, capacity;
  SsEvent *held; /* owned: events after the last row */
} SsFesdClock;

/* For so many contacts. `force` as above. */
void ss_fesd_clock_init (SsFesdClock *clock, int n_contacts, double (*force) (void *owner), void *owner);
/* Leaves it zeroed. */
void ss_fesd_clock_clear (SsFesdClock *clock);
/* Before a step from that state: state->tau is s. The clock must stay where it is during the step. */
void ss_fesd_clock_begin (SsFesdClock *clock, const SsStep *step, const SsSimState *state);
/* After it: tells what is still held, and sets state->tau; `t` is the step's end. SS_ERR_MEMORY: of the sink. */
SS_NODISCARD SsStatus ss_fesd_clock_end (SsFesdClock *clock, double t, SsSimState *state, SsError *err);
