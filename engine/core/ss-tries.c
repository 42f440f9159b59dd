/* engine/core/ss-tries.c: see the header. */
#include "core/ss-tries.h"

#include "core/ss-memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct {
  const char *name, *one, *several;
} kinds[SS_TRY_KINDS] = {
#define X(id, name, one, several) {name, one, several},
    SS_TRY_KIND_LIST (X)
#undef X
};

const char *
ss_try_kind_name (SsTryKind kind)
{
  SS_ASSERT (kind < SS_TRY_KINDS);
  return kinds[kind].name;
}

const char *
ss_try_kind_words (SsTryKind kind, bool several)
{
  SS_ASSERT (kind < SS_TRY_KINDS);
  return several ? kinds[kind].several : kinds[kind].one;
}

const char *
ss_try_end_name (SsTryEnd end)
{
  static const char *const names[] = {
#define X(id, name) name,
      SS_TRY_END_LIST (X)
#undef X
  };

  SS_ASSERT (end < SS_TRY_ENDS);
  return names[end];
}

static SsStatus
list (SsTries *tries, const SsTry *item, SsError *err)
{
  if (tries->n >= SS_TRIES_LISTED)
    return SS_OK;
  if (ss_array_reserve ((void **)&tries->items, &tries->capacity, tries->n + 1, sizeof *tries->items) != 0)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  tries->items[tries->n++] = *item;
  return SS_OK;
}

SsStatus
ss_tries_add (SsTries *tries, SsTryKind kind, SsTryEnd end, double cost, const char *by, SsError *err)
{
  SsTry item = {.kind = kind, .end = end, .cost = cost};

  SS_ASSERT (tries != NULL && kind < SS_TRY_KINDS && end < SS_TRY_ENDS && by != NULL);
  tries->counts[kind][end]++;
  snprintf (item.by, sizeof item.by, "%s", by);
  return end != SS_TRY_NO_PLAN && isfinite (cost) ? list (tries, &item, err) : SS_OK;
}

SsStatus
ss_tries_take (SsTries *tries, SsTries *from, SsError *err)
{
  SS_ASSERT (from != NULL && from->n <= from->capacity);

  SsStatus status = SS_OK;

  for (int k = 0; k < SS_TRY_KINDS; k++)
    for (int e = 0; e < SS_TRY_ENDS; e++)
      tries->counts[k][e] += from->counts[k][e];
  for (int i = 0; i < from->n && status == SS_OK; i++)
    status = list (tries, &from->items[i], err);
  ss_tries_clear (from);
  return status;
}

void
ss_tries_clear (SsTries *tries)
{
  SS_ASSERT (tries != NULL);
  ss_free (tries->items);
  *tries = (SsTries){0};
}

static int
count_kind (const SsTries *tries, SsTryKind kind)
{
  int n = 0;

  for (int e = 0; e < SS_TRY_ENDS; e++)
    n += tries->counts[kind][e];
  return n;
}

int
ss_tries_count (const SsTries *tries, SsTryEnd end)
{
  int n = 0;

  for (int k = 0; k < SS_TRY_KINDS; k++)
    n += end == SS_TRY_ENDS ? count_kind (tries, (SsTryKind)k) : tries->counts[k][end];
  return n;
}

double
ss_tries_best (const SsTries *tries, int *near)
{
  SS_ASSERT (tries != NULL && tries->n <= tries->capacity);

  double best = NAN;
  int n = 0;

  for (int i = 0; i < tries->n; i++)
    if (tries->items[i].end == SS_TRY_HONEST && !(tries->items[i].cost >= best))
      best = tries->items[i].cost;
  for (int i = 0; i < tries->n; i++)
    n += tries->items[i].end == SS_TRY_HONEST && tries->items[i].cost - best <= SS_TRIES_NEAR * fabs (best);
  if (near != NULL)
    *near = n;
  return best;
}

static void SS_PRINTF (3, 4) add (char *text, size_t size, const char *format, ...)
{
  const size_t used = strlen (text);
  va_list arguments;

  va_start (arguments, format);
  vsnprintf (text + used, size - used, format, arguments);
  va_end (arguments);
}

void
ss_tries_describe (const SsTries *tries, char *text, size_t size)
{
  const int n = ss_tries_count (tries, SS_TRY_ENDS), n_honest = ss_tries_count (tries, SS_TRY_HONEST),
            n_impossible = ss_tries_count (tries, SS_TRY_NOT_POSSIBLE), n_none = ss_tries_count (tries, SS_TRY_NO_PLAN);
  const char *before = " (";
  int near;
  const double best = ss_tries_best (tries, &near);

  SS_ASSERT (text != NULL && size > 0);
  text[0] = '\0';
  if (n == 0)
    return;
  add (text, size, "%d %s", n, n > 1 ? "tries" : "try");
  for (int k = 0; k < SS_TRY_KINDS; k++) {
    const int own = count_kind (tries, (SsTryKind)k);
    if (own == 0)
      continue;
    add (text, size, "%s%d %s", before, own, ss_try_kind_words ((SsTryKind)k, own > 1));
    before = ", ";
  }
  if (n_honest > 0)
    add (text, size, ") found none cheaper than %.4g: %d %s honest", best, n_honest, n_honest > 1 ? "are" : "is");
  else
    add (text, size, ") found no honest plan");
  if (near > 1)
    add (text, size, ", %d of them within %.0f %% of it", near, 100 * SS_TRIES_NEAR);
  else if (n_honest > 1)
    add (text, size, ", no other within %.0f %% of it", 100 * SS_TRIES_NEAR);
  if (n_impossible > 0)
    add (text, size, "; %d could not happen", n_impossible);
  if (n_none > 0)
    add (text, size, "%s %d led to no plan", n_impossible > 0 ? "," : ";", n_none);
}
