/* app/bench/ssapp-bench-freeze.h: suite time-freezing: the examples of paper 001, and work against precision of methods
 * on scenes that they share.
 *
 * Figures   1 to 3 and 5 are motions of the guiding particle (examples/time-freezing), its impact, end of jump,
 *           take-off and end beside the closed form. 4 is the law of friction in space along a line through v_t = 0
 *           (the program itself has planar friction). 6 is the plan of Example 5 with the cost in numerical time, from
 *           the paper's start, polished: its controls in a simulation by time-freezing, told by the clock of the plan,
 *           whose intervals are equally long in both times; beside the exact optimum (tests/data/fesd). 7 and 8 are
 *           frames and torques of a motion of the robot that is given.
 * Work      error at the end against step and CPU time of fesd-j, time-freezing, moreau-jean and stewart-trinkle; the
 *           truth is a closed form (tests/data/fesd), or fesd-j with five stages and short steps where there is none.
 * Tests     tests/cli/test-bench.sh
 */
#pragma once

#include "app/bench/ssapp-bench-world.h"

G_BEGIN_DECLS

typedef enum {
  SSAPP_FREEZE_PART_EXAMPLES = 1 << 0, /* Figs 1 to 5           */
  SSAPP_FREEZE_PART_PLAN = 1 << 1,     /* Fig. 6; some 10 s     */
  SSAPP_FREEZE_PART_WORK = 1 << 2,     /* work against precision */
  SSAPP_FREEZE_PARTS = SSAPP_FREEZE_PART_EXAMPLES | SSAPP_FREEZE_PART_PLAN | SSAPP_FREEZE_PART_WORK
} SsappFreezePart;
/* "examples", "plan", "work"; 0: none of these. */
SsappFreezePart ssapp_bench_freeze_part (const char *name);
/* Names of the parts, NULL behind the last. */
extern const char *const ssapp_bench_freeze_parts[];

typedef struct {
  int parts;                 /* of SsappFreezePart */
  const SsTrajectory *robot; /* borrowed; nullable: no Figs 7 and 8 */
  const int *steps;          /* of each run, n_steps of them; NULL: those of the method, and orders are judged */
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
/* Figures and their data in a folder, which is made if it does not exist: fig1-2-phase, fig3-clocks, fig4-friction,
 * fig5-clocks, fig6-clocks, with a robot fig7-frames, fig8-torques, each as .pdf and .csv, work-precision.csv,
 * work-precision.pdf, README.md; of the parts that ran. FALSE with an error where a file cannot be written, or the
 * robot's motion lacks channels. */
gboolean ssapp_bench_freeze_data (const SsappBenchFreeze *self, const char *folder, GError **error);

G_END_DECLS
