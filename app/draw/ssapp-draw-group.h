/* app/draw/ssapp-draw-group.h: several selected objects on the canvas: a frame for each, one around them all with the
 * handle that turns them, and the rubber band. Looked at in tests/ui/test_edit.py. */
#pragma once

#include "app/draw/ssapp-draw.h"

G_BEGIN_DECLS

/* The frame of one object without handles. */
void ssapp_draw_selected_mark (cairo_t *cr, const SsappStyle *style, const SsappCamera *camera, const SsMark *mark);
/* Around xmin, ymin, xmax, ymax [m], with the handle that turns. */
void ssapp_draw_group_frame (cairo_t *cr, const SsappStyle *style, const SsappCamera *camera, const double bounds[4]);
/* Whether a device point is on that handle, within `tolerance` px. */
gboolean ssapp_is_on_group_handle (const SsappStyle *style, const SsappCamera *camera, const double bounds[4], double x,
                                   double y, double tolerance);
/* Between two points of the world. */
void ssapp_draw_band (cairo_t *cr, const SsappStyle *style, const SsappCamera *camera, SsVec2 from, SsVec2 to);

G_END_DECLS
