/* app/bench/ssapp-bench-report.c: what the runs of suite crisp say: a table per group with the authors' program and the
 * paper beside ours, ratios of times, the limits that were missed and why; as text, JSON and CSV. See ssapp-bench.h. */
#include "app/bench/ssapp-bench-report-private.h"

#include "app/base/ssapp-json.h"
#include "app/base/ssapp-metric.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Limits of the paper's criterion (004 sec. IV-C), for saying which one was missed; whether one was, the metrics
 * decide. */
static const double LIMIT_VIOLATION = 1e-5;
static const double limits[SS_TRACK_COUNT] = {
    [SS_TRACK_POSITION] = 0.1,                /* m       */
    [SS_TRACK_VELOCITY] = 0.5,                /* m/s     */
    [SS_TRACK_ANGLE] = G_PI / 6,              /* rad     */
    [SS_TRACK_ANGULAR_VELOCITY] = 0.1 * G_PI, /* rad/s   */
};
/* How many times faster than the authors' program we want to be, geometric mean over the instances of a problem. */
static const double speed_goals[SSAPP_BENCH_PROBLEMS] = {5, 10, 5, 15, 8, 5};

/* ---- ratios of times --------------------------------------------------------------------------------------------- */

/* Of the first method against the others; NaN where there is nothing to compare. */
typedef struct {
  int n_compared, n_slower; /* instances that the authors' program ran too                     */
  double speed;             /* geometric mean of CPU theirs / ours                             */
  double per_ipopt;         /* median of ours per iteration / Ipopt's, same instance, same run */
  double authors_per_ipopt; /* the same for the authors' program, there                        */
  double machine;           /* geometric mean of Ipopt's time per iteration here / there       */
  double goal;
  GString *slower; /* names of the slower instances */
} Ratios;

/* Index of plain Ipopt among the methods, or -1. */
static int
ipopt_index (const SsappBenchReport *report)
{
  for (guint m = 0; m < report->methods->len; m++)
    if (strcmp (ssapp_bench_method_at (report, m)->label, ss_nlp_ipopt.name) == 0)
      return (int)m;
  return -1;
}

/* Ipopt's iterations can be compared between machines where it did the same here and there: an iteration with a
 * restoration phase or many trial steps costs more. The same answer to three digits is taken as a sign of that. */
static gboolean
is_same_ipopt (const SsappBenchRun *here, const SsappBenchReference *there)
{
  const double same = 1e-3;

  return here->outcome == SS_OUTCOME_SOLVED && strcmp (there->status, "converged") == 0 &&
         fabs (ssapp_bench_run_get (here, SS_METRIC_OBJECTIVE) - there->objective) <= same * fabs (there->objective);
}

static void
compare_iterations (const SsappBenchGroup *group, guint i, GArray *ours, GArray *theirs, GArray *machine)
{
  const int m = ipopt_index (group->report);
  const SsappBenchInstance *instance = ssapp_bench_instance_at (group->report, i);
  const SsappBenchRun *run = ssapp_bench_run_at (group->report, i, 0),
                      *ipopt = m >= 0 ? ssapp_bench_run_at (group->report, i, (guint)m) : NULL;
  const SsappBenchReference *there = instance->ipopt;

  if (ipopt != NULL && ipopt->is_done && m != 0)
    ssapp_bench_add_finite (ours, ssapp_bench_per_iteration (ssapp_bench_run_get (run, SS_METRIC_CPU_SECONDS),
                                                             ssapp_bench_run_get (run, SS_METRIC_ITERATIONS)) /
                                      ssapp_bench_per_iteration (ssapp_bench_run_get (ipopt, SS_METRIC_CPU_SECONDS),
                                                                 ssapp_bench_run_get (ipopt, SS_METRIC_ITERATIONS)));
  if (ipopt != NULL && ipopt->is_done && there != NULL && is_same_ipopt (ipopt, there))
    ssapp_bench_add_finite (machine, ssapp_bench_per_iteration (ssapp_bench_run_get (ipopt, SS_METRIC_CPU_SECONDS),
                                                                ssapp_bench_run_get (ipopt, SS_METRIC_ITERATIONS)) /
                                         ssapp_bench_per_iteration (there->cpu_seconds, there->iterations));
  if (instance->crisp != NULL && there != NULL)
    ssapp_bench_add_finite (theirs, ssapp_bench_per_iteration (instance->crisp->cpu_seconds,
                                                               ssapp_bench_reference_iterations (instance->crisp)) /
                                        ssapp_bench_per_iteration (there->cpu_seconds, there->iterations));
}

static Ratios
ratios_of (const SsappBenchGroup *group)
{
  GArray *speed = g_array_new (FALSE, FALSE, sizeof (double)), *ours = g_array_new (FALSE, FALSE, sizeof (double));
  GArray *theirs = g_array_new (FALSE, FALSE, sizeof (double)), *machine = g_array_new (FALSE, FALSE, sizeof (double));
  Ratios ratios = {.goal = NAN, .slower = g_string_new (NULL)};

  for (int p = 0; p < SSAPP_BENCH_PROBLEMS; p++)
    if (ssapp_bench_problems[p] == group->problem)
      ratios.goal = speed_goals[p];
  for (guint i = group->first; i < group->last; i++) {
    const SsappBenchInstance *instance = ssapp_bench_instance_at (group->report, i);
    const SsappBenchRun *run = ssapp_bench_run_at (group->report, i, 0);
    if (!run->is_done)
      continue;
    compare_iterations (group, i, ours, theirs, machine);
    if (instance->crisp == NULL)
      continue;
    ssapp_bench_add_finite (speed, instance->crisp->cpu_seconds / ssapp_bench_run_get (run, SS_METRIC_CPU_SECONDS));
    if (instance->crisp->cpu_seconds < ssapp_bench_run_get (run, SS_METRIC_CPU_SECONDS)) {
      ratios.n_slower++;
      g_string_append_printf (ratios.slower, "%s%s (%.2g s, theirs %.2g s)", ratios.slower->len > 0 ? ", " : "",
                              instance->condition, ssapp_bench_run_get (run, SS_METRIC_CPU_SECONDS),
                              instance->crisp->cpu_seconds);
    }
  }
  ratios.n_compared = (int)speed->len;
  ratios.speed = ssapp_bench_geometric (speed);
  ratios.per_ipopt = ssapp_bench_median (ours);
  ratios.authors_per_ipopt = ssapp_bench_median (theirs);
  ratios.machine = ssapp_bench_geometric (machine);
  g_array_unref (speed);
  g_array_unref (ours);
  g_array_unref (theirs);
  g_array_unref (machine);
  return ratios;
}

/* ---- limits that were missed ------------------------------------------------------------------------------------- */

/* "velocity error 0.75 (limit 0.5), ..." */
static char *
missed_limits (const SsappBenchRun *run)
{
  GString *text = g_string_new (NULL);

  for (int k = -1; k < SS_TRACK_COUNT; k++) {
    const SsMetric metric = k < 0 ? SS_METRIC_MAX_VIOLATION : ss_metrics_of_track ((SsTrackKind)k);
    const double value = ssapp_bench_run_get (run, metric), limit = k < 0 ? LIMIT_VIOLATION : limits[k];
    g_autofree char *words = ssapp_metric_words (metric), *shown = ssapp_metric_text (metric, value);
    if (k < 0 ? !(value < limit) : value >= limit)
      g_string_append_printf (text, "%s%s %s (limit %.3g)", text->len > 0 ? ", " : "", words, shown, limit);
  }
  if (text->len == 0)
    g_string_append (text, "not finite");
  return g_string_free (text, FALSE);
}

/* Why the first method's answer misses a limit: because of the weights (every answer found within the limits costs
 * more), or because it is not the best. Evidence is what all methods of this run and the authors' program found, and
 * the same problem with the limits as constraints. */
typedef struct {
  char *limits;       /* owned; NULL: nothing missed                                        */
  double with_limits; /* lowest objective of an answer within all limits; NaN: none found    */
  const char *with_method;
  const char *verdict, *key;
} Miss;

/* Instances that differ in their guess alone. */
static gboolean
is_same_task (const SsappBenchInstance *a, const SsappBenchInstance *b)
{
  if (a->problem != b->problem || a->n_points != b->n_points)
    return FALSE;
  for (int i = 0; i < a->n_set; i++)
    for (int k = 0; k < b->n_set; k++)
      if (strcmp (a->set[i].name, b->set[k].name) == 0 && strcmp (a->set[i].name, "seed") != 0 &&
          a->set[i].value != b->set[k].value)
        return FALSE;
  return TRUE;
}

static void
note_better (Miss *miss, double objective, const char *method)
{
  if (isfinite (objective) && !(objective >= miss->with_limits)) {
    miss->with_limits = objective;
    miss->with_method = method;
  }
}

/* What was found within the limits on instance i. */
static void
look_within_limits (const SsappBenchReport *report, guint i, Miss *miss)
{
  const SsappBenchInstance *instance = ssapp_bench_instance_at (report, i);
  const SsappBenchReference *theirs[] = {instance->crisp, instance->crisp_alt, instance->ipopt};

  for (guint m = 0; m < report->methods->len; m++) {
    const SsappBenchRun *run = ssapp_bench_run_at (report, i, m);
    if (run->is_done && ssapp_bench_run_get (run, SS_METRIC_SUCCESS_PAPER) > 0)
      note_better (miss, ssapp_bench_run_get (run, SS_METRIC_OBJECTIVE), run->method->label);
  }
  for (guint k = 0; k < G_N_ELEMENTS (theirs); k++)
    if (theirs[k] != NULL && theirs[k]->success)
      note_better (miss, theirs[k]->objective,
                   strcmp (theirs[k]->solver, ss_nlp_ipopt.name) == 0 ? "Ipopt *" : "authors' program *");
  if (ssapp_bench_run_at (report, i, 0)->is_done)
    note_better (miss, ssapp_bench_run_at (report, i, 0)->within_limits, "limits as constraints");
}

static Miss
miss_of (const SsappBenchReport *report, guint i)
{
  const SsappBenchRun *run = ssapp_bench_run_at (report, i, 0);
  Miss miss = {NULL, NAN, "", "", ""};

  if (!run->is_done || ssapp_bench_run_get (run, SS_METRIC_SUCCESS_PAPER) > 0)
    return miss;
  miss.limits = missed_limits (run);
  for (guint k = 0; k < report->instances->len; k++)
    if (is_same_task (ssapp_bench_instance_at (report, i), ssapp_bench_instance_at (report, k)))
      look_within_limits (report, k, &miss);
  if (!(ssapp_bench_run_get (run, SS_METRIC_MAX_VIOLATION) < LIMIT_VIOLATION)) {
    miss.verdict = "not solved";
    miss.key = "not_solved";
  } else if (run->impossible != NULL) {
    miss.verdict = run->impossible;
    miss.key = "impossible";
  } else if (isnan (miss.with_limits)) {
    miss.verdict = "no answer within the limits was found, also with the limits as constraints";
    miss.key = "none_found";
  } else if (miss.with_limits >= ssapp_bench_run_get (run, SS_METRIC_OBJECTIVE)) {
    miss.verdict = "the weights prefer it: the best answer found within the limits costs more";
    miss.key = "weights";
  } else {
    miss.verdict = "a better answer within the limits exists";
    miss.key = "worse";
  }
  return miss;
}

/* ---- text -------------------------------------------------------------------------------------------------------- */

static char *
cell (const SsappBenchColumn *column, SsappBenchRow row)
{
  const double value = column->values[row];

  if (!isfinite (value))
    return g_strdup ("-");
  if (row == SSAPP_BENCH_ROW_SUCCESS && column->is_percent)
    return g_strdup_printf ("%.0f %%", value);
  if (row == SSAPP_BENCH_ROW_VIOLATION)
    return g_strdup_printf ("%.1e", value);
  if (row <= SSAPP_BENCH_ROW_SUCCESS)
    return g_strdup_printf ("%.0f", value);
  if (row == SSAPP_BENCH_ROW_NEAR_BEST || row == SSAPP_BENCH_ROW_WORSE || row == SSAPP_BENCH_ROW_STATIONARY ||
      row == SSAPP_BENCH_ROW_B_STATIONARY)
    return g_strdup_printf ("%.0f", value);
  if (row == SSAPP_BENCH_ROW_ITERATIONS || (row >= SSAPP_BENCH_ROW_QP && row <= SSAPP_BENCH_ROW_VALUES))
    return g_strdup_printf ("%.1f", value);
  return g_strdup_printf (row == SSAPP_BENCH_ROW_SETUP ? "%.0f" : "%.4g", value);
}

static void
print_columns (GString *out, GPtrArray *columns)
{
  const int title_width = 31;

  g_string_append_printf (out, "  %-*s", title_width, "");
  for (guint c = 0; c < columns->len; c++)
    g_string_append_printf (out, "  %11s", ((SsappBenchColumn *)g_ptr_array_index (columns, c))->title);
  g_string_append_c (out, '\n');
  for (int r = 0; r < SSAPP_BENCH_ROW_COUNT; r++) {
    g_autofree char *title = ssapp_bench_row_title (r);
    g_string_append_printf (out, "  %-*s", title_width, title);
    for (guint c = 0; c < columns->len; c++) {
      const SsappBenchColumn *column = g_ptr_array_index (columns, c);
      char *text = cell (column, (SsappBenchRow)r);
      g_string_append_printf (out, "  %*s", MAX (11, (int)strlen (column->title)), text);
      g_free (text);
    }
    g_string_append_c (out, '\n');
  }
}

static void
print_ratios (GString *out, const SsappBenchGroup *group)
{
  const char *ours = ssapp_bench_method_at (group->report, 0)->label;
  Ratios r = ratios_of (group);

  if (r.n_compared > 0) {
    g_string_append_printf (out,
                            "  CPU of the authors' program * / %s: geometric mean %.3g over %d instances (goal %g)",
                            ours, r.speed, r.n_compared, r.goal);
    if (isfinite (r.machine))
      g_string_append_printf (out,
                              "; %.3g when corrected by the machines (Ipopt's iteration takes %.2f times as long here)",
                              r.speed * r.machine, r.machine);
    g_string_append_printf (out, "\n  slower than theirs on %d of %d (%.0f %%)%s%s\n", r.n_slower, r.n_compared,
                            100.0 * r.n_slower / r.n_compared, r.n_slower > 0 ? ": " : "", r.slower->str);
  }
  if (isfinite (r.per_ipopt)) {
    g_string_append_printf (out, "  time per iteration, %s / ipopt, same instance, same run: median %.2f", ours,
                            r.per_ipopt);
    if (isfinite (r.authors_per_ipopt))
      g_string_append_printf (out, " (authors' program / Ipopt, there *: %.2f)", r.authors_per_ipopt);
    g_string_append_c (out, '\n');
  }
  g_string_free (r.slower, TRUE);
}

static void
print_misses (GString *out, const SsappBenchGroup *group)
{
  for (guint i = group->first; i < group->last; i++) {
    const SsappBenchInstance *instance = ssapp_bench_instance_at (group->report, i);
    const SsappBenchRun *run = ssapp_bench_run_at (group->report, i, 0);
    Miss miss = miss_of (group->report, i);
    if (miss.limits == NULL)
      continue;
    g_string_append_printf (out, "  %s misses %s at objective %.5g: %s", instance->condition, miss.limits,
                            ssapp_bench_run_get (run, SS_METRIC_OBJECTIVE), miss.verdict);
    if (isfinite (miss.with_limits))
      g_string_append_printf (out, " (%.5g, %s)", miss.with_limits, miss.with_method);
    if (instance->crisp != NULL && !instance->crisp->success)
      g_string_append_printf (out, "; authors' program misses too, at %.5g", instance->crisp->objective);
    g_string_append_c (out, '\n');
    g_free (miss.limits);
  }
}

/* What the listing of --verbose says of each run. */
static const SsMetric listed[] = {SS_METRIC_OBJECTIVE,     SS_METRIC_MAX_VIOLATION, SS_METRIC_TRACKING_TOTAL,
                                  SS_METRIC_SUCCESS_PAPER, SS_METRIC_ITERATIONS,    SS_METRIC_SUBPROBLEMS,
                                  SS_METRIC_CPU_SECONDS};
enum { LISTED_WIDTH = 15 }; /* of the longest heading */

/* The same number of a reference run; NaN where it is not known. */
static double
reference_get (const SsappBenchReference *r, SsMetric metric)
{
  switch (metric) {
  case SS_METRIC_OBJECTIVE:
    return r->objective;
  case SS_METRIC_MAX_VIOLATION:
    return r->violation;
  case SS_METRIC_TRACKING_TOTAL:
    return r->tracking_error;
  case SS_METRIC_SUCCESS_PAPER:
    return r->success;
  case SS_METRIC_ITERATIONS:
    return ssapp_bench_reference_iterations (r);
  case SS_METRIC_SUBPROBLEMS:
    return r->qp_solves;
  case SS_METRIC_CPU_SECONDS:
    return r->cpu_seconds;
  default:
    return NAN;
  }
}

static void
append_cell (GString *out, SsMetric metric, double value)
{
  g_autofree char *text = ssapp_metric_text (metric, value);

  g_string_append_printf (out, "  %*s", LISTED_WIDTH, text);
}

static void
print_runs (GString *out, const SsappBenchGroup *group)
{
  const SsappBenchReport *report = group->report;

  g_string_append_printf (out, "\n  %-14s %-18s %-14s", "instance", "method", "outcome");
  for (guint c = 0; c < G_N_ELEMENTS (listed); c++) {
    g_autofree char *title = ssapp_metric_heading (listed[c]);
    g_string_append_printf (out, "  %*s", LISTED_WIDTH, title);
  }
  g_string_append (out, "  repeats\n");
  for (guint i = group->first; i < group->last; i++) {
    const SsappBenchInstance *instance = ssapp_bench_instance_at (report, i);
    const SsappBenchReference *references[] = {instance->crisp, instance->crisp_alt, instance->ipopt};
    for (guint m = 0; m < report->methods->len; m++) {
      const SsappBenchRun *run = ssapp_bench_run_at (report, i, m);
      if (!run->is_done)
        continue;
      g_string_append_printf (out, "  %-14s %-18s %-14s", instance->condition, run->method->label,
                              ss_outcome_name (run->outcome));
      for (guint c = 0; c < G_N_ELEMENTS (listed); c++)
        append_cell (out, listed[c], ssapp_bench_run_get (run, listed[c]));
      g_string_append_printf (out, "  %7d%s\n", run->n_repeats, run->is_repeatable ? "" : " !");
    }
    for (guint k = 0; k < G_N_ELEMENTS (references); k++) {
      const SsappBenchReference *r = references[k];
      g_autofree char *name =
          r != NULL ? g_strdup_printf ("%s %s*", k < 2 ? "authors" : "Ipopt", k < 2 ? r->config : "") : NULL;
      if (r == NULL)
        continue;
      g_string_append_printf (out, "  %-14s %-18.18s %-14.14s", instance->condition, name, r->status);
      for (guint c = 0; c < G_N_ELEMENTS (listed); c++)
        append_cell (out, listed[c], reference_get (r, listed[c]));
      g_string_append_c (out, '\n');
    }
  }
}

static gboolean
group_has_runs (const SsappBenchGroup *group)
{
  for (guint i = group->first; i < group->last; i++)
    if (ssapp_bench_run_at (group->report, i, 0)->is_done)
      return TRUE;
  return FALSE;
}

static void
print_notes (GString *out, const SsappBenchReport *report)
{
  g_string_append_printf (
      out,
      "* Another machine of this kind: the authors' C++ program with its shipped settings (push T: with tolerance 1e-6 "
      "as the other problems; hopper: its\n"
      "  own looser 1e-3) and Ipopt 3.11.9 on its equations; CPU seconds, one run. The paper's columns are its Table "
      "II (i9-13950HX; all problems at its own\n"
      "  settings and instances, 200 points where the code has 100; hopper and waiter: the objectives in its text).\n"
      "Times: thread CPU of the solve, one at a time, methods in turn, median of %d (a solve longer than %g s is not "
      "repeated); limit %g s of it each.\n"
      "solved: our own violation below 1e-6 and the method says it converged. Set-up: reading, derivatives, orderings, "
      "nothing kept.\n",
      report->repeats, SSAPP_BENCH_SLOW, report->cpu_limit);
  if (!report->is_complete)
    g_string_append (out, "Ended early: instances that were not reached are left out.\n");
}

char *
ssapp_bench_report_text (const SsappBenchReport *report, gboolean verbose)
{
  g_return_val_if_fail (report != NULL, NULL);
  GString *out = g_string_new (NULL);
  guint unrepeatable = 0;

  for (guint first = 0; first < report->instances->len;) {
    const SsappBenchGroup group = ssapp_bench_group_at (report, first);
    first = group.last;
    if (!group_has_runs (&group))
      continue;
    GPtrArray *columns = ssapp_bench_columns (&group);
    g_string_append_printf (out, "%s\n", group.name);
    print_columns (out, columns);
    print_ratios (out, &group);
    print_misses (out, &group);
    if (verbose)
      print_runs (out, &group);
    g_string_append_c (out, '\n');
    g_ptr_array_unref (columns);
  }
  for (guint i = 0; i < report->runs->len; i++) {
    const SsappBenchRun *run = g_ptr_array_index (report->runs, i);
    unrepeatable += run->is_done && !run->is_repeatable;
  }
  print_notes (out, report);
  if (unrepeatable > 0)
    g_string_append_printf (out, "%u runs gave another answer when repeated (marked ! in the listing of --verbose).\n",
                            unrepeatable);
  return g_string_free (out, FALSE);
}

/* ---- JSON -------------------------------------------------------------------------------------------------------- */

static json_t *
group_to_json (const SsappBenchGroup *group)
{
  GPtrArray *columns = ssapp_bench_columns (group);
  Ratios r = ratios_of (group);
  json_t *object = json_object (), *table = json_object ();

  json_object_set_new (object, "name", json_string (group->name));
  json_object_set_new (object, "problem", json_string (group->problem));
  for (guint c = 0; c < columns->len; c++) {
    const SsappBenchColumn *column = g_ptr_array_index (columns, c);
    json_t *values = json_object ();
    for (int k = 0; k < SSAPP_BENCH_ROW_COUNT; k++)
      json_object_set_new (values,
                           k == SSAPP_BENCH_ROW_SUCCESS && column->is_percent ? "success_paper_percent"
                                                                              : ssapp_bench_row_key (k),
                           ssapp_json_real (column->values[k]));
    json_object_set_new (table, column->key, values);
  }
  json_object_set_new (object, "columns", table);
  json_object_set_new (object, "speed",
                       json_pack ("{s:i, s:i, s:o, s:o, s:o, s:o, s:o, s:o, s:s}", "compared", r.n_compared, "slower",
                                  r.n_slower, "authors_over_ours", ssapp_json_real (r.speed),
                                  "authors_over_ours_corrected", ssapp_json_real (r.speed * r.machine), "machine",
                                  ssapp_json_real (r.machine), "per_iteration_over_ipopt",
                                  ssapp_json_real (r.per_ipopt), "authors_per_iteration_over_ipopt",
                                  ssapp_json_real (r.authors_per_ipopt), "goal", ssapp_json_real (r.goal),
                                  "slower_instances", r.slower->str));
  g_string_free (r.slower, TRUE);
  g_ptr_array_unref (columns);
  return object;
}

/* Metrics of a run in JSON and, but for the parts of the tracking error, in CSV; beside them the statistics of the
 * repeats. */
static const SsMetric reported[] = {
    SS_METRIC_SUCCESS_PAPER,     SS_METRIC_OBJECTIVE,         SS_METRIC_MAX_VIOLATION,
    SS_METRIC_COMPLEMENTARITY,   SS_METRIC_TRACKING_TOTAL,    SS_METRIC_TRACKING_POSITION,
    SS_METRIC_TRACKING_VELOCITY, SS_METRIC_TRACKING_ANGLE,    SS_METRIC_TRACKING_ANGULAR_VELOCITY,
    SS_METRIC_ITERATIONS,        SS_METRIC_SUBPROBLEMS,       SS_METRIC_INNER_ITERATIONS,
    SS_METRIC_SETUP_SECONDS,     SS_METRIC_SOLVE_SECONDS,     SS_METRIC_CPU_SECONDS,
    SS_METRIC_THREADS,           SS_METRIC_N_VARIABLES,       SS_METRIC_N_CONSTRAINTS,
    SS_METRIC_B_VERIFIED,        SS_METRIC_B_STATIONARY,      SS_METRIC_B_RADIUS,
    SS_METRIC_FINISH_ROUNDS,     SS_METRIC_FINISH_CPU_SECONDS};

static void
set_statistic (json_t *metrics, SsMetric metric, const char *statistic, double value)
{
  g_autofree char *key = g_strdup_printf ("%s_%s", ss_metric_spec (metric)->name, statistic);

  json_object_set_new (metrics, key, ssapp_json_real (value));
}

static json_t *
run_to_json (const SsappBenchRun *run)
{
  json_t *object = json_object (), *metrics;
  SsMetricSet set = {0};

  for (guint i = 0; i < G_N_ELEMENTS (reported); i++)
    ss_metric_set (&set, reported[i], ssapp_bench_run_get (run, reported[i]));
  metrics = ssapp_metrics_to_json (&set);
  set_statistic (metrics, SS_METRIC_CPU_SECONDS, "min", run->cpu_min);
  set_statistic (metrics, SS_METRIC_CPU_SECONDS, "max", run->cpu_max);
  json_object_set_new (metrics, "qp_share", ssapp_json_real (run->qp_share));
  json_object_set_new (metrics, "derivative_share", ssapp_json_real (run->derivative_share));
  json_object_set_new (metrics, "value_share", ssapp_json_real (run->value_share));
  json_object_set_new (object, "method", json_string (run->method->label));
  json_object_set_new (object, "outcome", json_string (ss_outcome_name (run->outcome)));
  json_object_set_new (object, "message", json_string (run->message));
  json_object_set_new (object, "metrics", metrics);
  json_object_set_new (object, "repeats", json_integer (run->n_repeats));
  json_object_set_new (object, "repeatable", json_boolean (run->is_repeatable));
  json_object_set_new (object, "stationary", json_boolean (run->is_stationary));
  if (run->run != NULL)
    json_object_set_new (object, "run", json_string (run->run));
  return object;
}

static json_t *
reference_to_json (const SsappBenchReference *r)
{
  if (r == NULL)
    return json_null ();
  json_t *object = json_pack ("{s:s, s:s}", "config", r->config, "status", r->status);

  for (guint i = 0; i < G_N_ELEMENTS (listed); i++) {
    g_autofree char *key = ssapp_metric_flat_name (listed[i]);
    json_object_set_new (object, key, ssapp_metric_to_json (listed[i], reference_get (r, listed[i])));
  }
  return object;
}

static json_t *
instance_to_json (const SsappBenchReport *report, guint i)
{
  const SsappBenchInstance *instance = ssapp_bench_instance_at (report, i);
  json_t *object = json_object (), *set = json_object (), *runs = json_array ();
  Miss miss = miss_of (report, i);

  json_object_set_new (object, "group", json_string (instance->group));
  json_object_set_new (object, "problem", json_string (instance->problem));
  json_object_set_new (object, "instance", json_string (instance->condition));
  for (int k = 0; k < instance->n_set; k++)
    json_object_set_new (set, instance->set[k].name, ssapp_json_real (instance->set[k].value));
  json_object_set_new (object, "parameters", set);
  for (guint m = 0; m < report->methods->len; m++)
    if (ssapp_bench_run_at (report, i, m)->is_done)
      json_array_append_new (runs, run_to_json (ssapp_bench_run_at (report, i, m)));
  json_object_set_new (object, "runs", runs);
  json_object_set_new (object, "best_known", ssapp_json_real (ssapp_bench_best (report, i)));
  json_object_set_new (object, "authors", reference_to_json (instance->crisp));
  json_object_set_new (object, "authors_other_settings", reference_to_json (instance->crisp_alt));
  json_object_set_new (object, "reference_ipopt", reference_to_json (instance->ipopt));
  if (miss.limits != NULL) {
    json_object_set_new (object, "missed",
                         json_pack ("{s:s, s:s, s:o}", "limits", miss.limits, "why", miss.key,
                                    "objective_within_limits", ssapp_json_real (miss.with_limits)));
    g_free (miss.limits);
  }
  return object;
}

json_t *
ssapp_bench_report_json (const SsappBenchReport *report)
{
  g_return_val_if_fail (report != NULL, NULL);
  json_t *object = json_object (), *groups = json_array (), *instances = json_array (), *methods = json_array ();

  for (guint m = 0; m < report->methods->len; m++)
    json_array_append_new (methods, json_string (ssapp_bench_method_at (report, m)->label));
  for (guint first = 0; first < report->instances->len;) {
    const SsappBenchGroup group = ssapp_bench_group_at (report, first);
    first = group.last;
    if (group_has_runs (&group))
      json_array_append_new (groups, group_to_json (&group));
  }
  for (guint i = 0; i < report->instances->len; i++)
    if (ssapp_bench_run_at (report, i, 0)->is_done)
      json_array_append_new (instances, instance_to_json (report, i));
  json_object_set_new (object, "format", json_integer (1));
  json_object_set_new (object, "suite", json_string (ss_nlp_crisp.name));
  json_object_set_new (object, "complete", json_boolean (report->is_complete));
  json_object_set_new (object, "methods", methods);
  json_object_set_new (object, "repeats", json_integer (report->repeats));
  json_object_set_new (object, "cpu_limit", ssapp_json_real (report->cpu_limit));
  json_object_set_new (object, "reference_is_other_machine", json_true ());
  json_object_set_new (object, "machine", ssapp_bench_machine ());
  json_object_set_new (object, "groups", groups);
  json_object_set_new (object, "instances", instances);
  return object;
}

/* ---- CSV --------------------------------------------------------------------------------------------------------- */

/* Columns of the CSV: metrics of a run. */
static const SsMetric csv_metrics[] = {
    SS_METRIC_SUCCESS_PAPER, SS_METRIC_OBJECTIVE,         SS_METRIC_MAX_VIOLATION,    SS_METRIC_TRACKING_TOTAL,
    SS_METRIC_ITERATIONS,    SS_METRIC_SUBPROBLEMS,       SS_METRIC_INNER_ITERATIONS, SS_METRIC_SETUP_SECONDS,
    SS_METRIC_CPU_SECONDS,   SS_METRIC_B_VERIFIED,        SS_METRIC_B_STATIONARY,     SS_METRIC_B_BIACTIVE,
    SS_METRIC_FINISH_ROUNDS, SS_METRIC_FINISH_ITERATIONS, SS_METRIC_FINISH_PROGRAMS,  SS_METRIC_FINISH_CPU_SECONDS};

char *
ssapp_bench_report_csv (const SsappBenchReport *report)
{
  g_return_val_if_fail (report != NULL, NULL);
  GString *out = g_string_new ("group,problem,n_points,instance,method,outcome");
  const char *cpu = ss_metric_spec (SS_METRIC_CPU_SECONDS)->name;

  for (guint i = 0; i < G_N_ELEMENTS (csv_metrics); i++) {
    g_autofree char *name = ssapp_metric_flat_name (csv_metrics[i]);
    g_string_append_printf (out, ",%s", name);
  }
  g_string_append_printf (out,
                          ",%s_min,%s_max,qp_share,derivative_share,value_share,repeats,authors_%s,authors_%s,"
                          "authors_success,reference_ipopt_%s,best_known,stationary\n",
                          cpu, cpu, cpu, ss_metric_spec (SS_METRIC_OBJECTIVE)->name, cpu);
  for (guint i = 0; i < report->runs->len; i++) {
    const SsappBenchRun *run = g_ptr_array_index (report->runs, i);
    const SsappBenchInstance *instance = run->instance;
    const SsappBenchReference *a = instance->crisp;
    if (!run->is_done)
      continue;
    g_string_append_printf (out, "\"%s\",%s,%d,%s,%s,%s", instance->group, instance->problem, instance->n_points,
                            instance->condition, run->method->label, ss_outcome_name (run->outcome));
    for (guint k = 0; k < G_N_ELEMENTS (csv_metrics); k++)
      ssapp_bench_append_cell (out, ssapp_bench_run_get (run, csv_metrics[k]));
    ssapp_bench_append_cell (out, run->cpu_min);
    ssapp_bench_append_cell (out, run->cpu_max);
    ssapp_bench_append_cell (out, run->qp_share);
    ssapp_bench_append_cell (out, run->derivative_share);
    ssapp_bench_append_cell (out, run->value_share);
    g_string_append_printf (out, ",%d", run->n_repeats);
    ssapp_bench_append_cell (out, a != NULL ? a->cpu_seconds : NAN);
    ssapp_bench_append_cell (out, a != NULL ? a->objective : NAN);
    ssapp_bench_append_cell (out, a != NULL ? a->success : NAN);
    ssapp_bench_append_cell (out, instance->ipopt != NULL ? instance->ipopt->cpu_seconds : NAN);
    ssapp_bench_append_cell (out, ssapp_bench_best (report, i / report->methods->len));
    ssapp_bench_append_cell (out, run->is_stationary);
    g_string_append_c (out, '\n');
  }
  return g_string_free (out, FALSE);
}
