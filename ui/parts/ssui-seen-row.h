/* ui/parts/ssui-seen-row.h: rows of a list that scrolls, which draw nothing while they are out of sight: GTK 4.8 keeps
 * what every row of a list draws, and goes through it with each frame of the window. Threads: main thread only. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define SSUI_TYPE_SEEN_ROW (ssui_seen_row_get_type ())
G_DECLARE_FINAL_TYPE (SsuiSeenRow, ssui_seen_row, SSUI, SEEN_ROW, GtkListBoxRow)

GtkWidget *ssui_seen_row_new (void);
/* Rows of this list, which lies in a scrolled window from now on, are drawn when they come into sight. */
void ssui_seen_rows_watch (GtkListBox *list);

G_END_DECLS
