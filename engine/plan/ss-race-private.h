/* engine/plan/ss-race-private.h: a race and its members, for ss-race.c (who runs when), ss-race-course.c (what comes
 * after what), ss-race-state.c (where each member is), ss-race-result.c (which answer is the run's) and
 * ss-race-front.c (what answers are worth beside their cost). */
#pragma once

#include "plan/ss-plan-rank.h"
#include "plan/ss-race.h"

#include <pthread.h>

enum { SS_RACE_MAX_THREADS = 16, SS_RACE_MAX_COLUMNS = 16, SS_RACE_MAX_TOLD = 4096 };
/* Members, searches after them, first plans of both, refined ones; rounds that a limit of CPU time leaves room for. */
enum {
  SS_RACE_OF_ROUNDS = 32,
  SS_RACE_MAX_ENTRIES = 2 * SS_RACE_MEMBERS + 3 * SS_RACE_MAX_THREADS + SS_RACE_OF_ROUNDS
};

typedef struct SsRace SsRace;

/* What ended a member that had not ended by itself. */
typedef enum { SS_RACE_STOP_NONE, SS_RACE_STOP_ANSWER, SS_RACE_STOP_LIMIT, SS_RACE_STOP_CANCEL } SsRaceStop;

/* A member and what came of it. */
typedef struct SsRaceEntry SsRaceEntry;
struct SsRaceEntry {
  SsRace *race;
  SsRaceMember member;
  char name[24], label[48]; /* as in SsMember */
  SsRunControl control;
  double cpu_start, work_start;                           /* clocks of its thread */
  atomic_llong work;                                      /* counted so far, its processes' included (core/ss-work.h) */
  double work_end;                                        /* of its own limit, a value of its thread's count          */
  double progress_work, least_violation, least_objective; /* at its last progress: its work, and what was reached */
  bool has_stalled, is_at_limit;
  SsRaceStop stopped_by;
  int first_seed;            /* of SEARCHED, beyond that of the race */
  const SsRaceEntry *source; /* of REFINED, IMPROVED, LOWERED: whose answer; of FINE: the one that does not hold */
  bool has_begun, is_done, is_honest, is_stopped;
  double objective, violation; /* of its newest iterate; NaN */
  int solution;                /* see SsMember */
  double began, ended, cpu;    /* wall since the start, CPU [s] */
  double tenth, held; /* of an honest answer: end of its replay from the goals, under feedback [m]; NaN: not known */
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
  SsColumn columns[SS_RACE_MAX_COLUMNS + 1];
  SsLogLevel level;
  char text[320];
} SsRaceTold;

struct SsRace {
  const SsSolveJob *job;
  SsAutoOptions options;
  SsRunControl *control;
  SsRaceEntry entries[SS_RACE_MAX_ENTRIES];
  int n_entries;
  int search_from; /* searches from this entry on go on until the race's end */
  double start;

  pthread_mutex_t mutex; /* all below */
  pthread_cond_t changed, told_found;
  int next, n_working;
  /* By the race's own clock, which is counted work: that of all members, over the threads [s]. It is the same at any
   * load, and with one thread so is all that is decided by it. */
  double end;
  double cpu_end;        /* CPU time [s] at which who works is stopped, once there is an honest answer */
  double first_at;       /* wall time of the first honest answer since the start [s]; infinite: none yet */
  double first_cpu;      /* CPU time of the race until then [s] */
  int first;             /* its entry, -1 */
  bool is_over, is_told; /* told: to end, by who asked for it or by its limits */
  /* what ended the race from outside, SOLVED: nothing; by which limit, in words, "": it ended by itself */
  SsOutcome ended;
  char ended_by[160];
  double budget; /* CPU time [s], from cpu_start on; infinite: none */
  double cpu_start;
  double cpu_worth; /* of replays of its answers, in the caller's thread [s] */
  bool is_alone;    /* members run in the caller's thread */
  SsRaceTold *told;
  int n_told, told_capacity, iterations;

  /* of the caller's thread */
  SsMember seen[SS_RACE_MAX_ENTRIES]; /* told last */
  int n_seen, best;                   /* entry of the best answer that was told, -1 */
  double best_objective;              /* of that answer */
  double told_at;
};

/* What the race may take of its limit of CPU time [s]. */
double ss_race_cpu_most (const SsRace *race);
/* Whether the run was told to end, or its limits are nearly reached; notes which one, in words. */
bool ss_race_is_ended (SsRace *race);
/* Runs the entries that have not begun, from race->next on, until the race's end. */
void ss_race_run_members (SsRace *race);
/* One more, of which nothing is known yet. */
SsRaceEntry *ss_race_add_entry (SsRace *race, SsRaceMember member);
/* One more, to be run; `source`: whose answer it starts from, NULL: none. False: it means nothing for the scene. */
bool ss_race_enter (SsRace *race, SsRaceMember member, const SsRaceEntry *source);
/* Runs the entries from `first` on, for that part of what is left until `end` of the race's clock, and of the limit of
 * CPU time. */
void ss_race_run_more (SsRace *race, int first, double part, double end);
/* CPU time that the race has taken, all its threads and processes; what the run's limit of CPU time gives it [s]. */
double ss_race_cpu (const SsRace *race);
double ss_race_cpu_given (const SsRace *race);
/* Looks for an answer that holds, not for a cheaper one. */
bool ss_race_is_refined (const SsRaceEntry *entry);
/* The race's own clock. Under the mutex, or in a member's thread for an estimate. */
double ss_race_clock (const SsRace *race);
/* Of its answer; NaN: it has none. */
double ss_race_objective (const SsRaceEntry *entry);
/* Under the mutex: what can be told of an entry's honest answer; NULL: nothing. */
const SsRunResult *ss_race_answer (const SsRaceEntry *entry);
/* Under the mutex, or when no member works any more. */
void ss_race_describe_member (const SsRace *race, const SsRaceEntry *entry, SsMember *m);
/* The race's cheapest honest answer; NULL: there is none. */
const SsRaceEntry *ss_race_cheapest (const SsRace *race);
/* What its result ranks as among the race's answers. */
SsPlanRank ss_race_rank (const SsRaceEntry *entry);
/* The answer of the race by plan/ss-plan-rank.h, else what came nearest to one; NULL: nobody has a motion. */
SsRaceEntry *ss_race_choose (SsRace *race);
/* Replays of all honest answers that have none yet; *holds: one that holds costs nearly as little as the
 * cheapest. When no member works. */
SS_NODISCARD SsStatus ss_race_replay_answers (SsRace *race, bool *holds, SsError *err);
/* The same under feedback, of the answer, then of the front, then of others, within options.held. */
SS_NODISCARD SsStatus ss_race_hold_answers (SsRace *race, SsError *err);
/* The run's result when no member works any more: the best answer, the others as solutions, what each member did. */
SS_NODISCARD SsStatus ss_race_make_result (SsRace *race, SsRunResult *result, SsError *err);
