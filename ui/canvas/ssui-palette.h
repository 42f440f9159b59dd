/* ui/canvas/ssui-palette.h: the tools over the canvas in as many columns as its height asks for. Tests:
 * tests/ui/test_four_bar.py */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* `palette`, a box over the overlay's child at its top left, lays its children out so from here on. */
void ssui_palette_attach (GtkOverlay *overlay, GtkWidget *palette);

G_END_DECLS
