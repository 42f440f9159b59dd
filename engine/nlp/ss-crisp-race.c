/* engine/nlp/ss-crisp-race.c: see the header. */
#include "nlp/ss-crisp-race.h"

#include "nlp/ss-crisp-private.h"
#include "nlp/ss-interior.h"

#include <stdio.h>
#include <string.h>

/* Share of the pairs that may be zero on both sides in an answer that ends the race. */
static const double FEW_BIACTIVE = 0.5;
enum { RELAXED_MOST = 240 }; /* iterations: where it finds contacts at all, it does so in fewer */

typedef enum { INTERIOR, MENDED, DEFAULT, RELAXED, N_MEMBERS } Member;

static const char *const member_names[N_MEMBERS] = {"interior point", "CRISP from the interior point's end",
                                                    "CRISP's defaults", "products first relaxed"};

typedef struct {
  const SsMpcc *mpcc;
  SsMpccEval *eval;
  void *interior;
  void *crisp[N_MEMBERS]; /* SsCrisp; NULL: the interior point */
} Race;

static SsStatus
set_options (SsCrispOptions *o, Member member, SsError *err)
{
  static const char *const settings[N_MEMBERS][12] = {
      [MENDED] = {"finish", "on", "mu0", "30", NULL},
      [DEFAULT] = {"finish", "on", NULL},
      [RELAXED] = {"finish", "on", "finish-from", "0.02", "relax", "10", "relax-factor", "0.1", "mu0", "30", NULL},
  };
  SsStatus status = SS_OK;

  ss_options_init (&ss_crisp_option_table, o);
  for (int i = 0; settings[member][i] != NULL && status == SS_OK; i += 2)
    status = ss_options_set (&ss_crisp_option_table, o, settings[member][i], settings[member][i + 1], err);
  o->k_max = member == DEFAULT ? o->k_max : RELAXED_MOST;
  o->restarts = member == DEFAULT ? o->restarts : 0;
  return status;
}

static void
race_free (void *data)
{
  Race *race = data;

  if (race == NULL)
    return;
  ss_mpcc_eval_free (race->eval);
  if (race->interior != NULL)
    ss_nlp_interior.free_ (race->interior);
  for (int m = 0; m < N_MEMBERS; m++)
    if (race->crisp[m] != NULL)
      ss_nlp_crisp.free_ (race->crisp[m]);
  ss_free (race);
}

static SsStatus
race_new (const SsMpcc *mpcc, const void *options, void **solver, SsError *err)
{
  Race *race = ss_new (Race);

  (void)options;
  *solver = NULL;
  if (race == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory for the race");
  race->mpcc = mpcc;
  SsStatus status = ss_mpcc_eval_new (mpcc, &race->eval, err);
  if (status == SS_OK)
    status = ss_nlp_interior.new_ (mpcc, NULL, &race->interior, err);
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

typedef struct {
  SsNlpResult each[N_MEMBERS];
  double objective[N_MEMBERS], seconds;
  bool has_run[N_MEMBERS];
  int best; /* -1: none has run */
} Course;

static bool
is_interrupted (const SsNlpResult *r)
{
  return r->outcome == SS_OUTCOME_CANCELLED || r->outcome == SS_OUTCOME_TIME_LIMIT;
}

/* Members that are never wanted are never made. */
static SsStatus
make_member (Race *race, Member m, SsError *err)
{
  SsCrispOptions o;

  if (m == INTERIOR || race->crisp[m] != NULL)
    return SS_OK;
  SsStatus status = set_options (&o, m, err);
  return status == SS_OK ? ss_nlp_crisp.new_ (race->mpcc, &o, &race->crisp[m], err) : status;
}

static SsStatus
run_member (Race *race, Course *course, Member m, const double *x0, SsRunControl *control, SsError *err)
{
  SsNlpResult *r = &course->each[m];
  SsStatus status = make_member (race, m, err);
  if (status != SS_OK)
    return status;
  status = m == INTERIOR ? ss_nlp_interior.solve (race->interior, x0, control, r, err)
                         : ss_nlp_crisp.solve (race->crisp[m], x0, control, r, err);
  if (status != SS_OK)
    return status;
  course->has_run[m] = true;
  course->objective[m] = ss_mpcc_objective (race->eval, r->x);
  if (course->best < 0 ||
      is_better (r, course->objective[m], &course->each[course->best], course->objective[course->best]))
    course->best = (int)m;
  return SS_OK;
}

/* Whether a member is worth its price after those that have run. */
static bool
is_wanted (const Race *race, const Course *course, Member m)
{
  const SsNlpResult *first = &course->each[INTERIOR];
  const bool is_plain = is_solved (first) && first->finish.is_b_stationary &&
                        first->finish.n_biactive <= FEW_BIACTIVE * ss_mpcc_n_pairs (race->mpcc);

  if (m == INTERIOR)
    return true;
  if (is_plain)
    return false;
  return m == MENDED ? !is_solved (first) : m == RELAXED ? is_solved (first) : true;
}

static SsStatus
race_solve (void *data, const double *x0, SsRunControl *control, SsNlpResult *result, SsError *err)
{
  Race *race = data;
  Course course = {.best = -1};
  char account[sizeof result->message];

  for (int m = 0; m < N_MEMBERS; m++) {
    if (!is_wanted (race, &course, (Member)m))
      continue;
    SsStatus status = run_member (race, &course, (Member)m, m == MENDED ? course.each[INTERIOR].x : x0, control, err);
    if (status != SS_OK)
      return status;
    if (is_interrupted (&course.each[m]))
      break;
  }
  *result = course.each[course.best];
  for (int m = 0; m < N_MEMBERS; m++) {
    const SsNlpResult *r = &course.each[m];
    if (m == course.best || !course.has_run[m])
      continue;
    result->iterations += r->iterations;
    result->subproblems += r->subproblems;
    result->inner_iterations += r->inner_iterations;
    result->solve_seconds += r->solve_seconds;
    result->cpu_seconds += r->cpu_seconds;
    result->qp_seconds += r->qp_seconds;
    result->derivative_seconds += r->derivative_seconds;
    result->value_seconds += r->value_seconds;
    snprintf (account, sizeof account, "%.150s; %s: %s%.6g", result->message, member_names[m],
              is_solved (r) ? "" : "not solved, at ", course.objective[m]);
    snprintf (result->message, sizeof result->message, "%s", account);
  }
  snprintf (account, sizeof account, "%.200s; won by %s", result->message, member_names[course.best]);
  snprintf (result->message, sizeof result->message, "%s", account);
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
