/* ui/parts/ssui-study-panel.h: what a study is and how far it is: scenario, axes, methods, limits, queue, the whole as
 * a command. At the left of the Study page. */
#pragma once

#include <adwaita.h>

#include "app/session/ssapp-study-session.h"

G_BEGIN_DECLS

#define SSUI_TYPE_STUDY_PANEL (ssui_study_panel_get_type ())
G_DECLARE_FINAL_TYPE (SsuiStudyPanel, ssui_study_panel, SSUI, STUDY_PANEL, GtkWidget)

GtkWidget *ssui_study_panel_new (SsappSession *session);

G_END_DECLS
