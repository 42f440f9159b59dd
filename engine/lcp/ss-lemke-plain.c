/* engine/lcp/ss-lemke-plain.c: condensed tableau  x_B = rhs - T x_N, a column contiguous and padded to whole vectors.
 *
 * Rows and columns of M are scaled by powers of 2 inside, and d with them, w' = R w, z' = C^-1 z, d' = R d: ratios of a
 * row do not change by its factor, so the path is that of the problem as it stands, and tolerances fit all rows.
 * Where the answer's residual is not round-off, ties are decided anew with other tolerances.
 */
#include "lcp/ss-lemke-plain.h"

#include "core/ss-memory.h"
#include "linalg/ss-lanes.h"

#include <math.h>
#include <string.h>

enum { LANES = 4 };
typedef double Lanes __attribute__ ((vector_size (32), may_alias));
typedef long long Mask __attribute__ ((vector_size (32), may_alias));

/* Entries of an entering column below this fraction of its largest one are zero in the ratio test: they may be
 * round-off of earlier pivots. */
static const double pivot_fraction = 1e-11;
/* Rows of the basis inverse that differ by less are equal so far. */
static const double order_tolerance = 1e-13;
/* Rows that a pivot would leave above zero by less, relative to the largest right-hand side, tie with its row: of the
 * attempts, which are the same path in exact arithmetic. Right for most is what is well above round-off. */
static const double tie_tolerance[] = {1e-11, 1e-10, 1e-12, 3e-11, 3e-12, 3e-10, 1e-9, 1e-13};
enum { N_ATTEMPTS = sizeof tie_tolerance / sizeof *tie_tolerance };
/* Where all of them fail, q is moved by such fractions of itself, each entry by another, so that nothing ties; the
 * answer is that of the basis for q as it stands. */
static const double moved[] = {1e-9, 1e-8, 1e-10, 1e-7};
enum { N_MOVED = sizeof moved / sizeof *moved };
/* z0 below this, relative to q, has reached 0. */
static const double end_tolerance = 1e-13;
/* q above minus this needs no impulse. */
static const double trivial_tolerance = 1e-13;
/* A residual above this, relative to the largest entry of q, is not round-off of a good basis: the basis is solved
 * afresh; above the second, the path is followed once more. */
static const double good_residual = 1e-12, accepted_residual = 3e-11;
/* Paths of the problems of impacts have fewer than 3 n pivots. */
enum { PIVOTS_PER_UNKNOWN = 40 };

typedef struct {
  double residual; /* largest of -w, -z, |w z| of the problem as it stands                                          */
  double relative; /* largest of -w, -z and the smaller of |w|, |z|, scaled: grows with q, so that q's size decides */
} Violation;

typedef void Follow (SsLemkePlain *lemke, double tie, SsLcpResult *result);

struct SsLemkePlain {
  int n, rows;                                                         /* rows: n padded to whole vectors */
  double size;                                                         /* of q: its largest entry         */
  const double *cover;                                                 /* of this solve: R d */
  Violation found;                                                     /* of the basis that a path ended in */
  Follow *follow;                                                      /* compiled for this processor     */
  double *block;                                                       /* all of the arrays below         */
  double *matrix;                                                      /* rows x n: -R M C                */
  double *table;                                                       /* rows x (n + 2): nonbasic columns, then rhs */
  double *row_scale, *row_unscale, *column_scale;                      /* R, its inverse, C: powers of 2 */
  double *drawn_cover, *q, *w, *z, *trial, *best, *start, *ratio, *lu; /* of the scaled problem */
  int basic[SS_LEMKE_PLAIN_MAX];         /* variable in row i: k < n is w_k, n + k is z_k, 2n is z0 */
  int nonbasic[SS_LEMKE_PLAIN_MAX + 1];  /* variable of column j                                    */
  int place[2 * SS_LEMKE_PLAIN_MAX + 1]; /* row i as i, column j as -1 - j                          */
  int pivot[SS_LEMKE_PLAIN_MAX], support[SS_LEMKE_PLAIN_MAX];
};

#ifdef __SANITIZE_ADDRESS__ /* see ss-lanes.h */
#define INLINE static inline
#else
#define INLINE static inline __attribute__ ((always_inline))
#endif

/* One instruction each, where fmax and fmin, which look for NaN, are calls. */
INLINE double
larger (double a, double b)
{
  return a > b ? a : b;
}

INLINE double
smaller (double a, double b)
{
  return a < b ? a : b;
}

/* ---- the path ---------------------------------------------------------------------------------------------------- */

/* to = from less its entry in row r, which the pivot divides, times the factors of the other rows. */
INLINE void
eliminate (const double *from, double *to, const int rows, int r, double inverse, const Lanes *factor)
{
  const double t = from[r] * inverse;

  for (int v = 0; v < rows / LANES; v++)
    ((Lanes *)to)[v] = ((const Lanes *)from)[v] - factor[v] * t;
  to[r] = t;
}

/* The tableau after z0 has taken the place of w_r: made from M in one go. */
INLINE void
start_table (SsLemkePlain *s, const int n, const int rows, int r)
{
  double *const table = s->table, *const last = table + n * rows;
  const double inverse = -1 / s->cover[r];
  Lanes factor[SS_LEMKE_PLAIN_MAX / LANES];

  for (int v = 0; v < rows / LANES; v++)
    ((Lanes *)last)[v] = -((const Lanes *)s->cover)[v];
  last[r] = 0;
  for (int v = 0; v < rows / LANES; v++)
    factor[v] = ((const Lanes *)last)[v];
  for (int j = 0; j < n; j++)
    eliminate (s->matrix + j * rows, table + j * rows, rows, r, inverse, factor);
  eliminate (s->q, table + (n + 1) * rows, rows, r, inverse, factor);
  for (int v = 0; v < rows / LANES; v++)
    ((Lanes *)last)[v] = factor[v] * -inverse;
  last[r] = inverse;
  for (int i = 0; i < n; i++) {
    s->basic[i] = s->place[i] = i;
    s->nonbasic[i] = n + i;
    s->place[n + i] = -1 - i;
  }
  s->basic[r] = 2 * n;
  s->place[2 * n] = r;
  s->nonbasic[n] = r;
  s->place[r] = -1 - n;
}

/* Exchanges the basic variable of row r with the nonbasic variable of column c. */
INLINE void
exchange (SsLemkePlain *s, const int n, const int rows, int r, int c)
{
  double *const table = s->table, *const entering = table + c * rows;
  const double inverse = 1 / entering[r];
  Lanes factor[SS_LEMKE_PLAIN_MAX / LANES];

  entering[r] = 0;
  for (int v = 0; v < rows / LANES; v++)
    factor[v] = ((const Lanes *)entering)[v];
  for (int j = 0; j < n + 2; j++)
    eliminate (table + j * rows, table + j * rows, rows, r, inverse, factor);
  for (int v = 0; v < rows / LANES; v++)
    ((Lanes *)entering)[v] = factor[v] * -inverse;
  entering[r] = inverse;

  const int out = s->basic[r], in = s->nonbasic[c];
  s->basic[r] = in;
  s->nonbasic[c] = out;
  s->place[in] = r;
  s->place[out] = -1 - c;
}

/* First row: the one most below zero per cover; among equals the last, whose row of the identity is lexicographically
 * smallest. */
INLINE int
first_row (const SsLemkePlain *s, const int n, double tie)
{
  double lowest = INFINITY;
  int row = 0;

  for (int i = 0; i < n; i++)
    lowest = smaller (lowest, s->start[i]);
  for (int i = 0; i < n; i++)
    if ((s->start[i] - lowest) * s->cover[i] <= tie * s->size)
      row = i;
  return row;
}

/* Entry (row, k) of the basis inverse: the column of w_k. */
INLINE double
inverse_entry (const SsLemkePlain *s, const int rows, int row, int k)
{
  const int place = s->place[k];

  return place < 0 ? s->table[(-1 - place) * rows + row] : place == row ? 1 : 0;
}

/* Whether row i / a_i is lexicographically below row k / a_k in the basis inverse. */
INLINE bool
is_below (const SsLemkePlain *s, const int n, const int rows, const double *a, int i, int k)
{
  for (int j = 0; j < n; j++) {
    const double x = inverse_entry (s, rows, i, j) / a[i], y = inverse_entry (s, rows, k, j) / a[k];
    if (fabs (x - y) > order_tolerance * (1 / smaller (a[i], a[k]) + fmax (fabs (x), fabs (y))))
      return x < y;
  }
  return false;
}

/* Row that leaves when column c enters, or -1 on a ray. z0 leaves whenever it may. */
INLINE int
leaving_row (SsLemkePlain *s, const int n, const int rows, int c, double tie)
{
  const double *a = s->table + c * rows, *rhs = s->table + (n + 1) * rows;
  const Lanes zero = {0, 0, 0, 0}, infinite = zero + (double)INFINITY;
  Lanes largest = zero, best = infinite, high = zero;

  for (int v = 0; v < rows / LANES; v++) {
    const Lanes x = ((const Lanes *)a)[v];
    const Mask is_larger = x > largest;
    largest = (Lanes)((is_larger & (Mask)x) | (~is_larger & (Mask)largest));
  }
  const double top = larger (larger (largest[0], largest[1]), larger (largest[2], largest[3]));
  if (!(top > 0))
    return -1;
  const Lanes least = zero + pivot_fraction * top;
  for (int v = 0; v < rows / LANES; v++) {
    const Lanes x = ((const Lanes *)a)[v], y = ((const Lanes *)rhs)[v];
    const Lanes held = (Lanes)((Mask)y & (y > zero));
    const Mask is_higher = held > high;
    high = (Lanes)((is_higher & (Mask)held) | (~is_higher & (Mask)high));
    const Mask counts = x > least;
    const Lanes ratio = (Lanes)((counts & (Mask)(held / x)) | (~counts & (Mask)infinite));
    const Mask is_less = ratio < best;
    ((Lanes *)s->ratio)[v] = ratio;
    best = (Lanes)((is_less & (Mask)ratio) | (~is_less & (Mask)best));
  }
  const double lowest = smaller (smaller (best[0], best[1]), smaller (best[2], best[3]));
  const double slack = tie * larger (s->size, larger (larger (high[0], high[1]), larger (high[2], high[3])));

  Mask count = {0, 0, 0, 0}, sum = {0, 0, 0, 0}, index = {0, 1, 2, 3};
  for (int v = 0; v < rows / LANES; v++) {
    const Lanes ratio = ((const Lanes *)s->ratio)[v];
    const Mask is_tie = (ratio < infinite) & ((ratio - lowest) * ((const Lanes *)a)[v] <= zero + slack);
    count -= is_tie;
    sum += is_tie & index;
    index += LANES;
  }
  const long long n_ties = count[0] + count[1] + count[2] + count[3];
  if (n_ties <= 1) /* none: a spoilt tableau */
    return n_ties == 0 ? -1 : (int)(sum[0] + sum[1] + sum[2] + sum[3]);

  int leaving = -1;
  for (int i = 0; i < n; i++) {
    if (!(s->ratio[i] < INFINITY && (s->ratio[i] - lowest) * a[i] <= slack))
      continue;
    if (leaving < 0 || s->basic[i] == 2 * n || (s->basic[leaving] != 2 * n && is_below (s, n, rows, a, i, leaving)))
      leaving = i;
  }
  return leaving;
}

/* Of z, with w = M z + q recomputed [002 (6)-(8)]. */
INLINE Violation
violation_of (SsLemkePlain *s, const int n, const int rows, const double *z)
{
  Violation worst = {0, 0};

  for (int v = 0; v < rows / LANES; v++)
    ((Lanes *)s->w)[v] = ((const Lanes *)s->q)[v];
  for (int j = 0; j < n; j++)
    for (int v = 0; z[j] != 0 && v < rows / LANES; v++)
      ((Lanes *)s->w)[v] -= ((const Lanes *)(s->matrix + j * rows))[v] * z[j];
  for (int i = 0; i < n; i++) {
    const double w = s->w[i] * s->row_unscale[i], own = z[i] * s->column_scale[i];
    const double x = larger (larger (-w, -own), fabs (w * own));
    const double y = larger (larger (-s->w[i], -z[i]), smaller (fabs (s->w[i]), fabs (z[i])));
    worst.residual = x <= worst.residual ? worst.residual : x; /* keeps a NaN */
    worst.relative = y <= worst.relative ? worst.relative : y;
  }
  return worst;
}

/* z of the basis, and what it violates, into s. */
INLINE void
read_basis (SsLemkePlain *s, const int n, const int rows)
{
  const double *rhs = s->table + (n + 1) * rows;

  for (int k = 0; k < n; k++) {
    const int place = s->place[n + k];
    s->z[k] = place >= 0 && !(rhs[place] < 0) ? rhs[place] : 0;
  }
  s->found = violation_of (s, n, rows, s->z);
}

INLINE void
follow_path (SsLemkePlain *s, const int n, const int rows, double tie, SsLcpResult *result)
{
  const int first = first_row (s, n, tie);
  int left = first;

  start_table (s, n, rows, first);
  result->outcome = SS_OUTCOME_MAX_ITERATIONS;
  for (result->pivots = 1; result->pivots < PIVOTS_PER_UNKNOWN * n; result->pivots++) {
    /* the complement of what left enters */
    const int column = -1 - s->place[left < n ? left + n : left - n];
    const int row = leaving_row (s, n, rows, column, tie);
    if (row < 0) {
      result->outcome = SS_OUTCOME_INFEASIBLE;
      return;
    }
    left = s->basic[row];
    exchange (s, n, rows, row, column);
    if (left == 2 * n || s->table[(n + 1) * rows + s->place[2 * n]] <= end_tolerance * s->size) {
      result->pivots++;
      result->outcome = SS_OUTCOME_SOLVED;
      read_basis (s, n, rows);
      return;
    }
  }
}

/* The sizes of the steps of impacts with two to five contacts, of which the loops are unrolled. */
INLINE void
follow_any (SsLemkePlain *s, double tie, SsLcpResult *result)
{
  switch (s->n) {
  case 10:
    follow_path (s, 10, 12, tie, result);
    break;
  case 15:
    follow_path (s, 15, 16, tie, result);
    break;
  case 20:
    follow_path (s, 20, 20, tie, result);
    break;
  case 25:
    follow_path (s, 25, 28, tie, result);
    break;
  default:
    follow_path (s, s->n, s->rows, tie, result);
  }
}

static void
follow_plainly (SsLemkePlain *s, double tie, SsLcpResult *result)
{
  follow_any (s, tie, result);
}

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__SANITIZE_ADDRESS__)

__attribute__ ((target ("avx2"))) static void
follow_avx2 (SsLemkePlain *s, double tie, SsLcpResult *result)
{
  follow_any (s, tie, result);
}

static Follow *
choose_follow (void)
{
  return __builtin_cpu_supports ("avx2") ? follow_avx2 : follow_plainly;
}

#else

static Follow *
choose_follow (void)
{
  return follow_plainly;
}

#endif

/* ---- the answer -------------------------------------------------------------------------------------------------- */

/* The basis from M itself: M_SS z_S = -q_S, refined once. False when M_SS is singular to working precision. */
static bool
solve_support (SsLemkePlain *s, double *z)
{
  const int n = s->n, rows = s->rows;
  double x[SS_LEMKE_PLAIN_MAX] = {0}, rest[SS_LEMKE_PLAIN_MAX];
  int m = 0;

  for (int k = 0; k < n; k++)
    if (s->place[n + k] >= 0)
      s->support[m++] = k;
  for (int j = 0; j < m; j++)
    for (int i = 0; i < m; i++)
      s->lu[j * m + i] = s->matrix[s->support[j] * rows + s->support[i]];
  memset (z, 0, (size_t)n * sizeof *z);
  if (m == 0 || ss_dense_lu (m, s->lu, m, s->pivot) != SS_OK)
    return m == 0;
  for (int pass = 0; pass < 2; pass++) {
    for (int i = 0; i < m; i++)
      rest[i] = s->q[s->support[i]];
    for (int j = 0; j < m; j++)
      for (int i = 0; i < m; i++)
        rest[i] -= s->matrix[s->support[j] * rows + s->support[i]] * x[j];
    ss_dense_lu_solve (m, s->lu, m, s->pivot, rest);
    for (int i = 0; i < m; i++)
      x[i] += rest[i];
  }
  for (int i = 0; i < m; i++)
    z[s->support[i]] = x[i] > 0 ? x[i] : isnan (x[i]) ? x[i] : 0;
  return true;
}

/* z and its violation, of the basis that the path ended in. */
static Violation
read_answer (SsLemkePlain *s)
{
  const Violation own = s->found;

  if (own.relative <= good_residual * s->size || !solve_support (s, s->trial))
    return own;
  const Violation refined = violation_of (s, s->n, s->rows, s->trial);
  if (!(refined.relative < own.relative || isnan (own.relative)))
    return own;
  memcpy (s->z, s->trial, (size_t)s->n * sizeof *s->z);
  return refined;
}

/* ---- the object -------------------------------------------------------------------------------------------------- */

SsStatus
ss_lemke_plain_new (int n, SsLemkePlain **out, SsError *err)
{
  SS_ASSERT (out != NULL);
  if (n < 1 || n > SS_LEMKE_PLAIN_MAX)
    return ss_error_set (err, SS_ERR_ARG, "%d unknowns are not between 1 and %d", n, SS_LEMKE_PLAIN_MAX);

  const int rows = (n + LANES - 1) / LANES * LANES;
  SsLemkePlain *s = ss_new (SsLemkePlain);
  if (s == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for Lemke's method");
  s->block = ss_new_array (double, rows *(2 * n + 14) + n * n + SS_LANES);
  if (s->block == NULL) {
    ss_free (s);
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for Lemke's method");
  }
  s->n = n;
  s->rows = rows;
  s->follow = choose_follow ();
  double *next = ss_lanes_align (s->block);
  double **arrays[] = {&s->row_scale, &s->row_unscale, &s->column_scale, &s->drawn_cover, &s->q,    &s->w,
                       &s->z,         &s->trial,       &s->best,         &s->start,       &s->ratio};
  s->matrix = next;
  s->table = next + rows * n;
  next = s->table + rows * (n + 2);
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++, next += rows)
    *arrays[i] = next;
  s->lu = next;
  *out = s;
  return SS_OK;
}

void
ss_lemke_plain_set_wide (SsLemkePlain *s, bool is_wide)
{
  SS_ASSERT (s != NULL);
  s->follow = is_wide ? choose_follow () : follow_plainly;
}

void
ss_lemke_plain_free (SsLemkePlain *s)
{
  if (s == NULL)
    return;
  ss_free (s->block);
  ss_free (s);
}

/* The power of 2 that brings x into [0.5, 1); 1 for 0. */
static double
inverse_power (double x)
{
  int exponent;

  frexp (x, &exponent);
  return x > 0 ? ldexp (1, -exponent) : 1;
}

void
ss_lemke_plain_set_matrix (SsLemkePlain *s, const double *M, int ldm)
{
  SS_ASSERT (s != NULL && M != NULL && ldm >= s->n);

  const int n = s->n;

  for (int i = 0; i < n; i++) {
    double largest = 0;
    for (int j = 0; j < n; j++) {
      SS_ASSERT (isfinite (M[(size_t)j * (size_t)ldm + (size_t)i]));
      largest = fmax (largest, fabs (M[(size_t)j * (size_t)ldm + (size_t)i]));
    }
    s->row_scale[i] = inverse_power (largest);
    s->row_unscale[i] = 1 / s->row_scale[i];
  }
  for (int j = 0; j < n; j++) {
    double largest = 0;
    for (int i = 0; i < n; i++)
      largest = fmax (largest, fabs (s->row_scale[i] * M[(size_t)j * (size_t)ldm + (size_t)i]));
    s->column_scale[j] = inverse_power (largest);
    for (int i = 0; i < n; i++)
      s->matrix[j * s->rows + i] = -s->row_scale[i] * M[(size_t)j * (size_t)ldm + (size_t)i] * s->column_scale[j];
  }
}

static void
keep_better (SsLemkePlain *s, Violation found, Violation *best)
{
  if (!(found.relative < best->relative))
    return;
  *best = found;
  memcpy (s->best, s->z, (size_t)s->n * sizeof *s->best);
}

/* An attempt with q moved. */
static void
attempt_moved (SsLemkePlain *s, double by, SsLcpResult *result, Violation *best)
{
  double q[SS_LEMKE_PLAIN_MAX];

  memcpy (q, s->q, (size_t)s->n * sizeof *q);
  for (int i = 0; i < s->n; i++) { /* the golden section's multiples are all different */
    const double shift = by * s->size * (1 + fmod (i * 0.6180339887498949, 1));
    s->q[i] += shift;
    s->start[i] += shift / s->cover[i];
  }
  s->follow (s, tie_tolerance[N_ATTEMPTS - 1], result);
  memcpy (s->q, q, (size_t)s->n * sizeof *q);
  if (result->outcome == SS_OUTCOME_SOLVED && solve_support (s, s->z))
    keep_better (s, violation_of (s, s->n, s->rows, s->z), best);
}

/* The answer of the first attempt that has a good one, else of the best; z = 0 where none has any. */
static void
attempt (SsLemkePlain *s, SsLcpResult *result)
{
  Violation best = {INFINITY, INFINITY};
  SsOutcome outcome = SS_OUTCOME_INFEASIBLE;
  int pivots = 0;

  for (int k = 0; k < N_ATTEMPTS + N_MOVED && !(best.relative <= accepted_residual * s->size); k++) {
    if (k >= N_ATTEMPTS) {
      attempt_moved (s, moved[k - N_ATTEMPTS], result, &best);
    } else {
      s->follow (s, tie_tolerance[k], result);
      if (result->outcome == SS_OUTCOME_SOLVED) {
        const Violation found = read_answer (s);
        result->residual = found.residual;
        result->part = found.relative / s->size;
        if (k == 0 && found.relative <= accepted_residual * s->size)
          return;
        keep_better (s, found, &best);
      }
    }
    pivots += result->pivots;
    outcome = k == 0 ? result->outcome : outcome;
  }
  ss_work_add ((double)pivots * s->n * s->n);
  result->pivots = pivots;
  result->outcome = best.relative < INFINITY ? SS_OUTCOME_SOLVED : outcome;
  result->residual = best.residual;
  result->part = best.relative / s->size;
  if (best.relative < INFINITY) {
    memcpy (s->z, s->best, (size_t)s->n * sizeof *s->z);
    return;
  }
  memset (s->z, 0, (size_t)s->n * sizeof *s->z);
  result->residual = violation_of (s, s->n, s->rows, s->z).residual;
}

void
ss_lemke_plain_solve (SsLemkePlain *s, const double *q, const double *cover, double *z, SsLcpResult *result)
{
  SS_ASSERT (s != NULL && q != NULL && z != NULL && result != NULL);

  const int n = s->n;
  double lowest = 0, size = 0, sum = 0;

  s->cover = cover != NULL ? s->drawn_cover : s->row_scale;
  for (int i = 0; i < n; i++) {
    s->start[i] = q[i];
    s->q[i] = s->row_scale[i] * q[i];
    size = larger (size, fabs (s->q[i]));
    lowest = smaller (lowest, q[i]);
    sum += fabs (q[i]);
  }
  for (int i = 0; cover != NULL && i < n; i++) {
    SS_ASSERT (cover[i] > 0);
    s->drawn_cover[i] = s->row_scale[i] * cover[i];
    s->start[i] = q[i] / cover[i];
  }
  SS_ASSERT (isfinite (sum));
  s->size = size;
  /* Where z = 0 is the answer but for rounding all of q may be rounding: no part of it tells anything. */
  *result = (SsLcpResult){SS_OUTCOME_SOLVED, 0, -lowest, 0};
  if (!(lowest < -trivial_tolerance)) {
    memset (z, 0, (size_t)n * sizeof *z);
    return;
  }
  attempt (s, result);
  for (int i = 0; i < n; i++)
    z[i] = s->column_scale[i] * s->z[i];
}
