/* engine/contact/ss-step-take.h: the problem of a step as a thing of its own, taken from the step that solves it,
 * and put back where a step has it, so that what simulates is what is compared. Tests:
 * tests/numeric/test-step-problem.c */
#pragma once

#include "contact/ss-contact-problem.h"
#include "judge/ss-step-problem.h"

/* Of a problem as its step has it, with its answer: velocities of the bodies that move, three each, in the scene's
 * order (M is 1 where a coordinate is locked, H and G are 0 there), all points, rows of joints and those of springs and
 * formulas that the step takes as such. What is driven is in b. Not of the relaxed law, nor with rolling resistance.
 * SS_ERR_MEMORY. */
SS_NODISCARD SsStatus ss_step_problem_take (const SsContactProblem *problem, const double *v_free, const double *v,
                                            double residual, SsStepProblem **out, SsError *err);

/* A problem of bodies as a step has it: three velocities each, a diagonal M, rows on two bodies at most. */
typedef struct SsStepBodies SsStepBodies;
/* Whether it is one. */
bool ss_step_bodies_fit (const SsStepProblem *problem);
/* Borrows the problem, which must fit. SS_ERR_MEMORY. */
SS_NODISCARD SsStatus ss_step_bodies_new (const SsStepProblem *problem, SsStepBodies **out, SsError *err);
void ss_step_bodies_free (SsStepBodies *bodies); /* NULL is allowed */
/* What ss_contact_problem_solve takes: no impulses yet. Borrowed. */
SsContactProblem *ss_step_bodies_problem (SsStepBodies *bodies);
const double *ss_step_bodies_v_free (const SsStepBodies *bodies);
double *ss_step_bodies_v (SsStepBodies *bodies);
/* Impulses of its points and rows, to r (2 m) and p (k). */
void ss_step_bodies_impulses (const SsStepBodies *bodies, double *r, double *p);
