/* engine/plan/ss-race-front.c: what a race's answers are worth beside their cost; see ss-race-private.h. */
#include "plan/ss-race-private.h"

#include "core/ss-relay.h"
#include "core/ss-work.h"

#include <math.h>

/* Of what limits of time and CPU time leave, for replays under feedback: the answer is still to be told. */
static const double HELD_PART = 0.5;

/* An answer that holds and costs more than the cheapest by this part of it is not looked for again. */
static const double NEARLY = 0.05;
/* Halved steps were worth it where their replay ends nearer than this part of the plan's before. */
static const double WORTH = 0.5;

/* By its own result, and by its replay at a tenth of its step, which halved steps compare with that of their source. */
SsPlanRank
ss_race_rank (const SsRaceEntry *entry)
{
  if (!entry->is_done || entry->status != SS_OK)
    return (SsPlanRank){.grade = SS_PLAN_NONE, .violation = INFINITY, .cost = INFINITY};
  SsPlanRank rank = ss_plan_rank_replayed (&entry->result, entry->tenth);

  if (rank.grade == SS_PLAN_PARTS && entry->member == SS_RACE_REFINED && entry->source != NULL &&
      !(entry->tenth < WORTH * entry->source->tenth))
    rank.grade = SS_PLAN_IN_VAIN;
  return rank;
}

SsRaceEntry *
ss_race_choose (SsRace *race)
{
  SS_ASSERT (race != NULL);

  SsPlanRank ranks[SS_RACE_MAX_ENTRIES];

  for (int i = 0; i < race->n_entries; i++)
    ranks[i] = ss_race_rank (&race->entries[i]);
  const int chosen = ss_plan_choose (ranks, race->n_entries);
  return chosen >= 0 ? &race->entries[chosen] : NULL;
}

const SsRaceEntry *
ss_race_cheapest (const SsRace *race)
{
  SS_ASSERT (race != NULL);

  const SsRaceEntry *cheapest = NULL;

  for (int i = 0; i < race->n_entries; i++) {
    const SsRaceEntry *entry = &race->entries[i];

    if (entry->is_honest && (cheapest == NULL || ss_race_objective (entry) < ss_race_objective (cheapest)))
      cheapest = entry;
  }
  return cheapest;
}

/* Whether an honest answer holds that costs nearly as little as the cheapest. */
static bool
has_cheap_that_holds (const SsRace *race)
{
  const SsRaceEntry *cheapest = ss_race_cheapest (race);
  const double least = cheapest != NULL ? ss_race_objective (cheapest) : NAN;

  for (int i = 0; i < race->n_entries; i++) {
    const SsRaceEntry *entry = &race->entries[i];

    if (entry->is_honest && entry->tenth <= SS_REFINE_NEAR &&
        ss_race_objective (entry) - least <= NEARLY * fabs (least))
      return true;
  }
  return false;
}

SsStatus
ss_race_replay_answers (SsRace *race, bool *holds, SsError *err)
{
  SS_ASSERT (race != NULL && holds != NULL);

  const double begun = ss_clock_thread_cpu ();
  SsStatus status = SS_OK;

  for (int i = 0; i < race->n_entries && status == SS_OK; i++) {
    SsRaceEntry *entry = &race->entries[i];
    SsTenth tenth;

    if (!entry->is_honest || !isnan (entry->tenth))
      continue;
    status = ss_refine_tenth (race->job->scenario, ss_run_motion (&entry->result), NULL, &tenth, err);
    if (status == SS_OK)
      entry->tenth = tenth.distance;
    else if (status == SS_ERR_INVALID) { /* a scene without controls has nothing to replay */
      *err = (SsError){0};
      status = SS_OK;
    }
  }
  *holds = has_cheap_that_holds (race);
  race->cpu_worth += ss_clock_thread_cpu () - begun;
  return status;
}

/* ---- under feedback ---------------------------------------------------------------------------------------------- */

/* The next to be held: the answer, then the front by its costs, then the others by theirs; NULL: all were tried. */
static SsRaceEntry *
next_to_hold (SsRace *race, const SsMember *members, const SsRaceEntry *answer, const bool *is_tried)
{
  SsRaceEntry *next = NULL;

  for (int i = 0; i < race->n_entries; i++) {
    SsRaceEntry *entry = &race->entries[i];
    const int k = next != NULL ? (int)(next - race->entries) : i;

    if (is_tried[i] || !entry->is_honest || isnan (entry->tenth))
      continue;
    if (entry == answer)
      return entry;
    if (next == NULL ||
        (members[i].is_on_front != members[k].is_on_front ? members[i].is_on_front
                                                          : members[i].objective < members[k].objective))
      next = entry;
  }
  return next;
}

/* Counted work, and a part of what limits leave. */
static void
limit_holding (const SsRace *race, SsSilence *silence)
{
  const double wall = ss_clock_wall (), left = fmin (race->budget, ss_race_cpu_given (race)) - ss_race_cpu (race);

  ss_silence_init (silence, race->control);
  silence->inner.work_limit = ss_work_thread () + race->options.held * SS_WORK_SECOND;
  if (isfinite (left))
    ss_run_control_limit_cpu (&silence->inner, HELD_PART * fmax (left, 0));
  if (isfinite (silence->inner.deadline))
    silence->inner.deadline = wall + HELD_PART * fmax (silence->inner.deadline - wall, 0);
}

SsStatus
ss_race_hold_answers (SsRace *race, SsError *err)
{
  SS_ASSERT (race != NULL);

  const double begun = ss_clock_thread_cpu ();
  const SsRaceEntry *answer = ss_race_choose (race);
  SsMember members[SS_RACE_MAX_ENTRIES];
  bool is_tried[SS_RACE_MAX_ENTRIES] = {false};
  SsRaceEntry *entry;
  SsSilence silence;
  SsOutcome why;
  SsStatus status = SS_OK;

  if (!(race->options.held > 0) || answer == NULL)
    return SS_OK;
  for (int i = 0; i < race->n_entries; i++)
    ss_race_describe_member (race, &race->entries[i], &members[i]);
  ss_members_mark (members, race->n_entries);
  limit_holding (race, &silence);
  while (status == SS_OK && !ss_run_control_should_stop (&silence.inner, &why) &&
         (entry = next_to_hold (race, members, answer, is_tried)) != NULL) {
    is_tried[entry - race->entries] = true;
    status = ss_refine_held (race->job->scenario, ss_run_motion (&entry->result), &silence.inner, &entry->held, err);
  }
  race->cpu_worth += ss_clock_thread_cpu () - begun;
  return status;
}
