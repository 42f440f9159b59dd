/* app/study/ssapp-chart.c: kinds of charts, what suits a set, the whole picture; see ssapp-chart-private.h for the
 * other parts. */
#include "app/study/ssapp-chart-private.h"

#include <math.h>
#include <string.h>

#include "app/base/ssapp-metric.h"

static const struct {
  const char *name, *title;
} kinds[SSAPP_CHART_COUNT] = {
    [SSAPP_CHART_HEAT] = {"heat", "Heat Maps"},
    [SSAPP_CHART_BOX] = {"box", "Box Plot"},
    [SSAPP_CHART_PERFORMANCE] = {"performance", "Performance Profile"},
    [SSAPP_CHART_DATA] = {"data", "Data Profile"},
    [SSAPP_CHART_SUCCESS] = {"success", "Solved Runs"},
    [SSAPP_CHART_CURVES] = {"curves", "Curves"},
    [SSAPP_CHART_WORK] = {"work", "Work and Precision"},
    [SSAPP_CHART_DECIDES] = {"decides", "What Decides"},
    [SSAPP_CHART_DISTRIBUTION] = {"distribution", "Distribution"},
};

const char *
ssapp_chart_kind_name (SsappChartKind kind)
{
  return kinds[kind].name;
}

const char *
ssapp_chart_kind_title (SsappChartKind kind)
{
  return kinds[kind].title;
}

gboolean
ssapp_chart_kind_from_name (const char *name, SsappChartKind *kind)
{
  g_return_val_if_fail (name != NULL && kind != NULL, FALSE);
  for (int i = 0; i < SSAPP_CHART_COUNT; i++)
    if (strcmp (kinds[i].name, name) == 0) {
      *kind = (SsappChartKind)i;
      return TRUE;
    }
  return FALSE;
}

/* ---- what suits -------------------------------------------------------------------------------------------------- */

static gboolean
is_known (const SsappRunSet *set, SsMetric metric)
{
  for (guint i = 0; i < set->items->len; i++)
    if (isfinite (ssapp_run_set_get (set, i, metric)))
      return TRUE;
  return FALSE;
}

/* Whether the ratio to the best says more than the value: a cost of several methods that is positive everywhere. */
static gboolean
suits_relative (const SsappRunSet *set, SsMetric metric)
{
  if (set->methods->len < 2 || metric != SS_METRIC_OBJECTIVE)
    return FALSE;
  for (guint p = 0; p < set->n_problems; p++)
    if (ssapp_run_set_best (set, p, metric, NULL) <= 0) /* FALSE for NaN */
      return FALSE;
  return TRUE;
}

/* All positive and two decades wide. */
static gboolean
suits_log (const double *values, guint n, double decades)
{
  double lo = INFINITY, hi = -INFINITY;

  for (guint i = 0; i < n; i++)
    if (isfinite (values[i])) {
      lo = MIN (lo, values[i]);
      hi = MAX (hi, values[i]);
    }
  return lo > 0 && hi >= lo && log10 (hi / lo) >= decades;
}

static gboolean
metric_suits_log (const SsappRunSet *set, SsMetric metric, gboolean is_relative, gboolean takes_unsolved)
{
  g_autofree double *values = g_new (double, MAX (set->items->len, 1));

  for (guint i = 0; i < set->items->len; i++) {
    const SsappRunItem *item = &g_array_index (set->items, SsappRunItem, i);
    values[i] = NAN;
    if (item->state != SSAPP_RUN_SOLVED && !(takes_unsolved && item->state == SSAPP_RUN_UNSOLVED))
      continue;
    values[i] = ssapp_run_set_get (set, i, metric);
    if (is_relative)
      values[i] /= ssapp_run_set_best (set, item->problem, metric, NULL);
  }
  return suits_log (values, set->items->len, is_relative ? 0.5 : 2);
}

/* Values of an axis that grow by a factor rather than by a difference. */
static gboolean
axis_suits_log (const SsappRunAxis *axis)
{
  enum { MANY_VALUES = 16 }; /* drawn ones, whose smallest says nothing */
  const double *v = axis->values;
  guint first = 0;
  const guint last = axis->n_values - 1;

  while (first < last && isnan (v[first]))
    first++;
  if (!axis->is_number || last < first + 2 || !(v[first] > 0))
    return FALSE;
  if (last - first >= MANY_VALUES && !ssapp_are_even_in_logarithms (v + first, last - first + 1))
    return FALSE;
  return suits_log (v + first, last - first + 1, 2) ||
         (v[last] >= 8 * v[first] && v[last] - v[last - 1] >= 4 * (v[first + 1] - v[first]));
}

void
ssapp_chart_spec_suit (SsappChartSpec *spec, const SsappRunSet *set)
{
  g_return_if_fail (spec != NULL);
  const gboolean is_profile = spec->kind == SSAPP_CHART_PERFORMANCE || spec->kind == SSAPP_CHART_DATA;
  int axis = spec->x_axis;

  for (int a = 0; axis < 0 && a < (int)set->axes->len; a++)
    if (((const SsappRunAxis *)g_ptr_array_index (set->axes, a))->is_number)
      axis = a;
  if (spec->kind == SSAPP_CHART_SUCCESS || spec->kind == SSAPP_CHART_DECIDES || spec->kind == SSAPP_CHART_DISTRIBUTION)
    spec->x_log = spec->y_log = FALSE;
  else if (is_profile) {
    spec->y_log = FALSE;
    spec->x_log = spec->kind == SSAPP_CHART_PERFORMANCE || metric_suits_log (set, spec->metric, FALSE, FALSE);
  } else {
    spec->y_log = metric_suits_log (set, spec->metric, spec->is_relative, spec->takes_unsolved);
    spec->x_log = spec->kind == SSAPP_CHART_WORK ? metric_suits_log (set, spec->other, FALSE, spec->takes_unsolved)
                  : spec->kind == SSAPP_CHART_CURVES && axis >= 0 && axis < (int)set->axes->len
                      ? axis_suits_log (g_ptr_array_index (set->axes, axis))
                      : FALSE;
  }
}

void
ssapp_chart_spec_init (SsappChartSpec *spec, SsappChartKind kind, const SsappRunSet *set)
{
  g_return_if_fail (spec != NULL && set != NULL);

  static const SsMetric results[] = {SS_METRIC_OBJECTIVE, SS_METRIC_REPLAY_DISTANCE, SS_METRIC_MAX_PENETRATION,
                                     SS_METRIC_FINISHED_FRACTION};
  const gboolean is_profile = kind == SSAPP_CHART_PERFORMANCE || kind == SSAPP_CHART_DATA;

  *spec = (SsappChartSpec){.kind = kind,
                           .metric = SS_METRIC_CPU_SECONDS,
                           .other = SS_METRIC_CPU_SECONDS,
                           .x_axis = -1,
                           .y_axis = -1,
                           .within = NAN,
                           .x_min = NAN,
                           .x_max = NAN,
                           .y_min = NAN,
                           .y_max = NAN};
  g_autoptr (GArray) outcomes = ssapp_run_set_list_outcomes (set);
  if (!is_profile && outcomes->len > 0 && !is_known (set, SS_METRIC_OBJECTIVE))
    spec->metric = g_array_index (outcomes, SsMetric, 0);
  for (guint i = 0; i < G_N_ELEMENTS (results) && !is_profile && spec->metric == SS_METRIC_CPU_SECONDS; i++)
    if (is_known (set, results[i]))
      spec->metric = results[i];
  spec->is_relative = (kind == SSAPP_CHART_HEAT || kind == SSAPP_CHART_BOX) && suits_relative (set, spec->metric);
  ssapp_chart_spec_suit (spec, set);
}

/* ---- words ------------------------------------------------------------------------------------------------------- */

static char *
title_of (const SsappChart *self)
{
  const char *label = ssapp_metric_spec (self->spec.metric)->label;

  switch (self->spec.kind) {
  case SSAPP_CHART_HEAT:
    return self->spec.is_relative ? g_strdup_printf ("%s Against the Best", label) : g_strdup (label);
  case SSAPP_CHART_BOX:
    return self->spec.is_relative ? g_strdup_printf ("Distribution of %s Against the Best", label)
                                  : g_strdup_printf ("Distribution of %s", label);
  case SSAPP_CHART_CURVES:
    return self->spec.x_axis >= 0 && self->spec.x_axis < (int)self->set->axes->len
               ? g_strdup_printf ("%s over %s", label, ssapp_chart_axis (self, self->spec.x_axis)->title)
               : g_strdup (label);
  case SSAPP_CHART_WORK:
    return g_strdup_printf ("%s Against %s", label, ssapp_metric_spec (self->spec.other)->label);
  case SSAPP_CHART_DECIDES:
    return g_strdup_printf ("What Decides %s", label);
  case SSAPP_CHART_DISTRIBUTION:
    return g_strdup_printf ("%s over the Runs", label);
  case SSAPP_CHART_PERFORMANCE:
  case SSAPP_CHART_DATA:
  case SSAPP_CHART_SUCCESS:
  case SSAPP_CHART_COUNT:
    break;
  }
  return g_strdup (kinds[self->spec.kind].title);
}

/* ---- the chart --------------------------------------------------------------------------------------------------- */

static void
curve_clear (gpointer data)
{
  SsappChartCurve *curve = data;

  g_free (curve->x);
  g_free (curve->y);
  g_free (curve->items);
  g_free (curve->counts);
}

static void
group_clear (gpointer data)
{
  SsappChartGroup *group = data;

  g_free (group->values);
  g_free (group->items);
}

SsappChart *
ssapp_chart_new (const SsappRunSet *set, const SsappChartSpec *spec)
{
  g_return_val_if_fail (set != NULL, NULL);
  SsappChart *self = g_new0 (SsappChart, 1);
  const guint n_methods = set->methods->len;

  self->set = set;
  self->spec = *spec;
  self->hidden = g_new0 (gboolean, MAX (n_methods, 1));
  self->shown = g_new0 (guint, MAX (n_methods, 1));
  for (guint m = 0; m < n_methods; m++) {
    self->hidden[m] = spec->hidden != NULL && spec->hidden[m];
    if (!self->hidden[m])
      self->shown[self->n_shown++] = m;
  }
  self->spec.hidden = self->hidden;
  self->curves = g_array_new (FALSE, TRUE, sizeof (SsappChartCurve));
  g_array_set_clear_func (self->curves, curve_clear);
  self->groups = g_array_new (FALSE, TRUE, sizeof (SsappChartGroup));
  g_array_set_clear_func (self->groups, group_clear);
  self->shares = g_array_new (FALSE, TRUE, sizeof (SsappChartShare));
  ssapp_chart_compute (self);
  if (self->spec.kind == SSAPP_CHART_DECIDES && self->empty == NULL)
    ssapp_chart_shares_compute (self);
  self->title = title_of (self);
  return self;
}

void
ssapp_chart_free (SsappChart *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->curves);
  g_array_unref (self->groups);
  g_array_unref (self->shares);
  g_free (self->cells);
  ssapp_chart_ways_clear (self);
  g_free (self->hidden);
  g_free (self->shown);
  g_free (self->title);
  g_free (self->empty);
  g_free (self);
}

const char *
ssapp_chart_get_title (const SsappChart *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->title;
}

/* Of what a long legend needs beyond two rows. */
static double
legend_height (const SsappChart *self, const SsappStyle *style, double width)
{
  g_autofree SsappSeries *series = g_new0 (SsappSeries, MAX (self->n_shown, 1));

  for (guint s = 0; s < self->n_shown; s++)
    series[s] = ssapp_chart_series (self, self->shown[s]);
  const double room = width - 5 * style->font_size;
  return MAX (0, ssapp_plot_draw_legend (NULL, style, series, (int)self->n_shown, NULL, 0, 0, room, FALSE) -
                     2.8 * style->font_size);
}

/* ---- notes ------------------------------------------------------------------------------------------------------- */

static const double NOTE_SIZE = 0.95, NOTE_LEAST = 0.7, NOTE_LINE = 1.3; /* in font sizes */
static const double NOTES_SHARE = 0.4;                                   /* of a figure's height */

char *
ssapp_chart_note (const SsappChart *self, guint line)
{
  const SsMetricSpec *metric = ssapp_metric_spec (self->spec.metric), *other = ssapp_metric_spec (self->spec.other);
  const gboolean is_time = strstr (metric->name, "seconds") != NULL ||
                           (self->spec.kind == SSAPP_CHART_WORK && strstr (other->name, "seconds") != NULL);

  char *(*const own[]) (const SsappChart *, guint) = {ssapp_chart_shares_note, ssapp_chart_curves_note,
                                                      ssapp_chart_map_note, ssapp_chart_left_out_note,
                                                      ssapp_chart_spread_note};

  for (guint k = 0; k < G_N_ELEMENTS (own); k++)
    for (guint n = 0;; n++) {
      char *note = own[k](self, n);
      if (note == NULL)
        break;
      if (line-- == 0)
        return note;
      g_free (note);
    }
  return ssapp_run_set_note (self->set, self->hidden, is_time, line);
}

/* Notes below a figure, in lines of its width. */
typedef struct {
  GPtrArray *lines;    /* owned */
  double size, height; /* of letters; of all lines, with the room above them */
} Notes;

static void
notes_clear (Notes *notes)
{
  g_ptr_array_unref (notes->lines);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Notes, notes_clear)

/* `size` in font sizes. */
static void
break_notes (const SsappChart *self, const SsappStyle *style, double width, double size, Notes *notes)
{
  guint n = 0;

  g_ptr_array_set_size (notes->lines, 0);
  notes->size = size * style->font_size;
  for (char *note = NULL; (note = ssapp_chart_note (self, n)) != NULL; g_free (note), n++) {
    g_autofree GStrv lines = ssapp_text_wrap (style, notes->size, FALSE, note, width, 0);
    for (guint i = 0; lines[i] != NULL; i++)
      g_ptr_array_add (notes->lines, lines[i]);
  }
  notes->height = n > 0 ? (notes->lines->len + 0.3) * NOTE_LINE / NOTE_SIZE * notes->size : 0;
}

/* Smaller where they would take more than their share of the height (INFINITY: they may have all). */
static void
lay_out_notes (const SsappChart *self, const SsappStyle *style, double width, double height, Notes *notes)
{
  notes->lines = g_ptr_array_new_with_free_func (g_free);
  break_notes (self, style, width, NOTE_SIZE, notes);
  for (double size = 0.9 * NOTE_SIZE; notes->height > NOTES_SHARE * height && size > NOTE_LEAST; size *= 0.9)
    break_notes (self, style, width, size, notes);
}

static void
draw_notes (const Notes *notes, cairo_t *cr, const SsappStyle *style, double height)
{
  const SsappTextStyle text = {
      .size = notes->size, .color = ssapp_style_color (style, SSAPP_COLOR_DIM), .anchor_x = 0, .anchor_y = 0};
  const double step = NOTE_LINE / NOTE_SIZE * notes->size, top = height - notes->height + 0.3 * step;

  for (guint i = 0; i < notes->lines->len; i++)
    ssapp_text_draw (cr, style, &text, 0, top + i * step, g_ptr_array_index (notes->lines, i));
}

double
ssapp_chart_get_height (const SsappChart *self, const SsappStyle *style, double width)
{
  const double font = style->font_size, share = 0.7, least = 14 * font, most = 26 * font;
  g_auto (Notes) below = {0};

  lay_out_notes (self, style, width, INFINITY, &below);
  const double notes = below.height;
  if (self->empty == NULL && self->spec.kind == SSAPP_CHART_HEAT)
    return ssapp_chart_heat_height (self, style, width) + notes;
  if (self->empty == NULL && (self->spec.kind == SSAPP_CHART_SUCCESS || self->spec.kind == SSAPP_CHART_DECIDES))
    return font * (4.5 + 2. * (self->groups->len + self->shares->len)) + notes;
  return CLAMP (share * width, least, most) + legend_height (self, style, width) + notes;
}

static void
draw_words (const SsappChart *self, cairo_t *cr, const SsappStyle *style, double width, double height)
{
  const SsappTextStyle text = {
      .size = style->font_size, .color = ssapp_style_color (style, SSAPP_COLOR_DIM), .anchor_x = 0.5, .anchor_y = 0.5};
  g_auto (GStrv) wrapped = ssapp_text_wrap (style, style->font_size, FALSE, self->empty, width, 0);
  g_autofree char *lines = g_strjoinv ("\n", wrapped);

  ssapp_text_draw (cr, style, &text, width / 2, height / 2, lines);
}

void
ssapp_chart_draw (const SsappChart *self, cairo_t *cr, const SsappStyle *style, double width, double height,
                  const int *selected, double pointer_x, double pointer_y)
{
  g_return_if_fail (self != NULL);
  if (!(width > 0) || !(height > 0))
    return;
  g_auto (Notes) notes = {0};
  lay_out_notes (self, style, width, height, &notes);
  cairo_save (cr);
  draw_notes (&notes, cr, style, height);
  height = MAX (height - notes.height, 1);
  if (self->empty != NULL)
    draw_words (self, cr, style, width, height);
  else if (self->spec.kind == SSAPP_CHART_HEAT)
    ssapp_chart_heat_draw (self, cr, style, width, height, selected, pointer_x, pointer_y);
  else if (self->spec.kind == SSAPP_CHART_BOX)
    ssapp_chart_box_draw (self, cr, style, width, height);
  else if (self->spec.kind == SSAPP_CHART_SUCCESS)
    ssapp_chart_bars_draw (self, cr, style, width, height);
  else if (self->spec.kind == SSAPP_CHART_DECIDES)
    ssapp_chart_shares_draw (self, cr, style, width, height);
  else
    ssapp_chart_curve_draw (self, cr, style, width, height, pointer_x, pointer_y);
  cairo_restore (cr);
}

void
ssapp_chart_pick (const SsappChart *self, const SsappStyle *style, double width, double height, double x, double y,
                  SsappChartPick *pick)
{
  g_return_if_fail (self != NULL);
  *pick = (SsappChartPick){NULL, g_array_new (FALSE, FALSE, sizeof (guint))};
  if (self->empty != NULL || !(width > 0) || !(height > 0) || !isfinite (x) || !isfinite (y))
    return;
  g_auto (Notes) notes = {0};
  lay_out_notes (self, style, width, height, &notes);
  height = MAX (height - notes.height, 1);
  if (self->spec.kind == SSAPP_CHART_HEAT)
    ssapp_chart_heat_pick (self, style, width, height, x, y, pick);
  else if (self->spec.kind == SSAPP_CHART_BOX)
    ssapp_chart_box_pick (self, style, width, height, x, y, pick);
  else if (self->spec.kind == SSAPP_CHART_SUCCESS)
    ssapp_chart_bars_pick (self, style, width, height, x, y, pick);
  else if (self->spec.kind == SSAPP_CHART_DECIDES)
    ssapp_chart_shares_pick (self, style, width, height, x, y, pick);
  else
    ssapp_chart_curve_pick (self, style, width, height, x, y, pick);
}

void
ssapp_chart_pick_clear (SsappChartPick *pick)
{
  g_clear_pointer (&pick->words, g_free);
  g_clear_pointer (&pick->items, g_array_unref);
}

/* ---- places ------------------------------------------------------------------------------------------------------ */

static void
place_clear (gpointer data)
{
  g_array_unref (((SsappChartPlace *)data)->items);
}

GArray *
ssapp_chart_places (const SsappChart *self, const SsappStyle *style, double width, double height)
{
  GArray *places = g_array_new (FALSE, FALSE, sizeof (SsappChartPlace));
  g_auto (Notes) notes = {0};

  g_array_set_clear_func (places, place_clear);
  lay_out_notes (self, style, width, height, &notes);
  height = MAX (height - notes.height, 1);
  if (self->empty != NULL)
    return places;
  if (self->spec.kind == SSAPP_CHART_HEAT)
    ssapp_chart_heat_places (self, style, width, height, places);
  else if (self->spec.kind == SSAPP_CHART_BOX)
    ssapp_chart_box_places (self, style, width, height, places);
  else if (self->spec.kind == SSAPP_CHART_SUCCESS)
    ssapp_chart_bars_places (self, style, width, height, places);
  else if (self->spec.kind == SSAPP_CHART_CURVES || self->spec.kind == SSAPP_CHART_WORK)
    ssapp_chart_curve_places (self, style, width, height, places);
  return places;
}
