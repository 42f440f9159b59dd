/* app/bench/ssapp-bench-impacts.h: suite impacts: the examples of paper 002. Tests: tests/cli/test-bench.sh */
#pragma once

#include "app/bench/ssapp-bench-world.h"

G_BEGIN_DECLS

typedef struct {
  gboolean is_all; /* as many samples as the paper has */
  /* the only part that is wanted: sampling, laws, compliant; NULL: all three. Others are made when they are named:
   * routh (Fig. 3), wobble (Figs 7, 8), set:MODEL (Figs 9 to 11, 13, 14), model:MODEL (Tables 4 to 8) */
  const char *only;
  SsRunControl *control;
  SsappBenchSay say; /* nullable: a line per run */
} SsappBenchImpactsPlan;

/* Tables of samples, of the comparison laws and of the contacts that give way. */
SsappBenchSheet *ssapp_bench_impacts (const SsappBenchImpactsPlan *plan);
/* The data of Figs 9 to 14 as CSV in a folder, which is made if it does not exist:
 *   MODEL-samples-POLICY.csv   velocities after the impact, a row a sample (lemke, enumerate)
 *   MODEL-between-POLICY.csv   intermediate velocities: all steps of the first samples
 *   MODEL-paths.csv            each simultaneous solution and the sequential paths, a row a solve
 *   rocking-block-compliant-SWEEP.csv   Fig 12 (ratio, angle)
 *   README.md                  which figure is which, what differs from the paper
 * FALSE with an error where a file cannot be written. Told to end, it leaves the files that there are. */
gboolean ssapp_bench_impacts_data (const SsappBenchImpactsPlan *plan, const char *folder, GError **error);

G_END_DECLS
