/* app/draw/ssapp-contact-draw.c: the picture of one contact: rings, normal, friction cone, gap, forces, slip. See
 * ssapp-contact.h. */
#include "app/draw/ssapp-contact.h"
#include "app/draw/ssapp-draw-parts.h"

#include <math.h>

/* px at 100 % (mock-up): of the accent ring about a point, the point itself, the normal, the cone */
static const double RING_PX = 9.5, POINT_PX = 4., NORMAL_PX = 34., CONE_PX = 40., LINE_PX = 1.6, FORCE_PX = 2.6,
                    HEAD_PX = 8., SLIP_PX = 46., SLIP_BESIDE_PX = 26., LABEL_GAP_PX = 6.;
static const double CONE_FILL = 0.16;
/* Of two points' force, about what the larger part is. */
static const double PART_OF_FORCE = 0.7;

/* ---- parts ------------------------------------------------------------------------------------------------------- */

void
ssapp_contact_cone (const SsappContactReading *reading, SsVec2 *axis, SsVec2 edges[2])
{
  g_return_if_fail (reading != NULL);
  const double side = reading->is_on_a ? -1 : 1, half = atan (reading->mu);
  const SsVec2 n = {side * reading->normal.x, side * reading->normal.y};

  *axis = n;
  for (int i = 0; i < 2; i++) {
    const double angle = i == 0 ? half : -half;
    edges[i] = (SsVec2){cos (angle) * n.x - sin (angle) * n.y, sin (angle) * n.x + cos (angle) * n.y};
  }
}

/* The point of the body on which the forces are shown. */
static void
place_of (const SsappCamera *camera, const SsappContactReading *reading, int point, double *x, double *y)
{
  ssapp_camera_to_device (camera, reading->is_on_a ? reading->points[point].a : reading->points[point].b, x, y);
}

static void
draw_cone (cairo_t *cr, const SsappStyle *style, const SsappContactReading *reading, double x, double y)
{
  static const double dash[2] = {3, 3};
  const double reach = CONE_PX * style->scale, angle = atan (reading->mu);
  const SsappColor color = ssapp_style_color (style, SSAPP_COLOR_CONTACT);
  const double scaled[2] = {dash[0] * style->scale, dash[1] * style->scale};
  SsVec2 axis, edges[2];
  double middle;

  ssapp_contact_cone (reading, &axis, edges);
  middle = atan2 (-axis.y, axis.x);
  cairo_new_path (cr);
  cairo_move_to (cr, x, y);
  cairo_arc (cr, x, y, reach, middle - angle, middle + angle);
  cairo_close_path (cr);
  if (reading->is_closed && !style->is_high_contrast) {
    ssapp_set_color (cr, ssapp_color_with_alpha (color, CONE_FILL));
    cairo_fill_preserve (cr);
  }
  ssapp_set_color (cr, color);
  cairo_set_line_width (cr, ssapp_style_line (style, 1));
  if (!reading->is_closed)
    cairo_set_dash (cr, scaled, 2, 0);
  cairo_stroke (cr);
  cairo_set_dash (cr, NULL, 0, 0);
  ssapp_draw_arrow (cr, x, y, x + NORMAL_PX * style->scale * axis.x, y - NORMAL_PX * style->scale * axis.y,
                    ssapp_style_line (style, LINE_PX), 5 * style->scale, color);
}

static void
draw_point (cairo_t *cr, const SsappStyle *style, double x, double y)
{
  cairo_new_path (cr);
  cairo_arc (cr, x, y, RING_PX * style->scale, 0, 2 * G_PI);
  ssapp_set_color (cr, ssapp_style_color (style, SSAPP_COLOR_ACCENT));
  cairo_set_line_width (cr, ssapp_style_line (style, 2));
  cairo_stroke (cr);
  ssapp_draw_marker (cr, SSAPP_MARKER_CIRCLE, x, y, POINT_PX * style->scale, ssapp_style_line (style, 2),
                     ssapp_style_color (style, SSAPP_COLOR_CONTACT), FALSE,
                     ssapp_style_color (style, SSAPP_COLOR_VIEW));
}

/* Beside the device point, on the side where (dx, dy) points, and within the picture. */
static void
draw_words (cairo_t *cr, const SsappStyle *style, const SsappCamera *camera, SsappColor color, double x, double y,
            double dx, double dy, const char *words)
{
  double width, height;
  SsappTextStyle text = {
      .size = style->font_size, .bold = TRUE, .color = color, .anchor_x = 0.5, .anchor_y = 0.5, .halo = TRUE};

  if (x < 0 || y < 0 || x > camera->width || y > camera->height) /* what it tells of is out of sight */
    return;
  ssapp_text_measure (style, text.size, TRUE, words, &width, &height);
  x += dx * (width / 2 + LABEL_GAP_PX * style->scale);
  y += dy * (height / 2 + LABEL_GAP_PX * style->scale);
  if (camera->width > width)
    x = CLAMP (x, width / 2, camera->width - width / 2);
  if (camera->height > height)
    y = CLAMP (y, height / 2, camera->height - height / 2);
  ssapp_text_draw (cr, style, &text, x, y, words);
}

/* Across the line: above it, or to the right of one that stands. */
static void
beside_gap (double ax, double ay, double bx, double by, double *dx, double *dy)
{
  const double length = hypot (bx - ax, by - ay);

  *dx = length > 0 ? (by - ay) / length : 1;
  *dy = length > 0 ? -(bx - ax) / length : 0;
  if (*dy > 0.5 || (fabs (*dy) <= 0.5 && *dx < 0)) {
    *dx = -*dx;
    *dy = -*dy;
  }
}

/* The line between the nearest points, and how far they are apart. */
static void
draw_gap (cairo_t *cr, const SsappStyle *style, const SsappCamera *camera, const SsappContactReading *reading)
{
  static const double dots[2] = {2, 3};
  const double scaled[2] = {dots[0] * style->scale, dots[1] * style->scale};
  const SsappColor color = ssapp_style_color (style, SSAPP_COLOR_ACCENT_TEXT);
  g_autofree char *gap = ssapp_contact_describe_gap (reading);
  g_autofree char *words = reading->gap >= 0 ? g_strdup_printf ("gap %s", gap) : g_strdup (gap);
  double ax, ay, bx, by, dx, dy;

  if (reading->is_closed && reading->gap > -1e-6) /* no gap to be seen: the inspector says 0 */
    return;
  ssapp_camera_to_device (camera, reading->points[0].a, &ax, &ay);
  ssapp_camera_to_device (camera, reading->points[0].b, &bx, &by);
  cairo_new_path (cr);
  cairo_move_to (cr, ax, ay);
  cairo_line_to (cr, bx, by);
  cairo_set_dash (cr, scaled, 2, 0);
  ssapp_set_color (cr, color);
  cairo_set_line_width (cr, ssapp_style_line (style, LINE_PX));
  cairo_stroke (cr);
  cairo_set_dash (cr, NULL, 0, 0);
  if (!reading->is_closed)
    ssapp_draw_marker (cr, SSAPP_MARKER_CIRCLE, reading->is_on_a ? bx : ax, reading->is_on_a ? by : ay,
                       POINT_PX * style->scale, ssapp_style_line (style, LINE_PX),
                       ssapp_style_color (style, SSAPP_COLOR_CONTACT), FALSE,
                       ssapp_style_color (style, SSAPP_COLOR_VIEW));
  beside_gap (ax, ay, bx, by, &dx, &dy);
  draw_words (cr, style, camera, color, (ax + bx) / 2 + dx * (RING_PX + 2) * style->scale,
              (ay + by) / 2 + dy * (RING_PX + 2) * style->scale, dx, dy, words);
}

/* ---- of a motion ------------------------------------------------------------------------------------------------- */

/* A force on the body that is shown. */
static SsVec2
force_of (const SsappContactReading *reading, double normal, double tangential)
{
  const double side = reading->is_on_a ? -1 : 1, n = side * normal, t = side * tangential;

  return (SsVec2){n * reading->normal.x + t * reading->tangent.x, n * reading->normal.y + t * reading->tangent.y};
}

/* Its tip at the contact. */
static void
draw_force (cairo_t *cr, const SsappStyle *style, const SsappCamera *camera, SsVec2 at, SsVec2 force, double force_px)
{
  const SsappColor color = ssapp_style_color (style, SSAPP_COLOR_FORCE);
  const double clear = (POINT_PX + 1) * style->scale;
  double x, y, dx, dy, length, slide;
  g_autofree char *words = NULL;

  ssapp_camera_to_device (camera, at, &x, &y);
  dx = force.x * force_px * style->scale;
  dy = -force.y * force_px * style->scale;
  length = hypot (dx, dy);
  if (length <= clear)
    return;
  slide = ssapp_arrow_slide (cr, style, x - dx, y - dy, x, y);
  x += slide * dx;
  y += slide * dy;
  ssapp_draw_arrow (cr, x - dx, y - dy, x - clear * dx / length, y - clear * dy / length,
                    ssapp_style_line (style, FORCE_PX), HEAD_PX * style->scale, color);
  words = g_strdup_printf ("%.3g N", hypot (force.x, force.y));
  draw_words (cr, style, camera, color, x - dx, y - dy, -dx / length, -dy / length, words);
}

/* One a point where the parts are known, else their sum. */
static void
draw_forces (cairo_t *cr, const SsappStyle *style, const SsappCamera *camera, const SsappContactReading *reading,
             double force_px)
{
  if (!(reading->normal_force > SSAPP_SMALLEST_ARROW) || !isfinite (reading->tangential_force) || !(force_px > 0))
    return;
  if (isnan (reading->points[0].normal_force)) {
    draw_force (cr, style, camera, reading->at, force_of (reading, reading->normal_force, reading->tangential_force),
                force_px);
    return;
  }
  for (int i = 0; i < reading->n_points; i++)
    draw_force (cr, style, camera, reading->is_on_a ? reading->points[i].a : reading->points[i].b,
                force_of (reading, reading->points[i].normal_force, reading->points[i].tangential_force), force_px);
}

/* From the middle of the first two points to one of them [px]. */
static double
half_distance (const SsappCamera *camera, const SsappContactReading *reading)
{
  const SsVec2 a = reading->points[0].a, b = reading->points[1].a;
  return hypot (b.x - a.x, b.y - a.y) / 2 * camera->scale;
}

/* Beside the contact, on the other body's side, with the words along it. */
static void
draw_slip (cairo_t *cr, const SsappStyle *style, const SsappCamera *camera, const SsappContactReading *reading,
           double force_px)
{
  const SsappColor color = ssapp_style_color (style, SSAPP_COLOR_VELOCITY);
  const double side = reading->is_on_a ? -1 : 1, sign = (reading->slip >= 0 ? 1 : -1) * side;
  const SsVec2 along = {sign * reading->tangent.x, sign * reading->tangent.y},
               out = {-side * reading->normal.x, -side * reading->normal.y};
  const double length = SLIP_PX * style->scale;
  double x, y, width, beside = SLIP_BESIDE_PX * style->scale;
  g_autofree char *words = g_strdup_printf ("slides %.3g m/s", fabs (reading->slip));
  SsappTextStyle text = {.size = style->font_size,
                         .bold = TRUE,
                         .color = color,
                         .anchor_x = 0.5,
                         .anchor_y = out.y < 0 ? 0 : 1,
                         .angle = atan2 (-along.y, along.x),
                         .halo = TRUE};

  if (reading->state != SSAPP_CONTACT_SLIPPING)
    return;
  if (fabs (text.angle) > G_PI_2) /* never upside down */
    text.angle -= text.angle > 0 ? G_PI : -G_PI;
  ssapp_text_measure (style, text.size, TRUE, words, &width, NULL);
  width = fmax (width, length); /* the words begin where the arrow does: the force stands behind it */
  if (reading->n_points > 1 && half_distance (camera, reading) < width + 2 * beside) /* no room between two forces */
    beside += PART_OF_FORCE * hypot (reading->normal_force, reading->tangential_force) * force_px * style->scale;
  ssapp_camera_to_device (camera, reading->at, &x, &y);
  x += beside * out.x + 0.9 * SLIP_BESIDE_PX * style->scale * along.x;
  y -= beside * out.y + 0.9 * SLIP_BESIDE_PX * style->scale * along.y;
  ssapp_draw_arrow (cr, x, y, x + length * along.x, y - length * along.y, ssapp_style_line (style, 2.4),
                    HEAD_PX * style->scale, color);
  x += width / 2 * along.x + LABEL_GAP_PX * style->scale * out.x;
  y -= width / 2 * along.y + LABEL_GAP_PX * style->scale * out.y;
  ssapp_text_draw (cr, style, &text, x, y, words);
}

void
ssapp_contact_draw (cairo_t *cr, const SsappStyle *style, const SsappCamera *camera, const SsappContactReading *reading,
                    double force_px)
{
  g_return_if_fail (style != NULL && camera != NULL && reading != NULL);

  double x, y;

  if (!(camera->scale > 0) || !isfinite (reading->at.x + reading->at.y) || reading->n_points == 0)
    return;
  cairo_save (cr);
  for (int i = 0; i < reading->n_points; i++) {
    place_of (camera, reading, i, &x, &y);
    draw_cone (cr, style, reading, x, y);
  }
  draw_gap (cr, style, camera, reading);
  draw_slip (cr, style, camera, reading, force_px);
  draw_forces (cr, style, camera, reading, force_px);
  for (int i = 0; i < reading->n_points; i++) {
    place_of (camera, reading, i, &x, &y);
    draw_point (cr, style, x, y);
  }
  cairo_restore (cr);
}

void
ssapp_contact_draw_scale (cairo_t *cr, const SsappStyle *style, const SsappCamera *camera, const SsappSceneFlags *flags,
                          double force_px)
{
  g_return_if_fail (style != NULL && camera != NULL && flags != NULL);
  if (force_px > 0 && flags->scale_bar) /* who prints other scales prints this one too */
    ssapp_draw_scales (cr, style, camera, flags, TRUE, force_px * style->scale, 0, 0);
}

double
ssapp_contact_force_px (const SsMark *marks, int n_marks, const SsappContactReading *reading)
{
  g_return_val_if_fail (n_marks >= 0 && reading != NULL, 0);

  double largest = ssapp_marks_largest_arrow (marks, n_marks, SS_ROLE_FORCE);

  if (largest <= 0 && reading->normal_force > SSAPP_SMALLEST_ARROW)
    largest = reading->normal_force;
  return ssapp_arrow_px (largest > 0 ? ssapp_nice_ceil (largest) : 0);
}

/* ---- gauge ------------------------------------------------------------------------------------------------------- */

void
ssapp_contact_draw_gauge (cairo_t *cr, const SsappStyle *style, double width, double height,
                          const SsappContactReading *reading)
{
  g_return_if_fail (style != NULL && reading != NULL);

  const double px = style->scale, inset = 18 * px, bar = 9 * px, y = 0.36 * height, left = inset, right = width - inset,
               middle = (left + right) / 2;
  const SsappColor color = ssapp_style_color (style, SSAPP_COLOR_CONTACT);
  const gboolean slips = reading->state == SSAPP_CONTACT_SLIPPING;
  static const char *const labels[] = {"−µ", "0", "µ"};
  SsappTextStyle text = {
      .size = style->font_size, .color = ssapp_style_color (style, SSAPP_COLOR_DIM), .anchor_x = 0.5, .anchor_y = 0};
  double at = middle;

  if (!(right > left))
    return;
  cairo_save (cr);
  cairo_new_path (cr);
  cairo_rectangle (cr, left, y - bar / 2, right - left, bar);
  ssapp_set_color (cr, ssapp_color_with_alpha (color, CONE_FILL));
  cairo_fill_preserve (cr);
  ssapp_set_color (cr, color);
  cairo_set_line_width (cr, ssapp_style_line (style, 1));
  cairo_stroke (cr);
  cairo_move_to (cr, middle, y - bar);
  cairo_line_to (cr, middle, y + bar);
  cairo_stroke (cr);
  if (isfinite (reading->share)) {
    at += copysign (reading->share, reading->tangential_force) * (right - left) / 2;
    ssapp_draw_marker (cr,
                       !slips              ? SSAPP_MARKER_SQUARE
                       : reading->slip > 0 ? SSAPP_MARKER_RIGHT
                                           : SSAPP_MARKER_LEFT,
                       at, y, 5.5 * px, ssapp_style_line (style, 1.5),
                       ssapp_style_color (style, slips ? SSAPP_COLOR_VELOCITY : SSAPP_COLOR_CONTACT), TRUE,
                       ssapp_style_color (style, SSAPP_COLOR_VIEW));
  }
  for (int i = 0; i < 3; i++)
    ssapp_text_draw (cr, style, &text, left + i * (right - left) / 2, y + bar + 1 * px, labels[i]);
  cairo_restore (cr);
}
