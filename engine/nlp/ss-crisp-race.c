/* engine/nlp/ss-crisp-race.c: see the header. */
#include "nlp/ss-crisp-race-private.h"

#include "core/ss-work.h"
#include "nlp/ss-coarse.h"
#include "nlp/ss-crisp-private.h"
#include "nlp/ss-interior.h"
#include "nlp/ss-noisy-start.h"
#include "nlp/ss-scholtes.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static const double EQUAL_COST = 1e-5; /* of 1 + |J| */
static const double FEASIBLE = 1e-6;   /* violation of a point that keeps its rows */
/* Where nobody has an answer the homotopy gets that many times the work so far, and so much at least [s]. */
static const double LAST = 10, LAST_LEAST = 0.2;
enum { RELAXED_MOST = 240 }; /* iterations: where it finds contacts at all, it does so in fewer */
enum { DEFAULT_MOST = 1000 };
enum { NEAR_MOST = 10 };    /* iterations: a start that is nearly an answer takes fewer     */
enum { MOST_TRIES = 5000 }; /* starts of the search: a small problem has been seen from everywhere then */
enum { FIRST_TRIES = 4 };   /* of them where there is no answer yet */

#define FIELD(field) offsetof (SsCrispOptions, field)

static void
set_options (SsCrispOptions *o, Member member)
{
  static const SsOptionValue mended[] = {{FIELD (finish), true}, {FIELD (mu0), 30}};
  static const SsOptionValue by_default[] = {{FIELD (finish), true}};
  static const SsOptionValue relaxed[] = {{FIELD (finish), true},
                                          {FIELD (finish_from), 0.02},
                                          {FIELD (relax), 10},
                                          {FIELD (relax_factor), 0.1},
                                          {FIELD (mu0), 30}};
  static const struct {
    const SsOptionValue *values;
    int n;
  } settings[N_MEMBERS] = {
      [MENDED] = {mended, sizeof mended / sizeof *mended},
      [DEFAULT] = {by_default, sizeof by_default / sizeof *by_default},
      [RELAXED] = {relaxed, sizeof relaxed / sizeof *relaxed},
  };

  ss_options_init (&ss_crisp_option_table, o);
  ss_options_give (&ss_crisp_option_table, o, settings[member].values, settings[member].n);
  o->k_max = member == DEFAULT ? o->k_max : RELAXED_MOST;
  o->restarts = member == DEFAULT ? o->restarts : 0;
}

static void
race_free (void *data)
{
  Race *race = data;

  if (race == NULL)
    return;
  ss_mpcc_eval_free (race->eval);
  ss_free (race->c);
  ss_free (race->x_best);
  ss_free (race->y_best);
  ss_free (race->starts);
  for (int i = 0; i < SS_MODEL_THREADS; i++)
    if (race->interior[i] != NULL)
      ss_nlp_interior.free_ (race->interior[i]);
  for (int m = 0; m < N_MEMBERS; m++)
    if (race->crisp[m] != NULL)
      ss_nlp_crisp.free_ (race->crisp[m]);
  if (race->scholtes != NULL)
    ss_nlp_scholtes.free_ (race->scholtes);
  if (race->coarse != NULL)
    ss_nlp_coarse.free_ (race->coarse);
  ss_free (race);
}

static SsStatus
race_new (const SsMpcc *mpcc, const void *options, void **solver, SsError *err)
{
  static const SsModelRaceOptions by_default = {.threads = 1, .improve = 1, .seed = 1};
  Race *race = ss_new (Race);
  const size_t n = (size_t)ss_mpcc_n_variables (mpcc);

  *solver = NULL;
  if (race == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory for the race");
  race->mpcc = mpcc;
  race->o = options != NULL ? *(const SsModelRaceOptions *)options : by_default;
  race->o.threads = race->o.threads < SS_MODEL_THREADS ? race->o.threads : SS_MODEL_THREADS;
  SsStatus status = ss_mpcc_eval_new (mpcc, &race->eval, err);
  race->c = ss_new_array (double, ss_mpcc_n_rows (mpcc) + 1);
  race->y_best = ss_new_array (double, ss_mpcc_n_rows (mpcc) + 1);
  race->x_best = ss_new_array (double, n + 1);
  race->starts = ss_new_array (double, n *(size_t)race->o.threads + 1);
  if (status == SS_OK && (race->c == NULL || race->y_best == NULL || race->x_best == NULL || race->starts == NULL))
    status = ss_error_set (err, SS_ERR_MEMORY, "out of memory for the race");
  if (status == SS_OK)
    status = ss_nlp_interior.new_ (mpcc, NULL, &race->interior[0], err);
  if (status != SS_OK) {
    race_free (race);
    return status;
  }
  *solver = race;
  return SS_OK;
}

/* Whether a comes in the place of b: solved before not solved; of two that are not, the one that violates its rows by
 * less, if any does; of two that are, the lower where it is proved too or b is not; of equals one that is proved. */
static bool
is_better (const SsNlpResult *a, const End *end_a, const SsNlpResult *b, const End *end_b)
{
  const double objective_a = end_a->objective, objective_b = end_b->objective;
  const bool is_equal = fabs (objective_a - objective_b) <= EQUAL_COST * (1 + fabs (objective_b)),
             is_proved_a = a->finish.is_b_stationary, is_proved_b = b->finish.is_b_stationary;

  if (is_solved (a) != is_solved (b))
    return is_solved (a);
  if (!is_solved (a) && fmax (end_a->violation, end_b->violation) > FEASIBLE)
    return end_a->violation < end_b->violation;
  if (is_solved (a) && is_proved_a != is_proved_b)
    return is_proved_a && (is_equal || objective_a < objective_b);
  return objective_a < objective_b;
}

/* ---- one round of members ---------------------------------------------------------------------------------------- */

typedef struct {
  Member member;
  const double *x0;
  int slot; /* which interior point */
  const SsNlpClass *class_;
  void *solver;
  SsRunControl *control; /* the race's, or: */
  SsRunControl own;      /* of a thread */
  bool has_thread;
  atomic_bool is_done;
  double work; /* counted on its thread */
  SsNlpResult result;
  SsStatus status;
  SsError error;
} Task;

/* Those that are never wanted are never made. The few iterations are the first of the defaults'. */
static SsStatus
make_solver (Race *race, Task *task, double enough, SsError *err)
{
  const Member m = task->member, made = m == NEAR ? DEFAULT : m;
  SsStatus status = SS_OK;

  if (m == INTERIOR || m == AROUND || m == FARTHER) {
    void **interior = &race->interior[task->slot];
    task->class_ = &ss_nlp_interior;
    if (*interior == NULL)
      status = ss_nlp_interior.new_ (race->mpcc, NULL, interior, err);
    task->solver = *interior;
  } else if (m == SCHOLTES) {
    SsScholtesOptions o;
    task->class_ = &ss_nlp_scholtes;
    ss_options_init (ss_nlp_scholtes.options, &o);
    o.finish = true;
    if (race->scholtes == NULL)
      status = ss_nlp_scholtes.new_ (race->mpcc, &o, &race->scholtes, err);
    task->solver = race->scholtes;
  } else if (m == COARSE) {
    task->class_ = &ss_nlp_coarse;
    if (race->coarse == NULL)
      status = ss_nlp_coarse.new_ (race->mpcc, NULL, &race->coarse, err);
    task->solver = race->coarse;
    if (race->coarse != NULL)
      ss_coarse_prepare (race->coarse, race->model, enough, race->o.seed);
  } else {
    SsCrispOptions o;
    task->class_ = &ss_nlp_crisp;
    if (race->crisp[made] == NULL) {
      set_options (&o, made);
      status = ss_nlp_crisp.new_ (race->mpcc, &o, &race->crisp[made], err);
    }
    SsCrisp *crisp = task->solver = race->crisp[made];
    if (crisp != NULL) {
      crisp->o.k_max = m == NEAR ? NEAR_MOST : m == DEFAULT ? DEFAULT_MOST : crisp->o.k_max;
      crisp->enough = enough;
    }
  }
  return status;
}

static void *
work_on (void *data)
{
  Task *task = data;
  const double before = ss_work_thread ();

  task->status = task->class_->solve (task->solver, task->x0, task->control, &task->result, &task->error);
  task->work = ss_work_thread () - before;
  atomic_store (&task->is_done, true);
  return NULL;
}

/* What ends or halts the race ends or halts the members on threads of their own. */
static void
pass_on (Course *course, Task *tasks, int n)
{
  const struct timespec nap = {.tv_nsec = 2 * 1000 * 1000}; /* 2 ms: short beside what a thread is worth */

  for (bool is_working = true; is_working;) {
    is_working = false;
    for (int i = 1; i < n; i++) {
      Task *task = &tasks[i];
      const int asked = atomic_load (&course->control->cancel);
      if (!task->has_thread || atomic_load (&task->is_done))
        continue;
      is_working = true;
      if (asked != 0)
        ss_run_control_stop (&task->own, (SsOutcome)asked);
      atomic_store (&task->own.pause, atomic_load (&course->control->pause));
      atomic_store (&task->own.stop_members, atomic_load (&course->control->stop_members));
    }
    if (is_working)
      nanosleep (&nap, NULL);
  }
}

static double
used (const Course *course)
{
  return ss_work_thread () - course->work;
}

static double
violation_at (Race *race, const double *x)
{
  const int n_eq = ss_mpcc_n_equalities (race->mpcc);
  double worst = 0;

  ss_mpcc_rows (race->eval, x, race->c);
  for (int i = 0; i < ss_mpcc_n_rows (race->mpcc); i++) {
    const double violation = i < n_eq ? fabs (race->c[i]) : -race->c[i];
    worst = violation <= worst ? worst : violation; /* NaN too */
  }
  return worst;
}

static bool
has_answer (const Course *course)
{
  return course->best >= 0 && is_solved (&course->answer);
}

/* What a member has to do better than; where costs may be negative, nobody can say early that it will not. */
static double
known_answer (const Course *course)
{
  return has_answer (course) && course->answer_end.objective > 0 ? course->answer_end.objective : INFINITY;
}

static void
take_answer (Course *course, Member m)
{
  Race *race = course->race;
  const SsNlpResult *r = &course->each[m];

  course->best = (int)m;
  course->answer_end = course->end[m];
  course->answer = *r;
  memmove (race->x_best, r->x, (size_t)ss_mpcc_n_variables (race->mpcc) * sizeof *r->x);
  course->answer.x = race->x_best;
  if (r->multipliers != NULL)
    memmove (race->y_best, r->multipliers, (size_t)ss_mpcc_n_rows (race->mpcc) * sizeof *r->multipliers);
  course->answer.multipliers = r->multipliers != NULL ? race->y_best : NULL;
}

/* The answer as if the race ended now. */
static SsNlpResult
answer_so_far (const Course *course)
{
  SsNlpResult result = course->answer;

  ss_nlp_result_account (&result, &course->sum);
  result.solve_seconds = ss_clock_wall () - course->start;
  result.members = course->race->members;
  result.n_members = N_MEMBERS;
  return result;
}

/* What a member came to, and whether it is the best. */
static void
take_result (Course *course, const Task *task)
{
  Race *race = course->race;
  const Member m = task->member;
  const SsNlpResult *r = &task->result;
  const End end = {ss_mpcc_objective (race->eval, r->x), violation_at (race, r->x)};

  ss_nlp_result_add (&course->sum, r);
  race->members[m].cpu += r->cpu_seconds;
  const bool is_new = course->best < 0 || is_better (r, &end, &course->answer, &course->answer_end);
  if (!course->has_run[m] || is_new || is_better (r, &end, &course->each[m], &course->end[m])) {
    course->each[m] = *r;
    course->end[m] = end;
  }
  course->has_run[m] = true;
  if (is_new)
    take_answer (course, m);
  course->each[m].x = course->each[m].multipliers = NULL; /* its solver's, which goes on */
  ss_model_race_end (course, m);
  if (is_new && is_solved (r)) { /* to be kept, and the answer where the run is ended from outside */
    const SsNlpResult answer = answer_so_far (course);
    ss_run_control_emit_solved (course->control, &answer);
    ss_run_control_emit_iterate (course->control, course->iterations > 0 ? course->iterations - 1 : 0, answer.x,
                                 ss_mpcc_n_variables (race->mpcc));
  }
  ss_model_race_tell (course);
}

/* Runs n members at once, the first on this thread, each with its share of what is left. */
static SsStatus
run_round (Course *course, Task *tasks, int n, double most, SsError *err)
{
  SsRunControl *control = course->control;
  const double outer = control->work_limit,
               left = fmin (fmin (course->end_at - used (course), outer - ss_work_thread ()), most);
  pthread_t threads[SS_MODEL_THREADS];
  SsStatus status = SS_OK;

  for (int i = 0; i < n && status == SS_OK; i++)
    status = make_solver (course->race, &tasks[i], known_answer (course), err);
  if (status != SS_OK)
    return status;
  for (int i = 0; i < n; i++)
    ss_model_race_begin (course, tasks[i].member);
  for (int i = 1; i < n; i++) {
    Task *task = &tasks[i];
    ss_run_control_init (&task->own);
    ss_run_control_inherit (&task->own, control);
    task->own.work_limit = left / n;
    task->own.stops_at = 1u << task->member;
    task->control = &task->own;
    task->has_thread = pthread_create (&threads[i], NULL, work_on, task) == 0;
  }
  for (int i = 0; i < n; i++) {
    if (tasks[i].has_thread)
      continue;
    tasks[i].control = control;
    control->work_limit = fmin (outer, ss_work_thread () + left / n);
    ss_model_race_listen (course, tasks[i].member);
    work_on (&tasks[i]);
    ss_model_race_unlisten (course);
    control->work_limit = outer;
  }
  pass_on (course, tasks, n);
  for (int i = 1; i < n; i++) {
    if (!tasks[i].has_thread)
      continue;
    pthread_join (threads[i], NULL);
    ss_work_add (tasks[i].work);
  }
  for (int i = 0; i < n; i++) {
    if (tasks[i].status == SS_OK) {
      take_result (course, &tasks[i]);
    } else if (status == SS_OK) {
      status = tasks[i].status;
      if (err != NULL)
        *err = tasks[i].error;
    }
  }
  return status;
}

/* ---- the race ---------------------------------------------------------------------------------------------------- */

/* A start of the search: noise of the size of the best answer's variables, round it or round the guess. */
static void
make_start (Course *course, int number, Task *task, double *x0)
{
  static const struct {
    bool is_guess;
    double noise;
  } kinds[] = {{false, 0.3}, {true, 1}, {false, 1}, {false, 0.1}};
  const int kind = number % (int)(sizeof kinds / sizeof *kinds);
  const Race *race = course->race;

  ss_noisy_start (ss_mpcc_n_variables (race->mpcc), kinds[kind].is_guess ? course->guess : race->x_best, race->x_best,
                  kinds[kind].noise, (uint64_t)race->o.seed, number, x0);
  task->member = kinds[kind].is_guess ? FARTHER : AROUND;
  task->x0 = x0;
}

static bool
is_over (Course *course)
{
  SsOutcome why;
  return used (course) >= course->end_at || ss_run_control_should_stop (course->control, &why);
}

static bool
is_stopped (const Course *course, Member m)
{
  return (atomic_load (&course->control->stop_members) & 1u << m) != 0;
}

/* Whether coarser grids of time points are still to be tried. */
static bool
wants_grids (const Course *course)
{
  return ss_model_race_has_grids (course->race) && !course->has_run[COARSE] && !is_stopped (course, COARSE);
}

/* Of the members that run once in the search, the next; N_MEMBERS: none now. */
static Member
choose_once (const Course *course)
{
  static const struct {
    Member member;
    int after;    /* starts */
    double worth; /* at least that many times what ten iterations cost must be left */
  } once[] = {{COARSE, 0, 2}, {DEFAULT, 0, 4}, {RELAXED, 4, 8}, {SCHOLTES, 24, 100}};
  const double left = course->end_at - used (course);

  for (size_t i = 0; i < sizeof once / sizeof *once; i++)
    if (!course->has_run[once[i].member] && (once[i].member != COARSE || wants_grids (course)) &&
        course->n_started >= once[i].after && left >= once[i].worth * course->near_work)
      return once[i].member;
  return N_MEMBERS;
}

/* From the best to better ones, until the work is used up or that many starts were tried; to a first answer if there is
 * none. */
static SsStatus
search_on (Course *course, int most, SsError *err)
{
  Race *race = course->race;
  const size_t n = (size_t)ss_mpcc_n_variables (race->mpcc);
  const bool is_first = !has_answer (course);
  SsStatus status = SS_OK;

  while (status == SS_OK && course->n_started < most && !is_over (course) && !(is_first && has_answer (course))) {
    Task tasks[SS_MODEL_THREADS] = {0};
    int n_tasks = 0;
    const Member once = is_first ? N_MEMBERS : choose_once (course);

    if (once == SCHOLTES) {
      status = run_round (course, &(Task){.member = once, .x0 = race->x_best}, 1, INFINITY, err);
      continue;
    }
    if (once != N_MEMBERS)
      tasks[n_tasks++] = (Task){.member = once, .x0 = course->guess};
    while (n_tasks < race->o.threads) {
      Task *task = &tasks[n_tasks];
      task->slot = n_tasks;
      make_start (course, course->n_started++, task, race->starts + n * (size_t)n_tasks);
      if (is_stopped (course, task->member) && is_stopped (course, task->member == AROUND ? FARTHER : AROUND))
        return SS_OK;
      n_tasks++;
    }
    status = run_round (course, tasks, n_tasks, INFINITY, err);
  }
  return status;
}

/* Each once, as many at a time as there are threads. */
static SsStatus
run_all (Course *course, Task *tasks, int n, SsError *err)
{
  const int width = course->race->o.threads;
  SsStatus status = SS_OK;

  for (int i = 0; i < n && status == SS_OK && (i == 0 || !is_over (course)); i += width)
    status = run_round (course, tasks + i, width < n - i ? width : n - i, INFINITY, err);
  return status;
}

/* Members that look for an answer at all, until one has it. */
static SsStatus
find_first (Course *course, SsError *err)
{
  Race *race = course->race;
  Task first[] = {{.member = NEAR, .x0 = course->guess}, {.member = INTERIOR, .x0 = course->guess}},
       then[] = {{.member = MENDED, .x0 = race->starts}, {.member = DEFAULT, .x0 = course->guess}};
  SsStatus status = run_all (course, first, 2, err);

  course->near_work = first[0].work;
  if (status != SS_OK || has_answer (course) || is_over (course))
    return status;
  if (wants_grids (course)) /* half of what is left: noise finds what it does not */
    status = run_round (course, &(Task){.member = COARSE, .x0 = course->guess}, 1, (course->end_at - used (course)) / 2,
                        err);
  if (status != SS_OK || has_answer (course) || is_over (course))
    return status;
  status = search_on (course, FIRST_TRIES, err);
  if (status != SS_OK || has_answer (course) || is_over (course))
    return status;
  memcpy (race->starts, race->x_best, (size_t)ss_mpcc_n_variables (race->mpcc) * sizeof (double));
  status = run_all (course, then, 2, err);
  if (status == SS_OK && !has_answer (course) && !is_over (course))
    status = run_round (course, &(Task){.member = SCHOLTES, .x0 = course->guess}, 1,
                        fmax (LAST_LEAST * SS_MODEL_RACE_SECOND, LAST * used (course)), err);
  return status;
}

/* Without a budget: what the search may use, by what the first answer took. CRISP's defaults come first and take what
 * they need, until they hardly get below the answer: it is seldom dearer than theirs would be. */
static SsStatus
measure_search (Course *course, SsError *err)
{
  const Race *race = course->race;
  const double first = used (course);
  SsStatus status = SS_OK;

  if (!(race->o.improve > 0) || ss_mpcc_n_pairs (race->mpcc) == 0) {
    course->end_at = 0;
    return SS_OK;
  }
  if (wants_grids (course) && !is_over (course))
    status = run_round (course, &(Task){.member = COARSE, .x0 = course->guess}, 1, INFINITY, err);
  if (status == SS_OK && !course->has_run[DEFAULT] && !is_stopped (course, DEFAULT) && !is_over (course))
    status = run_round (course, &(Task){.member = DEFAULT, .x0 = course->guess}, 1, INFINITY, err);
  course->end_at = used (course) + race->o.improve * first;
  return status;
}

/* Where nobody has solved: the outcome and account of the member that tried longest, whatever its point, as short
 * members end by their limits; a point that keeps its rows is not infeasible. */
static void
take_longest (const Course *course, SsNlpResult *result)
{
  static const Member longest[] = {DEFAULT, MENDED, RELAXED};

  if (is_solved (result) || ss_outcome_is_early (result->outcome))
    return;
  const bool is_kept = course->answer_end.violation <= FEASIBLE;
  if (is_kept && result->outcome == SS_OUTCOME_INFEASIBLE)
    result->outcome = SS_OUTCOME_STALLED;
  for (size_t i = 0; i < sizeof longest / sizeof *longest; i++) {
    const SsNlpResult *r = &course->each[longest[i]];
    const bool is_claim = course->has_run[longest[i]] && r->outcome == SS_OUTCOME_INFEASIBLE;
    if (is_kept ? is_claim || longest[i] != DEFAULT : !is_claim && longest[i] != DEFAULT)
      continue;
    if (!course->has_run[longest[i]])
      continue;
    result->outcome = r->outcome;
    snprintf (result->message, sizeof result->message, "%s", r->message);
    if (is_claim)
      break;
  }
}

static SsStatus
race_solve (void *data, const double *x0, SsRunControl *control, SsNlpResult *result, SsError *err)
{
  Race *race = data;
  const double budget = race->o.budget > 0 ? race->o.budget * SS_MODEL_RACE_SECOND : INFINITY;
  Course course = {.race = race,
                   .best = -1,
                   .guess = x0,
                   .start = ss_clock_wall (),
                   .work = ss_work_thread (),
                   .end_at = budget,
                   .sum = {.linear_seconds = NAN}};
  SsRunControl silent;
  SsOutcome why;

  if (control == NULL) {
    ss_run_control_init (&silent);
    control = &silent;
  }
  course.control = control;
  course.progress = control->progress;
  course.user_data = control->user_data;
  ss_model_race_enter (&course);
  SsStatus status = find_first (&course, err);
  if (status != SS_OK)
    return status;
  if (has_answer (&course) && !isfinite (budget))
    status = measure_search (&course, err);
  if (status == SS_OK && has_answer (&course))
    status = search_on (&course, MOST_TRIES, err);
  if (status != SS_OK)
    return status;
  ss_model_race_close (&course);
  *result = answer_so_far (&course);
  take_longest (&course, result);
  if (!is_solved (result) && ss_run_control_should_stop (control, &why))
    result->outcome = why;
  else if (!is_solved (result) && used (&course) >= budget)
    result->outcome = SS_OUTCOME_CPU_LIMIT;
  for (int m = 0; m < N_MEMBERS; m++) {
    const SsNlpResult *r = &course.each[m];
    if (m == course.best || !course.has_run[m])
      continue;
    ss_nlp_result_tell (result, "; %s: %s%.6g", ss_model_race_words (m), is_solved (r) ? "" : "not solved, at ",
                        course.end[m].objective / ss_mpcc_objective_scale (race->mpcc));
  }
  ss_nlp_result_tell (result, "; won by %s", ss_model_race_words (course.best));
  return SS_OK;
}

static void
race_see_model (void *data, const SsScenario *model)
{
  ((Race *)data)->model = model;
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
    .see_model = race_see_model,
};
