/* engine/contact/ss-step-state.h: what a step of an integrator changes and what it says of itself. */
#pragma once

#include "core/ss-core.h"

/* Values of a contact after a step, in this order: gap [m] (the smallest of its points), forces [N] and impulses [N s]
 * summed over its points. Impulses are those since the row before, forces their mean over that time; where an
 * integrator gives stages (SsIntegratorClass.gives_stages), forces are those at the row's time and impulses those of a
 * jump that ends there, without what the forces between the rows add. */
enum { SS_SIM_GAP, SS_SIM_LAMBDA_N, SS_SIM_LAMBDA_T, SS_SIM_IMPULSE_N, SS_SIM_IMPULSE_T, SS_SIM_N_CONTACT_VALUES };

/* What one point of a contact had of the contact's impulses over a step [N s]; points are numbered by their corners
 * (contact/ss-contact-corner.h). */
typedef struct {
  int row; /* of the motion, where a list is over many steps; else 0 */
  int contact, point;
  double pn, pt;
} SsPointImpulse;

typedef struct {
  int n, capacity;
  SsPointImpulse *items;
  int last, greatest; /* place of the last addition, greatest contact; of ss_point_impulses_add */
} SsPointImpulses;

typedef struct {
  double t;
  /* 3 n_bodies each, owned by the caller */
  double *q, *v;
  /* SS_SIM_N_CONTACT_VALUES n_contacts */
  double *contact;
  /* n_contacts: kinetic energy taken since the start [J]; may be NULL */
  double *dissipated;
  /* SS_JOINT_N_FORCES n_joints: what joints do, see SsJointForce; may be NULL. A step adds their impulses [N s],
   * [N m s], of which whoever drives it makes means over the step; where an integrator gives stages, they are the
   * forces at its end, without the impulses of jumps. 0 at the step's start. */
  double *joint;
  double tau; /* second clock of integrators that have one: numerical time [s]; others leave it */
  /* Numbers that only this integrator has (SsIntegratorClass.more), in the order of its channels; NULL: not wanted. */
  double *more;
  /* Where an integrator of which events are looked for adds the impulses of the step's points, none without an impulse;
   * empty at the step's start, with room for all corners. NULL: not wanted. */
  SsPointImpulses *points;
} SsSimState;

/* How a step was solved by an integrator that follows contact modes: with those that it expected, with others that the
 * law allows, with modes that were proposed (simulate/ss-proposer.h), in halves. */
typedef enum {
  SS_STEP_PLAIN,
  SS_STEP_PREDICTED,
  SS_STEP_ALTERNATIVE,
  SS_STEP_HOMOTOPY,
  SS_STEP_BISECTED,
  SS_STEP_N_WAYS
} SsStepWay;

/* How sure the velocities of a step are (contact/ss-contact-certainty.h), ascending: of a step of several solves, and
 * of a solve of several islands, the last of them counts. NONE: nobody looked. */
typedef enum {
  SS_CERTAINTY_NONE,
  SS_CERTAINTY_UNIQUE,
  SS_CERTAINTY_UNDECIDED,
  SS_CERTAINTY_SEVERAL,
  SS_CERTAINTY_COUNT
} SsCertainty;

/* A second solution of a step beside the one that was taken: where, and velocities of both. */
enum { SS_SECOND_MAX = 6 };
typedef struct {
  bool is_there;
  double t;                    /* the step's start [s] */
  double residual;             /* natural residual of the second [m/s] */
  double apart;                /* largest difference of a normal velocity or a slip [m/s] */
  int n_contacts, n_bodies;    /* more are left out */
  int contacts[SS_SECOND_MAX]; /* of the island, those with an impulse in either */
  int bodies[SS_SECOND_MAX];   /* of the island, those whose velocities differ, in the scene's order */
  double first[SS_SECOND_MAX][3], second[SS_SECOND_MAX][3]; /* vx, vy [m/s], omega [rad/s], taken and not */
} SsSecondSolution;

typedef struct {
  SsStepWay way; /* PLAIN of all others */
  SsCertainty certainty;
  double residual; /* of the step's LCP/QP/NCP, unscaled */
  int n_points;    /* contact points in the step's problem */
  int pivots;
  bool is_left;  /* forces that the step does not resolve stayed explicit (simulate/ss-stiff.h) */
  bool is_over;  /* the motion ends before the step does, at t_over: the run is complete */
  double t_over; /* [s] */
  /* Of integrators that estimate the error of their motion so far: the largest of a place at the step's end, angles
   * times the bodies' size [m]; the order of the scheme, and that which its motion has shown so far, 0: none yet. */
  bool has_error;
  double error, due_order, order;
} SsStepInfo;
