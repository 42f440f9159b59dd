/* ui/canvas/ssui-replan-strip.h: below the canvas while the sandbox is live: the sketch's task as a controller of the
 * scene, planned again every few steps; how long the plans take, as bars below their deadline as they come, and how
 * many missed it.
 *
 * Shown where the task can be planned. Goals are dragged on the canvas, bodies too. Actions: win.replan (b),
 * win.replan-every (i, steps), win.replan-deadline (d, ms; 0: none). */
#pragma once

#include "app/session/ssapp-session.h"
#include "ui/canvas/ssui-sandbox.h"

G_BEGIN_DECLS

#define SSUI_TYPE_REPLAN_STRIP (ssui_replan_strip_get_type ())
G_DECLARE_FINAL_TYPE (SsuiReplanStrip, ssui_replan_strip, SSUI, REPLAN_STRIP, GtkBox)

/* Signal: "message" (const char *text). */

void ssui_replan_strip_attach (SsuiReplanStrip *self, SsappSession *session, SsuiSandbox *sandbox);
void ssui_replan_strip_add_actions (SsuiReplanStrip *self, GActionMap *map);
/* Fills in what the loop does; leaves `place` alone when there is none. */
void ssui_replan_strip_describe (SsuiReplanStrip *self, SsappSessionPlace *place);

G_END_DECLS
