/* engine/fesd/ss-fesd-j.h: the integrator fesd-j: finite elements with switch and jump detection for rigid bodies with
 * impacts and Coulomb friction (paper 000), for every scene that can be drawn.
 *
 * A step is a number of finite elements that end where contacts switch (fesd/ss-fesd-march.h); all of its equations are
 * verified by separate code (fesd/ss-fesd-check.h), whose largest violation is the step's residual. It has the full
 * order of its scheme between the events, events at exact times, jumps as two rows, stages.
 * Fallbacks   other modes that the law allows; two half steps. Then modes that a homotopy proposes, where there is
 *             one to ask (plan/ss-step-homotopy.h).
 * Refused     formulas without a derivative, by name.
 * Tests       tests/numeric/test-fesd.c
 */
#pragma once

#include "fesd/ss-fesd-integrator.h"
#include "simulate/ss-sim-limits.h"

/* For code that simulates by it with settings of its own; what each is: the table in ss-fesd-integrator.h. */
typedef struct {
  SsFesdIntegratorOptions fesd;
  SsSimLimits limits;
} SsFesdJOptions;

/* Its options are SsFesdJOptions. */
extern const SsIntegratorClass ss_integrator_fesd_j;
