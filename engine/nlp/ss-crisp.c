/* engine/nlp/ss-crisp.c: CRISP (Li et al. 2025, paper 004): sequential convex programming for contact-implicit
 * planning, Algorithm 1 with cures.
 *
 * Each iteration minimises the convex model q (11) of the merit function phi_1 (10) in a box of radius Delta (12),
 * without the Lagrangian's curvature and without multipliers of its own. Where the published loop goes wrong, and what
 * is done instead by default (settings of ss-crisp-options.c; `preset=paper` is the published loop):
 *   - a small radius is no convergence; a small *predicted decrease* is (tolerance-decrease);
 *   - every step that falls short of its prediction is first corrected for the rows' curvature with the subproblem's
 *     last matrix, at the price of one factorisation and two solves (quick_correction): a quarter to half of the
 *     subproblems less than without;
 *   - a step that would still be rejected is shortened along the arc of that correction before another subproblem is
 *     spent on it (backtrack);
 *   - the paper's second-order correction, a subproblem of its own, is then no longer worth its price (correction);
 *     where it is wanted, its ratio uses the prediction of the original model, and the better of both trial points is
 *     kept (correction=better);
 *   - penalties start low, grow by 3, and only those of violated rows grow (mu0, mu-growth): the phase in which
 *     rows are violated on purpose finds the contacts; doing nothing is a stationary point of the merit function with
 *     large penalties;
 *   - the radius is kept or lifted to 0.1 after a raise (radius_after_raise), a rejection takes a quarter of the step's
 *     length (shrink_from);
 *   - steps are accepted by their ratio, not by an absolute decrease (accept);
 *   - where no penalty holds the objective, so that the merit function falls without end, the run starts again with
 *     larger ones, and in the end leaves (is_running_away).
 *
 * Memory: solve allocates nothing. Threads: one at a time per solver. Tests: tests/numeric/test-crisp.c.
 */
#include "nlp/ss-crisp-private.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Table I of the paper. */
static const double ETA_LOW = 0.25, ETA_HIGH = 0.75, GAMMA_SHRINK = 0.25, GAMMA_EXPAND = 2;
static const double ACCEPT_RATIO = 1e-4; /* of actual to predicted decrease: the usual one of a sufficient decrease */
static const double CYCLE_PENALTY = 3;   /* as low as mu0: the cycle goes as far from the answer as the run began   */
static const double RELAX_LEAST =
    0.01;                   /* a smaller bound of products is none: the last stage gets rid of that much      */
enum { MAX_FAILURES = 10 }; /* of subproblems in a row: the radius shrinks to 1e-6 of what it was      */
static const double NEAR_RADIUS =
    0.95; /* |p| above this part of Delta: the radius holds the step back (the interior point stays inside)     */
static const double RETRY_SHIFT =
    1e-7; /* second try of a failed subproblem                                                                  */
static const double RETRY_LOOSER =
    100; /* factor of its tolerances                                                                           */
static const double FAILURE_SHRINK =
    0.25; /* of the radius after a subproblem that failed twice                                                 */
static const double RESTART_GROWTH = 10; /* of the initial penalty */
static const double CONFIRM_GAP = 0.1;   /* gap of a subproblem solved again, of what counts as a small decrease     */
static const double SMALLEST_RADIUS = 1e-14;
static const double RELAXED_VIOLATION =
    0.1; /* of the relaxation: a violation up to this is none while products are relaxed */
static const double STEADY_FALL = 0.9; /* of the fall of the level before; penalties grow by 3 from one to the next */
enum { RUNAWAY_LEVELS = 3 };
enum { MAX_EARLY = 3 };    /* finishes of points that are no solutions */
enum { QUICK_ROUNDS = 2 }; /* more gain nothing */

/* What one iteration did; the columns of the convergence table. */
typedef struct {
  double step, ratio, predicted;
  double worth; /* of the merit function where the subproblem was, see ss_crisp_worth */
  int qp_iterations;
  bool corrected, shortened, accepted;
} Step;

/* Why the loop ends; RUNNING while it does not. */
typedef struct {
  bool ended;
  SsOutcome outcome;
} Ending;

static void
swap_points (SsCrispPoint *a, SsCrispPoint *b)
{
  SsCrispPoint old = *a;
  *a = *b;
  *b = old;
}

static void
publish (const SsCrisp *s, SsRunControl *control, int iteration, double delta, const Step *step)
{
  const SsColumn columns[] = {
      {"objective", s->now.objective},
      {"violation", s->now.violation},
      {"complementarity", s->now.complementarity},
      {"merit", s->now.merit},
      {"step", step->step},
      {"radius", delta},
      {"mu_max", ss_crisp_largest_penalty (s)},
      {"ratio", step->ratio},
      {"qp_iterations", step->qp_iterations},
      {"soc", step->corrected},
      {"accepted", step->accepted},
  };
  iteration -= s->first_iteration;
  ss_run_control_emit_iteration (control, iteration, columns, sizeof columns / sizeof columns[0]);
  ss_run_control_emit_iterate (control, iteration, s->now.x, s->n);
}

/* ---- subproblems ------------------------------------------------------------------------------------------------- */

/* One QP with constants c; a failure is tried again with a larger shift and looser tolerances. */
static SsStatus
solve_subproblem (SsCrisp *s, const double *c, double delta, SsRunControl *control, Step *step, SsQpResult *qp,
                  SsError *err)
{
  ss_crisp_set_box (s, delta, 1);
  SsQpData data = {s->h_values, s->gradient, s->jacobian, c, s->mu, s->lower, s->upper};
  SsStatus status = ss_crisp_solve_qp (s, &data, control, qp, err);
  step->qp_iterations += qp->iterations;
  if (status == SS_OK && qp->outcome == SS_OUTCOME_FAILED) {
    SsQpOptions robust = s->qp_options;
    robust.shift = RETRY_SHIFT;
    robust.tolerance_residual *= RETRY_LOOSER;
    robust.tolerance_gap *= RETRY_LOOSER;
    ss_qp_set_options (s->qp, &robust);
    status = ss_crisp_solve_qp (s, &data, control, qp, err);
    ss_qp_set_options (s->qp, &s->qp_options);
    step->qp_iterations += qp->iterations;
  }
  return status;
}

/* Whether the decrease that a step promised counts as nothing: as a part of the merit function; 0: never. */
static bool
is_small (const SsCrisp *s, const Step *step, double decrease, double part)
{
  return part > 0 && decrease <= part * fmax (fmin (fabs (s->now.merit), step->worth), s->o.merit_floor);
}

/* A subproblem's value is only known to within its gap. Where its small promise would end the run, it is solved once
 * more, to a gap well below what counts as small. */
static SsStatus
confirm_promise (SsCrisp *s, double delta, SsRunControl *control, Step *step, SsQpResult *qp, SsError *err)
{
  SsQpOptions sharp = s->qp_options;
  sharp.tolerance_gap = fmin (sharp.tolerance_gap, CONFIRM_GAP * s->o.eps_decrease);
  if (!(sharp.tolerance_gap < s->qp_options.tolerance_gap))
    return SS_OK;
  ss_qp_set_options (s->qp, &sharp);
  SsStatus status = solve_subproblem (s, s->now.c, delta, control, step, qp, err);
  ss_qp_set_options (s->qp, &s->qp_options);
  return status;
}

/* The subproblem's gap is measured against the objective where that is small: against 1, the promises of a problem
 * whose whole cost is a tenth would be known no better than the steps between its answers are worth, and chance would
 * raise the penalties. */
static void
measure_gap (SsCrisp *s)
{
  s->qp_options.gap_unit = fmin (1, fmax (s->o.qp_gap_floor, fabs (s->now.objective)));
  ss_qp_set_options (s->qp, &s->qp_options);
}

/* Evaluates x + p into `point`, p shortened to stay within the bounds; a value that is not finite counts as infinitely
 * bad. */
static void
try_point (SsCrisp *s, double *p, SsCrispPoint *point)
{
  ss_crisp_keep_in_bounds (s, s->now.x, p, point->x);
  ss_crisp_evaluate (s, point);
  if (!isfinite (point->merit))
    point->merit = INFINITY;
}

/* Constants of the corrected rows: c(x + p) - J p [004 (15)]. */
static void
correct_rows (SsCrisp *s)
{
  ss_csr_multiply (ss_mpcc_jacobian_pattern (s->mpcc), s->jacobian, s->p, s->c_corrected);
  for (int i = 0; i < s->n_rows; i++)
    s->c_corrected[i] = s->trial.c[i] - s->c_corrected[i];
}

/* Takes `second`, reached by p_second, as trial point. */
static void
take_second (SsCrisp *s)
{
  double *old = s->p;
  swap_points (&s->trial, &s->second);
  s->p = s->p_second;
  s->p_second = old;
}

/* Corrects the trial point for the curvature of the rows by simplified Newton steps with the matrix the subproblem
 * ended with, as long as they help; keeps the best point. Corrections are measured from the subproblem's own step. */
static void
correct_quickly (SsCrisp *s, Step *step)
{
  for (int round = 0; round < QUICK_ROUNDS; round++) {
    if (s->now.merit - s->trial.merit >= s->o.quick_correction * step->predicted)
      return;
    ss_csr_multiply (ss_mpcc_jacobian_pattern (s->mpcc), s->jacobian, s->p, s->c_corrected);
    for (int i = 0; i < s->n_rows; i++)
      s->c_corrected[i] = s->trial.c[i] - s->now.c[i] - s->c_corrected[i];
    double start = ss_clock_thread_cpu ();
    bool is_corrected = ss_qp_correct (s->qp, s->c_corrected, s->p_second);
    s->qp_seconds += ss_clock_thread_cpu () - start;
    if (!is_corrected)
      return;
    if (round == 0)
      memcpy (s->bend, s->p_second, (size_t)s->n * sizeof (double));
    for (int j = 0; j < s->n; j++)
      s->p_second[j] += s->p_model[j];
    try_point (s, s->p_second, &s->second);
    if (!(s->second.merit < s->trial.merit))
      return;
    take_second (s);
    step->corrected = true;
  }
}

/* Second-order correction of the trial point (which got worse). */
static SsStatus
correct (SsCrisp *s, double delta, SsRunControl *control, Step *step, SsOutcome *outcome, SsError *err)
{
  SsQpResult qp;
  if (!isfinite (s->trial.merit))
    return SS_OK;
  correct_rows (s);
  SsStatus status = solve_subproblem (s, s->c_corrected, delta, control, step, &qp, err);
  *outcome = qp.outcome;
  if (status != SS_OK || (qp.outcome != SS_OUTCOME_SOLVED && qp.outcome != SS_OUTCOME_MAX_ITERATIONS))
    return status;
  memcpy (s->p_second, qp.p, (size_t)s->n * sizeof (double));
  try_point (s, s->p_second, &s->second);
  step->corrected = true;
  bool take = s->o.correction == SS_CRISP_CORRECTION_PAPER || s->second.merit < s->trial.merit;
  if (take) {
    take_second (s);
    if (s->o.correction == SS_CRISP_CORRECTION_PAPER)
      step->predicted = ss_crisp_predicted (s, s->p);
  }
  return SS_OK;
}

/* A step that would be rejected is shortened along the arc a p + a^2 d, with d the quick correction: the model is
 * convex, so that it promises at least the part a of its decrease there, and evaluating costs a hundredth of a
 * subproblem with a smaller radius. */
static void
backtrack (SsCrisp *s, Step *step)
{
  double part = 1;
  if (!(s->now.merit - s->trial.merit <= ACCEPT_RATIO * step->predicted) || !(step->predicted > 0))
    return;
  for (int halving = 0; halving < s->o.backtrack; halving++) {
    part *= 0.5;
    for (int j = 0; j < s->n; j++)
      s->p_second[j] = part * s->p_model[j];
    double predicted = ss_crisp_predicted (s, s->p_second);
    for (int j = 0; j < s->n; j++)
      s->p_second[j] += part * part * s->bend[j];
    try_point (s, s->p_second, &s->second);
    if (s->now.merit - s->second.merit < ETA_LOW * predicted)
      continue;
    take_second (s);
    step->predicted = predicted;
    step->shortened = true;
    return;
  }
}

/* ---- phases of an iteration -------------------------------------------------------------------------------------- */

/* Accepts or rejects the trial point by [004 (13)] and updates the radius. */
static void
judge_step (SsCrisp *s, Step *step, double *delta)
{
  const SsCrispOptions *o = &s->o;
  double ared = s->now.merit - s->trial.merit, length = 0;
  for (int j = 0; j < s->n; j++)
    length = fmax (length, fabs (s->p[j]));
  step->step = length;
  if (step->predicted > 0 || (step->predicted < 0 && o->accept == SS_CRISP_ACCEPT_DECREASE))
    step->ratio =
        ared / step->predicted; /* published: a corrected step may have a negative prediction, and is then a poor one */
  else
    step->ratio = ared > 0 ? 1 : -1;
  step->accepted = o->accept == SS_CRISP_ACCEPT_RATIO ? step->ratio > ACCEPT_RATIO : ared >= 0;
  if (!step->accepted)
    *delta = GAMMA_SHRINK * (o->shrink_from == SS_CRISP_SHRINK_STEP ? fmin (length, *delta) : *delta);
  else if (step->ratio < ETA_LOW)
    *delta *= o->gamma_poor;
  else if (step->ratio > ETA_HIGH && length > NEAR_RADIUS * *delta)
    *delta = fmin (GAMMA_EXPAND * *delta, o->delta_max);
  if (step->shortened) /* the radius was too large for that step */
    *delta = fmin (*delta, length);
  *delta = fmax (*delta, SMALLEST_RADIUS);
  if (step->accepted) {
    swap_points (&s->now, &s->trial);
    ss_crisp_differentiate (s, &s->now);
  }
}

static bool
merit_is_minimised (const SsCrisp *s, const Step *step, double delta)
{
  const SsCrispOptions *o = &s->o;
  bool promises_little = is_small (s, step, step->predicted, o->eps_decrease);
  bool takes_long =
      o->level_iterations > 0 && s->level_iterations >= o->level_iterations && s->now.violation >= o->eps_c;
  return promises_little || takes_long || step->step < o->eps_p || delta < o->eps_r;
}

/* Keeps a violation from wandering: driven out of one time point it moves to the next, whose penalty is still low, and
 * the raises would go round all of them. No penalty stays further than mu_spread below the largest one; and in a family
 * of rows whose largest penalty was left alone by several raises in a row, the others catch up with it, each time by
 * one more factor mu_growth. */
static void
lift_laggards (SsCrisp *s)
{
  double allowed = s->o.mu_spread;
  for (int i = 0; i < s->late_raises && allowed > 1; i++) /* a run that wanders for long must come to an end */
    allowed = fmax (1, allowed / s->o.mu_growth);
  const double floor = ss_crisp_largest_penalty (s) / allowed;
  for (int f = 0; f < s->n_families; f++)
    s->family_largest[f] = 0;
  for (int i = 0; i < s->n_rows; i++)
    s->family_largest[s->family[i]] = fmax (s->family_largest[s->family[i]], s->mu[i]);
  for (int f = 0; f < s->n_families; f++) {
    double largest = s->family_largest[f], spread = fmax (1, allowed);
    if (s->family_raised[f])
      s->family_waits[f] = largest > s->family_before[f] ? 0 : s->family_waits[f] + 1;
    for (int i = 0; i < s->family_waits[f] && spread > 1; i++)
      spread = fmax (1, spread / s->o.mu_growth);
    s->family_floor[f] = s->family_raised[f] && s->family_waits[f] > 0 ? largest / spread : 0;
    s->family_before[f] = largest;
  }
  for (int i = 0; i < s->n_rows; i++)
    s->mu[i] = fmax (s->mu[i], fmax (floor, s->family_floor[s->family[i]]));
}

/* Products that were given a price of their own rise together as soon as one is violated: their sum is the price of
 * forces at a distance, wherever they act. */
static bool
raise_prices (SsCrisp *s)
{
  const SsMpccPair *pairs = ss_mpcc_pairs (s->mpcc);
  const int n_pairs = ss_mpcc_n_pairs (s->mpcc);
  bool is_violated = false, is_raised = false;
  for (int i = 0; i < n_pairs; i++)
    is_violated = is_violated || -s->now.c[s->n_eq + pairs[i].product_row] >= s->o.eps_c;
  for (int i = 0; i < n_pairs && is_violated; i++) {
    double *mu = &s->mu[s->n_eq + pairs[i].product_row];
    is_raised = is_raised || *mu < s->o.mu_max;
    *mu = fmin (s->o.mu_growth * *mu, s->o.mu_max);
  }
  return is_raised;
}

/* Raises the penalties of violated rows; false when one would exceed mu_max (paper), or when none can be raised. */
static bool
raise_penalties (SsCrisp *s, double *delta)
{
  const SsCrispOptions *o = &s->o;
  int n_raised = 0, n_capped = 0;
  memset (s->family_raised, 0, (size_t)s->n_families * sizeof (bool));
  n_raised += o->price > 0 && raise_prices (s);
  for (int i = 0; i < s->n_rows; i++) {
    if (o->price > 0 && s->is_product[i])
      continue;
    double violation = i < s->n_eq ? fabs (s->now.c[i]) : -s->now.c[i];
    if (violation < o->eps_c)
      continue;
    if (s->mu[i] >= o->mu_max) {
      n_capped += violation >= o->eps_c;
      continue;
    }
    s->mu[i] = fmin (o->mu_growth * s->mu[i], o->mu_max);
    s->family_raised[s->family[i]] = true;
    n_raised++;
  }
  s->late_raises += 2 * s->iterations > o->k_max;
  if (o->mu_spread > 0)
    lift_laggards (s);
  if (n_raised == 0 || (o->preset == SS_CRISP_PRESET_PAPER && n_capped > 0))
    return false;
  s->now.merit = ss_crisp_merit (s, &s->now);
  s->level_iterations = 0;
  s->level_merit = s->now.merit;
  s->level_violation = s->now.violation;
  *delta = fmax (*delta, o->radius_after_raise);
  return true;
}

static void
forget_raises (SsCrisp *s)
{
  s->level_iterations = s->late_raises = s->runaway_levels = 0;
  s->level_merit = s->now.merit;
  s->level_violation = s->now.violation;
  s->level_fall = 0;
  s->has_run_away = false;
  for (int f = 0; f < s->n_families; f++) {
    s->family_waits[f] = 0;
    s->family_before[f] = 0;
  }
}

/* Common penalties mu0; those of priced products are their price. */
static void
set_penalties (SsCrisp *s, double mu0)
{
  for (int i = 0; i < s->n_rows; i++)
    s->mu[i] = s->o.price > 0 && s->is_product[i] ? fmin (s->o.price, s->o.mu_max) : mu0;
  s->relaxed_iterations = 0;
  ss_crisp_evaluate (s, &s->now);
  forget_raises (s);
}

/* At a minimum of the merit function with relaxed products that is feasible enough for them, or cannot become so: the
 * next relaxation, from here with the first penalties. */
static bool
tighten (SsCrisp *s, double *delta)
{
  const bool is_over = s->o.relax_iterations > 0 && s->relaxed_iterations >= s->o.relax_iterations;

  if (!is_over && s->now.violation >= RELAXED_VIOLATION * s->relaxation && raise_penalties (s, delta))
    return true;
  s->relaxation *= s->o.relax_factor;
  if (s->relaxation < RELAX_LEAST)
    s->relaxation = 0;
  set_penalties (s, fmin (s->o.mu0, s->o.mu_max));
  *delta = fmax (*delta, s->o.radius_after_raise);
  return true;
}

/* The finish from a point that is no solution yet; true: it is one now, and proved. */
static bool
finish_early (SsCrisp *s, SsRunControl *control)
{
  SsFinishOptions options;
  SsFinishResult finish;

  ss_finish_options_init (&options);
  if (ss_finish_run (s->finish, s->now.x, NULL, &options, control, &finish, NULL) != SS_OK || !finish.is_improved ||
      !finish.is_b_stationary)
    return false;
  memcpy (s->now.x, finish.x, (size_t)s->n * sizeof (double));
  ss_crisp_evaluate (s, &s->now);
  ss_crisp_differentiate (s, &s->now);
  ss_finish_tell (&finish, &s->finished);
  return true;
}

/* Penalties that are too small for the objective let it fall without end: over several levels in a row the merit
 * function falls as much as in the level before, though penalties grew, and the violation does not fall. A linear
 * objective is caught up with by the penalties; one of higher order never is. */
static bool
is_running_away (SsCrisp *s)
{
  const double fall = s->level_merit - s->now.merit;
  const bool is_full = s->o.level_iterations > 0 && s->level_iterations >= s->o.level_iterations,
             is_steady = s->level_fall > 0 && fall >= STEADY_FALL * s->level_fall;

  s->runaway_levels = is_full && is_steady && s->now.violation >= s->level_violation ? s->runaway_levels + 1 : 0;
  s->level_fall = is_full ? fall : 0;
  return s->runaway_levels >= RUNAWAY_LEVELS;
}

/* At a minimum of the merit function: solved, next penalties, or out of penalties. */
static Ending
judge_minimum (SsCrisp *s, double *delta, SsRunControl *control)
{
  if (s->relaxation > 0 && tighten (s, delta) && (s->relaxation > 0 || s->finish == NULL))
    return (Ending){false, SS_OUTCOME_MAX_ITERATIONS};
  if (s->finish != NULL && s->now.violation <= s->o.finish_from && s->early_finishes < MAX_EARLY) {
    s->early_finishes++;
    if (finish_early (s, control))
      return (Ending){true, SS_OUTCOME_SOLVED};
  }
  /* Minima of the merit function with larger penalties hardly have a lower objective. A lower merit they may have. */
  s->is_given_up = s->now.objective > s->enough;
  if (s->is_given_up)
    return (Ending){true, SS_OUTCOME_INFEASIBLE};
  if (s->now.violation <= s->o.polish_from && s->now.violation > SS_CRISP_POLISH_TO)
    ss_crisp_polish (s, control);
  if (s->now.violation < s->o.eps_c) {
    if (s->o.snap)
      ss_crisp_snap (s, control);
    return (Ending){true, SS_OUTCOME_SOLVED};
  }
  if (s->relaxation == 0 && is_running_away (s)) {
    s->has_run_away = true;
    return (Ending){true, SS_OUTCOME_DIVERGED};
  }
  return (Ending){!raise_penalties (s, delta), SS_OUTCOME_INFEASIBLE};
}

/* Back to x0 with common penalties mu0. */
static void
set_start (SsCrisp *s, const double *x0, double mu0)
{
  memcpy (s->now.x, x0, (size_t)s->n * sizeof (double));
  ss_bounds_project (&s->bounds, s->now.x);
  s->relaxation = ss_mpcc_n_pairs (s->mpcc) > 0 ? s->o.relax : 0;
  ss_crisp_differentiate (s, &s->now);
  set_penalties (s, mu0);
}

/* ---- the loop ---------------------------------------------------------------------------------------------------- */

static bool
was_interrupted (SsOutcome outcome)
{
  return ss_outcome_is_early (outcome);
}

/* ---- cycles ------------------------------------------------------------------------------------------------------ */

/* The iterate has solved the problem. */
static void
keep_best (SsCrisp *s)
{
  if (!(s->now.objective < s->objective_best))
    return;
  s->objective_best = s->now.objective;
  memcpy (s->x_best, s->now.x, (size_t)s->n * sizeof (double));
  memcpy (s->mu_best, s->mu, (size_t)s->n_rows * sizeof (double));
  memcpy (s->multipliers_best, s->multipliers, (size_t)s->n_rows * sizeof (double));
}

/* Back to the best answer; false where the iterate is it. */
static bool
recall_best (SsCrisp *s)
{
  if (memcmp (s->x_best, s->now.x, (size_t)s->n * sizeof (double)) == 0)
    return false;
  memcpy (s->now.x, s->x_best, (size_t)s->n * sizeof (double));
  memcpy (s->mu, s->mu_best, (size_t)s->n_rows * sizeof (double));
  memcpy (s->multipliers, s->multipliers_best, (size_t)s->n_rows * sizeof (double));
  ss_crisp_evaluate (s, &s->now);
  ss_crisp_differentiate (s, &s->now);
  return true;
}

/* With lower penalties the answer is no minimum of the merit function any more, and the way back to feasible points may
 * lead to a better one. */
static void
begin_cycle (SsCrisp *s)
{
  for (int i = 0; i < s->n_rows; i++)
    s->mu[i] = fmin (s->o.mu_max, CYCLE_PENALTY);
  s->now.merit = ss_crisp_merit (s, &s->now);
  forget_raises (s);
}

/* [004 Alg 1]: subproblem, trial point, correction, judgement. Sets `ending` when interrupted or out of attempts. */
static SsStatus
iterate (SsCrisp *s, double *delta, SsRunControl *control, Step *step, Ending *ending, SsError *err)
{
  SsQpResult qp;
  measure_gap (s);
  SsStatus status = solve_subproblem (s, s->now.c, *delta, control, step, &qp, err);
  if (status != SS_OK)
    return status;
  step->worth = ss_crisp_worth (s, fmax (1, 1 / *delta));
  if (was_interrupted (qp.outcome)) {
    *ending = (Ending){true, qp.outcome};
    return SS_OK;
  }
  if (qp.outcome == SS_OUTCOME_FAILED) {
    step->predicted = INFINITY;
    step->step = NAN;
    *delta = fmax (*delta * FAILURE_SHRINK, SMALLEST_RADIUS);
    if (++s->failures > MAX_FAILURES)
      *ending = (Ending){true, SS_OUTCOME_FAILED};
    return SS_OK;
  }
  s->failures = 0;
  if (s->o.confirm && is_small (s, step, -qp.model_change, s->o.eps_decrease) && s->now.violation < s->o.eps_c) {
    status = confirm_promise (s, *delta, control, step, &qp, err);
    if (status != SS_OK)
      return status;
    if (was_interrupted (qp.outcome)) {
      *ending = (Ending){true, qp.outcome};
      return SS_OK;
    }
  }
  step->predicted = -qp.model_change;
  memcpy (s->p, qp.p, (size_t)s->n * sizeof (double));
  memcpy (s->p_model, qp.p, (size_t)s->n * sizeof (double));
  memset (s->bend, 0, (size_t)s->n * sizeof (double));
  ss_crisp_take_multipliers (s, &qp);
  try_point (s, s->p, &s->trial);
  bool got_worse = s->trial.merit > s->now.merit;
  if (s->o.quick_correction > 0 && isfinite (s->trial.merit))
    correct_quickly (s, step);
  bool is_poor = s->now.merit - s->trial.merit <= ETA_LOW * step->predicted;
  if (got_worse && (s->o.quick_correction == 0 || is_poor) && s->o.correction != SS_CRISP_CORRECTION_NONE) {
    SsOutcome outcome = SS_OUTCOME_SOLVED;
    status = correct (s, *delta, control, step, &outcome, err);
    if (status != SS_OK)
      return status;
    if (was_interrupted (outcome)) {
      *ending = (Ending){true, outcome};
      return SS_OK;
    }
  }
  if (s->o.backtrack > 0 && isfinite (s->now.merit))
    backtrack (s, step);
  judge_step (s, step, delta);
  s->level_iterations++;
  s->relaxed_iterations++;
  const bool is_capped =
      s->relaxation > 0 && s->o.relax_iterations > 0 && s->relaxed_iterations >= s->o.relax_iterations;
  if (is_capped || merit_is_minimised (s, step, *delta))
    *ending = judge_minimum (s, delta, control);
  return SS_OK;
}

/* Second-order finish of the solved iterate, and what it proves. */
static SsStatus
finish_answer (SsCrisp *s, SsRunControl *control, SsNlpResult *result, SsError *err)
{
  SsFinishOptions options;
  SsFinishResult finish;

  result->finish = s->finished;
  if (s->finished.is_b_stationary) /* early, at this point */
    return SS_OK;
  ss_finish_options_init (&options);
  SsStatus status = ss_finish_run (s->finish, s->now.x, s->multipliers, &options, control, &finish, err);
  if (status != SS_OK)
    return status;
  if (finish.is_improved) {
    memcpy (s->now.x, finish.x, (size_t)s->n * sizeof (double));
    ss_crisp_evaluate (s, &s->now);
    ss_crisp_differentiate (s, &s->now);
  }
  ss_finish_tell (&finish, &result->finish);
  return SS_OK;
}

/* From x0; or, where numbers were kept, from these. Penalties that were raised for another problem tell what is hard to
 * keep in this one, but how far to go next it has to find out. */
static void
begin (SsCrisp *s, const double *x0)
{
  const bool goes_on = s->goes_on;
  s->goes_on = false;
  if (goes_on && !ss_crisp_state_is_of_another_problem (s))
    return;
  s->objective_best = INFINITY;
  s->iterations = s->restarts = s->cycles = s->early_finishes = s->failures = 0;
  memcpy (s->x_start, goes_on ? s->now.x : x0, (size_t)s->n * sizeof (double));
  if (goes_on) {
    s->delta = fmax (s->delta, s->o.radius_after_raise);
    forget_raises (s);
    return;
  }
  memset (s->multipliers, 0, (size_t)s->n_rows * sizeof (double));
  s->delta = s->o.delta0;
  set_start (s, x0, fmin (s->o.mu0, s->o.mu_max));
}

static SsStatus
crisp_solve (void *solver, const double *x0, SsRunControl *control, SsNlpResult *result, SsError *err)
{
  SsCrisp *s = solver;
  double wall = ss_clock_wall (), cpu = ss_clock_thread_cpu (), stationarity = NAN;
  Ending ending = {false, SS_OUTCOME_MAX_ITERATIONS};
  Step last = {.step = NAN};
  double last_radius = NAN;
  char crossing[sizeof result->message];
  s->subproblems = s->inner_iterations = 0;
  s->qp_seconds = s->derivative_seconds = s->value_seconds = 0;
  s->is_given_up = false;
  s->finished = (SsNlpFinish){0};
  bool has_room = ss_bounds_update (&s->bounds, crossing, sizeof crossing);
  begin (s, x0);
  int k = s->first_iteration = s->iterations;
  publish (s, control, k, s->delta, &(Step){.ratio = NAN, .step = 0});
  if (!isfinite (s->now.merit))
    ending = (Ending){true, SS_OUTCOME_FAILED};
  else if (!has_room)
    ending = (Ending){true, SS_OUTCOME_INFEASIBLE};

  while (!ending.ended && k < s->o.k_max) {
    if (ss_run_control_should_stop (control, &ending.outcome))
      break;
    ending.outcome = SS_OUTCOME_MAX_ITERATIONS;
    Step step = {.ratio = NAN};
    double used = s->delta;
    s->iterations = k;
    SsStatus status = iterate (s, &s->delta, control, &step, &ending, err);
    if (status != SS_OK)
      return status;
    if (ending.ended && was_interrupted (ending.outcome))
      break;
    stationarity = step.predicted;
    last = step;
    last_radius = used;
    if (!ending.ended)
      ending.outcome = SS_OUTCOME_MAX_ITERATIONS;
    publish (s, control, ++k, used, &step);
    if (ending.ended && ending.outcome == SS_OUTCOME_SOLVED) {
      keep_best (s);
      if (s->cycles < s->o.cycles) {
        s->cycles++;
        begin_cycle (s);
        s->delta = s->o.delta0;
        ending = (Ending){false, SS_OUTCOME_MAX_ITERATIONS};
      }
    }
    if (ending.ended && (ending.outcome == SS_OUTCOME_INFEASIBLE || s->has_run_away) && s->cycles == 0 &&
        !s->is_given_up && s->restarts < s->o.restarts) {
      /* A point where the violation cannot fall: other penalties lead elsewhere, larger ones do not run away. */
      double mu0 = s->o.mu0 * pow (RESTART_GROWTH, ++s->restarts);
      ss_run_control_log (control, SS_LOG_INFO, "max violation %.1e %s; starting again with penalties %g",
                          s->now.violation,
                          s->has_run_away ? "does not fall while the objective does" : "cannot be reduced", mu0);
      ending = (Ending){false, SS_OUTCOME_MAX_ITERATIONS};
      s->delta = s->o.delta0;
      set_start (s, s->x_start, fmin (mu0, s->o.mu_max));
    }
  }

  s->iterations = k;
  if (ending.outcome != SS_OUTCOME_PAUSED && isfinite (s->objective_best) && recall_best (s)) {
    /* However the last cycle ended, there is an answer: the last published point. */
    if (!was_interrupted (ending.outcome))
      ending.outcome = SS_OUTCOME_SOLVED;
    publish (s, control, ++k, s->delta, &(Step){.ratio = NAN, .step = NAN});
  }

  *result = (SsNlpResult){
      .outcome = ending.outcome,
      .iterations = k - s->first_iteration,
      .subproblems = s->subproblems,
      .inner_iterations = s->inner_iterations,
      .stationarity = stationarity,
      .x = s->now.x,
      .multipliers = s->multipliers,
  };
  if (s->finish != NULL && ending.outcome == SS_OUTCOME_SOLVED) {
    SsStatus status = finish_answer (s, control, result, err);
    if (status != SS_OK)
      return status;
  }
  if (s->o.certify && has_room && isfinite (s->now.merit) && !was_interrupted (ending.outcome)) {
    ss_crisp_certify (s, control, last.step, last_radius, &result->certificate);
    result->subproblems = s->subproblems;
    result->inner_iterations = s->inner_iterations;
  }
  if (s->o.certify && was_interrupted (ending.outcome))
    snprintf (result->certificate.text, sizeof result->certificate.text, "not computed: the run was ended early");
  if (has_room)
    ss_crisp_describe (s, ending.outcome, result->iterations, stationarity, result);
  else
    snprintf (result->message, sizeof result->message, "%s", crossing);
  ss_finish_say (&result->finish, result->message, sizeof result->message);
  result->qp_seconds = s->qp_seconds;
  result->linear_seconds = NAN;
  result->derivative_seconds = s->derivative_seconds;
  result->value_seconds = s->value_seconds;
  result->solve_seconds = ss_clock_wall () - wall;
  result->cpu_seconds = ss_clock_thread_cpu () - cpu;
  return SS_OK;
}

static void
crisp_free (void *solver)
{
  SsCrisp *s = solver;
  if (s == NULL)
    return;
  ss_crisp_model_clear (s);
  ss_free (s);
}

static SsStatus
crisp_new (const SsMpcc *mpcc, const void *options, void **solver, SsError *err)
{
  SsCrisp *s = ss_new (SsCrisp);
  *solver = NULL;
  if (s == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory for CRISP");
  s->mpcc = mpcc;
  s->enough = INFINITY;
  ss_crisp_options_resolve (options, &s->o);
  SsStatus status = ss_crisp_model_new (s, err);
  if (status != SS_OK) {
    crisp_free (s);
    return status;
  }
  *solver = s;
  return SS_OK;
}

static void
crisp_resolve (const void *given, void *used)
{
  SsCrispOptions *o = used;
  ss_crisp_options_resolve (given, o);
  o->given = ~(uint64_t)0;
}

/* The published loop has no scale. */
static bool
crisp_takes_objective (const void *options)
{
  const SsCrispOptions *o = options;
  return o != NULL && o->preset == SS_CRISP_PRESET_PAPER;
}

const SsNlpClass ss_nlp_crisp = {
    .name = "crisp",
    .label = "CRISP",
    .summary = "Sequential convex programming with an l1 merit function, for contact-implicit planning from naive "
               "guesses (Li et al. 2025)",
    .version = "0.1.0",
    .options = &ss_crisp_option_table,
    .plan_preset = "drawn",
    .new_ = crisp_new,
    .solve = crisp_solve,
    .free_ = crisp_free,
    .resolve = crisp_resolve,
    .takes_objective = crisp_takes_objective,
    .keep = ss_crisp_keep,
    .go_on = ss_crisp_go_on,
};
