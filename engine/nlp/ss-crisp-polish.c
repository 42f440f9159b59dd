/* engine/nlp/ss-crisp-polish.c: satisfies the rows of an almost feasible point to the last digits.
 *
 * Each step is the least-norm correction of the linearised rows (Gauss-Newton for equalities, with inequalities kept):
 * the QP with the identity as Hessian and no gradient, in units of the largest violation v: p = v p', rows J p' + c/v.
 * Its penalties must exceed the correction's multipliers. Converges quadratically wherever the active gradients do not
 * vanish; a step that does not help is not taken.
 *
 * Near a solution a product row a b <= 0 has nearly no gradient, and its correction is slow. Snapping puts the row -s
 * >= 0 in its place, s the smaller of a and b: with s >= 0 that is s = 0, affine or nearly so, and the steps converge
 * quadratically to the point of that active set, if it has one.
 */
#include "nlp/ss-crisp-private.h"

#include <math.h>
#include <string.h>

/* A product of two numbers of size e violates by e^2 and has a gradient of size e: its correction of unit violation is
 * 1/e long and has a multiplier of 1/e^2. For violations of 1e-8 that is 1e4 and 1e8; each such step leaves a quarter
 * of the violation. */
static const double POLISH_PENALTY = 1e8;
static const double POLISH_RADIUS = 1e6; /* longest correction of one variable, in units of the violation */
static const double POLISH_RESIDUAL = 1e-9,
                    POLISH_GAP = 1e-7; /* of the scaled QP                                     */

static const double SNAP_ENOUGH = 1e-12;   /* a smaller side below this is zero to the accuracy of the QPs */
static const double SNAP_PROGRESS = 0.5;   /* a step that leaves more than this part is the last */
enum { POLISH_STEPS = 8, SNAP_STEPS = 8 }; /* each squares the violation: from 1e-6 one or two do */

/* The least-norm step of rows with the Jacobian values and constants c given, in units of `unit`; its point in
 * `trial`. */
static bool
least_norm_point (SsCrisp *s, const double *jacobian, const double *c, double unit, SsRunControl *control)
{
  double *mu = s->second.c; /* scratch: the corrected trial point is not in use */
  for (int i = 0; i < s->n_rows; i++) {
    s->c_corrected[i] = c[i] / unit;
    mu[i] = POLISH_PENALTY;
  }
  ss_crisp_set_box (s, POLISH_RADIUS, unit);
  SsQpData data = {s->h_identity, s->g_zero, jacobian, s->c_corrected, mu, s->lower, s->upper};
  SsQpResult qp;
  if (ss_crisp_solve_qp (s, &data, control, &qp, NULL) != SS_OK)
    return false;
  if (qp.outcome != SS_OUTCOME_SOLVED && qp.outcome != SS_OUTCOME_MAX_ITERATIONS)
    return false;
  for (int j = 0; j < s->n; j++)
    s->p_second[j] = unit * qp.p[j];
  ss_crisp_keep_in_bounds (s, s->now.x, s->p_second, s->trial.x);
  ss_crisp_evaluate (s, &s->trial);
  return isfinite (s->trial.merit);
}

static bool
polish_step (SsCrisp *s, SsRunControl *control)
{
  return least_norm_point (s, s->jacobian, s->now.c, s->now.violation, control) &&
         s->trial.violation < s->now.violation;
}

static void
take_trial (SsCrisp *s)
{
  SsCrispPoint old = s->now;
  s->now = s->trial;
  s->trial = old;
  ss_crisp_differentiate (s, &s->now);
}

bool
ss_crisp_polish (SsCrisp *s, SsRunControl *control)
{
  SS_ASSERT (s != NULL && s->n >= 0);

  bool improved = false;
  SsOutcome why;
  SsQpOptions tight = s->qp_options;
  tight.tolerance_residual = POLISH_RESIDUAL;
  tight.tolerance_gap = POLISH_GAP;
  tight.gap_unit = 1;
  ss_qp_set_options (s->qp, &tight);
  for (int step = 0; step < POLISH_STEPS && s->now.violation > SS_CRISP_POLISH_TO; step++) {
    if (ss_run_control_should_stop (control, &why) || !polish_step (s, control))
      break;
    take_trial (s);
    improved = true;
  }
  ss_qp_set_options (s->qp, &s->qp_options);
  return improved;
}

/* The row of the smaller side of a pair at `now`, or -1 when a side has no row of its own. */
static int
smaller_side (const SsCrisp *s, const SsMpccPair *pair)
{
  if (pair->row_a < 0 || pair->row_b < 0)
    return -1;
  int a = s->n_eq + pair->row_a, b = s->n_eq + pair->row_b;
  return s->now.c[a] <= s->now.c[b] ? a : b;
}

/* The largest violation, smaller sides counted as such. */
static double
distance_from_snapped (const SsCrisp *s, const SsCrispPoint *point)
{
  const SsMpccPair *pairs = ss_mpcc_pairs (s->mpcc);
  double worst = point->violation;
  for (int i = 0; i < ss_mpcc_n_pairs (s->mpcc); i++)
    if (pairs[i].row_a >= 0 && pairs[i].row_b >= 0)
      worst = fmax (worst, fmin (fabs (point->c[s->n_eq + pairs[i].row_a]), fabs (point->c[s->n_eq + pairs[i].row_b])));
  return worst;
}

/* Product rows become minus the smaller side: constants into `c`, derivatives into j_snap. The pattern of a product
 * holds those of its sides. */
static void
snap_rows (SsCrisp *s, double *c)
{
  const SsPattern *pattern = ss_mpcc_jacobian_pattern (s->mpcc);
  const SsMpccPair *pairs = ss_mpcc_pairs (s->mpcc);
  memcpy (s->j_snap, s->jacobian, (size_t)pattern->start[s->n_rows] * sizeof (double));
  memcpy (c, s->now.c, (size_t)s->n_rows * sizeof (double));
  for (int i = 0; i < ss_mpcc_n_pairs (s->mpcc); i++) {
    int side = smaller_side (s, &pairs[i]), row = s->n_eq + pairs[i].product_row;
    if (side < 0)
      continue;
    int from = pattern->start[side], end = pattern->start[side + 1];
    for (int k = pattern->start[row]; k < pattern->start[row + 1]; k++) {
      while (from < end && pattern->index[from] < pattern->index[k])
        from++;
      s->j_snap[k] = from < end && pattern->index[from] == pattern->index[k] ? -s->jacobian[from] : 0;
    }
    c[row] = -s->now.c[side];
  }
}

bool
ss_crisp_snap (SsCrisp *s, SsRunControl *control)
{
  SS_ASSERT (s != NULL && s->n >= 0);

  bool improved = false;
  SsOutcome why;
  SsQpOptions tight = s->qp_options;
  double off = distance_from_snapped (s, &s->now), violation = s->now.violation;
  memcpy (s->second.x, s->now.x, (size_t)s->n * sizeof (double)); /* scratch: not in use here */
  tight.tolerance_residual = POLISH_RESIDUAL;
  tight.tolerance_gap = POLISH_GAP;
  ss_qp_set_options (s->qp, &tight);
  for (int step = 0; step < SNAP_STEPS && off > SNAP_ENOUGH; step++) {
    if (ss_run_control_should_stop (control, &why))
      break;
    snap_rows (s, s->trial.c);
    if (!least_norm_point (s, s->j_snap, s->trial.c, off, control))
      break;
    double next = distance_from_snapped (s, &s->trial);
    if (!(next < SNAP_PROGRESS * off))
      break;
    take_trial (s);
    off = next;
    improved = true;
  }
  ss_qp_set_options (s->qp, &s->qp_options);
  if (improved &&
      s->now.violation > fmax (violation, SS_CRISP_POLISH_TO)) { /* on the way rows may give, in the end not */
    memcpy (s->now.x, s->second.x, (size_t)s->n * sizeof (double));
    ss_crisp_evaluate (s, &s->now);
    ss_crisp_differentiate (s, &s->now);
    improved = false;
  }
  return improved;
}
