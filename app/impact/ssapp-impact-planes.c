/* app/impact/ssapp-impact-planes.c: the set's planes: samples counted a frame at a time, the brush, layers,
 * pictures. */
#include "app/impact/ssapp-impact-private.h"

#include "impact/ss-impact-law.h"
#include "impact/ss-impact-rates.h"

#include <math.h>
#include <string.h>

enum { BATCH = 8192 }; /* samples between two looks at the clock */

static void
reset_plane (SsappImpactPlane *plane)
{
  ssapp_plane_clear (plane->all);
  ssapp_plane_clear (plane->brushed);
  ssapp_plane_clear (plane->between);
  ssapp_plane_clear (plane->mirror);
  plane->n_all = plane->n_brushed = plane->n_between = 0;
  plane->has_reached = FALSE;
}

/* The mask is forgotten, and what was counted by it. */
static void
reset_brush (SsappImpactSet *self)
{
  self->n_masked = 0;
  self->n_brushed = 0;
  memset (self->fine_brushed, 0, sizeof *self->fine_brushed * SSAPP_IMPACT_FINE_BINS);
  for (guint k = 0; k < self->kinds->len; k++)
    g_array_index (self->kinds, SsappImpactMode, k).n_brushed = 0;
  for (int p = 0; p < SSAPP_IMPACT_PLANES; p++) {
    ssapp_plane_clear (self->planes[p].brushed);
    self->planes[p].n_brushed = 0;
  }
}

void
ssapp_impact_planes_reset (SsappImpactSet *self)
{
  g_return_if_fail (self != NULL);
  for (int p = 0; p < SSAPP_IMPACT_PLANES; p++)
    reset_plane (&self->planes[p]);
  reset_brush (self);
  self->has_rates_path = FALSE;
}

/* ---- counting ---------------------------------------------------------------------------------------------------- */

static void
mask_samples (SsappImpactSet *self, gint64 first, gint64 n)
{
  guint8 *mask = self->mask + first;

  if (self->brush == SSAPP_BRUSH_BOX)
    ssapp_plane_brush (self->columns[self->brush_columns[0]] + first, self->columns[self->brush_columns[1]] + first, n,
                       self->brush_box[0], self->brush_box[1], self->brush_box[2], self->brush_box[3], mask);
  for (gint64 k = 0; k < n; k++) {
    const guint16 mode = self->modes[first + k];
    const float energy = self->energies[first + k];
    if (self->brush == SSAPP_BRUSH_MODE)
      mask[k] = mode == self->brush_mode;
    else if (self->brush == SSAPP_BRUSH_ENERGY)
      mask[k] = energy >= self->brush_box[0] && energy <= self->brush_box[1];
    if (mask[k] == 0 || mode == SSAPP_IMPACT_NO_MODE)
      continue;
    self->n_brushed++;
    g_array_index (self->kinds, SsappImpactMode, mode).n_brushed++;
    if (isfinite (energy))
      self->fine_brushed[CLAMP ((int)(energy * SSAPP_IMPACT_FINE_BINS), 0, SSAPP_IMPACT_FINE_BINS - 1)]++;
  }
}

/* The samples' partner of a column when left and right are exchanged: contacts in the other order. */
static int
mirrored (const SsappImpactSet *self, int column)
{
  const int m = self->m;
  return column < m ? m - 1 - column : m + (m - 1 - (column - m));
}

/* Both axes of one kind: exchanged; else the tangential one turns its sign. */
static gboolean
mirror_swaps (const SsappImpactSet *self, const SsappImpactPlane *plane)
{
  return (plane->columns[0] < self->m) == (plane->columns[1] < self->m);
}

/* A batch of a plane; TRUE: there was one. */
static gboolean
count_batch (SsappImpactSet *self, SsappImpactPlane *plane)
{
  const float *x = self->columns[plane->columns[0]], *y = self->columns[plane->columns[1]];
  gint64 n = MIN (self->n - plane->n_all, BATCH), at = plane->n_all;

  if (n > 0) {
    ssapp_plane_add (plane->all, x + at, y + at, self->modes + at, NULL, n);
    if (self->layers & SSAPP_IMPACT_LAYER_MIRROR) {
      const gboolean swaps = mirror_swaps (self, plane);
      const float *u = self->columns[swaps ? plane->columns[0] : mirrored (self, plane->columns[0])];
      const float *v = self->columns[swaps ? plane->columns[1] : mirrored (self, plane->columns[1])];
      ssapp_plane_add (plane->mirror, u + at, v + at, self->modes + at, NULL, n);
    }
    plane->n_all += n;
    return TRUE;
  }
  n = MIN (self->n_masked - plane->n_brushed, BATCH);
  at = plane->n_brushed;
  if (self->brush == SSAPP_BRUSH_NONE || n <= 0)
    return FALSE;
  ssapp_plane_add (plane->brushed, x + at, y + at, self->modes + at, self->mask + at, n);
  plane->n_brushed += n;
  return TRUE;
}

/* Velocities on the way, when their layer is on. */
static gboolean
count_between (SsappImpactSet *self, SsappImpactPlane *plane)
{
  const gint64 rows = self->m > 0 ? self->between->len / (2 * self->m) : 0, at = plane->n_between;
  const gint64 n = MIN (rows - at, BATCH);

  if (n <= 0 || !(self->layers & SSAPP_IMPACT_LAYER_BETWEEN))
    return FALSE;
  g_autofree float *xy = g_new (float, 2 * (gsize)n);
  g_autofree guint16 *modes = g_new0 (guint16, (gsize)n);
  for (gint64 k = 0; k < n; k++)
    for (int axis = 0; axis < 2; axis++)
      xy[axis * n + k] = g_array_index (self->between, float, (guint)((at + k) * 2 * self->m + plane->columns[axis]));
  ssapp_plane_add (plane->between, xy, xy + n, modes, NULL, n);
  plane->n_between += n;
  return TRUE;
}

/* What draws at corners reach, of modes that samples showed: the hulls' only. */
static gboolean
count_reached (SsappImpactSet *self, SsappImpactPlane *plane)
{
  const gint64 n = self->m > 0 ? self->reached->len / (2 * self->m) : 0;
  g_autofree float *xy = NULL;
  g_autofree guint16 *modes = NULL;
  gint64 kept = 0;

  if (plane->has_reached || !self->has_bound || plane->n_all < self->n)
    return FALSE;
  plane->has_reached = TRUE;
  xy = g_new (float, 2 * (gsize)n + 1);
  modes = g_new (guint16, (gsize)n + 1);
  for (gint64 k = 0; k < n; k++) {
    double u[2 * SS_IMPACT_CONTACTS_MAX];
    gpointer number;
    for (int c = 0; c < 2 * self->m; c++)
      u[c] = g_array_index (self->reached, float, (guint)(k * 2 * self->m + c));
    const guint32 code = ssapp_joint_mode_of (u, u + self->m, self->m, 1);
    if (!g_hash_table_lookup_extended (self->by_code, GUINT_TO_POINTER (code), NULL, &number))
      continue;
    xy[kept] = (float)u[plane->columns[0]];
    xy[n + kept] = (float)u[plane->columns[1]];
    modes[kept++] = (guint16)GPOINTER_TO_UINT (number);
  }
  ssapp_plane_reach (plane->all, xy, xy + n, modes, kept);
  return TRUE;
}

/* The kept set's column of the same contact; -1: it has fewer contacts. `m` contacts have the columns. */
static int
kept_column (const SsappImpactSet *self, int column, int m)
{
  if (column % m >= self->kept.m)
    return -1;
  return column < m ? column : self->kept.m + column - m;
}

/* Samples of the kept set, when its layer is on. */
static gboolean
count_kept (SsappImpactSet *self, SsappImpactPlane *plane)
{
  static const guint16 no_mode[BATCH];
  const int x = kept_column (self, plane->columns[0], self->m), y = kept_column (self, plane->columns[1], self->m);
  const gint64 n = MIN (self->kept.n - plane->n_other, BATCH), at = plane->n_other;

  if (n <= 0 || x < 0 || y < 0 || !(self->layers & SSAPP_IMPACT_LAYER_OTHER))
    return FALSE;
  if (plane->other == NULL)
    plane->other = ssapp_plane_new ();
  ssapp_plane_add (plane->other, self->kept.columns[x] + at, self->kept.columns[y] + at, no_mode, NULL, n);
  plane->n_other += n;
  return TRUE;
}

gint64
ssapp_impact_planes_progress (const SsappImpactSet *self)
{
  gint64 n = self->n_masked;

  for (int p = 0; p < SSAPP_IMPACT_PLANES; p++)
    n += self->planes[p].n_all + self->planes[p].n_brushed + self->planes[p].n_between + self->planes[p].n_other +
         self->planes[p].has_reached;
  return n;
}

gboolean
ssapp_impact_planes_advance (SsappImpactSet *self, gint64 deadline)
{
  g_return_val_if_fail (self != NULL, FALSE);
  gboolean has_more = TRUE;

  if (self->columns == NULL)
    return FALSE;
  while (has_more && g_get_monotonic_time () < deadline) {
    has_more = FALSE;
    const gint64 n = MIN (self->n - self->n_masked, BATCH);
    if (self->brush != SSAPP_BRUSH_NONE && n > 0) {
      mask_samples (self, self->n_masked, n);
      self->n_masked += n;
      has_more = TRUE;
    }
    for (int p = 0; p < SSAPP_IMPACT_PLANES; p++) {
      has_more |= count_batch (self, &self->planes[p]);
      has_more |= count_between (self, &self->planes[p]);
      has_more |= count_reached (self, &self->planes[p]);
      has_more |= count_kept (self, &self->planes[p]);
    }
  }
  return has_more;
}

static void
forget_kept_plane (SsappImpactPlane *plane)
{
  g_clear_pointer (&plane->other, ssapp_plane_free);
  plane->n_other = 0;
}

void
ssapp_impact_planes_recount_kept (SsappImpactSet *self)
{
  g_return_if_fail (self != NULL);
  for (int p = 0; p < SSAPP_IMPACT_PLANES; p++)
    forget_kept_plane (&self->planes[p]);
}

void
ssapp_impact_set_set_plane (SsappImpactSet *self, int plane, int x_column, int y_column)
{
  g_return_if_fail (SSAPP_IS_IMPACT_SET (self) && plane >= 0 && plane < SSAPP_IMPACT_PLANES);
  SsappImpactPlane *own = &self->planes[plane];

  if (own->columns[0] == x_column && own->columns[1] == y_column)
    return;
  own->columns[0] = x_column;
  own->columns[1] = y_column;
  reset_plane (own);
  ssapp_impact_side_forget_steps (self);
  forget_kept_plane (own);
  if (self->brush == SSAPP_BRUSH_BOX && self->brush_plane == plane)
    ssapp_impact_set_clear_brush (self);
  ssapp_impact_set_tell (self);
}

void
ssapp_impact_set_get_plane (SsappImpactSet *self, int plane, int *x_column, int *y_column)
{
  g_return_if_fail (SSAPP_IS_IMPACT_SET (self) && plane >= 0 && plane < SSAPP_IMPACT_PLANES);
  *x_column = self->planes[plane].columns[0];
  *y_column = self->planes[plane].columns[1];
}

/* ---- layers ------------------------------------------------------------------------------------------------------ */

/* "floor-block.1,floor-block.2" as "A, B": a picture has room for short names; g_free. */
static char *
short_order (const SsappImpactSet *self, const char *order)
{
  g_auto (GStrv) names = g_strsplit (order, ",", -1);
  const char *const *labels = ssapp_impact_source_get_labels (self->source);

  for (int k = 0; names[k] != NULL; k++)
    for (int c = 0; c < self->m; c++)
      if (strcmp (names[k], self->impact->contacts[c]) == 0) {
        g_free (names[k]);
        names[k] = g_strdup (labels[c]);
        break;
      }
  return g_strjoinv (", ", names);
}

/* Adds the outcomes of a law, rows of 2m speeds: of all its answers, or of `one` where they are too many. Labels only
 * of several orders. */
static void
ask_law (SsappImpactSet *self, const SsImpactLawClass *law, const void *all, const void *one, GArray *rows,
         GPtrArray *labels)
{
  SsImpactResult result;
  SsError err;

  if (ss_impact_resolve (law, self->impact, all, NULL, &result, &err) != SS_OK &&
      ss_impact_resolve (law, self->impact, one, NULL, &result, &err) != SS_OK)
    return;
  for (int k = 0; k < result.n_outcomes; k++) {
    g_array_append_vals (rows, result.outcomes[k].u, 2 * (guint)self->m);
    if (labels != NULL)
      g_ptr_array_add (labels, short_order (self, result.outcomes[k].order));
  }
  ss_impact_result_clear (&result);
}

/* Answers of the other laws, once a configuration. */
static void
ask_laws (SsappImpactSet *self)
{
  g_return_if_fail (self != NULL);
  const SsAnitescuPotraOptions all_solutions = {.all = true}, one_solution = {.all = false};
  SsSequentialOptions all_orders, one_order;

  if (self->has_laws || self->impact == NULL)
    return;
  ss_options_init (ss_impact_law_sequential.options, &one_order);
  all_orders = one_order;
  all_orders.all = true;
  self->has_laws = TRUE;
  g_array_set_size (self->simultaneous, 0);
  g_array_set_size (self->sequential, 0);
  g_ptr_array_set_size (self->way_labels, 0);
  ask_law (self, &ss_impact_law_anitescu_potra, &all_solutions, &one_solution, self->simultaneous, NULL);
  ask_law (self, &ss_impact_law_sequential, &all_orders, &one_order, self->sequential, self->way_labels);
}

void
ssapp_impact_set_set_layer (SsappImpactSet *self, SsappImpactLayer layer, gboolean is_on)
{
  g_return_if_fail (SSAPP_IS_IMPACT_SET (self));
  const guint before = self->layers;

  self->layers = is_on ? self->layers | (guint)layer : self->layers & ~(guint)layer;
  if (before == self->layers)
    return;
  if (is_on && layer == SSAPP_IMPACT_LAYER_MIRROR) /* what was counted lacks it */
    for (int p = 0; p < SSAPP_IMPACT_PLANES; p++)
      reset_plane (&self->planes[p]);
  ssapp_impact_set_tell (self);
}

gboolean
ssapp_impact_set_has_layer (SsappImpactSet *self, SsappImpactLayer layer)
{
  g_return_val_if_fail (SSAPP_IS_IMPACT_SET (self), FALSE);
  return (self->layers & (guint)layer) != 0;
}

void
ssapp_impact_set_keep_other (SsappImpactSet *self, const char *label)
{
  g_return_if_fail (SSAPP_IS_IMPACT_SET (self));

  ssapp_impact_set_forget_kept (self);
  if (label != NULL && self->columns != NULL) {
    self->kept = (SsappImpactKept){
        .label = g_strdup (label), .m = self->m, .n = self->n, .columns = g_new (float *, 2 * (gsize)self->m)};
    for (int c = 0; c < 2 * self->m; c++)
      self->kept.columns[c] = g_memdup2 (self->columns[c], sizeof (float) * (gsize)self->n);
  }
  ssapp_impact_planes_recount_kept (self);
  ssapp_impact_set_tell (self);
}

const char *
ssapp_impact_set_get_other (SsappImpactSet *self)
{
  g_return_val_if_fail (SSAPP_IS_IMPACT_SET (self), NULL);
  return self->kept.label;
}

/* ---- impulse rates ---------------------------------------------------------------------------------------------- */

void
ssapp_impact_set_set_rates (SsappImpactSet *self, const double *rates, int n_pieces)
{
  g_return_if_fail (SSAPP_IS_IMPACT_SET (self));

  g_array_set_size (self->rates, 0);
  if (n_pieces > 0)
    g_array_append_vals (self->rates, rates, (guint)(MIN (n_pieces, SS_IMPACT_PIECES_MAX) * self->m));
  self->rates_contacts = self->m;
  self->has_rates_path = FALSE;
  ssapp_impact_set_tell (self);
}

const double *
ssapp_impact_set_get_rates (SsappImpactSet *self, int *n_pieces)
{
  g_return_val_if_fail (SSAPP_IS_IMPACT_SET (self), NULL);
  *n_pieces = self->m > 0 && self->rates_contacts == self->m ? (int)self->rates->len / self->m : 0;
  return *n_pieces > 0 ? (const double *)(const void *)self->rates->data : NULL;
}

enum { MOST_CORNERS = 200 };

/* How long the impact takes along equal rates [N s]; 0: not known. */
static double
usual_length (const SsappImpactSet *self)
{
  const double until[1] = {1.};
  double equal[SS_IMPACT_CONTACTS_MAX], length = 0.;
  const SsImpactRates rates = {1, until, equal};
  SsImpactPath *path = NULL;
  SsError err;

  for (int c = 0; c < self->m; c++)
    equal[c] = 1. / self->m;
  if (ss_impact_path_new (self->impact, &rates, MOST_CORNERS, &path, &err) == SS_OK)
    length = path->s[path->n_points - 1];
  ss_impact_path_free (path);
  return length;
}

static void
make_rates_path (SsappImpactSet *self, int n_pieces)
{
  double until[SS_IMPACT_PIECES_MAX], u[2 * SS_IMPACT_CONTACTS_MAX];
  const SsImpactRates rates = {n_pieces, until, (const double *)(const void *)self->rates->data};
  const double length = usual_length (self);
  SsImpactPath *path = NULL;
  SsError err;

  for (int k = 0; k < n_pieces; k++)
    until[k] = (k + 1) * (length > 0. ? length : 1.) / n_pieces;
  if (ss_impact_path_new (self->impact, &rates, MOST_CORNERS, &path, &err) != SS_OK)
    return;
  for (int k = 0; k < path->n_points; k++) {
    ss_impact_speeds (self->impact, path->v + (gsize)k * (gsize)path->n, u);
    g_array_append_vals (self->rates_path, u, 2 * (guint)self->m);
  }
  ss_impact_path_free (path);
}

const double *
ssapp_impact_set_get_rates_path (SsappImpactSet *self, int *count)
{
  g_return_val_if_fail (SSAPP_IS_IMPACT_SET (self), NULL);
  int n_pieces;

  *count = 0;
  if (self->impact == NULL || ssapp_impact_set_get_rates (self, &n_pieces) == NULL)
    return NULL;
  if (!self->has_rates_path) {
    g_array_set_size (self->rates_path, 0);
    make_rates_path (self, n_pieces);
    self->has_rates_path = TRUE;
  }
  *count = (int)self->rates_path->len / (2 * self->m);
  return *count > 0 ? (const double *)(const void *)self->rates_path->data : NULL;
}

/* ---- brush ------------------------------------------------------------------------------------------------------- */

static void
start_brush (SsappImpactSet *self, SsappBrushKind kind)
{
  self->brush = kind;
  reset_brush (self);
  ssapp_impact_set_tell (self);
}

void
ssapp_impact_set_brush (SsappImpactSet *self, int plane, const double box[4])
{
  g_return_if_fail (SSAPP_IS_IMPACT_SET (self) && plane >= 0 && plane < SSAPP_IMPACT_PLANES);

  self->brush_plane = plane;
  memcpy (self->brush_columns, self->planes[plane].columns, sizeof self->brush_columns);
  memcpy (self->brush_box, box, sizeof self->brush_box);
  start_brush (self, SSAPP_BRUSH_BOX);
}

void
ssapp_impact_set_brush_mode (SsappImpactSet *self, int number)
{
  g_return_if_fail (SSAPP_IS_IMPACT_SET (self));
  self->brush_mode = number;
  start_brush (self, SSAPP_BRUSH_MODE);
}

void
ssapp_impact_set_brush_energy (SsappImpactSet *self, double low, double high)
{
  g_return_if_fail (SSAPP_IS_IMPACT_SET (self));
  self->brush_box[0] = low;
  self->brush_box[1] = high;
  start_brush (self, SSAPP_BRUSH_ENERGY);
}

gboolean
ssapp_impact_set_get_energy_brush (SsappImpactSet *self, double range[2])
{
  g_return_val_if_fail (SSAPP_IS_IMPACT_SET (self), FALSE);
  range[0] = self->brush_box[0];
  range[1] = self->brush_box[1];
  return self->brush == SSAPP_BRUSH_ENERGY;
}

void
ssapp_impact_set_move_energy_brush (SsappImpactSet *self, int bins, gboolean widens)
{
  g_return_if_fail (SSAPP_IS_IMPACT_SET (self));
  const double bin = self->totals.energy_most / SSAPP_IMPACT_BINS;
  double range[2];

  if (!(bin > 0.))
    return;
  if (!ssapp_impact_set_get_energy_brush (self, range)) {
    ssapp_impact_set_brush_energy (self, bins > 0 ? 0. : self->totals.energy_most - bin,
                                   bins > 0 ? bin : self->totals.energy_most);
    return;
  }
  const double width = range[1] - range[0], most = self->totals.energy_most;
  if (widens)
    range[1] = CLAMP (range[1] + bins * bin, MIN (range[0] + bin, most), most);
  else
    range[1] = (range[0] = CLAMP (range[0] + bins * bin, 0., MAX (most - width, 0.))) + width;
  ssapp_impact_set_brush_energy (self, range[0], range[1]);
}

void
ssapp_impact_set_clear_brush (SsappImpactSet *self)
{
  g_return_if_fail (SSAPP_IS_IMPACT_SET (self));
  if (self->brush != SSAPP_BRUSH_NONE)
    start_brush (self, SSAPP_BRUSH_NONE);
}

gboolean
ssapp_impact_set_has_brush (SsappImpactSet *self)
{
  g_return_val_if_fail (SSAPP_IS_IMPACT_SET (self), FALSE);
  return self->brush != SSAPP_BRUSH_NONE;
}

void
ssapp_impact_set_choose_nearest (SsappImpactSet *self, int plane, const double value[2], const double scale[2])
{
  g_return_if_fail (SSAPP_IS_IMPACT_SET (self) && plane >= 0 && plane < SSAPP_IMPACT_PLANES);
  const int *columns = self->planes[plane].columns;

  if (self->columns == NULL)
    return;
  const gboolean is_brushed = self->brush != SSAPP_BRUSH_NONE && self->n_brushed > 0;
  const gint64 n = is_brushed ? self->n_masked : self->n;
  ssapp_impact_set_choose (self, ssapp_plane_nearest (self->columns[columns[0]], self->columns[columns[1]],
                                                      is_brushed ? self->mask : NULL, n, value[0], value[1], scale[0],
                                                      scale[1]));
}

/* ---- pictures ---------------------------------------------------------------------------------------------------- */

static void
add_marks (SsappImpactPicture *picture, const SsappImpactSet *self, const SsappImpactPlane *plane, GArray *rows,
           GPtrArray *labels, SsappPlaneLayer layer)
{
  const guint n = rows->len / (2 * (guint)self->m);

  for (guint k = 0; k < n; k++) {
    const double *u = &g_array_index (rows, double, k * 2 * (guint)self->m);
    const SsappPlaneMark mark = {u[plane->columns[0]], u[plane->columns[1]], layer,
                                 labels != NULL && n <= 4 ? g_ptr_array_index (labels, k) : NULL};
    g_array_append_val (picture->marks, mark);
  }
}

/* A way through the plane: rows of 2m speeds. */
static void
add_way (SsappImpactPicture *picture, const SsappImpactSet *self, const SsappImpactPlane *plane, const double *speeds,
         int n, SsappPlaneLayer layer)
{
  GArray *points = g_array_new (FALSE, FALSE, sizeof (double));

  for (int k = 0; k < n; k++)
    for (int axis = 0; axis < 2; axis++)
      g_array_append_val (points, speeds[k * 2 * self->m + plane->columns[axis]]);
  const SsappPlanePath path = {(const double *)(const void *)points->data, n, layer};
  g_array_append_val (picture->paths, path);
  g_ptr_array_add (picture->points, points);
}

/* The chosen sample's way through the plane, from before the impact. */
static void
add_path (SsappImpactPicture *picture, SsappImpactSet *self, const SsappImpactPlane *plane)
{
  SsappImpactOutcome outcome;

  if (ssapp_impact_set_get_outcome (self, &outcome) && outcome.n_steps > 0)
    add_way (picture, self, plane, outcome.speeds, outcome.n_steps + 1, SSAPP_PLANE_CHOSEN);
}

/* All velocities that the marked step allows: of interest where there are several. */
static void
add_step_outcomes (SsappImpactPicture *picture, SsappImpactSet *self, const SsappImpactPlane *plane)
{
  int count = 0;
  g_autofree double *speeds = self->step >= 0 ? ssapp_impact_set_dup_step_outcomes (self, &count) : NULL;

  for (int k = 0; k < count && count > 1; k++) {
    const double *u = speeds + (gsize)k * 2 * (gsize)self->m;
    const SsappPlaneMark mark = {u[plane->columns[0]], u[plane->columns[1]], SSAPP_PLANE_CHOSEN, NULL};
    g_array_append_val (picture->marks, mark);
  }
}

/* Ends of the compliant sweep in words; g_free. */
static char *
sweep_end (const SsappImpactSet *self, double x)
{
  const char *const *labels = ssapp_impact_source_get_labels (self->source);

  if (self->sweep == SS_COMPLIANT_RATIO)
    return g_strdup_printf ("%s soft", labels[x < 0. ? 0 : MIN (1, self->m - 1)]);
  return g_strdup_printf ("%+.2g°", x * 180. / G_PI);
}

/* The curve through the cases that ended, with words at its ends once it is whole. */
static void
add_compliant (SsappImpactPicture *picture, SsappImpactSet *self, const SsappImpactPlane *plane)
{
  const int width = 1 + 2 * self->m;
  SsappImpactStudyState state;
  const double *rows = ssapp_impact_set_get_compliant (self, &state, NULL);
  GArray *points = g_array_new (FALSE, FALSE, sizeof (double));

  for (int k = 0; rows != NULL && k < state.n_done; k++) {
    const double *row = rows + (gsize)k * (gsize)width,
                 xy[2] = {row[1 + plane->columns[0]], row[1 + plane->columns[1]]};
    if (!isfinite (xy[0]) || !isfinite (xy[1]))
      continue;
    g_array_append_vals (points, xy, 2);
    if (!state.is_running && (k == 0 || k == state.n_cases - 1)) {
      char *label = sweep_end (self, row[0]);
      const SsappPlaneMark mark = {xy[0], xy[1], SSAPP_PLANE_COMPLIANT, label};
      g_ptr_array_add (picture->texts, label);
      g_array_append_val (picture->marks, mark);
    }
  }
  const SsappPlanePath path = {(const double *)(const void *)points->data, (int)points->len / 2, SSAPP_PLANE_COMPLIANT};
  g_array_append_val (picture->paths, path);
  g_ptr_array_add (picture->points, points);
}

/* Polygons of the parts of the bound. */
static void
add_bounds (SsappImpactPicture *picture, const SsappImpactSet *self, const SsappImpactPlane *plane)
{
  for (int k = 0; self->bound != NULL && k < self->bound->n_parts; k++) {
    GArray *points = g_array_sized_new (FALSE, TRUE, sizeof (SsVec2), (guint)self->bound->parts[k].n_corners + 1);
    const int n =
        ss_impact_part_polygon (self->bound, k, plane->columns[0], plane->columns[1], (SsVec2 *)(void *)points->data);
    const SsappPlanePath path = {(const double *)(const void *)points->data, n, SSAPP_PLANE_CHOSEN};
    g_array_append_val (picture->bounds, path);
    g_ptr_array_add (picture->points, points);
  }
}

static void
fill_layers (SsappImpactSet *self, SsappImpactPlane *plane, SsappImpactPicture *picture)
{
  SsappPlaneSpec *spec = &picture->spec;

  spec->has_hull = (self->layers & SSAPP_IMPACT_LAYER_HULL) != 0;
  spec->has_points = (self->layers & SSAPP_IMPACT_LAYER_POINTS) != 0;
  if (self->layers & SSAPP_IMPACT_LAYER_BOUND)
    add_bounds (picture, self, plane);
  spec->bounds = (const SsappPlanePath *)(const void *)picture->bounds->data;
  spec->n_bounds = (int)picture->bounds->len;
  if (self->layers & SSAPP_IMPACT_LAYER_BETWEEN)
    spec->between = plane->between;
  if (self->layers & SSAPP_IMPACT_LAYER_MIRROR) {
    spec->mirror = plane->mirror;
    spec->mirror_swaps = mirror_swaps (self, plane);
  }
  if ((self->layers & SSAPP_IMPACT_LAYER_OTHER) && plane->other != NULL) {
    spec->other = plane->other;
    spec->other_label = self->kept.label;
  }
  if (self->layers & SSAPP_IMPACT_LAYER_COMPLIANT)
    add_compliant (picture, self, plane);
  if (self->layers & (SSAPP_IMPACT_LAYER_SIMULTANEOUS | SSAPP_IMPACT_LAYER_SEQUENTIAL))
    ask_laws (self);
  if (self->layers & SSAPP_IMPACT_LAYER_SEQUENTIAL)
    add_marks (picture, self, plane, self->sequential, self->way_labels, SSAPP_PLANE_SEQUENTIAL);
  if (self->layers & SSAPP_IMPACT_LAYER_SIMULTANEOUS)
    add_marks (picture, self, plane, self->simultaneous, NULL, SSAPP_PLANE_SIMULTANEOUS);
}

void
ssapp_impact_set_fill_picture (SsappImpactSet *self, int plane, const SsappStyle *style, SsappImpactPicture *picture)
{
  g_return_if_fail (SSAPP_IS_IMPACT_SET (self) && plane >= 0 && plane < SSAPP_IMPACT_PLANES);
  SsappImpactPlane *own = &self->planes[plane];
  SsappPlaneSpec *spec = &picture->spec;

  *picture = (SsappImpactPicture){.texts = g_ptr_array_new_with_free_func (g_free),
                                  .marks = g_array_new (FALSE, FALSE, sizeof (SsappPlaneMark)),
                                  .paths = g_array_new (FALSE, FALSE, sizeof (SsappPlanePath)),
                                  .bounds = g_array_new (FALSE, FALSE, sizeof (SsappPlanePath)),
                                  .points = g_ptr_array_new_with_free_func ((GDestroyNotify)g_array_unref),
                                  .looks = g_new0 (SsappJointLook, self->kinds->len + 1)};
  ssapp_plane_spec_init (spec);
  if (self->source == NULL)
    return;
  for (int axis = 0; axis < 2; axis++)
    g_ptr_array_add (picture->texts, ssapp_impact_set_dup_column_label (self, own->columns[axis]));
  spec->x_label = g_ptr_array_index (picture->texts, 0);
  spec->y_label = g_ptr_array_index (picture->texts, 1);
  if (self->columns == NULL)
    return;
  for (guint k = 0; k < self->kinds->len; k++)
    ssapp_joint_mode_look (style, g_array_index (self->kinds, SsappImpactMode, k).code, self->m, (int)k,
                           &picture->looks[k]);
  spec->looks = picture->looks;
  spec->n_looks = (int)self->kinds->len;
  spec->plane = own->all;
  if (self->brush != SSAPP_BRUSH_NONE) {
    spec->brushed = own->brushed;
    if (self->brush == SSAPP_BRUSH_BOX && self->brush_plane == plane)
      memcpy (spec->brush, self->brush_box, sizeof spec->brush);
  }
  fill_layers (self, own, picture);
  int n_corners;
  const double *corners = ssapp_impact_set_get_rates_path (self, &n_corners);
  if (corners != NULL)
    add_way (picture, self, own, corners, n_corners, SSAPP_PLANE_RATES);
  if (self->chosen >= 0 && self->chosen < self->n) {
    spec->chosen[0] = self->columns[own->columns[0]][self->chosen];
    spec->chosen[1] = self->columns[own->columns[1]][self->chosen];
    if (self->layers & SSAPP_IMPACT_LAYER_PATH)
      add_path (picture, self, own);
    add_step_outcomes (picture, self, own);
  }
  spec->marks = (const SsappPlaneMark *)(const void *)picture->marks->data;
  spec->n_marks = (int)picture->marks->len;
  spec->paths = (const SsappPlanePath *)(const void *)picture->paths->data;
  spec->n_paths = (int)picture->paths->len;
}

void
ssapp_impact_picture_clear (SsappImpactPicture *picture)
{
  g_return_if_fail (picture != NULL);
  g_ptr_array_unref (picture->texts);
  g_array_unref (picture->marks);
  g_array_unref (picture->paths);
  g_array_unref (picture->bounds);
  g_ptr_array_unref (picture->points);
  g_free (picture->looks);
}
