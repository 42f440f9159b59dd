/* ui/parts/ssui-log-table.h: the iterations of the runs on show, newest first, and what the solvers printed. */
#pragma once

#include <adwaita.h>

#include "app/session/ssapp-run.h"

G_BEGIN_DECLS

#define SSUI_TYPE_LOG_TABLE (ssui_log_table_get_type ())
G_DECLARE_FINAL_TYPE (SsuiLogTable, ssui_log_table, SSUI, LOG_TABLE, GtkWidget)

void ssui_log_table_set_runs (SsuiLogTable *self, GPtrArray *runs); /* starts over */
void ssui_log_table_refresh (SsuiLogTable *self);                   /* takes the rows that came since, once a frame */
char *ssui_log_table_dup_tsv (SsuiLogTable *self);                  /* for the clipboard */

G_END_DECLS
