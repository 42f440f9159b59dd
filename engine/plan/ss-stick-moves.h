/* engine/plan/ss-stick-moves.h: neighbours of a mode sequence in which a contact sticks elsewhere. A polish keeps its
 * modes while it moves their switches, so a plan that sticks for an instant where sliding on would be cheaper stays
 * with it.
 *
 * Moves, by gap and time: a stick beside a slip, or an impact that ends in one before a slip, becomes that slip; a slip
 * that ends the plan, or turns round, is followed by a stick (half of its last segment).
 * Gaps without tangential force anywhere are taken as frictionless.
 * Threads  one at a time. Tests: tests/numeric/test-freeze-plan.c
 */
#pragma once

#include "fesd/ss-fesd-sequence.h"

/* The move of that number; *out is the caller's, NULL where there are no more moves, or after an error. */
SS_NODISCARD SsStatus ss_stick_move (const SsFesdSequence *from, int number, SsFesdSequence **out, SsError *err);
/* The segment in two at that share, the second with what it has of elements and samples. */
SS_NODISCARD SsStatus ss_sequence_split (SsFesdSequence *sequence, int segment, double theta, SsError *err);
/* Contacts with friction stick wherever they slip, after jumps too. */
void ss_sequence_stick (SsFesdSequence *sequence);
