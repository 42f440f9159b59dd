/* engine/contact/ss-contact-cohesion.c: contacts that pull before they part; see ss-contact-problem.h. */
#include "contact/ss-contact-problem.h"

static bool
is_held (const SsContactProblem *problem, const SsContactPoint *p)
{
  return p->contact >= 0 && problem->scene->contacts[p->contact].cohesion > 0 && p->phi <= SS_COHESION_REACH;
}

/* Gives `share` of what the points have to v. */
static void
push_all (const SsContactProblem *problem, double share, double *v)
{
  for (int i = 0; i < problem->n_points; i++)
    if (problem->points[i].cohesion > 0) {
      SsContactPoint pull = problem->points[i];
      pull.pn = share * pull.cohesion;
      pull.pt = 0;
      ss_contact_problem_push (problem, &pull, v);
    }
}

void
ss_contact_problem_give_cohesion (SsContactProblem *problem, double h, double *v_free)
{
  SS_ASSERT (problem != NULL && v_free != NULL && h > 0);

  /* points of a contact come one after the other */
  for (int i = 0, next = 0; i < problem->n_points && problem->has_cohesion; i = next) {
    const int contact = problem->points[i].contact;
    int n_held = 0;

    for (next = i; next < problem->n_points && problem->points[next].contact == contact; next++)
      n_held += is_held (problem, &problem->points[next]);
    for (int k = i; k < next; k++)
      problem->points[k].cohesion =
          is_held (problem, &problem->points[k]) ? h * problem->scene->contacts[contact].cohesion / n_held : 0;
  }
  push_all (problem, -1, v_free);
}

void
ss_contact_problem_take_cohesion (SsContactProblem *problem, double *v_free)
{
  SS_ASSERT (problem != NULL && v_free != NULL);

  push_all (problem, 1, v_free);
  for (int i = 0; i < problem->n_points && problem->has_cohesion; i++) {
    problem->points[i].pn -= problem->points[i].cohesion;
    problem->points[i].cohesion = 0;
  }
}
