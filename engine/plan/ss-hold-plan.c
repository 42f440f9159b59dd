/* engine/plan/ss-hold-plan.c: see the header. */
#include "plan/ss-hold-plan.h"

#include "core/ss-work.h"
#include "plan/ss-plan-rank.h"
#include "plan/ss-sampled-motion.h"

#include <math.h>
#include <stdio.h>

/* Parts of a step over which the controls of samples are held. */
enum { PARTS = 4 };
/* Seeds that are tried; a halving is worth another where the replay ends this much nearer. */
enum { SEEDS = 24 };
static const double NEARER = 0.7;
/* Counted work after which no more seeds are tried, once one holds: at least [s], and by that of the first one. */
static const double LEAST = 4, AGAIN = 3;

/* ---- cheaper ----------------------------------------------------------------------------------------------------- */

/* Takes another result that is a cheaper plan. */
static SsStatus
take_cheaper (const char *by, SsTries *tries, SsRunResult *other, bool *is_taken, SsRunResult *result, SsError *err)
{
  const bool is_solved = other->outcome == SS_OUTCOME_SOLVED;
  const SsStatus status = is_solved ? ss_plan_note_try (other, SS_TRY_MOTION, by, tries, err) : SS_OK;

  *is_taken =
      status == SS_OK && is_solved &&
      ss_metric_get (&other->metrics, SS_METRIC_OBJECTIVE) < ss_metric_get (&result->metrics, SS_METRIC_OBJECTIVE);
  ss_run_result_clear (*is_taken ? result : other);
  if (*is_taken)
    *result = *other;
  return status;
}

SsStatus
ss_hold_cheaper (const SsSolveJob *job, const char *by, SsTries *tries, SsRunControl *control, SsTenth *tenth,
                 int *halvings, SsRunResult *result, SsError *err)
{
  SsStatus status = SS_OK;
  SsOutcome why;

  for (int i = 0; i < 2 && status == SS_OK && !ss_run_control_should_stop (control, &why); i++) {
    const SsTrajectory *plan = ss_run_motion (result);
    SsRunResult other;
    SsTenth of_other = *tenth;
    bool is_taken = false;
    int n = 0;

    status = i == 0 ? ss_refine_cheaper (job, plan, control, &of_other, &other, err)
                    : ss_refine_improve (job, plan, control, &of_other, &n, &other, err);
    if (status == SS_OK)
      status = take_cheaper (by, tries, &other, &is_taken, result, err);
    else
      ss_run_result_clear (&other);
    if (is_taken) {
      *tenth = of_other;
      *halvings += n;
    }
  }
  return status;
}

/* ---- sampled ----------------------------------------------------------------------------------------------------- */

/* A plan and what its replay does. */
typedef struct {
  SsRunResult result;
  SsTenth tenth;
  int halvings;
} Held;

typedef struct {
  const SsSolveJob *job;
  int halvings_most;
  const char *by;
  SsTries *tries;
  SsRunControl *control;
  Held best;     /* of a seed */
  bool has_held; /* of any */
} Sampled;

static void
init_held (Held *held)
{
  *held = (Held){.tenth.distance = INFINITY};
  ss_run_result_init (&held->result);
}

/* Another one where it is the answer of the two; the loser is cleared. */
static void
keep_better (Held *best, Held *other)
{
  const SsPlanRank ranks[] = {ss_plan_rank_replayed (&best->result, best->tenth.distance),
                              ss_plan_rank_replayed (&other->result, other->tenth.distance)};

  if (ss_plan_choose (ranks, 2) == 1) {
    ss_run_result_clear (&best->result);
    *best = *other;
  } else
    ss_run_result_clear (&other->result);
}

/* The motion in so many steps, judged and replayed. */
static SsStatus
shoot (const Sampled *s, const SsTrajectory *motion, int steps, Held *now, SsError *err)
{
  double miss;
  SsStatus status = ss_refine_shoot (s->job, motion, steps, s->control, &miss, &now->result, err);

  if (status == SS_OK)
    status = ss_plan_note_try (&now->result, SS_TRY_MOTION, s->by, s->tries, err);
  if (status == SS_OK && now->result.outcome == SS_OUTCOME_SOLVED)
    status = ss_refine_tenth (s->job->scenario, ss_run_motion (&now->result), s->control, &now->tenth, err);
  if (status == SS_OK && now->result.outcome == SS_OUTCOME_SOLVED)
    ss_run_control_log (s->control, SS_LOG_INFO,
                        "shot at the targets in %d steps, replayed at a tenth of them it ends %.3g m from its goal",
                        steps, now->tenth.distance);
  return status;
}

/* A sampled motion in shorter and shorter steps, while its replays end nearer. */
static SsStatus
try_motion (void *user_data, const SsTrajectory *motion, bool *holds, SsError *err)
{
  Sampled *s = user_data;
  const int steps = motion->n_rows - 1;
  SsStatus status = SS_OK;
  double before = INFINITY;
  SsOutcome why;

  *holds = false;
  for (int i = 0; i <= s->halvings_most && status == SS_OK && !ss_run_control_should_stop (s->control, &why); i++) {
    Held now;

    init_held (&now);
    now.halvings = i;
    status = shoot (s, motion, steps << i, &now, err);
    const bool is_solved = status == SS_OK && now.result.outcome == SS_OUTCOME_SOLVED,
               is_nearer = is_solved && now.tenth.distance < NEARER * before;

    before = now.tenth.distance;
    *holds = is_solved && before <= SS_REFINE_NEAR;
    keep_better (&s->best, &now);
    if (*holds || (!is_nearer && (is_solved || i > 0)))
      break;
  }
  s->has_held = s->has_held || *holds;
  return status;
}

/* The best of one seed, made cheaper where it ends near its goals. */
static SsStatus
sample (Sampled *s, uint64_t seed, SsError *err)
{
  const SsSampleJudge judge = {.parts = PARTS, .is_enough = try_motion, .user_data = s};
  SsSampledMotion motion;

  init_held (&s->best);
  SsStatus status = ss_sample_motion (s->job->scenario, seed, 1, &judge, s->control, &motion, err);
  if (status == SS_OK)
    ss_sampled_motion_clear (&motion);
  if (status == SS_OK && s->best.tenth.distance <= SS_PLAN_GOAL_NEAR)
    status =
        ss_hold_cheaper (s->job, s->by, s->tries, s->control, &s->best.tenth, &s->best.halvings, &s->best.result, err);
  return status;
}

SsStatus
ss_hold_sampled (const SsSolveJob *job, uint64_t seed, int halvings, const char *by, SsTries *tries,
                 SsRunControl *control, SsRefined *refined, SsRunResult *result, SsError *err)
{
  SS_ASSERT (refined != NULL && result != NULL);

  Sampled s = {.job = job, .halvings_most = halvings, .by = by, .tries = tries, .control = control};
  const double begun = ss_work_thread ();
  double enough = INFINITY;
  SsStatus status = SS_OK;
  SsOutcome why;
  Held best;

  init_held (&best);
  for (int i = 0; i < SEEDS && status == SS_OK && ss_work_thread () - begun < enough &&
                  !ss_run_control_should_stop (control, &why);
       i++) {
    status = sample (&s, seed + (uint64_t)i, err);
    keep_better (&best, &s.best);
    if (isinf (enough) && s.has_held)
      enough = fmax (LEAST * SS_WORK_SECOND, AGAIN * (ss_work_thread () - begun));
  }
  *result = best.result;
  *refined = (SsRefined){.halvings = best.halvings, .holds = best.tenth.distance <= SS_REFINE_NEAR, .last = best.tenth};
  if (status != SS_OK) {
    ss_run_result_clear (result);
    return status;
  }
  if (result->outcome == SS_OUTCOME_SOLVED) {
    ss_metric_set (&result->metrics, SS_METRIC_HALVINGS, best.halvings);
    ss_metric_set (&result->metrics, SS_METRIC_REPLAY_TENTH, best.tenth.distance);
  } else
    snprintf (result->message, sizeof result->message, "no sampled motion ends at the targets in shorter steps");
  return SS_OK;
}
