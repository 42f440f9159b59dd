/* engine/dynamics/ss-dynamics.h: a scene in numbers: masses, forces, joint rows, energies, in absolute coordinates.
 *
 * Coordinates  q = x, y, theta of each body in turn, v its rate; M = diag (m, m, J) (3 n_bodies).
 * Locks        a fixed body, and a locked coordinate, has inverse mass 0 and force 0: nothing moves it.
 * Rows         a constraint phi (q, t) on two bodies (-1: the world) with its Jacobian G = d phi / d q on the
 *              coordinates of the first, then the second body, rate_t = d phi / d t, so that its rate is G v + rate_t,
 *              and gdv = (d G / d t) v + d rate_t / d t, so that its second derivative is G vdot + gdv
 *              [003 (29)].
 * Order        joints by index; PIN: x, y; SLIDER: across the axis, angle; WELD: x, y, angle; ROD: length; FORMULA:
 *              phi, if it is 0. Limits: lower, then upper, as given.
 * Cost         no allocation after ss_dynamics_new. One thread at a time per object (forces by formula use its work
 *              array).
 * Tests        tests/numeric/test-dynamics.c: Jacobians and gdv against differences, forces against energies and closed
 *              forms.
 */
#pragma once

#include "scene/ss-scenario.h"

typedef struct SsDynamics SsDynamics;

SS_NODISCARD SsStatus ss_dynamics_new (const SsScene *scene, SsDynamics **out, SsError *err); /* scene borrowed */
/* NULL is allowed. */
void ss_dynamics_free (SsDynamics *dynamics);

const double *ss_dynamics_mass (const SsDynamics *dynamics);         /* 3 n_bodies; 0 where it does not move  */
const double *ss_dynamics_inverse_mass (const SsDynamics *dynamics); /* 3 n_bodies; 0 where it does not move  */
/* Any force that depends on q, v or t, with these controls (see below). */
bool ss_dynamics_has_state_forces (const SsDynamics *dynamics, const double *controls);

/* ---- forces ------------------------------------------------------------------------------------------------------ */

enum {
  SS_FORCE_GRAVITY = 1,
  SS_FORCE_SPRINGS = 2, /* k (length - rest) of springs */
  SS_FORCE_DAMPERS = 4, /* d (rate) of springs          */
  SS_FORCE_FORMULAS = 8,
  SS_FORCE_ACTUATORS = 16,
  SS_FORCE_ALL = 31,
  SS_FORCE_HELD = 32, /* with it, what acts on fixed and locked coordinates is told, too */
};

/* `controls` here: u of the scene's actuators in the place of their formulas (n_actuators, [N] or [N m], clamped to the
 * actuators' bounds); NULL: the formulas. */

/* Generalised forces f (3 n_bodies) of the kinds in `which`; 0 where nothing moves, but for SS_FORCE_HELD. */
void ss_dynamics_forces (SsDynamics *dynamics, int which, double t, const double *q, const double *v,
                         const double *controls, double *f);
/* Control u of an actuator, clamped to its bounds. */
double ss_dynamics_control (SsDynamics *dynamics, int actuator, double t, const double *q, const double *v,
                            const double *controls);

/* ---- rows -------------------------------------------------------------------------------------------------------- */

/* STIFF: of what a step takes implicitly (simulate/ss-stiff.h); DRIVE: friction or a motor */
typedef enum { SS_ROW_JOINT, SS_ROW_LIMIT, SS_ROW_SPRING, SS_ROW_STIFF, SS_ROW_DRIVE } SsJointRowKind;

typedef struct {
  SsJointRowKind kind;
  int source;  /* joint or spring of the scene                        */
  int index;   /* within its source                                   */
  int body[2]; /* -1: the world                                       */
  double phi;  /* [m] or [rad]; LIMIT: room left, >= 0 inside the range */
  double j[6];
  double rate_t; /* of constraints that read t, 0 of others */
  double gdv;
  bool is_at_centre;         /* the second body feels it at its centre: j[5] is a moment about that */
  double stiffness, damping; /* of the scene, 0 = not given (JOINT, LIMIT)                */
} SsRow;

enum { SS_JOINT_ROWS_MAX = 3, SS_JOINT_LIMITS_MAX = 2 };

/* The time of all rows from now on, 0 at first: constraints may read it. */
void ss_dynamics_set_time (SsDynamics *dynamics, double t);
/* Rows of all joints at (q, v), at most SS_JOINT_ROWS_MAX each. Returns their number. */
int ss_dynamics_joint_rows (const SsDynamics *dynamics, const double *q, const double *v, SsRow *rows);
/* Rows of the limits, at most SS_JOINT_LIMITS_MAX a joint. */
int ss_dynamics_limit_rows (const SsDynamics *dynamics, const double *q, const double *v, SsRow *rows);
int ss_dynamics_n_limits (const SsScene *scene); /* rows that it writes */
/* One row a joint with friction or a motor: its rate is the joint's. Returns their number. */
int ss_dynamics_drive_rows (const SsDynamics *dynamics, const double *q, const double *v, SsRow *rows);
/* The row of a spring: phi = length - rest, so that its force is -k phi - d phidot along the row. With rest 0 the row's
 * direction is that of the spring or, where its ends coincide, of their relative velocity (two rows, x and y, would say
 * the same of a spring without damper). v == NULL counts as 0. */
void ss_dynamics_spring_row (const SsDynamics *dynamics, int spring, const double *q, const double *v, SsRow *row);
/* Of all springs. Returns their number. */
int ss_dynamics_spring_rows (const SsDynamics *dynamics, const double *q, const double *v, SsRow *rows);
/* The row along which a control pushes, by what it moves: false for one on a weld. phi and gdv are those of its joint,
 * 0 of others. */
bool ss_dynamics_actuator_row (const SsDynamics *dynamics, int actuator, const double *q, const double *v, SsRow *row);
/* G v + rate_t of a row. */
double ss_row_velocity (const SsRow *row, const double *v);
/* G M^-1 G' of a row; inverse_mass as of ss_dynamics_inverse_mass. */
double ss_row_mobility (const SsRow *row, const double *inverse_mass);
/* Largest |phi| of a joint's rows (lengths and angles alike). */
double ss_dynamics_joint_drift (const SsDynamics *dynamics, int joint, const double *q);
/* The same of lengths [m] and of angles [rad]. */
void ss_dynamics_joint_opening (const SsDynamics *dynamics, int joint, const double *q, double *length, double *angle);

/* ---- sums -------------------------------------------------------------------------------------------------------- */

double ss_dynamics_kinetic_energy (const SsDynamics *dynamics,
                                   const double *v); /* [J]                                    */
double ss_dynamics_potential_energy (const SsDynamics *dynamics,
                                     const double *q); /* gravity and springs [J]                */
/* px, py [kg m/s] and the angular momentum about the origin [kg m2/s] of what moves. */
void ss_dynamics_momentum (const SsDynamics *dynamics, const double *q, const double *v, double momentum[3]);
