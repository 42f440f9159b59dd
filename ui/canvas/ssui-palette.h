/* ui/canvas/ssui-palette.h: the tools over the canvas in as many columns as its height asks for. Tests:
 * tests/ui/test_four_bar.py, tests/ui/test_robust.py */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* `palette`, a box over the overlay's child, a canvas, at its top left, lays its children out so from here on. It goes
 * below `options`, those at the top right, where both have no room beside each other. */
void ssui_palette_attach (GtkOverlay *overlay, GtkWidget *palette, GtkWidget *options);

G_END_DECLS
