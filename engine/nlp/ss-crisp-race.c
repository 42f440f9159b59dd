/* engine/nlp/ss-crisp-race.c: see the header. */
#include "nlp/ss-crisp-race.h"

#include "core/ss-members.h"
#include "nlp/ss-crisp-private.h"
#include "nlp/ss-interior.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Share of the pairs that may be zero on both sides in an answer that ends the race. */
static const double FEW_BIACTIVE = 0.5;
/* An answer that costs more than this times what its way did before rows were forced may have lost contacts that were
 * worth it. */
static const double DEARER = 2;
static const double EQUAL_COST = 1e-5; /* of 1 + |J| */
static const double FEASIBLE = 1e-6;   /* violation of a point that keeps its rows */
enum { RELAXED_MOST = 240 };           /* iterations: where it finds contacts at all, it does so in fewer */

enum { DEFAULT_MOST = 1000 };
enum { NEAR_MOST = 10 }; /* iterations: a start that is nearly an answer takes fewer     */

typedef enum { NEAR, INTERIOR, MENDED, DEFAULT, RELAXED, N_MEMBERS } Member;

/* In the message; as others see them. */
static const struct {
  const char *words, *name, *label, *summary;
} specs[N_MEMBERS] = {
    [NEAR] = {"a few iterations of CRISP", "near", "A Few Iterations",
              "CRISP's defaults for ten iterations: enough from a start that is nearly an answer"},
    [INTERIOR] = {"the interior point", "interior", "Interior Point",
                  "An interior point on relaxed products with the exact Hessian, then the second-order finish"},
    [MENDED] = {"CRISP from the interior point's end", "mended", "From the Interior Point",
                "CRISP from where the interior point ended without an answer, then the finish"},
    [DEFAULT] = {"CRISP's defaults", "default", "CRISP's Defaults", "CRISP by its defaults, then the finish"},
    [RELAXED] = {"CRISP with products first relaxed", "relaxed", "Relaxed Products",
                 "CRISP with products first relaxed, then the finish"},
};

enum { MAX_COLUMNS = 16 };
static const double TELL = 0.2; /* how often the listener is told where the member is that works [s] */

typedef struct {
  const SsMpcc *mpcc;
  SsMpccEval *eval;
  double *c; /* rows */
  void *interior;
  void *crisp[N_MEMBERS]; /* SsCrisp; NULL: not made yet, and of the first two */
  SsMember members[N_MEMBERS];
} Race;

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
  if (status == SS_OK && (race->c = ss_new_array (double, ss_mpcc_n_rows (mpcc) + 1)) == NULL)
    status = ss_error_set (err, SS_ERR_MEMORY, "out of memory for the race");
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

static bool
is_interrupted (const SsNlpResult *r)
{
  return ss_outcome_is_early (r->outcome);
}

/* What a member came to. */
typedef struct {
  double objective, violation; /* at its end */
} End;

/* Solved before not solved; of two that are not, the one that violates its rows by less, if any does; of two that are
 * solved and as good as equal, one that is proved; else the lower. */
static bool
is_better (const SsNlpResult *a, const End *end_a, const SsNlpResult *b, const End *end_b)
{
  const double objective_a = end_a->objective, objective_b = end_b->objective;
  const bool is_equal = fabs (objective_a - objective_b) <= EQUAL_COST * (1 + fabs (objective_b));

  if (is_solved (a) != is_solved (b))
    return is_solved (a);
  if (!is_solved (a) && fmax (end_a->violation, end_b->violation) > FEASIBLE)
    return end_a->violation < end_b->violation;
  return is_equal && a->finish.is_b_stationary != b->finish.is_b_stationary ? a->finish.is_b_stationary
                                                                            : objective_a < objective_b;
}

typedef struct {
  Race *race;
  SsNlpResult each[N_MEMBERS];
  End end[N_MEMBERS];
  bool has_run[N_MEMBERS];
  int best;   /* -1: none has run */
  int member; /* that works now */
  /* the listener of the race, which hears of its members through it; progress NULL: nobody */
  SsRunControl *control;
  SsProgressFunc progress;
  void *user_data;
  double start, told_at;
  int iterations; /* told so far */
} Course;

/* ---- what others see --------------------------------------------------------------------------------------------- */

static void
tell_members (Course *course)
{
  SsProgress told = {.kind = SS_PROGRESS_MEMBERS, .members = course->race->members, .n_members = N_MEMBERS};

  course->told_at = ss_clock_wall ();
  if (course->progress != NULL)
    course->progress (course->user_data, &told);
}

/* An iteration gets its member's number and one that is the race's; an iterate is passed on as long as no member has
 * solved. */
static void
hear_member (void *user_data, const SsProgress *progress)
{
  Course *course = user_data;
  SsMember *member = &course->race->members[course->member];
  SsColumn columns[MAX_COLUMNS + 1];
  SsProgress told = *progress;

  if (progress->kind == SS_PROGRESS_ITERATION) {
    told.n_columns = progress->n_columns < MAX_COLUMNS ? progress->n_columns : MAX_COLUMNS;
    memcpy (columns, progress->columns, (size_t)told.n_columns * sizeof *columns);
    columns[told.n_columns++] = (SsColumn){"member", course->member + 1};
    told.columns = columns;
    told.iteration = course->iterations++;
    member->objective = ss_progress_column (progress, "objective");
    member->violation = ss_progress_column (progress, "violation");
  } else if (progress->kind == SS_PROGRESS_ITERATE) {
    if (course->best >= 0 && is_solved (&course->each[course->best]))
      return;
    told.iteration = course->iterations > 0 ? course->iterations - 1 : 0;
  }
  course->progress (course->user_data, &told);
  if (progress->kind == SS_PROGRESS_ITERATION && ss_clock_wall () - course->told_at >= TELL)
    tell_members (course);
}

static void
enter_members (Course *course)
{
  for (int m = 0; m < N_MEMBERS; m++) {
    SsMember *member = &course->race->members[m];
    *member = (SsMember){.summary = specs[m].summary,
                         .state = SS_MEMBER_WAITING,
                         .began = NAN,
                         .ended = NAN,
                         .found = NAN,
                         .tenth = NAN,
                         .objective = NAN,
                         .violation = NAN,
                         .solution = -1};
    snprintf (member->name, sizeof member->name, "%s", specs[m].name);
    snprintf (member->label, sizeof member->label, "%s", specs[m].label);
  }
}

static void
begin_member (Course *course, Member m)
{
  SsRunControl *control = course->control;

  course->member = (int)m;
  course->race->members[m].state = SS_MEMBER_RUNNING;
  course->race->members[m].began = ss_clock_wall () - course->start;
  tell_members (course);
  if (control == NULL)
    return;
  control->stops_at = 1u << m;
  if (course->progress != NULL) {
    control->progress = hear_member;
    control->user_data = course;
  }
}

/* The listener hears of the race itself again. */
static void
restore_control (Course *course)
{
  if (course->control == NULL)
    return;
  course->control->stops_at = 0;
  course->control->progress = course->progress;
  course->control->user_data = course->user_data;
}

static void
end_member (Course *course, Member m)
{
  SsMember *member = &course->race->members[m];
  const SsNlpResult *r = &course->each[m];

  member->ended = ss_clock_wall () - course->start;
  member->cpu = r->cpu_seconds;
  member->objective = course->end[m].objective;
  member->state = is_solved (r) ? SS_MEMBER_SOLVED : is_interrupted (r) ? SS_MEMBER_STOPPED : SS_MEMBER_GAVE_UP;
  if (is_solved (r))
    member->found = member->ended;
  else
    snprintf (member->reason, sizeof member->reason, "%.*s", (int)strcspn (r->message, ";"), r->message);
  for (int i = 0; i < N_MEMBERS; i++)
    course->race->members[i].is_best = i == course->best && is_solved (&course->each[i]);
  if (course->best == (int)m && is_solved (r)) /* to be looked at, and the answer where the run is ended from outside */
    ss_run_control_emit_iterate (course->control, course->iterations > 0 ? course->iterations - 1 : 0, r->x,
                                 ss_mpcc_n_variables (course->race->mpcc));
  tell_members (course);
}

/* What is known of the members at the end. */
static void
close_members (Course *course)
{
  for (int m = 0; m < N_MEMBERS; m++) {
    SsMember *member = &course->race->members[m];
    member->is_best = m == course->best;
    member->solution = m == course->best ? 0 : -1;
    if (course->has_run[m])
      continue;
    member->state = SS_MEMBER_STOPPED;
    snprintf (member->reason, sizeof member->reason, "was not needed after those before it");
  }
}

/* ---- the race ---------------------------------------------------------------------------------------------------- */

/* CRISP with a member's options; those that are never wanted are never made. The few iterations are the first of the
 * defaults'. */
static SsStatus
make_crisp (Race *race, Member m, SsCrisp **out, SsError *err)
{
  const Member made = m == NEAR ? DEFAULT : m;
  SsCrispOptions o;
  SsStatus status = SS_OK;

  if (race->crisp[made] == NULL) {
    set_options (&o, made);
    status = ss_nlp_crisp.new_ (race->mpcc, &o, &race->crisp[made], err);
  }
  *out = race->crisp[made];
  return status;
}

/* What a member has to do better than; where costs may be negative, nobody can say early that it will not. */
static double
known_answer (const Course *course)
{
  const bool is_known = course->best >= 0 && is_solved (&course->each[course->best]);

  return is_known && course->end[course->best].objective > 0 ? course->end[course->best].objective : INFINITY;
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

static SsStatus
run_member (Race *race, Course *course, Member m, const double *x0, SsRunControl *control, SsError *err)
{
  SsNlpResult *r = &course->each[m];
  SsCrisp *crisp = NULL;
  SsStatus status = m == INTERIOR ? SS_OK : make_crisp (race, m, &crisp, err);
  if (status != SS_OK)
    return status;
  if (crisp != NULL)
    crisp->o.k_max = m == NEAR ? NEAR_MOST : m == DEFAULT ? DEFAULT_MOST : crisp->o.k_max;
  begin_member (course, m);
  if (crisp != NULL)
    crisp->enough = known_answer (course);
  status = m == INTERIOR ? ss_nlp_interior.solve (race->interior, x0, control, r, err)
                         : ss_nlp_crisp.solve (crisp, x0, control, r, err);
  restore_control (course);
  if (status != SS_OK)
    return status;
  course->has_run[m] = true;
  course->end[m] = (End){ss_mpcc_objective (race->eval, r->x), violation_at (race, r->x)};
  if (course->best < 0 || is_better (r, &course->end[m], &course->each[course->best], &course->end[course->best]))
    course->best = (int)m;
  end_member (course, m);
  return SS_OK;
}

/* Whether a member is worth its price after those that have run. */
static bool
is_wanted (const Race *race, const Course *course, Member m)
{
  const SsNlpResult *way = &course->each[INTERIOR];
  const double free_objective = ss_interior_way_objective (race->interior);
  const bool is_forced = course->end[INTERIOR].objective - free_objective > (DEARER - 1) * fabs (free_objective);
  const bool is_few = way->finish.n_biactive <= FEW_BIACTIVE * ss_mpcc_n_pairs (race->mpcc);

  if (m <= INTERIOR)
    return true;
  if (is_solved (way) && way->finish.is_b_stationary && is_few && !is_forced)
    return false;
  switch (m) {
  case MENDED:
    return !is_solved (way);
  case DEFAULT:
    return !is_solved (&course->each[NEAR]);
  default:
    return is_solved (way) && !is_few;
  }
}

/* Where nobody has solved: the outcome and account of the member that tried longest, whatever its point, as short
 * members end by their limits; a point that keeps its rows is not infeasible. */
static void
take_longest (const Course *course, SsNlpResult *result)
{
  static const Member longest[] = {DEFAULT, MENDED, RELAXED};

  if (is_solved (result) || is_interrupted (result))
    return;
  const bool is_kept = course->end[course->best].violation <= FEASIBLE;
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
  Course course = {.race = race, .best = -1, .control = control, .start = ss_clock_wall ()};
  char account[sizeof result->message];
  SsOutcome why;

  if (control != NULL) {
    course.progress = control->progress;
    course.user_data = control->user_data;
  }
  enter_members (&course);

  for (int m = 0; m < N_MEMBERS; m++) {
    if (!is_wanted (race, &course, (Member)m))
      continue;
    SsStatus status = run_member (race, &course, (Member)m, m == MENDED ? course.each[INTERIOR].x : x0, control, err);
    if (status != SS_OK)
      return status;
    if (ss_run_control_should_stop (control, &why)) /* the race, not a member alone */
      break;
  }
  close_members (&course);
  *result = course.each[course.best];
  take_longest (&course, result);
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
    snprintf (account, sizeof account, "%.150s; %s: %s%.6g", result->message, specs[m].words,
              is_solved (r) ? "" : "not solved, at ", course.end[m].objective);
    snprintf (result->message, sizeof result->message, "%s", account);
  }
  snprintf (account, sizeof account, "%.200s; won by %s", result->message, specs[course.best].words);
  snprintf (result->message, sizeof result->message, "%s", account);
  result->members = race->members;
  result->n_members = N_MEMBERS;
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
