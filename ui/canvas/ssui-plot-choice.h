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
/* Whether "channels" is offered, first of runs of integrators; before the runs are set. Whoever asks for it shows these
 * plots in the place of the plot view. */
void ssui_plot_choice_set_has_channels (SsuiPlotChoice *self, gboolean has_channels);
gboolean ssui_plot_choice_is_channels (SsuiPlotChoice *self);
/* Whether it shows how the bodies move over time: channels or the motion. */
gboolean ssui_plot_choice_is_motion (SsuiPlotChoice *self);
/* Contact of the friction cone; NULL: the one that presses hardest. FALSE where no run has its forces. */
gboolean ssui_plot_choice_choose_contact (SsuiPlotChoice *self, const char *contact);
const char *ssui_plot_choice_get_contact (SsuiPlotChoice *self); /* borrowed until the next choice; NULL: none */
/* Fills the plot with what is chosen; at most max_plots below each other. */
void ssui_plot_choice_show (SsuiPlotChoice *self, int max_plots, gboolean over_wall_time);
gboolean ssui_plot_choice_is_convergence (SsuiPlotChoice *self);
/* "convergence", "channels", "motion", "steps", "modes", "phase", "cone": FALSE where these runs have no such plot. */
gboolean ssui_plot_choice_choose (SsuiPlotChoice *self, const char *name);
/* Whether the runs on show have a channel of that name. */
gboolean ssui_plot_choice_has_channel (SsuiPlotChoice *self, const char *name);
/* Names of channels; FALSE where the runs have none of that name. */
gboolean ssui_plot_choice_choose_channels (SsuiPlotChoice *self, const char *x, const char *y);
/* What the axes of a plot show that takes channels or numbers of other worlds. Borrowed until the next choice; NULL:
 * none is chosen. */
void ssui_plot_choice_get_axes (SsuiPlotChoice *self, const SsappPlotKind *plot, const char **x, const char **y);

G_END_DECLS
