/* engine/plan/ss-shoot-steps.c: see the header. */
#include "plan/ss-shoot-steps.h"

#include "core/ss-memory.h"
#include "core/ss-relay.h"
#include "simulate/ss-replay.h"
#include "solve/ss-run-judge.h"
#include "transcribe/ss-fesd-fixed.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Of the largest control: a smaller one is none. */
static const double no_control = 1e-4;

/* Controls of the steps as those of intervals: means of the steps but for the first one of each, in which a formula of
 * the task, zero at its first point alone, does not bind a control that it does later. Far below the largest they are
 * none. */
static SsStatus
hold_controls (const SsScene *scene, const SsPlan *plan, const SsTrajectory *stepped, double *held, SsError *err)
{
  const int n = scene->n_actuators, rows = (stepped->n_rows - 1) / plan->steps, parts = rows > 1 ? rows : 1,
            first = parts > 1;
  SsReplay *replay = NULL;
  SsStatus status = ss_replay_new (scene, stepped, &replay, err);

  if (status != SS_OK)
    return status;
  const SsControls *steps = ss_replay_controls (replay);
  for (int a = 0; a < n; a++) {
    double largest = 0;

    for (int i = 0; i < plan->steps; i++) {
      held[i * n + a] = 0;
      for (int k = first; k < parts; k++)
        held[i * n + a] +=
            ss_controls_at (steps, (i + (k + 0.5) / parts) * plan->horizon / plan->steps)[a] / (parts - first);
      largest = fmax (largest, fabs (held[i * n + a]));
    }
    for (int i = 0; i < plan->steps; i++)
      if (fabs (held[i * n + a]) <= no_control * largest)
        held[i * n + a] = 0;
  }
  ss_replay_free (replay);
  return SS_OK;
}

SsStatus
ss_controls_of_motion (const SsScene *scene, const SsPlan *plan, const SsTrajectory *motion, double *controls,
                       SsError *err)
{
  SS_ASSERT (plan != NULL && plan->steps >= 0);

  SsReplay *replay = NULL;
  const SsStatus status = ss_replay_new (scene, motion, &replay, err);

  for (int i = 0; i < plan->steps && status == SS_OK; i++)
    for (int a = 0; a < scene->n_actuators; a++)
      controls[i * scene->n_actuators + a] =
          ss_controls_at (ss_replay_controls (replay), (i + 0.5) * plan->horizon / plan->steps)[a];
  ss_replay_free (replay);
  return status;
}

SsStatus
ss_shoot_steps (const SsScenario *scenario, const SsPlan *plan, const SsTrajectory *stepped, int round, double near,
                SsRunControl *control, SsExactShot *out, SsError *err)
{
  SS_ASSERT (scenario != NULL && scenario->n_parameters >= 0 && plan != NULL && plan->steps >= 0 && out != NULL);

  const size_t n = (size_t)plan->steps * (size_t)scenario->scene->n_actuators;
  double *held = ss_new_array (double, n + 1);
  SsStatus status = SS_ERR_MEMORY;

  *out = (SsExactShot){.miss = INFINITY, .off = INFINITY, .way = INFINITY};
  if (held == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  status = hold_controls (scenario->scene, plan, stepped, held, err);
  if (status == SS_OK)
    status = ss_shoot_exactly (scenario, stepped, held, plan->steps, round, near, control, out, err);
  ss_free (held);
  return status;
}

/* The motion with a channel more, which says at what steps it is replayed. */
static SsStatus
tell_step (SsTrajectory **motion, double step, SsError *err)
{
  SsTrajectory *from = *motion, *to = NULL;
  const int n = from->n_channels;
  SsChannel *channels = ss_new_array (SsChannel, n + 1);
  double *row = ss_new_array (double, n + 1);
  SsStatus status = channels != NULL && row != NULL ? SS_OK : ss_error_set (err, SS_ERR_MEMORY, "out of memory");

  if (status == SS_OK) {
    memcpy (channels, from->channels, (size_t)n * sizeof *channels);
    channels[n] = ss_channel_named (SS_FESD_STEP_CHANNEL);
    status = ss_trajectory_new (channels, n + 1, from->n_rows, &to, err);
  }
  for (int k = 0; k < from->n_rows && status == SS_OK; k++) {
    memcpy (row, ss_trajectory_row (from, k), (size_t)n * sizeof *row);
    row[n] = step;
    status = ss_trajectory_append (to, row, err);
  }
  if (status == SS_OK) {
    ss_trajectory_free (from);
    *motion = to;
  } else
    ss_trajectory_free (to);
  ss_free (channels);
  ss_free (row);
  return status;
}

SsStatus
ss_shot_judge (const SsScenario *scenario, const SsTranscribeOptions *transcription, const char *start,
               SsExactShot *shot, SsRunControl *control, SsRunResult *result, SsError *err)
{
  SS_ASSERT (shot != NULL && result != NULL);

  SsTriedControls *motion = &shot->motion;
  SsMetricSet *set = &result->metrics;
  SsSilence silence;

  ss_run_result_init (result);
  ss_silence_init (&silence, control);
  SsStatus status = tell_step (&motion->simulated.trajectory, shot->step, err);
  if (status == SS_OK)
    status = ss_run_add_answer (result, &motion->simulated.trajectory, err);
  if (status != SS_OK)
    return status;
  result->stages = motion->simulated.stages;
  motion->simulated.stages = NULL;
  result->outcome = SS_OUTCOME_SOLVED;
  snprintf (result->start, sizeof result->start, "%s", start);
  snprintf (result->message, sizeof result->message, "an exact motion under controls that lead it to the targets");
  ss_metric_set (set, SS_METRIC_OBJECTIVE, motion->value.objective);
  ss_metric_set (set, SS_METRIC_MAX_VIOLATION, shot->miss);
  ss_metric_set (set, SS_METRIC_REPLAYED_END_DISTANCE, shot->off);
  ss_metric_set (set, SS_METRIC_REPLAYED_PATH_VIOLATION, motion->value.way);
  return ss_run_judge_plan (scenario, transcription, &silence.inner, result, err);
}
