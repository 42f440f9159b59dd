/* ui/canvas/ssui-canvas-handles.c: the handles of the frame of one selected object: a body is resized, an end of a rod
 * or spring is pulled; and the pointer that says so. What comes of it is the document's. Looked at in
 * tests/ui/test_edit.py. */
#include "ui/canvas/ssui-canvas-private.h"

#include "ui/parts/ssui-util.h"

#include <math.h>

#define SMALLEST_PX 24.0 /* of a body: the handles of a smaller one would all cover it */

static const int sides[SSAPP_HANDLE_ROTATE][2] = {{-1, 1}, {0, 1},  {1, 1},   {1, 0},
                                                  {1, -1}, {0, -1}, {-1, -1}, {-1, 0}}; /* of SsappHandle */

static gboolean
has_ends (SsuiCanvas *self)
{
  return ssapp_document_has_ends (self->document, ssapp_document_get_selected_item (self->document));
}

static gboolean
is_large_enough (SsuiCanvas *self, const SsMark *mark)
{
  double box[4];

  return ssapp_mark_bounds (mark, box) && MAX (box[2] - box[0], box[3] - box[1]) * self->camera.scale >= SMALLEST_PX;
}

gboolean
ssui_canvas_has_handles (SsuiCanvas *self)
{
  const SsMark *mark = ssapp_document_get_selected_mark (self->document);

  if (mark == NULL || self->is_live || ssapp_document_count_selected (self->document) != 1)
    return FALSE;
  return has_ends (self) ||
         (ssapp_document_is_resizable (self->document, ssapp_document_get_selected_index (self->document)) &&
          is_large_enough (self, mark));
}

/* The handle under the point that resizes or is an end; -1. */
static int
handle_at (SsuiCanvas *self, double x, double y)
{
  SsappStyle style;
  int handle;

  if (!ssui_canvas_has_handles (self))
    return -1;
  ssui_style_init (&style, GTK_WIDGET (self));
  handle = ssapp_handle_at (&style, &self->camera, ssapp_document_get_selected_mark (self->document), x, y,
                            SSUI_CANVAS_HIT_TOLERANCE);
  return handle == SSAPP_HANDLE_ROTATE ? -1 : handle;
}

gboolean
ssui_canvas_handle_press (SsuiCanvas *self, double x, double y)
{
  int handle = handle_at (self, x, y);

  if (handle < 0)
    return FALSE;
  self->group.phase = SSUI_GROUP_RESIZES;
  self->group.handle = handle;
  return TRUE;
}

void
ssui_canvas_handle_drag (SsuiCanvas *self, double dx, double dy)
{
  GdkModifierType state = gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (self->drag));
  double step = self->snap ? ssui_canvas_grid_step (self) : 0;
  SsVec2 pull = {ssapp_snap (dx / self->camera.scale, step), ssapp_snap (-dy / self->camera.scale, step)};
  SsVec2 to = ssui_canvas_world_at (self, self->group.from_x + dx, self->group.from_y + dy, TRUE);
  g_autoptr (GError) error = NULL;
  gboolean done;

  ssapp_document_cancel_gesture (self->document); /* each step is from where the drag began */
  ssapp_document_begin_gesture (self->document, self->group.label);
  if (has_ends (self))
    done = ssapp_document_move_end (self->document, ssapp_document_get_selected_item (self->document),
                                    self->group.handle == SSAPP_HANDLE_NW ? 0 : 1, to, &error);
  else
    done = ssapp_document_resize (self->document, ssapp_document_get_selected_index (self->document),
                                  sides[self->group.handle][0], sides[self->group.handle][1], pull,
                                  (state & GDK_SHIFT_MASK) != 0, &error);
  if (!done)
    g_signal_emit (self, ssui_canvas_signals[SSUI_CANVAS_REFUSED], 0, error->message);
}

/* ---- pointer ----------------------------------------------------------------------------------------------------- */

/* The arrow that is nearest to the direction of a handle of a turned body. */
static const char *
cursor_of (int handle, double angle)
{
  static const char *const arrows[] = {"ew-resize", "nesw-resize", "ns-resize", "nwse-resize"};
  double direction = atan2 (sides[handle][1], sides[handle][0]) + angle;

  return arrows[((int)lround (direction / (G_PI / 4)) % 4 + 4) % 4];
}

const char *
ssui_canvas_handle_cursor (SsuiCanvas *self, double x, double y)
{
  const SsMark *mark = ssapp_document_get_selected_mark (self->document);
  const int handle = handle_at (self, x, y);

  if (handle < 0)
    return NULL;
  return has_ends (self) ? "move" : cursor_of (handle, mark->angle);
}
