/* engine/transcribe/ss-fesd-j-steps.c: mode sequences from plans in time steps; see ss-fesd-fixed.h. */
#include "transcribe/ss-fesd-fixed.h"
#include "transcribe/ss-fesd-j-private.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Part of the largest force below which another is none. */
static const double no_force = 1e-6;
/* A gap that touches [m]: of a plan in time steps, whose products are below 1e-6. */
static const double touching = 2e-6;
/* Approach to a contact of a first step that makes it an impact [m/s]. */
static const double approaching = 1e-5;
/* What happens within a step does so at least this part of it away from both its ends; two that are as near to each
 * other happen at once: a smooth problem moves them from there. */
static const double room = 0.1;
/* Part of the cone that is left where a contact sticks. */
static const double in_cone = 1e-5;
/* A slip that is none, of the largest speed. */
static const double no_slip = 1e-4;

/* A plan of n steps as it is at their ends: row k is the end of step k - 1. */
typedef struct {
  SsPlan plan; /* the source's in those steps; the transcription borrows it */
  SsFesd *t;
  int n, n_gaps, n_q;
  double h;
  double *states;    /* (n + 1) * 2 n_q */
  double *gaps;      /* (n + 1) * n_gaps */
  double *slips;     /* likewise */
  double *forces;    /* (n + 1) * 2 n_gaps: of the step that ends there */
  double *controls;  /* n * n_controls */
  SsFesdMode *modes; /* n * n_gaps: of the steps */
  double *moved;     /* n_q: scratch */
  SsFesdSequence *sequence;
} Steps;

/* ---- what a plan says -------------------------------------------------------------------------------------------- */

static void
close_steps (Steps *s)
{
  ss_transcription_fesd_j.close (s->t);
  ss_fesd_sequence_free (s->sequence);
  ss_free (s->states);
  ss_free (s->gaps);
  ss_free (s->slips);
  ss_free (s->forces);
  ss_free (s->controls);
  ss_free (s->modes);
  ss_free (s->moved);
}

static SsStatus
open_steps (const SsScenario *source, const SsTranscribeOptions *options, Steps *s, SsError *err)
{
  SsStatus status = ss_fesd_open_plan (source, options, &s->plan, &s->t, err);
  if (status != SS_OK)
    return status;
  s->n = s->plan.steps;
  s->h = s->plan.horizon / s->plan.steps;
  s->n_gaps = s->t->n_contacts;
  s->n_q = 3 * source->scene->n_bodies;
  const size_t rows = (size_t)s->n + 1, n_gaps = (size_t)s->n_gaps + 1;
  s->states = ss_new_array (double, rows * 2 * (size_t)s->n_q + 1);
  s->gaps = ss_new_array (double, rows *n_gaps);
  s->slips = ss_new_array (double, rows *n_gaps);
  s->forces = ss_new_array (double, rows * 2 * n_gaps);
  s->controls = ss_new_array (double, rows *(size_t)source->scene->n_actuators + 1);
  s->modes = ss_new_array (SsFesdMode, rows * n_gaps);
  s->moved = ss_new_array (double, s->n_q + 1);
  if (s->states == NULL || s->gaps == NULL || s->slips == NULL || s->forces == NULL || s->controls == NULL ||
      s->modes == NULL || s->moved == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  return ss_fesd_sequence_new (s->n, s->n_gaps, s->n_q, source->scene->n_actuators, s->plan.horizon, &s->sequence, err);
}

/* Forces of joints' limits, which an iterate of fesd-j does not take from a motion. */
static void
read_limits (Steps *s, const SsTrajectory *motion)
{
  const SsFesd *t = s->t;
  char name[SS_CHANNEL_NAME_MAX];

  for (int l = s->n_gaps - t->n_limits; l < s->n_gaps; l++) {
    const SsFesdContact *limit = &t->contacts[l];

    snprintf (name, sizeof name, "%s.lambda_%s", t->base.scene->joints[limit->joint].name,
              limit->is_upper ? "upper" : "lower");
    const int channel = ss_trajectory_channel (motion, name);
    for (int k = 1; k <= s->n && channel > 0 && motion->n_rows == s->n + 1; k++)
      s->forces[2 * (k * s->n_gaps + l)] = fmax (ss_trajectory_row (motion, k)[channel], 0);
  }
}

/* The plan as an iterate of one element a step, whose last stage is the step's end. */
static SsStatus
read_rows (Steps *s, const SsTrajectory *motion, SsError *err)
{
  const SsFesd *t = s->t;
  const int n_q = s->n_q, n_actuators = t->base.scene->n_actuators, last = t->tableau.n - 1;
  double *x = ss_new_array (double, (size_t)(s->n + 1) * (size_t)t->base.n_variables + 1),
         *slots = ss_new_array (double, 2 * n_q + 1);
  SsStatus status = x != NULL && slots != NULL ? ss_fesd_guess (t, motion, x, err)
                                               : ss_error_set (err, SS_ERR_MEMORY, "out of memory");

  for (int k = 0; k <= s->n && status == SS_OK; k++) {
    const double *point = x + (size_t)k * t->base.n_variables, *before = point - t->base.n_variables;
    double *q = s->states + (size_t)k * 2 * n_q;

    ss_fesd_get_state (t, t->base.q, t->base.v, point, slots, q, q + n_q);
    for (int a = 0; a < n_actuators && k < s->n; a++)
      s->controls[k * n_actuators + a] = point[t->base.u[a]];
    for (int l = 0; l < s->n_gaps; l++) {
      const SsFesdSide *side = &t->contacts[l].stage[last];
      const int at = k * s->n_gaps + l;

      s->slips[at] = 0;
      s->gaps[at] =
          ss_fesd_gap_value (t, &t->contacts[l], q, q + n_q, t->contacts[l].has_friction ? &s->slips[at] : NULL);
      s->forces[2 * at] = k > 0 ? before[side->force] : 0;
      s->forces[2 * at + 1] = 0;
      if (k > 0 && side->force_1 != SS_NO_VARIABLE)
        s->forces[2 * at + 1] = before[side->force_1] - (side->force_2 != SS_NO_VARIABLE ? before[side->force_2] : 0);
    }
  }
  if (status == SS_OK)
    read_limits (s, motion);
  ss_free (x);
  ss_free (slots);
  return status;
}

static double
largest_of (const double *values, int n, int stride)
{
  double largest = 0;

  for (int i = 0; i < n; i++)
    largest = fmax (largest, fabs (values[(size_t)i * stride]));
  return largest;
}

/* Of a contact that is closed without a force. */
static SsFesdMode
mode_by_slip (const SsFesdContact *contact, double slip, double slow)
{
  return contact->has_friction && fabs (slip) <= slow ? SS_FESD_STICK
         : contact->has_friction && slip < 0          ? SS_FESD_SLIP_MINUS
                                                      : SS_FESD_SLIP_PLUS;
}

/* Modes of all steps. A gap that touches where the step begins and where it ends is closed, also without a force. */
static void
find_modes (Steps *s)
{
  const int n = s->n_gaps;
  const double least = no_force * largest_of (s->forces, (s->n + 1) * n, 2),
               slow = no_slip * largest_of (s->slips, (s->n + 1) * n, 1);

  for (int k = 0; k < s->n; k++)
    for (int l = 0; l < n; l++) {
      const int end = (k + 1) * n + l;
      const SsFesdContact *contact = &s->t->contacts[l];
      const double normal = s->forces[2 * end], bound = ss_fesd_law_of (s->t, contact)->mu * normal,
                   tangential = s->forces[2 * end + 1];
      const bool touches = fabs (s->gaps[end]) <= touching && fabs (s->gaps[end - n]) <= touching,
                 acts = normal > least && s->gaps[end] <= fmax (touching, 0.01 * s->gaps[end - n]);
      SsFesdMode *mode = &s->modes[k * n + l];

      *mode = !acts && !touches ? SS_FESD_OPEN : mode_by_slip (contact, s->slips[end], slow);
      if (acts && contact->has_friction && *mode != SS_FESD_STICK)
        *mode = fabs (tangential) < bound * (1 - in_cone) ? SS_FESD_STICK
                : tangential > 0                          ? SS_FESD_SLIP_MINUS
                                                          : SS_FESD_SLIP_PLUS;
    }
}

/* ---- what happens in a step -------------------------------------------------------------------------------------- */

/* Rate of a gap at a row: difference along the motion. */
static double
rate_of (const Steps *s, int row, int gap)
{
  static const double time = 1e-6; /* [s] */
  const double *q = s->states + (size_t)row * 2 * s->n_q;
  double value = 0;

  for (int side = -1; side <= 1; side += 2) {
    for (int i = 0; i < s->n_q; i++)
      s->moved[i] = q[i] + side * time * q[s->n_q + i];
    value += side * ss_fesd_gap_value (s->t, &s->t->contacts[gap], s->moved, NULL, NULL);
  }
  return value / (2 * time);
}

static double
within (double share)
{
  return isfinite (share) ? fmin (fmax (share, room), 1 - room) : 0.5;
}

/* The part of step k before the gap's mode changes; 0: it changes where the step begins. */
static double
share_before (const Steps *s, int k, int l)
{
  const int n = s->n_gaps, start = k * n + l;
  const SsFesdMode before = s->modes[(k - 1) * n + l], after = s->modes[k * n + l];

  if (before == SS_FESD_OPEN)
    return s->gaps[start] <= touching ? 0 : within (-s->gaps[start] / (s->h * rate_of (s, k, l)));
  if (after == SS_FESD_OPEN || before == SS_FESD_STICK)
    return 0;
  if (after == SS_FESD_STICK)
    return within (k > 1 ? fabs (s->slips[start]) / fabs (s->slips[start - n] - s->slips[start]) : NAN);
  return within (fabs (s->slips[start]) / (fabs (s->slips[start]) + fabs (s->slips[start + n])));
}

/* Of every gap of step k, the part of it before its mode changes; what changes in a step in which a gap closes does so
 * when the first one closes, as an impact makes others open, slip and stick. -1: it stays as it is. */
static void
find_shares (const Steps *s, int k, double *shares)
{
  const int n = s->n_gaps;
  double first = INFINITY;

  for (int l = 0; l < n; l++) {
    const bool changes = k > 0 && s->modes[(k - 1) * n + l] != s->modes[k * n + l];

    shares[l] = changes ? share_before (s, k, l) : -1;
    if (changes && s->modes[(k - 1) * n + l] == SS_FESD_OPEN)
      first = fmin (first, shares[l]);
  }
  for (int l = 0; l < n && isfinite (first); l++)
    if (shares[l] >= 0 && s->modes[(k - 1) * n + l] != SS_FESD_OPEN)
      shares[l] = first;
  for (int l = 0; l < n; l++) /* what is near happens at once */
    for (int i = 0; i < n; i++)
      if (shares[l] > shares[i] && shares[i] > 0 && shares[l] - shares[i] < room)
        shares[l] = shares[i];
}

/* ---- segments ---------------------------------------------------------------------------------------------------- */

/* A sample of step k at that part of it: poses on the line between its ends, velocities of one of them. */
static SsStatus
add_sample (Steps *s, int k, double theta, double share, bool is_after, SsError *err)
{
  const int n_q = s->n_q, n = s->n_gaps;
  const double *from = s->states + (size_t)k * 2 * n_q, *to = from + 2 * n_q;
  const int forces = (k + 1 < s->n && is_after && share > 0 && share < 1 ? k + 2 : k + 1) * n;
  double *sample = ss_fesd_sequence_add_sample (s->sequence, s->sequence->n_segments - 1, theta);

  if (sample == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  for (int i = 0; i < n_q; i++) {
    sample[1 + i] = from[i] + share * (to[i] - from[i]);
    sample[1 + n_q + i] = is_after ? to[n_q + i] : from[n_q + i];
  }
  for (int l = 0; l < n; l++) {
    const bool acts = s->sequence->segments[s->sequence->n_segments - 1].mode[l] != SS_FESD_OPEN;

    sample[1 + 2 * n_q + l] = acts ? s->forces[2 * (forces + l)] : 0;
    sample[1 + 2 * n_q + n + l] = acts ? s->forces[2 * (forces + l) + 1] : 0;
    sample[1 + 2 * n_q + 2 * n + l] = ss_fesd_gap_value (s->t, &s->t->contacts[l], sample + 1, NULL, NULL);
  }
  return SS_OK;
}

/* Impulses of the last segment, whose left point is in step k: what the step gave beyond the one after it. */
static void
set_jumps (Steps *s, int k)
{
  const int n = s->n_gaps;
  SsFesdSegment *segment = &s->sequence->segments[s->sequence->n_segments - 1];

  for (int l = 0; l < n; l++) {
    const double *own = s->forces + 2 * ((k + 1) * n + l);
    const double rest = k + 1 < s->n ? own[2 * n] : 0, part = own[0] > 0 ? fmax (1 - rest / own[0], room) : 0;

    segment->jump[l] = segment->mode[l];
    if (segment->mode[l] == SS_FESD_OPEN)
      continue;
    segment->impulse[2 * l] = part * own[0] * s->h;
    segment->impulse[2 * l + 1] = part * own[1] * s->h;
  }
}

/* The segment of step k from one part of it to another. */
static SsStatus
add_segment (Steps *s, int k, double from, double to, const SsFesdMode *modes, bool jumps, SsError *err)
{
  const int at = s->sequence->n_segments;
  const bool is_first = from == 0, is_last = to == 1;
  SsStatus status = ss_fesd_sequence_insert (s->sequence, at, k, (to - from) * s->h, err);

  if (status != SS_OK)
    return status;
  memcpy (s->sequence->segments[at].mode, modes, (size_t)s->n_gaps * sizeof *modes);
  if (jumps)
    set_jumps (s, k);
  status = add_sample (s, k, 0, from, !is_first, err);
  if (status == SS_OK)
    status = add_sample (s, k, 1, to, is_last, err);
  return status;
}

/* Whether a gap is closed from the start and hits there. */
static bool
hits_at_start (const Steps *s)
{
  for (int l = 0; l < s->n_gaps; l++)
    if (s->modes[l] != SS_FESD_OPEN && rate_of (s, 0, l) < -approaching)
      return true;
  return false;
}

/* Segments of step k. shares[n_gaps] and modes[n_gaps] are scratch; `modes` has those of the step before. */
static SsStatus
add_step (Steps *s, int k, double *shares, SsFesdMode *modes, SsError *err)
{
  const int n = s->n_gaps;
  double from = 0;
  bool jumps = k == 0 && hits_at_start (s);
  SsStatus status = SS_OK;

  find_shares (s, k, shares);
  for (int l = 0; l < n; l++)
    if (shares[l] <= 0) {
      jumps = jumps || (k > 0 && modes[l] == SS_FESD_OPEN && s->modes[k * n + l] != SS_FESD_OPEN);
      modes[l] = s->modes[k * n + l];
    }
  while (from < 1 && status == SS_OK) {
    double to = 1;

    for (int l = 0; l < n; l++)
      if (shares[l] > from)
        to = fmin (to, shares[l]);
    status = add_segment (s, k, from, to, modes, jumps, err);
    jumps = false;
    for (int l = 0; l < n; l++)
      if (shares[l] == to) {
        jumps = jumps || modes[l] == SS_FESD_OPEN;
        modes[l] = s->modes[k * n + l];
      }
    from = to;
  }
  return status;
}

SsStatus
ss_fesd_sequence_from_steps (const SsScenario *source, const SsTranscribeOptions *options, const SsTrajectory *motion,
                             SsFesdSequence **out, SsError *err)
{
  SS_ASSERT (options != NULL && out != NULL);

  SsTranscribeOptions own = *options;
  SsFesdOptions fesd;
  Steps s = {0};
  SsScenario timed = *source;
  SsPlan plan;

  *out = NULL;
  const SsPlan *told = source->task.plan;
  if (told != NULL && told->is_time_free && motion->n_rows > 1) { /* its end is that of the rows */
    plan = *told;
    plan.horizon = ss_trajectory_row (motion, motion->n_rows - 1)[0] - ss_trajectory_row (motion, 0)[0];
    timed.task.plan = &plan;
  }
  if (options->own != NULL)
    fesd = *(const SsFesdOptions *)options->own;
  else
    ss_options_init (&ss_fesd_option_table, &fesd);
  fesd.elements = 1;
  fesd.scheme = SS_TABLEAU_RADAU_IIA;
  fesd.sequence = NULL;
  own.own = &fesd;
  SsStatus status = open_steps (&timed, &own, &s, err);
  double *shares = ss_new_array (double, s.n_gaps + 1);
  SsFesdMode *modes = ss_new_array (SsFesdMode, s.n_gaps + 1);
  if (status == SS_OK && (shares == NULL || modes == NULL))
    status = ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  if (status == SS_OK)
    status = read_rows (&s, motion, err);
  if (status == SS_OK) {
    find_modes (&s);
    memcpy (s.sequence->controls, s.controls, (size_t)s.n * (size_t)source->scene->n_actuators * sizeof *s.controls);
  }
  for (int k = 0; k < s.n && status == SS_OK; k++)
    status = add_step (&s, k, shares, modes, err);
  if (status == SS_OK) {
    *out = s.sequence;
    s.sequence = NULL;
  }
  ss_free (shares);
  ss_free (modes);
  close_steps (&s);
  return status;
}
