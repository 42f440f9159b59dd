/* ui/canvas/ssui-canvas-pen.c: the pen of a tool by keys: arrows move it, Return puts it down where a press of the
 * pointer would be, and lifts it where that would be let go. Also what is told of pointer and pen, and where a trace
 * would begin, by either.
 * Tests: tests/ui/test_knife.py, test_picture.py */
#include "ui/canvas/ssui-canvas-drag.h"
#include "ui/canvas/ssui-canvas-snap.h"

#include "app/base/ssapp-text.h"

#include <glib/gi18n.h>
#include <math.h>

#define PEN_PX   9.0  /* half the length of the cross         */
#define MARGIN   40.0 /* px of the sheet's edge: it goes along */
#define REST_MS  150  /* of the pointer, before a trace is looked for */
#define MOVED_PX 2.0  /* less is no movement of the pointer          */

/* ---- what is told ------------------------------------------------------------------------------------------------ */

/* Angle of what is being turned [deg]. */
static double
held_angle (SsuiCanvas *self)
{
  const SsMark *mark = ssapp_document_get_selected_mark (self->document);
  return mark != NULL ? mark->angle * 180 / G_PI : 0;
}

void
ssui_canvas_tell_pointer (SsuiCanvas *self)
{
  SsVec2 p = ssui_canvas_world_at (self, self->pointer_x, self->pointer_y, FALSE);
  g_autofree char *shape = ssui_canvas_shape_hint (self),
                  *text = shape != NULL ? g_steal_pointer (&shape) : ssui_canvas_describe_snap (self);
  double w = fabs (self->drag_to.x - self->drag_from.x), h = fabs (self->drag_to.y - self->drag_from.y);

  if (text != NULL)
    ;
  else if (self->is_drawing && self->tool == SSUI_TOOL_BOX)
    text = g_strdup_printf ("%.3f m × %.3f m", w, h);
  else if (self->is_drawing && self->tool == SSUI_TOOL_DISC)
    text = g_strdup_printf (_ ("radius %.3f m"), hypot (w, h));
  else if (self->is_drawing &&
           (self->tool == SSUI_TOOL_ROD || self->tool == SSUI_TOOL_SPRING || self->tool == SSUI_TOOL_ROPE))
    text = g_strdup_printf (_ ("length %.3f m"), hypot (w, h));
  else if (self->is_turning)
    text = g_strdup_printf ("angle %.1f°", ssapp_text_zero (held_angle (self), 0.1));
  else
    text = g_strdup_printf ("x %.3f m  y %.3f m", ssapp_text_zero (p.x, 1e-3), ssapp_text_zero (p.y, 1e-3));
  g_signal_emit (self, ssui_canvas_signals[SSUI_CANVAS_POINTER_MOVED], 0, text);
}

/* ---- where a trace would begin ----------------------------------------------------------------------------------- */

static gboolean
on_rest (gpointer data)
{
  SsuiCanvas *self = data;
  const SsVec2 at = self->has_pen ? self->pen : ssui_canvas_world_at (self, self->pointer_x, self->pointer_y, FALSE);

  self->rest_timer = 0;
  ssapp_sheet_picture_point (self->picture, self->tool == SSUI_TOOL_TRACE ? &at : NULL);
  return G_SOURCE_REMOVE;
}

void
ssui_canvas_point_trace (SsuiCanvas *self, gboolean is_there)
{
  g_clear_handle_id (&self->rest_timer, g_source_remove);
  if (self->picture == NULL)
    return;
  if (self->tool == SSUI_TOOL_TRACE && is_there)
    self->rest_timer = g_timeout_add (REST_MS, on_rest, self);
  else
    ssapp_sheet_picture_point (self->picture, NULL);
}

/* ---- the pen ----------------------------------------------------------------------------------------------------- */

/* Tools that take a point, with nothing to be dragged. */
static gboolean
takes_point (SsuiTool tool)
{
  return tool == SSUI_TOOL_TRACE || tool == SSUI_TOOL_NOTE || tool == SSUI_TOOL_MOTOR || tool == SSUI_TOOL_PIN ||
         tool == SSUI_TOOL_WELD || tool == SSUI_TOOL_TORSION;
}

void
ssui_canvas_drop_pen (SsuiCanvas *self)
{
  if (self->is_drawing) /* with the pen, or with the pointer */
    ssui_canvas_cancel (self);
  if (!self->has_pen)
    return;
  self->has_pen = FALSE;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
ssui_canvas_note_pointer (SsuiCanvas *self, double x, double y)
{
  if (self->has_pen && !self->is_drawing && hypot (x - self->seen_x, y - self->seen_y) > MOVED_PX)
    ssui_canvas_drop_pen (self);
  self->seen_x = x;
  self->seen_y = y;
}

/* The sheet goes along, and everybody is told where the pen is. */
static void
show_pen (SsuiCanvas *self)
{
  SsappCamera *camera = &self->camera;
  double x, y;

  ssapp_camera_to_device (camera, self->pen, &x, &y);
  const double dx = CLAMP (x, MARGIN, MAX (camera->width - MARGIN, MARGIN)) - x,
               dy = CLAMP (y, MARGIN, MAX (camera->height - MARGIN, MARGIN)) - y;
  if (dx != 0 || dy != 0) {
    camera->ox += dx;
    camera->oy += dy;
    self->is_fitted = FALSE;
  }
  self->pointer_x = x + dx;
  self->pointer_y = y + dy;
  if (self->is_drawing)
    ssui_canvas_snap_pen (self, self->pointer_x, self->pointer_y);
  else
    ssui_canvas_move_shape (self, self->pointer_x, self->pointer_y);
  ssui_canvas_point_trace (self, TRUE);
  ssui_canvas_tell_pointer (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* Where the pen appears: in the middle of the sheet, or of the picture, where it is of that. */
static SsVec2
first_place (SsuiCanvas *self)
{
  const SsappUnderlay *underlay = self->picture != NULL ? ssapp_sheet_picture_get (self->picture) : NULL;

  if (self->tool < SSUI_TOOL_TRACE || underlay == NULL)
    return ssui_canvas_get_centre (self);
  return (SsVec2){underlay->at.x + underlay->width / 2, underlay->at.y + ssapp_underlay_height (underlay) / 2};
}

static void
move_pen (SsuiCanvas *self, guint key, GdkModifierType state)
{
  const double step = ssui_canvas_grid_step (self) * (state & GDK_SHIFT_MASK ? 10 : state & GDK_ALT_MASK ? 0.1 : 1);

  if (self->has_pen) {
    self->pen.x += key == GDK_KEY_Left ? -step : key == GDK_KEY_Right ? step : 0;
    self->pen.y += key == GDK_KEY_Down ? -step : key == GDK_KEY_Up ? step : 0;
    self->pen_moved = TRUE;
  } else { /* it appears first */
    self->pen = first_place (self);
    self->has_pen = self->pen_moved = TRUE;
  }
  ssui_canvas_leave_motion (self);
  show_pen (self);
}

static void
press_pen (SsuiCanvas *self, GdkModifierType state)
{
  if (self->is_drawing) {
    ssui_canvas_drop (self);
    return;
  }
  ssui_canvas_leave_motion (self);
  self->drag_from = self->drag_to = ssui_canvas_snap_pen_down (self, self->pointer_x, self->pointer_y);
  self->is_drawing = !ssui_canvas_press_shape (self, self->pointer_x, self->pointer_y, state);
  self->pen_moved = FALSE;
  if (self->is_drawing && takes_point (self->tool))
    ssui_canvas_drop (self);
  else
    show_pen (self);
}

gboolean
ssui_canvas_pen_key (SsuiCanvas *self, guint key, GdkModifierType state)
{
  const gboolean is_busy = self->is_panning || (self->is_drawing && !self->has_pen); /* by the pointer */

  if (self->tool == SSUI_TOOL_SELECT || self->is_live || is_busy || !ssapp_document_is_scene (self->document))
    return FALSE;
  switch (key) {
  case GDK_KEY_Left:
  case GDK_KEY_Right:
  case GDK_KEY_Up:
  case GDK_KEY_Down:
    move_pen (self, key, state);
    return TRUE;
  case GDK_KEY_Return:
  case GDK_KEY_KP_Enter:
    if (self->corners->len > 0 && !(self->has_pen && self->pen_moved)) /* it closes the polygon */
      return FALSE;
    if (self->has_pen)
      press_pen (self, state);
    else
      move_pen (self, GDK_KEY_VoidSymbol, state);
    return TRUE;
  default:
    return FALSE;
  }
}

void
ssui_canvas_draw_pen_cross (SsuiCanvas *self, cairo_t *cr, const SsappStyle *style)
{
  const SsappColor color = ssapp_style_time_color (style, 0.5);
  double x, y;

  if (!self->has_pen)
    return;
  ssapp_camera_to_device (&self->camera, self->pen, &x, &y);
  cairo_save (cr);
  cairo_set_source_rgba (cr, color.r, color.g, color.b, color.a);
  cairo_set_line_width (cr, 2);
  cairo_move_to (cr, x - PEN_PX, y);
  cairo_line_to (cr, x + PEN_PX, y);
  cairo_move_to (cr, x, y - PEN_PX);
  cairo_line_to (cr, x, y + PEN_PX);
  cairo_stroke (cr);
  cairo_restore (cr);
}
