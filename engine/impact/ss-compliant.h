/* engine/impact/ss-compliant.h: one impact at two contacts that give way a little, and sweeps of it: what small changes
 * of stiffness or of the angle make of the order of the impulses (paper 002, section 5.4.1, Fig. 12).
 *
 *     M vdot = f (t, q, v) + Jn' lambda_n + Jt' lambda_t,   qdot = v,   joints rigid
 *     phi <= 0:  lambda_n = max (0, -k phi - d phidot),  d = 2 zeta sqrt (k m)       [002 (88)], Kelvin-Voigt
 *     phi >  0:  lambda_n = 0
 *     lambda_t = -mu lambda_n vt / max (|vt|, epsilon)                                      [002 (89)-(90)]
 *
 * Contacts     two contact points of any scene; other contacts and limits of joints do not act. A point is called as
 *              its contact, and ".1", ".2" are added from left to right where the contact has two. The first is A, the
 *              other B. The normal points from body a to body b of the contact, the tangent is the normal turned by
 *              -90 degrees; vn > 0 separates.
 * d            the paper prints 2 zeta sqrt (k/m), which has no unit of a damper and is the same for m = 1 kg.
 * m            by default the mass of all that moves.
 * Ratio        k_A/k_B = 10^x; the smaller of the two is the option `stiffness`. The state is the given one.
 * Angle        k_A = k_B. The body that moves (with what joints tie to it) is turned about its centre of mass and moved
 *              along the normal until its lower contact touches; its velocity is scaled so that kinetic and potential
 *              energy together stay.
 * End          first time at which every contact with phi <= 0 has vn >= -`stop-speed` and both normal impulses exceed
 *              `stop-impulse` m v0, v0 the larger approaching speed of the state.
 * Method       Radau IIA of order 5 with step control; Newton's method on all stages with the derivatives of the
 *              contacts' forces. The force law is cut into smooth pieces (apart, pressing, let go; slip to either side,
 *              stick) and each change of piece is located, as is the end, to rounding.
 * Threads      one at a time per object. Tests: tests/numeric/test-compliant.c.
 */
#pragma once

#include "scene/ss-scenario.h"

typedef struct {
  double stiffness, damping_ratio, slip_speed, mass;
  double stop_speed, stop_impulse, time_limit, touching;
  double decades, angle;
  int cases;
  double rtol, atol;
} SsCompliantOptions;
/* Defaults are those of the paper. */
extern const SsOptionTable ss_compliant_option_table;

typedef struct SsCompliant SsCompliant;

/* The state (q, v: 3 n_bodies each, copied; NULL: the scene's own) before the impact. `contacts`: names of A and B, or
 * NULL: the two points whose gap is at most `touching`. `body`: name of the body that the angle turns, or NULL: the
 * movable body that both contacts have, or else that of A. `options` are copied, NULL: defaults. SS_ERR_INVALID where
 * there are not two such contacts, neither approaches, or masses and joints leave a motion without inertia;
 * SS_ERR_MEMORY. The scene is borrowed. */
SS_NODISCARD SsStatus ss_compliant_new (const SsScene *scene, const double *q, const double *v,
                                        const char *const contacts[2], const char *body,
                                        const SsCompliantOptions *options, SsCompliant **out, SsError *err);
/* NULL is allowed. */
void ss_compliant_free (SsCompliant *study);
/* Name of A (0) or B (1), borrowed. */
const char *ss_compliant_contact (const SsCompliant *study, int contact);

/* What one run is told. */
typedef struct {
  double stiffness[2]; /* A, B [N/m] > 0 */
  double angle;        /* [rad]          */
} SsCompliantCase;

/* k_A/k_B = 10^log10_ratio at the given state. */
SsCompliantCase ss_compliant_ratio_case (const SsCompliant *study, double log10_ratio);
/* Turned by an angle [rad], both contacts of the same stiffness. */
SsCompliantCase ss_compliant_angle_case (const SsCompliant *study, double angle);

typedef struct {
  /* COMPLETED: the impact ended; STALLED: not before `time-limit`; CANCELLED, TIME_LIMIT: of the control; FAILED: steps
   * became too small, or a state has no finite forces */
  SsOutcome outcome;
  double t;                          /* how long it took [s]                                             */
  double vn[2], vt[2];               /* at the end, A and B [m/s]                                        */
  double impulse_n[2], impulse_t[2]; /* [N s]                                                            */
  /* integrals of d vn^2 while pressing, of -lambda_t vt, and what springs took up and did not give back [J]: together
   * the work that the contacts took */
  double damper_loss[2], friction_loss[2], spring_work[2];
  double energy_before, energy_after; /* kinetic and potential [J]                                        */
  /* of the impulse of the contact that touched first, what it had when the other touched first, 0..1 (NaN: that never
   * happened) */
  double share_before_second;
  int n_steps, n_rejected, n_switches; /* of the method: switches are changes of piece                     */
  char message[384];                   /* why not COMPLETED, or ""                                         */
} SsCompliantResult;

/* One run. `velocity` (3 n_bodies, at the end) may be NULL. SS_ERR_INVALID: the case cannot be set up (a stiffness is
 * not positive, the turned body is tied to one that does not move, raising it takes more energy than there is). */
SS_NODISCARD SsStatus ss_compliant_run (SsCompliant *study, const SsCompliantCase *what, SsRunControl *control,
                                        SsCompliantResult *result, double *velocity, SsError *err);

typedef enum { SS_COMPLIANT_RATIO, SS_COMPLIANT_ANGLE } SsCompliantSweep;

enum { SS_COMPLIANT_COLUMNS = 16 };
/* Name of a column of a sweep's table, as "vn_floor-block.1". */
void ss_compliant_column (const SsCompliant *study, SsCompliantSweep sweep, int column, char *name, size_t size);
/* Number of a sweep's cases, the option `cases`. */
int ss_compliant_n_cases (const SsCompliant *study);
/* Runs the cases, evenly spaced, x from -`decades` to `decades` or the angle from -`angle` to `angle`, into rows
 * (n_cases x SS_COMPLIANT_COLUMNS, row-major). Cancelled: *n_done rows are written and *outcome says so. A case that
 * does not end has `completed` 0 in its row and does not stop the others: *outcome is then STALLED, otherwise
 * COMPLETED. */
SS_NODISCARD SsStatus ss_compliant_sweep (SsCompliant *study, SsCompliantSweep sweep, SsRunControl *control,
                                          double *rows, int *n_done, SsOutcome *outcome, SsError *err);
