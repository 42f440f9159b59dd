/* app/store/ssapp-store-private.h: shared by the parts of the store: opening, upgrading, writing, reading.
 * Not for others. */
#pragma once

#include "app/store/ssapp-store.h"

#include <gio/gio.h>
#include <jansson.h>
#include <sqlite3.h>
#include <sys/stat.h>

G_BEGIN_DECLS

enum { SSAPP_STORE_RETRY_US = 5000 }; /* between two attempts while another process is at the file */

/* Which file a journal is: SQLite knows it by name only. */
enum { SSAPP_STORE_N_JOURNALS = 2 }; /* write-ahead log, its index */
typedef struct {
  dev_t device;
  ino_t inode; /* 0: not known */
} SsappStoreJournal;

/* Which task of a study a run answers that is being recorded. Borrowed. */
typedef struct {
  const char *study, *key, *task;
} SsappStoreClaim;

/* The file is being written anew in a thread, by a connection of its own. */
typedef struct {
  SsappStore *own; /* that connection; nothing else of it is used */
  gint is_stopped; /* atomic: asked for by a write, a cancel or closing */
  GThread *thread; /* NULL: it is done by the caller */
  GTask *task;
  GSource *ended; /* attached by the thread at its end */
  gulong cancelled;
  gboolean ok; /* that and the error: of the thread until it has ended */
  GError *error;
} SsappStoreCompacting;

struct _SsappStore {
  GObject parent_instance;
  char *path;       /* as it was named, for messages */
  char *file;       /* absolute */
  sqlite3 *db;      /* NULL when closed */
  GHashTable *idle; /* statements that were made and wait for their next use, by their text; owned */
  int handle;       /* on the file that was opened, whatever its name is now; -1: none, as for one that is only read */
  SsappStoreJournal journals[SSAPP_STORE_N_JOURNALS];
  char *loss; /* what became of the file, "was deleted"; NULL while it is where it was */
  gboolean is_read_only;
  gboolean has_no_journal; /* its write-ahead log is begun by the first write */
  gboolean has_sums;       /* of format 7 or later: see ssapp-store-sum.h */
  int patience;            /* [ms], see ssapp_store_set_patience                 */
  gboolean is_whole;       /* its pages and tables were checked, all of them */
  gboolean has_written;    /* runs, notes, scenarios, since it was opened */
  gboolean lacked_memory;  /* SQLite had none, and no error has told so */
  gboolean is_closing;
  gboolean (*close) (SsappStore *self, GError **error); /* of one that was opened: called when nobody has it any more */
  GPtrArray *pending;    /* of rows to be written with the next flush; owned where the project was opened */
  GHashTable *unended;   /* set of ids: runs recorded here that have no result yet */
  gint64 last_flush;     /* monotonic [us] */
  guint timer;           /* flush soon; 0 when not armed */
  guint watch;           /* looks whether the file is still there, while runs go on; 0 when none does */
  guint others_watch;    /* looks for what others write; 0: nobody asked for it */
  gint64 others_version; /* of the database, as it was at the last look */
  guint n_looks;
  GHashTable *sound;                /* parts that were found sound in all runs, to when that was (ssapp-store-sum.c) */
  GPtrArray *followed;              /* of SsappJob: owned until they end */
  SsappStoreCompacting *compacting; /* NULL: the file is not being written anew */
  const SsappStoreClaim *claim;     /* of the run that is being recorded; NULL: it is of no study */
};

/* Before opening: where another project was replaced by this file and is still written, waits until its writer has
 * noticed; FALSE with BUSY when it does not. Its journal would be taken for this file's. */
gboolean ssapp_store_wait_for_others (const char *path, GError **error);
gboolean ssapp_store_is_same_file (const struct stat *a, const struct stat *b);
/* Remembers which file was opened. */
gboolean ssapp_store_remember_file (SsappStore *self, GError **error);
void ssapp_store_forget_file (SsappStore *self);
/* FALSE with MOVED when the file is no longer where it was opened; from then on it stays so, and nothing is written. */
gboolean ssapp_store_check_place (SsappStore *self, GError **error);
/* Pages and rows of a table, NULL: of all: FALSE with DAMAGED where they contradict each other. */
gboolean ssapp_store_check_structure (SsappStore *self, const char *table, GError **error);
/* Uses a write-ahead log from now on. */
gboolean ssapp_store_begin_journal (SsappStore *self, GError **error);
/* A thread that writes the file anew gives up soon; nothing where there is none. */
void ssapp_store_stop_compacting (SsappStore *self);
/* The same, and waits for its end. */
void ssapp_store_end_compacting (SsappStore *self);
/* Begins a transaction that writes, the first time after a check of all tables: FALSE when the project is closed,
 * read-only, damaged or no longer there. */
gboolean ssapp_store_begin (SsappStore *self, const char *what, GError **error);
/* Whether the file at `file` (said as `path`) may be replaced: FALSE with an error where it is a folder or somebody has
 * it open. Its journals, which would be taken for the new file's, are removed. */
gboolean ssapp_store_make_way (SsappStore *self, const char *path, const char *file, GError **error);
void ssapp_store_remove_journals (const char *file);
/* Closes running rows whose owner is gone as interrupted; *n (nullable): how many. */
gboolean ssapp_store_adopt_orphans (SsappStore *self, guint *n, GError **error);
/* Signal "changed". */
void ssapp_store_tell_changed (SsappStore *self);

/* A query of runs; `rest` follows the columns. To be ended. */
sqlite3_stmt *ssapp_store_select_runs (SsappStore *self, const char *rest, GError **error);
/* The run that such a statement has now, without its metrics; ssapp_run_row_free. */
SsappRunRow *ssapp_store_run_row_new (sqlite3_stmt *s);
/* Takes the words of what is not sound; NULL: it is sound. */
void ssapp_store_mark_damaged (SsappRunRow *row, char *words);

/* Reading several statements of one state of the file: TRUE where it began one, to be given back. */
gboolean ssapp_store_begin_read (SsappStore *self);
void ssapp_store_end_read (SsappStore *self, gboolean has_begun);
/* What SQLite finds wrong with the file itself, in visible words, g_free; *fault is NULL: nothing. An index that lacks
 * rows leads to other runs than the rows would. FALSE with an error. */
gboolean ssapp_store_find_file_fault (SsappStore *self, char **fault, GError **error);

/* Error of the last call on the database: "cannot <what>: FILE: ...". */
void ssapp_store_set_error (SsappStore *self, GError **error, const char *what);
/* FALSE with MEMORY where SQLite had none since reading began and no error told so: what looks damaged then may be
 * whole. Asked before damage is told, and before a list of what was read is given away. */
gboolean ssapp_store_had_memory (SsappStore *self, GError **error);
/* A statement without values, to be given back to ssapp_store_end_statement, which keeps it for the next that asks for
 * the same text: to make one takes longer than most of them run. NULL and an error when it cannot be prepared. */
sqlite3_stmt *ssapp_store_prepare (SsappStore *self, const char *sql, GError **error);
void ssapp_store_end_statement (SsappStore *self, sqlite3_stmt *statement); /* NULL is allowed */
/* Ends all statements and the connection. */
void ssapp_store_close_database (SsappStore *self);
/* Another connection on the file of one that is open, as the flags of SQLite say; it looks after nothing: no journal,
 * no place, no runs whose owner is gone. Never NULL; one that could not be opened tells so at its first use. */
SsappStore *ssapp_store_new_beside (SsappStore *self, int flags);
/* Runs a statement that returns no rows, and ends it. */
gboolean ssapp_store_finish_statement (SsappStore *self, sqlite3_stmt *statement, const char *what, GError **error);
/* FALSE with an error when the store was closed. */
gboolean ssapp_store_check_open (SsappStore *self, GError **error);
/* The same, and with an error when the project is read-only. */
gboolean ssapp_store_check_writable (SsappStore *self, GError **error);
/* Adds a text to those of scenarios, where it is not among them; its hash, g_free. Within a transaction. */
gboolean ssapp_store_insert_text (SsappStore *self, const char *text, char **sha256, GError **error);
gboolean ssapp_store_execute (SsappStore *self, const char *sql, const char *what, GError **error);
/* Ends a transaction: commits, or rolls back when something in it failed, the commit itself does, or the file is no
 * longer where it was. */
gboolean ssapp_store_end_transaction (SsappStore *self, gboolean ok, const char *what, GError **error);
void ssapp_store_bind_text (sqlite3_stmt *s, int index, const char *text); /* NULL counts as "" */
void ssapp_store_bind_real (sqlite3_stmt *s, int index, double value);     /* NULL where it is not finite */
void ssapp_store_bind_now (sqlite3_stmt *s, int index);
/* Steps the statement, which goes on: TRUE with a row, or (`has_row` FALSE) at the end; else an error of `what`. */
gboolean ssapp_store_step (SsappStore *self, sqlite3_stmt *statement, gboolean *has_row, const char *what,
                           GError **error);
/* The statement with `id`, which must live as long, bound to its first parameter; NULL with an error when the store was
 * closed. */
sqlite3_stmt *ssapp_store_prepare_for (SsappStore *self, const char *sql, const char *id, GError **error);
double ssapp_store_column_real (sqlite3_stmt *statement, int column); /* NaN for NULL */
char *ssapp_store_column_text (sqlite3_stmt *statement, int column);  /* copied; "" for NULL */
/* First column of a query's only row. */
gboolean ssapp_store_read_integer (SsappStore *self, const char *sql, gint64 *value, GError **error);

/* Within a transaction: the run answers that task of a study. FALSE with TAKEN where another does. */
gboolean ssapp_store_claim_task (SsappStore *self, const SsappStoreClaim *claim, const char *run_id, GError **error);

/* Switches off what a file may bring with it that acts: triggers, views, functions with side effects. */
void ssapp_store_harden (sqlite3 *db);
/* Whether the tables of `schema` are those of a format and there is nothing else; else FALSE with FOREIGN, which names
 * what is not ours in the file said as `path`. */
gboolean ssapp_store_check_schema (SsappStore *self, const char *schema, const char *path, gint64 format,
                                   GError **error);
/* An empty project of that format without a file. */
SsappStore *ssapp_store_new_in_memory (gint64 format, GError **error);
/* Runs the scripts that lead from one format to another, within the caller's transaction. */
gboolean ssapp_store_make_format (SsappStore *self, gint64 from, gint64 to, GError **error);
/* FALSE with DAMAGED where that part of the run is not as it was summed (ssapp-store-sum.h). */
gboolean ssapp_store_check_part (SsappStore *self, const char *id, const char *part, GError **error);

/* Brings the file to the format of this version, from nothing or from an older one: in one transaction, so that after a
 * failure it is as before. */
gboolean ssapp_store_upgrade (SsappStore *self, GError **error);
/* A file of an older format that may not be changed: temporary tables show it in the present one to all queries. */
gboolean ssapp_store_read_older (SsappStore *self, gint64 format, GError **error);
/* The results of runs in `schema`, a project of that format, as the temporary view run_result, where that format has
 * them in the rows of runs. `schema` "": wherever runs are. */
gboolean ssapp_store_show_results (SsappStore *self, const char *schema, gint64 format, GError **error);
/* Metrics (those of the table judge/ss-metric.h) and events of a result as rows of the run of that number,
 * within the caller's transaction. NULL for a result that cannot be read: no rows. */
gboolean ssapp_store_write_result_rows (SsappStore *self, gint64 run, const json_t *result, GError **error);

/* What was asked of the run, in the place of what has that name; within the caller's transaction. */
gboolean ssapp_store_write_outcomes (SsappStore *self, const char *id, const json_t *outcomes, GError **error);

/* Rows that wait for the next flush; `flush_if_due` writes now if the last write is long ago, else soon; `retry` after
 * a flush that failed: later once more. */
void ssapp_store_row_free (gpointer row);
void ssapp_store_queue_log (SsappStore *self, const char *id, double t, int level, const char *text);
/* The end of a run: with a result, or with outcome and message. */
void ssapp_store_queue_end (SsappStore *self, const char *id, const char *result_json, const char *outcome,
                            const char *message);
void ssapp_store_retry (SsappStore *self);
/* A local solution as a run of that id; its result names the run with the answer, which was recorded. */
void ssapp_store_queue_solution (SsappStore *self, const char *id, const char *result_json);
/* Empties the journal into the file if nothing waits to be written in a moment. */
void ssapp_store_tidy_soon (SsappStore *self);
void ssapp_store_queue_iteration (SsappStore *self, const char *id, const SsappIteration *iteration);
void ssapp_store_queue_motion (SsappStore *self, const char *id, const SsappMotionKey *key, double share,
                               const SsTrajectory *trajectory);
gboolean ssapp_store_flush_if_due (SsappStore *self, GError **error);
/* Signal "write-failed" with the error's message, unless "lost" told it; takes `error`, NULL is allowed. */
void ssapp_store_report_failure (SsappStore *self, GError *error);

/* ---- pictures under sketches (ssapp-store-picture.c), within the caller's transaction where they write ---- */
/* A view as it is kept: its picture is in a table of its own, and the view names it. g_free; NULL with an error. */
char *ssapp_store_put_picture (SsappStore *self, const char *view, GError **error);
/* Such a view with the picture in it; one that is missing or damaged stays a name. g_free; NULL with an error. */
char *ssapp_store_take_picture (SsappStore *self, const char *view, GError **error);
/* Removes those that no view names; none while a view cannot be read. */
gboolean ssapp_store_forget_pictures (SsappStore *self, GError **error);
/* Views that have their picture in them, as before format 11. */
gboolean ssapp_store_move_pictures (SsappStore *self, GError **error);
/* Those that sketches name which came from the project that is attached as `other`. */
gboolean ssapp_store_copy_pictures (SsappStore *self, GError **error);
/* Tells ids of sketches whose picture is missing or damaged; NULL: a picture that no sketch has. */
typedef void (*SsappStorePictureFunc) (const char *id, gpointer data);
gboolean ssapp_store_check_pictures (SsappStore *self, SsappStorePictureFunc on_damaged, gpointer data, GError **error);

/* ---- versions of sketches (ssapp-store-version.c), within the caller's transaction ---- */
/* The text as the newest version of the sketch; see ssapp_store_set_sketch_text. */
gboolean ssapp_store_keep_version (SsappStore *self, const char *id, const char *text, const char *what,
                                   GError **error);
/* What a sketch without versions is now becomes its first one. */
gboolean ssapp_store_begin_versions (SsappStore *self, const char *id, GError **error);

G_END_DECLS
