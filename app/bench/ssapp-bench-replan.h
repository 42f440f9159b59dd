/* app/bench/ssapp-bench-replan.h: suite mpc for drawn scenes: the task of a scenario file in a closed loop
 * (plan/ss-replan.h).
 *
 * World     stewart-trinkle at a tenth of the plan's steps, with another friction than the plan knows, and random kicks
 *           at each re-plan: changes of speed that lead a body by `noise` within a step. Plans act at once: the world
 *           waits while they are made, so that times of the machine do not change the motion unless there is a
 *           deadline.
 * Episodes  each begins where the file does, with the targets' positions at .8 to 1.2 of the way from there; after half
 *           of it the goal is dragged on by up to a fifth of that way, a part at each of five re-plans.
 * Scout     where the loop is stuck a second object looks for a plan as for a first one. It has a core of its own: its
 *           plan is offered when the world's time has advanced by the CPU time that it took.
 * Times     of each re-plan, on the wall and of the thread, without the first of an episode, which is cold.
 * Threads   one. Tests: tests/cli/test-mpc.sh
 */
#pragma once

#include "app/bench/ssapp-bench-sheet.h"
#include "app/bench/ssapp-bench.h"
#include "plan/ss-replan.h"

G_BEGIN_DECLS

typedef struct {
  const SsScenario *scenario;
  SsReplanOptions options;
  int steps;       /* re-plans                                        */
  int episode;     /* of them in an episode                           */
  double noise;    /* [m]                                             */
  double friction; /* of the world, as a part of the plan's           */
  guint64 seed;
  SsRunControl *control;
} SsappBenchReplanPlan;

typedef struct SsappBenchReplan SsappBenchReplan;

/* Runs it. NULL and `error`: the scenario cannot be planned again and again. */
SsappBenchReplan *ssapp_bench_replan_new (const SsappBenchReplanPlan *plan, GError **error);
void ssapp_bench_replan_free (SsappBenchReplan *self); /* NULL is allowed */
/* Tables; released by the caller. */
SsappBenchSheet *ssapp_bench_replan_sheet (const SsappBenchReplan *self);
/* A row per re-plan; g_free. */
char *ssapp_bench_replan_csv (const SsappBenchReplan *self);
/* Whether every re-plan was solved, or ended by its deadline with a motion. */
gboolean ssapp_bench_replan_is_success (const SsappBenchReplan *self);

G_END_DECLS
