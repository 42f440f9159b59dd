/* engine/contact/ss-contact-points.c: the list of points; see ss-contact-problem.h. */
#include "contact/ss-contact-problem.h"

SsStatus
ss_contact_problem_reserve (SsContactProblem *problem, int n_points, SsError *err)
{
  SS_ASSERT (problem != NULL && n_points >= 0);

  return ss_array_reserve ((void **)&problem->points, &problem->points_capacity, n_points, sizeof *problem->points) == 0
             ? SS_OK
             : ss_error_set (err, SS_ERR_MEMORY, "no memory for %d contact points", n_points);
}

double
ss_contact_point_restitution (const SsContactProblem *problem, const SsContactPoint *point)
{
  SS_ASSERT (point != NULL);
  if (point->contact >= 0)
    return problem->scene->contacts[point->contact].restitution;
  return point->drive == SS_DRIVE_NONE && point->limit >= 0 ? problem->scene->joints[point->limit].restitution : 0;
}

SsContactPoint *
ss_contact_problem_add_point (SsContactProblem *problem)
{
  SS_ASSERT (problem != NULL);
  if (ss_contact_problem_reserve (problem, problem->n_points + 1, NULL) != SS_OK)
    return NULL;
  SsContactPoint *point = &problem->points[problem->n_points++];
  *point = (SsContactPoint){.contact = -1, .limit = -1, .owner = -1};
  return point;
}
