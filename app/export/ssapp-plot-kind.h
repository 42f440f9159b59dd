/* app/export/ssapp-plot-kind.h: one table of the plots of runs: their names and titles, what a run must have, which
 * options they take, and the functions that make them ready, paint them and list their numbers.
 *
 * `export`, help texts, menus, dialogs, errors and refusals walk it: a plot is a line of the table in
 * ssapp-plot-kind.c, a function that paints and, where it has numbers, one that lists its curves.
 * Threads: any.
 */
#pragma once

#include "app/draw/ssapp-plot.h"
#include "app/export/ssapp-file-kind.h"
#include "run/ss-method.h"

G_BEGIN_DECLS

/* Private to the room (ssapp-export-private.h). */
typedef struct SsappFigure SsappFigure;
typedef struct SsappFigureData SsappFigureData;
typedef struct SsappFigureOptions SsappFigureOptions;
typedef struct SsappFigureCurve SsappFigureCurve;
typedef struct SsappTableRun SsappTableRun;
typedef void (*SsappFigureCurveFunc) (const SsappFigureCurve *curve, gpointer data);

typedef enum {
  SSAPP_PLOT_FIGURE, /* painted, of one run or several */
  SSAPP_PLOT_TABLE,  /* rows of one run, written by `write` */
  SSAPP_PLOT_IMPACT, /* of one run of an impact law */
  SSAPP_PLOT_FIT,    /* of a fit to measured motions, which is no run (ssapp-fit-picture.h) */
  SSAPP_PLOT_PULL    /* of what a number reaches, which is no run either (ssapp-reach-picture.h) */
} SsappPlotOf;

/* What runs must have; else the plot is refused. */
typedef enum {
  SSAPP_NEEDS_MOTION = 1 << 0,    /* one of them a motion that can be drawn */
  SSAPP_NEEDS_ROWS = 1 << 1,      /* one of them a trajectory */
  SSAPP_NEEDS_ONE_SCENE = 1 << 2, /* motions stand side by side */
  SSAPP_NEEDS_ONE_VIEW = 1 << 3,  /* strips of the view share axes and labels, unless channels were chosen */
  SSAPP_NEEDS_ONE_RUN = 1 << 4,
  SSAPP_NEEDS_SAME_BODIES = 1 << 5, /* axes are named after a body or a contact */
  SSAPP_NEEDS_REPLAYS = 1 << 6      /* replays, whose trajectories are the distances of ss_replay_compare */
} SsappPlotNeeds;

/* Options that mean something to it (SsappFigureOptions); others are refused. */
typedef enum {
  SSAPP_TAKES_AXES = 1 << 0,     /* x_channel, y_channel */
  SSAPP_TAKES_CHANNELS = 1 << 1, /* channels */
  SSAPP_TAKES_CONTACT = 1 << 2,
  SSAPP_TAKES_TIMES = 1 << 3,  /* snapshots */
  SSAPP_TAKES_REGION = 1 << 4, /* region and layers */
  SSAPP_TAKES_BAND = 1 << 5,
  SSAPP_TAKES_NUMBERS = 1 << 6 /* x_channel, y_channel: of ssapp_worlds_axes */
} SsappPlotTakes;

typedef struct {
  SsappFileKind file; /* file.name is the plot's */
  const char *also;   /* another name; NULL */
  const char *help;   /* what it is, where its name does not say so; NULL */
  const char *impact; /* what it is of a run of an impact law; NULL: nothing */
  SsappPlotOf of;
  guint needs, takes;  /* SsappPlotNeeds, SsappPlotTakes */
  const char *title;   /* in the title of a picture: "step sizes" */
  const char *heading; /* of its dialog and on screen: "Step Sizes"; NULL: windows do not offer it for runs */
  const char *menu;    /* where its entry in menus reads otherwise; NULL: as the heading */
  const char *screen;  /* what it is on screen, for those who do not see it: "Step size plot"; NULL: on paper only */
  gboolean on_cards;   /* only the menus of cards, which show one run, offer it */
  gboolean is_plane;   /* one channel against another */
  /* Makes a run ready that has rows; NULL: nothing is to do. */
  void (*prepare) (SsappFigure *figure, SsappFigureData *data, const SsappFigureOptions *options);
  /* Makes the whole ready, after its runs; NULL: nothing is to do. */
  void (*finish) (SsappFigure *figure, const SsappFigureOptions *options);
  /* Whether a run of that kind with that motion (NULL: none) has it, so that its menus offer it; NULL: it always has
   * it. */
  gboolean (*is_of) (SsMethodKind kind, const SsTrajectory *motion);
  /* Whether a run has what it shows, NULL: always; and the words where none has. */
  gboolean (*shows) (const SsappFigure *figure);
  const char *lack;
  double (*height) (const SsappFigure *figure, double width); /* [pt] of paper; NULL: that of a plot with a legend */
  void (*paint) (cairo_t *cr, const SsappStyle *style, const SsappFigure *figure, double width, double height);
  /* The curves that it draws, for formats of numbers; NULL: there are none. */
  void (*curves) (const SsappFigure *figure, SsappFigureCurveFunc func, gpointer data);
  /* Whether curves with these values are better on a logarithmic axis; NULL: they never are. */
  gboolean (*suits_log) (double least, double most);
  /* Writes the file of a SSAPP_PLOT_TABLE, whose ending was looked at (ssapp_export_table). */
  gboolean (*write) (const SsappTableRun *run, const char *path, GError **error);
} SsappPlotKind;

/* All of them, in the order of lists; static. */
const SsappPlotKind *ssapp_plot_kinds (guint *n);
/* Whether it is of runs. */
gboolean ssapp_plot_is_of_runs (const SsappPlotKind *plot);
/* By one of its names; NULL: there is none, or `name` is NULL. */
const SsappPlotKind *ssapp_plot_find (const char *name);
/* "motion, convergence, ..., trajectory or events; of an impact law samples (CSV), ..."; g_free. */
char *ssapp_plots_help (void);
/* "fitted, paths or residuals" of those that are of that; g_free. */
char *ssapp_plots_of (SsappPlotOf of);
/* "motion or full" of those that take one of these options, with `between` (" or ") between them; g_free. */
char *ssapp_plots_that_take (guint takes, const char *between);

G_END_DECLS
