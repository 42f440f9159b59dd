/* ui/canvas/ssui-live-plots.h: plots of the motion that follows the sketch, now and before the edit, below another
 * widget of the same column. They are there while they are asked for, there is a motion, and the column has room for
 * both. */
#pragma once

#include <adwaita.h>

#include "app/session/ssapp-session.h"
#include "ui/canvas/ssui-channel-plots.h"

G_BEGIN_DECLS

#define SSUI_TYPE_LIVE_PLOTS (ssui_live_plots_get_type ())
G_DECLARE_FINAL_TYPE (SsuiLivePlots, ssui_live_plots, SSUI, LIVE_PLOTS, GtkWidget)

/* Property "shown" (boolean): they are asked for; TRUE at first. */

/* `above`, floating or the caller's, becomes its child. */
GtkWidget *ssui_live_plots_new (GtkWidget *above, SsuiPlayer *player);
/* Chosen channels are kept with the sketch. Once. */
void ssui_live_plots_set_session (SsuiLivePlots *self, SsappSession *session);
/* NULL: there is none. */
void ssui_live_plots_show (SsuiLivePlots *self, SsappRun *now, SsappRun *before);
/* The last seconds of what is played by hand, until the sketch's motion is shown; again as it goes on, which costs
 * nothing while they are not seen. */
void ssui_live_plots_show_sandbox (SsuiLivePlots *self, SsappSandbox *sandbox);
void ssui_live_plots_go_on (SsuiLivePlots *self);
SsuiChannelPlots *ssui_live_plots_get_plots (SsuiLivePlots *self);

G_END_DECLS
