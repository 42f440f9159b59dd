/* app/study/ssapp-chart-shares.c: what decides a metric: which part of its variance method and axes explain.
 *
 * On a whole grid: first-order and total indices of Sobol 2001 for the grid's own points, each as likely as the others,
 * which are the sums of squares of an analysis of variance. Their rest is decided together, or lies between repeated
 * runs. Else: the correlation ratio of each factor alone less what chance gives it (Kelley 1935), of drawn axes by
 * classes of equal counts (Plischke, Borgonovo, Smith 2013). */
#include "app/study/ssapp-chart-private.h"

#include <math.h>
#include <string.h>

#include "app/base/ssapp-metric.h"

enum { LEAST_RUNS = 3, LEAST_DRAWN = 4, MOST_CLASSES = 10 };
static const double ALIKE = 0.05;     /* shares that differ by less are told as alike */
static const double TOLERANCE = 1e-9; /* of rounding in sums of squares, of their whole */

/* Method or an axis, and the runs that count. */
typedef struct {
  int axis;       /* of the set's; -1: the method */
  guint n_levels; /* that the runs have */
  guint *levels;  /* of each run: 0 .. n_levels - 1 */
  gboolean is_drawn;
} Factor;

typedef struct {
  guint n;
  double *values; /* less their mean */
  guint *items;
  double whole; /* sum of squares */
  GArray *factors;
} Sample;

static void
factor_clear (gpointer data)
{
  g_free (((Factor *)data)->levels);
}

/* ---- the sample -------------------------------------------------------------------------------------------------- */

static void
collect (const SsappChart *self, Sample *sample)
{
  const guint n = self->set->items->len;
  double mean = 0;

  *sample = (Sample){.values = g_new (double, MAX (n, 1)), .items = g_new (guint, MAX (n, 1))};
  sample->factors = g_array_new (FALSE, TRUE, sizeof (Factor));
  g_array_set_clear_func (sample->factors, factor_clear);
  for (guint i = 0; i < n; i++) {
    const SsappRunItem *item = ssapp_chart_item (self, i);
    const double value = ssapp_chart_value (self, i);
    if (self->hidden[item->method] || isnan (value) ||
        !(item->state == SSAPP_RUN_SOLVED || (item->state == SSAPP_RUN_UNSOLVED && self->spec.takes_unsolved)))
      continue;
    sample->values[sample->n] = value;
    sample->items[sample->n++] = i;
    mean += value;
  }
  mean /= MAX (sample->n, 1);
  for (guint k = 0; k < sample->n; k++) {
    sample->values[k] -= mean;
    sample->whole += sample->values[k] * sample->values[k];
  }
}

static void
sample_clear (Sample *sample)
{
  g_free (sample->values);
  g_free (sample->items);
  g_array_unref (sample->factors);
}

static guint
place_of (const SsappChart *self, guint item, int axis)
{
  return axis < 0 ? ssapp_chart_item (self, item)->method : ssapp_chart_item (self, item)->places[axis];
}

/* Levels that the runs have, in the order of the axis' values; one alone is no factor. */
static void
add_factor (const SsappChart *self, Sample *sample, int axis, guint n_places)
{
  g_autofree guint *level_of = g_new0 (guint, MAX (n_places, 1));
  Factor factor = {.axis = axis};

  for (guint k = 0; k < sample->n; k++)
    level_of[place_of (self, sample->items[k], axis)] = 1;
  for (guint p = 0; p < n_places; p++)
    if (level_of[p] > 0)
      level_of[p] = factor.n_levels++;
  if (factor.n_levels < 2)
    return;
  factor.levels = g_new (guint, sample->n);
  for (guint k = 0; k < sample->n; k++)
    factor.levels[k] = level_of[place_of (self, sample->items[k], axis)];
  g_array_append_val (sample->factors, factor);
}

static Factor *
factor_at (const Sample *sample, guint f)
{
  return &g_array_index (sample->factors, Factor, f);
}

/* ---- sums of squares --------------------------------------------------------------------------------------------- */

/* Runs of equal levels of all factors but `without` (-1: of all) have a number; how many there are. */
static guint
number_cells (const Sample *sample, int without, guint *cell_of)
{
  g_autoptr (GHashTable) known =
      g_hash_table_new_full (g_bytes_hash, g_bytes_equal, (GDestroyNotify)g_bytes_unref, NULL);
  g_autofree guint *levels = g_new0 (guint, sample->factors->len);
  guint n = 0;

  for (guint k = 0; k < sample->n; k++) {
    gpointer found;
    for (guint f = 0; f < sample->factors->len; f++)
      levels[f] = (int)f == without ? 0 : factor_at (sample, f)->levels[k];
    GBytes *key = g_bytes_new (levels, sample->factors->len * sizeof *levels);
    if (g_hash_table_lookup_extended (known, key, NULL, &found)) {
      cell_of[k] = GPOINTER_TO_UINT (found);
      g_bytes_unref (key);
    } else {
      cell_of[k] = n;
      g_hash_table_insert (known, key, GUINT_TO_POINTER (n++));
    }
  }
  return n;
}

/* Sum of squares between groups, of the whole. */
static double
share_between (const Sample *sample, const guint *group_of, guint n_groups)
{
  g_autofree double *sums = g_new0 (double, MAX (n_groups, 1));
  g_autofree guint *counts = g_new0 (guint, MAX (n_groups, 1));
  double between = 0;

  for (guint k = 0; k < sample->n; k++) {
    sums[group_of[k]] += sample->values[k];
    counts[group_of[k]]++;
  }
  for (guint g = 0; g < n_groups; g++)
    if (counts[g] > 0)
      between += sums[g] * sums[g] / counts[g];
  return CLAMP (between / sample->whole, 0., 1.);
}

/* Every combination of levels has as many runs as the others. */
static gboolean
is_whole_grid (const Sample *sample)
{
  g_autofree guint *cell_of = g_new (guint, MAX (sample->n, 1)), *counts = g_new0 (guint, MAX (sample->n, 1));
  const guint n = number_cells (sample, -1, cell_of);
  double expected = 1;

  for (guint f = 0; f < sample->factors->len; f++)
    expected *= factor_at (sample, f)->n_levels;
  for (guint k = 0; k < sample->n; k++)
    counts[cell_of[k]]++;
  for (guint c = 1; c < n; c++)
    if (counts[c] != counts[0])
      return FALSE;
  return (double)n == expected;
}

/* Pairs of levels of two factors that some run has. */
static guint
count_pairs (const Sample *sample, const Factor *a, const Factor *b)
{
  g_autoptr (GHashTable) pairs = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);

  for (guint k = 0; k < sample->n; k++) {
    const gint64 pair = (gint64)a->levels[k] * b->n_levels + b->levels[k];
    g_hash_table_add (pairs, g_memdup2 (&pair, sizeof pair));
  }
  return g_hash_table_size (pairs);
}

/* An axis most of whose values stand in one problem each, or with one value of another axis each, however often: what
 * is between its values is between those of the other, too. */
static gboolean
is_drawn (const SsappChart *self, const Factor *factor, const Sample *sample)
{
  const guint n = factor->n_levels;
  if (factor->axis < 0 || !ssapp_chart_axis (self, factor->axis)->is_number || n < LEAST_DRAWN)
    return FALSE;
  gboolean is_so = 2 * n > self->set->n_problems;
  for (guint g = 0; !is_so && g < sample->factors->len; g++) {
    const Factor *other = factor_at (sample, g);
    if (other->axis < 0 || other == factor || !ssapp_chart_axis (self, other->axis)->is_number ||
        other->n_levels < LEAST_DRAWN)
      continue;
    const guint pairs = count_pairs (sample, factor, other); /* a grid has n times the other's values */
    is_so = 4 * (pairs - n) < n && 4 * (pairs - other->n_levels) < other->n_levels;
  }
  return is_so;
}

/* Neighbours are taken together. */
static void
class_drawn (Factor *factor, const Sample *sample)
{
  const guint n = CLAMP ((guint)sqrt (factor->n_levels), 2, MOST_CLASSES);
  for (guint k = 0; k < sample->n; k++)
    factor->levels[k] = factor->levels[k] * n / factor->n_levels;
  factor->n_levels = n;
}

/* ---- shares ------------------------------------------------------------------------------------------------------ */

static int
compare_shares (gconstpointer a, gconstpointer b)
{
  const double left = ((const SsappChartShare *)a)->alone, right = ((const SsappChartShare *)b)->alone;
  return left > right ? -1 : left < right;
}

static void
add_rest (SsappChart *self, int factor, double share)
{
  const SsappChartShare rest = {.factor = factor, .alone = share, .total = NAN};

  if (share > TOLERANCE)
    g_array_append_val (self->shares, rest);
}

static void
split_grid (SsappChart *self, const Sample *sample)
{
  g_autofree guint *cell_of = g_new (guint, sample->n);
  double left = share_between (sample, cell_of, number_cells (sample, -1, cell_of));
  const double repeats = 1 - left;

  for (guint f = 0; f < sample->factors->len; f++) {
    const Factor *factor = factor_at (sample, f);
    SsappChartShare share = {.factor = factor->axis, .n_levels = factor->n_levels};
    share.alone = share_between (sample, factor->levels, factor->n_levels);
    share.total = 1 - repeats - share_between (sample, cell_of, number_cells (sample, (int)f, cell_of));
    share.total = MAX (share.total, share.alone);
    left -= share.alone;
    g_array_append_val (self->shares, share);
  }
  g_array_sort (self->shares, compare_shares);
  add_rest (self, SSAPP_CHART_TOGETHER, left);
  add_rest (self, SSAPP_CHART_REPEATS, repeats);
}

static void
estimate (SsappChart *self, const Sample *sample)
{
  for (guint f = 0; f < sample->factors->len; f++)
    factor_at (sample, f)->is_drawn = is_drawn (self, factor_at (sample, f), sample);
  for (guint f = 0; f < sample->factors->len; f++) {
    Factor *factor = factor_at (sample, f);
    if (factor->is_drawn)
      class_drawn (factor, sample);
    SsappChartShare share = {
        .factor = factor->axis, .n_levels = factor->n_levels, .alone = NAN, .total = NAN, .is_drawn = factor->is_drawn};
    if (sample->n > factor->n_levels)
      share.alone = 1 - (1 - share_between (sample, factor->levels, factor->n_levels)) * (sample->n - 1.) /
                            (double)(sample->n - factor->n_levels);
    share.alone = MAX (share.alone, 0.); /* keeps NaN */
    g_array_append_val (self->shares, share);
  }
  g_array_sort (self->shares, compare_shares);
}

/* Whether values differ by more than rounding. */
static gboolean
varies (const SsappChart *self, const Sample *sample)
{
  double largest = 0, farthest = 0;

  for (guint k = 0; k < sample->n; k++) {
    largest = MAX (largest, fabs (ssapp_chart_value (self, sample->items[k])));
    farthest = MAX (farthest, fabs (sample->values[k]));
  }
  return farthest > TOLERANCE * largest;
}

void
ssapp_chart_shares_compute (SsappChart *self)
{
  g_return_if_fail (self != NULL);
  g_autofree char *words = ssapp_metric_words (self->spec.metric);
  Sample sample;

  collect (self, &sample);
  self->n_told = sample.n;
  if (sample.n < LEAST_RUNS) {
    self->empty = self->spec.takes_unsolved
                      ? g_strdup_printf ("Too few runs tell their %s.", words)
                      : g_strdup_printf ("Too few %s runs tell their %s.", ssapp_run_set_done (self->set), words);
  } else if (!varies (self, &sample)) {
    self->empty = g_strdup_printf ("All %u values of %s are the same: nothing decides.", sample.n, words);
  } else {
    add_factor (self, &sample, -1, self->set->methods->len);
    for (guint a = 0; a < self->set->axes->len; a++)
      add_factor (self, &sample, (int)a, ssapp_chart_axis (self, (int)a)->n_values);
    self->is_grid = is_whole_grid (&sample);
    if (sample.factors->len == 0)
      self->empty = g_strdup ("The runs differ in nothing that could decide.");
    else if (self->is_grid)
      split_grid (self, &sample);
    else
      estimate (self, &sample);
  }
  sample_clear (&sample);
}

/* ---- words ------------------------------------------------------------------------------------------------------- */

static const SsappChartShare *
share_at (const SsappChart *self, guint k)
{
  return &g_array_index (self->shares, SsappChartShare, k);
}

/* "Method", "Friction μ", "together"; static or the set's. */
static const char *
share_title (const SsappChart *self, guint share)
{
  const int factor = share_at (self, share)->factor;

  return factor == SSAPP_CHART_METHOD     ? "Method"
         : factor == SSAPP_CHART_TOGETHER ? "together"
         : factor == SSAPP_CHART_REPEATS  ? "repeated runs"
                                          : ssapp_chart_axis (self, factor)->title;
}

/* The factors that decide most: several where they are alike. */
static char *
verdict (const SsappChart *self)
{
  const double most = share_at (self, 0)->alone;
  GString *names = g_string_new ("");
  guint n = 0;

  if (!(most > 0)) {
    g_string_free (names, TRUE);
    return g_strdup ("No factor alone decides anything.");
  }
  for (guint k = 0; k < self->shares->len && share_at (self, k)->factor > SSAPP_CHART_TOGETHER; k++)
    if (share_at (self, k)->alone > most - ALIKE) {
      g_string_append_printf (names, "%s%s", n > 0 ? " and " : "", share_title (self, k));
      n++;
    }
  char *words = n == 1 ? g_strdup_printf ("%s decides most: %.0f %% of the variance by itself.", names->str, 100 * most)
                       : g_strdup_printf ("%s decide most and alike, by themselves up to %.0f %% of the variance.",
                                          names->str, 100 * most);
  g_string_free (names, TRUE);
  return words;
}

char *
ssapp_chart_shares_note (const SsappChart *self, guint line)
{
  g_return_val_if_fail (self != NULL, NULL);
  guint n_runs = 0, n_classes = 0;

  if (self->shares->len == 0)
    return NULL;
  for (guint i = 0; i < self->set->items->len; i++)
    n_runs += !self->hidden[ssapp_chart_item (self, i)->method];
  for (guint k = 0; k < self->shares->len; k++)
    n_classes = share_at (self, k)->is_drawn ? MAX (n_classes, share_at (self, k)->n_levels) : n_classes;
  if (line == 0)
    return verdict (self);
  if (line == 1)
    return self->is_grid
               ? g_strdup_printf (
                     "Shares of the variance of all %u values; with others (pale): also what it decides together.",
                     self->n_told)
               : g_strdup_printf (
                     "Estimates from %u of %u runs, no whole grid: shares may overlap, and what decides only "
                     "together is not told.",
                     self->n_told, n_runs);
  return line == 2 && n_classes > 0 ? g_strdup_printf ("Drawn values are taken in %u classes.", n_classes) : NULL;
}

/* ---- drawing ----------------------------------------------------------------------------------------------------- */

static void
lay_out (const SsappChart *self, const SsappStyle *style, double width, double height, SsappChartBars *bars)
{
  double names = 0, one;

  for (guint k = 0; k < self->shares->len; k++) {
    ssapp_text_measure (style, style->font_size, FALSE, share_title (self, k), &one, NULL);
    names = MAX (names, one);
  }
  ssapp_text_measure (style, style->font_size, TRUE, "100 %", &one, NULL);
  ssapp_chart_bars_lay_out (bars, style, names + 0.8 * style->font_size, one, self->shares->len, width, height);
}

void
ssapp_chart_shares_draw (const SsappChart *self, cairo_t *cr, const SsappStyle *style, double width, double height)
{
  g_return_if_fail (self != NULL);
  const double font = style->font_size;
  const SsappColor accent = ssapp_style_color (style, SSAPP_COLOR_ACCENT),
                   grey = ssapp_style_color (style, SSAPP_COLOR_FIXED);
  SsappChartBars bars;

  lay_out (self, style, width, height, &bars);
  ssapp_chart_bars_draw_axis (cr, style, &bars, self->shares->len, "Share of the variance");
  for (guint k = 0; k < self->shares->len; k++) {
    const SsappChartShare *share = share_at (self, k);
    const double middle = bars.top + bars.row * (k + 0.5), high = MIN (0.6 * bars.row, 2 * font);
    const SsappColor color = share->factor > SSAPP_CHART_TOGETHER ? accent : grey;
    const SsappTextStyle name = {
        .size = font, .color = ssapp_style_color (style, SSAPP_COLOR_FOREGROUND), .anchor_y = 0.5};
    const SsappTextStyle number = {
        .size = font, .bold = TRUE, .color = ssapp_style_color (style, SSAPP_COLOR_FOREGROUND), .anchor_y = 0.5};
    g_autofree char *part = isnan (share->alone) ? g_strdup ("–") : g_strdup_printf ("%.0f %%", 100 * share->alone);

    g_autofree char *title = ssapp_chart_cut (style, font, FALSE, share_title (self, k), bars.left - 0.4 * font);
    ssapp_text_draw (cr, style, &name, 0, middle, title);
    if (isfinite (share->total))
      ssapp_chart_bars_draw_one (cr, ssapp_color_with_alpha (color, 0.25), bars.left, middle - high / 2,
                                 bars.width * share->total, high);
    if (isfinite (share->alone))
      ssapp_chart_bars_draw_one (cr, color, bars.left, middle - high / 2, bars.width * share->alone, high);
    ssapp_text_draw (cr, style, &number, bars.left + bars.width + 0.8 * font, middle, part);
  }
}

void
ssapp_chart_shares_pick (const SsappChart *self, const SsappStyle *style, double width, double height, double x,
                         double y, SsappChartPick *pick)
{
  g_return_if_fail (self != NULL);
  SsappChartBars bars;

  lay_out (self, style, width, height, &bars);
  if (x < 0 || x > width || y < bars.top || y >= bars.top + bars.row * self->shares->len)
    return;
  const guint k = MIN ((guint)((y - bars.top) / bars.row), self->shares->len - 1);
  const SsappChartShare *share = share_at (self, k);
  if (isfinite (share->total))
    pick->words =
        g_strdup_printf ("%s, %u values\n%.1f %% by itself, %.1f %% with what it decides together with others",
                         share_title (self, k), share->n_levels, 100 * share->alone, 100 * share->total);
  else
    pick->words = g_strdup_printf ("%s\n%.1f %%", share_title (self, k), 100 * share->alone);
}

/* ---- numbers ----------------------------------------------------------------------------------------------------- */

void
ssapp_chart_shares_table (const SsappChart *self, SsappTable *table)
{
  g_return_if_fail (self != NULL);
  ssapp_table_add_text_column (table, "factor", "Factor");
  ssapp_table_add_number_column (table, "levels", "Values", "", "%.0f", SSAPP_BEST_NONE);
  ssapp_table_add_number_column (table, "alone", "By itself", "%", "%.1f", SSAPP_BEST_NONE);
  ssapp_table_add_number_column (table, "total", "With others", "%", "%.1f", SSAPP_BEST_NONE);
  for (guint k = 0; k < self->shares->len; k++) {
    const SsappChartShare *share = share_at (self, k);
    ssapp_table_begin_row (table);
    ssapp_table_add_text (table, share_title (self, k));
    ssapp_table_add_number (table, share->n_levels > 0 ? share->n_levels : (double)NAN);
    ssapp_table_add_number (table, 100 * share->alone);
    ssapp_table_add_number (table, 100 * share->total);
  }
}
