/* engine/core/ss-members.h: the members of a race (plan/ss-race.h, nlp/ss-crisp-race.h) as others see them: while it
 * goes on through the run's listener (SS_PROGRESS_MEMBERS), afterwards in the run's result.
 *
 * Threads: any. Tests: tests/unit/test-core.c
 */
#pragma once

#include "core/ss-status.h"

#include <stddef.h>

/* Identifier, name in files, words. */
#define SS_MEMBER_STATE_LIST(X)                                                                                        \
  X (WAITING, "waiting", "Waiting")                                                                                    \
  X (RUNNING, "running", "Running")                                                                                    \
  X (SOLVED, "solved", "Solved")             /* an honest answer */                                                    \
  X (NOT_HONEST, "not_honest", "Not honest") /* its rows are obeyed, and the motion could not happen */                \
  X (GAVE_UP, "gave_up", "Gave up")                                                                                    \
  X (STOPPED, "stopped", "Stopped")

typedef enum {
#define X(id, name, words) SS_MEMBER_##id,
  SS_MEMBER_STATE_LIST (X)
#undef X
      SS_MEMBER_STATES
} SsMemberState;

/* The front of a race that has ended: honest answers of which none is at least as cheap as another one and ends at
 * least as near to its goals in both replays; what is better by less than a hundredth is not told apart. Three of them
 * have a mark. Identifier, name in files, words. */
#define SS_MEMBER_MARK_LIST(X)                                                                                         \
  X (CHEAPEST, "cheapest", "Cheapest")                                                                                 \
  X (STEADIEST, "steadiest", "Steadiest")                    /* its replay at a tenth of the step ends nearest */      \
  X (HELD, "steadiest_feedback", "Steadiest under feedback") /* the same replay, held by LQR */

typedef enum {
#define X(id, name, words) SS_MEMBER_##id,
  SS_MEMBER_MARK_LIST (X)
#undef X
      SS_MEMBER_MARKS
} SsMemberMark;

typedef struct SsMember {
  char name[24], label[48]; /* unique in the race: a second member of the same kind has "-2" and " 2" behind its own */
  const char *summary;      /* static */
  SsMemberState state;
  bool is_best;        /* the cheapest honest answer so far; at the end the winner */
  double began, ended; /* since the race's start [s]; NaN: not yet */
  double found;        /* its first honest answer, likewise; it may go on to improve it */
  double cpu;          /* [s] */
  double objective;    /* of its answer; while it runs of its newest iterate; NaN: none */
  double violation;    /* likewise */
  double tenth;        /* from the goals to its replay's end at a tenth of the step [m]; NaN: not replayed */
  double held;         /* the same replay held on its plan by LQR [m]; NaN: not measured */
  int loose;           /* how far that is in words of plan/ss-plan-rank.h; 0: it holds; INT_MAX: not replayed */
  bool is_on_front;    /* at the end */
  unsigned marks;      /* bits of SsMemberMark */
  int solution;        /* in a result: 0 the answer, i > 0 its solution i - 1, -1 nothing was kept */
  char reason[240];    /* of a state that is no success; else "" */
} SsMember;

/* Static; the second of 0 to SS_MEMBER_STATES - 1. */
const char *ss_member_state_name (SsMemberState state);
const char *ss_member_state_words (SsMemberState state);
/* Likewise, of 0 to SS_MEMBER_MARKS - 1. */
const char *ss_member_mark_name (SsMemberMark mark);
const char *ss_member_mark_words (SsMemberMark mark);
/* Says of each of them whether it is on the front, and its marks. A measure that nobody has marks nobody. */
void ss_members_mark (SsMember *members, int n);
/* The one with that mark; -1: none. */
int ss_members_find (const SsMember *members, int n, SsMemberMark mark);

/* Who won and why, in a sentence without a full stop: the first honest answer, what was cheaper, what was cheaper yet
 * and does not hold in its replay, what holds better and costs more, and what would have been cheaper and is no
 * possible motion. While members run: what there is so far. */
void ss_members_describe (const SsMember *members, int n, char *text, size_t size);
