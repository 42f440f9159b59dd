/* app/export/ssapp-export-states.c: everything a motion's rows have as plots below each other on one time axis, a plot
 * a quantity: [000 Fig 5 Fig 8 Fig 10]. Curves go as the motion is played, jumps are vertical,
 * controls that are held are stairs, impulses are strokes at their instants, which a dotted line marks in all plots. */
#include "app/export/ssapp-export-private.h"

#include <math.h>
#include <string.h>

enum { MOST_CURVES = 8, LEAST_POINTS = 400 };
/* Numbers below are rounding errors of ordinary ones. */
#define NOISE 1e-12

/* A plot: quantities that share an axis. */
static const struct {
  const char *title;
  SsQuantity quantities[2];
} kinds[] = {{"Position [m]", {SS_QUANTITY_POSITION_X, SS_QUANTITY_POSITION_Y}},
             {"Angle [rad]", {SS_QUANTITY_ANGLE, SS_QUANTITY_ANGLE}},
             {"Velocity [m/s]", {SS_QUANTITY_VELOCITY_X, SS_QUANTITY_VELOCITY_Y}},
             {"Angular velocity [rad/s]", {SS_QUANTITY_ANGULAR_VELOCITY, SS_QUANTITY_ANGULAR_VELOCITY}},
             {"Control", {SS_QUANTITY_CONTROL, SS_QUANTITY_CONTROL}},
             {"Normal force [N]", {SS_QUANTITY_NORMAL_FORCE, SS_QUANTITY_NORMAL_FORCE}},
             {"Friction force [N]", {SS_QUANTITY_TANGENTIAL_FORCE, SS_QUANTITY_TANGENTIAL_FORCE}},
             {"Impulse [N s]", {SS_QUANTITY_NORMAL_IMPULSE, SS_QUANTITY_TANGENTIAL_IMPULSE}}};

typedef struct {
  char *channel; /* its name */
  int n;
  double *t, *value;
} StateCurve;

typedef struct {
  char *title;
  GPtrArray *curves; /* of StateCurve */
} StatePanel;

struct SsappStates {
  GPtrArray *panels; /* of StatePanel */
  GArray *instants;  /* of double: impacts [s] */
  double t_begin, t_end;
};

static void
curve_free (StateCurve *curve)
{
  g_free (curve->channel);
  g_free (curve->t);
  g_free (curve->value);
  g_free (curve);
}

static void
panel_free (StatePanel *panel)
{
  g_free (panel->title);
  g_ptr_array_unref (panel->curves);
  g_free (panel);
}

/* ---- data -------------------------------------------------------------------------------------------------------- */

/* Whether a row is the state after a jump. */
static gboolean
is_after_jump (const SsTrajectory *rows, int row)
{
  return row > 0 && ss_trajectory_row (rows, row)[0] == ss_trajectory_row (rows, row - 1)[0];
}

/* Whether it changes, or is a force, which tells something by being there. */
static gboolean
is_worth_showing (const SsTrajectory *rows, int channel)
{
  const SsQuantity quantity = rows->channels[channel].quantity;
  const gboolean is_force = quantity == SS_QUANTITY_NORMAL_FORCE || quantity == SS_QUANTITY_TANGENTIAL_FORCE;
  double least = is_force ? 0 : INFINITY, largest = is_force ? 0 : -INFINITY;

  for (int row = 0; row < rows->n_rows; row++) {
    least = MIN (least, ss_trajectory_row (rows, row)[channel]);
    largest = MAX (largest, ss_trajectory_row (rows, row)[channel]);
  }
  return largest - least > NOISE;
}

static StateCurve *
curve_new (const SsTrajectory *rows, int channel, int most)
{
  StateCurve *curve = g_new0 (StateCurve, 1);

  curve->channel = g_strdup (rows->channels[channel].name);
  curve->t = g_new (double, most + 1);
  curve->value = g_new (double, most + 1);
  return curve;
}

static void
add_point (StateCurve *curve, double t, double value)
{
  curve->t[curve->n] = t;
  curve->value[curve->n++] = fabs (value) < NOISE ? 0 : value;
}

static StateCurve *
joined (const SsTrajectory *rows, int channel)
{
  StateCurve *curve = curve_new (rows, channel, rows->n_rows);

  for (int row = 0; row < rows->n_rows; row++)
    add_point (curve, ss_trajectory_row (rows, row)[0], ss_trajectory_row (rows, row)[channel]);
  return curve;
}

/* What a row has holds up to the next one. */
static StateCurve *
held (const SsTrajectory *rows, int channel)
{
  StateCurve *curve = curve_new (rows, channel, 2 * rows->n_rows);

  for (int row = 0; row < rows->n_rows; row++) {
    const double t = ss_trajectory_row (rows, row)[0];
    if (row > 0)
      add_point (curve, t, ss_trajectory_row (rows, row - 1)[channel]);
    add_point (curve, t, ss_trajectory_row (rows, row)[channel]);
  }
  return curve;
}

/* A stroke from zero at every jump. NULL: there is none. */
static StateCurve *
strokes (const SsTrajectory *rows, int channel)
{
  StateCurve *curve = curve_new (rows, channel, 3 * rows->n_rows);

  for (int row = 1; row < rows->n_rows; row++) {
    const double *values = ss_trajectory_row (rows, row);
    if (!is_after_jump (rows, row) || fabs (values[channel]) <= NOISE)
      continue;
    add_point (curve, values[0], 0);
    add_point (curve, values[0], values[channel]);
    add_point (curve, values[0], NAN);
  }
  if (curve->n == 0)
    g_clear_pointer (&curve, curve_free);
  return curve;
}

static StateCurve *
curve_of (const SsappFigureRun *run, const SsTrajectory *refined, int channel)
{
  const SsQuantity quantity = run->trajectory->channels[channel].quantity;

  if (quantity == SS_QUANTITY_NORMAL_IMPULSE || quantity == SS_QUANTITY_TANGENTIAL_IMPULSE)
    return strokes (run->trajectory, channel);
  if (!is_worth_showing (run->trajectory, channel))
    return NULL;
  if (quantity == SS_QUANTITY_CONTROL && run->holds_controls)
    return held (run->trajectory, channel);
  return joined (refined != NULL ? refined : run->trajectory, channel);
}

static StatePanel *
panel_new (const SsappFigureRun *run, const SsTrajectory *refined, gsize kind)
{
  StatePanel *panel = g_new0 (StatePanel, 1);
  int n_left_out = 0;

  panel->curves = g_ptr_array_new_with_free_func ((GDestroyNotify)curve_free);
  for (int c = 1; c < run->trajectory->n_channels; c++) {
    const SsQuantity quantity = run->trajectory->channels[c].quantity;
    StateCurve *curve;

    if (quantity != kinds[kind].quantities[0] && quantity != kinds[kind].quantities[1])
      continue;
    curve = curve_of (run, refined, c);
    if (curve != NULL && panel->curves->len == MOST_CURVES) {
      curve_free (curve);
      n_left_out++;
    } else if (curve != NULL) {
      g_ptr_array_add (panel->curves, curve);
    }
  }
  panel->title = n_left_out > 0 ? g_strdup_printf ("%s (and %d more)", kinds[kind].title, n_left_out)
                                : g_strdup (kinds[kind].title);
  return panel;
}

/* Jumps in which a contact has an impulse. */
static void
find_instants (SsappStates *states, const SsTrajectory *rows)
{
  for (int row = 1; row < rows->n_rows; row++) {
    gboolean is_impact = FALSE;
    for (int c = 1; c < rows->n_channels && is_after_jump (rows, row); c++)
      is_impact = is_impact || (rows->channels[c].quantity == SS_QUANTITY_NORMAL_IMPULSE &&
                                ss_trajectory_row (rows, row)[c] > NOISE);
    if (is_impact)
      g_array_append_val (states->instants, ss_trajectory_row (rows, row)[0]);
  }
}

SsappStates *
ssapp_states_new (const SsappFigureRun *run)
{
  g_return_val_if_fail (run != NULL, NULL);
  const SsTrajectory *rows = run->trajectory;
  SsTrajectory *refined;
  SsappStates *states;

  if (rows == NULL || rows->n_rows < 1)
    return NULL;
  states = g_new0 (SsappStates, 1);
  refined = ssapp_refine_motion (rows, LEAST_POINTS);
  states->panels = g_ptr_array_new_with_free_func ((GDestroyNotify)panel_free);
  states->instants = g_array_new (FALSE, FALSE, sizeof (double));
  states->t_begin = ss_trajectory_row (rows, 0)[0];
  states->t_end = ss_trajectory_row (rows, rows->n_rows - 1)[0];
  for (gsize kind = 0; kind < G_N_ELEMENTS (kinds); kind++) {
    StatePanel *panel = panel_new (run, refined != NULL ? refined : rows, kind);
    if (panel->curves->len > 0)
      g_ptr_array_add (states->panels, panel);
    else
      panel_free (panel);
  }
  find_instants (states, rows);
  ss_trajectory_free (refined);
  return states;
}

void
ssapp_states_free (SsappStates *states)
{
  if (states == NULL)
    return;
  g_ptr_array_unref (states->panels);
  g_array_unref (states->instants);
  g_free (states);
}

void
ssapp_states_for_each (const SsappStates *states, const SsappFigureRun *run, const char *x_name,
                       SsappFigureCurveFunc func, gpointer data)
{
  g_return_if_fail (states != NULL);
  for (guint p = 0; p < states->panels->len; p++) {
    const StatePanel *panel = g_ptr_array_index (states->panels, p);
    for (guint c = 0; c < panel->curves->len; c++) {
      const StateCurve *curve = g_ptr_array_index (panel->curves, c);
      func (&(SsappFigureCurve){run, curve->channel, x_name, curve->n, curve->t, curve->value, 1}, data);
    }
  }
}

static const StatePanel *
find_panel (const SsappStates *states, const char *title)
{
  for (guint p = 0; p < states->panels->len; p++) {
    const StatePanel *panel = g_ptr_array_index (states->panels, p);
    if (strcmp (panel->title, title) == 0)
      return panel;
  }
  return NULL;
}

gboolean
ssapp_states_has_panel (const SsappStates *states, const char *title)
{
  return find_panel (states, title) != NULL;
}

/* ---- picture ----------------------------------------------------------------------------------------------------- */

/* The panel's plot: of what it is and its curves, into `series`, which has room for them. */
static SsappPlotSpec
plot_of (const SsappStates *states, const StatePanel *panel, SsappSeries *series)
{
  for (guint c = 0; c < panel->curves->len; c++) {
    const StateCurve *curve = g_ptr_array_index (panel->curves, c);
    series[c] = (SsappSeries){.label = curve->channel, .n = curve->n, .x = curve->t, .y = curve->value};
  }
  return (SsappPlotSpec){.y_label = panel->title,
                         .x_min = states->t_begin,
                         .x_max = states->t_end,
                         .y_min = NAN,
                         .y_max = NAN,
                         .tolerance = NAN,
                         .cursor = NAN,
                         .reference = NAN,
                         .legend = TRUE,
                         .instants = (const double *)(void *)states->instants->data,
                         .n_instants = (int)states->instants->len};
}

/* Room left of the axes that is enough for every panel's labels. */
static double
common_left (const SsappStyle *style, const SsappStates *states, SsappSeries *series, double width)
{
  double least = 0;

  for (guint p = 0; p < states->panels->len; p++) {
    const StatePanel *panel = g_ptr_array_index (states->panels, p);
    const SsappPlotSpec spec = plot_of (states, panel, series);
    SsappAxis axis;
    double left, right;

    ssapp_plot_layout_x (style, &spec, series, (int)panel->curves->len, 0, width, &axis, &left, &right);
    least = MAX (least, left);
  }
  return least;
}

gboolean
ssapp_states_show (const SsappFigure *figure)
{
  for (int i = 0; i < figure->n_runs; i++)
    if (figure->runs[i].states != NULL && figure->runs[i].states->panels->len > 0)
      return TRUE;
  return FALSE;
}

void
ssapp_states_paint (cairo_t *cr, const SsappStyle *style, const SsappFigure *figure, double width, double height)
{
  const SsappStates *states = figure->n_runs > 0 ? figure->runs[0].states : NULL;
  const double axis = 3. * style->font_size; /* room of the common axis below the last plot */
  const guint n = states != NULL ? states->panels->len : 0;
  const double each = (height - axis) / MAX (n, 1);
  SsappSeries series[MOST_CURVES];
  const double left = n > 0 ? common_left (style, states, series, width) : 0;

  for (guint p = 0; p < n; p++) {
    const StatePanel *panel = g_ptr_array_index (states->panels, p);
    const gboolean is_last = p == n - 1;
    SsappPlotSpec spec = plot_of (states, panel, series);

    spec.x_label = figure->axis;
    ssapp_figure_shade (figure, &spec);
    spec.hide_x_labels = !is_last;
    spec.left_least = left;
    ssapp_plot_draw (cr, style, &spec, series, (int)panel->curves->len, 0, p * each, width,
                     is_last ? each + axis : each);
  }
}

void
ssapp_states_draw_panel (cairo_t *cr, const SsappStyle *style, const SsappStates *states, const char *title,
                         const SsappPlotSpec *about, double x, double y, double width, double height)
{
  const StatePanel *panel = find_panel (states, title);
  SsappSeries series[MOST_CURVES];
  SsappPlotSpec spec;

  if (panel == NULL)
    return;
  spec = plot_of (states, panel, series);
  spec.letter = about->letter;
  spec.x_label = about->x_label;
  spec.spans = about->spans;
  spec.n_spans = about->n_spans;
  spec.span_label = about->span_label;
  ssapp_plot_draw (cr, style, &spec, series, (int)panel->curves->len, x, y, width, height);
}

void
ssapp_states_prepare (SsappFigure *figure, SsappFigureData *data, const SsappFigureOptions *options)
{
  (void)figure;
  (void)options;
  data->states = ssapp_states_new (data->run);
}

double
ssapp_states_height (const SsappFigure *figure, double width)
{
  const int wide = width > SSAPP_TWO_COLUMNS;
  const guint n = figure->n_runs > 0 && figure->runs[0].states != NULL ? figure->runs[0].states->panels->len : 0;

  return ceil (MAX (n, 1) * SSAPP_STRIP_SHARE[wide] * width + 3 * SSAPP_PAPER_FONT);
}

void
ssapp_states_curves (const SsappFigure *figure, SsappFigureCurveFunc func, gpointer data)
{
  for (int r = 0; r < figure->n_runs; r++) {
    const SsappFigureData *d = &figure->runs[r];
    if (d->states != NULL)
      ssapp_states_for_each (d->states, d->run, ssapp_clock_letter (d->run->trajectory), func, data);
  }
}
