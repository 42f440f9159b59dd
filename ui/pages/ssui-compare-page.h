/* ui/pages/ssui-compare-page.h: stored runs against each other: table, convergence over each other, motions on one
 * clock. */
#pragma once

#include <adwaita.h>

#include "ui/canvas/ssui-clock.h"
#include "ui/canvas/ssui-player.h"
#include "ui/canvas/ssui-plot-choice.h"
#include "app/session/ssapp-session.h"
#include "ui/parts/ssui-run-table.h"

G_BEGIN_DECLS

#define SSUI_TYPE_COMPARE_PAGE (ssui_compare_page_get_type ())
G_DECLARE_FINAL_TYPE (SsuiComparePage, ssui_compare_page, SSUI, COMPARE_PAGE, GtkWidget)

/* Signal "message" (const char *). */

void ssui_compare_page_set_session (SsuiComparePage *self, SsappSession *session);
void ssui_compare_page_compare (SsuiComparePage *self, const char *const *ids);
/* The runs of a comparison of the project, under its labels; FALSE: there is none of that id. */
gboolean ssui_compare_page_open (SsuiComparePage *self, const char *comparison);
SsuiClock *ssui_compare_page_get_clock (SsuiComparePage *self);
SsuiPlayer *ssui_compare_page_get_player (SsuiComparePage *self);
GPtrArray *ssui_compare_page_get_runs (SsuiComparePage *self);             /* of SsappRun; borrowed */
SsuiPlotChoice *ssui_compare_page_get_plot_choice (SsuiComparePage *self); /* what its plot shows */
GtkPaned *ssui_compare_page_get_pane (SsuiComparePage *self);              /* tables beside plots */
void ssui_compare_page_focus_search (SsuiComparePage *self);
void ssui_compare_page_search (SsuiComparePage *self, const char *text); /* as if it was typed */
SsuiRunTable *ssui_compare_page_get_table (SsuiComparePage *self);
void ssui_compare_page_set_narrow (SsuiComparePage *self, gboolean is_narrow); /* tables, then plots */

G_END_DECLS
