/* engine/nlp/ss-branch.c: see ss-branch.h.
 *
 * A row c >= 0 with penalty m is c = s - t with s, t > 0 and the terms m t - mu log s - mu_t log t; s and t follow from
 * c in closed form, so that M is a function of x alone. An equality is such a row with m = 2 nu and the term nu c: its
 * multiplier lies in (-nu, nu). z = mu/s is the multiplier that x alone implies; the one kept beside it, of the last
 * step, makes the steps primal-dual. mu_t is mu times the penalty: rows may first be violated by about mu, so that
 * their curvature does not shorten the steps (with mu_t = mu, steps of the hopper were a thousandth). It does not fall
 * below a small part of the penalty, where s and t would be rounding of the rows. */
#include "nlp/ss-branch.h"

#include "nlp/ss-kkt.h"

#include <math.h>
#include <string.h>

typedef enum { OFF, EQUAL, AT_LEAST } RowKind;

static const double FEASIBLE = 5e-9;  /* violation of an answer's rows                                          */
static const double MU_LEAST = 1e-10; /* last barrier                                                           */
static const double MU_FACTOR = 0.15; /* of one barrier to the next                                             */
static const double MU_POWER = 1.5;   /* the same, superlinear                                                  */
static const double INNER = 10;       /* a barrier is solved when the errors are below this times mu             */
static const double ROW_FLOOR = 1e-9; /* least t of a satisfied row                                             */
static const double PUSH = 1e-3;      /* distance of the start from its bounds, at most this part of their room  */
static const double PUSH_PART = 0.1, PUSH_PER_MU = 10;
static const double TO_BOUNDARY = 0.99; /* part of the way to a bound that a step may go                          */
static const double ARMIJO = 1e-4;
static const double ROUNDING = 1e-13; /* of M                                                                   */
static const double SAFEGUARD = 1e4;  /* kept multipliers are within this factor of those implied               */
static const double SHIFT_FIRST = 1e-4, SHIFT_LEAST = 1e-10, SHIFT_MOST = 1e10;
static const double SHIFT_UP = 8, SHIFT_DOWN = 1.0 / 3, EASIEST = 0.01, SHIFT_NONE = 1e-8;
static const double SHORTENED = 0.1, HARDLY_SHORTENED = 0.5, DAMPING_FIRST = 1e-4, DAMPING_LEAST = 1e-6;
static const double PER_MULTIPLIER = 1e-2; /* residual of stationarity, of the largest multiplier                */
/* Sum of the residuals of stationarity, of 1 + |J| or of what the gradient sums up to: times the box of a certificate a
 * tenth of what it allows. */
static const double STATIONARY = 1e-6;
static const double ACCEPTABLE = 1e-6;   /* error of a solution that stalls                                         */
static const double SHIFT_ALWAYS = 1e-9; /* keeps pivots of variables without curvature apart from zero            */
static const double ACCURATE = 1e-10;    /* residual of a linear system that is not refined, of its right side */
static const double PENALTY_GROWTH = 10, PENALTY_MOST = 1e8;
static const double WAY_VIOLATION = 1e-4, WAY_GROWTH = 3, WAY_PENALTY_MOST = 1e4;
enum { MAX_STEPS = 150, HALVINGS = 24, CORRECTIONS = 2, MAX_RAISES = 6, STALLS = 3, MAX_LAST = 20 };

struct SsBranch {
  const SsMpcc *mpcc;
  const SsBounds *bounds;
  SsMpccEval *eval;
  int n, n_eq, n_rows, n_own; /* n_own: rows of the matrix */
  int *own;                   /* n_rows: place among them, -1: none */
  SsKkt kkt;
  SsLdl *ldl;
  double *values;

  signed char *kind; /* n_rows: RowKind */
  int *product_of;   /* n_rows: row of the product of the pair whose zero a row is, else -1 */
  bool *is_fixed;    /* n */
  double *lower, *upper;
  double *x, *trial, *second, *c, *c_trial, *gradient, *jacobian, *hessian, *lambda;
  double *nu, *z, *s, *t, *zp; /* n_rows */
  double *zl, *zu;             /* n */
  double *grad_m, *p, *e, *rhs, *solution, *residual, *bend;
  double *multipliers;
  double mu, damping;       /* damping: least shift, while steps are shortened */
  double shift, last_shift; /* of the last matrix; the last that was not 0 */
  double easier;            /* part of the shift tried next */
  double objective, merit;  /* at x */
  bool has_products;        /* product rows are in the matrix */
  double sigma;             /* products may be as large as this */
  double *memory;           /* holds all of the doubles */
};

int
ss_branch_zero_row (const SsMpcc *mpcc, int pair, int zero)
{
  const SsMpccPair *p = ss_mpcc_pairs (mpcc) + pair;
  const int row = zero == SS_ZERO_A ? p->row_a : p->row_b;

  return row >= 0 ? ss_mpcc_n_equalities (mpcc) + row : -1;
}

/* ---- set-up ------------------------------------------------------------------------------------------------------ */

/* Rows of the matrix: all but bounds and, for branches, products whose sides both have rows. */
static void
number_rows (SsBranch *b)
{
  const SsMpccPair *pairs = ss_mpcc_pairs (b->mpcc);

  for (int i = 0; i < b->n_rows; i++)
    b->own[i] = b->bounds->is_taken[i] ? -1 : 0;
  for (int i = 0; i < ss_mpcc_n_pairs (b->mpcc) && !b->has_products; i++)
    if (pairs[i].row_a >= 0 && pairs[i].row_b >= 0)
      b->own[b->n_eq + pairs[i].product_row] = -1;
  for (int i = 0; i < b->n_rows; i++)
    if (b->own[i] == 0)
      b->own[i] = b->n_own++;
}

static SsStatus
build_matrix (SsBranch *b, SsError *err)
{
  const SsStatus status = ss_kkt_make (b->mpcc, b->own, b->n_own, &b->kkt, err);

  return status == SS_OK ? ss_ldl_new (&b->kkt.pattern, &b->ldl, err) : status;
}

static SsStatus
build_vectors (SsBranch *b, SsError *err)
{
  const int n = b->n, m = b->n_rows, size = n + b->n_own;
  const struct {
    double **vector;
    int count;
  } all[] = {{&b->values, b->kkt.pattern.start[size]},
             {&b->lower, n},
             {&b->upper, n},
             {&b->x, n},
             {&b->trial, n},
             {&b->second, n},
             {&b->c, m},
             {&b->c_trial, m},
             {&b->gradient, n},
             {&b->jacobian, ss_mpcc_jacobian_pattern (b->mpcc)->start[m]},
             {&b->hessian, ss_mpcc_lagrangian_hessian_pattern (b->mpcc)->start[n]},
             {&b->lambda, m},
             {&b->nu, m},
             {&b->z, m},
             {&b->s, m},
             {&b->t, m},
             {&b->zp, m},
             {&b->zl, n},
             {&b->zu, n},
             {&b->grad_m, n},
             {&b->p, n},
             {&b->e, m},
             {&b->rhs, size},
             {&b->solution, size},
             {&b->residual, size},
             {&b->bend, m},
             {&b->multipliers, m}};
  size_t total = 1;

  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
    total += (size_t)all[i].count;
  b->memory = ss_alloc (total, sizeof (double));
  b->kind = ss_new_array (signed char, m + 1);
  b->product_of = ss_new_array (int, m + 1);
  b->is_fixed = ss_new_array (bool, n + 1);
  if (b->memory == NULL || b->kind == NULL || b->product_of == NULL || b->is_fixed == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory for the finish with %d variables", n);
  total = 0;
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
    *all[i].vector = b->memory + total;
    total += (size_t)all[i].count;
  }
  return SS_OK;
}

SsStatus
ss_branch_new (const SsMpcc *mpcc, const SsBounds *bounds, bool has_products, SsBranch **out, SsError *err)
{
  SS_ASSERT (out != NULL);

  SsBranch *b = ss_new (SsBranch);
  SsStatus status = SS_ERR_MEMORY;

  *out = NULL;
  if (b == NULL)
    return ss_error_set (err, status, "out of memory for the finish");
  b->mpcc = mpcc;
  b->bounds = bounds;
  b->has_products = has_products;
  b->n = ss_mpcc_n_variables (mpcc);
  b->n_eq = ss_mpcc_n_equalities (mpcc);
  b->n_rows = ss_mpcc_n_rows (mpcc);
  b->own = ss_new_array (int, b->n_rows + 1);
  if (b->own == NULL) {
    ss_error_set (err, status, "out of memory for the finish");
    goto fail;
  }
  number_rows (b);
  if ((status = ss_mpcc_eval_new (mpcc, &b->eval, err)) != SS_OK || (status = build_matrix (b, err)) != SS_OK ||
      (status = build_vectors (b, err)) != SS_OK)
    goto fail;
  *out = b;
  return SS_OK;

fail:
  ss_branch_free (b);
  return status;
}

void
ss_branch_free (SsBranch *b)
{
  if (b == NULL)
    return;
  ss_mpcc_eval_free (b->eval);
  ss_ldl_free (b->ldl);
  ss_kkt_clear (&b->kkt);
  ss_free (b->own);
  ss_free (b->kind);
  ss_free (b->product_of);
  ss_free (b->is_fixed);
  ss_free (b->memory);
  ss_free (b);
}

/* ---- the branch -------------------------------------------------------------------------------------------------- */

/* What each row is, and which variables are fixed, in this branch. */
static void
set_branch (SsBranch *b, const signed char *zero)
{
  const SsMpccPair *pairs = ss_mpcc_pairs (b->mpcc);
  const SsMpccBound *list = ss_mpcc_bounds (b->mpcc);

  for (int i = 0; i < b->n_rows; i++) {
    b->kind[i] = b->own[i] < 0 ? OFF : i < b->n_eq ? EQUAL : AT_LEAST;
    b->product_of[i] = -1;
  }
  memcpy (b->lower, b->bounds->lower, (size_t)b->n * sizeof (double));
  memcpy (b->upper, b->bounds->upper, (size_t)b->n * sizeof (double));
  memset (b->multipliers, 0, (size_t)b->n_rows * sizeof (double)); /* scratch: marks rows of fixed bounds */
  for (int i = 0; i < ss_mpcc_n_pairs (b->mpcc) && zero != NULL; i++) {
    const int row = ss_branch_zero_row (b->mpcc, i, zero[i]);

    if (row < 0)
      continue; /* the product stays */
    b->kind[b->n_eq + pairs[i].product_row] = OFF;
    b->product_of[row] = b->n_eq + pairs[i].product_row;
    if (b->bounds->is_taken[row])
      b->multipliers[row] = 1;
    else
      b->kind[row] = EQUAL;
  }
  for (int k = 0; k < ss_mpcc_n_bounds (b->mpcc); k++)
    if (b->multipliers[list[k].row] == 1) {
      const double value = -list[k].intercept / list[k].slope;
      b->lower[list[k].variable] = b->upper[list[k].variable] = value;
    }
  memset (b->multipliers, 0, (size_t)b->n_rows * sizeof (double));
  for (int j = 0; j < b->n; j++)
    b->is_fixed[j] = b->lower[j] == b->upper[j];
}

/* The start within its bounds, fixed variables at their value. */
static void
set_start (SsBranch *b, const double *x0)
{
  for (int j = 0; j < b->n; j++) {
    const double low = b->lower[j], high = b->upper[j];
    const double push = fmin (fmin (PUSH, PUSH_PER_MU * b->mu), PUSH_PART * (high - low));

    b->x[j] = b->is_fixed[j] ? low : fmax (low + push, fmin (high - push, x0[j]));
  }
}

/* ---- the function M ---------------------------------------------------------------------------------------------- */

static double
row_penalty (const SsBranch *b, int i)
{
  return b->kind[i] == EQUAL ? 2 * b->nu[i] : b->nu[i];
}

/* Slacks of row i at value c: s - t = c, mu_s / s + mu_t / t = m. */
static void
slacks_of (const SsBranch *b, int i, double c, double *s, double *t, double *mu_s, double *mu_t)
{
  const double m = row_penalty (b, i);

  *mu_t = fmax (b->mu, ROW_FLOOR) * b->nu[i];
  *mu_s = b->kind[i] == EQUAL ? *mu_t : b->mu;
  const double sum = *mu_s + *mu_t, d = m * c + *mu_t - *mu_s, root = sqrt (d * d + 4 * *mu_s * *mu_t);
  const double bs = m * c + sum, bt = -m * c + sum;
  *s = bs > 0 ? (bs + root) / (2 * m) : 2 * *mu_s * c / (bs - root);
  *t = bt > 0 ? (bt + root) / (2 * m) : -2 * *mu_t * c / (bt - root);
}

/* Rows at x, those of products relaxed. */
static void
rows_at (SsBranch *b, const double *x, double *c)
{
  const SsMpccPair *pairs = ss_mpcc_pairs (b->mpcc);

  ss_mpcc_rows (b->eval, x, c);
  for (int i = 0; i < ss_mpcc_n_pairs (b->mpcc) && b->sigma > 0; i++)
    c[b->n_eq + pairs[i].product_row] += b->sigma;
}

/* A sum of -weight log (value), values of one weight multiplied before their logarithm is taken. */
typedef struct {
  double sum, weight, product;
  int n;
} Logs;

enum { LOGS_AT_ONCE = 8 }; /* products stay within the range of numbers */

static void
close_logs (Logs *logs)
{
  if (logs->n > 0)
    logs->sum -= logs->weight * log (logs->product);
  logs->product = 1;
  logs->n = 0;
}

static inline void
add_log (Logs *logs, double weight, double value)
{
  if (weight != logs->weight || logs->n == LOGS_AT_ONCE)
    close_logs (logs);
  logs->weight = weight;
  /* The product of values that are no longer positive could be. */
  logs->product *= value > 0 ? value : NAN;
  logs->n++;
}

/* M at a point with rows c; INFINITY outside of its domain. */
static double
merit_at (SsBranch *b, const double *x, double *c, double *objective)
{
  double sum = ss_mpcc_objective (b->eval, x);
  Logs of_s = {.product = 1}, of_t = {.product = 1};

  *objective = sum;
  rows_at (b, x, c);
  for (int i = 0; i < b->n_rows; i++) {
    double s, t, mu_s, mu_t;
    if (b->kind[i] == OFF)
      continue;
    slacks_of (b, i, c[i], &s, &t, &mu_s, &mu_t);
    sum += row_penalty (b, i) * t;
    if (b->kind[i] == EQUAL)
      sum += b->nu[i] * c[i];
    add_log (&of_s, mu_s, s);
    add_log (&of_t, mu_t, t);
  }
  for (int j = 0; j < b->n; j++) {
    if (b->is_fixed[j])
      continue;
    if (b->lower[j] > -INFINITY)
      add_log (&of_s, b->mu, x[j] - b->lower[j]);
    if (b->upper[j] < INFINITY)
      add_log (&of_s, b->mu, b->upper[j] - x[j]);
  }
  close_logs (&of_s);
  close_logs (&of_t);
  sum += of_s.sum + of_t.sum;
  return isfinite (sum) ? sum : INFINITY;
}

/* Multipliers that x implies, into zp, and slacks. */
static void
imply_multipliers (SsBranch *b)
{
  for (int i = 0; i < b->n_rows; i++) {
    double mu_s, mu_t;
    if (b->kind[i] == OFF)
      continue;
    slacks_of (b, i, b->c[i], &b->s[i], &b->t[i], &mu_s, &mu_t);
    b->zp[i] = mu_s / b->s[i];
  }
}

static double
clamp (double value, double low, double high)
{
  return value < low ? low : value > high ? high : value;
}

/* Kept multipliers stay comparable with those implied. */
static void
guard_multipliers (SsBranch *b)
{
  for (int i = 0; i < b->n_rows; i++) {
    if (b->kind[i] == OFF)
      continue;
    const double m = row_penalty (b, i), z = b->zp[i], w = fmax (m - z, 1e-16 * m);
    b->z[i] = clamp (b->z[i], z / SAFEGUARD, fmin (z * SAFEGUARD, m));
    b->z[i] = m - clamp (m - b->z[i], w / SAFEGUARD, w * SAFEGUARD);
    b->z[i] = clamp (b->z[i], 1e-16 * m, (1 - 1e-12) * m);
  }
  for (int j = 0; j < b->n; j++) {
    const double low = b->mu / (b->x[j] - b->lower[j]), high = b->mu / (b->upper[j] - b->x[j]);
    if (b->is_fixed[j])
      continue;
    b->zl[j] = b->lower[j] > -INFINITY ? clamp (b->zl[j], low / SAFEGUARD, low * SAFEGUARD) : 0;
    b->zu[j] = b->upper[j] < INFINITY ? clamp (b->zu[j], high / SAFEGUARD, high * SAFEGUARD) : 0;
  }
}

static double
multiplier (const SsBranch *b, int i, double z)
{
  return b->kind[i] == OFF ? 0 : b->kind[i] == EQUAL ? z - b->nu[i] : z;
}

/* Derivatives at x; the gradient of M; the Hessian of the Lagrangian with the kept multipliers. */
static void
differentiate (SsBranch *b)
{
  ss_mpcc_gradient (b->eval, b->x, b->gradient);
  ss_mpcc_jacobian (b->eval, b->x, b->jacobian);
  imply_multipliers (b);
  guard_multipliers (b);
  for (int i = 0; i < b->n_rows; i++)
    b->lambda[i] = -multiplier (b, i, b->z[i]);
  ss_mpcc_lagrangian_hessian (b->eval, b->x, 1, b->lambda, b->hessian);
  memcpy (b->grad_m, b->gradient, (size_t)b->n * sizeof (double));
  for (int i = 0; i < b->n_rows; i++)
    b->lambda[i] = -multiplier (b, i, b->zp[i]);
  ss_csr_multiply_transposed (ss_mpcc_jacobian_pattern (b->mpcc), b->jacobian, b->lambda, b->grad_m);
  for (int j = 0; j < b->n; j++) {
    if (b->is_fixed[j])
      b->grad_m[j] = 0;
    else
      b->grad_m[j] += b->mu / (b->upper[j] - b->x[j]) - b->mu / (b->x[j] - b->lower[j]); /* 0 where there is none */
  }
}

/* All that is known at x, after it or the function M has changed. */
static void
look (SsBranch *b)
{
  b->merit = merit_at (b, b->x, b->c, &b->objective);
  differentiate (b);
}

/* ---- the linear system ------------------------------------------------------------------------------------------- */

static double
row_weight (const SsBranch *b, int i)
{
  return b->s[i] / b->z[i] + b->t[i] / (row_penalty (b, i) - b->z[i]);
}

static void
assemble (SsBranch *b, double shift)
{
  const SsPattern *h = ss_mpcc_lagrangian_hessian_pattern (b->mpcc), *j = ss_mpcc_jacobian_pattern (b->mpcc);
  const int size = b->n + b->n_own;

  memset (b->values, 0, (size_t)b->kkt.pattern.start[size] * sizeof (double));
  for (int col = 0; col < b->n; col++)
    for (int k = h->start[col]; k < h->start[col + 1]; k++)
      if (!b->is_fixed[col] && !b->is_fixed[h->index[k]])
        b->values[b->kkt.h_slot[k]] += b->hessian[k];
  for (int i = 0; i < b->n_rows; i++) {
    if (b->own[i] < 0)
      continue;
    b->values[b->kkt.diagonal[b->n + b->own[i]]] = b->kind[i] == OFF ? -1 : -row_weight (b, i);
    for (int k = j->start[i]; k < j->start[i + 1] && b->kind[i] != OFF; k++)
      if (!b->is_fixed[j->index[k]])
        b->values[b->kkt.j_slot[k]] += b->jacobian[k];
  }
  for (int col = 0; col < b->n; col++) {
    double *d = &b->values[b->kkt.diagonal[col]];
    if (b->is_fixed[col])
      *d = 1;
    else
      *d += shift + b->zl[col] / (b->x[col] - b->lower[col]) + b->zu[col] / (b->upper[col] - b->x[col]);
  }
}

/* Factorises with the smallest shift tried that gives one negative pivot a row; false: none does. */
static bool
factorise (SsBranch *b)
{
  /* What the last step needed is likely needed again; each step that does with less takes off more. */
  double shift = fmax (b->damping, b->easier * b->shift);
  bool is_first = true;

  if (shift < SHIFT_NONE)
    shift = b->damping;
  for (;;) {
    assemble (b, fmax (shift, SHIFT_ALWAYS));
    if (ss_ldl_factor (b->ldl, b->values, NULL, 0, NULL) == SS_OK && ss_ldl_n_negative (b->ldl) == b->n_own)
      break;
    is_first = false;
    shift = shift > 0           ? SHIFT_UP * shift
            : b->last_shift > 0 ? fmax (SHIFT_LEAST, SHIFT_DOWN * b->last_shift)
                                : SHIFT_FIRST;
    if (!(shift < SHIFT_MOST))
      return false;
  }
  b->easier = is_first ? fmax (SHIFT_DOWN * b->easier, EASIEST) : SHIFT_DOWN;
  b->shift = shift;
  if (shift > 0)
    b->last_shift = shift;
  return true;
}

/* Solves with rhs, refined once where that is worth it: the factor has no pivoting. */
static void
solve_system (SsBranch *b)
{
  const int size = b->n + b->n_own;

  memcpy (b->solution, b->rhs, (size_t)size * sizeof (double));
  ss_ldl_solve (b->ldl, b->solution);
  memcpy (b->residual, b->rhs, (size_t)size * sizeof (double));
  for (int col = 0; col < size; col++)
    for (int k = b->kkt.pattern.start[col]; k < b->kkt.pattern.start[col + 1]; k++) {
      const int row = b->kkt.pattern.index[k];
      b->residual[row] -= b->values[k] * b->solution[col];
      if (row != col)
        b->residual[col] -= b->values[k] * b->solution[row];
    }
  if (ss_norm_inf (size, b->residual) <= ACCURATE * ss_norm_inf (size, b->rhs))
    return;
  ss_ldl_solve (b->ldl, b->residual);
  for (int i = 0; i < size; i++)
    b->solution[i] += b->residual[i];
}

/* ---- steps ------------------------------------------------------------------------------------------------------- */

/* Newton step of M into p and e; `bend` (n_rows, or NULL): curvature of the rows to be made up for. */
static void
newton_step (SsBranch *b, const double *bend)
{
  for (int j = 0; j < b->n; j++)
    b->rhs[j] = -b->grad_m[j];
  for (int i = 0; i < b->n_rows; i++)
    if (b->own[i] >= 0)
      b->rhs[b->n + b->own[i]] = bend != NULL && b->kind[i] != OFF ? -bend[i] : 0;
  solve_system (b);
  memcpy (b->p, b->solution, (size_t)b->n * sizeof (double));
  for (int i = 0; i < b->n_rows; i++)
    b->e[i] = b->own[i] >= 0 && b->kind[i] != OFF ? -b->solution[b->n + b->own[i]] : 0;
}

/* Largest part of p that stays within the bounds. */
static double
longest (const SsBranch *b, const double *p)
{
  double part = 1;

  for (int j = 0; j < b->n; j++) {
    if (b->is_fixed[j])
      continue;
    if (p[j] < 0 && -p[j] * part > TO_BOUNDARY * (b->x[j] - b->lower[j]))
      part = TO_BOUNDARY * (b->x[j] - b->lower[j]) / -p[j];
    if (p[j] > 0 && p[j] * part > TO_BOUNDARY * (b->upper[j] - b->x[j]))
      part = TO_BOUNDARY * (b->upper[j] - b->x[j]) / p[j];
  }
  return part;
}

static void
move (const SsBranch *b, const double *p, double part, double *to)
{
  for (int j = 0; j < b->n; j++)
    to[j] = b->is_fixed[j] ? b->x[j] : b->x[j] + part * p[j];
}

/* Multipliers move as far as they stay in their intervals. */
static void
move_multipliers (SsBranch *b)
{
  double most = 1;

  for (int i = 0; i < b->n_rows; i++) {
    if (b->kind[i] == OFF)
      continue;
    const double m = row_penalty (b, i), dz = b->zp[i] + b->e[i] - b->z[i];
    if (dz < 0 && -dz * most > TO_BOUNDARY * b->z[i])
      most = TO_BOUNDARY * b->z[i] / -dz;
    if (dz > 0 && dz * most > TO_BOUNDARY * (m - b->z[i]))
      most = TO_BOUNDARY * (m - b->z[i]) / dz;
  }
  for (int i = 0; i < b->n_rows; i++)
    if (b->kind[i] != OFF)
      b->z[i] += most * (b->zp[i] + b->e[i] - b->z[i]);
  for (int j = 0; j < b->n; j++) {
    if (b->is_fixed[j])
      continue;
    const double low = b->x[j] - b->lower[j], high = b->upper[j] - b->x[j];
    if (b->lower[j] > -INFINITY)
      b->zl[j] = fmax ((1 - TO_BOUNDARY) * b->zl[j], (b->mu - b->zl[j] * b->p[j]) / low);
    if (b->upper[j] < INFINITY)
      b->zu[j] = fmax ((1 - TO_BOUNDARY) * b->zu[j], (b->mu + b->zu[j] * b->p[j]) / high);
  }
}

/* One step on M. False: no decrease to be had. */
static bool
step (SsBranch *b)
{
  double objective, slope, value;
  const double merit = b->merit;
  const double slack = ROUNDING * (1 + fabs (merit));

  newton_step (b, NULL);
  slope = ss_dot (b->n, b->grad_m, b->p);
  double part = longest (b, b->p), first = part;
  memset (b->bend, 0, (size_t)b->n_rows * sizeof (double));
  for (int try = 0; try < HALVINGS; try++, part *= 0.5) {
    move (b, b->p, part, b->trial);
    value = merit_at (b, b->trial, b->c_trial, &objective);
    if (value <= merit + ARMIJO * part * slope + slack)
      break;
    if (try == HALVINGS - 1)
      return false;
    for (int k = 0; try == 0 && k < CORRECTIONS && isfinite (value); k++) {
      /* bend += c(x + p) - c(x) - J p of the last trial: what its rows missed */
      ss_csr_multiply (ss_mpcc_jacobian_pattern (b->mpcc), b->jacobian, b->p, b->lambda);
      for (int i = 0; i < b->n_rows; i++)
        b->bend[i] = b->c_trial[i] - b->c[i] - b->lambda[i] * part;
      newton_step (b, b->bend);
      part = longest (b, b->p);
      move (b, b->p, part, b->second);
      const double corrected = merit_at (b, b->second, b->c_trial, &objective);
      if (corrected <= merit + ARMIJO * first * slope + slack) {
        memcpy (b->trial, b->second, (size_t)b->n * sizeof (double));
        value = corrected;
        goto accept;
      }
    }
    if (try == 0) {
      newton_step (b, NULL);
      part = first;
    }
  }

accept:
  move_multipliers (b);
  if (part < SHORTENED)
    b->damping = fmax (DAMPING_FIRST, SHIFT_UP * b->damping);
  else if (part > HARDLY_SHORTENED)
    b->damping = b->damping > DAMPING_LEAST ? SHIFT_DOWN * b->damping : 0;
  memcpy (b->x, b->trial, (size_t)b->n * sizeof (double));
  memcpy (b->c, b->c_trial, (size_t)b->n_rows * sizeof (double));
  b->merit = value;
  b->objective = objective;
  return true;
}

/* ---- convergence ------------------------------------------------------------------------------------------------- */

/* Largest entry of the gradient of the Lagrangian with the kept multipliers; *sum: of all their sizes, each by what its
 * variable moves: a slope that is small where variables are large is none. */
static double
dual_residual (SsBranch *b, double *sum)
{
  double worst = 0;

  *sum = 0;
  for (int i = 0; i < b->n_rows; i++)
    b->lambda[i] = -multiplier (b, i, b->z[i]);
  memcpy (b->residual, b->gradient, (size_t)b->n * sizeof (double));
  ss_csr_multiply_transposed (ss_mpcc_jacobian_pattern (b->mpcc), b->jacobian, b->lambda, b->residual);
  for (int j = 0; j < b->n; j++)
    if (!b->is_fixed[j]) {
      const double entry = fabs (b->residual[j] - b->zl[j] + b->zu[j]);
      worst = fmax (worst, entry);
      *sum += entry * fmax (1, fabs (b->x[j]));
    }
  return worst;
}

/* Of the gradient's entries that can move, in the same units. */
static double
sum_of_sizes (const SsBranch *b)
{
  double sum = 0;

  for (int j = 0; j < b->n; j++)
    sum += b->is_fixed[j] ? 0 : fabs (b->gradient[j]) * fmax (1, fabs (b->x[j]));
  return sum;
}

/* Largest error of the conditions of the barrier problem, that of stationarity measured against the multipliers; at the
 * last barrier its sum, against what counts as nothing. */
static double
error_of (SsBranch *b)
{
  double largest = 1, sum, worst = dual_residual (b, &sum);

  for (int i = 0; i < b->n_rows; i++)
    largest = fmax (largest, fabs (multiplier (b, i, b->z[i])));
  worst /= fmax (1, PER_MULTIPLIER * largest);
  if (b->mu <= MU_LEAST)
    worst = INNER * b->mu * sum / (STATIONARY * (1 + fmin (fabs (b->objective), sum_of_sizes (b))));
  for (int i = 0; i < b->n_rows; i++)
    if (b->kind[i] != OFF) /* s z - mu_s, t w - mu_t: s and t are exact for x */
      worst = fmax (worst, fmax (b->s[i], b->t[i]) * fabs (b->z[i] - b->zp[i]));
  for (int j = 0; j < b->n; j++) {
    if (b->is_fixed[j])
      continue;
    if (b->lower[j] > -INFINITY)
      worst = fmax (worst, fabs (b->zl[j] * (b->x[j] - b->lower[j]) - b->mu));
    if (b->upper[j] < INFINITY)
      worst = fmax (worst, fabs (b->zu[j] * (b->upper[j] - b->x[j]) - b->mu));
  }
  return worst;
}

/* A side held at zero violates its product too, by as much more as the other side is larger than 1. */
static double
violation_of (const SsBranch *b, int i)
{
  const double product = b->product_of[i] >= 0 ? fabs (b->c[b->product_of[i]]) : 0;

  return b->kind[i] == OFF ? 0 : b->kind[i] == EQUAL ? fmax (fabs (b->c[i]), product) : fmax (0, -b->c[i]);
}

/* Another penalty for row i; its multiplier stays. */
static void
set_penalty (SsBranch *b, int i, double nu)
{
  const double y = multiplier (b, i, b->z[i]);

  b->nu[i] = nu;
  b->z[i] = b->kind[i] == EQUAL ? y + nu : y;
}

/* Raises penalties of violated rows; false: none is, or none can be. */
static bool
raise_penalties (SsBranch *b)
{
  bool raised = false;

  for (int i = 0; i < b->n_rows; i++)
    if (violation_of (b, i) > FEASIBLE && b->nu[i] < PENALTY_MOST) {
      set_penalty (b, i, PENALTY_GROWTH * b->nu[i]);
      raised = true;
    }
  return raised;
}

static void
report (SsBranch *b, SsBranchResult *result)
{
  const SsMpccPair *pairs = ss_mpcc_pairs (b->mpcc);
  double sum;

  result->objective = b->objective;
  result->x = b->x;
  result->multipliers = b->multipliers;
  result->stationarity = dual_residual (b, &sum);
  for (int i = 0; i < b->n_rows; i++) {
    b->multipliers[i] = multiplier (b, i, b->z[i]);
    result->violation = fmax (result->violation, violation_of (b, i));
  }
  for (int i = 0; i < ss_mpcc_n_pairs (b->mpcc); i++)
    result->violation = fmax (result->violation, -b->c[b->n_eq + pairs[i].product_row]);
}

/* At x0 with barrier mu and penalty: multipliers as x0 implies them. */
static void
begin (SsBranch *b, const double *x0, double penalty, double mu)
{
  b->mu = mu;
  set_start (b, x0);
  b->shift = b->last_shift = b->damping = 0;
  b->easier = SHIFT_DOWN;
  for (int i = 0; i < b->n_rows; i++)
    b->nu[i] = penalty;
  b->merit = merit_at (b, b->x, b->c, &b->objective);
  imply_multipliers (b);
  memcpy (b->z, b->zp, (size_t)b->n_rows * sizeof (double));
  for (int j = 0; j < b->n; j++) {
    b->zl[j] = b->mu / (b->x[j] - b->lower[j]);
    b->zu[j] = b->mu / (b->upper[j] - b->x[j]);
  }
  differentiate (b);
}

void
ss_branch_solve (SsBranch *b, const double *x0, const signed char *zero, double penalty, double mu,
                 SsRunControl *control, SsBranchResult *result)
{
  SS_ASSERT (b != NULL && result != NULL);

  int raises = 0, stalls = 0, n_last = 0; /* steps at the last barrier */
  SsOutcome why;

  *result = (SsBranchResult){0};
  b->sigma = 0;
  set_branch (b, zero);
  begin (b, x0, penalty, mu);
  while (result->iterations < MAX_STEPS) {
    if (ss_run_control_should_stop (control, &why)) {
      result->is_stopped = true;
      break;
    }
    double error = error_of (b);
    while (b->mu > MU_LEAST && (error <= INNER * b->mu || stalls >= STALLS)) {
      b->mu = fmax (MU_LEAST, fmin (MU_FACTOR * b->mu, pow (b->mu, MU_POWER)));
      look (b);
      error = error_of (b);
      stalls = 0;
    }
    n_last = b->mu <= MU_LEAST ? n_last + 1 : 0;
    if (b->mu <= MU_LEAST && (error <= INNER * b->mu || stalls >= STALLS || n_last > MAX_LAST)) {
      if (raises++ >= MAX_RAISES || !raise_penalties (b)) {
        result->is_solved = error <= ACCEPTABLE;
        break;
      }
      stalls = n_last = 0;
      b->mu = 1e-6;
      look (b);
    }
    if (!factorise (b))
      break;
    stalls = step (b) ? 0 : stalls + 1;
    if (stalls > 0)
      stalls = STALLS; /* M cannot fall further at this barrier */
    differentiate (b);
    result->iterations++;
  }
  report (b, result);
  result->is_solved = result->is_solved && result->violation <= 2 * FEASIBLE;
}

/* On the way: rows that are still violated at a small barrier cost more from level to level. */
static void
raise_on_the_way (SsBranch *b, SsBranchResult *result)
{
  for (int i = 0; i < b->n_rows; i++)
    if (violation_of (b, i) > WAY_VIOLATION && b->nu[i] < WAY_PENALTY_MOST) {
      set_penalty (b, i, WAY_GROWTH * b->nu[i]);
      result->unforced = fmin (result->unforced, b->objective);
    }
}

void
ss_branch_relax (SsBranch *b, const double *x0, const SsRelaxation *o, SsRunControl *control, SsBranchResult *result)
{
  SS_ASSERT (b != NULL && o != NULL && result != NULL);

  SsOutcome why;
  int stalls = 0, n_here = 0;

  *result = (SsBranchResult){.unforced = INFINITY};
  b->sigma = o->sigma_first;
  set_branch (b, NULL);
  begin (b, x0, o->penalty, o->mu_first);
  while (result->iterations < o->max_steps) {
    if (ss_run_control_should_stop (control, &why)) {
      result->is_stopped = true;
      break;
    }
    if (error_of (b) <= INNER * b->mu || stalls >= STALLS || n_here >= o->level_steps) {
      if (b->mu <= o->mu_last)
        break;
      if (b->mu <= o->raise_below)
        raise_on_the_way (b, result);
      b->mu *= o->mu_factor;
      b->sigma *= o->sigma_factor;
      look (b);
      stalls = n_here = 0;
    }
    if (!factorise (b))
      break;
    stalls = step (b) ? 0 : STALLS;
    differentiate (b);
    result->iterations++;
    n_here++;
  }
  report (b, result);
  result->is_solved = b->mu <= o->mu_last;
  result->unforced = fmin (result->unforced, b->objective);
}
