/* engine/nlp/ss-crisp-model.c: the problem as CRISP sees it: values, merit function (10), derivatives, a convex
 * Hessian, storage. */
#include "nlp/ss-crisp-private.h"

#include <math.h>
#include <string.h>

enum {
  DENSE_BLOCK = 24,
  JACOBI_SWEEPS = 30
}; /* largest block whose eigenvalues are clipped; larger ones are made diagonally dominant */
static const double PSD_TOLERANCE =
    1e-10; /* of the Hessian's largest entry: a negative eigenvalue that counts as zero            */

/* Of a subproblem: what it adds to the diagonal of its matrix, enough to factorise; the solution stays the same. */
static const double QP_SHIFT = 1e-11;
enum { QP_MAX_ITERATIONS = 60 };         /* usual are 10 to 20 */
static const double LEAST_WIDTH = 1e-12; /* of a box, in units of its radius */

SsStatus
ss_crisp_solve_qp (SsCrisp *s, const SsQpData *data, SsRunControl *control, SsQpResult *result, SsError *err)
{
  SS_ASSERT (s != NULL && s->n >= 0);

  double start = ss_clock_thread_cpu ();
  SsStatus status = ss_qp_solve (s->qp, data, control, result, err);
  s->qp_seconds += ss_clock_thread_cpu () - start;
  s->subproblems++;
  if (status == SS_OK)
    s->inner_iterations += result->iterations;
  return status;
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

/* fmax without the call: a NaN in b is passed over here, and shows in the merit function. */
static inline double
larger (double a, double b)
{
  return b > a ? b : a;
}

/* [004 (10)]. */
double
ss_crisp_merit (const SsCrisp *s, const SsCrispPoint *point)
{
  SS_ASSERT (s != NULL && s->n >= 0 && point != NULL);

  double sum = 0;
  for (int i = 0; i < s->n_eq; i++)
    sum += s->mu[i] * fabs (point->c[i]);
  for (int i = s->n_eq; i < s->n_rows; i++)
    sum += point->c[i] < 0 ? -s->mu[i] * point->c[i] : 0;
  return point->objective + sum;
}

/* The violation is 0 where [004 (18)-(19)] hold. */
void
ss_crisp_evaluate (SsCrisp *s, SsCrispPoint *point)
{
  SS_ASSERT (s != NULL && s->n >= 0 && point != NULL);

  const SsMpccPair *pair = ss_mpcc_pairs (s->mpcc);
  double worst = 0, product = 0, start = ss_clock_thread_cpu ();
  point->objective = ss_mpcc_objective (s->eval, point->x);
  ss_mpcc_rows (s->eval, point->x, point->c);
  for (int i = 0; i < ss_mpcc_n_pairs (s->mpcc); i++)
    product = larger (product, fabs (point->c[s->n_eq + pair[i].product_row]));
  for (int i = 0; i < ss_mpcc_n_pairs (s->mpcc) && s->relaxation > 0; i++)
    point->c[s->n_eq + pair[i].product_row] += s->relaxation;
  for (int i = 0; i < s->n_eq; i++)
    worst = larger (worst, fabs (point->c[i]));
  for (int i = s->n_eq; i < s->n_rows; i++)
    worst = larger (worst, -point->c[i]);
  point->violation = worst;
  point->complementarity = product;
  point->merit = ss_crisp_merit (s, point); /* NaN when any value is */
  s->value_seconds += ss_clock_thread_cpu () - start;
}

/* q (0) - q (p) [004 (11)]. */
double
ss_crisp_predicted (SsCrisp *s, const double *p)
{
  SS_ASSERT (s != NULL && s->n >= 0);

  const SsPattern *h = &s->hessian, *j = ss_mpcc_jacobian_pattern (s->mpcc);
  double quadratic = 0, l1 = 0;
  for (int col = 0; col < s->n; col++) {
    quadratic += s->gradient[col] * p[col];
    for (int k = h->start[col]; k < h->start[col + 1]; k++)
      quadratic += (h->index[k] == col ? 0.5 : 1) * s->h_values[k] * p[h->index[k]] * p[col];
  }
  for (int i = 0; i < s->n_rows; i++) {
    double change = 0, c = s->now.c[i];
    for (int k = j->start[i]; k < j->start[i + 1]; k++)
      change += s->jacobian[k] * p[j->index[k]];
    l1 += i < s->n_eq ? s->mu[i] * (fabs (c) - fabs (c + change)) : s->mu[i] * (fmax (0, -c) - fmax (0, -c - change));
  }
  return l1 - quadratic;
}

/* ---- bounds ------------------------------------------------------------------------------------------------------ */

/* [004 (12e)]. */
void
ss_crisp_set_box (SsCrisp *s, double radius, double unit)
{
  SS_ASSERT (s != NULL && s->n >= 0);
  for (int j = 0; j < s->n; j++) {
    const double r = radius, x = s->now.x[j];
    double low = (s->bounds.lower[j] - x) / unit, high = (s->bounds.upper[j] - x) / unit;
    s->lower[j] = low > -r ? low : -r;
    s->upper[j] = high < r ? high : r;
    if (!(s->upper[j] - s->lower[j] >= LEAST_WIDTH * r)) { /* fixed: the QP's box needs an inside */
      s->lower[j] = -LEAST_WIDTH * r;
      s->upper[j] = LEAST_WIDTH * r;
    }
  }
}

double
ss_crisp_worth (const SsCrisp *s, double times)
{
  SS_ASSERT (s != NULL && s->n >= 0);

  double most = 0;

  for (int j = 0; j < s->n; j++)
    most += times * fabs (s->gradient[j]) * fmax (-s->lower[j], s->upper[j]);
  return fabs (s->now.merit - s->now.objective) + fmin (fabs (s->now.objective), most);
}

void
ss_crisp_keep_in_bounds (const SsCrisp *s, const double *x, double *p, double *x_trial)
{
  SS_ASSERT (s != NULL && s->n >= 0);

  const double *low = s->bounds.lower, *high = s->bounds.upper;
  for (int j = 0; j < s->n; j++) {
    x_trial[j] = x[j] + p[j];
    if (x_trial[j] < low[j] || x_trial[j] > high[j]) {
      x_trial[j] = x_trial[j] < low[j] ? low[j] : high[j];
      p[j] = x_trial[j] - x[j];
    }
  }
}

void
ss_crisp_take_multipliers (SsCrisp *s, const SsQpResult *qp)
{
  SS_ASSERT (s != NULL && s->n >= 0 && qp != NULL);
  memcpy (s->multipliers, qp->multipliers, (size_t)s->n_rows * sizeof (double));
  if (s->bounds.n_taken == 0)
    return;
  for (int j = 0; j < s->n; j++) {
    double x = s->now.x[j];
    s->at_lower[j] = s->lower[j] == s->bounds.lower[j] - x ? qp->at_lower[j] : 0;
    s->at_upper[j] = s->upper[j] == s->bounds.upper[j] - x ? qp->at_upper[j] : 0;
  }
  ss_bounds_multipliers (&s->bounds, s->at_lower, s->at_upper, s->multipliers);
}

/* ---- a convex Hessian -------------------------------------------------------------------------------------------- */

/* Cyclic Jacobi: a = V diag(d) V', both n x n, row-major; a is destroyed. */
static void
symmetric_eigen (int n, double *a, double *v, double *d)
{
  for (int i = 0; i < n * n; i++)
    v[i] = i % (n + 1) == 0;
  for (int sweep = 0; sweep < JACOBI_SWEEPS; sweep++) {
    double off = 0, all = 0;
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        all += a[i * n + j] * a[i * n + j];
        off += i != j ? a[i * n + j] * a[i * n + j] : 0;
      }
    if (off <= 1e-30 * all) /* squares: 1e-15 of the norm */
      break;
    for (int p = 0; p < n; p++)
      for (int q = p + 1; q < n; q++) {
        if (a[p * n + q] == 0)
          continue;
        double theta = (a[q * n + q] - a[p * n + p]) / (2 * a[p * n + q]);
        double t = (theta >= 0 ? 1 : -1) / (fabs (theta) + sqrt (theta * theta + 1)), c = 1 / sqrt (t * t + 1),
               sn = t * c;
        for (int k = 0; k < n; k++) {
          double x = a[k * n + p], y = a[k * n + q];
          a[k * n + p] = c * x - sn * y;
          a[k * n + q] = sn * x + c * y;
        }
        for (int k = 0; k < n; k++) {
          double x = a[p * n + k], y = a[q * n + k];
          a[p * n + k] = c * x - sn * y;
          a[q * n + k] = sn * x + c * y;
          x = v[k * n + p], y = v[k * n + q];
          v[k * n + p] = c * x - sn * y;
          v[k * n + q] = sn * x + c * y;
        }
      }
  }
  for (int i = 0; i < n; i++)
    d[i] = a[i * n + i];
}

/* Entry (row, col) of the lower triangle, or -1. */
static int
find_entry (const SsPattern *h, int row, int col)
{
  for (int k = h->start[col]; k < h->start[col + 1]; k++)
    if (h->index[k] == row)
      return k;
  return -1;
}

/* Negative eigenvalues of one block become zero; false when the block is too large or has structural zeros that
 * clipping would fill. */
static bool
clip_block (SsCrisp *s, const int *member, int size)
{
  double a[DENSE_BLOCK * DENSE_BLOCK], v[DENSE_BLOCK * DENSE_BLOCK], d[DENSE_BLOCK];
  if (size > DENSE_BLOCK)
    return false;
  for (int i = 0; i < size; i++)
    for (int j = 0; j <= i; j++) {
      int k = find_entry (&s->hessian, member[i], member[j]);
      if (k < 0)
        return false;
      a[i * size + j] = a[j * size + i] = s->h_values[k];
    }
  symmetric_eigen (size, a, v, d);
  for (int i = 0; i < size; i++)
    for (int j = 0; j <= i; j++) {
      double sum = 0;
      for (int e = 0; e < size; e++)
        sum += fmax (0, d[e]) * v[i * size + e] * v[j * size + e];
      s->h_values[find_entry (&s->hessian, member[i], member[j])] = sum;
    }
  return true;
}

/* Raises diagonal entries until the block is diagonally dominant: convex and of the same pattern. */
static void
dominate_block (SsCrisp *s, const int *member, int size)
{
  const SsPattern *h = &s->hessian;
  double *sum = s->h_work;
  for (int i = 0; i < size; i++)
    sum[member[i]] = 0;
  for (int i = 0; i < size; i++)
    for (int k = h->start[member[i]]; k < h->start[member[i] + 1]; k++)
      if (h->index[k] != member[i]) {
        sum[member[i]] += fabs (s->h_values[k]);
        sum[h->index[k]] += fabs (s->h_values[k]);
      }
  for (int i = 0; i < size; i++) {
    double *diagonal = &s->h_values[s->hessian_diagonal[member[i]]];
    *diagonal = fmax (*diagonal, sum[member[i]]);
  }
}

static void
make_convex (SsCrisp *s)
{
  double largest = ss_norm_inf (s->hessian.start[s->n], s->h_values);
  int n_negative = 0;
  for (int j = 0; j < s->n; j++)
    n_negative += s->h_values[s->hessian_diagonal[j]] < 0;
  if (n_negative == 0) {
    if (s->h_test == NULL)
      return;
    /* Positive semidefinite (to a tolerance) when all pivots of H + tolerance I are positive. */
    int n_replaced = 0;
    for (int j = 0; j < s->n; j++)
      s->h_values[s->hessian_diagonal[j]] += PSD_TOLERANCE * (largest + 1e-300);
    bool is_convex = ss_ldl_factor (s->h_test, s->h_values, s->h_sign, 0, &n_replaced) == SS_OK && n_replaced == 0;
    for (int j = 0; j < s->n; j++)
      s->h_values[s->hessian_diagonal[j]] -= PSD_TOLERANCE * (largest + 1e-300);
    if (is_convex)
      return;
  }
  for (int b = 0; b < s->n_blocks; b++) {
    const int *member = s->block_member + s->block_start[b];
    int size = s->block_start[b + 1] - s->block_start[b];
    if (size == 1) {
      double *diagonal = &s->h_values[s->hessian_diagonal[member[0]]];
      *diagonal = fmax (0, *diagonal);
    } else if (!clip_block (s, member, size))
      dominate_block (s, member, size);
  }
}

void
ss_crisp_differentiate (SsCrisp *s, const SsCrispPoint *point)
{
  SS_ASSERT (s != NULL && s->n >= 0 && point != NULL);

  int n_objective = ss_mpcc_objective_hessian_pattern (s->mpcc)->start[s->n];
  double start = ss_clock_thread_cpu ();
  ss_mpcc_gradient (s->eval, point->x, s->gradient);
  ss_mpcc_jacobian (s->eval, point->x, s->jacobian);
  ss_mpcc_objective_hessian (s->eval, point->x, s->h_objective);
  memset (s->h_values, 0, (size_t)s->hessian.start[s->n] * sizeof (double));
  for (int k = 0; k < n_objective; k++)
    s->h_values[s->hessian_slot[k]] = s->h_objective[k];
  if (s->o.convexify)
    make_convex (s);
  s->derivative_seconds += ss_clock_thread_cpu () - start;
}

/* ---- storage ----------------------------------------------------------------------------------------------------- */

/* Pattern of the objective's Hessian with every diagonal entry. */
static SsStatus
build_hessian (SsCrisp *s, SsError *err)
{
  const SsPattern *from = ss_mpcc_objective_hessian_pattern (s->mpcc);
  int n_from = from->start[s->n], count = n_from + s->n;
  int *major = ss_new_array (int, count + 1), *minor = ss_new_array (int, count + 1),
      *slot = ss_new_array (int, count + 1);
  SsStatus status = SS_OK;
  s->hessian_slot = ss_new_array (int, n_from + 1);
  s->hessian_diagonal = ss_new_array (int, s->n + 1);
  if (major == NULL || minor == NULL || slot == NULL || s->hessian_slot == NULL || s->hessian_diagonal == NULL) {
    status = ss_error_set (err, SS_ERR_MEMORY, "out of memory for CRISP's Hessian");
    goto done;
  }
  for (int col = 0; col < s->n; col++) {
    for (int k = from->start[col]; k < from->start[col + 1]; k++)
      major[k] = col, minor[k] = from->index[k];
    major[n_from + col] = minor[n_from + col] = col;
  }
  status = ss_pattern_from_triplets (&s->hessian, s->n, s->n, count, major, minor, slot, err);
  if (status != SS_OK)
    goto done;
  memcpy (s->hessian_slot, slot, (size_t)n_from * sizeof (int));
  memcpy (s->hessian_diagonal, slot + n_from, (size_t)s->n * sizeof (int));
  if (s->hessian.start[s->n] > s->n)
    status = ss_ldl_new (&s->hessian, &s->h_test, err);
done:
  ss_free (major);
  ss_free (minor);
  ss_free (slot);
  return status;
}

/* Variables connected through off-diagonal entries, block by block; members ascend. */
static SsStatus
find_blocks (SsCrisp *s, SsError *err)
{
  s->block = ss_new_array (int, s->n + 1);
  s->block_start = ss_new_array (int, s->n + 2);
  s->block_member = ss_new_array (int, s->n + 1);
  if (s->block == NULL || s->block_start == NULL || s->block_member == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory for CRISP's Hessian");
  int *root = s->block; /* union by the smaller index: roots are first members */
  for (int j = 0; j < s->n; j++)
    root[j] = j;
  for (int col = 0; col < s->n; col++)
    for (int k = s->hessian.start[col]; k < s->hessian.start[col + 1]; k++) {
      int a = col, b = s->hessian.index[k];
      while (root[a] != a)
        a = root[a] = root[root[a]];
      while (root[b] != b)
        b = root[b] = root[root[b]];
      if (a < b)
        root[b] = a;
      else
        root[a] = b;
    }
  /* Parents have smaller indices, so one ascending pass numbers the blocks. */
  for (int j = 0; j < s->n; j++)
    root[j] = root[j] == j ? s->n_blocks++ : root[root[j]];
  for (int j = 0; j < s->n; j++)
    s->block_start[s->block[j] + 1]++;
  for (int b = 0; b < s->n_blocks; b++)
    s->block_start[b + 1] += s->block_start[b];
  for (int j = 0; j < s->n; j++)
    s->block_member[s->block_start[s->block[j]]++] = j;
  for (int b = s->n_blocks; b > 0; b--)
    s->block_start[b] = s->block_start[b - 1];
  s->block_start[0] = 0;
  return SS_OK;
}

/* Hash (FNV-1a) of a row's name without its instance: "dynamics[17].zero[2]" and "dynamics[18].zero[2]" are one
 * family. */
static uint64_t
family_hash (const char *name)
{
  uint64_t hash = 14695981039346656037u;
  bool skipped = false;
  for (const char *c = name; *c != '\0'; c++) {
    if (*c == '[' && !skipped) {
      while (c[1] != '\0' && *c != ']')
        c++;
      skipped = true;
    }
    hash = (hash ^ (unsigned char)*c) * 1099511628211u;
  }
  return hash;
}

static SsStatus
find_families (SsCrisp *s, SsError *err)
{
  /* Open addressing; a slot holds the hash and its family + 1. */
  size_t size = 16;
  while (size < 2 * (size_t)s->n_rows)
    size *= 2;
  uint64_t *known = ss_new_array (uint64_t, size);
  int *number = ss_new_array (int, size);
  s->family = ss_new_array (int, s->n_rows + 1);
  bool ok = known != NULL && number != NULL && s->family != NULL;
  for (int i = 0; i < s->n_rows && ok; i++) {
    uint64_t hash = family_hash (ss_mpcc_row_name (s->mpcc, i));
    size_t slot = (size_t)hash & (size - 1);
    while (number[slot] != 0 && known[slot] != hash)
      slot = (slot + 1) & (size - 1);
    if (number[slot] == 0) {
      known[slot] = hash;
      number[slot] = ++s->n_families;
    }
    s->family[i] = number[slot] - 1;
  }
  ss_free (known);
  ss_free (number);
  s->family_largest = ss_new_array (double, s->n_families + 1);
  s->family_before = ss_new_array (double, s->n_families + 1);
  s->family_floor = ss_new_array (double, s->n_families + 1);
  s->family_waits = ss_new_array (int, s->n_families + 1);
  s->family_raised = ss_new_array (bool, s->n_families + 1);
  if (!ok || s->family_largest == NULL || s->family_before == NULL || s->family_floor == NULL ||
      s->family_waits == NULL || s->family_raised == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory for CRISP with %d rows", s->n_rows);
  return SS_OK;
}

SsStatus
ss_crisp_model_new (SsCrisp *s, SsError *err)
{
  SS_ASSERT (s != NULL);

  const SsPattern *jacobian = ss_mpcc_jacobian_pattern (s->mpcc);
  s->n = ss_mpcc_n_variables (s->mpcc);
  s->n_eq = ss_mpcc_n_equalities (s->mpcc);
  s->n_rows = ss_mpcc_n_rows (s->mpcc);
  SsStatus status = ss_mpcc_eval_new (s->mpcc, &s->eval, err);
  if (status != SS_OK)
    return status;
  status = ss_bounds_init (&s->bounds, s->mpcc, (SsBoundsChoice)s->o.bounds, err);
  if (status != SS_OK)
    return status;
  status = build_hessian (s, err);
  if (status != SS_OK)
    return status;
  status = find_blocks (s, err);
  if (status != SS_OK)
    return status;
  status = find_families (s, err);
  if (status != SS_OK)
    return status;

  const struct {
    double **vector;
    int count;
  } vectors[] = {
      {&s->now.x, s->n},
      {&s->now.c, s->n_rows},
      {&s->trial.x, s->n},
      {&s->trial.c, s->n_rows},
      {&s->second.x, s->n},
      {&s->second.c, s->n_rows},
      {&s->gradient, s->n},
      {&s->jacobian, jacobian->start[s->n_rows]},
      {&s->mu, s->n_rows},
      {&s->lower, s->n},
      {&s->upper, s->n},
      {&s->at_lower, s->n},
      {&s->at_upper, s->n},
      {&s->p, s->n},
      {&s->p_second, s->n},
      {&s->p_model, s->n},
      {&s->bend, s->n},
      {&s->c_corrected, s->n_rows},
      {&s->multipliers, s->n_rows},
      {&s->x_best, s->n},
      {&s->x_start, s->n},
      {&s->mu_best, s->n_rows},
      {&s->multipliers_best, s->n_rows},
      {&s->g_zero, s->n},
      {&s->h_identity, s->hessian.start[s->n]},
      {&s->j_snap, jacobian->start[s->n_rows]},
      {&s->h_values, s->hessian.start[s->n]},
      {&s->h_objective, s->hessian.start[s->n]},
      {&s->h_work, s->n},
  };
  for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++) {
    *vectors[i].vector = ss_new_array (double, vectors[i].count + 1);
    if (*vectors[i].vector == NULL)
      return ss_error_set (err, SS_ERR_MEMORY, "out of memory for CRISP with %d variables and %d rows", s->n,
                           s->n_rows);
  }
  s->h_sign = ss_new_array (signed char, s->n + 1);
  s->is_product = ss_new_array (bool, s->n_rows + 1);
  if (s->is_product == NULL || s->h_sign == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory for CRISP with %d variables", s->n);
  memset (s->h_sign, 1, (size_t)s->n);
  for (int i = 0; i < ss_mpcc_n_pairs (s->mpcc); i++)
    s->is_product[s->n_eq + ss_mpcc_pairs (s->mpcc)[i].product_row] = true;
  for (int j = 0; j < s->n; j++)
    s->h_identity[s->hessian_diagonal[j]] = 1;

  SsQpShape shape = {s->n, s->n_eq, s->n_rows - s->n_eq, &s->hessian, jacobian, s->bounds.is_taken};
  ss_qp_options_init (&s->qp_options);
  s->qp_options.max_iterations = QP_MAX_ITERATIONS;
  s->qp_options.tolerance_residual = s->o.qp_residual;
  s->qp_options.tolerance_gap = s->o.qp_gap;
  s->qp_options.shift = QP_SHIFT;
  status = ss_qp_new (&shape, &s->qp_options, &s->qp, err);
  return status == SS_OK && s->o.finish ? ss_finish_new (s->mpcc, &s->finish, err) : status;
}

void
ss_crisp_model_clear (SsCrisp *s)
{
  SS_ASSERT (s != NULL);
  double *const vectors[] = {s->now.x,      s->now.c,    s->trial.x,          s->trial.c,     s->second.x,
                             s->second.c,   s->gradient, s->jacobian,         s->mu,          s->lower,
                             s->upper,      s->at_lower, s->at_upper,         s->p,           s->p_second,
                             s->p_model,    s->bend,     s->c_corrected,      s->multipliers, s->g_zero,
                             s->h_identity, s->j_snap,   s->h_values,         s->h_objective, s->h_work,
                             s->x_best,     s->mu_best,  s->multipliers_best, s->x_start};
  for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++)
    ss_free (vectors[i]);
  ss_free (s->is_product);
  ss_free (s->h_sign);
  ss_free (s->hessian_slot);
  ss_free (s->hessian_diagonal);
  ss_free (s->family);
  ss_free (s->family_largest);
  ss_free (s->family_before);
  ss_free (s->family_floor);
  ss_free (s->family_waits);
  ss_free (s->family_raised);
  ss_free (s->block);
  ss_free (s->block_start);
  ss_free (s->block_member);
  ss_pattern_clear (&s->hessian);
  ss_ldl_free (s->h_test);
  ss_qp_free (s->qp);
  ss_finish_free (s->finish);
  ss_bounds_clear (&s->bounds);
  ss_mpcc_eval_free (s->eval);
}
