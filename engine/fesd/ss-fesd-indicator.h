/* engine/fesd/ss-fesd-indicator.h: whether a switch happens at a grid point between two finite elements.
 *
 * Source   paper 000, sec. 3.4, [000 (27)-(30)]. nu of a contact is 0 where it closes, opens, or goes from sticking to
 *          slipping or back or to slipping the other way between the elements, and positive where nothing of this
 *          happens; eta, the product over all contacts, is what step equilibration is weighted with.
 * Letters  B is the element before the grid point, F the one after it; sums run over the left point and the stages
 *          (gaps, velocities) or over the stages (forces, beta).
 * Friction has two parts of the velocity: xi+ and xi- of the conic law, or delta_1 and delta_2 of the polyhedral one
 *          (the paper gives the indicator for the first only; delta plays the same part: while slipping one of the two
 *          vanishes, while sticking both do).
 * Errata   (30) is printed with the contact's index on eta; the product is over all contacts and eta has none.
 * Threads  pure functions. Tests: tests/unit/test-fesd-indicator.c.
 */
#pragma once

#include "core/ss-core.h"

/* Values of a contact in one element: [0] at its left point, [1..n] at its stages. */
typedef struct {
  const double *gap;             /* f, n + 1 */
  const double *lambda_n;        /* n: of the stages */
  const double *part_1, *part_2; /* n + 1; NULL: no friction */
  const double *beta;            /* n: of the stages; NULL: no friction */
} SsFesdContactValues;

/* kappa: 0 where the contact closes or opens. n stages. */
double ss_fesd_kappa (int n, const SsFesdContactValues *before, const SsFesdContactValues *after);
/* zeta: 0 where friction switches in lasting contact; 1 without friction. */
double ss_fesd_zeta (int n, const SsFesdContactValues *before, const SsFesdContactValues *after);
/* eta: the product of kappa zeta over the contacts; before[n_contacts], after[n_contacts]. */
double ss_fesd_eta (int n, int n_contacts, const SsFesdContactValues *before, const SsFesdContactValues *after);
