/* app/bench/ssapp-bench-report-private.h: columns of a report's tables, which ssapp-bench-columns.c computes and
 * ssapp-bench-report.c writes. Not for others. */
#pragma once

#include "app/bench/ssapp-bench-common.h"
#include "app/bench/ssapp-bench.h"

#include <math.h>

G_BEGIN_DECLS

/* Rows of a group's table. */
typedef enum {
  SSAPP_BENCH_ROW_INSTANCES,
  SSAPP_BENCH_ROW_SOLVED,
  SSAPP_BENCH_ROW_TIGHT,
  SSAPP_BENCH_ROW_SUCCESS,
  SSAPP_BENCH_ROW_OBJECTIVE,
  SSAPP_BENCH_ROW_OBJECTIVE_MEAN,
  SSAPP_BENCH_ROW_TO_BEST,
  SSAPP_BENCH_ROW_NEAR_BEST,
  SSAPP_BENCH_ROW_TO_FIRST,
  SSAPP_BENCH_ROW_WORSE,
  SSAPP_BENCH_ROW_STATIONARY,
  SSAPP_BENCH_ROW_B_STATIONARY,
  SSAPP_BENCH_ROW_TRACKING,
  SSAPP_BENCH_ROW_VIOLATION,
  SSAPP_BENCH_ROW_ITERATIONS,
  SSAPP_BENCH_ROW_CPU,
  SSAPP_BENCH_ROW_PER_ITERATION,
  SSAPP_BENCH_ROW_QP,
  SSAPP_BENCH_ROW_DERIVATIVES,
  SSAPP_BENCH_ROW_VALUES,
  SSAPP_BENCH_ROW_SETUP,
  SSAPP_BENCH_ROW_COUNT
} SsappBenchRow;

/* A column of it: a method, the reference, the paper; NaN: no value. */
typedef struct {
  char *title, *key; /* owned */
  double values[SSAPP_BENCH_ROW_COUNT];
  gboolean is_percent; /* success is a percentage */
} SsappBenchColumn;

/* Instances first..last-1 of the report; the run of method m on instance i. */
typedef struct {
  const SsappBenchReport *report;
  guint first, last;
  const char *name, *problem;
} SsappBenchGroup;

/* Text of a row, g_free; its key in JSON, static. */
char *ssapp_bench_row_title (int row);
const char *ssapp_bench_row_key (int row);
/* The group that starts at instance `first`. */
SsappBenchGroup ssapp_bench_group_at (const SsappBenchReport *report, guint first);
/* Columns of a group, of SsappBenchColumn: methods, the reference, the paper. */
GPtrArray *ssapp_bench_columns (const SsappBenchGroup *group);
/* Lowest objective known of instance i: of the table, and of this run's solved answers. */
double ssapp_bench_best (const SsappBenchReport *report, guint i);
/* Main iterations of a reference run: the authors' program prints the index of the last one. */
double ssapp_bench_reference_iterations (const SsappBenchReference *r);
/* Of doubles. A number that is not finite is not added. */
void ssapp_bench_add_finite (GArray *array, double value);

static inline const SsappBenchInstance *
ssapp_bench_instance_at (const SsappBenchReport *report, guint i)
{
  return g_ptr_array_index (report->instances, i);
}

static inline const SsappBenchRun *
ssapp_bench_run_at (const SsappBenchReport *report, guint i, guint m)
{
  return g_ptr_array_index (report->runs, i * report->methods->len + m);
}

static inline const SsappBenchMethod *
ssapp_bench_method_at (const SsappBenchReport *report, guint m)
{
  return g_ptr_array_index (report->methods, m);
}

static inline double
ssapp_bench_per_iteration (double cpu, double iterations)
{
  return cpu / fmax (iterations, 1);
}

G_END_DECLS
