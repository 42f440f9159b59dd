/* tests/unit/test-fields.c: structs as JSON objects by tables of their fields. Truth: the JSON written by hand. */
#include "app/base/ssapp-json.h"
#include "app/base/ssapp-record.h"

#include "ss-test.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

typedef enum { RED, GREEN, BLUE, COLOURS } Colour;

typedef struct {
  double size, place[3];
  int count, parent;
  bool is_on;
  char text[8], name[8];
  const char *words;
  Colour colour;
  unsigned marks;
} Thing;

static const char *
colour_word (int colour)
{
  static const char *const words[] = {"red", "green", "blue"};
  return words[colour];
}

static const SsappRecordField fields[] = {
    SSAPP_FIELD (Thing, size, "size", REAL, "m", "its size"),
    SSAPP_FIELD (Thing, place, "place", REALS, "m", "where it is"),
    SSAPP_FIELD (Thing, count, "count", INTEGER, "", "how many"),
    SSAPP_FIELD (Thing, parent, "parent", INDEX, "", "what it is of"),
    SSAPP_FIELD (Thing, is_on, "on", FLAG, "", "whether it is on"),
    SSAPP_FIELD (Thing, text, "text", TEXT, "", "about it"),
    SSAPP_FIELD (Thing, name, "name", NAME, "", "its name"),
    SSAPP_FIELD (Thing, words, "words", STRING, "", "more about it"),
    SSAPP_FIELD_OF (Thing, colour, "colour", WORD, colour_word, COLOURS, BLUE, "its colour"),
    SSAPP_FIELD_OF (Thing, marks, "marks", WORDS, colour_word, COLOURS, 0, "its marks")};
static const SsappRecord record = SSAPP_RECORD (Thing, fields);

static void
check_text (json_t *json, const char *expected)
{
  g_autofree char *text = ssapp_json_text (json, FALSE);

  SS_CHECK_STR (text, expected);
  json_decref (json);
}

static void
test_writing (void)
{
  const Thing things[] = {{1.5, {0, NAN, -2}, 3, -1, true, "a", "", "b", GREEN, 1u << RED | 1u << BLUE},
                          {INFINITY, {0}, 0, 2, false, "\xff", "n", NULL, RED, 0}};

  check_text (ssapp_records_to_json (&record, things, 2),
              "[{\"size\":1.5,\"place\":[0.0,null,-2.0],\"count\":3,\"parent\":null,\"on\":true,\"text\":\"a\","
              "\"name\":null,\"words\":\"b\",\"colour\":\"green\",\"marks\":[\"red\",\"blue\"]},"
              "{\"size\":null,\"place\":[0.0,0.0,0.0],\"count\":0,\"parent\":2,\"on\":false,\"text\":\"\xef\xbf\xbd\","
              "\"name\":\"n\",\"words\":\"\",\"colour\":\"red\",\"marks\":[]}]");
}

/* What was written is read; what is missing or of another type is as the header says. */
static void
test_reading (void)
{
  const Thing thing = {0.1, {1, NAN, 3}, -7, 4, true, "seven b", "n", "words", RED, 1u << GREEN};
  json_t *written = ssapp_record_to_json (&record, &thing), *other;
  Thing back;

  ssapp_record_from_json (&record, written, &back);
  SS_CHECK (back.size == 0.1 && back.place[0] == 1 && isnan (back.place[1]) && back.place[2] == 3);
  SS_CHECK (back.count == -7 && back.parent == 4 && back.is_on && back.colour == RED && back.marks == 1u << GREEN);
  SS_CHECK (strcmp (back.text, "seven b") == 0 && strcmp (back.name, "n") == 0 && strcmp (back.words, "words") == 0);
  ssapp_record_clear (&record, &back);
  SS_CHECK (back.words == NULL);
  json_decref (written);
  for (int i = 0; i < 3; i++) {
    other =
        i == 0
            ? NULL
            : json_loads (i == 1 ? "[1]"
                                 : "{\"size\": \"big\", \"place\": 1, \"count\": 1e300, \"parent\": \"x\", \"on\": 1, "
                                   "\"text\": 2, \"words\": [], \"colour\": \"pink\", \"marks\": [\"pink\", 3]}",
                          0, NULL);
    ssapp_record_from_json (&record, other, &back);
    SS_CHECK (isnan (back.size) && isnan (back.place[0]) && isnan (back.place[2]) && back.count == 0);
    SS_CHECK (back.parent == -1 && !back.is_on && back.text[0] == '\0' && back.name[0] == '\0');
    SS_CHECK (back.words[0] == '\0' && back.colour == BLUE && back.marks == 0);
    ssapp_record_clear (&record, &back);
    json_decref (other);
  }
  /* Cut where a character ends; an integer is cut to an int. */
  other = json_loads ("{\"text\": \"123456\xc3\xa4\", \"name\": \"12345678\", \"count\": 4000000000, \"parent\": -5}",
                      0, NULL);
  ssapp_record_from_json (&record, other, &back);
  SS_CHECK_STR (back.text, "123456");
  SS_CHECK_STR (back.name, "1234567");
  SS_CHECK (back.count == G_MAXINT && back.parent == -1);
  ssapp_record_clear (&record, &back);
  json_decref (other);
}

typedef struct {
  int n;
  const char *label;
  double worth;
  GPtrArray *tags;
  Thing *one;
  GArray *many;
  json_t *any;
  bool is_set;
} Box;

static const SsappRecordField box_fields[] = {
    SSAPP_FIELD_FREE (Box, n, "n", INTEGER, "", "how many"),
    SSAPP_FIELD (Box, label, "label", LABEL, "", "its label"),
    SSAPP_FIELD_FREE (Box, worth, "worth", REAL, "", "what it is worth"),
    SSAPP_FIELD (Box, tags, "tags", TEXTS, "", "its tags"),
    SSAPP_FIELD_MADE_OF (Box, one, "one", RECORD, &record, true, "the thing in it"),
    SSAPP_FIELD_MADE_OF (Box, many, "many", LIST, &record, false, "things in it"),
    SSAPP_FIELD_AS (Box, any, "any", "any", false, "", "what else"),
    SSAPP_FIELD_FREE (Box, is_set, "set", FLAG, "", "whether it is set")};
static const SsappRecord box_record = SSAPP_RECORD (Box, box_fields);

/* Structs in structs; what says nothing is left out where the table says so, and is the same after reading. */
static void
test_nested (void)
{
  Thing thing = {.parent = -1, .words = "w"};
  g_autoptr (GArray) many = g_array_new (FALSE, TRUE, sizeof (Thing));
  g_autoptr (GPtrArray) tags = g_ptr_array_new ();
  json_t *any = json_pack ("[i]", 7), *written;
  const Box empty = {.worth = NAN}, full = {3, "l", 0, tags, &thing, many, any, true};
  Box back;

  g_ptr_array_add (tags, (char *)"a");
  g_array_append_val (many, thing);
  g_array_append_val (many, thing);
  check_text (ssapp_record_to_json (&box_record, &empty), "{\"label\":null,\"tags\":[],\"many\":[],\"any\":null}");
  written = ssapp_record_to_json (&box_record, &full);
  ssapp_record_from_json (&box_record, written, &back);
  SS_CHECK (back.n == 3 && strcmp (back.label, "l") == 0 && back.worth == 0 && back.tags->len == 1 && back.is_set);
  SS_CHECK (back.one != NULL && strcmp (back.one->words, "w") == 0 && back.one->parent == -1 && back.many->len == 2);
  SS_CHECK (strcmp (g_array_index (back.many, Thing, 1).words, "w") == 0 && json_array_size (back.any) == 1);
  json_t *again = ssapp_record_to_json (&box_record, &back);
  SS_CHECK (json_equal (again, written));
  ssapp_record_clear (&box_record, &back);
  SS_CHECK (back.label == NULL && back.tags == NULL && back.one == NULL && back.many == NULL && back.any == NULL);
  json_decref (again);
  json_decref (written);
  json_decref (any);
  ssapp_record_from_json (&box_record, NULL, &back);
  SS_CHECK (back.n == 0 && back.label == NULL && isnan (back.worth) && back.tags->len == 0 && back.one == NULL);
  SS_CHECK (back.many->len == 0 && back.any == NULL && !back.is_set);
  ssapp_record_clear (&box_record, &back);
}

/* Arrays with their number beside them, and integers of 8 bytes. */
typedef struct {
  int n_values, n_things;
  double *values;
  Thing *things;
  guint64 seed;
  json_t *any;
} Row;

static const SsappRecordField row_fields[] = {
    SSAPP_FIELD_SERIES_OF (Row, values, n_values, "values", false, "m", "its values"),
    SSAPP_FIELD_ITEMS_OF (Row, things, n_things, "things", &record, true, "its things"),
    SSAPP_FIELD (Row, seed, "seed", INTEGER, "", "its seed"),
    SSAPP_FIELD_AS (Row, any, "any", "any", true, "", "what else")};
static const SsappRecord row_record = SSAPP_RECORD (Row, row_fields);

static void
test_arrays (void)
{
  double values[] = {1, NAN, 3};
  Thing things[] = {{.words = "a"}, {.words = "b", .count = 2}};
  Row row = {3, 2, values, things, 5000000000, json_integer (1)}, back;
  const Row empty = {.seed = 0};

  check_text (ssapp_record_to_json (&row_record, &empty), "{\"values\":[],\"seed\":0}");
  json_t *written = ssapp_record_give_to_json (&row_record, &row);
  SS_CHECK (row.any == NULL && json_object_get (written, "any")->refcount == 1);
  ssapp_record_from_json (&row_record, written, &back);
  SS_CHECK (back.n_values == 3 && back.values[0] == 1 && isnan (back.values[1]) && back.values[2] == 3);
  SS_CHECK (back.n_things == 2 && strcmp (back.things[1].words, "b") == 0 && back.things[1].count == 2);
  SS_CHECK (back.seed == 5000000000);
  json_t *again = ssapp_record_to_json (&row_record, &back);
  SS_CHECK (json_equal (again, written));
  json_decref (again);
  ssapp_record_clear (&row_record, &back);
  SS_CHECK (back.values == NULL && back.n_values == 0 && back.things == NULL && back.n_things == 0);
  ssapp_record_from_json (&row_record, NULL, &back);
  SS_CHECK (back.values == NULL && back.n_values == 0 && back.things == NULL && back.n_things == 0 && back.seed == 0);
  ssapp_record_clear (&row_record, &back);
  json_decref (written);
}

/* The first member that is not as its table says. */
static void
test_faults (void)
{
  static const struct {
    const char *text, *fault; /* NULL: none */
  } cases[] = {{"{\"values\": [1, 2.5], \"seed\": 1}", NULL},
               {"{\"values\": [], \"seed\": 5000000000, \"things\": []}", NULL},
               {"{\"seed\": 1}", "values"},
               {"[]", "values"},
               {"{\"values\": 1, \"seed\": 1}", "values"},
               {"{\"values\": [1, null], \"seed\": 1}", "values"},
               {"{\"values\": [], \"seed\": 1.5}", "seed"},
               {"{\"values\": [], \"things\": [1], \"seed\": 1}", "things"},
               {"{\"values\": [], \"things\": [{\"size\": 1}], \"seed\": 1}", "things"}};

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    json_t *object = json_loads (cases[i].text, 0, NULL);
    const SsappRecordField *fault = ssapp_record_find_fault (&row_record, object);
    SS_CHECK (g_strcmp0 (fault != NULL ? fault->name : NULL, cases[i].fault) == 0);
    json_decref (object);
  }
  /* What was written has none. */
  const Thing thing = {0.1, {1, NAN, 3}, -7, -1, true, "t", "", "words", RED, 1u << GREEN};
  json_t *written = ssapp_record_to_json (&record, &thing);
  SS_CHECK (ssapp_record_find_fault (&record, written) == NULL);
  json_object_set_new (written, "on", json_integer (1));
  SS_CHECK (strcmp (ssapp_record_find_fault (&record, written)->name, "on") == 0);
  json_decref (written);
}

int
main (void)
{
  SS_RUN (test_nested);
  SS_RUN (test_writing);
  SS_RUN (test_reading);
  SS_RUN (test_arrays);
  SS_RUN (test_faults);
  return ss_test_finish ();
}
