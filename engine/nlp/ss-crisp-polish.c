/* engine/nlp/ss-crisp-polish.c: satisfies the rows of an almost feasible point to the last digits.
 *
 * Each step is the least-norm correction of the linearised rows (Gauss-Newton for equalities, with inequalities kept): the QP with the identity as
 * Hessian and no gradient, in units of the largest violation v: p = v p', rows J p' + c/v. Its penalties must exceed the correction's
 * multipliers. Converges quadratically wherever the active gradients do not vanish; a step that does not help is not taken.
 */
#include "nlp/ss-crisp-private.h"

#include <math.h>
#include <string.h>

/* A product of two numbers of size e violates by e^2 and has a gradient of size e: its correction of unit violation is 1/e long and has a multiplier of
 * 1/e^2. For violations of 1e-8 that is 1e4 and 1e8; each such step leaves a quarter of the violation. */
static const double POLISH_PENALTY = 1e8;
static const double POLISH_RADIUS = 1e6; /* longest correction of one variable, in units of the violation */
static const double POLISH_RESIDUAL = 1e-9,
                    POLISH_GAP = 1e-7; /* of the scaled QP                                     */

static bool
polish_step (SsCrisp *s, SsRunControl *control)
{
  double unit = s->now.violation, *mu = s->second.c; /* scratch: the corrected trial point is not in use */
  for (int i = 0; i < s->n_rows; i++) {
    s->c_corrected[i] = s->now.c[i] / unit;
    mu[i] = POLISH_PENALTY;
  }
  for (int j = 0; j < s->n; j++)
    s->radius[j] = POLISH_RADIUS;
  SsQpData data = {s->h_identity, s->g_zero, s->jacobian, s->c_corrected, mu, s->radius};
  SsQpResult qp;
  if (ss_crisp_solve_qp (s, &data, control, &qp, NULL) != SS_OK)
    return false;
  if (qp.outcome != SS_OUTCOME_SOLVED && qp.outcome != SS_OUTCOME_MAX_ITERATIONS)
    return false;
  for (int j = 0; j < s->n; j++)
    s->trial.x[j] = s->now.x[j] + unit * qp.p[j];
  ss_crisp_evaluate (s, &s->trial);
  return s->trial.violation < s->now.violation && isfinite (s->trial.merit);
}

bool
ss_crisp_polish (SsCrisp *s, SsRunControl *control)
{
  bool improved = false;
  SsOutcome why;
  SsQpOptions tight = s->qp_options;
  tight.tolerance_residual = POLISH_RESIDUAL;
  tight.tolerance_gap = POLISH_GAP;
  tight.gap_unit = 1;
  ss_qp_set_options (s->qp, &tight);
  for (int step = 0; step < s->o.polish_steps && s->now.violation > s->o.polish_to; step++) {
    if (ss_run_control_should_stop (control, &why) || !polish_step (s, control))
      break;
    SsCrispPoint old = s->now;
    s->now = s->trial;
    s->trial = old;
    ss_crisp_differentiate (s, &s->now);
    improved = true;
  }
  ss_qp_set_options (s->qp, &s->qp_options);
  return improved;
}
