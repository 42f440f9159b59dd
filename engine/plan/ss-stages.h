/* engine/plan/ss-stages.h: motions of a scene that come near the goal of its plan in stages of contact: which hand
 * works on which body, from which face, how far, one after the other. Private to the room `plan`.
 *
 * Best-first search (Hart, Nilsson, Raphael 1968) over sequences of stages (ss-stages-skill.h), each played in the
 * plan's own steps by its own law (ss-stages-play.h), so that the whole motion is one of the plan but for what it
 * misses at the end. A state is all coordinates and velocities after a stage, the step that it reached, and the stages
 * before. It costs what the bodies with targets are away from them [m], seen from above round what is fixed, an
 * angle by the body's size, a little later, plus a little for the time that it took. Of every stage some are tried:
 * as the scene suggests, corrected twice by what came of it, then drawn. States that are nearly the same are one.
 *
 * Threads: any. Tests: tests/numeric/test-contact-stages.c
 */
#pragma once

#include "plan/ss-sampled-motion.h"

/* Whether there is something to move with, and something with a target that it may move. */
bool ss_stages_fit (const SsScenario *scenario);
/* As ss_sample_motion; out->cost is the square of the part of the start's cost that is left; a trajectory of NULL: no
 * sequence came nearer than the start. */
SS_NODISCARD SsStatus ss_stages_motion (const SsScenario *scenario, uint64_t seed, const SsSampleJudge *judge,
                                        SsRunControl *control, SsSampledMotion *out, SsError *err);
