/* app/bench/ssapp-paper-crisp.c: figures and tables of paper 004; how one is added: ssapp-paper-item.h.
 *
 * Table II, of each group of instances: share of successes by the criterion of section IV-C, median tracking error,
 * median violation, mean iterations, median time, as the paper says that it has them (it does not say how violations
 * were gathered). */
#include "app/bench/ssapp-paper-item.h"

#include <math.h>
#include <string.h>

enum { REPEATS = 1 };
static const double CPU_LIMIT = 60; /* of one solve, CPU time [s] */

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
  int n = 0, n_success = 0, n_impossible = 0;

  for (guint i = 0; i < runs->len; i++) {
    const SsappBenchRun *run = g_ptr_array_index (runs, i);
    if (!run->is_done || run->method != method || strcmp (run->instance->group, group) != 0)
      continue;
    for (guint k = 0; k < G_N_ELEMENTS (metrics); k++)
      values[k * runs->len + (guint)n] = ssapp_bench_run_get (run, metrics[k]);
    n_success += ssapp_bench_run_get (run, SS_METRIC_SUCCESS_PAPER) > 0;
    n_impossible += run->impossible != NULL;
    n++;
  }
  for (guint k = 0; k < G_N_ELEMENTS (metrics); k++)
    ours[k] = metrics[k] == SS_METRIC_ITERATIONS ? ssapp_mean (values + k * runs->len, n)
                                                 : ssapp_median (values + k * runs->len, n);
  SSAPP_BENCH_ROW (sheet, {group}, {method->label}, {.n = n}, {.n = n > 0 ? 100. * n_success / n : (double)NAN},
                   {.n = paper != NULL ? paper->success_percent : (double)NAN},
                   {.n = n > n_impossible ? 100. * n_success / (n - n_impossible) : (double)NAN}, {.n = ours[0]},
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

/* Instances that no answer can solve, whatever the method. */
static void
add_impossible (SsappBenchSheet *sheet, const GPtrArray *runs)
{
  static const char *const columns[] = {"problem|problem|0", "instance|instance|0", "why|why|0", NULL};

  ssapp_bench_sheet_table (sheet, "impossible", "Instances that no motion can do", columns);
  for (guint i = 0; i < runs->len; i++) {
    const SsappBenchRun *run = g_ptr_array_index (runs, i);
    if (run->impossible != NULL)
      SSAPP_BENCH_ROW (sheet, {run->instance->group}, {run->instance->condition}, {run->impossible});
  }
}

/* [004 Tab 2]. */
static void
add_tables (SsappBenchSheet *sheet, const SsappBenchPlan *bench, const GPtrArray *runs)
{
  g_autoptr (GPtrArray) paper = ssapp_bench_paper ();
  static const char *const columns[] = {"problem|problem|0",
                                        "method|method|0",
                                        "instances|instances|5",
                                        "success|success [%]|4",
                                        "success_paper|paper|4",
                                        "possible|of those that a motion can do [%]|4",
                                        "tracking|tracking error|3",
                                        "tracking_paper|paper|3",
                                        "violation|violation|2",
                                        "violation_paper|paper|2",
                                        "iterations|iterations|4",
                                        "iterations_paper|paper|6",
                                        "time|time [s]|3",
                                        "time_paper|paper|4",
                                        "objective|objective|4",
                                        "objective_paper|paper|4",
                                        NULL};
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
  add_impossible (sheet, runs);
  add_others (sheet, bench->methods, paper);
}

/* ---- Fig. 5 ------------------------------------------------------------------------------------------------------ */

enum { OBJECTIVE, TRACKING, VIOLATION, N_VALUES };

/* What a solver reached on instances of a group, each sorted. */
typedef struct {
  const char *solver;
  GArray *values[N_VALUES]; /* of double */
} Spread;

static int
compare_numbers (gconstpointer a, gconstpointer b)
{
  const double x = *(const double *)a, y = *(const double *)b;

  return (x > y) - (x < y);
}

static void
spread_add (Spread *spread, double objective, double tracking, double violation)
{
  const double values[N_VALUES] = {objective, tracking, violation};

  for (int k = 0; k < N_VALUES; k++)
    if (isfinite (values[k]))
      g_array_append_val (spread->values[k], values[k]);
}

/* Rows of a group's runs: ours, the authors' program, Ipopt on the authors' problems. */
static void
collect_spreads (const GPtrArray *runs, const char *group, Spread spreads[3])
{
  for (guint i = 0; i < runs->len; i++) {
    const SsappBenchRun *run = g_ptr_array_index (runs, i);
    const SsappBenchInstance *instance = run->instance;
    if (!run->is_done || strcmp (instance->group, group) != 0)
      continue;
    spread_add (&spreads[0], ssapp_bench_run_get (run, SS_METRIC_OBJECTIVE),
                ssapp_bench_run_get (run, SS_METRIC_TRACKING_TOTAL),
                ssapp_bench_run_get (run, SS_METRIC_MAX_VIOLATION));
    if (instance->crisp != NULL)
      spread_add (&spreads[1], instance->crisp->objective, instance->crisp->tracking_error, instance->crisp->violation);
    if (instance->ipopt != NULL)
      spread_add (&spreads[2], instance->ipopt->objective, instance->ipopt->tracking_error, instance->ipopt->violation);
  }
}

/* Sorted values of each solver: the share of its instances that are no worse. */
static void
add_spread (SsappBenchSheet *sheet, const char *problem, const Spread *spread)
{
  const guint n = spread->values[OBJECTIVE]->len;

  for (int k = 0; k < N_VALUES; k++)
    g_array_sort (spread->values[k], compare_numbers);
  for (guint i = 0; i < n; i++) {
    double own[N_VALUES];
    for (int k = 0; k < N_VALUES; k++)
      own[k] = i < spread->values[k]->len ? g_array_index (spread->values[k], double, i) : (double)NAN;
    SSAPP_BENCH_ROW (sheet, {problem}, {spread->solver}, {.n = (i + 1.) / n}, {.n = own[OBJECTIVE]},
                     {.n = own[TRACKING]}, {.n = own[VIOLATION]});
  }
}

static double
median_of (const GArray *values)
{
  g_autofree double *copy = g_memdup2 (values->data, values->len * sizeof (double));

  return ssapp_median (copy, (int)values->len);
}

/* [004 Fig 5]. */
static void
add_spreads (SsappBenchSheet *sheet, gboolean is_medians, const GPtrArray *runs, const char *group)
{
  Spread spreads[3] = {{.solver = "crisp"}, {.solver = "crisp, authors'"}, {.solver = "ipopt, authors' problems"}};

  for (guint s = 0; s < G_N_ELEMENTS (spreads); s++)
    for (int k = 0; k < N_VALUES; k++)
      spreads[s].values[k] = g_array_new (FALSE, FALSE, sizeof (double));
  collect_spreads (runs, group, spreads);
  for (guint s = 0; !is_medians && s < G_N_ELEMENTS (spreads); s++)
    add_spread (sheet, group, &spreads[s]);
  if (is_medians)
    SSAPP_BENCH_ROW (sheet, {group}, {.n = spreads[0].values[OBJECTIVE]->len},
                     {.n = median_of (spreads[0].values[OBJECTIVE])}, {.n = median_of (spreads[1].values[OBJECTIVE])},
                     {.n = median_of (spreads[2].values[OBJECTIVE])}, {.n = median_of (spreads[0].values[TRACKING])},
                     {.n = median_of (spreads[1].values[TRACKING])}, {.n = median_of (spreads[2].values[TRACKING])},
                     {.n = spreads[0].values[VIOLATION]->len > 0 ? g_array_index (spreads[0].values[VIOLATION], double,
                                                                                  spreads[0].values[VIOLATION]->len - 1)
                                                                 : (double)NAN});
  for (guint s = 0; s < G_N_ELEMENTS (spreads); s++)
    for (int k = 0; k < N_VALUES; k++)
      g_array_unref (spreads[s].values[k]);
}

static void
add_figure_5 (SsappBenchSheet *sheet, const SsappBenchPlan *bench, const GPtrArray *runs)
{
  static const char *const columns[] = {"problem|problem|0",
                                        "solver|solver|0",
                                        "share|share of instances|3",
                                        "objective|objective|5",
                                        "tracking|tracking error|3",
                                        "violation|violation|2",
                                        NULL};
  static const char *const medians[] = {"problem|problem|0",
                                        "instances|instances|5",
                                        "objective|objective, median|5",
                                        "objective_authors|authors' program|5",
                                        "objective_ipopt|Ipopt, authors' problems|5",
                                        "tracking|tracking error, median|3",
                                        "tracking_authors|authors' program|3",
                                        "tracking_ipopt|Ipopt, authors' problems|3",
                                        "violation|violation, largest|2",
                                        NULL};

  for (int pass = 0; pass < 2; pass++) {
    const char *last = "";
    if (pass == 0)
      ssapp_bench_sheet_table (sheet, "medians", "Medians of Fig. 5, beside what the authors' program reached",
                               medians);
    else
      ssapp_bench_sheet_table (sheet, "spread", "Fig. 5: each value, sorted: the share of instances that are no worse",
                               columns);
    for (guint i = 0; i < bench->instances->len; i++) {
      const SsappBenchInstance *instance = g_ptr_array_index (bench->instances, i);
      if (strcmp (instance->group, last) != 0)
        add_spreads (sheet, pass == 0, runs, instance->group);
      last = instance->group;
    }
  }
}

/* ---- runs -------------------------------------------------------------------------------------------------------- */

/* Instances of the extent by the plan's methods; NULL with a message. `fill` makes the tables. */
static SsappBenchSheet *
run_instances (const SsappPaperPlan *plan, char *const *problems,
               void (*fill) (SsappBenchSheet *sheet, const SsappBenchPlan *bench, const GPtrArray *runs),
               char **message)
{
  g_autoptr (GPtrArray) methods =
      ssapp_bench_methods_parse (SS_METHOD_OPTIMISER, plan->methods != NULL ? plan->methods : "crisp", message);
  g_autoptr (GPtrArray) reference = ssapp_bench_reference ();

  if (methods == NULL)
    return NULL;
  g_autoptr (GPtrArray) instances = ssapp_bench_instances (
      reference, problems, plan->extent == SSAPP_PAPER_QUICK ? SSAPP_BENCH_QUICK : SSAPP_BENCH_LISTED, 0, 0);
  const SsappBenchPlan bench = {.instances = instances,
                                .methods = methods,
                                .repeats = REPEATS,
                                .cpu_limit = CPU_LIMIT,
                                .control = plan->control,
                                .tell = plan->say != NULL ? tell : NULL,
                                .user_data = (gpointer)plan};
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) runs = ssapp_bench_run (&bench, &error);
  SsappBenchSheet *sheet = ssapp_bench_sheet_new ();
  fill (sheet, &bench, runs);
  if (error != NULL)
    ssapp_bench_sheet_note (sheet, "%s", error->message);
  return sheet;
}

static SsappBenchSheet *
make_table_2 (const SsappPaperPlan *plan, const SsappPaperItem *item, char **message)
{
  (void)item;
  return run_instances (plan, NULL, add_tables, message);
}

static SsappBenchSheet *
make_figure_5 (const SsappPaperPlan *plan, const SsappPaperItem *item, char **message)
{
  static char *const problems[] = {"cartpole", "push-box", "transport", "push-t", NULL};

  (void)item;
  return run_instances (plan, problems, add_figure_5, message);
}

#define CRISP "Li et al. 2025, CRISP"

#define MACHINE   "CPU times of another machine"
#define IPOPT     "one local solution of many; the paper tells neither Ipopt's version nor its options"
#define INSTANCES "the paper lists neither its initial states nor its guesses; ours are of the same families"

/* clang-format off */
static const SsappPaperClaim table_2_claims[] = {
  {"successes of {problem} [%]", "table-2", "problem=cartpole, N = 100", "success", "success_paper", .kind = SSAPP_CLAIM_WITHIN, .why = "counts"},
  {"successes of {problem} [%]", "table-2", "problem=cartpole, N = 200", "success", "success_paper", .kind = SSAPP_CLAIM_WITHIN, .why = "counts",
   .refuted = "Of 21 states two end elsewhere; the authors' own program misses six of the same 21. The paper does not list its states"},
  {"successes of {problem} [%]", "table-2", "problem=push-box, N = 100", "success", "success_paper", .kind = SSAPP_CLAIM_WITHIN, .why = "counts"},
  {"successes of {problem} [%]", "table-2", "problem=push-box, N = 200", "success", "success_paper", .kind = SSAPP_CLAIM_WITHIN, .why = "counts"},
  {"successes of {problem} [%]", "table-2", "problem=transport", "success", "success_paper", .kind = SSAPP_CLAIM_WITHIN, .why = "counts",
   .refuted = "Five of the 18 transports end where no motion can end: friction cannot take the payload there in time (table of instances that no "
     "motion can do). The authors' own program misses six of the same 18. The paper does not list its instances"},
  {"successes of {problem} among what a motion can do [%]", "table-2", "problem=transport", "possible", "success_paper", .kind = SSAPP_CLAIM_WITHIN,
   .tolerance = 1e-9, .why = "counts"},
  {"successes of {problem} [%]", "table-2", "problem=push-t, 0.3 m", "success", "success_paper", .kind = SSAPP_CLAIM_WITHIN, .why = "counts"},
  {"successes of {problem} [%]", "table-2", "problem=push-t, 3 m", "success", "success_paper", .kind = SSAPP_CLAIM_WITHIN, .why = "counts"},
  {"tracking error of transport, median", "table-2", "problem=transport", "tracking", "tracking_paper", .kind = SSAPP_CLAIM_AT_MOST, .tolerance = 0.05,
   .why = "the paper prints two digits",
   .refuted = "The authors' own program reaches 4.0e-3 at best and 0.017 in the median of the same 18, never 1.1e-4: the weights do not ask for "
     "more; what cannot be reached raises the median too"},
  {"tracking error of {problem}, median", "table-2", "problem=cartpole, N = 100", "tracking", "tracking_paper", .cannot = INSTANCES},
  {"tracking error of {problem}, median", "table-2", "problem=cartpole, N = 200", "tracking", "tracking_paper", .cannot = INSTANCES},
  {"tracking error of {problem}, median", "table-2", "problem=push-box, N = 100", "tracking", "tracking_paper", .cannot = INSTANCES},
  {"tracking error of {problem}, median", "table-2", "problem=push-box, N = 200", "tracking", "tracking_paper", .cannot = INSTANCES},
  {"tracking error of {problem}, median", "table-2", "problem=push-t, 0.3 m", "tracking", "tracking_paper", .cannot = INSTANCES},
  {"tracking error of {problem}, median", "table-2", "problem=push-t, 3 m", "tracking", "tracking_paper", .cannot = INSTANCES},
  {"violation of {problem}, median", "table-2", NULL, "violation", SSAPP_PRINTS (1e-5), .paper_words = "below 1e-5", .kind = SSAPP_CLAIM_AT_MOST,
   .why = "the limit of section IV-C; where below it a median ends is the stopping rule's chance"},
  {"iterations of {problem}, mean", "table-2", NULL, "iterations", "iterations_paper", .cannot = INSTANCES},
  {"time of {problem} [s]", "table-2", NULL, "time", "time_paper", .cannot = MACHINE},
  {NULL}};

static const SsappPaperChart figure_5_charts[] = {
  {"cartpole-objective", "Cart and pole: objective", "spread", "problem=cartpole, N = 200", "objective", "share", "solver", "Objective", "Share of "
     "instances", TRUE, .is_step = TRUE, .has_no_mark = TRUE},
  {"cartpole-tracking", "Cart and pole: tracking error", "spread", "problem=cartpole, N = 200", "tracking", "share", "solver", "Tracking error",
   "Share of instances", TRUE, .is_step = TRUE, .has_no_mark = TRUE},
  {"cartpole-violation", "Cart and pole: violation", "spread", "problem=cartpole, N = 200", "violation", "share", "solver", "Violation", "Share of "
     "instances", TRUE, .is_step = TRUE, .has_no_mark = TRUE},
  {"push-box-objective", "Push box: objective", "spread", "problem=push-box, N = 200", "objective", "share", "solver", "Objective", "Share of "
     "instances", TRUE, .is_step = TRUE, .has_no_mark = TRUE},
  {"push-box-tracking", "Push box: tracking error", "spread", "problem=push-box, N = 200", "tracking", "share", "solver", "Tracking error", "Share "
     "of instances", TRUE, .is_step = TRUE, .has_no_mark = TRUE},
  {"push-box-violation", "Push box: violation", "spread", "problem=push-box, N = 200", "violation", "share", "solver", "Violation", "Share of "
     "instances", TRUE, .is_step = TRUE, .has_no_mark = TRUE},
  {"transport-objective", "Transport: objective", "spread", "problem=transport", "objective", "share", "solver", "Objective", "Share of instances",
   TRUE, .is_step = TRUE, .has_no_mark = TRUE},
  {"transport-tracking", "Transport: tracking error", "spread", "problem=transport", "tracking", "share", "solver", "Tracking error", "Share of "
     "instances", TRUE, .is_step = TRUE, .has_no_mark = TRUE},
  {"transport-violation", "Transport: violation", "spread", "problem=transport", "violation", "share", "solver", "Violation", "Share of instances",
   TRUE, .is_step = TRUE, .has_no_mark = TRUE},
  {"push-t-objective", "Push T: objective", "spread", "problem=push-t, 3 m", "objective", "share", "solver", "Objective", "Share of instances",
   TRUE, .is_step = TRUE, .has_no_mark = TRUE},
  {"push-t-tracking", "Push T: tracking error", "spread", "problem=push-t, 3 m", "tracking", "share", "solver", "Tracking error", "Share of "
     "instances", TRUE, .is_step = TRUE, .has_no_mark = TRUE},
  {"push-t-violation", "Push T: violation", "spread", "problem=push-t, 3 m", "violation", "share", "solver", "Violation", "Share of instances",
   TRUE, .is_step = TRUE, .has_no_mark = TRUE},
  {NULL}};

static const SsappPaperClaim figure_5_claims[] = {
  {"objective of {problem}, median", "medians", NULL, "objective", .truth = "objective_authors", .truth_words = "the authors' program on the same "
     "instances",
   .kind = SSAPP_CLAIM_AT_MOST, .why = "the same instances: ours is not above"},
  {"objective of {problem}, median, beside Ipopt", "medians", NULL, "objective", .truth = "objective_ipopt", .truth_words = "Ipopt on the authors' "
     "problems",
   .kind = SSAPP_CLAIM_AT_MOST, .tolerance = 0.01,
   .why = "the paper: CRISP is not above Ipopt; a box plot shows a hundredth at best"},
  {"tracking error of {problem}, median", "medians", NULL, "tracking", .truth = "tracking_authors", .truth_words = "the authors' program on the "
     "same instances",
   .kind = SSAPP_CLAIM_AT_MOST, .tolerance = 0.01, .why = "the same instances: not above what a box plot shows",
   .refuted = "The cost weighs the error against the effort: ours ends a little farther from the target, at a lower objective (rows above)"},
  {"largest violation of {problem}", "medians", NULL, "violation", SSAPP_PRINTS (1e-5), .paper_words = "below 1e-5", .kind = SSAPP_CLAIM_AT_MOST,
   .why = "the limit of section IV-C"},
  {NULL}};

/* [004 Fig 6]. */
static const SsappPaperMotion figure_6_motions[] = {
  {"cartpole-ipopt", "Cart and pole by Ipopt", "crisp/cartpole", "x0=0.7,th0=3.14159,thd0=0", "ipopt", .plots = "motion"},
  {"cartpole-crisp", "Cart and pole by CRISP", "crisp/cartpole", "x0=0.7,th0=3.14159,thd0=0", "crisp", .plots = "motion"},
  {"push-box-ipopt", "Push box by Ipopt", "crisp/push-box", "j=9", "ipopt", .plots = "motion"},
  {"push-box-crisp", "Push box by CRISP", "crisp/push-box", "j=9", "crisp", .plots = "motion"},
  {"transport-ipopt", "Transport from the right end to the left end by Ipopt", "crisp/transport", NULL, "ipopt", .plots = "motion"},
  {"transport-crisp", "Transport from the right end to the left end by CRISP", "crisp/transport", NULL, "crisp", .plots = "motion"},
  {NULL}};

static const SsappPaperClaim figure_6_claims[] = {
  {"success of CRISP on the transport that all others fail at", "motions", "motion=transport-crisp", "success", SSAPP_PRINTS (1), .kind =
   SSAPP_CLAIM_WITHIN,
   .why = "the limits of section IV-C"},
  {"success of Ipopt on it", "motions", "motion=transport-ipopt", "success", SSAPP_PRINTS (0), .kind = SSAPP_CLAIM_WITHIN,
   .why = "the limits of section IV-C", .refuted = "Ipopt solves it here, from the same start"},
  {"success of CRISP on the cart and pole", "motions", "motion=cartpole-crisp", "success", SSAPP_PRINTS (1), .kind = SSAPP_CLAIM_WITHIN,
   .why = "the limits of section IV-C"},
  {"success of CRISP on the box", "motions", "motion=push-box-crisp", "success", SSAPP_PRINTS (1), .kind = SSAPP_CLAIM_WITHIN,
   .why = "the limits of section IV-C"},
  {"which cart and which box Ipopt misses", NULL, .cannot = "the paper does not say which initial states it draws"},
  {NULL}};

static const SsappPaperMotion figure_7_motions[] = {
  {"hopper-crisp", "Hopper by CRISP", "crisp/hopper", NULL, "crisp", .plots = "motion"},
  {"hopper-ipopt", "Hopper by Ipopt", "crisp/hopper", NULL, "ipopt", .plots = "motion"},
  {"hopper-auto", "Hopper by auto", "crisp/hopper", NULL, "auto:budget=1:seed=3", .plots = "motion"},
  {"waiter-crisp", "Waiter by CRISP", "crisp/waiter", NULL, "crisp", .plots = "motion"},
  {"waiter-ipopt", "Waiter by Ipopt", "crisp/waiter", NULL, "ipopt", .plots = "motion"},
  {"waiter-auto", "Waiter by auto", "crisp/waiter", NULL, "auto:budget=1:seed=2", .plots = "motion"},
  {NULL}};

static const SsappPaperClaim figure_7_claims[] = {
  {"objective of the hopper", "motions", "motion=hopper-crisp", "objective", SSAPP_PRINTS (5.45), .kind = SSAPP_CLAIM_AT_MOST, .tolerance = 1e-3,
   .why = "the paper prints three digits",
   .refuted = "CRISP ends at 8.4 here, and the authors' program, with its example's options, at 10.6. Better motions exist: see auto"},
  {"objective of the hopper, by auto", "motions", "motion=hopper-auto", "objective", SSAPP_PRINTS (5.45), .kind = SSAPP_CLAIM_AT_MOST,
   .why = "that a motion of that objective exists"},
  {"objective of the waiter", "motions", "motion=waiter-crisp", "objective", SSAPP_PRINTS (8.68), .kind = SSAPP_CLAIM_AT_MOST, .tolerance = 1e-3,
   .why = "the paper prints three digits"},
  {"objective of the hopper by Ipopt", "motions", "motion=hopper-ipopt", "objective", SSAPP_PRINTS (137.5), .cannot = IPOPT},
  {"objective of the waiter by Ipopt", "motions", "motion=waiter-ipopt", "objective", SSAPP_PRINTS (1855), .cannot = IPOPT},
  {NULL}};

/* [004 Fig 8]. The planner in its loop, as sec. IV-D has it: 10 points of 0.05 s; the arm is the model with noise. */
static const SsappPaperMotion figure_8_motions[] = {
  {"from-the-right", "T from the right, turned by 0.3 rad", "crisp/push-t", "N=10", "crisp:preset=warm", .plots = "motion", .loop = "noise", .loop_steps = 100},
  {"from-above", "T from above, turned by -0.8 rad", "crisp/push-t", "N=10,px0=0.05,py0=0.1,th0=-3.437", "crisp:preset=warm", .plots = "motion",
   .loop = "noise", .loop_steps = 100},
  {"from-the-left", "T from the left, turned by a right angle", "crisp/push-t", "N=10,px0=-0.2,py0=-0.1,th0=-1.066", "crisp:preset=warm",
   .plots = "motion", .loop = "noise", .loop_steps = 100},
  {NULL}};

static const SsappPaperClaim figure_8_claims[] = {
  {"tracking error of {motion} [m, rad]", "motions", NULL, "tracking", SSAPP_TRUTH (0.1), .truth_words = "the limit of section IV-C on the way alone", .kind =
   SSAPP_CLAIM_AT_MOST, .why = "the paper: the T is pushed to its target; it prints no error"},
  {"mean time of a solve [s]", NULL, SSAPP_PRINTS (0.08), .cannot = "another machine; `bench mpc` measures this one"},
  {"the arm, the camera, the T", NULL, .cannot = "hardware"},
  {NULL}};

/* [004 Fig 9]. */
static const SsappPaperMotion figure_9_motions[] = {
  {"cartpole-1", "Cart and pole from rest", "crisp/cartpole", "thd0=0", "crisp", .plots = "motion"},
  {"cartpole-2", "Cart and pole, cart at a wall", "crisp/cartpole", "x0=0.7,thd0=0", "crisp", .plots = "motion"},
  {"push-box-1", "Box to target 3", "crisp/push-box", "j=3", "crisp", .plots = "motion"},
  {"push-box-2", "Box to target 15", "crisp/push-box", "j=15", "crisp", .plots = "motion"},
  {"transport-1", "Payload from the right end to the middle", "crisp/transport", "x10=3.5,x20=3,v10=0,v20=0,x1t=0,x2t=0,v1t=0,v2t=0", "crisp",
   .plots = "motion"},
  {"transport-2", "Payload from the left end to the right end", "crisp/transport", "x10=2.5,x20=3,v10=0,v20=0,x1t=0.5,x2t=0,v1t=0,v2t=0", "crisp",
   .plots = "motion"},
  {"push-t-1", "T from its example's state", "crisp/push-t", NULL, "crisp", .plots = "motion"},
  {"push-t-2", "T from the origin, 0.3 m", "crisp/push-t", "px0=0,py0=0,th0=0,xt=0.3,yt=0,tht=0.5", "crisp", .plots = "motion"},
  {NULL}};

static const SsappPaperClaim figure_9_claims[] = {
  {"success of {motion}", "motions", NULL, "success", SSAPP_PRINTS (1), .kind = SSAPP_CLAIM_WITHIN, .why = "the limits of section IV-C"},
  {"violation of {motion}", "motions", NULL, "violation", SSAPP_PRINTS (1e-5), .kind = SSAPP_CLAIM_AT_MOST, .why = "the limit of section IV-C"},
  {"the initial states of the figure", NULL, .cannot = "the paper does not print them; these are of the same families"},
  {NULL}};

const SsappPaperItem ssapp_paper_crisp_items[] = {
  {.paper = {"crisp-table-2", "crisp", "Table II", "CRISP beside other solvers", CRISP ": Table II and section IV-C",
    "Six problems from many initial states, targets and guesses: successes, tracking error, violation, iterations and time of CRISP here, beside what "
    "the paper prints of CRISP, Ipopt, SNOPT and ProxNLP. The paper's times are of another machine. With methods crisp,ipopt Ipopt runs here too, "
    "which takes hours on all instances.",
    "two instances of each group instead of all", NULL, TRUE},
   .make = make_table_2, .tables = "table-2;impossible;others", .claims = table_2_claims},
  {.paper = {"crisp-figure-5", "crisp", "Fig. 5", "Spread of results", CRISP ": Fig. 5 and section IV-C",
    "Objective, tracking error and violation over all instances of four problems, each sorted: the share of instances that are no worse. Ours beside "
    "what the authors' program, and Ipopt on the authors' problems, reached on the same instances.",
    NULL, NULL, TRUE},
   .make = make_figure_5, .tables = "medians;spread", .charts = figure_5_charts, .claims = figure_5_claims},
  {.paper = {"crisp-figure-6", "crisp", "Fig. 6", "Where Ipopt misses", CRISP ": Fig. 6 and section IV-C",
    "Plans by Ipopt beside plans by CRISP: a cart and pole, a pushed box, and the transport that the paper says all other solvers fail at.", NULL, NULL},
   .motions = figure_6_motions, .claims = figure_6_claims},
  {.paper = {"crisp-figure-7", "crisp", "Fig. 7", "Hopper and waiter", CRISP ": Fig. 7 and section IV-C",
    "Plans of the hopper and the waiter by CRISP and by Ipopt, with the objectives that the text prints.", NULL, NULL},
   .motions = figure_7_motions, .claims = figure_7_claims,
   .better = "auto ends below both of the paper's objectives (table of runs)"},
  {.paper = {"crisp-figure-8", "crisp", "Fig. 8", "Push T in a closed loop", CRISP ": Fig. 8 and section IV-D",
    "The T is pushed to its target from three poses: a plan of 10 points of 0.05 s is made again at each step from where the T is, with noise of 2 mm and "
    "2 mrad a step in the place of the robot's camera and arm.", NULL, NULL},
   .motions = figure_8_motions, .claims = figure_8_claims},
  {.paper = {"crisp-figure-9", "crisp", "Fig. 9", "Plans from other states", CRISP ": Fig. 9 and appendix C",
    "Plans of four problems from other initial states and to other targets, two of each.", NULL, NULL},
   .motions = figure_9_motions, .claims = figure_9_claims},
  {.paper = {NULL}},
};
/* clang-format on */
