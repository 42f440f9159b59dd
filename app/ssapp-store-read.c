/* app/ssapp-store-read.c: the reading half of the project store; see ssapp-store.h. */
#include "app/ssapp-store-private.h"

#include "app/ssapp-json.h"

#include <math.h>
#include <string.h>

enum { SHORTEST_PREFIX = 4 };

/* ---- columns ---------------------------------------------------------------------------------------------------------------------- */

static char *
column_text (sqlite3_stmt *statement, int column)
{
  const char *text = (const char *)sqlite3_column_text (statement, column);

  return g_strdup (text != NULL ? text : "");
}

static double
column_real (sqlite3_stmt *statement, int column)
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

/* The statement with `id` bound to its first parameter. */
static sqlite3_stmt *
prepare_for (SsappStore *self, const char *sql, const char *id, GError **error)
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
  sqlite3_stmt *statement = prepare_for (self, sql, id, error);
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

/* ---- runs ------------------------------------------------------------------------------------------------------------------------- */

#define RUN_COLUMNS                                                                                                    \
  "id, scenario_name, scenario_sha256, method, label, outcome, message, started, note, objective, max_violation, "     \
  "tracking_error, solve_seconds, cpu_seconds, iterations, success_paper, kind, options, parameters, ended, seed, "
#define REPLAY_COLUMNS   "replay_of, replay_distance"
#define NO_REPLAY_COLUMN "'', NULL" /* a read-only project of format 1 has none */

/* A query of runs; `rest` follows the columns. */
static sqlite3_stmt *
prepare_runs (SsappStore *self, const char *rest, GError **error)
{
  g_autofree char *sql =
      g_strconcat ("SELECT " RUN_COLUMNS, self->format >= 2 ? REPLAY_COLUMNS : NO_REPLAY_COLUMN, rest, NULL);
  return ssapp_store_check_open (self, error) ? ssapp_store_prepare (self, sql, error) : NULL;
}

static SsappRunRow *
row_from_statement (sqlite3_stmt *s)
{
  SsappRunRow *row = g_new0 (SsappRunRow, 1);

  row->id = column_text (s, 0);
  row->scenario_name = column_text (s, 1);
  row->scenario_sha256 = column_text (s, 2);
  row->method = column_text (s, 3);
  row->label = column_text (s, 4);
  row->outcome = column_text (s, 5);
  row->message = column_text (s, 6);
  row->started = column_text (s, 7);
  row->note = column_text (s, 8);
  row->objective = column_real (s, 9);
  row->max_violation = column_real (s, 10);
  row->tracking_error = column_real (s, 11);
  row->solve_seconds = column_real (s, 12);
  row->cpu_seconds = column_real (s, 13);
  row->iterations = sqlite3_column_int64 (s, 14);
  row->success_paper = sqlite3_column_int (s, 15) != 0;
  row->is_simulation = g_strcmp0 ((const char *)sqlite3_column_text (s, 16), "simulate") == 0;
  row->options_json = column_text (s, 17);
  row->parameters_json = column_text (s, 18);
  row->ended = column_text (s, 19);
  row->seed = (guint64)sqlite3_column_int64 (s, 20);
  row->replay_of = column_text (s, 21);
  row->replay_distance = column_real (s, 22);
  return row;
}

void
ssapp_run_row_free (SsappRunRow *row)
{
  if (row == NULL)
    return;
  char **const texts[] = {&row->id,       &row->scenario_name, &row->scenario_sha256, &row->method,
                          &row->label,    &row->outcome,       &row->message,         &row->started,
                          &row->note,     &row->options_json,  &row->parameters_json, &row->ended,
                          &row->replay_of};
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    g_free (*texts[i]);
  g_free (row);
}

GPtrArray *
ssapp_store_list_runs (SsappStore *self, GError **error)
{
  GPtrArray *rows;
  gboolean failed;

  g_return_val_if_fail (SSAPP_IS_STORE (self), NULL);
  if (!ssapp_store_check_open (self, error))
    return NULL;
  sqlite3_stmt *s = prepare_runs (self, " FROM run WHERE deleted IS NULL ORDER BY started DESC, rowid DESC", error);
  if (s == NULL)
    return NULL;
  rows = g_ptr_array_new_with_free_func ((GDestroyNotify)ssapp_run_row_free);
  while (step_row (self, s, "list runs", &failed, error))
    g_ptr_array_add (rows, row_from_statement (s));
  sqlite3_finalize (s);
  if (failed)
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
  /* A whole id finds deleted runs too, so that a deletion can be looked at and undone. */
  pattern = last ? g_strdup ("%") : prefix_pattern (id_or_prefix);
  sqlite3_stmt *s = prepare_runs (self,
                                  " FROM run WHERE (deleted IS NULL AND id LIKE ?1 ESCAPE '\\') OR id = ?2 "
                                  "ORDER BY id = ?2 DESC, started DESC, rowid DESC LIMIT 2",
                                  error);
  if (s != NULL)
    sqlite3_bind_text (s, 1, pattern, -1, SQLITE_TRANSIENT);
  g_free (pattern);
  if (s == NULL)
    return NULL;
  sqlite3_bind_text (s, 2, id_or_prefix, -1, SQLITE_TRANSIENT);
  if (step_row (self, s, "read a run", &failed, error)) {
    row = row_from_statement (s);
    ambiguous = !last && strcmp (row->id, id_or_prefix) != 0 && step_row (self, s, "read a run", &failed, error);
  }
  sqlite3_finalize (s);
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
  return require_text (self,
                       "SELECT t.text FROM run r JOIN scenario_text t ON t.sha256 = r.scenario_sha256 WHERE r.id = ?1",
                       id, "run", error);
}

char *
ssapp_store_get_result_json (SsappStore *self, const char *id, GError **error)
{
  return read_text (self, "SELECT result FROM run WHERE id = ?1", id, error);
}

char *
ssapp_store_get_log (SsappStore *self, const char *id, GError **error)
{
  sqlite3_stmt *s = prepare_for (self, "SELECT text FROM log WHERE run_id = ?1 ORDER BY id", id, error);
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
  sqlite3_stmt *s =
      prepare_for (self, "SELECT t, columns FROM iteration WHERE run_id = ?1 ORDER BY iteration", id, error);
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

/* ---- motions ---------------------------------------------------------------------------------------------------------------------- */

/* Columns: n_rows, channels, data. */
static SsTrajectory *
read_trajectory (SsappStore *self, sqlite3_stmt *s, GError **error)
{
  SsTrajectory *trajectory = NULL;
  gboolean failed;

  if (step_row (self, s, "read a motion", &failed, error)) {
    const char *names = (const char *)sqlite3_column_text (s, 1);
    json_t *channels = json_loads (names != NULL ? names : "", 0, NULL);
    const void *data = sqlite3_column_blob (s, 2);
    trajectory =
        ssapp_trajectory_from_bytes (channels, sqlite3_column_int (s, 0), data, (size_t)sqlite3_column_bytes (s, 2));
    json_decref (channels);
    if (trajectory == NULL)
      g_set_error (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_DAMAGED,
                   "%s: a stored motion is damaged: shape and data disagree", self->path);
  }
  sqlite3_finalize (s);
  return trajectory;
}

SsTrajectory *
ssapp_store_get_trajectory (SsappStore *self, const char *id, GError **error)
{
  /* 'answer' sorts before 'latest'. */
  sqlite3_stmt *s = prepare_for (self,
                                 "SELECT n_rows, channels, data FROM trajectory WHERE run_id = ?1 AND role IN "
                                 "('answer', 'latest') ORDER BY role LIMIT 1",
                                 id, error);

  return s != NULL ? read_trajectory (self, s, error) : NULL;
}

SsTrajectory *
ssapp_store_get_iterate (SsappStore *self, const char *id, int iteration, GError **error)
{
  sqlite3_stmt *s = prepare_for (
      self, "SELECT n_rows, channels, data FROM trajectory WHERE run_id = ?1 AND role = 'iterate' AND iteration = ?2",
      id, error);

  if (s == NULL)
    return NULL;
  sqlite3_bind_int (s, 2, iteration);
  return read_trajectory (self, s, error);
}

GArray *
ssapp_store_list_iterates (SsappStore *self, const char *id, GError **error)
{
  sqlite3_stmt *s = prepare_for (
      self, "SELECT iteration FROM trajectory WHERE run_id = ?1 AND role = 'iterate' ORDER BY iteration", id, error);
  GArray *list;
  gboolean failed;

  if (s == NULL)
    return NULL;
  list = g_array_new (FALSE, FALSE, sizeof (int));
  while (step_row (self, s, "list iterates", &failed, error)) {
    int iteration = sqlite3_column_int (s, 0);
    g_array_append_val (list, iteration);
  }
  sqlite3_finalize (s);
  if (failed)
    g_clear_pointer (&list, g_array_unref);
  return list;
}

/* ---- provenance, scenarios -------------------------------------------------------------------------------------------------------- */

char *
ssapp_store_get_provenance_json (SsappStore *self, const char *id, GError **error)
{
  return require_text (
      self,
      "SELECT json_object ('version', p.version, 'git_commit', p.git_commit, 'compiler', p.compiler, 'build', "
      "p.build_flags, 'host', p.host, 'cpu', p.cpu, 'cpu_count', p.cpu_count, 'os', p.os, 'libraries', "
      "json (p.libraries), 'pid', r.owner_pid, 'seed', r.seed, 'started', r.started, 'ended', r.ended) "
      "FROM run r JOIN provenance p ON p.id = r.provenance_id WHERE r.id = ?1",
      id, "run", error);
}

GPtrArray *
ssapp_store_list_scenarios (SsappStore *self, GError **error)
{
  GPtrArray *names;
  gboolean failed;

  g_return_val_if_fail (SSAPP_IS_STORE (self), NULL);
  if (!ssapp_store_check_open (self, error))
    return NULL;
  sqlite3_stmt *s =
      ssapp_store_prepare (self, "SELECT name FROM scenario GROUP BY name ORDER BY max (saved) DESC, name", error);
  if (s == NULL)
    return NULL;
  names = g_ptr_array_new_with_free_func (g_free);
  while (step_row (self, s, "list scenarios", &failed, error))
    g_ptr_array_add (names, column_text (s, 0));
  sqlite3_finalize (s);
  if (failed)
    g_clear_pointer (&names, g_ptr_array_unref);
  return names;
}

char *
ssapp_store_get_scenario (SsappStore *self, const char *name, GError **error)
{
  return require_text (self,
                       "SELECT t.text FROM scenario s JOIN scenario_text t ON t.sha256 = s.sha256 WHERE s.name = ?1 "
                       "ORDER BY s.version DESC LIMIT 1",
                       name, "scenario", error);
}
