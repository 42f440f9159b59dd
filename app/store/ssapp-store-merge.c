/* app/store/ssapp-store-merge.c: see the header. The other project is attached under the name `other`; temporary tables
 * say which of its runs are meant (`picked`) and which of these are new here (`fresh`). */
#include "app/store/ssapp-store-merge.h"
#include "app/store/ssapp-store-method.h"

#include "app/base/ssapp-file.h"
#include "app/store/ssapp-store-check.h"
#include "app/store/ssapp-store-sum.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char what[] = "copy runs";

/* ---- statements -------------------------------------------------------------------------------------------------- */

/* The columns of a table that both projects have, but for those named: "a, b, c"; with `prefix` before each. */
static char *
columns_of (SsappStore *self, const char *table, const char *without, const char *prefix, GError **error)
{
  sqlite3_stmt *s = ssapp_store_prepare (self,
                                         "SELECT name FROM pragma_table_info (?1, 'main') WHERE name IN (SELECT name "
                                         "FROM pragma_table_info (?1, 'other')) "
                                         "AND instr (?2, ',' || name || ',') = 0",
                                         error);
  GString *out = g_string_new (NULL);
  gboolean has_row, ok;

  if (s == NULL)
    return g_string_free (out, TRUE);
  ssapp_store_bind_text (s, 1, table);
  ssapp_store_bind_text (s, 2, without);
  while ((ok = ssapp_store_step (self, s, &has_row, what, error)) && has_row)
    g_string_append_printf (out, "%s%s\"%s\"", out->len > 0 ? ", " : "", prefix,
                            (const char *)sqlite3_column_text (s, 0));
  ssapp_store_end_statement (self, s);
  return g_string_free (out, !ok);
}

static gboolean run_sql (SsappStore *self, GError **error, const char *format, ...) G_GNUC_PRINTF (3, 4);

static gboolean
run_sql (SsappStore *self, GError **error, const char *format, ...)
{
  va_list list;

  va_start (list, format);
  g_autofree char *sql = g_strdup_vprintf (format, list);
  va_end (list);
  return ssapp_store_execute (self, sql, what, error);
}

static int
count (SsappStore *self, const char *sql)
{
  gint64 n = 0;

  return ssapp_store_read_integer (self, sql, &n, NULL) ? (int)n : 0;
}

/* ---- which runs -------------------------------------------------------------------------------------------------- */

static gboolean
pick_named (SsappStore *self, const char *const *ids, GError **error)
{
  for (int i = 0; ids[i] != NULL; i++) {
    sqlite3_stmt *s = ssapp_store_prepare_for (
        self, "INSERT OR IGNORE INTO temp.picked SELECT id, 1 FROM other.run WHERE id = ?1", ids[i], error);
    if (s == NULL || !ssapp_store_finish_statement (self, s, what, error))
      return FALSE;
    s = ssapp_store_prepare_for (self, "SELECT 1 FROM temp.picked WHERE id = ?1", ids[i], error);
    gboolean found = FALSE;
    const gboolean ok = s != NULL && ssapp_store_step (self, s, &found, what, error);
    ssapp_store_end_statement (self, s);
    if (ok && !found)
      g_set_error (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_NOT_FOUND, "there is no run '%s'", ids[i]);
    if (!found)
      return FALSE;
  }
  return TRUE;
}

/* A replay without its plan, and a local solution without the answer, would be told by halves. */
static gboolean
pick_those_they_need (SsappStore *self, GError **error)
{
  return run_sql (self, error,
                  "WITH RECURSIVE need (id) AS (SELECT id FROM temp.picked UNION "
                  "SELECT m.id FROM need n JOIN other.run r ON r.id = n.id JOIN other.run m ON m.id IN (r.replay_of, "
                  "r.solution_of) AND m.deleted IS NULL) "
                  "INSERT OR IGNORE INTO temp.picked SELECT id, 0 FROM need");
}

static gboolean
pick (SsappStore *self, const char *const *ids, GError **error)
{
  if (!run_sql (self, error,
                "CREATE TEMP TABLE picked (id TEXT PRIMARY KEY, is_named INTEGER); "
                "CREATE TEMP TABLE fresh (id TEXT PRIMARY KEY, number INTEGER)"))
    return FALSE;
  if (ids != NULL ? !pick_named (self, ids, error)
                  : !run_sql (self, error,
                              "INSERT INTO temp.picked SELECT id, 1 FROM other.run WHERE deleted IS NULL AND outcome "
                              "<> 'running'"))
    return FALSE;
  if (!pick_those_they_need (self, error))
    return FALSE;
  if (count (self, "SELECT count (*) FROM temp.picked p JOIN other.run r ON r.id = p.id WHERE r.outcome = 'running'")) {
    g_set_error_literal (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_FAILED, "a run is still going on: stop it first");
    return FALSE;
  }
  return run_sql (self, error,
                  "INSERT INTO temp.fresh SELECT r.id, r.number FROM temp.picked p JOIN other.run r ON r.id = p.id "
                  "WHERE NOT EXISTS (SELECT 1 FROM main.run k WHERE k.id = r.id)");
}

/* ---- copying ----------------------------------------------------------------------------------------------------- */

/* First column of a query; NULL with an error. */
static GPtrArray *
list_texts (SsappStore *self, const char *sql, GError **error)
{
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);
  sqlite3_stmt *s = ssapp_store_prepare (self, sql, error);
  int code;

  if (s == NULL)
    return NULL;
  while ((code = sqlite3_step (s)) == SQLITE_ROW)
    g_ptr_array_add (texts, g_strdup ((const char *)sqlite3_column_text (s, 0)));
  if (code != SQLITE_DONE)
    ssapp_store_set_error (self, error, what);
  ssapp_store_end_statement (self, s);
  return code == SQLITE_DONE ? g_steal_pointer (&texts) : NULL;
}

/* Runs that are picked, were here already and had been removed. */
static gboolean
bring_back_removed (SsappStore *self, GError **error)
{
  g_autoptr (GPtrArray) ids = list_texts (
      self, "SELECT id FROM main.run WHERE deleted IS NOT NULL AND id IN (SELECT id FROM temp.picked)", error);
  gboolean ok = ids != NULL;

  for (guint i = 0; ok && i < ids->len; i++) {
    const char *id = g_ptr_array_index (ids, i);
    const SsappSumState before = ssapp_store_sum_state (self, "main", "run", id, "marks");
    sqlite3_stmt *s = ssapp_store_prepare_for (self, "UPDATE main.run SET deleted = NULL WHERE id = ?1", id, error);
    ok = s != NULL && ssapp_store_finish_statement (self, s, what, error) &&
         ssapp_store_seal_again (self, before, "run", id, "marks", error);
  }
  return ok;
}

static gboolean
copy_runs (SsappStore *self, GError **error)
{
  g_autofree char *about = columns_of (self, "provenance", ",id,", "", error),
                  *to = columns_of (self, "run", ",number,provenance_id,", "", error),
                  *from = columns_of (self, "run", ",number,provenance_id,", "r.", error);

  return about != NULL && to != NULL && from != NULL &&
         run_sql (self, error,
                  "INSERT OR IGNORE INTO main.scenario_text SELECT * FROM other.scenario_text WHERE sha256 IN "
                  "(SELECT scenario_sha256 FROM other.run WHERE id IN (SELECT id FROM temp.fresh))") &&
         run_sql (self, error,
                  "INSERT OR IGNORE INTO main.provenance (%s) SELECT %s FROM other.provenance WHERE id IN "
                  "(SELECT provenance_id FROM other.run WHERE id IN (SELECT id FROM temp.fresh))",
                  about, about) &&
         run_sql (self, error,
                  "INSERT INTO main.run (%s, provenance_id) SELECT %s, (SELECT m.id FROM main.provenance m JOIN "
                  "other.provenance o ON o.id = r.provenance_id WHERE m.version = o.version AND m.git_commit = "
                  "o.git_commit AND m.compiler = o.compiler AND m.build_flags = o.build_flags AND m.host = o.host AND "
                  "m.cpu = o.cpu AND m.cpu_count = o.cpu_count AND m.os = o.os AND m.libraries = o.libraries) "
                  "FROM other.run r JOIN temp.fresh f ON f.id = r.id ORDER BY r.number",
                  to, from) &&
         bring_back_removed (self, error);
}

/* Of the format of the other project. */
static gboolean
copy_results (SsappStore *self, GError **error)
{
  g_autofree char *sql =
      ssapp_store_in_schema (self, "other",
                             "INSERT OR REPLACE INTO main.run_result (run, result) SELECT m.number, o.result FROM "
                             "@.run_result o JOIN temp.fresh f ON f.number = o.run JOIN main.run m ON m.id = f.id "
                             "WHERE o.result IS NOT NULL");

  return run_sql (self, error, "%s", sql);
}

/* As they are: a run that is damaged there is damaged here. */
static gboolean
copy_sums (SsappStore *self, GError **error)
{
  return run_sql (self, error,
                  "INSERT INTO main.checksum (of, number, part, sha256) SELECT o.of, m.number, o.part, o.sha256 "
                  "FROM other.checksum o JOIN temp.fresh f ON f.number = o.number JOIN main.run m ON m.id = f.id "
                  "WHERE o.of = 'run'");
}

/* Tables that name a run by its id, and those by its number, which is another one here. */
static gboolean
copy_rows (SsappStore *self, GError **error)
{
  static const char *const by_id[] = {"iteration", "log", "motion", "sample"}, *const by_number[] = {"metric", "event"};
  gboolean ok = TRUE;

  for (guint i = 0; ok && i < G_N_ELEMENTS (by_id); i++) {
    g_autofree char *columns = columns_of (self, by_id[i], ",id,", "", error);
    ok = columns != NULL &&
         run_sql (self, error,
                  "INSERT INTO main.%s (%s) SELECT %s FROM other.%s WHERE run_id IN (SELECT id FROM temp.fresh)%s",
                  by_id[i], columns, columns, by_id[i], strcmp (by_id[i], "log") == 0 ? " ORDER BY id" : "");
  }
  for (guint i = 0; ok && i < G_N_ELEMENTS (by_number); i++) {
    g_autofree char *to = columns_of (self, by_number[i], ",run,", "", error),
                    *from = columns_of (self, by_number[i], ",run,", "o.", error);
    ok = to != NULL && from != NULL &&
         run_sql (self, error,
                  "INSERT INTO main.%s (run, %s) SELECT m.number, %s FROM other.%s o JOIN temp.fresh f ON f.number = "
                  "o.run JOIN main.run m ON m.id = f.id",
                  by_number[i], to, from, by_number[i]);
  }
  return ok && copy_results (self, error) && copy_sums (self, error);
}

/* ---- checksums of what was copied -------------------------------------------------------------------------------- */

/* Rows of a table that are only in the other project, before it is copied. */
static GPtrArray *
list_missing (SsappStore *self, const char *of, GError **error)
{
  g_autofree char *sql = g_strdup_printf ("SELECT id FROM other.%s WHERE id NOT IN (SELECT id FROM main.%s)", of, of);

  return list_texts (self, sql, error);
}

/* Sums rows that came here; one that was damaged there has no sum here, which says so. */
static gboolean
seal_copied (SsappStore *self, const char *of, GPtrArray *ids, GError **error)
{
  gboolean ok = TRUE;

  for (guint i = 0; ok && i < ids->len; i++) {
    const char *id = g_ptr_array_index (ids, i);
    for (guint k = 0; ok && k < ssapp_store_n_parts (); k++) {
      const SsappStorePart *part = ssapp_store_part (k);
      if (strcmp (part->of, of) == 0)
        ok = ssapp_store_seal_again (self, ssapp_store_sum_state (self, "other", of, id, part->name), of, id,
                                     part->name, error);
    }
  }
  return ok;
}

/* Which tasks a run answers is said of two projects now. */
static gboolean
seal_tasks (SsappStore *self, GHashTable *sound, GError **error)
{
  GHashTableIter iter;
  gpointer id;
  gboolean ok = TRUE;

  g_hash_table_iter_init (&iter, sound);
  while (ok && g_hash_table_iter_next (&iter, &id, NULL))
    ok = ssapp_store_seal (self, "run", id, "tasks", error);
  return ok;
}

/* Picked runs of which both projects say soundly which tasks they answer. */
static GHashTable *
list_sound_tasks (SsappStore *self, GError **error)
{
  g_autoptr (GPtrArray) ids = list_texts (self, "SELECT id FROM temp.picked", error);
  g_autoptr (GHashTable) sound = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; ids != NULL && i < ids->len; i++) {
    const char *id = g_ptr_array_index (ids, i);
    const SsappSumState here = ssapp_store_sum_state (self, "main", "run", id, "tasks");
    if (ssapp_store_sum_state (self, "other", "run", id, "tasks") == SSAPP_SUM_SAME &&
        (here == SSAPP_SUM_SAME || here == SSAPP_SUM_NONE))
      g_hash_table_add (sound, g_strdup (id));
  }
  return ids != NULL ? g_steal_pointer (&sound) : NULL;
}

/* Those that the runs were made from, and with `all` every other one. A name that is taken gets a number. */
static gboolean
copy_sketches (SsappStore *self, gboolean all, GError **error)
{
  return run_sql (
      self, error,
      "INSERT INTO main.sketch (id, name, text, sha256, created, changed, view) "
      "SELECT s.id, CASE WHEN EXISTS (SELECT 1 FROM main.sketch m WHERE m.name = s.name AND m.deleted IS "
      "NULL) THEN s.name || '-' || (WITH RECURSIVE k (n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM k WHERE "
      "EXISTS (SELECT 1 FROM main.sketch m WHERE m.name = s.name || '-' || n AND m.deleted IS NULL) OR "
      "EXISTS (SELECT 1 FROM other.sketch o WHERE o.name = s.name || '-' || n AND o.deleted IS NULL)) "
      "SELECT max (n) FROM k) ELSE s.name END, s.text, s.sha256, s.created, s.changed, s.view "
      "FROM other.sketch s WHERE s.deleted IS NULL AND (%d OR s.id IN (SELECT sketch FROM other.run WHERE id "
      "IN (SELECT id FROM temp.picked))) AND NOT EXISTS (SELECT 1 FROM main.sketch m WHERE m.id = s.id) "
      "ORDER BY s.number",
      all ? 1 : 0);
}

/* Versions of sketches that have none here, where the other project is of a format that has them. */
static gboolean
copy_versions (SsappStore *self, GError **error)
{
  gint64 n = 0;

  return ssapp_store_read_integer (self, "SELECT count (*) FROM other.sqlite_schema WHERE name = 'sketch_version'", &n,
                                   error) &&
         (n == 0 || run_sql (self, error,
                             "INSERT INTO main.sketch_version SELECT v.* FROM other.sketch_version v WHERE v.sketch IN "
                             "(SELECT id FROM main.sketch) AND v.sketch NOT IN (SELECT sketch FROM "
                             "main.sketch_version)"));
}

static gboolean
copy_comparisons (SsappStore *self, GError **error)
{
  static const char whole[] = "o.deleted IS NULL AND EXISTS (SELECT 1 FROM other.comparison_run c WHERE c.comparison = "
                              "o.number) AND NOT EXISTS (SELECT 1 FROM other.comparison_run c WHERE c.comparison = "
                              "o.number AND c.run_id NOT IN (SELECT id FROM temp.picked))";

  return run_sql (self, error,
                  "CREATE TEMP TABLE compared AS SELECT o.number, o.id FROM other.comparison o WHERE %s AND NOT EXISTS "
                  "(SELECT 1 FROM main.comparison m WHERE m.id = o.id)",
                  whole) &&
         run_sql (self, error,
                  "INSERT INTO main.comparison (id, title, created) SELECT o.id, o.title, o.created FROM "
                  "other.comparison o JOIN temp.compared c ON c.number = o.number ORDER BY o.number") &&
         run_sql (self, error,
                  "INSERT INTO main.comparison_run (comparison, position, run_id, label) SELECT m.number, r.position, "
                  "r.run_id, r.label FROM other.comparison_run r JOIN temp.compared c ON c.number = r.comparison JOIN "
                  "main.comparison m ON m.id = c.id");
}

/* Studies of which runs are picked, with `all` every one; which of these runs answers which of their tasks. */
static gboolean
copy_studies (SsappStore *self, gboolean all, GError **error)
{
  return run_sql (self, error,
                  "INSERT INTO main.study (id, title, definition, n_tasks, created, changed) SELECT o.id, o.title, "
                  "o.definition, o.n_tasks, o.created, o.changed FROM other.study o WHERE o.deleted IS NULL AND (%d OR "
                  "EXISTS (SELECT 1 FROM other.study_run r WHERE r.study = o.number AND r.run_id IN (SELECT id FROM "
                  "temp.picked))) AND NOT EXISTS (SELECT 1 FROM main.study m WHERE m.id = o.id) ORDER BY o.number",
                  all ? 1 : 0) &&
         run_sql (self, error,
                  "INSERT OR IGNORE INTO main.study_run (study, key, run_id, task) SELECT m.number, r.key, r.run_id, "
                  "r.task FROM other.study_run r JOIN other.study o ON o.number = r.study JOIN main.study m ON m.id = "
                  "o.id WHERE r.run_id IN (SELECT id FROM temp.picked)");
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

static void
forget_picks (SsappStore *self)
{
  sqlite3_exec (self->db,
                "DROP TABLE IF EXISTS temp.picked; DROP TABLE IF EXISTS temp.fresh; DROP TABLE IF EXISTS temp.compared",
                NULL, NULL, NULL);
}

static void
tell (SsappStore *self, int n_sketches_before, SsappMerge *told)
{
  g_autoptr (GPtrArray) fresh = told->fresh != NULL ? list_texts (self, "SELECT id FROM temp.fresh", NULL) : NULL;

  for (guint i = 0; fresh != NULL && i < fresh->len; i++)
    g_ptr_array_add (told->fresh, g_strdup (g_ptr_array_index (fresh, i)));
  told->n_runs = count (self, "SELECT count (*) FROM temp.fresh");
  told->n_more =
      count (self, "SELECT count (*) FROM temp.fresh f JOIN temp.picked p ON p.id = f.id WHERE NOT p.is_named");
  told->n_known = count (self, "SELECT count (*) FROM temp.picked") - told->n_runs;
  told->n_sketches = count (self, "SELECT count (*) FROM main.sketch") - n_sketches_before;
  told->n_comparisons = count (self, "SELECT count (*) FROM temp.compared");
}

/* Within the transaction, the runs are picked: all that they need, with checksums. */
static gboolean
copy_picked (SsappStore *self, gboolean all, GError **error)
{
  g_autoptr (GPtrArray) sketches = list_missing (self, "sketch", error), studies = NULL, comparisons = NULL;
  g_autoptr (GHashTable) sound = NULL;

  if (sketches != NULL)
    studies = list_missing (self, "study", error);
  if (studies != NULL)
    comparisons = list_missing (self, "comparison", error);
  if (comparisons != NULL)
    sound = list_sound_tasks (self, error);
  return sound != NULL && copy_runs (self, error) && copy_rows (self, error) && copy_sketches (self, all, error) &&
         ssapp_store_copy_pictures (self, error) && copy_versions (self, error) && copy_comparisons (self, error) &&
         copy_studies (self, all, error) && seal_copied (self, "sketch", sketches, error) &&
         seal_copied (self, "study", studies, error) && seal_copied (self, "comparison", comparisons, error) &&
         seal_tasks (self, sound, error);
}

/* The same; what is damaged is counted, and named where it is why nothing can be copied. */
static gboolean
copy_told (SsappStore *self, SsappStore *source, gboolean all, guint *n_damaged, GError **error)
{
  g_autoptr (GPtrArray) runs = list_texts (self, "SELECT id FROM temp.fresh", error);
  g_autofree char *first = NULL;
  GError *local = NULL;

  if (runs == NULL)
    return FALSE;
  *n_damaged = ssapp_store_count_damaged (source, runs, all, &first);
  if (copy_picked (self, all, &local))
    return TRUE;
  const gboolean is_other = g_str_has_suffix (local->message, "constraint failed"); /* of what the tables allow */
  if ((first != NULL || is_other) && g_error_matches (local, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_FAILED)) {
    g_clear_error (&local);
    g_set_error (&local, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_DAMAGED, "%s is damaged: %s; %s", source->path,
                 first != NULL ? first : "its tables or indexes contradict each other", SSAPP_STORE_WAY_OUT);
  }
  g_propagate_error (error, local);
  return FALSE;
}

/* The other project is attached. */
static gboolean
copy_attached (SsappStore *self, SsappStore *source, const char *const *ids, SsappMerge *told, GError **error)
{
  const int n_sketches = count (self, "SELECT count (*) FROM main.sketch");

  forget_picks (self);
  if (!ssapp_store_begin (self, what, error))
    return FALSE;
  guint n_damaged = 0;
  const gboolean ok = pick (self, ids, error) && copy_told (self, source, ids == NULL, &n_damaged, error);
  if (ok && told != NULL) {
    tell (self, n_sketches, told);
    told->n_damaged = (int)n_damaged;
  }
  const gboolean done = ssapp_store_end_transaction (self, ok, what, error);
  forget_picks (self);
  if (done)
    self->has_written = TRUE;
  return done;
}

static void
detach (SsappStore *self)
{
  sqlite3_exec (self->db, "DROP VIEW IF EXISTS temp.run_result; DETACH other", NULL, NULL, NULL);
}

static gboolean
attach (SsappStore *self, const char *file, GError **error)
{
  sqlite3_stmt *s = ssapp_store_prepare_for (self, "ATTACH ?1 AS other", file, error);
  gint64 format = 0;

  if (s == NULL || !ssapp_store_finish_statement (self, s, "open the other project", error))
    return FALSE;
  if (ssapp_store_read_integer (self, "PRAGMA other.user_version", &format, error) &&
      format >= SSAPP_STORE_FIRST_WITH_SUMS && format <= SSAPP_STORE_SCHEMA_VERSION) { /* of the same tables */
    if (ssapp_store_check_schema (self, "other", file, format, error) &&
        ssapp_store_show_results (self, "other", format, error))
      return TRUE;
    detach (self);
    return FALSE;
  }
  detach (self);
  if (error != NULL && *error == NULL)
    g_set_error (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_FAILED,
                 "%s is of an older format and may not be written: copy it to where it may be", file);
  return FALSE;
}

static gboolean
merge_file (SsappStore *self, SsappStore *source, const char *const *ids, SsappMerge *told, GError **error)
{
  if (!ssapp_store_flush (self, error) || !attach (self, source->file, error))
    return FALSE;
  const gboolean done = copy_attached (self, source, ids, told, error);
  detach (self);
  return done;
}

gboolean
ssapp_store_merge (SsappStore *self, const char *from, const char *const *ids, SsappMerge *told, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_STORE (self) && from != NULL, FALSE);
  if (!ssapp_store_check_writable (self, error))
    return FALSE;
  g_autoptr (SsappStore) other = ssapp_store_open (from, FALSE, error); /* says what it is where it is no project */
  if (other == NULL)
    return FALSE;
  if (g_strcmp0 (other->file, self->file) == 0) {
    g_set_error (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_FAILED, "%s is this project", from);
    return FALSE;
  }
  const gboolean done = merge_file (self, other, ids, told, error);
  if (done)
    ssapp_store_tell_changed (self);
  return done;
}

/* A new project at `part` with the runs. */
static gboolean
make_archive (SsappStore *self, const char *const *ids, const char *part, SsappMerge *told, GError **error)
{
  g_autoptr (SsappStore) fresh = ssapp_store_open (part, TRUE, error);
  gboolean done = fresh != NULL && merge_file (fresh, self, ids, told, error);
  g_autoptr (GPtrArray) methods = done ? ssapp_store_list_methods (self, error) : NULL;

  for (guint i = 0; methods != NULL && done && i < methods->len; i++)
    done = ssapp_store_keep_method (fresh, g_ptr_array_index (methods, i), error);
  done = done && methods != NULL;
  return fresh != NULL && ssapp_store_close (fresh, done ? error : NULL) && done;
}

gboolean
ssapp_store_archive (SsappStore *self, const char *const *ids, const char *path, gboolean replaces, SsappMerge *told,
                     GError **error)
{
  g_autofree char *file = g_canonicalize_filename (path, NULL), *part = NULL;
  struct stat own, there;

  g_return_val_if_fail (SSAPP_IS_STORE (self) && path != NULL, FALSE);
  if (!ssapp_store_check_open (self, error) || !ssapp_store_check_place (self, error) ||
      (!self->is_read_only && !ssapp_store_flush (self, error)))
    return FALSE;
  const gboolean is_there = stat (file, &there) == 0;
  if (is_there && stat (self->file, &own) == 0 && own.st_dev == there.st_dev && own.st_ino == there.st_ino) {
    g_set_error (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_FAILED, "%s is the project itself: choose another name",
                 path);
    return FALSE;
  }
  if (is_there && !replaces) {
    g_set_error (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_FAILED, "%s is there already: choose another name", path);
    return FALSE;
  }
  if (!ssapp_store_make_way (self, path, file, error))
    return FALSE;
  const int fd = ssapp_open_beside (file, 0666, &part);
  if (fd < 0)
    return ssapp_set_file_error (error, path, "write", errno);
  close (fd);
  g_unlink (part); /* an empty file is no project */
  const gboolean done = make_archive (self, ids, part, told, error) && ssapp_put_in_place (part, file, path, error);
  if (!done) {
    g_unlink (part);
    ssapp_store_remove_journals (part);
  }
  return done;
}

/* ---- words ------------------------------------------------------------------------------------------------------- */

static void
append_count (GString *out, int n, const char *one, const char *many)
{
  g_string_append_printf (out, "%s%d %s", out->len > 0 ? ", " : "", n, n == 1 ? one : many);
}

char *
ssapp_merge_describe (const SsappMerge *told)
{
  g_return_val_if_fail (told != NULL, NULL);
  GString *out = g_string_new (NULL);

  append_count (out, told->n_runs, "run", "runs");
  if (told->n_more > 0)
    g_string_append_printf (out, " (%d that others refer to)", told->n_more);
  if (told->n_sketches > 0)
    append_count (out, told->n_sketches, "sketch", "sketches");
  if (told->n_comparisons > 0)
    append_count (out, told->n_comparisons, "comparison", "comparisons");
  if (told->n_damaged > 0)
    g_string_append_printf (out, "; %d damaged: not as stored once, and marked so", told->n_damaged);
  if (told->n_known > 0)
    g_string_append_printf (out, "; %d %s here already", told->n_known, told->n_known == 1 ? "run was" : "runs were");
  return g_string_free (out, FALSE);
}
