/* app/store/ssapp-store-copy.c: see the header. */
#include "app/store/ssapp-store-copy.h"

#include "app/base/ssapp-file.h"
#include "app/base/ssapp-text.h"
#include "app/store/ssapp-store-check.h"
#include "app/store/ssapp-store-private.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

static const char what[] = "save a readable copy";
enum { MOST_TRIED = 200000 }; /* numbers between two damaged places that are asked for one by one */

void
ssapp_copied_free (SsappCopied *copied)
{
  if (copied == NULL)
    return;
  g_clear_pointer (&copied->lost, g_ptr_array_unref);
  g_clear_pointer (&copied->apart, g_ptr_array_unref);
  g_free (copied);
}

/* ---- the source -------------------------------------------------------------------------------------------------- */

/* For reading, with a schema of which some texts may make no sense. */
static SsappStore *
open_source (const char *path, GError **error)
{
  g_autoptr (SsappStore) self = g_object_new (SSAPP_TYPE_STORE, NULL);
  gint64 n = 0;

  self->path = g_strdup (path);
  self->file = g_canonicalize_filename (path, NULL);
  self->is_read_only = TRUE;
  if (!g_file_test (path, G_FILE_TEST_IS_REGULAR)) {
    g_set_error (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_NOT_FOUND, "%s: there is no such file", path);
    return NULL;
  }
  if (sqlite3_open_v2 (self->file, &self->db, SQLITE_OPEN_READONLY, NULL) != SQLITE_OK) {
    ssapp_store_set_error (self, error, what);
    return NULL;
  }
  sqlite3_extended_result_codes (self->db, 1);
  sqlite3_busy_timeout (self->db, SSAPP_STORE_BUSY_MS);
  ssapp_store_harden (self->db);
  /* Lets a schema be read in which a text is no SQL; nothing can be written by this connection. */
  sqlite3_db_config (self->db, SQLITE_DBCONFIG_DEFENSIVE, 0, NULL);
  sqlite3_exec (self->db, "PRAGMA writable_schema = ON", NULL, NULL, NULL);
  if (!ssapp_store_read_integer (self, "SELECT count(*) FROM sqlite_schema", &n, error))
    return NULL;
  return g_steal_pointer (&self);
}

/* Columns of a table; NULL where there is no such table. `key`: only those of its primary key, in their order. */
static GPtrArray *
list_columns (SsappStore *self, const char *table, gboolean key)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  sqlite3_stmt *s = ssapp_store_prepare_for (self,
                                             key ? "SELECT name FROM pragma_table_info (?1) WHERE pk > 0 ORDER BY pk"
                                                 : "SELECT name FROM pragma_table_info (?1)",
                                             table, NULL);

  while (s != NULL && sqlite3_step (s) == SQLITE_ROW)
    g_ptr_array_add (names, g_strdup ((const char *)sqlite3_column_text (s, 0)));
  ssapp_store_end_statement (self, s);
  return names->len > 0 ? g_steal_pointer (&names) : NULL;
}

static gboolean
has_column (SsappStore *self, const char *table, const char *column)
{
  g_autoptr (GPtrArray) names = list_columns (self, table, FALSE);

  return names != NULL && g_ptr_array_find_with_equal_func (names, column, g_str_equal, NULL);
}

/* By what its tables have: the number in the file may be damaged, too. 0: these are no runs. */
static int
find_format (SsappStore *source)
{
  static const struct {
    int format;
    const char *table, *column;
  } signs[] = {{11, "run_result", "result"}, {11, "picture", "png"},     {10, "sketch_version", "text"},
               {7, "checksum", "sha256"},    {6, "study", "definition"}, {5, "sketch", "text"},
               {4, "run", "solution_of"},    {3, "metric", "value"},     {2, "run", "replay_of"},
               {1, "run", "scenario_name"}};

  for (guint i = 0; i < G_N_ELEMENTS (signs); i++)
    if (has_column (source, signs[i].table, signs[i].column))
      return signs[i].format;
  return 0;
}

/* ---- rows -------------------------------------------------------------------------------------------------------- */

/* A table that is copied. */
typedef struct {
  SsappStore *source, *target;
  const char *name;
  char *columns, *up, *down; /* "a, b"; how rows are ordered either way */
  gboolean has_rowid;
  guint n_columns;
} Table;

static void
table_clear (Table *table)
{
  g_free (table->columns);
  g_free (table->up);
  g_free (table->down);
}

static char *
join (GPtrArray *names, const char *after)
{
  GString *out = g_string_new (NULL);

  for (guint i = 0; i < names->len; i++)
    g_string_append_printf (out, "%s\"%s\"%s", i > 0 ? ", " : "", (const char *)g_ptr_array_index (names, i), after);
  return g_string_free (out, FALSE);
}

/* FALSE where the source has no such table, or nothing that both know. */
static gboolean
table_init (Table *table, SsappStore *source, SsappStore *target, const char *name)
{
  g_autoptr (GPtrArray) known = list_columns (target, name, FALSE), key = list_columns (target, name, TRUE);
  g_autoptr (GPtrArray) common = g_ptr_array_new ();
  g_autofree char *rowid = g_strdup_printf ("SELECT rowid FROM main.\"%s\"", name);
  sqlite3_stmt *s = NULL;

  for (guint i = 0; known != NULL && i < known->len; i++)
    if (has_column (source, name, g_ptr_array_index (known, i)))
      g_ptr_array_add (common, g_ptr_array_index (known, i));
  if (common->len == 0)
    return FALSE;
  *table = (Table){.source = source, .target = target, .name = name, .n_columns = common->len};
  table->has_rowid = sqlite3_prepare_v2 (target->db, rowid, -1, &s, NULL) == SQLITE_OK;
  sqlite3_finalize (s);
  table->columns = join (common, "");
  table->up = table->has_rowid || key == NULL ? g_strdup ("rowid") : join (key, "");
  table->down = table->has_rowid || key == NULL ? g_strdup ("rowid DESC") : join (key, " DESC");
  return TRUE;
}

/* Where reading came to: the last number that was read, of a table that has them. */
typedef struct {
  gboolean is_whole;
  gint64 first, last;
} Reached;

static gboolean
insert_row (Table *table, sqlite3_stmt *from, sqlite3_stmt *to)
{
  gboolean ok = TRUE;

  for (guint c = 0; ok && c < table->n_columns; c++)
    ok = sqlite3_bind_value (to, (int)c + 1, sqlite3_column_value (from, (int)c + 1)) == SQLITE_OK;
  ok = ok && sqlite3_step (to) == SQLITE_DONE;
  if (!ok)
    ssapp_store_set_error (table->target, NULL, what); /* notes where memory was lacking */
  sqlite3_reset (to);
  return ok;
}

/* Rows of a query whose first column is the number, or NULL. */
static Reached
copy_rows (Table *table, const char *sql, sqlite3_stmt *to)
{
  sqlite3_stmt *from = ssapp_store_prepare (table->source, sql, NULL);
  Reached reached = {FALSE, 0, 0};
  gboolean is_first = TRUE, is_kept = TRUE;
  int code = SQLITE_ERROR;

  while (from != NULL && (code = sqlite3_step (from)) == SQLITE_ROW) {
    reached.last = sqlite3_column_int64 (from, 0);
    if (is_first)
      reached.first = reached.last;
    is_first = FALSE;
    is_kept = insert_row (table, from, to) && is_kept;
  }
  reached.is_whole = code == SQLITE_DONE && is_kept;
  ssapp_store_end_statement (table->source, from);
  return reached;
}

static Reached
copy_in_order (Table *table, const char *condition, const char *order, sqlite3_stmt *to)
{
  g_autofree char *sql =
      g_strdup_printf ("SELECT %s, %s FROM main.\"%s\" NOT INDEXED%s ORDER BY %s", table->has_rowid ? "rowid" : "NULL",
                       table->columns, table->name, condition, order);

  return copy_rows (table, sql, to);
}

/* From both ends to the damaged places, then what lies between them number by number. TRUE where all was read. */
static gboolean
copy_table (Table *table)
{
  g_autoptr (GString) marks = g_string_new ("?");
  for (guint c = 1; c < table->n_columns; c++)
    g_string_append (marks, ", ?");
  g_autofree char *insert =
      g_strdup_printf ("INSERT OR IGNORE INTO main.\"%s\" (%s) VALUES (%s)", table->name, table->columns, marks->str);
  sqlite3_stmt *to = ssapp_store_prepare (table->target, insert, NULL);

  if (to == NULL)
    return FALSE;
  const Reached up = copy_in_order (table, "", table->up, to);
  const Reached down = up.is_whole ? up : copy_in_order (table, "", table->down, to);
  if (!up.is_whole && table->has_rowid && down.last > up.last && down.last - up.last < MOST_TRIED)
    for (gint64 number = up.last + 1; number < down.last; number++) {
      g_autofree char *condition = g_strdup_printf (" WHERE rowid = %" G_GINT64_FORMAT, number);
      copy_in_order (table, condition, "rowid", to);
    }
  ssapp_store_end_statement (table->target, to);
  return up.is_whole;
}

/* Names of a query, "?" where there is none; empty after an error. */
static GPtrArray *
list_names (SsappStore *self, const char *sql)
{
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);
  sqlite3_stmt *s = ssapp_store_prepare (self, sql, NULL);

  while (s != NULL && sqlite3_step (s) == SQLITE_ROW) {
    const char *name = (const char *)sqlite3_column_text (s, 0);
    g_ptr_array_add (names, g_strdup (name != NULL ? name : "?"));
  }
  ssapp_store_end_statement (self, s);
  return names;
}

/* What the source has and the target has not. */
static void
list_apart (SsappStore *source, SsappStore *target, SsappCopied *copied)
{
  static const char sql[] = "SELECT coalesce (type, '?') || ' ' || name || CASE WHEN tbl_name <> name THEN ' on ' || "
                            "tbl_name ELSE '' END FROM sqlite_schema WHERE name NOT LIKE 'sqlite%'";
  g_autoptr (GPtrArray) there = list_names (source, sql), known = list_names (target, sql);

  for (guint i = 0; i < there->len; i++)
    if (!g_ptr_array_find_with_equal_func (known, g_ptr_array_index (there, i), g_str_equal, NULL))
      g_ptr_array_add (copied->apart, ssapp_text_visible (g_ptr_array_index (there, i), FALSE));
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

static gboolean
fill (SsappStore *source, SsappStore *target, SsappCopied *copied, GError **error)
{
  gboolean ok = ssapp_store_execute (target, "PRAGMA foreign_keys = OFF; BEGIN IMMEDIATE", what, error) &&
                ssapp_store_make_format (target, 0, copied->format, error);

  if (!ok)
    return FALSE;
  g_autoptr (GPtrArray) tables = list_names (target, "SELECT name FROM sqlite_schema WHERE type = 'table'");
  for (guint i = 0; i < tables->len; i++) {
    const char *name = g_ptr_array_index (tables, i);
    Table table;
    const gboolean is_there = table_init (&table, source, target, name);
    if (!is_there || !copy_table (&table))
      g_ptr_array_add (copied->lost, g_strdup (name));
    if (is_there)
      table_clear (&table);
  }
  list_apart (source, target, copied);
  /* What there was no memory for is not lost. */
  return ssapp_store_had_memory (source, error) && ssapp_store_had_memory (target, error) &&
         ssapp_store_execute (target, "COMMIT", what, error);
}

/* Opened once in the ordinary way: brought to the present format, looked through. */
static gboolean
settle (const char *part, SsappCopied *copied, GError **error)
{
  g_autoptr (SsappStore) store = ssapp_store_open (part, FALSE, error);
  g_autoptr (SsappCheck) check = store != NULL ? ssapp_store_check (store, error) : NULL;
  gint64 n = 0;

  if (check == NULL || !ssapp_store_read_integer (store, "SELECT count (*) FROM run", &n, error))
    return FALSE;
  copied->n_runs = (guint)n;
  copied->n_damaged = check->damage->len;
  return ssapp_store_close (store, error);
}

static gboolean
make_copy (SsappStore *source, const char *part, SsappCopied *copied, GError **error)
{
  g_autoptr (SsappStore) target = g_object_new (SSAPP_TYPE_STORE, NULL);
  gboolean ok;

  target->path = g_strdup (part);
  target->file = g_strdup (part);
  target->is_read_only = TRUE; /* only what is done here is written */
  ok = sqlite3_open_v2 (part, &target->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL) == SQLITE_OK;
  if (!ok)
    ssapp_store_set_error (target, error, what);
  ssapp_store_harden (target->db);
  ok = ok && fill (source, target, copied, error);
  return ssapp_store_close (target, NULL) && ok && settle (part, copied, error);
}

SsappCopied *
ssapp_store_copy_readable (const char *from, const char *to, GError **error)
{
  g_autoptr (SsappCopied) copied = g_new0 (SsappCopied, 1);
  g_autofree char *file = g_canonicalize_filename (to, NULL), *part = NULL;

  g_return_val_if_fail (from != NULL && to != NULL, NULL);
  copied->lost = g_ptr_array_new_with_free_func (g_free);
  copied->apart = g_ptr_array_new_with_free_func (g_free);
  if (g_file_test (file, G_FILE_TEST_EXISTS)) {
    g_set_error (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_FAILED, "%s is there already: choose another name", to);
    return NULL;
  }
  g_autoptr (SsappStore) source = open_source (from, error);
  copied->format = source != NULL ? find_format (source) : 0;
  if (source != NULL && copied->format == 0 && ssapp_store_had_memory (source, error))
    g_set_error (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_NOT_A_PROJECT,
                 "%s is no Stickslip project: it has no table of runs that can be read", from);
  if (copied->format == 0)
    return NULL;
  const int fd = ssapp_open_beside (file, 0666, &part);
  if (fd < 0) {
    ssapp_set_file_error (error, to, "write", errno);
    return NULL;
  }
  close (fd);
  if (make_copy (source, part, copied, error) && ssapp_put_in_place (part, file, to, error))
    return g_steal_pointer (&copied);
  g_unlink (part);
  ssapp_store_remove_journals (part);
  return NULL;
}

/* ---- words ------------------------------------------------------------------------------------------------------- */

static void
append_list (GString *out, const char *before, GPtrArray *names)
{
  for (guint i = 0; i < names->len; i++)
    g_string_append_printf (out, "%s%s", i > 0 ? ", " : before, (const char *)g_ptr_array_index (names, i));
}

char *
ssapp_copied_describe (const SsappCopied *copied)
{
  g_return_val_if_fail (copied != NULL, NULL);
  GString *out = g_string_new (NULL);

  g_string_append_printf (out, "%u run%s", copied->n_runs, copied->n_runs == 1 ? "" : "s");
  if (copied->n_damaged > 0)
    g_string_append_printf (out, "; %u not as stored once, and marked so (`list --check` says which)",
                            copied->n_damaged);
  append_list (out, "; left out: ", copied->apart);
  append_list (out, "; not all could be read of: ", copied->lost);
  return g_string_free (out, FALSE);
}
