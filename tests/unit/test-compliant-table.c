/* tests/unit/test-compliant-table.c: compliant studies as people ask for them, and their tables in files. */
#include "app/export/ssapp-export.h"
#include "app/job/ssapp-compliant.h"
#include "tests/ss-test-scenario.h"

#include <glib/gstdio.h>
#include <stdlib.h>

static SsScenario *block;

static void
test_table (void)
{
  const char *const options[] = {"cases=3", "decades = 1", NULL};
  SsappCompliantPlan plan = {.contacts = "floor-block.2, floor-block.1", .options = options};
  SsOutcome outcome;
  SsError error = {0};
  SS_CHECK (ssapp_compliant_sweep_from_name ("ratio", &plan.sweep) && plan.sweep == SS_COMPLIANT_RATIO);
  SsSamples *table = ssapp_compliant_run (block, &plan, NULL, &outcome, &error);
  SS_CHECK (table != NULL && outcome == SS_OUTCOME_COMPLETED);
  if (table == NULL)
    return;
  SS_CHECK (table->n_rows == 3 && table->n_columns == SS_COMPLIANT_COLUMNS);
  SS_CHECK_STR (table->columns[0], "log10_ratio");
  SS_CHECK_STR (table->columns[3], "vn_floor-block.2");
  const double *first = table->values, *last = first + 2 * table->n_columns;
  SS_CHECK_NEAR (first[0], -1, 0);
  /* A is the right corner now: stiffer, it is the one that is left behind; reference value of the ratio 10 */
  SS_CHECK_NEAR (last[3], 0.0385453461464, 1e-5);
  SS_CHECK_NEAR (last[4], -1e-9, 1e-12);
  SS_CHECK_NEAR (last[1] / last[2], 10, 1e-12);

  g_autofree char *path = g_build_filename (g_get_tmp_dir (), "stickslip-compliant-XXXXXX", NULL);
  int descriptor = g_mkstemp (path);
  g_autofree char *text = NULL;
  SS_CHECK (descriptor >= 0 && g_close (descriptor, NULL));
  SS_CHECK (ssapp_export_samples_csv (table, table->n_columns, path, NULL) &&
            g_file_get_contents (path, &text, NULL, NULL));
  g_auto (GStrv) lines = g_strsplit (text != NULL ? text : "", "\n", -1);
  SS_CHECK (g_strv_length (lines) == 5); /* names, three rows, the end of the last one */
  g_auto (GStrv) names = g_strsplit (lines[0], ",", -1), fields = g_strsplit (lines[3], ",", -1);
  SS_CHECK (g_strv_length (names) == SS_COMPLIANT_COLUMNS && g_strv_length (fields) == SS_COMPLIANT_COLUMNS);
  SS_CHECK_STR (names[4], "vn_floor-block.1");
  double value = NAN;
  SS_CHECK (ss_parse_double (fields[3], &value));
  SS_CHECK_NEAR (value, last[3], 0);
  g_remove (path);
  ss_samples_free (table);
}

static void
check_refused (const SsScenario *scenario, SsappCompliantPlan plan, const char *part)
{
  SsOutcome outcome;
  SsError error = {0};
  SS_CHECK (ssapp_compliant_run (scenario, &plan, NULL, &outcome, &error) == NULL);
  SS_CHECK_CONTAINS (error.message, part);
}

static void
test_refusals (void)
{
  const char *const unknown[] = {"zeta=3", NULL}, *const no_pair[] = {"cases", NULL}, *const bad[] = {"cases=x", NULL};
  SsCompliantSweep sweep = SS_COMPLIANT_RATIO;
  SS_CHECK (ssapp_compliant_sweep_from_name ("angle", &sweep) && sweep == SS_COMPLIANT_ANGLE);
  SS_CHECK (!ssapp_compliant_sweep_from_name ("height", &sweep) && !ssapp_compliant_sweep_from_name (NULL, &sweep));
  check_refused (block, (SsappCompliantPlan){.contacts = "floor-block.1"}, "two contacts");
  check_refused (block, (SsappCompliantPlan){.contacts = "floor-block.1,roof"}, "roof");
  check_refused (block, (SsappCompliantPlan){.body = "brick"}, "brick");
  check_refused (block, (SsappCompliantPlan){.options = unknown}, "zeta");
  check_refused (block, (SsappCompliantPlan){.options = no_pair}, "NAME=VALUE");
  check_refused (block, (SsappCompliantPlan){.options = bad}, "cases");
  SsScenario *model = ss_test_read_file ("examples/crisp/push-box.stickslip.json", NULL, 0);
  check_refused (model, (SsappCompliantPlan){0}, "need a scene");
  ss_scenario_free (model);
}

/* What there is when it is cancelled from the start: a table with names and no rows. */
static void
test_cancel (void)
{
  SsRunControl control;
  SsOutcome outcome;
  ss_run_control_init (&control);
  ss_run_control_cancel (&control);
  SsSamples *table = ssapp_compliant_run (block, &(SsappCompliantPlan){0}, &control, &outcome, NULL);
  SS_CHECK (table != NULL && table->n_rows == 0 && outcome == SS_OUTCOME_CANCELLED);
  ss_samples_free (table);
}

int
main (void)
{
  block = ss_test_read_file ("examples/impacts/rocking-block.stickslip.json", NULL, 0);
  if (block == NULL)
    return 1;
  SS_RUN (test_table);
  SS_RUN (test_refusals);
  SS_RUN (test_cancel);
  ss_scenario_free (block);
  return ss_test_finish ();
}
