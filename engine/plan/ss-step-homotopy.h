/* engine/plan/ss-step-homotopy.h: modes for a step of fesd-j and event-driven whose own modes do not go on: what paper
 * 000 does in every step, done where marching fails.
 *
 * A proposal (simulate/ss-proposer.h) is the answer of a plan of one control interval that wants nothing, from the
 * present state over what is left of the step, by the transcription fesd-j in two elements, without impacts at its
 * start; controls are kept as they are at that instant. It is solved by the homotopy `scholtes`, and where that fails
 * by `crisp`; then both over a tenth of the length, where less happens. What is proposed are the states at the stages
 * of the first elements with equal modes.
 *
 * Bounds     20 proposals a run, counted work of 5 s a run and 2 s a proposal, 40 contacts that the bodies can reach
 * within
 *            the step. A stop of the run is asked for in every iteration. A run that comes near to the limits of CPU
 *            time may end otherwise on another machine: it fails on one and not on the other.
 * Left out   scenes with forces that read t: the plan's time begins at 0. What the transcription refuses.
 * Threads    one at a time. Tests: tests/numeric/test-step-homotopy.c
 */
#pragma once

#include "core/ss-run-control.h"
#include "scene/ss-scenario.h"
#include "simulate/ss-proposer.h"

typedef struct SsStepHomotopy SsStepHomotopy;

/* All is borrowed; `scene` is that of the run (the scenario's, or a replay's), control may be NULL. */
SS_NODISCARD SsStatus ss_step_homotopy_new (const SsScenario *scenario, const SsScene *scene, SsRunControl *control,
                                            SsStepHomotopy **out, SsError *err);
void ss_step_homotopy_free (SsStepHomotopy *homotopy); /* NULL is allowed */
/* Borrowed, as long as the homotopy. */
const SsProposer *ss_step_homotopy_proposer (const SsStepHomotopy *homotopy);
/* A sentence about what was asked and what became of it; "" if nobody asked. */
void ss_step_homotopy_account (const SsStepHomotopy *homotopy, char *text, size_t size);
