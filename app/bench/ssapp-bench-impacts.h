/* app/bench/ssapp-bench-impacts.h: suite impacts: the examples of paper 002. Tests: tests/cli/test-bench.sh */
#pragma once

#include "app/bench/ssapp-bench-world.h"

G_BEGIN_DECLS

typedef struct {
  gboolean is_all; /* as many samples as the paper has */
  SsRunControl *control;
  SsappBenchSay say; /* nullable: a line per run */
} SsappBenchImpactsPlan;

/* Tables of samples and of the comparison laws. */
SsappBenchSheet *ssapp_bench_impacts (const SsappBenchImpactsPlan *plan);

G_END_DECLS
