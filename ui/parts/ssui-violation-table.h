/* ui/parts/ssui-violation-table.h: what the runs on show violate most, the largest first: a click or Enter goes to the
 * row's body and time. The rows are found by app/session/ssapp-violation-list.h. */
#pragma once

#include <adwaita.h>

#include "app/session/ssapp-violation-list.h"

G_BEGIN_DECLS

#define SSUI_TYPE_VIOLATION_TABLE (ssui_violation_table_get_type ())
G_DECLARE_FINAL_TYPE (SsuiViolationTable, ssui_violation_table, SSUI, VIOLATION_TABLE, GtkWidget)

/* Activates the window's action go-to-violation with the row's number. */

SsappViolationList *ssui_violation_table_get_list (SsuiViolationTable *self); /* borrowed */

G_END_DECLS
