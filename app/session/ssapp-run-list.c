/* app/session/ssapp-run-list.c: see the header. */
#include "app/session/ssapp-run-list-private.h"

#include "app/base/ssapp-metric.h"
#include "app/base/ssapp-outcome.h"
#include "app/session/ssapp-run.h"
#include "app/base/ssapp-text.h"

#include <glib/gi18n.h>
#include <jansson.h>
#include <math.h>
#include <string.h>

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
  case SSAPP_RUN_COLUMN_STUDY: /* not of the row alone: study_of */
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
  ssapp_run_texts_init (texts, self->n);
  known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  for (guint i = 0; i < self->n; i++) {
    const SsappRunRow *row = g_ptr_array_index (self->rows, i);
    char buffer[32];
    const SsappRunStudy *study = kind == SSAPP_RUN_COLUMN_STUDY ? ssapp_run_list_study_of (self, row) : NULL;
    const char *text = study != NULL ? study->title : source_of (row, kind, buffer);
    if (text == NULL || *text == '\0')
      continue;
    guint value = GPOINTER_TO_UINT (g_hash_table_lookup (known, text));
    if (value == 0) {
      value = ssapp_run_texts_add (texts, text, words_of (row, kind));
      g_hash_table_insert (known, g_strdup (text), GUINT_TO_POINTER (value));
    }
    texts->of_row[i] = value;
  }
  return texts;
}

/* ---- fields ------------------------------------------------------------------------------------------------------ */

guint
ssapp_run_list_get_n_fields (SsappRunList *self)
{
  g_return_val_if_fail (self != NULL, 0);
  ssapp_run_list_read_fields (self);
  return self->fields->len;
}

/* "mu"; an option that is called like a parameter: "option.mu". Borrowed. */
static const char *
field_name (SsappRunList *self, guint field)
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
    ssapp_run_texts_clear (&self->texts[i]);
  g_clear_pointer (&self->fields, g_array_unref);
  g_ptr_array_unref (self->rows);
  g_clear_pointer (&self->labels, g_ptr_array_unref);
  g_clear_pointer (&self->wanted, g_array_unref);
  g_clear_pointer (&self->steps, g_hash_table_unref);
  g_clear_pointer (&self->studies, g_hash_table_unref);
  g_clear_pointer (&self->open, g_hash_table_unref);
  g_clear_pointer (&self->groups, g_ptr_array_unref);
  g_clear_pointer (&self->lines, g_array_unref);
  g_free (self->group_of);
  g_free (self->order);
  g_free (self->shown);
  g_free (self->passes);
  g_free (self);
}

GPtrArray *
ssapp_run_list_ref_rows (SsappRunList *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return g_ptr_array_ref (self->rows);
}

guint
ssapp_run_list_get_n_rows (const SsappRunList *self)
{
  g_return_val_if_fail (self != NULL, 0);
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
SsappRunListTexts *
ssapp_run_list_texts (SsappRunList *self, const SsappRunColumn *column)
{
  g_return_val_if_fail (self != NULL, NULL);
  if (column->kind == SSAPP_RUN_COLUMN_METRIC)
    return NULL;
  if (column->kind != SSAPP_RUN_COLUMN_FIELD)
    return texts_of (self, column->kind);
  ssapp_run_list_read_fields (self);
  return &g_array_index (self->fields, SsappRunListField, column->field).texts;
}

GArray *
ssapp_run_list_outcomes (SsappRunList *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  GArray *metrics = g_array_new (FALSE, FALSE, sizeof (SsMetric));

  for (guint i = 0; i < self->n_shown; i++)
    ssapp_run_row_list_outcomes (g_ptr_array_index (self->rows, self->shown[i]), metrics);
  return metrics;
}

/* The outcome of that name, also as "outcomes.NAME", that any row has; SS_METRIC_COUNT: none has. */
static SsMetric
find_outcome (SsappRunList *self, const char *name)
{
  const char *own = g_str_has_prefix (name, "outcomes.") ? name + strlen ("outcomes.") : name;
  g_autoptr (GArray) metrics = g_array_new (FALSE, FALSE, sizeof (SsMetric));

  for (guint i = 0; i < self->n; i++)
    ssapp_run_row_list_outcomes (g_ptr_array_index (self->rows, i), metrics);
  for (guint i = 0; i < metrics->len; i++)
    if (strcmp (ssapp_metric_spec (g_array_index (metrics, SsMetric, i))->name, own) == 0)
      return g_array_index (metrics, SsMetric, i);
  return SS_METRIC_COUNT;
}

gboolean
ssapp_run_list_find_column (SsappRunList *self, const char *name, SsappRunColumn *column, GError **error)
{
  g_return_val_if_fail (self != NULL && name != NULL && column != NULL, FALSE);
  *column = (SsappRunColumn){0};
  column->kind = ssapp_run_column_kind_of (name, &column->metric);
  if (column->kind != SSAPP_RUN_COLUMN_FIELD)
    return TRUE;
  column->metric = find_outcome (self, name);
  if (column->metric != SS_METRIC_COUNT) {
    column->kind = SSAPP_RUN_COLUMN_METRIC;
    return TRUE;
  }
  const int field = find_field (self, name);
  if (field >= 0) {
    column->field = (guint)field;
    return TRUE;
  }
  const char *nearest = ssapp_run_column_suggest (name);
  if (nearest != NULL)
    g_set_error (error, SSAPP_RUN_FILTER_ERROR, SSAPP_RUN_FILTER_ERROR_UNKNOWN,
                 _ ("no run has a metric, parameter or option “%s”; did you mean “%s”?"), name, nearest);
  else
    g_set_error (error, SSAPP_RUN_FILTER_ERROR, SSAPP_RUN_FILTER_ERROR_UNKNOWN,
                 _ ("no run has a metric, parameter or option “%s”"), name);
  return FALSE;
}

static const char *const titles[SSAPP_RUN_N_TEXTS] = {
    [SSAPP_RUN_COLUMN_METHOD] = N_ ("Method"),   [SSAPP_RUN_COLUMN_SCENARIO] = N_ ("Scenario"),
    [SSAPP_RUN_COLUMN_OUTCOME] = N_ ("Outcome"), [SSAPP_RUN_COLUMN_STARTED] = N_ ("Started"),
    [SSAPP_RUN_COLUMN_NOTE] = N_ ("Note"),       [SSAPP_RUN_COLUMN_TAGS] = N_ ("Tags"),
    [SSAPP_RUN_COLUMN_START] = N_ ("Start"),     [SSAPP_RUN_COLUMN_SEED] = N_ ("Seed"),
    [SSAPP_RUN_COLUMN_KIND] = N_ ("Kind"),       [SSAPP_RUN_COLUMN_ID] = N_ ("Run"),
    [SSAPP_RUN_COLUMN_STUDY] = N_ ("Study")};
const char *const ssapp_run_list_keys[SSAPP_RUN_N_TEXTS] = {
    [SSAPP_RUN_COLUMN_METHOD] = "method",   [SSAPP_RUN_COLUMN_SCENARIO] = "scenario",
    [SSAPP_RUN_COLUMN_OUTCOME] = "outcome", [SSAPP_RUN_COLUMN_STARTED] = "started",
    [SSAPP_RUN_COLUMN_NOTE] = "note",       [SSAPP_RUN_COLUMN_TAGS] = "tags",
    [SSAPP_RUN_COLUMN_START] = "start",     [SSAPP_RUN_COLUMN_SEED] = "seed",
    [SSAPP_RUN_COLUMN_KIND] = "kind",       [SSAPP_RUN_COLUMN_ID] = "run",
    [SSAPP_RUN_COLUMN_STUDY] = "study"};

char *
ssapp_run_list_dup_name (SsappRunList *self, const SsappRunColumn *column)
{
  g_return_val_if_fail (self != NULL && column != NULL, NULL);
  return g_strdup (column->kind == SSAPP_RUN_COLUMN_METRIC  ? ssapp_metric_spec (column->metric)->name
                   : column->kind == SSAPP_RUN_COLUMN_FIELD ? field_name (self, column->field)
                                                            : ssapp_run_list_keys[column->kind]);
}

char *
ssapp_run_list_dup_title (SsappRunList *self, const SsappRunColumn *column)
{
  g_return_val_if_fail (self != NULL && column != NULL, NULL);
  if (column->kind == SSAPP_RUN_COLUMN_METRIC)
    return ssapp_metric_title (column->metric);
  return g_strdup (column->kind == SSAPP_RUN_COLUMN_FIELD ? field_name (self, column->field)
                                                          : _ (titles[column->kind]));
}

char *
ssapp_run_list_dup_text (SsappRunList *self, guint row, const SsappRunColumn *column)
{
  g_return_val_if_fail (self != NULL, NULL);
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
  const SsappRunStudy *study = column->kind == SSAPP_RUN_COLUMN_STUDY ? ssapp_run_list_study_of (self, run) : NULL;
  char buffer[32];
  return g_strdup (study != NULL ? study->title : source_of (run, column->kind, buffer));
}

double
ssapp_run_list_get_number (SsappRunList *self, guint row, const SsappRunColumn *column)
{
  g_return_val_if_fail (self != NULL && column != NULL, NAN);
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
  g_clear_pointer (&self->lines, g_array_unref);
  for (guint i = 0; i < self->n; i++)
    if (self->passes[self->order[i]])
      self->shown[self->n_shown++] = self->order[i];
}

void
ssapp_run_list_sort (SsappRunList *self, const SsappRunColumn *column, gboolean is_descending)
{
  g_return_if_fail (self != NULL);
  g_autofree Key *sorted = g_new (Key, MAX (self->n, 1));
  SsappRunListTexts *texts = column != NULL ? ssapp_run_list_texts (self, column) : NULL;

  if (texts != NULL)
    ssapp_run_texts_rank (texts);
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

static void
mark_numbers (const SsappRunList *self, const SsappRunTerm *term, SsMetric metric, guint8 *holds)
{
  for (guint i = 0; i < self->n; i++) {
    const gboolean is_so = number_holds (term, ssapp_run_row_get_metric (g_ptr_array_index (self->rows, i), metric));
    holds[i] = is_so != (term->op == SSAPP_RUN_OP_IS_NOT);
  }
}

/* Takes out of `passes` the rows in which a term does not hold. */
static gboolean
apply_term (SsappRunList *self, const SsappRunTerm *term, guint8 *passes, GError **error)
{
  g_autofree guint8 *holds = g_new0 (guint8, MAX (self->n, 1));

  if (term->name == NULL) {
    for (guint k = 0; k < G_N_ELEMENTS (searched); k++)
      mark_texts (term, texts_of (self, searched[k]), self->n, holds);
  } else {
    SsappRunColumn column = {.kind = term->kind, .metric = term->metric};
    if (term->kind == SSAPP_RUN_COLUMN_FIELD && !ssapp_run_list_find_column (self, term->name, &column, error))
      return FALSE;
    if (column.kind == SSAPP_RUN_COLUMN_METRIC)
      mark_numbers (self, term, column.metric, holds);
    else
      mark_texts (term, ssapp_run_list_texts (self, &column), self->n, holds);
  }
  for (guint i = 0; i < self->n; i++)
    passes[i] &= (holds[i] != 0) != term->is_not;
  return TRUE;
}

gboolean
ssapp_run_list_filter (SsappRunList *self, const char *text, GError **error)
{
  g_return_val_if_fail (self != NULL, FALSE);
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
  g_return_val_if_fail (self != NULL, 0);
  return self->n_shown;
}

guint
ssapp_run_list_get_shown (const SsappRunList *self, guint position)
{
  g_return_val_if_fail (position < self->n_shown, 0);
  return self->shown[position];
}

void
ssapp_run_list_forget (const SsappRunList *self, GHashTable *ids)
{
  g_return_if_fail (self != NULL && ids != NULL);
  g_autoptr (GHashTable) there = g_hash_table_new (g_str_hash, g_str_equal);
  GHashTableIter iter;
  gpointer id;

  for (guint i = 0; i < ssapp_run_list_get_n_rows (self); i++)
    g_hash_table_add (there, ssapp_run_list_get_row (self, i)->id);
  g_hash_table_iter_init (&iter, ids);
  while (g_hash_table_iter_next (&iter, &id, NULL))
    if (!g_hash_table_contains (there, id))
      g_hash_table_iter_remove (&iter);
}
