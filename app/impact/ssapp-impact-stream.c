/* app/impact/ssapp-impact-stream.c: the set's configuration, its samples as they stream in, shares of modes, energy. */
#include "app/impact/ssapp-impact-private.h"

#include <math.h>
#include <string.h>

enum { FIRST_GROWTH = 256, GROWTH_SIDE = 24 };

/* ---- memory of samples ------------------------------------------------------------------------------------------- */

static void
reserve (SsappImpactSet *self, gint64 n)
{
  if (n <= self->capacity)
    return;
  const gsize capacity = MAX ((gsize)n, 2 * (gsize)self->capacity);
  if (self->columns == NULL)
    self->columns = g_new0 (float *, 2 * (gsize)self->m);
  for (int c = 0; c < 2 * self->m; c++)
    self->columns[c] = g_renew (float, self->columns[c], capacity);
  self->energies = g_renew (float, self->energies, capacity);
  self->modes = g_renew (guint16, self->modes, capacity);
  self->mask = g_renew (guint8, self->mask, capacity);
  self->capacity = (gint64)capacity;
}

static int
target_of (const SsappImpactSet *self)
{
  const int wanted = self->parameters.options.n_samples;
  return self->is_dragged ? MIN (wanted, SSAPP_IMPACT_DRAGGED) : wanted;
}

static gboolean is_awaited (const SsappImpactSet *self);
static void restart (SsappImpactSet *self);

/* Nothing is shown any more; what is asked stays. */
static void
forget_samples (SsappImpactSet *self)
{
  ssapp_impact_set_free_samples (self);
  g_clear_pointer (&self->impact, ss_impact_free);
  g_clear_pointer (&self->bound, ss_impact_bound_free);
  self->has_bound = FALSE;
  g_array_set_size (self->reached, 0);
  g_array_set_size (self->kinds, 0);
  g_hash_table_remove_all (self->by_code);
  g_array_set_size (self->between, 0);
  g_array_set_size (self->growth, 0);
  g_clear_pointer (&self->losses, g_free);
  g_clear_pointer (&self->loss_shares, g_free);
  self->m = 0;
  self->n_traced = 0;
  self->solves = self->steps_ambiguous = 0.;
  memset (self->fine, 0, sizeof *self->fine * SSAPP_IMPACT_FINE_BINS);
  self->totals = (SsappImpactTotals){.n_wanted = target_of (self), .ambiguous = NAN};
  self->has_laws = FALSE;
  self->chosen = -1;
  ssapp_impact_outcome_forget (self);
  ssapp_impact_planes_reset (self);
}

/* The samples of another configuration begin; TRUE: what is said of the chosen outcome, or of the approach, is no
 * longer so. */
static gboolean
begin_shown (SsappImpactSet *self)
{
  const SsImpact *before = self->impact, *after = self->pending;
  const gboolean was_chosen = self->chosen >= 0 || before == NULL || before->n != after->n ||
                              memcmp (before->v, after->v, sizeof (double) * (gsize)after->n) != 0;

  forget_samples (self);
  self->impact = g_steal_pointer (&self->pending);
  self->options = self->parameters.options;
  self->shown = self->generation;
  self->m = self->impact->m;
  self->losses = g_new0 (double, 2 * (gsize)self->m);
  self->loss_shares = g_new0 (double, 2 * (gsize)self->m);
  self->totals.n_contacts = self->m;
  self->totals.energy_before = ss_impact_kinetic_energy (self->impact, self->impact->v);
  return was_chosen;
}

/* ---- counting ---------------------------------------------------------------------------------------------------- */

static guint16
number_of (SsappImpactSet *self, guint32 code, gint64 sample)
{
  gpointer found;
  SsappImpactMode kind = {.code = code, .number = (int)self->kinds->len, .first = sample};

  if (g_hash_table_lookup_extended (self->by_code, GUINT_TO_POINTER (code), NULL, &found))
    return (guint16)GPOINTER_TO_UINT (found);
  if (self->kinds->len >= SSAPP_IMPACT_MOST_MODES)
    return SSAPP_IMPACT_MOST_MODES - 1; /* the rare rest of very many contacts */
  kind.name = ssapp_joint_mode_name (code, ssapp_impact_source_get_labels (self->source), self->m);
  g_array_append_val (self->kinds, kind);
  g_hash_table_insert (self->by_code, GUINT_TO_POINTER (code), GINT_TO_POINTER (kind.number));
  return (guint16)kind.number;
}

static void
add_samples (SsappImpactSet *self, const SsappImpactChunk *chunk)
{
  const gint64 first = self->n;
  guint32 last_code = 0;
  guint16 last = SSAPP_IMPACT_NO_MODE;

  reserve (self, first + chunk->n);
  for (int c = 0; c < 2 * self->m; c++)
    memcpy (self->columns[c] + first, chunk->speeds + (gsize)c * (gsize)chunk->n, sizeof (float) * (gsize)chunk->n);
  memcpy (self->energies + first, chunk->energies, sizeof (float) * (gsize)chunk->n);
  for (int k = 0; k < chunk->n; k++) {
    const gint64 at = first + k;
    const float energy = chunk->energies[k];
    if (isnan (chunk->speeds[k])) {
      self->modes[at] = SSAPP_IMPACT_NO_MODE;
      continue;
    }
    if (last == SSAPP_IMPACT_NO_MODE || chunk->modes[k] != last_code) {
      last_code = chunk->modes[k];
      last = number_of (self, last_code, at);
    }
    self->modes[at] = last;
    g_array_index (self->kinds, SsappImpactMode, last).n++;
    if (isfinite (energy)) {
      self->fine[CLAMP ((int)(energy * SSAPP_IMPACT_FINE_BINS), 0, SSAPP_IMPACT_FINE_BINS - 1)]++;
      self->totals.energy_most = MAX (self->totals.energy_most, (double)energy);
    }
  }
  self->n += chunk->n;
}

static void
add_totals (SsappImpactSet *self, const SsappImpactChunk *chunk)
{
  self->totals.n_unfinished += chunk->n_unfinished;
  self->totals.n_dropped += chunk->n_dropped;
  self->totals.max_residual = MAX (self->totals.max_residual, chunk->max_residual);
  self->solves += (double)chunk->n_solves;
  self->steps_ambiguous += (double)chunk->n_ambiguous;
  self->totals.ambiguous = chunk->n_ambiguous >= 0 && self->solves > 0. ? self->steps_ambiguous / self->solves : NAN;
  self->totals.seconds = 1e-6 * (double)(g_get_monotonic_time () - self->started);
  for (int c = 0; c < 2 * self->m; c++)
    self->losses[c] += chunk->losses[c];
  self->n_traced += chunk->n_traced;
  for (int c = 0; c < 2 * self->m && self->n_traced > 0 && self->totals.energy_before > 0.; c++)
    self->loss_shares[c] = self->losses[c] / self->n_traced / self->totals.energy_before;
  g_array_append_vals (self->between, chunk->between->data, chunk->between->len);
}

static void
note_growth (SsappImpactSet *self)
{
  gint64 next = FIRST_GROWTH;
  SsappImpactGrowth growth = {.n = self->n};

  for (guint k = 0; k < self->growth->len; k++)
    next = MAX (next, 2 * g_array_index (self->growth, SsappImpactGrowth, k).n);
  if (self->n < next || self->planes[0].n_all < self->n || self->planes[1].n_all < self->n)
    return;
  for (int p = 0; p < SSAPP_IMPACT_PLANES; p++) {
    growth.area[p] = ssapp_plane_hull_area (self->planes[p].all);
    growth.occupied[p] = ssapp_plane_occupied (self->planes[p].all, GROWTH_SIDE);
  }
  for (guint k = 0; k < MIN (self->kinds->len, SSAPP_IMPACT_STUDY_MODES); k++)
    growth.shares[k] = (double)g_array_index (self->kinds, SsappImpactMode, k).n / (double)self->n;
  growth.unfinished = (double)(self->totals.n_unfinished + self->totals.n_dropped) / (double)self->n;
  g_array_append_val (self->growth, growth);
}

/* FALSE: it is of another configuration. */
static gboolean
count_chunk (SsappImpactSet *self, SsappImpactChunk *chunk)
{
  gboolean chosen_changed = FALSE;

  if (chunk->error != NULL) {
    ssapp_impact_set_tell_failed (self, chunk->error);
    ssapp_impact_chunk_free (chunk);
    return FALSE;
  }
  if (self->shown != chunk->generation)
    chosen_changed = begin_shown (self);
  if (chunk->n > 0) /* else ways of samples that are there */
    add_samples (self, chunk);
  add_totals (self, chunk);
  if (chunk->has_bound) {
    ss_impact_bound_free (self->bound);
    self->bound = g_steal_pointer (&chunk->bound);
    self->has_bound = TRUE;
    g_array_set_size (self->reached, 0);
    g_array_append_vals (self->reached, chunk->reached->data, chunk->reached->len);
  }
  ssapp_impact_chunk_free (chunk);
  if (chosen_changed)
    ssapp_impact_set_tell_chosen (self);
  return TRUE;
}

gboolean
ssapp_impact_set_take (SsappImpactSet *self, gint64 budget)
{
  g_return_val_if_fail (SSAPP_IS_IMPACT_SET (self), FALSE);
  const gint64 deadline = budget > 0 ? g_get_monotonic_time () + budget : G_MAXINT64;
  gboolean is_changed = FALSE, has_more = FALSE;
  SsappImpactChunk *chunk;

  while (g_get_monotonic_time () < deadline && (chunk = ssapp_impact_worker_take (self->worker)) != NULL) {
    is_changed |= count_chunk (self, chunk);
    has_more = ssapp_impact_planes_advance (self, deadline);
    note_growth (self);
  }
  if (!is_changed) {
    const gint64 before = ssapp_impact_planes_progress (self);
    has_more = ssapp_impact_planes_advance (self, deadline);
    note_growth (self);
    is_changed = before != ssapp_impact_planes_progress (self);
  }
  if (self->is_late && !is_awaited (self))
    restart (self);
  has_more |= ssapp_impact_side_advance (self, &is_changed);
  if (is_changed)
    ssapp_impact_set_tell (self);
  return is_changed || has_more || self->is_late ||
         (self->source != NULL && (self->shown != self->generation || self->n < self->totals.n_wanted ||
                                   !self->has_bound || self->n_traced < MIN (SSAPP_IMPACT_TRACED, self->n)));
}

void
ssapp_impact_set_wait (SsappImpactSet *self)
{
  g_return_if_fail (SSAPP_IS_IMPACT_SET (self));
  SsappImpactChunk *chunk;

  while ((chunk = ssapp_impact_worker_wait (self->worker)) != NULL && count_chunk (self, chunk)) {
    ssapp_impact_planes_advance (self, G_MAXINT64);
    note_growth (self);
  }
  ssapp_impact_planes_advance (self, G_MAXINT64);
  note_growth (self);
  ssapp_impact_side_wait (self);
  ssapp_impact_set_tell (self);
}

/* ---- what is asked ----------------------------------------------------------------------------------------------- */

/* While a value is dragged, a set is drawn to its end, for a frame at most, before the next one is begun. */
static gboolean
is_awaited (const SsappImpactSet *self)
{
  static const gint64 FRAME = 16000; /* us */
  return self->generation > 0 && (self->shown != self->generation || self->n < target_of (self)) &&
         (self->shown != self->generation || g_get_monotonic_time () - self->started < FRAME);
}

static void take_source (SsappImpactSet *self, SsappImpactSource *source, gboolean is_variant);

/* The source with the value that was asked for; FALSE: there is none, which is told when nothing is dragged. */
static gboolean
ask_scene (SsappImpactSet *self)
{
  g_autoptr (GError) error = NULL;

  if (self->asked_parameter < 0)
    return TRUE;
  g_autoptr (SsappImpactSource) derived =
      ssapp_impact_source_derive (self->source, self->asked_parameter, self->asked_value, &error);
  if (derived == NULL && self->is_dragged)
    return FALSE;
  self->asked_parameter = -1;
  if (derived == NULL)
    ssapp_impact_set_tell_failed (self, error->message);
  else
    take_source (self, derived, TRUE);
  return derived != NULL;
}

static void
restart (SsappImpactSet *self)
{
  g_autoptr (GError) error = NULL;
  SsImpact *impact;

  self->is_late = FALSE;
  if (self->source == NULL)
    return;
  if (self->is_dragged && is_awaited (self)) {
    self->is_late = TRUE; /* or a value that changes every frame would never show a set */
    return;
  }
  if (!ask_scene (self))
    return;
  impact = ssapp_impact_source_make (self->source, self->parameters.mu, self->parameters.angle, &error);
  g_clear_pointer (&self->pending, ss_impact_free);
  if (impact != NULL)
    self->pending = ssapp_impact_source_make (self->source, self->parameters.mu, self->parameters.angle, &error);
  if (self->pending == NULL) {
    ss_impact_free (impact);
    ssapp_impact_set_tell_failed (self, error->message);
    return;
  }
  self->started = g_get_monotonic_time ();
  self->generation = ssapp_impact_worker_start (self->worker, impact, &self->parameters.options, target_of (self));
  self->totals.n_wanted = target_of (self);
}

/* Another configuration: nothing of the one before is shown. */
static void
begin_source (SsappImpactSet *self)
{
  const SsImpact *impact = ssapp_impact_source_get_impact (self->source);
  const int m = impact->m;

  for (int p = 0; p < SSAPP_IMPACT_PLANES; p++) {
    self->planes[p].columns[0] = m + MIN (p, m - 1);
    self->planes[p].columns[1] = MIN (p, m - 1);
  }
  if (m == 1) { /* its two speeds over the energy would say no more */
    self->planes[1].columns[0] = 1;
    self->planes[1].columns[1] = 0;
  }
  ssapp_impact_planes_recount_kept (self);
}

static gboolean
has_same_contacts (const SsImpact *a, const SsImpact *b)
{
  gboolean are_same = a->m == b->m && a->n == b->n;
  for (int c = 0; c < a->m && are_same; c++)
    are_same = strcmp (a->contacts[c], b->contacts[c]) == 0;
  return are_same;
}

/* A variant keeps what was asked beside the scene; with the same contacts, the planes and the old samples too, until
 * the new ones are there. */
static void
take_source (SsappImpactSet *self, SsappImpactSource *source, gboolean is_variant)
{
  g_autoptr (SsappImpactSource) old = self->source;
  const SsImpact *before = old != NULL ? ssapp_impact_source_get_impact (old) : NULL;
  const SsImpact *after = source != NULL ? ssapp_impact_source_get_impact (source) : NULL;

  self->source = source != NULL ? ssapp_impact_source_ref (source) : NULL;
  if (is_variant && before->mu[0] != after->mu[0])
    self->parameters.mu = NAN; /* the scene's own friction was asked for */
  if (is_variant && has_same_contacts (before, after))
    return;
  ssapp_impact_worker_stop (self->worker);
  ssapp_impact_set_clear_brush (self);
  forget_samples (self); /* of other contacts */
  self->shown = 0;
  g_array_set_size (self->rates, 0);
  if (source != NULL)
    begin_source (self);
  if (is_variant)
    ssapp_impact_set_tell_source (self);
}

void
ssapp_impact_set_set_source (SsappImpactSet *self, SsappImpactSource *source)
{
  g_return_if_fail (SSAPP_IS_IMPACT_SET (self));

  take_source (self, source, FALSE);
  self->asked_parameter = -1;
  self->parameters.mu = NAN;
  self->parameters.angle = 0.;
  if (source != NULL) {
    const SsImpact *impact = ssapp_impact_source_get_impact (source);
    self->parameters.options.h = impact->h > 0. ? impact->h : ss_impact_default_h (impact);
    self->parameters.options.max_steps = impact->max_steps > 0 ? impact->max_steps : 10;
    restart (self);
  }
  ssapp_impact_set_tell_source (self);
}

void
ssapp_impact_set_set_scene_value (SsappImpactSet *self, int k, double value)
{
  g_return_if_fail (SSAPP_IS_IMPACT_SET (self));

  if (self->source == NULL || k < 0 || k >= ssapp_impact_source_get_n_parameters (self->source))
    return;
  self->asked_parameter = k;
  self->asked_value = value;
  restart (self);
}

SsappImpactSource *
ssapp_impact_set_get_source (SsappImpactSet *self)
{
  g_return_val_if_fail (SSAPP_IS_IMPACT_SET (self), NULL);
  return self->source;
}

const SsappImpactParameters *
ssapp_impact_set_get_parameters (SsappImpactSet *self)
{
  g_return_val_if_fail (SSAPP_IS_IMPACT_SET (self), NULL);
  return &self->parameters;
}

static gboolean
is_same_set (const SsappImpactParameters *a, const SsappImpactParameters *b)
{
  SsappImpactParameters one = *a, other = *b;

  one.options.n_samples = other.options.n_samples = 0;
  const gboolean same_mu = one.mu == other.mu || (isnan (one.mu) && isnan (other.mu));
  return same_mu && one.angle == other.angle && one.options.policy == other.options.policy &&
         one.options.rows == other.options.rows && one.options.draw == other.options.draw &&
         one.options.h == other.options.h && one.options.max_steps == other.options.max_steps &&
         one.options.seed == other.options.seed && one.options.closes == other.options.closes &&
         one.options.restitutes == other.options.restitutes;
}

void
ssapp_impact_set_set_parameters (SsappImpactSet *self, const SsappImpactParameters *parameters)
{
  g_return_if_fail (SSAPP_IS_IMPACT_SET (self));
  const gboolean is_same = is_same_set (&self->parameters, parameters);
  const int before = self->parameters.options.n_samples;

  self->parameters = *parameters;
  self->parameters.options.n_samples = CLAMP (parameters->options.n_samples, 1, SS_IMPACT_SAMPLES_MAX);
  if (is_same && self->parameters.options.n_samples >= before) {
    self->totals.n_wanted = target_of (self);
    ssapp_impact_worker_set_target (self->worker, target_of (self));
  } else {
    restart (self);
  }
}

void
ssapp_impact_set_set_dragged (SsappImpactSet *self, gboolean is_dragged)
{
  g_return_if_fail (SSAPP_IS_IMPACT_SET (self));

  self->is_dragged = is_dragged;
  if (self->source == NULL || is_dragged)
    return;
  if (self->is_late || self->asked_parameter >= 0)
    restart (self);
  self->totals.n_wanted = target_of (self);
  ssapp_impact_worker_set_target (self->worker, target_of (self));
}
