/* engine/transcribe/ss-fesd-j-read.c: mode sequences from iterates and motions; see ss-fesd-fixed.h. */
#include "transcribe/ss-fesd-fixed.h"
#include "transcribe/ss-fesd-j-private.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Of the horizon: a span of time as short is none. */
static const double no_time = 1e-9;
/* Part of the largest force or impulse below which another is rounding of it. */
static const double no_force = 1e-9;
/* Room left in the cone, as a part of it, from which on the integrator's contact sticks: in slip it is exact. */
static const double in_cone = 1e-7;
/* A gap of a contact that carries its force [m]: of several corners those that touch. */
static const double touching = 1e-6;
/* Approach that makes an impulse one of an impact [m/s]: what a projection onto a curved gap takes away is less. */
static const double approaching = 1e-5;
/* In the place of forces and impulses of limits that are reached, which motions do not tell [N, N m, N s, N m s]. */
static const double some_force = 1;
/* Change of velocity of the lighter body that makes an impulse of a relaxed problem one [m/s]. */
static const double jumping = 1e-3;

/* A span of time in constant modes. */
typedef struct {
  double t, length;
  SsFesdMode *mode, *jump; /* n_gaps */
  double *impulse;         /* 2 n_gaps */
} Span;

typedef struct {
  SsFesd *t;
  SsPlan plan;
  SsFesdSequence *sequence;
  double interval; /* [s] */
  Span span;
  double *before; /* state before the span: q, v */
  double *sample; /* scratch */
  double *slots;  /* likewise, 2 n_q */
} Reader;

/* ---- opening ----------------------------------------------------------------------------------------------------- */

static void
close_reader (Reader *r)
{
  ss_transcription_fesd_j.close (r->t);
  ss_fesd_sequence_free (r->sequence);
  ss_free (r->span.mode);
  ss_free (r->span.jump);
  ss_free (r->span.impulse);
  ss_free (r->before);
  ss_free (r->sample);
  ss_free (r->slots);
}

SsStatus
ss_fesd_open_plan (const SsScenario *source, const SsTranscribeOptions *options, SsPlan *plan, SsFesd **out,
                   SsError *err)
{
  SS_ASSERT (source != NULL && plan != NULL && out != NULL);

  void *state = NULL;
  int n_variables = 0;

  *out = NULL;
  if (source->scene == NULL || source->task.plan == NULL)
    return ss_error_set (err, SS_ERR_INVALID, "'%s' has no plan whose modes could be read", source->name);
  *plan = *source->task.plan;
  SsStatus status = ss_transcribe_set_steps (options, plan, err);
  if (status == SS_OK)
    status = ss_transcription_fesd_j.open (source, plan, options, &state, &n_variables, err);
  *out = state;
  return status;
}

/* To be closed also after an error. */
static SsStatus
open_reader (const SsScenario *source, const SsTranscribeOptions *options, Reader *r, SsError *err)
{
  *r = (Reader){0};
  SsStatus status = ss_fesd_open_plan (source, options, &r->plan, &r->t, err);
  if (status != SS_OK)
    return status;
  const size_t n_q = 3 * (size_t)source->scene->n_bodies, n_gaps = (size_t)r->t->n_contacts;
  status = ss_fesd_sequence_new (r->plan.steps, (int)n_gaps, (int)n_q, source->scene->n_actuators, r->plan.horizon,
                                 &r->sequence, err);
  if (status != SS_OK)
    return status;
  r->interval = r->plan.horizon / r->plan.steps;
  r->span.mode = ss_new_array (SsFesdMode, n_gaps + 1);
  r->span.jump = ss_new_array (SsFesdMode, n_gaps + 1);
  r->span.impulse = ss_new_array (double, 2 * n_gaps + 1);
  r->before = ss_new_array (double, 2 * n_q + 1);
  r->sample = ss_new_array (double, ss_fesd_sequence_sample_size (r->sequence));
  r->slots = ss_new_array (double, 2 * n_q + 1);
  if (r->span.mode == NULL || r->span.jump == NULL || r->span.impulse == NULL || r->before == NULL ||
      r->sample == NULL || r->slots == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  return SS_OK;
}

/* ---- gaps -------------------------------------------------------------------------------------------------------- */

static double
mass_of (const Reader *r, int gap)
{
  const SsScene *scene = r->t->base.scene;
  const SsFesdContact *contact = &r->t->contacts[gap];
  const SsBody *b = &scene->bodies[contact->body_b];

  if (ss_fesd_is_limit (contact)) /* the coordinate's own: its gap may be an angle */
    return scene->joints[contact->joint].kind == SS_JOINT_PIN ? b->inertia : b->mass;
  const SsBody *a = &scene->bodies[contact->body_a];
  if (a->is_fixed || b->is_fixed)
    return a->is_fixed ? b->mass : a->mass;
  return fmin (a->mass, b->mass);
}

/* Rate of the gap at poses q and velocities v: difference along the motion. */
static double
rate_of (const Reader *r, int gap, const double *q, const double *v)
{
  static const double time = 1e-6; /* [s] */
  const int n = r->sequence->n_q;
  double *moved = r->sample, value = 0;

  for (int side = -1; side <= 1; side += 2) {
    for (int i = 0; i < n; i++)
      moved[i] = q[i] + side * time * v[i];
    value += side * ss_fesd_gap_value (r->t, &r->t->contacts[gap], moved, NULL, NULL);
  }
  return value / (2 * time);
}

/* ---- building ---------------------------------------------------------------------------------------------------- */

/* Impulses of the span's left point count where one of them stops an approach, or a gap closes; else they only keep a
 * closed gap closed, and there is no jump. Afterwards those that count have a mode in span.jump. */
static void
find_jump (Reader *r, int previous, const double *q, double least_approach)
{
  const SsFesdSequence *sequence = r->sequence;
  const int n = sequence->n_gaps;
  const SsFesdMode *was = previous >= 0 ? sequence->segments[previous].mode : NULL;
  double largest = 0;
  bool is_impact = false;

  for (int l = 0; l < n; l++) {
    const bool was_open = was == NULL || was[l] == SS_FESD_OPEN;

    largest = fmax (largest, r->span.impulse[2 * l]);
    is_impact = is_impact || (was_open && r->span.impulse[2 * l] > 0 &&
                              rate_of (r, l, q, r->before + sequence->n_q) < -least_approach);
  }
  for (int l = 0; l < n; l++) {
    const double *impulse = r->span.impulse + 2 * l;
    const SsFesdContact *contact = &r->t->contacts[l];
    const double bound = ss_fesd_law_of (r->t, contact)->mu * impulse[0];
    const bool closes = was != NULL && was[l] == SS_FESD_OPEN && r->span.mode[l] != SS_FESD_OPEN;

    r->span.jump[l] = SS_FESD_OPEN;
    if (is_impact && impulse[0] > no_force * largest && impulse[0] > 0)
      r->span.jump[l] = !contact->has_friction || fabs (impulse[1]) >= bound * (1 - in_cone)
                            ? (impulse[1] > 0 ? SS_FESD_SLIP_MINUS : SS_FESD_SLIP_PLUS)
                            : SS_FESD_STICK;
    else if (closes)
      r->span.jump[l] = r->span.mode[l];
    if (r->span.jump[l] == SS_FESD_OPEN)
      r->span.impulse[2 * l] = r->span.impulse[2 * l + 1] = 0;
  }
}

/* The segment that the span belongs to: the last one, or a new one. */
static SsStatus
take_span (Reader *r, const double *q, double least_approach, SsError *err)
{
  SsFesdSequence *sequence = r->sequence;
  const size_t n = (size_t)sequence->n_gaps;
  const int last = sequence->n_segments - 1;
  int interval = (int)floor ((r->span.t + 0.5 * r->span.length) / r->interval);
  bool is_new = last < 0;

  interval = interval < 0 ? 0 : interval >= sequence->n_intervals ? sequence->n_intervals - 1 : interval;
  find_jump (r, last, q, least_approach);
  for (size_t l = 0; l < n && !is_new; l++)
    is_new = r->span.jump[l] != SS_FESD_OPEN || r->span.mode[l] != sequence->segments[last].mode[l];
  if (!is_new && sequence->segments[last].interval == interval) {
    sequence->segments[last].length += r->span.length;
    return SS_OK;
  }
  SsStatus status = ss_fesd_sequence_insert (sequence, last + 1, interval, r->span.length, err);
  if (status != SS_OK)
    return status;
  memcpy (sequence->segments[last + 1].mode, r->span.mode, n * sizeof *r->span.mode);
  memcpy (sequence->segments[last + 1].jump, r->span.jump, n * sizeof *r->span.jump);
  memcpy (sequence->segments[last + 1].impulse, r->span.impulse, 2 * n * sizeof *r->span.impulse);
  return SS_OK;
}

/* Room for a sample at that time (shares come at the end). */
static SsStatus
add_sample (Reader *r, double t, double **sample, SsError *err)
{
  *sample = ss_fesd_sequence_add_sample (r->sequence, r->sequence->n_segments - 1, t);
  return *sample != NULL ? SS_OK : ss_error_set (err, SS_ERR_MEMORY, "out of memory");
}

/* Gaps of a sample from its poses. */
static void
set_gaps (const Reader *r, double *sample)
{
  double *gaps = sample + 1 + 2 * r->sequence->n_q + 2 * r->sequence->n_gaps;

  for (int l = 0; l < r->sequence->n_gaps; l++)
    gaps[l] = ss_fesd_gap_value (r->t, &r->t->contacts[l], sample + 1, NULL, NULL);
}

/* Times become shares; segments as long as their interval leaves; every interval must have some. */
static SsStatus
finish (Reader *r, SsFesdSequence **out, SsError *err)
{
  SsFesdSequence *sequence = r->sequence;
  const int size = ss_fesd_sequence_sample_size (sequence);
  int interval = -1;

  for (int s = 0; s < sequence->n_segments; s++) {
    SsFesdSegment *segment = &sequence->segments[s];
    const double first = segment->n_samples > 0 ? segment->samples[0] : 0;

    if (segment->interval > interval + 1 || segment->n_samples == 0)
      break;
    interval = segment->interval;
    for (int i = 0; i < segment->n_samples; i++) {
      double *theta = &segment->samples[(size_t)i * size];
      *theta = segment->length > 0 ? fmin ((*theta - first) / segment->length, 1) : 0;
      set_gaps (r, theta);
    }
  }
  if (interval != sequence->n_intervals - 1)
    return ss_error_set (err, SS_ERR_INVALID, "no modes are known in interval %d of %d of the plan", interval + 2,
                         sequence->n_intervals);
  *out = sequence;
  r->sequence = NULL;
  return SS_OK;
}

/* ---- a motion ---------------------------------------------------------------------------------------------------- */

/* Channels of a table: 6 a body, then 2 a contact. */
static SsStatus
find_channels (const Reader *r, const SsTrajectory *table, const char *const what[2], int *channels, SsError *err)
{
  const SsScene *scene = r->t->base.scene;
  char name[SS_CHANNEL_NAME_MAX];

  for (int i = 0; i < 6 * scene->n_bodies + 2 * scene->n_contacts; i++) {
    const int c = i - 6 * scene->n_bodies;

    if (c < 0)
      snprintf (name, sizeof name, "%s.%s", scene->bodies[i / 6].name, ss_body_channels[i % 6]);
    else
      snprintf (name, sizeof name, "%s.%s", scene->contacts[c / 2].name, what[c % 2]);
    channels[i] = ss_trajectory_channel (table, name);
    if (channels[i] < 0 && (c >= 0 || !scene->bodies[i / 6].is_fixed))
      return ss_error_set (err, SS_ERR_INVALID, "the motion has no channel '%s'", name);
  }
  return SS_OK;
}

static void
read_state (const Reader *r, const double *row, const int *channels, double *state)
{
  const SsScene *scene = r->t->base.scene;
  const int n = 3 * scene->n_bodies;

  for (int i = 0; i < n; i++) {
    const SsBody *body = &scene->bodies[i / 3];
    const int q = channels[6 * (i / 3) + i % 3], v = channels[6 * (i / 3) + 3 + i % 3];

    state[i] = q >= 0 ? row[q] : body->q[i % 3];
    state[n + i] = v >= 0 ? row[v] : 0;
  }
}

/* Values of contacts become those of their gaps: gaps that touch share equally; of none that touches, the smallest. */
static void
share_out (const Reader *r, const double *row, const int *channels, const double *q, double *normal, double *tangential,
           int stride)
{
  const SsFesd *t = r->t;
  const int *of_contacts = channels + 6 * t->base.scene->n_bodies;

  for (int first = 0, next; first < t->n_contacts - t->n_limits; first = next) {
    const int contact = t->contacts[first].contact;
    double limit = touching, least = INFINITY;
    int n_closed = 0;

    for (next = first; next < t->n_contacts && t->contacts[next].contact == contact; next++)
      least = fmin (least, ss_fesd_gap_value (t, &t->contacts[next], q, NULL, NULL));
    limit = fmax (limit, least);
    for (int l = first; l < next; l++)
      n_closed += ss_fesd_gap_value (t, &t->contacts[l], q, NULL, NULL) <= limit;
    for (int l = first; l < next; l++) {
      const bool carries = ss_fesd_gap_value (t, &t->contacts[l], q, NULL, NULL) <= limit;

      normal[l * stride] = carries ? row[of_contacts[2 * contact]] / n_closed : 0;
      tangential[l * stride] = carries ? row[of_contacts[2 * contact + 1]] / n_closed : 0;
    }
  }
  /* Motions do not tell the forces of limits: one that is reached carries something. */
  for (int l = t->n_contacts - t->n_limits; l < t->n_contacts; l++) {
    normal[l * stride] = ss_fesd_gap_value (t, &t->contacts[l], q, NULL, NULL) <= touching ? some_force : 0;
    tangential[l * stride] = 0;
  }
}

/* Modes of a span from its stages first..last of the table. */
static void
find_modes (Reader *r, const SsTrajectory *stages, int first, int last, const int *channels, double largest)
{
  const SsFesdSequence *sequence = r->sequence;
  const int n = sequence->n_gaps, n_q = sequence->n_q;
  double *state = r->sample + 1, *normal = state + 2 * n_q, *tangential = normal + n;

  for (int l = 0; l < n; l++)
    r->span.mode[l] = SS_FESD_OPEN;
  for (int s = first; s <= last; s++) {
    const double *row = ss_trajectory_row (stages, s);

    read_state (r, row, channels, state);
    share_out (r, row, channels, state, normal, tangential, 1);
    for (int l = 0; l < n; l++) {
      const SsFesdContact *contact = &r->t->contacts[l];
      const double bound = ss_fesd_law_of (r->t, contact)->mu * normal[l];

      if (!(normal[l] > no_force * largest))
        continue;
      if (contact->has_friction && fabs (tangential[l]) < bound * (1 - in_cone))
        r->span.mode[l] = SS_FESD_STICK;
      else if (r->span.mode[l] == SS_FESD_OPEN)
        r->span.mode[l] = contact->has_friction && tangential[l] > 0 ? SS_FESD_SLIP_MINUS : SS_FESD_SLIP_PLUS;
    }
  }
}

static double
largest_force (const SsTrajectory *stages, const int *channels, int n_bodies, int n_contacts)
{
  double largest = 0;

  for (int s = 0; s < stages->n_rows; s++)
    for (int c = 0; c < n_contacts; c++)
      largest = fmax (largest, ss_trajectory_row (stages, s)[channels[6 * n_bodies + 2 * c]]);
  return largest;
}

/* The span between rows row - 1 and row, whose stages are first..last. */
static SsStatus
read_span (Reader *r, const SsTrajectory *motion, int row, const int *of_rows, const SsTrajectory *stages, int first,
           int last, const int *of_stages, double largest, SsError *err)
{
  const int n_q = r->sequence->n_q, n = r->sequence->n_gaps;
  const double *left = ss_trajectory_row (motion, row - 1);
  double *sample;

  r->span.t = left[0];
  r->span.length = ss_trajectory_row (motion, row)[0] - left[0];
  find_modes (r, stages, first, last, of_stages, largest);
  double *state = ss_new_array (double, 2 * n_q + 1);
  if (state == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  read_state (r, left, of_rows, state);
  SsStatus status = take_span (r, state, approaching, err);
  if (status == SS_OK)
    status = add_sample (r, left[0], &sample, err);
  if (status == SS_OK) {
    memcpy (sample + 1, state, 2 * (size_t)n_q * sizeof *state);
    share_out (r, ss_trajectory_row (stages, first), of_stages, sample + 1, sample + 1 + 2 * n_q,
               sample + 1 + 2 * n_q + n, 1);
  }
  for (int s = first; s <= last && status == SS_OK; s++) {
    const double *stage = ss_trajectory_row (stages, s);

    status = add_sample (r, stage[0], &sample, err);
    if (status != SS_OK)
      break;
    read_state (r, stage, of_stages, sample + 1);
    share_out (r, stage, of_stages, sample + 1, sample + 1 + 2 * n_q, sample + 1 + 2 * n_q + n, 1);
  }
  memset (r->span.impulse, 0, 2 * (size_t)n * sizeof *r->span.impulse);
  read_state (r, ss_trajectory_row (motion, row), of_rows, r->before);
  ss_free (state);
  return status;
}

static SsStatus
read_motion (Reader *r, const SsTrajectory *motion, const SsTrajectory *stages, SsError *err)
{
  static const char *const forces[2] = {"lambda_n", "lambda_t"}, *const impulses[2] = {"impulse_n", "impulse_t"};
  const SsScene *scene = r->t->base.scene;
  const int n_channels = 6 * scene->n_bodies + 2 * scene->n_contacts, n = r->sequence->n_gaps;
  const int of_row = ss_trajectory_channel (stages, "row");
  int *of_rows = ss_new_array (int, n_channels + 1), *of_stages = ss_new_array (int, n_channels + 1);
  double *impulse = ss_new_array (double, 2 * n + 1);
  SsStatus status = of_rows != NULL && of_stages != NULL && impulse != NULL
                        ? SS_OK
                        : ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  int next = 0;

  if (status == SS_OK)
    status = find_channels (r, motion, impulses, of_rows, err);
  if (status == SS_OK)
    status = find_channels (r, stages, forces, of_stages, err);
  if (status == SS_OK && (of_row < 0 || motion->n_rows < 2))
    status = ss_error_set (err, SS_ERR_INVALID, "the motion has no stages");
  const double largest = status == SS_OK ? largest_force (stages, of_stages, scene->n_bodies, scene->n_contacts) : 0;
  if (status == SS_OK)
    read_state (r, ss_trajectory_row (motion, 0), of_rows, r->before);
  for (int row = 1; row < motion->n_rows && status == SS_OK; row++) {
    const double *now = ss_trajectory_row (motion, row);
    const int first = next;

    while (next < stages->n_rows && ss_trajectory_row (stages, next)[of_row] <= row)
      next++;
    if (now[0] > ss_trajectory_row (motion, row - 1)[0]) {
      if (next > first && now[0] - ss_trajectory_row (motion, row - 1)[0] > no_time * r->plan.horizon)
        status = read_span (r, motion, row, of_rows, stages, first, next - 1, of_stages, largest, err);
      continue;
    }
    read_state (r, now, of_rows, r->sample);
    share_out (r, now, of_rows, r->sample, impulse, impulse + 1, 2);
    for (int i = 0; i < 2 * n; i++)
      r->span.impulse[i] += impulse[i];
  }
  ss_free (of_rows);
  ss_free (of_stages);
  ss_free (impulse);
  return status;
}

SsStatus
ss_fesd_sequence_from_motion (const SsScenario *source, const SsTranscribeOptions *options, const SsTrajectory *motion,
                              const SsTrajectory *stages, const double *controls, SsFesdSequence **out, SsError *err)
{
  SS_ASSERT (out != NULL);

  Reader r;
  SsStatus status = open_reader (source, options, &r, err);

  *out = NULL;
  if (status == SS_OK)
    memcpy (r.sequence->controls, controls,
            (size_t)r.sequence->n_intervals * (size_t)r.sequence->n_controls * sizeof *controls);
  if (status == SS_OK && r.t->horizon != SS_NO_VARIABLE && motion->n_rows > 1) {
    r.sequence->horizon = ss_trajectory_row (motion, motion->n_rows - 1)[0] - ss_trajectory_row (motion, 0)[0];
    r.interval = r.sequence->horizon / r.plan.steps;
  }
  if (status == SS_OK)
    status = read_motion (&r, motion, stages, err);
  if (status == SS_OK)
    status = finish (&r, out, err);
  close_reader (&r);
  return status;
}

/* ---- iterates ---------------------------------------------------------------------------------------------------- */

static double
value (const double *x, int variable)
{
  return variable != SS_NO_VARIABLE ? x[variable] : 0;
}

static double
tangential_of (const double *x, const SsFesdSide *side)
{
  return value (x, side->force_1) - value (x, side->force_2);
}

/* States from variables. */
static void
state_of (const Reader *r, const int *of_q, const int *of_v, const double *x, double *state)
{
  ss_fesd_get_state (r->t, of_q, of_v, x, r->slots, state, state + r->sequence->n_q);
}

/* Samples of an element at its left point and stages: times `time` + share `scale`. */
static SsStatus
sample_element (Reader *r, const double *x, double time, double scale, SsError *err)
{
  const SsFesd *t = r->t;
  const int n = r->sequence->n_q, n_gaps = r->sequence->n_gaps;
  SsStatus status = SS_OK;

  for (int j = -1; j < t->tableau.n && status == SS_OK; j++) {
    const int stage = j < 0 ? 0 : j;
    double *sample;

    status = add_sample (r, time + (j < 0 ? 0 : t->tableau.c[j]) * scale, &sample, err);
    if (status != SS_OK)
      break;
    state_of (r, j < 0 ? t->base.q : t->stage_q + j * n, j < 0 ? t->base.v : t->stage_v + j * n, x, sample + 1);
    for (int l = 0; l < n_gaps; l++) {
      sample[1 + 2 * n + l] = x[t->contacts[l].stage[stage].force];
      sample[1 + 2 * n + n_gaps + l] = tangential_of (x, &t->contacts[l].stage[stage]);
    }
  }
  return status;
}

/* Modes of an element by what is larger, as ss-fesd-fixed.h says. */
static void
judge_element (Reader *r, const double *x)
{
  const SsFesd *t = r->t;
  const int n = r->sequence->n_q;
  const double h = x[t->base.h];

  for (int l = 0; l < r->sequence->n_gaps; l++) {
    const SsFesdContact *contact = &t->contacts[l];
    const double mu = ss_fesd_law_of (t, contact)->mu, reach = h * h / mass_of (r, l);
    double gap = 0, force = 0, room = 0, slip = 0;

    for (int j = 0; j < t->tableau.n; j++) {
      const SsFesdSide *side = &contact->stage[j];
      double speed = 0;

      state_of (r, t->stage_q + j * n, t->stage_v + j * n, x, r->sample);
      gap = fmax (gap, ss_fesd_gap_value (t, contact, r->sample, r->sample + n, &speed));
      force = fmax (force, x[side->force] * reach);
      room = fmax (room, (mu * x[side->force] - fabs (tangential_of (x, side))) * reach);
      if (fabs (speed) > fabs (slip))
        slip = speed;
    }
    r->span.mode[l] = force <= gap                                      ? SS_FESD_OPEN
                      : contact->has_friction && room > fabs (slip) * h ? SS_FESD_STICK
                      : contact->has_friction && slip < 0               ? SS_FESD_SLIP_MINUS
                                                                        : SS_FESD_SLIP_PLUS;
  }
}

static SsStatus
read_iterate (Reader *r, const double *x, SsError *err)
{
  SsFesd *t = r->t;
  const int n = r->sequence->n_q, n_elements = t->options.elements;
  double *left = ss_new_array (double, 2 * n + 1), time = 0;
  SsStatus status = left != NULL ? SS_OK : ss_error_set (err, SS_ERR_MEMORY, "out of memory");

  for (int k = 0; k < t->n_points && status == SS_OK; k++) {
    const double *point = x + (size_t)k * t->base.n_variables;

    if (k == 0)
      state_of (r, t->base.q, t->base.v, point, r->before);
    for (int a = 0; a < r->sequence->n_controls; a++)
      r->sequence->controls[k / n_elements * r->sequence->n_controls + a] = point[t->base.u[a]];
    for (int l = 0; l < r->sequence->n_gaps; l++) {
      r->span.impulse[2 * l] += point[t->contacts[l].left.force];
      r->span.impulse[2 * l + 1] += tangential_of (point, &t->contacts[l].left);
    }
    r->span.t = time;
    r->span.length = point[t->base.h];
    time += point[t->base.h];
    if (k % n_elements == n_elements - 1)
      time = (k / n_elements + 1) * r->interval;
    if (r->span.length <= SS_FESD_SHORTEST * t->mean_length)
      continue;
    judge_element (r, point);
    state_of (r, t->base.q, t->base.v, point, left);
    for (int l = 0; l < r->sequence->n_gaps; l++)
      if (r->span.impulse[2 * l] / mass_of (r, l) < jumping)
        r->span.impulse[2 * l] = r->span.impulse[2 * l + 1] = 0;
    status = take_span (r, left, jumping, err);
    if (status == SS_OK)
      status = sample_element (r, point, r->span.t, r->span.length, err);
    state_of (r, t->end_q, t->end_v, point, r->before);
    memset (r->span.impulse, 0, 2 * (size_t)r->sequence->n_gaps * sizeof *r->span.impulse);
  }
  ss_free (left);
  return status;
}

SsStatus
ss_fesd_sequence_from_iterate (const SsScenario *source, const SsTranscribeOptions *options, const double *x,
                               SsFesdSequence **out, SsError *err)
{
  SS_ASSERT (out != NULL);

  Reader r;
  SsStatus status = open_reader (source, options, &r, err);

  *out = NULL;
  if (status == SS_OK && r.t->horizon != SS_NO_VARIABLE) {
    r.sequence->horizon = x[r.t->horizon];
    r.interval = r.sequence->horizon / r.plan.steps;
  }
  if (status == SS_OK)
    status = read_iterate (&r, x, err);
  if (status == SS_OK)
    status = finish (&r, out, err);
  close_reader (&r);
  return status;
}

SsStatus
ss_fesd_sequence_from_fixed (const SsScenario *source, const SsTranscribeOptions *options, const double *x,
                             SsFesdSequence **out, SsError *err)
{
  const SsFesdSequence *from = ((const SsFesdOptions *)options->own)->sequence;
  Reader r;
  SsStatus status = open_reader (source, options, &r, err);
  int k = 0;

  SS_ASSERT (from != NULL);
  *out = NULL;
  if (status == SS_OK && r.t->horizon != SS_NO_VARIABLE)
    r.sequence->horizon = x[r.t->horizon];
  for (int s = 0; s < from->n_segments && status == SS_OK; s++) {
    const SsFesdSegment *segment = &from->segments[s];
    const SsFesd *t = r.t;
    double length = 0;

    status = ss_fesd_sequence_insert (r.sequence, s, segment->interval, 0, err);
    if (status == SS_OK)
      status = ss_fesd_sequence_divide (r.sequence, s, segment->n_elements, segment->shares, err);
    for (int e = 0; e < segment->n_elements && status == SS_OK; e++, k++) {
      const double *point = x + (size_t)k * t->base.n_variables;

      status = sample_element (&r, point, length, point[t->base.h], err);
      length += point[t->base.h];
      for (int a = 0; a < r.sequence->n_controls; a++)
        r.sequence->controls[segment->interval * r.sequence->n_controls + a] = point[t->base.u[a]];
      for (int l = 0; l < r.sequence->n_gaps && e == 0; l++) {
        r.sequence->segments[s].impulse[2 * l] = value (point, t->contacts[l].left.force);
        r.sequence->segments[s].impulse[2 * l + 1] = tangential_of (point, &t->contacts[l].left);
      }
    }
    if (status != SS_OK)
      break;
    r.sequence->segments[s].length = length;
    memcpy (r.sequence->segments[s].mode, segment->mode, (size_t)from->n_gaps * sizeof *segment->mode);
    memcpy (r.sequence->segments[s].jump, segment->jump, (size_t)from->n_gaps * sizeof *segment->jump);
  }
  if (status == SS_OK)
    status = finish (&r, out, err);
  close_reader (&r);
  return status;
}
