/* app/base/ssapp-table.h: a table that leaves the program: runs, figures, logs, violations, papers' tables.
 *
 * Filled row by row, cell by cell; written as text for a terminal, CSV, TSV, Markdown, LaTeX (booktabs) or JSON lines.
 * Numbers keep all their digits in CSV, TSV and JSON lines; the others show them as the column says. Best values of a
 * column are bold in Markdown and LaTeX. Text from outside is quoted as each format needs it; in CSV and TSV what a
 * spreadsheet would take for a formula gets a quote in front.
 * Threads: any. Tests: tests/unit/test-table.c
 */
#pragma once

#include <gio/gio.h>

#include "judge/ss-metric.h"

G_BEGIN_DECLS

typedef struct SsappTable SsappTable;

typedef enum {
  SSAPP_TABLE_TEXT, /* columns aligned with spaces, for a terminal */
  SSAPP_TABLE_CSV,
  SSAPP_TABLE_TSV,
  SSAPP_TABLE_MARKDOWN,
  SSAPP_TABLE_LATEX,     /* a tabular for package booktabs */
  SSAPP_TABLE_JSON_LINES /* an object a row, by the columns' keys */
} SsappTableFormat;

/* "text", "csv", "tsv", "md", "tex" or "jsonl", the suffixes of files too; FALSE: it is none of them. */
gboolean ssapp_table_format_from_name (const char *name, SsappTableFormat *format);
/* By the ending of a file's name, without regard to case; text where it has none. FALSE: no table is written so. */
gboolean ssapp_table_format_of_path (const char *path, SsappTableFormat *format);
/* "text, csv, tsv, md, tex, jsonl": for messages; static. */
const char *ssapp_table_format_names (void);

typedef enum { SSAPP_BEST_NONE, SSAPP_BEST_LOWEST, SSAPP_BEST_HIGHEST } SsappBest;

/* Empty, without columns. */
SsappTable *ssapp_table_new (const char *title);
void ssapp_table_free (SsappTable *self); /* NULL is allowed */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SsappTable, ssapp_table_free)

/* Columns come before rows. `key`: in JSON and as CSV head; `title`: for people; `unit` may be "". */
void ssapp_table_add_text_column (SsappTable *self, const char *key, const char *title);
/* `format`: printf of one double for people, as "%.3g". */
void ssapp_table_add_number_column (SsappTable *self, const char *key, const char *title, const char *unit,
                                    const char *format, SsappBest best);
/* Key, title, unit, format and which value is better are the metric's. */
void ssapp_table_add_metric_column (SsappTable *self, SsMetric metric);
/* The same with another title. */
void ssapp_table_add_metric_column_called (SsappTable *self, SsMetric metric, const char *title);
/* The title of a column, in the place of the one that it has. */
void ssapp_table_set_column_title (SsappTable *self, guint column, const char *title);
/* A line below the table, such as what a mark means; comment in LaTeX, left out in CSV, TSV and JSON lines. */
void ssapp_table_add_note (SsappTable *self, const char *note);

/* A new row, which is filled by what follows. */
void ssapp_table_begin_row (SsappTable *self);
/* Cells of the newest row in the order of the columns; cells that are missing at its end are empty. A text may stand in
 * a column of numbers too, such as what a paper prints there. */
void ssapp_table_add_text (SsappTable *self, const char *text);
void ssapp_table_add_number (SsappTable *self, double value); /* NaN: empty, "-" for people */
/* A best value is looked for among rows of one group only, which are of one problem; rows before the first call are
 * group 0. */
void ssapp_table_set_group (SsappTable *self, guint group);
/* Numbers that are added from now on stand apart, or no more: they are the best of nothing, and nothing is better than
 * they are. So are those of runs that failed, and medians over different problems. */
void ssapp_table_set_apart (SsappTable *self, gboolean is_apart);

/* Keeps the columns that are named by key or title, in that order, "method,mu,objective=J": a heading may follow, which
 * stands in the place of title and unit. FALSE with an error that names the nearest column; the table is as it was. */
gboolean ssapp_table_choose_columns (SsappTable *self, const char *names, GError **error);
/* The names that such a text has, without headings; g_strfreev. NULL: a text without any. */
char **ssapp_table_split_columns (const char *names);
/* LaTeX has a longtable (package longtable), which goes on over pages with its heading, in the place of a tabular. */
void ssapp_table_set_long (SsappTable *self, gboolean is_long);
gboolean ssapp_table_is_long (const SsappTable *self);

/* What it is made of; texts are borrowed. */
guint ssapp_table_get_n_rows (const SsappTable *self);
guint ssapp_table_get_n_columns (const SsappTable *self);
const char *ssapp_table_get_title (const SsappTable *self);
/* Of ssapp_table_set_group. */
guint ssapp_table_get_group (const SsappTable *self, guint row);
const char *ssapp_table_get_column_key (const SsappTable *self, guint column);
/* The column with that key; -1: there is none. */
int ssapp_table_find_column (const SsappTable *self, const char *key);
/* Digits with which "%.*g" shows the column's numbers as its format does, those with a fixed point up to a million; 0:
 * a column of texts. */
int ssapp_table_get_column_digits (const SsappTable *self, guint column);
/* With its unit: "CPU time [s]"; g_free. */
char *ssapp_table_get_column_title (const SsappTable *self, guint column);
/* Else of texts. */
gboolean ssapp_table_is_number_column (const SsappTable *self, guint column);
/* Whether a text was added there. */
gboolean ssapp_table_is_text (const SsappTable *self, guint row, guint column);
/* As people read it; "" for an empty cell, "-" for NaN; borrowed. */
const char *ssapp_table_get_text (const SsappTable *self, guint row, guint column);
double ssapp_table_get_number (const SsappTable *self, guint row, guint column); /* NaN: text or not known */
/* Whether it is the best of its column and group: none is better, and one at least is worse, by a unit of the last
 * digit that the column shows, or more. What is bold in Markdown, LaTeX and the window is told here alone. */
gboolean ssapp_table_is_best (const SsappTable *self, guint row, guint column);

/* Lines below it; borrowed. */
guint ssapp_table_get_n_notes (const SsappTable *self);
const char *ssapp_table_get_note (const SsappTable *self, guint note);

/* The whole table, ends with a newline; g_free. */
char *ssapp_table_write (const SsappTable *self, SsappTableFormat format);

G_END_DECLS
