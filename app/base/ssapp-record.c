/* app/base/ssapp-record.c: see the header. */
#include "app/base/ssapp-record.h"

#include "app/base/ssapp-json.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* Whether the member is a pointer, which the struct owns after reading. */
static bool
is_pointer (SsappFieldType type)
{
  return type == SSAPP_FIELD_STRING || type == SSAPP_FIELD_LABEL || type >= SSAPP_FIELD_TEXTS;
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

/* NULL: it says nothing and is left out. */
static json_t *
field_to_json (const SsappRecordField *field, const void *member)
{
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
    return field->is_left_out && *number == 0 ? NULL : json_integer (*number);
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
    return texts_to_json (pointer);
  case SSAPP_FIELD_RECORD:
    return pointer != NULL ? ssapp_record_to_json (field->of, pointer) : nothing;
  case SSAPP_FIELD_LIST:
    return array == NULL ? json_array () : ssapp_records_to_json (field->of, array->data, (int)array->len);
  case SSAPP_FIELD_JSON:
    return pointer != NULL ? json_incref ((json_t *)pointer) : nothing;
  }
  return NULL;
}

void
ssapp_record_add_to_json (const SsappRecord *record, const void *data, json_t *object)
{
  g_return_if_fail (record != NULL);
  for (guint i = 0; i < record->n_fields; i++) {
    json_t *value = field_to_json (&record->fields[i], (const char *)data + record->fields[i].offset);
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

static void
field_from_json (const SsappRecordField *field, const json_t *value, void *member)
{
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
    *(int *)member = integer_of (value);
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
  }
}

void
ssapp_record_from_json (const SsappRecord *record, const json_t *object, void *data)
{
  g_return_if_fail (record != NULL);
  for (guint i = 0; i < record->n_fields; i++)
    field_from_json (&record->fields[i], json_object_get (object, record->fields[i].name),
                     (char *)data + record->fields[i].offset);
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
  for (guint i = 0; array != NULL && i < array->len; i++)
    ssapp_record_clear (record, array->data + i * record->size);
  g_clear_pointer (&array, g_array_unref);
}

static void
clear_field (const SsappRecordField *field, void *owned)
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
  default:
    break;
  }
}

void
ssapp_record_clear (const SsappRecord *record, void *data)
{
  for (guint i = 0; i < record->n_fields; i++) {
    const SsappRecordField *field = &record->fields[i];
    void **owned = (void **)(void *)((char *)data + field->offset);
    if (!is_pointer (field->type))
      continue;
    clear_field (field, *owned);
    *owned = NULL;
  }
}
