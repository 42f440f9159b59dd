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
  int steps;
  guint64 seed;
  double time_limit; /* of one solve, wall time [s] */
  SsRunControl *control;
  SsappBenchSay say; /* nullable: a line a loop */
} SsappBenchLoopPlan;

/* A row a method and condition. NULL with an error where the model is none whose steps the suite can do: its start is
 * rows `state - parameter`, its block `dynamics` tells each next state, linearly. */
SsappBenchSheet *ssapp_bench_loop (const SsappBenchLoopPlan *plan, GError **error);

G_END_DECLS
