/* engine/fesd/ss-fesd-instant.c: jumps of the march, and the modes after them. */
#include "fesd/ss-fesd-march-private.h"

#include "core/ss-memory.h"
#include "simulate/ss-sim-limits.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A jump that misses its equations by more [m/s] is looked for once more. */
static const double inexact_jump = 1e-10;
/* Where slips of touching points change by more than this many times the largest speed that is taken away, what was
 * taken for none was driven by them, and they were stopped with it: a lever passes on no more. */
static const double passed_on = 10;
/* Rounds in which speeds that are none are taken away, which may stop others. */
enum { ROUNDS_MAX = 4 };
/* Points that pass edges at one instant. */
enum { EDGES_MAX = 20 };

bool
ss_fesd_strikes (const SsFesdSystem *system, const SsFesdImpactCase *what, const SsFesdTouch *touch)
{
  SS_ASSERT (system != NULL && what != NULL && touch != NULL);
  return what->is_without_collision ? ss_fesd_mu_of (system, touch->item) > 0 && fabs (touch->slip) > what->rest
                                    : touch->rate < -what->rest;
}

static SsStatus
tell_impacts (SsFesdMarch *m, const SsFesdImpactCase *what, const SsFesdTouch *touches, int n, SsError *err)
{
  const SsEventKind kind = what->is_without_collision ? SS_EVENT_WITHOUT_COLLISION : SS_EVENT_IMPACT;
  SsStatus status = SS_OK;
  for (int i = 0; status == SS_OK && i < n; i++) {
    const int item = touches[i].item;
    if (!ss_fesd_strikes (m->system, what, &touches[i]) || (what->is_without_collision && !(touches[i].force_n > 0)))
      continue;
    m->now.told[item] = m->now.modes[item] = SS_FESD_OPEN;
    m->now.events++;
    status = ss_fesd_tell_event (m, kind, item, m->now.t, touches[i].force_n, err);
    m->impacts++;
    if (!what->is_without_collision)
      ss_fesd_zeno_note (m, item);
  }
  if (!what->is_without_collision)
    ss_fesd_zeno_capture (m, touches, n, what->rest);
  return status;
}

static const char *
mode_name (SsFesdMode mode)
{
  static const char *const names[] = {"open", "stick", "slip +", "slip -"};
  return names[mode];
}

static const char *
name_of (const SsFesdSystem *s, int item)
{
  return item < s->n_points ? s->scene->contacts[s->points[item].contact].name
                            : s->scene->joints[s->row_joint[s->n_bilateral + item - s->n_points]].name;
}

/* How many modes were looked at in vain. */
static void
say_count (SsFesdMarch *m, double count)
{
  const size_t used = strlen (m->reason);
  if (ss_fesd_enumerate_is_complete (count))
    snprintf (m->reason + used, sizeof m->reason - used, " (all %.0f combinations of modes were looked at)", count);
  else
    snprintf (m->reason + used, sizeof m->reason - used, " (of %.3g combinations of modes not all were looked at)",
              count);
}

static void
say_no_impact (SsFesdMarch *m, const SsFesdTouch *touches, int n)
{
  const SsFesdTouch *fastest = &touches[0];
  for (int i = 1; i < n; i++)
    if (touches[i].rate < fastest->rate)
      fastest = &touches[i];
  snprintf (m->reason, sizeof m->reason,
            "the impact of contact %s at t = %.9g s has no solution: the contact was in %s, and no impulses of the "
            "%d touching points obey the impact law",
            name_of (m->system, fastest->item), m->now.t, mode_name (m->now.modes[fastest->item]), n);
  say_count (m, ss_fesd_enumerate_count (m, touches, n));
}

/* Modes to begin the search for a jump with: those that the law's solver came near to, all closed and sticking, what
 * approaches alone, all slipping against their slip. */
enum { BEGINNINGS = 4 };

static SsFesdMode
beginning_of (const SsFesdMarch *m, const SsFesdTouch *touch, int k)
{
  const bool has_friction = ss_fesd_mu_of (m->system, touch->item) > 0;
  const SsFesdMode slips = !has_friction || touch->slip >= 0 ? SS_FESD_SLIP_PLUS : SS_FESD_SLIP_MINUS;
  const SsFesdMode sticks = has_friction ? SS_FESD_STICK : SS_FESD_SLIP_PLUS;
  if (k == 0 && !(touch->force_n > 0))
    return SS_FESD_OPEN;
  if (k == 0 && has_friction && touch->slip_after != 0 &&
      fabs (touch->force_t) >= ss_fesd_mu_of (m->system, touch->item) * touch->force_n * (1 - ss_fesd_law_tolerance))
    return touch->force_t < 0 ? SS_FESD_SLIP_PLUS : SS_FESD_SLIP_MINUS;
  if (k == 2 && !(touch->rate < 0))
    return SS_FESD_OPEN;
  return k == 3 ? slips : sticks;
}

/* Jumps near those beginnings. */
static bool
search_jump (SsFesdMarch *m, SsFesdTouch *touches, int n, double tolerance)
{
  for (int k = 0; k < BEGINNINGS; k++) {
    for (int i = 0; i < n; i++)
      m->choice.trial[i] = beginning_of (m, &touches[i], k);
    m->tests++;
    if (ss_fesd_law_search_jump (m->law, touches, m->choice.trial, n, true, tolerance, 4 * n + 20))
      return true;
  }
  return false;
}

/* The jump by a search, then by all modes that there are, those with full rebounds and the most exact ones first: where
 * the law's own solver has failed, or was not exact. */
static SsStatus
enumerate_jump (SsFesdMarch *m, SsFesdTouch *touches, int n, bool *is_solved, SsError *err)
{
  static const double tolerances[] = {1e-12, 1e-9, 1e-7};
  *is_solved = false;
  SsStatus status = ss_fesd_modes_reserve (m, n, err);
  for (int i = 0; i < n; i++)
    touches[i].sign = 0;
  if (status == SS_OK)
    status = ss_fesd_law_prepare_jump (m->law, m->now.q, m->now.v, touches, n, err);
  for (int k = 0; status == SS_OK && k < 2 && !*is_solved; k++)
    *is_solved = search_jump (m, touches, n, tolerances[k]);
  const bool is_whole = ss_fesd_enumerate_is_complete (ss_fesd_enumerate_count (m, touches, n));
  for (int k = 0; status == SS_OK && k < 6 && !*is_solved && (is_whole || k % 3 == 2); k++) {
    long next = 0;
    *is_solved = ss_fesd_enumerate (m, k < 3 ? SS_FESD_STRICT_JUMP : SS_FESD_LOOSE_JUMP, touches, n, tolerances[k % 3],
                                    &next, m->choice.trial);
  }
  if (*is_solved) {
    m->counts.alternatives++;
    ss_fesd_law_take_jump (m->law, m->now.v, touches, n, m->now.bilateral);
  }
  return status;
}

/* The jump of an impact without a collision, where the law of impacts knows none: the modes of an ever shorter step,
 * and their impulses without one. Something must lose slip: else there is no jump. */
static SsStatus
resolve_jam (SsFesdMarch *m, const SsFesdImpactCase *what, SsFesdTouch *touches, int n, bool *is_solved, SsError *err)
{
  SsStatus status = ss_fesd_modes_reserve (m, n, err);
  *is_solved = false;
  for (int k = 0; status == SS_OK && !*is_solved && k < SS_FESD_SHORT_STEPS; k++) {
    status = ss_fesd_law_step (m->law, m->now.t, m->now.q, m->now.v, what->rest, ss_fesd_short_steps[k], touches,
                               m->choice.trial, n, ss_fesd_law_tolerance, is_solved, err);
    if (status == SS_OK && *is_solved)
      status = ss_fesd_law_prepare_jump (m->law, m->now.q, m->now.v, touches, n, err);
    *is_solved = status == SS_OK && *is_solved &&
                 ss_fesd_law_search_jump (m->law, touches, m->choice.trial, n, true, ss_fesd_law_tolerance, 4 * n + 20);
  }
  bool any = false;
  for (int i = 0; *is_solved && i < n; i++)
    any = any || (ss_fesd_strikes (m->system, what, &touches[i]) && touches[i].force_n > 0 &&
                  fabs (touches[i].slip_after - touches[i].slip) > what->rest);
  *is_solved = any;
  if (any)
    ss_fesd_law_take_jump (m->law, m->now.v, touches, n, m->now.bilateral);
  return status;
}

static SsStatus
resolve_jump (SsFesdMarch *m, const SsFesdImpactCase *what, SsFesdTouch *touches, int n, bool *is_solved, SsError *err)
{
  const SsFesdImpactLaw *impacts = &m->options.impacts;
  if (what->is_without_collision && !impacts->takes_no_collision)
    return resolve_jam (m, what, touches, n, is_solved, err);
  if (impacts->owner == NULL)
    return ss_fesd_law_jump (m->law, m->now.q, m->now.v, touches, n, m->now.bilateral, is_solved, err);
  SsError own = {0};
  const SsStatus status =
      impacts->jump (impacts->owner, m->law, what, m->now.q, m->now.v, touches, n, m->now.bilateral, &own);
  *is_solved = status == SS_OK;
  if (status == SS_ERR_MEMORY)
    return ss_error_set (err, SS_ERR_MEMORY, "%s", own.message);
  if (status != SS_OK)
    snprintf (m->reason, sizeof m->reason, "the impact%s at t = %.9g s: %.200s",
              what->is_without_collision ? " without a collision" : "", m->now.t, own.message);
  return status;
}

/* By how much the jump from m->work to the present velocities misses the equations. */
static double
judge_jump (SsFesdMarch *m, const SsFesdTouch *touches, int n)
{
  const SsFesdJump what = {.t = m->now.t,
                           .q = m->now.q,
                           .v_before = m->work,
                           .v_after = m->now.v,
                           .n = n,
                           .touches = touches,
                           .bilateral = m->now.bilateral};
  return m->judge != NULL ? m->judge->jump (m->judge->owner, &what) : 0;
}

static bool
is_slow (const SsFesdTouch *touches, int n)
{
  for (int i = 0; i < n; i++)
    if (touches[i].rate < -ss_fesd_slow)
      return false;
  return true;
}

/* The jump from m->work that is taken, for whoever makes it again. */
static SsStatus
log_jump (SsFesdMarch *m, const SsFesdImpactCase *what, const SsFesdTouch *touches, int n, SsError *err)
{
  int *items = ss_new_array (int, n + 1);
  if (items == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for the elements of a step");
  for (int i = 0; i < n; i++)
    items[i] = touches[i].item;
  const SsFesdTaken taken = {.is_jump = true,
                             .t = m->now.t,
                             .impact = *what,
                             .n_touches = n,
                             .q = m->now.q,
                             .v = m->work,
                             .v_after = m->now.v,
                             .offset = m->now.offset,
                             .touches = items};
  const SsStatus status = ss_fesd_log_add (&m->log, m->system, &taken, err);
  ss_free (items);
  return status;
}

/* Why the march ends here: what says no more of it than its error. */
static SsFesdOutcome
failed (SsFesdMarch *m, SsStatus status, const SsError *err)
{
  if (m->reason[0] == '\0')
    snprintf (m->reason, sizeof m->reason, "%.250s, at t = %.9g s",
              err != NULL && err->message[0] != '\0' ? err->message : "the contact law has no solution", m->now.t);
  return status == SS_ERR_MEMORY ? SS_FESD_NO_MEMORY : SS_FESD_FAILED;
}

/* All contacts that touch, in one jump, where one of them approaches; or where one slips. */
static SsFesdOutcome
jump (SsFesdMarch *m, bool is_without_collision, bool *jumped, SsError *err)
{
  const SsFesdSystem *s = m->system;
  SsFesdTouch *touches;
  int n;
  bool is_solved, strikes = false;
  const SsFesdImpactCase what = {m->now.n_jumps, ss_fesd_rest_speed (m), is_without_collision};
  *jumped = false;
  SsStatus status = ss_fesd_law_touching (m->law, m->now.t, m->now.q, m->now.v, m->now.offset,
                                          ss_fesd_touch_part * s->size, &touches, &n, err);
  if (status != SS_OK)
    return SS_FESD_NO_MEMORY;
  n = ss_fesd_law_without_drives (m->law, touches, n);
  if (m->options.freeze.owner != NULL) {
    SsError own = {0};
    status = m->options.freeze.look (m->options.freeze.owner, m, touches, n, &own);
    if (status != SS_OK)
      snprintf (m->reason, sizeof m->reason, "%.250s", own.message); /* which tells the time */
    if (status != SS_OK)
      return failed (m, status, &own);
  }
  for (int i = 0; i < n; i++)
    strikes = strikes || ss_fesd_strikes (s, &what, &touches[i]);
  if (!strikes)
    return SS_FESD_DONE;
  if (m->now.t >= m->t_step_end && ss_fesd_tell_row (m, NULL, err) != SS_OK)
    return SS_FESD_NO_MEMORY;
  memcpy (m->work, m->now.v, (size_t)s->n_q * sizeof *m->work);
  memset (m->told_impulse, 0, 2 * (size_t)ss_fesd_n_items (s) * sizeof *m->told_impulse);
  m->tau_of_jump = m->now.tau;
  status = resolve_jump (m, &what, touches, n, &is_solved, err);
  if (status != SS_OK)
    return failed (m, status, err);
  double residual = !is_solved ? INFINITY : m->is_over ? 0 : judge_jump (m, touches, n);
  if (residual > inexact_jump && m->options.impacts.owner == NULL && !is_without_collision) {
    memcpy (m->now.v, m->work, (size_t)s->n_q * sizeof *m->now.v);
    if (enumerate_jump (m, touches, n, &is_solved, err) != SS_OK)
      return SS_FESD_NO_MEMORY;
    residual = is_solved ? judge_jump (m, touches, n) : INFINITY;
  }
  if (residual > SS_SIM_LAW_MISSED) {
    memcpy (m->now.v, m->work, (size_t)s->n_q * sizeof *m->now.v);
    if (is_without_collision ||
        (is_slow (touches, n) && m->options.freeze.owner == NULL)) /* as if it touched at rest */
      return SS_FESD_DONE;
    say_no_impact (m, touches, n);
    return SS_FESD_FAILED;
  }
  m->now.residual = fmax (m->now.residual, residual);
  memset (m->impulse, 0, 2 * (size_t)ss_fesd_n_items (s) * sizeof *m->impulse);
  for (int i = 0; i < n; i++) {
    const int contact = ss_fesd_contact_of (s, touches[i].item);
    const int at = 2 * touches[i].item;
    m->impulse[at] = touches[i].force_n - m->told_impulse[at];
    m->impulse[at + 1] = touches[i].force_t - m->told_impulse[at + 1];
    if (contact >= 0)
      m->now.dissipated[contact] -= 0.5 * (touches[i].force_n * (touches[i].rate + touches[i].rate_after) +
                                           touches[i].force_t * (touches[i].slip + touches[i].slip_after));
  }
  *jumped = true;
  if (m->log.is_on && log_jump (m, &what, touches, n, err) != SS_OK)
    return SS_FESD_NO_MEMORY;
  m->now.n_jumps++;
  status = tell_impacts (m, &what, touches, n, err);
  if (status == SS_OK && m->estimate.trial != NULL && !is_without_collision)
    status = ss_fesd_estimate_jump (m, m->work, touches, n, err);
  memset (m->now.bilateral, 0, (size_t)s->n_bilateral * sizeof *m->now.bilateral);
  m->tau_of_jump = NAN;
  return status == SS_OK ? SS_FESD_DONE : SS_FESD_NO_MEMORY;
}

static bool
is_edge (const SsFesdSwitch *what)
{
  return what != NULL && (what->kind == SS_FESD_EDGE_BEGIN || what->kind == SS_FESD_EDGE_END);
}

/* Points that come to the end of their face or corner become others. */
static void
pass_edge (SsFesdMarch *m, const SsFesdSwitch *what)
{
  const SsFesdSystem *s = m->system;
  const int slot = what->item - s->n_static;
  const SsFesdPair *pair = &s->pairs[slot / 2];
  m->now.slots[slot] =
      ss_fesd_system_pass (s, pair, &m->now.slots[slot], what->kind == SS_FESD_EDGE_END, m->now.q, m->now.v);
  m->now.broken[what->item] = SS_FESD_STOPPED; /* the slip of the one says nothing of that of the other */
  ss_fesd_state_install (m);
}

/* The fit of velocities that were m->work, for whoever makes it again. That of rounding says nothing. */
static SsStatus
log_fit (SsFesdMarch *m, SsError *err)
{
  double moved = 0;
  for (int i = 0; i < m->system->n_q; i++)
    moved = fmax (moved, fabs (m->now.v[i] - m->work[i]));
  if (!(moved > ss_fesd_rest_speed (m)))
    return SS_OK;
  const SsFesdTaken taken = {
      .is_fit = true, .t = m->now.t, .q = m->now.q, .v = m->work, .offset = m->now.offset, .modes = m->now.modes};
  return ss_fesd_log_add (&m->log, m->system, &taken, err);
}

/* Slips and approaches of closed points that are below what counts as a speed are none. What is soft keeps its speed:
 * its element takes it away. Velocities were m->work. */
static SsStatus
still_rests (SsFesdMarch *m, SsError *err)
{
  const SsFesdChoice *c = &m->choice;
  bool any = m->system->n_bilateral > 0;
  for (int i = 0; i < c->n; i++) {
    const SsFesdTouch *touch = &c->touches[i];
    const bool is_closed = !m->now.soft[touch->item] && (c->base[i] != SS_FESD_OPEN || touch->rate < 0);
    any = any || is_closed;
    m->now.modes[touch->item] = !is_closed                                                       ? SS_FESD_OPEN
                                : c->base[i] == SS_FESD_OPEN                                     ? SS_FESD_SLIP_PLUS
                                : touch->sign == 0 && ss_fesd_mu_of (m->system, touch->item) > 0 ? SS_FESD_STICK
                                                                                                 : c->base[i];
  }
  SsStatus status = any ? ss_fesd_element_set_modes (m->element, m->now.modes, err) : SS_OK;
  if (any && status == SS_OK)
    (void)ss_fesd_element_project (m->element, m->now.t, m->now.q, m->now.v, false);
  if (any && status == SS_OK && m->log.is_on)
    status = log_fit (m, err);
  for (int i = 0; i < c->n; i++)
    m->now.modes[c->touches[i].item] = c->base[i];
  m->now.is_projected = true;
  return status;
}

/* The largest speed that still_rests takes away. */
static double
taken_away (const SsFesdMarch *m)
{
  const SsFesdChoice *c = &m->choice;
  double largest = 0;
  for (int i = 0; i < c->n; i++) {
    const SsFesdTouch *touch = &c->touches[i];
    if (m->now.soft[touch->item] || (c->base[i] == SS_FESD_OPEN && !(touch->rate < 0)))
      continue;
    largest = fmax (largest, fabs (touch->rate));
    if (touch->sign == 0 && ss_fesd_mu_of (m->system, touch->item) > 0)
      largest = fmax (largest, fabs (touch->slip));
  }
  return largest;
}

/* Points at rest by more rows than there is room for: slow slips that others drive were held, and what drives them was
 * stopped. */
static bool
has_stopped_others (const SsFesdMarch *m, const SsFesdTouch *touches, int n)
{
  const SsFesdChoice *c = &m->choice;
  const double most = passed_on * taken_away (m);
  for (int i = 0; i < c->n; i++)
    for (int k = 0; k < n; k++)
      if (c->touches[i].item == touches[k].item && c->touches[i].sign != 0 && !m->now.soft[touches[k].item] &&
          fabs (touches[k].slip - c->touches[i].slip) > most)
        return true;
  return false;
}

/* Whether a slip that the modes go by has vanished with the speeds that were none; or one that was taken for none has
 * not, since others drive it: is_fine then. */
static bool
has_changed (SsFesdMarch *m, SsError *err, SsStatus *status)
{
  SsFesdChoice *c = &m->choice;
  const double fine = ss_fesd_rest_slip (m), rest = c->is_fine ? fine : ss_fesd_rest_speed (m);
  SsFesdTouch *touches;
  int n;
  *status = ss_fesd_law_touching (m->law, m->now.t, m->now.q, m->now.v, m->now.offset,
                                  ss_fesd_touch_part * m->system->size, &touches, &n, err);
  if (*status == SS_OK && !c->is_fine && has_stopped_others (m, touches, n)) {
    memcpy (m->now.v, m->work, (size_t)m->system->n_q * sizeof *m->now.v);
    return c->is_fine = true;
  }
  for (int i = 0; *status == SS_OK && i < c->n; i++)
    for (int k = 0; k < n; k++) {
      const int item = touches[k].item;
      if (c->touches[i].item != item || m->now.soft[item])
        continue;
      if (c->touches[i].sign != 0 && fabs (touches[k].slip) <= rest)
        return true;
      const bool rests = c->touches[i].sign == 0 && c->base[i] != SS_FESD_OPEN && ss_fesd_mu_of (m->system, item) > 0;
      if (!c->is_fine && rests && fabs (touches[k].slip) > fine)
        return c->is_fine = true;
    }
  return false;
}

/* The modes at this instant, and velocities that obey them. */
static SsStatus
set_modes (SsFesdMarch *m, SsError *err)
{
  SsStatus status = SS_OK;
  bool again = true;
  m->choice.is_fine = false;
  for (int round = 0; status == SS_OK && again && round < ROUNDS_MAX; round++) {
    status = ss_fesd_modes_select (m, err);
    const int n_taken = m->log.n;
    const size_t size = (size_t)m->system->n_q * sizeof *m->work;
    memcpy (m->work, m->now.v, size); /* for has_changed */
    if (status == SS_OK)
      status = still_rests (m, err);
    again = status == SS_OK && has_changed (m, err, &status);
    if (memcmp (m->work, m->now.v, size) == 0) /* has_changed took the fit back */
      m->log.n = n_taken;
  }
  return status;
}

SsFesdOutcome
ss_fesd_release (SsFesdMarch *m, SsError *err)
{
  SS_ASSERT (m != NULL);
  ss_fesd_zeno_release (m);
  m->choice.is_hard = true;
  const SsStatus status = set_modes (m, err);
  return status == SS_OK ? SS_FESD_DONE : failed (m, status, err);
}

/* The modes after a jump, or without one. */
static SsFesdOutcome
set_modes_after (SsFesdMarch *m, bool jumped, SsError *err)
{
  if (m->is_over) /* within the jump */
    return SS_FESD_DONE;
  const bool is_at_end = m->now.t >= m->t_step_end;
  m->choice.is_hard = false;
  const SsStatus status = set_modes (m, err);
  if (status != SS_OK)
    return failed (m, status, err);
  if (jumped && !is_at_end) {
    if (ss_fesd_tell_row (m, m->impulse, err) != SS_OK)
      return SS_FESD_NO_MEMORY;
    m->row_to_patch = m->record.n_items - 1;
  }
  if (!jumped || !is_at_end)
    memset (m->impulse, 0, 2 * (size_t)ss_fesd_n_items (m->system) * sizeof *m->impulse);
  bool found;
  if (m->options.asks_first && !is_at_end && !m->now.is_capturing && ss_fesd_ask (m, &found, err) != SS_OK)
    return SS_FESD_NO_MEMORY;
  return SS_FESD_DONE;
}

/* The jump at this instant, if there is one, and the modes after it. */
SsFesdOutcome
ss_fesd_settle (SsFesdMarch *m, const SsFesdSwitch *what, SsError *err)
{
  bool jumped;
  ss_fesd_modes_look_up (m);
  if (is_edge (what) && m->now.live[what->item - m->system->n_static])
    pass_edge (m, what);
  const SsFesdOutcome outcome = jump (m, false, &jumped, err);
  return outcome != SS_FESD_DONE ? outcome : set_modes_after (m, jumped, err);
}

/* An impact without a collision where no forces obey the law in any mode, of all that there is time for, and something
 * slips. A law of impacts that knows such asks for all of them. */
static SsFesdOutcome
settle_without_collision (SsFesdMarch *m, bool *jumped, SsError *err)
{
  *jumped = false;
  if (m->options.freeze.owner != NULL || !m->choice.is_hopeless || m->choice.n_tried > 0 ||
      (m->options.impacts.takes_no_collision &&
       !ss_fesd_enumerate_is_complete (ss_fesd_enumerate_count (m, m->choice.touches, m->choice.n))))
    return SS_FESD_DONE;
  const SsFesdOutcome outcome = jump (m, true, jumped, err);
  return outcome != SS_FESD_DONE || !*jumped ? outcome : set_modes_after (m, true, err);
}

/* A proposal failed at once: the law's own modes, where they were not tried yet. */
static bool
return_to_law (SsFesdMarch *m)
{
  ss_fesd_ask_end (m, false);
  if (!m->options.asks_first || m->choice.is_hopeless)
    return false;
  ss_fesd_modes_take (m, m->choice.base);
  m->now.is_projected = false;
  return true;
}

static void
say_no_modes (SsFesdMarch *m)
{
  const SsFesdSystem *s = m->system;
  const SsFesdTouch *touch = m->choice.n > 0 ? &m->choice.touches[0] : NULL;
  for (int i = 1; i < m->choice.n; i++) /* the fastest slip is the likeliest to jam */
    if (fabs (m->choice.touches[i].slip) > fabs (touch->slip))
      touch = &m->choice.touches[i];
  if (touch == NULL) {
    snprintf (m->reason, sizeof m->reason,
              "the motion cannot go on at t = %.9g s: its equations have no solution there", m->now.t);
    return;
  }
  const char *mode = touch->sign > 0 ? "slip +" : touch->sign < 0 ? "slip -" : mode_name (SS_FESD_STICK);
  if (!m->choice.is_hopeless) {
    snprintf (
        m->reason, sizeof m->reason,
        "modes that obey the contact law at t = %.9g s were found, but none that lasts: of %d touching points %s, "
        "which was in %s, slips fastest; forces may not be unique there",
        m->now.t, m->choice.n, name_of (s, touch->item), mode);
    return;
  }
  snprintf (m->reason, sizeof m->reason,
            "no consistent mode of contact %s at t = %.9g s: the contact was in %s, and neither an open nor a closed "
            "contact obeys the contact law there",
            name_of (s, touch->item), m->now.t, mode);
  say_count (m, ss_fesd_enumerate_count (m, m->choice.touches, m->choice.n));
  const size_t used = strlen (m->reason);
  if (touch->sign != 0 && !m->options.impacts.takes_no_collision)
    snprintf (m->reason + used, sizeof m->reason - used, "; no impact without a collision was found either");
}

/* Other modes at this instant, those of the law first. False: there are none. */
SsFesdOutcome
ss_fesd_change_modes (SsFesdMarch *m, const SsFesdSwitch *what, SsError *err)
{
  bool found;
  if (!m->choice.is_selected || (is_edge (what) && m->now.at_instant++ < EDGES_MAX)) {
    SsFesdOutcome outcome = ss_fesd_settle (m, what, err);
    if (outcome != SS_FESD_DONE)
      return outcome;
    if (!m->choice.is_hopeless || m->choice.is_proposed)
      return SS_FESD_DONE;
  }
  if (m->choice.is_proposed && return_to_law (m))
    return SS_FESD_DONE;
  SsStatus status = ss_fesd_modes_next (m, &found, err);
  if (status == SS_OK && !found) {
    bool jumped;
    const SsFesdOutcome outcome = settle_without_collision (m, &jumped, err);
    if (outcome != SS_FESD_DONE || jumped)
      return outcome;
  }
  if (status == SS_OK && !found && (m->choice.is_hopeless || m->depth >= SS_FESD_LAST_DEPTH))
    status = ss_fesd_ask (m, &found, err);
  if (status != SS_OK)
    return failed (m, status, err);
  if (found) {
    m->now.is_projected = false;
    return SS_FESD_DONE;
  }
  if (m->choice.is_hopeless && m->choice.n > 0) {
    say_no_modes (m);
    return SS_FESD_FAILED;
  }
  say_no_modes (m);
  return SS_FESD_TOO_MANY;
}
