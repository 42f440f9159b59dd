/* engine/solve/ss-run-replayed.c: see ss-run-replayed.h. */
#include "solve/ss-run-replayed.h"

#include "core/ss-memory.h"
#include "transcribe/ss-transcriptions.h"
#include "simulate/ss-replay.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const SsTranscriptionClass *
class_of (const SsTranscribeOptions *transcription)
{
  return transcription->class_ != NULL ? transcription->class_ : ss_transcription_at (0);
}

bool
ss_run_has_replay (const SsTranscribeOptions *transcription)
{
  SS_ASSERT (transcription != NULL);
  const SsTranscriptionClass *class_ = class_of (transcription);

  return class_->law.integrator != NULL && class_->replay_step != NULL;
}

void
ss_plan_replay_clear (SsPlanReplay *replay)
{
  SS_ASSERT (replay != NULL);
  ss_trajectory_free (replay->motion);
  *replay = (SsPlanReplay){0};
}

bool
ss_run_find_replay (const SsTrajectory *plan, const SsIntegratorClass **integrator, double *step)
{
  SS_ASSERT (plan != NULL && integrator != NULL && step != NULL);

  for (int i = 0; i < ss_transcription_count (); i++) {
    const SsTranscriptionClass *class_ = ss_transcription_at (i);

    *integrator = class_->law.integrator;
    *step = class_->replay_step != NULL ? class_->replay_step (plan) : NAN;
    if (isfinite (*step) && *step > 0)
      return true;
  }
  return false;
}

static SsStatus
judge_replay (const SsScenario *scenario, const SsTrajectory *plan, const SsSimResult *simulated, SsPlanReplay *out,
              SsError *err)
{
  SsReplayDistance distance;
  SsPlanValue value;
  SsStatus status = ss_plan_value (scenario, simulated->trajectory, simulated->stages, &value, err);

  if (status == SS_OK)
    status = ss_replay_compare (scenario->scene, plan, simulated->trajectory, &distance, NULL, err);
  if (status != SS_OK)
    return status;
  out->objective = value.objective;
  out->way = value.way;
  out->way_t = value.t;
  memcpy (out->way_what, value.what, sizeof out->way_what);
  out->end_distance = distance.at_end;
  return SS_OK;
}

SsStatus
ss_run_replay_plan (const SsScenario *scenario, const SsTranscribeOptions *transcription, const SsTrajectory *plan,
                    SsRunControl *control, SsPlanReplay *out, SsError *err)
{
  SS_ASSERT (scenario != NULL && scenario->task.plan != NULL && plan != NULL && out != NULL);
  SS_ASSERT (ss_run_has_replay (transcription));

  const SsIntegratorClass *integrator = class_of (transcription)->law.integrator;
  SsRunControl silent;
  SsProgressFunc progress = control != NULL ? control->progress : NULL;
  SsReplay *replay = NULL;
  SsSimResult simulated = {0};
  void *options = NULL;
  const double step = class_of (transcription)->replay_step (plan);
  SsStatus status = SS_OK;

  *out = (SsPlanReplay){.outcome = SS_OUTCOME_FAILED, .objective = NAN, .end_distance = NAN, .way = NAN, .way_t = NAN};
  if (!(isfinite (step) && step > 0))
    status = ss_error_set (err, SS_ERR_INVALID, "the motion is no plan of the transcription %s",
                           class_of (transcription)->name);
  if (status == SS_OK)
    status = ss_replay_new (scenario->scene, plan, &replay, err);
  if (status == SS_OK && (options = ss_alloc (1, integrator->options->size + 1)) == NULL)
    status = ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  if (status != SS_OK)
    goto done;
  ss_options_init (integrator->options, options);
  if (control == NULL) {
    ss_run_control_init (&silent);
    control = &silent;
  }
  control->progress = NULL;
  status = ss_simulate_job (&(SsSimJob){.scene = ss_replay_scene (replay),
                                        .integrator = integrator,
                                        .options = options,
                                        .controls = ss_replay_controls (replay),
                                        .dt = step,
                                        .t_end = ss_replay_t_end (replay)},
                            control, &simulated, err);
  control->progress = progress;
  if (status != SS_OK)
    goto done;
  out->outcome = simulated.outcome;
  snprintf (out->message, sizeof out->message, "%.150s", simulated.message);
  if (simulated.outcome == SS_OUTCOME_COMPLETED && simulated.stages != NULL)
    status = judge_replay (scenario, plan, &simulated, out, err);
  out->motion = simulated.trajectory;
  simulated.trajectory = NULL;
  if (status != SS_OK)
    ss_plan_replay_clear (out);

done:
  ss_sim_result_clear (&simulated);
  ss_replay_free (replay);
  ss_free (options);
  return status;
}
