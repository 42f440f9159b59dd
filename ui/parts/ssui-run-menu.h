/* ui/parts/ssui-run-menu.h: the context menu of a run: where it comes from, making it once more, its command line. By
 * right click, long press, the Menu key and Shift+F10. Tests: tests/ui/test_provenance.py */
#pragma once

#include <adwaita.h>

#include "app/session/ssapp-run.h"

G_BEGIN_DECLS

/* Those of one run, and, where it has derivatives, What Moves This?; NULL while there is nothing to be done with it. */
GMenuModel *ssui_run_menu_of (SsappRun *run);
/* What Moves This? alone, of the event of a run at time t [s]; NULL where it has no derivatives. */
GMenuModel *ssui_run_menu_of_event (SsappRun *run, double t);
/* The menu at a place of the widget, new; NULL: none there. */
typedef GMenuModel *(*SsuiRunMenuAt) (GtkWidget *widget, double x, double y);
/* `widget` is one whose layout places popovers, as those of boxes do. */
void ssui_run_menu_attach (GtkWidget *widget, SsuiRunMenuAt menu);

G_END_DECLS
