/* ui/pages/ssui-run-page.h: choose methods, run them at once, watch motions on one clock, convergence, metrics and
 * log. */
#pragma once

#include <adwaita.h>

#include "ui/canvas/ssui-channel-plots.h"
#include "ui/canvas/ssui-clock.h"
#include "ui/canvas/ssui-player.h"
#include "ui/canvas/ssui-plot-choice.h"
#include "app/session/ssapp-session.h"
#include "ui/parts/ssui-log-table.h"

G_BEGIN_DECLS

#define SSUI_TYPE_RUN_PAGE (ssui_run_page_get_type ())
G_DECLARE_FINAL_TYPE (SsuiRunPage, ssui_run_page, SSUI, RUN_PAGE, GtkWidget)

void ssui_run_page_set_session (SsuiRunPage *self, SsappSession *session);
SsuiClock *ssui_run_page_get_clock (SsuiRunPage *self);
SsuiPlayer *ssui_run_page_get_player (SsuiRunPage *self);
void ssui_run_page_copy_events (SsuiRunPage *self); /* the table of events, to the clipboard */
/* The log: iterations, solvers' text, violations (ui/parts/ssui-log-table.h); borrowed. It is not on show where all
 * runs are simulations. */
SsuiLogTable *ssui_run_page_get_log (SsuiRunPage *self);
/* Selects what row `row` of the violations is about, marks it in its motion, and moves the clock to its time. FALSE:
 * there is no such row. */
gboolean ssui_run_page_go_to_violation (SsuiRunPage *self, int row);
GPtrArray *ssui_run_page_get_runs (SsuiRunPage *self);             /* those on show, started or not; borrowed */
SsuiPlotChoice *ssui_run_page_get_plot_choice (SsuiRunPage *self); /* what its plot shows */
SsuiChannelPlots *ssui_run_page_get_channel_plots (SsuiRunPage *self);
/* Shows the channel plots and opens the chooser of channels. */
void ssui_run_page_choose_channels (SsuiRunPage *self);
/* The border "split" (motions and plots), "side" (motions and what stands beside them) or "lower" (plots and log):
 * share of the first pane; NULL: there is none of that name. */
GtkPaned *ssui_run_page_get_pane (SsuiRunPage *self, const char *name);
void ssui_run_page_set_narrow (SsuiRunPage *self, gboolean is_narrow); /* everything below each other */

G_END_DECLS
