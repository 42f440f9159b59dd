/* engine/lcp/ss-lemke.c: Lemke's method on a dense condensed tableau, lexicographic ratio test, refined answer.
 *
 * The problem is scaled symmetrically (w' = D w, z' = D^-1 z, M' = D M D, D positive), which keeps complementarity and
 * copositivity, and q' to largest entry 1. The tableau holds the columns of the nonbasic variables only:
 *     x_B = rhs + T x_N,   B = n of {w_0.., z_0.., z0},   N = the others.
 * The lexicographic order needs the rows of the basis inverse; their columns are those of w_0..w_{n-1}: minus the
 * column of a nonbasic w_k, a unit vector for a basic one. So nothing else is stored. The tableau is used to find the
 * basis; the answer comes from an LU factorisation of the basis found, with one step of iterative refinement, so that
 * its error does not grow with the number of pivots.
 */
#include "lcp/ss-lcp.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Entries of an entering column below this fraction of its largest (or of 1, the scaled problem's size) are zero in the
 * ratio test: they may be round-off of earlier pivots. */
static const double pivot_fraction = 1e-10;
/* Ratios that differ by less (on the scaled problem, rhs of order 1) are a tie. */
static const double tie_tolerance = 1e-12;
/* A violation below this (on the scaled problem) is accepted as solved; else another covering vector is tried. */
static const double accepted_violation = 1e-9;
/* Attempts before the problem is given up: ones as covering vector; the same with the tableau recomputed from its basis
 * every few pivots, against round-off; two other covering vectors. A copositive M needs one covering vector in exact
 * arithmetic, other matrices may need others. */
enum { N_ATTEMPTS = 4, PIVOTS_BETWEEN_REBUILDS = 50 };

struct SsLemke {
  int capacity;
  double *matrix; /* scaled M, column-major n x n                               */
  double *table;  /* row-major n x (n + 1): coefficients of the nonbasic columns  */
  double *lu;     /* n x n, of the final basis                                    */
  double *rhs;    /* n */
  double *q, *scale, *cover, *column, *z, *w, *solution, *residual;
  int *basic;    /* n: variable in row i: k < n is w_k, n + k is z_k, 2n is z0  */
  int *nonbasic; /* n + 1: variable of column j                                  */
  int *place;    /* 2n + 1: row i as i, column j as -1 - j                       */
  int *pivot, *support;
};

static void
release (SsLemke *lemke)
{
  ss_free (lemke->matrix);
  ss_free (lemke->table);
  ss_free (lemke->lu);
  ss_free (lemke->rhs);
  ss_free (lemke->basic);
  lemke->matrix = lemke->table = lemke->lu = lemke->rhs = NULL;
  lemke->basic = NULL;
  lemke->capacity = 0;
}

/* Makes room for n unknowns; grows by half so that a slowly growing problem does not allocate each time. */
static SsStatus
reserve (SsLemke *lemke, int n, SsError *err)
{
  if (n <= lemke->capacity)
    return SS_OK;
  size_t c = (size_t)n + (size_t)n / 2 + 8;
  if (lemke->capacity == 0)
    c = (size_t)n; /* the caller's reservation */
  release (lemke);
  lemke->matrix = ss_new_array (double, c *c);
  lemke->table = ss_new_array (double, c *(c + 1));
  lemke->lu = ss_new_array (double, c *c);
  lemke->rhs = ss_new_array (double, 9 * c);
  lemke->basic = ss_new_array (int, 6 * c + 2);
  if (lemke->matrix == NULL || lemke->table == NULL || lemke->lu == NULL || lemke->rhs == NULL ||
      lemke->basic == NULL) {
    release (lemke);
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for a complementarity problem of %d unknowns", n);
  }
  double **vectors[] = {&lemke->q, &lemke->scale, &lemke->cover,    &lemke->column,
                        &lemke->z, &lemke->w,     &lemke->solution, &lemke->residual};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
    *vectors[i] = lemke->rhs + (i + 1) * c;
  lemke->nonbasic = lemke->basic + c;
  lemke->place = lemke->nonbasic + c + 1;
  lemke->pivot = lemke->place + 2 * c + 1;
  lemke->support = lemke->pivot + c;
  lemke->capacity = (int)c;
  return SS_OK;
}

SsStatus
ss_lemke_new (int n_reserve, SsLemke **out, SsError *err)
{
  SS_ASSERT (out != NULL && n_reserve >= 0);
  SsLemke *lemke = ss_new (SsLemke);
  if (lemke == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for Lemke's method");
  SsStatus status = reserve (lemke, n_reserve > 0 ? n_reserve : 1, err);
  if (status != SS_OK) {
    ss_free (lemke);
    return status;
  }
  *out = lemke;
  return SS_OK;
}

void
ss_lemke_free (SsLemke *lemke)
{
  if (lemke == NULL)
    return;
  release (lemke);
  ss_free (lemke);
}

/* Largest violation of w >= 0, z >= 0, w z = 0 with w = M z + q recomputed. */
static double
violation (int n, const double *M, int ldm, const double *q, const double *z, double *w)
{
  double worst = 0;
  memcpy (w, q, (size_t)n * sizeof *w);
  for (int j = 0; j < n; j++)
    ss_axpy (n, z[j], M + (size_t)j * (size_t)ldm, w);
  for (int i = 0; i < n; i++) {
    double v = fmax (fmax (-w[i], -z[i]), fabs (w[i] * z[i]));
    if (!(v <= worst))
      worst = v; /* keeps a NaN */
  }
  return worst;
}

/* Positive scaling: diagonal entries to 1; rows without diagonal to largest entry 1 once the others are scaled. */
static double
scale_problem (SsLemke *lemke, int n, const double *M, int ldm, const double *q)
{
  double *scale = lemke->scale;
  for (int i = 0; i < n; i++) {
    double diagonal = M[(size_t)i * (size_t)ldm + (size_t)i];
    scale[i] = diagonal > 0 ? 1 / sqrt (diagonal) : 0;
  }
  for (int i = 0; i < n; i++) {
    double largest = 0;
    if (scale[i] > 0)
      continue;
    for (int j = 0; j < n; j++)
      if (M[(size_t)j * (size_t)ldm + (size_t)j] > 0)
        largest = fmax (largest, fmax (fabs (M[(size_t)j * (size_t)ldm + (size_t)i]),
                                       fabs (M[(size_t)i * (size_t)ldm + (size_t)j])) *
                                     scale[j]);
    scale[i] = largest > 0 ? 1 / largest : 1;
  }
  double size = 0;
  for (int j = 0; j < n; j++) {
    for (int i = 0; i < n; i++)
      lemke->matrix[(size_t)j * (size_t)n + (size_t)i] = scale[i] * M[(size_t)j * (size_t)ldm + (size_t)i] * scale[j];
    lemke->q[j] = scale[j] * q[j];
    size = fmax (size, fabs (lemke->q[j]));
  }
  for (int j = 0; size > 0 && j < n; j++)
    lemke->q[j] /= size;
  return size;
}

/* Start: all w basic; nonbasic z_0..z_{n-1}, z0. x_B = q + M z + cover z0. */
static void
start_table (SsLemke *lemke, int n)
{
  for (int i = 0; i < n; i++) {
    double *row = lemke->table + (size_t)i * (size_t)(n + 1);
    for (int j = 0; j < n; j++)
      row[j] = lemke->matrix[(size_t)j * (size_t)n + (size_t)i];
    row[n] = lemke->cover[i];
    lemke->rhs[i] = lemke->q[i];
    lemke->basic[i] = i;
    lemke->place[i] = i;
  }
  for (int j = 0; j <= n; j++) {
    lemke->nonbasic[j] = n + j;
    lemke->place[n + j] = -1 - j;
  }
}

/* y += factor x; four at a time, so that the compiler uses vector instructions (same bits: each entry has its own
 * sum). */
static inline void
add_multiple (int n, double factor, const double *restrict x, double *restrict y)
{
  int j = 0;
  for (; j + 4 <= n; j += 4) {
    y[j] += factor * x[j];
    y[j + 1] += factor * x[j + 1];
    y[j + 2] += factor * x[j + 2];
    y[j + 3] += factor * x[j + 3];
  }
  for (; j < n; j++)
    y[j] += factor * x[j];
}

static const double PIVOT_UNIT = 0.5; /* counted work of an entry of the table that is updated */

/* Exchanges the basic variable of `row` with the nonbasic variable of `col`. */
static void
exchange (SsLemke *lemke, int n, int row, int col)
{
  int width = n + 1;
  double *pivot_row = lemke->table + (size_t)row * (size_t)width;
  double inverse = 1 / pivot_row[col];
  for (int j = 0; j < width; j++)
    pivot_row[j] *= -inverse;
  pivot_row[col] = inverse;
  lemke->rhs[row] *= -inverse;
  for (int i = 0; i < n; i++) {
    double *r = lemke->table + (size_t)i * (size_t)width;
    double factor = r[col];
    if (i == row || factor == 0)
      continue;
    r[col] = 0;
    add_multiple (width, factor, pivot_row, r);
    lemke->rhs[i] += factor * lemke->rhs[row];
  }
  ss_work_add (PIVOT_UNIT * (double)n * width);
  int leaving = lemke->basic[row], entering = lemke->nonbasic[col];
  lemke->basic[row] = entering;
  lemke->nonbasic[col] = leaving;
  lemke->place[entering] = row;
  lemke->place[leaving] = -1 - col;
}

/* Entry (row, k) of the basis inverse. */
static double
inverse_entry (const SsLemke *lemke, int n, int row, int k)
{
  int place = lemke->place[k];
  if (place >= 0)
    return place == row ? 1 : 0;
  return -lemke->table[(size_t)row * (size_t)(n + 1) + (size_t)(-1 - place)];
}

/* Is row i / a_i lexicographically below row k / a_k, from column `from` of the basis inverse? */
static bool
lexicographically_below (const SsLemke *lemke, int n, int i, double a_i, int k, double a_k)
{
  for (int j = 0; j < n; j++) {
    double difference = inverse_entry (lemke, n, i, j) / a_i - inverse_entry (lemke, n, k, j) / a_k;
    if (fabs (difference) > tie_tolerance)
      return difference < 0;
  }
  return false;
}

/* Row that leaves when column `col` enters, or -1 on a ray. z0 leaves whenever it may. */
static int
leaving_row (const SsLemke *lemke, int n, int col)
{
  double largest = 0, best = INFINITY;
  for (int i = 0; i < n; i++)
    largest = fmax (largest, -lemke->table[(size_t)i * (size_t)(n + 1) + (size_t)col]);
  double smallest_pivot = pivot_fraction * fmax (largest, 1);
  int leaving = -1;
  for (int i = 0; i < n; i++) {
    double a = -lemke->table[(size_t)i * (size_t)(n + 1) + (size_t)col];
    if (a <= smallest_pivot)
      continue;
    double ratio = fmax (lemke->rhs[i], 0) / a;
    double difference = ratio - best, tie = tie_tolerance * fmax (1, best < INFINITY ? best : 1);
    if (leaving >= 0 && fabs (difference) <= tie) {
      if (lemke->basic[leaving] == 2 * n)
        continue;
      double a_best = -lemke->table[(size_t)leaving * (size_t)(n + 1) + (size_t)col];
      if (lemke->basic[i] != 2 * n && !lexicographically_below (lemke, n, i, a, leaving, a_best))
        continue;
    } else if (difference >= 0) {
      continue;
    }
    leaving = i;
    best = ratio;
  }
  return leaving;
}

/* First basis: z0 enters, the row most below zero per cover leaves. Among equals the last: its row of the identity is
 * lexicographically smallest. */
static int
first_row (const SsLemke *lemke, int n)
{
  int row = 0;
  double lowest = INFINITY;
  for (int i = 0; i < n; i++) {
    double ratio = lemke->rhs[i] / lemke->cover[i];
    if (ratio <= lowest + tie_tolerance) {
      row = i;
      lowest = fmin (lowest, ratio);
    }
  }
  return row;
}

/* Column of variable k in  w - M z - cover z0 = q. */
static void
variable_column (const SsLemke *lemke, int n, int k, double sign, double *column)
{
  if (k < n)
    memset (column, 0, (size_t)n * sizeof *column);
  for (int i = 0; k >= n && i < n; i++)
    column[i] = -sign * (k == 2 * n ? lemke->cover[i] : lemke->matrix[(size_t)(k - n) * (size_t)n + (size_t)i]);
  if (k < n)
    column[k] = sign;
}

/* The tableau afresh from its basis. False if the basis is singular. */
static bool
rebuild_table (SsLemke *lemke, int n)
{
  for (int i = 0; i < n; i++)
    variable_column (lemke, n, lemke->basic[i], 1, lemke->lu + (size_t)i * (size_t)n);
  if (ss_dense_lu (n, lemke->lu, n, lemke->pivot) != SS_OK)
    return false;
  memcpy (lemke->rhs, lemke->q, (size_t)n * sizeof *lemke->rhs);
  ss_dense_lu_solve (n, lemke->lu, n, lemke->pivot, lemke->rhs);
  for (int j = 0; j <= n; j++) {
    variable_column (lemke, n, lemke->nonbasic[j], -1, lemke->column);
    ss_dense_lu_solve (n, lemke->lu, n, lemke->pivot, lemke->column);
    for (int i = 0; i < n; i++)
      lemke->table[(size_t)i * (size_t)(n + 1) + (size_t)j] = lemke->column[i];
  }
  return true;
}

static SsOutcome
find_basis (SsLemke *lemke, int n, bool rebuilds, int max_pivots, int *pivots)
{
  start_table (lemke, n);
  int row = first_row (lemke, n), col = n;
  while (*pivots < max_pivots) {
    int leaving = lemke->basic[row];
    exchange (lemke, n, row, col);
    ++*pivots;
    if (leaving == 2 * n)
      return SS_OUTCOME_SOLVED;
    int entering = leaving < n ? leaving + n : leaving - n; /* the complement of what left */
    col = -1 - lemke->place[entering];
    if (rebuilds && *pivots % PIVOTS_BETWEEN_REBUILDS == 0 && !rebuild_table (lemke, n))
      return SS_OUTCOME_STALLED;
    row = leaving_row (lemke, n, col);
    if (row < 0)
      return SS_OUTCOME_INFEASIBLE;
  }
  return SS_OUTCOME_MAX_ITERATIONS;
}

/* z from the basis: M_SS z_S = -q_S on the support S, refined once. False when M_SS is singular to working
 * precision. */
static bool
solve_support (SsLemke *lemke, int n, const int *support, int m, double *z)
{
  memset (z, 0, (size_t)n * sizeof *z);
  if (m == 0)
    return true;
  for (int j = 0; j < m; j++) {
    for (int i = 0; i < m; i++)
      lemke->lu[(size_t)j * (size_t)m + (size_t)i] = lemke->matrix[(size_t)support[j] * (size_t)n + (size_t)support[i]];
    lemke->solution[j] = -lemke->q[support[j]];
  }
  if (ss_dense_lu (m, lemke->lu, m, lemke->pivot) != SS_OK)
    return false;
  ss_dense_lu_solve (m, lemke->lu, m, lemke->pivot, lemke->solution);
  for (int i = 0; i < m; i++)
    lemke->residual[i] = -lemke->q[support[i]];
  for (int j = 0; j < m; j++)
    for (int i = 0; i < m; i++)
      lemke->residual[i] -= lemke->matrix[(size_t)support[j] * (size_t)n + (size_t)support[i]] * lemke->solution[j];
  ss_dense_lu_solve (m, lemke->lu, m, lemke->pivot, lemke->residual);
  for (int i = 0; i < m; i++) {
    double refined = lemke->solution[i] + lemke->residual[i];
    z[support[i]] = refined > 0 ? refined : isnan (refined) ? refined : 0;
  }
  return true;
}

/* The answer of the current basis in lemke->z; returns its violation on the scaled problem. */
static double
read_answer (SsLemke *lemke, int n)
{
  int m = 0;
  for (int k = 0; k < n; k++)
    if (lemke->place[n + k] >= 0)
      lemke->support[m++] = k;
  double refined = INFINITY;
  if (solve_support (lemke, n, lemke->support, m, lemke->z))
    refined = violation (n, lemke->matrix, n, lemke->q, lemke->z, lemke->w);
  if (refined <= accepted_violation)
    return refined;
  /* a singular or wrong support: the tableau's own numbers may be better */
  for (int k = 0; k < n; k++)
    lemke->column[k] = lemke->place[n + k] >= 0 ? fmax (lemke->rhs[lemke->place[n + k]], 0) : 0;
  double raw = violation (n, lemke->matrix, n, lemke->q, lemke->column, lemke->w);
  if (raw <= refined || isnan (refined)) {
    memcpy (lemke->z, lemke->column, (size_t)n * sizeof *lemke->z);
    return raw;
  }
  return refined;
}

/* Covering vector of attempt k: ones twice, then two fixed others of the same sign. */
static void
choose_cover (SsLemke *lemke, int n, int k)
{
  for (int i = 0; i < n; i++)
    lemke->cover[i] = k < 2 ? 1 : k == 2 ? 1 + (double)i / n : 2 - (double)((i * 7) % (n + 1)) / (n + 1);
}

static SsStatus
check_input (int n, const double *M, int ldm, const double *q, SsError *err)
{
  for (int j = 0; j < n; j++) {
    if (!isfinite (q[j]))
      return ss_error_set (err, SS_ERR_ARG, "q[%d] is not finite", j);
    for (int i = 0; i < n; i++)
      if (!isfinite (M[(size_t)j * (size_t)ldm + (size_t)i]))
        return ss_error_set (err, SS_ERR_ARG, "M[%d,%d] is not finite", i, j);
  }
  return SS_OK;
}

SsStatus
ss_lemke_solve (SsLemke *lemke, int n, const double *M, int ldm, const double *q, int max_pivots, double *z,
                SsLcpResult *result, SsError *err)
{
  SS_ASSERT (n == 0 || (M != NULL && q != NULL && z != NULL));
  SS_ASSERT (max_pivots >= 0);
  SS_ASSERT (lemke != NULL && result != NULL && n >= 0 && ldm >= n);
  if (n == 0) {
    *result = (SsLcpResult){SS_OUTCOME_SOLVED, 0, 0};
    return SS_OK;
  }
  SsStatus status = check_input (n, M, ldm, q, err);
  if (status == SS_OK)
    status = reserve (lemke, n, err);
  if (status != SS_OK)
    return status;

  double size = scale_problem (lemke, n, M, ldm, q);
  bool is_trivial = true;
  for (int i = 0; i < n; i++)
    is_trivial = is_trivial && q[i] >= 0;
  SsOutcome outcome = is_trivial ? SS_OUTCOME_SOLVED : SS_OUTCOME_MAX_ITERATIONS;
  int pivots = 0;
  double best = INFINITY;
  memset (z, 0, (size_t)n * sizeof *z);
  for (int k = 0; k < N_ATTEMPTS && !is_trivial && !(best <= accepted_violation) && pivots < max_pivots; k++) {
    choose_cover (lemke, n, k);
    /* each attempt gets its share of what is left */
    int limit = pivots + (max_pivots - pivots + N_ATTEMPTS - 1 - k) / (N_ATTEMPTS - k);
    SsOutcome ended = find_basis (lemke, n, k > 0, limit, &pivots);
    if (ended != SS_OUTCOME_SOLVED) {
      if (best == INFINITY)
        outcome = ended;
      continue;
    }
    double worst = read_answer (lemke, n);
    if (worst < best || best == INFINITY) {
      best = worst;
      outcome = SS_OUTCOME_SOLVED;
      for (int i = 0; i < n; i++)
        z[i] = lemke->scale[i] * lemke->z[i] * size;
    }
  }
  /* a basis was found, but its numbers do not solve the problem: lost to round-off */
  result->outcome =
      outcome == SS_OUTCOME_SOLVED && !is_trivial && !(best <= accepted_violation) ? SS_OUTCOME_STALLED : outcome;
  result->pivots = pivots;
  result->residual = violation (n, M, ldm, q, z, lemke->w);
  return SS_OK;
}

SsStatus
ss_lemke_try (SsLemke *lemke, int n, const double *M, int ldm, const double *q, const bool *support, double *z,
              SsLcpResult *result, SsError *err)
{
  SS_ASSERT (n == 0 || (M != NULL && q != NULL && support != NULL && z != NULL));
  SS_ASSERT (lemke != NULL && result != NULL && n >= 0 && ldm >= n);
  SsStatus status = check_input (n, M, ldm, q, err);
  if (status == SS_OK && n > 0)
    status = reserve (lemke, n, err);
  if (status != SS_OK)
    return status;
  memset (z, 0, (size_t)n * sizeof *z);
  *result = (SsLcpResult){SS_OUTCOME_STALLED, 0, INFINITY};
  if (n == 0)
    return SS_OK;
  double size = scale_problem (lemke, n, M, ldm, q);
  int m = 0;
  for (int i = 0; i < n; i++)
    if (support[i])
      lemke->support[m++] = i;
  if (size == 0 || !solve_support (lemke, n, lemke->support, m, lemke->z))
    return SS_OK;
  if (!(violation (n, lemke->matrix, n, lemke->q, lemke->z, lemke->w) <= accepted_violation))
    return SS_OK;
  for (int i = 0; i < n; i++)
    z[i] = lemke->scale[i] * lemke->z[i] * size;
  result->outcome = SS_OUTCOME_SOLVED;
  result->residual = violation (n, M, ldm, q, z, lemke->w);
  return SS_OK;
}
