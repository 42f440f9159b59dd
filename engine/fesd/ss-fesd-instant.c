/* engine/fesd/ss-fesd-instant.c: jumps of the march, and the modes after them. */
#include "fesd/ss-fesd-march-private.h"

#include "simulate/ss-sim-limits.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static SsStatus
tell_impacts (SsFesdMarch *m, const SsFesdTouch *touches, int n, double rest, SsError *err)
{
  SsStatus status = SS_OK;
  for (int i = 0; status == SS_OK && i < n; i++) {
    const int item = touches[i].item;
    if (!(touches[i].rate < -rest))
      continue;
    m->now.told[item] = m->now.modes[item] = SS_FESD_OPEN;
    m->now.events++;
    status = ss_fesd_tell_event (m, SS_EVENT_IMPACT, item, m->now.t, touches[i].force_n, err);
    ss_fesd_zeno_note (m, item);
    if (!ss_fesd_zeno_ends (m, item))
      continue;
    for (int k = 0; k < n;
         k++) /* those that leave now and whose flights end with it, as the corners of a rocking block */
      (void)ss_fesd_zeno_ends (m, touches[k].item);
  }
  return status;
}

static void
say_no_impact (SsFesdMarch *m, const SsFesdTouch *touches, int n)
{
  const int contact = ss_fesd_contact_of (m->system, touches[0].item);

  snprintf (m->reason, sizeof m->reason, "the impact at t = %.9g s has no solution (%d points, first of contact %s)",
            m->now.t, n, m->system->scene->contacts[contact < 0 ? 0 : contact].name);
}

static SsStatus
resolve_jump (SsFesdMarch *m, SsFesdTouch *touches, int n, double rest, bool *is_solved, SsError *err)
{
  const SsFesdImpactLaw *impacts = &m->options.impacts;
  if (impacts->owner == NULL)
    return ss_fesd_law_jump (m->law, m->now.q, m->now.v, touches, n, m->now.bilateral, is_solved, err);
  SsError own = {0};
  const SsStatus status = impacts->jump (impacts->owner, m->law, m->now.n_jumps, rest, m->now.q, m->now.v, touches, n,
                                         m->now.bilateral, &own);
  *is_solved = status == SS_OK;
  if (status == SS_ERR_MEMORY)
    return ss_error_set (err, SS_ERR_MEMORY, "%s", own.message);
  if (status != SS_OK)
    snprintf (m->reason, sizeof m->reason, "the impact at t = %.9g s: %.200s", m->now.t, own.message);
  return status;
}

/* All contacts that touch and approach, in one jump. */
static SsFesdOutcome
jump (SsFesdMarch *m, bool *jumped, SsError *err)
{
  const SsFesdSystem *s = m->system;
  SsFesdTouch *touches;
  int n;
  bool is_solved, approaches = false;
  const double rest = ss_fesd_rest_speed (m);
  *jumped = false;
  SsStatus status =
      ss_fesd_law_touching (m->law, m->now.q, m->now.v, m->now.offset, ss_fesd_touch_part * s->size, &touches, &n, err);
  if (status != SS_OK)
    return SS_FESD_NO_MEMORY;
  if (m->options.freeze.owner != NULL) {
    SsError own = {0};
    status = m->options.freeze.look (m->options.freeze.owner, m, touches, n, &own);
    if (status != SS_OK)
      snprintf (m->reason, sizeof m->reason, "%.250s", own.message);
    if (status != SS_OK)
      return status == SS_ERR_MEMORY ? SS_FESD_NO_MEMORY : SS_FESD_FAILED;
  }
  for (int i = 0; i < n; i++)
    approaches = approaches || touches[i].rate < -rest;
  if (!approaches)
    return SS_FESD_DONE;
  if (m->now.t >= m->t_step_end && ss_fesd_tell_row (m, NULL, err) != SS_OK)
    return SS_FESD_NO_MEMORY;
  memcpy (m->work, m->now.v, (size_t)s->n_q * sizeof *m->work);
  memset (m->told_impulse, 0, 2 * (size_t)ss_fesd_n_items (s) * sizeof *m->told_impulse);
  m->tau_of_jump = m->now.tau;
  status = resolve_jump (m, touches, n, rest, &is_solved, err);
  if (status != SS_OK)
    return status == SS_ERR_MEMORY ? SS_FESD_NO_MEMORY : SS_FESD_FAILED;
  if (!is_solved) {
    say_no_impact (m, touches, n);
    return SS_FESD_FAILED;
  }
  if (m->judge != NULL && !m->is_over) {
    const SsFesdJump what = {.t = m->now.t,
                             .q = m->now.q,
                             .v_before = m->work,
                             .v_after = m->now.v,
                             .n = n,
                             .touches = touches,
                             .bilateral = m->now.bilateral};
    const double residual = m->judge->jump (m->judge->owner, &what);
    m->now.residual = fmax (m->now.residual, residual);
    if (residual > SS_SIM_LAW_MISSED) {
      say_no_impact (m, touches, n);
      return SS_FESD_FAILED;
    }
  }
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
  m->now.n_jumps++;
  memset (m->now.bilateral, 0, (size_t)s->n_bilateral * sizeof *m->now.bilateral);
  status = tell_impacts (m, touches, n, rest, err);
  m->tau_of_jump = NAN;
  return status == SS_OK ? SS_FESD_DONE : SS_FESD_NO_MEMORY;
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
  ss_fesd_state_install (m);
}

/* Slips and approaches of closed points that are below what counts as a speed are none. */
static SsStatus
still_rests (SsFesdMarch *m, SsError *err)
{
  const SsFesdChoice *c = &m->choice;
  bool any = m->system->n_bilateral > 0;
  for (int i = 0; i < c->n; i++) {
    const SsFesdTouch *touch = &c->touches[i];
    any = any || c->base[i] != SS_FESD_OPEN;
    m->now.modes[touch->item] = c->base[i] == SS_FESD_OPEN                                       ? SS_FESD_OPEN
                                : touch->sign == 0 && ss_fesd_mu_of (m->system, touch->item) > 0 ? SS_FESD_STICK
                                                                                                 : c->base[i];
  }
  SsStatus status = any ? ss_fesd_element_set_modes (m->element, m->now.modes, err) : SS_OK;
  if (any && status == SS_OK)
    (void)ss_fesd_element_project (m->element, m->now.t, m->now.q, m->now.v, false);
  for (int i = 0; i < c->n; i++)
    m->now.modes[c->touches[i].item] = c->base[i];
  return status;
}

/* The jump at this instant, if there is one, and the modes after it. */
SsFesdOutcome
ss_fesd_settle (SsFesdMarch *m, const SsFesdSwitch *what, SsError *err)
{
  bool jumped;
  const bool is_edge = what != NULL && (what->kind == SS_FESD_EDGE_BEGIN || what->kind == SS_FESD_EDGE_END);
  ss_fesd_modes_look_up (m);
  if (is_edge && m->now.live[what->item - m->system->n_static])
    pass_edge (m, what);
  SsFesdOutcome outcome = jump (m, &jumped, err);
  if (outcome != SS_FESD_DONE)
    return outcome;
  if (m->is_over) /* within the jump */
    return SS_FESD_DONE;
  const bool is_at_end = m->now.t >= m->t_step_end;
  SsStatus status = jumped ? ss_fesd_zeno_rest (m, err) : SS_OK;
  if (status == SS_OK)
    status = ss_fesd_modes_select (m, err);
  if (status == SS_OK)
    status = still_rests (m, err);
  if (status != SS_OK)
    return status == SS_ERR_MEMORY ? SS_FESD_NO_MEMORY : SS_FESD_FAILED;
  if (jumped && !is_at_end) {
    if (ss_fesd_tell_row (m, m->impulse, err) != SS_OK)
      return SS_FESD_NO_MEMORY;
    m->row_to_patch = m->record.n_items - 1;
  }
  if (!jumped || !is_at_end)
    memset (m->impulse, 0, 2 * (size_t)ss_fesd_n_items (m->system) * sizeof *m->impulse);
  return SS_FESD_DONE;
}

static const char *
mode_name (SsFesdMode mode)
{
  static const char *const names[] = {"open", "stick", "slip +", "slip -"};
  return names[mode];
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
  const char *name = touch->item < s->n_points
                         ? s->scene->contacts[s->points[touch->item].contact].name
                         : s->scene->joints[s->row_joint[s->n_bilateral + touch->item - s->n_points]].name;
  snprintf (
      m->reason, sizeof m->reason,
      "no consistent mode of contact %s at t = %.9g s: it was in %s, and neither open nor closed contact obeys the "
      "law there",
      name, m->now.t, mode);
}

/* Other modes at this instant, those of the law first. False: there are none. */
SsFesdOutcome
ss_fesd_change_modes (SsFesdMarch *m, const SsFesdSwitch *what, SsError *err)
{
  bool found;
  if (!m->choice.is_selected) {
    SsFesdOutcome outcome = ss_fesd_settle (m, what, err);
    if (outcome != SS_FESD_DONE)
      return outcome;
    if (!m->choice.is_hopeless)
      return SS_FESD_DONE;
  }
  SsStatus status = ss_fesd_modes_next (m, &found, err);
  if (status != SS_OK)
    return status == SS_ERR_MEMORY ? SS_FESD_NO_MEMORY : SS_FESD_FAILED;
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
