/* app/session/ssapp-run-list-differs.c: in what the runs of a list differ, and the list as a table; see
 * ssapp-run-list.h. */
#include "app/session/ssapp-run-list-private.h"

#include "app/base/ssapp-metric.h"
#include "app/session/ssapp-run.h"

#include "app/store/ssapp-store-steps.h"
#include "app/study/ssapp-run-set.h"

#include <math.h>
#include <string.h>

/* ---- what differs ------------------------------------------------------------------------------------------------ */

gboolean
ssapp_run_list_differs (SsappRunList *self, const SsappRunColumn *column)
{
  g_return_val_if_fail (self != NULL, FALSE);
  const SsappRunListTexts *texts = ssapp_run_list_texts (self, column);

  for (guint i = 1; i < self->n_shown; i++) {
    if (texts != NULL && texts->of_row[self->shown[i]] != texts->of_row[self->shown[0]])
      return TRUE;
    if (texts == NULL) {
      const double a = ssapp_run_list_get_number (self, self->shown[0], column),
                   b = ssapp_run_list_get_number (self, self->shown[i], column);
      if (isnan (a) != isnan (b) || a < b || a > b)
        return TRUE;
    }
  }
  return FALSE;
}

gboolean
ssapp_run_list_is_used (SsappRunList *self, const SsappRunColumn *column)
{
  g_return_val_if_fail (self != NULL, FALSE);
  const SsappRunListTexts *texts = ssapp_run_list_texts (self, column);

  for (guint i = 0; i < self->n_shown; i++)
    if (texts == NULL ? !isnan (ssapp_run_list_get_number (self, self->shown[i], column))
                      : texts->of_row[self->shown[i]] != 0)
      return TRUE;
  return FALSE;
}

void
ssapp_run_list_want (SsappRunList *self, const char *names)
{
  g_return_if_fail (self != NULL && names != NULL);
  g_auto (GStrv) parts = ssapp_table_split_columns (names);
  SsappRunColumn column;

  g_clear_pointer (&self->wanted, g_array_unref);
  self->wanted = g_array_new (FALSE, TRUE, sizeof (SsappRunColumn));
  for (guint i = 0; parts[i] != NULL; i++)
    if (ssapp_run_list_find_column (self, parts[i], &column, NULL))
      g_array_append_val (self->wanted, column);
}

static gboolean
is_wanted (const SsappRunList *self, const SsappRunColumn *column)
{
  for (guint i = 0; self->wanted != NULL && i < self->wanted->len; i++) {
    const SsappRunColumn *wanted = &g_array_index (self->wanted, SsappRunColumn, i);
    if (wanted->kind == column->kind && wanted->field == column->field &&
        (column->kind != SSAPP_RUN_COLUMN_METRIC || wanted->metric == column->metric))
      return TRUE;
  }
  return FALSE;
}

GArray *
ssapp_run_list_columns (SsappRunList *self, gboolean only_differing)
{
  static const struct {
    SsappRunColumnKind kind;
    gboolean is_usual; /* also where all are alike */
  } texts[] = {{SSAPP_RUN_COLUMN_METHOD, TRUE},   {SSAPP_RUN_COLUMN_STUDY, FALSE}, {SSAPP_RUN_COLUMN_START, FALSE},
               {SSAPP_RUN_COLUMN_SCENARIO, TRUE}, {SSAPP_RUN_COLUMN_SEED, FALSE},  {SSAPP_RUN_COLUMN_OUTCOME, TRUE}};
  GArray *columns = g_array_new (FALSE, TRUE, sizeof (SsappRunColumn));

  for (guint k = 0; k < G_N_ELEMENTS (texts); k++) {
    const SsappRunColumn column = {.kind = texts[k].kind, .metric = SS_METRIC_COUNT};
    /* Without a single column a table would say nothing of its runs: the method stays. */
    if ((texts[k].is_usual && !only_differing) || ssapp_run_list_differs (self, &column) ||
        texts[k].kind == SSAPP_RUN_COLUMN_METHOD || is_wanted (self, &column))
      g_array_append_val (columns, column);
  }
  for (guint f = 0; f < ssapp_run_list_get_n_fields (self); f++) {
    const SsappRunColumn column = {.kind = SSAPP_RUN_COLUMN_FIELD, .metric = SS_METRIC_COUNT, .field = f};
    if (is_wanted (self, &column) ||
        (only_differing ? ssapp_run_list_differs (self, &column) : ssapp_run_list_is_used (self, &column)))
      g_array_append_val (columns, column);
  }
  return columns;
}

const SsMetric ssapp_run_usual_metrics[] = {
    SS_METRIC_OBJECTIVE,    SS_METRIC_MAX_VIOLATION,   SS_METRIC_TRACKING_TOTAL,  SS_METRIC_STEPS,
    SS_METRIC_ENERGY_FINAL, SS_METRIC_MAX_PENETRATION, SS_METRIC_REPLAY_DISTANCE, SS_METRIC_REPLAY_FINAL,
    SS_METRIC_ITERATIONS,   SS_METRIC_CPU_SECONDS};

guint
ssapp_run_n_usual_metrics (void)
{
  return G_N_ELEMENTS (ssapp_run_usual_metrics);
}

void
ssapp_run_list_set_label (SsappRunList *self, guint row, const char *label)
{
  g_return_if_fail (row < self->n);
  if (self->labels == NULL) {
    self->labels = g_ptr_array_new_with_free_func (g_free);
    g_ptr_array_set_size (self->labels, (int)self->n);
  }
  g_free (g_ptr_array_index (self->labels, row));
  g_ptr_array_index (self->labels, row) = g_strdup (label);
}

/* Few runs are read one by one: the whole list may be long. */
#define FEW_RUNS 64

void
ssapp_run_list_set_steps (SsappRunList *self, GHashTable *steps)
{
  g_return_if_fail (self != NULL);
  g_clear_pointer (&self->steps, g_hash_table_unref);
  self->steps = steps;
}

void
ssapp_run_list_set_studies (SsappRunList *self, GHashTable *studies)
{
  g_return_if_fail (self->fields == NULL);
  g_clear_pointer (&self->studies, g_hash_table_unref);
  self->studies = studies;
}

GHashTable *
ssapp_run_list_get_studies (SsappRunList *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->studies;
}

static SsappRunList *
list_with_steps (GPtrArray *rows, GHashTable *steps)
{
  SsappRunList *list = ssapp_run_list_new (rows);

  ssapp_run_list_set_steps (list, steps);
  return list;
}

static SsappRunList *
list_of_few (SsappStore *store, const char *const *ids, GHashTable *steps)
{
  g_autoptr (GPtrArray) rows = g_ptr_array_new_with_free_func ((GDestroyNotify)ssapp_run_row_free);

  for (int k = 0; ids[k] != NULL; k++) {
    SsappRunRow *row = ssapp_store_get_run (store, ids[k], NULL);
    if (row != NULL)
      g_ptr_array_add (rows, row);
  }
  return list_with_steps (g_steal_pointer (&rows), steps);
}

SsappRunList *
ssapp_run_list_new_of (SsappStore *store, const char *const *ids, const SsMetric *metrics, guint n_metrics,
                       GError **error)
{
  g_return_val_if_fail (SSAPP_IS_STORE (store) && ids != NULL && (metrics != NULL || n_metrics == 0), NULL);

  g_autoptr (GPtrArray) all = NULL, rows = NULL;
  g_autoptr (GHashTable) by_id = NULL, steps = ssapp_store_list_steps (store, error);

  if (steps == NULL)
    return NULL;
  if (g_strv_length ((char **)ids) <= FEW_RUNS)
    return list_of_few (store, ids, g_steal_pointer (&steps));
  all = ssapp_store_list_runs (store, metrics, (int)n_metrics, error);
  if (all == NULL)
    return NULL;
  by_id = g_hash_table_new (g_str_hash, g_str_equal);
  for (guint i = 0; i < all->len; i++)
    g_hash_table_insert (by_id, ((SsappRunRow *)g_ptr_array_index (all, i))->id, GUINT_TO_POINTER (i + 1));
  rows = g_ptr_array_new_with_free_func ((GDestroyNotify)ssapp_run_row_free);
  for (int k = 0; ids[k] != NULL; k++) {
    const guint i = GPOINTER_TO_UINT (g_hash_table_lookup (by_id, ids[k]));
    if (i == 0 || g_ptr_array_index (all, i - 1) == NULL)
      continue;
    g_ptr_array_add (rows, g_ptr_array_index (all, i - 1));
    g_ptr_array_index (all, i - 1) = NULL; /* a run is in it once */
  }
  g_hash_table_remove_all (by_id); /* its keys are the rows' */
  return list_with_steps (g_steal_pointer (&rows), g_steal_pointer (&steps));
}

guint
ssapp_run_list_known_metrics (SsappRunList *self, SsMetric *metrics, guint n)
{
  g_return_val_if_fail (self != NULL && (metrics != NULL || n == 0), 0);

  guint kept = 0;

  for (guint i = 0; i < n; i++) {
    const SsappRunColumn column = {.kind = SSAPP_RUN_COLUMN_METRIC, .metric = metrics[i]};
    if (is_wanted (self, &column) || ssapp_run_list_is_used (self, &column))
      metrics[kept++] = metrics[i];
  }
  return kept;
}

void
ssapp_run_list_tell_apart (SsappRunList *self, GPtrArray *runs)
{
  g_return_if_fail (self != NULL && runs != NULL);
  static const SsappRunColumn method = {.kind = SSAPP_RUN_COLUMN_METHOD};
  g_autoptr (SsappRunSet) set = ssapp_run_set_new_with_steps (g_ptr_array_ref (self->rows), self->steps);
  g_auto (GStrv) names = g_new0 (char *, self->n + 1);

  for (guint i = 0; i < self->n; i++)
    names[i] = ssapp_run_list_dup_text (self, i, &method);
  ssapp_run_set_tell_apart (set, names);
  for (guint i = 0; i < self->n; i++)
    ssapp_run_list_set_label (self, i, names[i]);
  for (guint k = 0; k < runs->len; k++) {
    SsappRun *run = g_ptr_array_index (runs, k);
    int copy = 0;
    for (guint j = 0; j < k; j++)
      copy += ss_method_id_is_equal (ssapp_run_get_method (g_ptr_array_index (runs, j)), ssapp_run_get_method (run));
    ssapp_run_set_copy (run, copy);
    for (guint i = 0; i < self->n; i++)
      if (g_strcmp0 (ssapp_run_get_id (run), ssapp_run_list_get_row (self, i)->id) == 0)
        ssapp_run_set_label (run, names[i]);
  }
}

void
ssapp_run_tell_apart (SsappStore *store, GPtrArray *runs)
{
  g_autoptr (GPtrArray) ids = g_ptr_array_new ();

  for (guint k = 0; k < runs->len; k++)
    g_ptr_array_add (ids, (gpointer)ssapp_run_get_id (g_ptr_array_index (runs, k)));
  g_ptr_array_add (ids, NULL);
  g_autoptr (SsappRunList) list =
      ssapp_run_list_new_of (store, (const char *const *)(const void *)ids->pdata, NULL, 0, NULL);
  if (list != NULL)
    ssapp_run_list_tell_apart (list, runs);
}

/* ---- table ------------------------------------------------------------------------------------------------------- */

gboolean
ssapp_run_list_is_number (SsappRunList *self, const SsappRunColumn *column)
{
  g_return_val_if_fail (self != NULL, FALSE);

  if (column->kind != SSAPP_RUN_COLUMN_FIELD && column->kind != SSAPP_RUN_COLUMN_SEED)
    return column->kind == SSAPP_RUN_COLUMN_METRIC;
  const SsappRunListTexts *texts = ssapp_run_list_texts (self, column);
  for (guint i = 0; i < self->n_shown; i++)
    if (texts->of_row[self->shown[i]] != 0 && isnan (ssapp_run_list_value (texts, self->shown[i])->number))
      return FALSE;
  return TRUE;
}

/* A column of the table, and whether its cells are numbers. */
static gboolean
add_column (SsappRunList *self, SsappTable *table, const SsappRunColumn *column)
{
  const gboolean is_number = ssapp_run_list_is_number (self, column);
  g_autofree char *title = ssapp_run_list_dup_title (self, column);
  const char *key = column->kind == SSAPP_RUN_COLUMN_FIELD ? title : ssapp_run_list_keys[column->kind];

  if (is_number)
    ssapp_table_add_number_column (table, key, title, "", "%.6g", SSAPP_BEST_NONE);
  else
    ssapp_table_add_text_column (table, key, title);
  return is_number;
}

static void
add_cell (SsappRunList *self, SsappTable *table, guint row, const SsappRunColumn *column, gboolean is_number)
{
  if (is_number) {
    ssapp_table_add_number (table, ssapp_run_list_get_number (self, row, column));
    return;
  }
  g_autofree char *text = ssapp_run_list_dup_text (self, row, column);
  ssapp_table_add_text (table, text);
}

SsappTable *
ssapp_run_list_to_table (SsappRunList *self, const char *title, const SsMetric *asked, guint n_asked,
                         gboolean only_differing, gboolean with_ids)
{
  g_return_val_if_fail (self != NULL, NULL);
  static const SsappRunColumn id = {.kind = SSAPP_RUN_COLUMN_ID}, last[] = {{.kind = SSAPP_RUN_COLUMN_STARTED},
                                                                            {.kind = SSAPP_RUN_COLUMN_NOTE},
                                                                            {.kind = SSAPP_RUN_COLUMN_TAGS}};
  SsappTable *table = ssapp_table_new (title);
  g_autoptr (GArray) outcomes = ssapp_run_list_outcomes (self);
  for (guint i = 0; self->wanted != NULL && i < self->wanted->len; i++) {
    const SsMetric metric = g_array_index (self->wanted, SsappRunColumn, i).metric;
    gboolean is_there = !ssapp_metric_is_outcome (metric);
    for (guint k = 0; k < outcomes->len && !is_there; k++)
      is_there = g_array_index (outcomes, SsMetric, k) == metric;
    if (!is_there)
      g_array_append_val (outcomes, metric);
  }
  g_array_prepend_vals (outcomes, asked, n_asked);
  const SsMetric *metrics = (const SsMetric *)(const void *)outcomes->data;
  const guint n_metrics = outcomes->len;
  g_autoptr (GArray) columns = ssapp_run_list_columns (self, only_differing);
  g_autoptr (SsappRunSet) set =
      with_ids ? NULL : ssapp_run_set_new_with_steps (g_ptr_array_ref (self->rows), self->steps);

  if (with_ids)
    g_array_prepend_val (columns, id);
  g_autofree gboolean *are_numbers = g_new (gboolean, columns->len + 1);
  for (guint c = 0; c < columns->len; c++)
    are_numbers[c] = add_column (self, table, &g_array_index (columns, SsappRunColumn, c));
  for (guint m = 0; m < n_metrics; m++)
    ssapp_table_add_metric_column (table, metrics[m]);
  for (guint c = 0; with_ids && c < G_N_ELEMENTS (last); c++)
    add_column (self, table, &last[c]);
  for (guint i = 0; i < self->n_shown; i++) {
    const guint row = self->shown[i];
    const SsappRunItem *item = set != NULL ? &g_array_index (set->items, SsappRunItem, row) : NULL;
    ssapp_table_set_group (table, item != NULL ? item->problem : 0);
    ssapp_table_set_apart (table, item == NULL || item->state != SSAPP_RUN_SOLVED);
    ssapp_table_begin_row (table);
    for (guint c = 0; c < columns->len; c++)
      add_cell (self, table, row, &g_array_index (columns, SsappRunColumn, c), are_numbers[c]);
    for (guint m = 0; m < n_metrics; m++)
      ssapp_table_add_number (table, ssapp_run_row_get_metric (g_ptr_array_index (self->rows, row), metrics[m]));
    for (guint c = 0; with_ids && c < G_N_ELEMENTS (last); c++)
      add_cell (self, table, row, &last[c], FALSE);
  }
  return table;
}
