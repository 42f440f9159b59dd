/* engine/contact/ss-contact-certainty-private.h: what the parts of ss-contact-certainty.h share. */
#pragma once

#include "contact/ss-contact-certainty.h"

/* Bodies that points or rows connect. */
typedef struct {
  int n_points, n_rows;
  const int *points, *rows; /* of the problem */
  double scale;             /* fastest of its rows without impulses [m/s] */
} SsIsland;

static inline bool
ss_island_has_normal (const SsContactPoint *p)
{
  return p->drive == SS_DRIVE_NONE;
}

/* The bound of the point's tangent, by the impulses that the points have. */
static inline double
ss_island_bound (const SsContactProblem *problem, const SsContactPoint *p)
{
  return p->mu * (p->drive == SS_DRIVE_ROLLING ? problem->points[p->owner].pn : p->pn);
}

/* Natural residual of the island's impulses [m/s], with velocities that belong to them. */
double ss_island_residual (const SsContactProblem *problem, const SsIsland *island, const double *v);
/* v_free with the impulses of the island: of its bodies alone, others stay as they are in v. */
void ss_island_velocities (const SsContactProblem *problem, const SsIsland *island, const double *v_free, double *v);
/* Largest difference of a normal velocity or a slip of its points [m/s]. */
double ss_island_apart (const SsContactProblem *problem, const SsIsland *island, const double *v_a, const double *v_b);

/* Whether the island is held up without friction and without slip, by the large solver. The points' impulses are used
 * up. `v` and `mu`, a number a point of the island, are work. SS_ERR_MEMORY. */
SS_NODISCARD SsStatus ss_island_is_supported (SsContactProblem *problem, const SsIsland *island, const double *v_free,
                                              double *v, double *mu, bool *is, SsError *err);
/* Number `attempt` of the searches for another solution, from impulses that are those of the first; the points' and
 * rows' impulses and v are then of what it found, whatever that is; false: there are no more. SS_ERR_MEMORY. */
SS_NODISCARD SsStatus ss_island_search (SsContactProblem *problem, const SsIsland *island, int attempt,
                                        const double *v_free, double *v, bool *is_any, SsError *err);
