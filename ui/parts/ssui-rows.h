/* ui/parts/ssui-rows.h: many rows of one height below a header, of which only those on show have a widget.
 *
 * Goes into a scrolled window. Whoever has it makes and fills the rows. Keys: arrows, Page Up, Page Down, Home and End
 * move the cursor, Return activates, Space toggles, Right and Left unfold and fold, Menu or Shift+F10 asks for a menu,
 * Ctrl+A takes all.
 * GtkColumnView keeps 200 rows of widgets at any time and fills all of them anew at each change, which is what this is
 * here to avoid.
 */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define SSUI_TYPE_ROWS (ssui_rows_get_type ())
G_DECLARE_FINAL_TYPE (SsuiRows, ssui_rows, SSUI, ROWS, GtkWidget)

/* Signals: "cursor-changed" (); "activated" (guint); "toggled" (guint); "unfolded" (guint, gboolean is_right), TRUE
 * where it was done; "take-all" (); "menu" (double x, double y), of the row under the cursor. */

typedef GtkWidget *(*SsuiRowsMake) (gpointer data);
typedef void (*SsuiRowsBind) (GtkWidget *row, guint position, gpointer data);

/* `data` must outlive it; before ssui_rows_set_n. */
void ssui_rows_set_factory (SsuiRows *self, SsuiRowsMake make, SsuiRowsBind bind, gpointer data);
/* Stays at the top; moves sideways with the rows. Taken. */
void ssui_rows_set_header (SsuiRows *self, GtkWidget *header);
/* Least width of header and rows [px]: below it they scroll sideways. */
void ssui_rows_set_least_width (SsuiRows *self, int width);
/* So many rows, all other ones: those on show are filled again. */
void ssui_rows_set_n (SsuiRows *self, guint n);
/* The rows on show are filled again. */
void ssui_rows_refresh (SsuiRows *self);

#define SSUI_ROWS_NONE G_MAXUINT
/* The row under the cursor, SSUI_ROWS_NONE without one. */
guint ssui_rows_get_cursor (SsuiRows *self);
/* Moves it without a signal; `is_seen`: scrolls to it. */
void ssui_rows_set_cursor (SsuiRows *self, guint position, gboolean is_seen);

G_END_DECLS
