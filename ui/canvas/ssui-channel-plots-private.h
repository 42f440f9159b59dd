/* ui/canvas/ssui-channel-plots-private.h: the state of the plots, and the points of their curves that are
 * pulled (ssui-channel-plots-pull.c); what their curves are made of (ssui-channel-plots-curves.c). */
#pragma once

#include "app/draw/ssapp-channel-stack.h"
#include "ui/canvas/ssui-channel-plots.h"
#include "ui/canvas/ssui-pull-hold.h"

G_BEGIN_DECLS

struct _SsuiChannelPlots {
  GtkWidget parent_instance;
  SsappChannelPlots *plots;
  char *band;         /* number of the scene that bands are by; NULL: none */
  gboolean is_chosen; /* by somebody; else they are the usual ones */
  GPtrArray *runs;
  SsappRun *before; /* the one of runs that is of before an edit; NULL: none */
  gboolean is_live;
  SsappSandbox *sandbox; /* owned; NULL: runs are shown */
  SsTrajectory *recent;  /* owned; what is plotted of the sandbox; NULL: no memory for it */
  int height;            /* as measured last [px] */
  SsuiPlayer *player;    /* weak */
  SsuiClock *clock;
  SsappChannelStack *stack;
  GPtrArray *buttons; /* a menu a plot; borrowed from the tree */
  double times[2];    /* of all curves */
  double range[2];    /* in sight; empty: all */
  SsappChannelLayout layout;
  gboolean is_laid_out;    /* the stack, as `layout` says */
  GskRenderNode *picture;  /* nullable: to be drawn again */
  guint version;           /* of the runs that it shows */
  guint live_version;      /* of them and which they are, with is_live */
  int selected;            /* plot with the keyboard; -1: none */
  double hover_x, hover_y; /* NaN: the pointer is elsewhere */
  double drag_x, drag_y;   /* where it began [px] */
  double drag_range[2];
  double drag_values[2];
  int drag_plot;
  gboolean is_dragged, is_spanning;
  double cursors[2];  /* A and B [s]; NaN: none */
  GtkWidget *between; /* popover; NULL: none */
  double told_to;     /* time up to which it told what lies there */
  SsuiPullHold hold;
  SsappStackPoint pulled;            /* with hold.is_held; its channel is not to be read */
  gboolean thaws_time, thaws_values; /* when the hold ends, since axes stand still while a point is pulled */
};

void ssui_channel_plots_draw_anew (SsuiChannelPlots *self); /* the curves, laid out again */
/* What is shown; of SsappChannelRun, all borrowed. */
GArray *ssui_channel_plots_dup_runs (SsuiChannelPlots *self);
/* NULL: it is none of a sandbox. */
void ssui_channel_plots_take_sandbox (SsuiChannelPlots *self, SsappSandbox *sandbox);
/* Whether what is told of the time between both cursors may be another: what is played on changes it until it has
 * passed both, a step or a rewind may. While playing, not more often than every half second of the motion. */
gboolean ssui_channel_plots_is_between_old (SsuiChannelPlots *self);
/* The plots, where nobody chose any, their curves, and the time that can be seen. */
void ssui_channel_plots_make_curves (SsuiChannelPlots *self);
/* The time that can be seen: as the timeline, which begins at 0 and ends with the longest motion; of a sandbox always
 * as many seconds. */
void ssui_channel_plots_find_times (SsuiChannelPlots *self);
int ssui_channel_plots_find_height (SsuiChannelPlots *self); /* that all plots need [px] */
/* Takes the point of a curve where the drag began; the axes, whose time shows `range`, stand still until the end. The
 * stack is laid out. FALSE: there is none of the motion as it is. */
gboolean ssui_channel_plots_pull_press (SsuiChannelPlots *self, const double range[2]);
void ssui_channel_plots_pull_drag (SsuiChannelPlots *self, double dy);
void ssui_channel_plots_pull_end (SsuiChannelPlots *self);
void ssui_channel_plots_draw_pull (SsuiChannelPlots *self, cairo_t *cr, const SsappStyle *style);

G_END_DECLS
