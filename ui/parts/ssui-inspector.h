/* ui/parts/ssui-inspector.h: the selected body as numbers, or the scenario (gravity, material, horizon, parameters)
 * when nothing is selected. */
#pragma once

#include <adwaita.h>

#include "app/session/ssapp-contact-watch.h"

G_BEGIN_DECLS

#define SSUI_TYPE_INSPECTOR (ssui_inspector_get_type ())
G_DECLARE_FINAL_TYPE (SsuiInspector, ssui_inspector, SSUI, INSPECTOR, GtkWidget)

/* What the selected contact does at the time that is shown; before the document. */
void ssui_inspector_set_watch (SsuiInspector *self, SsappContactWatch *watch);
void ssui_inspector_set_document (SsuiInspector *self, SsappDocument *document);
void ssui_inspector_focus_first (SsuiInspector *self);
gboolean ssui_inspector_focus_path (SsuiInspector *self, const char *path);

G_END_DECLS
