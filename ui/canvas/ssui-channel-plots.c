/* ui/canvas/ssui-channel-plots.c: see the header. Curves are drawn once for what is in sight and kept as a picture; a
 * turn of the clock or the pointer draws the cursor and the values alone. */
#include "ui/canvas/ssui-channel-plots-private.h"

#include "app/draw/ssapp-channel-span.h"
#include "app/draw/ssapp-channel-stack.h"
#include "app/draw/ssapp-clock.h"
#include "app/draw/ssapp-frozen.h"
#include "ui/canvas/ssui-cursor-popover.h"
#include "ui/canvas/ssui-plot-buttons.h"
#include "ui/canvas/ssui-pull-hold.h"
#include "ui/parts/ssui-util.h"

#include <glib/gi18n.h>
#include <math.h>

static char *describe_plots (SsuiChannelPlots *self);
static void tell_between (SsuiChannelPlots *self);

#define LEAST_WIDTH   280 /* px */
#define BUTTON_ROOM   34  /* px right of the axes, for each plot's menu */
#define NARROW_LEFT   64  /* px left of the axes without names */
#define LEAST_LEFT    170 /* px with names */
#define MOST_LEFT     0.45
#define USUAL_LEFT    0.24
#define ZOOM_STEP     0.8
#define PAN_STEP      0.1
#define DRAG_LEAST_PX 4

G_DEFINE_FINAL_TYPE (SsuiChannelPlots, ssui_channel_plots, GTK_TYPE_WIDGET)

static guint changed_signal;

/* ---- what is shown ----------------------------------------------------------------------------------------------- */

GPtrArray *
ssui_channel_plots_list_channels (SsuiChannelPlots *self)
{
  g_autoptr (GArray) runs = ssui_channel_plots_dup_runs (self);

  if (self->sandbox != NULL) /* the rows have only what is plotted */
    g_array_index (runs, SsappChannelRun, 0).motion = ssapp_sandbox_get_layout (self->sandbox);
  return ssapp_channels_list ((const SsappChannelRun *)(const void *)runs->data, (int)runs->len);
}

static gboolean
is_zoomed (SsuiChannelPlots *self)
{
  return self->range[1] > self->range[0];
}

static void
sight (SsuiChannelPlots *self, double range[2])
{
  range[0] = is_zoomed (self) ? self->range[0] : self->times[0];
  range[1] = is_zoomed (self) ? self->range[1] : self->times[1];
  if (!(range[1] > range[0]))
    range[1] = range[0] + 1;
}

static void
describe (SsuiChannelPlots *self)
{
  g_autofree char *text = describe_plots (self);
  ssui_set_description (GTK_WIDGET (self), text);
}

/* Curves again, of other plots or other rows. */
static void
rebuild (SsuiChannelPlots *self)
{
  ssui_channel_plots_make_curves (self);
  self->selected = MIN (self->selected, (int)self->plots->plots->len - 1);
  ssui_plot_buttons_update (GTK_WIDGET (self), self->buttons, self->plots, self->stack);
  describe (self);
  ssui_channel_plots_draw_anew (self);
  gtk_widget_queue_resize (GTK_WIDGET (self));
}

static void
tell_change (SsuiChannelPlots *self)
{
  self->is_chosen = TRUE;
  rebuild (self);
  g_signal_emit (self, changed_signal, 0);
}

void
ssui_channel_plots_set_runs (SsuiChannelPlots *self, GPtrArray *runs)
{
  g_return_if_fail (SSUI_IS_CHANNEL_PLOTS (self));

  const guint version = ssapp_runs_get_version (runs);

  if (runs == self->runs && version == self->version)
    return;
  ssui_channel_plots_take_sandbox (self, NULL);
  if (runs != self->runs)
    self->range[0] = self->range[1] = 0;
  g_ptr_array_ref (runs);
  g_ptr_array_unref (self->runs);
  self->runs = runs;
  self->version = version;
  rebuild (self);
}

void
ssui_channel_plots_set_live (SsuiChannelPlots *self, SsappRun *now, SsappRun *before)
{
  g_return_if_fail (SSUI_IS_CHANNEL_PLOTS (self));
  g_autoptr (GPtrArray) runs = g_ptr_array_new_with_free_func (g_object_unref);
  guint version = 0;

  if (now != NULL)
    g_ptr_array_add (runs, g_object_ref (now));
  if (before != NULL && before != now)
    g_ptr_array_add (runs, g_object_ref (before));
  for (guint i = 0; i < runs->len; i++)
    version = version * 31 + GPOINTER_TO_UINT (runs->pdata[i]) + ssapp_run_get_version (runs->pdata[i]) * 2;
  if (self->is_live && self->sandbox == NULL && version == self->live_version && runs->len == self->runs->len)
    return;
  ssui_channel_plots_take_sandbox (self, NULL);
  const double range[2] = {self->range[0], self->range[1]};
  self->live_version = version;
  self->is_live = TRUE;
  self->before = runs->len > 0 && before != now ? before : NULL;
  ssui_channel_plots_set_runs (self, runs);
  ssui_channel_plots_zoom_time (self, range[0], range[1]);
}

void
ssui_channel_plots_set_sandbox (SsuiChannelPlots *self, SsappSandbox *sandbox)
{
  g_return_if_fail (SSUI_IS_CHANNEL_PLOTS (self) && SSAPP_IS_SANDBOX (sandbox));
  g_ptr_array_unref (self->runs);
  self->runs = g_ptr_array_new_with_free_func (g_object_unref);
  self->before = NULL;
  ssui_channel_plots_take_sandbox (self, sandbox);
  rebuild (self);
}

void
ssui_channel_plots_go_on (SsuiChannelPlots *self)
{
  g_return_if_fail (SSUI_IS_CHANNEL_PLOTS (self) && self->sandbox != NULL);
  const double from = self->times[0];

  ssui_channel_plots_make_curves (self);
  if (is_zoomed (self)) {
    self->range[0] += self->times[0] - from;
    self->range[1] += self->times[0] - from;
  }
  ssui_channel_plots_draw_anew (self);
  if (self->between != NULL && ssui_channel_plots_is_between_old (self))
    tell_between (self);
  if (!ssui_clock_is_playing (self->clock))
    describe (self);
  if (ssui_channel_plots_find_height (self) != self->height)
    gtk_widget_queue_resize (GTK_WIDGET (self));
}

char *
ssui_channel_plots_dup_shown (SsuiChannelPlots *self)
{
  g_return_val_if_fail (SSUI_IS_CHANNEL_PLOTS (self), NULL);
  return ssapp_channel_plots_write (self->plots);
}

char *
ssui_channel_plots_dup_text (SsuiChannelPlots *self)
{
  g_return_val_if_fail (SSUI_IS_CHANNEL_PLOTS (self), NULL);
  return self->is_chosen ? ssapp_channel_plots_write (self->plots) : g_strdup ("");
}

gboolean
ssui_channel_plots_set_text (SsuiChannelPlots *self, const char *text, GError **error)
{
  g_return_val_if_fail (SSUI_IS_CHANNEL_PLOTS (self) && text != NULL, FALSE);
  if (!ssapp_channel_plots_read (self->plots, text, error))
    return FALSE;
  self->is_chosen = *text != '\0';
  rebuild (self);
  g_signal_emit (self, changed_signal, 0);
  return TRUE;
}

const SsappChannelPlots *
ssui_channel_plots_get_plots (SsuiChannelPlots *self)
{
  g_return_val_if_fail (SSUI_IS_CHANNEL_PLOTS (self), NULL);
  return self->plots;
}

char *
ssui_channel_plots_dup_title (SsuiChannelPlots *self, int plot)
{
  return g_strdup (ssapp_channel_stack_title (self->stack, plot));
}

static double
cursor (SsuiChannelPlots *self, gboolean *before)
{
  *before = self->clock != NULL && ssui_clock_is_before (self->clock);
  return self->clock != NULL ? ssui_clock_get_time (self->clock) : NAN;
}

/* The time in sight; the cursor's and hovered values in words. */
static char *
describe_plots (SsuiChannelPlots *self)
{
  gboolean before;
  const double t = cursor (self, &before);
  return ssapp_channel_stack_describe (self->stack, isnan (t) ? 0 : t, before);
}

/* ---- editing ----------------------------------------------------------------------------------------------------- */

gboolean
ssui_channel_plots_add (SsuiChannelPlots *self, const char *name, int plot)
{
  g_return_val_if_fail (SSUI_IS_CHANNEL_PLOTS (self), FALSE);

  g_autoptr (GPtrArray) channels = ssui_channel_plots_list_channels (self);

  if (ssapp_channels_find (channels, name) == NULL || !ssapp_channel_plots_add (self->plots, plot, name))
    return FALSE;
  tell_change (self);
  return TRUE;
}

gboolean
ssui_channel_plots_remove (SsuiChannelPlots *self, const char *name)
{
  g_return_val_if_fail (SSUI_IS_CHANNEL_PLOTS (self), FALSE);
  if (!ssapp_channel_plots_remove (self->plots, name))
    return FALSE;
  tell_change (self);
  return TRUE;
}

gboolean
ssui_channel_plots_remove_plot (SsuiChannelPlots *self, int plot)
{
  g_return_val_if_fail (SSUI_IS_CHANNEL_PLOTS (self), FALSE);
  if (!ssapp_channel_plots_remove_plot (self->plots, plot))
    return FALSE;
  tell_change (self);
  return TRUE;
}

gboolean
ssui_channel_plots_move (SsuiChannelPlots *self, int plot, int by)
{
  g_return_val_if_fail (SSUI_IS_CHANNEL_PLOTS (self), FALSE);
  if (ssapp_channel_plots_at (self->plots, plot) == NULL)
    return FALSE;
  self->selected = ssapp_channel_plots_move (self->plots, plot, by);
  tell_change (self);
  return TRUE;
}

gboolean
ssui_channel_plots_set_log (SsuiChannelPlots *self, int plot, gboolean is_log)
{
  g_return_val_if_fail (SSUI_IS_CHANNEL_PLOTS (self), FALSE);
  if (ssapp_channel_plots_at (self->plots, plot) == NULL)
    return FALSE;
  ssapp_channel_plots_set_log (self->plots, plot, is_log);
  tell_change (self);
  return TRUE;
}

void
ssui_channel_plots_set_difference (SsuiChannelPlots *self, gboolean is_difference)
{
  g_return_if_fail (SSUI_IS_CHANNEL_PLOTS (self));
  if (self->plots->is_difference == is_difference)
    return;
  self->plots->is_difference = is_difference;
  for (guint p = 0; p < self->plots->plots->len; p++)
    ssapp_channel_plots_set_values (self->plots, (int)p, NAN, NAN);
  tell_change (self);
}

const char *
ssui_channel_plots_get_band (SsuiChannelPlots *self)
{
  g_return_val_if_fail (SSUI_IS_CHANNEL_PLOTS (self), NULL);
  return self->band;
}

void
ssui_channel_plots_set_band (SsuiChannelPlots *self, const char *number)
{
  g_return_if_fail (SSUI_IS_CHANNEL_PLOTS (self));
  if (g_strcmp0 (self->band, number) == 0)
    return;
  g_free (self->band);
  self->band = g_strdup (number);
  rebuild (self);
  g_signal_emit (self, changed_signal, 0);
}

GPtrArray *
ssui_channel_plots_get_runs (SsuiChannelPlots *self)
{
  g_return_val_if_fail (SSUI_IS_CHANNEL_PLOTS (self), NULL);
  return self->runs;
}

gboolean
ssui_channel_plots_can_differ (SsuiChannelPlots *self)
{
  g_return_val_if_fail (SSUI_IS_CHANNEL_PLOTS (self), FALSE);

  guint n = 0;

  for (guint i = 0; i < self->runs->len; i++)
    n += ssapp_run_has_motion (g_ptr_array_index (self->runs, i));
  return n > 1;
}

void
ssui_channel_plots_zoom_time (SsuiChannelPlots *self, double from, double to)
{
  g_return_if_fail (SSUI_IS_CHANNEL_PLOTS (self));

  const gboolean is_part = to > from && isfinite (from) && isfinite (to);

  self->range[0] = is_part ? MAX (from, self->times[0]) : 0;
  self->range[1] = is_part ? MIN (to, self->times[1]) : 0;
  ssui_channel_plots_draw_anew (self);
}

gboolean
ssui_channel_plots_zoom_values (SsuiChannelPlots *self, int plot, double from, double to)
{
  g_return_val_if_fail (SSUI_IS_CHANNEL_PLOTS (self), FALSE);

  const SsappChannelPlot *about = ssapp_channel_plots_at (self->plots, plot);

  if (about == NULL)
    return FALSE;
  const gboolean was_all = isnan (about->y_min);
  ssapp_channel_plots_set_values (self->plots, plot, from, to);
  ssapp_channel_stack_set_values (self->stack, plot, about->y_min, about->y_max);
  if (was_all != isnan (about->y_min)) /* its menu tells of it */
    ssui_plot_buttons_update (GTK_WIDGET (self), self->buttons, self->plots, self->stack);
  ssui_channel_plots_draw_anew (self);
  return TRUE;
}

static void
show_all (SsuiChannelPlots *self)
{
  for (guint p = 0; p < self->plots->plots->len; p++)
    ssui_channel_plots_zoom_values (self, (int)p, NAN, NAN);
  self->range[0] = self->range[1] = 0;
  ssui_channel_plots_draw_anew (self);
}

static void
zoom_time_about (SsuiChannelPlots *self, double factor, double about)
{
  sight (self, self->range);
  ssapp_range_zoom (self->range, self->times, factor, about, TRUE);
  if (self->range[0] <= self->times[0] && self->range[1] >= self->times[1])
    self->range[0] = self->range[1] = 0;
  ssui_channel_plots_draw_anew (self);
}

static void
move_time (SsuiChannelPlots *self, double share)
{
  if (!is_zoomed (self))
    return;
  ssapp_range_move (self->range, self->times, share, TRUE);
  ssui_channel_plots_draw_anew (self);
}

static void
zoom_values_about (SsuiChannelPlots *self, int plot, double factor, double y)
{
  double values[2];

  if (ssapp_channel_stack_zoomed (self->stack, plot, factor, y, values))
    ssui_channel_plots_zoom_values (self, plot, values[0], values[1]);
}

/* ---- two cursors ------------------------------------------------------------------------------------------------- */

static void
tell_between (SsuiChannelPlots *self)
{
  const double *t = self->cursors;
  g_autoptr (GArray) runs = ssui_channel_plots_dup_runs (self);

  g_clear_pointer (&self->between, gtk_widget_unparent);
  self->told_to = self->times[1];
  if (!(isfinite (t[0]) && isfinite (t[1])))
    return;
  g_autoptr (GArray) spans = ssapp_channel_spans (self->plots, (const SsappChannelRun *)(const void *)runs->data,
                                                  (int)runs->len, MIN (t[0], t[1]), MAX (t[0], t[1]));
  if (spans->len == 0)
    return;
  const double share = (MAX (t[0], t[1]) - self->layout.t_min) / (self->layout.t_max - self->layout.t_min),
               x = self->layout.axis_left + CLAMP (share, 0, 1) * (self->layout.axis_right - self->layout.axis_left);
  self->between = ssui_cursor_popover_show (spans, GTK_WIDGET (self), (int)x);
}

void
ssui_channel_plots_set_cursors (SsuiChannelPlots *self, double a, double b)
{
  self->cursors[0] = a;
  self->cursors[1] = b;
  gtk_widget_queue_draw (GTK_WIDGET (self));
  tell_between (self);
}

/* At the pointer, else where the motion is. */
static void
put_cursor (SsuiChannelPlots *self, int which)
{
  gboolean before;
  const double t =
      isnan (self->hover_x) ? cursor (self, &before) : ssapp_channel_stack_time_at (self->stack, self->hover_x);

  ssui_channel_plots_set_cursors (self, which == 0 ? t : self->cursors[0], which == 1 ? t : self->cursors[1]);
}

/* ---- drawing ----------------------------------------------------------------------------------------------------- */

/* The timeline's ends where it is above and long enough; else a usual part of the width. */
static void
find_axis (SsuiChannelPlots *self, int width, double *left, double *right)
{
  double x0, x1;
  const double most = MOST_LEFT * width;

  *right = width - BUTTON_ROOM;
  *left = USUAL_LEFT * width >= LEAST_LEFT ? MIN (USUAL_LEFT * width, 236) : NARROW_LEFT;
  if (self->player == NULL || !ssui_player_get_way (self->player, GTK_WIDGET (self), &x0, &x1))
    return;
  if (x0 >= LEAST_LEFT && x0 <= most && x1 > width / 2. && x1 <= width - BUTTON_ROOM) {
    *left = x0;
    *right = x1;
  }
}

static void
draw_selection (SsuiChannelPlots *self, cairo_t *cr, const SsappStyle *style)
{
  double y, height;
  ssapp_channel_stack_place (self->stack, self->selected, &y, &height);
  ssapp_draw_span (cr, style, 0, y, 4, height);
}

static void
draw_picture (SsuiChannelPlots *self, const SsappStyle *style, int w, int h)
{
  const int scale = gtk_widget_get_scale_factor (GTK_WIDGET (self));
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, w * scale, h * scale);
  cairo_t *cr = cairo_create (surface);

  cairo_scale (cr, scale, scale);
  ssapp_channel_stack_draw (cr, style, self->stack);
  cairo_destroy (cr);
  self->picture = ssui_picture_new (surface, w, h);
  cairo_surface_destroy (surface);
}

/* Where the layout is another one, the picture is to be drawn again. */
static void
lay_out (SsuiChannelPlots *self, const SsappStyle *style, int w, int h)
{
  g_autoptr (GArray) runs = NULL;
  SsappChannelLayout layout = {.width = w, .height = h};
  double range[2];
  g_autoptr (GArray) frozen = ssapp_frozen_spans (NULL);

  sight (self, range);
  find_axis (self, w, &layout.axis_left, &layout.axis_right);
  layout.t_min = range[0];
  layout.t_max = range[1];
  if (self->is_laid_out && layout.width == self->layout.width && layout.height == self->layout.height &&
      layout.axis_left == self->layout.axis_left && layout.axis_right == self->layout.axis_right &&
      layout.t_min == self->layout.t_min && layout.t_max == self->layout.t_max)
    return;
  g_clear_pointer (&self->picture, gsk_render_node_unref);
  self->is_laid_out = TRUE;
  self->layout = layout;
  runs = ssui_channel_plots_dup_runs (self);
  for (guint r = 0; r < runs->len; r++)
    ssapp_frozen_spans_add (frozen, g_array_index (runs, SsappChannelRun, r).motion);
  layout.axis = ssapp_clock_axis (runs->len > 0 ? g_array_index (runs, SsappChannelRun, 0).motion : NULL);
  layout.spans = (const SsappPlotSpan *)(const void *)frozen->data;
  layout.n_spans = (int)frozen->len;
  ssapp_channel_stack_lay_out (self->stack, style, &layout);
}

static void
lay_out_now (SsuiChannelPlots *self)
{
  SsappStyle style;

  ssui_style_init (&style, GTK_WIDGET (self));
  lay_out (self, &style, gtk_widget_get_width (GTK_WIDGET (self)), gtk_widget_get_height (GTK_WIDGET (self)));
}

void
ssui_channel_plots_set_pulling (SsuiChannelPlots *self, SsappPulling *pulling)
{
  g_return_if_fail (SSUI_IS_CHANNEL_PLOTS (self) && (pulling == NULL || SSAPP_IS_PULLING (pulling)));
  ssui_pull_hold_set (&self->hold, GTK_WIDGET (self), pulling);
}

static void
ssui_channel_plots_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  SsuiChannelPlots *self = SSUI_CHANNEL_PLOTS (widget);
  const int w = gtk_widget_get_width (widget), h = gtk_widget_get_height (widget);
  const gboolean is_selected = self->selected >= 0 && gtk_widget_has_visible_focus (widget);
  gboolean before;
  double t = cursor (self, &before), area[4];
  g_autofree char *told = NULL;
  SsappStyle style;
  if (w <= 0 || h <= 0)
    return;
  ssui_style_init (&style, widget);
  lay_out (self, &style, w, h);
  if (self->picture == NULL)
    draw_picture (self, &style, w, h);
  gtk_snapshot_append_node (snapshot, self->picture);
  if (is_selected || self->hold.is_on || !isnan (self->cursors[0]) || !isnan (self->cursors[1])) {
    cairo_t *cr = gtk_snapshot_append_cairo (snapshot, &GRAPHENE_RECT_INIT (0, 0, w, h));
    if (is_selected)
      draw_selection (self, cr, &style);
    ssapp_draw_between (cr, &style, &self->layout, self->cursors);
    ssui_channel_plots_draw_pull (self, cr, &style);
    cairo_destroy (cr);
  }
  if (!isnan (self->hover_x) && !self->hold.is_on) {
    t = ssapp_channel_stack_time_at (self->stack, self->hover_x);
    before = FALSE;
    told = g_strdup_printf ("%.4f s", t);
  }
  for (int part = 0; isfinite (t) && ssapp_channel_stack_cursor_area (self->stack, &style, part, t, told != NULL, area);
       part++) {
    cairo_t *cr = gtk_snapshot_append_cairo (snapshot, &GRAPHENE_RECT_INIT (area[0], area[1], area[2], area[3]));
    ssapp_channel_stack_draw_cursor (cr, &style, self->stack, part, t, before, told);
    cairo_destroy (cr);
  }
  for (guint p = 0; p < self->buttons->len; p++)
    gtk_widget_snapshot_child (widget, g_ptr_array_index (self->buttons, p), snapshot);
}

static void
ssui_channel_plots_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural,
                            int *minimum_baseline, int *natural_baseline)
{
  SsuiChannelPlots *self = SSUI_CHANNEL_PLOTS (widget);

  (void)minimum_baseline;
  (void)natural_baseline;
  for (guint p = 0; p < self->buttons->len; p++) {
    int least;
    gtk_widget_measure (g_ptr_array_index (self->buttons, p), orientation, for_size, &least, NULL, NULL, NULL);
  }
  if (orientation == GTK_ORIENTATION_VERTICAL)
    self->height = ssui_channel_plots_find_height (self);
  *minimum = *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? LEAST_WIDTH : self->height;
}

static void
ssui_channel_plots_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  SsuiChannelPlots *self = SSUI_CHANNEL_PLOTS (widget);
  SsappStyle style;

  (void)baseline;
  ssui_style_init (&style, widget);
  if (width > 0 && height > 0)
    lay_out (self, &style, width, height);
  for (guint p = 0; p < self->buttons->len; p++) {
    GtkWidget *button = g_ptr_array_index (self->buttons, p);
    GtkRequisition least;
    double y, row;
    ssapp_channel_stack_place (self->stack, (int)p, &y, &row);
    gtk_widget_get_preferred_size (button, &least, NULL);
    gtk_widget_size_allocate (button, &(GtkAllocation){width - least.width - 2, (int)y + 2, least.width, least.height},
                              -1);
  }
  if (self->between != NULL)
    gtk_popover_present (GTK_POPOVER (self->between));
}

/* ---- pointer and keys -------------------------------------------------------------------------------------------- */

static void
on_motion (GtkEventControllerMotion *controller, double x, double y, SsuiChannelPlots *self)
{
  const gboolean is_over = x >= self->layout.axis_left && x <= self->layout.axis_right;

  (void)controller;
  self->hover_x = is_over ? x : NAN;
  self->hover_y = y;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
on_leave (GtkEventControllerMotion *controller, SsuiChannelPlots *self)
{
  (void)controller;
  self->hover_x = NAN;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static gboolean
on_scroll (GtkEventControllerScroll *controller, double dx, double dy, SsuiChannelPlots *self)
{
  const GdkModifierType state = gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (controller));
  const int plot = ssapp_channel_stack_plot_at (self->stack, self->hover_y);

  if (isnan (self->hover_x)) /* beside the axes the page scrolls */
    return FALSE;
  if (state & GDK_CONTROL_MASK)
    zoom_values_about (self, plot, pow (ZOOM_STEP, -dy), self->hover_y);
  else if ((state & GDK_SHIFT_MASK) || dx != 0)
    move_time (self, PAN_STEP * (dx != 0 ? dx : dy));
  else
    zoom_time_about (self, pow (ZOOM_STEP, -dy), ssapp_channel_stack_time_at (self->stack, self->hover_x));
  return TRUE;
}

static void
seek_to (SsuiChannelPlots *self, double x)
{
  if (self->clock == NULL)
    return;
  ssui_clock_set_playing (self->clock, FALSE);
  ssui_clock_seek (self->clock, ssapp_channel_stack_time_at (self->stack, x));
}

static void
on_drag_begin (GtkGestureDrag *gesture, double x, double y, SsuiChannelPlots *self)
{
  const GdkModifierType state = gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (gesture));

  self->is_spanning = self->is_dragged = FALSE;
  self->drag_x = -1;
  if (gtk_widget_pick (GTK_WIDGET (self), x, y, GTK_PICK_DEFAULT) != GTK_WIDGET (self)) { /* a plot's menu */
    gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_DENIED);
    return;
  }
  gtk_widget_grab_focus (GTK_WIDGET (self));
  self->drag_x = x;
  self->drag_y = y;
  self->is_spanning = (state & GDK_SHIFT_MASK) != 0;
  self->drag_plot = ssapp_channel_stack_plot_at (self->stack, y);
  self->selected = self->drag_plot;
  sight (self, self->drag_range);
  ssapp_channel_stack_values (self->stack, self->drag_plot, self->drag_values);
}

static gboolean
press_curve (SsuiChannelPlots *self)
{
  double range[2];

  lay_out_now (self);
  sight (self, range);
  if (!ssui_channel_plots_pull_press (self, range))
    return FALSE;
  ssui_clock_set_playing (self->clock, FALSE);
  ssui_clock_seek (self->clock, self->pulled.t);
  return TRUE;
}

static void
on_drag_update (GtkGestureDrag *gesture, double dx, double dy, SsuiChannelPlots *self)
{
  const SsappChannelPlot *plot = ssapp_channel_plots_at (self->plots, self->drag_plot);
  double top, height, values[2];

  const gboolean was_dragged = self->is_dragged;

  (void)gesture;
  self->is_dragged = self->is_dragged || hypot (dx, dy) > DRAG_LEAST_PX;
  if (!self->is_dragged)
    return;
  if (self->hold.is_held || (!was_dragged && !self->is_spanning && press_curve (self))) {
    lay_out_now (self);
    ssui_channel_plots_pull_drag (self, dy);
    return;
  }
  if (self->is_spanning) {
    for (int i = 0; i < 2; i++)
      self->cursors[i] = ssapp_channel_stack_time_at (self->stack, self->drag_x + i * dx);
    gtk_widget_queue_draw (GTK_WIDGET (self));
    return;
  }
  if (is_zoomed (self)) {
    self->range[0] = self->drag_range[0];
    self->range[1] = self->drag_range[1];
    move_time (self, -dx / MAX (self->layout.axis_right - self->layout.axis_left, 1));
  }
  if (plot != NULL && !isnan (plot->y_min)) {
    ssapp_channel_stack_place (self->stack, self->drag_plot, &top, &height);
    ssui_channel_plots_zoom_values (self, self->drag_plot, self->drag_values[0], self->drag_values[1]);
    lay_out_now (self);
    if (ssapp_channel_stack_moved (self->stack, self->drag_plot, dy / MAX (height, 1), values))
      ssui_channel_plots_zoom_values (self, self->drag_plot, values[0], values[1]);
  } else if (!is_zoomed (self))
    seek_to (self, self->drag_x + dx);
}

static void
on_drag_end (GtkGestureDrag *gesture, double dx, double dy, SsuiChannelPlots *self)
{
  (void)gesture;
  (void)dx;
  (void)dy;
  if (self->hold.is_held)
    ssui_channel_plots_pull_end (self);
  else if (self->is_spanning && self->is_dragged)
    tell_between (self);
  else if (!self->is_dragged && self->drag_x >= self->layout.axis_left - 4)
    seek_to (self, self->drag_x);
}

static void
on_pressed (GtkGestureClick *gesture, int n_press, double x, double y, SsuiChannelPlots *self)
{
  (void)gesture;
  (void)x;
  (void)y;
  if (n_press == 2)
    show_all (self);
}

static void
select_next (SsuiChannelPlots *self, int by)
{
  self->selected = CLAMP (self->selected + by, 0, (int)self->plots->plots->len - 1);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
zoom_by_key (SsuiChannelPlots *self, double factor, gboolean of_values)
{
  double y, height, range[2];
  gboolean before;
  const double t = cursor (self, &before);

  sight (self, range);
  ssapp_channel_stack_place (self->stack, MAX (self->selected, 0), &y, &height);
  if (of_values)
    zoom_values_about (self, MAX (self->selected, 0), factor, y + height / 2);
  else
    zoom_time_about (self, factor, t >= range[0] && t <= range[1] ? t : (range[0] + range[1]) / 2);
}

static gboolean
on_key (GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state, SsuiChannelPlots *self)
{
  const gboolean has_ctrl = (state & GDK_CONTROL_MASK) != 0, has_shift = (state & GDK_SHIFT_MASK) != 0,
                 has_alt = (state & GDK_ALT_MASK) != 0;
  const SsappChannelPlot *plot = ssapp_channel_plots_at (self->plots, self->selected);

  (void)controller;
  (void)code;
  switch (key) {
  case GDK_KEY_Up:
  case GDK_KEY_Down: {
    const int by = key == GDK_KEY_Up ? -1 : 1;
    if (has_alt && plot != NULL)
      ssui_channel_plots_move (self, self->selected, by);
    else if (!has_ctrl && !has_shift && !has_alt)
      select_next (self, by);
    else
      return FALSE;
    return TRUE;
  }
  case GDK_KEY_Left:
  case GDK_KEY_Right:
    if (has_ctrl && !has_alt && !has_shift)
      return gtk_widget_activate_action (GTK_WIDGET (self), "win.step-stage", "i", key == GDK_KEY_Left ? -1 : 1);
    if (has_alt || has_ctrl)
      return FALSE;
    if (has_shift)
      move_time (self, key == GDK_KEY_Left ? -PAN_STEP : PAN_STEP);
    else if (self->clock != NULL)
      ssui_clock_step_row (self->clock, key == GDK_KEY_Left ? -1 : 1);
    return TRUE;
  case GDK_KEY_plus:
  case GDK_KEY_equal:
  case GDK_KEY_KP_Add:
    zoom_by_key (self, ZOOM_STEP, has_ctrl);
    return TRUE;
  case GDK_KEY_minus:
  case GDK_KEY_KP_Subtract:
    zoom_by_key (self, 1 / ZOOM_STEP, has_ctrl);
    return TRUE;
  case GDK_KEY_0:
  case GDK_KEY_KP_0:
    show_all (self);
    return TRUE;
  case GDK_KEY_Delete:
    return ssui_channel_plots_remove_plot (self, self->selected);
  case GDK_KEY_a:
  case GDK_KEY_b:
    if (has_ctrl || has_alt)
      return FALSE;
    put_cursor (self, key == GDK_KEY_a ? 0 : 1);
    return TRUE;
  case GDK_KEY_Escape:
    if (ssui_pull_hold_end (&self->hold, FALSE))
      return TRUE;
    if (isnan (self->cursors[0]) && isnan (self->cursors[1]))
      return FALSE;
    ssui_channel_plots_set_cursors (self, NAN, NAN);
    return TRUE;
  case GDK_KEY_l:
    return !has_ctrl && plot != NULL && ssui_channel_plots_set_log (self, self->selected, !plot->is_log);
  case GDK_KEY_space:
    if (self->clock != NULL)
      ssui_clock_set_playing (self->clock, !ssui_clock_is_playing (self->clock));
    return self->clock != NULL;
  default:
    return FALSE;
  }
}

static void
add_pointer (SsuiChannelPlots *self)
{
  GtkEventController *motion = gtk_event_controller_motion_new ();
  GtkEventController *scroll = gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES);
  GtkEventController *key = gtk_event_controller_key_new ();
  GtkGesture *drag = gtk_gesture_drag_new (), *click = gtk_gesture_click_new ();

  g_signal_connect (motion, "motion", G_CALLBACK (on_motion), self);
  g_signal_connect (motion, "leave", G_CALLBACK (on_leave), self);
  g_signal_connect (scroll, "scroll", G_CALLBACK (on_scroll), self);
  g_signal_connect (key, "key-pressed", G_CALLBACK (on_key), self);
  g_signal_connect (drag, "drag-begin", G_CALLBACK (on_drag_begin), self);
  g_signal_connect (drag, "drag-update", G_CALLBACK (on_drag_update), self);
  g_signal_connect (drag, "drag-end", G_CALLBACK (on_drag_end), self);
  g_signal_connect (click, "pressed", G_CALLBACK (on_pressed), self);
  gtk_widget_add_controller (GTK_WIDGET (self), motion);
  gtk_widget_add_controller (GTK_WIDGET (self), scroll);
  gtk_widget_add_controller (GTK_WIDGET (self), key);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (drag));
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (click));
}

/* ---- life -------------------------------------------------------------------------------------------------------- */

static void
on_tick (SsuiChannelPlots *self)
{
  if (self->sandbox != NULL && ssui_clock_is_playing (self->clock)) /* then drawn as rows come */
    return;
  gtk_widget_queue_draw (GTK_WIDGET (self));
  if (self->clock != NULL && !ssui_clock_is_playing (self->clock))
    describe (self);
}

static void
on_duration (SsuiChannelPlots *self)
{
  const double shown[2] = {self->times[0], self->times[1]};
  const guint version = ssapp_runs_get_version (self->runs);

  if (self->sandbox != NULL) {
    on_tick (self);
    return;
  }
  if (version != self->version) { /* told by another clock */
    self->version = version;
    rebuild (self);
    return;
  }
  if (ssui_clock_get_duration (self->clock) > 0)
    ssui_channel_plots_find_times (self);
  if (self->times[0] == shown[0] && self->times[1] == shown[1])
    return;
  describe (self);
  gtk_widget_queue_draw (GTK_WIDGET (self)); /* which lays them out for these times */
}

void
ssui_channel_plots_set_player (SsuiChannelPlots *self, SsuiPlayer *player)
{
  g_return_if_fail (SSUI_IS_CHANNEL_PLOTS (self) && (player == NULL || SSUI_IS_PLAYER (player)));
  g_set_weak_pointer (&self->player, player);
  g_set_object (&self->clock, ssui_player_get_clock (player));
  g_signal_connect_object (self->clock, "tick", G_CALLBACK (on_tick), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->clock, "changed", G_CALLBACK (on_duration), self, G_CONNECT_SWAPPED);
}

static void
ssui_channel_plots_dispose (GObject *object)
{
  SsuiChannelPlots *self = SSUI_CHANNEL_PLOTS (object);

  g_ptr_array_set_size (self->buttons, 0);
  self->between = NULL; /* one of the children */
  ssui_pull_hold_set (&self->hold, GTK_WIDGET (object), NULL);
  ssui_channel_plots_take_sandbox (self, NULL);
  ssui_unparent_children (GTK_WIDGET (object));
  g_clear_weak_pointer (&self->player);
  g_clear_object (&self->clock);
  g_clear_pointer (&self->picture, gsk_render_node_unref);
  G_OBJECT_CLASS (ssui_channel_plots_parent_class)->dispose (object);
}

static void
ssui_channel_plots_finalize (GObject *object)
{
  SsuiChannelPlots *self = SSUI_CHANNEL_PLOTS (object);

  ssapp_channel_stack_free (self->stack);
  ssapp_channel_plots_free (self->plots);
  g_free (self->band);
  g_ptr_array_unref (self->runs);
  g_ptr_array_unref (self->buttons);
  G_OBJECT_CLASS (ssui_channel_plots_parent_class)->finalize (object);
}

static void
ssui_channel_plots_class_init (SsuiChannelPlotsClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = ssui_channel_plots_dispose;
  G_OBJECT_CLASS (class)->finalize = ssui_channel_plots_finalize;
  widget_class->snapshot = ssui_channel_plots_snapshot;
  widget_class->measure = ssui_channel_plots_measure;
  widget_class->size_allocate = ssui_channel_plots_size_allocate;
  gtk_widget_class_set_css_name (widget_class, "channelplots");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
  changed_signal =
      g_signal_new ("changed", SSUI_TYPE_CHANNEL_PLOTS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
ssui_channel_plots_init (SsuiChannelPlots *self)
{
  AdwStyleManager *manager = adw_style_manager_get_default ();

  self->plots = ssapp_channel_plots_new ();
  self->runs = g_ptr_array_new_with_free_func (g_object_unref);
  self->buttons = g_ptr_array_new ();
  self->hover_x = self->cursors[0] = self->cursors[1] = NAN;
  self->selected = -1;
  self->stack = ssapp_channel_stack_new (self->plots, NULL, 0, 0);
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  gtk_widget_set_hexpand (GTK_WIDGET (self), TRUE);
  gtk_widget_set_vexpand (GTK_WIDGET (self), TRUE);
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
  ssui_set_label (GTK_WIDGET (self), _ ("Channel plots"));
  add_pointer (self);
  g_signal_connect_object (manager, "notify::dark", G_CALLBACK (ssui_channel_plots_draw_anew), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (manager, "notify::high-contrast", G_CALLBACK (ssui_channel_plots_draw_anew), self,
                           G_CONNECT_SWAPPED);
}
