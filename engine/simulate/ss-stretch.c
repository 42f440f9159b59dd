/* engine/simulate/ss-stretch.c: see ss-stretch.h. */
#include "simulate/ss-stretch.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { LISTS_MAX = sizeof ((SsStretches *)0)->lists / sizeof ((SsStretches *)0)->lists[0] };

static int
first_of (const SsStretches *s, int list)
{
  return list > 0 ? s->lists[list - 1].end : 0;
}

void
ss_stretches_begin (SsStretches *s, double t)
{
  SS_ASSERT (s != NULL);

  const double same = 4 * DBL_EPSILON * fmax (fabs (t), 1); /* ends of parts are sums */
  while (s->n_lists > 0 && fabs (s->lists[s->n_lists - 1].t - t) > same)
    s->n_lists--;
  s->n_items = first_of (s, s->n_lists);
}

double
ss_stretches_find (const SsStretches *s, int point)
{
  for (int i = first_of (s, s->n_lists - 1); s->n_lists > 0 && i < s->lists[s->n_lists - 1].end; i++)
    if (s->items[i].point == point)
      return s->items[i].stretch;
  return 0;
}

/* The oldest list goes. */
static void
forget_oldest (SsStretches *s)
{
  const int n = s->lists[0].end;
  if (s->n_items > n)
    memmove (s->items, s->items + n, (size_t)(s->n_items - n) * sizeof *s->items);
  s->n_items -= n;
  s->n_lists--;
  memmove (s->lists, s->lists + 1, (size_t)s->n_lists * sizeof *s->lists);
  for (int i = 0; i < s->n_lists; i++)
    s->lists[i].end -= n;
}

void
ss_stretches_open (SsStretches *s)
{
  SS_ASSERT (s != NULL);
  if (s->n_lists == LISTS_MAX)
    forget_oldest (s);
  s->open = s->n_items = first_of (s, s->n_lists);
}

SsStatus
ss_stretches_add (SsStretches *s, int point, double stretch, SsError *err)
{
  SS_ASSERT (s != NULL);
  if (ss_array_reserve ((void **)&s->items, &s->capacity, s->n_items + 1, sizeof *s->items) != 0)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for the springs of %d contact points", s->n_items - s->open);
  s->items[s->n_items++] = (SsStretch){point, stretch};
  return SS_OK;
}

void
ss_stretches_close (SsStretches *s, double t)
{
  SS_ASSERT (s != NULL);
  s->lists[s->n_lists].t = t;
  s->lists[s->n_lists++].end = s->n_items;
}

void
ss_stretches_clear (SsStretches *s)
{
  SS_ASSERT (s != NULL);
  ss_free (s->items);
  *s = (SsStretches){0};
}
