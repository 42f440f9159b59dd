/* engine/simulate/ss-past.h: a simulation that goes on from where another motion of the same bodies stood, in a scene
 * that may have changed since: other numbers, forces, shapes, contacts.
 *
 * What was before stays as it was: its rows come before those of the simulation, and the last time of the past has two
 * rows, the last one of the past and the first one of what goes on, which holds from then on. Sums over the motion
 * (what contacts dissipated, the second clock, the number of the step) go on from those of the past. Coordinates that
 * are locked are where they were, and as fast as the scene says. Bodies that are fixed stay where they are if they ever
 * moved; those that never did are where the scene says.
 *
 * Threads: one at a time. Tests: tests/unit/test-run.c
 */
#pragma once

#include "scene/ss-scenario.h"

typedef struct SsPast SsPast;

/* From the last row of `past`, which is borrowed as the scene is. SS_ERR_INVALID, in words for a user: its bodies or
 * joints are not those of the scene, or a joint of the scene does not hold where its bodies are. On failure *out is
 * NULL. */
SS_NODISCARD SsStatus ss_past_new (const SsScene *scene, const SsTrajectory *past, SsPast **out, SsError *err);
void ss_past_free (SsPast *past); /* NULL is allowed */
/* The scene in that state; borrowed. */
const SsScene *ss_past_scene (const SsPast *past);
double ss_past_t (const SsPast *past); /* [s] */
/* What contacts, dampers and limits had taken by then [J]; 0 where the motion does not say. */
double ss_past_taken (const SsPast *past);
/* The gap that the motion so far told of the contact at its end [m]; INFINITY where it told none. */
double ss_past_gap (const SsPast *past, int contact);
/* Whether the scene gives the body another start than the past began with, which has no effect. */
bool ss_past_overrules_start (const SsPast *past, int body);
/* The rows of the past in the channels of `like`. A channel that it has not is 0, a second clock the time, a gap that
 * of the poses. On failure *out is NULL. */
SS_NODISCARD SsStatus ss_past_rows (const SsPast *past, const SsTrajectory *like, SsTrajectory **out, SsError *err);
/* What sums over the motion had come to by then, by channel of `like`; 0 for channels that are no sums. `sums` has
 * room for the channels. */
void ss_past_sums (const SsPast *past, const SsTrajectory *like, double *sums);
/* Puts the rows of the past before those of the motion, whose sums go on; its stages (NULL: none) count them. On
 * failure the motion is as it was. */
SS_NODISCARD SsStatus ss_past_join (const SsPast *past, SsTrajectory *motion, SsTrajectory *stages, SsError *err);
