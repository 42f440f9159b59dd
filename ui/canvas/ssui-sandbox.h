/* ui/canvas/ssui-sandbox.h: the live scene on the sketch page: its buttons beside "Simulate", and the loop that draws
 * its newest frame.
 *
 * While it is live the page's clock is the scene's time: play and pause run and hold it, scrubbing rewinds it, and the
 * canvas hands over what the pointer pulls. Editing the sketch changes the running scene as long as bodies and contacts
 * stay the same; else the sandbox ends. Without a choice of the user's, the integrator is one that keeps up, and the
 * bar says which and why; frames a second stand beside it. Actions: win.sandbox (b), win.sandbox-method (s integrator,
 * "" to let it choose; a live scene starts anew), win.sandbox-pause, win.sandbox-step, win.sandbox-slow (b),
 * win.sandbox-keep, win.sandbox-improve (keeps the run, then
 * win.improve plans from it). */
#pragma once

#include "app/sandbox/ssapp-sandbox.h"
#include "app/session/ssapp-session.h"
#include "ui/canvas/ssui-canvas.h"

G_BEGIN_DECLS

#define SSUI_TYPE_SANDBOX (ssui_sandbox_get_type ())
G_DECLARE_FINAL_TYPE (SsuiSandbox, ssui_sandbox, SSUI, SANDBOX, GtkBox)

/* Signals: "message" (const char *text); "live-changed" (): it began or ended; "moved-on" (): it shows another
 * time, at most ten times a second. */

void ssui_sandbox_attach (SsuiSandbox *self, SsappSession *session, SsuiCanvas *canvas, SsuiClock *clock);
void ssui_sandbox_add_actions (SsuiSandbox *self, GActionMap *map);
gboolean ssui_sandbox_is_live (SsuiSandbox *self);
void ssui_sandbox_stop (SsuiSandbox *self);
/* Fills in what is live; leaves `place` alone when nothing is. */
void ssui_sandbox_describe (SsuiSandbox *self, SsappSessionPlace *place);
SsappSandbox *ssui_sandbox_get_live (SsuiSandbox *self);       /* borrowed; NULL unless live */
const char *ssui_sandbox_get_method_label (SsuiSandbox *self); /* while it is live */

G_END_DECLS
