/* tests/numeric/test-plans.c: the plans of examples/plans, found from standing still with default options, judged by
 * what is not the optimiser's own.
 *
 * Read from the trajectory: the task's poses and speeds, gaps by the numeric geometry, friction cones, bounds of
 * controls; and one step of stewart-trinkle with gap=end from every state of the plan. */
#include "../ss-replay.h"
#include "ss-test-scenario.h"
#include "core/ss-random.h"
#include "mpcc/ss-problem.h"
#include "run/ss-run.h"
#include "contact/ss-contact-problem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What the project promises of a solved plan: rows to 1e-6 [their own unit], 5 mm, 1 degree, .05 m/s (rad/s). */
static const double of_rows = 1e-6;
static const double of_task[SS_PLAN_COORDINATES] = {5e-3, 5e-3, 3.141592653589793 / 180, 0.05, 0.05, 0.05};

static const char *const names[] = {"around-corner",     "ball-into-bucket", "cart-pole-walls", "discs-around-obstacle",
                                    "finger-drag",       "flip-block",       "hopper-leg",      "three-boxes",
                                    "push-box-with-disc"};
enum { N_PLANS = sizeof names / sizeof *names };

/* Steps of these have more than one answer, which is checked where one parts. In hopper-leg the foot sticks, slides or
 * lifts off (a light leg at mu = .8, Painleve's case), and its leg turns by half a radian in a step; in
 * push-box-with-disc a disc that rests on the floor loads the box by its friction with any force of the cone; in
 * ball-into-bucket one step of the ball has two ends 3 mm apart. */
static const char *const not_unique[] = {"ball-into-bucket", "hopper-leg", "push-box-with-disc"};

/* Half of the time of all: their contacts, joints and answers that part are also in others. */
static bool
is_longest (const char *name)
{
  return strcmp (name, "flip-block") == 0 || strcmp (name, "hopper-leg") == 0;
}

typedef struct {
  SsScenario *scenario;
  SsRunResult result;
  bool is_good;
} Planned;

/* The example with its number of steps multiplied. */
static SsScenario *
read_plan (const char *name, int factor)
{
  enum { SIZE = 1 << 16 };
  static char text[SIZE], changed[SIZE];
  char path[512];
  snprintf (path, sizeof path, SS_SOURCE_ROOT "/examples/plans/%s.stickslip.json", name);
  FILE *file = fopen (path, "r");
  size_t n = file != NULL ? fread (text, 1, SIZE - 1, file) : 0;
  if (file != NULL)
    fclose (file);
  text[n] = '\0';
  char *steps = strstr (text, "\"steps\": ");
  SS_CHECK (steps != NULL);
  if (steps == NULL)
    return NULL;
  char *rest = NULL;
  long count = strtol (steps + strlen ("\"steps\": "), &rest, 10);
  snprintf (changed, sizeof changed, "%.*s\"steps\": %ld%s", (int)(steps - text), text, factor * count, rest);
  return ss_test_read_text (changed);
}

static Planned
solve (const char *name, int factor, const char *method_name, const char *const *settings)
{
  Planned p = {.scenario = read_plan (name, factor)};
  SsError err = {0};
  const SsMethod *method = ss_method_find (SS_METHOD_OPTIMISER, method_name, &err);
  void *options = method != NULL ? calloc (1, method->options->size) : NULL;
  SS_CHECK (options != NULL && p.scenario != NULL);
  if (options == NULL || p.scenario == NULL) {
    free (options);
    return p;
  }
  ss_method_init_options (method, p.scenario, options);
  for (int i = 0; settings != NULL && settings[i] != NULL; i += 2)
    SS_CHECK (ss_options_set (method->options, options, settings[i], settings[i + 1], &err) == SS_OK);
  SsJob job = ss_job (method, p.scenario, options);
  p.is_good = ss_run (&job, NULL, &p.result, &err) == SS_OK;
  SS_CHECK (p.is_good);
  if (!p.is_good)
    printf ("  %s: %s\n", name, err.message);
  free (options);
  return p;
}

static void
planned_clear (Planned *p)
{
  if (p->is_good)
    ss_run_result_clear (&p->result);
  ss_scenario_free (p->scenario);
}

/* ---- what a plan must keep --------------------------------------------------------------------------------------- */

static void
check_task (const SsScenario *scenario, const SsTrajectory *motion)
{
  static const char *const channels[SS_PLAN_COORDINATES] = {"x", "y", "theta", "vx", "vy", "omega"};
  const SsPlan *plan = scenario->task.plan;
  for (int i = 0; i < plan->n_targets; i++)
    for (int c = 0; c < SS_PLAN_COORDINATES; c++) {
      const SsPlanTarget *target = &plan->targets[i];
      if (!isnan (target->value[c]))
        SS_CHECK_NEAR (
            ss_replay_value (motion, motion->n_rows - 1, scenario->scene->bodies[target->body].name, channels[c]),
            target->value[c], of_task[c]);
    }
}

static void
pose_of_row (const SsScene *scene, const SsTrajectory *motion, int row, double *q)
{
  static const char *const channels[3] = {"x", "y", "theta"};
  for (int i = 0; i < 3 * scene->n_bodies; i++) {
    double value = ss_replay_value (motion, row, scene->bodies[i / 3].name, channels[i % 3]);
    q[i] = isnan (value) ? scene->bodies[i / 3].q[i % 3] : value;
  }
}

static void
check_gaps (const SsScenario *scenario, const SsTrajectory *motion)
{
  const SsScene *scene = scenario->scene;
  double *q = calloc (3 * (size_t)scene->n_bodies + 1, sizeof *q), least = INFINITY;
  for (int row = 0; q != NULL && row < motion->n_rows; row++) {
    pose_of_row (scene, motion, row, q);
    for (int c = 0; c < scenario->task.plan->n_candidates; c++)
      least = fmin (least, ss_scene_contact_gap (scene, scenario->task.plan->candidates[c], q));
  }
  SS_CHECK (least >= -of_rows);
  free (q);
}

/* Every point of every contact that has a force of its own. */
static void
check_cones (const SsScenario *scenario, const SsTrajectory *motion)
{
  const SsScene *scene = scenario->scene;
  for (int i = 0; i < scene->n_contacts; i++) {
    size_t length = strlen (scene->contacts[i].name);
    for (int n = 0; n < motion->n_channels; n++) {
      const char *channel = motion->channels[n].name, *end = strrchr (channel, '.');
      char tangential[256];
      if (strncmp (channel, scene->contacts[i].name, length) != 0 || channel[length] != '.' ||
          strcmp (end, ".lambda_n") != 0)
        continue;
      snprintf (tangential, sizeof tangential, "%.*s.lambda_t", (int)(end - channel), channel);
      int t = ss_trajectory_channel (motion, tangential);
      for (int row = 0; t >= 0 && row < motion->n_rows; row++) {
        const double *values = ss_trajectory_row (motion, row);
        SS_CHECK (values[n] >= -of_rows);
        SS_CHECK (fabs (values[t]) <= scene->contacts[i].mu * values[n] + 2 * of_rows);
      }
    }
  }
}

static void
check_controls (const SsScene *scene, const SsTrajectory *motion)
{
  for (int a = 0; a < scene->n_actuators; a++)
    for (int row = 0; row < motion->n_rows; row++) {
      double u = ss_replay_value (motion, row, "u", scene->actuators[a].name);
      SS_CHECK (u >= scene->actuators[a].lower - of_rows && u <= scene->actuators[a].upper + of_rows);
    }
}

static void
check_steps (const char *name, const SsScene *scene, const SsTrajectory *motion)
{
  SsReplayDistance whole;
  SsReplaySteps steps = {.n_parted = -1};
  bool may_part = false;
  for (size_t i = 0; i < sizeof not_unique / sizeof *not_unique; i++)
    may_part = may_part || strcmp (name, not_unique[i]) == 0;
  SS_CHECK (ss_replay_by_its_law (scene, motion, NAN, &whole, &steps));
  SS_CHECK (steps.n_steps == motion->n_rows - 1 && steps.n_failed == 0);
  if (!may_part) {
    SS_CHECK_NEAR (steps.largest, 0, SS_REPLAY_PARTED);
    SS_CHECK_NEAR (whole.largest, 0, SS_REPLAY_PARTED);
  } else if (steps.n_parted > 0) { /* both ends solve the step */
    SS_CHECK (steps.n_other == steps.n_parted && steps.n_unsolved == 0);
    SS_CHECK_NEAR (steps.law_residual, 0, of_rows);
  }
}

static void
test_plans (void)
{
  const int stride = ss_test_is_coarse () ? 7 : 1;

  for (int i = 0; i < N_PLANS; i += stride) {
    if (is_longest (names[i]) && !ss_test_is_long ())
      continue;
    int failed = ss_test_failed_checks;
    Planned p = solve (names[i], 1, "crisp", NULL);
    if (p.is_good) {
      const SsTrajectory *motion = ss_run_motion (&p.result);
      SS_CHECK (p.result.outcome == SS_OUTCOME_SOLVED);
      SS_CHECK (ss_metric_get (&p.result.metrics, SS_METRIC_MAX_VIOLATION) < of_rows);
      check_task (p.scenario, motion);
      check_gaps (p.scenario, motion);
      check_cones (p.scenario, motion);
      check_controls (p.scenario->scene, motion);
      check_steps (names[i], p.scenario->scene, motion);
    }
    printf ("  %s %s: %.0f iterations, violation %.1e\n", ss_test_failed_checks == failed ? "ok" : "not ok", names[i],
            ss_metric_get (&p.result.metrics, SS_METRIC_ITERATIONS),
            ss_metric_get (&p.result.metrics, SS_METRIC_MAX_VIOLATION));
    planned_clear (&p);
  }
}

/* ---- the step's length ------------------------------------------------------------------------------------------- */

/* Distance of the plan to a replay of its controls with steps of a tenth. */
static double
distance_to_tenth (const char *name, int factor)
{
  SsReplayDistance whole = {.largest = NAN};
  Planned p = solve (name, factor, "crisp", NULL);
  if (p.is_good) {
    const SsTrajectory *motion = ss_run_motion (&p.result);
    double h = ss_trajectory_row (motion, 1)[0] - ss_trajectory_row (motion, 0)[0];
    SS_CHECK (p.result.outcome == SS_OUTCOME_SOLVED);
    SS_CHECK (ss_replay_by_its_law (p.scenario->scene, motion, h / 10, &whole, NULL));
  }
  planned_clear (&p);
  return whole.largest;
}

/* A scheme of first order: half the step, about half the distance; other local minima make it more or less, but it must
 * fall. Plans in which small differences do not grow: a disc without contacts but the obstacle, boxes that can only
 * move along a line. (A disc pushed by a disc without friction slips off to a side sooner or later: its replays go
 * elsewhere at any step.) */
static void
test_distance_falls (void)
{
  static const char *const calm[] = {"around-corner", "three-boxes"};
  for (size_t i = 0; i < sizeof calm / sizeof *calm; i++) {
    double coarse = distance_to_tenth (calm[i], 1), fine = distance_to_tenth (calm[i], 2);
    printf ("  %s: %.3g m, half the step %.3g m\n", calm[i], coarse, fine);
    SS_CHECK (fine < coarse);
  }
}

/* ---- derivatives ------------------------------------------------------------------------------------------------- */

/* grad J + sum lambda grad c, whose derivative is the Lagrangian's Hessian. */
static void
lagrangian_gradient (const SsMpcc *mpcc, SsMpccEval *eval, const double *x, const double *lambda, double *jacobian,
                     double *out)
{
  ss_mpcc_gradient (eval, x, out);
  ss_mpcc_jacobian (eval, x, jacobian);
  ss_csr_multiply_transposed (ss_mpcc_jacobian_pattern (mpcc), jacobian, lambda, out); /* adds */
}

static double
worst_difference (const double *low, const double *high, const double *exact, int n, double step)
{
  double worst = 0;
  for (int i = 0; i < n; i++)
    worst = fmax (worst, fabs ((high[i] - low[i]) / (2 * step) - exact[i]) / (1 + fabs (exact[i])));
  return worst;
}

static void
hessian_times (const SsPattern *lower, const double *values, int n, const double *x, double *y)
{
  for (int j = 0; j < n; j++)
    y[j] = 0;
  for (int j = 0; j < n; j++)
    for (int k = lower->start[j]; k < lower->start[j + 1]; k++) {
      int i = lower->index[k];
      y[i] += values[k] * x[j];
      if (i != j)
        y[j] += values[k] * x[i];
    }
}

/* Rows and the Lagrangian's gradient along a random direction, at a random point near standing still, against central
 * differences, whose errors of step^2 and of rounding by step balance at 1e-5. */
static void
check_along_a_direction (const SsMpcc *mpcc, const SsScenario *plan, SsRandom *random)
{
  const double step = 1e-5, relative = 1e-6;
  const SsPattern *hessian = ss_mpcc_lagrangian_hessian_pattern (mpcc);
  int n = ss_mpcc_n_variables (mpcc), m = ss_mpcc_n_rows (mpcc), longest = n > m ? n : m;
  int n_jacobian = ss_mpcc_jacobian_pattern (mpcc)->start[m], n_hessian = hessian->start[n];
  enum { X, LAMBDA, D, MOVED, LOW, HIGH, EXACT, N_VECTORS };
  double *v = calloc ((size_t)N_VECTORS * (size_t)longest + (size_t)n_jacobian + (size_t)n_hessian, sizeof *v);
  double *of[N_VECTORS], *jacobian = v + (size_t)N_VECTORS * (size_t)longest, *h_values = jacobian + n_jacobian;
  SsMpccEval *eval = NULL;
  SsError err;
  SS_CHECK (v != NULL && ss_mpcc_eval_new (mpcc, &eval, &err) == SS_OK);
  if (v == NULL || eval == NULL)
    return;
  for (int i = 0; i < N_VECTORS; i++)
    of[i] = v + (size_t)i * (size_t)longest;
  SS_CHECK (ss_problem_guess (plan, of[X], &err) == SS_OK);
  for (int j = 0; j < n; j++) {
    of[X][j] += ss_random_between (random, -0.1, 0.1);
    of[D][j] = ss_random_between (random, -1, 1);
  }
  for (int i = 0; i < m; i++)
    of[LAMBDA][i] = ss_random_between (random, -1, 1);
  for (int is_gradient = 0; is_gradient < 2; is_gradient++) {
    for (int side = -1; side <= 1; side += 2) {
      double *out = of[side < 0 ? LOW : HIGH];
      for (int j = 0; j < n; j++)
        of[MOVED][j] = of[X][j] + side * step * of[D][j];
      if (is_gradient)
        lagrangian_gradient (mpcc, eval, of[MOVED], of[LAMBDA], jacobian, out);
      else
        ss_mpcc_rows (eval, of[MOVED], out);
    }
    if (is_gradient) {
      ss_mpcc_lagrangian_hessian (eval, of[X], 1, of[LAMBDA], h_values);
      hessian_times (hessian, h_values, n, of[D], of[EXACT]);
    } else {
      ss_mpcc_jacobian (eval, of[X], jacobian);
      ss_csr_multiply (ss_mpcc_jacobian_pattern (mpcc), jacobian, of[D], of[EXACT]);
    }
    SS_CHECK_NEAR (worst_difference (of[LOW], of[HIGH], of[EXACT], is_gradient ? n : m, step), 0, relative);
  }
  ss_mpcc_eval_free (eval);
  free (v);
}

static void
test_derivatives (void)
{
  SsRandom random;
  ss_random_seed (&random, 5);
  for (int i = 0; i < N_PLANS; i++) {
    SsScenario *scenario = read_plan (names[i], 1), *plan = NULL;
    SsMpcc *mpcc = NULL;
    SsError err;
    int failed = ss_test_failed_checks;
    SS_CHECK (scenario != NULL && ss_transcribe (scenario, NULL, &plan, &err) == SS_OK &&
              ss_problem_build (plan, &mpcc, &err) == SS_OK);
    if (mpcc != NULL)
      check_along_a_direction (mpcc, plan, &random);
    if (ss_test_failed_checks > failed)
      printf ("  %s\n", names[i]);
    ss_mpcc_free (mpcc);
    ss_scenario_free (plan);
    ss_scenario_free (scenario);
  }
}

int
main (void)
{
  SS_RUN (test_plans);
  SS_RUN_LONG (test_distance_falls);
  SS_RUN (test_derivatives);
  return ss_test_finish ();
}
