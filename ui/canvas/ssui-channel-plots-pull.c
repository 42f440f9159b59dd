/* ui/canvas/ssui-channel-plots-pull.c: points of curves that are pulled. Looked at in tests/ui/test_sketch.py. */
#include "ui/canvas/ssui-channel-plots-private.h"

#include <math.h>

enum { PULL_REACH = 6 }; /* px between the pointer and the curve that it takes */

void
ssui_channel_plots_draw_anew (SsuiChannelPlots *self)
{
  g_clear_pointer (&self->picture, gsk_render_node_unref);
  self->is_laid_out = FALSE;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
set_values (SsuiChannelPlots *self, double least, double most)
{
  ssapp_channel_plots_set_values (self->plots, self->pulled.plot, least, most);
  ssapp_channel_stack_set_values (self->stack, self->pulled.plot, least, most);
  ssui_channel_plots_draw_anew (self);
}

static void
set_range (SsuiChannelPlots *self, double from, double to)
{
  self->range[0] = from;
  self->range[1] = to;
  ssui_channel_plots_draw_anew (self);
}

gboolean
ssui_channel_plots_pull_press (SsuiChannelPlots *self, const double range[2])
{
  const SsTrajectory *motion = self->runs->len > 0 ? ssapp_run_get_trajectory (self->runs->pdata[0]) : NULL;
  SsappStackPoint *point = &self->pulled;
  const double x = self->drag_x, y = self->drag_y;
  double values[2];

  if (self->hold.pulling == NULL || motion == NULL || self->runs->pdata[0] == self->before)
    return FALSE;
  if (!ssapp_channel_stack_find_point (self->stack, x, y, PULL_REACH, point))
    return FALSE;
  const int channel = ss_trajectory_channel (motion, point->channel);
  const double pixel = fabs (ssapp_channel_stack_value_at (self->stack, point->plot, y + 1) -
                             ssapp_channel_stack_value_at (self->stack, point->plot, y));
  const SsChannel sum = {.name = "energy.kinetic+energy.potential", .owner_name = ""}; /* the total energy */
  self->hold.is_held = TRUE;
  self->hold.offset = y - ssapp_channel_stack_y_of (self->stack, point->plot, point->value);
  self->thaws_time = !(self->range[1] > self->range[0]);
  self->thaws_values = isnan (ssapp_channel_plots_at (self->plots, point->plot)->y_min);
  self->hold.is_on = ssapp_pulling_begin_point (self->hold.pulling, channel >= 0 ? &motion->channels[channel] : &sum,
                                                ssapp_run_to_time (self->runs->pdata[0], point->t), point->value,
                                                pixel / 2, NULL); /* the card says why not */
  if (self->thaws_values && ssapp_channel_stack_values (self->stack, point->plot, values))
    set_values (self, values[0], values[1]);
  set_range (self, range[0], range[1]);
  return TRUE;
}

void
ssui_channel_plots_pull_drag (SsuiChannelPlots *self, double dy)
{
  if (!self->hold.is_on)
    return;
  ssapp_pulling_move (
      self->hold.pulling,
      ssapp_channel_stack_value_at (self->stack, self->pulled.plot, self->drag_y + dy - self->hold.offset), 0);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
ssui_channel_plots_pull_end (SsuiChannelPlots *self)
{
  ssui_pull_hold_end (&self->hold, TRUE);
  self->hold.is_held = FALSE;
  if (self->thaws_time)
    set_range (self, 0, 0);
  if (self->thaws_values)
    set_values (self, NAN, NAN);
}

static void
place_in_plot (gpointer data, const double values[2], double *x, double *y)
{
  SsuiChannelPlots *self = data;
  const double t = ssapp_pulling_get_time (self->hold.pulling);

  *x = ssapp_channel_stack_x_of (self->stack, self->runs->len > 0 ? ssapp_run_from_time (self->runs->pdata[0], t) : t);
  *y = ssapp_channel_stack_y_of (self->stack, self->pulled.plot, values[0]);
}

void
ssui_channel_plots_draw_pull (SsuiChannelPlots *self, cairo_t *cr, const SsappStyle *style)
{
  double y, height;

  if (!self->hold.is_on)
    return;
  ssapp_channel_stack_place (self->stack, self->pulled.plot, &y, &height);
  cairo_save (cr);
  cairo_rectangle (cr, 0, y, self->layout.width, height);
  cairo_clip (cr);
  ssui_pull_draw (cr, style, self->hold.pulling, place_in_plot, self);
  cairo_restore (cr);
}
