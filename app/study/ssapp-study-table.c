/* app/study/ssapp-study-table.c: see the header. */
#include "app/study/ssapp-study-table.h"

#include "app/study/ssapp-ignored.h"

#include "app/store/ssapp-store-study.h"
#include "app/study/ssapp-run-set-private.h"

#include <math.h>

/* Columns after outcome, by what is studied. */
static const SsMetric optimiser_columns[] = {SS_METRIC_OBJECTIVE,  SS_METRIC_MAX_VIOLATION, SS_METRIC_TRACKING_TOTAL,
                                             SS_METRIC_ITERATIONS, SS_METRIC_CPU_SECONDS,   SS_METRIC_LOWER_BOUND,
                                             SS_METRIC_GAP};
enum { N_OF_BOUND = 2 }; /* the last ones, where a bound is asked for */
static const SsMetric integrator_columns[] = {SS_METRIC_STEPS, SS_METRIC_ENERGY_FINAL, SS_METRIC_MAX_PENETRATION,
                                              SS_METRIC_MAX_RESIDUAL, SS_METRIC_CPU_SECONDS};

static gboolean
is_number (const SsappStudyAxis *axis)
{
  double number;

  for (guint i = 0; axis->values != NULL && axis->values[i] != NULL; i++)
    if (!ss_parse_double (axis->values[i], &number))
      return FALSE;
  return axis->kind != SSAPP_AXIS_GUESS;
}

/* Task, method and axes; `numbers`: of each axis whether it has nothing but numbers. */
static SsappTable *
table_new (const SsappStudy *study, gboolean *numbers)
{
  SsappTable *table = ssapp_table_new (study->title);

  ssapp_table_add_number_column (table, "task", "Task", "", "%.0f", SSAPP_BEST_NONE);
  ssapp_table_add_text_column (table, "method", "Method");
  for (guint a = 0; a < study->axes->len; a++) {
    const SsappStudyAxis *axis = g_ptr_array_index (study->axes, a);
    const char *unit = axis->kind == SSAPP_AXIS_STEP || axis->kind == SSAPP_AXIS_HORIZON ? "s" : "";
    numbers[a] = is_number (axis);
    if (numbers[a])
      ssapp_table_add_number_column (table, axis->name, axis->name, unit, "%.6g", SSAPP_BEST_NONE);
    else
      ssapp_table_add_text_column (table, axis->name, axis->name);
  }
  return table;
}

static void
add_task (SsappTable *table, const SsappStudy *study, const gboolean *numbers, const SsappStudyTask *task)
{
  ssapp_table_set_group (table, task->index / study->methods->len); /* the best of the methods on one problem */
  ssapp_table_begin_row (table);
  ssapp_table_add_number (table, task->index);
  ssapp_table_add_text (table, ((SsappStudyMethod *)g_ptr_array_index (study->methods, task->method))->label);
  for (guint a = 0; a < study->axes->len; a++) {
    double number = NAN;
    if (numbers[a] && ss_parse_double (task->values[a], &number))
      ssapp_table_add_number (table, number);
    else
      ssapp_table_add_text (table, task->values[a]);
  }
}

SsappTable *
ssapp_study_tasks_to_table (const SsappStudyPlan *plan)
{
  const SsappStudy *study = ssapp_study_plan_get_study (plan);
  g_autofree gboolean *numbers = g_new0 (gboolean, MAX (study->axes->len, 1));
  SsappTable *table = table_new (study, numbers);

  for (guint i = 0; i < ssapp_study_plan_get_count (plan); i++) {
    g_autoptr (SsappStudyTask) task = ssapp_study_plan_get_task (plan, i, FALSE);
    add_task (table, study, numbers, task);
  }
  return table;
}

/* Notes of what the methods ignore of the scene. */
static void
add_ignored (SsappTable *table, const SsappStudy *study)
{
  SsScenario *scenario = NULL;
  SsProblems problems;

  ss_problems_init (&problems);
  if (ss_scenario_read (study->scenario_text, strlen (study->scenario_text), "", NULL, 0, &problems, &scenario) ==
      SS_OK)
    for (guint m = 0; m < study->methods->len; m++) {
      const SsappStudyMethod *method = g_ptr_array_index (study->methods, m);
      json_t *options = json_object ();

      for (guint k = 0; method->names[k] != NULL; k++)
        json_object_set_new (options, method->names[k], json_string (method->values[k]));
      g_autofree char *ignores = ssapp_ignored_by (scenario, method->id, options);
      g_autofree char *note = g_strdup_printf ("%s %s.", method->label, ignores);
      if (*ignores != '\0')
        ssapp_table_add_note (table, note);
      json_decref (options);
    }
  ss_scenario_free (scenario);
  ss_problems_clear (&problems);
}

/* In the order in which they were first seen. */
static int
by_number (gconstpointer a, gconstpointer b)
{
  return (int)*(const SsMetric *)a - (int)*(const SsMetric *)b;
}

SsappTable *
ssapp_study_runs_to_table (const SsappStudyPlan *plan, SsappStore *store, const char *study_id, GError **error)
{
  const SsappStudy *study = ssapp_study_plan_get_study (plan);
  const gboolean is_optimiser =
      ((SsappStudyMethod *)g_ptr_array_index (study->methods, 0))->id.kind == SS_METHOD_OPTIMISER;
  const SsMetric *columns = is_optimiser ? optimiser_columns : integrator_columns;
  const int n_columns = !is_optimiser             ? (int)G_N_ELEMENTS (integrator_columns)
                        : isfinite (study->bound) ? (int)G_N_ELEMENTS (optimiser_columns)
                                                  : (int)G_N_ELEMENTS (optimiser_columns) - N_OF_BOUND;
  g_autoptr (GHashTable) runs = ssapp_store_list_study_attempts (store, study_id, error);
  g_autoptr (GPtrArray) rows = runs != NULL ? ssapp_store_list_runs (store, columns, n_columns, error) : NULL;
  g_autoptr (GHashTable) by_id = g_hash_table_new (g_str_hash, g_str_equal);

  if (rows == NULL)
    return NULL;
  for (guint i = 0; i < rows->len; i++)
    g_hash_table_insert (by_id, ((SsappRunRow *)g_ptr_array_index (rows, i))->id, g_ptr_array_index (rows, i));
  g_autofree gboolean *numbers = g_new0 (gboolean, MAX (study->axes->len, 1));
  SsappTable *table = table_new (study, numbers);
  ssapp_table_add_text_column (table, "outcome", "Outcome");
  g_autoptr (GArray) asked = g_array_new (FALSE, FALSE, sizeof (SsMetric));
  GHashTableIter iter;
  gpointer run;
  g_hash_table_iter_init (&iter, runs);
  while (g_hash_table_iter_next (&iter, NULL, &run))
    if (g_hash_table_lookup (by_id, run) != NULL)
      ssapp_run_row_list_outcomes (g_hash_table_lookup (by_id, run), asked);
  g_array_sort (asked, by_number);
  for (guint c = 0; c < asked->len; c++)
    ssapp_table_add_metric_column (table, g_array_index (asked, SsMetric, c));
  for (int c = 0; c < n_columns; c++)
    ssapp_table_add_metric_column (table, columns[c]);
  ssapp_table_add_text_column (table, "run", "Run");
  for (guint i = 0; i < ssapp_study_plan_get_count (plan); i++) {
    g_autoptr (SsappStudyTask) task = ssapp_study_plan_get_task (plan, i, FALSE);
    const char *id = g_hash_table_lookup (runs, task->key);
    const SsappRunRow *row = id != NULL ? g_hash_table_lookup (by_id, id) : NULL;
    add_task (table, study, numbers, task);
    ssapp_table_set_apart (table, row == NULL || ssapp_run_state_of_row (row) != SSAPP_RUN_SOLVED);
    ssapp_table_add_text (table, row != NULL ? row->outcome : "queued");
    for (guint c = 0; c < asked->len; c++)
      ssapp_table_add_number (table, row != NULL ? ssapp_run_row_get_metric (row, g_array_index (asked, SsMetric, c))
                                                 : (double)NAN);
    for (int c = 0; c < n_columns; c++)
      ssapp_table_add_number (table, row != NULL ? ssapp_run_row_get_metric (row, columns[c]) : (double)NAN);
    ssapp_table_add_text (table, row != NULL ? row->id : "");
  }
  add_ignored (table, study);
  return table;
}
