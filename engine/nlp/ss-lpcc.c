/* engine/nlp/ss-lpcc.c: see ss-lpcc.h. */
#include "nlp/ss-lpcc.h"

#include "nlp/ss-branch.h"
#include "qp/ss-qp.h"

#include <math.h>
#include <string.h>

static const double LP_RESIDUAL = 1e-9, LP_GAP = 0.01; /* gap: of value and tolerance */
static const double LEAST_PENALTY = 1e3, MULTIPLIER_FACTOR = 30, MOST_PENALTY = 1e8;
static const double WRONG = 1e-9;       /* size of a multiplier of the wrong sign that counts                     */
static const double NO_WIDTH = 1e-12;   /* of the box of a variable that is fixed, in units of rho            */
static const double AT_ZERO = 1e-6;     /* a bound that is zero up to this is not moved to be so                  */
static const double APART = 1e-7;       /* sides of a pair above this part of rho: both are away from zero     */
static const double INDEPENDENT = 1e-9; /* derivative of a side that was read where its variable is elsewhere */
static const double HELD = 1e12, LOOSE = 1e-8; /* in the correction of multipliers                             */
enum { ROUNDS = 4 };
enum { LP_ITERATIONS = 80, MAX_DEPTH = 64 };

typedef enum { FREE = 2, UNREAD = 3 } Extra; /* beside SS_ZERO_A, SS_ZERO_B */

struct SsLpcc {
  const SsMpcc *mpcc;
  const SsBounds *bounds;
  SsMpccEval *eval;
  SsQp *qp;
  int n, n_eq, n_rows, n_pairs;
  int *bound_of;                              /* n_rows: among ss_mpcc_bounds, -1                    */
  double *c, *jacobian, *gradient;            /* at x                                                */
  double *x_apart, *c_apart, *j_apart;        /* where known sides of half pairs are 1               */
  double *c_lp, *j_lp, *lower, *upper, *mu;   /* of a relaxation                                     */
  double *a, *b;                              /* n_pairs: sides at x                                 */
  double *y, *reduced, *p, *p_best, *hessian; /* n_rows, n, n, n, n (zeros)                          */
  signed char *state, *zero, *saved;          /* n_pairs                                             */
  int *open, n_open;                          /* pairs that are zero on both sides                   */
  double *memory;
  SsPattern h_pattern;
  SsPattern k_pattern; /* of the correction of multipliers: [D J'; J -E] */
  SsLdl *ldl;
  int *k_slot, *k_diagonal; /* per entry of the Jacobian, -1 for bounds; n + n_rows */
  double *k_values, *k_rhs;
};

/* ---- set-up ------------------------------------------------------------------------------------------------------ */

static SsStatus
build_vectors (SsLpcc *l, SsError *err)
{
  const int n = l->n, m = l->n_rows, n_j = ss_mpcc_jacobian_pattern (l->mpcc)->start[m];
  const struct {
    double **vector;
    int count;
  } all[] = {{&l->c, m},         {&l->jacobian, n_j}, {&l->gradient, n},   {&l->x_apart, n}, {&l->c_apart, m},
             {&l->j_apart, n_j}, {&l->c_lp, m},       {&l->j_lp, n_j},     {&l->lower, n},   {&l->upper, n},
             {&l->mu, m},        {&l->a, l->n_pairs}, {&l->b, l->n_pairs}, {&l->y, m},       {&l->reduced, n},
             {&l->p, n},         {&l->p_best, n},     {&l->hessian, n}};
  size_t total = 1;

  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
    total += (size_t)all[i].count;
  l->memory = ss_alloc (total, sizeof (double));
  l->bound_of = ss_new_array (int, m + 1);
  l->state = ss_new_array (signed char, l->n_pairs + 1);
  l->zero = ss_new_array (signed char, l->n_pairs + 1);
  l->saved = ss_new_array (signed char, l->n_pairs + 1);
  l->open = ss_new_array (int, l->n_pairs + 1);
  if (l->memory == NULL || l->bound_of == NULL || l->state == NULL || l->zero == NULL || l->saved == NULL ||
      l->open == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory for the linear program with %d variables", n);
  total = 0;
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
    *all[i].vector = l->memory + total;
    total += (size_t)all[i].count;
  }
  for (int i = 0; i < m; i++)
    l->bound_of[i] = -1;
  for (int k = 0; k < ss_mpcc_n_bounds (l->mpcc); k++)
    if (l->bounds->is_taken[ss_mpcc_bounds (l->mpcc)[k].row])
      l->bound_of[ss_mpcc_bounds (l->mpcc)[k].row] = k;
  return SS_OK;
}

static SsStatus
build_qp (SsLpcc *l, SsError *err)
{
  SsStatus status = ss_pattern_init (&l->h_pattern, l->n, l->n, l->n, err);
  SsQpOptions options;

  if (status != SS_OK)
    return status;
  for (int j = 0; j < l->n; j++) {
    l->h_pattern.start[j + 1] = j + 1;
    l->h_pattern.index[j] = j;
  }
  ss_qp_options_init (&options);
  options.max_iterations = LP_ITERATIONS;
  options.tolerance_residual = LP_RESIDUAL;
  const SsQpShape shape = {
      l->n, l->n_eq, l->n_rows - l->n_eq, &l->h_pattern, ss_mpcc_jacobian_pattern (l->mpcc), l->bounds->is_taken};
  return ss_qp_new (&shape, &options, &l->qp, err);
}

static SsStatus
build_correction (SsLpcc *l, SsError *err)
{
  const SsPattern *j = ss_mpcc_jacobian_pattern (l->mpcc);
  const int size = l->n + l->n_rows, n_j = j->start[l->n_rows];
  int *major = ss_new_array (int, n_j + size + 1), *minor = ss_new_array (int, n_j + size + 1),
      *slot = ss_new_array (int, n_j + size + 1);
  SsStatus status = SS_ERR_MEMORY;
  int k = 0;

  l->k_slot = ss_new_array (int, n_j + 1);
  l->k_diagonal = ss_new_array (int, size + 1);
  if (major == NULL || minor == NULL || slot == NULL || l->k_slot == NULL || l->k_diagonal == NULL) {
    ss_error_set (err, status, "out of memory for the linear program");
    goto done;
  }
  for (int i = 0; i < size; i++, k++)
    major[k] = minor[k] = i;
  for (int row = 0; row < l->n_rows; row++)
    for (int e = j->start[row]; e < j->start[row + 1] && !l->bounds->is_taken[row]; e++, k++)
      major[k] = j->index[e], minor[k] = l->n + row;
  status = ss_pattern_from_triplets (&l->k_pattern, size, size, k, major, minor, slot, err);
  if (status != SS_OK)
    goto done;
  memcpy (l->k_diagonal, slot, (size_t)size * sizeof (int));
  k = size;
  for (int row = 0; row < l->n_rows; row++)
    for (int e = j->start[row]; e < j->start[row + 1]; e++)
      l->k_slot[e] = l->bounds->is_taken[row] ? -1 : slot[k++];
  l->k_values = ss_new_array (double, l->k_pattern.start[size] + 1);
  l->k_rhs = ss_new_array (double, size + 1);
  status = l->k_values == NULL || l->k_rhs == NULL ? ss_error_set (err, SS_ERR_MEMORY, "out of memory")
                                                   : ss_ldl_new (&l->k_pattern, &l->ldl, err);

done:
  ss_free (major);
  ss_free (minor);
  ss_free (slot);
  return status;
}

SsStatus
ss_lpcc_new (const SsMpcc *mpcc, const SsBounds *bounds, SsLpcc **out, SsError *err)
{
  SS_ASSERT (out != NULL);

  SsLpcc *l = ss_new (SsLpcc);
  SsStatus status;

  *out = NULL;
  if (l == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory for the linear program");
  l->mpcc = mpcc;
  l->bounds = bounds;
  l->n = ss_mpcc_n_variables (mpcc);
  l->n_eq = ss_mpcc_n_equalities (mpcc);
  l->n_rows = ss_mpcc_n_rows (mpcc);
  l->n_pairs = ss_mpcc_n_pairs (mpcc);
  if ((status = ss_mpcc_eval_new (mpcc, &l->eval, err)) == SS_OK && (status = build_vectors (l, err)) == SS_OK &&
      (status = build_qp (l, err)) == SS_OK)
    status = build_correction (l, err);
  if (status == SS_OK)
    *out = l;
  else
    ss_lpcc_free (l);
  return status;
}

void
ss_lpcc_free (SsLpcc *l)
{
  if (l == NULL)
    return;
  ss_mpcc_eval_free (l->eval);
  ss_qp_free (l->qp);
  ss_pattern_clear (&l->h_pattern);
  ss_pattern_clear (&l->k_pattern);
  ss_ldl_free (l->ldl);
  ss_free (l->k_slot);
  ss_free (l->k_diagonal);
  ss_free (l->k_values);
  ss_free (l->k_rhs);
  ss_free (l->memory);
  ss_free (l->bound_of);
  ss_free (l->state);
  ss_free (l->zero);
  ss_free (l->saved);
  ss_free (l->open);
  ss_free (l);
}

/* ---- sides ------------------------------------------------------------------------------------------------------- */

static int
product_row (const SsLpcc *l, int pair)
{
  return l->n_eq + ss_mpcc_pairs (l->mpcc)[pair].product_row;
}

/* The bound that is the known side of a half pair; NULL: both sides have rows, or the known one is no bound. */
static const SsMpccBound *
known_bound (const SsLpcc *l, int pair)
{
  const int a = ss_branch_zero_row (l->mpcc, pair, SS_ZERO_A), b = ss_branch_zero_row (l->mpcc, pair, SS_ZERO_B);
  const int known = a < 0 ? b : a;

  if ((a >= 0 && b >= 0) || known < 0 || l->bound_of[known] < 0)
    return NULL;
  return ss_mpcc_bounds (l->mpcc) + l->bound_of[known];
}

/* Value of a side whose row is `row`, from the rows at x. A bound that is taken is a row all the same. */
static double
side_value (const SsLpcc *l, int pair, int row, bool *is_read)
{
  *is_read = true;
  if (row >= 0)
    return l->c[row];
  *is_read = known_bound (l, pair) != NULL;
  return *is_read ? -l->c_apart[product_row (l, pair)] : 0;
}

/* A side that was read must not depend on the variable that was moved. */
static bool
is_independent (const SsLpcc *l, int pair)
{
  const SsMpccBound *bound = known_bound (l, pair);
  const SsPattern *j = ss_mpcc_jacobian_pattern (l->mpcc);
  const int row = product_row (l, pair);
  const double value = -l->c_apart[row];

  for (int k = j->start[row]; k < j->start[row + 1]; k++)
    if (j->index[k] == bound->variable)
      return fabs (-l->j_apart[k] - bound->slope * value) <= INDEPENDENT * (1 + fabs (value));
  return true;
}

static void
evaluate (SsLpcc *l, const double *x)
{
  memcpy (l->x_apart, x, (size_t)l->n * sizeof (double));
  bool has_half = false;

  for (int i = 0; i < l->n_pairs; i++) {
    const SsMpccBound *bound = known_bound (l, i);
    if (bound != NULL) {
      l->x_apart[bound->variable] = (1 - bound->intercept) / bound->slope;
      has_half = true;
    }
  }
  ss_mpcc_gradient (l->eval, x, l->gradient);
  ss_mpcc_rows (l->eval, x, l->c);
  ss_mpcc_jacobian (l->eval, x, l->jacobian);
  if (has_half) {
    ss_mpcc_rows (l->eval, l->x_apart, l->c_apart);
    ss_mpcc_jacobian (l->eval, l->x_apart, l->j_apart);
  }
}

/* Which side of each pair is zero at x; pairs with both are free. */
static void
classify (SsLpcc *l, const signed char *zero, const SsLpccOptions *o, SsLpccResult *result)
{
  l->n_open = 0;
  for (int i = 0; i < l->n_pairs; i++) {
    bool a_read, b_read;
    l->a[i] = side_value (l, i, ss_branch_zero_row (l->mpcc, i, SS_ZERO_A), &a_read);
    l->b[i] = side_value (l, i, ss_branch_zero_row (l->mpcc, i, SS_ZERO_B), &b_read);
    const bool is_read = a_read && b_read && (known_bound (l, i) == NULL || is_independent (l, i));
    l->state[i] = zero[i];
    if (is_read && l->a[i] <= o->activity && l->b[i] <= o->activity) {
      l->state[i] = FREE;
      l->open[l->n_open++] = i;
    } else if (is_read) {
      l->state[i] = l->a[i] <= l->b[i] ? SS_ZERO_A : SS_ZERO_B;
    } else if (ss_branch_zero_row (l->mpcc, i, zero[i]) < 0) {
      l->state[i] = UNREAD; /* the product's own row stays */
    } else if (fabs (l->c[ss_branch_zero_row (l->mpcc, i, zero[i])]) <= o->activity && (l->a[i] <= o->activity) &&
               l->b[i] <= o->activity) {
      result->is_unknown = true;
    }
  }
  result->n_biactive = l->n_open;
}

/* ---- one relaxation ---------------------------------------------------------------------------------------------- */

/* The product's row becomes sign (value + derivatives of a side): a side's own row, or that of a side that was read. */
static void
put_side (SsLpcc *l, int pair, int side_row)
{
  const SsPattern *pattern = ss_mpcc_jacobian_pattern (l->mpcc);
  const int row = product_row (l, pair);

  if (side_row < 0) {
    const SsMpccBound *bound = known_bound (l, pair);
    l->c_lp[row] = l->c_apart[row];
    for (int k = pattern->start[row]; k < pattern->start[row + 1]; k++)
      l->j_lp[k] = pattern->index[k] == bound->variable ? 0 : l->j_apart[k];
    return;
  }
  int from = pattern->start[side_row], end = pattern->start[side_row + 1];
  l->c_lp[row] = -l->c[side_row];
  for (int k = pattern->start[row]; k < pattern->start[row + 1]; k++) {
    while (from < end && pattern->index[from] < pattern->index[k])
      from++;
    l->j_lp[k] = from < end && pattern->index[from] == pattern->index[k] ? -l->jacobian[from] : 0;
  }
}

static void
leave_out (SsLpcc *l, int pair)
{
  const SsPattern *pattern = ss_mpcc_jacobian_pattern (l->mpcc);
  const int row = product_row (l, pair);

  l->c_lp[row] = 1;
  for (int k = pattern->start[row]; k < pattern->start[row + 1]; k++)
    l->j_lp[k] = 0;
}

/* Rows and box of the relaxation in which pairs are as `state` says. */
static void
set_relaxation (SsLpcc *l, const double *x, const SsLpccOptions *o)
{
  memcpy (l->c_lp, l->c, (size_t)l->n_rows * sizeof (double));
  memcpy (l->j_lp, l->jacobian, (size_t)ss_mpcc_jacobian_pattern (l->mpcc)->start[l->n_rows] * sizeof (double));
  for (int j = 0; j < l->n; j++) {
    const double width = o->rho * (o->is_by_size ? fmax (1, fabs (x[j])) : 1);
    l->lower[j] = fmin (0, fmax (-width, l->bounds->lower[j] - x[j]));
    l->upper[j] = fmax (0, fmin (width, l->bounds->upper[j] - x[j]));
  }
  for (int i = 0; i < l->n_pairs; i++) {
    if (l->state[i] == UNREAD)
      continue;
    leave_out (l, i);
    if (l->state[i] == FREE)
      continue;
    const int row = ss_branch_zero_row (l->mpcc, i, l->state[i]);
    if (row >= 0 && l->bound_of[row] >= 0) {
      const SsMpccBound *bound = &ss_mpcc_bounds (l->mpcc)[l->bound_of[row]];
      const double away = l->c[row] > AT_ZERO ? -l->c[row] / bound->slope : 0;
      l->lower[bound->variable] = l->upper[bound->variable] = away;
    } else {
      put_side (l, i, row);
    }
  }
  for (int j = 0; j < l->n; j++)
    if (l->upper[j] - l->lower[j] < NO_WIDTH * o->rho) {
      l->lower[j] -= NO_WIDTH * o->rho;
      l->upper[j] += NO_WIDTH * o->rho;
    }
}

/* Weak duality: a lower bound of the relaxation's value from multipliers in l->y, of which those of inequalities are
 * taken as at least 0. */
static double
dual_bound (SsLpcc *l)
{
  const SsPattern *pattern = ss_mpcc_jacobian_pattern (l->mpcc);
  double sum = 0;

  memcpy (l->reduced, l->gradient, (size_t)l->n * sizeof (double));
  for (int i = 0; i < l->n_rows; i++) {
    const double y = l->bounds->is_taken[i] ? 0 : i < l->n_eq ? l->y[i] : fmax (0, l->y[i]);
    sum -= y * l->c_lp[i];
    for (int k = pattern->start[i]; k < pattern->start[i + 1] && y != 0; k++)
      l->reduced[pattern->index[k]] -= y * l->j_lp[k];
  }
  for (int j = 0; j < l->n; j++)
    sum += fmin (l->reduced[j] * l->lower[j], l->reduced[j] * l->upper[j]);
  return sum;
}

/* The branch's multipliers as those of the relaxation: a zero side's row is an equality there, two inequalities
 * here. */
static void
adopt_multipliers (SsLpcc *l, const double *y)
{
  memcpy (l->y, y, (size_t)l->n_rows * sizeof (double));
  for (int i = 0; i < l->n_pairs; i++) {
    const int row =
        l->state[i] == SS_ZERO_A || l->state[i] == SS_ZERO_B ? ss_branch_zero_row (l->mpcc, i, l->state[i]) : -1;
    const int product = product_row (l, i);
    const double own = l->y[product];
    if (l->state[i] == UNREAD)
      continue;
    l->y[product] = 0;
    if (row >= 0 && l->bound_of[row] < 0 && l->y[row] < 0) /* -side >= 0 has the place of the product */
      l->y[product] = -l->y[row];
    else if (row < 0 && l->state[i] != FREE) /* a b <= 0 with a > 0, b read apart */
      l->y[product] = own * fmax (l->a[i], l->b[i]);
  }
}

/* Turns the pairs that are zero on both sides and whose zero side the branch would rather leave, by its multipliers:
 * those of rows, and the reduced gradient of variables that are held at a bound. */
static int
turn_pairs (SsLpcc *l, const signed char *zero, const double *y)
{
  const SsPattern *pattern = ss_mpcc_jacobian_pattern (l->mpcc);
  int n = 0;

  memcpy (l->reduced, l->gradient, (size_t)l->n * sizeof (double));
  for (int i = 0; i < l->n_rows; i++)
    for (int k = pattern->start[i]; k < pattern->start[i + 1] && y[i] != 0; k++)
      l->reduced[pattern->index[k]] -= y[i] * l->jacobian[k];
  for (int k = 0; k < l->n_open; k++) {
    const int i = l->open[k], row = ss_branch_zero_row (l->mpcc, i, zero[i]);
    const SsMpccBound *bound = row >= 0 && l->bound_of[row] >= 0 ? ss_mpcc_bounds (l->mpcc) + l->bound_of[row] : NULL;
    const double multiplier = row < 0 ? 0 : bound != NULL ? l->reduced[bound->variable] / bound->slope : y[row];
    const bool is_wrong = multiplier < -WRONG;
    l->zero[i] = is_wrong ? (signed char)(1 - zero[i]) : zero[i];
    n += is_wrong;
  }
  return n;
}

/* ---- the tree ---------------------------------------------------------------------------------------------------- */

typedef struct {
  const double *x;
  const SsLpccOptions *o;
  SsRunControl *control;
  SsLpccResult *result;
  SsError *err;
  double penalty;
} Search;

/* The interior point leaves a residual of stationarity that grows with the penalties. The least-squares change of the
 * multipliers of active rows that removes it from the variables between their bounds:
 *
 *   [ D J' ; J -E ] [u; dy] = [reduced gradient; 0],   D = 1 for such variables, E tiny for such rows, else huge.
 *
 * Their product with slack says which they are. Any multipliers are as good for the bound, so nothing is at stake. */
static void
correct_multipliers (SsLpcc *l, const SsQpResult *qp)
{
  const SsPattern *pattern = ss_mpcc_jacobian_pattern (l->mpcc);
  const int size = l->n + l->n_rows;

  memset (l->k_values, 0, (size_t)l->k_pattern.start[size] * sizeof (double));
  for (int j = 0; j < l->n; j++) {
    const bool is_free = qp->at_lower[j] < qp->p[j] - l->lower[j] && qp->at_upper[j] < l->upper[j] - qp->p[j];
    l->k_values[l->k_diagonal[j]] = is_free ? 1 : HELD;
    l->k_rhs[j] = l->reduced[j];
  }
  for (int i = 0; i < l->n_rows; i++) {
    double value = l->c_lp[i];
    for (int k = pattern->start[i]; k < pattern->start[i + 1]; k++)
      value += l->j_lp[k] * qp->p[pattern->index[k]];
    const bool is_active = !l->bounds->is_taken[i] && (i < l->n_eq || l->y[i] > value);
    l->k_values[l->k_diagonal[l->n + i]] = is_active ? -LOOSE : -HELD;
    l->k_rhs[l->n + i] = 0;
    for (int k = pattern->start[i]; k < pattern->start[i + 1] && is_active; k++)
      l->k_values[l->k_slot[k]] = l->j_lp[k];
  }
  if (ss_ldl_factor (l->ldl, l->k_values, NULL, 0, NULL) != SS_OK)
    return;
  ss_ldl_solve (l->ldl, l->k_rhs);
  for (int i = 0; i < l->n_rows; i++)
    l->y[i] += isfinite (l->k_rhs[l->n + i]) ? l->k_rhs[l->n + i] : 0;
}

/* Solves the relaxation that is set; p, and the bound. */
static SsStatus
solve_relaxation (SsLpcc *l, Search *s, double *bound, double *value)
{
  SsQpOptions options;
  SsQpResult qp;

  ss_qp_options_init (&options);
  options.max_iterations = LP_ITERATIONS;
  options.tolerance_residual = LP_RESIDUAL;
  options.gap_unit = fmax (1e-12, s->o->tolerance);
  options.tolerance_gap = LP_GAP;
  ss_qp_set_options (l->qp, &options);
  for (int i = 0; i < l->n_rows; i++)
    l->mu[i] = s->penalty;
  const SsQpData data = {l->hessian, l->gradient, l->j_lp, l->c_lp, l->mu, l->lower, l->upper};
  SsStatus status = ss_qp_solve (l->qp, &data, s->control, &qp, s->err);
  if (status != SS_OK)
    return status;
  s->result->n_nodes++;
  s->result->is_stopped = ss_outcome_is_early (qp.outcome);
  memcpy (l->p, qp.p, (size_t)l->n * sizeof (double));
  memcpy (l->y, qp.multipliers, (size_t)l->n_rows * sizeof (double));
  *bound = dual_bound (l);
  for (int round = 0; round < ROUNDS && *bound < -s->o->tolerance; round++) {
    correct_multipliers (l, &qp);
    *bound = fmax (*bound, dual_bound (l));
  }
  /* g'p, and what rows are violated by at p counts against the step; that they were at x counts for nothing. */
  *value = qp.model_change;
  for (int i = 0; i < l->n_rows; i++)
    if (!l->bounds->is_taken[i])
      *value += s->penalty * (i < l->n_eq ? fabs (l->c_lp[i]) : fmax (0, -l->c_lp[i]));
  return SS_OK;
}

/* A linearised side of a pair at p. */
static double
side_at (const SsLpcc *l, int pair, int row, double at_x)
{
  const SsPattern *pattern = ss_mpcc_jacobian_pattern (l->mpcc);
  const int product = product_row (l, pair);
  double sum = at_x;

  if (row >= 0) {
    for (int k = pattern->start[row]; k < pattern->start[row + 1]; k++)
      sum += l->jacobian[k] * l->p[pattern->index[k]];
    return sum;
  }
  for (int k = pattern->start[product]; k < pattern->start[product + 1]; k++)
    if (pattern->index[k] != known_bound (l, pair)->variable)
      sum -= l->j_apart[k] * l->p[pattern->index[k]];
  return sum;
}

static void
sides_at (const SsLpcc *l, int pair, double *a, double *b)
{
  *a = side_at (l, pair, ss_branch_zero_row (l->mpcc, pair, SS_ZERO_A), l->a[pair]);
  *b = side_at (l, pair, ss_branch_zero_row (l->mpcc, pair, SS_ZERO_B), l->b[pair]);
}

/* The free pair whose sides are both farthest from zero at p, -1: none; *smaller: its smaller side. */
static int
worst_pair (const SsLpcc *l, double apart, signed char *smaller)
{
  double worst = apart;
  int found = -1;

  for (int k = 0; k < l->n_open; k++) {
    const int i = l->open[k];
    if (l->state[i] != FREE)
      continue;
    double a, b;
    sides_at (l, i, &a, &b);
    if (fmin (a, b) > worst) {
      worst = fmin (a, b);
      found = i;
      *smaller = a <= b ? SS_ZERO_A : SS_ZERO_B;
    }
  }
  return found;
}

/* Fixes every free pair at its smaller side at p. */
static void
round_sides (SsLpcc *l)
{
  for (int k = 0; k < l->n_open; k++) {
    const int i = l->open[k];
    if (l->state[i] != FREE)
      continue;
    double a, b;
    sides_at (l, i, &a, &b);
    l->state[i] = a <= b ? SS_ZERO_A : SS_ZERO_B;
  }
}

static void
keep_descent (SsLpcc *l, Search *s, double value)
{
  s->result->descent = value;
  s->result->is_descent = value < -s->o->tolerance;
  memcpy (l->p_best, l->p, (size_t)l->n * sizeof (double));
  for (int i = 0; i < l->n_pairs; i++)
    l->zero[i] = l->state[i] <= SS_ZERO_B ? l->state[i] : l->zero[i];
}

/* Whether the branch nearest to p descends; pairs are as before afterwards. */
static SsStatus
try_rounded (SsLpcc *l, Search *s)
{
  double bound, value;

  memcpy (l->saved, l->state, (size_t)l->n_pairs);
  round_sides (l);
  set_relaxation (l, s->x, s->o);
  SsStatus status = solve_relaxation (l, s, &bound, &value);
  if (status == SS_OK && value < s->result->descent)
    keep_descent (l, s, value);
  memcpy (l->state, l->saved, (size_t)l->n_pairs);
  return status;
}

/* Depth first: *bound is a lower bound of the part of the tree below. */
static SsStatus
search (SsLpcc *l, Search *s, int depth, double *bound)
{
  signed char smaller = SS_ZERO_A;
  double value, below[2];
  SsStatus status;

  set_relaxation (l, s->x, s->o);
  status = solve_relaxation (l, s, bound, &value);
  if (status != SS_OK || *bound >= -s->o->tolerance || s->result->is_stopped)
    return status;
  const int pair = worst_pair (l, APART * s->o->rho, &smaller);
  status = try_rounded (l, s);
  if (status != SS_OK || s->result->is_descent || pair < 0 || depth >= MAX_DEPTH ||
      s->result->n_nodes >= s->o->max_nodes || s->result->is_stopped)
    return status;
  for (int side = 0; side < 2; side++) {
    l->state[pair] = side == 0 ? smaller : 1 - smaller;
    status = search (l, s, depth + 1, &below[side]);
    l->state[pair] = FREE;
    if (status != SS_OK)
      return status;
    if (s->result->is_descent || s->result->is_stopped || below[side] < -s->o->tolerance) {
      *bound = fmin (below[side], *bound);
      return SS_OK; /* descent was found, or will not be proved away */
    }
  }
  *bound = fmax (*bound, fmin (below[0], below[1]));
  return SS_OK;
}

SsStatus
ss_lpcc_solve (SsLpcc *l, const double *x, const signed char *zero, const double *y, const SsLpccOptions *options,
               SsRunControl *control, SsLpccResult *result, SsError *err)
{
  SS_ASSERT (l != NULL && result != NULL);

  Search s = {x, options, control, result, err, LEAST_PENALTY};

  *result = (SsLpccResult){.bound = -INFINITY, .zero = l->zero, .p = l->p_best};
  evaluate (l, x);
  memcpy (l->zero, zero, (size_t)l->n_pairs);
  classify (l, zero, options, result);
  set_relaxation (l, x, options);
  if (y != NULL) {
    result->n_turned = turn_pairs (l, zero, y);
    adopt_multipliers (l, y);
    result->bound = dual_bound (l);
    for (int i = 0; i < l->n_rows; i++)
      s.penalty = fmax (s.penalty, fmin (MOST_PENALTY, MULTIPLIER_FACTOR * fabs (y[i])));
    if (result->bound >= -options->tolerance)
      return SS_OK;
  } else { /* multipliers are of the size of the gradient, rows whose derivatives are 1 */
    for (int j = 0; j < l->n; j++)
      s.penalty = fmax (s.penalty, fmin (MOST_PENALTY, MULTIPLIER_FACTOR * fabs (l->gradient[j])));
  }
  double bound;
  SsStatus status = search (l, &s, 0, &bound);
  result->bound = fmax (result->bound, bound);
  return status;
}
