/* tests/ss-test-store.h: what tests of project files share. */
#pragma once

#include "app/store/ssapp-store.h"
#include "tests/ss-test.h"

#include <sqlite3.h>

/* Closes without an error. */
static inline void
close_store (SsappStore *store)
{
  SS_CHECK (ssapp_store_close (store, NULL));
  g_object_unref (store);
}

/* First column of the first row, read by SQLite alone, without the program's own opening. NULL: no row. */
static inline char *
query (const char *path, const char *sql)
{
  sqlite3 *db = NULL;
  sqlite3_stmt *s = NULL;
  char *text = NULL;

  if (sqlite3_open_v2 (path, &db, SQLITE_OPEN_READWRITE, NULL) == SQLITE_OK &&
      sqlite3_prepare_v2 (db, sql, -1, &s, NULL) == SQLITE_OK && sqlite3_step (s) == SQLITE_ROW)
    text = g_strdup ((const char *)sqlite3_column_text (s, 0));
  sqlite3_finalize (s);
  sqlite3_close (db);
  return text;
}

static inline void
check_query (const char *path, const char *sql, const char *expected)
{
  g_autofree char *text = query (path, sql);

  SS_CHECK_STR (text, expected);
}

/* Whether the run has the metric, if only as one that is not known. */
static inline gboolean
has_metric (const SsappRunRow *row, SsMetric metric)
{
  for (guint i = 0; i < row->n_metrics; i++)
    if (row->metrics[i].metric == metric)
      return TRUE;
  return FALSE;
}
