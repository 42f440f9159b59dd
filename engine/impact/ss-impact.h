/* engine/impact/ss-impact.h: a configuration at an impact: what impulses do to velocities while nothing moves.
 *
 * n velocity coordinates v, m contacts, rows Jn (separation speed of contact i) and Jt (tangential speed), impulses ln,
 * lt:  v' = v + M^-1 (Jn' ln + Jt' lt), u = J v with J = [Jn; Jt], D = J M^-1 J' (2m x 2m).
 * From a scene, joints enter by projection: N (N' M N)^-1 N' stands in the place of M^-1, N a basis of the null space
 * of the joints' rows, so that no impulse opens a joint; limits that are reached are contacts without friction; the
 * coordinates are those of the bodies that touch or are joined to one that does.
 * Source: 002 secs. 2.2, 5.1. Threads: constant once made. Tests: tests/numeric/test-impact.c.
 */
#pragma once

#include "scene/ss-impact-file.h"
#include "scene/ss-scenario.h"

typedef struct SsImpact {
  char *name; /* "" if none */
  int n, m;
  double *inverse_mass; /* n x n, symmetric; may be singular (locks, joints)     */
  double *mass;         /* n x n, symmetric; 0 for what does not answer           */
  double *jn, *jt;      /* m x n by rows                                          */
  double *mu, *restitution, *v;
  double h;         /* largest impulse of a step [N s]; NaN: not given           */
  int max_steps;    /* 0: not given                                              */
  char **contacts;  /* names                                                     */
  int *coordinates; /* n: 3 body + (x, y, theta) of the scene; NULL: not from one */
  double skew;      /* largest |normal . tangent| of a contact as told, unit vectors; 0: not told */
  /* made of these */
  double *push;    /* n x 2m, by columns: M^-1 [Jn' Jt']                         */
  double *contact; /* 2m x 2m: D                                                 */
  char sha256[65]; /* of the numbers M^-1, Jn, Jt, mu, restitution, v            */
} SsImpact;

/* What ss_impact_new copies; all required but names (NULL: "1", "2", ...), restitution (NULL: 0) and name (NULL: "").
 * */
typedef struct {
  const char *name;
  int n, m;                           /* up to SS_IMPACT_COORDINATES_MAX, SS_IMPACT_CONTACTS_MAX */
  const double *mass, *jn, *jt;       /* by rows; mass symmetric positive definite */
  const double *inverse_mass;         /* NULL: that of mass */
  const double *mu, *restitution, *v; /* m, m, n */
  const char *const *contacts;
  const int *coordinates; /* NULL: none */
  double h;
  int max_steps;
  double skew;
} SsImpactNumbers;

/* SS_ERR_ARG for numbers that are not finite or out of range, SS_ERR_SINGULAR for a mass matrix that is not positive
 * definite, SS_ERR_MEMORY. */
SS_NODISCARD SsStatus ss_impact_new (const SsImpactNumbers *numbers, SsImpact **out, SsError *err);
/* The numbers of a file; messages without its name. */
SS_NODISCARD SsStatus ss_impact_new_from_file (const SsImpactFile *file, SsImpact **out, SsError *err);
/* The configuration of a scene at positions q and velocities v (3 n_bodies each; NULL: the initial ones). Contacts are
 * manifold points with a gap of at most `touching` [m] [002 (13)], named <contact>, or <contact>.1, <contact>.2 from
 * left to right along the tangent where it has several, and limits within `touching` [m or rad], named <joint>.lower,
 * <joint>.upper.
 * SS_ERR_INVALID where nothing touches, too much does, or N' M N is not positive (the message names a body). */
SS_NODISCARD SsStatus ss_impact_new_from_scene (const SsScene *scene, const double *q, const double *v, double touching,
                                                SsImpact **out, SsError *err);
/* A contact point or a limit that takes part, as its caller knows it. */
typedef struct {
  int contact;   /* of the scene; -1: a limit */
  int joint;     /* limits: of the scene      */
  bool is_upper; /* limits                    */
  int body[2];   /* -1: the world             */
  /* rows on the coordinates of body[0], then body[1]: opening speed; slip. Limits: jt is 0 */
  double jn[6], jt[6];
  SsVec2 point, normal; /* contacts: world frame, [m] and unit, from the contact's a to its b */
} SsImpactPoint;

/* The same for points that the caller has found, n of them at most SS_IMPACT_CONTACTS_MAX; contact i of the
 * configuration is points[i]. */
SS_NODISCARD SsStatus ss_impact_new_from_points (const SsScene *scene, const double *q, const double *v,
                                                 const SsImpactPoint *points, int n, SsImpact **out, SsError *err);
/* The same configuration in coordinates that all answer to impulses: those that answer, where no joint ties them (M as
 * it is), else w with v = L w, L L' = M^-1 and M = 1. That is what a file of numbers can say. D, the speeds of the
 * contacts and the energy stay, to rounding; `coordinates` are NULL. SS_ERR_INVALID: what does not answer has a speed
 * at a contact (a moving belt), or nothing answers; SS_ERR_MEMORY. */
SS_NODISCARD SsStatus ss_impact_reduce (const SsImpact *impact, SsImpact **out, SsError *err);
/* NULL is allowed. */
void ss_impact_free (SsImpact *impact);

/* u = J v: 2m numbers, normal speeds, then tangential ones. */
void ss_impact_speeds (const SsImpact *impact, const double *v, double *u);
/* v += M^-1 J' impulse for 2m impulses, normal ones, then tangential ones. */
void ss_impact_push (const SsImpact *impact, const double *impulse, double *v);
/* v' M v / 2 [J]. */
double ss_impact_kinetic_energy (const SsImpact *impact, const double *v);
