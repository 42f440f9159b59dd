/* engine/fesd/ss-fesd-law.h: what contacts do at one instant: the jump [000 (11a)-(11f)], and the law at the level of
 * accelerations that says which contact modes come next.
 *
 * Jump      M (v+ - v-) = G' Lambda_b + sum n Lambda_n + t Lambda_t over all points that touch, in one:  G v+ = 0,
 *           0 <= Lambda_n _|_ n' v+ + e min (n' v-, 0) >= 0, and Coulomb's law between Lambda_t and t' v+ with
 *           |Lambda_t| <= mu Lambda_n. The paper writes Lambda_n (n' v+ + e n' v-) = 0 with that residual of either
 *           sign, which also lets a contact that was opening close at the speed e n' v-; here it may not go inwards.
 * Forces    M a = f + G' lambda_b + sum n lambda_n + t lambda_t over the points that touch and neither approach nor
 *           part:  0 <= lambda_n _|_ d/dt (n' v) >= 0;  slip: lambda_t = -+ mu lambda_n;  no slip: Coulomb's law with
 *           d/dt (t' v).
 *
 * Both are linear complementarity problems (lcp/ss-lcp.h), the joints eliminated. Where the law has several answers the
 * one that Lemke's method finds is returned. Where it has none (slip with Painleve's paradox) the answer says so.
 * Memory grows with the largest number of touching points seen.
 */
#pragma once

#include "fesd/ss-fesd-element.h"
#include "lcp/ss-lcp.h"

typedef struct SsFesdLaw SsFesdLaw;

SS_NODISCARD SsStatus ss_fesd_law_new (SsFesdSystem *system, SsFesdLaw **out, SsError *err); /* system borrowed */
void ss_fesd_law_free (SsFesdLaw *law);                                                      /* NULL is allowed */

/* One touching item: a point of the system, a limit, or a drive, which always does: its force_n is `most`. */
typedef struct {
  int item;
  double gap, rate, slip;        /* at the given state: gap [m], n' v, t' v [m/s] */
  int sign;                      /* 1, -1: slips so; 0: does not slip; set by the caller, read by forces and test */
  double force_n, force_t;       /* answer: [N s] of a jump, [N] */
  double rate_after, slip_after; /* answer: n' v+, t' v+; or accelerations */
} SsFesdTouch;

/* Items with a gap of at most `tolerance` at (t, q, v), written into *touches (borrowed until the next call). Jumps are
 * at the time of the last call. */
SS_NODISCARD SsStatus ss_fesd_law_touching (SsFesdLaw *law, double t, const double *q, const double *v,
                                            const double *offset, double tolerance, SsFesdTouch **touches, int *n,
                                            SsError *err);

/* How many of the touches are no drives, which come last and have no impulses. */
int ss_fesd_law_without_drives (const SsFesdLaw *law, const SsFesdTouch *touches, int n);

/* The jump at (q, v) over these touches; v changes. bilateral[n_bilateral] receives Lambda_b. *is_solved: the law has
 * an answer; v is untouched else. */
SS_NODISCARD SsStatus ss_fesd_law_jump (SsFesdLaw *law, const double *q, double *v, SsFesdTouch *touches, int n,
                                        double *bilateral, bool *is_solved, SsError *err);

/* After a jump from v_before to v_after whose impulses another law has put into the touches: fills the speeds after it
 * and bilateral[n_bilateral], the impulses with which the joints answered. */
SS_NODISCARD SsStatus ss_fesd_law_complete (SsFesdLaw *law, const double *q, const double *v_before,
                                            const double *v_after, SsFesdTouch *touches, int n, double *bilateral,
                                            SsError *err);

/* Generalised forces (3 n_bodies, borrowed) that act beside those of the scene on all accelerations from now on; NULL:
 * none. */
void ss_fesd_law_set_extra (SsFesdLaw *law, const double *force);

/* Looks at the law of these touches at (q, v), for tests of modes that follow; other calls end that. */
SS_NODISCARD SsStatus ss_fesd_law_prepare (SsFesdLaw *law, double t, const double *q, const double *v,
                                           const SsFesdTouch *touches, int n, SsError *err);
/* Whether these modes obey the law there at the level of accelerations, signs up to `tolerance` of the largest numbers:
 * OPEN moves apart, closed ones press, STICK stays within its cone. What vanishes passes. Touches receive forces. */
bool ss_fesd_law_test (SsFesdLaw *law, SsFesdTouch *touches, const SsFesdMode *modes, int n, double tolerance);
/* Modes that pass that test, from the given ones on, in as many rounds at most. False: none were found. */
bool ss_fesd_law_search (SsFesdLaw *law, SsFesdTouch *touches, SsFesdMode *modes, int n, double tolerance, int rounds);

/* Accelerations a[n_free] and joint forces by the forces that passed the last test, or were found. */
void ss_fesd_law_take_forces (SsFesdLaw *law, const SsFesdTouch *touches, int n, double *a, double *bilateral);

/* The same tests for a jump at (q, v), with modes for the time after it: OPEN takes no impulse, STICK ends without
 * slip. With `is_strict` a point without impulse leaves at least with its rebound, as ss_fesd_law_jump wants it;
 * else it only may not approach, as in the paper. */
SS_NODISCARD SsStatus ss_fesd_law_prepare_jump (SsFesdLaw *law, const double *q, const double *v,
                                                const SsFesdTouch *touches, int n, SsError *err);
bool ss_fesd_law_test_jump (SsFesdLaw *law, SsFesdTouch *touches, const SsFesdMode *modes, int n, bool is_strict,
                            double tolerance);
bool ss_fesd_law_search_jump (SsFesdLaw *law, SsFesdTouch *touches, SsFesdMode *modes, int n, bool is_strict,
                              double tolerance, int rounds);
/* Makes the jump with the impulses that passed the last test, or were found; v changes, as with ss_fesd_law_jump. */
void ss_fesd_law_take_jump (SsFesdLaw *law, double *v, SsFesdTouch *touches, int n, double *bilateral);

/* Modes at the end of a short time step from (t, q, v), its forces and jumps in one complementarity problem of
 * velocities, which has an answer where that of accelerations at given slips has none that Lemke's method finds, or
 * none at all (D. E. Stewart, J. C. Trinkle, Int. J. Numer. Meth. Eng. 39, 1996). Without contacts no row's speed
 * changes in it by more than `change`, and speeds up to `rest` are none [m/s]. As it gets shorter, its modes are those
 * of forces that obey the law; or impulses stay: an impact without a collision (Stewart, Arch. Rational Mech. Anal.
 * 145, 1998). Touches receive impulses. False: the solver failed. */
SS_NODISCARD SsStatus ss_fesd_law_step (SsFesdLaw *law, double t, const double *q, const double *v, double rest,
                                        double change, SsFesdTouch *touches, SsFesdMode *modes, int n, double tolerance,
                                        bool *is_solved, SsError *err);

/* Forces at (q, v) of the touches, all of which neither approach nor part. The sign of a touch says how it
 * slips. a[n_free] and bilateral[n_bilateral] receive accelerations and joint forces. */
SS_NODISCARD SsStatus ss_fesd_law_forces (SsFesdLaw *law, double t, const double *q, const double *v,
                                          SsFesdTouch *touches, int n, double *a, double *bilateral, bool *is_solved,
                                          SsError *err);
