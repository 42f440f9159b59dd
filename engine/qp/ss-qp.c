/* engine/qp/ss-qp.c: the iteration: infeasible-start primal-dual predictor-corrector (Mehrotra) with one common step
 * length.
 *
 * Letters: see ss-qp-private.h. The start satisfies every row and bound exactly and is perfectly centred (p = 0, or as
 * near to it as leaves room within the box; y is the root of sigma/y - sigma/(M - y) = J p + c), so that only the dual
 * residual H p + g - J'y + bu - bl has to be driven to zero. The Newton step is
 *
 *   [ H + J_I'W J_I + D   J_E' ] [  dp  ]   [ -(H p + g) + el - eu + J_E'y_E + J_I'(y_I + W q_I) ]
 *   [ J_E               -1/W_E ] [ -dy_E ] = [ q_E                                                ],   W = 1/(s/y +
 *   t/z),
 *
 * with q = e1 - e2 - (J p + c), where e1, e2, el, eu are the targets of the products over y, z and the two slacks: 0
 * for the predictor. The shift goes into the matrix and nowhere else: a proximal term in the conditions would pull the
 * answer towards p = 0. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize(                                                                                                  \
    "O3") /* row passes are loops over plain arrays: they gain from vectors, which gcc's -O2 does not try */
#endif

#include "qp/ss-qp-private.h"

#include <math.h>
#include <string.h>

enum { LANES = 8 }; /* partial results of a reduction: fixed, so that every instruction set gives the same bits */

static const double RELATIVE_SHIFT =
    1e-14; /* of each diagonal entry: rounding of its own terms must not turn a pivot's sign */
static const double PIVOT_MINIMUM = 1e-30; /* smaller pivots are numerical noise at any scale met here              */
static const double SHIFT_GROWTH = 1e2;    /* after a factorisation that failed                                     */
static const double SMALLEST_RAISED_SHIFT = 1e-10;
static const double STALL_STEP = 1e-8; /* step lengths below this no longer move anything                       */
static const double START_COMPLEMENTARITY =
    0.1;                              /* of the mean product of penalty and radius or constant                 */
static const double START_ROOM = 0.1; /* of the box's width, from the start to each of its sides */
enum { MAX_STALLS = 3, MAX_SHIFT_RAISES = 4, MAX_UNCONFIRMED = 6, REFINEMENTS = 2 };

/* ---- reductions and products ------------------------------------------------------------------------------------- */

static double
dot (int n, const double *restrict a, const double *restrict b)
{
  double lane[LANES] = {0};
  int i = 0;
  for (; i + LANES <= n; i += LANES)
    for (int l = 0; l < LANES; l++)
      lane[l] += a[i + l] * b[i + l];
  double result = ((lane[0] + lane[4]) + (lane[1] + lane[5])) + ((lane[2] + lane[6]) + (lane[3] + lane[7]));
  for (; i < n; i++)
    result += a[i] * b[i];
  return result;
}

/* out = H x */
static void
hessian_multiply (const SsQp *qp, const double *restrict x, double *restrict out)
{
  memset (out, 0, (size_t)qp->n * sizeof (double));
  for (int k = 0; k < qp->n_diagonal; k++)
    out[qp->diagonal_col[k]] = qp->diagonal_h[k] * x[qp->diagonal_col[k]];
  for (int k = 0; k < qp->n_off; k++) {
    out[qp->off_row[k]] += qp->off_h[k] * x[qp->off_col[k]];
    out[qp->off_col[k]] += qp->off_h[k] * x[qp->off_row[k]];
  }
}

/* ---- loading a problem ------------------------------------------------------------------------------------------- */

static bool
all_finite (int n, const double *x)
{
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += 0 * x[i]; /* NaN if any is not finite */
  return sum == 0;
}

static bool
box_is_open (int n, const double *lower, const double *upper)
{
  for (int j = 0; j < n; j++)
    if (!(lower[j] < upper[j]))
      return false;
  return true;
}

static bool
all_positive (int n, const double *x)
{
  for (int i = 0; i < n; i++)
    if (!(x[i] > 0))
      return false;
  return true;
}

static bool
data_is_valid (const SsQp *qp, const SsQpData *d)
{
  int n_jacobian = 0;
  for (int i = 0; i < qp->eq.start[qp->n_eq]; i++)
    n_jacobian += !isfinite (d->jacobian[qp->eq.slot[i]]);
  for (int i = 0; i < qp->general.start[qp->n_general]; i++)
    n_jacobian += !isfinite (d->jacobian[qp->general.slot[i]]);
  for (int i = 0; i < qp->n_one; i++)
    n_jacobian += !isfinite (d->jacobian[qp->one_slot[i]]);
  for (int e = 0; e < 2; e++)
    for (int i = 0; i < qp->n_two; i++)
      n_jacobian += !isfinite (d->jacobian[qp->two_slot[e][i]]);
  return n_jacobian == 0 && all_finite (qp->n_diagonal + qp->n_off, d->hessian) && all_finite (qp->n, d->gradient) &&
         all_finite (qp->n_given, d->c) && all_finite (qp->n_given, d->mu) && all_finite (qp->n, d->lower) &&
         all_finite (qp->n, d->upper) && all_positive (qp->n_given, d->mu) && box_is_open (qp->n, d->lower, d->upper);
}

/* Copies the data in the order of the iteration and fills the constant part of the matrix. */
static void
load (SsQp *qp, const SsQpData *d)
{
  for (int k = 0; k < qp->eq.start[qp->n_eq]; k++)
    qp->eq.a[k] = d->jacobian[qp->eq.slot[k]];
  for (int k = 0; k < qp->general.start[qp->n_general]; k++)
    qp->general.a[k] = d->jacobian[qp->general.slot[k]];
  for (int i = 0; i < qp->n_one; i++)
    qp->one_a[i] = d->jacobian[qp->one_slot[i]];
  for (int e = 0; e < 2; e++)
    for (int i = 0; i < qp->n_two; i++)
      qp->two_a[e][i] = d->jacobian[qp->two_slot[e][i]];
  for (int i = 0; i < qp->n_rows; i++) {
    qp->c[i] = d->c[qp->given[i]];
    qp->m[i] = (i < qp->n_eq ? 2 : 1) * d->mu[qp->given[i]];
  }
  for (int j = 0; j < qp->n; j++) {
    qp->g[j] = d->gradient[qp->variable[j]];
    qp->box_lower[j] = d->lower[qp->variable[j]];
    qp->box_upper[j] = d->upper[qp->variable[j]];
  }

  ss_ldl_clear (qp->ldl);
  memcpy (qp->base, ss_ldl_numbers (qp->ldl), (size_t)ss_ldl_n_numbers (qp->ldl) * sizeof (double));
  for (int k = 0; k < qp->n_diagonal; k++) {
    qp->diagonal_h[k] = d->hessian[qp->diagonal_slot[k]];
    qp->base[qp->k_diagonal_h[k]] += qp->diagonal_h[k];
  }
  for (int k = 0; k < qp->n_off; k++) {
    qp->off_h[k] = d->hessian[qp->off_slot[k]];
    qp->base[qp->k_off_h[k]] += qp->off_h[k];
  }
  for (int k = 0; k < qp->eq.start[qp->n_eq]; k++)
    qp->base[qp->k_eq[k]] += qp->eq.a[k];
}

/* Complementarity of the start: a typical penalty times a typical distance. */
static double
choose_start (const SsQp *qp)
{
  double sum = 0;
  for (int i = 0; i < qp->n_rows; i++)
    sum += qp->m[i] * (fabs (qp->c[i]) + 1);
  for (int j = 0; j < qp->n; j++)
    sum += 0.5 * (qp->box_upper[j] - qp->box_lower[j]);
  return START_COMPLEMENTARITY * sum / (qp->n_rows + qp->n + 1);
}

/* Every row and bound satisfied and centred with products sigma. */
static void
start_centred (SsQp *qp, double sigma)
{
  for (int j = 0; j < qp->n; j++) {
    double room = START_ROOM * (qp->box_upper[j] - qp->box_lower[j]), low = qp->box_lower[j] + room,
           high = qp->box_upper[j] - room;
    qp->p[j] = low > 0 ? low : high < 0 ? high : 0;
    qp->lower_slack[j] = qp->p[j] - qp->box_lower[j];
    qp->upper_slack[j] = qp->box_upper[j] - qp->p[j];
    qp->bl[j] = sigma / qp->lower_slack[j];
    qp->bu[j] = sigma / qp->upper_slack[j];
    qp->dp[j] = qp->dbl[j] = qp->dbu[j] = 0;
  }
  ss_qp_multiply (qp, qp->p, qp->r);
  for (int i = 0; i < qp->n_rows; i++) {
    double r = qp->r[i] + qp->c[i];
    double k = fabs (r) * qp->m[i] / sigma, small = qp->m[i] * 2 / (k + 2 + sqrt (k * k + 4));
    qp->y[i] = r >= 0 ? small : qp->m[i] - small;
    qp->z[i] = r >= 0 ? qp->m[i] - small : small;
    qp->s[i] = sigma / qp->y[i];
    qp->t[i] = sigma / qp->z[i];
    qp->r[i] = r;
    qp->ds[i] = qp->dt[i] = qp->dy[i] = qp->dr[i] = 0;
  }
}

/* ---- one iteration ----------------------------------------------------------------------------------------------- */

/* A pivot of the wrong sign is rounding (an equality row eliminated before its variables, say): a larger shift keeps it
 * apart from zero. */
static bool
factor (SsQp *qp, double *shift)
{
  for (int attempt = 0; attempt <= MAX_SHIFT_RAISES; attempt++) {
    int n_replaced = 0;
    ss_qp_assemble (qp, *shift, RELATIVE_SHIFT);
    SsStatus status = ss_ldl_factor_numbers (qp->ldl, qp->sign, PIVOT_MINIMUM, &n_replaced);
    if (status == SS_OK && n_replaced == 0)
      return true;
    *shift = fmax (*shift * SHIFT_GROWTH, SMALLEST_RAISED_SHIFT);
  }
  return false;
}

/* Solves the factorised system for `rhs` in place; with `refine`, corrects the solution by the residual of the
 * assembled system without shifts. */
static void
solve_linear (SsQp *qp, bool refine)
{
  const int n = qp->n, n_eq = qp->n_eq, size = n + n_eq;
  double *x = qp->solution, *b = qp->rhs, *v = qp->v, *hx = qp->hx;
  if (!refine) {
    ss_ldl_solve (qp->ldl, b);
    return;
  }
  memcpy (x, b, (size_t)size * sizeof (double));
  ss_ldl_solve (qp->ldl, x);
  for (int round = 0; round < REFINEMENTS; round++) {
    double *residual = qp->refined;
    hessian_multiply (qp, x, hx);
    ss_qp_multiply (qp, x, v);
    for (int j = 0; j < n; j++)
      residual[j] = b[j] - hx[j] - qp->barrier[j] * x[j];
    for (int i = 0; i < n_eq; i++) {
      residual[n + i] = b[n + i] - v[i] + (qp->s[i] * qp->iy[i] + qp->t[i] * qp->iz[i]) * x[n + i];
      v[i] = -x[n + i];
    }
    for (int i = n_eq; i < qp->n_rows; i++)
      v[i] *= -qp->w[i];
    ss_qp_multiply_transposed (qp, v, residual);
    ss_ldl_solve (qp->ldl, residual);
    ss_axpy (size, 1, residual, x);
  }
  memcpy (b, x, (size_t)size * sizeof (double));
}

/* Solves for dp and the equality rows' dy with v (multipliers plus what condensed rows contribute) and rhs prepared;
 * then dr = J dp. */
static void
solve_step (SsQp *qp, bool refine)
{
  const int n = qp->n;
  ss_qp_multiply_transposed (qp, qp->v, qp->rhs);
  solve_linear (qp, refine);
  memcpy (qp->dp, qp->rhs, (size_t)n * sizeof (double));
  for (int i = 0; i < qp->n_eq; i++)
    qp->dy[i] = -qp->rhs[n + i];
  ss_qp_multiply (qp, qp->dp, qp->dr);
}

/* Sum of the complementarity products. */
static double
total_gap (const SsQp *qp)
{
  return dot (qp->n_rows, qp->s, qp->y) + dot (qp->n_rows, qp->t, qp->z) + dot (qp->n, qp->lower_slack, qp->bl) +
         dot (qp->n, qp->upper_slack, qp->bu);
}

/* ---- residuals, recomputed from the data ------------------------------------------------------------------------- */

/* max |H p + g - J'y + bu - bl|; hp must be current. NaN if anything is. */
static double
dual_residual (SsQp *qp)
{
  double *restrict f = qp->stationarity, *restrict v = qp->v;
  for (int i = 0; i < qp->n_eq; i++)
    v[i] = -0.5 * (qp->y[i] - qp->z[i]);
  for (int i = qp->n_eq; i < qp->n_rows; i++)
    v[i] = -qp->y[i];
  for (int j = 0; j < qp->n; j++)
    f[j] = qp->hp[j] + qp->g[j] + (qp->bu[j] - qp->bl[j]);
  ss_qp_multiply_transposed (qp, v, f);
  return ss_norm_inf (qp->n, f);
}

/* Quadratic part plus l1 terms at p minus the l1 terms at 0, rows of the iteration only (constant rows cancel). */
static double
model_change (SsQp *qp)
{
  double quadratic = dot (qp->n, qp->g, qp->p) + 0.5 * dot (qp->n, qp->hp, qp->p), l1 = 0;
  ss_qp_multiply (qp, qp->p, qp->v);
  for (int i = 0; i < qp->n_eq; i++)
    l1 += 0.5 * qp->m[i] * (fabs (qp->v[i] + qp->c[i]) - fabs (qp->c[i]));
  for (int i = qp->n_eq; i < qp->n_rows; i++) {
    double now = qp->v[i] + qp->c[i];
    l1 += qp->m[i] * ((now < 0 ? -now : 0) - (qp->c[i] < 0 ? -qp->c[i] : 0));
  }
  return quadratic + l1;
}

static double
primal_residual (SsQp *qp)
{
  double worst = 0;
  ss_qp_multiply (qp, qp->p, qp->v);
  for (int i = 0; i < qp->n_rows; i++) {
    double off = fabs (qp->v[i] + qp->c[i] + qp->t[i] - qp->s[i]);
    worst = off > worst ? off : worst;
  }
  for (int j = 0; j < qp->n; j++) {
    double beyond = fmax (qp->box_lower[j] - qp->p[j], qp->p[j] - qp->box_upper[j]);
    worst = beyond > worst ? beyond : worst;
  }
  return worst;
}

static void
report (SsQp *qp, const SsQpData *d, SsOutcome outcome, int iterations, SsQpResult *result)
{
  for (int i = 0; i < qp->n_eq; i++)
    qp->multipliers[qp->given[i]] = 0.5 * (qp->y[i] - qp->z[i]);
  for (int i = qp->n_eq; i < qp->n_rows; i++)
    qp->multipliers[qp->given[i]] = qp->y[i];
  for (int i = 0; i < qp->n_constant; i++) { /* |c| or max(0, -c) does not depend on p: the multiplier is its slope */
    int row = qp->constant[i];
    double c = d->c[row], mu = d->mu[row];
    qp->multipliers[row] = c < 0 ? mu : c > 0 && row < qp->n_given_eq ? -mu : 0;
  }
  for (int j = 0; j < qp->n; j++) {
    qp->answer[qp->variable[j]] = qp->p[j];
    qp->at_lower[qp->variable[j]] = qp->bl[j];
    qp->at_upper[qp->variable[j]] = qp->bu[j];
  }
  hessian_multiply (qp, qp->p, qp->hp);
  *result = (SsQpResult){
      .outcome = outcome,
      .iterations = iterations,
      .residual_dual = dual_residual (qp),
      .residual_primal = primal_residual (qp),
      .gap = total_gap (qp),
      .model_change = model_change (qp),
      .p = qp->answer,
      .multipliers = qp->multipliers,
      .at_lower = qp->at_lower,
      .at_upper = qp->at_upper,
  };
}

static void
report_invalid (SsQp *qp, SsQpResult *result)
{
  memset (qp->answer, 0, (size_t)qp->n * sizeof (double));
  memset (qp->multipliers, 0, (size_t)qp->n_given * sizeof (double));
  memset (qp->at_lower, 0, (size_t)qp->n * sizeof (double));
  memset (qp->at_upper, 0, (size_t)qp->n * sizeof (double));
  *result = (SsQpResult){.outcome = SS_OUTCOME_FAILED,
                         .residual_dual = NAN,
                         .residual_primal = NAN,
                         .gap = NAN,
                         .model_change = 0,
                         .p = qp->answer,
                         .multipliers = qp->multipliers,
                         .at_lower = qp->at_lower,
                         .at_upper = qp->at_upper};
}

/* ---- the solve --------------------------------------------------------------------------------------------------- */

SsStatus
ss_qp_solve (SsQp *qp, const SsQpData *data, SsRunControl *control, SsQpResult *result, SsError *err)
{
  SS_ASSERT (qp != NULL && data != NULL && result != NULL);

  (void)err;
  if (!data_is_valid (qp, data)) {
    report_invalid (qp, result);
    return SS_OK;
  }
  load (qp, data);
  start_centred (qp, choose_start (qp));
  hessian_multiply (qp, qp->p, qp->hp);

  const int n_products = 2 * (qp->n_rows + qp->n);
  const double dual_tolerance = qp->options.tolerance_residual * (1 + ss_norm_inf (qp->n, qp->g));
  double dual = dual_residual (qp), gap = ss_qp_advance (qp, 0), shift = qp->options.shift;
  SsOutcome outcome = SS_OUTCOME_MAX_ITERATIONS;
  int iteration = 0, stalls = 0, unconfirmed = 0;
  for (;; iteration++) {
    /* The residual falls by 1 - alpha each step; it is recomputed before it is believed. */
    double quadratic = dot (qp->n, qp->g, qp->p) + 0.5 * dot (qp->n, qp->hp, qp->p);
    double gap_tolerance = qp->options.tolerance_gap * (qp->options.gap_unit + fabs (quadratic));
    if (dual <= dual_tolerance && gap <= gap_tolerance) {
      dual = dual_residual (qp);
      if (dual <= dual_tolerance) {
        outcome = SS_OUTCOME_SOLVED;
        break;
      }
      if (++unconfirmed > MAX_UNCONFIRMED)
        break;
    }
    if (iteration >= qp->options.max_iterations || stalls >= MAX_STALLS)
      break;
    if (ss_run_control_should_stop (control, &outcome))
      break;

    if (!factor (qp, &shift)) {
      outcome = SS_OUTCOME_FAILED;
      break;
    }
    bool refine = unconfirmed > 0;
    double product;
    ss_qp_predictor_rhs (qp);
    solve_step (qp, refine);
    double limit = ss_qp_predictor (qp, &product);
    double alpha = limit > 1 ? 1 / limit : 1;
    double ratio = fmin (1, fmax (0, ((1 - alpha) * gap + alpha * alpha * product) / gap));

    /* A gap that is small enough is kept while the residual is worked on: smaller products only cost digits. */
    double keep = unconfirmed > 0 && gap <= gap_tolerance ? 1 : ratio * ratio * ratio;
    double sigma = keep * gap / n_products;
    ss_qp_corrector_rhs (qp, sigma);
    solve_step (qp, refine);
    limit = ss_qp_corrector (qp, sigma);
    if (isnan (limit)) { /* noticed before it spoils the point */
      outcome = SS_OUTCOME_FAILED;
      break;
    }
    alpha = limit > qp->options.step_fraction ? qp->options.step_fraction / limit : 1;
    gap = ss_qp_advance (qp, alpha);
    hessian_multiply (qp, qp->p, qp->hp);
    dual *= 1 - alpha;
    stalls = alpha < STALL_STEP ? stalls + 1 : 0;
  }
  report (qp, data, outcome, iteration, result);
  return SS_OK;
}

bool
ss_qp_correct (SsQp *qp, const double *delta_c, double *delta_p)
{
  SS_ASSERT (qp != NULL && delta_c != NULL && delta_p != NULL);

  double shift = qp->options.shift;
  if (!factor (qp, &shift))
    return false;
  /* The matrix of the step with e1 = e2 = 0, J p + c = delta_c, and no residual of stationarity. */
  for (int i = 0; i < qp->n_eq; i++) {
    qp->v[i] = 0;
    qp->rhs[qp->n + i] = -delta_c[qp->given[i]];
  }
  for (int i = qp->n_eq; i < qp->n_rows; i++)
    qp->v[i] = -qp->w[i] * delta_c[qp->given[i]];
  memset (qp->rhs, 0, (size_t)qp->n * sizeof (double));
  ss_qp_multiply_transposed (qp, qp->v, qp->rhs);
  solve_linear (qp, false);
  for (int j = 0; j < qp->n; j++)
    delta_p[qp->variable[j]] = qp->rhs[j];
  return all_finite (qp->n, delta_p);
}
