/* engine/plan/ss-race.c: see the header. */
#include "plan/ss-race.h"

#include "core/ss-memory.h"
#include "core/ss-work.h"
#include "plan/ss-plan-rank.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { MAX_THREADS = 16, MAX_COLUMNS = 16, MAX_TOLD = 4096 };
/* Members, their first plans, refined ones. */
enum { MAX_ENTRIES = 2 * SS_RACE_MEMBERS + MAX_THREADS };

/* The race has at least this long after the first honest answer [s of its own clock]; how often the caller's thread
 * looks [s]. */
static const double IMPROVE_LEAST = 2, LOOK = 0.01;
/* Without a limit of its own the race ends after so much counted work on each thread [s]. */
static const double A_MINUTE = 60;
/* How often the listener is told where the members are that work [s]. */
static const double TELL = 0.2;
/* Progress: the violation times this, the objective of what obeys its rows times that; without any for this part of its
 * work, and so much of it at least [s], a member ends. */
static const double LESS_VIOLATION = 0.5, LESS_OBJECTIVE = 0.99, STALLED_PART = 0.5, STALLED_LEAST = 1.5;
/* Halved steps were worth it where their replay ends nearer than this part of the plan's before. */
static const double WORTH = 0.5;
/* Of the time that is left, for improving: an answer that does not hold is still to be refined. */
static const double IMPROVE_PART = 0.5;
/* Of the run's limits of time and CPU time, so that members have ended and are judged before them. */
static const double IN_TIME = 0.95;

typedef struct Race Race;

/* A member and what came of it. */
typedef struct Entry Entry;
struct Entry {
  Race *race;
  SsRaceMember member;
  char name[24], label[48]; /* as in SsMember */
  SsRunControl control;
  double cpu_start, work_start;                           /* clocks of its thread */
  atomic_llong work;                                      /* counted so far, its processes' included (core/ss-work.h) */
  double work_end;                                        /* of its own limit, a value of its thread's count          */
  double progress_work, least_violation, least_objective; /* at its last progress: its work, and what was reached */
  bool has_stalled, is_at_limit;
  const Entry *source; /* of REFINED, IMPROVED, LOWERED: whose answer; of FINE: the one that does not hold */
  bool has_begun, is_done, is_honest, is_stopped;
  double objective, violation; /* of its newest iterate; NaN */
  int solution;                /* see SsMember */
  double began, ended, cpu;    /* wall since the start, CPU [s] */
  double tenth;                /* of an honest answer: end of its replay from it [m]; NaN: not known */
  /* its first honest answer, from which it goes on: wall since the start; NaN: none; the answer, until it was told */
  double found_at;
  const SsRunResult *found;
  SsRaceBeside beside;
  SsStatus status;
  SsError error;
  SsRunResult result;
};

/* What a member said, until the caller's thread tells it. */
typedef struct {
  SsRaceMember member;
  int n_columns; /* 0: a line of text */
  SsColumn columns[MAX_COLUMNS + 1];
  SsLogLevel level;
  char text[320];
} Told;

struct Race {
  const SsSolveJob *job;
  SsAutoOptions options;
  SsRunControl *control;
  Entry entries[MAX_ENTRIES];
  int n_entries;
  double start;

  pthread_mutex_t mutex; /* all below */
  pthread_cond_t changed, told_found;
  int next, n_working;
  /* By the race's own clock, which is counted work: that of all members, over the threads [s]. It is the same at any
   * load, and with one thread so is all that is decided by it. */
  double end;
  double first_at; /* wall time of the first honest answer since the start [s]; infinite: none yet */
  int first;       /* its entry, -1 */
  bool is_over;
  /* what ended the race from outside, SOLVED: nothing; by which limit, in words, "": it ended by itself */
  SsOutcome ended;
  char ended_by[160];
  double budget; /* CPU time [s], from cpu_start on; infinite: none */
  double cpu_start;
  bool is_alone; /* members run in the caller's thread */
  Told *told;
  int n_told, told_capacity, iterations;

  /* of the caller's thread */
  SsMember seen[MAX_ENTRIES]; /* told last */
  int n_seen, best;           /* entry of the best answer that was told, -1 */
  double best_objective;      /* of that answer */
  double told_at;
};

/* ---- members' threads -------------------------------------------------------------------------------------------- */

/* Under the mutex; what finds no room is not told. */
static Told *
add_told (Race *race, SsRaceMember member)
{
  if (race->n_told >= MAX_TOLD ||
      ss_array_reserve ((void **)&race->told, &race->told_capacity, race->n_told + 1, sizeof *race->told) != 0)
    return NULL;
  race->told[race->n_told] = (Told){.member = member};
  return &race->told[race->n_told++];
}

/* Looks for an answer that holds, not for a cheaper one. */
static bool
is_refined (const Entry *entry)
{
  return (entry->member == SS_RACE_REFINED || entry->member == SS_RACE_FINE) && entry->source != NULL;
}

/* The race's own clock. Under the mutex, or in a member's thread for an estimate. */
static double
race_clock (const Race *race)
{
  double sum = 0;

  for (int i = 0; i < race->n_entries; i++)
    sum += (double)atomic_load_explicit (&race->entries[i].work, memory_order_relaxed);
  return sum / SS_WORK_SECOND / race->options.threads;
}

/* In the member's thread. */
static double
count_work (Entry *entry)
{
  const double work = ss_work_thread () - entry->work_start;

  atomic_store_explicit (&entry->work, (long long)(work + entry->beside.work), memory_order_relaxed);
  return work;
}

/* Under the mutex, in the member's thread: it may go on until its own limit, or to the race's end where that comes
 * first. */
static void
set_work_limit (Race *race, Entry *entry)
{
  count_work (entry);
  if (entry->has_stalled)
    return;
  const double left = floor (fmax (0, race->end - race_clock (race)) * SS_WORK_SECOND);

  entry->control.work_limit = fmin (entry->work_end, ss_work_thread () + left);
}

/* Not what solves several plans, nor what starts from an answer, whose rows it first has to break to find a cheaper
 * one: those have their limits alone. */
static bool
can_stall (const Entry *entry)
{
  return entry->source == NULL;
}

/* Notes progress at an iterate; false: there has been none for long. */
static bool
makes_progress (Entry *entry, double violation, double objective)
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
  Entry *entry = user_data;
  Race *race = entry->race;

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
  Told *told = add_told (race, entry->member);
  if (told != NULL && progress->kind == SS_PROGRESS_ITERATION) {
    told->n_columns = progress->n_columns < MAX_COLUMNS ? progress->n_columns : MAX_COLUMNS;
    memcpy (told->columns, progress->columns, (size_t)told->n_columns * sizeof *told->columns);
    told->columns[told->n_columns++] = (SsColumn){"member", entry->member};
  } else if (told != NULL) {
    told->level = progress->level;
    snprintf (told->text, sizeof told->text, "%s: %s", entry->name, progress->text);
  }
  pthread_mutex_unlock (&race->mutex);
}

/* Under the mutex: there is an honest answer. */
static void
note_first (Race *race, Entry *entry)
{
  if (race->first >= 0)
    return;
  race->first = (int)(entry - race->entries);
  race->first_at = ss_clock_wall () - race->start;
  const double now = race_clock (race);
  race->end = fmin (race->end, now + fmax (IMPROVE_LEAST, race->options.improve * now));
}

/* A member has an answer, which it goes on to improve once it was told: from then on it is not lost when the run is
 * ended before the member. */
static void
hear_found (void *user_data, const SsRunResult *answer)
{
  Entry *entry = user_data;
  Race *race = entry->race;
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
run_entry (Race *race, Entry *entry)
{
  const SsLazyWay way = {.found = hear_found, .user_data = entry};
  SsSolveJob job = *race->job;

  if (entry->source != NULL)
    job.start = ss_run_motion (&entry->source->result);
  job.keeps_feasible = true;
  entry->cpu_start = ss_clock_thread_cpu ();
  pthread_mutex_lock (&race->mutex);
  entry->work_start = ss_work_thread ();
  entry->work_end = entry->work_start + ss_race_member_spec (entry->member)->limit * SS_WORK_SECOND;
  set_work_limit (race, entry);
  pthread_mutex_unlock (&race->mutex);
  entry->status = ss_race_member_run (&job, entry->member, &race->options, &way, &entry->beside, &entry->control,
                                      &entry->result, &entry->error);
}

/* Under the mutex, in the thread that ran it. */
static void
note_end (Race *race, Entry *entry)
{
  SsOutcome why;

  count_work (entry);
  entry->is_done = true;
  entry->is_at_limit = !entry->has_stalled && ss_work_thread () > entry->work_end;
  entry->ended = ss_clock_wall () - race->start;
  entry->cpu = ss_clock_thread_cpu () - entry->cpu_start + entry->beside.cpu;
  entry->is_honest = entry->status == SS_OK && entry->result.outcome == SS_OUTCOME_SOLVED;
  if (is_refined (entry)) { /* one that no halving changed is the other's again */
    entry->tenth = ss_metric_get (&entry->result.metrics, SS_METRIC_REPLAY_TENTH);
    entry->is_honest = entry->is_honest && ss_metric_get (&entry->result.metrics, SS_METRIC_HALVINGS) > 0;
    const double now = race_clock (race), own = (double)atomic_load (&entry->work) / SS_WORK_SECOND;
    if (entry->is_honest && entry->tenth <= SS_REFINE_NEAR)
      race->end = fmin (race->end, now + fmax (IMPROVE_LEAST, own));
  } else if (entry->is_honest &&
             !ss_run_control_should_stop (&entry->control, &why)) /* what it held counts at the end */
    note_first (race, entry);
}

static void *
work (void *data)
{
  Race *race = data;

  pthread_mutex_lock (&race->mutex);
  while (!race->is_over && race->next < race->n_entries && race_clock (race) < race->end) {
    Entry *entry = &race->entries[race->next++];

    if (entry->is_stopped)
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
tell (Race *race)
{
  pthread_mutex_lock (&race->mutex);
  Told *told = race->told;
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

/* What a member that did not win has to say of itself: in words of the drawing where there are such, else the first
 * part of its message. */
static void
give_reason (const Entry *entry, SsMember *m)
{
  if (entry->is_stopped)
    snprintf (m->reason, sizeof m->reason, "stopped by hand");
  else if (!entry->has_begun)
    snprintf (m->reason, sizeof m->reason, "the race was over before its turn");
  else if (entry->status != SS_OK)
    snprintf (m->reason, sizeof m->reason, "%.200s", entry->error.message);
  else if (m->state == SS_MEMBER_STOPPED && m->violation < SS_RUN_FEASIBLE)
    snprintf (m->reason, sizeof m->reason, "had not ended when the race was over");
  else if (m->state == SS_MEMBER_STOPPED)
    snprintf (m->reason, sizeof m->reason, "fell behind: violation %.2g when the race ended", m->violation);
  else if (m->state != SS_MEMBER_SOLVED && entry->result.reasons.n > 0)
    snprintf (m->reason, sizeof m->reason, "%s", entry->result.reasons.items[0].text);
  else if (m->state == SS_MEMBER_GAVE_UP && entry->has_stalled)
    snprintf (m->reason, sizeof m->reason, "came no further in %.2g s: violation %.2g",
              (double)atomic_load (&entry->work) / SS_WORK_SECOND - entry->progress_work, m->violation);
  else if (m->state == SS_MEMBER_GAVE_UP && entry->is_at_limit)
    snprintf (m->reason, sizeof m->reason, "no answer within its %g s: violation %.2g",
              ss_race_member_spec (entry->member)->limit, m->violation);
  else if (m->state != SS_MEMBER_SOLVED)
    snprintf (m->reason, sizeof m->reason, "%.*s", (int)strcspn (entry->result.message, ";"), entry->result.message);
}

static SsMemberState
state_of (const Race *race, const Entry *entry)
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

static double
objective_of (const Entry *entry)
{
  return ss_metric_get (&entry->result.metrics, SS_METRIC_OBJECTIVE);
}

/* Under the mutex: what can be told of an entry's honest answer; NULL: nothing. */
static const SsRunResult *
answer_of (const Entry *entry)
{
  return entry->is_done && entry->is_honest ? &entry->result : entry->found;
}

/* Under the mutex, or when no member works any more. */
static void
describe_member (const Race *race, const Entry *entry, SsMember *m)
{
  const SsRaceMemberSpec *spec = ss_race_member_spec (entry->member);
  const bool has_result = entry->is_done && entry->status == SS_OK && ss_run_motion (&entry->result) != NULL;

  *m = (SsMember){
      .summary = spec->summary,
      .state = state_of (race, entry),
      .began = entry->has_begun ? entry->began : NAN,
      .ended = entry->is_done ? entry->ended : NAN,
      .found = isnan (entry->found_at) && entry->is_done && entry->is_honest ? entry->ended : entry->found_at,
      .cpu = entry->cpu,
      .objective = has_result ? objective_of (entry) : entry->objective,
      .violation = has_result ? ss_metric_get (&entry->result.metrics, SS_METRIC_MAX_VIOLATION) : entry->violation,
      .tenth = entry->tenth,
      .solution = entry->solution};
  snprintf (m->name, sizeof m->name, "%s", entry->name);
  snprintf (m->label, sizeof m->label, "%s", entry->label);
  if (m->state != SS_MEMBER_WAITING && m->state != SS_MEMBER_RUNNING)
    give_reason (entry, m);
}

/* Members whose first answers were told go on. */
static void
release_found (Race *race, const SsRunResult *const *told)
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
tell_members (Race *race, bool is_last)
{
  SsMember members[MAX_ENTRIES];
  bool is_news = is_last || race->n_seen == 0 || ss_clock_wall () - race->told_at >= TELL;
  const SsRunResult *news = NULL; /* an answer better than what was told */
  const SsRunResult *found[MAX_ENTRIES];

  if (race->control == NULL || race->control->progress == NULL)
    return;
  pthread_mutex_lock (&race->mutex);
  for (int i = 0; i < race->n_entries; i++) {
    const SsRunResult *answer = answer_of (&race->entries[i]);

    describe_member (race, &race->entries[i], &members[i]);
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
stop_single_members (Race *race)
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
stop_members (Race *race, SsOutcome why)
{
  race->is_over = true;
  for (int i = 0; i < race->n_entries; i++)
    if (race->entries[i].has_begun && !race->entries[i].is_done)
      ss_run_control_stop (&race->entries[i].control, why);
}

/* CPU time that the race has taken, all its threads and processes [s]. */
static double
cpu_of (const Race *race)
{
  const long long others = race->control != NULL ? atomic_load (&race->control->cpu_others) : 0;

  return ss_clock_process_cpu () - race->cpu_start + 1e-9 * (double)others;
}

/* Whether the run was told to end, or its limits are nearly reached; notes which one, in words. */
static bool
is_ended (Race *race)
{
  const SsRunControl *control = race->control;
  const double wall = control != NULL ? control->deadline - race->start : INFINITY,
               given = control != NULL ? control->cpu_limit - (race->cpu_start - control->cpu_start) : INFINITY,
               cpu = fmin (race->budget, given);

  if (race->ended != SS_OUTCOME_SOLVED)
    return true;
  if (ss_run_control_should_stop (race->control, &race->ended) && race->ended == SS_OUTCOME_CANCELLED)
    return true;
  if (isfinite (wall) && ss_clock_wall () - race->start >= IN_TIME * wall) {
    race->ended = SS_OUTCOME_TIME_LIMIT;
    snprintf (race->ended_by, sizeof race->ended_by, "the time limit of %.2g s (wall time) ended the race", wall);
  } else if (isfinite (cpu) && cpu_of (race) >= IN_TIME * cpu) {
    race->ended = SS_OUTCOME_CPU_LIMIT;
    snprintf (race->ended_by, sizeof race->ended_by, "%s of %.3g s of CPU time ended the race",
              race->budget < given ? "the budget" : "the limit",
              race->budget < given ? race->budget : control->cpu_limit);
  }
  return race->ended != SS_OUTCOME_SOLVED;
}

/* Waits a moment for a change. */
static void
wait_a_moment (Race *race)
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

static void
watch (Race *race)
{
  bool is_working = true;

  while (is_working) {
    const bool is_told_to_stop = is_ended (race);

    pthread_mutex_lock (&race->mutex);
    if (is_told_to_stop)
      stop_members (race, race->ended);
    else if (race->options.threads > 1 && race_clock (race) >= race->end) /* one thread stops by itself, in time */
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

static void
run_members (Race *race)
{
  const int n_left = race->n_entries - race->next, n = race->options.threads < n_left ? race->options.threads : n_left;
  pthread_t threads[MAX_THREADS];
  bool is_started[MAX_THREADS] = {false};

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

/* ---- the winner -------------------------------------------------------------------------------------------------- */

/* By its own result, and by its replay at a tenth of its step, which halved steps compare with that of their source. */
static SsPlanRank
rank_of (const Entry *entry)
{
  if (!entry->is_done || entry->status != SS_OK)
    return (SsPlanRank){SS_PLAN_NONE, INFINITY, INFINITY};
  SsPlanRank rank = ss_plan_rank (&entry->result);

  if (rank.grade <= SS_PLAN_NOT_POSSIBLE)
    return rank;
  rank.grade = entry->tenth <= SS_REFINE_NEAR                ? SS_PLAN_HOLDS
               : !is_refined (entry)                         ? SS_PLAN_PARTS
               : entry->tenth < WORTH * entry->source->tenth ? SS_PLAN_NEARER
                                                             : SS_PLAN_IN_VAIN;
  return rank;
}

/* The cheapest honest answer, else what came nearest to one; NULL: nobody has a motion. */
static Entry *
find_winner (Race *race)
{
  Entry *winner = NULL;

  for (int i = 0; i < race->n_entries; i++) {
    Entry *entry = &race->entries[i];
    const SsPlanRank own = rank_of (entry), best = winner != NULL ? rank_of (winner) : (SsPlanRank){SS_PLAN_NONE, 0, 0};

    if (ss_plan_goes_before (&own, &best))
      winner = entry;
  }
  return winner;
}

/* Answers of the others that obey their rows stay, as runs of their own; takes their results. */
static SsStatus
keep_others (Race *race, const Entry *winner, SsRunResult *result, SsError *err)
{
  SsStatus status = SS_OK;

  for (int i = 0; i < race->n_entries && status == SS_OK; i++) {
    Entry *entry = &race->entries[i];

    if (entry == winner || rank_of (entry).grade < SS_PLAN_NOT_POSSIBLE)
      continue;
    SsRunResult *solutions = ss_realloc (result->solutions, (size_t)result->n_solutions + 1, sizeof *solutions);
    if (solutions == NULL)
      return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
    result->solutions = solutions;
    SsRunResult *own = &solutions[result->n_solutions++];
    *own = entry->result;
    ss_run_result_init (&entry->result);
    snprintf (own->start, sizeof own->start, "%s", entry->label);
    SsTrajectory *motion = ss_run_take_motion (own);
    own->n_motions = 0; /* that was the only one */
    entry->solution = result->n_solutions;
    status = ss_run_add_motion (result, &motion, SS_MOTION_SOLUTION, result->n_solutions, NAN, err);
  }
  return status;
}

/* Whether the winner holds in its replay, and what was tried where it does not. */
static void
describe_replay (const Race *race, const Entry *winner, SsRunResult *result)
{
  char note[160];

  if (isnan (winner->tenth))
    return;
  ss_metric_set (&result->metrics, SS_METRIC_REPLAY_TENTH, winner->tenth);
  snprintf (note, sizeof note, "at a tenth of its step (of %d) its replay ends %.2g m away",
            ss_run_motion (result)->n_rows - 1, winner->tenth);
  ss_run_append_text (result->message, sizeof result->message, note);
  for (int i = 0; i < race->n_entries && !(winner->tenth <= SS_REFINE_NEAR); i++)
    if (race->entries[i].source == winner && race->entries[i].is_done) {
      snprintf (note, sizeof note, "%.159s", race->entries[i].beside.refined.why);
      ss_run_append_text (result->message, sizeof result->message, note);
    }
}

/* In the log, and in words in the message; `result` is the winner's. */
static void
tell_result (Race *race, const SsMember *members, const Entry *winner, SsRunResult *result)
{
  char text[400], message[sizeof result->message];
  double cpu = 0;

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
  ss_metric_set (&result->metrics, SS_METRIC_WORK, race_clock (race) * race->options.threads);
  if (isfinite (race->first_at))
    ss_metric_set (&result->metrics, SS_METRIC_FIRST_SECONDS, race->first_at);
}

static void
log_members (const Race *race)
{
  for (int i = 0; i < race->n_entries; i++) {
    const Entry *entry = &race->entries[i];

    if (entry->has_begun && race->control != NULL)
      ss_run_control_log (race->control, SS_LOG_INFO, "member %s: %.2f to %.2f s, CPU %.2f s, %s, objective %.6g: %s",
                          entry->name, entry->began, entry->ended, entry->cpu,
                          entry->status == SS_OK ? ss_outcome_name (entry->result.outcome) : "error",
                          objective_of (entry), entry->status == SS_OK ? entry->result.message : entry->error.message);
  }
}

/* Before the results are taken from the entries; what the result keeps of each is filled in later. */
static SsStatus
describe_members (const Race *race, const Entry *winner, SsMember **members, SsError *err)
{
  *members = ss_new_array (SsMember, race->n_entries);
  if (*members == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  for (int i = 0; i < race->n_entries; i++) {
    describe_member (race, &race->entries[i], &(*members)[i]);
    (*members)[i].is_best = &race->entries[i] == winner;
  }
  return SS_OK;
}

/* Nobody has a motion: the time was over, or all have failed, as the first of them says. */
static void
describe_none (const Race *race, SsRunResult *result)
{
  const Entry *failed = NULL;

  result->outcome = race->ended != SS_OUTCOME_SOLVED ? race->ended : SS_OUTCOME_CPU_LIMIT;
  snprintf (result->message, sizeof result->message, "ended before any member had a motion");
  for (int i = 0; i < race->n_entries; i++) {
    const Entry *entry = &race->entries[i];
    if (!entry->is_done || entry->result.outcome != SS_OUTCOME_FAILED)
      return;
    failed = failed != NULL ? failed : entry;
  }
  if (failed == NULL || race->ended == SS_OUTCOME_CANCELLED)
    return;
  result->outcome = SS_OUTCOME_FAILED;
  snprintf (result->message, sizeof result->message, "no member has a motion; %s: %.400s", failed->label,
            failed->result.message);
}

static SsStatus
make_result (Race *race, SsRunResult *result, SsError *err)
{
  Entry *winner = find_winner (race);
  SsMember *members = NULL;
  SsStatus status = describe_members (race, winner, &members, err);

  if (status != SS_OK)
    return status;
  log_members (race);
  if (winner == NULL) {
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
    return SS_OK;
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
  for (int i = 0; i < race->n_entries; i++)
    members[i].solution = race->entries[i].solution;
  result->members = members;
  result->n_members = race->n_entries;
  return status;
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

bool
ss_run_races (const SsSolveJob *job)
{
  const SsTranscriptionClass *class_ = job->transcription.class_;

  return job->nlp == &ss_nlp_auto && job->scenario->model == NULL &&
         (class_ == NULL || class_ == &ss_transcription_time_stepping);
}

/* One more, of which nothing is known yet. */
static Entry *
add_entry (Race *race, SsRaceMember member)
{
  const SsRaceMemberSpec *spec = ss_race_member_spec (member);
  int number = 1;

  for (int i = 0; i < race->n_entries; i++)
    number += race->entries[i].member == member;
  Entry *entry = &race->entries[race->n_entries++];
  *entry = (Entry){.race = race,
                   .member = member,
                   .least_violation = INFINITY,
                   .least_objective = INFINITY,
                   .objective = NAN,
                   .violation = NAN,
                   .solution = -1,
                   .work_end = INFINITY,
                   .tenth = NAN,
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

static void
enter (Race *race, SsRaceMember member, const Entry *source)
{
  if (source == NULL && !ss_race_member_fits (race->job, member))
    return;
  Entry *entry = add_entry (race, member);
  entry->source = source;
  ss_run_control_init (&entry->control);
  entry->control.progress = hear_member;
  entry->control.user_data = entry;
}

/* Runs the entries from `first` on, until `end` of the race's clock. */
static void
run_more (Race *race, int first, double end)
{
  race->next = first;
  race->is_over = false;
  race->end = end;
  run_members (race);
}

/* First plans of members that went on from them are answers of their own. */
static void
part_steady (Race *race)
{
  const int n_members = race->n_entries;

  for (int i = 0; i < n_members; i++) {
    Entry *from = &race->entries[i];

    if (from->is_done && from->beside.steady.outcome == SS_OUTCOME_SOLVED) {
      Entry *entry = add_entry (race, SS_RACE_STEADY);

      entry->has_begun = entry->is_done = entry->is_honest = true;
      entry->began = from->began;
      entry->ended = race->first == i ? race->first_at : from->ended;
      entry->result = from->beside.steady;
      ss_run_result_init (&from->beside.steady);
    }
  }
}

/* After the race: the cheapest honest answer is the start of others, which look for a cheaper one near it. */
static void
improve_answer (Race *race, double end)
{
  static const SsRaceMember ways[] = {SS_RACE_IMPROVED, SS_RACE_LOWERED};
  const int n_members = race->n_entries;
  const Entry *source = NULL;

  for (int i = 0; i < n_members; i++) {
    const Entry *entry = &race->entries[i];
    if (entry->is_honest && (source == NULL || objective_of (entry) < objective_of (source)))
      source = entry;
  }
  if (source == NULL || race->options.improve <= 0 || race->options.member != SS_RACE_ALL || is_ended (race))
    return;
  for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
    enter (race, ways[i], source);
  const double now = race_clock (race);
  run_more (race, n_members, now + IMPROVE_PART * fmax (end - now, 0));
}

/* Replays of all honest answers; *holds: that of the cheapest ends near it. */
static SsStatus
replay_answers (Race *race, bool *holds, SsError *err)
{
  const Entry *cheapest = NULL;
  SsStatus status = SS_OK;

  for (int i = 0; i < race->n_entries && status == SS_OK; i++) {
    Entry *entry = &race->entries[i];
    SsTenth tenth;

    if (!entry->is_honest)
      continue;
    status = ss_refine_tenth (race->job->scenario, ss_run_motion (&entry->result), &tenth, err);
    if (status == SS_OK)
      entry->tenth = tenth.distance;
    else if (status == SS_ERR_INVALID) { /* a scene without controls has nothing to replay */
      *err = (SsError){0};
      status = SS_OK;
    }
    if (cheapest == NULL || objective_of (entry) < objective_of (cheapest))
      cheapest = entry;
  }
  *holds = cheapest != NULL && cheapest->tenth <= SS_REFINE_NEAR;
  return status;
}

/* Whether `a` is to be refined before `b`: first of all the cheapest, then what is steady, then what ends nearer. */
static bool
goes_before (const Entry *a, const Entry *b, bool is_first)
{
  if (is_first)
    return objective_of (a) < objective_of (b);
  if ((a->member == SS_RACE_STEADY) != (b->member == SS_RACE_STEADY))
    return a->member == SS_RACE_STEADY;
  return a->tenth < b->tenth;
}

/* The next of the race's honest answers to be refined; NULL: all are. */
static const Entry *
find_source (const Race *race, int n_members)
{
  const Entry *source = NULL;
  const bool is_first = race->n_entries == n_members;

  for (int i = 0; i < n_members; i++) {
    const Entry *entry = &race->entries[i];
    bool is_taken = !entry->is_honest || isnan (entry->tenth);

    for (int k = n_members; k < race->n_entries; k++)
      is_taken = is_taken || race->entries[k].source == entry;
    if (!is_taken && (source == NULL || goes_before (entry, source, is_first)))
      source = entry;
  }
  return source;
}

static bool
has_honest (const Race *race)
{
  for (int i = 0; i < race->n_entries; i++)
    if (race->entries[i].is_honest)
      return true;
  return false;
}

/* After that: where the cheapest honest answer does not hold in its replay, some are refined. `end`: of the whole. */
static SsStatus
refine_answers (Race *race, double end, SsError *err)
{
  bool holds;

  const int n_members = race->n_entries;
  if (!has_honest (race) || race->ended == SS_OUTCOME_CANCELLED || !ss_refine_can (race->job))
    return SS_OK;
  SsStatus status = replay_answers (race, &holds, err);
  if (status != SS_OK || holds || race->options.refine == 0 || race->options.member != SS_RACE_ALL || is_ended (race))
    return status;
  for (int i = 0; i < race->options.threads; i++) {
    const Entry *source = find_source (race, n_members);

    if (source == NULL)
      break;
    enter (race, SS_RACE_REFINED, source);
    if (i == 0 && ss_race_member_fits (race->job, SS_RACE_FINE))
      enter (race, SS_RACE_FINE, source);
  }
  if (race->n_entries == n_members)
    return SS_OK;
  run_more (race, n_members, end);
  return SS_OK;
}

/* When the race is over by its own clock, in any case: what its limit of CPU time gives to each thread; where it has a
 * time limit alone its members' own limits end it; where it has none, a minute. */
static double
horizon_of (const Race *race)
{
  const double given = fmin (race->budget, race->control != NULL ? race->control->cpu_limit : INFINITY);

  if (isfinite (given))
    return given / race->options.threads;
  return race->control != NULL && isfinite (race->control->deadline) ? INFINITY : A_MINUTE;
}

SsStatus
ss_run_race (const SsSolveJob *job, SsRunControl *control, SsRunResult *result, SsError *err)
{
  Race race = {
      .job = job, .control = control, .start = ss_clock_wall (), .first_at = INFINITY, .first = -1, .best = -1};
  SsStatus status = SS_OK;

  if (job->options != NULL)
    race.options = *(const SsAutoOptions *)job->options;
  else
    ss_options_init (ss_nlp_auto.options, &race.options);
  race.cpu_start = ss_clock_process_cpu () + (control != NULL ? 1e-9 * (double)atomic_load (&control->cpu_others) : 0);
  race.budget = race.options.budget > 0 ? race.options.budget : INFINITY;
  race.end = horizon_of (&race);
  for (int member = SS_RACE_ALL + 1; member < SS_RACE_MEMBERS; member++)
    if ((race.options.member == SS_RACE_ALL && member < SS_RACE_STEADY) || race.options.member == member)
      enter (&race, (SsRaceMember)member, NULL);
  if (race.n_entries == 0)
    return ss_error_set (err, SS_ERR_INVALID, "the member '%s' means nothing for '%s'",
                         ss_race_member_spec ((SsRaceMember)race.options.member)->name, job->scenario->name);
  pthread_mutex_init (&race.mutex, NULL);
  pthread_cond_init (&race.changed, NULL);
  pthread_cond_init (&race.told_found, NULL);
  const double end = race.end;
  run_members (&race);
  part_steady (&race);
  improve_answer (&race, end);
  if (refine_answers (&race, end, err) != SS_OK) { /* the race's answers are there all the same */
    ss_run_control_log (control, SS_LOG_WARNING, "answers were not refined: %s", err != NULL ? err->message : "");
    if (err != NULL)
      *err = (SsError){0};
  }
  if (race.ended == SS_OUTCOME_SOLVED && race_clock (&race) >= end)
    snprintf (race.ended_by, sizeof race.ended_by, "the race ended after counted work of %.3g s on each thread", end);
  status = make_result (&race, result, err);
  for (int i = 0; i < race.n_entries; i++) {
    ss_run_result_clear (&race.entries[i].result);
    ss_run_result_clear (&race.entries[i].beside.steady);
  }
  ss_free (race.told);
  pthread_mutex_destroy (&race.mutex);
  pthread_cond_destroy (&race.changed);
  pthread_cond_destroy (&race.told_found);
  return status;
}
