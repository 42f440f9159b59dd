/* app/draw/ssapp-goal-handle.c: see ssapp-draw.h. A body that has come to its goal lies on it: the goal is held above
 * both. */
#include "app/draw/ssapp-draw-parts.h"

#include <math.h>

/* px at 100 % */
static const double RADIUS_PX = 10., ABOVE_PX = 16., LINE_PX = 1.6;

/* The place of a flag's middle; FALSE for marks that have none. */
static gboolean
place_handle (const SsappStyle *style, const SsappCamera *camera, const SsMark *mark, double *x, double *y)
{
  g_return_val_if_fail (style != NULL, FALSE);
  double frame[SSAPP_N_HANDLES][2];

  if (mark->role != SS_ROLE_GOAL || ssapp_selection_handles (style, camera, mark, frame) != SSAPP_N_HANDLES)
    return FALSE;
  *x = (frame[SSAPP_HANDLE_NW][0] + frame[SSAPP_HANDLE_SE][0]) / 2;
  *y = INFINITY;
  for (int i = 0; i < SSAPP_HANDLE_ROTATE; i++)
    *y = fmin (*y, frame[i][1]); /* the highest corner */
  *y -= ABOVE_PX * style->scale;
  return isfinite (*x) && isfinite (*y);
}

int
ssapp_goal_handle_at (const SsappStyle *style, const SsappCamera *camera, const SsMark *marks, int n_marks, double x,
                      double y)
{
  g_return_val_if_fail (style != NULL, 0);
  double hx, hy;

  for (int i = n_marks - 1; i >= 0; i--)
    if (place_handle (style, camera, &marks[i], &hx, &hy) && hypot (x - hx, y - hy) <= RADIUS_PX * style->scale)
      return i;
  return -1;
}

void
ssapp_draw_goal_handles (cairo_t *cr, const SsappStyle *style, const SsappCamera *camera, const SsMark *marks,
                         int n_marks)
{
  g_return_if_fail (style != NULL && (marks != NULL || n_marks == 0));

  const double far = 1e6; /* px: beyond it nothing is seen */
  double x, y;

  for (int i = 0; i < n_marks; i++) {
    if (!place_handle (style, camera, &marks[i], &x, &y) || fabs (x) > far || fabs (y) > far)
      continue;
    cairo_new_path (cr);
    cairo_set_dash (cr, NULL, 0, 0);
    cairo_set_line_width (cr, ssapp_style_line (style, LINE_PX));
    ssapp_set_color (cr, ssapp_style_color (style, SSAPP_COLOR_GOAL));
    cairo_move_to (cr, x, y + RADIUS_PX * style->scale);
    cairo_line_to (cr, x, y + ABOVE_PX * style->scale);
    cairo_stroke (cr);
    cairo_arc (cr, x, y, RADIUS_PX * style->scale, 0, 2 * G_PI);
    ssapp_set_color (cr, ssapp_style_color (style, SSAPP_COLOR_VIEW));
    cairo_fill_preserve (cr);
    ssapp_set_color (cr, ssapp_style_color (style, SSAPP_COLOR_GOAL));
    cairo_stroke (cr);
    ssapp_draw_flag (cr, style, x, y, ssapp_style_color (style, SSAPP_COLOR_ACCENT_TEXT));
  }
}
