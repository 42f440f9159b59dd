/* ui/pages/ssui-sketch-page.h: draw and edit: outline, canvas with palette, inspector, player. */
#pragma once

#include <adwaita.h>

#include "ui/canvas/ssui-clock.h"
#include "ui/canvas/ssui-player.h"
#include "ui/canvas/ssui-replan-strip.h"
#include "ui/canvas/ssui-sandbox.h"
#include "ui/pages/ssui-page.h"
#include "ui/parts/ssui-text-pane.h"

G_BEGIN_DECLS

#define SSUI_TYPE_SKETCH_PAGE (ssui_sketch_page_get_type ())
G_DECLARE_FINAL_TYPE (SsuiSketchPage, ssui_sketch_page, SSUI, SKETCH_PAGE, GtkWidget)

/* Signal "message" (const char *text): something to tell the user. */

void ssui_sketch_page_add (SsuiSketchPage *self,
                           const char *kind); /* "box", "disc", "ground" in the middle of the canvas */
void ssui_sketch_page_edit_selected (SsuiSketchPage *self);
void ssui_sketch_page_edit_path (SsuiSketchPage *self, const char *path); /* the field of the inspector */
/* Stores the motion that follows the sketch as a run, made by a worker with the same bits; clock and view stay. The
 * motion must be whole, and not stored yet. */
gboolean ssui_sketch_page_can_keep (SsuiSketchPage *self);
gboolean ssui_sketch_page_keep (SsuiSketchPage *self, GError **error);
SsuiSandbox *ssui_sketch_page_get_sandbox (SsuiSketchPage *self);
/* Equations or source ("equations", "source"; NULL: none) beside the sheet, or in its place in a narrow window. */
void ssui_sketch_page_show_text (SsuiSketchPage *self, const char *name);
SsuiTextPane *ssui_sketch_page_get_text (SsuiSketchPage *self);
extern const SsuiPage ssui_sketch_page;

G_END_DECLS
