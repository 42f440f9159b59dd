/* engine/plan/ss-sequence-changes.c: see the header. */
#include "plan/ss-sequence-changes.h"

#include "plan/ss-stick-moves.h"

#include <math.h>
#include <string.h>

const char *const ss_sequence_change_names[SS_SEQUENCE_N_CHANGES] = {"a switch an interval earlier or later",
                                                                     "one touch less", "one touch more"};

/* ---- switches ---------------------------------------------------------------------------------------------------- */

static bool
shift (SsFesdSequence *sequence, int number)
{
  for (int s = 1; s < sequence->n_segments; s++)
    for (int l = 0; l < sequence->n_gaps; l++)
      for (int way = 0; way < 2; way++) {
        SsFesdMode *mode = sequence->segments[s].mode;

        if (mode[l] != sequence->segments[s - 1].mode[l] && ss_fesd_sequence_can_shift (sequence, s, l, way == 0) &&
            number-- == 0) {
          ss_fesd_sequence_shift (sequence, s, l, way == 0);
          return true;
        }
      }
  return false;
}

/* ---- touches ----------------------------------------------------------------------------------------------------- */

/* The touch with the smallest impulse above `*above` [N s], which is set to that impulse; -1: there is none. */
static int
find_touch (const SsFesdSequence *sequence, double *above, int *gap)
{
  double least = INFINITY;
  int first = -1;

  for (int i = 1; i < sequence->n_segments; i++)
    for (int l = 0; l < sequence->n_gaps; l++) {
      const double impulse = sequence->segments[i].impulse[2 * l];

      if (sequence->segments[i].jump[l] != SS_FESD_OPEN && sequence->segments[i - 1].mode[l] == SS_FESD_OPEN &&
          impulse > *above && impulse < least) {
        least = impulse;
        first = i;
        *gap = l;
      }
    }
  *above = least;
  return first;
}

static bool
take_out (SsFesdSequence *sequence, int number)
{
  double above = -INFINITY;
  int first = -1, gap = -1;

  for (int i = 0; i <= number; i++)
    first = find_touch (sequence, &above, &gap);
  if (first < 0)
    return false;
  sequence->segments[first].jump[gap] = SS_FESD_OPEN;
  for (int i = first; i < sequence->n_segments && sequence->segments[i].mode[gap] != SS_FESD_OPEN; i++)
    sequence->segments[i].mode[gap] = SS_FESD_OPEN;
  return true;
}

/* Where in a flight of the gap it is smallest, away from the flight's ends; false: nowhere. */
static bool
find_approach (const SsFesdSequence *sequence, int gap, int *segment, double *theta)
{
  const int size = ss_fesd_sequence_sample_size (sequence);
  double least = INFINITY, before = INFINITY, here = INFINITY;
  int at = -1, number = -1;

  /* a local minimum over the samples in a row: smaller than both neighbours */
  for (int s = 0; s < sequence->n_segments; s++) {
    const SsFesdSegment *own = &sequence->segments[s];

    for (int i = 0; i < own->n_samples; i++) {
      const double next =
          own->mode[gap] == SS_FESD_OPEN ? own->samples[(size_t)(i + 1) * size - sequence->n_gaps + gap] : INFINITY;

      if (at >= 0 && isfinite (here) && here < before && here < next && isfinite (next) && isfinite (before) &&
          here < least) {
        least = here;
        *segment = at;
        *theta = sequence->segments[at].samples[(size_t)number * size];
      }
      if (next != here) {
        before = here;
        here = next;
        at = s;
        number = i;
      }
    }
  }
  return isfinite (least) && *theta > 0.05 && *theta < 0.95;
}

static SsStatus
put_in (SsFesdSequence *sequence, int number, bool *is_one, SsError *err)
{
  for (int l = 0; l < sequence->n_gaps; l++) {
    bool touches = false;
    int segment = -1;
    double theta = 0;

    for (int i = 1; i < sequence->n_segments; i++)
      touches = touches || sequence->segments[i].jump[l] != SS_FESD_OPEN;
    if (!touches || !find_approach (sequence, l, &segment, &theta) || number-- > 0)
      continue;
    SsStatus status = ss_sequence_split (sequence, segment, theta, err);
    if (status == SS_OK)
      sequence->segments[segment + 1].jump[l] = SS_FESD_SLIP_PLUS;
    *is_one = status == SS_OK;
    return status;
  }
  return SS_OK;
}

SsStatus
ss_sequence_change (SsFesdSequence *sequence, SsSequenceChange kind, int number, bool *is_one, SsError *err)
{
  SS_ASSERT (is_one != NULL);
  *is_one = false;
  if (kind == SS_SEQUENCE_MORE)
    return put_in (sequence, number, is_one, err);
  *is_one = kind == SS_SEQUENCE_SHIFT ? shift (sequence, number) : take_out (sequence, number);
  return SS_OK;
}
