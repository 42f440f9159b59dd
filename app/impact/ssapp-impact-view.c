/* app/impact/ssapp-impact-view.c: the set's pictures and their words. */
#include "app/impact/ssapp-impact-view.h"

#include "app/draw/ssapp-draw-parts.h"
#include "app/draw/ssapp-plot.h"

#include "impact/ss-impact-cone.h"
#include "impact/ss-impact-rates.h"
#include "scene/ss-view.h"

#include <math.h>
#include <string.h>

static const char *const *
labels_of (SsappImpactSet *set)
{
  return ssapp_impact_source_get_labels (ssapp_impact_set_get_source (set));
}

/* ---- planes ------------------------------------------------------------------------------------------------------ */

/* Choices: m of slide and lift of a contact, then lift and lift, slide and slide of each pair. */
gboolean
ssapp_impact_plane_choice (SsappImpactSet *set, int k, int *x_column, int *y_column, char **name)
{
  g_return_val_if_fail (set != NULL && k >= 0 && x_column != NULL && y_column != NULL, FALSE);

  SsappImpactSource *source = ssapp_impact_set_get_source (set);
  const SsImpact *impact = source != NULL ? ssapp_impact_source_get_impact (source) : NULL;
  const int m = impact != NULL ? impact->m : 0;

  if (k < m) {
    *x_column = m + k;
    *y_column = k;
    if (name != NULL)
      *name = g_strdup_printf ("%s: slide, lift", labels_of (set)[k]);
    return TRUE;
  }
  k -= m;
  for (int a = 0; a < m; a++)
    for (int b = a + 1; b < m; b++, k -= 2)
      if (k < 2) {
        *x_column = a + (k == 0 ? 0 : m);
        *y_column = b + (k == 0 ? 0 : m);
        if (name != NULL)
          *name = g_strdup_printf ("%s, %s: %s", labels_of (set)[a], labels_of (set)[b], k == 0 ? "lift" : "slide");
        return TRUE;
      }
  return FALSE;
}

char *
ssapp_impact_plane_title (SsappImpactSet *set, int plane)
{
  SsappImpactSource *source = ssapp_impact_set_get_source (set);
  int x, y;

  if (source == NULL)
    return g_strdup ("Plane");
  const SsImpact *impact = ssapp_impact_source_get_impact (source);
  const int m = impact->m;
  ssapp_impact_set_get_plane (set, plane, &x, &y);
  if (x % m != y % m)
    return g_strdup_printf ("%s and %s", labels_of (set)[x % m], labels_of (set)[y % m]);
  const char *label = labels_of (set)[x % m], *name = impact->contacts[x % m];
  return strcmp (label, name) == 0 ? g_strdup_printf ("Contact %s", label) : g_strdup_printf ("%s: %s", label, name);
}

static void
draw_plane (SsappImpactSet *set, int plane, const char *letter, cairo_t *cr, const SsappStyle *style, double x,
            double y, double width, double height)
{
  SsappImpactPicture picture;
  g_autofree char *title = style->is_paper ? ssapp_impact_plane_title (set, plane) : NULL;

  ssapp_impact_set_fill_picture (set, plane, style, &picture);
  picture.spec.letter = letter;
  picture.spec.title = title;
  ssapp_plane_draw (cr, style, &picture.spec, x, y, width, height);
  ssapp_impact_picture_clear (&picture);
}

/* ---- sequence, energy, growth ------------------------------------------------------------------------------------ */

static void
draw_sequence (SsappImpactSet *set, const char *letter, cairo_t *cr, const SsappStyle *style, double x, double y,
               double width, double height)
{
  const SsImpact *impact = ssapp_impact_set_get_impact (set);
  SsappImpulseSequence sequence = {.letter = letter, .current = -1};
  SsappImpactOutcome outcome;

  if (impact != NULL && ssapp_impact_set_get_outcome (set, &outcome)) {
    sequence.n_steps = outcome.n_steps;
    sequence.n_contacts = outcome.m;
    sequence.normal = outcome.normal;
    sequence.tangential = outcome.tangential;
    sequence.energy = outcome.energies;
    sequence.modes = outcome.modes;
    sequence.contacts = labels_of (set);
    sequence.current = ssapp_impact_set_get_step (set);
  }
  ssapp_impulse_sequence_draw (cr, style, &sequence, x, y, width, height);
}

int
ssapp_impact_view_step_at (SsappImpactSet *set, const SsappStyle *style, double width, double height, double x)
{
  SsappImpactOutcome outcome;
  const gboolean has_outcome = ssapp_impact_set_get_outcome (set, &outcome);
  const SsappImpulseSequence sequence = {.n_steps = has_outcome ? outcome.n_steps : 0};

  return ssapp_impulse_sequence_step_at (style, &sequence, width, height, x);
}

/* The plot without its counts. */
static SsappEnergyPlot
energy_plot (SsappImpactSet *set)
{
  const SsImpact *impact = ssapp_impact_set_get_impact (set);
  const double *losses = ssapp_impact_set_get_losses (set);
  SsappImpactTotals totals;
  SsappImpactOutcome outcome;

  ssapp_impact_set_get_totals (set, &totals);
  SsappEnergyPlot plot = {.largest = totals.energy_most,
                          .chosen =
                              ssapp_impact_set_get_outcome (set, &outcome) ? outcome.energies[outcome.n_steps] : NAN,
                          .normal_loss = losses,
                          .friction_loss = losses != NULL ? losses + impact->m : NULL,
                          .n_contacts = impact != NULL ? impact->m : 0,
                          .contacts = impact != NULL ? labels_of (set) : NULL};
  if (!ssapp_impact_set_get_energy_brush (set, plot.brush))
    plot.brush[0] = plot.brush[1] = NAN;
  return plot;
}

static void
draw_energy (SsappImpactSet *set, cairo_t *cr, const SsappStyle *style, double x, double y, double width, double height)
{
  gint64 counts[SSAPP_IMPACT_BINS], brushed[SSAPP_IMPACT_BINS];
  SsappEnergyPlot plot = energy_plot (set);

  ssapp_impact_set_get_histogram (set, counts, brushed);
  plot.n_bins = SSAPP_IMPACT_BINS;
  plot.counts = counts;
  plot.brushed = ssapp_impact_set_has_brush (set) ? brushed : NULL;
  ssapp_energy_plot_draw (cr, style, &plot, x, y, width, height);
}

double
ssapp_impact_view_energy_at (SsappImpactSet *set, const SsappStyle *style, double width, double height, double x)
{
  gint64 counts[SSAPP_IMPACT_BINS];
  SsappEnergyPlot plot = energy_plot (set);

  ssapp_impact_set_get_histogram (set, counts, NULL); /* the room for their labels decides where the axis begins */
  plot.n_bins = SSAPP_IMPACT_BINS;
  plot.counts = counts;
  return ssapp_energy_plot_value_at (style, &plot, width, height, x);
}

enum { CURVES = 6, MOST_POINTS = 40 };

/* One of the two pictures of convergence: curves over log2 of samples, or log10 of the step. */
typedef struct {
  int n, n_curves;
  double x[MOST_POINTS], y[CURVES][MOST_POINTS];
  const char *labels[CURVES];
  char *names[CURVES]; /* owned; NULL: the label is borrowed */
} Convergence;

/* Row k is (areas of both hulls, cells of the first plane, shares of the two most frequent modes, not finished). Sizes
 * are told as shares of those of the last row, so that curves of different kinds have one axis. */
static void
add_point (Convergence *self, double x, const double values[CURVES])
{
  if (self->n >= MOST_POINTS)
    return;
  self->x[self->n] = x;
  for (int c = 0; c < CURVES; c++)
    self->y[c][self->n] = values[c];
  self->n++;
}

static void
relate (Convergence *self)
{
  enum { RELATIVE = 3 };
  for (int c = 0; c < RELATIVE && self->n > 0; c++) {
    const double end = self->y[c][self->n - 1];
    for (int k = 0; k < self->n; k++)
      self->y[c][k] = end > 0. ? self->y[c][k] / end : NAN;
  }
}

/* Modes whose shares are shown: the most frequent now of those that are followed; -1: there is none. */
static void
begin_convergence (SsappImpactSet *set, Convergence *self, int modes[2])
{
  static const char *const labels[CURVES] = {"hull, left", "hull, right", "cells, left", "", "", "not finished"};
  g_autofree int *order = ssapp_impact_set_sort_modes (set);
  int found = 0;

  *self = (Convergence){.n_curves = CURVES};
  memcpy (self->labels, labels, sizeof labels);
  modes[0] = modes[1] = -1;
  for (int k = 0; k < ssapp_impact_set_get_n_modes (set) && found < 2; k++)
    if (order[k] < SSAPP_IMPACT_STUDY_MODES) {
      modes[found] = order[k];
      self->names[3 + found] = g_strconcat ("share: ", ssapp_impact_set_get_mode (set, order[k])->name, NULL);
      self->labels[3 + found] = self->names[3 + found];
      found++;
    }
}

static void
draw_convergence (Convergence *self, const char *x_label, const char *y_label, gboolean has_legend, cairo_t *cr,
                  const SsappStyle *style, double x, double y, double width, double height)
{
  SsappSeries series[CURVES];
  int n = 0;
  const SsappPlotSpec spec = {.title = "",
                              .x_label = x_label,
                              .y_label = y_label,
                              .legend = has_legend,
                              .x_min = NAN,
                              .x_max = NAN,
                              .y_min = 0.,
                              .y_max = NAN,
                              .tolerance = NAN,
                              .cursor = NAN,
                              .reference = 1.};

  relate (self);
  for (int c = 0; c < CURVES; c++)
    if (self->labels[c][0] != '\0')
      series[n++] = (SsappSeries){.label = self->labels[c], .n = self->n, .x = self->x, .y = self->y[c]};
  ssapp_plot_draw (cr, style, &spec, series, n, x, y, width, height);
  for (int c = 0; c < CURVES; c++)
    g_free (self->names[c]);
}

/* Against samples at the left, against the step at the right. */
static void
draw_growth (SsappImpactSet *set, cairo_t *cr, const SsappStyle *style, double x, double y, double width, double height)
{
  GArray *growth = ssapp_impact_set_get_growth (set);
  SsappImpactStudyState state;
  const double *rows = ssapp_impact_set_get_steps (set, &state), gap = style->font_size;
  const double left = 0.56 * width;
  Convergence shown;
  int modes[2];

  begin_convergence (set, &shown, modes);
  for (guint k = 0; k < growth->len; k++) {
    const SsappImpactGrowth *now = &g_array_index (growth, SsappImpactGrowth, k);
    const double values[CURVES] = {now->area[0],
                                   now->area[1],
                                   now->occupied[0],
                                   modes[0] >= 0 ? now->shares[modes[0]] : NAN,
                                   modes[1] >= 0 ? now->shares[modes[1]] : NAN,
                                   now->unfinished};
    add_point (&shown, log2 ((double)now->n), values);
  }
  draw_convergence (&shown, "log₂ of samples", "Share (sizes: of the last)", TRUE, cr, style, x, y, left, height);
  begin_convergence (set, &shown, modes);
  for (int k = 0; k < state.n_done; k++) {
    const double *row = rows + (gsize)k * SSAPP_IMPACT_STEPS_COLUMNS, *shares = row + SSAPP_IMPACT_STEPS_SHARE;
    const double values[CURVES] = {row[SSAPP_IMPACT_STEPS_AREA],           row[SSAPP_IMPACT_STEPS_AREA + 1],
                                   row[SSAPP_IMPACT_STEPS_OCCUPIED],       modes[0] >= 0 ? shares[modes[0]] : NAN,
                                   modes[1] >= 0 ? shares[modes[1]] : NAN, row[SSAPP_IMPACT_STEPS_UNFINISHED]};
    add_point (&shown, log10 (row[SSAPP_IMPACT_STEPS_H]), values);
  }
  draw_convergence (&shown, "log₁₀ of the step h [N s]", "", FALSE, cr, style, x + left + gap, y, width - left - gap,
                    height);
}

/* ---- impulse rates ---------------------------------------------------------------------------------------------- */

static SsappRatesPlot
rates_plot (SsappImpactSet *set)
{
  const SsImpact *impact = ssapp_impact_set_get_impact (set);
  SsappRatesPlot plot = {.current = {NAN, NAN, NAN}};

  if (impact == NULL)
    return plot;
  plot.n_contacts = impact->m;
  plot.contacts = labels_of (set);
  plot.rates = ssapp_impact_set_get_rates (set, &plot.n);
  for (int c = 0; c < MIN (impact->m, 3) && plot.n > 0; c++)
    plot.current[c] = plot.rates[(plot.n - 1) * impact->m + c];
  return plot;
}

static void
draw_rates (SsappImpactSet *set, cairo_t *cr, const SsappStyle *style, double x, double y, double width, double height)
{
  const SsappRatesPlot plot = rates_plot (set);
  const SsappTextStyle text = {.size = style->font_size,
                               .color = ssapp_style_color (style, SSAPP_COLOR_DIM),
                               .anchor_x = plot.n_contacts <= 3 ? 0. : 0.5};
  const char *words = plot.n_contacts > 3 ? "Rates are drawn for two or three contacts"
                      : plot.n == 0       ? "Draw how normal impulse is shared out: the planes show the path"
                                          : "Normal impulse as drawn: the blue path in the planes";

  ssapp_rates_plot_draw (cr, style, &plot, x, y, width, height);
  if (plot.n_contacts > 0)
    ssapp_text_draw (cr, style, &text, plot.n_contacts <= 3 ? x + style->font_size : x + width / 2, y, words);
}

/* Places that are nearer to the last one than this share are not a new piece. */
void
ssapp_impact_view_draw_rates (SsappImpactSet *set, const SsappStyle *style, double width, double height, double x,
                              double y, gboolean is_first)
{
  static const double NEAREST = 0.03;
  const SsappRatesPlot plot = rates_plot (set);
  const int m = plot.n_contacts, n = is_first ? 0 : plot.n;
  double rates[SS_IMPACT_PIECES_MAX * 3], moved = 0.;

  if (m < 2 || m > 3 || n >= SS_IMPACT_PIECES_MAX)
    return;
  for (int k = 0; k < n * m; k++)
    rates[k] = plot.rates[k];
  double at[3];
  if (!ssapp_rates_plot_value_at (style, &plot, width, height, x, y, at))
    return;
  for (int c = 0; c < m; c++) {
    rates[n * m + c] = at[c];
    moved = MAX (moved, n > 0 ? fabs (at[c] - rates[(n - 1) * m + c]) : 1.);
  }
  if (moved >= NEAREST)
    ssapp_impact_set_set_rates (set, rates, n + 1);
}

/* ---- the outcome ------------------------------------------------------------------------------------------------- */

/* Velocities after the marked step, or at the end. */
static const double *
shown_velocity (SsappImpactSet *set, const SsappImpactOutcome *outcome, const double **speeds)
{
  const int step = ssapp_impact_set_get_step (set), at = step >= 0 ? step + 1 : outcome->n_steps;
  if (speeds != NULL)
    *speeds = outcome->speeds + (gsize)at * 2 * (gsize)outcome->m;
  return outcome->velocities + (gsize)at * (gsize)outcome->n;
}

/* Of a file nothing is known but the contacts' velocities: each has its own small axes. */
static void
draw_contacts (cairo_t *cr, const SsappStyle *style, const char *const *labels, int m, const double *speeds, double x,
               double y, double width, double height)
{
  const int columns = (int)ceil (sqrt ((double)m)), rows = (m + columns - 1) / columns;
  const SsappColor velocity = ssapp_style_color (style, SSAPP_COLOR_VELOCITY);
  const SsappColor dim = ssapp_style_color (style, SSAPP_COLOR_DIM);
  const double cell = MIN (width / columns, height / rows), font = style->font_size;
  double largest = 0.;

  for (int c = 0; c < m; c++)
    largest = MAX (largest, hypot (speeds[c], speeds[m + c]));
  const double unit = largest > SSAPP_SMALLEST_ARROW ? 0.36 * cell / largest : 0.;
  for (int c = 0; c < m; c++) {
    const double at_x = x + (c % columns + 0.5) * width / columns, at_y = y + (c / columns + 0.6) * height / rows;
    const SsappTextStyle text = {.size = font, .bold = TRUE, .color = ssapp_contact_color (style, c), .anchor_x = 0.5};
    cairo_new_path (cr);
    cairo_move_to (cr, at_x - 0.42 * cell, at_y);
    cairo_line_to (cr, at_x + 0.42 * cell, at_y);
    ssapp_set_color (cr, dim);
    cairo_set_line_width (cr, ssapp_style_line (style, 1.6));
    cairo_stroke (cr);
    if (unit > 0.)
      ssapp_draw_arrow (cr, at_x, at_y, at_x + unit * speeds[m + c], at_y - unit * speeds[c],
                        ssapp_style_line (style, 2.2), 8. * style->scale, velocity);
    ssapp_draw_marker (cr, SSAPP_MARKER_CIRCLE, at_x, at_y, 4. * style->scale, ssapp_style_line (style, 2.),
                       ssapp_style_color (style, SSAPP_COLOR_CONTACT), FALSE,
                       ssapp_style_color (style, SSAPP_COLOR_CARD));
    ssapp_text_draw (cr, style, &text, at_x - 0.9 * font, at_y + 0.3 * font, labels[c]);
  }
  if (unit > 0.)
    ssapp_draw_arrow_scale (cr, style, unit, "m/s", velocity, x + 1.8 * font, y + 2. * font);
}

/* The state after the impact has gone on for a while: bodies moved by tau times their velocities. */
static SsTrajectory *
moved_state (const SsappImpactSource *source, const SsImpact *impact, const double *v, double tau)
{
  static const char *const positions[] = {"x", "y", "theta"}, *const rates[] = {"vx", "vy", "omega"};
  const SsTrajectory *state = ssapp_impact_source_get_state (source);
  const SsScene *scene = ssapp_impact_source_get_scenario (source)->scene;
  g_autofree double *row = g_memdup2 (ss_trajectory_row (state, 0), sizeof (double) * (gsize)state->n_channels);
  SsTrajectory *moved = NULL;
  SsError err;

  for (int k = 0; k < impact->n; k++) {
    const char *body = scene->bodies[impact->coordinates[k] / 3].name;
    g_autofree char *position = g_strdup_printf ("%s.%s", body, positions[impact->coordinates[k] % 3]);
    g_autofree char *rate = g_strdup_printf ("%s.%s", body, rates[impact->coordinates[k] % 3]);
    const int p = ss_trajectory_channel (state, position), r = ss_trajectory_channel (state, rate);
    if (p >= 0)
      row[p] += tau * v[k];
    if (r >= 0)
      row[r] = v[k];
  }
  if (ss_trajectory_new (state->channels, state->n_channels, 1, &moved, &err) != SS_OK ||
      ss_trajectory_append (moved, row, &err) != SS_OK) {
    ss_trajectory_free (moved);
    return NULL;
  }
  return moved;
}

/* Arrows at the bodies' centres. */
static void
draw_velocities (cairo_t *cr, const SsappStyle *style, const SsappCamera *camera, const SsImpact *impact,
                 const SsScene *scene, const SsTrajectory *state, const double *v, double x, double y)
{
  const SsappColor color = ssapp_style_color (style, SSAPP_COLOR_VELOCITY);
  double largest = 0.;

  for (int k = 0; k + 1 < impact->n; k++)
    if (impact->coordinates[k] % 3 == 0)
      largest = MAX (largest, hypot (v[k], v[k + 1]));
  const double unit = ssapp_arrow_px (largest) * style->scale;
  for (int k = 0; k + 1 < impact->n && unit > 0.; k++) {
    if (impact->coordinates[k] % 3 != 0)
      continue;
    const char *body = scene->bodies[impact->coordinates[k] / 3].name;
    g_autofree char *px = g_strdup_printf ("%s.x", body), *py = g_strdup_printf ("%s.y", body);
    const double *row = ss_trajectory_row (state, 0);
    const SsVec2 centre = {row[ss_trajectory_channel (state, px)], row[ss_trajectory_channel (state, py)]};
    double cx, cy;
    ssapp_camera_to_device (camera, centre, &cx, &cy);
    ssapp_draw_arrow (cr, cx, cy, cx + unit * v[k], cy - unit * v[k + 1], ssapp_style_line (style, 2.4),
                      8. * style->scale, color);
  }
  if (unit > 0.)
    ssapp_draw_arrow_scale (cr, style, unit, "m/s", color, x + 1.8 * style->font_size, y + 2. * style->font_size);
}

static void
draw_bodies (cairo_t *cr, const SsappStyle *style, const SsappImpactSource *source, const SsImpact *impact,
             const double *v, double x, double y, double width, double height)
{
  static const double SHARE = 0.09; /* of the picture, that the fastest point moves */
  const SsScenario *scenario = ssapp_impact_source_get_scenario (source);
  const SsTrajectory *state = ssapp_impact_source_get_state (source);
  SsappSceneFlags flags = {0};
  SsappCamera camera;
  SsView *view = NULL;
  SsError err;
  double bounds[4], fastest = 0.;

  if (ss_view_new (scenario, state->channels, state->n_channels, &view, &err) != SS_OK)
    return;
  ss_view_bounds (view, state, bounds);
  const double size = MAX (bounds[2] - bounds[0], bounds[3] - bounds[1]);
  for (int k = 0; k < impact->n; k++)
    fastest = MAX (fastest, fabs (v[k]) * (impact->coordinates[k] % 3 == 2 ? 0.5 * size : 1.));
  const int n_marks = ss_view_n_marks (view);
  g_autofree SsMark *marks = g_new0 (SsMark, (gsize)n_marks + 1);
  SsTrajectory *moved = moved_state (source, impact, v, fastest > 0. ? SHARE * size / fastest : 0.);
  if (moved != NULL) {
    ssapp_camera_fit (&camera, bounds, width, height, 30. * style->scale);
    cairo_save (cr);
    cairo_translate (cr, x, y);
    cairo_rectangle (cr, 0, 0, width, height);
    cairo_clip (cr);
    ss_view_frame (view, ss_trajectory_row (moved, 0), marks);
    for (int k = 0; k < n_marks; k++) /* forces of another moment */
      marks[k].visible &= marks[k].kind != SS_MARK_ARROW;
    ssapp_draw_marks (cr, style, &camera, marks, n_marks, &flags);
    ssapp_draw_ghost (cr, style, &camera, view, state, 0.);
    draw_velocities (cr, style, &camera, impact, scenario->scene, moved, v, 0, 0);
    cairo_restore (cr);
  }
  ss_trajectory_free (moved);
  ss_view_free (view);
}

static void
draw_outcome (SsappImpactSet *set, cairo_t *cr, const SsappStyle *style, double x, double y, double width,
              double height)
{
  SsappImpactSource *source = ssapp_impact_set_get_source (set);
  const SsImpact *impact = ssapp_impact_set_get_impact (set);
  SsappImpactOutcome outcome;
  const double *speeds;

  if (source == NULL || impact == NULL)
    return;
  const gboolean has_outcome = ssapp_impact_set_get_outcome (set, &outcome);
  const double *v = has_outcome ? shown_velocity (set, &outcome, &speeds) : impact->v;
  double before[2 * SS_IMPACT_CONTACTS_MAX];
  if (!has_outcome) {
    ss_impact_speeds (impact, impact->v, before);
    speeds = before;
  }
  if (ssapp_impact_source_get_scenario (source) != NULL && impact->coordinates != NULL)
    draw_bodies (cr, style, source, impact, v, x, y, width, height);
  else
    draw_contacts (cr, style, labels_of (set), impact->m, speeds, x, y, width, height);
}

void
ssapp_impact_view_draw (SsappImpactSet *set, SsappImpactView view, cairo_t *cr, const SsappStyle *style, double x,
                        double y, double width, double height)
{
  g_return_if_fail (set != NULL && style != NULL);
  switch (view) {
  case SSAPP_IMPACT_VIEW_PLANE:
    draw_plane (set, 0, style->is_paper ? "(a)" : NULL, cr, style, x, y, width, height);
    break;
  case SSAPP_IMPACT_VIEW_PLANE_2:
    draw_plane (set, 1, style->is_paper ? "(b)" : NULL, cr, style, x, y, width, height);
    break;
  case SSAPP_IMPACT_VIEW_SEQUENCE:
    draw_sequence (set, style->is_paper ? "(c)" : NULL, cr, style, x, y, width, height);
    break;
  case SSAPP_IMPACT_VIEW_ENERGY:
    draw_energy (set, cr, style, x, y, width, height);
    break;
  case SSAPP_IMPACT_VIEW_GROWTH:
    draw_growth (set, cr, style, x, y, width, height);
    break;
  case SSAPP_IMPACT_VIEW_RATES:
    draw_rates (set, cr, style, x, y, width, height);
    break;
  case SSAPP_IMPACT_VIEW_OUTCOME:
    draw_outcome (set, cr, style, x, y, width, height);
    break;
  case SSAPP_IMPACT_N_VIEWS:
  default:
    break;
  }
}

/* ---- words ------------------------------------------------------------------------------------------------------- */

static char *
describe_plane (SsappImpactSet *set, int plane)
{
  SsappImpactTotals totals;
  SsappImpactPicture picture;
  SsappStyle style;
  GString *text = g_string_new (NULL);

  ssapp_style_init (&style, FALSE);
  ssapp_impact_set_get_totals (set, &totals);
  ssapp_impact_set_fill_picture (set, plane, &style, &picture);
  if (picture.spec.plane == NULL || picture.spec.plane->n == 0) {
    g_string_append (text, "No samples yet");
  } else {
    const SsappPlane *own = picture.spec.plane;
    g_string_append_printf (text, "%" G_GINT64_FORMAT " samples; %s from %.3g to %.3g, %s from %.3g to %.3g", own->n,
                            picture.spec.x_label, own->x_min, own->x_max, picture.spec.y_label, own->y_min, own->y_max);
    const SsImpactBound *bound = picture.spec.n_bounds > 0 ? ssapp_impact_set_get_bound (set) : NULL;
    int x, y;
    ssapp_impact_set_get_plane (set, plane, &x, &y);
    if (bound != NULL)
      g_string_append_printf (text, "; outer bound from %.3g to %.3g, from %.3g to %.3g", bound->outer.low[x],
                              bound->outer.high[x], bound->outer.low[y], bound->outer.high[y]);
    if (totals.n_brushed >= 0)
      g_string_append_printf (text, "; %" G_GINT64_FORMAT " brushed", totals.n_brushed);
    if (isfinite (picture.spec.chosen[0]))
      g_string_append_printf (text, "; chosen %.3g, %.3g", picture.spec.chosen[0], picture.spec.chosen[1]);
  }
  ssapp_impact_picture_clear (&picture);
  return g_string_free (text, FALSE);
}

/* How a contact moves on the way: what still approaches has no mode yet. */
static char *
mode_text (SsappImpactSet *set, const double *speeds, int m)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (int c = 0; c < m; c++)
    if (speeds[c] < -SS_IMPACT_STOP)
      g_string_append_printf (text, "%s%s", text->len > 0 ? ", " : "still approaching: ", labels_of (set)[c]);
  return text->len > 0 ? g_strdup (text->str)
                       : ssapp_joint_mode_name (ssapp_joint_mode_of (speeds, speeds + m, m, 1), labels_of (set), m);
}

static char *
describe_sequence (SsappImpactSet *set)
{
  SsappImpactOutcome outcome;
  GString *text = g_string_new (NULL);

  if (!ssapp_impact_set_get_outcome (set, &outcome))
    return g_string_free (g_string_append (text, "No outcome is chosen"), FALSE);
  for (int s = 0; s < outcome.n_steps; s++) {
    g_autofree char *mode = mode_text (set, outcome.speeds + (gsize)(s + 1) * 2 * (gsize)outcome.m, outcome.m);
    g_string_append_printf (text, "%sstep %d: ", s > 0 ? "; " : "", s + 1);
    for (int c = 0; c < outcome.m; c++)
      g_string_append_printf (text, "%s %.3g N s, ", labels_of (set)[c], outcome.normal[s * outcome.m + c]);
    g_string_append_printf (text, "%s, %.1f %% of the energy left", mode, 100. * outcome.energies[s + 1]);
  }
  return g_string_free (text, FALSE);
}

static char *
describe_growth (SsappImpactSet *set, const SsappImpactTotals *totals)
{
  SsappImpactStudyState state;
  const double *rows = ssapp_impact_set_get_steps (set, &state);
  GString *text = g_string_new (NULL);

  g_string_append_printf (text, "Growth of the set up to %" G_GINT64_FORMAT " samples", totals->n);
  for (int k = 0; k < state.n_done; k++) {
    const double *row = rows + (gsize)k * SSAPP_IMPACT_STEPS_COLUMNS;
    g_string_append_printf (text, "; step %.3g N s: %.3g %% of the hull, %.2g %% not finished",
                            row[SSAPP_IMPACT_STEPS_H],
                            100. * row[SSAPP_IMPACT_STEPS_AREA] /
                                rows[(state.n_done - 1) * SSAPP_IMPACT_STEPS_COLUMNS + SSAPP_IMPACT_STEPS_AREA],
                            100. * row[SSAPP_IMPACT_STEPS_UNFINISHED]);
  }
  return g_string_free (text, FALSE);
}

char *
ssapp_impact_view_describe (SsappImpactSet *set, SsappImpactView view)
{
  SsappImpactTotals totals;
  g_auto (GStrv) facts = NULL;

  ssapp_impact_set_get_totals (set, &totals);
  if (view == SSAPP_IMPACT_VIEW_PLANE || view == SSAPP_IMPACT_VIEW_PLANE_2)
    return describe_plane (set, view == SSAPP_IMPACT_VIEW_PLANE_2);
  if (view == SSAPP_IMPACT_VIEW_SEQUENCE)
    return describe_sequence (set);
  if (view == SSAPP_IMPACT_VIEW_ENERGY) {
    double range[2];
    g_autofree char *brushed =
        ssapp_impact_set_get_energy_brush (set, range)
            ? g_strdup_printf ("; brushed from %.2f %% to %.2f %%", 100. * range[0], 100. * range[1])
            : g_strdup ("");
    return g_strdup_printf ("%.3g J before the impact; samples keep up to %.1f %%%s", totals.energy_before,
                            100. * totals.energy_most, brushed);
  }
  if (view == SSAPP_IMPACT_VIEW_GROWTH)
    return describe_growth (set, &totals);
  if (view == SSAPP_IMPACT_VIEW_RATES) {
    int n;
    ssapp_impact_set_get_rates (set, &n);
    return g_strdup_printf ("%d pieces of impulse rates", n);
  }
  facts = ssapp_impact_set_dup_facts (set);
  return g_strjoinv (", ", facts);
}

char *
ssapp_impact_set_dup_name (SsappImpactSet *set)
{
  static const char *const policies[] = {"lemke", "random covering", "enumerate"};
  const SsappImpactSource *source = ssapp_impact_set_get_source (set);
  const SsappImpactParameters *asked = ssapp_impact_set_get_parameters (set);
  GString *text = g_string_new (NULL);

  if (!isnan (asked->mu))
    g_string_append_printf (text, "μ %.3g, ", asked->mu);
  if (asked->angle != 0.)
    g_string_append_printf (text, "%.3g°, ", asked->angle * 180. / G_PI);
  g_string_append_printf (text, "h %.3g, %s%s%s", asked->options.h, policies[asked->options.policy],
                          source != NULL ? ", " : "", source != NULL ? ssapp_impact_source_get_name (source) : "");
  return g_string_free (text, FALSE);
}

char *
ssapp_impact_count_text (gint64 count)
{
  g_autofree char *digits = g_strdup_printf ("%" G_GINT64_FORMAT, count);
  const gsize n = strlen (digits);
  GString *text = g_string_new (NULL);

  for (gsize k = 0; k < n; k++) {
    if (k > 0 && (n - k) % 3 == 0)
      g_string_append (text, "\u2009");
    g_string_append_c (text, digits[k]);
  }
  return g_string_free (text, FALSE);
}

char *
ssapp_impact_set_dup_warnings (SsappImpactSet *set)
{
  const SsImpact *impact = ssapp_impact_set_get_impact (set);
  GString *text = g_string_new (NULL);
  SsImpactCone cone;
  SsError err;

  if (impact == NULL || ss_impact_cone (impact, ssapp_impact_set_get_options (set)->h, &cone, &err) != SS_OK)
    return g_string_free (text, FALSE);
  if (!cone.is_pointed)
    g_string_append (text, "The friction cone is not pointed: impacts need not end");
  if (cone.rank < 2 * impact->m)
    g_string_append_printf (text, "%sRows of the contacts are dependent: impulses are not unique",
                            text->len > 0 ? "\n" : "");
  return g_string_free (text, FALSE);
}

/* Speeds below this are rounding errors [m/s], [rad/s]. */
static char *
speed_text (double value)
{
  static const double SMALLEST = 1e-10;
  return ssapp_format_number (fabs (value) < SMALLEST ? 0. : value, 3);
}

/* "0.0754, 0.0208 m/s" with true minus signs. */
static char *
two_numbers (double a, double b, const char *unit)
{
  g_autofree char *first = speed_text (a), *second = speed_text (b);
  return g_strdup_printf ("%s, %s %s", first, second, unit);
}

/* First coordinate of the only body that impulses move; -1: there are several. */
static int
only_body (const SsImpact *impact)
{
  int found = -1;

  for (int k = 0; k < impact->n; k += 3) {
    double moves = 0.;
    for (int c = k * impact->n; c < MIN (k + 3, impact->n) * impact->n; c++)
      moves = MAX (moves, fabs (impact->inverse_mass[c]));
    if (moves > 0. && found >= 0)
      return -1;
    if (moves > 0.)
      found = k;
  }
  return found >= 0 && found + 3 <= impact->n ? found : -1;
}

GStrv
ssapp_impact_set_dup_facts (SsappImpactSet *set)
{
  enum { MOST_CONTACTS = 6 };
  const SsImpact *impact = ssapp_impact_set_get_impact (set);
  GStrvBuilder *builder = g_strv_builder_new ();
  SsappImpactOutcome outcome;

  if (impact != NULL && ssapp_impact_set_get_outcome (set, &outcome)) {
    const int step = ssapp_impact_set_get_step (set);
    const double *speeds, *v = shown_velocity (set, &outcome, &speeds);
    g_autofree char *mode = mode_text (set, speeds, outcome.m);
    const int body = only_body (impact);
    g_autofree char *kept =
        g_strdup_printf ("%.1f %%", 100. * outcome.energies[step >= 0 ? step + 1 : outcome.n_steps]);
    g_strv_builder_add_many (builder, "Mode", mode, NULL);
    if (body >= 0) {
      g_autofree char *velocity = two_numbers (v[body], v[body + 1], "m/s"), *number = speed_text (v[body + 2]);
      g_autofree char *turning = g_strdup_printf ("%s rad/s", number);
      g_strv_builder_add_many (builder, "Velocity x, y", velocity, "Turning rate", turning, NULL);
    } else {
      for (int c = 0; c < MIN (outcome.m, MOST_CONTACTS); c++) {
        g_autofree char *name = g_strdup_printf ("%s slides, lifts", labels_of (set)[c]);
        g_autofree char *value = two_numbers (speeds[outcome.m + c], speeds[c], "m/s");
        g_strv_builder_add_many (builder, name, value, NULL);
      }
    }
    g_strv_builder_add_many (builder, "Kinetic energy kept", kept, NULL);
  }
  GStrv facts = g_strv_builder_end (builder);
  g_strv_builder_unref (builder);
  return facts;
}
