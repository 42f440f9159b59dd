/* engine/plan/ss-exact-finish.c: see the header. */
#include "plan/ss-exact-finish.h"

#include "core/ss-relay.h"
#include "plan/ss-plan-solve.h"
#include "plan/ss-shoot-steps.h"
#include "solve/ss-run-judge.h"
#include "transcribe/ss-transcriptions.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Stages of an element; what one smooth problem may take, and how many there are of one sequence. */
enum { STAGES = 3, ITERATIONS = 150, SOLVES = 12 };
/* Of shooting at each answer. */
enum { ROUNDS = 20 };
/* Of the replay at its end, of what is asked of it: an answer that is stored and read again is within all of it. */
static const double near_part = 0.5;
/* Weight of the distance from the steps, beside costs of about 1: an exact plan is asked for, a cheaper one would be
 * other contacts. */
static const double near = 10;
/* Of the time: left for sequences by shooting. */
static const double SEQUENCES_PART = 0.25;

typedef struct {
  const SsSolveJob *job;
  SsTranscribeOptions transcription; /* fesd-j, with options */
  SsFesdOptions fesd;
  SsPlan plan; /* the intervals of the steps */
  const SsTrajectory *stepped;
  SsSilence silence;
  SsExactFinish *out;
} Finish;

static bool
is_over (Finish *f)
{
  SsOutcome why;

  return ss_run_control_should_stop (f->silence.outer, &why) || ss_run_control_should_stop (&f->silence.inner, &why);
}

/* Polishes a sequence; an exact plan becomes the answer. `name`: of the sequence, for the reason. */
static SsStatus
try_sequence (Finish *f, const char *name, const SsFesdSequence *sequence, SsError *err)
{
  SsExactFinish *out = f->out;
  const SsPolishOptions options = {.stages = STAGES,
                                   .elements = 1,
                                   .max_iterations = ITERATIONS,
                                   .max_solves = SOLVES,
                                   .near = near,
                                   .distance = near_part * SS_EXACT_NEAR};
  SsPolished polished;
  SsStatus status =
      ss_polish (f->job->scenario, &f->transcription, sequence, &options, &f->silence.inner, &polished, err);

  if (f->silence.outer != NULL)
    ss_run_control_log (f->silence.outer, SS_LOG_INFO,
                        "exact finish by %s: %d smooth problems, objective %.9g, replay %.2g m off: %s", name,
                        polished.n_solves, polished.metrics.objective, polished.end_distance, polished.message);
  if (status == SS_OK && polished.is_solved && polished.end_distance <= SS_EXACT_NEAR) {
    SsSolveJob own = *f->job;

    own.transcription = f->transcription;
    snprintf (polished.start, sizeof polished.start, "Exact Finish");
    ss_run_result_clear (&out->result);
    status = ss_plan_judge_polished (&own, &polished, f->silence.outer, &out->result, err);
    out->is_found = status == SS_OK && out->result.outcome == SS_OUTCOME_SOLVED;
    out->end_distance = polished.end_distance;
    if (status == SS_OK && !out->is_found)
      snprintf (out->reason, sizeof out->reason, "%.239s", out->result.message);
  } else if (status == SS_OK && out->reason[0] == '\0') {
    if (is_over (f))
      snprintf (out->reason, sizeof out->reason, "its CPU time ended");
    else if (!polished.is_solved)
      snprintf (out->reason, sizeof out->reason, "no exact motion was found with the contacts of %s", name);
    else if (!polished.replay.is_complete)
      snprintf (out->reason, sizeof out->reason, "the replay of the exact plan ended early");
    else
      snprintf (out->reason, sizeof out->reason, "the replay of the exact plan ends %.2g m from it",
                polished.end_distance);
  }
  ss_polished_clear (&polished);
  return status;
}

/* The sequence of the steps. */
static SsStatus
try_steps (Finish *f, SsFesdSequence **sequence, SsError *err)
{
  SsStatus status = ss_fesd_sequence_from_steps (f->job->scenario, &f->transcription, f->stepped, sequence, err);

  if (status == SS_OK)
    status = try_sequence (f, "the steps", *sequence, err);
  return status;
}

/* The sequence of the motion that the steps' controls give. */
static SsStatus
try_motion (Finish *f, const SsFesdSequence *steps, SsError *err)
{
  enum { TRIED_STEPS = 1 };
  SsFesdSequence *sequence = NULL;
  SsTriedControls tried;
  SsStatus status =
      ss_try_controls (f->job->scenario, &f->plan, steps->controls, TRIED_STEPS, NULL, &f->silence.inner, &tried, err);

  if (status == SS_OK && tried.is_complete)
    status = ss_fesd_sequence_from_motion (f->job->scenario, &f->transcription, tried.simulated.trajectory,
                                           tried.simulated.stages, steps->controls, &sequence, err);
  ss_tried_controls_clear (&tried);
  if (status == SS_OK && sequence != NULL)
    status = try_sequence (f, "their replay", sequence, err);
  ss_fesd_sequence_free (sequence);
  return status;
}

/* ---- shooting ---------------------------------------------------------------------------------------------------- */

/* The shot motion becomes the answer. */
static SsStatus
take_shot (Finish *f, SsExactShot *shot, SsError *err)
{
  SsExactFinish *out = f->out;
  SsStatus status =
      ss_shot_judge (f->job->scenario, &f->transcription, "Exact Finish", shot, f->silence.outer, &out->result, err);

  out->is_found = status == SS_OK && out->result.outcome == SS_OUTCOME_SOLVED;
  out->end_distance = shot->off;
  if (status == SS_OK && !out->is_found)
    snprintf (out->reason, sizeof out->reason, "%.239s", out->result.message);
  return status;
}

/* Controls near the steps' that lead an exact motion to the targets, for so many seconds at most. */
static SsStatus
try_shot (Finish *f, int round, double seconds, SsError *err)
{
  const double distance = near_part * SS_EXACT_NEAR;
  SsExactShot shot;
  SsSilence silence;

  ss_silence_init (&silence, f->silence.outer);
  ss_run_control_limit_cpu (&silence.inner, seconds);
  SsStatus status =
      ss_shoot_steps (f->job->scenario, &f->plan, f->stepped, round, distance, &silence.inner, &shot, err);

  if (status == SS_OK && f->silence.outer != NULL)
    ss_run_control_log (f->silence.outer, SS_LOG_INFO,
                        "exact finish by shooting: targets missed by %.2g, replay %.2g m off, path left by %.2g",
                        shot.miss, shot.off, shot.way);
  if (status == SS_OK && ss_shot_is_exact (&shot, distance))
    status = take_shot (f, &shot, err);
  ss_tried_controls_clear (&shot.motion);
  return status;
}

static void
set_up (Finish *f, const SsTrajectory *stepped)
{
  const double t0 = ss_trajectory_row (stepped, 0)[0], t1 = ss_trajectory_row (stepped, stepped->n_rows - 1)[0];
  const int n = stepped->n_rows - 1, own = f->job->scenario->task.plan->steps;

  ss_options_init (ss_transcription_fesd_j.options, &f->fesd);
  f->stepped = stepped;
  f->plan = *f->job->scenario->task.plan;
  f->plan.horizon = t1 - t0;
  f->plan.steps = own > 0 && n % own == 0 ? own : n; /* a plan of halved steps has many */
  f->fesd.stages = STAGES;
  f->fesd.modes = SS_FESD_MODES_START;
  f->transcription.class_ = &ss_transcription_fesd_j;
  f->transcription.own = &f->fesd;
  f->transcription.t_end = t1 - t0;
  f->transcription.dt = (t1 - t0) / f->plan.steps;
}

/* Sequences of modes of the first answer. */
static SsStatus
try_sequences (Finish *f, const SsTrajectory *answer, SsError *err)
{
  SsFesdSequence *steps = NULL;

  set_up (f, answer);
  SsStatus status = try_steps (f, &steps, err);
  if (status == SS_OK && !f->out->is_found && !is_over (f))
    status = try_motion (f, steps, err);
  ss_fesd_sequence_free (steps);
  return status;
}

SsStatus
ss_exact_finish (const SsSolveJob *job, const SsTrajectory *const *answers, int n, double seconds,
                 SsRunControl *control, SsExactFinish *out, SsError *err)
{
  Finish f = {.job = job, .out = out};
  const double begun = ss_clock_thread_cpu ();
  SsStatus status = SS_OK;

  *out = (SsExactFinish){.end_distance = NAN};
  ss_run_result_init (&out->result);
  if (n < 1 || answers[0] == NULL || answers[0]->n_rows < 2) {
    snprintf (out->reason, sizeof out->reason, "there is no motion to finish");
    return SS_OK;
  }
  ss_silence_init (&f.silence, control);
  ss_run_control_limit_cpu (&f.silence.inner, seconds);
  if (is_over (&f)) {
    snprintf (out->reason, sizeof out->reason, "the run was told to end");
    return SS_OK;
  }
  for (int i = 0; i < ROUNDS * n && status == SS_OK && !out->is_found; i++) {
    const double left = (1 - SEQUENCES_PART) * seconds - (ss_clock_thread_cpu () - begun);

    if (!(left > 0) || is_over (&f))
      break;
    out->from = i % n;
    set_up (&f, answers[i % n]);
    status = try_shot (&f, i / n, left, err);
  }
  if (status == SS_OK && !out->is_found && !is_over (&f)) {
    out->from = 0;
    status = try_sequences (&f, answers[0], err);
  }
  if (status == SS_ERR_INVALID) { /* fesd-j does not know the scene, or the modes lead to no problem */
    snprintf (out->reason, sizeof out->reason, "%.239s", err->message);
    *err = (SsError){0};
    status = SS_OK;
  }
  if (!out->is_found && out->reason[0] == '\0')
    snprintf (out->reason, sizeof out->reason, "its CPU time ended");
  if (out->is_found)
    out->reason[0] = '\0';
  else
    ss_run_result_clear (&out->result);
  out->cpu = ss_clock_thread_cpu () - begun;
  return status;
}

void
ss_exact_finish_clear (SsExactFinish *finish)
{
  SS_ASSERT (finish != NULL);
  ss_run_result_clear (&finish->result);
}
