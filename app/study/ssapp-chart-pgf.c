/* app/study/ssapp-chart-pgf.c: charts with axes as pictures for pgfplots, with their numbers in them: profiles, curves,
 * work, boxes. To be read by \input where pgfplots is loaded. */
#include "app/study/ssapp-chart-export.h"
#include "app/study/ssapp-chart-private.h"

#include <math.h>
#include <string.h>

#include "app/base/ssapp-file.h"
#include "app/base/ssapp-metric.h"
#include "app/export/ssapp-pgf.h"

static const double HEIGHT_SHARE = 0.7; /* of the width */

static void
append_option (GString *tex, const char *name, double value)
{
  if (isnan (value))
    return;
  g_string_append_printf (tex, ", %s=", name);
  ssapp_pgf_append_number (tex, value);
}

static void
declare_look (const SsappChart *self, GString *tex, guint method, guint number)
{
  SsappMethodStyle look;
  SsappStyle style;

  ssapp_style_init_paper (&style);
  ssapp_chart_look (&style, ssapp_chart_method (self, method), &look);
  ssapp_pgf_declare_look (tex, number, &look);
}

static void
append_curve (const SsappChart *self, GString *tex, const SsappChartCurve *curve, guint number)
{
  const gboolean is_profile = self->spec.kind == SSAPP_CHART_PERFORMANCE || self->spec.kind == SSAPP_CHART_DATA;
  const gboolean has_line = self->spec.kind != SSAPP_CHART_WORK || self->spec.x_axis >= 0;

  g_string_append_printf (tex, "\\addplot[stickslip look %u%s%s] coordinates {", number,
                          is_profile ? ", const plot, no markers" : "", has_line ? "" : ", only marks");
  for (guint k = 0; k < curve->n; k++) {
    if ((self->spec.x_log && !(curve->x[k] > 0)) || (self->spec.y_log && !is_profile && !(curve->y[k] > 0)))
      continue;
    g_string_append (tex, k % 6 == 0 ? "\n  (" : " (");
    ssapp_pgf_append_number (tex, curve->x[k]);
    g_string_append_c (tex, ',');
    ssapp_pgf_append_number (tex, is_profile ? 100 * curve->y[k] : curve->y[k]);
    g_string_append_c (tex, ')');
  }
  g_string_append (tex, "};\n\\addlegendentry{");
  ssapp_pgf_append_text (tex, ssapp_chart_method (self, curve->method)->label);
  g_string_append (tex, "}\n");
}

static void
append_box (const SsappChart *self, GString *tex, const SsappChartGroup *group, guint number)
{
  const char *const names[] = {"lower whisker", "lower quartile", "median", "upper quartile", "upper whisker"};
  const double values[] = {group->box.low, group->box.lower, group->box.median, group->box.upper, group->box.high};

  if (group->n == 0)
    return;
  g_string_append_printf (tex, "\\addplot[stickslip look %u, solid, boxplot prepared={draw position=%u", number,
                          number);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    append_option (tex, names[i], values[i]);
  g_string_append (tex, "}] coordinates {");
  for (guint i = 0; i < group->n; i++)
    if (ssapp_box_is_outlier (&group->box, group->values[i])) {
      g_string_append_printf (tex, " (%u,", number);
      ssapp_pgf_append_number (tex, group->values[i]);
      g_string_append_c (tex, ')');
    }
  (void)self;
  g_string_append (tex, "};\n");
}

/* What shown methods ignore, a line each below the axes. */
static void
append_ignored (const SsappChart *self, GString *tex)
{
  for (guint i = 0; i < self->n_shown; i++) {
    const SsappRunMethod *method = ssapp_chart_method (self, self->shown[i]);

    if (*method->ignores == '\0')
      continue;
    g_string_append (tex, "\\node[anchor=north west, font=\\scriptsize] at (current bounding box.south west) {");
    ssapp_pgf_append_text (tex, method->label);
    g_string_append_c (tex, ' ');
    ssapp_pgf_append_text (tex, method->ignores);
    g_string_append (tex, ".};\n");
  }
}

static void
append_axis_titles (const SsappChart *self, GString *tex)
{
  const SsMetricSpec *metric = ssapp_metric_spec (self->spec.metric);
  const gboolean is_profile = self->spec.kind == SSAPP_CHART_PERFORMANCE || self->spec.kind == SSAPP_CHART_DATA;
  g_autofree char *value = ssapp_chart_point_title (self), *other = ssapp_metric_title (self->spec.other);
  g_autofree char *x = self->spec.kind == SSAPP_CHART_PERFORMANCE
                           ? g_strdup_printf ("%s, against the best of each problem", metric->label)
                       : self->spec.kind == SSAPP_CHART_DATA ? g_strdup (value)
                       : self->spec.kind == SSAPP_CHART_WORK ? g_strdup (other)
                       : self->spec.kind == SSAPP_CHART_CURVES
                           ? g_strdup (ssapp_chart_axis (self, self->spec.x_axis)->title)
                           : NULL;

  if (x != NULL) {
    g_string_append (tex, ", xlabel={");
    ssapp_pgf_append_text (tex, x);
    g_string_append_c (tex, '}');
  }
  g_string_append (tex, ", ylabel={");
  if (is_profile) {
    g_autofree char *share = ssapp_chart_share_label (self);
    ssapp_pgf_append_text (tex, share);
    g_string_append (tex, " [\\%]");
  } else {
    ssapp_pgf_append_text (tex, value);
  }
  g_string_append_c (tex, '}');
}

/* Names along x: of boxes, of an axis of texts. */
static void
append_names (const SsappChart *self, GString *tex)
{
  const gboolean is_box = self->spec.kind == SSAPP_CHART_BOX;
  const SsappRunAxis *axis = self->spec.kind == SSAPP_CHART_CURVES ? ssapp_chart_axis (self, self->spec.x_axis) : NULL;
  const guint n = is_box ? self->groups->len : axis != NULL && !axis->is_number ? axis->n_values : 0;

  if (n == 0)
    return;
  g_string_append (tex, ", xtick={");
  for (guint i = 0; i < n; i++)
    g_string_append_printf (tex, "%s%u", i > 0 ? "," : "", is_box ? i + 1 : i);
  g_string_append (tex, "}, xticklabels={");
  for (guint i = 0; i < n; i++) {
    const guint method = is_box ? g_array_index (self->groups, SsappChartGroup, i).method : 0;
    g_string_append (tex, i > 0 ? ",{" : "{");
    ssapp_pgf_append_text (tex, is_box ? ssapp_chart_method (self, method)->label : axis->texts[i]);
    g_string_append_c (tex, '}');
  }
  g_string_append (tex, "}, xticklabel style={rotate=30, anchor=east}");
}

static char *
write_pgf (const SsappChart *self, double width_mm)
{
  const gboolean is_profile = self->spec.kind == SSAPP_CHART_PERFORMANCE || self->spec.kind == SSAPP_CHART_DATA;
  const gboolean is_box = self->spec.kind == SSAPP_CHART_BOX;
  const guint n = is_box ? self->groups->len : self->curves->len;
  GString *tex = g_string_new ("% Made by Stickslip " SS_VERSION ". Needs \\usepackage{pgfplots}");

  g_string_append (tex, is_box ? " and \\usepgfplotslibrary{statistics}.\n" : ".\n");
  for (guint i = 0; i < n; i++)
    declare_look (self, tex,
                  is_box ? g_array_index (self->groups, SsappChartGroup, i).method
                         : g_array_index (self->curves, SsappChartCurve, i).method,
                  i + 1);
  g_string_append_printf (tex, "\\begin{tikzpicture}\n\\begin{axis}[width=%.0fmm, height=%.0fmm", width_mm,
                          HEIGHT_SHARE * width_mm);
  if (self->spec.x_log && !is_box)
    g_string_append (tex, ", xmode=log");
  if (self->spec.y_log && !is_profile)
    g_string_append (tex, ", ymode=log");
  if (is_box)
    g_string_append (tex, ", boxplot/draw direction=y");
  append_option (tex, "xmin", self->spec.x_min);
  append_option (tex, "xmax", is_profile && isnan (self->spec.x_max) ? self->x_end : self->spec.x_max);
  append_option (tex, "ymin", is_profile ? 0 : self->spec.y_min);
  append_option (tex, "ymax", is_profile ? 100 : self->spec.y_max);
  append_axis_titles (self, tex);
  append_names (self, tex);
  g_string_append (tex, ", axis lines=left, grid=major, legend style={font=\\scriptsize, draw=none}, legend pos=outer "
                        "north east, label style={font=\\footnotesize}, tick label style={font=\\scriptsize}]\n");
  for (guint i = 0; i < n; i++)
    if (is_box)
      append_box (self, tex, &g_array_index (self->groups, SsappChartGroup, i), i + 1);
    else
      append_curve (self, tex, &g_array_index (self->curves, SsappChartCurve, i), i + 1);
  g_string_append (tex, "\\end{axis}\n");
  append_ignored (self, tex);
  g_string_append (tex, "\\end{tikzpicture}\n");
  return g_string_free (tex, FALSE);
}

gboolean
ssapp_chart_export_pgf (const SsappChart *self, double width_mm, const char *path, GError **error)
{
  g_return_val_if_fail (self != NULL, FALSE);
  if (self->empty != NULL || self->spec.kind == SSAPP_CHART_HEAT || self->spec.kind == SSAPP_CHART_SUCCESS ||
      self->spec.kind == SSAPP_CHART_DECIDES || self->spec.kind == SSAPP_CHART_DISTRIBUTION) {
    g_autofree char *name = g_filename_display_name (path);
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "Could not write “%s”: %s", name,
                 self->empty != NULL ? self->empty : "for pgfplots there are boxes, profiles, curves and work");
    return FALSE;
  }
  g_autofree char *text = write_pgf (self, width_mm);
  return ssapp_write_file (path, text, (gssize)strlen (text), error);
}
