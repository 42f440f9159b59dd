/* ui/canvas/ssui-channel-plots.h: chosen channels of the runs on show, in plots below each other on the timeline's
 * scale, with one cursor and the values at it.
 *
 * Pointer   a click puts the cursor; the wheel zooms the time about the pointer, with Ctrl the values of the plot below
 *           it, with Shift it moves the time; a drag moves what is zoomed, else the cursor, with Shift it is from
 *           cursor A to cursor B, whose numbers are shown; a double click shows all. While the motion is pulled, a drag
 *           that begins on a curve pulls its point.
 * Keys      Up and Down choose a plot, + and - zoom the time, with Ctrl its values, Shift+Left and Shift+Right move the
 *           time, Left and Right step, 0 shows all, Alt+Up and Alt+Down move the plot, Delete removes it, L changes its
 *           axis, A and B put these cursors at the pointer, else where the motion is; Escape takes them away. */
#pragma once

#include <adwaita.h>

#include "app/draw/ssapp-channel-plots.h"
#include "app/sandbox/ssapp-sandbox.h"
#include "app/session/ssapp-pulling.h"
#include "ui/canvas/ssui-player.h"

G_BEGIN_DECLS

#define SSUI_TYPE_CHANNEL_PLOTS (ssui_channel_plots_get_type ())
G_DECLARE_FINAL_TYPE (SsuiChannelPlots, ssui_channel_plots, SSUI, CHANNEL_PLOTS, GtkWidget)

/* Signal "changed" (): other plots were chosen, by the user or by somebody else. */

/* Its clock moves the cursor; its timeline, where it stands above, gives the time axis its ends. */
void ssui_channel_plots_set_player (SsuiChannelPlots *self, SsuiPlayer *player);
void ssui_channel_plots_set_runs (SsuiChannelPlots *self,
                                  GPtrArray *runs); /* of SsappRun; also when they have changed */
/* The motion of a sketch that is edited, and, pale, the one before; NULL: there is none. What is zoomed stays. */
void ssui_channel_plots_set_live (SsuiChannelPlots *self, SsappRun *now, SsappRun *before);

/* The last seconds of a motion that is played by hand, until runs are set; again as it goes on. What is zoomed goes
 * along. */
void ssui_channel_plots_set_sandbox (SsuiChannelPlots *self, SsappSandbox *sandbox);
void ssui_channel_plots_go_on (SsuiChannelPlots *self);

/* Chosen plots as text (ssapp_channel_plots_read); "" while none were chosen: then the usual ones are shown. */
char *ssui_channel_plots_dup_text (SsuiChannelPlots *self);
gboolean ssui_channel_plots_set_text (SsuiChannelPlots *self, const char *text, GError **error);
/* Those on show, chosen or usual, as text too. */
char *ssui_channel_plots_dup_shown (SsuiChannelPlots *self);
const SsappChannelPlots *ssui_channel_plots_get_plots (SsuiChannelPlots *self); /* on show; borrowed */
GPtrArray *ssui_channel_plots_list_channels (SsuiChannelPlots *self);           /* of SsappChannel; g_ptr_array_unref */
char *ssui_channel_plots_dup_title (SsuiChannelPlots *self, int plot);

/* FALSE: there is no such channel or plot, or it is there already. */
gboolean ssui_channel_plots_add (SsuiChannelPlots *self, const char *name, int plot);
gboolean ssui_channel_plots_remove (SsuiChannelPlots *self, const char *name);
gboolean ssui_channel_plots_remove_plot (SsuiChannelPlots *self, int plot);
gboolean ssui_channel_plots_move (SsuiChannelPlots *self, int plot, int by);
gboolean ssui_channel_plots_set_log (SsuiChannelPlots *self, int plot, gboolean is_log);
void ssui_channel_plots_set_difference (SsuiChannelPlots *self, gboolean is_difference);
/* Bands of 1 % of a number of the scene around the curves of runs with derivatives by it; NULL: none. */
const char *ssui_channel_plots_get_band (SsuiChannelPlots *self);
void ssui_channel_plots_set_band (SsuiChannelPlots *self, const char *number);
GPtrArray *ssui_channel_plots_get_runs (SsuiChannelPlots *self); /* of SsappRun; borrowed */
/* Whether two runs have a motion. */
gboolean ssui_channel_plots_can_differ (SsuiChannelPlots *self);
/* Cursors A and B [s], NaN: none; with both, a popover tells what lies between. */
void ssui_channel_plots_set_cursors (SsuiChannelPlots *self, double a, double b);
/* NULL: points of curves are not pulled. */
void ssui_channel_plots_set_pulling (SsuiChannelPlots *self, SsappPulling *pulling);
/* Of no length: all. */
void ssui_channel_plots_zoom_time (SsuiChannelPlots *self, double from, double to);
gboolean ssui_channel_plots_zoom_values (SsuiChannelPlots *self, int plot, double from, double to);

G_END_DECLS
