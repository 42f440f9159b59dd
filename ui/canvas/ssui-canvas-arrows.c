/* ui/canvas/ssui-canvas-arrows.c: gravity and start velocities as arrows, dragged by their rings. Where they are and
 * what a drag makes of them is the document's. The keyboard has their numbers in the inspector. Looked at in
 * tests/ui/test_edit.py. */
#include "ui/canvas/ssui-canvas-private.h"

#include "app/document/ssapp-place-draw.h"
#include "ui/parts/ssui-util.h"

#include <glib/gi18n.h>

#define HINT_BELOW_PX 50

static GPtrArray *
arrows_of (SsuiCanvas *self, const SsappStyle *style)
{
  return ssapp_vectors_new (self->document, style, &self->camera, self->group.vector);
}

static SsappVector *
arrow_at (SsuiCanvas *self, double x, double y)
{
  SsappStyle style;

  if (self->is_live)
    return NULL;
  ssui_style_init (&style, GTK_WIDGET (self));
  g_autoptr (GPtrArray) arrows = arrows_of (self, &style);
  const SsappVector *arrow = ssapp_vectors_at (arrows, &style, x, y);
  return arrow != NULL ? ssapp_vector_copy (arrow) : NULL;
}

gboolean
ssui_canvas_is_on_arrow (SsuiCanvas *self, double x, double y)
{
  SsappVector *arrow = arrow_at (self, x, y);
  const gboolean is_there = arrow != NULL;

  ssapp_vector_free (arrow);
  return is_there;
}

gboolean
ssui_canvas_arrow_press (SsuiCanvas *self, double x, double y)
{
  SsappVector *arrow = arrow_at (self, x, y);

  if (arrow == NULL)
    return FALSE;
  self->group.phase = SSUI_GROUP_ARROW;
  self->group.vector = arrow;
  self->group.label =
      arrow->body == NULL ? g_strdup (_ ("Set gravity")) : g_strdup_printf (_ ("Set velocity of %s"), arrow->body);
  return TRUE;
}

void
ssui_canvas_arrow_drag (SsuiCanvas *self, double dx, double dy)
{
  const GdkModifierType state = gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (self->drag));
  const SsVec2 value = ssapp_vector_dragged (self->group.vector, dx, dy, !self->snap || (state & GDK_ALT_MASK) != 0);
  g_autoptr (GError) error = NULL;

  if (value.x == self->group.done[0] && value.y == self->group.done[1])
    return;
  if (!ssapp_vector_set (self->document, self->group.vector, value, &error)) {
    g_signal_emit (self, ssui_canvas_signals[SSUI_CANVAS_REFUSED], 0, error->message);
    return;
  }
  self->group.done[0] = value.x;
  self->group.done[1] = value.y;
}

void
ssui_canvas_draw_arrows (SsuiCanvas *self, cairo_t *cr, const SsappStyle *style)
{
  g_autoptr (GPtrArray) arrows = arrows_of (self, style);

  ssapp_vectors_draw (cr, style, arrows);
  if (self->group.phase != SSUI_GROUP_ARROW || !self->group.is_dragging)
    return;
  g_autofree char *text =
      ssapp_vector_describe (self->group.vector, (SsVec2){self->group.done[0], self->group.done[1]});
  /* below the buttons in the corner, whichever way gravity goes */
  const double least_y = self->group.vector->body == NULL ? self->group.vector->foot[1] + HINT_BELOW_PX : 0;
  ssapp_draw_hint (cr, style, &self->camera, self->group.from_x + self->group.dx,
                   MAX (self->group.from_y + self->group.dy, least_y), text, NULL, FALSE);
}
