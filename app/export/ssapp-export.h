/* app/export/ssapp-export.h: pictures and tables of runs as files; the same renderer as the screen. The format
 * is that of the name's ending (ssapp-format.h). Files are written beside the target and renamed, so that a
 * full disk or a crash never leaves half a file; errors name the file.
 */
#pragma once

#include <gio/gio.h>

#include "app/base/ssapp-file.h"
#include "app/base/ssapp-table.h"
#include "app/draw/ssapp-fan-draw.h"
#include "app/draw/ssapp-region.h"
#include "app/draw/ssapp-plot.h"
#include "app/export/ssapp-plot-kind.h"
#include "app/store/ssapp-store.h"
#include "run/ss-run.h"

G_BEGIN_DECLS

/* One run as data to draw: borrowed strings and arrays, valid for the call. */
typedef struct {
  const char *label;
  SsMethodId method;              /* name may be NULL */
  const SsTrajectory *trajectory; /* may be NULL */
  GArray *iterations;             /* of SsappIteration; may be NULL */
  const char *outcome;
  gboolean holds_controls; /* between its rows, as plans and replays do; else they are formulas of time */
  /* branches of a fan beside the trajectory, told by its clock; drawn by motions and channels, the share as opacity */
  const SsappFanMotion *branches;
  int n_branches;
  double largest_share; /* of all of them */
  GArray *events;       /* of SsappRunEvent, for its impulses; may be NULL */
  /* its own, with its own parameters, by which its motion is drawn; NULL: the figure's */
  const SsScenario *scenario;
  SsappAnswer answer;
  const SsTrajectory *slopes; /* its derivatives by numbers of its scene (ssapp-band.h); may be NULL */
  const SsTries *tries;       /* attempts at a plan; may be NULL */
  const char *const *members; /* names of those of a race, up to NULL: traces 1, 2, ... of its iterations; NULL: none */
  const SsTrajectory *worlds; /* its ends in other worlds (plan/ss-plan-worlds.h); may be NULL */
} SsappFigureRun;

/* After each picture of a film, in the thread that draws it. */
typedef void SsappFilmProgress (int n_done, int n_frames, gpointer data);

struct SsappFigureOptions {
  double width_mm;             /* 88 or 180 */
  double dpi;                  /* png, 300; a film takes SSAPP_FILM_DPI_MAX at most */
  double time;                 /* NaN */
  double frames_per_second;    /* film; 0 = 25 */
  double speed;                /* film: seconds of motion per second; 0 = 1, or slower when the motion is very short */
  GCancellable *cancellable;   /* film; NULL is allowed */
  SsappFilmProgress *progress; /* film; NULL is allowed */
  gpointer progress_data;
  SsappRegion region;    /* of motions, as on screen */
  guint layers;          /* of motions: SsappLayer; 0: past frames, traces and all marks */
  const char *forces_of; /* of motions, with layers: SsappSceneFlags; NULL: of all bodies */
  /* PHASE: names of channels, NULL: ssapp_phase_first_channels; WORLDS_MAP: of ssapp_worlds_axes, NULL: its first */
  const char *x_channel, *y_channel;
  const char *channels;    /* CHANNELS: chosen plots, as ssapp_channel_plots_read takes them; NULL: strips */
  const char *band;        /* CHANNELS: number of the scene, bands of 1 % of which are drawn; NULL: none */
  const char *contact;     /* CONE: its name; NULL: the one that presses hardest */
  const double *snapshots; /* MOTION: n_snapshots instants [s]; NULL: evenly spread */
  int n_snapshots;
};

/* A film has hundreds of pictures; more dots would show on no screen. */
#define SSAPP_FILM_DPI_MAX 192.

/* Paints on a screen or on paper. Sizes are in the style's units: points with ssapp_style_init_paper, for which the
 * proportions are made (249.4 x 1 for 88 mm); a preview scales the cairo_t instead of choosing other sizes.
 * options: NULL: as ever. */
void ssapp_figure_draw (cairo_t *cr, const SsappStyle *style, const SsappPlotKind *plot, const SsScenario *scenario,
                        const SsappFigureRun *runs, int n_runs, const SsappFigureOptions *options, double width,
                        double height);
/* A plot of runs as a file, by its ending. */
gboolean ssapp_export_figure (const SsappPlotKind *plot, const SsScenario *scenario, const SsappFigureRun *runs,
                              int n_runs, const SsappFigureOptions *options, const char *path, GError **error);
/* Any other picture on paper, as PDF, SVG or PNG: `paint` draws in points, in the paper's style. */
typedef void (*SsappPaint) (cairo_t *cr, const SsappStyle *style, gconstpointer data, double width, double height);
gboolean ssapp_export_painted (SsappPaint paint, gconstpointer data, const char *title, double width_mm,
                               double height_pt, double dpi, const char *path, GError **error);
/* ssapp_export_figure on a thread of its own, for a window: takes copies of what it needs, of the options all but
 * channels, band and snapshots. Finish with
 * in `callback` (main thread). */
void ssapp_export_figure_async (const SsappPlotKind *plot, const SsScenario *scenario, const SsappFigureRun *runs,
                                int n_runs, const SsappFigureOptions *options, const char *path,
                                GAsyncReadyCallback callback, gpointer user_data);
gboolean ssapp_export_figure_finish (GAsyncResult *result, GError **error);
/* PDF, SVG, PNG and WebP are pictures; CSV and JSON hold the numbers behind the figure (one line, or one member, a
 * curve's point). */
gboolean ssapp_export_trajectory_csv (const SsTrajectory *trajectory, const char *path,
                                      GError **error); /* 17 digits, C locale */
/* One motion of several. */
typedef struct {
  const SsTrajectory *motion; /* borrowed; all with the same channels */
  int branch;
  double share;
} SsappBranchMotion;
/* All of them below each other, with the columns branch and share after t. */
gboolean ssapp_export_branches_csv (const SsappBranchMotion *motions, int n, const char *path, GError **error);
/* The first n_columns of a table of numbers, their names in the first line. */
gboolean ssapp_export_samples_csv (const SsSamples *samples, int n_columns, const char *path, GError **error);
/* Events (SsappRunEvent): t, kind, contact, point, joint, limit, impulse, and tau and condition where an event has
 * one. */
gboolean ssapp_export_log_csv (GArray *iterations, const char *path, GError **error); /* every column the method has */
/* The same by suffix: .txt, .csv, .tsv, .md, .tex or .jsonl; text has what the solver said (`raw`, may be NULL)
 * below. */
gboolean ssapp_export_log (GArray *iterations, const char *title, const char *raw, const char *path, GError **error);
/* A run whose rows are written (SsappPlotKind.write); all borrowed. */
struct SsappTableRun {
  const char *id, *label;
  const SsScenario *scenario;     /* with its own parameters; NULL: no format needs it */
  const SsTrajectory *trajectory; /* NULL: it has none */
  const SsappBranchMotion *members;
  int n_members;               /* of a fan, the answer among them; 0: no fan */
  GArray *iterations, *events; /* of SsappIteration, SsappRunEvent */
  /* What the solver said, for those who read it; g_free. NULL with an error: it could not be read. The member NULL: it
   * said nothing. */
  char *(*dup_log) (gconstpointer data, GError **error);
  gconstpointer data;
};
/* The file of a SSAPP_PLOT_TABLE, whose name must end as that says. */
gboolean ssapp_export_table (const SsappPlotKind *plot, const SsappTableRun *run, const char *path, GError **error);

G_END_DECLS
