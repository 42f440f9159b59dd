/* engine/simulate/ss-contact-problem.h: the contact problem of one time step, shared by the time-stepping schemes (private to the room).
 *
 * For contact points i with normal n (from body a to body b), tangent t (n turned by -90 degrees: (1, 0) on a floor with n = (0, 1)), rows Gn, Gt, find
 * impulses pn, pt and velocities v with
 *     v = vf + M^-1 (Gn' pn + Gt' pt)
 *     0 <= pn - pn_least  _|_  Gn v + bias >= 0
 *     0 <= p+ _|_ s + Gt v >= 0,  0 <= p- _|_ s - Gt v >= 0,  0 <= s _|_ mu pn - p+ - p- >= 0,  pt = p+ - p-.
 * Points start in the LCP when the free motion would violate them or they were active in the last solve; those that the answer violates are added and the problem solved
 * again, so that the answer is that of all points at a fraction of the size.
 * One LCP per group of bodies that touch each other. Memory grows to the largest problem seen and is kept. A large group first tries the active
 * set of the last solve (resting piles need no pivots then); small ones never do, so that their answer depends on the state alone.
 */
#pragma once

#include "lcp/ss-lcp.h"
#include "simulate/ss-simulate.h"

typedef struct {
  int contact; /* of the scene                                             */
  int body[2]; /* a, b                                                     */
  double phi;  /* gap [m] at the pose of collection                        */
  double mu;
  double jn[6], jt[6];       /* rows of Gn, Gt on the coordinates of a, then b           */
  double bias;               /* [m/s]; 0 after collection                                */
  double pn_least;           /* [N s]; 0 after collection                                */
  double pn, pt;             /* answer [N s]                                             */
  double pn_first, pt_first; /* of an earlier phase of the step, for the scheme's use */
  bool is_included;          /* in the LCP; left out points have pn = pt = 0 and Gn v + bias >= 0 */
  int group;
  int index; /* in its contact's manifold                                */
} SsContactPoint;

typedef struct SsContactProblem {
  const SsScene *scene; /* borrowed                                                 */
  double *inverse_mass; /* 3 n_bodies; 0 for fixed bodies                           */
  double *radius;       /* n_bodies                                                 */
  int n_points;
  SsContactPoint *points; /* room for 2 n_contacts                                    */
  /* private */
  int *parent;           /* union-find over bodies                                   */
  int *order;            /* points by group                                          */
  int *slot;             /* per point of a group: index among those with friction, -1 without */
  int *seen;             /* per contact and manifold index: the solve that had it last  */
  unsigned char *active; /* and which of its unknowns were positive then             */
  int n_solves;
  int n_included;
  bool *support; /* lcp_capacity                                             */
  int lcp_capacity;
  double *matrix, *rhs, *z;
  SsLemke *lemke;
} SsContactProblem;

SS_NODISCARD SsStatus ss_contact_problem_new (const SsScene *scene, SsContactProblem **out, SsError *err);
void ss_contact_problem_free (SsContactProblem *problem);

/* Points with gap <= band [m] at configuration q; bodies whose bounding circles are farther apart than the band are skipped. */
void ss_contact_problem_collect (SsContactProblem *problem, const double *q, double band);

/* Normal velocity Gn v and tangential velocity Gt v of a point. */
double ss_contact_point_normal_velocity (const SsContactPoint *point, const double *v);
double ss_contact_point_slip (const SsContactPoint *point, const double *v);

/* v += M^-1 (Gn' pn + Gt' pt) for a point's impulses. */
void ss_contact_problem_push (const SsContactProblem *problem, const SsContactPoint *point, double *v);

/* Solves for pn, pt of all points and v (3 n_bodies). `t` is for messages. info: residual is the largest over the groups, pivots their sum.
 * SS_ERR_SINGULAR when a group's LCP has no solution that Lemke finds: the message names contact, bodies and time. */
SS_NODISCARD SsStatus ss_contact_problem_solve (SsContactProblem *problem, const double *v_free, double t, double *v,
                                                SsStepInfo *info, SsError *err);

/* state->contact from the points' impulses over a step of length dt and the gaps at state->q. */
void ss_contact_problem_report (const SsContactProblem *problem, double dt, SsSimState *state);

/* Smallest gap of a contact at q [m]. */
double ss_scene_contact_gap (const SsScene *scene, int contact, const double *q);

/* Largest speed of any point of any free body [m/s]. */
double ss_contact_problem_top_speed (const SsContactProblem *problem, const double *v);
