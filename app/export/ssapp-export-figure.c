/* app/export/ssapp-export-figure.c: composition of paper figures: snapshots of motions, colour bar, convergence plots,
 * strips, legend; what is drawn is made ready in ssapp-export-prepare.c. Lengths are multiples of the font size or of
 * the width, so that 88 mm and 180 mm figures share their type size.
 */
#include "app/export/ssapp-export-private.h"

#include <math.h>

enum { STRIPS_ASSUMED = 2, MODES_ASSUMED = 2, STATES_ASSUMED = 4 };

/* ---- sizes ------------------------------------------------------------------------------------------------------- */

static double
natural_height (SsappFigureKind kind, double width, int n_runs, double font)
{
  int wide = width > SSAPP_TWO_COLUMNS;
  double motion = ssapp_figure_motion_height (width, n_runs, font), plots = SSAPP_PLOT_SHARE[wide] * width;
  double legend = ssapp_figure_legend_height (width, n_runs, font);
  switch (kind) {
  case SSAPP_FIGURE_MOTION:
    return motion;
  case SSAPP_FIGURE_CONVERGENCE:
    return plots + legend;
  case SSAPP_FIGURE_CHANNELS:
  case SSAPP_FIGURE_REPLAY:
    return STRIPS_ASSUMED * SSAPP_STRIP_SHARE[wide] * width + legend;
  case SSAPP_FIGURE_STEPS:
    return plots + legend;
  case SSAPP_FIGURE_MODES:
    return MODES_ASSUMED * SSAPP_STRIP_SHARE[wide] * width;
  case SSAPP_FIGURE_PHASE:
  case SSAPP_FIGURE_CONE:
    return SSAPP_PHASE_SHARE[wide] * width + legend;
  case SSAPP_FIGURE_STATES:
    return STATES_ASSUMED * SSAPP_STRIP_SHARE[wide] * width;
  case SSAPP_FIGURE_CLOCKS:
    return STATES_ASSUMED * SSAPP_CLOCKS_SHARE * width;
  case SSAPP_FIGURE_FULL:
  default:
    return motion + SSAPP_GAP * font + plots + legend;
  }
}

double
ssapp_figure_height (SsappFigureKind kind, double width_px, int n_runs)
{
  return ceil (natural_height (kind, width_px, n_runs, SSAPP_PAPER_FONT));
}

double
ssapp_figure_own_height (const SsappFigure *figure, double width)
{
  const int wide = width > SSAPP_TWO_COLUMNS;
  SsappStyle style;
  guint n = 0;

  ssapp_style_init_paper (&style);
  switch (figure->kind) {
  case SSAPP_FIGURE_MODES:
    for (int i = 0; i < figure->n_runs; i++)
      n += figure->runs[i].modes != NULL ? figure->runs[i].modes->len : 0;
    return ceil (ssapp_mode_strips_height (&style, (int)n));
  case SSAPP_FIGURE_STATES:
    n = figure->n_runs > 0 && figure->runs[0].states != NULL ? (guint)ssapp_states_n_panels (figure->runs[0].states)
                                                             : 0;
    return ceil (MAX (n, 1) * SSAPP_STRIP_SHARE[wide] * width + 3 * SSAPP_PAPER_FONT);
  case SSAPP_FIGURE_CLOCKS:
    n = figure->n_runs > 0 && figure->runs[0].clocks != NULL ? (guint)ssapp_clocks_n_rows (figure->runs[0].clocks) : 1;
    return ceil (n * SSAPP_CLOCKS_SHARE * width);
  case SSAPP_FIGURE_CHANNELS:
    if (figure->stack != NULL)
      return ceil (MAX (ssapp_channel_stack_n_plots (figure->stack), 1) * SSAPP_STRIP_SHARE[wide] * width +
                   3 * SSAPP_PAPER_FONT);
    for (int i = 0; i < figure->n_runs; i++)
      n = MAX (n, (guint)figure->runs[i].n_strips);
    return n <= STRIPS_ASSUMED
               ? 0
               : ceil (n * SSAPP_STRIP_SHARE[wide] * width +
                       (figure->n_runs > 1 ? ssapp_figure_legend_height (width, figure->n_runs, SSAPP_PAPER_FONT)
                                           : 3 * SSAPP_PAPER_FONT));
  case SSAPP_FIGURE_MOTION:
    if (figure->n_snapshots == 0 || figure->n_runs > 1)
      return 0;
    n = (guint)ceil ((double)figure->n_snapshots / SSAPP_SNAPSHOTS_A_ROW[wide]);
    return ceil (n * (SSAPP_PANEL_SHARE[wide] * width + SSAPP_TIME_ROW * SSAPP_PAPER_FONT) +
                 SSAPP_BAR_ROW * SSAPP_PAPER_FONT);
  default:
    return 0;
  }
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

void
ssapp_figure_paint (cairo_t *cr, const SsappStyle *style, const SsappFigure *figure, double width, double height)
{
  double font = style->font_size, legend = ssapp_figure_legend_height (width, figure->n_runs, font), motion;
  double natural = natural_height (figure->kind, width, figure->n_runs, font), stretch = height / natural;
  gboolean iterations = figure->has_iterations || !figure->has_strips;

  cairo_save (cr);
  cairo_new_path (cr);
  ssapp_set_color (cr, ssapp_style_color (style, SSAPP_COLOR_VIEW));
  cairo_rectangle (cr, 0, 0, width, height);
  cairo_fill (cr);
  switch (figure->kind) {
  case SSAPP_FIGURE_MOTION:
    ssapp_figure_draw_motions (cr, style, figure, 0, 0, width, height);
    break;
  case SSAPP_FIGURE_CONVERGENCE:
    ssapp_figure_draw_convergence (cr, style, figure, 0, 0, width, height - legend);
    ssapp_figure_draw_legend (cr, style, figure, TRUE, 0, height - legend, width);
    break;
  case SSAPP_FIGURE_CHANNELS:
  case SSAPP_FIGURE_REPLAY:
    if (figure->stack != NULL) {
      ssapp_figure_draw_stack (cr, style, figure, 0, 0, width, height);
      break;
    }
    ssapp_figure_draw_above_legend (cr, style, figure, ssapp_figure_draw_strips, width, height);
    break;
  case SSAPP_FIGURE_STEPS:
    ssapp_figure_draw_above_legend (cr, style, figure, ssapp_figure_draw_steps, width, height);
    break;
  case SSAPP_FIGURE_MODES:
    ssapp_figure_draw_modes (cr, style, figure, 0, 0, width, height);
    break;
  case SSAPP_FIGURE_PHASE:
  case SSAPP_FIGURE_CONE:
    ssapp_figure_draw_above_legend (cr, style, figure, ssapp_figure_draw_phase, width, height);
    break;
  case SSAPP_FIGURE_STATES:
    ssapp_figure_draw_states (cr, style, figure, 0, 0, width, height);
    break;
  case SSAPP_FIGURE_CLOCKS:
    ssapp_figure_draw_clocks (cr, style, figure, 0, 0, width, height);
    break;
  case SSAPP_FIGURE_FULL:
    legend = iterations || figure->n_runs > 1 ? legend : 0.;
    motion = ssapp_figure_motion_height (width, figure->n_runs, font) * stretch;
    ssapp_figure_draw_motions (cr, style, figure, 0, 0, width, motion);
    if (iterations)
      ssapp_figure_draw_convergence (cr, style, figure, 0, motion + SSAPP_GAP * font, width,
                                     height - motion - SSAPP_GAP * font - legend);
    else
      ssapp_figure_draw_two_strips (cr, style, figure, 0, motion + SSAPP_GAP * font, width,
                                    height - motion - SSAPP_GAP * font - legend);
    if (legend > 0.)
      ssapp_figure_draw_legend (cr, style, figure, iterations, 0, height - legend, width);
    break;
  }
  cairo_restore (cr);
}

void
ssapp_figure_draw (cairo_t *cr, const SsappStyle *style, SsappFigureKind kind, const SsScenario *scenario,
                   const SsappFigureRun *runs, int n_runs, double width, double height)
{
  SsappFigure figure;
  ssapp_figure_prepare (&figure, kind, scenario, runs, n_runs, NULL);
  ssapp_figure_paint (cr, style, &figure, width, height);
  ssapp_figure_clear (&figure);
}
