/* app/draw/ssapp-channel-span.c: see the header. */
#include "app/draw/ssapp-channel-span.h"

#include "app/draw/ssapp-draw-parts.h"

#include <math.h>

static void
clear (gpointer data)
{
  g_free (((SsappChannelSpan *)data)->label);
}

GArray *
ssapp_channel_spans (const SsappChannelPlots *plots, const SsappChannelRun *runs, int n_runs, double from, double to)
{
  g_return_val_if_fail (plots != NULL && (runs != NULL || n_runs == 0), NULL);
  GArray *spans = g_array_new (FALSE, TRUE, sizeof (SsappChannelSpan));

  g_array_set_clear_func (spans, clear);
  for (guint p = 0; p < plots->plots->len; p++) {
    const SsappChannelPlot *plot = ssapp_channel_plots_at (plots, (int)p);
    for (guint c = 0; c < plot->names->len; c++)
      for (int r = 0; r < n_runs; r++) {
        const char *name = g_ptr_array_index (plot->names, c);
        const int channel = runs[r].motion != NULL ? ss_trajectory_channel (runs[r].motion, name) : -1;
        SsappChannelSpan one = {.method = runs[r].method, .motion = runs[r].motion, .channel = channel};
        if (channel < 1 || ss_span_of (one.motion, channel, from, to, &one.span, NULL) != SS_OK)
          continue;
        one.label = n_runs > 1 ? g_strdup_printf ("%s, %s", name, runs[r].label) : g_strdup (name);
        one.unit = one.motion->channels[channel].unit;
        g_array_append_val (spans, one);
      }
  }
  return spans;
}

SsappTable *
ssapp_channel_spans_table (const GArray *spans)
{
  g_return_val_if_fail (spans != NULL, NULL);
  SsappTable *table = ssapp_span_table_new ();

  for (guint i = 0; i < spans->len; i++) {
    const SsappChannelSpan *one = &g_array_index (spans, SsappChannelSpan, i);
    ssapp_span_table_add (table, one->label, one->unit, &one->span);
  }
  return table;
}

int
ssapp_channel_span_spectrum (const SsappChannelSpan *one, double *frequencies, double *amplitudes)
{
  int n = 0;

  g_return_val_if_fail (one != NULL, 0);
  return ss_span_spectrum (one->motion, one->channel, one->span.from, one->span.to, frequencies, amplitudes, &n,
                           NULL) == SS_OK
             ? n
             : 0;
}

void
ssapp_draw_between (cairo_t *cr, const SsappStyle *style, const SsappChannelLayout *layout, const double times[2])
{
  g_return_if_fail (style != NULL && layout != NULL && times != NULL);
  static const char *const letters[] = {"A", "B"};
  double x[2];

  cairo_save (cr);
  cairo_set_dash (cr, NULL, 0, 0);
  for (int i = 0; i < 2; i++)
    x[i] = layout->axis_left + CLAMP ((times[i] - layout->t_min) / (layout->t_max - layout->t_min), 0, 1) *
                                   (layout->axis_right - layout->axis_left);
  if (isfinite (times[0]) && isfinite (times[1])) {
    cairo_rectangle (cr, x[0], 0, x[1] - x[0], layout->height);
    ssapp_set_color (cr, ssapp_color_with_alpha (ssapp_style_color (style, SSAPP_COLOR_ACCENT), 0.08));
    cairo_fill (cr);
  }
  for (int i = 0; i < 2; i++) {
    const SsappTextStyle text = {.size = style->font_size,
                                 .bold = TRUE,
                                 .color = ssapp_style_color (style, SSAPP_COLOR_ACCENT_TEXT),
                                 .anchor_x = i == 0 ? 1 : 0,
                                 .halo = TRUE};
    if (!isfinite (times[i]) || times[i] < layout->t_min || times[i] > layout->t_max)
      continue;
    cairo_new_path (cr);
    cairo_move_to (cr, x[i], 0);
    cairo_line_to (cr, x[i], layout->height);
    ssapp_set_color (cr, ssapp_style_color (style, SSAPP_COLOR_ACCENT));
    cairo_set_line_width (cr, ssapp_style_line (style, 1.4));
    cairo_stroke (cr);
    ssapp_text_draw (cr, style, &text, x[i] + (i == 0 ? -4 : 4) * style->scale, 2 * style->scale, letters[i]);
  }
  cairo_restore (cr);
}
