/* engine/plan/ss-stick-moves.c: see the header. */
#include "plan/ss-stick-moves.h"

#include <math.h>
#include <string.h>

SsStatus
ss_sequence_split (SsFesdSequence *sequence, int segment, double theta, SsError *err)
{
  SS_ASSERT (sequence != NULL && sequence->n_segments <= sequence->capacity && segment >= 0 &&
             segment < sequence->n_segments);

  const int size = ss_fesd_sequence_sample_size (sequence);
  const SsFesdSegment *own = &sequence->segments[segment];
  double *sample;
  SsStatus status = ss_fesd_sequence_insert (sequence, segment + 1, own->interval, (1 - theta) * own->length, err);

  if (status != SS_OK)
    return status;
  own = &sequence->segments[segment];
  memcpy (sequence->segments[segment + 1].mode, own->mode, (size_t)sequence->n_gaps * sizeof *own->mode);
  for (int i = 0; i <= 8 && status == SS_OK; i++) {
    sample = ss_fesd_sequence_add_sample (sequence, segment + 1, i / 8.0);
    if (sample == NULL)
      return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
    ss_fesd_sequence_sample (sequence, segment, theta + (1 - theta) * i / 8.0, sample);
    sample[0] = i / 8.0;
  }
  SsFesdSegment *first = &sequence->segments[segment];
  first->length *= theta;
  for (int i = 0; i < first->n_samples; i++)
    first->samples[(size_t)i * size] /= theta;
  while (first->n_samples > 1 && first->samples[(size_t)(first->n_samples - 1) * size] > 1)
    first->n_samples--;
  return SS_OK;
}

static bool
is_slip (SsFesdMode mode)
{
  return mode == SS_FESD_SLIP_PLUS || mode == SS_FESD_SLIP_MINUS;
}

static bool
has_friction (const SsFesdSequence *sequence, int gap)
{
  const int size = ss_fesd_sequence_sample_size (sequence), place = 1 + 2 * sequence->n_q + sequence->n_gaps + gap;

  for (int s = 0; s < sequence->n_segments; s++)
    for (int i = 0; i < sequence->segments[s].n_samples; i++)
      if (sequence->segments[s].samples[(size_t)i * size + place] != 0)
        return true;
  return false;
}

/* Last segment of the run of one mode of the gap that begins with `first`. */
static int
end_of_run (const SsFesdSequence *sequence, int gap, int first)
{
  int last = first;

  while (last + 1 < sequence->n_segments &&
         sequence->segments[last + 1].mode[gap] == sequence->segments[first].mode[gap])
    last++;
  return last;
}

static SsFesdMode
mode_at (const SsFesdSequence *sequence, int gap, int segment)
{
  return segment >= 0 && segment < sequence->n_segments ? sequence->segments[segment].mode[gap] : SS_FESD_OPEN;
}

/* What a run of stick becomes: the slip after it, or that before; OPEN: neither. */
static SsFesdMode
slip_beside (const SsFesdSequence *sequence, int gap, int first, int last)
{
  const SsFesdMode after = mode_at (sequence, gap, last + 1), before = mode_at (sequence, gap, first - 1);

  return is_slip (after) ? after : is_slip (before) ? before : SS_FESD_OPEN;
}

static SsStatus
change (const SsFesdSequence *from, int gap, int first, int last, bool add_stick, SsFesdSequence **out, SsError *err)
{
  SsStatus status = ss_fesd_sequence_copy (from, out, err);

  if (status != SS_OK)
    return status;
  SsFesdSequence *sequence = *out;
  if (add_stick) {
    status = ss_sequence_split (sequence, last, 0.5, err);
    if (status == SS_OK)
      sequence->segments[last + 1].mode[gap] = SS_FESD_STICK;
  } else {
    const SsFesdMode slip = from->segments[first].mode[gap] == SS_FESD_STICK ? slip_beside (from, gap, first, last)
                                                                             : from->segments[first].mode[gap];

    for (int s = first; s <= last; s++)
      sequence->segments[s].mode[gap] = slip;
    if (sequence->segments[first].jump[gap] == SS_FESD_STICK)
      sequence->segments[first].jump[gap] = slip;
  }
  if (status != SS_OK) {
    ss_fesd_sequence_free (sequence);
    *out = NULL;
  }
  return status;
}

SsStatus
ss_stick_move (const SsFesdSequence *from, int number, SsFesdSequence **out, SsError *err)
{
  SS_ASSERT (from != NULL && number >= 0 && out != NULL);

  *out = NULL;
  for (int gap = 0; gap < from->n_gaps; gap++) {
    if (!has_friction (from, gap))
      continue;
    for (int first = 0, last; first < from->n_segments; first = last + 1) {
      const SsFesdMode mode = from->segments[first].mode[gap];

      last = end_of_run (from, gap, first);
      const SsFesdMode after = mode_at (from, gap, last + 1);
      if (((mode == SS_FESD_STICK && slip_beside (from, gap, first, last) != SS_FESD_OPEN) ||
           (is_slip (mode) && from->segments[first].jump[gap] == SS_FESD_STICK)) &&
          number-- == 0)
        return change (from, gap, first, last, false, out, err);
      if (is_slip (mode) && (last + 1 == from->n_segments || (is_slip (after) && after != mode)) && number-- == 0)
        return change (from, gap, first, last, true, out, err);
    }
  }
  return SS_OK;
}

void
ss_sequence_stick (SsFesdSequence *sequence)
{
  SS_ASSERT (sequence != NULL && sequence->n_segments <= sequence->capacity);
  for (int gap = 0; gap < sequence->n_gaps; gap++) {
    if (!has_friction (sequence, gap))
      continue;
    for (int s = 0; s < sequence->n_segments; s++) {
      SsFesdMode *mode = &sequence->segments[s].mode[gap], *jump = &sequence->segments[s].jump[gap];

      *mode = is_slip (*mode) ? SS_FESD_STICK : *mode;
      *jump = is_slip (*jump) ? SS_FESD_STICK : *jump;
    }
  }
}
