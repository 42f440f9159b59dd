/* app/store/ssapp-store-read.c: the reading half of the project store; see ssapp-store.h. */
#include "app/store/ssapp-store-private.h"

#include "app/base/ssapp-json.h"

#include <math.h>
#include <string.h>

enum { SHORTEST_PREFIX = 4 };

/* ---- columns ----------------------------------------------------------------------------------------------------- */

static char *
column_text (sqlite3_stmt *statement, int column)
{
  const char *text = (const char *)sqlite3_column_text (statement, column);

  return g_strdup (text != NULL ? text : "");
}

double
ssapp_store_column_real (sqlite3_stmt *statement, int column)
{
  return sqlite3_column_type (statement, column) == SQLITE_NULL ? (double)NAN
                                                                : sqlite3_column_double (statement, column);
}

/* One row or none: TRUE when there is one; *failed tells an error from an absence. */
static gboolean
step_row (SsappStore *self, sqlite3_stmt *statement, const char *what, gboolean *failed, GError **error)
{
  int code = sqlite3_step (statement);

  *failed = FALSE;
  if (code == SQLITE_ROW)
    return TRUE;
  if (code != SQLITE_DONE) {
    ssapp_store_set_error (self, error, what);
    *failed = TRUE;
  }
  return FALSE;
}

sqlite3_stmt *
ssapp_store_prepare_for (SsappStore *self, const char *sql, const char *id, GError **error)
{
  if (!ssapp_store_check_open (self, error))
    return NULL;
  sqlite3_stmt *statement = ssapp_store_prepare (self, sql, error);
  if (statement != NULL)
    sqlite3_bind_text (statement, 1, id, -1, SQLITE_TRANSIENT);
  return statement;
}

/* First column of the first row as text; NULL without error when there is no row or the value is NULL. */
static char *
read_text (SsappStore *self, const char *sql, const char *id, GError **error)
{
  sqlite3_stmt *statement = ssapp_store_prepare_for (self, sql, id, error);
  gboolean failed;
  char *text = NULL;

  if (statement == NULL)
    return NULL;
  if (step_row (self, statement, "read", &failed, error) && sqlite3_column_type (statement, 0) != SQLITE_NULL)
    text = column_text (statement, 0);
  sqlite3_finalize (statement);
  return text;
}

/* The same where absence is an error. */
static char *
require_text (SsappStore *self, const char *sql, const char *id, const char *kind, GError **error)
{
  GError *local = NULL;
  char *text = read_text (self, sql, id, &local);

  if (local != NULL)
    g_propagate_error (error, local);
  else if (text == NULL)
    g_set_error (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_NOT_FOUND, "%s: there is no %s '%s'", self->path, kind,
                 id);
  return text;
}

/* ---- runs -------------------------------------------------------------------------------------------------------- */

/* A query of runs; `rest` follows the columns. */
#define SELECT_RUNS(rest)                                                                                              \
  "SELECT id, scenario_name, scenario_sha256, kind, method, label, outcome, message, started, ended, note, options, "  \
  "parameters, replay_of, solution_of, start, tags, seed, number FROM run " rest
enum { SEED_COLUMN = 17, NUMBER_COLUMN };

/* All texts of a row are in one piece: lists have thousands of rows. */
static SsappRunRow *
row_from_statement (sqlite3_stmt *s)
{
  SsappRunRow *row = g_new0 (SsappRunRow, 1);
  char **const texts[] = {&row->id,    &row->scenario_name, &row->scenario_sha256, &row->kind_name, &row->method,
                          &row->label, &row->outcome,       &row->message,         &row->started,   &row->ended,
                          &row->note,  &row->options_json,  &row->parameters_json, &row->replay_of, &row->solution_of,
                          &row->start, &row->tags};
  const char *values[G_N_ELEMENTS (texts)];
  size_t sizes[G_N_ELEMENTS (texts)], at = 0, size = 0;

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++) {
    const char *value = (const char *)sqlite3_column_text (s, (int)i);
    values[i] = value != NULL ? value : "";
    sizes[i] = strlen (values[i]) + 1;
    size += sizes[i];
  }
  row->texts = g_malloc (size);
  for (guint i = 0; i < G_N_ELEMENTS (texts); at += sizes[i], i++) {
    *texts[i] = row->texts + at;
    memcpy (*texts[i], values[i], sizes[i]);
  }
  row->kind = ss_method_kind_find (row->kind_name);
  row->seed = (guint64)sqlite3_column_int64 (s, SEED_COLUMN);
  return row;
}

SsMethodId
ssapp_run_row_get_method (const SsappRunRow *row)
{
  return (SsMethodId){row->kind, row->method};
}

void
ssapp_run_row_free (SsappRunRow *row)
{
  if (row == NULL)
    return;
  g_free (row->texts);
  g_free (row);
}

double
ssapp_run_row_get_metric (const SsappRunRow *row, SsMetric metric)
{
  g_return_val_if_fail (row != NULL, NAN);
  return ss_metric_get (&row->metrics, metric);
}

/* All metrics of one run. Names that the table does not know are those of another version. */
static gboolean
read_metrics (SsappStore *self, SsappRunRow *row, GError **error)
{
  sqlite3_stmt *s = ssapp_store_prepare_for (
      self, "SELECT name, value FROM metric WHERE run = (SELECT number FROM run WHERE id = ?1)", row->id, error);
  gboolean failed;

  if (s == NULL)
    return FALSE;
  while (step_row (self, s, "read metrics", &failed, error)) {
    const SsMetric metric = ss_metric_find ((const char *)sqlite3_column_text (s, 0));
    if (metric != SS_METRIC_COUNT)
      ss_metric_set (&row->metrics, metric, ssapp_store_column_real (s, 1));
  }
  sqlite3_finalize (s);
  return !failed;
}

/* One metric of all runs, by the index of names. */
static gboolean
read_metric_of_all (SsappStore *self, SsMetric metric, GHashTable *by_number, GError **error)
{
  sqlite3_stmt *s = ssapp_store_prepare_for (self, "SELECT run, value FROM metric WHERE name = ?1",
                                             ss_metric_spec (metric)->name, error);
  gboolean failed;

  if (s == NULL)
    return FALSE;
  while (step_row (self, s, "read metrics", &failed, error)) {
    SsappRunRow *row = g_hash_table_lookup (by_number, GSIZE_TO_POINTER (sqlite3_column_int64 (s, 0)));
    if (row != NULL)
      ss_metric_set (&row->metrics, metric, ssapp_store_column_real (s, 1));
  }
  sqlite3_finalize (s);
  return !failed;
}

GPtrArray *
ssapp_store_list_runs (SsappStore *self, const SsMetric *metrics, int n_metrics, GError **error)
{
  g_autoptr (GHashTable) by_number = g_hash_table_new (g_direct_hash, g_direct_equal);
  GPtrArray *rows;
  gboolean ok, failed;

  g_return_val_if_fail (SSAPP_IS_STORE (self), NULL);
  if (!ssapp_store_check_open (self, error))
    return NULL;
  sqlite3_stmt *s = ssapp_store_prepare (
      self,
      /* Solutions follow their answer, also where several runs started within a millisecond. */
      SELECT_RUNS ("WHERE deleted IS NULL ORDER BY started DESC, CASE solution_of WHEN '' THEN number ELSE "
                   "coalesce((SELECT answer.number FROM run AS answer WHERE answer.id = run.solution_of), number) END "
                   "DESC, solution_of <> '', number DESC"),
      error);
  if (s == NULL)
    return NULL;
  rows = g_ptr_array_new_with_free_func ((GDestroyNotify)ssapp_run_row_free);
  while (step_row (self, s, "list runs", &failed, error)) {
    SsappRunRow *row = row_from_statement (s);
    g_ptr_array_add (rows, row);
    if (n_metrics > 0)
      g_hash_table_insert (by_number, GSIZE_TO_POINTER (sqlite3_column_int64 (s, NUMBER_COLUMN)), row);
  }
  sqlite3_finalize (s);
  ok = !failed;
  for (int i = 0; ok && i < n_metrics; i++)
    ok = read_metric_of_all (self, metrics[i], by_number, error);
  if (!ok)
    g_clear_pointer (&rows, g_ptr_array_unref);
  return rows;
}

/* '%' and '_' of what the user typed are no wildcards. */
static char *
prefix_pattern (const char *prefix)
{
  GString *pattern = g_string_new ("");

  for (const char *c = prefix; *c != '\0'; c++) {
    if (*c == '%' || *c == '_' || *c == '\\')
      g_string_append_c (pattern, '\\');
    g_string_append_c (pattern, *c);
  }
  g_string_append_c (pattern, '%');
  return g_string_free (pattern, FALSE);
}

SsappRunRow *
ssapp_store_get_run (SsappStore *self, const char *id_or_prefix, GError **error)
{
  const gboolean last = g_strcmp0 (id_or_prefix, "last") == 0;
  SsappRunRow *row = NULL;
  gboolean failed, ambiguous = FALSE;
  char *pattern;

  g_return_val_if_fail (SSAPP_IS_STORE (self), NULL);
  g_return_val_if_fail (id_or_prefix != NULL, NULL);
  if (!last && strlen (id_or_prefix) < SHORTEST_PREFIX) {
    g_set_error (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_NOT_FOUND,
                 "'%s' is too short for a run: at least %d characters of its id, or 'last'", id_or_prefix,
                 SHORTEST_PREFIX);
    return NULL;
  }
  /* A whole id finds deleted runs too, so that a deletion can be looked at and undone. Ids are looked through in their
   * index, since rows are long. */
  pattern = last ? g_strdup ("") : prefix_pattern (id_or_prefix);
  sqlite3_stmt *s = ssapp_store_prepare_for (
      self,
      last ? SELECT_RUNS ("WHERE deleted IS NULL AND solution_of = '' ORDER BY started DESC, number DESC LIMIT 1")
           : SELECT_RUNS ("WHERE number IN (SELECT number FROM run WHERE id LIKE ?1 ESCAPE '\\' OR id = ?2) "
                          "AND (deleted IS NULL OR id = ?2) ORDER BY id = ?2 DESC, started DESC, number DESC LIMIT 2"),
      pattern, error);
  g_free (pattern);
  if (s == NULL)
    return NULL;
  if (!last)
    sqlite3_bind_text (s, 2, id_or_prefix, -1, SQLITE_TRANSIENT);
  if (step_row (self, s, "read a run", &failed, error)) {
    row = row_from_statement (s);
    ambiguous = !last && strcmp (row->id, id_or_prefix) != 0 && step_row (self, s, "read a run", &failed, error);
  }
  sqlite3_finalize (s);
  if (row != NULL && !ambiguous && !failed)
    failed = !read_metrics (self, row, error);
  if (failed)
    g_clear_pointer (&row, ssapp_run_row_free);
  if (ambiguous) {
    g_clear_pointer (&row, ssapp_run_row_free);
    g_set_error (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_NOT_FOUND,
                 "more than one run begins with '%s': give more characters", id_or_prefix);
  } else if (row == NULL && !failed) {
    g_set_error (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_NOT_FOUND,
                 last ? "%s has no runs yet" : "%s: there is no run '%s'", self->path, id_or_prefix);
  }
  return row;
}

char *
ssapp_store_get_scenario_text (SsappStore *self, const char *id, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_STORE (self), NULL);
  return require_text (self,
                       "SELECT t.text FROM run r JOIN scenario_text t ON t.sha256 = r.scenario_sha256 WHERE r.id = ?1",
                       id, "run", error);
}

char *
ssapp_store_get_result_json (SsappStore *self, const char *id, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_STORE (self), NULL);
  return read_text (self, "SELECT result FROM run WHERE id = ?1", id, error);
}

char *
ssapp_store_get_log (SsappStore *self, const char *id, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_STORE (self), NULL);

  sqlite3_stmt *s = ssapp_store_prepare_for (self, "SELECT text FROM log WHERE run_id = ?1 ORDER BY id", id, error);
  GString *text;
  gboolean failed;

  if (s == NULL)
    return NULL;
  text = g_string_new ("");
  while (step_row (self, s, "read a log", &failed, error)) {
    const char *line = (const char *)sqlite3_column_text (s, 0);
    g_string_append_printf (text, "%s\n", line != NULL ? line : "");
  }
  sqlite3_finalize (s);
  return g_string_free (text, failed);
}

GArray *
ssapp_store_get_iterations (SsappStore *self, const char *id, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_STORE (self), NULL);

  sqlite3_stmt *s = ssapp_store_prepare_for (
      self, "SELECT t, columns FROM iteration WHERE run_id = ?1 ORDER BY iteration", id, error);
  GArray *rows;
  gboolean failed;

  if (s == NULL)
    return NULL;
  rows = g_array_new (FALSE, TRUE, sizeof (SsappIteration));
  g_array_set_clear_func (rows, (GDestroyNotify)ssapp_iteration_clear);
  while (step_row (self, s, "read iterations", &failed, error)) {
    SsappIteration row;
    const char *columns = (const char *)sqlite3_column_text (s, 1);
    if (columns == NULL || !ssapp_iteration_from_json (columns, &row))
      continue;
    row.t = sqlite3_column_double (s, 0);
    g_array_append_val (rows, row);
  }
  sqlite3_finalize (s);
  if (failed)
    g_clear_pointer (&rows, g_array_unref);
  return rows;
}

/* ---- provenance -------------------------------------------------------------------------------------------------- */

char *
ssapp_store_get_provenance_json (SsappStore *self, const char *id, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_STORE (self), NULL);
  return require_text (
      self,
      "SELECT json_object ('version', p.version, 'git_commit', p.git_commit, 'compiler', p.compiler, 'build', "
      "p.build_flags, 'host', p.host, 'cpu', p.cpu, 'cpu_count', p.cpu_count, 'os', p.os, 'libraries', "
      "json (p.libraries), 'pid', r.owner_pid, 'seed', r.seed, 'started', r.started, 'ended', r.ended) "
      "FROM run r JOIN provenance p ON p.id = r.provenance_id WHERE r.id = ?1",
      id, "run", error);
}
