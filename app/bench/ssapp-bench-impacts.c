/* app/bench/ssapp-bench-impacts.c: suite impacts [002 Tab 3] with the paper's numbers beside ours, and what the
 * comparison laws give on the same configurations.
 *
 * The paper's times are of another machine, in Matlab with PATH. Ours are CPU time of one thread, the least of three
 * (of one where all answers of steps with five contacts are listed).
 */
#include "app/bench/ssapp-bench-common.h"
#include "app/bench/ssapp-bench-impacts-private.h"

#include "app/job/ssapp-impact-result.h"

#include "bench-impact-box-wall.h"
#include "bench-impact-compass-gait.h"
#include "bench-impact-disk-stack-published-code.h"
#include "bench-impact-disk-stack.h"
#include "bench-impact-ramone.h"
#include "bench-impact-rocking-block.h"
#include "bench-impact-rocking-scene.h"

#include <math.h>
#include <string.h>

enum { QUICK_SAMPLES = 1 << 14, REPEATS = 3 };

const SsappBenchImpactModel ssapp_bench_impact_models[SSAPP_BENCH_IMPACT_MODELS] = {
    {"rocking-block", bench_impact_rocking_block, 9, 1 << 14, 2.67, 2.1e-3, 8.0e-4},
    {"compass-gait", bench_impact_compass_gait, 10, 1 << 20, 2.27, 1.9e-3, 8.5e-4},
    {"box-wall", bench_impact_box_wall, 11, 1 << 18, 1.97, 1.6e-3, 8.1e-4},
    {"ramone", bench_impact_ramone, 13, 1 << 20, 3.20, 2.2e-3, 7.0e-4},
    {"disk-stack", bench_impact_disk_stack, 14, 1 << 20, NAN, NAN, NAN},
    {"disk-stack-published-code", bench_impact_disk_stack_published_code, 14, 1 << 20, 9.04, 1.1e-2, 1.3e-3},
};

const char *const ssapp_bench_impact_differences[] = {
    "Steps of rocking-block and box-wall have one answer; the paper's counts there are 0.20 and 0.43 above ours for a "
    "cause that is not known.",
    "Where steps have several answers, the count depends on which one the solver takes: compass-gait has 3.25 LCPs a "
    "sample by Lemke's method with divided friction rows, 1.69 with the rows as written, 2.25 by an even choice of "
    "all; the paper, with another solver, has 2.27.",
    "The paper's row of the disk stack is that of its published program: mass 5, two tangents that are not normal to "
    "their normals. disk-stack is the model of the paper's table.",
    "The published program takes up to N steps a sample and leaves the closing step of Algorithm 2 out; the paper's "
    "pseudo-code takes N + 1.",
    "Fig. 12: the share of the first corner's impulse before the second one touches is 99.9992 % in the paper and "
    "here. The sweep of angles passes the sequential extreme by 1.8 %, as in the paper's figure.",
    "Section 4.3: the formula of the wobbling block's apex angle is printed with a wrong sign before the sine; "
    "theta = asin (K w^2 / (2 m g r) + sin alpha) - alpha gives the paper's motion.",
    NULL};

/* Everything in it is built in: a mistake is ours. */
SsImpact *
ssapp_bench_impact_read (const SsappBenchImpactModel *model)
{
  g_return_val_if_fail (model != NULL, NULL);
  SsImpactFile *file = NULL;
  SsImpact *impact = NULL;
  SsProblems problems;
  SsError error = {0};

  ss_problems_init (&problems);
  if (ss_impact_file_read (model->text, strlen (model->text), "built-in", &problems, &file) != SS_OK ||
      ss_impact_new_from_file (file, &impact, &error) != SS_OK)
    g_error ("a built-in configuration: %s", problems.n_items > 0 ? problems.items[0].message : error.message);
  ss_problems_clear (&problems);
  ss_impact_file_free (file);
  return impact;
}

/* 7^5 modes a step of five contacts */
gboolean
ssapp_bench_impact_is_slow (int m, SsImpactPolicy policy)
{
  return policy == SS_IMPACT_POLICY_ENUMERATE && m > 2;
}

SsImpactSetOptions
ssapp_bench_impact_options (const SsappBenchImpactsPlan *plan, const SsappBenchImpactModel *model, int m,
                            SsImpactPolicy policy)
{
  const int few = ssapp_bench_impact_is_slow (m, policy) ? QUICK_SAMPLES / 32 : QUICK_SAMPLES;

  return (SsImpactSetOptions){.policy = policy,
                              .h = NAN,
                              .n_samples = plan->is_all && few == QUICK_SAMPLES ? model->paper_samples : few,
                              .seed = 1,
                              .n_threads = 1};
}

SsImpactResult
ssapp_bench_impact_resolve (const SsImpactLawClass *law, const SsImpact *impact, const void *options)
{
  SsImpactResult result;
  SsError error = {0};

  if (ss_impact_resolve (law, impact, options, NULL, &result, &error) != SS_OK)
    g_error ("%s: %s", law->name, error.message);
  return result;
}

SsSequentialOptions
ssapp_bench_impact_sequential (gboolean all)
{
  SsSequentialOptions options;

  ss_options_init (ss_impact_law_sequential.options, &options);
  options.all = all;
  return options;
}

/* Everything in it is built in: a mistake is ours. */
SsScenario *
ssapp_bench_impact_scene (const char *text, const SsOverride *set, int n_set)
{
  g_autofree char *refusal = NULL;
  SsScenario *scenario = ssapp_bench_read (text, "built-in", set, n_set, &refusal);

  if (scenario == NULL)
    g_error ("a built-in scene: %s", refusal);
  return scenario;
}

SsSamples *
ssapp_bench_impact_compliant (const SsappBenchImpactsPlan *plan, SsCompliantSweep sweep)
{
  g_return_val_if_fail (plan != NULL, NULL);
  const SsappCompliantPlan study = {.sweep = sweep};
  SsScenario *scenario = ssapp_bench_impact_scene (bench_impact_rocking_scene, NULL, 0);
  SsOutcome outcome = SS_OUTCOME_FAILED;
  SsError error = {0};

  SsSamples *table = ssapp_compliant_run (scenario, &study, plan->control, &outcome, &error);
  if (table == NULL)
    g_error ("a built-in scene: %s", error.message);
  if (outcome == SS_OUTCOME_CANCELLED || outcome == SS_OUTCOME_TIME_LIMIT)
    g_clear_pointer (&table, ss_samples_free);
  ss_scenario_free (scenario);
  return table;
}

static gboolean
should_stop (const SsappBenchImpactsPlan *plan)
{
  SsOutcome why;

  return ss_run_control_should_stop (plan->control, &why);
}

static void
sample_one (const SsappBenchImpactsPlan *plan, SsappBenchSheet *sheet, guint k, SsImpactPolicy policy)
{
  const SsappBenchImpactModel *model = &ssapp_bench_impact_models[k];
  SsImpact *impact = ssapp_bench_impact_read (model);
  const SsImpactSetOptions options = ssapp_bench_impact_options (plan, model, impact->m, policy);
  const int repeats = ssapp_bench_impact_is_slow (impact->m, policy) ? 1 : REPEATS;
  double seconds = INFINITY;
  SsImpactSet *set = NULL;

  for (int repeat = 0; repeat < repeats && !should_stop (plan); repeat++) {
    SsError error;
    const double start = ss_clock_process_cpu ();
    ss_impact_set_free (set);
    if (ss_impact_set_new (impact, &options, plan->control, &set, &error) != SS_OK)
      g_error ("%s: %s", model->name, error.message);
    seconds = fmin (seconds, ss_clock_process_cpu () - start);
  }
  if (set != NULL) {
    const double n = set->n_samples;
    SSAPP_BENCH_ROW (sheet, {model->name}, {ssapp_impact_policy_name (policy)}, {.n = n},
                     {.n = (double)set->n_solves / n}, {.n = model->lcps}, {.n = 1e6 * seconds / n},
                     {.n = 1e6 * model->sample_seconds}, {.n = 1e6 * seconds / (double)set->n_solves},
                     {.n = 1e6 * model->lcp_seconds}, {.n = set->n_finished / n},
                     {.n = (set->n_unfinished + set->n_dropped) / n},
                     {.n = set->n_ambiguous >= 0 ? (double)set->n_ambiguous / (double)set->n_solves : NAN},
                     {.n = set->max_residual});
    ssapp_bench_say (plan->say, "%s, %s: %d samples", model->name, ssapp_impact_policy_name (policy), set->n_samples);
  }
  ss_impact_set_free (set);
  ss_impact_free (impact);
}

static void
add_outcomes (SsappBenchSheet *sheet, const SsappBenchImpactModel *model, const SsImpactLawClass *law,
              const void *options)
{
  SsImpact *impact = ssapp_bench_impact_read (model);
  SsImpactResult result = ssapp_bench_impact_resolve (law, impact, options);

  for (int i = 0; i < result.n_outcomes; i++) {
    const SsImpactOutcome *outcome = &result.outcomes[i];
    GString *modes = g_string_new ("");
    for (int c = 0; c < impact->m; c++)
      g_string_append_printf (
          modes, "%s%s", c > 0 ? " " : "",
          ss_impact_mode_name (ss_impact_mode (outcome->u[c], outcome->u[impact->m + c], SS_IMPACT_MODE_TOLERANCE)));
    SSAPP_BENCH_ROW (sheet, {model->name}, {law->name}, {modes->str}, {.n = outcome->share},
                     {.n = outcome->energy / ss_impact_kinetic_energy (impact, impact->v)}, {.n = outcome->solves});
    g_string_free (modes, TRUE);
  }
  ss_impact_result_clear (&result);
  ss_impact_free (impact);
}

/* The largest normal speed of a column. */
static double
largest_of (const SsSamples *table, int column)
{
  double most = -INFINITY;

  for (int k = 0; k < table->n_rows; k++)
    most = fmax (most, table->values[(gsize)k * (gsize)table->n_columns + (gsize)column]);
  return most;
}

enum { SWEEPS = 2, SWEEP_X = 0, VN_A = 3, SHARE = 13 };
G_STATIC_ASSERT ((int)SS_COMPLIANT_RATIO == 0 && (int)SS_COMPLIANT_ANGLE == 1);
static const char *const sweep_names[SWEEPS] = {"ratio", "angle"};

/* Fig 12, beside what one corner after the other leaves; table NULL: it was told to end. */
static void
add_compliant (SsappBenchSheet *sheet, SsCompliantSweep sweep, const SsSamples *table)
{
  static const double paper_share = 99.9992; /* [%], angle */
  const SsSequentialOptions one_order = ssapp_bench_impact_sequential (FALSE);

  if (table == NULL)
    return;
  SsImpact *impact = ssapp_bench_impact_read (&ssapp_bench_impact_models[0]);
  SsImpactResult result = ssapp_bench_impact_resolve (&ss_impact_law_sequential, impact, &one_order);
  const double extreme = fmax (result.outcomes[0].u[0], result.outcomes[0].u[1]);
  const double most = fmax (largest_of (table, VN_A), largest_of (table, VN_A + 1));
  const gboolean is_angle = sweep == SS_COMPLIANT_ANGLE;
  SSAPP_BENCH_ROW (sheet, {sweep_names[sweep]}, {.n = table->n_rows}, {.n = most}, {.n = most / extreme},
                   {.n = is_angle ? 100 * largest_of (table, SHARE) : NAN}, {.n = is_angle ? paper_share : NAN});
  ss_impact_result_clear (&result);
  ss_impact_free (impact);
}

/* Each case of both sweeps. */
static void
add_cases (SsappBenchSheet *sheet, SsSamples *const *sweeps)
{
  static const char *const columns[] = {"sweep|sweep|0", "x|log10 of the ratio, or angle [rad]|6",
                                        "vn_A|vn of A [m/s]|6", "vn_B|vn of B [m/s]|6", NULL};

  ssapp_bench_sheet_table (sheet, "cases", "Normal speeds of both corners after the impact", columns);
  for (int k = 0; k < SWEEPS; k++)
    for (int row = 0; sweeps[k] != NULL && row < sweeps[k]->n_rows; row++) {
      const double *values = sweeps[k]->values + (gsize)row * (gsize)sweeps[k]->n_columns;
      SSAPP_BENCH_ROW (sheet, {sweep_names[k]}, {.n = values[SWEEP_X]}, {.n = values[VN_A]}, {.n = values[VN_A + 1]});
    }
}

static gboolean
is_wanted (const SsappBenchImpactsPlan *plan, const char *key)
{
  return plan->only == NULL || strcmp (plan->only, key) == 0;
}

/* Parts that are made when they are named alone. */
static void
add_named (const SsappBenchImpactsPlan *plan, SsappBenchSheet *sheet)
{
  if (plan->only == NULL)
    return;
  if (strcmp (plan->only, "routh") == 0)
    ssapp_bench_impacts_routh (sheet);
  else if (strcmp (plan->only, "wobble") == 0)
    ssapp_bench_impacts_wobble (sheet);
  else if (g_str_has_prefix (plan->only, "set:"))
    ssapp_bench_impacts_set_of (plan, sheet, plan->only + strlen ("set:"));
  else if (g_str_has_prefix (plan->only, "model:"))
    ssapp_bench_impacts_parameters (sheet, plan->only + strlen ("model:"));
}

SsappBenchSheet *
ssapp_bench_impacts (const SsappBenchImpactsPlan *plan)
{
  static const char *const sampling[] = {"model|model|0",
                                         "policy|policy|0",
                                         "samples|samples|7",
                                         "lcps_per_sample|LCPs/sample|4",
                                         "lcps_per_sample_paper|paper|3",
                                         "sample_us|us/sample|3",
                                         "sample_us_paper|paper|4",
                                         "lcp_us|us/LCP|3",
                                         "lcp_us_paper|paper|4",
                                         "finished|finished|5",
                                         "lost|not finished|3",
                                         "ambiguous|ambiguous|3",
                                         "residual|residual|2",
                                         NULL};
  static const char *const outcomes[] = {
      "model|model|0", "law|law|0", "modes|modes|0", "share|share|3", "energy|KE left|5", "solves|solves|3", NULL};
  static const char *const compliant[] = {"sweep|sweep|0",
                                          "cases|cases|4",
                                          "vn_max|largest vn [m/s]|6",
                                          "vn_of_extreme|of the sequential|5",
                                          "first_share|first corner [%]|7",
                                          "first_share_paper|paper|6",
                                          NULL};
  SsappBenchSheet *sheet = ssapp_bench_sheet_new ();

  add_named (plan, sheet);
  if (is_wanted (plan, "sampling")) {
    ssapp_bench_sheet_table (sheet, "sampling", "Samples of post-impact velocities (Table 3 of the paper)", sampling);
    for (guint k = 0; k < SSAPP_BENCH_IMPACT_MODELS; k++)
      for (int policy = SS_IMPACT_POLICY_LEMKE; policy <= SS_IMPACT_POLICY_ENUMERATE && !should_stop (plan);
           policy += 2)
        sample_one (plan, sheet, k, (SsImpactPolicy)policy);
    ssapp_bench_sheet_note (sheet,
                            "not finished: share of samples with an approach after N steps, or with a step without an "
                            "answer; ambiguous: share of steps with several answers, where all are listed.");
  }
  if (is_wanted (plan, "laws"))
    ssapp_bench_sheet_table (sheet, "laws", "The comparison laws: all simultaneous solutions, all orders", outcomes);
  const SsAnitescuPotraOptions all_solutions = {.all = true};
  const SsSequentialOptions all_orders = ssapp_bench_impact_sequential (TRUE);
  for (guint k = 0; k < SSAPP_BENCH_IMPACT_MODELS && is_wanted (plan, "laws") && !should_stop (plan); k++) {
    add_outcomes (sheet, &ssapp_bench_impact_models[k], &ss_impact_law_anitescu_potra, &all_solutions);
    add_outcomes (sheet, &ssapp_bench_impact_models[k], &ss_impact_law_sequential, &all_orders);
  }
  if (is_wanted (plan, "compliant"))
    ssapp_bench_sheet_table (sheet, "compliant", "Corners of the rocking block that give way (Fig. 12 of the paper)",
                             compliant);
  SsSamples *sweeps[SWEEPS] = {NULL};
  for (int k = 0; k < SWEEPS && is_wanted (plan, "compliant") && !should_stop (plan); k++)
    sweeps[k] = ssapp_bench_impact_compliant (plan, (SsCompliantSweep)k);
  for (int k = 0; k < SWEEPS; k++)
    add_compliant (sheet, (SsCompliantSweep)k, sweeps[k]);
  if (is_wanted (plan, "compliant"))
    add_cases (sheet, sweeps);
  for (int k = 0; k < SWEEPS; k++)
    ss_samples_free (sweeps[k]);
  for (int i = 0; ssapp_bench_impact_differences[i] != NULL; i++)
    ssapp_bench_sheet_note (sheet, "%s", ssapp_bench_impact_differences[i]);
  return sheet;
}
