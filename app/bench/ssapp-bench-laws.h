/* app/bench/ssapp-bench-laws.h: suite laws: what integrators do that rigid bodies with Coulomb friction do not: sink,
 * lift, throw, slip, creep, rebound, drift, gain energy, press bodies against each other for nothing; over the step.
 * See ssapp-bench-laws.c.
 *
 * Threads: one at a time. Tests: tests/unit/test-laws.c */
#pragma once

#include "app/bench/ssapp-bench-runs.h"
#include "app/bench/ssapp-bench-sheet.h"
#include "app/bench/ssapp-bench.h"

G_BEGIN_DECLS

enum { SSAPP_LAWS_DEFECTS = 10 };

typedef struct {
  GPtrArray *methods; /* of SsappBenchMethod: integrators */
  SsRunControl *control;
  SsappBenchSay say; /* nullable: a line a method */
} SsappBenchLawsPlan;

/* Tables "laws", a row a method: whether it has a defect, whether that goes away; and "numbers", a row a method and
 * step. */
SsappBenchSheet *ssapp_bench_laws (const SsappBenchLawsPlan *plan);
/* "sinks", "lifts", ...: a column of both tables; NULL behind the last. */
const char *ssapp_laws_defect (guint index);

G_END_DECLS
