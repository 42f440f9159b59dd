/* app/store/ssapp-store-list.c: runs as rows, and the list of all of them; see ssapp-store.h and
 * ssapp-store-private.h. */
#include "app/store/ssapp-store-private.h"

#include "app/base/ssapp-metric.h"
#include "app/store/ssapp-store-walk.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- rows -------------------------------------------------------------------------------------------------------- */

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
/* And the columns behind them; of one that was not removed the last is NULL. */
#define OTHER_COLUMNS "seed, number, deleted"
enum { SEED_COLUMN = G_N_ELEMENTS (run_texts), NUMBER_COLUMN, DELETED_COLUMN };

static char **
text_at (SsappRunRow *row, guint i)
{
  return (char **)(void *)((char *)row + run_texts[i].offset);
}

/* All of them; g_free. */
static char *
list_columns (void)
{
  g_autoptr (GString) columns = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (run_texts); i++)
    g_string_append_printf (columns, "%s, ", run_texts[i].column);
  g_string_append (columns, OTHER_COLUMNS);
  return g_string_free (g_steal_pointer (&columns), FALSE);
}

sqlite3_stmt *
ssapp_store_select_runs (SsappStore *self, const char *rest, GError **error)
{
  g_autofree char *columns = list_columns ();
  g_autofree char *sql = g_strdup_printf ("SELECT %s FROM run %s", columns, rest);

  return ssapp_store_prepare (self, sql, error);
}

/* All texts of a row are in one piece: lists have thousands of rows. */
SsappRunRow *
ssapp_store_run_row_new (sqlite3_stmt *s)
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
  g_free (row->metrics);
  g_free (row->outcomes);
  g_free (row);
}

double
ssapp_run_row_get_metric (const SsappRunRow *row, SsMetric metric)
{
  g_return_val_if_fail (row != NULL, NAN);
  const gboolean is_outcome = ssapp_metric_is_outcome (metric);
  const SsappRunOutcome *values = is_outcome ? row->outcomes : row->metrics;
  const guint n = is_outcome ? row->n_outcomes : row->n_metrics;

  for (guint i = 0; i < n; i++)
    if (values[i].metric == metric)
      return values[i].value;
  return NAN;
}

void
ssapp_run_row_set_metric (SsappRunRow *row, SsMetric metric, double value)
{
  g_return_if_fail (row != NULL);
  const gboolean is_outcome = ssapp_metric_is_outcome (metric);
  SsappRunOutcome **values = is_outcome ? &row->outcomes : &row->metrics;
  guint *n = is_outcome ? &row->n_outcomes : &row->n_metrics, place = 0;

  /* outcomes of one name may differ in their units */
  while (place < *n &&
         strcmp (ssapp_metric_spec ((*values)[place].metric)->name, ssapp_metric_spec (metric)->name) != 0)
    place++;
  if (place == *n)
    *values = g_renew (SsappRunOutcome, *values, ++*n);
  (*values)[place] = (SsappRunOutcome){metric, value};
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

void
ssapp_store_mark_damaged (SsappRunRow *row, char *words)
{
  static char outcome[] = SSAPP_OUTCOME_DAMAGED;

  if (words == NULL)
    return;
  row->damage = words;
  row->outcome = outcome;
  row->message = row->damage;
  row->n_metrics = 0;
  row->n_outcomes = 0;
}

/* ---- the list ---------------------------------------------------------------------------------------------------- */

typedef struct {
  SsappRunRow *row;
  gint64 number;
  gint64 answer; /* number of the run that it is a solution of; its own where it is none */
  gboolean is_removed;
  GString *damage; /* parts that are not sound; NULL: none */
} Listed;

/* A name in the table of metrics, and what is taken of it. */
typedef struct {
  char *name;
  SsMetric metric, outcome; /* SS_METRIC_COUNT: it is none that is asked for */
} MetricName;

typedef struct {
  GArray *runs;          /* of Listed; the last is the one that is read */
  GHashTable *missing;   /* set of numbers of runs of which only parts are there */
  const gboolean *asked; /* of SS_METRIC_COUNT */
  gboolean has_metrics;  /* any, or outcomes, are asked for */
  GArray *names;         /* of MetricName: those of the run before in their order, which the next one has, too */
  guint name;            /* where the next one stands */
  GArray *metrics;       /* of SsappRunOutcome: of the run that is read */
} Listing;

static void
listed_clear (gpointer data)
{
  Listed *listed = data;

  g_clear_pointer (&listed->row, ssapp_run_row_free);
  if (listed->damage != NULL)
    g_string_free (listed->damage, TRUE);
}

static void
metric_name_clear (gpointer data)
{
  g_free (((MetricName *)data)->name);
}

/* The run that was read has all its metrics. */
static void
end_run (Listing *list)
{
  if (list->metrics->len > 0) {
    SsappRunRow *row = g_array_index (list->runs, Listed, list->runs->len - 1).row;
    row->n_metrics = list->metrics->len;
    row->metrics = g_memdup2 (list->metrics->data, list->metrics->len * sizeof (SsappRunOutcome));
  }
  g_array_set_size (list->metrics, 0);
  list->name = 0;
}

static void
on_run (gint64 number, sqlite3_stmt *s, gpointer data)
{
  Listing *list = data;
  const gboolean is_removed = sqlite3_column_type (s, DELETED_COLUMN) != SQLITE_NULL;

  end_run (list);
  const Listed listed = {ssapp_store_run_row_new (s), number, number, is_removed, NULL};
  g_array_append_val (list->runs, listed);
}

/* What a name says, which is most often that of the run before at the same place. */
static const MetricName *
find_name (Listing *list, const char *name)
{
  const guint at = list->name++;

  if (at < list->names->len && strcmp (g_array_index (list->names, MetricName, at).name, name) == 0)
    return &g_array_index (list->names, MetricName, at);
  if (at >= list->names->len)
    g_array_set_size (list->names, at + 1);
  MetricName *known = &g_array_index (list->names, MetricName, at);
  g_free (known->name);
  known->name = g_strdup (name);
  known->metric = ss_metric_find (name);
  known->outcome = known->metric == SS_METRIC_COUNT ? ssapp_metric_outcome_of_row (name) : SS_METRIC_COUNT;
  if (known->metric != SS_METRIC_COUNT && !list->asked[known->metric])
    known->metric = SS_METRIC_COUNT;
  return known;
}

static void
on_metric (gint64 number, sqlite3_stmt *s, gpointer data)
{
  Listing *list = data;
  const char *text = list->has_metrics ? (const char *)sqlite3_column_text (s, 1) : NULL;

  (void)number;
  if (text == NULL)
    return;
  const MetricName *name = find_name (list, text);
  const SsappRunOutcome value = {name->metric, name->metric != SS_METRIC_COUNT ? ssapp_store_column_real (s, 2) : 0};
  if (name->metric != SS_METRIC_COUNT)
    g_array_append_val (list->metrics, value);
  else if (name->outcome != SS_METRIC_COUNT)
    ssapp_run_row_set_metric (g_array_index (list->runs, Listed, list->runs->len - 1).row, name->outcome,
                              ssapp_store_column_real (s, 2));
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

static void
on_state (gint64 number, const char *id, const SsappStorePart *part, SsappSumState state, gpointer data)
{
  Listing *list = data;

  if (state != SSAPP_SUM_OTHER)
    return;
  if (id == NULL) {
    g_hash_table_add (list->missing, GSIZE_TO_POINTER (number));
    return;
  }
  Listed *listed = &g_array_index (list->runs, Listed, list->runs->len - 1);
  if (listed->damage == NULL)
    listed->damage = g_string_new (NULL);
  g_string_append_printf (listed->damage, "%s%s", listed->damage->len > 0 ? ", " : "", part->words);
}

/* Solutions stand by their answers, also where several runs started within a millisecond. */
static void
find_answers (GArray *runs)
{
  g_autoptr (GHashTable) numbers = NULL; /* by the ids of runs */

  for (guint i = 0; i < runs->len; i++) {
    Listed *listed = &g_array_index (runs, Listed, i);
    gpointer answer;
    if (listed->row->solution_of[0] == '\0')
      continue;
    if (numbers == NULL) {
      numbers = g_hash_table_new (g_str_hash, g_str_equal);
      for (guint k = 0; k < runs->len; k++)
        g_hash_table_insert (numbers, g_array_index (runs, Listed, k).row->id,
                             GSIZE_TO_POINTER (g_array_index (runs, Listed, k).number));
    }
    if (g_hash_table_lookup_extended (numbers, listed->row->solution_of, NULL, &answer))
      listed->answer = (gint64)GPOINTER_TO_SIZE (answer);
  }
}

/* The newest first, an answer before its other solutions. */
static int
compare_listed (gconstpointer first, gconstpointer second)
{
  const Listed *a = first, *b = second;
  const int by_start = strcmp (b->row->started, a->row->started);

  if (by_start != 0)
    return by_start;
  if (a->answer != b->answer)
    return a->answer > b->answer ? -1 : 1;
  const gboolean is_solution = a->row->solution_of[0] != '\0', other_is = b->row->solution_of[0] != '\0';
  if (is_solution != other_is)
    return is_solution ? 1 : -1;
  return a->number > b->number ? -1 : a->number < b->number;
}

static void
add_damaged (GPtrArray *rows, SsappRunRow *row, const char *words)
{
  ssapp_store_mark_damaged (row, g_strdup_printf ("%s: " SSAPP_NOT_AS_STORED, words));
  g_ptr_array_add (rows, row);
}

static int
compare_numbers (gconstpointer first, gconstpointer second)
{
  const gsize a = GPOINTER_TO_SIZE (*(const gconstpointer *)first),
              b = GPOINTER_TO_SIZE (*(const gconstpointer *)second);

  return a < b ? -1 : a > b;
}

/* Rows that were removed are left out, unless somebody else may have removed them. */
static GPtrArray *
make_rows (Listing *list)
{
  GPtrArray *rows = g_ptr_array_new_full (list->runs->len, (GDestroyNotify)ssapp_run_row_free);
  g_autofree gpointer *missing = g_hash_table_get_keys_as_array (list->missing, NULL);
  const guint n_missing = g_hash_table_size (list->missing);

  find_answers (list->runs);
  g_array_sort (list->runs, compare_listed);
  for (guint i = 0; i < list->runs->len; i++) {
    Listed *listed = &g_array_index (list->runs, Listed, i);
    if (listed->damage != NULL)
      add_damaged (rows, g_steal_pointer (&listed->row), listed->damage->str);
    else if (!listed->is_removed)
      g_ptr_array_add (rows, g_steal_pointer (&listed->row));
  }
  qsort (missing, n_missing, sizeof *missing, compare_numbers);
  for (guint i = 0; i < n_missing; i++)
    add_damaged (rows, missing_row ((gint64)GPOINTER_TO_SIZE (missing[i])),
                 "the run itself, of which metrics are there,");
  return rows;
}

/* What is compared is what is shown. */
GPtrArray *
ssapp_store_list_runs (SsappStore *self, const SsMetric *metrics, int n_metrics, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_STORE (self), NULL);
  static const char *const shown[] = {"row", "marks", "metrics"};
  if (!ssapp_store_check_open (self, error))
    return NULL;
  g_autofree char *columns = list_columns ();
  g_autoptr (GArray) runs = g_array_new (FALSE, TRUE, sizeof (Listed));
  g_autoptr (GHashTable) missing = g_hash_table_new (g_direct_hash, g_direct_equal);
  g_autoptr (GArray) names = g_array_new (FALSE, TRUE, sizeof (MetricName));
  g_autoptr (GArray) read = g_array_new (FALSE, FALSE, sizeof (SsappRunOutcome));
  gboolean asked[SS_METRIC_COUNT] = {FALSE};
  Listing list = {runs, missing, asked, n_metrics > 0, names, 0, read};
  const SsappWalk walk = {"run", shown, G_N_ELEMENTS (shown), columns, on_run, on_metric, on_state};

  g_array_set_clear_func (runs, listed_clear);
  g_array_set_clear_func (names, metric_name_clear);
  for (int i = 0; i < n_metrics; i++)
    if (!ssapp_metric_is_outcome (metrics[i]))
      asked[metrics[i]] = TRUE;
  const gboolean began = ssapp_store_begin_read (self);
  const gboolean ok = ssapp_store_walk (self, &walk, &list, error) && ssapp_store_had_memory (self, error);
  ssapp_store_end_read (self, began);
  end_run (&list);
  return ok ? make_rows (&list) : NULL;
}
