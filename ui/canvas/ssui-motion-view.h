/* ui/canvas/ssui-motion-view.h: the motion of one or more runs at a clock's time, by the shared renderer. */
#pragma once

#include <adwaita.h>

#include "app/session/ssapp-run.h"
#include "ui/canvas/ssui-clock.h"

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
void ssui_motion_view_set_plain (SsuiMotionView *self, gboolean plain); /* no scale bar: thumbnails               */
/* What these runs need to be seen whole; FALSE if there is nothing finite. */
gboolean ssui_motion_frame_of (GPtrArray *runs, SsuiMotionFrame *frame);

G_END_DECLS
