/* app/store/ssapp-store-read.c: the reading half of the project store; see ssapp-store.h. */
#include "app/store/ssapp-store-private.h"

#include "app/base/ssapp-json.h"
#include "app/base/ssapp-metric.h"
#include "app/job/ssapp-race.h"
#include "app/store/ssapp-store-check.h"
#include "app/store/ssapp-store-walk.h"

#include <math.h>
#include <string.h>

enum { SHORTEST_PREFIX = 4 };

/* ---- columns ----------------------------------------------------------------------------------------------------- */

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
    text = ssapp_store_column_text (statement, 0);
  ssapp_store_end_statement (self, statement);
  return text;
}

/* Nothing has that id: by an index, which may be what is damaged. */
static void
set_not_found (SsappStore *self, const char *kind, const char *id, GError **error)
{
  g_autofree char *fault = NULL;

  if (ssapp_store_find_file_fault (self, &fault, NULL) && fault != NULL)
    g_set_error (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_NOT_FOUND,
                 "%s: %s '%s' is not found, and the file is damaged: %s", self->path, kind, id, fault);
  else
    g_set_error (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_NOT_FOUND, "%s: there is no %s '%s'", self->path, kind,
                 id);
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
    set_not_found (self, kind, id, error);
  return text;
}

/* ---- runs -------------------------------------------------------------------------------------------------------- */

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
    const char *name = (const char *)sqlite3_column_text (s, 0);
    const SsMetric own = ss_metric_find (name),
                   metric = own != SS_METRIC_COUNT ? own : ssapp_metric_outcome_of_row (name);
    if (metric != SS_METRIC_COUNT)
      ssapp_run_row_set_metric (row, metric, ssapp_store_column_real (s, 1));
  }
  ssapp_store_end_statement (self, s);
  return !failed;
}

/* Numbers of runs whose row or marks are not sound, or that are gone. */
static void
on_newer_state (gint64 number, const char *id, const SsappStorePart *part, SsappSumState state, gpointer data)
{
  (void)part;
  (void)id;
  if (state == SSAPP_SUM_OTHER)
    g_array_append_val ((GArray *)data, number);
}

/* And of runs that are gone while a part of them is there: with the page of their rows that of their checksums may have
 * gone, too. */
static gboolean
add_lost (SsappStore *self, GArray *numbers, GError **error)
{
  sqlite3_stmt *s =
      ssapp_store_prepare (self,
                           "SELECT number FROM (SELECT number FROM checksum WHERE of = 'run' UNION "
                           "SELECT run FROM metric) WHERE number NOT IN (SELECT number FROM run NOT INDEXED)",
                           error);
  gboolean failed = FALSE;

  if (s == NULL)
    return FALSE;
  while (step_row (self, s, "read checksums", &failed, error)) {
    const gint64 number = sqlite3_column_int64 (s, 0);
    g_array_append_val (numbers, number);
  }
  ssapp_store_end_statement (self, s);
  return !failed;
}

/* Whether `picked` is the newest run: an error where another one that is newer looks as if it had been removed, was a
 * local solution or began earlier, or is gone, though this program did none of that. */
static gboolean
check_last (SsappStore *self, const SsappRunRow *picked, GError **error)
{
  static const char *const decides[] = {"row", "marks"};
  g_autoptr (GArray) numbers = g_array_new (FALSE, FALSE, sizeof (gint64));
  gboolean ok = !self->has_sums ||
                (ssapp_store_walk_unsound (self, decides, G_N_ELEMENTS (decides), on_newer_state, numbers, error) &&
                 add_lost (self, numbers, error));

  for (guint i = 0; ok && i < numbers->len; i++) {
    sqlite3_stmt *s = ssapp_store_prepare_for (
        self,
        "SELECT 1 FROM run p NOT INDEXED WHERE p.id = ?1 AND p.number <> ?2 AND (p.number < ?2 OR p.started < (SELECT "
        "started FROM run WHERE number = ?2)) UNION ALL SELECT 1 WHERE ?1 = ''",
        picked != NULL ? picked->id : "", error);
    if (s == NULL)
      return FALSE;
    sqlite3_bind_int64 (s, 2, g_array_index (numbers, gint64, i));
    ok = sqlite3_step (s) != SQLITE_ROW;
    ssapp_store_end_statement (self, s);
    if (!ok)
      g_set_error (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_NOT_FOUND,
                   "%s: it is not known which run is the last one: run number %" G_GINT64_FORMAT
                   " is damaged or missing; name a run by its id",
                   self->path, g_array_index (numbers, gint64, i));
  }
  return ok;
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

static SsappRunRow *
get_run_itself (SsappStore *self, const char *id_or_prefix, GError **error)
{
  const gboolean last = g_strcmp0 (id_or_prefix, "last") == 0;
  SsappRunRow *row = NULL;
  gboolean failed = FALSE, ambiguous = FALSE;
  sqlite3_stmt *s;

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
  if (!ssapp_store_check_open (self, error))
    return NULL;
  const gboolean is_whole = g_uuid_string_is_valid (id_or_prefix);
  s = ssapp_store_select_runs (
      self,
      last       ? "NOT INDEXED WHERE deleted IS NULL AND solution_of = '' ORDER BY started DESC, number DESC LIMIT 1"
      : is_whole ? "WHERE id = ?2"
                 : "WHERE number IN (SELECT number FROM run WHERE id LIKE ?1 ESCAPE '\\' OR id = ?2) "
                   "AND (deleted IS NULL OR id = ?2) ORDER BY id = ?2 DESC, started DESC, number DESC LIMIT 2",
      error);
  if (s == NULL)
    return NULL;
  const gboolean began = ssapp_store_begin_read (self);
  if (!last) {
    g_autofree char *pattern = prefix_pattern (id_or_prefix);
    sqlite3_bind_text (s, 1, pattern, -1, SQLITE_TRANSIENT);
    sqlite3_bind_text (s, 2, id_or_prefix, -1, SQLITE_TRANSIENT);
  }
  if (step_row (self, s, "read a run", &failed, error)) {
    row = ssapp_store_run_row_new (s);
    ambiguous = !last && strcmp (row->id, id_or_prefix) != 0 && step_row (self, s, "read a run", &failed, error);
  }
  ssapp_store_end_statement (self, s);
  if (row != NULL && !ambiguous && !failed)
    failed = !read_metrics (self, row, error);
  if (row != NULL && !ambiguous && !failed)
    ssapp_store_mark_damaged (row, ssapp_store_check_run (self, row->id, FALSE, NULL));
  if (last && !failed)
    failed = !check_last (self, row, error);
  failed = failed || !ssapp_store_had_memory (self, error);
  ssapp_store_end_read (self, began);
  if (failed)
    g_clear_pointer (&row, ssapp_run_row_free);
  if (ambiguous) {
    g_clear_pointer (&row, ssapp_run_row_free);
    g_set_error (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_NOT_FOUND,
                 "more than one run begins with '%s': give more characters", id_or_prefix);
  } else if (row == NULL && !failed) {
    g_autoptr (GPtrArray) gone = ssapp_store_list_gone (self, "run");
    if (gone->len > 0)
      g_set_error (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_NOT_FOUND,
                   "%s: there is no run '%s', and the project is damaged: %u of its runs are missing", self->path,
                   id_or_prefix, gone->len);
    else if (last)
      g_set_error (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_NOT_FOUND, "%s has no runs yet", self->path);
    else
      set_not_found (self, "run", id_or_prefix, error);
  }
  return row;
}

/* Of the front of a race; any answer of it has the same one. Takes `row`. */
static SsappRunRow *
get_marked (SsappStore *self, SsappRunRow *row, const char *mark, GError **error)
{
  g_autofree char *text =
      ssapp_store_get_result_json (self, row->solution_of[0] != '\0' ? row->solution_of : row->id, error);
  json_t *result = text != NULL ? json_loads (text, 0, NULL) : NULL;
  SsappRace *race = ssapp_race_from_json (json_object_get (result, "race"));
  const char *id = race != NULL ? ssapp_race_find_run (race, mark) : NULL;
  SsappRunRow *marked = id != NULL ? get_run_itself (self, id, error) : NULL;

  if (id == NULL && (error == NULL || *error == NULL)) {
    g_autoptr (GString) names = g_string_new (NULL);
    for (int m = 0; m < SS_MEMBER_MARKS; m++)
      g_string_append_printf (names, "%s%s",
                              m == 0                    ? ""
                              : m + 1 < SS_MEMBER_MARKS ? ", "
                                                        : " or ",
                              ss_member_mark_name ((SsMemberMark)m));
    g_set_error (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_NOT_FOUND,
                 "run %.8s has no answer '%s': of a race, RUN:MARK with the mark %s", row->id, mark, names->str);
  }
  ssapp_race_free (race);
  json_decref (result);
  ssapp_run_row_free (row);
  return marked;
}

SsappRunRow *
ssapp_store_get_run (SsappStore *self, const char *id_or_prefix, GError **error)
{
  const char *mark = id_or_prefix != NULL ? strrchr (id_or_prefix, ':') : NULL;

  if (mark == NULL)
    return get_run_itself (self, id_or_prefix, error);
  g_autofree char *own = g_strndup (id_or_prefix, (gsize)(mark - id_or_prefix));
  SsappRunRow *row = get_run_itself (self, own, error);
  return row != NULL ? get_marked (self, row, mark + 1, error) : NULL;
}

SsappRunRow *
ssapp_store_get_sound_run (SsappStore *self, const char *id_or_prefix, GError **error)
{
  g_return_val_if_fail (self != NULL, NULL);
  SsappRunRow *row = ssapp_store_get_run (self, id_or_prefix, error);

  if (row == NULL || row->damage == NULL)
    return row;
  g_set_error (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_DAMAGED, "%s: run %s is damaged: %s", self->path, row->id,
               row->damage);
  ssapp_run_row_free (row);
  return NULL;
}

char *
ssapp_store_get_scenario_text (SsappStore *self, const char *id, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_STORE (self), NULL);
  g_autofree char *sha256 = NULL, *found = NULL;
  char *text = require_text (
      self, "SELECT t.text FROM run r JOIN scenario_text t ON t.sha256 = r.scenario_sha256 WHERE r.id = ?1", id, "run",
      error);

  if (text == NULL)
    return NULL;
  sha256 = require_text (self, "SELECT scenario_sha256 FROM run WHERE id = ?1", id, "run", error);
  if (sha256 == NULL) {
    g_free (text);
    return NULL;
  }
  found = g_compute_checksum_for_string (G_CHECKSUM_SHA256, text, -1);
  if (g_strcmp0 (sha256, found) == 0)
    return text;
  g_set_error (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_DAMAGED,
               "%s: run %s is damaged: the text of its scenario: " SSAPP_NOT_AS_STORED, self->path, id);
  g_free (text);
  return NULL;
}

char *
ssapp_store_get_result_json (SsappStore *self, const char *id, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_STORE (self), NULL);
  if (!ssapp_store_check_open (self, error) || !ssapp_store_check_part (self, id, "result", error))
    return NULL;
  return read_text (self,
                    "SELECT unpack (o.result) FROM run r LEFT JOIN run_result o ON o.run = r.number WHERE r.id = ?1",
                    id, error);
}

char *
ssapp_store_get_asked_json (SsappStore *self, const char *id, GError **error)
{
  g_autofree char *result = ssapp_store_get_result_json (self, id, error);
  json_t *told = result != NULL ? json_loads (result, 0, NULL) : NULL, *asked = json_object_get (told, "asked");
  char *text = asked != NULL ? ssapp_json_text (asked, FALSE) : NULL;

  json_decref (told);
  return text;
}

char *
ssapp_store_get_log (SsappStore *self, const char *id, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_STORE (self), NULL);

  if (!ssapp_store_check_open (self, error) || !ssapp_store_check_part (self, id, "log", error))
    return NULL;
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
  ssapp_store_end_statement (self, s);
  return g_string_free (text, failed);
}

GArray *
ssapp_store_get_iterations (SsappStore *self, const char *id, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_STORE (self), NULL);

  if (!ssapp_store_check_open (self, error) || !ssapp_store_check_part (self, id, "iterations", error))
    return NULL;
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
  ssapp_store_end_statement (self, s);
  if (failed)
    g_clear_pointer (&rows, g_array_unref);
  return rows;
}

/* ---- provenance -------------------------------------------------------------------------------------------------- */

char *
ssapp_store_get_provenance_json (SsappStore *self, const char *id, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_STORE (self), NULL);
  if (!ssapp_store_check_open (self, error) || !ssapp_store_check_part (self, id, "provenance", error))
    return NULL;
  return require_text (
      self,
      "SELECT json_object ('version', p.version, 'git_commit', p.git_commit, 'compiler', p.compiler, 'build', "
      "p.build_flags, 'host', p.host, 'cpu', p.cpu, 'cpu_count', p.cpu_count, 'os', p.os, 'libraries', "
      "json (p.libraries), 'pid', r.owner_pid, 'seed', r.seed, 'started', r.started, 'ended', r.ended) "
      "FROM run r JOIN provenance p ON p.id = r.provenance_id WHERE r.id = ?1",
      id, "run", error);
}
