/* engine/simulate/ss-certainty.c: see the header. */
#include "simulate/ss-certainty.h"

#include "core/ss-memory.h"

const char *const ss_certainty_choices[] = {"off", "count", "branches", NULL};

/* Draws of a step: what was taken, and the second. */
enum { N_WAYS = 2 };
/* Second solutions that a motion can take in one step, its parts counted: more are left, as where there is no room. */
enum { CHOICES_MAX = 64 };

/* A solve that counts. */
typedef struct {
  long number;
  double from; /* start of its step [s] */
  SsCertainty certainty;
} Solve;

struct SsCertain {
  bool is_blind; /* steps are not looked at */
  SsContactCertainty *looks;
  double t;    /* start of the step under way [s] */
  long first;  /* number of its first solve: attempts have the same numbers, so that a choice holds in all of them */
  bool is_fan; /* somebody chooses */
  int n, capacity; /* solves that count since ss_certain_choose */
  Solve *solves;
  SsSecondSolution second;
  const SsForkChoice *choices; /* borrowed */
  int n_choices, room, forks_capacity;
  long seconds[CHOICES_MAX]; /* of the choices, those that take the second */
  SsFork *forks;             /* as many as solves */
  long draws[N_WAYS];
  double share[N_WAYS], whole;
};

SsStatus
ss_certain_new (const SsScene *scene, int rule, bool is_blind, SsContactProblem *problem, SsCertain **out, SsError *err)
{
  SS_ASSERT (scene != NULL && problem != NULL && out != NULL);

  *out = NULL;
  if (rule == SS_CERTAINTY_OFF)
    return SS_OK;
  SsCertain *c = ss_new (SsCertain);
  if (c == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory to look at steps");
  SsStatus status = ss_contact_certainty_new (scene, &c->looks, err);
  if (status != SS_OK) {
    ss_certain_free (c);
    return status;
  }
  c->draws[1] = 1;
  c->share[0] = c->share[1] = 1.0 / N_WAYS;
  c->whole = 1;
  c->is_blind = is_blind;
  if (!is_blind)
    problem->certainty = c->looks;
  ss_contact_certainty_begin (c->looks, NULL, 0);
  *out = c;
  return SS_OK;
}

void
ss_certain_free (SsCertain *c)
{
  if (c == NULL)
    return;
  ss_contact_certainty_free (c->looks);
  ss_free (c->solves);
  ss_free (c->forks);
  ss_free (c);
}

void
ss_certain_attempt (SsCertain *c)
{
  if (c == NULL)
    return;
  c->looks->n_looks = 0;
  c->looks->n_solves = c->first;
  c->looks->second = (SsSecondSolution){0};
}

void
ss_certain_begin (SsCertain *c, double t)
{
  if (c == NULL)
    return;
  c->t = t;
  c->first = c->looks->n_solves;
  while (c->n > 0 && (!c->is_fan || c->solves[c->n - 1].from >= t)) /* it was taken back */
    c->n--;
  ss_certain_attempt (c);
}

SsStatus
ss_certain_end (SsCertain *c, SsStepInfo *info, SsError *err)
{
  SS_ASSERT (info != NULL);

  if (c == NULL)
    return SS_OK;
  info->certainty = SS_CERTAINTY_UNDECIDED;
  if (c->is_blind)
    return SS_OK;
  const int n = c->n + c->looks->n_looks;
  if (ss_array_reserve ((void **)&c->solves, &c->capacity, n + 1, sizeof *c->solves) != 0 ||
      ss_array_reserve ((void **)&c->forks, &c->forks_capacity, n + 1, sizeof *c->forks) != 0)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for %d solves of a step", n);
  info->certainty = SS_CERTAINTY_UNIQUE; /* without solves it moves freely */
  for (int i = 0; i < c->looks->n_looks; i++) {
    const SsCertaintyLook *look = &c->looks->looks[i];
    c->solves[c->n++] = (Solve){look->number, c->t, look->certainty};
    info->certainty = look->certainty > info->certainty ? look->certainty : info->certainty;
  }
  if (c->looks->second.is_there)
    c->second = c->looks->second;
  return SS_OK;
}

const SsSecondSolution *
ss_certain_second (const SsCertain *c)
{
  return c != NULL && c->second.is_there ? &c->second : NULL;
}

/* ---- forks ------------------------------------------------------------------------------------------------------- */

void
ss_certain_choose (SsCertain *c, const SsForkChoice *choices, int n, int room)
{
  SS_ASSERT (c != NULL && n >= 0);

  int n_seconds = 0;
  c->is_fan = true;
  c->choices = choices;
  c->n_choices = n;
  c->room = room;
  c->n = 0;
  for (int i = 0; i < n && n_seconds < CHOICES_MAX; i++)
    if (choices[i].draw == 1)
      c->seconds[n_seconds++] = choices[i].instant;
  ss_contact_certainty_begin (c->looks, c->seconds, n_seconds);
}

static bool
is_chosen (const SsCertain *c, long number)
{
  for (int i = 0; i < c->n_choices; i++)
    if (c->choices[i].instant == number)
      return true;
  return false;
}

const SsFork *
ss_certain_forks (SsCertain *c, int *n)
{
  SS_ASSERT (c != NULL && n != NULL);

  *n = 0;
  for (int i = 0; i < c->n; i++) {
    const Solve *solve = &c->solves[i];
    if (solve->certainty != SS_CERTAINTY_SEVERAL || is_chosen (c, solve->number))
      continue;
    const bool has_room = c->room > 0;
    c->room -= has_room;
    c->forks[(*n)++] = (SsFork){.t = solve->from,
                                .instant = solve->number,
                                .n_ways = has_room ? N_WAYS : 1,
                                .draws = c->draws,
                                .share = has_room ? c->share : &c->whole,
                                .is_cut = !has_room};
  }
  return c->forks;
}
