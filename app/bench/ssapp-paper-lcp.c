/* app/bench/ssapp-paper-lcp.c: section IV-D of paper 004: solvers of linear complementarity and exact search beside
 * CRISP. The penalty homotopy of LCQPow (J. Hall and others, Math. Prog. Comput. 2024), products priced by 1/sigma
 * with sigma falling, is scholtes with relaxation=l1-penalty; its subproblems are Ipopt's here. Gurobi's branch and
 * bound has the verb `bound` in its place, whose lower bounds are proved. */
#include "app/bench/ssapp-paper-item.h"

#include "app/bench/ssapp-bench-common.h"
#include "bound/ss-bound-run.h"

#include <math.h>
#include <string.h>

static const char homotopy[] = "scholtes:relaxation=l1-penalty";
static const double bound_seconds = 5, solve_seconds = 60;
/* Violation below which an answer counts as feasible, as in section IV-C. */
static const double feasible = 1e-5;

/* ---- few steps --------------------------------------------------------------------------------------------------- */

static void
add_few (const SsappPaperPlan *plan, SsappBenchSheet *sheet, const char *problem, int n, const GPtrArray *methods)
{
  const SsOverride set[] = {{"N", n}};
  g_autofree char *message = NULL;
  SsScenario *scenario = ssapp_bench_read (ssapp_bench_scenario_text (problem), problem, set, 1, &message);
  SsBoundRunOptions options;
  SsBoundRun bound;
  SsRunControl control; /* of one search or run: each has limits of its own */
  SsError error;

  if (scenario == NULL) /* built in: a mistake is ours */
    g_error ("%s: %s", problem, message);
  ss_bound_run_options_init (&options);
  options.cpu_seconds = bound_seconds;
  ss_run_control_init (&control);
  const gboolean has_bound = ss_bound_run (scenario, &options, &control, &bound, &error) == SS_OK && bound.has_bound;
  for (guint m = 0; m < methods->len && !ssapp_bench_is_cancelled (plan->control); m++) {
    const SsappBenchMethod *method = g_ptr_array_index (methods, m);
    SsappBenchJob job;
    SsRunResult result;
    ss_run_control_init (&control);
    if (ssapp_bench_job_init (&job, method, scenario, &error) &&
        ss_run (&job.job, &control, &result, &error) == SS_OK) {
      const double objective = ss_metric_get (&result.metrics, SS_METRIC_OBJECTIVE);
      const double violation = ss_metric_get (&result.metrics, SS_METRIC_MAX_VIOLATION);
      SSAPP_BENCH_ROW (sheet, {problem}, {.n = n}, {method->label}, {.n = objective},
                       {.n = has_bound ? bound.bound : (double)NAN},
                       {.n = has_bound && violation < feasible ? ss_bound_gap (bound.bound, objective) : (double)NAN},
                       {.n = violation}, {.n = ss_metric_get (&result.metrics, SS_METRIC_CPU_SECONDS)},
                       {violation < feasible ? ss_outcome_name (result.outcome) : "infeasible"});
      ss_run_result_clear (&result);
    }
    ssapp_bench_job_clear (&job);
  }
  ss_bound_run_clear (&bound);
  ss_scenario_free (scenario);
}

static void
add_few_steps (const SsappPaperPlan *plan, SsappBenchSheet *sheet)
{
  static const char *const columns[] = {"problem|problem|0",
                                        "points|points|3",
                                        "method|method|0",
                                        "objective|objective|8",
                                        "bound|proved bound|8",
                                        "gap|above the bound|2",
                                        "violation|violation|2",
                                        "time|CPU time [s]|3",
                                        "end|end|0",
                                        NULL};
  static const char *const problems[] = {"transport", "waiter"};
  static const int sizes[] = {3, 5, 8};
  g_autofree char *list = g_strconcat ("crisp,auto,", homotopy, NULL);
  g_autoptr (GPtrArray) methods = ssapp_bench_methods_parse (SS_METHOD_OPTIMISER, list, NULL);

  ssapp_bench_sheet_table (sheet, "few-steps", "Few steps: answers, and a lower bound that is proved", columns);
  for (guint p = 0; p < G_N_ELEMENTS (problems); p++)
    for (guint s = 0; s < G_N_ELEMENTS (sizes) && !ssapp_bench_is_cancelled (plan->control); s++)
      add_few (plan, sheet, problems[p], sizes[s], methods);
  ssapp_bench_sheet_note (sheet,
                          "above the bound: as a part of the objective. 0 is proved to be the least; `bound` says how. "
                          "Infeasible: violation above 1e-5. All start from zeros, the goal is out of reach "
                          "in so few steps, and costs are 1e6.");
}

/* ---- whole problems ---------------------------------------------------------------------------------------------- */

/* Of one problem. */
static void
add_whole (SsappBenchSheet *sheet, const GPtrArray *runs, const char *problem, double feasible_paper,
           double tracking_paper, double time_paper)
{
  double tracking = 0, time = 0;
  int n = 0, n_feasible = 0;

  for (guint i = 0; i < runs->len; i++) {
    const SsappBenchRun *run = g_ptr_array_index (runs, i);
    if (!run->is_done || strcmp (run->instance->problem, problem) != 0)
      continue;
    n++;
    n_feasible += ssapp_bench_run_get (run, SS_METRIC_MAX_VIOLATION) < feasible;
    tracking += ssapp_bench_run_get (run, SS_METRIC_TRACKING_TOTAL);
    time += ssapp_bench_run_get (run, SS_METRIC_CPU_SECONDS);
  }
  SSAPP_BENCH_ROW (sheet, {problem}, {.n = n}, {.n = 100. * n_feasible / n}, {.n = feasible_paper}, {.n = tracking / n},
                   {.n = tracking_paper}, {.n = time / n}, {.n = time_paper});
}

static void
add_homotopy (const SsappPaperPlan *plan, SsappBenchSheet *sheet)
{
  static const char *const columns[] = {"problem|problem|0",
                                        "instances|instances|4",
                                        "feasible|feasible [%]|4",
                                        "feasible_paper|LCQPow|4",
                                        "tracking|tracking error, mean|3",
                                        "tracking_paper|LCQPow|4",
                                        "time|time, mean [s]|3",
                                        "time_paper|LCQPow|4",
                                        NULL};
  static char *const problems[] = {"transport", "waiter", NULL};
  g_autoptr (GPtrArray) methods = ssapp_bench_methods_parse (SS_METHOD_OPTIMISER, homotopy, NULL);
  g_autoptr (GPtrArray) reference = ssapp_bench_reference ();
  g_autoptr (GPtrArray) instances = ssapp_bench_instances (reference, problems, SSAPP_BENCH_LISTED, 0, 0);
  const SsappBenchPlan bench = {
      .instances = instances, .methods = methods, .repeats = 1, .cpu_limit = solve_seconds, .control = plan->control};
  g_autoptr (GPtrArray) runs = ssapp_bench_run (&bench, NULL);

  ssapp_bench_sheet_table (sheet, "homotopy",
                           "The penalty homotopy on whole problems, beside what the paper says of LCQPow", columns);
  add_whole (sheet, runs, "transport", 92.5, 0.4267, 251);
  add_whole (sheet, runs, "waiter", 0, NAN, NAN);
  ssapp_bench_sheet_note (
      sheet, "Feasible: violation below 1e-5. Ours is the homotopy with Ipopt's subproblems, not LCQPow's program, on "
             "instances of the same families.");
}

static SsappBenchSheet *
make_lcp (const SsappPaperPlan *plan, const SsappPaperItem *item, char **message)
{
  SsappBenchSheet *sheet = ssapp_bench_sheet_new ();

  (void)item;
  (void)message;
  add_few_steps (plan, sheet);
  if (plan->extent == SSAPP_PAPER_ALL)
    add_homotopy (plan, sheet);
  return sheet;
}

/* clang-format off */
static const SsappPaperClaim lcp_claims[] = {
  {"feasible of {problem} by a penalty homotopy [%]", "homotopy", "problem=transport", "feasible", "feasible_paper", .kind = SSAPP_CLAIM_AT_LEAST,
   .tolerance = 0, .why = "the same method by another program: not fewer"},
  {"feasible of {problem} by a penalty homotopy [%]", "homotopy", "problem=waiter", "feasible", "feasible_paper", .kind = SSAPP_CLAIM_WITHIN,
   .tolerance = 0, .why = "none", .refuted = "The method finds feasible plans of the waiter; that LCQPow finds none is of its program, or of its settings"},
  {"time of {problem} [s]", "homotopy", NULL, "time", "time_paper", .cannot = "CPU times of another machine and of LCQPow's own program"},
  {"steps of push T that an exact search can do", NULL, .cannot = "it is Gurobi's; of the linear problems `bound` proves 3, 5 and 8 points in seconds"},
  {NULL}};

const SsappPaperItem ssapp_paper_lcp_items[] = {
  {.paper = {"crisp-section-4-d", "crisp", "Section IV-D", "Complementarity solvers and exact search", "Li et al. 2025, CRISP: Section IV-D",
     "Transport and waiter, whose dynamics are linear: plans of few steps by CRISP, by the race and by LCQPow's penalty homotopy, beside a lower bound that "
     "is proved.", NULL, "the homotopy on all listed instances of both: minutes"},
   .make = make_lcp, .tables = "few-steps;homotopy", .claims = lcp_claims, .example = "crisp/transport"},
  {.paper = {NULL}},
};
/* clang-format on */
