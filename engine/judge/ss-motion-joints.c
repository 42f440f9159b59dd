/* engine/judge/ss-motion-joints.c: limits of joints in the balance of a step, and joints that act at both of its ends.
 *
 * A step of second order gives half of the joints' impulses, and of the forces, at either end of its way (RATTLE, see
 * E. Hairer, C. Lubich, G. Wanner, Geometric Numerical Integration, VII.1.4): with va = (q1 - q0)/h, which the rows
 * tell,
 *     M (va - v0) = h/2 f0 + G(q0)' P0,   M (v1 - va) = h/2 f1 + G(q1)' P1.
 * Each line is judged as a step with joints at one place, and the larger rest of a body counts; with one place for
 * both, the rest of a right step is O(h^3) and hides what is as wrong. f1 is at the velocities 2 va - v0 to which the
 * way leads.
 */
#include "judge/ss-motion-balance-private.h"

#include <math.h>
#include <string.h>

enum { FACES_MAX = 60 };

/* ---- limits ------------------------------------------------------------------------------------------------------ */

void
ss_motion_turn_row (const SsMotionBalance *b, const double *q, SsRow *row)
{
  SS_ASSERT (b != NULL && b->n_points <= b->points_capacity && row != NULL);

  const SsJoint *joint = &b->scene->joints[row->source];

  for (int side = 0; side < 2; side++) {
    const bool is_second = side == 1 || joint->kind == SS_JOINT_SLIDER;
    const int body = row->body[side], owner = is_second ? joint->body_b : joint->body_a;
    double *j = row->j + 3 * side;

    if (body < 0 || owner < 0 || joint->kind == SS_JOINT_FORMULA || joint->n_over > 0) /* which act at no one place */
      continue;
    const SsVec2 anchor = is_second ? joint->anchor_b : joint->anchor_a;
    const double c = cos (q[3 * owner + 2]), s = sin (q[3 * owner + 2]);
    const double x = q[3 * owner] + c * anchor.x - s * anchor.y - q[3 * body],
                 y = q[3 * owner + 1] + s * anchor.x + c * anchor.y - q[3 * body + 1];
    j[2] += ss_motion_turned_moment (b, body, q, x, y, j[0], j[1]);
  }
}

void
ss_motion_joint_rows_at (SsMotionBalance *b, Place place, const double *v)
{
  SS_ASSERT (b != NULL && b->n_points <= b->points_capacity);
  ss_dynamics_set_time (b->dynamics, b->t[place]);
  ss_dynamics_joint_rows (b->dynamics, b->q[place], v, b->rows);
}

static int
limit_rows_at (SsMotionBalance *b, Place place, const double *v, SsRow *rows)
{
  ss_dynamics_set_time (b->dynamics, b->t[place]);
  return ss_dynamics_limit_rows (b->dynamics, b->q[place], v, rows);
}

SsStatus
ss_motion_add_limits (SsMotionBalance *b, Place place, const SsMotionRow *before, const SsMotionRow *after, double h,
                      SsError *err)
{
  SS_ASSERT (b != NULL);

  SsRow *limits = b->limits;
  SsRow *turned = limits + SS_JOINT_LIMITS_MAX * b->scene->n_joints + ss_motion_most_drives (b->scene);
  SsStatus status = SS_OK;

  if (b->scene->n_joints == 0)
    return SS_OK;
  limit_rows_at (b, AT_END, before->v, turned);
  const int n = limit_rows_at (b, place == N_PLACES ? AT_START : place, before->v, limits);
  for (int i = 0; i < n && status == SS_OK; i++) {
    /* A body that swings on a rope comes to its end by the turn of the row alone: v^2 h / L at the step's end. */
    const double rate = fmin (fmin (ss_row_velocity (&limits[i], before->v), ss_row_velocity (&limits[i], after->v)),
                              ss_row_velocity (&turned[i], before->v));

    if (limits[i].phi + h * fmin (rate, 0) - h * fabs (rate) > SS_MOTION_TOUCHING)
      continue;
    SsFitColumn column = {.body = {limits[i].body[0], limits[i].body[1]}};
    ss_motion_turn_row (b, b->q[place == N_PLACES ? AT_START : place], &limits[i]);
    memcpy (column.j, limits[i].j, sizeof column.j);
    status = ss_motion_fit_begin (b->fit, NAN, err);
    if (status == SS_OK)
      status = ss_motion_add_column (b, &column, (Source){SS_WORK_LIMITS, limits[i].source, 0, limits[i].rate_t}, err);
  }
  return status;
}

/* ---- both ends --------------------------------------------------------------------------------------------------- */

/* The rest of one line, whose change of velocity and h/2 f are in b->rest. */
static SsStatus
judge_half (SsMotionBalance *b, Place place, const SsMotionRow *before, const SsMotionRow *after, double floor,
            SsMotionWorst *worst, SsError *err)
{
  const double h = after->t - before->t;

  ss_motion_fit_clear (b->fit);
  SsStatus status = ss_motion_add_stiff (b, h, err);
  if (status == SS_OK)
    status = ss_motion_add_limits (b, place, before, after, h, err);
  if (status == SS_OK)
    status = ss_motion_add_drives (b, place, before, after, err);
  if (status == SS_OK) {
    ss_motion_joint_rows_at (b, place, before->v);
    status = ss_motion_fit_set_rows (b->fit, b->rows, err);
  }
  if (status == SS_OK)
    status = ss_motion_fit_solve (b->fit, b->rest, floor, FACES_MAX, err);
  if (status != SS_OK)
    return status;
  ss_motion_refuse_drives (b, before, after, h / 2);
  *worst = ss_motion_worst_body (b, b->rest, after->t);
  return SS_OK;
}

SsStatus
ss_motion_judge_halves (SsMotionBalance *b, const SsMotionRow *before, const SsMotionRow *after, const double *controls,
                        double floor, SsMotionWorst *residual, SsError *err)
{
  SS_ASSERT (b != NULL && b->n_points <= b->points_capacity && before != NULL && after != NULL);

  const int n = 3 * b->scene->n_bodies;
  const double h = after->t - before->t;
  SsMotionWorst worst[2];
  SsStatus status = SS_OK;

  if (!(h > 0))
    return SS_OK;
  for (int half = 0; half < 2 && status == SS_OK; half++) {
    const SsMotionRow *row = half == 0 ? before : after;
    const double *v = before->v;

    for (int i = 0; i < n; i++) {
      const double way = (after->q[i] - before->q[i]) / h;

      b->v_free[i] = 2 * way - before->v[i];
      b->rest[i] = half == 0 ? way - before->v[i] : after->v[i] - way;
    }
    if (half == 1)
      v = b->v_free;
    ss_dynamics_forces (b->dynamics, SS_FORCE_ALL, row->t, row->q, v, controls, b->best);
    for (int i = 0; i < n; i++)
      b->best[i] *= h;
    ss_motion_leave_stiff (b, SS_FORCE_ALL, h, row->q, v, b->best);
    for (int i = 0; i < n; i++)
      b->rest[i] -= b->inverse_mass[i] * b->best[i] / 2;
    status = judge_half (b, half == 0 ? AT_START : AT_END, before, after, floor, &worst[half], err);
  }
  if (status != SS_OK)
    return status;
  const SsMotionWorst larger = worst[0].value > worst[1].value ? worst[0] : worst[1];
  if (larger.value < residual->value)
    *residual = larger;
  return SS_OK;
}
