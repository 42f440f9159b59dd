/* engine/bound/ss-bound-form.h: a model in equations as polynomials of degree two, for lower bounds of its
 * objective.
 *
 *   minimise f(x)  subject to  c_r(x) = 0 or >= 0,  a_p(x) b_p(x) <= 0          f, c, a, b: at most quadratic
 *
 * Formulas are expanded node by node, with coefficients that are intervals rounded outward: the true ones lie
 * within. What is of a higher degree or no polynomial becomes a variable of its own (an auxiliary one) with rows
 * that it obeys: quotients and roots by products, |a|, min and max by pairs. Of other functions (sin, exp,
 * fractional powers) only the range is kept: the problem is then a relaxation, whose bounds hold and stay loose
 * (`n_loose`). A pair whose signs are imposed has rows for these. Products of two variables are numbered, so that
 * multipliers of their bounds have names.
 *
 * Every constraint has a number, for multipliers and steps: rows first; then of each pair -a >= 0, -b >= 0 (they
 * hold on one side of a branch) and the hull of a <= A, b <= B, ab <= 0, which is A B - B a - A b >= 0; then of
 * each product x y (x - x_l)(y - y_l), (x - x_l)(y_u - y), (x_u - x)(y - y_l), (x_u - x)(y_u - y), all >= 0 in the
 * box.
 *
 * Threads: immutable after it is made. Tests: tests/numeric/test-bound.c (values against the judge's at random
 * points)
 */
#pragma once

#include "bound/ss-interval.h"
#include "scene/ss-scenario.h"

typedef struct {
  SsInterval constant;
  int n_linear, n_products;
  const int *variable;         /* n_linear, ascending              */
  const SsInterval *linear;    /* n_linear                         */
  const int *product;          /* n_products, of the problem's     */
  const SsInterval *quadratic; /* n_products                       */
} SsBoundForm;

typedef struct {
  SsBoundForm form;
  bool is_equality; /* else form >= 0                                                      */
  const char *path; /* of the file; "" of an auxiliary variable; borrowed from the scenario */
  int point;
} SsBoundRow;

typedef struct {
  SsBoundForm a, b;
  const char *path;
  int point;
} SsBoundPair;

typedef struct {
  int x, y; /* variables, x <= y */
} SsBoundProduct;

/* What an auxiliary variable stands for: op (a, b) of what comes before it; SS_OP_ADD: a alone. */
typedef struct {
  SsOp op;
  SsBoundForm a, b;
} SsBoundAuxiliary;

typedef struct {
  int n;       /* variables, auxiliary ones at the end  */
  int n_model; /* point * n_variables + variable of the model */
  SsBoundForm objective;
  int n_rows, n_pairs, n_products, n_auxiliary, n_loose;
  const SsBoundRow *rows;
  const SsBoundPair *pairs;
  const SsBoundProduct *products;
  const SsBoundAuxiliary *auxiliary;
  const SsInterval *range; /* n: of auxiliary variables what is known from their functions; else all numbers */
  char loose[160];         /* the first formula of which only the range is kept: place and function; "" */
  SsArena *arena;
} SsBoundProblem;

typedef enum { SS_BOUND_ROW, SS_BOUND_SIDE_A, SS_BOUND_SIDE_B, SS_BOUND_HULL, SS_BOUND_PRODUCT } SsBoundKind;

static inline int
ss_bound_n_constraints (const SsBoundProblem *p)
{
  return p->n_rows + 3 * p->n_pairs + 4 * p->n_products;
}

static inline int
ss_bound_pair_constraint (const SsBoundProblem *p, int pair, SsBoundKind kind)
{
  return p->n_rows + 3 * pair + (int)kind - SS_BOUND_SIDE_A;
}

static inline int
ss_bound_product_constraint (const SsBoundProblem *p, int product, int corner)
{
  return p->n_rows + 3 * p->n_pairs + 4 * product + corner;
}

/* Of a scenario with a model in equations, at its present parameters; must not outlive it. SS_ERR_INVALID: a formula
 * that is not finite or not whole. */
SS_NODISCARD SsStatus ss_bound_problem_new (const SsScenario *scenario, SsBoundProblem **out, SsError *err);
void ss_bound_problem_free (SsBoundProblem *problem); /* NULL is allowed */
/* Computes the auxiliary variables of x (n) from those of the model, its first ones. */
void ss_bound_complete (const SsBoundProblem *problem, double *x);
/* Between which numbers a form lies at a point (n). */
SsInterval ss_bound_value (const SsBoundProblem *problem, const SsBoundForm *form, const double *x);
