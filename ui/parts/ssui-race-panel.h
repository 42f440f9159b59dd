/* ui/parts/ssui-race-panel.h: the members of a race, a row each: when each ran, what came of it, in words why it did
 * not win, and above them why the winner did. A row whose answer was kept opens it (win.open-run); one that works can
 * be stopped alone (win.stop-member). */
#pragma once

#include <gtk/gtk.h>

#include "app/session/ssapp-run.h"

G_BEGIN_DECLS

#define SSUI_TYPE_RACE_PANEL (ssui_race_panel_get_type ())
G_DECLARE_FINAL_TYPE (SsuiRacePanel, ssui_race_panel, SSUI, RACE_PANEL, GtkWidget)

/* Shows the race of this run as it is now; hidden where it has none. The run is not kept; NULL is allowed. */
void ssui_race_panel_show (SsuiRacePanel *self, SsappRun *run);

G_END_DECLS
