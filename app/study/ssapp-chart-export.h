/* app/study/ssapp-chart-export.h: charts and tables of runs as files.
 *
 * Pictures are drawn on paper: 8 pt, at a width in mm. The suffix says what is written: pdf, svg, png, or a table as
 * txt, csv, tsv, md, tex, jsonl, or tikz, a picture for pgfplots. Files are complete or not there at all.
 * Threads: any, one at a time.
 * Tests: tests/unit/test-chart.c, tests/cli/test-figure.sh
 */
#pragma once

#include "app/study/ssapp-chart.h"

G_BEGIN_DECLS

/* Widths of a column and of a page of most journals [mm]. */
#define SSAPP_CHART_COLUMN_MM 88.
#define SSAPP_CHART_PAGE_MM   180.

/* FALSE with an error, which lists the suffixes where none of them is the name's. */
gboolean ssapp_chart_export (const SsappChart *self, double width_mm, const char *path, GError **error);
/* Of boxes, profiles, curves and work: a picture for pgfplots with its numbers, for \input; what ssapp_chart_export
 * writes to a .tikz. */
gboolean ssapp_chart_export_pgf (const SsappChart *self, double width_mm, const char *path, GError **error);
/* A table in the format of the suffix. */
gboolean ssapp_table_export (const SsappTable *table, const char *path, GError **error);

/* Every chart that the set suits, as PDF and SVG with its numbers as CSV, and the tables of runs and of medians as CSV,
 * Markdown and LaTeX, into a folder that is made where it is not there. `hidden` as in SsappChartSpec; `done` (char *
 * names of what was written, g_ptr_array_unref) may be NULL. */
gboolean ssapp_run_set_export_all (const SsappRunSet *set, const gboolean *hidden, double width_mm, const char *folder,
                                   GPtrArray **done, GError **error);
/* Metrics that a table of the set shows: those that differ among its runs. Of SsMetric. */
GArray *ssapp_run_set_list_metrics (const SsappRunSet *set);

G_END_DECLS
