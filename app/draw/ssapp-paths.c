/* app/draw/ssapp-paths.c: see the header. */
#include "app/draw/ssapp-paths.h"

#include "app/draw/ssapp-draw-parts.h"

#include <math.h>

#define WIDTH_PX 1.5
#define FAR_PX   1e6 /* Cairo's coordinates end */

enum { SAMPLES = 160 }; /* instants of a path: more would not be seen */

/* Positions of all marks that leave a trace, NaN of others: an instant a row. NULL: there are none, or too many. */
static SsVec2 *
sample (SsView *view, const SsTrajectory *trajectory, int n_marks)
{
  g_autofree SsMark *marks = g_new0 (SsMark, n_marks);
  g_autofree double *row = g_new (double, trajectory->n_channels);
  SsVec2 *points = g_new (SsVec2, (gsize)SAMPLES * (gsize)n_marks);
  const double begin = ss_trajectory_row (trajectory, 0)[0],
               end = ss_trajectory_row (trajectory, trajectory->n_rows - 1)[0];
  int n_paths = 0;

  for (int k = 0; k < SAMPLES; k++) {
    ss_trajectory_sample_motion (trajectory, begin + (end - begin) * k / (SAMPLES - 1), row);
    ss_view_frame_bodies (view, row, marks);
    for (int i = 0; i < n_marks; i++) {
      const gboolean has_path = marks[i].trace && marks[i].visible;
      points[k * n_marks + i] = has_path ? marks[i].position : (SsVec2){NAN, NAN};
      n_paths += k == 0 && has_path;
    }
    if (n_paths == 0 || n_paths > SSAPP_PATHS_MOST) {
      g_free (points);
      return NULL;
    }
  }
  return points;
}

void
ssapp_draw_paths (cairo_t *cr, const SsappStyle *style, const SsappCamera *camera, SsView *view,
                  const SsTrajectory *trajectory, gboolean is_before)
{
  g_return_if_fail (view != NULL && trajectory != NULL);
  const double dash[] = {ssapp_style_line (style, 5), ssapp_style_line (style, 4)};
  const int n_marks = ss_view_n_marks (view);
  g_autofree SsVec2 *points = n_marks > 0 && trajectory->n_rows > 1 ? sample (view, trajectory, n_marks) : NULL;

  if (points == NULL)
    return;
  cairo_save (cr);
  cairo_set_line_cap (cr, CAIRO_LINE_CAP_ROUND);
  cairo_set_line_join (cr, CAIRO_LINE_JOIN_ROUND);
  cairo_set_line_width (cr, ssapp_style_line (style, WIDTH_PX));
  cairo_set_dash (cr, dash, is_before ? G_N_ELEMENTS (dash) : 0, 0);
  ssapp_set_color (cr, ssapp_style_color (style, is_before ? SSAPP_COLOR_DIM : SSAPP_COLOR_ACCENT));
  for (int i = 0; i < n_marks; i++) {
    gboolean is_open = FALSE;
    for (int k = 0; k < SAMPLES; k++) {
      double x, y;
      ssapp_camera_to_device (camera, points[k * n_marks + i], &x, &y);
      if (!(fabs (x) + fabs (y) < FAR_PX)) {
        is_open = FALSE;
        continue;
      }
      if (is_open)
        cairo_line_to (cr, x, y);
      else
        cairo_move_to (cr, x, y);
      is_open = TRUE;
    }
  }
  cairo_stroke (cr);
  cairo_restore (cr);
}
