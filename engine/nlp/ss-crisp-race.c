/* engine/nlp/ss-crisp-race.c: see the header. */
#include "nlp/ss-crisp-race.h"

#include "nlp/ss-crisp-private.h"

#include <stdio.h>
#include <string.h>

/* Iterations of the relaxed member: where it finds contacts at all, it does so in fewer. */
enum { RELAXED_MOST = 240 };
static const double OTHERS_FACTOR =
    1.5; /* of the first member's iterations, the second may take, if the first answered */
enum { OTHERS_LEAST = 80 };

typedef enum { RELAXED, DEFAULT, N_MEMBERS } Member;

static const char *const member_names[N_MEMBERS] = {"products first relaxed", "CRISP's defaults"};

typedef struct {
  const SsMpcc *mpcc;
  void *member[N_MEMBERS]; /* SsCrisp */
} Race;

static SsStatus
set_options (SsCrispOptions *o, Member member, SsError *err)
{
  static const char *const settings[N_MEMBERS][12] = {
      {"finish", "on", "finish-from", "0.02", "relax", "10", "relax-factor", "0.1", "mu0", "30", NULL},
      {"finish", "on", NULL},
  };
  SsStatus status = SS_OK;

  ss_options_init (&ss_crisp_option_table, o);
  for (int i = 0; settings[member][i] != NULL && status == SS_OK; i += 2)
    status = ss_options_set (&ss_crisp_option_table, o, settings[member][i], settings[member][i + 1], err);
  o->k_max = member == RELAXED ? RELAXED_MOST : o->k_max;
  o->restarts = member == RELAXED ? 0 : o->restarts;
  return status;
}

static void
race_free (void *data)
{
  Race *race = data;

  if (race == NULL)
    return;
  for (int m = 0; m < N_MEMBERS; m++)
    if (race->member[m] != NULL)
      ss_nlp_crisp.free_ (race->member[m]);
  ss_free (race);
}

static SsStatus
race_new (const SsMpcc *mpcc, const void *options, void **solver, SsError *err)
{
  Race *race = ss_new (Race);
  SsStatus status = SS_OK;

  (void)options;
  *solver = NULL;
  if (race == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory for the race");
  race->mpcc = mpcc;
  for (int m = 0; m < N_MEMBERS && status == SS_OK; m++) {
    SsCrispOptions o;
    status = set_options (&o, (Member)m, err);
    if (status == SS_OK)
      status = ss_nlp_crisp.new_ (mpcc, &o, &race->member[m], err);
  }
  if (status != SS_OK) {
    race_free (race);
    return status;
  }
  *solver = race;
  return SS_OK;
}

static bool
is_solved (const SsNlpResult *r)
{
  return r->outcome == SS_OUTCOME_SOLVED;
}

/* Solved before not solved; of two that are solved, the lower. */
static bool
is_better (const SsNlpResult *a, double objective_a, const SsNlpResult *b, double objective_b)
{
  return is_solved (a) != is_solved (b) ? is_solved (a) : objective_a < objective_b;
}

static SsStatus
race_solve (void *data, const double *x0, SsRunControl *control, SsNlpResult *result, SsError *err)
{
  Race *race = data;
  SsNlpResult each[N_MEMBERS];
  double objective[N_MEMBERS];
  char account[sizeof result->message];
  int best = 0, n_run = 0;

  for (int m = 0; m < N_MEMBERS; m++) {
    SsCrisp *crisp = race->member[m];
    crisp->o.k_max = m == RELAXED ? RELAXED_MOST : 1000;
    if (m > 0 && is_solved (&each[0])) {
      const int most = (int)(OTHERS_FACTOR * each[0].iterations);
      crisp->o.k_max = most > OTHERS_LEAST ? most : OTHERS_LEAST;
    }
    SsStatus status = ss_nlp_crisp.solve (crisp, x0, control, &each[m], err);
    if (status != SS_OK)
      return status;
    objective[m] = crisp->now.objective;
    n_run++;
    if (m > 0 && is_better (&each[m], objective[m], &each[best], objective[best]))
      best = m;
    if (each[m].outcome == SS_OUTCOME_CANCELLED || each[m].outcome == SS_OUTCOME_TIME_LIMIT)
      break;
  }
  *result = each[best];
  for (int m = 0; m < n_run; m++) {
    if (m == best)
      continue;
    result->iterations += each[m].iterations;
    result->subproblems += each[m].subproblems;
    result->inner_iterations += each[m].inner_iterations;
    result->solve_seconds += each[m].solve_seconds;
    result->cpu_seconds += each[m].cpu_seconds;
    result->qp_seconds += each[m].qp_seconds;
    result->derivative_seconds += each[m].derivative_seconds;
    result->value_seconds += each[m].value_seconds;
    snprintf (account, sizeof account, "%.150s; won by %s (%s: %s%.6g)", result->message, member_names[best],
              member_names[m], is_solved (&each[m]) ? "" : "not solved, at ", objective[m]);
    snprintf (result->message, sizeof result->message, "%s", account);
  }
  return SS_OK;
}

static const SsOptionTable no_options = {0};

const SsNlpClass ss_nlp_crisp_race = {
    .name = "models",
    .label = "Race for models",
    .summary = "CRISP with relaxed products and by its defaults, both finished to second order; the better answer wins",
    .version = "0.1.0",
    .options = &no_options,
    .new_ = race_new,
    .solve = race_solve,
    .free_ = race_free,
};
