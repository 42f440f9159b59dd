/* ui/canvas/ssui-plot-buttons.h: the button beside each channel plot, with its menu: order, axis, range, removal.
 * Tests: tests/ui/test_channels.py */
#pragma once

#include <gtk/gtk.h>

#include "app/draw/ssapp-channel-stack.h"

/* Makes or removes children of `parent` until `buttons` (of GtkWidget) has one a plot, and gives each its menu and
 * name. */
void ssui_plot_buttons_update (GtkWidget *parent, GPtrArray *buttons, const SsappChannelPlots *plots,
                               const SsappChannelStack *stack);
