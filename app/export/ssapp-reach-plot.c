/* app/export/ssapp-reach-plot.c: what a number reaches, painted; see ssapp-reach-picture.h. */
#include "app/export/ssapp-reach-picture.h"

#include "app/export/ssapp-export-private.h"
#include "app/export/ssapp-fit-private.h"
#include "app/job/ssapp-pull.h"

#include <math.h>

static const double REACH_SHARE = 0.5;
/* Multiples of the font size: room below the plot for a name of a sequence, and its least width. */
static const double REACH_ROW = 1.4;
static const double REACH_LINE_PX = 2.2, REACH_DOT_PX = 4;
enum { NAMES_MOST = 8, EVENTS_NAMED = 3 };

SsappColor
ssapp_reach_color (const SsappStyle *style, int sequence)
{
  SsappMethodStyle look;

  ssapp_style_look (style, MAX (sequence, 0), &look);
  return look.color;
}

/* The names of the sequences, below each other. */
static double
names_height (const SsReach *reach, double font)
{
  return (MIN (reach->n_sequences, NAMES_MOST) + (reach->n_sequences > NAMES_MOST ? 1 : 0) + 0.4) * REACH_ROW * font;
}

double
ssapp_reach_height (const SsappFigure *figure, double width)
{
  return REACH_SHARE * width + names_height (figure->reach->reach, SSAPP_PAPER_FONT);
}

static void
draw_names (cairo_t *cr, const SsappStyle *style, const SsappReachPicture *p, double x, double y)
{
  const SsReach *reach = p->reach;
  const double row = REACH_ROW * style->font_size;

  for (int i = 0; i < MIN (reach->n_sequences, NAMES_MOST); i++) {
    g_autofree char *name = ssapp_pull_sequence_text (p->scenario->scene, reach->sequences[i], EVENTS_NAMED);
    const SsappColor color = ssapp_reach_color (style, i);
    const SsappTextStyle text = {.size = style->font_size, .color = color, .anchor_y = 0.5};
    ssapp_set_color (cr, color);
    cairo_rectangle (cr, x, y + i * row + 0.35 * row, style->font_size, 0.3 * row);
    cairo_fill (cr);
    ssapp_text_draw (cr, style, &text, x + 1.5 * style->font_size, y + (i + 0.5) * row, name);
  }
  if (reach->n_sequences > NAMES_MOST) {
    g_autofree char *rest = g_strdup_printf ("and %d other sequences", reach->n_sequences - NAMES_MOST);
    const SsappTextStyle text = {
        .size = style->font_size, .color = ssapp_style_color (style, SSAPP_COLOR_DIM), .anchor_y = 0.5};
    ssapp_text_draw (cr, style, &text, x + 1.5 * style->font_size, y + (NAMES_MOST + 0.5) * row, rest);
  }
}

static void
draw_stretches (cairo_t *cr, const SsappStyle *style, const SsappReachPicture *p, const SsappPlotFrame *frame)
{
  const double dots[] = {0.01, 3 * style->scale};
  int first, last;

  cairo_set_line_cap (cr, CAIRO_LINE_CAP_ROUND);
  cairo_set_line_join (cr, CAIRO_LINE_JOIN_ROUND);
  for (int i = 0; i < p->reach->n_edges; i++) { /* jumps, dotted */
    const SsReachPoint *a = &p->reach->points[p->reach->edges[i].point], *b = a + 1;
    if (!p->reach->edges[i].is_jump || !isfinite (a->values[p->outcome]) || !isfinite (b->values[p->outcome]))
      continue;
    cairo_move_to (cr, ssapp_plot_frame_x (frame, a->at), ssapp_plot_frame_y (frame, a->values[p->outcome]));
    cairo_line_to (cr, ssapp_plot_frame_x (frame, b->at), ssapp_plot_frame_y (frame, b->values[p->outcome]));
  }
  cairo_set_dash (cr, dots, 2, 0);
  ssapp_set_color (cr, ssapp_style_color (style, SSAPP_COLOR_DIM));
  cairo_set_line_width (cr, ssapp_style_line (style, 1));
  cairo_stroke (cr);
  cairo_set_dash (cr, NULL, 0, 0);
  cairo_set_line_width (cr, ssapp_style_line (style, REACH_LINE_PX));
  for (int k = 0; ssapp_reach_stretch (p->reach, k, &first, &last); k++) {
    cairo_new_path (cr);
    for (int i = first; i <= last; i++) {
      const double y = p->reach->points[i].values[p->outcome];
      if (isfinite (y))
        cairo_line_to (cr, ssapp_plot_frame_x (frame, p->reach->points[i].at), ssapp_plot_frame_y (frame, y));
    }
    if (last == first) /* a dot */
      cairo_close_path (cr);
    ssapp_set_color (cr, ssapp_reach_color (style, p->reach->points[first].sequence));
    cairo_stroke (cr);
  }
}

static void
draw_reach_dot (cairo_t *cr, const SsappStyle *style, const SsappPlotFrame *frame, double x, double y, gboolean is_now)
{
  if (isfinite (x) && isfinite (y))
    ssapp_draw_marker (cr, SSAPP_MARKER_CIRCLE, ssapp_plot_frame_x (frame, x), ssapp_plot_frame_y (frame, y),
                       REACH_DOT_PX * style->scale, ssapp_style_line (style, 1.6),
                       ssapp_style_color (style, is_now ? SSAPP_COLOR_ACCENT : SSAPP_COLOR_DIM), is_now,
                       ssapp_style_color (style, SSAPP_COLOR_CARD));
}

/* Index of the scanned number among those of the pull; -1. */
static int
cause_of (const SsappReachPicture *p)
{
  for (int k = 0; p->pull != NULL && k < p->pull->n_causes; k++)
    if (g_strcmp0 (p->pull->changes[k].name, p->reach->name) == 0)
      return k;
  return -1;
}

void
ssapp_reach_picture_draw (cairo_t *cr, const SsappStyle *style, const SsappReachPicture *p, double width, double height)
{
  g_return_if_fail (style != NULL && p != NULL && p->outcome < p->reach->n_wants);
  const SsPullOutcome *o = &p->reach->outcomes[p->outcome];
  const double names = names_height (p->reach, style->font_size);
  const int cause = cause_of (p);
  const double want = cause >= 0 ? p->pull->outcomes[p->outcome].want : NAN;
  double box[4] = {p->reach->lower, p->reach->upper, INFINITY, -INFINITY};
  g_autofree char *title =
      o->unit[0] != '\0' ? g_strdup_printf ("%s [%s]", o->formula, o->unit) : g_strdup (o->formula);
  SsappPlotSpec spec = {SSAPP_PLOT_FREE, .title = title, .x_label = p->reach->name};
  SsappPlotFrame frame;

  for (int i = 0; i < p->reach->n_points; i++)
    if (isfinite (p->reach->points[i].values[p->outcome])) {
      box[2] = fmin (box[2], p->reach->points[i].values[p->outcome]);
      box[3] = fmax (box[3], p->reach->points[i].values[p->outcome]);
    }
  if (isfinite (want)) {
    box[2] = fmin (box[2], want);
    box[3] = fmax (box[3], want);
  }
  spec.x_min = box[0];
  spec.x_max = box[1];
  ssapp_plot_frame_layout (style, &spec, box, 0, 0, width, height - names, &frame);
  ssapp_plot_frame_draw (cr, style, &spec, &frame);
  ssapp_fit_clip (cr, style, &frame);
  if (isfinite (want)) {
    const double dashes[] = {4 * style->scale, 3 * style->scale};
    cairo_set_dash (cr, dashes, 2, 0);
    cairo_move_to (cr, frame.area.x, ssapp_plot_frame_y (&frame, want));
    cairo_line_to (cr, frame.area.x + frame.area.width, ssapp_plot_frame_y (&frame, want));
    ssapp_set_color (cr, ssapp_style_color (style, SSAPP_COLOR_ACCENT));
    cairo_set_line_width (cr, ssapp_style_line (style, 1));
    cairo_stroke (cr);
    cairo_set_dash (cr, NULL, 0, 0);
  }
  draw_stretches (cr, style, p, &frame);
  for (int i = 0; cause >= 0 && p->pull->n_causes == 1 && i < p->pull->n_others; i++)
    draw_reach_dot (cr, style, &frame, p->pull->others[i].values[cause], want, FALSE);
  draw_reach_dot (cr, style, &frame, p->reach->was, o->was, FALSE);
  if (cause >= 0 && p->pull->n_causes == 1)
    draw_reach_dot (cr, style, &frame, p->pull->changes[cause].value, p->pull->outcomes[p->outcome].value, TRUE);
  cairo_restore (cr);
  draw_names (cr, style, p, frame.area.x, height - names + 0.2 * style->font_size);
}

void
ssapp_reach_paint (cairo_t *cr, const SsappStyle *style, const SsappFigure *figure, double width, double height)
{
  ssapp_reach_picture_draw (cr, style, figure->reach, width, height);
}

void
ssapp_reach_curves (const SsappFigure *figure, SsappFigureCurveFunc func, gpointer data)
{
  const SsappReachPicture *p = figure->reach;
  int first, last;

  for (int k = 0; ssapp_reach_stretch (p->reach, k, &first, &last); k++) {
    const int n = last - first + 1, sequence = p->reach->points[first].sequence;
    g_autofree double *x = g_new (double, n), *y = g_new (double, n);
    g_autofree char *label = ssapp_pull_sequence_text (
        p->scenario->scene, sequence >= 0 ? p->reach->sequences[sequence] : NULL, EVENTS_NAMED);
    const SsappFigureRun run = {.label = label};
    for (int i = 0; i < n; i++) {
      x[i] = p->reach->points[first + i].at;
      y[i] = p->reach->points[first + i].values[p->outcome];
    }
    func (&(SsappFigureCurve){&run, p->reach->outcomes[p->outcome].formula, p->reach->name, n, x, y, 1, FALSE}, data);
  }
}
