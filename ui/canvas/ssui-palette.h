/* ui/canvas/ssui-palette.h: the tools beside the canvas, in as many columns as its height asks for. Tests:
 * tests/ui/test_walk.py */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* `row`, a box of two children, lays them out so from here on: the tools at the left, of one column where their least
 * height has room, what is left to the sheet at the right. */
void ssui_palette_attach (GtkWidget *row);

G_END_DECLS
