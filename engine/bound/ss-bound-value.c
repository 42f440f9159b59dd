/* engine/bound/ss-bound-value.c: values of polynomials and of what auxiliary variables stand for, see
 * ss-bound-form.h. */
#include "bound/ss-bound-form.h"

SsInterval
ss_bound_value (const SsBoundProblem *problem, const SsBoundForm *form, const double *x)
{
  SS_ASSERT (form != NULL);

  SsInterval sum = form->constant;

  for (int i = 0; i < form->n_linear; i++)
    sum = ss_interval_add (sum, ss_interval_multiply (form->linear[i], ss_interval (x[form->variable[i]])));
  for (int i = 0; i < form->n_products; i++) {
    const SsBoundProduct *p = &problem->products[form->product[i]];
    const SsInterval xy = ss_interval_multiply (ss_interval (x[p->x]), ss_interval (x[p->y]));
    sum = ss_interval_add (sum, ss_interval_multiply (form->quadratic[i], xy));
  }
  return sum;
}

void
ss_bound_complete (const SsBoundProblem *problem, double *x)
{
  SS_ASSERT (problem != NULL);
  for (int i = 0; i < problem->n_auxiliary; i++) {
    const SsBoundAuxiliary *w = &problem->auxiliary[i];
    const SsInterval a = ss_bound_value (problem, &w->a, x), b = ss_bound_value (problem, &w->b, x);
    x[problem->n_model + i] = ss_op_apply (w->op, 0.5 * (a.low + a.high), 0.5 * (b.low + b.high), 0);
  }
}
