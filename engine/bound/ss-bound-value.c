/* engine/bound/ss-bound-value.c: values of polynomials and of what auxiliary variables stand for, see
 * ss-bound-form.h. */
#include "bound/ss-bound-form.h"

double
ss_bound_apply (SsOp op, double a, double b)
{
  switch (op) {
  case SS_OP_ADD:
    return a;
  case SS_OP_DIV:
    return a / b;
  case SS_OP_POW:
    return pow (a, b);
  case SS_OP_SIN:
    return sin (a);
  case SS_OP_COS:
    return cos (a);
  case SS_OP_TAN:
    return tan (a);
  case SS_OP_ASIN:
    return asin (a);
  case SS_OP_ACOS:
    return acos (a);
  case SS_OP_ATAN:
    return atan (a);
  case SS_OP_ATAN2:
    return atan2 (a, b);
  case SS_OP_SQRT:
    return sqrt (a);
  case SS_OP_EXP:
    return exp (a);
  case SS_OP_LOG:
    return log (a);
  case SS_OP_ABS:
    return fabs (a);
  case SS_OP_MIN:
    return fmin (a, b);
  case SS_OP_MAX:
    return fmax (a, b);
  case SS_OP_SIGN:
    return (a > 0) - (a < 0);
  case SS_OP_LT:
    return a < b;
  case SS_OP_LE:
    return a <= b;
  case SS_OP_EQ:
    return a == b;
  case SS_OP_AND:
    return a != 0 && b != 0;
  case SS_OP_OR:
    return a != 0 || b != 0;
  case SS_OP_NOT:
    return a == 0;
  case SS_OP_FLOOR:
    return floor (a);
  default:
    return NAN;
  }
}

SsInterval
ss_bound_value (const SsBoundProblem *problem, const SsBoundForm *form, const double *x)
{
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
  for (int i = 0; i < problem->n_auxiliary; i++) {
    const SsBoundAuxiliary *w = &problem->auxiliary[i];
    const SsInterval a = ss_bound_value (problem, &w->a, x), b = ss_bound_value (problem, &w->b, x);
    x[problem->n_model + i] = ss_bound_apply (w->op, 0.5 * (a.low + a.high), 0.5 * (b.low + b.high));
  }
}
