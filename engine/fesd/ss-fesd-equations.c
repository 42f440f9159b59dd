/* engine/fesd/ss-fesd-equations.c: states and residuals of an element. */
#include "fesd/ss-fesd-element-private.h"

#include <math.h>
#include <string.h>

void
ss_fesd_element_use_guess (SsFesdElement *e)
{
  SS_ASSERT (e != NULL && e->n_rows <= e->rows_capacity);

  const SsFesdSystem *s = e->system;
  for (int j = 0; j < e->s; j++)
    memcpy (e->acceleration + (size_t)j * (size_t)s->n_free, e->guess_a, (size_t)s->n_free * sizeof *e->guess_a);
  for (int i = 0; i < e->n_rows; i++) {
    const SsFesdRow *row = &e->rows[i];
    const double value = row->kind == SS_FESD_ROW_BILATERAL ? e->guess_b[row->item]
                         : row->kind == SS_FESD_ROW_LIMIT   ? e->guess_n[s->n_points + row->item - s->n_bilateral]
                         : row->kind == SS_FESD_ROW_DRIVE   ? e->guess_t[s->n_points + row->item - s->n_bilateral]
                         : row->kind == SS_FESD_ROW_NORMAL  ? e->guess_n[row->item]
                                                            : e->guess_t[row->item];
    for (int j = 0; j < e->s; j++)
      e->lambda[i * e->s + j] = value;
  }
  e->has_guess = true;
}

/* Poses and velocities of stage j, or of the end (j = s), from the accelerations [000 (1a) (12a)-(12d)] [002 (9)]. */
void
ss_fesd_element_set_state (SsFesdElement *e, int j)
{
  SS_ASSERT (e != NULL && e->n_rows <= e->rows_capacity);

  const SsFesdSystem *s = e->system;
  const double c = j < e->s ? e->tableau.c[j] : 1, h = e->h;
  const double *velocity = j < e->s ? e->tableau.a[j] : e->tableau.b, *position = j < e->s ? e->a2[j] : e->ba;
  double *q = e->q + (size_t)j * (size_t)s->n_q, *v = e->v + (size_t)j * (size_t)s->n_q;
  for (int i = 0; i < s->n_q; i++) {
    const int k = s->index[i];
    double dq = 0, dv = 0;
    for (int l = 0; k >= 0 && l < e->s; l++) {
      const double a = e->acceleration[l * s->n_free + k];
      dq += position[l] * a;
      dv += velocity[l] * a;
    }
    q[i] = e->q0[i] + h * (c * e->v0[i] + h * dq);
    v[i] = e->v0[i] + h * dv;
  }
}

/* The tape and the contact points at all stages. */
void
ss_fesd_element_evaluate (SsFesdElement *e)
{
  SS_ASSERT (e != NULL && e->n_rows <= e->rows_capacity);

  SsFesdSystem *s = e->system;
  for (int j = 0; j < e->s; j++) {
    const double *q = e->q + (size_t)j * (size_t)s->n_q, *v = e->v + (size_t)j * (size_t)s->n_q;
    ss_fesd_element_set_state (e, j);
    for (int i = 0; i < s->n_rows; i++)
      e->lambda_b[i] = e->given[i];
    for (int i = 0; i < e->n_rows; i++)
      if (ss_fesd_is_of_tape (e->rows[i].kind))
        e->lambda_b[e->rows[i].item] = e->lambda[i * e->s + j];
      else if (e->rows[i].kind == SS_FESD_ROW_NORMAL) /* STICK comes after it and has the same numbers */
        ss_fesd_point_at (&s->points[e->rows[i].item], q, true, &e->at[i * e->s + j]);
    ss_fesd_system_set (s, j, ss_fesd_within (e->t0, e->h, e->tableau.c[j]), q, v, e->lambda_b);
  }
  ss_fesd_system_evaluate (s, e->s);
}

/* J v of a row at a stage, prescribed motions included. */
double
ss_fesd_element_rate (const SsFesdElement *e, int i, int stage, const double *v)
{
  SS_ASSERT (e != NULL && e->n_rows <= e->rows_capacity && i >= 0 && i < e->n_rows);

  const SsFesdSystem *s = e->system;
  const SsFesdRow *row = &e->rows[i];
  double rate = 0;
  if (ss_fesd_is_of_tape (row->kind)) {
    if (row->kind == SS_FESD_ROW_DRIVE)
      rate = -ss_fesd_drive_of (s, s->n_points + row->item - s->n_bilateral)->speed;
    for (int k = 0; k < row->n; k++)
      rate += ss_fesd_row_jacobian (e, i, stage, k) * v[s->coordinate[row->column[k]]];
    for (int k = 0; k < s->n_driven; k++)
      if (s->driven[k].row == row->item)
        rate += ss_fesd_system_output (s, s->driven[k].output, stage) *
                (s->driven[k].column >= 0 ? v[s->driven[k].column] : 1);
    return rate;
  }
  const SsFesdPointAt *at = ss_fesd_row_point (e, i, stage);
  const SsFesdPoint *point = &s->points[row->item];
  const double *direction = row->kind == SS_FESD_ROW_NORMAL ? at->jn : at->jt;
  return ss_fesd_point_rate (point, direction, v);
}

double
ss_fesd_element_gap (const SsFesdElement *e, int i, int stage)
{
  SS_ASSERT (e != NULL && e->n_rows <= e->rows_capacity && i >= 0 && i < e->n_rows);

  const SsFesdSystem *s = e->system;
  const SsFesdRow *row = &e->rows[i];
  if (row->kind == SS_FESD_ROW_NORMAL)
    return ss_fesd_row_point (e, i, stage)->phi - e->offset[row->item];
  if (row->kind == SS_FESD_ROW_DRIVE)
    return 0; /* it holds a rate alone */
  const double phi = ss_fesd_system_phi (s, row->item, stage);
  return row->kind == SS_FESD_ROW_LIMIT ? phi - e->offset[s->n_points + row->item - s->n_bilateral] : phi;
}

static double
residual_of_row (const SsFesdElement *e, int i, int stage)
{
  return ss_fesd_element_rate (e, i, stage, e->v + (size_t)stage * (size_t)e->system->n_q) / e->h;
}

/* M V_j - f - J' lambda of all coordinates and stages, over M, into the islands' right-hand sides with minus; rows
 * likewise [000 (1b) (2)] [002 (10)]. */
void
ss_fesd_element_set_residuals (SsFesdElement *e)
{
  SS_ASSERT (e != NULL && e->n_rows <= e->rows_capacity);

  const SsFesdSystem *s = e->system;
  for (int c = 0; c < s->n_free; c++) {
    const SsFesdIsland *island = &e->islands[e->island_of[c]];
    const int width = island->n + island->m;
    for (int j = 0; j < e->s; j++) {
      const double a = ss_fesd_system_force (s, c, j) / s->mass[c];
      if (island->is_trivial)
        e->acceleration[j * s->n_free + c] = a;
      else
        e->rhs[island->rhs + j * width + e->local[c]] = a - e->acceleration[j * s->n_free + c];
    }
  }
  for (int i = 0; i < e->n_rows; i++) {
    const SsFesdRow *row = &e->rows[i];
    if (row->island < 0)
      continue;
    const SsFesdIsland *island = &e->islands[row->island];
    const int width = island->n + island->m;
    const bool is_of_tape = ss_fesd_is_of_tape (row->kind);
    for (int j = 0; j < e->s; j++) {
      double *rhs = e->rhs + island->rhs + j * width;
      rhs[island->n + row->local] = -residual_of_row (e, i, j);
      for (int k = 0; !is_of_tape && k < row->n; k++)
        rhs[e->local[row->column[k]]] +=
            ss_fesd_row_push (e, i, j, k) * e->lambda[i * e->s + j] / s->mass[row->column[k]];
    }
  }
}

/* Unit of each row's force: what one of it does to the row, at the first stage. */
void
ss_fesd_element_set_weights (SsFesdElement *e)
{
  SS_ASSERT (e != NULL && e->n_rows <= e->rows_capacity);

  const SsFesdSystem *s = e->system;
  for (int i = 0; i < e->n_rows; i++) {
    SsFesdRow *row = &e->rows[i];
    double w = 0;
    for (int k = 0; k < row->n; k++)
      w += ss_fesd_row_jacobian (e, i, 0, k) * ss_fesd_row_jacobian (e, i, 0, k) / s->mass[row->column[k]];
    row->weight = w > 0 && isfinite (w) ? 1 / w : 1;
  }
}
