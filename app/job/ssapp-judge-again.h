/* app/job/ssapp-judge-again.h: what a result from elsewhere claims, beside what our judge says of its motion.
 *
 * A result that comes as a file was written by some program: what it claims and its motion does not show is named. Of
 * optimisers objective, violations and tracking error of the point that the motion tells, of motions of scenes energies
 * and their account, penetration, overlaps, cones, events' places and the final state; also of runs that a limit ended.
 * What a motion does not tell (the forces of a plan's corners, stages between rows) is not judged.
 * Threads: any. Tests: tests/cli/test-sweep-cluster.sh
 */
#pragma once

#include <gio/gio.h>
#include <jansson.h>

#include "run/ss-run.h"

G_BEGIN_DECLS

/* What of a result cannot be so whatever its motion is: NULL where nothing is, else words; static. An outcome must be
 * known; one of success has a motion, but for an impact law, and each row of a motion (NULL: none) has a time and
 * numbers. */
const char *ssapp_result_fault (SsMethodKind kind, const char *outcome, const SsTrajectory *motion);

/* Claims that differ from the motion by more than 1e-9 of the larger of 1 and the value, "; " between them, each as
 * "Energy at the end [J]: -123, by its motion 19.62"; or why the scenario cannot be read, or the motion is none of it.
 * NULL: there is nothing of this; g_free. `parameters` is an object of numbers (NULL: none), `motion` may be NULL. */
char *ssapp_judge_again (SsMethodKind kind, const char *scenario_text, const json_t *parameters, const json_t *result,
                         const SsTrajectory *motion);

G_END_DECLS
