/* app/bench/ssapp-bench-tasks.h: random tasks for plans of drawn scenes, each of which is known to be possible.
 *
 * Of a kind (push, carry, throw, ...) sizes, masses, frictions and ways are drawn. Actuators then follow formulas (by
 * kind: feedback along smooth glides; along ways with random waves, badly damped; by a force at its limit; to hold a
 * speed) in a simulation with the steps of the plan, by stewart-trinkle with
 * gap=end, whose law the plan has. Where the bodies end is the goal; limits of the actuators are 15 to 100 % above what
 * the motion took. So that motion, the witness, is a feasible point of the plan. It is certified by the judge: overlap
 * below SS_RUN_OVERLAP_TOLD, given energy below SS_RUN_GIVEN_MAX; draws that fail, or in which what has a target has
 * not moved by 3 cm or 0.2 rad, are drawn again. The task that a method sees holds neither formulas nor the motion.
 *
 * Threads  one at a time. Tests: tests/cli/test-bench-plans.sh
 */
#pragma once

#include <glib.h>

#include "core/ss-trajectory.h"

G_BEGIN_DECLS

typedef struct {
  const char *kind; /* static */
  guint64 seed;     /* of this task alone */
  int n_draws;      /* until one was certified */
  char *text;       /* the scenario */
  char *witness;    /* the scenario with the formulas: its simulation is the witness */
  double objective; /* of the task along the witness */
} SsappBenchTask;

/* Number of kinds. */
int ssapp_bench_n_task_kinds (void);
/* Names of the kinds, NULL behind the last. */
extern const char *const ssapp_bench_task_kinds[];
/* How its witnesses are driven: "glides", "waves", "relays", "speed"; static. */
const char *ssapp_bench_task_policy (int kind);
/* A task of that kind, the same for the same seed on every machine but for rounding. NULL and `message` (g_free) where
 * no draw was certified. */
SsappBenchTask *ssapp_bench_task_new (int kind, guint64 seed, char **message);
void ssapp_bench_task_free (SsappBenchTask *task); /* NULL is allowed */

G_END_DECLS
