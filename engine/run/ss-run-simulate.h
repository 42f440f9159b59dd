/* engine/run/ss-run-simulate.h: a simulation, or the replay of a plan's controls, with its record.
 *
 * Threads: one at a time. Tests: tests/unit/test-run.c, tests/unit/test-track-lqr.c
 */
#pragma once

#include "plan/ss-feedback.h"
#include "simulate/ss-events.h"
#include "solve/ss-run-result.h"

typedef struct SsIntegratorClass SsIntegratorClass;
typedef struct SsSimResult SsSimResult;

/* What a replay starts with beside its plan: a coordinate (0..5: x, y, theta, vx, vy, omega) of a body, moved. */
typedef struct {
  int body, coordinate;
  double by;
} SsDisturbance;

typedef struct {
  const SsScenario *scenario; /* borrowed; a scene */
  const SsIntegratorClass *integrator;
  const void *options; /* the integrator's options struct */
  double dt, t_end;    /* [s]; NaN: the scenario's        */
  /* A motion that the simulation goes on from, at its last time (simulate/ss-past.h); the record's motion has its rows
   * too, and the record's judgement and numbers are those of what goes on. Not with a plan, and not with derivatives;
   * borrowed, NULL: it begins with the scene */
  const SsTrajectory *past;
  /* What happened in it, of which what is up to its last time comes first in the record's events; subjects are those of
   * the scenario. Borrowed, NULL: not known, which is warned of */
  const SsEventList *past_events;
  /* A plan whose controls and initial state are replayed, by default at its own steps and to its end; NULL: none */
  const SsTrajectory *plan;
  /* The rest with `plan`. What holds the motion on it; NULL, or kind NONE: the plan's controls act as they are. The
   * scenario is then the world, and `believed` what the plan was made for; NULL: the same */
  const SsFeedbackOptions *feedback;
  const SsScenario *believed;
  double friction; /* of all contacts of the world, times what they have; 0: as it is */
  int n_disturbances;
  const SsDisturbance *disturbances;
  /* The plan is replayed in so many other worlds as well (plan/ss-plan-worlds.h), drawn about what it was made for; 0:
   * none. With a controller both as the controls are and held by it. */
  int worlds;
  uint64_t worlds_seed;
  int every; /* rows are kept of every so many steps (SsSimJob.every), the record is that of all; 0, 1: of all */
  /* Numbers of the scenario (scene/ss-number.h) by which derivatives of the motion are followed, into
   * SsRunResult.sensitivity; of a replay also by its controls (run/ss-run-sensitivity.h), without a controller. */
  const char *const *sensitivity;
  int n_sensitivity;
  /* Also one-sided ones where there are none (run/ss-run-sides.h), up to six runs more a number; not of a replay. */
  bool wants_sides;
  const struct SsContactWatch *contacts; /* SsSimJob.contacts; borrowed; NULL: nobody */
  /* Who sees all rows of this simulation beside the judge (SsSimJob.watch), where that does (the result has every > 1
   * only then); not those of what it goes on from. Borrowed; NULL: nobody */
  const struct SsSimWatch *watch;
} SsSimulateJob;

/* `result` is initialised by the caller. `control` may be NULL. */
SS_NODISCARD SsStatus ss_run_simulate (const SsSimulateJob *job, SsRunControl *control, SsRunResult *result,
                                       SsError *err);
/* Whether a simulation can go on from its past; SS_ERR_INVALID, in words for a user, if it cannot: something asked of
 * it begins with the scene, its bodies or joints are others (simulate/ss-past.h), or the past ends at the horizon or
 * behind it. ss_run_simulate refuses what this refuses. */
SS_NODISCARD SsStatus ss_run_check_past (const SsSimulateJob *job, SsError *err);
/* What is known of a simulation that was left behind: its rows so far (*frames, NULL: none, taken), `steps` of them. */
SS_NODISCARD SsStatus ss_run_keep_frames (const SsSimulateJob *job, int steps, SsTrajectory **frames,
                                          SsRunResult *result, SsError *err);
/* The record of a simulation that was made elsewhere, with the metrics that ss_run would give its motion. Of
 * `simulated` the trajectory, stages and events are taken, also on failure, and set to NULL; metrics.steps is read.
 * `law`: that its contacts are to obey; NULL: not told. `result` is initialised here. */
SS_NODISCARD SsStatus ss_run_result_from_motion (const SsScene *scene, const SsMotionLaw *law, SsOutcome outcome,
                                                 SsSimResult *simulated, SsRunResult *result, SsError *err);

/* The fan of a simulation: takes its branches, also on failure (SS_ERR_MEMORY), as motions of role BRANCH beside the
 * answer, which the result has already. */
SS_NODISCARD SsStatus ss_run_take_fan (const SsScene *scene, SsSimResult *simulated, SsRunResult *result, SsError *err);
/* Judges the contacts of all branches beside the answer by the law: where one of them misses it by more, result->law is
 * that branch's, and so is the metric. Of stages, which branches have none, jumps and cones are looked at. */
SS_NODISCARD SsStatus ss_run_judge_fan (const SsScene *scene, const SsMotionLaw *law, SsRunControl *control,
                                        SsRunResult *result, SsError *err);
