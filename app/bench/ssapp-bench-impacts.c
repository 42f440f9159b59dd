/* app/bench/ssapp-bench-impacts.c: suite impacts [002 Tab 3] with the paper's numbers beside ours, and what the
 * comparison laws give on the same configurations.
 *
 * The paper's times are of another machine, in Matlab with PATH. Ours are CPU time of one thread, the least of three
 * (of one where all answers of steps with five contacts are listed).
 */
#include "app/bench/ssapp-bench-common.h"
#include "app/bench/ssapp-bench-impacts-private.h"

#include "app/job/ssapp-impact-result.h"

#include <math.h>
#include <string.h>

enum { REPEATS = 3 };

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

enum { TOLD = 1 << 10 }; /* samples of the set */
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

/* What both sweeps are drawn on: the first samples of the block's set of outcomes, and one corner after the other. */
static void
add_set (const SsappBenchImpactsPlan *plan, SsappBenchSheet *sheet)
{
  const SsappBenchImpactModel *model = &ssapp_bench_impact_models[0];
  SsImpact *impact = ssapp_bench_impact_read (model);
  const SsImpactSetOptions options = ssapp_bench_impact_options (plan, model, impact->m, SS_IMPACT_POLICY_ENUMERATE);
  SsImpactSet *set = NULL;
  SsError error;

  if (ss_impact_set_new (impact, &options, plan->control, &set, &error) != SS_OK)
    g_error ("%s: %s", model->name, error.message);
  for (int k = 0; k < MIN (set->n_samples, TOLD); k++) {
    double u[2 * SS_IMPACT_CONTACTS_MAX];
    if (set->state[k] != SS_IMPACT_FINISHED)
      continue;
    ss_impact_speeds (impact, set->v + (gsize)k * (gsize)set->n, u);
    for (int sweep = 0; sweep < SWEEPS; sweep++)
      SSAPP_BENCH_ROW (sheet, {sweep_names[sweep]}, {"set-valued"}, {.n = NAN}, {.n = u[0]}, {.n = u[1]});
  }
  const SsSequentialOptions orders = ssapp_bench_impact_sequential (TRUE);
  SsImpactResult result = ssapp_bench_impact_resolve (&ss_impact_law_sequential, impact, &orders);
  for (int i = 0; i < SWEEPS * result.n_outcomes; i++) {
    const double *u = result.outcomes[i / SWEEPS].u;
    SSAPP_BENCH_ROW (sheet, {sweep_names[i % SWEEPS]}, {"one after the other"}, {.n = NAN}, {.n = u[0]}, {.n = u[1]});
  }
  ss_impact_result_clear (&result);
  ss_impact_set_free (set);
  ss_impact_free (impact);
}

/* Each case of both sweeps, on the set of outcomes. */
static void
add_cases (const SsappBenchImpactsPlan *plan, SsappBenchSheet *sheet, SsSamples *const *sweeps)
{
  static const char *const columns[] = {
      "sweep|sweep|0",        "law|law|0", "x|log10 of the ratio, or angle [rad]|6", "vn_A|vn of A [m/s]|6",
      "vn_B|vn of B [m/s]|6", NULL};

  ssapp_bench_sheet_table (sheet, "cases", "Normal speeds of both corners after the impact", columns);
  if (!should_stop (plan))
    add_set (plan, sheet);
  for (int k = 0; k < SWEEPS; k++)
    for (int row = 0; sweeps[k] != NULL && row < sweeps[k]->n_rows; row++) {
      const double *values = sweeps[k]->values + (gsize)row * (gsize)sweeps[k]->n_columns;
      SSAPP_BENCH_ROW (sheet, {sweep_names[k]}, {"corners that give way"}, {.n = values[SWEEP_X]}, {.n = values[VN_A]},
                       {.n = values[VN_A + 1]});
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
    add_cases (plan, sheet, sweeps);
  for (int k = 0; k < SWEEPS; k++)
    ss_samples_free (sweeps[k]);
  for (int i = 0; ssapp_bench_impact_differences[i] != NULL; i++)
    ssapp_bench_sheet_note (sheet, "%s", ssapp_bench_impact_differences[i]);
  return sheet;
}
