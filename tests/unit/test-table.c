/* tests/unit/test-table.c: tables that leave the program: every format by what its readers make of it, numbers with all
 * digits where a program reads them, texts that a format would take for its own. */
#include "app/base/ssapp-table.h"
#include "tests/ss-test.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

/* Two groups; a best value, a tie, a NaN, an empty cell, texts with every mark. */
static SsappTable *
make (void)
{
  SsappTable *table = ssapp_table_new ("Runs");

  ssapp_table_add_text_column (table, "method", "Method");
  ssapp_table_add_number_column (table, "cost", "Cost", "J", "%.3g", SSAPP_BEST_LOWEST);
  ssapp_table_add_number_column (table, "score", "Score", "", "%.0f", SSAPP_BEST_HIGHEST);
  ssapp_table_begin_row (table);
  ssapp_table_add_text (table, "a, \"b\" | 50 % of $x_1 & μ\n{\\}");
  ssapp_table_add_number (table, 0.1);
  ssapp_table_add_number (table, 3);
  ssapp_table_begin_row (table);
  ssapp_table_add_text (table, "=c\td");
  ssapp_table_add_number (table, 2.8123456789012345e-07);
  ssapp_table_add_number (table, 3);
  ssapp_table_begin_row (table);
  ssapp_table_add_text (table, "short");
  ssapp_table_set_group (table, 1);
  ssapp_table_begin_row (table);
  ssapp_table_add_text (table, "alone");
  ssapp_table_add_number (table, NAN);
  ssapp_table_add_number (table, -1);
  ssapp_table_add_note (table, "A note.");
  return table;
}

static void
cells_are_read (void)
{
  SsappTable *table = make ();
  char *title = ssapp_table_get_column_title (table, 1);

  SS_CHECK (ssapp_table_get_n_rows (table) == 4 && ssapp_table_get_n_columns (table) == 3);
  SS_CHECK (strcmp (title, "Cost [J]") == 0);
  SS_CHECK (strcmp (ssapp_table_get_text (table, 1, 1), "2.81e-07") == 0);
  SS_CHECK (strcmp (ssapp_table_get_text (table, 3, 1), "-") == 0);
  SS_CHECK (strcmp (ssapp_table_get_text (table, 2, 1), "") == 0 && isnan (ssapp_table_get_number (table, 2, 1)));
  /* The lowest cost; none of a tie without a worse one, never the only one of its group. */
  SS_CHECK (!ssapp_table_is_best (table, 0, 1) && ssapp_table_is_best (table, 1, 1));
  SS_CHECK (!ssapp_table_is_best (table, 0, 2) && !ssapp_table_is_best (table, 1, 2));
  SS_CHECK (!ssapp_table_is_best (table, 3, 1) && !ssapp_table_is_best (table, 3, 2));
  SS_CHECK (!ssapp_table_is_best (table, 0, 0));
  g_free (title);
  ssapp_table_free (table);
}

/* A column of costs in one group, "a" after a number: apart. */
static char *
best_of (const char *format, const char *costs)
{
  SsappTable *table = ssapp_table_new ("");
  char **items = g_strsplit (costs, " ", -1);
  GString *found = g_string_new (NULL);

  ssapp_table_add_number_column (table, "cost", "Cost", "", format, SSAPP_BEST_LOWEST);
  for (char **item = items; *item != NULL; item++) {
    ssapp_table_begin_row (table);
    ssapp_table_set_apart (table, g_str_has_suffix (*item, "a"));
    ssapp_table_add_number (table, g_ascii_strtod (*item, NULL));
  }
  char *md = ssapp_table_write (table, SSAPP_TABLE_MARKDOWN), *tex = ssapp_table_write (table, SSAPP_TABLE_LATEX);
  char **md_lines = g_strsplit (md, "\n", -1);
  int n_tex = 0;
  for (const char *at = tex; (at = strstr (at, "\\mathbf")) != NULL; at++)
    n_tex++;
  for (guint i = 0; i < ssapp_table_get_n_rows (table); i++) {
    const gboolean is_best = ssapp_table_is_best (table, i, 0);
    SS_CHECK (is_best == (strstr (md_lines[i + 2], "**") != NULL)); /* alike in every format */
    n_tex -= is_best;
    g_string_append_c (found, is_best ? 'x' : '-');
  }
  SS_CHECK (n_tex == 0);
  g_strfreev (md_lines);
  g_strfreev (items);
  g_free (md);
  g_free (tex);
  ssapp_table_free (table);
  return g_string_free (found, FALSE);
}

/* Best is what is better by a digit that is shown, of runs that count. */
static void
best_is_more_than_rounding (void)
{
  static const char *const cases[][3] = {
      {"%.6g", "6.69000001 6.69000002", "--"},
      {"%.6g", "6.69001 6.69000 7", "-x-"},
      {"%.6g", "6.69000001 6.69000002 7", "xx-"},
      {"%.6g", "-0.0123456 -0.0123457", "-x"},
      {"%.3g", "0.1004 0.1006", "--"}, /* shown as 0.1 and 0.101, but closer than a digit */
      {"%.3g", "0.1 0.101", "x-"},
      {"%.3g", "0.0999 0.1001", "--"},
      {"%.0f", "3 3 4", "xx-"},
      {"%.0f", "3 3", "--"},
      {"%.0f", "2.6 3.4", "--"},
      {"%.1e", "1.00e-9 1.04e-9", "--"},
      {"%.1e", "1.0e-9 1.1e-9", "x-"},
      {"%.1e", "0 1e-16", "x-"},
      {"%.3f", "0.0004 0.0006", "--"},
      {"%.6g", "1a 2 3", "-x-"}, /* a failed run is the cheapest */
      {"%.6g", "1a 2", "--"},
      {"%.6g", "3a 2", "--"},
      {"%.6g", "inf 2", "-x"},
      {"%.6g", "nan 2", "--"},
      {"%.6g", "5", "-"},
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    char *found = best_of (cases[i][0], cases[i][1]);
    SS_CHECK_STR (found, cases[i][2]);
    g_free (found);
  }
}

static void
data_keep_their_digits (void)
{
  SsappTable *table = make ();
  char *csv = ssapp_table_write (table, SSAPP_TABLE_CSV), *tsv = ssapp_table_write (table, SSAPP_TABLE_TSV);
  char *lines = ssapp_table_write (table, SSAPP_TABLE_JSON_LINES);
  char **rows = g_strsplit (lines, "\n", -1);
  json_t *second = json_loads (rows[1], 0, NULL), *first = json_loads (rows[0], 0, NULL);

  SS_CHECK (strcmp (csv, "method,cost,score\n"
                         "\"a, \"\"b\"\" | 50 % of $x_1 & μ\n{\\}\",0.1,3\n"
                         "'=c\td,2.8123456789012345e-07,3\n" /* no formula of a spreadsheet */
                         "short,,\n"
                         "alone,,-1\n") == 0);
  SS_CHECK (strcmp (tsv, "method\tcost\tscore\n"
                         "a, \"b\" | 50 % of $x_1 & μ {\\}\t0.1\t3\n"
                         "'=c d\t2.8123456789012345e-07\t3\n"
                         "short\t\t\n"
                         "alone\t\t-1\n") == 0);
  SS_CHECK (g_strv_length (rows) == 5 && rows[4][0] == '\0');
  SS_CHECK (json_real_value (json_object_get (second, "cost")) == 2.8123456789012345e-07);
  SS_CHECK (strcmp (json_string_value (json_object_get (first, "method")), "a, \"b\" | 50 % of $x_1 & μ\n{\\}") == 0);
  json_decref (first);
  json_decref (second);
  g_strfreev (rows);
  g_free (lines);
  g_free (tsv);
  g_free (csv);
  ssapp_table_free (table);
}

static void
a_column_of_numbers_takes_a_text (void)
{
  SsappTable *table = ssapp_table_new ("");

  ssapp_table_add_number_column (table, "paper", "Paper", "", "%.2g", SSAPP_BEST_LOWEST);
  for (int i = 0; i < 2; i++) {
    ssapp_table_begin_row (table);
    if (i == 0)
      ssapp_table_add_text (table, "over 3, \"here\"");
    else
      ssapp_table_add_number (table, NAN);
  }
  g_autofree char *csv = ssapp_table_write (table, SSAPP_TABLE_CSV),
                  *lines = ssapp_table_write (table, SSAPP_TABLE_JSON_LINES);
  SS_CHECK_STR (csv, "paper\n\"over 3, \"\"here\"\"\"\n\n");
  SS_CHECK_STR (lines, "{\"paper\":\"over 3, \\\"here\\\"\"}\n{\"paper\":null}\n");
  SS_CHECK (ssapp_table_is_text (table, 0, 0) && !ssapp_table_is_text (table, 1, 0));
  SS_CHECK (ssapp_table_find_column (table, "paper") == 0 && ssapp_table_find_column (table, "ours") == -1);
  SS_CHECK (ssapp_table_get_column_digits (table, 0) == 2);
  ssapp_table_free (table);
}

/* Documents show numbers by "%.*g": counts stay counts, and 1e-08 is no text. */
static void
digits_are_those_of_the_format (void)
{
  static const struct {
    const char *format;
    double number;
  } columns[] = {{"%.3g", 0.125},    {"%.0f", 123456},  {"%.1f", 98765.5}, {"%.3f", 1234.567},
                 {"%.6f", 0.015625}, {"%g", 0.0123456}, {"%.0e", 1e-8},    {"%.2e", 1.25e-8}};

  for (guint i = 0; i < G_N_ELEMENTS (columns); i++) {
    g_autoptr (SsappTable) table = ssapp_table_new ("A");
    ssapp_table_add_number_column (table, "x", "x", "", columns[i].format, SSAPP_BEST_NONE);
    ssapp_table_begin_row (table);
    ssapp_table_add_number (table, columns[i].number);
    g_autofree char *shown = g_strdup_printf ("%.*g", ssapp_table_get_column_digits (table, 0), columns[i].number);
    SS_CHECK_STR (shown, ssapp_table_get_text (table, 0, 0));
  }
}

static void
columns_are_chosen (void)
{
  SsappTable *table = make ();
  g_autoptr (GError) error = NULL;

  SS_CHECK (!ssapp_table_choose_columns (table, "score,costs", &error));
  SS_CHECK_CONTAINS (error->message, "no column 'costs'; did you mean cost");
  g_clear_error (&error);
  SS_CHECK (!ssapp_table_choose_columns (table, "score,Score", &error));
  SS_CHECK_CONTAINS (error->message, "named twice");
  SS_CHECK (ssapp_table_get_n_columns (table) == 3); /* as it was */
  SS_CHECK (ssapp_table_choose_columns (table, "Score,cost=J", NULL));
  ssapp_table_set_long (table, TRUE);
  g_autofree char *csv = ssapp_table_write (table, SSAPP_TABLE_CSV),
                  *tex = ssapp_table_write (table, SSAPP_TABLE_LATEX);
  SS_CHECK_STR (csv, "score,cost\n3,0.1\n3,2.8123456789012345e-07\n,\n-1,\n");
  SS_CHECK (strstr (tex, "\\usepackage{booktabs,longtable}\n\\begin{longtable}{rr}\n\\toprule\nScore & J \\\\\n"
                         "\\midrule\n\\endhead\n\\bottomrule\n\\endfoot\n$3$ & $0.1$ \\\\\n") != NULL);
  SS_CHECK (strstr (tex, "\n\\end{longtable}\n") != NULL && strstr (tex, "\\mathbf{2.81") != NULL); /* still the best */
  ssapp_table_free (table);
}

/* Heads of a table that is wider than a page stand in lines, none of which is wider than the widest cell or word;
 * letters and gaps get smaller where that is not enough. */
static void
wide_tables_are_narrowed (void)
{
  SsappTable *table = ssapp_table_new ("Wide");
  enum { N_COLUMNS = 9, N_HEADS = 2 };
  static const char *const heads[N_HEADS] = {"Energy at the end", "box2-box3.restitution vs. all"};

  for (int i = 0; i < N_COLUMNS; i++) {
    g_autofree char *name = g_strdup_printf ("n%d", i);
    ssapp_table_add_number_column (table, name, heads[i % N_HEADS], "J", "%.4g", SSAPP_BEST_NONE);
  }
  ssapp_table_begin_row (table);
  for (int i = 0; i < N_COLUMNS; i++)
    ssapp_table_add_number (table, 12345678);
  g_autofree char *tex = ssapp_table_write (table, SSAPP_TABLE_LATEX);
  SS_CHECK (strstr (tex, "\\shortstack[r]{Energy at\\\\the end [J]} & \\shortstack[r]{box2-box3.\\\\restitution\\\\vs. "
                         "all [J]}") != NULL);
  SS_CHECK (strstr (tex, "\\begingroup\\small") != NULL && strstr (tex, "\\end{tabular}\\endgroup\n") != NULL);
  SS_CHECK (strstr (tex, "pt wide: --columns") != NULL);
  ssapp_table_free (table);
}

static void
people_read_the_others (void)
{
  SsappTable *table = make ();
  char *text = ssapp_table_write (table, SSAPP_TABLE_TEXT), *md = ssapp_table_write (table, SSAPP_TABLE_MARKDOWN);
  char *tex = ssapp_table_write (table, SSAPP_TABLE_LATEX);

  SS_CHECK (strstr (text, "Cost [J]  Score\n") != NULL && strstr (text, "2.81e-07      3\n") != NULL);
  SS_CHECK (strstr (text, "\nA note.\n") != NULL && strstr (text, " \n") == NULL);
  SS_CHECK (strstr (md, "| Method | Cost \\[J\\] | Score |\n| --- | ---: | ---: |\n") != NULL);
  SS_CHECK (strstr (md, "| a, \"b\" \\| 50 % of $x\\_1 & μ {\\\\} | 0.1 | 3 |\n") != NULL);
  SS_CHECK (strstr (tex, "\\begin{tabular}{lrr}\n\\toprule\nMethod & Cost [J] & Score \\\\\n\\midrule\n") != NULL);
  SS_CHECK (strstr (tex, "50 \\% of \\$x\\_1 \\& $\\mu$ \\{\\textbackslash{}\\} & $0.1$ & $3$ \\\\\n") != NULL);
  SS_CHECK (strstr (tex, "=c d & $\\mathbf{2.81 \\cdot 10^{-7}}$ &") != NULL);
  SS_CHECK (
      strstr (tex,
              "short &  &  \\\\\n\\addlinespace\nalone & -- & $-1$ \\\\\n\\bottomrule\n\\end{tabular}\n% A note.\n") !=
      NULL);
  g_free (tex);
  g_free (md);
  g_free (text);
  ssapp_table_free (table);
}

static void
metrics_bring_their_columns (void)
{
  SsappTable *table = ssapp_table_new ("");
  char *title, *csv;

  ssapp_table_add_metric_column (table, SS_METRIC_CPU_SECONDS);
  ssapp_table_add_metric_column (table, SS_METRIC_SUCCESS_PAPER);
  for (int i = 0; i < 2; i++) {
    ssapp_table_begin_row (table);
    ssapp_table_add_number (table, 0.25 + i);
    ssapp_table_add_number (table, i);
  }
  title = ssapp_table_get_column_title (table, 0);
  csv = ssapp_table_write (table, SSAPP_TABLE_CSV);
  SS_CHECK (strstr (title, "[s]") != NULL);
  SS_CHECK (strcmp (ssapp_table_get_text (table, 1, 1), "yes") == 0);
  SS_CHECK (ssapp_table_is_best (table, 0, 0) && ssapp_table_is_best (table, 1, 1));
  SS_CHECK (strcmp (csv, "cpu_seconds,success_paper\n0.25,0\n1.25,1\n") == 0);
  g_free (csv);
  g_free (title);
  ssapp_table_free (table);
}

static void
formats_have_names (void)
{
  SsappTableFormat format;
  char **names = g_strsplit (ssapp_table_format_names (), ", ", -1);

  for (char **name = names; *name != NULL; name++)
    SS_CHECK (ssapp_table_format_from_name (*name, &format));
  SS_CHECK (!ssapp_table_format_from_name ("xls", &format));
  g_strfreev (names);
}

int
main (void)
{
  SS_RUN (cells_are_read);
  SS_RUN (best_is_more_than_rounding);
  SS_RUN (data_keep_their_digits);
  SS_RUN (a_column_of_numbers_takes_a_text);
  SS_RUN (digits_are_those_of_the_format);
  SS_RUN (columns_are_chosen);
  SS_RUN (people_read_the_others);
  SS_RUN (wide_tables_are_narrowed);
  SS_RUN (metrics_bring_their_columns);
  SS_RUN (formats_have_names);
  return ss_test_finish ();
}
