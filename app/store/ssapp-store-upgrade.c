/* app/store/ssapp-store-upgrade.c: projects of older formats, brought to the present one or read as they are; see
 * ssapp-store.h. */
#include "app/store/ssapp-store-private.h"
#include "app/store/ssapp-store-sum.h"

#include "ssapp-older-as-7.h"
#include "ssapp-schema-1.h"
#include "ssapp-schema-10.h"
#include "ssapp-schema-11.h"
#include "ssapp-schema-2.h"
#include "ssapp-schema-3.h"
#include "ssapp-schema-4.h"
#include "ssapp-schema-5.h"
#include "ssapp-schema-6.h"
#include "ssapp-schema-7.h"
#include "ssapp-schema-8.h"
#include "ssapp-schema-9.h"
#include "ssapp-sketches-of-runs.h"

/* Metrics and events of the results that a project of format 2 or less holds as JSON only. */
static gboolean
write_rows_of_results (SsappStore *self, GError **error)
{
  sqlite3_stmt *s = ssapp_store_prepare (self, "SELECT number, result FROM run WHERE result IS NOT NULL", error);
  gboolean ok = s != NULL;
  int code = SQLITE_DONE;

  while (ok && (code = sqlite3_step (s)) == SQLITE_ROW) {
    json_t *result = json_loads ((const char *)sqlite3_column_text (s, 1), 0, NULL);
    ok = ssapp_store_write_result_rows (self, sqlite3_column_int64 (s, 0), result, error);
    json_decref (result);
  }
  if (ok && code != SQLITE_DONE) {
    ssapp_store_set_error (self, error, "read the results");
    ok = FALSE;
  }
  ssapp_store_end_statement (self, s);
  return ok;
}

/* Each scenario that was run becomes a sketch. */
static gboolean
make_sketches_of_runs (SsappStore *self, GError **error)
{
  static const char then[] =
      "UPDATE run SET sketch = coalesce ((SELECT k.id FROM sketch k WHERE k.name = scenario_name), ''); "
      "DROP TABLE scenario";

  return ssapp_store_execute (self, ssapp_sketches_of_runs_sql, "make sketches of the runs", error) &&
         ssapp_store_execute (self, then, "make sketches of the runs", error);
}

gboolean
ssapp_store_show_results (SsappStore *self, const char *schema, gint64 format, GError **error)
{
  enum { LAST_WITH_RESULTS_IN_RUNS = 10 };
  g_return_val_if_fail (self != NULL && schema != NULL, FALSE);
  g_autofree char *sql = g_strdup_printf ("CREATE TEMP VIEW run_result AS SELECT number AS run, result FROM %s%srun",
                                          schema, *schema != '\0' ? "." : "");

  return format > LAST_WITH_RESULTS_IN_RUNS || ssapp_store_execute (self, sql, "read results", error);
}

static gboolean
seal_all (SsappStore *self, GError **error)
{
  return ssapp_store_show_results (self, "", SSAPP_STORE_FIRST_WITH_SUMS, error) &&
         ssapp_store_seal_all (self, error) &&
         ssapp_store_execute (self, "DROP VIEW temp.run_result", "make checksums", error);
}

/* Step i leads from format i to i + 1: a script, then what SQL does not do. */
static const struct {
  const char *script;
  gboolean (*finish) (SsappStore *self, GError **error);
} steps[SSAPP_STORE_SCHEMA_VERSION] = {{ssapp_schema_1_sql, NULL},
                                       {ssapp_schema_2_sql, NULL},
                                       {ssapp_schema_3_sql, write_rows_of_results},
                                       {ssapp_schema_4_sql, NULL},
                                       {ssapp_schema_5_sql, make_sketches_of_runs},
                                       {ssapp_schema_6_sql, NULL},
                                       {ssapp_schema_7_sql, seal_all},
                                       {ssapp_schema_8_sql, NULL},
                                       {ssapp_schema_9_sql, NULL},
                                       {ssapp_schema_10_sql, NULL},
                                       {ssapp_schema_11_sql, ssapp_store_move_pictures}};

gboolean
ssapp_store_make_format (SsappStore *self, gint64 from, gint64 to, GError **error)
{
  static const char what[] = "bring the project to another format";
  gboolean ok = TRUE;

  for (gint64 version = from; ok && version < to; version++) {
    g_autofree char *stamp = g_strdup_printf ("PRAGMA application_id = %d; PRAGMA user_version = %d",
                                              SSAPP_STORE_APPLICATION_ID, (int)version + 1);
    ok = ssapp_store_execute (self, steps[version].script, what, error) &&
         (steps[version].finish == NULL || steps[version].finish (self, error)) &&
         ssapp_store_execute (self, stamp, what, error);
  }
  return ok;
}

SsappStore *
ssapp_store_new_in_memory (gint64 format, GError **error)
{
  g_autoptr (SsappStore) self = g_object_new (SSAPP_TYPE_STORE, NULL);

  self->path = g_strdup_printf ("format %d", (int)format);
  self->is_read_only = TRUE; /* nothing is kept */
  if (sqlite3_open_v2 (":memory:", &self->db, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK) {
    ssapp_store_set_error (self, error, "look up its format");
    return NULL;
  }
  return ssapp_store_make_format (self, 0, format, error) ? g_steal_pointer (&self) : NULL;
}

/* A program of an older version that is at work would not find its columns any more, and its runs would be lost: it
 * keeps a write-ahead log as long as it has the file open, which only a connection that is alone can end. */
static gboolean
is_free (SsappStore *self, GError **error)
{
  const int code = 0xff & sqlite3_exec (self->db, "PRAGMA journal_mode = DELETE", NULL, NULL, NULL);

  if (code == SQLITE_BUSY || code == SQLITE_LOCKED)
    g_set_error (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_BUSY,
                 "%s is open in another program, of an older version or while it brings the file to a newer format: "
                 "close it there first",
                 self->path);
  return code != SQLITE_BUSY && code != SQLITE_LOCKED;
}

gboolean
ssapp_store_upgrade (SsappStore *self, GError **error)
{
  g_return_val_if_fail (self != NULL, FALSE);
  gint64 version;
  gboolean ok;

  if (!ssapp_store_read_integer (self, "PRAGMA user_version", &version, error))
    return FALSE;
  if (version == SSAPP_STORE_SCHEMA_VERSION)
    return TRUE;
  const gboolean is_new = version == 0;
  if (!is_new && !is_free (self, error))
    return FALSE;
  const char *what = is_new ? "create the project" : "bring the project to the format of this version";
  /* Asked again inside the transaction, since another process may have been faster. Tables that others refer to are
   * made anew, so that references are not looked at; every row keeps its key. */
  if (!ssapp_store_execute (self, "PRAGMA foreign_keys = OFF", what, error) ||
      !ssapp_store_execute (self, "BEGIN IMMEDIATE", what, error))
    return FALSE;
  ok = ssapp_store_read_integer (self, "PRAGMA user_version", &version, error);
  ok = ok && ssapp_store_make_format (self, version, SSAPP_STORE_SCHEMA_VERSION, error);
  if (!ssapp_store_end_transaction (self, ok, what, ok ? error : NULL)) {
    /* A disk that was full while pages were written leaves what undoes them beside the file, for whoever reads it
     * next: a copy of the file alone would be damaged. */
    sqlite3_exec (self->db, "SELECT count (*) FROM sqlite_schema", NULL, NULL, NULL);
    return FALSE;
  }
  /* Gives back the room of the tables that were made anew. A file for which this fails is as good, only larger. */
  if (!is_new)
    sqlite3_exec (self->db, "VACUUM", NULL, NULL, NULL);
  return TRUE;
}

/* Formats 3 to 6 have all tables of runs. */
#define SKETCH_OF_RUN "coalesce ((SELECT k.id FROM temp.sketch k WHERE k.name = scenario_name), '') AS sketch"
static const char *const runs_as_7[] = {
    [3] =
        "CREATE TEMP VIEW run AS SELECT *, '' AS solution_of, '' AS start, " SKETCH_OF_RUN ", '' AS tags FROM main.run",
    [4] = "CREATE TEMP VIEW run AS SELECT *, " SKETCH_OF_RUN ", '' AS tags FROM main.run",
    [5] = "CREATE TEMP VIEW run AS SELECT *, '' AS tags FROM main.run"};
enum { LAST_WITHOUT_STUDIES = 5, LAST_WITHOUT_VERSIONS = 9 };
static const char versions[] = "CREATE TEMP TABLE sketch_version (sketch TEXT, number INTEGER, saved TEXT, what TEXT, "
                               "sha256 TEXT, text)";
static const char studies[] = "CREATE TEMP TABLE study (number INTEGER PRIMARY KEY, id TEXT, title TEXT, definition "
                              "TEXT, n_tasks INTEGER, created TEXT, changed TEXT, deleted TEXT); "
                              "CREATE TEMP TABLE study_run (study INTEGER, key TEXT, run_id TEXT, task TEXT)";
static const char sketches[] = "CREATE TEMP TABLE sketch (number INTEGER PRIMARY KEY, id TEXT, name TEXT, text TEXT, "
                               "sha256 TEXT, created TEXT, changed TEXT, deleted TEXT, view TEXT DEFAULT '{}')";

gboolean
ssapp_store_read_older (SsappStore *self, gint64 format, GError **error)
{
  static const char what[] = "read a project of an older format";
  g_autofree char *runs = g_strdup_printf ("CREATE TEMP VIEW older_run AS SELECT rowid AS number, *%s FROM main.run",
                                           format < 2 ? ", '' AS replay_of" : "");
  gboolean ok;

  if (format == SSAPP_STORE_SCHEMA_VERSION)
    return TRUE;
  if (!ssapp_store_execute (self, "PRAGMA temp_store = MEMORY", what, error) ||
      !ssapp_store_execute (self, "BEGIN", what, error))
    return FALSE;
  ok = format > LAST_WITHOUT_STUDIES || ssapp_store_execute (self, studies, what, error);
  ok = ok && (format > LAST_WITHOUT_VERSIONS || ssapp_store_execute (self, versions, what, error));
  if (format < 5)
    ok = ok && ssapp_store_execute (self, sketches, what, error) &&
         ssapp_store_execute (self, ssapp_sketches_of_runs_sql, what, error);
  if (format >= 3 && format <= LAST_WITHOUT_STUDIES)
    ok = ok && ssapp_store_execute (self, runs_as_7[format], what, error);
  else if (format < 3)
    ok = ok && ssapp_store_execute (self, runs, what, error) &&
         ssapp_store_execute (self, ssapp_older_as_7_sql, what, error) && write_rows_of_results (self, error);
  ok = ok && ssapp_store_show_results (self, "", format, error);
  return ssapp_store_end_transaction (self, ok, what, ok ? error : NULL);
}
