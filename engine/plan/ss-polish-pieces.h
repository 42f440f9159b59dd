/* engine/plan/ss-polish-pieces.h: a polished plan in pieces, so that the replay of its controls from the start follows
 * it to the end, however fast a small error grows.
 *
 * Why      Where errors grow by a factor of 1e7 in a part of the plan, no controls that are computed for the whole lead
 *          a simulation along it: rounding alone is as large as the plan after two or three such parts.
 * Method   The controls of the plan act from the start in the integrator of its law, in the steps of the judge's
 *          replay (solve/ss-run-replayed.h). At the end of a piece the rest of the plan, with the same modes and
 *          elements, is solved again from the state that this motion has there, and so on. The controls of a piece
 *          thus know all that went before, and errors do not pass from piece to piece. The motion up to a joint does
 *          not depend on what comes after, so that in the end one replay of the whole is the motion that was followed.
 * Joints   The plan is what was solved for each piece. At a joint it goes on from the state of the replay, which its
 *          own end there misses by the difference of plan and replay over one piece: a defect in rows of the plan's
 *          model, which its metrics have as they have every violation.
 * Cuts     at ends of intervals, in intervals as equally many as may be, but not where velocities jump there.
 * Limits   The controls are those of this integrator, in these steps, with this rounding: another simulation of the
 *          whole, by another method or in other steps, parts from it as it would from any plan.
 * Threads  one at a time; one Ipopt in a process. Tests: tests/numeric/test-pieces.c
 */
#pragma once

#include "plan/ss-polish.h"

/* The last interval of each piece but the last one, +1; cuts[n_pieces - 1] has room. Returns how many. */
int ss_pieces_cuts (const SsFesdSequence *sequence, int n_pieces, int *cuts);
/* Makes the solved plan `polished` one in n_pieces pieces, with its replay. Where a rest has no solution, the piece
 * before goes on to the next cut, and the message says where; n_pieces counts those that are. Where pieces
 * miss each other by more than a run's rows may be missed by and the replay of the whole does not hold either, the plan
 * stays whole. SS_ERR_INVALID: the plan depends on the time. */
SS_NODISCARD SsStatus ss_polish_pieces (const SsScenario *scenario, const SsTranscribeOptions *transcription,
                                        const SsPolishOptions *options, int n_pieces, SsRunControl *control,
                                        SsPolished *polished, SsError *err);
