/* tests/store/test-store.c: the project file: what survives crashes, full disks, damage, two writers, and what is
 * refused with which words. */
#include "app/base/ssapp-json.h"
#include "tests/ss-test-store.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <locale.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static char *folder;

static const char scenario_text[] = "{\"format\": 1, \"name\": \"a\"}";

static char *
place (const char *name)
{
  return g_build_filename (folder, name, NULL);
}

static SsappStore *
open_fresh (const char *name, char **path)
{
  GError *error = NULL;
  *path = place (name);
  g_unlink (*path);
  SsappStore *store = ssapp_store_open (*path, TRUE, &error);
  SS_CHECK (store != NULL);
  if (error != NULL)
    printf ("%s\n", error->message);
  g_clear_error (&error);
  return store;
}

static gboolean
record (SsappStore *store, const char *id, GError **error)
{
  return ssapp_store_record (store, id, scenario_text, "a", (SsMethodId){SS_METHOD_OPTIMISER, "crisp"},
                             "{\"mu0\":\"3\"}", "{\"j\":3}", 7, error);
}

static double
metric (const SsappRunRow *row, SsMetric which)
{
  return ssapp_run_row_get_metric (row, which);
}

static gboolean
add_row (SsappStore *store, const char *id, int iteration, GError **error)
{
  const SsColumn columns[] = {{"objective", 1.5 / (iteration + 1)},
                              {"violation", 1e-3},
                              {"complementarity", NAN},
                              {"step", 0.5},
                              {"radius", 2.25},
                              {"odd", 7}};
  return ssapp_store_add_iteration (store, id, iteration, 0.01 * iteration, columns, G_N_ELEMENTS (columns), error);
}

static SsTrajectory *
make_motion (int rows)
{
  static const char *const names[] = {"t", "x", "grüße.x"};
  SsTrajectory *motion = NULL;
  SS_CHECK (ss_trajectory_new_named (names, 3, rows, &motion, NULL) == SS_OK);
  for (int i = 0; i < rows; i++) {
    const double row[] = {0.1 * i, 1.0 / 3 + i, -0.0};
    SS_CHECK (ss_trajectory_append (motion, row, NULL) == SS_OK);
  }
  return motion;
}

/* ---- plain use --------------------------------------------------------------------------------------------------- */

static void
test_round_trip (void)
{
  char *path;
  GError *error = NULL;
  SsappStore *store = open_fresh ("round.stickslip", &path);
  SsTrajectory *motion = make_motion (5);

  SS_CHECK (record (store, "11112222-aaaa", &error));
  for (int i = 0; i < 3; i++)
    SS_CHECK (add_row (store, "11112222-aaaa", i, &error));
  SS_CHECK (ssapp_store_add_log (store, "11112222-aaaa", 0.1, SS_LOG_INFO, "hello", &error));
  SS_CHECK (ssapp_store_add_iterate (store, "11112222-aaaa", 2, motion, &error));
  SS_CHECK (ssapp_store_finish (
      store, "11112222-aaaa",
      "{\"outcome\":\"solved\",\"message\":\"fine\",\"metrics\":{\"objective\":6.5,\"max_violation\":1e-9,"
      "\"complementarity\":null,\"tracking_error\":{\"total\":0.25},\"success_paper\":true,\"iterations\":3,"
      "\"solve_seconds\":0.5,\"n_variables\":900}}",
      motion, &error));
  SS_CHECK (error == NULL);

  SsappRunRow *row = ssapp_store_get_run (store, "last", &error);
  SS_CHECK_STR (row->id, "11112222-aaaa");
  SS_CHECK_STR (row->outcome, "solved");
  SS_CHECK_STR (row->label, "CRISP");
  SS_CHECK_STR (row->options_json, "{\"mu0\":\"3\"}");
  SS_CHECK (metric (row, SS_METRIC_OBJECTIVE) == 6.5 && metric (row, SS_METRIC_MAX_VIOLATION) == 1e-9 &&
            metric (row, SS_METRIC_TRACKING_TOTAL) == 0.25);
  SS_CHECK (metric (row, SS_METRIC_ITERATIONS) == 3 && metric (row, SS_METRIC_SUCCESS_PAPER) == 1 && row->seed == 7);
  SS_CHECK (row->kind == SS_METHOD_OPTIMISER);
  SS_CHECK (strlen (row->scenario_sha256) == 64);
  ssapp_run_row_free (row);

  GArray *rows = ssapp_store_get_iterations (store, "11112222-aaaa", &error);
  SS_CHECK (rows->len == 3);
  const SsappIteration *second = &g_array_index (rows, SsappIteration, 1);
  SS_CHECK (second->iteration == 1 && second->objective == 0.75 && isnan (second->complementarity) &&
            second->parameter == 2.25);
  SS_CHECK_STR (second->parameter_name, "radius");
  SS_CHECK_CONTAINS (second->json, "\"odd\":7.0");
  g_array_unref (rows);

  /* Bit for bit, the sign of zero too. */
  SsTrajectory *back = ssapp_store_get_trajectory (store, "11112222-aaaa", &error);
  SS_CHECK (back != NULL && back->n_rows == 5 && back->n_channels == 3);
  SS_CHECK (memcmp (back->values, motion->values, 15 * sizeof (double)) == 0);
  SS_CHECK_STR (back->channels[2].name, "grüße.x");
  ss_trajectory_free (back);
  back = ssapp_store_get_iterate (store, "11112222-aaaa", 2, &error);
  SS_CHECK (back != NULL && back->n_rows == 5);
  ss_trajectory_free (back);

  char *log = ssapp_store_get_log (store, "11112222-aaaa", &error);
  SS_CHECK_STR (log, "hello\n");
  g_free (log);
  char *provenance = ssapp_store_get_provenance_json (store, "11112222-aaaa", &error);
  SS_CHECK_CONTAINS (provenance, "\"compiler\":\"");
  SS_CHECK_CONTAINS (provenance, "\"ipopt\":\"");
  g_free (provenance);

  /* Ending twice changes nothing. */
  SS_CHECK (ssapp_store_finish (store, "11112222-aaaa", "{\"outcome\":\"failed\"}", NULL, &error));
  row = ssapp_store_get_run (store, "1111", &error);
  SS_CHECK_STR (row->outcome, "solved");
  ssapp_run_row_free (row);
  SS_CHECK (error == NULL);
  close_store (store);
  check_query (path, "SELECT n_variables || ' ' || solve_seconds FROM run_overview", "900 0.5");
  ss_trajectory_free (motion);
  g_free (path);
}

/* What a result says in numbers and what it says happened are rows: unknown is NULL, what does not apply is absent. */
static void
test_metrics_and_events (void)
{
  char *path;
  GError *error = NULL;
  SsappStore *store = open_fresh ("rows.stickslip", &path);
  static const char result[] =
      "{\"outcome\":\"completed\",\"metrics\":{\"steps\":20,\"energy_final\":0.1,\"max_residual\":null,"
      "\"success_paper\":false,\"setup_reused\":true,\"worst\":\"a row\",\"tracking_error\":{\"angle\":0.25,"
      "\"velocity\":null},\"certificate\":{\"promise\":3,\"objective\":4},\"of_the_future\":7},"
      "\"events\":[{\"t\":0.1,\"kind\":\"impact\",\"contact\":\"a-b\",\"impulse\":0.3,\"point\":1,\"exact\":true,"
      "\"tau\":0.5,\"order\":[1,2]},{\"t\":0.2,\"kind\":\"limit\",\"contact\":null,\"impulse\":null,"
      "\"joint\":\"hinge\",\"limit\":\"upper\"},{\"t\":0.3,\"kind\":\"accumulation\",\"contact\":\"a-b\","
      "\"impulse\":null}]}";

  SS_CHECK (ssapp_store_record (store, "simulated", scenario_text, "a",
                                (SsMethodId){SS_METHOD_INTEGRATOR, "moreau-jean"}, "{}", "{}", 0, &error));
  SS_CHECK (record (store, "other-run", &error));
  SS_CHECK (ssapp_store_finish (store, "simulated", result, NULL, &error));
  SsappRunRow *row = ssapp_store_get_run (store, "simulated", &error);
  SS_CHECK (metric (row, SS_METRIC_STEPS) == 20 && metric (row, SS_METRIC_ENERGY_FINAL) == 0.1);
  SS_CHECK (metric (row, SS_METRIC_SUCCESS_PAPER) == 0 && metric (row, SS_METRIC_SETUP_REUSED) == 1);
  SS_CHECK (metric (row, SS_METRIC_TRACKING_ANGLE) == 0.25 && isnan (metric (row, SS_METRIC_TRACKING_VELOCITY)));
  SS_CHECK (has_metric (row, SS_METRIC_TRACKING_VELOCITY) && has_metric (row, SS_METRIC_MAX_RESIDUAL));
  SS_CHECK (isnan (metric (row, SS_METRIC_OBJECTIVE)) && !has_metric (row, SS_METRIC_OBJECTIVE));
  SS_CHECK (row->kind == SS_METHOD_INTEGRATOR);
  ssapp_run_row_free (row);

  /* A list has what it asks for, of each run its own. */
  static const SsMetric asked[] = {SS_METRIC_STEPS, SS_METRIC_TRACKING_VELOCITY};
  GPtrArray *rows = ssapp_store_list_runs (store, asked, G_N_ELEMENTS (asked), &error);
  SS_CHECK (rows != NULL && rows->len == 2);
  const SsappRunRow *other = g_ptr_array_index (rows, 0), *simulated = g_ptr_array_index (rows, 1);
  SS_CHECK (metric (simulated, SS_METRIC_STEPS) == 20 && isnan (metric (simulated, SS_METRIC_TRACKING_VELOCITY)));
  SS_CHECK (isnan (metric (simulated, SS_METRIC_ENERGY_FINAL)) && isnan (metric (other, SS_METRIC_STEPS)));
  g_ptr_array_unref (rows);

  json_t *events = ssapp_store_get_events (store, "simulated", 0, &error), *expected = json_loads (result, 0, NULL);
  SS_CHECK (json_array_size (events) == 3 && json_equal (events, json_object_get (expected, "events")));
  json_decref (events);
  json_decref (expected);
  events = ssapp_store_get_events (store, "simulated", 1, &error);
  SS_CHECK (json_array_size (events) == 0);
  json_decref (events);
  SS_CHECK (error == NULL);
  close_store (store);

  check_query (path,
               "SELECT group_concat (name || coalesce ('=' || value, '')) FROM (SELECT * FROM metric ORDER BY name)",
               "energy_final=0.1,max_residual,setup_reused=1.0,steps=20.0,success_paper=0.0,tracking_error.angle=0.25,"
               "tracking_error.velocity");
  check_query (path, "SELECT group_concat (id || ' ' || kind) FROM run_overview WHERE steps = 20",
               "simulated integrator");
  check_query (path, "SELECT point || ' ' || exact || ' ' || tau || ' ' || details FROM event WHERE kind = 'impact'",
               "1 1 0.5 {\"order\":[1,2]}");
  check_query (path,
               "SELECT joint || ' ' || joint_limit || ' ' || exact FROM event WHERE contact IS NULL AND point IS NULL",
               "hinge upper 0");
  g_free (path);
}

/* A motion that goes on in several ways, with the share of each, and what its channels are. */
static void
test_motions (void)
{
  static const SsappMotionKey branches[] = {{"answer", 0, -1}, {"answer", 1, -1}, {"iterate", 0, 4}};
  static const double shares[] = {0.75, 0.25, NAN};
  const SsChannel channels[] = {ss_channel_of_time (),
                                {"box.vx", SS_QUANTITY_VELOCITY_X, "m/s", SS_OWNER_BODY, "box", true},
                                ss_channel_named ("x")};
  char *path;
  GError *error = NULL;
  SsappStore *store = open_fresh ("motions.stickslip", &path);
  SsTrajectory *motion = NULL;

  SS_CHECK (record (store, "branching", &error));
  for (int k = 0; k < 3; k++) {
    const double row[] = {0.5, 2.0 + k, -1};
    SS_CHECK (ss_trajectory_new (channels, 3, 1, &motion, NULL) == SS_OK);
    SS_CHECK (ss_trajectory_append (motion, row, NULL) == SS_OK);
    SS_CHECK (ssapp_store_add_motion (store, "branching", &branches[k], shares[k], motion, &error));
    ss_trajectory_free (motion);
  }
  SS_CHECK (ssapp_store_flush (store, &error));
  GArray *rows = ssapp_store_list_motions (store, "branching", &error);
  SS_CHECK (rows != NULL && rows->len == 3);
  for (guint k = 0; rows != NULL && k < rows->len; k++) {
    const SsappMotionRow *row = &g_array_index (rows, SsappMotionRow, k);
    SS_CHECK_STR (row->key.role, branches[k].role);
    SS_CHECK (row->key.branch == branches[k].branch && row->key.iteration == branches[k].iteration);
    SS_CHECK (row->share == shares[k] || (isnan (row->share) && isnan (shares[k])));
    SS_CHECK (row->n_rows == 1 && row->n_channels == 3);
    motion = ssapp_store_get_motion (store, "branching", &row->key, &error);
    SS_CHECK (motion != NULL && ss_trajectory_row (motion, 0)[1] == 2.0 + k);
    SS_CHECK (motion->channels[1].quantity == SS_QUANTITY_VELOCITY_X && motion->channels[1].is_state);
    SS_CHECK (motion->channels[1].owner == SS_OWNER_BODY && motion->channels[2].quantity == SS_QUANTITY_UNKNOWN);
    SS_CHECK_STR (motion->channels[1].unit, "m/s");
    SS_CHECK_STR (motion->channels[1].owner_name, "box");
    ss_trajectory_free (motion);
  }
  g_clear_pointer (&rows, g_array_unref);
  motion = ssapp_store_get_trajectory (store, "branching", &error);
  SS_CHECK (motion != NULL && ss_trajectory_row (motion, 0)[1] == 2.0); /* the first branch */
  ss_trajectory_free (motion);
  const SsappMotionKey missing = {"answer", 7, -1};
  SS_CHECK (ssapp_store_get_motion (store, "branching", &missing, &error) == NULL && error == NULL);

  /* A row of a run that is not there is dropped and told, and holds up no other. */
  motion = make_motion (2);
  SS_CHECK (ssapp_store_add_motion (store, "nobody", &branches[0], 1, motion, NULL) == FALSE ||
            !ssapp_store_flush (store, NULL));
  SS_CHECK (ssapp_store_flush (store, &error) && error == NULL);
  ss_trajectory_free (motion);
  close_store (store);
  check_query (path, "SELECT group_concat (value) FROM motion, json_each (channels) WHERE branch = 1", "t,box.vx,x");
  check_query (path,
               "SELECT value ->> 'unit' || ' ' || (value ->> 'owner') || ' ' || (value ->> 'state') FROM motion, "
               "json_each (channel_records) WHERE branch = 1 AND value ->> 'quantity' = 'vx'",
               "m/s body 1");
  g_free (path);
}

static void
test_samples (void)
{
  static const char *const columns[] = {"vn_a", "vt_a", NULL};
  static const double values[] = {0.1, -0.0, 1e-300, 3, 0.25, 7};
  char *path;
  GError *error = NULL;
  SsappStore *store = open_fresh ("samples.stickslip", &path);

  SS_CHECK (record (store, "sampled", &error));
  SS_CHECK (ssapp_store_add_samples (store, "sampled", "velocities", columns, values, 3, FALSE, &error));
  SS_CHECK (ssapp_store_add_samples (store, "sampled", "short", columns, values, 3, TRUE, &error));
  SS_CHECK (ssapp_store_add_samples (store, "sampled", "empty", columns, NULL, 0, TRUE, &error));
  SsappSamples *back = ssapp_store_get_samples (store, "sampled", "velocities", &error);
  SS_CHECK (back != NULL && back->n == 3 && g_strv_equal ((const char *const *)back->columns, columns));
  SS_CHECK (memcmp (back->values, values, sizeof values) == 0);
  ssapp_samples_free (back);
  back = ssapp_store_get_samples (store, "sampled", "short", &error);
  for (int i = 0; i < 6; i++)
    SS_CHECK (back != NULL && back->values[i] == (double)(float)values[i]);
  ssapp_samples_free (back);
  back = ssapp_store_get_samples (store, "sampled", "empty", &error);
  SS_CHECK (back != NULL && back->n == 0);
  ssapp_samples_free (back);
  SS_CHECK (ssapp_store_get_samples (store, "sampled", "none", &error) == NULL && error == NULL);
  SS_CHECK (!ssapp_store_add_samples (store, "nobody", "velocities", columns, values, 3, FALSE, &error));
  g_clear_error (&error);
  close_store (store);

  check_query (path, "SELECT group_concat (type || ' ' || length (data)) FROM (SELECT * FROM sample ORDER BY name)",
               "float32 0,float32 24,float64 48");
  g_free (query (path, "UPDATE sample SET n = 4 WHERE name = 'velocities'"));
  store = ssapp_store_open (path, FALSE, &error);
  SS_CHECK (ssapp_store_get_samples (store, "sampled", "velocities", &error) == NULL);
  SS_CHECK (g_error_matches (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_DAMAGED));
  g_clear_error (&error);
  close_store (store);
  g_free (path);
}

/* Runs in the order in which they were put together, with their labels; one that is removed leaves the list and comes
 * back; a run that is not there leaves no half a comparison. */
static void
test_comparisons (void)
{
  static const char *const ids[] = {"bbbb-1", "aaaa-1", NULL}, *const labels[] = {"Outcome 1", "", NULL};
  static const char *const unknown[] = {"aaaa-1", "nobody", NULL};
  char *path;
  GError *error = NULL;
  SsappStore *store = open_fresh ("comparisons.stickslip", &path);

  SS_CHECK (record (store, "aaaa-1", &error) && record (store, "bbbb-1", &error));
  g_autofree char *id = ssapp_store_add_comparison (store, "Outcomes of the block", ids, labels, &error);
  g_autofree char *second = ssapp_store_add_comparison (store, "Both", ids, NULL, &error);
  SS_CHECK (id != NULL && second != NULL);
  SS_CHECK (ssapp_store_add_comparison (store, "Half", unknown, NULL, &error) == NULL && error != NULL);
  g_clear_error (&error);
  SS_CHECK (ssapp_store_delete_run (store, "aaaa-1", &error));
  g_autoptr (GPtrArray) without = ssapp_store_list_comparisons (store, &error);
  SS_CHECK (without != NULL && without->len == 2);
  SS_CHECK (g_strv_length (((SsappComparisonRow *)g_ptr_array_index (without, 1))->run_ids) == 1);
  SS_CHECK (ssapp_store_undelete_run (store, "aaaa-1", &error));
  g_autoptr (GPtrArray) rows = ssapp_store_list_comparisons (store, &error);
  SS_CHECK (rows != NULL && rows->len == 2);
  const SsappComparisonRow *first = g_ptr_array_index (rows, 1);
  SS_CHECK_STR (((SsappComparisonRow *)g_ptr_array_index (rows, 0))->title, "Both");
  SS_CHECK_STR (first->id, id);
  SS_CHECK_STR (first->title, "Outcomes of the block");
  SS_CHECK (g_strv_equal ((const char *const *)first->run_ids, ids));
  SS_CHECK (g_strv_equal ((const char *const *)first->labels, labels));
  close_store (store);
  check_query (path, "PRAGMA user_version", G_STRINGIFY (SSAPP_STORE_SCHEMA_VERSION));
  g_free (path);
}

/* Local solutions of a plan are runs of their own, found under the one with the answer. */
static void
test_solutions (void)
{
  static const char result[] =
      "{\"outcome\":\"solved\",\"metrics\":{\"objective\":1.5},\"start\":\"its own\",\"solutions\":["
      "{\"run\":\"other-1\",\"solution_of\":\"the-answer\",\"start\":\"one touch "
      "less\",\"outcome\":\"solved\",\"message\":\"m\","
      "\"metrics\":{\"objective\":2.5,\"replayed\":{\"objective\":2.25}},\"events\":[{\"t\":0.5,\"kind\":\"impact\"}]},"
      "{\"run\":\"other-2\",\"solution_of\":\"the-answer\",\"start\":\"one "
      "more\",\"outcome\":\"infeasible\",\"metrics\":{}}]}";
  char *path;
  GError *error = NULL;
  SsappStore *store = open_fresh ("solutions.stickslip", &path);
  SsTrajectory *answer = make_motion (3), *first = make_motion (4), *second = make_motion (5);
  const SsRunMotion motions[] = {
      {answer, SS_MOTION_ANSWER, 0, 1}, {first, SS_MOTION_SOLUTION, 1, NAN}, {second, SS_MOTION_SOLUTION, 2, NAN}};

  SS_CHECK (record (store, "before", &error) && record (store, "the-answer", &error));
  SS_CHECK (ssapp_store_finish_record (store, "the-answer", result, answer, NULL, motions, 3, &error));
  g_autoptr (GPtrArray) rows = ssapp_store_list_runs (store, NULL, 0, &error);
  SS_CHECK (rows != NULL && rows->len == 4);
  const SsappRunRow *const *row = (const SsappRunRow *const *)rows->pdata;
  static const char *const ids[] = {"the-answer", "other-1", "other-2"};
  static const char *const starts[] = {"its own", "one touch less", "one more"};
  for (guint i = 0; i < 3 && rows->len == 4; i++) {
    SS_CHECK_STR (row[i]->id, ids[i]);
    SS_CHECK_STR (row[i]->start, starts[i]);
    SS_CHECK_STR (row[i]->solution_of, i > 0 ? "the-answer" : "");
    SS_CHECK_STR (row[i]->options_json, row[0]->options_json);
    SS_CHECK_STR (row[i]->parameters_json, row[0]->parameters_json);
    SS_CHECK (row[i]->seed == 7 &&
              ss_method_id_is_equal (ssapp_run_row_get_method (row[i]), (SsMethodId){SS_METHOD_OPTIMISER, "crisp"}));
    SsTrajectory *motion = ssapp_store_get_trajectory (store, ids[i], &error);
    SS_CHECK (motion != NULL && motion->n_rows == 3 + (int)i);
    ss_trajectory_free (motion);
    g_autoptr (GArray) listed = ssapp_store_list_motions (store, ids[i], &error);
    SS_CHECK (listed->len == 1);
  }
  SsappRunRow *last = ssapp_store_get_run (store, "last", &error), *other = ssapp_store_get_run (store, ids[1], &error);
  SS_CHECK_STR (last->id, "the-answer");
  SS_CHECK (metric (last, SS_METRIC_OBJECTIVE) == 1.5 && metric (other, SS_METRIC_OBJECTIVE) == 2.5);
  SS_CHECK (metric (other, SS_METRIC_REPLAYED_OBJECTIVE) == 2.25);
  SS_CHECK_STR (other->message, "m");
  ssapp_run_row_free (last);
  ssapp_run_row_free (other);
  json_t *events = ssapp_store_get_events (store, "other-1", 0, &error);
  SS_CHECK (json_array_size (events) == 1);
  json_decref (events);
  /* the answer's result names the others, whose own results are theirs */
  g_autofree char *text = ssapp_store_get_result_json (store, "the-answer", &error);
  json_t *stored = json_loads (text, 0, NULL), *named = json_array_get (json_object_get (stored, "solutions"), 0);
  SS_CHECK_STR (json_string_value (json_object_get (named, "run")), "other-1");
  SS_CHECK (json_object_get (named, "events") == NULL && json_real_value (json_object_get (named, "objective")) == 2.5);
  json_decref (stored);
  ss_trajectory_free (answer);
  ss_trajectory_free (first);
  ss_trajectory_free (second);
  SS_CHECK (error == NULL);
  close_store (store);
  check_query (
      path, "SELECT replayed_objective FROM run_overview WHERE solution_of = 'the-answer' AND start = 'one touch less'",
      "2.25");
  g_free (path);
}

static void
test_closing_leaves_one_file (void)
{
  char *path;
  SsappStore *store = open_fresh ("one.stickslip", &path);
  char *wal = g_strconcat (path, "-wal", NULL), *shm = g_strconcat (path, "-shm", NULL),
       *journal = g_strconcat (path, "-journal", NULL);

  SS_CHECK (record (store, "aaaa-1", NULL));
  SS_CHECK (g_file_test (wal, G_FILE_TEST_EXISTS)); /* write-ahead while it is open */
  close_store (store);
  SS_CHECK (!g_file_test (wal, G_FILE_TEST_EXISTS) && !g_file_test (shm, G_FILE_TEST_EXISTS) &&
            !g_file_test (journal, G_FILE_TEST_EXISTS));
  check_query (path, "PRAGMA journal_mode", "delete");
  check_query (path, "PRAGMA user_version", G_STRINGIFY (SSAPP_STORE_SCHEMA_VERSION));
  check_query (path, "PRAGMA application_id", "1397967952"); /* "SSLP" */
  g_free (wal);
  g_free (shm);
  g_free (journal);
  g_free (path);
}

static void
test_names_of_runs (void)
{
  char *path;
  GError *error = NULL;
  SsappStore *store = open_fresh ("names.stickslip", &path);

  SS_CHECK (ssapp_store_get_run (store, "last", &error) == NULL);
  SS_CHECK_CONTAINS (error->message, "no runs yet");
  g_clear_error (&error);
  SS_CHECK (record (store, "abcdef-1", NULL) && record (store, "abcdef-2", NULL) && record (store, "abc%ef-3", NULL));
  static const struct {
    const char *name, *message;
  } wrong[] = {{"abc", "too short"}, {"abcd", "more than one"}, {"zzzz", "no run 'zzzz'"}, {"%%%%", "no run"}};
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++) {
    SS_CHECK (ssapp_store_get_run (store, wrong[i].name, &error) == NULL);
    SS_CHECK_CONTAINS (error->message, wrong[i].message);
    SS_CHECK (g_error_matches (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_NOT_FOUND));
    g_clear_error (&error);
  }
  SsappRunRow *row = ssapp_store_get_run (store, "abc%", &error);
  SS_CHECK (row != NULL && strcmp (row->id, "abc%ef-3") == 0); /* '%' is no wildcard */
  ssapp_run_row_free (row);
  close_store (store);
  g_free (path);
}

static void
test_delete_note_scenarios (void)
{
  char *path;
  GError *error = NULL;
  SsappStore *store = open_fresh ("edit.stickslip", &path);

  SS_CHECK (record (store, "run-1", NULL) && record (store, "run-2", NULL));
  SS_CHECK (ssapp_store_set_note (store, "run-1", "looks odd", &error));
  SS_CHECK (ssapp_store_delete_run (store, "run-1", &error));
  GPtrArray *rows = ssapp_store_list_runs (store, NULL, 0, &error);
  SS_CHECK (rows->len == 1);
  g_ptr_array_unref (rows);
  SS_CHECK (ssapp_store_undelete_run (store, "run-1", &error));
  rows = ssapp_store_list_runs (store, NULL, 0, &error);
  SS_CHECK (rows->len == 2);
  SS_CHECK_STR (((SsappRunRow *)g_ptr_array_index (rows, 1))->note, "looks odd");
  g_ptr_array_unref (rows);
  SS_CHECK (error == NULL && !ssapp_store_set_note (store, "nobody", "x", &error));
  g_clear_error (&error);

  close_store (store);
  g_free (path);
}

/* ---- crashes ----------------------------------------------------------------------------------------------------- */

static void
test_killed_writer (void)
{
  char *path;
  GError *error = NULL;
  close_store (open_fresh ("killed.stickslip", &path));

  pid_t child = fork ();
  if (child == 0) {
    SsappStore *store = ssapp_store_open (path, FALSE, NULL);
    if (store == NULL || !record (store, "victim", NULL))
      _exit (1);
    for (int i = 0; i < 50; i++)
      if (!add_row (store, "victim", i, NULL))
        _exit (1);
    if (!ssapp_store_flush (store, NULL))
      _exit (1);
    raise (SIGKILL);
  }
  int status = 0;
  waitpid (child, &status, 0);
  SS_CHECK (WIFSIGNALED (status));

  SsappStore *store = ssapp_store_open (path, FALSE, &error);
  SS_CHECK (store != NULL);
  SsappRunRow *row = ssapp_store_get_run (store, "victim", &error);
  SS_CHECK_STR (row->outcome, "interrupted");
  SS_CHECK (metric (row, SS_METRIC_ITERATIONS) == 49);
  SS_CHECK (row->message[0] != '\0' && row->ended[0] != '\0');
  ssapp_run_row_free (row);
  GArray *rows = ssapp_store_get_iterations (store, "victim", &error);
  SS_CHECK (rows->len == 50);
  g_array_unref (rows);
  close_store (store);
  g_free (path);
}

/* A run of a process that is alive stays running; one of a process number that was given to another process does
 * not. */
static void
test_owners (void)
{
  char *path;
  GError *error = NULL;
  SsappStore *first = open_fresh ("owner.stickslip", &path);

  SS_CHECK (record (first, "alive", NULL) && record (first, "reused", NULL) && record (first, "elsewhere", NULL));
  g_free (query (path, "UPDATE run SET owner_start = owner_start - 1 WHERE id = 'reused'"));
  g_free (query (path, "UPDATE run SET owner_host = 'cluster-node-7', owner_pid = 1 WHERE id = 'elsewhere'"));
  SsappStore *second = ssapp_store_open (path, FALSE, &error);
  static const char *const expected[][2] = {{"alive", "running"}, {"reused", "interrupted"}, {"elsewhere", "running"}};
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++) {
    SsappRunRow *row = ssapp_store_get_run (second, expected[i][0], &error);
    SS_CHECK_STR (row->outcome, expected[i][1]);
    ssapp_run_row_free (row);
  }
  close_store (second);
  /* The first is still at work after the second closed. */
  SS_CHECK (ssapp_store_finish (first, "alive", "{\"outcome\":\"solved\"}", NULL, &error));
  close_store (first);
  g_free (path);
}

/* ---- two writers ------------------------------------------------------------------------------------------------- */

enum { WRITERS = 4, RUNS = 6, ROWS = 40 };

/* Says what went wrong: this runs in a process of its own. */
static int
write_many (const char *path, int writer)
{
  GError *error = NULL;
  SsappStore *store = ssapp_store_open (path, TRUE, &error);
  gboolean ok = store != NULL;
  for (int r = 0; ok && r < RUNS; r++) {
    char *id = g_strdup_printf ("w%d-r%d", writer, r);
    ok = record (store, id, &error);
    for (int i = 0; ok && i < ROWS; i++)
      ok = add_row (store, id, i, &error) && (i % 10 != 0 || ssapp_store_flush (store, &error));
    ok = ok && ssapp_store_finish (store, id, "{\"outcome\":\"solved\"}", NULL, &error);
    g_free (id);
  }
  if (ok)
    close_store (store);
  else
    printf ("writer %d: %s\n", writer, error->message);
  fflush (stdout);
  return ok ? 0 : 1;
}

static void
test_writers_together (void)
{
  char *path = place ("together.stickslip"); /* all of them may create it */
  pid_t children[WRITERS];

  fflush (stdout);
  for (int w = 0; w < WRITERS; w++) {
    children[w] = fork ();
    if (children[w] == 0)
      _exit (write_many (path, w));
  }
  for (int w = 0; w < WRITERS; w++) {
    int status = -1;
    waitpid (children[w], &status, 0);
    SS_CHECK (WIFEXITED (status) && WEXITSTATUS (status) == 0);
  }
  char *runs = g_strdup_printf ("%d", WRITERS * RUNS), *rows = g_strdup_printf ("%d", WRITERS * RUNS * ROWS);
  check_query (path, "SELECT count(*) FROM run WHERE outcome = 'solved'", runs);
  check_query (path, "SELECT count(*) FROM iteration", rows);
  g_free (runs);
  g_free (rows);
  check_query (path, "PRAGMA integrity_check", "ok");
  g_free (path);
}

/* ---- no room ----------------------------------------------------------------------------------------------------- */

/* A file size limit stands for a full disk: the system refuses the write in the same way. */
static int
fill_disk (const char *path)
{
  GError *error = NULL;
  SsappStore *store = ssapp_store_open (path, FALSE, &error);
  SsTrajectory *motion = make_motion (20000); /* 480 kB */
  struct rlimit limit;
  guint64 noise = 1;

  for (int i = 0; i < motion->n_rows * motion->n_channels; i++) { /* which cannot be packed */
    noise = noise * 6364136223846793005u + 1442695040888963407u;
    motion->values[i] = (double)noise;
  }
  signal (SIGXFSZ, SIG_IGN);
  if (store == NULL || !record (store, "big", NULL))
    return 1;
  getrlimit (RLIMIT_FSIZE, &limit);
  const struct rlimit small = {400 * 1024, limit.rlim_max};
  setrlimit (RLIMIT_FSIZE, &small);
  if (ssapp_store_finish (store, "big", "{\"outcome\":\"solved\"}", motion, &error))
    return 2;
  if (!g_error_matches (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_FULL) || strstr (error->message, path) == NULL)
    return 3;
  g_clear_error (&error);
  /* What waits is kept: with room again it is written. */
  setrlimit (RLIMIT_FSIZE, &limit);
  if (!ssapp_store_flush (store, &error))
    return 4;
  /* Once more, and this time the process ends without room. */
  if (!record (store, "lost", NULL))
    return 5;
  setrlimit (RLIMIT_FSIZE, &small);
  (void)ssapp_store_finish (store, "lost", "{\"outcome\":\"solved\"}", motion, NULL);
  return 0;
}

static void
test_disk_full (void)
{
  char *path;
  GError *error = NULL;
  close_store (open_fresh ("full.stickslip", &path));

  pid_t child = fork ();
  if (child == 0)
    _exit (fill_disk (path));
  int status = -1;
  waitpid (child, &status, 0);
  SS_CHECK (WIFEXITED (status));
  SS_CHECK_NEAR (WEXITSTATUS (status), 0, 0);
  SsappStore *store = ssapp_store_open (path, FALSE, &error);
  SS_CHECK (store != NULL);
  SsTrajectory *motion = ssapp_store_get_trajectory (store, "big", &error);
  SS_CHECK (motion != NULL && motion->n_rows == 20000);
  ss_trajectory_free (motion);
  SsappRunRow *row = ssapp_store_get_run (store, "lost", &error);
  SS_CHECK_STR (row->outcome, "interrupted");
  ssapp_run_row_free (row);
  close_store (store);
  check_query (path, "PRAGMA integrity_check", "ok");
  g_free (path);
}

/* ---- what is refused --------------------------------------------------------------------------------------------- */

static void
check_refused (const char *path, gboolean create, int code, const char *words)
{
  GError *error = NULL;
  SsappStore *store = ssapp_store_open (path, create, &error);
  SS_CHECK (store == NULL);
  if (store != NULL) {
    printf ("  %s was opened\n", path);
    close_store (store);
    return;
  }
  SS_CHECK (error->code == code);
  SS_CHECK_CONTAINS (error->message, path);
  SS_CHECK_CONTAINS (error->message, words);
  g_clear_error (&error);
}

static void
test_no_project (void)
{
  char *text = place ("text.stickslip"), *empty = place ("empty.stickslip"), *other = place ("other.stickslip");
  char *newer, *missing = place ("missing.stickslip");

  SS_CHECK (g_file_set_contents (
      text, "These are the words of a file that is no database, and long enough for a header.", -1, NULL));
  check_refused (text, TRUE, SSAPP_STORE_ERROR_NOT_A_PROJECT, "not an SQLite database");
  SS_CHECK (g_file_set_contents (empty, "", 0, NULL));
  check_refused (empty, FALSE, SSAPP_STORE_ERROR_NOT_A_PROJECT, "empty");
  check_refused (missing, FALSE, SSAPP_STORE_ERROR_NOT_FOUND, "no such file");
  check_refused (folder, TRUE, SSAPP_STORE_ERROR_NOT_A_PROJECT, "folder");

  sqlite3 *db = NULL;
  SS_CHECK (sqlite3_open (other, &db) == SQLITE_OK);
  SS_CHECK (sqlite3_exec (db, "CREATE TABLE bookmarks (url TEXT)", NULL, NULL, NULL) == SQLITE_OK);
  sqlite3_close (db);
  check_refused (other, TRUE, SSAPP_STORE_ERROR_NOT_A_PROJECT, "another program");

  close_store (open_fresh ("newer.stickslip", &newer));
  g_free (query (newer, "PRAGMA user_version = 99"));
  check_refused (newer, TRUE, SSAPP_STORE_ERROR_NEWER, "newer version of Stickslip (project format 99");
  /* Refusing changes nothing. */
  check_query (newer, "PRAGMA user_version", "99");
  g_free (text);
  g_free (empty);
  g_free (other);
  g_free (newer);
  g_free (missing);
}

static void
test_damaged (void)
{
  char *path, *data;
  gsize size;
  SsappStore *store = open_fresh ("damaged.stickslip", &path);
  SsTrajectory *motion = make_motion (5000);

  for (int r = 0; r < 20; r++) {
    char *id = g_strdup_printf ("run-%02d", r);
    SS_CHECK (record (store, id, NULL));
    for (int i = 0; i < 30; i++)
      SS_CHECK (add_row (store, id, i, NULL));
    g_free (id);
  }
  SS_CHECK (ssapp_store_finish (store, "run-00", "{\"outcome\":\"solved\"}", motion, NULL));
  close_store (store);
  ss_trajectory_free (motion);

  SS_CHECK (g_file_get_contents (path, &data, &size, NULL));
  /* Pages of tables and indices overwritten. */
  char *broken = g_memdup2 (data, size);
  for (gsize page = 4096; page + 64 < size && page < 40 * 4096; page += 4096)
    memset (broken + page, 0x5a, 64);
  SS_CHECK (g_file_set_contents (path, broken, (gssize)size, NULL));
  check_refused (path, FALSE, SSAPP_STORE_ERROR_DAMAGED, "damaged");
  /* Cut off in the middle. */
  SS_CHECK (g_file_set_contents (path, data, (gssize)size / 2, NULL));
  check_refused (path, FALSE, SSAPP_STORE_ERROR_DAMAGED, "damaged");
  /* A table that opening does not read: the integrity check alone sees it. */
  SS_CHECK (g_file_set_contents (path, data, (gssize)size, NULL));
  g_autofree char *root = query (path, "SELECT rootpage FROM sqlite_schema WHERE name = 'event'"),
                  *bytes = query (path, "PRAGMA page_size");
  const gsize page_size = strtoul (bytes, NULL, 10), at = page_size * (strtoul (root, NULL, 10) - 1);
  SS_CHECK (at >= page_size && at + page_size <= size);
  memcpy (broken, data, size);
  memset (broken + at, 0x5a, page_size);
  SS_CHECK (g_file_set_contents (path, broken, (gssize)size, NULL));
  check_refused (path, FALSE, SSAPP_STORE_ERROR_DAMAGED, "damaged");
  g_free (broken);
  g_free (data);
  g_free (path);
}

/* Run by another user where we are root, since root may write everything. */
static int
use_read_only (const char *path)
{
  GError *error = NULL;
  if (geteuid () == 0 && seteuid (65534) != 0)
    return 1;
  SsappStore *store = ssapp_store_open (path, FALSE, &error);
  if (store == NULL)
    return printf ("%s\n", error->message), fflush (stdout), 2;
  if (!ssapp_store_is_read_only (store))
    return 3;
  SsappRunRow *row = ssapp_store_get_run (store, "last", NULL);
  if (row == NULL)
    return 4;
  if (record (store, "new", &error) || !g_error_matches (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_READ_ONLY))
    return 5;
  return strstr (error->message, "read-only") != NULL ? 0 : 6;
}

static void
test_read_only (void)
{
  char *path;
  SsappStore *store = open_fresh ("readonly.stickslip", &path);
  SS_CHECK (record (store, "there", NULL));
  close_store (store);
  SS_CHECK (g_chmod (path, 0444) == 0 && g_chmod (folder, 0755) == 0);
  fflush (stdout);
  pid_t child = fork ();
  if (child == 0)
    _exit (use_read_only (path));
  int status = -1;
  waitpid (child, &status, 0);
  SS_CHECK_NEAR (WEXITSTATUS (status), 0, 0);
  g_free (path);
}

/* ---- numbers ----------------------------------------------------------------------------------------------------- */

/* A locale with a decimal comma, made here if the machine has none. */
static gboolean
use_comma_locale (void)
{
  char *target = g_build_filename (folder, "de_DE.UTF-8", NULL);
  char *command = g_strdup_printf ("localedef -i de_DE -f UTF-8 %s >/dev/null 2>&1", target);
  (void)!system (command);
  g_setenv ("LOCPATH", folder, TRUE);
  gboolean ok = setlocale (LC_NUMERIC, "de_DE.UTF-8") != NULL && localeconv ()->decimal_point[0] == ',';
  g_unsetenv ("LOCPATH");
  g_free (command);
  g_free (target);
  return ok;
}

static void
test_decimal_comma (void)
{
  char *path;
  GError *error = NULL;

  if (!use_comma_locale ()) {
    printf ("  (no locale with a decimal comma on this machine)\n");
    return;
  }
  SsappStore *store = open_fresh ("comma.stickslip", &path);
  SS_CHECK (record (store, "comma-run", &error) && add_row (store, "comma-run", 1, &error));
  json_t *object = json_object ();
  json_object_set_new (object, "x", ssapp_json_real (0.1));
  json_object_set_new (object, "y", ssapp_json_real (NAN));
  char *text = ssapp_json_text (object, FALSE);
  SS_CHECK_STR (text, "{\"x\":0.10000000000000001,\"y\":null}"); /* 17 digits; no NaN in JSON */
  g_free (text);
  json_decref (object);
  SS_CHECK (ssapp_store_finish (store, "comma-run", "{\"outcome\":\"solved\",\"metrics\":{\"objective\":6.5}}", NULL,
                                &error));
  SsappRunRow *row = ssapp_store_get_run (store, "last", &error);
  SS_CHECK (metric (row, SS_METRIC_OBJECTIVE) == 6.5);
  ssapp_run_row_free (row);
  GArray *rows = ssapp_store_get_iterations (store, "comma-run", &error);
  SS_CHECK (rows->len == 1 && g_array_index (rows, SsappIteration, 0).objective == 0.75);
  SS_CHECK_CONTAINS (g_array_index (rows, SsappIteration, 0).json, "\"radius\":2.25");
  g_array_unref (rows);
  close_store (store);
  setlocale (LC_NUMERIC, "C");
  g_free (path);
}

static void
count_change (SsappStore *store, guint *n)
{
  (void)store;
  ++*n;
}

/* For what others' writes and deaths take to be noticed, a second or two; nobody knows how busy the machine is. */
static const gint64 patience = 120 * G_USEC_PER_SEC;

/* Turns the main loop until the number is reached. */
static gboolean
reaches (const guint *n, guint wanted)
{
  const gint64 end = g_get_monotonic_time () + patience;

  while (*n < wanted && g_get_monotonic_time () < end) {
    g_main_context_iteration (NULL, FALSE);
    g_usleep (5000);
  }
  return *n >= wanted;
}

/* What another connection writes is told; silence is not; a row whose owner is dead does not run for ever. */
static void
test_others_are_followed (void)
{
  char *path;
  guint n = 0;
  GError *error = NULL;
  SsappStore *store = open_fresh ("followed.stickslip", &path), *other = ssapp_store_open (path, TRUE, &error);

  g_signal_connect (store, "changed", G_CALLBACK (count_change), &n);
  ssapp_store_watch_others (store);
  const gint64 quiet = g_get_monotonic_time () + G_USEC_PER_SEC;
  while (g_get_monotonic_time () < quiet) {
    g_main_context_iteration (NULL, FALSE);
    g_usleep (5000);
  }
  SS_CHECK (n == 0);
  SS_CHECK (record (other, "other-run", &error));
  SS_CHECK (reaches (&n, 1));
  SsappRunRow *row = ssapp_store_get_run (store, "other-run", &error);
  SS_CHECK_STR (row->outcome, "running");
  ssapp_run_row_free (row);
  n = 0;
  SS_CHECK (ssapp_store_finish (other, "other-run", "{\"outcome\":\"solved\",\"metrics\":{}}", NULL, &error));
  SS_CHECK (reaches (&n, 1));
  row = ssapp_store_get_run (store, "other-run", &error);
  SS_CHECK_STR (row->outcome, "solved");
  ssapp_run_row_free (row);
  SS_CHECK (record (other, "dead-run", &error));
  sqlite3 *db;
  SS_CHECK (sqlite3_open (path, &db) == SQLITE_OK);
  SS_CHECK (sqlite3_exec (db, "UPDATE run SET owner_pid = 2147483000 WHERE id = 'dead-run'", NULL, NULL, NULL) ==
            SQLITE_OK);
  sqlite3_close (db);
  const gint64 end = g_get_monotonic_time () + patience;
  gboolean is_ended = FALSE;
  while (!is_ended && g_get_monotonic_time () < end) {
    g_main_context_iteration (NULL, FALSE);
    g_usleep (20000);
    row = ssapp_store_get_run (store, "dead-run", &error);
    is_ended = strcmp (row->outcome, "interrupted") == 0;
    ssapp_run_row_free (row);
  }
  SS_CHECK (is_ended);
  close_store (other);
  close_store (store);
  g_free (path);
}

/* Outcome of the only run in a list that is read now. */
static void
check_listed (SsappStore *store, const char *outcome)
{
  g_autoptr (GPtrArray) rows = ssapp_store_list_runs (store, NULL, 0, NULL);

  SS_CHECK (rows != NULL && rows->len == 1);
  SS_CHECK_STR (((SsappRunRow *)g_ptr_array_index (rows, 0))->outcome, outcome);
}

/* A list that was sound is not summed again, but where somebody has written since. */
static void
test_damaged_behind_a_list (void)
{
  char *path;
  SsappStore *store = open_fresh ("behind.stickslip", &path);

  SS_CHECK (record (store, "run", NULL));
  SS_CHECK (ssapp_store_finish (store, "run", "{\"outcome\":\"solved\",\"metrics\":{}}", NULL, NULL));
  SS_CHECK (ssapp_store_flush (store, NULL));
  check_listed (store, "solved");
  check_listed (store, "solved");
  g_free (query (path, "UPDATE run SET note = 'theirs'"));
  check_listed (store, SSAPP_OUTCOME_DAMAGED);
  g_free (query (path, "UPDATE run SET note = ''"));
  check_listed (store, "solved");
  SS_CHECK (ssapp_store_set_note (store, "run", "ours", NULL));
  check_listed (store, "solved");
  close_store (store);
  g_free (path);
}

int
main (void)
{
  folder = g_dir_make_tmp ("test-store-XXXXXX", NULL);
  SS_RUN (test_round_trip);
  SS_RUN (test_damaged_behind_a_list);
  SS_RUN (test_metrics_and_events);
  SS_RUN (test_motions);
  SS_RUN (test_samples);
  SS_RUN (test_comparisons);
  SS_RUN (test_solutions);
  SS_RUN (test_closing_leaves_one_file);
  SS_RUN (test_names_of_runs);
  SS_RUN (test_delete_note_scenarios);
  SS_RUN (test_killed_writer);
  SS_RUN (test_owners);
  SS_RUN (test_writers_together);
  SS_RUN (test_disk_full);
  SS_RUN (test_no_project);
  SS_RUN (test_damaged);
  SS_RUN (test_read_only);
  SS_RUN (test_decimal_comma);
  SS_RUN (test_others_are_followed);
  char *command = g_strdup_printf ("rm -rf %s", folder);
  (void)!system (command);
  g_free (command);
  g_free (folder);
  return ss_test_finish ();
}
