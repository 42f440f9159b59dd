/* engine/fesd/ss-fesd-fork.c: see the header. */
#include "fesd/ss-fesd-fork.h"

#include "core/ss-memory.h"
#include "fesd/ss-fesd-march-private.h"

#include <math.h>
#include <string.h>

/* ---- memory ------------------------------------------------------------------------------------------------------ */

typedef struct {
  SsFesdState state;
  bool has_stepped;
} Memory;

/* Slot 0 of the march's saved states lends its place to the memory for a moment, so that one piece of code copies. */
static void
swap (SsFesdMarch *m, Memory *memory)
{
  const SsFesdState lent = m->saved[0];
  m->saved[0] = memory->state;
  memory->state = lent;
}

SsStatus
ss_fesd_march_keep (SsFesdMarch *m, void **memory, SsError *err)
{
  SS_ASSERT (m != NULL && memory != NULL);

  Memory *own = *memory;
  if (own == NULL)
    own = ss_new (Memory);
  if (own == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for the state of a branch");
  *memory = own;
  swap (m, own);
  SsStatus status = ss_fesd_state_save (m, 0, err);
  swap (m, own);
  own->has_stepped = m->has_stepped;
  return status;
}

void
ss_fesd_march_put_back (SsFesdMarch *m, void *memory)
{
  SS_ASSERT (m != NULL && memory != NULL);

  Memory *own = memory;
  m->cut[0].n_items = m->cut[0].n_numbers = m->cut[0].n_taken = 0;
  m->cut[0].row_to_patch = -1;
  swap (m, own);
  ss_fesd_state_restore (m, 0);
  swap (m, own);
  m->has_stepped = own->has_stepped;
}

void
ss_fesd_march_forget (void *memory)
{
  Memory *own = memory;
  if (own == NULL)
    return;
  ss_fesd_state_clear (&own->state);
  ss_free (own);
}

double
ss_fesd_march_time (const SsFesdMarch *m)
{
  SS_ASSERT (m != NULL);
  return m->now.t;
}

long
ss_fesd_march_n_jumps (const SsFesdMarch *m)
{
  SS_ASSERT (m != NULL);
  return m->now.n_jumps;
}

double
ss_fesd_march_force (SsFesdMarch *m)
{
  SS_ASSERT (m != NULL);

  const SsFesdSystem *s = m->system;
  const double rest = ss_fesd_rest_speed (m);
  double *numbers = ss_new_array (double, (size_t)(s->n_free + s->n_bilateral) + 1), sum = 0;
  SsFesdTouch *touches;
  int n, kept = 0;
  bool is_solved = false;
  SsStatus status = numbers != NULL ? ss_fesd_law_touching (m->law, m->now.t, m->now.q, m->now.v, m->now.offset,
                                                            ss_fesd_touch_part * s->size, &touches, &n, NULL)
                                    : SS_ERR_MEMORY;
  for (int i = 0; status == SS_OK && i < n; i++)
    if (touches[i].rate <= rest) {
      const bool slips = ss_fesd_mu_of (s, touches[i].item) > 0 && fabs (touches[i].slip) > rest;
      touches[i].sign = !slips ? 0 : touches[i].slip > 0 ? 1 : -1;
      touches[kept++] = touches[i];
    }
  if (status == SS_OK)
    status = ss_fesd_law_forces (m->law, m->now.t, m->now.q, m->now.v, touches, kept, numbers, numbers + s->n_free,
                                 &is_solved, NULL);
  for (int i = 0; status == SS_OK && i < kept; i++)
    sum += touches[i].item < s->n_points ? touches[i].force_n : 0;
  ss_free (numbers);
  return status == SS_OK && is_solved ? sum : NAN;
}

/* ---- forks ------------------------------------------------------------------------------------------------------- */

void
ss_fesd_forks_clear (SsFesdForks *forks)
{
  SS_ASSERT (forks != NULL);
  for (int i = 0; i < forks->capacity; i++) {
    ss_free (forks->items[i].draws);
    ss_free (forks->items[i].share);
  }
  ss_free (forks->items);
  *forks = (SsFesdForks){0};
}

void
ss_fesd_forks_begin (SsFesdForks *forks, const SsForkChoice *choices, int n, int room)
{
  SS_ASSERT (forks != NULL && n >= 0);
  forks->choices = choices;
  forks->n_choices = n;
  forks->room = room;
  forks->n = 0;
}

void
ss_fesd_forks_end (SsFesdForks *forks, long number)
{
  while (forks->n > 0 && forks->items[forks->n - 1].instant >= number)
    forks->n--;
}

long
ss_fesd_forks_come_to (SsFesdForks *forks, long number)
{
  SS_ASSERT (forks != NULL);
  ss_fesd_forks_end (forks, number);
  for (int i = 0; i < forks->n_choices; i++)
    if (forks->choices[i].instant == number)
      return forks->choices[i].draw;
  return -1;
}

int
ss_fesd_forks_room (const SsFesdForks *forks)
{
  SS_ASSERT (forks != NULL);

  int room = forks->room;
  for (int i = 0; i < forks->n; i++)
    room -= forks->items[i].n_ways - 1;
  return room > 0 ? room : 0;
}

/* A place for one more, whose arrays have room for n_ways. */
static SsFork *
new_item (SsFesdForks *forks, int n_ways)
{
  const int capacity = forks->capacity;
  if (ss_array_reserve ((void **)&forks->items, &forks->capacity, forks->n + 1, sizeof *forks->items) != 0)
    return NULL;
  for (int i = capacity; i < forks->capacity; i++)
    forks->items[i] = (SsFork){0};
  SsFork *item = &forks->items[forks->n];
  long *draws = ss_realloc (item->draws, (size_t)n_ways, sizeof *draws);
  item->draws = draws != NULL ? draws : item->draws;
  double *share = ss_realloc (item->share, (size_t)n_ways, sizeof *share);
  item->share = share != NULL ? share : item->share;
  return draws != NULL && share != NULL ? item : NULL;
}

SsStatus
ss_fesd_forks_add (SsFesdForks *forks, long number, double t, int n_ways, const long *draws, const double *share,
                   bool is_cut, SsError *err)
{
  SS_ASSERT (forks != NULL && n_ways >= 0);

  SsFork *item = new_item (forks, n_ways);
  if (item == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for %d ways of an impact", n_ways);
  item->t = t;
  item->instant = number;
  item->n_ways = n_ways;
  item->is_cut = is_cut;
  memcpy (item->draws, draws, (size_t)n_ways * sizeof *draws);
  memcpy (item->share, share, (size_t)n_ways * sizeof *share);
  forks->n++;
  return SS_OK;
}
