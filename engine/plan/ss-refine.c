/* engine/plan/ss-refine.c: see the header. */
#include "plan/ss-refine.h"

#include "core/ss-memory.h"
#include "core/ss-relay.h"
#include "plan/ss-feedback.h"
#include "plan/ss-plan-lazy.h"
#include "plan/ss-plan-solve.h"
#include "plan/ss-shoot-cheaper.h"
#include "plan/ss-track-plan.h"
#include "simulate/ss-simulate.h"
#include "simulate/ss-replay.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A simulation that ends farther from the plan is not started from first [m]. */
static const double TRACKED = 0.1;
/* A normal force below this is none [N]; of the friction cone: nearer to its edge slides. */
static const double NO_FORCE = 1e-6, CONE = 1e-3;

/* ---- contact of plan and replay ---------------------------------------------------------------------------------- */

typedef enum { APART, STICKS, SLIDES } Mode;
static const char *const mode_names[] = {"is open", "sticks", "slides"};

static Mode
mode_of (double mu, double n, double t)
{
  return !(n > NO_FORCE) ? APART : fabs (t) >= (1 - CONE) * mu * n ? SLIDES : STICKS;
}

/* Columns of a contact's forces in a motion; false: it has none. */
static bool
find_forces (const SsTrajectory *motion, const char *contact, int columns[2])
{
  char name[512];

  snprintf (name, sizeof name, "%s.lambda_n", contact);
  columns[0] = ss_trajectory_channel (motion, name);
  snprintf (name, sizeof name, "%s.lambda_t", contact);
  columns[1] = ss_trajectory_channel (motion, name);
  return columns[0] >= 0 && columns[1] >= 0;
}

/* Mode of the replay over the plan's step that ends at row k: by what acted in it in all. */
static Mode
mode_of_replay (const SsTrajectory *replay, const int columns[2], double mu, int k)
{
  double n = 0, t = 0;

  for (int i = SS_REFINE_PARTS * (k - 1) + 1; i <= SS_REFINE_PARTS * k && i < replay->n_rows; i++) {
    n += ss_trajectory_row (replay, i)[columns[0]] / SS_REFINE_PARTS;
    t += ss_trajectory_row (replay, i)[columns[1]] / SS_REFINE_PARTS;
  }
  return mode_of (mu, n, t);
}

/* The first row of the plan from which on a contact's mode is another than that of the replay, a step earlier or later
 * than it too, for two steps; n_rows: none. */
static int
find_parting (const SsTrajectory *plan, const SsTrajectory *replay, const SsContact *contact, Mode *of_plan,
              Mode *of_replay)
{
  int planned[2], replayed[2], run = 0;

  if (!find_forces (plan, contact->name, planned) || !find_forces (replay, contact->name, replayed))
    return plan->n_rows;
  for (int k = 1; k < plan->n_rows; k++) {
    const double *row = ss_trajectory_row (plan, k);
    const Mode own = mode_of (contact->mu, row[planned[0]], row[planned[1]]);
    bool fits = false;

    for (int i = k > 1 ? k - 1 : 1; i <= k + 1 && i < plan->n_rows; i++)
      fits = fits || mode_of_replay (replay, replayed, contact->mu, i) == own;
    run = fits ? 0 : run + 1;
    if (run == 2) {
      const double *before = ss_trajectory_row (plan, k - 1);

      *of_plan = mode_of (contact->mu, before[planned[0]], before[planned[1]]);
      *of_replay = mode_of_replay (replay, replayed, contact->mu, k - 1);
      return k - 1;
    }
  }
  return plan->n_rows;
}

static void
describe_parting (const SsScene *scene, const SsTrajectory *plan, const SsTrajectory *replay, SsTenth *tenth)
{
  int first = plan->n_rows;

  for (int c = 0; c < scene->n_contacts; c++) {
    Mode of_plan = APART, of_replay = APART;
    const int row = find_parting (plan, replay, &scene->contacts[c], &of_plan, &of_replay);

    if (row >= first)
      continue;
    first = row;
    snprintf (tenth->parted, sizeof tenth->parted, "%.60s %s in the plan and %s in its replay from t = %.4g s on",
              scene->contacts[c].name, mode_names[of_plan], mode_names[of_replay],
              ss_trajectory_row (plan, row > 0 ? row - 1 : 0)[0]);
  }
}

/* ---- a replay ---------------------------------------------------------------------------------------------------- */

/* How far the end of a replay is from what the plan is for. */
static SsStatus
measure_end (const SsScenario *scenario, const SsTrajectory *plan, const SsTrajectory *replay, double *distance,
             SsError *err)
{
  SsPlanGoal *goals =
      ss_new_array (SsPlanGoal, (size_t)(scenario->task.plan->n_targets + scenario->scene->n_bodies) + 1);
  double miss, angle;

  if (goals == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  const int n = ss_plan_goals (scenario, plan, goals);
  ss_plan_goals_miss (scenario->scene, goals, n, replay, &miss, &angle);
  *distance = fmax (miss, SS_REFINE_LEVER * angle);
  ss_free (goals);
  return SS_OK;
}

/* `controller` NULL: by the plan's controls. */
static SsStatus
replay_tenth (const SsScenario *scenario, const SsTrajectory *plan, const SsController *controller,
              SsRunControl *control, SsTenth *tenth, SsError *err)
{
  const SsTranscribeOptions implicit = {.class_ = &ss_transcription_time_stepping};
  const SsIntegratorClass *integrator = ss_transcription_time_stepping.law.integrator;
  SsReplay *replay = NULL;
  SsSimResult simulated = {0};
  SsReplayDistance distance;
  void *options = NULL;
  SsStatus status = SS_OK;

  *tenth = (SsTenth){.distance = INFINITY, .body = -1};
  if (plan->n_rows < 2)
    status = ss_error_set (err, SS_ERR_INVALID, "a motion of less than two rows is no plan");
  if (status == SS_OK)
    status = ss_replay_new (scenario->scene, plan, &replay, err);
  if (status == SS_OK && (options = ss_alloc (1, integrator->options->size + 1)) == NULL)
    status = ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  if (status == SS_OK) {
    ss_options_init (integrator->options, options);
    ss_options_give (integrator->options, options, ss_transcribe_law_option (&implicit), 1);
  }
  if (status == SS_OK)
    status = ss_simulate_job (&(SsSimJob){.scene = ss_replay_scene (replay),
                                          .integrator = integrator,
                                          .options = options,
                                          .controls = ss_replay_controls (replay),
                                          .controller = controller,
                                          .dt = ss_replay_t_end (replay) / (plan->n_rows - 1) / SS_REFINE_PARTS,
                                          .t_end = ss_replay_t_end (replay)},
                              control, &simulated, err);
  if (status == SS_OK && simulated.outcome == SS_OUTCOME_COMPLETED)
    status = ss_replay_compare (scenario->scene, plan, simulated.trajectory, &distance, NULL, err);
  if (status == SS_OK && simulated.outcome == SS_OUTCOME_COMPLETED) {
    tenth->body = distance.body;
    status = measure_end (scenario, plan, simulated.trajectory, &tenth->distance, err);
    describe_parting (scenario->scene, plan, simulated.trajectory, tenth);
  }
  ss_sim_result_clear (&simulated);
  ss_replay_free (replay);
  ss_free (options);
  return status;
}

SsStatus
ss_refine_tenth (const SsScenario *scenario, const SsTrajectory *plan, SsRunControl *control, SsTenth *tenth,
                 SsError *err)
{
  SsSilence silence;

  ss_silence_init (&silence, control);
  return replay_tenth (scenario, plan, NULL, &silence.inner, tenth, err);
}

SsStatus
ss_refine_held (const SsScenario *scenario, const SsTrajectory *plan, SsRunControl *control, double *distance,
                SsError *err)
{
  SsFeedbackOptions options = SS_FEEDBACK_OPTIONS;
  SsFeedback *feedback = NULL;
  SsTenth tenth;
  SsOutcome why;

  *distance = NAN;
  options.kind = SS_CONTROLLER_LQR;
  SsStatus status = ss_feedback_new (scenario, plan, &options, control, &feedback, err);
  if (status == SS_ERR_INVALID) { /* too large, or no gains */
    *err = (SsError){0};
    return SS_OK;
  }
  if (status != SS_OK || feedback == NULL)
    return status;
  status = replay_tenth (scenario, plan, ss_feedback_controller (feedback), control, &tenth, err);
  if (status == SS_OK && !ss_run_control_should_stop (control, &why))
    *distance = tenth.distance;
  ss_feedback_free (feedback);
  return status;
}

/* ---- refining ---------------------------------------------------------------------------------------------------- */

bool
ss_refine_can (const SsSolveJob *job)
{
  const SsTranscriptionClass *class_ = job->transcription.class_;

  return job->scenario->scene != NULL && job->scenario->task.plan != NULL && !job->scenario->task.plan->is_time_free &&
         (class_ == NULL || class_ == &ss_transcription_time_stepping);
}

/* The plan in `steps` equal steps over its time, warm from `start`. */
static SsStatus
solve (const SsSolveJob *job, const SsTrajectory *start, double time, int steps, bool is_brief, SsRunControl *control,
       SsRunResult *result, SsError *err)
{
  const SsLazyWay way = {.is_brief = is_brief};
  SsSolveJob own = *job;

  own.start = start;
  own.x0 = NULL;
  own.cache = NULL;
  own.transcription.dt = time / steps;
  own.transcription.t_end = time;
  ss_run_result_init (result);
  return ss_plan_lazily (&own, &way, control, NULL, result, err);
}

SsStatus
ss_refine_judge (const SsSolveJob *job, const SsTrajectory *shot, SsRunControl *control, SsRunResult *result,
                 SsError *err)
{
  const double time = ss_trajectory_row (shot, shot->n_rows - 1)[0];
  SsSolveJob own = *job;

  own.start = shot;
  own.takes_start = true;
  own.x0 = NULL;
  own.cache = NULL;
  own.transcription.contacts = SS_PLAN_CONTACTS_ALL;
  own.transcription.dt = time / (shot->n_rows - 1);
  own.transcription.t_end = time;
  return ss_plan_solve (&own, control, result, err);
}

SsStatus
ss_refine_shoot (const SsSolveJob *job, const SsTrajectory *plan, int steps, SsRunControl *control, double *miss,
                 SsRunResult *result, SsError *err)
{
  SsTrajectory *shot = NULL;
  SsStatus status = ss_shoot_plan (job->scenario, plan, steps, control, &shot, miss, err);

  ss_run_result_init (result);
  result->outcome = SS_OUTCOME_FAILED;
  if (status == SS_OK && *miss <= SS_SHOT)
    status = ss_refine_judge (job, shot, control, result, err);
  ss_trajectory_free (shot);
  return status;
}

/* Of a cheaper motion: whether its replay ends near enough. */
typedef struct {
  const SsScenario *scenario;
  SsRunControl *control;
  double near;
  SsTenth *tenth; /* of the motion that was kept last */
} Nearness;

static SsStatus
is_near (void *user_data, const SsTrajectory *motion, bool *is, SsError *err)
{
  const Nearness *n = user_data;
  SsTenth tenth;
  const SsStatus status = ss_refine_tenth (n->scenario, motion, n->control, &tenth, err);

  *is = status == SS_OK && tenth.distance <= n->near;
  if (*is)
    *n->tenth = tenth;
  return status;
}

SsStatus
ss_refine_cheaper (const SsSolveJob *job, const SsTrajectory *plan, SsRunControl *control, SsTenth *tenth,
                   SsRunResult *result, SsError *err)
{
  Nearness nearness = {job->scenario, control, fmax (tenth->distance, SS_REFINE_NEAR), tenth};
  const SsCheaperJudge judge = {is_near, &nearness};
  SsCheaper cheaper;
  SsStatus status =
      ss_shoot_cheaper (job->scenario, plan, isfinite (tenth->distance) ? &judge : NULL, control, &cheaper, err);

  ss_run_result_init (result);
  result->outcome = SS_OUTCOME_FAILED;
  if (status == SS_OK && cheaper.motion != NULL)
    status = ss_refine_judge (job, cheaper.motion, control, result, err);
  ss_trajectory_free (cheaper.motion);
  return status;
}

/* Whether the plan in twice its steps was solved, into `result`. */
static SsStatus
halve (const SsSolveJob *job, const SsTrajectory *plan, SsRunControl *control, SsRunResult *result, SsError *err)
{
  const int steps = 2 * (plan->n_rows - 1);
  const double time = ss_trajectory_row (plan, plan->n_rows - 1)[0];
  SsTrajectory *tracked = NULL;
  SsOutcome why;
  double away;
  SsStatus status = ss_refine_shoot (job, plan, steps, control, &away, result, err);

  if (status != SS_OK || result->outcome == SS_OUTCOME_SOLVED || ss_run_control_should_stop (control, &why))
    return status;
  ss_run_result_clear (result);
  ss_run_result_init (result);
  status = ss_track_plan (job->scenario, plan, steps, &tracked, &away, err);
  const bool is_near = away < TRACKED;

  for (int i = 0; i < 2 && status == SS_OK; i++) {
    const SsTrajectory *start = (i == 0) == is_near ? tracked : plan;

    if (start == NULL ||
        (i > 0 && (result->outcome == SS_OUTCOME_SOLVED || ss_run_control_should_stop (control, &why))))
      continue;
    if (i > 0)
      ss_run_result_clear (result);
    status = solve (job, start, time, steps, true, control, result, err);
  }
  ss_trajectory_free (tracked);
  return status;
}

SsStatus
ss_refine_improve (const SsSolveJob *job, const SsTrajectory *plan, SsRunControl *control, SsTenth *tenth,
                   int *halvings, SsRunResult *result, SsError *err)
{
  const double time = ss_trajectory_row (plan, plan->n_rows - 1)[0], near = fmax (tenth->distance, SS_REFINE_NEAR);
  SsTenth now = {.distance = INFINITY};
  SsOutcome why;
  SsStatus status = solve (job, plan, time, plan->n_rows - 1, false, control, result, err);

  for (*halvings = 0; status == SS_OK; ++*halvings) {
    if (result->outcome == SS_OUTCOME_SOLVED)
      status = ss_refine_tenth (job->scenario, ss_run_motion (result), control, &now, err);
    if (status != SS_OK || result->outcome != SS_OUTCOME_SOLVED || now.distance <= near || *halvings == 1 ||
        ss_run_control_should_stop (control, &why))
      break;
    SsRunResult better = *result;
    status = halve (job, ss_run_motion (&better), control, result, err);
    ss_run_result_clear (&better);
  }
  if (status != SS_OK) {
    ss_run_result_clear (result);
    return status;
  }
  if (result->outcome == SS_OUTCOME_SOLVED && now.distance <= near)
    *tenth = now;
  else {
    ss_run_result_clear (result);
    ss_run_result_init (result);
    result->outcome = SS_OUTCOME_FAILED;
  }
  return status;
}

/* What does not converge. */
static void
explain (const SsScene *scene, const SsRefined *refined, const SsRunResult *failed, double step, char *text,
         size_t size)
{
  const SsTenth *tenth = &refined->last;
  char note[320];

  text[0] = '\0';
  if (failed != NULL) {
    snprintf (note, sizeof note, "steps of %.3g s gave no plan (%s)", step, ss_outcome_name (failed->outcome));
    ss_run_append_text (text, size, note);
  }
  if (isfinite (tenth->distance))
    snprintf (note, sizeof note,
              "replayed at a tenth of the step it ends %.2g m from its goal, on the way farthest from the plan %s%s",
              tenth->distance, tenth->body >= 0 ? scene->bodies[tenth->body].name : "nothing",
              refined->halvings > 0 && tenth->distance > 0.7 * refined->first.distance ? "; shorter steps hardly help"
                                                                                       : "");
  else
    snprintf (note, sizeof note, "the plan's replay at a tenth of the step does not reach the end");
  ss_run_append_text (text, size, note);
  ss_run_append_text (text, size, tenth->parted);
}

SsStatus
ss_refine (const SsSolveJob *job, int halvings, SsRunControl *control, SsRefined *refined, SsRunResult *result,
           SsError *err)
{
  SS_ASSERT (job->start != NULL && ss_refine_can (job));
  const SsScene *scene = job->scenario->scene;
  const SsTrajectory *plan = job->start;
  SsRunResult next;
  SsOutcome why = SS_OUTCOME_SOLVED;
  bool has_failed = false;
  SsStatus status;

  *refined = (SsRefined){0};
  ss_run_result_init (result);
  status = ss_refine_tenth (job->scenario, plan, NULL, &refined->first, err);
  refined->last = refined->first;
  for (int i = 0; i < halvings && status == SS_OK && !has_failed && !(refined->last.distance <= SS_REFINE_NEAR) &&
                  !ss_run_control_should_stop (control, &why);
       i++) {
    const double step = ss_trajectory_row (plan, plan->n_rows - 1)[0] / (plan->n_rows - 1) / 2;

    ss_run_result_init (&next);
    status = halve (job, plan, control, &next, err);
    if (status == SS_OK && next.outcome == SS_OUTCOME_SOLVED)
      status = ss_refine_tenth (job->scenario, ss_run_motion (&next), NULL, &refined->last, err);
    if (status != SS_OK || next.outcome != SS_OUTCOME_SOLVED) {
      if (status == SS_OK)
        explain (scene, refined, &next, step, refined->why, sizeof refined->why);
      has_failed = true;
      ss_run_result_clear (&next);
      continue;
    }
    refined->halvings++;
    ss_run_result_clear (result);
    *result = next;
    plan = ss_run_motion (result);
    ss_run_control_log (control, SS_LOG_INFO, "%d steps of %.3g s: replayed at a tenth of them it ends %.3g m away",
                        plan->n_rows - 1, step, refined->last.distance);
  }
  refined->holds = refined->last.distance <= SS_REFINE_NEAR;
  if (status == SS_OK && !refined->holds && !has_failed)
    explain (scene, refined, NULL, 0, refined->why, sizeof refined->why);
  if (status != SS_OK)
    ss_run_result_clear (result);
  return status;
}
