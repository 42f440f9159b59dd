/* engine/impact/ss-compliant-private.h: what the set-up of a compliant study and its integration share. */
#pragma once

#include "impact/ss-compliant.h"

#include "contact/ss-contact-problem.h"

/* Pieces of the normal force: phi > 0; phi <= 0 and -k phi - d phidot > 0; phi <= 0 and not. */
typedef enum { SS_PIECE_APART, SS_PIECE_PRESSING, SS_PIECE_LET_GO } SsPiece;

/* One of the two contacts in one state. */
typedef struct {
  double phi, vn, vt; /* phi INFINITY: it is far away, the others are 0 */
  SsVec2 normal;
  double push; /* -k phi - d phidot, whatever the piece [N] */
  double lambda_n, lambda_t;
} SsCompliantPoint;

/* Pieces of both contacts. */
typedef struct {
  SsPiece piece[2];
  int slip[2]; /* 1, -1: |vt| > epsilon; 0: in between. Means nothing unless pressing */
} SsPieces;

/* A state: displacements from the start and velocities of the coordinates that answer to forces. */
typedef struct {
  double t;
  double *d, *v; /* n each */
} SsCompliantState;

struct SsCompliant {
  const SsScene *scene;
  SsCompliantOptions options;
  SsContactProblem *problem; /* owned: geometry, forces, joint rows                          */
  int n;                     /* coordinates that answer to forces                            */
  int *coordinate;           /* n: index into q                                              */
  int *index;                /* 3 n_bodies: index into `coordinate`, -1                      */
  double *mass;              /* n; 0 is allowed where joints give the motion inertia         */
  double *q_given, *v_given; /* 3 n_bodies: of the state                                     */
  double *q_start, *v_start; /* 3 n_bodies: of the case                                      */
  double *q, *u, *f;         /* 3 n_bodies: of the last evaluation: place, velocity, forces  */
  int turned;                /* body                                                         */
  bool *turns;               /* n_bodies: it and what joints tie to it                       */
  bool is_tied;              /* ... which has a body that does not move, or the world        */
  int contact[2], memory[2]; /* of the problem: contact, and place that names its point      */
  char name[2][SS_CHANNEL_NAME_MAX];
  double mu[2];
  double total_mass, speed; /* m, v0                                                         */
  /* of the case */
  double stiffness[2], damping[2];
  /* of the last evaluation */
  double *jn[2], *jt[2];               /* n                                                             */
  double *response;                    /* n x n: accelerations from forces, M^-1 with joints rigid      */
  double *basis, *inertia;             /* n x n each: see ss-impact-joints-private.h                    */
  double *bent;                        /* n: acceleration without forces, that of turning joints        */
  double *force, *along, *parts, *row; /* n                                                  */
  /* of the integration, ss-compliant-motion.c */
  double *block; /* owned: all of the arrays of doubles                                     */
  SsCompliantState state, trial;
  double *a, *jd, *jv;         /* n, n x n, n x n: at the step's start                          */
  double *stage;               /* 3 x n: velocities less those at the start, Z                  */
  double *last_stage;          /* 3 x n: of the last accepted step                              */
  double *stage_a;             /* 3 x n                                                         */
  double *stage_jd, *stage_jv; /* 3 x n x n                                                  */
  double *matrix, *change;     /* 3n x 3n, 3n                                                   */
  int *pivot;                  /* 3n                                                            */
};

/* The response, and bent, at the place of the last collection. SS_ERR_INVALID: N' M N is not positive definite. */
SS_NODISCARD SsStatus ss_compliant_respond (SsCompliant *study, SsError *err);
/* Gaps, velocities and rows of the two contacts in a state; no forces. */
SS_NODISCARD SsStatus ss_compliant_collect (SsCompliant *study, double t, const double *d, const double *v,
                                            SsCompliantPoint points[2], SsError *err);
/* Accelerations a (n) and the two contacts in a state, with derivatives of a by d and v (n x n, column-major) where
 * they are not NULL. The forces are those of the pieces, also outside of them. */
SS_NODISCARD SsStatus ss_compliant_evaluate (SsCompliant *study, const SsPieces *pieces, double t, const double *d,
                                             const double *v, double *a, double *jd, double *jv,
                                             SsCompliantPoint points[2], SsError *err);
/* Integrates the case from q_start, v_start to its end. */
SS_NODISCARD SsStatus ss_compliant_integrate (SsCompliant *study, SsRunControl *control, SsCompliantResult *result,
                                              SsError *err);
