/* engine/simulate/ss-fork.h: what an integrator gives whose steps may go on in several ways, each with its share.
 *
 * A fork is an instant of a step at which one of several draws goes on. The step takes the first; whoever drives it may
 * put the integrator back to the step's start and take the step again with another. Draws have numbers that mean the
 * same whenever the step is taken again from that start. Who drives: simulate/ss-fan.h.
 */
#pragma once

#include "core/ss-core.h"

typedef struct {
  double t;      /* [s] */
  long instant;  /* number of the instant in the motion, which names it to choose */
  int n_ways;    /* >= 1; the first one was taken */
  long *draws;   /* n_ways: numbers of draws, ascending */
  double *share; /* n_ways, sum 1 */
  bool is_cut;   /* more draws were wanted than there is room for */
} SsFork;

typedef struct {
  long instant, draw;
} SsForkChoice;

typedef struct {
  /* Motions at most with these options; 1: no step forks. */
  int (*most) (const void *options);
  /* What the integrator carries from step to step, into *memory: NULL, or one of an earlier call to be used again.
   * SS_ERR_MEMORY. */
  SsStatus (*keep) (void *integrator, void **memory, SsError *err);
  /* The integrator goes on from there. */
  void (*put_back) (void *integrator, void *memory);
  void (*forget) (void *memory); /* NULL is allowed */
  /* For the next step: these draws at these instants, and room for so many more motions. The choices are borrowed until
   * the step has ended. */
  void (*choose) (void *integrator, const SsForkChoice *choices, int n, int room);
  /* Forks of the last step, in the order of time, without those that were chosen; borrowed until the next step. */
  const SsFork *(*forks) (void *integrator, int *n);
} SsForkClass;
