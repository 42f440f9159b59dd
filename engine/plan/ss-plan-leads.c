/* engine/plan/ss-plan-leads.c: see ss-plan-starts.h. */
#include "plan/ss-starts-private.h"

#include "core/ss-memory.h"
#include "plan/ss-sampled-motion.h"
#include "plan/ss-shoot-steps.h"
#include "plan/ss-plan-leads.h"
#include "transcribe/ss-transcriptions.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Of the end of a shot motion from that in half as long steps [m]: it is to tell modes and impulses. */
static const double SHOT_NEAR = 5e-7;
/* Searches for motions with restitution, and the part of what is left of a limit that each lead may take. */
enum { SEARCHES = 3 };
/* Of shooting from drawn controls. */
enum { ROUNDS = 3 };
static const double LEAD_PART = 0.5;
/* And of all of it, what is left for the method. */
static const double REST_PART = 0.25;

static bool
has_plan (const SsStarts *s)
{
  return (s->out->best.is_solved && s->out->best.agrees) || s->out->has_shot;
}

/* A way from a motion to sequences. */
typedef struct {
  const char *name;
  bool needs_steps; /* the law of steps alone has its modes in its rows; of many samples each is worth a short look */
  SsStatus (*go) (SsStarts *s, const char *name, const SsTrajectory *motion, bool *kept, SsError *err);
} Lead;

/* A motion that tells its modes itself. */
static SsStatus
polish_motion (SsStarts *s, const char *name, const SsTriedControls *tried, const double *controls, bool *kept,
               SsError *err)
{
  SsFesdSequence *sequence = NULL;
  SsStatus status = ss_fesd_sequence_from_motion (s->job->scenario, &s->transcription, tried->simulated.trajectory,
                                                  tried->simulated.stages, controls, &sequence, err);

  if (status == SS_ERR_INVALID) { /* no modes to be read */
    *err = (SsError){0};
    return SS_OK;
  }
  if (status == SS_OK)
    status = ss_starts_polish_near (s, name, sequence, kept, err);
  ss_fesd_sequence_free (sequence);
  return status;
}

/* It is a plan as it is. Takes its motion where it is the first, or cheaper. */
static SsStatus
keep_shot (SsStarts *s, const char *name, SsExactShot *shot, bool *kept, SsError *err)
{
  SsImproved *out = s->out;
  SsRunResult judged;
  char text[96];
  SsStatus status = ss_shot_judge (s->job->scenario, &s->transcription, name, shot, s->control, &judged, err);
  const SsPlanRank own = ss_plan_rank (&judged),
                   before = out->has_shot ? ss_plan_rank (&out->shot) : (SsPlanRank){.grade = SS_PLAN_NONE};

  if (status != SS_OK || judged.outcome != SS_OUTCOME_SOLVED || !ss_plan_goes_before (&own, &before)) {
    ss_run_result_clear (&judged);
    return status;
  }
  if (out->has_shot)
    ss_run_result_clear (&out->shot);
  out->shot = judged;
  out->has_shot = *kept = true;
  snprintf (text, sizeof text, "%s: %.6g", name, own.cost);
  ss_run_append_text (out->message, sizeof out->message, text);
  if (s->control != NULL)
    ss_run_control_emit_answer (s->control, &out->shot);
  return status;
}

static SsStatus
shoot (SsStarts *s, const char *name, const SsTrajectory *motion, int round, bool *kept, SsError *err)
{
  const SsScene *scene = s->job->scenario->scene;
  double *controls = ss_new_array (double, (size_t)s->plan.steps *(size_t)scene->n_actuators + 1);
  SsExactShot shot = {0};
  SsStatus status = controls != NULL
                        ? ss_shoot_steps (s->job->scenario, &s->plan, motion, round, SHOT_NEAR, s->control, &shot, err)
                        : ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  const bool arrives = status == SS_OK && shot.motion.is_complete && shot.miss <= SS_SHOT;

  if (status == SS_OK && s->control != NULL)
    ss_run_control_log (s->control, SS_LOG_INFO, "%s: targets missed by %.2g, path left by %.2g", name, shot.miss,
                        shot.way);
  if (arrives)
    status = ss_controls_of_motion (scene, &s->plan, shot.motion.simulated.trajectory, controls, err);
  if (arrives && status == SS_OK)
    status = polish_motion (s, name, &shot.motion, controls, kept, err);
  if (status == SS_OK && ss_shot_is_exact (&shot, SHOT_NEAR))
    status = keep_shot (s, name, &shot, kept, err);
  ss_tried_controls_clear (&shot.motion);
  ss_free (controls);
  return status;
}

static SsStatus
go_shot (SsStarts *s, const char *name, const SsTrajectory *motion, bool *kept, SsError *err)
{
  return shoot (s, name, motion, 0, kept, err);
}

static SsStatus
go_drawn (SsStarts *s, const char *name, const SsTrajectory *motion, bool *kept, SsError *err)
{
  SsStatus status = SS_OK;
  SsOutcome why;

  for (int i = 1; i <= ROUNDS && status == SS_OK && !*kept && !ss_run_control_should_stop (s->control, &why); i++)
    status = shoot (s, name, motion, i, kept, err);
  return status;
}

static SsStatus
go_modes (SsStarts *s, const char *name, const SsTrajectory *motion, bool *kept, SsError *err)
{
  SsFesdSequence *sequence = NULL;
  SsStatus status = ss_fesd_sequence_from_steps (s->job->scenario, &s->transcription, motion, &sequence, err);

  if (status == SS_OK)
    status = ss_starts_polish_near (s, name, sequence, kept, err);
  ss_fesd_sequence_free (sequence);
  return status;
}

static SsStatus
go_controls (SsStarts *s, const char *name, const SsTrajectory *motion, bool *kept, SsError *err)
{
  const SsScene *scene = s->job->scenario->scene;
  double *controls = ss_new_array (double, (size_t)s->plan.steps *(size_t)scene->n_actuators + 1);
  SsTriedControls tried = {0};
  SsFesdSequence *sequence = NULL;
  SsStatus status = controls != NULL ? ss_controls_of_motion (scene, &s->plan, motion, controls, err)
                                     : ss_error_set (err, SS_ERR_MEMORY, "out of memory");

  if (status == SS_OK)
    status = ss_starts_follow (s, controls, &tried, &sequence, err);
  if (status == SS_OK && sequence != NULL)
    status = ss_starts_polish_near (s, name, sequence, kept, err);
  ss_fesd_sequence_free (sequence);
  ss_tried_controls_clear (&tried);
  ss_free (controls);
  return status;
}

static const Lead leads[] = {
    {"an exact motion near the steps", false, go_shot},
    {"an exact motion from drawn controls", true, go_drawn},
    {"the modes of the steps", true, go_modes},
    {"the motion of the steps' controls", false, go_controls},
};
enum { N_LEADS = sizeof leads / sizeof *leads };

/* One lead, within half of what is left of the limits; what the scene has none of is no error. */
static SsStatus
follow_lead (SsStarts *s, const Lead *lead, const SsTrajectory *motion, bool *kept, SsError *err)
{
  const double begun = ss_clock_thread_cpu ();
  SsRunControl *control = s->control;
  const double limit = control != NULL ? control->cpu_limit : INFINITY;

  if (isfinite (limit))
    control->cpu_limit -= LEAD_PART * fmax (limit - ss_run_control_cpu (control), 0);
  *kept = false;
  SsStatus status = lead->go (s, lead->name, motion, kept, err);
  if (control != NULL)
    control->cpu_limit = limit;
  if (status == SS_ERR_INVALID) {
    *err = (SsError){0};
    status = SS_OK;
  }
  if (status == SS_OK)
    status = ss_starts_end (s, lead->name, ss_clock_thread_cpu () - begun, *kept, false, err);
  return status;
}

/* Until a lead ends in a plan, each from all motions: the quick ones first. */
static SsStatus
lead_from (SsStarts *s, const SsTrajectory *const *motions, int n, bool is_stepped, bool *kept, SsError *err)
{
  SsStatus status = SS_OK;
  SsOutcome why;

  *kept = false;
  for (int i = 0; i < N_LEADS; i++)
    for (int k = 0; k < n && status == SS_OK && !*kept && !ss_run_control_should_stop (s->control, &why); k++)
      if (is_stepped || !leads[i].needs_steps)
        status = follow_lead (s, &leads[i], motions[k], kept, err);
  return status;
}

/* ---- restitution ------------------------------------------------------------------------------------------------- */

static bool
bounces (const SsScene *scene)
{
  for (int c = 0; c < scene->n_contacts; c++)
    if (scene->contacts[c].restitution > 0)
      return true;
  return false;
}

/* Asked of sampled motions. */
static SsStatus
is_lead (void *user_data, const SsTrajectory *motion, bool *is, SsError *err)
{
  return lead_from (user_data, &motion, 1, false, is, err);
}

/* Steps' impacts are inelastic; motions with exact ones are sampled until one leads to a plan. */
static SsStatus
lead_from_samples (SsStarts *s, bool *kept, SsError *err)
{
  const SsSampleJudge judge = {.is_exact = true, .is_enough = is_lead, .user_data = s};
  SsStatus status = SS_OK;
  SsOutcome why;

  for (int i = 0; i < SEARCHES && status == SS_OK && !has_plan (s) && !ss_run_control_should_stop (s->control, &why);
       i++) {
    SsSampledMotion found;
    const double begun = ss_clock_thread_cpu ();

    status = ss_sample_motion (s->job->scenario, (uint64_t)i + 1, 1, &judge, s->control, &found, err);
    s->out->cpu_seconds += ss_clock_thread_cpu () - begun;
    if (status == SS_OK)
      ss_sampled_motion_clear (&found);
  }
  *kept = has_plan (s);
  return status;
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

SsStatus
ss_plan_lead (const SsSolveJob *job, const SsTrajectory *const *motions, int n, const SsImproveListener *listener,
              SsRunControl *control, SsImproved *out, SsError *err)
{
  SS_ASSERT (n >= 0);

  SsStarts s;
  SsOutcome why;
  bool kept = false;
  const double limit = control != NULL ? control->cpu_limit : INFINITY;
  SsStatus status = ss_starts_open (&s, job, listener, control, out, err);

  s.elements = 1;       /* of so smooth a start the replay says where more are needed */
  if (isfinite (limit)) /* polishes as hard as plans get must leave something for the method */
    control->cpu_limit -= REST_PART * fmax (limit - ss_run_control_cpu (control), 0);
  if (status == SS_OK && bounces (job->scenario->scene) && !s.plan.is_time_free)
    status = lead_from_samples (&s, &kept, err);
  if (status == SS_OK && !kept && !ss_run_control_should_stop (control, &why))
    status = lead_from (&s, motions, n, true, &kept, err);
  if (control != NULL)
    control->cpu_limit = limit;
  ss_starts_close (&s);
  return status;
}
