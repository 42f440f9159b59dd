/* app/base/ssapp-table-write.c: a table in each of its formats, by what ssapp-table.h tells of tables. */
#include "app/base/ssapp-table.h"

#include "app/base/ssapp-file.h"
#include "app/base/ssapp-json.h"
#include "app/base/ssapp-latex.h"
#include "app/base/ssapp-text.h"

#include <math.h>
#include <string.h>

/* All digits of a number, as short as they can be; "" for NaN. */
static char *
all_digits (double value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  if (isnan (value))
    return g_strdup ("");
  value += 0.0; /* no "-0" */
  for (int digits = 15; digits < 17; digits++) {
    char format[8];
    g_snprintf (format, sizeof format, "%%.%dg", digits);
    if (g_ascii_strtod (g_ascii_formatd (text, sizeof text, format, value), NULL) == value)
      return g_strdup (text);
  }
  return g_strdup (g_ascii_formatd (text, sizeof text, "%.17g", value));
}

/* What a file of data has in a cell; g_free. */
static char *
data_text (const SsappTable *self, guint row, guint column)
{
  if (ssapp_table_is_number_column (self, column) && !ssapp_table_is_text (self, row, column))
    return all_digits (ssapp_table_get_number (self, row, column));
  return g_strdup (ssapp_table_get_text (self, row, column));
}

/* A cell of a spreadsheet's clipboard has no tab and no line end. */
static void
append_tsv (GString *out, const char *text)
{
  g_string_append (out, ssapp_csv_guard (text));
  for (const char *c = text; *c != '\0'; c++)
    g_string_append_c (out, strchr ("\t\r\n", *c) == NULL ? *c : ' ');
}

static void
write_separated (const SsappTable *self, gboolean is_csv, GString *out)
{
  void (*append) (GString *, const char *) = is_csv ? ssapp_csv_append_text : append_tsv;
  const char separator = is_csv ? ',' : '\t';

  for (guint j = 0; j < ssapp_table_get_n_columns (self); j++) {
    if (j > 0)
      g_string_append_c (out, separator);
    append (out, ssapp_table_get_column_key (self, j));
  }
  g_string_append_c (out, '\n');
  for (guint i = 0; i < ssapp_table_get_n_rows (self); i++) {
    for (guint j = 0; j < ssapp_table_get_n_columns (self); j++) {
      g_autofree char *text = data_text (self, i, j);
      if (j > 0)
        g_string_append_c (out, separator);
      if (ssapp_table_is_number_column (self, j) && !ssapp_table_is_text (self, i, j))
        g_string_append (out, text);
      else
        append (out, text);
    }
    g_string_append_c (out, '\n');
  }
}

static void
write_json_lines (const SsappTable *self, GString *out)
{
  for (guint i = 0; i < ssapp_table_get_n_rows (self); i++) {
    json_t *object = json_object ();
    g_autofree char *line = NULL;
    for (guint j = 0; j < ssapp_table_get_n_columns (self); j++) {
      json_t *value = ssapp_table_is_text (self, i, j)         ? json_string (ssapp_table_get_text (self, i, j))
                      : ssapp_table_is_number_column (self, j) ? ssapp_json_real (ssapp_table_get_number (self, i, j))
                                                               : json_null ();
      json_object_set_new (object, ssapp_table_get_column_key (self, j), value);
    }
    line = ssapp_json_text (object, FALSE);
    g_string_append_printf (out, "%s\n", line);
    json_decref (object);
  }
}

static void
append_spaces (GString *out, glong n)
{
  for (; n > 0; n--)
    g_string_append_c (out, ' ');
}

/* One line of a table for a terminal: numbers right, texts left, nothing after the last. */
static void
append_text_line (const SsappTable *self, char *const *cells, const glong *widths, GString *out)
{
  const guint n = ssapp_table_get_n_columns (self);

  for (guint j = 0; j < n; j++) {
    const glong room = widths[j] - g_utf8_strlen (cells[j], -1);
    if (j > 0)
      g_string_append (out, "  ");
    if (ssapp_table_is_number_column (self, j))
      append_spaces (out, room);
    g_string_append (out, cells[j]);
    if (!ssapp_table_is_number_column (self, j) && j + 1 < n)
      append_spaces (out, room);
  }
  while (out->len > 0 && out->str[out->len - 1] == ' ')
    g_string_truncate (out, out->len - 1);
  g_string_append_c (out, '\n');
}

static void
write_text (const SsappTable *self, GString *out)
{
  const guint n = ssapp_table_get_n_columns (self);
  g_autofree glong *widths = g_new0 (glong, n + 1);
  g_autoptr (GPtrArray) lines = g_ptr_array_new_with_free_func ((GDestroyNotify)g_strfreev);

  for (guint i = 0; i <= ssapp_table_get_n_rows (self); i++) {
    char **cells = g_new0 (char *, n + 1);
    for (guint j = 0; j < n; j++) {
      cells[j] = i == 0 ? ssapp_table_get_column_title (self, j)
                        : ssapp_text_visible (ssapp_table_get_text (self, i - 1, j), FALSE);
      widths[j] = MAX (widths[j], g_utf8_strlen (cells[j], -1));
    }
    g_ptr_array_add (lines, cells);
  }
  for (guint i = 0; i < lines->len; i++)
    append_text_line (self, g_ptr_array_index (lines, i), widths, out);
  for (guint i = 0; i < ssapp_table_get_n_notes (self); i++)
    g_string_append_printf (out, "%s\n", ssapp_table_get_note (self, i));
}

/* What Markdown would take for its own. */
static void
append_markdown (GString *out, const char *text)
{
  for (const char *c = text; *c != '\0'; c++) {
    if (strchr ("\\|*_`<>[]", *c) != NULL)
      g_string_append_c (out, '\\');
    g_string_append_c (out, strchr ("\r\n", *c) == NULL ? *c : ' ');
  }
}

static void
write_markdown (const SsappTable *self, GString *out)
{
  g_string_append_c (out, '|');
  for (guint j = 0; j < ssapp_table_get_n_columns (self); j++) {
    g_autofree char *title = ssapp_table_get_column_title (self, j);
    g_string_append_c (out, ' ');
    append_markdown (out, title);
    g_string_append (out, " |");
  }
  g_string_append (out, "\n|");
  for (guint j = 0; j < ssapp_table_get_n_columns (self); j++)
    g_string_append (out, ssapp_table_is_number_column (self, j) ? " ---: |" : " --- |");
  g_string_append_c (out, '\n');
  for (guint i = 0; i < ssapp_table_get_n_rows (self); i++) {
    g_string_append_c (out, '|');
    for (guint j = 0; j < ssapp_table_get_n_columns (self); j++) {
      const char *mark = ssapp_table_is_best (self, i, j) ? "**" : "";
      g_string_append_printf (out, " %s", mark);
      append_markdown (out, ssapp_table_get_text (self, i, j));
      g_string_append_printf (out, "%s |", mark);
    }
    g_string_append_c (out, '\n');
  }
  for (guint i = 0; i < ssapp_table_get_n_notes (self); i++) {
    g_string_append_c (out, '\n');
    append_markdown (out, ssapp_table_get_note (self, i));
    g_string_append_c (out, '\n');
  }
}

static void
append_latex (GString *out, const char *text)
{
  g_autofree char *words = ssapp_latex_words (text);

  g_string_append (out, words);
}

/* A number as mathematics: "2.8e-07" is "$2.8 \cdot 10^{-7}$", so that its minus sign is one. */
static void
append_latex_number (GString *out, const char *text, gboolean is_bold)
{
  const char *e = strchr (text, 'e');
  char *end = NULL;
  const double value = g_ascii_strtod (text, &end);

  if (end == text || *end != '\0') { /* "-", "yes" */
    g_string_append (out, is_bold ? "\\textbf{" : "");
    if (strcmp (text, "-") == 0)
      g_string_append (out, "--");
    else
      append_latex (out, text);
    g_string_append (out, is_bold ? "}" : "");
    return;
  }
  g_string_append (out, is_bold ? "$\\mathbf{" : "$");
  if (isinf (value))
    g_string_append (out, value < 0 ? "-\\infty" : "\\infty");
  else if (e == NULL)
    g_string_append (out, text);
  else
    g_string_append_printf (out, "%.*s \\cdot 10^{%d}", (int)(e - text), text, (int)g_ascii_strtoll (e + 1, NULL, 10));
  g_string_append (out, is_bold ? "}$" : "$");
}

static void
append_latex_cell (const SsappTable *self, guint row, guint column, GString *out)
{
  const gboolean is_bold = ssapp_table_is_best (self, row, column);
  g_autofree char *text = g_utf8_make_valid (ssapp_table_get_text (self, row, column), -1);

  if (ssapp_table_is_number_column (self, column) && text[0] != '\0')
    append_latex_number (out, text, is_bold);
  else
    append_latex (out, text);
}

/* Widths at 10 pt [pt]: of a letter or digit of Computer Modern as heads and cells mix them, of the space between two
 * columns, and of a page of LaTeX's article. */
#define LETTER_PT 5.0
#define GAP_PT    12.0
#define SMALL     0.9
enum { PAGE_PT = 345, NARROW_GAP_PT = 6 };

/* Letters that a cell takes; "2.3e-02" is set with its power of ten. */
static guint
letters_of_cell (const SsappTable *self, guint row, guint column)
{
  const char *text = ssapp_table_get_text (self, row, column), *e = strchr (text, 'e');
  const gboolean is_power = ssapp_table_is_number_column (self, column) && e != NULL;

  return is_power ? (guint)(e - text) + 6 : (guint)g_utf8_strlen (text, -1);
}

/* Letters of the widest cell of each column, its head left out. */
static guint *
letters_of_columns (const SsappTable *self)
{
  guint *letters = g_new0 (guint, ssapp_table_get_n_columns (self) + 1);

  for (guint i = 0; i < ssapp_table_get_n_rows (self); i++)
    for (guint j = 0; j < ssapp_table_get_n_columns (self); j++)
      letters[j] = MAX (letters[j], letters_of_cell (self, i, j));
  return letters;
}

/* Before a part of a word that may begin a line: of a number's name, "box2-box3.restitution", after its dot. */
#define PART '\001'

/* The lines of a head whose words are put below each other where a line has at least `least` letters; g_strfreev. */
static char **
break_head (const char *title, guint least)
{
  g_autoptr (GStrvBuilder) lines = g_strv_builder_new ();
  g_autoptr (GString) line = g_string_new (NULL), parted = g_string_new (NULL);
  guint widest = least;

  for (const char *c = title; *c != '\0'; c++) {
    const gboolean is_part = *c == '.' && g_ascii_isalpha (c[1]);
    g_string_append_c (parted, *c);
    g_string_append (parted, is_part ? (const char[]){' ', PART, '\0'} : "");
  }
  g_auto (GStrv) words = g_strsplit (parted->str, " ", -1);
  for (int i = 0; words[i] != NULL; i++)
    widest = MAX (widest, (guint)g_utf8_strlen (words[i], -1));
  for (int i = 0; words[i] != NULL; i++) {
    const gboolean is_part = words[i][0] == PART;
    const char *word = words[i] + is_part;
    if (line->len > 0 && g_utf8_strlen (line->str, -1) + g_utf8_strlen (word, -1) + !is_part > widest) {
      g_strv_builder_add (lines, line->str);
      g_string_set_size (line, 0);
    }
    g_string_append_printf (line, "%s%s", line->len > 0 && !is_part ? " " : "", word);
  }
  g_strv_builder_add (lines, line->str);
  return g_strv_builder_end (lines);
}

static guint
widest_of (char **lines)
{
  guint widest = 0;

  for (int i = 0; lines[i] != NULL; i++)
    widest = MAX (widest, (guint)g_utf8_strlen (lines[i], -1));
  return widest;
}

/* How wide it is [pt], with heads in one line, or broken. */
static double
width_of (const SsappTable *self, const guint *letters, gboolean is_broken)
{
  double width = 0;

  for (guint j = 0; j < ssapp_table_get_n_columns (self); j++) {
    g_autofree char *title = ssapp_table_get_column_title (self, j);
    g_auto (GStrv) lines = break_head (title, is_broken ? letters[j] : G_MAXUINT);
    width += MAX (letters[j], widest_of (lines)) * LETTER_PT + GAP_PT;
  }
  return width;
}

static void
append_latex_head (const SsappTable *self, guint column, guint letters, GString *out)
{
  g_autofree char *title = ssapp_table_get_column_title (self, column);
  g_auto (GStrv) lines = break_head (title, letters);

  if (lines[1] == NULL) {
    /* A line that begins with a bracket would be read as an argument of the one before. */
    g_string_append (out, column == 0 && title[0] == '[' ? "{}" : "");
    append_latex (out, title);
    return;
  }
  g_string_append_printf (out, "\\shortstack[%c]{", ssapp_table_is_number_column (self, column) ? 'r' : 'l');
  for (int i = 0; lines[i] != NULL; i++) {
    g_string_append (out, i == 0 ? "" : lines[i][0] == '[' ? "\\\\{}" : "\\\\");
    append_latex (out, lines[i]);
  }
  g_string_append_c (out, '}');
}

/* Heads of a table that is too wide for a page are broken; where that is not enough its letters are smaller, too. */
static void
write_latex (const SsappTable *self, GString *out)
{
  const guint n = ssapp_table_get_n_columns (self);
  g_autofree guint *letters = letters_of_columns (self);
  const double broken = width_of (self, letters, TRUE), small = (broken - n * (GAP_PT - NARROW_GAP_PT)) * SMALL;
  const gboolean is_wide = width_of (self, letters, FALSE) > PAGE_PT, is_small = is_wide && broken > PAGE_PT;
  const char *environment = ssapp_table_is_long (self) ? "longtable" : "tabular";
  gboolean has_blocks = FALSE; /* groups of several rows are set apart */

  for (guint i = 1; i < ssapp_table_get_n_rows (self); i++)
    has_blocks = has_blocks || ssapp_table_get_group (self, i) == ssapp_table_get_group (self, i - 1);

  g_string_append_printf (out, "%% needs \\usepackage{booktabs%s}\n%s\\begin{%s}{",
                          ssapp_table_is_long (self) ? ",longtable" : "",
                          is_small ? "\\begingroup\\small\\setlength{\\tabcolsep}{3pt}%\n" : "", environment);
  for (guint j = 0; j < n; j++)
    g_string_append_c (out, ssapp_table_is_number_column (self, j) ? 'r' : 'l');
  g_string_append (out, "}");
  if (is_small && small > PAGE_PT)
    g_string_append_printf (out, " %% some %.0f pt wide: --columns chooses columns, and gives short heads", small);
  g_string_append (out, "\n\\toprule\n");
  for (guint j = 0; j < n; j++) {
    g_string_append (out, j == 0 ? "" : " & ");
    append_latex_head (self, j, is_wide ? letters[j] : G_MAXUINT, out);
  }
  g_string_append_printf (out, " \\\\\n\\midrule\n%s",
                          ssapp_table_is_long (self) ? "\\endhead\n\\bottomrule\n\\endfoot\n" : "");
  for (guint i = 0; i < ssapp_table_get_n_rows (self); i++) {
    if (i > 0 && has_blocks && ssapp_table_get_group (self, i) != ssapp_table_get_group (self, i - 1))
      g_string_append (out, "\\addlinespace\n");
    for (guint j = 0; j < n; j++) {
      g_string_append (out, j == 0 ? "" : " & ");
      if (j == 0 && strchr ("[*", ssapp_table_get_text (self, i, j)[0]) != NULL)
        g_string_append (out, "{}");
      append_latex_cell (self, i, j, out);
    }
    g_string_append (out, " \\\\\n");
  }
  g_string_append_printf (out, "%s\\end{%s}%s\n", ssapp_table_is_long (self) ? "" : "\\bottomrule\n", environment,
                          is_small ? "\\endgroup" : "");
  for (guint i = 0; i < ssapp_table_get_n_notes (self); i++) {
    g_autofree char *note = ssapp_text_visible (ssapp_table_get_note (self, i), FALSE);
    g_string_append_printf (out, "%% %s\n", note);
  }
}

char *
ssapp_table_write (const SsappTable *self, SsappTableFormat format)
{
  GString *out = g_string_new ("");

  switch (format) {
  case SSAPP_TABLE_TEXT:
    write_text (self, out);
    break;
  case SSAPP_TABLE_CSV:
    write_separated (self, TRUE, out);
    break;
  case SSAPP_TABLE_TSV:
    write_separated (self, FALSE, out);
    break;
  case SSAPP_TABLE_MARKDOWN:
    write_markdown (self, out);
    break;
  case SSAPP_TABLE_LATEX:
    write_latex (self, out);
    break;
  case SSAPP_TABLE_JSON_LINES:
    write_json_lines (self, out);
    break;
  }
  return g_string_free (out, FALSE);
}
