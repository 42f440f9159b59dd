/* engine/contact/ss-step-solver.c: see ss-step-solver.h: the table of solvers. */
#include "contact/ss-step-solver.h"

#include <string.h>

static const SsStepSolver solvers[] = {
    {"step",
     "All ways of a simulation's step, those that cost little first: Lemke's method in small groups, then newton, "
     "interior-point and path.",
     "engine/contact/ss-contact-ways.c", true, NULL, ss_step_go_whole},
    {"newton",
     "Newton's method on the piecewise linear equation of the states, and fixed points on the friction bound.",
     "engine/contact/ss-contact-clamp.c, ss-contact-convex.c", true, ss_step_go_reduced_newton, ss_step_go_newton},
    {"interior-point",
     "An interior point method on the bodies' velocities, finished by newton; where its central path turns, along "
     "that by arc length.",
     "engine/contact/ss-contact-interior.c, ss-contact-curve.c; S. Mehrotra, SIAM J. Optim. 2 (1992)", true,
     ss_step_go_reduced_interior, ss_step_go_interior},
    {"path", "Paths through the pieces of the states, Lemke's among them; problems without bodies by Lemke's method.",
     "engine/contact/ss-contact-clamp.c; Cottle, Pang, Stone, The LCP, sec. 4.4", true, ss_step_go_lemke,
     ss_step_go_path},
    {"gauss-seidel", "Nonsmooth Gauss-Seidel: Coulomb's law point by point, exactly, the others held.",
     "M. Jean, J. J. Moreau, Contact Mechanics Int. Symp. (1992)", false, NULL, ss_step_go_gauss_seidel},
    {"admm", "Alternating directions on a convex problem whose shift s = mu |u_t| follows the iterates.",
     "V. Acary, F. Cadoux, C. Lemarechal, J. Malick, ZAMM 91 (2011); J. Carpentier, Q. Le Lidec, L. Montaut, RSS 2024",
     false, NULL, ss_step_go_admm},
};
enum { N_SOLVERS = sizeof solvers / sizeof *solvers };

const SsStepSolver *
ss_step_solvers (int *n)
{
  SS_ASSERT (n != NULL);
  *n = N_SOLVERS;
  return solvers;
}

const SsStepSolver *
ss_step_solver_find (const char *name)
{
  for (int i = 0; i < N_SOLVERS; i++)
    if (strcmp (solvers[i].name, name) == 0)
      return &solvers[i];
  return NULL;
}
