/* ui/parts/ssui-run-table.h: the runs stored in the project: sortable, searchable, to be ticked. Ten thousand of them
 * cost no more than those on show (ssui-rows.h); order and search are app/session/ssapp-run-list.h. */
#pragma once

#include <adwaita.h>

#include "app/session/ssapp-run-list.h"

G_BEGIN_DECLS

#define SSUI_TYPE_RUN_TABLE (ssui_run_table_get_type ())
G_DECLARE_FINAL_TYPE (SsuiRunTable, ssui_run_table, SSUI, RUN_TABLE, GtkWidget)

/* Signals: "checked-changed" (); "selection-changed" (); "run-activated" (const char *id); "shown-changed" (): others
 * are shown, or in another order. */

/* Reads the list again; ticks, order and search survive. NULL: no project. FALSE with an error if it cannot be read. */
gboolean ssui_run_table_load (SsuiRunTable *self, SsappStore *store, GError **error);
/* The same soon: once for changes that come together, and seldom where reading takes long. Signal "message" (const
 * char *) where it failed. */
void ssui_run_table_queue_load (SsuiRunTable *self, SsappStore *store);
/* Shows what the text says (app/session/ssapp-run-filter.h); FALSE with an error: nothing changes. */
gboolean ssui_run_table_set_filter (SsuiRunTable *self, const char *text, GError **error);
/* Sorted by a column that has such a name, "" as they come; FALSE with an error: nothing changes. */
gboolean ssui_run_table_sort (SsuiRunTable *self, const char *name, gboolean is_descending, GError **error);
GStrv ssui_run_table_dup_checked (SsuiRunTable *self);                  /* ids, newest first             */
void ssui_run_table_check (SsuiRunTable *self, const char *const *ids); /* exactly these                 */
void ssui_run_table_check_shown (SsuiRunTable *self);                   /* all that are shown too        */
guint ssui_run_table_get_n_runs (SsuiRunTable *self);
guint ssui_run_table_get_n_shown (SsuiRunTable *self);
guint ssui_run_table_get_n_checked (SsuiRunTable *self);
/* Ticked runs, else the one under the cursor; comma-separated, "" if none. */
char *ssui_run_table_dup_chosen (SsuiRunTable *self);
void ssui_run_table_set_compact (SsuiRunTable *self, gboolean compact); /* without iterations and start time */
/* Runs of a study are one line, which unfolds; then it has columns of what varies. */
void ssui_run_table_set_grouped (SsuiRunTable *self, gboolean is_grouped);
/* With columns of the parameters and options in which the runs shown differ. */
void ssui_run_table_set_differing (SsuiRunTable *self, gboolean is_differing);

G_END_DECLS
