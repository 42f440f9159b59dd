/* engine/plan/ss-sampled-motion.h: motions of a scene that come near the goal of its plan, found by simulation: they
 * obey the law, so nothing tunnels, jumps or acts at a distance, and a plan that starts from one has its contacts.
 * Private to the room `plan`.
 *
 * Every sample is a simulation in the steps of the plan by stewart-trinkle with gap=end, whose law the plan's is, with
 * controls within the limits of the actuators. Two families, after predictive sampling (Howell et al. 2022, MuJoCo
 * MPC):
 *   glides   bodies that forces drive along an axis follow smooth ways, by proportional-derivative feedback with their
 *            weight compensated: the way that the nearest target asks for, plus the gap to what it drives, with
 *            amplitude, duration and start drawn; another glide after it, back or aside
 *   splines  controls linear between a few knots, of all actuators
 * The first half of the samples is drawn freely; the others are the best so far, moved by less and less. A sample costs
 * the squared distance of what has a target from it, in units of the distance at the start (angles of 1 rad, speeds of
 * 1 m/s), summed over the targets.
 * Exact  samples are motions by fesd-j instead, whose impacts have restitution: a judge asks for them (is_exact).
 * While searching the integrator settles less at the end of its steps; the motion that is kept is simulated in full.
 *
 * Threads: any. Tests: tests/numeric/test-race.c
 */
#pragma once

#include "core/ss-run-control.h"
#include "core/ss-trajectory.h"
#include "scene/ss-scenario.h"

typedef struct {
  SsTrajectory *trajectory; /* owned: the best motion, with its controls and contact forces */
  double cost;              /* [-] */
  double miss;              /* largest distance of a body from its target's position [m] */
  int n_samples;            /* that were simulated */
} SsSampledMotion;

/* Asked of the best motion so far, in its thread, when it costs less than SS_SAMPLED_NEAR and than a quarter of the
 * last one that was asked about, and of the last one in any case: whether it is good enough to end the search. */
#define SS_SAMPLED_NEAR 1e-2
typedef struct {
  bool is_exact;
  SsStatus (*is_enough) (void *user_data, const SsTrajectory *motion, bool *is, SsError *err);
  void *user_data;
} SsSampleJudge;

/* judge: NULL: none. The same motion for the same seed unless it is told to stop. SS_ERR_MEMORY, SS_ERR_INVALID (the
 * scene cannot be simulated at all). */
SS_NODISCARD SsStatus ss_sample_motion (const SsScenario *scenario, uint64_t seed, const SsSampleJudge *judge,
                                        SsRunControl *control, SsSampledMotion *out, SsError *err);
void ss_sampled_motion_clear (SsSampledMotion *motion);
