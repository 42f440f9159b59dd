/* engine/plan/ss-race-result.c: which answer of a race is the run's, and what the others leave; see
 * ss-race-private.h. */
#include "plan/ss-race-private.h"

#include "core/ss-memory.h"
#include "core/ss-work.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The answer that the options ask for; see ss_race_choose. */
static SsRaceEntry *
find_winner (SsRace *race, const SsMember *members)
{
  static const SsMemberMark marks[] = {[SS_AUTO_ANSWER_CHEAPEST] = SS_MEMBER_CHEAPEST,
                                       [SS_AUTO_ANSWER_STEADIEST] = SS_MEMBER_STEADIEST,
                                       [SS_AUTO_ANSWER_HELD] = SS_MEMBER_HELD};
  const int marked = race->options.answer != SS_AUTO_ANSWER_WEIGHED
                         ? ss_members_find (members, race->n_entries, marks[race->options.answer])
                         : -1;

  return marked >= 0 ? &race->entries[marked] : ss_race_choose (race);
}

/* What its replays were worth, with its result. */
static void
note_replays (const SsRaceEntry *entry, SsRunResult *result)
{
  if (!isnan (entry->tenth))
    ss_metric_set (&result->metrics, SS_METRIC_REPLAY_TENTH, entry->tenth);
  if (!isnan (entry->held))
    ss_metric_set (&result->metrics, SS_METRIC_REPLAY_HELD, entry->held);
}

/* Answers of the others that obey their rows stay, as runs of their own; takes their results. */
static SsStatus
keep_others (SsRace *race, const SsRaceEntry *winner, SsRunResult *result, SsError *err)
{
  SsStatus status = SS_OK;

  for (int i = 0; i < race->n_entries && status == SS_OK; i++) {
    SsRaceEntry *entry = &race->entries[i];

    if (entry == winner || ss_race_rank (entry).grade < SS_PLAN_NOT_POSSIBLE)
      continue;
    SsRunResult *solutions = ss_realloc (result->solutions, (size_t)result->n_solutions + 1, sizeof *solutions);
    if (solutions == NULL)
      return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
    result->solutions = solutions;
    SsRunResult *own = &solutions[result->n_solutions++];
    *own = entry->result;
    ss_run_result_init (&entry->result);
    note_replays (entry, own);
    snprintf (own->start, sizeof own->start, "%s", entry->label);
    SsTrajectory *motion = ss_run_take_motion (own);
    own->n_motions = 0; /* that was the only one */
    entry->solution = result->n_solutions;
    status = ss_run_add_motion (result, &motion, SS_MOTION_SOLUTION, result->n_solutions, NAN, err);
  }
  return status;
}

/* "ends 0.085 m away" */
static const char *
describe_end (double away, char text[48])
{
  if (isfinite (away))
    snprintf (text, 48, "ends %.2g m away", away);
  else
    snprintf (text, 48, "does not get to its end");
  return text;
}

/* Whether the winner holds in its replay, and what was tried where it does not. */
static void
describe_replay (const SsRace *race, const SsRaceEntry *winner, SsRunResult *result)
{
  char note[160], end[48];

  if (isnan (winner->tenth))
    return;
  note_replays (winner, result);
  snprintf (note, sizeof note, "at a tenth of its step (of %d) its replay %s", ss_run_motion (result)->n_rows - 1,
            describe_end (winner->tenth, end));
  if (!isnan (winner->held)) {
    const size_t used = strlen (note);
    snprintf (note + used, sizeof note - used, ", under feedback it %s", describe_end (winner->held, end));
  }
  ss_run_append_text (result->message, sizeof result->message, note);
  for (int i = 0; i < race->n_entries && !(winner->tenth <= SS_REFINE_NEAR); i++)
    if (race->entries[i].source == winner && race->entries[i].is_done) {
      snprintf (note, sizeof note, "%.159s", race->entries[i].beside.refined.why);
      ss_run_append_text (result->message, sizeof result->message, note);
    }
}

/* In the log, and in words in the message; `result` is the winner's. */
static void
tell_result (SsRace *race, const SsMember *members, const SsRaceEntry *winner, SsRunResult *result)
{
  char text[640], message[sizeof result->message];
  double cpu = race->cpu_worth;

  for (int i = 0; i < race->n_entries; i++)
    cpu += race->entries[i].has_begun ? race->entries[i].cpu : 0;
  ss_members_describe (members, race->n_entries, text, sizeof text);
  snprintf (message, sizeof message, "%s", result->message);
  if (winner->is_honest)
    snprintf (result->message, sizeof result->message, "%s won: %s", winner->label, text);
  else
    snprintf (result->message, sizeof result->message, "%s", text);
  if (winner->is_honest)
    describe_replay (race, winner, result);
  ss_run_append_text (result->message, sizeof result->message, race->ended_by);
  ss_run_append_text (result->message, sizeof result->message, message);
  snprintf (result->start, sizeof result->start, "%s", winner->label);
  ss_metric_set (&result->metrics, SS_METRIC_SOLVE_SECONDS, ss_clock_wall () - race->start);
  ss_metric_set (&result->metrics, SS_METRIC_SETUP_SECONDS, 0);
  ss_metric_set (&result->metrics, SS_METRIC_CPU_SECONDS, cpu);
  ss_metric_set (&result->metrics, SS_METRIC_THREADS, race->options.threads);
  ss_metric_set (&result->metrics, SS_METRIC_WORK, ss_race_clock (race) * race->options.threads);
  if (race->first >= 0)
    ss_metric_set (&result->metrics, SS_METRIC_FIRST_SECONDS, race->first_cpu);
}

static void
log_members (const SsRace *race)
{
  for (int i = 0; i < race->n_entries; i++) {
    const SsRaceEntry *entry = &race->entries[i];

    if (entry->has_begun && race->control != NULL)
      ss_run_control_log (race->control, SS_LOG_INFO, "member %s: %.2f to %.2f s, CPU %.2f s, %s, objective %.6g: %s",
                          entry->name, entry->began, entry->ended, entry->cpu,
                          entry->status == SS_OK ? ss_outcome_name (entry->result.outcome) : "error",
                          ss_race_objective (entry),
                          entry->status == SS_OK ? entry->result.message : entry->error.message);
  }
}

/* Before the results are taken from the entries; what the result keeps of each is filled in later. */
static SsStatus
describe_members (const SsRace *race, SsMember **members, SsError *err)
{
  *members = ss_new_array (SsMember, race->n_entries);
  if (*members == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  for (int i = 0; i < race->n_entries; i++)
    ss_race_describe_member (race, &race->entries[i], &(*members)[i]);
  ss_members_mark (*members, race->n_entries);
  return SS_OK;
}

/* Nobody has a motion: the time was over, or all have failed, as the first of them says. */
static void
describe_none (const SsRace *race, SsRunResult *result)
{
  const SsRaceEntry *failed = NULL;

  result->outcome = race->ended != SS_OUTCOME_SOLVED ? race->ended : SS_OUTCOME_CPU_LIMIT;
  snprintf (result->message, sizeof result->message, "ended before any member had a motion");
  for (int i = 0; i < race->n_entries; i++) {
    const SsRaceEntry *entry = &race->entries[i];
    if (!entry->is_done || entry->result.outcome != SS_OUTCOME_FAILED)
      return;
    failed = failed != NULL ? failed : entry;
  }
  if (failed == NULL || ss_outcome_is_asked (race->ended))
    return;
  result->outcome = SS_OUTCOME_FAILED;
  snprintf (result->message, sizeof result->message, "no member has a motion; %s: %.400s", failed->label,
            failed->result.message);
}

/* Of all members, into the result, which has none of its own. */
static SsStatus
take_tries (SsRace *race, SsRunResult *result, SsError *err)
{
  SsStatus status = SS_OK;

  ss_tries_clear (&result->tries);
  for (int i = 0; i < race->n_entries && status == SS_OK; i++)
    status = ss_tries_take (&result->tries, &race->entries[i].beside.tries, err);
  return status;
}

SsStatus
ss_race_make_result (SsRace *race, SsRunResult *result, SsError *err)
{
  SS_ASSERT (race != NULL);

  SsMember *members = NULL;
  SsStatus status = describe_members (race, &members, err);

  if (status != SS_OK)
    return status;
  SsRaceEntry *winner = find_winner (race, members);
  log_members (race);
  if (winner != NULL)
    members[winner - race->entries].is_best = true;
  else {
    for (int i = 0; i < race->n_entries; i++)
      if (race->entries[i].is_done && race->entries[i].status != SS_OK) {
        *err = race->entries[i].error;
        ss_free (members);
        return race->entries[i].status;
      }
    describe_none (race, result);
    ss_run_append_text (result->message, sizeof result->message, race->ended_by);
    result->members = members;
    result->n_members = race->n_entries;
    return take_tries (race, result, err);
  }
  ss_run_result_clear (result);
  *result = winner->result;
  ss_run_result_init (&winner->result);
  if (!winner->is_honest && race->ended != SS_OUTCOME_SOLVED)
    result->outcome = race->ended;
  else if (!winner->is_honest && ss_outcome_is_early (result->outcome) && (winner->has_stalled || winner->is_at_limit))
    result->outcome = SS_OUTCOME_STALLED; /* as all of them, else the race would have been ended */
  tell_result (race, members, winner, result);
  winner->solution = 0;
  status = keep_others (race, winner, result, err);
  if (status == SS_OK)
    status = take_tries (race, result, err);
  for (int i = 0; i < race->n_entries; i++)
    members[i].solution = race->entries[i].solution;
  result->members = members;
  result->n_members = race->n_entries;
  return status;
}
