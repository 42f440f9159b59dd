/* engine/scene/ss-names.c: names of a scenario: which are allowed, which are taken, which is nearest to a misspelt one.
 * One namespace for everything a formula can name, so that a formula reads the same everywhere. */
#include "scene/ss-scenario-private.h"

#include <stdio.h>
#include <string.h>

/* FNV-1a, 32 bits. */
static uint32_t
hash_name (const char *name, size_t length)
{
  uint32_t hash = 2166136261u;

  for (size_t i = 0; i < length; i++)
    hash = (hash ^ (unsigned char)name[i]) * 16777619u;
  return hash;
}

/* Bucket that holds the name, or the free one where it would go. */
static int
find_bucket (const SsNames *names, const char *name, size_t length)
{
  uint32_t mask = (uint32_t)names->n_buckets - 1, at = hash_name (name, length) & mask;

  for (; names->buckets[at] != 0; at = (at + 1) & mask) {
    const char *other = names->symbols[names->buckets[at] - 1].name;

    if (strncmp (other, name, length) == 0 && other[length] == '\0')
      break;
  }
  return (int)at;
}

void
ss_names_clear (SsNames *names)
{
  SS_ASSERT (names != NULL);
  ss_free (names->symbols);
  ss_free (names->buckets);
  *names = (SsNames){0};
}

const SsSymbol *
ss_names_find (const SsNames *names, const char *name, size_t length)
{
  SS_ASSERT (names != NULL);

  int bucket;

  if (names->n_buckets == 0)
    return NULL;
  bucket = find_bucket (names, name, length);
  return names->buckets[bucket] != 0 ? &names->symbols[names->buckets[bucket] - 1] : NULL;
}

/* Keeps the table at most half full. */
static bool
grow_buckets (SsNames *names)
{
  enum { FIRST_BUCKETS = 64 };
  int n_old = names->n_buckets, *old = names->buckets;

  if (2 * (names->n_symbols + 1) <= n_old)
    return true;
  names->n_buckets = n_old == 0 ? FIRST_BUCKETS : 2 * n_old;
  names->buckets = ss_new_array (int, names->n_buckets);
  if (names->buckets == NULL) {
    names->n_buckets = n_old;
    names->buckets = old;
    return false;
  }
  for (int i = 0; i < names->n_symbols; i++)
    names->buckets[find_bucket (names, names->symbols[i].name, strlen (names->symbols[i].name))] = i + 1;
  ss_free (old);
  return true;
}

bool
ss_names_add (SsNames *names, const char *name, SsSymbolKind kind, int index, int line)
{
  SS_ASSERT (names != NULL);
  if (!grow_buckets (names) || ss_array_reserve ((void **)&names->symbols, &names->symbol_capacity,
                                                 names->n_symbols + 1, sizeof *names->symbols) != 0)
    return false;
  names->symbols[names->n_symbols] = (SsSymbol){.name = name, .kind = kind, .index = index, .line = line};
  names->buckets[find_bucket (names, name, strlen (name))] = ++names->n_symbols;
  return true;
}

const char *
ss_names_nearest (const SsNames *names, const char *wrong)
{
  SS_ASSERT (names != NULL);

  const char *near, **list;

  if (names->n_symbols == 0)
    return NULL;
  list = ss_new_array (const char *, names->n_symbols);
  if (list == NULL)
    return NULL;
  for (int i = 0; i < names->n_symbols; i++)
    list[i] = names->symbols[i].name;
  near = ss_nearest_name (wrong, list, names->n_symbols);
  ss_free (list);
  return near;
}

static const char *
kind_name (SsSymbolKind kind)
{
  static const char *const names[] = {"a parameter",        "a variable", "a definition",
                                      "an auxiliary value", "a table",    "a channel"};

  return names[kind];
}

/* Names that formulas give a meaning of their own. */
static bool
is_reserved (const char *name)
{
  static const char *const words[] = {"pi",          "t", "next", "sum", "and", "or", "not", "if",
#define X(op, text, arity, smooth) text,
                                      SS_OP_LIST (X)
#undef X
  };

  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strcmp (name, words[i]) == 0)
      return true;
  return false;
}

static bool
is_letter (char c)
{
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool
ss_read_is_name (SsReader *reader, const SsJsonAt *at, const char *name, bool dash, const char *what)
{
  size_t length = strlen (name);
  bool good = length > 0 && length <= SS_NAME_MAX && is_letter (name[0]);

  for (size_t i = 0; i < length && good; i++)
    good = is_letter (name[i]) || (name[i] >= '0' && name[i] <= '9') || (dash && name[i] == '-');
  if (good)
    return true;
  ss_reader_problem (reader, at,
                     dash ? "at most 64 letters, digits, '_' or '-', a letter first"
                          : "at most 64 letters, digits or '_', a letter first",
                     "'%.64s' cannot be the name of %s", name, what);
  return false;
}

bool
ss_reader_add_name (SsReader *reader, const SsJsonAt *at, const char *name, SsSymbolKind kind, int index)
{
  SS_ASSERT (reader != NULL);

  SsNames *names = &reader->names;
  const SsSymbol *other;

  /* Channels of a scene are made by us; their dots and dashes are no letters of a name. */
  if (kind != SS_SYMBOL_CHANNEL) {
    if (!ss_read_is_name (reader, at, name, false, kind_name (kind)))
      return false;
    if (is_reserved (name)) {
      ss_reader_problem (reader, at, "another name", "'%s' has a meaning of its own in formulas", name);
      return false;
    }
  }
  other = ss_names_find (names, name, strlen (name));
  if (other != NULL) {
    if (kind != SS_SYMBOL_CHANNEL)
      ss_reader_problem (reader, at, "a name that is not taken", "'%s' is already %s (line %d)", name,
                         kind_name (other->kind), other->line);
    return false;
  }
  if (!ss_names_add (names, name, kind, index, ss_reader_line (reader, at))) {
    reader->out_of_memory = true;
    return false;
  }
  return true;
}

const char *
ss_reader_nearest (const SsReader *reader, const char *wrong, unsigned kinds)
{
  SS_ASSERT (reader != NULL);

  const SsNames *names = &reader->names;
  const char **list, *near = NULL;
  int n = 0;

  /* Once the list of problems is full nobody reads the answer. */
  if (reader->n_problems >= SS_PROBLEMS_MAX || names->n_symbols == 0)
    return NULL;
  list = ss_new_array (const char *, names->n_symbols);
  if (list == NULL)
    return NULL;
  for (int i = 0; i < names->n_symbols; i++)
    if (kinds & 1u << names->symbols[i].kind)
      list[n++] = names->symbols[i].name;
  if (n > 0)
    near = ss_nearest_name (wrong, list, n);
  ss_free (list);
  return near;
}
