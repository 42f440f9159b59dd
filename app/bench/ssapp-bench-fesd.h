/* app/bench/ssapp-bench-fesd.h: suites of the integrator fesd-j: fesd-order, its orders [000 Fig 6]; and
 * fesd-speed, what its steps cost beside those of time stepping.
 *
 * Order:
 * Two balls and a spring (examples/fesd-j/two-balls): Radau IIA and Gauss-Legendre with 1 to 4 stages, two elements a
 * step. Error: max norm of the state at T against the exact solution. Reference: errors of the same equations, solved
 * by another program (tests/data/fesd).
 * Speed: steps of half a frame, as the sandbox takes them, in scenes of 1 to 20 bodies. Tests: tests/cli/test-bench.sh
 */
#pragma once

#include "app/bench/ssapp-bench-fesd-plot.h"
#include "app/bench/ssapp-bench-world.h"

G_BEGIN_DECLS

/* How much of it is repeated by homotopies (ssapp-bench-homotopy.h). */
typedef enum {
  SSAPP_HOMOTOPY_NONE,
  SSAPP_HOMOTOPY_SOME, /* the least N_sim, 2 and 3 stages: minutes */
  SSAPP_HOMOTOPY_ALL,  /* every run: hours                                */
} SsappHomotopyExtent;

typedef struct {
  const int *steps; /* N_sim of the runs, n_steps of them; NULL: the 24 of the paper, and slopes are judged */
  int n_steps;
  SsappHomotopyExtent homotopy;
  SsRunControl *control;
  SsappBenchSay say; /* nullable: a line per run */
} SsappBenchFesdPlan;

/* Tables of runs, of slopes and of homotopies (what they miss is no failure of the suite). *csv: a row per run; g_free.
 * *figure: to be released with ssapp_order_figure_free. *n_failed: runs that did not come to their end, and slopes
 * that differ from the theory by more than 0.3. */
SsappBenchSheet *ssapp_bench_fesd_order (const SsappBenchFesdPlan *plan, char **csv, SsappOrderFigure **figure,
                                         int *n_failed);
/* CPU time of single steps on scenes of each size: of all methods of the plan beside the last of them. *n_failed: runs
 * that ended otherwise than at their end or the limit of CPU time. */
SsappBenchSheet *ssapp_bench_fesd_speed (const SsappBenchSimulatePlan *plan, int *n_failed);

G_END_DECLS
