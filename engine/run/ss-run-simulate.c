/* engine/run/ss-run-simulate.c: see the header. */
#include "run/ss-run-simulate.h"

#include "core/ss-memory.h"
#include "core/ss-stage-rows.h"
#include "contact/ss-contact-corner.h"
#include "judge/ss-plan-value.h"
#include "run/ss-run-sensitivity.h"
#include "run/ss-run-sides.h"
#include "run/ss-run-watch.h"
#include "plan/ss-plan-worlds.h"
#include "solve/ss-run-judge.h"
#include "run/ss-run-past.h"
#include "solve/ss-run-replayed.h"
#include "plan/ss-step-homotopy.h"
#include "simulate/ss-fan.h"
#include "simulate/ss-past.h"
#include "simulate/ss-replay.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Frames on their way out. */
typedef struct {
  SsProgressFunc progress;
  void *user_data;
  double first_wall, first_cpu; /* when the first one left: until then it was setup; NaN before */
  int n_sums;                   /* channels, where the simulation goes on from a motion; 0: it does not */
  double *sums, *row;           /* ss_past_sums; a row with them (owned) */
} Frames;

/* Sums of a simulation that goes on from a motion go on in its frames as they will in its answer. */
static void
pass_frame (void *user_data, const SsProgress *progress)
{
  Frames *frames = user_data;
  SsProgress told = *progress;

  if (told.kind == SS_PROGRESS_FRAME && isnan (frames->first_wall)) {
    frames->first_wall = ss_clock_wall ();
    frames->first_cpu = ss_clock_thread_cpu ();
  }
  if (told.kind == SS_PROGRESS_FRAME && told.n_values == frames->n_sums) {
    for (int c = 0; c < told.n_values; c++)
      frames->row[c] = told.values[c] + frames->sums[c];
    told.values = frames->row;
  }
  if (frames->progress != NULL)
    frames->progress (frames->user_data, &told);
}

static bool
trajectory_is_finite (const SsTrajectory *trajectory)
{
  if (trajectory->n_rows == 0)
    return true;
  const double *last = ss_trajectory_row (trajectory, trajectory->n_rows - 1);
  for (int i = 0; i < trajectory->n_channels; i++)
    if (!isfinite (last[i]) && trajectory->channels[i].quantity != SS_QUANTITY_GAP) /* which need not be known */
      return false;
  return true;
}

/* What happened in the motion, where the integrator did not say it, and before it; the message says what of it the list
 * does not have. */
static SsStatus
find_events (const SsSimulateJob *job, SsRunControl *control, SsRunResult *result, SsError *err)
{
  char note[128] = "";
  SsStatus status = result->events != NULL
                        ? SS_OK
                        : ss_events_find (job->scenario->scene, ss_run_motion (result), NULL, &result->events, err);

  if (status == SS_OK && job->past != NULL)
    status = ss_run_past_events (job, control, result, err);
  if (status != SS_OK)
    return status;
  if (result->events->n_left_out > 0)
    snprintf (note, sizeof note, "the first %d of %d events are listed", result->events->n_items,
              result->events->n_items + result->events->n_left_out);
  ss_run_append_text (result->message, sizeof result->message, note);
  return SS_OK;
}

/* What only the driver knows. */
static void
fill_own (const SsSimMetrics *own, SsRunResult *result)
{
  if (own->steps >= 0) /* else they are not known */
    ss_metric_set (&result->metrics, SS_METRIC_STEPS, own->steps);
  if (own->parts.n_parts > 0)
    ss_metric_set (&result->metrics, SS_METRIC_STEP_PARTS, own->parts.n_parts);
  ss_metric_set (&result->metrics, SS_METRIC_MAX_RESIDUAL, own->own_residual);
  if (own->has_error)
    ss_metric_set (&result->metrics, SS_METRIC_ESTIMATED_ERROR, own->error);
  if (own->has_error && own->order > 0)
    ss_metric_set (&result->metrics, SS_METRIC_MEASURED_ORDER, own->order);
  memcpy (result->n_by_way, own->n_by_way, sizeof result->n_by_way);
  memcpy (result->n_by_certainty, own->n_by_certainty, sizeof result->n_by_certainty);
  result->second = own->second;
}

/* The one place where a simulation's numbers become metrics: the judge's, so that a motion is worth the same whoever
 * made its steps; `own` has what only the driver knows. */
static SsStatus
fill_motion_set (const SsScene *scene, const SsMotionLaw *law, const SsSimMetrics *own, SsRunControl *control,
                 SsRunResult *result, SsError *err)
{
  fill_own (own, result);
  return ss_run_judge_motion (scene, law, control, result, err);
}

static void
fill_times (SsMetricSet *set, double setup, double solve, double cpu)
{
  ss_metric_set (set, SS_METRIC_SETUP_SECONDS, setup);
  ss_metric_set (set, SS_METRIC_SOLVE_SECONDS, solve);
  ss_metric_set (set, SS_METRIC_CPU_SECONDS, cpu);
  ss_metric_set (set, SS_METRIC_THREADS, 1);
}

/* ---- replays ----------------------------------------------------------------------------------------------------- */

static void
fill_replay_distance (const SsReplayDistance *distance, SsMetricSet *set)
{
  ss_metric_set (set, SS_METRIC_REPLAY_DISTANCE, distance->largest);
  ss_metric_set (set, SS_METRIC_REPLAY_ANGLE, distance->largest_angle);
  ss_metric_set (set, SS_METRIC_REPLAY_FINAL, distance->at_end);
  ss_metric_set (set, SS_METRIC_REPLAY_FINAL_ANGLE, distance->at_end_angle);
}

/* How far the motion is from the plan; *is_replay: whether it could be compared. */
static SsStatus
compare_with_plan (const SsSimulateJob *job, SsRunResult *result, bool *is_replay, SsError *err)
{
  char distance[16], note[192];
  SsReplayDistance replay;
  SsStatus status = ss_replay_compare (job->scenario->scene, job->plan, ss_run_motion (result), &replay, NULL, err);

  *is_replay = false;

  if (status == SS_ERR_INVALID) { /* controls without a motion: a simulation like any other */
    ss_run_append_text (result->message, sizeof result->message, "the plan has no motion to compare with");
    return SS_OK;
  }
  if (status != SS_OK)
    return status;
  *is_replay = true;
  fill_replay_distance (&replay, &result->metrics);
  snprintf (note, sizeof note, "largest distance to the plan %s m (%s at t = %.9g s)",
            ss_run_format_short (replay.largest, distance), job->scenario->scene->bodies[replay.body].name, replay.t);
  ss_run_append_text (result->message, sizeof result->message, note);
  const SsScene *believed = job->believed != NULL ? job->believed->scene : NULL;
  if (believed != NULL && believed->n_contacts != job->scenario->scene->n_contacts)
    believed = NULL;
  status =
      ss_replay_find_first (job->scenario->scene, believed, job->plan, ss_run_motion (result), &result->first, err);
  result->has_first = status == SS_OK;
  return status;
}

/* How far the end is from what the task aims at, where its plan has targets. */
static void
measure_goal (const SsScenario *scenario, const SsTrajectory *motion, SsMetricSet *set)
{
  static const SsMetric metrics[SS_PLAN_COORDINATES] = {
      SS_METRIC_TRACKING_POSITION, SS_METRIC_TRACKING_POSITION, SS_METRIC_TRACKING_ANGLE,
      SS_METRIC_TRACKING_VELOCITY, SS_METRIC_TRACKING_VELOCITY, SS_METRIC_TRACKING_ANGULAR_VELOCITY};
  const SsPlan *plan = scenario->task.plan;
  char name[SS_CHANNEL_NAME_MAX];
  double total = 0;

  for (int i = 0; plan != NULL && i < plan->n_targets; i++)
    for (int c = 0; c < SS_PLAN_COORDINATES; c++) {
      const double value = plan->targets[i].value[c];
      snprintf (name, sizeof name, "%s.%s", scenario->scene->bodies[plan->targets[i].body].name, ss_body_channels[c]);
      const int channel = ss_trajectory_channel (motion, name);
      if (isnan (value) || channel < 0)
        continue;
      const double off = ss_trajectory_row (motion, motion->n_rows - 1)[channel] - value;
      const double before = set->is_set[metrics[c]] ? ss_metric_get (set, metrics[c]) : 0;
      ss_metric_set (set, metrics[c], hypot (before, off));
      total = hypot (total, off);
    }
  if (plan != NULL && plan->n_targets > 0)
    ss_metric_set (set, SS_METRIC_TRACKING_TOTAL, total);
}

static void
warn_about_clamping (const SsReplay *replay, SsRunControl *control)
{
  int actuator = ss_replay_clamped (replay);

  if (actuator >= 0)
    ss_run_control_log (control, SS_LOG_WARNING, "the plan's control %s leaves the bounds of its actuator and is cut",
                        ss_replay_scene (replay)->actuators[actuator].name);
}

/* The scenario's; of a replay those of the plan's transcription, where this is its integrator, else NaN, the plan's own
 * steps. */
static double
default_step (const SsSimulateJob *job)
{
  const SsIntegratorClass *integrator;
  double step;

  if (job->plan == NULL)
    return job->scenario->task.dt;
  return ss_run_find_replay (job->plan, &integrator, &step) && integrator == job->integrator ? step : NAN;
}

/* What the task of the scene's plan says of its replay, where the integrator tells its stages. */
static SsStatus
value_replay (const SsSimulateJob *job, SsRunResult *result, SsError *err)
{
  SsPlanValue value;

  if (job->scenario->task.plan == NULL || result->stages == NULL || result->outcome != SS_OUTCOME_COMPLETED)
    return SS_OK;
  SsStatus status = ss_plan_value (job->scenario, ss_run_motion (result), result->stages, &value, err);
  if (status != SS_OK)
    return status;
  ss_metric_set (&result->metrics, SS_METRIC_REPLAYED_OBJECTIVE, value.objective);
  ss_metric_set (&result->metrics, SS_METRIC_REPLAYED_END_DISTANCE,
                 ss_metric_get (&result->metrics, SS_METRIC_REPLAY_FINAL));
  ss_metric_set (&result->metrics, SS_METRIC_REPLAYED_PATH_VIOLATION, value.way);
  return SS_OK;
}

/* A feedback that was told to stop before the motion began. */
static SsStatus
end_before_it_began (SsRunControl *control, SsRunResult *result)
{
  SsOutcome why = SS_OUTCOME_CANCELLED;

  ss_run_control_should_stop (control, &why);
  result->outcome = why;
  snprintf (result->message, sizeof result->message, "%s while the feedback was made", ss_outcome_early_words (why));
  return SS_OK;
}

/* Whether the replay is of the plan's own world: only then can a step that differs be no step of the plan's law. */
static bool
is_plain_replay (const SsSimulateJob *job)
{
  return job->plan != NULL && job->believed == NULL && job->n_disturbances == 0 &&
         (job->feedback == NULL || job->feedback->kind == SS_CONTROLLER_NONE);
}

static void
describe_feedback (const SsFeedback *feedback, SsRunResult *result)
{
  char note[160];

  ss_feedback_account (feedback, &result->account);
  const SsFeedbackAccount *a = &result->account;
  if (!ss_controllers[result->controller].looks_ahead)
    snprintf (note, sizeof note, "held on the plan by %s, at a bound in %d of %d steps",
              ss_controllers[result->controller].label, a->n_clipped, a->n_calls);
  else if (result->controller == SS_CONTROLLER_PREDICT)
    snprintf (note, sizeof note, "held by %d looks ahead (%d motions, %.3g s CPU), %d of which changed nothing",
              a->n_plans, a->n_motions, a->cpu_seconds, a->n_kept);
  else
    snprintf (note, sizeof note, "held on the plan by %d plans (%.3g s CPU), %d of which changed nothing", a->n_plans,
              a->cpu_seconds, a->n_kept);
  ss_run_append_text (result->message, sizeof result->message, note);
}

/* ---- one simulation ---------------------------------------------------------------------------------------------- */

/* A simulation under way. */
typedef struct {
  const SsSimulateJob *job;
  SsRunControl *control;
  SsRunResult *result;
  double dt, t_end;            /* [s]; NaN: the plan's own steps */
  double start, start_cpu;     /* clocks */
  SsPast *past;                /* owned; NULL: it begins with the scene */
  SsReplay *replay;            /* owned; NULL: no plan           */
  SsFeedback *feedback;        /* owned; NULL: none              */
  SsStepHomotopy *homotopy;    /* owned; NULL: none              */
  SsRunWatch *watch;           /* owned */
  SsSensitivityInputs *inputs; /* owned; NULL: no derivatives are wanted */
  SsTrajectory *stage_rows;    /* owned; NULL: none are wanted */
  Frames frames;
  char asked[160]; /* account of the homotopy */
} Simulation;

static void
simulation_clear (Simulation *s)
{
  ss_feedback_free (s->feedback);
  ss_replay_free (s->replay);
  ss_past_free (s->past);
  ss_free (s->frames.sums);
  ss_free (s->frames.row);
  ss_step_homotopy_free (s->homotopy);
  ss_run_watch_free (s->watch);
  ss_sensitivity_inputs_free (s->inputs);
  ss_trajectory_free (s->stage_rows);
}

static SsStatus
check_times (const Simulation *s, SsError *err)
{
  const bool steps_by_plan = s->job->plan != NULL && isnan (s->job->dt);

  if ((!steps_by_plan || !isnan (s->dt)) && !(isfinite (s->dt) && s->dt > 0))
    return ss_error_set (err, SS_ERR_INVALID, "the step dt must be a positive number of seconds");
  if (!(isfinite (s->t_end) && s->t_end >= 0))
    return ss_error_set (err, SS_ERR_INVALID, "the horizon t_end must be a number of seconds, not negative");
  if (s->job->every > 1 && s->job->plan != NULL)
    return ss_error_set (err, SS_ERR_INVALID,
                         "a replay keeps the rows of all steps: they are compared with the plan's");
  if (s->job->worlds > 0 && (s->job->plan == NULL || !ss_plan_worlds_can (s->job->scenario)))
    return ss_error_set (err, SS_ERR_INVALID,
                         "only the plan of a task, one with actuators, can be replayed in other worlds");
  if (s->job->n_sensitivity > 0 && s->job->feedback != NULL && s->job->feedback->kind != SS_CONTROLLER_NONE)
    return ss_error_set (err, SS_ERR_INVALID, "a replay has derivatives without a controller only");
  return SS_OK;
}

/* The plan whose controls act, and what holds the motion on it. *goes_on: false where it was told to stop meanwhile. */
static SsStatus
take_plan (Simulation *s, bool *goes_on, SsError *err)
{
  const SsSimulateJob *job = s->job;
  SsStatus status = ss_replay_new (job->scenario->scene, job->plan, &s->replay, err);

  if (status != SS_OK)
    return status;
  warn_about_clamping (s->replay, s->control);
  for (int i = 0; i < job->n_disturbances; i++)
    ss_replay_disturb (s->replay, job->disturbances[i].body, job->disturbances[i].coordinate, job->disturbances[i].by);
  if (isnan (job->t_end))
    s->t_end = ss_replay_t_end (s->replay);
  if (job->feedback == NULL || job->feedback->kind == SS_CONTROLLER_NONE)
    return SS_OK;
  s->result->controller = job->feedback->kind;
  status = ss_feedback_new (job->believed != NULL ? job->believed : job->scenario, job->plan, job->feedback, s->control,
                            &s->feedback, err);
  if (status != SS_OK)
    return status;
  *goes_on = s->feedback != NULL;
  return *goes_on ? SS_OK : end_before_it_began (s->control, s->result);
}

static const SsScene *
scene_of (const Simulation *s)
{
  return s->replay != NULL ? ss_replay_scene (s->replay)
         : s->past != NULL ? ss_past_scene (s->past)
                           : s->job->scenario->scene;
}

/* The motion that this one goes on from: who listens has it. */
static SsStatus
take_past (Simulation *s, SsError *err)
{
  SsTrajectory *like = NULL;
  SsStatus status = ss_past_new (s->job->scenario->scene, s->job->past, &s->past, err);
  if (status == SS_OK)
    status = ss_simulation_trajectory_new (ss_past_scene (s->past), s->job->integrator, s->job->options, 0, &like, err);
  if (status != SS_OK)
    return status;
  s->frames.sums = ss_new_array (double, like->n_channels);
  s->frames.row = ss_new_array (double, like->n_channels);
  if (s->frames.sums != NULL && s->frames.row != NULL) {
    s->frames.n_sums = like->n_channels;
    ss_past_sums (s->past, like, s->frames.sums);
  } else {
    status = ss_error_set (err, SS_ERR_MEMORY, "no memory for what goes on");
  }
  ss_trajectory_free (like);
  return status;
}

/* Steps until the end. */
static SsStatus
drive (Simulation *s, SsSimResult *simulated, SsError *err)
{
  s->frames.progress = s->control->progress;
  s->frames.user_data = s->control->user_data;
  s->frames.first_wall = s->frames.first_cpu = NAN;
  s->control->progress = pass_frame;
  s->control->user_data = &s->frames;
  const SsStatus status =
      ss_simulate_job (&(SsSimJob){.scene = scene_of (s),
                                   .proposer = s->homotopy != NULL ? ss_step_homotopy_proposer (s->homotopy) : NULL,
                                   .integrator = s->job->integrator,
                                   .options = s->job->options,
                                   .controls = s->replay != NULL ? ss_replay_controls (s->replay) : NULL,
                                   .controller = s->feedback != NULL ? ss_feedback_controller (s->feedback) : NULL,
                                   .dt = s->dt,
                                   .t_end = s->t_end,
                                   .past = s->past,
                                   .every = s->job->every,
                                   .contacts = s->job->contacts,
                                   .inputs = s->inputs != NULL ? s->inputs->inputs : NULL,
                                   .n_inputs = s->job->n_sensitivity,
                                   .watch = ss_run_watch_of (s->watch)},
                       s->control, simulated, err);
  s->control->progress = s->frames.progress;
  s->control->user_data = s->frames.user_data;
  if (s->homotopy != NULL)
    ss_step_homotopy_account (s->homotopy, s->asked, sizeof s->asked);
  if (s->feedback != NULL && status == SS_OK)
    describe_feedback (s->feedback, s->result);
  return status;
}

/* What derivatives are wanted by. */
static SsStatus
make_inputs (Simulation *s, SsError *err)
{
  const SsSimulateJob *job = s->job;
  if (job->n_sensitivity == 0)
    return SS_OK;
  return ss_sensitivity_inputs_new (job->scenario, job->plan, job->sensitivity, job->n_sensitivity, &s->inputs, err);
}

/* The slopes as a motion beside the answer, to be kept with it. */
static SsStatus
add_slopes (SsRunResult *result, SsError *err)
{
  SsTrajectory *slopes;
  SsStatus status = ss_trajectory_copy (result->sensitivity->slopes, &slopes, err);
  return status == SS_OK ? ss_run_add_motion (result, &slopes, SS_MOTION_SLOPES, 0, NAN, err) : status;
}

/* What was simulated becomes the record, judged. Takes all of `simulated`. */
static SsStatus
record_motion (Simulation *s, SsSimResult *simulated, SsError *err)
{
  const SsScene *scene = s->job->scenario->scene;
  SsRunResult *result = s->result;
  const SsMotionLaw law = ss_integrator_contact_law (scene, s->job->integrator, s->job->options);
  const double begun = isnan (s->frames.first_wall) ? s->start : s->frames.first_wall;
  double judged_wall, judged_cpu;

  result->stages = simulated->stages;
  result->events = simulated->events;
  result->sensitivity = simulated->sensitivity;
  simulated->sensitivity = NULL;
  result->outcome = simulated->outcome;
  result->every = simulated->every;
  if (result->every > 1) { /* those of the rows that are kept say nothing */
    ss_trajectory_free (result->stages);
    result->stages = NULL;
  }
  ss_run_watch_times (s->watch, &judged_wall, &judged_cpu);
  fill_times (&result->metrics, begun - s->start, ss_clock_wall () - begun - judged_wall,
              ss_clock_thread_cpu () - (isnan (s->frames.first_cpu) ? s->start_cpu : s->frames.first_cpu) - judged_cpu);
  SsStatus status = ss_run_add_answer (result, &simulated->trajectory, err);
  if (status == SS_OK)
    status = ss_run_take_fan (scene, simulated, result, err);
  if (status == SS_OK && result->sensitivity != NULL)
    status = ss_run_sides (s->job, s->dt, s->t_end, s->inputs, result, s->control, err);
  if (status == SS_OK && result->sensitivity != NULL)
    status = add_slopes (result, err);
  ss_fan_branches_free (simulated->branches, simulated->n_branches);
  if (status == SS_OK && result->events == NULL && !simulated->is_watched)
    status = ss_events_find (scene, ss_run_motion (result), simulated->points, &result->events, err);
  ss_point_impulses_free (simulated->points);
  if (status == SS_OK && simulated->is_watched) {
    fill_own (&simulated->metrics, result);
    status = ss_run_watch_end (s->watch, result, err);
  } else if (status == SS_OK)
    status = fill_motion_set (scene, &law, &simulated->metrics, s->control, result, err);
  if (status == SS_OK && result->fan != NULL)
    status = ss_run_judge_fan (scene, &law, s->control, result, err);
  return status;
}

/* How it ended: our own look first, then what the integrator said. */
static void
describe_motion (const Simulation *s, const SsSimResult *simulated)
{
  SsRunResult *result = s->result;

  if (result->outcome == SS_OUTCOME_COMPLETED && !trajectory_is_finite (ss_run_motion (result))) {
    result->outcome = SS_OUTCOME_DIVERGED;
    snprintf (result->message, sizeof result->message, "the motion is not finite");
  }
  ss_run_append_text (result->message, sizeof result->message, simulated->message);
  ss_run_append_text (result->message, sizeof result->message, s->asked);
  if (result->message[0] == '\0') {
    char penetration[16];
    snprintf (result->message, sizeof result->message, "%d steps, deepest penetration %s m", simulated->metrics.steps,
              ss_run_format_short (ss_metric_get (&result->metrics, SS_METRIC_MAX_PENETRATION), penetration));
  }
}

/* Of a replay: how far it is from its plan, and from what the task aims at. */
static SsStatus
compare_replay (const Simulation *s, SsError *err)
{
  const SsSimulateJob *job = s->job;
  SsRunResult *result = s->result;
  bool is_replay = false;
  SsStatus status = compare_with_plan (job, result, &is_replay, err);

  if (status == SS_OK && is_replay && isnan (job->dt) && is_plain_replay (job) && !job->integrator->is_stream &&
      result->outcome == SS_OUTCOME_COMPLETED)
    status = ss_run_judge_replay (job->scenario->scene, job->plan, job->integrator, job->options, result, err);
  measure_goal (job->scenario, ss_run_motion (result), &result->metrics);
  return status == SS_OK ? value_replay (job, result, err) : status;
}

/* The plan in other worlds than its own. */
static SsStatus
replay_elsewhere (const Simulation *s, SsError *err)
{
  const SsSimulateJob *job = s->job;
  const SsWorldsOptions options = {
      .n = job->worlds, .seed = job->worlds_seed, .work = INFINITY, .has_open = true, .feedback = job->feedback};
  SsPlanWorlds worlds;
  SsStatus status = ss_plan_worlds (job->believed != NULL ? job->believed : job->scenario, job->plan, &options,
                                    s->control, &worlds, err);

  if (status != SS_OK)
    return status;
  status = ss_plan_worlds_tell (&worlds, s->result, err);
  ss_plan_worlds_clear (&worlds);
  return status;
}

/* Rows of stages become rows of the motion, which is judged by then: what is known of it is that of its steps. */
static SsStatus
take_stage_rows (const Simulation *s, SsError *err)
{
  SsRunResult *result = s->result;
  SsTrajectory *motion = ss_run_own_motion (result);

  if (ss_integrator_keeps_stages (s->job->integrator, s->job->options) == 0 || motion == NULL)
    return SS_OK;
  if (s->stage_rows == NULL || result->stages == NULL) {
    ss_run_control_log (s->control, SS_LOG_WARNING, "no rows of stages are kept: the motion is a fan");
    return SS_OK;
  }
  const SsStatus status = ss_stage_rows_insert (motion, s->stage_rows, result->stages, err);
  ss_trajectory_free (result->stages); /* they count rows that were */
  result->stages = NULL;
  return status;
}

/* The rows of the motion so far come before those that were judged. */
static SsStatus
join_past (Simulation *s, SsError *err)
{
  SsRunResult *result = s->result;
  SsTrajectory *motion = ss_run_own_motion (result);
  char note[64];

  if (s->past == NULL || motion == NULL)
    return SS_OK;
  const SsStatus status = ss_past_join (s->past, motion, result->stages, err);
  snprintf (note, sizeof note, "on from t = %.9g s", ss_past_t (s->past));
  ss_run_append_text (result->message, sizeof result->message, note);
  return status;
}

static SsStatus
simulate (Simulation *s, SsError *err)
{
  const SsSimulateJob *job = s->job;
  SsSimResult simulated = {0};
  bool goes_on = true;
  SsStatus status = check_times (s, err);

  if (status == SS_OK && job->past != NULL)
    status = ss_run_check_past (job, err);
  if (status == SS_OK)
    status = make_inputs (s, err);
  if (status == SS_OK && job->plan != NULL)
    status = take_plan (s, &goes_on, err);
  if (status == SS_OK && job->past != NULL)
    status = take_past (s, err);
  if (status != SS_OK || !goes_on)
    return status;
  if (s->past != NULL)
    ss_run_past_warn (job, s->past, s->control);
  if (job->integrator->set_proposer != NULL)
    status = ss_step_homotopy_new (job->scenario, scene_of (s), s->control, &s->homotopy, err);
  if (status == SS_OK) {
    const SsMotionLaw law = ss_integrator_contact_law (job->scenario->scene, job->integrator, job->options);
    status = ss_run_watch_new (job->scenario->scene, &law, !job->integrator->gives_events, s->control, &s->watch, err);
  }
  if (status == SS_OK)
    ss_run_watch_set_beside (s->watch, job->watch);
  if (status == SS_OK && s->past != NULL)
    ss_run_watch_set_taken_before (s->watch, ss_past_taken (s->past));
  if (status == SS_OK)
    status = drive (s, &simulated, err);
  s->stage_rows = simulated.stage_rows; /* of all that is simulated, the one thing that the result does not take */
  if (status == SS_OK)
    status = record_motion (s, &simulated, err);
  if (status != SS_OK)
    return status;
  describe_motion (s, &simulated);
  if (job->plan != NULL)
    status = compare_replay (s, err);
  if (status == SS_OK && job->worlds > 0 && s->result->outcome == SS_OUTCOME_COMPLETED)
    status = replay_elsewhere (s, err);
  if (status != SS_OK)
    return status;
  ss_run_refuse_nonsense (job->scenario->scene, job->integrator, job->options, &simulated.metrics, s->control,
                          s->result);
  if (simulated.n_without_channels == job->scenario->scene->n_contacts && simulated.n_without_channels > 0)
    ss_run_control_log (s->control, SS_LOG_INFO,
                        "no contact has channels: none of %d did anything, or more than %d did",
                        simulated.n_without_channels, SS_CONTACTS_WITH_CHANNELS_MAX);
  if (job->every > 1 && s->result->every <= 1)
    ss_run_control_log (s->control, SS_LOG_WARNING,
                        "all rows are kept, not those of every %d steps: motions that fork, "
                        "and those with numerical time, are judged as a whole",
                        job->every);
  status = find_events (job, s->control, s->result, err);
  if (status == SS_OK)
    status = take_stage_rows (s, err);
  if (status == SS_OK)
    status = join_past (s, err);
  return status;
}

static SsStatus
run_in_own_world (const SsSimulateJob *job, SsRunControl *control, SsRunResult *result, SsError *err)
{
  SsRunControl silent;
  Simulation s = {.job = job,
                  .control = control,
                  .result = result,
                  .dt = isnan (job->dt) ? default_step (job) : job->dt,
                  .t_end = isnan (job->t_end) ? job->scenario->task.t_end : job->t_end,
                  .start = ss_clock_wall (),
                  .start_cpu = ss_clock_thread_cpu ()};

  if (control == NULL) {
    ss_run_control_init (&silent);
    s.control = &silent;
  }
  const SsStatus status = simulate (&s, err);
  simulation_clear (&s);
  return status;
}

/* In a world whose contacts have another friction. */
static SsStatus
run_in_world (const SsSimulateJob *job, SsRunControl *control, SsRunResult *result, SsError *err)
{
  SsScenario world = *job->scenario;
  SsScene scene = *world.scene;
  SsContact *contacts = ss_new_array (SsContact, scene.n_contacts + 1);
  SsSimulateJob own = *job;

  if (contacts == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  for (int i = 0; i < scene.n_contacts; i++) {
    contacts[i] = scene.contacts[i];
    contacts[i].mu *= job->friction;
  }
  scene.contacts = contacts;
  world.scene = &scene;
  own.scenario = &world;
  own.believed = job->believed != NULL ? job->believed : job->scenario;
  own.friction = 0;
  const SsStatus status = run_in_own_world (&own, control, result, err);
  ss_free (contacts);
  return status;
}

/* ---- the doors --------------------------------------------------------------------------------------------------- */

SsStatus
ss_run_simulate (const SsSimulateJob *job, SsRunControl *control, SsRunResult *result, SsError *err)
{
  SS_ASSERT (job != NULL && job->scenario != NULL && job->scenario->scene != NULL && job->integrator != NULL);
  return job->friction > 0 ? run_in_world (job, control, result, err) : run_in_own_world (job, control, result, err);
}

SsStatus
ss_run_check_past (const SsSimulateJob *job, SsError *err)
{
  SS_ASSERT (job != NULL && job->past != NULL && job->scenario != NULL && job->integrator != NULL);
  const double t_end = isnan (job->t_end) ? job->scenario->task.t_end : job->t_end;
  const SsForkClass *fork = job->integrator->fork;
  SsPast *past;

  if (job->plan != NULL || job->n_sensitivity > 0)
    return ss_error_set (err, SS_ERR_INVALID, "%s from the start on: it cannot go on from another motion",
                         job->plan != NULL ? "a replay follows its plan" : "derivatives are followed");
  if (job->integrator->is_stream)
    return ss_error_set (err, SS_ERR_INVALID,
                         "%s tells its motion from the start on: it cannot go on from another motion",
                         job->integrator->name);
  if (fork != NULL && fork->most (job->options) > 1)
    return ss_error_set (err, SS_ERR_INVALID, "a fan begins with its scene: it cannot go on from another motion");
  if (job->scenario->scene == NULL)
    return ss_error_set (err, SS_ERR_INVALID, "'%s' is no scene: no simulation goes on in it", job->scenario->name);
  SsStatus status = ss_past_new (job->scenario->scene, job->past, &past, err);
  if (status == SS_OK && !(ss_past_t (past) < t_end))
    status = ss_error_set (err, SS_ERR_INVALID, "the motion so far ends at t = %.9g s, and the horizon at %.9g s",
                           ss_past_t (past), t_end);
  ss_past_free (past);
  return status;
}

SsStatus
ss_run_result_from_motion (const SsScene *scene, const SsMotionLaw *law, SsOutcome outcome, SsSimResult *simulated,
                           SsRunResult *result, SsError *err)
{
  SS_ASSERT (scene != NULL && simulated != NULL && simulated->trajectory != NULL && simulated->trajectory->n_rows > 0);
  const SsSimMetrics own = {.steps = simulated->metrics.steps,
                            .own_residual = ss_run_largest (simulated->trajectory, SS_QUANTITY_RESIDUAL)};
  SsStatus status;

  ss_run_result_init (result);
  result->outcome = outcome;
  result->stages = simulated->stages;
  result->events = simulated->events;
  simulated->stages = NULL;
  simulated->events = NULL;
  fill_times (&result->metrics, NAN, NAN, NAN);
  status = ss_run_add_answer (result, &simulated->trajectory, err);
  if (status == SS_OK)
    status = fill_motion_set (scene, law, &own, NULL, result, err);
  if (status != SS_OK)
    ss_run_result_clear (result);
  return status;
}

SsStatus
ss_run_keep_frames (const SsSimulateJob *job, int steps, SsTrajectory **frames, SsRunResult *result, SsError *err)
{
  SS_ASSERT (job != NULL && result != NULL);

  const SsIntegratorClass *integrator = job->integrator;
  const SsMotionLaw law = ss_integrator_contact_law (job->scenario->scene, integrator, job->options);
  const bool has_rows = frames != NULL && *frames != NULL, has_rows_within = integrator->gives_stages;
  const SsSimMetrics own = {.steps = has_rows_within ? -1 : steps, /* which are counted in rows */
                            .own_residual = has_rows ? ss_run_largest (*frames, SS_QUANTITY_RESIDUAL) : NAN};
  bool is_replay;
  SsStatus status = SS_OK;

  fill_times (&result->metrics, 0, 0, 0);
  result->lacks_stages = integrator->gives_stages;
  result->every = job->every;
  if (has_rows)
    status = ss_run_add_answer (result, frames, err);
  if (status == SS_OK)
    status = fill_motion_set (job->scenario->scene, &law, &own, NULL, result, err);
  if (!has_rows)
    return status;
  /* Else they went with the step that did not come back. */
  if (status == SS_OK && !integrator->gives_events)
    status = find_events (job, NULL, result, err);
  if (status == SS_OK && job->plan != NULL)
    status = compare_with_plan (job, result, &is_replay, err);
  return status;
}
