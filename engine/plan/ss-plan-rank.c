/* engine/plan/ss-plan-rank.c: see the header. */
#include "plan/ss-plan-rank.h"

#include "plan/ss-refine.h"

#include <limits.h>
#include <math.h>

/* What ends that loosely reaches its goals: SS_PLAN_STEADIER times SS_REFINE_NEAR is SS_PLAN_GOAL_NEAR. */
enum { LOOSE_REACHES = 1 };

/* By the whole replay that a transcription has. */
static SsPlanGrade
grade_of_whole (const SsRunResult *result)
{
  if (!isfinite (ss_metric_get (&result->metrics, SS_METRIC_REPLAYED_OBJECTIVE)))
    return SS_PLAN_IN_VAIN;
  return ss_metric_get (&result->metrics, SS_METRIC_REPLAYED_PATH_VIOLATION) <= SS_RUN_PATH_KEPT &&
                 !(ss_metric_get (&result->metrics, SS_METRIC_REPLAYED_END_DISTANCE) > SS_REFINE_NEAR)
             ? SS_PLAN_HOLDS
             : SS_PLAN_PARTS;
}

SsPlanRank
ss_plan_rank (const SsRunResult *result)
{
  const double violation = ss_metric_get (&result->metrics, SS_METRIC_MAX_VIOLATION),
               replayed = ss_metric_get (&result->metrics, SS_METRIC_REPLAYED_OBJECTIVE);
  SsPlanRank rank = {.violation = isfinite (violation) ? violation : INFINITY,
                     .cost = ss_metric_get (&result->metrics, SS_METRIC_OBJECTIVE)};

  if (ss_run_motion (result) == NULL)
    return rank;
  if (result->outcome == SS_OUTCOME_NOT_REPLAYABLE)
    rank.grade = SS_PLAN_NOT_POSSIBLE;
  else if (result->outcome != SS_OUTCOME_SOLVED)
    rank.grade = SS_PLAN_MISSES;
  else if (result->metrics.is_set[SS_METRIC_REPLAYED_OBJECTIVE])
    rank.grade = grade_of_whole (result);
  else if (ss_metric_get (&result->metrics, SS_METRIC_REPLAY_TENTH) <= SS_REFINE_NEAR)
    rank.grade = SS_PLAN_HOLDS;
  else
    rank.grade = SS_PLAN_PARTS;
  if (rank.grade > SS_PLAN_NOT_POSSIBLE && isfinite (replayed))
    rank.cost = replayed;
  return rank;
}

SsPlanRank
ss_plan_rank_of_controls (double violation, const SsTriedControls *replay, double away)
{
  const bool obeys = violation < SS_RUN_FEASIBLE;

  return (SsPlanRank){.grade = !obeys                                                              ? SS_PLAN_MISSES
                               : !replay->is_complete                                              ? SS_PLAN_IN_VAIN
                               : replay->value.way <= SS_RUN_PATH_KEPT && !(away > SS_REFINE_NEAR) ? SS_PLAN_HOLDS
                                                                                                   : SS_PLAN_PARTS,
                      .violation = isfinite (violation) ? violation : INFINITY,
                      .cost = replay->value.objective};
}

bool
ss_plan_goes_before (const SsPlanRank *a, const SsPlanRank *b)
{
  if (a->grade != b->grade)
    return a->grade > b->grade;
  if (a->grade == SS_PLAN_NONE)
    return false;
  if (a->grade == SS_PLAN_MISSES && a->violation != b->violation)
    return a->violation < b->violation;
  if (a->grade == SS_PLAN_PARTS && a->loose != b->loose)
    return a->loose < b->loose;
  return a->cost < b->cost || (isfinite (a->cost) && !isfinite (b->cost));
}

int
ss_plan_loose (double away)
{
  if (!isfinite (away))
    return INT_MAX;
  return away <= SS_REFINE_NEAR ? 0 : (int)ceil (log (away / SS_REFINE_NEAR) / log (SS_PLAN_STEADIER));
}

static bool
could_happen (const SsPlanRank *rank)
{
  return rank->grade > SS_PLAN_NOT_POSSIBLE;
}

static bool
is_dear (const SsPlanRank *rank, double cheapest)
{
  const bool reaches = rank->grade == SS_PLAN_HOLDS || rank->loose <= LOOSE_REACHES;
  const double most = reaches ? SS_PLAN_DEAR : SS_PLAN_NEARLY;

  return isfinite (cheapest) && !(rank->cost - cheapest <= fmax ((most - 1) * fabs (cheapest), SS_RUN_FEASIBLE));
}

int
ss_plan_choose (const SsPlanRank *ranks, int n)
{
  double cheapest = INFINITY;
  int chosen = -1;

  for (int i = 0; i < n; i++)
    if (could_happen (&ranks[i]) && ranks[i].cost < cheapest)
      cheapest = ranks[i].cost;
  for (int i = 0; i < n; i++) {
    if (ranks[i].grade == SS_PLAN_NONE || (could_happen (&ranks[i]) && is_dear (&ranks[i], cheapest)))
      continue;
    if (chosen < 0 || ss_plan_goes_before (&ranks[i], &ranks[chosen]))
      chosen = i;
  }
  return chosen;
}

SsPlanRank
ss_plan_rank_replayed (const SsRunResult *result, double tenth)
{
  SsPlanRank rank = ss_plan_rank (result);

  if (could_happen (&rank)) {
    rank.loose = ss_plan_loose (tenth);
    rank.grade = rank.loose == 0 ? SS_PLAN_HOLDS : SS_PLAN_PARTS;
  }
  return rank;
}

SsStatus
ss_plan_note_try (const SsRunResult *result, SsTryKind kind, const char *by, SsTries *tries, SsError *err)
{
  const SsPlanRank rank = ss_plan_rank (result);

  return ss_tries_add (tries, kind,
                       could_happen (&rank)                 ? SS_TRY_HONEST
                       : rank.grade == SS_PLAN_NOT_POSSIBLE ? SS_TRY_NOT_POSSIBLE
                                                            : SS_TRY_NO_PLAN,
                       rank.cost, by, err);
}
