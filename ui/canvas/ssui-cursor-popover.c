/* ui/canvas/ssui-cursor-popover.c: see the header. Tests: tests/ui/test_channels.py */
#include "ui/canvas/ssui-cursor-popover.h"

#include "ui/canvas/ssui-plot-view.h"
#include "ui/parts/ssui-util.h"

#include <glib/gi18n.h>
#include <math.h>

enum { SPECTRUM_HEIGHT = 170, TABLE_MOST_WIDTH = 520, SHOWN_MOST = 12 };

static void
put (GtkWidget *grid, const char *text, int column, int row, gboolean is_number)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), is_number ? 1 : 0);
  if (is_number)
    gtk_widget_add_css_class (label, "numeric");
  else
    gtk_widget_add_css_class (label, "dim-label");
  gtk_label_set_justify (GTK_LABEL (label), is_number ? GTK_JUSTIFY_RIGHT : GTK_JUSTIFY_LEFT);
  gtk_grid_attach (GTK_GRID (grid), label, column, row, 1, 1);
}

static GtkWidget *
grid_new (const GArray *spans)
{
  GtkWidget *grid = gtk_grid_new (), *scrolled = gtk_scrolled_window_new ();

  gtk_grid_set_column_spacing (GTK_GRID (grid), 18);
  gtk_grid_set_row_spacing (GTK_GRID (grid), 3);
  for (guint i = 0; i < spans->len && i < SHOWN_MOST; i++) {
    const SsappChannelSpan *one = &g_array_index (spans, SsappChannelSpan, i);
    g_auto (GStrv) parts = g_strsplit (one->label, ", ", 2); /* the channel, the run below it */
    g_autofree char *name = g_strjoinv ("\n", parts),
                    *title = *one->unit != '\0' ? g_strdup_printf ("%s [%s]", name, one->unit) : g_strdup (name);
    put (grid, title, 1 + (int)i, 0, TRUE);
    for (guint f = 0; f < ssapp_n_span_fields; f++) {
      g_autofree char *number = ssui_number (ssapp_span_get (&one->span, f));
      if (i == 0)
        put (grid, ssapp_span_fields[f].title, 0, 1 + (int)f, FALSE);
      put (grid, number, 1 + (int)i, 1 + (int)f, TRUE);
    }
  }
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), grid);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_AUTOMATIC, GTK_POLICY_NEVER);
  gtk_scrolled_window_set_propagate_natural_width (GTK_SCROLLED_WINDOW (scrolled), TRUE);
  gtk_scrolled_window_set_max_content_width (GTK_SCROLLED_WINDOW (scrolled), TABLE_MOST_WIDTH);
  return scrolled;
}

static GtkWidget *
spectrum_new (const GArray *spans)
{
  GtkWidget *view = ssui_plot_view_new ();
  const SsappPlotSpec spec = {SSAPP_PLOT_FREE, .title = _ ("Spectrum"), .x_label = _ ("Frequency [Hz]"), .y_log = TRUE,
                              .legend = TRUE};
  const int plot = ssui_plot_view_add_plot (SSUI_PLOT_VIEW (view), &spec);
  g_autofree double *frequencies = g_new (double, SS_SPECTRUM_LINES), *amplitudes = g_new (double, SS_SPECTRUM_LINES);

  for (guint i = 0; i < spans->len && i < SHOWN_MOST; i++) {
    const SsappChannelSpan *one = &g_array_index (spans, SsappChannelSpan, i);
    const int n = ssapp_channel_span_spectrum (one, frequencies, amplitudes);
    /* channels of one run are told apart by their place */
    const SsMethodId method = {one->method.kind, spans->len > 1 ? NULL : one->method.name, one->method.copy};
    ssui_plot_view_add_series (SSUI_PLOT_VIEW (view), plot, one->label, method, frequencies, amplitudes, n, FALSE);
  }
  ssui_plot_view_set_height (SSUI_PLOT_VIEW (view), SPECTRUM_HEIGHT);
  ssui_plot_view_done (SSUI_PLOT_VIEW (view));
  ssui_set_label (view, _ ("Spectrum between both cursors"));
  return view;
}

static void
on_copy (GtkButton *button, char *text)
{
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (button)), text);
}

static void
free_text (gpointer text, GClosure *closure)
{
  (void)closure;
  g_free (text);
}

GtkWidget *
ssui_cursor_popover_show (const GArray *spans, GtkWidget *parent, int x)
{
  g_return_val_if_fail (spans != NULL && spans->len > 0, NULL);
  GtkWidget *popover = gtk_popover_new (), *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 8),
            *head = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12), *copy = gtk_button_new_with_label (_ ("Copy"));
  const SsSpan *span = &g_array_index (spans, SsappChannelSpan, 0).span;
  const double length = span->to - span->from;
  g_autofree char *a = ssui_number (span->from), *b = ssui_number (span->to), *dt = ssui_number (length),
                  *rate = ssui_number (1 / length),
                  *words = g_strdup_printf (_ ("A %s s, B %s s: Δt %s s, 1/Δt %s Hz"), a, b, dt, rate);
  GtkWidget *title = gtk_label_new (words);
  g_autoptr (SsappTable) table = ssapp_channel_spans_table (spans);

  gtk_widget_add_css_class (title, "heading");
  gtk_widget_set_hexpand (title, TRUE);
  gtk_label_set_xalign (GTK_LABEL (title), 0);
  gtk_widget_set_tooltip_text (copy, _ ("Copy the table, as text with tabs"));
  g_signal_connect_data (copy, "clicked", G_CALLBACK (on_copy), ssapp_table_write (table, SSAPP_TABLE_TSV), free_text,
                         0);
  gtk_box_append (GTK_BOX (head), title);
  gtk_box_append (GTK_BOX (head), copy);
  gtk_box_append (GTK_BOX (box), head);
  gtk_box_append (GTK_BOX (box), grid_new (spans));
  gtk_box_append (GTK_BOX (box), spectrum_new (spans));
  gtk_popover_set_child (GTK_POPOVER (popover), box);
  ssui_set_label (popover, _ ("Between both cursors"));
  gtk_widget_set_parent (popover, parent);
  gtk_popover_set_pointing_to (GTK_POPOVER (popover), &(GdkRectangle){x, 0, 1, 1});
  gtk_popover_popup (GTK_POPOVER (popover));
  return popover;
}
