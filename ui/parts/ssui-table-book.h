/* ui/parts/ssui-table-book.h: several tables of the program, one of which is shown: chosen by name above it, its notes
 * below it. */
#pragma once

#include <adwaita.h>

#include "app/base/ssapp-table.h"

G_BEGIN_DECLS

#define SSUI_TYPE_TABLE_BOOK (ssui_table_book_get_type ())
G_DECLARE_FINAL_TYPE (SsuiTableBook, ssui_table_book, SSUI, TABLE_BOOK, GtkWidget)

/* `name`: for people who do not see it. */
GtkWidget *ssui_table_book_new (const char *name);
/* Takes the tables of the array (of SsappTable with its free function; the array is emptied). The place among the
 * tables stays where there are as many as before. */
void ssui_table_book_load (SsuiTableBook *self, GPtrArray *tables);
/* The table on show; borrowed, NULL: there is none. */
const SsappTable *ssui_table_book_get_shown (SsuiTableBook *self);

/* A menu button for what is taken away: copies of a table by `copy_action` (s: the format's name), then `more`.
 * `name`: for people who do not see it. */
GtkWidget *ssui_table_take_new (const char *copy_action, GMenuModel *more, const char *tooltip, const char *name);

G_END_DECLS
