/* app/session/ssapp-run-list-fields.c: the distinct texts of a column, and what parameters, options and tasks of
 * studies say in JSON, as columns; see ssapp-run-list.h. */
#include "app/session/ssapp-run-list-private.h"

#include "app/base/ssapp-text.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

/* ---- texts ------------------------------------------------------------------------------------------------------- */

static void
value_clear (gpointer data)
{
  g_free (((SsappRunListValue *)data)->text);
  g_free (((SsappRunListValue *)data)->folded);
}

guint
ssapp_run_texts_add (SsappRunListTexts *self, const char *text, const char *words)
{
  const gboolean has_words = words != NULL && strcmp (words, text) != 0;
  g_autofree char *both = has_words ? g_strdup_printf ("%s\n%s", text, words) : NULL;
  SsappRunListValue value = {.text = g_strdup (text), .folded = g_utf8_casefold (both != NULL ? both : text, -1)};

  if (!ss_parse_double (text, &value.number))
    value.number = NAN;
  g_array_append_val (self->values, value);
  return self->values->len - 1;
}

void
ssapp_run_texts_init (SsappRunListTexts *self, guint n)
{
  self->values = g_array_new (FALSE, TRUE, sizeof (SsappRunListValue));
  g_array_set_clear_func (self->values, value_clear);
  self->of_row = g_new0 (guint, MAX (n, 1));
  ssapp_run_texts_add (self, "", NULL);
}

void
ssapp_run_texts_clear (SsappRunListTexts *self)
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

void
ssapp_run_texts_rank (SsappRunListTexts *self)
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

const SsappRunListValue *
ssapp_run_list_value (const SsappRunListTexts *self, guint row)
{
  g_return_val_if_fail (self != NULL, NULL);
  return &g_array_index (self->values, SsappRunListValue, self->of_row[row]);
}

const SsappRunStudy *
ssapp_run_list_study_of (const SsappRunList *self, const SsappRunRow *row)
{
  return self->studies != NULL ? g_hash_table_lookup (self->studies, row->id) : NULL;
}

/* ---- fields ------------------------------------------------------------------------------------------------------ */

static void
field_clear (gpointer data)
{
  g_free (((SsappRunListField *)data)->name);
  ssapp_run_texts_clear (&((SsappRunListField *)data)->texts);
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
    return ssapp_text_number_exact (json_real_value (value) + 0.0, 6);
  char *dumped = json_dumps (value, JSON_ENCODE_ANY | JSON_COMPACT);
  char *text = g_strdup (dumped != NULL ? dumped : "");
  free (dumped);
  return text;
}

/* Which value of which field: what one JSON text says. */
typedef struct {
  guint field, value;
} Cell;

/* What was read so far; [0]: of parameters, [1]: of options. */
typedef struct {
  GHashTable *fields[2]; /* name to place in the list's fields + 1 */
  GHashTable *cells[2];  /* JSON text to GArray of Cell */
  GPtrArray *by_number;  /* of each field, bits of a number to value */
  GPtrArray *by_text;    /* of each field, text to value */
} Read;

static Read
read_new (void)
{
  Read read = {.by_number = g_ptr_array_new_with_free_func ((GDestroyNotify)g_hash_table_unref),
               .by_text = g_ptr_array_new_with_free_func ((GDestroyNotify)g_hash_table_unref)};

  for (int k = 0; k < 2; k++) {
    read.fields[k] = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
    read.cells[k] = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, (GDestroyNotify)g_array_unref);
  }
  return read;
}

static void
read_clear (Read *read)
{
  for (int k = 0; k < 2; k++) {
    g_hash_table_unref (read->fields[k]);
    g_hash_table_unref (read->cells[k]);
  }
  g_ptr_array_unref (read->by_number);
  g_ptr_array_unref (read->by_text);
}

/* Its place; a new one is added. */
static guint
field_of (SsappRunList *self, Read *read, gboolean is_option, const char *name)
{
  const guint known = GPOINTER_TO_UINT (g_hash_table_lookup (read->fields[is_option], name));

  if (known != 0)
    return known - 1;
  SsappRunListField added = {.name = g_strdup (name), .is_option = is_option};
  ssapp_run_texts_init (&added.texts, self->n);
  g_array_append_val (self->fields, added);
  g_hash_table_insert (read->fields[is_option], g_strdup (name), GUINT_TO_POINTER (self->fields->len));
  g_ptr_array_add (read->by_number, g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL));
  g_ptr_array_add (read->by_text, g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL));
  return self->fields->len - 1;
}

/* Finds or adds the field and its value; a number is found by its bits, of which no text need be made. */
static Cell
cell_of (SsappRunList *self, Read *read, gboolean is_option, const char *name, const json_t *json)
{
  const guint field = field_of (self, read, is_option, name);
  GHashTable *by_number = json_is_real (json) ? g_ptr_array_index (read->by_number, field) : NULL,
             *by_text = g_ptr_array_index (read->by_text, field);
  const double number = json_real_value (json); /* 0 of others */
  guint value = by_number != NULL ? GPOINTER_TO_UINT (g_hash_table_lookup (by_number, &number)) : 0;

  if (value != 0)
    return (Cell){field, value};
  g_autofree char *text = json_to_text (json);
  value = GPOINTER_TO_UINT (g_hash_table_lookup (by_text, text));
  if (value == 0 && *text != '\0') {
    value = ssapp_run_texts_add (&g_array_index (self->fields, SsappRunListField, field).texts, text, NULL);
    g_hash_table_insert (by_text, g_strdup (text), GUINT_TO_POINTER (value));
  }
  if (by_number != NULL)
    g_hash_table_insert (by_number, g_memdup2 (&number, sizeof number), GUINT_TO_POINTER (value));
  return (Cell){field, value};
}

/* What a JSON object of parameters or options says; each text, which stays while it is read, is read once. */
static GArray *
cells_of (SsappRunList *self, Read *read, gboolean is_option, const char *text)
{
  GArray *cells = g_hash_table_lookup (read->cells[is_option], text);
  const char *name;
  json_t *value;

  if (cells != NULL)
    return cells;
  json_t *object = json_loads (text, JSON_DECODE_ANY, NULL);
  cells = g_array_new (FALSE, FALSE, sizeof (Cell));
  if (json_is_object (object))
    json_object_foreach (object, name, value)
    {
      const Cell cell = cell_of (self, read, is_option, name, value);
      g_array_append_val (cells, cell);
    }
  json_decref (object);
  g_hash_table_insert (read->cells[is_option], (gpointer)text, cells);
  return cells;
}

static int
compare_fields (gconstpointer a, gconstpointer b)
{
  const SsappRunListField *first = a, *second = b;

  return first->is_option != second->is_option ? first->is_option - second->is_option
                                               : g_ascii_strcasecmp (first->name, second->name);
}

void
ssapp_run_list_read_fields (SsappRunList *self)
{
  if (self->fields != NULL)
    return;
  Read read = read_new ();
  self->fields = g_array_new (FALSE, TRUE, sizeof (SsappRunListField));
  g_array_set_clear_func (self->fields, field_clear);
  for (guint i = 0; i < self->n; i++) {
    const SsappRunRow *row = g_ptr_array_index (self->rows, i);
    const SsappRunStudy *study = ssapp_run_list_study_of (self, row);
    const char *texts[] = {row->parameters_json, row->options_json, study != NULL ? study->task : NULL};
    for (guint k = 0; k < G_N_ELEMENTS (texts); k++) {
      if (texts[k] == NULL || *texts[k] == '\0' || strcmp (texts[k], "{}") == 0)
        continue;
      const GArray *cells = cells_of (self, &read, k == 1, texts[k]);
      for (guint c = 0; c < cells->len; c++) {
        const Cell *cell = &g_array_index (cells, Cell, c);
        g_array_index (self->fields, SsappRunListField, cell->field).texts.of_row[i] = cell->value;
      }
    }
  }
  read_clear (&read);
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
