/* app/bench/ssapp-bench-sheet.h: tables of a benchmark suite: filled row by row while it runs, written in every
 * format of tables (app/base/ssapp-table.h), or as JSON, where a number that is none is null. */
#pragma once

#include <glib.h>
#include <jansson.h>

#include "app/base/ssapp-table.h"

G_BEGIN_DECLS

typedef struct SsappBenchSheet SsappBenchSheet;

/* Empty: a table comes before its rows. Release with ssapp_bench_sheet_free. */
SsappBenchSheet *ssapp_bench_sheet_new (void);
void ssapp_bench_sheet_free (SsappBenchSheet *self); /* NULL is allowed */

/* A new table, the one that is filled from now on. `columns` are "key|heading|digits" each ("bodies|bodies|4"; 0
 * digits: text), up to a NULL. */
void ssapp_bench_sheet_table (SsappBenchSheet *self, const char *key, const char *title, const char *const *columns);
/* A table that was made elsewhere, which the sheet owns from then on. */
void ssapp_bench_sheet_take (SsappBenchSheet *self, const char *key, SsappTable *table);
/* The heading of a column becomes the metric's title; `key` is of the newest table. */
void ssapp_bench_sheet_metric (SsappBenchSheet *self, const char *key, SsMetric metric);
/* A line under the table. */
void ssapp_bench_sheet_note (SsappBenchSheet *self, const char *format, ...) G_GNUC_PRINTF (2, 3);

/* A cell: a text, or where that is NULL a number, which may be NaN. */
typedef struct {
  const char *text; /* borrowed */
  double n;
} SsappBenchCell;
/* A row of n cells, in the order of the columns. */
void ssapp_bench_sheet_row (SsappBenchSheet *self, const SsappBenchCell *cells, guint n);
/* The same of cells one after the other: SSAPP_BENCH_ROW (sheet, {name}, {.n = seconds}). */
#define SSAPP_BENCH_ROW(sheet, ...)                                                                                    \
  ssapp_bench_sheet_row (sheet, (const SsappBenchCell[]){__VA_ARGS__},                                                 \
                         G_N_ELEMENTS (((const SsappBenchCell[]){__VA_ARGS__})))

/* The tables one below another, each under its title where the format has room for it; g_free. */
char *ssapp_bench_sheet_write (const SsappBenchSheet *self, SsappTableFormat format);
/* Array of {"name", "title", "notes", "rows": [{key: value}]}; counts are whole numbers. */
json_t *ssapp_bench_sheet_to_json (const SsappBenchSheet *self);

/* The same with the columns, for who shows tables: array of {"name", "title", "notes", "columns": [{"key", "title",
 * "digits"}], "rows": [[...]]}; a number that is none is null, an empty cell too. */
json_t *ssapp_bench_sheet_to_documents (const SsappBenchSheet *self);

G_END_DECLS
