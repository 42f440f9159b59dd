/* ui/parts/ssui-clicks.h: no click is lost to motions that GTK makes up.
 *
 * After a change of the layout GTK 4.8 makes up a motion at the next frame, with the pointer and the buttons as they
 * are then. Two of them lose clicks.
 * A popover that was closed by a key may still wait for one. It comes to the hidden popover when the pointer is where
 * that was, and the window then knows of nothing below the pointer: a press before the next true motion goes nowhere.
 * Where a frame took longer than a click, the press is handled, the release still waits, and the made-up motion says
 * that nothing is pressed: gestures take the press for taken away and give the click up. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Once, at the start. Every popover of the program that was closed gives its surface back, with what that waits for;
 * made-up motions that deny a press reach nothing in any window or popover. */
void ssui_guard_clicks (void);

G_END_DECLS
