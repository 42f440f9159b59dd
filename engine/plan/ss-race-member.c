/* engine/plan/ss-race-member.c: see ss-race.h. */
#include "plan/ss-race.h"

#include "core/ss-memory.h"
#include "core/ss-relay.h"
#include "core/ss-work.h"
#include "nlp/ss-crisp.h"
#include "plan/ss-contact-pattern.h"
#include "plan/ss-hold-plan.h"
#include "plan/ss-plan-rank.h"
#include "plan/ss-plan-lazy.h"
#include "plan/ss-plan-solve.h"
#include "solve/ss-run-judge.h"
#include "plan/ss-sampled-motion.h"
#include "plan/ss-stages.h"
#include "transcribe/ss-transcriptions.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const SsRaceMemberSpec specs[SS_RACE_MEMBERS] = {
    [SS_RACE_ALL] = {"all", "All members", "", INFINITY},
    [SS_RACE_GIVEN] = {"given", "Given Motion",
                       "From the motion that the run starts from, with the contacts it touches", 10},
    [SS_RACE_SAMPLED] = {"sampled", "Sampled Motion",
                         "From the best of many simulated motions, with the contacts it touches", 10},
    [SS_RACE_STAGES] = {"stages", "Stages of Contact",
                        "From the best of many sequences of pushes and carries, each simulated, with the contacts it "
                        "touches",
                        15},
    [SS_RACE_PRICED] = {"priced", "Products Priced",
                        "CRISP with products of gaps and forces priced instead of relaxed, contacts added as needed",
                        4},
    [SS_RACE_DRAWN] = {"drawn", "Relaxation",
                       "CRISP's settings for drawn scenes, products relaxed in few steps, contacts added as needed", 8},
    [SS_RACE_AGAIN] = {"again", "Another Sampled Motion", "From the best of other simulated motions", 10},
    [SS_RACE_JOINT] = {"joint", "Joint Coordinates", "Products priced, angles of joints in the place of poses", 6},
    [SS_RACE_DEARER] = {"dearer", "Dearer Products", "Products priced ten times higher, from lower penalties", 6},
    [SS_RACE_WHOLE] = {"whole", "All Contacts", "CRISP's settings for drawn scenes with all contacts from the start",
                       15},
    [SS_RACE_IPOPT] = {"ipopt", "Ipopt",
                       "From the motion that Ipopt finds in a process of its own, contacts added as needed", 15},
    [SS_RACE_ELEMENTS] = {"elements", "Finite Elements",
                          "From the motion of finite elements with exact switches, from several starts, in a process "
                          "of its own",
                          20},
    [SS_RACE_STEADY] = {"steady", "Steady Motion", "The first plan near the best of many simulated motions", 10},
    [SS_RACE_REFINED] = {"refined", "Halved Steps", "An answer in halved steps, until its replay ends where it does",
                         20},
    [SS_RACE_SHOT] = {"shot", "Shot Answer",
                      "From the cheapest answer to simulated motions that end at the targets and cost less", 10},
    [SS_RACE_IMPROVED] = {"improved", "Improved Answer",
                          "From the cheapest answer with all contacts by CRISP's settings for drawn scenes, then the "
                          "second-order finish",
                          5},
    [SS_RACE_LOWERED] = {"lowered", "Improved Answer, Low Penalties",
                         "From the cheapest answer with all contacts by CRISP's default settings, which begin with low "
                         "penalties, then the second-order finish",
                         5},
    [SS_RACE_FINE] =
        {"fine", "Sampled to Hold",
         "Simulated motions whose controls lead near the targets in shorter steps too, brought to them until the "
         "replay of one ends there, then cheaper ones near it",
         20},
    [SS_RACE_SEARCHED] = {"searched", "More Sampled Motions",
                          "From more and more simulated motions, the best of each pattern of contacts", 30},
};

/* A process that took so many times its limit of work in CPU time hangs. */
static const double HANGS = 10;
#define FIELD(field) offsetof (SsCrispOptions, field)

/* Options of CRISP that differ from its preset of drawn scenes. */
typedef struct {
  const SsOptionValue *values;
  int n;
} Settings;
#define SETTINGS(values)                                                                                               \
  {                                                                                                                    \
    values, sizeof values / sizeof *values                                                                             \
  }

static const SsOptionValue priced_values[] = {
    {FIELD (price), 0.3}, {FIELD (mu0), 1000}, {FIELD (relax), 0}, {FIELD (mu_spread), 0}};
static const SsOptionValue dearer_values[] = {
    {FIELD (price), 3}, {FIELD (mu0), 100}, {FIELD (relax), 0}, {FIELD (mu_spread), 0}};
static const SsOptionValue drawn_values[] = {{FIELD (relax_iterations), 60}};
static const SsOptionValue near_values[] = {
    {FIELD (mu0), 1000}, {FIELD (relax), 0}, {FIELD (mu_spread), 0}, {FIELD (delta0), 0.3}};

/* The first plan near a motion: the best of its kind takes most of the time and puts forces at the edge of their cones,
 * where shorter steps go another way. */
static const SsOptionValue finer_values[] = {
    {FIELD (mu0), 1000},      {FIELD (relax), 0},       {FIELD (mu_spread), 0},      {FIELD (delta0), 0.3},
    {FIELD (confirm), false}, {FIELD (certify), false}, {FIELD (eps_decrease), 0.3}, {FIELD (polish_from), 1e-3}};

static const SsOptionValue improved_values[] = {{FIELD (finish), true}};
static const SsOptionValue lowered_values[] = {{FIELD (preset), SS_CRISP_PRESET_DEFAULT}, {FIELD (finish), true}};

static const Settings priced = SETTINGS (priced_values), dearer = SETTINGS (dearer_values),
                      drawn = SETTINGS (drawn_values), near = SETTINGS (near_values), finer = SETTINGS (finer_values),
                      improved = SETTINGS (improved_values), lowered = SETTINGS (lowered_values);

/* The options of a member. */
static const Settings *
settings_of (SsRaceMember member)
{
  switch (member) {
  case SS_RACE_GIVEN:
  case SS_RACE_SAMPLED:
  case SS_RACE_STAGES:
  case SS_RACE_AGAIN:
  case SS_RACE_SEARCHED:
  case SS_RACE_IPOPT:
  case SS_RACE_ELEMENTS:
  case SS_RACE_FINE:
    return &near;
  case SS_RACE_DRAWN:
  case SS_RACE_WHOLE:
    return &drawn;
  case SS_RACE_DEARER:
    return &dearer;
  case SS_RACE_STEADY:
  case SS_RACE_REFINED:
    return &finer;
  case SS_RACE_IMPROVED:
    return &improved;
  case SS_RACE_LOWERED:
    return &lowered;
  default:
    return &priced;
  }
}

const SsRaceMemberSpec *
ss_race_member_spec (SsRaceMember member)
{
  SS_ASSERT (member < SS_RACE_MEMBERS);
  return &specs[member];
}

/* Members that begin in a process of their own. */
static bool
is_elsewhere (SsRaceMember member)
{
  return member == SS_RACE_IPOPT || member == SS_RACE_ELEMENTS;
}

static bool
is_improving (SsRaceMember member)
{
  return member == SS_RACE_IMPROVED || member == SS_RACE_LOWERED || member == SS_RACE_SHOT;
}

bool
ss_race_member_fits (const SsSolveJob *job, SsRaceMember member)
{
  const SsScene *scene = job->scenario->scene;

  if (member == SS_RACE_JOINT)
    return scene->n_joints > 0 && job->transcription.coordinates == SS_COORDINATES_ABSOLUTE;
  if (member == SS_RACE_GIVEN || (is_improving (member) && member != SS_RACE_SHOT))
    return job->start != NULL;
  if (member == SS_RACE_REFINED || member == SS_RACE_SHOT)
    return job->start != NULL && ss_refine_can (job);
  if (member == SS_RACE_SAMPLED || member == SS_RACE_AGAIN || member == SS_RACE_STEADY || member == SS_RACE_FINE ||
      member == SS_RACE_SEARCHED)
    return scene->n_actuators > 0 && !job->scenario->task.plan->is_time_free;
  if (member == SS_RACE_STAGES)
    return !job->scenario->task.plan->is_time_free && ss_stages_fit (job->scenario);
  if (is_elsewhere (member))
    return job->elsewhere != NULL;
  return member != SS_RACE_ALL;
}

/* CRISP's options for this job, with the settings of a member. */
static void
init_options (const SsSolveJob *job, const Settings *settings, SsCrispOptions *options)
{
  ss_nlp_init_options (&ss_nlp_crisp, job->scenario->model == NULL, options);
  ss_transcription_suit (job->transcription.class_, &ss_nlp_crisp, options);
  ss_options_give (ss_nlp_crisp.options, options, settings->values, settings->n);
  /* limits are counted work */
  ss_options_give (ss_nlp_crisp.options, options, &(SsOptionValue){FIELD (k_max), 100000}, 1);
}

/* With the contacts that the member has, told of the first honest answer. */
static SsStatus
run_lazily (const SsSolveJob *own, const SsLazyWay *way, SsRunControl *control, SsRunResult *result, SsError *err)
{
  if (own->transcription.contacts != SS_PLAN_CONTACTS_LAZY)
    return ss_plan_solve (own, control, result, err);
  SsStatus status = ss_solve_check (own->scenario, own->nlp->name, err);

  ss_run_result_init (result);
  if (status == SS_OK)
    status = ss_plan_lazily (own, way, control, NULL, result, err);
  return status;
}

/* Where the first plan comes from. */
typedef struct {
  SsSolveJob *own;
  const SsLazyWay *way;
  SsRunControl *control;
  SsRunResult *first; /* of a sampled motion that was shot at the targets */
  bool is_staged;     /* motions may end at the targets by themselves */
  const char *by;
  SsTries *tries;
} Shooter;

/* The motion as it is: what a process held when the race stopped it, or stages that end at the targets. */
static SsStatus
judge_motion (const SsSolveJob *own, const SsTrajectory *motion, SsRunResult *result, SsError *err)
{
  SsSolveJob job = *own;

  job.start = motion;
  job.takes_start = true;
  job.transcription.contacts = SS_PLAN_CONTACTS_ALL;
  return ss_plan_solve (&job, NULL, result, err);
}

/* Counts the attempt, and tells of a plan. */
static SsStatus
tell_first (const Shooter *s, SsStatus status, bool is_plan, SsError *err)
{
  if (status == SS_OK)
    status = ss_plan_note_try (s->first, SS_TRY_MOTION, s->by, s->tries, err);
  if (is_plan && s->way != NULL && s->way->found != NULL)
    s->way->found (s->way->user_data, s->first);
  return status;
}

/* Whether a sampled motion can be brought to end at the targets, and is a plan then. */
static SsStatus
shoot (void *user_data, const SsTrajectory *motion, bool *is_plan, SsError *err)
{
  const Shooter *s = user_data;
  double miss;

  ss_run_result_clear (s->first);
  if (s->is_staged) {
    const SsStatus as_it_is = judge_motion (s->own, motion, s->first, err);

    *is_plan = as_it_is == SS_OK && s->first->outcome == SS_OUTCOME_SOLVED;
    if (as_it_is != SS_OK || *is_plan)
      return tell_first (s, as_it_is, *is_plan, err);
    ss_run_result_clear (s->first);
  }
  SsStatus status = ss_refine_shoot (s->own, motion, motion->n_rows - 1, s->control, &miss, s->first, err);
  *is_plan = status == SS_OK && s->first->outcome == SS_OUTCOME_SOLVED;
  if (status == SS_OK)
    ss_run_control_log (s->control, SS_LOG_INFO, "shot at the targets it ends %.3g away from them%s%s", miss,
                        s->first->message[0] != '\0' ? ": " : "", s->first->message);
  return tell_first (s, status, *is_plan, err);
}

/* The first plan near a motion, by CRISP. */
static SsStatus
solve_first (const SsSolveJob *own, const SsLazyWay *way, SsRunControl *control, SsRunResult *result, SsError *err)
{
  const SsLazyWay brief = {.is_brief = true, .found = way->found, .user_data = way->user_data};
  SsCrispOptions first;
  SsSolveJob job = *own;

  ss_run_result_init (result);
  init_options (own, &finer, &first);
  job.options = &first;
  return run_lazily (&job, &brief, control, result, err);
}

/* The best of many simulated motions, or of stages; `first` is of it where it is a plan, at once or shot at the
 * targets. Without a motion its trajectory is NULL. */
static SsStatus
sample (SsSolveJob *own, SsRaceMember member, const SsLazyWay *way, uint64_t seed, double size, SsTries *tries,
        SsRunControl *control, SsSampledMotion *motion, SsRunResult *first, SsError *err)
{
  const bool is_staged = member == SS_RACE_STAGES;
  Shooter shooter = {own, way, control, first, is_staged, specs[SS_RACE_STEADY].label, tries};
  const SsSampleJudge judge = {.is_enough = shoot, .user_data = &shooter};

  ss_run_result_init (first);
  const SsStatus status = is_staged ? ss_stages_motion (own->scenario, seed, &judge, control, motion, err)
                                    : ss_sample_motion (own->scenario, seed, size, &judge, control, motion, err);
  if (status != SS_OK)
    ss_run_result_clear (first);
  return status;
}

/* From a first plan, where there is one, the best near it, which is the answer; `steady` gets the first one. `steady`
 * NULL: the first one alone. */
static SsStatus
better_first (SsSolveJob *own, SsRaceMember member, const SsLazyWay *way, SsRunResult *first, SsRunResult *steady,
              SsTries *tries, SsRunControl *control, SsRunResult *result, SsError *err)
{
  SsStatus status = SS_OK;
  SsOutcome why;

  if (first->outcome == SS_OUTCOME_SOLVED)
    own->start = ss_run_motion (first);
  const bool own_tried = steady != NULL && !ss_run_control_should_stop (control, &why);
  if (own_tried)
    status = run_lazily (own, way, control, result, err);
  if (status == SS_OK && own_tried)
    status = ss_plan_note_try (result, SS_TRY_MEMBER, specs[member].label, tries, err);
  const SsPlanRank of_first = ss_plan_rank (first), of_best = ss_plan_rank (result);
  if (status == SS_OK && ss_plan_goes_before (&of_first, &of_best)) {
    const SsRunResult best = *result;
    *result = *first;
    *first = best;
  }
  if (status == SS_OK && steady != NULL && first->outcome == SS_OUTCOME_SOLVED) {
    *steady = *first;
    ss_run_result_init (first);
  }
  return status;
}

/* A plan near the motion that the job starts from, by CRISP. */
static SsStatus
solve_and_note (const SsSolveJob *own, const SsLazyWay *way, SsTries *tries, SsRunControl *control, SsRunResult *first,
                SsError *err)
{
  ss_run_result_clear (first);
  const SsStatus status = solve_first (own, way, control, first, err);
  return status == SS_OK ? ss_plan_note_try (first, SS_TRY_MEMBER, specs[SS_RACE_STEADY].label, tries, err) : status;
}

/* Searches, and what a motion misses below which a plan near it is looked for rather than another motion. */
enum { SAMPLED_SEARCHES = 3, SAMPLED_STRIDE = 1000 };
static const double SAMPLED_FAR = 0.05;

/* As sample; where the best motion is far from the targets, other searches of the same size, which cost less than to
 * look for a plan near it. The nearest motion is kept. */
static SsStatus
sample_again (SsSolveJob *own, SsRaceMember member, const SsLazyWay *way, uint64_t seed, SsTries *tries,
              SsRunControl *control, SsSampledMotion *motion, SsRunResult *first, SsError *err)
{
  SsStatus status = sample (own, member, way, seed, 1, tries, control, motion, first, err);
  SsOutcome why;

  for (int i = 1;
       i < SAMPLED_SEARCHES && status == SS_OK && member != SS_RACE_STAGES && first->outcome != SS_OUTCOME_SOLVED &&
       !(motion->cost < SAMPLED_FAR) && !ss_run_control_should_stop (control, &why);
       i++) {
    SsSampledMotion other;
    SsRunResult of_other;

    status = sample (own, member, way, seed + (uint64_t)i * SAMPLED_STRIDE, 1, tries, control, &other, &of_other, err);
    if (status != SS_OK) {
      ss_sampled_motion_clear (motion);
      ss_run_result_clear (first);
      break;
    }
    if (of_other.outcome == SS_OUTCOME_SOLVED || other.cost < motion->cost) {
      const SsSampledMotion worse = *motion;
      const SsRunResult of_worse = *first;

      *motion = other;
      *first = of_other;
      other = worse;
      of_other = of_worse;
    }
    ss_sampled_motion_clear (&other);
    ss_run_result_clear (&of_other);
  }
  return status;
}

/* From the best of many simulated motions, with the contacts that it touches first: a plan near it (the motion itself,
 * shot at the targets, where that is one, else by CRISP), which `steady` gets, then the best from there; the answer is
 * the first one where nothing better comes. STEADY: the first one alone. */
static SsStatus
run_sampled (SsSolveJob *own, SsRaceMember member, const SsLazyWay *way, uint64_t seed, SsRaceBeside *beside,
             SsRunControl *control, SsRunResult *result, SsError *err)
{
  SsRunResult first, *steady = member != SS_RACE_STEADY ? &beside->steady : NULL;
  SsSampledMotion motion;
  SsOutcome why;
  SsStatus status = sample_again (own, member, way, seed, &beside->tries, control, &motion, &first, err);

  if (status != SS_OK)
    return status;
  if (motion.trajectory == NULL) {
    result->outcome = ss_run_control_should_stop (control, &why) ? why : SS_OUTCOME_FAILED;
    snprintf (result->message, sizeof result->message, "no sequence of stages came nearer to the targets");
    ss_run_result_clear (&first);
    return SS_OK;
  }
  own->start = motion.trajectory;
  if (first.outcome != SS_OUTCOME_SOLVED)
    status = solve_and_note (own, way, &beside->tries, control, &first, err);
  if (status == SS_OK)
    status = better_first (own, member, way, &first, steady, &beside->tries, control, result, err);
  ss_run_result_clear (&first);
  ss_sampled_motion_clear (&motion);
  return status;
}

/* Motions that are sampled together; how much larger the searches become, and at most; work that a plan near one of
 * them may take at first, by how much that grows, and at most [s]. */
enum { SEARCHED_TOGETHER = 3, PATTERNS_MOST = 256 };
static const double SEARCH_GROWTH = 2, SEARCH_MOST = 10, SEARCH_WORK = 2, SEARCH_WORK_GROWTH = 1.5,
                    SEARCH_WORK_MOST = 10;

/* Of SEARCHED: the motions of a round, and patterns of contacts that have led to plans, which need no other. */
typedef struct {
  SsSampledMotion motions[SEARCHED_TOGETHER];
  uint64_t patterns[SEARCHED_TOGETHER], solved[PATTERNS_MOST];
  int n, n_solved;
} Round;

static void
clear_round (Round *round)
{
  for (int i = 0; i < round->n; i++)
    ss_sampled_motion_clear (&round->motions[i]);
  round->n = 0;
}

static bool
is_solved_already (const Round *round, uint64_t pattern)
{
  for (int i = 0; i < round->n_solved; i++)
    if (round->solved[i] == pattern)
      return true;
  return false;
}

/* The nearest to the goal is taken out, and with it all of its pattern. False: there is none. */
static bool
take_next (Round *round, SsSampledMotion *motion, uint64_t *pattern)
{
  int best = -1;

  for (int i = 0; i < round->n; i++)
    if (round->motions[i].trajectory != NULL && (best < 0 || round->motions[i].cost < round->motions[best].cost))
      best = i;
  if (best < 0)
    return false;
  *motion = round->motions[best];
  *pattern = round->patterns[best];
  round->motions[best].trajectory = NULL;
  for (int i = 0; i < round->n; i++)
    if (round->patterns[i] == *pattern)
      ss_sampled_motion_clear (&round->motions[i]);
  return true;
}

/* What `result` has gives way to a better one, which is taken; the other one is cleared. */
static void
keep_better (SsRunResult *result, SsRunResult *other)
{
  const SsPlanRank of_other = ss_plan_rank (other), of_result = ss_plan_rank (result);

  if (ss_plan_goes_before (&of_other, &of_result)) {
    const SsRunResult worse = *result;
    *result = *other;
    *other = worse;
  }
  ss_run_result_clear (other);
}

/* A plan near a motion, where `first` is none yet, then the best near it, with so much work each. */
static SsStatus
solve_near (SsSolveJob *own, const SsLazyWay *way, double work, const SsTrajectory *motion, SsRunControl *control,
            SsRunResult *first, bool *is_solved, SsRaceBeside *beside, SsRunResult *result, SsError *err)
{
  SsStatus status = SS_OK;
  SsRunResult now, own_steady;
  SsRelay relay;

  ss_relay_init (&relay, control);
  own->start = motion;
  relay.inner.work_limit = fmin (relay.inner.work_limit, ss_work_thread () + work * SS_WORK_SECOND);
  if (first->outcome != SS_OUTCOME_SOLVED)
    status = solve_and_note (own, way, &beside->tries, &relay.inner, first, err);
  *is_solved = status == SS_OK && first->outcome == SS_OUTCOME_SOLVED;
  if (status == SS_OK && !*is_solved)
    keep_better (result, first);
  if (!*is_solved)
    return status;
  ss_run_result_init (&now);
  ss_run_result_init (&own_steady);
  ss_relay_init (&relay, control);
  relay.inner.work_limit = fmin (relay.inner.work_limit, ss_work_thread () + SEARCH_WORK_MOST * SS_WORK_SECOND);
  status = better_first (own, SS_RACE_SEARCHED, way, first, &own_steady, &beside->tries, &relay.inner, &now, err);
  if (status == SS_OK) {
    keep_better (result, &now);
    keep_better (&beside->steady, &own_steady);
  }
  ss_run_result_clear (&now);
  ss_run_result_clear (&own_steady);
  return status;
}

/* New motions, and plans near the best of each pattern. */
static SsStatus
run_round (SsSolveJob *own, const SsLazyWay *way, uint64_t seed, double size, double work, Round *round,
           SsRaceBeside *beside, SsRunControl *control, SsRunResult *result, SsError *err)
{
  const bool has_stages = ss_stages_fit (own->scenario);
  SsStatus status = SS_OK;
  SsSampledMotion motion;
  SsRunResult first;
  SsOutcome why;
  uint64_t pattern;

  ss_run_result_init (&first);
  for (int i = 0; i < SEARCHED_TOGETHER && status == SS_OK && first.outcome != SS_OUTCOME_SOLVED &&
                  !ss_run_control_should_stop (control, &why);
       i++) {
    ss_run_result_clear (&first);
    const SsRaceMember by = has_stages && i == SEARCHED_TOGETHER - 1 ? SS_RACE_STAGES : SS_RACE_SEARCHED;

    status = sample (own, by, way, seed + (uint64_t)i, size, &beside->tries, control, &motion, &first, err);
    if (status != SS_OK)
      break;
    if (motion.trajectory == NULL)
      continue;
    pattern = ss_contact_pattern (own->scenario->scene, motion.trajectory);
    if (is_solved_already (round, pattern)) {
      ss_sampled_motion_clear (&motion);
      ss_run_result_clear (&first);
      continue;
    }
    round->motions[round->n] = motion;
    if (first.outcome == SS_OUTCOME_SOLVED)
      round->motions[round->n].cost = -1; /* before all others */
    round->patterns[round->n++] = pattern;
  }
  while (status == SS_OK && !ss_run_control_should_stop (control, &why) && take_next (round, &motion, &pattern)) {
    bool is_solved = false;

    status = solve_near (own, way, work, motion.trajectory, control, &first, &is_solved, beside, result, err);
    if (is_solved && round->n_solved < PATTERNS_MOST)
      round->solved[round->n_solved++] = pattern;
    ss_run_result_clear (&first);
    ss_sampled_motion_clear (&motion);
  }
  ss_run_result_clear (&first);
  clear_round (round);
  return status;
}

/* As sampled, with new seeds (`seed`, and each `stride` further), larger searches and more work, until it is told to
 * end. */
static SsStatus
run_searched (SsSolveJob *own, const SsLazyWay *way, uint64_t seed, int stride, SsRaceBeside *beside,
              SsRunControl *control, SsRunResult *result, SsError *err)
{
  double size = 1, work = SEARCH_WORK;
  SsStatus status = SS_OK;
  Round round = {.n = 0};
  SsOutcome why;

  while (status == SS_OK && !ss_run_control_should_stop (control, &why)) {
    status = run_round (own, way, seed, size, work, &round, beside, control, result, err);
    seed += (uint64_t)stride;
    size = fmin (size * SEARCH_GROWTH, SEARCH_MOST);
    work = fmin (work * SEARCH_WORK_GROWTH, SEARCH_WORK_MOST);
  }
  return status;
}

/* From what another process finds; where it has no motion, no answer, and its message. */
static SsStatus
run_elsewhere (SsSolveJob *own, SsRaceMember member, const SsLazyWay *way, SsRaceBeside *beside, SsRunControl *control,
               SsRunResult *result, SsError *err)
{
  static const char *const by_steps[][2] = {{"contacts", "lazy"}};
  static const char *const by_elements[][2] = {{"transcription", "fesd-j"}, {"first", "method"}, {"starts", "3"}};
  const bool is_ipopt = member == SS_RACE_IPOPT;
  const double limit =
      fmin (ss_race_member_spec (member)->limit * SS_WORK_SECOND, control->work_limit - ss_work_thread ());
  const SsElsewhereJob job = {.method = is_ipopt ? "ipopt" : "scholtes",
                              .options = is_ipopt ? by_steps : by_elements,
                              .n_options = is_ipopt ? 1 : 3,
                              .work = limit,
                              .cpu = HANGS * ss_race_member_spec (member)->limit};
  SsElsewhereAnswer answer;
  SsOutcome why = SS_OUTCOME_SOLVED;
  SsStatus status = own->elsewhere->run (own->elsewhere->user_data, &job, control, &answer, err);

  if (status != SS_OK)
    return status;
  beside->cpu = answer.cpu;
  beside->work = answer.work;
  if (ss_run_control_should_stop (control, &why) && !ss_outcome_is_asked (why) && answer.motion != NULL) {
    status = judge_motion (own, answer.motion, result, err);
  } else if (why != SS_OUTCOME_SOLVED || answer.motion == NULL) {
    result->outcome = why != SS_OUTCOME_SOLVED ? why : SS_OUTCOME_FAILED;
    snprintf (result->message, sizeof result->message, "%s", answer.message);
  } else {
    own->start = answer.motion;
    status = run_lazily (own, way, control, result, err);
  }
  ss_trajectory_free (answer.motion);
  return status;
}

/* Cheaper motions near the plan that the job starts from, in its own steps. */
static SsStatus
run_shot (const SsSolveJob *own, SsRunControl *control, SsRunResult *result, SsError *err)
{
  SsTenth tenth = {.distance = INFINITY};
  const SsStatus status = ss_refine_cheaper (own, own->start, control, &tenth, result, err);

  if (status == SS_OK && result->outcome != SS_OUTCOME_SOLVED && result->message[0] == '\0')
    snprintf (result->message, sizeof result->message, "no cheaper simulated motion near it ends at the targets");
  return status;
}

/* The plan that the job starts from, in halved steps, and cheaper while it holds; where none of those was solved, once
 * more in its own. */
static SsStatus
run_refined (SsSolveJob *own, int halvings, SsRunControl *control, SsRaceBeside *beside, SsRunResult *result,
             SsError *err)
{
  SsOutcome why;
  SsRefined *refined = &beside->refined;
  SsStatus status = ss_refine (own, halvings, control, refined, result, err);

  if (status == SS_OK && refined->holds && refined->halvings == 0)
    status = ss_refine_judge (own, own->start, control, result, err);
  if (status == SS_OK && refined->holds && result->outcome == SS_OUTCOME_SOLVED) {
    SsCrispOptions options;
    SsSolveJob job = *own;

    init_options (own, &near, &options);
    job.options = &options;
    status = ss_hold_cheaper (&job, specs[SS_RACE_REFINED].label, &beside->tries, control, &refined->last,
                              &refined->halvings, result, err);
  }
  if (status == SS_OK && !refined->holds && refined->halvings == 0 && !ss_run_control_should_stop (control, &why)) {
    const SsTrajectory *plan = own->start;
    const double time = ss_trajectory_row (plan, plan->n_rows - 1)[0];

    own->transcription.dt = time / (plan->n_rows - 1);
    own->transcription.t_end = time;
    status = run_lazily (own, NULL, control, result, err);
  }
  if (status != SS_OK)
    return status;
  ss_metric_set (&result->metrics, SS_METRIC_HALVINGS, refined->halvings);
  ss_metric_set (&result->metrics, SS_METRIC_REPLAY_TENTH, refined->last.distance);
  return SS_OK;
}

/* From the job's motion, which may have waited before it began, as one played by hand. */
static SsStatus
run_given (SsSolveJob *own, const SsLazyWay *way, const SsTrajectory *given, SsRunControl *control, SsRunResult *result,
           SsError *err)
{
  const int first = ss_run_last_at_rest (own->scenario->scene, given);
  const double t0 = given->n_rows > 0 ? ss_trajectory_row (given, first)[0] : 0;
  SsTrajectory *moving = NULL;
  SsStatus status = ss_trajectory_new (given->channels, given->n_channels, given->n_rows, &moving, err);

  for (int k = first; k < given->n_rows && status == SS_OK; k++) {
    status = ss_trajectory_append (moving, ss_trajectory_row (given, k), err);
    if (status == SS_OK)
      moving->values[(size_t)(k - first) * (size_t)moving->n_channels] -= t0;
  }
  own->start = moving;
  if (status == SS_OK)
    status = run_lazily (own, way, control, result, err);
  ss_trajectory_free (moving);
  return status;
}

SsStatus
ss_race_member_run (const SsSolveJob *job, SsRaceMember member, const SsAutoOptions *race, const SsLazyWay *way,
                    SsRaceBeside *beside, SsRunControl *control, SsRunResult *result, SsError *err)
{
  SsCrispOptions options;
  SsSolveJob own = *job;
  SsStatus status;
  const bool is_sampled =
      member == SS_RACE_SAMPLED || member == SS_RACE_AGAIN || member == SS_RACE_STEADY || member == SS_RACE_STAGES;

  ss_run_result_init (result);
  init_options (job, settings_of (member), &options);
  own.nlp = &ss_nlp_crisp;
  own.options = &options;
  own.cache = NULL;
  own.transcription.contacts =
      member == SS_RACE_WHOLE || is_improving (member) ? SS_PLAN_CONTACTS_ALL : SS_PLAN_CONTACTS_LAZY;
  if (member == SS_RACE_JOINT)
    own.transcription.coordinates = SS_COORDINATES_JOINT;
  if (member != SS_RACE_REFINED && !is_improving (member))
    own.start = NULL; /* the others look elsewhere */
  if (member == SS_RACE_GIVEN)
    status = run_given (&own, way, job->start, control, result, err);
  else if (is_sampled)
    status =
        run_sampled (&own, member, way, (uint64_t)race->seed + (member == SS_RACE_AGAIN), beside, control, result, err);
  else if (member == SS_RACE_SEARCHED)
    status =
        run_searched (&own, way, (uint64_t)race->seed, SEARCHED_TOGETHER * race->threads, beside, control, result, err);
  else if (is_elsewhere (member))
    status = run_elsewhere (&own, member, way, beside, control, result, err);
  else if (member == SS_RACE_FINE)
    status = ss_hold_sampled (&own, (uint64_t)race->seed, race->refine, specs[SS_RACE_FINE].label, &beside->tries,
                              control, &beside->refined, result, err);
  else if (member == SS_RACE_SHOT)
    status = run_shot (&own, control, result, err);
  else if (member == SS_RACE_REFINED)
    status = run_refined (&own, race->refine, control, beside, result, err);
  else
    status = run_lazily (&own, way, control, result, err);
  if (status == SS_OK && !is_sampled && member != SS_RACE_SEARCHED &&
      member != SS_RACE_FINE) /* those note each of their attempts */
    status = ss_plan_note_try (result, SS_TRY_MEMBER, specs[member].label, &beside->tries, err);
  return status;
}
