/* app/base/ssapp-table.c: see ssapp-table.h; what is written is in ssapp-table-write.c. */
#include "app/base/ssapp-table.h"

#include "app/base/ssapp-ending.h"
#include "app/base/ssapp-metric.h"
#include "app/base/ssapp-text.h"
#include "core/ss-option.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  char *key, *title, *unit, *format;
  SsappBest best;
  gboolean is_number, is_metric;
  SsMetric metric;
} Column;

typedef struct {
  const char *text; /* as people read it, of the table's texts; NULL: empty, or of a number that nobody has read yet */
  double number;    /* NaN: a text, or not known */
  bool is_apart, is_text, is_number;
} Cell;

struct SsappTable {
  char *title;
  GArray *columns; /* of Column */
  GPtrArray *rows; /* of GArray of Cell */
  GStringChunk *texts;
  GArray *groups;   /* of guint: of each row */
  GPtrArray *notes; /* of char * */
  guint group;
  gboolean is_apart; /* of numbers that come */
  gboolean is_long;
};

static const struct {
  const char *name;
  SsappTableFormat format;
} formats[] = {{"text", SSAPP_TABLE_TEXT},   {"csv", SSAPP_TABLE_CSV},   {"tsv", SSAPP_TABLE_TSV},
               {"md", SSAPP_TABLE_MARKDOWN}, {"tex", SSAPP_TABLE_LATEX}, {"jsonl", SSAPP_TABLE_JSON_LINES},
               {"txt", SSAPP_TABLE_TEXT}};

gboolean
ssapp_table_format_from_name (const char *name, SsappTableFormat *format)
{
  g_return_val_if_fail (name != NULL && format != NULL, FALSE);
  for (gsize i = 0; i < G_N_ELEMENTS (formats); i++)
    if (strcmp (name, formats[i].name) == 0) {
      *format = formats[i].format;
      return TRUE;
    }
  return FALSE;
}

gboolean
ssapp_table_format_of_path (const char *path, SsappTableFormat *format)
{
  g_return_val_if_fail (format != NULL, FALSE);

  g_autofree char *ending = g_ascii_strdown (ssapp_ending_of (path), -1);

  *format = SSAPP_TABLE_TEXT;
  return *ending == '\0' || ssapp_table_format_from_name (ending + 1, format);
}

const char *
ssapp_table_format_names (void)
{
  return "text, csv, tsv, md, tex, jsonl";
}

/* ---- filling ----------------------------------------------------------------------------------------------------- */

static void
clear_column (gpointer data)
{
  Column *column = data;

  g_free (column->key);
  g_free (column->title);
  g_free (column->unit);
  g_free (column->format);
}

SsappTable *
ssapp_table_new (const char *title)
{
  SsappTable *self = g_new0 (SsappTable, 1);

  self->title = g_strdup (title);
  self->columns = g_array_new (FALSE, FALSE, sizeof (Column));
  g_array_set_clear_func (self->columns, clear_column);
  self->rows = g_ptr_array_new_with_free_func ((GDestroyNotify)g_array_unref);
  self->texts = g_string_chunk_new (4096);
  self->groups = g_array_new (FALSE, FALSE, sizeof (guint));
  self->notes = g_ptr_array_new_with_free_func (g_free);
  return self;
}

void
ssapp_table_free (SsappTable *self)
{
  if (self == NULL)
    return;
  g_free (self->title);
  g_array_unref (self->columns);
  g_ptr_array_unref (self->rows);
  g_string_chunk_free (self->texts);
  g_array_unref (self->groups);
  g_ptr_array_unref (self->notes);
  g_free (self);
}

void
ssapp_table_add_text_column (SsappTable *self, const char *key, const char *title)
{
  g_return_if_fail (self != NULL);
  const Column column = {.key = g_strdup (key), .title = g_strdup (title), .unit = g_strdup ("")};

  g_array_append_val (self->columns, column);
}

void
ssapp_table_add_number_column (SsappTable *self, const char *key, const char *title, const char *unit,
                               const char *format, SsappBest best)
{
  g_return_if_fail (self != NULL);
  const Column column = {.key = g_strdup (key),
                         .title = g_strdup (title),
                         .unit = g_strdup (unit),
                         .format = g_strdup (format),
                         .best = best,
                         .is_number = TRUE};

  g_array_append_val (self->columns, column);
}

void
ssapp_table_add_metric_column (SsappTable *self, SsMetric metric)
{
  ssapp_table_add_metric_column_called (self, metric, ssapp_metric_spec (metric)->label);
}

void
ssapp_table_add_metric_column_called (SsappTable *self, SsMetric metric, const char *title)
{
  g_return_if_fail (self != NULL);
  const SsMetricSpec *info = ssapp_metric_spec (metric);
  const SsappBest best = info->better == SS_BETTER_LOWER    ? SSAPP_BEST_LOWEST
                         : info->better == SS_BETTER_HIGHER ? SSAPP_BEST_HIGHEST
                                                            : SSAPP_BEST_NONE;
  Column *column;

  ssapp_table_add_number_column (self, info->name, title, info->unit, info->format, best);
  column = &g_array_index (self->columns, Column, self->columns->len - 1);
  column->is_metric = TRUE;
  column->metric = metric;
}

void
ssapp_table_set_column_title (SsappTable *self, guint column, const char *title)
{
  g_return_if_fail (self != NULL);
  Column *about = &g_array_index (self->columns, Column, column);

  g_free (about->title);
  about->title = g_strdup (title);
}

void
ssapp_table_add_note (SsappTable *self, const char *note)
{
  g_return_if_fail (self != NULL);
  g_ptr_array_add (self->notes, g_strdup (note));
}

void
ssapp_table_begin_row (SsappTable *self)
{
  g_return_if_fail (self != NULL);

  g_ptr_array_add (self->rows, g_array_sized_new (FALSE, TRUE, sizeof (Cell), self->columns->len));
  g_array_append_val (self->groups, self->group);
}

void
ssapp_table_set_group (SsappTable *self, guint group)
{
  g_return_if_fail (self != NULL);
  self->group = group;
}

static void
add_cell (SsappTable *self, Cell cell)
{
  GArray *row = g_ptr_array_index (self->rows, self->rows->len - 1);

  g_assert (row->len < self->columns->len);
  g_array_append_val (row, cell);
}

void
ssapp_table_add_text (SsappTable *self, const char *text)
{
  add_cell (self, (Cell){.text = text != NULL ? g_string_chunk_insert (self->texts, text) : NULL,
                         .number = NAN,
                         .is_text = text != NULL});
}

/* The formats are the program's own: one conversion of a double each. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
static char *
number_text (const Column *column, double value)
{
  if (column->is_metric)
    return ssapp_metric_text (column->metric, value);
  if (isnan (value))
    return g_strdup ("-");
  return ssapp_text_number (column->format, value);
}
#pragma GCC diagnostic pop

void
ssapp_table_add_number (SsappTable *self, double value)
{
  const GArray *row = g_ptr_array_index (self->rows, self->rows->len - 1);
  const Column *column = &g_array_index (self->columns, Column, row->len);

  g_assert (column->is_number);
  add_cell (self, (Cell){.number = value, .is_apart = self->is_apart, .is_number = true});
}

void
ssapp_table_set_apart (SsappTable *self, gboolean is_apart)
{
  g_return_if_fail (self != NULL);
  self->is_apart = is_apart;
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

guint
ssapp_table_get_n_rows (const SsappTable *self)
{
  g_return_val_if_fail (self != NULL, 0);
  return self->rows->len;
}

guint
ssapp_table_get_n_columns (const SsappTable *self)
{
  g_return_val_if_fail (self != NULL, 0);
  return self->columns->len;
}

guint
ssapp_table_get_n_notes (const SsappTable *self)
{
  g_return_val_if_fail (self != NULL, 0);
  return self->notes->len;
}

const char *
ssapp_table_get_note (const SsappTable *self, guint note)
{
  g_return_val_if_fail (self != NULL, NULL);
  return g_ptr_array_index (self->notes, note);
}

const char *
ssapp_table_get_title (const SsappTable *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->title;
}

static const Column *
get_column (const SsappTable *self, guint column)
{
  return &g_array_index (self->columns, Column, column);
}

const char *
ssapp_table_get_column_key (const SsappTable *self, guint column)
{
  return get_column (self, column)->key;
}

int
ssapp_table_find_column (const SsappTable *self, const char *key)
{
  g_return_val_if_fail (self != NULL, 0);
  for (guint j = 0; j < self->columns->len; j++)
    if (strcmp (get_column (self, j)->key, key) == 0)
      return (int)j;
  return -1;
}

/* Of a printf format, 6 where it says none, as printf. */
static int
digits_of (const char *format)
{
  const char *dot = strchr (format, '.');

  return dot != NULL ? atoi (dot + 1) : 6;
}

static const char *
format_of (const Column *column)
{
  return column->is_metric ? ssapp_metric_spec (column->metric)->format : column->format;
}

int
ssapp_table_get_column_digits (const SsappTable *self, guint column)
{
  enum { BEFORE_THE_POINT = 6 };
  const Column *about = get_column (self, column);
  const char *format = about->is_number ? format_of (about) : "";

  return !about->is_number                ? 0
         : g_str_has_suffix (format, "f") ? BEFORE_THE_POINT + digits_of (format)
         : g_str_has_suffix (format, "e") ? 1 + digits_of (format)
                                          : digits_of (format);
}

/* "CPU time [s]"; g_free. */
static char *
heading (const Column *column)
{
  return column->unit[0] == '\0' ? g_strdup (column->title) : g_strdup_printf ("%s [%s]", column->title, column->unit);
}

char *
ssapp_table_get_column_title (const SsappTable *self, guint column)
{
  return heading (get_column (self, column));
}

gboolean
ssapp_table_is_number_column (const SsappTable *self, guint column)
{
  return get_column (self, column)->is_number;
}

static const Cell *
get_cell (const SsappTable *self, guint row, guint column)
{
  static const Cell empty = {.number = NAN, .is_apart = TRUE};
  g_return_val_if_fail (row < self->rows->len, &empty);
  const GArray *cells = g_ptr_array_index (self->rows, row);

  return column < cells->len ? &g_array_index (cells, Cell, column) : &empty;
}

gboolean
ssapp_table_is_text (const SsappTable *self, guint row, guint column)
{
  return get_cell (self, row, column)->is_text;
}

const char *
ssapp_table_get_text (const SsappTable *self, guint row, guint column)
{
  const Cell *cell = get_cell (self, row, column);

  if (cell->is_number && cell->text == NULL) {
    g_autofree char *text = number_text (get_column (self, column), cell->number);
    g_array_index ((GArray *)g_ptr_array_index (self->rows, row), Cell, column).text =
        g_string_chunk_insert (self->texts, text);
  }
  return cell->text == NULL ? "" : cell->text;
}

double
ssapp_table_get_number (const SsappTable *self, guint row, guint column)
{
  return get_cell (self, row, column)->number;
}

guint
ssapp_table_get_group (const SsappTable *self, guint row)
{
  return g_array_index (self->groups, guint, row);
}

/* One unit of the last digit that the column shows of a value: what is closer looks the same, or might. */
static double
last_digit (const Column *column, double value)
{
  const char *format = format_of (column), kind = format[strlen (format) - 1];
  const int digits = digits_of (format);

  if (kind == 'f')
    return pow (10., -digits);
  if (value == 0 || !isfinite (value))
    return 0;
  return pow (10., floor (log10 (fabs (value))) - (kind == 'e' ? digits : MAX (digits, 1) - 1));
}

/* Whether a value is better than another by more than what the column's digits tell. */
static gboolean
is_better (const Column *column, double value, double than)
{
  const double rounding = 1e-9; /* of the difference of two numbers that are one unit apart, in units */
  const double gain = column->best == SSAPP_BEST_LOWEST ? than - value : value - than;

  return gain > 0 && gain >= (1 - rounding) * MAX (last_digit (column, value), last_digit (column, than));
}

/* A row that may be the best of its group in that column. */
static gboolean
contends (const SsappTable *self, guint row, guint column)
{
  return !get_cell (self, row, column)->is_apart && !isnan (ssapp_table_get_number (self, row, column));
}

gboolean
ssapp_table_is_best (const SsappTable *self, guint row, guint column)
{
  g_return_val_if_fail (self != NULL, FALSE);
  const Column *about = get_column (self, column);
  const double value = ssapp_table_get_number (self, row, column);
  const guint group = ssapp_table_get_group (self, row);
  gboolean has_worse = FALSE;

  if (about->best == SSAPP_BEST_NONE || !isfinite (value) || !contends (self, row, column))
    return FALSE;
  for (guint i = 0; i < self->rows->len; i++) {
    const double other = ssapp_table_get_number (self, i, column);
    if (ssapp_table_get_group (self, i) != group || !contends (self, i, column))
      continue;
    if (is_better (about, other, value))
      return FALSE;
    has_worse = has_worse || is_better (about, value, other);
  }
  return has_worse;
}

/* ---- columns ----------------------------------------------------------------------------------------------------- */

static gboolean
is_called (const Column *column, const char *name)
{
  return g_ascii_strcasecmp (column->key, name) == 0 || g_ascii_strcasecmp (column->title, name) == 0;
}

/* The column of that key or title; -1 with an error. */
static int
find_called (const SsappTable *self, const char *name, GError **error)
{
  g_autofree const char **keys = g_new (const char *, self->columns->len + 1);

  for (guint j = 0; j < self->columns->len; j++) {
    keys[j] = get_column (self, j)->key;
    if (is_called (get_column (self, j), name))
      return (int)j;
  }
  const char *nearest = ss_nearest_name (name, keys, (int)self->columns->len);
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "the table has no column '%s'%s%s", name,
               nearest != NULL ? "; did you mean " : "", nearest != NULL ? nearest : "");
  return -1;
}

/* Those cells of each row and those columns, in that order. */
static void
keep_columns (SsappTable *self, const int *kept, guint n)
{
  GArray *columns = g_array_new (FALSE, FALSE, sizeof (Column));

  for (guint k = 0; k < n; k++)
    g_array_append_val (columns, *get_column (self, (guint)kept[k]));
  for (guint i = 0; i < self->rows->len; i++) {
    GArray *old = g_ptr_array_index (self->rows, i), *row = g_array_sized_new (FALSE, TRUE, sizeof (Cell), n);
    for (guint k = 0; k < n; k++)
      g_array_append_val (row, *get_cell (self, i, (guint)kept[k]));
    g_array_unref (old);
    self->rows->pdata[i] = row;
  }
  for (guint j = 0; j < self->columns->len; j++) {
    gboolean is_kept = FALSE;
    for (guint k = 0; k < n; k++)
      is_kept = is_kept || kept[k] == (int)j;
    if (!is_kept)
      clear_column (&g_array_index (self->columns, Column, j));
  }
  g_array_set_clear_func (self->columns, NULL);
  g_array_unref (self->columns);
  g_array_set_clear_func (columns, clear_column);
  self->columns = columns;
}

char **
ssapp_table_split_columns (const char *names)
{
  char **parts = g_strsplit (names != NULL ? names : "", ",", -1);

  for (int i = 0; parts[i] != NULL; i++) {
    parts[i][strcspn (parts[i], "=")] = '\0';
    g_strstrip (parts[i]);
  }
  return parts;
}

gboolean
ssapp_table_choose_columns (SsappTable *self, const char *names, GError **error)
{
  g_return_val_if_fail (self != NULL && names != NULL, FALSE);
  g_auto (GStrv) parts = g_strsplit (names, ",", -1);
  const guint n = g_strv_length (parts);
  g_autofree int *kept = g_new (int, n + 1);

  for (guint k = 0; k < n; k++) {
    char *heading = strchr (parts[k], '=');
    if (heading != NULL)
      *heading = '\0';
    kept[k] = find_called (self, g_strstrip (parts[k]), error);
    for (guint other = 0; other < k && kept[k] >= 0; other++)
      if (kept[other] == kept[k]) {
        g_set_error (error, G_IO_ERROR, G_IO_ERROR_EXISTS, "column %s is named twice", parts[k]);
        return FALSE;
      }
    if (kept[k] < 0)
      return FALSE;
    if (heading != NULL)
      *heading = '=';
  }
  keep_columns (self, kept, n);
  for (guint k = 0; k < n; k++) {
    const char *heading = strchr (parts[k], '=');
    Column *column = &g_array_index (self->columns, Column, k);
    if (heading == NULL)
      continue;
    ssapp_table_set_column_title (self, k, heading + 1);
    g_free (column->unit);
    column->unit = g_strdup ("");
  }
  return TRUE;
}

void
ssapp_table_set_long (SsappTable *self, gboolean is_long)
{
  g_return_if_fail (self != NULL);
  self->is_long = is_long;
}

gboolean
ssapp_table_is_long (const SsappTable *self)
{
  return self->is_long;
}
