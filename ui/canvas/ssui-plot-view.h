/* ui/canvas/ssui-plot-view.h: plots stacked over a shared x axis, by the shared plot renderer, with a cursor. */
#pragma once

#include <adwaita.h>

#include "app/draw/ssapp-plot.h"
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
/* Time between rows, and the modes of the contacts as strips; the step or mode below the pointer is told. */
void ssui_plot_view_show_steps (SsuiPlotView *self, GPtrArray *runs);
void ssui_plot_view_show_modes (SsuiPlotView *self, GPtrArray *runs);
/* One channel against another, with a point that follows the clock; a click seeks the nearest point. Runs without one
 * of them have no curve; NULL: none has. */
void ssui_plot_view_show_phase (SsuiPlotView *self, GPtrArray *runs, const char *x_channel, const char *y_channel);
/* The tangential against the normal force of a contact with its friction cone; NULL: none has any. */
void ssui_plot_view_show_cone (SsuiPlotView *self, GPtrArray *runs, const char *contact);
/* Views with the same plots side by side get the same y ranges, so that their curves can be compared by eye. */
void ssui_plot_view_share_ranges (GPtrArray *views);

G_END_DECLS
