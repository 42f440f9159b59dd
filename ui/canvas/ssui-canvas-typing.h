/* ui/canvas/ssui-canvas-typing.h: numbers typed while something is held or drawn on the canvas. */
#pragma once

#include "ui/canvas/ssui-canvas-private.h"

G_BEGIN_DECLS

/* Takes the key if it belongs to a typed number. */
gboolean ssui_canvas_type (SsuiCanvas *self, guint key, GdkModifierType state);
/* Ends typing, with what was typed if that is a number: before another drag. */
void ssui_canvas_end_typing (SsuiCanvas *self);

G_END_DECLS
