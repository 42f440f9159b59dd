/* app/ssapp-store-private.h: shared by the two halves of the store (writing, reading). Not for others. */
#pragma once

#include "app/ssapp-store.h"

#include <sqlite3.h>

G_BEGIN_DECLS

struct _SsappStore {
  GObject parent_instance;
  char *path;
  sqlite3 *db; /* NULL when closed */
  gboolean is_read_only;
  gint64 format;       /* of the file: that of this version, unless it is read-only */
  GPtrArray *pending;  /* of Pending: rows to be written with the next flush */
  gint64 last_flush;   /* monotonic [us] */
  guint timer;         /* flush soon; 0 when not armed */
  GPtrArray *followed; /* of SsappJob: owned until they end */
};

/* Error of the last call on the database: "cannot <what>: FILE: ...". */
void ssapp_store_set_error (SsappStore *self, GError **error, const char *what);
/* NULL and an error when the statement cannot be prepared. */
sqlite3_stmt *ssapp_store_prepare (SsappStore *self, const char *sql, GError **error);
/* Runs a statement that returns no rows, and finalizes it. */
gboolean ssapp_store_finish_statement (SsappStore *self, sqlite3_stmt *statement, const char *what, GError **error);
/* FALSE with an error when the store was closed. */
gboolean ssapp_store_check_open (SsappStore *self, GError **error);
/* The same, and with an error when the project is read-only. */
gboolean ssapp_store_check_writable (SsappStore *self, GError **error);
gboolean ssapp_store_execute (SsappStore *self, const char *sql, const char *what, GError **error);
/* Ends a transaction: commits, or rolls back when something in it failed or the commit itself does. */
gboolean ssapp_store_end_transaction (SsappStore *self, gboolean ok, const char *what, GError **error);
void ssapp_store_bind_text (sqlite3_stmt *s, int index, const char *text); /* NULL counts as "" */
void ssapp_store_bind_now (sqlite3_stmt *s, int index);
/* Rows that wait for the next flush; `flush_if_due` writes now or arms the timer. */
void ssapp_store_queue_iteration (SsappStore *self, const char *id, const SsappIteration *iteration);
void ssapp_store_queue_motion (SsappStore *self, const char *id, const char *role, int iteration,
                               const SsTrajectory *trajectory);
gboolean ssapp_store_flush_if_due (SsappStore *self, GError **error);
/* Signal "write-failed" with the error's message; takes `error`, NULL is allowed. */
void ssapp_store_report_failure (SsappStore *self, GError *error);

G_END_DECLS
