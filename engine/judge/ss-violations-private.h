/* engine/judge/ss-violations-private.h: what the files of ss-violations.h share. */
#pragma once

#include "judge/ss-violations.h"

/* ss-violation-words.c: body, contact, joint and equation of a row of a plan, by its path "block.owner what"; `part` as
 * SsRowVisit has it. */
void ss_violation_name (const SsScene *scene, const SsModelBlock *block, const SsModelRow *row, const char *part,
                        SsViolation *out);
