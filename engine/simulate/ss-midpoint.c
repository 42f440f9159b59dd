/* engine/simulate/ss-midpoint.c: see ss-midpoint.h. */
#include "simulate/ss-midpoint.h"

#include <math.h>
#include <string.h>

/* The way is settled when it moves less than this [m] between two rounds; rounding of coordinates of some metres is
 * 1e-15. */
static const double settled = 1e-13;
/* The first margin is this many times the way that the fastest bodies go towards each other in the step. */
static const double margin_factor = 1.5;
/* Margins tried: each at least twice the former; a solution that needs more is not a motion. */
enum { MARGINS_MAX = 8 };

/* v0 + h/2 M^-1 f into v_free, with the forces f of the middle of the way v. */
static void
find_free (const SsMidpoint *m, const SsStep *step, const SsSimState *state, const double *v0, const double *v)
{
  const double h = step->dt;

  for (int i = 0; i < 3 * m->base->scene->n_bodies; i++)
    m->q[i] = state->q[i] + h / 2 * v[i];
  ss_dynamics_forces (m->base->problem->dynamics, SS_FORCE_ALL, state->t + h / 2, m->q, v, step->controls, m->f);
  ss_contact_problem_free_motion (m->base->problem, v0, m->f, h / 2, m->v_free);
}

/* Points and gaps of joints at the end of the way `v_before`, directions of joints at its start. */
static SsStatus
linearise (const SsMidpoint *m, const SsStep *step, const SsSimState *state, double margin, SsError *err)
{
  SsContactProblem *problem = m->base->problem;
  const double h = step->dt, *v = m->v_before;

  for (int i = 0; i < 3 * m->base->scene->n_bodies; i++)
    m->q[i] = state->q[i] + h * v[i];
  SsStatus status = ss_contact_problem_collect (problem, m->q, v, margin, INFINITY, err);
  if (status != SS_OK)
    return status;
  for (int i = 0; i < problem->n_points; i++) {
    SsContactPoint *p = &problem->points[i];
    p->bias = p->phi / h - ss_contact_point_normal_velocity (p, v);
  }
  ss_contact_problem_turn_joints (problem, state->q, v);
  for (int i = 0; i < problem->n_rows; i++) {
    SsJointConstraint *c = &problem->rows[i];
    c->bias = c->row.phi / h - ss_row_velocity (&c->row, v);
  }
  ss_contact_problem_set_drives (problem, m->q, v, h / 2);
  return SS_OK;
}

/* One round, from the way `v_before` to the way `v`. */
static SsStatus
improve (const SsMidpoint *m, const SsStep *step, const SsSimState *state, double *margin, SsStepInfo *info,
         SsError *err)
{
  const double h = step->dt;

  find_free (m, step, state, state->v, m->v_before);
  for (int attempt = 0; attempt < MARGINS_MAX; attempt++) {
    SsStatus status = linearise (m, step, state, *margin, err);
    if (status == SS_OK)
      status = ss_contact_problem_solve (m->base->problem, m->v_free, state->t, m->v, info, err);
    if (status != SS_OK)
      return status;
    const double needed = ss_stepper_reach (m->base, m->v, h) + ss_stepper_reach (m->base, m->v_before, h);
    if (needed <= *margin)
      break;
    *margin = 2 * needed;
  }
  return SS_OK;
}

/* The way of the step: w into v. */
static SsStatus
go (const SsMidpoint *m, const SsStep *step, const SsSimState *state, double *margin, SsStepInfo *info, SsError *err)
{
  const size_t n = 3 * (size_t)m->base->scene->n_bodies;
  double moved = INFINITY;
  int pivots = 0;

  memcpy (m->v, state->v, n * sizeof *m->v);
  for (int k = 0; k < m->rounds && moved > settled; k++) {
    memcpy (m->v_before, m->v, n * sizeof *m->v);
    SsStatus status = improve (m, step, state, margin, info, err);
    if (status != SS_OK)
      return status;
    pivots += info->pivots;
    moved = ss_stepper_difference_of_way (m->base, m->v, m->v_before, step->dt);
  }
  info->pivots = pivots;
  if (moved > settled)
    info->residual = fmax (info->residual, moved / step->dt);
  return SS_OK;
}

/* v1 at the end of the way v into v_before. */
static SsStatus
hold (const SsMidpoint *m, const SsStep *step, const SsSimState *state, double margin, SsStepInfo *info, SsError *err)
{
  SsContactProblem *problem = m->base->problem;
  const double h = step->dt;
  SsStepInfo end;

  find_free (m, step, state, m->v, m->v);
  for (int i = 0; i < 3 * m->base->scene->n_bodies; i++)
    m->q[i] = state->q[i] + h * m->v[i];
  SsStatus status = ss_contact_problem_collect (problem, m->q, m->v, margin, INFINITY, err);
  if (status != SS_OK)
    return status;
  for (int i = 0; i < problem->n_points; i++)
    problem->points[i].bias = problem->points[i].phi / h;
  ss_contact_problem_set_drives (problem, m->q, m->v, h / 2);
  status = ss_contact_problem_solve (problem, m->v_free, state->t + h, m->v_before, &end, err);
  info->residual = fmax (info->residual, end.residual);
  info->pivots += end.pivots;
  return status;
}

SsStatus
ss_midpoint_step (const SsMidpoint *m, const SsStep *step, SsSimState *state, SsStepInfo *info, SsError *err)
{
  SS_ASSERT (m != NULL && step != NULL && state != NULL && info != NULL);

  double margin = 2 * margin_factor * ss_stepper_reach (m->base, state->v, step->dt);
  SsStatus status = go (m, step, state, &margin, info, err);
  if (status == SS_OK)
    status = ss_rattle_keep (m->rattle, m->base->problem, err);
  if (status == SS_OK)
    status = hold (m, step, state, margin, info, err);
  if (status != SS_OK)
    return status;
  return ss_rattle_end (m->rattle, m->base->problem, step->dt, m->v, m->v_before, m->q, state, err);
}
