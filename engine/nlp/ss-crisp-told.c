/* engine/nlp/ss-crisp-told.c: what CRISP says of how it ended. */
#include "nlp/ss-crisp-private.h"

#include <math.h>
#include <stdio.h>

double
ss_crisp_largest_penalty (const SsCrisp *s)
{
  double largest = 0;
  for (int i = 0; i < s->n_rows; i++)
    largest = s->mu[i] > largest ? s->mu[i] : largest;
  return largest;
}

/* Says no more than was measured: by the certificate where there is one, else by the loop, whose last promise holds
 * within its last radius. */
static void
describe_solution (const SsCrisp *s, double stationarity, SsNlpResult *result)
{
  const SsNlpCertificate *c = &result->certificate;
  const char *what = !c->is_computed    ? "steps gain little more"
                     : c->is_stationary ? "stationary point verified"
                                        : "steps gain little more, but not verified as stationary";
  double part = c->is_computed ? c->promise_part : fmax (0, stationarity) / fmax (1, fabs (s->now.merit));
  snprintf (result->message, sizeof result->message,
            "%s: the model promises %.1e of the merit function within %s; max violation %.1e below %.0e; largest "
            "penalty %g",
            what, part, c->is_computed ? "a radius of 1" : "the last radius", s->now.violation, s->o.eps_c,
            ss_crisp_largest_penalty (s) / ss_mpcc_objective_scale (s->mpcc));
}

void
ss_crisp_describe (const SsCrisp *s, SsOutcome outcome, int iterations, double stationarity, SsNlpResult *result)
{
  const SsCrispPoint *x = &s->now;
  switch (outcome) {
  case SS_OUTCOME_SOLVED:
    describe_solution (s, stationarity, result);
    break;
  case SS_OUTCOME_INFEASIBLE:
    if (s->is_given_up) {
      snprintf (result->message, sizeof result->message, "given up: no better than the answer known, %g",
                s->enough / ss_mpcc_objective_scale (s->mpcc));
      break;
    }
    snprintf (result->message, sizeof result->message,
              "penalties maxed out at %g with max violation %.1e (tolerance %.0e)",
              s->o.mu_max / ss_mpcc_objective_scale (s->mpcc), x->violation, s->o.eps_c);
    break;
  case SS_OUTCOME_DIVERGED:
    snprintf (result->message, sizeof result->message,
              "the penalty function falls without end: the objective to %.2g, while penalties up to %g leave a max "
              "violation of %.1e that does not fall; methods without such penalties may solve this (scholtes)",
              x->objective / ss_mpcc_objective_scale (s->mpcc),
              ss_crisp_largest_penalty (s) / ss_mpcc_objective_scale (s->mpcc), x->violation);
    break;
  case SS_OUTCOME_MAX_ITERATIONS:
    snprintf (result->message, sizeof result->message, "iteration limit %d; max violation %.1e", s->o.k_max,
              x->violation);
    break;
  case SS_OUTCOME_FAILED:
    snprintf (result->message, sizeof result->message, "%s; max violation %.1e",
              isfinite (x->merit) ? "subproblems could not be solved"
                                  : "the starting point has values that are not finite",
              x->violation);
    break;
  default:
    snprintf (result->message, sizeof result->message, "stopped on request after %d iterations; max violation %.1e",
              iterations, x->violation);
    break;
  }
}
