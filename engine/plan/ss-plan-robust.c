/* engine/plan/ss-plan-robust.c: see the header. */
#include "plan/ss-plan-robust.h"

#include "core/ss-memory.h"
#include "core/ss-relay.h"
#include "core/ss-work.h"
#include "nlp/ss-crisp.h"
#include "plan/ss-feedback.h"
#include "plan/ss-lazy-contacts.h"
#include "plan/ss-plan-solve.h"
#include "plan/ss-plan-worlds.h"
#include "transcribe/ss-transcribe-copies.h"
#include "transcribe/ss-transcriptions.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Of the horizon, in which a copy may leave its goal by its speed. */
static const double LEAVES = 0.1;
/* Worlds nearer to one of the problem than this part of their ranges are the same. */
static const double ANOTHER = 0.1;
/* Of what limits leave: the replays of the answer in other worlds are still to be made. */
static const double LIMIT_PART = 0.6;
#define FIELD(field) offsetof (SsCrispOptions, field)
/* Counted work of one problem [s]. */
static const double SOLVE_WORK = 10;

/* What the replays of a plan in all worlds of planning came to. */
typedef struct {
  int n_held, n;
  double *miss; /* by worlds: of what counts as held, 1 is the limit; infinite: failed */
} Tried;

typedef struct {
  const SsSolveJob *job;
  const SsScenario *scenario;
  SsRunControl *control;
  SsWorldDraw *draw;
  int n_worlds, n_numbers;
  double *numbers; /* n_worlds x n_numbers */
  SsPlanGoal *goals;
  int n_goals;
  SsFeedbackOptions feedback;   /* NONE: the same controls in all */
  int copies[SS_ROBUST_COPIES]; /* worlds in the problem, beside the nominal one */
  int n_copies;
} Robust;

/* A copy of the scene as a plan of its own. Must not move once it is open. */
typedef struct {
  SsWorld world;
  SsPlan plan;
  SsPlanTarget *targets; /* owned, as all below */
  SsPlanConstraint *constraints;
  double *effort;
  int *candidates;
  SsTranscript *transcript;
  double *x;
} Copy;

/* ---- worlds ------------------------------------------------------------------------------------------------------ */

static SsStatus
draw_worlds (Robust *r, SsError *err)
{
  const SsPlan *task = r->scenario->task.plan;
  SsStatus status = ss_world_draw_new (r->scenario, task->world_seed, &r->draw, err);

  if (status != SS_OK)
    return status;
  r->n_numbers = ss_world_draw_n_numbers (r->draw);
  const int n_corners = r->n_numbers <= SS_ROBUST_CORNERS ? 1 << r->n_numbers : 0;
  r->n_worlds = n_corners + task->world_samples;
  r->numbers = ss_new_array (double, (size_t)r->n_worlds *(size_t)r->n_numbers + 1);
  r->goals = ss_new_array (SsPlanGoal, task->n_targets + r->scenario->scene->n_bodies + 1);
  if (r->numbers == NULL || r->goals == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  for (int w = 0; w < r->n_worlds; w++)
    for (int i = 0; i < r->n_numbers; i++) {
      double value, range[2];

      ss_world_draw_range (r->draw, i, &value, &range[0], &range[1]);
      if (w < n_corners)
        r->numbers[w * r->n_numbers + i] = range[w >> i & 1];
      else if (i == 0)
        ss_world_draw_next (r->draw, &r->numbers[w * r->n_numbers]);
    }
  return SS_OK;
}

static void
tried_clear (Tried *tried)
{
  ss_free (tried->miss);
  *tried = (Tried){0};
}

static double
miss_of (const Robust *r, const SsTrajectory *motion)
{
  double miss, angle;

  ss_plan_goals_miss (r->scenario->scene, r->goals, r->n_goals, motion, &miss, &angle);
  return fmax (miss / SS_PLAN_GOAL_NEAR, angle / SS_PLAN_GOAL_ANGLE);
}

/* The plan in all worlds of planning; told to stop, in the first of them. */
static SsStatus
try_plan (const Robust *r, const SsTrajectory *plan, Tried *out, SsError *err)
{
  SsFeedback *feedback = NULL; /* the same gains in all: LQR remembers nothing */
  SsStatus status = SS_OK;
  SsOutcome why;

  *out = (Tried){.miss = ss_new_array (double, r->n_worlds + 1)};
  if (out->miss == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  if (r->feedback.kind != SS_CONTROLLER_NONE)
    status = ss_feedback_new (r->scenario, plan, &r->feedback, r->control, &feedback, err);
  for (int w = 0; w < r->n_worlds && status == SS_OK && !ss_run_control_should_stop (r->control, &why); w++) {
    SsSimResult simulated = {0};
    SsWorld world;

    status = ss_world_open (r->draw, &r->numbers[w * r->n_numbers], &world, err);
    if (status == SS_OK)
      status = ss_plan_worlds_replay (r->scenario, &world, plan, NULL, feedback, r->control, &simulated, err);
    if (status == SS_OK) {
      out->miss[w] = simulated.outcome == SS_OUTCOME_COMPLETED ? miss_of (r, simulated.trajectory) : INFINITY;
      out->n_held += out->miss[w] <= 1;
      out->n = w + 1;
      ss_sim_result_clear (&simulated);
    }
    ss_world_close (&world);
  }
  ss_feedback_free (feedback);
  return status;
}

/* ---- the feedback ------------------------------------------------------------------------------------------------ */

/* The law of a feedback along a plan, and what it is made of. */
typedef struct {
  SsCopiesLaw law;
  char (*names)[SS_CHANNEL_NAME_MAX]; /* owned, as all: of controls, then of states */
  const char **listed;
  double *gains;
} Law;

static void
law_clear (Law *law)
{
  ss_free (law->names);
  ss_free (law->listed);
  ss_free (law->gains);
  *law = (Law){0};
}

/* Gains of LQR along the plan, fixed for one problem. */
static SsStatus
make_law (const Robust *r, const SsTrajectory *plan, Law *out, SsError *err)
{
  const SsScene *scene = r->scenario->scene;
  SsPlanLqr *lqr = NULL;
  SsStatus status = ss_plan_lqr_new (scene, plan, &r->feedback.weights, r->control, &lqr, err);

  *out = (Law){0};
  if (status != SS_OK || lqr == NULL)
    return status;
  const int m = scene->n_actuators, n = ss_plan_lqr_n_states (lqr), n_steps = ss_plan_lqr_n_steps (lqr);
  out->names = ss_alloc ((size_t)(m + n) + 1, sizeof *out->names);
  out->listed = ss_new_array (const char *, m + n + 1);
  out->gains = ss_new_array (double, (size_t)n_steps *(size_t)(m * n) + 1);
  if (out->names == NULL || out->listed == NULL || out->gains == NULL) {
    ss_plan_lqr_free (lqr);
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  }
  for (int i = 0; i < m + n; i++) {
    const int x = i - m, coordinate = x >= 0 ? ss_plan_lqr_coordinate (lqr, x % (n / 2)) : 0;

    if (x < 0)
      snprintf (out->names[i], sizeof *out->names, "u.%s", scene->actuators[i].name);
    else
      snprintf (out->names[i], sizeof *out->names, "%s.%s", scene->bodies[coordinate / 3].name,
                ss_body_channels[coordinate % 3 + (x < n / 2 ? 0 : 3)]);
    out->listed[i] = out->names[i];
  }
  for (int k = 0; k < n_steps; k++)
    memcpy (out->gains + (size_t)k * (size_t)(m * n), ss_plan_lqr_gain (lqr, k), (size_t)(m * n) * sizeof (double));
  out->law = (SsCopiesLaw){m, n, n_steps, out->listed, out->listed + m, out->gains};
  ss_plan_lqr_free (lqr);
  return SS_OK;
}

/* ---- the copies -------------------------------------------------------------------------------------------------- */

/* How far a world's numbers are from the nearest of the problem, its own among them, in parts of their ranges. */
static double
distance_of (const Robust *r, int world)
{
  double least = INFINITY;

  for (int i = -1; i < r->n_copies; i++) {
    double sum = 0;

    for (int k = 0; k < r->n_numbers; k++) {
      double own, range[2];

      ss_world_draw_range (r->draw, k, &own, &range[0], &range[1]);
      const double other = i < 0 ? own : r->numbers[r->copies[i] * r->n_numbers + k],
                   off = r->numbers[world * r->n_numbers + k] - other;
      sum += range[1] > range[0] ? off * off / ((range[1] - range[0]) * (range[1] - range[0])) : 0;
    }
    least = fmin (least, sqrt (sum));
  }
  return least;
}

/* Adds the world where the plan misses by most, of those that are none of the problem's; false: there is none, or no
 * room. */
static bool
add_copy (Robust *r, const Tried *tried)
{
  int worst = -1;

  for (int w = 0; w < tried->n && r->n_copies < SS_ROBUST_COPIES; w++)
    if (tried->miss[w] > 1 && distance_of (r, w) > ANOTHER && (worst < 0 || tried->miss[w] > tried->miss[worst]))
      worst = w;
  if (worst >= 0)
    r->copies[r->n_copies++] = worst;
  return worst >= 0;
}

/* value - x >= -by and x - value >= -by at the last point. */
static void
add_range (Copy *copy, SsGraph *g, const SsPlanTarget *target, int c, double by)
{
  const SsExpr x = ss_graph_input (g, 6 * target->body + c), value = ss_graph_constant (g, target->value[c]),
               room = ss_graph_constant (g, by);
  const SsExpr off = ss_graph_binary (g, SS_OP_SUB, x, value);
  SsPlanConstraint *rows = &copy->constraints[copy->plan.n_constraints];

  rows[0] = (SsPlanConstraint){.name = "goal",
                               .kind = SS_ROWS_NONNEGATIVE,
                               .points = SS_PLAN_LAST,
                               .row = ss_graph_binary (g, SS_OP_ADD, room, off),
                               .path = "task.targets"};
  rows[1] = rows[0];
  rows[1].row = ss_graph_binary (g, SS_OP_SUB, room, off);
  copy->plan.n_constraints += 2;
}

/* The task in another world: ranges in the place of exact targets, and no cost. */
static void
loosen (Copy *copy, SsGraph *g)
{
  const double time = LEAVES * copy->plan.horizon;
  const double room[SS_PLAN_COORDINATES] = {SS_ROBUST_NEAR,        SS_ROBUST_NEAR,        SS_ROBUST_ANGLE,
                                            SS_ROBUST_NEAR / time, SS_ROBUST_NEAR / time, SS_ROBUST_ANGLE / time};

  for (int i = 0; i < copy->plan.n_targets; i++)
    for (int c = 0; c < SS_PLAN_COORDINATES; c++)
      if (!isnan (copy->targets[i].value[c]) && isinf (copy->targets[i].weight[c]))
        add_range (copy, g, &copy->targets[i], c, room[c]);
  copy->plan.constraints = copy->constraints;
  copy->plan.n_targets = copy->plan.n_costs = 0;
  copy->plan.effort = copy->effort;
  copy->plan.effort_rate = copy->plan.time_weight = 0;
}

/* `world` -1: the scenario's own. */
static SsStatus
open_copy (const Robust *r, int world, Copy *copy, SsError *err)
{
  const SsPlan *task = r->scenario->task.plan;

  if (world < 0) {
    copy->world.scenario = *r->scenario;
    copy->plan = *task;
    copy->world.scenario.task.plan = &copy->plan;
    return SS_OK;
  }
  const SsStatus status = ss_world_open (r->draw, &r->numbers[world * r->n_numbers], &copy->world, err);
  if (status != SS_OK)
    return status;
  copy->plan = *copy->world.scenario.task.plan;
  copy->targets = ss_new_array (SsPlanTarget, task->n_targets + 1);
  copy->constraints =
      ss_new_array (SsPlanConstraint, copy->plan.n_constraints + 2 * SS_PLAN_COORDINATES * (size_t)task->n_targets + 1);
  copy->effort = ss_new_array (double, r->scenario->scene->n_actuators + 1);
  if (copy->targets == NULL || copy->constraints == NULL || copy->effort == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  for (int i = 0; i < task->n_targets; i++)
    copy->targets[i] = copy->plan.targets[i];
  for (int i = 0; i < copy->plan.n_constraints; i++)
    copy->constraints[i] = copy->plan.constraints[i];
  loosen (copy, copy->world.reading->graph);
  copy->world.scene.graph = copy->world.reading->graph; /* which a scene without formulas does not have */
  copy->world.scenario.task.plan = &copy->plan;
  return SS_OK;
}

static void
close_copy (Copy *copy)
{
  ss_transcript_free (copy->transcript);
  ss_free (copy->targets);
  ss_free (copy->constraints);
  ss_free (copy->effort);
  ss_free (copy->candidates);
  ss_free (copy->x);
  ss_world_close (&copy->world);
  *copy = (Copy){0};
}

/* Contacts that the plan touches, and those of the first guess by geometry, in all copies. */
static SsStatus
choose_contacts (const Robust *r, const SsTrajectory *plan, Copy *copies, int n, SsError *err)
{
  SsLazyContacts contacts;
  SsLazyScenario lazy;
  SsStatus status = ss_lazy_contacts_new (r->scenario, &contacts, err);

  if (status != SS_OK)
    return status;
  if (ss_lazy_contacts_touch (&contacts, plan) < 0)
    status = ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  if (status == SS_OK)
    status = ss_lazy_scenario_new (&contacts, &lazy, err);
  if (status == SS_OK) {
    for (int i = 0; i < n && status == SS_OK; i++) {
      copies[i].candidates = ss_new_array (int, lazy.plan.n_candidates + 1);
      if (copies[i].candidates == NULL) {
        status = ss_error_set (err, SS_ERR_MEMORY, "out of memory");
        break;
      }
      for (int c = 0; c < lazy.plan.n_candidates; c++)
        copies[i].candidates[c] = lazy.plan.candidates[c];
      copies[i].plan.candidates = copies[i].candidates;
      copies[i].plan.n_candidates = lazy.plan.n_candidates;
    }
    ss_lazy_scenario_clear (&lazy);
  }
  ss_lazy_contacts_clear (&contacts);
  return status;
}

static SsStatus
transcribe (const Robust *r, const SsTrajectory *plan, Copy *copy, SsError *err)
{
  SsTranscribeOptions options = r->job->transcription;

  options.contacts = SS_PLAN_CONTACTS_ALL; /* of its candidates */
  SsStatus status = ss_transcript_new (&copy->world.scenario, &options, &copy->transcript, err);
  if (status != SS_OK)
    return status;
  const SsModel *model = ss_transcript_model (copy->transcript)->model;
  copy->x = ss_new_array (double, (size_t)model->n_points *(size_t)model->n_variables + 1);
  if (copy->x == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  return ss_transcript_guess (copy->transcript, &copy->world.scenario, plan, copy->x, err);
}

/* ---- one problem ------------------------------------------------------------------------------------------------- */

/* user_data: a law, which ties the controls, or NULL. */
static bool
is_shared (void *user_data, const char *name)
{
  return (strncmp (name, "u.", 2) == 0 && user_data == NULL) || strcmp (name, "h") == 0 || strcmp (name, "time") == 0;
}

/* By CRISP, warm: the motion of the nominal copy, whatever the outcome is; NULL: none. */
static SsStatus
solve_copies (const Robust *r, const SsCopies *copies, const double *x0, SsTrajectory **motion, SsError *err)
{
  static const SsOptionValue warm[] = {{FIELD (preset), SS_CRISP_PRESET_WARM},
                                       {FIELD (confirm), false},
                                       {FIELD (certify), false},
                                       {FIELD (k_max), 100000}};
  SsCrispOptions options;
  const SsSolveJob job = {.scenario = copies->scenario,
                          .nlp = &ss_nlp_crisp,
                          .options = &options,
                          .x0 = x0,
                          .is_part = true,
                          .keeps_feasible = true};
  SsRunResult result;
  SsSilence silence;

  ss_nlp_init_options (&ss_nlp_crisp, true, &options);
  ss_transcription_suit (r->job->transcription.class_, &ss_nlp_crisp, &options);
  ss_options_give (ss_nlp_crisp.options, &options, warm, sizeof warm / sizeof *warm);
  ss_silence_init (&silence, r->control);
  silence.inner.work_limit = fmin (silence.inner.work_limit, ss_work_thread () + SOLVE_WORK * SS_WORK_SECOND);
  SsStatus status = ss_solve (&job, &silence.inner, &result, err);
  if (status != SS_OK)
    return status;
  ss_run_control_log (r->control, SS_LOG_INFO, "one control in %d worlds: %s, violation %.2g: %.200s", copies->n_models,
                      ss_outcome_name (result.outcome), ss_metric_get (&result.metrics, SS_METRIC_MAX_VIOLATION),
                      result.message);
  *motion = ss_run_motion (&result) != NULL ? ss_run_take_motion (&result) : NULL;
  ss_run_result_clear (&result);
  return SS_OK;
}

/* The motion of the nominal copy as a plan of the job, with all contacts; near it, where it misses rows. */
static SsStatus
judge (const Robust *r, const SsTrajectory *motion, SsRunResult *result, SsError *err)
{
  SsSolveJob job = *r->job;
  SsCrispOptions options;
  SsSilence silence;

  ss_nlp_init_options (&ss_nlp_crisp, true, &options);
  job.nlp = &ss_nlp_crisp;
  job.options = &options;
  job.cache = NULL;
  job.x0 = NULL;
  job.start = motion;
  job.takes_start = job.is_part = true;
  job.transcription.contacts = SS_PLAN_CONTACTS_ALL;
  ss_silence_init (&silence, r->control);
  return ss_plan_solve (&job, &silence.inner, result, err);
}

/* One problem of the nominal world and the copies, warm from `plan`. */
static SsStatus
solve_round (const Robust *r, const SsTrajectory *plan, SsRunResult *result, SsError *err)
{
  const int n = r->n_copies + 1;
  const SsScenario *models[SS_ROBUST_COPIES + 1];
  Copy copies[SS_ROBUST_COPIES + 1] = {0};
  SsCopies whole = {0};
  Law law = {0};
  SsTrajectory *motion = NULL;
  double *x0 = NULL;
  SsStatus status = SS_OK;

  for (int i = 0; i < n && status == SS_OK; i++)
    status = open_copy (r, i == 0 ? -1 : r->copies[i - 1], &copies[i], err);
  if (status == SS_OK)
    status = choose_contacts (r, plan, copies, n, err);
  for (int i = 0; i < n && status == SS_OK; i++) {
    status = transcribe (r, plan, &copies[i], err);
    models[i] = status == SS_OK ? ss_transcript_model (copies[i].transcript) : NULL;
  }
  if (status == SS_OK && r->feedback.kind != SS_CONTROLLER_NONE)
    status = make_law (r, plan, &law, err);
  if (status == SS_OK) {
    SsCopiesLaw *ties = law.gains != NULL ? &law.law : NULL;
    status = ss_copies_new (models, n, is_shared, ties, ties, &whole, err);
  }
  if (status == SS_OK) {
    const SsModel *model = whole.scenario->model;

    x0 = ss_new_array (double, (size_t)model->n_points *(size_t)model->n_variables + 1);
    if (x0 == NULL)
      status = ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  }
  for (int i = n - 1; i >= 0 && status == SS_OK; i--)
    ss_copies_put (&whole, models, i, copies[i].x, x0);
  if (status == SS_OK)
    status = solve_copies (r, &whole, x0, &motion, err);
  if (status == SS_OK && motion != NULL)
    status = judge (r, motion, result, err);
  ss_trajectory_free (motion);
  ss_free (x0);
  ss_copies_clear (&whole);
  law_clear (&law);
  for (int i = 0; i < n; i++)
    close_copy (&copies[i]);
  return status;
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

/* One problem more: its plan in `newest`, and what it came to in all worlds, in the place of those before. *goes_on:
 * false where there is none. */
static SsStatus
add_round (Robust *r, const SsTrajectory *plan, SsRunResult *newest, Tried *tried, bool *goes_on, SsRobust *out,
           SsError *err)
{
  SsRunResult result;
  Tried now = {0};

  ss_run_result_init (&result);
  SsStatus status = solve_round (r, plan, &result, err);
  out->n_rounds++;
  if (status == SS_OK && result.outcome == SS_OUTCOME_SOLVED)
    status = try_plan (r, ss_run_motion (&result), &now, err);
  else if (status == SS_OK)
    snprintf (out->why, sizeof out->why, "one control for %d worlds was not found: %.150s", r->n_copies + 1,
              result.message);
  *goes_on = status == SS_OK && now.n == r->n_worlds;
  if (*goes_on) {
    ss_run_control_log (r->control, SS_LOG_INFO, "planned for %d worlds it holds in %d of %d, before in %d",
                        r->n_copies + 1, now.n_held, now.n, tried->n_held);
    ss_run_result_clear (newest);
    *newest = result;
    tried_clear (tried);
    *tried = now;
    return SS_OK;
  }
  ss_run_result_clear (&result);
  tried_clear (&now);
  return status;
}

/* Takes the newest plan as the best so far; the best before is the newest then, which nothing needs any more. */
static void
take_best (const Robust *r, const Tried *tried, SsRunResult *newest, SsRobust *out)
{
  const SsRunResult before = out->result;

  out->result = *newest;
  *newest = before;
  out->is_found = true;
  out->n_after = tried->n_held;
  out->n_copies = r->n_copies + 1;
}

/* Problem after problem, while worlds fail and there is room for them, each from the plan of the one before. */
static SsStatus
go_round (Robust *r, const SsTrajectory *nominal, SsRobust *out, SsError *err)
{
  const SsTrajectory *plan = nominal;
  SsRunResult newest; /* where it is not the best */
  Tried tried = {0};
  bool goes_on = true;
  SsOutcome why;
  SsStatus status = try_plan (r, plan, &tried, err);

  ss_run_result_init (&newest);
  out->n_worlds = r->n_worlds;
  out->n_before = out->n_after = tried.n_held;
  while (status == SS_OK && goes_on && !ss_run_control_should_stop (r->control, &why) && add_copy (r, &tried)) {
    status = add_round (r, plan, &newest, &tried, &goes_on, out, err);
    if (!goes_on)
      break;
    const bool is_better = tried.n_held > out->n_after;
    if (is_better)
      take_best (r, &tried, &newest, out);
    plan = ss_run_motion (is_better ? &out->result : &newest);
  }
  ss_run_result_clear (&newest);
  tried_clear (&tried);
  return status;
}

bool
ss_plan_robust_wants (const SsSolveJob *job)
{
  return ss_plan_worlds_can (job->scenario) && job->scenario->task.plan->n_ranges > 0 &&
         (job->transcription.class_ == NULL || job->transcription.class_ == &ss_transcription_time_stepping);
}

SsStatus
ss_plan_robust (const SsSolveJob *job, const SsTrajectory *nominal, SsRunControl *control, SsRobust *out, SsError *err)
{
  SS_ASSERT (ss_plan_robust_wants (job) && nominal != NULL && out != NULL);
  const double started = ss_clock_thread_cpu ();
  SsSilence silence;
  Robust r = {.job = job, .scenario = job->scenario, .control = &silence.inner, .feedback = SS_FEEDBACK_OPTIONS};
  SsStatus status = SS_OK;

  *out = (SsRobust){0};
  ss_run_result_init (&out->result);
  if (job->scenario->task.plan->world_feedback == SS_PLAN_WORLDS_LQR)
    r.feedback.kind = SS_CONTROLLER_LQR;
  ss_silence_init (&silence, control);
  if (isfinite (silence.inner.cpu_limit))
    silence.inner.cpu_limit -= (1 - LIMIT_PART) * fmax (silence.inner.cpu_limit - ss_run_control_cpu (control), 0);
  if (isfinite (silence.inner.deadline))
    silence.inner.deadline -= (1 - LIMIT_PART) * fmax (silence.inner.deadline - ss_clock_wall (), 0);
  silence.inner.work_limit = fmin (silence.inner.work_limit, ss_work_thread () + SS_ROBUST_WORK * SS_WORK_SECOND);
  status = draw_worlds (&r, err);
  if (status == SS_OK) {
    r.n_goals = ss_plan_goals (job->scenario, nominal, r.goals);
    status = go_round (&r, nominal, out, err);
  }
  ss_world_draw_free (r.draw);
  ss_free (r.numbers);
  ss_free (r.goals);
  out->cpu = ss_clock_thread_cpu () - started;
  if (status != SS_OK)
    ss_plan_robust_clear (out);
  return status;
}

void
ss_plan_robust_clear (SsRobust *robust)
{
  SS_ASSERT (robust != NULL);
  ss_run_result_clear (&robust->result);
  *robust = (SsRobust){0};
}
