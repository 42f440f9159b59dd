/* ui/parts/ssui-log-table.h: the log of the runs on show: their iterations, newest first, with every column that any of
 * the methods reports, filtered by method and text; what the solvers printed; and what the answers violate most. Rows
 * and filter are those of app/session/ssapp-log-rows.h. */
#pragma once

#include <adwaita.h>

#include "ui/parts/ssui-violation-table.h"

G_BEGIN_DECLS

#define SSUI_TYPE_LOG_TABLE (ssui_log_table_get_type ())
G_DECLARE_FINAL_TYPE (SsuiLogTable, ssui_log_table, SSUI, LOG_TABLE, GtkWidget)

void ssui_log_table_set_runs (SsuiLogTable *self, GPtrArray *runs); /* starts over */
void ssui_log_table_refresh (SsuiLogTable *self);                   /* takes the rows that came since, once a frame */
/* What is on show, to the clipboard: iterations or violations with tabs between columns, or the solvers' text. */
void ssui_log_table_copy (SsuiLogTable *self);
/* "iterations", "text" or "violations"; FALSE: none of these. */
gboolean ssui_log_table_show (SsuiLogTable *self, const char *view);
/* Shows rows that match (see ssapp_log_filter_new), of the run whose label is `method`; "": all. FALSE: no run has
 * that label. */
gboolean ssui_log_table_filter (SsuiLogTable *self, const char *text, const char *method);
SsappViolationList *ssui_log_table_get_violations (SsuiLogTable *self); /* borrowed */
G_END_DECLS
