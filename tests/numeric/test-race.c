/* tests/numeric/test-race.c: plans of drawn scenes by contacts that are added as needed, by simulated motions, and by
 * the race of several members. Truth: geometry by hand; the judge, which stands above all of them; each other. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* sched_setaffinity, syscall */
#endif
#include "plan/ss-lazy-contacts.h"
#include "core/ss-work.h"
#include "plan/ss-plan-rank.h"
#include "plan/ss-race.h"
#include "run/ss-run.h"
#include "plan/ss-plan-lazy.h"
#include "plan/ss-sampled-motion.h"
#include "ss-test-scenario.h"

#include <limits.h>
#include <math.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* ---- the scenes -------------------------------------------------------------------------------------------------- */

/* A finger, 0.05 m left of a box that shall go 0.3 m to the right; a far stone, a shelf above. */
static SsScenario *
push_scene_in_steps (double goal, double limit, int steps)
{
  char text[2048];

  snprintf (text, sizeof text,
            "{\"format\": 1, \"name\": \"push\", \"scene\": {\"gravity\": [0, -9.81], \"friction\": 0.3, \"bodies\": ["
            "{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]}},"
            "{\"name\": \"box\", \"mass\": 1, \"position\": [0, 0.1],"
            " \"shape\": {\"type\": \"box\", \"width\": 0.3, \"height\": 0.2}},"
            "{\"name\": \"finger\", \"mass\": 0.5, \"lock\": [\"theta\"], \"position\": [-0.25, 0.1],"
            " \"shape\": {\"type\": \"circle\", \"radius\": 0.05}},"
            "{\"name\": \"stone\", \"mass\": 1, \"lock\": [\"theta\"], \"position\": [2, 0.08],"
            " \"shape\": {\"type\": \"circle\", \"radius\": 0.08}},"
            "{\"name\": \"shelf\", \"fixed\": true, \"position\": [0, 0.9],"
            " \"shape\": {\"type\": \"box\", \"width\": 0.6, \"height\": 0.05}}], \"contacts\": \"all\","
            "\"actuators\": ["
            "{\"name\": \"fx\", \"type\": \"force\", \"body\": \"finger\", \"direction\": [1, 0], \"lower\": -%g, "
            "\"upper\": %g},"
            "{\"name\": \"fy\", \"type\": \"force\", \"body\": \"finger\", \"direction\": [0, 1], \"lower\": -20, "
            "\"upper\": 20}]},"
            "\"task\": {\"horizon\": 1, \"steps\": %d, \"targets\": [{\"body\": \"box\", \"position\": [%g, 0.1]}],"
            " \"effort\": 0.01}}",
            limit, limit, steps, goal);
  return ss_test_read_text (text);
}

static SsScenario *
push_scene (double goal, double limit)
{
  return push_scene_in_steps (goal, limit, 20);
}

static bool
has_contact (const SsLazyContacts *contacts, const char *name)
{
  const SsScenario *scenario = contacts->scenario;

  for (int i = 0; i < contacts->n; i++)
    if (strcmp (scenario->scene->contacts[scenario->task.plan->candidates[i]].name, name) == 0)
      return contacts->has[i];
  SS_CHECK (false);
  return false;
}

/* ---- contacts ---------------------------------------------------------------------------------------------------- */

/* What touches (box, stone on the floor), the finger's nearest body that nothing drives (the box and the floor are
 * 0.05 m away each), and that links the box. */
static void
test_first_set (void)
{
  SsScenario *scenario = push_scene (0.3, 20);
  SsLazyContacts contacts;
  SsError err = {0};

  SS_CHECK (ss_lazy_contacts_new (scenario, &contacts, &err) == SS_OK);
  SS_CHECK (has_contact (&contacts, "floor-box") && has_contact (&contacts, "floor-stone"));
  SS_CHECK (has_contact (&contacts, "box-finger"));
  SS_CHECK (!has_contact (&contacts, "box-stone") && !has_contact (&contacts, "finger-stone"));
  SS_CHECK (!has_contact (&contacts, "box-shelf") && !has_contact (&contacts, "finger-shelf"));
  SS_CHECK (contacts.n_has >= 3 && contacts.n_has <= 4 && contacts.n > 8);
  ss_lazy_contacts_clear (&contacts);
  ss_scenario_free (scenario);
}

static SsTrajectory *
make_motion (const double (*rows)[4], int n)
{
  static const char *const names[] = {"t", "finger.x", "finger.y", "finger.theta"};
  SsTrajectory *motion = NULL;
  SsError err = {0};

  SS_CHECK (ss_trajectory_new_named (names, 4, n, &motion, &err) == SS_OK);
  for (int i = 0; i < n; i++)
    SS_CHECK (ss_trajectory_append (motion, rows[i], &err) == SS_OK);
  return motion;
}

/* The finger goes up through the shelf, which it overlaps at no row but between two; then it ends in the stone. */
static void
test_what_is_missing (void)
{
  static const double through[][4] = {{0, -0.25, 0.5, 0}, {0.1, -0.25, 1.4, 0}}, into[][4] = {{0, 1.9, 0.1, 0}},
                      near[][4] = {{0, 2, 0.08 + 0.08 + 0.05 + 5e-4, 0}};
  SsScenario *scenario = push_scene (0.3, 20);
  SsTrajectory *motions[] = {make_motion (through, 2), make_motion (into, 1), make_motion (near, 1)};
  SsLazyContacts contacts;
  SsError err = {0};

  SS_CHECK (ss_lazy_contacts_new (scenario, &contacts, &err) == SS_OK);
  SS_CHECK (ss_lazy_contacts_check (&contacts, motions[0], 5e-3) == 1 && has_contact (&contacts, "finger-shelf"));
  SS_CHECK (ss_lazy_contacts_check (&contacts, motions[0], 5e-3) == 0);
  SS_CHECK (ss_lazy_contacts_check (&contacts, motions[2], 5e-3) == 0);
  SS_CHECK (ss_lazy_contacts_touch (&contacts, motions[2]) == 1 && has_contact (&contacts, "finger-stone"));
  SS_CHECK (ss_lazy_contacts_check (&contacts, motions[1], 5e-3) == 0);
  for (int i = 0; i < 3; i++)
    ss_trajectory_free (motions[i]);
  ss_lazy_contacts_clear (&contacts);
  ss_scenario_free (scenario);
}

/* ---- runs -------------------------------------------------------------------------------------------------------- */

static SsRunResult
run (const SsScenario *scenario, const char *name, SsPlanContacts how, const char *const (*set)[2], int n_set,
     const SsTrajectory *start)
{
  SsError err = {0};
  const SsMethod *method = ss_method_find (SS_METHOD_OPTIMISER, name, &err);
  void *options = calloc (1, method->options->size + 1);
  SsJob job = ss_job (method, scenario, options);
  job.solve.start = start;
  SsRunResult result;

  job.solve.transcription.contacts = how;
  ss_method_init_options (method, scenario, options);
  for (int i = 0; i < n_set; i++)
    SS_CHECK (ss_options_set (method->options, options, set[i][0], set[i][1], &err) == SS_OK);
  SS_CHECK (ss_run (&job, NULL, &result, &err) == SS_OK);
  free (options);
  return result;
}

static double
objective (const SsRunResult *result)
{
  return ss_metric_get (&result->metrics, SS_METRIC_OBJECTIVE);
}

/* Solved is a motion in which no pair of the scene overlaps, whatever contacts were solved with: by our own gaps, and
 * by the judge's. */
static void
check_honest (const SsScenario *scenario, const SsRunResult *result)
{
  SsLazyContacts none = {.scenario = scenario, .n = scenario->task.plan->n_candidates};

  none.has = calloc ((size_t)none.n + 1, sizeof (bool));
  SS_CHECK (result->outcome == SS_OUTCOME_SOLVED);
  SS_CHECK (ss_metric_get (&result->metrics, SS_METRIC_MAX_VIOLATION) < SS_RUN_FEASIBLE);
  SS_CHECK (result->verdict.is_complete && result->verdict.penetration.value < SS_RUN_OVERLAP_TOLD);
  SS_CHECK (ss_lazy_contacts_check (&none, ss_run_motion (result), SS_RUN_OVERLAP_MAX) == 0);
  free (none.has);
}

/* Products priced, contacts lazily. One solve from cold is a matter of luck: in about half of these pushes the finger
 * ends in the box between two points, by other goals with another compiler. What is called solved is honest each time,
 * and some of five are. */
static void
test_lazily (void)
{
  static const char *const priced[][2] = {{"price", "0.3"}, {"mu0", "1000"}, {"relax", "0"}, {"mu-spread", "0"}};
  static const double goals[] = {0.1, 0.15, 0.2, 0.25, 0.4};
  int n_solved = 0;

  for (size_t i = 0; i < sizeof goals / sizeof *goals; i += ss_test_is_coarse () ? 2 : 1) {
    SsScenario *scenario = push_scene (goals[i], 20);
    SsRunResult result = run (scenario, "crisp", SS_PLAN_CONTACTS_LAZY, priced, 4, NULL);

    if (result.outcome == SS_OUTCOME_SOLVED) {
      n_solved++;
      check_honest (scenario, &result);
      SS_CHECK (strstr (result.message, "first with") != NULL);
      SS_CHECK (objective (&result) > 0);
    }
    ss_run_result_clear (&result);
    ss_scenario_free (scenario);
  }
  SS_CHECK (n_solved > 0);
}

/* A sampled motion obeys the law (it is a simulation, judged), its controls keep the limits, and the seed decides. */
static void
test_sampled (void)
{
  SsScenario *scenario = push_scene (0.3, 4);
  SsSampledMotion motion, again;
  SsMotionVerdict verdict;
  SsError err = {0};

  SS_CHECK (ss_sample_motion (scenario, 7, 1, NULL, NULL, &motion, &err) == SS_OK);
  SS_CHECK (ss_sample_motion (scenario, 7, 1, NULL, NULL, &again, &err) == SS_OK);
  SS_CHECK (motion.trajectory->n_rows == 21 && again.trajectory->n_rows == 21);
  SS_CHECK (memcmp (motion.trajectory->values, again.trajectory->values,
                    sizeof (double) * 21 * (size_t)motion.trajectory->n_channels) == 0);
  SS_CHECK (motion.miss < 0.05); /* of 0.3 m: the goal is what it looks for */
  SS_CHECK (ss_motion_judge (scenario->scene, motion.trajectory, false, NULL, &verdict, &err) == SS_OK);
  SS_CHECK (verdict.balance.value < 1e-9); /* rounding: no step that nothing explains */
  const int fx = ss_trajectory_channel (motion.trajectory, "u.fx");
  for (int k = 0; k < motion.trajectory->n_rows; k++)
    SS_CHECK (fabs (ss_trajectory_row (motion.trajectory, k)[fx]) <= 4);
  ss_motion_verdict_clear (&verdict);
  ss_sampled_motion_clear (&motion);
  ss_sampled_motion_clear (&again);
  ss_scenario_free (scenario);
}

static SsStatus
take_none (void *user_data, const SsTrajectory *motion, bool *is, SsError *err)
{
  (void)user_data;
  (void)motion;
  (void)err;
  *is = false;
  return SS_OK;
}

/* What is sampled to hold ends near the goal when its controls are replayed at a tenth of the step, by a simulation
 * that knows nothing of the search; what is not leaves it by several times as much in the mean. */
static void
test_sampled_to_hold (void)
{
  const SsSampleJudge judges[] = {{.is_enough = take_none}, {.parts = 4, .is_enough = take_none}};
  SsScenario *scenario = push_scene (0.3, 4);
  double away[2] = {0, 0};
  SsError err = {0};

  for (int i = 0; i < 2; i++)
    for (uint64_t seed = 1; seed <= 4; seed++) {
      SsSampledMotion motion;
      SsTenth tenth;

      SS_CHECK (ss_sample_motion (scenario, seed, 1, &judges[i], NULL, &motion, &err) == SS_OK);
      SS_CHECK (ss_refine_tenth (scenario, motion.trajectory, NULL, &tenth, &err) == SS_OK);
      away[i] += tenth.distance / 4;
      if (i == 1)
        SS_CHECK (tenth.distance < 0.05); /* of 0.3 m */
      ss_sampled_motion_clear (&motion);
    }
  SS_CHECK (away[0] > 2 * away[1]);
  printf ("# replays end %.3g m from the goal, sampled to hold %.3g m\n", away[0], away[1]);
  ss_scenario_free (scenario);
}

/* A judge that is content with the first motion. */
static SsStatus
take_first (void *user_data, const SsTrajectory *motion, bool *is, SsError *err)
{
  const SsTrajectory **first = user_data;

  (void)err;
  SS_CHECK (*first == NULL); /* nothing is asked after that */
  *first = motion;
  *is = true;
  return SS_OK;
}

/* The motion that a judge took is the one that a large search gives back, whichever way it looked. */
static void
test_taken (void)
{
  SsScenario *scenario = push_scene (0.3, 4);
  SsError err = {0};

  for (uint64_t seed = 6; seed <= 7; seed++) { /* even: by evolution */
    const SsTrajectory *first = NULL;
    const SsSampleJudge judge = {.is_enough = take_first, .user_data = &first};
    SsSampledMotion motion;
    SS_CHECK (ss_sample_motion (scenario, seed, 10, &judge, NULL, &motion, &err) == SS_OK);
    SS_CHECK (first != NULL && motion.trajectory == first);
    ss_sampled_motion_clear (&motion);
  }
  ss_scenario_free (scenario);
}

/* A box on a box, the lower one pushed by a disc that follows a formula, and a pendulum that hangs and is turned by its
 * motor: faces that touch, corners, a joint. The simulation by the law of plans, whose table has sums of forces only,
 * is a feasible point of the plan: 1e-10 is rounding of forces of some 10 N. */
static void
test_exact_start (void)
{
  SsScenario *scenario = ss_test_read_text (
      "{\"format\": 1, \"name\": \"stack\", \"scene\": {\"gravity\": [0, -9.81], \"friction\": 0.4, \"bodies\": ["
      "{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]}},"
      "{\"name\": \"lower\", \"mass\": 1, \"position\": [0, 0.1], \"shape\": {\"type\": \"box\", \"width\": 0.3, "
      "\"height\": 0.2}},"
      "{\"name\": \"upper\", \"mass\": 0.4, \"position\": [0.02, 0.26], \"shape\": {\"type\": \"box\", \"width\": "
      "0.15, \"height\": 0.12}},"
      "{\"name\": \"disc\", \"mass\": 0.5, \"lock\": [\"theta\"], \"position\": [-0.22, 0.09], \"shape\": {\"type\": "
      "\"circle\", \"radius\": 0.06}},"
      "{\"name\": \"rod\", \"mass\": 0.3, \"position\": [3, 1.8], \"angle\": -1.5, \"shape\": {\"type\": \"capsule\", "
      "\"from\": [-0.2, 0], \"to\": [0.2, 0], \"radius\": 0.02}}], \"contacts\": \"all\","
      "\"joints\": [{\"name\": \"hinge\", \"type\": \"pin\", \"bodies\": [\"world\", \"rod\"], \"anchor\": [3, 2]}],"
      "\"actuators\": ["
      "{\"name\": \"fx\", \"type\": \"force\", \"body\": \"disc\", \"direction\": [1, 0], \"formula\": "
      "\"60*(0.3*t - disc.x - 0.2) - 12*disc.vx\"},"
      "{\"name\": \"fy\", \"type\": \"force\", \"body\": \"disc\", \"direction\": [0, 1], \"formula\": "
      "\"4.905 - 60*(disc.y - 0.09) - 12*disc.vy\"},"
      "{\"name\": \"motor\", \"type\": \"joint\", \"joint\": \"hinge\", \"formula\": \"0.3*sin (5*t)\"}]},"
      "\"task\": {\"horizon\": 1, \"steps\": 40, \"t_end\": 1, \"dt\": 0.025, \"effort\": 0.01, \"constraints\": "
      "[{\"nonnegative\": [\"lower.y\"]}]}}");
  SsError err = {0};
  const SsMethod *integrator = ss_method_find (SS_METHOD_INTEGRATOR, "stewart-trinkle", &err);
  void *options = calloc (1, integrator->options->size + 1);
  const SsJob job = ss_job (integrator, scenario, options);
  SsRunResult simulated;
  SsTranscript *transcript = NULL;

  ss_method_init_options (integrator, scenario, options);
  SS_CHECK (ss_options_set (integrator->options, options, "gap", "end", &err) == SS_OK);
  SS_CHECK (ss_run (&job, NULL, &simulated, &err) == SS_OK && simulated.outcome == SS_OUTCOME_COMPLETED);
  for (int joint = 0; joint < 2; joint++) {
    SsMetrics metrics;
    const SsTranscribeOptions how = {.coordinates = joint ? SS_COORDINATES_JOINT : SS_COORDINATES_ABSOLUTE};

    SS_CHECK (ss_transcript_new (scenario, &how, &transcript, &err) == SS_OK);
    const SsScenario *model = ss_transcript_model (transcript);
    double *x = calloc ((size_t)(model->model->n_points * model->model->n_variables), sizeof *x);
    SS_CHECK (ss_transcript_guess (transcript, scenario, ss_run_motion (&simulated), x, &err) == SS_OK);
    SS_CHECK (ss_metrics_compute (model, x, &metrics, &err) == SS_OK);
    SS_CHECK (metrics.max_violation < 1e-10);
    free (x);
    ss_transcript_free (transcript);
  }
  ss_run_result_clear (&simulated);
  free (options);
  ss_scenario_free (scenario);
}

/* Who won, and what each motion is for. */
static void
check_told (const SsRunResult *result)
{
  SS_CHECK (strstr (result->message, " won: ") != NULL);
  for (int i = 0; i < result->n_motions; i++)
    SS_CHECK (result->motions[i].role == (i == 0                     ? SS_MOTION_ANSWER
                                          : i <= result->n_solutions ? SS_MOTION_SOLUTION
                                                                     : SS_MOTION_WORLDS));
}

/* One thread: the same again; the winner is honest and no dearer than what else was found. Once, and without `improve`:
 * test_answers. */
static void
test_race (void)
{
  static const char *const one[][2] = {{"threads", "1"}, {"improve", "1000"}};

  if (!ss_test_is_long ())
    return;
  SsScenario *scenario = push_scene (0.3, 20);
  SsRunResult first = run (scenario, "auto", SS_PLAN_CONTACTS_ALL, one, 2, NULL);
  SsRunResult second = run (scenario, "auto", SS_PLAN_CONTACTS_ALL, one, 2, NULL);

  check_honest (scenario, &first);
  check_told (&first);
  SS_CHECK (objective (&first) == objective (&second) && first.n_motions == second.n_motions);
  ss_run_result_clear (&second);
  ss_run_result_clear (&first);
  ss_scenario_free (scenario);
}

static atomic_int clock_speed = 1;

/* Every clock that the engine reads, of the wall and of the processor, in this program. Faster ones are what a slower
 * or busier machine is to who reads them, and cost nothing. */
int
clock_gettime (clockid_t id, struct timespec *now)
{
  const int status = (int)syscall (SYS_clock_gettime, id, now), speed = atomic_load (&clock_speed);

  if (status == 0 && speed != 1 && id != CLOCK_REALTIME) { /* by which waits are timed */
    const int64_t ns = speed * (now->tv_sec * INT64_C (1000000000) + now->tv_nsec);
    now->tv_sec = ns / 1000000000;
    now->tv_nsec = ns % 1000000000;
  }
  return status;
}

/* One thread of a race with its default limits, then once more on one processor that it shares with who waits for it,
 * five times slower by every clock. The same bits: answer, other answers, and what became of each member. */
static void
test_same_at_load (void)
{
  static const char *const one[][2] = {{"threads", "1"}, {"refine", "0"}};
  SsScenario *scenario = push_scene_in_steps (0.35, 20, 10);
  cpu_set_t all, own;
  SsRunResult alone = run (scenario, "auto", SS_PLAN_CONTACTS_ALL, one, 2, NULL);

  SS_CHECK (sched_getaffinity (0, sizeof all, &all) == 0);
  CPU_ZERO (&own);
  for (int i = 0; i < CPU_SETSIZE && CPU_COUNT (&own) == 0; i++)
    if (CPU_ISSET (i, &all))
      CPU_SET (i, &own);
  SS_CHECK (sched_setaffinity (0, sizeof own, &own) == 0); /* threads inherit it */
  atomic_store (&clock_speed, 5);
  SsRunResult beside = run (scenario, "auto", SS_PLAN_CONTACTS_ALL, one, 2, NULL);
  atomic_store (&clock_speed, 1);
  SS_CHECK (sched_setaffinity (0, sizeof all, &all) == 0);
  /* the engine did read these clocks */
  const double slower = ss_metric_get (&beside.metrics, SS_METRIC_CPU_SECONDS);
  SS_CHECK (slower > 2 * ss_metric_get (&alone.metrics, SS_METRIC_CPU_SECONDS));
  SS_CHECK (alone.outcome == beside.outcome && alone.n_motions == beside.n_motions);
  SS_CHECK (ss_metric_get (&alone.metrics, SS_METRIC_WORK) == ss_metric_get (&beside.metrics, SS_METRIC_WORK));
  for (int i = 0; i < alone.n_motions && i < beside.n_motions; i++) {
    const SsTrajectory *a = alone.motions[i].trajectory, *b = beside.motions[i].trajectory;
    SS_CHECK (a->n_rows == b->n_rows && a->n_channels == b->n_channels &&
              memcmp (a->values, b->values, sizeof (double) * (size_t)a->n_rows * (size_t)a->n_channels) == 0);
  }
  for (int i = 0; i < alone.n_members && i < beside.n_members; i++)
    SS_CHECK (alone.members[i].state == beside.members[i].state);
  ss_run_result_clear (&alone);
  ss_run_result_clear (&beside);
  ss_scenario_free (scenario);
}

/* CRISP that may count so much work; what it did in all. */
static SsRunResult
run_some (const SsScenario *scenario, double work, bool keeps_feasible, double *done)
{
  SsError err = {0};
  const SsMethod *method = ss_method_find (SS_METHOD_OPTIMISER, "crisp", &err);
  void *options = calloc (1, method->options->size + 1);
  SsJob job = ss_job (method, scenario, options);
  job.solve.keeps_feasible = keeps_feasible;
  job.solve.is_part = true; /* a whole plan is tried in other worlds, which is work of its own */
  SsRunControl control;
  SsRunResult result;

  ss_method_init_options (method, scenario, options);
  ss_run_control_init (&control);
  *done = ss_work_thread ();
  control.work_limit = *done + work;
  SS_CHECK (ss_run (&job, &control, &result, &err) == SS_OK);
  *done = ss_work_thread () - *done;
  free (options);
  return result;
}

/* A method that is stopped before its end has been at feasible points: as a member of a race it hands over the best of
 * them, judged as any other answer; by itself it ends at its limit, with that point. */
static void
test_handed_over (void)
{
  SsScenario *scenario = ss_test_read_file ("examples/plans/push-box-with-disc.stickslip.json", NULL, 0);
  double whole, some;
  int n_kept = 0;
  SsRunResult end = run_some (scenario, INFINITY, false, &whole);

  SS_CHECK (end.outcome == SS_OUTCOME_SOLVED || end.outcome == SS_OUTCOME_NOT_REPLAYABLE);
  /* as found: before, amid and after the first feasible points, which it is at from 0.92 to 0.96 of its work */
  static const double parts[] = {0.9, 0.93, 0.95, 0.97};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i += ss_test_is_long () ? 1 : 2) {
    const double part = parts[i];
    SsRunResult alone = run_some (scenario, part * whole, false, &some),
                member = run_some (scenario, part * whole, true, &some);

    if (alone.outcome == SS_OUTCOME_CPU_LIMIT && !alone.misses_task && ss_run_motion (&alone) != NULL &&
        ss_metric_get (&alone.metrics, SS_METRIC_MAX_VIOLATION) < SS_RUN_FEASIBLE) {
      n_kept++;
      SS_CHECK (member.outcome == SS_OUTCOME_SOLVED || member.outcome == SS_OUTCOME_NOT_REPLAYABLE);
      SS_CHECK (member.verdict.is_complete && objective (&member) == objective (&alone));
      SS_CHECK (strstr (member.message, "ended as cpu_limit at a feasible point") != NULL);
      if (member.outcome == SS_OUTCOME_SOLVED)
        check_honest (scenario, &member);
    } else if (alone.outcome == SS_OUTCOME_CPU_LIMIT)
      SS_CHECK (member.outcome == SS_OUTCOME_CPU_LIMIT);
    ss_run_result_clear (&alone);
    ss_run_result_clear (&member);
  }
  SS_CHECK (n_kept > 0);
  ss_run_result_clear (&end);
  ss_scenario_free (scenario);
}

/* What obeys its rows goes before what does not, however small its controls; then the replay, then the cost. */
static void
test_rank (void)
{
  const SsTriedControls cheap = {.is_complete = true, .value.objective = 1e-3},
                        dear = {.is_complete = true, .value.objective = 2},
                        leaves = {.is_complete = true, .value = {.objective = 1, .way = 0.1}},
                        lost = {.value.objective = 0};
  const SsPlanRank ranks[] = {/* from best to worst */
                              ss_plan_rank_of_controls (1e-9, &cheap, 1e-4),
                              ss_plan_rank_of_controls (1e-9, &dear, NAN),
                              ss_plan_rank_of_controls (0, &leaves, NAN),
                              ss_plan_rank_of_controls (1e-9, &dear, 0.1),
                              ss_plan_rank_of_controls (0, &lost, NAN),
                              ss_plan_rank_of_controls (1e-5, &dear, NAN),
                              ss_plan_rank_of_controls (1e-2, &cheap, NAN),
                              ss_plan_rank_of_controls (NAN, &cheap, NAN),
                              {SS_PLAN_NONE, INFINITY, NAN}};
  const int n = (int)(sizeof ranks / sizeof *ranks);

  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++)
      SS_CHECK (ss_plan_goes_before (&ranks[i], &ranks[k]) == (i < k));
}

/* What a race's answer is: up to twice the cheapest what holds best, in steps of four from 5 mm on, then the cheapest;
 * beyond that nothing, however well it holds. Numbers by hand from plan/ss-plan-rank.h. */
static void
test_choose (void)
{
  enum { N = 3 };
  static const struct {
    double cost[N], away[N];
    int chosen;
  } cases[] = {
      {{1, 1.9, 3}, {0.1, 0.004, 0.001}, 1},     /* it holds at less than twice the cost */
      {{1, 2.1, 3}, {0.1, 0.004, 0.001}, 0},     /* at more it does not win */
      {{1, 1.5, 1.9}, {0.1, 0.06, 0.018}, 2},    /* none holds: .02 m is a step before .08 m */
      {{1, 1.5, 1.9}, {0.1, 0.09, 0.081}, 0},    /* of the same step the cheapest */
      {{1, 1.2, 1.9}, {0.3, 0.021, 0.03}, 0},    /* what misses its goals, too, may cost a tenth more */
      {{1, 1.09, 1.9}, {0.3, 0.021, 0.03}, 1},   /* and is the answer then: it ends nearer */
      {{1, 1.2, 1.1}, {INFINITY, 8, 0.004}, 2},  /* and what does not get to its end is last */
      {{0, 5e-7, 1e-3}, {0.1, 0.004, 0.001}, 1}, /* costs of nothing differ by more than rows are obeyed to */
      {{-2, -1, 0.5}, {0.1, 0.004, 0.001}, 1},   /* gains: as much again may be given up */
      {{169, 0.118, 0.2}, {0.001, 2, 2.1}, 1},   /* a puck a metre from its gate is no answer */
  };

  for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
    SsPlanRank ranks[N + 2];
    for (int i = 0; i < N; i++) {
      const int loose = ss_plan_loose (cases[c].away[i]);
      ranks[i] = (SsPlanRank){loose == 0 ? SS_PLAN_HOLDS : SS_PLAN_PARTS, 0, cases[c].cost[i], loose};
    }
    ranks[N] = (SsPlanRank){SS_PLAN_NOT_POSSIBLE, 0, -1e3, 0}; /* what could not happen says nothing of costs */
    ranks[N + 1] = (SsPlanRank){SS_PLAN_MISSES, 1, -1e3, 0};
    SS_CHECK (ss_plan_choose (ranks, N + 2) == cases[c].chosen);
    SS_CHECK (ss_plan_choose (ranks + N, 2) == 0);
  }
  SS_CHECK (ss_plan_choose (&(SsPlanRank){SS_PLAN_NONE, INFINITY, INFINITY, 0}, 1) == -1);
  SS_CHECK (ss_plan_loose (0.005) == 0 && ss_plan_loose (0.0051) == 1 && ss_plan_loose (0.0199) == 1 &&
            ss_plan_loose (0.0201) == 2 && ss_plan_loose (INFINITY) == INT_MAX && ss_plan_loose (NAN) == INT_MAX);
}

/* A race's own front: each of its answers was replayed, and what it chose obeys the rule by the members' own numbers;
 * the same race for its cheapest and its steadiest one ends with those. */
static void
test_answers (void)
{
  static const char *const names[] = {"weighed", "cheapest", "steadiest"};
  SsScenario *scenario = push_scene_in_steps (0.3, 20, 10);

  for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
    /* without finer steps a seventh of the time, and as many answers to choose from */
    const char *const options[][2] = {{"threads", "1"}, {"answer", names[k]}, {"refine", "0"}};
    SsRunResult result = run (scenario, "auto", SS_PLAN_CONTACTS_ALL, options, ss_test_is_long () ? 2 : 3, NULL);
    const SsMember *best = NULL;
    double cheapest = INFINITY, steadiest = INFINITY;
    int n_answers = 0;

    check_honest (scenario, &result);
    check_told (&result);
    for (int i = 0; i < result.n_members; i++) {
      const SsMember *m = &result.members[i];
      if (m->is_best)
        best = m;
      if (m->state != SS_MEMBER_SOLVED)
        continue;
      n_answers++;
      SS_CHECK (m->tenth >= 0);
      cheapest = fmin (cheapest, m->objective);
      steadiest = fmin (steadiest, m->tenth);
    }
    printf ("# %s: %d answers\n", names[k], n_answers);
    SS_CHECK (n_answers > 1); /* or there is nothing to choose */
    SS_CHECK (best != NULL && best->solution == 0 && best->objective == objective (&result));
    SS_CHECK (best->held >= 0 && best->held == ss_metric_get (&result.metrics, SS_METRIC_REPLAY_HELD));
    SS_CHECK (best->objective <= 2 * cheapest || k == 2);
    SS_CHECK (k != 1 || best->objective == cheapest);
    SS_CHECK (k != 2 || best->tenth <= 1.01 * steadiest + 1e-5);
    SS_CHECK (ss_tries_count (&result.tries, SS_TRY_HONEST) > 0 && ss_tries_best (&result.tries, NULL) <= cheapest);
    ss_run_result_clear (&result);
    if (!ss_test_is_long ())
      break;
  }
  ss_scenario_free (scenario);
}

/* The finger cannot reach: 0.02 N move no box that the floor holds with 0.3 N a newton. */
static void
test_impossible (void)
{
  static const char *const short_[][2] = {{"budget", "0.5"}};
  SsScenario *scenario = push_scene (0.3, 0.02);
  SsRunResult result = run (scenario, "auto", SS_PLAN_CONTACTS_ALL, short_, 1, NULL);

  SS_CHECK (result.outcome != SS_OUTCOME_SOLVED);
  SS_CHECK (strstr (result.message, "honest") != NULL || strstr (result.message, "ended") != NULL);
  ss_run_result_clear (&result);
  ss_scenario_free (scenario);
}

/* With an answer, what a limit leaves goes into new motions; the answer is in the limits of the rule. */
static void
check_rounds (void)
{
  static const char *const given[][2] = {{"budget", "20"}};
  SsScenario *scenario = push_scene_in_steps (0.3, 20, 10);
  SsRunResult result = run (scenario, "auto", SS_PLAN_CONTACTS_ALL, given, 1, NULL);
  double cheapest = INFINITY;
  int n_later = 0;

  check_honest (scenario, &result);
  for (int i = 0; i < result.n_members; i++) {
    const SsMember *m = &result.members[i];

    n_later += strncmp (m->name, "searched-", 9) == 0;
    cheapest = m->state == SS_MEMBER_SOLVED ? fmin (cheapest, m->objective) : cheapest;
    SS_CHECK (m->state != SS_MEMBER_SOLVED || m->tenth >= 0); /* those of the last round too */
  }
  SS_CHECK (n_later >= 2 && objective (&result) <= 2 * cheapest);
  ss_run_result_clear (&result);
  ss_scenario_free (scenario);
}

/* A race without an answer spends what it was given: sampling goes on when its members have ended, and each says what
 * ended it. 0.8: the race ends at 0.95 of its limit, and each thread at the end of what it does then. */
static void
test_spends (void)
{
  static const char *const given[][2] = {{"budget", "30"}};

  if (!ss_test_is_long ())
    return;
  check_rounds ();
  SsScenario *scenario = push_scene (0.3, 0.02);
  SsRunResult result = run (scenario, "auto", SS_PLAN_CONTACTS_ALL, given, 1, NULL);
  int n_searches = 0;

  SS_CHECK (result.outcome != SS_OUTCOME_SOLVED);
  SS_CHECK (ss_metric_get (&result.metrics, SS_METRIC_CPU_SECONDS) > 0.8 * 30);
  for (int i = 0; i < result.n_members; i++) {
    const SsMember *m = &result.members[i];

    n_searches += strncmp (m->name, "searched", 8) == 0;
    SS_CHECK (m->state != SS_MEMBER_SOLVED && m->reason[0] != '\0');
    SS_CHECK (strstr (m->reason, "honest answer") == NULL); /* nobody had one */
    if (m->state == SS_MEMBER_STOPPED && isfinite (m->began))
      SS_CHECK (strstr (m->reason, "limit of the race") != NULL);
  }
  SS_CHECK (n_searches > 1);
  ss_run_result_clear (&result);
  ss_scenario_free (scenario);
}

int
main (void)
{
  SS_RUN (test_first_set);
  SS_RUN (test_what_is_missing);
  SS_RUN (test_lazily);
  SS_RUN (test_sampled);
  SS_RUN (test_sampled_to_hold);
  SS_RUN (test_taken);
  SS_RUN (test_exact_start);
  SS_RUN_THREADS (test_race);
  SS_RUN_THREADS (test_same_at_load);
  SS_RUN_THREADS (test_handed_over);
  SS_RUN (test_rank);
  SS_RUN (test_choose);
  SS_RUN_THREADS (test_answers);
  SS_RUN_THREADS (test_impossible);
  SS_RUN_THREADS (test_spends);
  return ss_test_finish ();
}
