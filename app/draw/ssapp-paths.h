/* app/draw/ssapp-paths.h: where the bodies of a motion go, from its begin to its end, as one line each: of a motion as
 * it is now, or dashed of the one that it was before. The canvas draws both. Threads: any.
 * Tests: tests/unit/test-draw.c */
#pragma once

#include "app/draw/ssapp-draw.h"

G_BEGIN_DECLS

/* Bodies of more would hide the scene. */
enum { SSAPP_PATHS_MOST = 24 };

/* Paths of the bodies that leave a trace, none where there are more than SSAPP_PATHS_MOST of them. */
void ssapp_draw_paths (cairo_t *cr, const SsappStyle *style, const SsappCamera *camera, SsView *view,
                       const SsTrajectory *trajectory, gboolean is_before);

G_END_DECLS
