/* app/base/ssapp-record.h: structs as JSON objects and back, by tables of their fields: a name, a type and where it is.
 *
 * Who writes a struct and who reads it walk the same table, and what a field means is said there, with its unit.
 * Threads: any. Tests: tests/unit/test-fields.c
 */
#pragma once

#include <glib.h>
#include <jansson.h>
#include <stddef.h>

G_BEGIN_DECLS

/* What a member is, what it is in JSON, and what it is after reading an object that lacks it. */
typedef enum {
  SSAPP_FIELD_REAL,    /* double: a number, null where it is not finite; NaN */
  SSAPP_FIELD_REALS,   /* double[]: a list of such; NaN */
  SSAPP_FIELD_INTEGER, /* int: a number; 0 */
  SSAPP_FIELD_INDEX,   /* int >= 0: a number, -1: null; -1 */
  SSAPP_FIELD_FLAG,    /* bool; false */
  SSAPP_FIELD_TEXT,    /* char[]: a text, cut to what it holds; "" */
  SSAPP_FIELD_NAME,    /* the same, "" is null */
  SSAPP_FIELD_STRING,  /* const char *: a text; "". Owned by the struct after reading: ssapp_record_clear */
  SSAPP_FIELD_WORD,    /* an enumeration: one of its words; `fallback` */
  SSAPP_FIELD_WORDS    /* unsigned: bits of an enumeration: a list of its words; 0 */
} SsappFieldType;

typedef struct {
  const char *name; /* in JSON */
  SsappFieldType type;
  gsize offset, size;       /* of the member */
  const char *unit, *means; /* "" without unit; for people */
  /* WORD, WORDS: the enumeration's words, 0 to n_words - 1, and what a word that is none of them is. */
  const char *(*word) (int value);
  int n_words, fallback;
} SsappRecordField;

typedef struct {
  const SsappRecordField *fields;
  guint n_fields;
  gsize size; /* of the struct */
} SsappRecord;

#define SSAPP_FIELD(Type, member, name, kind, unit, means)                                                             \
  {                                                                                                                    \
    name, SSAPP_FIELD_##kind, offsetof (Type, member), sizeof (((Type *)0)->member), unit, means, NULL, 0, 0           \
  }
#define SSAPP_FIELD_OF(Type, member, name, kind, word, n_words, fallback, means)                                       \
  {                                                                                                                    \
    name, SSAPP_FIELD_##kind, offsetof (Type, member), sizeof (((Type *)0)->member), "", means, word, n_words,         \
        fallback                                                                                                       \
  }
#define SSAPP_RECORD(Type, fields)                                                                                     \
  {                                                                                                                    \
    fields, G_N_ELEMENTS (fields), sizeof (Type)                                                                       \
  }

/* A new object; its members stand in the order of the table. */
json_t *ssapp_record_to_json (const SsappRecord *record, const void *data);
/* Adds the members to an object. */
void ssapp_record_add_to_json (const SsappRecord *record, const void *data, json_t *object);
/* A new list of n structs that lie one behind the other. */
json_t *ssapp_records_to_json (const SsappRecord *record, const void *data, int n);
/* Fills all members of the table; what is none of its type is as if it were absent. `object` may be NULL or none. */
void ssapp_record_from_json (const SsappRecord *record, const json_t *object, void *data);
/* Frees what reading made. */
void ssapp_record_clear (const SsappRecord *record, void *data);

G_END_DECLS
