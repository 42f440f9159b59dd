/* tests/unit/test-linalg.c: dense kernels, sparse patterns, LDL'.
 *
 * Truth: residuals of the equations solved, an independent dense LU, and matrices rebuilt from their factors. Residual
 * tolerances are backward errors: a stable method leaves |b - A x| below a small multiple of n eps |A| |x|, whatever
 * the condition of A is. */
#include "linalg/ss-blocks.h"
#include "linalg/ss-dense-least.h"
#include "linalg/ss-linalg.h"

#include "ss-test.h"

#include <float.h>
#include <stdlib.h>

enum { MAX_N = 60 };

/* Growth of LU and of quasi-definite LDL' on these well-scaled matrices stays below 100. */
static const double BACKWARD = 100.0 * DBL_EPSILON;

/* max |b - A x| / (n max|A| max|x|) with A dense, column-major. */
static double
backward_error (int n, const double *a, const double *x, const double *b)
{
  double worst = 0.0;

  for (int i = 0; i < n; i++) {
    double r = b[i];

    for (int j = 0; j < n; j++)
      r -= a[i + j * n] * x[j];
    worst = fmax (worst, fabs (r));
  }
  return worst / (n * ss_norm_inf (n * n, a) * ss_norm_inf (n, x) + DBL_MIN);
}

static void
test_vectors (void)
{
  double a[7] = {1, 2, 3, 4, 5, 6, 7}, b[7] = {7, 6, 5, 4, 3, 2, 1}, tiny[2] = {3e-300, 4e-300},
         huge[2] = {3e300, -4e300}, bad[3] = {1.0, NAN, 5.0};

  SS_CHECK (ss_dot (7, a, b) == 84.0);
  SS_CHECK (ss_dot (3, a, b) == 34.0);
  SS_CHECK (ss_dot (0, a, b) == 0.0);
  ss_axpy (7, 2.0, a, b);
  SS_CHECK (b[0] == 9.0 && b[6] == 15.0);
  SS_CHECK (ss_norm_inf (2, huge) == 4e300);
  SS_CHECK (isnan (ss_norm_inf (3, bad)));
  SS_CHECK (isnan (ss_norm_2 (3, bad)));
  SS_CHECK (ss_norm_2 (0, a) == 0.0);
  /* 3-4-5 triangles beyond the range of the squares: two roundings. */
  SS_CHECK_NEAR (ss_norm_2 (2, tiny) / 5e-300, 1.0, 4 * DBL_EPSILON);
  SS_CHECK_NEAR (ss_norm_2 (2, huge) / 5e300, 1.0, 4 * DBL_EPSILON);
}

static void
test_dense (void)
{
  SsRandom random;
  double a[MAX_N * MAX_N], lu[(MAX_N + 3) * MAX_N], b[MAX_N], x[MAX_N];
  int pivot[MAX_N];

  ss_random_seed (&random, 1);
  for (int round = 0; round < 200; round++) {
    int n = 1 + (int)(ss_random_next (&random) % MAX_N), lda = n + round % 4;

    for (int i = 0; i < n; i++)
      b[i] = x[i] = ss_random_normal (&random);
    for (int j = 0; j < n; j++)
      for (int i = 0; i < n; i++)
        a[i + j * n] = lu[i + j * lda] = ss_random_normal (&random);
    SS_CHECK (ss_dense_lu (n, lu, lda, pivot) == SS_OK);
    ss_dense_lu_solve (n, lu, lda, pivot, x);
    SS_CHECK (backward_error (n, a, x, b) < BACKWARD);

    /* A'A + I is positive definite. */
    for (int j = 0; j < n; j++)
      for (int i = 0; i < n; i++)
        lu[i + j * lda] = ss_dot (n, a + i * n, a + j * n) + (i == j ? 1.0 : 0.0);
    for (int j = 0; j < n; j++)
      for (int i = 0; i < n; i++)
        a[i + j * n] = lu[(i > j ? i : j) + (i > j ? j : i) * lda];
    memcpy (x, b, sizeof x);
    SS_CHECK (ss_dense_cholesky (n, lu, lda) == SS_OK);
    ss_dense_cholesky_solve (n, lu, lda, x);
    SS_CHECK (backward_error (n, a, x, b) < BACKWARD);
  }
}

static void
test_dense_singular (void)
{
  double zero_column[4] = {0, 0, 1, 2}, rank_one[4] = {1, 2, 2, 4}, indefinite[4] = {1, 2, 2, 1},
         not_a_number[4] = {NAN, 1, 1, 1};
  int pivot[2];

  SS_CHECK (ss_dense_lu (2, zero_column, 2, pivot) == SS_ERR_SINGULAR);
  SS_CHECK (ss_dense_lu (2, rank_one, 2, pivot) == SS_ERR_SINGULAR);
  SS_CHECK (ss_dense_lu (2, not_a_number, 2, pivot) == SS_ERR_SINGULAR);
  SS_CHECK (ss_dense_cholesky (2, indefinite, 2) == SS_ERR_SINGULAR);
}

/* ---- patterns ---------------------------------------------------------------------------------------------------- */

/* Products of n x r and r x n matrices have rank r. The nearest solution leaves nothing along the columns of A, and the
 * shortest has no part that A takes to 0; such parts are what a vector less the solution of its own product is. */
static void
test_dense_least (void)
{
  SsRandom random;
  enum { N = 24, LDA = N + 2 };
  double a[LDA * N], kept[N * N], left[N * N], right[N * N], factor[2 * N], b[N], x[N], part[N], residual[N];
  int pivot[N];

  ss_random_seed (&random, 5);
  for (int trial = 0; trial < 60; trial++) {
    const int n = 2 + trial % (N - 1), r = trial % 4 == 0 ? n : 1 + trial % n;

    for (int i = 0; i < n * r; i++) {
      left[i] = ss_random_normal (&random);
      right[i] = ss_random_normal (&random);
    }
    for (int j = 0; j < n; j++)
      for (int i = 0; i < n; i++) {
        kept[i + j * n] = 0;
        for (int k = 0; k < r; k++)
          kept[i + j * n] += left[i + k * n] * right[k + j * r];
        a[i + j * LDA] = kept[i + j * n];
      }
    for (int i = 0; i < n; i++) {
      b[i] = x[i] = ss_random_normal (&random);
      part[i] = 0;
    }
    SS_CHECK (ss_dense_least (n, a, LDA, 1e-10, factor, pivot) == r);
    ss_dense_least_solve (n, a, LDA, r, factor, pivot, x);
    for (int j = 0; j < n; j++) { /* of b as a place: A b */
      for (int i = 0; i < n; i++)
        part[i] += kept[i + j * n] * b[j];
    }
    ss_dense_least_solve (n, a, LDA, r, factor, pivot, part);
    double along_null = 0, along_columns = 0;
    for (int i = 0; i < n; i++) {
      along_null += x[i] * (b[i] - part[i]);
      residual[i] = b[i];
      for (int j = 0; j < n; j++)
        residual[i] -= kept[i + j * n] * x[j];
    }
    for (int j = 0; j < n; j++)
      along_columns = fmax (along_columns, fabs (ss_dot (n, &kept[j * n], residual)));
    /* roundings by the condition of the products, below 1e6 here */
    SS_CHECK_NEAR (along_null / (1 + ss_norm_2 (n, x)), 0, 1e-9);
    SS_CHECK_NEAR (along_columns / (1 + ss_norm_2 (n, x)), 0, 1e-9);
  }
  a[0] = NAN;
  SS_CHECK (ss_dense_least (1, a, LDA, 1e-10, factor, pivot) == -1);
  a[0] = 0;
  x[0] = 3;
  SS_CHECK (ss_dense_least (1, a, LDA, 1e-10, factor, pivot) == 0);
  ss_dense_least_solve (1, a, LDA, 0, factor, pivot, x);
  SS_CHECK (x[0] == 0);
}

static void
test_patterns (void)
{
  SsRandom random;

  ss_random_seed (&random, 2);
  for (int round = 0; round < 200; round++) {
    int n_rows = 1 + (int)(ss_random_next (&random) % 12), n_columns = 1 + (int)(ss_random_next (&random) % 12);
    int n_triplets = (int)(ss_random_next (&random) % 80), row[80], column[80], slot[80], back[80];
    double dense[12][12] = {{0}}, values[80] = {0}, transposed[80] = {0}, x[12], y[12], z[12] = {0};
    SsPattern a, t;

    for (int k = 0; k < n_triplets; k++) {
      row[k] = (int)(ss_random_next (&random) % (uint64_t)n_rows);
      column[k] = (int)(ss_random_next (&random) % (uint64_t)n_columns);
    }
    SS_CHECK (ss_pattern_from_triplets (&a, n_rows, n_columns, n_triplets, row, column, slot, NULL) == SS_OK);
    SS_CHECK (ss_pattern_transpose (&a, &t, back, NULL) == SS_OK);
    for (int k = 0; k < n_triplets; k++) { /* small integers: sums are exact in any order */
      dense[row[k]][column[k]] += k;
      values[slot[k]] += k;
    }
    for (int i = 0; i < n_rows; i++)
      for (int k = a.start[i]; k < a.start[i + 1]; k++) {
        SS_CHECK (dense[i][a.index[k]] == values[k]);
        SS_CHECK (k == a.start[i] || a.index[k] > a.index[k - 1]);
        SS_CHECK (t.index[back[k]] == i);
        SS_CHECK (back[k] >= t.start[a.index[k]] && back[k] < t.start[a.index[k] + 1]);
        transposed[back[k]] = values[k];
      }
    for (int i = 0; i < 12; i++)
      x[i] = i + 1;
    ss_csr_multiply (&a, values, x, y);
    ss_csr_multiply_transposed (&t, transposed, x, z);
    for (int i = 0; i < n_rows; i++) {
      double sum = 0.0;

      for (int j = 0; j < n_columns; j++)
        sum += dense[i][j] * x[j];
      SS_CHECK (y[i] == sum && z[i] == sum);
    }
    ss_pattern_clear (&a);
    ss_pattern_clear (&t);
  }
}

static void
test_pattern_errors (void)
{
  SsPattern a;
  SsError err;
  int row = 3, column = 0, slot;

  SS_CHECK (ss_pattern_from_triplets (&a, 3, 3, 1, &row, &column, &slot, &err) == SS_ERR_ARG);
  SS_CHECK_CONTAINS (err.message, "(3, 0)");
  SS_CHECK (a.start == NULL && a.index == NULL);
  SS_CHECK (ss_pattern_init (&a, -1, 3, 0, &err) == SS_ERR_ARG);
  SS_CHECK (ss_pattern_init (&a, 0, 0, 0, &err) == SS_OK);
  SS_CHECK (a.start[0] == 0);
  ss_pattern_clear (&a);
}

/* ---- LDL' -------------------------------------------------------------------------------------------------------- */

/* A random symmetric quasi-definite matrix [H B'; B -G], rows in random order, both sparse and as dense. */
typedef struct {
  int n;
  SsPattern lower;
  double *values;
  double *dense;     /* n x n */
  signed char *sign; /* n     */
} Matrix;

static void
matrix_clear (Matrix *m)
{
  ss_pattern_clear (&m->lower);
  free (m->values);
  free (m->dense);
  free (m->sign);
}

static void
matrix_from_dense (Matrix *m)
{
  int n = m->n, n_triplets = 0;
  int *row = calloc ((size_t)n * (size_t)n, sizeof *row), *column = calloc ((size_t)n * (size_t)n, sizeof *column),
      *slot = calloc ((size_t)n * (size_t)n, sizeof *slot);

  for (int j = 0; j < n; j++)
    for (int i = j; i < n; i++)
      if (i == j || m->dense[i + j * n] != 0.0) {
        row[n_triplets] = i;
        column[n_triplets++] = j;
      }
  SS_CHECK (ss_pattern_from_triplets (&m->lower, n, n, n_triplets, column, row, slot, NULL) == SS_OK);
  m->values = malloc ((size_t)n_triplets * sizeof *m->values);
  for (int k = 0; k < n_triplets; k++)
    m->values[slot[k]] = m->dense[row[k] + column[k] * n];
  free (row);
  free (column);
  free (slot);
}

/* Removes entries between unknowns of different lanes, or of a lane and a separator it does not touch (7 touches
 * all). */
static void
matrix_keep (Matrix *m, const int *lane, const int *separator)
{
  free (m->values);
  ss_pattern_clear (&m->lower);
  for (int i = 0; i < m->n; i++)
    for (int j = 0; j < m->n; j++) {
      int inner = lane[i] >= 0 ? i : j, other = inner == i ? j : i, s = separator[other];
      bool fits = lane[inner] < 0 ||
                  (lane[other] >= 0 ? lane[other] == lane[inner] : s == 7 || s == lane[inner] || s + 1 == lane[inner]);
      if (!fits)
        m->dense[i + j * m->n] = 0.0;
    }
  matrix_from_dense (m);
}

static void
matrix_init (Matrix *m, SsRandom *random, int n, double density)
{
  memset (m, 0, sizeof *m);
  m->n = n;
  m->dense = calloc ((size_t)n * (size_t)n, sizeof *m->dense);
  m->sign = malloc ((size_t)n);
  for (int i = 0; i < n; i++)
    m->sign[i] = ss_random_uniform (random) < 0.6 ? 1 : -1;
  for (int j = 0; j < n; j++)
    for (int i = j + 1; i < n; i++)
      if (ss_random_uniform (random) < density)
        m->dense[i + j * n] = m->dense[j + i * n] = ss_random_between (random, -1.0, 1.0);
  /* Diagonally dominant within each block, so that H and G are positive definite; B is as it comes. */
  for (int i = 0; i < n; i++) {
    double sum = 0.5;

    for (int j = 0; j < n; j++)
      sum += j != i && m->sign[j] == m->sign[i] ? fabs (m->dense[i + j * n]) : 0.0;
    m->dense[i + i * n] = m->sign[i] * sum;
  }
  matrix_from_dense (m);
}

static void
test_ldl_random (void)
{
  SsRandom random;

  ss_random_seed (&random, 3);
  for (int round = 0; round < 300; round++) {
    int n = 1 + (int)(ss_random_next (&random) % MAX_N), n_replaced = -1, pivot[MAX_N];
    double b[MAX_N], x[MAX_N], y[MAX_N];
    Matrix m;
    SsLdl *ldl;
    uint64_t before;

    matrix_init (&m, &random, n, ss_random_between (&random, 0.0, round % 3 == 0 ? 1.0 : 0.2));
    SS_CHECK (ss_ldl_new (&m.lower, &ldl, NULL) == SS_OK);
    for (int pass = 0; pass < 2; pass++) { /* a second factorisation with the same pattern, other numbers */
      for (int i = 0; i < n; i++)
        b[i] = x[i] = y[i] = ss_random_normal (&random);
      before = ss_alloc_count ();
      SS_CHECK (ss_ldl_factor (ldl, m.values, pass ? m.sign : NULL, 1e-12, &n_replaced) == SS_OK);
      ss_ldl_solve (ldl, x);
      SS_CHECK (ss_alloc_count () == before);
      SS_CHECK (n_replaced == 0);
      SS_CHECK (backward_error (n, m.dense, x, b) < BACKWARD);
      for (int k = 0; k < n * n; k++)
        m.dense[k] *= 3.0;
      for (int k = 0; k < m.lower.start[n]; k++)
        m.values[k] *= 3.0;
    }
    /* Against dense LU: |A^-1| <= 2 because the blocks' eigenvalues are at least 0.5 away from 0 (quasi-definite: the
     * inverse is bounded by the inverses of H and G), |A| <= 3 n (entries up to 1 tripled): errors are at most
     * condition * backward error. */
    for (int k = 0; k < n * n; k++)
      m.dense[k] /= 3.0;
    SS_CHECK (ss_dense_lu (n, m.dense, n, pivot) == SS_OK);
    ss_dense_lu_solve (n, m.dense, n, pivot, y);
    for (int i = 0; i < n; i++)
      SS_CHECK_NEAR (x[i], y[i], 2.0 * 3.0 * n * n * BACKWARD * (1.0 + ss_norm_inf (n, y)));
    ss_ldl_free (ldl);
    matrix_clear (&m);
  }
}

/* Adds block (i, j) of the dense matrix of 3 n rows where it belongs; entry: (i, j), i >= j, of the graph. */
static void
add_block (SsBlocks *blocks, int entry, int i, int j, int n, const double *dense)
{
  bool is_swapped;
  int place = ss_blocks_place (blocks, entry, &is_swapped), high = is_swapped ? j : i, low = is_swapped ? i : j;
  for (int c = 0; c < 3; c++)
    for (int r = 0; r < 3; r++) { /* columns below, rows above */
      const size_t at = (size_t)(SS_BLOCK_NUMBERS * place + SS_BLOCK_LANES * c + r);
      ss_blocks_lower (blocks)[at] += dense[3 * high + r + (size_t)(3 * low + c) * (size_t)(3 * n)];
      if (high != low)
        ss_blocks_upper (blocks)[at] += dense[3 * low + c + (size_t)(3 * high + r) * (size_t)(3 * n)];
    }
}

/* By elimination with rows exchanged. */
static int
sign_of_determinant (int n, const double *dense)
{
  double A[MAX_N * MAX_N];
  int pivot[MAX_N], sign = 1;
  memcpy (A, dense, (size_t)(n * n) * sizeof *A);
  SS_CHECK (ss_dense_lu (n, A, n, pivot) == SS_OK);
  for (int i = 0; i < n; i++)
    sign *= (A[i + n * i] < 0 ? -1 : 1) * (pivot[i] != i ? -1 : 1);
  return sign;
}

/* Matrices of blocks whose columns are dominant, so that any order of pivots is stable: unsymmetric ones, and symmetric
 * ones by both factorisations. */
static void
test_blocks_random (void)
{
  SsRandom random;

  ss_random_seed (&random, 4);
  for (int round = 0; round < 100; round++) {
    const int n = 1 + (int)(ss_random_next (&random) % (MAX_N / 3)), size = 3 * n;
    const bool is_symmetric = round % 2 == 0;
    double dense[MAX_N * MAX_N] = {0}, b[MAX_N], x[MAX_N];
    Matrix graph;
    SsBlocks *blocks;

    matrix_init (&graph, &random, n, ss_random_between (&random, 0.0, round % 3 == 0 ? 1.0 : 0.2));
    for (int j = 0; j < n; j++)
      for (int k = graph.lower.start[j]; k < graph.lower.start[j + 1]; k++)
        for (int c = 0; c < 9; c++) {
          const int r = 3 * graph.lower.index[k] + c % 3, s = 3 * j + c / 3;
          dense[r + s * size] = ss_random_between (&random, -1.0, 1.0);
          dense[s + r * size] = is_symmetric ? dense[r + s * size] : ss_random_between (&random, -1.0, 1.0);
          if (r == s)
            dense[r + s * size] = (ss_random_next (&random) % 2 ? 1 : -1) * (size + 1.0);
        }
    SS_CHECK (ss_blocks_new (&graph.lower, &blocks, NULL) == SS_OK);
    const uint64_t before = ss_alloc_count ();
    for (int way = 0; way < (is_symmetric ? 2 : 1); way++) {
      ss_blocks_clear (blocks, false);
      for (int j = 0; j < n; j++)
        for (int k = graph.lower.start[j]; k < graph.lower.start[j + 1]; k++)
          add_block (blocks, k, graph.lower.index[k], j, n, dense);
      for (int i = 0; i < size; i++)
        b[i] = x[i] = ss_random_normal (&random);
      SS_CHECK (ss_blocks_factor (blocks, way == 1) == SS_OK);
      SS_CHECK (ss_blocks_sign (blocks) == sign_of_determinant (size, dense));
      ss_blocks_solve (blocks, x);
      SS_CHECK (backward_error (size, dense, x, b) < BACKWARD);
    }
    SS_CHECK (ss_alloc_count () == before);
    ss_blocks_clear (blocks, false);
    SS_CHECK (ss_blocks_factor (blocks, false) == SS_ERR_SINGULAR);
    SS_CHECK (ss_blocks_factor (blocks, true) == SS_ERR_SINGULAR);
    ss_blocks_free (blocks);
    matrix_clear (&graph);
  }
}

/* More operations than the list of targets holds: the other elimination must give the same answers. */
/* ---- lanes ------------------------------------------------------------------------------------------------------- */

enum { N_LANES = 8, N_SLOTS = 4, N_FACES = 2, LANES_N = N_LANES * N_SLOTS + (N_LANES - 1) * N_FACES + 1 };

typedef struct {
  int lane[LANES_N], slot[LANES_N], separator[LANES_N];
} Seats;

/* Eight lanes of up to N_SLOTS unknowns (some are missing), N_FACES between each two, one that touches all; in random
 * order. The entries of m->dense are kept where lanes may be coupled. */
static void
lanes_init (Matrix *m, Seats *seats, SsRandom *random)
{
  int n = 0, lane[LANES_N], slot[LANES_N], separator[LANES_N], order[LANES_N];

  for (int l = 0; l < N_LANES; l++)
    for (int s = 0; s < N_SLOTS; s++)
      if (ss_random_uniform (random) < 0.9)
        lane[n] = l, slot[n] = s, separator[n++] = -5;
  for (int l = 0; l < N_LANES - 1; l++)
    for (int s = 0; s < N_FACES; s++)
      lane[n] = -1, slot[n] = s, separator[n++] = l;
  lane[n] = -1, slot[n] = 0, separator[n++] = N_LANES - 1;
  for (int i = 0; i < n; i++)
    order[i] = i;
  for (int i = n - 1; i > 0; i--) {
    int j = (int)(ss_random_next (random) % (uint64_t)(i + 1)), old = order[i];

    order[i] = order[j];
    order[j] = old;
  }
  for (int i = 0; i < n; i++) {
    seats->lane[i] = lane[order[i]];
    seats->slot[i] = slot[order[i]];
    seats->separator[i] = separator[order[i]];
  }
  matrix_init (m, random, n, 0.5);
  matrix_keep (m, seats->lane, seats->separator);
}

static void
test_ldl_lanes (void)
{
  SsRandom random;

  ss_random_seed (&random, 11);
  for (int round = 0; round < 100; round++) {
    double b[LANES_N], x[LANES_N], y[LANES_N];
    int n_replaced = -1;
    Matrix m;
    Seats seats;
    SsLdl *ldl, *ordinary;
    SsError err;
    uint64_t before;

    lanes_init (&m, &seats, &random);
    const SsLdlLanes lanes = {seats.lane, seats.slot, seats.separator};
    SS_CHECK (ss_ldl_new_in_lanes (&m.lower, &lanes, m.sign, &ldl, &err) == SS_OK);
    SS_CHECK (ss_ldl_new (&m.lower, &ordinary, NULL) == SS_OK);
    for (int pass = 0; pass < 2; pass++) { /* copied in, then put where they belong */
      for (int i = 0; i < m.n; i++)
        b[i] = x[i] = y[i] = ss_random_normal (&random);
      before = ss_alloc_count ();
      if (pass == 0)
        SS_CHECK (ss_ldl_factor (ldl, m.values, NULL, 1e-12, &n_replaced) == SS_OK);
      else {
        ss_ldl_clear (ldl);
        for (int k = 0; k < m.lower.start[m.n]; k++)
          ss_ldl_numbers (ldl)[ss_ldl_place (ldl, k)] += m.values[k];
        SS_CHECK (ss_ldl_factor_numbers (ldl, NULL, 1e-12, &n_replaced) == SS_OK);
      }
      ss_ldl_solve (ldl, x);
      SS_CHECK (ss_alloc_count () == before);
      SS_CHECK (n_replaced == 0);
      SS_CHECK (backward_error (m.n, m.dense, x, b) < BACKWARD);
    }
    /* Same matrix, same answer, as in test_ldl_random. */
    SS_CHECK (ss_ldl_factor (ordinary, m.values, m.sign, 1e-12, NULL) == SS_OK);
    ss_ldl_solve (ordinary, y);
    for (int i = 0; i < m.n; i++)
      SS_CHECK_NEAR (x[i], y[i], 2.0 * m.n * m.n * BACKWARD * (1.0 + ss_norm_inf (m.n, y)));
    /* Every pivot of the wrong sign is replaced and counted: with all signs turned, all unknowns. */
    for (int k = 0; k < m.lower.start[m.n]; k++)
      m.values[k] = -m.values[k];
    SS_CHECK (ss_ldl_factor (ldl, m.values, NULL, 1e9, &n_replaced) == SS_OK);
    SS_CHECK (n_replaced == m.n);
    m.values[0] = NAN;
    SS_CHECK (ss_ldl_factor (ldl, m.values, NULL, 1e-12, &n_replaced) == SS_ERR_SINGULAR);
    ss_ldl_free (ldl);
    ss_ldl_free (ordinary);

    /* Seats that do not fit the matrix. */
    for (int i = 0; i < m.n; i++)
      seats.lane[i] = seats.lane[i] >= 0 ? N_LANES - 1 - seats.lane[i] : -1;
    SS_CHECK (ss_ldl_new_in_lanes (&m.lower, &lanes, m.sign, &ldl, &err) == SS_ERR_ARG && ldl == NULL);
    matrix_clear (&m);
  }
}

static void
test_ldl_large_dense (void)
{
  enum { N = 480 }; /* N^3/6 = 18.4 million operations, the list ends at 16.8 */
  SsRandom random;
  Matrix m;
  SsLdl *ldl;
  double *b = malloc (N * sizeof *b), *x = malloc (N * sizeof *x);

  ss_random_seed (&random, 4);
  matrix_init (&m, &random, N, 1.0);
  for (int i = 0; i < N; i++)
    b[i] = x[i] = ss_random_normal (&random);
  SS_CHECK (ss_ldl_new (&m.lower, &ldl, NULL) == SS_OK);
  SS_CHECK (ss_ldl_n_factor_entries (ldl) == N * (N - 1) / 2);
  SS_CHECK (ss_ldl_factor (ldl, m.values, m.sign, 1e-12, NULL) == SS_OK);
  ss_ldl_solve (ldl, x);
  SS_CHECK (backward_error (N, m.dense, x, b) < BACKWARD);
  ss_ldl_free (ldl);
  matrix_clear (&m);
  free (b);
  free (x);
}

/* An arrow pointing the wrong way fills completely unless it is reordered: AMD must find the order without fill. */
static void
test_ldl_order (void)
{
  enum { N = 50 };
  Matrix m = {.n = N};
  SsLdl *ldl;

  m.dense = calloc (N * N, sizeof *m.dense);
  for (int i = 0; i < N; i++) {
    m.dense[i] = m.dense[i * N] = 1.0;
    m.dense[i + i * N] = i == 0 ? 100.0 : 2.0;
  }
  matrix_from_dense (&m);
  SS_CHECK (ss_ldl_new (&m.lower, &ldl, NULL) == SS_OK);
  SS_CHECK (ss_ldl_n_factor_entries (ldl) == N - 1);
  ss_ldl_free (ldl);
  matrix_clear (&m);
}

static void
test_ldl_pivots (void)
{
  /* diag(2, -3, 0): order of pivots does not matter. */
  Matrix m = {.n = 3};
  SsLdl *ldl;
  signed char right[3] = {1, -1, 1}, wrong[3] = {-1, -1, 1};
  double b[3] = {1.0, 1.0, 1.0};
  int n_replaced;

  m.dense = calloc (9, sizeof *m.dense);
  m.dense[0] = 2.0;
  m.dense[4] = -3.0;
  matrix_from_dense (&m);
  SS_CHECK (ss_ldl_new (&m.lower, &ldl, NULL) == SS_OK);
  SS_CHECK (ss_ldl_factor (ldl, m.values, NULL, 0.0, NULL) == SS_ERR_SINGULAR);
  SS_CHECK (ss_ldl_factor (ldl, m.values, right, 0.5, &n_replaced) == SS_OK);
  SS_CHECK (n_replaced == 1);
  ss_ldl_solve (ldl, b);
  SS_CHECK (b[0] == 0.5 && b[2] == 2.0);
  SS_CHECK_NEAR (b[1], -1.0 / 3.0, DBL_EPSILON);
  SS_CHECK (ss_ldl_factor (ldl, m.values, wrong, 0.25, &n_replaced) == SS_OK);
  SS_CHECK (n_replaced == 2);
  b[0] = b[1] = b[2] = 1.0;
  ss_ldl_solve (ldl, b);
  SS_CHECK (b[0] == -4.0 && b[2] == 4.0);
  m.values[1] = NAN;
  SS_CHECK (ss_ldl_factor (ldl, m.values, right, 0.5, NULL) == SS_ERR_SINGULAR);
  m.values[1] = INFINITY;
  SS_CHECK (ss_ldl_factor (ldl, m.values, NULL, 0.0, NULL) == SS_ERR_SINGULAR);
  ss_ldl_free (ldl);
  matrix_clear (&m);
}

static void
test_ldl_arguments (void)
{
  SsPattern p;
  SsLdl *ldl = NULL;
  SsError err;
  int row[2] = {0, 0}, column[2] = {0, 1}, slot[2];
  double nothing = 0.0;

  /* An upper entry and a missing diagonal. */
  SS_CHECK (ss_pattern_from_triplets (&p, 2, 2, 2, column, row, slot, NULL) == SS_OK);
  SS_CHECK (ss_ldl_new (&p, &ldl, &err) == SS_ERR_ARG && ldl == NULL);
  ss_pattern_clear (&p);
  SS_CHECK (ss_pattern_from_triplets (&p, 2, 2, 1, column, row, slot, NULL) == SS_OK);
  SS_CHECK (ss_ldl_new (&p, &ldl, &err) == SS_ERR_ARG && ldl == NULL);
  ss_pattern_clear (&p);
  /* The empty matrix is fine. */
  SS_CHECK (ss_pattern_init (&p, 0, 0, 0, NULL) == SS_OK);
  SS_CHECK (ss_ldl_new (&p, &ldl, NULL) == SS_OK);
  SS_CHECK (ss_ldl_factor (ldl, &nothing, NULL, 0.0, NULL) == SS_OK);
  ss_ldl_solve (ldl, &nothing);
  ss_ldl_free (ldl);
  ss_pattern_clear (&p);
  ss_ldl_free (NULL);
  ss_pattern_clear (NULL);
}

/* Every allocation fails once: status and NULL, and (under a leak checker) nothing left behind. */
static void
test_no_memory (void)
{
  SsRandom random;
  Matrix m;
  SsLdl *ldl;
  SsPattern p;
  SsStatus status = SS_ERR_MEMORY;
  Seats seats;
  const SsLdlLanes lanes = {seats.lane, seats.slot, seats.separator};
  int n_failed = 0, row[3] = {0, 1, 1}, column[3] = {0, 0, 1}, slot[3];

  ss_random_seed (&random, 5);
  matrix_init (&m, &random, 20, 0.3);
  for (uint64_t at = 1; status != SS_OK && at < 1000; at++) {
    ss_alloc_fail_at (at);
    status = ss_ldl_new (&m.lower, &ldl, NULL);
    ss_alloc_fail_at (0);
    SS_CHECK (status == SS_OK || (status == SS_ERR_MEMORY && ldl == NULL));
    n_failed += status != SS_OK;
  }
  SS_CHECK (status == SS_OK && n_failed > 10);
  ss_ldl_free (ldl);
  matrix_clear (&m);
  lanes_init (&m, &seats, &random);
  n_failed = 0;
  status = SS_ERR_MEMORY;
  for (uint64_t at = 1; status != SS_OK && at < 1000; at++) {
    ss_alloc_fail_at (at);
    status = ss_ldl_new_in_lanes (&m.lower, &lanes, m.sign, &ldl, NULL);
    ss_alloc_fail_at (0);
    SS_CHECK (status == SS_OK || (status == SS_ERR_MEMORY && ldl == NULL));
    n_failed += status != SS_OK;
  }
  SS_CHECK (status == SS_OK && n_failed > 20);
  ss_ldl_free (ldl);
  matrix_clear (&m);
  for (status = SS_ERR_MEMORY, n_failed = 0; status != SS_OK && n_failed < 100; n_failed++) {
    ss_alloc_fail_at ((uint64_t)n_failed + 1);
    status = ss_pattern_from_triplets (&p, 2, 2, 3, row, column, slot, NULL);
    ss_alloc_fail_at (0);
    SS_CHECK (status == SS_OK || (status == SS_ERR_MEMORY && p.start == NULL));
    if (status == SS_OK)
      ss_pattern_clear (&p);
  }
  SS_CHECK (status == SS_OK);
}

int
main (void)
{
  SS_RUN (test_vectors);
  SS_RUN (test_dense);
  SS_RUN (test_dense_singular);
  SS_RUN (test_dense_least);
  SS_RUN (test_patterns);
  SS_RUN (test_pattern_errors);
  SS_RUN (test_ldl_random);
  SS_RUN (test_blocks_random);
  SS_RUN (test_ldl_lanes);
  SS_RUN (test_ldl_large_dense);
  SS_RUN (test_ldl_order);
  SS_RUN (test_ldl_pivots);
  SS_RUN (test_ldl_arguments);
  SS_RUN (test_no_memory);
  return ss_test_finish ();
}
