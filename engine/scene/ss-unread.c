/* engine/scene/ss-unread.c: fields of a file that no reader looked for, although their names are near to some that were
 * looked for.
 *
 * Unknown fields are kept and are no problem: a file may hold notes. But `angel` beside shapes that know an `angle` is
 * worth a word. The readers say by themselves what they know: every look for a member is remembered with its object.
 */
#include "scene/ss-scenario-private.h"

#include <stdlib.h>
#include <string.h>

enum {
  WARNINGS_MAX = 100,
  KEYS_MAX = 64,      /* looked for in one object: ours have fewer                                    */
  SHORT_NAME = 4,     /* names up to this length count as near at one letter, longer ones at two       */
  ASKED_MAX = 1 << 22 /* a file of 16 MiB has no more members                                        */
};

typedef struct {
  const json_t *object;
  const char *key;
} Look;

struct SsAsked {
  Look *looks;
  int n_looks, capacity;
  int *buckets; /* look + 1, 0 = free */
  size_t n_buckets;
  bool out_of_memory;
};

SsAsked *
ss_asked_new (void)
{
  return ss_new (SsAsked);
}

void
ss_asked_free (SsAsked *asked)
{
  if (asked == NULL)
    return;
  ss_free (asked->looks);
  ss_free (asked->buckets);
  ss_free (asked);
}

bool
ss_asked_is_complete (const SsAsked *asked)
{
  return !asked->out_of_memory;
}

/* FNV-1a over the address and the key. */
static size_t
hash_of (const json_t *object, const char *key)
{
  const uint64_t prime = 1099511628211u;
  uint64_t hash = 14695981039346656037u ^ (uint64_t)(uintptr_t)object;

  hash *= prime;
  for (const unsigned char *c = (const unsigned char *)key; *c != '\0'; c++)
    hash = (hash ^ *c) * prime;
  return (size_t)(hash ^ hash >> 32);
}

/* Place of the look, or the free place where it belongs. */
static size_t
find_place (const SsAsked *asked, const json_t *object, const char *key)
{
  size_t place = hash_of (object, key) & (asked->n_buckets - 1);

  while (asked->buckets[place] != 0) {
    const Look *look = &asked->looks[asked->buckets[place] - 1];

    if (look->object == object && strcmp (look->key, key) == 0)
      break;
    place = (place + 1) & (asked->n_buckets - 1);
  }
  return place;
}

/* At most half full. */
static bool
grow (SsAsked *asked)
{
  size_t n = asked->n_buckets > 0 ? 2 * asked->n_buckets : 256;
  int *buckets;

  if (2 * (size_t)(asked->n_looks + 1) <= asked->n_buckets)
    return true;
  buckets = ss_new_array (int, n);
  if (buckets == NULL)
    return false;
  ss_free (asked->buckets);
  asked->buckets = buckets;
  asked->n_buckets = n;
  for (int i = 0; i < asked->n_looks; i++)
    buckets[find_place (asked, asked->looks[i].object, asked->looks[i].key)] = i + 1;
  return true;
}

void
ss_asked_add (SsAsked *asked, const json_t *object, const char *key)
{
  size_t place;

  if (asked->n_looks >= ASKED_MAX || asked->out_of_memory)
    return;
  if (!grow (asked)) {
    asked->out_of_memory = true;
    return;
  }
  place = find_place (asked, object, key);
  if (asked->buckets[place] != 0)
    return;
  if (ss_array_reserve ((void **)&asked->looks, &asked->capacity, asked->n_looks + 1, sizeof *asked->looks) != 0) {
    asked->out_of_memory = true;
    return;
  }
  asked->looks[asked->n_looks++] = (Look){.object = object, .key = key};
  asked->buckets[place] = asked->n_looks;
}

/* ---- what was not read ------------------------------------------------------------------------------------------- */

void
ss_reader_warn (SsReader *reader, const SsJsonAt *at, const char *format, ...)
{
  va_list args;

  if (reader->n_warnings >= WARNINGS_MAX ||
      !ss_reader_reserve (reader, (void **)&reader->warnings, &reader->warning_capacity, reader->n_warnings + 1,
                          sizeof *reader->warnings))
    return;
  va_start (args, format);
  ss_reader_make_error (reader, at, "", &reader->warnings[reader->n_warnings++], format, args);
  va_end (args);
}

/* The key among those that were looked for in this object and are not there that is nearest; NULL if none is near. */
static const char *
meant_for (const Look *looks, int n_looks, const char *key)
{
  int limit = strlen (key) <= SHORT_NAME ? 1 : 2;
  const char *near = NULL;

  /* "_steps" and the like are put aside on purpose. */
  if (!((key[0] >= 'a' && key[0] <= 'z') || (key[0] >= 'A' && key[0] <= 'Z')))
    return NULL;
  for (int i = 0; i < n_looks; i++) {
    int distance = ss_edit_distance (key, looks[i].key);

    if (distance > 0 && distance <= limit && json_object_get (looks[i].object, looks[i].key) == NULL) {
      near = looks[i].key;
      limit = distance - 1;
    }
  }
  return near;
}

static int
compare_looks (const void *a, const void *b)
{
  const Look *x = a, *y = b;

  if (x->object != y->object)
    return (uintptr_t)x->object < (uintptr_t)y->object ? -1 : 1;
  return strcmp (x->key, y->key);
}

/* The looks at an object among those sorted by object. */
static const Look *
looks_at (const SsAsked *asked, const json_t *object, int *n)
{
  int low = 0, high = asked->n_looks;

  while (low < high) {
    int middle = low + (high - low) / 2;

    if ((uintptr_t)asked->looks[middle].object < (uintptr_t)object)
      low = middle + 1;
    else
      high = middle;
  }
  *n = 0;
  while (low + *n < asked->n_looks && asked->looks[low + *n].object == object && *n < KEYS_MAX)
    ++*n;
  return asked->looks + low;
}

static bool
is_known (const Look *looks, int n, const char *key)
{
  for (int i = 0; i < n; i++)
    if (strcmp (looks[i].key, key) == 0)
      return true;
  return false;
}

static void
visit (SsReader *reader, const SsJsonAt *at)
{
  const SsAsked *asked = reader->asked;
  SsJsonAt child;
  int n = 0;
  const Look *looks = json_is_object (at->value) ? looks_at (asked, at->value, &n) : NULL;

  if (!json_is_object (at->value) && !json_is_array (at->value))
    return;
  for (bool more = ss_at_first (reader, at, &child); more && reader->n_warnings < WARNINGS_MAX;
       more = ss_at_next (reader, &child)) {
    const char *meant =
        child.key != NULL && n > 0 && !is_known (looks, n, child.key) ? meant_for (looks, n, child.key) : NULL;

    if (meant != NULL)
      ss_reader_warn (reader, &child, "nobody reads the field '%.64s'; did you mean '%s'?", child.key, meant);
    else
      visit (reader, &child);
  }
}

void
ss_find_unread (SsReader *reader, const SsJsonAt *root)
{
  /* Sorted in place: the table is not used any more. */
  if (reader->asked->n_looks > 1)
    qsort (reader->asked->looks, (size_t)reader->asked->n_looks, sizeof *reader->asked->looks, compare_looks);
  visit (reader, root);
  reader->scenario->n_warnings = reader->n_warnings;
  reader->scenario->warnings = ss_reader_keep (reader, reader->warnings, reader->n_warnings, sizeof *reader->warnings);
  reader->warnings = NULL;
}
