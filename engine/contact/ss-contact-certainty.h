/* engine/contact/ss-contact-certainty.h: whether the velocities of a step's contact problem are unique, and a second
 * solution where they are not.
 *
 * Impulses of stacks are never unique; velocities may be. Bodies that points or rows connect are an island; each is
 *     unique     one of the proofs of contact/ss-contact-modes.h holds, on the island's rows with joints eliminated
 *                (Schur's complement) and tangents of one line joined (their bounds add up: the same solutions);
 *     several    a second solution was found whose natural residual is at most SS_CERTAINTY_RESIDUAL, and of which a
 *                normal velocity or a slip differs by more than SS_CERTAINTY_APART, and than SS_CERTAINTY_PART of the
 *                island's fastest one;
 *     undecided  neither.
 * A problem is what the worst of its islands is. Numbers are numbers: a proof holds to rounding, and solutions that are
 * nearer to each other count as one.
 *
 * Points that no solution reaches are left out first: with w so that Gn w + bias >= mu |Gt w + bias_t| at all points,
 * every solution has (v - w)' M (v - vf) = sum pn (Gn v - Gn w) + pt (Gt v - Gt w) <= 0, v is in the ball about
 * (vf + w)/2 with radius |vf - w|_M / 2. (w: projections of vf on one point after the other.)
 *
 * Islands too large for their modes are searched for a second solution: Gauss-Seidel from other impulses (none, in
 * either order; mirrored; drawn with a seed) and the large solver from there (ss_contact_newton_solve); of more than
 * 64 points there is only the certificate `supported`. Work is bounded by counts, so that the answer is the same on
 * every machine.
 * Tests: tests/numeric/test-certainty.c
 */
#pragma once

#include "contact/ss-contact-problem.h"

#define SS_CERTAINTY_RESIDUAL 1e-8 /* [m/s] */
#define SS_CERTAINTY_APART    1e-6 /* [m/s] */
#define SS_CERTAINTY_PART     1e-5

/* What is known of one solve. */
typedef struct {
  long number; /* of the solve since ss_contact_certainty_begin */
  SsCertainty certainty;
} SsCertaintyLook;

typedef struct SsContactCertainty {
  /* Set by the scheme: numbers of solves since the last begin, ascending, in which the second solution is taken. */
  const long *take_second;
  int n_take_second;
  /* Of the solves since the last begin. A scheme may shorten the list by those that it took back. */
  int n_looks, looks_capacity;
  SsCertaintyLook *looks; /* owned */
  long n_solves;
  /* The first solve since the last begin with several: */
  SsSecondSolution second;
  struct SsCertaintyWork *work; /* private */
} SsContactCertainty;

/* For a problem of that scene; SS_ERR_MEMORY. Freeing NULL is allowed. */
SS_NODISCARD SsStatus ss_contact_certainty_new (const SsScene *scene, SsContactCertainty **out, SsError *err);
void ss_contact_certainty_free (SsContactCertainty *certainty);
/* Numbers start from 0; the list is borrowed. */
void ss_contact_certainty_begin (SsContactCertainty *certainty, const long *take_second, int n);
/* The problem was solved, with v: one more look. Where the second solution is to be taken, and there is one, v, the
 * impulses of points and rows are its own afterwards. SS_ERR_MEMORY. */
SS_NODISCARD SsStatus ss_contact_certainty_look (SsContactCertainty *certainty, SsContactProblem *problem,
                                                 const double *v_free, double t, double *v, SsError *err);
