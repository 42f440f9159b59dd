/* ui/canvas/ssui-motion-view.h: the motion of one or more runs at a clock's time, by the shared renderer.
 *
 * With a look it zooms by the wheel at the pointer and by + and -, pans by dragging with the first or middle button and
 * by the arrow keys, and shows everything again by a double click or 0. Bodies outside have an arrow at the edge. */
#pragma once

#include <adwaita.h>

#include "app/session/ssapp-run.h"
#include "ui/canvas/ssui-clock.h"
#include "ui/canvas/ssui-motion-look.h"

G_BEGIN_DECLS

#define SSUI_TYPE_MOTION_VIEW (ssui_motion_view_get_type ())
G_DECLARE_FINAL_TYPE (SsuiMotionView, ssui_motion_view, SSUI, MOTION_VIEW, GtkWidget)

GtkWidget *ssui_motion_view_new (void);
void ssui_motion_view_set_runs (SsuiMotionView *self,
                                GPtrArray *runs); /* of SsappRun, referenced; drawn over each other */
void ssui_motion_view_set_clock (SsuiMotionView *self, SsuiClock *clock);
/* What several views share, so that their motions can be compared by eye: the sheet and the scale of the arrows. */
typedef struct {
  double bounds[4];
  SsappArrowScale arrows;
} SsuiMotionFrame;
void ssui_motion_view_set_frame (SsuiMotionView *self, const SsuiMotionFrame *frame); /* NULL: what its own runs need */
/* Region, followed body and layers, shared with other views; NULL: none, the view is a picture only. */
void ssui_motion_view_set_look (SsuiMotionView *self, SsuiMotionLook *look);
/* `factor` times as large about the middle of what was seen last, at the clock's time; 1: no change. */
void ssui_motion_look_zoom (SsuiMotionLook *look, GPtrArray *runs, SsuiClock *clock, double factor);
/* Follows a body of the first run that has it from now on; "": nobody. FALSE: there is none of that name. */
gboolean ssui_motion_look_follow (SsuiMotionLook *look, GPtrArray *runs, SsuiClock *clock, const char *body);
/* The runs in the colours of their methods over each other, with a legend, instead of each as it is alone. */
void ssui_motion_view_set_overlaid (SsuiMotionView *self, gboolean is_overlaid);
void ssui_motion_view_set_plain (SsuiMotionView *self, gboolean plain); /* no scale bar: thumbnails               */
/* What these runs need to be seen whole; FALSE if there is nothing finite. */
gboolean ssui_motion_frame_of (GPtrArray *runs, SsuiMotionFrame *frame);

G_END_DECLS
