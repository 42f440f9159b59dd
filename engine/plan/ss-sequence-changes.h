/* engine/plan/ss-sequence-changes.h: neighbours of a mode sequence, whose plans are other local solutions.
 *
 * SHIFT  the mode of a gap changes with an interval's end, where controls jump; it changes an interval earlier or later
 *        (what changes within an interval moves by itself in the smooth problem);
 * LESS   a touch is taken out, that of the smallest impulse first: the gap stays open until it would part anyway;
 * MORE   a touch is put in where a gap that touches somewhere comes nearest without touching.
 */
#pragma once

#include "fesd/ss-fesd-sequence.h"

typedef enum { SS_SEQUENCE_SHIFT, SS_SEQUENCE_LESS, SS_SEQUENCE_MORE, SS_SEQUENCE_N_CHANGES } SsSequenceChange;

/* As words for a message. */
extern const char *const ss_sequence_change_names[SS_SEQUENCE_N_CHANGES];

/* Makes the change of that kind and number, from 0; *is_one false: there are not so many, the sequence is as it was.
 * SS_ERR_MEMORY. */
SS_NODISCARD SsStatus ss_sequence_change (SsFesdSequence *sequence, SsSequenceChange kind, int number, bool *is_one,
                                          SsError *err);
