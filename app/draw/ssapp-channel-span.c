/* app/draw/ssapp-channel-span.c: see the header. */
#include "app/draw/ssapp-channel-span.h"

#include "app/draw/ssapp-draw-parts.h"
#include "core/ss-stage-rows.h"

#include <math.h>

static void
clear (gpointer data)
{
  g_free (((SsappChannelSpan *)data)->label);
  ss_trajectory_free (((SsappChannelSpan *)data)->motion);
}

/* What is asked for, while curves come. */
typedef struct {
  GArray *spans;
  GPtrArray *channels; /* of SsappChannel */
  const SsappChannelRun *runs;
  int n_runs;
  double from, to;
} Asked;

/* The curve, which may be a sum or a difference of what runs have, as a motion of one channel. */
static void
add_curve (int plot, const char *channel, int run, const SsappCurve *curve, const SsappCurve *half, gpointer data)
{
  const Asked *asked = data;
  const SsChannel columns[] = {ss_channel_of_time (), ss_channel_named (channel)};
  const SsappChannel *about = ssapp_channels_find (asked->channels, channel);
  SsappChannelSpan one = {.method = asked->runs[run].method};
  SsStatus status = ss_trajectory_new (columns, 2, curve->n, &one.motion, NULL);

  (void)plot;
  (void)half;
  for (int k = 0; k < curve->n && status == SS_OK; k++) {
    const double row[] = {curve->t[k], curve->y[k]};
    status = ss_trajectory_append (one.motion, row, NULL);
  }
  if (status == SS_OK)
    status = ss_span_of (one.motion, 1, asked->from, asked->to, &one.span, NULL);
  if (status != SS_OK) {
    ss_trajectory_free (one.motion);
    return;
  }
  one.label = asked->n_runs > 1 ? g_strdup_printf ("%s, %s", channel, asked->runs[run].label) : g_strdup (channel);
  one.unit = g_intern_string (about != NULL ? about->unit : "");
  g_array_append_val (asked->spans, one);
}

/* The run with rows of steps alone, as ss_span_of takes them. */
static SsTrajectory *
take_steps (SsappChannelRun *run)
{
  SsTrajectory *steps = NULL;

  if (run->motion != NULL && ss_stage_rows_has (run->motion) &&
      ss_stage_rows_leave_out (run->motion, &steps, NULL) == SS_OK)
    run->motion = steps;
  return steps;
}

GArray *
ssapp_channel_spans (const SsappChannelPlots *plots, const SsappChannelRun *runs, int n_runs, double from, double to)
{
  g_return_val_if_fail (plots != NULL && (runs != NULL || n_runs == 0), NULL);
  g_autoptr (GPtrArray) channels = ssapp_channels_list (runs, n_runs);
  g_autofree SsappChannelRun *of_steps = g_new (SsappChannelRun, n_runs + 1);
  g_autoptr (GPtrArray) taken = g_ptr_array_new_with_free_func ((GDestroyNotify)ss_trajectory_free);
  Asked asked = {g_array_new (FALSE, TRUE, sizeof (SsappChannelSpan)), channels, runs, n_runs, from, to};

  for (int r = 0; r < n_runs; r++) {
    of_steps[r] = runs[r];
    g_ptr_array_add (taken, take_steps (&of_steps[r]));
  }
  SsappChannelStack *stack = ssapp_channel_stack_new (plots, of_steps, n_runs, 0);

  g_array_set_clear_func (asked.spans, clear);
  ssapp_channel_stack_for_each (stack, add_curve, &asked);
  ssapp_channel_stack_free (stack);
  return asked.spans;
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
  return ss_span_spectrum (one->motion, 1, one->span.from, one->span.to, frequencies, amplitudes, &n, NULL) == SS_OK
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
