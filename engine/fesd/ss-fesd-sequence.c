/* engine/fesd/ss-fesd-sequence.c: see the header. */
#include "fesd/ss-fesd-sequence.h"

#include <math.h>
#include <string.h>

/* Samples of which a state is made, and shares that are the same [of a segment]. */
enum { SS_FESD_SEQUENCE_WINDOW = 4 };
static const double same_share = 1e-9;

static void
clear_segment (SsFesdSegment *segment)
{
  ss_free (segment->mode);
  ss_free (segment->jump);
  ss_free (segment->impulse);
  ss_free (segment->shares);
  ss_free (segment->samples);
  memset (segment, 0, sizeof *segment);
}

static SsStatus
lacks_memory (SsError *err)
{
  return ss_error_set (err, SS_ERR_MEMORY, "no memory for a mode sequence");
}

SsStatus
ss_fesd_sequence_new (int n_intervals, int n_gaps, int n_q, int n_controls, double horizon, SsFesdSequence **out,
                      SsError *err)
{
  SS_ASSERT (out != NULL && n_intervals > 0 && n_gaps >= 0 && n_q >= 0 && n_controls >= 0);
  SsFesdSequence *sequence = ss_new (SsFesdSequence);

  *out = NULL;
  if (sequence == NULL)
    return lacks_memory (err);
  *sequence = (SsFesdSequence){.n_intervals = n_intervals,
                               .n_gaps = n_gaps,
                               .n_q = n_q,
                               .n_controls = n_controls,
                               .horizon = horizon,
                               .controls = ss_new_array (double, (size_t)n_intervals *(size_t)n_controls + 1)};
  if (sequence->controls == NULL) {
    ss_fesd_sequence_free (sequence);
    return lacks_memory (err);
  }
  *out = sequence;
  return SS_OK;
}

void
ss_fesd_sequence_free (SsFesdSequence *sequence)
{
  if (sequence == NULL)
    return;
  for (int i = 0; i < sequence->n_segments; i++)
    clear_segment (&sequence->segments[i]);
  ss_free (sequence->segments);
  ss_free (sequence->controls);
  ss_free (sequence);
}

int
ss_fesd_sequence_sample_size (const SsFesdSequence *sequence)
{
  SS_ASSERT (sequence != NULL && sequence->n_segments <= sequence->capacity);
  return 1 + 2 * sequence->n_q + 3 * sequence->n_gaps;
}

/* A copy of `count` items of that size; *ok becomes false without memory. */
static void *
duplicate (const void *from, int count, size_t size, bool *ok)
{
  void *to = ss_alloc ((size_t)count + 1, size);

  if (to == NULL)
    *ok = false;
  else if (count > 0)
    memcpy (to, from, (size_t)count * size);
  return to;
}

static bool
copy_segment (const SsFesdSequence *sequence, const SsFesdSegment *from, SsFesdSegment *to)
{
  const int n = sequence->n_gaps;
  bool ok = true;

  *to = *from;
  to->capacity = from->n_samples;
  to->mode = duplicate (from->mode, n, sizeof *to->mode, &ok);
  to->jump = duplicate (from->jump, n, sizeof *to->jump, &ok);
  to->impulse = duplicate (from->impulse, 2 * n, sizeof *to->impulse, &ok);
  to->shares = duplicate (from->shares, from->n_elements, sizeof *to->shares, &ok);
  to->samples =
      duplicate (from->samples, from->n_samples * ss_fesd_sequence_sample_size (sequence), sizeof (double), &ok);
  if (!ok)
    clear_segment (to);
  return ok;
}

SsStatus
ss_fesd_sequence_copy (const SsFesdSequence *from, SsFesdSequence **out, SsError *err)
{
  SS_ASSERT (from != NULL && out != NULL);

  SsFesdSequence *to;
  SsStatus status =
      ss_fesd_sequence_new (from->n_intervals, from->n_gaps, from->n_q, from->n_controls, from->horizon, &to, err);

  *out = NULL;
  if (status != SS_OK)
    return status;
  memcpy (to->controls, from->controls, (size_t)from->n_intervals * (size_t)from->n_controls * sizeof *to->controls);
  to->segments = ss_new_array (SsFesdSegment, from->n_segments + 1);
  to->capacity = from->n_segments;
  for (int i = 0; i < from->n_segments && to->segments != NULL; i++) {
    if (!copy_segment (from, &from->segments[i], &to->segments[i]))
      break;
    to->n_segments++;
  }
  if (to->n_segments < from->n_segments || to->segments == NULL) {
    ss_fesd_sequence_free (to);
    return lacks_memory (err);
  }
  *out = to;
  return SS_OK;
}

SsStatus
ss_fesd_sequence_insert (SsFesdSequence *sequence, int before, int interval, double length, SsError *err)
{
  const int n = sequence->n_gaps;
  SsFesdSegment made = {.interval = interval, .length = length, .n_elements = 1};

  SS_ASSERT (before >= 0 && before <= sequence->n_segments && interval >= 0 && interval < sequence->n_intervals);
  if (ss_array_reserve ((void **)&sequence->segments, &sequence->capacity, sequence->n_segments + 1,
                        sizeof *sequence->segments) != 0)
    return lacks_memory (err);
  made.mode = ss_new_array (SsFesdMode, n + 1);
  made.jump = ss_new_array (SsFesdMode, n + 1);
  made.impulse = ss_new_array (double, 2 * n + 1);
  made.shares = ss_new_array (double, 1);
  if (made.mode == NULL || made.jump == NULL || made.impulse == NULL || made.shares == NULL) {
    clear_segment (&made);
    return lacks_memory (err);
  }
  made.shares[0] = 1;
  memmove (sequence->segments + before + 1, sequence->segments + before,
           (size_t)(sequence->n_segments - before) * sizeof *sequence->segments);
  sequence->segments[before] = made;
  sequence->n_segments++;
  return SS_OK;
}

void
ss_fesd_sequence_remove (SsFesdSequence *sequence, int segment)
{
  SS_ASSERT (segment >= 0 && segment < sequence->n_segments);
  clear_segment (&sequence->segments[segment]);
  sequence->n_segments--;
  memmove (sequence->segments + segment, sequence->segments + segment + 1,
           (size_t)(sequence->n_segments - segment) * sizeof *sequence->segments);
}

double *
ss_fesd_sequence_add_sample (SsFesdSequence *sequence, int segment, double theta)
{
  SS_ASSERT (sequence != NULL && sequence->n_segments <= sequence->capacity && segment >= 0 &&
             segment < sequence->n_segments);

  SsFesdSegment *s = &sequence->segments[segment];
  const size_t size = (size_t)ss_fesd_sequence_sample_size (sequence);

  if (ss_array_reserve ((void **)&s->samples, &s->capacity, s->n_samples + 1, size * sizeof (double)) != 0)
    return NULL;
  double *sample = s->samples + (size_t)s->n_samples++ * size;
  memset (sample, 0, size * sizeof *sample);
  sample[0] = theta;
  return sample;
}

/* Weights of the samples of a window at theta, by the polynomial through them; those of equal theta as one. */
static int
choose_window (const SsFesdSegment *s, int size, double theta, int after, int window[], double weights[])
{
  int n = 0, left = after - 1, right = after;

  while (n < SS_FESD_SEQUENCE_WINDOW && (left >= 0 || right < s->n_samples)) {
    const bool goes_left = right >= s->n_samples || (left >= 0 && theta - s->samples[(size_t)left * size] <=
                                                                      s->samples[(size_t)right * size] - theta);
    const int next = goes_left ? left-- : right++;
    bool is_new = true;

    for (int i = 0; i < n; i++)
      is_new = is_new && fabs (s->samples[(size_t)window[i] * size] - s->samples[(size_t)next * size]) > same_share;
    if (is_new)
      window[n++] = next;
  }
  for (int i = 0; i < n; i++) {
    weights[i] = 1;
    for (int j = 0; j < n; j++) {
      const double at = s->samples[(size_t)window[j] * size];
      if (j != i)
        weights[i] *= (theta - at) / (s->samples[(size_t)window[i] * size] - at);
    }
  }
  return n;
}

void
ss_fesd_sequence_sample (const SsFesdSequence *sequence, int segment, double theta, double *out)
{
  const SsFesdSegment *s = &sequence->segments[segment];
  const int size = ss_fesd_sequence_sample_size (sequence);
  int window[SS_FESD_SEQUENCE_WINDOW], after = 0;
  double weights[SS_FESD_SEQUENCE_WINDOW];

  SS_ASSERT (s->n_samples > 0);
  while (after < s->n_samples && s->samples[(size_t)after * size] < theta)
    after++;
  const double *right = s->samples + (size_t)(after < s->n_samples ? after : s->n_samples - 1) * size;
  const double *left = after > 0 ? s->samples + (size_t)(after - 1) * size : right;
  const double room = right[0] - left[0], part = room > 0 ? (theta - left[0]) / room : 1;
  const int n = choose_window (s, size, theta, after, window, weights);

  for (int i = 0; i < size; i++)
    out[i] = left[i] + (part < 1 ? part : 1) * (right[i] - left[i]);
  for (int i = 1; i <= 2 * sequence->n_q && part > 0 && part < 1; i++) {
    out[i] = 0;
    for (int w = 0; w < n; w++)
      out[i] += weights[w] * s->samples[(size_t)window[w] * size + i];
  }
  out[0] = theta;
}

SsStatus
ss_fesd_sequence_divide (SsFesdSequence *sequence, int segment, int n_elements, const double *shares, SsError *err)
{
  SsFesdSegment *s = &sequence->segments[segment];
  double *own = ss_new_array (double, n_elements);

  SS_ASSERT (n_elements > 0);
  if (own == NULL)
    return lacks_memory (err);
  for (int i = 0; i < n_elements; i++)
    own[i] = shares != NULL ? shares[i] : 1.0 / n_elements;
  ss_free (s->shares);
  s->shares = own;
  s->n_elements = n_elements;
  return SS_OK;
}

bool
ss_fesd_sequence_can_shift (const SsFesdSequence *sequence, int segment, int gap, bool earlier)
{
  SS_ASSERT (segment >= 0 && segment < sequence->n_segments && gap >= 0 && gap < sequence->n_gaps);
  const SsFesdSegment *segments = sequence->segments;

  if (segment == 0 || segments[segment].interval == segments[segment - 1].interval ||
      segments[segment].jump[gap] != SS_FESD_OPEN || segments[segment].mode[gap] == segments[segment - 1].mode[gap])
    return false;
  const int first = earlier ? segment - 1 : segment, interval = segments[first].interval;
  for (int s = first; s >= 0 && s < sequence->n_segments && segments[s].interval == interval; s += earlier ? -1 : 1) {
    if (segments[s].jump[gap] != SS_FESD_OPEN)
      return false;
    if (segments[s].mode[gap] != segments[first].mode[gap])
      break;
  }
  return true;
}

void
ss_fesd_sequence_shift (SsFesdSequence *sequence, int segment, int gap, bool earlier)
{
  SS_ASSERT (ss_fesd_sequence_can_shift (sequence, segment, gap, earlier));
  SsFesdSegment *segments = sequence->segments;
  const int step = earlier ? -1 : 1, first = earlier ? segment - 1 : segment, interval = segments[first].interval;
  const SsFesdMode old = segments[first].mode[gap], new_ = segments[first - step].mode[gap];

  for (int s = first; s >= 0 && s < sequence->n_segments && segments[s].interval == interval; s += step) {
    if (segments[s].mode[gap] != old)
      break;
    segments[s].mode[gap] = new_;
  }
}

int
ss_fesd_sequence_n_elements (const SsFesdSequence *sequence)
{
  SS_ASSERT (sequence != NULL && sequence->n_segments <= sequence->capacity);

  int n = 0;

  for (int i = 0; i < sequence->n_segments; i++)
    n += sequence->segments[i].n_elements;
  return n;
}

int
ss_fesd_sequence_most_elements (const SsFesdSequence *sequence)
{
  SS_ASSERT (sequence != NULL && sequence->n_segments <= sequence->capacity);

  int most = 0;

  for (int s = 0, n = 0; s < sequence->n_segments; s++) {
    const bool is_first = s == 0 || sequence->segments[s].interval != sequence->segments[s - 1].interval;

    n = (is_first ? 0 : n) + sequence->segments[s].n_elements;
    most = n > most ? n : most;
  }
  return most;
}

void
ss_fesd_sequence_places (const SsFesdSequence *sequence, SsFesdPlace *places)
{
  SS_ASSERT (sequence != NULL && sequence->n_segments <= sequence->capacity);

  int k = 0;

  for (int i = 0; i < sequence->n_segments; i++) {
    const SsFesdSegment *s = &sequence->segments[i];
    double at = 0;

    for (int j = 0; j < s->n_elements; j++) {
      const double next = j == s->n_elements - 1 ? 1 : at + s->shares[j];

      places[k++] =
          (SsFesdPlace){.segment = i, .number = j, .first = at, .last = next, .length = s->shares[j] * s->length};
      at = next;
    }
  }
}

double
ss_fesd_sequence_largest_gap (const SsFesdSequence *sequence, int segment, int gap)
{
  SS_ASSERT (sequence != NULL && sequence->n_segments <= sequence->capacity && segment >= 0 &&
             segment < sequence->n_segments);

  const SsFesdSegment *s = &sequence->segments[segment];
  const int size = ss_fesd_sequence_sample_size (sequence);
  double largest = 0;

  for (int i = 0; i < s->n_samples; i++)
    largest = fmax (largest, s->samples[(size_t)(i + 1) * size - sequence->n_gaps + gap]);
  return largest;
}

bool
ss_fesd_sequence_jumps (const SsFesdSequence *sequence, int segment)
{
  SS_ASSERT (sequence != NULL && sequence->n_segments <= sequence->capacity);

  bool jumps = false;

  for (int l = 0; l < sequence->n_gaps; l++)
    jumps = jumps || sequence->segments[segment].jump[l] != SS_FESD_OPEN;
  return jumps;
}

bool
ss_fesd_sequence_same_modes (const SsFesdSequence *sequence, int a, int b)
{
  return sequence->n_gaps == 0 || memcmp (sequence->segments[a].mode, sequence->segments[b].mode,
                                          (size_t)sequence->n_gaps * sizeof (SsFesdMode)) == 0;
}
