/* engine/fesd/ss-fesd-ask.c: modes that somebody else proposes (simulate/ss-proposer.h), where the law at an instant
 * gives none that go on; see ss-fesd-march.h. */
#include "fesd/ss-fesd-march-private.h"

#include "core/ss-memory.h"

#include <math.h>
#include <string.h>

/* Of the way and the speeds of the proposed motion: gaps that open by less are closed, slower slips are none. A
 * homotopy ends with gaps and slips of some 1e-9: what is less than this of its motion may be either. */
static const double none = 1e-6;
/* Signs of the law at the instant may be missed by this part of its largest numbers: what it allows itself, within
 * ss_fesd_law_tolerance, was tried without the proposal. The element's own signs are as strict as ever. */
static const double near_law = 1e-3;

/* The greatest change of a pose coordinate [m, rad], and the greatest speed. */
static void
measure (const SsFesdMarch *m, const SsProposal *proposal, double *way, double *speed)
{
  const int n_q = m->system->n_q;
  *way = *speed = 0;
  for (int k = 0; k < proposal->n; k++)
    for (int i = 0; i < n_q; i++) {
      *way = fmax (*way, fabs (proposal->q[k * n_q + i] - m->now.q[i]));
      *speed = fmax (*speed, fabs (proposal->v[k * n_q + i]));
    }
}

/* By how much the gaps of the candidates open, at most, and their slips of largest size: into opening[n], slip[n]. */
static SsStatus
look (SsFesdMarch *m, const SsProposal *proposal, double *opening, double *slip, SsError *err)
{
  const SsFesdChoice *c = &m->choice;
  for (int i = 0; i < c->n; i++)
    opening[i] = slip[i] = 0;
  for (int k = 0; k < proposal->n; k++) {
    const double *q = proposal->q + k * m->system->n_q, *v = proposal->v + k * m->system->n_q;
    SsFesdTouch *touches;
    int n;
    const SsStatus status = ss_fesd_law_touching (m->law, m->now.t, q, v, m->now.offset, INFINITY, &touches, &n, err);
    if (status != SS_OK)
      return status;
    for (int i = 0; i < c->n; i++)
      for (int j = 0; j < n; j++)
        if (touches[j].item == c->touches[i].item) {
          opening[i] = fmax (opening[i], touches[j].gap - c->touches[i].gap);
          slip[i] = fabs (touches[j].slip) > fabs (slip[i]) ? touches[j].slip : slip[i];
        }
  }
  return SS_OK;
}

/* The proposal's modes of the candidates, into c->trial. */
static SsStatus
read_modes (SsFesdMarch *m, const SsProposal *proposal, double *work, SsError *err)
{
  SsFesdChoice *c = &m->choice;
  double way, speed, *opening = work, *slip = work + c->n;
  const SsStatus status = look (m, proposal, opening, slip, err);
  measure (m, proposal, &way, &speed);
  const double least_slip = fmax (none * speed, ss_fesd_rest_slip (m));
  for (int i = 0; status == SS_OK && i < c->n; i++) {
    const SsFesdTouch *touch = &c->touches[i];
    const bool has_friction = ss_fesd_mu_of (m->system, touch->item) > 0;
    const double sign = fabs (slip[i]) > least_slip ? slip[i] : touch->sign;
    c->trial[i] = opening[i] > none * way     ? SS_FESD_OPEN
                  : has_friction && sign == 0 ? SS_FESD_STICK
                  : has_friction && sign < 0  ? SS_FESD_SLIP_MINUS
                                              : SS_FESD_SLIP_PLUS;
  }
  return status;
}

/* Whether these modes are near to the law at this instant; forces and accelerations are then known. Modes far from it
 * could pass for elements so short that tolerances of gaps hide what they do. */
static SsStatus
judge_modes (SsFesdMarch *m, bool *found, SsError *err)
{
  SsFesdChoice *c = &m->choice;
  const SsStatus status = ss_fesd_law_prepare (m->law, m->now.t, m->now.q, m->now.v, c->touches, c->n, err);
  *found = status == SS_OK && ss_fesd_law_test (m->law, c->touches, c->trial, c->n, near_law);
  return status;
}

SsStatus
ss_fesd_ask (SsFesdMarch *m, bool *found, SsError *err)
{
  SS_ASSERT (m != NULL && found != NULL);

  const SsFesdSystem *s = m->system;
  const SsScene *scene = s->scene;
  const SsProposer *proposer = m->options.proposer;
  SsFesdChoice *c = &m->choice;
  const double length = m->t_step_end - m->now.t;
  *found = false;
  if (proposer == NULL || c->is_asked || c->n == 0 || !(length > ss_fesd_shortest))
    return SS_OK;
  c->is_asked = true;
  const int n_values = scene->n_contacts * SS_SIM_N_CONTACT_VALUES;
  double *work = ss_new_array (double, (size_t)n_values + 2 * (size_t)c->n + (size_t)scene->n_actuators + 1);
  if (work == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  double *contact = work + 2 * c->n, *controls = contact + n_values;
  const SsSimState state = {.t = m->now.t, .q = m->now.q, .v = m->now.v, .contact = contact, .tau = m->now.tau};
  ss_fesd_tell_gaps (m, m->now.q, contact);
  for (int i = 0; i < scene->n_actuators; i++)
    controls[i] = ss_dynamics_control (s->dynamics, i, m->now.t, m->now.q, m->now.v, m->controls);
  SsProposal proposal = {0};
  SsStatus status = proposer->propose (proposer->owner, &state, controls, length, &proposal, err);
  if (status == SS_OK && proposal.n > 0) {
    status = read_modes (m, &proposal, work, err);
    if (status == SS_OK)
      status = judge_modes (m, found, err);
    c->is_proposed = *found;
    if (status == SS_OK && *found) {
      ss_fesd_modes_take (m, c->trial);
      m->now.is_projected = false;
      m->now.is_known = true;
    } else if (status == SS_OK) {
      proposer->tell (proposer->owner, m->now.t, false);
    }
  }
  ss_free (work);
  return status;
}

void
ss_fesd_ask_end (SsFesdMarch *m, bool is_taken)
{
  SS_ASSERT (m != NULL);

  const SsProposer *proposer = m->options.proposer;
  m->choice.is_proposed = false;
  if (is_taken)
    m->counts.homotopy++;
  proposer->tell (proposer->owner, m->now.t, is_taken);
}
