/* engine/fesd/ss-fesd-impacts.h: the laws of the room impact (impact/ss-impact-law.h) for jumps of the marched motion.
 *
 * newton           the contacts' restitution e, as in Moreau's scheme; the same law as that of fesd-j
 * anitescu-potra   e by Poisson's second problem; all contacts at once; without restitution the same law as newton's
 * sequential       inelastic, or e by Poisson on one contact after the other (`restitution`)
 * set-valued       likewise, in each sample; impact number k of the motion (from 0) takes sample k of the
 *                  seed's, or, where it is drawn B times, samples k B to k B + B - 1; with rates the one path of
 *                  these rates
 *
 * Without a collision   set-valued alone: a first step in which something pushes although nothing approaches
 *                (impact/ss-impact-begin.h), then the law as from a collision; both are one jump. Where several
 *                contacts may begin to push, one way is drawn; branches share it. At most SS_IMPACT_ENUMERATE_MAX
 *                points.
 * Forks          An impact of several points is drawn B times with the law set-valued, and has all outcomes of
 *                anitescu-potra (modes) and sequential (orders) with `all`. Draws whose velocities agree are one way:
 *                those that differ by less than 1e-7 m/s on the mass that moves, since a sample ends when no contact
 *                approaches faster than SS_IMPACT_STOP = 1e-8 m/s, and the last step of each may miss its end by that.
 *                Its share is the part of the draws. Samples that do not end count for nothing. With less room than
 *                draws the first ones are drawn alone; of `all` the first outcomes are kept, with their shares scaled.
 *                Motions with as many impacts behind them use the same samples, so that a motion of a fan is the same
 *                whatever the others do.
 * Configuration  the points that touch, of the bodies that something approaching is connected to by touching points and
 *                joints; in the order of the contacts, points of one contact from left to right, limits last. Names as
 *                ss_impact_new_from_scene gives them.
 * Leftovers      sequential may leave approaches up to its tolerance, set-valued up to SS_IMPACT_STOP, each law what
 *                the motion takes for no speed (ss_fesd_rest_speed, some 1e-7 m/s); a motion goes on as if these were
 *                none. A law that leaves more fails, and the run with it.
 * Memory         allocated at each impact, some hundred blocks. One thread at a time.
 */
#pragma once

#include "fesd/ss-fesd-fork.h"
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
  int restitution;                /* SEQUENTIAL, SET_VALUED: SsImpactRestitution */
  int policy, draw;               /* SET_VALUED: SsImpactPolicy, SsImpactDrawKind */
  double step;                    /* SET_VALUED [N s]; 0: the impulse that stops one contact */
  int max_steps, seed;            /* SET_VALUED */
  int rows;                       /* SET_VALUED: SsImpactRows */
  bool close;                     /* SET_VALUED: the closing step of Algorithm 2, of size: */
  double epsilon;
  char rates[SS_OPTION_TEXT_MAX]; /* SET_VALUED: "": samples; "equal", or as ss_impact_rates_parse reads */
  bool all;                       /* ANITESCU_POTRA, SEQUENTIAL: every outcome */
  int branches, max_branches;     /* draws of an impact; motions at most */
} SsFesdImpactOptions;

typedef struct SsFesdImpacts SsFesdImpacts;

/* The system is borrowed, the options are copied. SS_ERR_ARG: the order names what is neither contact nor limit. */
SS_NODISCARD SsStatus ss_fesd_impacts_new (SsFesdSystem *system, const SsFesdImpactOptions *options,
                                           SsFesdImpacts **out, SsError *err);
void ss_fesd_impacts_free (SsFesdImpacts *impacts); /* NULL is allowed */
/* For the march, which must end before the impacts do. */
SsFesdImpactLaw ss_fesd_impacts_law (SsFesdImpacts *impacts);
/* The march, whose time the forks tell; borrowed. Needed before the first step. */
void ss_fesd_impacts_set_march (SsFesdImpacts *impacts, const SsFesdMarch *march);
/* Motions at most with these options; 1: no impact forks. */
int ss_fesd_impacts_most (const SsFesdImpactOptions *options);
/* Those that it was made with, borrowed. */
const SsFesdImpactOptions *ss_fesd_impacts_options (const SsFesdImpacts *impacts);
/* Of the step under way, or the last one. */
SsFesdForks *ss_fesd_impacts_forks (SsFesdImpacts *impacts);
/* Approach that the law may leave [m/s]. */
double ss_fesd_impacts_approach (const SsFesdImpactOptions *options);
