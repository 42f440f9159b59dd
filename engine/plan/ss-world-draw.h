/* engine/plan/ss-world-draw.h: worlds whose numbers differ from those of a scenario: drawn by chance, each number by
 * itself, the same again from the same seed.
 *
 * Numbers  those of task.worlds (scene/ss-scenario.h, SsPlanRange), uniform in their ranges; of a task without such
 *          ranges the friction of every contact and the mass of every body (with its inertia), uniform within
 *          SS_WORLD_PART of what they are.
 * Start    may be moved as well: every body that moves and that no joint holds by SS_WORLD_MOVED in a drawn direction;
 *          in x or y alone, or not at all, where it would overlap another one more than it did.
 * Threads  any, each with its own. Tests: tests/numeric/test-plan-worlds.c
 */
#pragma once

#include "scene/ss-scenario.h"

#define SS_WORLD_PART  0.2
#define SS_WORLD_MOVED 5e-3 /* [m] */

typedef struct SsWorldDraw SsWorldDraw;

/* scenario: a scene with a task.plan, borrowed. SS_ERR_MEMORY. */
SS_NODISCARD SsStatus ss_world_draw_new (const SsScenario *scenario, uint64_t seed, SsWorldDraw **out, SsError *err);
void ss_world_draw_free (SsWorldDraw *draw); /* NULL is allowed */
int ss_world_draw_n_numbers (const SsWorldDraw *draw);
/* "box.mass"; borrowed. */
const char *ss_world_draw_name (const SsWorldDraw *draw, int number);
/* What it is in the scenario, and its range. */
void ss_world_draw_range (const SsWorldDraw *draw, int number, double *value, double *lower, double *upper);
/* The next world's numbers. */
void ss_world_draw_next (SsWorldDraw *draw, double *numbers);

/* A scenario with other numbers. Must not move while it is open. */
typedef struct {
  SsScenario scenario; /* borrows all but scene, contacts and bodies from the reading of its text, or from the source */
  SsScene scene;
  SsContact *contacts; /* owned, as all below */
  SsBody *bodies;
  SsScenario *reading; /* NULL: the source has other numbers by hand */
} SsWorld;

/* The world of these numbers. SS_ERR_INVALID where the file does not allow them; SS_ERR_MEMORY. Release with
 * ss_world_close, also after an error. */
SS_NODISCARD SsStatus ss_world_open (const SsWorldDraw *draw, const double *numbers, SsWorld *out, SsError *err);
void ss_world_close (SsWorld *world);
/* Moves of the bodies of a scene, by[2 n_bodies] [m], the next of the draw; what its bodies then overlap they did
 * before. SS_ERR_MEMORY. */
SS_NODISCARD SsStatus ss_world_draw_moves (SsWorldDraw *draw, const SsScene *scene, double *by, SsError *err);
