/* engine/nlp/ss-finish.c: see ss-finish.h. */
#include "nlp/ss-finish.h"

#include "nlp/ss-branch.h"
#include "nlp/ss-lpcc.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double FEASIBLE = 1e-8; /* violation of an answer, unless the start's was larger                  */
static const double NEARLY = 1e-6;   /* violation of a start whose objective counts                             */
static const double ACTIVITY = 1e-6; /* a side up to this is zero                                              */
static const double EQUAL = 0.1;     /* of the tolerance: what a branch may end higher to be as good                */
static const double LESS = 1e-9;     /* part of 1 + |J| by which a round must improve                          */
static const double SLOPE = 1e-3; /* of what the variables could do: more is a slope that nothing stops, not rounding */
static const double FIRST_MU = 1e-3, NEXT_MU = 1e-4, CLOSE_MU = 1e-7;
static const double MULTIPLIER_FACTOR = 10, MOST_PENALTY = 1e6;
enum { MAX_NODES = 40, MAX_TURNS = 4, DOUBLINGS = 40 };

struct SsFinish {
  const SsMpcc *mpcc;
  SsBounds bounds;
  SsMpccEval *eval;
  SsBranch *branch;
  SsLpcc *lpcc;
  int n, n_rows, n_pairs;
  double *x, *c, *y, *gradient, *trial;
  signed char *zero;
  double least_penalty; /* of this run */
  double most;          /* what the variables could change the objective by at x, each within the box alone */
};

const char ss_finish_summary[] =
    "Whether an answer is finished. The finish solves the smooth problem of the answer's contact sequence with "
    "second derivatives, looks for branches that descend by linear programs with complementarity, goes on in such a "
    "branch, and proves the answer B-stationary where no branch descends. Takes longer.";

void
ss_finish_options_init (SsFinishOptions *options)
{
  SS_ASSERT (options != NULL);
  *options = (SsFinishOptions){.rho = 0.1, .tolerance = 1e-6, .max_rounds = 40, .penalty = 100, .box = INFINITY};
}

SsStatus
ss_finish_new (const SsMpcc *mpcc, SsFinish **out, SsError *err)
{
  SS_ASSERT (out != NULL);

  SsFinish *f = ss_new (SsFinish);
  SsStatus status = SS_ERR_MEMORY;

  *out = NULL;
  if (f == NULL)
    return ss_error_set (err, status, "out of memory for the finish");
  f->mpcc = mpcc;
  f->n = ss_mpcc_n_variables (mpcc);
  f->n_rows = ss_mpcc_n_rows (mpcc);
  f->n_pairs = ss_mpcc_n_pairs (mpcc);
  f->x = ss_new_array (double, f->n + 1);
  f->c = ss_new_array (double, f->n_rows + 1);
  f->y = ss_new_array (double, f->n_rows + 1);
  f->gradient = ss_new_array (double, f->n + 1);
  f->trial = ss_new_array (double, f->n + 1);
  f->zero = ss_new_array (signed char, f->n_pairs + 1);
  if (f->x == NULL || f->trial == NULL || f->gradient == NULL || f->c == NULL || f->y == NULL || f->zero == NULL) {
    ss_error_set (err, status, "out of memory for the finish");
    goto fail;
  }
  if ((status = ss_bounds_init (&f->bounds, mpcc, SS_BOUNDS_EXACT, err)) != SS_OK ||
      (status = ss_mpcc_eval_new (mpcc, &f->eval, err)) != SS_OK ||
      (status = ss_branch_new (mpcc, &f->bounds, false, &f->branch, err)) != SS_OK ||
      (status = ss_lpcc_new (mpcc, &f->bounds, &f->lpcc, err)) != SS_OK)
    goto fail;
  *out = f;
  return SS_OK;

fail:
  ss_finish_free (f);
  return status;
}

void
ss_finish_free (SsFinish *f)
{
  if (f == NULL)
    return;
  ss_branch_free (f->branch);
  ss_lpcc_free (f->lpcc);
  ss_mpcc_eval_free (f->eval);
  ss_bounds_clear (&f->bounds);
  ss_free (f->x);
  ss_free (f->c);
  ss_free (f->y);
  ss_free (f->gradient);
  ss_free (f->trial);
  ss_free (f->zero);
  ss_free (f);
}

/* Largest violation of a row, from c. */
static double
violation_of (const SsFinish *f)
{
  const int n_eq = ss_mpcc_n_equalities (f->mpcc);
  double worst = 0;

  for (int i = 0; i < f->n_rows; i++)
    worst = fmax (worst, i < n_eq ? fabs (f->c[i]) : -f->c[i]);
  return worst;
}

/* The smaller side of each pair is its zero; of two that are zero, the one with the larger multiplier. */
static void
choose_sides (SsFinish *f, const double *y)
{
  const SsMpccPair *pairs = ss_mpcc_pairs (f->mpcc);
  const int n_eq = ss_mpcc_n_equalities (f->mpcc);

  for (int i = 0; i < f->n_pairs; i++) {
    const int row_a = ss_branch_zero_row (f->mpcc, i, SS_ZERO_A), row_b = ss_branch_zero_row (f->mpcc, i, SS_ZERO_B);
    if (row_a >= 0 && row_b >= 0) {
      const double a = f->c[row_a], b = f->c[row_b];
      const bool both = a <= ACTIVITY && b <= ACTIVITY && y != NULL;
      f->zero[i] = both ? (y[row_a] >= y[row_b] ? SS_ZERO_A : SS_ZERO_B) : a <= b ? SS_ZERO_A : SS_ZERO_B;
    } else { /* the known side is zero unless it is clearly larger than the product allows */
      const int known = row_a >= 0 ? row_a : row_b;
      const double side = known >= 0 ? f->c[known] : INFINITY, product = fabs (f->c[n_eq + pairs[i].product_row]);
      const bool is_zero = side <= sqrt (product) || side <= ACTIVITY;
      f->zero[i] = (row_a >= 0) == is_zero ? SS_ZERO_A : SS_ZERO_B;
    }
  }
}

static double
choose_penalty (const SsFinish *f, const double *y, double penalty)
{
  for (int i = 0; y != NULL && i < f->n_rows; i++)
    penalty = fmax (penalty, fmin (MOST_PENALTY, MULTIPLIER_FACTOR * fabs (y[i])));
  return penalty;
}

/* What counts as no descent at x: the part options->tolerance of 1 and of what the objective is worth there, but of no
 * more than the variables could change it by, each within the box alone: a constant is worth nothing. */
static double
tolerance_at (SsFinish *f, const SsFinishOptions *options, double objective)
{
  f->most = 0;
  ss_mpcc_gradient (f->eval, f->x, f->gradient);
  for (int j = 0; j < f->n; j++)
    if (f->bounds.lower[j] < f->bounds.upper[j])
      f->most += options->rho * fabs (f->gradient[j]) * fmax (1, fabs (f->x[j]));
  return options->tolerance * (1 + fmin (fabs (objective), f->most));
}

/* Solves the branch problem from x; true: x and y are its solution, which is no worse. */
static bool
solve_branch (SsFinish *f, const signed char *zero, const double *y, double mu, double need, SsRunControl *control,
              double allowed, SsFinishResult *result)
{
  SsBranchResult branch;

  ss_branch_solve (f->branch, f->x, zero, choose_penalty (f, y, f->least_penalty), mu, control, &branch);
  result->rounds++;
  result->iterations += branch.iterations;
  result->is_stopped = branch.is_stopped;
  if (!branch.is_solved || !(branch.objective < need) || !(branch.violation <= allowed))
    return false;
  ss_mpcc_rows (f->eval, branch.x, f->c); /* a side that is held may miss a bound that the branch has no row for */
  if (!(violation_of (f) <= allowed))
    return false;
  memcpy (f->x, branch.x, (size_t)f->n * sizeof (double));
  memcpy (f->y, branch.multipliers, (size_t)f->n_rows * sizeof (double));
  memmove (f->zero, zero, (size_t)f->n_pairs);
  result->objective = branch.objective;
  result->is_improved = true;
  return true;
}

/* The step p of the linear program, doubled while it pays: slopes that are small beside 1 are none for the branch
 * problem, and the way down them is long. True: x has moved. */
static bool
step_along (SsFinish *f, const SsLpccResult *program, double need, double allowed, SsFinishResult *r)
{
  double part = 1, best = need, taken = 0;

  for (int k = 0; k < DOUBLINGS; k++, part *= 2) {
    for (int j = 0; j < f->n; j++)
      f->trial[j] = f->x[j] + part * program->p[j];
    ss_mpcc_rows (f->eval, f->trial, f->c);
    const double objective = ss_mpcc_objective (f->eval, f->trial);
    bool holds = objective < best && violation_of (f) <= allowed;
    for (int j = 0; j < f->n && holds; j++)
      holds = f->trial[j] >= f->bounds.lower[j] && f->trial[j] <= f->bounds.upper[j];
    if (!holds)
      break;
    best = objective;
    taken = part;
  }
  if (taken == 0)
    return false;
  for (int j = 0; j < f->n; j++)
    f->x[j] += taken * program->p[j];
  memcpy (f->zero, program->zero, (size_t)f->n_pairs);
  ss_mpcc_rows (f->eval, f->x, f->c);
  r->objective = best;
  r->rounds++;
  return r->is_improved = true;
}

static void
describe (const SsFinish *f, SsFinishResult *r, const char *reason, double tolerance)
{
  const double scale = ss_mpcc_objective_scale (f->mpcc);

  if (r->is_b_stationary)
    snprintf (
        r->text, sizeof r->text,
        "B-stationary: within a box of %g no branch descends by more than %.1e (tolerance %.1e%s); %d pairs zero on "
        "both sides",
        r->rho, fabs (r->value) / scale, tolerance / scale, r->value < -SLOPE * f->most ? "; longer ways may" : "",
        r->n_biactive);
  else if (isnan (r->value))
    snprintf (r->text, sizeof r->text, "not verified as B-stationary: %.200s", reason);
  else
    snprintf (
        r->text, sizeof r->text,
        "not verified as B-stationary: %.120s (value %.1e in a box of %g, tolerance %.1e, %d pairs zero on both sides)",
        reason, r->value / scale, r->rho, tolerance / scale, r->n_biactive);
}

SsStatus
ss_finish_run (SsFinish *f, const double *x0, const double *y, const SsFinishOptions *options, SsRunControl *control,
               SsFinishResult *r, SsError *err)
{
  SS_ASSERT (f != NULL && options != NULL);

  const double start = ss_clock_thread_cpu ();
  const char *reason = "rounds ran out";
  char crossing[256];
  bool has_multipliers = false;
  int turns = 0;

  *r = (SsFinishResult){.value = NAN, .rho = options->rho, .x = f->x};
  f->least_penalty = options->penalty;
  memcpy (f->x, x0, (size_t)f->n * sizeof (double));
  r->objective = ss_mpcc_objective (f->eval, x0);
  ss_mpcc_rows (f->eval, x0, f->c);
  const double given = violation_of (f);
  const bool is_feasible = given <= NEARLY; /* else any solution of the branch is better */
  const double allowed = is_feasible ? fmax (FEASIBLE, given) : FEASIBLE;
  if (!ss_bounds_update (&f->bounds, crossing, sizeof crossing)) {
    describe (f, r, crossing, options->tolerance);
    r->violation = given;
    return SS_OK;
  }
  double tolerance = tolerance_at (f, options, r->objective);
  for (int j = 0; j < f->n; j++) {
    f->bounds.lower[j] = fmax (f->bounds.lower[j], fmin (0, x0[j]) - options->box);
    f->bounds.upper[j] = fmin (f->bounds.upper[j], fmax (0, x0[j]) + options->box);
  }
  choose_sides (f, y);
  /* The first solution need not be lower: the start may be lower by what its rows are violated by. */
  const double need =
      is_feasible ? r->objective + (LESS + 1e-2 * options->tolerance) * (1 + fabs (r->objective)) : INFINITY;
  if (solve_branch (f, f->zero, y, FIRST_MU, need, control, allowed, r) ||
      (is_feasible && !r->is_stopped && solve_branch (f, f->zero, y, CLOSE_MU, need, control, allowed, r)))
    has_multipliers = true;
  else
    reason = "the branch of its sides could not be solved";
  while (!r->is_stopped && (is_feasible || has_multipliers)) {
    SsLpccResult program;
    tolerance = tolerance_at (f, options, r->objective);
    const SsLpccOptions o = {options->rho, tolerance, ACTIVITY, MAX_NODES, true};
    SsStatus status = ss_lpcc_solve (f->lpcc, f->x, f->zero, has_multipliers ? f->y : y, &o, control, &program, err);
    if (status != SS_OK)
      return status;
    r->programs += program.n_nodes;
    r->n_biactive = program.n_biactive;
    r->value = fmin (0, program.bound);
    r->is_stopped = program.is_stopped;
    if (program.is_unknown)
      reason = "a pair that is zero on both sides has a side without a formula of its own";
    r->is_b_stationary = !program.is_unknown && program.bound >= -tolerance;
    if (r->is_b_stationary || program.is_unknown || r->is_stopped)
      break;
    const bool is_turn = !program.is_descent && has_multipliers && program.n_turned > 0 && turns < MAX_TURNS;
    if (!program.is_descent && !is_turn) {
      reason = has_multipliers ? "the linear program's tree was not searched to its end" : reason;
      break;
    }
    if (r->rounds >= options->max_rounds)
      break;
    /* A turn need not descend, nor a branch that does so to first order alone: where they lead to, the same point may
     * be proved. */
    const double before = r->objective, less = LESS * (1 + fabs (before));
    const double change = turns < MAX_TURNS ? EQUAL * tolerance : -less;
    /* A way that ends higher has left the neighbourhood: once more, closer to it. */
    if (!solve_branch (f, program.zero, f->y, NEXT_MU, before + change, control, allowed, r) &&
        (r->is_stopped || !solve_branch (f, program.zero, f->y, CLOSE_MU, before + change, control, allowed, r)) &&
        (r->is_stopped || is_turn || !step_along (f, &program, before - less, allowed, r))) {
      reason = is_turn ? "the linear program was not solved accurately enough"
                       : "a branch descends to first order, but its solution was not lower";
      break;
    }
    turns += r->objective > before - less;
    has_multipliers = true;
  }
  if (r->is_stopped)
    reason = "stopped";
  r->objective = ss_mpcc_objective (f->eval, f->x);
  ss_mpcc_rows (f->eval, f->x, f->c);
  r->violation = violation_of (f);
  if (!(r->violation <= fmax (NEARLY, allowed))) {
    r->is_b_stationary = false;
    reason = "its rows are violated";
  }
  describe (f, r, reason, tolerance);
  r->cpu_seconds = ss_clock_thread_cpu () - start;
  return SS_OK;
}

void
ss_finish_tell (const SsFinishResult *result, SsNlpFinish *told)
{
  SS_ASSERT (result != NULL && told != NULL);
  *told = (SsNlpFinish){.is_computed = !isnan (result->value),
                        .is_b_stationary = result->is_b_stationary,
                        .value = result->value,
                        .rho = result->rho,
                        .rounds = result->rounds,
                        .iterations = result->iterations,
                        .programs = result->programs,
                        .n_biactive = result->n_biactive,
                        .cpu_seconds = result->cpu_seconds};
  snprintf (told->text, sizeof told->text, "%s", result->text);
}

void
ss_finish_say (const SsNlpFinish *told, char *message, size_t size)
{
  SS_ASSERT (told != NULL);

  char before[256];

  if (told->text[0] == '\0')
    return;
  snprintf (before, sizeof before, "%s", message);
  snprintf (message, size, "%.120s; %.128s", told->text, before);
}

SsStatus
ss_finish_answer (SsFinish *f, SsRunControl *control, SsNlpResult *result, SsError *err)
{
  SS_ASSERT (result != NULL);

  const double wall = ss_clock_wall ();
  SsFinishOptions options;
  SsFinishResult finish;

  if (result->outcome != SS_OUTCOME_SOLVED)
    return SS_OK;
  ss_finish_options_init (&options);
  SsStatus status = ss_finish_run (f, result->x, result->multipliers, &options, control, &finish, err);
  if (status != SS_OK)
    return status;
  if (finish.is_improved) {
    result->x = finish.x;
    result->multipliers = NULL;
    result->stationarity = NAN;
  }
  ss_finish_tell (&finish, &result->finish);
  ss_finish_say (&result->finish, result->message, sizeof result->message);
  result->cpu_seconds += finish.cpu_seconds;
  result->solve_seconds += ss_clock_wall () - wall;
  return SS_OK;
}
