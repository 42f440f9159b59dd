/* app/draw/ssapp-clock.c: see the header. */
#include "app/draw/ssapp-clock.h"

#include "app/draw/ssapp-frozen.h"
#include "app/draw/ssapp-plot-parts.h"

#include <math.h>

static SsQuantity
clock_of (const SsTrajectory *trajectory)
{
  const SsQuantity first = trajectory != NULL ? trajectory->channels[0].quantity : SS_QUANTITY_TIME;

  return ss_quantity_is_second_clock (first) ? first : SS_QUANTITY_TIME;
}

const char *
ssapp_clock_name (SsQuantity clock)
{
  switch (clock) {
  case SS_QUANTITY_NUMERICAL_TIME:
    return "Numerical Time";
  case SS_QUANTITY_IMPULSE_TIME:
    return "Impulse Time";
  default:
    return "Time";
  }
}

const char *
ssapp_clock_axis (const SsTrajectory *trajectory)
{
  switch (clock_of (trajectory)) {
  case SS_QUANTITY_NUMERICAL_TIME:
    return "Numerical time τ [s]";
  case SS_QUANTITY_IMPULSE_TIME:
    return "Impulse time s [s]";
  default:
    return "Time [s]";
  }
}

const char *
ssapp_clock_letter (const SsTrajectory *trajectory)
{
  const SsQuantity clock = clock_of (trajectory);

  return clock == SS_QUANTITY_TIME ? "t" : ss_quantity_name (clock);
}

SsTrajectory *
ssapp_told_by_second_clock (const SsTrajectory *motion)
{
  const int clock = motion != NULL && motion->n_rows > 0 ? ss_trajectory_second_clock (motion) : -1;
  SsTrajectory *told = NULL;

  if (clock < 0 || ss_trajectory_by_clock (motion, clock, &told, NULL) != SS_OK)
    return NULL;
  return told;
}

double
ssapp_second_clock_at (const SsTrajectory *motion, double t)
{
  g_return_val_if_fail (motion != NULL, (double)NAN);
  const int clock = motion->n_rows > 0 ? ss_trajectory_second_clock (motion) : -1;
  int row = 0;

  if (clock < 0)
    return NAN;
  while (row + 1 < motion->n_rows && ss_trajectory_row (motion, row)[0] < t)
    row++;
  return ss_trajectory_row (motion, row)[0] == t ? ss_trajectory_row (motion, row)[clock]
                                                 : ss_trajectory_convert (motion, 0, clock, t);
}

static gint
compare_times (gconstpointer a, gconstpointer b)
{
  const double x = ((const SsappRunEvent *)a)->t, y = ((const SsappRunEvent *)b)->t;

  return (x > y) - (x < y);
}

GArray *
ssapp_events_by_second_clock (GArray *events, const SsTrajectory *motion)
{
  g_return_val_if_fail (events != NULL, NULL);

  GArray *told = ssapp_run_events_from_json (NULL);
  const int clock = motion != NULL && motion->n_rows > 0 ? ss_trajectory_second_clock (motion) : -1;

  for (guint i = 0; i < events->len; i++) {
    SsappRunEvent event = g_array_index (events, SsappRunEvent, i);
    event.contact = g_strdup (event.contact);
    event.joint = g_strdup (event.joint);
    event.limit = g_strdup (event.limit);
    if (isfinite (event.tau))
      event.t = event.tau;
    else if (clock >= 0)
      event.t = ss_trajectory_convert (motion, 0, clock, event.t);
    g_array_append_val (told, event);
  }
  g_array_sort (told, compare_times);
  return told;
}

/* ---- the other clock --------------------------------------------------------------------------------------------- */

/* Of the font size: room between labels, length of ticks; and of the ticks without label. */
static const double label_room = 0.8, tick_length = 0.4, minor_length = 0.22;
enum { MOST_LABELS = 5 };

/* Channel of the clock that does not tell the motion; -1: there is none. */
static int
other_clock (const SsTrajectory *motion)
{
  if (motion == NULL || motion->n_rows < 2)
    return -1;
  if (clock_of (motion) == SS_QUANTITY_TIME)
    return ss_trajectory_second_clock (motion);
  for (int c = 1; c < motion->n_channels; c++)
    if (motion->channels[c].quantity == SS_QUANTITY_TIME)
      return c;
  return -1;
}

static void
draw_line (cairo_t *cr, const SsappStyle *style, const GArray *frozen, double duration, double x, double y,
           double width)
{
  const double dots[2] = {style->scale, 2.5 * style->scale};
  double from = 0;

  cairo_new_path (cr);
  for (guint i = 0; i <= frozen->len; i++) {
    const SsappPlotSpan end = {duration, duration};
    const SsappPlotSpan *span = i < frozen->len ? &g_array_index (frozen, SsappPlotSpan, i) : &end;
    cairo_move_to (cr, x + width * from / duration, y);
    cairo_line_to (cr, x + width * MIN (span->begin, duration) / duration, y);
    from = MIN (span->end, duration);
  }
  cairo_stroke (cr);
  cairo_set_dash (cr, dots, 2, 0);
  for (guint i = 0; i < frozen->len; i++) {
    const SsappPlotSpan *span = &g_array_index (frozen, SsappPlotSpan, i);
    cairo_move_to (cr, x + width * MIN (span->begin, duration) / duration, y);
    cairo_line_to (cr, x + width * MIN (span->end, duration) / duration, y);
  }
  cairo_stroke (cr);
  cairo_set_dash (cr, NULL, 0, 0);
}

void
ssapp_clock_other_draw (cairo_t *cr, const SsappStyle *style, const SsTrajectory *motion, double duration, double x,
                        double y, double width, double height)
{
  g_return_if_fail (style != NULL && motion != NULL);

  const int other = other_clock (motion);
  const double font = MIN (style->font_size, 0.6 * height), line = y + 0.5 * style->scale;
  const SsappTextStyle text = {.size = font, .color = ssapp_style_color (style, SSAPP_COLOR_DIM), .anchor_x = 0.5};
  double free_from = -INFINITY;
  SsappAxis axis;

  if (other < 0 || !(duration > 0))
    return;
  const double last = ss_trajectory_row (motion, motion->n_rows - 1)[other];
  g_autoptr (GArray) frozen = ssapp_frozen_spans (motion);
  cairo_save (cr);
  ssapp_set_color (cr, text.color);
  cairo_set_line_width (cr, style->scale);
  draw_line (cr, style, frozen, duration, x, line, width);
  ssapp_axis_init_linear (&axis, 0, last > 0 ? last : 1, TRUE, TRUE, 0, MOST_LABELS);
  for (int i = 0; i < axis.n_ticks; i++) {
    g_autofree char *label = ssapp_axis_label (&axis, i);
    const double at = x + width * CLAMP (ss_trajectory_convert (motion, other, 0, axis.ticks[i]) / duration, 0, 1);
    double half;

    ssapp_set_color (cr, text.color);
    cairo_new_path (cr);
    cairo_move_to (cr, at, line);
    cairo_rel_line_to (cr, 0, tick_length * font);
    for (int k = 1; k < 5 && i + 1 < axis.n_ticks; k++) { /* what lies between, so that its pace is seen */
      const double value = axis.ticks[i] + k * (axis.ticks[i + 1] - axis.ticks[i]) / 5;
      cairo_move_to (cr, x + width * CLAMP (ss_trajectory_convert (motion, other, 0, value) / duration, 0, 1), line);
      cairo_rel_line_to (cr, 0, minor_length * font);
    }
    cairo_stroke (cr);
    ssapp_text_measure (style, font, FALSE, label, &half, NULL);
    half /= 2;
    if (at - half < free_from)
      continue;
    ssapp_text_draw (cr, style, &text, at, line + tick_length * font, label);
    free_from = at + half + label_room * font;
  }
  cairo_restore (cr);
}
