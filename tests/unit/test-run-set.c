/* tests/unit/test-run-set.c: run sets of stored runs: axes, methods and problems are what differs, whatever the order
 * of the rows; best values leave out what was not solved or is hidden. */
#include "app/study/ssapp-run-set.h"

#include "app/base/ssapp-metric.h"
#include "tests/unit/run-rows.h"
#include "tests/ss-test.h"

#include <math.h>

static const SsappRunItem *
item_at (const SsappRunSet *set, guint i)
{
  return &g_array_index (set->items, SsappRunItem, i);
}

static const SsappRunAxis *
axis_at (const SsappRunSet *set, guint i)
{
  return g_ptr_array_index (set->axes, i);
}

static const SsappRunMethod *
method_at (const SsappRunSet *set, guint i)
{
  return g_ptr_array_index (set->methods, i);
}

static GPtrArray *
four_runs (void)
{
  GPtrArray *rows = rows_new ();

  add_row (rows, "push", "crisp", "CRISP", "{\"relax\":\"10\"}", "{\"mu\":0.5,\"N\":100}", "solved", 3, 0.2);
  add_row (rows, "push", "ipopt", "Ipopt", "{}", "{\"mu\":0.5,\"N\":100}", "time_limit", 1, 4);
  add_row (rows, "push", "crisp", "CRISP", "{}", "{\"N\":100,\"mu\":0.5}", "solved", 2, 0.1);
  add_row (rows, "push", "crisp", "CRISP", "{}", "{\"mu\":0.1,\"N\":100}", "stalled", 9, 0.3);
  return rows;
}

static void
what_differs_is_an_axis (void)
{
  g_autoptr (SsappRunSet) set = ssapp_run_set_new (four_runs ());

  SS_CHECK (set->axes->len == 1); /* N is the same everywhere */
  SS_CHECK_STR (axis_at (set, 0)->name, "mu");
  SS_CHECK (axis_at (set, 0)->is_number && axis_at (set, 0)->n_values == 2);
  SS_CHECK (axis_at (set, 0)->values[0] == 0.1 && axis_at (set, 0)->values[1] == 0.5);
  SS_CHECK_STR (axis_at (set, 0)->texts[1], "0.5");
  SS_CHECK (set->n_problems == 2);
  SS_CHECK (item_at (set, 0)->problem == item_at (set, 1)->problem);
  SS_CHECK (item_at (set, 0)->problem != item_at (set, 3)->problem);
  SS_CHECK_STR (set->problems[item_at (set, 3)->problem], "μ 0.1");
  SS_CHECK (ssapp_run_set_find_axis (set, "mu") == 0 && ssapp_run_set_find_axis (set, "N") == -1);
}

static void
options_that_differ_name_methods (void)
{
  g_autoptr (SsappRunSet) set = ssapp_run_set_new (four_runs ());

  SS_CHECK (set->methods->len == 3);
  SS_CHECK_STR (method_at (set, 0)->label, "CRISP");
  SS_CHECK_STR (method_at (set, 1)->label, "CRISP, relax 10");
  SS_CHECK_STR (method_at (set, 2)->label, "Ipopt");
  SS_CHECK (item_at (set, 0)->method == 1 && item_at (set, 1)->method == 2 && item_at (set, 2)->method == 0);
  /* CRISP and Ipopt look as everywhere, the second CRISP as neither. */
  SS_CHECK (method_at (set, 0)->look == -1 && method_at (set, 2)->look == -1);
  SS_CHECK (method_at (set, 1)->look >= 0 &&
            method_at (set, 1)->look != ss_method_lookup (method_at (set, 0)->id)->look &&
            method_at (set, 1)->look != ss_method_lookup (method_at (set, 2)->id)->look);
  g_autofree char *words = ssapp_run_set_get_words (set, 0);
  SS_CHECK_STR (words, "CRISP, relax 10, μ 0.5");
}

/* Of runs with one name what differs is told, then a note, then a number; a name of its own stays. */
static void
runs_are_told_apart (void)
{
  GPtrArray *rows = four_runs ();
  for (int i = 0; i < 3; i++)
    add_row (rows, "push", "crisp", "CRISP", "{}", "{\"mu\":0.1,\"N\":100}", "stalled", 9, 0.3);
  ((SsappRunRow *)g_ptr_array_index (rows, 0))->note = g_strdup ("is told by its options");
  ((SsappRunRow *)g_ptr_array_index (rows, 6))->note = g_strdup ("closed loop: kick\nof 1 m/s");
  g_autoptr (SsappRunSet) set = ssapp_run_set_new (rows);
  static const char *const expected[] = {"CRISP, relax 10, μ 0.5",
                                         "Mine",
                                         "CRISP, μ 0.5",
                                         "CRISP, μ 0.1 (1)",
                                         "CRISP, μ 0.1 (2)",
                                         "CRISP, μ 0.1 (3)",
                                         "CRISP, μ 0.1, closed loop: kick"};
  g_auto (GStrv) names = g_strsplit ("CRISP;Mine;CRISP;CRISP;CRISP;CRISP;CRISP", ";", -1);

  ssapp_run_set_tell_apart (set, names);
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    SS_CHECK_STR (names[i], expected[i]);
}

/* Methods that this program does not know, or knows of the user alone, look like no other method of the set. */
static void
methods_from_elsewhere_have_looks (void)
{
  GPtrArray *rows = rows_new ();

  add_row (rows, "push", "ipopt", "Ipopt", "{}", "{}", "solved", 3, 0.2);
  add_row (rows, "push", "slsqp", "SLSQP", "{}", "{}", "solved", 3, 0.2);
  add_row (rows, "push", "cobyla", "COBYLA", "{}", "{}", "solved", 3, 0.2);
  g_autoptr (SsappRunSet) set = ssapp_run_set_new (rows);
  const int ours = ss_method_find (SS_METHOD_OPTIMISER, "ipopt", NULL)->look;
  int looks[3], n = 0;
  for (guint m = 0; m < set->methods->len; m++)
    looks[n++] = method_at (set, m)->look >= 0 ? method_at (set, m)->look : ours;
  SS_CHECK (n == 3 && looks[0] != looks[1] && looks[0] != looks[2] && looks[1] != looks[2]);
}

/* However an option was written, the label has the shortest number. */
static void
numbers_in_labels_are_short (void)
{
  static const char *const texts[] = {
      "\"1.0000000000000001e-5\"", "9.9999999999999995e-08", "\"20000\"", "0.001", "\"warm\"", "2000000", "[1, true]"};
  static const char *const labels[] = {"CRISP, a 0.001", "CRISP, a 1e-5",     "CRISP, a 1e-7", "CRISP, a 20000",
                                       "CRISP, a 2e6",   "CRISP, a [1,true]", "CRISP, a warm"};
  GPtrArray *rows = rows_new ();

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++) {
    g_autofree char *options = g_strdup_printf ("{\"a\":%s}", texts[i]);
    add_row (rows, "push", "crisp", "CRISP", options, "{}", "solved", 1, 1);
  }
  g_autoptr (SsappRunSet) set = ssapp_run_set_new (rows);
  SS_CHECK (set->methods->len == G_N_ELEMENTS (labels));
  for (guint m = 0; m < set->methods->len && m < G_N_ELEMENTS (labels); m++)
    SS_CHECK_STR (method_at (set, m)->label, labels[m]);
}

static void
states_are_by_outcome (void)
{
  GPtrArray *rows = rows_new ();
  const char *const outcomes[] = {"solved", "completed", "stalled", "running", "interrupted", "what?", "machine_slow"};
  const SsappRunState states[] = {SSAPP_RUN_SOLVED,   SSAPP_RUN_SOLVED,   SSAPP_RUN_UNSOLVED, SSAPP_RUN_RUNNING,
                                  SSAPP_RUN_UNSOLVED, SSAPP_RUN_UNSOLVED, SSAPP_RUN_SLOW};

  for (guint i = 0; i < G_N_ELEMENTS (outcomes); i++)
    add_row (rows, "push", "crisp", "CRISP", "{}", "{}", outcomes[i], 1, 1);
  g_autoptr (SsappRunSet) set = ssapp_run_set_new (rows);
  for (guint i = 0; i < G_N_ELEMENTS (outcomes); i++)
    SS_CHECK (item_at (set, i)->state == states[i]);
  SS_CHECK (set->n_problems == 1 && set->methods->len == 1 && set->axes->len == 0);
  SS_CHECK_STR (set->problems[0], "");
}

static void
the_best_is_of_solved_runs_that_are_shown (void)
{
  g_autoptr (SsappRunSet) set = ssapp_run_set_new (four_runs ());
  const guint problem = item_at (set, 0)->problem;
  const gboolean hidden[3] = {TRUE, FALSE, FALSE};

  SS_CHECK (ssapp_run_set_best (set, problem, SS_METRIC_OBJECTIVE, NULL) == 2);
  SS_CHECK (ssapp_run_set_best (set, problem, SS_METRIC_OBJECTIVE, hidden) == 3);
  SS_CHECK (isnan (ssapp_run_set_best (set, item_at (set, 3)->problem, SS_METRIC_OBJECTIVE, NULL)));
  SS_CHECK (ssapp_run_set_get (set, 1, SS_METRIC_CPU_SECONDS) == 4);
  SS_CHECK (isnan (ssapp_run_set_get (set, 1, SS_METRIC_STEPS)));
}

/* A parameter that only some runs set, scenarios of one name with other texts, seeds, texts that are no JSON. */
static void
odd_rows_have_places_too (void)
{
  GPtrArray *rows = rows_new ();

  add_row (rows, "push", "crisp", "CRISP", "{}", "{}", "solved", 1, 1);
  add_row (rows, "push", "crisp", "CRISP", "no JSON", "{\"mu\":1}", "solved", 1, 1);
  add_row (rows, "push", "crisp", "CRISP", "[]", "{\"mu\":1.0000001}", "solved", 1, 1);
  ((SsappRunRow *)g_ptr_array_index (rows, 1))->scenario_sha256 = (char *)"fedcba9876543210";
  ((SsappRunRow *)g_ptr_array_index (rows, 2))->seed = 5;
  g_autoptr (SsappRunSet) set = ssapp_run_set_new (rows);
  SS_CHECK (set->axes->len == 3 && set->n_problems == 3 && set->methods->len == 1);
  SS_CHECK_STR (axis_at (set, 0)->name, "scenario");
  SS_CHECK_STR (axis_at (set, 0)->texts[0], "push (012345)");
  SS_CHECK_STR (axis_at (set, 0)->texts[1], "push (fedcba)");
  SS_CHECK_STR (axis_at (set, 1)->name, "mu");
  SS_CHECK (axis_at (set, 1)->n_values == 3 && isnan (axis_at (set, 1)->values[0]));
  SS_CHECK_STR (axis_at (set, 1)->texts[0], "default");
  SS_CHECK_STR (axis_at (set, 1)->texts[1], "1");
  SS_CHECK_STR (axis_at (set, 1)->texts[2], "1.0000001");
  SS_CHECK_STR (axis_at (set, 2)->name, "seed");
}

/* What is asked of runs is a truth where all that tell it say 0 or 1 and it has no unit: then its share stands for
 * several runs, else their median. */
static void
what_holds_or_not_has_a_share (void)
{
  static const struct {
    const char *outcome;
    double values[3];
    gboolean is_truth;
    double middle;
  } cases[] = {{"outcomes.fell", {1, 0, 1}, TRUE, 2. / 3},    {"outcomes.fell", {1, NAN, 0}, TRUE, 0.5},
               {"outcomes.fell", {1, 1, 1}, TRUE, 1},         {"outcomes.fell", {0, NAN, NAN}, TRUE, 0},
               {"outcomes.fell", {1, 0.5, 0.25}, FALSE, 0.5}, {"outcomes.fell", {0, 0, 2}, FALSE, 0},
               {"outcomes.fell", {-1, 0, 1}, FALSE, 0},       {"outcomes.fell", {NAN, NAN, NAN}, FALSE, NAN},
               {"outcomes.height [m]", {1, 0, 1}, FALSE, 1},  {NULL, {1, 0, 1}, FALSE, 1}};

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    const SsMetric metric =
        cases[i].outcome != NULL ? ssapp_metric_outcome_of_row (cases[i].outcome) : SS_METRIC_SUCCESS_PAPER;
    GPtrArray *rows = rows_new ();
    for (guint k = 0; k < 3; k++)
      ssapp_run_row_set_metric (add_row (rows, "push", "crisp", "CRISP", "{}", "{}", "solved", 1, 1), metric,
                                cases[i].values[k]);
    g_autoptr (SsappRunSet) set = ssapp_run_set_new (rows);
    const double middle = ssapp_run_set_middle (set, metric, cases[i].values, 3);
    SS_CHECK (ssapp_run_set_is_truth (set, metric) == cases[i].is_truth);
    SS_CHECK (isnan (cases[i].middle) ? isnan (middle) : fabs (middle - cases[i].middle) < 1e-15);
  }
}

static void
an_empty_set_has_nothing (void)
{
  g_autoptr (SsappRunSet) set = ssapp_run_set_new (rows_new ());

  SS_CHECK (set->items->len == 0 && set->n_problems == 0 && set->methods->len == 0 && set->axes->len == 0);
}

/* Items of each problem are found, each once, in a set of many random rows. */
static void
items_of_problems_are_a_partition (void)
{
  GRand *random = g_rand_new_with_seed (3);
  GPtrArray *rows = rows_new ();

  for (int i = 0; i < 500; i++) {
    g_autofree char *parameters =
        g_strdup_printf ("{\"a\":%d,\"b\":%d}", g_rand_int_range (random, 0, 7), g_rand_int_range (random, 0, 3));
    add_row (rows, "push", i % 3 ? "crisp" : "ipopt", i % 3 ? "CRISP" : "Ipopt", "{}", parameters, "solved", i, 1);
  }
  g_autoptr (SsappRunSet) set = ssapp_run_set_new (rows);
  guint seen = 0;
  SS_CHECK (set->n_problems == 21);
  for (guint p = 0; p < set->n_problems; p++)
    for (guint k = set->first_of[p]; k < set->first_of[p + 1]; k++) {
      const SsappRunItem *item = item_at (set, set->items_of[k]);
      g_autofree char *words = g_strdup_printf ("a %g, b %g", axis_at (set, 0)->values[item->places[0]],
                                                axis_at (set, 1)->values[item->places[1]]);
      SS_CHECK (item->problem == p);
      SS_CHECK_STR (words, set->problems[p]);
      seen++;
    }
  SS_CHECK (seen == 500);
  g_rand_free (random);
}

int
main (void)
{
  SS_RUN (what_differs_is_an_axis);
  SS_RUN (options_that_differ_name_methods);
  SS_RUN (runs_are_told_apart);
  SS_RUN (methods_from_elsewhere_have_looks);
  SS_RUN (numbers_in_labels_are_short);
  SS_RUN (states_are_by_outcome);
  SS_RUN (the_best_is_of_solved_runs_that_are_shown);
  SS_RUN (odd_rows_have_places_too);
  SS_RUN (what_holds_or_not_has_a_share);
  SS_RUN (an_empty_set_has_nothing);
  SS_RUN (items_of_problems_are_a_partition);
  return ss_test_finish ();
}
