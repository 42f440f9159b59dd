/* app/base/ssapp-record.c: see the header. */
#include "app/base/ssapp-record.h"

#include "app/base/ssapp-json.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

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
field_to_json (const SsappRecordField *field, const void *member)
{
  const char *text = member;
  const int *number = member;

  switch (field->type) {
  case SSAPP_FIELD_REAL:
    return ssapp_json_real (*(const double *)member);
  case SSAPP_FIELD_REALS:
    return ssapp_json_reals (member, (int)(field->size / sizeof (double)));
  case SSAPP_FIELD_INTEGER:
    return json_integer (*number);
  case SSAPP_FIELD_INDEX:
    return *number >= 0 ? json_integer (*number) : json_null ();
  case SSAPP_FIELD_FLAG:
    return json_boolean (*(const bool *)member);
  case SSAPP_FIELD_TEXT:
    return text_to_json (text);
  case SSAPP_FIELD_NAME:
    return text[0] != '\0' ? text_to_json (text) : json_null ();
  case SSAPP_FIELD_STRING:
    return text_to_json (*(const char *const *)member);
  case SSAPP_FIELD_WORD:
    return json_string (field->word (*number));
  case SSAPP_FIELD_WORDS:
    return words_to_json (field, *(const unsigned *)member);
  }
  return json_null ();
}

void
ssapp_record_add_to_json (const SsappRecord *record, const void *data, json_t *object)
{
  for (guint i = 0; i < record->n_fields; i++)
    json_object_set_new (object, record->fields[i].name,
                         field_to_json (&record->fields[i], (const char *)data + record->fields[i].offset));
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
  }
}

void
ssapp_record_from_json (const SsappRecord *record, const json_t *object, void *data)
{
  for (guint i = 0; i < record->n_fields; i++)
    field_from_json (&record->fields[i], json_object_get (object, record->fields[i].name),
                     (char *)data + record->fields[i].offset);
}

void
ssapp_record_clear (const SsappRecord *record, void *data)
{
  for (guint i = 0; i < record->n_fields; i++) {
    const char **string = (const char **)(void *)((char *)data + record->fields[i].offset);
    if (record->fields[i].type != SSAPP_FIELD_STRING)
      continue;
    g_free ((char *)*string);
    *string = NULL;
  }
}
