/* engine/plan/ss-contact-pattern.h: which contacts push in a motion, and in which order they begin to: motions of one
 * pattern lead an optimiser to the same plans. Private to the room `plan`.
 *
 * Threads: any. Tests: tests/numeric/test-sampled-cost.c
 */
#pragma once

#include "core/ss-trajectory.h"
#include "scene/ss-scenario.h"

/* A number for the contacts that push in the motion (its channels <contact>.lambda_n) in the order of their first rows;
 * equal for equal orders. Contacts that begin in one row count in the order of the scene. */
uint64_t ss_contact_pattern (const SsScene *scene, const SsTrajectory *motion);
