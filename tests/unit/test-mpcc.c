/* tests/unit/test-mpcc.c: templates and gather tables against closed forms, against the formulas evaluated one by one
 * without tapes, and derivatives against central differences on random templates.
 *
 * Tolerances: values agree to rounding (a few hundred operations of size 1..100: 1e-11 relative to 1 + |value|).
 * Central differences with step 1e-5 have an error of about (1e-5)^2 * third derivative + 1e-16/1e-5 * value: 1e-6
 * relative to 1 + the largest entry covers both.
 */
#include "mpcc/ss-mpcc.h"
#include "ss-test.h"

#include <stdlib.h>

static const double rounding = 1e-11;
static const double difference_step = 1e-5;
static const double difference_error = 1e-6;

/* ---- helpers ----------------------------------------------------------------------------------------------------- */

static double
entry (const SsPattern *pattern, const double *values, int major, int minor)
{
  for (int e = pattern->start[major]; e < pattern->start[major + 1]; e++)
    if (pattern->index[e] == minor)
      return values[e];
  return 0;
}

static SsExpr
in (SsGraph *g, int slot)
{
  return ss_graph_input (g, slot);
}

static SsExpr
mul (SsGraph *g, SsExpr a, SsExpr b)
{
  return ss_graph_binary (g, SS_OP_MUL, a, b);
}

static SsExpr
add (SsGraph *g, SsExpr a, SsExpr b)
{
  return ss_graph_binary (g, SS_OP_ADD, a, b);
}

static SsExpr
number (SsGraph *g, double value)
{
  return ss_graph_constant (g, value);
}

/* ---- closed forms ------------------------------------------------------------------------------------------------ */

/* J = sum_{i<3} p x_i^2 ; c_E: x_i x_{i+1} - p ; c_I: 3 x_0 + c (constant c = 7), -(x_0 x_1). */
static void
build_small (SsMpcc **mpcc)
{
  SsGraph *g = NULL;
  SsMpccBuilder *builder = NULL;
  SsError err;
  int gather_cost[] = {0, 1, 2}, gather_chain[] = {0, 1, 1, 2}, rows_chain[] = {0, 1};
  int gather_pair[] = {0, 1}, rows_pair[] = {0, 1, 2};
  double constants[] = {7};
  SsExpr cost, chain, pair[3];

  SS_CHECK (ss_graph_new (&g, &err) == SS_OK);
  SS_CHECK (ss_mpcc_builder_new (g, 3, 1, &builder, &err) == SS_OK);
  cost = mul (g, in (g, 1), mul (g, in (g, 0), in (g, 0)));
  SS_CHECK (ss_mpcc_builder_add_cost (
                builder, &(SsMpccTemplate){.name = "cost", .n_inputs = 1, .n_formulas = 1, .formulas = &cost}, 3,
                gather_cost, &err) == SS_OK);
  chain = ss_graph_binary (g, SS_OP_SUB, mul (g, in (g, 0), in (g, 1)), in (g, 2));
  SS_CHECK (
      ss_mpcc_builder_add_rows (
          builder, SS_ROW_EQUALITY,
          &(SsMpccTemplate){.name = "chain", .n_inputs = 2, .n_formulas = 1, .formulas = &chain, .first_instance = 5},
          2, gather_chain, rows_chain, &err) == SS_OK);
  pair[0] = add (g, mul (g, number (g, 3), in (g, 0)), in (g, 2));
  pair[1] = in (g, 1);
  pair[2] = ss_graph_unary (g, SS_OP_NEG, mul (g, in (g, 0), in (g, 1)));
  SS_CHECK (ss_mpcc_builder_add_rows (builder, SS_ROW_INEQUALITY,
                                      &(SsMpccTemplate){.name = "pair",
                                                        .n_inputs = 2,
                                                        .n_formulas = 3,
                                                        .formulas = pair,
                                                        .n_constants = 1,
                                                        .constants = constants,
                                                        .formula_names = (const char *const[]){"a", "b", "product"}},
                                      1, gather_pair, rows_pair, &err) == SS_OK);
  SS_CHECK (ss_mpcc_builder_add_pair (builder, 2, 0, 1, &err) == SS_OK);
  SS_CHECK (ss_mpcc_build (builder, mpcc, &err) == SS_OK);
  ss_mpcc_builder_free (builder);
  ss_graph_free (g);
}

static void
test_closed_form (void)
{
  SsMpcc *mpcc = NULL;
  SsMpccEval *eval = NULL;
  SsError err;
  double x[] = {2, 3, 5}, p = 10, c[5], gradient[3], jacobian[16], h[16], lambda[] = {1, 10, 100, 1000, 10000};
  const SsPattern *pattern;

  build_small (&mpcc);
  ss_mpcc_set_parameters (mpcc, &p);
  SS_CHECK (ss_mpcc_eval_new (mpcc, &eval, &err) == SS_OK);
  SS_CHECK (ss_mpcc_n_variables (mpcc) == 3 && ss_mpcc_n_equalities (mpcc) == 2 && ss_mpcc_n_inequalities (mpcc) == 3);
  SS_CHECK_NEAR (ss_mpcc_objective (eval, x), 380, 0);
  ss_mpcc_gradient (eval, x, gradient);
  SS_CHECK_NEAR (gradient[0], 40, 0);
  SS_CHECK_NEAR (gradient[2], 100, 0);
  ss_mpcc_rows (eval, x, c);
  SS_CHECK_NEAR (c[0], -4, 0);
  SS_CHECK_NEAR (c[1], 5, 0);
  SS_CHECK_NEAR (c[2], 13, 0);
  SS_CHECK_NEAR (c[3], 3, 0);
  SS_CHECK_NEAR (c[4], -6, 0);
  pattern = ss_mpcc_jacobian_pattern (mpcc);
  SS_CHECK (pattern->start[5] == 8); /* 2 + 2, 1, 1, 2 */
  ss_mpcc_jacobian (eval, x, jacobian);
  SS_CHECK_NEAR (entry (pattern, jacobian, 1, 1), 5, 0);
  SS_CHECK_NEAR (entry (pattern, jacobian, 1, 2), 3, 0);
  SS_CHECK_NEAR (entry (pattern, jacobian, 2, 0), 3, 0);
  SS_CHECK_NEAR (entry (pattern, jacobian, 4, 0), -3, 0);
  ss_mpcc_objective_hessian (eval, x, h);
  SS_CHECK (ss_mpcc_objective_hessian_pattern (mpcc)->start[3] == 3);
  SS_CHECK_NEAR (h[1], 20, 0);
  /* Lower triangle: diagonal 2 sigma p, (1,0): lambda_0 - lambda_4, (2,1): lambda_1. */
  pattern = ss_mpcc_lagrangian_hessian_pattern (mpcc);
  SS_CHECK (pattern->start[3] == 5);
  ss_mpcc_lagrangian_hessian (eval, x, 0.5, lambda, h);
  SS_CHECK_NEAR (entry (pattern, h, 0, 0), 10, 0);
  SS_CHECK_NEAR (entry (pattern, h, 0, 1), 1 - 10000, 0);
  SS_CHECK_NEAR (entry (pattern, h, 1, 2), 10, 0);
  SS_CHECK (!ss_mpcc_row_is_affine (mpcc, 0) && ss_mpcc_row_is_affine (mpcc, 2) && ss_mpcc_row_is_affine (mpcc, 3) &&
            !ss_mpcc_row_is_affine (mpcc, 4));
  SS_CHECK_STR (ss_mpcc_row_name (mpcc, 1), "chain[6]");
  SS_CHECK_STR (ss_mpcc_row_name (mpcc, 4), "pair[0].product");
  SS_CHECK (ss_mpcc_n_pairs (mpcc) == 1 && ss_mpcc_pairs (mpcc)->product_row == 2 && ss_mpcc_pairs (mpcc)->row_b == 1);
  ss_mpcc_eval_free (eval);
  ss_mpcc_free (mpcc);
}

/* Two inputs that are one variable: x y z with x = y = v gives v^2 z. */
static void
test_merged_inputs (void)
{
  SsGraph *g = NULL;
  SsMpccBuilder *builder = NULL;
  SsMpcc *mpcc = NULL;
  SsMpccEval *eval = NULL;
  SsError err;
  SsExpr formula;
  int gather[] = {0, 0, 1, 1, 0, 0, 1, 1, 1}, rows[] = {0, 1, 1};
  double x[] = {2, 3}, c[2], jacobian[4], h[3], lambda[] = {1, 100};
  const SsPattern *pattern;

  SS_CHECK (ss_graph_new (&g, &err) == SS_OK);
  SS_CHECK (ss_mpcc_builder_new (g, 2, 0, &builder, &err) == SS_OK);
  formula = mul (g, mul (g, in (g, 0), in (g, 1)), in (g, 2));
  SsMpccTemplate t = {.name = "cube", .n_inputs = 3, .n_formulas = 1, .formulas = &formula};
  /* row 0: a^2 b; row 1: a^2 b + b^3; J the same three terms. */
  SS_CHECK (ss_mpcc_builder_add_rows (builder, SS_ROW_EQUALITY, &t, 3, gather, rows, &err) == SS_OK);
  SS_CHECK (ss_mpcc_builder_add_cost (builder, &t, 3, gather, &err) == SS_OK);
  SS_CHECK (ss_mpcc_build (builder, &mpcc, &err) == SS_OK);
  SS_CHECK (ss_mpcc_eval_new (mpcc, &eval, &err) == SS_OK);
  ss_mpcc_rows (eval, x, c);
  SS_CHECK_NEAR (c[0], 12, 0);
  SS_CHECK_NEAR (c[1], 12 + 27, 0);
  pattern = ss_mpcc_jacobian_pattern (mpcc);
  SS_CHECK (pattern->start[2] == 4);
  ss_mpcc_jacobian (eval, x, jacobian);
  SS_CHECK_NEAR (entry (pattern, jacobian, 0, 0), 12, 0);
  SS_CHECK_NEAR (entry (pattern, jacobian, 1, 1), 4 + 27, 0);
  pattern = ss_mpcc_lagrangian_hessian_pattern (mpcc);
  SS_CHECK (pattern->start[2] == 3);
  ss_mpcc_lagrangian_hessian (eval, x, 0, lambda, h);
  SS_CHECK_NEAR (h[0], 101 * 6, 0);
  SS_CHECK_NEAR (h[1], 101 * 4, 0);
  SS_CHECK_NEAR (h[2], 100 * 18, 0);
  ss_mpcc_objective_hessian (eval, x, h);
  SS_CHECK_NEAR (h[0], 12, 0);
  SS_CHECK_NEAR (h[1], 8, 0);
  SS_CHECK_NEAR (h[2], 18, 0);
  ss_mpcc_eval_free (eval);
  ss_mpcc_free (mpcc);
  ss_mpcc_builder_free (builder);
  ss_graph_free (g);
}

/* Constant entries follow the parameters. */
static void
test_parameters (void)
{
  SsMpcc *mpcc = NULL;
  SsMpccEval *eval = NULL;
  SsError err;
  double x[] = {1, 1, 1}, h[3], p = 4;
  uint64_t before;

  build_small (&mpcc);
  SS_CHECK (ss_mpcc_eval_new (mpcc, &eval, &err) == SS_OK);
  ss_mpcc_objective_hessian (eval, x, h);
  SS_CHECK_NEAR (h[0], 0, 0);
  before = ss_alloc_count ();
  ss_mpcc_set_parameters (mpcc, &p);
  SS_CHECK (ss_alloc_count () == before);
  ss_mpcc_objective_hessian (eval, x, h);
  SS_CHECK_NEAR (h[0], 8, 0);
  SS_CHECK_NEAR (ss_mpcc_objective (eval, x), 12, 0);
  SS_CHECK_NEAR (ss_mpcc_parameters (mpcc)[0], 4, 0);
  ss_mpcc_eval_free (eval);
  ss_mpcc_free (mpcc);
}

/* Bounds of x_0..x_3 with parameters p, q. Template "limit" over (x_i), number c: rows p x_i + c and q - x_i; instances
 * 0..2 of x_0, x_1, x_2. "sum" adds x_0 + 1 into one row twice, from x_0 and x_0: 2 x_0 + 2. "more": x_0 + x_1 (two
 * variables), x_3^2 (curved), and the product -(5 x_3) of a pair, no bound; nor is the equality row x_3 - p. */
static void
test_bounds (void)
{
  SsGraph *g = NULL;
  SsMpccBuilder *builder = NULL;
  SsMpcc *mpcc = NULL;
  SsError err;
  int gather_limit[] = {0, 1, 2}, rows_limit[] = {0, 1, 2, 3, 4, -1}, gather_sum[] = {0, 0}, rows_sum[] = {6, 6};
  int gather_more[] = {0, 1, 3}, rows_more[] = {7, 8, 9}, gather_equal[] = {3}, rows_equal[] = {0};
  double constants[] = {1, 2, 3}, parameters[] = {2, 10};
  SsExpr limit[2], more[3], sum, equal;

  SS_CHECK (ss_graph_new (&g, &err) == SS_OK);
  SS_CHECK (ss_mpcc_builder_new (g, 4, 2, &builder, &err) == SS_OK);
  limit[0] = add (g, mul (g, in (g, 2), in (g, 0)), in (g, 1));
  limit[1] = ss_graph_binary (g, SS_OP_SUB, in (g, 3), in (g, 0));
  SsMpccTemplate t = {
      .name = "limit", .n_inputs = 1, .n_formulas = 2, .formulas = limit, .n_constants = 1, .constants = constants};
  SS_CHECK (ss_mpcc_builder_add_rows (builder, SS_ROW_INEQUALITY, &t, 3, gather_limit, rows_limit, &err) == SS_OK);
  sum = add (g, in (g, 0), number (g, 1));
  t = (SsMpccTemplate){.name = "sum", .n_inputs = 1, .n_formulas = 1, .formulas = &sum};
  SS_CHECK (ss_mpcc_builder_add_rows (builder, SS_ROW_INEQUALITY, &t, 2, gather_sum, rows_sum, &err) == SS_OK);
  more[0] = add (g, in (g, 0), in (g, 1));
  more[1] = mul (g, in (g, 2), in (g, 2));
  more[2] = ss_graph_unary (g, SS_OP_NEG, mul (g, number (g, 5), in (g, 2)));
  t = (SsMpccTemplate){.name = "more", .n_inputs = 3, .n_formulas = 3, .formulas = more};
  SS_CHECK (ss_mpcc_builder_add_rows (builder, SS_ROW_INEQUALITY, &t, 1, gather_more, rows_more, &err) == SS_OK);
  SS_CHECK (ss_mpcc_builder_add_pair (builder, 9, -1, -1, &err) == SS_OK);
  equal = ss_graph_binary (g, SS_OP_SUB, in (g, 0), in (g, 1));
  t = (SsMpccTemplate){.name = "equal", .n_inputs = 1, .n_formulas = 1, .formulas = &equal};
  SS_CHECK (ss_mpcc_builder_add_rows (builder, SS_ROW_EQUALITY, &t, 1, gather_equal, rows_equal, &err) == SS_OK);
  SS_CHECK (ss_mpcc_build (builder, &mpcc, &err) == SS_OK);
  ss_mpcc_builder_free (builder);
  ss_graph_free (g);

  uint64_t before = ss_alloc_count ();
  ss_mpcc_set_parameters (mpcc, parameters);
  SS_CHECK (ss_alloc_count () == before);
  SS_CHECK (ss_mpcc_n_bounds (mpcc) == 6); /* inequality rows 0..4 and 6 */
  for (int b = 0; b < 6; b++)
    SS_CHECK (ss_mpcc_bounds (mpcc)[b].row == 1 + (b < 5 ? b : 6));
  SS_CHECK (ss_mpcc_bounds (mpcc)[4].variable == 2 && ss_mpcc_bounds (mpcc)[4].slope == 2);
  SS_CHECK (ss_mpcc_bounds (mpcc)[5].slope == 2 && ss_mpcc_bounds (mpcc)[5].intercept == 2);
  /* 2 x + c >= 0, x <= 10, and 2 x_0 + 2 >= 0 is weaker than 2 x_0 + 1 >= 0: exact in floating point */
  const double *lower = ss_mpcc_lower (mpcc), *upper = ss_mpcc_upper (mpcc);
  SS_CHECK (lower[0] == -0.5 && lower[1] == -1 && lower[2] == -1.5 && lower[3] == -INFINITY);
  SS_CHECK (upper[0] == 10 && upper[1] == 10 && upper[2] == INFINITY && upper[3] == INFINITY);
  /* Another sign of p turns lower bounds into upper ones: -x + c >= 0. */
  parameters[0] = -1;
  ss_mpcc_set_parameters (mpcc, parameters);
  SS_CHECK (lower[0] == -1 && lower[1] == -INFINITY && upper[0] == 1 && upper[1] == 2 && upper[2] == 3);
  parameters[0] = 0; /* 0 x + c >= 0 bounds nothing */
  ss_mpcc_set_parameters (mpcc, parameters);
  SS_CHECK (lower[0] == -1 && upper[0] == 10 && lower[2] == -INFINITY && upper[2] == INFINITY);
  ss_mpcc_free (mpcc);
}

/* ---- random templates -------------------------------------------------------------------------------------------- */

enum {
  N_VARIABLES = 24,
  N_PARAMETERS = 3,
  N_INPUTS = 5,
  N_CONSTANTS = 2,
  N_FORMULAS = 4,
  MAX_INSTANCES = 130,
  N_ROWS = 40
};

typedef struct {
  SsGraph *graph;
  SsRandom random;
  int n_instances;
  SsExpr formulas[N_FORMULAS], cost;
  int gather[MAX_INSTANCES * N_INPUTS], rows[MAX_INSTANCES * N_FORMULAS];
  double constants[MAX_INSTANCES * N_CONSTANTS], parameters[N_PARAMETERS];
  SsMpcc *mpcc;
  SsMpccEval *eval;
} Case;

static int
choose (Case *c, int n)
{
  return (int)(ss_random_next (&c->random) % (uint64_t)n);
}

/* A smooth formula, bounded growth: products of shallow terms, sines, divisions by something above 1. */
static SsExpr
random_formula (Case *c, int depth)
{
  SsGraph *g = c->graph;
  SsExpr a, b;

  if (depth == 0)
    return choose (c, 6) == 0 ? number (g, ss_random_between (&c->random, -2, 2))
                              : in (g, choose (c, N_INPUTS + N_CONSTANTS + N_PARAMETERS));
  a = random_formula (c, depth - 1);
  b = random_formula (c, depth - 1);
  switch (choose (c, 8)) {
  case 0:
    return ss_graph_unary (g, SS_OP_SIN, a);
  case 1:
    return ss_graph_unary (g, SS_OP_COS, add (g, a, b));
  case 2:
    return ss_graph_binary (g, SS_OP_DIV, a, add (g, number (g, 1.5), mul (g, b, b)));
  case 3:
    return ss_graph_binary (g, SS_OP_SUB, a, b);
  case 4:
    return add (g, a, b);
  case 5:
    return ss_graph_unary (g, SS_OP_SQRT, add (g, number (g, 1), mul (g, a, a)));
  default:
    return mul (g, a, b);
  }
}

static void
open_case (Case *c, uint64_t seed, int n_instances)
{
  SsMpccBuilder *builder = NULL;
  SsError err;
  SsMpccTemplate t = {.name = "random", .n_inputs = N_INPUTS, .n_formulas = N_FORMULAS, .n_constants = N_CONSTANTS};

  memset (c, 0, sizeof *c);
  ss_random_seed (&c->random, seed);
  c->n_instances = n_instances;
  SS_CHECK (ss_graph_new (&c->graph, &err) == SS_OK);
  for (int f = 0; f < N_FORMULAS; f++)
    c->formulas[f] = random_formula (c, f == 0 ? 1 : 3);
  c->cost = random_formula (c, 3);
  for (int i = 0; i < n_instances * N_INPUTS; i++)
    c->gather[i] = choose (c, N_VARIABLES);
  for (int i = 0; i < n_instances * N_FORMULAS; i++)
    c->rows[i] = choose (c, N_ROWS + 5) - 5 < 0 ? -1 : choose (c, N_ROWS);
  for (int i = 0; i < n_instances * N_CONSTANTS; i++)
    c->constants[i] = ss_random_between (&c->random, -1, 1);
  for (int p = 0; p < N_PARAMETERS; p++)
    c->parameters[p] = ss_random_between (&c->random, -1, 1);
  t.formulas = c->formulas;
  t.constants = c->constants;
  c->rows[0] = N_ROWS - 1;
  SS_CHECK (ss_mpcc_builder_new (c->graph, N_VARIABLES, N_PARAMETERS, &builder, &err) == SS_OK);
  SS_CHECK (ss_mpcc_builder_add_rows (builder, SS_ROW_EQUALITY, &t, n_instances, c->gather, c->rows, &err) == SS_OK);
  SS_CHECK (ss_mpcc_builder_add_rows (builder, SS_ROW_INEQUALITY, &t, n_instances, c->gather, c->rows, &err) == SS_OK);
  t.n_formulas = 1;
  t.formulas = &c->cost;
  SS_CHECK (ss_mpcc_builder_add_cost (builder, &t, n_instances, c->gather, &err) == SS_OK);
  SS_CHECK (ss_mpcc_build (builder, &c->mpcc, &err) == SS_OK);
  ss_mpcc_builder_free (builder);
  ss_mpcc_set_parameters (c->mpcc, c->parameters);
  SS_CHECK (ss_mpcc_eval_new (c->mpcc, &c->eval, &err) == SS_OK);
}

static void
close_case (Case *c)
{
  ss_mpcc_eval_free (c->eval);
  ss_mpcc_free (c->mpcc);
  ss_graph_free (c->graph);
}

/* Rows (both kinds) and objective by walking the graph for each instance. */
static double
walk_formulas (const Case *c, const double *x, double *rows)
{
  int n_nodes = ss_graph_n_nodes (c->graph), tick = 0;
  double *memo = calloc ((size_t)n_nodes, sizeof *memo), objective = 0;
  int *stamp = calloc ((size_t)n_nodes, sizeof *stamp);
  double inputs[N_INPUTS + N_CONSTANTS + N_PARAMETERS];

  memset (rows, 0, 2 * N_ROWS * sizeof *rows);
  for (int i = 0; i < c->n_instances; i++) {
    for (int j = 0; j < N_INPUTS; j++)
      inputs[j] = x[c->gather[i * N_INPUTS + j]];
    for (int j = 0; j < N_CONSTANTS; j++)
      inputs[N_INPUTS + j] = c->constants[i * N_CONSTANTS + j];
    for (int j = 0; j < N_PARAMETERS; j++)
      inputs[N_INPUTS + N_CONSTANTS + j] = c->parameters[j];
    tick++;
    objective += ss_graph_eval (c->graph, c->cost, inputs, N_INPUTS + N_CONSTANTS + N_PARAMETERS, memo, stamp, tick);
    for (int f = 0; f < N_FORMULAS; f++) {
      int row = c->rows[i * N_FORMULAS + f];
      double value =
          ss_graph_eval (c->graph, c->formulas[f], inputs, N_INPUTS + N_CONSTANTS + N_PARAMETERS, memo, stamp, tick);

      if (row < 0)
        continue;
      rows[row] += value;
      rows[N_ROWS + row] += value;
    }
  }
  free (memo);
  free (stamp);
  return objective;
}

static double
largest (const double *values, int n)
{
  double max = 0;

  for (int i = 0; i < n; i++)
    max = fmax (max, fabs (values[i]));
  return max;
}

static void
check_values (Case *c, const double *x)
{
  double rows[2 * N_ROWS], expected[2 * N_ROWS];
  double objective = walk_formulas (c, x, expected);

  SS_CHECK (ss_mpcc_n_rows (c->mpcc) == 2 * N_ROWS);
  ss_mpcc_rows (c->eval, x, rows);
  for (int r = 0; r < 2 * N_ROWS; r++)
    SS_CHECK_NEAR (rows[r], expected[r], rounding * (1 + fabs (expected[r])));
  SS_CHECK_NEAR (ss_mpcc_objective (c->eval, x), objective, rounding * (1 + fabs (objective)));
}

/* Jacobian and gradient against differences of values; entries outside the pattern must be zero. */
static void
check_first (Case *c, const double *at)
{
  const SsPattern *pattern = ss_mpcc_jacobian_pattern (c->mpcc);
  double x[N_VARIABLES], plus[2 * N_ROWS], minus[2 * N_ROWS], gradient[N_VARIABLES];
  double *jacobian = calloc ((size_t)pattern->start[2 * N_ROWS] + 1, sizeof *jacobian);
  double scale;

  memcpy (x, at, sizeof x);
  ss_mpcc_jacobian (c->eval, x, jacobian);
  ss_mpcc_gradient (c->eval, x, gradient);
  scale = difference_error * (1 + largest (jacobian, pattern->start[2 * N_ROWS]));
  for (int j = 0; j < N_VARIABLES; j++) {
    double up, down;

    x[j] = at[j] + difference_step;
    ss_mpcc_rows (c->eval, x, plus);
    up = ss_mpcc_objective (c->eval, x);
    x[j] = at[j] - difference_step;
    ss_mpcc_rows (c->eval, x, minus);
    down = ss_mpcc_objective (c->eval, x);
    x[j] = at[j];
    for (int r = 0; r < 2 * N_ROWS; r++)
      SS_CHECK_NEAR (entry (pattern, jacobian, r, j), (plus[r] - minus[r]) / (2 * difference_step), scale);
    SS_CHECK_NEAR (gradient[j], (up - down) / (2 * difference_step),
                   difference_error * (1 + largest (gradient, N_VARIABLES)));
  }
  free (jacobian);
}

/* sigma gradient + J' lambda at x into out. */
static void
lagrangian_gradient (Case *c, const double *x, double sigma, const double *lambda, double *out)
{
  const SsPattern *pattern = ss_mpcc_jacobian_pattern (c->mpcc);
  double *jacobian = calloc ((size_t)pattern->start[2 * N_ROWS] + 1, sizeof *jacobian);

  ss_mpcc_gradient (c->eval, x, out);
  for (int j = 0; j < N_VARIABLES; j++)
    out[j] *= sigma;
  ss_mpcc_jacobian (c->eval, x, jacobian);
  for (int r = 0; r < 2 * N_ROWS; r++)
    for (int e = pattern->start[r]; e < pattern->start[r + 1]; e++)
      out[pattern->index[e]] += lambda[r] * jacobian[e];
  free (jacobian);
}

static void
check_second (Case *c, const double *at)
{
  const SsPattern *lagrangian = ss_mpcc_lagrangian_hessian_pattern (c->mpcc);
  const SsPattern *objective = ss_mpcc_objective_hessian_pattern (c->mpcc);
  double *h = calloc ((size_t)lagrangian->start[N_VARIABLES] + 1, sizeof *h);
  double *h_objective = calloc ((size_t)objective->start[N_VARIABLES] + 1, sizeof *h_objective);
  double lambda[2 * N_ROWS], x[N_VARIABLES], plus[N_VARIABLES], minus[N_VARIABLES], zero[2 * N_ROWS] = {0};
  double sigma = 0.7, scale;

  for (int r = 0; r < 2 * N_ROWS; r++)
    lambda[r] = ss_random_between (&c->random, -1, 1);
  ss_mpcc_lagrangian_hessian (c->eval, at, sigma, lambda, h);
  ss_mpcc_objective_hessian (c->eval, at, h_objective);
  scale = difference_error * (1 + largest (h, lagrangian->start[N_VARIABLES]));
  for (int j = 0; j < N_VARIABLES; j++)
    for (int which = 0; which < 2; which++) {
      memcpy (x, at, sizeof x);
      x[j] = at[j] + difference_step;
      lagrangian_gradient (c, x, which == 0 ? sigma : 1, which == 0 ? lambda : zero, plus);
      x[j] = at[j] - difference_step;
      lagrangian_gradient (c, x, which == 0 ? sigma : 1, which == 0 ? lambda : zero, minus);
      for (int i = j; i < N_VARIABLES; i++)
        SS_CHECK_NEAR (which == 0 ? entry (lagrangian, h, j, i) : entry (objective, h_objective, j, i),
                       (plus[i] - minus[i]) / (2 * difference_step), scale);
    }
  free (h);
  free (h_objective);
}

static void
test_random_templates (void)
{
  static const int n_instances[] = {1, 16, 63, 64, 65, 130}; /* around lanes and chunks */
  static Case c;

  for (uint64_t seed = 1; seed <= 24; seed++) {
    double x[N_VARIABLES];

    open_case (&c, seed, n_instances[seed % 6]);
    for (int j = 0; j < N_VARIABLES; j++)
      x[j] = ss_random_between (&c.random, -1, 1);
    check_values (&c, x);
    check_first (&c, x);
    check_second (&c, x);
    close_case (&c);
  }
}

/* Evaluation allocates nothing and repeats to the bit. */
static void
test_no_allocation (void)
{
  static Case c;
  double x[N_VARIABLES], first[2 * N_ROWS], second[2 * N_ROWS], lambda[2 * N_ROWS] = {0};
  double *values;
  uint64_t before;

  open_case (&c, 99, 100);
  values = calloc ((size_t)ss_mpcc_jacobian_pattern (c.mpcc)->start[2 * N_ROWS] +
                       (size_t)ss_mpcc_lagrangian_hessian_pattern (c.mpcc)->start[N_VARIABLES] + N_VARIABLES,
                   sizeof *values);
  for (int j = 0; j < N_VARIABLES; j++)
    x[j] = ss_random_between (&c.random, -1, 1);
  before = ss_alloc_count ();
  ss_mpcc_rows (c.eval, x, first);
  ss_mpcc_objective (c.eval, x);
  ss_mpcc_gradient (c.eval, x, values);
  ss_mpcc_jacobian (c.eval, x, values);
  ss_mpcc_objective_hessian (c.eval, x, values);
  ss_mpcc_lagrangian_hessian (c.eval, x, 1, lambda, values);
  ss_mpcc_rows (c.eval, x, second);
  SS_CHECK (ss_alloc_count () == before);
  SS_CHECK (memcmp (first, second, sizeof first) == 0);
  free (values);
  close_case (&c);
}

/* ---- contract ---------------------------------------------------------------------------------------------------- */

static void
test_refusals (void)
{
  SsGraph *g = NULL;
  SsMpccBuilder *builder = NULL;
  SsMpcc *mpcc = NULL;
  SsError err;
  SsExpr formula, step;
  int gather[] = {0}, outside[] = {4}, rows[] = {0};
  SsMpccTemplate t = {.name = "t", .n_inputs = 1, .n_formulas = 1};

  SS_CHECK (ss_graph_new (&g, &err) == SS_OK);
  SS_CHECK (ss_mpcc_builder_new (g, 4, 1, &builder, &err) == SS_OK);
  formula = in (g, 0);
  t.formulas = &formula;
  SS_CHECK (ss_mpcc_builder_add_cost (builder, &t, 1, outside, &err) == SS_ERR_ARG);
  SS_CHECK_CONTAINS (err.message, "variable 4 of 4");
  step = ss_graph_binary (g, SS_OP_LT, in (g, 0), number (g, 1));
  t.formulas = &step;
  SS_CHECK (ss_mpcc_builder_add_rows (builder, SS_ROW_EQUALITY, &t, 1, gather, rows, &err) == SS_ERR_INVALID);
  formula = in (g, 2); /* one input, one parameter: slots 0 and 1 */
  t.formulas = &formula;
  SS_CHECK (ss_mpcc_builder_add_cost (builder, &t, 1, gather, &err) == SS_ERR_ARG);
  formula = in (g, 0);
  t.formulas = &formula;
  SS_CHECK (ss_mpcc_builder_add_rows (builder, SS_ROW_INEQUALITY, &t, 1, gather, rows, &err) == SS_OK);
  SS_CHECK (ss_mpcc_builder_add_pair (builder, 1, -1, -1, &err) == SS_OK);
  SS_CHECK (ss_mpcc_build (builder, &mpcc, &err) == SS_ERR_ARG); /* no such row */
  SS_CHECK_CONTAINS (err.message, "pair 0 names a row beyond the 1 inequalities");
  SS_CHECK (mpcc == NULL);
  ss_mpcc_builder_free (builder);
  ss_graph_free (g);
}

/* A problem without rows, without cost, without anything. */
static void
test_empty (void)
{
  SsGraph *g = NULL;
  SsMpccBuilder *builder = NULL;
  SsMpcc *mpcc = NULL;
  SsMpccEval *eval = NULL;
  SsError err;
  double x[2] = {1, 2}, gradient[2] = {9, 9};

  SS_CHECK (ss_graph_new (&g, &err) == SS_OK);
  SS_CHECK (ss_mpcc_builder_new (g, 2, 0, &builder, &err) == SS_OK);
  SS_CHECK (ss_mpcc_build (builder, &mpcc, &err) == SS_OK);
  SS_CHECK (ss_mpcc_eval_new (mpcc, &eval, &err) == SS_OK);
  SS_CHECK_NEAR (ss_mpcc_objective (eval, x), 0, 0);
  ss_mpcc_gradient (eval, x, gradient);
  SS_CHECK_NEAR (gradient[1], 0, 0);
  ss_mpcc_rows (eval, x, gradient);
  SS_CHECK (ss_mpcc_n_rows (mpcc) == 0);
  ss_mpcc_eval_free (eval);
  ss_mpcc_free (mpcc);
  ss_mpcc_builder_free (builder);
  ss_graph_free (g);
}

/* Whichever allocation fails, building says so and leaves nothing behind (the address sanitizer looks after the
 * second). */
static void
test_out_of_memory (void)
{
  SsError err;
  bool was_built = false;

  for (uint64_t n = 1; n < 2000 && !was_built; n++) {
    SsGraph *g = NULL;
    SsMpccBuilder *builder = NULL;
    SsMpcc *mpcc = NULL;
    SsMpccEval *eval = NULL;
    SsExpr formula;
    int gather[] = {0, 1, 1, 2}, rows[] = {0, 1};
    SsMpccTemplate t = {.name = "t", .n_inputs = 2, .n_formulas = 1, .formulas = &formula};
    SsStatus status;

    SS_CHECK (ss_graph_new (&g, &err) == SS_OK);
    formula = mul (g, ss_graph_unary (g, SS_OP_SIN, in (g, 0)), in (g, 1));
    ss_alloc_fail_at (n);
    status = ss_mpcc_builder_new (g, 3, 0, &builder, &err);
    if (status == SS_OK)
      status = ss_mpcc_builder_add_rows (builder, SS_ROW_EQUALITY, &t, 2, gather, rows, &err);
    if (status == SS_OK)
      status = ss_mpcc_builder_add_cost (builder, &t, 2, gather, &err);
    if (status == SS_OK)
      status = ss_mpcc_build (builder, &mpcc, &err);
    if (status == SS_OK)
      status = ss_mpcc_eval_new (mpcc, &eval, &err);
    ss_alloc_fail_at (0);
    SS_CHECK (status == SS_OK || status == SS_ERR_MEMORY);
    SS_CHECK ((status == SS_OK) == (eval != NULL));
    was_built = status == SS_OK;
    ss_mpcc_eval_free (eval);
    ss_mpcc_free (mpcc);
    ss_mpcc_builder_free (builder);
    ss_graph_free (g);
  }
  SS_CHECK (was_built);
}

int
main (void)
{
  SS_RUN (test_closed_form);
  SS_RUN (test_merged_inputs);
  SS_RUN (test_parameters);
  SS_RUN (test_bounds);
  SS_RUN (test_random_templates);
  SS_RUN (test_no_allocation);
  SS_RUN (test_refusals);
  SS_RUN (test_empty);
  SS_RUN (test_out_of_memory);
  return ss_test_finish ();
}
