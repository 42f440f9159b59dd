/* engine/simulate/ss-rattle.h: motion with joints by RATTLE, shared by the time-stepping schemes.
 *
 * With joint rows phi(q) = 0, G = d phi/d q, impulses P0, P1 of the joints and p0, p1 of what else acts by impulses:
 *     va = v0 + M^-1 (h/2 f0 + G(q0)' P0 + J0' p0),   q1 = q0 + h va,   phi(q1) = 0
 *     v1 = va + M^-1 (h/2 f1 + G(q1)' P1 + J1' p1),                     G(q1) v1 = 0.
 * Symmetric and symplectic without p: second order, joints closed, and the energy of a motion that keeps it errs by
 * O(h^2) without growing. Impulses act at the ends of the way that they bend, so that momentum and angular momentum are
 * kept to rounding. (H. C. Andersen, J. Comput. Phys. 52 (1983); E. Hairer, C. Lubich, G. Wanner, Geometric Numerical
 * Integration, VII.1.4.)
 *
 * The first line is solved here, the second is one problem of contact/ss-contact-problem.h at q1. The problem of the
 * first has its rows at q0; the gap that they leave at q1 goes into their bias, and the problem is solved again, until
 * the joints close: F (b) = b + r (b) is a fixed point of Anderson acceleration (D. G. Anderson, J. ACM 12 (1965)),
 * whose first value, with half of the second derivative, leaves O(h^3). A joint that gives way, lambda = -K phi(q1) -
 * B phidot1 - m, has with P = h lambda/2
 *     G v + kappa phi(q1)/h - kappa G v + fixed + compliance P = 0,   kappa = h K/(h K + B),   fixed = m/(h K + B),
 *     compliance = 2/(h (h K + B)),
 * a rigid one kappa = 1, the others 0. Tests: tests/numeric/test-mechanisms.c
 */
#pragma once

#include "contact/ss-contact-problem.h"
#include "simulate/ss-step.h"
#include "simulate/ss-stiff.h"

typedef struct SsRattle SsRattle;

/* Steps with contacts in both lines: those of the first are kept, and join those of the second at the end.
 *     go: p0 of all points that the way could close     keep     collect at q1, choose     solve for p1     end */

/* For the joints of the scene; SS_ERR_MEMORY. Freeing NULL is allowed. */
SS_NODISCARD SsStatus ss_rattle_new (const SsScene *scene, SsRattle **out, SsError *err);
void ss_rattle_free (SsRattle *rattle);

typedef struct {
  const double *q0, *v_free; /* 3 n_bodies: v_free = v0 + h/2 M^-1 f0 */
  double t, h;
  bool with_points; /* the points of the problem act, too; else the rows alone */
  /* Per row of the problem; NULL: rigid. */
  const double *kappa, *fixed;
  SsStiff *stiff; /* what is stiff; NULL: nothing may be */
} SsRattleWay;

/* v_free = v0 + h/2 M^-1 f0, which way->v_free is, without what is stiff; f is work. */
void ss_rattle_free_start (SsContactProblem *problem, const SsRattleWay *way, const double *controls, const double *v0,
                           double *f, double *v_free);

/* Biases of the rows, collected at (q0, v0), from which ss_rattle_go starts. */
void ss_rattle_set_biases (SsContactProblem *problem, const SsRattleWay *way);

/* va into v, q1 into q; impulses to the problem's points and rows. Points must have their biases. info as of
 * ss_contact_problem_solve. SS_ERR_SINGULAR where the joints do not close, since h is too long for the turn of a step;
 * in the last of the parts of ss_rattle_step they are closed by the shortest way instead, which changes energy. */
SS_NODISCARD SsStatus ss_rattle_go (SsRattle *rattle, SsContactProblem *problem, const SsRattleWay *way, double *v,
                                    double *q, SsStepInfo *info, SsError *err);

/* v_end = va + h/2 M^-1 f1, with f1 at the end q1 of the way and the velocities that va leads to from v0, without what
 * is stiff; f is work. */
void ss_rattle_free_end (SsContactProblem *problem, const SsRattleWay *way, const double *controls, const double *v0,
                         const double *va, const double *q1, double *f, double *v_end);

/* A step by `one`, or, where that ends with SS_ERR_SINGULAR, in 2, 4, ... equal parts; then info->way is
 * SS_STEP_BISECTED. What contacts did in the parts is added up. A step that fails leaves the state as it was. */
typedef SsStatus (*SsRattleStep) (void *stepper, const SsStep *step, SsSimState *state, SsStepInfo *info, SsError *err);
SS_NODISCARD SsStatus ss_rattle_step (SsRattle *rattle, SsRattleStep one, void *stepper, const SsStep *step,
                                      SsSimState *state, SsStepInfo *info, SsError *err);

/* Whether the step is one of the shortest parts that are tried. */
bool ss_rattle_is_last (const SsRattle *rattle);

/* ---- contacts at both ends of the way ---------------------------------------------------------------------------- */

/* Keeps the points that pushed on the way, and what the rows did. SS_ERR_MEMORY. */
SS_NODISCARD SsStatus ss_rattle_keep (SsRattle *rattle, const SsContactProblem *problem, SsError *err);
/* Adds what more rows did. */
void ss_rattle_keep_rows (SsRattle *rattle, const SsJointConstraint *rows, int n_rows);
/* Of the points collected at the end of the way, those stay that touch there or are of a contact or limit that pushed
 * on the way: what is apart from its partner is not stopped before it comes. */
void ss_rattle_choose (const SsRattle *rattle, SsContactProblem *problem);
/* The step ends with v1 at q1, with the velocities va between; contacts report what they did in both lines, and the
 * problem's points are then those of both. SS_ERR_MEMORY, with the state untouched. */
SS_NODISCARD SsStatus ss_rattle_end (SsRattle *rattle, SsContactProblem *problem, double h, const double *va,
                                     const double *v1, const double *q1, SsSimState *state, SsError *err);
