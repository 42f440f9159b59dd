/* engine/nlp/ss-auto.h: several ways of solving in the place of one.
 *
 * Plans of scenes: the race of plan/ss-race.h, whose options these are. Models in equations, and plans by other
 * transcriptions than time stepping: the race of nlp/ss-crisp-race.h.
 *
 * Tests: tests/numeric/test-race.c
 */
#pragma once

#include "nlp/ss-nlp.h"

/* Members of the race, by their places in the option `member`, in the order in which they start. */
typedef enum {
  SS_RACE_ALL, /* not one but all */
  SS_RACE_GIVEN,
  SS_RACE_SAMPLED,
  SS_RACE_STAGES,
  SS_RACE_PRICED,
  SS_RACE_DRAWN,
  SS_RACE_AGAIN,
  SS_RACE_JOINT,
  SS_RACE_DEARER,
  SS_RACE_WHOLE,
  SS_RACE_IPOPT,
  SS_RACE_ELEMENTS,
  SS_RACE_STEADY,
  SS_RACE_REFINED,
  SS_RACE_SHOT,
  SS_RACE_IMPROVED,
  SS_RACE_LOWERED,
  SS_RACE_FINE,
  SS_RACE_SEARCHED,
  SS_RACE_MEMBERS
} SsRaceMember;

/* Which horizon and steps a plan has; their order is that of the option's names. */
typedef enum { SS_AUTO_TIME_TASK, SS_AUTO_TIME_FOUND } SsAutoTime;

/* What becomes of the answer after the race; their order is that of the option's names. */
typedef enum { SS_AUTO_FINISH_OFF, SS_AUTO_FINISH_EXACT } SsAutoFinish;

/* Which answer of a race's front is the run's (core/ss-members.h); their order is that of the option's names. */
typedef enum {
  SS_AUTO_ANSWER_WEIGHED, /* by the rule of plan/ss-plan-rank.h */
  SS_AUTO_ANSWER_CHEAPEST,
  SS_AUTO_ANSWER_STEADIEST,
  SS_AUTO_ANSWER_HELD
} SsAutoAnswer;

typedef struct {
  int member; /* SsRaceMember */
  int threads;
  double budget, improve; /* CPU time [s], 0: none; part */
  int seed;
  int refine;  /* halvings at most */
  int finish;  /* SsAutoFinish     */
  int answer;  /* SsAutoAnswer */
  double held; /* counted work [s] */
  int time;    /* SsAutoTime */
} SsAutoOptions;

extern const SsNlpClass ss_nlp_auto; /* nlp/ss-auto.c */
