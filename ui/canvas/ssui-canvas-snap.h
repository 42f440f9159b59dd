/* ui/canvas/ssui-canvas-snap.h: exact placement on the canvas: what a drag or a pen snaps to, the hint at the pointer.
 * The geometry is app/document/ssapp-place.h. */
#pragma once

#include "ui/canvas/ssui-canvas-private.h"

G_BEGIN_DECLS

/* A pen comes down at the device point: where it draws from. */
SsVec2 ssui_canvas_snap_pen_down (SsuiCanvas *self, double x, double y);
/* It moves: sets where it draws to. */
void ssui_canvas_snap_pen (SsuiCanvas *self, double x, double y);
/* What is held was dragged by so many px. */
void ssui_canvas_snap_held (SsuiCanvas *self, double dx, double dy);
/* What was drawn touches what it was snapped to exactly: call after it was added, within its gesture. */
gboolean ssui_canvas_settle_drawn (SsuiCanvas *self, GError **error);
gboolean ssui_canvas_has_to_settle (SsuiCanvas *self); /* not of a shape that a body gets: the body stays */
/* A joint was drawn: which two it joins, where that is a choice. */
void ssui_canvas_offer_pairs (SsuiCanvas *self, gboolean always);
void ssui_canvas_forget_snap (SsuiCanvas *self);
/* Sets the pose of what is held: every digit where something touches, else places are rounded. */
gboolean ssui_canvas_put_pose (SsuiCanvas *self, const double pose[3], GError **error);
/* A ground is drawn whose angle was typed. */
gboolean ssui_canvas_has_typed_ground (SsuiCanvas *self);
/* What is said of the drag, NULL: nothing. Caller frees. */
char *ssui_canvas_describe_snap (SsuiCanvas *self);
/* Below and above the sketch's marks. */
void ssui_canvas_draw_place (SsuiCanvas *self, cairo_t *cr, const SsappStyle *style, gboolean shows_sketch);
void ssui_canvas_draw_hint (SsuiCanvas *self, cairo_t *cr, const SsappStyle *style);

G_END_DECLS
