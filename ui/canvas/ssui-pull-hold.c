/* ui/canvas/ssui-pull-hold.c: see the header. */
#include "ui/canvas/ssui-pull-hold.h"

#include "app/draw/ssapp-draw-parts.h"
#include "app/export/ssapp-reach-picture.h"
#include "app/job/ssapp-pull.h"

#include <math.h>

/* px; the band is seen through. */
static const double BAND_WIDTH = 7, BAND_ALPHA = 0.45, EDGE_RADIUS = 3, WISH_RADIUS = 5;

void
ssui_pull_hold_set (SsuiPullHold *self, GtkWidget *widget, SsappPulling *pulling)
{
  g_return_if_fail (self != NULL && GTK_IS_WIDGET (widget));
  if (self->pulling == pulling)
    return;
  ssui_pull_hold_end (self, FALSE);
  if (self->pulling != NULL)
    g_signal_handlers_disconnect_by_data (self->pulling, widget);
  g_set_object (&self->pulling, pulling);
  if (pulling != NULL)
    g_signal_connect_object (pulling, "changed", G_CALLBACK (gtk_widget_queue_draw), widget, G_CONNECT_SWAPPED);
}

gboolean
ssui_pull_hold_end (SsuiPullHold *self, gboolean keeps)
{
  g_return_val_if_fail (self != NULL, FALSE);
  if (!self->is_on)
    return FALSE;
  self->is_on = FALSE;
  if (keeps)
    ssapp_pulling_end (self->pulling);
  else
    ssapp_pulling_cancel (self->pulling);
  return TRUE;
}

/* ---- picture ----------------------------------------------------------------------------------------------------- */

static void
draw_band (cairo_t *cr, const SsappStyle *style, const SsReach *band, SsuiPullPlace place, gpointer data)
{
  int first, last;

  cairo_set_line_cap (cr, CAIRO_LINE_CAP_ROUND);
  cairo_set_line_join (cr, CAIRO_LINE_JOIN_ROUND);
  for (int k = 0; ssapp_reach_stretch (band, k, &first, &last); k++) {
    double x = NAN, y = NAN;
    cairo_new_path (cr);
    for (int i = first; i <= last; i++) {
      place (data, band->points[i].values, &x, &y);
      if (isfinite (x) && isfinite (y))
        cairo_line_to (cr, x, y);
    }
    ssapp_set_color (cr, ssapp_color_with_alpha (ssapp_reach_color (style, band->points[first].sequence), BAND_ALPHA));
    cairo_set_line_width (cr, BAND_WIDTH);
    cairo_stroke (cr);
    place (data, band->points[first].values, &x, &y);
    if (k == 0 || !isfinite (x) || !isfinite (y))
      continue;
    ssapp_set_color (cr, ssapp_style_color (style, SSAPP_COLOR_DIM));
    cairo_arc (cr, x, y, EDGE_RADIUS, 0, 2 * G_PI); /* the sequence changes */
    cairo_fill (cr);
  }
}

void
ssui_pull_draw (cairo_t *cr, const SsappStyle *style, SsappPulling *pulling, SsuiPullPlace place, gpointer data)
{
  g_return_if_fail (cr != NULL && style != NULL && SSAPP_IS_PULLING (pulling) && place != NULL);
  const SsPull *answer = ssapp_pulling_get_answer (pulling);
  double wish[2], now[2], x0 = NAN, y0 = NAN, x1, y1;

  cairo_save (cr);
  if (ssapp_pulling_get_band (pulling) != NULL)
    draw_band (cr, style, ssapp_pulling_get_band (pulling), place, data);
  ssapp_pulling_get_places (pulling, wish, now);
  place (data, wish, &x1, &y1);
  if (answer != NULL)
    place (data, now, &x0, &y0);
  cairo_new_path (cr);
  if (isfinite (x0) && isfinite (y0)) { /* what it is off by */
    ssapp_set_color (cr, ssapp_style_color (style, answer->is_reached ? SSAPP_COLOR_DIM : SSAPP_COLOR_FORCE));
    cairo_set_line_width (cr, answer->is_reached ? 1 : 2);
    cairo_move_to (cr, x0, y0);
    cairo_line_to (cr, x1, y1);
    cairo_stroke (cr);
  }
  ssapp_set_color (cr, ssapp_style_color (style, SSAPP_COLOR_ACCENT));
  cairo_set_line_width (cr, 2);
  cairo_new_sub_path (cr);
  cairo_arc (cr, x1, y1, WISH_RADIUS, 0, 2 * G_PI);
  cairo_stroke (cr);
  cairo_restore (cr);
}
