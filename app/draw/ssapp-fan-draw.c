/* app/draw/ssapp-fan-draw.c: see the header. */
#include "app/draw/ssapp-fan-draw.h"

#include "app/draw/ssapp-draw-parts.h"

#include <math.h>
#include <string.h>

static const double OUTLINE_PX = 1.6, PATH_PX = 1.4, FILL = 0.10;
static const double FAINTEST = 0.25, FULLEST = 0.85;
enum { PATH_POINTS = 120 }; /* more of a path would not be seen */

double
ssapp_share_opacity (double part)
{
  return FAINTEST + (FULLEST - FAINTEST) * CLAMP (part, 0, 1);
}

double
ssapp_fan_largest_share (const SsappFanMotion *motions, int n, double answer)
{
  g_return_val_if_fail ((motions != NULL || n == 0) && n >= 0, 1);

  double largest = isfinite (answer) ? answer : 0;

  for (int i = 0; i < n; i++)
    if (isfinite (motions[i].share))
      largest = fmax (largest, motions[i].share);
  return largest > 0 ? largest : 1;
}

/* The centre of the body in columns x and x + 1 from `from` to t. */
static void
draw_path (cairo_t *cr, const SsappCamera *camera, const SsappFanMotion *branch, int x, double t, double *row)
{
  const SsTrajectory *motion = branch->motion;

  cairo_new_path (cr);
  for (int k = 0; k <= PATH_POINTS; k++) {
    double at_x, at_y;
    ss_trajectory_sample_motion (motion, branch->from + (t - branch->from) * k / PATH_POINTS, row);
    if (!isfinite (row[x]) || !isfinite (row[x + 1]))
      continue;
    ssapp_camera_to_device (camera, (SsVec2){row[x], row[x + 1]}, &at_x, &at_y);
    cairo_line_to (cr, at_x, at_y);
  }
  cairo_stroke (cr);
}

static gboolean
is_place (const SsTrajectory *motion, int c)
{
  return c + 1 < motion->n_channels && motion->channels[c].quantity == SS_QUANTITY_POSITION_X &&
         motion->channels[c].owner == SS_OWNER_BODY && motion->channels[c + 1].quantity == SS_QUANTITY_POSITION_Y;
}

static gboolean
moves (const SsTrajectory *motion, int c)
{
  const double *first = ss_trajectory_row (motion, 0), *last = ss_trajectory_row (motion, motion->n_rows - 1),
               *middle = ss_trajectory_row (motion, motion->n_rows / 2);

  return first[c] != last[c] || first[c + 1] != last[c + 1] || first[c] != middle[c] || first[c + 1] != middle[c + 1];
}

void
ssapp_draw_fan (cairo_t *cr, const SsappStyle *style, const SsappCamera *camera, SsView *view,
                const SsappFanMotion *motions, int n, double largest, double t)
{
  g_return_if_fail ((motions != NULL || n == 0) && n >= 0);

  const int n_marks = ss_view_n_marks (view);
  g_autofree SsMark *marks = g_new0 (SsMark, MAX (n_marks, 1));
  g_autofree double *row = g_new (double, n > 0 ? motions[0].motion->n_channels : 1);

  for (int i = 0; i < n; i++) {
    const SsTrajectory *motion = motions[i].motion;
    const double opacity = ssapp_share_opacity (motions[i].share / largest);
    if (motion->n_rows == 0 || motion->n_channels != motions[0].motion->n_channels || !(t > motions[i].from))
      continue;
    ssapp_set_color (cr, ssapp_color_with_alpha (ssapp_style_color (style, SSAPP_COLOR_FOREGROUND), 0.5 * opacity));
    cairo_set_line_width (cr, ssapp_style_line (style, PATH_PX));
    for (int c = 1; c + 1 < motion->n_channels; c++)
      if (is_place (motion, c) && moves (motion, c))
        draw_path (cr, camera, &motions[i], c, t, row);
    ss_trajectory_sample_motion (motion, t, row);
    ss_view_frame (view, row, marks);
    for (int m = 0; m < n_marks; m++) {
      SsappColor outline, fill;
      if (!marks[m].visible || marks[m].role != SS_ROLE_BODY)
        continue;
      ssapp_style_body_colors (style, marks[m].color, &outline, &fill);
      outline.a *= opacity;
      const SsappMarkPaint paint = {.outline = &outline, .outline_px = OUTLINE_PX, .fill_alpha = FILL * opacity};
      ssapp_draw_mark (cr, style, camera, &marks[m], &paint);
    }
  }
}
