/* engine/fesd/ss-fesd-estimate.c: what the elements of a march add to the error of its motion.
 *
 * Some elements are solved again in halves. Of order p, their ends are off by 2^-p of what the element itself is, so
 * the difference is 1 - 2^-p of that (Hairer, Norsett, Wanner: Solving Ordinary Differential Equations I, section
 * II.4); in quarters it tells p. Elements between them add as much by the p + 1-th power of their lengths.
 *
 * The error so far, e = (e_q, e_v), goes on as the motion beside does that starts at the state plus a multiple of e:
 * such an element is solved where others are (all, with a tolerance), so that contacts that close and slips that end
 * take their part of e away; jumps are those of velocities beside, at the time that e_q moves them to. Between those
 * e_q' = e_v: what an unstable motion makes of its errors is left out, and laws of impacts other than Newton's leave
 * e_v as it is. */
#include "fesd/ss-fesd-march-private.h"

#include "core/ss-memory.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* An element in so many is solved again, fewer with each, and the first after a jump or in new modes. The order is
 * looked at in one of ORDERS of those. */
enum { EVERY_FIRST = 8, EVERY_LAST = 64, ORDERS = 8 };
/* A start beside the motion is so far from it, as a part of what place and speed are: its element is as good as a
 * derivative, and as far above rounding. */
static const double beside = 1e-6;
/* The length that a tolerance asks for changes by these factors at most, and is that part of what would just do. No
 * element is halved for it that is a shorter part of the step: forces jump there. */
static const double SHORTER = 0.2, LONGER = 4, SAFE = 0.9, shortest_part = 1e-5;
/* What is below that many roundings is none; what an element that is shorter by that factor showed is not taken for
 * it. */
static const double roundings = 4, much_longer = 1.5;
/* An element whose accelerations bend by that factor more than those of the one that was solved again is, too, where
 * that may be seen in velocities, some roundings of them. */
static const double much_rougher = 3, seen = 1e4;
/* An order is told from differences above rounding by that. */
static const double above_rounding = 1e3;

SsStatus
ss_fesd_estimate_init (SsFesdMarch *m, SsError *err)
{
  SS_ASSERT (m != NULL);

  SsFesdEstimate *e = &m->estimate;
  const size_t n = 2 * (size_t)m->system->n_q;
  e->order = ss_tableau_order (&m->tableau);
  for (int j = 0; j < m->tableau.n; j++) {
    e->bend[j] = 1;
    for (int k = 0; k < m->tableau.n; k++)
      e->bend[j] /= k == j ? 1 : m->tableau.c[j] - m->tableau.c[k];
  }
  e->start = ss_new_array (double, 6 * n + 1);
  if (e->start == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory to estimate errors");
  e->end = e->start + n;
  e->fine = e->end + n;
  e->finer = e->fine + n;
  e->from = e->finer + n;
  e->kept = e->from + n;
  SsStatus status = ss_fesd_element_new (m->system, &m->tableau, &e->trial, err);
  if (status == SS_OK)
    ss_fesd_element_set_offsets (e->trial, m->now.offset);
  return status;
}

void
ss_fesd_estimate_clear (SsFesdMarch *m)
{
  SS_ASSERT (m != NULL);
  ss_free (m->estimate.start);
  ss_fesd_element_free (m->estimate.trial);
}

void
ss_fesd_estimate_begin (SsFesdMarch *m)
{
  SS_ASSERT (m != NULL);
  memset (m->now.error, 0, 4 * (size_t)m->system->n_q * sizeof *m->now.error);
  m->now.sampling.since = m->now.sampling.every = EVERY_FIRST;
  m->now.sampling.length = m->now.sampling.slack = m->now.sampling.roughness = 0;
  m->now.sampling.was_rough = false;
}

static double
largest (int n, const double *a, const double *b)
{
  double most = 0;
  for (int i = 0; i < n; i++)
    most = fmax (most, fabs (a[i] - (b != NULL ? b[i] : 0)));
  return most;
}

/* How far the flights still went that the element to come captures: their speed for as long as they last. Forces that
 * hold the gap push as much as impacts that hold it in the mean, at other times. */
static double
captured (const SsFesdMarch *m)
{
  const SsFesdSystem *s = m->system;
  double speed = 0;
  for (int i = 0; i < s->n_points; i++) {
    SsFesdPointAt at;
    if (!m->now.soft[i])
      continue;
    ss_fesd_point_at (&s->points[i], m->now.q, false, &at);
    speed = fmax (speed, fabs (ss_fesd_point_rate (&s->points[i], at.jn, m->now.v)));
  }
  return speed * fmax (m->now.capture_end - m->now.t, 0);
}

void
ss_fesd_estimate_keep (SsFesdMarch *m)
{
  SS_ASSERT (m != NULL);

  const size_t n_q = (size_t)m->system->n_q;
  SsFesdEstimate *e = &m->estimate;
  e->t = m->now.t;
  e->is_capturing = m->now.is_capturing;
  if (e->is_capturing)
    m->now.sampling.slack += captured (m);
  memcpy (e->start, m->now.q, n_q * sizeof *e->start);
  memcpy (e->start + n_q, m->now.v, n_q * sizeof *e->start);
}

/* The end of `parts` elements of the present modes over h, from e->from. */
static bool
solve_parts (SsFesdMarch *m, double h, int parts, double *out)
{
  const int n_q = m->system->n_q;
  SsFesdEstimate *e = &m->estimate;
  memcpy (out, e->from, 2 * (size_t)n_q * sizeof *out);
  for (int k = 0; k < parts; k++) {
    const double from = e->t + h * k / parts, to = e->t + h * (k + 1) / parts;
    ss_fesd_element_start (e->trial, from, out, out + n_q, m->now.a, m->now.lambda_n, m->now.lambda_t,
                           m->now.bilateral);
    if (!ss_fesd_element_solve (e->trial, h / parts))
      return false;
    memcpy (out, ss_fesd_element_q (e->trial, m->tableau.n), (size_t)n_q * sizeof *out);
    memcpy (out + n_q, ss_fesd_element_v (e->trial, m->tableau.n), (size_t)n_q * sizeof *out);
    if (ss_fesd_element_n_rows (e->trial) > 0 && !ss_fesd_element_project (e->trial, to, out, out + n_q, true))
      return false;
  }
  return true;
}

/* What of a difference of two solutions is rounding. */
static double
rounding_of (const SsFesdMarch *m)
{
  return DBL_EPSILON * fmax (m->system->size, largest (2 * m->system->n_q, m->estimate.end, NULL));
}

/* The error at the element's end that follows from the one at its start, by an element beside. */
static void
carry_on (SsFesdMarch *m, double h)
{
  const int n = 2 * m->system->n_q;
  SsFesdEstimate *e = &m->estimate;
  double *error = m->now.error;
  const double size = largest (n, error, NULL), speed = fmax (m->system->size, largest (n, e->start, NULL));
  if (!(size > 0))
    return;
  const double scale = beside * speed / size;
  for (int i = 0; i < n; i++)
    e->from[i] = e->start[i] + scale * error[i];
  if (!solve_parts (m, h, 1, e->finer))
    return;
  for (int i = 0; i < n; i++)
    error[i] = (e->finer[i] - e->end[i]) / scale;
}

/* The motion without the error meets what touches sooner or later, by the error of the gap over its rate, and has the
 * velocities after the jump for as long. */
static void
shift_jump (SsFesdMarch *m, const double *v_before, const SsFesdTouch *touches, int n)
{
  const SsFesdSystem *s = m->system;
  int first = 0;
  for (int i = 1; i < n; i++)
    first = touches[i].rate < touches[first].rate ? i : first;
  if (n == 0 || touches[first].item >= s->n_points)
    return;
  const SsFesdPoint *point = &s->points[touches[first].item];
  SsFesdPointAt at;
  ss_fesd_point_at (point, m->now.q, false, &at);
  const double late = ss_fesd_point_rate (point, at.jn, m->now.error) / touches[first].rate;
  for (int i = 0; i < s->n_q; i++)
    m->now.error[i] += late * (m->now.v[i] - v_before[i]);
}

SsStatus
ss_fesd_estimate_jump (SsFesdMarch *m, const double *v_before, SsFesdTouch *touches, int n, SsError *err)
{
  SS_ASSERT (m != NULL && n >= 0);

  const int n_q = m->system->n_q;
  SsFesdEstimate *e = &m->estimate;
  double *error = m->now.error + n_q;
  const double size = largest (n_q, error, NULL);
  bool is_solved;
  shift_jump (m, v_before, touches, n);
  if (!(size > 0) || m->options.impacts.owner != NULL)
    return SS_OK;
  const double scale = beside * fmax (m->system->size, largest (n_q, v_before, NULL)) / size;
  for (int i = 0; i < n_q; i++)
    e->from[i] = v_before[i] + scale * error[i];
  SsStatus status = ss_fesd_law_jump (m->law, m->now.q, e->from, touches, n, m->now.bilateral, &is_solved, err);
  for (int i = 0; status == SS_OK && is_solved && i < n_q; i++)
    error[i] = (e->from[i] - m->now.v[i]) / scale;
  return status == SS_ERR_MEMORY ? status : SS_OK;
}

/* The element's own error, and the order that differences have. */
static bool
compare_parts (SsFesdMarch *m, double h, bool tells_order)
{
  const int n = 2 * m->system->n_q;
  SsFesdEstimate *e = &m->estimate;
  memcpy (e->from, e->start, (size_t)n * sizeof *e->from);
  if (!solve_parts (m, h, 2, e->fine))
    return false;
  const double first = largest (n, e->end, e->fine), room = above_rounding * rounding_of (m);
  const double part = 1 / (1 - pow (2, -e->order));
  for (int i = 0; i < n; i++) {
    const double difference = e->end[i] - e->fine[i];
    m->now.local[i] = fabs (difference) > roundings * rounding_of (m) ? part * difference : 0;
  }
  m->now.sampling.length = h;
  tells_order = m->now.sampling.looks++ % ORDERS == 0 || tells_order;
  if (!tells_order || first < room * pow (2, e->order) || !solve_parts (m, h, 4, e->finer))
    return true;
  m->now.sampling.differences[0] += first;
  m->now.sampling.differences[1] += largest (n, e->fine, e->finer);
  return true;
}

/* The leading coefficient of the polynomials through the stages' accelerations, in parts of the element. */
static double
roughness_of (const SsFesdMarch *m)
{
  double most = 0;
  for (int i = 0; i < m->system->n_free && m->tableau.n > 1; i++) {
    double sum = 0;
    for (int j = 0; j < m->tableau.n; j++)
      sum += m->estimate.bend[j] * ss_fesd_element_acceleration (m->element, j)[i];
    most = fmax (most, fabs (sum));
  }
  return most;
}

/* Whether the element that is taken is rougher than its length explains. */
static bool
is_rough (const SsFesdMarch *m, double h, double roughness)
{
  const double due = m->now.sampling.roughness * pow (h / m->now.sampling.length, m->tableau.n - 1);
  return h * roughness > seen * rounding_of (m) && roughness > much_rougher * due;
}

/* Adds what the element adds, as the last one that was solved again tells. */
static void
add_local (SsFesdMarch *m, double h)
{
  SsFesdEstimate *e = &m->estimate;
  const int n = 2 * m->system->n_q;
  const double power =
      m->now.sampling.length > 0 ? pow (fmin (h / m->now.sampling.length, much_longer), e->order + 1) : 0;
  for (int i = 0; i < n; i++)
    m->now.error[i] += m->now.local[i] * power;
  e->of_element = largest (n, m->now.local, NULL) * power;
  m->now.sampling.slack += rounding_of (m);
}

SsStatus
ss_fesd_estimate_take (SsFesdMarch *m, double h, SsError *err)
{
  const int n_q = m->system->n_q, n_items = ss_fesd_n_items (m->system);
  SsFesdEstimate *e = &m->estimate;
  memcpy (e->end, m->now.q, (size_t)n_q * sizeof *e->end);
  memcpy (e->end + n_q, m->now.v, (size_t)n_q * sizeof *e->end);
  const bool is_new = m->now.n_jumps != m->now.sampling.jumps_sampled ||
                      memcmp (m->now.sampled, m->now.modes, (size_t)n_items * sizeof *m->now.modes) != 0;
  const bool is_due = !e->is_capturing && (is_new || m->now.sampling.since >= m->now.sampling.every ||
                                           h > much_longer * m->now.sampling.length);
  const double roughness = roughness_of (m), before[2] = {m->now.sampling.length, m->now.sampling.roughness};
  const bool jumps = !is_due && !e->is_capturing && is_rough (m, h, roughness),
             is_alone = jumps && !m->now.sampling.was_rough;
  m->now.sampling.was_rough = jumps;
  m->now.sampling.since++;
  if (is_alone) /* a bend within it: the next ones may be as those before */
    memcpy (e->kept, m->now.local, 2 * (size_t)n_q * sizeof *e->kept);
  const bool is_solved = is_due || jumps || (m->options.tolerance > 0 && !e->is_capturing);
  if (is_solved) {
    SsStatus status = ss_fesd_element_set_modes (e->trial, m->now.modes, err);
    if (status != SS_OK)
      return status;
    if (compare_parts (m, h, jumps))
      m->now.sampling.roughness = roughness;
  }
  if (is_solved) {
    carry_on (m, h);
  } else {
    for (int i = 0; i < n_q; i++)
      m->now.error[i] += h * m->now.error[n_q + i];
  }
  if (is_due) {
    memcpy (m->now.sampled, m->now.modes, (size_t)n_items * sizeof *m->now.modes);
    m->now.sampling.jumps_sampled = m->now.n_jumps;
    m->now.sampling.every = m->now.sampling.since > m->now.sampling.every && 2 * m->now.sampling.every <= EVERY_LAST
                                ? 2 * m->now.sampling.every
                                : m->now.sampling.every;
    m->now.sampling.since = 1;
  }
  add_local (m, h);
  if (is_alone) {
    memcpy (m->now.local, e->kept, 2 * (size_t)n_q * sizeof *e->kept);
    m->now.sampling.length = before[0];
    m->now.sampling.roughness = before[1];
  }
  return SS_OK;
}

bool
ss_fesd_estimate_is_coarse (SsFesdMarch *m, double h)
{
  SS_ASSERT (m != NULL);

  const SsFesdEstimate *e = &m->estimate;
  const double due = m->options.tolerance * h, rounding = 64 * rounding_of (m);
  const double fair = e->of_element > rounding ? pow (due / e->of_element, 1.0 / e->order) : LONGER;
  m->now.sampling.wanted = h * fmax (fmin (SAFE * fair, LONGER), SHORTER);
  return e->of_element > fmax (due, rounding) && h > shortest_part * (m->t_step_end - m->saved[0].t);
}

double
ss_fesd_estimate_error (const SsFesdMarch *m)
{
  SS_ASSERT (m != NULL);

  const SsFesdSystem *s = m->system;
  double most = 0;
  for (int i = 0; i < s->n_q; i++)
    most = fmax (most, fabs (m->now.error[i]) * (i % 3 == 2 ? s->size : 1));
  return most + m->now.sampling.slack;
}
