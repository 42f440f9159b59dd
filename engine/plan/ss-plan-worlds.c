/* engine/plan/ss-plan-worlds.c: see the header. */
#include "plan/ss-plan-worlds.h"

#include "core/ss-memory.h"
#include "core/ss-relay.h"
#include "core/ss-work.h"
#include "plan/ss-feedback.h"
#include "simulate/ss-replay.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Steps of a replay in one of the plan. */
enum { PARTS = 10 };
/* What was found so far is told after so much counted work [s]: of the replays after every plan nothing. */
static const double TELL_WORK = SS_WORLDS_WORK;
/* Standard deviations about the mean that hold 95 % of a normal distribution. */
static const double NORMAL_95 = 1.959963984540054;

typedef enum { OPEN, HELD, KINDS } Kind;

void
ss_plan_worlds_interval (int n_held, int n, double *low, double *high)
{
  SS_ASSERT (n_held >= 0 && low != NULL && high != NULL);

  const double z2 = NORMAL_95 * NORMAL_95, part = (double)n_held / n, middle = (part + z2 / (2 * n)) / (1 + z2 / n);
  const double half = NORMAL_95 * sqrt (part * (1 - part) / n + z2 / (4.0 * n * n)) / (1 + z2 / n);

  *low = n > 0 ? fmin (fmax (middle - half, 0), part) : NAN;
  *high = n > 0 ? fmax (fmin (middle + half, 1), part) : NAN;
}

/* ---- replays ----------------------------------------------------------------------------------------------------- */

typedef struct {
  const SsScenario *scenario;
  const SsTrajectory *plan;
  SsRunControl *control, *told; /* of the replays, which are silent; of the whole, nullable */
  SsWorldDraw *draw;
  const SsFeedbackOptions *options; /* of what holds the replays; NULL: nothing does */
  SsFeedback *feedback;             /* one for all worlds, where it remembers nothing; else that of a world */
  SsPlanGoal *goals;
  int n_goals, n_numbers;
  double *numbers, *moves;
  SsWorldsShare *shares[KINDS]; /* NULL: not asked for */
} Measure;

/* Gains are those of the plan; what looks ahead, or plans, knows what it saw, and is made anew for each world. */
static bool
remembers (const Measure *m)
{
  return ss_controllers[m->options->kind].looks_ahead;
}

static SsStatus
make_feedback (Measure *m, SsError *err)
{
  if (m->shares[HELD] == NULL)
    return SS_OK;
  SsStatus status = ss_feedback_new (m->scenario, m->plan, m->options, m->control, &m->feedback, err);
  if (status == SS_ERR_INVALID && m->shares[OPEN] != NULL) { /* too large; the controls as they are say something */
    if (err != NULL)
      *err = (SsError){0};
    status = SS_OK;
  }
  if (m->feedback == NULL)
    m->shares[HELD] = NULL;
  return status;
}

static const char *
name_of (const Measure *m, int kind)
{
  return kind == OPEN ? "open" : ss_controller_name (m->options->kind);
}

SsStatus
ss_plan_worlds_replay (const SsScenario *own, const SsWorld *world, const SsTrajectory *plan, const double *moves,
                       SsFeedback *feedback, SsRunControl *control, SsSimResult *simulated, SsError *err)
{
  SS_ASSERT (world != NULL);

  SsReplay *replay = NULL;
  SsStatus status = ss_replay_new (&world->scene, plan, &replay, err);

  if (status != SS_OK)
    return status;
  for (int b = 0; b < world->scene.n_bodies; b++)
    for (int c = 0; c < 6; c++) {
      const SsBody *body = &world->scene.bodies[b], *before = &own->scene->bodies[b];
      const double other = c < 3 ? body->q[c] - before->q[c] : body->v[c - 3] - before->v[c - 3];

      if (!body->is_fixed)
        ss_replay_disturb (replay, b, c, other + (moves != NULL && c < 2 ? moves[2 * b + c] : 0));
    }
  const double end = ss_replay_t_end (replay);
  status = ss_simulate_job (&(SsSimJob){.scene = ss_replay_scene (replay),
                                        .integrator = &ss_integrator_moreau_jean,
                                        .controls = ss_replay_controls (replay),
                                        .controller = feedback != NULL ? ss_feedback_controller (feedback) : NULL,
                                        .dt = end / (plan->n_rows - 1) / PARTS,
                                        .t_end = end},
                            control, simulated, err);
  ss_replay_free (replay);
  return status;
}

/* One kind of replay in a world, into its columns of the row. *goes_on: false where it was told to stop. */
static SsStatus
try_world (Measure *m, const SsWorld *world, Kind kind, double *row, bool *goes_on, SsError *err)
{
  SsWorldsShare *share = m->shares[kind];
  SsSimResult simulated = {0};
  double miss = NAN, angle = NAN;
  SsStatus status = SS_OK;

  if (kind == HELD && m->feedback == NULL)
    status = ss_feedback_new (m->scenario, m->plan, m->options, m->control, &m->feedback, err);
  *goes_on = status != SS_OK || kind == OPEN || m->feedback != NULL;
  if (status == SS_OK && *goes_on)
    status = ss_plan_worlds_replay (m->scenario, world, m->plan, m->moves, kind == HELD ? m->feedback : NULL,
                                    m->control, &simulated, err);
  if (kind == HELD && remembers (m)) {
    ss_feedback_free (m->feedback);
    m->feedback = NULL;
  }
  if (!*goes_on)
    return SS_OK;
  if (status != SS_OK)
    return status;
  *goes_on = !ss_outcome_is_early (simulated.outcome);
  if (*goes_on) {
    const bool is_complete = simulated.outcome == SS_OUTCOME_COMPLETED;

    if (is_complete)
      ss_plan_goals_miss (m->scenario->scene, m->goals, m->n_goals, simulated.trajectory, &miss, &angle);
    const bool is_held = miss <= SS_PLAN_GOAL_NEAR && angle <= SS_PLAN_GOAL_ANGLE;
    share->n++;
    share->n_held += is_held;
    share->n_failed += !is_complete;
    if (isfinite (miss))
      share->worst = fmax (share->worst, miss); /* NaN is none */
    row[0] = is_held;
    row[1] = miss;
    row[2] = angle;
    for (int i = 0; i < 3 * m->n_goals; i++)
      row[3 + i] =
          is_complete ? ss_plan_end_of (m->scenario->scene, simulated.trajectory, m->goals[i / 3].body, i % 3) : NAN;
  }
  ss_sim_result_clear (&simulated);
  return status;
}

static SsStatus
make_table (const Measure *m, SsTrajectory **table, SsError *err)
{
  enum { MOST = SS_CHANNEL_NAME_MAX + 16 };
  const int per_kind = 3 + 3 * m->n_goals, n_kinds = (m->shares[OPEN] != NULL) + (m->shares[HELD] != NULL),
            n_columns = 1 + m->n_numbers + n_kinds * per_kind;
  char (*names)[MOST] = ss_alloc ((size_t)n_columns + 1, sizeof *names);
  SsChannel *channels = ss_new_array (SsChannel, n_columns + 1);
  SsStatus status = names != NULL && channels != NULL ? SS_OK : ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  int c = 0;

  if (status == SS_OK)
    snprintf (names[c++], MOST, "world");
  for (int i = 0; i < m->n_numbers && status == SS_OK; i++)
    snprintf (names[c++], MOST, "%s", ss_world_draw_name (m->draw, i));
  for (int kind = 0; kind < KINDS && status == SS_OK; kind++) {
    if (m->shares[kind] == NULL)
      continue;
    snprintf (names[c++], MOST, "%s.held", name_of (m, kind));
    snprintf (names[c++], MOST, "%s.miss", name_of (m, kind));
    snprintf (names[c++], MOST, "%s.angle", name_of (m, kind));
    for (int i = 0; i < 3 * m->n_goals; i++)
      snprintf (names[c++], MOST, "%s.%s.%s", name_of (m, kind), m->scenario->scene->bodies[m->goals[i / 3].body].name,
                ss_body_channels[i % 3]);
  }
  for (int i = 0; i < n_columns && status == SS_OK; i++)
    channels[i] = ss_channel_named (names[i]);
  if (status == SS_OK)
    status = ss_trajectory_new (channels, n_columns, 1, table, err);
  ss_free (names);
  ss_free (channels);
  return status;
}

/* All kinds of replays in the next world, and its row. *goes_on: false where it was told to stop meanwhile; the world
 * does not count then. */
static SsStatus
try_next (Measure *m, SsTrajectory *table, double *row, bool *goes_on, SsError *err)
{
  SsWorldsShare before[KINDS];
  SsWorld world;
  int at = 1 + m->n_numbers;

  row[0] = table->n_rows + 1;
  ss_world_draw_next (m->draw, m->numbers);
  memcpy (row + 1, m->numbers, (size_t)m->n_numbers * sizeof *row);
  SsStatus status = ss_world_open (m->draw, m->numbers, &world, err);
  if (status == SS_OK)
    status = ss_world_draw_moves (m->draw, &world.scene, m->moves, err);
  for (int kind = 0; kind < KINDS && status == SS_OK && *goes_on; kind++)
    if (m->shares[kind] != NULL) {
      before[kind] = *m->shares[kind];
      status = try_world (m, &world, (Kind)kind, row + at, goes_on, err);
      at += 3 + 3 * m->n_goals;
      if (!*goes_on)
        for (int k = 0; k <= kind; k++)
          if (m->shares[k] != NULL)
            *m->shares[k] = before[k];
    }
  ss_world_close (&world);
  return status == SS_OK && *goes_on ? ss_trajectory_append (table, row, err) : status;
}

static void
tell_progress (const Measure *m, int n_tried, int n)
{
  char shares[2][80] = {"", ""};

  for (int kind = 0; kind < KINDS; kind++)
    if (m->shares[kind] != NULL)
      snprintf (shares[kind], sizeof *shares, ", %s %d",
                kind == OPEN ? "as it is" : ss_controllers[m->options->kind].holds, m->shares[kind]->n_held);
  ss_run_control_log (m->told, SS_LOG_INFO, "%d of %d other worlds, the plan holds in%s%s", n_tried, n, shares[OPEN],
                      shares[HELD]);
}

static SsStatus
try_worlds (Measure *m, int n, SsTrajectory *table, SsError *err)
{
  double *row = ss_new_array (double, table->n_channels + 1);
  SsStatus status = row != NULL ? SS_OK : ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  double told = ss_work_thread ();
  bool goes_on = true;
  SsOutcome why;

  for (int w = 0; w < n && goes_on && status == SS_OK && !ss_run_control_should_stop (m->control, &why); w++) {
    if (ss_work_thread () - told > TELL_WORK * SS_WORK_SECOND) {
      tell_progress (m, w, n);
      told = ss_work_thread ();
    }
    status = try_next (m, table, row, &goes_on, err);
  }
  ss_free (row);
  return status;
}

static SsStatus
measure (Measure *m, const SsWorldsOptions *options, SsPlanWorlds *out, SsError *err)
{
  const SsScene *scene = m->scenario->scene;
  SsStatus status = make_feedback (m, err);

  if (status == SS_OK)
    status = ss_world_draw_new (m->scenario, options->seed, &m->draw, err);
  if (status != SS_OK)
    return status;
  m->n_numbers = ss_world_draw_n_numbers (m->draw);
  m->goals = ss_new_array (SsPlanGoal, m->scenario->task.plan->n_targets + scene->n_bodies + 1);
  m->numbers = ss_new_array (double, m->n_numbers + 1);
  m->moves = ss_new_array (double, 2 * scene->n_bodies + 1);
  if (m->goals == NULL || m->numbers == NULL || m->moves == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  m->n_goals = ss_plan_goals (m->scenario, m->plan, m->goals);
  status = make_table (m, &out->table, err);
  return status == SS_OK ? try_worlds (m, options->n, out->table, err) : status;
}

bool
ss_plan_worlds_can (const SsScenario *scenario)
{
  return scenario->scene != NULL && scenario->task.plan != NULL && scenario->scene->n_actuators > 0;
}

SsStatus
ss_plan_worlds (const SsScenario *scenario, const SsTrajectory *plan, const SsWorldsOptions *options,
                SsRunControl *control, SsPlanWorlds *out, SsError *err)
{
  SS_ASSERT (scenario->scene != NULL && scenario->task.plan != NULL && plan != NULL && out != NULL);
  const double started = ss_clock_thread_cpu ();
  const bool is_held = options->feedback != NULL && options->feedback->kind != SS_CONTROLLER_NONE;
  SsSilence silence;
  Measure m = {.scenario = scenario,
               .plan = plan,
               .control = &silence.inner,
               .told = control,
               .options = options->feedback,
               .shares = {options->has_open ? &out->open : NULL, is_held ? &out->held : NULL}};
  SsStatus status = SS_OK;

  *out = (SsPlanWorlds){.open = {.low = NAN, .high = NAN, .worst = NAN},
                        .held = {.low = NAN, .high = NAN, .worst = NAN},
                        .held_by = is_held ? options->feedback->kind : SS_CONTROLLER_NONE};
  ss_silence_init (&silence, control);
  silence.inner.work_limit = fmin (silence.inner.work_limit, ss_work_thread () + options->work * SS_WORK_SECOND);
  if (plan->n_rows < 2)
    status = ss_error_set (err, SS_ERR_INVALID, "a motion of less than two rows is no plan");
  if (status == SS_OK)
    status = measure (&m, options, out, err);
  for (int kind = 0; kind < KINDS; kind++)
    if (m.shares[kind] != NULL && m.shares[kind]->n > 0)
      ss_plan_worlds_interval (m.shares[kind]->n_held, m.shares[kind]->n, &m.shares[kind]->low, &m.shares[kind]->high);
  ss_feedback_free (m.feedback);
  ss_world_draw_free (m.draw);
  ss_free (m.goals);
  ss_free (m.numbers);
  ss_free (m.moves);
  out->cpu = ss_clock_thread_cpu () - started;
  if (status != SS_OK)
    ss_plan_worlds_clear (out);
  return status;
}

void
ss_plan_worlds_clear (SsPlanWorlds *worlds)
{
  SS_ASSERT (worlds != NULL);
  ss_trajectory_free (worlds->table);
  *worlds = (SsPlanWorlds){0};
}

/* ---- the record -------------------------------------------------------------------------------------------------- */

static void
tell_share (const SsWorldsShare *share, const SsMetric metrics[4], const char *how, SsRunResult *result)
{
  char note[160];

  if (share->n == 0)
    return;
  ss_metric_set (&result->metrics, metrics[0], (double)share->n_held / share->n);
  ss_metric_set (&result->metrics, metrics[1], share->low);
  ss_metric_set (&result->metrics, metrics[2], share->high);
  ss_metric_set (&result->metrics, metrics[3], share->worst);
  snprintf (note, sizeof note, "%s it holds in %d of %d other worlds (95 %% interval %.0f to %.0f %%)", how,
            share->n_held, share->n, 100 * share->low, 100 * share->high);
  ss_run_append_text (result->message, sizeof result->message, note);
}

SsStatus
ss_plan_worlds_tell (SsPlanWorlds *worlds, SsRunResult *result, SsError *err)
{
  SS_ASSERT (worlds != NULL && result != NULL);
  static const SsMetric metrics[SS_CONTROLLER_COUNT][4] = {
      [SS_CONTROLLER_NONE] = {SS_METRIC_WORLDS_OPEN, SS_METRIC_WORLDS_OPEN_LOW, SS_METRIC_WORLDS_OPEN_HIGH,
                              SS_METRIC_WORLDS_OPEN_WORST},
      [SS_CONTROLLER_LQR] = {SS_METRIC_WORLDS_LQR, SS_METRIC_WORLDS_LQR_LOW, SS_METRIC_WORLDS_LQR_HIGH,
                             SS_METRIC_WORLDS_LQR_WORST},
      [SS_CONTROLLER_CONTACT] = {SS_METRIC_WORLDS_CONTACT, SS_METRIC_WORLDS_CONTACT_LOW, SS_METRIC_WORLDS_CONTACT_HIGH,
                                 SS_METRIC_WORLDS_CONTACT_WORST},
      [SS_CONTROLLER_REPLAN] = {SS_METRIC_WORLDS_REPLAN, SS_METRIC_WORLDS_REPLAN_LOW, SS_METRIC_WORLDS_REPLAN_HIGH,
                                SS_METRIC_WORLDS_REPLAN_WORST},
      [SS_CONTROLLER_PREDICT] = {SS_METRIC_WORLDS_PREDICT, SS_METRIC_WORLDS_PREDICT_LOW, SS_METRIC_WORLDS_PREDICT_HIGH,
                                 SS_METRIC_WORLDS_PREDICT_WORST}};
  const int n = worlds->open.n > worlds->held.n ? worlds->open.n : worlds->held.n;

  ss_metric_set (&result->metrics, SS_METRIC_WORLDS, n);
  const double before = ss_metric_get (&result->metrics, SS_METRIC_WORLDS_CPU_SECONDS);
  ss_metric_set (&result->metrics, SS_METRIC_WORLDS_CPU_SECONDS, worlds->cpu + (isnan (before) ? 0 : before));
  tell_share (&worlds->open, metrics[SS_CONTROLLER_NONE], "as it is", result);
  if (worlds->held_by != SS_CONTROLLER_NONE)
    tell_share (&worlds->held, metrics[worlds->held_by], ss_controllers[worlds->held_by].holds, result);
  return n > 0 ? ss_run_add_motion (result, &worlds->table, SS_MOTION_WORLDS, 0, NAN, err) : SS_OK;
}
