/* engine/contact/ss-step-ways.c: the step's own methods as solvers of a problem that was taken out of it: the same
 * code, called as the step calls it. See ss-step-solver.h. */
#include "contact/ss-step-solver.h"

#include "contact/ss-contact-newton-private.h"
#include "contact/ss-step-take.h"

#include <math.h>

/* A step's methods aim at more than is asked for, since their residual is that of groups without joints' rounding. */
static const double wanted_part = 0.1;

typedef struct {
  SsStepRun *run;
  double *r, *p;
} Listener;

/* ---- iterates ---------------------------------------------------------------------------------------------------- */

static bool
look (void *owner, const SsContactNewton *s, bool is_inside, int iterations)
{
  const Listener *l = owner;
  for (int i = 0; i < s->n_rows; i++) {
    const Row *row = &s->rows[i];
    if (row->kind == ROW_FREE)
      l->p[row->source] = row->p;
    else if (!is_inside)
      l->r[2 * row->source + (row->kind == ROW_TANGENT)] = row->p;
  }
  for (int i = 0; i < s->n_interior && is_inside; i++) {
    const SsInteriorPoint *x = &s->interior[i];
    const int source = s->rows[x->normal].source;
    l->r[2 * source] = x->z[0];
    l->r[2 * source + 1] = x->has_friction ? x->z[1] - x->z[2] : 0;
  }
  return ss_step_run_tell (l->run, iterations, l->r, l->p);
}

static SsStatus
listener_new (SsStepRun *run, Listener *out, SsError *err)
{
  const SsStepProblem *problem = ss_step_run_problem (run);
  *out = (Listener){run, ss_new_array (double, 2 * (size_t)problem->n_contacts + 1),
                    ss_new_array (double, (size_t)problem->n_joints + 1)};
  return out->r != NULL && out->p != NULL ? SS_OK : ss_error_set (err, SS_ERR_MEMORY, "no memory for a solver");
}

static void
listener_clear (Listener *l)
{
  ss_free (l->r);
  ss_free (l->p);
}

/* ---- ways -------------------------------------------------------------------------------------------------------- */

static SsStatus
go_by (SsStepRun *run, SsContactWay way, SsError *err)
{
  SsStepBodies *bodies = NULL;
  Listener l = {0};
  int *points = NULL, *rows = NULL;
  SsStatus status = ss_step_bodies_new (ss_step_run_problem (run), &bodies, err);
  if (status == SS_OK)
    status = listener_new (run, &l, err);
  if (status != SS_OK)
    goto done;
  SsContactProblem *problem = ss_step_bodies_problem (bodies);
  points = ss_new_array (int, (size_t)problem->n_points + 1);
  rows = ss_new_array (int, (size_t)problem->n_rows + 1);
  if (points == NULL || rows == NULL) {
    status = ss_error_set (err, SS_ERR_MEMORY, "no memory for a solver");
    goto done;
  }
  for (int i = 0; i < problem->n_points; i++) {
    points[i] = i;
    problem->points[i].is_included = true;
    problem->points[i].pn = problem->points[i].pn_least;
  }
  for (int i = 0; i < problem->n_rows; i++)
    rows[i] = i;
  SsContactNewton *s = problem->newton;
  const SsContactLook listener = {&l, look};
  double scale, residual = INFINITY;
  int iterations = 0, worst = -1;
  status = ss_contact_newton_prepare (s, problem, points, problem->n_points, rows, problem->n_rows,
                                      ss_step_bodies_v_free (bodies), &scale, err);
  if (status != SS_OK)
    goto done;
  s->look = &listener;
  ss_contact_newton_solve_by (s, way, scale, wanted_part * ss_step_run_tolerance (run), &residual, &iterations, &worst);
  s->look = NULL;
  ss_contact_newton_hand_back (s, problem, points, problem->n_points);
  ss_step_bodies_impulses (bodies, l.r, l.p);
  if (ss_step_run_tell (run, iterations, l.r, l.p))
    ss_step_run_give_up (run, "it found no way on");

done:
  ss_free (points);
  ss_free (rows);
  listener_clear (&l);
  ss_step_bodies_free (bodies);
  return status;
}

SsStatus
ss_step_go_newton (SsStepRun *run, SsError *err)
{
  return go_by (run, SS_CONTACT_WAY_NEWTON, err);
}

SsStatus
ss_step_go_interior (SsStepRun *run, SsError *err)
{
  return go_by (run, SS_CONTACT_WAY_INTERIOR, err);
}

SsStatus
ss_step_go_path (SsStepRun *run, SsError *err)
{
  return go_by (run, SS_CONTACT_WAY_PATH, err);
}

/* Groups are solved one after the other: none of them is the problem's iterate. */
static bool
look_at_limits (void *owner, const SsContactNewton *s, bool is_inside, int iterations)
{
  (void)s;
  (void)is_inside;
  return ss_step_run_goes_on (((const Listener *)owner)->run, iterations);
}

SsStatus
ss_step_go_whole (SsStepRun *run, SsError *err)
{
  SsStepBodies *bodies = NULL;
  Listener l = {0};
  const SsContactLook listener = {&l, look_at_limits};
  SsStepInfo info;
  SsStatus status = ss_step_bodies_new (ss_step_run_problem (run), &bodies, err);
  if (status == SS_OK)
    status = listener_new (run, &l, err);
  if (status == SS_OK)
    ss_step_bodies_problem (bodies)->newton->look = &listener;
  if (status == SS_OK) {
    status = ss_contact_problem_solve (ss_step_bodies_problem (bodies), ss_step_bodies_v_free (bodies), 0,
                                       ss_step_bodies_v (bodies), &info, err);
    ss_step_bodies_impulses (bodies, l.r, l.p);
    if (ss_step_run_tell (run, info.pivots, l.r, l.p) && status == SS_OK)
      ss_step_run_give_up (run, "the step's own residual is no smaller");
  }
  listener_clear (&l);
  ss_step_bodies_free (bodies);
  return status;
}
