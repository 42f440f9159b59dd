/* app/study/ssapp-chart-map.c: the axes of a heat map: those of the set, or classes of equal width where so many values
 * were drawn that most cells of their own would be empty. No drawing. */
#include "app/study/ssapp-chart-private.h"

#include "app/study/ssapp-run-set-private.h"

#include <math.h>
#include <string.h>

/* A map has at most so many cells a run of a method, and an axis so many places, before values are taken in classes;
 * then a cell has some RUNS_A_CELL runs, whose median tells something. */
static const double CELLS_A_RUN = 4., RUNS_A_CELL = 4., DECADES = 2.;
enum { FEW_VALUES = 16, MOST_VALUES = 1000, LEAST_CLASSES = 4, MOST_CLASSES = 40, LONGEST_CLASSES = 200 };

static guint
most_runs (const SsappChart *self)
{
  g_autofree guint *counts = g_new0 (guint, MAX (self->set->methods->len, 1));
  guint most = 1;

  for (guint i = 0; i < self->set->items->len; i++)
    most = MAX (most, ++counts[ssapp_chart_item (self, i)->method]);
  return most;
}

static gboolean
has_numbers_alone (const SsappRunAxis *axis)
{
  for (guint k = 0; k < axis->n_values; k++)
    if (!isfinite (axis->values[k]))
      return FALSE;
  return axis->is_number && axis->n_values > 1;
}

/* The nearest, by its factor, of 1, 2, 5 and 10 times a power of ten. */
static double
tidy_width (double width)
{
  const double power = pow (10., floor (log10 (width))), steps[] = {1., 2., 5., 10.};
  double best = power;

  for (guint k = 1; k < G_N_ELEMENTS (steps); k++)
    if (fabs (log (steps[k] * power / width)) < fabs (log (best / width)))
      best = steps[k] * power;
  return best;
}

/* The number of the class that a value lies in; one that lies on an edge, but for rounding, in the upper one. */
static double
class_at (const SsappChartWay *way, double value)
{
  const double at = (way->is_log ? log10 (value) : value) / way->width, whole = round (at);

  return fabs (at - whole) <= 1e-9 * MAX (1, fabs (whole)) ? whole : floor (at);
}

static SsappRunAxis *
classes_new (const SsappRunAxis *from, const SsappChartWay *way, double first, guint n)
{
  SsappRunAxis *axis = g_new0 (SsappRunAxis, 1);

  axis->name = g_strdup (from->name);
  axis->title = g_strdup (from->title);
  axis->is_number = TRUE;
  axis->n_values = n;
  axis->values = g_new (double, n);
  axis->texts = g_new0 (char *, n);
  for (guint k = 0; k < n; k++) {
    char text[32];
    const double middle = (first + k + 0.5) * way->width;
    g_snprintf (text, sizeof text, way->is_log ? "%.3g" : "%.9g", way->is_log ? pow (10., middle) : middle);
    axis->values[k] = g_ascii_strtod (text, NULL);
  }
  ssapp_run_axis_write_texts (axis);
  return axis;
}

/* Takes the values of the way's axis in about `n` classes. */
static void
take_classes (SsappChart *self, SsappChartWay *way, guint n)
{
  const SsappRunAxis *axis = ssapp_chart_axis (self, way->axis);
  const double low = axis->values[0], high = axis->values[axis->n_values - 1];

  way->is_log = low > 0 && log10 (high / low) > DECADES && ssapp_are_even_in_logarithms (axis->values, axis->n_values);
  way->width = tidy_width ((way->is_log ? log10 (high / low) : high - low) / n);
  const double first = class_at (way, low);
  const guint n_classes = (guint)(class_at (way, high) - first) + 1;
  way->classes = classes_new (axis, way, first, n_classes);
  way->class_of = g_new (guint, axis->n_values);
  for (guint k = 0; k < axis->n_values; k++)
    way->class_of[k] = (guint)(class_at (way, axis->values[k]) - first);
}

void
ssapp_chart_ways_choose (SsappChart *self)
{
  const int axes[] = {self->spec.x_axis, self->spec.y_axis};
  const double n_runs = most_runs (self);
  double n_cells = 1, n_kept = 1; /* of all values, of those that stay as they are */
  gboolean is_classed[2];
  int n_classed = 0;

  ssapp_chart_ways_clear (self);
  for (int k = 0; k < 2; k++) {
    self->ways[k].axis = axes[k];
    n_cells *= axes[k] >= 0 ? ssapp_chart_axis (self, axes[k])->n_values : 1;
  }
  for (int k = 0; k < 2; k++) {
    const SsappRunAxis *axis = axes[k] >= 0 ? ssapp_chart_axis (self, axes[k]) : NULL;
    is_classed[k] = axis != NULL && has_numbers_alone (axis) &&
                    ((axis->n_values > FEW_VALUES && n_cells > CELLS_A_RUN * n_runs) || axis->n_values > MOST_VALUES);
    n_classed += is_classed[k];
    n_kept *= axis != NULL && !is_classed[k] ? axis->n_values : 1;
  }
  const double n = pow (n_runs / (RUNS_A_CELL * n_kept), 1. / MAX (n_classed, 1));
  for (int k = 0; k < 2; k++)
    if (is_classed[k])
      take_classes (self, &self->ways[k],
                    (guint)CLAMP (n, LEAST_CLASSES, n_classed > 1 ? MOST_CLASSES : LONGEST_CLASSES));
}

void
ssapp_chart_ways_clear (SsappChart *self)
{
  for (int k = 0; k < 2; k++) {
    SsappChartWay *way = &self->ways[k];
    ssapp_run_axis_free (way->classes);
    g_free (way->class_of);
    *way = (SsappChartWay){.axis = -1};
  }
}

const SsappRunAxis *
ssapp_chart_way_axis (const SsappChart *self, int way)
{
  const SsappChartWay *at = &self->ways[way];
  return at->classes != NULL ? at->classes : at->axis >= 0 ? ssapp_chart_axis (self, at->axis) : NULL;
}

guint
ssapp_chart_way_place (const SsappChart *self, int way, guint place)
{
  return self->ways[way].class_of != NULL ? self->ways[way].class_of[place] : place;
}

guint
ssapp_chart_way_item (const SsappChart *self, int way, const SsappRunItem *item)
{
  const int axis = self->ways[way].axis;
  return axis >= 0 ? ssapp_chart_way_place (self, way, item->places[axis]) : 0;
}
