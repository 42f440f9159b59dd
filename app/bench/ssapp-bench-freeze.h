/* app/bench/ssapp-bench-freeze.h: suite time-freezing: the examples of paper 001, and work against precision of methods
 * on scenes that they share.
 *
 * Figures   1 to 3 and 5 are motions of the guiding particle (examples/time-freezing), its impact, end of jump,
 *           take-off and end beside the closed form. 4 is of spatial friction, which this program has not; 6 to 8
 *           are of plans.
 * Work      error at the end against step and CPU time of fesd-j, time-freezing, moreau-jean and stewart-trinkle; the
 *           truth is a closed form (tests/data/fesd), or fesd-j with five stages and short steps where there is none.
 * Tests     tests/cli/test-bench.sh
 */
#pragma once

#include "app/bench/ssapp-bench-world.h"

G_BEGIN_DECLS

typedef struct {
  const int *steps; /* of each run, n_steps of them; NULL: those of the method, and orders are judged */
  int n_steps;
  SsRunControl *control;
  SsappBenchSay say; /* nullable: a line per scene */
} SsappBenchFreezePlan;

typedef struct SsappBenchFreeze SsappBenchFreeze;

/* Runs everything; told to end, it has what there is. The plan is borrowed. */
SsappBenchFreeze *ssapp_bench_freeze_new (const SsappBenchFreezePlan *plan);
void ssapp_bench_freeze_free (SsappBenchFreeze *self); /* NULL is allowed */
/* Tables. *n_failed: runs of methods with stages that did not come to their end, numbers of the figures off by more
 * than 1e-7, and orders of time-freezing on the guiding particle off by more than 0.3. */
SsappBenchSheet *ssapp_bench_freeze_sheet (const SsappBenchFreeze *self, int *n_failed);
char *ssapp_bench_freeze_csv (const SsappBenchFreeze *self); /* a row per run; g_free */
/* Figures and their data in a folder, which is made if it does not exist: fig1-2-phase, fig3-clocks, fig5-clocks, each
 * as .pdf and .csv, work-precision.csv, work-precision.pdf, README.md. FALSE with an error where a file cannot be
 * written. */
gboolean ssapp_bench_freeze_data (const SsappBenchFreeze *self, const char *folder, GError **error);

G_END_DECLS
