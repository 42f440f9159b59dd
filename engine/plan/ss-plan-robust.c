/* engine/plan/ss-plan-robust.c: see the header. */
#include "plan/ss-plan-robust.h"

#include "core/ss-memory.h"
#include "core/ss-relay.h"
#include "core/ss-work.h"
#include "nlp/ss-crisp.h"
#include "plan/ss-lazy-contacts.h"
#include "plan/ss-plan-solve.h"
#include "plan/ss-plan-worlds.h"
#include "plan/ss-world-draw.h"
#include "simulate/ss-replay.h"
#include "transcribe/ss-transcribe-copies.h"
#include "transcribe/ss-transcriptions.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Steps of a replay in one of the plan; of the horizon, in which a copy may leave its goal by its speed. */
enum { PARTS = 10 };
static const double LEAVES = 0.1;
/* Counted work of one problem [s]. */
static const double SOLVE_WORK = 10;

/* What the replays of a plan in all worlds of planning came to. */
typedef struct {
  int n_held, n;
  double *miss;    /* by worlds: of what counts as held, 1 is the limit; infinite: failed */
  double *towards; /* 3 a goal and world: where it ends, from the goal */
} Tried;

typedef struct {
  const SsSolveJob *job;
  const SsScenario *scenario;
  SsRunControl *control;
  SsWorldDraw *draw;
  int n_worlds, n_numbers;
  double *numbers; /* n_worlds x n_numbers */
  SsWorldsGoal *goals;
  int n_goals;
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
  SsTrajectory *motion; /* to start from */
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
  r->goals = ss_new_array (SsWorldsGoal, task->n_targets + r->scenario->scene->n_bodies + 1);
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

/* The plan's controls in a world, by its own law at its own steps, or by another at a tenth of them. */
static SsStatus
replay (const Robust *r, const SsWorld *world, const SsTrajectory *plan, bool is_own_law, SsSimResult *simulated,
        SsError *err)
{
  const SsTranscribeOptions implicit = {.class_ = &ss_transcription_time_stepping};
  const SsIntegratorClass *integrator =
      is_own_law ? ss_transcription_time_stepping.law.integrator : &ss_integrator_moreau_jean;
  SsReplay *replay = NULL;
  void *options = ss_alloc (1, integrator->options->size + 1);
  SsStatus status = options != NULL ? ss_replay_new (&world->scene, plan, &replay, err)
                                    : ss_error_set (err, SS_ERR_MEMORY, "out of memory");

  if (status == SS_OK) {
    const double end = ss_replay_t_end (replay);

    ss_options_init (integrator->options, options);
    if (is_own_law)
      ss_options_give (integrator->options, options, ss_transcribe_law_option (&implicit), 1);
    for (int b = 0; b < world->scene.n_bodies; b++)
      for (int c = 0; c < 6; c++) {
        const SsBody *body = &world->scene.bodies[b], *own = &r->scenario->scene->bodies[b];

        if (!body->is_fixed)
          ss_replay_disturb (replay, b, c, c < 3 ? body->q[c] - own->q[c] : body->v[c - 3] - own->v[c - 3]);
      }
    status = ss_simulate_job (&(SsSimJob){.scene = ss_replay_scene (replay),
                                          .integrator = integrator,
                                          .options = options,
                                          .controls = ss_replay_controls (replay),
                                          .dt = is_own_law ? NAN : end / (plan->n_rows - 1) / PARTS,
                                          .t_end = end},
                              r->control, simulated, err);
  }
  ss_replay_free (replay);
  ss_free (options);
  return status;
}

static void
tried_clear (Tried *tried)
{
  ss_free (tried->miss);
  ss_free (tried->towards);
  *tried = (Tried){0};
}

static void
note_end (const Robust *r, int w, const SsTrajectory *motion, Tried *tried)
{
  double *towards = &tried->towards[3 * r->n_goals * w], miss, angle;

  ss_plan_worlds_miss (r->scenario->scene, r->goals, r->n_goals, motion, &miss, &angle);
  tried->miss[w] = fmax (miss / SS_WORLDS_NEAR, angle / SS_WORLDS_ANGLE);
  for (int i = 0; i < r->n_goals; i++)
    ss_plan_worlds_off (r->scenario->scene, &r->goals[i], motion, &towards[3 * i]);
}

/* The plan in all worlds of planning; told to stop, in the first of them. */
static SsStatus
try_plan (const Robust *r, const SsTrajectory *plan, Tried *out, SsError *err)
{
  SsStatus status = SS_OK;
  SsOutcome why;

  *out = (Tried){.miss = ss_new_array (double, r->n_worlds + 1),
                 .towards = ss_new_array (double, 3 * (size_t)r->n_goals * (size_t)r->n_worlds + 1)};
  if (out->miss == NULL || out->towards == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  for (int w = 0; w < r->n_worlds && status == SS_OK && !ss_run_control_should_stop (r->control, &why); w++) {
    SsSimResult simulated = {0};
    SsWorld world;

    status = ss_world_open (r->draw, &r->numbers[w * r->n_numbers], &world, err);
    if (status == SS_OK)
      status = replay (r, &world, plan, false, &simulated, err);
    if (status == SS_OK) {
      out->miss[w] = INFINITY;
      if (simulated.outcome == SS_OUTCOME_COMPLETED)
        note_end (r, w, simulated.trajectory, out);
      out->n_held += out->miss[w] <= 1;
      out->n = w + 1;
      ss_sim_result_clear (&simulated);
    }
    ss_world_close (&world);
  }
  return status;
}

/* ---- the copies -------------------------------------------------------------------------------------------------- */

static bool
is_copied (const Robust *r, int world)
{
  for (int i = 0; i < r->n_copies; i++)
    if (r->copies[i] == world)
      return true;
  return false;
}

/* Of those that miss, and to the other side of `other` (-1: any side), the one that misses by most; -1: none does. */
static int
find_worst (const Robust *r, const Tried *tried, int other)
{
  int worst = -1;

  for (int w = 0; w < tried->n; w++) {
    double along = 0;

    for (int i = 0; i < 3 * r->n_goals && other >= 0; i++)
      along += tried->towards[3 * r->n_goals * w + i] * tried->towards[3 * r->n_goals * other + i];
    if (!(tried->miss[w] > 1) || is_copied (r, w) || (other >= 0 && !(along < 0)))
      continue;
    if (worst < 0 || tried->miss[w] > tried->miss[worst])
      worst = w;
  }
  return worst;
}

/* False: no world that misses is left, or no room. */
static bool
add_copies (Robust *r, const Tried *tried)
{
  const int worst = find_worst (r, tried, -1);

  if (worst < 0 || r->n_copies == SS_ROBUST_COPIES)
    return false;
  const int other = isfinite (tried->miss[worst]) ? find_worst (r, tried, worst) : -1;
  r->copies[r->n_copies++] = worst;
  if (other >= 0 && r->n_copies < SS_ROBUST_COPIES)
    r->copies[r->n_copies++] = other;
  return true;
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

/* `world` -1: the scenario's own. Its motion is the plan's replay there, or the plan where that fails. */
static SsStatus
open_copy (const Robust *r, int world, const SsTrajectory *plan, Copy *copy, SsError *err)
{
  const SsPlan *task = r->scenario->task.plan;
  SsSimResult simulated = {0};
  SsStatus status = SS_OK;

  if (world < 0) {
    copy->world.scenario = *r->scenario;
    copy->plan = *task;
    copy->world.scenario.task.plan = &copy->plan;
    return ss_trajectory_copy (plan, &copy->motion, err);
  }
  status = ss_world_open (r->draw, &r->numbers[world * r->n_numbers], &copy->world, err);
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
  status = replay (r, &copy->world, plan, true, &simulated, err);
  if (status == SS_OK && simulated.outcome == SS_OUTCOME_COMPLETED) {
    copy->motion = simulated.trajectory;
    simulated.trajectory = NULL;
  } else if (status == SS_OK)
    status = ss_trajectory_copy (plan, &copy->motion, err);
  ss_sim_result_clear (&simulated);
  return status;
}

static void
close_copy (Copy *copy)
{
  ss_transcript_free (copy->transcript);
  ss_trajectory_free (copy->motion);
  ss_free (copy->targets);
  ss_free (copy->constraints);
  ss_free (copy->effort);
  ss_free (copy->candidates);
  ss_free (copy->x);
  ss_world_close (&copy->world);
  *copy = (Copy){0};
}

/* Contacts that any of the motions touches, in all copies. */
static SsStatus
choose_contacts (const Robust *r, Copy *copies, int n, SsError *err)
{
  SsLazyContacts contacts;
  SsLazyScenario lazy;
  SsStatus status = ss_lazy_contacts_new (r->scenario, &contacts, err);

  if (status != SS_OK)
    return status;
  for (int i = 0; i < n && status == SS_OK; i++)
    if (ss_lazy_contacts_touch (&contacts, copies[i].motion) < 0)
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
transcribe (const Robust *r, Copy *copy, SsError *err)
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
  return ss_transcript_guess (copy->transcript, &copy->world.scenario, copy->motion, copy->x, err);
}

/* ---- one problem ------------------------------------------------------------------------------------------------- */

static bool
is_shared (void *user_data, const char *name)
{
  (void)user_data;
  return strncmp (name, "u.", 2) == 0 || strcmp (name, "h") == 0 || strcmp (name, "time") == 0;
}

/* By CRISP, warm: the motion of the nominal copy, whatever the outcome is; NULL: none. */
static SsStatus
solve_copies (const Robust *r, const SsCopies *copies, const double *x0, SsTrajectory **motion, SsError *err)
{
  static const SsOptionValue warm[] = {{offsetof (SsCrispOptions, preset), SS_CRISP_PRESET_WARM},
                                       {offsetof (SsCrispOptions, confirm), false},
                                       {offsetof (SsCrispOptions, certify), false},
                                       {offsetof (SsCrispOptions, k_max), 100000}};
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
  SsTrajectory *motion = NULL;
  double *x0 = NULL;
  SsStatus status = SS_OK;

  for (int i = 0; i < n && status == SS_OK; i++)
    status = open_copy (r, i == 0 ? -1 : r->copies[i - 1], plan, &copies[i], err);
  if (status == SS_OK)
    status = choose_contacts (r, copies, n, err);
  for (int i = 0; i < n && status == SS_OK; i++) {
    status = transcribe (r, &copies[i], err);
    models[i] = status == SS_OK ? ss_transcript_model (copies[i].transcript) : NULL;
  }
  if (status == SS_OK)
    status = ss_copies_new (models, n, is_shared, NULL, &whole, err);
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
  for (int i = 0; i < n; i++)
    close_copy (&copies[i]);
  return status;
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

/* Problem after problem, while worlds fail and there is room for them. */
static SsStatus
go_round (Robust *r, const SsTrajectory *nominal, SsRobust *out, SsError *err)
{
  const SsTrajectory *plan = nominal;
  Tried tried = {0};
  SsOutcome why;
  SsStatus status = try_plan (r, plan, &tried, err);

  out->n_worlds = r->n_worlds;
  out->n_before = out->n_after = tried.n_held;
  while (status == SS_OK && !ss_run_control_should_stop (r->control, &why) && add_copies (r, &tried)) {
    SsRunResult result;
    Tried now = {0};

    ss_run_result_init (&result);
    status = solve_round (r, plan, &result, err);
    out->n_rounds++;
    if (status == SS_OK && result.outcome == SS_OUTCOME_SOLVED)
      status = try_plan (r, ss_run_motion (&result), &now, err);
    else if (status == SS_OK)
      snprintf (out->why, sizeof out->why, "one control for %d worlds was not found: %.150s", r->n_copies + 1,
                result.message);
    const bool is_complete = now.n == r->n_worlds;
    if (status == SS_OK)
      ss_run_control_log (r->control, SS_LOG_INFO, "planned for %d worlds it holds in %d of %d, before in %d",
                          r->n_copies + 1, now.n_held, now.n, out->n_after);
    if (status == SS_OK && is_complete && now.n_held > out->n_after) {
      ss_run_result_clear (&out->result);
      out->result = result;
      ss_run_result_init (&result);
      out->is_found = true;
      out->n_after = now.n_held;
      out->n_copies = r->n_copies + 1;
      plan = ss_run_motion (&out->result);
    }
    ss_run_result_clear (&result);
    if (is_complete) {
      tried_clear (&tried);
      tried = now;
    } else {
      tried_clear (&now);
      break;
    }
  }
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
  Robust r = {.job = job, .scenario = job->scenario, .control = &silence.inner};
  SsStatus status = SS_OK;

  *out = (SsRobust){0};
  ss_run_result_init (&out->result);
  ss_silence_init (&silence, control);
  silence.inner.work_limit = fmin (silence.inner.work_limit, ss_work_thread () + SS_ROBUST_WORK * SS_WORK_SECOND);
  status = draw_worlds (&r, err);
  if (status == SS_OK) {
    r.n_goals = ss_plan_worlds_goals (job->scenario, nominal, r.goals);
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
  ss_run_result_clear (&robust->result);
  *robust = (SsRobust){0};
}
