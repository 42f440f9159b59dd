/* engine/judge/ss-motion-columns.c: columns of a balance, what is left of it, and columns of springs that a step does
 * not resolve; see ss-motion.h.
 *
 * A force is explained by a mean of what it is at the step's start, at its end and where an explicit step would end.
 * What a spring pulls that no digit of its length tells, which laws take implicitly (simulate/ss-stiff.h), is any
 * impulse along it, of one sign; whether it gives energy is the ledger's to say, which knows what springs store.
 */
#include "judge/ss-motion-balance-private.h"

#include <math.h>

/* Springs with a larger h (h k + d) J M^-1 J' laws take implicitly (simulate/ss-stiff.c, where a weight of 1 % and more
 * counts): no digit of a row tells their force. */
static const double resolved = 1.005;

SsStatus
ss_motion_add_column (SsMotionBalance *b, const SsFitColumn *column, Source source, SsError *err)
{
  SS_ASSERT (b != NULL && b->n_points <= b->points_capacity);

  const int n = ss_motion_fit_n_columns (b->fit);

  if (ss_array_reserve ((void **)&b->source_of_column, &b->source_capacity, n + 1, sizeof *b->source_of_column) != 0)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory to judge a step");
  b->source_of_column[n] = source;
  return ss_motion_fit_add (b->fit, column, err);
}

/* The row of a spring of the scene that a step of h does not resolve. */
static bool
find_stiff (const SsMotionBalance *b, int spring, double h, const double *q, SsRow *row)
{
  ss_dynamics_spring_row (b->dynamics, spring, q, NULL, row);
  return h * (h * row->stiffness + row->damping) * ss_row_mobility (row, b->inverse_mass) > resolved;
}

void
ss_motion_leave_stiff (const SsMotionBalance *b, int which, double h, const double *q, const double *v, double *f)
{
  SS_ASSERT (b != NULL && b->n_points <= b->points_capacity);

  SsRow row;

  for (int i = 0; i < b->scene->n_springs && (which & (SS_FORCE_SPRINGS | SS_FORCE_DAMPERS)); i++) {
    if (!find_stiff (b, i, h, b->q[AT_START], &row))
      continue;
    ss_dynamics_spring_row (b->dynamics, i, q, v, &row);
    const double force = (which & SS_FORCE_SPRINGS ? row.stiffness * row.phi : 0) +
                         (which & SS_FORCE_DAMPERS ? row.damping * ss_row_velocity (&row, v) : 0);
    for (int k = 0; k < 6; k++) {
      const int at = 3 * row.body[k / 3] + k % 3;

      if (row.body[k / 3] >= 0 && ((which & SS_FORCE_HELD) || b->inverse_mass[at] > 0))
        f[at] += h * row.j[k] * force;
    }
  }
}

SsStatus
ss_motion_add_stiff (SsMotionBalance *b, double h, SsError *err)
{
  SS_ASSERT (b != NULL);

  SsStatus status = SS_OK;

  for (int i = 0; i < b->scene->n_springs && status == SS_OK; i++) {
    SsRow start, end;
    double sign = 0;

    if (!find_stiff (b, i, h, b->q[AT_START], &start))
      continue;
    ss_dynamics_spring_row (b->dynamics, i, b->q[AT_END], NULL, &end);
    for (int k = 0; k < 6; k++)
      if (start.body[k / 3] >= 0 && b->inverse_mass[3 * start.body[k / 3] + k % 3] > 0)
        sign += start.j[k] * b->known[3 * start.body[k / 3] + k % 3];
    status = ss_motion_fit_begin (b->fit, NAN, err);
    for (int side = 0; side < 2 && status == SS_OK; side++) {
      const SsRow *row = side == 0 ? &start : &end;
      SsFitColumn column = {.body = {row->body[0], row->body[1]}};

      for (int k = 0; k < 6; k++)
        column.j[k] = sign < 0 ? -row->j[k] : row->j[k];
      status = ss_motion_add_column (b, &column, (Source){SS_WORK_SPRINGS, -1, 0, 0}, err);
    }
  }
  return status;
}

/* ---- what the files of the balance share ------------------------------------------------------------------------- */

double
ss_motion_turned_moment (const SsMotionBalance *b, int body, const double *q, double x, double y, double fx, double fy)
{
  const int theta = 3 * body + 2;

  if (!b->has_centre || b->inverse_mass[theta] > 0)
    return 0;
  const double turn = b->q[AT_CENTRE][theta] - q[theta];
  const double c = cos (turn) - 1, s = sin (turn);
  return (c * x - s * y) * fy - (s * x + c * y) * fx;
}

/* Velocity in a body's residual: sqrt (r' M r/m), or what moves a coordinate that nothing moves. */
static double
size_of (const SsMotionBalance *b, int body, const double *r)
{
  const SsBody *about = &b->scene->bodies[body];
  double sum = 0, still = 0;

  for (int k = 0; k < 3; k++)
    if (b->inverse_mass[3 * body + k] > 0)
      sum += b->mass[3 * body + k] / about->mass * r[3 * body + k] * r[3 * body + k];
    else
      still = fmax (still, fabs (r[3 * body + k]));
  return fmax (sqrt (sum), still);
}

SsMotionWorst
ss_motion_worst_body (const SsMotionBalance *b, const double *r, double t)
{
  SS_ASSERT (b != NULL && b->n_points <= b->points_capacity);

  SsMotionWorst worst = {0, NAN, -1};

  for (int i = 0; i < b->scene->n_bodies; i++) {
    const double size = size_of (b, i, r);

    if (size > worst.value)
      worst = (SsMotionWorst){size, t, i};
  }
  return worst;
}
