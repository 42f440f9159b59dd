/* app/draw/ssapp-impact-draw.c: see the header. */
#include "app/draw/ssapp-impact-draw.h"

#include "app/draw/ssapp-plot-parts.h"

#include <math.h>

/* ---- shared ------------------------------------------------------------------------------------------------------ */

static void
stroke (cairo_t *cr, const SsappStyle *style, SsappColor color, double px, double on, double off)
{
  const double dash[2] = {on * style->scale, off * style->scale};
  ssapp_set_color (cr, color);
  cairo_set_dash (cr, dash, on > 0 ? 2 : 0, 0);
  cairo_set_line_width (cr, ssapp_style_line (style, px));
  cairo_stroke (cr);
  cairo_set_dash (cr, NULL, 0, 0);
}

static void
write_text (cairo_t *cr, const SsappStyle *style, SsappColor color, gboolean bold, double anchor_x, double anchor_y,
            double x, double y, const char *words)
{
  const SsappTextStyle text = {
      .size = style->font_size, .bold = bold, .color = color, .anchor_x = anchor_x, .anchor_y = anchor_y};
  ssapp_text_draw (cr, style, &text, x, y, words);
}

static SsappPlotSpec
free_axes (void)
{
  return (SsappPlotSpec){SSAPP_PLOT_FREE};
}

/* ---- impulses step by step --------------------------------------------------------------------------------------- */

/* Multiples of the font size. */
static const double SEQUENCE_LEFT = 3.6, SEQUENCE_RIGHT = 3.8, SEQUENCE_TOP = 1.5, SEQUENCE_BOTTOM = 2.9;
static const double ARROW_ROOM = 0.12; /* of the axis, above the largest bar */
static const double BAR_SHARE = 0.62;  /* of the room that a step's bars have */
static const double LARGEST_BAR = 3.4; /* font sizes */
static const double BAR_OPACITY = 0.26;

static SsappRect
sequence_area (const SsappStyle *style, double x, double y, double width, double height)
{
  const double font = style->font_size;
  return (SsappRect){x + SEQUENCE_LEFT * font, y + SEQUENCE_TOP * font,
                     MAX (width - (SEQUENCE_LEFT + SEQUENCE_RIGHT) * font, 1.),
                     MAX (height - (SEQUENCE_TOP + SEQUENCE_BOTTOM) * font, 1.)};
}

int
ssapp_impulse_sequence_step_at (const SsappStyle *style, const SsappImpulseSequence *sequence, double width,
                                double height, double device_x)
{
  g_return_val_if_fail (sequence != NULL, -1);

  const SsappRect area = sequence_area (style, 0, 0, width, height);
  const double at = (device_x - area.x) / area.width * sequence->n_steps;
  return at >= 0. && at < sequence->n_steps ? (int)at : -1;
}

static double
largest_impulse (const SsappImpulseSequence *sequence)
{
  double largest = 0.;
  for (int k = 0; k < sequence->n_steps * sequence->n_contacts; k++)
    largest = MAX (largest, sequence->normal[k]);
  return largest;
}

static void
draw_sequence_axes (cairo_t *cr, const SsappStyle *style, const SsappImpulseSequence *sequence, const SsappRect *area,
                    const SsappAxis *axis)
{
  const SsappColor dim = ssapp_style_color (style, SSAPP_COLOR_DIM);
  const SsappColor foreground = ssapp_style_color (style, SSAPP_COLOR_FOREGROUND);
  const double font = style->font_size, right = area->x + area->width, bottom = area->y + area->height;
  static const char *const shares[] = {"0 %", "50 %", "100 %"};

  if (sequence->current >= 0 && sequence->current < sequence->n_steps) {
    const double each = area->width / sequence->n_steps;
    cairo_new_path (cr);
    cairo_rectangle (cr, area->x + sequence->current * each, area->y, each, area->height + 2.6 * font);
    ssapp_set_color (cr, ssapp_color_with_alpha (ssapp_style_color (style, SSAPP_COLOR_ACCENT), 0.16));
    cairo_fill (cr);
  }
  cairo_new_path (cr);
  for (int k = 0; k < axis->n_ticks; k++) {
    const double at = floor (bottom - area->height * ssapp_axis_fraction (axis, axis->ticks[k])) + 0.5;
    cairo_move_to (cr, area->x, at);
    cairo_line_to (cr, right, at);
  }
  stroke (cr, style, ssapp_style_color (style, SSAPP_COLOR_PLOT_GRID), style->is_high_contrast ? 0. : 1., 0, 0);
  cairo_new_path (cr);
  cairo_move_to (cr, floor (area->x) + 0.5, area->y);
  cairo_line_to (cr, floor (area->x) + 0.5, floor (bottom) + 0.5);
  cairo_line_to (cr, right, floor (bottom) + 0.5);
  stroke (cr, style, dim, 1.2, 0, 0);
  for (int k = 0; k < axis->n_ticks; k++) {
    g_autofree char *label = ssapp_axis_label (axis, k);
    write_text (cr, style, dim, FALSE, 1., 0.5, area->x - 0.5 * font,
                bottom - area->height * ssapp_axis_fraction (axis, axis->ticks[k]), label);
  }
  for (int k = 0; k < 3; k++)
    write_text (cr, style, dim, FALSE, 0., 0.5, right + 0.5 * font, bottom - 0.5 * k * area->height, shares[k]);
  g_autofree char *title = g_strconcat (sequence->letter != NULL ? sequence->letter : "",
                                        sequence->letter != NULL ? " " : "", "Normal impulse [N s]", NULL);
  write_text (cr, style, foreground, TRUE, 0., 1., area->x - 2.2 * font, area->y - 0.25 * font, title);
  write_text (cr, style, foreground, TRUE, 1., 1., right + SEQUENCE_RIGHT * font, area->y - 0.25 * font,
              "Kinetic energy");
}

/* Bars of one step; a contact without an impulse keeps its place as a thick line. */
static void
draw_step (cairo_t *cr, const SsappStyle *style, const SsappImpulseSequence *sequence, const SsappRect *area,
           const SsappAxis *axis, int step)
{
  const double font = style->font_size, each = area->width / sequence->n_steps, bottom = area->y + area->height;
  const double slot = MIN (BAR_SHARE * each / sequence->n_contacts, LARGEST_BAR * font), bar = 0.84 * slot;
  const double left = area->x + (step + 0.5) * each - 0.5 * slot * sequence->n_contacts;
  const gboolean has_names = slot > 0.9 * font;

  for (int c = 0; c < sequence->n_contacts; c++) {
    const int at = step * sequence->n_contacts + c;
    const SsappColor color = ssapp_contact_color (style, c);
    const double normal = sequence->normal[at], friction = sequence->tangential[at];
    const double middle = left + (c + 0.5) * slot, top = bottom - area->height * ssapp_axis_fraction (axis, normal);
    cairo_new_path (cr);
    cairo_rectangle (cr, middle - 0.5 * bar, top, bar, bottom - top);
    ssapp_set_color (cr, ssapp_color_with_alpha (color, style->is_high_contrast ? 0. : BAR_OPACITY));
    cairo_fill_preserve (cr);
    stroke (cr, style, color, 1.6, 0, 0);
    if (fabs (friction) > 1e-3 * fabs (normal) && friction != 0.) {
      const double s = friction > 0. ? 0.5 : -0.5, reach = MIN (bar, 1.8 * font), y = top - 0.7 * font;
      ssapp_draw_arrow (cr, middle - s * reach, y, middle + s * reach, y, ssapp_style_line (style, 1.6),
                        5. * style->scale, color);
    }
    if (has_names)
      write_text (cr, style, color, TRUE, 0.5, 0., middle, bottom + 0.15 * font, sequence->contacts[c]);
  }
  if (each > 3.4 * font || step % (int)ceil (3.4 * font / each) == 0) {
    g_autofree char *words = g_strdup_printf ("step %d", step + 1);
    write_text (cr, style, ssapp_style_color (style, SSAPP_COLOR_DIM), step == sequence->current, 0.5, 0.,
                area->x + (step + 0.5) * each, bottom + 1.45 * font, words);
  }
}

static void
draw_energy_line (cairo_t *cr, const SsappStyle *style, const SsappImpulseSequence *sequence, const SsappRect *area)
{
  const SsappColor color = ssapp_style_color (style, SSAPP_COLOR_FOREGROUND);
  const double each = area->width / MAX (sequence->n_steps, 1), bottom = area->y + area->height;

  cairo_new_path (cr);
  for (int k = 0; k <= sequence->n_steps; k++)
    cairo_line_to (cr, area->x + k * each, bottom - area->height * CLAMP (sequence->energy[k], 0., 1.));
  stroke (cr, style, color, 1.6, 5, 3);
  for (int k = 0; k <= sequence->n_steps; k++)
    ssapp_draw_marker (cr, SSAPP_MARKER_CIRCLE, area->x + k * each,
                       bottom - area->height * CLAMP (sequence->energy[k], 0., 1.), 3.2 * style->scale,
                       ssapp_style_line (style, 1.4), color, FALSE, ssapp_style_color (style, SSAPP_COLOR_CARD));
}

void
ssapp_impulse_sequence_draw (cairo_t *cr, const SsappStyle *style, const SsappImpulseSequence *sequence, double x,
                             double y, double width, double height)
{
  g_return_if_fail (style != NULL && sequence != NULL);

  const SsappRect area = sequence_area (style, x, y, width, height);
  const double largest = largest_impulse (sequence);
  SsappAxis axis;

  if (!(width > 0.) || !(height > 0.))
    return;
  cairo_save (cr);
  ssapp_axis_init_linear (&axis, 0., largest > 0. ? largest * (1. + ARROW_ROOM) : 1., TRUE, FALSE, 0.3,
                          (int)CLAMP (area.height / (2.2 * style->font_size), 2, SSAPP_AXIS_MAX_LABELS));
  draw_sequence_axes (cr, style, sequence, &area, &axis);
  for (int k = 0; k < sequence->n_steps; k++)
    draw_step (cr, style, sequence, &area, &axis, k);
  if (sequence->n_steps > 0)
    draw_energy_line (cr, style, sequence, &area);
  else
    write_text (cr, style, ssapp_style_color (style, SSAPP_COLOR_DIM), FALSE, 0.5, 0.5, area.x + area.width / 2,
                area.y + area.height / 2, "Choose an outcome in a plane or in the table");
  cairo_restore (cr);
}

/* ---- kinetic energy ---------------------------------------------------------------------------------------------- */

static const double LOSS_HEIGHT = 2.9; /* font sizes: bar and words below */

static gboolean
has_losses (const SsappEnergyPlot *plot)
{
  return plot->normal_loss != NULL && plot->friction_loss != NULL && plot->n_contacts > 0;
}

static SsappPlotSpec
energy_axes (const SsappEnergyPlot *plot)
{
  SsappPlotSpec axes = free_axes ();
  axes.title = "";
  axes.letter = plot->letter;
  axes.x_label = "Kinetic energy kept [%]";
  axes.y_label = "Samples";
  axes.y_log = TRUE;
  axes.x_min = 0.;
  axes.x_max = 100. * (plot->largest > 0. ? plot->largest : 1.);
  axes.y_min = 0.5;
  return axes;
}

static void
energy_layout (const SsappStyle *style, const SsappEnergyPlot *plot, double x, double y, double width, double height,
               SsappPlotFrame *frame)
{
  const SsappPlotSpec axes = energy_axes (plot);
  double box[4] = {axes.x_min, axes.x_max, 1., 10.};

  for (int k = 0; k < plot->n_bins; k++)
    box[3] = MAX (box[3], (double)plot->counts[k]);
  ssapp_plot_frame_layout (style, &axes, box, x, y, width,
                           height - (has_losses (plot) ? LOSS_HEIGHT * style->font_size : 0.), frame);
}

double
ssapp_energy_plot_value_at (const SsappStyle *style, const SsappEnergyPlot *plot, double width, double height,
                            double device_x)
{
  SsappPlotFrame frame;
  energy_layout (style, plot, 0, 0, width, height, &frame);
  return 0.01 * ssapp_axis_value (&frame.x_axis, CLAMP ((device_x - frame.area.x) / frame.area.width, 0., 1.));
}

static void
draw_bins (cairo_t *cr, const SsappStyle *style, const SsappEnergyPlot *plot, const SsappPlotFrame *frame,
           const gint64 *counts, SsappColor color)
{
  const double each = frame->area.width / plot->n_bins, bottom = frame->area.y + frame->area.height;

  cairo_new_path (cr);
  for (int k = 0; k < plot->n_bins; k++)
    if (counts[k] > 0) {
      const double h = frame->area.height * CLAMP (ssapp_axis_fraction (&frame->y_axis, (double)counts[k]), 0., 1.);
      cairo_rectangle (cr, frame->area.x + k * each, bottom - h, MAX (each - style->scale, 0.5 * each), h);
    }
  ssapp_set_color (cr, color);
  cairo_fill (cr);
}

/* Normal parts plain, friction hatched; contacts in their colours, with their names where there is room. */
static void
draw_losses (cairo_t *cr, const SsappStyle *style, const SsappEnergyPlot *plot, const SsappPlotFrame *frame, double y)
{
  const double font = style->font_size, h = 1.1 * font, right = frame->area.x + frame->area.width;
  double at = frame->area.x;

  for (int part = 0; part < 2 * plot->n_contacts; part++) {
    const int contact = part / 2;
    const gboolean is_friction = part % 2 == 1;
    const double share = MAX (is_friction ? plot->friction_loss[contact] : plot->normal_loss[contact], 0.);
    const double w = MIN (share * frame->area.width, right - at);
    const SsappColor color = ssapp_contact_color (style, contact);
    if (!(w > 0.))
      continue;
    cairo_save (cr);
    cairo_new_path (cr);
    cairo_rectangle (cr, at, y, w, h);
    ssapp_set_color (cr, ssapp_color_with_alpha (color, is_friction ? 0.15 : 0.45));
    cairo_fill_preserve (cr);
    if (is_friction) {
      cairo_save (cr);
      cairo_clip_preserve (cr);
      cairo_new_path (cr);
      for (double s = at - h; s < at + w; s += 5. * style->scale) {
        cairo_move_to (cr, s, y + h);
        cairo_line_to (cr, s + h, y);
      }
      stroke (cr, style, color, 1., 0, 0);
      cairo_restore (cr);
      cairo_rectangle (cr, at, y, w, h);
    }
    stroke (cr, style, color, 1.2, 0, 0);
    cairo_restore (cr);
    g_autofree char *words =
        g_strdup_printf ("%s %s %.0f %%", plot->contacts[contact], is_friction ? "friction" : "normal", 100. * share);
    double text_width;
    ssapp_text_measure (style, font, FALSE, words, &text_width, NULL);
    if (text_width < w)
      write_text (cr, style, ssapp_style_color (style, SSAPP_COLOR_DIM), FALSE, 0.5, 0., at + w / 2, y + h + 0.1 * font,
                  words);
    at += w;
  }
}

void
ssapp_energy_plot_draw (cairo_t *cr, const SsappStyle *style, const SsappEnergyPlot *plot, double x, double y,
                        double width, double height)
{
  g_return_if_fail (style != NULL && plot != NULL);

  const SsappColor accent = ssapp_style_color (style, SSAPP_COLOR_ACCENT);
  const SsappColor foreground = ssapp_style_color (style, SSAPP_COLOR_FOREGROUND);
  SsappPlotSpec axes = energy_axes (plot);
  SsappPlotFrame frame;

  if (!(width > 0.) || !(height > 0.))
    return;
  cairo_save (cr);
  energy_layout (style, plot, x, y, width, height, &frame);
  ssapp_plot_frame_draw (cr, style, &axes, &frame);
  draw_bins (cr, style, plot, &frame, plot->counts,
             plot->brushed != NULL ? ssapp_color_with_alpha (foreground, 0.2) : ssapp_color_with_alpha (accent, 0.75));
  if (plot->brushed != NULL)
    draw_bins (cr, style, plot, &frame, plot->brushed, accent);
  if (plot->brush[1] > plot->brush[0]) {
    const double left = ssapp_axis_fraction (&frame.x_axis, 100. * plot->brush[0]);
    const double right = ssapp_axis_fraction (&frame.x_axis, 100. * plot->brush[1]);
    const double at = CLAMP (left, 0., 1.), end = CLAMP (right, 0., 1.);
    cairo_new_path (cr);
    cairo_rectangle (cr, frame.area.x + at * frame.area.width, frame.area.y, (end - at) * frame.area.width,
                     frame.area.height);
    ssapp_set_color (cr, ssapp_color_with_alpha (accent, 0.1));
    cairo_fill_preserve (cr);
    stroke (cr, style, accent, 1.4, 0, 0);
  }
  if (isfinite (plot->chosen)) {
    const double at = ssapp_plot_frame_x (&frame, 100. * plot->chosen);
    cairo_new_path (cr);
    cairo_move_to (cr, at, frame.area.y);
    cairo_line_to (cr, at, frame.area.y + frame.area.height);
    stroke (cr, style, foreground, 1.4, 1.5, 3);
  }
  if (has_losses (plot))
    draw_losses (cr, style, plot, &frame, y + height - (LOSS_HEIGHT - 0.3) * style->font_size);
  cairo_restore (cr);
}

/* ---- impulse rates ----------------------------------------------------------------------------------------------- */

/* Corners of the simplex; of two contacts the third is unused. */
static void
rates_corners (const SsappStyle *style, const SsappRatesPlot *plot, double x, double y, double width, double height,
               double corners[3][2])
{
  const double font = style->font_size, margin = 1.7 * font;
  if (plot->n_contacts == 2) {
    const double middle = y + height / 2;
    corners[0][0] = x + margin;
    corners[1][0] = x + width - margin;
    corners[0][1] = corners[1][1] = corners[2][1] = middle;
    corners[2][0] = corners[0][0];
    return;
  }
  const double side = MAX (MIN (width - 2 * margin, (height - 2 * margin) / (0.5 * sqrt (3.))), 1.);
  const double base = y + height - margin, left = x + (width - side) / 2;
  corners[0][0] = left;
  corners[0][1] = corners[1][1] = base;
  corners[1][0] = left + side;
  corners[2][0] = left + 0.5 * side;
  corners[2][1] = base - 0.5 * sqrt (3.) * side;
}

static void
rates_to_device (double corners[3][2], const double *rates, int n, double *x, double *y)
{
  *x = *y = 0.;
  for (int k = 0; k < n; k++) {
    *x += rates[k] * corners[k][0];
    *y += rates[k] * corners[k][1];
  }
}

gboolean
ssapp_rates_plot_value_at (const SsappStyle *style, const SsappRatesPlot *plot, double width, double height,
                           double device_x, double device_y, double rates[3])
{
  g_return_val_if_fail (plot != NULL && rates != NULL, FALSE);

  double c[3][2], sum = 0.;

  if (plot->n_contacts < 2 || plot->n_contacts > 3)
    return FALSE;
  rates_corners (style, plot, 0, 0, width, height, c);
  if (plot->n_contacts == 2) {
    rates[1] = CLAMP ((device_x - c[0][0]) / MAX (c[1][0] - c[0][0], 1.), 0., 1.);
    rates[0] = 1. - rates[1];
    rates[2] = 0.;
    return TRUE;
  }
  const double side = c[1][0] - c[0][0], up = c[0][1] - c[2][1];
  rates[2] = (c[0][1] - device_y) / up;
  rates[1] = (device_x - c[0][0]) / side - 0.5 * rates[2];
  rates[0] = 1. - rates[1] - rates[2];
  for (int k = 0; k < 3; k++) {
    rates[k] = MAX (rates[k], 0.);
    sum += rates[k];
  }
  for (int k = 0; k < 3; k++)
    rates[k] /= sum;
  return TRUE;
}

void
ssapp_rates_plot_draw (cairo_t *cr, const SsappStyle *style, const SsappRatesPlot *plot, double x, double y,
                       double width, double height)
{
  g_return_if_fail (style != NULL && plot != NULL);

  const SsappColor dim = ssapp_style_color (style, SSAPP_COLOR_DIM),
                   accent = ssapp_style_color (style, SSAPP_COLOR_ACCENT);
  const double font = style->font_size;
  double c[3][2], px, py;

  if (plot->n_contacts < 2 || plot->n_contacts > 3 || !(width > 0.) || !(height > 0.))
    return;
  cairo_save (cr);
  rates_corners (style, plot, x, y, width, height, c);
  cairo_new_path (cr);
  for (int k = 0; k < plot->n_contacts; k++)
    cairo_line_to (cr, c[k][0], c[k][1]);
  cairo_close_path (cr);
  if (plot->n_contacts == 3) {
    ssapp_set_color (cr, ssapp_color_with_alpha (accent, 0.07));
    cairo_fill_preserve (cr);
  }
  stroke (cr, style, dim, 1.4, 0, 0);
  for (int k = 0; k < plot->n_contacts; k++) {
    const gboolean is_top = k == 2;
    ssapp_draw_marker (cr, SSAPP_MARKER_CIRCLE, c[k][0], c[k][1], 3.5 * style->scale, ssapp_style_line (style, 1.6),
                       ssapp_contact_color (style, k), TRUE, dim);
    write_text (cr, style, ssapp_contact_color (style, k), TRUE, 0.5, is_top ? 1. : 0., c[k][0],
                c[k][1] + (is_top ? -0.35 : 0.35) * font, plot->contacts[k]);
  }
  cairo_new_path (cr);
  for (int k = 0; k < plot->n; k++) {
    rates_to_device (c, plot->rates + (gsize)k * (gsize)plot->n_contacts, plot->n_contacts, &px, &py);
    cairo_line_to (cr, px, py);
  }
  stroke (cr, style, accent, 2.2, 0, 0);
  if (isfinite (plot->current[0])) {
    rates_to_device (c, plot->current, plot->n_contacts, &px, &py);
    ssapp_draw_marker (cr, SSAPP_MARKER_CIRCLE, px, py, 5. * style->scale, ssapp_style_line (style, 2.),
                       ssapp_style_color (style, SSAPP_COLOR_FOREGROUND), FALSE, accent);
  }
  cairo_restore (cr);
}
