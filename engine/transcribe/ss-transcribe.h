/* engine/transcribe/ss-transcribe.h: from a scene and its task to a model in equations (and so to an MPCC): contact-implicit time stepping.
 *
 * The answer is a scenario with a `model`, so that the problem's assembly, metrics, optimisers, and files are those of hand-written models. Its variables have the names
 * of a simulation's channels, so that one view draws both.
 *
 * The law. Points k = 0..N, step k from point k to point k + 1, of length h (T / N, or variables). With q0, v0, u0 at the step's start and q1, v1 at its end
 *     M (v1 - v0) = h ( f(q0, v0, u0, t0) + Jn(q1)' ln + Jt(q1)' lt + G(q1)' lb + Gl(q1)' ll )
 *     q1 = q0 + h v1
 *     0 = phi_b(q1)                                                   joints closed at the end
 *     0 <= ln _|_ phi(q1) >= 0,   0 <= ll _|_ phi_l(q1) >= 0          gaps and limits at the end
 *     lt minimises lt Jt(q1) v1 for |lt| <= mu ln                     maximum dissipation
 * M and f are those of engine/dynamics (f at the step's start: gravity, springs, dampers, formula forces, actuators); phi, Jn, Jt are those of geometry/ss-gap-expr.h at q1, impulses act
 * at the end's contact points. This is stewart-trinkle with gap=end, where its steps are unique; its impulses are h times the forces here. Restitution is not used, as there.
 * Friction in the conditions of that minimum, s = Jt v1, sp and sp - s the multipliers of the two bounds:
 *     0 <= sp _|_ mu ln + lt >= 0,   0 <= sp - s _|_ mu ln - lt >= 0
 * so lt = -mu ln when sliding forward (sp = s > 0), lt = mu ln when sliding back (sp = 0), anything between when sticking. Two pairs instead of the usual three.
 * Rows of velocities are divided by the mass or inertia: they are in m/s and rad/s. Nothing is scaled otherwise: SI units.
 *
 * Variables at a point, in this order: per body <body>.x .y .theta .vx .vy .omega, without those that cannot change (bodies that are fixed, coordinates locked at rest; steadily moving
 * locked coordinates have a position but no velocity); time when steps are free; per gap <contact>.lambda_n [N], with friction .lambda_t [N] and .slip [m/s] (sp), for hulls .direction [rad]
 * and .weight_<i>; a candidate with several gaps (corners on a half-plane, several shapes) has <contact>.<i>.lambda_n ...; per joint <joint>.lambda_<i> [N or N m], per limit
 * <joint>.lambda_lower, .lambda_upper; u.<actuator>; h when steps are free. As in a simulation contact forces on row k are those of the step that ends there (0 at k = 0), u those of the step
 * that starts there (the last row repeats the one before).
 * Further channels of a trajectory: what is missing of the names above (constant coordinates, sums of a contact's forces), and <contact>.gap (the smallest).
 *
 * Joint coordinates (coordinates=joint). Pins, sliders and welds carry their second body, in the order of the file, as long as that makes trees and the body is free; other joints stay rows. A
 * carried body's pose is a function q(s) of its joint's coordinate <joint>.position [rad or m] (a further channel of the trajectory); its velocities stay variables, h v1 = q(s1) - q(s0), and
 * its balances are projected on what the joint leaves free, dq/ds(s1)' (M (v1 - v0) - h f) = 0. That is the law above with the joint's forces eliminated: M is not inverted, and
 * plans agree with the same replay.
 *
 * Path constraints and costs of scene formulas see the point's state, controls and time. Rows that read controls are not imposed at the last point (no step starts there), rows that
 * read none not at the first (it is given; one that is violated there is reported). SS_PLAN_ALL costs are sum h cost over k = 0..N-1.
 *
 * Ownership  the transcribed scenario is independent of its source.
 * Threads    one at a time.
 * Tests      tests/numeric/test-transcribe.c
 */
#pragma once

#include "core/ss-option.h"
#include "core/ss-trajectory.h"
#include "scene/ss-scenario.h"

typedef enum { SS_COORDINATES_ABSOLUTE, SS_COORDINATES_JOINT } SsCoordinates;

typedef struct {
  int coordinates; /* SsCoordinates */
  double
      dt; /* [s] > 0: length of the steps, as many as the horizon has (it must be a multiple); 0: the plan's           */
  double
      t_end; /* [s] > 0: the horizon, in steps of dt, or as near to the plan's length of steps as it allows; 0: the plan's */
  const SsTrajectory *
      start; /* borrowed during the call: the initial guess is this motion, by the names of its channels; NULL: the plan's */
} SsTranscribeOptions;

/* Options that every optimiser has for plans of scenes, besides its own (coordinates; the rest comes from elsewhere than option lists). */
extern const SsOptionTable ss_transcribe_option_table;

/* `source` must be a scene with a task->plan: SS_ERR_INVALID says what is missing or what the transcription does not know, with its name. `options` NULL: defaults. */
SS_NODISCARD SsStatus ss_transcribe (const SsScenario *source, const SsTranscribeOptions *options, SsScenario **out,
                                     SsError *err);

/* Which of the scene's contacts its plan does not know, and why, as text for people; false when there are none. */
bool ss_transcribe_left_out (const SsScenario *source, char *text, size_t size);
