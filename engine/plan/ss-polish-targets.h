/* engine/plan/ss-polish-targets.h: whether a polished plan is where its task wants it. Private to the room `plan`.
 *
 * Coordinates of targets that closed contacts say already have no row of their own (transcribe/ss-fesd-fixed.h), and
 * such a contact may be another one than the task means: a face that the body should have left.
 * Tests: tests/numeric/test-leads.c
 */
#pragma once

#include "fesd/ss-fesd-sequence.h"
#include "scene/ss-scenario.h"

/* *missed: by how much the end of the sequence's motion misses a coordinate that must be reached, the largest
 * [m, rad, m/s, rad/s]. SS_ERR_MEMORY. */
SS_NODISCARD SsStatus ss_polish_missed (const SsPlan *plan, const SsFesdSequence *sequence, double *missed,
                                        SsError *err);
