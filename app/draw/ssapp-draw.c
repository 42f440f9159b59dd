/* app/draw/ssapp-draw.c: camera and backdrop (grid, rulers, scales) of the scene renderer. Marks are painted in
 * ssapp-draw-marks.c, whole motions in ssapp-draw-motion.c. */
#include "app/draw/ssapp-draw-parts.h"

#include <math.h>

#include "app/draw/ssapp-plot.h"

/* Rulers along the upper and left edge [px]. */
static const double RULER_PX = 22.;
/* Labelled grid lines are at least this far apart [px], so that their labels never touch. */
static const double MAJOR_MIN_PX = 88.;
/* Scale bars and printed arrow scales: wanted length [px]. */
static const double SCALE_BAR_PX = 120., ARROW_SCALE_PX = 60.;
/* A motion's largest arrow is drawn this long [px]. */
static const double LARGEST_ARROW_PX = 64.;

/* ---- camera ------------------------------------------------------------------------------------------------------ */

void
ssapp_camera_fit (SsappCamera *camera, const double bounds[4], double width, double height, double margin)
{
  g_return_if_fail (camera != NULL);
  static const double SMALLEST_EXTENT = 1e-9, FALLBACK_EXTENT = 1.; /* [m] */
  double b[4];
  for (int i = 0; i < 4; i++)
    b[i] = bounds != NULL && isfinite (bounds[i]) ? bounds[i] : (i < 2 ? -FALLBACK_EXTENT : FALLBACK_EXTENT);
  double w = b[2] - b[0], h = b[3] - b[1];
  double room_x = MAX (width - 2 * margin, 1.), room_y = MAX (height - 2 * margin, 1.);

  if (!(w > SMALLEST_EXTENT) && !(h > SMALLEST_EXTENT))
    w = h = 2 * FALLBACK_EXTENT;
  double scale = MIN (w > SMALLEST_EXTENT ? room_x / w : INFINITY, h > SMALLEST_EXTENT ? room_y / h : INFINITY);
  camera->scale = scale;
  camera->width = width;
  camera->height = height;
  camera->ox = width / 2 - 0.5 * (b[0] + b[2]) * scale;
  camera->oy = height / 2 + 0.5 * (b[1] + b[3]) * scale;
}

SsVec2
ssapp_camera_to_world (const SsappCamera *camera, double x, double y)
{
  g_return_val_if_fail (camera != NULL, ((SsVec2){0, 0}));
  return (SsVec2){(x - camera->ox) / camera->scale, (camera->oy - y) / camera->scale};
}

void
ssapp_camera_to_device (const SsappCamera *camera, SsVec2 p, double *x, double *y)
{
  g_return_if_fail (camera != NULL);
  *x = camera->ox + p.x * camera->scale;
  *y = camera->oy - p.y * camera->scale;
}

/* ---- backdrop ---------------------------------------------------------------------------------------------------- */

void
ssapp_grid_steps (const SsappCamera *camera, const SsappStyle *style, double *minor, double *major)
{
  g_return_if_fail (camera != NULL);
  double step = ssapp_nice_ceil (MAJOR_MIN_PX * style->scale / camera->scale);
  double mantissa = step / pow (10., floor (log10 (step) + 1e-9));
  *major = step;
  *minor = step / (mantissa > 1.5 && mantissa < 3. ? 4. : 5.); /* 2 = 4 * 0.5; 1 = 5 * 0.2; 5 = 5 * 1 */
}

/* A hairline on the pixel raster of a screen; paper has no raster. */
static double
snap (const SsappStyle *style, double x)
{
  return style->is_paper ? x : floor (x) + 0.5;
}

/* First and last multiple of step inside [lo, hi]; FALSE when there are too many or none to draw. */
static gboolean
multiples (double lo, double hi, double step, double *first, double *last)
{
  enum { MAX_LINES = 4000 };
  *first = ceil (lo / step);
  *last = floor (hi / step);
  return isfinite (*first) && isfinite (*last) && *last >= *first && *last - *first < MAX_LINES;
}

static void
draw_grid_lines (cairo_t *cr, const SsappStyle *style, const SsappCamera *camera, double step, SsappColor color)
{
  SsVec2 a = ssapp_camera_to_world (camera, 0, camera->height), b = ssapp_camera_to_world (camera, camera->width, 0);
  double first, last, x, y;

  cairo_new_path (cr);
  if (multiples (a.x, b.x, step, &first, &last))
    for (double k = first; k <= last; k++) {
      ssapp_camera_to_device (camera, (SsVec2){k * step, 0}, &x, &y);
      cairo_move_to (cr, snap (style, x), 0);
      cairo_line_to (cr, snap (style, x), camera->height);
    }
  if (multiples (a.y, b.y, step, &first, &last))
    for (double k = first; k <= last; k++) {
      ssapp_camera_to_device (camera, (SsVec2){0, k * step}, &x, &y);
      cairo_move_to (cr, 0, snap (style, y));
      cairo_line_to (cr, camera->width, snap (style, y));
    }
  ssapp_set_color (cr, color);
  cairo_set_line_width (cr, style->scale);
  cairo_set_dash (cr, NULL, 0, 0);
  cairo_stroke (cr);
}

/* Label of a grid position: all labels of one ruler with the decimals of the step. */
static char *
position_label (double value, double step)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE], format[16];
  int decimals = (int)CLAMP (ceil (-log10 (step) - 1e-9), 0, 9);
  if (fabs (value) < 1e-6 * step)
    value = 0.;
  if (step >= 1e5 || step < 1e-8)
    return ssapp_format_number (value, 4);
  g_snprintf (format, sizeof format, "%%.%df", decimals);
  g_ascii_formatd (buffer, sizeof buffer, format, fabs (value));
  return g_strconcat (value < 0. ? "−" : "", buffer, NULL);
}

/* Ticks and labels of one ruler; `vertical` for the left one. */
static void
draw_ruler (cairo_t *cr, const SsappStyle *style, const SsappCamera *camera, double minor, double major,
            gboolean vertical)
{
  static const double MINOR_TICK = 4., MAJOR_TICK = 8.; /* px */
  double thickness = RULER_PX * style->scale, length = vertical ? camera->height : camera->width;
  SsVec2 a = ssapp_camera_to_world (camera, 0, camera->height), b = ssapp_camera_to_world (camera, camera->width, 0);
  double lo = vertical ? a.y : a.x, hi = vertical ? b.y : b.x, first, last;
  SsappTextStyle text = {.size = style->font_size * 0.95,
                         .color = ssapp_style_color (style, SSAPP_COLOR_DIM),
                         .anchor_x = 0.,
                         .anchor_y = 0.5,
                         .angle = vertical ? -G_PI_2 : 0.};

  cairo_new_path (cr);
  ssapp_set_color (cr, ssapp_style_color (style, SSAPP_COLOR_RULER));
  if (vertical)
    cairo_rectangle (cr, 0, thickness, thickness, length - thickness);
  else
    cairo_rectangle (cr, 0, 0, length, thickness);
  cairo_fill (cr);
  cairo_save (cr);
  /* The corner where the rulers meet stays empty. */
  if (vertical)
    cairo_rectangle (cr, 0, thickness, thickness, length - thickness);
  else
    cairo_rectangle (cr, thickness, 0, length - thickness, thickness);
  cairo_clip (cr);
  ssapp_set_color (cr, text.color);
  cairo_set_line_width (cr, style->scale);
  int per_major = (int)lround (major / minor);
  if (multiples (lo, hi, minor, &first, &last)) {
    for (double k = first; k <= last; k++) {
      gboolean is_major = fmod (fabs (k), per_major) < 0.5;
      double tick = (is_major ? MAJOR_TICK : MINOR_TICK) * style->scale, x, y;
      ssapp_camera_to_device (camera, (SsVec2){k * minor, k * minor}, &x, &y);
      double at = snap (style, vertical ? y : x);
      if (vertical) {
        cairo_move_to (cr, thickness, at);
        cairo_line_to (cr, thickness - tick, at);
      } else {
        cairo_move_to (cr, at, thickness);
        cairo_line_to (cr, at, thickness - tick);
      }
    }
    cairo_stroke (cr);
    for (double k = first - per_major; k <= last + per_major; k++)
      if (fmod (fabs (k), per_major) < 0.5) {
        double x, y, width;
        ssapp_camera_to_device (camera, (SsVec2){k * minor, k * minor}, &x, &y);
        char *label = position_label (k * minor, major);
        ssapp_text_measure (style, text.size, text.bold, label, &width, NULL);
        width += 3 * style->scale;
        if (vertical ? y + thickness > length || y - width < thickness
                     : x < thickness || x + width > length) { /* would be cut */
          g_free (label);
          continue;
        }
        if (vertical)
          ssapp_text_draw (cr, style, &text, 0.42 * thickness, y - 3 * style->scale, label);
        else
          ssapp_text_draw (cr, style, &text, x + 3 * style->scale, 0.42 * thickness, label);
        g_free (label);
      }
  }
  cairo_restore (cr);
  ssapp_set_color (cr, ssapp_style_color (style, SSAPP_COLOR_GRID_MAJOR));
  cairo_set_line_width (cr, style->scale);
  if (vertical) {
    cairo_move_to (cr, snap (style, thickness), thickness);
    cairo_line_to (cr, snap (style, thickness), length);
  } else {
    cairo_move_to (cr, 0, snap (style, thickness));
    cairo_line_to (cr, length, snap (style, thickness));
  }
  cairo_stroke (cr);
}

/* Directions of x and y in the lower left corner. */
static void
draw_axes_hud (cairo_t *cr, const SsappStyle *style, const SsappCamera *camera, const SsappSceneFlags *flags)
{
  static const double LENGTH = 30., INSET_X = 18., INSET_Y = 62.; /* px; above the scale bar */
  double x = INSET_X * style->scale + (flags->rulers ? RULER_PX * style->scale : 0.);
  double y = camera->height - INSET_Y * style->scale, length = LENGTH * style->scale;
  SsappColor color = ssapp_style_color (style, SSAPP_COLOR_DIM);
  SsappTextStyle text = {.size = style->font_size, .color = color, .anchor_x = 0., .anchor_y = 0.5};

  ssapp_draw_arrow (cr, x, y, x + length, y, ssapp_style_line (style, 1.4), 6 * style->scale, color);
  ssapp_draw_arrow (cr, x, y, x, y - length, ssapp_style_line (style, 1.4), 6 * style->scale, color);
  ssapp_text_draw (cr, style, &text, x + length + 4 * style->scale, y, "x");
  text.anchor_x = 0.5;
  text.anchor_y = 1.;
  ssapp_text_draw (cr, style, &text, x, y - length - 1 * style->scale, "y");
}

/* Bar with end ticks and its length above. Returns its width. */
double
ssapp_draw_scale_bar (cairo_t *cr, const SsappStyle *style, double px_per_metre, double longest, double x, double y)
{
  static const double TICK = 5.; /* px */
  double metres = ssapp_nice_floor (longest / px_per_metre);
  double length = metres * px_per_metre, tick = TICK * style->scale;
  SsappColor color = ssapp_style_color (style, SSAPP_COLOR_FOREGROUND);
  SsappTextStyle text = {.size = style->font_size * 1.04,
                         .color = color,
                         .bold = !style->is_paper,
                         .anchor_x = 0.5,
                         .anchor_y = 1.,
                         .halo = TRUE};
  char *number = ssapp_format_number (metres, 3), *label = g_strconcat (number, " m", NULL);

  cairo_save (cr);
  cairo_new_path (cr);
  ssapp_set_color (cr, color);
  cairo_set_dash (cr, NULL, 0, 0);
  cairo_set_line_width (cr, ssapp_style_line (style, 2.));
  cairo_move_to (cr, x, y - tick);
  cairo_line_to (cr, x, y + tick);
  cairo_move_to (cr, x, y);
  cairo_line_to (cr, x + length, y);
  cairo_move_to (cr, x + length, y - tick);
  cairo_line_to (cr, x + length, y + tick);
  cairo_stroke (cr);
  cairo_restore (cr);
  ssapp_text_draw (cr, style, &text, x + length / 2, y - tick, label);
  g_free (number);
  g_free (label);
  return length;
}

/* An arrow of a round value with its number above. Returns its width. */
double
ssapp_draw_arrow_scale (cairo_t *cr, const SsappStyle *style, double px_per_unit, const char *unit, SsappColor color,
                        double x, double y)
{
  double value = ssapp_nice_floor (ARROW_SCALE_PX * style->scale / px_per_unit), length = value * px_per_unit;
  SsappTextStyle text = {.size = style->font_size * 1.04,
                         .color = color,
                         .bold = !style->is_paper,
                         .anchor_x = 0.5,
                         .anchor_y = 1.,
                         .halo = TRUE};
  char *number = ssapp_format_number (value, 3), *label = g_strconcat (number, " ", unit, NULL);

  ssapp_draw_arrow (cr, x, y, x + length, y, ssapp_style_line (style, 2.6), 8 * style->scale, color);
  ssapp_text_draw (cr, style, &text, x + length / 2, y - 5 * style->scale, label);
  g_free (number);
  g_free (label);
  return length;
}

double
ssapp_arrow_px (double largest)
{
  return largest >= SSAPP_SMALLEST_ARROW && isfinite (largest) ? LARGEST_ARROW_PX / largest : 0.;
}

void
ssapp_draw_scales (cairo_t *cr, const SsappStyle *style, const SsappCamera *camera, const SsappSceneFlags *flags,
                   gboolean scale_bar, double force_px, double velocity_px, double impulse_px)
{
  static const double INSET = 16., GAP = 28.; /* px */
  double x = MAX (INSET * style->scale + (flags->rulers ? RULER_PX * style->scale : 0.), flags->scales_left);
  double y = camera->height - INSET * style->scale - flags->scales_above;
  const double last = camera->width - ARROW_SCALE_PX * style->scale; /* an arrow that begins beyond would be cut */

  if (scale_bar && camera->scale > 0.)
    x += ssapp_draw_scale_bar (cr, style, camera->scale, SCALE_BAR_PX * style->scale, x, y) + GAP * style->scale;
  if (force_px > 0. && x <= last)
    x += ssapp_draw_arrow_scale (cr, style, force_px, "N", ssapp_style_color (style, SSAPP_COLOR_FORCE), x, y) +
         GAP * style->scale;
  if (impulse_px > 0. && x <= last)
    x += ssapp_draw_arrow_scale (cr, style, impulse_px, "N s", ssapp_style_color (style, SSAPP_COLOR_FORCE), x, y) +
         GAP * style->scale;
  if (velocity_px > 0. && x <= last)
    ssapp_draw_arrow_scale (cr, style, velocity_px, "m/s", ssapp_style_color (style, SSAPP_COLOR_VELOCITY), x, y);
}

void
ssapp_draw_backdrop (cairo_t *cr, const SsappStyle *style, const SsappCamera *camera, const SsappSceneFlags *flags)
{
  g_return_if_fail (camera != NULL && flags != NULL);

  double minor, major;

  if (!(camera->scale > 0.) || !isfinite (camera->scale))
    return;
  ssapp_grid_steps (camera, style, &minor, &major);
  cairo_save (cr);
  cairo_new_path (cr);
  ssapp_set_color (cr, ssapp_style_color (style, SSAPP_COLOR_VIEW));
  cairo_rectangle (cr, 0, 0, camera->width, camera->height);
  cairo_fill_preserve (cr);
  cairo_clip (cr);
  if (flags->grid) {
    draw_grid_lines (cr, style, camera, minor, ssapp_style_color (style, SSAPP_COLOR_GRID_MINOR));
    draw_grid_lines (cr, style, camera, major, ssapp_style_color (style, SSAPP_COLOR_GRID_MAJOR));
  }
  if (flags->rulers) {
    draw_ruler (cr, style, camera, minor, major, FALSE);
    draw_ruler (cr, style, camera, minor, major, TRUE);
  }
  if (flags->axes_hud)
    draw_axes_hud (cr, style, camera, flags);
  if (flags->scale_bar)
    ssapp_draw_scales (cr, style, camera, flags, TRUE, 0., 0., 0.);
  cairo_restore (cr);
}

void
ssapp_clip_to_canvas (cairo_t *cr, const SsappStyle *style, const SsappCamera *camera, const SsappSceneFlags *flags)
{
  double inset = flags->rulers ? RULER_PX * style->scale + 1. : 0.;
  cairo_new_path (cr);
  cairo_rectangle (cr, inset, inset, MAX (camera->width - inset, 0.), MAX (camera->height - inset, 0.));
  cairo_clip (cr);
}
