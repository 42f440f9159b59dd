/* engine/simulate/ss-bounce.c: see ss-bounce.h. */
#include "simulate/ss-bounce.h"

#include <math.h>
#include <string.h>

bool
ss_bounce_is_used (const SsScene *scene, SsRestitutionRule rule)
{
  SS_ASSERT (scene != NULL);

  for (int i = 0; i < scene->n_contacts && rule != SS_RESTITUTION_OFF; i++)
    if (scene->contacts[i].restitution > 0)
      return true;
  for (int i = 0; i < scene->n_joints && rule != SS_RESTITUTION_OFF; i++)
    if (scene->joints[i].restitution > 0)
      return true;
  return false;
}

/* Points that bounce and were not known to get their biases. Returns how many. */
static int
choose (SsContactProblem *problem, SsRestitutionRule rule, const double *v0)
{
  int n = 0;

  for (int i = 0; i < problem->n_points; i++) {
    SsContactPoint *p = &problem->points[i];

    if (p->bounces || !(p->pn > 0))
      continue;
    const double e = ss_contact_point_restitution (problem, p);
    const double approach = ss_contact_point_normal_velocity (p, v0);
    if (!(e > 0) || !(approach < -SS_BOUNCE_AT_REST))
      continue;
    p->bounces = true;
    p->bias = fmin (p->bias, rule == SS_RESTITUTION_NEWTON ? e * approach : 0);
    n++;
  }
  return n;
}

static SsStatus
solve (SsContactProblem *problem, SsStiff *stiff, const double *v_free, double t, double *v, SsStepInfo *info,
       SsError *err)
{
  SsStepInfo more;
  SsStatus status = ss_stiff_solve (stiff, problem, v_free, t, v, &more, err);

  if (status == SS_OK) {
    info->residual = fmax (info->residual, more.residual);
    info->pivots += more.pivots;
  }
  return status;
}

/* Decompression after v, at the end of compression. */
static SsStatus
push_back (SsContactProblem *problem, SsStiff *stiff, const double *v0, double t, double *v, double *work,
           SsStepInfo *info, SsError *err)
{
  memcpy (work, v, 3 * (size_t)problem->scene->n_bodies * sizeof *v);
  for (int i = 0; i < problem->n_points; i++) {
    problem->points[i].pn_first = problem->points[i].pn;
    problem->points[i].pt_first = problem->points[i].pt;
  }
  for (int i = 0; i < problem->n_rows; i++)
    problem->rows[i].p_first = problem->rows[i].p;
  SsStatus status = solve (problem, NULL, v0, t, v, info, err); /* what stops v0 alone, without forces */
  for (int i = 0; i < problem->n_points; i++) {
    SsContactPoint *p = &problem->points[i];

    p->pn_least = p->bounces ? ss_contact_point_restitution (problem, p) * p->pn : 0;
  }
  ss_stiff_go_on (stiff);
  if (problem->is_convex)
    ss_contact_problem_give_least (problem, work);
  if (status == SS_OK)
    status = solve (problem, stiff, work, t, v, info, err);
  if (problem->is_convex)
    ss_contact_problem_take_least (problem);
  for (int i = 0; i < problem->n_points; i++) {
    SsContactPoint *p = &problem->points[i];

    p->pn += p->pn_first;
    p->pt += p->pt_first;
    p->pn_least = 0;
  }
  for (int i = 0; i < problem->n_rows; i++)
    problem->rows[i].p += problem->rows[i].p_first;
  return status;
}

SsStatus
ss_bounce (SsContactProblem *problem, SsStiff *stiff, SsRestitutionRule rule, const double *v0, const double *v_free,
           double t, double *v, double *work, SsStepInfo *info, SsError *err)
{
  SS_ASSERT (problem != NULL && v0 != NULL && v_free != NULL && v != NULL && work != NULL && info != NULL);
  bool any = false;

  while (choose (problem, rule, v0) > 0) { /* ends: chosen points stay so */
    SsStatus status = solve (problem, stiff, v_free, t, v, info, err);
    if (status != SS_OK)
      return status;
    any = true;
  }
  return any && rule == SS_RESTITUTION_POISSON ? push_back (problem, stiff, v0, t, v, work, info, err) : SS_OK;
}
