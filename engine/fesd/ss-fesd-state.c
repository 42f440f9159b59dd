/* engine/fesd/ss-fesd-state.c: what a step of the march changes, and the way back. */
#include "fesd/ss-fesd-march-private.h"

#include "core/ss-memory.h"

#include <string.h>

static size_t
n_numbers_of (const SsFesdSystem *s)
{
  return 6 * (size_t)s->n_q + (size_t)ss_fesd_n_items (s) * (SS_FESD_FLIGHTS + 6) + (size_t)s->n_bilateral +
         (size_t)s->n_free + (size_t)s->scene->n_contacts;
}

SsStatus
ss_fesd_state_init (const SsFesdSystem *s, SsFesdState *state, SsError *err)
{
  SS_ASSERT (s != NULL && state != NULL);

  const size_t n_items = (size_t)ss_fesd_n_items (s);
  state->q = ss_new_array (double, n_numbers_of (s) + 1);
  state->modes = ss_new_array (SsFesdMode, 3 * n_items + 1);
  state->broken = ss_new_array (int, n_items + 1);
  state->slots = ss_new_array (SsFesdPoint, 2 * (size_t)s->n_pairs + 1);
  state->live = ss_new_array (bool, 2 * (size_t)s->n_pairs + n_items + 1);
  if (state->q == NULL || state->modes == NULL || state->broken == NULL || state->slots == NULL || state->live == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for the state of %d contact points", s->n_points);
  state->v = state->q + s->n_q;
  state->offset = state->v + s->n_q;
  state->overlap = state->offset + n_items;
  state->lambda_n = state->overlap + n_items;
  state->lambda_t = state->lambda_n + n_items;
  state->flights = state->lambda_t + n_items;
  state->ends = state->flights + n_items * (SS_FESD_FLIGHTS + 1);
  state->bilateral = state->ends + n_items;
  state->a = state->bilateral + s->n_bilateral;
  state->dissipated = state->a + s->n_free;
  state->error = state->dissipated + s->scene->n_contacts;
  state->local = state->error + 2 * s->n_q;
  state->told = state->modes + n_items;
  state->sampled = state->told + n_items;
  state->soft = state->live + 2 * s->n_pairs;
  return SS_OK;
}

void
ss_fesd_state_clear (SsFesdState *state)
{
  SS_ASSERT (state != NULL);
  ss_free (state->q);
  ss_free (state->modes);
  ss_free (state->broken);
  ss_free (state->slots);
  ss_free (state->live);
  *state = (SsFesdState){0};
}

/* Copies what `from` holds; the arrays of `to` stay its own. */
static void
state_copy (const SsFesdSystem *s, SsFesdState *to, const SsFesdState *from)
{
  const size_t n_items = (size_t)ss_fesd_n_items (s), n_slots = 2 * (size_t)s->n_pairs;
  to->t = from->t;
  to->tau = from->tau;
  to->residual = from->residual;
  to->second = from->second;
  to->events = from->events;
  to->is_known = from->is_known;
  to->is_projected = from->is_projected;
  to->is_capturing = from->is_capturing;
  to->capture_end = from->capture_end;
  to->at_instant = from->at_instant;
  to->solved = from->solved;
  to->condition = from->condition;
  to->n_jumps = from->n_jumps;
  to->sampling = from->sampling;
  memcpy (to->q, from->q, n_numbers_of (s) * sizeof *to->q);
  memcpy (to->modes, from->modes, 3 * n_items * sizeof *to->modes);
  memcpy (to->broken, from->broken, n_items * sizeof *to->broken);
  memcpy (to->slots, from->slots, n_slots * sizeof *to->slots);
  memcpy (to->live, from->live, (n_slots + n_items) * sizeof *to->live);
}

/* Points of pairs of the present state, for the system. */
void
ss_fesd_state_install (SsFesdMarch *m)
{
  SS_ASSERT (m != NULL);

  SsFesdSystem *s = m->system;
  memcpy (s->points + s->n_static, m->now.slots, 2 * (size_t)s->n_pairs * sizeof *s->points);
  memcpy (s->is_live + s->n_static, m->now.live, 2 * (size_t)s->n_pairs * sizeof *s->is_live);
}

/* Keeps the state under a number; the way back. */
SsStatus
ss_fesd_state_save (SsFesdMarch *m, int depth, SsError *err)
{
  SS_ASSERT (m != NULL);
  if (m->saved[depth].q == NULL) {
    SsStatus status = ss_fesd_state_init (m->system, &m->saved[depth], err);
    if (status != SS_OK) {
      ss_fesd_state_clear (&m->saved[depth]);
      return status;
    }
  }
  state_copy (m->system, &m->saved[depth], &m->now);
  m->cut[depth].n_items = m->record.n_items;
  m->cut[depth].n_numbers = m->record.n_numbers;
  m->cut[depth].row_to_patch = m->row_to_patch;
  m->cut[depth].n_taken = m->log.n;
  return SS_OK;
}

void
ss_fesd_state_restore (SsFesdMarch *m, int depth)
{
  SS_ASSERT (m != NULL);
  state_copy (m->system, &m->now, &m->saved[depth]);
  ss_fesd_record_cut (&m->record, m->cut[depth].n_items, m->cut[depth].n_numbers);
  m->row_to_patch = m->cut[depth].row_to_patch;
  m->log.n = m->cut[depth].n_taken;
  m->choice.is_selected = false;
  ss_fesd_state_install (m);
}
