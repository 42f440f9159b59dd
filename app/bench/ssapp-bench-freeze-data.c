/* app/bench/ssapp-bench-freeze-data.c: figures of the suite time-freezing and their data as files. */
#include "app/bench/ssapp-bench-freeze-private.h"

#include "app/base/ssapp-file.h"
#include "app/draw/ssapp-plot-parts.h"
#include "app/export/ssapp-export.h"

#include <errno.h>
#include <math.h>

static const double WIDE_MM = 180, DPI = 300;
/* Of the page of work against precision: height of a row of plots as a share of the width, of the legend in points. */
static const double ROW_SHARE = 0.26, LEGEND_PT = 28, GAP_PT = 10;

static const char readme[] =
    "# Figures of paper 001 (time-freezing)\n\n"
    "| file | figure |\n| --- | --- |\n"
    "| fig1-2-phase | Figs 1 and 2: the plane of gap c1 and gap speed c2 with the regions R1, R2 (Example 3); the "
    "motion "
    "comes to c1 = c2 = 0 as in Fig. 1 and leaves it as in Fig. 2 |\n"
    "| fig3-clocks | Fig. 3: Example 3, no friction: positions and velocities by both clocks, the speed of time |\n"
    "| fig4-friction | Fig. 4: the law of friction (21) and its approximation (26) with eps_t = 0.2 m/s, along a line "
    "through v_t = 0 |\n"
    "| fig5-clocks | Fig. 5: Example 4, friction 0.6: the same |\n"
    "| fig6-clocks | Fig. 6: Example 5, the plan with the cost in numerical time: the same, with the speeds s of the "
    "intervals |\n"
    "| fig7-frames | Fig. 7: frames of the robot's motion that was given |\n"
    "| fig8-torques | Fig. 8: its torques in physical time |\n"
    "| work-precision | error at the end over step and CPU time of fesd-j, time-freezing, moreau-jean, "
    "stewart-trinkle |\n\n"
    "Panel (f) of the clocks has the normal force, since the paper's control u2 is a force over time in this scene.\n"
    "A part that was not asked for has no files.\n";

static gboolean
write_example (const SsappFreezeExample *example, const SsappPlotKind *plot, const char *stem, const char *folder,
               GError **error)
{
  static const char *const suffixes[] = {"pdf", "csv"};
  const SsappFigureRun run = {.label = example->title,
                              .method = {SS_METHOD_INTEGRATOR, "time-freezing"},
                              .trajectory = example->motion,
                              .outcome = "completed"};
  const SsappFigureOptions options = {.width_mm = WIDE_MM, .dpi = DPI, .time = NAN};
  gboolean done = TRUE;

  for (gsize i = 0; i < G_N_ELEMENTS (suffixes) && done; i++) {
    g_autofree char *name = g_strdup_printf ("%s.%s", stem, suffixes[i]);
    g_autofree char *path = g_build_filename (folder, name, NULL);
    done = ssapp_export_figure (plot, example->scenario, &run, 1, &options, path, error);
  }
  return done;
}

/* ---- work against precision -------------------------------------------------------------------------------------- */

/* Errors of a method on a scene over log10 of step or time; the arrays are for g_free. */
static SsappSeries
series_of (const SsappBenchFreeze *self, int scene, int method, gboolean over_time)
{
  const SsappBenchMethod *of = g_ptr_array_index (self->methods, method);
  double *x = g_new (double, self->runs->len + 1), *y = g_new (double, self->runs->len + 1);
  int n = 0;

  for (guint i = self->runs->len; i-- > 0;) { /* the shortest step first: x ascends */
    const SsappFreezeRun *run = &g_array_index (self->runs, SsappFreezeRun, over_time ? self->runs->len - 1 - i : i);
    if (run->scene != scene || run->method != method || !run->is_completed)
      continue;
    x[n] = log10 (over_time ? run->cpu_seconds : run->h);
    y[n++] = run->error;
  }
  return (SsappSeries){.label = of->label, .method = ss_method_id (of->method), .n = n, .x = x, .y = y};
}

static void
draw_plot (cairo_t *cr, const SsappStyle *style, const SsappBenchFreeze *self, int scene, gboolean over_time, double x,
           double y, double width, double height)
{
  SsappSeries series[SSAPP_FREEZE_METHODS];
  const SsappPlotSpec spec = {.y_label = ssapp_freeze_scene_title (scene),
                              .x_label = over_time ? "log₁₀ of the CPU time [s]" : "log₁₀ of the step [s]",
                              .y_log = TRUE,
                              SSAPP_PLOT_FREE};

  for (int m = 0; m < SSAPP_FREEZE_METHODS; m++)
    series[m] = series_of (self, scene, m, over_time);
  ssapp_plot_draw (cr, style, &spec, series, SSAPP_FREEZE_METHODS, x, y, width, height);
  for (int m = 0; m < SSAPP_FREEZE_METHODS; m++) {
    g_free ((double *)series[m].x);
    g_free ((double *)series[m].y);
  }
}

static void
paint (cairo_t *cr, const SsappStyle *style, gconstpointer data, double width, double height)
{
  const SsappBenchFreeze *self = data;
  const double each = (height - LEGEND_PT) / SSAPP_FREEZE_SCENES, half = (width - GAP_PT) / 2;
  SsappSeries legend[SSAPP_FREEZE_METHODS];

  for (int scene = 0; scene < SSAPP_FREEZE_SCENES; scene++)
    for (int side = 0; side < 2; side++)
      draw_plot (cr, style, self, scene, side == 1, side * (half + GAP_PT), scene * each, half, each);
  for (int m = 0; m < SSAPP_FREEZE_METHODS; m++) {
    legend[m] = series_of (self, 0, m, FALSE);
    g_free ((double *)legend[m].x);
    g_free ((double *)legend[m].y);
    legend[m].n = 0;
  }
  ssapp_plot_draw_legend (cr, style, legend, SSAPP_FREEZE_METHODS, NULL, 0, height - LEGEND_PT, width, TRUE);
}

/* [001 Fig 1 Fig 2 Fig 3 Fig 4 Fig 5 Fig 6]. */
gboolean
ssapp_bench_freeze_data (const SsappBenchFreeze *self, const char *folder, GError **error)
{
  g_return_val_if_fail (self != NULL, FALSE);
  g_autofree char *table = g_build_filename (folder, "work-precision.csv", NULL),
                  *plot = g_build_filename (folder, "work-precision.pdf", NULL),
                  *about = g_build_filename (folder, "README.md", NULL), *csv = ssapp_bench_freeze_csv (self);
  const double width_pt = WIDE_MM / 25.4 * 72;

  if (g_mkdir_with_parents (folder, 0777) != 0) {
    g_set_error (error, G_IO_ERROR, g_io_error_from_errno (errno), "Could not make “%s”: %s", folder,
                 g_strerror (errno));
    return FALSE;
  }
  for (int i = 0; i < SSAPP_FREEZE_EXAMPLES; i++)
    if (self->examples[i].motion != NULL &&
        !write_example (&self->examples[i], ssapp_plot_find ("clocks"), self->examples[i].stem, folder, error))
      return FALSE;
  if ((self->plan->parts & SSAPP_FREEZE_PART_EXAMPLES) && !ssapp_freeze_write_friction (folder, error))
    return FALSE;
  if (self->plan->robot != NULL && !ssapp_freeze_write_robot (self->plan->robot, folder, error))
    return FALSE;
  if (self->examples[0].motion != NULL &&
      !write_example (&self->examples[0], ssapp_plot_find ("phase"), "fig1-2-phase", folder, error))
    return FALSE;
  if (!ssapp_write_file (about, readme, -1, error) || !(self->plan->parts & SSAPP_FREEZE_PART_WORK))
    return error == NULL || *error == NULL;
  return ssapp_write_file (table, csv, -1, error) &&
         ssapp_export_painted (paint, self, "Work against precision", WIDE_MM,
                               SSAPP_FREEZE_SCENES * ROW_SHARE * width_pt + LEGEND_PT, DPI, plot, error);
}
