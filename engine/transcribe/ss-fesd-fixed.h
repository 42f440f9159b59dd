/* engine/transcribe/ss-fesd-fixed.h: plans by fesd-j whose mode sequence is fixed: a smooth problem, and the sequences
 * that it starts from.
 *
 * With SsFesdOptions.sequence the transcription fesd-j (ss-fesd-j.h) writes no pairs. Points are elements, intervals
 * have as many as the sequence says; Radau IIA with the option's stages. What differs from ss-fesd-j.h:
 *
 * Contact    an open gap has no force and phi >= 0 at the stages; a closed one n'v = 0 there (index 2: velocities and
 *            forces have the orders 2 s - 1 and s, with phi = 0 at the stages they would have s and s - 1; phi = 0
 *            where it closes, and what it drifts is of the order of the scheme), lambda_n >= 0. Stick: t'v = 0 and the
 *            cone;
 *            slip: lambda_t = -+ mu lambda_n and the sign of t'v. cone-margin=c: what sticks, in time or in a jump,
 *            keeps
 *            |lambda_t| <= (1 - c) mu lambda_n, but in an element at whose end it breaks loose.
 * Switches   a gap that closes: phi = 0 at the left point and Newton's law there; that opens within an interval:
 *            lambda_n = 0 at the end before; that breaks loose: the cone's edge there; that stops: t'v = 0 at the left
 *            point. A gap that opens or breaks loose where an interval ends or velocities jump needs no equation: the
 *            force jumps there. An inequality that an equation makes zero is left out.
 * Lengths    of segments are free, each at least SS_FESD_SHORTEST of a mean interval; their elements keep their shares.
 * Redundant  rows of contact that depend on others at the guess are left out, tangential ones first; the force that no
 *            row determines costs 1e-6 / N2 of its square, which is no part of the objective.
 *            A slip that stops with others is one row. Targets that contacts closed at the end say already (velocities
 *            along their normals and where they stick, poses along their normals) are tracked without a row.
 * Near       SsFesdOptions.near adds a penalty on the distance from the sequence.
 * Task       path constraints and bounds hold at every stage.
 * Tests      tests/numeric/test-polish.c
 */
#pragma once

#include "simulate/ss-simulate.h"
#include "transcribe/ss-fesd-j.h"

/* Of a mean interval: a segment as short is about to vanish. */
#define SS_FESD_SHORTEST 3e-2

/* All of these read with the gaps and numbers of the source's plan; `options` are those of the transcription fesd-j.
 * SS_ERR_INVALID names what cannot be read. *out is owned by the caller, NULL after an error. */

/* From an iterate x of the model that these options make (their `sequence` is NULL). A gap is closed in an element
 * where its forces would move the lighter body farther in the element than the gap is wide; it sticks where its forces
 * are farther from the cone, by that measure, than its slip is from zero. */
SS_NODISCARD SsStatus ss_fesd_sequence_from_iterate (const SsScenario *source, const SsTranscribeOptions *options,
                                                     const double *x, SsFesdSequence **out, SsError *err);
/* From a motion with stages that the integrator fesd-j gave under controls that are constant in each interval
 * (controls[n_intervals * n_actuators]); forces of open gaps are exactly 0 in it. */
SS_NODISCARD SsStatus ss_fesd_sequence_from_motion (const SsScenario *source, const SsTranscribeOptions *options,
                                                    const SsTrajectory *motion, const SsTrajectory *stages,
                                                    const double *controls, SsFesdSequence **out, SsError *err);
/* From a plan in time steps, one interval a step: a contact is closed in a step that gives it a force, and sticks where
 * that is within the cone. A gap closes when it would at the speed that it has where the step begins, and what else
 * changes in that step changes with it; slip ends within a step, in the part of it that is left of the slip; gaps open
 * and contacts break loose where a step begins, as controls jump there. Restitution is not known to time stepping: its
 * impacts are taken as they are. `options`: their elements and scheme do not count. */
SS_NODISCARD SsStatus ss_fesd_sequence_from_steps (const SsScenario *source, const SsTranscribeOptions *options,
                                                   const SsTrajectory *motion, SsFesdSequence **out, SsError *err);
/* Channel of a plan that is a motion by the integrator fesd-j: the length of its steps [s], at which it is replayed. */
#define SS_FESD_STEP_CHANNEL "exact.step"
/* The sequence of `options` with lengths, controls and motion of an iterate of its model. */
SS_NODISCARD SsStatus ss_fesd_sequence_from_fixed (const SsScenario *source, const SsTranscribeOptions *options,
                                                   const double *x, SsFesdSequence **out, SsError *err);
