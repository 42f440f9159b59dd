/* engine/simulate/ss-constraint-private.h: the parts of the first-order constraint solver. */
#pragma once

#include "simulate/ss-rattle.h"
#include "simulate/ss-secant-way.h"
#include "simulate/ss-stepper-private.h"
#include "simulate/ss-stewart-trinkle.h"
#include "simulate/ss-stretch.h"

enum { SS_LAW_MAX, SS_LAW_LITERAL };
enum { SS_ACTIVATION_ALL, SS_ACTIVATION_PENETRATING };
enum { SS_HERTZ_OFF, SS_HERTZ_SECANT, SS_HERTZ_TANGENT };
enum { SS_REBOUND_DAMPED, SS_REBOUND_SPRING, SS_REBOUND_NONE };

/* B_r = this / h [N s2/m] unless given: the paper's value. */
#define SS_CONSTRAINT_SLIP_IMPULSE 1e6

typedef struct {
  int law, joints, forces, activation, compensate, hertz, rebound, foundation;
  double stiffness, damping;             /* of contacts without their own [N/m], [N s/m] */
  double joint_stiffness, joint_damping; /* of joints and limits without their own       */
  double slip_damping;                   /* 0: 1e6/h                                     */
  double zeta;                           /* 0: 1/h                                       */
  bool swept;
  SsSimLimits limits;
} SsConstraintOptions;

typedef struct SsConstraintLiteral SsConstraintLiteral;

typedef struct {
  SsStepper base;
  SsConstraintOptions options;
  /* 3 n_bodies each, one block; v_guess: about which formulas of contacts are linearised */
  double *v_free, *v, *v_start, *f, *q, *v_end, *v_guess;
  double *mhat_gdv;         /* per joint row; after them             */
  double *kappa, *fixed;    /* the same; of ss-rattle.h              */
  SsRattle *rattle;         /* NULL: rows at the start, or no joints */
  SsSecantWay *secant;      /* with rattle                           */
  SsContactProblem *at_end; /* with rattle: of gaps alone            */
  double *known;            /* per point, of gaps at the end         */
  int known_capacity;
  SsStretches stretches;        /* of contacts with a slip stiffness */
  SsConstraintLiteral *literal; /* made when first needed                */
} SsConstraintStepper;

/* ---- ss-constraint-law.c ----------------------------------------------------------------------------------------- */

/* lambda = push - stiffness phi1 - damping phidot1, phi at the start as given here. */
typedef struct {
  double stiffness, damping, phi, push;
  bool brakes; /* before there is contact, the damper acts on the depth at the end of the step */
} SsConstraintLaw;

SsConstraintLaw ss_constraint_law_of_point (const SsConstraintStepper *s, const SsContactPoint *p, double dt);
/* The law of a point whose contact has formulas, about what the gap is after `way` with s->v_guess; and its damping of
 * slip. */
SS_NODISCARD SsStatus ss_constraint_comply (const SsConstraintStepper *s, const SsContactPoint *p, double way,
                                            SsConstraintLaw *law, double *slip_damping, SsError *err);
SsConstraintLaw ss_constraint_law_of_row (const SsConstraintStepper *s, const SsRow *row);
double ss_constraint_slip_damping (const SsConstraintStepper *s, double dt);
/* Inverse of the row's own G M^-1 G'; 0 if compensation is off. */
double ss_constraint_mhat (const SsConstraintStepper *s, const SsContactPoint *p, const double *row);

/* ---- ss-foundation.c --------------------------------------------------------------------------------------------- */

/* Replaces the manifolds between polygons and half-planes by n points along each edge that may be pressed (memory
 * below 0), with gap <= band. */
SS_NODISCARD SsStatus ss_foundation_replace (SsContactProblem *problem, int n, const double *q, double band,
                                             SsError *err);

/* Channels of the springs' normal forces [N], <contact>.spring_<edge>_<piece>, from 1 on: of all edges of all such
 * contacts, mean over the step; none where there are more than these. */
enum { SS_FOUNDATION_CHANNELS_MAX = 4096 };
int ss_foundation_n_channels (const SsScene *scene, int n);
SsChannel ss_foundation_channel (const SsScene *scene, int n, int i, char *name, size_t size);
void ss_foundation_report (const SsContactProblem *problem, int n, double dt, double *forces);

/* ---- ss-constraint-literal.c ------------------------------------------------------------------------------------- */

/* The printed quadratic programs for the collected points and rows: impulses to the points and rows, velocities to
 * s->v. */
SS_NODISCARD SsStatus ss_constraint_literal_solve (SsConstraintStepper *s, double t, double dt, SsStepInfo *info,
                                                   SsError *err);
void ss_constraint_literal_free (SsConstraintLiteral *literal);
