/* ui/ssui-motion-view.h: the motion of one or more runs at a clock's time, by the shared renderer. */
#pragma once

#include <adwaita.h>

#include "ui/ssui-clock.h"
#include "app/ssapp-run.h"

G_BEGIN_DECLS

#define SSUI_TYPE_MOTION_VIEW (ssui_motion_view_get_type ())
G_DECLARE_FINAL_TYPE (SsuiMotionView, ssui_motion_view, SSUI, MOTION_VIEW, GtkWidget)

GtkWidget *ssui_motion_view_new (void);
void ssui_motion_view_set_runs (SsuiMotionView *self,
                                GPtrArray *runs); /* of SsappRun, referenced; drawn over each other */
void ssui_motion_view_set_clock (SsuiMotionView *self, SsuiClock *clock);
void ssui_motion_view_set_bounds (SsuiMotionView *self,
                                  const double bounds[4]); /* NULL: what the runs need; several views may share */
void ssui_motion_view_set_plain (SsuiMotionView *self, gboolean plain); /* no scale bar: thumbnails               */
/* What these runs need to be seen whole; FALSE if there is nothing finite. */
gboolean ssui_motion_bounds (GPtrArray *runs, double bounds[4]);

G_END_DECLS
