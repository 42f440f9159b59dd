/* engine/fesd/ss-forces.h: the forces in a scene at one state, by the laws alone: no step, no scheme.
 *
 * Contacts that touch and neither approach nor part, joints and limits hold accelerations as fesd/ss-fesd-law.h says,
 * rigid, with Coulomb's law; friction and motors of joints, and what resists rolling, hold within their bounds
 * (fesd/ss-forces-drives.h); springs, formulas and motors give what they are told to. A contact that approaches has no
 * force: an impact is due first, which is told.
 *
 * Unique    Forces act through the columns J' of contacts that press or may press, of joints and limits; a combination
 *           of these that is 0 may be added to the forces without a trace in the motion, and a force with a part in one
 *           is not unique (a box on two corners: its friction; a table on four legs). Also where other modes of the
 *           contacts, stick, slip, open, give other accelerations (Painleve): those are looked at up to
 *           SS_FORCES_MODES_MAX of them. What is not unique is one of the answers.
 *
 * Threads  any, one call at a time per scene. Tests: tests/numeric/test-forces.c
 */
#pragma once

#include "scene/ss-scenario.h"

#define SS_FORCES_MODES_MAX 4096
/* Gap that counts as touching by default [m]; speeds that count as none [m/s]. */
#define SS_FORCES_TOUCHING 1e-6
#define SS_FORCES_AT_REST  1e-6

typedef enum {
  SS_FORCE_OF_CONTACT, /* the sum over its points */
  SS_FORCE_OF_POINT,   /* of the contact before it in the list */
  SS_FORCE_OF_JOINT,
  SS_FORCE_OF_LIMIT,
  SS_FORCE_OF_FRICTION, /* of a joint */
  SS_FORCE_OF_DRIVE,    /* its motor, that holds a speed */
  SS_FORCE_OF_ROLLING,  /* what resists rolling at a point of a contact */
  SS_FORCE_OF_SPRING,
  SS_FORCE_OF_ACTUATOR,
  SS_FORCE_KIND_COUNT
} SsForceKind;

/* "contact", "point", "joint", "limit", "friction", "drive", "rolling", "spring", "motor"; static text. */
const char *ss_force_kind_name (SsForceKind kind);

typedef enum {
  SS_FORCE_HOLDS,  /* joints; limits and contacts that press; springs, motors; drives that keep their speed */
  SS_FORCE_STICKS, /* contacts with friction, friction of joints, what resists rolling */
  SS_FORCE_SLIPS,
  SS_FORCE_OPENS,    /* touches, and goes apart without a force */
  SS_FORCE_STRIKES,  /* touches, and approaches: an impact is due */
  SS_FORCE_PARTS,    /* touches, and goes apart already */
  SS_FORCE_IS_APART, /* does not touch, or a joint that is away from its limits */
  SS_FORCE_STATE_COUNT
} SsForceState;

/* "holds", "sticks", ...; static text. */
const char *ss_force_state_name (SsForceState state);

typedef struct {
  SsForceKind kind;
  int index;   /* contact, joint, spring or actuator of the scene */
  int point;   /* of a contact, by its corner; of a limit 0: lower, 1: upper; else -1 */
  int body[2]; /* that it acts between: -1: the world; forces below act on the second, opposite on the first */
  SsForceState state;
  SsVec2 at;                 /* where it acts [m]; NaN: at no point */
  double normal, tangential; /* of contacts and points, as lambda_n and lambda_t [N]; else NaN */
  /* Along its coordinate: of limits (pushes back), friction, drives, springs (tension > 0) and motors, of rolling on
   * the second body [N or N m]; else NaN */
  double value;
  SsVec2 force;  /* [N] */
  double moment; /* about `at`, of joints that hold an angle, limits and motors of angles [N m] */
  bool is_unique;
} SsForceItem;

typedef struct {
  int n;
  /* Owned: contacts with their points, joints, limits, friction and drives, rolling, springs, motors, each in the
   * scene's order. */
  SsForceItem *items;
  double *acceleration; /* owned; 3 n_bodies [m/s2, rad/s2] */
  bool is_solved;       /* false: the law has no forces here (slip with Painleve's paradox, or an impact without one) */
  bool strikes;         /* an impact is due: these are the forces without what strikes */
  bool is_unique;       /* all are; see also `is_motion_unique` */
  bool is_motion_unique; /* no other modes give other accelerations; those that were looked at */
  bool are_all_modes;    /* all modes were looked at */
  int n_answers; /* different accelerations that the law allows, of the modes that were looked at; 0: not looked */
} SsForces;

/* At time t and the state q, v (3 n_bodies each). `touching`: NaN: the default. SS_ERR_INVALID: a formula of the scene
 * switches with the state (by name), the joints say the same twice, a contact has cohesion; SS_ERR_SINGULAR: no
 * forces of what rubs or drives joints were found; SS_ERR_MEMORY. *out is for ss_forces_free. */
SS_NODISCARD SsStatus ss_forces_at (const SsScene *scene, double t, const double *q, const double *v, double touching,
                                    SsForces **out, SsError *err);
void ss_forces_free (SsForces *forces); /* NULL is allowed */
