/* app/bench/ssapp-bench-loop.h: suite mpc on a model in equations: its first controls are applied, its next state is
 * the next problem's start; undisturbed, with noise, after a kick, with wrong friction, after its goal has moved. See
 * ssapp-bench-loop.c.
 *
 * Threads: one at a time. Tests: tests/unit/test-loop.c */
#pragma once

#include "app/bench/ssapp-bench-runs.h"
#include "app/bench/ssapp-bench.h"
#include "judge/ss-metrics.h"

G_BEGIN_DECLS

typedef struct {
  const char *text, *name; /* of the scenario, a model */
  const SsOverride *set;   /* parameters */
  int n_set;
  GPtrArray *methods; /* of SsappBenchMethod: optimisers */
  /* each plan looks N points ahead; 0: the task once, N - 1 steps, each plan ends where the first one does */
  int steps;
  guint64 seed;
  double cpu_limit; /* of one solve, CPU time [s] */
  SsRunControl *control;
  SsappBenchSay say; /* nullable: a line a loop */
} SsappBenchLoopPlan;

/* What disturbs a loop. */
typedef struct {
  const char *name, *what;
  double noise, kick; /* on each state: spread of each step; what is added half way */
  double friction;    /* the plant's, of the plan's */
  double goal;        /* by which the goal's first coordinate goes half way */
} SsappBenchLoopCondition;

enum { SSAPP_BENCH_LOOP_CONDITIONS = 5 };
/* All there are, by which the suite goes. */
extern const SsappBenchLoopCondition ssapp_bench_loop_conditions[SSAPP_BENCH_LOOP_CONDITIONS];

/* A loop's motion, judged as one plan of the file: what disturbed it violates the plan's rows. */
typedef struct {
  SsTrajectory *motion;
  SsScenario *scenario;        /* the file with as many points as the motion, and the goal of its end */
  SsMetrics first, last;       /* errors of its first and last state */
  int steps, n_failed, n_lost; /* plans that were not solved; steps whose plant found no next state */
  gboolean has_friction;       /* the file has a parameter mu, mu1, ... */
  GArray *seconds;             /* of double: CPU time of each plan [s] */
} SsappBenchLoopMade;

/* To be cleared where it is TRUE. FALSE with an error where the model is none whose steps the suite can do: its start
 * is rows `state - parameter` or functions of such starts, as `st - sin(th0)`; its goal's first is `state - parameter`;
 * its number of points is a parameter. */
gboolean ssapp_bench_loop_make (const SsappBenchLoopPlan *plan, const SsappBenchMethod *method, guint condition,
                                SsappBenchLoopMade *made, GError **error);
void ssapp_bench_loop_made_clear (SsappBenchLoopMade *made);

G_END_DECLS
