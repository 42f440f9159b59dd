/* app/bench/ssapp-bench-collection.h: suite collection: problems of a folder, scenarios and .nl files, by several
 * methods. Their runs are those of ssapp_bench_run. Tests: tests/cli/test-ampl.sh */
#pragma once

#include "app/bench/ssapp-bench.h"
#include "app/bench/ssapp-bench-sheet.h"

G_BEGIN_DECLS

/* An instance of each file of the folder that ends in .stickslip.json or .nl, in the order of their names; freed with
 * the array. What cannot be read, or solved by one of the methods, is left out, and `refused` gets a line for it. NULL
 * with an error where there is no such folder. */
GPtrArray *ssapp_bench_collection (const char *folder, GPtrArray *methods, GString *refused, GError **error);

/* A row a method: solved, proved, at the best that any of the methods found, CPU times; runs are those of
 * ssapp_bench_run. And a row a run, with --json alone as a table too. */
SsappBenchSheet *ssapp_bench_collection_sheet (GPtrArray *methods, GPtrArray *runs, gboolean has_runs);

/* An objective is at the best where it is above by at most this part of 1 plus its size: violations of 1e-6, which are
 * allowed, move the objective of a problem with biactive pairs by their root. */
#define SSAPP_COLLECTION_NEAR 1e-3

G_END_DECLS
