/* engine/scene/ss-json.c: places of a JSON document with their lines, problems reported at places, and typed reading of
 * members.
 *
 * Jansson gives values without positions. Its objects keep the order of insertion, which is the order of the text, so a
 * table with one entry per value in the order of the text is enough to find any value's line while walking down: the
 * first child of node n is n + 1, the sibling of n is next[n]. One scan makes the table.
 */
#include "scene/ss-scenario-private.h"

#include <stdio.h>
#include <string.h>

/* ---- the table of lines ------------------------------------------------------------------------------------------ */

/* Jansson refuses deeper documents (JSON_PARSER_MAX_DEPTH). */
enum { DEPTH_MAX = 2048 };

typedef struct {
  SsJsonNode *nodes;
  int n_nodes, capacity;
} Table;

static bool
add_node (Table *table, int line)
{
  if (ss_array_reserve ((void **)&table->nodes, &table->capacity, table->n_nodes + 1, sizeof *table->nodes) != 0)
    return false;
  table->nodes[table->n_nodes] = (SsJsonNode){.line = line, .next = table->n_nodes + 1};
  table->n_nodes++;
  return true;
}

/* Index after the string that starts at text[i] == '"'. */
static size_t
skip_string (const char *text, size_t length, size_t i)
{
  for (i++; i < length && text[i] != '"'; i++)
    if (text[i] == '\\')
      i++;
  return i + 1;
}

/* True if the string that ended before text[i] is a key: a colon follows. */
static bool
is_key (const char *text, size_t length, size_t i)
{
  while (i < length && (text[i] == ' ' || text[i] == '\t' || text[i] == '\n' || text[i] == '\r'))
    i++;
  return i < length && text[i] == ':';
}

SsStatus
ss_json_scan (const char *text, size_t length, SsJsonNode **nodes, int *n_nodes)
{
  SS_ASSERT (nodes != NULL && n_nodes != NULL);

  Table table = {0};
  int *open = ss_new_array (int, DEPTH_MAX + 1); /* nodes of the arrays and objects we are in */
  int depth = 0, line = 1;
  size_t i = 0;

  if (open == NULL)
    goto fail;
  while (i < length) {
    char c = text[i];

    if (c == '\n')
      line++;
    if (c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == ',' || c == ':') {
      i++;
    } else if (c == '{' || c == '[') {
      if (depth > DEPTH_MAX || !add_node (&table, line))
        goto fail;
      open[depth++] = table.n_nodes - 1;
      i++;
    } else if (c == '}' || c == ']') {
      if (depth > 0)
        table.nodes[open[--depth]].next = table.n_nodes;
      i++;
    } else if (c == '"') {
      size_t end = skip_string (text, length, i);

      if (!is_key (text, length, end) && !add_node (&table, line))
        goto fail;
      i = end;
    } else { /* number, true, false, null */
      if (!add_node (&table, line))
        goto fail;
      while (i < length && memchr (" \t\n\r,:{}[]\"", text[i], 11) == NULL)
        i++;
    }
  }
  /* A last entry, so that the sibling of any node may be looked at. */
  if (!add_node (&table, line))
    goto fail;
  ss_free (open);
  *nodes = table.nodes;
  *n_nodes = table.n_nodes;
  return SS_OK;

fail:
  ss_free (open);
  ss_free (table.nodes);
  return SS_ERR_MEMORY;
}

/* ---- grammar ----------------------------------------------------------------------------------------------------- */

/* A place in a text that is checked against RFC 8259. */
typedef struct {
  const char *at, *end;
} Cursor;

static bool
take (Cursor *c, char wanted)
{
  if (c->at == c->end || *c->at != wanted)
    return false;
  c->at++;
  return true;
}

static bool
take_digits (Cursor *c)
{
  const char *first = c->at;

  while (c->at < c->end && *c->at >= '0' && *c->at <= '9')
    c->at++;
  return c->at > first;
}

/* Four hexadecimal digits; -1 without. */
static int
take_code_unit (Cursor *c)
{
  static const char digits[] = "0123456789abcdef0123456789ABCDEF";
  int unit = 0;

  for (int i = 0; i < 4; i++, c->at++) {
    const char *digit = c->at < c->end ? memchr (digits, *c->at, sizeof digits - 1) : NULL;
    if (digit == NULL)
      return -1;
    unit = 16 * unit + (int)((digit - digits) % 16);
  }
  return unit;
}

/* After the backslash. A surrogate needs its partner. */
static bool
take_escape (Cursor *c)
{
  if (c->at == c->end)
    return false;
  if (*c->at != 'u')
    return memchr ("\"\\/bfnrt", *c->at++, 8) != NULL;
  c->at++;
  const int unit = take_code_unit (c);
  if (unit < 0xd800 || unit > 0xdfff)
    return unit >= 0;
  if (unit > 0xdbff || !take (c, '\\') || !take (c, 'u'))
    return false;
  const int partner = take_code_unit (c);
  return partner >= 0xdc00 && partner <= 0xdfff;
}

static bool
take_string (Cursor *c)
{
  if (!take (c, '"'))
    return false;
  while (c->at < c->end && *c->at != '"') {
    const unsigned char byte = (unsigned char)*c->at++;
    if (byte < ' ' || (byte == '\\' && !take_escape (c)))
      return false;
  }
  return take (c, '"');
}

static bool
take_number (Cursor *c)
{
  (void)take (c, '-');
  if (!take (c, '0') && !take_digits (c))
    return false;
  if (take (c, '.') && !take_digits (c))
    return false;
  if (take (c, 'e') || take (c, 'E')) {
    if (!take (c, '+'))
      (void)take (c, '-');
    return take_digits (c);
  }
  return true;
}

static bool
take_word (Cursor *c, const char *word)
{
  const size_t n = strlen (word);

  if ((size_t)(c->end - c->at) < n || memcmp (c->at, word, n) != 0)
    return false;
  c->at += n;
  return true;
}

static void
skip_blanks (Cursor *c)
{
  while (c->at < c->end && memchr (" \t\n\r", *c->at, 4) != NULL)
    c->at++;
}

/* The name and the colon of a member, where the innermost open bracket is an object. */
static bool
take_name (Cursor *c)
{
  skip_blanks (c);
  if (!take_string (c))
    return false;
  skip_blanks (c);
  return take (c, ':');
}

/* A string, a word or a number: the first character says which. */
static bool
take_scalar (Cursor *c)
{
  if (c->at == c->end)
    return false;
  switch (*c->at) {
  case '"':
    return take_string (c);
  case 't':
    return take_word (c, "true");
  case 'f':
    return take_word (c, "false");
  case 'n':
    return take_word (c, "null");
  default:
    return take_number (c);
  }
}

bool
ss_json_is_well_formed (const char *text, size_t length)
{
  Cursor c = {text, text + length};
  char open[DEPTH_MAX]; /* brackets that wait for their partner */
  int depth = 0;

  for (;;) {
    /* a value, or an opening bracket and then a value */
    skip_blanks (&c);
    if (c.at < c.end && (*c.at == '{' || *c.at == '[')) {
      if (depth == DEPTH_MAX)
        return false;
      open[depth++] = *c.at++;
      skip_blanks (&c);
      if (!(c.at < c.end && *c.at == (open[depth - 1] == '{' ? '}' : ']'))) {
        if (open[depth - 1] == '{' && !take_name (&c))
          return false;
        continue;
      }
    } else if (!take_scalar (&c)) {
      return false;
    }
    /* closing brackets, then a comma or the end */
    for (skip_blanks (&c); depth > 0 && take (&c, open[depth - 1] == '{' ? '}' : ']'); skip_blanks (&c))
      depth--;
    if (depth == 0)
      return c.at == c.end;
    if (!take (&c, ',') || (open[depth - 1] == '{' && !take_name (&c)))
      return false;
  }
}

/* ---- walking ----------------------------------------------------------------------------------------------------- */

bool
ss_at_member (const SsReader *reader, const SsJsonAt *object, const char *key, SsJsonAt *child)
{
  SS_ASSERT (object != NULL);

  SsJsonAt at;

  if (!json_is_object (object->value))
    return false;
  ss_asked_add (reader->asked, object->value, key);
  if (json_object_get (object->value, key) == NULL)
    return false;
  for (bool more = ss_at_first (reader, object, &at); more; more = ss_at_next (reader, &at)) {
    if (strcmp (at.key, key) == 0) {
      *child = at;
      return true;
    }
  }
  return false;
}

bool
ss_at_first (const SsReader *reader, const SsJsonAt *parent, SsJsonAt *child)
{
  SS_ASSERT (parent != NULL && child != NULL);
  (void)reader;
  *child = (SsJsonAt){.parent = parent, .node = parent->node + 1};
  if (json_is_object (parent->value)) {
    child->iterator = json_object_iter (parent->value);
    if (child->iterator == NULL)
      return false;
    child->key = json_object_iter_key (child->iterator);
    child->value = json_object_iter_value (child->iterator);
  } else {
    child->value = json_array_get (parent->value, 0); /* NULL when empty or no array */
  }
  return child->value != NULL;
}

bool
ss_at_next (const SsReader *reader, SsJsonAt *child)
{
  SS_ASSERT (reader != NULL && reader->n_warnings <= reader->warning_capacity && child != NULL);

  json_t *parent = child->parent->value;

  child->node = reader->nodes[child->node].next;
  if (json_is_object (parent)) {
    child->iterator = json_object_iter_next (parent, child->iterator);
    if (child->iterator == NULL)
      return false;
    child->key = json_object_iter_key (child->iterator);
    child->value = json_object_iter_value (child->iterator);
  } else {
    child->value = json_array_get (parent, (size_t)++child->index);
  }
  return child->value != NULL;
}

/* ---- problems ---------------------------------------------------------------------------------------------------- */

int
ss_reader_line (const SsReader *reader, const SsJsonAt *at)
{
  return at != NULL && reader->nodes != NULL ? reader->nodes[at->node].line : 0;
}

/* Appends text to the buffer; control characters become '?', so that a message stays one line. */
static void
append (char *buffer, size_t size, const char *text)
{
  size_t n = strlen (buffer);

  for (; *text != '\0' && n + 1 < size; text++)
    buffer[n++] = (unsigned char)*text < ' ' ? '?' : *text;
  buffer[n] = '\0';
}

static void
append_place (const SsJsonAt *at, char *buffer, size_t size)
{
  char index[24];

  if (at == NULL || at->parent == NULL)
    return;
  append_place (at->parent, buffer, size);
  if (at->key != NULL) {
    if (buffer[0] != '\0')
      append (buffer, size, ".");
    append (buffer, size, at->key);
  } else {
    snprintf (index, sizeof index, "[%d]", at->index);
    append (buffer, size, index);
  }
}

void
ss_reader_path (const SsReader *reader, const SsJsonAt *at, char *buffer, size_t size)
{
  SS_ASSERT (reader != NULL && buffer != NULL);

  char binding[SS_NAME_MAX + 32];

  buffer[0] = '\0';
  append_place (at, buffer, size);
  for (int i = 0; i < reader->n_bindings; i++) {
    snprintf (binding, sizeof binding, "%s%s = %d%s", i == 0 ? " (" : ", ", reader->bindings[i].name,
              reader->bindings[i].value, i + 1 == reader->n_bindings ? ")" : "");
    append (buffer, size, binding);
  }
}

void
ss_reader_make_error (const SsReader *reader, const SsJsonAt *at, const char *expected, SsError *error,
                      const char *format, va_list args)
{
  SS_ASSERT (reader != NULL);

  char message[sizeof error->message];

  *error = (SsError){.status = SS_ERR_INVALID};
  vsnprintf (message, sizeof message, format, args);
  append (error->message, sizeof error->message, message);
  append (error->expected, sizeof error->expected, expected);
  append (error->file, sizeof error->file, reader->scenario->file);
  ss_reader_path (reader, at, error->path, sizeof error->path);
  error->line = ss_reader_line (reader, at);
}

static void
ss_reader_problem_v (SsReader *reader, const SsJsonAt *at, const char *expected, const char *format, va_list args)
{
  SsError error;

  reader->n_problems++;
  ss_reader_make_error (reader, at, expected, &error, format, args);
  ss_problems_add (reader->problems, &error);
}

void
ss_reader_problem (SsReader *reader, const SsJsonAt *at, const char *expected, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  ss_reader_problem_v (reader, at, expected, format, args);
  va_end (args);
}

/* ---- memory ------------------------------------------------------------------------------------------------------ */

void *
ss_reader_alloc (SsReader *reader, size_t count, size_t size)
{
  SS_ASSERT (reader != NULL);

  void *block = ss_arena_alloc (reader->arena, count > 0 ? count : 1, size);

  if (block == NULL)
    reader->out_of_memory = true;
  return block;
}

const char *
ss_reader_strdup (SsReader *reader, const char *text)
{
  SS_ASSERT (reader != NULL);

  const char *copy = ss_arena_strdup (reader->arena, text);

  if (copy == NULL)
    reader->out_of_memory = true;
  return copy != NULL ? copy : "";
}

void *
ss_reader_keep (SsReader *reader, void *items, int n_items, size_t size)
{
  void *kept = ss_reader_alloc (reader, (size_t)n_items, size);

  if (kept != NULL && n_items > 0)
    memcpy (kept, items, (size_t)n_items * size);
  ss_free (items);
  return kept;
}

bool
ss_reader_reserve (SsReader *reader, void **items, int *capacity, int needed, size_t size)
{
  if (ss_array_reserve (items, capacity, needed, size) == 0)
    return true;
  reader->out_of_memory = true;
  return false;
}

/* ---- typed members ----------------------------------------------------------------------------------------------- */

static const char *
type_name (const json_t *value)
{
  switch (json_typeof (value)) {
  case JSON_OBJECT:
    return "an object";
  case JSON_ARRAY:
    return "an array";
  case JSON_STRING:
    return "a text";
  case JSON_INTEGER:
  case JSON_REAL:
    return "a number";
  case JSON_TRUE:
  case JSON_FALSE:
    return "true or false";
  default:
    return "null";
  }
}

/* A member of the object that nearly has the name `key`, or NULL. */
static const char *
find_misspelt (const SsReader *reader, const SsJsonAt *object, const char *key)
{
  enum { LOOKED_AT = 64 }; /* our objects have few members */
  const char *names[LOOKED_AT];
  int n = 0;
  SsJsonAt at;

  for (bool more = ss_at_first (reader, object, &at); more && n < LOOKED_AT; more = ss_at_next (reader, &at))
    names[n++] = at.key;
  return n > 0 ? ss_nearest_name (key, names, n) : NULL;
}

bool
ss_read_member (SsReader *reader, const SsJsonAt *object, const char *key, const char *expected, SsJsonAt *child)
{
  const char *near;

  if (ss_at_member (reader, object, key, child))
    return true;
  near = find_misspelt (reader, object, key);
  if (near != NULL)
    ss_reader_problem (reader, object, expected, "the field '%s' is missing; is '%s' meant for it?", key, near);
  else
    ss_reader_problem (reader, object, expected, "the field '%s' is missing", key);
  return false;
}

bool
ss_read_is_object (SsReader *reader, const SsJsonAt *at)
{
  SS_ASSERT (at != NULL);
  if (json_is_object (at->value))
    return true;
  ss_reader_problem (reader, at, "an object { ... }", "this is %s", type_name (at->value));
  return false;
}

bool
ss_read_is_array (SsReader *reader, const SsJsonAt *at)
{
  SS_ASSERT (at != NULL);
  if (json_is_array (at->value))
    return true;
  ss_reader_problem (reader, at, "an array [ ... ]", "this is %s", type_name (at->value));
  return false;
}

const char *
ss_read_text (SsReader *reader, const SsJsonAt *object, const char *key, const char *fallback)
{
  SsJsonAt at;

  if (!ss_at_member (reader, object, key, &at))
    return fallback;
  if (!json_is_string (at.value)) {
    ss_reader_problem (reader, &at, "a text in quotes", "this is %s", type_name (at.value));
    return fallback;
  }
  return ss_reader_strdup (reader, json_string_value (at.value));
}

bool
ss_read_boolean (SsReader *reader, const SsJsonAt *object, const char *key, bool fallback)
{
  SsJsonAt at;

  if (!ss_at_member (reader, object, key, &at))
    return fallback;
  if (!json_is_boolean (at.value)) {
    ss_reader_problem (reader, &at, "true or false", "this is %s", type_name (at.value));
    return fallback;
  }
  return json_is_true (at.value);
}

int
ss_read_choice (SsReader *reader, const SsJsonAt *at, const char *const *names, int n_names, const char *what)
{
  SS_ASSERT (at != NULL);

  char expected[sizeof ((SsError *)NULL)->expected] = "one of";
  const char *text, *near;

  for (int i = 0; i < n_names; i++) {
    append (expected, sizeof expected, i == 0 ? " " : ", ");
    append (expected, sizeof expected, names[i]);
  }
  if (!json_is_string (at->value)) {
    ss_reader_problem (reader, at, expected, "this is %s", type_name (at->value));
    return -1;
  }
  text = json_string_value (at->value);
  for (int i = 0; i < n_names; i++)
    if (strcmp (text, names[i]) == 0)
      return i;
  /* Once the list of problems is full nobody reads the answer. */
  near = reader->n_problems < SS_PROBLEMS_MAX ? ss_nearest_name (text, names, n_names) : NULL;
  if (near != NULL)
    ss_reader_problem (reader, at, expected, "unknown %s '%.64s'; did you mean '%s'?", what, text, near);
  else
    ss_reader_problem (reader, at, expected, "unknown %s '%.64s'", what, text);
  return -1;
}
