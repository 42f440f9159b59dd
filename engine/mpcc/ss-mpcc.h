/* engine/mpcc/ss-mpcc.h: a mathematical program with complementarity constraints, as templates and gather tables.
 *
 *   minimise J(x)  subject to  c_E(x) = 0,  c_I(x) >= 0                                                 [004 (9a)-(9c)]
 *
 * A complementarity 0 <= a _|_ b >= 0 is three inequality rows a >= 0, b >= 0, -(a*b) >= 0 [004 (8e)]; which rows are
 * products, and of what, is kept in the list of pairs, so that a solver may relax or lump them. Rows: equalities
 * 0..n_eq-1, then inequalities n_eq..n_rows-1. A template is one set of formulas; a table says for each instance which
 * variables it reads and into which rows it writes. Derivatives are symbolic, taken once per template. Parameters are
 * uniform inputs of the tapes: changing them costs one pass over the derivative entries that do not depend on the
 * variables; these are kept and not evaluated again until the next change.
 *
 * Bounds. An inequality row that is affine and reads one variable, slope*x_j + intercept >= 0, is a bound of that
 * variable: lower where its slope is positive, upper where it is negative. It stays a row all the same (metrics count
 * it as one); a solver that can keep bounds exactly may drop the rows and use the list. Which rows are bounds is
 * decided by the formulas, once; the numbers follow the parameters. Products of pairs are never bounds.
 *
 * Threads    SsMpcc is immutable after building except for ss_mpcc_set_parameters; every evaluating thread has its own
 *            SsMpccEval.
 * Memory     evaluation and ss_mpcc_set_parameters allocate nothing.
 * Tests      tests/unit/test-mpcc.c, tests/numeric/test-crisp-check-values.c
 */
#pragma once

#include "expr/ss-expr.h"
#include "linalg/ss-linalg.h"

typedef struct SsMpcc SsMpcc;
typedef struct SsMpccEval SsMpccEval;

/* ---- building ---------------------------------------------------------------------------------------------------- */

typedef struct SsMpccBuilder SsMpccBuilder;

typedef enum { SS_ROW_EQUALITY, SS_ROW_INEQUALITY } SsRowKind;

/* One template: formulas over local slots: 0..n_inputs-1 variables, then n_constants numbers of the instance, then the
 * problem's parameters (uniform). Fields after `formulas` may be left zero. Formulas must be smooth
 * (ss_graph_is_smooth). */
typedef struct {
  const char *name; /* for messages and row names; copied                                     */
  int n_inputs;     /* varying inputs per instance                                            */
  int n_formulas;
  const SsExpr *formulas;           /* of the builder's graph                                 */
  int n_constants;                  /* numbers per instance, such as k and t                  */
  const double *constants;          /* [instance * n_constants + i]; copied                   */
  const char *const *formula_names; /* n_formulas, for row names; copied; NULL: the index     */
  int first_instance;               /* number of instance 0 in row names, such as its point k */
  int instance_stride;              /* what the number grows by from one to the next; 0: by 1 */
} SsMpccTemplate;

/* `graph` is borrowed until build (which adds derivative nodes to it); must stay alive for the builder. */
SS_NODISCARD SsStatus ss_mpcc_builder_new (SsGraph *graph, int n_variables, int n_parameters, SsMpccBuilder **out,
                                           SsError *err);
void ss_mpcc_builder_free (SsMpccBuilder *builder); /* NULL is allowed */
/* Cost template: the sum over instances of formulas[0]. gather[instance * n_inputs + input] = variable index. */
SS_NODISCARD SsStatus ss_mpcc_builder_add_cost (SsMpccBuilder *builder, const SsMpccTemplate *t, int n_instances,
                                                const int *gather, SsError *err);
/* Constraint template: instance i adds formula f into row rows[i * n_formulas + f] of that kind (rows counted per kind
 * from 0; rows[] = -1 drops the formula; several instances may add into one row). The number of rows of a kind is the
 * highest row + 1. */
SS_NODISCARD SsStatus ss_mpcc_builder_add_rows (SsMpccBuilder *builder, SsRowKind kind, const SsMpccTemplate *t,
                                                int n_instances, const int *gather, const int *rows, SsError *err);
/* Declares inequality row `product_row` (index among inequalities) as -(a*b); row_a, row_b are the inequality rows a >=
 * 0 and b >= 0, or -1 where not imposed. */
SS_NODISCARD SsStatus ss_mpcc_builder_add_pair (SsMpccBuilder *builder, int product_row, int row_a, int row_b,
                                                SsError *err);
/* Takes derivatives, compiles tapes, computes patterns. Parameters are 0 until ss_mpcc_set_parameters. The builder may
 * be freed afterwards. SS_ERR_INVALID names the template whose formula has no derivative. */
SS_NODISCARD SsStatus ss_mpcc_build (SsMpccBuilder *builder, SsMpcc **out, SsError *err);
void ss_mpcc_free (SsMpcc *mpcc); /* NULL is allowed */

void ss_mpcc_set_parameters (SsMpcc *mpcc, const double *parameters); /* n_parameters values, copied */
const double *ss_mpcc_parameters (const SsMpcc *mpcc);                /* borrowed                    */

/* What the objective counts: objective, gradient and Hessians are multiplied by `scale` > 0 (1 until it is set), so
 * that methods whose tolerances and penalties are absolute see a problem of common size; 0: no objective. Rows stay as
 * they are, and so does the floor of the objective. Who sets it divides what is told by it. */
void ss_mpcc_set_objective_scale (SsMpcc *mpcc, double scale);
double ss_mpcc_objective_scale (const SsMpcc *mpcc);

/* ---- shape ------------------------------------------------------------------------------------------------------- */

/* Sizes; n_rows is the sum of equalities and inequalities, the products of pairs among them. */
int ss_mpcc_n_variables (const SsMpcc *mpcc);
int ss_mpcc_n_parameters (const SsMpcc *mpcc);
int ss_mpcc_n_equalities (const SsMpcc *mpcc);
int ss_mpcc_n_inequalities (const SsMpcc *mpcc);
int ss_mpcc_n_rows (const SsMpcc *mpcc);
int ss_mpcc_n_pairs (const SsMpcc *mpcc);
typedef struct {
  int product_row, row_a, row_b; /* inequality indices, -1 where absent */
} SsMpccPair;
/* n_pairs, in the order in which they were declared; borrowed. */
const SsMpccPair *ss_mpcc_pairs (const SsMpcc *mpcc);
/* Jacobian of all rows, compressed by rows; lower triangle (with diagonal entries only where structural) of the
 * objective's Hessian and of the Lagrangian's Hessian, compressed by columns. Borrowed, valid as long as the mpcc. */
const SsPattern *ss_mpcc_jacobian_pattern (const SsMpcc *mpcc);
const SsPattern *ss_mpcc_objective_hessian_pattern (const SsMpcc *mpcc);
const SsPattern *ss_mpcc_lagrangian_hessian_pattern (const SsMpcc *mpcc);
/* True if every formula added into the row is affine in the variables (its Jacobian entries are constant). */
bool ss_mpcc_row_is_affine (const SsMpcc *mpcc, int row);
/* A row that bounds one variable (see the head of this file), with the numbers of the present parameters. */
typedef struct {
  int row, variable;
  double slope, intercept; /* the row is slope * x[variable] + intercept >= 0 */
} SsMpccBound;
/* The rows that are bounds, ascending. Borrowed; the numbers change with ss_mpcc_set_parameters. */
int ss_mpcc_n_bounds (const SsMpcc *mpcc);
const SsMpccBound *ss_mpcc_bounds (const SsMpcc *mpcc);
/* n_variables: the tightest bounds of each variable, -INFINITY and INFINITY where there are none. Lower ones may lie
 * above upper ones: then no point satisfies the rows. Borrowed; change with ss_mpcc_set_parameters. */
const double *ss_mpcc_lower (const SsMpcc *mpcc);
const double *ss_mpcc_upper (const SsMpcc *mpcc);
/* Name of a row's template, its instance and its formula, such as "contact[17].nonnegative[3]", for logs. Borrowed. */
const char *ss_mpcc_row_name (const SsMpcc *mpcc, int row);

/* ---- evaluation -------------------------------------------------------------------------------------------------- */

SS_NODISCARD SsStatus ss_mpcc_eval_new (const SsMpcc *mpcc, SsMpccEval **out, SsError *err); /* borrows mpcc */
void ss_mpcc_eval_free (SsMpccEval *eval);                                                   /* NULL is allowed */

/* x has n_variables; outside of a formula's domain values are NaN or infinite. No allocation. */
double ss_mpcc_objective (SsMpccEval *eval, const double *x);
/* A number that the objective does not go below where lower <= x <= upper (n_variables each, infinite where there is no
 * limit), by interval arithmetic; -INFINITY: none was found. */
double ss_mpcc_objective_floor (SsMpccEval *eval, const double *lower, const double *upper);
void ss_mpcc_gradient (SsMpccEval *eval, const double *x, double *gradient); /* n_variables              */
void ss_mpcc_rows (SsMpccEval *eval, const double *x, double *c);            /* n_rows: c_E then c_I     */
void ss_mpcc_jacobian (SsMpccEval *eval, const double *x, double *values);   /* in jacobian_pattern      */
/* In objective_hessian_pattern. */
void ss_mpcc_objective_hessian (SsMpccEval *eval, const double *x, double *values);
/* sigma * Hess J + sum_r lambda[r] * Hess c_r */
void ss_mpcc_lagrangian_hessian (SsMpccEval *eval, const double *x, double sigma, const double *lambda, double *values);
