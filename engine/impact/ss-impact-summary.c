/* engine/impact/ss-impact-summary.c: counts and hulls of samples. */
#include "impact/ss-impact-summary.h"

#include <stdlib.h>

static int
compare_keys (const void *a, const void *b)
{
  const unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;

  return (x > y) - (x < y);
}

/* The most frequent first; of equals the one whose contacts lift. */
static int
compare_shares (const void *a, const void *b)
{
  const SsImpactModeShare *x = a, *y = b;

  if (x->count != y->count)
    return x->count < y->count ? 1 : -1;
  for (int i = 0; i < SS_IMPACT_CONTACTS_MAX; i++)
    if (x->mode[i] != y->mode[i])
      return x->mode[i] < y->mode[i] ? -1 : 1;
  return 0;
}

SsStatus
ss_impact_set_modes (const SsImpact *impact, const SsImpactSet *set, double tolerance, SsImpactModeShare **shares,
                     int *n_shares, SsError *err)
{
  SS_ASSERT (impact != NULL && set != NULL && shares != NULL && n_shares != NULL);

  unsigned *keys = ss_new_array (unsigned, set->n_samples + 1);
  int n = 0, n_modes = 0;

  *shares = NULL;
  *n_shares = 0;
  if (keys == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for the modes of %d samples", set->n_samples);
  for (int k = 0; k < set->n_samples; k++) {
    double u[2 * SS_IMPACT_CONTACTS_MAX];
    unsigned key = 0;
    if (set->state[k] != SS_IMPACT_FINISHED)
      continue;
    ss_impact_speeds (impact, set->v + (size_t)k * (size_t)set->n, u);
    for (int i = 0; i < impact->m; i++)
      key |= (unsigned)ss_impact_mode (u[i], u[impact->m + i], tolerance) << 2 * i;
    keys[n++] = key;
  }
  qsort (keys, (size_t)n, sizeof *keys, compare_keys);
  for (int k = 0; k < n; k++)
    n_modes += k == 0 || keys[k] != keys[k - 1];
  *shares = ss_alloc ((size_t)n_modes + 1, sizeof **shares);
  if (*shares == NULL) {
    ss_free (keys);
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for %d modes", n_modes);
  }
  for (int k = 0, at = -1; k < n; k++) {
    if (k == 0 || keys[k] != keys[k - 1]) {
      at++;
      for (int i = 0; i < impact->m; i++)
        (*shares)[at].mode[i] = (SsImpactMode)(keys[k] >> 2 * i & 3);
    }
    (*shares)[at].count++;
  }
  for (int k = 0; k < n_modes; k++)
    (*shares)[k].fraction = (double)(*shares)[k].count / n;
  qsort (*shares, (size_t)n_modes, sizeof **shares, compare_shares);
  *n_shares = n_modes;
  ss_free (keys);
  return SS_OK;
}

static int
compare_points (const void *a, const void *b)
{
  const SsVec2 *p = a, *q = b;

  return p->x != q->x ? (p->x > q->x) - (p->x < q->x) : (p->y > q->y) - (p->y < q->y);
}

/* Twice the area of a triangle, positive to the left. */
static double
turn (SsVec2 o, SsVec2 a, SsVec2 b)
{
  return (a.x - o.x) * (b.y - o.y) - (a.y - o.y) * (b.x - o.x);
}

/* A. M. Andrew, Inf. Process. Lett. 9 (1979): the lower chain from left to right, the upper one back. */
int
ss_impact_hull (SsVec2 *points, int n, SsVec2 *hull)
{
  SS_ASSERT (n == 0 || (points != NULL && hull != NULL));

  int size = 0, kept = 0;

  qsort (points, (size_t)n, sizeof *points, compare_points);
  for (int k = 0; k < n; k++) /* points that are one count once */
    if (kept == 0 || compare_points (&points[k], &points[kept - 1]) != 0)
      points[kept++] = points[k];
  n = kept;
  for (int k = 0; k < n; k++) {
    while (size > 1 && turn (hull[size - 2], hull[size - 1], points[k]) <= 0)
      size--;
    hull[size++] = points[k];
  }
  for (int k = n - 2, lower = size; k >= 0; k--) {
    while (size > lower && turn (hull[size - 2], hull[size - 1], points[k]) <= 0)
      size--;
    hull[size++] = points[k];
  }
  /* the last is the first again */
  if (size > 1 && compare_points (&hull[size - 1], &hull[0]) == 0)
    size--;
  return size;
}
