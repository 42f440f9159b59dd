/* ui/canvas/ssui-canvas-drag.h: what the pointer does on the canvas while it is down. */
#pragma once

#include "ui/canvas/ssui-canvas-private.h"

G_BEGIN_DECLS

void ssui_canvas_refuse (SsuiCanvas *self, const GError *error); /* says so */
gboolean ssui_canvas_has_selection (SsuiCanvas *self);
/* Takes hold of the selection in a gesture of the document, to move or to turn it. */
void ssui_canvas_begin_hold (SsuiCanvas *self, gboolean turns);
gboolean ssui_canvas_hold (SsuiCanvas *self); /* to move it; FALSE if it cannot be moved */
/* The drag ends, with what it did or without. */
void ssui_canvas_drop (SsuiCanvas *self);
void ssui_canvas_cancel (SsuiCanvas *self);
/* By an arrow key: a grid cell, ten (Shift), a tenth (Alt); FALSE: nothing can be moved. */
gboolean ssui_canvas_nudge (SsuiCanvas *self, guint key, GdkModifierType state);

/* While live: px of the widget. */
void ssui_canvas_begin_pulling (SsuiCanvas *self, double x, double y);
void ssui_canvas_emit_pull (SsuiCanvas *self, int phase, const char *body, double x, double y);
/* The flag of a goal is there, by which it is held while the scene runs. */
gboolean ssui_canvas_is_on_live_goal (SsuiCanvas *self, double x, double y);

G_END_DECLS
