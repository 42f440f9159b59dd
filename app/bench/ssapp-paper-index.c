/* app/bench/ssapp-paper-index.c: see the header. */
#include "app/bench/ssapp-paper-index.h"

#include "bench-equations.h"

#include <string.h>

enum { ITEM, WORDS, LINES, TESTS, NOTES, N_CELLS };

/* "[file.c](../../path) `function`, ..." without the links: "file.c function, ...". */
static char *
plain (const char *cell)
{
  GString *out = g_string_new ("");

  for (const char *c = cell; *c != '\0'; c++) {
    const char *close = *c == ']' && c[1] == '(' ? strchr (c, ')') : NULL;
    if (close != NULL)
      c = close;
    else if (*c == '\\' && c[1] == '|')
      g_string_append_c (out, *++c);
    else if (*c != '[' && *c != '`')
      g_string_append_c (out, *c);
  }
  return g_strstrip (g_string_free (out, FALSE));
}

/* "| a | b | c | d | e |": the cells, or NULL where it is no such line. */
static char **
cells_of (const char *line)
{
  g_autoptr (GRegex) bar = g_regex_new ("(?<!\\\\)\\|", 0, 0, NULL);
  g_auto (GStrv) parts = g_regex_split (bar, line, 0);
  char **cells;

  if (g_strv_length (parts) != N_CELLS + 2 || *parts[0] != '\0')
    return NULL;
  cells = g_new0 (char *, N_CELLS + 1);
  for (int i = 0; i < N_CELLS; i++)
    cells[i] = plain (parts[i + 1]);
  if (strcmp (cells[ITEM], "item") == 0 || g_str_has_prefix (cells[ITEM], "---"))
    g_clear_pointer (&cells, g_strfreev);
  return cells;
}

/* "## 000: FESD-J": whether the heading is that of the paper. */
static gboolean
is_of (const char *heading, const char *paper)
{
  g_autofree char *name = g_ascii_strdown (heading + strlen ("## "), -1), *wanted = g_ascii_strdown (paper, -1);
  const char *title = strstr (name, ": ");

  g_strdelimit (name, " ", '-');
  g_strdelimit (wanted, " ", '-');
  return g_str_has_prefix (name, wanted) || (title != NULL && strstr (name, wanted) != NULL);
}

SsappTable *
ssapp_paper_index (const char *paper, gboolean errata, GError **error)
{
  static const struct {
    const char *key, *title;
    int cell;
  } columns[] = {{"item", "item", ITEM},
                 {"words", "what it says", WORDS},
                 {"notes", "notes", NOTES},
                 {"tests", "tested by", TESTS},
                 {"lines", "in", LINES}};
  SsappTable *table = ssapp_table_new (errata ? "Misprints of the five papers" : "The papers' equations in our code");
  g_auto (GStrv) lines = g_strsplit (bench_equations, "\n", -1);
  g_autofree char *in = NULL;
  gboolean is_known = FALSE;

  ssapp_table_add_text_column (table, "paper", "paper");
  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    ssapp_table_add_text_column (table, columns[i].key, columns[i].title);
  for (guint i = 0; lines[i] != NULL; i++) {
    if (g_str_has_prefix (lines[i], "## ")) {
      g_free (in);
      in = paper == NULL || is_of (lines[i], paper) ? g_strndup (lines[i] + strlen ("## "), strlen ("000")) : NULL;
      is_known = is_known || in != NULL;
      continue;
    }
    g_auto (GStrv) cells = in != NULL ? cells_of (lines[i]) : NULL;
    if (cells == NULL || (errata && strstr (cells[NOTES], "misprint") == NULL))
      continue;
    ssapp_table_begin_row (table);
    ssapp_table_add_text (table, in);
    for (guint c = 0; c < G_N_ELEMENTS (columns); c++)
      ssapp_table_add_text (table, cells[columns[c].cell]);
  }
  if (is_known)
    return table;
  ssapp_table_free (table);
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND,
               "no paper is named '%s': 000 fesd-j, 001 time-freezing, 002 "
               "impacts, 003 constraint-solver, 004 crisp",
               paper);
  return NULL;
}
