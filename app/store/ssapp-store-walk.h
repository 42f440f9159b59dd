/* app/store/ssapp-store-walk.h: all rows of a table in one pass, with the checksums of their parts; for the parts of
 * the store.
 *
 * Rows, what belongs to them and their checksums are read side by side in the order of the rows' numbers, so that
 * nothing but one row is held, and a row is read once whatever is asked of it. Tests: tests/cli/test-damage.sh,
 * tests/store/test-store.c
 */
#pragma once

#include "app/store/ssapp-store-sum.h"

G_BEGIN_DECLS

/* A row: its number, and its columns as they were asked for. */
typedef void (*SsappWalkRowFunc) (gint64 number, sqlite3_stmt *row, gpointer data);
/* The state of a part of a row; with an id of NULL of a number that no row of the table has. */
typedef void (*SsappWalkStateFunc) (gint64 number, const char *id, const SsappStorePart *part, SsappSumState state,
                                    gpointer data);

typedef struct {
  const char *of;           /* the table */
  const char *const *parts; /* names of those that are compared */
  guint n_parts;
  const char *columns; /* of the table, that `on_row` sees; NULL: none */
  SsappWalkRowFunc on_row;
  SsappWalkRowFunc on_part;    /* a row of a part that is not in the table itself: its first column is the number, then
                             * come the part's; NULL: none sees it. After the row that it belongs to */
  SsappWalkStateFunc on_state; /* after those of the part */
} SsappWalk;

/* Goes over all rows, those that were removed too. A project without checksums has no states. FALSE with an error. */
gboolean ssapp_store_walk (SsappStore *self, const SsappWalk *walk, gpointer data, GError **error);

/* Tells the states of runs of which one of these parts is not sound, and of numbers that no run
 * has. Of a part that was sound in all runs nothing is read until this program or another one has written in the
 * project. */
gboolean ssapp_store_walk_unsound (SsappStore *self, const char *const *parts, guint n_parts,
                                   SsappWalkStateFunc on_state, gpointer data, GError **error);

/* Rows of the table `of` (sketch, study, comparison) that have a checksum and are gone, as "missing-NUMBER"; of char *,
 * owned, empty: none, or they cannot be read. */
GPtrArray *ssapp_store_list_gone (SsappStore *self, const char *of);

G_END_DECLS
