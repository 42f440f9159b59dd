/* app/export/ssapp-fit-estimates.c: intervals of estimates, the ellipse of two of them, and how a fit converged; see
 * ssapp-fit-picture.h. */
#include "app/export/ssapp-fit-private.h"

#include <math.h>
#include <string.h>

/* Multiples of the font size. */
static const double ROW = 2.6, NAME_SHARE = 0.26, NUMBER_SHARE = 0.36;
/* Squares of the radii of the ellipses that hold 68 % and 95 % of two normal estimates: -2 ln (1 - p). */
static const double RADII[2] = {1.50959, 2.44775}; /* sqrt (-2 ln 0.32), sqrt (-2 ln 0.05) */
enum { ELLIPSE_POINTS = 120 };
static const double ELLIPSE_ROOM = 1.15;

/* ---- intervals --------------------------------------------------------------------------------------------------- */

static double
place (const SsFitEstimate *e, double value, double x, double width)
{
  const double part = e->to > e->from ? (value - e->from) / (e->to - e->from) : 0.5;

  return x + width * CLAMP (part, 0., 1.);
}

void
ssapp_fit_interval_draw (cairo_t *cr, const SsappStyle *style, const SsFitEstimate *estimate, double x, double y,
                         double width, double height)
{
  g_return_if_fail (style != NULL && estimate != NULL);

  const gboolean is_told = estimate->is_identifiable && estimate->lower <= estimate->upper;
  const double middle = y + height / 2, least = ssapp_style_line (style, 3), thick = ssapp_style_line (style, 4);
  const SsappColor accent = ssapp_style_color (style, SSAPP_COLOR_ACCENT);
  double from = place (estimate, is_told ? estimate->lower : estimate->at_least, x, width),
         to = place (estimate, is_told ? estimate->upper : estimate->at_most, x, width);

  ssapp_set_color (cr, ssapp_style_color (style, SSAPP_COLOR_PLOT_GRID));
  cairo_rectangle (cr, x, middle - thick / 2, width, thick);
  cairo_fill (cr);
  if (!is_told) { /* all that the data allow */
    from = isnan (estimate->at_least) ? x : from;
    to = isnan (estimate->at_most) ? x + width : to;
  } else if (to - from < least) {
    from = (from + to - least) / 2;
    to = from + least;
  }
  ssapp_set_color (cr, is_told ? accent : ssapp_color_with_alpha (ssapp_style_color (style, SSAPP_COLOR_DIM), 0.35));
  cairo_rectangle (cr, from, middle - thick / 2, to - from, thick);
  cairo_fill (cr);
  const double at = place (estimate, estimate->value, x, width), tall = fmin (height, 3 * thick);
  ssapp_set_color (cr, is_told ? accent : ssapp_style_color (style, SSAPP_COLOR_DIM));
  cairo_set_line_width (cr, ssapp_style_line (style, 2));
  cairo_move_to (cr, at, middle - tall / 2);
  cairo_line_to (cr, at, middle + tall / 2);
  cairo_stroke (cr);
}

double
ssapp_fit_estimates_height (const SsappFigure *figure, double width)
{
  (void)width;
  return (figure->fit->result != NULL ? MAX (figure->fit->result->n_estimates, 1) : 1) * ROW * SSAPP_PAPER_FONT;
}

void
ssapp_fit_estimates_paint (cairo_t *cr, const SsappStyle *style, const SsappFigure *figure, double width, double height)
{
  const SsFitResult *result = figure->fit->result;
  const double row = height / MAX (result->n_estimates, 1), gap = style->font_size;

  for (int k = 0; k < result->n_estimates; k++) {
    const SsFitEstimate *e = &result->estimates[k];
    const char *unit = ssapp_fit_unit (e);
    g_autofree char *name = ssapp_fit_name (result, k), *half = NULL, *value = ssapp_fit_value_text (e, &half),
                    *number =
                        half != NULL ? g_strdup_printf ("%s ± %s%s%s", value, half, *unit != '\0' ? " " : "", unit)
                        : !isnan (e->at_least) && isnan (e->at_most) ? g_strdup_printf ("at least %.3g", e->at_least)
                        : !isnan (e->at_most) && isnan (e->at_least) ? g_strdup_printf ("at most %.3g", e->at_most)
                                                                     : g_strdup ("not told");
    const double middle = (k + 0.5) * row, bar = (NAME_SHARE + NUMBER_SHARE) * width + gap;
    SsappTextStyle text = {.size = style->font_size,
                           .bold = TRUE,
                           .color = ssapp_style_color (style, SSAPP_COLOR_FOREGROUND),
                           .anchor_y = 0.5};
    ssapp_text_draw (cr, style, &text, 0, middle, name);
    text.bold = FALSE;
    text.anchor_x = 1;
    text.color = ssapp_style_color (style, half != NULL ? SSAPP_COLOR_FOREGROUND : SSAPP_COLOR_DIM);
    ssapp_text_draw (cr, style, &text, (NAME_SHARE + NUMBER_SHARE) * width, middle, number);
    ssapp_fit_interval_draw (cr, style, e, bar, k * row, width - bar, row);
  }
}

gboolean
ssapp_fit_estimates_show (const SsappFigure *figure)
{
  return figure->fit->result != NULL && figure->fit->result->n_estimates > 0;
}

/* Of each: lower end, value, upper end. */
void
ssapp_fit_estimates_curves (const SsappFigure *figure, SsappFigureCurveFunc func, gpointer data)
{
  static const double places[3] = {-1, 0, 1};
  const SsappFigureRun run = {.label = "interval"};

  for (int k = 0; k < figure->fit->result->n_estimates; k++) {
    const SsFitEstimate *e = &figure->fit->result->estimates[k];
    g_autofree char *name = ssapp_fit_name (figure->fit->result, k);
    const double ends[3] = {e->is_identifiable ? e->lower : e->at_least, e->value,
                            e->is_identifiable ? e->upper : e->at_most};
    func (&(SsappFigureCurve){&run, name, "end", 3, places, ends, 1, TRUE}, data);
  }
}

/* ---- two of them ------------------------------------------------------------------------------------------------- */

double
ssapp_fit_picture_pair (const SsappFitPicture *picture, int pair[2])
{
  g_return_val_if_fail (picture != NULL, (double)NAN);
  const SsFitResult *result = picture->result;
  int n = 0;

  pair[0] = picture->pair[0];
  pair[1] = picture->pair[1];
  if (pair[0] < 0 || pair[1] < 0) {
    pair[0] = pair[1] = -1;
    for (int scene = 1; scene >= 0; scene--) /* those of the scene first */
      for (int k = 0; result != NULL && k < result->n_estimates && n < 2; k++)
        if (result->estimates[k].is_identifiable && (result->estimates[k].trial < 0) == scene)
          pair[n++] = k;
  }
  if (result == NULL || pair[0] < 0 || pair[1] < 0 || pair[0] == pair[1] || pair[0] >= result->n_estimates ||
      pair[1] >= result->n_estimates)
    return NAN;
  return result->correlation[pair[0] * result->n_estimates + pair[1]];
}

gboolean
ssapp_fit_ellipse_shows (const SsappFigure *figure)
{
  int pair[2];

  return isfinite (ssapp_fit_picture_pair (figure->fit, pair));
}

/* Point k of the ellipse of that radius: u1 = r cos a, u2 = r (c cos a + sqrt (1 - c^2) sin a), which have correlation
 * c. */
static SsVec2
ellipse_point (const SsFitEstimate *x, const SsFitEstimate *y, double correlation, double radius, int k)
{
  const double angle = 2 * G_PI * k / ELLIPSE_POINTS, u = cos (angle);
  const double v = correlation * u + sqrt (fmax (1 - correlation * correlation, 0)) * sin (angle);

  return (SsVec2){x->value + radius * x->standard_error * u, y->value + radius * y->standard_error * v};
}

static void
draw_ellipse (cairo_t *cr, const SsappStyle *style, const SsappPlotFrame *frame, const SsFitEstimate *x,
              const SsFitEstimate *y, double correlation, double radius)
{
  const SsappColor accent = ssapp_style_color (style, SSAPP_COLOR_ACCENT);

  cairo_new_path (cr);
  for (int k = 0; k < ELLIPSE_POINTS; k++) {
    const SsVec2 at = ellipse_point (x, y, correlation, radius, k);
    cairo_line_to (cr, ssapp_plot_frame_x (frame, at.x), ssapp_plot_frame_y (frame, at.y));
  }
  cairo_close_path (cr);
  ssapp_set_color (cr, ssapp_color_with_alpha (accent, 0.16));
  cairo_fill_preserve (cr);
  ssapp_set_color (cr, accent);
  cairo_set_line_width (cr, ssapp_style_line (style, 1.4));
  cairo_stroke (cr);
}

static char *
axis_label (const SsFitResult *result, int k)
{
  g_autofree char *name = ssapp_fit_name (result, k);
  const char *unit = ssapp_fit_unit (&result->estimates[k]);

  return *unit != '\0' ? g_strdup_printf ("%s [%s]", name, unit) : g_steal_pointer (&name);
}

void
ssapp_fit_ellipse_paint (cairo_t *cr, const SsappStyle *style, const SsappFigure *figure, double width, double height)
{
  int pair[2];
  const double correlation = ssapp_fit_picture_pair (figure->fit, pair), room = ELLIPSE_ROOM * RADII[1];
  const SsFitResult *result = figure->fit->result;
  const SsFitEstimate *x = &result->estimates[pair[0]], *y = &result->estimates[pair[1]];
  g_autofree char *x_label = axis_label (result, pair[0]), *y_label = axis_label (result, pair[1]);
  const double box[4] = {x->value - room * x->standard_error, x->value + room * x->standard_error,
                         y->value - room * y->standard_error, y->value + room * y->standard_error};
  const SsappPlotSpec spec = {SSAPP_PLOT_FREE, .title = y_label, .x_label = x_label,
                              .right_least = 2.2 * style->font_size};
  const SsappTextStyle note = {.size = 0.9 * style->font_size,
                               .color = ssapp_style_color (style, SSAPP_COLOR_DIM),
                               .anchor_x = 1,
                               .anchor_y = 0};
  SsappPlotFrame frame;

  ssapp_plot_frame_layout (style, &spec, box, 0, 0, width, height, &frame);
  ssapp_plot_frame_draw (cr, style, &spec, &frame);
  for (int i = 1; i >= 0; i--)
    draw_ellipse (cr, style, &frame, x, y, correlation, RADII[i]);
  const double at_x = ssapp_plot_frame_x (&frame, x->value), at_y = ssapp_plot_frame_y (&frame, y->value),
               arm = 5 * style->scale;
  cairo_move_to (cr, at_x - arm, at_y);
  cairo_line_to (cr, at_x + arm, at_y);
  cairo_move_to (cr, at_x, at_y - arm);
  cairo_line_to (cr, at_x, at_y + arm);
  ssapp_set_color (cr, ssapp_style_color (style, SSAPP_COLOR_FOREGROUND));
  cairo_set_line_width (cr, ssapp_style_line (style, 1.6));
  cairo_stroke (cr);
  ssapp_text_draw (cr, style, &note, frame.area.x + frame.area.width, 0, "68 % and 95 %");
}

double
ssapp_fit_ellipse_height (const SsappFigure *figure, double width)
{
  (void)figure;
  return 0.66 * width;
}

void
ssapp_fit_ellipse_curves (const SsappFigure *figure, SsappFigureCurveFunc func, gpointer data)
{
  static const char *const labels[2] = {"68 %", "95 %"};
  int pair[2];
  const double correlation = ssapp_fit_picture_pair (figure->fit, pair);
  const SsFitResult *result = figure->fit->result;
  g_autofree char *x_name = ssapp_fit_name (result, pair[0]), *y_name = ssapp_fit_name (result, pair[1]);
  double x[ELLIPSE_POINTS + 1], y[ELLIPSE_POINTS + 1];

  for (int i = 0; i < 2; i++) {
    const SsappFigureRun run = {.label = labels[i]};
    for (int k = 0; k <= ELLIPSE_POINTS; k++) {
      const SsVec2 at =
          ellipse_point (&result->estimates[pair[0]], &result->estimates[pair[1]], correlation, RADII[i], k);
      x[k] = at.x;
      y[k] = at.y;
    }
    func (&(SsappFigureCurve){&run, y_name, x_name, ELLIPSE_POINTS + 1, x, y, 1, FALSE}, data);
  }
}

/* ---- how it converged -------------------------------------------------------------------------------------------- */

gboolean
ssapp_fit_descent_shows (const SsappFigure *figure)
{
  return figure->fit->steps != NULL && figure->fit->steps->len > 0;
}

/* The steps from the i-th on that belong to one start. */
static guint
steps_of_start (GArray *steps, guint i)
{
  guint n = 0;

  while (i + n < steps->len &&
         g_array_index (steps, SsappFitStep, i + n).start == g_array_index (steps, SsappFitStep, i).start)
    n++;
  return n;
}

/* Curves over the steps, one a start, those of the best one (the last one after the end) in the accent's colour. */
void
ssapp_fit_descent_paint (cairo_t *cr, const SsappStyle *style, const SsappFigure *figure, double width, double height)
{
  GArray *steps = figure->fit->steps;
  double box[4] = {0, 1, INFINITY, 0}, least = INFINITY;
  const SsappPlotSpec spec = {SSAPP_PLOT_FREE, .title = "Deviation of residuals, 1 at its least", .x_label = "Step",
                              .y_log = TRUE};
  const SsappColor accent = ssapp_style_color (style, SSAPP_COLOR_ACCENT),
                   dim = ssapp_style_color (style, SSAPP_COLOR_DIM);
  SsappPlotFrame frame;
  guint best = 0;

  for (guint i = 0; i < steps->len; i++)
    least = fmin (least, g_array_index (steps, SsappFitStep, i).spread);
  for (guint i = 0; i < steps->len; i++) {
    const double part = g_array_index (steps, SsappFitStep, i).spread / least;
    box[1] = fmax (box[1], g_array_index (steps, SsappFitStep, i).step);
    box[2] = fmin (box[2], part);
    box[3] = fmax (box[3], part);
    best = part <= 1 ? i : best;
  }
  box[3] = fmax (box[3], 2);
  ssapp_plot_frame_layout (style, &spec, box, 0, 0, width, height, &frame);
  ssapp_plot_frame_draw (cr, style, &spec, &frame);
  ssapp_fit_clip (cr, style, &frame);
  for (int pass = 0; pass < 2; pass++)
    for (guint i = 0; i < steps->len;) {
      const guint n = steps_of_start (steps, i);
      const gboolean is_best = best >= i && best < i + n;
      ssapp_set_color (cr, is_best ? accent : ssapp_color_with_alpha (dim, 0.5));
      cairo_set_line_width (cr, ssapp_style_line (style, is_best ? 2 : 1));
      cairo_new_path (cr);
      for (guint k = i; k < i + n && is_best == pass; k++) {
        const SsappFitStep *s = &g_array_index (steps, SsappFitStep, k);
        cairo_line_to (cr, ssapp_plot_frame_x (&frame, s->step), ssapp_plot_frame_y (&frame, s->spread / least));
      }
      cairo_stroke (cr);
      for (guint k = i; k < i + n && is_best && pass == 1; k++) {
        const SsappFitStep *s = &g_array_index (steps, SsappFitStep, k);
        ssapp_draw_marker (cr, SSAPP_MARKER_CIRCLE, ssapp_plot_frame_x (&frame, s->step),
                           ssapp_plot_frame_y (&frame, s->spread / least), 3.5 * style->scale,
                           ssapp_style_line (style, 1.4), accent, FALSE, ssapp_style_color (style, SSAPP_COLOR_CARD));
      }
      i += n;
    }
  cairo_restore (cr);
}

void
ssapp_fit_descent_curves (const SsappFigure *figure, SsappFigureCurveFunc func, gpointer data)
{
  GArray *steps = figure->fit->steps;
  g_autofree double *x = g_new (double, steps->len + 1), *y = g_new (double, steps->len + 1);

  for (guint i = 0; i < steps->len;) {
    const guint n = steps_of_start (steps, i);
    g_autofree char *label = g_strdup_printf ("start %d", g_array_index (steps, SsappFitStep, i).start + 1);
    const SsappFigureRun run = {.label = label};
    for (guint k = 0; k < n; k++) {
      x[k] = g_array_index (steps, SsappFitStep, i + k).step;
      y[k] = g_array_index (steps, SsappFitStep, i + k).spread;
    }
    func (&(SsappFigureCurve){&run, "deviation", "iteration", (int)n, x, y, 1, FALSE}, data);
    i += n;
  }
}
