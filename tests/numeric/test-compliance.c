/* tests/numeric/test-compliance.c: contacts by formulas of their depth and rate, against closed forms: Hunt and
 * Crossley's impact in every law that has them, Hertz' depth at rest, a block whose slip a damper by formula takes; a
 * long step is stable; the judge finds another law; what is no law is refused. */
#include "judge/ss-motion-law.h"
#include "run/ss-method.h"
#include "scene/ss-uses.h"
#include "simulate/ss-stretch.h"
#include "ss-test-scenario.h"
#include "ss-test-simulate.h"

#include <math.h>
#include <string.h>

static const double mass = 2, speed = 1, stiffness = 1e6, loss = 0.3;

/* A ball before a plate, `members` being those of the scene. */
static SsScenario *
ball (const char *members, double gravity, double height, double velocity)
{
  char text[2000];

  snprintf (text, sizeof text,
            "{\"format\": 1, \"name\": \"ball\", \"parameters\": {\"k\": 1e6, \"c\": 0.3}, \"scene\": {\"gravity\":"
            " [0, %.17g], \"friction\": 0, %s, \"bodies\": [{\"name\": \"plate\", \"fixed\": true, \"shape\":"
            " {\"type\": \"half-plane\", \"normal\": [0, 1]}}, {\"name\": \"ball\", \"mass\": 2, \"position\":"
            " [0, %.17g], \"velocity\": [0, %.17g], \"shape\": {\"type\": \"circle\", \"radius\": 0.1}}]},"
            " \"task\": {\"t_end\": 1, \"dt\": 0.01}}",
            -gravity, members, 0.1 + height, velocity);
  return ss_test_read_text (text);
}

static const char hunt_crossley[] =
    "\"compliance\": {\"stiffness\": \"k*sqrt(depth)\", \"damping\": \"c*k*depth^1.5\"}";

/* m v dv = -k d^1.5 (1 + c v) dd: L (v) = v/c - ln (1 + c v)/c^2 is k d^2.5/(2.5 m) at the greatest depth, and that of
 * the way out, -u/c - ln (1 - c u)/c^2, by bisection. */
static double
level (double v)
{
  return v / loss - log1p (loss * v) / (loss * loss);
}

static double
speed_after (double before)
{
  double low = 0, high = before;
  for (int i = 0; i < 100; i++) {
    const double middle = (low + high) / 2;
    *(level (-middle) < level (before) ? &low : &high) = middle;
  }
  return low;
}

static double
greatest_depth (double before)
{
  return pow (2.5 * mass / stiffness * level (before), 1 / 2.5);
}

typedef struct {
  double speed, depth, law;
} Impact;

static Impact
strike (const SsScenario *scenario, const SsIntegratorClass *integrator, double h)
{
  _Alignas(max_align_t) char options[1024];
  SsTestRun run = ss_test_simulate (scenario->scene, integrator, NULL, h, 0.04, NULL);
  SsLawVerdict verdict = {.law = {.value = NAN}};
  SsError err = {0};
  double lowest = INFINITY;

  ss_options_init (integrator->options, options);
  const SsMotionLaw law = ss_integrator_contact_law (scenario->scene, integrator, options);
  for (int i = 0; run.trajectory != NULL && i < run.trajectory->n_rows; i++)
    lowest = fmin (lowest, ss_test_value (run.trajectory, i, "ball.y"));
  if (run.trajectory != NULL)
    SS_CHECK (ss_motion_judge_law (scenario->scene, run.trajectory, NULL, &law, NULL, &verdict, &err) == SS_OK);
  const Impact found = {ss_test_last_value (run.trajectory, "ball.vy"), 0.1 - lowest, verdict.law.value};
  ss_trajectory_free (run.trajectory);
  return found;
}

/* First-order laws halve their errors with the step; the penalty laws take ten parts of it, which at 1e-4 s resolve the
 * impact of 13 ms to 1e-2 of its speed by the explicit rule. */
static void
impact_is_that_of_hunt_and_crossley (void)
{
  static const SsIntegratorClass *const implicit[] = {&ss_integrator_implicit_euler, &ss_integrator_constraint_solver};
  SsScenario *scenario = ball (hunt_crossley, 0, 0.01, -speed);
  const double u = speed_after (speed), d = greatest_depth (speed);

  SS_CHECK_NEAR (u, 0.8328697922656014, 1e-14); /* another program's root */
  for (int i = 0; i < 2 && scenario != NULL; i++) {
    const Impact coarse = strike (scenario, implicit[i], 2e-4), fine = strike (scenario, implicit[i], 1e-4);

    SS_CHECK_NEAR ((coarse.speed - u) / (fine.speed - u), 2, 0.1);
    SS_CHECK_NEAR ((coarse.depth - d) / (fine.depth - d), 2, 0.2); /* a row may miss the greatest depth */
    SS_CHECK (fabs (fine.speed - u) < 0.03);
    SS_CHECK (fine.law < 1e-9); /* where Newton's method ends: 1e-13 m over the step */
  }
  for (int i = 0; i < 2 && scenario != NULL; i++) {
    const Impact found =
        strike (scenario, i == 0 ? &ss_integrator_semi_implicit_euler : &ss_integrator_explicit_euler, 1e-4);

    SS_CHECK_NEAR (found.speed, u, i == 0 ? 1e-5 : 1e-2);
    SS_CHECK_NEAR (found.depth, d, i == 0 ? 1e-5 : 1e-4);
  }
#if SS_HAVE_CVODE
  if (scenario != NULL) {
    const Impact found = strike (scenario, &ss_integrator_cvode, 1e-4);

    SS_CHECK_NEAR (found.speed, u, 1e-5); /* rtol is 1e-6 */
    SS_CHECK_NEAR (found.depth, d, 1e-6); /* at rows: (h v)^2 curvature */
  }
#endif
  ss_scenario_free (scenario);
}

/* A step of ten impacts' length neither throws the ball up nor lets it through: it ends within Hertz' depth, and lies
 * at (m g/k)^(2/3) at last. */
static void
long_steps_are_stable (void)
{
  static const SsIntegratorClass *const implicit[] = {&ss_integrator_implicit_euler, &ss_integrator_constraint_solver};
  SsScenario *scenario = ball (hunt_crossley, 9.81, 0.5, 0);

  for (int i = 0; i < 2 && scenario != NULL; i++) {
    SsTestRun run = ss_test_simulate (scenario->scene, implicit[i], NULL, 0.1, 10, NULL);

    SS_CHECK (run.outcome == SS_OUTCOME_COMPLETED && run.metrics.own_residual < 1e-8);
    SS_CHECK_NEAR (ss_test_last_value (run.trajectory, "ball.y"), 0.1 - pow (mass * 9.81 / stiffness, 2. / 3), 1e-9);
    for (int k = 0; run.trajectory != NULL && k < run.trajectory->n_rows; k++)
      SS_CHECK (ss_test_value (run.trajectory, k, "ball.y") < 0.6 + 1e-12);
    ss_trajectory_free (run.trajectory);
  }
  ss_scenario_free (scenario);
}

/* A pinned arm pushes on Hertz' contact: by RATTLE the arm's end lies as deep as the moment about the pin wants it. */
static void
joints_and_formulas (void)
{
  SsScenario *scenario = ss_test_read_text (
      "{\"format\": 1, \"name\": \"arm\", \"scene\": {\"gravity\": [0, -9.81], \"friction\": 0, \"compliance\":"
      " {\"stiffness\": \"1e6*sqrt(depth)\", \"damping\": \"1e5*depth\"}, \"contacts\": [{\"bodies\": [\"plate\","
      " \"arm\"]}], \"bodies\": [{\"name\": \"plate\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\","
      " \"normal\": [0, 1]}}, {\"name\": \"arm\", \"mass\": 2, \"inertia\": 0.1, \"position\": [0, 0.1], \"shape\":"
      " {\"type\": \"circle\", \"radius\": 0.1}}], \"joints\": [{\"name\": \"pin\", \"type\": \"pin\", \"bodies\":"
      " [\"world\", \"arm\"], \"anchors\": [[-1, 0.1], [-1, 0]]}]}, \"task\": {\"t_end\": 1, \"dt\": 0.01}}");

  if (scenario != NULL) {
    SsTestRun run = ss_test_simulate (scenario->scene, &ss_integrator_constraint_solver, NULL, 0.01, 4, NULL);
    const double y = ss_test_last_value (run.trajectory, "arm.y");

    /* m g and the contact have the same arm about the pin; joints give way by 1e-9 m */
    SS_CHECK_NEAR (0.1 - y, pow (mass * 9.81 / 1e6, 2. / 3), 1e-8);
    SS_CHECK_NEAR (ss_test_last_value (run.trajectory, "arm.vy"), 0, 1e-8);
    ss_trajectory_free (run.trajectory);
  }
  ss_scenario_free (scenario);
}

/* m v' = -b v with b by formula, below friction's bound: v exp (-b t/m), of implicit steps v/(1 + h b/m)^n, of the
 * explicit one (1 - h b/m)^n with its substeps. */
static void
slip_is_damped_by_formula (void)
{
  static const SsIntegratorClass *const laws[] = {&ss_integrator_implicit_euler, &ss_integrator_constraint_solver,
                                                  &ss_integrator_semi_implicit_euler};
  SsScenario *scenario = ss_test_read_text (
      "{\"format\": 1, \"name\": \"slip\", \"parameters\": {\"b\": 3}, \"scene\": {\"gravity\": [0, -9.81],"
      " \"friction\": 50, \"compliance\": {\"stiffness\": \"1e5\", \"damping\": 200, \"slip_damping\": \"b\"},"
      " \"bodies\": [{\"name\": \"plate\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\":"
      " [0, 1]}}, {\"name\": \"puck\", \"mass\": 2, \"lock\": [\"theta\"], \"position\": [0, 0.0998038],"
      " \"velocity\": [1, 0], \"shape\": {\"type\": \"circle\", \"radius\": 0.1}}]},"
      " \"task\": {\"t_end\": 1, \"dt\": 0.01}}");

  for (int i = 0; i < 3 && scenario != NULL; i++) {
    SsTestRun run = ss_test_simulate (scenario->scene, laws[i], NULL, 0.01, 1, NULL);
    const double expected = i < 2 ? pow (1 + 0.01 * 3 / mass, -100) : pow (1 - 0.001 * 3 / mass, 1000);

    SS_CHECK_NEAR (ss_test_last_value (run.trajectory, "puck.vx"), expected, 1e-9);
    ss_trajectory_free (run.trajectory);
  }
  ss_scenario_free (scenario);
}

/* A block on a slope whose springs along the tangent bear its load: it comes to rest m g sin (a)/K_r further down and
 * stays, where a damper alone creeps; beyond friction's bound it slides by Coulomb's law; a joint beside it makes the
 * step RATTLE's. */
static void
springs_along_the_tangent (void)
{
  static const char *const joint[] = {
      "", ", \"joints\": [{\"name\": \"rail\", \"type\": \"slider\", \"bodies\": [\"world\", \"other\"],"
          " \"anchors\": [[9, 9], [0, 0]], \"axis\": [1, 0]}]"};
  const double across = 9.81 * sin (0.3), along = 9.81 * cos (0.3), k = 1e5;

  for (int i = 0; i < 4; i++) {
    const bool slides = i >= 2;
    char text[2000];

    snprintf (text, sizeof text,
              "{\"format\": 1, \"name\": \"slope\", \"scene\": {\"gravity\": [%.17g, %.17g], \"friction\": %g,"
              " \"compliance\": {\"stiffness\": 1e6, \"damping\": 2000, \"slip_stiffness\": %g, \"slip_damping\":"
              " 400}, \"contacts\": [{\"bodies\": [\"plate\", \"puck\"]}], \"bodies\": [{\"name\": \"plate\","
              " \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]}}, {\"name\": \"puck\","
              " \"mass\": 2, \"lock\": [\"theta\"], \"position\": [0, %.17g], \"shape\": {\"type\": \"circle\","
              " \"radius\": 0.1}}, {\"name\": \"other\", \"mass\": 1, \"position\": [9, 9], \"shape\": {\"type\":"
              " \"circle\", \"radius\": 0.1}}]%s}, \"task\": {\"t_end\": 1, \"dt\": 0.01}}",
              across, -along, slides ? 0.2 : 0.5, k, 0.1 - mass * along / 1e6, joint[i % 2]);
    SsScenario *scenario = ss_test_read_text (text);
    if (scenario == NULL)
      return;
    SsTestRun run = ss_test_simulate (scenario->scene, &ss_integrator_constraint_solver, NULL, 0.01, 2, NULL);
    SsLawVerdict verdict = {.law = {.value = NAN}};
    _Alignas(max_align_t) char options[1024];
    SsError err = {0};

    ss_options_init (ss_integrator_constraint_solver.options, options);
    const SsMotionLaw law = ss_integrator_contact_law (scenario->scene, &ss_integrator_constraint_solver, options);
    SS_CHECK (ss_motion_judge_law (scenario->scene, run.trajectory, NULL, &law, NULL, &verdict, &err) == SS_OK);
    SS_CHECK (verdict.law.value < 1e-9);
    if (!slides) { /* sqrt (K_r/m) dies out within .1 s */
      SS_CHECK_NEAR (ss_test_last_value (run.trajectory, "puck.x"), mass * across / k, 1e-12);
      SS_CHECK_NEAR (ss_test_last_value (run.trajectory, "puck.vx"), 0, 1e-12);
    } else { /* from the first steps on, in which the spring is stretched */
      const double v = ss_test_last_value (run.trajectory, "puck.vx"),
                   before = ss_test_value (run.trajectory, 100, "puck.vx");
      SS_CHECK_NEAR (v - before, across - 0.2 * along, 1e-9);
      SS_CHECK_NEAR (ss_test_last_value (run.trajectory, "plate-puck.lambda_t"), -0.2 * mass * along, 1e-6);
    }
    ss_trajectory_free (run.trajectory);
    ss_scenario_free (scenario);
  }
}

/* What is stretched goes on from the list of the time at which a step begins, however often it is tried. */
static void
stretches_belong_to_times (void)
{
  SsStretches s = {0};
  SsError err = {0};

  for (int i = 0; i < 1000; i++) { /* each step is tried twice, and after every tenth the last three again */
    const int back = i % 10 == 9 ? 3 : 0;
    for (int k = -back; k < 1 + (back == 0); k++) {
      const double t = 0.1 * (k < 0 || back > 0 ? i + k : i);
      ss_stretches_begin (&s, t);
      SS_CHECK_NEAR (ss_stretches_find (&s, 7), t > 0.05 ? t : 0, 1e-12);
      SS_CHECK (ss_stretches_find (&s, 8) == 0);
      ss_stretches_open (&s);
      SS_CHECK (ss_stretches_add (&s, 3, -1, &err) == SS_OK);
      SS_CHECK (ss_stretches_add (&s, 7, t + 0.1, &err) == SS_OK);
      ss_stretches_close (&s, t + 0.1);
    }
  }
  ss_stretches_begin (&s, 3.33);
  SS_CHECK (ss_stretches_find (&s, 7) == 0);
  ss_stretches_clear (&s);
}

/* The judge takes another contact's motion for what it is, and rigid laws say that they ignore formulas. */
static void
others_are_found (void)
{
  SsScenario *scenario = ball (hunt_crossley, 0, 0.01, -speed),
             *other = ball ("\"compliance\": {\"stiffness\": \"0.9*k*sqrt(depth)\", \"damping\": \"c*k*depth^1.5\"}", 0,
                            0.01, -speed),
             *own = ball ("\"compliance\": {\"stiffness\": \"k\"}, \"contacts\": [{\"bodies\": [\"plate\", \"ball\"],"
                          " \"compliance\": {}}]",
                          0, 0.01, -speed);

  if (scenario != NULL && other != NULL && own != NULL) {
    SsTestRun run = ss_test_simulate (scenario->scene, &ss_integrator_constraint_solver, NULL, 1e-4, 0.04, NULL);
    _Alignas(max_align_t) char options[1024];
    SsLawVerdict verdict = {0};
    char text[200] = "";
    SsError err = {0};

    ss_options_init (ss_integrator_constraint_solver.options, options);
    const SsMotionLaw law = ss_integrator_contact_law (other->scene, &ss_integrator_constraint_solver, options);
    SS_CHECK (ss_motion_judge_law (other->scene, run.trajectory, NULL, &law, NULL, &verdict, &err) == SS_OK);
    /* a tenth of the largest force, k d^1.5, of a step */
    SS_CHECK (verdict.law.value > 0.05 * 1e-4 * stiffness * pow (greatest_depth (speed), 1.5) / mass);
    SS_CHECK (ss_uses_count_ignored (scenario->scene, 0) == 1);
    ss_uses_describe_ignored (scenario->scene, 0, 0, text, sizeof text);
    SS_CHECK (strstr (text, "compliance") != NULL && strstr (text, "plate-ball") != NULL);
    SS_CHECK (ss_uses_count_ignored (scenario->scene, SS_USES_COMPLIANCE) == 0);
    SS_CHECK (own->scene->contacts[0].compliance == NULL);
    ss_trajectory_free (run.trajectory);
  }
  ss_scenario_free (scenario);
  ss_scenario_free (other);
  ss_scenario_free (own);
}

static void
what_is_no_law_is_refused (void)
{
  static const struct {
    const char *formula, *said;
  } bad[] = {{"k*gap", "cannot read 'gap'"},
             {"ball.x", "cannot read 'ball.x'"},
             {"-k", "-1000000 at depth = 0 m"},
             {"k/depth", "inf at depth = 0 m"},
             {"if(depth > 1, k, 0)", "no slope"}};

  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    char text[800];
    SsScenario *scenario = NULL;
    SsProblems problems;

    ss_problems_init (&problems);
    snprintf (text, sizeof text,
              "{\"format\": 1, \"name\": \"bad\", \"parameters\": {\"k\": 1e6}, \"scene\": {\"compliance\":"
              " {\"stiffness\": \"%s\"}, \"bodies\": [{\"name\": \"ball\", \"mass\": 1, \"shape\": {\"type\":"
              " \"circle\", \"radius\": 0.1}}]}, \"task\": {\"t_end\": 1, \"dt\": 0.01}}",
              bad[i].formula);
    SS_CHECK (ss_scenario_read (text, strlen (text), "test", NULL, 0, &problems, &scenario) == SS_ERR_INVALID);
    SS_CHECK (ss_test_has_problem (&problems, 1, "scene.compliance.stiffness", bad[i].said));
    ss_problems_clear (&problems);
    ss_scenario_free (scenario);
  }
}

int
main (void)
{
  SS_RUN (impact_is_that_of_hunt_and_crossley);
  SS_RUN (long_steps_are_stable);
  SS_RUN (joints_and_formulas);
  SS_RUN (slip_is_damped_by_formula);
  SS_RUN (springs_along_the_tangent);
  SS_RUN (stretches_belong_to_times);
  SS_RUN (others_are_found);
  SS_RUN (what_is_no_law_is_refused);
  return ss_test_finish ();
}
