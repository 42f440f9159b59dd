/* engine/transcribe/ss-fesd-j-near.c: what a plan by fesd-j with fixed modes takes from the motion of its sequence: the
 * cost of leaving it, and the guess; see ss-fesd-fixed.h. */
#include "transcribe/ss-fesd-fixed.h"
#include "transcribe/ss-fesd-j-private.h"

#include <math.h>
#include <string.h>

/* Of a distance, a speed or a control that is none in the whole sequence [m, m/s, N and the like]. */
static const double least_scale = 1e-2;

/* ---- the cost of leaving it -------------------------------------------------------------------------------------- */

/* Adds the square of a difference over a scale to the sum. */
static SsExpr
add_square (const SsFesd *t, SsExpr sum, SsExpr value, double reference, double scale)
{
  SsGraph *g = t->base.graph;
  const SsExpr off = ss_expr_scale (g, 1 / scale, ss_expr_sub (g, value, ss_fesd_number (t, reference)));

  return ss_expr_add (g, sum, ss_expr_mul (g, off, off));
}

/* Left points of an element and its length, and controls of an interval, as near to the sequence's as `scales` say:
 * positions and rates of the slots, controls. `slots`: scratch and the point's own. */
static void
add_near_element (SsFesd *t, int k, const SsFesdPlace *place, const double *slots, const double *scales)
{
  const SsFesdSequence *sequence = t->options.sequence;
  const int n = 3 * t->base.scene->n_bodies, n_controls = sequence->n_controls;
  const double *controls = sequence->controls + sequence->segments[place->segment].interval * n_controls;
  SsExpr sum = ss_fesd_number (t, 0);

  for (int i = 0; i < n; i++) {
    if (t->base.q[i] != SS_NO_VARIABLE)
      sum = add_square (t, sum, ss_fesd_variable (t, t->base.q[i], 0), slots[i], scales[i]);
    if (t->base.v[i] != SS_NO_VARIABLE)
      sum = add_square (t, sum, ss_fesd_variable (t, t->base.v[i], 0), slots[n + i], scales[n + i]);
  }
  sum = add_square (t, sum, t->length, place->length, sequence->horizon / sequence->n_intervals);
  for (int a = 0; a < n_controls && t->base.u[a] != SS_NO_VARIABLE; a++)
    sum = add_square (t, sum, ss_fesd_variable (t, t->base.u[a], 0), controls[a], scales[2 * n + a]);
  ss_transcription_add_cost (&t->base, "near", k, k, 1, true,
                             ss_expr_scale (t->base.graph, t->options.near / t->n_points, sum));
}

SsStatus
ss_fesd_add_near (SsFesd *t, const SsFesdPlace *places, SsError *err)
{
  SS_ASSERT (t != NULL && t->n_contacts <= t->contact_capacity);

  const SsFesdSequence *sequence = t->options.sequence;
  const int n = 3 * t->base.scene->n_bodies, n_controls = sequence->n_controls, K = t->n_points;
  double *slots = ss_new_array (double, (size_t)(2 * n) * (size_t)K + 1),
         *scales = ss_new_array (double, 2 * n + n_controls + 1),
         *sample = ss_new_array (double, ss_fesd_sequence_sample_size (sequence));
  SsStatus status = slots != NULL && scales != NULL && sample != NULL ? SS_OK : SS_ERR_MEMORY;

  for (int k = 0; k < K && status == SS_OK; k++) {
    double *at = slots + (size_t)(2 * n) * (size_t)k;

    ss_fesd_sequence_sample (sequence, places[k].segment, places[k].first, sample);
    ss_transcription_find_slots (&t->base, sample + 1, sample + 1 + n, at, at + n);
    for (int i = 0; i < 2 * n; i++)
      scales[i] = fmax (scales[i], i < n ? fabs (at[i] - slots[i]) : fabs (at[i]));
  }
  for (int i = 0; i < sequence->n_intervals * n_controls && status == SS_OK; i++)
    scales[2 * n + i % n_controls] = fmax (scales[2 * n + i % n_controls], fabs (sequence->controls[i]));
  for (int i = 0; i < 2 * n + n_controls && status == SS_OK; i++)
    scales[i] = fmax (scales[i], least_scale);
  for (int k = 0; k < K && status == SS_OK; k++)
    add_near_element (t, k, &places[k], slots + (size_t)(2 * n) * (size_t)k, scales);
  ss_free (slots);
  ss_free (scales);
  ss_free (sample);
  return status == SS_OK ? SS_OK : ss_error_set (err, status, "out of memory");
}

/* ---- the guess --------------------------------------------------------------------------------------------------- */

static void
set (double *x, int variable, double value)
{
  if (variable != SS_NO_VARIABLE)
    x[variable] = value;
}

static void
set_side (const SsFesd *t, const SsFesdContact *contact, const SsFesdSide *side, const double *sample, double *x)
{
  const int n = 3 * t->base.scene->n_bodies;

  set (x, side->y, ss_fesd_gap_value (t, contact, sample + 1, sample + 1 + n, NULL));
}

SsStatus
ss_fesd_guess_fixed (const SsFesd *t, double *x, SsError *err)
{
  SS_ASSERT (t != NULL && t->n_contacts <= t->contact_capacity);

  const SsFesdSequence *sequence = t->options.sequence;
  const int n = 3 * t->base.scene->n_bodies, n_gaps = t->n_contacts, size = ss_fesd_sequence_sample_size (sequence);
  double *sample = ss_new_array (double, size + 2 * n), *work = sample != NULL ? sample + size : NULL, time = 0;
  int k = 0;

  if (sample == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  for (int s = 0; s < sequence->n_segments; s++) {
    const SsFesdSegment *segment = &sequence->segments[s];
    double first = 0;

    for (int e = 0; e < segment->n_elements; e++, k++) {
      double *point = x + (size_t)k * t->base.n_variables;
      const double h = segment->shares[e] * segment->length;

      for (int j = -1; j < t->tableau.n; j++) {
        ss_fesd_sequence_sample (sequence, s, first + (j < 0 ? 0 : t->tableau.c[j]) * segment->shares[e], sample);
        ss_fesd_set_state (t, j < 0 ? t->base.q : t->stage_q + j * n, j < 0 ? t->base.v : t->stage_v + j * n,
                           sample + 1, sample + 1 + n, work, point);
        for (int l = 0; l < n_gaps; l++) {
          const SsFesdSide *side = j < 0 ? &t->contacts[l].left : &t->contacts[l].stage[j];
          const bool acts = j < 0 ? e == 0 : segment->mode[l] != SS_FESD_OPEN;

          set_side (t, &t->contacts[l], side, sample, point);
          set (point, side->force, !acts ? 0 : j < 0 ? segment->impulse[2 * l] : sample[1 + 2 * n + l]);
          set (point, side->force_1, !acts ? 0 : j < 0 ? segment->impulse[2 * l + 1] : sample[1 + 2 * n + n_gaps + l]);
        }
      }
      for (int a = 0; a < t->base.scene->n_actuators; a++)
        set (point, t->base.u[a], sequence->controls[segment->interval * sequence->n_controls + a]);
      point[t->base.clock] = time;
      point[t->base.h] = h;
      set (point, t->horizon, sequence->horizon);
      time += h;
      first += segment->shares[e];
    }
  }
  if (k > 0) { /* the end repeats the last stage */
    double *last = x + (size_t)k * t->base.n_variables, *before = last - t->base.n_variables;
    const int end = t->tableau.n - 1;

    memcpy (last, before, (size_t)t->base.n_variables * sizeof *last);
    last[t->base.clock] = time;
    for (int j = -1; j < t->tableau.n; j++) {
      ss_fesd_set_state (t, j < 0 ? t->base.q : t->stage_q + j * n, j < 0 ? t->base.v : t->stage_v + j * n, sample + 1,
                         sample + 1 + n, work, last);
      for (int l = 0; l < n_gaps; l++) {
        const SsFesdSide *from = &t->contacts[l].stage[end],
                         *to = j < 0 ? &t->contacts[l].left : &t->contacts[l].stage[j];

        last[to->y] = before[from->y];
        last[to->force] = j < 0 ? 0 : before[from->force];
        set (last, to->force_1, j < 0 || from->force_1 == SS_NO_VARIABLE ? 0 : before[from->force_1]);
      }
    }
  }
  ss_free (sample);
  return SS_OK;
}
