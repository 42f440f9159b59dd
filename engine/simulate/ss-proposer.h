/* engine/simulate/ss-proposer.h: whom an integrator that follows contact modes asks where no modes that it knows go on.
 *
 * A proposal is a motion just after an instant, given by states; the integrator reads contact modes from them by its
 * own points of contact, solves its own equations in these modes and verifies the answer as every other: nothing of a
 * proposal is believed. Tests: tests/numeric/test-step-homotopy.c
 */
#pragma once

#include "contact/ss-step-state.h"
#include "core/ss-core.h"

/* n states in the order of time, in constant modes, the given state not among them. Borrowed until the next proposal is
 * asked for. */
typedef struct {
  int n;               /* 0: nothing is proposed */
  const double *q, *v; /* n x 3 n_bodies each */
} SsProposal;

typedef struct {
  void *owner; /* first argument of both; one thread at a time: the step's */
  /* Of `state`, t, q, v and the contacts' gaps are read; controls: n_actuators, as they act at that time, may be NULL
   * without actuators; length: how far the step shall still go [s]. SS_ERR_MEMORY alone; what cannot be solved is an
   * empty proposal. */
  SsStatus (*propose) (void *owner, const SsSimState *state, const double *controls, double length,
                       SsProposal *proposal, SsError *err);
  /* What became of a proposal of time t: an element in its modes was taken, or none obeys the equations. */
  void (*tell) (void *owner, double t, bool is_taken);
} SsProposer;
