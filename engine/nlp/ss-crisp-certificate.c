/* engine/nlp/ss-crisp-certificate.c: what can be verified about the final point. See SsNlpCertificate.
 *
 * [004 Thm 8]: where the iterates converge while the radius stays away from zero, the limit is stationary
 * for the merit function. Both premises are statements about a limit; what is measured instead is the conclusion, by
 * one accurate subproblem at the final point with a radius of 1. [004 Prop 9]: a local minimiser of the merit function
 * that is feasible is a local minimiser of the problem. Feasibility is measured; that the stationary point is a local
 * minimiser is not, and the text says so. */
#include "nlp/ss-crisp-private.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double CERTIFICATE_RADIUS = 1;
static const double CERTIFICATE_RESIDUAL =
    1e-7;                                      /* relative to the gradient; penalties of 1e3 leave about nine digits */
static const double CERTIFICATE_GAP = 0.1;     /* of what counts as a small decrease                                  */
static const double SMALLEST_GAP = 1e-9;       /* relative to the subproblem's value                                  */
static const double FALLBACK_TOLERANCE = 1e-3; /* part of the merit function, when the loop has no such tolerance     */

static void
describe (const SsCrisp *s, SsNlpCertificate *c)
{
  char feasible[160], stationary[200];
  if (c->is_feasible)
    snprintf (feasible, sizeof feasible, "feasible (equalities to %.1e, inequalities to %.1e)", c->violation_equality,
              c->violation_inequality);
  else
    snprintf (feasible, sizeof feasible, "not feasible (violation %.1e of equalities, %.1e of inequalities)",
              c->violation_equality, c->violation_inequality);
  snprintf (stationary, sizeof stationary,
            "%s of the merit function (within a radius of 1 its model promises %.1e of it, tolerance %.0e)",
            c->is_stationary ? "stationary point" : "not a stationary point", c->promise_part,
            s->o.eps_decrease > 0 ? s->o.eps_decrease : FALLBACK_TOLERANCE);
  snprintf (c->text, sizeof c->text,
            "%s; %s; that it is a local minimiser of the merit function (Proposition 9) was not verified", feasible,
            stationary);
}

void
ss_crisp_certify (SsCrisp *s, SsRunControl *control, double last_step, double last_radius, SsNlpCertificate *c)
{
  SS_ASSERT (s != NULL && s->n >= 0 && c != NULL);

  const double tolerance = s->o.eps_decrease > 0 ? s->o.eps_decrease : FALLBACK_TOLERANCE;
  SsQpOptions sharp = s->qp_options;
  SsQpResult qp;
  memset (c, 0, sizeof *c);
  snprintf (c->text, sizeof c->text, "not computed: its subproblem was not solved");
  sharp.tolerance_residual = fmin (sharp.tolerance_residual, CERTIFICATE_RESIDUAL);
  sharp.tolerance_gap = fmax (SMALLEST_GAP, fmin (sharp.tolerance_gap, CERTIFICATE_GAP * tolerance));
  sharp.gap_unit = 1;
  ss_crisp_set_box (s, CERTIFICATE_RADIUS, 1);
  SsQpData data = {s->h_values, s->gradient, s->jacobian, s->now.c, s->mu, s->lower, s->upper};
  ss_qp_set_options (s->qp, &sharp);
  SsStatus status = ss_crisp_solve_qp (s, &data, control, &qp, NULL);
  ss_qp_set_options (s->qp, &s->qp_options);
  if (status != SS_OK)
    return;
  if (qp.outcome != SS_OUTCOME_SOLVED)
    return;
  ss_crisp_take_multipliers (s, &qp); /* more accurate than the loop's */

  for (int i = 0; i < s->n_rows; i++)
    if (i < s->n_eq)
      c->violation_equality = fmax (c->violation_equality, fabs (s->now.c[i]));
    else
      c->violation_inequality = fmax (c->violation_inequality, 0 - s->now.c[i]);
  for (int i = 0; i < s->n_rows; i++)
    c->largest_penalty = fmax (c->largest_penalty, s->mu[i]);
  c->complementarity = s->now.complementarity;
  c->merit = s->now.merit;
  c->promise = fmax (0, -qp.model_change);
  c->promise_gap = qp.gap;
  c->promise_part = (c->promise + c->promise_gap) / fmax (1, fmin (fabs (c->merit), ss_crisp_worth (s, 1)));
  c->last_step = last_step;
  c->last_radius = last_radius;
  c->is_feasible = s->now.violation < s->o.eps_c;
  c->is_stationary = c->promise_part <= tolerance;
  c->is_computed = true;
  describe (s, c);
}
