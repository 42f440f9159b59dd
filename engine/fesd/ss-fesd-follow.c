/* engine/fesd/ss-fesd-follow.c: elements of the march in given modes, to the first switch. */
#include "fesd/ss-fesd-march-private.h"

#include "simulate/ss-sim-limits.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* An element of ss_fesd_shortest is taken blindly when it misses its equations by no more [m/s]. */
static const double blind_residual = 1e-10;
/* An element that misses its equations by more [m/s] is taken in parts while there is patience. */
static const double inexact = 1e-10;
/* After so many impacts in a step, captured bounces may leave as much: slips that end with them. */
static const double many_impacts = 40, inexact_capture = 5e-10;
/* The length of an element that a switch ends is known when it changes by no more than this part of what it was looked
 * for in, and the condition holds. */
static const double same_length = 1e-12;
enum { SEARCHES_MAX = 40, SECANTS_MAX = 40 };

bool
ss_fesd_follow_start (SsFesdMarch *m, SsError *err, bool *is_out_of_memory)
{
  SS_ASSERT (is_out_of_memory != NULL);
  m->solves++;
  *is_out_of_memory = ss_fesd_element_set_modes (m->element, m->now.modes, err) != SS_OK;
  if (*is_out_of_memory)
    return false;
  if (ss_fesd_element_n_rows (m->element) > 0 && !m->now.is_projected)
    if (!ss_fesd_element_project (m->element, m->now.t, m->now.q, m->now.v, false))
      return false;
  m->now.is_projected = true;
  ss_fesd_element_start (m->element, m->now.t, m->now.q, m->now.v, m->now.a, m->now.lambda_n, m->now.lambda_t,
                         m->now.bilateral);
  return true;
}

bool
ss_fesd_follow_solve (SsFesdMarch *m, double h)
{
  SS_ASSERT (m != NULL);

  const SsFesdFreeze *freeze = &m->options.freeze;
  return freeze->owner != NULL ? freeze->solve (freeze->owner, m->element, h) : ss_fesd_element_solve (m->element, h);
}

bool
ss_fesd_follow_cut (SsFesdMarch *m, bool *is_cut)
{
  SS_ASSERT (m != NULL && is_cut != NULL);

  const SsFesdFreeze *freeze = &m->options.freeze;
  *is_cut = false;
  if (freeze->owner == NULL || !isfinite (freeze->tau_end))
    return true;
  const double room = freeze->tau_end - m->now.tau, rounding = 4 * DBL_EPSILON * freeze->tau_end;
  double h = ss_fesd_element_length (m->element), length = freeze->length (freeze->owner, m->element);
  m->is_over = length >= room - rounding;
  if (length <= room + rounding)
    return true;
  *is_cut = true;
  double slope = length / h;
  for (int i = 0; i < SECANTS_MAX && fabs (length - room) > rounding; i++) {
    const double next = h - (length - room) / slope, before = length;
    if (!(next > 0) || !ss_fesd_follow_solve (m, next))
      return false;
    length = freeze->length (freeze->owner, m->element);
    slope = next != h && length != before ? (length - before) / (next - h) : slope;
    h = next;
  }
  return true;
}

/* Solves for the length at which the switch happens, from the element that was solved over `length`. */
static bool
solve_switch (SsFesdMarch *m, double length, const SsFesdSwitch *what)
{
  const double tolerance = 0.01 * ss_fesd_watch_tolerance (m->watch, m->element, what->kind);
  /* the element of the whole length ends where the condition fails, unless it only dips */
  const double at_end = ss_fesd_watch_at_end (m->watch, m->element, what, m->now.modes, m->now.offset);
  double low = 0, high = at_end < 0 ? length : INFINITY, h = what->theta * length, slope = what->slope / length;
  double h_before = NAN, g_before = NAN;
  for (int i = 0; i < SECANTS_MAX; i++) {
    if (!(h > 0) || h > length * (1 + ss_fesd_sliver) || !ss_fesd_follow_solve (m, h))
      return false;
    const double g = ss_fesd_watch_at_end (m->watch, m->element, what, m->now.modes, m->now.offset);
    if (!isfinite (g))
      return false;
    if (g > 0)
      low = fmax (low, h);
    else
      high = fmin (high, h);
    if (!isnan (h_before) && h != h_before && fabs (g - g_before) > 0)
      slope = (g - g_before) / (h - h_before);
    double next = slope != 0 ? h - g / slope : NAN;
    if (!(next > low && next < high)) {
      if (!isfinite (high))
        return fabs (g) <= tolerance;
      next = 0.5 * (low + high);
    }
    const double rounding = 4 * DBL_EPSILON * fmax (h, fabs (m->now.t) * 1e-3);
    if (g == 0 || fabs (next - h) <= rounding || high - low <= rounding)
      return true;
    if (fabs (g) <= tolerance && fabs (next - h) <= same_length * length)
      return true;
    h_before = h;
    g_before = g;
    h = next;
  }
  return false;
}

/* The next element over at most `length` in the present modes: to the first switch, or clear. */
SsFesdOutcome
ss_fesd_follow (SsFesdMarch *m, double length, bool is_solved, SsFesdSwitch *what)
{
  SsFesdSwitch solved = {0}, first;
  bool has_solved = false;
  if (!is_solved && !ss_fesd_follow_solve (m, length))
    return SS_FESD_NOT_SOLVED;
  for (int i = 0; i < SEARCHES_MAX; i++) {
    if (!ss_fesd_watch_find (m->watch, m->element, m->now.q, m->now.v, m->now.modes, m->now.offset,
                             has_solved ? &solved : NULL, &first)) {
      *what = solved;
      return has_solved ? SS_FESD_EVENT : SS_FESD_CLEAR;
    }
    if (first.before < 0) {
      *what = first;
      return SS_FESD_AT_ONCE;
    }
    if (!solve_switch (m, ss_fesd_element_length (m->element), &first))
      return SS_FESD_NOT_SOLVED;
    solved = first;
    has_solved = true;
  }
  return SS_FESD_NOT_SOLVED;
}

/* Forces and accelerations at the element's end are the first guess of the next. */
static void
take_forces (SsFesdMarch *m)
{
  const SsFesdSystem *s = m->system;
  const SsFesdRow *rows = ss_fesd_element_rows (m->element);
  const int last = ss_fesd_element_n_stages (m->element) - 1;
  memset (m->now.lambda_n, 0, (size_t)ss_fesd_n_items (s) * sizeof *m->now.lambda_n);
  memset (m->now.lambda_t, 0, (size_t)ss_fesd_n_items (s) * sizeof *m->now.lambda_t);
  memcpy (m->now.a, ss_fesd_element_acceleration (m->element, last), (size_t)s->n_free * sizeof *m->now.a);
  for (int i = 0; i < ss_fesd_element_n_rows (m->element); i++) {
    const double force = m->tableau.ends_at_one ? ss_fesd_element_lambda (m->element, i, last)
                                                : ss_fesd_watch_force (m->watch, m->element, i, 1);
    switch (rows[i].kind) {
    case SS_FESD_ROW_BILATERAL:
      m->now.bilateral[rows[i].item] = force;
      break;
    case SS_FESD_ROW_LIMIT:
      m->now.lambda_n[s->n_points + rows[i].item - s->n_bilateral] = force;
      break;
    case SS_FESD_ROW_DRIVE:
      m->now.lambda_t[s->n_points + rows[i].item - s->n_bilateral] = force;
      break;
    case SS_FESD_ROW_NORMAL:
      m->now.lambda_n[rows[i].item] = force;
      m->now.lambda_t[rows[i].item] = rows[i].friction * force;
      break;
    case SS_FESD_ROW_STICK:
      m->now.lambda_t[rows[i].item] = force;
      break;
    }
  }
}

static double
judge_element (SsFesdMarch *m)
{
  const SsFesdSolved solved = {.element = m->element,
                               .t0 = m->now.t,
                               .q0 = m->now.q,
                               .v0 = m->now.v,
                               .modes = m->now.modes,
                               .offset = m->now.offset};
  return m->judge != NULL ? m->judge->element (m->judge->owner, &solved) : 0;
}

/* The element that is taken, for whoever solves it again. */
static SsStatus
log_element (SsFesdMarch *m, const SsFesdSwitch *what, SsError *err)
{
  const SsFesdTaken taken = {.t = m->now.t,
                             .h = ss_fesd_element_length (m->element),
                             .has_switch = what != NULL,
                             .what = what != NULL ? *what : (SsFesdSwitch){0},
                             .is_capturing = m->now.is_capturing,
                             .q = m->now.q,
                             .v = m->now.v,
                             .a = m->now.a,
                             .lambda_n = m->now.lambda_n,
                             .lambda_t = m->now.lambda_t,
                             .bilateral = m->now.bilateral,
                             .offset = m->now.offset,
                             .modes = m->now.modes};
  return ss_fesd_log_add (&m->log, m->system, &taken, err);
}

/* The element is right: time goes on to its end (t_end where `is_last`). */
SsFesdOutcome
ss_fesd_follow_accept (SsFesdMarch *m, bool is_last, double t_end, const SsFesdSwitch *what, SsError *err)
{
  SS_ASSERT (m != NULL);

  const SsFesdSystem *s = m->system;
  const int end = ss_fesd_element_n_stages (m->element);
  const double h = ss_fesd_element_length (m->element);
  const double t_after = is_last ? t_end : fmin (m->now.t + h, t_end);
  const double residual = judge_element (m);
  /* the check knows better: a shorter element, or none */
  const double most = m->depth >= SS_FESD_PATIENCE                       ? SS_SIM_LAW_MISSED
                      : m->now.is_capturing && m->impacts > many_impacts ? inexact_capture
                                                                         : inexact;
  if (residual > most)
    return SS_FESD_NOT_SOLVED;
  if (m->log.is_on && log_element (m, what, err) != SS_OK)
    return SS_FESD_NO_MEMORY;
  m->counts.predicted++;
  if (m->choice.is_proposed)
    ss_fesd_ask_end (m, true);
  m->now.residual = fmax (m->now.residual, residual);
  ss_fesd_tell_patch (m);
  if (m->estimate.trial != NULL)
    ss_fesd_estimate_keep (m);
  if (ss_fesd_tell_modes (m, err) != SS_OK)
    return SS_FESD_NO_MEMORY;
  if (m->now.is_capturing && ss_fesd_zeno_take (m, err) != SS_OK)
    return SS_FESD_NO_MEMORY;
  if (ss_fesd_tell_stages (m, t_after, err) != SS_OK)
    return SS_FESD_NO_MEMORY;
  m->now.t = t_after;
  m->now.solved = what != NULL ? what->item + 1 : 0;
  m->now.condition =
      what != NULL ? ss_fesd_watch_at_end (m->watch, m->element, what, m->now.modes, m->now.offset) : NAN;
  if (m->options.freeze.owner != NULL) {
    m->options.freeze.take (m->options.freeze.owner);
    m->now.tau += m->options.freeze.length (m->options.freeze.owner, m->element);
  }
  memcpy (m->now.q, ss_fesd_element_q (m->element, end), (size_t)s->n_q * sizeof *m->now.q);
  memcpy (m->now.v, ss_fesd_element_v (m->element, end), (size_t)s->n_q * sizeof *m->now.v);
  take_forces (m);
  if (ss_fesd_element_n_rows (m->element) > 0 &&
      !ss_fesd_element_project (m->element, m->now.t, m->now.q, m->now.v, true))
    return SS_FESD_NOT_SOLVED;
  m->now.is_projected = true;
  if (m->estimate.trial != NULL && ss_fesd_estimate_take (m, h, err) != SS_OK)
    return SS_FESD_NO_MEMORY;
  if (m->options.tolerance > 0 && ss_fesd_estimate_is_coarse (m, h))
    return SS_FESD_COARSE;
  m->choice.is_selected = false;
  memset (m->now.broken, 0, (size_t)ss_fesd_n_items (s) * sizeof *m->now.broken);
  if (what != NULL && what->kind == SS_FESD_BREAK_PLUS)
    m->now.broken[what->item] = 1;
  if (what != NULL && what->kind == SS_FESD_BREAK_MINUS)
    m->now.broken[what->item] = -1;
  if (what != NULL && what->kind == SS_FESD_SEPARATION)
    m->now.broken[what->item] = SS_FESD_PARTED;
  if (what != NULL && what->kind == SS_FESD_STOP)
    m->now.broken[what->item] = SS_FESD_STOPPED;
  if (h > ss_fesd_sliver * (m->t_step_end - m->now.t + h))
    m->now.at_instant = 0;
  return SS_FESD_DONE;
}

SsFesdOutcome
ss_fesd_follow_blindly (SsFesdMarch *m, double t_end, SsError *err)
{
  SS_ASSERT (m != NULL);

  bool no_memory;
  if (t_end - m->now.t > ss_fesd_shortest)
    return SS_FESD_NOT_SOLVED;
  if (!ss_fesd_follow_start (m, err, &no_memory))
    return no_memory ? SS_FESD_NO_MEMORY : SS_FESD_NOT_SOLVED;
  if (!ss_fesd_follow_solve (m, t_end - m->now.t) || judge_element (m) > blind_residual)
    return SS_FESD_NOT_SOLVED;
  m->counts.alternatives++;
  return ss_fesd_follow_accept (m, true, t_end, NULL, err);
}
