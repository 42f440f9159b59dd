/* app/study/ssapp-chart-export.c: see ssapp-chart-export.h. */
#include "app/study/ssapp-chart-export.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "app/base/ssapp-ending.h"
#include "app/base/ssapp-file.h"
#include "app/export/ssapp-export.h"
#include "app/export/ssapp-file-kind.h"
#include "app/study/ssapp-chart-private.h"

static const double DPI = 300.;
static const double MM_PER_POINT = 25.4 / 72.;

/* Whether a file of that name can be written: by its suffix; else an error that lists them. */
static gboolean
can_export (const char *path, GError **error)
{
  return ssapp_endings_check ("chart", path, error);
}

gboolean
ssapp_table_export (const SsappTable *table, const char *path, GError **error)
{
  SsappTableFormat format;

  if (!ssapp_endings_check ("table", path, error) || !ssapp_table_format_of_path (path, &format))
    return FALSE;
  g_autofree char *text = ssapp_table_write (table, format);
  return ssapp_write_file (path, text, strlen (text), error);
}

static void
paint (cairo_t *cr, const SsappStyle *style, gconstpointer data, double width, double height)
{
  ssapp_chart_draw (data, cr, style, width, height, NULL, NAN, NAN);
}

gboolean
ssapp_chart_export (const SsappChart *self, double width_mm, const char *path, GError **error)
{
  SsappStyle style;

  if (!can_export (path, error))
    return FALSE;
  if (ssapp_ending_is (path, ".tikz"))
    return ssapp_chart_export_pgf (self, width_mm, path, error);
  if (!ssapp_endings_check ("picture", path, NULL)) {
    g_autoptr (SsappTable) table = ssapp_chart_to_table (self);
    return ssapp_table_export (table, path, error);
  }
  ssapp_style_init_paper (&style);
  const double height = ssapp_chart_get_height (self, &style, width_mm / MM_PER_POINT);
  return ssapp_export_painted (paint, self, ssapp_chart_get_title (self), width_mm, height, DPI, path, error);
}

/* ---- all at once ------------------------------------------------------------------------------------------------- */

static gboolean
differs (const SsappRunSet *set, SsMetric metric)
{
  double first = NAN;

  for (guint i = 0; i < set->items->len; i++) {
    const double value = ssapp_run_set_get (set, i, metric);
    if (isfinite (value) && isfinite (first) && value != first)
      return TRUE;
    first = isfinite (first) ? first : value;
  }
  return FALSE;
}

GArray *
ssapp_run_set_list_metrics (const SsappRunSet *set)
{
  static const SsMetric usual[] = {SS_METRIC_OBJECTIVE,       SS_METRIC_TRACKING_TOTAL,  SS_METRIC_MAX_VIOLATION,
                                   SS_METRIC_REPLAY_DISTANCE, SS_METRIC_MAX_PENETRATION, SS_METRIC_MAX_CONE_VIOLATION,
                                   SS_METRIC_ENERGY_FINAL,    SS_METRIC_STEPS,           SS_METRIC_FINISHED_FRACTION,
                                   SS_METRIC_ITERATIONS,      SS_METRIC_CPU_SECONDS};
  GArray *metrics = g_array_new (FALSE, FALSE, sizeof (SsMetric));

  for (guint i = 0; i < G_N_ELEMENTS (usual); i++)
    if (differs (set, usual[i]))
      g_array_append_val (metrics, usual[i]);
  g_autoptr (GArray) outcomes = ssapp_run_set_list_outcomes (set);
  g_array_prepend_vals (metrics, outcomes->data, outcomes->len);
  return metrics;
}

/* Charts beside the one of each kind: what else is worth a picture. */
typedef struct {
  const char *name;
  SsappChartKind kind;
  SsMetric metric; /* SS_METRIC_COUNT: what suits */
  double within;
} Wanted;

static const Wanted wanted[] = {
    {"heat", SSAPP_CHART_HEAT, SS_METRIC_COUNT, NAN},
    {"heat-cpu", SSAPP_CHART_HEAT, SS_METRIC_CPU_SECONDS, NAN},
    {"box", SSAPP_CHART_BOX, SS_METRIC_COUNT, NAN},
    {"box-cpu", SSAPP_CHART_BOX, SS_METRIC_CPU_SECONDS, NAN},
    {"box-violation", SSAPP_CHART_BOX, SS_METRIC_MAX_VIOLATION, NAN},
    {"box-tracking", SSAPP_CHART_BOX, SS_METRIC_TRACKING_TOTAL, NAN},
    {"performance", SSAPP_CHART_PERFORMANCE, SS_METRIC_CPU_SECONDS, NAN},
    {"data", SSAPP_CHART_DATA, SS_METRIC_CPU_SECONDS, NAN},
    {"data-within-10-percent", SSAPP_CHART_DATA, SS_METRIC_CPU_SECONDS, 1.1},
    {"success", SSAPP_CHART_SUCCESS, SS_METRIC_COUNT, NAN},
    {"curves", SSAPP_CHART_CURVES, SS_METRIC_COUNT, NAN},
    {"work", SSAPP_CHART_WORK, SS_METRIC_COUNT, NAN},
    {"decides", SSAPP_CHART_DECIDES, SS_METRIC_COUNT, NAN},
    {"distribution", SSAPP_CHART_DISTRIBUTION, SS_METRIC_COUNT, NAN},
};

/* Whether it says anything of this set. */
static gboolean
suits (const SsappRunSet *set, const Wanted *want)
{
  if ((want->kind == SSAPP_CHART_HEAT || want->kind == SSAPP_CHART_CURVES) && set->axes->len == 0)
    return FALSE;
  if (!isnan (want->within) && !differs (set, SS_METRIC_OBJECTIVE))
    return FALSE;
  return want->metric == SS_METRIC_COUNT || differs (set, want->metric);
}

static gboolean
write_chart (const SsappRunSet *set, const Wanted *want, const gboolean *hidden, double width_mm, const char *folder,
             GHashTable *written, GPtrArray *done, GError **error)
{
  static const char *const suffixes[] = {"pdf", "svg", "csv"};
  SsappChartSpec spec;
  gboolean ok = TRUE;

  ssapp_chart_spec_init (&spec, want->kind, set);
  if (want->metric != SS_METRIC_COUNT && want->metric != spec.metric) {
    spec.metric = want->metric;
    spec.is_relative = FALSE;
    ssapp_chart_spec_suit (&spec, set);
  }
  spec.within = want->within;
  spec.hidden = hidden;
  g_autoptr (SsappChart) chart = ssapp_chart_new (set, &spec);
  if (chart->empty != NULL)
    return TRUE;
  g_autoptr (SsappTable) numbers = ssapp_chart_to_table (chart);
  if (!g_hash_table_add (written, ssapp_table_write (numbers, SSAPP_TABLE_CSV))) /* equal to one of another name */
    return TRUE;
  for (guint i = 0; ok && i < G_N_ELEMENTS (suffixes); i++) {
    g_autofree char *name = g_strdup_printf ("%s.%s", want->name, suffixes[i]);
    g_autofree char *path = g_build_filename (folder, name, NULL);
    ok = ssapp_chart_export (chart, width_mm, path, error);
    if (ok)
      g_ptr_array_add (done, g_steal_pointer (&name));
  }
  return ok;
}

static gboolean
write_table (SsappTable *table, const char *stem, const char *folder, GPtrArray *done, GError **error)
{
  static const char *const suffixes[] = {"csv", "md", "tex"};
  gboolean ok = TRUE;

  for (guint i = 0; ok && i < G_N_ELEMENTS (suffixes); i++) {
    g_autofree char *name = g_strdup_printf ("%s.%s", stem, suffixes[i]);
    g_autofree char *path = g_build_filename (folder, name, NULL);
    ok = ssapp_table_export (table, path, error);
    if (ok)
      g_ptr_array_add (done, g_steal_pointer (&name));
  }
  return ok;
}

gboolean
ssapp_run_set_export_all (const SsappRunSet *set, const gboolean *hidden, double width_mm, const char *folder,
                          GPtrArray **done, GError **error)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GArray) metrics = ssapp_run_set_list_metrics (set);
  const SsMetric *list = (const SsMetric *)(const void *)metrics->data;
  g_autoptr (GHashTable) written = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  gboolean ok = TRUE;

  if (g_mkdir_with_parents (folder, 0777) != 0) {
    const int number = errno;
    g_autofree char *name = g_filename_display_name (folder);
    g_set_error (error, G_IO_ERROR, (int)g_io_error_from_errno (number), "Could not make the folder “%s”: %s", name,
                 g_strerror (number));
    return FALSE;
  }
  for (guint i = 0; ok && i < G_N_ELEMENTS (wanted); i++)
    if (suits (set, &wanted[i]))
      ok = write_chart (set, &wanted[i], hidden, width_mm, folder, written, names, error);
  if (ok) {
    g_autoptr (SsappTable) runs = ssapp_run_set_to_table (set, list, metrics->len);
    g_autoptr (SsappTable) summary = ssapp_run_set_summary (set, list, metrics->len);
    ok = write_table (runs, "runs", folder, names, error) && write_table (summary, "summary", folder, names, error);
  }
  if (done != NULL)
    *done = g_steal_pointer (&names);
  return ok;
}
