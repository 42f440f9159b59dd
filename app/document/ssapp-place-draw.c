/* app/document/ssapp-place-draw.c: see the header. */
#include "app/document/ssapp-place-draw.h"

#include "app/document/ssapp-quantity.h"
#include "app/draw/ssapp-draw-parts.h"

#include <math.h>

/* px at 100 % */
static const double EDGE_PX = 4., SQUARE_PX = 8., HINT_PAD_PX = 9., HINT_ABOVE_PX = 26., FOOT_PX = 11.,
                    FOOT_TEETH_PX = 5., DEVICE_LIMIT = 1e5;
static const int MAX_DRAWN_OVERLAPS = 20;

static void
rounded (cairo_t *cr, double x, double y, double w, double h, double r)
{
  cairo_new_sub_path (cr);
  cairo_arc (cr, x + w - r, y + r, r, -G_PI / 2, 0);
  cairo_arc (cr, x + w - r, y + h - r, r, 0, G_PI / 2);
  cairo_arc (cr, x + r, y + h - r, r, G_PI / 2, G_PI);
  cairo_arc (cr, x + r, y + r, r, G_PI, 3 * G_PI / 2);
  cairo_close_path (cr);
}

static gboolean
to_device (const SsappCamera *camera, SsVec2 p, double *x, double *y)
{
  ssapp_camera_to_device (camera, p, x, y);
  return fabs (*x) < DEVICE_LIMIT && fabs (*y) < DEVICE_LIMIT;
}

/* ---- snap -------------------------------------------------------------------------------------------------------- */

static void
draw_square (cairo_t *cr, const SsappStyle *style, double x, double y)
{
  const double s = SQUARE_PX * style->scale;

  cairo_rectangle (cr, x - s / 2, y - s / 2, s, s);
  ssapp_set_color (cr, ssapp_style_color (style, SSAPP_COLOR_VIEW));
  cairo_fill_preserve (cr);
  ssapp_set_color (cr, ssapp_style_color (style, SSAPP_COLOR_ACCENT));
  cairo_set_line_width (cr, ssapp_style_line (style, 2));
  cairo_stroke (cr);
}

void
ssapp_draw_snap (cairo_t *cr, const SsappStyle *style, const SsappCamera *camera, const SsappSnap *snap)
{
  g_return_if_fail (snap != NULL);

  double x0, y0, x1, y1;

  if (snap->kind == SSAPP_SNAP_NONE || snap->kind == SSAPP_SNAP_GRID)
    return;
  cairo_save (cr);
  cairo_new_path (cr);
  cairo_set_dash (cr, NULL, 0, 0);
  if (snap->has_edge && to_device (camera, snap->edge[0], &x0, &y0) && to_device (camera, snap->edge[1], &x1, &y1)) {
    ssapp_set_color (cr, ssapp_style_color (style, SSAPP_COLOR_ACCENT));
    cairo_set_line_width (cr, ssapp_style_line (style, EDGE_PX));
    cairo_move_to (cr, x0, y0);
    cairo_line_to (cr, x1, y1);
    cairo_stroke (cr);
    if (snap->kind == SSAPP_SNAP_FLUSH) {
      draw_square (cr, style, x0, y0);
      draw_square (cr, style, x1, y1);
    }
  }
  if (snap->kind != SSAPP_SNAP_FLUSH && to_device (camera, snap->at, &x0, &y0))
    draw_square (cr, style, x0, y0);
  cairo_restore (cr);
}

/* ---- hint -------------------------------------------------------------------------------------------------------- */

static double
keep_within (double at, double size, double limit)
{
  const double margin = 4;

  return MAX (MIN (at, limit - size - margin), margin);
}

/* The entry: label, text, unit of each number; a frame about the one that is typed into. */
static void
draw_entry (cairo_t *cr, const SsappStyle *style, const SsappCamera *camera, double x, double y,
            const SsappTyped *typed, gboolean is_wrong)
{
  const double pad = HINT_PAD_PX * style->scale, size = style->font_size;
  const int n = ssapp_typed_n_fields (typed->kind);
  double widths[SSAPP_TYPED_FIELDS][3], width = pad, height;
  const double least = 40 * style->scale;
  SsappColor accent =
      is_wrong ? ssapp_style_color (style, SSAPP_COLOR_FORCE) : ssapp_style_color (style, SSAPP_COLOR_ACCENT);

  ssapp_text_measure (style, size, FALSE, "0", NULL, &height);
  for (int f = 0; f < n; f++) {
    ssapp_text_measure (style, size, FALSE, ssapp_typed_label (typed->kind, f), &widths[f][0], NULL);
    ssapp_text_measure (style, size, FALSE, typed->text[f], &widths[f][1], NULL);
    ssapp_text_measure (style, size, FALSE, ssapp_typed_unit (typed->kind, f), &widths[f][2], NULL);
    widths[f][1] = MAX (widths[f][1] + pad, least);
    width += widths[f][0] + widths[f][1] + widths[f][2] + 2.2 * pad;
  }
  height += pad;
  x = keep_within (x, width, camera->width);
  y = keep_within (y, height + pad, camera->height);
  rounded (cr, x, y, width, height + pad, 8 * style->scale);
  ssapp_set_color (cr, ssapp_style_color (style, SSAPP_COLOR_CARD));
  cairo_fill_preserve (cr);
  ssapp_set_color (cr, ssapp_style_color (style, SSAPP_COLOR_GRID_MAJOR));
  cairo_set_line_width (cr, 1);
  cairo_stroke (cr);
  x += pad;
  for (int f = 0; f < n; f++) {
    SsappTextStyle dim = {.size = size, .color = ssapp_style_color (style, SSAPP_COLOR_DIM), .anchor_y = .5},
                   plain = {.size = size, .color = ssapp_style_color (style, SSAPP_COLOR_FOREGROUND), .anchor_y = .5};
    const double middle = y + (height + pad) / 2;

    ssapp_text_draw (cr, style, &dim, x, middle, ssapp_typed_label (typed->kind, f));
    x += widths[f][0] + 0.6 * pad;
    rounded (cr, x, y + pad / 2, widths[f][1], height, 5 * style->scale);
    ssapp_set_color (cr, f == typed->field ? accent : ssapp_color_with_alpha (dim.color, .5));
    cairo_set_line_width (cr, ssapp_style_line (style, f == typed->field ? 2 : 1));
    cairo_stroke (cr);
    ssapp_text_draw (cr, style, &plain, x + pad / 2, middle, typed->text[f]);
    if (f == typed->field) { /* where the next character comes */
      double typed_width = 0;
      if (typed->text[f][0] != '\0')
        ssapp_text_measure (style, size, FALSE, typed->text[f], &typed_width, NULL);
      cairo_move_to (cr, x + pad / 2 + typed_width + 1, y + pad);
      cairo_line_to (cr, x + pad / 2 + typed_width + 1, y + height);
      ssapp_set_color (cr, plain.color);
      cairo_set_line_width (cr, 1);
      cairo_stroke (cr);
    }
    x += widths[f][1] + 0.4 * pad;
    ssapp_text_draw (cr, style, &dim, x, middle, ssapp_typed_unit (typed->kind, f));
    x += widths[f][2] + 1.2 * pad;
  }
}

void
ssapp_draw_hint (cairo_t *cr, const SsappStyle *style, const SsappCamera *camera, double x, double y, const char *text,
                 const SsappTyped *typed, gboolean is_wrong)
{
  g_return_if_fail (style != NULL && camera != NULL);

  const double pad = HINT_PAD_PX * style->scale, above = HINT_ABOVE_PX * style->scale;

  cairo_save (cr);
  cairo_new_path (cr);
  cairo_set_dash (cr, NULL, 0, 0);
  if (text != NULL && *text != '\0') {
    const SsappColor ink = ssapp_style_color (style, SSAPP_COLOR_FOREGROUND),
                     paper = ssapp_style_color (style, SSAPP_COLOR_VIEW);
    SsappTextStyle bold = {.size = style->font_size, .bold = TRUE, .color = paper, .anchor_y = .5};
    double width, height, left, top;

    ssapp_text_measure (style, bold.size, TRUE, text, &width, &height);
    width += 2 * pad;
    height += pad;
    left = keep_within (x - width / 2, width, camera->width);
    top = keep_within (y - above - height, height, camera->height);
    rounded (cr, left, top, width, height, height / 2);
    ssapp_set_color (cr, ssapp_color_with_alpha (ink, .9));
    cairo_fill (cr);
    ssapp_text_draw (cr, style, &bold, left + pad, top + height / 2, text);
  }
  if (typed != NULL && typed->is_active)
    draw_entry (cr, style, camera, x + above / 2, y + above / 2, typed, is_wrong);
  cairo_restore (cr);
}

/* ---- overlaps ---------------------------------------------------------------------------------------------------- */

static void
trace_body (cairo_t *cr, const SsappCamera *camera, const SsScene *scene, int body)
{
  g_autoptr (GArray) faces = ssapp_place_faces (scene, body, scene->bodies[body].q);
  const SsBody *about = &scene->bodies[body];

  for (guint i = 0; i < faces->len; i++) {
    const SsappFace *face = &g_array_index (faces, SsappFace, i);
    double x0, y0, x1, y1;
    if (face->is_endless || !to_device (camera, face->from, &x0, &y0) || !to_device (camera, face->to, &x1, &y1))
      continue;
    cairo_move_to (cr, x0, y0);
    cairo_line_to (cr, x1, y1);
  }
  for (int i = 0; i < about->n_shapes; i++) {
    const SsShape *shape = &about->shapes[i];
    const double c = cos (about->q[2]), s = sin (about->q[2]), r = shape->radius * camera->scale;
    double x, y;
    SsVec2 at = {about->q[0] + c * shape->centre.x - s * shape->centre.y,
                 about->q[1] + s * shape->centre.x + c * shape->centre.y};
    if (shape->kind != SS_SHAPE_CIRCLE || !to_device (camera, at, &x, &y) || !(r < DEVICE_LIMIT))
      continue;
    cairo_new_sub_path (cr);
    cairo_arc (cr, x, y, r, 0, 2 * G_PI);
  }
}

void
ssapp_draw_overlaps (cairo_t *cr, const SsappStyle *style, const SsappCamera *camera, const SsScene *scene,
                     const GArray *overlaps)
{
  g_return_if_fail (style != NULL && scene != NULL && overlaps != NULL);

  const SsappColor color = ssapp_style_color (style, SSAPP_COLOR_FORCE);
  const double dash[2] = {5 * style->scale, 3 * style->scale};

  cairo_save (cr);
  for (guint i = 0; i < overlaps->len && (int)i < MAX_DRAWN_OVERLAPS; i++) {
    const SsappOverlap *overlap = &g_array_index (overlaps, SsappOverlap, i);
    g_autofree char *text = ssapp_length_text (overlap->depth);
    SsappTextStyle label = {
        .size = style->font_size, .bold = TRUE, .color = color, .anchor_x = .5, .anchor_y = 1, .halo = TRUE};
    SsVec2 out = {overlap->point.x - overlap->depth * overlap->normal.x,
                  overlap->point.y - overlap->depth * overlap->normal.y};
    double x0, y0, x1, y1;

    cairo_new_path (cr);
    trace_body (cr, camera, scene, overlap->a);
    trace_body (cr, camera, scene, overlap->b);
    ssapp_set_color (cr, color);
    cairo_set_dash (cr, dash, 2, 0);
    cairo_set_line_width (cr, ssapp_style_line (style, 2));
    cairo_stroke (cr);
    if (!to_device (camera, overlap->point, &x0, &y0) || !to_device (camera, out, &x1, &y1))
      continue;
    cairo_set_dash (cr, NULL, 0, 0);
    cairo_move_to (cr, x0, y0);
    cairo_line_to (cr, x1, y1);
    cairo_set_line_width (cr, ssapp_style_line (style, 3));
    cairo_stroke (cr);
    ssapp_text_draw (cr, style, &label, (x0 + x1) / 2, MIN (y0, y1) - 16 * style->scale, text);
  }
  cairo_restore (cr);
}

/* ---- joints to the world ----------------------------------------------------------------------------------------- */

/* A base line with teeth below the point; `up` is its outer normal on the surface. */
static void
draw_foot (cairo_t *cr, const SsappStyle *style, double x, double y, SsVec2 up)
{
  const double half = FOOT_PX * style->scale, depth = FOOT_TEETH_PX * style->scale, gap = 7 * style->scale;
  const SsVec2 t = {-up.y, up.x};
  const double bx = x - gap * up.x, by = y - gap * up.y;

  cairo_move_to (cr, x, y);
  cairo_line_to (cr, bx - .6 * half * t.x, by - .6 * half * t.y);
  cairo_move_to (cr, x, y);
  cairo_line_to (cr, bx + .6 * half * t.x, by + .6 * half * t.y);
  cairo_move_to (cr, bx - half * t.x, by - half * t.y);
  cairo_line_to (cr, bx + half * t.x, by + half * t.y);
  for (int i = -2; i <= 2; i++) {
    const double sx = bx + i * half / 2.2 * t.x, sy = by + i * half / 2.2 * t.y;
    cairo_move_to (cr, sx, sy);
    cairo_line_to (cr, sx - depth * (up.x + .7 * t.x), sy - depth * (up.y + .7 * t.y));
  }
}

void
ssapp_draw_grounded_joints (cairo_t *cr, const SsappStyle *style, const SsappCamera *camera, const SsScene *scene)
{
  g_return_if_fail (scene != NULL);
  cairo_save (cr);
  cairo_new_path (cr);
  cairo_set_dash (cr, NULL, 0, 0);
  for (int k = 0; k < scene->n_joints + scene->n_springs; k++) {
    const gboolean is_spring = k >= scene->n_joints;
    const int body = is_spring ? scene->springs[k - scene->n_joints].body_a : scene->joints[k].body_a;
    const SsVec2 anchor = is_spring ? scene->springs[k - scene->n_joints].anchor_a : scene->joints[k].anchor_a;
    SsVec2 up = {0, -1}; /* of the surface, whose y goes down */
    double x, y;

    if (body >= 0 || (!is_spring && scene->joints[k].kind == SS_JOINT_FORMULA) || !to_device (camera, anchor, &x, &y))
      continue;
    if (!is_spring && scene->joints[k].kind == SS_JOINT_SLIDER) { /* beside its rail */
      const SsVec2 axis = scene->joints[k].axis;
      const double sign = axis.x < 0 ? -1 : 1;
      up = (SsVec2){-sign * axis.y, -sign * axis.x};
    }
    draw_foot (cr, style, x, y, up);
  }
  ssapp_set_color (cr, ssapp_style_color (style, SSAPP_COLOR_FIXED));
  cairo_set_line_width (cr, ssapp_style_line (style, 1.4));
  cairo_stroke (cr);
  cairo_restore (cr);
}
