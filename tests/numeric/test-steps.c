/* tests/numeric/test-steps.c: what a step can tell, by an integrator that tells all of it (ss-test-stepper.h): rows and
 * exact events within a step, both sides of a jump, stages, a second clock; and trajectories whose times repeat in
 * sampling, controls, comparisons, start motions and event finding. */
#include "simulate/ss-replay.h"
#include "ss-test-scenario.h"
#include "ss-test-simulate.h"
#include "ss-test-stepper.h"

#include <stdlib.h>

/* The ball of 2 kg falls 0.8 m at 10 m/s2, e = 0.5: impacts at 0.4, 0.8, 1, 1.1 and 1.15 s, with 4, 2, 1, 0.5 and 0.25
 * m/s; after the last one it rests. */
enum { N_IMPACTS = 5 };
static const double impact_times[N_IMPACTS] = {0.4, 0.8, 1, 1.1, 1.15};
static const double impact_speeds[N_IMPACTS + 1] = {4, 2, 1, 0.5, 0.25, 0};
static const double t_end = 1.5;

static SsSimResult
simulate (const SsScene *scene, const SsIntegratorClass *integrator, double dt, SsRunControl *control)
{
  SsSimResult result = {0};
  SsError err = {0};
  SS_CHECK (ss_simulate_job (&(SsSimJob){.scene = scene, .integrator = integrator, .dt = dt, .t_end = t_end}, control,
                             &result, &err) == SS_OK);
  SS_CHECK (result.outcome == SS_OUTCOME_COMPLETED);
  return result;
}

static double
time_of (const SsTrajectory *trajectory, int row)
{
  return ss_trajectory_row (trajectory, row)[0];
}

/* ---- what comes out ---------------------------------------------------------------------------------------------- */

/* Times do not descend; each impact has a row before and one after it; the closed form holds in all rows. */
static void
test_rows (void)
{
  SsScenario *scenario = ss_test_read_text (ss_test_ball_text);
  /* steps that end at the impacts, up to rounding, and steps with two impacts in one */
  const double steps[] = {0.05, 0.07, 0.31};
  for (int k = 0; k < 3; k++) {
    SsSimResult run = simulate (scenario->scene, &ss_test_stepper, steps[k], NULL);
    const SsTrajectory *motion = run.trajectory;
    int jumps = 0;
    SS_CHECK (run.metrics.steps == (int)ceil (t_end / steps[k] - 1e-9));
    for (int i = 1; i < motion->n_rows; i++) {
      const double t = time_of (motion, i);
      SS_CHECK (t >= time_of (motion, i - 1));
      /* dv_x = (3 t^2/2 - t)/2 of the force 3 t - 1: Gauss's rule is exact */
      SS_CHECK_NEAR (ss_test_value (motion, i, "ball.vx"), (1.5 * t * t - t) / 2, 1e-14);
      SS_CHECK_NEAR (ss_test_value (motion, i, "ball.x"), (0.5 * t * t * t - 0.5 * t * t) / 2, 1e-14);
      if (!(ss_test_value (motion, i, "landing.impulse_n") > 0))
        continue;
      SS_CHECK (time_of (motion, i - 1) == t);
      SS_CHECK_NEAR (t, impact_times[jumps], 1e-14);
      SS_CHECK_NEAR (ss_test_value (motion, i - 1, "ball.vy"), -impact_speeds[jumps], 1e-13);
      SS_CHECK_NEAR (ss_test_value (motion, i, "ball.vy"), impact_speeds[jumps + 1], 1e-13);
      SS_CHECK_NEAR (ss_test_value (motion, i, "tau") - ss_test_value (motion, i - 1, "tau"), SS_TEST_IMPACT_TAU,
                     1e-15);
      jumps++;
    }
    SS_CHECK (jumps == N_IMPACTS);
    SS_CHECK (time_of (motion, motion->n_rows - 1) == t_end);
    SS_CHECK_NEAR (ss_test_last_value (motion, "tau"), t_end + N_IMPACTS * SS_TEST_IMPACT_TAU, 1e-13);
    SS_CHECK_NEAR (ss_test_last_value (motion, "landing.lambda_n"), 20, 0);
    /* all rows of a step have its residual */
    SS_CHECK (ss_test_value (motion, 1, "residual") == ss_test_value (motion, 2, "residual"));
    SS_CHECK_NEAR (ss_test_value (motion, 1, "residual"), 1e-12 * steps[k], 0);
    SS_CHECK_NEAR (run.metrics.own_residual, 1e-12 * t_end, 1e-27);
    SS_CHECK_NEAR (run.metrics.energy_initial, 2 * 10 * 0.9, 1e-13);
    SS_CHECK (run.metrics.max_penetration >= 0 && run.metrics.max_penetration < 1e-15);
    ss_sim_result_clear (&run);
  }
  ss_scenario_free (scenario);
}

/* The integrator's own events, exact, in both clocks; a method that gives none has none here. */
static void
test_events (void)
{
  SsScenario *scenario = ss_test_read_text (ss_test_ball_text);
  SsSimResult run = simulate (scenario->scene, &ss_test_stepper, 0.07, NULL);
  SS_CHECK (run.events != NULL && run.events->n_items == N_IMPACTS && run.events->n_left_out == 0);
  for (int i = 0; run.events != NULL && i < run.events->n_items; i++) {
    const SsEvent *e = &run.events->items[i];
    SS_CHECK (e->kind == SS_EVENT_IMPACT && e->is_exact && e->subject == 0);
    SS_CHECK_NEAR (e->t, impact_times[i], 1e-14);
    SS_CHECK_NEAR (e->tau, impact_times[i] + i * SS_TEST_IMPACT_TAU, 1e-13);
    SS_CHECK_NEAR (e->impulse, 2 * (impact_speeds[i] + impact_speeds[i + 1]), 1e-12);
  }

  /* the finder bears rows with equal times and says that its answers are not exact */
  SsEventList *found = NULL;
  SsError err;
  int impacts = 0;
  SS_CHECK (ss_events_find (scenario->scene, run.trajectory, NULL, &found, &err) == SS_OK);
  for (int i = 0; found != NULL && i < found->n_items; i++) {
    SS_CHECK (!found->items[i].is_exact && isnan (found->items[i].tau));
    if (found->items[i].kind == SS_EVENT_IMPACT)
      SS_CHECK_NEAR (found->items[i].t, impact_times[impacts++], 1e-14);
  }
  SS_CHECK (impacts == N_IMPACTS);
  ss_events_free (found);
  ss_sim_result_clear (&run);

  run = simulate (scenario->scene, &ss_integrator_moreau_jean, 0.05, NULL);
  SS_CHECK (run.events == NULL && run.stages == NULL);
  SS_CHECK (ss_trajectory_channel (run.trajectory, "tau") < 0);
  ss_sim_result_clear (&run);
  ss_scenario_free (scenario);
}

/* What a judge does with stages: M (v1 - v0) - sum of weight times force - J' impulse of the jump, between any two
 * rows; and weights add up to the time between them. Without a stage the balance must fail. */
static void
test_balance (void)
{
  SsScenario *scenario = ss_test_read_text (ss_test_ball_text);
  SsSimResult run = simulate (scenario->scene, &ss_test_stepper, 0.07, NULL);
  const SsTrajectory *motion = run.trajectory, *stages = run.stages;
  SS_CHECK (stages != NULL);
  const int row_of = ss_trajectory_channel (stages, "row"), weight = ss_trajectory_channel (stages, "weight");
  const int force = ss_trajectory_channel (stages, "landing.lambda_n"), u = ss_trajectory_channel (stages, "u.push");
  SS_CHECK (row_of == 2 && weight == 1 && force > 0 && u > 0 && ss_trajectory_channel (stages, "ball.vy") > 0);
  int s = 0, n_wrong = 0;
  for (int k = 1; k < motion->n_rows; k++) {
    double time = 0, px = 0, py = 0, last = 0;
    for (; s < stages->n_rows && ss_trajectory_row (stages, s)[row_of] == k; s++) {
      const double *stage = ss_trajectory_row (stages, s);
      SS_CHECK (stage[0] >= time_of (motion, k - 1) && stage[0] <= time_of (motion, k));
      SS_CHECK_NEAR (stage[u], 3 * stage[0] - 1, 1e-15);
      time += stage[weight];
      px += stage[weight] * stage[u];
      last = stage[weight] * (stage[force] - 20);
      py += last;
    }
    py += ss_test_value (motion, k, "landing.impulse_n");
    const double dx = 2 * (ss_test_value (motion, k, "ball.vx") - ss_test_value (motion, k - 1, "ball.vx"));
    const double dy = 2 * (ss_test_value (motion, k, "ball.vy") - ss_test_value (motion, k - 1, "ball.vy"));
    /* sums of a few numbers of size 10 */
    SS_CHECK_NEAR (time, time_of (motion, k) - time_of (motion, k - 1), 1e-15);
    SS_CHECK_NEAR (dx, px, 1e-14);
    SS_CHECK_NEAR (dy, py, 1e-14);
    n_wrong += fabs (dy - (py - last)) > 1e-14;
  }
  SS_CHECK (s == stages->n_rows);
  SS_CHECK (n_wrong > 10);
  ss_sim_result_clear (&run);
  ss_scenario_free (scenario);
}

/* Listeners get every row once, in order. */
static int n_frames, n_wrong_frames;

static void
count_frame (void *user_data, const SsProgress *progress)
{
  (void)user_data;
  if (progress->kind == SS_PROGRESS_FRAME)
    n_wrong_frames += progress->iteration != n_frames++;
}

static void
test_frames (void)
{
  SsScenario *scenario = ss_test_read_text (ss_test_ball_text);
  SsRunControl control;
  ss_run_control_init (&control);
  control.progress = count_frame;
  SsSimResult run = simulate (scenario->scene, &ss_test_stepper, 0.07, &control);
  SS_CHECK (n_frames == run.trajectory->n_rows && n_wrong_frames == 0);
  ss_sim_result_clear (&run);
  ss_scenario_free (scenario);
}

/* ---- step by step ------------------------------------------------------------------------------------------------ */

/* The rows, stages and events of the steps are those of the whole, to the bit; a row restores the state, tau too. */
static void
test_step_by_step (void)
{
  const double dt = 1. / 16; /* times add up without rounding */
  SsScenario *scenario = ss_test_read_text (ss_test_ball_text);
  SsSimResult whole = simulate (scenario->scene, &ss_test_stepper, dt, NULL);
  const size_t width = (size_t)whole.trajectory->n_channels * sizeof (double);
  SsSimulation *simulation = NULL;
  SsStepInfo info;
  SsError err;
  int row = 1, stage = 0, event = 0;
  double *kept = malloc (width);
  SS_CHECK (ss_simulation_new (scenario->scene, &ss_test_stepper, NULL, &simulation, &err) == SS_OK);
  SS_CHECK (ss_simulation_rows (simulation)->n_rows == 0);
  for (int k = 0; k < 24; k++) {
    SS_CHECK (ss_simulation_step (simulation, dt, &info, &err) == SS_OK);
    const SsTrajectory *rows = ss_simulation_rows (simulation), *stages = ss_simulation_stages (simulation);
    for (int i = 0; i < stages->n_rows; i++, stage++) {
      const double *a = ss_trajectory_row (stages, i), *b = ss_trajectory_row (whole.stages, stage);
      SS_CHECK (a[0] == b[0] && a[1] == b[1]);
      SS_CHECK (a[2] + row == b[2]); /* `row` counts from the step's first */
      SS_CHECK (memcmp (a + 3, b + 3, (size_t)(stages->n_channels - 3) * sizeof *a) == 0);
    }
    for (int i = 0; i < rows->n_rows; i++, row++)
      SS_CHECK (memcmp (ss_trajectory_row (rows, i), ss_trajectory_row (whole.trajectory, row), width) == 0);
    for (int i = 0; i < ss_simulation_events (simulation)->n_items; i++, event++)
      SS_CHECK (ss_simulation_events (simulation)->items[i].t == whole.events->items[event].t);
    ss_simulation_fill (simulation, kept);
    SS_CHECK (memcmp (kept, ss_trajectory_row (rows, rows->n_rows - 1), width) == 0);
  }
  SS_CHECK (row == whole.trajectory->n_rows && stage == whole.stages->n_rows && event == N_IMPACTS);

  ss_simulation_restore (simulation, ss_trajectory_row (whole.trajectory, 0));
  SS_CHECK (ss_simulation_state (simulation)->tau == 0 && ss_simulation_state (simulation)->t == 0);
  ss_simulation_restore (simulation, kept);
  SS_CHECK_NEAR (ss_simulation_state (simulation)->tau, t_end + N_IMPACTS * SS_TEST_IMPACT_TAU, 1e-13);
  free (kept);
  ss_simulation_free (simulation);
  ss_sim_result_clear (&whole);
  ss_scenario_free (scenario);
}

/* Tells all that the ball does and fails in the step that reaches 0.5 s. */
static SsStatus
step_and_fail (void *integrator, const SsStep *step, SsSimState *state, SsStepInfo *info, SsError *err)
{
  double q[6], v[6], contact[SS_SIM_N_CONTACT_VALUES], dissipated[1] = {state->dissipated[0]};
  SsSimState copy = {.t = state->t, .q = q, .v = v, .contact = contact, .dissipated = dissipated, .tau = state->tau};
  memcpy (q, state->q, sizeof q);
  memcpy (v, state->v, sizeof v);
  if (state->t + step->dt < 0.5)
    return ss_test_stepper_step (integrator, step, state, info, err);
  SS_CHECK (ss_test_stepper_step (integrator, step, &copy, info, err) == SS_OK);
  return ss_error_set (err, SS_ERR_SINGULAR, "contact landing: no");
}

static SsStatus
step_and_diverge (void *integrator, const SsStep *step, SsSimState *state, SsStepInfo *info, SsError *err)
{
  const bool ends = state->t + step->dt > 0.5;
  SsStatus status = ss_test_stepper_step (integrator, step, state, info, err);
  if (ends)
    state->v[3] = INFINITY;
  return status;
}

/* A step that fails or diverges leaves nothing of itself. */
static void
test_failed_step (void)
{
  SsScenario *scenario = ss_test_read_text (ss_test_ball_text);
  SsIntegratorClass broken = ss_test_stepper;
  for (int k = 0; k < 2; k++) {
    SsSimResult run = {0};
    SsSimulation *simulation = NULL;
    SsStepInfo info;
    SsError err;
    broken.step = k == 0 ? step_and_fail : step_and_diverge;
    const SsSimJob job = {.scene = scenario->scene, .integrator = &broken, .dt = 0.3, .t_end = t_end};
    SS_CHECK (ss_simulate_job (&job, NULL, &run, &err) == SS_OK);
    SS_CHECK (run.outcome == (k == 0 ? SS_OUTCOME_FAILED : SS_OUTCOME_DIVERGED));
    /* the start, the end of the first element, the end of the first step: the impact at 0.4 s never was */
    SS_CHECK (run.trajectory->n_rows == 3 && run.stages->n_rows == 4 && run.events->n_items == 0);
    SS_CHECK (run.metrics.steps == 1 + k);
    ss_sim_result_clear (&run);
    SS_CHECK (ss_simulation_new (scenario->scene, &broken, NULL, &simulation, &err) == SS_OK);
    SS_CHECK (ss_simulation_step (simulation, 0.3, &info, &err) == SS_OK);
    SS_CHECK (ss_simulation_rows (simulation)->n_rows == 2);
    SS_CHECK (ss_simulation_step (simulation, 0.3, &info, &err) == (k == 0 ? SS_ERR_SINGULAR : SS_ERR_INVALID));
    SS_CHECK (ss_simulation_rows (simulation)->n_rows == 0 && ss_simulation_events (simulation)->n_items == 0);
    SS_CHECK (ss_simulation_stages (simulation)->n_rows == 0);
    ss_simulation_free (simulation);
  }
  ss_scenario_free (scenario);
}

/* The list of events is bounded, and what a failed step left out is taken back too. */
static SsStatus
step_of_many_events (void *integrator, const SsStep *step, SsSimState *state, SsStepInfo *info, SsError *err)
{
  (void)integrator, (void)info;
  for (int i = 0; i < 700; i++) {
    SsStatus status =
        ss_step_emit_event (step, &(SsEvent){.t = state->t, .kind = SS_EVENT_IMPACT, .subject = 0, .impulse = i}, err);
    if (status != SS_OK)
      return status;
  }
  if (state->t > 0.25)
    return ss_error_set (err, SS_ERR_SINGULAR, "no");
  state->t += step->dt;
  return SS_OK;
}

static void
test_many_events (void)
{
  SsScenario *scenario = ss_test_read_text (ss_test_ball_text);
  SsIntegratorClass many = ss_test_stepper;
  SsSimResult run = {0};
  SsError err;
  many.step = step_of_many_events;
  many.second_clock = NULL;
  const SsSimJob job = {.scene = scenario->scene, .integrator = &many, .dt = 0.1, .t_end = t_end};
  SS_CHECK (ss_simulate_job (&job, NULL, &run, &err) == SS_OK);
  SS_CHECK (run.outcome == SS_OUTCOME_FAILED && run.metrics.steps == 3);
  SS_CHECK (run.events->n_items == SS_EVENTS_MAX && run.events->n_left_out == 3 * 700 - SS_EVENTS_MAX);
  SS_CHECK (isnan (run.events->items[0].tau) && run.events->items[0].is_exact);
  ss_sim_result_clear (&run);
  ss_scenario_free (scenario);
}

/* ---- memory ------------------------------------------------------------------------------------------------------ */

/* Once every size has been seen, a step with rows, stages and events allocates nothing. */
static void
test_no_allocation_per_step (void)
{
  SsScenario *scenario = ss_test_read_text (ss_test_ball_text);
  SsSimulation *simulation = NULL;
  SsStepInfo info;
  SsError err;
  SS_CHECK (ss_simulation_new (scenario->scene, &ss_test_stepper, NULL, &simulation, &err) == SS_OK);
  double *first = malloc ((size_t)ss_simulation_n_channels (simulation) * sizeof *first);
  ss_simulation_fill (simulation, first);
  uint64_t before = 0;
  for (int pass = 0; pass < 2; pass++) {
    ss_simulation_restore (simulation, first);
    before = ss_alloc_count ();
    for (int k = 0; k < 5; k++)
      SS_CHECK (ss_simulation_step (simulation, 0.31, &info, &err) == SS_OK);
  }
  SS_CHECK (ss_alloc_count () == before);
  free (first);
  ss_simulation_free (simulation);
  ss_scenario_free (scenario);
}

/* Every allocation may fail, also those of the sink: an error, no leak, the result untouched. */
static void
test_memory_failures (void)
{
  SsScenario *scenario = ss_test_read_text (ss_test_ball_text);
  const SsSimJob job = {.scene = scenario->scene, .integrator = &ss_test_stepper, .dt = 0.02, .t_end = t_end};
  const uint64_t begun = ss_alloc_count ();
  SsSimResult whole = {0};
  SsError err;
  SS_CHECK (ss_simulate_job (&job, NULL, &whole, &err) == SS_OK);
  const int n = (int)(ss_alloc_count () - begun);
  int n_failed = 0;
  for (int k = 1; k <= n; k++) {
    SsSimResult run = {0};
    ss_alloc_fail_at ((uint64_t)k);
    SsStatus status = ss_simulate_job (&job, NULL, &run, &err);
    ss_alloc_fail_at (0);
    n_failed += status == SS_ERR_MEMORY;
    SS_CHECK (status == SS_OK ? run.trajectory->n_rows == whole.trajectory->n_rows
                              : status == SS_ERR_MEMORY && run.trajectory == NULL && run.events == NULL);
    ss_sim_result_clear (&run);
  }
  /* each of the two tapes (of the driver and of the integrator) bears that its three arrays are not made smaller */
  SS_CHECK (n_failed == n - 6);
  ss_sim_result_clear (&whole);
  ss_scenario_free (scenario);
}

/* ---- times that repeat ------------------------------------------------------------------------------------------- */

/* At a jump's time the later row to the bit; just before it, what leads to the earlier one; never a number that is
 * none. */
static void
test_sampling (void)
{
  SsScenario *scenario = ss_test_read_text (ss_test_ball_text);
  SsSimResult run = simulate (scenario->scene, &ss_test_stepper, 0.05, NULL);
  const SsTrajectory *motion = run.trajectory;
  const size_t width = (size_t)motion->n_channels;
  double *row = malloc (width * sizeof *row);
  for (int k = 0; k < motion->n_rows; k++) {
    const double t = time_of (motion, k);
    ss_trajectory_sample (motion, t, row);
    SS_CHECK (memcmp (row, ss_trajectory_row (motion, ss_trajectory_last_at (motion, k)), width * sizeof *row) == 0);
    ss_trajectory_sample (motion, nextafter (t, -1), row);
    for (size_t c = 0; c < width; c++)
      SS_CHECK (isfinite (row[c]));
  }
  const int vy = ss_trajectory_channel (motion, "ball.vy");
  /* who asks for an impact gets the state before it, for a time with ten digits too; else what everybody gets */
  ss_trajectory_sample_before (motion, 0.4, row);
  SS_CHECK_NEAR (row[vy], -4, 1e-13);
  ss_trajectory_sample_before (motion, 0.4 + 2e-10, row);
  SS_CHECK_NEAR (row[vy], -4, 1e-13);
  ss_trajectory_sample_before (motion, 0.4 + 1e-8, row);
  SS_CHECK_NEAR (row[vy], 2 - 1e-7, 1e-13);
  ss_trajectory_sample_before (motion, 9, row);
  SS_CHECK (row[vy] == 0);
  SS_CHECK (ss_trajectory_first_at (motion, 0) == 0 && ss_trajectory_last_at (motion, 0) == 0);
  ss_trajectory_sample (motion, 0.4 - 1e-9, row);
  SS_CHECK_NEAR (row[vy], -4, 1e-7); /* 10 m/s2 over 1e-9 s, and rounding */
  ss_trajectory_sample (motion, 0.4 + 1e-9, row);
  SS_CHECK_NEAR (row[vy], 2, 1e-7);
  free (row);
  ss_sim_result_clear (&run);
  ss_scenario_free (scenario);
}

/* Controls of a plan whose times repeat: the later row acts, steps have a length. */
static void
test_controls (void)
{
  static const char *const channels[] = {"t", "u.push"};
  const double t[] = {0, 0, 0.1, 0.1, 0.1, 0.2, 0.2}, u[] = {9, 1, 8, 7, 2, 6, 3};
  SsScenario *scenario = ss_test_read_text (ss_test_ball_text);
  SsTrajectory *plan = NULL;
  SsControls *controls = NULL;
  SsError err;
  SS_CHECK (ss_trajectory_new_named (channels, 2, 7, &plan, &err) == SS_OK);
  for (int k = 0; k < 7; k++)
    SS_CHECK (ss_trajectory_append (plan, (double[]){t[k], u[k]}, &err) == SS_OK);
  SS_CHECK (ss_controls_new (scenario->scene, plan, &controls, &err) == SS_OK);
  if (controls != NULL) {
    SS_CHECK (controls->n_rows == 3 && controls->t[1] == 0.1 && controls->t[2] == 0.2);
    const double at[] = {0, 0.05, 0.1 - 1e-9, 0.1, 0.15, 0.2 - 1e-9, 0.2, 5}, expected[] = {1, 1, 2, 2, 2, 3, 3, 3};
    for (int k = 0; k < 8; k++) /* a time that misses a row by rounding is the row's */
      SS_CHECK_NEAR (ss_controls_at (controls, at[k])[0], expected[k], 0);
    /* one step a row: two of 0.1 s, and a rest with the last one; x by the held forces */
    SsSimResult run = {0};
    SS_CHECK (ss_simulate_job (&(SsSimJob){.scene = scenario->scene,
                                           .integrator = &ss_integrator_stewart_trinkle,
                                           .controls = controls,
                                           .dt = NAN,
                                           .t_end = 0.3},
                               NULL, &run, &err) == SS_OK);
    SS_CHECK (run.metrics.steps == 3 && run.outcome == SS_OUTCOME_COMPLETED);
    SS_CHECK_NEAR (ss_test_last_value (run.trajectory, "ball.vx"), 0.1 * (1 + 2 + 3) / 2, 1e-15);
    ss_sim_result_clear (&run);
  }
  ss_controls_free (controls);
  ss_trajectory_free (plan);
  ss_scenario_free (scenario);
}

/* A motion with jumps as a plan: replayed by its own integrator with its own (held) controls it is itself, at each time
 * once and step by step. */
static void
test_replay (void)
{
  SsScenario *scenario = ss_test_read_text (ss_test_ball_text);
  SsScene bare = *scenario->scene;
  SsActuator push = scenario->scene->actuators[0];
  push.formula = SS_EXPR_NONE;
  bare.actuators = &push;
  SsSimResult plan = simulate (&bare, &ss_test_stepper, 0.07, NULL), again = {0};
  SsReplay *replay = NULL;
  SsReplayDistance distance;
  SsReplaySteps steps;
  SsTrajectory *series = NULL;
  SsError err = {0};
  SS_CHECK (ss_replay_new (&bare, plan.trajectory, &replay, &err) == SS_OK);
  SS_CHECK (ss_simulate_job (&(SsSimJob){.scene = ss_replay_scene (replay),
                                         .integrator = &ss_test_stepper,
                                         .controls = ss_replay_controls (replay),
                                         .dt = NAN,
                                         .t_end = ss_replay_t_end (replay)},
                             NULL, &again, &err) == SS_OK);
  SS_CHECK (again.outcome == SS_OUTCOME_COMPLETED);
  SS_CHECK (ss_replay_compare (&bare, plan.trajectory, again.trajectory, &distance, &series, &err) == SS_OK);
  SS_CHECK (distance.largest < 1e-13); /* other element lengths, other rounding */
  SS_CHECK (isfinite (distance.at_end));
  int n_times = 1;
  for (int k = 1; k < plan.trajectory->n_rows; k++)
    n_times += time_of (plan.trajectory, k) > time_of (plan.trajectory, k - 1);
  SS_CHECK (n_times == plan.trajectory->n_rows - N_IMPACTS && series->n_rows == n_times);
  SS_CHECK (ss_replay_controls (replay)->n_rows == n_times);
  for (int k = 1; k < series->n_rows; k++)
    SS_CHECK (time_of (series, k) > time_of (series, k - 1));

  SS_CHECK (ss_replay_compare_steps (&bare, plan.trajectory, &ss_test_stepper, NULL, &steps, &err) == SS_OK);
  SS_CHECK (steps.n_steps == n_times - 1 && steps.n_parted == 0 && steps.n_failed == 0);
  SS_CHECK (steps.largest < 1e-13);
  ss_trajectory_free (series);
  ss_sim_result_clear (&again);
  ss_replay_free (replay);
  ss_sim_result_clear (&plan);
  ss_scenario_free (scenario);
}

int
main (void)
{
  SS_RUN (test_rows);
  SS_RUN (test_events);
  SS_RUN (test_balance);
  SS_RUN (test_frames);
  SS_RUN (test_step_by_step);
  SS_RUN (test_failed_step);
  SS_RUN (test_many_events);
  SS_RUN (test_no_allocation_per_step);
  SS_RUN (test_memory_failures);
  SS_RUN (test_sampling);
  SS_RUN (test_controls);
  SS_RUN (test_replay);
  return ss_test_finish ();
}
