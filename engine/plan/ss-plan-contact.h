/* engine/plan/ss-plan-contact.h: a feedback that knows contacts: LQR of all bodies that can move, gains on contact
 * forces, and for each impact a window in which the motion is compared with the plan before or after that impact, as
 * its own contact is, not as the clock says.
 *
 * Law        u = u_k - K_k (x - x_r) - L_k (lambda - lambda_r), within the actuators' bounds (clipped); r, k below.
 * States     x: coordinates and rates of all bodies that can move (LQR alone: of those that actuators move). A_k has
 *            the contacts that the plan has in step k, as constraints: what pushes is also moved for what is pushed.
 * Forces     u = u0 + K dx + L (lambda - lambda0) of A. Aydinoglu, P. Sieg, V. M. Preciado, M. Posa, "Stabilization of
 *            complementarity systems via contact-aware controllers", IEEE Trans. Robotics 38 (2022). There K and L come
 *            from bilinear matrix inequalities with a Lyapunov function in (x, lambda). Here, as it is differences from
 *            a plan that count, L is the gain of the Riccati recursion of the state (x, dlambda), where a difference of
 *            a force acts as D and is a part SS_PLAN_CONTACT_LASTS as large in the next step:
 *              S = (A - B K)' (P D + lasts S),   L = (R + B' P B)^-1 B' (P D + lasts S),   S = 0 at the end.
 *            D = h A_v M^-1 J': the impulse of a force over a step h as a change of speed at its start. Forces of
 *            constraints follow from A: normal forces have no gain, and friction that sticks has none; friction that
 *            slips has. A difference counts only where the contact pushes in the plan and in the motion, and up to
 *            SS_PLAN_CONTACT_MOST of the planned normal force: an impact is no force.
 * Impacts    reference spreading of A. Saccon, N. van de Wouw, H. Nijmeijer (IEEE CDC 2014), M. Rijnen et al. (IEEE
 *            Trans. Autom. Control 66 (2021)): the plan has a phase between each two closings of a contact at a body
 *            that an actuator moves, and one is in force until its end's contact closes in the motion. The bodies of
 *            that contact are compared with the phase's own motion, which goes on with the speeds that it has at its
 *            end, or had at its beginning. Controls and gains are those of the phase's step nearest in time. So an
 *            impact that is early or late makes no difference of speeds. Deviations: papers extend the whole state by
 *            integrating the dynamics with the same input; here it is the speed that stays, and other bodies are
 *            compared by time. Papers wait without end; here a phase begins by time when its window is over.
 * Window     SS_PLAN_CONTACT_WINDOW of the plan's time before and after the plan's closing, before it at most half of
 *            the time that the contact was open. A closing counts after two open steps. A force up to
 *            SS_PLAN_CONTACT_LEAST of the plan's largest normal force is none.
 * Plans      without channels of contact forces have neither: K alone acts. Where there are too many bodies, or steps
 *            so far from linear that the recursion fails, it is LQR of the bodies that actuators move.
 *
 * Threads    one at a time per object. Tests: tests/unit/test-plan-contact.c
 */
#pragma once

#include "plan/ss-plan-lqr.h"

#define SS_PLAN_CONTACT_MOST   0.3
#define SS_PLAN_CONTACT_LEAST  1e-3
#define SS_PLAN_CONTACT_WINDOW 0.02

/* Between two closings. */
typedef struct {
  int first, last; /* rows of the law that it has */
  int closing;     /* whose force begins it, a normal one; -1: the first phase */
  double from;     /* [s] when its contact may begin it; */
  double until;    /* [s] when time does. -INFINITY of the first phase */
} SsPlanPhase;

/* What the law reads, all borrowed; a row for the beginning of each step, and the last for the plan's end. Forces are
 * normal, tangential in turn [N]. Gains of a row are those of ss_plan_lqr_gain and ss_plan_lqr_force_gain of that step;
 * of the last row those of the last step. */
typedef struct {
  int n_rows, n_states, n_controls, n_forces, n_phases;
  const double *t;           /* n_rows [s] */
  const double *x;           /* n_rows x n_states */
  const double *u;           /* n_rows x n_controls */
  const double *lambda;      /* n_rows x n_forces: over the step that ends there */
  const SsPlanPhase *phases; /* ascending */
  const bool *is_struck;     /* n_phases x n_states: whose coordinates its contact's bodies have */
  double least;              /* a normal force up to this is none [N] */
} SsPlanContactTable;

typedef struct SsPlanContact SsPlanContact;

/* As ss_plan_lqr_new. */
SS_NODISCARD SsStatus ss_plan_contact_new (const SsScene *scene, const SsTrajectory *plan,
                                           const SsPlanLqrWeights *weights, SsRunControl *control, SsPlanContact **out,
                                           SsError *err);
void ss_plan_contact_free (SsPlanContact *contact); /* NULL is allowed */
const SsPlanContactTable *ss_plan_contact_table (const SsPlanContact *contact);
const SsPlanLqr *ss_plan_contact_lqr (const SsPlanContact *contact);

/* Controls at time t in the state q, v (3 n_bodies each) with the contacts' values of the step that ended
 * (contact/ss-step-state.h; NULL: not known, phases begin by time): n_actuators, borrowed until the next call. Times
 * ascend; an earlier one begins the plan anew. */
const double *ss_plan_contact_controls (SsPlanContact *contact, double t, const double *q, const double *v,
                                        const double *values);
/* The phase of the last call, from 0. */
int ss_plan_contact_phase (const SsPlanContact *contact);
