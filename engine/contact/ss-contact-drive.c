/* engine/contact/ss-contact-drive.c: friction and motors of joints, rolling resistance; see ss-contact-problem.h.
 *
 * Bounded rows, lambda in [-b, b] complementary to a rate, are the tangents of contacts with a given normal impulse.
 */
#include "contact/ss-contact-problem.h"

#include <math.h>
#include <string.h>

static SsContactPoint *
append (SsContactProblem *problem, SsContactDrive drive, const int body[2], const double *row, double mu)
{
  SS_ASSERT (problem->n_points < problem->points_capacity);
  SsContactPoint *point = &problem->points[problem->n_points++];
  /* The compliance is that of a normal that acts on nothing, so that its row is not empty and pn = pn_least: as large
   * as the row's own mobility, so that no number of the step is small beside it in any units. */
  const double mobility = ss_contact_coupling (problem, body, row, body, row);
  *point = (SsContactPoint){.contact = -1,
                            .limit = -1,
                            .drive = drive,
                            .owner = -1,
                            .body = {body[0], body[1]},
                            .phi = INFINITY, /* nothing to touch */
                            .mu = mu,
                            .compliance = mobility > 0 ? mobility : 1,
                            .memory = -1};
  memcpy (point->jt, row, sizeof point->jt);
  return point;
}

static void
append_joint (SsContactProblem *problem, const SsRow *row, SsContactDrive drive, double most, double speed)
{
  if (!(most > 0))
    return;
  SsContactPoint *point = append (problem, drive, row->body, row->j, 1);
  point->limit = row->source;
  point->pn_least = most;
  point->bias_t = -speed;
  point->memory = problem->memory_start[problem->scene->n_contacts] + SS_JOINT_LIMITS_MAX * problem->scene->n_joints +
                  SS_JOINT_DRIVES_MAX * row->source + (drive == SS_DRIVE_MOTOR);
}

/* What resists the rolling of the first n points. */
static void
append_rolling (SsContactProblem *problem, int n)
{
  static const double turning[6] = {[2] = -1, [5] = 1};

  for (int i = 0; i < n; i++) {
    const SsContactPoint *owner = &problem->points[i];
    const double rolling = owner->contact >= 0 ? problem->scene->contacts[owner->contact].rolling : 0;
    if (rolling > 0)
      append (problem, SS_DRIVE_ROLLING, owner->body, turning, rolling)->owner = i;
    problem->points[i].resisted = rolling > 0 ? problem->n_points - 1 : 0;
  }
}

void
ss_contact_problem_set_drives (SsContactProblem *problem, const double *q, const double *v, double h)
{
  SS_ASSERT (problem != NULL && q != NULL && v != NULL && h > 0);

  while (problem->n_points > 0 && problem->points[problem->n_points - 1].drive != SS_DRIVE_NONE)
    problem->n_points--;
  if (problem->has_rolling)
    append_rolling (problem, problem->n_points);
  const int n =
      problem->scene->n_joints > 0 ? ss_dynamics_drive_rows (problem->dynamics, q, v, problem->row_scratch) : 0;
  for (int i = 0; i < n; i++) {
    const SsRow *row = &problem->row_scratch[i];
    const SsJoint *joint = &problem->scene->joints[row->source];
    append_joint (problem, row, SS_DRIVE_FRICTION, h * joint->friction, 0);
    append_joint (problem, row, SS_DRIVE_MOTOR, h * joint->motor_limit, joint->motor_speed);
  }
}

static void
append_rebound (SsContactProblem *problem, int owner, double most)
{
  const SsContactPoint *p = &problem->points[owner];
  if (most > 0) {
    append (problem, SS_DRIVE_REBOUND, p->body, p->jt, 1)->owner = owner;
    problem->points[problem->n_points - 1].pn_least = most;
  }
}

void
ss_contact_problem_give_least (SsContactProblem *problem, double *v)
{
  SS_ASSERT (problem != NULL && problem->is_convex && v != NULL);

  for (int i = 0, n = problem->n_points; i < n; i++) {
    SsContactPoint *p = &problem->points[i];
    const double least = p->pn_least;

    if (p->drive != SS_DRIVE_NONE || !(least > 0))
      continue;
    p->pn = p->pn_given = least;
    p->pn_least = p->pt = 0;
    ss_contact_problem_push (problem, p, v);
    append_rebound (problem, i, p->mu * least);
    if (p->resisted > 0)
      append_rebound (problem, p->resisted, problem->points[p->resisted].mu * least);
  }
}

void
ss_contact_problem_take_least (SsContactProblem *problem)
{
  SS_ASSERT (problem != NULL);

  for (; problem->n_points > 0 && problem->points[problem->n_points - 1].drive == SS_DRIVE_REBOUND; problem->n_points--)
    problem->points[problem->points[problem->n_points - 1].owner].pt += problem->points[problem->n_points - 1].pt;
  for (int i = 0; i < problem->n_points; i++)
    if (problem->points[i].drive == SS_DRIVE_NONE) {
      problem->points[i].pn += problem->points[i].pn_given;
      problem->points[i].pn_given = 0;
    }
}
