/* engine/plan/ss-race-course.c: the course of a race: its members, searches where none has an answer, then what
 * improves and refines answers, and rounds for what a limit of CPU time leaves; see ss-race.h. */
#include "plan/ss-race-private.h"

#include "core/ss-memory.h"
#include "core/ss-work.h"
#include "plan/ss-find-time.h"
#include "transcribe/ss-transcribe.h"

#include <math.h>
#include <stdio.h>

/* Without a limit of its own the race ends after so much counted work on each thread [s]. */
static const double A_MINUTE = 60;
/* Seeds of searches: how far from the race's own they begin, of that among the members and of those after them; how
 * many motions a search samples at a time. */
enum { SEARCH_FROM = 2, SEARCH_AGAIN = 1000000, SEARCH_SEEDS = 3 };
/* Of the time that is left, for improving: an answer that does not hold is still to be refined. */
static const double IMPROVE_PART = 0.5;
/* Of a limit of CPU time, for members once there is an honest answer: it is still to be improved. */
static const double MEMBERS_PART = 0.5;
/* Of what a limit of CPU time leaves, for refining: new motions are still to be tried. */
static const double REFINE_PART = 0.5;
/* Of a limit of CPU time, for the new motions of each round; the race is over where so many rounds in turn bring less
 * than that part of the cost. */
static const double ROUND_PART = 0.15, ROUND_GAIN = 0.01;
enum { ROUNDS_IN_VAIN = 2, SEARCHES_A_ROUND = 100 };

/* ---- what comes after the members -------------------------------------------------------------------------------- */

/* Without an honest answer sampling goes on until the end. */
static void
search_on (SsRace *race, double end)
{
  const int n_members = race->n_entries;

  if (ss_race_cheapest (race) != NULL || race->options.member != SS_RACE_ALL || ss_race_is_ended (race) ||
      !(ss_race_clock (race) < end) || !ss_race_member_fits (race->job, SS_RACE_SEARCHED))
    return;
  race->search_from = n_members;
  for (int i = 0; i < race->options.threads; i++) {
    ss_race_enter (race, SS_RACE_SEARCHED, NULL);
    race->entries[race->n_entries - 1].first_seed = SEARCH_AGAIN + SEARCH_SEEDS * i;
  }
  ss_race_run_more (race, n_members, 1, end);
}

/* First plans of members that went on from them are answers of their own. */
static void
part_steady (SsRace *race)
{
  const int n_members = race->n_entries;

  for (int i = 0; i < n_members; i++) {
    SsRaceEntry *from = &race->entries[i];

    if (from->is_done && from->beside.steady.outcome == SS_OUTCOME_SOLVED) {
      SsRaceEntry *entry = ss_race_add_entry (race, SS_RACE_STEADY);

      entry->has_begun = entry->is_done = entry->is_honest = true;
      entry->began = from->began;
      entry->ended = race->first == i ? race->first_at : from->ended;
      entry->result = from->beside.steady;
      ss_run_result_init (&from->beside.steady);
    }
  }
}

/* Whether an answer of that cost is noticeably cheaper than another. */
static bool
is_gain (double before, double now)
{
  return now < before - fmax (ROUND_GAIN * fabs (before), SS_RUN_FEASIBLE);
}

/* Replays of the answers that have none yet; whether the cheapest holds. */
static bool
replay_answers (SsRace *race)
{
  SsError error = {0};
  bool holds = true;

  if (ss_race_replay_answers (race, &holds, &error) != SS_OK) { /* the answers are there all the same */
    ss_run_control_log (race->control, SS_LOG_WARNING, "answers were not replayed: %s", error.message);
    holds = true;
  }
  return holds;
}

/* Whether an honest answer costs too much to be that of the race (plan/ss-plan-rank.h). */
static bool
is_dear (const SsRace *race, const SsRaceEntry *entry)
{
  const double least = ss_race_objective (ss_race_cheapest (race));

  return !(ss_race_objective (entry) - least <= (SS_PLAN_DEAR - 1) * fabs (least));
}

/* Whether some member that looks for cheaper answers has started from it. */
static bool
is_source (const SsRace *race, const SsRaceEntry *entry)
{
  for (int i = 0; i < race->n_entries; i++)
    if (race->entries[i].source == entry)
      return true;
  return false;
}

/* The cheapest honest answer that is worth to be improved: nobody has started from it, it costs less than twice the
 * cheapest of all and noticeably less than what it started from itself. NULL: there is none. */
static const SsRaceEntry *
find_start (const SsRace *race)
{
  const SsRaceEntry *start = NULL;

  for (int i = 0; i < race->n_entries; i++) {
    const SsRaceEntry *entry = &race->entries[i];

    if (!entry->is_honest || is_dear (race, entry) || is_source (race, entry) ||
        (entry->source != NULL && !is_gain (ss_race_objective (entry->source), ss_race_objective (entry))))
      continue;
    if (start == NULL || ss_race_objective (entry) < ss_race_objective (start))
      start = entry;
  }
  return start;
}

/* The answer of the race so far holds, and a cheaper one does not: it may become cheaper while it holds. */
static void
enter_holding (SsRace *race)
{
  const SsRaceEntry *answer = ss_race_choose (race);

  if (answer != NULL && answer != ss_race_cheapest (race) && answer->is_honest && answer->tenth <= SS_REFINE_NEAR &&
      !is_source (race, answer))
    ss_race_enter (race, SS_RACE_REFINED, answer);
}

/* From an honest answer to cheaper ones near it: first by shooting; beside it, where nothing cheap holds, sampled
 * motions that do; then CRISP from the cheaper of the two, and beside it what holds becomes cheaper. */
static void
improve_from (SsRace *race, const SsRaceEntry *source, bool is_first, double end)
{
  const bool refines = ss_refine_can (race->job), holds = refines && race->options.refine > 0;
  int n_members = race->n_entries;

  if (refines)
    ss_race_enter (race, SS_RACE_SHOT, source);
  if (holds && is_first && ss_race_member_fits (race->job, SS_RACE_FINE) && !replay_answers (race))
    ss_race_enter (race, SS_RACE_FINE, source);
  if (race->n_entries > n_members)
    ss_race_run_more (race, n_members, IMPROVE_PART, end);
  if (ss_race_is_ended (race))
    return;
  if (refines && race->entries[n_members].is_honest &&
      ss_race_objective (&race->entries[n_members]) < ss_race_objective (source))
    source = &race->entries[n_members];
  n_members = race->n_entries;
  ss_race_enter (race, SS_RACE_IMPROVED, source);
  ss_race_enter (race, SS_RACE_LOWERED, source);
  if (holds) {
    replay_answers (race);
    enter_holding (race);
  }
  ss_race_run_more (race, n_members, IMPROVE_PART, end);
}

static bool
can_improve (SsRace *race)
{
  return ss_race_cheapest (race) != NULL && race->options.improve > 0 && race->options.member == SS_RACE_ALL &&
         !ss_race_is_ended (race);
}

/* New motions, and members whose turn has not come, for a while. */
static void
explore (SsRace *race, int round, double end)
{
  const double cpu = ss_race_cpu (race), most = ss_race_cpu_most (race);
  int first = 0;

  while (first < race->n_entries && race->entries[first].has_begun)
    first++;
  race->search_from = race->n_entries;
  for (int i = 0; i < race->options.threads; i++)
    if (ss_race_enter (race, SS_RACE_SEARCHED, NULL))
      race->entries[race->n_entries - 1].first_seed =
          SEARCH_AGAIN + SEARCH_SEEDS * (race->options.threads * SEARCHES_A_ROUND * round + i);
  ss_race_run_more (race, first, fmin (1, ROUND_PART * most / fmax (most - cpu, 0)), end);
  part_steady (race);
}

/* Searches and their first plans, and what improves from an answer. */
#define ENTRIES_A_ROUND(race) (2 * (race)->options.threads + 4)

/* What a limit of CPU time leaves: rounds of new motions, each with improving from the cheapest answer that nobody has
 * started from, while they bring cheaper ones. */
static void
spend_rest (SsRace *race, double end)
{
  int in_vain = 0;

  if (!isfinite (ss_race_cpu_most (race)))
    return;
  for (int round = 1; in_vain < ROUNDS_IN_VAIN && can_improve (race) && ss_race_clock (race) < end &&
                      race->n_entries + ENTRIES_A_ROUND (race) <= SS_RACE_MAX_ENTRIES;
       round++) {
    const double before = ss_race_objective (ss_race_cheapest (race));

    explore (race, round, end);
    const SsRaceEntry *start = can_improve (race) ? find_start (race) : NULL;
    if (start != NULL)
      improve_from (race, start, false, end);
    in_vain = is_gain (before, ss_race_objective (ss_race_cheapest (race))) ? 0 : in_vain + 1;
  }
  if (!ss_outcome_is_asked (race->ended) && ss_refine_can (race->job)) /* what came last is told apart, too */
    replay_answers (race);
}

/* Whether `a` is to be refined before `b`: first of all the cheapest, then what is not too dear, then what is steady,
 * then what ends nearer. */
static bool
goes_before (const SsRace *race, const SsRaceEntry *a, const SsRaceEntry *b, bool is_first)
{
  if (is_first)
    return ss_race_objective (a) < ss_race_objective (b);
  if (is_dear (race, a) != is_dear (race, b))
    return is_dear (race, b);
  if ((a->member == SS_RACE_STEADY) != (b->member == SS_RACE_STEADY))
    return a->member == SS_RACE_STEADY;
  return a->tenth < b->tenth;
}

/* The next of the race's honest answers to be refined; NULL: all are. */
static const SsRaceEntry *
find_source (const SsRace *race, int n_members)
{
  const SsRaceEntry *source = NULL;
  const bool is_first = race->n_entries == n_members;

  for (int i = 0; i < n_members; i++) {
    const SsRaceEntry *entry = &race->entries[i];
    bool is_taken = !entry->is_honest || isnan (entry->tenth);

    for (int k = n_members; k < race->n_entries; k++)
      is_taken = is_taken || race->entries[k].source == entry;
    if (!is_taken && (source == NULL || goes_before (race, entry, source, is_first)))
      source = entry;
  }
  return source;
}

/* After that: where the cheapest honest answer does not hold in its replay, some are refined. `end`: of the whole. */
static void
refine_answers (SsRace *race, double end)
{
  const int n_members = race->n_entries;

  if (ss_race_cheapest (race) == NULL || ss_outcome_is_asked (race->ended) || !ss_refine_can (race->job))
    return;
  if (replay_answers (race) || race->options.refine == 0 || race->options.member != SS_RACE_ALL ||
      ss_race_is_ended (race))
    return;
  for (int i = 0; i < race->options.threads; i++) {
    const SsRaceEntry *source = find_source (race, n_members);

    if (source == NULL)
      break;
    ss_race_enter (race, SS_RACE_REFINED, source);
  }
  if (race->n_entries > n_members)
    ss_race_run_more (race, n_members, isfinite (ss_race_cpu_most (race)) ? REFINE_PART : 1, end);
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

bool
ss_plan_races (const SsSolveJob *job)
{
  const SsTranscriptionClass *class_ = job->transcription.class_;

  return job->nlp == &ss_nlp_auto && job->scenario->model == NULL &&
         (class_ == NULL || class_ == &ss_transcription_time_stepping);
}

/* When the race is over by its own clock, in any case: what its limit of CPU time gives to each thread; where it has a
 * time limit alone its members' own limits end it; where it has none, a minute. */
static double
horizon_of (const SsRace *race)
{
  const double given = fmin (race->budget, race->control != NULL ? race->control->cpu_limit : INFINITY);

  if (isfinite (given))
    return given / race->options.threads;
  return race->control != NULL && isfinite (race->control->deadline) ? INFINITY : A_MINUTE;
}

/* The job with the horizon and steps that its options ask for, or found ones, as those of its scenario too, for all
 * that simulates. */
typedef struct {
  SsSolveJob job;
  SsScenario scenario;
  SsPlan plan;
  char note[96];
} Timed;

static SsStatus
set_time (const SsSolveJob *job, const SsAutoOptions *options, SsRunControl *control, Timed *out, SsError *err)
{
  *out = (Timed){.job = *job, .scenario = *job->scenario, .plan = *job->scenario->task.plan};
  SsTranscribeOptions *steps = &out->job.transcription;

  if (options->time == SS_AUTO_TIME_FOUND) {
    SsFoundTime found;
    SsStatus status = ss_find_time (job->scenario, (uint64_t)options->seed, control, &found, err);

    if (status != SS_OK)
      return status;
    if (found.is_found) {
      steps->t_end = found.t_end;
      steps->dt = found.t_end / found.steps;
      snprintf (out->note, sizeof out->note, "found time: %.3g s in %d steps", found.t_end, found.steps);
    } else
      snprintf (out->note, sizeof out->note, "no time was found: that of the task");
    ss_run_control_log (control, SS_LOG_INFO, "%s", out->note);
  }
  out->scenario.task.plan = &out->plan;
  out->job.scenario = &out->scenario;
  return ss_transcribe_set_steps (steps, &out->plan, err);
}

SsStatus
ss_plan_race (const SsSolveJob *given, SsRunControl *control, SsRunResult *result, SsError *err)
{
  Timed timed;
  const SsSolveJob *job = &timed.job;
  SsRace race = {
      .job = job, .control = control, .start = ss_clock_wall (), .first_at = INFINITY, .first = -1, .best = -1};
  SsStatus status;

  if (given->options != NULL)
    race.options = *(const SsAutoOptions *)given->options;
  else
    ss_options_init (ss_nlp_auto.options, &race.options);
  status = set_time (given, &race.options, control, &timed, err);
  if (status != SS_OK)
    return status;
  race.cpu_start = ss_clock_process_cpu () + (control != NULL ? 1e-9 * (double)atomic_load (&control->cpu_others) : 0);
  race.budget = race.options.budget > 0 ? race.options.budget : INFINITY;
  race.end = horizon_of (&race);
  race.cpu_end = MEMBERS_PART * ss_race_cpu_most (&race);
  for (int member = SS_RACE_ALL + 1; member < SS_RACE_MEMBERS; member++) {
    if (member == SS_RACE_WHOLE && race.options.member == SS_RACE_ALL && ss_race_enter (&race, SS_RACE_SEARCHED, NULL))
      race.entries[race.n_entries - 1].first_seed = SEARCH_FROM;
    if ((race.options.member == SS_RACE_ALL && member < SS_RACE_STEADY) || race.options.member == member)
      ss_race_enter (&race, (SsRaceMember)member, NULL);
  }
  race.search_from = race.options.member == SS_RACE_ALL ? SS_RACE_MAX_ENTRIES : 0;
  if (race.n_entries == 0)
    return ss_error_set (err, SS_ERR_INVALID, "the member '%s' means nothing for '%s'",
                         ss_race_member_spec ((SsRaceMember)race.options.member)->name, job->scenario->name);
  pthread_mutex_init (&race.mutex, NULL);
  pthread_cond_init (&race.changed, NULL);
  pthread_cond_init (&race.told_found, NULL);
  const double end = race.end;
  ss_race_run_members (&race);
  search_on (&race, end);
  part_steady (&race);
  if (can_improve (&race))
    improve_from (&race, ss_race_cheapest (&race), true, end);
  refine_answers (&race, end);
  spend_rest (&race, end);
  if (!ss_outcome_is_asked (race.ended) && ss_race_hold_answers (&race, err) != SS_OK) {
    ss_run_control_log (control, SS_LOG_WARNING, "answers were not replayed under feedback: %s",
                        err != NULL ? err->message : "");
    if (err != NULL)
      *err = (SsError){0};
  }
  if (race.ended == SS_OUTCOME_SOLVED && ss_race_clock (&race) >= end)
    snprintf (race.ended_by, sizeof race.ended_by, "the race ended after counted work of %.3g s on each thread", end);
  status = ss_race_make_result (&race, result, err);
  if (status == SS_OK && timed.note[0] != '\0')
    ss_run_append_text (result->message, sizeof result->message, timed.note);
  for (int i = 0; i < race.n_entries; i++) {
    ss_run_result_clear (&race.entries[i].result);
    ss_run_result_clear (&race.entries[i].beside.steady);
    ss_tries_clear (&race.entries[i].beside.tries);
  }
  ss_free (race.told);
  pthread_mutex_destroy (&race.mutex);
  pthread_cond_destroy (&race.changed);
  pthread_cond_destroy (&race.told_found);
  return status;
}
