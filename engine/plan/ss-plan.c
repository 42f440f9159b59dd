/* engine/plan/ss-plan.c: see the header. */
#include "plan/ss-plan.h"

#include "core/ss-work.h"
#include "plan/ss-plan-solve.h"
#include "plan/ss-race.h"
#include "solve/ss-run-judge.h"
#include "plan/ss-plan-lazy.h"
#include "transcribe/ss-transcriptions.h"

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
  if (!races && !is_lazy)
    return ss_plan_solve (job, control, result, err);
  status = plan_in_parts (job, races, control, result, err);
  if (status == SS_OK)
    status = ss_solve_close (job, started, work, control, result, err);
  if (status != SS_OK)
    ss_run_result_clear (result);
  return status;
}
