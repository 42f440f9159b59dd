/* engine/plan/ss-plan.c: see the header. */
#include "plan/ss-plan.h"

#include "core/ss-relay.h"
#include "core/ss-work.h"
#include "plan/ss-exact-finish.h"
#include "plan/ss-plan-solve.h"
#include "plan/ss-plan-starts.h"
#include "plan/ss-race.h"
#include "solve/ss-run-judge.h"
#include "plan/ss-plan-lazy.h"
#include "transcribe/ss-fesd-j.h"
#include "transcribe/ss-transcriptions.h"

#include <math.h>
#include <stdio.h>

/* CPU time that the exact plan may take beside that of the race, and the least rest of a limit that is worth it [s]. */
static const double FINISH_SECONDS = 2, FINISH_LEAST = 0.05;

/* The exact plan is a solution of its own beside the answer. Takes its result. */
static SsStatus
keep_exact (SsExactFinish *finish, SsRunResult *result, SsError *err)
{
  SsMetricSet *set = &result->metrics;

  ss_metric_set (set, SS_METRIC_EXACT_FOUND, finish->is_found);
  ss_metric_set (set, SS_METRIC_EXACT_CPU_SECONDS, finish->cpu);
  snprintf (result->exact_reason, sizeof result->exact_reason, "%s", finish->reason);
  if (!finish->is_found)
    return SS_OK;
  ss_metric_set (set, SS_METRIC_EXACT_OBJECTIVE, ss_metric_get (&finish->result.metrics, SS_METRIC_OBJECTIVE));
  ss_metric_set (set, SS_METRIC_EXACT_END_DISTANCE, finish->end_distance);
  const SsStatus status = ss_run_keep_solution (&finish->result, result, err);
  if (status == SS_OK)
    result->exact_solution = result->n_solutions;
  return status;
}

/* The answer of a race is told, so that nothing loses it, and made exact. */
static SsStatus
finish_exactly (const SsSolveJob *job, SsRunControl *control, SsRunResult *result, SsError *err)
{
  const double left = control != NULL ? control->cpu_limit - ss_run_control_cpu (control) : INFINITY,
               seconds = fmin (FINISH_SECONDS, left);
  SsExactFinish finish;
  SsOutcome why;
  char text[320];

  if (result->outcome != SS_OUTCOME_SOLVED)
    return SS_OK;
  ss_run_control_emit_answer (control, result);
  if (ss_run_control_should_stop (control, &why) || seconds < FINISH_LEAST) {
    ss_metric_set (&result->metrics, SS_METRIC_EXACT_FOUND, false);
    snprintf (result->exact_reason, sizeof result->exact_reason, "the run's limits left no time for it");
    return SS_OK;
  }
  SsStatus status = ss_exact_finish (job, ss_run_motion (result), seconds, control, &finish, err);
  if (status == SS_OK)
    status = keep_exact (&finish, result, err);
  ss_exact_finish_clear (&finish);
  if (status != SS_OK)
    return status;
  if (finish.is_found)
    snprintf (text, sizeof text, "made exact in %.2g s: cost %.6g, replay within %.1g m", finish.cpu,
              ss_metric_get (&result->metrics, SS_METRIC_EXACT_OBJECTIVE), finish.end_distance);
  else
    snprintf (text, sizeof text, "not made exact: %s", finish.reason);
  ss_run_append_text (result->message, sizeof result->message, text);
  return SS_OK;
}

static bool
is_finished (const SsSolveJob *job)
{
  SsAutoOptions options;

  if (job->options != NULL)
    options = *(const SsAutoOptions *)job->options;
  else
    ss_options_init (ss_nlp_auto.options, &options);
  return options.finish == SS_AUTO_FINISH_EXACT;
}

/* A run that has parts is looked at as a whole before them. */
static SsStatus
plan_in_parts (const SsSolveJob *job, bool races, SsRunControl *control, SsRunResult *result, SsError *err)
{
  SsSolveJob part = *job;
  SsStatus status = SS_OK;

  part.is_part = true;
  if (!job->is_part)
    status = ss_solve_look_at_whole (job, control, result, err);
  if (status != SS_OK || result->outcome == SS_OUTCOME_UNBOUNDED)
    return status;
  return races ? ss_plan_race (&part, control, result, err) : ss_plan_lazily (&part, NULL, control, NULL, result, err);
}

/* ---- cheap motions first ----------------------------------------------------------------------------------------- */

/* Plans in time steps that lead to others: at most so many; CPU time that they may take [s], and part of a limit. */
enum { LEADS_MOST = 4 };
static const double LEAD_SECONDS = 10, LEAD_PART = 1.0 / 3;

static bool
is_led (const SsSolveJob *job)
{
  const SsFesdOptions *options = ss_transcription_fesd_options (&job->transcription);

  return options != NULL && options->first == SS_FESD_FIRST_STEPS && options->modes == SS_FESD_MODES_FREE &&
         !job->is_part && job->start == NULL && job->x0 == NULL && !job->takes_start && job->scenario->scene != NULL &&
         job->scenario->scene->n_actuators > 0 && ss_plan_has_hard_targets (job->scenario->task.plan);
}

/* The plan in time steps, by a race in this process. */
static SsStatus
race_in_steps (const SsSolveJob *job, SsRunControl *control, SsRunResult *steps, SsError *err)
{
  SsSolveJob race = {.scenario = job->scenario, .nlp = &ss_nlp_auto, .is_part = true};
  const double left = control != NULL ? control->cpu_limit - ss_run_control_cpu (control) : INFINITY,
               wall = control != NULL ? control->deadline - ss_clock_wall () : INFINITY;
  SsAutoOptions options;
  SsSilence silence;

  ss_options_init (ss_nlp_auto.options, &options);
  options.budget = fmin (LEAD_SECONDS, LEAD_PART * left);
  options.refine = 0;
  options.held = 0;
  race.options = &options;
  race.transcription = (SsTranscribeOptions){
      .class_ = &ss_transcription_time_stepping, .dt = job->transcription.dt, .t_end = job->transcription.t_end};
  ss_silence_init (&silence, control);
  if (isfinite (wall))
    silence.inner.deadline = ss_clock_wall () + LEAD_PART * wall;
  if (!(options.budget > 0))
    return SS_OK;
  SsStatus status = ss_plan_race (&race, &silence.inner, steps, err);
  if (status == SS_ERR_INVALID) { /* time stepping does not know the scene */
    *err = (SsError){0};
    status = SS_OK;
  } else if (status == SS_OK && control != NULL)
    ss_run_control_log (control, SS_LOG_INFO, "plan in time steps: %s", steps->message);
  return status;
}

/* Plans in time steps, then simulated motions, lead; then the method. */
static SsStatus
plan_led (const SsSolveJob *job, SsRunControl *control, SsRunResult *result, SsError *err)
{
  const SsTrajectory *motions[LEADS_MOST];
  SsRunResult steps;
  int n = 0;
  SsStatus status = ss_solve_look_at_whole (job, control, result, err);

  if (status != SS_OK)
    return status;
  if (result->outcome == SS_OUTCOME_UNBOUNDED) { /* as the method alone will find */
    ss_run_result_clear (result);
    return ss_plan_solve (job, control, result, err);
  }
  ss_run_result_init (&steps);
  status = race_in_steps (job, control, &steps, err);
  if (status == SS_OK && ss_run_motion (&steps) != NULL)
    motions[n++] = ss_run_motion (&steps);
  for (int i = 0; i < steps.n_motions && status == SS_OK && n < LEADS_MOST; i++)
    if (steps.motions[i].role == SS_MOTION_SOLUTION)
      motions[n++] = steps.motions[i].trajectory;
  if (status == SS_OK)
    status = ss_plan_solve_led (job, motions, n, control, result, err);
  ss_run_result_clear (&steps);
  return status;
}

SsStatus
ss_plan (const SsSolveJob *job, SsRunControl *control, SsRunResult *result, SsError *err)
{
  SS_ASSERT (job != NULL && job->scenario != NULL && job->nlp != NULL && result != NULL);

  const double started = ss_clock_wall (), work = ss_work_thread ();
  const bool races = ss_plan_races (job),
             is_lazy = job->scenario->model == NULL && job->transcription.contacts == SS_PLAN_CONTACTS_LAZY;

  ss_run_result_init (result);
  SsStatus status = ss_solve_check (job->scenario, job->nlp->name, err);
  if (status != SS_OK)
    return status;
  if (job->scenario->scene != NULL && !job->is_part) {
    const SsTranscriptionClass *class_ =
        job->transcription.class_ != NULL ? job->transcription.class_ : ss_transcription_at (0);
    ss_run_warn_of_ignored (job->scenario->scene, class_->name, class_->uses, control);
  }
  if (!races && !is_lazy && is_led (job))
    return plan_led (job, control, result, err);
  if (!races && !is_lazy)
    return ss_plan_solve (job, control, result, err);
  status = plan_in_parts (job, races, control, result, err);
  if (status == SS_OK)
    status = ss_solve_close (job, started, work, control, result, err);
  if (status == SS_OK && races && !job->is_part && is_finished (job))
    status = finish_exactly (job, control, result, err);
  if (status != SS_OK)
    ss_run_result_clear (result);
  return status;
}
