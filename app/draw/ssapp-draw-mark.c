/* app/draw/ssapp-draw-mark.c: one mark: a body, ground, a ghost, a contact point, an arrow; arrows of a crowd, which
 * are kept until all are drawn. */
#include "app/draw/ssapp-draw-parts.h"

#include <math.h>

/* px at 100 % */
static const double GOAL_PX = 2., GUIDE_PX = 1.4, FORCE_PX = 2.6, VELOCITY_PX = 2.4, NORMAL_PX = 1.6;
static const double HATCH_PX = 11., GROUND_DEPTH_PX = 20., ARROW_HEAD_PX = 8., NORMAL_LENGTH_PX = 34.;
static const double SPRING_WIDTH_PX = 7.;
enum { SPRING_TURNS = 8 }; /* half waves of a zigzag */
/* Device coordinates are kept within what Cairo's fixed-point numbers (24.8 bits) hold. */
static const double DEVICE_LIMIT = 1e6;
static const double GOAL_FILL = 0.07, FIXED_FILL = 0.18;

int
ssapp_mark_layer (const SsMark *mark)
{
  g_return_val_if_fail (mark != NULL, 0);
  if (mark->kind == SS_MARK_HALF_PLANE)
    return 0;
  if (mark->role == SS_ROLE_GOAL)
    return 1;
  if (mark->kind == SS_MARK_ARROW || mark->kind == SS_MARK_DISTANCE || mark->kind == SS_MARK_ANGLE ||
      mark->kind == SS_MARK_NOTE || mark->role == SS_ROLE_CONTACT || mark->role == SS_ROLE_CENTRE)
    return 3;
  return 2;
}

gboolean
ssapp_mark_is_finite (const SsMark *mark)
{
  g_return_val_if_fail (mark != NULL, FALSE);
  return isfinite (mark->position.x) && isfinite (mark->position.y) && isfinite (mark->angle) &&
         isfinite (mark->vector.x) && isfinite (mark->vector.y) && isfinite (mark->radius);
}

/* A vertex of a mark at (x, y) on the device. */
static void
vertex_at (const SsappCamera *camera, const SsMark *mark, int i, double x, double y, double *vx, double *vy)
{
  const double c = cos (mark->angle), s = sin (mark->angle);
  const SsVec2 v = mark->vertices[i];

  *vx = CLAMP (x + (c * v.x - s * v.y) * camera->scale, -DEVICE_LIMIT, DEVICE_LIMIT);
  *vy = CLAMP (y - (s * v.x + c * v.y) * camera->scale, -DEVICE_LIMIT, DEVICE_LIMIT);
}

static void
append_capsule (cairo_t *cr, const SsappCamera *camera, const SsMark *mark, double x, double y)
{
  const SsVec2 along = {mark->vertices[1].x - mark->vertices[0].x, mark->vertices[1].y - mark->vertices[0].y};
  const double r = CLAMP (mark->radius * camera->scale, 0., DEVICE_LIMIT),
               from = G_PI_2 - atan2 (along.y, along.x) - mark->angle;

  cairo_new_sub_path (cr);
  for (int i = 0; i < 2; i++) {
    double vx, vy;
    vertex_at (camera, mark, 1 - i, x, y, &vx, &vy);
    cairo_arc_negative (cr, vx, vy, r, from + i * G_PI, from + (i - 1) * G_PI);
  }
  cairo_close_path (cr);
}

static void
append_polygon (cairo_t *cr, const SsappCamera *camera, const SsMark *mark, double x, double y, gboolean backwards)
{
  cairo_new_sub_path (cr);
  for (int i = 0; i < mark->n_vertices; i++) {
    double vx, vy;
    vertex_at (camera, mark, backwards ? mark->n_vertices - 1 - i : i, x, y, &vx, &vy);
    cairo_line_to (cr, vx, vy);
  }
  cairo_close_path (cr);
}

/* Outline of a polygon, circle or capsule as the current path; FALSE for other kinds or a place Cairo cannot hold. */
static gboolean
outline_path (cairo_t *cr, const SsappCamera *camera, const SsMark *mark)
{
  double x, y;

  ssapp_camera_to_device (camera, mark->position, &x, &y);
  if (fabs (x) > DEVICE_LIMIT || fabs (y) > DEVICE_LIMIT)
    return FALSE;
  cairo_new_path (cr);
  if (mark->kind == SS_MARK_CIRCLE) {
    cairo_arc (cr, x, y, CLAMP (mark->radius * camera->scale, 0., DEVICE_LIMIT), 0, 2 * G_PI);
    cairo_close_path (cr);
  } else if (mark->kind == SS_MARK_CAPSULE && mark->n_vertices == 2)
    append_capsule (cr, camera, mark, x, y);
  else if (mark->kind == SS_MARK_POLYGON && mark->n_vertices >= 2)
    append_polygon (cr, camera, mark, x, y, FALSE);
  else
    return FALSE;
  return TRUE;
}

static void
set_dash (cairo_t *cr, const SsappStyle *style, const double *dash_px, int n)
{
  double dash[8];
  for (int i = 0; i < n; i++)
    dash[i] = dash_px[i] * style->scale;
  cairo_set_dash (cr, dash, n, 0);
}

/* 45 degree lines over the clip's extents, fixed to the world so that they move with it. */
static void
hatch_clip (cairo_t *cr, const SsappStyle *style, const SsappCamera *camera, SsappColor color)
{
  double x0, y0, x1, y1, step = HATCH_PX * G_SQRT2 * style->scale;

  cairo_clip_extents (cr, &x0, &y0, &x1, &y1);
  x0 = MAX (x0, -camera->width);
  y0 = MAX (y0, -camera->height);
  x1 = MIN (x1, 2 * camera->width);
  y1 = MIN (y1, 2 * camera->height);
  if (x1 <= x0 || y1 <= y0)
    return;
  /* Lines x + y = ox + oy + k * step. */
  double origin = fmod (camera->ox + camera->oy, step);
  cairo_new_path (cr);
  for (double k = floor ((x0 + y0 - origin) / step); k * step + origin <= x1 + y1; k++) {
    double sum = k * step + origin;
    cairo_move_to (cr, sum - y0, y0);
    cairo_line_to (cr, sum - y1, y1);
  }
  ssapp_set_color (cr, color);
  cairo_set_dash (cr, NULL, 0, 0);
  cairo_set_line_width (cr, ssapp_style_line (style, 1.));
  cairo_stroke (cr);
}

/* Fills the current path as what is fixed, which ends the path. */
static void
fill_fixed (cairo_t *cr, const SsappStyle *style, const SsappCamera *camera, SsappColor color)
{
  cairo_save (cr);
  cairo_clip (cr);
  if (!style->is_high_contrast) {
    ssapp_set_color (cr, ssapp_color_with_alpha (color, FIXED_FILL));
    cairo_paint (cr);
  }
  hatch_clip (cr, style, camera, ssapp_color_with_alpha (color, 0.5));
  cairo_restore (cr);
  cairo_new_path (cr);
}

static void
draw_half_plane (cairo_t *cr, const SsappStyle *style, const SsappCamera *camera, const SsMark *mark, SsappColor color)
{
  double x, y, ux = cos (mark->angle), uy = -sin (mark->angle); /* along the surface, on the device */
  double nx = -uy, ny = ux;                                     /* into the matter              */

  ssapp_camera_to_device (camera, mark->position, &x, &y);
  /* The surface's point nearest to the middle of the picture, and a length that reaches beyond its corners. */
  double along = (camera->width / 2 - x) * ux + (camera->height / 2 - y) * uy;
  double reach = hypot (camera->width, camera->height), depth = GROUND_DEPTH_PX * style->scale;
  double ax = x + (along - reach) * ux, ay = y + (along - reach) * uy;
  double bx = x + (along + reach) * ux, by = y + (along + reach) * uy;
  if (hypot (ax - camera->width / 2, ay - camera->height / 2) > 10 * reach)
    return; /* out of sight */

  cairo_new_path (cr);
  cairo_move_to (cr, ax, ay);
  cairo_line_to (cr, bx, by);
  cairo_line_to (cr, bx + depth * nx, by + depth * ny);
  cairo_line_to (cr, ax + depth * nx, ay + depth * ny);
  cairo_close_path (cr);
  fill_fixed (cr, style, camera, color);
  cairo_move_to (cr, ax, ay);
  cairo_line_to (cr, bx, by);
  ssapp_set_color (cr, color);
  cairo_set_dash (cr, NULL, 0, 0);
  cairo_set_line_width (cr, ssapp_style_line (style, SSAPP_OUTLINE_PX));
  cairo_stroke (cr);
}

static void
draw_fixed (cairo_t *cr, const SsappStyle *style, const SsappCamera *camera, const SsMark *mark, SsappColor color)
{
  if (!outline_path (cr, camera, mark))
    return;
  cairo_path_t *path = cairo_copy_path (cr);
  fill_fixed (cr, style, camera, color);
  cairo_append_path (cr, path);
  cairo_path_destroy (path);
  ssapp_set_color (cr, color);
  cairo_set_dash (cr, NULL, 0, 0);
  cairo_set_line_width (cr, ssapp_style_line (style, SSAPP_OUTLINE_PX));
  cairo_stroke (cr);
}

static void
draw_body (cairo_t *cr, const SsappStyle *style, const SsappCamera *camera, const SsMark *mark,
           const SsappMarkPaint *paint)
{
  SsappColor outline, fill;
  const double width = ssapp_body_paint (style, mark->color, paint, &outline, &fill);
  if (!outline_path (cr, camera, mark))
    return;
  ssapp_set_color (cr, fill);
  cairo_fill_preserve (cr);
  ssapp_set_color (cr, outline);
  cairo_set_dash (cr, NULL, 0, 0);
  cairo_set_line_width (cr, width);
  cairo_stroke (cr);
}

void
ssapp_draw_flag (cairo_t *cr, const SsappStyle *style, double x, double y, SsappColor color)
{
  double px = style->scale;
  cairo_new_path (cr);
  ssapp_set_color (cr, color);
  cairo_set_dash (cr, NULL, 0, 0);
  cairo_set_line_width (cr, ssapp_style_line (style, 1.6));
  cairo_move_to (cr, x - 4.5 * px, y + 6 * px);
  cairo_line_to (cr, x - 4.5 * px, y - 6 * px);
  cairo_line_to (cr, x + 5.5 * px, y - 6 * px);
  cairo_line_to (cr, x + 3 * px, y - 2.5 * px);
  cairo_line_to (cr, x + 5.5 * px, y + 1 * px);
  cairo_line_to (cr, x - 4.5 * px, y + 1 * px);
  cairo_stroke (cr);
}

static void
draw_goal (cairo_t *cr, const SsappStyle *style, const SsappCamera *camera, const SsMark *mark)
{
  static const double dash[2] = {7, 5};
  SsappColor color = ssapp_style_color (style, SSAPP_COLOR_GOAL);
  double x, y;

  if (outline_path (cr, camera, mark)) {
    if (!style->is_paper && !style->is_high_contrast) {
      ssapp_set_color (cr, ssapp_color_with_alpha (color, GOAL_FILL));
      cairo_fill_preserve (cr);
    }
    ssapp_set_color (cr, color);
    cairo_set_line_width (cr, ssapp_style_line (style, GOAL_PX));
    set_dash (cr, style, dash, 2);
    cairo_stroke (cr);
  }
  ssapp_camera_to_device (camera, mark->position, &x, &y);
  if (!style->is_paper)
    ssapp_draw_flag (cr, style, x, y, ssapp_style_color (style, SSAPP_COLOR_ACCENT_TEXT));
}

void
ssapp_draw_centre (cairo_t *cr, const SsappStyle *style, double x, double y, double angle)
{
  double radius = SSAPP_CENTRE_RADIUS_PX * style->scale;
  SsappColor dark = ssapp_style_color (style, SSAPP_COLOR_FOREGROUND),
             light = ssapp_style_color (style, SSAPP_COLOR_VIEW);

  cairo_save (cr);
  cairo_translate (cr, x, y);
  cairo_rotate (cr, -angle);
  cairo_new_path (cr);
  cairo_arc (cr, 0, 0, radius, 0, 2 * G_PI);
  ssapp_set_color (cr, light);
  cairo_fill (cr);
  ssapp_set_color (cr, dark);
  for (int k = 0; k < 2; k++) {
    cairo_move_to (cr, 0, 0);
    cairo_arc (cr, 0, 0, radius, k * G_PI, k * G_PI + G_PI_2);
    cairo_close_path (cr);
  }
  cairo_fill (cr);
  cairo_arc (cr, 0, 0, radius, 0, 2 * G_PI);
  cairo_set_dash (cr, NULL, 0, 0);
  cairo_set_line_width (cr, ssapp_style_line (style, SSAPP_CENTRE_LINE_PX));
  cairo_stroke (cr);
  cairo_restore (cr);
}

static void
draw_contact (cairo_t *cr, const SsappStyle *style, const SsMark *mark, double x, double y)
{
  SsappColor color = ssapp_style_color (style, SSAPP_COLOR_CONTACT);
  double length = hypot (mark->vector.x, mark->vector.y);

  if (length > 0.) { /* its normal, of fixed length */
    double reach = NORMAL_LENGTH_PX * style->scale / length;
    ssapp_draw_arrow (cr, x, y, x + reach * mark->vector.x, y - reach * mark->vector.y,
                      ssapp_style_line (style, NORMAL_PX), 5 * style->scale, color);
  }
  ssapp_draw_marker (cr, SSAPP_MARKER_CIRCLE, x, y, SSAPP_CONTACT_RADIUS_PX * style->scale,
                     ssapp_style_line (style, SSAPP_OUTLINE_PX), color, FALSE,
                     ssapp_style_color (style, SSAPP_COLOR_VIEW));
}

/* What is left of numbers of ordinary size that cancel: no arrow. */
gboolean
ssapp_mark_is_rounding_error (const SsMark *mark)
{
  g_return_val_if_fail (mark != NULL, FALSE);
  return mark->kind == SS_MARK_ARROW && hypot (mark->vector.x, mark->vector.y) < SSAPP_SMALLEST_ARROW;
}

/* ---- arrows of a crowd ------------------------------------------------------------------------------------------- */

void
ssapp_crowd_arrows_add (SsappCrowdArrows *crowd, double x0, double y0, double x1, double y1, double line_width,
                        double head, SsappColor color)
{
  g_return_if_fail (crowd != NULL);
  SsappArrow arrow;

  if (ssapp_arrow_shape (x0, y0, x1, y1, line_width, head, color, &arrow))
    g_array_append_val (crowd->arrows, arrow);
}

void
ssapp_crowd_arrows_add_ring (SsappCrowdArrows *crowd, double x, double y)
{
  g_return_if_fail (crowd != NULL);
  const double at[2] = {x, y};

  g_array_append_vals (crowd->rings, at, 1);
}

void
ssapp_crowd_arrow (SsappCrowdArrows *crowd, cairo_t *cr, double x0, double y0, double x1, double y1, double line_width,
                   double head, SsappColor color)
{
  if (crowd != NULL)
    ssapp_crowd_arrows_add (crowd, x0, y0, x1, y1, line_width, head, color);
  else
    ssapp_draw_arrow (cr, x0, y0, x1, y1, line_width, head, color);
}

/* ---- arrows and lines -------------------------------------------------------------------------------------------- */

void
ssapp_draw_acting_arrow (cairo_t *cr, const SsappStyle *style, const SsMark *mark, const SsappMarkPaint *paint,
                         double x, double y, SsappCrowdArrows *crowd)
{
  gboolean is_velocity = mark->role == SS_ROLE_VELOCITY;
  double px = is_velocity ? paint->velocity_px : paint->force_px;
  double dx = CLAMP (mark->vector.x * px, -DEVICE_LIMIT, DEVICE_LIMIT) * style->scale;
  double dy = CLAMP (-mark->vector.y * px, -DEVICE_LIMIT, DEVICE_LIMIT) * style->scale;
  SsappColor color = ssapp_style_color (style, is_velocity                     ? SSAPP_COLOR_VELOCITY
                                               : mark->role == SS_ROLE_CONTACT ? SSAPP_COLOR_CONTACT
                                                                               : SSAPP_COLOR_FORCE);

  if (is_velocity) {
    const double back = ssapp_arrow_slide (cr, style, x + dx, y + dy, x, y);
    ssapp_crowd_arrow (crowd, cr, x - back * dx, y - back * dy, x + (1 - back) * dx, y + (1 - back) * dy,
                       ssapp_style_line (style, VELOCITY_PX), ARROW_HEAD_PX * style->scale, color);
  } else {
    /* the tip stays clear of the contact's ring */
    double length = hypot (dx, dy), gap = MIN ((SSAPP_CONTACT_RADIUS_PX + 1) * style->scale, 0.3 * length);
    double gx = length > 0. ? gap * dx / length : 0., gy = length > 0. ? gap * dy / length : 0.;
    double on = ssapp_arrow_slide (cr, style, x - dx - gx, y - dy - gy, x - gx, y - gy);
    gx -= on * dx;
    gy -= on * dy;
    ssapp_crowd_arrow (crowd, cr, x - dx - gx, y - dy - gy, x - gx, y - gy, ssapp_style_line (style, FORCE_PX),
                       ARROW_HEAD_PX * style->scale, color);
    if (crowd != NULL)
      ssapp_crowd_arrows_add_ring (crowd, x, y);
    else
      ssapp_draw_marker (cr, SSAPP_MARKER_CIRCLE, x, y, SSAPP_CONTACT_RADIUS_PX * style->scale,
                         ssapp_style_line (style, SSAPP_OUTLINE_PX), ssapp_style_color (style, SSAPP_COLOR_CONTACT),
                         FALSE, ssapp_style_color (style, SSAPP_COLOR_VIEW));
  }
}

static void
draw_segment (cairo_t *cr, const SsappStyle *style, const SsappCamera *camera, const SsMark *mark,
              const SsappMarkPaint *paint)
{
  static const double guide_dash[4] = {9, 3, 2, 3}, goal_dash[2] = {7, 5};
  double x0, y0, x1, y1;
  SsappColor color, fill;
  SsVec2 end = {mark->position.x + mark->vector.x, mark->position.y + mark->vector.y};

  ssapp_camera_to_device (camera, mark->position, &x0, &y0);
  ssapp_camera_to_device (camera, end, &x1, &y1);
  ssapp_style_body_colors (style, mark->color, &color, &fill);
  if (paint->outline != NULL)
    color = *paint->outline;
  else if (mark->role == SS_ROLE_FIXED)
    color = ssapp_style_color (style, SSAPP_COLOR_FIXED);
  else if (mark->role == SS_ROLE_GOAL)
    color = ssapp_style_color (style, SSAPP_COLOR_GOAL);
  else if (mark->role == SS_ROLE_CONTACT)
    color = ssapp_style_color (style, SSAPP_COLOR_CONTACT);
  else if (mark->role == SS_ROLE_GUIDE)
    color = ssapp_style_color (style, SSAPP_COLOR_DIM);

  cairo_new_path (cr);
  cairo_move_to (cr, CLAMP (x0, -DEVICE_LIMIT, DEVICE_LIMIT), CLAMP (y0, -DEVICE_LIMIT, DEVICE_LIMIT));
  cairo_line_to (cr, CLAMP (x1, -DEVICE_LIMIT, DEVICE_LIMIT), CLAMP (y1, -DEVICE_LIMIT, DEVICE_LIMIT));
  cairo_set_dash (cr, NULL, 0, 0);
  cairo_set_line_cap (cr, CAIRO_LINE_CAP_ROUND);
  if (mark->role == SS_ROLE_GUIDE) {
    cairo_set_line_cap (cr, CAIRO_LINE_CAP_BUTT);
    set_dash (cr, style, guide_dash, 4);
  } else if (mark->role == SS_ROLE_GOAL)
    set_dash (cr, style, goal_dash, 2);
  cairo_set_line_width (cr, ssapp_style_line (style, mark->role == SS_ROLE_GUIDE ? GUIDE_PX
                                                     : paint->outline_px > 0.    ? paint->outline_px
                                                                                 : 2 * SSAPP_OUTLINE_PX));
  ssapp_set_color (cr, color);
  cairo_stroke (cr);
  cairo_set_line_cap (cr, CAIRO_LINE_CAP_BUTT);
}

/* A zigzag of fixed width between straight ends. */
static void
draw_spring (cairo_t *cr, const SsappStyle *style, const SsappCamera *camera, const SsMark *mark)
{
  static const double end_fraction = 0.15; /* of the length, at either end */
  SsVec2 end = {mark->position.x + mark->vector.x, mark->position.y + mark->vector.y};
  double x0, y0, x1, y1;

  ssapp_camera_to_device (camera, mark->position, &x0, &y0);
  ssapp_camera_to_device (camera, end, &x1, &y1);
  double length = hypot (x1 - x0, y1 - y0), width = SPRING_WIDTH_PX * style->scale;
  if (!(fabs (x0) + fabs (y0) + length < DEVICE_LIMIT))
    return;
  double nx = length > 0. ? -(y1 - y0) / length : 0., ny = length > 0. ? (x1 - x0) / length : 0.;
  cairo_new_path (cr);
  cairo_move_to (cr, x0, y0);
  for (int i = 0; i <= SPRING_TURNS; i++) {
    double along = end_fraction + (1 - 2 * end_fraction) * i / SPRING_TURNS;
    double side = i == 0 || i == SPRING_TURNS ? 0. : i % 2 == 1 ? width : -width;
    cairo_line_to (cr, x0 + along * (x1 - x0) + side * nx, y0 + along * (y1 - y0) + side * ny);
  }
  cairo_line_to (cr, x1, y1);
  cairo_set_dash (cr, NULL, 0, 0);
  cairo_set_line_join (cr, CAIRO_LINE_JOIN_ROUND);
  cairo_set_line_width (cr, ssapp_style_line (style, SSAPP_OUTLINE_PX));
  ssapp_set_color (cr, ssapp_style_color (style, SSAPP_COLOR_DIM));
  cairo_stroke (cr);
}

static void
draw_point (cairo_t *cr, const SsappStyle *style, const SsMark *mark, const SsappMarkPaint *paint, double x, double y)
{
  SsappColor outline, fill;

  if (mark->role == SS_ROLE_CENTRE)
    ssapp_draw_centre (cr, style, x, y, mark->angle);
  else if (mark->role == SS_ROLE_CONTACT || mark->role == SS_ROLE_FORCE)
    draw_contact (cr, style, mark, x, y);
  else {
    ssapp_style_body_colors (style, mark->color, &outline, &fill);
    if (paint->outline != NULL)
      outline = *paint->outline;
    else if (mark->role == SS_ROLE_GOAL)
      outline = ssapp_style_color (style, SSAPP_COLOR_GOAL);
    else if (mark->role == SS_ROLE_FIXED || mark->role == SS_ROLE_GUIDE)
      outline = ssapp_style_color (style, SSAPP_COLOR_FIXED);
    ssapp_draw_marker (
        cr, SSAPP_MARKER_CIRCLE, x, y, SSAPP_POINT_RADIUS_PX * style->scale, ssapp_style_line (style, 1.6), outline,
        mark->role == SS_ROLE_BODY || mark->role == SS_ROLE_FIXED, ssapp_style_color (style, SSAPP_COLOR_VIEW));
  }
}

/* Extent of a body around its position, on the device [user units]. */
static double
mark_radius (const SsappCamera *camera, const SsMark *mark)
{
  double r2 = mark->kind == SS_MARK_CIRCLE ? mark->radius * mark->radius : 0.;
  for (int i = 0; (mark->kind == SS_MARK_POLYGON || mark->kind == SS_MARK_CAPSULE) && i < mark->n_vertices; i++)
    r2 = MAX (r2, mark->vertices[i].x * mark->vertices[i].x + mark->vertices[i].y * mark->vertices[i].y);
  return (sqrt (r2) + (mark->kind == SS_MARK_CAPSULE ? mark->radius : 0.)) * camera->scale;
}

/* Beside the picture, with all that is drawn about its place. */
static gboolean
is_out_of_sight (const SsappStyle *style, const SsappCamera *camera, const SsMark *mark, double x, double y)
{
  static const double about = 64.; /* px: rings, normals, names */

  if (mark->kind == SS_MARK_HALF_PLANE || mark->kind == SS_MARK_SEGMENT || mark->kind == SS_MARK_SPRING ||
      mark->kind == SS_MARK_ARROW || mark->kind == SS_MARK_DISTANCE || mark->kind == SS_MARK_ROPE ||
      mark->kind == SS_MARK_GEAR)
    return FALSE;
  const double reach = mark_radius (camera, mark) + about * style->scale;
  return x < -reach || y < -reach || x > camera->width + reach || y > camera->height + reach;
}

gboolean
ssapp_mark_is_seen (const SsappStyle *style, const SsappCamera *camera, const SsMark *mark, double *x, double *y)
{
  if (!mark->visible || !ssapp_mark_is_finite (mark))
    return FALSE;
  ssapp_camera_to_device (camera, mark->position, x, y);
  if (mark->kind != SS_MARK_HALF_PLANE && mark->kind != SS_MARK_SEGMENT && mark->kind != SS_MARK_SPRING &&
      (fabs (*x) > DEVICE_LIMIT || fabs (*y) > DEVICE_LIMIT))
    return FALSE;
  return !is_out_of_sight (style, camera, mark, *x, *y);
}

/* Twice the area, positive where the corners turn left. */
static double
turn_of (const SsMark *mark)
{
  double turn = 0.;

  for (int i = 0; i < mark->n_vertices; i++) {
    const SsVec2 a = mark->vertices[i], b = mark->vertices[(i + 1) % mark->n_vertices];
    turn += a.x * b.y - b.x * a.y;
  }
  return turn;
}

void
ssapp_append_outline (cairo_t *cr, const SsappStyle *style, const SsappCamera *camera, const SsMark *mark)
{
  double x, y;

  if (!ssapp_mark_is_seen (style, camera, mark, &x, &y))
    return;
  if (mark->kind == SS_MARK_CIRCLE) {
    cairo_new_sub_path (cr);
    cairo_arc_negative (cr, x, y, CLAMP (mark->radius * camera->scale, 0., DEVICE_LIMIT), 2 * G_PI, 0);
    cairo_close_path (cr);
  } else if (mark->kind == SS_MARK_CAPSULE && mark->n_vertices == 2)
    append_capsule (cr, camera, mark, x, y);
  else if (mark->kind == SS_MARK_POLYGON && mark->n_vertices >= 2)
    append_polygon (cr, camera, mark, x, y, turn_of (mark) < 0.);
}

void
ssapp_draw_mark (cairo_t *cr, const SsappStyle *style, const SsappCamera *camera, const SsMark *mark,
                 const SsappMarkPaint *paint)
{
  double x, y;

  if (!ssapp_mark_is_seen (style, camera, mark, &x, &y))
    return;
  cairo_save (cr);
  cairo_set_line_join (cr, CAIRO_LINE_JOIN_MITER);
  switch (mark->kind) {
  case SS_MARK_HALF_PLANE:
    draw_half_plane (cr, style, camera, mark,
                     ssapp_style_color (style, mark->role == SS_ROLE_GOAL ? SSAPP_COLOR_GOAL : SSAPP_COLOR_FIXED));
    break;
  case SS_MARK_POLYGON:
  case SS_MARK_CIRCLE:
  case SS_MARK_CAPSULE:
    if (mark->role == SS_ROLE_GOAL)
      draw_goal (cr, style, camera, mark);
    else if (mark->role == SS_ROLE_FIXED)
      draw_fixed (cr, style, camera, mark, ssapp_style_color (style, SSAPP_COLOR_FIXED));
    else if (mark->role == SS_ROLE_GUIDE) {
      static const double dash[2] = {3, 3};
      if (outline_path (cr, camera, mark)) {
        ssapp_set_color (cr, ssapp_style_color (style, SSAPP_COLOR_DIM));
        cairo_set_line_width (cr, ssapp_style_line (style, GUIDE_PX));
        set_dash (cr, style, dash, 2);
        cairo_stroke (cr);
      }
    } else
      draw_body (cr, style, camera, mark, paint);
    break;
  case SS_MARK_SEGMENT:
    draw_segment (cr, style, camera, mark, paint);
    break;
  case SS_MARK_SPRING:
    draw_spring (cr, style, camera, mark);
    break;
  case SS_MARK_ROPE:
  case SS_MARK_GEAR:
    ssapp_draw_coupling (cr, style, camera, mark, paint, x, y);
    break;
  case SS_MARK_ARROW:
    if (!ssapp_mark_is_rounding_error (mark))
      ssapp_draw_acting_arrow (cr, style, mark, paint, x, y, NULL);
    break;
  case SS_MARK_POINT:
    draw_point (cr, style, mark, paint, x, y);
    break;
  case SS_MARK_DISTANCE:
  case SS_MARK_ANGLE:
  case SS_MARK_NOTE:
    ssapp_draw_on_sheet (cr, style, camera, mark, x, y);
    break;
  default: /* a kind this renderer does not know yet is left out */
    break;
  }
  cairo_restore (cr);
}

double
ssapp_marks_largest_arrow (const SsMark *marks, int n_marks, SsMarkRole role)
{
  double largest = 0.;
  for (int i = 0; i < n_marks; i++) {
    gboolean matches = role == SS_ROLE_VELOCITY ? marks[i].role == SS_ROLE_VELOCITY : marks[i].role != SS_ROLE_VELOCITY;
    double length = hypot (marks[i].vector.x, marks[i].vector.y);
    if (marks[i].kind == SS_MARK_ARROW && marks[i].visible && matches && isfinite (length) &&
        !ssapp_mark_is_rounding_error (&marks[i]))
      largest = MAX (largest, length);
  }
  return largest;
}
