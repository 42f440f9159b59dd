/* app/export/ssapp-export-private.h: a figure ready to be drawn, shared by the picture and the data writers (private to
 * the room). */
#pragma once

#include "app/export/ssapp-export.h"
#include "app/draw/ssapp-clock.h"
#include "app/draw/ssapp-plot-parts.h"
#include "app/draw/ssapp-run-plots.h"

G_BEGIN_DECLS

enum { SSAPP_FIGURE_MAX_STRIPS = 6 };

/* One run with its compiled view. */
typedef struct {
  const SsappFigureRun *run;
  SsView *view;     /* owned; NULL without a trajectory or when it cannot be drawn */
  char *view_error; /* owned; why not                                               */
  int n_iterations;
  double *iteration, *objective, *violation; /* owned arrays for plots                   */
  int n_times, n_strips;
  double *times;                               /* owned                                    */
  double *strips[SSAPP_FIGURE_MAX_STRIPS];     /* owned, n_times each                      */
  char *strip_labels[SSAPP_FIGURE_MAX_STRIPS]; /* owned                                   */
  double references[SSAPP_FIGURE_MAX_STRIPS];  /* NaN if none                              */
  int channels[SSAPP_FIGURE_MAX_STRIPS];       /* where the view proposes no strips        */
  struct {
    int n;
    double *times, *strips[SSAPP_FIGURE_MAX_STRIPS]; /* owned, n each, from where it leaves its parent */
  } * branches;                                      /* owned; of the run's branches */
  int n_steps;
  double *step_times, *step_sizes; /* owned, n_steps each: ssapp_step_sizes; of STEPS  */
  GPtrArray *modes;                /* owned, of SsappModeStrip; of MODES, else NULL    */
} SsappFigureData;

typedef struct {
  SsappFigureKind kind;
  const SsScenario *scenario;
  double time;      /* one snapshot only; NaN: several instants     */
  gboolean is_film; /* `time` moves on: the region of the world is that of the whole motion */
  int n_runs;
  SsappFigureData *runs; /* owned                                        */
  double t_begin, t_end; /* over all runs                                */
  const char *axis;      /* title of the time axis, ssapp_clock_axis     */
  gboolean has_iterations, has_motion, has_strips;
} SsappFigure;

void ssapp_figure_prepare (SsappFigure *figure, SsappFigureKind kind, const SsScenario *scenario,
                           const SsappFigureRun *runs, int n_runs, double time);
void ssapp_figure_clear (SsappFigure *figure);
void ssapp_figure_paint (cairo_t *cr, const SsappStyle *style, const SsappFigure *figure, double width, double height);

/* Height [px] that suits the number of contacts of MODES. */
double ssapp_figure_modes_height (const SsappFigure *figure);
/* Height [px] that suits the shape of the motion: a film need not share a column with text. */
double ssapp_figure_film_height (const SsappFigure *figure, double width);
/* The motion as an animated WebP: one picture a frame, painted `zoom` times as large, the last one held for a while.
 * Checks `cancellable` before each. */
gboolean ssapp_figure_to_webp (SsappFigure *figure, double width, double height, double zoom,
                               const SsappFigureOptions *options, const char *path, GCancellable *cancellable,
                               GByteArray *out, GError **error);

/* The numbers of a figure as text. */
void ssapp_figure_to_csv (const SsappFigure *figure, GString *out);
void ssapp_figure_to_json (const SsappFigure *figure, GString *out);

G_END_DECLS
