/* tests/unit/test-import.c: motions from elsewhere: a table that was exported comes back with the metrics of its
 * run, and what is wrong with others is told with its place; nothing is stored then. */
#include "app/export/ssapp-export.h"
#include "app/session/ssapp-import-motion.h"
#include "tests/ss-test-scenario.h"

#include <glib/gstdio.h>

static char *folder;

static char *
write_table (const char *name, const char *text)
{
  char *path = g_build_filename (folder, name, NULL);

  SS_CHECK (g_file_set_contents (path, text, -1, NULL));
  return path;
}

/* The falling box by an integrator of ours. */
static void
simulate (const SsScenario *scenario, SsRunResult *result)
{
  const SsMethod *method = ss_method_find (SS_METHOD_INTEGRATOR, "stewart-trinkle", NULL);
  g_autofree void *options = g_malloc0 (method->options->size);
  SsJob job = ss_job (method, scenario, options);
  SsRunControl control;
  SsError err;

  ss_options_init (method->options, options);
  ss_run_control_init (&control);
  SS_CHECK (ss_run (&job, &control, result, &err) == SS_OK);
}

static void
a_table_comes_back_as_the_run_it_was (void)
{
  SsScenario *scenario = ss_test_read_file ("examples/sketches/falling-box.stickslip.json", NULL, 0);
  g_autofree char *table = g_build_filename (folder, "box.csv", NULL),
                  *project = g_build_filename (folder, "p.stickslip", NULL);
  static const SsMetric told[] = {SS_METRIC_STEPS,
                                  SS_METRIC_ENERGY_INITIAL,
                                  SS_METRIC_ENERGY_FINAL,
                                  SS_METRIC_MAX_PENETRATION,
                                  SS_METRIC_MAX_CONE_VIOLATION,
                                  SS_METRIC_MAX_COMPLEMENTARITY,
                                  SS_METRIC_MAX_BALANCE_RESIDUAL};
  SsRunResult result;
  GError *error = NULL;

  simulate (scenario, &result);
  SS_CHECK (ssapp_export_trajectory_csv (ss_run_motion (&result), table, NULL));
  SsappStore *store = ssapp_store_open (project, TRUE, NULL);
  g_autofree char *id = ssapp_import_motion (store, scenario, scenario->text, table, &SSAPP_IMPORT_CLAIMS_NONE, &error);
  SS_CHECK (id != NULL && error == NULL);
  SsappRunRow *row = ssapp_store_get_run (store, id, NULL);
  SS_CHECK_STR (row->method, "imported");
  SS_CHECK_STR (row->outcome, "completed");
  SS_CHECK_STR (row->note, "imported from box.csv");
  SS_CHECK_STR (row->message, "imported: 201 rows to t = 2 s");
  for (guint i = 0; i < G_N_ELEMENTS (told); i++) /* the same numbers, since a table has all 17 digits */
    SS_CHECK_NEAR (ssapp_run_row_get_metric (row, told[i]), ss_metric_get (&result.metrics, told[i]), 0);
  SS_CHECK (isnan (ssapp_run_row_get_metric (row, SS_METRIC_SOLVE_SECONDS))); /* nobody knows */
  SsTrajectory *motion = ssapp_store_get_trajectory (store, id, NULL);
  SS_CHECK (motion->n_rows == 201 && motion->channels[1].quantity != SS_QUANTITY_UNKNOWN);
  ss_trajectory_free (motion);
  ssapp_run_row_free (row);
  ss_run_result_clear (&result);
  ssapp_store_close (store, NULL);
  g_object_unref (store);
  ss_scenario_free (scenario);
}

static void
poses_alone_will_do (void)
{
  SsScenario *scenario = ss_test_read_file ("examples/sketches/falling-box.stickslip.json", NULL, 0);
  g_autofree char *rows = write_table ("rows.json",
                                       "{\"channels\": [\"box.y\", \"t\", \"box.x\", \"box.theta\", \"heat\"], "
                                       "\"rows\": [[2, 0, 0, 0, 5], [1, 0.5, 0.1, 0, null]]}"),
                  *members =
                      write_table ("members.json", "{\"by\": \"camera 3\", \"box.x\": [0, 0.1], \"box.y\": [2, 1], "
                                                   "\"box.theta\": [0, 0], \"t\": [0, 0.5]}");
  g_autoptr (GPtrArray) warnings = g_ptr_array_new_with_free_func (g_free);
  SsTrajectory *a = ssapp_import_read_table (rows, NULL), *b = ssapp_import_read_table (members, NULL);

  SS_CHECK (a != NULL && b != NULL);
  SS_CHECK (ssapp_import_check (scenario, a, warnings, NULL) && warnings->len == 1);
  SS_CHECK_CONTAINS ((const char *)g_ptr_array_index (warnings, 0), "no channel heat");
  SS_CHECK (ssapp_import_check (scenario, b, NULL, NULL));
  for (guint i = 0; i < 3; i++) {
    const char *const names[] = {"box.x", "box.y", "box.theta"};
    SS_CHECK (ss_trajectory_row (a, 1)[ss_trajectory_channel (a, names[i])] ==
              ss_trajectory_row (b, 1)[ss_trajectory_channel (b, names[i])]);
  }
  SS_CHECK (isnan (ss_trajectory_row (a, 1)[ss_trajectory_channel (a, "heat")]) && ss_trajectory_row (a, 1)[0] == 0.5);
  ss_trajectory_free (a);
  ss_trajectory_free (b);
  ss_scenario_free (scenario);
}

static void
what_is_wrong_is_told_with_its_place (void)
{
  static const struct {
    const char *name, *text, *problem;
  } wrong[] = {
      {"a.csv", "t,box.x\n0,1\n0.1,2\n", "a.csv: the table has no column box.y, which the scene needs; it has box.x"},
      {"b.csv", "t,box.x,box.y,box.theta\n0,1,2,0\n0.1,1,zwei,0\n", "b.csv:3: column 3 (box.y): 'zwei' is no number"},
      {"c.csv", "t,box.x,box.y,box.theta\n0.2,1,2,0\n0.1,1,2,0\n", "c.csv:3: the times must be finite and not descend"},
      {"d.csv", "t,box.x,box.y,box.theta\n0,1,2\n", "d.csv:2: 3 values (expected 4)"},
      {"e.csv", "t,box.x,box.y,box.theta\n0,1,2,0\n", "fewer than two rows"},
      {"f.csv", "box.x,box.y\n0,1\n", "there is no column t"},
      {"g.csv", "t,box.x,box.y,box.theta\n0,1,2,0\n1,,2,0\n", "row 2 (t = 1 s): box.x is not finite"},
      {"g2.csv", "t,floor.x,box.x,box.y,box.theta\n0,,1,2,0\n1,0,1,2,0\n", "row 1 (t = 0 s): floor.x is not finite"},
      {"h.txt", "t\n0\n", "expected a name ending in .csv or .json"},
      {"i.json", "{\"t\": [0, 1],\n \"box.x\": [0, ]}", "i.json:2:15:"},
      {"j.json", "{\"t\": [0, 1], \"box.x\": [0]}", "box.x has 1 values, but t has 2"},
      {"k.json", "{\"t\": [0, 1], \"box.x\": [0, \"a\"]}", "box.x, value 2: no number"},
      {"l.json", "{\"channels\": [\"t\", \"box.x\"], \"rows\": [[0, 1], [1]]}", "row 2 has 1 values (expected 2)"},
      {"m.json", "{\"channels\": [\"t\", \"box.x\"], \"rows\": [[0, 1], [-1, 1]]}", "row 2: the times must be finite"},
      {"n.json", "[]", "there is no channel t"},
  };
  SsScenario *scenario = ss_test_read_file ("examples/sketches/falling-box.stickslip.json", NULL, 0);
  SsScenario *model = ss_test_read_file ("examples/crisp/push-box.stickslip.json", NULL, 0);
  g_autofree char *project = g_build_filename (folder, "w.stickslip", NULL),
                  *good = write_table ("z.json",
                                       "{\"t\": [0, 1], \"box.x\": [0, 0], \"box.y\": [0, 0], \"box.theta\": [0, 0]}");
  SsappStore *store = ssapp_store_open (project, TRUE, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++) {
    g_autofree char *path = write_table (wrong[i].name, wrong[i].text);
    g_autoptr (GError) error = NULL;
    SS_CHECK (ssapp_import_motion (store, scenario, scenario->text, path, &SSAPP_IMPORT_CLAIMS_NONE, &error) == NULL);
    SS_CHECK_CONTAINS (error->message, wrong[i].problem);
  }
  g_autoptr (GError) error = NULL;
  SS_CHECK (ssapp_import_motion (store, model, model->text, good, &SSAPP_IMPORT_CLAIMS_NONE, &error) == NULL);
  SS_CHECK_CONTAINS (error->message, "z.json:");
  g_autoptr (GPtrArray) runs = ssapp_store_list_runs (store, NULL, 0, NULL);
  SS_CHECK (runs->len == 0);
  ssapp_store_close (store, NULL);
  g_object_unref (store);
  ss_scenario_free (model);
  ss_scenario_free (scenario);
}

int
main (void)
{
  folder = g_dir_make_tmp ("test-import-XXXXXX", NULL);
  SS_RUN (a_table_comes_back_as_the_run_it_was);
  SS_RUN (poses_alone_will_do);
  SS_RUN (what_is_wrong_is_told_with_its_place);
  GDir *dir = g_dir_open (folder, 0, NULL);
  for (const char *name = g_dir_read_name (dir); name != NULL; name = g_dir_read_name (dir)) {
    g_autofree char *path = g_build_filename (folder, name, NULL);
    g_unlink (path);
  }
  g_dir_close (dir);
  g_rmdir (folder);
  g_free (folder);
  return ss_test_finish ();
}
