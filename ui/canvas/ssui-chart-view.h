/* ui/canvas/ssui-chart-view.h: a figure of the runs of a study: drawn, told under the pointer, clicked. A click marks
 * the problem that was hit in all figures and in the table; a double click opens its run. Arrow keys move the mark. */
#pragma once

#include <adwaita.h>

#include "app/session/ssapp-study-session.h"

G_BEGIN_DECLS

#define SSUI_TYPE_CHART_VIEW (ssui_chart_view_get_type ())
G_DECLARE_FINAL_TYPE (SsuiChartView, ssui_chart_view, SSUI, CHART_VIEW, GtkWidget)

/* Of a part of the session's study. */
GtkWidget *ssui_chart_view_new (SsappStudySession *study, SsappStudyPart part);

G_END_DECLS
