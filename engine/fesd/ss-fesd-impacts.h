/* engine/fesd/ss-fesd-impacts.h: the laws of the room impact (impact/ss-impact-law.h) for jumps of the marched motion.
 *
 * newton           the contacts' restitution e, as in Moreau's scheme; the same law as that of fesd-j
 * anitescu-potra   e by Poisson's second problem; all contacts at once; without restitution the same law as newton's
 * sequential       inelastic: e is not used
 * set-valued       inelastic: e is not used; impact number k of the run (from 0) takes sample k of the seed's
 *
 * Configuration  the points that touch, of the bodies that something approaching is connected to by touching points and
 *                joints; in the order of the contacts, points of one contact from left to right, limits last. Names as
 *                ss_impact_new_from_scene gives them.
 * Leftovers      sequential may leave approaches up to its tolerance, set-valued up to SS_IMPACT_STOP; a motion
 *                goes on as if these were none. A law that leaves more fails, and the run with it.
 * Memory         allocated at each impact. One thread at a time.
 */
#pragma once

#include "fesd/ss-fesd-march.h"
#include "impact/ss-impact-law.h"

typedef enum {
  SS_FESD_IMPACTS_NEWTON,
  SS_FESD_IMPACTS_ANITESCU_POTRA,
  SS_FESD_IMPACTS_SEQUENTIAL,
  SS_FESD_IMPACTS_SET_VALUED
} SsFesdImpactsKind;

typedef struct {
  int law;                        /* SsFesdImpactsKind */
  char order[SS_OPTION_TEXT_MAX]; /* SEQUENTIAL: names with commas; what touches and is not named comes after them */
  double tolerance;               /* SEQUENTIAL [m/s] */
  int max_solves;                 /* SEQUENTIAL */
  int policy, draw;               /* SET_VALUED: SsImpactPolicy, SsImpactDrawKind */
  double step;                    /* SET_VALUED [N s]; 0: the impulse that stops one contact */
  int max_steps, seed;            /* SET_VALUED */
} SsFesdImpactOptions;

typedef struct SsFesdImpacts SsFesdImpacts;

/* The system is borrowed, the options are copied. SS_ERR_ARG: the order names what is neither contact nor limit. */
SS_NODISCARD SsStatus ss_fesd_impacts_new (SsFesdSystem *system, const SsFesdImpactOptions *options,
                                           SsFesdImpacts **out, SsError *err);
void ss_fesd_impacts_free (SsFesdImpacts *impacts); /* NULL is allowed */
/* For the march, which must end before the impacts do. */
SsFesdImpactLaw ss_fesd_impacts_law (SsFesdImpacts *impacts);
/* Approach that the law may leave [m/s]. */
double ss_fesd_impacts_approach (const SsFesdImpactOptions *options);
