/* ui/canvas/ssui-plot-choice.h: heading of a plot card: what to plot of the runs on show, and for a phase plane which
 * channels. Pages share it, so that they offer the same plots. */
#pragma once

#include "ui/canvas/ssui-plot-view.h"

G_BEGIN_DECLS

#define SSUI_TYPE_PLOT_CHOICE (ssui_plot_choice_get_type ())
G_DECLARE_FINAL_TYPE (SsuiPlotChoice, ssui_plot_choice, SSUI, PLOT_CHOICE, GtkWidget)

/* Signal "changed" (): the choice of the user is another one. */

/* The plot that it is the heading of (borrowed: both are of one template), and the clock of its cursor. */
void ssui_plot_choice_set_plot (SsuiPlotChoice *self, SsuiPlotView *plot, SsuiClock *clock);
/* The runs on show (SsappRun), all of one kind; runs of optimisers have a convergence plot too, which comes first. */
void ssui_plot_choice_set_runs (SsuiPlotChoice *self, GPtrArray *runs);
/* Fills the plot with what is chosen; at most max_plots below each other. */
void ssui_plot_choice_show (SsuiPlotChoice *self, int max_plots, gboolean over_wall_time);
gboolean ssui_plot_choice_is_convergence (SsuiPlotChoice *self);
/* "convergence", "motion", "steps", "modes", "phase": FALSE where these runs have no such plot. */
gboolean ssui_plot_choice_choose (SsuiPlotChoice *self, const char *name);
/* Whether the runs on show have a channel of that name. */
gboolean ssui_plot_choice_has_channel (SsuiPlotChoice *self, const char *name);
/* Names of channels; FALSE where the runs have none of that name. */
gboolean ssui_plot_choice_choose_channels (SsuiPlotChoice *self, const char *x, const char *y);
/* Borrowed until the next choice; NULL: none yet. */
void ssui_plot_choice_get_channels (SsuiPlotChoice *self, const char **x, const char **y);

G_END_DECLS
