/* engine/scene/ss-expand.c: texts in which counters of families stand in braces, with their values. The families
 * themselves: ss-formula.c. */
#include "scene/ss-scenario-private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Value of "{i}", "{i+1}", "{i - 1}" between the braces; reports what is wrong. */
static bool
read_binding (SsReader *reader, const SsJsonAt *at, const char *inside, size_t length, int *value)
{
  char copy[SS_NAME_MAX + 1], *end;
  size_t n = 0;
  long offset = 0;

  if (length > 0 && length <= SS_NAME_MAX) {
    for (size_t i = 0; i < length; i++)
      if (inside[i] != ' ')
        copy[n++] = inside[i];
    copy[n] = '\0';
    n = strcspn (copy, "+-");
    if (copy[n] != '\0') {
      offset = strtol (copy + n, &end, 10);
      if (*end != '\0' || end == copy + n || offset > SS_MODEL_ROWS_MAX || offset < -SS_MODEL_ROWS_MAX)
        n = 0; /* no name: falls through to the report */
    }
    for (int b = reader->n_bindings - 1; b >= 0 && n > 0; b--) {
      if (strlen (reader->bindings[b].name) == n && strncmp (reader->bindings[b].name, copy, n) == 0) {
        *value = reader->bindings[b].value + (int)offset;
        return true;
      }
    }
  }
  ss_reader_problem (reader, at, "the name after \"for\", perhaps plus or minus a whole number",
                     "'{%.*s}' has no value here", (int)(length < SS_NAME_MAX ? length : SS_NAME_MAX), inside);
  return false;
}

bool
ss_reader_exceeds (SsReader *reader, const SsJsonAt *at, bool is_too_large, const char *expected)
{
  if (is_too_large && !reader->is_too_large)
    ss_reader_problem (reader, at, expected, "the families write too much");
  reader->is_too_large = reader->is_too_large || is_too_large;
  return reader->is_too_large;
}

const char *
ss_reader_expand (SsReader *reader, const SsJsonAt *at)
{
  SS_ASSERT (reader != NULL && at != NULL);
  enum { DIGITS_MAX = 12 }; /* of an int, with sign */
  const char *text = json_string_value (at->value), *open;
  size_t n_braces = 0, used = 0, size;
  char *out;

  for (const char *c = text; *c != '\0'; c++)
    n_braces += *c == '{';
  size = strlen (text) + n_braces * DIGITS_MAX + 1;
  if (reader->n_bindings > 0) {
    reader->n_expanded += size;
    if (ss_reader_exceeds (reader, at, reader->n_expanded > SS_EXPANDED_MAX, "at most 16 MiB of formulas"))
      return NULL;
  }
  if (n_braces == 0)
    return text;
  out = ss_reader_alloc (reader, size, 1);
  if (out == NULL)
    return NULL;
  while ((open = strchr (text, '{')) != NULL) {
    const char *close = strchr (open, '}');
    int value;

    memcpy (out + used, text, (size_t)(open - text));
    used += (size_t)(open - text);
    if (close == NULL) {
      ss_reader_problem (reader, at, "'}' after '{'", "a brace is not closed");
      return NULL;
    }
    if (!read_binding (reader, at, open + 1, (size_t)(close - open) - 1, &value))
      return NULL;
    used += (size_t)snprintf (out + used, size - used, "%d", value);
    text = close + 1;
  }
  memcpy (out + used, text, strlen (text) + 1);
  return out;
}
