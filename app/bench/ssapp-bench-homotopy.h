/* app/bench/ssapp-bench-homotopy.h: part of the suite fesd-order: the simulation loop by homotopies, beside the
 * integrator.
 *
 * Each step is the transcription `fesd-j` of one control interval without controls, solved by `scholtes`; its end is
 * the next step's start. A step that is not solved is tried once more from the answer with impulses of 7 N s and
 * without forces (the number is of this problem); a second failure is counted and the loop goes on. Settings are those
 * of paper 000: elastic with Scholtes' bound, sigma from 1 by a factor of 0.2, products one by one, no impacts at the
 * start of a step, mean step equilibration; a step has 3000 iterations. Unlike the study that it is compared with, a
 * step starts from its own start at rest, not from the solution of the step before. Tests: tests/cli/test-bench.sh
 */
#pragma once

#include "app/bench/ssapp-bench-sheet.h"
#include "app/bench/ssapp-bench-world.h"
#include "fesd/ss-tableau.h"

G_BEGIN_DECLS

typedef struct {
  SsTableauFamily scheme;
  int stages, elements, steps;
} SsappHomotopyPlan;

typedef struct {
  gboolean is_complete; /* the loop came to the end; failed steps are no reason to stop */
  double state[4];      /* heights of both balls [m], their speeds [m/s] */
  int failed, kicked, iterations;
  double cpu_seconds;
  char message[512];
} SsappHomotopyRun;

/* Runs the loop on the scene of two balls. */
void ssapp_bench_homotopy_run (const SsappHomotopyPlan *plan, SsRunControl *control, SsappHomotopyRun *run);

G_END_DECLS
