/* ui/parts/ssui-run-menu.h: context menus of runs: where they come from, making them once more, their command lines.
 * Tests: tests/ui/test_provenance.py */
#pragma once

#include <gtk/gtk.h>

#include "app/session/ssapp-run.h"

G_BEGIN_DECLS

/* New. Of a run, and, where it has derivatives, What Moves This?; NULL while there is nothing to be done with it. */
GMenuModel *ssui_run_menu_of (SsappRun *run);
/* What Moves This? alone, of the event of a run at time t [s]; NULL where it has no derivatives. */
GMenuModel *ssui_run_menu_of_event (SsappRun *run, double t);
/* Of a stored run: with opening, notes, tags. */
GMenuModel *ssui_run_menu_of_stored (const char *id);
/* Of the runs chosen in a list, ids with commas: with choosing and deleting. */
GMenuModel *ssui_run_menu_of_list (const char *ids);

G_END_DECLS
