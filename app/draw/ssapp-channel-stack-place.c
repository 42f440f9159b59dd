/* app/draw/ssapp-channel-stack-place.c: where plots, times and values of a stack stand. */
#include "app/draw/ssapp-channel-stack-private.h"

#include <math.h>

void
ssapp_channel_stack_place (const SsappChannelStack *stack, int plot, double *y, double *height)
{
  g_return_if_fail (stack != NULL && y != NULL && height != NULL);

  const SsappStackRow *row = ssapp_stack_row_at (stack, plot);

  *y = row != NULL ? row->y : 0;
  *height = row != NULL ? row->height : 0;
}

int
ssapp_channel_stack_plot_at (const SsappChannelStack *stack, double y)
{
  g_return_val_if_fail (stack != NULL, 0);
  for (guint r = 0; r < stack->rows->len; r++) {
    const SsappStackRow *row = ssapp_stack_row_at (stack, (int)r);
    if (y >= row->y && y < row->y + row->height)
      return (int)r;
  }
  return -1;
}

double
ssapp_channel_stack_time_at (const SsappChannelStack *stack, double x)
{
  g_return_val_if_fail (stack != NULL, (double)NAN);
  const SsappChannelLayout *layout = &stack->layout;
  const double share = (x - layout->axis_left) / MAX (layout->axis_right - layout->axis_left, 1);

  return layout->t_min + CLAMP (share, 0, 1) * (layout->t_max - layout->t_min);
}

gboolean
ssapp_channel_stack_values (const SsappChannelStack *stack, int plot, double values[2])
{
  g_return_val_if_fail (stack != NULL && values != NULL, FALSE);

  const SsappStackRow *row = ssapp_stack_row_at (stack, plot);

  if (row == NULL)
    return FALSE;
  values[0] = row->frame.y_axis.min;
  values[1] = row->frame.y_axis.max;
  return values[1] > values[0];
}

/* Along the axis, 0 to 1, where its ends are values. */
static gboolean
values_between (const SsappStackRow *row, double low, double high, double values[2])
{
  values[0] = ssapp_axis_value (&row->frame.y_axis, low);
  values[1] = ssapp_axis_value (&row->frame.y_axis, high);
  return values[1] > values[0] && isfinite (values[0]) && isfinite (values[1]);
}

gboolean
ssapp_channel_stack_zoomed (const SsappChannelStack *stack, int plot, double factor, double y, double values[2])
{
  const SsappStackRow *row = ssapp_stack_row_at (stack, plot);
  const double whole[2] = {0, 1};
  double range[2] = {0, 1};

  if (row == NULL)
    return FALSE;
  const double about = 1 - (y - row->frame.area.y) / MAX (row->frame.area.height, 1);
  ssapp_range_zoom (range, whole, factor, CLAMP (about, 0, 1), FALSE);
  return values_between (row, range[0], range[1], values);
}

gboolean
ssapp_channel_stack_moved (const SsappChannelStack *stack, int plot, double share, double values[2])
{
  const SsappStackRow *row = ssapp_stack_row_at (stack, plot);

  return row != NULL && values_between (row, share, 1 + share, values);
}

/* ---- points of curves -------------------------------------------------------------------------------------------- */

double
ssapp_channel_stack_x_of (const SsappChannelStack *stack, double t)
{
  g_return_val_if_fail (stack != NULL, (double)NAN);
  const SsappChannelLayout *layout = &stack->layout;

  return layout->axis_left +
         (t - layout->t_min) / (layout->t_max - layout->t_min) * (layout->axis_right - layout->axis_left);
}

double
ssapp_channel_stack_y_of (const SsappChannelStack *stack, int plot, double value)
{
  const SsappStackRow *row = ssapp_stack_row_at (stack, plot);

  return row != NULL
             ? row->frame.area.y + row->frame.area.height * (1 - ssapp_axis_fraction (&row->frame.y_axis, value))
             : NAN;
}

double
ssapp_channel_stack_value_at (const SsappChannelStack *stack, int plot, double y)
{
  const SsappStackRow *row = ssapp_stack_row_at (stack, plot);

  return row != NULL
             ? ssapp_axis_value (&row->frame.y_axis, 1 - (y - row->frame.area.y) / MAX (row->frame.area.height, 1))
             : NAN;
}

gboolean
ssapp_channel_stack_find_point (const SsappChannelStack *stack, double x, double y, double reach,
                                SsappStackPoint *point)
{
  g_return_val_if_fail (stack != NULL && point != NULL, FALSE);
  const int plot = ssapp_channel_stack_plot_at (stack, y);
  const SsappStackRow *row = ssapp_stack_row_at (stack, plot);
  double nearest = INFINITY;

  for (guint i = 0; row != NULL && i < row->entries->len; i++) {
    const SsappStackEntry *entry = ssapp_stack_entry_at (row, i);
    for (int dx = (int)-reach; dx <= (int)reach && !entry->is_before; dx++) /* a steep curve is near beside it */
      for (int side = 0; side < 2; side++) {
        const double t = ssapp_channel_stack_time_at (stack, x + dx),
                     value = ssapp_curve_at (&entry->curve, t, side == 0),
                     off = hypot (dx, ssapp_channel_stack_y_of (stack, plot, value) - y);
        if (!(off <= reach && off < nearest))
          continue;
        nearest = off;
        *point = (SsappStackPoint){plot, entry->channel, t, value};
      }
  }
  return isfinite (nearest);
}
