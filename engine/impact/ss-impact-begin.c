/* engine/impact/ss-impact-begin.c: see the header. */
#include "impact/ss-impact-begin.h"

#include "impact/ss-impact-modes.h"

#include <math.h>
#include <string.h>

double
ss_impact_slip_impulse (const SsImpact *impact)
{
  SS_ASSERT (impact != NULL);

  const int m = impact->m, size = 2 * m;
  double u[2 * SS_IMPACT_CONTACTS_MAX], largest = 0;

  ss_impact_speeds (impact, impact->v, u);
  for (int i = 0; i < m; i++) {
    const double d = impact->contact[(m + i) * size + m + i];
    if (impact->mu[i] > 0 && d > 0)
      largest = fmax (largest, fabs (u[m + i]) / (impact->mu[i] * d));
  }
  return largest;
}

/* All solutions but v' = v, which the tree tells like any other. */
static bool
pushes (const SsImpact *impact, const SsImpactSolution *solution)
{
  for (int i = 0; i < impact->n; i++)
    if (solution->v[i] != impact->v[i])
      return true;
  return false;
}

/* [002 (53)]. */
SsStatus
ss_impact_begin (const SsImpact *impact, const double *cap, double u, double *v, double *impulse, bool *found,
                 SsError *err)
{
  SS_ASSERT (impact != NULL && cap != NULL && u >= 0 && u < 1 && v != NULL && impulse != NULL && found != NULL);

  const SsImpactSolution *solutions;
  SsImpactModes *modes;
  SsStatus status = ss_impact_modes_new (impact, &modes, err);
  int n_pushing = 0;

  *found = false;
  if (status != SS_OK)
    return status;
  const int n = ss_impact_modes_solve (modes, impact->v, cap, &solutions);
  for (int k = 0; k < n; k++)
    n_pushing += pushes (impact, &solutions[k]);
  int left = (int)(u * n_pushing);
  for (int k = 0; k < n && !*found; k++) {
    if (!pushes (impact, &solutions[k]) || left-- > 0)
      continue;
    memcpy (v, solutions[k].v, (size_t)impact->n * sizeof *v);
    memcpy (impulse, solutions[k].impulse, 2 * (size_t)impact->m * sizeof *impulse);
    *found = true;
  }
  ss_impact_modes_free (modes);
  return SS_OK;
}
