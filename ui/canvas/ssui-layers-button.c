/* ui/canvas/ssui-layers-button.c: see the header. */
#include "ui/canvas/ssui-layers-button.h"

#include "app/draw/ssapp-overlays.h"
#include "ui/parts/ssui-util.h"

#define SAMPLE 16 /* px */

static int
layer_of (GtkWidget *widget)
{
  return GPOINTER_TO_INT (g_object_get_data (G_OBJECT (widget), "layer"));
}

static void
draw_sample (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer data)
{
  SsappStyle style;

  (void)data;
  ssui_style_init (&style, GTK_WIDGET (area));
  ssapp_layer_draw_sample (cr, &style, layer_of (GTK_WIDGET (area)), (width - SAMPLE) / 2.0, (height - SAMPLE) / 2.0,
                           SAMPLE);
}

static void
on_toggled (GtkCheckButton *check, SsuiMotionLook *look)
{
  const int layer = layer_of (GTK_WIDGET (check));

  if (gtk_check_button_get_active (check) != ssui_motion_look_has_layer (look, layer))
    ssui_motion_look_toggle_layer (look, layer);
}

static void
on_look_changed (SsuiMotionLook *look, GtkWidget *box)
{
  for (GtkWidget *check = gtk_widget_get_first_child (box); check != NULL; check = gtk_widget_get_next_sibling (check))
    gtk_check_button_set_active (GTK_CHECK_BUTTON (check), ssui_motion_look_has_layer (look, layer_of (check)));
}

void
ssui_layers_button_attach (GtkMenuButton *button, SsuiMotionLook *look)
{
  GtkWidget *popover = gtk_popover_new (), *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);

  for (int i = 0; i < SSAPP_N_LAYERS_OF_MOTION; i++) {
    GtkWidget *check = gtk_check_button_new (), *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8),
              *sample = gtk_drawing_area_new (), *label = gtk_label_new (ssapp_layer_title (i));

    gtk_drawing_area_set_content_width (GTK_DRAWING_AREA (sample), SAMPLE + 2);
    gtk_drawing_area_set_content_height (GTK_DRAWING_AREA (sample), SAMPLE);
    gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (sample), draw_sample, NULL, NULL);
    g_object_set_data (G_OBJECT (sample), "layer", GINT_TO_POINTER (i));
    g_object_set_data (G_OBJECT (check), "layer", GINT_TO_POINTER (i));
    gtk_box_append (GTK_BOX (line), sample);
    gtk_box_append (GTK_BOX (line), label);
    gtk_check_button_set_child (GTK_CHECK_BUTTON (check), line);
    gtk_check_button_set_active (GTK_CHECK_BUTTON (check), ssui_motion_look_has_layer (look, i));
    gtk_widget_set_tooltip_text (check, ssapp_layer_help (i));
    ssui_set_label (check, ssapp_layer_title (i));
    g_signal_connect_object (check, "toggled", G_CALLBACK (on_toggled), look, 0);
    gtk_box_append (GTK_BOX (box), check);
  }
  g_signal_connect_object (look, "changed", G_CALLBACK (on_look_changed), box, 0);
  gtk_widget_set_margin_start (box, 6);
  gtk_widget_set_margin_end (box, 6);
  gtk_popover_set_child (GTK_POPOVER (popover), box);
  gtk_menu_button_set_popover (button, popover);
}
