/* app/session/ssapp-log-rows.c: see the header. */
#include "app/session/ssapp-log-rows.h"

#include "app/base/ssapp-json.h"
#include "app/draw/ssapp-plot.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

enum { DIGITS = 4 };

/* Titles of columns that methods are known to report; those first in the table come first here. */
static const struct {
  const char *key, *title;
} known[] = {
    {"iteration", N_ ("Iter.")},
    {"t", N_ ("Time [s]")},
    {"objective", N_ ("Objective")},
    {"lower_bound", N_ ("Lower Bound")},
    {"violation", N_ ("Violation")},
    {"complementarity", N_ ("Compl.")},
    {"step", N_ ("Step")},
    {"merit", N_ ("Merit")},
    {"radius", N_ ("Radius Δ")},
    {"mu", "µ"},
    {"mu_max", N_ ("Largest µ")},
    {"sigma", "σ"},
    {"ratio", N_ ("Ratio")},
    {"qp_iterations", N_ ("QP Iter.")},
    {"soc", N_ ("Corrected")},
    {"accepted", N_ ("Accepted")},
    {"inf_du", N_ ("Dual Infeas.")},
    {"d_norm", N_ ("Direction")},
    {"alpha_pr", "α Primal"},
    {"alpha_du", "α Dual"},
    {"regularization", N_ ("Regular.")},
    {"ls_trials", N_ ("Trials")},
    {"restoration", N_ ("Restoration")},
    {"member", N_ ("Member")},
    {"polish", N_ ("Polish")},
    {"nodes", N_ ("Nodes")},
    {"open", N_ ("Open Nodes")},
};
enum { N_FIRST = 7 };

typedef struct {
  guint run;
  GArray *values; /* of double, by column; shorter where later columns came since */
} Row;

struct SsappLogRows {
  GPtrArray *runs;    /* of SsappRun */
  GArray *taken;      /* of guint: iterations of each run that are rows */
  GPtrArray *rows;    /* of Row */
  GPtrArray *columns; /* of char *: keys */
  GArray *order;      /* of guint: places of the columns as they are shown */
  GPtrArray *reports; /* of GHashTable, by run: the columns that it has reported */
};

static void
row_free (gpointer data)
{
  Row *row = data;

  g_array_unref (row->values);
  g_free (row);
}

SsappLogRows *
ssapp_log_rows_new (GPtrArray *runs)
{
  SsappLogRows *self = g_new0 (SsappLogRows, 1);

  self->runs = g_ptr_array_new_with_free_func (g_object_unref);
  self->taken = g_array_new (FALSE, TRUE, sizeof (guint));
  self->rows = g_ptr_array_new_with_free_func (row_free);
  self->columns = g_ptr_array_new_with_free_func (g_free);
  self->order = g_array_new (FALSE, FALSE, sizeof (guint));
  self->reports = g_ptr_array_new_with_free_func ((GDestroyNotify)g_hash_table_unref);
  for (guint i = 0; runs != NULL && i < runs->len; i++) {
    g_ptr_array_add (self->runs, g_object_ref (g_ptr_array_index (runs, i)));
    g_ptr_array_add (self->reports, g_hash_table_new (NULL, NULL));
  }
  g_array_set_size (self->taken, self->runs->len);
  return self;
}

void
ssapp_log_rows_free (SsappLogRows *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->runs);
  g_array_unref (self->taken);
  g_ptr_array_unref (self->rows);
  g_ptr_array_unref (self->columns);
  g_array_unref (self->order);
  g_ptr_array_unref (self->reports);
  g_free (self);
}

/* ---- taking ------------------------------------------------------------------------------------------------------ */

/* Place among the columns that everybody looks for first; N_FIRST: none of them. */
static guint
rank (const char *key)
{
  guint i = 0;

  while (i < N_FIRST && strcmp (known[i].key, key) != 0)
    i++;
  return i;
}

static guint
column_of (SsappLogRows *self, const char *key)
{
  guint at = 0;
  const guint number = self->columns->len;

  for (guint c = 0; c < number; c++)
    if (strcmp (g_ptr_array_index (self->columns, c), key) == 0)
      return c;
  g_ptr_array_add (self->columns, g_strdup (key));
  while (at < number && rank (g_ptr_array_index (self->columns, g_array_index (self->order, guint, at))) <= rank (key))
    at++;
  g_array_insert_val (self->order, at, number);
  return number;
}

static void
take_row (SsappLogRows *self, guint run, const SsappIteration *iteration)
{
  json_t *object = iteration->json != NULL ? json_loads (iteration->json, 0, NULL) : NULL, *value;
  Row *row = g_new0 (Row, 1);
  const char *key;

  row->run = run;
  row->values = g_array_new (FALSE, FALSE, sizeof (double));
  json_object_foreach (object, key, value)
  {
    if (!json_is_number (value) && !json_is_null (value))
      continue;
    const guint column = column_of (self, key);
    g_hash_table_add (g_ptr_array_index (self->reports, run), GUINT_TO_POINTER (column + 1));
    while (row->values->len <= column)
      g_array_append_val (row->values, (double){NAN});
    g_array_index (row->values, double, column) = json_is_number (value) ? json_number_value (value) : NAN;
  }
  json_decref (object);
  g_ptr_array_add (self->rows, row);
}

guint
ssapp_log_rows_take (SsappLogRows *self)
{
  g_return_val_if_fail (self != NULL, 0);
  const guint before = self->rows->len;

  for (guint r = 0; r < self->runs->len; r++) {
    GArray *iterations = ssapp_run_get_iterations (g_ptr_array_index (self->runs, r));
    guint *taken = &g_array_index (self->taken, guint, r);
    for (; iterations != NULL && *taken < iterations->len; ++*taken)
      take_row (self, r, &g_array_index (iterations, SsappIteration, *taken));
  }
  return self->rows->len - before;
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

guint
ssapp_log_rows_get_n (SsappLogRows *self)
{
  g_return_val_if_fail (self != NULL, 0);
  return self->rows->len;
}

SsappRun *
ssapp_log_rows_get_run (SsappLogRows *self, guint row)
{
  g_return_val_if_fail (self != NULL && row < self->rows->len, NULL);
  return g_ptr_array_index (self->runs, ((const Row *)g_ptr_array_index (self->rows, row))->run);
}

guint
ssapp_log_rows_n_columns (SsappLogRows *self)
{
  g_return_val_if_fail (self != NULL, 0);
  return self->columns->len;
}

const char *
ssapp_log_rows_get_key (SsappLogRows *self, guint column)
{
  g_return_val_if_fail (self != NULL && column < self->columns->len, NULL);
  return g_ptr_array_index (self->columns, g_array_index (self->order, guint, column));
}

const char *
ssapp_log_rows_get_title (SsappLogRows *self, guint column)
{
  const char *key = ssapp_log_rows_get_key (self, column);

  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    if (g_strcmp0 (known[i].key, key) == 0)
      return known[i].title;
  return key;
}

gboolean
ssapp_log_rows_reports (SsappLogRows *self, guint column, SsappRun *run)
{
  g_return_val_if_fail (self != NULL && column < self->columns->len, FALSE);
  const guint place = g_array_index (self->order, guint, column);
  gboolean found = FALSE;

  for (guint r = 0; r < self->runs->len && !found; r++)
    found = (run == NULL || g_ptr_array_index (self->runs, r) == run) &&
            g_hash_table_contains (g_ptr_array_index (self->reports, r), GUINT_TO_POINTER (place + 1));
  return found;
}

double
ssapp_log_rows_get (SsappLogRows *self, guint row, guint column)
{
  g_return_val_if_fail (self != NULL && row < self->rows->len && column < self->columns->len, NAN);
  const GArray *values = ((const Row *)g_ptr_array_index (self->rows, row))->values;
  const guint place = g_array_index (self->order, guint, column);

  return place < values->len ? g_array_index (values, double, place) : NAN;
}

char *
ssapp_log_rows_dup_text (SsappLogRows *self, guint row, guint column)
{
  const double value = ssapp_log_rows_get (self, row, column);

  return isfinite (value) ? ssapp_format_number (value, DIGITS) : g_strdup ("–");
}

/* ---- filter ------------------------------------------------------------------------------------------------------ */

typedef struct {
  char *text;   /* in small letters: a word, or the column that is compared */
  int relation; /* 0: a word; '<', '>', '=', 'l' (<=), 'g' (>=) */
  double number;
} Word;

struct SsappLogFilter {
  GArray *words; /* of Word */
};

static void
word_clear (gpointer data)
{
  g_free (((Word *)data)->text);
}

/* "objective<=7" as a comparison; other words as they are. */
static Word
read_word (const char *text)
{
  const gsize length = strcspn (text, "<>=");
  const gboolean has_equal = text[length] != '\0' && text[length] != '=' && text[length + 1] == '=';
  const char *digits = text[length] != '\0' ? text + length + (has_equal ? 2 : 1) : "";
  double number;

  if (length > 0 && *digits != '\0' && ss_parse_double (digits, &number)) {
    g_autofree char *column = g_strndup (text, length);
    return (Word){g_utf8_strdown (column, -1), has_equal ? (text[length] == '<' ? 'l' : 'g') : text[length], number};
  }
  return (Word){g_utf8_strdown (text, -1), 0, NAN};
}

SsappLogFilter *
ssapp_log_filter_new (const char *text)
{
  SsappLogFilter *self = g_new0 (SsappLogFilter, 1);
  g_autofree char *valid = g_utf8_make_valid (text != NULL ? text : "", -1);
  g_auto (GStrv) words = g_strsplit_set (valid, " \t\n", -1);

  self->words = g_array_new (FALSE, FALSE, sizeof (Word));
  g_array_set_clear_func (self->words, word_clear);
  for (int i = 0; words[i] != NULL; i++)
    if (words[i][0] != '\0') {
      const Word word = read_word (words[i]);
      g_array_append_val (self->words, word);
    }
  return self;
}

void
ssapp_log_filter_free (SsappLogFilter *filter)
{
  if (filter == NULL)
    return;
  g_array_unref (filter->words);
  g_free (filter);
}

static gboolean
contains (const char *text, const char *word)
{
  g_autofree char *lower = g_utf8_strdown (text, -1);

  return strstr (lower, word) != NULL;
}

static gboolean
begins (const char *text, const char *word)
{
  g_autofree char *lower = g_utf8_strdown (text, -1);

  return g_str_has_prefix (lower, word);
}

/* The column that a word names: by its whole key, else by the beginning of a key or title; -1: none. */
static int
find_column (SsappLogRows *self, const char *name)
{
  int found = -1;

  for (guint c = 0; c < self->columns->len; c++) {
    if (strcmp (ssapp_log_rows_get_key (self, c), name) == 0)
      return (int)c;
    if (found < 0 &&
        (begins (ssapp_log_rows_get_key (self, c), name) || begins (ssapp_log_rows_get_title (self, c), name)))
      found = (int)c;
  }
  return found;
}

static gboolean
holds (SsappLogRows *self, guint row, const Word *word)
{
  if (word->relation != 0) {
    const int column = find_column (self, word->text);
    const double value = column >= 0 ? ssapp_log_rows_get (self, row, (guint)column) : NAN;
    return word->relation == '<'   ? value < word->number
           : word->relation == '>' ? value > word->number
           : word->relation == 'l' ? value <= word->number
           : word->relation == 'g' ? value >= word->number
                                   : value == word->number;
  }
  if (contains (ssapp_run_get_label (ssapp_log_rows_get_run (self, row)), word->text))
    return TRUE;
  for (guint c = 0; c < self->columns->len; c++) {
    g_autofree char *text = ssapp_log_rows_dup_text (self, row, c);
    if (contains (text, word->text))
      return TRUE;
  }
  return FALSE;
}

gboolean
ssapp_log_rows_match (SsappLogRows *self, guint row, const SsappLogFilter *filter, SsappRun *run)
{
  g_return_val_if_fail (self != NULL && row < self->rows->len, FALSE);
  if (run != NULL && ssapp_log_rows_get_run (self, row) != run)
    return FALSE;
  for (guint i = 0; filter != NULL && i < filter->words->len; i++)
    if (!holds (self, row, &g_array_index (filter->words, Word, i)))
      return FALSE;
  return TRUE;
}

SsappTable *
ssapp_log_rows_to_table (SsappLogRows *self, const SsappLogFilter *filter, SsappRun *run)
{
  g_return_val_if_fail (self != NULL, NULL);
  SsappTable *table = ssapp_table_new ("Iterations");

  ssapp_table_add_text_column (table, "method", "Method");
  for (guint c = 0; c < self->columns->len; c++)
    if (ssapp_log_rows_reports (self, c, run))
      ssapp_table_add_number_column (table, ssapp_log_rows_get_key (self, c), ssapp_log_rows_get_title (self, c), "",
                                     "%.6g", SSAPP_BEST_NONE);
  for (guint r = 0; r < self->rows->len; r++) {
    if (!ssapp_log_rows_match (self, r, filter, run))
      continue;
    ssapp_table_begin_row (table);
    ssapp_table_add_text (table, ssapp_run_get_label (ssapp_log_rows_get_run (self, r)));
    for (guint c = 0; c < self->columns->len; c++)
      if (ssapp_log_rows_reports (self, c, run))
        ssapp_table_add_number (table, ssapp_log_rows_get (self, r, c));
  }
  return table;
}

/* ---- text -------------------------------------------------------------------------------------------------------- */

static void
append_lines (GString *all, const char *log, const char *wanted)
{
  g_auto (GStrv) lines = wanted != NULL && *wanted != '\0' ? g_strsplit (log, "\n", -1) : NULL;
  g_autofree char *lower = lines != NULL ? g_utf8_strdown (wanted, -1) : NULL;

  if (lines == NULL)
    g_string_append (all, log);
  for (int i = 0; lines != NULL && lines[i] != NULL; i++)
    if (contains (lines[i], lower))
      g_string_append_printf (all, "%s\n", lines[i]);
}

char *
ssapp_log_dup_text (GPtrArray *runs, const char *text)
{
  GString *all = g_string_new (NULL);

  for (guint i = 0; runs != NULL && i < runs->len; i++) {
    SsappRun *run = g_ptr_array_index (runs, i);
    g_autofree char *log = ssapp_run_dup_log (run), *valid = g_utf8_make_valid (log, -1);
    g_autofree char *message = g_utf8_make_valid (ssapp_run_get_message (run), -1);
    if (*message == '\0' && *valid == '\0')
      continue;
    g_string_append_printf (all, "%s%s: %s\n", all->len > 0 ? "\n" : "", ssapp_run_get_label (run), message);
    append_lines (all, valid, text);
  }
  return g_string_free (all, FALSE);
}
