/* app/base/ssapp-record.c: see the header. */
#include "app/base/ssapp-record.h"

#include "app/base/ssapp-json.h"
#include "core/ss-memory.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* Whether the member is a pointer, which the struct owns after reading. */
static bool
is_pointer (SsappFieldType type)
{
  return type == SSAPP_FIELD_STRING || type == SSAPP_FIELD_LABEL || type >= SSAPP_FIELD_TEXTS;
}

static bool
is_counted (SsappFieldType type)
{
  return type == SSAPP_FIELD_SERIES || type == SSAPP_FIELD_ITEMS;
}

static int
count_of (const SsappRecordField *field, const void *data)
{
  return *(const int *)(const void *)((const char *)data + field->at_n);
}

/* ---- writing ----------------------------------------------------------------------------------------------------- */

static json_t *
text_to_json (const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text != NULL ? text : "", -1);

  return json_string (valid);
}

static json_t *
words_to_json (const SsappRecordField *field, unsigned bits)
{
  json_t *list = json_array ();

  for (int i = 0; i < field->n_words; i++)
    if ((bits & 1u << i) != 0)
      json_array_append_new (list, json_string (field->word (i)));
  return list;
}

static json_t *
texts_to_json (const GPtrArray *texts)
{
  json_t *list = json_array ();

  for (guint i = 0; texts != NULL && i < texts->len; i++)
    json_array_append_new (list, text_to_json (g_ptr_array_index (texts, i)));
  return list;
}

static json_int_t
integer_at (const SsappRecordField *field, const void *member)
{
  return field->size == sizeof (gint64) ? (json_int_t) * (const gint64 *)member : *(const int *)member;
}

static json_t *
counted_to_json (const SsappRecordField *field, const void *data, const void *array)
{
  const int n = array != NULL ? count_of (field, data) : 0;

  return field->type == SSAPP_FIELD_SERIES ? ssapp_json_reals (array, n) : ssapp_records_to_json (field->of, array, n);
}

/* NULL: it says nothing and is left out. */
static json_t *
field_to_json (const SsappRecordField *field, const void *data)
{
  const void *member = (const char *)data + field->offset;
  const char *text = member;
  const int *number = member;
  const void *pointer = is_pointer (field->type) ? *(const void *const *)member : NULL;
  const GArray *array = pointer;
  json_t *nothing = field->is_left_out ? NULL : json_null (); /* is never counted */

  switch (field->type) {
  case SSAPP_FIELD_REAL:
    return field->is_left_out && !isfinite (*(const double *)member) ? NULL : ssapp_json_real (*(const double *)member);
  case SSAPP_FIELD_REALS:
    return ssapp_json_reals (member, (int)(field->size / sizeof (double)));
  case SSAPP_FIELD_INTEGER:
    return field->is_left_out && integer_at (field, member) == 0 ? NULL : json_integer (integer_at (field, member));
  case SSAPP_FIELD_INDEX:
    return *number >= 0 ? json_integer (*number) : nothing;
  case SSAPP_FIELD_FLAG:
    return field->is_left_out && !*(const bool *)member ? NULL : json_boolean (*(const bool *)member);
  case SSAPP_FIELD_TEXT:
    return text_to_json (text);
  case SSAPP_FIELD_NAME:
    return text[0] != '\0' ? text_to_json (text) : nothing;
  case SSAPP_FIELD_STRING:
    return text_to_json (pointer);
  case SSAPP_FIELD_LABEL:
    return pointer != NULL ? text_to_json (pointer) : nothing;
  case SSAPP_FIELD_WORD:
    return json_string (field->word (*number));
  case SSAPP_FIELD_WORDS:
    return words_to_json (field, *(const unsigned *)member);
  case SSAPP_FIELD_TEXTS:
    return field->is_left_out && (pointer == NULL || ((const GPtrArray *)pointer)->len == 0) ? NULL
                                                                                             : texts_to_json (pointer);
  case SSAPP_FIELD_RECORD:
    return pointer != NULL ? ssapp_record_to_json (field->of, pointer) : nothing;
  case SSAPP_FIELD_LIST:
    return array == NULL ? json_array () : ssapp_records_to_json (field->of, array->data, (int)array->len);
  case SSAPP_FIELD_JSON:
    return pointer != NULL ? json_incref ((json_t *)pointer) : nothing;
  case SSAPP_FIELD_SERIES:
  case SSAPP_FIELD_ITEMS:
    return field->is_left_out && pointer == NULL ? NULL : counted_to_json (field, data, pointer);
  }
  return NULL;
}

void
ssapp_record_add_to_json (const SsappRecord *record, const void *data, json_t *object)
{
  g_return_if_fail (record != NULL);
  for (guint i = 0; i < record->n_fields; i++) {
    json_t *value = field_to_json (&record->fields[i], data);
    if (value != NULL)
      json_object_set_new (object, record->fields[i].name, value);
  }
}

json_t *
ssapp_record_to_json (const SsappRecord *record, const void *data)
{
  json_t *object = json_object ();

  ssapp_record_add_to_json (record, data, object);
  return object;
}

json_t *
ssapp_record_give_to_json (const SsappRecord *record, void *data)
{
  g_return_val_if_fail (record != NULL && data != NULL, NULL);

  json_t *object = ssapp_record_to_json (record, data);

  for (guint i = 0; i < record->n_fields; i++)
    if (record->fields[i].type == SSAPP_FIELD_JSON) {
      json_t **member = (json_t **)(void *)((char *)data + record->fields[i].offset);
      json_decref (*member);
      *member = NULL;
    }
  return object;
}

json_t *
ssapp_records_to_json (const SsappRecord *record, const void *data, int n)
{
  g_return_val_if_fail (record != NULL, NULL);
  json_t *list = json_array ();

  for (int i = 0; i < n; i++)
    json_array_append_new (list, ssapp_record_to_json (record, (const char *)data + (gsize)i * record->size));
  return list;
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

static double
real_of (const json_t *value)
{
  return json_is_number (value) ? json_number_value (value) : (double)NAN;
}

static int
integer_of (const json_t *value)
{
  return (int)CLAMP (json_integer_value (value), G_MININT, G_MAXINT);
}

static void
read_integer (const SsappRecordField *field, const json_t *value, void *member)
{
  if (field->size == sizeof (gint64))
    *(gint64 *)member = json_integer_value (value);
  else
    *(int *)member = integer_of (value);
}

static int
word_of (const SsappRecordField *field, const char *word)
{
  for (int i = 0; i < field->n_words; i++)
    if (g_strcmp0 (word, field->word (i)) == 0)
      return i;
  return field->fallback;
}

static unsigned
words_of (const SsappRecordField *field, const json_t *list)
{
  unsigned bits = 0;

  for (size_t i = 0; i < json_array_size (list); i++)
    for (int k = 0; k < field->n_words; k++)
      if (g_strcmp0 (json_string_value (json_array_get (list, i)), field->word (k)) == 0)
        bits |= 1u << k;
  return bits;
}

/* A text that was cut may end within a character. */
static void
cut_to_characters (char *text)
{
  const char *end;

  if (!g_utf8_validate (text, -1, &end))
    text[end - text] = '\0';
}

static GPtrArray *
texts_of (const json_t *list)
{
  GPtrArray *texts = g_ptr_array_new_with_free_func (g_free);

  for (size_t i = 0; i < json_array_size (list); i++)
    if (json_is_string (json_array_get (list, i)))
      g_ptr_array_add (texts, g_strdup (json_string_value (json_array_get (list, i))));
  return texts;
}

static void *
struct_of (const SsappRecord *record, const json_t *value)
{
  void *data = json_is_object (value) ? g_malloc0 (record->size) : NULL;

  if (data != NULL)
    ssapp_record_from_json (record, value, data);
  return data;
}

/* An array that has no room is none. */
static void
read_counted (const SsappRecordField *field, const json_t *list, void *data)
{
  const gsize n = json_is_array (list) ? json_array_size (list) : 0,
              size = field->type == SSAPP_FIELD_SERIES ? sizeof (double) : field->of->size;
  char *array = n > 0 && n < G_MAXINT ? ss_alloc (n, size) : NULL;

  for (gsize i = 0; array != NULL && i < n; i++)
    if (field->type == SSAPP_FIELD_SERIES)
      ((double *)(void *)array)[i] = real_of (json_array_get (list, i));
    else
      ssapp_record_from_json (field->of, json_array_get (list, i), array + i * size);
  *(void **)(void *)((char *)data + field->offset) = array;
  *(int *)(void *)((char *)data + field->at_n) = array != NULL ? (int)n : 0;
}

static void
field_from_json (const SsappRecordField *field, const json_t *value, void *data)
{
  void *member = (char *)data + field->offset;
  const char *text = json_string_value (value);
  double *reals = member;

  switch (field->type) {
  case SSAPP_FIELD_REAL:
    *reals = real_of (value);
    break;
  case SSAPP_FIELD_REALS:
    for (size_t i = 0; i < field->size / sizeof *reals; i++)
      reals[i] = real_of (json_array_get (value, i));
    break;
  case SSAPP_FIELD_INTEGER:
    read_integer (field, value, member);
    break;
  case SSAPP_FIELD_INDEX:
    *(int *)member = json_is_integer (value) ? MAX (integer_of (value), -1) : -1;
    break;
  case SSAPP_FIELD_FLAG:
    *(bool *)member = json_is_true (value);
    break;
  case SSAPP_FIELD_TEXT:
  case SSAPP_FIELD_NAME:
    if (g_strlcpy (member, text != NULL ? text : "", field->size) >= field->size)
      cut_to_characters (member);
    break;
  case SSAPP_FIELD_STRING:
    *(const char **)member = g_strdup (text != NULL ? text : "");
    break;
  case SSAPP_FIELD_WORD:
    *(int *)member = word_of (field, text);
    break;
  case SSAPP_FIELD_WORDS:
    *(unsigned *)member = words_of (field, value);
    break;
  case SSAPP_FIELD_LABEL:
    *(char **)member = g_strdup (text);
    break;
  case SSAPP_FIELD_TEXTS:
    *(GPtrArray **)member = texts_of (value);
    break;
  case SSAPP_FIELD_RECORD:
    *(void **)member = struct_of (field->of, value);
    break;
  case SSAPP_FIELD_LIST:
    *(GArray **)member = ssapp_records_from_json (field->of, value);
    break;
  case SSAPP_FIELD_JSON:
    *(json_t **)member = json_is_null (value) ? NULL : json_incref ((json_t *)value);
    break;
  case SSAPP_FIELD_SERIES:
  case SSAPP_FIELD_ITEMS:
    read_counted (field, value, data);
    break;
  }
}

void
ssapp_record_from_json (const SsappRecord *record, const json_t *object, void *data)
{
  g_return_if_fail (record != NULL);
  for (guint i = 0; i < record->n_fields; i++)
    field_from_json (&record->fields[i], json_object_get (object, record->fields[i].name), data);
}

static bool
is_list_of (const json_t *list, const SsappRecordField *field)
{
  bool ok = json_is_array (list);

  for (size_t i = 0; ok && i < json_array_size (list); i++) {
    const json_t *item = json_array_get (list, i);
    ok = field->of != NULL ? ssapp_record_find_fault (field->of, item) == NULL : json_is_number (item);
  }
  return ok;
}

static bool
is_of_type (const SsappRecordField *field, const json_t *value)
{
  const json_int_t integer = json_integer_value (value);

  if (value == NULL)
    return field->is_left_out;
  switch (field->type) {
  case SSAPP_FIELD_REAL:
    return json_is_number (value) || json_is_null (value);
  case SSAPP_FIELD_REALS:
    return json_array_size (value) == field->size / sizeof (double);
  case SSAPP_FIELD_INTEGER:
    return json_is_integer (value) && (field->size == sizeof (gint64) || (integer >= G_MININT && integer <= G_MAXINT));
  case SSAPP_FIELD_INDEX:
    return json_is_null (value) || (json_is_integer (value) && integer >= 0 && integer <= G_MAXINT);
  case SSAPP_FIELD_FLAG:
    return json_is_boolean (value);
  case SSAPP_FIELD_TEXT:
  case SSAPP_FIELD_STRING:
  case SSAPP_FIELD_WORD:
    return json_is_string (value);
  case SSAPP_FIELD_NAME:
  case SSAPP_FIELD_LABEL:
    return json_is_string (value) || json_is_null (value);
  case SSAPP_FIELD_WORDS:
  case SSAPP_FIELD_TEXTS:
    return json_is_array (value);
  case SSAPP_FIELD_RECORD:
    return json_is_null (value) || ssapp_record_find_fault (field->of, value) == NULL;
  case SSAPP_FIELD_LIST:
  case SSAPP_FIELD_SERIES:
  case SSAPP_FIELD_ITEMS:
    return is_list_of (value, field);
  case SSAPP_FIELD_JSON:
    return true;
  }
  return false;
}

const SsappRecordField *
ssapp_record_find_fault (const SsappRecord *record, const json_t *object)
{
  g_return_val_if_fail (record != NULL, NULL);
  for (guint i = 0; i < record->n_fields; i++)
    if (!is_of_type (&record->fields[i], json_object_get (object, record->fields[i].name)))
      return &record->fields[i];
  return NULL;
}

GArray *
ssapp_records_from_json (const SsappRecord *record, const json_t *list)
{
  g_return_val_if_fail (record != NULL, NULL);
  const guint n = json_is_array (list) ? (guint)json_array_size (list) : 0;
  GArray *array = g_array_sized_new (FALSE, TRUE, (guint)record->size, n);

  g_array_set_size (array, n);
  for (guint i = 0; i < n; i++)
    ssapp_record_from_json (record, json_array_get (list, i), array->data + i * record->size);
  return array;
}

void
ssapp_records_free (const SsappRecord *record, GArray *array)
{
  g_return_if_fail (record != NULL);
  for (guint i = 0; array != NULL && i < array->len; i++)
    ssapp_record_clear (record, array->data + i * record->size);
  g_clear_pointer (&array, g_array_unref);
}

static void
clear_field (const SsappRecordField *field, void *owned, int n)
{
  switch (field->type) {
  case SSAPP_FIELD_STRING:
  case SSAPP_FIELD_LABEL:
    g_free (owned);
    break;
  case SSAPP_FIELD_TEXTS:
    g_clear_pointer ((GPtrArray **)&owned, g_ptr_array_unref);
    break;
  case SSAPP_FIELD_RECORD:
    if (owned != NULL)
      ssapp_record_clear (field->of, owned);
    g_free (owned);
    break;
  case SSAPP_FIELD_LIST:
    ssapp_records_free (field->of, owned);
    break;
  case SSAPP_FIELD_JSON:
    json_decref (owned);
    break;
  case SSAPP_FIELD_SERIES:
  case SSAPP_FIELD_ITEMS:
    for (int i = 0; field->of != NULL && i < n; i++)
      ssapp_record_clear (field->of, (char *)owned + (gsize)i * field->of->size);
    ss_free (owned);
    break;
  default:
    break;
  }
}

void
ssapp_record_clear (const SsappRecord *record, void *data)
{
  g_return_if_fail (record != NULL && data != NULL);
  for (guint i = 0; i < record->n_fields; i++) {
    const SsappRecordField *field = &record->fields[i];
    void **owned = (void **)(void *)((char *)data + field->offset);
    if (!is_pointer (field->type))
      continue;
    clear_field (field, *owned, is_counted (field->type) ? count_of (field, data) : 0);
    *owned = NULL;
    if (is_counted (field->type))
      *(int *)(void *)((char *)data + field->at_n) = 0;
  }
}
