/* ui/canvas/ssui-cursor-popover.h: what lies between both cursors of plots: differences, means, extremes, spectrum. */
#pragma once

#include <adwaita.h>

#include "app/draw/ssapp-channel-span.h"

G_BEGIN_DECLS

/* Of spans of at least one channel (ssapp_channel_spans), open at that x of a widget, whose child it is. */
GtkWidget *ssui_cursor_popover_show (const GArray *spans, GtkWidget *parent, int x);

G_END_DECLS
