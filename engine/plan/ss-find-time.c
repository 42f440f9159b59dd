/* engine/plan/ss-find-time.c: see the header. */
#include "plan/ss-find-time.h"

#include "plan/ss-stages.h"

#include <math.h>

/* Horizons that are tried [s], each twice the one before, in so many steps, and none longer than this [s]. */
static const double FIRST = 0.5, LONGEST_STEP = 0.04;
enum { SEEDS = 2, STEPS = 60 };
/* Added to the time of a motion; a body rests below this part of the greatest speed in it. */
static const double MORE = 1.1, RESTS = 0.05;

/* The time from which on nothing that has a target moves any more. */
static double
time_at_rest (const SsScenario *scenario, const SsTrajectory *motion)
{
  const SsPlan *plan = scenario->task.plan;
  double most = 0, last = 0;

  for (int pass = 0; pass < 2; pass++)
    for (int k = 0; k < motion->n_rows; k++) {
      const double *row = ss_trajectory_row (motion, k);

      for (int t = 0; t < plan->n_targets; t++) {
        const double *v = row + 4 + SS_BODY_CHANNELS * plan->targets[t].body; /* after t, x, y and theta */
        const double speed =
            fmax (hypot (v[0], v[1]), fabs (v[2]) * ss_body_radius (&scenario->scene->bodies[plan->targets[t].body]));

        if (pass == 0)
          most = fmax (most, speed);
        else if (speed > RESTS * most)
          last = row[0];
      }
    }
  return last;
}

/* Up, to two digits. */
static double
round_up (double x)
{
  const double unit = pow (10, floor (log10 (x)) - 1);

  return ceil (x / unit - 1e-9) * unit;
}

/* Whether simulated motions of so many steps come near, and when they rest then. */
static SsStatus
try_time (const SsScenario *scenario, double t_end, int steps, uint64_t seed, SsRunControl *control, bool *is_near,
          double *rests, SsError *err)
{
  SsScenario own = *scenario;
  SsPlan plan = *scenario->task.plan;
  SsSampledMotion motion;

  plan.horizon = plan.time_lower = plan.time_upper = t_end;
  plan.steps = steps;
  own.task.plan = &plan;
  *is_near = false;
  for (int i = 0; i < 2 * SEEDS && !*is_near; i++) {
    const bool in_stages = i < SEEDS;

    if (in_stages && !ss_stages_fit (&own))
      continue;
    const SsStatus status = in_stages ? ss_stages_motion (&own, seed + (uint64_t)i, NULL, control, &motion, err)
                                      : ss_sample_motion (&own, seed + (uint64_t)i, 1, NULL, control, &motion, err);

    if (status != SS_OK)
      return status;
    *is_near = motion.trajectory != NULL && motion.cost < SS_SAMPLED_NEAR;
    if (*is_near)
      *rests = time_at_rest (&own, motion.trajectory);
    ss_sampled_motion_clear (&motion);
  }
  return SS_OK;
}

SsStatus
ss_find_time_can (const SsScenario *scenario, SsError *err)
{
  SS_ASSERT (scenario != NULL && scenario->n_parameters >= 0);

  const SsPlan *plan = scenario->task.plan;
  const char *why = plan == NULL                    ? "it has no goal"
                    : plan->is_time_free            ? "the plan finds it, its time is free"
                    : scenario->scene->n_breaks > 0 ? "its steps have to end at breaks"
                                                    : NULL;

  return why == NULL ? SS_OK
                     : ss_error_set (err, SS_ERR_INVALID, "the time of '%s' cannot be found: %s", scenario->name, why);
}

SsStatus
ss_find_time (const SsScenario *scenario, uint64_t seed, SsRunControl *control, SsFoundTime *out, SsError *err)
{
  SsStatus status = ss_find_time_can (scenario, err);
  bool is_near = false;
  SsOutcome why;
  double rests = 0;

  *out = (SsFoundTime){0};
  for (double t_end = FIRST; t_end <= SS_FIND_TIME_LONGEST && status == SS_OK && !is_near; t_end *= 2) {
    if (ss_run_control_should_stop (control, &why))
      break;
    const int steps = (int)fmax (STEPS, ceil (t_end / LONGEST_STEP));

    status = try_time (scenario, t_end, steps, seed, control, &is_near, &rests, err);
    if (status == SS_OK && is_near)
      *out = (SsFoundTime){true, t_end, steps};
  }
  if (status != SS_OK || !out->is_found || !(rests > 0))
    return status;
  const double shorter = round_up (MORE * rests), h = out->t_end / out->steps;
  const int steps = 10 * (int)ceil (shorter / h / 10);
  if (shorter < out->t_end) {
    status = try_time (scenario, shorter, steps, seed, control, &is_near, &rests, err);
    if (status == SS_OK && is_near)
      *out = (SsFoundTime){true, shorter, steps};
  }
  return status;
}
