/* engine/judge/ss-motion-stages.c: what explains the change of velocity between two rows whose forces are told at the
 * nodes of a quadrature; see ss-motion.h.
 *
 *     r = v1 - v0 - sum over stages w_s M^-1 (f + Jn' lambda_n + Jt' lambda_t + G' lambda) (t_s, q_s, v_s)
 *         - M^-1 (Jn' pn + Jt' pt + G' p) (q1)
 * The forces of joints are not told: lambda is what keeps G vdot + gdv = 0 at the stage. Their impulses p at the end
 * are free: they bring velocities back to the joints where a method does that at the ends of its elements, and are
 * those of a jump. Works are sums over the stages with v_s; of a jump, with the mean of both velocities.
 */
#include "judge/ss-motion-balance-private.h"

#include <math.h>
#include <string.h>

/* Points that are as near as the nearest act, and limits that are closed [m or rad]: Newton's method solves gaps to
 * less. */
static const double as_near = 1e-8;
enum { FACES_MAX = 60 };

/* The interval under way. */
typedef struct {
  SsMotionBalance *b;
  const SsMotionRow *before, *after;
  const SsMotionStage *stages;
  int n_stages;
  SsMotionWorst *cone, *complementarity;
} Interval;

/* f of one kind at a stage into b->rest (n), over its weight. */
static const double *
force_at (SsMotionBalance *b, int which, const SsMotionStage *stage)
{
  ss_dynamics_forces (b->dynamics, which, stage->at.t, stage->at.q, stage->at.v,
                      b->content.controls ? stage->at.u : NULL, b->rest);
  for (int i = 0; i < 3 * b->scene->n_bodies; i++)
    b->rest[i] *= stage->weight;
  return b->rest;
}

static SsStatus
set_rows (SsMotionBalance *b, const SsMotionRow *at, SsError *err)
{
  if (b->n_rows == 0)
    return SS_OK;
  ss_dynamics_set_time (b->dynamics, at->t);
  ss_dynamics_joint_rows (b->dynamics, at->q, at->v, b->rows);
  return ss_motion_fit_set_rows (b->fit, b->rows, err);
}

/* ---- impulses at one configuration, which is in the place AT_MIDDLE ---------------------------------------------- */

/* Of the contacts; what they miss of their laws. `weight`: of the stage, whose sign is that of its impulses; 1 of
 * impulses at rows. */
static SsStatus
add_contacts (Interval *interval, const SsMotionRow *at, double weight, SsError *err)
{
  SsMotionBalance *b = interval->b;
  const double sign = weight < 0 ? -1 : 1;
  SsStatus status = SS_OK;

  for (int i = 0; i < b->scene->n_contacts && status == SS_OK; i++) {
    const double *p = at->impulse + 2 * i;

    if (p[0] == 0 && p[1] == 0)
      continue;
    const double gap = fmax (ss_motion_gap_at (b, i, at->q), 0);

    ss_motion_note (interval->cone, fmax (fabs (p[1]) - b->scene->contacts[i].mu * sign * p[0], -sign * p[0]), at->t,
                    i);
    ss_motion_note (interval->complementarity, hypot (p[0], p[1]) * gap, at->t, i);
    status = ss_motion_add_contact (b, i, AT_MIDDLE, p, gap + as_near, err);
  }
  return status;
}

/* Limits that are closed push as they like. */
static SsStatus
add_limits (SsMotionBalance *b, const SsMotionRow *at, SsError *err)
{
  SsStatus status = SS_OK;

  if (b->scene->n_joints == 0)
    return SS_OK;
  ss_dynamics_set_time (b->dynamics, at->t);
  const int n = ss_dynamics_limit_rows (b->dynamics, at->q, at->v, b->limits);
  for (int i = 0; i < n && status == SS_OK; i++) {
    const SsRow *limit = &b->limits[i];
    SsFitColumn column = {.body = {limit->body[0], limit->body[1]}};

    if (limit->phi > as_near)
      continue;
    memcpy (column.j, limit->j, sizeof column.j);
    status = ss_motion_fit_begin (b->fit, NAN, err);
    if (status == SS_OK)
      status = ss_motion_add_column (b, &column, (Source){SS_WORK_LIMITS, limit->source, 0, limit->rate_t}, err);
  }
  return status;
}

/* All columns of one configuration; joints take their part of them where `has_joints`. */
static SsStatus
add_columns (Interval *interval, const SsMotionRow *at, double weight, bool has_joints, SsError *err)
{
  SsMotionBalance *b = interval->b;
  const int first = ss_motion_fit_n_columns (b->fit);

  memcpy (b->q[AT_MIDDLE], at->q, 3 * (size_t)b->scene->n_bodies * sizeof *at->q);
  SsStatus status = add_contacts (interval, at, weight, err);
  if (status == SS_OK)
    status = add_limits (b, at, err);
  if (status == SS_OK && has_joints) /* drives have no impulses */
    status = ss_motion_add_drives_at (b, at, weight, err);
  return status == SS_OK && has_joints ? ss_motion_fit_hold (b->fit, first, err) : status;
}

/* ---- the balance ------------------------------------------------------------------------------------------------- */

/* Takes what the known forces of a stage do from b->known; adds its columns. */
static SsStatus
take_stage (Interval *interval, int index, SsError *err)
{
  SsMotionBalance *b = interval->b;
  const SsMotionStage *stage = &interval->stages[index];
  const int n = 3 * b->scene->n_bodies;
  SsStatus status = set_rows (b, &stage->at, err);

  if (status != SS_OK)
    return status;
  const double *f = force_at (b, SS_FORCE_ALL, stage);
  for (int i = 0; i < n; i++)
    b->mean[i] = b->inverse_mass[i] * f[i];
  if (b->n_rows > 0)
    ss_motion_fit_join (b->fit, b->mean, stage->weight);
  for (int i = 0; i < n; i++)
    b->known[i] -= b->mean[i];
  b->stage_column[index] = ss_motion_fit_n_columns (b->fit);
  return add_columns (interval, &stage->at, stage->weight, true, err);
}

/* Gravity is constant: it acts over the whole interval, whatever the weights say. Returns the fastest velocity. */
static double
prepare (Interval *interval)
{
  SsMotionBalance *b = interval->b;
  const SsMotionRow *before = interval->before, *after = interval->after;
  double fastest = 0, missing = after->t - before->t;

  b->has_centre = false;
  b->contact_slack = 0;
  for (int k = 0; k < interval->n_stages; k++)
    missing -= interval->stages[k].weight;
  ss_dynamics_forces (b->dynamics, SS_FORCE_GRAVITY, before->t, before->q, before->v, NULL, b->gravity);
  for (int i = 0; i < 3 * b->scene->n_bodies; i++) {
    b->q[AT_START][i] = before->q[i];
    b->q[AT_END][i] = after->q[i];
    b->known[i] = after->v[i] - before->v[i] - missing * b->inverse_mass[i] * b->gravity[i];
    fastest = fmax (fastest, fmax (fabs (before->v[i]), fabs (after->v[i])));
  }
  return fastest;
}

static SsStatus
solve (Interval *interval, SsError *err)
{
  SsMotionBalance *b = interval->b;
  const size_t size = 3 * (size_t)b->scene->n_bodies * sizeof *b->rest;

  ss_motion_fit_clear (b->fit);
  const double floor = fmax (SS_MOTION_ROUNDING * (1 + prepare (interval)), b->enough / 2);
  SsStatus status = SS_OK;
  for (int k = 0; k < interval->n_stages && status == SS_OK; k++)
    status = take_stage (interval, k, err);
  if (status == SS_OK)
    status = set_rows (b, interval->after, err);
  b->stage_column[interval->n_stages] = ss_motion_fit_n_columns (b->fit);
  if (status == SS_OK)
    status = add_columns (interval, interval->after, 1, false, err);
  if (status != SS_OK)
    return status;
  memcpy (b->rest, b->known, size);
  status = ss_motion_fit_solve (b->fit, b->rest, floor, FACES_MAX, err);
  memcpy (b->best, b->rest, size);
  return status;
}

/* ---- work -------------------------------------------------------------------------------------------------------- */

/* Of columns first to last, at one configuration where bodies move with v; b->v_free gains what they change. */
static void
add_column_works (const SsMotionBalance *b, int first, int last, const double *v, Works *works)
{
  const SsFitColumn *columns = ss_motion_fit_columns (b->fit);

  for (int c = first; c < last; c++) {
    ss_motion_works_add (b, b->source_of_column[c], columns[c].body, columns[c].j, columns[c].weight, v, works);
    for (int k = 0; k < 6; k++) {
      const int i = columns[c].body[k / 3] >= 0 ? 3 * columns[c].body[k / 3] + k % 3 : -1;

      if (i >= 0)
        b->v_free[i] += b->inverse_mass[i] * columns[c].j[k] * columns[c].weight;
    }
  }
}

/* `sign`: -1 after ss_motion_fit_join, which tells what the rows took. */
static void
add_joint_works (const SsMotionBalance *b, double sign, const double *v, Works *works)
{
  const double *lambda = ss_motion_fit_lambda (b->fit);

  for (int r = 0; r < b->n_rows; r++)
    ss_motion_works_add (b, (Source){SS_WORK_JOINTS, b->rows[r].source, 0, b->rows[r].rate_t}, b->rows[r].body,
                         b->rows[r].j, sign * lambda[r], v, works);
}

static SsStatus
add_stage_works (Interval *interval, int index, Works *works, SsError *err)
{
  SsMotionBalance *b = interval->b;
  const SsMotionStage *stage = &interval->stages[index];
  const int n = 3 * b->scene->n_bodies;

  for (int k = 0; k < N_KINDS; k++)
    if (b->has_kind[k]) {
      const double *f = force_at (b, ss_motion_force_kinds[k].which | SS_FORCE_HELD, stage);

      ss_motion_works_add_force (works->work, ss_motion_force_kinds[k].work, ss_dot (n, f, stage->at.v),
                                 ss_motion_held_power (b, f, stage->at.v));
    }
  works->work[SS_WORK_GRAVITY] += stage->weight * ss_dot (n, b->gravity, stage->at.v);
  const double *f = force_at (b, SS_FORCE_ALL, stage);
  for (int i = 0; i < n; i++)
    b->v_free[i] = b->inverse_mass[i] * f[i];
  add_column_works (b, b->stage_column[index], b->stage_column[index + 1], stage->at.v, works);
  if (b->n_rows == 0)
    return SS_OK;
  SsStatus status = set_rows (b, &stage->at, err);
  if (status != SS_OK)
    return status;
  ss_motion_fit_join (b->fit, b->v_free, stage->weight);
  add_joint_works (b, -1, stage->at.v, works);
  return SS_OK;
}

/* Of the interval that was solved last. What the sums leave of the change of the kinetic energy is unexplained. */
static SsStatus
find_works (Interval *interval, double work[SS_WORK_COUNT], SsMotionGiven given[SS_WORK_COUNT], SsError *err)
{
  SsMotionBalance *b = interval->b;
  const SsMotionRow *before = interval->before, *after = interval->after;
  Works works = {.work = work, .given = given, .t = after->t};
  const double h = after->t - before->t;
  SsStatus status = SS_OK;

  ss_motion_works_begin (&works);
  for (int i = 0; i < 3 * b->scene->n_bodies; i++)
    b->mean[i] = h > 0 ? after->v[i] : (before->v[i] + after->v[i]) / 2;
  /* first the end: the rows are those of the end, and their impulses those of the solution */
  add_column_works (b, b->stage_column[interval->n_stages], ss_motion_fit_n_columns (b->fit), b->mean, &works);
  add_joint_works (b, 1, b->mean, &works);
  for (int k = 0; k < interval->n_stages && status == SS_OK; k++)
    status = add_stage_works (interval, k, &works, err);
  ss_motion_works_end (&works);
  double rest =
      ss_dynamics_kinetic_energy (b->dynamics, after->v) - ss_dynamics_kinetic_energy (b->dynamics, before->v);
  for (int i = 0; i < SS_WORK_COUNT; i++)
    if (i != SS_WORK_UNEXPLAINED)
      rest -= work[i];
  work[SS_WORK_UNEXPLAINED] = rest;
  return status;
}

SsStatus
ss_motion_balance_stages (SsMotionBalance *b, const SsMotionRow *before, const SsMotionRow *after,
                          const SsMotionStage *stages, int n_stages, SsMotionWorst *residual, SsMotionWorst *cone,
                          SsMotionWorst *complementarity, double work[SS_WORK_COUNT],
                          SsMotionGiven given[SS_WORK_COUNT], SsError *err)
{
  const SsMotionWorst none = {0, NAN, -1};
  Interval interval = {b, before, after, stages, n_stages, cone, complementarity};

  SS_ASSERT (b->content.velocities && b->content.impulses);
  *cone = *complementarity = *residual = none;
  if (ss_array_reserve ((void **)&b->stage_column, &b->stage_column_capacity, n_stages + 1, sizeof *b->stage_column) !=
      0)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory to judge %d stages", n_stages);
  SsStatus status = solve (&interval, err);
  if (status != SS_OK)
    return status;
  *residual = ss_motion_worst_body (b, b->best, after->t);
  return find_works (&interval, work, given, err);
}
