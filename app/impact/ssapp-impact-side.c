/* app/impact/ssapp-impact-side.c: the studies beside the set: contacts that give way, other steps h. */
#include "app/impact/ssapp-impact-private.h"

#include <math.h>
#include <string.h>

void
ssapp_impact_side_forget_steps (SsappImpactSet *self)
{
  g_return_if_fail (self != NULL);
  self->steps.is_old = TRUE;
}

/* What has come since the last look; TRUE: there is more to come. */
static gboolean
follow (SsappImpactSide *side, gboolean *is_changed)
{
  const gboolean was_running = side->state.is_running;
  const int before = side->state.n_done;

  if (side->study == NULL || !was_running)
    return FALSE;
  ssapp_impact_study_take (side->study, side->rows, &side->state);
  *is_changed |= side->state.n_done != before || !side->state.is_running;
  return side->state.is_running;
}

static void
begin (SsappImpactSide *side, SsappImpactStudy *study)
{
  ssapp_impact_side_forget (side);
  side->study = study;
  side->state.is_running = TRUE;
}

/* ---- contacts that give way -------------------------------------------------------------------------------------- */

static gboolean
same (double a, double b)
{
  return a == b || (isnan (a) && isnan (b));
}

static gboolean
advance_compliant (SsappImpactSet *self, gboolean is_settled, gboolean *is_changed)
{
  SsappImpactSide *side = &self->compliant;
  const gboolean is_on = (self->layers & SSAPP_IMPACT_LAYER_COMPLIANT) != 0 && self->source != NULL;
  const gboolean is_of_this = side->source == self->source && same (side->mu, self->parameters.mu) &&
                              side->angle == self->parameters.angle && !side->is_old;

  if (side->study != NULL && (!is_on || !is_of_this)) {
    ssapp_impact_side_forget (side);
    *is_changed = TRUE;
  }
  if (is_on && side->study == NULL) {
    if (!is_settled)
      return FALSE;
    begin (side,
           ssapp_impact_study_new_compliant (self->source, self->parameters.mu, self->parameters.angle, self->sweep));
    side->source = self->source;
    side->mu = self->parameters.mu;
    side->angle = self->parameters.angle;
  }
  return follow (side, is_changed);
}

void
ssapp_impact_set_set_sweep (SsappImpactSet *self, SsCompliantSweep sweep)
{
  g_return_if_fail (SSAPP_IS_IMPACT_SET (self));

  if (self->sweep == sweep)
    return;
  self->sweep = sweep;
  self->compliant.is_old = TRUE;
  ssapp_impact_set_tell (self);
}

SsCompliantSweep
ssapp_impact_set_get_sweep (SsappImpactSet *self)
{
  g_return_val_if_fail (SSAPP_IS_IMPACT_SET (self), SS_COMPLIANT_RATIO);
  return self->sweep;
}

const double *
ssapp_impact_set_get_compliant (SsappImpactSet *self, SsappImpactStudyState *state, const char **message)
{
  g_return_val_if_fail (SSAPP_IS_IMPACT_SET (self), NULL);
  const SsappImpactSide *side = &self->compliant;

  if (state != NULL)
    *state = side->state;
  if (message != NULL)
    *message = side->study != NULL ? ssapp_impact_study_get_message (side->study) : NULL;
  return side->rows->len > 0 ? (const double *)(const void *)side->rows->data : NULL;
}

void
ssapp_impact_set_stop_compliant (SsappImpactSet *self)
{
  g_return_if_fail (SSAPP_IS_IMPACT_SET (self));
  if (self->compliant.study != NULL)
    ssapp_impact_study_cancel (self->compliant.study);
}

/* ---- other steps h ----------------------------------------------------------------------------------------------- */

static void
begin_steps (SsappImpactSet *self)
{
  int columns[SSAPP_IMPACT_PLANES][2];
  guint32 codes[SSAPP_IMPACT_STUDY_MODES];
  const int n = MIN ((int)self->kinds->len, SSAPP_IMPACT_STUDY_MODES);
  SsImpact *impact = ssapp_impact_source_make (self->source, self->parameters.mu, self->parameters.angle, NULL);

  if (impact == NULL)
    return;
  for (int p = 0; p < SSAPP_IMPACT_PLANES; p++)
    memcpy (columns[p], self->planes[p].columns, sizeof columns[p]);
  for (int k = 0; k < n; k++)
    codes[k] = g_array_index (self->kinds, SsappImpactMode, k).code;
  begin (&self->steps, ssapp_impact_study_new_steps (impact, &self->options, columns, codes, n));
  self->steps.generation = self->generation;
}

static gboolean
advance_steps (SsappImpactSet *self, gboolean is_settled, gboolean *is_changed)
{
  SsappImpactSide *side = &self->steps;

  if (side->study != NULL && (side->generation != self->generation || side->is_old)) {
    ssapp_impact_side_forget (side);
    *is_changed = TRUE;
  }
  if (side->study == NULL && self->wants_steps && is_settled)
    begin_steps (self);
  return follow (side, is_changed);
}

void
ssapp_impact_set_set_wants_steps (SsappImpactSet *self, gboolean wants)
{
  g_return_if_fail (SSAPP_IS_IMPACT_SET (self));
  self->wants_steps = wants;
}

const double *
ssapp_impact_set_get_steps (SsappImpactSet *self, SsappImpactStudyState *state)
{
  g_return_val_if_fail (SSAPP_IS_IMPACT_SET (self), NULL);
  if (state != NULL)
    *state = self->steps.state;
  return self->steps.rows->len > 0 ? (const double *)(const void *)self->steps.rows->data : NULL;
}

/* ---- both -------------------------------------------------------------------------------------------------------- */

/* A study begins when all samples are there and nothing is dragged, so that it takes nothing from them. */
gboolean
ssapp_impact_side_advance (SsappImpactSet *self, gboolean *is_changed)
{
  const gboolean is_settled = self->source != NULL && self->shown == self->generation && !self->is_dragged &&
                              !self->is_late && self->n > 0 && self->n >= self->totals.n_wanted;
  const gboolean one = advance_compliant (self, is_settled, is_changed);
  return advance_steps (self, is_settled, is_changed) || one;
}

void
ssapp_impact_side_wait (SsappImpactSet *self)
{
  g_return_if_fail (self != NULL);
  gboolean is_changed = FALSE;

  ssapp_impact_side_advance (self, &is_changed);
  if (self->compliant.study != NULL)
    ssapp_impact_study_wait (self->compliant.study);
  if (self->steps.study != NULL)
    ssapp_impact_study_wait (self->steps.study);
  ssapp_impact_side_advance (self, &is_changed);
}
