/* ui/canvas/ssui-trace-bar.c: see the header. Tests: tests/ui/test_picture.py */
#include "ui/canvas/ssui-trace-bar.h"

#include "ui/parts/ssui-util.h"

#include <glib/gi18n.h>

#define MARGIN 14 /* px                                    */
#define BELOW  74 /* px: the buttons of the sheet are above */

struct _SsuiTraceBar {
  GtkGrid parent_instance;
  SsuiCanvas *canvas; /* borrowed */
  GtkWidget *likeness, *fineness;
  gboolean is_updating;
};

G_DEFINE_FINAL_TYPE (SsuiTraceBar, ssui_trace_bar, GTK_TYPE_GRID)

static void
update (SsuiTraceBar *self)
{
  const SsappUnderlay *underlay = ssapp_sheet_picture_get (ssui_canvas_get_picture (self->canvas));
  const gboolean is_wanted = underlay != NULL && underlay->is_shown && ssui_canvas_traces (self->canvas);

  self->is_updating = TRUE;
  if (underlay != NULL) {
    gtk_spin_button_set_value (GTK_SPIN_BUTTON (self->likeness), 100 * underlay->likeness);
    gtk_spin_button_set_value (GTK_SPIN_BUTTON (self->fineness), underlay->fineness);
  }
  self->is_updating = FALSE;
  if (!is_wanted && ssui_take_focus_from (GTK_WIDGET (self)))
    gtk_widget_grab_focus (GTK_WIDGET (self->canvas));
  gtk_widget_set_visible (GTK_WIDGET (self), is_wanted);
}

static void
on_edited (SsuiTraceBar *self)
{
  if (!self->is_updating)
    ssapp_sheet_picture_set_trace (ssui_canvas_get_picture (self->canvas),
                                   gtk_spin_button_get_value (GTK_SPIN_BUTTON (self->likeness)) / 100,
                                   gtk_spin_button_get_value (GTK_SPIN_BUTTON (self->fineness)));
}

/* Return: back to the sheet, where one more makes the trace. */
static void
on_entered (SsuiTraceBar *self)
{
  gtk_spin_button_update (GTK_SPIN_BUTTON (self->likeness));
  gtk_spin_button_update (GTK_SPIN_BUTTON (self->fineness));
  gtk_widget_grab_focus (GTK_WIDGET (self->canvas));
}

/* Beside a number, on its words. */
static void
on_pressed (GtkGestureClick *gesture, int n_press, double x, double y, SsuiTraceBar *self)
{
  (void)gesture;
  (void)n_press;
  (void)x;
  gtk_widget_grab_focus (y < gtk_widget_get_height (GTK_WIDGET (self)) / 2. ? self->likeness : self->fineness);
}

void
ssui_trace_bar_attach (SsuiTraceBar *self, SsuiCanvas *canvas)
{
  g_return_if_fail (SSUI_IS_TRACE_BAR (self) && self->canvas == NULL && SSUI_IS_CANVAS (canvas));
  self->canvas = canvas;
  g_signal_connect_object (canvas, "tool-changed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (ssui_canvas_get_picture (canvas), "changed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  update (self);
}

static GtkWidget *
add_row (SsuiTraceBar *self, int row, const char *title, const char *tip, GtkAdjustment *adjustment, guint digits)
{
  GtkWidget *label = gtk_label_new (title), *spin = gtk_spin_button_new (adjustment, 0, digits);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_spin_button_set_numeric (GTK_SPIN_BUTTON (spin), TRUE);
  gtk_editable_set_width_chars (GTK_EDITABLE (spin), 4);
  gtk_widget_set_tooltip_text (spin, tip);
  ssui_set_label (spin, title);
  gtk_grid_attach (GTK_GRID (self), label, 0, row, 1, 1);
  gtk_grid_attach (GTK_GRID (self), spin, 1, row, 1, 1);
  g_signal_connect_object (spin, "value-changed", G_CALLBACK (on_edited), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (gtk_editable_get_delegate (GTK_EDITABLE (spin)), "activate", G_CALLBACK (on_entered), self,
                           G_CONNECT_SWAPPED | G_CONNECT_AFTER);
  return spin;
}

static void
ssui_trace_bar_class_init (SsuiTraceBarClass *class)
{
  (void)class;
}

static void
ssui_trace_bar_init (SsuiTraceBar *self)
{
  GtkWidget *widget = GTK_WIDGET (self);

  gtk_grid_set_column_spacing (GTK_GRID (self), MARGIN);
  gtk_grid_set_row_spacing (GTK_GRID (self), 4);
  gtk_widget_add_css_class (widget, "hud");
  gtk_widget_add_css_class (widget, "trace-bar");
  gtk_widget_set_halign (widget, GTK_ALIGN_END);
  gtk_widget_set_valign (widget, GTK_ALIGN_START);
  gtk_widget_set_margin_end (widget, MARGIN);
  gtk_widget_set_margin_top (widget, BELOW);
  GtkGesture *click = gtk_gesture_click_new ();
  g_signal_connect (click, "pressed", G_CALLBACK (on_pressed), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (click));
  self->likeness = add_row (self, 0, _ ("Colours within [%]"),
                            _ ("Colours count as one where they differ by no more than this share of their range"),
                            gtk_adjustment_new (100 * SSAPP_TRACE_LIKENESS, 0, 100, 1, 5, 0), 0);
  self->fineness = add_row (
      self, 1, _ ("Outline within [px]"), _ ("The polygon goes no farther from the edge than so many pixels"),
      gtk_adjustment_new (SSAPP_TRACE_FINENESS, SSAPP_TRACE_FINENESS_LEAST, SSAPP_TRACE_FINENESS_MOST, 0.5, 5, 0), 1);
}

GtkWidget *
ssui_trace_bar_new (void)
{
  return g_object_new (SSUI_TYPE_TRACE_BAR, NULL);
}
