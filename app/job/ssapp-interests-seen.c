/* app/job/ssapp-interests-seen.c: see the header. */
#include "app/job/ssapp-interests-seen.h"

struct SsappInterestsSeen {
  SsSimWatch watch;
  SsappInterests *interests;
  GPtrArray *sums; /* of SsInterestSum, owned; NULL where the rows have no such channel */
  gboolean has_rows;
};

static void
forget_sums (SsappInterestsSeen *self)
{
  for (guint i = 0; i < self->sums->len; i++)
    ss_interest_sum_free (g_ptr_array_index (self->sums, i));
  g_ptr_array_set_size (self->sums, 0);
  self->has_rows = FALSE;
}

static SsStatus
begin (void *owner, const SsMotionBlock *like, SsError *err)
{
  SsappInterestsSeen *self = owner;
  SsStatus status = SS_OK;

  forget_sums (self);
  for (guint i = 0; i < ssapp_interests_get_n (self->interests) && status == SS_OK; i++) {
    SsInterestSum *sum = NULL;
    SsError why = {0};
    const SsStatus made = ss_interest_sum_new (ssapp_interests_get (self->interests, i), like->motion, &sum, &why);
    if (made == SS_ERR_MEMORY) {
      status = made;
      if (err != NULL)
        *err = why;
    }
    g_ptr_array_add (self->sums, sum);
  }
  return status;
}

static SsStatus
take_rows (void *owner, const SsMotionBlock *rows, const SsPointImpulses *points, SsError *err)
{
  SsappInterestsSeen *self = owner;

  (void)points;
  (void)err;
  for (guint i = 0; i < self->sums->len; i++)
    if (g_ptr_array_index (self->sums, i) != NULL)
      ss_interest_sum_rows (g_ptr_array_index (self->sums, i), rows->motion, rows->first, rows->end);
  self->has_rows = self->has_rows || rows->end > rows->first;
  return SS_OK;
}

SsappInterestsSeen *
ssapp_interests_seen_new (const GPtrArray *texts, const SsScenario *scenario)
{
  g_return_val_if_fail (texts != NULL, NULL);
  SsappInterestsSeen *self = g_new0 (SsappInterestsSeen, 1);

  self->watch = (SsSimWatch){self, begin, take_rows};
  self->interests = ssapp_interests_new_of ((const char *const *)texts->pdata, texts->len, scenario);
  self->sums = g_ptr_array_new ();
  return self;
}

void
ssapp_interests_seen_free (SsappInterestsSeen *self)
{
  if (self == NULL)
    return;
  forget_sums (self);
  g_ptr_array_unref (self->sums);
  ssapp_interests_free (self->interests);
  g_free (self);
}

const SsSimWatch *
ssapp_interests_seen_watch (SsappInterestsSeen *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return &self->watch;
}

const SsInterestSum *const *
ssapp_interests_seen_sums (const SsappInterestsSeen *self)
{
  return self != NULL && self->has_rows ? (const SsInterestSum *const *)self->sums->pdata : NULL;
}
