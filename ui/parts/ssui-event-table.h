/* ui/parts/ssui-event-table.h: the events of the runs on show as a table: time, kind with its mark, contact, impulse.
 * The row at the cursor is selected; a click or Enter goes to its time, the context menu of a row says
 * what moves it. */
#pragma once

#include <adwaita.h>

#include "app/session/ssapp-run.h"

G_BEGIN_DECLS

#define SSUI_TYPE_EVENT_TABLE (ssui_event_table_get_type ())
G_DECLARE_FINAL_TYPE (SsuiEventTable, ssui_event_table, SSUI, EVENT_TABLE, GtkWidget)

/* Signal "event-activated" (double time): by the clock by which the runs are told. */

GtkWidget *ssui_event_table_new (void);
void ssui_event_table_set_runs (SsuiEventTable *self, GPtrArray *runs); /* of SsappRun; read anew at each call */
void ssui_event_table_set_time (SsuiEventTable *self, double time);     /* marks the row there                 */
void ssui_event_table_copy (SsuiEventTable *self);                      /* what is shown, to the clipboard     */

G_END_DECLS
