/* app/session/ssapp-run-list.c: see the header. */
#include "app/session/ssapp-run-list.h"

#include "app/base/ssapp-metric.h"
#include "app/base/ssapp-outcome.h"
#include "app/session/ssapp-run.h"
#include "app/store/ssapp-store-steps.h"
#include "app/study/ssapp-run-set.h"

#include "core/ss-option.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

/* A distinct text of a column. */
typedef struct {
  char *text;   /* as the project has it */
  char *folded; /* in small letters, with what people call it on a second line */
  double number;
  guint rank; /* among the column's values, once those were ordered; the same for equal ones */
} SsappRunListValue;

/* SsappRunListTexts of all rows: which value each has. SsappRunListValue 0 is the empty text. */
typedef struct {
  GArray *values; /* of SsappRunListValue */
  guint *of_row;  /* n_rows */
  gboolean is_ranked;
} SsappRunListTexts;

typedef struct {
  char *name;
  char *unit; /* of numbers that were added; NULL: of parameters and options, whose units nobody knows */
  gboolean is_option;
  SsappRunListTexts texts;
} SsappRunListField;

struct SsappRunList {
  GPtrArray *rows;
  guint n, n_shown;
  SsappRunListTexts texts[SSAPP_RUN_N_TEXTS];
  GArray *fields;    /* of SsappRunListField; NULL until they are asked for */
  guint *order;      /* n: sorted */
  guint *shown;      /* n_shown of n: filtered, in that order */
  guint8 *passes;    /* n: by the filter */
  GPtrArray *labels; /* n: of char *, NULL: none was given */
  GHashTable *steps; /* as of ssapp_store_list_steps; NULL: not known */
};

/* ---- texts ------------------------------------------------------------------------------------------------------- */

static void
value_clear (gpointer data)
{
  g_free (((SsappRunListValue *)data)->text);
  g_free (((SsappRunListValue *)data)->folded);
}

/* Adds a value; `words`: what people call it, or NULL. */
static guint
texts_add (SsappRunListTexts *self, const char *text, const char *words)
{
  const gboolean has_words = words != NULL && strcmp (words, text) != 0;
  g_autofree char *both = has_words ? g_strdup_printf ("%s\n%s", text, words) : NULL;
  SsappRunListValue value = {.text = g_strdup (text), .folded = g_utf8_casefold (both != NULL ? both : text, -1)};

  if (!ss_parse_double (text, &value.number))
    value.number = NAN;
  g_array_append_val (self->values, value);
  return self->values->len - 1;
}

static void
texts_init (SsappRunListTexts *self, guint n)
{
  self->values = g_array_new (FALSE, TRUE, sizeof (SsappRunListValue));
  g_array_set_clear_func (self->values, value_clear);
  self->of_row = g_new0 (guint, MAX (n, 1));
  texts_add (self, "", NULL);
}

static void
texts_clear (SsappRunListTexts *self)
{
  g_clear_pointer (&self->values, g_array_unref);
  g_clear_pointer (&self->of_row, g_free);
}

/* Numbers by their size, then texts by their letters. */
static int
compare_values (gconstpointer a, gconstpointer b)
{
  const SsappRunListValue *first = *(const SsappRunListValue *const *)a, *second = *(const SsappRunListValue *const *)b;

  if (isnan (first->number) != isnan (second->number))
    return isnan (first->number) ? 1 : -1;
  if (first->number < second->number || first->number > second->number)
    return first->number < second->number ? -1 : 1;
  return isnan (first->number) ? strcmp (first->folded, second->folded) : 0;
}

static void
texts_rank (SsappRunListTexts *self)
{
  g_autoptr (GPtrArray) sorted = g_ptr_array_new ();

  if (self->is_ranked)
    return;
  for (guint i = 0; i < self->values->len; i++)
    g_ptr_array_add (sorted, &g_array_index (self->values, SsappRunListValue, i));
  g_ptr_array_sort (sorted, compare_values);
  for (guint i = 0, rank = 0; i < sorted->len; i++) {
    if (i > 0 && compare_values (&sorted->pdata[i - 1], &sorted->pdata[i]) != 0)
      rank++;
    ((SsappRunListValue *)sorted->pdata[i])->rank = rank;
  }
  self->is_ranked = TRUE;
}

static const SsappRunListValue *
ssapp_run_list_value (const SsappRunListTexts *self, guint row)
{
  return &g_array_index (self->values, SsappRunListValue, self->of_row[row]);
}

/* ---- columns of texts -------------------------------------------------------------------------------------------- */

/* What a row has in a column; `buffer` is for those that are no text. */
static const char *
source_of (const SsappRunRow *row, SsappRunColumnKind kind, char buffer[32])
{
  switch (kind) {
  case SSAPP_RUN_COLUMN_METHOD:
    return row->method;
  case SSAPP_RUN_COLUMN_SCENARIO:
    return row->scenario_name;
  case SSAPP_RUN_COLUMN_OUTCOME:
    return row->outcome;
  case SSAPP_RUN_COLUMN_STARTED:
    return row->started;
  case SSAPP_RUN_COLUMN_NOTE:
    return row->note;
  case SSAPP_RUN_COLUMN_TAGS:
    return row->tags;
  case SSAPP_RUN_COLUMN_START:
    return row->start;
  case SSAPP_RUN_COLUMN_SEED:
    g_snprintf (buffer, 32, "%" G_GUINT64_FORMAT, row->seed);
    return buffer;
  case SSAPP_RUN_COLUMN_KIND:
    return row->kind_name;
  case SSAPP_RUN_COLUMN_ID:
    return row->id;
  case SSAPP_RUN_COLUMN_METRIC:
  case SSAPP_RUN_COLUMN_FIELD:
  default:
    return "";
  }
}

static const char *
words_of (const SsappRunRow *row, SsappRunColumnKind kind)
{
  return kind == SSAPP_RUN_COLUMN_METHOD    ? ssapp_method_label (ssapp_run_row_get_method (row))
         : kind == SSAPP_RUN_COLUMN_OUTCOME ? ssapp_outcome_label (row->outcome)
                                            : NULL;
}

static SsappRunListTexts *
texts_of (SsappRunList *self, SsappRunColumnKind kind)
{
  SsappRunListTexts *texts = &self->texts[kind];
  g_autoptr (GHashTable) known = NULL;

  if (texts->values != NULL)
    return texts;
  texts_init (texts, self->n);
  known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  for (guint i = 0; i < self->n; i++) {
    const SsappRunRow *row = g_ptr_array_index (self->rows, i);
    char buffer[32];
    const char *text = source_of (row, kind, buffer);
    if (text == NULL || *text == '\0')
      continue;
    guint value = GPOINTER_TO_UINT (g_hash_table_lookup (known, text));
    if (value == 0) {
      value = texts_add (texts, text, words_of (row, kind));
      g_hash_table_insert (known, g_strdup (text), GUINT_TO_POINTER (value));
    }
    texts->of_row[i] = value;
  }
  return texts;
}

/* ---- fields ------------------------------------------------------------------------------------------------------ */

static void
field_clear (gpointer data)
{
  g_free (((SsappRunListField *)data)->name);
  g_free (((SsappRunListField *)data)->unit);
  texts_clear (&((SsappRunListField *)data)->texts);
}

/* With as few digits as give the same number. */
static char *
number_to_text (double value)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  for (int digits = 6; digits <= 17; digits++) {
    g_autofree char *format = g_strdup_printf ("%%.%dg", digits);
    g_ascii_formatd (number, sizeof number, format, value + 0.0);
    if (g_ascii_strtod (number, NULL) == value)
      break;
  }
  return g_strdup (number);
}

/* As it would be typed. */
static char *
json_to_text (const json_t *value)
{

  if (json_is_string (value))
    return g_strdup (json_string_value (value));
  if (json_is_integer (value))
    return g_strdup_printf ("%" JSON_INTEGER_FORMAT, json_integer_value (value));
  if (json_is_real (value))
    return number_to_text (json_real_value (value));
  char *dumped = json_dumps (value, JSON_ENCODE_ANY | JSON_COMPACT);
  char *text = g_strdup (dumped != NULL ? dumped : "");
  free (dumped);
  return text;
}

/* Which value of which field: what one JSON text says. */
typedef struct {
  guint field, value;
} Cell;

/* Finds or adds the field and its value. */
static Cell
cell_of (SsappRunList *self, GHashTable *known, gboolean is_option, const char *name, const json_t *json)
{
  g_autofree char *key = g_strdup_printf ("%c%s", is_option ? 'o' : 'p', name), *text = json_to_text (json),
                  *value_key = g_strdup_printf ("%s\n%s", key, text);
  guint field = GPOINTER_TO_UINT (g_hash_table_lookup (known, key)), value;

  if (field == 0) {
    SsappRunListField added = {.name = g_strdup (name), .is_option = is_option};
    texts_init (&added.texts, self->n);
    g_array_append_val (self->fields, added);
    field = self->fields->len;
    g_hash_table_insert (known, g_strdup (key), GUINT_TO_POINTER (field));
  }
  value = GPOINTER_TO_UINT (g_hash_table_lookup (known, value_key));
  if (value == 0 && *text != '\0') {
    value = texts_add (&g_array_index (self->fields, SsappRunListField, field - 1).texts, text, NULL);
    g_hash_table_insert (known, g_strdup (value_key), GUINT_TO_POINTER (value));
  }
  return (Cell){field - 1, value};
}

/* What a JSON object of parameters or options says; each text is read once. */
static GArray *
cells_of (SsappRunList *self, GHashTable *known, GHashTable *read, gboolean is_option, const char *text)
{
  g_autofree char *key = g_strdup_printf ("%c%s", is_option ? 'o' : 'p', text);
  GArray *cells = g_hash_table_lookup (read, key);
  const char *name;
  json_t *value;

  if (cells != NULL)
    return cells;
  json_t *object = json_loads (text, JSON_DECODE_ANY, NULL);
  cells = g_array_new (FALSE, FALSE, sizeof (Cell));
  if (json_is_object (object))
    json_object_foreach (object, name, value)
    {
      const Cell cell = cell_of (self, known, is_option, name, value);
      g_array_append_val (cells, cell);
    }
  json_decref (object);
  g_hash_table_insert (read, g_steal_pointer (&key), cells);
  return cells;
}

static int
compare_fields (gconstpointer a, gconstpointer b)
{
  const SsappRunListField *first = a, *second = b;

  return first->is_option != second->is_option ? first->is_option - second->is_option
                                               : g_ascii_strcasecmp (first->name, second->name);
}

static void
read_fields (SsappRunList *self)
{
  g_autoptr (GHashTable) known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL),
                         read = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify)g_array_unref);

  if (self->fields != NULL)
    return;
  self->fields = g_array_new (FALSE, TRUE, sizeof (SsappRunListField));
  g_array_set_clear_func (self->fields, field_clear);
  for (guint i = 0; i < self->n; i++) {
    const SsappRunRow *row = g_ptr_array_index (self->rows, i);
    const char *texts[2] = {row->parameters_json, row->options_json};
    for (int k = 0; k < 2; k++) {
      if (texts[k] == NULL || *texts[k] == '\0' || strcmp (texts[k], "{}") == 0)
        continue;
      const GArray *cells = cells_of (self, known, read, k == 1, texts[k]);
      for (guint c = 0; c < cells->len; c++) {
        const Cell *cell = &g_array_index (cells, Cell, c);
        g_array_index (self->fields, SsappRunListField, cell->field).texts.of_row[i] = cell->value;
      }
    }
  }
  g_array_sort (self->fields, compare_fields);
  for (guint i = 1; i < self->fields->len; i++)
    for (guint k = 0; k < i; k++) {
      SsappRunListField *field = &g_array_index (self->fields, SsappRunListField, i);
      if (field->is_option && strcmp (field->name, g_array_index (self->fields, SsappRunListField, k).name) == 0) {
        char *name = g_strdup_printf ("option.%s", field->name);
        g_free (field->name);
        field->name = name;
      }
    }
}

guint
ssapp_run_list_get_n_fields (SsappRunList *self)
{
  read_fields (self);
  return self->fields->len;
}

const char *
ssapp_run_list_get_field_name (SsappRunList *self, guint field)
{
  g_return_val_if_fail (field < ssapp_run_list_get_n_fields (self), "");
  return g_array_index (self->fields, SsappRunListField, field).name;
}

static int
find_field (SsappRunList *self, const char *name)
{
  const gboolean is_option = g_str_has_prefix (name, "option.");

  for (guint i = 0; i < ssapp_run_list_get_n_fields (self); i++) {
    const SsappRunListField *field = &g_array_index (self->fields, SsappRunListField, i);
    if (strcmp (field->name, name) == 0 ||
        (is_option && field->is_option && strcmp (field->name, name + strlen ("option.")) == 0))
      return (int)i;
  }
  return -1;
}

gboolean
ssapp_run_list_add_numbers (SsappRunList *self, const char *name, const char *unit, const double *numbers,
                            GError **error)
{
  SsMetric metric;

  if (ssapp_run_column_kind_of (name, &metric) != SSAPP_RUN_COLUMN_FIELD || find_field (self, name) >= 0) {
    g_set_error (error, SSAPP_RUN_FILTER_ERROR, SSAPP_RUN_FILTER_ERROR_SYNTAX,
                 "“%s” is a column already: choose another name", name);
    return FALSE;
  }
  SsappRunListField field = {.name = g_strdup (name), .unit = g_strdup (unit)};
  texts_init (&field.texts, self->n);
  for (guint i = 0; i < self->n; i++)
    if (!isnan (numbers[i])) {
      g_autofree char *text = number_to_text (numbers[i]);
      field.texts.of_row[i] = texts_add (&field.texts, text, NULL);
    }
  g_array_append_val (self->fields, field);
  return TRUE;
}

/* ---- making ------------------------------------------------------------------------------------------------------ */

SsappRunList *
ssapp_run_list_new (GPtrArray *rows)
{
  SsappRunList *self = g_new0 (SsappRunList, 1);

  self->rows = rows != NULL ? rows : g_ptr_array_new ();
  self->n = self->n_shown = self->rows->len;
  self->order = g_new (guint, MAX (self->n, 1));
  self->shown = g_new (guint, MAX (self->n, 1));
  self->passes = g_new (guint8, MAX (self->n, 1));
  memset (self->passes, 1, self->n);
  for (guint i = 0; i < self->n; i++)
    self->order[i] = self->shown[i] = i;
  return self;
}

void
ssapp_run_list_free (SsappRunList *self)
{
  if (self == NULL)
    return;
  for (int i = 0; i < SSAPP_RUN_N_TEXTS; i++)
    texts_clear (&self->texts[i]);
  g_clear_pointer (&self->fields, g_array_unref);
  g_ptr_array_unref (self->rows);
  g_clear_pointer (&self->labels, g_ptr_array_unref);
  g_clear_pointer (&self->steps, g_hash_table_unref);
  g_free (self->order);
  g_free (self->shown);
  g_free (self->passes);
  g_free (self);
}

GPtrArray *
ssapp_run_list_ref_rows (SsappRunList *self)
{
  return g_ptr_array_ref (self->rows);
}

guint
ssapp_run_list_get_n_rows (const SsappRunList *self)
{
  return self->n;
}

const SsappRunRow *
ssapp_run_list_get_row (const SsappRunList *self, guint row)
{
  g_return_val_if_fail (row < self->n, NULL);
  return g_ptr_array_index (self->rows, row);
}

/* ---- columns ----------------------------------------------------------------------------------------------------- */

/* SsappRunListTexts of a column; NULL of a metric. */
static SsappRunListTexts *
ssapp_run_list_texts (SsappRunList *self, const SsappRunColumn *column)
{
  if (column->kind == SSAPP_RUN_COLUMN_METRIC)
    return NULL;
  if (column->kind != SSAPP_RUN_COLUMN_FIELD)
    return texts_of (self, column->kind);
  read_fields (self);
  return &g_array_index (self->fields, SsappRunListField, column->field).texts;
}

gboolean
ssapp_run_list_find_column (SsappRunList *self, const char *name, SsappRunColumn *column, GError **error)
{
  *column = (SsappRunColumn){0};
  column->kind = ssapp_run_column_kind_of (name, &column->metric);
  if (column->kind != SSAPP_RUN_COLUMN_FIELD)
    return TRUE;
  const int field = find_field (self, name);
  if (field >= 0) {
    column->field = (guint)field;
    return TRUE;
  }
  const char *nearest = ssapp_run_column_suggest (name);
  g_set_error (error, SSAPP_RUN_FILTER_ERROR, SSAPP_RUN_FILTER_ERROR_UNKNOWN,
               "no run has a metric, parameter or option “%s”%s%s%s", name, nearest != NULL ? "; did you mean “" : "",
               nearest != NULL ? nearest : "", nearest != NULL ? "”?" : "");
  return FALSE;
}

static const char *const titles[SSAPP_RUN_N_TEXTS] = {
    [SSAPP_RUN_COLUMN_METHOD] = "Method",   [SSAPP_RUN_COLUMN_SCENARIO] = "Scenario",
    [SSAPP_RUN_COLUMN_OUTCOME] = "Outcome", [SSAPP_RUN_COLUMN_STARTED] = "Started",
    [SSAPP_RUN_COLUMN_NOTE] = "Note",       [SSAPP_RUN_COLUMN_TAGS] = "Tags",
    [SSAPP_RUN_COLUMN_START] = "Start",     [SSAPP_RUN_COLUMN_SEED] = "Seed",
    [SSAPP_RUN_COLUMN_KIND] = "Kind",       [SSAPP_RUN_COLUMN_ID] = "Run"};
static const char *const ssapp_run_list_keys[SSAPP_RUN_N_TEXTS] = {
    [SSAPP_RUN_COLUMN_METHOD] = "method",   [SSAPP_RUN_COLUMN_SCENARIO] = "scenario",
    [SSAPP_RUN_COLUMN_OUTCOME] = "outcome", [SSAPP_RUN_COLUMN_STARTED] = "started",
    [SSAPP_RUN_COLUMN_NOTE] = "note",       [SSAPP_RUN_COLUMN_TAGS] = "tags",
    [SSAPP_RUN_COLUMN_START] = "start",     [SSAPP_RUN_COLUMN_SEED] = "seed",
    [SSAPP_RUN_COLUMN_KIND] = "kind",       [SSAPP_RUN_COLUMN_ID] = "run"};

char *
ssapp_run_list_dup_name (SsappRunList *self, const SsappRunColumn *column)
{
  return g_strdup (column->kind == SSAPP_RUN_COLUMN_METRIC  ? ss_metric_spec (column->metric)->name
                   : column->kind == SSAPP_RUN_COLUMN_FIELD ? ssapp_run_list_get_field_name (self, column->field)
                                                            : ssapp_run_list_keys[column->kind]);
}

/* Of numbers that were added; NULL: of others. */
static const char *
ssapp_run_list_unit_of (SsappRunList *self, const SsappRunColumn *column)
{
  read_fields (self);
  return column->kind == SSAPP_RUN_COLUMN_FIELD ? g_array_index (self->fields, SsappRunListField, column->field).unit
                                                : NULL;
}

char *
ssapp_run_list_dup_title (SsappRunList *self, const SsappRunColumn *column)
{
  if (column->kind == SSAPP_RUN_COLUMN_METRIC)
    return ssapp_metric_title (column->metric);
  return g_strdup (column->kind == SSAPP_RUN_COLUMN_FIELD ? ssapp_run_list_get_field_name (self, column->field)
                                                          : titles[column->kind]);
}

char *
ssapp_run_list_dup_text (SsappRunList *self, guint row, const SsappRunColumn *column)
{
  const SsappRunRow *run = ssapp_run_list_get_row (self, row);

  if (column->kind == SSAPP_RUN_COLUMN_METRIC)
    return ssapp_metric_text (column->metric, ssapp_run_row_get_metric (run, column->metric));
  if (column->kind == SSAPP_RUN_COLUMN_METHOD)
    return self->labels != NULL && g_ptr_array_index (self->labels, row) != NULL
               ? g_strdup (g_ptr_array_index (self->labels, row))
               : ssapp_run_row_dup_name (run);
  if (column->kind == SSAPP_RUN_COLUMN_OUTCOME)
    return g_strdup (ssapp_outcome_label (run->outcome));
  if (column->kind == SSAPP_RUN_COLUMN_FIELD)
    return g_strdup (ssapp_run_list_value (ssapp_run_list_texts (self, column), row)->text);
  char buffer[32];
  return g_strdup (source_of (run, column->kind, buffer));
}

double
ssapp_run_list_get_number (SsappRunList *self, guint row, const SsappRunColumn *column)
{
  if (column->kind == SSAPP_RUN_COLUMN_METRIC)
    return ssapp_run_row_get_metric (ssapp_run_list_get_row (self, row), column->metric);
  return ssapp_run_list_value (ssapp_run_list_texts (self, column), row)->number;
}

/* ---- order ------------------------------------------------------------------------------------------------------- */

typedef struct {
  double key;
  guint row;
} Key;

static int
compare_keys (gconstpointer a, gconstpointer b, gpointer data)
{
  const Key *first = a, *second = b;
  const gboolean is_descending = GPOINTER_TO_INT (data);

  if (isnan (first->key) != isnan (second->key))
    return isnan (first->key) ? 1 : -1;
  if (first->key < second->key || first->key > second->key)
    return (first->key < second->key) != is_descending ? -1 : 1;
  return first->row < second->row ? -1 : 1;
}

/* The shown rows are those that pass, in the order of all. */
static void
show_passing (SsappRunList *self)
{
  self->n_shown = 0;
  for (guint i = 0; i < self->n; i++)
    if (self->passes[self->order[i]])
      self->shown[self->n_shown++] = self->order[i];
}

void
ssapp_run_list_sort (SsappRunList *self, const SsappRunColumn *column, gboolean is_descending)
{
  g_autofree Key *sorted = g_new (Key, MAX (self->n, 1));
  SsappRunListTexts *texts = column != NULL ? ssapp_run_list_texts (self, column) : NULL;

  if (texts != NULL)
    texts_rank (texts);
  for (guint i = 0; i < self->n; i++) {
    sorted[i].row = i;
    sorted[i].key = column == NULL          ? 0
                    : texts == NULL         ? ssapp_run_list_get_number (self, i, column)
                    : texts->of_row[i] == 0 ? (double)NAN
                                            : ssapp_run_list_value (texts, i)->rank;
  }
  g_qsort_with_data (sorted, (int)self->n, sizeof *sorted, compare_keys, GINT_TO_POINTER (is_descending));
  for (guint i = 0; i < self->n; i++)
    self->order[i] = sorted[i].row;
  show_passing (self);
}

/* ---- filter ------------------------------------------------------------------------------------------------------ */

#define SAME_NUMBER 1e-9 /* relative: 0.3 is 0.3 however it was computed */

static gboolean
number_holds (const SsappRunTerm *term, double value)
{
  if (isnan (value))
    return FALSE;
  for (guint i = 0; term->texts[i] != NULL; i++) {
    const double number = term->numbers[i];
    const gboolean is_same =
        fabs (value - number) <= SAME_NUMBER * fmax (fabs (value), fabs (number)) || value == number;
    if (isnan (number))
      continue;
    if (term->op == SSAPP_RUN_OP_LESS       ? value < number && !is_same
        : term->op == SSAPP_RUN_OP_AT_MOST  ? value < number || is_same
        : term->op == SSAPP_RUN_OP_MORE     ? value > number && !is_same
        : term->op == SSAPP_RUN_OP_AT_LEAST ? value > number || is_same
                                            : is_same)
      return TRUE;
  }
  return FALSE;
}

/* Whether a text is one of the lines of a value. */
static gboolean
is_line_of (const char *folded, const char *text)
{
  const gsize n = strlen (text);

  for (const char *line = folded; line != NULL; line = strchr (line, '\n') != NULL ? strchr (line, '\n') + 1 : NULL)
    if (strncmp (line, text, n) == 0 && (line[n] == '\0' || line[n] == '\n'))
      return TRUE;
  return FALSE;
}

/* Whether it is one of tags that commas part. */
static gboolean
is_tag_of (const char *folded, const char *text)
{
  g_auto (GStrv) tags = g_strsplit (folded, ",", -1);

  for (int i = 0; tags[i] != NULL; i++)
    if (strcmp (g_strstrip (tags[i]), text) == 0)
      return TRUE;
  return FALSE;
}

static gboolean
order_holds (SsappRunOp op, int order)
{
  return op == SSAPP_RUN_OP_LESS      ? order < 0
         : op == SSAPP_RUN_OP_AT_MOST ? order <= 0
         : op == SSAPP_RUN_OP_MORE    ? order > 0
                                      : order >= 0;
}

static gboolean
text_holds (const SsappRunTerm *term, const SsappRunListValue *value)
{
  for (guint i = 0; term->texts[i] != NULL; i++) {
    const char *text = term->texts[i];
    const gboolean is_number = !isnan (term->numbers[i]) && !isnan (value->number);
    gboolean holds;
    if (term->op == SSAPP_RUN_OP_HAS)
      holds = strstr (value->folded, text) != NULL;
    else if (term->op >= SSAPP_RUN_OP_LESS)
      /* Times as long as they were typed: all of a day is at most that day. */
      holds = term->kind == SSAPP_RUN_COLUMN_STARTED && value->folded[0] != '\0' &&
              order_holds (term->op, strncmp (value->folded, text, strlen (text)));
    else if (term->kind == SSAPP_RUN_COLUMN_TAGS)
      holds = is_tag_of (value->folded, text);
    else
      holds = !is_number && is_line_of (value->folded, text);
    if (holds)
      return TRUE;
  }
  return FALSE;
}

/* A value of a column; "!=" is the opposite of "=". */
static gboolean
value_holds (const SsappRunTerm *term, const SsappRunListValue *value)
{
  gboolean holds = text_holds (term, value);

  /* A number is typed in many ways; beginnings of it are no match where ":" is asked of a field. */
  if (term->kind == SSAPP_RUN_COLUMN_FIELD || term->kind == SSAPP_RUN_COLUMN_SEED) {
    if (!isnan (value->number) && !isnan (term->numbers[0]))
      holds = number_holds (term, value->number);
  }
  return holds != (term->op == SSAPP_RUN_OP_IS_NOT);
}

/* Where a word is looked for. */
static const SsappRunColumnKind searched[] = {SSAPP_RUN_COLUMN_METHOD,  SSAPP_RUN_COLUMN_SCENARIO,
                                              SSAPP_RUN_COLUMN_OUTCOME, SSAPP_RUN_COLUMN_START,
                                              SSAPP_RUN_COLUMN_NOTE,    SSAPP_RUN_COLUMN_TAGS};

/* Marks the rows in which the text of a column holds: each distinct one is looked at once. */
static void
mark_texts (const SsappRunTerm *term, const SsappRunListTexts *texts, guint n, guint8 *holds)
{
  g_autofree guint8 *of_value = g_new (guint8, texts->values->len);

  for (guint v = 0; v < texts->values->len; v++)
    of_value[v] = value_holds (term, &g_array_index (texts->values, SsappRunListValue, v)) ? 1 : 0;
  for (guint i = 0; i < n; i++)
    holds[i] |= of_value[texts->of_row[i]];
}

/* Takes out of `passes` the rows in which a term does not hold. */
static gboolean
apply_term (SsappRunList *self, const SsappRunTerm *term, guint8 *passes, GError **error)
{
  g_autofree guint8 *holds = g_new0 (guint8, MAX (self->n, 1));

  if (term->name == NULL) {
    for (guint k = 0; k < G_N_ELEMENTS (searched); k++)
      mark_texts (term, texts_of (self, searched[k]), self->n, holds);
  } else if (term->kind == SSAPP_RUN_COLUMN_METRIC) {
    for (guint i = 0; i < self->n; i++) {
      const double value = ssapp_run_row_get_metric (g_ptr_array_index (self->rows, i), term->metric);
      holds[i] = term->op == SSAPP_RUN_OP_IS_NOT ? !number_holds (term, value) : number_holds (term, value);
    }
  } else {
    SsappRunColumn column = {.kind = term->kind};
    if (term->kind == SSAPP_RUN_COLUMN_FIELD && !ssapp_run_list_find_column (self, term->name, &column, error))
      return FALSE;
    mark_texts (term, ssapp_run_list_texts (self, &column), self->n, holds);
  }
  for (guint i = 0; i < self->n; i++)
    passes[i] &= (holds[i] != 0) != term->is_not;
  return TRUE;
}

gboolean
ssapp_run_list_filter (SsappRunList *self, const char *text, GError **error)
{
  g_autoptr (GPtrArray) terms = ssapp_run_filter_parse (text, error);
  g_autofree guint8 *passes = NULL;

  if (terms == NULL)
    return FALSE;
  passes = g_new (guint8, MAX (self->n, 1));
  memset (passes, 1, self->n);
  for (guint i = 0; i < terms->len; i++)
    if (!apply_term (self, g_ptr_array_index (terms, i), passes, error))
      return FALSE;
  /* what a damaged run was is not known: no filter hides it */
  for (guint i = 0; terms->len > 0 && i < self->n; i++)
    if (ssapp_run_list_get_row (self, i)->damage != NULL)
      passes[i] = 1;
  memcpy (self->passes, passes, self->n);
  show_passing (self);
  return TRUE;
}

guint
ssapp_run_list_get_n_shown (const SsappRunList *self)
{
  return self->n_shown;
}

guint
ssapp_run_list_get_shown (const SsappRunList *self, guint position)
{
  g_return_val_if_fail (position < self->n_shown, 0);
  return self->shown[position];
}

/* ---- what differs ------------------------------------------------------------------------------------------------ */

gboolean
ssapp_run_list_differs (SsappRunList *self, const SsappRunColumn *column)
{
  const SsappRunListTexts *texts = ssapp_run_list_texts (self, column);

  for (guint i = 1; i < self->n_shown; i++) {
    if (texts != NULL && texts->of_row[self->shown[i]] != texts->of_row[self->shown[0]])
      return TRUE;
    if (texts == NULL) {
      const double a = ssapp_run_list_get_number (self, self->shown[0], column),
                   b = ssapp_run_list_get_number (self, self->shown[i], column);
      if (isnan (a) != isnan (b) || a < b || a > b)
        return TRUE;
    }
  }
  return FALSE;
}

gboolean
ssapp_run_list_is_used (SsappRunList *self, const SsappRunColumn *column)
{
  const SsappRunListTexts *texts = ssapp_run_list_texts (self, column);

  for (guint i = 0; i < self->n_shown; i++)
    if (texts == NULL ? !isnan (ssapp_run_list_get_number (self, self->shown[i], column))
                      : texts->of_row[self->shown[i]] != 0)
      return TRUE;
  return FALSE;
}

GArray *
ssapp_run_list_columns (SsappRunList *self, gboolean only_differing)
{
  static const struct {
    SsappRunColumnKind kind;
    gboolean is_usual; /* also where all are alike */
  } texts[] = {{SSAPP_RUN_COLUMN_METHOD, TRUE},
               {SSAPP_RUN_COLUMN_START, FALSE},
               {SSAPP_RUN_COLUMN_SCENARIO, TRUE},
               {SSAPP_RUN_COLUMN_SEED, FALSE},
               {SSAPP_RUN_COLUMN_OUTCOME, TRUE}};
  GArray *columns = g_array_new (FALSE, TRUE, sizeof (SsappRunColumn));

  for (guint k = 0; k < G_N_ELEMENTS (texts); k++) {
    const SsappRunColumn column = {.kind = texts[k].kind, .metric = SS_METRIC_COUNT};
    /* Without a single column a table would say nothing of its runs: the method stays. */
    if ((texts[k].is_usual && !only_differing) || ssapp_run_list_differs (self, &column) ||
        texts[k].kind == SSAPP_RUN_COLUMN_METHOD)
      g_array_append_val (columns, column);
  }
  for (guint f = 0; f < ssapp_run_list_get_n_fields (self); f++) {
    const SsappRunColumn column = {.kind = SSAPP_RUN_COLUMN_FIELD, .metric = SS_METRIC_COUNT, .field = f};
    if (ssapp_run_list_unit_of (self, &column) != NULL ||
        (only_differing ? ssapp_run_list_differs (self, &column) : ssapp_run_list_is_used (self, &column)))
      g_array_append_val (columns, column);
  }
  return columns;
}

const SsMetric ssapp_run_usual_metrics[] = {
    SS_METRIC_OBJECTIVE,    SS_METRIC_MAX_VIOLATION,   SS_METRIC_TRACKING_TOTAL,  SS_METRIC_STEPS,
    SS_METRIC_ENERGY_FINAL, SS_METRIC_MAX_PENETRATION, SS_METRIC_REPLAY_DISTANCE, SS_METRIC_REPLAY_FINAL,
    SS_METRIC_ITERATIONS,   SS_METRIC_SOLVE_SECONDS};

guint
ssapp_run_n_usual_metrics (void)
{
  return G_N_ELEMENTS (ssapp_run_usual_metrics);
}

void
ssapp_run_list_set_label (SsappRunList *self, guint row, const char *label)
{
  g_return_if_fail (row < self->n);
  if (self->labels == NULL) {
    self->labels = g_ptr_array_new_with_free_func (g_free);
    g_ptr_array_set_size (self->labels, (int)self->n);
  }
  g_free (g_ptr_array_index (self->labels, row));
  g_ptr_array_index (self->labels, row) = g_strdup (label);
}

/* Few runs are read one by one: the whole list may be long. */
#define FEW_RUNS 64

void
ssapp_run_list_set_steps (SsappRunList *self, GHashTable *steps)
{
  g_clear_pointer (&self->steps, g_hash_table_unref);
  self->steps = steps;
}

static SsappRunList *
list_with_steps (GPtrArray *rows, GHashTable *steps)
{
  SsappRunList *list = ssapp_run_list_new (rows);

  ssapp_run_list_set_steps (list, steps);
  return list;
}

static SsappRunList *
list_of_few (SsappStore *store, const char *const *ids, GHashTable *steps)
{
  g_autoptr (GPtrArray) rows = g_ptr_array_new_with_free_func ((GDestroyNotify)ssapp_run_row_free);

  for (int k = 0; ids[k] != NULL; k++) {
    SsappRunRow *row = ssapp_store_get_run (store, ids[k], NULL);
    if (row != NULL)
      g_ptr_array_add (rows, row);
  }
  return list_with_steps (g_steal_pointer (&rows), steps);
}

SsappRunList *
ssapp_run_list_new_of (SsappStore *store, const char *const *ids, const SsMetric *metrics, guint n_metrics,
                       GError **error)
{
  g_autoptr (GPtrArray) all = NULL, rows = NULL;
  g_autoptr (GHashTable) by_id = NULL, steps = ssapp_store_list_steps (store, error);

  if (steps == NULL)
    return NULL;
  if (g_strv_length ((char **)ids) <= FEW_RUNS)
    return list_of_few (store, ids, g_steal_pointer (&steps));
  all = ssapp_store_list_runs (store, metrics, (int)n_metrics, error);
  if (all == NULL)
    return NULL;
  by_id = g_hash_table_new (g_str_hash, g_str_equal);
  for (guint i = 0; i < all->len; i++)
    g_hash_table_insert (by_id, ((SsappRunRow *)g_ptr_array_index (all, i))->id, GUINT_TO_POINTER (i + 1));
  rows = g_ptr_array_new_with_free_func ((GDestroyNotify)ssapp_run_row_free);
  for (int k = 0; ids[k] != NULL; k++) {
    const guint i = GPOINTER_TO_UINT (g_hash_table_lookup (by_id, ids[k]));
    if (i == 0 || g_ptr_array_index (all, i - 1) == NULL)
      continue;
    g_ptr_array_add (rows, g_ptr_array_index (all, i - 1));
    g_ptr_array_index (all, i - 1) = NULL; /* a run is in it once */
  }
  g_hash_table_remove_all (by_id); /* its keys are the rows' */
  return list_with_steps (g_steal_pointer (&rows), g_steal_pointer (&steps));
}

guint
ssapp_run_list_known_metrics (SsappRunList *self, SsMetric *metrics, guint n)
{
  guint kept = 0;

  for (guint i = 0; i < n; i++) {
    const SsappRunColumn column = {.kind = SSAPP_RUN_COLUMN_METRIC, .metric = metrics[i]};
    if (ssapp_run_list_is_used (self, &column))
      metrics[kept++] = metrics[i];
  }
  return kept;
}

/* ---- table ------------------------------------------------------------------------------------------------------- */

gboolean
ssapp_run_list_is_number (SsappRunList *self, const SsappRunColumn *column)
{
  const SsappRunListTexts *texts = ssapp_run_list_texts (self, column);

  if (column->kind != SSAPP_RUN_COLUMN_FIELD && column->kind != SSAPP_RUN_COLUMN_SEED)
    return column->kind == SSAPP_RUN_COLUMN_METRIC;
  for (guint i = 0; i < self->n_shown; i++)
    if (texts->of_row[self->shown[i]] != 0 && isnan (ssapp_run_list_value (texts, self->shown[i])->number))
      return FALSE;
  return TRUE;
}

/* A column of the table, and whether its cells are numbers. */
static gboolean
add_column (SsappRunList *self, SsappTable *table, const SsappRunColumn *column)
{
  const gboolean is_number = ssapp_run_list_is_number (self, column);
  g_autofree char *title = ssapp_run_list_dup_title (self, column);
  const char *key = column->kind == SSAPP_RUN_COLUMN_FIELD ? title : ssapp_run_list_keys[column->kind],
             *unit = ssapp_run_list_unit_of (self, column);

  if (is_number)
    ssapp_table_add_number_column (table, key, title, unit != NULL ? unit : "", "%.6g", SSAPP_BEST_NONE);
  else
    ssapp_table_add_text_column (table, key, title);
  return is_number;
}

static void
add_cell (SsappRunList *self, SsappTable *table, guint row, const SsappRunColumn *column, gboolean is_number)
{
  if (is_number) {
    ssapp_table_add_number (table, ssapp_run_list_get_number (self, row, column));
    return;
  }
  g_autofree char *text = ssapp_run_list_dup_text (self, row, column);
  ssapp_table_add_text (table, text);
}

SsappTable *
ssapp_run_list_to_table (SsappRunList *self, const char *title, const SsMetric *metrics, guint n_metrics,
                         gboolean only_differing, gboolean with_ids)
{
  static const SsappRunColumn id = {.kind = SSAPP_RUN_COLUMN_ID}, last[] = {{.kind = SSAPP_RUN_COLUMN_STARTED},
                                                                            {.kind = SSAPP_RUN_COLUMN_NOTE},
                                                                            {.kind = SSAPP_RUN_COLUMN_TAGS}};
  SsappTable *table = ssapp_table_new (title);
  g_autoptr (GArray) columns = ssapp_run_list_columns (self, only_differing);
  g_autoptr (SsappRunSet) set = ssapp_run_set_new_with_steps (g_ptr_array_ref (self->rows), self->steps);

  if (with_ids)
    g_array_prepend_val (columns, id);
  g_autofree gboolean *are_numbers = g_new (gboolean, columns->len + 1);
  for (guint c = 0; c < columns->len; c++)
    are_numbers[c] = add_column (self, table, &g_array_index (columns, SsappRunColumn, c));
  for (guint m = 0; m < n_metrics; m++)
    ssapp_table_add_metric_column (table, metrics[m]);
  for (guint c = 0; with_ids && c < G_N_ELEMENTS (last); c++)
    add_column (self, table, &last[c]);
  for (guint i = 0; i < self->n_shown; i++) {
    const guint row = self->shown[i];
    const SsappRunItem *item = &g_array_index (set->items, SsappRunItem, row);
    ssapp_table_set_group (table, item->problem);
    ssapp_table_set_apart (table, item->state != SSAPP_RUN_SOLVED);
    ssapp_table_begin_row (table);
    for (guint c = 0; c < columns->len; c++)
      add_cell (self, table, row, &g_array_index (columns, SsappRunColumn, c), are_numbers[c]);
    for (guint m = 0; m < n_metrics; m++)
      ssapp_table_add_number (table, ssapp_run_row_get_metric (g_ptr_array_index (self->rows, row), metrics[m]));
    for (guint c = 0; with_ids && c < G_N_ELEMENTS (last); c++)
      add_cell (self, table, row, &last[c], FALSE);
  }
  return table;
}
