/* app/bench/ssapp-paper-crisp.c: figures and tables of paper 004; how one is added: ssapp-paper-item.h.
 *
 * Table II, of each group of instances: share of successes by the criterion of section IV-C, median tracking error,
 * median violation, mean iterations, median time, as the paper says that it has them (it does not say how violations
 * were gathered). */
#include "app/bench/ssapp-paper-item.h"

#include <math.h>
#include <string.h>

enum { REPEATS = 1 };
static const double TIME_LIMIT = 60; /* of one solve [s] */

static void
tell (const SsappBenchRun *run, int index, int count, gpointer user_data)
{
  const SsappPaperPlan *plan = user_data;
  g_autofree char *line =
      g_strdup_printf ("%d of %d: %s, %s, %s: %s", index + 1, count, run->instance->group, run->instance->condition,
                       run->method->label, ss_outcome_name (run->outcome));

  plan->say (line);
}

static void
add_row (SsappBenchSheet *sheet, const SsappBenchMethod *method, const GPtrArray *runs, const char *group,
         const SsappBenchPaper *paper)
{
  static const SsMetric metrics[] = {SS_METRIC_TRACKING_TOTAL, SS_METRIC_MAX_VIOLATION, SS_METRIC_ITERATIONS,
                                     SS_METRIC_CPU_SECONDS, SS_METRIC_OBJECTIVE};
  g_autofree double *values = g_new (double, G_N_ELEMENTS (metrics) * runs->len + 1);
  double ours[G_N_ELEMENTS (metrics)];
  int n = 0, n_success = 0;

  for (guint i = 0; i < runs->len; i++) {
    const SsappBenchRun *run = g_ptr_array_index (runs, i);
    if (!run->is_done || run->method != method || strcmp (run->instance->group, group) != 0)
      continue;
    for (guint k = 0; k < G_N_ELEMENTS (metrics); k++)
      values[k * runs->len + (guint)n] = ssapp_bench_run_get (run, metrics[k]);
    n_success += ssapp_bench_run_get (run, SS_METRIC_SUCCESS_PAPER) > 0;
    n++;
  }
  for (guint k = 0; k < G_N_ELEMENTS (metrics); k++)
    ours[k] = metrics[k] == SS_METRIC_ITERATIONS ? ssapp_mean (values + k * runs->len, n)
                                                 : ssapp_median (values + k * runs->len, n);
  SSAPP_BENCH_ROW (sheet, {group}, {method->label}, {.n = n}, {.n = n > 0 ? 100. * n_success / n : (double)NAN},
                   {.n = paper != NULL ? paper->success_percent : (double)NAN}, {.n = ours[0]},
                   {.n = paper != NULL ? paper->tracking_error : (double)NAN}, {.n = ours[1]},
                   {.n = paper != NULL ? paper->violation : (double)NAN}, {.n = ours[2]},
                   {.n = paper != NULL ? paper->iterations : (double)NAN}, {.n = ours[3]},
                   {.n = paper != NULL ? paper->time_seconds : (double)NAN}, {.n = ours[4]},
                   {.n = paper != NULL ? paper->objective : (double)NAN});
}

/* Solvers of the paper that did not run here. */
static void
add_others (SsappBenchSheet *sheet, const GPtrArray *methods, const GPtrArray *paper)
{
  static const char *const columns[] = {"problem|problem|0",         "method|solver|0",       "success|success [%]|4",
                                        "tracking|tracking error|3", "violation|violation|2", "iterations|iterations|6",
                                        "time|time [s]|4",           "objective|objective|4", NULL};

  ssapp_bench_sheet_table (sheet, "others", "Solvers of the paper that did not run here, as it prints them", columns);
  for (guint i = 0; i < paper->len; i++) {
    const SsappBenchPaper *row = g_ptr_array_index (paper, i);
    gboolean ran = FALSE;
    for (guint m = 0; m < methods->len; m++)
      ran = ran || strcmp (((const SsappBenchMethod *)g_ptr_array_index (methods, m))->method->name, row->solver) == 0;
    if (ran)
      continue;
    SSAPP_BENCH_ROW (sheet, {row->problem}, {row->solver}, {.n = row->success_percent}, {.n = row->tracking_error},
                     {.n = row->violation}, {.n = row->iterations}, {.n = row->time_seconds}, {.n = row->objective});
  }
}

/* [004 Tab 2]. */
static void
add_tables (SsappBenchSheet *sheet, const SsappBenchPlan *bench, const GPtrArray *runs, GPtrArray *paper)
{
  static const char *const columns[] = {
      "problem|problem|0",       "method|method|0",           "instances|instances|5",    "success|success [%]|4",
      "success_paper|paper|4",   "tracking|tracking error|3", "tracking_paper|paper|3",   "violation|violation|2",
      "violation_paper|paper|2", "iterations|iterations|4",   "iterations_paper|paper|6", "time|time [s]|3",
      "time_paper|paper|4",      "objective|objective|4",     "objective_paper|paper|4",  NULL};
  const char *last = "";

  ssapp_bench_sheet_table (sheet, "table-2", "Table II of CRISP: ours, and the paper's column beside each", columns);
  for (guint i = 0; i < bench->instances->len; i++) {
    const SsappBenchInstance *instance = g_ptr_array_index (bench->instances, i);
    if (strcmp (instance->group, last) == 0)
      continue;
    last = instance->group;
    for (guint m = 0; m < bench->methods->len; m++) {
      const SsappBenchMethod *method = g_ptr_array_index (bench->methods, m);
      add_row (sheet, method, runs, instance->group,
               ssapp_bench_paper_find (paper, method->method->name, instance->problem));
    }
  }
  ssapp_bench_sheet_note (sheet,
                          "Ours: medians, and means of iterations; time is CPU time on this machine, the paper's "
                          "on another. Success by the limits of section IV-C.");
  ssapp_bench_sheet_note (sheet, "The paper has one row a problem, and does not say over which numbers of time points. "
                                 "Hopper and waiter are in its text only, with their objectives.");
  add_others (sheet, bench->methods, paper);
}

static SsappBenchSheet *
make_table_2 (const SsappPaperPlan *plan, const SsappPaperItem *item, char **message)
{
  g_return_val_if_fail (plan != NULL, NULL);
  g_autoptr (GPtrArray) methods =
      ssapp_bench_methods_parse (SS_METHOD_OPTIMISER, plan->methods != NULL ? plan->methods : "crisp", message);
  g_autoptr (GPtrArray) reference = ssapp_bench_reference (), paper = ssapp_bench_paper ();

  (void)item;
  if (methods == NULL)
    return NULL;
  g_autoptr (GPtrArray) instances = ssapp_bench_instances (
      reference, NULL, plan->extent == SSAPP_PAPER_QUICK ? SSAPP_BENCH_QUICK : SSAPP_BENCH_LISTED, 0, 0);
  const SsappBenchPlan bench = {.instances = instances,
                                .methods = methods,
                                .repeats = REPEATS,
                                .time_limit = TIME_LIMIT,
                                .control = plan->control,
                                .tell = plan->say != NULL ? tell : NULL,
                                .user_data = (gpointer)plan};
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) runs = ssapp_bench_run (&bench, &error);
  SsappBenchSheet *sheet = ssapp_bench_sheet_new ();
  add_tables (sheet, &bench, runs, paper);
  if (error != NULL)
    ssapp_bench_sheet_note (sheet, "%s", error->message);
  return sheet;
}

#define CRISP "Li et al. 2025, CRISP"

/* clang-format off */
const SsappPaperItem ssapp_paper_crisp_items[] = {
  {.paper = {"crisp-table-2", "crisp", "Table II", "CRISP beside other solvers", CRISP ": Table II and section IV-C",
    "Six problems from many initial states, targets and guesses: successes, tracking error, violation, iterations and time of CRISP here, beside what "
    "the paper prints of CRISP, Ipopt, SNOPT and ProxNLP. The paper's times are of another machine. With methods crisp,ipopt Ipopt runs here too, "
    "which takes hours on all instances.",
    "two instances of each group instead of all", NULL, TRUE},
   .make = make_table_2, .tables = "table-2;others"},
  {.paper = {NULL}},
};
/* clang-format on */
