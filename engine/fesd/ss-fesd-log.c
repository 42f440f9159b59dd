/* engine/fesd/ss-fesd-log.c: see the header. */
#include "fesd/ss-fesd-log.h"

#include "core/ss-memory.h"

#include <string.h>

/* An item without its arrays. */
typedef struct SsFesdTakenItem {
  bool is_jump, is_fit, has_switch, is_capturing;
  double t, h;
  SsFesdSwitch what;
  SsFesdImpactCase impact;
  int n_touches;
} Item;

void
ss_fesd_log_clear (SsFesdLog *log)
{
  SS_ASSERT (log != NULL);
  ss_free (log->items);
  ss_free (log->numbers);
  ss_free (log->modes);
  ss_free (log->touches);
  ss_free (log->points);
  ss_free (log->is_live);
  *log = (SsFesdLog){0};
}

/* The arrays of numbers of an item, one behind the other; returns their number. */
static int
places (const SsFesdSystem *s, const double *numbers, SsFesdTaken *taken)
{
  const int n_items = ss_fesd_n_items (s);
  const double **const arrays[] = {&taken->q,        &taken->v,        &taken->v_after,   &taken->a,
                                   &taken->lambda_n, &taken->lambda_t, &taken->bilateral, &taken->offset};
  const int sizes[] = {s->n_q, s->n_q, s->n_q, s->n_free, n_items, n_items, s->n_bilateral, n_items};
  int at = 0;
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    *arrays[k] = numbers != NULL ? numbers + at : NULL;
    at += sizes[k];
  }
  return at;
}

SsFesdTaken
ss_fesd_log_at (const SsFesdLog *log, const SsFesdSystem *s, int i)
{
  SS_ASSERT (log != NULL && i >= 0 && i < log->n);

  const Item *item = &log->items[i];
  SsFesdTaken taken = {.is_jump = item->is_jump,
                       .is_fit = item->is_fit,
                       .t = item->t,
                       .h = item->h,
                       .has_switch = item->has_switch,
                       .what = item->what,
                       .is_capturing = item->is_capturing,
                       .impact = item->impact,
                       .n_touches = item->n_touches,
                       .modes = log->modes + (size_t)i * (size_t)log->n_items,
                       .touches = log->touches + (size_t)i * (size_t)log->n_items,
                       .points = log->points + (size_t)i * (size_t)log->n_slots,
                       .is_live = log->is_live + (size_t)i * (size_t)log->n_slots};
  (void)places (s, log->numbers + (size_t)i * (size_t)log->n_numbers, &taken);
  return taken;
}

/* Room for one more. */
static bool
grow (SsFesdLog *log, const SsFesdSystem *s)
{
  SsFesdTaken none;
  if (log->n < log->capacity)
    return true;
  const int wanted = log->capacity > 0 ? 2 * log->capacity : 8;
  log->n_numbers = places (s, NULL, &none);
  log->n_items = ss_fesd_n_items (s);
  log->n_slots = s->n_points - s->n_static;
  const struct {
    void **block;
    size_t count, size;
  } blocks[] = {{(void **)&log->items, 1, sizeof *log->items},
                {(void **)&log->numbers, (size_t)log->n_numbers, sizeof *log->numbers},
                {(void **)&log->modes, (size_t)log->n_items, sizeof *log->modes},
                {(void **)&log->touches, (size_t)log->n_items, sizeof *log->touches},
                {(void **)&log->points, (size_t)log->n_slots, sizeof *log->points},
                {(void **)&log->is_live, (size_t)log->n_slots, sizeof *log->is_live}};
  for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++) {
    void *grown = ss_realloc (*blocks[k].block, (size_t)wanted * blocks[k].count + 1, blocks[k].size);
    if (grown == NULL)
      return false;
    *blocks[k].block = grown;
  }
  log->capacity = wanted;
  return true;
}

SsStatus
ss_fesd_log_add (SsFesdLog *log, const SsFesdSystem *s, const SsFesdTaken *taken, SsError *err)
{
  SS_ASSERT (log != NULL && s != NULL && taken != NULL);

  if (!grow (log, s))
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for the elements of a step");
  const size_t i = (size_t)log->n, n_items = (size_t)log->n_items, n_slots = (size_t)log->n_slots;
  double *numbers = log->numbers + i * (size_t)log->n_numbers;
  SsFesdTaken to, from = *taken;
  (void)places (s, numbers, &to);
  const double *const sources[] = {from.q,        from.v,        from.v_after,   from.a,
                                   from.lambda_n, from.lambda_t, from.bilateral, from.offset};
  const double *const targets[] = {
      to.q, to.v, to.v_after, to.a, to.lambda_n, to.lambda_t, to.bilateral, to.offset, numbers + log->n_numbers};
  for (size_t k = 0; k < sizeof sources / sizeof *sources; k++)
    if (sources[k] != NULL)
      memcpy (numbers + (targets[k] - numbers), sources[k], (size_t)(targets[k + 1] - targets[k]) * sizeof *numbers);
  if (from.modes != NULL)
    memcpy (log->modes + i * n_items, from.modes, n_items * sizeof *log->modes);
  if (from.touches != NULL)
    memcpy (log->touches + i * n_items, from.touches, (size_t)from.n_touches * sizeof *log->touches);
  memcpy (log->points + i * n_slots, s->points + s->n_static, n_slots * sizeof *log->points);
  memcpy (log->is_live + i * n_slots, s->is_live + s->n_static, n_slots * sizeof *log->is_live);
  log->items[log->n++] = (Item){.is_jump = from.is_jump,
                                .is_fit = from.is_fit,
                                .has_switch = from.has_switch,
                                .is_capturing = from.is_capturing,
                                .t = from.t,
                                .h = from.h,
                                .what = from.what,
                                .impact = from.impact,
                                .n_touches = from.n_touches};
  return SS_OK;
}
