/* app/bench/ssapp-bench-columns.c: columns of the report of suite crisp: medians, shares and quality of a group's
 * answers.
 *
 * All columns of a table are taken over the same instances where that is possible: those that were run here; the
 * reference columns over those of them that the reference has (their number is in the first row).
 */
#include "app/bench/ssapp-bench-report-private.h"

#include "app/base/ssapp-metric.h"

#include <string.h>

static const double TIGHT = 1e-8; /* violation after a polish */

/* ---- columns ----------------------------------------------------------------------------------------------------- */

/* Title: the text, and, where it is a statistic of a metric, the metric's heading. */
static const struct {
  const char *text, *key;
  gboolean is_statistic;
  SsMetric metric;
} rows[SSAPP_BENCH_ROW_COUNT] = {
    [SSAPP_BENCH_ROW_INSTANCES] = {"instances", "instances"},
    [SSAPP_BENCH_ROW_SOLVED] = {"solved (violation < 1e-6)", "solved"},
    [SSAPP_BENCH_ROW_TIGHT] = {"violation < 1e-8", "violation_below_1e-8"},
    [SSAPP_BENCH_ROW_SUCCESS] = {"success by the paper's limits", "success_paper"},
    [SSAPP_BENCH_ROW_OBJECTIVE] = {"median", "objective_median", TRUE, SS_METRIC_OBJECTIVE},
    [SSAPP_BENCH_ROW_OBJECTIVE_MEAN] = {"mean", "objective_mean", TRUE, SS_METRIC_OBJECTIVE},
    [SSAPP_BENCH_ROW_TO_BEST] = {"objective / best known", "objective_to_best_geometric_mean"},
    [SSAPP_BENCH_ROW_NEAR_BEST] = {"within 1 % of best known [%]", "near_best_percent"},
    [SSAPP_BENCH_ROW_TO_FIRST] = {"objective / first method's", "objective_to_first_geometric_mean"},
    [SSAPP_BENCH_ROW_WORSE] = {"worse by over 1 % [%]", "worse_than_first_percent"},
    [SSAPP_BENCH_ROW_STATIONARY] = {"stationary, verified [%]", "stationary_percent"},
    [SSAPP_BENCH_ROW_B_STATIONARY] = {"B-stationary, proved [%]", "b_stationary_percent"},
    [SSAPP_BENCH_ROW_TRACKING] = {"median", "tracking_error_median", TRUE, SS_METRIC_TRACKING_TOTAL},
    [SSAPP_BENCH_ROW_VIOLATION] = {"median", "violation_median", TRUE, SS_METRIC_MAX_VIOLATION},
    [SSAPP_BENCH_ROW_ITERATIONS] = {"mean", "iterations_mean", TRUE, SS_METRIC_ITERATIONS},
    [SSAPP_BENCH_ROW_CPU] = {"median", "cpu_seconds_median", TRUE, SS_METRIC_CPU_SECONDS},
    [SSAPP_BENCH_ROW_PER_ITERATION] = {"CPU per iteration [ms]", "cpu_ms_per_iteration"},
    [SSAPP_BENCH_ROW_QP] = {"of it in QPs [%]", "qp_percent"},
    [SSAPP_BENCH_ROW_DERIVATIVES] = {"in derivatives [%]", "derivative_percent"},
    [SSAPP_BENCH_ROW_VALUES] = {"in function values [%]", "value_percent"},
    [SSAPP_BENCH_ROW_SETUP] = {"longest set-up [ms]", "setup_ms_max"},
};

char *
ssapp_bench_row_title (int row)
{
  g_autofree char *title = NULL;

  if (!rows[row].is_statistic)
    return g_strdup (rows[row].text);
  title = ssapp_metric_heading (rows[row].metric);
  return g_strdup_printf ("%s %s", rows[row].text, title);
}

const char *
ssapp_bench_row_key (int row)
{
  return rows[row].key;
}

/* Samples of one column while it is gathered. */
typedef struct {
  GArray *objective, *tracking, *violation, *iterations, *cpu;
  double steps, cpu_total, qp, derivatives, function_values; /* sums [s] */
} Samples;

static void
samples_init (Samples *s)
{
  *s = (Samples){g_array_new (FALSE, FALSE, sizeof (double)),
                 g_array_new (FALSE, FALSE, sizeof (double)),
                 g_array_new (FALSE, FALSE, sizeof (double)),
                 g_array_new (FALSE, FALSE, sizeof (double)),
                 g_array_new (FALSE, FALSE, sizeof (double)),
                 0,
                 0};
}

void
ssapp_bench_add_finite (GArray *array, double value)
{
  if (isfinite (value))
    g_array_append_val (array, value);
}

/* ---- quality of answers ------------------------------------------------------------------------------------------ */

static const double NEAR = 0.01; /* objectives that differ by less count as equal */

double
ssapp_bench_best (const SsappBenchReport *report, guint i)
{
  double best = ((SsappBenchInstance *)g_ptr_array_index (report->instances, i))->best;

  for (guint m = 0; m < report->methods->len; m++) {
    const SsappBenchRun *run = g_ptr_array_index (report->runs, i * report->methods->len + m);
    if (run->is_done && run->outcome == SS_OUTCOME_SOLVED)
      best = fmin (best, ssapp_bench_run_get (run, SS_METRIC_OBJECTIVE)); /* passes NaN over */
  }
  return best;
}

/* Moves the samples into the column. */
static void
samples_end (Samples *s, SsappBenchColumn *column)
{
  double *v = column->values;

  v[SSAPP_BENCH_ROW_OBJECTIVE] = ssapp_bench_median (s->objective);
  v[SSAPP_BENCH_ROW_OBJECTIVE_MEAN] = ssapp_bench_mean (s->objective);
  v[SSAPP_BENCH_ROW_TRACKING] = ssapp_bench_median (s->tracking);
  v[SSAPP_BENCH_ROW_VIOLATION] = ssapp_bench_median (s->violation);
  v[SSAPP_BENCH_ROW_ITERATIONS] = ssapp_bench_mean (s->iterations);
  v[SSAPP_BENCH_ROW_CPU] = ssapp_bench_median (s->cpu);
  v[SSAPP_BENCH_ROW_PER_ITERATION] = s->steps > 0 ? 1e3 * s->cpu_total / s->steps : NAN;
  g_array_unref (s->objective);
  g_array_unref (s->tracking);
  g_array_unref (s->violation);
  g_array_unref (s->iterations);
  g_array_unref (s->cpu);
}

static SsappBenchColumn *
column_new (GPtrArray *columns, const char *title, const char *key)
{
  SsappBenchColumn *column = g_new0 (SsappBenchColumn, 1);

  column->title = g_strdup (title);
  column->key = g_strdup (key);
  for (int i = 0; i < SSAPP_BENCH_ROW_COUNT; i++)
    column->values[i] = NAN;
  g_ptr_array_add (columns, column);
  return column;
}

static void
column_free (gpointer data)
{
  SsappBenchColumn *column = data;

  g_free (column->title);
  g_free (column->key);
  g_free (column);
}

/* ---- a group ----------------------------------------------------------------------------------------------------- */

SsappBenchGroup
ssapp_bench_group_at (const SsappBenchReport *report, guint first)
{
  const SsappBenchInstance *head = ssapp_bench_instance_at (report, first);
  SsappBenchGroup group = {report, first, first, head->group, head->problem};

  while (group.last < report->instances->len &&
         strcmp (ssapp_bench_instance_at (report, group.last)->group, group.name) == 0)
    group.last++;
  return group;
}

double
ssapp_bench_reference_iterations (const SsappBenchReference *r)
{
  return strcmp (r->solver, ss_nlp_crisp.name) == 0 ? r->iterations + 1 : r->iterations;
}

static double
percent (double part, double whole)
{
  return whole > 0 ? 100 * part / whole : NAN;
}

/* Objectives of method m against the best known ones and, of instances that both solved, the first method's; shares of
 * all answers that were solved. */
static void
judge_quality (const SsappBenchGroup *group, guint m, double *v)
{
  GArray *to_best = g_array_new (FALSE, FALSE, sizeof (double)),
         *to_first = g_array_new (FALSE, FALSE, sizeof (double));
  int n_near = 0, n_worse = 0, n_stationary = 0, n_b_stationary = 0, n_solved = 0;

  for (guint i = group->first; i < group->last; i++) {
    const SsappBenchRun *run = ssapp_bench_run_at (group->report, i, m),
                        *first = ssapp_bench_run_at (group->report, i, 0);
    const double objective = ssapp_bench_run_get (run, SS_METRIC_OBJECTIVE), best = ssapp_bench_best (group->report, i);
    if (!run->is_done || run->outcome != SS_OUTCOME_SOLVED || !(best > 0))
      continue;
    n_solved++;
    n_near += objective <= (1 + NEAR) * best;
    n_stationary += run->is_stationary;
    n_b_stationary += ssapp_bench_run_get (run, SS_METRIC_B_VERIFIED) > 0;
    ssapp_bench_add_finite (to_best, objective / best);
    if (first->is_done && first->outcome == SS_OUTCOME_SOLVED) {
      const double ratio = objective / ssapp_bench_run_get (first, SS_METRIC_OBJECTIVE);
      ssapp_bench_add_finite (to_first, ratio);
      n_worse += ratio > 1 + NEAR;
    }
  }
  v[SSAPP_BENCH_ROW_TO_BEST] = ssapp_bench_geometric (to_best);
  v[SSAPP_BENCH_ROW_NEAR_BEST] = percent (n_near, n_solved);
  v[SSAPP_BENCH_ROW_TO_FIRST] = ssapp_bench_geometric (to_first);
  v[SSAPP_BENCH_ROW_WORSE] = percent (n_worse, to_first->len);
  v[SSAPP_BENCH_ROW_STATIONARY] = percent (n_stationary, n_solved);
  v[SSAPP_BENCH_ROW_B_STATIONARY] = percent (n_b_stationary, n_solved);
  g_array_unref (to_best);
  g_array_unref (to_first);
}

static void
add_method_column (const SsappBenchGroup *group, guint m, GPtrArray *columns)
{
  const SsappBenchMethod *method = ssapp_bench_method_at (group->report, m);
  SsappBenchColumn *column = column_new (columns, method->label, method->label);
  double *v = column->values;
  Samples s;

  samples_init (&s);
  v[SSAPP_BENCH_ROW_INSTANCES] = v[SSAPP_BENCH_ROW_SOLVED] = v[SSAPP_BENCH_ROW_TIGHT] = v[SSAPP_BENCH_ROW_SUCCESS] = 0;
  for (guint i = group->first; i < group->last; i++) {
    const SsappBenchRun *run = ssapp_bench_run_at (group->report, i, m);
    if (!run->is_done)
      continue;
    v[SSAPP_BENCH_ROW_INSTANCES]++;
    v[SSAPP_BENCH_ROW_SOLVED] += run->outcome == SS_OUTCOME_SOLVED;
    v[SSAPP_BENCH_ROW_TIGHT] +=
        run->outcome == SS_OUTCOME_SOLVED && ssapp_bench_run_get (run, SS_METRIC_MAX_VIOLATION) < TIGHT;
    v[SSAPP_BENCH_ROW_SUCCESS] += ssapp_bench_run_get (run, SS_METRIC_SUCCESS_PAPER) > 0;
    v[SSAPP_BENCH_ROW_SETUP] =
        fmax (v[SSAPP_BENCH_ROW_SETUP], 1e3 * ssapp_bench_run_get (run, SS_METRIC_SETUP_SECONDS));
    ssapp_bench_add_finite (s.objective, ssapp_bench_run_get (run, SS_METRIC_OBJECTIVE));
    ssapp_bench_add_finite (s.tracking, ssapp_bench_run_get (run, SS_METRIC_TRACKING_TOTAL));
    ssapp_bench_add_finite (s.violation, ssapp_bench_run_get (run, SS_METRIC_MAX_VIOLATION));
    ssapp_bench_add_finite (s.iterations, ssapp_bench_run_get (run, SS_METRIC_ITERATIONS));
    ssapp_bench_add_finite (s.cpu, ssapp_bench_run_get (run, SS_METRIC_CPU_SECONDS));
    s.steps += fmax (ssapp_bench_run_get (run, SS_METRIC_ITERATIONS), 1);
    s.cpu_total += ssapp_bench_run_get (run, SS_METRIC_CPU_SECONDS);
    s.qp += run->qp_share * ssapp_bench_run_get (run, SS_METRIC_CPU_SECONDS);
    s.derivatives += run->derivative_share * ssapp_bench_run_get (run, SS_METRIC_CPU_SECONDS);
    s.function_values += run->value_share * ssapp_bench_run_get (run, SS_METRIC_CPU_SECONDS);
  }
  judge_quality (group, m, v);
  v[SSAPP_BENCH_ROW_QP] = s.cpu_total > 0 ? 100 * s.qp / s.cpu_total : NAN;
  v[SSAPP_BENCH_ROW_DERIVATIVES] = s.cpu_total > 0 ? 100 * s.derivatives / s.cpu_total : NAN;
  v[SSAPP_BENCH_ROW_VALUES] = s.cpu_total > 0 ? 100 * s.function_values / s.cpu_total : NAN;
  samples_end (&s, column);
}

static const SsappBenchReference *
reference_of (const SsappBenchInstance *instance, gboolean is_ipopt)
{
  return is_ipopt ? instance->ipopt : instance->crisp;
}

static void
add_reference_column (const SsappBenchGroup *group, gboolean is_ipopt, GPtrArray *columns)
{
  SsappBenchColumn *column =
      column_new (columns, is_ipopt ? "Ipopt *" : "authors *", is_ipopt ? "reference_ipopt" : "authors");
  double *v = column->values;
  Samples s;

  samples_init (&s);
  v[SSAPP_BENCH_ROW_INSTANCES] = v[SSAPP_BENCH_ROW_SOLVED] = v[SSAPP_BENCH_ROW_TIGHT] = v[SSAPP_BENCH_ROW_SUCCESS] = 0;
  for (guint i = group->first; i < group->last; i++) {
    const SsappBenchReference *r = reference_of (ssapp_bench_instance_at (group->report, i), is_ipopt);
    if (r == NULL || !ssapp_bench_run_at (group->report, i, 0)->is_done)
      continue;
    v[SSAPP_BENCH_ROW_INSTANCES]++;
    v[SSAPP_BENCH_ROW_SOLVED] += strcmp (r->status, "converged") == 0 && r->violation < SS_RUN_FEASIBLE;
    v[SSAPP_BENCH_ROW_TIGHT] += strcmp (r->status, "converged") == 0 && r->violation < TIGHT;
    v[SSAPP_BENCH_ROW_SUCCESS] += r->success;
    ssapp_bench_add_finite (s.objective, r->objective);
    ssapp_bench_add_finite (s.tracking, r->tracking_error);
    ssapp_bench_add_finite (s.violation, r->violation);
    ssapp_bench_add_finite (s.iterations, ssapp_bench_reference_iterations (r));
    ssapp_bench_add_finite (s.cpu, r->cpu_seconds);
    s.steps += fmax (ssapp_bench_reference_iterations (r), 1);
    s.cpu_total += r->cpu_seconds;
  }
  samples_end (&s, column);
}

static void
add_paper_column (const SsappBenchGroup *group, const char *solver, const char *title, const char *key,
                  GPtrArray *columns)
{
  const SsappBenchPaper *p = ssapp_bench_paper_find (group->report->paper, solver, group->problem);
  SsappBenchColumn *column = column_new (columns, title, key);
  double *v = column->values;

  if (p == NULL)
    return;
  column->is_percent = TRUE;
  v[SSAPP_BENCH_ROW_SUCCESS] = p->success_percent;
  v[SSAPP_BENCH_ROW_OBJECTIVE] = p->objective;
  v[SSAPP_BENCH_ROW_TRACKING] = p->tracking_error;
  v[SSAPP_BENCH_ROW_VIOLATION] = p->violation;
  v[SSAPP_BENCH_ROW_ITERATIONS] = p->iterations;
  v[SSAPP_BENCH_ROW_CPU] = p->time_seconds;
  v[SSAPP_BENCH_ROW_PER_ITERATION] = 1e3 * p->time_seconds / p->iterations;
}

GPtrArray *
ssapp_bench_columns (const SsappBenchGroup *group)
{
  g_return_val_if_fail (group != NULL, NULL);
  GPtrArray *columns = g_ptr_array_new_with_free_func (column_free);

  for (guint m = 0; m < group->report->methods->len; m++)
    add_method_column (group, m, columns);
  add_reference_column (group, FALSE, columns);
  add_reference_column (group, TRUE, columns);
  add_paper_column (group, ss_nlp_crisp.name, "paper CRISP", "paper_crisp", columns);
  add_paper_column (group, ss_nlp_ipopt.name, "paper Ipopt", "paper_ipopt", columns);
  return columns;
}
