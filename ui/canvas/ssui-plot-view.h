/* ui/canvas/ssui-plot-view.h: plots stacked over a shared x axis, by the shared plot renderer, with a cursor. */
#pragma once

#include <adwaita.h>

#include "app/export/ssapp-export.h"
#include "ui/canvas/ssui-clock.h"
#include "app/session/ssapp-run.h"

G_BEGIN_DECLS

#define SSUI_TYPE_PLOT_VIEW (ssui_plot_view_get_type ())
G_DECLARE_FINAL_TYPE (SsuiPlotView, ssui_plot_view, SSUI, PLOT_VIEW, GtkWidget)

GtkWidget *ssui_plot_view_new (void);
void ssui_plot_view_set_height (SsuiPlotView *self, int height); /* [px], for a strip; 0: the usual one */
/* Empties it; then plots and their series are added, then it redraws at the next frame. */
void ssui_plot_view_clear (SsuiPlotView *self);
/* spec's strings are copied; returns the plot's index. */
int ssui_plot_view_add_plot (SsuiPlotView *self, const SsappPlotSpec *spec);
/* Arrays are copied. */
void ssui_plot_view_add_series (SsuiPlotView *self, int plot, const char *label, SsMethodId method, const double *x,
                                const double *y, int n, gboolean is_running);
/* The cursor follows the clock, and a click or drag seeks. */
void ssui_plot_view_set_clock (SsuiPlotView *self, SsuiClock *clock);
void ssui_plot_view_done (SsuiPlotView *self); /* everything was added: describe and redraw */

/* Fills it with objective and violation over iterations (or seconds) of these runs, or for simulations with what moves
 * over time. */
void ssui_plot_view_show_convergence (SsuiPlotView *self, GPtrArray *runs, gboolean over_time);
void ssui_plot_view_show_channels (SsuiPlotView *self, GPtrArray *runs, int max_plots);
/* A plot of the table of plots, with the options that it takes (copied). Steps and modes below the pointer are told;
 * planes have a point that follows the clock, and a click seeks the nearest. What has no view of its own is painted as
 * on paper. */
void ssui_plot_view_show_plot (SsuiPlotView *self, const SsappPlotKind *plot, GPtrArray *runs,
                               const SsappFigureOptions *options);
/* Views with the same plots side by side get the same y ranges, so that their curves can be compared by eye. */
void ssui_plot_view_share_ranges (GPtrArray *views);

G_END_DECLS
