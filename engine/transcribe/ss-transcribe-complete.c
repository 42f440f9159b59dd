/* engine/transcribe/ss-transcribe-complete.c: what a motion to start from lacks: forces by corner, points of action,
 * slips, forces of joints and limits.
 *
 * Of each step the generalised force that explains the change of velocity, M (v1 - v0)/h - f(q0, v0, u0), is known; it
 * is put together of what may act at the end's poses: closed gaps, each in its friction cone (sliding: on the side that
 * brakes; two generators otherwise; where faces touch, at both ends of what they share), joints, closed limits. The
 * least squares over nonnegative multiples of these, weighted by the inverse masses, are a linear complementarity
 * problem (Lawson and Hanson, Solving Least Squares Problems, ch. 23), solved by Lemke's method with a shift that makes
 * it definite. A motion that obeys the law is met to rounding, and so are the rows of its plan. */
#include "lcp/ss-lcp.h"
#include "transcribe/ss-transcribe-private.h"

#include "dynamics/ss-dynamics.h"

#include <math.h>
#include <string.h>

/* A gap that is closed [m]; a speed that is none [m/s]. */
static const double closed = 1e-6, standing = 1e-8;
/* Of the largest diagonal entry. */
static const double shift = 1e-13;
enum { MAX_COLUMNS = 256 };

/* A generator: a force of one on the coordinates of two bodies. */
typedef struct {
  int body[2]; /* -1: the world */
  double j[6];
  int point; /* of the transcription, -1: a row */
  double n, t, share;
  int row; /* variable of a joint or limit, SS_NO_VARIABLE: none */
  double sign;
} Column;

typedef struct {
  const SsTranscription *t;
  SsDynamics *dynamics;
  SsLemke *lemke;
  SsRow *joint_rows;
  Column *columns; /* MAX_COLUMNS */
  int n_columns;
  double *wrench, *m, *q, *z, *normal, *tangential, *moment, *u; /* scratch */
  const bool *is_known;                                          /* n_points: its forces are those of the motion */
} Completion;

/* ---- generators -------------------------------------------------------------------------------------------------- */

static void
add_column (Completion *c, const Column *column)
{
  if (c->n_columns < MAX_COLUMNS)
    c->columns[c->n_columns++] = *column;
}

/* A force at a gap's points: n along its normal, t along its tangent, on b; opposite on a. */
static Column
force_column (const SsPlanPoint *point, int number, const SsGap *gap, const double *pose, double n, double t,
              double share)
{
  const SsVec2 f = {n * gap->normal.x + t * gap->normal.y, n * gap->normal.y - t * gap->normal.x};
  const double *a = pose + 3 * point->body_a, *b = pose + 3 * point->body_b;
  Column column = {
      .body = {point->body_a, point->body_b}, .point = number, .n = n, .t = t, .share = share, .row = SS_NO_VARIABLE};

  column.j[0] = -f.x;
  column.j[1] = -f.y;
  column.j[2] = -((gap->point_a.x - a[0]) * f.y - (gap->point_a.y - a[1]) * f.x);
  column.j[3] = f.x;
  column.j[4] = f.y;
  column.j[5] = (gap->point_b.x - b[0]) * f.y - (gap->point_b.y - b[1]) * f.x;
  return column;
}

static double
slip_of (const SsPlanPoint *point, const SsGap *gap, const double *q, const double *v)
{
  const double *a = q + 3 * point->body_a, *b = q + 3 * point->body_b, *va = v + 3 * point->body_a,
               *vb = v + 3 * point->body_b;
  const double x = vb[0] - vb[2] * (gap->point_b.y - b[1]) - (va[0] - va[2] * (gap->point_a.y - a[1])),
               y = vb[1] + vb[2] * (gap->point_b.x - b[0]) - (va[1] + va[2] * (gap->point_a.x - a[0]));

  return gap->normal.y * x - gap->normal.x * y;
}

static void
add_point (Completion *c, int number, const double *q, const double *v, double *x)
{
  const SsPlanPoint *point = &c->t->points[number];
  const double mu = c->t->scene->contacts[point->contact].mu;
  double ends[2][1 + SS_GAP_WEIGHTS_MAX] = {{0}};
  SsGap gap, other;

  ss_gap_expr_value (&point->pair, q + 3 * point->body_a, q + 3 * point->body_b, x + point->lifted, &gap);
  const double slip = slip_of (point, &gap, q, v);
  if (point->slip != SS_NO_VARIABLE)
    x[point->slip] = fmax (slip, 0);
  if (point->end_slip != SS_NO_VARIABLE)
    x[point->end_slip] = fmax (slip, 0);
  if (gap.phi > closed || c->is_known[number])
    return;
  for (int end = 0; end < 2; end++) {
    ss_gap_expr_lift_at (&point->pair, q + 3 * point->body_a, q + 3 * point->body_b, end, ends[end]);
    if (point->pair.kind == SS_GAP_HULLS)
      ss_gap_expr_value (&point->pair, q + 3 * point->body_a, q + 3 * point->body_b, ends[end], &other);
    else
      other = gap;
    const double t = point->lambda_t == SS_NO_VARIABLE ? 0 : mu;
    Column forward = force_column (point, number, &other, q, 1, -t, end),
           back = force_column (point, number, &other, q, 1, t, end);

    if (slip > -standing || t == 0)
      add_column (c, &forward);
    if (slip < standing && t != 0)
      add_column (c, &back);
    if (point->pair.kind != SS_GAP_HULLS ||
        memcmp (ends[0], ends[1], sizeof (double) * (size_t)ss_gap_n_lifted (&point->pair)) == 0)
      break;
  }
}

/* The variable of a joint's row or limit. */
static int
variable_of (const SsTranscription *t, const SsRow *row)
{
  for (int i = 0; i < t->n_rows; i++)
    if (t->rows[i].joint == row->source && t->rows[i].index == row->index &&
        t->rows[i].is_limit == (row->kind == SS_ROW_LIMIT))
      return t->rows[i].variable;
  return SS_NO_VARIABLE;
}

static void
add_rows (Completion *c, const double *q, const double *v)
{
  for (int limits = 0; limits < 2; limits++) {
    const int n = limits ? ss_dynamics_limit_rows (c->dynamics, q, v, c->joint_rows)
                         : ss_dynamics_joint_rows (c->dynamics, q, v, c->joint_rows);

    for (int i = 0; i < n; i++) {
      const SsRow *row = &c->joint_rows[i];
      Column column = {.body = {row->body[0], row->body[1]}, .point = -1, .row = variable_of (c->t, row), .sign = 1};

      if (limits && row->phi > closed)
        continue;
      memcpy (column.j, row->j, sizeof column.j);
      add_column (c, &column);
      for (int k = 0; k < 6; k++)
        column.j[k] = -column.j[k];
      column.sign = -1;
      if (!limits)
        add_column (c, &column);
    }
  }
}

/* ---- a step ------------------------------------------------------------------------------------------------------ */

/* Over a step: of a variable, with law=midpoint the mean of those of its way and its end; 0 without one. */
static double
force_of (const double *x, int variable, int end)
{
  if (variable == SS_NO_VARIABLE)
    return 0;
  return end == SS_NO_VARIABLE ? x[variable] : (x[variable] + x[end]) / 2;
}

/* The force that the motion has of known points, taken from what is to be explained. */
static void
subtract_known (Completion *c, const double *q, const double *x)
{
  for (int p = 0; p < c->t->n_points; p++) {
    const SsPlanPoint *point = &c->t->points[p];
    SsGap gap;

    if (!c->is_known[p] || force_of (x, point->lambda_n, point->end_n) == 0)
      continue;
    ss_gap_expr_value (&point->pair, q + 3 * point->body_a, q + 3 * point->body_b, x + point->lifted, &gap);
    const Column own = force_column (point, p, &gap, q, force_of (x, point->lambda_n, point->end_n),
                                     force_of (x, point->lambda_t, point->end_t), 0);
    for (int k = 0; k < 6; k++)
      c->wrench[3 * own.body[k / 3] + k % 3] -= own.j[k];
  }
}

/* Products of the columns with each other and with what is to be explained. */
static void
fill_problem (Completion *c)
{
  const double *weight = ss_dynamics_inverse_mass (c->dynamics);
  const int n = c->n_columns;
  double largest = 0;

  for (int i = 0; i < n; i++) {
    c->q[i] = 0;
    for (int k = 0; k < 6; k++)
      if (c->columns[i].body[k / 3] >= 0) {
        const int at = 3 * c->columns[i].body[k / 3] + k % 3;

        c->q[i] -= c->columns[i].j[k] * weight[at] * c->wrench[at];
      }
    for (int l = 0; l < n; l++) {
      double sum = 0;

      for (int k = 0; k < 36; k++) {
        const int own = k / 6, other = k % 6, body = c->columns[i].body[own / 3];

        if (own % 3 == other % 3 && body >= 0 && body == c->columns[l].body[other / 3])
          sum += c->columns[i].j[own] * c->columns[l].j[other] * weight[3 * body + own % 3];
      }
      c->m[(size_t)l * MAX_COLUMNS + i] = sum;
      largest = i == l ? fmax (largest, sum) : largest;
    }
  }
  for (int i = 0; i < n; i++)
    c->m[(size_t)i * MAX_COLUMNS + i] += shift * largest;
}

void
ss_transcription_repeat_at_end (const SsTranscription *t, int p, double *x)
{
  SS_ASSERT (t != NULL && t->n_points <= t->point_capacity && t->n_rows <= t->row_capacity && p >= 0 &&
             p < t->n_points);

  const SsPlanPoint *point = &t->points[p];

  if (point->end_n != SS_NO_VARIABLE)
    x[point->end_n] = x[point->lambda_n];
  if (point->end_t != SS_NO_VARIABLE)
    x[point->end_t] = x[point->lambda_t];
}

/* Multiples of the generators into the variables of the point. */
static void
keep_forces (Completion *c, const double *q, double *x)
{
  const SsTranscription *t = c->t;

  memset (c->normal, 0, (size_t)t->n_points * sizeof *c->normal);
  memset (c->tangential, 0, (size_t)t->n_points * sizeof *c->tangential);
  memset (c->moment, 0, (size_t)t->n_points * sizeof *c->moment);
  for (int i = 0; i < t->n_rows; i++)
    x[t->rows[i].variable] = 0;
  for (int i = 0; i < c->n_columns; i++) {
    const Column *column = &c->columns[i];

    if (column->point >= 0) {
      c->normal[column->point] += column->n * c->z[i];
      c->tangential[column->point] += column->t * c->z[i];
      c->moment[column->point] += column->n * c->z[i] * column->share;
    } else if (column->row != SS_NO_VARIABLE)
      x[column->row] += column->sign * c->z[i];
  }
  for (int i = 0; i < t->n_rows; i++)
    if (t->rows[i].end != SS_NO_VARIABLE)
      x[t->rows[i].end] = x[t->rows[i].variable];
  for (int p = 0; p < t->n_points; p++) {
    const SsPlanPoint *point = &t->points[p];

    if (c->is_known[p])
      continue;
    x[point->lambda_n] = c->normal[p];
    if (point->lambda_t != SS_NO_VARIABLE)
      x[point->lambda_t] = c->tangential[p];
    ss_transcription_repeat_at_end (t, p, x);
    if (c->normal[p] > 0)
      ss_gap_expr_lift_at (&point->pair, q + 3 * point->body_a, q + 3 * point->body_b, c->moment[p] / c->normal[p],
                           x + point->lifted);
  }
}

/* The step that ends at q1, v1; x: variables of that point. */
static SsStatus
complete_step (Completion *c, double time, double h, const double *q0, const double *v0, const double *u,
               const double *q1, const double *v1, double *x, SsError *err)
{
  const double *mass = ss_dynamics_mass (c->dynamics);
  SsLcpResult result;

  ss_dynamics_forces (c->dynamics, SS_FORCE_ALL, time, q0, v0, u, c->wrench);
  for (int i = 0; i < 3 * c->t->scene->n_bodies; i++)
    c->wrench[i] = mass[i] * (v1[i] - v0[i]) / h - c->wrench[i];
  c->n_columns = 0;
  subtract_known (c, q1, x);
  for (int p = 0; p < c->t->n_points; p++)
    add_point (c, p, q1, v1, x);
  add_rows (c, q1, v1);
  if (c->n_columns == 0)
    return SS_OK;
  fill_problem (c);
  SsStatus status =
      ss_lemke_solve (c->lemke, c->n_columns, c->m, MAX_COLUMNS, c->q, 50 * c->n_columns + 50, c->z, &result, err);
  if (status == SS_OK)
    keep_forces (c, q1, x);
  return status == SS_ERR_MEMORY ? status : SS_OK;
}

/* ---- a motion ---------------------------------------------------------------------------------------------------- */

static void
close_completion (Completion *c)
{
  ss_dynamics_free (c->dynamics);
  ss_lemke_free (c->lemke);
  ss_free (c->joint_rows);
  ss_free (c->columns);
  ss_free (c->wrench);
}

static SsStatus
open_completion (Completion *c, SsError *err)
{
  const SsScene *scene = c->t->scene;
  const size_t n = 3 * (size_t)scene->n_bodies, p = (size_t)c->t->n_points + 1;
  SsStatus status = ss_dynamics_new (scene, &c->dynamics, err);

  if (status == SS_OK)
    status = ss_lemke_new (32, &c->lemke, err);
  if (status != SS_OK)
    return status;
  c->joint_rows = ss_new_array (SsRow, SS_JOINT_ROWS_MAX * scene->n_joints + 1);
  c->columns = ss_new_array (Column, MAX_COLUMNS);
  c->wrench = ss_new_array (double, n + MAX_COLUMNS * (MAX_COLUMNS + 2) + 3 * p + scene->n_actuators + 1);
  if (c->joint_rows == NULL || c->columns == NULL || c->wrench == NULL)
    return SS_ERR_MEMORY;
  c->m = c->wrench + n;
  c->q = c->m + MAX_COLUMNS * MAX_COLUMNS;
  c->z = c->q + MAX_COLUMNS;
  c->normal = c->z + MAX_COLUMNS;
  c->tangential = c->normal + p;
  c->moment = c->tangential + p;
  c->u = c->moment + p;
  return SS_OK;
}

SsStatus
ss_transcription_complete (const SsTranscription *t, double h, const double *q, const double *v, const bool *is_known,
                           double *table, SsError *err)
{
  SS_ASSERT (t != NULL && t->n_points <= t->point_capacity && t->n_rows <= t->row_capacity);

  const size_t n = 3 * (size_t)t->scene->n_bodies;
  Completion c = {.t = t, .is_known = is_known};
  SsStatus status = open_completion (&c, err);

  for (int k = 0; k < t->plan->steps && status == SS_OK; k++) {
    const double *from = table + (size_t)k * (size_t)t->n_variables;

    for (int a = 0; a < t->scene->n_actuators; a++)
      c.u[a] = from[t->u[a]];
    status = complete_step (&c, k * h, h, q + (size_t)k * n, v + (size_t)k * n, c.u, q + (size_t)(k + 1) * n,
                            v + (size_t)(k + 1) * n, table + (size_t)(k + 1) * (size_t)t->n_variables, err);
  }
  close_completion (&c);
  return status;
}
