/* ui/canvas/ssui-follow-menu.h: the menu beside the layers: the body that the view follows, and whose contact forces
 * are drawn. Tests: tests/ui/test_motion.py, tests/ui/test_forces.py */
#pragma once

#include <gtk/gtk.h>

#include "app/session/ssapp-run.h"

/* The bodies of the run, of which NULL has none. */
void ssui_follow_menu_fill (GtkWidget *button, SsappRun *run);
