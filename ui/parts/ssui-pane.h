/* ui/parts/ssui-pane.h: the border between two panes, where the user puts it and where it stays: as a share of the
 * whole, so that it survives another size of the window, in the settings where they are installed. */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

/* From now on the border is kept: in the settings' key (a double; 0 = not chosen yet) where there is a schema with it,
 * else as long as the widget lives. `usual`: share of the first pane where none was chosen. While the panes lie along
 * the other orientation than now, as in a narrow window, it is left alone. */
void ssui_pane_keep (GtkPaned *paned, const char *key, double usual);
/* The border takes no press while one of the two panes is hidden: GTK 4.8 goes on where it was last. Panes that are
 * kept need no call. */
void ssui_pane_guard (GtkPaned *paned);
void ssui_pane_set_share (GtkPaned *paned, double share); /* 0.05 to 0.95 */
/* Another usual share, where the user has chosen none. */
void ssui_pane_set_usual (GtkPaned *paned, double usual);

G_END_DECLS
