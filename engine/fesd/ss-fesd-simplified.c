/* engine/fesd/ss-fesd-simplified.c: steps of the simplified Newton method for an element.
 *
 * With one Jacobian J for all stages (the mean of theirs) and without what forces change with the state, the stages
 * decouple: the rows' equations (a (x) W) dlambda = r of section 3.1, W = J M^-1 (n + friction t), become W dlambda_j =
 * (a^-1 r)_j. So one small matrix serves all stages, all lengths and all iterations. The
 * residuals stay exact: what the steps converge to is the solution, at a rate of h times the bodies' turning. Used for
 * large islands while that rate is good; Hairer, Wanner: Solving Ordinary Differential Equations II, section IV.8. */
#include "fesd/ss-fesd-element-private.h"

#include "linalg/ss-dense-least.h"

#include <float.h>
#include <math.h>
#include <string.h>

bool
ss_fesd_is_singular (const double *lu, size_t size)
{
  for (size_t i = 0; i < size; i++)
    if (!(fabs (lu[i * (size + 1)]) > ss_fesd_singular_pivot))
      return true;
  return false;
}

bool
ss_fesd_least_factor (SsFesdElement *e, SsFesdIsland *island, int size)
{
  SS_ASSERT (e != NULL && e->n_rows <= e->rows_capacity && island != NULL && island->n >= 0 && island->m >= 0);
  island->rank = ss_dense_least (size, e->matrix + island->matrix, size, ss_fesd_singular_pivot,
                                 e->factor + 2 * island->pivot, e->pivot + island->pivot);
  return island->rank > 0;
}

void
ss_fesd_dense_solve (const SsFesdElement *e, const SsFesdIsland *island, int size, double *b)
{
  SS_ASSERT (e != NULL && e->n_rows <= e->rows_capacity && island != NULL && island->n >= 0 && island->m >= 0);

  const double *matrix = e->matrix + island->matrix;
  if (island->is_redundant)
    ss_dense_least_solve (size, matrix, size, island->rank, e->factor + 2 * island->pivot, e->pivot + island->pivot, b);
  else
    ss_dense_lu_solve (size, matrix, size, e->pivot + island->pivot, b);
}

/* Of a row, the mean over the stages by the tableau's weights. */
static double
mean_of (const SsFesdElement *e, int row, int k, double (*of) (const SsFesdElement *, int, int, int))
{
  double sum = 0;
  for (int j = 0; j < e->s; j++)
    sum += e->tableau.b[j] * of (e, row, j, k);
  return sum;
}

/* W in units of the rows' weights; `spread`: place for n numbers that are 0, and left so. */
static void
set_matrix (SsFesdElement *e, const SsFesdIsland *island, double *matrix, double *spread)
{
  const SsFesdSystem *s = e->system;
  const int m = island->m;
  double *mean = spread + island->n; /* m rows of SS_FESD_POINT_N */
  for (int i = 0; i < m; i++) {
    const int row = e->row_order[island->first_row + i];
    for (int k = 0; k < e->rows[row].n; k++)
      mean[i * SS_FESD_POINT_N + k] = mean_of (e, row, k, ss_fesd_row_jacobian);
  }
  for (int l = 0; l < m; l++) {
    const int pushing = e->row_order[island->first_row + l];
    const SsFesdRow *from = &e->rows[pushing];
    for (int k = 0; k < from->n; k++)
      spread[e->local[from->column[k]]] +=
          mean_of (e, pushing, k, ss_fesd_row_push) * from->weight / s->mass[from->column[k]];
    for (int i = 0; i < m; i++) {
      const SsFesdRow *to = &e->rows[e->row_order[island->first_row + i]];
      double sum = 0;
      for (int k = 0; k < to->n; k++)
        sum += mean[i * SS_FESD_POINT_N + k] * spread[e->local[to->column[k]]];
      matrix[(size_t)l * (size_t)m + (size_t)i] = sum;
    }
    for (int k = 0; k < from->n; k++)
      spread[e->local[from->column[k]]] = 0;
  }
}

bool
ss_fesd_simplified_fits (const SsFesdElement *e, const SsFesdIsland *island)
{
  SS_ASSERT (e != NULL && e->n_rows <= e->rows_capacity && island != NULL && island->n >= 0 && island->m >= 0);

  const size_t size = (size_t)e->s * (size_t)(island->n + island->m), m = (size_t)island->m;
  return size * size >= m * m + (size_t)island->n + m * SS_FESD_POINT_N;
}

/* What a rounding of all rates together does to the velocities: long chains and high stacks enlarge it. `y`, `spread`:
 * places for m numbers, and for n. */
static double
noise_of (const SsFesdElement *e, const SsFesdIsland *island, double *y, double *spread)
{
  const SsFesdSystem *s = e->system;
  double largest = 0, by_rate = 0, speed = 0;
  for (int j = 0; j < e->s; j++) {
    double a = 0;
    for (int k = 0; k < e->s; k++)
      a += fabs (e->a_inverse[j][k]);
    by_rate = fmax (by_rate, a);
  }
  for (int k = 0; k < island->n; k++) {
    const int c = s->coordinate[e->coordinates[island->first_coordinate + k]];
    speed = fmax (speed, fabs (e->v0[c]));
    spread[k] = 0;
  }
  for (int i = 0; i < island->m; i++)
    y[i] = DBL_EPSILON * by_rate * speed / e->h;
  ss_fesd_dense_solve (e, island, island->m, y);
  for (int i = 0; i < island->m; i++) {
    const int row = e->row_order[island->first_row + i];
    const SsFesdRow *r = &e->rows[row];
    for (int k = 0; k < r->n; k++)
      spread[e->local[r->column[k]]] += ss_fesd_row_push (e, row, 0, k) * r->weight * y[i] / s->mass[r->column[k]];
  }
  for (int k = 0; k < island->n; k++)
    largest = fmax (largest, e->h * fabs (spread[k]));
  return largest;
}

bool
ss_fesd_simplified_factor (SsFesdElement *e, SsFesdIsland *island)
{
  SS_ASSERT (e != NULL && e->n_rows <= e->rows_capacity && island != NULL && island->n >= 0 && island->m >= 0);

  const size_t m = (size_t)island->m;
  double *matrix = e->matrix + island->matrix, *spread = matrix + m * m;
  for (int round = island->is_redundant; round < 2; round++) {
    memset (spread, 0, (size_t)island->n * sizeof *spread);
    set_matrix (e, island, matrix, spread);
    const bool is_well = island->is_redundant
                             ? ss_fesd_least_factor (e, island, island->m)
                             : ss_dense_lu (island->m, matrix, island->m, e->pivot + island->pivot) == SS_OK &&
                                   !ss_fesd_is_singular (matrix, m);
    if (is_well)
      island->noise = noise_of (e, island, spread + island->n, spread);
    if (is_well || island->is_redundant)
      return is_well;
    island->is_redundant = true;
  }
  return false;
}

/* Right-hand side of a row less what the accelerations' residuals do to it: at all stages. */
static void
reduce_row (SsFesdElement *e, const SsFesdIsland *island, int local)
{
  const int width = island->n + island->m, row = e->row_order[island->first_row + local];
  const SsFesdRow *r = &e->rows[row];
  double *rhs = e->rhs + island->rhs, reduced[SS_FESD_STAGES];
  for (int j = 0; j < e->s; j++) {
    const double *a = e->tableau.a[j];
    reduced[j] = rhs[j * width + island->n + local];
    for (int k = 0; k < r->n; k++) {
      const double jacobian = ss_fesd_row_jacobian (e, row, j, k);
      for (int l = 0; l < e->s; l++)
        reduced[j] -= a[l] * jacobian * rhs[l * width + e->local[r->column[k]]];
    }
  }
  for (int j = 0; j < e->s; j++) {
    double sum = 0;
    for (int k = 0; k < e->s; k++)
      sum += e->a_inverse[j][k] * reduced[k];
    rhs[j * width + island->n + local] = sum;
  }
}

void
ss_fesd_simplified_step (SsFesdElement *e, const SsFesdIsland *island)
{
  SS_ASSERT (e != NULL && e->n_rows <= e->rows_capacity && island != NULL && island->n >= 0 && island->m >= 0);

  const SsFesdSystem *s = e->system;
  const int width = island->n + island->m, m = island->m;
  for (int i = 0; i < m; i++)
    reduce_row (e, island, i);
  for (int j = 0; j < e->s; j++) {
    double *step = e->rhs + island->rhs + j * width;
    ss_fesd_dense_solve (e, island, m, step + island->n);
    for (int i = 0; i < m; i++) {
      const int row = e->row_order[island->first_row + i];
      const SsFesdRow *r = &e->rows[row];
      for (int k = 0; k < r->n; k++)
        step[e->local[r->column[k]]] +=
            ss_fesd_row_push (e, row, j, k) * r->weight * step[island->n + i] / s->mass[r->column[k]];
    }
  }
}
