/* app/base/ssapp-schema.c: see the header. */
#include "app/base/ssapp-schema.h"

#include <string.h>

/* ---- types ------------------------------------------------------------------------------------------------------- */

static const struct {
  const char *name, *schema;
} words[] = {{"text", "{\"type\":\"string\"}"},
             {"number", "{\"type\":\"number\"}"},
             {"integer", "{\"type\":\"integer\"}"},
             {"count", "{\"type\":\"integer\",\"minimum\":0}"},
             {"flag", "{\"type\":\"boolean\"}"},
             {"null", "{\"type\":\"null\"}"},
             {"any", "{}"},
             {"base64", "{\"type\":\"string\",\"contentEncoding\":\"base64\"}"},
             {"formula", "{\"type\":[\"number\",\"string\"]}"},
             {"real", "{\"type\":[\"number\",\"null\"]}"},
             {"name", "{\"type\":[\"string\",\"null\"]}"}};

static json_t *
reference_to (const char *part)
{
  g_autofree char *path = g_strdup_printf ("#/$defs/%s", part);

  return json_pack ("{s:s}", "$ref", path);
}

/* What a type says; further parts that it needs go into `defs`. New reference. */
static json_t *schema_of (const char *type, json_t *defs);

/* A list of a type, in which an object that has `for` is a family of its rows. */
static json_t *
list_with_families (const char *type, json_t *defs)
{
  g_autofree char *name = g_strconcat ("list-of-", type, NULL);

  g_strcanon (name, G_CSET_a_2_z "-0123456789", '-');
  if (json_object_get (defs, name) == NULL) {
    json_object_set_new (defs, name, json_null ()); /* the part itself may have such lists */
    json_t *family = json_pack ("{s:s, s:[s, s, s, s], s:{s:{s:s, s:s}, s:o, s:o, s:o}}", "type", "object", "required",
                                "for", "from", "to", "rows", "properties", "for", "type", "string", "description",
                                "name of the counter; {i} in texts of the rows is its value", "from",
                                ssapp_schema_property ("formula", "", "first value", defs), "to",
                                ssapp_schema_property ("formula", "", "last value", defs), "rows", reference_to (name));
    json_object_set_new (defs, name,
                         json_pack ("{s:s, s:{s:{s:s, s:[s]}, s:o, s:o}}", "type", "array", "items", "if", "type",
                                    "object", "required", "for", "then", family, "else", schema_of (type, defs)));
  }
  return reference_to (name);
}

static json_t *read_type (const char **at, json_t *defs);

/* Goes over the character, which must be there: types are ours. */
static void
pass (const char **at, char expected)
{
  g_assert (**at == expected);
  (*at)++;
}

static char *
read_word (const char **at)
{
  const gsize n = strcspn (*at, "|]}> '");
  char *word = g_strndup (*at, n);

  *at += n;
  return word;
}

static json_t *
read_list (const char **at, json_t *defs)
{
  json_t *list = json_pack ("{s:s, s:o}", "type", "array", "items", read_type (at, defs));

  if (**at == ' ') {
    char *end;
    const json_int_t n = (json_int_t)g_ascii_strtoll (*at, &end, 10);
    json_object_set_new (list, "minItems", json_integer (n));
    json_object_set_new (list, "maxItems", json_integer (n));
    *at = end;
  }
  pass (at, ']');
  return list;
}

static json_t *
read_one (const char **at, json_t *defs)
{
  json_t *type;

  switch (**at) {
  case '[':
    pass (at, '[');
    return read_list (at, defs);
  case '{':
    pass (at, '{');
    type = json_pack ("{s:s, s:o}", "type", "object", "additionalProperties", read_type (at, defs));
    pass (at, '}');
    return type;
  case '<': {
    pass (at, '<');
    g_autofree char *row = g_strndup (*at, strcspn (*at, ">"));
    *at += strlen (row);
    pass (at, '>');
    return list_with_families (row, defs);
  }
  case '\'': {
    pass (at, '\'');
    const char *end = strchr (*at, '\'');
    type = json_pack ("{s:[s#]}", "enum", *at, (int)(end - *at));
    *at = end + 1;
    return type;
  }
  default: {
    g_autofree char *word = read_word (at);
    for (guint i = 0; i < G_N_ELEMENTS (words); i++)
      if (g_str_equal (words[i].name, word))
        return json_loads (words[i].schema, 0, NULL);
    if (g_ascii_isdigit (word[0]))
      return json_pack ("{s:I}", "const", (json_int_t)g_ascii_strtoll (word, NULL, 10));
    return reference_to (word);
  }
  }
}

/* Adds an alternative; words of one choice become one list of them. */
static void
add_alternative (json_t *list, json_t *type)
{
  json_t *last = json_array_get (list, json_array_size (list) - 1), *more = json_object_get (type, "enum");

  if (more != NULL && json_object_get (last, "enum") != NULL) {
    json_array_extend (json_object_get (last, "enum"), more);
    json_decref (type);
  } else
    json_array_append_new (list, type);
}

static json_t *
read_type (const char **at, json_t *defs)
{
  json_t *list = json_array (), *only;

  add_alternative (list, read_one (at, defs));
  while (**at == '|') {
    pass (at, '|');
    add_alternative (list, read_one (at, defs));
  }
  if (json_array_size (list) > 1)
    return json_pack ("{s:o}", "anyOf", list);
  only = json_incref (json_array_get (list, 0));
  json_decref (list);
  return only;
}

static json_t *
schema_of (const char *type, json_t *defs)
{
  json_t *schema = read_type (&type, defs);

  g_assert (*type == '\0');
  return schema;
}

static void
describe (json_t *schema, const char *unit, const char *means)
{
  g_autofree char *text = unit[0] != '\0' ? g_strdup_printf ("%s [%s]", means, unit) : g_strdup (means);

  if (text[0] != '\0')
    json_object_set_new (schema, "description", json_string (text));
}

json_t *
ssapp_schema_property (const char *type, const char *unit, const char *means, json_t *defs)
{
  json_t *schema = schema_of (type, defs);

  describe (schema, unit, means);
  return schema;
}

/* ---- records ----------------------------------------------------------------------------------------------------- */

static json_t *
words_schema (const char *(*word) (int value), int n)
{
  json_t *list = json_array ();

  for (int i = 0; i < n; i++)
    json_array_append_new (list, json_string (word (i)));
  return json_pack ("{s:o}", "enum", list);
}

static json_t *record_schema (const SsappRecord *record, json_t *defs);

static json_t *
list_of (json_t *items)
{
  return json_pack ("{s:s, s:o}", "type", "array", "items", items);
}

static json_t *
type_of_field (const SsappRecordField *field, json_t *defs)
{
  static const char *const types[] = {
      [SSAPP_FIELD_REAL] = "real",        [SSAPP_FIELD_REALS] = "[real]", [SSAPP_FIELD_INTEGER] = "integer",
      [SSAPP_FIELD_INDEX] = "count|null", [SSAPP_FIELD_FLAG] = "flag",    [SSAPP_FIELD_TEXT] = "text",
      [SSAPP_FIELD_NAME] = "name",        [SSAPP_FIELD_STRING] = "text",  [SSAPP_FIELD_LABEL] = "name",
      [SSAPP_FIELD_TEXTS] = "[text]",     [SSAPP_FIELD_SERIES] = "[real]"};
  json_t *type;

  switch (field->type) {
  case SSAPP_FIELD_WORD:
    return words_schema (field->word, field->n_words);
  case SSAPP_FIELD_WORDS:
    return list_of (words_schema (field->word, field->n_words));
  case SSAPP_FIELD_LIST:
  case SSAPP_FIELD_ITEMS:
    return list_of (record_schema (field->of, defs));
  case SSAPP_FIELD_RECORD:
    type = record_schema (field->of, defs);
    return field->is_left_out ? type : json_pack ("{s:[{s:s}, o]}", "anyOf", "type", "null", type);
  case SSAPP_FIELD_JSON:
    return schema_of (field->schema, defs);
  default:
    type = schema_of (types[field->type], defs);
  }
  if (field->type == SSAPP_FIELD_REALS) {
    const json_int_t n = (json_int_t)(field->size / sizeof (double));
    json_object_set_new (type, "minItems", json_integer (n));
    json_object_set_new (type, "maxItems", json_integer (n));
  }
  return type;
}

void
ssapp_schema_add_record (const SsappRecord *record, json_t *properties, json_t *needed, json_t *defs)
{
  for (guint i = 0; record != NULL && i < record->n_fields; i++) {
    const SsappRecordField *field = &record->fields[i];
    json_t *type = type_of_field (field, defs);
    describe (type, field->unit, field->means);
    json_object_set_new (properties, field->name, type);
    if (needed != NULL && !field->is_left_out)
      json_array_append_new (needed, json_string (field->name));
  }
}

static json_t *
record_schema (const SsappRecord *record, json_t *defs)
{
  json_t *properties = json_object (), *needed = json_array ();

  ssapp_schema_add_record (record, properties, needed, defs);
  return json_pack ("{s:s, s:o, s:o}", "type", "object", "properties", properties, "required", needed);
}

/* ---- documents --------------------------------------------------------------------------------------------------- */

void
ssapp_schema_add (const SsappSchemaField *field, json_t *properties, json_t *needed, json_t *defs)
{
  g_return_if_fail (field != NULL);
  json_object_set_new (properties, field->name, ssapp_schema_property (field->type, field->unit, field->means, defs));
  if (field->is_needed)
    json_array_append_new (needed, json_string (field->name));
}

static json_t *
object_schema (const SsappSchema *schema, const SsappSchemaPart *part, json_t *defs)
{
  json_t *properties = json_object (), *needed = json_array (), *object;

  ssapp_schema_add_record (part->record, properties, needed, defs);
  for (guint i = 0; i < part->n_fields; i++)
    ssapp_schema_add (&part->fields[i], properties, needed, defs);
  if (part->add != NULL)
    part->add (properties, needed);
  if (schema->everywhere != NULL && json_object_get (properties, schema->everywhere->name) == NULL)
    ssapp_schema_add (schema->everywhere, properties, needed, defs);
  object = json_pack ("{s:s, s:o, s:o}", "type", "object", "properties", properties, "required", needed);
  if (part->others != NULL)
    json_object_set_new (object, "additionalProperties", schema_of (part->others, defs));
  return object;
}

static json_t *
part_to_json (const SsappSchema *schema, const SsappSchemaPart *part, json_t *defs)
{
  json_t *object = part->word != NULL     ? words_schema (part->word, part->n_words)
                   : part->choice != NULL ? schema_of (part->choice, defs)
                                          : object_schema (schema, part, defs);

  describe (object, "", part->means);
  return object;
}

json_t *
ssapp_schema_to_json (const SsappSchema *schema)
{
  g_return_val_if_fail (schema != NULL && schema->n_parts > 0, NULL);
  json_t *defs = json_object (), *object = reference_to (schema->parts[0].name);

  json_object_set_new (object, "$schema", json_string ("https://json-schema.org/draft/2020-12/schema"));
  json_object_set_new (object, "title", json_string (schema->title));
  for (guint i = 0; i < schema->n_parts; i++)
    json_object_set_new (defs, schema->parts[i].name, part_to_json (schema, &schema->parts[i], defs));
  for (guint i = 0; i < schema->n_shared; i++)
    json_object_set_new (defs, schema->shared[i].name, part_to_json (schema, &schema->shared[i], defs));
  json_object_set_new (object, "$defs", defs);
  return object;
}
