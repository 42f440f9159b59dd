/* app/draw/ssapp-draw-motion.c: a whole motion in one picture: past frames and trace in time colours, the frame at t,
 * scales. */
#include "app/draw/ssapp-draw-parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/draw/ssapp-overlays.h"
#include "app/draw/ssapp-plot.h"

/* px at 100 % */
static const double PAST_PX = 1.4, TRACE_PX = 3., CURRENT_PX = 2.4;
static const double PAST_FILL = 0.13, CURRENT_FILL = 0.30;
/* Shortest piece of the trace worth a line of its own, were it straight across the picture. */
static const double SEGMENT_PX = 2.;
static const double SHORTEST_PX = 0.1; /* of a trace: files of bodies that rest stay small */
/* What lies ahead of t is shown, but fainter. */
static const double FUTURE_ALPHA = 0.6;
enum {
  DEFAULT_PAST_FRAMES = 8,
  MAX_PAST_FRAMES = 64,
  TRACE_SEGMENTS = 240, /* pieces of the trace: more would not be seen           */
  SAME_COLOR = 4,       /* of them in a row: each stroke costs                   */
  ARROW_SAMPLES = 120,  /* rows looked at for the largest arrow                  */
};

void
ssapp_motion_paint_init (SsappMotionPaint *paint)
{
  g_return_if_fail (paint != NULL);
  *paint = (SsappMotionPaint){.future_too = TRUE,
                              .printed_scales = TRUE,
                              .t_begin = NAN,
                              .t_end = NAN,
                              .largest_force = NAN,
                              .largest_velocity = NAN,
                              .largest_speed = NAN,
                              .largest_impulse = NAN,
                              .largest_energy = NAN,
                              .shrink = 1.};
}

/* A motion being drawn. */
typedef struct {
  cairo_t *cr;
  const SsappStyle *style;
  const SsappCamera *camera;
  SsView *view;
  const SsTrajectory *trajectory;
  const SsappMotionPaint *paint;
  double t, t_begin, t_end;
  SsMark *marks;
  int n_marks;
  double *row;
  gboolean has_trace;    /* a mark leaves one */
  gboolean is_before;    /* t is the instant before a jump there */
  gboolean keeps_colors; /* of bodies, also among past frames */
} Motion;

static double
row_time (const SsTrajectory *trajectory, int row)
{
  return ss_trajectory_row (trajectory, row)[0];
}

static void
frame_at (Motion *motion, double t, gboolean with_contacts)
{
  if (motion->is_before && t == motion->t)
    ss_trajectory_sample_before (motion->trajectory, t, motion->row);
  else
    ss_trajectory_sample_motion (motion->trajectory, t, motion->row);
  if (with_contacts)
    ss_view_frame (motion->view, motion->row, motion->marks);
  else
    ss_view_frame_bodies (motion->view, motion->row, motion->marks);
}

static SsappColor
time_color (const Motion *motion, double t)
{
  double span = motion->t_end - motion->t_begin;
  return ssapp_style_time_color (motion->style, span > 0. ? (t - motion->t_begin) / span : 0.);
}

static void
draw_past_frame (Motion *motion, double t)
{
  double alpha = t > motion->t ? FUTURE_ALPHA : 1.;
  SsappColor color = ssapp_color_with_alpha (time_color (motion, t), alpha);
  SsappMarkPaint paint = {
      .outline = &color, .outline_px = PAST_PX, .fill_alpha = motion->style->is_paper ? 0. : PAST_FILL};

  frame_at (motion, t, FALSE);
  const gboolean is_crowd = motion->n_marks >= SSAPP_CROWD_LEAST && ssapp_crowd_has_pixels (motion->cr, motion->style);
  for (int i = 0; i < motion->n_marks; i++) /* of a crowd no others may be visible */
    motion->marks[i].visible = motion->marks[i].visible && (motion->marks[i].trace || !is_crowd);
  if (is_crowd)
    ssapp_draw_crowd_bodies (motion->cr, motion->style, motion->camera, motion->marks, motion->n_marks, &paint);
  for (int i = 0; i < motion->n_marks; i++)
    if (motion->marks[i].trace && ssapp_mark_layer (&motion->marks[i]) == 2 &&
        !(is_crowd && ssapp_is_of_crowd (&motion->marks[i], TRUE)))
      ssapp_draw_mark (motion->cr, motion->style, motion->camera, &motion->marks[i], &paint);
}

/* The first frame and n - 1 more, evenly spaced up to the end (or t). */
static void
draw_past_frames (Motion *motion, int n)
{
  double end = motion->paint->future_too ? motion->t_end : motion->t;
  n = CLAMP (n > 0 ? n : DEFAULT_PAST_FRAMES, 2, MAX_PAST_FRAMES);
  /* The instants do not depend on t, so that frames stay where they are while a motion plays. */
  for (int i = 0; i < n; i++) {
    double at = motion->t_begin + (motion->t_end - motion->t_begin) * i / (n - 1);
    if (at <= end)
      draw_past_frame (motion, at);
  }
}

/* The instants of a path up to `end`, most + 1 over the whole motion: they do not depend on the end, which is the last
 * of them, so that a path that grows keeps its shape, and a short one costs little. Returns how many follow the first.
 */
static int
path_instants (const Motion *motion, double end, int most, double *times)
{
  const double span = motion->t_end - motion->t_begin;
  int n = 0;

  do
    times[n] = motion->t_begin + span * n / most;
  while (++n < most && motion->t_begin + span * n / most < end);
  times[n] = end;
  return n;
}

/* Path of every mark with a trace. Positions of all segments first, then mark by mark, so that a view is run once per
 * instant. */
static void
draw_traces (Motion *motion)
{
  int most = (int)CLAMP (motion->camera->width / (SEGMENT_PX * motion->style->scale), 16, TRACE_SEGMENTS);
  double end = motion->paint->future_too ? motion->t_end : MIN (motion->t, motion->t_end);
  double *times = g_new (double, most + 1);
  const int n = path_instants (motion, end, motion->trajectory->n_rows > 1 ? most : 1, times), /* curved between rows */
      n_marks = motion->n_marks;
  SsVec2 *points = g_new (SsVec2, (gsize)(n + 1) * n_marks);
  cairo_t *cr = motion->cr;

  for (int k = 0; k <= n; k++) {
    frame_at (motion, times[k], FALSE);
    for (int i = 0; i < n_marks; i++)
      points[(gsize)k * n_marks + i] =
          motion->marks[i].trace && motion->marks[i].visible ? motion->marks[i].position : (SsVec2){NAN, NAN};
  }
  cairo_save (cr);
  cairo_set_dash (cr, NULL, 0, 0);
  cairo_set_line_cap (cr, CAIRO_LINE_CAP_ROUND);
  cairo_set_line_join (cr, CAIRO_LINE_JOIN_ROUND);
  cairo_set_line_width (cr, ssapp_style_line (motion->style, TRACE_PX));
  for (int i = 0; i < n_marks; i++) {
    double last_x = NAN, last_y = NAN; /* where the path has come to: shorter ways are seen by nobody */
    gboolean is_drawn = FALSE;
    for (int k = 0; k < n;) {
      const gboolean is_ahead = times[k] + times[k + 1] > 2 * motion->t;
      const int begin = k;
      gboolean is_open = FALSE;
      cairo_new_path (cr);
      for (; k < n && k < begin + SAME_COLOR && (times[k] + times[k + 1] > 2 * motion->t) == is_ahead; k++) {
        double ax, ay, bx, by;
        SsVec2 a = points[(gsize)k * n_marks + i], b = points[(gsize)(k + 1) * n_marks + i];
        ssapp_camera_to_device (motion->camera, a, &ax, &ay);
        ssapp_camera_to_device (motion->camera, b, &bx, &by);
        if (!isfinite (a.x + a.y + b.x + b.y) || fabs (ax) + fabs (ay) + fabs (bx) + fabs (by) > 1e6) {
          is_open = FALSE;
          last_x = NAN;
          continue;
        }
        if (isnan (last_x)) {
          last_x = ax;
          last_y = ay;
        }
        if (hypot (bx - last_x, by - last_y) < SHORTEST_PX * motion->style->scale)
          continue;
        if (!is_open)
          cairo_move_to (cr, last_x, last_y);
        cairo_line_to (cr, bx, by);
        last_x = bx;
        last_y = by;
        is_open = is_drawn = TRUE;
      }
      if (k >= n && !is_drawn && !isnan (last_x)) { /* what never moved is a dot */
        cairo_move_to (cr, last_x, last_y);
        cairo_line_to (cr, last_x, last_y);
      }
      if (!cairo_has_current_point (cr)) /* bodies that rest */
        continue;
      SsappColor color = time_color (motion, 0.5 * (times[begin] + times[k]));
      if (is_ahead) { /* opaque, since round caps overlap: mixed with the canvas instead */
        SsappColor view = ssapp_style_color (motion->style, SSAPP_COLOR_VIEW);
        color.r += (1 - FUTURE_ALPHA) * (view.r - color.r);
        color.g += (1 - FUTURE_ALPHA) * (view.g - color.g);
        color.b += (1 - FUTURE_ALPHA) * (view.b - color.b);
      }
      ssapp_set_color (cr, color);
      cairo_stroke (cr);
    }
  }
  cairo_restore (cr);
  g_free (points);
  g_free (times);
}

static int
compare_doubles (const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* The largest of the lengths, or a multiple of their median where single peaks (an impact's impulse spread over one
 * step) would make all others invisible; peaks are then drawn longer, to scale. */
static double
telling_length (double *lengths, int n)
{
  static const double PEAK = 4.; /* medians */
  if (n == 0)
    return 0.;
  qsort (lengths, (size_t)n, sizeof *lengths, compare_doubles);
  return MIN (lengths[n - 1], PEAK * lengths[n / 2]);
}

void
ssapp_largest_arrows (SsView *view, const SsTrajectory *trajectory, SsMark *marks, double *force, double *velocity)
{
  g_return_if_fail (trajectory != NULL && force != NULL && velocity != NULL);

  int n_rows = trajectory->n_rows, n = MIN (n_rows, ARROW_SAMPLES), n_marks = ss_view_n_marks (view), n_forces = 0;
  double *forces = g_new (double, MAX (n, 1)); /* largest of each instant */
  *velocity = 0.;
  for (int k = 0; k < n; k++) {
    int row = n > 1 ? (int)((double)k * (n_rows - 1) / (n - 1)) : 0;
    ss_view_frame (view, ss_trajectory_row (trajectory, row), marks);
    double length = ssapp_marks_largest_arrow (marks, n_marks, SS_ROLE_FORCE);
    if (length > 0.)
      forces[n_forces++] = length;
    *velocity = MAX (*velocity, ssapp_marks_largest_arrow (marks, n_marks, SS_ROLE_VELOCITY));
  }
  *force = telling_length (forces, n_forces);
  g_free (forces);
}

/* Scenery (half-planes, fixed bodies, goals) belongs below the past frames, the moving marks above them. */
static gboolean
is_scenery (const SsMark *mark)
{
  return mark->kind == SS_MARK_HALF_PLANE || mark->role == SS_ROLE_GOAL || mark->role == SS_ROLE_FIXED;
}

/* Among frames in time colours the present one stands out, unless the file gave the body its own colour. */
static gboolean
stands_out (const Motion *motion, const SsMark *mark, gboolean in_motion)
{
  const gboolean own_color = mark->color != NULL && *mark->color != '\0' && !motion->paint->current_in_time_color;
  return mark->trace && in_motion && !own_color && !motion->keeps_colors;
}

/* The crowd's part of a layer: bodies that keep their looks, then those that stand out. */
static void
draw_current_crowd (const Motion *motion, int layer, gboolean in_motion, const SsappMarkPaint *plain,
                    const SsappMarkPaint *current)
{
  if (layer != SSAPP_LAYER_OF_BODIES) {
    ssapp_draw_crowd_layer (motion->cr, motion->style, motion->camera, motion->marks, motion->n_marks, layer, plain,
                            TRUE);
    return;
  }
  g_autofree SsMark *marks = g_new (SsMark, motion->n_marks);
  for (int out = 0; out < 2; out++) {
    memcpy (marks, motion->marks, (gsize)motion->n_marks * sizeof *marks);
    for (int i = 0; i < motion->n_marks; i++)
      marks[i].visible = marks[i].visible && stands_out (motion, &marks[i], in_motion) == out;
    ssapp_draw_crowd_bodies (motion->cr, motion->style, motion->camera, marks, motion->n_marks, out ? current : plain);
  }
}

static void
draw_current (Motion *motion, const SsappMarkPaint *plain, gboolean moving, gboolean in_motion)
{
  SsappColor color = motion->paint->current_in_time_color ? time_color (motion, motion->t)
                                                          : ssapp_style_color (motion->style, SSAPP_COLOR_FOREGROUND);
  SsappMarkPaint current = *plain;

  current.outline = &color;
  current.outline_px = CURRENT_PX + (motion->paint->current_in_time_color ? 0.8 : 0.);
  if (motion->paint->current_in_time_color)
    current.fill_alpha = CURRENT_FILL;
  else
    current.fill = ssapp_color_with_alpha (ssapp_style_color (motion->style, SSAPP_COLOR_VIEW), 0.85);
  /* none of a crowd are scenery */
  const gboolean is_crowd = moving && motion->n_marks >= SSAPP_CROWD_LEAST && !motion->paint->current_in_time_color &&
                            ssapp_crowd_has_pixels (motion->cr, motion->style);
  for (int layer = 0; layer < SSAPP_N_LAYERS; layer++) {
    for (int i = 0; i < motion->n_marks; i++) {
      const SsMark *mark = &motion->marks[i];
      if (is_scenery (mark) == moving || ssapp_mark_layer (mark) != layer ||
          (is_crowd && ssapp_is_of_crowd (mark, TRUE)))
        continue;
      /* On paper the trace shows where the centre is. */
      if (motion->paint->current_in_time_color && mark->role == SS_ROLE_CENTRE)
        continue;
      ssapp_draw_mark (motion->cr, motion->style, motion->camera, mark,
                       stands_out (motion, mark, in_motion) ? &current : plain);
    }
    if (is_crowd)
      draw_current_crowd (motion, layer, in_motion, plain, &current);
  }
}

/* The ramp's legend at the lower right, its ends beside it. */
static void
draw_time_legend (Motion *motion, double above)
{
  static const double WIDTH = 110., HEIGHT = 8., INSET = 16., GAP = 6.; /* px */
  const SsappStyle *style = motion->style;
  double px = style->scale, width = WIDTH * px, right = motion->camera->width - INSET * px;
  double y = motion->camera->height - (INSET + HEIGHT / 2) * px - above, end_width;
  SsappTimeBar bar = {.t0 = NAN, .t1 = NAN};
  SsappTextStyle text = {.size = style->font_size,
                         .color = ssapp_style_color (style, SSAPP_COLOR_DIM),
                         .anchor_x = 1.,
                         .anchor_y = 0.5,
                         .halo = TRUE};
  char *begin = ssapp_format_number (motion->t_begin, 3), *end = ssapp_format_number (motion->t_end, 3);
  char *end_label = g_strconcat (end, " s", NULL);

  if (motion->camera->width >= 4 * width) { /* else there is no room beside the scales */
    ssapp_text_measure (style, text.size, FALSE, end_label, &end_width, NULL);
    ssapp_text_draw (motion->cr, style, &text, right, y + HEIGHT / 2 * px, end_label);
    right -= end_width + GAP * px;
    ssapp_draw_time_bar (motion->cr, style, &bar, right - width, y, width, HEIGHT * px);
    ssapp_text_draw (motion->cr, style, &text, right - width - GAP * px, y + HEIGHT / 2 * px, begin);
  }
  g_free (begin);
  g_free (end);
  g_free (end_label);
}

/* NaN: the motion's own. */
static double
or_own (double given, double own)
{
  return isnan (given) ? own : given;
}

/* Pixels per unit of each kind of arrow. */
static void
size_arrows (const Motion *motion, const SsappSceneFlags *flags, double px[SSAPP_N_ARROWS])
{
  const SsappMotionPaint *paint = motion->paint;
  const guint layers = flags->layers;
  double force = paint->largest_force, velocity = paint->largest_velocity, impulse = 0.;

  if (isnan (force) || isnan (velocity)) {
    double own_force, own_velocity;
    ssapp_largest_arrows (motion->view, motion->trajectory, motion->marks, &own_force, &own_velocity);
    force = or_own (force, own_force);
    velocity = or_own (velocity, own_velocity);
  }
  if ((layers & SSAPP_LAYER_VELOCITIES) != 0)
    velocity =
        MAX (velocity, isnan (paint->largest_speed) ? ssapp_largest_speed (motion->trajectory) : paint->largest_speed);
  if ((layers & SSAPP_LAYER_IMPULSES) != 0)
    impulse = isnan (paint->largest_impulse) ? ssapp_largest_impulse (flags->events) : paint->largest_impulse;
  if (layers != 0 && (layers & SSAPP_LAYER_FORCES) == 0)
    force = 0.;
  if (layers != 0 && (layers & SSAPP_LAYER_VELOCITIES) == 0)
    velocity = 0.;
  px[SSAPP_ARROW_FORCE] = ssapp_arrow_px (force) * paint->shrink;
  px[SSAPP_ARROW_VELOCITY] = ssapp_arrow_px (velocity) * paint->shrink;
  px[SSAPP_ARROW_IMPULSE] = ssapp_arrow_px (impulse) * paint->shrink;
}

static void
draw_selected (const Motion *motion, const SsappSceneFlags *flags)
{
  for (int i = 0; i < motion->n_marks && flags->selected != NULL; i++)
    if (motion->marks[i].role != SS_ROLE_CENTRE && g_strcmp0 (motion->marks[i].name, flags->selected) == 0) {
      ssapp_draw_selection (motion->cr, motion->style, motion->camera, &motion->marks[i], flags);
      return;
    }
}

static void
draw_overlay (const Motion *motion, const SsappSceneFlags *flags, const SsappOverlay *overlay, const double *px)
{
  const double most = motion->paint->largest_energy;

  ssapp_overlay_draw (motion->cr, motion->style, motion->camera, overlay, px, flags->layers);
  if ((flags->layers & SSAPP_LAYER_ENERGIES) != 0)
    ssapp_overlay_draw_energies (motion->cr, motion->style, motion->camera, flags, overlay,
                                 isnan (most) ? ssapp_largest_energy (motion->trajectory) : most);
}

static void
draw_with_trajectory (Motion *motion, const SsappSceneFlags *flags)
{
  const SsTrajectory *trajectory = motion->trajectory;
  const gboolean is_chosen = (flags->layers & SSAPP_LAYERS_CHOSEN) != 0, moves = trajectory->n_rows > 1;
  const gboolean onion = is_chosen ? (flags->layers & SSAPP_LAYER_ONION) != 0 : flags->past_frames;
  const gboolean traces = is_chosen ? (flags->layers & SSAPP_LAYER_TRACES) != 0 : flags->trace;
  SsappOverlay overlay = {0};
  SsappMarkPaint plain = {0};
  double px[SSAPP_N_ARROWS];

  motion->row = g_new (double, trajectory->n_channels);
  motion->t_begin = or_own (motion->paint->t_begin, row_time (trajectory, 0));
  motion->t_end = or_own (motion->paint->t_end, row_time (trajectory, trajectory->n_rows - 1));
  size_arrows (motion, flags, px);
  plain.force_px = px[SSAPP_ARROW_FORCE];
  plain.velocity_px = px[SSAPP_ARROW_VELOCITY];

  frame_at (motion, motion->t, FALSE);
  for (int i = 0; i < motion->n_marks; i++)
    motion->has_trace = motion->has_trace || motion->marks[i].trace;
  gboolean in_motion = motion->has_trace && onion && moves;
  draw_current (motion, &plain, FALSE, in_motion);
  if (in_motion)
    draw_past_frames (motion, flags->n_past_frames);
  if (motion->has_trace && traces && moves)
    draw_traces (motion);
  frame_at (motion, motion->t, TRUE);
  if (is_chosen) {
    ssapp_overlay_collect (&overlay, motion->view, flags->scene, trajectory, motion->row, motion->marks,
                           motion->n_marks, flags->events, ssapp_impulse_hold (trajectory), flags->layers,
                           flags->forces_of);
    ssapp_overlay_hide_marks (motion->marks, motion->n_marks, flags->layers);
  }
  draw_current (motion, &plain, TRUE, in_motion);
  if (is_chosen)
    draw_overlay (motion, flags, &overlay, px);
  if (flags->labels)
    ssapp_draw_labels (motion->cr, motion->style, motion->camera, motion->marks, motion->n_marks);
  draw_selected (motion, flags);
  if (motion->paint->printed_scales) {
    const double scale = motion->style->scale;
    ssapp_draw_scales (motion->cr, motion->style, motion->camera, flags, flags->scale_bar,
                       px[SSAPP_ARROW_FORCE] * scale, px[SSAPP_ARROW_VELOCITY] * scale,
                       px[SSAPP_ARROW_IMPULSE] * scale);
    if (motion->has_trace && (onion || traces) && moves)
      draw_time_legend (motion, flags->scales_above);
  }
  ssapp_overlay_clear (&overlay);
  g_free (motion->row);
}

void
ssapp_draw_motion_with (cairo_t *cr, const SsappStyle *style, const SsappCamera *camera, SsView *view,
                        const SsTrajectory *trajectory, double t, const SsappSceneFlags *flags,
                        const SsappMotionPaint *paint)
{
  g_return_if_fail (camera != NULL && flags != NULL);

  Motion motion = {.cr = cr,
                   .style = style,
                   .camera = camera,
                   .view = view,
                   .trajectory = trajectory,
                   .paint = paint,
                   .t = t,
                   .is_before = flags->before_jump};
  SsappSceneFlags backdrop = *flags;

  if (!(camera->scale > 0.) || !isfinite (camera->scale))
    return;
  backdrop.scale_bar = FALSE; /* drawn last, above the bodies */
  ssapp_draw_backdrop (cr, style, camera, &backdrop);
  if (view == NULL)
    return;
  motion.n_marks = ss_view_n_marks (view);
  motion.marks = g_new0 (SsMark, MAX (motion.n_marks, 1));
  cairo_save (cr);
  ssapp_clip_to_canvas (cr, style, camera, flags);
  if (trajectory != NULL && trajectory->n_rows > 0) {
    if (isnan (motion.t))
      motion.t = row_time (trajectory, 0);
    draw_with_trajectory (&motion, flags);
  } else if (flags->scale_bar)
    ssapp_draw_scales (cr, style, camera, flags, TRUE, 0., 0., 0.);
  cairo_restore (cr);
  g_free (motion.marks);
}

/* ---- one scale for several motions ------------------------------------------------------------------------------- */

void
ssapp_arrow_scale_init (SsappArrowScale *scale)
{
  g_return_if_fail (scale != NULL);
  *scale = (SsappArrowScale){NAN, NAN, NAN, NAN, NAN};
}

void
ssapp_arrow_scale_take (SsappArrowScale *scale, SsView *view, const SsTrajectory *trajectory)
{
  g_return_if_fail (scale != NULL);
  double force, velocity;
  SsMark *marks;

  if (view == NULL || trajectory == NULL || trajectory->n_rows == 0)
    return;
  marks = g_new0 (SsMark, MAX (ss_view_n_marks (view), 1));
  ssapp_largest_arrows (view, trajectory, marks, &force, &velocity);
  g_free (marks);
  scale->largest_force = fmax (scale->largest_force, force); /* fmax passes over NaN */
  scale->largest_velocity = fmax (scale->largest_velocity, velocity);
  scale->largest_speed = fmax (scale->largest_speed, ssapp_largest_speed (trajectory));
  scale->largest_energy = fmax (scale->largest_energy, ssapp_largest_energy (trajectory));
}

void
ssapp_arrow_scale_take_events (SsappArrowScale *scale, GArray *events)
{
  g_return_if_fail (scale != NULL);
  scale->largest_impulse = fmax (scale->largest_impulse, ssapp_largest_impulse (events));
}

static void
use_scale (SsappMotionPaint *paint, const SsappArrowScale *scale)
{
  ssapp_motion_paint_init (paint);
  paint->largest_force = scale->largest_force;
  paint->largest_velocity = scale->largest_velocity;
  paint->largest_speed = scale->largest_speed;
  paint->largest_impulse = scale->largest_impulse;
  paint->largest_energy = scale->largest_energy;
}

void
ssapp_draw_motion_scaled (cairo_t *cr, const SsappStyle *style, const SsappCamera *camera, SsView *view,
                          const SsTrajectory *trajectory, double t, const SsappSceneFlags *flags,
                          const SsappArrowScale *scale)
{
  SsappMotionPaint paint;
  use_scale (&paint, scale);
  ssapp_draw_motion_with (cr, style, camera, view, trajectory, t, flags, &paint);
}

void
ssapp_draw_motion_frame (cairo_t *cr, const SsappStyle *style, const SsappCamera *camera, SsView *view,
                         const SsTrajectory *trajectory, double t, const SsappSceneFlags *flags,
                         const SsappArrowScale *scale)
{
  g_return_if_fail (camera != NULL && trajectory != NULL && flags != NULL);

  SsappMotionPaint paint;
  Motion motion = {.cr = cr,
                   .style = style,
                   .camera = camera,
                   .view = view,
                   .trajectory = trajectory,
                   .paint = &paint,
                   .t = t,
                   .is_before = flags->before_jump,
                   .keeps_colors = TRUE};

  if (!(camera->scale > 0.) || !isfinite (camera->scale) || trajectory->n_rows == 0)
    return;
  use_scale (&paint, scale);
  motion.n_marks = ss_view_n_marks (view);
  motion.marks = g_new0 (SsMark, MAX (motion.n_marks, 1));
  cairo_save (cr);
  ssapp_clip_to_canvas (cr, style, camera, flags);
  draw_with_trajectory (&motion, flags);
  cairo_restore (cr);
  g_free (motion.marks);
}

void
ssapp_draw_ghost (cairo_t *cr, const SsappStyle *style, const SsappCamera *camera, SsView *view,
                  const SsTrajectory *trajectory, double t)
{
  g_return_if_fail (view != NULL && trajectory != NULL);

  const int n = ss_view_n_marks (view);
  g_autofree SsMark *marks = g_new0 (SsMark, MAX (n, 1));
  g_autofree double *row = g_new (double, trajectory->n_channels);
  SsappSceneFlags flags = {0};

  ss_trajectory_sample_motion (trajectory, t, row);
  ss_view_frame_bodies (view, row, marks);
  for (int i = 0; i < n; i++) {
    marks[i].visible = marks[i].visible && marks[i].role == SS_ROLE_BODY;
    marks[i].role = SS_ROLE_GUIDE; /* dashed outlines without a filling */
  }
  ssapp_draw_marks (cr, style, camera, marks, n, &flags);
}
