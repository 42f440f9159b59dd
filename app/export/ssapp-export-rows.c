/* app/export/ssapp-export-rows.c: tables of rows, after a look at how the name of their file ends. The writers are
 * lines of the table of plots, which says that too, so that they cannot look themselves. */
#include "app/export/ssapp-export-private.h"

#include "app/export/ssapp-file-kind.h"

gboolean
ssapp_export_table (const SsappPlotKind *plot, const SsappTableRun *run, const char *path, GError **error)
{
  g_return_val_if_fail (plot != NULL && plot->write != NULL, FALSE);
  return ssapp_endings_check (plot->file.name, path, error) && plot->write (run, path, error);
}

gboolean
ssapp_export_trajectory_csv (const SsTrajectory *trajectory, const char *path, GError **error)
{
  return ssapp_export_table (ssapp_plot_find ("trajectory"), &(SsappTableRun){.trajectory = trajectory}, path, error);
}

gboolean
ssapp_export_branches_csv (const SsappBranchMotion *motions, int n, const char *path, GError **error)
{
  g_return_val_if_fail ((motions != NULL || n == 0) && n >= 0, FALSE);

  const SsappTableRun run = {.trajectory = n > 0 ? motions[0].motion : NULL, .members = motions, .n_members = n};

  return ssapp_export_table (ssapp_plot_find ("trajectory"), &run, path, error);
}

gboolean
ssapp_export_samples_csv (const SsSamples *samples, int n_columns, const char *path, GError **error)
{
  return ssapp_endings_check ("samples", path, error) && ssapp_write_samples (samples, n_columns, path, error);
}

static char *
dup_text (gconstpointer data, GError **error)
{
  (void)error;
  return g_strdup (data);
}

gboolean
ssapp_export_log (GArray *iterations, const char *title, const char *raw, const char *path, GError **error)
{
  const SsappTableRun run = {.label = title, .iterations = iterations, .dup_log = dup_text, .data = raw};

  return ssapp_export_table (ssapp_plot_find ("log"), &run, path, error);
}

gboolean
ssapp_export_log_csv (GArray *iterations, const char *path, GError **error)
{
  return ssapp_endings_check ("rows", path, error) && ssapp_write_log_csv (iterations, path, error);
}
