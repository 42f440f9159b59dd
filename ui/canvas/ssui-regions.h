/* ui/canvas/ssui-regions.h: moving the keyboard focus from one region of a window to the next: F6 and Shift+F6. A
 * region is a widget with the style class "region"; which ones there are is written in the .ui files. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* direction: 1 next, -1 previous. FALSE if no region takes the focus. */
gboolean ssui_focus_region (GtkWindow *window, int direction);

G_END_DECLS
