/* app/session/ssapp-log-rows.h: the iterations of runs as rows of one table, with every column that any of the methods
 * reports; filtered by method and text; as a table to copy. No GTK.
 * Threads: main thread only. Tests: tests/unit/test-log-rows.c
 */
#pragma once

#include "app/base/ssapp-table.h"
#include "app/session/ssapp-run.h"

G_BEGIN_DECLS

typedef struct SsappLogRows SsappLogRows;

/* Of SsappRun (ref'd); NULL: none. Nothing is taken yet. */
SsappLogRows *ssapp_log_rows_new (GPtrArray *runs);
void ssapp_log_rows_free (SsappLogRows *self); /* NULL is allowed */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SsappLogRows, ssapp_log_rows_free)

/* Takes the iterations that came since; returns how many. Rows keep their numbers, new ones are the last. */
guint ssapp_log_rows_take (SsappLogRows *self);
guint ssapp_log_rows_get_n (SsappLogRows *self);
SsappRun *ssapp_log_rows_get_run (SsappLogRows *self, guint row); /* borrowed */

/* Columns, in the order iteration, t, objective, violation, complementarity, step, then others as they were first
 * reported; those that nobody reports are not among them. Their number only grows. */
guint ssapp_log_rows_n_columns (SsappLogRows *self);
const char *ssapp_log_rows_get_key (SsappLogRows *self, guint column);   /* as in events: "alpha_pr"; borrowed */
const char *ssapp_log_rows_get_title (SsappLogRows *self, guint column); /* "α Primal"; borrowed */
/* Whether any row of the run (NULL: of all) has the column. */
gboolean ssapp_log_rows_reports (SsappLogRows *self, guint column, SsappRun *run);
/* NaN: the method reports none, or it is none. */
double ssapp_log_rows_get (SsappLogRows *self, guint row, guint column);
/* As people read it; "–" for NaN; g_free. */
char *ssapp_log_rows_dup_text (SsappLogRows *self, guint row, guint column);

/* A filter: words that all must hold. "ipopt": in the run's name; "objective<7", "iteration>=20", "accepted=0": a
 * column (the beginning of its key or title suffices) against a number; another word: in any cell as it is shown.
 * NULL or "": everything. g_free with ssapp_log_filter_free. */
typedef struct SsappLogFilter SsappLogFilter;
SsappLogFilter *ssapp_log_filter_new (const char *text);
void ssapp_log_filter_free (SsappLogFilter *filter); /* NULL is allowed */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SsappLogFilter, ssapp_log_filter_free)
/* `run`: only rows of it; NULL: of all. */
gboolean ssapp_log_rows_match (SsappLogRows *self, guint row, const SsappLogFilter *filter, SsappRun *run);
/* Rows that match, the oldest first, with all columns that the run (NULL: any) reports; before them the runs' names. */
SsappTable *ssapp_log_rows_to_table (SsappLogRows *self, const SsappLogFilter *filter, SsappRun *run);

/* What the solvers of these runs printed, each below its name and message: only lines that have the text (any case)
 * where it is not NULL or "". g_free. */
char *ssapp_log_dup_text (GPtrArray *runs, const char *text);

G_END_DECLS
