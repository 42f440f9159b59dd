/* ui/canvas/ssui-canvas-shape.c: tools of the canvas that draw capsules, segments and polygons, shapes into the
 * selected body (Shift), welds, torsion springs, the one that drives joints, and the knife.
 * Hooks: ssui-canvas-pointer.c. */
#include "ui/canvas/ssui-canvas-private.h"
#include "ui/canvas/ssui-canvas-snap.h"

#include <glib/gi18n.h>
#include <math.h>

#define CLOSE_PX  9.0 /* a click this near to the first corner closes the polygon */
#define CORNER_PX 3.5
#define REACH_PX  6.0 /* beside a thin body that still counts */

/* ---- what is drawn ----------------------------------------------------------------------------------------------- */

/* The kind of a tool's shape; FALSE for other tools. */
static gboolean
shape_of_tool (SsuiTool tool, SsappShapeKind *kind)
{
  switch (tool) {
  case SSUI_TOOL_BOX:
    *kind = SSAPP_SHAPE_BOX;
    return TRUE;
  case SSUI_TOOL_DISC:
    *kind = SSAPP_SHAPE_DISC;
    return TRUE;
  case SSUI_TOOL_CAPSULE:
    *kind = SSAPP_SHAPE_CAPSULE;
    return TRUE;
  case SSUI_TOOL_POLYGON:
    *kind = SSAPP_SHAPE_POLYGON;
    return TRUE;
  case SSUI_TOOL_SEGMENT:
    *kind = SSAPP_SHAPE_SEGMENT;
    return TRUE;
  default:
    return FALSE;
  }
}

/* The selected body while the next shape becomes one of its own; NULL else. */
static const char *
body_drawn_into (SsuiCanvas *self)
{
  return self->draws_into ? ssapp_document_get_selected (self->document) : NULL;
}

gboolean
ssui_canvas_is_shape_tool (SsuiCanvas *self)
{
  return self->tool >= SSUI_TOOL_CAPSULE || body_drawn_into (self) != NULL;
}

static gboolean
drive_joint (SsuiCanvas *self, SsVec2 at, GError **error)
{
  g_autofree char *item = NULL;
  double x, y;

  ssapp_camera_to_device (&self->camera, at, &x, &y);
  item = ssapp_document_hit_item (self->document, &self->camera, x, y, REACH_PX);
  if (item == NULL || !g_str_has_prefix (item, "scene.joints[")) {
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, _ ("Click on a pin or a slider"));
    return FALSE;
  }
  ssapp_document_select_item (self->document, item);
  return ssapp_document_set_motor_law (self->document, item, SSAPP_MOTOR_SPEED, error);
}

static gboolean
cut_bodies (SsuiCanvas *self, SsVec2 from, SsVec2 to, GError **error)
{
  g_autofree char *told = NULL;

  if (!ssapp_document_cut (self->document, from, to, NULL, &told, error))
    return FALSE;
  g_signal_emit (self, ssui_canvas_signals[SSUI_CANVAS_REFUSED], 0, told);
  return TRUE;
}

/* What tools of the picture under the sheet do between two points. */
static gboolean
use_picture (SsuiCanvas *self, SsVec2 from, SsVec2 to, GError **error)
{
  if (!ssapp_sheet_picture_require (self->picture, error))
    return FALSE;
  if (self->tool == SSUI_TOOL_TRACE)
    return ssapp_sheet_picture_trace (self->picture, from, error);
  if (self->tool == SSUI_TOOL_PICTURE_MOVE)
    ssapp_sheet_picture_move (self->picture, to.x - from.x, to.y - from.y);
  else
    gtk_widget_activate_action (GTK_WIDGET (self), "win.picture-distance-dialog", "(dddd)", from.x, from.y, to.x, to.y);
  return TRUE;
}

gboolean
ssui_canvas_finish_shape (SsuiCanvas *self, SsVec2 from, SsVec2 to, GError **error)
{
  g_autofree char *body = g_strdup (body_drawn_into (self));
  const SsVec2 points[2] = {from, to};
  const double reach = REACH_PX / self->camera.scale;
  SsappShapeKind kind;

  self->draws_into = FALSE;
  if (shape_of_tool (self->tool, &kind))
    return ssapp_document_draw_shape (self->document, kind, points, 2, body, error);
  if (self->tool == SSUI_TOOL_MOTOR)
    return drive_joint (self, from, error);
  if (self->tool == SSUI_TOOL_MEASURE)
    return ssapp_document_add_measure (self->document, from, to, reach, error);
  if (self->tool == SSUI_TOOL_KNIFE)
    return cut_bodies (self, from, to, error);
  if (self->tool >= SSUI_TOOL_TRACE)
    return use_picture (self, from, to, error);
  if (self->tool == SSUI_TOOL_NOTE)
    return ssapp_document_add_note (self->document, from, _ ("Note"), error);
  const SsappJointKind joint = self->tool == SSUI_TOOL_WELD      ? SSAPP_JOINT_WELD
                               : self->tool == SSUI_TOOL_TORSION ? SSAPP_JOINT_TORSION
                               : self->tool == SSUI_TOOL_GEAR    ? SSAPP_JOINT_GEAR
                                                                 : SSAPP_JOINT_ROPE;
  return ssapp_document_add_joint (self->document, joint, from, to, reach, error);
}

/* ---- polygons ---------------------------------------------------------------------------------------------------- */

static void
announce (SsuiCanvas *self)
{
  g_autofree char *hint = ssui_canvas_shape_hint (self);

  if (hint != NULL)
    g_signal_emit (self, ssui_canvas_signals[SSUI_CANVAS_POINTER_MOVED], 0, hint);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
ssui_canvas_drop_corners (SsuiCanvas *self)
{
  g_array_set_size (self->corners, 0);
  self->draws_into = FALSE;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
close_polygon (SsuiCanvas *self)
{
  g_autoptr (GError) error = NULL;
  gboolean done =
      ssapp_document_draw_shape (self->document, SSAPP_SHAPE_POLYGON, (const SsVec2 *)(const void *)self->corners->data,
                                 (int)self->corners->len, body_drawn_into (self), &error);

  if (!done) { /* the corners stay, to be taken back or moved on from */
    g_signal_emit (self, ssui_canvas_signals[SSUI_CANVAS_REFUSED], 0, error->message);
    return;
  }
  ssui_canvas_drop_corners (self);
  g_signal_emit (self, ssui_canvas_signals[SSUI_CANVAS_TOOL_FINISHED], 0);
}

gboolean
ssui_canvas_press_shape (SsuiCanvas *self, double x, double y, GdkModifierType state)
{
  SsVec2 p = self->tool == SSUI_TOOL_POLYGON ? ssui_canvas_snap_pen_down (self, x, y) : (SsVec2){0, 0};
  const guint n = self->corners->len;
  double fx, fy;

  if (n == 0)
    self->draws_into = (state & GDK_SHIFT_MASK) != 0 && ssapp_document_get_selected (self->document) != NULL;
  if (self->tool != SSUI_TOOL_POLYGON)
    return FALSE;
  if (n >= 3) {
    ssapp_camera_to_device (&self->camera, g_array_index (self->corners, SsVec2, 0), &fx, &fy);
    if (hypot (x - fx, y - fy) <= CLOSE_PX) {
      close_polygon (self);
      return TRUE;
    }
  }
  if (n == 0 || hypot (p.x - g_array_index (self->corners, SsVec2, n - 1).x,
                       p.y - g_array_index (self->corners, SsVec2, n - 1).y) > 0)
    g_array_append_val (self->corners, p);
  self->drag_to = p;
  announce (self);
  return TRUE;
}

void
ssui_canvas_move_shape (SsuiCanvas *self, double x, double y)
{
  if (self->corners->len == 0)
    return;
  self->drag_to = ssui_canvas_snap_pen_down (self, x, y);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

gboolean
ssui_canvas_key_shape (SsuiCanvas *self, guint key)
{
  if (self->corners->len == 0)
    return FALSE;
  switch (key) {
  case GDK_KEY_Return:
  case GDK_KEY_KP_Enter:
    close_polygon (self);
    return TRUE;
  case GDK_KEY_BackSpace:
    g_array_set_size (self->corners, self->corners->len - 1);
    announce (self);
    return TRUE;
  case GDK_KEY_Escape:
    ssui_canvas_drop_corners (self);
    return TRUE;
  default:
    return FALSE;
  }
}

char *
ssui_canvas_shape_hint (SsuiCanvas *self)
{
  const char *body = body_drawn_into (self);
  const double length = hypot (self->drag_to.x - self->drag_from.x, self->drag_to.y - self->drag_from.y);

  if (self->corners->len > 0)
    return self->corners->len < 3
               ? g_strdup_printf (_ ("x %.3f m  y %.3f m, corner %u"), self->drag_to.x, self->drag_to.y,
                                  self->corners->len + 1)
               : g_strdup_printf (_ ("x %.3f m  y %.3f m, Return closes"), self->drag_to.x, self->drag_to.y);
  if (!self->is_drawing)
    return NULL;
  if (self->tool == SSUI_TOOL_CAPSULE)
    return g_strdup_printf (body != NULL ? _ ("length %.3f m, radius %.3f m, into %s")
                                         : _ ("length %.3f m, radius %.3f m"),
                            length, ssapp_document_capsule_radius (self->document, length), body);
  if (self->tool == SSUI_TOOL_SEGMENT)
    return g_strdup_printf (body != NULL ? _ ("length %.3f m, into %s") : _ ("length %.3f m"), length, body);
  if (self->tool == SSUI_TOOL_PICTURE_SCALE)
    return g_strdup_printf (_ ("length %.3f m"), length);
  if (self->tool == SSUI_TOOL_KNIFE)
    return ssapp_document_describe_cut (self->document, self->drag_from, self->drag_to);
  return NULL;
}

/* ---- picture ----------------------------------------------------------------------------------------------------- */

static void
draw_corners (SsuiCanvas *self, cairo_t *cr, const SsappStyle *style)
{
  SsappColor color = ssapp_style_time_color (style, 0.5);
  const double line = 2, faint = 0.15;
  double x, y;

  cairo_save (cr);
  cairo_new_path (cr);
  for (guint i = 0; i < self->corners->len; i++) {
    ssapp_camera_to_device (&self->camera, g_array_index (self->corners, SsVec2, i), &x, &y);
    cairo_line_to (cr, x, y);
  }
  ssapp_camera_to_device (&self->camera, self->drag_to, &x, &y);
  cairo_line_to (cr, x, y);
  cairo_set_source_rgba (cr, color.r, color.g, color.b, faint);
  cairo_fill_preserve (cr);
  cairo_set_source_rgba (cr, color.r, color.g, color.b, color.a);
  cairo_set_line_width (cr, line);
  cairo_stroke (cr);
  for (guint i = 0; i < self->corners->len; i++) {
    ssapp_camera_to_device (&self->camera, g_array_index (self->corners, SsVec2, i), &x, &y);
    cairo_arc (cr, x, y, i == 0 ? 1.5 * CORNER_PX : CORNER_PX, 0, 2 * G_PI);
    if (i == 0) /* the one that closes it */
      cairo_stroke (cr);
    else
      cairo_fill (cr);
  }
  cairo_restore (cr);
}

gboolean
ssui_canvas_draw_shape_pen (SsuiCanvas *self, cairo_t *cr, const SsappStyle *style)
{
  SsVec2 a = self->drag_from, b = self->drag_to, ends[2] = {{0, 0}, {b.x - a.x, b.y - a.y}};
  SsappSceneFlags flags = {0};
  SsMark mark = {.name = "", .color = "green", .visible = TRUE, .role = SS_ROLE_BODY, .position = a};

  if (self->corners->len > 0) {
    draw_corners (self, cr, style);
    return TRUE;
  }
  if (self->tool == SSUI_TOOL_TRACE && self->picture != NULL) { /* what a click would make */
    const SsVec2 *outline = ssapp_sheet_picture_get_outline (self->picture, &mark.n_vertices);
    mark.kind = SS_MARK_POLYGON;
    mark.position = (SsVec2){0, 0};
    mark.vertices = (SsVec2 *)outline;
    if (outline != NULL)
      ssapp_draw_marks (cr, style, &self->camera, &mark, 1, &flags);
    return TRUE;
  }
  if (!self->is_drawing || self->tool < SSUI_TOOL_CAPSULE)
    return FALSE;
  if (self->tool == SSUI_TOOL_CAPSULE || self->tool == SSUI_TOOL_SEGMENT) {
    mark.kind = SS_MARK_CAPSULE;
    mark.n_vertices = 2;
    mark.vertices = ends;
    mark.radius = self->tool == SSUI_TOOL_CAPSULE
                      ? ssapp_document_capsule_radius (self->document, hypot (ends[1].x, ends[1].y))
                      : 0;
    mark.role = self->tool == SSUI_TOOL_CAPSULE ? SS_ROLE_BODY : SS_ROLE_FIXED;
    if (ends[1].x == 0 && ends[1].y == 0) /* no direction yet */
      return TRUE;
  } else if (self->tool == SSUI_TOOL_KNIFE || self->tool >= SSUI_TOOL_PICTURE_SCALE) {
    mark.kind = SS_MARK_SEGMENT;
    mark.role = SS_ROLE_GUIDE;
    mark.color = "";
    mark.vector = ends[1];
  } else if (self->tool == SSUI_TOOL_MEASURE) {
    mark.kind = SS_MARK_DISTANCE;
    mark.vector = ends[1];
    mark.value = hypot (ends[1].x, ends[1].y);
  } else {
    mark.kind = SS_MARK_POINT;
    mark.role = SS_ROLE_CONTACT;
    mark.color = "";
  }
  ssapp_draw_marks (cr, style, &self->camera, &mark, 1, &flags);
  return TRUE;
}
