/* tests/unit/test-log-rows.c: the log of several methods: columns, filter, what is copied; and the lists of violations
 * of stored runs. */
#include "app/session/ssapp-log-rows.h"
#include "app/session/ssapp-violation-list.h"
#include "mpcc/ss-problem.h"
#include "run/ss-run.h"
#include "tests/ss-test-store.h"

#include <glib/gstdio.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char chain[] =
    "{\"format\": 1, \"name\": \"chain\", \"model\": {\"points\": 5, \"time_step\": 0.1, \"states\": [\"x\"],"
    " \"controls\": [\"f\"], \"constraints\": ["
    "{\"name\": \"dynamics\", \"points\": [0, 3], \"zero\": [\"next(x) - x - f\"]},"
    "{\"name\": \"contact\", \"points\": [0, 4], \"complementary\": [[\"x\", \"f\"]]}],"
    " \"cost\": [{\"name\": \"effort\", \"points\": [0, 4], \"cost\": \"f^2\"}]}}";
static char *folder;

static SsappStore *
open_store (void)
{
  g_autofree char *path = g_build_filename (folder, "log.stickslip", NULL);
  GError *error = NULL;
  SsappStore *store = ssapp_store_open (path, TRUE, &error);

  g_assert_no_error (error);
  return store;
}

/* A run that told three iterations and ended; two methods with other columns. */
static SsappRun *
make_run (SsappStore *store, const char *id, const char *method, const char *column, double factor)
{
  GError *error = NULL;

  SS_CHECK (
      ssapp_store_record (store, id, chain, "chain", (SsMethodId){SS_METHOD_OPTIMISER, method}, "{}", "{}", 0, &error));
  for (int i = 0; i < 3; i++) {
    const SsColumn columns[] = {{column, factor + i}, {"violation", pow (10, -i)}, {"objective", factor * (i + 1)}};
    SS_CHECK (ssapp_store_add_iteration (store, id, i, 0.5 * i, columns, 3, &error));
  }
  SS_CHECK (ssapp_store_add_log (store, id, 0, SS_LOG_INFO, "first line\nSecond line of the solver", &error));
  SS_CHECK (ssapp_store_finish (store, id, "{\"outcome\": \"solved\", \"message\": \"done\", \"metrics\": {}}", NULL,
                                &error));
  SsappRun *run = ssapp_run_new_stored (store, id, &error);
  g_assert_no_error (error);
  return run;
}

static guint
count (SsappLogRows *log, const char *words, SsappRun *run)
{
  g_autoptr (SsappLogFilter) filter = ssapp_log_filter_new (words);
  guint n = 0;

  for (guint r = 0; r < ssapp_log_rows_get_n (log); r++)
    n += ssapp_log_rows_match (log, r, filter, run) ? 1 : 0;
  return n;
}

static void
columns_and_filter (void)
{
  SsappStore *store = open_store ();
  g_autoptr (SsappRun) crisp = make_run (store, "run-a1", "crisp", "radius", 10);
  g_autoptr (SsappRun) ipopt = make_run (store, "run-b2", "ipopt", "alpha_pr", 0.25);
  g_autoptr (GPtrArray) runs = g_ptr_array_new ();
  g_ptr_array_add (runs, crisp);
  g_ptr_array_add (runs, ipopt);
  g_autoptr (SsappLogRows) log = ssapp_log_rows_new (runs);
  static const char *const keys[] = {"iteration", "t", "objective", "violation", "radius", "alpha_pr"};

  SS_CHECK (ssapp_log_rows_get_n (log) == 0 && ssapp_log_rows_take (log) == 6 && ssapp_log_rows_take (log) == 0);
  SS_CHECK (ssapp_log_rows_n_columns (log) == G_N_ELEMENTS (keys));
  for (guint c = 0; c < G_N_ELEMENTS (keys); c++)
    SS_CHECK (strcmp (ssapp_log_rows_get_key (log, c), keys[c]) == 0);
  SS_CHECK (strcmp (ssapp_log_rows_get_title (log, 5), "α Primal") == 0);
  SS_CHECK (ssapp_log_rows_get (log, 1, 4) == 11 && isnan (ssapp_log_rows_get (log, 1, 5)));
  SS_CHECK (isnan (ssapp_log_rows_get (log, 3, 4)) && ssapp_log_rows_get (log, 4, 5) == 1.25);
  SS_CHECK (ssapp_log_rows_reports (log, 4, crisp) && !ssapp_log_rows_reports (log, 4, ipopt));

  SS_CHECK (count (log, NULL, NULL) == 6 && count (log, "  ", NULL) == 6 && count (log, "", ipopt) == 3);
  SS_CHECK (count (log, "ipopt", NULL) == 3 && count (log, "CRISP", NULL) == 3 &&
            count (log, "crisp ipopt", NULL) == 0);
  SS_CHECK (count (log, "violation<=0.1", NULL) == 4 && count (log, "violation<0.1", NULL) == 2);
  SS_CHECK (count (log, "viol>=1", NULL) == 2 && count (log, "iteration=1", NULL) == 2);
  SS_CHECK (count (log, "radius>0", NULL) == 3);  /* who reports none has none */
  SS_CHECK (count (log, "nothing>0", NULL) == 0); /* no column of that name */
  SS_CHECK (count (log, "crisp objective>15", NULL) == 2);
  SS_CHECK (count (log, "11", NULL) == 1); /* as it is shown */
  ssapp_store_close (store, NULL);
  g_object_unref (store);
}

static void
what_is_copied (void)
{
  SsappStore *store = open_store ();
  g_autoptr (SsappRun) ipopt = make_run (store, "run-c3", "ipopt", "alpha_pr", 0.25);
  g_autoptr (SsappRun) crisp = make_run (store, "run-d4", "crisp", "radius", 10);
  g_autoptr (GPtrArray) runs = g_ptr_array_new ();
  g_ptr_array_add (runs, ipopt);
  g_ptr_array_add (runs, crisp);
  g_autoptr (SsappLogRows) log = ssapp_log_rows_new (runs);
  g_autoptr (SsappLogFilter) filter = ssapp_log_filter_new ("iteration>0");
  g_autoptr (SsappTable) table = NULL, own = NULL;
  g_autofree char *tsv = NULL, *text = NULL, *some = NULL;

  ssapp_log_rows_take (log);
  table = ssapp_log_rows_to_table (log, filter, NULL);
  SS_CHECK (ssapp_table_get_n_rows (table) == 4 && ssapp_table_get_n_columns (table) == 7);
  own = ssapp_log_rows_to_table (log, filter, ipopt);
  tsv = ssapp_table_write (own, SSAPP_TABLE_TSV);
  SS_CHECK (strcmp (tsv, "method\titeration\tt\tobjective\tviolation\talpha_pr\n"
                         "Ipopt\t1\t0.5\t0.5\t0.1\t1.25\n"
                         "Ipopt\t2\t1\t0.75\t0.01\t2.25\n") == 0);
  text = ssapp_log_dup_text (runs, NULL);
  SS_CHECK (strstr (text, "Ipopt: done\nfirst line\nSecond line of the solver") == text);
  SS_CHECK (strstr (text, "CRISP: done") != NULL);
  some = ssapp_log_dup_text (runs, "second");
  SS_CHECK (strstr (some, "Second line") != NULL && strstr (some, "first line") == NULL);
  ssapp_store_close (store, NULL);
  g_object_unref (store);
}

/* ---- violations -------------------------------------------------------------------------------------------------- */

static SsTrajectory *
motion_of (const double *x)
{
  SsScenario *scenario = NULL;
  SsTrajectory *motion = NULL;
  SsProblems problems;
  SsError err;

  ss_problems_init (&problems);
  SS_CHECK (ss_scenario_read (chain, strlen (chain), "", NULL, 0, &problems, &scenario) == SS_OK);
  SS_CHECK (ss_problem_trajectory (scenario, x, &motion, &err) == SS_OK);
  ss_problems_clear (&problems);
  ss_scenario_free (scenario);
  return motion;
}

static void
wait_for (SsappViolationList *list)
{
  const gint64 end = g_get_monotonic_time () + 120 * G_TIME_SPAN_SECOND;

  while (ssapp_violation_list_is_busy (list) && g_get_monotonic_time () < end)
    g_main_context_iteration (NULL, FALSE);
}

/* Of a run without a list, and of its iterate, they are found from the motion, when somebody looks. */
static void
lists_of_runs (void)
{
  SsappStore *store = open_store ();
  const double x[10] = {0, 0.25, 0, 0, 0, 0, 0, 0, 0, 0}, y[10] = {0, 0, 0, 0, 0, 0, 0, 0.5, 0, 0};
  SsTrajectory *motion = motion_of (x), *iterate = motion_of (y);
  g_autoptr (SsappViolationList) list = ssapp_violation_list_new ();
  g_autoptr (GPtrArray) runs = g_ptr_array_new ();
  GError *error = NULL;

  SS_CHECK (ssapp_store_record (store, "run-e5", chain, "chain", (SsMethodId){SS_METHOD_OPTIMISER, "crisp"}, "{}", "{}",
                                0, &error));
  SS_CHECK (ssapp_store_abandon (store, "run-e5", "interrupted", "the worker died", motion, &error));
  g_autoptr (SsappRun) run = ssapp_run_new_stored (store, "run-e5", &error);
  g_assert_no_error (error);
  g_ptr_array_add (runs, run);
  ssapp_violation_list_set_runs (list, runs);
  SS_CHECK (ssapp_violation_list_get_rows (list)->len == 0 && !ssapp_violation_list_is_busy (list));
  ssapp_violation_list_set_active (list, TRUE);
  SS_CHECK (ssapp_violation_list_is_busy (list));
  wait_for (list);
  GArray *rows = ssapp_violation_list_get_rows (list);
  SS_CHECK (rows->len == 1);
  if (rows->len == 1) {
    const SsViolation *v = g_array_index (rows, SsappViolationRow, 0).violation;
    SS_CHECK (v->amount == 0.25 && v->k == 0 && strcmp (v->block, "dynamics") == 0);
    SS_CHECK (strcmp (ssapp_violation_list_get_account (list), "1 of 1 violated rows") == 0);
  }
  g_autoptr (SsappTable) table = ssapp_violation_list_to_table (list);
  SS_CHECK (ssapp_table_get_n_rows (table) == 1 && ssapp_table_get_number (table, 0, 0) == 0.25);

  ssapp_run_show_iterate (run, 3, iterate);
  ssapp_violation_list_update (list);
  wait_for (list);
  rows = ssapp_violation_list_get_rows (list);
  SS_CHECK (rows->len == 1 && g_array_index (rows, SsappViolationRow, 0).violation->amount == 0.5 &&
            g_array_index (rows, SsappViolationRow, 0).violation->k == 3);
  ssapp_violation_list_set_runs (list, NULL);
  SS_CHECK (ssapp_violation_list_get_rows (list)->len == 0);
  ss_trajectory_free (motion);
  ssapp_store_close (store, NULL);
  g_object_unref (store);
}

int
main (void)
{
  folder = g_dir_make_tmp ("stickslip-log-XXXXXX", NULL);
  SS_RUN (columns_and_filter);
  SS_RUN (what_is_copied);
  SS_RUN (lists_of_runs);
  g_autofree char *path = g_build_filename (folder, "log.stickslip", NULL);
  g_remove (path);
  g_rmdir (folder);
  g_free (folder);
  return ss_test_finish ();
}
