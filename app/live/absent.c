/* app/live/absent.c: what pages do not have: plans and their controllers, what optimisers know where they are paused,
 * other worlds, the homotopy that integrators may ask, transcriptions. Nobody who simulates a scene calls most of it;
 * the homotopy alone is asked for, and a page's integrators ask nobody. */
#include "nlp/ss-nlp.h"
#include "plan/ss-feedback.h"
#include "plan/ss-plan-worlds.h"
#include "plan/ss-step-homotopy.h"
#include "transcribe/ss-transcriptions.h"

SsStatus
ss_step_homotopy_new (const SsScenario *scenario, const SsScene *scene, SsRunControl *control, SsStepHomotopy **out,
                      SsError *err)
{
  (void)scenario, (void)scene, (void)control, (void)err;
  *out = NULL;
  return SS_OK;
}

void
ss_step_homotopy_free (SsStepHomotopy *homotopy)
{
  (void)homotopy;
}

const SsProposer *
ss_step_homotopy_proposer (const SsStepHomotopy *homotopy)
{
  (void)homotopy;
  return NULL;
}

void
ss_step_homotopy_account (const SsStepHomotopy *homotopy, char *text, size_t size)
{
  (void)homotopy;
  if (size > 0)
    text[0] = '\0';
}

void
ss_nlp_state_clear (SsNlpState *state)
{
  *state = (SsNlpState){0};
}

SsStatus
ss_feedback_new (const SsScenario *believed, const SsTrajectory *plan, const SsFeedbackOptions *options,
                 SsRunControl *control, SsFeedback **out, SsError *err)
{
  (void)believed, (void)plan, (void)options, (void)control;
  *out = NULL;
  return ss_error_set (err, SS_ERR_ARG, "a page has no controllers");
}

void
ss_feedback_free (SsFeedback *feedback)
{
  (void)feedback;
}

const SsController *
ss_feedback_controller (SsFeedback *feedback)
{
  (void)feedback;
  return NULL;
}

void
ss_feedback_account (const SsFeedback *feedback, SsFeedbackAccount *account)
{
  (void)feedback;
  *account = (SsFeedbackAccount){0};
}

bool
ss_plan_worlds_can (const SsScenario *scenario)
{
  (void)scenario;
  return false;
}

SsStatus
ss_plan_worlds (const SsScenario *scenario, const SsTrajectory *plan, const SsWorldsOptions *options,
                SsRunControl *control, SsPlanWorlds *out, SsError *err)
{
  (void)scenario, (void)plan, (void)options, (void)control, (void)out;
  return ss_error_set (err, SS_ERR_ARG, "a page has no other worlds");
}

void
ss_plan_worlds_clear (SsPlanWorlds *worlds)
{
  (void)worlds;
}

SsStatus
ss_plan_worlds_tell (SsPlanWorlds *worlds, SsRunResult *result, SsError *err)
{
  (void)worlds, (void)result, (void)err;
  return SS_OK;
}

int
ss_transcription_count (void)
{
  return 0;
}

const SsTranscriptionClass *
ss_transcription_at (int index)
{
  (void)index;
  return NULL;
}

#ifdef __wasm__
/* Long motions stay in memory: there are no files to lie in. */
int mkstemp (char *path);
void *mremap (void *old, size_t old_size, size_t size, int flags, ...);
int madvise (void *address, size_t size, int advice);

int
mkstemp (char *path)
{
  (void)path;
  return -1;
}

void *
mremap (void *old, size_t old_size, size_t size, int flags, ...)
{
  (void)old, (void)old_size, (void)size, (void)flags;
  return (void *)-1;
}

int
madvise (void *address, size_t size, int advice)
{
  (void)address, (void)size, (void)advice;
  return 0;
}
#endif
