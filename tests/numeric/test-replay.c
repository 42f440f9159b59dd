/* tests/numeric/test-replay.c: given controls in integrators: closed forms, a replay of a simulation by itself, and
 * convergence in the step. */
#include "simulate/ss-replay.h"
#include "../ss-replay.h"
#include "ss-test-scenario.h"
#include "ss-test-simulate.h"

#include <stdlib.h>

/* A cart on a floor with friction, pushed by an actuator; `formula` is the member with its comma, or "". */
static SsScenario *
read_cart (double mu, const char *formula)
{
  char text[2048];

  snprintf (text, sizeof text,
            "{\"format\": 1, \"name\": \"cart\", \"scene\": {\"gravity\": [0, -10], \"friction\": %g, \"bodies\": ["
            "{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]}},"
            "{\"name\": \"cart\", \"mass\": 2, \"shape\": {\"type\": \"box\", \"width\": 1, \"height\": 0.2}, "
            "\"position\": [0, 0.1]}],"
            "\"actuators\": [{\"name\": \"push\", \"type\": \"force\", \"body\": \"cart\", \"direction\": [1, 0], "
            "\"lower\": -50, \"upper\": 50%s}]}}",
            mu, formula);
  return ss_test_read_text (text);
}

/* A plan with t, u.push and n rows of length h. */
static SsTrajectory *
plan_of (const double *t, const double *u, int n)
{
  static const char *const channels[] = {"t", "u.push"};
  SsTrajectory *plan = NULL;
  SsError err;

  SS_CHECK (ss_trajectory_new_named (channels, 2, n, &plan, &err) == SS_OK);
  for (int k = 0; k < n; k++)
    SS_CHECK (ss_trajectory_append (plan, (double[]){t[k], u[k]}, &err) == SS_OK);
  return plan;
}

static SsTrajectory *
replay (const SsScene *scene, const SsTrajectory *plan, const SsIntegratorClass *integrator, double dt)
{
  SsReplay *r = NULL;
  SsSimResult out = {0};
  SsError err = {0};

  SS_CHECK (ss_replay_new (scene, plan, &r, &err) == SS_OK);
  if (r == NULL) {
    printf ("  %s\n", err.message);
    return NULL;
  }
  SS_CHECK (ss_simulate_job (&(SsSimJob){.scene = ss_replay_scene (r),
                                         .integrator = integrator,
                                         .controls = ss_replay_controls (r),
                                         .dt = dt,
                                         .t_end = ss_replay_t_end (r)},
                             NULL, &out, &err) == SS_OK);
  SS_CHECK (out.outcome == SS_OUTCOME_COMPLETED);
  if (out.outcome != SS_OUTCOME_COMPLETED)
    printf ("  %s: %s %s\n", integrator->name, out.message, err.message);
  ss_replay_free (r);
  SsTrajectory *motion = out.trajectory;
  out.trajectory = NULL;
  ss_sim_result_clear (&out);
  return motion;
}

static const SsIntegratorClass *const all_classes[] = {
    &ss_integrator_stewart_trinkle,     &ss_integrator_moreau_jean,          &ss_integrator_anitescu_potra,
    &ss_integrator_semi_implicit_euler, &ss_integrator_explicit_euler,       &ss_integrator_implicit_euler,
    &ss_integrator_constraint_solver,   &ss_integrator_convex_time_stepping,
};
enum { N_CLASSES = sizeof all_classes / sizeof *all_classes };

/* Without friction the speed is the sum of u_k (t_{k+1} - t_k)/m in every integrator, whatever its step, also with rows
 * of unequal lengths. */
static void
test_hold (void)
{
  const double t[] = {0, 0.1, 0.25, 0.3, 0.5}, u[] = {2, -1, 8, 3, 1000};
  const double v = (2 * 0.1 - 1 * 0.15 + 8 * 0.05 + 3 * 0.2) / 2;
  SsScenario *scenario = read_cart (0, "");
  SsTrajectory *plan = plan_of (t, u, 5);

  for (int c = 0; scenario != NULL && c < N_CLASSES; c++)
    for (int s = 0; s < 4; s++) {
      /* steps of 0.03 s end where rows of the plan do not */
      const double dt = s == 0 ? NAN : s == 1 ? 0.05 : s == 2 ? 0.03 : 0.001;
      /* the explicit penalty schemes do not bear long steps on stiff contacts */
      if (s < 3 &&
          (all_classes[c] == &ss_integrator_explicit_euler || all_classes[c] == &ss_integrator_semi_implicit_euler))
        continue;
      SsTrajectory *out = replay (scenario->scene, plan, all_classes[c], dt);
      if (out != NULL) {
        int last = out->n_rows - 1;
        SS_CHECK_NEAR (ss_test_value (out, last, "t"), 0.5, 0);
        /* implicit Euler stops its Newton iteration at a residual of 1e-9 */
        SS_CHECK_NEAR (ss_test_value (out, last, "cart.vx"), v, 1e-8);
        if (s == 0) {
          SS_CHECK (out->n_rows == 5);
          for (int k = 0; k < 4; k++) {
            SS_CHECK_NEAR (ss_test_value (out, k, "u.push"), u[k], 0);
            SS_CHECK_NEAR (ss_test_value (out, k, "t"), t[k], 0);
          }
          SS_CHECK_NEAR (ss_test_value (out, 4, "u.push"), 50, 0); /* clamped to the actuator's bound */
        }
      }
      ss_trajectory_free (out);
    }
  ss_trajectory_free (plan);
  ss_scenario_free (scenario);
}

#if SS_HAVE_CVODE
/* cvode's own steps reach beyond those of the plan: the controls change where the plan says all the same, so that speed
 * and way are those of constant forces row by row. rtol is 1e-6 in each of a hundred steps. */
static void
test_cvode (void)
{
  const double t[] = {0, 0.1, 0.25, 0.3, 0.5}, u[] = {20, -10, 40, -30, 0};
  SsScenario *scenario = read_cart (0, "");
  SsTrajectory *plan = plan_of (t, u, 5);
  double x = 0, v = 0;

  for (int k = 0; k < 4; k++) {
    const double h = t[k + 1] - t[k], a = u[k] / 2;
    x += v * h + a * h * h / 2;
    v += a * h;
  }
  for (int s = 0; s < 3; s++) {
    SsTrajectory *out = replay (scenario->scene, plan, &ss_integrator_cvode, s == 0 ? NAN : s == 1 ? 0.05 : 0.03);
    if (out != NULL) {
      SS_CHECK_NEAR (ss_test_value (out, out->n_rows - 1, "cart.vx"), v, 1e-4);
      SS_CHECK_NEAR (ss_test_value (out, out->n_rows - 1, "cart.x"), x, 1e-4);
    }
    ss_trajectory_free (out);
  }
  ss_trajectory_free (plan);
  ss_scenario_free (scenario);
}
#endif

/* A table in rows of a millisecond changes its controls when it does, not once a row: it is the plan of the rows at
 * which they change, and no change is nearer than a step. */
static void
test_fine_table (void)
{
  enum { N = 500 };
  const double coarse_t[] = {0, 0.333, 0.5}, coarse_u[] = {2, -4, -4};
  double t[N + 1], u[N + 1];
  SsScenario *scenario = read_cart (0, "");
  SsTrajectory *plan = plan_of (coarse_t, coarse_u, 3);

  for (int k = 0; k <= N; k++) {
    t[k] = k * 1e-3;
    u[k] = k < 333 ? 2 : -4;
  }
  SsTrajectory *fine = plan_of (t, u, N + 1), *a = replay (scenario->scene, plan, &ss_integrator_moreau_jean, 0.05),
               *b = replay (scenario->scene, fine, &ss_integrator_moreau_jean, 0.05);
  if (a != NULL && b != NULL) {
    SS_CHECK (a->n_rows == b->n_rows);
    SS_CHECK_NEAR (ss_test_value (b, b->n_rows - 1, "cart.x"), ss_test_value (a, a->n_rows - 1, "cart.x"), 1e-12);
    SS_CHECK_NEAR (ss_test_value (b, b->n_rows - 1, "cart.vx"), (2 * 0.333 - 4 * 0.167) / 2, 1e-9);
  }
  ss_trajectory_free (a);
  ss_trajectory_free (b);
  ss_trajectory_free (plan);
  ss_trajectory_free (fine);
  ss_scenario_free (scenario);
}

/* Controls that change in less than a step are told: nothing cuts steps to less than what was asked for. */
static void
count_warnings (void *user_data, const SsProgress *progress)
{
  *(int *)user_data += progress->kind == SS_PROGRESS_LOG && strstr (progress->text, "less than a step of") != NULL;
}

static void
test_fast_changes_are_told (void)
{
  const double t[] = {0, 0.1, 0.12, 0.3, 0.5}, u[] = {2, -1, 8, 3, 3};
  SsScenario *scenario = read_cart (0, "");
  SsTrajectory *plan = plan_of (t, u, 5);
  SsReplay *r = NULL;

  SS_CHECK (ss_replay_new (scenario->scene, plan, &r, NULL) == SS_OK);
  for (int fast = 0; fast < 2 && r != NULL; fast++) {
    int n_told = 0;
    SsRunControl control;
    SsSimResult out = {0};
    ss_run_control_init (&control);
    control.progress = count_warnings;
    control.user_data = &n_told;
    SS_CHECK (ss_simulate_job (&(SsSimJob){.scene = ss_replay_scene (r),
                                           .integrator = &ss_integrator_moreau_jean,
                                           .controls = ss_replay_controls (r),
                                           .dt = fast ? 0.05 : 0.02,
                                           .t_end = 0.5},
                               &control, &out, NULL) == SS_OK);
    SS_CHECK (n_told == fast);
    ss_sim_result_clear (&out);
  }
  ss_replay_free (r);
  ss_trajectory_free (plan);
  ss_scenario_free (scenario);
}

/* A simulation whose actuator follows a formula, replayed by its own u: the schemes that take forces at the start of a
 * step give the same bits; another start than the scene's is taken from the plan's first row. */
static void
test_replays_itself (void)
{
  const SsIntegratorClass *classes[] = {&ss_integrator_stewart_trinkle, &ss_integrator_anitescu_potra,
                                        &ss_integrator_convex_time_stepping, &ss_integrator_constraint_solver};
  SsScenario *scenario = read_cart (0.3, ", \"formula\": \"30*sin(7*t) - 4*cart.vx\"");
  SsScenario *bare = read_cart (0.3, "");

  for (int c = 0; scenario != NULL && bare != NULL && c < 4; c++) {
    SsTrajectory *run = NULL;
    SsSimMetrics metrics;
    SsOutcome outcome = SS_OUTCOME_FAILED;
    SsReplayDistance distance;
    SsError err;
    char message[512];
    SsBody bodies[2] = {scenario->scene->bodies[0], scenario->scene->bodies[1]};
    SsScene moved = *scenario->scene;

    moved.bodies = bodies;
    bodies[1].q[0] = 0.7;
    bodies[1].v[0] = -1;
    SS_CHECK (ss_simulate (&moved, classes[c], NULL, 0.01, 1, NULL, &run, &metrics, &outcome, message, sizeof message,
                           &err) == SS_OK);
    SsTrajectory *again = run != NULL ? replay (bare->scene, run, classes[c], NAN) : NULL;
    if (again != NULL) {
      SS_CHECK (ss_replay_compare (bare->scene, run, again, &distance, NULL, &err) == SS_OK);
      SS_CHECK (ss_test_value (run, run->n_rows - 1, "cart.x") != 0.7);
      SS_CHECK_NEAR (distance.largest, 0, 0);
      SS_CHECK_NEAR (distance.at_end_angle, 0, 0);
      SS_CHECK (again->n_rows == run->n_rows);
    }
    ss_trajectory_free (again);
    ss_trajectory_free (run);
  }
  ss_scenario_free (bare);
  ss_scenario_free (scenario);
}

/* Held controls at falling steps: first order, so the distance to a fine solution falls with the step. */
static void
test_convergence (void)
{
  double t[21], u[21], distances[3] = {0};
  SsScenario *scenario = read_cart (0.3, "");
  for (int k = 0; k <= 20; k++) {
    t[k] = 0.05 * k;
    u[k] = 40 * sin (5 * t[k]);
  }
  SsTrajectory *plan = plan_of (t, u, 21);
  SsTrajectory *fine = replay (scenario->scene, plan, &ss_integrator_stewart_trinkle, 0.05 / 512);

  for (int s = 0; s < 3; s++) {
    SsTrajectory *coarse = replay (scenario->scene, plan, &ss_integrator_stewart_trinkle, 0.05 / (1 << (2 * s)));
    SsReplayDistance distance = {.largest = NAN};
    SsTrajectory *series = NULL;
    SsError err;
    if (coarse != NULL && fine != NULL) {
      SS_CHECK (ss_replay_compare (scenario->scene, coarse, fine, &distance, &series, &err) == SS_OK);
      SS_CHECK (series != NULL && series->n_rows == coarse->n_rows);
      SS_CHECK (distance.body == 1);
    }
    distances[s] = distance.largest;
    ss_trajectory_free (series);
    ss_trajectory_free (coarse);
  }
  /* a quarter of the step: between a half and an eighth, since stops fall anywhere in a step */
  for (int s = 1; s < 3; s++) {
    SS_CHECK (distances[s] < distances[s - 1] / 2);
    SS_CHECK (distances[s] > distances[s - 1] / 8);
  }
  ss_trajectory_free (fine);
  ss_trajectory_free (plan);
  ss_scenario_free (scenario);
}

/* Step by step, with the same controls, the same bits. */
static void
test_step_by_step (void)
{
  const double t[] = {0, 0.1, 0.2, 0.3}, u[] = {20, -10, 15, 0};
  SsScenario *scenario = read_cart (0.3, "");
  SsTrajectory *plan = plan_of (t, u, 4), *whole = replay (scenario->scene, plan, &ss_integrator_stewart_trinkle, NAN);
  SsControls *controls = NULL;
  SsSimulation *simulation = NULL;
  SsStepInfo info;
  SsError err;

  SS_CHECK (ss_controls_new (scenario->scene, plan, &controls, &err) == SS_OK);
  SS_CHECK (ss_simulation_new (scenario->scene, &ss_integrator_stewart_trinkle, NULL, &simulation, &err) == SS_OK);
  if (controls != NULL && simulation != NULL && whole != NULL) {
    double *row = calloc ((size_t)ss_simulation_n_channels (simulation), sizeof *row);
    ss_simulation_set_controls (simulation, controls);
    for (int k = 1; k < 4; k++) {
      SS_CHECK (ss_simulation_step (simulation, t[k] - t[k - 1], &info, &err) == SS_OK);
      ss_simulation_fill (simulation, row);
      SS_CHECK_NEAR (row[ss_trajectory_channel (whole, "cart.x")], ss_test_value (whole, k, "cart.x"), 0);
      SS_CHECK_NEAR (row[ss_trajectory_channel (whole, "u.push")], u[k], 0);
    }
    free (row);
  }
  ss_simulation_free (simulation);
  ss_controls_free (controls);
  ss_trajectory_free (whole);
  ss_trajectory_free (plan);
  ss_scenario_free (scenario);
}

/* What is no plan is refused with the reason. */
static void
test_refusals (void)
{
  static const char *const other[] = {"t", "u.pull"};
  const double t[] = {0, 0.1, 0.05}, late[] = {1, 2}, u[] = {1, 2, 3}, bad[] = {1, NAN};
  SsScenario *scenario = read_cart (0, "");
  SsTrajectory *plans[4] = {plan_of (t, u, 3), plan_of (late, u, 2), plan_of (t, bad, 2), NULL};
  const char *const reasons[] = {"must not descend", "begins at t = 1", "not finite", "no channel u.push"};
  SsError err;

  SS_CHECK (ss_trajectory_new_named (other, 2, 1, &plans[3], &err) == SS_OK);
  SS_CHECK (ss_trajectory_append (plans[3], (double[]){0, 1}, &err) == SS_OK);
  for (int i = 0; i < 4; i++) {
    SsReplay *r = NULL;
    SS_CHECK (ss_replay_new (scenario->scene, plans[i], &r, &err) == SS_ERR_INVALID);
    SS_CHECK (r == NULL);
    SS_CHECK_CONTAINS (err.message, reasons[i]);
    ss_replay_free (r);
    ss_trajectory_free (plans[i]);
  }
  ss_scenario_free (scenario);
}

/* A simulation's own steps are found again one by one; a row that is moved parts the steps before and after it, and is
 * no answer of the law. */
static void
test_steps (void)
{
  SsScenario *scenario = read_cart (0.3, ", \"formula\": \"30*sin(7*t)\"");
  const SsIntegratorClass *integrator = &ss_integrator_stewart_trinkle;
  void *options = calloc (1, integrator->options->size);
  SsTrajectory *run = NULL;
  SsSimMetrics metrics;
  SsOutcome outcome = SS_OUTCOME_FAILED;
  SsReplayDistance whole;
  SsReplaySteps steps = {.n_parted = -1};
  SsError err;
  char message[512];

  ss_options_init (integrator->options, options);
  SS_CHECK (ss_options_set (integrator->options, options, "gap", "end", &err) == SS_OK);
  SS_CHECK (scenario != NULL && ss_simulate (scenario->scene, integrator, options, 0.01, 1, NULL, &run, &metrics,
                                             &outcome, message, sizeof message, &err) == SS_OK);
  if (run != NULL) {
    SS_CHECK (ss_replay_by_its_law (scenario->scene, run, NAN, &whole, &steps));
    SS_CHECK (steps.n_steps == 100 && steps.n_parted == 0 && steps.n_other == -1 && steps.largest < 1e-12);
    run->values[50 * run->n_channels + ss_trajectory_channel (run, "cart.x")] += 1e-3;
    SS_CHECK (ss_replay_by_its_law (scenario->scene, run, NAN, &whole, &steps));
    SS_CHECK (steps.n_parted == 2 && steps.n_other == 0 && steps.n_unsolved == 0);
    SS_CHECK_NEAR (steps.first_t, 0.49, 1e-12);
    SS_CHECK_NEAR (steps.largest, 1e-3, 1e-12);
    SS_CHECK_NEAR (steps.law_residual, 1e-3, 1e-12); /* q1 - q0 - h v1 */
  }
  ss_trajectory_free (run);
  ss_scenario_free (scenario);
  free (options);
}

int
main (void)
{
  SS_RUN (test_hold);
#if SS_HAVE_CVODE
  SS_RUN (test_cvode);
#endif
  SS_RUN (test_fine_table);
  SS_RUN (test_fast_changes_are_told);
  SS_RUN (test_replays_itself);
  SS_RUN (test_convergence);
  SS_RUN (test_step_by_step);
  SS_RUN (test_refusals);
  SS_RUN (test_steps);
  return ss_test_finish ();
}
