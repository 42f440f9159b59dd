/* app/export/ssapp-fit-plots.c: measured and fitted motions and their residuals; see ssapp-fit-picture.h. */
#include "app/export/ssapp-fit-private.h"

#include <math.h>
#include <string.h>

/* Multiples of the font size. */
static const double PLOT_HEIGHT = 13, LEFT = 4.6, PATH_MARGIN = 3, FOOT = 2.8;
/* px at 100 % */
static const double DOT_PX = 2.4, LINE_PX = 1.8;
/* Residuals beyond so many deviations are drawn at the edge. */
static const double EDGE = 5, BAND = 2;

/* ---- which values ------------------------------------------------------------------------------------------------ */

static gboolean
shows_trial (const SsappFitPicture *p, int trial)
{
  return p->trial < 0 || p->trial == trial;
}

static SsappColor
ssapp_fit_trial_color (const SsappStyle *style, int trial)
{
  SsappMethodStyle look;

  ssapp_style_look (style, trial, &look);
  return look.color;
}

static gboolean
is_angle (const char *channel)
{
  return g_str_has_suffix (channel, ".theta") || g_str_has_suffix (channel, ".omega");
}

static const char *
unit_of (const char *channel)
{
  const char *dot = strrchr (channel, '.');

  return ss_quantity_unit (ss_quantity_find (dot != NULL ? dot + 1 : channel));
}

/* Of a channel's fitted motion: by the time of its table, in its lengths. */
typedef struct {
  int n;
  double *t, *y; /* owned */
} Line;

static void
line_clear (Line *line)
{
  g_free (line->t);
  g_free (line->y);
}

static Line
line_of_values (const SsappFitPicture *p, int channel, int trial)
{
  Line line = {0, g_new (double, p->n_values + 1), g_new (double, p->n_values + 1)};

  for (int i = 0; i < p->n_values; i++)
    if (p->values[i].residual == channel && p->values[i].trial == trial && isfinite (p->values[i].predicted)) {
      line.t[line.n] = p->values[i].t;
      line.y[line.n++] = p->values[i].predicted;
    }
  return line;
}

static Line
line_of (const SsappFitPicture *p, int channel, int trial)
{
  const SsTrajectory *motion = p->motions != NULL ? ss_run_motion (&p->motions[trial].run) : NULL;
  const int c = motion != NULL ? ss_trajectory_channel (motion, p->channels[channel]) : -1;

  if (c < 0)
    return line_of_values (p, channel, trial);
  Line line = {motion->n_rows, g_new (double, motion->n_rows + 1), g_new (double, motion->n_rows + 1)};
  const double scale = is_angle (p->channels[channel]) ? 1 : p->motions[trial].scale;
  for (int k = 0; k < motion->n_rows; k++) {
    line.t[k] = ss_trajectory_row (motion, k)[0] + p->motions[trial].offset;
    line.y[k] = ss_trajectory_row (motion, k)[c] * scale;
  }
  return line;
}

static void
include (double box[4], double x, double y)
{
  if (!isfinite (x) || !isfinite (y))
    return;
  box[0] = fmin (box[0], x);
  box[1] = fmax (box[1], x);
  box[2] = fmin (box[2], y);
  box[3] = fmax (box[3], y);
}

/* ---- what plots share -------------------------------------------------------------------------------------------- */

void
ssapp_fit_clip (cairo_t *cr, const SsappStyle *style, const SsappPlotFrame *frame)
{
  const double room = ssapp_style_line (style, DOT_PX + 1);

  cairo_save (cr);
  cairo_rectangle (cr, frame->area.x - room, frame->area.y - room, frame->area.width + 2 * room,
                   frame->area.height + 2 * room);
  cairo_clip (cr);
}

static void
draw_dot (cairo_t *cr, const SsappStyle *style, double x, double y, SsappColor color)
{
  cairo_new_sub_path (cr);
  cairo_arc (cr, x, y, DOT_PX * style->scale, 0, 2 * G_PI);
  ssapp_set_color (cr, ssapp_style_color (style, SSAPP_COLOR_CARD));
  cairo_fill_preserve (cr);
  ssapp_set_color (cr, color);
  cairo_set_line_width (cr, style->scale);
  cairo_stroke (cr);
}

/* The instants of the shown trial's events; of all trials together they would tell nothing. */
static void
draw_events (cairo_t *cr, const SsappStyle *style, const SsappFitPicture *p, const SsappPlotFrame *frame)
{
  const int trial = p->n_trials == 1 ? 0 : p->trial;

  if (p->motions == NULL || trial < 0)
    return;
  ssapp_set_color (cr, ssapp_color_with_alpha (ssapp_style_color (style, SSAPP_COLOR_CONTACT), 0.55));
  cairo_set_line_width (cr, ssapp_style_line (style, 1));
  for (guint i = 0; i < p->motions[trial].events->len; i++) {
    const double x = ssapp_plot_frame_x (frame, g_array_index (p->motions[trial].events, SsappRunEvent, i).t +
                                                    p->motions[trial].offset);
    if (x < frame->area.x || x > frame->area.x + frame->area.width)
      continue;
    cairo_move_to (cr, x, frame->area.y);
    cairo_line_to (cr, x, frame->area.y + frame->area.height);
  }
  cairo_stroke (cr);
}

/* "trial 1  trial 2" in their colours, the last one's end at x. */
static void
draw_trials (cairo_t *cr, const SsappStyle *style, const SsappFitPicture *p, double x, double y)
{
  for (int i = p->n_trials - 1; p->n_trials > 1 && i >= 0; i--) {
    g_autofree char *name = g_strdup_printf ("trial %d", i + 1);
    double width;
    if (!shows_trial (p, i))
      continue;
    const SsappTextStyle text = {
        .size = style->font_size, .bold = TRUE, .color = ssapp_fit_trial_color (style, i), .anchor_x = 1, .halo = TRUE};
    ssapp_text_draw (cr, style, &text, x, y, name);
    ssapp_text_measure (style, text.size, TRUE, name, &width, NULL);
    x -= width + style->font_size;
  }
}

/* Frames of channels below each other share their times and their left edge. */
static SsappPlotFrame
channel_frame (const SsappStyle *style, const SsappFitPicture *p, int channel, const char *title, double box[4],
               double width, double height, SsappPlotSpec *spec)
{
  const double foot = FOOT * style->font_size, each = (height - foot) / MAX (p->n_channels, 1), y = channel * each;
  const gboolean is_last = channel + 1 == p->n_channels;
  SsappPlotFrame frame;

  for (int i = 0; i < p->n_values; i++)
    if (shows_trial (p, p->values[i].trial))
      include (box, p->values[i].t, (box[2] + box[3]) / 2);
  *spec = (SsappPlotSpec){SSAPP_PLOT_FREE, .title = title, .left_least = LEFT * style->font_size,
                          .right_least = 0.8 * style->font_size};
  spec->hide_x_labels = !is_last;
  spec->x_label = is_last ? "Time [s]" : NULL;
  spec->x_min = box[0];
  spec->x_max = box[1];
  ssapp_plot_frame_layout (style, spec, box, 0, y, width, is_last ? each + foot : each, &frame);
  return frame;
}

/* ---- by channel -------------------------------------------------------------------------------------------------- */

static void
draw_line (cairo_t *cr, const SsappStyle *style, const SsappPlotFrame *frame, const Line *line, SsappColor color)
{
  cairo_new_path (cr);
  for (int i = 0; i < line->n; i++)
    cairo_line_to (cr, ssapp_plot_frame_x (frame, line->t[i]), ssapp_plot_frame_y (frame, line->y[i]));
  ssapp_set_color (cr, color);
  cairo_set_line_width (cr, ssapp_style_line (style, LINE_PX));
  cairo_set_line_join (cr, CAIRO_LINE_JOIN_ROUND);
  cairo_stroke (cr);
}

static void
draw_channel (cairo_t *cr, const SsappStyle *style, const SsappFitPicture *p, int channel, double width, double height)
{
  double box[4] = {INFINITY, -INFINITY, INFINITY, -INFINITY};
  g_autofree Line *lines = g_new0 (Line, p->n_trials + 1);
  g_autofree char *title = g_strdup_printf ("%s [%s]", p->channels[channel], unit_of (p->channels[channel]));
  SsappPlotSpec spec;

  for (int i = 0; i < p->n_values; i++)
    if (p->values[i].residual == channel && shows_trial (p, p->values[i].trial))
      include (box, p->values[i].t, p->values[i].measured);
  for (int trial = 0; trial < p->n_trials; trial++) {
    lines[trial] = shows_trial (p, trial) ? line_of (p, channel, trial) : (Line){0};
    for (int k = 0; k < lines[trial].n; k++)
      include (box, lines[trial].t[k], lines[trial].y[k]);
  }
  SsappPlotFrame frame = channel_frame (style, p, channel, title, box, width, height, &spec);
  ssapp_plot_frame_draw (cr, style, &spec, &frame);
  draw_events (cr, style, p, &frame);
  ssapp_fit_clip (cr, style, &frame);
  for (int i = 0; i < p->n_values; i++)
    if (p->values[i].residual == channel && shows_trial (p, p->values[i].trial))
      draw_dot (cr, style, ssapp_plot_frame_x (&frame, p->values[i].t),
                ssapp_plot_frame_y (&frame, p->values[i].measured),
                ssapp_color_with_alpha (ssapp_fit_trial_color (style, p->values[i].trial), 0.75));
  for (int trial = 0; trial < p->n_trials; trial++) {
    draw_line (cr, style, &frame, &lines[trial], ssapp_fit_trial_color (style, trial));
    line_clear (&lines[trial]);
  }
  cairo_restore (cr);
  if (channel == 0)
    draw_trials (cr, style, p, frame.area.x + frame.area.width, frame.y);
}

void
ssapp_fit_channels_paint (cairo_t *cr, const SsappStyle *style, const SsappFigure *figure, double width, double height)
{
  for (int c = 0; c < figure->fit->n_channels; c++)
    draw_channel (cr, style, figure->fit, c, width, height);
}

double
ssapp_fit_channels_height (const SsappFigure *figure, double width)
{
  (void)width;
  return MAX (figure->fit->n_channels, 1) * PLOT_HEIGHT * SSAPP_PAPER_FONT + 2 * SSAPP_PAPER_FONT;
}

/* ---- residuals --------------------------------------------------------------------------------------------------- */

/* Robust deviation of a channel's residuals: of the result, else of what is there. */
static double
deviation_of (const SsappFitPicture *p, int channel)
{
  if (p->result != NULL)
    return p->result->residuals[channel].scale;
  g_autofree double *values = g_new (double, p->n_values + 1);
  int n = 0;
  for (int i = 0; i < p->n_values; i++)
    if (p->values[i].residual == channel)
      values[n++] = p->values[i].measured - p->values[i].predicted;
  return ss_fit_scale (SS_FIT_UPPER, values, n);
}

static void
draw_stem (cairo_t *cr, const SsappStyle *style, const SsappPlotFrame *frame, double t, double value, SsappColor color)
{
  const double x = ssapp_plot_frame_x (frame, t),
               y = ssapp_plot_frame_y (frame, CLAMP (value, frame->y_axis.min, frame->y_axis.max));

  ssapp_set_color (cr, ssapp_color_with_alpha (color, 0.4));
  cairo_set_line_width (cr, ssapp_style_line (style, 1));
  cairo_move_to (cr, x, ssapp_plot_frame_y (frame, 0));
  cairo_line_to (cr, x, y);
  cairo_stroke (cr);
  if (value > frame->y_axis.max || value < frame->y_axis.min)
    ssapp_draw_marker (cr, value > 0 ? SSAPP_MARKER_TRIANGLE : SSAPP_MARKER_DOWN, x, y, 1.4 * DOT_PX * style->scale,
                       style->scale, color, TRUE, color);
  else
    draw_dot (cr, style, x, y, color);
}

static void
draw_band (cairo_t *cr, const SsappStyle *style, const SsappPlotFrame *frame, double deviation, const char *unit)
{
  const SsappColor accent = ssapp_style_color (style, SSAPP_COLOR_ACCENT);
  const double top = ssapp_plot_frame_y (frame, BAND * deviation),
               bottom = ssapp_plot_frame_y (frame, -BAND * deviation);
  g_autofree char *number = ssapp_format_number (BAND * deviation, 2),
                  *words = g_strdup_printf ("band: 2 deviations, %s %s", number, unit);
  const SsappTextStyle text = {.size = 0.9 * style->font_size,
                               .color = ssapp_style_color (style, SSAPP_COLOR_DIM),
                               .anchor_x = 1,
                               .anchor_y = 0};

  ssapp_set_color (cr, ssapp_color_with_alpha (accent, 0.12));
  cairo_rectangle (cr, frame->area.x, top, frame->area.width, bottom - top);
  cairo_fill (cr);
  ssapp_text_draw (cr, style, &text, frame->area.x + frame->area.width, frame->y, words);
}

static void
draw_residuals (cairo_t *cr, const SsappStyle *style, const SsappFitPicture *p, int channel, double width,
                double height)
{
  const double deviation = deviation_of (p, channel), factor = deviation < 0.1 ? 1e3 : 1;
  const char *si = unit_of (p->channels[channel]);
  g_autofree char *unit = g_strdup_printf ("%s%s", factor > 1 ? "m" : "", si),
                  *title = g_strdup_printf ("%s, measured − fitted [%s]", p->channels[channel], unit);
  double box[4] = {INFINITY, -INFINITY, 0, 0}, most = 1.25 * BAND * deviation * factor;
  SsappPlotSpec spec;

  for (int i = 0; i < p->n_values; i++)
    if (p->values[i].residual == channel && shows_trial (p, p->values[i].trial))
      most = fmax (most, factor * fabs (p->values[i].measured - p->values[i].predicted));
  most = most > 0 ? fmin (most, fmax (EDGE * deviation * factor, 1e-9)) : 1;
  box[2] = -most;
  box[3] = most;
  SsappPlotFrame frame = channel_frame (style, p, channel, title, box, width, height, &spec);
  ssapp_plot_frame_draw (cr, style, &spec, &frame);
  draw_band (cr, style, &frame, deviation * factor, unit);
  draw_events (cr, style, p, &frame);
  ssapp_fit_clip (cr, style, &frame);
  for (int i = 0; i < p->n_values; i++) {
    const SsFitValue *v = &p->values[i];
    if (v->residual == channel && shows_trial (p, v->trial))
      draw_stem (cr, style, &frame, v->t, factor * (v->measured - v->predicted),
                 ssapp_fit_trial_color (style, v->trial));
  }
  cairo_restore (cr);
}

void
ssapp_fit_residuals_paint (cairo_t *cr, const SsappStyle *style, const SsappFigure *figure, double width, double height)
{
  for (int c = 0; c < figure->fit->n_channels; c++)
    draw_residuals (cr, style, figure->fit, c, width, height);
}

/* ---- numbers ----------------------------------------------------------------------------------------------------- */

static void
list_values (const SsappFitPicture *p, gboolean is_residual, SsappFigureCurveFunc func, gpointer data)
{
  g_autofree double *t = g_new (double, p->n_values + 1), *y = g_new (double, p->n_values + 1);

  for (int trial = 0; trial < p->n_trials; trial++)
    for (int c = 0; c < p->n_channels && shows_trial (p, trial); c++) {
      g_autofree char *label = g_strdup_printf (is_residual ? "trial %d" : "trial %d measured", trial + 1),
                      *fitted = g_strdup_printf ("trial %d fitted", trial + 1),
                      *rest = g_strdup_printf ("%s residual", p->channels[c]);
      const SsappFigureRun run = {.label = label}, other = {.label = fitted};
      int n = 0;
      for (int i = 0; i < p->n_values; i++) {
        const SsFitValue *v = &p->values[i];
        if (v->trial != trial || v->residual != c)
          continue;
        t[n] = v->t;
        y[n++] = is_residual ? v->measured - v->predicted : v->measured;
      }
      func (&(SsappFigureCurve){&run, is_residual ? rest : p->channels[c], "t", n, t, y, 1, TRUE}, data);
      if (is_residual)
        continue;
      Line line = line_of (p, c, trial);
      func (&(SsappFigureCurve){&other, p->channels[c], "t", line.n, line.t, line.y, 1, FALSE}, data);
      line_clear (&line);
    }
}

void
ssapp_fit_channels_curves (const SsappFigure *figure, SsappFigureCurveFunc func, gpointer data)
{
  list_values (figure->fit, FALSE, func, data);
}

void
ssapp_fit_residuals_curves (const SsappFigure *figure, SsappFigureCurveFunc func, gpointer data)
{
  list_values (figure->fit, TRUE, func, data);
}

/* ---- paths ------------------------------------------------------------------------------------------------------- */

/* The channel of a body's coordinate; -1: it was not measured. */
static int
measured_channel (const SsappFitPicture *p, int body, int coordinate)
{
  g_autofree char *name =
      g_strdup_printf ("%s.%s", p->scenario->scene->bodies[body].name, ss_body_channels[coordinate]);

  for (int c = 0; c < p->n_channels; c++)
    if (strcmp (p->channels[c], name) == 0)
      return c;
  return -1;
}

gboolean
ssapp_fit_paths_show (const SsappFigure *figure)
{
  for (int b = 0; b < figure->fit->scenario->scene->n_bodies; b++)
    if (measured_channel (figure->fit, b, 0) >= 0 && measured_channel (figure->fit, b, 1) >= 0)
      return TRUE;
  return FALSE;
}

typedef void PathFunc (const SsappFitPicture *p, int body, const SsFitValue *x, const SsFitValue *y, gpointer data);

/* Calls func for each instant at which both coordinates of a body were measured. */
static void
for_each_point (const SsappFitPicture *p, PathFunc *func, gpointer data)
{
  for (int b = 0; b < p->scenario->scene->n_bodies; b++) {
    const int cx = measured_channel (p, b, 0), cy = measured_channel (p, b, 1);
    const SsFitValue *both[2] = {NULL, NULL};
    for (int i = 0; cx >= 0 && cy >= 0 && i < p->n_values; i++) { /* values of a row follow each other */
      const SsFitValue *v = &p->values[i];
      if (!shows_trial (p, v->trial) || (v->residual != cx && v->residual != cy))
        continue;
      both[v->residual == cy] = v;
      if (both[0] != NULL && both[1] != NULL && both[0]->trial == both[1]->trial && both[0]->row == both[1]->row)
        func (p, b, both[0], both[1], data);
    }
  }
}

static double
scale_of (const SsappFitPicture *p, int trial)
{
  return p->motions != NULL ? p->motions[trial].scale : 1;
}

static void
include_point (const SsappFitPicture *p, int body, const SsFitValue *x, const SsFitValue *y, gpointer data)
{
  const double scale = scale_of (p, x->trial);
  double *bounds = data, box[4] = {bounds[0], bounds[2], bounds[1], bounds[3]};

  (void)body;
  include (box, x->measured / scale, y->measured / scale);
  include (box, x->predicted / scale, y->predicted / scale);
  bounds[0] = box[0];
  bounds[1] = box[2];
  bounds[2] = box[1];
  bounds[3] = box[3];
}

typedef struct {
  cairo_t *cr;
  const SsappStyle *style;
  const SsappCamera *camera;
  int body, trial; /* of the line that is drawn */
} Paths;

static void
draw_measured (const SsappFitPicture *p, int body, const SsFitValue *x, const SsFitValue *y, gpointer data)
{
  const Paths *paths = data;
  const double scale = scale_of (p, x->trial);
  double at[2];

  (void)body;
  ssapp_camera_to_device (paths->camera, (SsVec2){x->measured / scale, y->measured / scale}, &at[0], &at[1]);
  draw_dot (paths->cr, paths->style, at[0], at[1],
            ssapp_color_with_alpha (ssapp_fit_trial_color (paths->style, x->trial), 0.75));
}

static void
join_predicted (const SsappFitPicture *p, int body, const SsFitValue *x, const SsFitValue *y, gpointer data)
{
  const Paths *paths = data;
  double at[2];

  (void)p;
  if (body != paths->body || x->trial != paths->trial || !isfinite (x->predicted) || !isfinite (y->predicted))
    return;
  ssapp_camera_to_device (paths->camera, (SsVec2){x->predicted, y->predicted}, &at[0], &at[1]);
  cairo_line_to (paths->cr, at[0], at[1]);
}

/* The body at a time of the fitted motion; FALSE: it is not known. */
static gboolean
place_at (const SsappFitPicture *p, int trial, int body, double t, SsVec2 *at)
{
  const SsTrajectory *motion = ss_run_motion (&p->motions[trial].run);
  const char *name = p->scenario->scene->bodies[body].name;
  g_autofree char *x = g_strconcat (name, ".x", NULL), *y = g_strconcat (name, ".y", NULL);
  const int cx = ss_trajectory_channel (motion, x), cy = ss_trajectory_channel (motion, y);
  g_autofree double *row = g_new (double, motion->n_channels);

  if (cx < 0 || cy < 0)
    return FALSE;
  ss_trajectory_sample_motion (motion, t, row);
  *at = (SsVec2){row[cx], row[cy]};
  return TRUE;
}

enum { PATH_POINTS = 400 };

static void
draw_fitted (const Paths *paths, const SsappFitPicture *p)
{
  const SsappFitMotion *motion = p->motions != NULL ? &p->motions[paths->trial] : NULL;
  double at[2];
  SsVec2 place;

  cairo_new_path (paths->cr);
  if (motion == NULL)
    for_each_point (p, join_predicted, (gpointer)paths);
  for (int k = 0; motion != NULL && k <= PATH_POINTS; k++)
    if (place_at (p, paths->trial, paths->body, motion->t_end * k / PATH_POINTS, &place)) {
      ssapp_camera_to_device (paths->camera, place, &at[0], &at[1]);
      cairo_line_to (paths->cr, at[0], at[1]);
    }
  ssapp_set_color (paths->cr, ssapp_fit_trial_color (paths->style, paths->trial));
  cairo_set_line_width (paths->cr, ssapp_style_line (paths->style, LINE_PX));
  cairo_set_line_join (paths->cr, CAIRO_LINE_JOIN_ROUND);
  cairo_stroke (paths->cr);
}

/* What stands still, as the scenario has it; bodies as they begin and end where one trial is shown. */
static void
draw_scene (cairo_t *cr, const SsappStyle *style, const SsappFitPicture *p, const SsappCamera *camera)
{
  const SsappSceneFlags backdrop = {.grid = TRUE}, plain = {0};
  const int trial = p->n_trials == 1 ? 0 : p->trial;
  SsTrajectory *start = NULL;
  SsView *view = NULL;

  ssapp_draw_backdrop (cr, style, camera, &backdrop);
  if (ss_scenario_initial_trajectory (p->scenario, &start, NULL) == SS_OK &&
      ss_view_new (p->scenario, start->channels, start->n_channels, &view, NULL) == SS_OK) {
    const int n = ss_view_n_marks (view);
    g_autofree SsMark *marks = g_new0 (SsMark, MAX (n, 1));
    ss_view_frame (view, ss_trajectory_row (start, 0), marks);
    for (int i = 0; i < n; i++)
      marks[i].visible = marks[i].visible && marks[i].role == SS_ROLE_FIXED;
    ssapp_draw_marks (cr, style, camera, marks, n, &plain);
  }
  ss_view_free (view);
  ss_trajectory_free (start);
  const SsTrajectory *motion = p->motions != NULL && trial >= 0 ? ss_run_motion (&p->motions[trial].run) : NULL;
  view = NULL;
  if (motion != NULL &&
      ss_view_new (p->motions[trial].scenario, motion->channels, motion->n_channels, &view, NULL) == SS_OK) {
    ssapp_draw_ghost (cr, style, camera, view, motion, 0);
    ssapp_draw_ghost (cr, style, camera, view, motion, p->motions[trial].t_end);
  }
  ss_view_free (view);
}

/* Whether the event is one of the body: its contact's name has it. */
static gboolean
is_of_body (const SsappFitPicture *p, const SsappRunEvent *event, int body)
{
  const SsScene *scene = p->scenario->scene;
  const int i = ss_scene_find (scene, SS_OWNER_CONTACT, event->contact);

  return i >= 0 && (scene->contacts[i].body_a == body || scene->contacts[i].body_b == body);
}

static void
draw_path_events (const Paths *paths, const SsappFitPicture *p)
{
  const SsappFitMotion *motion = &p->motions[paths->trial];
  double at[2];
  SsVec2 place;

  for (guint i = 0; i < motion->events->len; i++) {
    const SsappRunEvent *event = &g_array_index (motion->events, SsappRunEvent, i);
    if (!is_of_body (p, event, paths->body) || !place_at (p, paths->trial, paths->body, event->t, &place))
      continue;
    ssapp_camera_to_device (paths->camera, place, &at[0], &at[1]);
    ssapp_event_mark_draw (paths->cr, paths->style, event->kind, event->direction, at[0], at[1],
                           4.5 * paths->style->scale);
  }
}

static void
draw_path_legend (cairo_t *cr, const SsappStyle *style, const SsappFitPicture *p, const SsappCamera *camera,
                  double width)
{
  const double longest = 0.2 * width;
  g_autofree SsappEventTrack *tracks = g_new0 (SsappEventTrack, p->n_trials + 1);
  int n = 0;

  for (int i = 0; p->motions != NULL && i < p->n_trials; i++)
    if (shows_trial (p, i))
      tracks[n++] = (SsappEventTrack){.events = p->motions[i].events};
  if (n > 0)
    ssapp_event_legend_draw (cr, style, tracks, n, style->font_size, 0.4 * style->font_size, width / 2,
                             1.6 * style->font_size);
  draw_trials (cr, style, p, width - style->font_size, 0.5 * style->font_size);
  ssapp_draw_scale_bar (cr, style, camera->scale, longest, width - longest - style->font_size, 4 * style->font_size);
}

void
ssapp_fit_paths_paint (cairo_t *cr, const SsappStyle *style, const SsappFigure *figure, double width, double height)
{
  const SsappFitPicture *p = figure->fit;
  double bounds[4] = {INFINITY, INFINITY, -INFINITY, -INFINITY};
  SsappCamera camera;
  Paths paths = {cr, style, &camera, 0, 0};

  for_each_point (p, include_point, bounds);
  ssapp_camera_fit (&camera, bounds, width, height, PATH_MARGIN * style->font_size);
  cairo_save (cr);
  cairo_rectangle (cr, 0, 0, width, height);
  cairo_clip (cr);
  draw_scene (cr, style, p, &camera);
  for_each_point (p, draw_measured, &paths);
  for (paths.body = 0; paths.body < p->scenario->scene->n_bodies; paths.body++) {
    if (measured_channel (p, paths.body, 0) < 0 || measured_channel (p, paths.body, 1) < 0)
      continue;
    for (paths.trial = 0; paths.trial < p->n_trials; paths.trial++)
      if (shows_trial (p, paths.trial)) {
        draw_fitted (&paths, p);
        if (p->motions != NULL)
          draw_path_events (&paths, p);
      }
  }
  draw_path_legend (cr, style, p, &camera, width);
  cairo_restore (cr);
}

double
ssapp_fit_paths_height (const SsappFigure *figure, double width)
{
  double bounds[4] = {INFINITY, INFINITY, -INFINITY, -INFINITY};

  for_each_point (figure->fit, include_point, bounds);
  const double share = (bounds[3] - bounds[1]) / (bounds[2] - bounds[0]);
  return isfinite (share) ? CLAMP (share, 0.25, 0.8) * width + 2 * PATH_MARGIN * SSAPP_PAPER_FONT : 0.5 * width;
}

typedef struct {
  SsappFigureCurveFunc func;
  gpointer data;
  int body, trial, n;
  double *x, *y, *fitted[2];
} List;

static void
list_point (const SsappFitPicture *p, int body, const SsFitValue *x, const SsFitValue *y, gpointer data)
{
  List *list = data;
  const double scale = scale_of (p, x->trial);

  if (body != list->body || x->trial != list->trial)
    return;
  list->x[list->n] = x->measured / scale;
  list->y[list->n] = y->measured / scale;
  list->fitted[0][list->n] = x->predicted / scale;
  list->fitted[1][list->n++] = y->predicted / scale;
}

void
ssapp_fit_paths_curves (const SsappFigure *figure, SsappFigureCurveFunc func, gpointer data)
{
  const SsappFitPicture *p = figure->fit;
  g_autofree double *room = g_new (double, 4 * (gsize)p->n_values + 4);
  const int n = p->n_values;
  List list = {.x = room, .y = room + n, .fitted = {room + 2 * n, room + 3 * n}};

  for (list.body = 0; list.body < p->scenario->scene->n_bodies; list.body++)
    for (list.trial = 0; list.trial < p->n_trials; list.trial++) {
      const char *name = p->scenario->scene->bodies[list.body].name;
      g_autofree char *x = g_strconcat (name, ".x", NULL), *y = g_strconcat (name, ".y", NULL),
                      *measured = g_strdup_printf ("trial %d measured", list.trial + 1),
                      *fitted = g_strdup_printf ("trial %d fitted", list.trial + 1);
      const SsappFigureRun first = {.label = measured}, second = {.label = fitted};
      list.n = 0;
      for_each_point (p, list_point, &list);
      if (list.n == 0)
        continue;
      func (&(SsappFigureCurve){&first, y, x, list.n, list.x, list.y, 1, TRUE}, data);
      func (&(SsappFigureCurve){&second, y, x, list.n, list.fitted[0], list.fitted[1], 1, FALSE}, data);
    }
}
