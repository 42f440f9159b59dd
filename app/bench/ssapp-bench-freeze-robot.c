/* app/bench/ssapp-bench-freeze-robot.c: the law of friction [001 Fig 4], and a motion of the robot
 * of section 6, frames and torques; see ssapp-bench-freeze.h. */
#include "app/bench/ssapp-bench-common.h"
#include "app/bench/ssapp-bench-freeze-private.h"

#include "app/base/ssapp-file.h"
#include "app/draw/ssapp-plot-parts.h"
#include "app/export/ssapp-export.h"

#include <math.h>

#include "bench-freeze-robot.h"

static const double WIDE_MM = 180, DPI = 300, PLOT_SHARE = 0.36, GAP_PT = 12;

/* A table as CSV and a picture of it, `stem` in the folder. */
static gboolean
write_both (const GString *csv, SsappPaint paint, gconstpointer data, const char *title, const char *folder,
            const char *stem, GError **error)
{
  g_autofree char *table = g_strdup_printf ("%s/%s.csv", folder, stem);
  g_autofree char *picture = g_strdup_printf ("%s/%s.pdf", folder, stem);

  return ssapp_write_file (table, csv->str, (gssize)csv->len, error) &&
         ssapp_export_painted (paint, data, title, WIDE_MM, PLOT_SHARE * WIDE_MM / 25.4 * 72, DPI, picture, error);
}

static void
append_row (GString *csv, const double *values, int n)
{
  for (int i = 0; i < n; i++) {
    if (i > 0)
      g_string_append_c (csv, ',');
    ssapp_csv_append_number (csv, values[i]);
  }
  g_string_append_c (csv, '\n');
}

/* ---- friction ---------------------------------------------------------------------------------------------------- */

/* lambda_t over v_t for mu lambda_n = 1 N; (26) is v_t itself, in N s/m, within eps_t. Both ends of each step. */
enum { FRICTION_POINTS = 6 };
static const double eps_t = 0.2, reach = 1;

typedef struct {
  double v[FRICTION_POINTS], approximate[FRICTION_POINTS];
} Friction;

/* [001 (26) Fig 4]. */
static Friction
friction_of_figure (void)
{
  return (Friction){.v = {-reach, -eps_t, -eps_t, eps_t, eps_t, reach}, .approximate = {1, 1, -eps_t, eps_t, -1, -1}};
}

static void
paint_friction (cairo_t *cr, const SsappStyle *style, gconstpointer data, double width, double height)
{
  const Friction *f = data;
  const double step_v[] = {-reach, 0, 0, reach}, step[] = {1, 1, -1, -1}, half = (width - GAP_PT) / 2;
  const SsappSeries exact = {.label = "(21)", .n = 4, .x = step_v, .y = step},
                    approximate = {.label = "(26)", .n = FRICTION_POINTS, .x = f->v, .y = f->approximate};
  SsappPlotSpec spec = {
      .y_label = "Friction λt, exact (21) [N]", .x_label = "Tangential velocity [m/s]", SSAPP_PLOT_FREE};

  ssapp_plot_draw (cr, style, &spec, &exact, 1, 0, 0, half, height);
  spec.y_label = "Friction λt, by (26) [N]";
  ssapp_plot_draw (cr, style, &spec, &approximate, 1, half + GAP_PT, 0, half, height);
}

gboolean
ssapp_freeze_write_friction (const char *folder, GError **error)
{
  const Friction f = friction_of_figure ();
  g_autoptr (GString) csv = g_string_new ("v_t,exact,approximate\n");

  for (int i = 0; i < FRICTION_POINTS; i++) {
    if (i == FRICTION_POINTS / 2)
      for (int side = 0; side < 2; side++) /* the exact law jumps at 0 */
        append_row (csv, (double[]){0, side == 0 ? 1 : -1, 0}, 3);
    append_row (csv, (double[]){f.v[i], f.v[i] < 0 ? 1 : -1, f.approximate[i]}, 3);
  }
  return write_both (csv, paint_friction, &f, "Friction", folder, "fig4-friction", error);
}

/* ---- the robot --------------------------------------------------------------------------------------------------- */

enum { TORQUES = 2 };
static const char *const torques[TORQUES] = {"u.hip_motor", "u.knee_motor"};
static const char *const torque_labels[TORQUES] = {"hip", "knee"};

/* Torques as stairs: each is held to the next row. */
typedef struct {
  int n;
  double *t, *u[TORQUES]; /* owned, n each */
} Stairs;

static Stairs
stairs_of (const SsTrajectory *motion)
{
  Stairs s = {.n = 2 * motion->n_rows - 1, .t = g_new (double, 2 * motion->n_rows)};

  for (int k = 0; k < TORQUES; k++)
    s.u[k] = g_new (double, 2 * motion->n_rows);
  for (int i = 0; i < s.n; i++) {
    s.t[i] = ss_trajectory_row (motion, (i + 1) / 2)[0];
    for (int k = 0; k < TORQUES; k++)
      s.u[k][i] = ss_trajectory_row (motion, i / 2)[ss_trajectory_channel (motion, torques[k])];
  }
  return s;
}

static void
paint_torques (cairo_t *cr, const SsappStyle *style, gconstpointer data, double width, double height)
{
  const Stairs *s = data;
  const SsappPlotSpec spec = {.y_label = "Torque [N m]", .x_label = "Time [s]", .legend = TRUE, SSAPP_PLOT_FREE};
  SsappSeries series[TORQUES];

  for (int k = 0; k < TORQUES; k++)
    series[k] = (SsappSeries){.label = torque_labels[k], .n = s->n, .x = s->t, .y = s->u[k]};
  ssapp_plot_draw (cr, style, &spec, series, TORQUES, 0, 0, width, height);
}

static gboolean
write_torques (const SsTrajectory *motion, const char *folder, GError **error)
{
  Stairs s = stairs_of (motion);
  g_autoptr (GString) csv = g_string_new ("t,u.hip_motor,u.knee_motor\n");

  for (int r = 0; r < motion->n_rows; r++)
    append_row (csv, (double[]){s.t[2 * r], s.u[0][2 * r], s.u[1][2 * r]}, 3);
  const gboolean ok = write_both (csv, paint_torques, &s, "Torques of the robot", folder, "fig8-torques", error);
  g_free (s.t);
  for (int k = 0; k < TORQUES; k++)
    g_free (s.u[k]);
  return ok;
}

/* The name of a channel that the figures need and the motion has not; NULL: it has all. */
static const char *
find_missing (const SsTrajectory *motion)
{
  static const char *const needed[] = {"hip.x",   "hip.y",   "thigh.x",     "thigh.y",     "thigh.theta",
                                       "shank.x", "shank.y", "shank.theta", "u.hip_motor", "u.knee_motor"};

  for (gsize i = 0; i < G_N_ELEMENTS (needed); i++)
    if (ss_trajectory_channel (motion, needed[i]) < 0)
      return needed[i];
  return NULL;
}

/* [001 Fig 7 Fig 8]. */
gboolean
ssapp_freeze_write_robot (const SsTrajectory *motion, const char *folder, GError **error)
{
  g_return_val_if_fail (motion != NULL, FALSE);
  static const char *const suffixes[] = {"pdf", "csv"};
  const char *missing = motion->n_rows > 1 ? find_missing (motion) : "t";
  g_autofree char *refusal = NULL;
  SsScenario *scenario = ssapp_bench_read (bench_freeze_robot, "robot", NULL, 0, &refusal);
  const SsappFigureRun run = {.label = "robot", .trajectory = motion, .outcome = "solved", .holds_controls = TRUE};
  const SsappFigureOptions options = {.width_mm = WIDE_MM, .dpi = DPI, .time = NAN};
  gboolean ok = scenario != NULL && missing == NULL;

  if (missing != NULL)
    g_set_error (
        error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_FAILED,
        "Figs 7 and 8 need a motion of the robot (examples/time-freezing/robot), and this one has no rows of %s",
        missing);
  else if (scenario == NULL)
    g_set_error (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_FAILED, "%s", refusal);
  for (gsize i = 0; i < G_N_ELEMENTS (suffixes) && ok; i++) {
    g_autofree char *path = g_strdup_printf ("%s/fig7-frames.%s", folder, suffixes[i]);
    ok = ssapp_export_figure (ssapp_plot_find ("motion"), scenario, &run, 1, &options, path, error);
  }
  ss_scenario_free (scenario);
  return ok && write_torques (motion, folder, error);
}
