/* engine/dynamics/ss-start-fit.h: start velocities that do not fit a joint, such as a pendulum's angular velocity
 * without that of its centre: the joint changes them at once, in a simulation and in a plan, and most of the energy may
 * go with them. Threads: as of the dynamics. Tests: tests/numeric/test-joints.c */
#pragma once

#include "dynamics/ss-dynamics.h"

typedef struct {
  int joint;      /* of the scene, the one that changes most; -1: all fit, but for the rounding of a file */
  double energy;  /* [J] by which that joint alone changes the kinetic energy: rate^2 / (2 G M^-1 G') */
  double kinetic; /* [J] at the start */
} SsStartMisfit;

/* At (t, q, v); the dynamics are left at that time. `has_springs`: joints with a stiffness are springs, which keep what
 * does not fit. SS_ERR_MEMORY. */
SS_NODISCARD SsStatus ss_start_misfit (SsDynamics *dynamics, const SsScene *scene, double t, const double *q,
                                       const double *v, bool has_springs, SsStartMisfit *out, SsError *err);
/* The same of the scene as it stands in its file, with joints that nothing opens. */
SS_NODISCARD SsStatus ss_start_misfit_of_scene (const SsScene *scene, bool has_springs, SsStartMisfit *out,
                                                SsError *err);
/* A sentence about one with a joint. */
void ss_start_misfit_text (const SsScene *scene, const SsStartMisfit *misfit, char *text, size_t size);
