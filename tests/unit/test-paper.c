/* tests/unit/test-paper.c: tables and figures of the papers: the list, documents and their tables, and two that are
 * made in a moment, by what is known of them. */
#include "app/bench/ssapp-bench-freeze-private.h"
#include "app/bench/ssapp-bench-sheet.h"
#include "app/bench/ssapp-bench.h"
#include "app/bench/ssapp-paper-book.h"
#include "app/bench/ssapp-paper-index.h"
#include "app/bench/ssapp-paper-item.h"
#include "tests/ss-test.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

static void
the_list_is_whole (void)
{
  static const char *const topics[] = {"crisp",      "fesd-j", "time-freezing", "impacts", "constraint-solver",
                                       "comparisons"};
  guint n, of_topic[G_N_ELEMENTS (topics)] = {0};
  const SsappPaper *papers = ssapp_papers (&n);

  for (guint i = 0; i < n; i++) {
    const SsappPaper *p = &papers[i];
    guint t = 0;
    while (t < G_N_ELEMENTS (topics) && strcmp (topics[t], p->topic) != 0)
      t++;
    SS_CHECK (t < G_N_ELEMENTS (topics));
    of_topic[MIN (t, G_N_ELEMENTS (topics) - 1)]++;
    SS_CHECK (ssapp_paper_find (p->name) == p);
    SS_CHECK (g_str_has_prefix (p->name, p->topic));
    SS_CHECK (strstr (p->place, p->label) != NULL || strcmp (p->topic, "time-freezing") == 0);
    SS_CHECK (strlen (p->words) > 60 && p->words[strlen (p->words) - 1] == '.');
  }
  for (guint t = 0; t < G_N_ELEMENTS (topics); t++) /* of every paper there is something */
    SS_CHECK (of_topic[t] > 0);
  SS_CHECK (ssapp_paper_find ("crisp-table-3") == NULL);
}

static void
papers_are_found_by_words (void)
{
  const SsappPaper *table = ssapp_paper_find ("crisp-table-2");

  SS_CHECK (ssapp_paper_matches (table, ""));
  SS_CHECK (ssapp_paper_matches (table, "table ii CRISP"));
  SS_CHECK (!ssapp_paper_matches (table, "table iii"));
}

static void
documents_become_tables (void)
{
  static const char text[] = "{\"tables\": [{\"name\": \"a\", \"title\": \"A\", \"notes\": [\"N\", 3], \"columns\": ["
                             "{\"key\": \"who\", \"title\": \"who\", \"digits\": 0},"
                             "{\"key\": \"x\", \"title\": \"x [m]\", \"digits\": 3}],"
                             "\"rows\": [[\"one\", 1.23456], [\"two\", null], [\"three\", \"diverged\"], [null]]}]}";
  json_t *document = json_loads (text, 0, NULL);
  GPtrArray *tables = ssapp_paper_read (document);
  const SsappTable *table = tables != NULL && tables->len == 1 ? g_ptr_array_index (tables, 0) : NULL;

  SS_CHECK (table != NULL);
  if (table == NULL)
    return;
  SS_CHECK (ssapp_table_get_n_rows (table) == 4 && ssapp_table_get_n_columns (table) == 2);
  SS_CHECK_STR (ssapp_table_get_text (table, 0, 1), "1.23");
  SS_CHECK_NEAR (ssapp_table_get_number (table, 0, 1), 1.23456, 0);
  SS_CHECK_STR (ssapp_table_get_text (table, 1, 1), "-");
  SS_CHECK_STR (ssapp_table_get_text (table, 2, 1), "diverged");
  SS_CHECK_STR (ssapp_table_get_text (table, 3, 0), "");
  g_ptr_array_unref (tables);
  json_decref (document);
  document = json_object ();
  SS_CHECK (ssapp_paper_read (document) == NULL);
  json_decref (document);
}

static GPtrArray *
make (const char *name)
{
  char *message = NULL;
  json_t *document =
      ssapp_paper_run (ssapp_paper_find (name), &(SsappPaperPlan){.extent = SSAPP_PAPER_USUAL}, &message);

  SS_CHECK (document != NULL && message == NULL);
  GPtrArray *tables = ssapp_paper_read (document);
  json_decref (document);
  return tables;
}

/* The ramp of [003 Fig 9]: a (1 + h)/2 with a = g (sin - mu cos) for 15 degrees, mu = 0, .125, .25; it sticks for
 * .375. */
static void
the_ramp_is_made_anew (void)
{
  GPtrArray *tables = make ("constraint-solver-figure-9");
  const SsappTable *table = g_ptr_array_index (tables, 0);
  const double slope = 15 * G_PI / 180;

  SS_CHECK (tables->len == 1 && ssapp_table_get_n_rows (table) == 4);
  for (guint i = 0; i < 3; i++) {
    const double a = 9.8 * (sin (slope) - 0.125 * i * cos (slope));
    SS_CHECK_NEAR (ssapp_table_get_number (table, i, 1), a * 1.01 / 2, 1e-6);
  }
  SS_CHECK_STR (ssapp_table_get_text (table, 3, ssapp_table_get_n_columns (table) - 1), "sticks"); /* the paper's */
  g_ptr_array_unref (tables);
}

static void
the_examples_of_time_freezing_are_made_anew (void)
{
  GPtrArray *tables = make ("time-freezing-figures-1-5");
  const SsappTable *table = g_ptr_array_index (tables, 0);

  SS_CHECK (ssapp_table_get_n_rows (table) == 16);
  for (guint i = 0; i < ssapp_table_get_n_rows (table); i++)
    SS_CHECK_NEAR (ssapp_table_get_number (table, i, 2), ssapp_table_get_number (table, i, 3), 1e-7);
  g_ptr_array_unref (tables);
}

/* A claim on one number turns when the number does. */
static void
a_broken_number_is_refuted (void)
{
  static const SsappPaperClaim claims[] = {
      {"x of {who}", "a", "who=one", "x", SSAPP_PRINTS (2), .kind = SSAPP_CLAIM_NEAR, .tolerance = 0.01},
      {"x of {who}", "a", "who=one", "x", .truth = "t", .truth_words = "a sum", .kind = SSAPP_CLAIM_WITHIN,
       .tolerance = 0.01},
      {"x of {who}", "a", NULL, "x", .cannot = "another machine"},
      {"x of {who}", "a", "who=three", "x", SSAPP_PRINTS (2)},
      {"word of {who}", "a", "who=one", "w", .paper_words = "stable", .kind = SSAPP_CLAIM_SAME},
      {NULL}};
  static const SsappPaperItem item = {.paper = {"a-figure-1", .all = "more"}, .claims = claims};
  static const struct {
    double x;
    const char *word;
  } cases[] = {{2.01, "stable"}, {2.03, "stable"}, {2.01, "unstable"}, {2.01, "cpu_limit"}};

  for (guint c = 0; c < G_N_ELEMENTS (cases); c++) {
    json_t *tables = json_pack ("[{s:s, s:s, s:[{s:s, s:s, s:i}, {s:s, s:s, s:i}, {s:s, s:s, s:i}, {s:s, s:s, s:i}], "
                                "s:[[s, f, f, s]], s:[]}]",
                                "name", "a", "title", "A", "columns", "key", "who", "title", "who", "digits", 0, "key",
                                "x", "title", "x", "digits", 6, "key", "t", "title", "t", "digits", 6, "key", "w",
                                "title", "w", "digits", 0, "rows", "one", cases[c].x, 2.005, cases[c].word, "notes");
    json_t *document = json_pack ("{s:O}", "tables", tables);
    g_autoptr (GPtrArray) read = ssapp_paper_read (document);
    for (int extent = SSAPP_PAPER_USUAL; extent <= SSAPP_PAPER_ALL; extent++) {
      json_t *rows = ssapp_paper_judge (&item, tables, read, (SsappPaperExtent)extent);
      const char *wanted[] = {cases[c].x > 2.02 ? "refuted" : "agreed", cases[c].x > 2.02 ? "refuted" : "agreed",
                              "not reproducible", extent == SSAPP_PAPER_ALL ? "refuted" : "not run",
                              strcmp (cases[c].word, "stable") == 0      ? "agreed"
                              : strcmp (cases[c].word, "cpu_limit") == 0 ? "not run" /* refutes nothing */
                                                                         : "refuted"};
      SS_CHECK (json_array_size (rows) == G_N_ELEMENTS (wanted));
      for (guint i = 0; i < G_N_ELEMENTS (wanted); i++)
        SS_CHECK_STR (json_string_value (json_object_get (json_array_get (rows, i), "verdict")), wanted[i]);
      SS_CHECK_STR (json_string_value (json_object_get (json_array_get (rows, 0), "what")), "x of one");
      SS_CHECK (json_is_true (json_object_get (json_array_get (rows, 0), "explained")) == (cases[c].x < 2.02));
      json_decref (rows);
    }
    json_decref (document);
    json_decref (tables);
  }
}

/* A limit of the paper is told as one. */
static void
limits_are_told (void)
{
  static const char *const texts[][2] = {{"at most", "at most 0.55"}, {"at least", "at least 0.55"}, {"near", "0.55"}};

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++) {
    json_t *row = json_pack ("{s:s, s:f}", "kind", texts[i][0], "paper", 0.55);
    g_autofree char *text = ssapp_paper_paper_text (row);
    SS_CHECK_STR (text, texts[i][1]);
    json_object_set_new (row, "paper", json_null ());
    g_autofree char *nothing = ssapp_paper_paper_text (row);
    SS_CHECK_STR (nothing, "-");
    json_decref (row);
  }
}

/* Names that are data: methods, plots, and what claims and charts speak of. */
static void
items_are_consistent (void)
{
  guint n;
  const SsappPaper *papers = ssapp_papers (&n);
  g_autofree char *toy = ssapp_paper_example (ssapp_paper_find ("crisp-figure-3"));

  SS_CHECK (g_strcmp0 (toy, "crisp/one-pair") == 0); /* it runs no motion, and opens what its numbers are of */
  for (guint i = 0; i < n; i++) {
    const SsappPaperItem *item = ssapp_paper_item (&papers[i]);
    SS_CHECK (item != NULL && (item->make == NULL) == (item->tables == NULL));
    SS_CHECK (item->claims != NULL || item->make != NULL);
    g_autofree char *example = ssapp_paper_example (&papers[i]);
    if (example != NULL) {
      g_autofree char *file = g_strdup_printf (SS_SOURCE_ROOT "/examples/%s.stickslip.json", example);
      SS_CHECK (g_file_test (file, G_FILE_TEST_IS_REGULAR));
    }
    for (const SsappPaperChart *chart = item->charts; chart != NULL && chart->key != NULL; chart++)
      SS_CHECK (strstr (item->tables, chart->table) != NULL && chart->title != NULL && chart->x_label != NULL);
    for (const SsappPaperMotion *motion = item->motions; motion != NULL && motion->key != NULL; motion++)
      SS_CHECK (motion->title != NULL && motion->example != NULL && motion->method != NULL && motion->plots != NULL);
    for (const SsappPaperClaim *claim = item->claims; claim != NULL && claim->what != NULL; claim++)
      SS_CHECK (claim->cannot != NULL || (claim->why != NULL && claim->ours != NULL));
  }
}

/* How many numbers of an item agree with the paper or the truth, are refuted, or cannot be made anew: a digit that
 * changes on either side changes them. Cheap ones. */
static void
verdicts_are_what_they_were (void)
{
  static const struct {
    const char *name;
    int agreed, refuted, cannot;
  } items[] = {
      {"impacts-figure-3", 8, 0, 0},
      {"impacts-figure-7", 27, 1, 0},
      {"impacts-figure-8", 15, 0, 0},
      {"impacts-figure-9", 9, 0, 0},
      {"impacts-figure-10", 9, 0, 0},
      {"impacts-figure-11", 6, 0, 0},
      {"impacts-figure-12", 7, 0, 0},
      {"impacts-figure-13", 7, 0, 0},
      {"impacts-figure-14", 6, 1, 0},
      {"impacts-table-4", 10, 0, 0},
      {"impacts-table-5", 12, 0, 0},
      {"impacts-table-6", 10, 0, 0},
      {"impacts-table-7", 18, 0, 0},
      {"impacts-table-8", 9, 0, 0},
      {"fesd-j-figure-5", 8, 0, 0},
      {"fesd-j-figure-6", 17, 0, 1},
      {"time-freezing-figure-1", 2, 0, 0},
      {"time-freezing-figure-2", 1, 0, 0},
      {"time-freezing-figure-3", 12, 1, 0},
      {"time-freezing-figure-5", 12, 1, 0},
      {"constraint-solver-figure-7", 10, 0, 1},
  };

  SsRunControl control;

  ss_run_control_init (&control);
  for (guint i = 0; i < G_N_ELEMENTS (items); i++) {
    json_t *document =
        ssapp_paper_run (ssapp_paper_find (items[i].name),
                         &(SsappPaperPlan){.extent = SSAPP_PAPER_USUAL, .control = &control}, &(char *){NULL});
    const json_t *one;
    int agreed = 0, refuted = 0, cannot = 0;
    size_t k;
    json_array_foreach (json_object_get (document, "verdicts"), k, one)
    {
      const char *verdict = json_string_value (json_object_get (one, "verdict"));
      agreed += g_strcmp0 (verdict, "agreed") == 0;
      refuted += g_strcmp0 (verdict, "refuted") == 0;
      cannot += g_strcmp0 (verdict, "not reproducible") == 0;
      SS_CHECK (json_is_true (json_object_get (one, "explained")));
    }
    if (agreed != items[i].agreed || refuted != items[i].refuted || cannot != items[i].cannot)
      printf ("%s: %d agreed, %d refuted, %d not reproducible\n", items[i].name, agreed, refuted, cannot);
    SS_CHECK (agreed == items[i].agreed && refuted == items[i].refuted && cannot == items[i].cannot);
    json_decref (document);
  }
}

/* Items of a book share a control: the limits of one solve are none of what runs after it. */
static void
limits_end_with_their_solve (void)
{
  static char *const problems[] = {(char *)"push-box", NULL};
  g_autoptr (GPtrArray) methods = ssapp_bench_methods_parse (SS_METHOD_OPTIMISER, "crisp", NULL);
  g_autoptr (GPtrArray) reference = ssapp_bench_reference ();
  g_autoptr (GPtrArray) instances = ssapp_bench_instances (reference, problems, SSAPP_BENCH_QUICK, 0, 0);
  SsRunControl control;
  const SsappBenchPlan plan = {
      .instances = instances, .methods = methods, .repeats = 1, .cpu_limit = 60, .control = &control};

  g_ptr_array_set_size (instances, 1);
  ss_run_control_init (&control);
  g_autoptr (GPtrArray) runs = ssapp_bench_run (&plan, NULL);
  SS_CHECK (runs->len == 1 && ((SsappBenchRun *)g_ptr_array_index (runs, 0))->outcome == SS_OUTCOME_SOLVED);
  SS_CHECK (isinf (control.deadline) && isinf (control.cpu_limit));
}

/* Push T twice: the second solve begins where the first plan is one step on, and needs fewer iterations than the first,
 * which begins with nothing. */
static void
solves_begin_where_the_plan_was (void)
{
  g_autoptr (GPtrArray) methods = ssapp_bench_methods_parse (SS_METHOD_OPTIMISER, "crisp", NULL);
  double iterations[2] = {0};
  SsRunControl control;

  ss_run_control_init (&control);
  for (int steps = 1; steps <= 2; steps++) {
    const SsappBenchMpcPlan plan = {
        .methods = methods, .steps = steps, .episode = 10, .n_points = 4, .cpu_limit = 60, .control = &control};
    g_autoptr (GPtrArray) loops = ssapp_bench_mpc (&plan, NULL);
    SS_CHECK (loops != NULL && loops->len == 1);
    const SsappBenchLoop *loop = g_ptr_array_index (loops, 0);
    SS_CHECK (loop->n_steps == steps && loop->n_failures == 0);
    iterations[steps - 1] = steps * loop->iterations_mean;
  }
  printf ("  %.0f iterations, then %.0f\n", iterations[0], iterations[1] - iterations[0]);
  SS_CHECK (iterations[1] - iterations[0] < iterations[0]);
}

/* Removes a folder of files and empty folders. */
static void
remove_folder (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL) {
    g_autofree char *path = g_build_filename (folder, name, NULL);
    g_remove (path);
  }
  g_rmdir (folder);
}

/* Figures of work against precision are drawn of each method that ran and of those that did not; one that cannot be
 * written, as where a folder has its name, is an error that names it. */
static void
figures_of_the_freezing_suite_are_written_or_told (void)
{
  g_autofree char *folder = g_dir_make_tmp ("stickslip-test-XXXXXX", NULL),
                  *plot = g_build_filename (folder, "work-precision.pdf", NULL),
                  *about = g_build_filename (folder, "README.md", NULL),
                  *taken = g_build_filename (folder, "fig1-2-phase.pdf", NULL);
  SsRunControl control;
  SsappBenchFreezePlan plan = {.parts = SSAPP_FREEZE_PART_EXAMPLES, .control = &control};
  g_autoptr (GError) error = NULL;
  SsappBenchFreeze *bench;
  gint64 sizes[2] = {0};
  GStatBuf file;

  ss_run_control_init (&control);
  bench = ssapp_bench_freeze_new (&plan);
  SS_CHECK (g_mkdir (taken, 0700) == 0);
  SS_CHECK (bench->examples[0].motion != NULL && !ssapp_bench_freeze_data (bench, folder, &error));
  SS_CHECK (error != NULL && strstr (error->message, "fig1-2-phase") != NULL);
  SS_CHECK (!g_file_test (about, G_FILE_TEST_EXISTS)); /* nor does it go on */
  plan.parts = SSAPP_FREEZE_PART_WORK;
  ss_trajectory_free (g_steal_pointer (&bench->examples[0].motion));
  ss_trajectory_free (g_steal_pointer (&bench->examples[1].motion));
  for (int has_runs = 0; has_runs < 2; has_runs++) {
    for (int k = 0; has_runs && k < 2 * SSAPP_FREEZE_METHODS; k++) {
      const SsappFreezeRun run = {.method = k / 2,
                                  .steps = 10,
                                  .is_completed = TRUE,
                                  .h = 0.1 / (1 + k % 2),
                                  .error = 1e-3 / (1 + k),
                                  .cpu_seconds = 0.01 * (1 + k)};
      g_array_append_val (bench->runs, run);
    }
    SS_CHECK (ssapp_bench_freeze_data (bench, folder, NULL) && g_stat (plot, &file) == 0);
    sizes[has_runs] = file.st_size;
  }
  SS_CHECK (sizes[1] > sizes[0]);
  ssapp_bench_freeze_free (bench);
  remove_folder (folder);
}

/* A motion with one picture gives it its name, one with several a name each; an unknown plot is an error. */
static void
each_picture_has_a_name (void)
{
  static const SsappPaperMotion motions[] = {
      {.key = "one", .title = "One", .example = "sketches/falling-box", .method = "moreau-jean", .plots = "phase"},
      {.key = "two",
       .title = "Two",
       .example = "sketches/falling-box",
       .method = "moreau-jean",
       .plots = "channels,phase"},
      {.key = "three",
       .title = "Three",
       .example = "sketches/falling-box",
       .method = "moreau-jean",
       .plots = "phase,channels,motion"},
      {NULL}};
  static const SsappPaperMotion wrong[] = {
      {.key = "one", .title = "One", .example = "sketches/falling-box", .method = "moreau-jean", .plots = "quux"},
      {NULL}};
  static const char *const keys[] = {"one",         "two-channels",   "two-phase",
                                     "three-phase", "three-channels", "three-motion"},
                           *const endings[] = {"svg", "pdf", "png"};
  g_autofree char *folder = g_dir_make_tmp ("stickslip-test-XXXXXX", NULL);
  SsappPaperPictures pictures = {.folder = folder, .told = json_array ()};
  SsappBenchSheet *sheet = ssapp_bench_sheet_new ();
  g_autoptr (GError) error = NULL;
  SsRunControl control;

  ss_run_control_init (&control);
  const SsappPaperPlan plan = {.extent = SSAPP_PAPER_USUAL, .control = &control};
  SS_CHECK (ssapp_paper_run_motions (&(SsappPaperItem){.motions = motions}, &plan, sheet, &pictures, &error));
  SS_CHECK (json_array_size (pictures.told) == G_N_ELEMENTS (keys));
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++) {
    SS_CHECK_STR (json_string_value (json_object_get (json_array_get (pictures.told, i), "key")), keys[i]);
    for (guint e = 0; e < G_N_ELEMENTS (endings); e++) {
      g_autofree char *name = g_strdup_printf ("%s/%s.%s", folder, keys[i], endings[e]);
      SS_CHECK (g_file_test (name, G_FILE_TEST_IS_REGULAR));
    }
  }
  SS_CHECK (!ssapp_paper_run_motions (&(SsappPaperItem){.motions = wrong}, &plan, sheet, &pictures, &error));
  SS_CHECK_CONTAINS (error != NULL ? error->message : NULL, "there is no plot 'quux'");
  json_decref (pictures.told);
  ssapp_bench_sheet_free (sheet);
  remove_folder (folder);
}

static guint
count_of (const char *text, const char *words)
{
  guint n = 0;

  for (const char *at = text; (at = strstr (at, words)) != NULL; at++)
    n++;
  return n;
}

/* The page of a paper lists each figure and table of its index that is not made, once, and its misprints; nothing that
 * is not there is read. */
static void
what_is_not_made_is_listed_once (void)
{
  const GLogLevelFlags fatal = g_log_set_always_fatal ((GLogLevelFlags)(G_LOG_FATAL_MASK | G_LOG_LEVEL_CRITICAL));
  guint n, n_papers;
  const SsappPaperTopic *topics = ssapp_paper_topics (&n);
  const SsappPaper *papers = ssapp_papers (&n_papers);

  for (guint t = 0; t < n; t++) {
    guint p = 0, left_out = 0;
    while (strcmp (papers[p].topic, topics[t].topic) != 0)
      p++;
    json_t *documents = json_pack ("[{s:s}]", "paper", papers[p].name);
    g_autofree char *page = ssapp_paper_page (documents, "/nowhere", FALSE);
    g_autoptr (SsappTable) index = topics[t].number != NULL ? ssapp_paper_index (topics[t].number, FALSE, NULL) : NULL;
    g_autoptr (SsappTable) errata = topics[t].number != NULL ? ssapp_paper_index (topics[t].number, TRUE, NULL) : NULL;
    SS_CHECK ((index != NULL) == (topics[t].number != NULL));
    for (guint r = 0; index != NULL && r < ssapp_table_get_n_rows (index); r++) {
      g_auto (GStrv) words = g_strsplit (ssapp_table_get_text (index, r, 1), " ", 2);
      const char *kind = strcmp (words[0], "Fig") == 0 ? "figure" : strcmp (words[0], "Tab") == 0 ? "table" : NULL;
      g_autofree char *name = kind != NULL ? g_strdup_printf ("%s-%s-%s", topics[t].topic, kind, words[1]) : NULL;
      if (name == NULL)
        continue;
      g_autofree char *line = g_strdup_printf ("<li><b>%s</b>, ", ssapp_table_get_text (index, r, 1));
      const guint expected = ssapp_paper_find (name) == NULL;
      SS_CHECK (count_of (page, line) == expected);
      left_out += expected;
    }
    SS_CHECK (count_of (page, "<li>") == left_out);
    if (errata != NULL && ssapp_table_get_n_rows (errata) > 0) {
      g_autofree char *head = g_strdup_printf ("Misprints (%u)", ssapp_table_get_n_rows (errata));
      SS_CHECK (count_of (page, head) == 1);
      SS_CHECK (count_of (strstr (page, head), "<tr><td>") == ssapp_table_get_n_rows (errata));
    }
    json_decref (documents);
  }
  g_log_set_always_fatal (fatal);
}

int
main (void)
{
  SS_RUN (the_list_is_whole);
  SS_RUN (papers_are_found_by_words);
  SS_RUN (documents_become_tables);
  SS_RUN (a_broken_number_is_refuted);
  SS_RUN (limits_are_told);
  SS_RUN (items_are_consistent);
  SS_RUN (the_ramp_is_made_anew);
  SS_RUN (the_examples_of_time_freezing_are_made_anew);
  SS_RUN (verdicts_are_what_they_were);
  SS_RUN (limits_end_with_their_solve);
  SS_RUN (figures_of_the_freezing_suite_are_written_or_told);
  SS_RUN (each_picture_has_a_name);
  SS_RUN (what_is_not_made_is_listed_once);
  SS_RUN (solves_begin_where_the_plan_was);
  return ss_test_finish ();
}
