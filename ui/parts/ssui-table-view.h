/* ui/parts/ssui-table-view.h: any table of the program (app/base/ssapp-table.h) to look at: sorted by a click on a
 * title, rows marked, rows opened. */
#pragma once

#include <adwaita.h>

#include "app/base/ssapp-table.h"
#include "run/ss-method.h"

G_BEGIN_DECLS

#define SSUI_TYPE_TABLE_VIEW (ssui_table_view_get_type ())
G_DECLARE_FINAL_TYPE (SsuiTableView, ssui_table_view, SSUI, TABLE_VIEW, GtkWidget)

/* Signals: "marked" (guint row): somebody chose a row. Rows are those of the table, whatever the order on show. */

/* The method of a row, whose mark stands before its first column; look -1: that of the method. */
typedef void (*SsuiTableMark) (guint row, SsMethodId *method, int *look, gpointer data);

/* `name`: for people who do not see it. */
GtkWidget *ssui_table_view_new (const char *name);
/* Takes the table; NULL: an empty one. What is sorted stays sorted as long as the columns are the same. */
void ssui_table_view_load (SsuiTableView *self, SsappTable *table);
const SsappTable *ssui_table_view_get_table (SsuiTableView *self); /* nullable, borrowed */
/* Its id, borrowed; NULL: it is no stored run. */
typedef const char *(*SsuiTableRun) (guint row, gpointer data);
/* Methods of rows; a last column of texts is of outcomes, shown as chips. Return and two clicks open the run of a row;
 * rows have the context menu of their runs. Before the first table. */
void ssui_table_view_set_runs (SsuiTableView *self, SsuiTableMark mark, SsuiTableRun run, gpointer data);
/* Marks these rows and no others, and brings the first of them into view; emits nothing. */
void ssui_table_view_mark (SsuiTableView *self, const guint *rows, guint n);

G_END_DECLS
