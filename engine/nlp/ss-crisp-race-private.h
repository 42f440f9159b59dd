/* engine/nlp/ss-crisp-race-private.h: data of the race for models, shared by its course and what others see of it. */
#pragma once

#include "core/ss-members.h"
#include "nlp/ss-crisp-race.h"

enum { SS_MODEL_THREADS = 16 }; /* members at once, at most */

enum { GRID_LEAST = 150 }; /* time points from which coarser grids are worth what they take; with fewer noise is */

/* Members, in the order in which they may start. */
typedef enum { NEAR, INTERIOR, COARSE, MENDED, DEFAULT, RELAXED, AROUND, FARTHER, SCHOLTES, N_MEMBERS } Member;

typedef struct {
  const SsMpcc *mpcc;
  SsModelRaceOptions o;
  SsMpccEval *eval;
  double *c;                        /* rows */
  void *interior[SS_MODEL_THREADS]; /* NULL: not made yet, but for the first */
  void *crisp[N_MEMBERS];           /* SsCrisp; NULL: not made yet, and of the others */
  void *scholtes, *coarse;          /* likewise */
  const SsScenario *model;          /* of coarser grids; NULL: none */
  double *x_best, *y_best;          /* n, n_rows: of the best answer so far */
  double *starts;                   /* n of each thread */
  SsMember members[N_MEMBERS];
} Race;

/* What a member came to. */
typedef struct {
  double objective, violation; /* at its end */
} End;

typedef struct {
  Race *race;
  SsNlpResult each[N_MEMBERS]; /* of members that go on: of their best try; without x */
  End end[N_MEMBERS];
  bool has_run[N_MEMBERS];
  int best;           /* -1: none has run */
  SsNlpResult answer; /* of the best: its x and multipliers are the race's */
  End answer_end;
  SsNlpResult sum; /* of counts and seconds */
  int member;      /* that works now on the listener's thread */
  const double *guess;
  double work, end_at; /* counted work of this thread at the start; what the race may use, from there */
  double near_work;
  int n_started; /* tries */
  /* the listener of the race, which hears of its members through it; progress NULL: nobody */
  SsRunControl *control;
  SsProgressFunc progress;
  void *user_data;
  double start, told_at;
  int iterations; /* told so far */
} Course;

static inline bool
is_solved (const SsNlpResult *r)
{
  return r->outcome == SS_OUTCOME_SOLVED;
}

/* Whether coarser grids of time points are worth a try. */
static inline bool
ss_model_race_has_grids (const Race *race)
{
  return race->model != NULL && race->model->model->n_points >= GRID_LEAST;
}

/* ---- what others see (ss-crisp-race-told.c) ---------------------------------------------------------------------- */

const char *ss_model_race_words (Member m); /* in the message */
void ss_model_race_tell (Course *course);   /* where the members are */
void ss_model_race_enter (Course *course);
void ss_model_race_begin (Course *course, Member m);
/* The listener hears of this member, which runs on its thread; then of the race itself again. */
void ss_model_race_listen (Course *course, Member m);
void ss_model_race_unlisten (Course *course);
void ss_model_race_end (Course *course, Member m);
void ss_model_race_close (Course *course); /* what is known of the members at the end */
