/* ui/parts/ssui-text-pane.h: the pane beside the canvas: the equations of the sketch, or its source. */
#pragma once

#include "ui/parts/ssui-equations-view.h"
#include "ui/parts/ssui-source-view.h"

G_BEGIN_DECLS

#define SSUI_TYPE_TEXT_PANE (ssui_text_pane_get_type ())
G_DECLARE_FINAL_TYPE (SsuiTextPane, ssui_text_pane, SSUI, TEXT_PANE, GtkWidget)

void ssui_text_pane_set_session (SsuiTextPane *self, SsappSession *session);
/* "equations" or "source". */
void ssui_text_pane_show (SsuiTextPane *self, const char *name);
SsuiEquationsView *ssui_text_pane_get_equations (SsuiTextPane *self); /* borrowed */
SsuiSourceView *ssui_text_pane_get_source (SsuiTextPane *self);       /* borrowed */

G_END_DECLS
