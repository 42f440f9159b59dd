/* app/study/ssapp-chart-data.c: the numbers of a chart: cells, groups and curves; their words and looks. No
 * drawing. */
#include "app/study/ssapp-chart-private.h"

#include <math.h>
#include <string.h>

#include "app/base/ssapp-metric.h"

/* Where the colours of a map against the best end, and where the others leave out the largest values. */
static const double RELATIVE_TOP = 10., COLOUR_SHARE = 0.98;
/* Of a profile, beyond its last step. */
static const double BEYOND = 1.15;

double
ssapp_chart_value (const SsappChart *self, guint item)
{
  g_return_val_if_fail (self != NULL, (double)NAN);
  const double value = ssapp_run_set_get (self->set, item, self->spec.metric);

  if (!self->spec.is_relative)
    return isfinite (value) ? value : (double)NAN;
  const double best =
      ssapp_run_set_best (self->set, ssapp_chart_item (self, item)->problem, self->spec.metric, self->hidden);
  return isfinite (value) && best > 0 ? value / best : (double)NAN;
}

static gboolean
takes (const SsappChart *self, const SsappRunItem *item)
{
  return item->state == SSAPP_RUN_SOLVED ||
         (item->state == SSAPP_RUN_UNSOLVED && self->spec.takes_unsolved && self->spec.kind != SSAPP_CHART_HEAT);
}

/* ---- what is left out -------------------------------------------------------------------------------------------- */

gboolean
ssapp_chart_are_of_same_problems (const SsappRunSet *set, gboolean takes_unsolved)
{
  g_return_val_if_fail (set != NULL, FALSE);
  const guint n = set->n_problems;
  g_autofree guint *counts = g_new0 (guint, (gsize)MAX (set->methods->len, 1) * MAX (n, 1));
  gboolean is_same = TRUE;

  for (guint i = 0; i < set->items->len; i++) {
    const SsappRunItem *item = &g_array_index (set->items, SsappRunItem, i);
    if (item->state == SSAPP_RUN_SOLVED || (takes_unsolved && item->state == SSAPP_RUN_UNSOLVED))
      counts[(gsize)item->method * n + item->problem]++;
  }
  for (guint m = 1; m < set->methods->len; m++)
    is_same = is_same && memcmp (counts, counts + (gsize)m * n, n * sizeof *counts) == 0;
  return is_same;
}

/* Whether a run that ended without being solved would stand in the figure if it were. */
static gboolean
leaves_unsolved_out (const SsappChart *self)
{
  const SsappChartKind kind = self->spec.kind;

  return (kind == SSAPP_CHART_BOX || kind == SSAPP_CHART_CURVES || kind == SSAPP_CHART_WORK ||
          kind == SSAPP_CHART_DISTRIBUTION) &&
         !self->spec.takes_unsolved && self->empty == NULL;
}

/* Runs that were solved and have no such value, as one without an impact has no time of its first: they do not count.
 * "Event-Driven 3 of 4", "" where all have one; g_free. */
static char *
valueless_words (const SsappChart *self)
{
  g_autofree guint *solved = g_new0 (guint, MAX (self->set->methods->len, 1)),
                   *told = g_new0 (guint, MAX (self->set->methods->len, 1));
  GString *words = g_string_new ("");

  for (guint i = 0; i < self->set->items->len; i++) {
    const SsappRunItem *item = ssapp_chart_item (self, i);
    if (item->state != SSAPP_RUN_SOLVED)
      continue;
    solved[item->method]++;
    told[item->method] += !isnan (ssapp_run_set_get (self->set, i, self->spec.metric));
  }
  for (guint s = 0; s < self->n_shown; s++) {
    const guint m = self->shown[s];
    if (told[m] < solved[m])
      g_string_append_printf (words, "%s%s %u of %u", words->len > 0 ? ", " : "", ssapp_chart_method (self, m)->label,
                              told[m], solved[m]);
  }
  return g_string_free (words, FALSE);
}

char *
ssapp_chart_left_out_note (const SsappChart *self, guint line)
{
  g_return_val_if_fail (self != NULL, NULL);
  g_autofree guint *solved = g_new0 (guint, MAX (self->set->methods->len, 1)),
                   *ended = g_new0 (guint, MAX (self->set->methods->len, 1));
  g_autoptr (GString) lacks = g_string_new ("");

  if (line > 0 || !leaves_unsolved_out (self))
    return NULL;
  for (guint i = 0; i < self->set->items->len; i++) {
    const SsappRunItem *item = ssapp_chart_item (self, i);
    solved[item->method] += item->state == SSAPP_RUN_SOLVED;
    ended[item->method] += item->state == SSAPP_RUN_SOLVED || item->state == SSAPP_RUN_UNSOLVED;
  }
  for (guint s = 0; s < self->n_shown; s++) {
    const guint m = self->shown[s];
    if (solved[m] < ended[m])
      g_string_append_printf (lacks, "%s%s %u of %u", lacks->len > 0 ? ", " : "", ssapp_chart_method (self, m)->label,
                              solved[m], ended[m]);
  }
  g_autofree char *valueless = valueless_words (self);
  g_autoptr (GString) note = g_string_new ("");
  if (lacks->len > 0)
    g_string_append_printf (note, "Of %s runs alone: %s.%s", ssapp_run_set_done (self->set), lacks->str,
                            ssapp_chart_are_of_same_problems (self->set, FALSE)
                                ? ""
                                : " The methods' values are of different problems: none is the best.");
  if (*valueless != '\0')
    g_string_append_printf (note, "%sOf runs that have a value: %s.", note->len > 0 ? " " : "", valueless);
  return note->len > 0 ? g_strdup (note->str) : NULL;
}

/* ---- heat maps --------------------------------------------------------------------------------------------------- */

static int
shown_place (const SsappChart *self, guint method)
{
  for (guint s = 0; s < self->n_shown; s++)
    if (self->shown[s] == method)
      return (int)s;
  return -1;
}

/* The median of what the solved runs of each cell have. */
static void
fill_cells (SsappChart *self)
{
  const guint n = self->n_shown * self->n_x * self->n_y;
  g_autofree GArray **values = g_new0 (GArray *, MAX (n, 1));

  for (guint i = 0; i < self->set->items->len; i++) {
    const SsappRunItem *item = ssapp_chart_item (self, i);
    const int map = shown_place (self, item->method);
    if (map < 0)
      continue;
    const guint at = ((guint)map * self->n_y + ssapp_chart_way_item (self, 1, item)) * self->n_x +
                     ssapp_chart_way_item (self, 0, item);
    SsappChartCell *cell = &self->cells[at];
    cell->n_runs++;
    cell->n_running += item->state == SSAPP_RUN_RUNNING;
    cell->n_slow += item->state == SSAPP_RUN_SLOW;
    cell->n_solved += item->state == SSAPP_RUN_SOLVED;
    if (cell->item == SSAPP_NO_ITEM || item->state == SSAPP_RUN_SOLVED)
      cell->item = i;
    const double value = ssapp_chart_value (self, i);
    if (item->state != SSAPP_RUN_SOLVED || isnan (value))
      continue;
    if (values[at] == NULL)
      values[at] = g_array_new (FALSE, FALSE, sizeof (double));
    g_array_append_val (values[at], value);
  }
  for (guint c = 0; c < n; c++)
    if (values[c] != NULL) {
      self->cells[c].value = ssapp_chart_middle (self, (const double *)(const void *)values[c]->data, values[c]->len);
      g_array_unref (values[c]);
    }
}

/* One scale for all maps. */
static void
find_colours (SsappChart *self)
{
  const guint n = self->n_shown * self->n_x * self->n_y;
  g_autofree double *all = g_new (double, MAX (n, 1));
  guint count;

  for (guint c = 0; c < n; c++)
    all[c] = self->cells[c].value;
  g_autofree double *values = ssapp_sort_finite (all, n, &count);
  self->lo = count > 0 ? values[0] : 0;
  self->hi = count > 0 ? values[count - 1] : 1;
  if (self->spec.is_relative && !self->is_upset) {
    self->lo = 1;
    self->hi = MIN (MAX (self->hi, 1.1), RELATIVE_TOP);
  } else if (count > 20) { /* a single run does not darken all others */
    const double top = ssapp_quantile (values, count, COLOUR_SHARE);
    if (self->hi - self->lo > 2 * (top - self->lo))
      self->hi = top;
  }
  if (!isnan (self->spec.y_min))
    self->lo = self->spec.y_min;
  if (!isnan (self->spec.y_max))
    self->hi = self->spec.y_max;
  self->is_clipped = count > 0 && values[count - 1] > self->hi * (1 + 1e-12);
  if (count == 0)
    self->empty = g_strdup_printf ("No run has been %s yet.", ssapp_run_set_done (self->set));
}

static void
compute_heat (SsappChart *self)
{
  int *x = &self->spec.x_axis, *y = &self->spec.y_axis;
  const int n_axes = (int)self->set->axes->len;

  if (n_axes == 0) {
    self->empty = g_strdup ("The runs differ in their method only. A heat map needs something else that varies.");
    return;
  }
  if (*x < 0 || *x >= n_axes)
    *x = *y == 0 && n_axes > 1 ? 1 : 0;
  if (*y < 0 || *y >= n_axes || *y == *x)
    *y = n_axes > 1 ? (*x == 0 ? 1 : 0) : -1;
  ssapp_chart_ways_choose (self);
  self->n_x = ssapp_chart_way_axis (self, 0)->n_values;
  self->n_y = *y >= 0 ? ssapp_chart_way_axis (self, 1)->n_values : 1;
  self->is_upset = ssapp_metric_spec (self->spec.metric)->better == SS_BETTER_HIGHER;
  const guint n = self->n_shown * self->n_x * self->n_y;
  self->cells = g_new (SsappChartCell, MAX (n, 1));
  for (guint c = 0; c < n; c++)
    self->cells[c] = (SsappChartCell){.value = NAN, .item = SSAPP_NO_ITEM};
  fill_cells (self);
  find_colours (self);
  g_clear_pointer (&self->empty, g_free); /* crosses, running and queued runs say enough */
  if (self->spec.y_log && !(self->lo > 0))
    self->spec.y_log = FALSE;
}

/* ---- boxes and bars ---------------------------------------------------------------------------------------------- */

static void
compute_groups (SsappChart *self)
{
  guint n_values = 0;

  for (guint s = 0; s < self->n_shown; s++) {
    SsappChartGroup group = {.method = self->shown[s]};
    group.values = g_new (double, MAX (self->set->items->len, 1));
    group.items = g_new (guint, MAX (self->set->items->len, 1));
    for (guint i = 0; i < self->set->items->len; i++) {
      const SsappRunItem *item = ssapp_chart_item (self, i);
      if (item->method != group.method)
        continue;
      group.n_runs++;
      group.n_solved += item->state == SSAPP_RUN_SOLVED;
      group.n_running += item->state == SSAPP_RUN_RUNNING;
      group.n_slow += item->state == SSAPP_RUN_SLOW;
      group.n_queued += item->state == SSAPP_RUN_QUEUED;
      const double value = takes (self, item) ? ssapp_chart_value (self, i) : (double)NAN;
      if (isnan (value))
        continue;
      group.values[group.n] = value;
      group.items[group.n++] = i;
    }
    n_values += group.n;
    ssapp_box_init (&group.box, group.values, group.n);
    g_array_append_val (self->groups, group);
  }
  if (self->spec.kind == SSAPP_CHART_BOX && n_values == 0) {
    g_autofree char *words = ssapp_metric_words (self->spec.metric);
    self->empty = self->spec.takes_unsolved
                      ? g_strdup_printf ("No run tells its %s.", words)
                      : g_strdup_printf ("No %s run tells its %s.", ssapp_run_set_done (self->set), words);
  }
}

/* ---- profiles ---------------------------------------------------------------------------------------------------- */

/* Solved, and near enough to the best objective of its problem where that is asked for. */
static gboolean
counts (const SsappChart *self, guint item)
{
  const SsappRunItem *it = ssapp_chart_item (self, item);

  if (it->state != SSAPP_RUN_SOLVED)
    return FALSE;
  if (isnan (self->spec.within))
    return TRUE;
  const double best = ssapp_run_set_best (self->set, it->problem, SS_METRIC_OBJECTIVE, self->hidden);
  const double own = ssapp_run_set_get (self->set, item, SS_METRIC_OBJECTIVE);
  return own <= best + (self->spec.within - 1) * fabs (best) + 1e-12 * fabs (best);
}

/* Of several runs of a method on a problem the one that started last stands for it. */
static guint
newest_of (const SsappChart *self, guint problem, guint method)
{
  guint newest = SSAPP_NO_ITEM;

  for (guint k = self->set->first_of[problem]; k < self->set->first_of[problem + 1]; k++) {
    const guint i = self->set->items_of[k];
    const SsappRunRow *row = ssapp_chart_item (self, i)->row;
    if (ssapp_chart_item (self, i)->method != method)
      continue;
    if (newest == SSAPP_NO_ITEM || row == NULL ||
        (ssapp_chart_item (self, newest)->row != NULL &&
         strcmp (row->started, ssapp_chart_item (self, newest)->row->started) > 0))
      newest = i;
  }
  return newest;
}

/* n_problems x n_methods; FALSE where a cost is negative. */
static gboolean
fill_costs (const SsappChart *self, double *costs)
{
  const guint n_methods = self->set->methods->len;
  gboolean is_good = TRUE;

  for (guint p = 0; p < self->set->n_problems; p++)
    for (guint m = 0; m < n_methods; m++) {
      const guint item = self->hidden[m] ? SSAPP_NO_ITEM : newest_of (self, p, m);
      double cost = NAN;
      if (item != SSAPP_NO_ITEM && counts (self, item))
        cost = ssapp_run_set_get (self->set, item, self->spec.metric);
      is_good = is_good && !(cost < 0);
      costs[(gsize)p * n_methods + m] = cost;
    }
  return is_good;
}

/* Least positive and largest finite value; FALSE without any. */
static gboolean
span_of (const double *values, guint n, double *lo, double *hi)
{
  *lo = INFINITY;
  *hi = -INFINITY;
  for (guint i = 0; i < n; i++)
    if (isfinite (values[i]) && values[i] > 0) {
      *lo = MIN (*lo, values[i]);
      *hi = MAX (*hi, values[i]);
    }
  return *hi >= *lo;
}

static void
add_profile (SsappChart *self, const double *values, guint method, double begin)
{
  const guint n_problems = self->set->n_problems, n_methods = self->set->methods->len;
  g_autofree double *column = g_new (double, MAX (n_problems, 1));
  SsappChartCurve curve = {.method = method};

  for (guint p = 0; p < n_problems; p++)
    column[p] = values[(gsize)p * n_methods + method];
  curve.x = g_new (double, n_problems + 2);
  curve.y = g_new (double, n_problems + 2);
  curve.x[0] = begin;
  curve.y[0] = 0;
  curve.n = 1 + ssapp_profile_steps (column, n_problems, curve.x + 1, curve.y + 1);
  curve.x[curve.n] = self->x_end;
  curve.y[curve.n] = curve.y[curve.n - 1];
  curve.n++;
  g_array_append_val (self->curves, curve);
}

static void
compute_profiles (SsappChart *self)
{
  const guint n = self->set->n_problems * self->set->methods->len;
  g_autofree double *costs = g_new (double, MAX (n, 1)), *ratios = g_new (double, MAX (n, 1));
  const gboolean is_performance = self->spec.kind == SSAPP_CHART_PERFORMANCE;
  double lo, hi;

  if (self->set->n_problems == 1) {
    self->empty = g_strdup ("A profile is over several problems, and these runs are of one.");
    return;
  }
  if (!fill_costs (self, costs)) {
    g_autofree char *words = ssapp_metric_words (self->spec.metric);
    self->empty = g_strdup_printf ("A profile compares costs, and %s is negative in some runs.", words);
    return;
  }
  ssapp_performance_ratios (costs, self->set->n_problems, self->set->methods->len, self->hidden, ratios);
  const double *values = is_performance ? ratios : costs;
  if (!span_of (values, n, &lo, &hi)) {
    self->empty = g_strdup_printf ("No run counts as %s yet.", ssapp_run_set_done (self->set));
    return;
  }
  if (is_performance) {
    lo = 1;
    hi = MAX (hi, 2);
  } else
    lo = self->spec.x_log ? lo / BEYOND : 0;
  self->x_end = hi * BEYOND;
  if (!isnan (self->spec.x_max))
    self->x_end = MAX (self->x_end, self->spec.x_max);
  for (guint s = 0; s < self->n_shown; s++)
    add_profile (self, values, self->shown[s], lo);
}

/* ---- curves ------------------------------------------------------------------------------------------------------ */

/* Medians of the runs of a method, from item `from` to before `to`, at one place of an axis (-1: of none); FALSE
 * without any. */
static gboolean
add_point (const SsappChart *self, SsappChartCurve *curve, int axis, guint place, guint from, guint to)
{
  g_autoptr (GArray) xs = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GArray) ys = g_array_new (FALSE, FALSE, sizeof (double));
  const gboolean is_work = self->spec.kind == SSAPP_CHART_WORK;
  guint last = SSAPP_NO_ITEM;

  for (guint i = from; i < to; i++) {
    const SsappRunItem *item = ssapp_chart_item (self, i);
    if (item->method != curve->method || !takes (self, item) || (axis >= 0 && item->places[axis] != place))
      continue;
    double y = ssapp_chart_value (self, i);
    double x = is_work ? ssapp_run_set_get (self->set, i, self->spec.other) : 0;
    if (!isfinite (x) || !isfinite (y))
      continue;
    g_array_append_val (xs, x);
    g_array_append_val (ys, y);
    last = i;
  }
  if (ys->len == 0)
    return FALSE;
  curve->x[curve->n] = ssapp_median_of ((const double *)(const void *)xs->data, xs->len);
  curve->y[curve->n] = ssapp_chart_middle (self, (const double *)(const void *)ys->data, ys->len);
  curve->items[curve->n] = ys->len == 1 ? last : SSAPP_NO_ITEM;
  curve->counts[curve->n] = ys->len;
  return TRUE;
}

static SsappChartCurve
curve_new (guint method, guint n)
{
  return (SsappChartCurve){.method = method,
                           .x = g_new (double, MAX (n, 1)),
                           .y = g_new (double, MAX (n, 1)),
                           .items = g_new (guint, MAX (n, 1)),
                           .counts = g_new (guint, MAX (n, 1))};
}

static void
compute_curves (SsappChart *self)
{
  const int n_axes = (int)self->set->axes->len;
  const gboolean is_work = self->spec.kind == SSAPP_CHART_WORK;
  int *axis = &self->spec.x_axis;
  guint n_points = 0;

  if (*axis >= n_axes)
    *axis = -1;
  for (int a = 0; *axis < 0 && a < n_axes && !is_work; a++) /* a number, where there is one */
    if (ssapp_chart_axis (self, a)->is_number)
      *axis = a;
  if (*axis < 0 && n_axes > 0 && !is_work)
    *axis = 0;
  if (*axis < 0 && !is_work) {
    self->empty = g_strdup ("The runs differ in their method only. A curve needs something else that varies.");
    return;
  }
  const SsappRunAxis *along = *axis >= 0 ? ssapp_chart_axis (self, *axis) : NULL;
  for (guint s = 0; s < self->n_shown; s++) {
    SsappChartCurve curve = curve_new (self->shown[s], along != NULL ? along->n_values : self->set->items->len);
    for (guint v = 0; along != NULL && v < along->n_values; v++)
      if (add_point (self, &curve, *axis, v, 0, self->set->items->len)) {
        if (!is_work)
          curve.x[curve.n] = along->is_number ? along->values[v] : v;
        curve.n += is_work || isfinite (curve.x[curve.n]);
      }
    for (guint i = 0; along == NULL && i < self->set->items->len; i++)
      curve.n += add_point (self, &curve, -1, 0, i, i + 1);
    n_points += curve.n;
    g_array_append_val (self->curves, curve);
  }
  if (n_points == 0) {
    g_autofree char *words = ssapp_metric_words (self->spec.metric);
    self->empty = g_strdup_printf ("No %s run tells its %s.", ssapp_run_set_done (self->set), words);
  }
}

/* "j and seed": what else varies than the axis that is drawn; "" for nothing. */
static char *
list_mixed (const SsappChart *self)
{
  GString *names = g_string_new ("");

  for (int a = 0; a < (int)self->set->axes->len; a++)
    if (a != self->spec.x_axis && ssapp_chart_axis (self, a)->n_values > 1)
      g_string_append_printf (names, "%s%s", names->len > 0 ? " and " : "", ssapp_chart_axis (self, a)->name);
  return g_string_free (names, FALSE);
}

/* "0.3, 0.5": values of the axis between a curve's ends where it has no point, though runs are there, "and 7 more" from
 * some on; "" for none. */
static char *
list_bridged (const SsappChart *self, const SsappChartCurve *curve)
{
  enum { MOST_NAMED = 4 };
  const SsappRunAxis *axis = ssapp_chart_axis (self, self->spec.x_axis);
  g_autofree gboolean *has_run = g_new0 (gboolean, MAX (axis->n_values, 1));
  GString *texts = g_string_new ("");
  guint n = 0, next = 0;

  for (guint i = 0; i < self->set->items->len; i++)
    if (ssapp_chart_item (self, i)->method == curve->method)
      has_run[ssapp_chart_item (self, i)->places[self->spec.x_axis]] = TRUE;
  for (guint v = 0; v < axis->n_values; v++) {
    const double x = axis->is_number ? axis->values[v] : v;
    if (curve->n == 0 || !(x > curve->x[0] && x < curve->x[curve->n - 1]))
      continue;
    while (curve->x[next] < x)
      next++;
    if (has_run[v] && curve->x[next] > x && n++ < MOST_NAMED)
      g_string_append_printf (texts, "%s%s", texts->len > 0 ? ", " : "", axis->texts[v]);
  }
  if (n > MOST_NAMED)
    g_string_append_printf (texts, " and %u more", n - MOST_NAMED);
  return g_string_free (texts, FALSE);
}

char *
ssapp_chart_curves_note (const SsappChart *self, guint line)
{
  g_return_val_if_fail (self != NULL, NULL);
  guint most = 1;

  if (self->spec.kind != SSAPP_CHART_CURVES || self->empty != NULL || self->spec.x_axis < 0)
    return NULL;
  for (guint c = 0; c < self->curves->len; c++)
    for (guint k = 0; k < g_array_index (self->curves, SsappChartCurve, c).n; k++)
      most = MAX (most, g_array_index (self->curves, SsappChartCurve, c).counts[k]);
  g_autofree char *mixed = list_mixed (self);
  if (most > 1 && *mixed != '\0' && line-- == 0)
    return g_strdup_printf ("A point is the %s of up to %u runs that differ in %s.", ssapp_chart_middle_word (self),
                            most, mixed);
  for (guint c = 0; c < self->curves->len; c++) {
    const SsappChartCurve *curve = &g_array_index (self->curves, SsappChartCurve, c);
    g_autofree char *bridged = list_bridged (self, curve);
    if (*bridged != '\0' && line-- == 0)
      return g_strdup_printf ("%s has no value at %s %s: its line passes over.",
                              ssapp_chart_method (self, curve->method)->label,
                              ssapp_chart_axis (self, self->spec.x_axis)->name, bridged);
  }
  return NULL;
}

gboolean
ssapp_chart_slope (const SsappChart *self, const SsappChartCurve *curve, double *slope)
{
  g_autofree double *x = g_new (double, MAX (curve->n, 1)), *y = g_new (double, MAX (curve->n, 1));
  guint n = 0;
  double offset;

  if (!self->spec.x_log || !self->spec.y_log)
    return FALSE;
  for (guint i = 0; i < curve->n; i++)
    if (curve->x[i] > 0 && curve->y[i] > 0) {
      x[n] = log (curve->x[i]);
      y[n++] = log (curve->y[i]);
    }
  return n >= 3 && ssapp_fit_line (x, y, n, slope, &offset);
}

void
ssapp_chart_compute (SsappChart *self)
{
  g_return_if_fail (self != NULL);
  if (self->set->items->len == 0) {
    self->empty = g_strdup ("There are no runs yet.");
    return;
  }
  if (self->n_shown == 0) {
    self->empty = g_strdup ("All methods are hidden.");
    return;
  }
  switch (self->spec.kind) {
  case SSAPP_CHART_HEAT:
    compute_heat (self);
    break;
  case SSAPP_CHART_BOX:
  case SSAPP_CHART_SUCCESS:
    compute_groups (self);
    break;
  case SSAPP_CHART_DISTRIBUTION:
    compute_groups (self);
    ssapp_chart_spread_compute (self);
    break;
  case SSAPP_CHART_PERFORMANCE:
  case SSAPP_CHART_DATA:
    compute_profiles (self);
    break;
  case SSAPP_CHART_CURVES:
  case SSAPP_CHART_WORK:
    compute_curves (self);
    break;
  case SSAPP_CHART_DECIDES: /* by its own file, which asks this one for values */
  case SSAPP_CHART_COUNT:
    break;
  }
}

/* ---- words and looks --------------------------------------------------------------------------------------------- */

double
ssapp_chart_middle (const SsappChart *self, const double *values, guint n)
{
  g_return_val_if_fail (self != NULL, NAN);
  return ssapp_run_set_middle (self->set, self->spec.metric, values, n);
}

const char *
ssapp_chart_middle_word (const SsappChart *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return ssapp_run_set_is_truth (self->set, self->spec.metric) ? "share" : "median";
}

char *
ssapp_chart_value_title (const SsappChart *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  if (self->spec.is_relative)
    return g_strdup_printf ("%s / best", ssapp_metric_spec (self->spec.metric)->label);
  return ssapp_metric_title (self->spec.metric);
}

char *
ssapp_chart_value_text (const SsappChart *self, double value)
{
  (void)self;
  return ssapp_format_number (value, 4);
}

char *
ssapp_chart_item_words (const SsappChart *self, guint item)
{
  g_return_val_if_fail (self != NULL, NULL);
  const SsappRunItem *it = ssapp_chart_item (self, item);
  g_autofree char *who = ssapp_run_set_get_words (self->set, item);
  g_autofree char *outcome = it->state == SSAPP_RUN_SLOW ? g_strdup (SSAPP_SLOW_WORDS)
                             : it->row != NULL           ? g_strdelimit (g_strdup (it->row->outcome), "_", ' ')
                                               : g_strdup (it->state == SSAPP_RUN_RUNNING ? "running" : "queued");
  const double value = ssapp_run_set_get (self->set, item, self->spec.metric), shown = ssapp_chart_value (self, item);
  g_autofree char *title = ssapp_metric_title (self->spec.metric);
  g_autofree char *number = ssapp_format_number (value, 5);
  g_autofree char *ratio = ssapp_format_number (shown, 4);

  if (isnan (value))
    return g_strdup_printf ("%s\n%s", who, outcome);
  if (self->spec.is_relative && isfinite (shown))
    return g_strdup_printf ("%s\n%s %s, %s of the best\n%s", who, title, number, ratio, outcome);
  return g_strdup_printf ("%s\n%s %s\n%s", who, title, number, outcome);
}

void
ssapp_chart_look (const SsappStyle *style, const SsappRunMethod *method, SsappMethodStyle *look)
{
  if (method->look >= 0)
    ssapp_style_look (style, method->look, look);
  else
    ssapp_style_method (style, method->id, look);
}

SsappSeries
ssapp_chart_series (const SsappChart *self, guint method)
{
  const SsappRunMethod *it = ssapp_chart_method (self, method);

  const SsMethod *known = ss_method_lookup (it->id);
  const int look = it->look >= 0 ? it->look : known != NULL ? known->look : -1;

  return (SsappSeries){.label = it->label, .method = it->id, .look = look + 1};
}

char *
ssapp_chart_point_title (const SsappChart *self)
{
  g_autofree char *title = ssapp_chart_value_title (self);
  const gboolean has_points = self->spec.kind == SSAPP_CHART_CURVES || self->spec.kind == SSAPP_CHART_WORK;
  guint least = G_MAXUINT, most = 1;

  for (guint c = 0; has_points && c < self->curves->len; c++) {
    const SsappChartCurve *curve = &g_array_index (self->curves, SsappChartCurve, c);
    for (guint k = 0; k < curve->n && curve->counts != NULL; k++) {
      least = MIN (least, curve->counts[k]);
      most = MAX (most, curve->counts[k]);
    }
  }
  if (most < 2)
    return g_steal_pointer (&title);
  return g_strdup_printf ("%s, %ss of %s%u", title, ssapp_chart_middle_word (self), least == most ? "" : "up to ",
                          most);
}

/* ---- places ------------------------------------------------------------------------------------------------------ */

SsappChartPlace *
ssapp_chart_add_place (GArray *places, double x, double y, double width, double height)
{
  const SsappChartPlace place = {x, y, width, height, g_array_new (FALSE, FALSE, sizeof (guint))};

  g_array_append_val (places, place);
  return &g_array_index (places, SsappChartPlace, places->len - 1);
}
