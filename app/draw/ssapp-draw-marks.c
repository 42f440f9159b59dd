/* app/draw/ssapp-draw-marks.c: marks of one frame, in layers, names and the selection frame over them; which of them is
 * under the pointer. One mark is painted in ssapp-draw-mark.c. */
#include "app/draw/ssapp-draw-parts.h"

#include <math.h>

/* px at 100 % */
static const double SELECTION_GAP_PX = 4., HANDLE_PX = 9., ROTATE_ABOVE_PX = 25.;

/* ---- selection --------------------------------------------------------------------------------------------------- */

/* Bounding box in the mark's own frame, device units, y down. */
static gboolean
local_box (const SsappCamera *camera, const SsMark *mark, double box[4])
{
  if (mark->kind == SS_MARK_CIRCLE) {
    double r = mark->radius * camera->scale;
    box[0] = box[1] = -r;
    box[2] = box[3] = r;
    return TRUE;
  }
  if ((mark->kind != SS_MARK_POLYGON && mark->kind != SS_MARK_CAPSULE) || mark->n_vertices < 1)
    return FALSE;
  double r = mark->kind == SS_MARK_CAPSULE ? mark->radius * camera->scale : 0.;
  box[0] = box[1] = INFINITY;
  box[2] = box[3] = -INFINITY;
  for (int i = 0; i < mark->n_vertices; i++) {
    double x = mark->vertices[i].x * camera->scale, y = -mark->vertices[i].y * camera->scale;
    box[0] = MIN (box[0], x - r);
    box[1] = MIN (box[1], y - r);
    box[2] = MAX (box[2], x + r);
    box[3] = MAX (box[3], y + r);
  }
  return TRUE;
}

int
ssapp_selection_handles (const SsappStyle *style, const SsappCamera *camera, const SsMark *mark,
                         double points[SSAPP_N_HANDLES][2])
{
  g_return_val_if_fail (style != NULL, 0);
  double x, y, box[4], gap = SELECTION_GAP_PX * style->scale, c = cos (mark->angle), s = sin (mark->angle);

  for (int i = 0; i < SSAPP_N_HANDLES; i++)
    points[i][0] = points[i][1] = NAN;
  ssapp_camera_to_device (camera, mark->position, &x, &y);
  if (mark->kind == SS_MARK_SEGMENT || mark->kind == SS_MARK_SPRING) {
    SsVec2 end = {mark->position.x + mark->vector.x, mark->position.y + mark->vector.y};
    points[SSAPP_HANDLE_NW][0] = x;
    points[SSAPP_HANDLE_NW][1] = y;
    ssapp_camera_to_device (camera, end, &points[SSAPP_HANDLE_SE][0], &points[SSAPP_HANDLE_SE][1]);
    return 2;
  }
  if (mark->kind == SS_MARK_ROPE && mark->n_vertices > 1) {
    const SsVec2 ends[2] = {mark->vertices[0], mark->vertices[mark->n_vertices - 1]};
    for (int i = 0; i < 2; i++) {
      const SsVec2 at = {mark->position.x + ends[i].x, mark->position.y + ends[i].y};
      double *to = points[i == 0 ? SSAPP_HANDLE_NW : SSAPP_HANDLE_SE];
      ssapp_camera_to_device (camera, at, &to[0], &to[1]);
    }
    return 2;
  }
  if (!local_box (camera, mark, box))
    return 0;
  double x0 = box[0] - gap, y0 = box[1] - gap, x1 = box[2] + gap, y1 = box[3] + gap, xm = (x0 + x1) / 2,
         ym = (y0 + y1) / 2;
  const double local[SSAPP_N_HANDLES][2] = {{x0, y0}, {xm, y0}, {x1, y0},
                                            {x1, ym}, {x1, y1}, {xm, y1},
                                            {x0, y1}, {x0, ym}, {x1, y0 - ROTATE_ABOVE_PX * style->scale}};
  for (int i = 0; i < SSAPP_N_HANDLES; i++) { /* turned counter-clockwise in the world = y up */
    points[i][0] = x + c * local[i][0] + s * local[i][1];
    points[i][1] = y - s * local[i][0] + c * local[i][1];
  }
  return SSAPP_N_HANDLES;
}

int
ssapp_handle_at (const SsappStyle *style, const SsappCamera *camera, const SsMark *mark, double x, double y,
                 double tolerance)
{
  g_return_val_if_fail (style != NULL, 0);
  double points[SSAPP_N_HANDLES][2], best = MAX (tolerance, HANDLE_PX * style->scale / 2);
  int found = -1;

  ssapp_selection_handles (style, camera, mark, points);
  for (int i = 0; i < SSAPP_N_HANDLES; i++) {
    double distance = hypot (x - points[i][0], y - points[i][1]);
    if (distance <= best) { /* false for NaN */
      best = distance;
      found = i;
    }
  }
  return found;
}

void
ssapp_draw_pull (cairo_t *cr, const SsappStyle *style, const SsappCamera *camera, SsVec2 on_body, SsVec2 pointer)
{
  const double width = 2, ring = 4; /* px */
  double x0, y0, x1, y1;

  ssapp_camera_to_device (camera, on_body, &x0, &y0);
  ssapp_camera_to_device (camera, pointer, &x1, &y1);
  ssapp_set_color (cr, ssapp_style_time_color (style, 0.5));
  cairo_set_line_width (cr, width);
  cairo_move_to (cr, x0, y0);
  cairo_line_to (cr, x1, y1);
  cairo_stroke (cr);
  cairo_arc (cr, x0, y0, ring, 0, 2 * G_PI);
  cairo_fill (cr);
}

static void
draw_handle (cairo_t *cr, const SsappStyle *style, double x, double y, double angle, gboolean round)
{
  double half = HANDLE_PX * style->scale / 2;
  cairo_save (cr);
  cairo_translate (cr, x, y);
  cairo_rotate (cr, -angle);
  cairo_new_path (cr);
  if (round)
    cairo_arc (cr, 0, 0, half + style->scale, 0, 2 * G_PI);
  else
    cairo_rectangle (cr, -half, -half, 2 * half, 2 * half);
  cairo_set_source_rgb (cr, 1, 1, 1);
  cairo_fill_preserve (cr);
  ssapp_set_color (cr, ssapp_style_color (style, SSAPP_COLOR_ACCENT));
  cairo_set_dash (cr, NULL, 0, 0);
  cairo_set_line_width (cr, ssapp_style_line (style, 1.8));
  cairo_stroke (cr);
  cairo_restore (cr);
}

/* The surface of a half-plane or an arrow's point, in the accent. */
static void
draw_plain_selection (cairo_t *cr, const SsappStyle *style, const SsappCamera *camera, const SsMark *mark)
{
  double x, y;
  ssapp_camera_to_device (camera, mark->position, &x, &y);
  cairo_new_path (cr);
  if (mark->kind == SS_MARK_HALF_PLANE) {
    double reach = 2 * hypot (camera->width, camera->height), ux = cos (mark->angle), uy = -sin (mark->angle);
    double along = (camera->width / 2 - x) * ux + (camera->height / 2 - y) * uy;
    cairo_move_to (cr, x + (along - reach) * ux, y + (along - reach) * uy);
    cairo_line_to (cr, x + (along + reach) * ux, y + (along + reach) * uy);
  } else
    cairo_arc (cr, x, y, (SSAPP_POINT_RADIUS_PX + SELECTION_GAP_PX) * style->scale, 0, 2 * G_PI);
  cairo_stroke (cr);
}

void
ssapp_draw_selection (cairo_t *cr, const SsappStyle *style, const SsappCamera *camera, const SsMark *mark,
                      const SsappSceneFlags *flags)
{
  double points[SSAPP_N_HANDLES][2];

  if (!ssapp_mark_is_finite (mark))
    return;
  int n = ssapp_selection_handles (style, camera, mark, points);
  cairo_save (cr);
  cairo_new_path (cr);
  ssapp_set_color (cr, ssapp_style_color (style, SSAPP_COLOR_ACCENT));
  cairo_set_dash (cr, NULL, 0, 0);
  cairo_set_line_width (cr, ssapp_style_line (style, 2.));
  if (n == SSAPP_N_HANDLES) {
    for (int i = SSAPP_HANDLE_NW; i <= SSAPP_HANDLE_SW; i += 2)
      cairo_line_to (cr, points[i][0], points[i][1]);
    cairo_close_path (cr);
    if (flags->handles || flags->rotation) {
      cairo_move_to (cr, points[SSAPP_HANDLE_NE][0], points[SSAPP_HANDLE_NE][1]);
      cairo_line_to (cr, points[SSAPP_HANDLE_ROTATE][0], points[SSAPP_HANDLE_ROTATE][1]);
    }
    cairo_stroke (cr);
  } else if (n == 0)
    draw_plain_selection (cr, style, camera, mark);
  for (int i = 0; i < SSAPP_N_HANDLES; i++)
    if (isfinite (points[i][0]) && (flags->handles || (flags->rotation && i == SSAPP_HANDLE_ROTATE)))
      draw_handle (cr, style, points[i][0], points[i][1], mark->angle, i == SSAPP_HANDLE_ROTATE);
  cairo_restore (cr);
}

/* ---- a frame ----------------------------------------------------------------------------------------------------- */

/* Of the contact that is drawn by itself (ssapp-contact.h). */
static gboolean
is_drawn_elsewhere (const SsMark *mark, const SsappSceneFlags *flags)
{
  return flags->contact != NULL && (mark->role == SS_ROLE_FORCE || mark->role == SS_ROLE_CONTACT) &&
         g_strcmp0 (mark->name, flags->contact) == 0;
}

void
ssapp_draw_marks (cairo_t *cr, const SsappStyle *style, const SsappCamera *camera, const SsMark *marks, int n_marks,
                  const SsappSceneFlags *flags)
{
  g_return_if_fail (camera != NULL && (marks != NULL || n_marks == 0) && n_marks >= 0 && flags != NULL);
  /* A round value sets the scale, so that it changes rarely from frame to frame. */
  double force = ssapp_marks_largest_arrow (marks, n_marks, SS_ROLE_FORCE);
  double velocity = ssapp_marks_largest_arrow (marks, n_marks, SS_ROLE_VELOCITY);
  SsappMarkPaint paint = {.force_px = ssapp_arrow_px (force > 0. ? ssapp_nice_ceil (force) : 0.),
                          .velocity_px = ssapp_arrow_px (velocity > 0. ? ssapp_nice_ceil (velocity) : 0.)};
  /* The selected contact's points are drawn by its own drawing, so that they are no part of a crowd. */
  const gboolean is_crowd = n_marks >= SSAPP_CROWD_LEAST && flags->contact == NULL;
  gboolean has_pixels;

  if (!(camera->scale > 0.) || !isfinite (camera->scale))
    return;
  cairo_save (cr);
  ssapp_clip_to_canvas (cr, style, camera, flags);
  has_pixels = is_crowd && ssapp_crowd_has_pixels (cr, style);
  for (int layer = 0; layer < SSAPP_N_LAYERS; layer++) {
    for (int i = 0; i < n_marks; i++)
      if (ssapp_mark_layer (&marks[i]) == layer && !is_drawn_elsewhere (&marks[i], flags) &&
          !(is_crowd && ssapp_is_of_crowd (&marks[i], has_pixels)))
        ssapp_draw_mark (cr, style, camera, &marks[i], &paint);
    if (is_crowd)
      ssapp_draw_crowd_layer (cr, style, camera, marks, n_marks, layer, &paint, has_pixels);
  }
  if (flags->labels)
    ssapp_draw_labels (cr, style, camera, marks, n_marks);
  for (int i = 0; i < n_marks && flags->selected != NULL; i++)
    if (marks[i].role != SS_ROLE_CENTRE && marks[i].visible && g_strcmp0 (marks[i].name, flags->selected) == 0) {
      ssapp_draw_selection (cr, style, camera, &marks[i], flags);
      break;
    }
  cairo_restore (cr);
}

/* ---- hit test ---------------------------------------------------------------------------------------------------- */

static double
distance_to_segment (double x, double y, double ax, double ay, double bx, double by)
{
  double dx = bx - ax, dy = by - ay, length2 = dx * dx + dy * dy;
  double s = length2 > 0. ? CLAMP (((x - ax) * dx + (y - ay) * dy) / length2, 0., 1.) : 0.;
  return hypot (x - ax - s * dx, y - ay - s * dy);
}

/* Inside (even-odd) or at most `reach` [m] from the edge; p in the mark's frame. */
static gboolean
polygon_hit (const SsMark *mark, SsVec2 p, double reach)
{
  gboolean inside = FALSE;
  for (int i = 0, j = mark->n_vertices - 1; i < mark->n_vertices; j = i++) {
    SsVec2 a = mark->vertices[j], b = mark->vertices[i];
    if (distance_to_segment (p.x, p.y, a.x, a.y, b.x, b.y) <= reach)
      return TRUE;
    if ((a.y > p.y) != (b.y > p.y) && p.x < (b.x - a.x) * (p.y - a.y) / (b.y - a.y) + a.x)
      inside = !inside;
  }
  return inside;
}

/* At most `reach` [m] from the line; p in the mark's frame. */
static gboolean
coupling_hit (const SsMark *mark, SsVec2 p, double reach)
{
  const int n = ss_mark_n_line_points (mark);

  for (int i = 0; i + 1 < n; i++) {
    const SsVec2 a = ss_mark_line_point (mark, i), b = ss_mark_line_point (mark, i + 1);
    if (distance_to_segment (p.x, p.y, a.x, a.y, b.x, b.y) <= reach)
      return TRUE;
  }
  return FALSE;
}

static gboolean
mark_hit (const SsappCamera *camera, const SsMark *mark, double x, double y, double tolerance)
{
  /* Radius of point marks as painted [px]. */
  static const double POINT_PX = 5., ANGLE_PX = 44., NOTE_PX = 60.;
  SsVec2 world = ssapp_camera_to_world (camera, x, y);
  double reach = tolerance / camera->scale, dx = world.x - mark->position.x, dy = world.y - mark->position.y;
  double c = cos (mark->angle), s = sin (mark->angle);
  SsVec2 p = {c * dx + s * dy, -s * dx + c * dy};

  switch (mark->kind) {
  case SS_MARK_POLYGON:
    return polygon_hit (mark, p, reach);
  case SS_MARK_CAPSULE:
    return distance_to_segment (p.x, p.y, mark->vertices[0].x, mark->vertices[0].y, mark->vertices[1].x,
                                mark->vertices[1].y) <= mark->radius + reach;
  case SS_MARK_CIRCLE:
    return hypot (p.x, p.y) <= mark->radius + reach;
  case SS_MARK_HALF_PLANE:
    return p.y <= reach;
  case SS_MARK_SEGMENT:
  case SS_MARK_SPRING:
    return distance_to_segment (dx, dy, 0, 0, mark->vector.x, mark->vector.y) <= reach;
  case SS_MARK_ROPE:
  case SS_MARK_GEAR:
    return coupling_hit (mark, p, reach);
  case SS_MARK_DISTANCE: /* but for its ends, which lie on bodies */
    return distance_to_segment (dx, dy, 0.2 * mark->vector.x, 0.2 * mark->vector.y, 0.8 * mark->vector.x,
                                0.8 * mark->vector.y) <= reach;
  case SS_MARK_ARROW: /* its painted length depends on the picture's arrow scale: the acting point is what can be hit */
  case SS_MARK_POINT:
    return hypot (dx, dy) * camera->scale <= POINT_PX + tolerance;
  case SS_MARK_ANGLE: /* its arc and the directions to it */
    return hypot (dx, dy) * camera->scale <= ANGLE_PX;
  case SS_MARK_NOTE: /* the beginning of its text */
    return dx * camera->scale >= -tolerance && dx * camera->scale <= NOTE_PX &&
           fabs (dy) * camera->scale <= POINT_PX + tolerance;
  default:
    return FALSE;
  }
}

int
ssapp_hit_test (const SsappCamera *camera, const SsMark *marks, int n_marks, double x, double y, double tolerance)
{
  g_return_val_if_fail (camera != NULL && (marks != NULL || n_marks == 0), -1);
  for (int layer = SSAPP_N_LAYERS - 1; layer >= 0; layer--)
    for (int i = n_marks - 1; i >= 0; i--) {
      const SsMark *mark = &marks[i];
      gboolean decoration =
          (mark->role == SS_ROLE_CENTRE || mark->role == SS_ROLE_GUIDE) && (mark->name == NULL || *mark->name == '\0');
      if (mark->visible && !decoration && ssapp_mark_layer (mark) == layer && mark_hit (camera, mark, x, y, tolerance))
        return i;
    }
  return -1;
}

const char *
ssapp_hit_body (const SsappCamera *camera, const SsMark *marks, int n_marks, double x, double y, double tolerance)
{
  int index = n_marks;

  while (index > 0) {
    index = ssapp_hit_test (camera, marks, index, x, y, tolerance);
    if (index >= 0 && marks[index].role == SS_ROLE_BODY)
      return marks[index].name;
  }
  return NULL;
}
