/* app/export/ssapp-export-worlds-map.c: the map of where a plan fails: its worlds by two of their numbers, those that
 * it holds in and those where it misses, a panel for each controller with its share and the interval of that. */
#include "app/export/ssapp-export-private.h"
#include "app/export/ssapp-worlds-axes.h"

#include "plan/ss-plan-worlds.h"
#include "plan/ss-worlds-table.h"

#include <math.h>
#include <string.h>

/* Panels in a row: narrow, wide. Height of a panel by its width. */
static const int COLUMNS[2] = {2, 3};
static const double PANEL_SHARE[2] = {1., 0.85};
/* Size of a panel in which there is something to be seen, in font sizes. */
static const double SMALLEST = 12;
/* About the points, as a part of their range. */
static const double ROOM = 0.05;
static const char MISS[] = "miss", ANGLE[] = "angle";

typedef enum { HELD, MISSED, FAILED, PARTS } Part;
/* Marks differ by shape, colour and whether they are filled. */
static const struct {
  const char *words;
  int look; /* SsappSeries.look */
} parts[PARTS] = {{"held", 1}, {"missed", 14}, {"failed", 8}};

/* The replays of one kind of a run. */
typedef struct {
  const char *by; /* "as it is", "LQR" */
  char *title;    /* owned, as all below */
  GArray *x, *y;  /* of double; by parts, one behind the other */
  int n[PARTS];
} Panel;

struct SsappWorldsMap {
  GPtrArray *panels; /* of Panel */
  double own[2];     /* of the world that the plan is for; NaN: not known */
  gboolean is_log;   /* along y */
};

/* ---- axes -------------------------------------------------------------------------------------------------------- */

GPtrArray *
ssapp_worlds_axes (const SsTrajectory *worlds)
{
  g_return_val_if_fail (worlds != NULL, NULL);
  GPtrArray *names = g_ptr_array_new ();

  for (int c = 1; c <= ss_worlds_table_n_numbers (worlds); c++)
    g_ptr_array_add (names, (gpointer)worlds->channels[c].name);
  g_ptr_array_add (names, (gpointer)MISS);
  g_ptr_array_add (names, (gpointer)ANGLE);
  return names;
}

void
ssapp_worlds_first_axes (const SsTrajectory *worlds, const char *axes[2])
{
  g_return_if_fail (worlds != NULL);
  int numbers[2];
  SsError err;

  axes[0] = MISS;
  axes[1] = ANGLE;
  if (ss_worlds_table_axes (worlds, numbers, &err) != SS_OK || numbers[0] < 0)
    return;
  axes[0] = worlds->channels[numbers[0]].name;
  axes[1] = numbers[1] >= 0 ? worlds->channels[numbers[1]].name : MISS;
}

/* The column of a kind of replay that an axis shows. */
static int
column_of (const SsTrajectory *worlds, const SsWorldsKind *kind, const char *axis)
{
  return strcmp (axis, MISS) == 0    ? kind->miss
         : strcmp (axis, ANGLE) == 0 ? kind->angle
                                     : ss_trajectory_channel (worlds, axis);
}

static char *
label_of (const char *axis)
{
  return strcmp (axis, MISS) == 0    ? g_strdup ("Miss [m]")
         : strcmp (axis, ANGLE) == 0 ? g_strdup ("Angle from the goal [rad]")
                                     : g_strconcat (axis, g_str_has_suffix (axis, ".mass") ? " [kg]" : NULL, NULL);
}

/* A number in the world that the plan is for; of the miss and the angle what still counts as held. */
static double
own_of (const SsScenario *scenario, const char *axis)
{
  SsWorldDraw *draw = NULL;
  double own = NAN, range[2];
  SsError err;

  if (strcmp (axis, MISS) == 0)
    return SS_PLAN_GOAL_NEAR;
  if (strcmp (axis, ANGLE) == 0)
    return SS_PLAN_GOAL_ANGLE;
  if (scenario == NULL || !ss_plan_worlds_can (scenario) || ss_world_draw_new (scenario, 0, &draw, &err) != SS_OK)
    return NAN;
  for (int i = 0; i < ss_world_draw_n_numbers (draw); i++)
    if (strcmp (ss_world_draw_name (draw, i), axis) == 0)
      ss_world_draw_range (draw, i, &own, &range[0], &range[1]);
  ss_world_draw_free (draw);
  return own;
}

/* ---- a run ------------------------------------------------------------------------------------------------------- */

static void
panel_free (gpointer data)
{
  Panel *panel = data;

  g_free (panel->title);
  g_array_unref (panel->x);
  g_array_unref (panel->y);
  g_free (panel);
}

void
ssapp_worlds_map_free (SsappWorldsMap *map)
{
  if (map != NULL)
    g_ptr_array_unref (map->panels);
  g_free (map);
}

static Part
part_of (const double *row, const SsWorldsKind *kind)
{
  return row[kind->held] > 0 ? HELD : isfinite (row[kind->miss]) ? MISSED : FAILED;
}

static const char *
words_of (const SsWorldsKind *kind)
{
  return kind->by == SS_CONTROLLER_NONE ? "As it is" : ss_controllers[kind->by].label;
}

static char *
title_of (const SsWorldsKind *kind)
{
  double low, high;

  ss_plan_worlds_interval (kind->n_held, kind->n, &low, &high);
  return g_strdup_printf ("%s: %d of %d (%.0f to %.0f %%)", words_of (kind), kind->n_held, kind->n, 100 * low,
                          100 * high);
}

static Panel *
make_panel (const SsappFigureRun *run, const SsWorldsKind *kind, const char *const axes[2])
{
  const SsTrajectory *worlds = run->worlds;
  const int x = column_of (worlds, kind, axes[0]), y = column_of (worlds, kind, axes[1]);
  Panel *panel = g_new0 (Panel, 1);

  panel->by = words_of (kind);
  panel->title = title_of (kind);
  panel->x = g_array_new (FALSE, FALSE, sizeof (double));
  panel->y = g_array_new (FALSE, FALSE, sizeof (double));
  for (int part = 0; part < PARTS; part++)
    for (int w = 0; w < worlds->n_rows; w++) {
      const double *row = ss_trajectory_row (worlds, w);

      if (part_of (row, kind) != (Part)part)
        continue;
      g_array_append_val (panel->x, row[x]);
      g_array_append_val (panel->y, row[y]);
      panel->n[part]++;
    }
  return panel;
}

/* What both axes show: what those of the run before do, what was chosen, else the first that the other one does not
 * show; FALSE, and a problem, where a run has no such number. */
static gboolean
choose_axes (SsappFigure *figure, const SsappFigureRun *run, const SsappFigureOptions *options, const char *axes[2])
{
  const char *first[2], *const chosen[2] = {options != NULL ? options->x_channel : NULL,
                                            options != NULL ? options->y_channel : NULL};
  g_autoptr (GPtrArray) names = ssapp_worlds_axes (run->worlds);

  ssapp_worlds_first_axes (run->worlds, first);
  for (int a = 0; a < 2; a++) {
    const char *other = chosen[1 - a];
    const int place = other == NULL ? a : strcmp (first[0], other) == 0;

    axes[a] = figure->axes[a] != NULL ? figure->axes[a] : chosen[a] != NULL ? chosen[a] : first[place];
    if (g_ptr_array_find_with_equal_func (names, axes[a], g_str_equal, NULL))
      continue;
    figure->problem = ssapp_figure_no_such (run, "number of other worlds", axes[a], (const char *const *)names->pdata,
                                            (int)names->len, NULL);
    return FALSE;
  }
  return TRUE;
}

void
ssapp_worlds_map_prepare (SsappFigure *figure, SsappFigureData *data, const SsappFigureOptions *options)
{
  const SsappFigureRun *run = data->run;
  SsWorldsKind kinds[SS_CONTROLLER_COUNT];
  const char *axes[2];

  if (run->worlds == NULL || run->worlds->n_rows < 1 || figure->problem != NULL ||
      !choose_axes (figure, run, options, axes))
    return;
  data->map = g_new0 (SsappWorldsMap, 1);
  data->map->panels = g_ptr_array_new_with_free_func (panel_free);
  for (int k = 0, n = ss_worlds_table_kinds (run->worlds, kinds); k < n; k++)
    g_ptr_array_add (data->map->panels, make_panel (run, &kinds[k], axes));
  for (int a = 0; a < 2; a++)
    data->map->own[a] = own_of (data->scenario, axes[a]);
  data->map->is_log = strcmp (axes[1], MISS) == 0 || strcmp (axes[1], ANGLE) == 0;
  if (figure->x_label == NULL) {
    figure->axes[0] = axes[0];
    figure->axes[1] = axes[1];
    figure->x_label = label_of (axes[0]);
    figure->y_label = label_of (axes[1]);
  }
}

/* ---- the figure -------------------------------------------------------------------------------------------------- */

/* All panels, borrowed, each with its run. */
static GPtrArray *
panels_of (const SsappFigure *figure, GPtrArray *runs)
{
  GPtrArray *panels = g_ptr_array_new ();

  for (int i = 0; i < figure->n_runs; i++)
    for (guint k = 0; figure->runs[i].map != NULL && k < figure->runs[i].map->panels->len; k++) {
      g_ptr_array_add (panels, g_ptr_array_index (figure->runs[i].map->panels, k));
      g_ptr_array_add (runs, &figure->runs[i]);
    }
  return panels;
}

gboolean
ssapp_worlds_map_shows (const SsappFigure *figure)
{
  for (int i = 0; i < figure->n_runs; i++)
    if (figure->runs[i].run->worlds != NULL && figure->runs[i].run->worlds->n_rows > 0)
      return TRUE;
  return FALSE;
}

static int
columns_of (double width, guint n_panels)
{
  return MAX (1, MIN ((int)n_panels, COLUMNS[width > SSAPP_TWO_COLUMNS]));
}

double
ssapp_worlds_map_height (const SsappFigure *figure, double width)
{
  g_autoptr (GPtrArray) runs = g_ptr_array_new (), panels = panels_of (figure, runs);
  const int columns = columns_of (width, panels->len), rows = ((int)panels->len + columns - 1) / columns;

  return ceil (MAX (rows, 1) * PANEL_SHARE[width > SSAPP_TWO_COLUMNS] * width / MAX (columns, 2));
}

/* Finite values of all panels, with room about them for marks. */
static void
find_range (const GPtrArray *panels, gboolean of_y, gboolean is_log, double range[2])
{
  range[0] = INFINITY;
  range[1] = -INFINITY;
  for (guint p = 0; p < panels->len; p++) {
    const Panel *panel = g_ptr_array_index (panels, p);
    const GArray *values = of_y ? panel->y : panel->x;

    for (guint i = 0; i < values->len; i++) {
      const double value = g_array_index (values, double, i);
      if (isfinite (value) && (!is_log || value > 0)) {
        range[0] = MIN (range[0], value);
        range[1] = MAX (range[1], value);
      }
    }
  }
  if (!(range[0] <= range[1]))
    range[0] = is_log ? 0.1 : 0, range[1] = 1;
  const double room = ROOM * (is_log ? log (range[1] / range[0]) : range[1] - range[0]);
  range[0] = is_log ? range[0] / exp (room) : range[0] - room;
  range[1] = is_log ? range[1] * exp (room) : range[1] + room;
}

static void
draw_panel (cairo_t *cr, const SsappStyle *style, const SsappFigure *figure, const SsappFigureData *data,
            const Panel *panel, gboolean is_named, double ranges[2][2], const double place[4])
{
  g_autofree char *title = g_strdup_printf ("%s%s%s", is_named ? ssapp_figure_run_label (data->run) : "",
                                            is_named ? ", " : "", panel->title);
  SsappPlotSpec spec = {SSAPP_PLOT_FREE,
                        .title = title,
                        .x_label = figure->x_label,
                        .y_label = figure->y_label,
                        .y_log = data->map->is_log,
                        .legend = TRUE};
  SsappSeries series[PARTS];
  char labels[PARTS][40];
  int n = 0, at = 0;

  for (int part = 0; part < PARTS; at += panel->n[part++]) {
    g_snprintf (labels[part], sizeof labels[part], "%s (%d)", parts[part].words, panel->n[part]);
    if (panel->n[part] > 0)
      series[n++] = (SsappSeries){.label = labels[part],
                                  .n = panel->n[part],
                                  .x = &g_array_index (panel->x, double, at),
                                  .y = &g_array_index (panel->y, double, at),
                                  .is_marked = TRUE,
                                  .has_no_line = TRUE,
                                  .look = parts[part].look};
  }
  spec.x_min = ranges[0][0];
  spec.x_max = ranges[0][1];
  spec.y_min = ranges[1][0];
  spec.y_max = ranges[1][1];
  spec.instants = &data->map->own[0];
  spec.n_instants = isfinite (data->map->own[0]);
  spec.reference = data->map->own[1];
  ssapp_plot_draw (cr, style, &spec, series, n, place[0], place[1], place[2], place[3]);
}

/* So many that panels are as large as they can be, and how large that is: a width. */
static int
best_columns (double width, double height, int n_panels, double *largest)
{
  int best = 1;

  *largest = 0;

  for (int columns = 1; columns <= n_panels; columns++) {
    const double size = MIN (PANEL_SHARE[1] * width / columns, height / ((n_panels + columns - 1) / columns));
    if (size > *largest) {
      *largest = size;
      best = columns;
    }
  }
  return best;
}

void
ssapp_worlds_map_paint (cairo_t *cr, const SsappStyle *style, const SsappFigure *figure, double width, double height)
{
  g_autoptr (GPtrArray) runs = g_ptr_array_new (), panels = panels_of (figure, runs);
  const double gap = SSAPP_GAP * style->font_size;
  double ranges[2][2], largest;
  int columns = best_columns (width, height, (int)panels->len, &largest);

  while (panels->len > 1 && largest < SMALLEST * style->font_size) { /* the newest stay */
    g_ptr_array_remove_index (panels, 0);
    g_ptr_array_remove_index (runs, 0);
    columns = best_columns (width, height, (int)panels->len, &largest);
  }
  const int rows = ((int)panels->len + columns - 1) / columns;

  for (int a = 0; a < 2 && panels->len > 0; a++)
    find_range (panels, a == 1, a == 1 && ((const SsappFigureData *)g_ptr_array_index (runs, 0))->map->is_log,
                ranges[a]);
  for (int p = 0; p < (int)panels->len; p++) {
    const double w = (width - gap * (columns - 1)) / columns, h = (height - gap * (rows - 1)) / rows,
                 place[4] = {p % columns * (w + gap), p / columns * (h + gap), w, h};
    const gboolean is_named = g_ptr_array_index (runs, 0) != g_ptr_array_index (runs, panels->len - 1);
    draw_panel (cr, style, figure, g_ptr_array_index (runs, p), g_ptr_array_index (panels, p), is_named, ranges, place);
  }
}

void
ssapp_worlds_map_curves (const SsappFigure *figure, SsappFigureCurveFunc func, gpointer user_data)
{
  g_autoptr (GPtrArray) runs = g_ptr_array_new (), panels = panels_of (figure, runs);

  for (guint p = 0; p < panels->len; p++) {
    const Panel *panel = g_ptr_array_index (panels, p);
    const SsappFigureData *data = g_ptr_array_index (runs, p);
    int at = 0;

    for (int part = 0; part < PARTS; at += panel->n[part++]) {
      g_autofree char *name = g_strdup_printf ("%s, %s", figure->y_label, panel->by);

      if (panel->n[part] > 0)
        func (&(SsappFigureCurve){.run = data->run,
                                  .quantity = name,
                                  .x_name = figure->x_label,
                                  .n = panel->n[part],
                                  .x = &g_array_index (panel->x, double, at),
                                  .y = &g_array_index (panel->y, double, at),
                                  .stride = 1,
                                  .is_dots = TRUE,
                                  .part = parts[part].words,
                                  .look = parts[part].look},
              user_data);
    }
  }
}
