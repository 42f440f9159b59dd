/* ui/parts/ssui-run-menu.h: the context menu of a run: where it comes from, making it once more, its command line. By
 * right click, long press, the Menu key and Shift+F10. Tests: tests/ui/test_provenance.py */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

/* Ids of the runs that are meant, comma-separated, "" for none; g_free. */
typedef char *(*SsuiRunMenuIds) (GtkWidget *widget);

/* The commands for these runs, to be a section of any menu; new. */
GMenuModel *ssui_run_menu_new (const char *ids);
/* `widget` is one whose layout places popovers, as those of boxes do. */
void ssui_run_menu_attach (GtkWidget *widget, SsuiRunMenuIds ids);

G_END_DECLS
