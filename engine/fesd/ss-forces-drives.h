/* engine/fesd/ss-forces-drives.h: friction and motors of joints, and what resists rolling, at one state.
 *
 * Each is a force lambda in [-b, b] along a row J, which resists its rate r = J v less the speed w that a motor holds:
 *     r != 0: lambda = -b sign r;    r = 0: lambda = clamp (lambda - s (d/dt r)), any s > 0.
 * The accelerations d/dt r are those of the law of contacts (ss-fesd-law.h) with the lambdas as forces: piecewise
 * linear, so that a semismooth Newton with differences ends at rounding in a few rounds (L. Qi, J. Sun, Math. Program.
 * 58 (1993)). b of what resists rolling is its length times the normal force there.
 */
#pragma once

#include "contact/ss-contact-problem.h"
#include "fesd/ss-fesd-law.h"

typedef struct {
  SsContactDrive kind;
  int index; /* joint; contact */
  int touch; /* ROLLING: of the list that was given; else -1 */
  int body[2];
  double j[6];
  double rate, gdv; /* [m/s] or [rad/s], without the speed of a motor; (dJ/dt) v */
  double most;      /* b [N] or [N m]; of ROLLING by the last forces */
  double value;     /* answer: lambda */
  bool holds;       /* lambda is within its bounds, and keeps the rate */
} SsForceDrive;

/* Those of the scene at (q, v), with these touches that hold. *drives is owned by the caller. SS_ERR_MEMORY. */
SS_NODISCARD SsStatus ss_force_drives_find (const SsFesdSystem *system, const double *q, const double *v,
                                            const SsFesdTouch *touches, int n_touches, SsForceDrive **drives, int *n,
                                            SsError *err);
/* Their forces, and with them those of the touches, as of ss_fesd_law_forces; `extra` (3 n_bodies, of the caller, as
 * long as the law is used) holds them from then on. SS_ERR_SINGULAR: none were found. */
SS_NODISCARD SsStatus ss_force_drives_solve (SsForceDrive *drives, int n, SsFesdSystem *system, SsFesdLaw *law,
                                             double t, const double *q, const double *v, SsFesdTouch *touches,
                                             int n_touches, double *extra, double *a, double *bilateral,
                                             bool *is_solved, SsError *err);
