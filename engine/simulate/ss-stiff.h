/* engine/simulate/ss-stiff.h: springs, dampers and force formulas that a step is too long for, taken implicitly: an
 * option of all integrators that step a contact problem.
 *
 *     int forces;                           a field of the integrator's options
 *     SS_FORCES_OPTION (Options, forces)    a line of its table
 *
 * A force is a sum of pushes along single rows J of unit effective mass, J M^-1 J' = 1: a spring along its length (and
 * across it, where it is in tension), an actuator that follows a formula along its row, the formulas on a body, or on
 * two bodies that read each other, along the eigenvectors of the symmetric part of h^2 K + h D, K = -df/dq, D = -df/dv
 * (symbolic: dynamics/ss-slopes.h), scaled by M^-1/2. With k = J K J', d = J D J' the step's own number is
 *     zeta = h^2 k + h d.
 * zeta <= 1: the step resolves the push; it is taken as the scheme takes forces, to the bit. zeta > 1: an explicit push
 * would overshoot, and beyond 2 (d) or 4 (k) diverge: it has the weight a = 1 - 1/zeta^2 at the step's end,
 *     p = -h (k (phi0 + a h J v1) + d J ((1 - a) v0 + a v1)),
 * linearised at the step's start, which is a row of the contact problem, J v1 + bias + compliance p = 0 with
 * compliance = 1/(a zeta): together with contacts and joints, no worse for any stiffness. For zeta -> infinity that is
 * backward Euler: one step goes to the equilibrium, and to the speed at which the damper balances what pulls. With
 * RATTLE and theta schemes a = 0 is theirs as well, so that order and energy are the scheme's own once h is short
 * enough; a push that h does not resolve loses its energy instead of gaining any. (What is across it is kept: rows bend
 * by half of h^2 times their second derivative, and a theta scheme takes them at q0 + (1 - theta) h v0, from which it
 * ends theta h v1 on: a mass on a stiff spring swings as on a rod.) Formulas whose impulses are off by more than a
 * tenth of what they are at that end are linearised there, Newton's method. Where several springs pull at a body,
 * zeta is the larger of its own and half the sum of those that are not stiffer, which bounds the modes of the springs
 * that stay explicit (Gershgorin): zeta <= 2 there.
 *
 * Rows are symmetric, as what solves them wants it. The skew part of K and D (a magnetic force, a force that follows
 * another body without pushing back) stays explicit, as does what three or more bodies' formulas do to each other
 * beyond each body's own; where a step does not resolve it, ss_stiff_is_left says so and the run warns. Actuators keep
 * within their bounds. (Rosenbrock's idea, E. Hairer, G. Wanner, Solving Ordinary Differential Equations II, IV.7; the
 * rows are those of paper 003.) Tests: tests/numeric/test-stiff.c
 */
#pragma once

#include "contact/ss-contact-problem.h"
#include "core/ss-option.h"

/* How springs, dampers and formulas are taken, in the order of the names. */
typedef enum { SS_FORCES_IMPLICIT, SS_FORCES_EXPLICIT } SsForcesRule;
#define SS_FORCES_NAME "forces"
extern const char *const ss_forces_choices[];

#define SS_FORCES_OPTION(options_, field_)                                                                             \
  {                                                                                                                    \
    .name = SS_FORCES_NAME, .type = SS_OPTION_CHOICE, .offset = offsetof (options_, field_),                           \
    .fallback = SS_FORCES_IMPLICIT, .choices = ss_forces_choices, .symbol = "", .unit = "", .common = false,           \
    .summary = "How a step takes springs, dampers and force formulas that it is too long for. implicit: at its end, "  \
               "so that any stiffness is stable and what the step does not resolve dies out; explicit: as all other "  \
               "forces, which diverges where h^2 k/m or h d/m is above about 4 or 2."                                  \
  }

typedef struct SsStiff SsStiff;

/* How a scheme takes forces. */
typedef struct {
  double h;     /* length of the step, by which pushes are stiff or not [s] */
  double kick;  /* the part of it that the impulses are of [s]              */
  double way;   /* q + way v1 is where stiff pushes are taken [s]           */
  double theta; /* the scheme's own weight of its end: 0, or of a theta rule */
  double early; /* q = q0 + early v0; of a theta rule (1 - theta) h, so that it ends at q + theta h v1 [s] */
  bool is_end;  /* q, v are a guess of the step's end, about which the push is linearised; all of it is taken there */
  bool bends;   /* rows turn on the way */
  int which;    /* SS_FORCE_*: of these */
} SsStiffRule;

/* *out NULL: nothing of the scene can be stiff, or `forces` is EXPLICIT. The scene is borrowed. SS_ERR_MEMORY. */
SS_NODISCARD SsStatus ss_stiff_new (const SsScene *scene, int forces, SsStiff **out, SsError *err);
void ss_stiff_free (SsStiff *stiff); /* NULL is allowed, here and below */

/* What is stiff at (t, q, v), and its rows. */
void ss_stiff_choose (SsStiff *stiff, SsDynamics *dynamics, const SsStiffRule *rule, double t, const double *q,
                      const double *v, const double *controls);
/* ss_dynamics_forces without what is stiff. */
void ss_stiff_forces (const SsStiff *stiff, SsDynamics *dynamics, int which, double t, const double *q, const double *v,
                      const double *controls, double *f);
/* ss_contact_problem_solve with the stiff rows after those of the problem. */
SS_NODISCARD SsStatus ss_stiff_solve (SsStiff *stiff, SsContactProblem *problem, const double *v_free, double t,
                                      double *v, SsStepInfo *info, SsError *err);
/* The next solution starts from the velocities of the last one and adds to its impulses. */
void ss_stiff_go_on (SsStiff *stiff);
/* v_free += M^-1 J' p of all stiff rows, in a step that ends with v. */
void ss_stiff_push (const SsStiff *stiff, const SsContactProblem *problem, const double *v, double *v_free);
/* Something that the step does not resolve stays explicit. */
bool ss_stiff_is_left (const SsStiff *stiff);
