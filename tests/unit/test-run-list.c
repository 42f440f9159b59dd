/* tests/unit/test-run-list.c: lists of runs: sorted and filtered as somebody would who reads every row, unknown values
 * last, what is typed wrong said, what differs found, as a table. */
#include "app/base/ssapp-run-column.h"
#include "app/base/ssapp-outcome.h"
#include "app/session/ssapp-run-list.h"
#include "app/store/ssapp-store-steps.h"
#include "app/store/ssapp-store-study.h"
#include "tests/ss-test.h"
#include "tests/unit/run-rows.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

static SsappRunRow *
make_row (int k, const char *method, const char *scenario, const char *outcome, double objective)
{
  SsappRunRow *row = g_new0 (SsappRunRow, 1);
  GString *texts = g_string_new (NULL);
  const char *const parts[] = {method,
                               scenario,
                               outcome,
                               k % 3 == 0 ? "Looks odd" : "",
                               "optimiser",
                               "",
                               k % 4 == 0   ? "paper, old"
                               : k % 4 == 1 ? "paper2"
                                            : ""};
  gsize at[G_N_ELEMENTS (parts) + 4];
  g_autofree char *id = g_strdup_printf ("%04d-run", k),
                  *started = g_strdup_printf ("2026-01-%02dT10:00:00.000Z", 1 + k % 28),
                  *parameters = k % 2 == 0 ? g_strdup_printf ("{\"mu\": 0.%d, \"N\": %d}", k % 5, 10) : g_strdup ("{}"),
                  *options = g_strdup_printf ("{\"relax\": %d, \"mode\": \"%s\"}", k % 4, k % 3 == 0 ? "slow" : "fast");
  const char *const own[] = {id, started, parameters, options};

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++) {
    at[i] = texts->len;
    g_string_append_len (texts, parts[i], (gssize)strlen (parts[i]) + 1);
  }
  for (guint i = 0; i < 4; i++) {
    at[G_N_ELEMENTS (parts) + i] = texts->len;
    g_string_append_len (texts, own[i], (gssize)strlen (own[i]) + 1);
  }
  row->texts = g_string_free (texts, FALSE);
  char **const members[] = {&row->method,    &row->scenario_name,   &row->outcome,     &row->note,
                            &row->kind_name, &row->start,           &row->tags,        &row->id,
                            &row->started,   &row->parameters_json, &row->options_json};
  for (guint i = 0; i < G_N_ELEMENTS (members); i++)
    *members[i] = row->texts + at[i];
  row->message = row->ended = row->replay_of = row->solution_of = row->label = row->scenario_sha256 = row->start;
  row->kind = SS_METHOD_OPTIMISER;
  row->seed = (guint64)(k % 2);
  ssapp_run_row_set_metric (row, SS_METRIC_OBJECTIVE, objective);
  if (k % 7 != 0)
    ssapp_run_row_set_metric (row, SS_METRIC_ITERATIONS, k % 11);
  return row;
}

enum { N = 2000 };

static SsappRunList *
make_list (void)
{
  static const char *const methods[] = {"crisp", "ipopt", "scholtes"},
                           *const scenarios[] = {"push-box", "Push T", "Übung"},
                           *const outcomes[] = {"solved", "max_iterations", "failed"};
  GPtrArray *rows = g_ptr_array_new_with_free_func ((GDestroyNotify)ssapp_run_row_free);
  g_autoptr (GRand) draw = g_rand_new_with_seed (3);

  for (int k = 0; k < N; k++)
    g_ptr_array_add (rows, make_row (k, methods[k % 3], scenarios[g_rand_int_range (draw, 0, 3)],
                                     outcomes[g_rand_int_range (draw, 0, 3)],
                                     k % 13 == 0 ? NAN : g_rand_int_range (draw, 0, 50) / 4.0));
  return ssapp_run_list_new (rows);
}

/* ---- order ------------------------------------------------------------------------------------------------------- */

/* Each row stands where it must beside its neighbour, all are there once. */
static void
numbers_are_sorted (void)
{
  static const SsappRunColumn column = {.kind = SSAPP_RUN_COLUMN_METRIC, .metric = SS_METRIC_OBJECTIVE};
  g_autoptr (SsappRunList) list = make_list ();

  for (int descending = 0; descending < 2; descending++) {
    g_autofree guint8 *seen = g_new0 (guint8, N);
    gboolean is_sorted = TRUE, is_stable = TRUE;
    ssapp_run_list_sort (list, &column, descending != 0);
    SS_CHECK (ssapp_run_list_get_n_shown (list) == N);
    for (guint i = 0; i < N; i++) {
      const guint row = ssapp_run_list_get_shown (list, i),
                  before = i > 0 ? ssapp_run_list_get_shown (list, i - 1) : row;
      const double value = ssapp_run_list_get_number (list, row, &column),
                   last = ssapp_run_list_get_number (list, before, &column);
      seen[row]++;
      is_sorted = is_sorted && (isnan (value) || (!isnan (last) && (descending ? last >= value : last <= value)));
      is_stable = is_stable && (i == 0 || !(value == last || (isnan (value) && isnan (last))) || before < row);
    }
    SS_CHECK (is_sorted && is_stable && memchr (seen, 0, N) == NULL);
  }
}

static void
texts_are_sorted (void)
{
  static const SsappRunColumn scenario = {.kind = SSAPP_RUN_COLUMN_SCENARIO}, note = {.kind = SSAPP_RUN_COLUMN_NOTE},
                              id = {.kind = SSAPP_RUN_COLUMN_ID};
  g_autoptr (SsappRunList) list = make_list ();
  SsappRunColumn mu;
  guint i = 0;

  ssapp_run_list_sort (list, &scenario, FALSE);
  for (i = 1; i < N; i++) {
    g_autofree char *a = ssapp_run_list_dup_text (list, ssapp_run_list_get_shown (list, i - 1), &scenario),
                    *b = ssapp_run_list_dup_text (list, ssapp_run_list_get_shown (list, i), &scenario),
                    *small_a = g_utf8_casefold (a, -1), *small_b = g_utf8_casefold (b, -1);
    if (strcmp (small_a, small_b) > 0)
      break;
  }
  SS_CHECK (i == N);
  /* Empty ones are last both ways. */
  for (int descending = 0; descending < 2; descending++) {
    ssapp_run_list_sort (list, &note, descending != 0);
    SS_CHECK (ssapp_run_list_get_row (list, ssapp_run_list_get_shown (list, 0))->note[0] != '\0');
    SS_CHECK (ssapp_run_list_get_row (list, ssapp_run_list_get_shown (list, N - 1))->note[0] == '\0');
  }
  /* A parameter by its size, 0.4 first where it descends; runs without it last. */
  SS_CHECK (ssapp_run_list_find_column (list, "mu", &mu, NULL) && mu.kind == SSAPP_RUN_COLUMN_FIELD);
  ssapp_run_list_sort (list, &mu, TRUE);
  SS_CHECK (ssapp_run_list_get_number (list, ssapp_run_list_get_shown (list, 0), &mu) == 0.4);
  SS_CHECK (isnan (ssapp_run_list_get_number (list, ssapp_run_list_get_shown (list, N - 1), &mu)));
  ssapp_run_list_sort (list, &id, TRUE);
  SS_CHECK (ssapp_run_list_get_shown (list, 0) == N - 1);
  ssapp_run_list_sort (list, NULL, FALSE);
  SS_CHECK (ssapp_run_list_get_shown (list, 0) == 0 && ssapp_run_list_get_shown (list, N - 1) == N - 1);
}

/* ---- filter ------------------------------------------------------------------------------------------------------ */

static gboolean
has (const char *text, const char *part)
{
  g_autofree char *a = g_utf8_casefold (text, -1), *b = g_utf8_casefold (part, -1);
  return strstr (a, b) != NULL;
}

static gboolean
is_push_box (const SsappRunRow *row, int k)
{
  (void)k;
  return has (row->scenario_name, "push-box");
}

static gboolean
is_cheap (const SsappRunRow *row, int k)
{
  (void)k;
  return strcmp (row->method, "crisp") == 0 && ssapp_run_row_get_metric (row, SS_METRIC_OBJECTIVE) < 7;
}

static gboolean
is_seven_or_more (const SsappRunRow *row, int k)
{
  (void)k;
  return ssapp_run_row_get_metric (row, SS_METRIC_OBJECTIVE) >= 7 && !has (row->note, "odd");
}

static gboolean
has_push_t (const SsappRunRow *row, int k)
{
  (void)k;
  return has (row->scenario_name, "push t") && strcmp (row->outcome, "max_iterations") == 0;
}

static gboolean
has_mu (const SsappRunRow *row, int k)
{
  (void)row;
  return k % 2 == 0 && k % 5 == 3;
}

static gboolean
is_slow (const SsappRunRow *row, int k)
{
  (void)row;
  return k % 3 == 0 && k % 4 >= 2;
}

static gboolean
is_early (const SsappRunRow *row, int k)
{
  (void)row;
  return 1 + k % 28 <= 5 && k % 2 == 1;
}

static gboolean
is_either (const SsappRunRow *row, int k)
{
  (void)row;
  return k % 3 != 2;
}

static gboolean
is_umlaut (const SsappRunRow *row, int k)
{
  (void)k;
  return strcmp (row->scenario_name, "Übung") == 0;
}

static gboolean
is_paper (const SsappRunRow *row, int k)
{
  (void)row;
  return k % 4 == 0;
}

static gboolean
is_paper_or_paper2 (const SsappRunRow *row, int k)
{
  (void)row;
  return k % 4 < 2;
}

static gboolean
is_any (const SsappRunRow *row, int k)
{
  (void)row;
  (void)k;
  return TRUE;
}

static gboolean
is_solver_label (const SsappRunRow *row, int k)
{
  (void)row;
  return k % 3 == 0 && k % 7 != 0 && k % 11 == 3;
}

static void
filters_find_what_a_reader_finds (void)
{
  static const struct {
    const char *text;
    gboolean (*holds) (const SsappRunRow *row, int k);
  } cases[] = {{"", is_any},
               {"  ", is_any},
               {"push-box", is_push_box},
               {"scenario:PUSH-box", is_push_box},
               {"scenario=push-box", is_push_box},
               {"method:crisp objective<7", is_cheap},
               {"objective<7 Method=CRISP", is_cheap},
               {"objective>=7 -odd", is_seven_or_more},
               {"objective>=7 -note:odd", is_seven_or_more},
               {"\"push t\" outcome=max_iterations", has_push_t},
               {"scenario:\"push t\" outcome:\"iteration limit\"", has_push_t},
               {"mu=0.3", has_mu},
               {"mu>0.2 mu<=0.30", has_mu},
               {"mode=slow relax>1", is_slow},
               {"mode:slow relax!=0 -relax=1", is_slow},
               {"started<=2026-01-05 seed=1", is_early},
               {"date<2026-01-06 seed:1", is_early},
               {"method:crisp,ipopt", is_either},
               {"-method=scholtes", is_either},
               {"übung", is_umlaut},
               {"tag=paper", is_paper},
               {"tag=OLD,new", is_paper},
               {"tag:paper", is_paper_or_paper2},
               {"tags:paper -tag=paper2 paper", is_paper},
               {"crisp iterations=3", is_solver_label}};
  g_autoptr (SsappRunList) list = make_list ();
  static const SsappRunColumn column = {.kind = SSAPP_RUN_COLUMN_METRIC, .metric = SS_METRIC_OBJECTIVE};

  ssapp_run_list_sort (list, &column, FALSE); /* the order stays whatever is shown */
  for (guint c = 0; c < G_N_ELEMENTS (cases); c++) {
    g_autoptr (GError) error = NULL;
    g_autofree guint8 *shown = g_new0 (guint8, N);
    guint wrong = 0, n = 0;
    double last = -INFINITY;
    gboolean is_sorted = TRUE;
    SS_CHECK (ssapp_run_list_filter (list, cases[c].text, &error));
    for (guint i = 0; i < ssapp_run_list_get_n_shown (list); i++) {
      const guint row = ssapp_run_list_get_shown (list, i);
      const double value = ssapp_run_list_get_number (list, row, &column);
      shown[row]++;
      is_sorted = is_sorted && !(value < last);
      last = value;
    }
    for (int k = 0; k < N; k++) {
      const gboolean expected = cases[c].holds (ssapp_run_list_get_row (list, (guint)k), k);
      wrong += shown[k] != (expected ? 1 : 0);
      n += expected;
    }
    if (wrong > 0 || error != NULL)
      fprintf (stderr, "“%s”: %u of %u rows wrong %s\n", cases[c].text, wrong, n, error != NULL ? error->message : "");
    SS_CHECK (wrong == 0 && is_sorted && n > 0);
  }
}

static void
mistakes_are_told (void)
{
  static const struct {
    const char *text, *message;
  } cases[] = {{"objective<abc", "“objective” is compared with a number, not “abc”"},
               {"objective<", "“objective” is compared with a number, not “”"},
               {"method<7", "“method” is a text: write method:7"},
               {"mu<slow", "after < and > comes a number: “mu” is compared with “slow”"},
               {"scenari:push", "no run has a metric, parameter or option “scenari”; did you mean “scenario”?"},
               {"zzzzzz=1", "no run has a metric, parameter or option “zzzzzz”"}};
  g_autoptr (SsappRunList) list = make_list ();

  SS_CHECK (ssapp_run_list_filter (list, "method:crisp", NULL));
  const guint n = ssapp_run_list_get_n_shown (list);
  for (guint c = 0; c < G_N_ELEMENTS (cases); c++) {
    g_autoptr (GError) error = NULL;
    SS_CHECK (!ssapp_run_list_filter (list, cases[c].text, &error));
    SS_CHECK_STR (error != NULL ? error->message : "", cases[c].message);
    SS_CHECK (ssapp_run_list_get_n_shown (list) == n); /* what was shown stays */
  }
  /* No mistakes: quotes that end nowhere, and operators between quotes. */
  SS_CHECK (ssapp_run_list_filter (list, "\"push", NULL) && ssapp_run_list_get_n_shown (list) > 0);
  SS_CHECK (ssapp_run_list_filter (list, "\"a<b\"", NULL) && ssapp_run_list_get_n_shown (list) == 0);
}

static void
nothing_is_no_trouble (void)
{
  static const SsappRunColumn column = {.kind = SSAPP_RUN_COLUMN_METHOD};
  g_autoptr (SsappRunList) list = ssapp_run_list_new (NULL);
  g_autoptr (SsappTable) table = NULL;

  ssapp_run_list_sort (list, &column, TRUE);
  SS_CHECK (ssapp_run_list_filter (list, "push", NULL) && ssapp_run_list_get_n_shown (list) == 0);
  SS_CHECK (!ssapp_run_list_differs (list, &column) && ssapp_run_list_get_n_fields (list) == 0);
  table = ssapp_run_list_to_table (list, "Runs", NULL, 0, TRUE, FALSE);
  SS_CHECK (ssapp_table_get_n_rows (table) == 0);
}

/* ---- what differs ------------------------------------------------------------------------------------------------ */

static void
columns_differ (void)
{
  g_autoptr (SsappRunList) list = make_list ();
  g_autoptr (GArray) all = NULL, differing = NULL;
  g_autoptr (GString) names = g_string_new (NULL);

  /* Runs 0, 12, 24 ... of CRISP: relax 0, mode slow; mu and scenario and outcome differ, N and seed do not. */
  SS_CHECK (ssapp_run_list_filter (list, "method=crisp relax=0 seed=0", NULL));
  SS_CHECK (ssapp_run_list_get_n_shown (list) > 100);
  differing = ssapp_run_list_columns (list, TRUE);
  for (guint i = 0; i < differing->len; i++) {
    g_autofree char *title = ssapp_run_list_dup_title (list, &g_array_index (differing, SsappRunColumn, i));
    g_string_append_printf (names, "%s ", title);
  }
  SS_CHECK_STR (names->str, "Method Scenario Outcome mu ");
  g_string_truncate (names, 0);
  all = ssapp_run_list_columns (list, FALSE);
  for (guint i = 0; i < all->len; i++) {
    g_autofree char *title = ssapp_run_list_dup_title (list, &g_array_index (all, SsappRunColumn, i));
    g_string_append_printf (names, "%s ", title);
  }
  SS_CHECK_STR (names->str, "Method Scenario Outcome mu N mode relax ");
}

static void
runs_become_a_table (void)
{
  const SsMetric asked[] = {SS_METRIC_OBJECTIVE, SS_METRIC_ENERGY_FINAL, SS_METRIC_ITERATIONS};
  static const SsappRunColumn column = {.kind = SSAPP_RUN_COLUMN_METRIC, .metric = SS_METRIC_OBJECTIVE};
  g_autoptr (SsappRunList) list = make_list ();
  SsMetric metrics[3];

  memcpy (metrics, asked, sizeof metrics);
  SS_CHECK (ssapp_run_list_filter (list, "scenario=push-box mu=0.2", NULL));
  ssapp_run_list_sort (list, &column, FALSE);
  /* Nobody has an energy: there is no column of it. */
  const guint n = ssapp_run_list_known_metrics (list, metrics, 3);
  SS_CHECK (n == 2 && metrics[1] == SS_METRIC_ITERATIONS);
  g_autoptr (SsappTable) table = ssapp_run_list_to_table (list, "Runs", metrics, n, FALSE, TRUE);
  g_autofree char *lines = ssapp_table_write (table, SSAPP_TABLE_JSON_LINES);
  g_auto (GStrv) rows = g_strsplit (lines, "\n", -1);
  json_t *first = json_loads (rows[0], 0, NULL);
  const SsappRunRow *row = ssapp_run_list_get_row (list, ssapp_run_list_get_shown (list, 0));
  SS_CHECK (ssapp_table_get_n_rows (table) == ssapp_run_list_get_n_shown (list));
  SS_CHECK_STR (json_string_value (json_object_get (first, "run")), row->id);
  SS_CHECK (json_number_value (json_object_get (first, "objective")) ==
            ssapp_run_row_get_metric (row, SS_METRIC_OBJECTIVE));
  SS_CHECK (json_number_value (json_object_get (first, "mu")) == 0.2);
  SS_CHECK_STR (json_string_value (json_object_get (first, "started")), row->started);
  json_decref (first);
}

/* Rows of which one is the cheapest; what stands between it and being bold. */
static SsappRunList *
list_of_two (const char *cheap_scenario, const char *cheap_parameters, const char *cheap_outcome, double cheap)
{
  GPtrArray *rows = rows_new ();
  SsappRunRow *first, *second;

  first = add_row (rows, cheap_scenario, "crisp", "CRISP", "{}", cheap_parameters, cheap_outcome, cheap, 1);
  second = add_row (rows, "push-box", "ipopt", "Ipopt", "{}", "{}", "solved", 2, 1);
  first->id = (char *)"cheap", second->id = (char *)"other";
  return ssapp_run_list_new (rows);
}

static gboolean
cheap_is_best (SsappRunList *list)
{
  const SsMetric metric = SS_METRIC_OBJECTIVE;
  g_autoptr (SsappTable) table = ssapp_run_list_to_table (list, "Runs", &metric, 1, FALSE, FALSE);
  guint column = ssapp_table_get_n_columns (table) - 1;

  SS_CHECK (!ssapp_table_is_best (table, 1, column));
  return ssapp_table_is_best (table, 0, column);
}

static void
the_best_is_of_one_problem (void)
{
  static const struct {
    const char *scenario, *parameters, *outcome;
    double objective;
    gboolean is_best;
  } cases[] = {{"push-box", "{}", "solved", 1, TRUE},          {"push-box", "{}", "failed", 1, FALSE},
               {"push-box", "{}", "max_iterations", 1, FALSE}, {"push-box", "{}", "running", 1, FALSE},
               {"push-t", "{}", "solved", 1, FALSE},           {"push-box", "{\"mu\": 0.9}", "solved", 1, FALSE},
               {"push-box", "{}", "solved", 1.9999999, FALSE}};

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (SsappRunList) list =
        list_of_two (cases[i].scenario, cases[i].parameters, cases[i].outcome, cases[i].objective);
    SS_CHECK (cheap_is_best (list) == cases[i].is_best);
  }
  /* Another text under the same name, another seed, start or horizon. */
  for (int what = 0; what < 4; what++) {
    g_autoptr (SsappRunList) list = list_of_two ("push-box", "{}", "solved", 1);
    SsappRunRow *row = (SsappRunRow *)ssapp_run_list_get_row (list, 0);
    GHashTable *steps = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
    SsappAskedSteps *asked = g_new0 (SsappAskedSteps, 1);
    asked->dt = NAN;
    asked->t_end = 0.5;
    if (what == 0)
      row->scenario_sha256 = (char *)"fedcba9876543210";
    else if (what == 1)
      row->seed = 7;
    else if (what == 2)
      row->start = (char *)"a-run";
    if (what == 3)
      g_hash_table_insert (steps, g_strdup ("cheap"), asked);
    else
      g_free (asked);
    ssapp_run_list_set_steps (list, steps);
    SS_CHECK (!cheap_is_best (list));
  }
}

static void
outcomes_have_words (void)
{
  SS_CHECK_STR (ssapp_outcome_label ("max_iterations"), "Iteration limit");
  SS_CHECK_STR (ssapp_outcome_label ("unbounded"), "Unbounded");
  SS_CHECK_STR (ssapp_outcome_label (NULL), "Ready");
  SS_CHECK_STR (ssapp_outcome_label ("of another version"), "of another version");
}

/* ---- groups ------------------------------------------------------------------------------------------------------ */

static void
study_free (gpointer data)
{
  SsappRunStudy *study = data;

  g_free (study->id);
  g_free (study->title);
  g_free (study->task);
  g_free (study);
}

/* Runs 1, 2, 4 are of one study, with speeds 3, 1, 2; 0 and 3 of none. */
static SsappRunList *
make_grouped (GHashTable *open)
{
  static const double speeds[] = {0, 3, 1, 0, 2};
  GPtrArray *rows = rows_new ();
  GHashTable *studies = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, study_free);

  for (int k = 0; k < 5; k++) {
    SsappRunRow *row = make_row (k, k == 3 ? "ipopt" : "crisp", "push-box", k == 2 ? "failed" : "solved", 10 - k);
    g_ptr_array_add (rows, row);
    if (k == 0 || k == 3)
      continue;
    SsappRunStudy *study = g_new (SsappRunStudy, 1);
    *study = (SsappRunStudy){g_strdup ("s"), g_strdup ("Law"), g_strdup_printf ("{\"speed\": %g}", speeds[k])};
    g_hash_table_insert (studies, g_strdup (row->id), study);
  }
  SsappRunList *list = ssapp_run_list_new (rows);
  ssapp_run_list_set_studies (list, studies);
  ssapp_run_list_group (list, open);
  return list;
}

/* " 0 [3] 1*": rows, those of groups marked, and heads with how many runs they have. */
static void
check_lines (SsappRunList *list, const char *wanted)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < ssapp_run_list_get_n_lines (list); i++) {
    const SsappRunLine line = ssapp_run_list_get_line (list, i);
    if (line.row == SSAPP_RUN_LIST_HEAD)
      g_string_append_printf (text, " [%u]", ssapp_run_list_get_group_rows (list, line.group)->len);
    else
      g_string_append_printf (text, " %u%s", line.row, line.group > 0 ? "*" : "");
  }
  SS_CHECK_STR (text->str, wanted);
}

static void
runs_of_a_study_are_one_line (void)
{
  g_autoptr (GHashTable) open = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (SsappRunList) list = make_grouped (open);
  SsappRunColumn column;

  check_lines (list, " 0 [3] 3");
  g_hash_table_add (open, (gpointer) "s");
  ssapp_run_list_group (list, open);
  check_lines (list, " 0 [3] 1* 2* 4* 3");
  /* sorted, the head stands where the first of its runs does, and so do these below it */
  SS_CHECK (ssapp_run_list_find_column (list, "speed", &column, NULL));
  ssapp_run_list_sort (list, &column, FALSE);
  check_lines (list, " [3] 2* 4* 1* 0 3");
  SS_CHECK_STR (ssapp_run_list_get_group_text (list, 1, &column), "1 to 3");
  column = (SsappRunColumn){.kind = SSAPP_RUN_COLUMN_OUTCOME};
  SS_CHECK_STR (ssapp_run_list_get_group_text (list, 1, &column), "2 solved, 1 not");
  column = (SsappRunColumn){.kind = SSAPP_RUN_COLUMN_SCENARIO};
  SS_CHECK_STR (ssapp_run_list_get_group_text (list, 1, &column), "push-box");
  column = (SsappRunColumn){.kind = SSAPP_RUN_COLUMN_NOTE};
  SS_CHECK_STR (ssapp_run_list_get_group_text (list, 1, &column), "");
  SS_CHECK_STR (ssapp_run_list_get_group_title (list, 1), "Law");
  /* what is found alone counts, also folded */
  SS_CHECK (ssapp_run_list_filter (list, "speed<2.5", NULL));
  check_lines (list, " [2] 2* 4*");
  column = (SsappRunColumn){.kind = SSAPP_RUN_COLUMN_METRIC, .metric = SS_METRIC_OBJECTIVE};
  SS_CHECK_STR (ssapp_run_list_get_group_text (list, 1, &column), "6 to 8");
  g_hash_table_remove_all (open);
  ssapp_run_list_group (list, open);
  check_lines (list, " [2]");
  SS_CHECK (ssapp_run_list_filter (list, "method:ipopt", NULL));
  check_lines (list, " 3");
  ssapp_run_list_group (list, NULL);
  SS_CHECK (ssapp_run_list_filter (list, "", NULL));
  check_lines (list, " 2 4 1 0 3");
}

/* A column with a slip of the pen is known by its name: all short ones, and metrics. */
static void
test_columns_are_suggested (void)
{
  static const char *const names[] = {"method",      "scenario",      "outcome", "started",   "note",
                                      "study",       "violation",     "time",    "cpu",       "tracking_error",
                                      "penetration", "max_violation", "error",   "objective", "replayed_objective"};

  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autofree char *slip = g_strconcat (names[i], "x", NULL);
    SS_CHECK_STR (ssapp_run_column_suggest (slip), names[i]);
  }
}

int
main (void)
{
  SS_RUN (numbers_are_sorted);
  SS_RUN (texts_are_sorted);
  SS_RUN (filters_find_what_a_reader_finds);
  SS_RUN (mistakes_are_told);
  SS_RUN (nothing_is_no_trouble);
  SS_RUN (columns_differ);
  SS_RUN (runs_become_a_table);
  SS_RUN (the_best_is_of_one_problem);
  SS_RUN (outcomes_have_words);
  SS_RUN (test_columns_are_suggested);
  SS_RUN (runs_of_a_study_are_one_line);
  return ss_test_finish ();
}
