/* tests/unit/test-bench.c: what suites of benchmarks print: every format of their tables holds the numbers of --json,
 * files of --to too, and options go to the methods that have them. What the numbers are is asked by tests/cli/. */
#include "app/bench/ssapp-bench.h"
#include "tests/ss-test-cli.h"

/* The shortest runs of suites whose numbers do not hang on a clock but where a column's name says so. */
static const struct {
  const char *command;
  int n_formats; /* of those below: what takes a part of a second is not run once for each */
} suites_asked[] = {
    {"bench fesd-order --steps 4,8 --quiet", 6},
    {"bench fesd-speed --bodies 1,2 --steps 3 --quiet", 6},
    {"bench laws --methods moreau-jean --quiet", 1},
    {"bench time-freezing --problems work --steps 4,8 --quiet", 1},
    {"bench simulate --bodies 3 --steps 4 --methods stewart-trinkle,moreau-jean --quiet", 6},
    {"bench edits --problems falling-box,skew-box --repeats 1 --quiet", 6},
    {"bench mpc push.stickslip.json --steps 2 --problems none,kick --quiet", 0},
};

static gboolean
is_of_a_clock (const char *key)
{
  static const char *const columns[] = {"median", "mean", "p95", "worst", "longest", "late", NULL},
                           *const words[] = {"cpu", "ms", "seconds", "microseconds", "ratio", "beside"};
  g_auto (GStrv) parts = g_strsplit (key, "_", -1);
  gboolean is = g_strv_contains (columns, key);

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    is = is || g_strv_contains ((const char *const *)parts, words[i]);
  return is;
}

/* Cells of a line; quotes keep commas. */
static GPtrArray *
cells_of (const char *line, char separator)
{
  GPtrArray *cells = g_ptr_array_new_with_free_func (g_free);
  GString *cell = g_string_new (NULL);
  gboolean is_quoted = FALSE;

  for (;; line++) {
    if (*line == '"' && separator == ',') {
      is_quoted = !is_quoted;
    } else if (*line == '\0' || (*line == separator && !is_quoted)) {
      g_ptr_array_add (cells, g_string_free (cell, FALSE));
      if (*line == '\0')
        return cells;
      cell = g_string_new (NULL);
    } else {
      g_string_append_c (cell, *line);
    }
  }
}

static gboolean
is_same (const json_t *value, const char *cell)
{
  double number;

  if (json_is_null (value))
    return *cell == '\0';
  if (json_is_string (value))
    return strcmp (json_string_value (value), cell) == 0;
  return ss_parse_double (cell, &number) && number == json_number_value (value);
}

/* Tables one below another, each with a line of keys, and an empty line between. */
static void
check_lines (const json_t *tables, const char *text, char separator)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  int at = 0;

  for (size_t t = 0; t < json_array_size (tables); t++) {
    const json_t *rows = json_object_get (json_array_get (tables, t), "rows");
    g_autoptr (GPtrArray) keys = cells_of (lines[at++], separator);
    SS_CHECK (keys->len == json_object_size (json_array_get (rows, 0)));
    for (size_t r = 0; r < json_array_size (rows) && lines[at] != NULL; r++) {
      g_autoptr (GPtrArray) cells = cells_of (lines[at++], separator);
      SS_CHECK (cells->len == keys->len);
      for (guint c = 0; c < MIN (cells->len, keys->len); c++) {
        const char *key = g_ptr_array_index (keys, c);
        const json_t *value = json_object_get (json_array_get (rows, r), key);
        SS_CHECK (value != NULL);
        if (!is_of_a_clock (key) && !is_same (value, g_ptr_array_index (cells, c))) {
          SS_CHECK (FALSE);
          printf ("  table %zu, row %zu, %s: %s\n", t, r, key, (const char *)g_ptr_array_index (cells, c));
        }
      }
    }
    SS_CHECK (lines[at] != NULL && *lines[at] == '\0');
    at += lines[at] != NULL;
  }
  SS_CHECK (lines[at] == NULL || (*lines[at] == '\0' && lines[at + 1] == NULL));
}

/* Objects, one a line. */
static void
check_objects (const json_t *tables, const char *text)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  int at = 0;

  for (size_t t = 0; t < json_array_size (tables); t++) {
    const json_t *rows = json_object_get (json_array_get (tables, t), "rows");
    for (size_t r = 0; r < json_array_size (rows); r++, at++) {
      json_t *line = lines[at] != NULL ? json_loads (lines[at], 0, NULL) : NULL, *value;
      const char *key;
      SS_CHECK (json_object_size (line) > 0);
      json_object_foreach (line, key, value)
      {
        const json_t *other = json_object_get (json_array_get (rows, r), key);
        SS_CHECK (is_of_a_clock (key) ||
                  (json_is_number (value) && json_number_value (value) == json_number_value (other)) ||
                  json_equal (value, (json_t *)other));
      }
      json_decref (line);
    }
    while (lines[at] != NULL && *lines[at] == '\0')
      at++;
  }
  SS_CHECK (lines[at] == NULL);
}

static int
count_of (const char *text, const char *words)
{
  int n = 0;

  for (const char *at = text; (at = strstr (at, words)) != NULL; at++)
    n++;
  return n;
}

static void
every_format_of_a_suite_has_the_same_numbers (void)
{
  static const char *const formats[] = {"csv", "jsonl", "tsv", "md", "tex", "text"};

  for (guint s = 0; s < G_N_ELEMENTS (suites_asked); s++) {
    g_autofree char *asks = g_strconcat (suites_asked[s].command, " --json", NULL);
    g_auto (GStrv) words = g_strsplit (suites_asked[s].command, " ", 3);
    const int before = ss_test_failed_checks;
    Said json = say (asks);
    json_t *report = json_loads (json.out, 0, NULL);
    const json_t *tables = json_object_get (report, "tables");
    int n_rows = 0;
    SS_CHECK_STR (json_string_value (json_object_get (report, "suite")), words[1]);
    SS_CHECK (json_is_true (json_object_get (report, "complete")) && json_array_size (tables) > 0);
    for (size_t t = 0; t < json_array_size (tables); t++)
      n_rows += (int)json_array_size (json_object_get (json_array_get (tables, t), "rows"));
    for (int f = 0; f < suites_asked[s].n_formats; f++) {
      g_autofree char *command = g_strdup_printf ("%s --format %s", suites_asked[s].command, formats[f]);
      Said said = say (command);
      SS_CHECK (said.status == json.status);
      if (f == 0 || f == 2)
        check_lines (tables, said.out, f == 0 ? ',' : '\t');
      else if (f == 1)
        check_objects (tables, said.out);
      else if (f == 3) /* a row, and two lines above them */
        SS_CHECK (count_of (said.out, "\n|") + 1 == n_rows + 2 * (int)json_array_size (tables));
      else if (f == 4)
        SS_CHECK (count_of (said.out, "\\begin{tabular}") == (int)json_array_size (tables));
      for (size_t t = 0; f == 5 && t < json_array_size (tables); t++)
        SS_CHECK_CONTAINS (said.out, json_string_value (json_object_get (json_array_get (tables, t), "title")));
      clear_said (&said);
    }
    if (suites_asked[s].n_formats == 0) { /* prints text alone */
      Said said = say (suites_asked[s].command);
      for (size_t t = 0; t < json_array_size (tables); t++)
        SS_CHECK_CONTAINS (said.out, json_string_value (json_object_get (json_array_get (tables, t), "title")));
      clear_said (&said);
    }
    if (ss_test_failed_checks > before)
      printf ("  of %s: status %d\n%s\n", suites_asked[s].command, json.status, json.err);
    json_decref (report);
    clear_said (&json);
  }
}

/* What the columns of a group say of the authors' runs is counted from its instances, and what they say of the paper
 * stands in its table. */
static void
check_columns (const json_t *report)
{
  static const char *const solvers[] = {"crisp", "ipopt"}, *const of_papers[] = {"paper_crisp", "paper_ipopt"},
                           *const of_runs[] = {"authors", "reference_ipopt"};
  g_autoptr (GPtrArray) paper = ssapp_bench_paper ();
  const json_t *group, *instance;
  size_t g, i;
  guint n_papers = 0;

  json_array_foreach (json_object_get (report, "groups"), g, group)
  {
    const char *name = json_string_value (json_object_get (group, "name"));
    for (guint k = 0; k < G_N_ELEMENTS (solvers); k++) {
      const json_t *columns = json_object_get (group, "columns"), *told = json_object_get (columns, of_papers[k]),
                   *runs = json_object_get (columns, of_runs[k]);
      const SsappBenchPaper *p =
          ssapp_bench_paper_find (paper, solvers[k], json_string_value (json_object_get (group, "problem")));
      const struct {
        const char *key;
        double value;
      } cells[] = {{"success_paper_percent", p != NULL ? p->success_percent : NAN},
                   {"objective_median", p != NULL ? p->objective : NAN},
                   {"tracking_error_median", p != NULL ? p->tracking_error : NAN},
                   {"violation_median", p != NULL ? p->violation : NAN},
                   {"iterations_mean", p != NULL ? p->iterations : NAN},
                   {"cpu_seconds_median", p != NULL ? p->time_seconds : NAN},
                   {"cpu_ms_per_iteration", p != NULL ? 1e3 * p->time_seconds / p->iterations : NAN}};
      const json_t *value;
      const char *key;
      int n = 0, solved = 0, tight = 0, success = 0, n_told = 0, n_expected = 0;
      json_object_foreach ((json_t *)told, key, value) n_told += json_is_number (value);
      for (guint c = 0; p != NULL && c < G_N_ELEMENTS (cells); c++) {
        const json_t *cell = json_object_get (told, cells[c].key);
        SS_CHECK (isnan (cells[c].value) ? json_is_null (cell)
                                         : fabs (json_number_value (cell) - cells[c].value) <= 1e-12 * cells[c].value);
        n_expected += !isnan (cells[c].value);
      }
      SS_CHECK (n_told == n_expected);
      n_papers += p != NULL;
      json_array_foreach (json_object_get (report, "instances"), i, instance)
      {
        const json_t *run = json_object_get (instance, of_runs[k]);
        if (g_strcmp0 (json_string_value (json_object_get (instance, "group")), name) != 0 || !json_is_object (run))
          continue;
        const gboolean converged = g_strcmp0 (json_string_value (json_object_get (run, "status")), "converged") == 0;
        const double violation = json_number_value (json_object_get (run, "max_violation"));
        n++;
        solved += converged && violation < 1e-6;
        tight += converged && violation < 1e-8;
        success += json_is_true (json_object_get (run, "success_paper"));
      }
      SS_CHECK (json_number_value (json_object_get (runs, "instances")) == n);
      SS_CHECK (json_number_value (json_object_get (runs, "solved")) == solved);
      SS_CHECK (json_number_value (json_object_get (runs, "violation_below_1e-8")) == tight);
      SS_CHECK (json_number_value (json_object_get (runs, "success_paper")) == success);
    }
  }
  SS_CHECK (n_papers >= 2);
}

/* Runs of two methods of instances that end at once: what is stored is what is printed and written. */
static void
runs_of_a_suite_are_the_same_everywhere (void)
{
  Said said = say ("bench crisp --problems push-box,cartpole --instances quick --methods crisp,ipopt --repeats 1 "
                   "--cpu-limit 0.000001 --json --quiet --to runs.csv --best best.csv --project bench.stickslip");
  json_t *report = json_loads (said.out, 0, NULL);
  const json_t *instances = json_object_get (report, "instances");
  g_autofree char *text = NULL;
  guint at = 1, n_compared = 0;

  SS_CHECK (said.status == CLI_NO_SUCCESS && json_array_size (instances) >= 4);
  check_columns (report);
  SS_CHECK (g_file_get_contents ("runs.csv", &text, NULL, NULL));
  g_auto (GStrv) lines = g_strsplit (text != NULL ? text : "", "\n", -1);
  g_autoptr (GPtrArray) keys = cells_of (lines[0], ',');
  for (size_t i = 0; i < json_array_size (instances); i++) {
    const json_t *instance = json_array_get (instances, i), *runs = json_object_get (instance, "runs");
    SS_CHECK (json_array_size (runs) == 2);
    for (size_t r = 0; r < json_array_size (runs) && lines[at] != NULL; r++) {
      const json_t *run = json_array_get (runs, r), *metrics = json_object_get (run, "metrics");
      g_autoptr (GPtrArray) cells = cells_of (lines[at++], ',');
      SS_CHECK (cells->len == keys->len);
      SS_CHECK (json_is_string (json_object_get (run, "run")));
      for (guint c = 0; c < MIN (cells->len, keys->len); c++) {
        const char *key = g_ptr_array_index (keys, c), *cell = g_ptr_array_index (cells, c);
        const json_t *value = json_object_get (instance, key);
        value = value != NULL ? value : json_object_get (run, key);
        value = value != NULL ? value : json_object_get (metrics, key);
        n_compared += value != NULL;
        if (value == NULL || json_is_boolean (value) || json_is_object (value) || is_same (value, cell))
          continue;
        SS_CHECK (FALSE);
        printf ("  run %zu of %zu, %s: %s\n", r, i, key, cell);
      }
    }
  }
  SS_CHECK (lines[at] != NULL && *lines[at] == '\0' && lines[at + 1] == NULL);
  SS_CHECK (n_compared >= 8 * (at - 1));
  Said listed = say ("list bench.stickslip --json");
  json_t *list = json_loads (listed.out, 0, NULL);
  SS_CHECK (json_array_size (json_is_array (list) ? list : json_object_get (list, "runs")) == at - 1);
  SS_CHECK (g_file_test ("best.csv", G_FILE_TEST_EXISTS));
  json_decref (list);
  json_decref (report);
  clear_said (&listed);
  clear_said (&said);
}

static const char *
value_of (const GPtrArray *methods, guint m, const char *name)
{
  const SsappBenchMethod *method = g_ptr_array_index (methods, m);
  const char *value = NULL;

  for (guint i = 0; i < method->names->len; i++)
    if (strcmp (g_ptr_array_index (method->names, i), name) == 0)
      value = g_ptr_array_index (method->values, i);
  return value;
}

/* An option goes to every method that has it, and is refused where none has; METHOD.OPTION is of that method alone. */
static void
an_option_goes_to_the_methods_that_have_it (void)
{
  char *message = NULL;
  GPtrArray *methods = ssapp_bench_methods_parse (SS_METHOD_OPTIMISER, "crisp,ipopt,crisp:mu0=7", &message);

  SS_CHECK (methods != NULL && methods->len == 3 && message == NULL);
  SS_CHECK (ssapp_bench_methods_set (methods, "max_iter", "5", &message)); /* ipopt's */
  SS_CHECK (ssapp_bench_methods_set (methods, "crisp.radius0", "2", &message));
  SS_CHECK (ssapp_bench_methods_set (methods, "mu-growth", "4", &message));
  SS_CHECK (value_of (methods, 0, "max_iter") == NULL && value_of (methods, 2, "max_iter") == NULL);
  SS_CHECK_STR (value_of (methods, 1, "max_iter"), "5");
  SS_CHECK (value_of (methods, 1, "radius0") == NULL && value_of (methods, 1, "mu-growth") == NULL);
  SS_CHECK (value_of (methods, 0, "mu0") == NULL);
  SS_CHECK_STR (value_of (methods, 2, "mu0"), "7");
  for (guint m = 0; m < 3; m += 2) {
    SS_CHECK_STR (value_of (methods, m, "radius0"), "2");
    SS_CHECK_STR (value_of (methods, m, "mu-growth"), "4");
  }
  SS_CHECK (!ssapp_bench_methods_set (methods, "quux", "1", &message));
  SS_CHECK_STR (message, "none of these methods has an option 'quux'");
  g_clear_pointer (&message, g_free);
  SS_CHECK (!ssapp_bench_methods_set (methods, "max_iter", "many", &message));
  SS_CHECK_CONTAINS (message, "max_iter");
  g_clear_pointer (&message, g_free);
  SS_CHECK (!ssapp_bench_methods_set (methods, "ipopt.radius0", "1", &message) && message != NULL);
  g_free (message);
  g_ptr_array_unref (methods);
}

int
main (void)
{
  begin_cli ();
  SS_RUN (every_format_of_a_suite_has_the_same_numbers);
  SS_RUN (runs_of_a_suite_are_the_same_everywhere);
  SS_RUN (an_option_goes_to_the_methods_that_have_it);
  end_cli ();
  return ss_test_finish ();
}
