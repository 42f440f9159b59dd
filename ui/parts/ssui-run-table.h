/* ui/parts/ssui-run-table.h: the runs stored in the project: sortable, searchable, to be ticked. */
#pragma once

#include <adwaita.h>

#include "app/store/ssapp-store.h"

G_BEGIN_DECLS

#define SSUI_TYPE_RUN_TABLE (ssui_run_table_get_type ())
G_DECLARE_FINAL_TYPE (SsuiRunTable, ssui_run_table, SSUI, RUN_TABLE, GtkWidget)

/* Signals: "checked-changed" (); "selection-changed" (); "run-activated" (const char *id). */

/* Reads the list again; ticks survive. NULL: no project. FALSE with an error if it cannot be read. */
gboolean ssui_run_table_load (SsuiRunTable *self, SsappStore *store, GError **error);
void ssui_run_table_set_filter (SsuiRunTable *self, const char *text);  /* all words must occur */
GStrv ssui_run_table_dup_checked (SsuiRunTable *self);                  /* ids, in the order on show    */
void ssui_run_table_check (SsuiRunTable *self, const char *const *ids); /* exactly these */
guint ssui_run_table_get_n_runs (SsuiRunTable *self);
guint ssui_run_table_get_n_shown (SsuiRunTable *self);
char *ssui_run_table_dup_selected (SsuiRunTable *self);                 /* id under the keyboard cursor, NULL if none */
void ssui_run_table_set_compact (SsuiRunTable *self, gboolean compact); /* without the start time */

G_END_DECLS
