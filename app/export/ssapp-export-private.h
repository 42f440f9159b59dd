/* app/export/ssapp-export-private.h: a figure ready to be drawn, shared by the picture and the data writers (private to
 * the room). */
#pragma once

#include "app/export/ssapp-export.h"
#include "app/export/ssapp-fit-picture.h"
#include "app/export/ssapp-reach-picture.h"
#include "app/export/ssapp-format.h"
#include "app/draw/ssapp-channel-stack.h"
#include "app/draw/ssapp-clock.h"
#include "app/draw/ssapp-cone.h"
#include "app/draw/ssapp-frozen.h"
#include "app/draw/ssapp-phase.h"
#include "app/draw/ssapp-plot-parts.h"
#include "app/draw/ssapp-run-plots.h"

G_BEGIN_DECLS

enum { SSAPP_FIGURE_MAX_STRIPS = 6 };
/* Of a curve: fewer rows are joined as the motion goes. */
enum { SSAPP_LEAST_POINTS = 400 };

/* The worlds of a plan by two of their numbers (ssapp-export-worlds-map.c). */
typedef struct SsappWorldsMap SsappWorldsMap;
/* Everything that a motion's rows have, by quantity (ssapp-export-states.c). */
typedef struct SsappStates SsappStates;
/* A motion told by both of its clocks (ssapp-export-clocks.c). */
typedef struct SsappClocks SsappClocks;

/* One run with its compiled view. */
struct SsappFigureData {
  const SsappFigureRun *run;
  const SsScenario *scenario; /* borrowed: the run's own, else the figure's; may be NULL */
  gboolean is_foreign;        /* of another scene than the figure: its motion has other channels */
  SsView *view;               /* owned; NULL without a trajectory or when it cannot be drawn */
  char *view_error;           /* owned; why not                                               */
  int n_iterations;
  double *iteration, *objective, *violation; /* owned arrays for plots                   */
  int *traces;                               /* owned, of each of these points */
  int n_times, n_strips;
  double *times;                               /* owned                                    */
  double *strips[SSAPP_FIGURE_MAX_STRIPS];     /* owned, n_times each                      */
  char *strip_labels[SSAPP_FIGURE_MAX_STRIPS]; /* owned                                   */
  double references[SSAPP_FIGURE_MAX_STRIPS];  /* NaN if none                              */
  int n_drawn;                                 /* the same with points between the rows, as the motion is played */
  double *drawn_times, *drawn[SSAPP_FIGURE_MAX_STRIPS]; /* owned, n_drawn each       */
  int channels[SSAPP_FIGURE_MAX_STRIPS];                /* where the view proposes no strips        */
  struct {
    int n;
    double *times, *strips[SSAPP_FIGURE_MAX_STRIPS]; /* owned, n each, from where it leaves its parent */
  } * branches;                                      /* owned; of the run's branches */
  int n_steps;
  double *step_times, *step_sizes; /* owned, n_steps each: ssapp_step_sizes; of STEPS  */
  GPtrArray *modes;                /* owned, of SsappModeStrip; of MODES, else NULL    */
  SsappPath path;                  /* of PHASE                                         */
  SsappStates *states;             /* owned; of STATES, else NULL                      */
  SsappClocks *clocks;             /* owned; of CLOCKS, else NULL                      */
  GPtrArray *ends;                 /* owned, of SsappWorldEnds; of WORLDS, else NULL   */
  SsappWorldsMap *map;             /* owned; of WORLDS_MAP, else NULL */
  double mu, cone_end;             /* of CONE: friction of the run's contact, NaN: none known; largest normal force */
};

struct SsappFigure {
  const SsappPlotKind *plot;
  const SsScenario *scenario;
  double time;             /* one snapshot only; NaN: several instants     */
  const double *snapshots; /* borrowed: instants of a motion; NULL: evenly spread */
  int n_snapshots;
  const char *axes[2];     /* borrowed; of WORLDS_MAP: what its axes show */
  char *x_label, *y_label; /* owned; NULL: x is what all plots of runs are over */
  SsappPlotLine *cone;     /* owned; of CONE: two lines for each friction of the runs */
  int n_cone;
  SsappChannelStack *stack, *table; /* owned; of CHANNELS that were chosen: curves to look at, the rows as they are */
  char *band;                       /* owned; number of the scene that their bands are by; NULL: none */
  char *problem;                    /* owned; why there is nothing to draw, NULL */
  SsappRegion region;               /* of motions */
  guint layers;                     /* of motions; 0: as ever */
  char *forces_of;                  /* owned; NULL: of all bodies */
  gboolean is_film;                 /* `time` moves on: the region of the world is that of the whole motion */
  int n_runs;
  SsappFigureData *runs;  /* owned                                        */
  double t_begin, t_end;  /* over all runs                                */
  GArray *frozen;         /* owned, of SsappPlotSpan: where the time of any run stands still, by its second clock */
  SsappFrozenPlane plane; /* of PHASE: regions of the first run */
  const char *axis;       /* title of the time axis, ssapp_clock_axis     */
  gboolean has_iterations, has_motion, has_strips;
  const SsappFitPicture *fit;     /* borrowed; of SSAPP_PLOT_FIT, which has no runs */
  const SsappReachPicture *reach; /* borrowed; of SSAPP_PLOT_PULL, which has none either */
};

void ssapp_figure_prepare (SsappFigure *figure, const SsappPlotKind *plot, const SsScenario *scenario,
                           const SsappFigureRun *runs, int n_runs, const SsappFigureOptions *options);
void ssapp_figure_clear (SsappFigure *figure);
/* A figure that is ready, as a file of one of its plot's formats. */
gboolean ssapp_figure_export (const SsappFigure *figure, const SsappFigureOptions *options, const char *path,
                              GError **error);
void ssapp_figure_paint (cairo_t *cr, const SsappStyle *style, const SsappFigure *figure, double width, double height);

/* ---- what plots share (ssapp-export-parts.c) --------------------------------------------------------------------- */

/* Lengths are multiples of the font size or of the width, so that 88 mm and 180 mm figures share their type size.
 * Above TWO_COLUMNS [pt] a figure spans two columns of a paper and its plots can be lower: shares of the width, narrow,
 * wide. */
static const double SSAPP_TWO_COLUMNS = 400., SSAPP_PAPER_FONT = 8.;
static const double SSAPP_PLOT_SHARE[2] = {0.45, 0.28}, SSAPP_STRIP_SHARE[2] = {0.34, 0.18};
/* Multiple of the font size: between plots. */
static const double SSAPP_GAP = 1.;
/* Height [px] that suits what the figure has. */
double ssapp_figure_height (const SsappFigure *figure, double width);
double ssapp_figure_legend_height (double width, int n_runs, double font);
void ssapp_figure_draw_legend (cairo_t *cr, const SsappStyle *style, const SsappFigure *figure, gboolean tolerance,
                               double x, double y, double width);
typedef void SsappFigureDraw (cairo_t *cr, const SsappStyle *style, const SsappFigure *figure, double x, double y,
                              double width, double height);
/* The figure, and below it which run is which where there are several. */
void ssapp_figure_draw_above_legend (cairo_t *cr, const SsappStyle *style, const SsappFigure *figure,
                                     SsappFigureDraw *draw, double width, double height);
/* Label of a run, its method's name, or "run". */
const char *ssapp_figure_run_label (const SsappFigureRun *run);
/* "run has no channel 'box.z'; did you mean 'box.x'?", of `n` names; without a near one `otherwise` stands behind it
 * (NULL: nothing). g_free. */
char *ssapp_figure_no_such (const SsappFigureRun *run, const char *what, const char *name, const char *const *names,
                            int n, const char *otherwise);
/* Shades where time stands still. */
void ssapp_figure_shade (const SsappFigure *figure, SsappPlotSpec *spec);

/* One curve of a figure; all borrowed. */
struct SsappFigureCurve {
  const SsappFigureRun *run;
  const char *quantity, *x_name;
  int n;
  const double *x, *y;
  gsize stride;     /* of y, in doubles */
  gboolean is_dots; /* points that no line joins */
  /* Of several kinds of a run in one plot: which it is, and its look (SsappSeries.look); NULL: there is one. */
  const char *part;
  int look;
  /* Of a chosen channel: the title of its plot, with the unit, which of the plots, and whether that is logarithmic;
   * NULL: the quantity is what its plot is of. */
  const char *plot_title;
  int plot;
  gboolean is_log;
};
/* "box.mass, missed": quantity and part; g_free. */
char *ssapp_figure_curve_name (const SsappFigureCurve *curve);
/* Every curve the figure draws; motions are drawn from all channels, so these count as its curves. */
void ssapp_figure_for_each_curve (const SsappFigure *figure, SsappFigureCurveFunc func, gpointer data);
/* Those of one run: over iterations (of a race that is alone one a member that has values, the answer as a point and
 * last, as in the window), and of the strips of its view with its branches. */
void ssapp_figure_iteration_curves (const SsappFigure *figure, int run, SsappFigureCurveFunc func, gpointer data);
void ssapp_figure_strip_curves (const SsappFigureData *d, SsappFigureCurveFunc func, gpointer data);
/* Parts of the whole, into a rectangle. */
SsappFigureDraw ssapp_figure_draw_convergence, ssapp_figure_draw_two_strips;
/* Of curves of convergence, which are more than runs where one run is a race; returns its height. `cr` NULL: only
 * that. */
double ssapp_convergence_draw_legend (cairo_t *cr, const SsappStyle *style, const SsappFigure *figure, double x,
                                      double y, double width);
double ssapp_convergence_height (const SsappFigure *figure, double width);
/* What all runs need to be seen, or the chosen region at the start. */
void ssapp_figure_bounds (const SsappFigure *figure, double bounds[4]);
/* Height [px] that suits the shape of the motion: a film need not share a column with text. */
double ssapp_figure_film_height (const SsappFigure *figure, double width);

/* ---- plots: members of the table in ssapp-plot-kind.c, where they are told --------------------------------------- */

typedef void SsappPlotPrepare (SsappFigure *figure, SsappFigureData *data, const SsappFigureOptions *options);
typedef double SsappPlotHeight (const SsappFigure *figure, double width);
typedef void SsappPlotPaint (cairo_t *cr, const SsappStyle *style, const SsappFigure *figure, double width,
                             double height);
typedef void SsappPlotCurves (const SsappFigure *figure, SsappFigureCurveFunc func, gpointer data);
SsappPlotPrepare ssapp_steps_prepare, ssapp_modes_prepare, ssapp_phase_prepare, ssapp_cone_prepare,
    ssapp_states_prepare, ssapp_clocks_prepare, ssapp_worlds_prepare, ssapp_worlds_map_prepare;
typedef void SsappPlotFinish (SsappFigure *figure, const SsappFigureOptions *options);
SsappPlotFinish ssapp_channels_finish, ssapp_cone_finish;
typedef gboolean SsappPlotShows (const SsappFigure *figure);
SsappPlotShows ssapp_convergence_shows, ssapp_channels_show, ssapp_steps_show, ssapp_modes_show, ssapp_states_show,
    ssapp_tries_show, ssapp_worlds_show, ssapp_worlds_map_shows;
SsappPlotHeight ssapp_motion_height, ssapp_full_height, ssapp_channels_height, ssapp_strips_height, ssapp_modes_height,
    ssapp_plane_height, ssapp_states_height, ssapp_clocks_height, ssapp_worlds_map_height;
SsappPlotPaint ssapp_motion_paint, ssapp_full_paint, ssapp_convergence_paint, ssapp_channels_paint, ssapp_strips_paint,
    ssapp_steps_paint, ssapp_modes_paint, ssapp_plane_paint, ssapp_states_paint, ssapp_clocks_paint, ssapp_tries_paint,
    ssapp_worlds_paint, ssapp_worlds_map_paint;
SsappPlotCurves ssapp_motion_curves, ssapp_full_curves, ssapp_convergence_curves, ssapp_channels_curves,
    ssapp_strips_curves, ssapp_steps_curves, ssapp_modes_curves, ssapp_plane_curves, ssapp_states_curves,
    ssapp_clocks_curves, ssapp_tries_curves, ssapp_worlds_curves, ssapp_worlds_map_curves;
/* Of a fit (ssapp-fit-plots.c, ssapp-fit-estimates.c). */
SsappPlotShows ssapp_fit_paths_show, ssapp_fit_estimates_show, ssapp_fit_ellipse_shows, ssapp_fit_descent_shows;
SsappPlotHeight ssapp_fit_paths_height, ssapp_fit_channels_height, ssapp_fit_estimates_height, ssapp_fit_ellipse_height;
SsappPlotPaint ssapp_fit_paths_paint, ssapp_fit_channels_paint, ssapp_fit_residuals_paint, ssapp_fit_estimates_paint,
    ssapp_fit_ellipse_paint, ssapp_fit_descent_paint;
SsappPlotCurves ssapp_fit_paths_curves, ssapp_fit_channels_curves, ssapp_fit_residuals_curves,
    ssapp_fit_estimates_curves, ssapp_fit_ellipse_curves, ssapp_fit_descent_curves;
/* Of a pull (ssapp-reach-plot.c). */
#define SSAPP_PLOT_OF_REACH "reach"
SsappPlotHeight ssapp_reach_height;
SsappPlotPaint ssapp_reach_paint;
SsappPlotCurves ssapp_reach_curves;
gboolean ssapp_convergence_suits_log (double least, double most);
gboolean ssapp_steps_suit_log (double least, double most);
/* Tables of one run's rows (ssapp-export-tables.c, ssapp-export-log.c). */
typedef gboolean SsappTableWrite (const SsappTableRun *run, const char *path, GError **error);
SsappTableWrite ssapp_write_log, ssapp_write_trajectory, ssapp_write_controller, ssapp_write_events;
gboolean ssapp_write_samples (const SsSamples *samples, int n_columns, const char *path, GError **error);
gboolean ssapp_write_log_csv (GArray *iterations, const char *path, GError **error);

/* ---- formats: members of the table in ssapp-format.c ------------------------------------------------------------- */

/* Pictures are PDF, SVG, PNG (ssapp-export-picture.c); numbers CSV and JSON (-data.c); curves pgfplots: `path`, which
 * ends in .tex, and the numbers beside it in .dat (-pgf.c); films WebP (-film.c), GIF (-gif.c), WebM and MP4
 * (-video.c), numbered PNG files in a zip or in a new folder (-frames.c). */
typedef gboolean SsappFormatWrite (const SsappSheet *sheet, const char *path, GError **error);
SsappFormatWrite ssapp_write_pdf, ssapp_write_svg, ssapp_write_png, ssapp_write_csv, ssapp_write_json, ssapp_write_pgf,
    ssapp_write_webp, ssapp_write_gif, ssapp_write_video, ssapp_write_zip, ssapp_write_folder;

#define SSAPP_MM_PER_INCH 25.4
#define SSAPP_PT_PER_INCH 72.
/* A surface as PNG that says its resolution. */
cairo_status_t ssapp_surface_to_png (cairo_surface_t *surface, double dpi, GByteArray *out);
/* CRC-32 (ISO 3309) of PNG and zip. */
guint32 ssapp_crc32 (const guint8 *data, gsize n);

/* Says that `path` could not be drawn, and why; FALSE. */
gboolean ssapp_export_fail (const char *path, GIOErrorEnum code, const char *what, GError **error);

/* A film: one picture of a motion a frame, painted `zoom` times as large; made by ssapp_film_init. */
typedef struct {
  SsappFigure *figure; /* its time moves on */
  double width, height, zoom, dpi, fps, speed;
  int w, h, n_frames; /* px */
  const char *path;   /* for messages */
  GCancellable *cancellable;
  SsappFilmProgress *progress; /* NULL: nobody asks */
  gpointer progress_data;
} SsappFilm;
/* The last picture is held for so long. */
#define SSAPP_FILM_HOLDS_MS 1000.
/* FALSE with an error where it would be too large. */
gboolean ssapp_film_init (SsappFilm *film, const SsappSheet *sheet, const char *path, GError **error);
/* Paints every so manieth frame (RGB24) and hands it on, until FALSE comes back or it is cancelled. */
typedef gboolean (*SsappFrameFunc) (cairo_surface_t *surface, int frame, gpointer data, GError **error);
gboolean ssapp_film_walk (const SsappFilm *film, int every, SsappFrameFunc func, gpointer data, GError **error);

/* ---- states and clocks ------------------------------------------------------------------------------------------- */

/* Channels of a run by quantity. Controls are stairs where the run holds them between its rows. */
SsappStates *ssapp_states_new (const SsappFigureRun *run);
void ssapp_states_free (SsappStates *states); /* NULL is allowed */
/* Calls func for each of its curves, with the name of what they are over. */
void ssapp_states_for_each (const SsappStates *states, const SsappFigureRun *run, const char *x_name,
                            SsappFigureCurveFunc func, gpointer data);
gboolean ssapp_states_has_panel (const SsappStates *states, const char *title);
/* One of its panels alone, nothing where there is none of that title: letter, labels, spans of `about`. */
void ssapp_states_draw_panel (cairo_t *cr, const SsappStyle *style, const SsappStates *states, const char *title,
                              const SsappPlotSpec *about, double x, double y, double width, double height);
void ssapp_clocks_free (SsappClocks *clocks);     /* NULL is allowed */
void ssapp_worlds_map_free (SsappWorldsMap *map); /* NULL is allowed */

/* ---- copies for threads ------------------------------------------------------------------------------------------ */

/* The scenario read once more with the same parameters (NULL: without memory), and a run with all that it borrows; *to
 * is zeroed, and is for the second also after a failure. */
SsScenario *ssapp_figure_copy_scenario (const SsScenario *scenario);
gboolean ssapp_figure_run_copy (const SsappFigureRun *from, SsappFigureRun *to);
void ssapp_figure_run_clear (SsappFigureRun *run);

G_END_DECLS
