/* tests/numeric/test-cohesion.c: contacts that pull before they part, in the laws that have cohesion: a block under a
 * ceiling, a block on a wall, a chain of discs, a block that a torque tips, a disc that rolls to a stop and one that a
 * growing force lifts, all by their closed forms; the judge finds them right, and wrong with less cohesion or the other
 * sign; every other method refuses such a scene by name. */
#include "fesd/ss-forces.h"
#include "impact/ss-impact.h"
#include "judge/ss-motion-law.h"
#include "judge/ss-motion.h"
#include "run/ss-method.h"
#include "scene/ss-uses.h"
#include "ss-test-scenario.h"
#include "ss-test-simulate.h"

#include <math.h>
#include <string.h>

static const double gravity = 9.81, h = 0.01;
/* Sums of a hundred steps of forces of some 10 N on 1 kg, whose rounding is 1e-15 a step. */
static const double rounded = 1e-11;

static const char *const start[] = {"joints=start", NULL}, *const poisson[] = {"restitution=poisson", NULL},
                         *const at_end[] = {"gap=end", NULL};
static const struct {
  const SsIntegratorClass *integrator;
  const char *const *options;
} laws[] = {{&ss_integrator_stewart_trinkle, NULL},
            {&ss_integrator_stewart_trinkle, poisson},
            {&ss_integrator_anitescu_potra, NULL}};
enum { N_LAWS = sizeof laws / sizeof *laws };

/* Bodies, and what comes after them, with 9.81 m/s2 downwards. */
static SsScenario *
scene_of (double mu, double cohesion, const char *more, const char *bodies)
{
  char text[2000];

  snprintf (
      text, sizeof text,
      "{\"format\": 1, \"name\": \"held\", \"scene\": {\"gravity\": [0, -9.81], \"friction\": %.17g, \"cohesion\":"
      " %.17g, %s \"bodies\": [%s]}, \"task\": {\"t_end\": 1, \"dt\": 0.01}}",
      mu, cohesion, more, bodies);
  return ss_test_read_text (text);
}

static SsTestRun
run (const SsScenario *scenario, int law, double t_end)
{
  return ss_test_simulate (scenario->scene, laws[law].integrator, laws[law].options, h, t_end, NULL);
}

/* Balance [m/s], cone [N s], law [m/s] and what contacts gave [J], of the motion, judged with the scene. */
typedef struct {
  double balance, cone, law, given;
} Verdict;

static Verdict
judge (const SsScene *scene, int law, SsTrajectory *motion)
{
  _Alignas(max_align_t) char options[1024];
  SsMotionVerdict verdict;
  SsLawVerdict of_law;
  SsError err = {0};

  if (motion == NULL)
    return (Verdict){NAN, NAN, NAN, NAN};
  SS_CHECK (ss_motion_judge (scene, motion, false, NULL, &verdict, &err) == SS_OK);
  ss_test_set_options (laws[law].integrator->options, options, laws[law].options, &err);
  const SsMotionLaw judged = ss_integrator_contact_law (scene, laws[law].integrator, options);
  SS_CHECK (ss_motion_judge_law (scene, motion, NULL, &judged, NULL, &of_law, &err) == SS_OK);
  return (Verdict){verdict.balance.value, verdict.cone.value, of_law.law.value, verdict.given[SS_WORK_CONTACTS].sum};
}

static void
check_right (const SsScene *scene, int law, const SsTestRun *run)
{
  const Verdict found = judge (scene, law, run->trajectory);

  SS_CHECK (found.balance < 1e-9); /* up to ss-motion-balance-private.h's rounding, 1e-10 (1 + speed) */
  SS_CHECK (found.cone < rounded);
  SS_CHECK (found.law < rounded);
  SS_CHECK (found.given < rounded); /* it holds, or takes */
  SS_CHECK (run->metrics.max_cone_violation < rounded);
}

static const char ceiling[] = "{\"name\": \"roof\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\":"
                              " [0, -1]}}, {\"name\": \"box\", \"mass\": 1, \"position\": [0, -0.1], \"shape\":"
                              " {\"type\": \"box\", \"width\": 0.4, \"height\": 0.2}}";

/* m g <= c holds, with the normal force -m g; m g > c parts: one step with m g - c, then free fall. */
static void
ceiling_holds (void)
{
  SsScenario *holds = scene_of (0.5, gravity + 0.01, "", ceiling), *falls = scene_of (0.5, gravity - 0.01, "", ceiling),
             *less = scene_of (0.5, 5, "", ceiling);
  for (int i = 0; i < N_LAWS && holds != NULL && falls != NULL && less != NULL; i++) {
    SsTestRun held = run (holds, i, 0.5), fell = run (falls, i, 0.5);

    SS_CHECK_NEAR (ss_test_last_value (held.trajectory, "box.y"), -0.1, rounded);
    SS_CHECK_NEAR (ss_test_last_value (held.trajectory, "roof-box.lambda_n"), -gravity, 1e-9);
    SS_CHECK_NEAR (ss_test_last_value (fell.trajectory, "box.vy"), -gravity * (0.5 - h) - 0.01 * h, rounded);
    SS_CHECK_NEAR (ss_test_value (fell.trajectory, 1, "roof-box.lambda_n"), -(gravity - 0.01), 1e-9);
    SS_CHECK_NEAR (ss_test_last_value (fell.trajectory, "roof-box.lambda_n"), 0, 0);
    check_right (holds->scene, i, &held);
    check_right (falls->scene, i, &fell);

    /* planted: it pulls with 4.81 N more than another scene lets it; it pushes where it pulled */
    const Verdict beyond = judge (less->scene, i, held.trajectory);
    SS_CHECK_NEAR (beyond.cone, (gravity - 5) * h, 1e-9);
    SS_CHECK (beyond.law > 0.9 * (gravity - 5) * h);
    const int pn = held.trajectory != NULL ? ss_trajectory_channel (held.trajectory, "roof-box.impulse_n") : 0;
    for (int k = 0; held.trajectory != NULL && k < held.trajectory->n_rows; k++)
      held.trajectory->values[k * held.trajectory->n_channels + pn] *= -1;
    SS_CHECK_NEAR (judge (holds->scene, i, held.trajectory).balance, 2 * gravity * h, 1e-9);
    ss_trajectory_free (held.trajectory);
    ss_trajectory_free (fell.trajectory);
  }
  ss_scenario_free (holds);
  ss_scenario_free (falls);
  ss_scenario_free (less);
}

/* Friction up to mu c holds a block on a wall that nothing presses; the rest of its weight makes it slide. */
static void
wall_holds (void)
{
  static const char wall[] = "{\"name\": \"wall\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\":"
                             " [1, 0]}}, {\"name\": \"box\", \"mass\": 1, \"position\": [0.05, 0], \"lock\":"
                             " [\"theta\"], \"shape\": {\"type\": \"box\", \"width\": 0.1, \"height\": 0.4}}";
  SsScenario *holds = scene_of (0.5, 2 * gravity + 0.02, "", wall),
             *slides = scene_of (0.5, 2 * gravity - 0.2, "", wall);
  for (int i = 0; i < N_LAWS && holds != NULL && slides != NULL; i++) {
    SsTestRun held = run (holds, i, 0.5), slid = run (slides, i, 0.5);

    SS_CHECK_NEAR (ss_test_last_value (held.trajectory, "box.y"), 0, rounded);
    SS_CHECK_NEAR (ss_test_last_value (slid.trajectory, "box.vy"), -0.1 * 0.5, rounded);
    check_right (holds->scene, i, &held);
    check_right (slides->scene, i, &slid);
    ss_trajectory_free (held.trajectory);
    ss_trajectory_free (slid.trajectory);
  }
  ss_scenario_free (holds);
  ss_scenario_free (slides);
}

/* A force 20 t N on a disc of 1 kg: with c = 5 N it leaves when 20 t > 9.81 + 5, at 0.7405 s: forces act from the start
 * of their step, so the step to 0.76 s is the first with more; without cohesion it leaves at 0.4905 s. */
static void
force_lifts (void)
{
  static const char floor[] = "{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\":"
                              " [0, 1]}}, {\"name\": \"disc\", \"mass\": 1, \"inertia\": 0.02, \"position\": [0, 0.2],"
                              " \"shape\": {\"type\": \"circle\", \"radius\": 0.2}}";
  static const struct {
    double cohesion;
    int last; /* row on the floor */
  } cases[] = {{5, 75}, {0, 50}};
  for (int k = 0; k < 2; k++) {
    SsScenario *s = scene_of (
        0.5, cases[k].cohesion,
        "\"forces\": [{\"name\": \"crane\", \"body\": \"disc\", \"force\": [0, \"20*t\"], \"torque\": 0}],", floor);
    for (int i = 0; i < N_LAWS && s != NULL; i++) {
      SsTestRun lifted = run (s, i, 1);

      SS_CHECK_NEAR (ss_test_value (lifted.trajectory, cases[k].last, "disc.y"), 0.2, rounded);
      SS_CHECK (ss_test_value (lifted.trajectory, cases[k].last + 1, "disc.y") > 0.2 + 1e-9);
      SS_CHECK (ss_test_last_value (lifted.trajectory, "disc.vy") > 0.1);
      check_right (s->scene, i, &lifted);
      ss_trajectory_free (lifted.trajectory);
    }
    ss_scenario_free (s);
  }
}

/* A torque M on a box of width w: one corner pulls with its half of c, at most, while the other pushes: it tips where
 * M > w (m g + c)/2. */
static void
torque_tips (void)
{
  static const char floor[] = "{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\":"
                              " [0, 1]}}, {\"name\": \"box\", \"mass\": 1, \"position\": [0, 0.1], \"shape\":"
                              " {\"type\": \"box\", \"width\": 0.4, \"height\": 0.2}}";
  static const double c = 10, most = 0.2 * (9.81 + 10);
  for (int k = 0; k < 2; k++) {
    char torque[160];
    snprintf (torque, sizeof torque,
              "\"forces\": [{\"name\": \"key\", \"body\": \"box\", \"force\": [0, 0], \"torque\": %.17g}],",
              k == 0 ? most - 0.01 : most + 0.1);
    SsScenario *s = scene_of (5, c, torque, floor);
    for (int i = 0; i < N_LAWS && s != NULL; i++) {
      SsTestRun turned = run (s, i, 0.3);
      const double theta = ss_test_last_value (turned.trajectory, "box.theta");

      SS_CHECK (k == 0 ? fabs (theta) < rounded : theta > 1e-3);
      SS_CHECK_NEAR (ss_test_value (turned.trajectory, 1, "floor-box.lambda_n"), gravity, k == 0 ? 1e-9 : 0.5);
      if (k == 0)
        check_right (s->scene, i, &turned);
      ss_trajectory_free (turned.trajectory);
    }
    ss_scenario_free (s);
  }
}

/* Three discs hang from each other: each contact pulls with the weight of what is below. */
static void
chain_hangs (void)
{
  SsScenario *s = scene_of (
      0.5, 3 * gravity + 0.1, "",
      "{\"name\": \"roof\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, -1]}},"
      "{\"name\": \"a\", \"mass\": 1, \"position\": [0, -0.1], \"shape\": {\"type\": \"circle\", \"radius\": 0.1}},"
      "{\"name\": \"b\", \"mass\": 1, \"position\": [0, -0.3], \"shape\": {\"type\": \"circle\", \"radius\": 0.1}},"
      "{\"name\": \"c\", \"mass\": 1, \"position\": [0, -0.5], \"shape\": {\"type\": \"circle\", \"radius\": 0.1}}");
  for (int i = 0; i < N_LAWS && s != NULL; i++) {
    SsTestRun hung = run (s, i, 0.3);

    SS_CHECK_NEAR (ss_test_last_value (hung.trajectory, "roof-a.lambda_n"), -3 * gravity, 1e-8);
    SS_CHECK_NEAR (ss_test_last_value (hung.trajectory, "a-b.lambda_n"), -2 * gravity, 1e-8);
    SS_CHECK_NEAR (ss_test_last_value (hung.trajectory, "b-c.lambda_n"), -gravity, 1e-8);
    check_right (s->scene, i, &hung);
    ss_trajectory_free (hung.trajectory);
  }
  ss_scenario_free (s);
}

/* Rolling resistance r of m g + c: 1.5 m a = -(m g + c) r/R. A disc that starts 1 mm below the ceiling falls freely. */
static void
rolls_and_falls (void)
{
  SsScenario *rolls = scene_of (
      0.5, 5, "\"rolling\": 0.01,",
      "{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]}}, {\"name\":"
      " \"disc\", \"mass\": 1, \"inertia\": 0.02, \"position\": [0, 0.2], \"velocity\": [1, 0], \"angular_velocity\":"
      " -5, \"shape\": {\"type\": \"circle\", \"radius\": 0.2}}");
  SsScenario *apart = scene_of (
      0.5, 100, "",
      "{\"name\": \"roof\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, -1]}},"
      "{\"name\": \"a\", \"mass\": 1, \"position\": [0, -0.101], \"shape\": {\"type\": \"circle\", \"radius\": 0.1}}");
  for (int i = 0; i < N_LAWS && rolls != NULL && apart != NULL; i++) {
    SsTestRun rolled = run (rolls, i, 1), fell = run (apart, i, 0.5);

    SS_CHECK_NEAR (ss_test_last_value (rolled.trajectory, "disc.vx"), 1 - (gravity + 5) * 0.05 / 1.5, 1e-8);
    SS_CHECK_NEAR (ss_test_last_value (fell.trajectory, "a.vy"), -gravity * 0.5, rounded);
    check_right (rolls->scene, i, &rolled);
    check_right (apart->scene, i, &fell);
    ss_trajectory_free (rolled.trajectory);
    ss_trajectory_free (fell.trajectory);
  }
  ss_scenario_free (rolls);
  ss_scenario_free (apart);
}

static SsStatus
accept (const SsScene *scene, const SsIntegratorClass *integrator, const char *const *texts, SsError *err)
{
  _Alignas(max_align_t) char options[1024];
  SsSimulation *simulation = NULL;

  ss_test_set_options (integrator->options, options, texts, err);
  const SsStatus status = ss_simulation_new (scene, integrator, texts != NULL ? options : NULL, &simulation, err);
  ss_simulation_free (simulation);
  return status;
}

/* Every integrator of the registry has it or refuses, as the words say; so do impacts and forces at a state. */
static void
others_refuse (void)
{
  static const char pinned[] = "{\"name\": \"roof\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\":"
                               " [0, -1]}}, {\"name\": \"box\", \"mass\": 1, \"position\": [0, -0.2], \"shape\":"
                               " {\"type\": \"box\", \"width\": 0.4, \"height\": 0.2}}";
  SsScenario *s = scene_of (0.5, 1, "", ceiling),
             *jointed = scene_of (0.5, 1,
                                  "\"joints\": [{\"name\": \"pin\", \"type\": \"pin\", \"bodies\": [\"world\","
                                  " \"box\"], \"anchor\": [0, -0.2]}],",
                                  pinned);
  SsError err = {0};
  if (s == NULL || jointed == NULL)
    goto out;
  int n_refused = 0;
  for (int i = 0; i < ss_method_count (); i++) {
    const SsMethod *method = ss_method_at (i);
    if (method->kind != SS_METHOD_INTEGRATOR || !method->is_built)
      continue;
    const SsStatus status = accept (s->scene, method->integrator, NULL, &err);

    SS_CHECK ((status == SS_OK) == (strstr (SS_COHESION_KNOWN_BY, method->integrator->name) != NULL));
    if (status == SS_OK)
      continue;
    SS_CHECK (status == SS_ERR_INVALID);
    SS_CHECK_CONTAINS (err.message, method->integrator->name);
    SS_CHECK_CONTAINS (err.message, "cohesion, which contact roof-box has");
    n_refused++;
  }
  SS_CHECK (n_refused > 0);
  SS_CHECK (accept (s->scene, &ss_integrator_stewart_trinkle, at_end, &err) == SS_ERR_INVALID);
  SS_CHECK (accept (jointed->scene, &ss_integrator_stewart_trinkle, NULL, &err) == SS_ERR_INVALID);
  SS_CHECK (accept (jointed->scene, &ss_integrator_stewart_trinkle, start, &err) == SS_OK);
  SS_CHECK (accept (jointed->scene, &ss_integrator_anitescu_potra, NULL, &err) == SS_OK);

  const double q[] = {0, 0, 0, 0, -0.1, 0}, v[6] = {0};
  SsForces *forces = NULL;
  SsImpact *impact = NULL;
  SS_CHECK (ss_forces_at (s->scene, 0, q, v, NAN, &forces, &err) == SS_ERR_INVALID);
  SS_CHECK_CONTAINS (err.message, "cohesion");
  SS_CHECK (ss_impact_new_from_scene (s->scene, q, v, 1e-6, &impact, &err) == SS_ERR_INVALID);
  SS_CHECK_CONTAINS (err.message, "cohesion");
out:
  ss_scenario_free (s);
  ss_scenario_free (jointed);
}

static void
reader_says_what_is_wrong (void)
{
  SsScenario *s = scene_of (0.5, 3,
                            "\"contacts\": [{\"bodies\": [\"roof\", \"box\"], \"cohesion\": 4}, {\"bodies\": [\"roof\","
                            " \"ball\"]}],",
                            "{\"name\": \"roof\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\":"
                            " [0, -1]}}, {\"name\": \"box\", \"mass\": 1, \"position\": [0, -0.1], \"shape\":"
                            " {\"type\": \"box\", \"width\": 0.4, \"height\": 0.2}}, {\"name\": \"ball\", \"mass\": 1,"
                            " \"position\": [1, -0.1], \"shape\": {\"type\": \"circle\", \"radius\": 0.1}}");
  if (s != NULL) {
    SS_CHECK_NEAR (s->scene->contacts[0].cohesion, 4, 0);
    SS_CHECK_NEAR (s->scene->contacts[1].cohesion, 3, 0);
  }
  static const char wrong[] = "{\"format\": 1, \"name\": \"x\", \"scene\": {\"cohesion\": -1, \"bodies\": [{\"name\":"
                              " \"a\", \"shape\": {\"type\": \"circle\", \"radius\": 1}}]}}";
  SsProblems problems;
  SsScenario *refused = NULL;

  ss_problems_init (&problems);
  SS_CHECK (ss_scenario_read (wrong, strlen (wrong), "x", NULL, 0, &problems, &refused) != SS_OK);
  ss_problems_clear (&problems);
  ss_scenario_free (refused);
  ss_scenario_free (s);
}

int
main (void)
{
  SS_RUN (ceiling_holds);
  SS_RUN (wall_holds);
  SS_RUN (force_lifts);
  SS_RUN (torque_tips);
  SS_RUN (chain_hangs);
  SS_RUN (rolls_and_falls);
  SS_RUN (others_refuse);
  SS_RUN (reader_says_what_is_wrong);
  return ss_test_finish ();
}
