/* engine/plan/ss-race.c: see the header. */
#include "plan/ss-race-private.h"

#include "core/ss-memory.h"
#include "core/ss-work.h"
#include "plan/ss-exact-finish.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* The race has at least this long after the first honest answer [s of its own clock]; how often the caller's thread
 * looks [s]. */
static const double IMPROVE_LEAST = 2, LOOK = 0.01;
/* Of the time that is left, for a search with other members behind it. */
static const double SEARCH_PART = 0.5;
/* How often the listener is told where the members are that work [s]. */
static const double TELL = 0.2;
/* Progress: the violation times this, the objective of what obeys its rows times that; without any for this part of its
 * work, and so much of it at least [s], a member ends. */
static const double LESS_VIOLATION = 0.5, LESS_OBJECTIVE = 0.99, STALLED_PART = 0.5, STALLED_LEAST = 3;
/* Likewise for motions that hold, where a cheaper answer is still to be refined. */
static const double FINE_PART = 0.5;
/* Of the run's limits of time and CPU time, so that members have ended and are judged before them. */
static const double IN_TIME = 0.95;
/* And of them, for ways on after a failure (plan/ss-ways-on.h) or an exact plan after success, at most. */
static const double AFTER_PART = 0.1;

/* ---- members' threads -------------------------------------------------------------------------------------------- */

/* Under the mutex; what finds no room is not told. */
static SsRaceTold *
add_told (SsRace *race, SsRaceMember member)
{
  if (race->n_told >= SS_RACE_MAX_TOLD ||
      ss_array_reserve ((void **)&race->told, &race->told_capacity, race->n_told + 1, sizeof *race->told) != 0)
    return NULL;
  race->told[race->n_told] = (SsRaceTold){.member = member};
  return &race->told[race->n_told++];
}

/* In the member's thread. */
static double
count_work (SsRaceEntry *entry)
{
  const double work = ss_work_thread () - entry->work_start;

  atomic_store_explicit (&entry->work, (long long)(work + entry->beside.work), memory_order_relaxed);
  return work;
}

/* Under the mutex, in the member's thread: it may go on until its own limit, or to the race's end where that comes
 * first. */
static void
set_work_limit (SsRace *race, SsRaceEntry *entry)
{
  count_work (entry);
  if (entry->has_stalled)
    return;
  const double left = floor (fmax (0, race->end - ss_race_clock (race)) * SS_WORK_SECOND);

  entry->control.work_limit = fmin (entry->work_end, ss_work_thread () + left);
}

/* Not what solves several plans, nor what starts from an answer, whose rows it first has to break to find a cheaper
 * one: those have their limits alone. */
static bool
can_stall (const SsRaceEntry *entry)
{
  return entry->source == NULL && entry->member != SS_RACE_SEARCHED;
}

/* Notes progress at an iterate; false: there has been none for long. */
static bool
makes_progress (SsRaceEntry *entry, double violation, double objective)
{
  const double work = count_work (entry) / SS_WORK_SECOND;
  const bool is_less =
                 violation < LESS_VIOLATION * entry->least_violation && !(entry->least_violation < SS_RUN_FEASIBLE),
             is_cheaper = violation < SS_RUN_FEASIBLE &&
                          objective < entry->least_objective - (1 - LESS_OBJECTIVE) * fabs (entry->least_objective);

  if (is_less)
    entry->least_violation = violation;
  if (is_cheaper || (violation < SS_RUN_FEASIBLE && isinf (entry->least_objective)))
    entry->least_objective = objective;
  if (is_less || is_cheaper)
    entry->progress_work = work;
  return !(work - entry->progress_work > fmax (STALLED_LEAST, STALLED_PART * work));
}

static void
hear_member (void *user_data, const SsProgress *progress)
{
  SsRaceEntry *entry = user_data;
  SsRace *race = entry->race;

  if (progress->kind == SS_PROGRESS_ITERATION && can_stall (entry) &&
      !makes_progress (entry, ss_progress_column (progress, "violation"), ss_progress_column (progress, "objective"))) {
    entry->has_stalled = true;
    entry->control.work_limit = -INFINITY;
  }
  if (progress->kind == SS_PROGRESS_ITERATION && !entry->has_stalled) {
    pthread_mutex_lock (&race->mutex);
    set_work_limit (race, entry); /* another member may have brought the end nearer */
    pthread_mutex_unlock (&race->mutex);
  }
  if (race->control == NULL || race->control->progress == NULL ||
      (progress->kind != SS_PROGRESS_ITERATION && progress->kind != SS_PROGRESS_LOG))
    return;
  pthread_mutex_lock (&race->mutex);
  if (progress->kind == SS_PROGRESS_ITERATION) {
    entry->objective = ss_progress_column (progress, "objective");
    entry->violation = ss_progress_column (progress, "violation");
  }
  SsRaceTold *told = add_told (race, entry->member);
  if (told != NULL && progress->kind == SS_PROGRESS_ITERATION) {
    told->n_columns = progress->n_columns < SS_RACE_MAX_COLUMNS ? progress->n_columns : SS_RACE_MAX_COLUMNS;
    memcpy (told->columns, progress->columns, (size_t)told->n_columns * sizeof *told->columns);
    told->columns[told->n_columns++] = (SsColumn){"member", 1. + (double)(entry - race->entries)};
  } else if (told != NULL) {
    told->level = progress->level;
    snprintf (told->text, sizeof told->text, "%s: %s", entry->name, progress->text);
  }
  pthread_mutex_unlock (&race->mutex);
}

/* Under the mutex: there is an honest answer. */
static void
note_first (SsRace *race, SsRaceEntry *entry)
{
  if (race->first >= 0)
    return;
  race->first = (int)(entry - race->entries);
  race->first_at = ss_clock_wall () - race->start;
  race->first_cpu = ss_race_cpu (race);
  const double now = ss_race_clock (race);
  race->end = fmin (race->end, now + fmax (IMPROVE_LEAST, race->options.improve * now));
}

/* A member has an answer, which it goes on to improve once it was told: from then on it is not lost when the run is
 * ended before the member. */
static void
hear_found (void *user_data, const SsRunResult *answer)
{
  SsRaceEntry *entry = user_data;
  SsRace *race = entry->race;
  const bool is_heard = race->control != NULL && race->control->progress != NULL && !race->is_alone;

  pthread_mutex_lock (&race->mutex);
  count_work (entry);
  note_first (race, entry);
  set_work_limit (race, entry);
  if (isnan (entry->found_at))
    entry->found_at = ss_clock_wall () - race->start;
  entry->found = is_heard ? answer : NULL;
  pthread_cond_signal (&race->changed);
  while (entry->found != NULL)
    pthread_cond_wait (&race->told_found, &race->mutex);
  pthread_mutex_unlock (&race->mutex);
}

static void
run_entry (SsRace *race, SsRaceEntry *entry)
{
  const SsLazyWay way = {.found = hear_found, .user_data = entry};
  SsAutoOptions options = race->options;
  SsSolveJob job = *race->job;

  options.seed += entry->first_seed;

  if (entry->source != NULL)
    job.start = ss_run_motion (&entry->source->result);
  job.keeps_feasible = true;
  entry->cpu_start = ss_clock_thread_cpu ();
  pthread_mutex_lock (&race->mutex);
  entry->work_start = ss_work_thread ();
  const double left = fmax (race->end - ss_race_clock (race), 0);
  const double limit = entry->member == SS_RACE_FINE
                           ? fmin (FINE_PART * left, ss_race_member_spec (entry->member)->limit)
                       : entry->member != SS_RACE_SEARCHED ? ss_race_member_spec (entry->member)->limit
                       : race->search_from <= entry - race->entries
                           ? left
                           : fmin (SEARCH_PART * left, ss_race_member_spec (entry->member)->limit);
  entry->work_end = entry->work_start + floor (limit * SS_WORK_SECOND);
  set_work_limit (race, entry);
  pthread_mutex_unlock (&race->mutex);
  entry->status = ss_race_member_run (&job, entry->member, &options, &way, &entry->beside, &entry->control,
                                      &entry->result, &entry->error);
}

/* Under the mutex, in the thread that ran it. */
static void
note_end (SsRace *race, SsRaceEntry *entry)
{
  SsOutcome why;

  count_work (entry);
  entry->is_done = true;
  entry->is_at_limit = !entry->has_stalled && ss_work_thread () > entry->work_end;
  if (!entry->has_stalled && !entry->is_at_limit && ss_run_control_should_stop (&entry->control, &why))
    entry->stopped_by = ss_outcome_is_asked (why)                                   ? SS_RACE_STOP_CANCEL
                        : race->is_told || entry->source != NULL || race->first < 0 ? SS_RACE_STOP_LIMIT
                                                                                    : SS_RACE_STOP_ANSWER;
  entry->ended = ss_clock_wall () - race->start;
  entry->cpu = ss_clock_thread_cpu () - entry->cpu_start + entry->beside.cpu;
  entry->is_honest = entry->status == SS_OK && entry->result.outcome == SS_OUTCOME_SOLVED;
  if (ss_race_is_refined (entry)) { /* one that no halving changed is the other's again */
    entry->tenth = ss_metric_get (&entry->result.metrics, SS_METRIC_REPLAY_TENTH);
    entry->is_honest = entry->is_honest && (entry->member == SS_RACE_FINE ||
                                            ss_metric_get (&entry->result.metrics, SS_METRIC_HALVINGS) > 0 ||
                                            ss_race_objective (entry) < ss_race_objective (entry->source));
    const double now = ss_race_clock (race), own = (double)atomic_load (&entry->work) / SS_WORK_SECOND;
    if (entry->is_honest && entry->tenth <= SS_REFINE_NEAR && entry->member == SS_RACE_REFINED)
      race->end = fmin (race->end, now + fmax (IMPROVE_LEAST, own));
  } else if (entry->is_honest &&
             !ss_run_control_should_stop (&entry->control, &why)) /* what it held counts at the end */
    note_first (race, entry);
}

static void *
work (void *data)
{
  SsRace *race = data;

  pthread_mutex_lock (&race->mutex);
  while (!race->is_over && race->next < race->n_entries && ss_race_clock (race) < race->end) {
    SsRaceEntry *entry = &race->entries[race->next++];

    if (entry->is_stopped || entry->has_begun)
      continue;
    entry->has_begun = true;
    entry->began = ss_clock_wall () - race->start;
    pthread_mutex_unlock (&race->mutex);
    run_entry (race, entry);
    pthread_mutex_lock (&race->mutex);
    note_end (race, entry);
  }
  race->n_working--;
  pthread_cond_signal (&race->changed);
  pthread_mutex_unlock (&race->mutex);
  return NULL;
}

/* ---- the caller's thread ----------------------------------------------------------------------------------------- */

/* Tells what members have said. */
static void
tell (SsRace *race)
{
  pthread_mutex_lock (&race->mutex);
  SsRaceTold *told = race->told;
  const int n = race->n_told;
  race->told = NULL;
  race->n_told = race->told_capacity = 0;
  pthread_mutex_unlock (&race->mutex);
  for (int i = 0; i < n; i++)
    if (told[i].n_columns > 0)
      ss_run_control_emit_iteration (race->control, race->iterations++, told[i].columns, told[i].n_columns);
    else
      ss_run_control_log (race->control, told[i].level, "%s", told[i].text);
  ss_free (told);
}

/* Members whose first answers were told go on. */
static void
release_found (SsRace *race, const SsRunResult *const *told)
{
  pthread_mutex_lock (&race->mutex);
  for (int i = 0; i < race->n_entries; i++)
    if (race->entries[i].found == told[i])
      race->entries[i].found = NULL;
  pthread_cond_broadcast (&race->told_found);
  pthread_mutex_unlock (&race->mutex);
}

/* Tells where the members are, when that has changed or while they work for long; `is_last`: in any case. */
static void
tell_members (SsRace *race, bool is_last)
{
  SsMember members[SS_RACE_MAX_ENTRIES];
  bool is_news = is_last || race->n_seen == 0 || ss_clock_wall () - race->told_at >= TELL;
  const SsRunResult *news = NULL; /* an answer better than what was told */
  const SsRunResult *found[SS_RACE_MAX_ENTRIES];

  if (race->control == NULL || race->control->progress == NULL)
    return;
  pthread_mutex_lock (&race->mutex);
  for (int i = 0; i < race->n_entries; i++) {
    const SsRunResult *answer = ss_race_answer (&race->entries[i]);

    ss_race_describe_member (race, &race->entries[i], &members[i]);
    found[i] = race->entries[i].found;
    is_news = is_news || members[i].state != race->seen[i].state || found[i] != NULL;
    if (answer == NULL)
      continue;
    const double objective = ss_metric_get (&answer->metrics, SS_METRIC_OBJECTIVE);
    if (race->best < 0 || objective < race->best_objective) {
      race->best = i;
      race->best_objective = objective;
      news = answer;
    }
  }
  pthread_mutex_unlock (&race->mutex);
  if (!is_news)
    return;
  if (race->best >= 0)
    members[race->best].is_best = true;
  memcpy (race->seen, members, (size_t)race->n_entries * sizeof *members);
  race->n_seen = race->n_entries;
  race->told_at = ss_clock_wall ();
  /* a member that has ended is left alone by its thread, one that has found waits */
  ss_run_control_emit_members (race->control, members, race->n_entries, news);
  release_found (race, found);
}

/* Under the mutex: members that the listener has ended. */
static void
stop_single_members (SsRace *race)
{
  const unsigned bits = race->control != NULL ? atomic_load (&race->control->stop_members) : 0;

  for (int i = 0; i < race->n_entries; i++)
    if (i < 32 && (bits >> i & 1u) != 0 && !race->entries[i].is_done && !race->entries[i].is_stopped) {
      race->entries[i].is_stopped = true;
      if (race->entries[i].has_begun) /* what it holds counts */
        ss_run_control_stop (&race->entries[i].control, SS_OUTCOME_CPU_LIMIT);
    }
}

/* Under the mutex. After a cancel nobody waits for what they hold; else it counts. */
static void
stop_members (SsRace *race, SsOutcome why)
{
  race->is_over = true;
  for (int i = 0; i < race->n_entries; i++)
    if (race->entries[i].has_begun && !race->entries[i].is_done)
      ss_run_control_stop (&race->entries[i].control, why);
}

/* Of a limit, what the race may take [s]. */
static double
part_of (const SsRace *race, double limit)
{
  const double exact = race->options.finish == SS_AUTO_FINISH_EXACT ? SS_EXACT_SECONDS : 0;

  return !isfinite (limit) ? INFINITY : IN_TIME * limit - fmin (fmax (race->job->ways_on, exact), AFTER_PART * limit);
}

double
ss_race_cpu_most (const SsRace *race)
{
  return part_of (race, fmin (race->budget, ss_race_cpu_given (race)));
}

bool
ss_race_is_ended (SsRace *race)
{
  const SsRunControl *control = race->control;
  const double wall = control != NULL ? control->deadline - race->start : INFINITY, given = ss_race_cpu_given (race),
               cpu = fmin (race->budget, given);

  if (race->ended != SS_OUTCOME_SOLVED)
    return true;
  if (ss_run_control_should_stop (race->control, &race->ended) && ss_outcome_is_asked (race->ended))
    return true;
  if (isfinite (wall) && ss_clock_wall () - race->start >= part_of (race, wall)) {
    race->ended = SS_OUTCOME_TIME_LIMIT;
    snprintf (race->ended_by, sizeof race->ended_by, "the time limit of %.2g s (wall time) ended the race", wall);
  } else if (isfinite (cpu) && ss_race_cpu (race) >= ss_race_cpu_most (race)) {
    race->ended = SS_OUTCOME_CPU_LIMIT;
    snprintf (race->ended_by, sizeof race->ended_by, "%s of %.3g s of CPU time ended the race",
              race->budget < given ? "the budget" : "the limit",
              race->budget < given ? race->budget : control->cpu_limit);
  }
  return race->ended != SS_OUTCOME_SOLVED;
}

/* Waits a moment for a change. */
static void
wait_a_moment (SsRace *race)
{
  struct timespec until;

  clock_gettime (CLOCK_REALTIME, &until);
  until.tv_nsec += (long)(LOOK * 1e9);
  if (until.tv_nsec >= 1000000000L) {
    until.tv_nsec -= 1000000000L;
    until.tv_sec++;
  }
  pthread_cond_timedwait (&race->changed, &race->mutex, &until);
}

/* The members wait while the race does. */
static void
pause_members (SsRace *race)
{
  const int pause = race->control != NULL ? atomic_load (&race->control->pause) : 0;

  pthread_mutex_lock (&race->mutex);
  for (int i = 0; i < race->n_entries; i++)
    if (race->entries[i].has_begun && !race->entries[i].is_done)
      atomic_store (&race->entries[i].control.pause, pause);
  pthread_mutex_unlock (&race->mutex);
}

static void
watch (SsRace *race)
{
  bool is_working = true;

  while (is_working) {
    pause_members (race);
    const bool is_told_to_stop = ss_race_is_ended (race); /* waits while paused */

    pthread_mutex_lock (&race->mutex);
    race->is_told = is_told_to_stop;
    if (is_told_to_stop)
      stop_members (race, race->ended);
    else if ((race->options.threads > 1 &&
              ss_race_clock (race) >= race->end) || /* one thread stops by itself, in time */
             (race->first >= 0 && ss_race_cpu (race) >= race->cpu_end))
      stop_members (race, SS_OUTCOME_CPU_LIMIT);
    stop_single_members (race);
    if (race->n_working > 0)
      wait_a_moment (race);
    is_working = race->n_working > 0;
    pthread_mutex_unlock (&race->mutex);
    tell (race);
    tell_members (race, false);
  }
}

void
ss_race_run_members (SsRace *race)
{
  const int n_left = race->n_entries - race->next, n = race->options.threads < n_left ? race->options.threads : n_left;
  pthread_t threads[SS_RACE_MAX_THREADS];
  bool is_started[SS_RACE_MAX_THREADS] = {false};

  race->n_working = n;
  for (int i = 0; i < n; i++) {
    is_started[i] = pthread_create (&threads[i], NULL, work, race) == 0;
    if (!is_started[i]) {
      pthread_mutex_lock (&race->mutex);
      race->n_working--;
      pthread_mutex_unlock (&race->mutex);
    }
  }
  if (!is_started[0]) { /* no threads at all: one after the other, here */
    pthread_mutex_lock (&race->mutex);
    race->n_working++;
    race->is_alone = true;
    pthread_mutex_unlock (&race->mutex);
    work (race);
  }
  watch (race);
  for (int i = 0; i < n; i++)
    if (is_started[i])
      pthread_join (threads[i], NULL);
}

/* ---- entries ---------------------------------------------------------------------------------------------------- */

SsRaceEntry *
ss_race_add_entry (SsRace *race, SsRaceMember member)
{
  const SsRaceMemberSpec *spec = ss_race_member_spec (member);
  int number = 1;

  for (int i = 0; i < race->n_entries; i++)
    number += race->entries[i].member == member;
  SsRaceEntry *entry = &race->entries[race->n_entries++];
  *entry = (SsRaceEntry){.race = race,
                         .member = member,
                         .least_violation = INFINITY,
                         .least_objective = INFINITY,
                         .objective = NAN,
                         .violation = NAN,
                         .solution = -1,
                         .work_end = INFINITY,
                         .tenth = NAN,
                         .held = NAN,
                         .found_at = NAN};
  atomic_init (&entry->work, 0);
  if (number > 1) {
    snprintf (entry->name, sizeof entry->name, "%.11s-%d", spec->name, number);
    snprintf (entry->label, sizeof entry->label, "%.35s %d", spec->label, number);
  } else {
    snprintf (entry->name, sizeof entry->name, "%s", spec->name);
    snprintf (entry->label, sizeof entry->label, "%s", spec->label);
  }
  ss_run_result_init (&entry->result);
  ss_run_result_init (&entry->beside.steady);
  return entry;
}

bool
ss_race_enter (SsRace *race, SsRaceMember member, const SsRaceEntry *source)
{
  if (source == NULL && !ss_race_member_fits (race->job, member))
    return false;
  SsRaceEntry *entry = ss_race_add_entry (race, member);
  entry->source = source;
  ss_run_control_init (&entry->control);
  entry->control.progress = hear_member;
  entry->control.user_data = entry;
  return true;
}

void
ss_race_run_more (SsRace *race, int first, double part, double end)
{
  const double now = ss_race_clock (race), cpu = ss_race_cpu (race);

  race->next = first;
  race->is_over = false;
  race->end = now + part * fmax (end - now, 0);
  race->cpu_end = cpu + part * fmax (ss_race_cpu_most (race) - cpu, 0);
  ss_race_run_members (race);
}
