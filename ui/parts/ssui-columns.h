/* ui/parts/ssui-columns.h: columns of a GtkColumnView: a cell is made once and filled with the row that comes to stand
 * there. Main thread. Tests: tests/ui/test_motion.py, test_log.py, test_compare.py, test_impact.py */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* What makes and fills the cells of a table. `item`: the row, of its model; `data`: the table, which outlives the
 * view. */
typedef struct {
  GtkWidget *(*make) (guint column, gpointer data);
  void (*fill) (GtkWidget *cell, gpointer item, guint column, gpointer data);
  const char *updated; /* signal of an item after which its cells are filled anew; NULL: none */
} SsuiCells;

/* Adds the column at the right; returns it, borrowed. */
GtkColumnViewColumn *ssui_columns_add (GtkColumnView *view, const char *title, guint column, gboolean expands,
                                       const SsuiCells *cells, gpointer data);
void ssui_columns_clear (GtkColumnView *view);
/* The item of the row at a place of the view; borrowed, NULL: there is none. */
gpointer ssui_columns_pick (GtkColumnView *view, double x, double y);
/* A label in digits of one width, numbers at the right; `with_mark`: in a box behind the mark of a method. */
GtkWidget *ssui_cell_new (gboolean is_number, gboolean with_mark);

G_END_DECLS
