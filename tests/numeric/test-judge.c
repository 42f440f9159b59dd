/* tests/numeric/test-judge.c: the judge of motions: right motions of all examples and integrators stay below what their
 * laws allow, planted faults of every kind are found by the measure that is there for them, with time and owner, and
 * the judge does not depend on how a motion is written down. */
#include "judge/ss-motion.h"

#include "core/ss-random.h"
#include "judge/ss-motion-balance-private.h" /* ss_motion_turned_moment */
#include "judge/ss-motion-private.h"         /* the fit */
#include "ss-test-scenario.h"
#include "ss-test-simulate.h"

#include <dirent.h>
#include <stdlib.h>

/* A scene that nothing was tuned on: a body of several shapes, a capsule, a box and a disc, a floor and a sloping wall,
 * a cart on a slider with a limit, a spring with a damper, a motor by formula, a force by formula, a moving belt. */
static const char workshop[] =
    "{\"format\": 1, \"name\": \"workshop\", \"scene\": {\"gravity\": [0, -9.81], \"friction\": 0.4,"
    "\"bodies\": ["
    "{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]}},"
    "{\"name\": \"slope\", \"fixed\": true, \"shape\": {\"type\": \"segment\", \"from\": [-3, 2], \"to\": [-1.2, 0]}},"
    "{\"name\": \"belt\", \"lock\": [\"x\", \"y\", \"theta\"], \"velocity\": [-0.5, 0], \"position\": [6, -0.1],"
    " \"shape\": {\"type\": \"box\", \"width\": 8, \"height\": 0.6}},"
    "{\"name\": \"hammer\", \"mass\": 2, \"position\": [0, 0.9], \"angle\": 0.4, \"angular_velocity\": 2,"
    " \"shapes\": [{\"type\": \"box\", \"width\": 0.6, \"height\": 0.06},"
    " {\"type\": \"circle\", \"radius\": 0.1, \"position\": [0.3, 0]}]},"
    "{\"name\": \"pill\", \"mass\": 1, \"position\": [-1.6, 1.3], \"angle\": -0.8,"
    " \"shape\": {\"type\": \"capsule\", \"length\": 0.3, \"radius\": 0.08}},"
    "{\"name\": \"box\", \"mass\": 1, \"position\": [4, 0.5], \"velocity\": [1, 0], \"angular_velocity\": 1,"
    " \"shape\": {\"type\": \"box\", \"width\": 0.3, \"height\": 0.2}},"
    "{\"name\": \"disc\", \"mass\": 0.5, \"position\": [1.2, 0.15], \"velocity\": [-2, 0],"
    " \"shape\": {\"type\": \"circle\", \"radius\": 0.15}},"
    "{\"name\": \"cart\", \"mass\": 3, \"position\": [0, 3], \"velocity\": [4, 0],"
    " \"shape\": {\"type\": \"box\", \"width\": 0.4, \"height\": 0.2}},"
    "{\"name\": \"pole\", \"mass\": 0.5, \"position\": [0, 2.6],"
    " \"shape\": {\"type\": \"capsule\", \"from\": [0, 0.4], \"to\": [0, -0.4], \"radius\": 0.03}}],"
    "\"joints\": [{\"name\": \"rail\", \"type\": \"slider\", \"bodies\": [\"world\", \"cart\"], \"axis\": [1, 0],"
    " \"anchors\": [[0, 3], [0, 0]], \"upper\": 0.5},"
    "{\"name\": \"hinge\", \"type\": \"pin\", \"bodies\": [\"cart\", \"pole\"], \"anchor\": [0, 3]}],"
    "\"springs\": [{\"name\": \"s\", \"bodies\": [\"world\", \"cart\"], \"points\": [[-1, 3], [0, 0]],"
    " \"stiffness\": 20, \"damping\": 1, \"rest\": 0.5}],"
    "\"actuators\": [{\"name\": \"motor\", \"type\": \"joint\", \"joint\": \"hinge\", \"lower\": -5, \"upper\": 5,"
    " \"formula\": \"-pole.theta + 0.5*sin(3*t)\"}],"
    "\"forces\": [{\"name\": \"wind\", \"body\": \"disc\", \"force\": [\"-0.3*disc.vx\", 0]}],"
    "\"contacts\": [{\"bodies\": [\"floor\", \"hammer\"]}, {\"bodies\": [\"floor\", \"pill\"]},"
    " {\"bodies\": [\"slope\", \"pill\"]}, {\"bodies\": [\"belt\", \"box\"]}, {\"bodies\": [\"floor\", \"disc\"]},"
    " {\"bodies\": [\"hammer\", \"disc\"]}, {\"bodies\": [\"hammer\", \"pill\"]}]},"
    "\"task\": {\"t_end\": 1.2, \"dt\": 0.004}}";

static const SsIntegratorClass *const integrators[] = {
    &ss_integrator_stewart_trinkle,
    &ss_integrator_convex_time_stepping,
    &ss_integrator_moreau_jean,
    &ss_integrator_anitescu_potra,
    &ss_integrator_constraint_solver,
    &ss_integrator_implicit_euler,
    &ss_integrator_semi_implicit_euler,
    &ss_integrator_explicit_euler,
#if SS_HAVE_CVODE
    &ss_integrator_cvode,
#endif
};
enum { N_INTEGRATORS = sizeof integrators / sizeof *integrators };

/* Options with which an integrator takes the joints of the scene at one place, as the judge does; by default some take
 * them at both ends of a step: see joints_at_both_ends. NULL: none. */
static const char *const *
at_one_place (const SsScene *scene, const SsIntegratorClass *integrator)
{
  static const char *const start[] = {"joints=start", NULL}, *const theta[] = {"theta=0.501", NULL};
  const bool is_moreau = integrator == &ss_integrator_moreau_jean;

  if (scene->n_joints == 0)
    return NULL;
  return is_moreau ? theta : ss_options_find (integrator->options, "joints") >= 0 ? start : NULL;
}

static SsMotionVerdict
judge (const SsScene *scene, const SsTrajectory *trajectory)
{
  SsMotionVerdict verdict;
  SsError err = {0};

  SS_CHECK (ss_motion_judge (scene, trajectory, true, NULL, &verdict, &err) == SS_OK);
  SS_CHECK_STR (err.message, "");
  return verdict;
}

/* ---- right motions ----------------------------------------------------------------------------------------------- */

typedef struct {
  const SsIntegratorClass *integrator;
  double balance, cone, complementarity;
} Allowed;

/* What correct steps leave, by kind of law.
 *
 * Balance. Laws that take all forces and impulses at places that the judge knows leave rounding, 2e-10 of (1 m/s + the
 * fastest velocity, up to 20 in the examples), and what their own solver leaves. The Euler rules divide a step into
 * substeps and cvode into internal ones; forces, points of contact and directions of joints change meanwhile, of which
 * the rows know nothing: of first order in the step where bodies collide, little elsewhere (a tenth of it in the
 * mean).
 *
 * Cone. Impulses are answers of the step's problem, to its rounding; cvode's are quadratures without error control.
 *
 * Complementarity. stewart-trinkle bounces where the forces of a step close a gap that its velocity does not, up to
 * h^2 g; moreau-jean and anitescu-potra take gaps up to 1e-9 m as closed; dampers of constraint-solver and
 * implicit-euler push from a gap of B v/K on; convex-time-stepping keeps a gap of h mu |slip| while it slides; within a
 * step of cvode or of substeps bodies may meet and part. */
static const Allowed allowed[] = {
    {&ss_integrator_stewart_trinkle, 5e-9, 1e-10, 1e-6},
    {&ss_integrator_convex_time_stepping, 5e-9, 1e-10, 2e-3},
    {&ss_integrator_moreau_jean, 5e-9, 1e-10, 1e-9},
    {&ss_integrator_anitescu_potra, 5e-9, 1e-10, 1e-9},
    {&ss_integrator_constraint_solver, 5e-9, 1e-10, 1e-5},
    {&ss_integrator_implicit_euler, 5e-9, 1e-10, 1e-4},
    {&ss_integrator_semi_implicit_euler, 0.2, 1e-10, 1e-3},
    {&ss_integrator_explicit_euler, 0.2, 1e-10, 1e-3},
#if SS_HAVE_CVODE
    {&ss_integrator_cvode, 0.2, 1e-3, 1e-3},
#endif
};

/* Motions that are wrong, at the steps of the examples: contact springs that explode under the Euler rules, a spring
 * whose swings are faster than the step. The judge must say so. */
static const struct {
  const char *example, *integrator;
} wrong[] = {
    {"card-house", "semi-implicit-euler"},
    {"card-house", "explicit-euler"},
    {"finger-drag", "semi-implicit-euler"},
    {"finger-drag", "explicit-euler"},
    {"cart-pole-walls", "explicit-euler"},
    {"arm-push-box", "explicit-euler"},
    {"smd", "semi-implicit-euler"},
    {"smd", "explicit-euler"},
    {"smd", "cvode"},
};

static bool
is_wrong (const char *name, const SsIntegratorClass *integrator)
{
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    if (strcmp (wrong[i].example, name) == 0 && strcmp (wrong[i].integrator, integrator->name) == 0)
      return true;
  return false;
}

/* Works add up to the kinetic energy in every step. */
static void
check_works (const SsMotionVerdict *verdict)
{
  double worst = 0;

  for (int i = 1; i < verdict->n_rows; i++) {
    double sum = 0, size = 1;

    for (int k = 0; k < SS_WORK_COUNT; k++) {
      sum += verdict->steps[i].work[k];
      size += fabs (verdict->steps[i].work[k]);
    }
    size += verdict->steps[i].kinetic;
    worst = fmax (worst, fabs (sum - verdict->steps[i].kinetic + verdict->steps[i - 1].kinetic) / size);
  }
  /* rounding of the sums; a factor 1e4 for stiff springs, whose means over three places cancel */
  SS_CHECK (worst <= 1e-11);
}

static double
mean_balance (const SsMotionVerdict *verdict)
{
  double sum = 0;

  for (int i = 0; i < verdict->n_rows; i++)
    sum += verdict->steps[i].balance / verdict->n_rows;
  return sum;
}

static void
check_right (const SsScene *scene, const char *name, const Allowed *a, const SsTestRun *run)
{
  SsMotionVerdict verdict = judge (scene, run->trajectory);
  const int before = ss_test_failed_checks;

  SS_CHECK (verdict.is_complete && verdict.n_rows == run->trajectory->n_rows);
  check_works (&verdict);
  /* the integrators report the gaps of all contacts at every row: the same numbers, from the same geometry */
  SS_CHECK_NEAR (verdict.penetration.value, run->metrics.max_penetration, 1e-14 + 1e-12 * verdict.penetration.value);
  SS_CHECK_NEAR (verdict.energy_initial, run->metrics.energy_initial, 1e-12 * (1 + fabs (verdict.energy_initial)));
  if (is_wrong (name, a->integrator)) {
    SS_CHECK (verdict.balance.value > 1);
  } else {
    SS_CHECK (verdict.balance.value <= a->balance);
    SS_CHECK (mean_balance (&verdict) <= 0.1 * a->balance);
    SS_CHECK (verdict.cone.value <= a->cone);
    SS_CHECK (verdict.complementarity.value <= a->complementarity);
    SS_CHECK (verdict.swept_overlap.value <= 1e-3); /* penalty: deeper between two rows than at them */
  }
  if (ss_test_failed_checks > before)
    printf ("  %s, %s: balance %.2g at %.6g s, cone %.2g, complementarity %.2g, swept %.2g, penetration %.2g\n", name,
            a->integrator->name, verdict.balance.value, verdict.balance.t, verdict.cone.value,
            verdict.complementarity.value, verdict.swept_overlap.value, verdict.penetration.value);
  ss_motion_verdict_clear (&verdict);
}

/* At most so many steps of each: the time of the test. */
static int
most_steps (void)
{
  return ss_test_is_coarse () ? 150 : ss_test_is_long () ? 1500 : 500;
}

static void
check_all_integrators (const SsScenario *scenario, const char *name)
{
  for (size_t i = 0; i < sizeof allowed / sizeof *allowed; i++) {
    SsRunControl control;

    ss_run_control_init (&control);
    if (strcmp (allowed[i].integrator->name, "cvode") == 0 && strcmp (name, "disk-stack") == 0)
      continue; /* a minute of springs without dampers */
    if (ss_integrator_check_scene (allowed[i].integrator, NULL, scenario->scene, NULL) != SS_OK)
      continue; /* it refuses what it does not know */
    SsTestRun run =
        ss_test_simulate (scenario->scene, allowed[i].integrator, at_one_place (scenario->scene, allowed[i].integrator),
                          scenario->task.dt, fmin (scenario->task.t_end, most_steps () * scenario->task.dt), &control);
    if (run.trajectory != NULL)
      check_right (scenario->scene, name, &allowed[i], &run);
    ss_trajectory_free (run.trajectory);
  }
}

static void
right_motions_of_all_examples (void)
{
  static const char *const folders[] = {"classics", "constraint-solver", "plans", "sketches"};
  int n = 0;

  for (size_t f = 0; f < sizeof folders / sizeof *folders; f++) {
    char path[512], relative[320], name[256];
    snprintf (relative, sizeof relative, "examples/%s", folders[f]);
    DIR *folder = opendir (ss_test_source_path (relative, path, sizeof path));
    struct dirent *entry;

    SS_CHECK (folder != NULL);
    while (folder != NULL && (entry = readdir (folder)) != NULL) {
      const char *end = strstr (entry->d_name, ".stickslip.json");
      if (end == NULL)
        continue;
      snprintf (name, sizeof name, "%.*s", (int)(end - entry->d_name), entry->d_name);
      snprintf (relative, sizeof relative, "examples/%s/%.255s", folders[f], entry->d_name);
      SsScenario *scenario = ss_test_read_file (relative, NULL, 0);
      if (scenario != NULL && scenario->scene != NULL) {
        check_all_integrators (scenario, name);
        n++;
      }
      ss_scenario_free (scenario);
    }
    if (folder != NULL)
      closedir (folder);
  }
  SS_CHECK (n >= 25);
}

static void
right_motions_of_a_strange_scene (void)
{
  SsScenario *scenario = ss_test_read_text (workshop);

  if (scenario != NULL)
    check_all_integrators (scenario, "workshop");
  ss_scenario_free (scenario);
}

/* Options that change the law. */
static void
right_motions_with_options (void)
{
  static const struct {
    const SsIntegratorClass *integrator;
    const char *options[3];
    double balance, complementarity;
  } cases[] = {
      {&ss_integrator_stewart_trinkle, {"gap=end"}, 5e-9, 1e-9},
      {&ss_integrator_moreau_jean, {"theta=1"}, 5e-9, 1e-9},
      {&ss_integrator_moreau_jean, {"theta=0.75"}, 5e-9, 1e-9},
      {&ss_integrator_constraint_solver, {"activation=penetrating"}, 5e-9, 1e-5},
      {&ss_integrator_constraint_solver, {"compensate=off"}, 5e-9, 1e-5},
      /* springs along an edge share an impulse as no two of its points would, but between them */
      {&ss_integrator_constraint_solver, {"foundation=20"}, 5e-9, 1e-5},
  };
  SsScenario *scenario = ss_test_read_text (workshop);

  for (size_t i = 0; i < sizeof cases / sizeof *cases && scenario != NULL; i++) {
    const char *const *joints = at_one_place (scenario->scene, cases[i].integrator);
    const bool is_moreau = cases[i].integrator == &ss_integrator_moreau_jean;
    const char *const options[] = {cases[i].options[0], joints != NULL && !is_moreau ? joints[0] : NULL, NULL};
    SsTestRun run = ss_test_simulate (scenario->scene, cases[i].integrator, options, 0.004, 1.2, NULL);
    SsMotionVerdict verdict = judge (scenario->scene, run.trajectory);

    /* how far the law itself was met (gap=end does not settle in every step) */
    const double own = run.metrics.own_residual;
    SS_CHECK (verdict.balance.value <= cases[i].balance + 2 * own);
    SS_CHECK (verdict.complementarity.value <= cases[i].complementarity + 0.004 * own);
    if (!(verdict.balance.value <= cases[i].balance + 2 * own))
      printf ("  %s %s: %.3g at %.6g s (%s), own %.3g\n", cases[i].integrator->name, options[0], verdict.balance.value,
              verdict.balance.t, scenario->scene->bodies[verdict.balance.index].name, own);
    ss_motion_verdict_clear (&verdict);
    ss_trajectory_free (run.trajectory);
  }
  ss_scenario_free (scenario);
}

/* Joints at both ends of a step are judged at both: what is left is rounding, and does not hang on the step. That each
 * half is right to rounding: test-mechanisms.c; that faults far below h^3 are found: test-joint-forces.c. */
static void
joints_at_both_ends (void)
{
  static const SsIntegratorClass *const laws[] = {&ss_integrator_stewart_trinkle, &ss_integrator_convex_time_stepping,
                                                  &ss_integrator_moreau_jean, &ss_integrator_constraint_solver};
  SsScenario *scenario = ss_test_read_file ("examples/constraint-solver/pendulum.stickslip.json", NULL, 0);

  for (size_t i = 0; i < sizeof laws / sizeof *laws && scenario != NULL; i++) {
    double balance[2];

    for (int half = 0; half < 2; half++) {
      SsTestRun run = ss_test_simulate (scenario->scene, laws[i], NULL, 0.01 / (1 + half), 1, NULL);
      SsMotionVerdict verdict = judge (scenario->scene, run.trajectory);

      check_works (&verdict);
      balance[half] = verdict.balance.value;
      ss_motion_verdict_clear (&verdict);
      ss_trajectory_free (run.trajectory);
    }
    /* what counts as rounding at speeds of up to 4.4 rad/s, twice: nothing better is looked for */
    SS_CHECK (balance[0] <= 2e-10 * 5.4 && balance[1] <= 2e-10 * 5.4);
  }
  ss_scenario_free (scenario);
}

/* ---- planted faults ---------------------------------------------------------------------------------------------- */

typedef struct {
  SsScenario *scenario;
  SsTestRun run;
} Case;

static Case
open_case (const char *example, const SsIntegratorClass *integrator, double t_end)
{
  Case c = {.scenario = example != NULL ? ss_test_read_file (example, NULL, 0) : ss_test_read_text (workshop)};

  SS_CHECK (c.scenario != NULL);
  if (c.scenario == NULL)
    exit (1);
  c.run = ss_test_simulate (c.scenario->scene, integrator, at_one_place (c.scenario->scene, integrator),
                            c.scenario->task.dt, t_end, NULL);
  SS_CHECK (c.run.trajectory != NULL);
  if (c.run.trajectory == NULL)
    exit (1);
  return c;
}

static void
close_case (Case *c)
{
  ss_trajectory_free (c->run.trajectory);
  ss_scenario_free (c->scenario);
}

/* A value of a row, to be changed. */
static double *
value_at (Case *c, int row, const char *channel)
{
  const int i = ss_trajectory_channel (c->run.trajectory, channel);

  SS_CHECK (i >= 0);
  if (i < 0)
    exit (1);
  return &c->run.trajectory->values[(size_t)row * (size_t)c->run.trajectory->n_channels + (size_t)i];
}

static double
time_of (Case *c, int row)
{
  return *value_at (c, row, "t");
}

/* The row, from `first` on, where a channel is largest in size. */
static int
largest_row (Case *c, const char *channel, int first)
{
  int best = first;

  for (int i = first; i < c->run.trajectory->n_rows; i++)
    if (fabs (*value_at (c, i, channel)) > fabs (*value_at (c, best, channel)))
      best = i;
  return best;
}

static void
check_found (const SsMotionWorst *found, double least, double t, double time_tolerance, const char *name,
             const char *expected)
{
  SS_CHECK (found->value >= least);
  SS_CHECK_NEAR (found->t, t, time_tolerance);
  SS_CHECK_STR (name, expected);
}

/* A body sunk in: of a pyramid, and of the strange scene. */
static void
a_body_sunk_in (void)
{
  static const struct {
    const char *example, *channel, *contact;
    double by;
    int row;
  } plants[] = {{"examples/classics/box-pyramid.stickslip.json", "b0_1.y", "floor-b0_1", -0.003, 40},
                {NULL, "disc.y", "floor-disc", -0.02, 20}};

  for (size_t i = 0; i < 2; i++) {
    Case c = open_case (plants[i].example, &ss_integrator_stewart_trinkle, 1);
    SsMotionVerdict before = judge (c.scenario->scene, c.run.trajectory);

    *value_at (&c, plants[i].row, plants[i].channel) += plants[i].by;
    SsMotionVerdict after = judge (c.scenario->scene, c.run.trajectory);
    SS_CHECK (before.penetration.value < 1e-4);
    check_found (&after.penetration, i == 0 ? 0.0029 : 0.005, time_of (&c, plants[i].row), 0,
                 c.scenario->scene->contacts[after.penetration.index].name, plants[i].contact);
    ss_motion_verdict_clear (&before);
    ss_motion_verdict_clear (&after);
    close_case (&c);
  }
}

/* An impulse while nothing touches: of a ball at the top of its way, of a disc that no hammer has reached. */
static void
an_impulse_at_an_open_contact (void)
{
  static const struct {
    const char *example, *impulse, *gap, *contact;
  } plants[] = {
      {"examples/classics/bouncing-ball.stickslip.json", "floor-ball.impulse_n", "floor-ball.gap", "floor-ball"},
      {NULL, "hammer-disc.impulse_n", "hammer-disc.gap", "hammer-disc"}};

  for (size_t i = 0; i < 2; i++) {
    Case c = open_case (plants[i].example, &ss_integrator_moreau_jean, 1);
    SsMotionVerdict before = judge (c.scenario->scene, c.run.trajectory);
    const int row = largest_row (&c, plants[i].gap, 5);
    const double gap = *value_at (&c, row, plants[i].gap);

    *value_at (&c, row, plants[i].impulse) = 0.01;
    SsMotionVerdict after = judge (c.scenario->scene, c.run.trajectory);
    SS_CHECK (before.complementarity.value < 1e-8);
    /* the least gap in the step: the bodies have moved by less than a tenth of the gap */
    check_found (&after.complementarity, 0.9 * 0.01 * gap, time_of (&c, row), 0,
                 c.scenario->scene->contacts[after.complementarity.index].name, plants[i].contact);
    ss_motion_verdict_clear (&before);
    ss_motion_verdict_clear (&after);
    close_case (&c);
  }
}

/* Friction beyond its bound, and a contact that pulls. */
static void
an_impulse_outside_the_cone (void)
{
  static const struct {
    const char *example, *contact;
  } plants[] = {{"examples/classics/belt-block.stickslip.json", "belt-block"}, {NULL, "belt-box"}};

  for (size_t i = 0; i < 2; i++)
    for (int pulls = 0; pulls < 2; pulls++) {
      Case c = open_case (plants[i].example, &ss_integrator_stewart_trinkle, 1);
      SsMotionVerdict before = judge (c.scenario->scene, c.run.trajectory);
      char name_n[64], name_t[64];

      snprintf (name_n, sizeof name_n, "%s.impulse_n", plants[i].contact);
      snprintf (name_t, sizeof name_t, "%s.impulse_t", plants[i].contact);
      const int row = largest_row (&c, name_n, 10);
      const double pn = *value_at (&c, row, name_n);
      SS_CHECK (pn > 0);
      if (pulls)
        *value_at (&c, row, name_n) = -pn;
      else
        *value_at (&c, row, name_t) = 3 * pn;
      SsMotionVerdict after = judge (c.scenario->scene, c.run.trajectory);
      SS_CHECK (before.cone.value < 1e-10);
      check_found (&after.cone, 0.9 * pn, time_of (&c, row), 0, c.scenario->scene->contacts[after.cone.index].name,
                   plants[i].contact);
      ss_motion_verdict_clear (&before);
      ss_motion_verdict_clear (&after);
      close_case (&c);
    }
}

/* A change of velocity that nothing gives: a domino that stands still, a disc that rolls, a pole on its hinge. */
static void
a_velocity_that_nothing_explains (void)
{
  static const struct {
    const char *example, *channel, *body;
    double by, least;
  } plants[] = {{"examples/classics/domino-row.stickslip.json", "d7.vx", "d7", 0.01, 0.004},
                {NULL, "disc.vx", "disc", 0.01, 0.005},
                {NULL, "hammer.omega", "hammer", 0.2, 0.01},
                {NULL, "pole.omega", "pole", 0.2, 0.01}};

  for (size_t i = 0; i < sizeof plants / sizeof *plants; i++) {
    Case c = open_case (plants[i].example, &ss_integrator_stewart_trinkle, 0.4);
    SsMotionVerdict before = judge (c.scenario->scene, c.run.trajectory);
    const int row = 7;

    *value_at (&c, row, plants[i].channel) += plants[i].by;
    SsMotionVerdict after = judge (c.scenario->scene, c.run.trajectory);
    SS_CHECK (before.balance.value < 5e-9);
    /* the step to that row, or the one from it */
    check_found (&after.balance, plants[i].least, time_of (&c, row), 1.001 * c.scenario->task.dt,
                 c.scenario->scene->bodies[after.balance.index].name, plants[i].body);
    ss_motion_verdict_clear (&before);
    ss_motion_verdict_clear (&after);
    close_case (&c);
  }
}

static void
a_joint_pulled_apart (void)
{
  static const struct {
    const char *example, *channel, *joint;
  } plants[] = {{"examples/classics/compass-walker.stickslip.json", "leg1.y", "hip1"}, {NULL, "pole.x", "hinge"}};

  for (size_t i = 0; i < 2; i++) {
    Case c = open_case (plants[i].example, &ss_integrator_stewart_trinkle, 0.4);
    SsMotionVerdict before = judge (c.scenario->scene, c.run.trajectory);

    *value_at (&c, 50, plants[i].channel) += 0.002;
    SsMotionVerdict after = judge (c.scenario->scene, c.run.trajectory);
    SS_CHECK (before.joint_drift.value < 1e-3);
    check_found (&after.joint_drift, 0.0019 - before.joint_drift.value, time_of (&c, 50), 0,
                 c.scenario->scene->joints[after.joint_drift.index].name, plants[i].joint);
    ss_motion_verdict_clear (&before);
    ss_motion_verdict_clear (&after);
    close_case (&c);
  }
}

/* ---- a check of the check: an integrator that reports impulses which it did not apply ---------------------------- */

static double report_factor;

static SsStatus
step_and_report_wrongly (void *integrator, const SsStep *step, SsSimState *state, SsStepInfo *info, SsError *err)
{
  SsStatus status = ss_integrator_stewart_trinkle.step (integrator, step, state, info, err);

  /* the first contact only: the others are told rightly */
  state->contact[SS_SIM_IMPULSE_N] *= report_factor;
  state->contact[SS_SIM_IMPULSE_T] *= report_factor;
  return status;
}

static void
a_fault_in_the_report (void)
{
  SsIntegratorClass faulty = ss_integrator_stewart_trinkle;
  Case right = open_case ("examples/sketches/falling-box.stickslip.json", &ss_integrator_stewart_trinkle, 1);
  int first = 1;

  while (*value_at (&right, first, "floor-box.impulse_n") == 0)
    first++;
  faulty.step = step_and_report_wrongly;
  for (int i = 0; i < 3; i++) {
    static const double factors[] = {0.5, -1, 1.01};

    report_factor = factors[i];
    Case c = open_case ("examples/sketches/falling-box.stickslip.json", &faulty, 1);
    SsMotionVerdict verdict = judge (c.scenario->scene, c.run.trajectory);
    const double lost = fabs (factors[i] - 1) * *value_at (&right, first, "floor-box.impulse_n");

    /* the velocity that the first impulse gave and did not tell; found at its step or at a later, larger one */
    SS_CHECK (verdict.balance.value >= 0.5 * lost / c.scenario->scene->bodies[verdict.balance.index].mass);
    SS_CHECK (verdict.balance.t >= time_of (&right, first) && verdict.steps[first].balance > 1e-3);
    SS_CHECK (verdict.steps[first - 1].balance < 1e-9);
    SS_CHECK ((verdict.cone.value > 0.1 * lost) == (factors[i] < 0));
    ss_motion_verdict_clear (&verdict);
    close_case (&c);
  }
  close_case (&right);
}

/* ---- between the rows -------------------------------------------------------------------------------------------- */

static SsScenario *
disc_and_wall (double speed, double y, double t_end)
{
  char text[1024];

  snprintf (
      text, sizeof text,
      "{\"format\": 1, \"name\": \"shot\", \"scene\": {\"gravity\": [0, 0], \"bodies\": ["
      "{\"name\": \"wall\", \"fixed\": true, \"shape\": {\"type\": \"box\", \"width\": 0.05, \"height\": 2}},"
      "{\"name\": \"disc\", \"mass\": 1, \"position\": [-0.37, %g], \"velocity\": [%g, 0], \"angular_velocity\": 50,"
      " \"shape\": {\"type\": \"circle\", \"radius\": 0.01}}], \"contacts\": \"all\"},"
      "\"task\": {\"t_end\": %g, \"dt\": 0.01}}",
      y, speed, t_end);
  return ss_test_read_text (text);
}

/* A disc of 2 cm through a wall of 5 cm, which stops it where steps are taken in parts: half of the wall and the radius
 * is the deepest. */
static void
a_fast_disc_through_a_thin_wall (void)
{
  static const char *const whole[] = {"swept=off", NULL};
  static const double speeds[] = {50, 77, 123, 500, 1234, 5000};

  for (size_t i = 0; i < sizeof speeds / sizeof *speeds; i++) {
    SsScenario *scenario = disc_and_wall (speeds[i], 0.3, 0.04);
    SsTestRun run = ss_test_simulate (scenario->scene, &ss_integrator_anitescu_potra, whole, 0.01, 0.04, NULL);
    SsMotionVerdict verdict = judge (scenario->scene, run.trajectory);

    SS_CHECK (verdict.penetration.value == 0); /* no row shows it */
    /* 1e-3 of the depth and 1e-6 m is what the search promises */
    SS_CHECK_NEAR (verdict.swept_overlap.value, 0.035, 1e-6 + 2e-3 * 0.035);
    SS_CHECK_NEAR (verdict.swept_overlap.t, 0.37 / speeds[i], 0.0005 / speeds[i]);
    SS_CHECK (verdict.swept_overlap.index == 0);
    ss_motion_verdict_clear (&verdict);
    ss_trajectory_free (run.trajectory);
    ss_scenario_free (scenario);
    for (int side = -1; side <= 1; side += 2) { /* a millimetre past the end of the wall, a millimetre into it */
      scenario = disc_and_wall (speeds[i], 1.01 + side * 0.001, 0.04);
      run = ss_test_simulate (scenario->scene, &ss_integrator_anitescu_potra, whole, 0.01, 0.04, NULL);
      verdict = judge (scenario->scene, run.trajectory);
      SS_CHECK_NEAR (verdict.swept_overlap.value, side > 0 ? 0 : 0.001, side > 0 ? 0 : 1e-5);
      ss_motion_verdict_clear (&verdict);
      ss_trajectory_free (run.trajectory);
      ss_scenario_free (scenario);
    }
  }
}

/* What rolls, slides or turns over on a floor goes through nothing between the rows. */
static void
nothing_between_rows_on_a_floor (void)
{
  static const char text[] =
      "{\"format\": 1, \"name\": \"floor\", \"scene\": {\"gravity\": [0, -9.81], \"friction\": 0.3, \"bodies\": ["
      "{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]}},"
      "{\"name\": \"slab\", \"fixed\": true, \"position\": [0, -4.9], \"shape\": {\"type\": \"box\", \"width\": 40,"
      " \"height\": 0.2}},"
      "{\"name\": \"roll\", \"mass\": 1, \"position\": [0, 0.1], \"velocity\": [3, 0], \"angular_velocity\": -30,"
      " \"shape\": {\"type\": \"circle\", \"radius\": 0.1}},"
      "{\"name\": \"slide\", \"mass\": 1, \"position\": [-3, 0.1], \"velocity\": [4, 0],"
      " \"shape\": {\"type\": \"box\", \"width\": 0.3, \"height\": 0.2}},"
      "{\"name\": \"tumble\", \"mass\": 1, \"position\": [-8, 0.3], \"velocity\": [4, 0], \"angular_velocity\": -6,"
      " \"shape\": {\"type\": \"box\", \"width\": 0.3, \"height\": 0.25}},"
      "{\"name\": \"low\", \"mass\": 1, \"position\": [0, -4.7], \"velocity\": [4, 0],"
      " \"shape\": {\"type\": \"box\", \"width\": 0.3, \"height\": 0.2}}],"
      "\"contacts\": [{\"bodies\": [\"floor\", \"roll\"]}, {\"bodies\": [\"floor\", \"slide\"]},"
      "{\"bodies\": [\"floor\", \"tumble\"]}, {\"bodies\": [\"slab\", \"low\"]}]},"
      "\"task\": {\"t_end\": 1, \"dt\": 0.01}}";
  SsScenario *scenario = ss_test_read_text (text);

  for (int i = 0; i < N_INTEGRATORS && scenario != NULL; i++) {
    SsTestRun run = ss_test_simulate (scenario->scene, integrators[i], at_one_place (scenario->scene, integrators[i]),
                                      0.01, 1, NULL);
    SsMotionVerdict verdict = judge (scenario->scene, run.trajectory);

    /* springs may be deeper between two rows than at both */
    SS_CHECK (verdict.swept_overlap.value <= (i < 6 ? 0 : 5e-3));
    if (verdict.swept_overlap.value > 0)
      printf ("  %s: %.3g m at %.4g s, %s\n", integrators[i]->name, verdict.swept_overlap.value,
              verdict.swept_overlap.t, scenario->scene->contacts[verdict.swept_overlap.index].name);
    ss_motion_verdict_clear (&verdict);
    ss_trajectory_free (run.trajectory);
  }
  ss_scenario_free (scenario);
}

/* Against a plain search in a thousand parts, for turning polygons on random ways. */
static void
sweep_agrees_with_a_fine_search (void)
{
  static const char text[] =
      "{\"format\": 1, \"name\": \"pair\", \"scene\": {\"gravity\": [0, 0], \"bodies\": ["
      "{\"name\": \"a\", \"mass\": 1, \"shape\": {\"type\": \"polygon\", \"vertices\": [[-0.2, -0.1], [0.3, -0.1], [0, "
      "0.2]]}},"
      "{\"name\": \"b\", \"mass\": 1, \"shape\": {\"type\": \"capsule\", \"length\": 0.5, \"radius\": 0.03}}],"
      "\"contacts\": [{\"bodies\": [\"a\", \"b\"]}]}, \"task\": {\"t_end\": 1, \"dt\": 1}}";
  SsScenario *scenario = ss_test_read_text (text);
  const SsScene *scene = scenario->scene;
  SsTrajectory *trajectory = NULL;
  SsRandom random;
  int n_overlaps = 0;

  ss_random_seed (&random, 7);
  SS_CHECK (ss_scene_trajectory_new (scene, 2, &trajectory, NULL) == SS_OK);
  for (int trial = 0; trial < 400; trial++) {
    double row[2][64] = {{0}}, deepest = 0, at_rows = 0, bend = 0;

    for (int end = 0; end < 2; end++) {
      row[end][0] = end;
      for (int body = 0; body < 2; body++)
        for (int k = 0; k < 3; k++)
          row[end][1 + 6 * body + k] = ss_random_between (&random, -1, 1);
    }
    trajectory->n_rows = 0;
    SS_CHECK (ss_trajectory_append (trajectory, row[0], NULL) == SS_OK);
    SS_CHECK (ss_trajectory_append (trajectory, row[1], NULL) == SS_OK);
    SsMotionVerdict verdict = judge (scene, trajectory);
    for (int i = 0; i <= 1000; i++) {
      double pose[2][3];
      SsGap gaps[SS_MANIFOLD_MAX];

      for (int body = 0; body < 2; body++)
        for (int k = 0; k < 3; k++)
          pose[body][k] = row[0][1 + 6 * body + k] + i / 1000.0 * (row[1][1 + 6 * body + k] - row[0][1 + 6 * body + k]);
      ss_geometry_manifold (&scene->bodies[0].shape, pose[0], &scene->bodies[1].shape, pose[1], gaps);
      deepest = fmax (deepest, -gaps[0].phi);
      if (i == 0 || i == 1000)
        at_rows = fmax (at_rows, -gaps[0].phi);
    }
    for (int body = 0; body < 2; body++) { /* radius of what turns: .32, .25 */
      const double turn = row[1][3 + 6 * body] - row[0][3 + 6 * body];
      bend += (body == 0 ? hypot (0.3, 0.1) : 0.25) * turn * turn / 8;
    }
    const double expected = deepest - at_rows;
    n_overlaps += expected > 2 * bend;
    /* told when it exceeds twice what interpolation may err, then to that precision; a way of 3 m in a thousand parts
     * is 3 mm of the fine search */
    if (expected > 2 * bend + 2e-4)
      SS_CHECK (verdict.swept_overlap.value >= expected - bend - 1e-4);
    SS_CHECK (verdict.swept_overlap.value <= expected + 3e-3);
    ss_motion_verdict_clear (&verdict);
  }
  SS_CHECK (n_overlaps > 20);
  ss_trajectory_free (trajectory);
  ss_scenario_free (scenario);
}

/* ---- works ------------------------------------------------------------------------------------------------------- */

/* A block that a belt takes along: friction takes energy, the drive gives it, gravity nothing. */
static void
works_of_a_belt (void)
{
  Case c = open_case (NULL, &ss_integrator_stewart_trinkle, 1.2);
  SsMotionVerdict v = judge (c.scenario->scene, c.run.trajectory);

  SS_CHECK (v.work[SS_WORK_CONTACTS] < 0);
  SS_CHECK (v.work[SS_WORK_DRIVES] != 0);
  SS_CHECK (v.work[SS_WORK_DAMPERS] < 0);
  SS_CHECK (fabs (v.work[SS_WORK_UNEXPLAINED]) < 1e-8);
  /* joints that are held to third order in h hardly work */
  SS_CHECK (fabs (v.work[SS_WORK_JOINTS]) < 0.05 * v.turned_over);
  /* a limit without restitution only takes */
  SS_CHECK (v.work[SS_WORK_LIMITS] < 0);
  SS_CHECK (v.turned_over > fabs (v.work[SS_WORK_CONTACTS]));
  for (int k = 0; k < SS_WORK_COUNT; k++)
    SS_CHECK (ss_work_name ((SsWork)k)[0] != '\0');
  ss_motion_verdict_clear (&v);
  close_case (&c);
}

/* ---- how motions are written down -------------------------------------------------------------------------------- */

/* A copy with some channels in another order: out[i] = in[order[i]]. */
static SsTrajectory *
reordered (const SsTrajectory *from, const int *order, int n)
{
  SsChannel channels[256];
  double row[256];
  SsTrajectory *out = NULL;

  for (int i = 0; i < n; i++)
    channels[i] = from->channels[order[i]];
  SS_CHECK (ss_trajectory_new (channels, n, from->n_rows, &out, NULL) == SS_OK);
  for (int r = 0; r < from->n_rows; r++) {
    for (int i = 0; i < n; i++)
      row[i] = ss_trajectory_row (from, r)[order[i]];
    SS_CHECK (ss_trajectory_append (out, row, NULL) == SS_OK);
  }
  return out;
}

static void
channels_are_known_by_their_records (void)
{
  Case c = open_case (NULL, &ss_integrator_stewart_trinkle, 0.6);
  const SsTrajectory *motion = c.run.trajectory;
  SsMotionVerdict straight = judge (c.scenario->scene, motion), other;
  int order[256], n = motion->n_channels;
  SsError err = {0};

  for (int i = 0; i < n; i++)
    order[i] = i == 0 ? 0 : n - i;
  SsTrajectory *backwards = reordered (motion, order, n);
  other = judge (c.scenario->scene, backwards);
  SS_CHECK (memcmp (straight.steps, other.steps, (size_t)straight.n_rows * sizeof *straight.steps) == 0);
  ss_motion_verdict_clear (&other);
  ss_trajectory_free (backwards);

  /* forces instead of impulses */
  int m = 0;
  for (int i = 0; i < n; i++)
    if (motion->channels[i].quantity != SS_QUANTITY_NORMAL_IMPULSE &&
        motion->channels[i].quantity != SS_QUANTITY_TANGENTIAL_IMPULSE)
      order[m++] = i;
  SsTrajectory *forces = reordered (motion, order, m);
  other = judge (c.scenario->scene, forces);
  SS_CHECK (other.balance.value < 5e-9 && !isnan (other.cone.value));
  ss_motion_verdict_clear (&other);
  ss_trajectory_free (forces);

  /* poses and nothing else */
  for (int i = m = 0; i < n; i++)
    if (i == 0 || motion->channels[i].quantity == SS_QUANTITY_POSITION_X ||
        motion->channels[i].quantity == SS_QUANTITY_POSITION_Y || motion->channels[i].quantity == SS_QUANTITY_ANGLE)
      order[m++] = i;
  SsTrajectory *poses = reordered (motion, order, m);
  other = judge (c.scenario->scene, poses);
  SS_CHECK (other.penetration.value == straight.penetration.value);
  SS_CHECK (other.joint_drift.value == straight.joint_drift.value);
  SS_CHECK (isnan (other.balance.value) && isnan (other.cone.value) && isnan (other.complementarity.value));
  SS_CHECK (isnan (other.energy_final) && isnan (other.work[0]) && isnan (other.turned_over));
  SsMetricSet set = {0};
  ss_motion_metrics (&other, &set);
  SS_CHECK (set.is_set[SS_METRIC_MAX_PENETRATION] && set.is_set[SS_METRIC_MAX_SWEPT_OVERLAP]);
  SS_CHECK (!set.is_set[SS_METRIC_MAX_BALANCE_RESIDUAL] && !set.is_set[SS_METRIC_ENERGY_FINAL]);
  ss_motion_verdict_clear (&other);
  ss_trajectory_free (poses);

  /* one pose less */
  for (int i = m = 0; i < n; i++)
    if (strcmp (motion->channels[i].name, "pill.theta") != 0)
      order[m++] = i;
  SsTrajectory *less = reordered (motion, order, m);
  SS_CHECK (ss_motion_judge (c.scenario->scene, less, true, NULL, &other, &err) == SS_ERR_INVALID);
  SS_CHECK_CONTAINS (err.message, "theta of body pill");
  SS_CHECK (other.steps == NULL);
  ss_trajectory_free (less);
  ss_motion_verdict_clear (&straight);
  close_case (&c);
}

static void
motions_that_are_none (void)
{
  Case c = open_case (NULL, &ss_integrator_stewart_trinkle, 0.2);
  SsMotionVerdict verdict;
  SsRunControl control;
  SsError err = {0};

  ss_run_control_init (&control);
  ss_run_control_cancel (&control);
  SS_CHECK (ss_motion_judge (c.scenario->scene, c.run.trajectory, true, &control, &verdict, &err) == SS_OK);
  SS_CHECK (!verdict.is_complete && verdict.n_rows == 0);
  SsMetricSet set = {0};
  ss_motion_metrics (&verdict, &set);
  for (int i = 0; i < SS_METRIC_COUNT; i++)
    SS_CHECK (!set.is_set[i]);
  ss_motion_verdict_clear (&verdict);

  *value_at (&c, 20, "box.vy") = NAN;
  SS_CHECK (ss_motion_judge (c.scenario->scene, c.run.trajectory, true, NULL, &verdict, &err) == SS_ERR_INVALID);
  SS_CHECK_CONTAINS (err.message, "vy of body box is not finite");
  *value_at (&c, 20, "box.vy") = 0;
  *value_at (&c, 20, "t") = 0;
  SS_CHECK (ss_motion_judge (c.scenario->scene, c.run.trajectory, true, NULL, &verdict, &err) == SS_ERR_INVALID);
  SS_CHECK_CONTAINS (err.message, "time of row 20");
  c.run.trajectory->n_rows = 0;
  SS_CHECK (ss_motion_judge (c.scenario->scene, c.run.trajectory, true, NULL, &verdict, &err) == SS_OK);
  SS_CHECK (verdict.is_complete && verdict.n_rows == 0 && verdict.penetration.value == 0);
  ss_motion_verdict_clear (&verdict);
  close_case (&c);
}

/* An impact between two rows of one time: velocities jump by the impulses, in no time. */
static void
rows_of_one_time (void)
{
  Case c = open_case ("examples/classics/bouncing-ball.stickslip.json", &ss_integrator_moreau_jean, 1);
  SsTrajectory *motion = c.run.trajectory;
  double row[2][64];
  const int n = motion->n_channels;
  const int t = 0, vy = ss_trajectory_channel (motion, "ball.vy"), y = ss_trajectory_channel (motion, "ball.y");
  const int impulse = ss_trajectory_channel (motion, "floor-ball.impulse_n");
  const SsScene *scene = c.scenario->scene;
  const double mass = scene->bodies[1].mass;

  SS_CHECK (n <= 64 && vy > 0 && y > 0 && impulse > 0);
  memcpy (row[0], ss_trajectory_row (motion, 0), (size_t)n * sizeof (double));
  row[0][y] = scene->bodies[1].shape.radius;
  row[0][vy] = -2;
  row[0][t] = 1;
  memcpy (row[1], row[0], sizeof row[0]);
  row[1][vy] = 1.5;
  row[1][impulse] = 3.5 * mass;
  motion->n_rows = 0;
  SS_CHECK (ss_trajectory_append (motion, row[0], NULL) == SS_OK &&
            ss_trajectory_append (motion, row[1], NULL) == SS_OK);
  SsMotionVerdict verdict = judge (scene, motion);
  SS_CHECK (verdict.balance.value < 1e-14 && verdict.complementarity.value == 0 && verdict.swept_overlap.value == 0);
  SS_CHECK_NEAR (verdict.work[SS_WORK_CONTACTS], mass * (1.5 * 1.5 - 4) / 2, 1e-13);
  ss_motion_verdict_clear (&verdict);
  motion->values[(size_t)n + (size_t)impulse] = 3.4 * mass;
  verdict = judge (scene, motion);
  SS_CHECK_NEAR (verdict.balance.value, 0.1, 1e-12);
  ss_motion_verdict_clear (&verdict);
  close_case (&c);
}

/* More contacts than have channels for all: those that do something have them, so that their impulses are known. */
static void
contacts_of_many_bodies (void)
{
  static const char text[] =
      "{\"format\": 1, \"name\": \"many\", \"scene\": {\"gravity\": [0, -9.81], \"bodies\": ["
      "{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]}},"
      "{\"for\": \"i\", \"from\": 0, \"to\": 94, \"rows\": [{\"name\": \"d{i}\", \"mass\": 1, "
      "\"position\": [\"{i}\", 0.5],"
      "\"shape\": {\"type\": \"circle\", \"radius\": 0.3}}]}], \"contacts\": \"all\"},"
      "\"task\": {\"t_end\": 0.3, \"dt\": 0.01}}";
  SsScenario *scenario = ss_test_read_text (text);
  SsTestRun run = ss_test_simulate (scenario->scene, &ss_integrator_moreau_jean,
                                    at_one_place (scenario->scene, &ss_integrator_moreau_jean), 0.01, 0.3, NULL);
  SsMotionVerdict verdict = judge (scenario->scene, run.trajectory);

  SS_CHECK (scenario->scene->n_contacts > SS_CONTACTS_WITH_CHANNELS_MAX);
  SS_CHECK (verdict.balance.value < 1e-10 && verdict.cone.value < 1e-10); /* rounding of speeds of some m/s */
  SS_CHECK (verdict.penetration.value > 0 && verdict.energy_final < verdict.energy_initial);
  ss_motion_verdict_clear (&verdict);
  ss_trajectory_free (run.trajectory);
  ss_scenario_free (scenario);
}

static void
every_allocation_may_fail (void)
{
  Case c = open_case (NULL, &ss_integrator_stewart_trinkle, 0.4);
  SsMotionVerdict verdict;
  SsError err;
  int n = 0;
  SsStatus status = SS_ERR_MEMORY;

  while (status == SS_ERR_MEMORY && n < 1000) {
    ss_alloc_fail_at ((uint64_t)++n);
    status = ss_motion_judge (c.scenario->scene, c.run.trajectory, true, NULL, &verdict, &err);
    ss_alloc_fail_at (0);
    if (status == SS_ERR_MEMORY)
      SS_CHECK (verdict.steps == NULL && verdict.n_rows == 0);
  }
  SS_CHECK (status == SS_OK && n > 20);
  ss_motion_verdict_clear (&verdict);
  close_case (&c);
}

/* The moment of a force at an arm of length r and direction a is r (cos (a) fy - sin (a) fx); turned, a grows. Bodies
 * that their inertia turns, and steps whose forces are told, have no other one. */
static void
a_turned_arm_has_its_moment (void)
{
  static const double r = 1.3, direction = 0.7, at = 0.2, centre = 1.1, fx = 3, fy = -2;
  double free_of[] = {1, 1, 1, 0, 0, 0}, q[6] = {0, 0, at, 0, 0, at}, turned[6] = {0, 0, centre, 0, 0, centre};
  SsMotionBalance balance = {.inverse_mass = free_of, .has_centre = true};
  const double x = r * cos (direction), y = r * sin (direction), later = direction + centre - at;

  balance.q[AT_CENTRE] = turned;
  const double expected = r * (cos (later) * fy - sin (later) * fx) - (x * fy - y * fx);
  SS_CHECK_NEAR (ss_motion_turned_moment (&balance, 1, q, x, y, fx, fy), expected, 1e-14); /* rounding of some units */
  SS_CHECK (ss_motion_turned_moment (&balance, 0, q, x, y, fx, fy) == 0);
  balance.has_centre = false;
  SS_CHECK (ss_motion_turned_moment (&balance, 1, q, x, y, fx, fy) == 0);
}

/* ---- least squares ----------------------------------------------------------------------------------------------- */

enum { PUSHES = 4 };

/* The least of |r - M^-1 J z| in the norm of M over z >= 0: of all sets of pushes that act, each solved by itself. */
static double
least_of_all_sets (const double *mass, double pushes[PUSHES][3], const double *r)
{
  double least = INFINITY;

  for (unsigned set = 0; set < 1u << PUSHES; set++) {
    double A[PUSHES][PUSHES + 1], z[PUSHES], value = 0;
    int of[PUSHES], n = 0;
    bool is_allowed = true;
    for (int k = 0; k < PUSHES; k++)
      if (set >> k & 1)
        of[n++] = k;
    for (int i = 0; i < n; i++)
      for (int j = 0; j <= n; j++) {
        A[i][j] = 0;
        for (int d = 0; d < 3; d++)
          A[i][j] += pushes[of[i]][d] * (j < n ? pushes[of[j]][d] / mass[d] : r[d]);
      }
    for (int i = 0; i < n; i++) /* Gauss without pivots: A is positive definite or singular */
      for (int k = i + 1; k < n; k++)
        for (int j = n; j >= i; j--)
          A[k][j] -= A[k][i] / A[i][i] * A[i][j];
    for (int i = n - 1; i >= 0; i--) {
      z[i] = A[i][n];
      for (int j = i + 1; j < n; j++)
        z[i] -= A[i][j] * z[j];
      z[i] /= A[i][i];
      is_allowed = is_allowed && z[i] >= 0;
    }
    for (int d = 0; d < 3; d++) {
      double left = r[d];
      for (int i = 0; i < n; i++)
        left -= pushes[of[i]][d] / mass[d] * z[i];
      value += mass[d] * left * left;
    }
    if (is_allowed && value < least)
      least = value;
  }
  return sqrt (least);
}

/* Contacts push and do not pull: what random pushes leave of a random change of velocity is the least that weights of
 * no less than 0 can leave, and that is what the weights say. To 1e-6 of it: gradients end at a part of 1e-7 or so. */
static void
what_only_pushes_leaves_the_least (void)
{
  static const double mass[3] = {2, 2, 0.5}, inverse[3] = {0.5, 0.5, 2};
  SsMotionFit *fit = NULL;
  SsRandom random;

  ss_random_seed (&random, 35);
  SS_CHECK (ss_motion_fit_new (1, mass, inverse, NULL, 0, &fit, NULL) == SS_OK);
  for (int round = 0; round < 200; round++) {
    double pushes[PUSHES][3], r[3], left[3], norm = 0, off = 0;
    for (int d = 0; d < 3; d++)
      left[d] = r[d] = ss_random_normal (&random);
    ss_motion_fit_clear (fit);
    for (int k = 0; k < PUSHES; k++) {
      SsFitColumn column = {.body = {0, -1}};
      for (int d = 0; d < 3; d++)
        column.j[d] = pushes[k][d] = ss_random_normal (&random);
      SS_CHECK (ss_motion_fit_begin (fit, NAN, NULL) == SS_OK && ss_motion_fit_add (fit, &column, NULL) == SS_OK);
    }
    SS_CHECK (ss_motion_fit_solve (fit, left, 0, 1000, NULL) == SS_OK);
    for (int d = 0; d < 3; d++) {
      double own = r[d];
      for (int k = 0; k < PUSHES; k++)
        own -= pushes[k][d] / mass[d] * ss_motion_fit_columns (fit)[k].weight;
      off = fmax (off, fabs (own - left[d]));
      norm += mass[d] * left[d] * left[d];
    }
    for (int k = 0; k < PUSHES; k++)
      SS_CHECK (ss_motion_fit_columns (fit)[k].weight >= 0);
    SS_CHECK_NEAR (sqrt (norm), least_of_all_sets (mass, pushes, r), 1e-6);
    SS_CHECK (off < 1e-12 * PUSHES * 100); /* rounding over weights of up to 100 */
  }
  ss_motion_fit_free (fit);
}

int
main (void)
{
  SS_RUN (a_turned_arm_has_its_moment);
  SS_RUN_SLOW (right_motions_of_all_examples);
  SS_RUN (right_motions_of_a_strange_scene);
  SS_RUN (right_motions_with_options);
  SS_RUN (joints_at_both_ends);
  SS_RUN (a_body_sunk_in);
  SS_RUN (an_impulse_at_an_open_contact);
  SS_RUN (an_impulse_outside_the_cone);
  SS_RUN (a_velocity_that_nothing_explains);
  SS_RUN (a_joint_pulled_apart);
  SS_RUN (a_fault_in_the_report);
  SS_RUN (a_fast_disc_through_a_thin_wall);
  SS_RUN (nothing_between_rows_on_a_floor);
  SS_RUN (sweep_agrees_with_a_fine_search);
  SS_RUN (works_of_a_belt);
  SS_RUN (channels_are_known_by_their_records);
  SS_RUN (motions_that_are_none);
  SS_RUN (rows_of_one_time);
  SS_RUN (contacts_of_many_bodies);
  SS_RUN (what_only_pushes_leaves_the_least);
  SS_RUN (every_allocation_may_fail);
  return ss_test_finish ();
}
