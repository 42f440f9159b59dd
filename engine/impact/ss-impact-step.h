/* engine/impact/ss-impact-step.h: one step of an impact as a linear complementarity problem.
 *
 * CAPPED [002 (72a)-(72d) (73)-(74) (75a)-(75c)] (size 5m): impulses 0 <= ln <= c that make each contact's cap or
 * its speed 0, friction at the new velocity.
 *     b: 0 <= b _|_ c - ln >= 0     ln: 0 <= ln _|_ Jn v' + b >= 0     p: 0 <= p _|_ Jp v' + E g >= 0
 *     g: 0 <= g _|_ mu ln - E' p >= 0,   Jp has Jt_i, -Jt_i in turn, lt_i = p_2i - p_2i+1
 * SIMULTANEOUS [002 (31a)-(31d)] (size 4m) without b and c; a bias on the normal speeds and a part of the normal
 * impulse that was given before serve Newton's and Poisson's laws.
 * Unknowns lie in the order b, ln, p, g. The g rows are divided by max (1, mu) or not: the solutions are the same, the
 * one that Lemke's method finds is not. Where several solutions exist, the covering vector has a say as well.
 * p+ and p- of a contact that are both positive are both made smaller by the smaller one (the same impulse, and g = 0
 * there, so that it solves the LCP too): with mu of 1e5 they would be mu ln / 2 each.
 * Threads: one object per thread. Tests: tests/numeric/test-impact.c.
 */
#pragma once

#include "impact/ss-impact.h"

typedef enum { SS_IMPACT_ROWS_SCALED, SS_IMPACT_ROWS_PLAIN } SsImpactRows;

typedef struct SsImpactStep SsImpactStep;

typedef struct {
  const double *cap; /* m, >= 0 [N s]; NULL: the simultaneous problem             */
  /* SIMULTANEOUS: added to the normal speeds [m/s]; NULL: 0 */
  const double *bias;
  /* normal impulse of before, which friction may use and v has [N s]; NULL: 0 */
  const double *given;
  const double *cover; /* 5m or 4m, > 0; NULL: ones, of the simultaneous one ours   */
} SsImpactStepJob;

typedef struct {
  bool is_solved;
  int pivots;
  double residual;                            /* largest of -z, -w, |z w|, recomputed from W and q            */
  double part;                                /* the same as a part of the problem's numbers: has no unit     */
  double impulse[2 * SS_IMPACT_CONTACTS_MAX]; /* ln, lt [N s]                                                 */
  double speeds[2 * SS_IMPACT_CONTACTS_MAX];  /* J v' */
  double compression[SS_IMPACT_CONTACTS_MAX]; /* the caller's: ln without what was given */
} SsImpactStepResult;

/* Borrows the configuration. SS_ERR_MEMORY. Freeing NULL is allowed. */
SS_NODISCARD SsStatus ss_impact_step_new (const SsImpact *impact, SsImpactRows rows, SsImpactStep **out, SsError *err);
void ss_impact_step_free (SsImpactStep *step);
/* Residual of an answer to a capped step that was found otherwise: of impulses and the speeds that they lead to. */
double ss_impact_step_residual (const SsImpactStep *step, const double *cap, const double *impulse,
                                const double *speeds);
/* v[n] becomes v' where it is solved and stays where it is not. No allocation. */
void ss_impact_step_solve (SsImpactStep *step, const SsImpactStepJob *job, double *v, SsImpactStepResult *result);
