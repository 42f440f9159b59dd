/* ui/canvas/ssui-trace-bar.h: how the picture under the sheet is traced, as two numbers above the sheet: what counts as
 * one colour, and how near the outline stays. It is there while the tool is. */
#pragma once

#include "ui/canvas/ssui-canvas.h"

G_BEGIN_DECLS

#define SSUI_TYPE_TRACE_BAR (ssui_trace_bar_get_type ())
G_DECLARE_FINAL_TYPE (SsuiTraceBar, ssui_trace_bar, SSUI, TRACE_BAR, GtkGrid)

GtkWidget *ssui_trace_bar_new (void);
/* Once, after the canvas has its picture; borrowed. */
void ssui_trace_bar_attach (SsuiTraceBar *self, SsuiCanvas *canvas);

G_END_DECLS
