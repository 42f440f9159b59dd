/* app/study/ssapp-chart-map.c: the axes of a heat map: those of the set, or classes of equal width where so many values
 * were drawn that most cells of their own would be empty. No drawing. */
#include "app/study/ssapp-chart-private.h"

#include "app/study/ssapp-run-set-private.h"

#include <math.h>
#include <string.h>

/* A map has at most so many cells a run of a method, and an axis so many places, before values are taken in classes;
 * then a cell has some RUNS_A_CELL runs, whose median tells something. */
static const double CELLS_A_RUN = 4., RUNS_A_CELL = 4., DECADES = 2.;
enum { FEW_VALUES = 16, MOST_VALUES = 400, LEAST_CLASSES = 4, MOST_CLASSES = 40, LONGEST_CLASSES = 200 };

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

/* 1, 2 or 5 times a power of ten, not below `width`. */
static double
round_up (double width)
{
  const double power = pow (10., floor (log10 (width)));
  const double steps[] = {1., 2., 5.};

  for (guint k = 0; k < G_N_ELEMENTS (steps); k++)
    if (steps[k] * power >= width * (1 - 1e-12))
      return steps[k] * power;
  return 10. * power;
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
  const double from = way->is_log ? log10 (low) : low, to = way->is_log ? log10 (high) : high;
  way->width = round_up ((to - from) / n);
  const double first = floor (from / way->width);
  const guint n_classes = (guint)MAX (1, ceil (to / way->width - first));
  way->classes = classes_new (axis, way, first, n_classes);
  way->class_of = g_new (guint, axis->n_values);
  for (guint k = 0; k < axis->n_values; k++) {
    const double at = (way->is_log ? log10 (axis->values[k]) : axis->values[k]) / way->width - first;
    way->class_of[k] = (guint)CLAMP (floor (at), 0, n_classes - 1);
  }
}

void
ssapp_chart_ways_choose (SsappChart *self)
{
  const int axes[] = {self->spec.x_axis, self->spec.y_axis};
  const double n_runs = most_runs (self);
  const int n_axes = self->spec.y_axis >= 0 ? 2 : 1;
  double n_cells = 1;

  ssapp_chart_ways_clear (self);
  for (int k = 0; k < 2; k++) {
    self->ways[k].axis = axes[k];
    n_cells *= axes[k] >= 0 ? ssapp_chart_axis (self, axes[k])->n_values : 1;
  }
  const guint n = (guint)CLAMP (pow (n_runs / RUNS_A_CELL, 1. / n_axes), LEAST_CLASSES,
                                n_axes > 1 ? MOST_CLASSES : LONGEST_CLASSES);
  for (int k = 0; k < 2; k++) {
    const SsappRunAxis *axis = axes[k] >= 0 ? ssapp_chart_axis (self, axes[k]) : NULL;
    if (axis != NULL && has_numbers_alone (axis) &&
        ((axis->n_values > FEW_VALUES && n_cells > CELLS_A_RUN * n_runs) || axis->n_values > MOST_VALUES))
      take_classes (self, &self->ways[k], n);
  }
}

void
ssapp_chart_ways_clear (SsappChart *self)
{
  for (int k = 0; k < 2; k++) {
    SsappChartWay *way = &self->ways[k];
    if (way->classes != NULL) {
      for (guint i = 0; i < way->classes->n_values; i++)
        g_free (way->classes->texts[i]);
      g_free (way->classes->texts);
      g_free (way->classes->values);
      g_free (way->classes->title);
      g_free (way->classes->name);
      g_free (way->classes);
    }
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
