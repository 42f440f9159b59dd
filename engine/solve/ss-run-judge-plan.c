/* engine/solve/ss-run-judge-plan.c: whether the motion of a plan can happen; see ss-run-judge.h.
 *
 * The rows of a plan are all that its optimiser was asked for, and they are obeyed by nonsense as well: with the gap at
 * the end of a step as its law, a ball may stand on one side of a hand at one point and on the other side at the next,
 * where the contact pushes it on. */
#include "solve/ss-run-judge.h"
#include "solve/ss-run-replayed.h"
#include "transcribe/ss-transcriptions.h"

#include "core/ss-memory.h"
#include "simulate/ss-replay.h"
#include "simulate/ss-sim-limits.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- replays, step by step --------------------------------------------------------------------------------------- */

static void
fill_replay_steps (const SsReplaySteps *steps, SsMetricSet *set)
{
  ss_metric_set (set, SS_METRIC_REPLAY_STEP, steps->largest);
  ss_metric_set (set, SS_METRIC_REPLAY_STEP_T, steps->t);
  ss_metric_set (set, SS_METRIC_REPLAY_PARTED, steps->n_parted);
  if (steps->n_parted > 0)
    ss_metric_set (set, SS_METRIC_REPLAY_PARTED_T, steps->first_t);
  if (steps->n_other >= 0)
    ss_metric_set (set, SS_METRIC_REPLAY_NOT_UNIQUE, steps->n_other);
}

static const char *
name_of_body (const SsScene *scene, int body)
{
  return body >= 0 ? scene->bodies[body].name : "none ends";
}

/* Steps that part, where the integrator knows its law. One answer of a step is not always the only one: says which of
 * the two it is. */
static void
describe_parted_steps (const SsScene *scene, const SsReplaySteps *steps, char *note, size_t size)
{
  char largest[16], missed[16];
  int n = snprintf (
      note, size,
      "%d of %d steps, each from the plan's own state, part from it, the first at t = %.9g s (%s), by up to %s m",
      steps->n_parted, steps->n_steps, steps->first_t, name_of_body (scene, steps->first_body),
      ss_run_format_short (steps->largest, largest));
  char *rest = note + n;
  const size_t room = size - (size_t)n;

  if (steps->n_unlawful > 0)
    snprintf (rest, room,
              ": the plan does not obey this integrator's law in %d, first at t = %.9g s (%s), by up to %s m",
              steps->n_unlawful, steps->unlawful_t, name_of_body (scene, steps->unlawful_body),
              ss_run_format_short (steps->law_residual, missed));
  else if (steps->n_other == steps->n_parted)
    snprintf (rest, room, ": each has another answer, and the plan's is one");
  else
    snprintf (rest, room, ": the plan's is an answer of each, and the integrator found none of %d",
              steps->n_parted - steps->n_other);
}

/* Simulations tell the residuals of their steps, plans have none. */
static bool
is_simulation (const SsTrajectory *motion)
{
  return ss_trajectory_channel (motion, "residual") >= 0;
}

/* Reasons go before what the message says. */
static void
end_as_not_replayable (const char *reasons, SsRunResult *result)
{
  char message[sizeof result->message];

  result->outcome = SS_OUTCOME_NOT_REPLAYABLE;
  snprintf (message, sizeof message, "%s", result->message);
  snprintf (result->message, sizeof result->message, "%s", reasons);
  ss_run_append_text (result->message, sizeof result->message, message);
}

SsStatus
ss_run_judge_replay (const SsScene *scene, const SsTrajectory *plan, const SsIntegratorClass *integrator,
                     const void *options, SsRunResult *result, SsError *err)
{
  char note[384];
  SsReplaySteps steps;
  SsStatus status = ss_replay_compare_steps (scene, plan, integrator, options, &steps, err);

  if (status == SS_ERR_INVALID) { /* the plan has not the motion of all bodies */
    *err = (SsError){0};
    return SS_OK;
  }
  if (status != SS_OK)
    return status;
  fill_replay_steps (&steps, &result->metrics);
  if (steps.n_other < 0) /* nothing parted, or no law is known */
    return SS_OK;
  describe_parted_steps (scene, &steps, note, sizeof note);
  if (steps.n_unlawful > 0 && steps.law_residual > SS_RUN_LAW_MISSED && !is_simulation (plan))
    end_as_not_replayable (note, result);
  else
    ss_run_append_text (result->message, sizeof result->message, note);
  return SS_OK;
}

/* ---- plans ------------------------------------------------------------------------------------------------------- */

typedef struct {
  const SsScene *scene;
  SsRunControl *control; /* for warnings; NULL is allowed */
  char reasons[384];     /* "": it can be replayed */
} Finding;

/* A warning, or a reason why the plan is none. */
static void
tell (Finding *finding, bool is_reason, const char *text)
{
  if (is_reason)
    ss_run_append_text (finding->reasons, sizeof finding->reasons, text);
  else if (finding->control != NULL)
    ss_run_control_log (finding->control, SS_LOG_WARNING, "%s", text);
}

/* Overlap at points (of contacts that the plan does not know) or between them. */
static void
judge_overlap (Finding *finding, const SsMotionVerdict *verdict)
{
  const bool is_between = verdict->swept_overlap.value > verdict->penetration.value;
  const SsMotionWorst *deepest = is_between ? &verdict->swept_overlap : &verdict->penetration;
  const bool is_share = deepest->value <= SS_RUN_OVERLAP_MAX && verdict->overlap_share.value > SS_RUN_OVERLAP_SHARE_MAX;
  char text[320];

  if (is_share)
    snprintf (
        text, sizeof text,
        "contact %s overlaps by %.3g of the thinner body's width at t = %.4g s: one body passes through the other",
        finding->scene->contacts[verdict->overlap_share.index].name, verdict->overlap_share.value,
        verdict->overlap_share.t);
  else if (deepest->value > SS_RUN_OVERLAP_TOLD)
    snprintf (text, sizeof text, "contact %s overlaps by %.3g m at t = %.4g s%s",
              finding->scene->contacts[deepest->index].name, deepest->value, deepest->t,
              is_between ? ", between two points of the plan" : "");
  else
    return;
  tell (finding, is_share || deepest->value > SS_RUN_OVERLAP_MAX, text);
}

static const char *
name_of_giver (const SsScene *scene, SsWork work, int index)
{
  return work == SS_WORK_CONTACTS ? scene->contacts[index].name : scene->joints[index].name;
}

/* Of contacts each gift counts: one that is taken back later stays one. Joints and limits give and take by the length
 * of the steps, and what counts is what they gave in all. */
static void
judge_energy (Finding *finding, const SsMotionVerdict *verdict)
{
  static const struct {
    SsWork work;
    const char *name;
  } givers[] = {{SS_WORK_CONTACTS, "contact"}, {SS_WORK_JOINTS, "joint"}, {SS_WORK_LIMITS, "limit of joint"}};
  double given = 0, largest = 0;
  int most = 0;
  char text[320];

  if (isnan (verdict->turned_over))
    return;
  for (int i = 0; i < (int)(sizeof givers / sizeof *givers); i++) {
    const SsWork work = givers[i].work;
    const double in_all = fmax (verdict->work[work], work == SS_WORK_CONTACTS ? verdict->given[work].sum : 0);

    given += in_all;
    if (in_all > largest && verdict->given[work].most.index >= 0) {
      largest = in_all;
      most = i;
    }
  }
  if (!(given > SS_RUN_GIVEN_TOLD * verdict->turned_over))
    return;
  const SsMotionWorst *worst = &verdict->given[givers[most].work].most;
  if (worst->index < 0) /* gifts below rounding */
    return;
  snprintf (
      text, sizeof text,
      "contacts and joints give %.3g J, %.3g %% of the energy turned over, most of it %s %s: %.3g J at t = %.4g s%s",
      given, 100 * given / verdict->turned_over, givers[most].name,
      name_of_giver (finding->scene, givers[most].work, worst->index), worst->value, worst->t,
      finding->reasons[0] == '\0' ? "; shorter steps give less" : "");
  tell (finding, given > SS_RUN_GIVEN_MAX * verdict->turned_over, text);
}

/* Joints at the end of a step take energy from what swings, by the length of the steps. */
static void
judge_loss (Finding *finding, const SsMotionVerdict *verdict)
{
  const SsMotionShare *lost = &verdict->lost;
  char text[320];

  if (finding->scene->n_joints == 0 || !(lost->value > SS_SIM_ENERGY_GAIN * lost->of))
    return;
  snprintf (text, sizeof text,
            "%.3g J, %.3g %% of the %.3g J in play from t = %.4g s to %.4g s, were lost to nothing, as joints take "
            "energy by the length of the steps; shorter steps, or law=midpoint of time stepping, lose less",
            lost->value, 100 * lost->value / lost->of, lost->of, lost->from, lost->to);
  tell (finding, false, text);
}

/* What its transcription knows against it. */
static SsStatus
judge_law (Finding *finding, const SsTranscriptionClass *class_, const SsRunResult *result, SsError *err)
{
  char reason[320] = "";

  if (class_->judge == NULL)
    return SS_OK;
  SsStatus status = class_->judge (finding->scene, ss_run_motion (result), reason, sizeof reason, err);
  if (status == SS_OK && reason[0] != '\0')
    tell (finding, true, reason);
  return status;
}

static const SsTranscriptionClass *
class_of (const SsTranscribeOptions *transcription)
{
  return transcription->class_ != NULL ? transcription->class_ : ss_transcription_at (0);
}

/* Each step by the integrator whose law the plan should obey. */
static SsStatus
judge_steps (Finding *finding, const SsTranscribeOptions *transcription, SsRunResult *result, SsError *err)
{
  const SsIntegratorClass *integrator = class_of (transcription)->law.integrator;
  const SsOptionValue *option = ss_transcribe_law_option (transcription);
  char note[384];
  SsReplaySteps steps;

  if (integrator == NULL) {
    tell (finding, false,
          "the plan's elements are judged by geometry, balance and energy; they are not replayed step by "
          "step, as no integrator is named that has their law");
    return SS_OK;
  }
  void *options = ss_alloc (1, integrator->options->size + 1);
  if (options == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  ss_options_init (integrator->options, options);
  if (option != NULL)
    ss_options_give (integrator->options, options, option, 1);
  const SsStatus status =
      ss_replay_compare_steps (finding->scene, ss_run_motion (result), integrator, options, &steps, err);
  ss_free (options);
  if (status == SS_ERR_MEMORY)
    return status;
  if (status != SS_OK) /* not a motion that can be replayed: nothing is known */
    return SS_OK;
  fill_replay_steps (&steps, &result->metrics);
  if (steps.n_other < 0)
    return SS_OK;
  describe_parted_steps (finding->scene, &steps, note, sizeof note);
  if (steps.n_unlawful > 0)
    tell (finding, steps.law_residual > SS_RUN_LAW_MISSED, note);
  else
    ss_run_append_text (result->message, sizeof result->message, note);
  return SS_OK;
}

/* The whole plan by the integrator of its law, where its transcription has that. */
static SsStatus
replay_whole (const SsScenario *scenario, const SsTranscribeOptions *transcription, SsRunControl *control,
              SsRunResult *result, SsError *err)
{
  char way[16], note[256];
  SsPlanReplay replay;

  if (!ss_run_has_replay (transcription))
    return SS_OK;
  SsStatus status = ss_run_replay_plan (scenario, transcription, ss_run_motion (result), control, &replay, err);
  if (status == SS_ERR_INVALID) { /* no controls */
    *err = (SsError){0};
    return SS_OK;
  }
  if (status != SS_OK)
    return status;
  ss_metric_set (&result->metrics, SS_METRIC_REPLAYED_OBJECTIVE, replay.objective);
  ss_metric_set (&result->metrics, SS_METRIC_REPLAYED_END_DISTANCE, replay.end_distance);
  ss_metric_set (&result->metrics, SS_METRIC_REPLAYED_PATH_VIOLATION, replay.way);
  if (replay.outcome != SS_OUTCOME_COMPLETED)
    snprintf (note, sizeof note, "its replay did not complete: %.200s", replay.message);
  else if (replay.way > 0)
    snprintf (note, sizeof note,
              "its replay costs %.7g and ends %.3g m away from it; %s is broken by %s at t = %.4g "
              "s",
              replay.objective, replay.end_distance, replay.way_what, ss_run_format_short (replay.way, way),
              replay.way_t);
  else
    snprintf (note, sizeof note, "replayed it costs %.7g and ends %.3g m away", replay.objective, replay.end_distance);
  ss_run_append_text (result->message, sizeof result->message, note);
  ss_plan_replay_clear (&replay);
  return SS_OK;
}

SsStatus
ss_run_judge_plan (const SsScenario *scenario, const SsTranscribeOptions *transcription, SsRunControl *control,
                   SsRunResult *result, SsError *err)
{
  SS_ASSERT (scenario->scene != NULL);
  const SsTranscriptionClass *class_ = class_of (transcription);
  Finding finding = {.scene = scenario->scene, .control = control};

  if (ss_outcome_is_asked (result->outcome)) /* nobody waits for it */
    return SS_OK;
  SsStatus status = ss_run_judge_motion (finding.scene, NULL, control, result, err);
  SsOutcome why;
  if (status == SS_OK && result->outcome == SS_OUTCOME_SOLVED && !result->verdict.is_complete &&
      ss_run_control_should_stop (control, &why)) {
    result->outcome = why;
    ss_run_append_text (result->message, sizeof result->message, "told to stop before its motion was judged");
  }
  if (status != SS_OK || result->outcome != SS_OUTCOME_SOLVED || !result->verdict.is_complete)
    return status;
  judge_overlap (&finding, &result->verdict);
  judge_energy (&finding, &result->verdict);
  judge_loss (&finding, &result->verdict);
  status = judge_law (&finding, class_, result, err);
  if (status == SS_OK)
    status = judge_steps (&finding, transcription, result, err);
  if (status == SS_OK)
    status = replay_whole (scenario, transcription, control, result, err);
  if (status == SS_OK && finding.reasons[0] != '\0')
    end_as_not_replayable (finding.reasons, result);
  return status;
}

SsStatus
ss_run_judge_ended (const SsScenario *scenario, const SsTranscribeOptions *transcription, double violation,
                    SsRunResult *result, SsError *err)
{
  SS_ASSERT (result != NULL);

  const SsOutcome ended = result->outcome;
  char message[sizeof result->message];
  SsRunControl silent;

  if (ended == SS_OUTCOME_SOLVED || ended == SS_OUTCOME_NOT_REPLAYABLE || ss_outcome_is_asked (ended) ||
      result->misses_task || ss_run_motion (result) == NULL || !(violation < SS_RUN_FEASIBLE))
    return SS_OK;
  snprintf (message, sizeof message, "%s", result->message);
  snprintf (result->message, sizeof result->message, "ended as %s at a feasible point; %.900s", ss_outcome_name (ended),
            message);
  ss_run_control_init (&silent);
  result->outcome = SS_OUTCOME_SOLVED;
  return ss_run_judge_plan (scenario, transcription, &silent, result, err);
}
