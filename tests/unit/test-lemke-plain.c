/* tests/unit/test-lemke-plain.c: Lemke's method on the LCPs of impacts as they stand: random models, the choice among
 * several solutions, invariance, the same bits for every width of vectors. With --time also the CPU time beside
 * ss_lemke_solve. */
#include "lcp/ss-lemke-plain.h"

#include "core/ss-memory.h"
#include "../ss-test.h"

#include <stdlib.h>

enum { M_MAX = 12, N_MAX = 5 * M_MAX, V_MAX = 12 };

typedef struct {
  int m, n; /* contacts, coordinates */
  double jn[M_MAX][V_MAX], jt[M_MAX][V_MAX], mu[M_MAX], v[V_MAX], cap[M_MAX];
  double W[N_MAX * N_MAX], q[N_MAX], z[N_MAX];
} Model;

static double
dot (int n, const double *a, const double *b)
{
  double sum = 0;

  for (int i = 0; i < n; i++)
    sum += a[i] * b[i];
  return sum;
}

/* The LCP of one step of size 5 m (blocks b, ln, p, g) with unit masses, friction rows as written or divided by max (1,
 * mu). */
static void
build (Model *x, bool is_scaled)
{
  const int m = x->m, size = 5 * m;
  double row[3 * M_MAX][V_MAX];

  memset (x->W, 0, sizeof x->W);
#define AT(i, j) x->W[(j)*size + (i)]
  for (int i = 0; i < m; i++)
    for (int k = 0; k < x->n; k++) {
      row[i][k] = x->jn[i][k];
      row[m + 2 * i][k] = x->jt[i][k];
      row[m + 2 * i + 1][k] = -x->jt[i][k];
    }
  for (int i = 0; i < 3 * m; i++) {
    for (int j = 0; j < 3 * m; j++)
      AT (m + i, m + j) = dot (x->n, row[i], row[j]);
    x->q[m + i] = dot (x->n, row[i], x->v);
  }
  for (int i = 0; i < m; i++) {
    const double by = is_scaled ? fmax (1, x->mu[i]) : 1;
    AT (i, m + i) = -1;
    AT (m + i, i) = 1;
    for (int s = 0; s < 2; s++) {
      AT (2 * m + 2 * i + s, 4 * m + i) = 1;
      AT (4 * m + i, 2 * m + 2 * i + s) = -1 / by;
    }
    AT (4 * m + i, m + i) = x->mu[i] / by;
    x->q[i] = x->cap[i];
    x->q[4 * m + i] = 0;
  }
#undef AT
}

/* Violation recomputed, apart from the solver's own [002 (6)-(8)]. */
static double
violation (const Model *x)
{
  const int size = 5 * x->m;
  double worst = 0;

  for (int i = 0; i < size; i++) {
    double w = x->q[i];
    for (int j = 0; j < size; j++)
      w += x->W[j * size + i] * x->z[j];
    worst = fmax (worst, fmax (fmax (-w, -x->z[i]), fabs (w * x->z[i])));
  }
  return worst;
}

/* p+ = p- + lt is the same impulse as p+ = lt, p- = 0, and solves the LCP as well: where both are positive their slips
 * are 0, hence g = 0. With much friction they can be mu ln / 2 each, of which 1e-16 is no longer small. */
static void
take_common (Model *x)
{
  for (int i = 0; i < x->m; i++) {
    double *p = x->z + 2 * x->m + 2 * i;
    const double common = fmin (p[0], p[1]);
    p[0] -= common;
    p[1] -= common;
  }
}

/* Contacts of every kind that breaks a careless tableau: dependent rows, contacts at rest, no friction and much of it,
 * no cap. */
static void
draw (SsRandom *random, int m, Model *x)
{
  x->m = m;
  x->n = 2 + (int)(ss_random_uniform (random) * 8);
  for (int k = 0; k < x->n; k++)
    x->v[k] = ss_random_normal (random);
  for (int i = 0; i < m; i++) {
    const double kind = ss_random_uniform (random);
    const int other = (int)(ss_random_uniform (random) * i);
    for (int k = 0; k < x->n; k++) {
      x->jn[i][k] = i > 0 && kind < 0.2 ? x->jn[other][k] : ss_random_normal (random);
      x->jt[i][k] = i > 0 && kind < 0.4 ? x->jt[other][k] : ss_random_normal (random);
    }
    x->mu[i] = kind > 0.9 ? 0 : kind > 0.5 ? 2 * ss_random_uniform (random) : pow (10, 5 * ss_random_uniform (random));
    x->cap[i] = ss_random_uniform (random) < 0.05 ? 0 : 2 * ss_random_uniform (random);
  }
  if (ss_random_uniform (random) < 0.2) /* whole numbers: exact ties */
    for (int k = 0; k < x->n; k++) {
      x->v[k] = round (x->v[k]);
      for (int i = 0; i < m; i++) {
        x->jn[i][k] = round (x->jn[i][k]);
        x->jt[i][k] = round (x->jt[i][k]);
      }
    }
}

typedef struct {
  int n_failed, n_pivots;
  double worst; /* residual of those that did not fail */
} Tally;

/* `count` problems of each size 5 to 30. */
static Tally
solve_many (int count, bool is_scaled)
{
  static Model x;
  Tally tally = {0};
  SsRandom random;

  ss_random_seed (&random, 10);
  for (int m = 1; m <= 6; m++) {
    SsLemkePlain *lemke;
    SS_CHECK (ss_lemke_plain_new (5 * m, &lemke, NULL) == SS_OK);
    for (int k = 0; k < count; k++) {
      SsLcpResult result;
      draw (&random, m, &x);
      build (&x, is_scaled);
      ss_lemke_plain_set_matrix (lemke, x.W, 5 * m);
      ss_lemke_plain_solve (lemke, x.q, NULL, x.z, &result);
      take_common (&x);
      const double residual = violation (&x);
      const bool is_solved = result.outcome == SS_OUTCOME_SOLVED && residual <= 1e-9;
      tally.n_failed += !is_solved;
      if (!is_solved && is_scaled)
        printf ("# size %d, problem %d: %s, residual %.3g\n", 5 * m, k, ss_outcome_name (result.outcome), residual);
      tally.n_pivots += result.pivots;
      tally.worst = is_solved ? fmax (tally.worst, residual) : tally.worst;
    }
    ss_lemke_plain_free (lemke);
  }
  printf ("# %s rows: %d problems, %.2f pivots each, largest residual %.3g, %d without an answer\n",
          is_scaled ? "scaled" : "plain", 6 * count, tally.n_pivots / (6.0 * count), tally.worst, tally.n_failed);
  return tally;
}

/* Ten million with STICKSLIP_TEST_ALL=1. */
static void
test_random_models (void)
{
  const int count = ss_test_is_long () ? 1666667 : 10000;
  Tally tally = solve_many (count, true);

  SS_CHECK (tally.n_failed == 0);
  /* A thousandth of what counts as an answer: round-off of numbers up to 10, times the condition of dependent rows. */
  SS_CHECK_NEAR (tally.worst, 0, 1e-9);
  /* Rows as written hold numbers of mu beside 1: with mu of 1e5 the p+ and p- of a sticking contact are mu ln / 2 each,
   * and their round-off hides which row leaves. The caller then has the scaled rows. */
  tally = solve_many (count / 4, false);
  SS_CHECK (tally.n_failed <= 6 * count / 4 / 2000);
}

/* A positive factor on q changes the answer by that factor and not the path; a power of 2 not a bit. */
static void
test_factor (void)
{
  static Model x;
  double first[N_MAX];
  SsRandom random;
  SsLemkePlain *lemke;
  SsLcpResult result, other;

  ss_random_seed (&random, 4);
  SS_CHECK (ss_lemke_plain_new (20, &lemke, NULL) == SS_OK);
  for (int k = 0; k < 500; k++) {
    draw (&random, 4, &x);
    build (&x, true);
    ss_lemke_plain_set_matrix (lemke, x.W, 20);
    ss_lemke_plain_solve (lemke, x.q, NULL, first, &result);
    for (int i = 0; i < 20; i++)
      x.q[i] *= 1024;
    ss_lemke_plain_solve (lemke, x.q, NULL, x.z, &other);
    SS_CHECK (other.pivots == result.pivots);
    for (int i = 0; i < 20; i++)
      SS_CHECK (x.z[i] == 1024 * first[i]);
  }
  ss_lemke_plain_free (lemke);
}

/* Wide vectors and narrow ones give the same bits, for sizes of their own and for others. */
static void
test_same_bits (void)
{
  static Model x;
  double first[N_MAX];
  SsRandom random;

  ss_random_seed (&random, 5);
  for (int m = 1; m <= M_MAX; m++) {
    SsLemkePlain *lemke;
    SsLcpResult result;
    SS_CHECK (ss_lemke_plain_new (5 * m, &lemke, NULL) == SS_OK);
    for (int k = 0; k < 50; k++) {
      draw (&random, m, &x);
      build (&x, k % 2 == 0);
      ss_lemke_plain_set_matrix (lemke, x.W, 5 * m);
      ss_lemke_plain_set_wide (lemke, true);
      ss_lemke_plain_solve (lemke, x.q, NULL, first, &result);
      ss_lemke_plain_set_wide (lemke, false);
      ss_lemke_plain_solve (lemke, x.q, NULL, x.z, &result);
      SS_CHECK (memcmp (first, x.z, 5 * (size_t)m * sizeof *first) == 0);
    }
    ss_lemke_plain_free (lemke);
  }
}

/* A block whose left corner comes down while the right one rests (-1e-17): both answers of a resting contact are found
 * without a false ray, and a problem without an approach is answered by 0. */
static void
test_resting (void)
{
  SsLemkePlain *lemke;
  SsLcpResult result;
  static Model x = {.m = 2,
                    .n = 3,
                    .jn = {{0, 1, -0.5}, {0, 1, 0.5}},
                    .jt = {{1, 0, 1}, {1, 0, 1}},
                    .mu = {1, 1},
                    .v = {0, -0.05, 0.1},
                    .cap = {0.3, 0.2}};

  SS_CHECK (ss_lemke_plain_new (10, &lemke, NULL) == SS_OK);
  build (&x, true);
  x.q[3] = -1e-17;
  ss_lemke_plain_set_matrix (lemke, x.W, 10);
  ss_lemke_plain_solve (lemke, x.q, NULL, x.z, &result);
  SS_CHECK (result.outcome == SS_OUTCOME_SOLVED && result.pivots > 0);
  SS_CHECK_NEAR (violation (&x), 0, 1e-15);
  x.q[2] = -1e-14;
  x.q[4] = x.q[5] = x.q[6] = x.q[7] = 0;
  ss_lemke_plain_solve (lemke, x.q, NULL, x.z, &result);
  SS_CHECK (result.outcome == SS_OUTCOME_SOLVED && result.pivots == 0);
  for (int i = 0; i < 10; i++)
    SS_CHECK (x.z[i] == 0);
  for (int i = 0; i < 10; i++) /* nothing moves but for rounding: it is no large part of a problem */
    x.q[i] = i == 2 ? -1e-14 : 0;
  ss_lemke_plain_solve (lemke, x.q, NULL, x.z, &result);
  SS_CHECK (result.outcome == SS_OUTCOME_SOLVED && result.part == 0);
  ss_lemke_plain_free (lemke);
}

/* One contact without friction, twice (Cottle, Pang, Stone, example 4.4.7 in spirit): M = [1 2; 2 1], q = (-1, -1) has
 * the solutions (1, 0), (0, 1), (1/3, 1/3); the covering vector says which one is reached. */
static void
test_covering_vector (void)
{
  const double M[4] = {1, 2, 2, 1}, q[2] = {-1, -1}, covers[2][2] = {{1, 2}, {2, 1}};
  double z[2];
  SsLemkePlain *lemke;
  SsLcpResult result;

  SS_CHECK (ss_lemke_plain_new (2, &lemke, NULL) == SS_OK);
  ss_lemke_plain_set_matrix (lemke, M, 2);
  for (int k = 0; k < 2; k++) {
    ss_lemke_plain_solve (lemke, q, covers[k], z, &result);
    SS_CHECK (result.outcome == SS_OUTCOME_SOLVED);
    SS_CHECK_NEAR (z[k], 1, 1e-15);
    SS_CHECK_NEAR (z[1 - k], 0, 0);
  }
  ss_lemke_plain_free (lemke);
  SS_CHECK (ss_lemke_plain_new (SS_LEMKE_PLAIN_MAX + 1, &lemke, NULL) == SS_ERR_ARG);
}

/* CPU time of a solve, the shortest of several rounds [s]; ratio to ss_lemke_solve on the same problems. */
static void
time_size (int m)
{
  enum { COUNT = 200, ROUNDS = 50 };
  static Model x[COUNT];
  SsLemkePlain *lemke;
  SsLemke *other;
  SsRandom random;
  double best[2] = {INFINITY, INFINITY};
  const int size = 5 * m;

  ss_random_seed (&random, 3);
  SS_CHECK (ss_lemke_plain_new (size, &lemke, NULL) == SS_OK && ss_lemke_new (size, &other, NULL) == SS_OK);
  draw (&random, m, &x[0]);
  x[0].n = 9;
  for (int i = 0; i < m; i++) {
    x[0].mu[i] = 1;
    for (int k = 0; k < 9; k++) {
      x[0].jn[i][k] = ss_random_normal (&random);
      x[0].jt[i][k] = ss_random_normal (&random);
    }
  }
  int pivots[2] = {0, 0};
  for (int c = 0; c < COUNT; c++) {
    x[c] = x[0];
    for (int k = 0; k < 9; k++)
      x[c].v[k] = ss_random_normal (&random);
    for (int k = 0; k < m; k++)
      x[c].cap[k] = ss_random_uniform (&random);
    build (&x[c], true);
  }
  ss_lemke_plain_set_matrix (lemke, x[0].W, size);
  for (int round = 0; round < ROUNDS; round++)
    for (int which = 0; which < 2; which++) {
      const double start = ss_clock_thread_cpu ();
      for (int c = 0; c < COUNT; c++) {
        SsLcpResult result;
        if (which == 0)
          ss_lemke_plain_solve (lemke, x[c].q, NULL, x[c].z, &result);
        else
          SS_CHECK (ss_lemke_solve (other, size, x[c].W, size, x[c].q, 1000, x[c].z, &result, NULL) == SS_OK);
        pivots[which] += result.pivots;
      }
      best[which] = fmin (best[which], (ss_clock_thread_cpu () - start) / COUNT);
    }
  printf ("# size %d: %.3f us (%.1f pivots), ss_lemke_solve %.3f us (%.1f pivots), ratio %.2f\n", size, 1e6 * best[0],
          pivots[0] / (double)(COUNT * ROUNDS), 1e6 * best[1], pivots[1] / (double)(COUNT * ROUNDS), best[1] / best[0]);
  ss_lemke_plain_free (lemke);
  ss_lemke_free (other);
}

int
main (void)
{
  if (ss_test_argc > 1 && strcmp (ss_test_argv[1], "--time") == 0)
    for (int m = 1; m <= 6; m++)
      time_size (m);
  SS_RUN (test_covering_vector);
  SS_RUN (test_resting);
  SS_RUN (test_factor);
  SS_RUN (test_same_bits);
  SS_RUN (test_random_models);
  return ss_test_finish ();
}
