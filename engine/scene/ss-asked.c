/* engine/scene/ss-asked.c: which fields readers looked for, in a table without repetitions. What they did not look for:
 * ss-unread.c. */
#include "scene/ss-scenario-private.h"

#include <string.h>

/* A file of 16 MiB has no more members. */
enum { ASKED_MAX = 1 << 22 };

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
    const SsLook *look = &asked->looks[asked->buckets[place] - 1];

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
  SS_ASSERT (asked != NULL);

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
  asked->looks[asked->n_looks++] = (SsLook){.object = object, .key = key};
  asked->buckets[place] = asked->n_looks;
}
