/* app/draw/ssapp-channel-plots.h: the plots that somebody chose: which channels stand in which plot, in what order, on
 * what axes. A list that is edited, kept and read back as text; no drawing.
 *
 * Text   "box.y,box.vy;log:residual": plots are parted by ';', channels by ','. A plot that begins with "log:" has a
 *        logarithmic axis. The entry "difference" stands for the differences from the first run.
 * Tests: tests/unit/test-channels.c */
#pragma once

#include "app/draw/ssapp-channels.h"

G_BEGIN_DECLS

enum { SSAPP_CHANNEL_PLOTS_MAX = 24, SSAPP_CHANNELS_A_PLOT_MAX = 12 };

typedef struct {
  GPtrArray *names; /* of char *, owned; never empty */
  gboolean is_log;
  double y_min, y_max; /* of the axis; NaN: from the data. Not kept in the text */
} SsappChannelPlot;

typedef struct {
  GPtrArray *plots;       /* of SsappChannelPlot, owned */
  gboolean is_difference; /* each run minus the first */
} SsappChannelPlots;

/* No plots. */
SsappChannelPlots *ssapp_channel_plots_new (void);
void ssapp_channel_plots_free (SsappChannelPlots *plots); /* NULL is allowed */
/* Replaces what is there. An error where the text is no such list: `plots` stays as it was. */
gboolean ssapp_channel_plots_read (SsappChannelPlots *plots, const char *text, GError **error);
/* Names become those of channels of the runs, as ss_trajectory_meant finds them; an error where one is none. */
gboolean ssapp_channel_plots_settle (SsappChannelPlots *plots, const SsappChannelRun *runs, int n_runs, GError **error);
char *ssapp_channel_plots_write (const SsappChannelPlots *plots); /* g_free */
/* The text as a JSON string, as a sketch keeps it, and back (NULL: that is no JSON string); g_free. */
char *ssapp_channel_text_to_json (const char *text);
char *ssapp_channel_text_from_json (const char *json);
/* What to show first: heights of the bodies that move, the gap of a contact, the energy; of motions without bodies the
 * first channels. Replaces what is there. */
void ssapp_channel_plots_suggest (SsappChannelPlots *plots, const SsappChannelRun *runs, int n_runs);

/* NULL: there is none of that number. */
const SsappChannelPlot *ssapp_channel_plots_at (const SsappChannelPlots *plots, int plot);
int ssapp_channel_plots_find (const SsappChannelPlots *plots, const char *name); /* plot that has it, -1: none */
/* Into that plot, or a new one at the end (-1). FALSE: it is there already, or there is no more room. */
gboolean ssapp_channel_plots_add (SsappChannelPlots *plots, int plot, const char *name);
/* Out of every plot; a plot without channels goes. FALSE: it was in none. */
gboolean ssapp_channel_plots_remove (SsappChannelPlots *plots, const char *name);
gboolean ssapp_channel_plots_remove_plot (SsappChannelPlots *plots, int plot);
/* `by` places down, up where negative, as far as there are places; returns where it is then. */
int ssapp_channel_plots_move (SsappChannelPlots *plots, int plot, int by);
void ssapp_channel_plots_set_log (SsappChannelPlots *plots, int plot, gboolean is_log);
/* NaN, NaN: from the data. */
void ssapp_channel_plots_set_values (SsappChannelPlots *plots, int plot, double y_min, double y_max);

/* A range zoomed by a factor (below 1: nearer) about a place in it, and moved by a share of it. Not nearer than a
 * millionth of `whole`, not beyond it where `keeps_within`. */
void ssapp_range_zoom (double range[2], const double whole[2], double factor, double about, gboolean keeps_within);
void ssapp_range_move (double range[2], const double whole[2], double share, gboolean keeps_within);

G_END_DECLS
