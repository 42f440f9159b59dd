/* app/bench/ssapp-paper-chart.c: columns of an item's table as curves; see ssapp-paper-item.h. */
#include "app/bench/ssapp-paper-item.h"

#include "app/draw/ssapp-plot.h"
#include "app/export/ssapp-export.h"

#include <math.h>
#include <string.h>

static const double WIDTH_MM = 120, HEIGHT = 210, HEIGHT_SQUARE = 345, DPI = 200; /* [pt] */

typedef struct {
  char *label;   /* owned */
  GArray *x, *y; /* of double, owned */
} Curve;

typedef struct {
  const SsappPaperChart *chart;
  GPtrArray *curves; /* of Curve */
} Drawn;

static void
curve_free (gpointer data)
{
  Curve *curve = data;

  g_free (curve->label);
  g_array_unref (curve->x);
  g_array_unref (curve->y);
  g_free (curve);
}

static Curve *
find_curve (GPtrArray *curves, const char *label)
{
  for (guint i = 0; i < curves->len; i++)
    if (strcmp (((Curve *)g_ptr_array_index (curves, i))->label, label) == 0)
      return g_ptr_array_index (curves, i);
  Curve *curve = g_new0 (Curve, 1);
  curve->label = g_strdup (label);
  curve->x = g_array_new (FALSE, FALSE, sizeof (double));
  curve->y = g_array_new (FALSE, FALSE, sizeof (double));
  g_ptr_array_add (curves, curve);
  return curve;
}

/* What the row's curve is called: the values of the group's columns, then the column that is drawn; g_free. */
static char *
label_of (const SsappPaperChart *chart, const SsappTable *table, guint row, guint y, gboolean is_one)
{
  g_auto (GStrv) keys = g_strsplit (chart->group != NULL ? chart->group : "", ",", -1);
  GString *label = g_string_new ("");

  for (guint i = 0; keys[i] != NULL; i++) {
    const int column = ssapp_table_find_column (table, keys[i]);
    if (column < 0)
      continue;
    g_autofree char *title = ssapp_table_get_column_title (table, (guint)column);
    g_string_append (label, label->len > 0 ? ", " : "");
    if (ssapp_table_is_number_column (table, (guint)column))
      g_string_append_printf (label, "%s ", title);
    g_string_append (label, ssapp_table_get_text (table, row, (guint)column));
  }
  if (!is_one || label->len == 0) {
    g_autofree char *title = ssapp_table_get_column_title (table, y);
    g_string_append_printf (label, "%s%s", label->len > 0 ? ": " : "", title);
  }
  return g_string_free (label, FALSE);
}

/* FALSE with an error: no such column. */
static gboolean
collect (const SsappPaperChart *chart, const SsappTable *table, GPtrArray *curves, GError **error)
{
  g_auto (GStrv) keys = g_strsplit (chart->y, ",", -1);
  const int x = ssapp_table_find_column (table, chart->x);

  for (guint k = 0; keys[k] != NULL; k++) {
    const int y = ssapp_table_find_column (table, keys[k]);
    if (x < 0 || y < 0) {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "chart %s: table %s has no column '%s'", chart->key,
                   chart->table, x < 0 ? chart->x : keys[k]);
      return FALSE;
    }
    for (guint row = 0; row < ssapp_table_get_n_rows (table); row++) {
      if (!ssapp_paper_row_is_chosen (table, row, chart->rows))
        continue;
      g_autofree char *label = label_of (chart, table, row, (guint)y, keys[1] == NULL);
      Curve *curve = find_curve (curves, label);
      const double point[] = {ssapp_table_get_number (table, row, (guint)x),
                              ssapp_table_get_number (table, row, (guint)y)};
      g_array_append_val (curve->x, point[0]);
      g_array_append_val (curve->y, point[1]);
    }
  }
  return TRUE;
}

/* Both axes with the same range, of all numbers. */
static void
make_square (const GPtrArray *curves, SsappPlotSpec *spec)
{
  double low = INFINITY, high = -INFINITY;

  for (guint i = 0; i < curves->len; i++) {
    const Curve *curve = g_ptr_array_index (curves, i);
    for (guint k = 0; k < curve->x->len; k++) {
      const double x = g_array_index (curve->x, double, k), y = g_array_index (curve->y, double, k);
      low = fmin (low, fmin (x, y));
      high = fmax (high, fmax (x, y));
    }
  }
  spec->x_min = spec->y_min = low;
  spec->x_max = spec->y_max = high;
}

static void
paint (cairo_t *cr, const SsappStyle *style, gconstpointer data, double width, double height)
{
  const Drawn *drawn = data;
  const SsappPaperChart *chart = drawn->chart;
  g_autofree SsappSeries *series = g_new0 (SsappSeries, drawn->curves->len + 1);
  SsappPlotSpec spec = {SSAPP_PLOT_FREE,       .x_label = chart->x_label, .y_label = chart->y_label,
                        .x_log = chart->x_log, .y_log = chart->y_log,     .legend = drawn->curves->len > 1};

  if (chart->y_most > 0)
    spec.y_max = chart->y_most;
  if (chart->is_square)
    make_square (drawn->curves, &spec);
  for (guint i = 0; i < drawn->curves->len; i++) {
    const Curve *curve = g_ptr_array_index (drawn->curves, i);
    series[i] = (SsappSeries){.label = curve->label,
                              .n = (int)curve->x->len,
                              .x = (const double *)(const void *)curve->x->data,
                              .y = (const double *)(const void *)curve->y->data,
                              .is_marked = !chart->has_no_mark,
                              .has_no_line = chart->has_no_line,
                              .is_step = chart->is_step,
                              .look = (int)i + 1};
  }
  ssapp_plot_draw (cr, style, &spec, series, (int)drawn->curves->len, 0, 0, width, height);
}

gboolean
ssapp_paper_chart_export (const SsappPaperChart *chart, const SsappTable *table, const char *path, GError **error)
{
  g_autoptr (GPtrArray) curves = g_ptr_array_new_with_free_func (curve_free);
  const Drawn drawn = {chart, curves};

  return collect (chart, table, curves, error) &&
         ssapp_export_painted (paint, &drawn, chart->title, WIDTH_MM, chart->is_square ? HEIGHT_SQUARE : HEIGHT, DPI,
                               path, error);
}
