/* ui/canvas/ssui-iterate-row.h: a slider over the kept iterates of optimisers, and a button that solves again from the
 * one on show. There is no row where none was kept. Actions win.iterate, win.start-from-iterate. */
#pragma once

#include <adwaita.h>

#include "app/session/ssapp-run.h"

G_BEGIN_DECLS

#define SSUI_TYPE_ITERATE_ROW (ssui_iterate_row_get_type ())
G_DECLARE_FINAL_TYPE (SsuiIterateRow, ssui_iterate_row, SSUI, ITERATE_ROW, GtkWidget)

GtkWidget *ssui_iterate_row_new (void);
void ssui_iterate_row_set_runs (SsuiIterateRow *self, GPtrArray *runs); /* of SsappRun; read anew at each call */

G_END_DECLS
