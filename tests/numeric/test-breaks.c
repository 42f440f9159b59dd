/* tests/numeric/test-breaks.c: task.breaks: read, warned of, and ends of steps of every integrator, of single steps, of
 * replays and of plans. */
#include "fesd/ss-fesd-j.h"
#include "fesd/ss-time-freezing.h"
#include "run/ss-method.h"
#include "ss-test-scenario.h"
#include "ss-test-simulate.h"
#include "ss-test-stepper.h"
#include "transcribe/ss-transcribe.h"

/* ---- reading ----------------------------------------------------------------------------------------------------- */

/* A ball of 2 kg without gravity that a force f(t) pulls along x from rest. */
static SsScenario *
read_pulled (const char *force, const char *task)
{
  char text[1024];
  snprintf (text, sizeof text,
            "{\"format\": 1, \"name\": \"pulled\", \"parameters\": {\"on\": 0.35}, \"scene\": {\"gravity\": [0, 0], "
            "\"bodies\": [{\"name\": \"ball\", \"mass\": 2, \"shape\": {\"type\": \"circle\", \"radius\": 0.1}}],"
            "\"forces\": [{\"name\": \"pull\", \"body\": \"ball\", \"force\": [\"%s\", 0]}]}, \"task\": {%s}}",
            force, task);
  return ss_test_read_text (text);
}

static void
test_reading (void)
{
  SsScenario *s = read_pulled ("max(0, 4*(t - on))", "\"breaks\": [\"2*on\", 5, \"on\", 0.35, -1, 0.7]");
  const double expected[] = {-1, 0.35, 0.7, 5};
  SS_CHECK (s->scene->n_breaks == 4 && s->n_warnings == 0);
  for (int i = 0; i < 4 && s->scene->n_breaks == 4; i++)
    SS_CHECK_NEAR (s->scene->breaks[i], expected[i], 0);
  SS_CHECK_NEAR (ss_scene_next_break (s->scene, -2), -1, 0);
  SS_CHECK_NEAR (ss_scene_next_break (s->scene, 0), 0.35, 0);
  SS_CHECK_NEAR (ss_scene_next_break (s->scene, nextafter (0.35, 0)), 0.7, 0);
  SS_CHECK (isinf (ss_scene_next_break (s->scene, 5)));
  ss_scenario_free (s);

  /* text, nearer to what is wrong; path of the mistake */
  SsProblems problems;
  static const char text[] = "{\"format\": 1, \"name\": \"x\", \"scene\": {\"bodies\": []}, \"task\": {\"breaks\": [1, "
                             "\"b\", [2]]}}";
  ss_problems_init (&problems);
  SS_CHECK (ss_scenario_read (text, strlen (text), "", NULL, 0, &problems, &s) == SS_ERR_INVALID);
  SS_CHECK (problems.n_items >= 2);
  int n_named = 0;
  for (int i = 0; i < problems.n_items; i++)
    n_named += strcmp (problems.items[i].path, "task.breaks[1]") == 0 ||
               strcmp (problems.items[i].path, "task.breaks[2]") == 0;
  SS_CHECK (n_named == 2);
  ss_problems_clear (&problems);
}

static void
test_warnings (void)
{
  static const struct {
    const char *force, *task, *name; /* NULL: no warning */
  } cases[] = {
      {"max(0, 4*(t - on))", "", "max()"},
      {"2*min(t, 1) + ball.x", "", "min()"},
      {"sin(abs(t - 1))", "", "abs()"},
      {"if(t < 1, 2, 3)", "", "if()"},
      {"floor(3*t)", "", "floor()"},
      {"if(ball.x > 1, sin(t), 0)", "", NULL}, /* a switch of the state */
      {"max(0, ball.x) + t", "", NULL},
      {"sin(t)", "", NULL},
      {"max(0, on)", "", NULL},
      {"max(0, 4*(t - on))", "\"breaks\": [\"on\"]", NULL},
      {"max(0, 4*(t - on))", "\"breaks\": []", NULL}, /* who lists none knows what he does */
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    SsScenario *s = read_pulled (cases[i].force, cases[i].task);
    SS_CHECK (s->n_warnings == (cases[i].name != NULL));
    if (s->n_warnings != (cases[i].name != NULL))
      printf ("  %s: %d warnings\n", cases[i].force, s->n_warnings);
    if (s->n_warnings == 1 && cases[i].name != NULL) {
      SS_CHECK_STR (s->warnings[0].path, "scene.forces[0].force[0]");
      SS_CHECK (strstr (s->warnings[0].message, cases[i].name) != NULL);
      SS_CHECK (strstr (s->warnings[0].message, "task.breaks") != NULL);
    }
    ss_scenario_free (s);
  }
  /* of an actuator, and beside a field that is misspelt */
  SsScenario *s = ss_test_read_text (
      "{\"format\": 1, \"name\": \"a\", \"scene\": {\"bodies\": [{\"name\": \"ball\", \"mass\": 2, \"shape\": "
      "{\"type\": "
      "\"circle\", \"radius\": 0.1}}], \"actuators\": [{\"name\": \"push\", \"type\": \"force\", \"body\": \"ball\", "
      "\"direction\": [1, 0], \"formula\": \"min(t, 1)\"}]}, \"task\": {\"t_en\": 3}}");
  SS_CHECK (s->n_warnings == 2);
  if (s->n_warnings == 2) {
    SS_CHECK_STR (s->warnings[0].path, "scene.actuators[0].formula");
    SS_CHECK (strstr (s->warnings[1].message, "t_en") != NULL);
  }
  ss_scenario_free (s);
}

/* Every allocation of the reader may fail, those of breaks and warnings too. */
static void
test_memory_failures (void)
{
  static const char text[] =
      "{\"format\": 1, \"name\": \"m\", \"scene\": {\"bodies\": [{\"name\": \"ball\", \"mass\": 2, \"shape\": "
      "{\"type\": "
      "\"circle\", \"radius\": 0.1}}], \"forces\": [{\"body\": \"ball\", \"force\": [\"max(0, t - 1)\", 0]}]}%s}";
  for (int with = 0; with < 2; with++) {
    char whole[512];
    snprintf (whole, sizeof whole, text, with ? ", \"task\": {\"breaks\": [3, 2, 1]}" : "");
    int n_failed = 0;
    for (uint64_t k = 1; k < 1000; k++) {
      SsProblems problems;
      SsScenario *s = NULL;
      ss_problems_init (&problems);
      ss_alloc_fail_at (k);
      const SsStatus status = ss_scenario_read (whole, strlen (whole), "", NULL, 0, &problems, &s);
      ss_alloc_fail_at (0);
      n_failed += status == SS_ERR_MEMORY;
      SS_CHECK (status == SS_ERR_MEMORY || (status == SS_OK && s->n_warnings == !with));
      ss_scenario_free (s);
      ss_problems_clear (&problems);
    }
    SS_CHECK (n_failed > 20);
  }
}

/* ---- steps ------------------------------------------------------------------------------------------------------- */

static SsSimResult
simulate (const SsScene *scene, const SsIntegratorClass *integrator, const SsControls *controls, double dt,
          double t_end)
{
  SsSimResult result = {0};
  SsError err = {0};
  const SsSimJob job = {.scene = scene, .integrator = integrator, .controls = controls, .dt = dt, .t_end = t_end};
  SS_CHECK (ss_simulate_job (&job, NULL, &result, &err) == SS_OK);
  SS_CHECK (result.outcome == SS_OUTCOME_COMPLETED);
  return result;
}

static bool
has_row_at (const SsTrajectory *motion, double t)
{
  for (int k = 0; k < motion->n_rows; k++)
    if (ss_trajectory_row (motion, k)[0] == t)
      return true;
  return false;
}

/* Times of the ends of the steps. */
static void
test_grid (void)
{
  static const struct {
    const char *breaks;
    double dt, t_end;
    int n;
    double t[8];
  } cases[] = {
      {"[]", 0.3, 1, 4, {0.3, 0.6, 0.9, 1}},
      /* dt goes on from the break: four steps, where the old grid would have needed six */
      {"[0.5, 0.75]", 0.3, 1, 4, {0.3, 0.5, 0.75, 1}},
      {"[0.35, 2, -1, 0]", 0.25, 1, 5, {0.25, 0.35, 0.6, 0.85, 1}},
      /* on the grid but for rounding: 3*0.1 is not 0.3; the break's time is the row's */
      {"[0.3, 0.30000000001]", 0.1, 0.5, 5, {0.1, 0.2, 0.3, 0.4, 0.5}},
      {"[0.2, 1]", 5, 1, 2, {0.2, 1}},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char task[128];
    snprintf (task, sizeof task, "\"breaks\": %s", cases[i].breaks);
    SsScenario *s = read_pulled ("1", task);
    SsSimResult run = simulate (s->scene, &ss_integrator_stewart_trinkle, NULL, cases[i].dt, cases[i].t_end);
    SS_CHECK (run.metrics.steps == cases[i].n && run.trajectory->n_rows == cases[i].n + 1);
    for (int k = 0; k < cases[i].n && run.trajectory->n_rows == cases[i].n + 1; k++)
      SS_CHECK_NEAR (ss_trajectory_row (run.trajectory, k + 1)[0], cases[i].t[k], 1e-10);
    ss_sim_result_clear (&run);
    ss_scenario_free (s);
  }
}

/* Every integrator that is built ends a step at a break. */
static void
test_every_integrator (void)
{
  SsScenario *s = read_pulled ("max(0, 4*(t - on))", "\"breaks\": [\"on\", 0.723]");
  const int n = ss_method_count ();
  int n_tried = 0;
  for (int i = 0; i < n; i++) {
    const SsMethod *method = ss_method_at (i);
    if (method->kind != SS_METHOD_INTEGRATOR || !method->is_built)
      continue;
    SsTestRun run = ss_test_simulate (s->scene, method->integrator, NULL, 0.1, 1, NULL);
    SS_CHECK (run.trajectory != NULL && has_row_at (run.trajectory, 0.35) && has_row_at (run.trajectory, 0.723));
    /* v = (t - on)^2 of 2 kg; explicit rules take the force at one end of a step: off by 4*0.1*0.65/4 */
    SS_CHECK_NEAR (ss_test_last_value (run.trajectory, "ball.vx"), 0.65 * 0.65, 0.07);
    ss_trajectory_free (run.trajectory);
    n_tried++;
  }
  SS_CHECK (n_tried >= 8);
  ss_scenario_free (s);
}

/* What is locked goes on steadily as it began, whatever strikes it and wherever steps are broken. */
static void
test_locked_go_on (void)
{
  static const struct {
    const char *name;
    double at, speed;
  } steady[] = {{"belt.x", -0.4, 0.3},
                {"belt.y", -0.5, 0.1},
                {"belt.theta", 0.05, -0.02},
                {"puck.x", 0.5, -0.2},
                {"puck.theta", 0.3, 0}};
  SsScenario *s = ss_test_read_text (
      "{\"format\": 1, \"name\": \"locked\", \"scene\": {\"gravity\": [0, -1], \"restitution\": "
      "0.4, "
      "\"bodies\": [{\"name\": \"puck\", \"lock\": [\"x\", \"theta\"], \"mass\": 1, \"position\": [0.5, 0.1], "
      "\"angle\": 0.3, \"velocity\": [-0.2, -0.9], \"shape\": {\"type\": \"circle\", \"radius\": 0.1}}, "
      "{\"name\": \"belt\", \"lock\": [\"x\", \"y\", \"theta\"], \"position\": [-0.4, -0.5], \"angle\": 0.05, "
      "\"velocity\": [0.3, 0.1], \"angular_velocity\": -0.02, \"shape\": {\"type\": \"box\", \"width\": 9, "
      "\"height\": 0.2}}], \"contacts\": \"all\"}, \"task\": {\"breaks\": [0.33, 0.71]}}");
  int n_struck = 0;

  for (int i = 0; i < ss_method_count (); i++) {
    const SsMethod *method = ss_method_at (i);
    if (method->kind != SS_METHOD_INTEGRATOR || !method->is_built)
      continue;
    SsTestRun run = ss_test_simulate (s->scene, method->integrator, NULL, 0.02, 1, NULL);
    for (size_t k = 0; k < sizeof steady / sizeof *steady; k++) {
      const int c = ss_trajectory_channel (run.trajectory, steady[k].name);
      double worst = 0;
      SS_CHECK (c > 0);
      for (int r = 0; r < run.trajectory->n_rows && c > 0; r++) {
        const double *row = ss_trajectory_row (run.trajectory, r);
        worst = fmax (worst, fabs (row[c] - steady[k].at - steady[k].speed * row[0]));
      }
      if (!(worst < 1e-12)) /* rounding of fifty steps and more */
        printf ("  %s: %s is off by %g\n", method->name, steady[k].name, worst);
      SS_CHECK (worst < 1e-12);
    }
    n_struck += ss_test_last_value (run.trajectory, "puck.vy") > -1.5; /* falling freely it would be -1.9 m/s */
    ss_trajectory_free (run.trajectory);
  }
  SS_CHECK (n_struck >= 8);
  ss_scenario_free (s);
}

/* A force that jumps at a break is read from its own side by methods with stages, however short the steps: the impulse
 * is exact. (dt = 0.0007 does not divide 0.3; at 0.0001 a rounding of the time is 1e-12 of a step.) */
static void
test_jump_of_force (void)
{
  static const double lengths[] = {0.1, 0.01, 0.0007, 0.0001};
  const SsIntegratorClass *const methods[] = {&ss_integrator_fesd_j, &ss_integrator_time_freezing};
  SsScenario *s = read_pulled ("if(t < 0.3, 8, 0)", "\"breaks\": [0.3]");
  for (size_t m = 0; m < sizeof methods / sizeof *methods; m++)
    for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
      SsTestRun run = ss_test_simulate (s->scene, methods[m], NULL, lengths[k], 0.5, NULL);
      SS_CHECK_NEAR (ss_test_last_value (run.trajectory, "ball.vx"), 8 * 0.3 / 2, 1e-12);
      ss_trajectory_free (run.trajectory);
    }
  ss_scenario_free (s);
}

#if SS_HAVE_CVODE
/* CVODE never steps over a break: a pulse that its error test would jump over is seen, and goes on with a new start. */
static void
test_cvode (void)
{
  SsScenario *s = read_pulled ("if(t > 4 and t < 4.01, 2000, 0)", "\"breaks\": [4, 4.01]");
  SsTestRun run = ss_test_simulate (s->scene, &ss_integrator_cvode, NULL, 1, 10, NULL);
  /* its tolerance, 1e-6 of each step's error, over some hundred steps; a pulse that is missed would leave 0 */
  SS_CHECK_NEAR (ss_test_last_value (run.trajectory, "ball.vx"), 10, 1e-3);
  SS_CHECK_NEAR (ss_test_last_value (run.trajectory, "ball.x"), 0.05 + 10 * (10 - 4.01), 5e-3);
  ss_trajectory_free (run.trajectory);
  ss_scenario_free (s);
}
#endif

static const char ball_text[] =
    "{\"format\": 1, \"name\": \"ball\", \"scene\": {\"gravity\": [0, -10], \"bodies\": ["
    "{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]}},"
    "{\"name\": \"ball\", \"mass\": 2, \"shape\": {\"type\": \"circle\", \"radius\": 0.1}, \"position\": [0, 0.1]}],"
    "\"actuators\": [{\"name\": \"push\", \"type\": \"force\", \"body\": \"ball\", \"direction\": [1, 0], "
    "\"formula\": \"max(0, 4*(t - 0.437))\"}],"
    "\"contacts\": [{\"name\": \"landing\", \"bodies\": [\"floor\", \"ball\"]}]},"
    "\"task\": {\"t_end\": 1, \"dt\": 0.25%s}}";

static SsScenario *
read_ball (const char *more)
{
  char text[2048];
  snprintf (text, sizeof text, ball_text, more);
  return ss_test_read_text (text);
}

/* A rule that is exact for forces linear in t (the test stepper's: Gauss's in each half of a step) is exact with the
 * break and is not without. */
static void
test_order (void)
{
  const double speed = (1 - 0.437) * (1 - 0.437), way = speed * (1 - 0.437) / 3;
  for (int k = 0; k < 2; k++) {
    SsScenario *s = read_ball (k == 0 ? ", \"breaks\": [0.437]" : "");
    SsSimResult run = simulate (s->scene, &ss_test_stepper, NULL, 0.25, 1);
    const double error = fabs (ss_test_last_value (run.trajectory, "ball.vx") - speed) +
                         fabs (ss_test_last_value (run.trajectory, "ball.x") - way);
    SS_CHECK (k == 0 ? error < 1e-14 : error > 1e-4);
    ss_sim_result_clear (&run);
    ss_scenario_free (s);
  }
}

/* A single step with a break in it is two of the integrator's, told as one, and taken back as one. */
static int n_parts;

static SsStatus
step_at_most_twice (void *integrator, const SsStep *step, SsSimState *state, SsStepInfo *info, SsError *err)
{
  if (++n_parts == 2)
    return ss_error_set (err, SS_ERR_SINGULAR, "no");
  return ss_test_stepper_step (integrator, step, state, info, err);
}

static void
test_single_steps (void)
{
  SsScenario *s = read_ball (", \"breaks\": [0.437]");
  SsIntegratorClass fails = ss_test_stepper;
  SsSimulation *simulation = NULL;
  SsStepInfo info;
  SsError err;
  SS_CHECK (ss_simulation_new (s->scene, &ss_test_stepper, NULL, &simulation, &err) == SS_OK);
  for (int k = 0; k < 4; k++) {
    SS_CHECK (ss_simulation_step (simulation, 0.25, &info, &err) == SS_OK);
    /* two elements a part; the residual is the largest of the parts', that of the last one */
    const SsTrajectory *rows = ss_simulation_rows (simulation);
    SS_CHECK (rows->n_rows == (k == 1 ? 4 : 2) && has_row_at (rows, 0.437) == (k == 1));
    SS_CHECK_NEAR (ss_simulation_state (simulation)->t, 0.25 * (k + 1), 0);
    SS_CHECK_NEAR (info.residual, 1e-12 * 0.25 * (k + 1), 1e-27);
    SS_CHECK (ss_simulation_stages (simulation)->n_rows == 2 * rows->n_rows);
  }
  SS_CHECK_NEAR (ss_simulation_state (simulation)->v[3], (1 - 0.437) * (1 - 0.437), 1e-14);
  ss_simulation_free (simulation);

  fails.step = step_at_most_twice;
  n_parts = 0;
  SS_CHECK (ss_simulation_new (s->scene, &fails, NULL, &simulation, &err) == SS_OK);
  double before[64], after[64];
  SS_CHECK (ss_simulation_n_channels (simulation) <= 64);
  ss_simulation_fill (simulation, before);
  SS_CHECK (ss_simulation_step (simulation, 0.5, &info, &err) == SS_ERR_SINGULAR);
  ss_simulation_fill (simulation, after);
  SS_CHECK (n_parts == 2);
  for (int c = 0; c < ss_simulation_n_channels (simulation); c++)
    if (strcmp (ss_simulation_channels (simulation)[c].name, "residual") != 0)
      SS_CHECK (before[c] == after[c]);
  SS_CHECK (ss_simulation_rows (simulation)->n_rows == 0 && ss_simulation_stages (simulation)->n_rows == 0);
  ss_simulation_free (simulation);
  ss_scenario_free (s);
}

/* Steps of given controls are cut at breaks; their rows still act where they begin. */
static void
test_controls (void)
{
  static const char *const channels[] = {"t", "u.push"};
  SsScenario *s = read_ball (", \"breaks\": [0.437, 0.5]");
  SsTrajectory *plan = NULL;
  SsControls *controls = NULL;
  SsError err;
  SS_CHECK (ss_trajectory_new_named (channels, 2, 3, &plan, &err) == SS_OK);
  for (int k = 0; k < 3; k++)
    SS_CHECK (ss_trajectory_append (plan, (double[]){0.25 * k, k + 1}, &err) == SS_OK);
  SS_CHECK (ss_controls_new (s->scene, plan, &controls, &err) == SS_OK);
  SsSimResult run = simulate (s->scene, &ss_integrator_stewart_trinkle, controls, NAN, 1);
  const double t[] = {0, 0.25, 0.437, 0.5, 1};
  SS_CHECK (run.metrics.steps == 4 && run.trajectory->n_rows == 5);
  for (int k = 0; k < 5 && run.trajectory->n_rows == 5; k++)
    SS_CHECK_NEAR (ss_trajectory_row (run.trajectory, k)[0], t[k], 0);
  SS_CHECK_NEAR (ss_test_last_value (run.trajectory, "ball.vx"), (0.25 * 1 + 0.25 * 2 + 0.5 * 3) / 2, 1e-14);
  ss_sim_result_clear (&run);
  ss_controls_free (controls);
  ss_trajectory_free (plan);
  ss_scenario_free (s);
}

/* ---- plans ------------------------------------------------------------------------------------------------------- */

static void
test_plans (void)
{
  static const struct {
    const char *task, *named; /* NULL: it has a model */
  } cases[] = {
      {"\"steps\": 10, \"breaks\": [0.3, 0.7, 1, 4, -2]", NULL},
      {"\"steps\": 8, \"breaks\": [0.3]", "0.3 s"},
      {"\"steps\": 10, \"breaks\": [0.437]", "0.437 s"},
      {"\"steps\": 10, \"breaks\": [0.5], \"free_time\": {\"lower\": 0.5, \"upper\": 2}", "0.5 s"},
      {"\"steps\": 10, \"breaks\": [2], \"free_time\": {\"lower\": 0.5, \"upper\": 2}", NULL},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char more[256];
    SsScenario *model = NULL;
    SsError err = {0};
    snprintf (more, sizeof more, ", \"targets\": [{\"body\": \"ball\", \"position\": [0.2, null]}], %s", cases[i].task);
    SsScenario *s = read_ball (more);
    SsStatus status = ss_transcribe (s, NULL, &model, &err);
    SS_CHECK (status == (cases[i].named == NULL ? SS_OK : SS_ERR_INVALID));
    if (status == SS_ERR_INVALID && cases[i].named != NULL)
      SS_CHECK (strstr (err.message, cases[i].named) != NULL && strstr (err.message, "task.breaks") != NULL);
    ss_scenario_free (model);
    ss_scenario_free (s);
  }
}

int
main (void)
{
  SS_RUN (test_reading);
  SS_RUN (test_warnings);
  SS_RUN (test_memory_failures);
  SS_RUN (test_grid);
  SS_RUN (test_every_integrator);
  SS_RUN (test_locked_go_on);
  SS_RUN (test_jump_of_force);
#if SS_HAVE_CVODE
  SS_RUN (test_cvode);
#endif
  SS_RUN (test_order);
  SS_RUN (test_single_steps);
  SS_RUN (test_controls);
  SS_RUN (test_plans);
  return ss_test_finish ();
}
