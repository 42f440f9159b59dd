/* app/impact/ssapp-impact-set.c: the set as an object: life of what its files share, its signals, what has come of
 * its samples. */
#include "app/impact/ssapp-impact-private.h"

#include <math.h>
#include <string.h>

enum { USUAL_SAMPLES = 1 << 13 };

G_DEFINE_FINAL_TYPE (SsappImpactSet, ssapp_impact_set, G_TYPE_OBJECT)

enum { CHANGED, CHOSEN, SOURCE, FAILED, N_SIGNALS };
static guint signals[N_SIGNALS];

void
ssapp_impact_set_tell (SsappImpactSet *self)
{
  g_signal_emit (self, signals[CHANGED], 0);
}

void
ssapp_impact_set_tell_chosen (SsappImpactSet *self)
{
  g_signal_emit (self, signals[CHOSEN], 0);
}

void
ssapp_impact_set_tell_source (SsappImpactSet *self)
{
  g_signal_emit (self, signals[SOURCE], 0);
}

void
ssapp_impact_set_tell_failed (SsappImpactSet *self, const char *message)
{
  g_signal_emit (self, signals[FAILED], 0, message);
}

/* ---- what has come ----------------------------------------------------------------------------------------------- */

void
ssapp_impact_set_get_totals (SsappImpactSet *self, SsappImpactTotals *totals)
{
  g_return_if_fail (SSAPP_IS_IMPACT_SET (self));
  *totals = self->totals;
  totals->n = self->n;
  totals->solves = self->n > 0 ? self->solves / (double)self->n : NAN;
  totals->n_brushed = self->brush != SSAPP_BRUSH_NONE ? self->n_brushed : -1;
}

const float *
ssapp_impact_set_get_column (SsappImpactSet *self, int column)
{
  g_return_val_if_fail (SSAPP_IS_IMPACT_SET (self) && column >= 0 && column < 2 * self->m, NULL);
  return self->columns != NULL ? self->columns[column] : NULL;
}

const float *
ssapp_impact_set_get_energies (SsappImpactSet *self)
{
  g_return_val_if_fail (SSAPP_IS_IMPACT_SET (self), NULL);
  return self->energies;
}

const guint16 *
ssapp_impact_set_get_modes (SsappImpactSet *self)
{
  g_return_val_if_fail (SSAPP_IS_IMPACT_SET (self), NULL);
  return self->modes;
}

char *
ssapp_impact_set_dup_column_label (SsappImpactSet *self, int column)
{
  g_return_val_if_fail (SSAPP_IS_IMPACT_SET (self) && self->source != NULL, NULL);
  const SsImpact *impact = ssapp_impact_source_get_impact (self->source);
  const gboolean is_normal = column < impact->m;

  return g_strdup_printf ("%s speed at %s [m/s]", is_normal ? "Lift-off" : "Sliding",
                          ssapp_impact_source_get_labels (self->source)[column % impact->m]);
}

const SsImpact *
ssapp_impact_set_get_impact (SsappImpactSet *self)
{
  g_return_val_if_fail (SSAPP_IS_IMPACT_SET (self), NULL);
  return self->impact;
}

const SsImpactSetOptions *
ssapp_impact_set_get_options (SsappImpactSet *self)
{
  g_return_val_if_fail (SSAPP_IS_IMPACT_SET (self), NULL);
  return &self->options;
}

const SsImpactBound *
ssapp_impact_set_get_bound (SsappImpactSet *self)
{
  g_return_val_if_fail (SSAPP_IS_IMPACT_SET (self), NULL);
  return self->bound;
}

int
ssapp_impact_set_get_n_modes (SsappImpactSet *self)
{
  g_return_val_if_fail (SSAPP_IS_IMPACT_SET (self), 0);
  return (int)self->kinds->len;
}

const SsappImpactMode *
ssapp_impact_set_get_mode (SsappImpactSet *self, int number)
{
  g_return_val_if_fail (SSAPP_IS_IMPACT_SET (self), NULL);
  return number >= 0 && number < (int)self->kinds->len ? &g_array_index (self->kinds, SsappImpactMode, number) : NULL;
}

static int
compare_shares (gconstpointer a, gconstpointer b, gpointer data)
{
  const SsappImpactMode *kinds = data;
  const SsappImpactMode *p = &kinds[*(const int *)a], *q = &kinds[*(const int *)b];
  return p->n != q->n ? (p->n > q->n ? -1 : 1) : p->number - q->number;
}

int *
ssapp_impact_set_sort_modes (SsappImpactSet *self)
{
  g_return_val_if_fail (SSAPP_IS_IMPACT_SET (self), NULL);
  int *order = g_new (int, self->kinds->len + 1);

  for (guint k = 0; k < self->kinds->len; k++)
    order[k] = (int)k;
  g_qsort_with_data (order, (int)self->kinds->len, sizeof *order, compare_shares, self->kinds->data);
  return order;
}

void
ssapp_impact_set_get_histogram (SsappImpactSet *self, gint64 counts[SSAPP_IMPACT_BINS],
                                gint64 brushed[SSAPP_IMPACT_BINS])
{
  g_return_if_fail (SSAPP_IS_IMPACT_SET (self));
  const double most = self->totals.energy_most > 0. ? self->totals.energy_most : 1.;

  memset (counts, 0, sizeof *counts * SSAPP_IMPACT_BINS);
  if (brushed != NULL)
    memset (brushed, 0, sizeof *brushed * SSAPP_IMPACT_BINS);
  for (int k = 0; k < SSAPP_IMPACT_FINE_BINS; k++) {
    const int bin = MIN ((int)((k + 0.5) / SSAPP_IMPACT_FINE_BINS / most * SSAPP_IMPACT_BINS), SSAPP_IMPACT_BINS - 1);
    counts[bin] += self->fine[k];
    if (brushed != NULL)
      brushed[bin] += self->fine_brushed[k];
  }
}

const double *
ssapp_impact_set_get_losses (SsappImpactSet *self)
{
  g_return_val_if_fail (SSAPP_IS_IMPACT_SET (self), NULL);
  return self->n_traced > 0 ? self->loss_shares : NULL;
}

GArray *
ssapp_impact_set_get_growth (SsappImpactSet *self)
{
  g_return_val_if_fail (SSAPP_IS_IMPACT_SET (self), NULL);
  return self->growth;
}

/* ---- life of the fields ------------------------------------------------------------------------------------------ */

void
ssapp_impact_set_free_samples (SsappImpactSet *self)
{
  g_return_if_fail (self != NULL);
  for (int c = 0; self->columns != NULL && c < 2 * self->m; c++)
    g_free (self->columns[c]);
  g_clear_pointer (&self->columns, g_free);
  g_clear_pointer (&self->energies, g_free);
  g_clear_pointer (&self->modes, g_free);
  g_clear_pointer (&self->mask, g_free);
  self->n = self->capacity = self->n_masked = 0;
}

static void
clear_kind (gpointer kind)
{
  g_free (((SsappImpactMode *)kind)->name);
}

static void
init_planes (SsappImpactSet *self)
{
  for (int p = 0; p < SSAPP_IMPACT_PLANES; p++)
    self->planes[p] = (SsappImpactPlane){.all = ssapp_plane_new (),
                                         .brushed = ssapp_plane_new (),
                                         .between = ssapp_plane_new (),
                                         .mirror = ssapp_plane_new ()};
  self->layers = SSAPP_IMPACT_LAYER_HULL | SSAPP_IMPACT_LAYER_POINTS | SSAPP_IMPACT_LAYER_BOUND;
  self->simultaneous = g_array_new (FALSE, FALSE, sizeof (double));
  self->sequential = g_array_new (FALSE, FALSE, sizeof (double));
  self->way_labels = g_ptr_array_new_with_free_func (g_free);
  self->rates = g_array_new (FALSE, FALSE, sizeof (double));
  self->rates_path = g_array_new (FALSE, FALSE, sizeof (double));
}

void
ssapp_impact_set_forget_kept (SsappImpactSet *self)
{
  g_return_if_fail (self != NULL);
  for (int c = 0; self->kept.columns != NULL && c < 2 * self->kept.m; c++)
    g_free (self->kept.columns[c]);
  g_free (self->kept.columns);
  g_free (self->kept.label);
  self->kept = (SsappImpactKept){0};
}

static void
clear_planes (SsappImpactSet *self)
{
  for (int p = 0; p < SSAPP_IMPACT_PLANES; p++) {
    ssapp_plane_free (self->planes[p].all);
    ssapp_plane_free (self->planes[p].brushed);
    ssapp_plane_free (self->planes[p].between);
    ssapp_plane_free (self->planes[p].mirror);
    ssapp_plane_free (self->planes[p].other);
  }
  ssapp_impact_set_forget_kept (self);
  g_array_unref (self->simultaneous);
  g_array_unref (self->sequential);
  g_ptr_array_unref (self->way_labels);
  g_array_unref (self->rates);
  g_array_unref (self->rates_path);
}

static void
init_side (SsappImpactSet *self)
{
  self->compliant.rows = g_array_new (FALSE, FALSE, sizeof (double));
  self->steps.rows = g_array_new (FALSE, FALSE, sizeof (double));
  self->sweep = SS_COMPLIANT_RATIO;
}

void
ssapp_impact_side_forget (SsappImpactSide *side)
{
  g_return_if_fail (side != NULL);
  g_clear_pointer (&side->study, ssapp_impact_study_free);
  g_array_set_size (side->rows, 0);
  side->state = (SsappImpactStudyState){0};
  side->is_old = FALSE;
}

static void
clear_side (SsappImpactSet *self)
{
  ssapp_impact_side_forget (&self->compliant);
  ssapp_impact_side_forget (&self->steps);
  g_array_unref (self->compliant.rows);
  g_array_unref (self->steps.rows);
}

void
ssapp_impact_outcome_forget (SsappImpactSet *self)
{
  g_return_if_fail (self != NULL);
  GArray **arrays[] = {&self->velocities, &self->speeds, &self->normal,
                       &self->tangential, &self->shares, &self->step_modes};

  self->has_outcome = FALSE;
  self->n_steps = 0;
  self->step = -1;
  for (guint k = 0; k < G_N_ELEMENTS (arrays); k++)
    g_clear_pointer (arrays[k], g_array_unref);
}

/* ---- object ------------------------------------------------------------------------------------------------------ */

static void
ssapp_impact_set_finalize (GObject *object)
{
  SsappImpactSet *self = SSAPP_IMPACT_SET (object);

  ssapp_impact_worker_free (self->worker);
  ssapp_impact_set_free_samples (self);
  clear_side (self);
  clear_planes (self);
  ssapp_impact_outcome_forget (self);
  g_array_unref (self->kinds);
  g_hash_table_unref (self->by_code);
  g_array_unref (self->between);
  g_array_unref (self->reached);
  g_array_unref (self->growth);
  g_free (self->losses);
  g_free (self->loss_shares);
  g_free (self->fine);
  g_free (self->fine_brushed);
  ss_impact_free (self->pending);
  ss_impact_free (self->impact);
  ss_impact_bound_free (self->bound);
  ssapp_impact_source_unref (self->source);
  G_OBJECT_CLASS (ssapp_impact_set_parent_class)->finalize (object);
}

static void
ssapp_impact_set_class_init (SsappImpactSetClass *class)
{
  const GType type = G_TYPE_FROM_CLASS (class);

  G_OBJECT_CLASS (class)->finalize = ssapp_impact_set_finalize;
  signals[CHANGED] = g_signal_new ("changed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[CHOSEN] = g_signal_new ("chosen", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[SOURCE] = g_signal_new ("source", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[FAILED] =
      g_signal_new ("failed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void
ssapp_impact_set_init (SsappImpactSet *self)
{
  self->worker = ssapp_impact_worker_new ();
  self->parameters = (SsappImpactParameters){.mu = NAN,
                                             .options = {.policy = SS_IMPACT_POLICY_LEMKE,
                                                         .rows = SS_IMPACT_ROWS_SCALED,
                                                         .draw = SS_IMPACT_DRAW_UNIFORM,
                                                         .h = NAN,
                                                         .n_samples = USUAL_SAMPLES,
                                                         .seed = 12345,
                                                         .n_threads = 1,
                                                         .epsilon = 1e-2}};
  self->kinds = g_array_new (FALSE, TRUE, sizeof (SsappImpactMode));
  g_array_set_clear_func (self->kinds, clear_kind);
  self->by_code = g_hash_table_new (NULL, NULL);
  self->between = g_array_new (FALSE, FALSE, sizeof (float));
  self->reached = g_array_new (FALSE, FALSE, sizeof (float));
  self->growth = g_array_new (FALSE, TRUE, sizeof (SsappImpactGrowth));
  self->fine = g_new0 (gint64, SSAPP_IMPACT_FINE_BINS);
  self->fine_brushed = g_new0 (gint64, SSAPP_IMPACT_FINE_BINS);
  self->chosen = -1;
  self->step = -1;
  self->asked_parameter = -1;
  init_planes (self);
  init_side (self);
}

SsappImpactSet *
ssapp_impact_set_new (void)
{
  return g_object_new (SSAPP_TYPE_IMPACT_SET, NULL);
}
