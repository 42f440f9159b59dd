/* engine/contact/ss-contact-problem.h: the problem of one time step, shared by the time-stepping schemes.
 *
 * For contact points and limits i with normal n (from body a to body b), tangent t (n turned by -90 degrees: (1, 0) on
 * a floor with n = (0, 1)), rows Gn, Gt, and for joint rows j with Gb, find impulses pn, pt, pb and velocities v with
 *     v = vf + M^-1 (Gn' pn + Gt' pt + Gb' pb)
 *     0 <= pn - pn_least  _|_  Gn v + bias + compliance pn >= 0
 *     -pt in mu pn Sign (Gt v + bias_t + compliance_t pt)       (without compliance the LCP of Stewart and Trinkle,
 *     with it the clamp law [003 (98)]) Gb v + bias + compliance pb = 0.
 * Of rows and limits of constraints that read t, G v is their rate, G v + d phi / d t.
 * Points enter when the free motion would violate them or they were active in the last solve; those that the answer
 * violates are added and the problem solved again, so that the answer is that of all points at a fraction of the size.
 * One problem per group of bodies that touch each other or are joined. Small groups: joints eliminated, then Lemke;
 * their answer depends on the state alone. Large groups: sparse methods (ss-contact-newton.c, ss-contact-ways.c) that
 * start from the impulses of the last solve. Memory grows to the largest problem seen and is kept.
 */
#pragma once

#include "contact/ss-step-state.h"
#include "dynamics/ss-dynamics.h"
#include "lcp/ss-lcp.h"
#include "scene/ss-near-contacts.h"

/* Friction and motor of a joint, rolling resistance: rows of tangents whose bound does not hang on their own normal
 * impulse, see ss_contact_problem_set_drives. */
typedef enum {
  SS_DRIVE_NONE,
  SS_DRIVE_FRICTION,
  SS_DRIVE_MOTOR,
  SS_DRIVE_ROLLING,
  SS_DRIVE_REBOUND /* ss_contact_problem_give_least */
} SsContactDrive;
enum { SS_JOINT_DRIVES_MAX = 2 };

typedef struct {
  int contact;   /* of the scene; -1: a limit                                */
  int limit;     /* joint of a limit or a drive; -1: a contact               */
  bool is_upper; /* of a limit                                              */
  int drive;     /* SsContactDrive                                           */
  int owner;     /* ROLLING, REBOUND: the point whose pn bounds it; else -1  */
  int resisted;  /* the ROLLING point that it owns; 0: none                  */
  int shape[2];  /* of a, b                                                  */
  int corner;    /* contacts: at which it acts (contact/ss-contact-corner.h) */
  int body[2];   /* a, b; -1: the world (limits)                             */
  double phi;    /* gap [m] at the pose of collection                        */
  double mu;
  double jn[6], jt[6];  /* rows of Gn, Gt on the coordinates of a, then b           */
  SsVec2 point, normal; /* contacts: where the impulse acts, world frame            */
  double rate_t;        /* of limits: SsRow's, a part of Gn v                       */
  double gdv_n, gdv_t;  /* [m/s2]; set by ss_contact_problem_bend, else 0           */
  double bias, bias_t;  /* [m/s]; 0 after collection                                */
  double compliance;    /* [m/(N s)] >= 0; 0 after collection                       */
  double compliance_t;
  double pn_least;           /* [N s]; 0 after collection                                */
  double pn_given;           /* of it, by ss_contact_problem_give_least                  */
  double cohesion;           /* [N s] that pn has too much, between give and take       */
  double pn, pt;             /* answer [N s]                                             */
  double pn_first, pt_first; /* of an earlier phase of the step, for the scheme's use */
  bool bounces;              /* it is one of those that simulate/ss-bounce.h chose */
  bool is_included;          /* in the problem; left out points have pn = pt = 0 and Gn v + bias >= 0 */
  int group;
  int memory; /* place in the memory of the last solve                    */
} SsContactPoint;

typedef struct {
  SsRow row;
  double bias;       /* [m/s]; 0 after collection          */
  double compliance; /* [m/(N s)] >= 0                     */
  double p;          /* answer [N s]                       */
  double p_first;    /* of an earlier phase of the step, for the scheme's use */
  int group;
} SsJointConstraint;

/* The manifold of a contact of two single shapes at poses that the next step starts from. */
typedef struct {
  int contact, n;
  double poses[6];
  SsGap gaps[SS_MANIFOLD_MAX];
} SsKnownManifold;

typedef struct SsContactNewton SsContactNewton;

/* Who is told of each problem that is solved, and of the step that it belongs to (contact/ss-step-take.h makes a thing
 * of its own of one). It changes nothing. */
struct SsContactProblem;
typedef struct SsContactWatch {
  void *owner; /* first argument of both */
  /* A step, or a part of one, of length h begins at t. */
  void (*begin) (void *owner, double t, double h);
  void (*solved) (void *owner, const struct SsContactProblem *problem, const double *v_free, const double *v,
                  double residual);
} SsContactWatch;

typedef struct SsContactProblem {
  const SsScene *scene; /* borrowed                                                 */
  /* set by the scheme: the relaxed law 0 <= p+- _|_ (Gn +- mu Gt) v + bias >= 0, pn = p+ + p-, pt = mu (p+ - p-); where
   * rolling is resisted, of the four edges Gn +- mu Gt +- rolling Gw */
  bool is_convex;
  const SsContactWatch *watch; /* borrowed; NULL: nobody                                  */
  SsDynamics *dynamics;        /* owned                                                    */
  const double *inverse_mass;  /* 3 n_bodies; 0 for what does not move; of dynamics        */
  const double *mass;
  double *radius;   /* n_bodies                                                 */
  bool has_rolling; /* a contact has rolling resistance                         */
  bool has_cohesion;
  bool *moves; /* n_bodies: any coordinate does                            */
  int n_points;
  int points_capacity;
  SsContactPoint *points; /* contacts first, then limits, then drives                 */
  int n_rows;
  SsJointConstraint *rows; /* joints, then what the scheme appends: springs, STIFF rows */
  /* private */
  SsBox *boxes;                  /* n_bodies, of collection                                  */
  SsNearContacts *near;          /* owned */
  SsPlace *places;               /* n_bodies: of collection, or of the report */
  SsJointConstraint *rows_kept;  /* while joints are closed */
  SsRow *row_scratch;            /* joint rows or limits                                     */
  int *memory_start;             /* n_contacts + 1; limits follow                            */
  int n_memory;                  /*                                                          */
  int *seen;                     /* per memory place: the solve that had it last             */
  double *memory_pn, *memory_pt; /* and its impulses then                                    */
  double *memory_row;            /* per joint row and spring, in order                       */
  SsKnownManifold *known;        /* of the contacts with points, by contact; of the last report */
  int n_known, known_capacity;
  int *last_reported; /* contacts with values in the last report                  */
  int n_last_reported;
  int *parent; /* union-find over bodies                                   */
  int *group_of_root;
  int *order;     /* points by group                                          */
  int *row_order; /* joint rows by group                                      */
  int order_capacity;
  int *slot;  /* per point of a group: index among those with friction, -1 without */
  int *local; /* per body: index in its group                             */
  int n_solves;
  int n_included;
  int lcp_capacity;
  double *matrix, *rhs, *z;
  size_t dense_capacity;
  double *dense; /* work of a group with joints                              */
  SsLemke *lemke;
  SsContactNewton *newton;
  struct SsContactCertainty *certainty; /* borrowed, set by the scheme: looks at every solution; NULL: nobody does */
} SsContactProblem;

/* Room for the scene (borrowed) that collecting may let grow; SS_ERR_MEMORY. Freeing NULL is allowed. */
SS_NODISCARD SsStatus ss_contact_problem_new (const SsScene *scene, SsContactProblem **out, SsError *err);
void ss_contact_problem_free (SsContactProblem *problem);

/* Room for so many STIFF rows of a scene is in its problem: two a spring, one an actuator, three a body of formulas. */
int ss_contact_problem_stiff_rows_max (const SsScene *scene);

/* Points with gap <= band [m] and limits with room <= band_limits (the unit of their coordinate) at configuration q;
 * joint rows at (q, v). Bodies whose boxes are farther apart than the band are skipped. SS_ERR_MEMORY. */
SS_NODISCARD SsStatus ss_contact_problem_collect (SsContactProblem *problem, const double *q, const double *v,
                                                  double band, double band_limits, SsError *err);
/* Joint rows at another configuration in the place of those collected. */
void ss_contact_problem_collect_joints (SsContactProblem *problem, const double *q, const double *v);
/* Directions of the collected joint rows at another configuration; phi stays. */
void ss_contact_problem_turn_joints (SsContactProblem *problem, const double *q, const double *v);
/* Friction and motors of joints at (q, v), and what resists rolling, as the last points of the list, in the place
 * of those that there are: over h [s], with the bound b = h limit, a drive is a point with jn = 0, mu = 1, whose
 * pn = b stands in no row, so that -pt in b Sign (Gt v - speed). The bound of what resists rolling, whose row is
 * the turning of b against a, is rolling times the pn of its owner, a point of the contact. To be called when the
 * other points have their biases; collecting left room. A second phase of a step, which has no pn_least of them,
 * goes on without. */
void ss_contact_problem_set_drives (SsContactProblem *problem, const double *q, const double *v, double h);
/* Where is_convex: points with pn_least > 0 give that much to v, what rubs up to the bounds that this makes comes as
 * REBOUND points behind the others, and pn is what is more. Their sum is the convex set |pt| <= mu pn, pn >= pn_least.
 * To be followed by a solution from v and ss_contact_problem_take_least, which adds all to the points' pn, pt. */
void ss_contact_problem_give_least (SsContactProblem *problem, double *v);
void ss_contact_problem_take_least (SsContactProblem *problem);
/* Cohesion c of contacts over h [s]: of the points of a contact that touch, each of n pulls with h c/n, which is given
 * to v_free; the solution is then that of pn + h c/n in the place of pn, in complementarity, friction and the bound of
 * what resists rolling: 0 <= pn + h c/n _|_ Gn v + bias >= 0, |pt| <= mu (pn + h c/n), adhesion as a force of what
 * touches (B. V. Derjaguin, V. M. Muller, Y. P. Toporov, J. Colloid Interface Sci. 53 (1975)) with Coulomb friction.
 * Points are to be at the poses of the step's start. Taking makes v_free and pn those of the law again. */
void ss_contact_problem_give_cohesion (SsContactProblem *problem, double h, double *v_free);
void ss_contact_problem_take_cohesion (SsContactProblem *problem, double *v_free);
/* gdv of all points at (q, v). */
void ss_contact_problem_bend (SsContactProblem *problem, const double *q, const double *v);
/* Appends springs as rows (bias and compliance 0). Call after collecting, at most once. */
void ss_contact_problem_append_springs (SsContactProblem *problem, const double *q, const double *v);
/* Room for so many points; SS_ERR_MEMORY. */
SS_NODISCARD SsStatus ss_contact_problem_reserve (SsContactProblem *problem, int n_points, SsError *err);
/* One more point for the caller to fill, zeroed; NULL without memory. */
SsContactPoint *ss_contact_problem_add_point (SsContactProblem *problem);

/* Restitution of a contact, or of a limit; 0 of a drive. */
double ss_contact_point_restitution (const SsContactProblem *problem, const SsContactPoint *point);
/* Normal velocity Gn v (+ rate_t) and tangential velocity Gt v of a point. */
double ss_contact_point_normal_velocity (const SsContactPoint *point, const double *v);
double ss_contact_point_slip (const SsContactPoint *point, const double *v);

/* v += M^-1 (Gn' pn + Gt' pt) for a point's impulses. */
void ss_contact_problem_push (const SsContactProblem *problem, const SsContactPoint *point, double *v);
/* v += M^-1 G' p. */
void ss_contact_problem_push_row (const SsContactProblem *problem, const SsRow *row, double p, double *v);
/* v = v0 + h M^-1 f for free coordinates, 0 for others. */
void ss_contact_problem_free_motion (const SsContactProblem *problem, const double *v0, const double *f, double h,
                                     double *v);

/* Solves for the rows alone, without memory of it, and without their rate_t, as it is of changes: Gb v + bias +
 * compliance pb = 0. Points stay as they are. */
SS_NODISCARD SsStatus ss_contact_problem_solve_rows (SsContactProblem *problem, const double *v_free, double t,
                                                     double *v, SsError *err);
/* Moves q onto the joints: q -= M^-1 G' (G M^-1 G')^+ phi, a few times. The rows stay those that there are. */
SS_NODISCARD SsStatus ss_contact_problem_close_joints (SsContactProblem *problem, double t, double *q, double *work,
                                                       SsError *err);

/* Solves for pn, pt of all points, p of all rows, and v (3 n_bodies). `t` is for messages. info: residual is the
 * largest over the groups, pivots their sum (LCP pivots or factorisations). SS_ERR_SINGULAR when a group's problem has
 * no solution that is found: the message names contact, bodies and time. */
SS_NODISCARD SsStatus ss_contact_problem_solve (SsContactProblem *problem, const double *v_free, double t, double *v,
                                                SsStepInfo *info, SsError *err);

/* How far a step of length dt that ends at q with velocities v (v_free without impulses) is from the law with the gap
 * at its end, whatever impulses it had: the largest of the penetration at q, what joints are open, and dt times the
 * change of velocity that no impulses of the friction cones of the points that touch can explain [m or rad]. Gaps and
 * ways of slip up to `tolerance` [m] count as none. An answer near 0 proves that (q, v) solves the step. */
SS_NODISCARD SsStatus ss_contact_problem_law_residual (SsContactProblem *problem, const double *v_free, double dt,
                                                       const double *q, const double *v, double tolerance,
                                                       double *residual, SsError *err);

/* state->contact and ->dissipated from the points' impulses over a step of length dt that changed v0 into state->v, and
 * the gaps at state->q; state->joint from those and from the rows'. */
void ss_contact_problem_report (SsContactProblem *problem, double dt, const double *v0, SsSimState *state);
/* Adds to `dissipated` (n_contacts; NULL: not wanted) what the points' impulses, which changed v0 into v1, took of the
 * kinetic energy. */
void ss_contact_points_dissipate (const SsContactPoint *points, int n_points, const double *v0, const double *v1,
                                  double *dissipated);
/* Adds the impulses of the joints among the rows to `joint` (SsSimState; NULL: not wanted). */
void ss_contact_rows_add_joints (const SsJointConstraint *rows, int n_rows, double *joint);
/* The same of all rows, and of the points that are limits, motors and friction of joints; the report does it, too. */
void ss_contact_problem_add_joints (const SsContactProblem *problem, double *joint);
/* Smallest gap of a contact at q [m]. */
double ss_scene_contact_gap (const SsScene *scene, int contact, const double *q);

/* Sets of bodies that touch or are joined, as trees (core/ss-forest.h): parent[n_bodies], at first each its own. The
 * trees of two bodies become one where both move. ss-contact-group.c */
void ss_contact_unite (const SsContactProblem *problem, int *parent, const int body[2]);

/* What a problem carries from solve to solve, into *memory: NULL, or one of an earlier call to be used again
 * (SS_ERR_MEMORY); and back. ss-contact-memory.c */
SS_NODISCARD SsStatus ss_contact_problem_keep (const SsContactProblem *problem, void **memory, SsError *err);
void ss_contact_problem_put_back (SsContactProblem *problem, const void *memory);
void ss_contact_problem_forget (void *memory); /* NULL is allowed */

/* Largest speed of any point of any body [m/s]: what is driven comes nearer, too. INFINITY where a half-plane turns. */
double ss_contact_problem_top_speed (const SsContactProblem *problem, const double *v);
/* "contact floor-box (bodies floor and box)" or "limit of joint hinge (bodies a and b)". */
void ss_contact_point_describe (const SsContactProblem *problem, const SsContactPoint *point, char *buffer,
                                size_t size);

/* ---- ss-contact-group.c ------------------------------------------------------------------------------------------ */

/* One row of G M^-1 G' between two points' rows over the bodies they share. */
double ss_contact_coupling (const SsContactProblem *problem, const int body_p[2], const double *row_p,
                            const int body_s[2], const double *row_s);
/* Solves the included points and all rows, group by group. */
SS_NODISCARD SsStatus ss_contact_problem_solve_included (SsContactProblem *problem, const double *v_free, double t,
                                                         double *v, SsStepInfo *info, SsError *err);

/* ---- ss-contact-newton.c ----------------------------------------------------------------------------------------- */

/* Belongs to the problem, which makes and frees it. Empty: it grows with the groups that it solves. */
SS_NODISCARD SsStatus ss_contact_newton_new (const SsContactProblem *problem, SsContactNewton **out, SsError *err);
void ss_contact_newton_free (SsContactNewton *newton);
/* Solves the listed included points and rows together (any number of groups); impulses go to the points and rows,
 * starting from those there. residual: natural residual, velocities [m/s]. SS_OK with *is_solved false when it did not
 * converge (*worst: point with the largest residual, -1 if a row). */
SS_NODISCARD SsStatus ss_contact_newton_solve (SsContactNewton *newton, SsContactProblem *problem, const int *points,
                                               int n_points, const int *rows, int n_rows, const double *v_free,
                                               double *residual, int *iterations, bool *is_solved, int *worst,
                                               SsError *err);
