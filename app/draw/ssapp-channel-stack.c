/* app/draw/ssapp-channel-stack.c: see the header. */
#include "app/draw/ssapp-channel-stack.h"

#include "app/draw/ssapp-band.h"
#include "app/draw/ssapp-channel-stack-private.h"
#include "app/draw/ssapp-channel-naming.h"
#include "app/draw/ssapp-plot-parts.h"
#include "app/draw/ssapp-plot-private.h"
#include "app/draw/ssapp-text-fit.h"

#include <math.h>
#include <string.h>

enum { DIGITS = 4 };
/* px at 100 % */
static const double MARGIN = 8, SAMPLE = 26, TOP = 4, AXIS_HEIGHT = 34, PLOT_LEAST = 62, LABEL_ROOM = 58, RING = 4,
                    STAGE = 2.6, STAGE_ROOM = 5;
static const double LINE = 1.35, VALUE_ROOM = 6, NAMES_LEAST = 9, NAME_LEAST = 7; /* font sizes */

static void
entry_clear (SsappStackEntry *entry)
{
  g_free (entry->label);
  g_free (entry->channel);
  g_free ((char *)entry->method.name);
  ssapp_curve_clear (&entry->curve);
  g_free (entry->band_of);
  ssapp_curve_clear (&entry->half);
  ssapp_curve_clear (&entry->stages);
}

static void
forget_series (SsappStackRow *row)
{
  for (guint i = 0; row->parts != NULL && i < row->entries->len; i++)
    ssapp_curve_clear (&row->parts[i]);
  for (guint i = 0; row->halves != NULL && i < row->entries->len; i++)
    g_free (row->halves[i]);
  g_clear_pointer (&row->halves, g_free);
  g_clear_pointer (&row->parts, g_free);
  g_clear_pointer (&row->series, g_free);
}

static void
row_free (SsappStackRow *row)
{
  forget_series (row);
  g_free (row->title);
  g_free (row->about);
  g_free (row->heading);
  g_free (row->titled);
  g_array_unref (row->entries);
  g_free (row);
}

/* ---- curves ------------------------------------------------------------------------------------------------------ */

/* The first two runs with a motion. */
static gboolean
find_two (const SsappChannelRun *runs, int n_runs, int two[2])
{
  int n = 0;

  for (int i = 0; i < n_runs && n < 2; i++)
    if (runs[i].motion != NULL && runs[i].motion->n_rows > 1)
      two[n++] = i;
  return n == 2;
}

static void
add_entry (SsappStackRow *row, const SsappChannelRun *run, int index, const char *channel, char *label,
           SsappCurve *curve, const SsappBand *band)
{
  SsappStackEntry entry = {.label = label,
                           .channel = g_strdup (channel),
                           .run = index,
                           .is_before = run->is_before,
                           .method = {run->method.kind, g_strdup (run->method.name), run->method.copy},
                           .curve = *curve,
                           .band_of = band != NULL ? g_strdup (band->of) : NULL};

  if (band != NULL)
    ssapp_band_curve (band, channel, &entry.half);
  g_array_append_val (row->entries, entry);
}

/* The title: the label that all have, else all labels; then owner and unit where they are one. */
static void
name_row (SsappStackRow *row, GPtrArray *channels, const SsappChannelPlot *plot, gboolean is_difference)
{
  g_autoptr (GString) title = g_string_new (NULL);
  const SsappChannel *first = NULL;
  gboolean is_same_unit = TRUE;

  for (guint i = 0; i < plot->names->len; i++) {
    const char *name = g_ptr_array_index (plot->names, i);
    const SsappChannel *channel = ssapp_channels_find (channels, name);
    const char *label = channel != NULL ? channel->label : name;
    if (strstr (title->str, label) == NULL)
      g_string_append_printf (title, "%s%s", title->len > 0 ? ", " : "", label);
    if (channel == NULL)
      continue;
    is_same_unit = is_same_unit && (first == NULL || strcmp (first->unit, channel->unit) == 0);
    first = first != NULL ? first : channel;
  }
  row->title = is_difference ? g_strdup_printf ("Difference of %s", title->str) : g_strdup (title->str);
  row->about = first == NULL           ? g_strdup ("")
               : plot->names->len == 1 ? ssapp_channel_of (first)
               : is_same_unit          ? g_strdup (first->unit)
                                       : g_strdup ("several units");
  row->heading = *row->about != '\0' ? g_strdup_printf ("%s (%s)", row->title, row->about) : g_strdup (row->title);
}

static void
fill_row (SsappStackRow *row, GPtrArray *channels, const SsappChannelPlot *plot, const SsappChannelRun *runs,
          int n_runs, int n_least)
{
  SsappCurveNaming naming = ssapp_curve_naming_of (channels, plot, FALSE);
  int n_now = 0;

  for (int r = 0; r < n_runs; r++)
    n_now += runs[r].is_before ? 0 : 1;
  for (int r = 0; r < n_runs; r++) {
    naming.tells_run = n_now > 1 || runs[r].is_before; /* a single one is what is meant */
    for (guint i = 0; i < plot->names->len; i++) {
      const char *name = g_ptr_array_index (plot->names, i);
      SsappCurve curve;
      if (!ssapp_curve_init (&curve, runs[r].motion, name, n_least))
        continue;
      add_entry (row, &runs[r], r, name, ssapp_curve_naming_label (&naming, name, ssapp_curve_run_label (&runs[r])),
                 &curve, &runs[r].band);
      if (!runs[r].is_before)
        ssapp_curve_init_stages (&g_array_index (row->entries, SsappStackEntry, row->entries->len - 1).stages,
                                 runs[r].motion, name);
    }
  }
}

static void
fill_difference (SsappStackRow *row, GPtrArray *channels, const SsappChannelPlot *plot, const SsappChannelRun *runs,
                 const int two[2], int n_least)
{
  const SsappCurveNaming naming = ssapp_curve_naming_of (channels, plot, TRUE);

  for (guint i = 0; i < plot->names->len; i++) {
    const char *name = g_ptr_array_index (plot->names, i);
    g_autofree char *minus =
        g_strdup_printf ("%s − %s", ssapp_curve_run_label (&runs[two[1]]), ssapp_curve_run_label (&runs[two[0]]));
    SsappCurve a, b, difference;
    if (ssapp_curve_init (&a, runs[two[0]].motion, name, n_least) &&
        ssapp_curve_init (&b, runs[two[1]].motion, name, n_least)) {
      ssapp_curve_difference (&a, &b, &difference);
      add_entry (row, &runs[two[1]], two[1], name, ssapp_curve_naming_label (&naming, name, minus), &difference, NULL);
      ssapp_curve_clear (&b);
    }
    ssapp_curve_clear (&a);
  }
}

/* Of each run with a motion from the first that has one. */
static void
fill_differences (SsappStackRow *row, GPtrArray *channels, const SsappChannelPlot *plot, const SsappChannelRun *runs,
                  int n_runs, int first, int n_least)
{
  for (int r = first + 1; r < n_runs; r++) {
    const int two[2] = {first, r};
    if (runs[r].motion != NULL && runs[r].motion->n_rows > 1)
      fill_difference (row, channels, plot, runs, two, n_least);
  }
}

SsappChannelStack *
ssapp_channel_stack_new (const SsappChannelPlots *plots, const SsappChannelRun *runs, int n_runs, int n_least)
{
  g_return_val_if_fail (plots != NULL, NULL);
  SsappChannelStack *stack = g_new0 (SsappChannelStack, 1);
  g_autoptr (GPtrArray) channels = ssapp_channels_list (runs, n_runs);
  int two[2];

  stack->rows = g_ptr_array_new_with_free_func ((GDestroyNotify)row_free);
  stack->is_difference = plots->is_difference && find_two (runs, n_runs, two);
  for (guint p = 0; p < plots->plots->len; p++) {
    const SsappChannelPlot *plot = g_ptr_array_index (plots->plots, p);
    SsappStackRow *row = g_new0 (SsappStackRow, 1);
    row->entries = g_array_new (FALSE, TRUE, sizeof (SsappStackEntry));
    g_array_set_clear_func (row->entries, (GDestroyNotify)entry_clear);
    row->is_log = plot->is_log;
    row->y_min = plot->y_min;
    row->y_max = plot->y_max;
    name_row (row, channels, plot, stack->is_difference);
    if (stack->is_difference)
      fill_differences (row, channels, plot, runs, n_runs, two[0], n_least);
    else
      fill_row (row, channels, plot, runs, n_runs, n_least);
    g_ptr_array_add (stack->rows, row);
  }
  return stack;
}

void
ssapp_channel_stack_free (SsappChannelStack *stack)
{
  if (stack == NULL)
    return;
  g_ptr_array_unref (stack->rows);
  g_free (stack->axis);
  g_free (stack->spans);
  g_free (stack);
}

int
ssapp_channel_stack_n_plots (const SsappChannelStack *stack)
{
  g_return_val_if_fail (stack != NULL, 0);
  return (int)stack->rows->len;
}

const char *
ssapp_channel_stack_heading (const SsappChannelStack *stack, int plot)
{
  g_return_val_if_fail (stack != NULL, "");

  const SsappStackRow *row = ssapp_stack_row_at (stack, plot);
  return row != NULL ? row->heading : "";
}

gboolean
ssapp_channel_stack_is_log (const SsappChannelStack *stack, int plot)
{
  g_return_val_if_fail (stack != NULL, FALSE);

  const SsappStackRow *row = ssapp_stack_row_at (stack, plot);
  return row != NULL && row->is_log;
}

const char *
ssapp_channel_stack_title (const SsappChannelStack *stack, int plot)
{
  const SsappStackRow *row = ssapp_stack_row_at (stack, plot);

  return row != NULL ? row->title : "";
}

gboolean
ssapp_channel_stack_is_difference (const SsappChannelStack *stack)
{
  g_return_val_if_fail (stack != NULL, FALSE);
  return stack->is_difference;
}

gboolean
ssapp_channel_stack_times (const SsappChannelStack *stack, double times[2])
{
  g_return_val_if_fail (stack != NULL, FALSE);
  times[0] = INFINITY;
  times[1] = -INFINITY;
  for (guint r = 0; r < stack->rows->len; r++)
    for (guint i = 0; i < ssapp_stack_row_at (stack, (int)r)->entries->len; i++) {
      const SsappCurve *curve = &ssapp_stack_entry_at (ssapp_stack_row_at (stack, (int)r), i)->curve;
      if (curve->n > 0) {
        times[0] = MIN (times[0], curve->t[0]);
        times[1] = MAX (times[1], curve->t[curve->n - 1]);
      }
    }
  return times[1] >= times[0];
}

void
ssapp_channel_stack_for_each (const SsappChannelStack *stack, SsappCurveFunc func, gpointer data)
{
  g_return_if_fail (stack != NULL);
  for (guint r = 0; r < stack->rows->len; r++)
    for (guint i = 0; i < ssapp_stack_row_at (stack, (int)r)->entries->len; i++) {
      const SsappStackEntry *entry = ssapp_stack_entry_at (ssapp_stack_row_at (stack, (int)r), i);
      func ((int)r, entry->channel, entry->run, &entry->curve, &entry->half, data);
    }
}

/* ---- places ------------------------------------------------------------------------------------------------------ */

/* Where names end and the axis' own labels begin. */
static double
names_end (const SsappChannelStack *stack, const SsappStyle *style)
{
  return stack->layout.axis_left - LABEL_ROOM * style->scale;
}

/* Whether what a plot is of stands beside it. */
static gboolean
has_names (const SsappChannelStack *stack, const SsappStyle *style)
{
  return names_end (stack, style) >= NAMES_LEAST * style->font_size && stack->has_room;
}

static double
name_room (const SsappChannelStack *stack, const SsappStyle *style)
{
  return names_end (stack, style) - (MARGIN + SAMPLE + 6) * style->scale - VALUE_ROOM * style->font_size;
}

/* Whether names of curves stand whole beside their plots, or what is left of the longest can be told from others. */
static gboolean
has_room (const SsappChannelStack *stack, const SsappStyle *style)
{
  const double room = name_room (stack, style);
  double width = 0;

  for (guint r = 0; room < NAME_LEAST * style->font_size && r < stack->rows->len; r++)
    for (guint i = 0; width <= room && i < ssapp_stack_row_at (stack, (int)r)->entries->len; i++)
      ssapp_text_measure (style, style->font_size, FALSE,
                          ssapp_stack_entry_at (ssapp_stack_row_at (stack, (int)r), i)->label, &width, NULL);
  return width <= room;
}

/* What the bands of a plot are by; NULL: it has none. */
static const char *
band_number (const SsappStackRow *row)
{
  for (guint i = 0; i < row->entries->len; i++)
    if (ssapp_stack_entry_at (row, i)->band_of != NULL)
      return ssapp_stack_entry_at (row, i)->band_of;
  return NULL;
}

/* "± 1 % of mu", or that none of the curves has such a band; NULL where there are no bands; g_free. */
static char *
band_words (const SsappStackRow *row)
{
  const char *number = band_number (row);

  if (number == NULL)
    return NULL;
  for (guint i = 0; i < row->entries->len; i++)
    if (ssapp_stack_entry_at (row, i)->half.n > 0)
      return g_strdup_printf ("± %d %% of %s", SSAPP_BAND_PERCENT, number);
  return g_strdup_printf ("no derivative by %s", number);
}

static double
row_least (const SsappStackRow *row, const SsappStyle *style)
{
  const double lines = row->entries->len + (band_number (row) != NULL) + 1.4;

  return MAX (PLOT_LEAST * style->scale, lines * LINE * style->font_size + TOP * style->scale);
}

double
ssapp_channel_stack_height (const SsappChannelStack *stack, const SsappStyle *style)
{
  g_return_val_if_fail (stack != NULL, (double)NAN);
  double height = AXIS_HEIGHT * style->scale;

  for (guint r = 0; r < stack->rows->len; r++)
    height += row_least (ssapp_stack_row_at (stack, (int)r), style);
  return height;
}

/* The curves of a plot as far as they are in sight. */
static void
reduce (const SsappChannelStack *stack, SsappStackRow *row)
{
  const guint n = row->entries->len;
  const SsappChannelLayout *layout = &stack->layout;

  forget_series (row);
  row->series = g_new0 (SsappSeries, n + 1);
  row->parts = g_new0 (SsappCurve, n + 1);
  row->halves = g_new0 (double *, n + 1);
  for (guint i = 0; i < n; i++) {
    const SsappStackEntry *entry = ssapp_stack_entry_at (row, i);
    SsappCurve *part = &row->parts[i];
    ssapp_curve_reduce (&entry->curve, layout->t_min, layout->t_max,
                        (int)MAX (layout->axis_right - layout->axis_left, 1), part);
    row->series[i] = (SsappSeries){.label = entry->label,
                                   .method = entry->method,
                                   .is_before = entry->is_before,
                                   .n = part->n,
                                   .x = part->t,
                                   .y = part->y};
    if (entry->half.n == 0)
      continue;
    row->halves[i] = g_new (double, part->n + 1);
    for (int k = 0; k < part->n; k++)
      row->halves[i][k] = ssapp_curve_at (&entry->half, part->t[k], FALSE);
    row->series[i].half = row->halves[i];
  }
}

/* Least and largest value in sight, of a logarithmic axis of the positive ones. */
static void
find_box (const SsappChannelStack *stack, const SsappStackRow *row, double box[4])
{
  box[0] = stack->layout.t_min;
  box[1] = stack->layout.t_max;
  box[2] = INFINITY;
  box[3] = -INFINITY;
  for (guint i = 0; i < row->entries->len; i++)
    for (int k = 0; k < row->parts[i].n; k++) {
      const double t = row->parts[i].t[k], y = row->parts[i].y[k];
      const double half = row->halves[i] != NULL && isfinite (row->halves[i][k]) ? fabs (row->halves[i][k]) : 0;
      const gboolean is_seen = t >= box[0] && t <= box[1];
      if (isfinite (y) && is_seen && (!row->is_log || y > 0)) {
        box[2] = MIN (box[2], row->is_log && half >= y ? y : y - half);
        box[3] = MAX (box[3], y + half);
      }
    }
}

/* Curves that are not of before an edit: a single one needs no name. */
static guint
count_now (const SsappStackRow *row)
{
  guint n = 0;

  for (guint i = 0; i < row->entries->len; i++)
    n += ssapp_stack_entry_at (row, i)->is_before ? 0 : 1;
  return n;
}

static void
lay_out_row (const SsappChannelStack *stack, SsappStackRow *row, const SsappStyle *style, gboolean is_last)
{
  const SsappChannelLayout *layout = &stack->layout;
  double box[4];

  reduce (stack, row);

  row->spec = (SsappPlotSpec){SSAPP_PLOT_FREE};
  row->spec.x_min = layout->t_min;
  row->spec.x_max = layout->t_max;
  row->spec.x_label = stack->axis;
  row->spec.hide_x_labels = !is_last;
  row->spec.left_least = layout->axis_left;
  row->spec.right_least = layout->width - layout->axis_right;
  row->spec.spans = stack->spans;
  row->spec.n_spans = layout->n_spans;
  row->spec.span_label = "time stands";
  row->spec.y_min = row->y_min;
  row->spec.y_max = row->y_max;
  if (!has_names (stack, style)) {
    g_autofree char *band = band_words (row);
    g_free (row->titled);
    row->titled = band != NULL ? g_strdup_printf ("%s, %s", row->heading, band) : g_strdup (row->heading);
    row->spec.title = row->titled;
    row->spec.legend = count_now (row) > 1;
  }
  find_box (stack, row, box);
  row->has_no_log = row->is_log && !(box[3] > 0) && isnan (row->y_min);
  row->spec.y_log = row->is_log && (box[3] > 0 || isfinite (row->y_min));
  if (!(box[2] <= box[3]))
    box[2] = 0, box[3] = 1;
  if (isnan (row->y_min)) /* the same box for the picture, whose curves reach beyond what is in sight */
    ssapp_plot_frame_layout (style, &row->spec, box, 0, row->y, layout->width, row->height, &row->frame);
  row->spec.y_min = isnan (row->y_min) ? row->frame.y_axis.min : row->y_min;
  row->spec.y_max = isnan (row->y_min) ? row->frame.y_axis.max : row->y_max;
  ssapp_plot_frame_layout (style, &row->spec, box, 0, row->y, layout->width, row->height, &row->frame);
}

void
ssapp_channel_stack_lay_out (SsappChannelStack *stack, const SsappStyle *style, const SsappChannelLayout *layout)
{
  g_return_if_fail (stack != NULL);
  const double least = ssapp_channel_stack_height (stack, style), axis = AXIS_HEIGHT * style->scale;
  const int n = (int)stack->rows->len;
  const double more = n > 0 ? (layout->height - least) / n : 0;
  double y = 0;

  g_free (stack->axis);
  g_free (stack->spans);
  stack->layout = *layout;
  stack->has_room = has_room (stack, style);
  stack->axis = g_strdup (layout->axis);
  stack->spans = g_memdup2 (layout->spans, sizeof *layout->spans * (gsize)layout->n_spans);
  for (int r = 0; r < n; r++) {
    SsappStackRow *row = ssapp_stack_row_at (stack, r);
    row->y = y;
    row->height = MAX (row_least (row, style) + more, 1) + (r == n - 1 ? axis : 0);
    lay_out_row (stack, row, style, r == n - 1);
    y += row->height;
  }
}

void
ssapp_channel_stack_set_values (SsappChannelStack *stack, int plot, double y_min, double y_max)
{
  SsappStackRow *row = ssapp_stack_row_at (stack, plot);

  if (row == NULL)
    return;
  row->y_min = y_min;
  row->y_max = y_max;
}

/* ---- picture ----------------------------------------------------------------------------------------------------- */

static void
draw_fitting (cairo_t *cr, const SsappStyle *style, const SsappTextStyle *text, double x, double y, double width,
              const char *words, int shared)
{
  g_autofree char *fit = ssapp_text_fit (style, text->size, text->bold, words, shared, width);

  ssapp_text_draw (cr, style, text, x, y, fit);
}

static double
entry_y (const SsappStackRow *row, const SsappStyle *style, guint entry)
{
  return row->y + TOP * style->scale + (entry + 1.15) * LINE * style->font_size;
}

/* Title, what it is of, and the curves' marks and names; values come with the cursor. */
static void
draw_names (cairo_t *cr, const SsappStyle *style, const SsappChannelStack *stack, const SsappStackRow *row,
            const SsappMethodStyle *looks)
{
  const double left = MARGIN * style->scale, right = names_end (stack, style), sample = SAMPLE * style->scale;
  const SsappTextStyle title = {
      .size = style->font_size, .bold = TRUE, .color = ssapp_style_color (style, SSAPP_COLOR_FOREGROUND)};
  SsappTextStyle dim = {.size = style->font_size, .color = ssapp_style_color (style, SSAPP_COLOR_DIM), .anchor_x = 1};
  double about;

  ssapp_text_measure (style, dim.size, FALSE, row->about, &about, NULL);
  about = MIN (about, (right - left) / 2);
  draw_fitting (cr, style, &title, left, row->y + TOP * style->scale, right - left - about - style->font_size,
                row->title, 0);
  ssapp_text_draw (cr, style, &dim, right, row->y + TOP * style->scale, row->about);
  dim.anchor_x = 0;
  g_autofree const char **labels = g_new0 (const char *, row->entries->len + 1);
  for (guint i = 0; i < row->entries->len; i++)
    labels[i] = ssapp_stack_entry_at (row, i)->label;
  const int shared = ssapp_texts_shared (labels, (int)row->entries->len);
  for (guint i = 0; i < row->entries->len; i++) {
    const double y = entry_y (row, style, i);
    ssapp_draw_look_sample (cr, style, &looks[i], left, y + 0.65 * style->font_size, sample);
    draw_fitting (cr, style, &dim, left + sample + 6 * style->scale, y, name_room (stack, style),
                  ssapp_stack_entry_at (row, i)->label, shared);
  }
  g_autofree char *band = band_words (row);
  if (band != NULL)
    draw_fitting (cr, style, &dim, left + sample + 6 * style->scale, entry_y (row, style, row->entries->len),
                  right - left - sample - 6 * style->scale, band, 0);
}

/* Dots at the stages in sight, where there is room between them. */
static void
draw_stages (cairo_t *cr, const SsappStyle *style, const SsappChannelStack *stack, const SsappStackRow *row,
             const SsappMethodStyle *looks)
{
  const SsappChannelLayout *layout = &stack->layout;
  const double width = layout->axis_right - layout->axis_left, span = layout->t_max - layout->t_min;

  for (guint i = 0; i < row->entries->len; i++) {
    const SsappCurve *stages = &ssapp_stack_entry_at (row, i)->stages;
    int first = 0, end = stages->n;
    while (first < end && stages->t[first] < layout->t_min)
      first++;
    while (end > first && stages->t[end - 1] > layout->t_max)
      end--;
    if ((end - first) * STAGE_ROOM * style->scale > width)
      continue;
    ssapp_set_color (cr, looks[i].color);
    for (int k = first; k < end; k++) {
      const double share = ssapp_axis_fraction (&row->frame.y_axis, stages->y[k]);
      if (!(share >= 0 && share <= 1))
        continue;
      cairo_new_path (cr);
      cairo_arc (cr, layout->axis_left + width * (stages->t[k] - layout->t_min) / span,
                 row->frame.area.y + row->frame.area.height * (1 - share), STAGE * style->scale, 0, 2 * G_PI);
      cairo_fill (cr);
    }
  }
}

void
ssapp_channel_stack_draw (cairo_t *cr, const SsappStyle *style, const SsappChannelStack *stack)
{
  g_return_if_fail (style != NULL && stack != NULL);
  for (guint r = 0; r < stack->rows->len; r++) {
    const SsappStackRow *row = ssapp_stack_row_at (stack, (int)r);
    SsappMethodStyle *looks = ssapp_plot_series_styles (style, row->series, (int)row->entries->len);

    if (r > 0) { /* a hairline above it */
      cairo_new_path (cr);
      ssapp_plot_line (cr, 0, floor (row->y) + 0.5, stack->layout.width, floor (row->y) + 0.5);
      ssapp_set_color (cr, ssapp_style_color (style, SSAPP_COLOR_PLOT_GRID));
      cairo_set_line_width (cr, style->scale);
      cairo_stroke (cr);
    }
    ssapp_plot_draw (cr, style, &row->spec, row->series, (int)row->entries->len, 0, row->y, stack->layout.width,
                     row->height);
    draw_stages (cr, style, stack, row, looks);
    if (has_names (stack, style))
      draw_names (cr, style, stack, row, looks);
    if (row->has_no_log) {
      const SsappTextStyle dim = {
          .size = style->font_size, .color = ssapp_style_color (style, SSAPP_COLOR_DIM), .anchor_x = 1};
      ssapp_text_draw (cr, style, &dim, row->frame.area.x + row->frame.area.width, row->frame.area.y,
                       "No value in sight is positive, so the axis is linear");
    }
    g_free (looks);
  }
}

static void
draw_values (cairo_t *cr, const SsappStyle *style, const SsappChannelStack *stack, const SsappStackRow *row, double t,
             gboolean before)
{
  const SsappTextStyle bold = {.size = style->font_size,
                               .bold = TRUE,
                               .color = ssapp_style_color (style, SSAPP_COLOR_FOREGROUND),
                               .anchor_x = 1};

  for (guint i = 0; i < row->entries->len; i++) {
    const double value = ssapp_curve_at (&ssapp_stack_entry_at (row, i)->curve, t, before);
    g_autofree char *text = isfinite (value) ? ssapp_format_number (value, DIGITS) : g_strdup ("–");
    ssapp_text_draw (cr, style, &bold, names_end (stack, style), entry_y (row, style, i), text);
  }
}

/* Above a plot without names, right of its title, where there is room: now, and paler before the edit. */
static void
draw_values_above (cairo_t *cr, const SsappStyle *style, const SsappChannelStack *stack, const SsappStackRow *row,
                   double t, gboolean before)
{
  const double gap = style->font_size;
  double right = stack->layout.axis_right, title, width;

  if (count_now (row) != 1)
    return;
  ssapp_text_measure (style, style->font_size, TRUE, row->titled, &title, NULL);
  for (guint i = row->entries->len; i-- > 0;) {
    const SsappStackEntry *entry = ssapp_stack_entry_at (row, i);
    const double value = ssapp_curve_at (&entry->curve, t, before);
    const SsappTextStyle text = {
        .size = style->font_size,
        .bold = !entry->is_before,
        .color = ssapp_style_color (style, entry->is_before ? SSAPP_COLOR_DIM : SSAPP_COLOR_FOREGROUND),
        .anchor_x = 1};
    g_autofree char *told = isfinite (value) ? ssapp_format_number (value, DIGITS) : g_strdup ("–");
    ssapp_text_measure (style, style->font_size, text.bold, told, &width, NULL);
    if (right - width < row->frame.area.x + title + gap)
      return;
    ssapp_text_draw (cr, style, &text, right, row->y + TOP * style->scale, told);
    right -= width + gap;
  }
}

static void
draw_rings (cairo_t *cr, const SsappStyle *style, const SsappStackRow *row, const SsappMethodStyle *looks, double x,
            double t, gboolean before)
{
  for (guint i = 0; i < row->entries->len; i++) {
    const double value = ssapp_curve_at (&ssapp_stack_entry_at (row, i)->curve, t, before);
    const double share = ssapp_axis_fraction (&row->frame.y_axis, value);
    if (share >= -1e-9 && share <= 1 + 1e-9) /* NaN: of no place on the axis */
      ssapp_draw_marker (cr, SSAPP_MARKER_CIRCLE, x, row->frame.area.y + row->frame.area.height * (1 - share),
                         RING * style->scale, ssapp_style_line (style, SSAPP_PLOT_MARKER_LINE_PX), looks[i].color,
                         FALSE, ssapp_style_color (style, SSAPP_COLOR_CARD));
  }
}

/* Part 0: the line with its time, and a ring on every curve. */
static void
draw_cursor_line (cairo_t *cr, const SsappStyle *style, const SsappChannelStack *stack, double t, gboolean before,
                  const char *told)
{
  const SsappChannelLayout *layout = &stack->layout;
  const SsappStackRow *last = ssapp_stack_row_at (stack, (int)stack->rows->len - 1);
  const double share = (t - layout->t_min) / (layout->t_max - layout->t_min);
  const double x = layout->axis_left + share * (layout->axis_right - layout->axis_left);

  if (last == NULL || !(share >= -1e-9 && share <= 1 + 1e-9))
    return;
  cairo_new_path (cr);
  ssapp_plot_line (cr, x, 0, x, last->frame.area.y + last->frame.area.height);
  ssapp_set_color (cr, ssapp_style_color (style, SSAPP_COLOR_FOREGROUND));
  cairo_set_dash (cr, NULL, 0, 0);
  cairo_set_line_width (cr, ssapp_style_line (style, 1.2));
  cairo_stroke (cr);
  for (guint r = 0; r < stack->rows->len; r++) {
    const SsappStackRow *row = ssapp_stack_row_at (stack, (int)r);
    g_autofree SsappMethodStyle *looks = ssapp_plot_series_styles (style, row->series, (int)row->entries->len);
    draw_rings (cr, style, row, looks, x, t, before);
  }
  if (told != NULL) {
    double width;
    ssapp_text_measure (style, style->font_size, TRUE, told, &width, NULL);
    const gboolean is_right = x + width + 2 * MARGIN * style->scale <= layout->axis_right;
    const SsappTextStyle text = {.size = style->font_size,
                                 .bold = TRUE,
                                 .color = ssapp_style_color (style, SSAPP_COLOR_ACCENT_TEXT),
                                 .anchor_x = is_right ? 0 : 1,
                                 .halo = TRUE};
    ssapp_text_draw (cr, style, &text, x + (is_right ? 5 : -5) * style->scale, 0, told);
  }
}

gboolean
ssapp_channel_stack_cursor_area (const SsappChannelStack *stack, const SsappStyle *style, int part, double t,
                                 gboolean is_told, double area[4])
{
  g_return_val_if_fail (stack != NULL && style != NULL && part >= 0 && area != NULL, FALSE);

  const SsappChannelLayout *layout = &stack->layout;
  const double share = CLAMP ((t - layout->t_min) / (layout->t_max - layout->t_min), 0, 1);
  const double x = layout->axis_left + share * (layout->axis_right - layout->axis_left);
  const double reach = ceil (2 * RING * style->scale);

  if (part > (int)stack->rows->len || stack->rows->len == 0)
    return FALSE;
  if (part == 0) {
    area[0] = is_told ? 0 : floor (x - reach);
    area[1] = 0;
    area[2] = is_told ? layout->width : 2 * reach + 1;
    area[3] = layout->height;
    return TRUE;
  }
  const SsappStackRow *row = ssapp_stack_row_at (stack, part - 1);
  const gboolean is_beside = has_names (stack, style);
  area[0] = is_beside ? 0 : floor (layout->axis_left);
  area[1] = floor (row->y);
  area[2] = ceil (is_beside ? layout->axis_left : layout->width) - area[0];
  area[3] = ceil (row->y + (is_beside ? row->height : TOP * style->scale + 1.5 * LINE * style->font_size)) - area[1];
  return TRUE;
}

void
ssapp_channel_stack_draw_cursor (cairo_t *cr, const SsappStyle *style, const SsappChannelStack *stack, int part,
                                 double t, gboolean before, const char *told)
{
  g_return_if_fail (style != NULL && stack != NULL && part >= 0);

  const SsappStackRow *row = part > 0 ? ssapp_stack_row_at (stack, part - 1) : NULL;
  if (part == 0)
    draw_cursor_line (cr, style, stack, t, before, told);
  else if (row != NULL && has_names (stack, style))
    draw_values (cr, style, stack, row, t, before);
  else if (row != NULL)
    draw_values_above (cr, style, stack, row, t, before);
}

char *
ssapp_channel_stack_describe (const SsappChannelStack *stack, double t, gboolean before)
{
  g_return_val_if_fail (stack != NULL, NULL);
  GString *text = g_string_new (NULL);

  g_string_append_printf (text, "%.4f s", t);
  for (guint r = 0; r < stack->rows->len; r++) {
    const SsappStackRow *row = ssapp_stack_row_at (stack, (int)r);
    g_string_append_printf (text, "%s %s%s%s%s:", r == 0 ? ":" : ";", row->title, *row->about != '\0' ? " (" : "",
                            row->about, *row->about != '\0' ? ")" : "");
    for (guint i = 0; i < row->entries->len; i++) {
      const double value = ssapp_curve_at (&ssapp_stack_entry_at (row, i)->curve, t, before);
      g_autofree char *number = isfinite (value) ? ssapp_format_number (value, DIGITS) : g_strdup ("no value");
      const double half = fabs (ssapp_curve_at (&ssapp_stack_entry_at (row, i)->half, t, before));
      g_autofree char *band = isfinite (half) ? ssapp_format_number (half, DIGITS) : NULL;
      g_string_append_printf (text, "%s %s %s", i > 0 ? "," : "", ssapp_stack_entry_at (row, i)->label, number);
      if (band != NULL)
        g_string_append_printf (text, " ± %s", band);
    }
    if (row->entries->len == 0)
      g_string_append (text, " no run has it");
  }
  return g_string_free (text, FALSE);
}
