/* engine/judge/ss-motion-law.h: how far the impulses of a motion's contacts are from the law of contact that made it,
 * recomputed from the scene and the rows alone; nothing is shared with the solvers of that law.
 *
 * Coulomb's cone K = {(pn, pt): |pt| <= mu pn} and Signorini's condition are, with the velocity u = (un, ut) of b
 * against a at a contact point, one cone complementarity (G. de Saxce, Z.-Q. Feng, Math. Comput. Modelling 28, 1998):
 *
 *     K* contains u^ = (un + mu |ut|, ut),   p in K,   p . u^ = 0.
 *
 * Residual of its natural map [m/s] (V. Acary, B. Brogliato, Numerical Methods for Nonsmooth Dynamical Systems, 2008;
 * V. Acary, M. Bremond, O. Huber, On solving contact problems with Coulomb friction, 2018):
 *
 *     | w p - P_K (w p - u^) |,   P_K: the nearest point of K,   w: what 1 N s changes of the point's velocity.
 *
 * It is 0 where the law holds, and about the smaller of the velocity and of w times the impulse that are wrong: of a
 * contact that slips without friction, its slip or what friction would take of it in the step.
 *
 * Velocity         is taken where the law imposes it (SsLawPlace). Laws that have a gap of their own in their condition
 *                  have it in un, over the step.
 * Relaxed law      u in the place of u^: then K* contains (un, ut), so that what slides separates at mu |slip|
 *                  (Anitescu, Math. Program. 105, 2006). Beside its own residual the exact law's is told, which is what
 *                  the relaxation costs.
 * Linearised gap   un has phi(q0)/h + Gn(q0) v1. What the true gap at the end is beyond that, over h, is told apart; it
 *                  is no fault of the answer.
 * Springs          un and ut with what springs and dampers of the contact give way to its impulse: u + p/(h D).
 * Points           a contact's rows tell the sum over its points. Its residual is the least over the ways to share it:
 *                  at one of its points, at two that slip in opposite ways (then the sum may be anywhere in the cone),
 *                  or, of springs, at all that they press, alike. No point of a rigid law may be approached.
 *
 * Threads  one call at a time per trajectory. Tests: tests/numeric/test-motion-law.c
 */
#pragma once

#include "judge/ss-motion.h"

/* Where a law imposes its condition; h is the step. */
typedef enum {
  SS_LAW_NOT_TOLD,
  /* un = phi(q0)/h + Gn(q0) v1, or where it bounces by SsLawBounce, ut = Gt(q0) v1 (Stewart and Trinkle 1996) */
  SS_LAW_START_GAP,
  /* un = phi(q1)/h, ut = Gt(q1) v1 */
  SS_LAW_END_GAP,
  /* closed at q0: un = Gn v1, or after compression e times its impulse at least (Anitescu and Potra 1997) */
  SS_LAW_START_VELOCITY,
  /* closed at q0 + h/2 v0: un = Gn v1 + e Gn v0 there (Moreau 1988, Jean 1999) */
  SS_LAW_HALF_VELOCITY,
  /* springs and dampers with the linearised gap phi(q0) + h Gn(q0) v1, or with phi(q1) */
  SS_LAW_START_SPRING,
  SS_LAW_END_SPRING,
  /* springs and dampers in steps within the step, or a rigid law (slip_damping infinite) in parts of it: rows tell the
   * slip at its ends, and friction has been between what these give; of the normal impulse only that it does not pull.
   * Where that is more than twice or less than half of the step before it is an impact, in which slips may turn: its
   * cone alone */
  SS_LAW_WITHIN,
  /* at each stage, where the gap is closed, ut there; at each jump un = Gn v1 + e Gn v0, ut = Gt v1 */
  SS_LAW_STAGES
} SsLawPlace;

/* Whether what overlaps is pressed apart by springs. */
static inline bool
ss_law_is_of_springs (SsLawPlace place)
{
  return place == SS_LAW_WITHIN || place == SS_LAW_START_SPRING || place == SS_LAW_END_SPRING;
}

/* How a law with the gap in its condition answers an impact: a point that has an impulse and that the velocities at the
 * start of the step bring nearer by more than SS_LAW_AT_REST. */
typedef enum {
  SS_LAW_INELASTIC,
  /* un = Gn v1 + e Gn v0 */
  SS_LAW_BOUNCE_NEWTON,
  /* of Poisson's hypothesis rows know the sum of both phases */
  SS_LAW_BOUNCE_POISSON
} SsLawBounce;
#define SS_LAW_AT_REST 1e-6 /* [m/s] */

/* How the law answers an impact at an instant; of SS_LAW_STAGES. */
typedef enum {
  SS_LAW_JUMP_NEWTON,
  /* one impulse after another, whose slips the rows do not tell: the cone, and that nothing approaches after it */
  SS_LAW_JUMP_IN_PARTS
} SsLawJump;

typedef struct {
  SsLawPlace place;
  bool is_relaxed;
  SsLawBounce bounce; /* of START_GAP */
  SsLawJump jump;
  double closed;             /* of velocities: the largest gap that counts as closed [m] */
  double stiffness, damping; /* of springs; the contact's own where it has some [N/m], [N s/m] */
  double damping_impulse;    /* > 0: damping is this over the step [N s2/m] */
  bool is_plastic;           /* contacts of which the scene gives neither have ss_contact_plastic_damping */
  double slip_damping;       /* [N s/m]; 0: no friction; infinite: what slips has all of it */
  double slip_impulse;       /* > 0: slip_damping is this over the step [N s2/m] */
  double slip_velocity;      /* > 0: friction is mu pn tanh (slip/this), in the place of slip_damping [m/s] */
  bool is_shaped;      /* springs are not the contact's points, or depend on the depth: only friction is looked at */
  bool is_compensated; /* springs cancel the turning of directions (paper 003), which explains h dGn/dt v */
} SsMotionLaw;

/* A residual above this is told [m/s]: velocities of a step that are wrong by more are seen. In steps below 0.01 s an
 * impulse of friction is small itself; there the limit is a velocity over the step, a thousandth of gravity's. Not less
 * than the last: elements of 1e-7 s between two events hardly know the way of a slip. */
#define SS_LAW_MISSED       1e-4
#define SS_LAW_MISSED_RATE  1e-2
#define SS_LAW_MISSED_LEAST 1e-5

/* What a contact did where it missed its law most. */
typedef struct {
  double un, ut; /* as the law takes them [m/s] */
  double pn, pt; /* [N s]; of a stage weight times force */
} SsLawMiss;

typedef struct {
  SsMotionWorst law;        /* contact; [m/s]; NaN: the law is not told, or there are no impulses or velocities */
  SsLawMiss miss;           /* there */
  SsMotionWorst exact;      /* contact; the exact law's residual, of relaxed laws; else NaN */
  SsMotionWorst linearised; /* contact; gaps at the end beyond the linearised ones, over the step; else NaN */
  int n_steps, n_missed;    /* rows with a step, and those with a residual above the limit */
  bool is_complete;         /* all rows were judged */
} SsLawVerdict;

/* Damping that is 500 times the critical one of a spring between the bodies of a contact, without their turning: an
 * impact on it, resolved or not, leaves a millionth of its speed [N s/m]. */
double ss_contact_plastic_damping (const SsScene *scene, int contact, double stiffness);

/* What the law adds to a contact's normal impulse before all else: the most that the contact may pull with in a
 * step of h from the poses q, if the law knows cohesion and the contact touches there [N s]. */
double ss_motion_law_pull (const SsMotionLaw *law, const SsScene *scene, int contact, const double *q, double h);

/* Residual of the natural map at one point [m/s]: velocity (un, ut), w times the impulse (wpn, wpt). */
double ss_contact_law_residual (double mu, double un, double ut, double wpn, double wpt, bool is_relaxed);
/* Judges all rows; `stages` as of ss_motion_judge_stages. Channels of the quantity LAW_RESIDUAL in `motion` get the
 * residual of the step that ends at their row, in steps with stages the largest of these; 0 in the first row. `control`
 * (NULL allowed): when it asks to stop, is_complete is false. Errors as of ss_motion_judge. */
SS_NODISCARD SsStatus ss_motion_judge_law (const SsScene *scene, SsTrajectory *motion, const SsTrajectory *stages,
                                           const SsMotionLaw *law, SsRunControl *control, SsLawVerdict *out,
                                           SsError *err);
/* The same, given one block after another. `law` is copied; `like` has the channels. */
typedef struct SsLawJudge SsLawJudge;
SS_NODISCARD SsStatus ss_law_judge_new (const SsScene *scene, const SsMotionBlock *like, const SsMotionLaw *law,
                                        SsLawJudge **out, SsError *err);
/* Residuals go into the block's rows, and into its list of contacts. */
SS_NODISCARD SsStatus ss_law_judge_rows (SsLawJudge *judge, const SsMotionBlock *rows, SsRunControl *control,
                                         SsError *err);
void ss_law_judge_end (const SsLawJudge *judge, SsLawVerdict *out);
void ss_law_judge_free (SsLawJudge *judge); /* NULL is allowed */
/* The worst in words: contact, bodies, time, and what it does there; nothing where there is none. */
void ss_motion_law_describe (const SsScene *scene, const SsLawVerdict *verdict, char *text, size_t size);
/* Sets max_law_residual and, where the law has them, max_exact_residual and max_linearised_gap. */
void ss_motion_law_metrics (const SsLawVerdict *verdict, SsMetricSet *set);
