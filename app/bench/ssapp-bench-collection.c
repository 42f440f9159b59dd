/* app/bench/ssapp-bench-collection.c: see the header. */
#include "app/bench/ssapp-bench-collection.h"

#include "app/base/ssapp-file.h"
#include "app/base/ssapp-text.h"
#include "app/bench/ssapp-bench-common.h"

#include <math.h>

static void
instance_free (gpointer data)
{
  SsappBenchInstance *instance = data;

  g_free (instance->group);
  g_free (instance->condition);
  g_free (instance->text);
  g_free (instance);
}

/* The file as an instance; NULL with why not in `refused`. */
static SsappBenchInstance *
read_instance (const char *folder, const char *name, GPtrArray *methods, GString *refused)
{
  g_autofree char *path = g_build_filename (folder, name, NULL), *text = NULL, *message = NULL;
  g_autoptr (GError) error = NULL;
  SsappBenchInstance *instance = NULL;
  SsProblems problems;
  SsError failure = {0};
  char line[1024] = "";
  gsize length;

  ss_problems_init (&problems);
  if (!ssapp_read_file (path, SS_SCENARIO_MAX_BYTES, &text, &length, &error))
    g_strlcpy (line, error->message, sizeof line);
  else if (!ssapp_take_nl (path, &text, &length, &problems))
    ss_error_format (&problems.items[0], line, sizeof line);
  ss_problems_clear (&problems);
  SsScenario *scenario = *line == '\0' ? ssapp_bench_read (text, path, NULL, 0, &message) : NULL;
  for (guint m = 0; scenario != NULL && failure.message[0] == '\0' && m < methods->len; m++) {
    const SsappBenchMethod *method = g_ptr_array_index (methods, m);
    if (ss_run_check (scenario, method->method, &failure) == SS_OK)
      failure.message[0] = '\0';
  }
  if (scenario == NULL || failure.message[0] != '\0') {
    if (*line != '\0') /* with its path */
      g_string_append_printf (refused, "%s\n", line);
    else
      g_string_append_printf (refused, "%s: %s\n", path, scenario == NULL ? message : failure.message);
  } else {
    instance = g_new0 (SsappBenchInstance, 1);
    instance->problem = g_intern_string (scenario->name);
    instance->group = g_strdup ("collection");
    instance->condition = g_strdup (name);
    instance->text = g_steal_pointer (&text);
    instance->best = NAN;
  }
  ss_scenario_free (scenario);
  return instance;
}

GPtrArray *
ssapp_bench_collection (const char *folder, GPtrArray *methods, GString *refused, GError **error)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, error);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  const char *name;

  if (dir == NULL)
    return NULL;
  while ((name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_suffix (name, ".stickslip.json") || g_str_has_suffix (name, ".nl"))
      g_ptr_array_add (names, g_strdup (name));
  g_ptr_array_sort (names, ssapp_text_compare);
  GPtrArray *instances = g_ptr_array_new_with_free_func (instance_free);
  for (guint i = 0; i < names->len; i++) {
    SsappBenchInstance *instance = read_instance (folder, g_ptr_array_index (names, i), methods, refused);
    if (instance != NULL)
      g_ptr_array_add (instances, instance);
  }
  return instances;
}

/* The lowest objective of a solved run of the instance that run i belongs to; NaN: none was solved. */
static double
best_of (GPtrArray *runs, guint i, guint n_methods)
{
  double best = NAN;

  for (guint m = 0; m < n_methods; m++) {
    const SsappBenchRun *run = g_ptr_array_index (runs, i - i % n_methods + m);
    if (run->is_done && run->outcome == SS_OUTCOME_SOLVED)
      best = fmin (best, ssapp_bench_run_get (run, SS_METRIC_OBJECTIVE));
  }
  return best;
}

static void
add_runs (SsappBenchSheet *sheet, GPtrArray *runs)
{
  static const char *const columns[] = {
      "file|file|0",           "method|method|0",       "outcome|outcome|0", "objective|objective|6",
      "violation|violation|2", "cpu_seconds|CPU [s]|3", "proved|proved|1",   NULL};

  ssapp_bench_sheet_table (sheet, "runs", "Runs", columns);
  for (guint i = 0; i < runs->len; i++) {
    const SsappBenchRun *run = g_ptr_array_index (runs, i);
    if (!run->is_done)
      continue;
    SSAPP_BENCH_ROW (sheet, {run->instance->condition}, {run->method->label}, {ss_outcome_name (run->outcome)},
                     {.n = ssapp_bench_run_get (run, SS_METRIC_OBJECTIVE)},
                     {.n = ssapp_bench_run_get (run, SS_METRIC_MAX_VIOLATION)},
                     {.n = ssapp_bench_run_get (run, SS_METRIC_CPU_SECONDS)},
                     {.n = ssapp_bench_run_get (run, SS_METRIC_B_VERIFIED) > 0});
  }
}

SsappBenchSheet *
ssapp_bench_collection_sheet (GPtrArray *methods, GPtrArray *runs, gboolean has_runs)
{
  g_return_val_if_fail (methods != NULL && runs != NULL, NULL);

  static const char *const columns[] = {"method|method|0",          "problems|problems|4",
                                        "solved|solved|4",          "proved|B-stationary, proved|4",
                                        "best|at the best found|4", "cpu_median|CPU, median [s]|3",
                                        "cpu_total|CPU, all [s]|3", NULL};
  SsappBenchSheet *sheet = ssapp_bench_sheet_new ();
  const guint n = methods->len;

  ssapp_bench_sheet_table (sheet, "collection", "Collection", columns);
  for (guint m = 0; m < n; m++) {
    g_autoptr (GArray) times = g_array_new (FALSE, FALSE, sizeof (double));
    int n_done = 0, n_solved = 0, n_proved = 0, n_best = 0;
    double total = 0;
    for (guint i = m; i < runs->len; i += n) {
      const SsappBenchRun *run = g_ptr_array_index (runs, i);
      const double best = best_of (runs, i, n), cpu = ssapp_bench_run_get (run, SS_METRIC_CPU_SECONDS);
      if (!run->is_done)
        continue;
      n_done++;
      total += cpu;
      g_array_append_val (times, cpu);
      if (run->outcome != SS_OUTCOME_SOLVED)
        continue;
      n_solved++;
      n_proved += ssapp_bench_run_get (run, SS_METRIC_B_VERIFIED) > 0;
      n_best += ssapp_bench_run_get (run, SS_METRIC_OBJECTIVE) <= best + SSAPP_COLLECTION_NEAR * (1 + fabs (best));
    }
    SSAPP_BENCH_ROW (sheet, {((const SsappBenchMethod *)g_ptr_array_index (methods, m))->label}, {.n = n_done},
                     {.n = n_solved}, {.n = n_proved}, {.n = n_best},
                     {.n = n_done > 0 ? ssapp_median ((double *)(void *)times->data, n_done) : NAN}, {.n = total});
  }
  if (has_runs)
    add_runs (sheet, runs);
  return sheet;
}
