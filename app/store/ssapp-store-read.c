/* app/store/ssapp-store-read.c: the reading half of the project store; see ssapp-store.h. */
#include "app/store/ssapp-store-private.h"

#include "app/base/ssapp-json.h"
#include "app/base/ssapp-metric.h"
#include "app/job/ssapp-race.h"
#include "app/store/ssapp-store-check.h"
#include "app/store/ssapp-store-sum.h"

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

/* What a row has as texts: columns of the table of runs, and where they are. A new one is a line here and in
 * data/schema-N.sql. */
static const struct {
  const char *column;
  gsize offset;
} run_texts[] = {{"id", offsetof (SsappRunRow, id)},
                 {"scenario_name", offsetof (SsappRunRow, scenario_name)},
                 {"scenario_sha256", offsetof (SsappRunRow, scenario_sha256)},
                 {"kind", offsetof (SsappRunRow, kind_name)},
                 {"method", offsetof (SsappRunRow, method)},
                 {"label", offsetof (SsappRunRow, label)},
                 {"outcome", offsetof (SsappRunRow, outcome)},
                 {"message", offsetof (SsappRunRow, message)},
                 {"started", offsetof (SsappRunRow, started)},
                 {"ended", offsetof (SsappRunRow, ended)},
                 {"note", offsetof (SsappRunRow, note)},
                 {"options", offsetof (SsappRunRow, options_json)},
                 {"parameters", offsetof (SsappRunRow, parameters_json)},
                 {"replay_of", offsetof (SsappRunRow, replay_of)},
                 {"solution_of", offsetof (SsappRunRow, solution_of)},
                 {"start", offsetof (SsappRunRow, start)},
                 {"tags", offsetof (SsappRunRow, tags)}};
/* And the columns behind them. */
enum { SEED_COLUMN = G_N_ELEMENTS (run_texts), NUMBER_COLUMN, REMOVED_COLUMN };

static char **
text_at (SsappRunRow *row, guint i)
{
  return (char **)(void *)((char *)row + run_texts[i].offset);
}

/* A query of runs; `rest` follows the columns. Finalise the statement. */
static sqlite3_stmt *
select_runs (SsappStore *self, const char *rest, GError **error)
{
  g_autoptr (GString) sql = g_string_new ("SELECT ");

  for (guint i = 0; i < G_N_ELEMENTS (run_texts); i++)
    g_string_append_printf (sql, "%s, ", run_texts[i].column);
  g_string_append_printf (sql, "seed, number, deleted IS NOT NULL FROM run %s", rest);
  return ssapp_store_prepare (self, sql->str, error);
}

/* All texts of a row are in one piece: lists have thousands of rows. */
static SsappRunRow *
row_from_statement (sqlite3_stmt *s)
{
  SsappRunRow *row = g_new0 (SsappRunRow, 1);
  const char *values[G_N_ELEMENTS (run_texts)];
  size_t sizes[G_N_ELEMENTS (run_texts)], at = 0, size = 0;

  for (guint i = 0; i < G_N_ELEMENTS (run_texts); i++) {
    const char *value = (const char *)sqlite3_column_text (s, (int)i);
    values[i] = value != NULL ? value : "";
    sizes[i] = strlen (values[i]) + 1;
    size += sizes[i];
  }
  row->texts = g_malloc (size);
  for (guint i = 0; i < G_N_ELEMENTS (run_texts); at += sizes[i], i++) {
    *text_at (row, i) = row->texts + at;
    memcpy (*text_at (row, i), values[i], sizes[i]);
  }
  row->kind = ss_method_kind_find (row->kind_name);
  row->seed = (guint64)sqlite3_column_int64 (s, SEED_COLUMN);
  return row;
}

SsMethodId
ssapp_run_row_get_method (const SsappRunRow *row)
{
  g_return_val_if_fail (row != NULL, ((SsMethodId){0}));
  return (SsMethodId){row->kind, row->method};
}

void
ssapp_run_row_free (SsappRunRow *row)
{
  if (row == NULL)
    return;
  g_free (row->damage);
  g_free (row->texts);
  g_free (row->outcomes);
  g_free (row);
}

double
ssapp_run_row_get_metric (const SsappRunRow *row, SsMetric metric)
{
  g_return_val_if_fail (row != NULL, NAN);
  for (guint i = 0; ssapp_metric_is_outcome (metric) && i < row->n_outcomes; i++)
    if (row->outcomes[i].metric == metric)
      return row->outcomes[i].value;
  if (ssapp_metric_is_outcome (metric))
    return NAN;
  return ss_metric_get (&row->metrics, metric);
}

void
ssapp_run_row_set_outcome (SsappRunRow *row, SsMetric metric, double value)
{
  g_return_if_fail (row != NULL);
  const char *name = ssapp_metric_spec (metric)->name;
  guint place = 0;

  while (place < row->n_outcomes && strcmp (ssapp_metric_spec (row->outcomes[place].metric)->name, name) != 0)
    place++;
  if (place == row->n_outcomes)
    row->outcomes = g_renew (SsappRunOutcome, row->outcomes, ++row->n_outcomes);
  row->outcomes[place] = (SsappRunOutcome){metric, value};
}

void
ssapp_run_row_list_outcomes (const SsappRunRow *row, GArray *metrics)
{
  g_return_if_fail (row != NULL);
  for (guint i = 0; i < row->n_outcomes; i++) {
    guint place = 0;
    while (place < metrics->len && g_array_index (metrics, SsMetric, place) != row->outcomes[i].metric)
      place++;
    if (place == metrics->len)
      g_array_append_val (metrics, row->outcomes[i].metric);
  }
}

/* Takes the outcome that a row of the table of metrics is, if it is one. */
static void
take_outcome (SsappRunRow *row, const char *name, double value)
{
  const SsMetric metric = ssapp_metric_outcome_of_row (name);

  if (metric != SS_METRIC_COUNT)
    ssapp_run_row_set_outcome (row, metric, value);
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
    const char *name = (const char *)sqlite3_column_text (s, 0);
    const SsMetric metric = ss_metric_find (name);
    if (metric != SS_METRIC_COUNT)
      ss_metric_set (&row->metrics, metric, ssapp_store_column_real (s, 1));
    else
      take_outcome (row, name, ssapp_store_column_real (s, 1));
  }
  ssapp_store_end_statement (self, s);
  return !failed;
}

/* Marks the row; takes `words`, NULL: it is sound. */
static void
take_damage (SsappRunRow *row, char *words)
{
  static char outcome[] = SSAPP_OUTCOME_DAMAGED;

  if (words == NULL)
    return;
  row->damage = words;
  row->outcome = outcome;
  row->message = row->damage;
  memset (&row->metrics, 0, sizeof row->metrics);
  row->n_outcomes = 0;
}

/* What is gathered for a list: rows that were removed are in it until their marks were checked. */
typedef struct {
  GPtrArray *rows;       /* of SsappRunRow, in the order of the list */
  GHashTable *by_number; /* number to the row, borrowed */
  GHashTable *damage;    /* number to GString: parts that are not sound */
  GHashTable *metrics;   /* name to number + 1 of those that are asked for */
  gboolean has_metrics;  /* any, or outcomes, are asked for */
  const char *words;     /* of the part that is gone through */
} Listing;

static void
on_metric (gint64 number, sqlite3_stmt *s, gpointer data)
{
  Listing *list = data;
  const char *name = list->has_metrics ? (const char *)sqlite3_column_text (s, 1) : NULL;
  const int metric = name != NULL ? GPOINTER_TO_INT (g_hash_table_lookup (list->metrics, name)) - 1 : -1;
  const SsMetric outcome = name != NULL && metric < 0 ? ssapp_metric_outcome_of_row (name) : SS_METRIC_COUNT;

  if (metric < 0 && outcome == SS_METRIC_COUNT) /* as most are */
    return;
  SsappRunRow *row = g_hash_table_lookup (list->by_number, GSIZE_TO_POINTER (number));
  if (row == NULL)
    return;
  if (metric >= 0)
    ss_metric_set (&row->metrics, (SsMetric)metric, ssapp_store_column_real (s, 2));
  else
    ssapp_run_row_set_outcome (row, outcome, ssapp_store_column_real (s, 2));
}

static void
on_state (gint64 number, const char *id, SsappSumState state, gpointer data)
{
  Listing *list = data;
  GString *words = g_hash_table_lookup (list->damage, GSIZE_TO_POINTER (number));

  if (state != SSAPP_SUM_OTHER)
    return;
  if (words == NULL) {
    words = g_string_new (id == NULL ? "the run itself, of which metrics are there," : "");
    g_hash_table_insert (list->damage, GSIZE_TO_POINTER (number), words);
  }
  if (id != NULL)
    g_string_append_printf (words, "%s%s", words->len > 0 ? ", " : "", list->words);
}

/* Metrics of all runs, in one pass over their table, where there are no checksums. */
static gboolean
read_metrics_of_all (SsappStore *self, Listing *list, GError **error)
{
  sqlite3_stmt *s = ssapp_store_prepare (self, "SELECT run, name, value FROM metric", error);
  gboolean failed;

  if (s == NULL)
    return FALSE;
  while (step_row (self, s, "read metrics", &failed, error))
    on_metric (sqlite3_column_int64 (s, 0), s, list);
  ssapp_store_end_statement (self, s);
  return !failed;
}

/* Fills in metrics and finds what is not sound: what is checked is what is shown. */
static gboolean
check_list (SsappStore *self, Listing *list, GError **error)
{
  static const char *const shown[] = {"row", "marks", "metrics"};
  gboolean ok = TRUE;

  if (!self->has_sums)
    return !list->has_metrics || read_metrics_of_all (self, list, error);
  for (guint i = 0; ok && i < G_N_ELEMENTS (shown); i++) {
    for (guint k = 0; k < ssapp_store_n_parts (); k++)
      if (strcmp (ssapp_store_part (k)->of, "run") == 0 && strcmp (ssapp_store_part (k)->name, shown[i]) == 0)
        list->words = ssapp_store_part (k)->words;
    ok = strcmp (shown[i], "metrics") == 0
             ? ssapp_store_sum_each (self, "run", shown[i], on_metric, on_state, list, error)
             : ssapp_store_sum_others (self, shown[i], on_state, list, error);
  }
  return ok;
}

/* A run of which only metrics are left. */
static SsappRunRow *
missing_row (gint64 number)
{
  SsappRunRow *row = g_new0 (SsappRunRow, 1);
  static char nothing[] = "";

  for (guint i = 0; i < G_N_ELEMENTS (run_texts); i++)
    *text_at (row, i) = nothing;
  row->texts = g_strdup_printf ("missing-%d", (int)number);
  row->id = row->texts;
  row->kind = SS_METHOD_KIND_COUNT;
  return row;
}

/* Marks what is damaged; rows that were removed leave the list, unless somebody else may have removed them. */
static void
finish_list (Listing *list, GHashTable *removed)
{
  GHashTableIter iter;
  gpointer number, value;

  g_hash_table_iter_init (&iter, list->damage);
  while (g_hash_table_iter_next (&iter, &number, &value)) {
    SsappRunRow *row = g_hash_table_lookup (list->by_number, number);
    if (row == NULL) {
      row = missing_row ((gint64)GPOINTER_TO_SIZE (number));
      g_ptr_array_add (list->rows, row);
    }
    g_hash_table_remove (removed, row);
    g_string_append (value, ": " SSAPP_NOT_AS_STORED);
    take_damage (row, g_strdup (((GString *)value)->str));
  }
  g_autoptr (GPtrArray) kept = g_ptr_array_new ();
  for (guint i = 0; i < list->rows->len; i++) {
    SsappRunRow *row = g_ptr_array_index (list->rows, i);
    if (g_hash_table_contains (removed, row))
      ssapp_run_row_free (row);
    else
      g_ptr_array_add (kept, row);
  }
  g_ptr_array_set_free_func (list->rows, NULL);
  g_ptr_array_set_size (list->rows, 0);
  g_ptr_array_set_free_func (list->rows, (GDestroyNotify)ssapp_run_row_free);
  for (guint i = 0; i < kept->len; i++)
    g_ptr_array_add (list->rows, g_ptr_array_index (kept, i));
}

static void
string_free (gpointer words)
{
  g_string_free (words, TRUE);
}

/* All rows, also those that were removed, which are put into that set. Solutions follow their answer, also where
 * several runs started within a millisecond. Indexes are not asked: they may be damaged where the rows are not. */
static gboolean
read_list (SsappStore *self, Listing *list, GHashTable *removed, GError **error)
{
  const char *const order = " ORDER BY started DESC, CASE solution_of WHEN '' THEN number ELSE "
                            "coalesce((SELECT answer.number FROM run AS answer WHERE answer.id = run.solution_of), "
                            "number) END DESC, solution_of <> '', number DESC";
  g_autofree char *rest = g_strconcat (self->has_sums ? "NOT INDEXED" : "WHERE deleted IS NULL", order, NULL);
  sqlite3_stmt *s = select_runs (self, rest, error);
  gboolean failed;

  if (s == NULL)
    return FALSE;
  while (step_row (self, s, "list runs", &failed, error)) {
    SsappRunRow *row = row_from_statement (s);
    g_ptr_array_add (list->rows, row);
    g_hash_table_insert (list->by_number, GSIZE_TO_POINTER (sqlite3_column_int64 (s, NUMBER_COLUMN)), row);
    if (sqlite3_column_int (s, REMOVED_COLUMN))
      g_hash_table_add (removed, row);
  }
  ssapp_store_end_statement (self, s);
  return !failed;
}

GPtrArray *
ssapp_store_list_runs (SsappStore *self, const SsMetric *metrics, int n_metrics, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_STORE (self), NULL);
  if (!ssapp_store_check_open (self, error))
    return NULL;
  g_autoptr (GPtrArray) rows = g_ptr_array_new_with_free_func ((GDestroyNotify)ssapp_run_row_free);
  g_autoptr (GHashTable) by_number = g_hash_table_new (g_direct_hash, g_direct_equal);
  g_autoptr (GHashTable) removed = g_hash_table_new (g_direct_hash, g_direct_equal);
  g_autoptr (GHashTable) damage = g_hash_table_new_full (g_direct_hash, g_direct_equal, NULL, string_free);
  g_autoptr (GHashTable) names = g_hash_table_new (g_str_hash, g_str_equal);
  Listing list = {rows, by_number, damage, names, n_metrics > 0, ""};
  for (int i = 0; i < n_metrics; i++)
    if (!ssapp_metric_is_outcome (metrics[i]))
      g_hash_table_insert (names, (gpointer)ss_metric_spec (metrics[i])->name, GINT_TO_POINTER ((int)metrics[i] + 1));
  const gboolean began = ssapp_store_begin_read (self);
  const gboolean ok = read_list (self, &list, removed, error) && check_list (self, &list, error) &&
                      ssapp_store_had_memory (self, error);
  ssapp_store_end_read (self, began);
  if (!ok)
    return NULL;
  finish_list (&list, removed);
  return g_steal_pointer (&rows);
}

/* Numbers of runs whose row or marks are not sound, or that are gone. */
static void
on_newer_state (gint64 number, const char *id, SsappSumState state, gpointer data)
{
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
  gboolean ok = TRUE;

  for (guint i = 0; self->has_sums && ok && i < G_N_ELEMENTS (decides); i++)
    ok = ssapp_store_sum_others (self, decides[i], on_newer_state, numbers, error);
  ok = ok && (!self->has_sums || add_lost (self, numbers, error));
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
  s = select_runs (
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
    row = row_from_statement (s);
    ambiguous = !last && strcmp (row->id, id_or_prefix) != 0 && step_row (self, s, "read a run", &failed, error);
  }
  ssapp_store_end_statement (self, s);
  if (row != NULL && !ambiguous && !failed)
    failed = !read_metrics (self, row, error);
  if (row != NULL && !ambiguous && !failed)
    take_damage (row, ssapp_store_check_run (self, row->id, FALSE, NULL));
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
  return read_text (self, "SELECT unpack (result) FROM run WHERE id = ?1", id, error);
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
