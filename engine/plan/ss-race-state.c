/* engine/plan/ss-race-state.c: where each member of a race is; see ss-race-private.h. */
#include "plan/ss-race-private.h"

#include "core/ss-memory.h"
#include "core/ss-work.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Looks for an answer that holds, not for a cheaper one. */
bool
ss_race_is_refined (const SsRaceEntry *entry)
{
  return (entry->member == SS_RACE_REFINED || entry->member == SS_RACE_FINE) && entry->source != NULL;
}

double
ss_race_cpu (const SsRace *race)
{
  SS_ASSERT (race != NULL);
  const long long others = race->control != NULL ? atomic_load (&race->control->cpu_others) : 0;

  return ss_clock_process_cpu () - race->cpu_start + 1e-9 * (double)others;
}

double
ss_race_cpu_given (const SsRace *race)
{
  SS_ASSERT (race != NULL);

  const SsRunControl *control = race->control;

  return control != NULL ? control->cpu_limit - (race->cpu_start - control->cpu_start) : INFINITY;
}

/* The race's own clock. Under the mutex, or in a member's thread for an estimate. */
double
ss_race_clock (const SsRace *race)
{
  SS_ASSERT (race != NULL);

  double sum = 0;

  for (int i = 0; i < race->n_entries; i++)
    sum += (double)atomic_load_explicit (&race->entries[i].work, memory_order_relaxed);
  return sum / SS_WORK_SECOND / race->options.threads;
}

/* What ended a member that gave up or was stopped; "": it ended by itself. */
static void
tell_end (const SsRaceEntry *entry, char *text, size_t size)
{
  const double work = (double)atomic_load (&entry->work) / SS_WORK_SECOND;

  text[0] = '\0';
  if (entry->has_stalled)
    snprintf (text, size, "no progress in the last %.2g of its %.2g s", work - entry->progress_work, work);
  else if (entry->is_at_limit)
    snprintf (text, size, "ended by its own limit after %.2g s", work);
  else if (entry->stopped_by == SS_RACE_STOP_ANSWER)
    snprintf (text, size, "ended %.2g s after it began, another had an honest answer", work);
  else if (entry->stopped_by == SS_RACE_STOP_LIMIT)
    snprintf (text, size, "ended by the limit of the race after %.2g s", work);
  else if (entry->stopped_by == SS_RACE_STOP_CANCEL)
    snprintf (text, size, "cancelled");
}

/* What a member that did not win has to say of itself: what ended it; what is wrong with what it has, in words of the
 * drawing where there are such; else the first part of its message. */
static void
give_reason (const SsRaceEntry *entry, SsMember *m)
{
  char end[96], what[160] = "";

  tell_end (entry, end, sizeof end);
  if (entry->is_stopped)
    snprintf (m->reason, sizeof m->reason, "stopped by hand");
  else if (!entry->has_begun)
    snprintf (m->reason, sizeof m->reason, "the race was over before its turn");
  else if (entry->status != SS_OK)
    snprintf (m->reason, sizeof m->reason, "%.200s", entry->error.message);
  else if (m->state != SS_MEMBER_SOLVED) {
    if (entry->result.reasons.n > 0)
      snprintf (what, sizeof what, "%.159s", entry->result.reasons.items[0].text);
    else if (end[0] == '\0')
      snprintf (what, sizeof what, "%.*s", (int)strcspn (entry->result.message, ";"), entry->result.message);
    else if (isfinite (m->violation))
      snprintf (what, sizeof what, "violation %.2g", m->violation);
    snprintf (m->reason, sizeof m->reason, "%s%s%s", end, end[0] != '\0' && what[0] != '\0' ? ": " : "", what);
  }
}

static SsMemberState
state_of (const SsRace *race, const SsRaceEntry *entry)
{
  if (!entry->has_begun)
    return entry->is_stopped || race->is_over || entry - race->entries < race->next ? SS_MEMBER_STOPPED
                                                                                    : SS_MEMBER_WAITING;
  if (!entry->is_done)
    return SS_MEMBER_RUNNING;
  if (entry->is_honest)
    return SS_MEMBER_SOLVED;
  if (entry->status != SS_OK)
    return SS_MEMBER_GAVE_UP;
  if (entry->result.outcome == SS_OUTCOME_NOT_REPLAYABLE)
    return SS_MEMBER_NOT_HONEST;
  return ss_outcome_is_early (entry->result.outcome) && !entry->has_stalled && !entry->is_at_limit
             ? SS_MEMBER_STOPPED /* by the race, or by hand */
             : SS_MEMBER_GAVE_UP;
}

double
ss_race_objective (const SsRaceEntry *entry)
{
  SS_ASSERT (entry != NULL);
  return ss_metric_get (&entry->result.metrics, SS_METRIC_OBJECTIVE);
}

/* Under the mutex: what can be told of an entry's honest answer; NULL: nothing. */
const SsRunResult *
ss_race_answer (const SsRaceEntry *entry)
{
  return entry->is_done && entry->is_honest ? &entry->result : entry->found;
}

/* Under the mutex, or when no member works any more. */
void
ss_race_describe_member (const SsRace *race, const SsRaceEntry *entry, SsMember *m)
{
  SS_ASSERT (entry != NULL && m != NULL);

  const SsRaceMemberSpec *spec = ss_race_member_spec (entry->member);
  const bool has_result = entry->is_done && entry->status == SS_OK && ss_run_motion (&entry->result) != NULL;

  *m = (SsMember){
      .summary = spec->summary,
      .state = state_of (race, entry),
      .began = entry->has_begun ? entry->began : NAN,
      .ended = entry->is_done ? entry->ended : NAN,
      .found = isnan (entry->found_at) && entry->is_done && entry->is_honest ? entry->ended : entry->found_at,
      .cpu = entry->cpu,
      .objective = has_result ? ss_race_objective (entry) : entry->objective,
      .violation = has_result ? ss_metric_get (&entry->result.metrics, SS_METRIC_MAX_VIOLATION) : entry->violation,
      .tenth = entry->tenth,
      .held = entry->held,
      .loose = ss_plan_loose (entry->tenth),
      .solution = entry->solution};
  snprintf (m->name, sizeof m->name, "%s", entry->name);
  snprintf (m->label, sizeof m->label, "%s", entry->label);
  if (m->state != SS_MEMBER_WAITING && m->state != SS_MEMBER_RUNNING)
    give_reason (entry, m);
}
