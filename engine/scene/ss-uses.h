/* engine/scene/ss-uses.h: what a scene says that a law does not use.
 *
 * A class of laws (integrator, transcription, impact law) has a mask of SsSceneUse: what of restitution, stiffness and
 * damping it takes from the scene. All else that the scene gives of them is ignored, and told of every run. A value of
 * 0 is none that was given: it leaves the answer to the law.
 * Threads: any. Tests: tests/unit/test-uses.c
 */
#pragma once

#include "scene/ss-scenario.h"

/* SS_ERR_INVALID where a law with this mask cannot have what would change the motion if it were left out: friction or a
 * motor of a joint, rolling resistance or cohesion of a contact, a constraint that reads t; with its name, the law, and
 * those that can. */
SS_NODISCARD SsStatus ss_uses_check (const SsScene *scene, unsigned uses, const char *law, SsError *err);
/* Integrators that can, in words. */
#define SS_DRIVES_KNOWN_BY                                                                                             \
  "stewart-trinkle, convex-time-stepping, moreau-jean, anitescu-potra, constraint-solver, event-driven and fesd-j"
#define SS_ROLLING_KNOWN_BY "stewart-trinkle, convex-time-stepping, moreau-jean, anitescu-potra and constraint-solver"
#define SS_COHESION_KNOWN_BY                                                                                           \
  "anitescu-potra, and by stewart-trinkle with gap=linear and, where there are joints, joints=start"
#define SS_TIME_KNOWN_BY                                                                                               \
  "stewart-trinkle, convex-time-stepping, moreau-jean, anitescu-potra, constraint-solver with law=max, "               \
  "implicit-euler, semi-implicit-euler, explicit-euler, cvode, event-driven with law=newton and fesd-j"
/* How many things that the scene gives a law with this mask ignores: of each, that is. */
int ss_uses_count_ignored (const SsScene *scene, unsigned uses);
/* The i-th of them in words: "does not use restitution: the 0.8 of contact floor-ball is ignored", or "... of 3
 * contacts, as of floor-ball, ..." where several have one. */
void ss_uses_describe_ignored (const SsScene *scene, unsigned uses, int i, char *text, size_t size);
/* All of them in a few words, "ignores restitution and stiffness of contacts"; "" where nothing is. */
void ss_uses_summarise_ignored (const SsScene *scene, unsigned uses, char *text, size_t size);
