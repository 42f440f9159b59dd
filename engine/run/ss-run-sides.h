/* engine/run/ss-run-sides.h: one-sided derivatives of a motion, where it is no differentiable function of a number, or
 * the number is at an end of its range.
 *
 * With a little more of the number the motion has a sequence of events of its own, by which it is differentiable, and
 * with a little less another one. For f = 1e-3 of the number the simulation is made at distances f, 2 f and 4 f to one
 * side, each with its derivative D there (simulate/ss-sensitivity.h), and both state and derivative are extrapolated to
 * the number itself:
 *
 *     D (0+) = (8 D (f) - 6 D (2 f) + D (4 f)) / 3,   off by 4/3 f^3 D''', some 1e-9 of it.
 *
 * None     where the extrapolated end is not that of the motion, to 1e-6 of it (JUMP), or where the extrapolation with
 *          two of the three differs by more than 1e-3 (UNBOUNDED, as where a grazing impact has a speed that is the
 *          square root of the distance); see SS_SENSITIVITY_SIDE_LIST.
 * An end   of a range: its only side is told for the number, at all steps, and for the times of events where all of
 *          the runs have the same.
 * Threads: one at a time. Tests: tests/numeric/test-sensitivity-sides.c
 */
#pragma once

#include "run/ss-run-sensitivity.h"
#include "run/ss-run-simulate.h"

/* Adds to result->sensitivity what is known of one side, and of both where the job wants sides; its motion and events
 * are those of the run, dt and t_end [s] too. Nothing more once `control` (nullable) says stop. SS_ERR_MEMORY. */
SS_NODISCARD SsStatus ss_run_sides (const SsSimulateJob *job, double dt, double t_end,
                                    const SsSensitivityInputs *inputs, SsRunResult *result, SsRunControl *control,
                                    SsError *err);
