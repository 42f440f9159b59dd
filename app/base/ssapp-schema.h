/* app/base/ssapp-schema.h: tables of a document's fields as a JSON Schema (draft 2020-12).
 *
 * A document is a list of parts; the first one is its root. A part is an object with the fields of its table, of a
 * record (ssapp-record.h), or both; or one of the words of an enumeration; or one of several parts. Types are text:
 *
 *   text number integer count flag any base64   as they are; count: an integer >= 0
 *   formula      a number, or a formula in text
 *   real, name   a number, a text; or null
 *   'word', 1    this text, this integer
 *   PART         another part of the document by its name
 *   [T]  [T 2]   a list of T; of exactly two
 *   <T>          a list of T in which families may stand: {"for", "from", "to", "rows"}
 *   {T}          an object that has a T by every name
 *   T|T          one of them
 *
 * Threads: any. Tests: tests/cli/test-schema.py
 */
#pragma once

#include "app/base/ssapp-record.h"

G_BEGIN_DECLS

typedef struct {
  const char *name, *type;
  const char *unit, *means; /* "" without unit; for people */
  gboolean is_needed;
} SsappSchemaField;

typedef struct {
  const char *name, *means;
  const SsappRecord *record;      /* NULL: none */
  const SsappSchemaField *fields; /* NULL: none */
  guint n_fields;
  /* Further properties, of other tables, and the names of those that must be there; NULL: none. */
  void (*add) (json_t *properties, json_t *needed);
  const char *others; /* type of all that is not named; NULL: anything */
  /* Of an enumeration: its words, 0 to n_words - 1; NULL: it is an object. */
  const char *(*word) (int value);
  int n_words;
  const char *choice; /* T|T: it is one of these; NULL: it is an object */
} SsappSchemaPart;

typedef struct {
  const char *name, *title;
  const SsappSchemaPart *parts;
  guint n_parts;
  const SsappSchemaPart *shared; /* parts that other documents have, too; NULL: none */
  guint n_shared;
  const SsappSchemaField *everywhere; /* a field that every object may have; NULL: none */
} SsappSchema;

#define SSAPP_PART(Name, Fields, Means)                                                                                \
  {                                                                                                                    \
    .name = Name, .means = Means, .fields = Fields, .n_fields = G_N_ELEMENTS (Fields)                                  \
  }
#define SSAPP_PART_OF_RECORD(Name, Record, Means)                                                                      \
  {                                                                                                                    \
    .name = Name, .means = Means, .record = Record                                                                     \
  }
#define SSAPP_PART_AND_RECORD(Name, Record, Fields, Means)                                                             \
  {                                                                                                                    \
    .name = Name, .means = Means, .record = Record, .fields = Fields, .n_fields = G_N_ELEMENTS (Fields)                \
  }
#define SSAPP_PART_OF_WORDS(Name, Word, N, Means)                                                                      \
  {                                                                                                                    \
    .name = Name, .means = Means, .word = Word, .n_words = N                                                           \
  }

/* Adds a field's property, and its name to `needed` where it must be there; see ssapp_schema_property. */
void ssapp_schema_add (const SsappSchemaField *field, json_t *properties, json_t *needed, json_t *defs);
/* Adds the properties of a record's fields (NULL: none); `needed` NULL: none of them must be there. */
void ssapp_schema_add_record (const SsappRecord *record, json_t *properties, json_t *needed, json_t *defs);
/* A new property of that type with unit and meaning as its description; further parts that it needs (lists with
 * families) go into `defs`. */
json_t *ssapp_schema_property (const char *type, const char *unit, const char *means, json_t *defs);
/* The schema of the whole document. New reference. */
json_t *ssapp_schema_to_json (const SsappSchema *schema);

G_END_DECLS
