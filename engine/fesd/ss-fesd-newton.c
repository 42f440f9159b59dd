/* engine/fesd/ss-fesd-newton.c: the equations of an element solved by Newton's method. */
#include "fesd/ss-fesd-element-private.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { NEWTON_MAX = 25, SIMPLIFIED_MAX = 50, REDUNDANT_MIN = 3 };

/* Newton's method has converged when its step is below this part of the velocities: some roundings. */
static const double converged = 2e-15;
/* Newton's method has converged as well when its step no longer shrinks and is below `stagnant`, or below this many
 * roundings of a gap divided by the element's length. */
static const double stagnant = 1e-10, gap_roundings = 256;
/* Islands of at least so many unknowns begin with the simplified Newton method; in smaller ones the exact matrix costs
 * less than the additional steps. */
static const int simplified_size = 18;
/* The simplified method goes on while each step is at most this part of the one before, and while its steps up to so
 * many digits cost less than `newton_steps` steps with the exact matrix; costs are counted in multiplications. */
static const double simplified_ratio = 0.5, digits = 14, newton_steps = 3, entry_cost = 20, unknown_cost = 200;
/* A simplified step below the rounding that is more than this part of the one before has converged. */
static const double rounding_ratio = 0.5;

/* ---- matrix ------------------------------------------------------------------------------------------------------ */

/* Adds `value` d / d q and `rate` d / d v of stage j in a column of V to the row `at` of the matrix, for all stages. */
static void
add_state (const SsFesdElement *e, const SsFesdIsland *island, int at, int column, int j, double by_q, double by_v)
{
  const int width = island->n + island->m;
  for (int k = 0; k < e->s; k++)
    *ss_fesd_entry (e, island, at, k * width + column) +=
        by_q * e->h * e->h * e->a2[j][k] + by_v * e->h * e->tableau.a[j][k];
}

static void
add_forces (const SsFesdElement *e, const SsFesdIsland *island, const SsFesdEntry *entries, int n, bool by_velocity)
{
  const SsFesdSystem *s = e->system;
  const int width = island->n + island->m, of = (int)(island - e->islands);
  for (int i = 0; i < n; i++)
    for (int j = 0; e->island_of[entries[i].row] == of && j < e->s; j++) {
      const double value = -ss_fesd_system_output (s, entries[i].output, j) / s->mass[entries[i].row];
      add_state (e, island, j * width + e->local[entries[i].row], e->local[entries[i].column], j,
                 by_velocity ? 0 : value, by_velocity ? value : 0);
    }
}

/* Of a row: its force in the equations of motion, its equation, and what its direction's change does. */
static void
add_row (const SsFesdElement *e, int i)
{
  const SsFesdSystem *s = e->system;
  const SsFesdRow *row = &e->rows[i];
  const SsFesdIsland *island = &e->islands[row->island];
  const int width = island->n + island->m;
  const bool is_of_tape = ss_fesd_is_of_tape (row->kind);
  for (int j = 0; j < e->s; j++) {
    const int force = j * width + island->n + row->local;
    const double lambda = e->lambda[i * e->s + j], scale = 1 / e->h;
    const double *v = e->v + (size_t)j * (size_t)s->n_q;
    for (int k = 0; k < row->n; k++) {
      const int c = row->column[k], local = e->local[c];
      *ss_fesd_entry (e, island, j * width + local, force) = -ss_fesd_row_push (e, i, j, k) * row->weight / s->mass[c];
      add_state (e, island, force, local, j, 0, scale * ss_fesd_row_jacobian (e, i, j, k));
    }
    if (is_of_tape) {
      for (int k = e->swing_first[row->item]; k < e->swing_first[row->item + 1]; k++)
        add_state (e, island, force, e->local[s->swing[k].column], j,
                   scale * ss_fesd_system_output (s, s->swing[k].output, j), 0);
      continue;
    }
    const SsFesdPointAt *at = ss_fesd_row_point (e, i, j);
    const SsFesdPoint *point = &s->points[row->item];
    for (int l = 0; l < row->n; l++) {
      const int column = e->local[row->column[l]], of = row->source[l];
      for (int k = 0; k < row->n; k++) {
        const int in = row->source[k];
        const double turn =
            row->kind == SS_FESD_ROW_STICK ? at->ht[in][of] : at->hn[in][of] + row->friction * at->ht[in][of];
        add_state (e, island, j * width + e->local[row->column[k]], column, j, -turn * lambda / s->mass[row->column[k]],
                   0);
      }
      double swing = 0; /* of J v with the direction */
      for (int k = 0; k < SS_FESD_POINT_N; k++)
        swing += (row->kind == SS_FESD_ROW_STICK ? at->ht[k][of] : at->hn[k][of]) * v[3 * point->body[k / 3] + k % 3];
      add_state (e, island, force, column, j, scale * swing, 0);
    }
  }
}

/* W + redundancy I in the place of W = J M^-1 J' in units of the row's weight: the shortest step of the forces. */
static void
add_redundancy (const SsFesdElement *e, const SsFesdIsland *island)
{
  const int width = island->n + island->m;
  for (int r = 0; r < island->m; r++)
    for (int j = 0; j < e->s; j++)
      for (int k = 0; k < e->s; k++)
        *ss_fesd_entry (e, island, j * width + island->n + r, k * width + island->n + r) +=
            ss_fesd_redundancy * e->tableau.a[j][k];
}

static void
assemble (SsFesdElement *e, const SsFesdIsland *island)
{
  const SsFesdSystem *s = e->system;
  const int width = island->n + island->m;
  const size_t size = (size_t)e->s * (size_t)width;
  double *matrix = e->matrix + island->matrix;
  memset (matrix, 0, (island->band > 0 ? ss_fesd_band_numbers (e, island) : size * size) * sizeof *matrix);
  for (int j = 0; j < e->s; j++)
    for (int k = 0; k < island->n; k++)
      *ss_fesd_entry (e, island, j * width + k, j * width + k) = 1;
  if (island->is_redundant && island->band > 0)
    add_redundancy (e, island);
  add_forces (e, island, s->fq, s->n_fq, false);
  add_forces (e, island, s->fv, s->n_fv, true);
  for (int i = 0; i < island->m; i++)
    add_row (e, e->row_order[island->first_row + i]);
}

/* Factors an island's matrix; once more with shared forces where its rows turn out to be redundant. */
static bool
factor (SsFesdElement *e, SsFesdIsland *island)
{
  const int size = e->s * (island->n + island->m);
  double *matrix = e->matrix + island->matrix;
  for (;;) {
    assemble (e, island);
    const bool is_band = island->band > 0;
    if (island->is_redundant && !is_band)
      return ss_fesd_least_factor (e, island, size);
    const bool is_well =
        is_band ? ss_fesd_band_factor (e, island) : ss_dense_lu (size, matrix, size, e->pivot + island->pivot) == SS_OK;
    if (island->is_redundant || island->m == 0)
      return is_well;
    if (is_well && !(is_band ? ss_fesd_band_is_singular (e, island, ss_fesd_singular_pivot)
                             : ss_fesd_is_singular (matrix, (size_t)size)))
      return true;
    island->is_redundant = true;
  }
}

/* Adds the step that the right-hand side holds; returns its largest change of a velocity. */
static double
take_step (SsFesdElement *e, const SsFesdIsland *island)
{
  const SsFesdSystem *s = e->system;
  const int width = island->n + island->m;
  double largest = 0;
  for (int j = 0; j < e->s; j++) {
    const double *step = e->rhs + island->rhs + j * width;
    for (int k = 0; k < island->n; k++) {
      const int c = e->coordinates[island->first_coordinate + k];
      e->acceleration[j * s->n_free + c] += step[k];
      largest = fmax (largest, e->h * fabs (step[k]));
      if (!isfinite (step[k]))
        return INFINITY;
    }
    for (int k = 0; k < island->m; k++) {
      const int row = e->row_order[island->first_row + k];
      e->lambda[row * e->s + j] += e->rows[row].weight * step[island->n + k];
    }
  }
  return largest;
}

/* Largest velocity of an island, and of what it gains within the element. *rounding: steps that may be no more than
 * that. */
static double
scale_of (const SsFesdElement *e, const SsFesdIsland *island, double *rounding)
{
  const SsFesdSystem *s = e->system;
  double scale = 1e-3; /* m/s: below that, rounding of the other terms decides */
  double place = s->size;
  for (int k = 0; k < island->n; k++) {
    const int c = e->coordinates[island->first_coordinate + k];
    scale = fmax (scale, fabs (e->v0[s->coordinate[c]]));
    place = fmax (place, fabs (e->q0[s->coordinate[c]]));
    for (int j = 0; j < e->s; j++)
      scale = fmax (scale, e->h * fabs (e->acceleration[j * s->n_free + c]));
  }
  *rounding = fmax (fmax (stagnant * scale, gap_roundings * DBL_EPSILON * place / e->h), island->noise);
  return scale;
}

/* The ratio of steps of the simplified method at which as many of them as it needs cost as much as exact ones. */
static double
worthwhile_ratio (const SsFesdElement *e, const SsFesdIsland *island)
{
  const double size = e->s * (island->n + island->m), m = island->m;
  const double b = island->band;
  const double exact = newton_steps * (b > 0 ? 2 * size * b * b + entry_cost * size * b
                                             : 2.0 / 3 * size * size * size + entry_cost * size * size);
  const double simplified = 2 * e->s * m * m + unknown_cost * size;
  return fmin (simplified_ratio, pow (10, -digits * simplified / exact));
}

/* Ready for a solution of length h. */
static void
prepare (SsFesdElement *e, double h)
{
  e->h = h;
  /* shared forces are to depend on the length alone, not on the lengths that were tried before */
  for (int i = 0; i < e->n_islands; i++)
    e->has_guess = e->has_guess && !e->islands[i].is_redundant;
  if (!e->has_guess)
    ss_fesd_element_use_guess (e);
  for (int i = 0; i < e->n_islands; i++) {
    SsFesdIsland *island = &e->islands[i];
    island->is_done = island->is_trivial;
    island->is_factored = island->is_redundant = false;
    island->is_simplified = e->s * (island->n + island->m) >= simplified_size && ss_fesd_simplified_fits (e, island);
    island->ratio = island->is_simplified ? worthwhile_ratio (e, island) : 0;
    island->steps = 0;
    island->noise = 0;
    island->last = INFINITY;
  }
}

/* One step of an island; false where there is none. */
static bool
iterate (SsFesdElement *e, SsFesdIsland *island)
{
  const int size = e->s * (island->n + island->m);
  if (!island->is_factored && !(island->is_simplified ? ss_fesd_simplified_factor (e, island) : factor (e, island)))
    return false;
  island->is_factored = true;
  if (island->is_simplified)
    ss_fesd_simplified_step (e, island);
  else if (island->band > 0)
    ss_fesd_band_solve (e, island);
  else
    ss_fesd_dense_solve (e, island, size, e->rhs + island->rhs);
  double rounding;
  const double change = take_step (e, island), scale = scale_of (e, island, &rounding);
  if (!isfinite (change))
    return false;
  const double ratio = change / island->last;
  island->last = change;
  island->steps++;
  /* shared forces gain seven digits a step that velocities do not show */
  const bool is_early = island->is_redundant && island->steps < REDUNDANT_MIN;
  if (!island->is_simplified) {
    island->is_done = !is_early && (change <= converged * scale || (change <= rounding && ratio > 0.1));
    /* the old matrix serves while it gains three digits a step */
    island->is_factored = ratio < 1e-3 || change <= 1e-9 * scale;
    return true;
  }
  /* steps that shrink by a ratio are followed by that part of them */
  const double left = island->steps > 1 ? fmin (ratio, 1) * change : change;
  island->is_done = !is_early && (left <= converged * scale || (change <= rounding && ratio > rounding_ratio));
  if (!island->is_done && island->steps > 1 && ratio > island->ratio && change > rounding) {
    island->is_simplified = island->is_factored = false;
    island->last = INFINITY;
  }
  return true;
}

bool
ss_fesd_element_solve (SsFesdElement *e, double h)
{
  SS_ASSERT (e != NULL && h > 0);

  bool is_done = false, is_well = true;
  prepare (e, h);
  for (int iteration = 0; iteration < NEWTON_MAX + SIMPLIFIED_MAX && is_well && !is_done; iteration++) {
    e->iterations++;
    ss_fesd_element_evaluate (e);
    if (iteration == 0)
      ss_fesd_element_set_weights (e);
    ss_fesd_element_set_residuals (e);
    is_done = true;
    for (int i = 0; is_well && i < e->n_islands; i++) {
      SsFesdIsland *island = &e->islands[i];
      if (!island->is_done)
        is_well = iterate (e, island);
      is_done = is_done && island->is_done;
    }
  }
  if (is_well)
    for (int j = 0; j <= e->s; j++)
      ss_fesd_element_set_state (e, j);
  e->has_guess = is_well && is_done;
  return e->has_guess;
}
