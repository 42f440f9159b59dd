/* app/bench/ssapp-bench-impacts-data.c: the data of Figs 9 to 14 of paper 002 as files. */
#include "app/bench/ssapp-bench-impacts-private.h"

#include "app/base/ssapp-file.h"
#include "app/export/ssapp-export.h"
#include "app/job/ssapp-impact-result.h"

#include <errno.h>
#include <math.h>
#include <string.h>

/* Samples whose steps are written; fewer where a step takes milliseconds. */
enum { TRACED = 4096, TRACED_SLOW = 128 };

typedef struct {
  const SsappBenchImpactsPlan *plan;
  const char *folder;
  const SsappBenchImpactModel *model;
  SsImpact *impact;
  GError **error;
} Writer;

static gboolean
should_stop (const Writer *self)
{
  SsOutcome why;

  return ss_run_control_should_stop (self->plan->control, &why);
}

static char *
path_of (const Writer *self, const char *name)
{
  return g_build_filename (self->folder, name, NULL);
}

static void
append_speed_names (const SsImpact *impact, GString *text)
{
  for (int c = 0; c < 2 * impact->m; c++) {
    g_autofree char *name = g_strdup_printf ("%s_%s", c % 2 == 0 ? "vn" : "vt", impact->contacts[c / 2]);
    g_string_append_c (text, ',');
    ssapp_csv_append_text (text, name);
  }
  g_string_append (text, ",kinetic_energy");
}

static void
append_speeds (const SsImpact *impact, const double *v, GString *text)
{
  double u[2 * SS_IMPACT_CONTACTS_MAX];

  ss_impact_speeds (impact, v, u);
  for (int c = 0; c < 2 * impact->m; c++) {
    g_string_append_c (text, ',');
    ssapp_csv_append_number (text, u[c / 2 + (c % 2) * impact->m]);
  }
  g_string_append_c (text, ',');
  ssapp_csv_append_number (text, ss_impact_kinetic_energy (impact, v));
}

/* Takes the text. */
static gboolean
write_text (const Writer *self, const char *name, GString *text)
{
  g_autofree char *path = path_of (self, name);
  const gboolean ok = ssapp_write_file (path, text->str, (gssize)text->len, self->error);

  g_string_free (text, TRUE);
  if (ok)
    ssapp_bench_say (self->plan->say, "%s", path);
  return ok;
}

/* ---- samples ----------------------------------------------------------------------------------------------------- */

/* [002 Fig 9 Fig 10 Fig 11 Fig 13 Fig 14]. */
static gboolean
write_samples (const Writer *self, SsImpactPolicy policy)
{
  static const char *const states[] = {"finished", "unfinished", "dropped"};
  const SsImpactSetOptions options = ssapp_bench_impact_options (self->plan, self->model, self->impact->m, policy);
  g_autofree char *name = g_strdup_printf ("%s-samples-%s.csv", self->model->name, ssapp_impact_policy_name (policy));
  GString *text = g_string_new ("sample");
  SsImpactSet *set = NULL;
  SsError err = {0};

  if (ss_impact_set_new (self->impact, &options, self->plan->control, &set, &err) != SS_OK)
    g_error ("%s: %s", self->model->name, err.message);
  append_speed_names (self->impact, text);
  g_string_append (text, ",lcps,state\n");
  for (int k = 0; k < set->n_samples; k++) {
    g_string_append_printf (text, "%d", k);
    append_speeds (self->impact, set->v + (gsize)k * (gsize)set->n, text);
    g_string_append_printf (text, ",%d,%s\n", set->solves[k], states[set->state[k]]);
  }
  ss_impact_set_free (set);
  return write_text (self, name, text);
}

/* Step 0 is before the impact. */
static gboolean
write_between (const Writer *self, SsImpactPolicy policy)
{
  const SsImpactSetOptions options = ssapp_bench_impact_options (self->plan, self->model, self->impact->m, policy);
  const int n = self->impact->n;
  const int most = ssapp_bench_impact_is_slow (self->impact->m, policy) ? TRACED_SLOW : TRACED;
  g_autofree double *velocities = g_new (double, (gsize)(SS_IMPACT_STEPS_MAX + 2) * (gsize)n);
  g_autofree char *name = g_strdup_printf ("%s-between-%s.csv", self->model->name, ssapp_impact_policy_name (policy));
  GString *text = g_string_new ("sample,step");

  append_speed_names (self->impact, text);
  g_string_append_c (text, '\n');
  for (int k = 0; k < MIN (most, options.n_samples) && !should_stop (self); k++) {
    SsError err = {0};
    int n_steps;
    if (ss_impact_set_path (self->impact, &options, k, velocities, NULL, &n_steps, &err) != SS_OK)
      g_error ("%s: %s", self->model->name, err.message);
    for (int step = 0; step <= n_steps; step++) {
      g_string_append_printf (text, "%d,%d", k, step);
      append_speeds (self->impact, velocities + (gsize)step * (gsize)n, text);
      g_string_append_c (text, '\n');
    }
  }
  return write_text (self, name, text);
}

/* ---- paths ------------------------------------------------------------------------------------------------------- */

static void
append_point (const Writer *self, GString *text, const char *path, int solve, const double *v)
{
  ssapp_csv_append_text (text, path);
  g_string_append_printf (text, ",%d", solve);
  append_speeds (self->impact, v, text);
  g_string_append_c (text, '\n');
}

/* All simultaneous solutions: from before the impact to after it [002 Fig 1 Fig 4 Fig 5]. */
static void
append_simultaneous (const Writer *self, GString *text)
{
  const SsAnitescuPotraOptions all = {.all = true};
  SsImpactResult result = ssapp_bench_impact_resolve (&ss_impact_law_anitescu_potra, self->impact, &all);

  for (int k = 0; k < result.n_outcomes; k++) {
    g_autofree char *path = g_strdup_printf ("simultaneous %d", k + 1);
    append_point (self, text, path, 0, self->impact->v);
    append_point (self, text, path, 1, result.outcomes[k].v);
  }
  ss_impact_result_clear (&result);
}

/* One order, solve by solve: where it is when it is cut off after each [002 Fig 1 Fig 4 Fig 5]. */
static void
append_order (const Writer *self, GString *text, const char *order)
{
  g_autofree char *path = g_strdup_printf ("sequential %s", order);
  SsSequentialOptions options = ssapp_bench_impact_sequential (FALSE);
  g_strlcpy (options.order, order, sizeof options.order);
  SsImpactResult result = ssapp_bench_impact_resolve (&ss_impact_law_sequential, self->impact, &options);
  const int n_solves = result.outcomes[0].solves;

  ss_impact_result_clear (&result);
  append_point (self, text, path, 0, self->impact->v);
  for (int k = 1; k <= n_solves; k++) {
    options.max_solves = k;
    result = ssapp_bench_impact_resolve (&ss_impact_law_sequential, self->impact, &options);
    append_point (self, text, path, k, result.outcomes[0].v);
    ss_impact_result_clear (&result);
  }
}

/* Of two contacts both orders, of more one for each outcome that an order ends in. */
static void
append_sequential (const Writer *self, GString *text)
{
  const SsSequentialOptions all = ssapp_bench_impact_sequential (TRUE);
  char *const *names = self->impact->contacts;

  if (self->impact->m == 2) {
    for (int first = 0; first < 2; first++) {
      g_autofree char *order = g_strdup_printf ("%s,%s", names[first], names[1 - first]);
      append_order (self, text, order);
    }
    return;
  }
  SsImpactResult result = ssapp_bench_impact_resolve (&ss_impact_law_sequential, self->impact, &all);
  for (int k = 0; k < result.n_outcomes; k++)
    append_order (self, text, result.outcomes[k].order);
  ss_impact_result_clear (&result);
}

static gboolean
write_paths (const Writer *self)
{
  g_autofree char *name = g_strdup_printf ("%s-paths.csv", self->model->name);
  GString *text = g_string_new ("path,solve");

  append_speed_names (self->impact, text);
  g_string_append_c (text, '\n');
  append_simultaneous (self, text);
  append_sequential (self, text);
  return write_text (self, name, text);
}

/* ---- all --------------------------------------------------------------------------------------------------------- */

/* [002 Fig 12]. */
static gboolean
write_compliant (const Writer *self, SsCompliantSweep sweep)
{
  g_autofree char *path = path_of (self, sweep == SS_COMPLIANT_RATIO ? "rocking-block-compliant-ratio.csv"
                                                                     : "rocking-block-compliant-angle.csv");
  SsSamples *table = ssapp_bench_impact_compliant (self->plan, sweep);
  const gboolean ok = table == NULL || ssapp_export_samples_csv (table, table->n_columns, path, self->error);

  if (ok && table != NULL)
    ssapp_bench_say (self->plan->say, "%s", path);
  ss_samples_free (table);
  return ok;
}

static gboolean
write_readme (const Writer *self)
{
  GString *text = g_string_new ("# Data of Figs 9 to 14 of paper 002\n\n"
                                "SI units. `vn` separates, `vt` is along the contact's tangent.\n\n"
                                "| figure | files |\n| --- | --- |\n");

  for (int k = 0; k < SSAPP_BENCH_IMPACT_MODELS; k++)
    g_string_append_printf (text, "| %d | `%s-*.csv` |\n", ssapp_bench_impact_models[k].figure,
                            ssapp_bench_impact_models[k].name);
  g_string_append (text,
                   "| 12 | `rocking-block-compliant-ratio.csv`, `-angle.csv` |\n\n"
                   "- `MODEL-samples-POLICY.csv`: velocities after the impact. A step with several answers has that of "
                   "Lemke's method (`lemke`) or any of all (`enumerate`).\n"
                   "- `MODEL-between-POLICY.csv`: intermediate velocities, the steps of the first samples (step 0 is "
                   "before the impact).\n"
                   "- `MODEL-paths.csv`: the simultaneous solutions, and one contact after the other, solve by solve.\n"
                   "\n## What differs from the paper\n");
  for (int i = 0; ssapp_bench_impact_differences[i] != NULL; i++)
    g_string_append_printf (text, "- %s\n", ssapp_bench_impact_differences[i]);
  return write_text (self, "README.md", text);
}

gboolean
ssapp_bench_impacts_data (const SsappBenchImpactsPlan *plan, const char *folder, GError **error)
{
  Writer self = {.plan = plan, .folder = folder, .error = error};

  if (g_mkdir_with_parents (folder, 0777) != 0)
    return ssapp_set_file_error (error, folder, "make the folder", errno);
  gboolean ok = write_readme (&self);
  for (int k = 0; ok && k < SSAPP_BENCH_IMPACT_MODELS && !should_stop (&self); k++) {
    self.model = &ssapp_bench_impact_models[k];
    self.impact = ssapp_bench_impact_read (self.model);
    ok = write_paths (&self);
    for (int policy = SS_IMPACT_POLICY_LEMKE; ok && policy <= SS_IMPACT_POLICY_ENUMERATE && !should_stop (&self);
         policy += 2)
      ok = write_samples (&self, (SsImpactPolicy)policy) && write_between (&self, (SsImpactPolicy)policy);
    ss_impact_free (self.impact);
  }
  for (int sweep = SS_COMPLIANT_RATIO; ok && sweep <= SS_COMPLIANT_ANGLE && !should_stop (&self); sweep++)
    ok = write_compliant (&self, (SsCompliantSweep)sweep);
  return ok;
}
