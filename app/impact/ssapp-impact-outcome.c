/* app/impact/ssapp-impact-outcome.c: the set's chosen outcome, drawn again step by step. */
#include "app/impact/ssapp-impact-private.h"

#include "impact/ss-impact-modes.h"

#include <math.h>

void
ssapp_impact_set_choose (SsappImpactSet *self, gint64 sample)
{
  g_return_if_fail (SSAPP_IS_IMPACT_SET (self));

  if (sample < -1 || sample >= self->n || sample == self->chosen)
    return;
  self->chosen = sample;
  ssapp_impact_outcome_forget (self);
  ssapp_impact_set_tell_chosen (self);
}

gint64
ssapp_impact_set_get_chosen (SsappImpactSet *self)
{
  g_return_val_if_fail (SSAPP_IS_IMPACT_SET (self), -1);
  return self->chosen;
}

void
ssapp_impact_set_choose_mode (SsappImpactSet *self, int number)
{
  g_return_if_fail (SSAPP_IS_IMPACT_SET (self));
  const SsappImpactMode *mode = ssapp_impact_set_get_mode (self, number);

  if (mode != NULL)
    ssapp_impact_set_choose (self, mode->first);
}

void
ssapp_impact_set_choose_next (SsappImpactSet *self, int direction)
{
  g_return_if_fail (SSAPP_IS_IMPACT_SET (self));

  if (self->chosen < 0) {
    ssapp_impact_set_choose (self, 0);
    return;
  }
  for (gint64 k = self->chosen + direction; k >= 0 && k < self->n; k += direction)
    if (self->modes[k] == self->modes[self->chosen]) {
      ssapp_impact_set_choose (self, k);
      return;
    }
}

/* ---- step by step ------------------------------------------------------------------------------------------------ */

static GArray *
array_of (const double *values, int n)
{
  GArray *array = g_array_new (FALSE, FALSE, sizeof (double));
  g_array_append_vals (array, values, (guint)n);
  return array;
}

static void
fill_speeds (SsappImpactSet *self, double before)
{
  const int m = self->m, n = self->impact->n;
  double u[2 * SS_IMPACT_CONTACTS_MAX];

  self->speeds = g_array_new (FALSE, FALSE, sizeof (double));
  self->shares = g_array_new (FALSE, FALSE, sizeof (double));
  self->step_modes = g_array_new (FALSE, FALSE, sizeof (guint32));
  for (int k = 0; k <= self->n_steps; k++) {
    const double *v = &g_array_index (self->velocities, double, (guint)(k * n));
    const double share = before > 0. ? ss_impact_kinetic_energy (self->impact, v) / before : 0.;
    ss_impact_speeds (self->impact, v, u);
    const guint32 mode = ssapp_joint_mode_of (u, u + m, m, 1);
    g_array_append_vals (self->speeds, u, 2 * (guint)m);
    g_array_append_val (self->shares, share);
    if (k > 0)
      g_array_append_val (self->step_modes, mode);
  }
}

static gboolean
draw_again (SsappImpactSet *self)
{
  const int m = self->m, n = self->impact->n, most = self->options.max_steps;
  g_autofree double *velocities = g_new0 (double, ((gsize)most + 2) * (gsize)n);
  g_autofree double *impulses = g_new0 (double, ((gsize)most + 1) * 2 * (gsize)m);
  SsError err;

  if (ss_impact_set_path (self->impact, &self->options, (int)self->chosen, velocities, impulses, &self->n_steps,
                          &err) != SS_OK)
    return FALSE;
  self->velocities = array_of (velocities, (self->n_steps + 1) * n);
  self->normal = array_of (NULL, 0);
  self->tangential = array_of (NULL, 0);
  for (int k = 0; k < self->n_steps; k++) {
    g_array_append_vals (self->normal, impulses + (gsize)k * 2 * (gsize)m, (guint)m);
    g_array_append_vals (self->tangential, impulses + (gsize)k * 2 * (gsize)m + m, (guint)m);
  }
  fill_speeds (self, ss_impact_kinetic_energy (self->impact, self->impact->v));
  self->has_outcome = TRUE;
  return TRUE;
}

gboolean
ssapp_impact_set_get_outcome (SsappImpactSet *self, SsappImpactOutcome *outcome)
{
  g_return_val_if_fail (SSAPP_IS_IMPACT_SET (self), FALSE);

  if (self->chosen < 0 || self->chosen >= self->n || (!self->has_outcome && !draw_again (self)))
    return FALSE;
  *outcome = (SsappImpactOutcome){.sample = self->chosen,
                                  .mode = self->modes[self->chosen],
                                  .n = self->impact->n,
                                  .m = self->m,
                                  .n_steps = self->n_steps,
                                  .velocities = (const double *)(const void *)self->velocities->data,
                                  .speeds = (const double *)(const void *)self->speeds->data,
                                  .normal = (const double *)(const void *)self->normal->data,
                                  .tangential = (const double *)(const void *)self->tangential->data,
                                  .energies = (const double *)(const void *)self->shares->data,
                                  .modes = (const guint32 *)(const void *)self->step_modes->data};
  return TRUE;
}

void
ssapp_impact_set_set_step (SsappImpactSet *self, int step)
{
  g_return_if_fail (SSAPP_IS_IMPACT_SET (self));

  step = CLAMP (step, -1, self->n_steps - 1);
  if (step == self->step)
    return;
  self->step = step;
  ssapp_impact_set_tell_chosen (self);
}

int
ssapp_impact_set_get_step (SsappImpactSet *self)
{
  g_return_val_if_fail (SSAPP_IS_IMPACT_SET (self), -1);
  return self->step;
}

/* The caps of that step are drawn again: they are a function of seed, sample, step and contact. */
double *
ssapp_impact_set_dup_step_outcomes (SsappImpactSet *self, int *count)
{
  g_return_val_if_fail (SSAPP_IS_IMPACT_SET (self), NULL);
  const SsImpactSolution *solutions;
  SsappImpactOutcome outcome;
  SsImpactModes *modes = NULL;
  SsImpactDraw *draw = NULL;
  double cap[SS_IMPACT_CONTACTS_MAX], *speeds = NULL;
  SsError err;

  *count = 0;
  if (self->step < 0 || !ssapp_impact_set_get_outcome (self, &outcome) || self->step >= outcome.n_steps)
    return NULL;
  if (ss_impact_draw_new (self->options.draw, self->options.seed, self->m, self->options.max_steps, self->options.h,
                          &draw, &err) == SS_OK &&
      ss_impact_modes_new (self->impact, &modes, &err) == SS_OK) {
    ss_impact_draw_caps (draw, (uint64_t)self->chosen, self->step, cap);
    *count = ss_impact_modes_solve (modes, outcome.velocities + (gsize)self->step * (gsize)outcome.n, cap, &solutions);
    speeds = g_new (double, 2 * (gsize)self->m * (gsize)MAX (*count, 1));
    for (int k = 0; k < *count; k++)
      ss_impact_speeds (self->impact, solutions[k].v, speeds + (gsize)k * 2 * (gsize)self->m);
  }
  ss_impact_modes_free (modes);
  ss_impact_draw_free (draw);
  return speeds;
}
