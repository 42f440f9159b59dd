/* engine/contact/ss-contact-solve.c: solves the problem of a step: the loop over included points; joints closed. */
#include "contact/ss-contact-certainty.h"
#include "contact/ss-contact-problem.h"

#include <math.h>
#include <string.h>

/* Joints that are open by less are closed [m, rad]: rounding of coordinates of some metres. */
static const double closed = 1e-13;
enum { CLOSING_STEPS_MAX = 4 };
/* With so many points violated at once, or by the answers of one step, as layers of a heap come in one after the other,
 * the others are included without asking: the sparse method minds them little, asking costs a solution each time. */
enum { INCLUDE_ALL_FROM = 40 };

/* Includes the points that v violates. Returns how many were new. */
static int
include_violated (SsContactProblem *problem, const double *v)
{
  int n_new = 0;
  for (int i = 0; i < problem->n_points; i++) {
    SsContactPoint *p = &problem->points[i];
    if (p->is_included || p->drive == SS_DRIVE_ROLLING)
      continue;
    double rate = ss_contact_point_normal_velocity (p, v) + p->bias;
    if (problem->is_convex && p->drive == SS_DRIVE_NONE)
      rate -= p->mu * fabs (ss_contact_point_slip (p, v));
    if (problem->is_convex && p->resisted > 0)
      rate -= problem->points[p->resisted].mu * fabs (ss_contact_point_slip (&problem->points[p->resisted], v));
    if (!(rate < 0))
      continue;
    p->is_included = true;
    n_new++;
  }
  for (int i = 0; i < problem->n_points; i++) /* what resists rolling comes and goes with its contact */
    if (problem->points[i].drive == SS_DRIVE_ROLLING)
      problem->points[i].is_included = problem->points[problem->points[i].owner].is_included;
  problem->n_included += n_new;
  return n_new;
}

static void
include_all (SsContactProblem *problem)
{
  for (int i = 0; i < problem->n_points; i++)
    problem->points[i].is_included = true;
  problem->n_included = problem->n_points;
}

/* Impulses of the last solve where there are any; they are starting values of the sparse method. */
static void
recall (SsContactProblem *problem)
{
  problem->n_included = 0;
  for (int i = 0; i < problem->n_points; i++) {
    SsContactPoint *p = &problem->points[i];
    bool is_known = p->memory >= 0 && p->memory < problem->n_memory && problem->n_solves > 0 &&
                    problem->seen[p->memory] == problem->n_solves;
    p->pn = is_known ? fmax (problem->memory_pn[p->memory], p->pn_least) : p->pn_least;
    p->pt = is_known ? problem->memory_pt[p->memory] : 0;
    p->is_included = p->pn > 0;
    problem->n_included += p->is_included;
  }
  for (int i = 0; i < problem->n_rows; i++)
    problem->rows[i].p = problem->n_solves > 0 ? problem->memory_row[i] : 0;
}

static void
remember (SsContactProblem *problem)
{
  problem->n_solves++;
  for (int i = 0; i < problem->n_points; i++) {
    const SsContactPoint *p = &problem->points[i];
    if (p->memory < 0 || p->memory >= problem->n_memory)
      continue;
    problem->seen[p->memory] = problem->n_solves;
    problem->memory_pn[p->memory] = p->pn;
    problem->memory_pt[p->memory] = p->pt;
  }
  for (int i = 0; i < problem->n_rows; i++)
    problem->memory_row[i] = problem->rows[i].p;
}

SsStatus
ss_contact_problem_solve (SsContactProblem *problem, const double *v_free, double t, double *v, SsStepInfo *info,
                          SsError *err)
{
  SS_ASSERT (problem != NULL && v_free != NULL && v != NULL && info != NULL);

  *info = (SsStepInfo){.n_points = problem->n_points};
  recall (problem);
  include_violated (problem, v_free);
  if (problem->n_included > INCLUDE_ALL_FROM)
    include_all (problem);
  for (int n_new = 0, n_later = 0;; n_later += n_new) { /* ends: the set only grows */
    if (n_later > INCLUDE_ALL_FROM)
      include_all (problem);
    SsStatus status = ss_contact_problem_solve_included (problem, v_free, t, v, info, err);
    if (status != SS_OK)
      return status;
    n_new = include_violated (problem, v);
    if (n_new == 0)
      break;
  }
  remember (problem); /* the first solution, whichever is taken: where the solve is repeated it is found again */
  if (problem->watch != NULL)
    problem->watch->solved (problem->watch->owner, problem, v_free, v, info->residual);
  return problem->certainty != NULL ? ss_contact_certainty_look (problem->certainty, problem, v_free, t, v, err)
                                    : SS_OK;
}

SsStatus
ss_contact_problem_solve_rows (SsContactProblem *problem, const double *v_free, double t, double *v, SsError *err)
{
  SS_ASSERT (problem != NULL && v_free != NULL && v != NULL);

  int n_points = problem->n_points;
  SsStepInfo info;
  problem->n_points = 0;
  for (int i = 0; i < problem->n_rows; i++) {
    problem->rows[i].p = 0;
    problem->rows[i].bias -= problem->rows[i].row.rate_t;
  }
  SsStatus status = ss_contact_problem_solve_included (problem, v_free, t, v, &info, err);
  for (int i = 0; i < problem->n_rows; i++)
    problem->rows[i].bias += problem->rows[i].row.rate_t;
  problem->n_points = n_points;
  return status;
}

SsStatus
ss_contact_problem_close_joints (SsContactProblem *problem, double t, double *q, double *work, SsError *err)
{
  SS_ASSERT (problem != NULL && q != NULL && work != NULL);

  size_t n = 3 * (size_t)problem->scene->n_bodies;
  double *zero = work, *way = work + n;
  memset (zero, 0, n * sizeof *zero);
  const int n_rows = problem->n_rows;
  SsStatus status = SS_OK;
  memcpy (problem->rows_kept, problem->rows, (size_t)n_rows * sizeof *problem->rows);
  for (int k = 0; k < CLOSING_STEPS_MAX && status == SS_OK && problem->scene->n_joints > 0; k++) {
    double open = 0;
    ss_contact_problem_collect_joints (problem, q, zero);
    for (int i = 0; i < problem->n_rows; i++) {
      problem->rows[i].bias = problem->rows[i].row.phi;
      open = fmax (open, fabs (problem->rows[i].row.phi));
    }
    if (open <= closed)
      break;
    status = ss_contact_problem_solve_rows (problem, zero, t, way, err);
    for (size_t i = 0; i < n && status == SS_OK; i++)
      q[i] += way[i];
  }
  memcpy (problem->rows, problem->rows_kept, (size_t)n_rows * sizeof *problem->rows);
  problem->n_rows = n_rows;
  return status;
}
