/* engine/core/ss-stage-rows.h: rows of a motion that are stages within its steps.
 *
 * Methods that solve for stages of a Runge-Kutta scheme can keep a row for each of them. Channels `step` (number of the
 * step that the row lies in or ends; 0 at the start), `stage` (k: the row is stage k of its element, and beside the
 * rows that the motion has anyway; 0: one of these) and `stages` (of an element, by the scheme). An element ends with a
 * row of stage 0; where the scheme's last stage is that end (Radau IIA, Lobatto IIIC) it has no row beside it. Nor has
 * a stage at its element's begin (the first of Lobatto IIIC): the last row of a time is one that the motion has anyway.
 * While time stands (numerical time goes on) no stages are kept, and rows are of no element. A step has one element or
 * more. Without these channels no row is a stage.
 *
 * Tests: tests/numeric/test-stage-rows.c
 */
#pragma once

#include "core/ss-trajectory.h"

/* Where a row lies. */
typedef struct {
  int step;                /* 0: the start of the motion */
  int element, n_elements; /* of the step, from 1; 0: the row is none of an element: a jump's, or the start */
  int stage, n_stages;     /* of the element, from 1; stage 0: its end, where the scheme has no stage there */
} SsStagePlace;

bool ss_stage_rows_has (const SsTrajectory *motion); /* whether it has these channels */
int
ss_stage_rows_channel (const SsTrajectory *motion); /* `stage`, to be looked up once for all rows; -1: it has none */
/* Whether the row is one; `stage`: the channel, or -1. */
bool ss_stage_rows_is_one (const SsTrajectory *motion, int stage, int row);
/* false: the motion has no such channels, and *place is zeroed. */
bool ss_stage_rows_place (const SsTrajectory *motion, int row, SsStagePlace *place);
/* The row of a step, no stage's, after this one; -1: there is none. */
int ss_stage_rows_next_step (const SsTrajectory *motion, int stage, int row);
/* Puts `rows` (the channels of `motion`) into it: rows[i] before the row that channel `row` of stages[i] says, which
 * ends its element. What lies at an end of its element is left out. A clock beside the time is kept from running
 * backwards. A stage gets the residual of the contact law of that row. SS_ERR_MEMORY: the motion is as it was.
 */
SS_NODISCARD SsStatus ss_stage_rows_insert (SsTrajectory *motion, const SsTrajectory *rows, const SsTrajectory *stages,
                                            SsError *err);
/* A copy without rows of stages. On failure *out is NULL. */
SS_NODISCARD SsStatus ss_stage_rows_leave_out (const SsTrajectory *motion, SsTrajectory **out, SsError *err);
