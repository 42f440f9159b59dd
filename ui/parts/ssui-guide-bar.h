/* ui/parts/ssui-guide-bar.h: one step of a tutorial in words, with where it stands, Skip and End; the button to use is
 * framed. What steps there are and when one is done: app/session/ssapp-tutorial.h. Tests: tests/ui/test_welcome.py */
#pragma once

#include <adwaita.h>

#include "app/session/ssapp-tutorial.h"

G_BEGIN_DECLS

#define SSUI_TYPE_GUIDE_BAR (ssui_guide_bar_get_type ())
G_DECLARE_FINAL_TYPE (SsuiGuideBar, ssui_guide_bar, SSUI, GUIDE_BAR, GtkWidget)

/* Shows the guide's step, its end, or hides where there is no tutorial. Buttons: win.tutorial, win.tutorial-skip,
 * win.tutorial-end. */
void ssui_guide_bar_show (SsuiGuideBar *self, const SsappGuide *guide);
/* Frames the buttons of that detailed action below `root` and no others; NULL: none. */
void ssui_guide_bar_point_at (GtkWidget *root, const char *detailed_action);

G_END_DECLS
