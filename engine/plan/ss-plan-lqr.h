/* engine/plan/ss-plan-lqr.h: a feedback that holds a motion on its plan: a linear-quadratic regulator that varies in
 * time.
 *
 * Law        u(t) = u_plan(t) - K_k (x(t) - x_plan(t)), within the actuators' bounds (clipped). k is the step of the
 *            plan in which t lies. The plan is linear between its rows. After its last row its end is held with the
 *            last gain.
 * States     x has the coordinates that can move, then their rates, of the bodies that an actuator moves and of those
 *            that joints tie to them. Other bodies are moved by contacts alone, which push and do not pull, as a linear
 *            law would have it: what moves them is held on its way, with the forces that the plan has for it, and they
 *            go with it or do not.
 * Linear     x_{k+1} = A_k x_k + B_k u_k are central differences of one step of stewart-trinkle with gap=end from each
 *            row of the plan to the next one, the law of plans that are drawn, whatever integrator replays. A contact
 *            with something that does not move, which is closed, sticks or slips over the step, is so in the neighbours
 *            too, so that A_k has its constraint; a step in which a mode changes is linear in the modes that it ends
 *            with. Contacts with bodies that are no states are left out.
 * Switches   gains go by time alone: at t the modes that the plan has at t are in force, also where the motion meets a
 *            contact earlier or later than its plan.
 * Cost       sum over the steps of h (x' Q x + u' R u), and T x' Qf x at the end. Q is `q` over the square of the
 *            plan's own range: one range for all positions and one for all angles; a speed counts as the way that
 *            it leads within a fiftieth of the plan. R is `r` over the
 *            square of an actuator's largest control in the plan. Qf is `end` times Q.
 * Gains      the discrete Riccati recursion, backwards from P_N = T Qf:
 *            K = (R + B' P B)^-1 B' P A, P = Q + K' R K + (A - B K)' P (A - B K), Joseph's form, which stays positive.
 *
 * Threads    one at a time per object. Tests: tests/unit/test-track-lqr.c
 */
#pragma once

#include "core/ss-run-control.h"
#include "core/ss-trajectory.h"
#include "scene/ss-scenario.h"

typedef struct {
  double q, r, end; /* [-] > 0 */
} SsPlanLqrWeights;

#define SS_PLAN_LQR_WEIGHTS ((SsPlanLqrWeights){.q = 1, .r = 0.001, .end = 10})

/* Most coordinates that are held, and most steps of a plan: gains take 16 coordinates x actuators bytes a step. */
enum { SS_PLAN_LQR_COORDINATES = 60, SS_PLAN_LQR_STEPS = 100000 };

typedef struct SsPlanLqr SsPlanLqr;

/* scene: what the plan believes of the world, borrowed as long as the object lives. plan: a motion with controls, read
 * now. weights NULL: the defaults. `control` (may be NULL) may stop it: then *out is NULL and SS_OK is returned.
 * SS_ERR_INVALID: no actuator, no motion of every body, too large; SS_ERR_MEMORY. */
SS_NODISCARD SsStatus ss_plan_lqr_new (const SsScene *scene, const SsTrajectory *plan, const SsPlanLqrWeights *weights,
                                       SsRunControl *control, SsPlanLqr **out, SsError *err);
/* With the states and the gains on forces of plan/ss-plan-contact.h. */
SS_NODISCARD SsStatus ss_plan_lqr_contacts_new (const SsScene *scene, const SsTrajectory *plan,
                                                const SsPlanLqrWeights *weights, SsRunControl *control, SsPlanLqr **out,
                                                SsError *err);
/* Along another motion of the same scene, which begins at 0 and is at `begin` of the first plan's clock [s], with the
 * weights of `like`: its ranges and its duration. *out borrows its scene alone. Else as above. */
SS_NODISCARD SsStatus ss_plan_lqr_along (const SsPlanLqr *like, double begin, const SsTrajectory *motion,
                                         SsRunControl *control, SsPlanLqr **out, SsError *err);
void ss_plan_lqr_free (SsPlanLqr *lqr); /* NULL is allowed */

/* Controls at time t in the state q, v (3 n_bodies each): n_actuators, borrowed until the next call. */
const double *ss_plan_lqr_controls (SsPlanLqr *lqr, double t, const double *q, const double *v);
/* The same with `more` (n_actuators) added before bounds cut it. */
const double *ss_plan_lqr_controls_moved (SsPlanLqr *lqr, double t, const double *q, const double *v,
                                          const double *more);

int ss_plan_lqr_n_states (const SsPlanLqr *lqr); /* twice the coordinates that are held */
int ss_plan_lqr_n_steps (const SsPlanLqr *lqr);  /* of the plan */
/* Coordinate 3 body + 0..2 of number i of those that are held. */
int ss_plan_lqr_coordinate (const SsPlanLqr *lqr, int i);
/* K of a step: n_actuators x n_states, row-major. Borrowed. */
const double *ss_plan_lqr_gain (const SsPlanLqr *lqr, int step);
/* Weights that the recursion had: n_states of Q (its diagonal), n_actuators of R. Borrowed. */
const double *ss_plan_lqr_state_weights (const SsPlanLqr *lqr);
const double *ss_plan_lqr_control_weights (const SsPlanLqr *lqr);
/* Largest control of an actuator in the plan, as the weights have it. */
double ss_plan_lqr_largest (const SsPlanLqr *lqr, int actuator);
/* Column of the plan of state i; row of the plan in which a step begins, of step n_steps the last one. */
int ss_plan_lqr_column (const SsPlanLqr *lqr, int i);
int ss_plan_lqr_row (const SsPlanLqr *lqr, int step);
/* Whether an actuator moves the body, or joints tie it to one that an actuator moves. */
bool ss_plan_lqr_is_driven (const SsPlanLqr *lqr, int body);

/* ---- contacts ---------------------------------------------------------------------------------------------------- */

/* How large a difference of a force from the plan is a step later, in parts. */
#define SS_PLAN_CONTACT_LASTS 0.5

/* Forces with gains, of ss_plan_lqr_contacts_new: normal and tangential in turn of each contact whose forces the plan
 * has; none of others. */
int ss_plan_lqr_n_forces (const SsPlanLqr *lqr);
int ss_plan_lqr_force (const SsPlanLqr *lqr, int i);        /* contact of the scene */
int ss_plan_lqr_force_column (const SsPlanLqr *lqr, int i); /* of the plan */
/* L of a step: n_actuators x n_forces, row-major. Borrowed. */
const double *ss_plan_lqr_force_gain (const SsPlanLqr *lqr, int step);
