/* app/export/ssapp-export-worlds.c: the picture of a plan in worlds that it was not made for: where its bodies end from
 * their goals, those that hold and those that do not, without and with LQR, within the circle that counts as held
 * (plan/ss-plan-worlds.h). */
#include "app/export/ssapp-export-private.h"

#include "plan/ss-plan-worlds.h"

#include <math.h>
#include <string.h>

/* Ends farther than this many radii of what counts as held stand at the picture's edge. */
#define FARTHEST 6.
static const char X_LABEL[] = "x from the goal [m]", Y_LABEL[] = "y from the goal [m]";
/* Sides of the circle. */
enum { SIDES = 48 };

typedef struct {
  char *label;   /* owned */
  GArray *x, *y; /* of double: from the goal [m] */
  int look;      /* SsappSeries.look */
} SsappWorldEnds;

static void
ends_free (gpointer data)
{
  SsappWorldEnds *ends = data;

  g_array_unref (ends->x);
  g_array_unref (ends->y);
  g_free (ends->label);
  g_free (ends);
}

static SsappWorldEnds *
add_ends (SsappFigureData *data, const char *label, int look)
{
  SsappWorldEnds *ends = g_new0 (SsappWorldEnds, 1);

  ends->label = g_strdup (label);
  ends->look = look;
  ends->x = g_array_new (FALSE, FALSE, sizeof (double));
  ends->y = g_array_new (FALSE, FALSE, sizeof (double));
  g_ptr_array_add (data->ends, ends);
  return ends;
}

/* Columns of a body's end by one kind of replay; FALSE: it has none. */
static gboolean
find_columns (const SsTrajectory *worlds, const char *kind, const char *body, int columns[2])
{
  for (int c = 0; c < 2; c++) {
    g_autofree char *name = g_strdup_printf ("%s.%s.%s", kind, body, ss_body_channels[c]);
    columns[c] = ss_trajectory_channel (worlds, name);
  }
  return columns[0] >= 0 && columns[1] >= 0;
}

static void
add_kind (SsappFigureData *data, const SsPlanGoal *goals, int n_goals, const char *kind, const char *held,
          const char *missed, int look)
{
  const SsTrajectory *worlds = data->run->worlds;
  g_autofree char *name = g_strdup_printf ("%s.held", kind);
  const int is_held = ss_trajectory_channel (worlds, name);

  if (is_held < 0)
    return;
  SsappWorldEnds *all[] = {add_ends (data, missed, look), add_ends (data, held, look + 1)};
  for (int g = 0; g < n_goals; g++) {
    int columns[2];

    if (!find_columns (worlds, kind, data->scenario->scene->bodies[goals[g].body].name, columns))
      continue;
    for (int w = 0; w < worlds->n_rows; w++) {
      const double *row = ss_trajectory_row (worlds, w);
      double off[2];

      for (int c = 0; c < 2; c++)
        off[c] = isnan (goals[g].value[c]) ? 0 : row[columns[c]] - goals[g].value[c];
      if (!isfinite (off[0] + off[1]))
        continue;
      g_array_append_val (all[row[is_held] > 0]->x, off[0]);
      g_array_append_val (all[row[is_held] > 0]->y, off[1]);
    }
  }
}

void
ssapp_worlds_prepare (SsappFigure *figure, SsappFigureData *data, const SsappFigureOptions *options)
{
  (void)options;
  const SsScenario *scenario = data->scenario;

  if (data->run->worlds == NULL || scenario == NULL || !ss_plan_worlds_can (scenario))
    return;
  g_autofree SsPlanGoal *goals = g_new (SsPlanGoal, scenario->task.plan->n_targets + scenario->scene->n_bodies + 1);
  const int n = ss_plan_goals (scenario, data->run->trajectory, goals);

  if (figure->x_label == NULL) {
    figure->x_label = g_strdup (X_LABEL);
    figure->y_label = g_strdup (Y_LABEL);
  }
  data->ends = g_ptr_array_new_with_free_func (ends_free);
  add_kind (data, goals, n, "open", "as it is, held", "as it is, missed", 1);
  for (int kind = SS_CONTROLLER_NONE + 1; kind < SS_CONTROLLER_COUNT; kind++) {
    const SsControllerAbout *by = &ss_controllers[kind];
    g_autofree char *held = g_strdup_printf ("%s, held", by->label),
                    *missed = g_strdup_printf ("%s, missed", by->label);

    add_kind (data, goals, n, by->name, held, missed, 3);
  }
}

gboolean
ssapp_worlds_show (const SsappFigure *figure)
{
  for (int i = 0; i < figure->n_runs; i++)
    if (figure->runs[i].ends != NULL && figure->runs[i].ends->len > 0)
      return TRUE;
  return FALSE;
}

/* Half the width of the picture [m]: what holds is always seen whole, what is far stands at the edge. */
static double
range_of (const SsappFigure *figure)
{
  double range = 1.5 * SS_PLAN_GOAL_NEAR;

  for (int i = 0; i < figure->n_runs; i++)
    for (guint k = 0; figure->runs[i].ends != NULL && k < figure->runs[i].ends->len; k++) {
      const SsappWorldEnds *ends = g_ptr_array_index (figure->runs[i].ends, k);
      for (guint p = 0; p < ends->x->len; p++)
        range = MAX (range,
                     1.1 * MAX (fabs (g_array_index (ends->x, double, p)), fabs (g_array_index (ends->y, double, p))));
    }
  return MIN (range, FARTHEST * SS_PLAN_GOAL_NEAR);
}

static void
add_circle (GArray *lines)
{
  for (int i = 0; i < SIDES; i++) {
    const double a = 2 * G_PI * i / SIDES, b = 2 * G_PI * (i + 1) / SIDES;
    const SsappPlotLine line = {SS_PLAN_GOAL_NEAR * cos (a), SS_PLAN_GOAL_NEAR * sin (a), SS_PLAN_GOAL_NEAR * cos (b),
                                SS_PLAN_GOAL_NEAR * sin (b)};
    g_array_append_val (lines, line);
  }
}

/* Points beyond the range at its edge. */
static double *
clamp (const GArray *values, double range)
{
  double *out = g_new (double, MAX (values->len, 1));

  for (guint i = 0; i < values->len; i++)
    out[i] = CLAMP (g_array_index (values, double, i), -range, range);
  return out;
}

void
ssapp_worlds_paint (cairo_t *cr, const SsappStyle *style, const SsappFigure *figure, double width, double height)
{
  /* lengths are the same along both axes, nearly: the circle is one; a wide picture has room beside it */
  const double range = range_of (figure), wide = range * MAX (width / height, 1);
  g_autoptr (GArray) lines = g_array_new (FALSE, FALSE, sizeof (SsappPlotLine)),
                     series = g_array_new (FALSE, FALSE, sizeof (SsappSeries));
  g_autoptr (GPtrArray) owned = g_ptr_array_new_with_free_func (g_free);
  int n_with = 0; /* runs that were tried there */

  add_circle (lines);
  for (int i = 0; i < figure->n_runs; i++)
    n_with += figure->runs[i].ends != NULL && figure->runs[i].ends->len > 0;
  for (int i = 0; i < figure->n_runs; i++)
    for (guint k = 0; figure->runs[i].ends != NULL && k < figure->runs[i].ends->len; k++) {
      const SsappWorldEnds *ends = g_ptr_array_index (figure->runs[i].ends, k);
      double *x = clamp (ends->x, wide), *y = clamp (ends->y, range);
      char *label = n_with > 1 ? g_strdup_printf ("%s: %s (%u)", ssapp_figure_run_label (figure->runs[i].run),
                                                  ends->label, ends->x->len)
                               : g_strdup_printf ("%s (%u)", ends->label, ends->x->len);
      const SsappSeries one = {.label = label,
                               .n = (int)ends->x->len,
                               .x = x,
                               .y = y,
                               .is_marked = TRUE,
                               .has_no_line = TRUE,
                               .look = ends->look + 4 * i};

      g_ptr_array_add (owned, x);
      g_ptr_array_add (owned, y);
      g_ptr_array_add (owned, label);
      if (one.n > 0)
        g_array_append_val (series, one);
    }
  SsappPlotSpec spec = {SSAPP_PLOT_FREE};
  spec.x_min = -wide;
  spec.x_max = wide;
  spec.y_min = -range;
  spec.y_max = range;
  spec.x_label = figure->x_label;
  spec.y_label = figure->y_label;
  spec.lines = (const SsappPlotLine *)(void *)lines->data;
  spec.n_lines = (int)lines->len;
  spec.legend = TRUE;
  ssapp_plot_draw (cr, style, &spec, (const SsappSeries *)(void *)series->data, (int)series->len, 0, 0, width, height);
}

void
ssapp_worlds_curves (const SsappFigure *figure, SsappFigureCurveFunc func, gpointer data)
{
  for (int i = 0; i < figure->n_runs; i++)
    for (guint k = 0; figure->runs[i].ends != NULL && k < figure->runs[i].ends->len; k++) {
      const SsappWorldEnds *ends = g_ptr_array_index (figure->runs[i].ends, k);
      func (&(SsappFigureCurve){.run = figure->runs[i].run,
                                .quantity = ends->label,
                                .x_name = "x",
                                .n = (int)ends->x->len,
                                .x = (const double *)(void *)ends->x->data,
                                .y = (const double *)(void *)ends->y->data,
                                .stride = 1,
                                .is_dots = TRUE},
            data);
    }
}
