/* ui/parts/ssui-ways-box.h: below the reasons of a plan that failed: what would make it solvable, a row a change with a
 * button that applies it to the sketch (win.apply-way), and Play It by Hand (win.play-by-hand). Hidden where a run has
 * no ways on. Tests: tests/ui/test_ways_on.py */
#pragma once

#include <gtk/gtk.h>

#include "app/session/ssapp-run.h"

G_BEGIN_DECLS

#define SSUI_TYPE_WAYS_BOX (ssui_ways_box_get_type ())
G_DECLARE_FINAL_TYPE (SsuiWaysBox, ssui_ways_box, SSUI, WAYS_BOX, GtkBox)

/* Shows what the run's result has now; run is borrowed for the call. */
void ssui_ways_box_show (SsuiWaysBox *self, SsappRun *run);

G_END_DECLS
