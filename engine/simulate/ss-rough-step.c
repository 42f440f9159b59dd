/* engine/simulate/ss-rough-step.c: see the header. */
#include "simulate/ss-rough-step.h"

#include "contact/ss-contact-problem.h"
#include "contact/ss-step-rows.h"
#include "core/ss-memory.h"
#include "core/ss-work.h"
#include "linalg/ss-linalg.h"

#include <math.h>
#include <string.h>

/* Linearisations of a step, and sweeps of each, at most. */
enum { LOOKS = 3, SWEEPS = 40 };
/* Sweeps end where no point changes its velocity by more than this part of the largest speed, and this much [m/s]. */
static const double SWEPT_PART = 1e-4, SWEPT = 1e-6;
/* Points within this part of the way of a step, and this far beyond where they are expected, are looked at [m]. */
static const double BAND_PART = 0.5, BAND = 1e-3;
/* Added to what joints are factored from, of their largest diagonal entry: redundant ones have no inverse. */
static const double JOINT_SHIFT = 1e-11;
/* Counted work of a step, of a body, of a point, and of a point in a sweep (core/ss-work.h). */
static const double STEP_UNIT = 400, BODY_UNIT = 150, POINT_UNIT = 300, SWEEP_UNIT = 40;

/* A point's answer to unit impulses: M^-1 row', with that of the joints where these hold one of its bodies. */
typedef struct {
  double normal[6], tangent[6]; /* on the coordinates of its bodies */
  int column;                   /* of both over all coordinates; -1: its bodies alone */
  double w[4];                  /* nn, nt, tn, tt */
  double bias;
} Reach;

struct SsRoughStep {
  SsContactProblem *problem; /* owned */
  int n;                     /* coordinates */
  bool has_drives;
  bool *is_joined;                                       /* by bodies: a joint holds it */
  double *f, *v_free, *v_there, *v_end, *q_end, *pushed; /* n each; pushed: by the impulses of the last step */
  int reach_capacity, column_capacity, row_capacity;
  Reach *reach;
  double *columns;    /* 2 n a point that joints answer */
  double *W, *answer; /* rows x rows; rows */
};

/* ---- life cycle -------------------------------------------------------------------------------------------------- */

void
ss_rough_step_free (SsRoughStep *step)
{
  if (step == NULL)
    return;
  ss_contact_problem_free (step->problem);
  ss_free (step->is_joined);
  ss_free (step->f);
  ss_free (step->reach);
  ss_free (step->columns);
  ss_free (step->W);
  ss_free (step);
}

SsStatus
ss_rough_step_new (const SsScene *scene, SsRoughStep **out, SsError *err)
{
  SS_ASSERT (scene != NULL && out != NULL);

  SsRoughStep *step = ss_new (SsRoughStep);
  const size_t n = 3 * (size_t)scene->n_bodies;

  if (step == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  SsStatus status = ss_contact_problem_new (scene, &step->problem, err);
  step->n = (int)n;
  step->is_joined = ss_new_array (bool, (size_t)scene->n_bodies + 1);
  step->f = ss_new_array (double, 6 * n + 1);
  if (status == SS_OK && (step->is_joined == NULL || step->f == NULL))
    status = ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  if (status != SS_OK) {
    ss_rough_step_free (step);
    return status;
  }
  double **const vectors[] = {&step->v_free, &step->v_there, &step->v_end, &step->q_end, &step->pushed};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
    *vectors[i] = step->f + (i + 1) * n;
  step->has_drives = step->problem->has_rolling;
  for (int i = 0; i < scene->n_joints; i++)
    step->has_drives = step->has_drives || ss_joint_has_drive (&scene->joints[i]);
  *out = step;
  return SS_OK;
}

void
ss_rough_step_begin (SsRoughStep *step)
{
  SS_ASSERT (step != NULL);
  step->problem->n_solves = 0;
  memset (step->pushed, 0, (size_t)step->n * sizeof *step->pushed);
}

static SsStatus
reserve (SsRoughStep *step, int n_columns, SsError *err)
{
  const SsContactProblem *problem = step->problem;
  const int rows = problem->n_rows;

  if (ss_array_reserve ((void **)&step->reach, &step->reach_capacity, problem->n_points, sizeof *step->reach) != 0 ||
      ss_array_reserve ((void **)&step->columns, &step->column_capacity, 2 * n_columns * step->n,
                        sizeof *step->columns) != 0 ||
      ss_array_reserve ((void **)&step->W, &step->row_capacity, rows * rows + rows, sizeof *step->W) != 0)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  step->answer = step->W + (size_t)rows * (size_t)rows;
  return SS_OK;
}

/* ---- joints ------------------------------------------------------------------------------------------------------ */

static double
product (const int body[2], const double *row, const double *v)
{
  double sum = 0;

  for (int side = 0; side < 2; side++)
    if (body[side] >= 0)
      for (int k = 0; k < 3; k++)
        sum += row[3 * side + k] * v[3 * body[side] + k];
  return sum;
}

/* The factor of Gb M^-1 Gb'. */
static SsStatus
factor_joints (SsRoughStep *step, SsError *err)
{
  const SsContactProblem *problem = step->problem;
  const int n = problem->n_rows;
  double largest = 0;

  for (int j = 0; j < n; j++)
    for (int i = j; i < n; i++) {
      const SsRow *a = &problem->rows[i].row, *b = &problem->rows[j].row;

      step->W[j * n + i] = ss_contact_coupling (problem, a->body, a->j, b->body, b->j);
      largest = i == j ? fmax (largest, step->W[j * n + i]) : largest;
    }
  for (int i = 0; i < n; i++)
    step->W[i * n + i] += largest > 0 ? JOINT_SHIFT * largest : 1;
  return n == 0 || ss_dense_cholesky (n, step->W, n) == SS_OK
             ? SS_OK
             : ss_error_set (err, SS_ERR_SINGULAR, "joints of a step that is tried are not finite");
}

/* v -= M^-1 Gb' W^-1 (Gb v + bias). */
static void
answer_joints (SsRoughStep *step, bool with_bias, double *v)
{
  const SsContactProblem *problem = step->problem;
  const int n = problem->n_rows;

  if (n == 0)
    return;
  for (int i = 0; i < n; i++)
    step->answer[i] =
        product (problem->rows[i].row.body, problem->rows[i].row.j, v) + (with_bias ? problem->rows[i].bias : 0);
  ss_dense_cholesky_solve (n, step->W, n, step->answer);
  for (int i = 0; i < n; i++)
    ss_contact_problem_push_row (problem, &problem->rows[i].row, -step->answer[i], v);
}

/* ---- points ------------------------------------------------------------------------------------------------------ */

static bool
is_answered (const SsRoughStep *step, const SsContactPoint *p)
{
  return (p->body[0] >= 0 && step->is_joined[p->body[0]]) || (p->body[1] >= 0 && step->is_joined[p->body[1]]);
}

static void
spread (const SsContactProblem *problem, const int body[2], const double *row, double *out)
{
  for (int k = 0; k < 6; k++)
    out[k] = body[k / 3] >= 0 ? problem->inverse_mass[3 * body[k / 3] + k % 3] * row[k] : 0;
}

static double
dot6 (const double *a, const double *b)
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] + a[4] * b[4] + a[5] * b[5];
}

/* Column over all coordinates; its parts on the bodies of the point. */
static void
spread_with_joints (SsRoughStep *step, const int body[2], double *part, double *column)
{
  memset (column, 0, (size_t)step->n * sizeof *column);
  for (int k = 0; k < 6; k++)
    if (body[k / 3] >= 0)
      column[3 * body[k / 3] + k % 3] += part[k];
  answer_joints (step, false, column);
  for (int k = 0; k < 6; k++)
    part[k] = body[k / 3] >= 0 ? column[3 * body[k / 3] + k % 3] : 0;
}

static void
open_point (SsRoughStep *step, const SsContactPoint *p, double h, int *n_columns, Reach *r)
{
  spread (step->problem, p->body, p->jn, r->normal);
  spread (step->problem, p->body, p->jt, r->tangent);
  r->column = -1;
  if (is_answered (step, p)) {
    r->column = 2 * step->n * (*n_columns)++;
    spread_with_joints (step, p->body, r->normal, step->columns + r->column);
    spread_with_joints (step, p->body, r->tangent, step->columns + r->column + step->n);
  }
  r->w[0] = dot6 (p->jn, r->normal);
  r->w[1] = dot6 (p->jn, r->tangent);
  r->w[2] = dot6 (p->jt, r->normal);
  r->w[3] = dot6 (p->jt, r->tangent);
  r->bias = p->drive == SS_DRIVE_NONE ? p->phi / h - product (p->body, p->jn, step->v_there) : 0;
}

static void
push (const SsRoughStep *step, const SsContactPoint *p, const Reach *r, double pn, double pt, double *v)
{
  if (r->column >= 0) {
    const double *normal = step->columns + r->column, *tangent = normal + step->n;

    for (int i = 0; i < step->n; i++)
      v[i] += normal[i] * pn + tangent[i] * pt;
    return;
  }
  for (int side = 0; side < 2; side++)
    if (p->body[side] >= 0)
      for (int k = 0; k < 3; k++)
        v[3 * p->body[side] + k] += r->normal[3 * side + k] * pn + r->tangent[3 * side + k] * pt;
}

/* Its bound: friction and motors of joints have one of their own, rolling resistance that of its contact. */
static double
bound_of (const SsContactProblem *problem, const SsContactPoint *p)
{
  return p->drive == SS_DRIVE_ROLLING ? p->mu * problem->points[p->owner].pn : p->pn_least;
}

/* Solves one point with all others held; returns by how much it changed its own velocity. */
static double
solve (SsRoughStep *step, int i, double *v)
{
  SsContactPoint *p = &step->problem->points[i];
  const Reach *r = &step->reach[i];
  const double un = product (p->body, p->jn, v) + r->bias - r->w[0] * p->pn - r->w[1] * p->pt,
               ut = product (p->body, p->jt, v) + p->bias_t - r->w[2] * p->pn - r->w[3] * p->pt;
  double z[2] = {p->pn, p->pt};

  if (p->drive != SS_DRIVE_NONE) {
    const double bound = bound_of (step->problem, p);

    z[0] = 0;
    z[1] = r->w[3] > 0 ? fmin (fmax (-ut / r->w[3], -bound), bound) : 0;
  } else
    ss_step_solve_point (r->w, un, ut, p->mu, 0, z);
  const double dn = z[0] - p->pn, dt = z[1] - p->pt;
  if (dn == 0 && dt == 0)
    return 0;
  push (step, p, r, dn, dt, v);
  p->pn = z[0];
  p->pt = z[1];
  return fabs (r->w[0] * dn + r->w[1] * dt) + fabs (r->w[2] * dn + r->w[3] * dt);
}

static void
recall (SsContactProblem *problem)
{
  for (int i = 0; i < problem->n_points; i++) {
    SsContactPoint *p = &problem->points[i];
    const bool is_known = p->memory >= 0 && problem->n_solves > 0 && problem->seen[p->memory] == problem->n_solves;

    p->pn = is_known && p->drive == SS_DRIVE_NONE ? problem->memory_pn[p->memory] : 0;
    p->pt = is_known ? problem->memory_pt[p->memory] : 0;
  }
}

static void
remember (SsContactProblem *problem)
{
  problem->n_solves++;
  for (int i = 0; i < problem->n_points; i++) {
    const SsContactPoint *p = &problem->points[i];

    if (p->memory < 0)
      continue;
    problem->seen[p->memory] = problem->n_solves;
    problem->memory_pn[p->memory] = p->pn;
    problem->memory_pt[p->memory] = p->pt;
  }
}

/* ---- a step ------------------------------------------------------------------------------------------------------ */

/* Contacts and joints linearised at the end that v_there leads to. */
static SsStatus
look (SsRoughStep *step, double h, const double *q, SsError *err)
{
  SsContactProblem *problem = step->problem;
  const double band = BAND_PART * h * ss_contact_problem_top_speed (problem, step->v_there) + BAND;
  int n_columns = 0;

  for (int i = 0; i < step->n; i++)
    step->q_end[i] = q[i] + h * step->v_there[i];
  SsStatus status = ss_contact_problem_collect (problem, step->q_end, step->v_there, band, band, err);
  if (status != SS_OK)
    return status;
  if (step->has_drives)
    ss_contact_problem_set_drives (problem, step->q_end, step->v_there, h);
  memset (step->is_joined, 0, (size_t)step->n / 3 * sizeof *step->is_joined);
  for (int i = 0; i < problem->n_rows; i++) {
    SsJointConstraint *c = &problem->rows[i];

    c->bias = c->row.phi / h - product (c->row.body, c->row.j, step->v_there);
    for (int side = 0; side < 2; side++)
      if (c->row.body[side] >= 0)
        step->is_joined[c->row.body[side]] = true;
  }
  for (int i = 0; i < problem->n_points; i++)
    n_columns += is_answered (step, &problem->points[i]);
  status = reserve (step, n_columns, err);
  if (status == SS_OK)
    status = factor_joints (step, err);
  if (status != SS_OK)
    return status;
  n_columns = 0;
  for (int i = 0; i < problem->n_points; i++)
    open_point (step, &problem->points[i], h, &n_columns, &step->reach[i]);
  ss_work_add (POINT_UNIT * problem->n_points + BODY_UNIT * step->n / 3);
  return SS_OK;
}

/* v_end of what was looked at. */
static void
sweep (SsRoughStep *step)
{
  SsContactProblem *problem = step->problem;
  double *v = step->v_end;
  int k = 0;

  memcpy (v, step->v_free, (size_t)step->n * sizeof *v);
  answer_joints (step, true, v);
  recall (problem);
  for (int i = 0; i < problem->n_points; i++)
    push (step, &problem->points[i], &step->reach[i], problem->points[i].pn, problem->points[i].pt, v);
  const double enough = SWEPT + SWEPT_PART * ss_contact_problem_top_speed (problem, v);
  for (double change = INFINITY; k < SWEEPS && change > enough && problem->n_points > 0; k++) {
    change = 0;
    for (int i = 0; i < problem->n_points; i++)
      change = fmax (change, solve (step, i, v));
  }
  remember (problem);
  ss_work_add (SWEEP_UNIT * k * problem->n_points);
}

/* Of a moving body's farthest point, between where contacts were looked at and the answer [m]. */
static double
missed_way (const SsRoughStep *step, double h)
{
  const SsContactProblem *problem = step->problem;
  double way = 0;

  for (int b = 0; b < step->n / 3; b++) {
    const double *u = step->v_end + 3 * b, *w = step->v_there + 3 * b;

    if (problem->moves[b] && isfinite (problem->radius[b]))
      way = fmax (way, h * (fabs (u[0] - w[0]) + fabs (u[1] - w[1]) + fabs (u[2] - w[2]) * problem->radius[b]));
  }
  return way;
}

SsStatus
ss_rough_step (SsRoughStep *step, double t, double h, const double *controls, double *q, double *v, SsError *err)
{
  SS_ASSERT (step != NULL && q != NULL && v != NULL && h > 0);

  SsContactProblem *problem = step->problem;
  const size_t size = (size_t)step->n * sizeof *v;

  ss_dynamics_forces (problem->dynamics, SS_FORCE_ALL, t, q, v, controls, step->f);
  ss_contact_problem_free_motion (problem, v, step->f, h, step->v_free);
  ss_dynamics_set_time (problem->dynamics, t + h);
  for (int i = 0; i < step->n; i++)
    step->v_there[i] = step->v_free[i] + step->pushed[i];
  ss_work_add (STEP_UNIT);
  for (int k = 0; k < LOOKS; k++) {
    const SsStatus status = look (step, h, q, err);
    if (status != SS_OK)
      return status;
    sweep (step);
    const double way = missed_way (step, h);
    if (!(way > SS_ROUGH_SETTLED))
      break;
    memcpy (step->v_there, step->v_end, size);
  }
  for (int i = 0; i < step->n; i++) {
    step->pushed[i] = step->v_end[i] - step->v_free[i];
    q[i] += h * step->v_end[i];
  }
  memcpy (v, step->v_end, size);
  return SS_OK;
}
