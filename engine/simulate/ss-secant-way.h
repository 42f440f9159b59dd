/* engine/simulate/ss-secant-way.h: the way of a step of ss-rattle.h for what swings faster than steps can follow.
 *
 * RATTLE takes the direction of a joint's force at the ends of a way. Where a force lambda turns with its body as fast
 * as h sqrt(k/J) > 2, k = -lambda' d G/d q, the step gains energy without bound. Here the rows are secants, GS (q1 -
 * q0) = phi(q1) - phi(q0), in both halves of the step:
 *     va = v0 + M^-1 (h/2 f0 + GS' P + J0' p0),   q1 = q0 + h va,   P = h lambda/2,
 *     v1 = va + M^-1 (h/2 f1 + GS' P + G(q1)' P1 + J1' p1),   P1 = -D G(q1) v1.
 * The joints' work is then lambda' (phi(q1) - phi(q0)) exactly, which with lambda = -K phi(q1) - B phidot is at most
 * what their springs give back, for every h, K, B >= 0; P1 takes what v1 leaves the joints with, of O(h^3) per unit of
 * time: unconditionally stable, second order, and it damps what it does not resolve. (O. Gonzalez, J. Nonlinear Sci. 6
 * (1996), 449; J. C. Simo, N. Tarnow, ZAMP 43 (1992), 757.)
 *
 * GS is G in the middle of the way, its entries for the angles moved by the least that makes it a secant: impulses of
 * a joint stay equal and opposite. GS depends on q1: the problem of the step is solved again with GS of the last
 * answer, and k of its impulses added to the inertias, which makes that a Newton method where each angle has its own
 * bend, as in pins. Threads: one object per thread. Tests: tests/numeric/test-stiff-joints.c
 */
#pragma once

#include "simulate/ss-rattle.h"

typedef struct SsSecantWay SsSecantWay;

/* For the joints of the scene; SS_ERR_MEMORY. Freeing NULL is allowed. */
SS_NODISCARD SsStatus ss_secant_way_new (const SsScene *scene, SsSecantWay **out, SsError *err);
void ss_secant_way_free (SsSecantWay *secant);

/* After ss_rattle_go, whether it closed the joints or not, with the rows at q0 and their last impulses: whether the way
 * is too long for RATTLE, h sqrt(k/J) > 1 in some motion that the joints allow. Rows keep their impulses and biases. */
SS_NODISCARD SsStatus ss_secant_way_needed (SsSecantWay *secant, SsContactProblem *problem, const SsRattleWay *way,
                                            bool *is_needed, SsError *err);

/* As ss_rattle_go, from the way with v and without `fixed`; the points must have their biases, those of the rows are
 * set. SS_ERR_SINGULAR
 * where the rows do not settle. */
SS_NODISCARD SsStatus ss_secant_way_go (SsSecantWay *secant, SsContactProblem *problem, const SsRattleWay *way,
                                        double *v, double *q, SsStepInfo *info, SsError *err);
/* v += M^-1 GS' P of the last way, which rattle (NULL: not wanted) adds to what it keeps. */
void ss_secant_way_push (const SsSecantWay *secant, const SsContactProblem *problem, double *v, SsRattle *rattle);
