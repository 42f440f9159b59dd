/* ui/window/ssui-table-window.h: a window with one table, to be read. Looked at in tests/ui/test_reference.py */
#pragma once

#include <adwaita.h>

#include "app/base/ssapp-table.h"

G_BEGIN_DECLS

/* Takes the table. The window goes with its parent. */
void ssui_table_window_present (GtkWindow *parent, const char *title, SsappTable *table);

G_END_DECLS
