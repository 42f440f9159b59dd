/* ui/pages/ssui-sketch-page.h: draw and edit: outline, canvas with palette, inspector, player. */
#pragma once

#include <adwaita.h>

#include "ui/canvas/ssui-clock.h"
#include "ui/canvas/ssui-player.h"
#include "ui/canvas/ssui-replan-strip.h"
#include "ui/canvas/ssui-sandbox.h"
#include "app/session/ssapp-session.h"

G_BEGIN_DECLS

#define SSUI_TYPE_SKETCH_PAGE (ssui_sketch_page_get_type ())
G_DECLARE_FINAL_TYPE (SsuiSketchPage, ssui_sketch_page, SSUI, SKETCH_PAGE, GtkWidget)

/* Signal "message" (const char *text): something to tell the user. */

void ssui_sketch_page_set_session (SsuiSketchPage *self, SsappSession *session);
SsuiClock *ssui_sketch_page_get_clock (SsuiSketchPage *self);
SsuiPlayer *ssui_sketch_page_get_player (SsuiSketchPage *self);
void ssui_sketch_page_set_tool (SsuiSketchPage *self, const char *tool);
void ssui_sketch_page_add (SsuiSketchPage *self,
                           const char *kind); /* "box", "disc", "ground" in the middle of the canvas */
/* Goals stand where nothing was: the sheet is made to hold them. */
void ssui_sketch_page_show_goal (SsuiSketchPage *self);
void ssui_sketch_page_edit_selected (SsuiSketchPage *self);
void ssui_sketch_page_edit_path (SsuiSketchPage *self, const char *path); /* the field of the inspector */
void ssui_sketch_page_move_exactly (SsuiSketchPage *self); /* numbers typed on the canvas move the selection */
void ssui_sketch_page_choose_pair (SsuiSketchPage *self);  /* which two bodies the selected joint joins */
void ssui_sketch_page_fit (SsuiSketchPage *self);
void ssui_sketch_page_zoom (SsuiSketchPage *self, double factor);
void ssui_sketch_page_set_snap (SsuiSketchPage *self, gboolean snap);
void ssui_sketch_page_set_grid (SsuiSketchPage *self, gboolean grid);
/* A letter that nobody else wanted: chooses a tool. */
gboolean ssui_sketch_page_letter (SsuiSketchPage *self, guint key, GdkModifierType state);
void ssui_sketch_page_focus_canvas (SsuiSketchPage *self);
double ssui_sketch_page_get_grid_step (SsuiSketchPage *self); /* [m] */
SsuiSandbox *ssui_sketch_page_get_sandbox (SsuiSketchPage *self);
SsuiReplanStrip *ssui_sketch_page_get_replan_strip (SsuiSketchPage *self);
AdwFlap *ssui_sketch_page_get_outline_flap (SsuiSketchPage *self);
AdwFlap *ssui_sketch_page_get_inspector_flap (SsuiSketchPage *self);

G_END_DECLS
