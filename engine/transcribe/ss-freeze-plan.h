/* engine/transcribe/ss-freeze-plan.h: the transcription `time-freezing`: plans in numerical time tau, in which impacts
 * are continuous motion.
 *
 * Source   paper 001, sec. 3 to 5, its misprints mended (theta: [001 (32)] with the factors of alpha_3 as in (25)).
 * Points   are finite elements as in ss-fesd-j.h, whose letters these are: `elements` for each of the plan's steps,
 *          the control intervals; lengths h in tau are variables, the left point has the state, the last point no
 *          element. `time` is physical time t, a state that stands still where time is frozen, `tau` the lengths' sum.
 * Law      of each contact c_1 = f, c_2 = n'v, c_3 = t'v, n and t its gradients. With s the speed of time of the
 *          interval, 1 <= s <= s-max, stages j obey Radau IIA for
 *              q' = s th v,   t' = s th
 *              v' = s M^-1 (th f(q, v, u, t) + sum_l a_n (th_1 (n - mu t) + th_2 (n + mu t)))
 *              th = product over contacts of (alpha_1 + alpha_2 - alpha_1 alpha_2)
 *              th_1 = (1 - alpha_1) (1 - alpha_2) alpha_3,   th_2 = (1 - alpha_1) (1 - alpha_2) (1 - alpha_3)
 *          (without friction th_1 = (1 - alpha_1) (1 - alpha_2) and no alpha_3), where alpha is the step function of c:
 *              c = lambda+ - lambda-,   0 <= lambda- _|_ alpha >= 0,   0 <= lambda+ _|_ 1 - alpha >= 0
 *          lift=on: th, th_1, th_2 are variables with these rows; off: products in the rows of the law.
 * Cross    C holds lambda at the end of the element before, and at its stages; D: alpha (1 - alpha) at its stages. What
 *          ends the element before stands at the left point too, `.lambda_minus_i`, by rows of that element with
 *          next(); the first point's are those of the start, max (-c, 0) and max (c, 0). cross=1..12 as for fesd-j.
 *          These products do not make the end of a jump a grid point (c_1 = 0 and alpha_1 is free there; the problem
 *          text, sec. 8.4): the polish does (plan/ss-plan-starts.h), where switches are equations.
 * Clocks   grid=numerical: intervals end at tau = k T / N; physical: their lengths in tau are free and s = 1, elements
 *          are at most s-max times as long. clock=stagewise: t = k T / N there; terminal: t = T at the end alone.
 *          speed=interval: s is constant in each interval; global: in all, which is refused with grid=numerical
 *          clock=stagewise, where intervals in flight and in contact would need different ones. u is constant by
 *          interval. With a free horizon T is a variable.
 * Cost     physical [001 (29)]: of an effort u^2 (t_end - t_0), of others h s sum_j b_j th_j L(x_j, u); numerical: h s
 *          sum_j b_j L, which counts time in contact 1/(dt/dtau) times and frozen time too: not what the plan is worth
 *          in time. Penalties of rho-s and step equilibration are no part of what is reported.
 * Task     bounds and path constraints as in ss-fesd-j.h, in tau; frozen-path=off: what velocities are in (constraints
 *          and bounds of velocities) is multiplied by th, so that it holds where time runs.
 * a_n      [N] by contact, the option's, or (0) max (g, v / h) / D with D the sum of the bodies' inverse masses, v the
 *          mean speed of the way to the targets and h the length of an interval: time in contact runs about half as
 *          fast under the weight, and jumps at that speed last about an interval.
 * Rows     of the trajectory: left point and end of every element. Where an element is frozen its end has the impulses,
 *          a_n s h sum b (th_1 + th_2); else forces are lambda_n = a_n (th_1 + th_2) / th [001 (18b) Thm 8].
 * Replay   by fesd-j, at a quarter of an element.
 * Joints   trees in joint coordinates (ss-transcribe-tree.h): balances are projected, dJ/dtau = s th dJ/dt.
 * Refused  restitution; joints that close loops, and limits of joints; contacts that are closed together at the start
 *          while their normals are skew (fesd/ss-freeze.h). A plan that closes such later is judged as not replayable.
 * Tests    tests/numeric/test-freeze-plan.c
 */
#pragma once

#include "transcribe/ss-transcribe.h"

/* ss-freeze-plan.c */
extern const SsTranscriptionClass ss_transcription_time_freezing;

/* a_n [N] of every contact of the scene that the plan of `source` would have with these options: that of its first gap;
 * INFINITY of contacts that it does not know. a_n[n_contacts of the scene]. */
SS_NODISCARD SsStatus ss_freeze_plan_a_n (const SsScenario *source, const SsTranscribeOptions *options, double *a_n,
                                          SsError *err);
