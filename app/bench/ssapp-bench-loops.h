/* app/bench/ssapp-bench-loops.h: closed loops of a model by each method under each condition, as a table and as runs of
 * a project.
 *
 * A stored loop is a run of the method that made its plans, over the file with as many points as its motion; its result
 * says in "asked" that a loop it was, disturbed by what, of plans that look how far (app/job/ssapp-asked.h).
 *
 * Threads: one at a time. Tests: tests/unit/test-loop.c, tests/cli/test-mpc.sh */
#pragma once

#include "app/bench/ssapp-bench-loop.h"
#include "app/bench/ssapp-bench-sheet.h"
#include "app/session/ssapp-reproduce.h"

G_BEGIN_DECLS

/* A row a method and condition (that of friction where the file has a parameter mu, mu1, ...). NULL with an error where
 * a condition has another name, or as ssapp_bench_loop_make. Each loop is a run of `store`; NULL: of none. */
SsappBenchSheet *ssapp_bench_loop (const SsappBenchLoopPlan *plan, char *const *conditions, SsappStore *store,
                                   GError **error);
/* The first method's motion under a condition, and its metrics as a plan of the file (NULL: not wanted);
 * ss_trajectory_free. NULL with an error. */
SsTrajectory *ssapp_bench_loop_motion (const SsappBenchLoopPlan *plan, const char *condition, SsMetricSet *metrics,
                                       GError **error);
/* Whether a stored run is a closed loop. */
gboolean ssapp_bench_loop_is_stored (SsappStore *store, const char *id);
/* That loop once more, to be compared with it (ssapp_reproduce_record_free). NULL with an error, also where `control`
 * was cancelled. */
SsappReproduceRecord *ssapp_bench_loop_again (SsappStore *store, const char *id, SsRunControl *control, GError **error);

G_END_DECLS
