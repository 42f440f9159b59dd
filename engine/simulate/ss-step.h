/* engine/simulate/ss-step.h: what a step of an integrator is given, and the sink through which it tells of its inside.
 *
 * A step goes from the time of the state to that time plus dt. Whoever drives it has the row of the state at its start
 * and makes the row of the state at its end itself; what happened between them the step may emit through the sink, in
 * the order of time:
 *
 * Rows     states of the motion within the step, its ends included: ends of finite elements, both sides of a jump. Two
 *          rows with equal t are a jump: the earlier one is the state before it, the later one the state after. A jump
 *          at the step's end is one row, before it; the state at the end comes after it. Times that miss the step's end
 *          by rounding are taken as the end.
 * Stages   states at the nodes of a quadrature between two rows, each with its weight [s]: over the stages between two
 *          rows, the sum of weight times force is the impulse of that force between them, and the sum of the weights is
 *          the time between them. For methods whose forces vary within a step; they serve the balance of momentum
 *          alone and are no rows of the motion: not drawn, not sampled, not exported. They come before the row that
 *          ends their interval. Their velocities serve the works of the forces. Where the motion shall have rows of
 *          them too (core/ss-stage-rows.h), they have all that a row has; tau is then the numerical time, or by
 *          how much the clock of impulse has grown since the element began.
 * Events   impacts, separations, changes of friction and limits whose times the method knows.
 *
 * Forces and impulses. In a row `lambda_n`, `lambda_t` are the forces at its time, on its side of a jump; `impulse_n`,
 * `impulse_t` are those of the jump that it ends, 0 in every other row. So between two rows of different times
 * M (v1 - v0) is the sum over the stages of weight times all forces, J' lambda with the J of the stage's pose among
 * them, and between two rows of one time J' impulse; the judge (judge/ss-motion.h) holds a method that gives stages to
 * that, and to the laws of contact at each stage and jump. Where a method changes velocities at an interval's end
 * without an event (a projection), the impulse of that belongs to the row after the change, as of a jump.
 *
 * A step that fails takes back what it emitted. An emit function that fails (SS_ERR_MEMORY) ends the step: it returns
 * that status with the state untouched. One thread: the step's. Tests: tests/numeric/test-steps.c
 */
#pragma once

#include "contact/ss-step-state.h"
#include "core/ss-run-control.h"
#include "simulate/ss-events.h"

/* Functions of whoever listens. The records are borrowed for the call; `state` has all its arrays. */
typedef struct {
  void *owner; /* first argument of all */
  SsStatus (*row) (void *owner, const SsSimState *state, SsError *err);
  SsStatus (*stage) (void *owner, const SsSimState *state, double weight, SsError *err);
  SsStatus (*event) (void *owner, const SsEvent *event, SsError *err);
} SsStepSink;

typedef struct {
  double dt; /* > 0 [s] */
  /* n_actuators [N] or [N m]: u over the whole step in the place of the actuators' formulas; NULL: the formulas */
  const double *controls;
  const SsStepSink *sink; /* NULL: nobody listens */
  /* A step that takes long asks it, and fails (SS_ERR_SINGULAR) where the run should end. NULL: nobody ends it. */
  SsRunControl *control;
} SsStep;

SS_NODISCARD static inline SsStatus
ss_step_emit_row (const SsStep *step, const SsSimState *state, SsError *err)
{
  return step->sink != NULL ? step->sink->row (step->sink->owner, state, err) : SS_OK;
}

/* Of `state`, the time, q, v and the contacts' lambda_n and lambda_t are read. */
SS_NODISCARD static inline SsStatus
ss_step_emit_stage (const SsStep *step, const SsSimState *state, double weight, SsError *err)
{
  return step->sink != NULL ? step->sink->stage (step->sink->owner, state, weight, err) : SS_OK;
}

/* `is_exact` is set by who listens. */
SS_NODISCARD static inline SsStatus
ss_step_emit_event (const SsStep *step, const SsEvent *event, SsError *err)
{
  return step->sink != NULL ? step->sink->event (step->sink->owner, event, err) : SS_OK;
}
