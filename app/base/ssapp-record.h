/* app/base/ssapp-record.h: structs as JSON objects and back, by tables of their fields: a name, a type and where it is.
 *
 * Who writes a struct and who reads it walk the same table, and what a field means is said there, with its unit.
 * Threads: any. Tests: tests/unit/test-fields.c
 */
#pragma once

#include <glib.h>
#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

G_BEGIN_DECLS

/* What a member is, what it is in JSON, and what it is after reading an object that lacks it. */
typedef enum {
  SSAPP_FIELD_REAL,    /* double: a number, null where it is not finite; NaN */
  SSAPP_FIELD_REALS,   /* double[]: a list of such; NaN */
  SSAPP_FIELD_INTEGER, /* int, or an integer of 8 bytes: a number; 0 */
  SSAPP_FIELD_INDEX,   /* int >= 0: a number, -1: null; -1 */
  SSAPP_FIELD_FLAG,    /* bool; false */
  SSAPP_FIELD_TEXT,    /* char[]: a text, cut to what it holds; "" */
  SSAPP_FIELD_NAME,    /* the same, "" is null */
  SSAPP_FIELD_STRING,  /* const char *: a text; "". Owned by the struct after reading: ssapp_record_clear */
  SSAPP_FIELD_LABEL,   /* the same, NULL is null; NULL */
  SSAPP_FIELD_WORD,    /* an enumeration: one of its words; `fallback` */
  SSAPP_FIELD_WORDS,   /* unsigned: bits of an enumeration: a list of its words; 0 */
  /* Owned by the struct after reading, as STRING and LABEL: */
  SSAPP_FIELD_TEXTS,  /* GPtrArray * of char *: a list of texts, what is none is passed over; empty */
  SSAPP_FIELD_RECORD, /* pointer to a struct of the record `of`: its object, NULL is null; NULL */
  SSAPP_FIELD_LIST,   /* GArray * of structs of the record `of`: a list of their objects; empty */
  SSAPP_FIELD_JSON,   /* json_t *: as it is, NULL is null; NULL */
  SSAPP_FIELD_SERIES, /* double *, an int says how many: a list of numbers; none. Engine memory */
  SSAPP_FIELD_ITEMS   /* array of structs of the record `of`, an int says how many: a list; none. Engine memory */
} SsappFieldType;

typedef struct SsappRecord SsappRecord;

typedef struct {
  const char *name; /* in JSON */
  SsappFieldType type;
  gsize offset, size;       /* of the member */
  const char *unit, *means; /* "" without unit; for people */
  /* WORD, WORDS: the enumeration's words, 0 to n_words - 1, and what a word that is none of them is. */
  const char *(*word) (int value);
  int n_words, fallback;
  const SsappRecord *of; /* RECORD, LIST */
  const char *schema;    /* JSON: its type as in ssapp-schema.h */
  bool is_left_out;      /* no member where it is what reading finds without one */
  gsize at_n;            /* SERIES, ITEMS: where the int is that says how many */
} SsappRecordField;

struct SsappRecord {
  const SsappRecordField *fields;
  guint n_fields;
  gsize size; /* of the struct */
};

#define SSAPP_FIELD(Type, member, name, kind, unit, means)                                                             \
  {                                                                                                                    \
    name, SSAPP_FIELD_##kind, offsetof (Type, member), sizeof (((Type *)0)->member), unit, means, NULL, 0, 0, NULL,    \
        NULL, false                                                                                                    \
  }
/* The same, left out where it says nothing. */
#define SSAPP_FIELD_FREE(Type, member, Name, kind, Unit, Means)                                                        \
  {                                                                                                                    \
    .name = Name, .type = SSAPP_FIELD_##kind, .offset = offsetof (Type, member), .size = sizeof (((Type *)0)->member), \
    .unit = Unit, .means = Means, .is_left_out = true                                                                  \
  }
/* A struct, or a list of them. */
#define SSAPP_FIELD_MADE_OF(Type, member, Name, kind, record, is_free, Means)                                          \
  {                                                                                                                    \
    .name = Name, .type = SSAPP_FIELD_##kind, .offset = offsetof (Type, member), .size = sizeof (((Type *)0)->member), \
    .unit = "", .means = Means, .of = record, .is_left_out = is_free                                                   \
  }
#define SSAPP_FIELD_AS(Type, member, Name, Schema, is_free, Unit, Means)                                               \
  {                                                                                                                    \
    .name = Name, .type = SSAPP_FIELD_JSON, .offset = offsetof (Type, member), .size = sizeof (((Type *)0)->member),   \
    .unit = Unit, .means = Means, .schema = Schema, .is_left_out = is_free                                             \
  }
#define SSAPP_FIELD_OF(Type, member, name, kind, word, n_words, fallback, means)                                       \
  {                                                                                                                    \
    name, SSAPP_FIELD_##kind, offsetof (Type, member), sizeof (((Type *)0)->member), "", means, word, n_words,         \
        fallback, NULL, NULL, false, 0                                                                                 \
  }
/* An array and the member that says how many it has. */
#define SSAPP_FIELD_SERIES_OF(Type, member, n, Name, is_free, Unit, Means)                                             \
  {                                                                                                                    \
    .name = Name, .type = SSAPP_FIELD_SERIES, .offset = offsetof (Type, member), .size = sizeof (((Type *)0)->member), \
    .unit = Unit, .means = Means, .is_left_out = is_free, .at_n = offsetof (Type, n)                                   \
  }
#define SSAPP_FIELD_ITEMS_OF(Type, member, n, Name, record, is_free, Means)                                            \
  {                                                                                                                    \
    .name = Name, .type = SSAPP_FIELD_ITEMS, .offset = offsetof (Type, member), .size = sizeof (((Type *)0)->member),  \
    .unit = "", .means = Means, .of = record, .is_left_out = is_free, .at_n = offsetof (Type, n)                       \
  }
#define SSAPP_RECORD(Type, fields)                                                                                     \
  {                                                                                                                    \
    fields, G_N_ELEMENTS (fields), sizeof (Type)                                                                       \
  }

/* A new object; its members stand in the order of the table. */
json_t *ssapp_record_to_json (const SsappRecord *record, const void *data);
/* The same of a struct that was filled to be written: its members of type JSON are released. */
json_t *ssapp_record_give_to_json (const SsappRecord *record, void *data);
/* Adds the members to an object. */
void ssapp_record_add_to_json (const SsappRecord *record, const void *data, json_t *object);
/* A new list of n structs that lie one behind the other. */
json_t *ssapp_records_to_json (const SsappRecord *record, const void *data, int n);
/* Fills all members of the table; what is none of its type is as if it were absent. `object` may be NULL or none. */
void ssapp_record_from_json (const SsappRecord *record, const json_t *object, void *data);
/* A new array of the structs of a list; empty where it is none. Release with ssapp_records_free. */
GArray *ssapp_records_from_json (const SsappRecord *record, const json_t *list);
void ssapp_records_free (const SsappRecord *record, GArray *array); /* NULL is allowed */
/* The first field that the object lacks, or that is not of its type (a SERIES has numbers alone); NULL: there is none.
 * Types of JSON members are not looked at. `object` may be NULL or none. */
const SsappRecordField *ssapp_record_find_fault (const SsappRecord *record, const json_t *object);
/* Frees what reading made. */
void ssapp_record_clear (const SsappRecord *record, void *data);

G_END_DECLS
