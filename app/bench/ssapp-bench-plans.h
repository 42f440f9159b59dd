/* app/bench/ssapp-bench-plans.h: suite plans: random tasks of drawn scenes that are known to be possible
 * (ssapp-bench-tasks.h), and which of them a method solves.
 *
 * Solved is what ss_run says: feasible, the goal met, a motion that can happen. Wall and CPU are of the whole run, the
 * set-up included. A replay holds where stewart-trinkle at a tenth of the step ends within 5 mm of the plan.
 *
 * Threads  one run at a time; a method may use more. Tests: tests/cli/test-bench-plans.sh
 */
#pragma once

#include "app/bench/ssapp-bench-runs.h"
#include "app/bench/ssapp-bench-sheet.h"
#include "app/bench/ssapp-bench.h"

G_BEGIN_DECLS

typedef struct {
  GPtrArray *methods;
  char *const *kinds; /* of ssapp_bench_task_kinds, up to a NULL; NULL: all */
  int count;          /* tasks of each kind */
  guint64 seed;
  double cpu_limit;   /* of one run, CPU time [s] */
  const char *folder; /* where the tasks are written as files; NULL: nowhere */
  SsRunControl *control;
  SsappBenchSay say; /* nullable: a line per run */
} SsappBenchPlansPlan;

/* Tables: by kind and method, then each run. NULL and `error`: a task that could not be made or
 * written. */
SsappBenchSheet *ssapp_bench_plans (const SsappBenchPlansPlan *plan, GError **error);

G_END_DECLS
