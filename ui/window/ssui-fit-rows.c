/* ui/window/ssui-fit-rows.c: see the header. */
#include "ui/window/ssui-fit-rows.h"

#include "ui/parts/ssui-util.h"

#include <glib/gi18n.h>

enum { MARGIN = 12, BAR = 18 };

GtkWidget *
ssui_fit_label_new (const char *text, double xalign, const char *class)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), (float)xalign);
  if (class != NULL)
    gtk_widget_add_css_class (label, class);
  return label;
}

void
ssui_fit_set_margins (GtkWidget *widget, int across, int along)
{
  gtk_widget_set_margin_start (widget, across);
  gtk_widget_set_margin_end (widget, across);
  gtk_widget_set_margin_top (widget, along);
  gtk_widget_set_margin_bottom (widget, along);
}

static void
draw_bar (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer data)
{
  SsappFitSession *fit = data;
  const SsFitResult *result = ssapp_fit_session_get_result (fit);
  const int k = GPOINTER_TO_INT (g_object_get_data (G_OBJECT (area), "estimate"));
  SsappStyle style;

  if (result == NULL || k >= result->n_estimates)
    return;
  ssui_style_init (&style, GTK_WIDGET (area));
  ssapp_fit_interval_draw (cr, &style, &result->estimates[k], 0, 0, width, height);
}

static GtkWidget *
make_bar (SsappFitSession *fit, int k)
{
  GtkWidget *bar = gtk_drawing_area_new ();

  gtk_drawing_area_set_content_height (GTK_DRAWING_AREA (bar), BAR);
  g_object_set_data (G_OBJECT (bar), "estimate", GINT_TO_POINTER (k));
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (bar), draw_bar, g_object_ref (fit), g_object_unref);
  return bar;
}

GtkWidget *
ssui_fit_estimate_row_new (SsappFitSession *fit, int k)
{
  const SsFitResult *result = ssapp_fit_session_get_result (fit);
  const SsFitEstimate *e = &result->estimates[k];
  const char *unit = ssapp_fit_unit (e);
  g_autofree char *name = ssapp_fit_name (result, k), *half = NULL, *value = ssapp_fit_value_text (e, &half),
                  *by = half != NULL ? g_strdup_printf ("± %s%s%s", half, *unit != '\0' ? " " : "", unit)
                                     : g_strdup_printf (*unit != '\0' ? _ ("%s, not told") : _ ("not told"), unit),
                  *words = g_strdup_printf ("%s: %s %s", name, value, by);
  GtkWidget *row = gtk_list_box_row_new (), *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2),
            *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6), *label = ssui_fit_label_new (name, 0, NULL),
            *number = ssui_fit_label_new (value, 1, "metric-value"),
            *interval = ssui_fit_label_new (by, 0, "metric-name");

  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_widget_add_css_class (number, half != NULL ? "heading" : "dim-label");
  gtk_widget_add_css_class (interval, "numeric");
  gtk_box_append (GTK_BOX (line), label);
  gtk_box_append (GTK_BOX (line), number);
  gtk_box_append (GTK_BOX (line), interval);
  gtk_box_append (GTK_BOX (box), line);
  gtk_box_append (GTK_BOX (box), make_bar (fit, k));
  ssui_fit_set_margins (box, MARGIN, MARGIN / 2);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), FALSE);
  ssui_set_label (row, words);
  return row;
}

GtkWidget *
ssui_fit_open_row_new (const char *name, const char *why)
{
  GtkWidget *row = gtk_list_box_row_new (), *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, MARGIN),
            *image = gtk_image_new_from_icon_name ("dialog-information-symbolic"),
            *texts = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), *title = ssui_fit_label_new (name, 0, "heading"),
            *reason = ssui_fit_label_new (why, 0, "metric-name");
  g_autofree char *words = g_strdup_printf ("%s: %s", name, why);

  gtk_label_set_wrap (GTK_LABEL (reason), TRUE);
  gtk_widget_set_valign (image, GTK_ALIGN_START);
  gtk_widget_set_hexpand (texts, TRUE);
  gtk_box_append (GTK_BOX (texts), title);
  gtk_box_append (GTK_BOX (texts), reason);
  gtk_box_append (GTK_BOX (box), image);
  gtk_box_append (GTK_BOX (box), texts);
  ssui_fit_set_margins (box, MARGIN, MARGIN / 2);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), FALSE);
  ssui_set_label (row, words);
  return row;
}
