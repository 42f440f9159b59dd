/* engine/fesd/ss-freeze.h: the time-freezing system of a scene [001 (15)]: impacts as continuous motion in numerical
 * time tau, while the physical time t stands still.
 *
 *     c1 = phi (q),  c2 = n'v,  c3 = t'v  of every contact point;  beta = (1 - alpha_1) (1 - alpha_2)
 *     y' = theta_free (v, a_free, 1) + sum over points of beta (0, W (n - sigma mu t) a_n, 0),   theta_free =
 *     product of (1 - beta),   sigma = 2 alpha_3 - 1
 *
 * with alpha_i the step function of c_i (in [0, 1] where c_i = 0): regions [001 (25a)-(25c)], multipliers
 * [001 (31b)-(31e) (32)]. (32) is printed with the factors of alpha_3 exchanged against (25), and theta_1 = alpha_1 +
 * alpha_2 - alpha_1 alpha_2.
 * W          inverse mass on the motions that the joints leave; n and t are the gradients, not made unit vectors in
 *            joint coordinates. Limits of joints are points without friction.
 * Jump       while some c2 < 0 at c1 = 0, theta_free = 0: q and t stand still. Velocities change at a constant rate
 *            between the instants where some c2 or c3 becomes 0, which are all grid points; the paper's cross
 *            complementarities would not force those of c2 (the point is still on c1 = 0 afterwards).
 * Contact    c1 = c2 = 0, forces are those of the original system [001 (18b) Thm 5 Thm 8]: beta = theta_free lambda_n
 *            / a_n, so that theta_free solves theta = product of (1 - theta lambda_n / a_n). Multipliers are not unique
 *            there: alpha_2 = 0 and alpha_1 = 1 - beta are told.
 * Elements   Radau IIA in tau. With theta_k the speed of time at stage k an element is one in t whose coefficients are
 *            a_jk theta_k over sum b_k theta_k; the fixed point of speeds and forces is iterated to rounding.
 * Curved     gaps: c1 = 0 at all stages, as in fesd-j, so that c2 misses 0 there by the order of the scheme; the
 *            residual tells it where it is above 0, and an element with more than 1e-8 m/s is shortened.
 *            Friction there takes lambda_n of the stages, which c1 = 0 gives with less order than the motion: on a dome
 *            with mu 0.3 both methods are 3e-8 m off at 5 ms with three stages (fesd-j 1e-5 with two), 1e-12 at 2.5 ms.
 * Elastic    0 < e < 1, gap linear in the free coordinates, no friction: one switching function, and below it a spring
 *            and a damper along W n, c1'' = -k c1 - c c1', c = 2 |ln e| sqrt (k / (pi^2 + ln^2 e)). Every excursion
 *            takes as long in tau, so impacts that accumulate take for ever and t never passes their end: the paper's
 *            system has no rest. From that end on (Zeno, ss-fesd-march.h) the contact goes on here as one without
 *            restitution, by a_n and two switching functions.
 * Several    points: normals of those that are closed together must be orthogonal, n_i' W n_j = 0 (section 3.6). Points
 *            of one contact whose rows are the same (a box that cannot turn) are one.
 * Refused    SS_ERR_INVALID of new, with the names: such a pair closed at the start; e > 0 beside friction, e = 0 or
 *            limits elsewhere; e = 1; e > 0 on a curved gap.
 * Memory     grows with the largest number of touching points seen. Tests: tests/numeric/test-freeze.c
 */
#pragma once

#include "core/ss-run-control.h"
#include "fesd/ss-fesd-march.h"

typedef struct {
  int n_elements;   /* of a step: with its length, at most that of elastic spans */
  double a_n;       /* [N]; 0: chosen in the first step */
  double stiffness; /* k of elastic contacts [1/s2] */
} SsFreezeOptions;

typedef struct SsFreeze SsFreeze;

/* The system is borrowed, the tableau (of numerical time) copied. */
SS_NODISCARD SsStatus ss_freeze_new (SsFesdSystem *system, const SsTableau *tableau, const SsFreezeOptions *options,
                                     SsFreeze **out, SsError *err);
void ss_freeze_free (SsFreeze *freeze); /* NULL is allowed */
/* For the march, which must end before the freeze does, and which it then has to know. */
SsFesdFreeze ss_freeze_hooks (SsFreeze *freeze);
SsFesdImpactLaw ss_freeze_impacts (SsFreeze *freeze);
void ss_freeze_set_march (SsFreeze *freeze, SsFesdMarch *march);
/* Another one, of the same points in a system of its own (borrowed), for jumps beside the march that nobody is told of:
 * only ss_freeze_impacts is for it. */
SS_NODISCARD SsStatus ss_freeze_new_beside (const SsFreeze *freeze, SsFesdSystem *system, SsFreeze **out, SsError *err);
/* Before a step: chooses a_n where it is open still. SS_ERR_MEMORY. */
SS_NODISCARD SsStatus ss_freeze_begin (SsFreeze *freeze, const SsStep *step, const SsSimState *state, SsError *err);
bool ss_freeze_is_elastic (const SsFreeze *freeze);
/* What is to be said before the run: the a_n that was chosen, pairs that may become skew. */
void ss_freeze_say (const SsFreeze *freeze, SsRunControl *control);
/* Why the last element could not be solved, where the method says it; else "". */
const char *ss_freeze_reason (const SsFreeze *freeze);

/* By how much the element that was solved last misses what is the method's own: speeds of time, multipliers in [0, 1],
 * products of switching functions and multipliers; speeds in m/s. */
double ss_freeze_check_element (SsFreeze *freeze, const SsFesdSolved *solved);
/* Largest c2 at a stage of the elements taken since the last step began [m/s]: what curved gaps miss. An element with
 * more than 1e-8, of which runs warn, is told of by the check above; less is no error of its solution. */
double ss_freeze_missed (const SsFreeze *freeze);
/* The same of the jumps since the last step began. */
double ss_freeze_check_jumps (const SsFreeze *freeze);

/* Those of the march's present state, ss_freeze_n_more of them. */
void ss_freeze_fill (void *freeze, const struct SsFesdMarch *march, double *more);
/* Numbers of a row of its own: speed, theta.free, then alpha.<contact>.n, .v, .t, <contact>.gap_rate and
 * .slip: c2 and c3 [m/s] of the point that the alphas are of (bodies too far apart for one: how their gap changes, and
 * 0). */
int ss_freeze_n_more (const SsScene *scene, const void *options);
/* Channel number i of these; the name is written into `name`. */
SsChannel ss_freeze_channel (const SsScene *scene, const void *options, int i, char *name, size_t size);

/* When two points count as closed together, and as skew. */
typedef struct {
  double touch; /* largest gap [m]                                                       */
  double rest;  /* largest speed at which they part [m/s]                                */
  double skew;  /* largest |n_i' W n_j| that counts as orthogonal, over their lengths    */
} SsFreezeLimits;

/* The first of n states at which two points are closed together whose normals are skew, -1: none; their names, "contact
 * a and contact b", into pair[size]. states[n][2][3 n_bodies]: poses, then velocities of all bodies. SS_ERR_MEMORY;
 * SS_ERR_INVALID of a scene that finite elements do not take. */
SS_NODISCARD SsStatus ss_freeze_find_skew (const SsScene *scene, const SsFreezeLimits *limits, const double *states,
                                           int n, int *row, char *pair, size_t size, SsError *err);
