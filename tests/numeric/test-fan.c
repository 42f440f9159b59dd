/* tests/numeric/test-fan.c: motions that go on with several outcomes of an impact (simulate/ss-fan.h,
 * fesd/ss-fesd-impacts.h): shares, branches against separate runs, merged draws, bounds, laws with all outcomes, and
 * the second clock of paper 002. */
#include "fesd/ss-event-driven.h"
#include "judge/ss-motion-law.h"
#include "run/ss-run-simulate.h"
#include "run/ss-run.h"
#include "simulate/ss-fan.h"
#include "ss-test-scenario.h"
#include "ss-test-simulate.h"

#include "core/ss-memory.h"

/* ---- runs -------------------------------------------------------------------------------------------------------- */

typedef struct {
  int n_warnings;
  char text[512];
} Told;

static void
listen (void *data, const SsProgress *progress)
{
  Told *told = data;
  if (progress->kind != SS_PROGRESS_LOG || progress->level < SS_LOG_WARNING)
    return;
  told->n_warnings++;
  snprintf (told->text, sizeof told->text, "%s", progress->text);
}

static SsStatus
simulate (const SsScene *scene, const char *const *texts, double dt, double t_end, Told *told, SsSimResult *result,
          SsError *err)
{
  const SsOptionTable *table = ss_integrator_event_driven.options;
  void *options = ss_alloc (1, table->size);
  SsRunControl control;
  SsStatus status = options != NULL ? SS_OK : SS_ERR_MEMORY;
  *result = (SsSimResult){0};
  if (status == SS_OK)
    ss_test_set_options (table, options, texts, err);
  ss_run_control_init (&control);
  control.progress = told != NULL ? listen : NULL;
  control.user_data = told;
  const SsSimJob job = {
      .scene = scene, .integrator = &ss_integrator_event_driven, .options = options, .dt = dt, .t_end = t_end};
  if (status == SS_OK)
    status = ss_simulate_job (&job, &control, result, err);
  ss_free (options);
  return status;
}

static SsSimResult
run (const SsScene *scene, const char *const *texts, double dt, double t_end, Told *told)
{
  SsSimResult result;
  SsError err = {0};
  SS_CHECK (simulate (scene, texts, dt, t_end, told, &result, &err) == SS_OK);
  SS_CHECK (result.outcome == SS_OUTCOME_COMPLETED);
  if (result.outcome != SS_OUTCOME_COMPLETED)
    printf ("  %s%s\n", err.message, result.message);
  return result;
}

/* A block, of which this is the state. */
static SsScenario *
block (double width, double gravity, double height_of_fall, const double q[3], const double v[3])
{
  char text[1024];
  snprintf (text, sizeof text,
            "{\"format\": 1, \"name\": \"block\", \"scene\": {\"friction\": 1, \"gravity\": [0, %.17g], \"bodies\": ["
            "{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]}},"
            "{\"name\": \"block\", \"shape\": {\"type\": \"box\", \"width\": %.17g, \"height\": 2}, \"mass\": 1, "
            "\"position\": [%.17g, %.17g], \"angle\": %.17g, \"velocity\": [%.17g, %.17g], "
            "\"angular_velocity\": %.17g}]}, \"task\": {\"t_end\": 1, \"dt\": 0.001}}",
            -gravity, width, q[0], q[1] + height_of_fall, q[2], v[0], v[1], v[2]);
  return ss_test_read_text (text);
}

static const SsTrajectory *
motion_of (const SsSimResult *result, int branch)
{
  return branch == 0 ? result->trajectory : result->branches[branch].trajectory;
}

static double
sum_of_shares (const SsSimResult *result)
{
  double sum = 0;
  for (int i = 0; i < result->n_branches; i++)
    sum += result->branches[i].share;
  return sum;
}

/* Pose and speeds of the block, the second body, in a row. */
static void
state_of (const SsTrajectory *motion, int row, double q[3], double v[3])
{
  const double *values = ss_trajectory_row (motion, row) + 1 + 6;
  memcpy (q, values, 3 * sizeof *q);
  memcpy (v, values + 3, 3 * sizeof *v);
}

/* The first row after the jump at that time. */
static int
row_after (const SsTrajectory *motion, double t)
{
  int row = 0;
  while (row + 1 < motion->n_rows && ss_trajectory_row (motion, row)[0] < t)
    row++;
  return row + 1;
}

/* ---- branches ---------------------------------------------------------------------------------------------------- */

/* Every branch goes on as a separate run from its outcome does: the same equations with other steps, which are exact to
 * 1e-13 for a millisecond of rocking (fifth order). */
static void
check_against_separate_runs (double fall, double dt, double t_end, double tolerance)
{
  const char *const options[] = {"law=set-valued", "branches=8", "law.seed=3", NULL};
  const char *const one[] = {"law=set-valued", NULL};
  const double start[3] = {0, 1, 0}, rest[3] = {0, fall > 0 ? 0 : -0.5, 0};
  SsScenario *scenario = block (1, 9.81, fall, start, rest);
  SsSimResult fan = run (scenario->scene, options, dt, t_end, NULL);
  SS_CHECK (fan.n_branches > 4 && fan.n_branches <= 8);
  SS_CHECK_NEAR (sum_of_shares (&fan), 1, 1e-15);
  for (int i = 0; i < fan.n_branches; i++) {
    const SsTrajectory *motion = motion_of (&fan, i);
    const double t_fork = fan.branches[fan.n_branches - 1].t_fork; /* all leave branch 0 there */
    const int row = row_after (motion, t_fork);
    double q[3], v[3], end[2][3], speed[2][3];
    SS_CHECK (i == 0 ? fan.branches[i].parent == -1 : fan.branches[i].parent == 0);
    SS_CHECK_NEAR (t_fork, sqrt (2 * fall / 9.81), 1e-12);
    SS_CHECK (ss_trajectory_row (motion, row)[0] == ss_trajectory_row (motion, row - 1)[0]);
    state_of (motion, row, q, v);
    SsScenario *own = block (1, 9.81, 0, q, v);
    SsSimResult separate = run (own->scene, one, dt, t_end - t_fork, NULL);
    state_of (motion, motion->n_rows - 1, end[0], speed[0]);
    state_of (separate.trajectory, separate.trajectory->n_rows - 1, end[1], speed[1]);
    for (int k = 0; k < 3; k++) {
      SS_CHECK_NEAR (end[0][k], end[1][k], tolerance);
      SS_CHECK_NEAR (speed[0][k], speed[1][k], tolerance);
    }
    ss_sim_result_clear (&separate);
    ss_scenario_free (own);
  }
  ss_sim_result_clear (&fan);
  ss_scenario_free (scenario);
}

static void
test_separate_runs (void)
{
  check_against_separate_runs (0, 1e-3, 0.02, 1e-12);
  check_against_separate_runs (0.05, 1e-3, 0.13, 1e-12); /* the impact lies within a step */
}

/* Rows and events of a branch up to the fork are its parent's; its outcome is the law's sample. */
static void
test_outcomes (void)
{
  const char *const options[] = {"law=set-valued", "branches=6", "law.seed=11", "law.step=0.3", NULL};
  SsScenario *scenario = ss_test_read_file ("examples/impacts/rocking-block.stickslip.json", NULL, 0);
  SsSimResult fan = run (scenario->scene, options, 1e-3, 0.01, NULL);
  const SsImpactSetOptions set_options = {
      .h = 0.3, .max_steps = SS_IMPACT_STEPS_MAX, .n_samples = 6, .seed = 11, .n_threads = 1};
  SsImpact *impact = NULL;
  SsImpactSet *set = NULL;
  SsError err;
  SS_CHECK (ss_impact_new_from_scene (scenario->scene, NULL, NULL, 1e-6, &impact, &err) == SS_OK);
  SS_CHECK (ss_impact_set_new (impact, &set_options, NULL, &set, &err) == SS_OK);
  int n_found = 0;
  for (int i = 0; i < fan.n_branches; i++) {
    double q[3], v[3];
    int n_same = 0;
    state_of (motion_of (&fan, i), 1, q, v);
    for (int k = 0; k < 6; k++) {
      double off = 0;
      for (int c = 0; c < 3; c++) /* after the floor's coordinates */
        off = fmax (off, fabs (set->v[set->n * k + 3 + c] - v[c]));
      n_same += off < 1e-7; /* samples that agree are one branch */
    }
    SS_CHECK (n_same >= 1);
    SS_CHECK_NEAR (fan.branches[i].share, n_same / 6., 1e-15);
    n_found += n_same;
    SS_CHECK (memcmp (ss_trajectory_row (motion_of (&fan, i), 0), ss_trajectory_row (fan.trajectory, 0),
                      sizeof (double) * (size_t)fan.trajectory->n_channels) == 0);
  }
  SS_CHECK (n_found == 6);
  ss_impact_set_free (set);
  ss_impact_free (impact);
  ss_sim_result_clear (&fan);
  ss_scenario_free (scenario);
}

/* Half of the draws of a narrow block that falls flat leave it at rest: one branch with all their shares. */
static void
test_merged (void)
{
  const char *const options[] = {"law=set-valued", "branches=40", "max-branches=100", NULL};
  const double q[3] = {0, 1, 0}, v[3] = {0, -3.5, 0};
  SsScenario *scenario = block (0.5, 9.81, 0, q, v);
  Told told = {0};
  SsSimResult fan = run (scenario->scene, options, 1e-3, 2e-3, &told);
  double largest = 0;
  for (int i = 0; i < fan.n_branches; i++)
    largest = fmax (largest, fan.branches[i].share);
  SS_CHECK (largest > 0.3 && fan.n_branches <= 1 + 40 * (1 - largest) + 1e-9 && fan.n_branches > 5);
  SS_CHECK_NEAR (sum_of_shares (&fan), 1, 1e-14);
  SS_CHECK (told.n_warnings == 0);
  ss_sim_result_clear (&fan);
  ss_scenario_free (scenario);
}

/* ---- bounds ------------------------------------------------------------------------------------------------------ */

/* Two blocks that fall one after the other: the second impact finds no room. Shares stay whole, and it is said. */
static void
test_bounds (void)
{
  static const char text[] =
      "{\"format\": 1, \"name\": \"two\", \"scene\": {\"friction\": 1, \"gravity\": [0, -9.81], \"bodies\": ["
      "{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]}},"
      "{\"name\": \"a\", \"shape\": {\"type\": \"box\", \"width\": 1, \"height\": 2}, \"mass\": 1, \"position\": [0, "
      "1.01]},"
      "{\"name\": \"b\", \"shape\": {\"type\": \"box\", \"width\": 1, \"height\": 2}, \"mass\": 1, "
      "\"position\": [3, 1.02]}]}, \"task\": {\"t_end\": 0.08, \"dt\": 0.001}}";
  const char *const wide[] = {"law=set-valued", "branches=4", "max-branches=100", NULL};
  const char *const narrow[] = {"law=set-valued", "branches=4", "max-branches=6", NULL};
  SsScenario *scenario = ss_test_read_text (text);
  Told told = {0};
  SsSimResult all = run (scenario->scene, wide, 1e-3, 0.08, &told);
  int n_first = 0;
  for (int i = 0; i < all.n_branches; i++)
    n_first += all.branches[i].t_fork < 0.05;
  SS_CHECK (told.n_warnings == 0 && n_first > 2 && all.n_branches > 2 * n_first);
  SS_CHECK_NEAR (sum_of_shares (&all), 1, 1e-14);
  SsSimResult few = run (scenario->scene, narrow, 1e-3, 0.08, &told);
  SS_CHECK (few.n_branches == 6);
  SS_CHECK_NEAR (sum_of_shares (&few), 1, 1e-14);
  SS_CHECK (told.n_warnings == 1);
  SS_CHECK_CONTAINS (told.text, "max-branches");
  /* The first impact had room: its branches are those of the wide fan. */
  for (int i = 0; i < n_first; i++)
    SS_CHECK (few.branches[i].parent == all.branches[i].parent && few.branches[i].t_fork == all.branches[i].t_fork);
  ss_sim_result_clear (&all);
  ss_sim_result_clear (&few);
  ss_scenario_free (scenario);
}

static bool
same_bits (const SsSimResult *a, const SsSimResult *b)
{
  bool same = a->n_branches == b->n_branches;
  for (int i = 0; same && i < a->n_branches; i++) {
    const SsTrajectory *x = motion_of (a, i), *y = motion_of (b, i);
    same = x->n_rows == y->n_rows && a->branches[i].share == b->branches[i].share &&
           memcmp (x->values, y->values, sizeof (double) * (size_t)x->n_rows * (size_t)x->n_channels) == 0;
  }
  return same;
}

static void
test_same_bits (void)
{
  const char *const seed1[] = {"law=set-valued", "branches=5", "law.seed=1", NULL};
  const char *const seed2[] = {"law=set-valued", "branches=5", "law.seed=2", NULL};
  SsScenario *scenario = ss_test_read_file ("examples/impacts/disk-stack.stickslip.json", NULL, 0);
  SsSimResult a = run (scenario->scene, seed1, 1e-2, 0.1, NULL), b = run (scenario->scene, seed1, 1e-2, 0.1, NULL),
              c = run (scenario->scene, seed2, 1e-2, 0.1, NULL);
  SS_CHECK (a.n_branches > 1 && same_bits (&a, &b) && !same_bits (&a, &c));
  ss_sim_result_clear (&a);
  ss_sim_result_clear (&b);
  ss_sim_result_clear (&c);
  ss_scenario_free (scenario);
}

/* Cancelled before the first step, and a fan that allocations fail: all or nothing. */
static void
test_no_memory (void)
{
  const char *const options[] = {"law=set-valued", "branches=4", NULL};
  SsScenario *scenario = ss_test_read_file ("examples/impacts/rocking-block.stickslip.json", NULL, 0);
  uint64_t n = 0;
  for (uint64_t k = 0; k <= n; k += k < 400 || ss_test_is_long () ? 1 : 7) {
    SsSimResult result;
    SsError err = {0};
    const uint64_t before = ss_alloc_count ();
    ss_alloc_fail_at (k); /* 0: none */
    const SsStatus status = simulate (scenario->scene, options, 1e-3, 2e-3, NULL, &result, &err);
    ss_alloc_fail_at (0);
    n = k == 0 ? ss_alloc_count () - before : n;
    SS_CHECK (status == SS_ERR_MEMORY || (status == SS_OK && result.outcome == SS_OUTCOME_COMPLETED));
    SS_CHECK (k > 0 || (status == SS_OK && result.n_branches > 1));
    ss_sim_result_clear (&result);
  }
  ss_scenario_free (scenario);
}

/* ---- other laws -------------------------------------------------------------------------------------------------- */

/* The two orders of the rocking block: mirror images, half of all each. Notes on paper 002, section 7. */
static void
test_all_orders (void)
{
  const char *const options[] = {"law=sequential", "law.all=true", "max-branches=8", NULL};
  SsScenario *scenario = ss_test_read_file ("examples/impacts/rocking-block.stickslip.json", NULL, 0);
  SsSimResult fan = run (scenario->scene, options, 1e-3, 2e-3, NULL);
  double q[3], a[3], b[3];
  SS_CHECK (fan.n_branches == 2);
  if (fan.n_branches == 2) {
    state_of (motion_of (&fan, 0), 1, q, a);
    state_of (motion_of (&fan, 1), 1, q, b);
    SS_CHECK_NEAR (fan.branches[0].share, 0.5, 1e-15);
    SS_CHECK_NEAR (a[2], -b[2], 1e-12);
    SS_CHECK_NEAR (fabs (a[2]), 0.093018, 1e-6); /* lift of a corner over the width of 1 m; six digits are printed */
  }
  ss_sim_result_clear (&fan);
  ss_scenario_free (scenario);
}

/* Equal rates leave the block at rest, one corner's rate and then the other's lift it as in sequence; rates for another
 * number of points end the run. */
static void
test_rates (void)
{
  const char *const equal[] = {"law=set-valued", "law.rates=equal", "branches=8", NULL};
  const char *const first[] = {"law=set-valued", "law.rates=0.4:1,0;0,1", NULL};
  SsScenario *scenario = ss_test_read_file ("examples/impacts/rocking-block.stickslip.json", NULL, 0);
  SsSimResult result = run (scenario->scene, equal, 1e-3, 2e-3, NULL);
  double q[3], v[3];
  state_of (result.trajectory, 1, q, v);
  SS_CHECK (result.n_branches == 0); /* one outcome, no fan */
  SS_CHECK_NEAR (fabs (v[0]) + fabs (v[1]) + fabs (v[2]), 0, 1e-12);
  ss_sim_result_clear (&result);
  result = run (scenario->scene, first, 1e-3, 2e-3, NULL);
  state_of (result.trajectory, 1, q, v);
  SS_CHECK_NEAR (fabs (v[2]), 0.093018, 1e-6); /* as in sequence, six digits are printed */
  ss_sim_result_clear (&result);
  const char *const three[] = {"law=set-valued", "law.rates=1,1,1", NULL};
  SsError err = {0};
  SS_CHECK (simulate (scenario->scene, three, 1e-3, 2e-3, NULL, &result, &err) == SS_OK);
  SS_CHECK (result.outcome == SS_OUTCOME_FAILED && strstr (result.message, "impact at t = 0") != NULL);
  ss_sim_result_clear (&result);
  ss_scenario_free (scenario);
}

/* ---- record ------------------------------------------------------------------------------------------------------ */

/* The run's record: motions with roles and shares, and what became of the block. A tower in weak gravity falls over in
 * some branches and rests in others; the counts are taken here from the last rows by hand. */
static void
test_record (void)
{
  const double q[3] = {0, 1, 0}, v[3] = {0, -5, 0};
  SsScenario *scenario = block (0.5, 1, 0, q, v);
  const SsMethod *method = ss_method_lookup ((SsMethodId){SS_METHOD_INTEGRATOR, "event-driven"});
  void *options = ss_alloc (1, method->options->size);
  SsRunResult result;
  SsError err = {0};
  ss_options_init (method->options, options);
  SS_CHECK (ss_options_set (method->options, options, "law", "set-valued", &err) == SS_OK);
  SS_CHECK (ss_options_set (method->options, options, "branches", "12", &err) == SS_OK);
  SsJob job = ss_job (method, scenario, options);
  job.simulate.dt = 0.01;
  job.simulate.t_end = 4;
  SS_CHECK (ss_run (&job, NULL, &result, &err) == SS_OK && result.outcome == SS_OUTCOME_COMPLETED);
  SS_CHECK (result.fan != NULL && result.n_motions == result.fan->n_branches && result.n_motions > 4);
  SS_CHECK (ss_run_second_clock (&result) == ss_run_motion (&result)->n_channels - 1);
  double share = 0, tipped = 0, mean = 0;
  for (int i = 0; i < result.n_motions; i++) {
    const SsRunMotion *motion = &result.motions[i];
    double end[3], speed[3];
    SS_CHECK (motion->role == (i == 0 ? SS_MOTION_ANSWER : SS_MOTION_BRANCH) && motion->branch == i);
    SS_CHECK (motion->share == result.fan->branches[i].share);
    SS_CHECK (i == 0 || result.fan->branches[i].events->n_items > 0);
    state_of (motion->trajectory, motion->trajectory->n_rows - 1, end, speed);
    share += motion->share;
    tipped += fabs (end[2]) > acos (-1) / 4 ? motion->share : 0;
    mean += motion->share * end[1];
  }
  SS_CHECK_NEAR (share, 1, 1e-14);
  SS_CHECK (result.fan->n_bodies == 1 && result.fan->bodies[0].body == 1);
  SS_CHECK (tipped > 0 && tipped < 1);
  SS_CHECK_NEAR (result.fan->bodies[0].tipped, tipped, 1e-14);
  SS_CHECK_NEAR (result.fan->bodies[0].mean[1], mean, 1e-14);
  SS_CHECK (result.fan->bodies[0].lowered <= tipped && result.fan->bodies[0].rest < 1);
  ss_run_result_clear (&result);
  ss_free (options);
  ss_scenario_free (scenario);
}

/* ---- second clock ------------------------------------------------------------------------------------------------ */

/* s is the time and the impulse of all contacts; told by it the motion is the same, without jumps in its order, and
 * positions stand still while an impact goes on [002 (43) (46c) (49) (52a) (52c) (63) (65) (67) Fig 8]. */
static void
test_clock (void)
{
  const char *const options[] = {"law=newton", NULL}, *const none[] = {"clock=false", NULL};
  SsScenario *scenario = ss_test_read_file ("examples/impacts/zeno-block.stickslip.json", NULL, 0);
  SsSimResult result = run (scenario->scene, options, 1e-3, 1.2, NULL),
              without = run (scenario->scene, none, 1e-3, 0.1, NULL);
  const SsTrajectory *motion = result.trajectory;
  const int clock = ss_trajectory_second_clock (motion);
  SsTrajectory *told;
  SsError err;
  SS_CHECK (ss_trajectory_second_clock (without.trajectory) == -1 &&
            isnan (without.events->n_items > 0 ? without.events->items[0].tau : NAN));
  SS_CHECK (clock == motion->n_channels - 1 && strcmp (motion->channels[clock].name, "s") == 0);
  double s = 0;
  for (int i = 0; i < result.stages->n_rows; i++)
    s += ss_test_value (result.stages, i, "weight") * (1 + ss_test_value (result.stages, i, "floor-block.lambda_n"));
  for (int i = 0; i < motion->n_rows; i++)
    s += ss_test_value (motion, i, "floor-block.impulse_n");
  SS_CHECK_NEAR (ss_test_last_value (motion, "s"), s, 1e-12 * s); /* sums in another order */
  SS_CHECK (ss_trajectory_by_clock (motion, clock, &told, &err) == SS_OK);
  SS_CHECK (told->n_rows == motion->n_rows && strcmp (told->channels[0].name, "s") == 0);
  SS_CHECK (strcmp (told->channels[clock].name, "t") == 0);
  /* In the middle of the first impact, of .85 N s: half of the impulse has turned half of the velocity. */
  const SsEvent *impact = &result.events->items[0];
  double row[128], before[128];
  const double reading = impact->tau + impact->impulse / 2;
  SS_CHECK (told->n_channels <= 128 && impact->kind == SS_EVENT_IMPACT);
  ss_trajectory_sample_motion (told, impact->tau, before);
  ss_trajectory_sample_motion (told, reading, row);
  const int x = ss_trajectory_channel (told, "block.x"), omega = ss_trajectory_channel (told, "block.omega");
  SS_CHECK (row[clock] == impact->t && row[x] == before[x]);
  SS_CHECK_NEAR (row[omega], -0.85, 1e-9); /* -1 before, -.7 after */
  SS_CHECK_NEAR (ss_trajectory_convert (motion, clock, 0, reading), impact->t, 0);
  /* Elsewhere both tell the same positions, to what s bends within a millisecond. */
  double other[128];
  ss_trajectory_sample_motion (motion, 0.5, other);
  ss_trajectory_sample_motion (told, ss_trajectory_convert (motion, 0, clock, 0.5), row);
  SS_CHECK_NEAR (row[x], other[x], 1e-9);
  ss_trajectory_free (told);
  /* A clock that runs backwards is none. */
  motion->values[(size_t)motion->n_channels * 5 + (size_t)clock] = -1;
  SS_CHECK (ss_trajectory_by_clock (motion, clock, &told, &err) == SS_ERR_INVALID && told == NULL);
  SS_CHECK_CONTAINS (err.message, "row 5");
  ss_sim_result_clear (&result);
  ss_sim_result_clear (&without);
  ss_scenario_free (scenario);
}

/* A branch in which friction goes along the slip is found beside an answer that is right. */
static void
test_branches_are_judged (void)
{
  SsScenario *scenario = ss_test_read_text (
      "{\"format\": 1, \"name\": \"slide\", \"scene\": {\"friction\": 0.3, \"bodies\": [{\"name\": \"floor\","
      " \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]}}, {\"name\": \"box\","
      " \"mass\": 1, \"position\": [0, 0.1], \"velocity\": [2, 0], \"shape\": {\"type\": \"box\", \"width\": 0.4,"
      " \"height\": 0.2}}]}, \"task\": {\"t_end\": 1, \"dt\": 0.01}}");
  SsRunResult result;
  SsError err = {0};

  if (scenario == NULL)
    return;
  const SsIntegratorClass *by = &ss_integrator_stewart_trinkle;
  SsTestRun good = ss_test_simulate (scenario->scene, by, NULL, 0.01, 0.1, NULL),
            bad = ss_test_simulate (scenario->scene, by, NULL, 0.01, 0.1, NULL);
  ss_run_result_init (&result);
  const int pt = ss_trajectory_channel (bad.trajectory, "floor-box.impulse_t");
  SS_CHECK (pt > 0);
  SS_CHECK (ss_run_add_answer (&result, &good.trajectory, &err) == SS_OK);
  const SsMotionLaw law = ss_integrator_contact_law (scenario->scene, by, NULL);
  SS_CHECK (ss_motion_judge_law (scenario->scene, result.motions[0].trajectory, NULL, &law, NULL, &result.law, &err) ==
            SS_OK);
  SS_CHECK (result.law.law.value < 1e-9);
  bad.trajectory->values[5 * bad.trajectory->n_channels + pt] *= -1;
  SS_CHECK (ss_run_add_motion (&result, &bad.trajectory, SS_MOTION_BRANCH, 1, 0.5, &err) == SS_OK);
  SS_CHECK (ss_run_judge_fan (scenario->scene, &law, NULL, &result, &err) == SS_OK);
  /* twice mu m g h, on 1 kg, of which the natural map tells at least half */
  SS_CHECK (ss_metric_get (&result.metrics, SS_METRIC_MAX_LAW_RESIDUAL) > 0.3 * 9.81 * 0.01);
  SS_CHECK_NEAR (result.law.law.t, 0.05, 1e-12);
  ss_run_result_clear (&result);
  ss_scenario_free (scenario);
}

int
main (void)
{
  SS_RUN (test_separate_runs);
  SS_RUN (test_outcomes);
  SS_RUN (test_merged);
  SS_RUN (test_bounds);
  SS_RUN (test_same_bits);
  SS_RUN (test_no_memory);
  SS_RUN (test_all_orders);
  SS_RUN (test_rates);
  SS_RUN (test_record);
  SS_RUN (test_clock);
  SS_RUN (test_branches_are_judged);
  return ss_test_finish ();
}
