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
 * The first part of the samples is drawn freely; the others are the best so far, moved by less and less; of large
 * searches every other seed follows an evolution (plan/ss-evolution.h) from the best of a few, again and again. A
 * sample costs what it misses of the task (plan/ss-sampled-cost.h), a little of the objective, and as much as not
 * moving at all where a body passes through another (plan/ss-passing.h). Drives go to the nearest body that the task
 * speaks of, in some samples to another one, or to any that can move, as a tool, and move it about; they glide within
 * the bounds of their own body; in some all controls end before the motion does. While searching steps are rough
 * (simulate/ss-rough-step.h); the best ones are simulated in full, and searched about where that shows them to be
 * worse, and what is kept is a full simulation. Exact samples are motions by fesd-j instead, whose impacts have
 * restitution: a judge asks for them (is_exact).
 *
 * Threads: any. Tests: tests/numeric/test-race.c
 */
#pragma once

#include "core/ss-run-control.h"
#include "core/ss-trajectory.h"
#include "scene/ss-scenario.h"

typedef struct {
  SsTrajectory *trajectory; /* owned: the best motion, with its controls and contact forces */
  double cost;              /* what it misses [-] */
  double miss;              /* largest distance of a body from its target's position [m] */
  int n_samples;            /* that were simulated */
} SsSampledMotion;

/* Asked of the best motion so far, in its thread, when it misses less than SS_SAMPLED_NEAR and than a quarter of the
 * last one that was asked about, and of the last one in any case: whether it is good enough to end the search. */
#define SS_SAMPLED_NEAR 1e-2
typedef struct {
  bool is_exact;
  /* More than 1: what a sample misses is, beside its own, what the controls of its steps miss when they are held over
   * so many shorter steps, without feedback: a motion that goes another way there is none. */
  int parts;
  SsStatus (*is_enough) (void *user_data, const SsTrajectory *motion, bool *is, SsError *err);
  void *user_data;
} SsSampleJudge;

/* size: of the search, in its usual number of samples. judge: NULL: none. The same motion for the same seed unless it
 * is told to stop. SS_ERR_MEMORY, SS_ERR_INVALID (the scene cannot be simulated at all). */
SS_NODISCARD SsStatus ss_sample_motion (const SsScenario *scenario, uint64_t seed, double size,
                                        const SsSampleJudge *judge, SsRunControl *control, SsSampledMotion *out,
                                        SsError *err);
void ss_sampled_motion_clear (SsSampledMotion *motion);
