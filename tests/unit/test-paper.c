/* tests/unit/test-paper.c: tables and figures of the papers: the list, documents and their tables, and two that are
 * made in a moment, by what is known of them. */
#include "app/bench/ssapp-paper.h"
#include "tests/ss-test.h"

#include <string.h>

static void
the_list_is_whole (void)
{
  static const char *const topics[] = {"crisp", "fesd-j", "time-freezing", "impacts", "constraint-solver"};
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

int
main (void)
{
  SS_RUN (the_list_is_whole);
  SS_RUN (papers_are_found_by_words);
  SS_RUN (documents_become_tables);
  SS_RUN (the_ramp_is_made_anew);
  SS_RUN (the_examples_of_time_freezing_are_made_anew);
  return ss_test_finish ();
}
