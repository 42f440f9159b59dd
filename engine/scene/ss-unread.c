/* engine/scene/ss-unread.c: fields of a file that no reader looked for, although their names are near to some that were
 * looked for in the same object, or are those of fields of other objects.
 *
 * Unknown fields are kept and are no problem: a file may hold notes. But `angel` beside shapes that know an `angle` is
 * worth a word, and so is `angle` in bounds, which call it `theta`. The readers say by themselves what they know: every
 * look for a member is remembered with its object.
 */
#include "scene/ss-scenario-private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  WARNINGS_MAX = 100,
  KEYS_MAX = 64, /* looked for in one object: ours have fewer                                */
  SHORT_NAME = 4 /* names up to this length count as near at one letter, longer ones at two */
};

void
ss_reader_warn (SsReader *reader, const SsJsonAt *at, const char *format, ...)
{
  SS_ASSERT (reader != NULL);

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
meant_for (const SsLook *looks, int n_looks, const char *key)
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
  const SsLook *x = a, *y = b;

  if (x->object != y->object)
    return (uintptr_t)x->object < (uintptr_t)y->object ? -1 : 1;
  return strcmp (x->key, y->key);
}

/* The looks at an object among those sorted by object. */
static const SsLook *
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
  return *n > 0 ? asked->looks + low : NULL;
}

static bool
is_known (const SsLook *looks, int n, const char *key)
{
  for (int i = 0; i < n; i++)
    if (strcmp (looks[i].key, key) == 0)
      return true;
  return false;
}

static int
compare_keys (const void *a, const void *b)
{
  return strcmp (*(const char *const *)a, *(const char *const *)b);
}

/* Every key that was looked for somewhere in the file, sorted, with repetitions; NULL without memory. */
static const char **
keys_of (const SsAsked *asked)
{
  const char **keys = ss_new_array (const char *, (size_t)asked->n_looks + 1);

  for (int i = 0; keys != NULL && i < asked->n_looks; i++)
    keys[i] = asked->looks[i].key;
  if (keys != NULL)
    qsort (keys, (size_t)asked->n_looks, sizeof *keys, compare_keys);
  return keys;
}

/* Notes may stand everywhere. */
static bool
is_note (const char *key)
{
  static const char *const NOTES[] = {"description", "title", "name", "reference"};

  for (size_t i = 0; i < sizeof NOTES / sizeof *NOTES; i++)
    if (strcmp (key, NOTES[i]) == 0)
      return true;
  return false;
}

/* A field of other objects, with those that are read in this one, an element of a list: what `scene` and `task` have is
 * not looked for in every scene. */
static void
warn_of_stray (SsReader *reader, const SsJsonAt *at, const SsLook *looks, int n)
{
  char known[160] = "";
  size_t length = 0;

  for (int i = 0; i < n && length + strlen (looks[i].key) + 3 < sizeof known; i++)
    length += (size_t)snprintf (known + length, sizeof known - length, "%s%s", i > 0 ? ", " : "", looks[i].key);
  ss_reader_warn (reader, at, "nobody reads a field '%.64s' here; read are: %s", at->key, known);
}

/* `keys` are those of keys_of. */
static void
visit (SsReader *reader, const SsJsonAt *at, const char *const *keys)
{
  const SsAsked *asked = reader->asked;
  SsJsonAt child;
  int n = 0;
  const SsLook *looks = json_is_object (at->value) ? looks_at (asked, at->value, &n) : NULL;

  if (!json_is_object (at->value) && !json_is_array (at->value))
    return;
  for (bool more = ss_at_first (reader, at, &child); more && reader->n_warnings < WARNINGS_MAX;
       more = ss_at_next (reader, &child)) {
    bool is_unread = child.key != NULL && n > 0 && !is_known (looks, n, child.key);
    const char *meant = is_unread ? meant_for (looks, n, child.key) : NULL;

    if (meant != NULL)
      ss_reader_warn (reader, &child, "nobody reads the field '%.64s'; did you mean '%s'?", child.key, meant);
    else if (is_unread && at->key == NULL && !is_note (child.key) &&
             bsearch (&child.key, keys, (size_t)asked->n_looks, sizeof *keys, compare_keys) != NULL)
      warn_of_stray (reader, &child, looks, n);
    else
      visit (reader, &child, keys);
  }
}

void
ss_find_unread (SsReader *reader, const SsJsonAt *root)
{
  SS_ASSERT (reader != NULL && reader->n_warnings <= reader->warning_capacity);

  const char **keys = keys_of (reader->asked);

  /* Sorted in place: the table is not used any more. */
  if (reader->asked->n_looks > 1)
    qsort (reader->asked->looks, (size_t)reader->asked->n_looks, sizeof *reader->asked->looks, compare_looks);
  if (keys == NULL) {
    reader->out_of_memory = true;
    return;
  }
  visit (reader, root, keys);
  ss_free (keys);
  reader->scenario->n_warnings = reader->n_warnings;
  reader->scenario->warnings = ss_reader_keep (reader, reader->warnings, reader->n_warnings, sizeof *reader->warnings);
  reader->warnings = NULL;
}
