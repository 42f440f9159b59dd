/* engine/fesd/ss-freeze-skew.c: where a motion closes together what time-freezing cannot; see ss-freeze.h. */
#include "core/ss-memory.h"
#include "fesd/ss-freeze-private.h"

/* Whether two closed points at a pose are skew; their names. */
static SsStatus
look (SsFreeze *f, const SsFreezeLimits *limits, const double *q, const double *v, bool *is_skew, char *pair,
      size_t size, SsError *err)
{
  int n = 0;

  *is_skew = false;
  SsStatus status = ss_freeze_look_around (f, q, v, err);
  for (int i = 0; status == SS_OK && i < f->n_places; i++)
    if (f->places[i].gap <= limits->touch && f->places[i].rate <= limits->rest)
      f->places[n++] = f->places[i];
  f->n_places = n;
  if (status == SS_OK && n > 1)
    status = ss_freeze_metric_set (f, q, v, f->places, n, err);
  for (int i = 0; status == SS_OK && i < n && !*is_skew; i++)
    for (int j = i + 1; j < n && !*is_skew; j++) {
      *is_skew = ss_freeze_compare (f, i, j, limits->skew) == 1;
      if (*is_skew)
        ss_freeze_name_pair (f, i, j, pair, size);
    }
  return status;
}

SsStatus
ss_freeze_find_skew (const SsScene *scene, const SsFreezeLimits *limits, const double *states, int n, int *row,
                     char *pair, size_t size, SsError *err)
{
  SS_ASSERT (scene != NULL && limits != NULL && states != NULL && row != NULL && pair != NULL);

  const int n_q = 3 * scene->n_bodies;
  const SsFreezeOptions options = {.n_elements = 1, .a_n = 1};
  SsFesdSystem *system = NULL;
  SsFreeze *f = NULL;
  SsTableau tableau;
  bool is_skew = false;
  SsStatus status = ss_tableau_make (SS_TABLEAU_RADAU_IIA, 1, &tableau, err);

  *row = -1;
  if (status == SS_OK)
    status = ss_fesd_system_new (scene, &system, err);
  if (status == SS_OK)
    status = ss_freeze_make (system, &tableau, &options, &f, err);
  for (int i = 0; status == SS_OK && i < n && !is_skew; i++) {
    const double *q = states + 2 * (size_t)n_q * (size_t)i;

    status = look (f, limits, q, q + n_q, &is_skew, pair, size, err);
    *row = is_skew ? i : -1;
  }
  ss_freeze_free (f);
  ss_fesd_system_free (system);
  return status;
}
