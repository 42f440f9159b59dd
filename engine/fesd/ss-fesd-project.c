/* engine/fesd/ss-fesd-project.c: a state moved onto the rows of the modes. */
#include "fesd/ss-fesd-element-private.h"

#include <float.h>
#include <math.h>

enum { PROJECTIONS_MAX = 8 };

/* The direction of a row's correction: its gradient, or that in which its force acts, friction included. */
static double
direction (const SsFesdElement *e, int row, int k, bool along_forces)
{
  return along_forces ? ss_fesd_row_push (e, row, 0, k) : ss_fesd_row_jacobian (e, row, 0, k);
}

/* Solves J M^-1 D' x = r of the island's rows and their directions at stage 0 of what was evaluated, x in place of r
 * (by local row). */
static bool
solve_rows (SsFesdElement *e, SsFesdIsland *island, bool along_forces, double *r)
{
  const SsFesdSystem *s = e->system;
  const int m = island->m;
  double *matrix = e->matrix + island->matrix, *spread = matrix + (size_t)m * (size_t)m; /* n numbers behind m^2 */
  for (int k = 0; k < island->n; k++)
    spread[k] = 0;
  for (int j = 0; j < m; j++) {
    const int rj = e->row_order[island->first_row + j];
    const SsFesdRow *from = &e->rows[rj];
    for (int l = 0; l < from->n; l++)
      spread[e->local[from->column[l]]] = direction (e, rj, l, along_forces) * from->weight / s->mass[from->column[l]];
    for (int i = 0; i < m; i++) {
      const int ri = e->row_order[island->first_row + i];
      const SsFesdRow *to = &e->rows[ri];
      double sum = i == j ? 1e-13 : 0;
      for (int k = 0; k < to->n; k++)
        sum += ss_fesd_row_jacobian (e, ri, 0, k) * spread[e->local[to->column[k]]];
      matrix[(size_t)j * (size_t)m + (size_t)i] = sum;
    }
    for (int l = 0; l < from->n; l++)
      spread[e->local[from->column[l]]] = 0;
  }
  if (ss_dense_lu (m, matrix, m, e->pivot + island->pivot) != SS_OK)
    return false;
  ss_dense_lu_solve (m, matrix, m, e->pivot + island->pivot, r);
  return true;
}

static void
evaluate_at (SsFesdElement *e, double t, const double *q, const double *v)
{
  SsFesdSystem *s = e->system;
  ss_fesd_system_set (s, 0, t, q, v, NULL);
  ss_fesd_system_evaluate (s, 1);
  for (int i = 0; i < e->n_rows; i++)
    if (e->rows[i].kind == SS_FESD_ROW_NORMAL)
      ss_fesd_point_at (&s->points[e->rows[i].item], q, false, &e->at[i * e->s]);
}

/* x += M^-1 D' r over the rows of the island. */
static void
push_rows (const SsFesdElement *e, const SsFesdIsland *island, bool along_forces, const double *r, double *x)
{
  const SsFesdSystem *s = e->system;
  for (int i = 0; i < island->m; i++) {
    const int row = e->row_order[island->first_row + i];
    for (int k = 0; k < e->rows[row].n; k++) {
      const int c = e->rows[row].column[k];
      x[s->coordinate[c]] += direction (e, row, k, along_forces) * e->rows[row].weight * r[i] / s->mass[c];
    }
  }
}

bool
ss_fesd_element_project (SsFesdElement *e, double t, double *q, double *v, bool positions)
{
  SS_ASSERT (e != NULL && q != NULL && v != NULL);

  /* what is missing where c_n < 1 is the forces' work after the last stage: the end has the full order along them */
  const bool along_forces = positions && !e->tableau.ends_at_one;
  bool is_done = !positions || e->n_rows == 0;
  double place = e->system->size; /* gaps know no more than the rounding of poses */
  for (int i = 0; positions && i < e->system->n_q; i++)
    place = fmax (place, fabs (q[i]));
  for (int round = 0; !is_done && round < PROJECTIONS_MAX; round++) {
    double largest = 0;
    evaluate_at (e, t, q, v);
    ss_fesd_element_set_weights (e);
    for (int i = 0; i < e->n_islands; i++) {
      SsFesdIsland *island = &e->islands[i];
      double *r = e->rhs + island->rhs, open = 0;
      for (int k = 0; k < island->m; k++) {
        const int row = e->row_order[island->first_row + k];
        r[k] = e->rows[row].kind == SS_FESD_ROW_STICK ? 0 : -ss_fesd_element_gap (e, row, 0);
        open = fmax (open, fabs (r[k]));
      }
      largest = fmax (largest, open);
      if (open <= DBL_EPSILON * place) /* no better by another solution */
        continue;
      if (!solve_rows (e, island, along_forces, r))
        return false;
      push_rows (e, island, along_forces, r, q);
    }
    is_done = largest <= 16 * DBL_EPSILON * place;
  }
  if (e->n_rows == 0)
    return true;
  evaluate_at (e, t, q, v);
  ss_fesd_element_set_weights (e);
  for (int i = 0; i < e->n_islands; i++) {
    SsFesdIsland *island = &e->islands[i];
    double *r = e->rhs + island->rhs;
    for (int k = 0; k < island->m; k++)
      r[k] = -ss_fesd_element_rate (e, e->row_order[island->first_row + k], 0, v);
    if (island->m > 0 && !solve_rows (e, island, along_forces, r))
      return false;
    push_rows (e, island, along_forces, r, v);
  }
  return is_done;
}
