/* app/bench/ssapp-bench-loop.h: suite mpc on a model in equations: its first controls are applied, its next state is
 * the next problem's start; undisturbed, with noise, after a kick, with wrong friction, after its goal has moved. See
 * ssapp-bench-loop.c.
 *
 * Threads: one at a time. Tests: tests/unit/test-loop.c */
#pragma once

#include "app/bench/ssapp-bench-runs.h"
#include "app/bench/ssapp-bench-sheet.h"
#include "app/bench/ssapp-bench.h"

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

/* A row a method and condition (that of friction where the file has a parameter mu, mu1, ...). NULL with an error where
 * the model is none whose steps the suite can do: its start is rows `state - parameter` or functions of such starts, as
 * `st - sin(th0)`; its goal's first is `state - parameter`; its number of points is a parameter. */
SsappBenchSheet *ssapp_bench_loop (const SsappBenchLoopPlan *plan, GError **error);
/* The first method's motion under a condition ("none", "noise", "kick", "friction", "goal"), and its metrics as a plan
 * of the file (NULL: not wanted); ss_trajectory_free. NULL with an error. */
SsTrajectory *ssapp_bench_loop_motion (const SsappBenchLoopPlan *plan, const char *condition, SsMetricSet *metrics,
                                       GError **error);

G_END_DECLS
