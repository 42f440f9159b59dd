/* tests/unit/test-lcp.c: Lemke's method against planted solutions, enumeration of all supports, and problems without a
 * solution. */
#include "lcp/ss-lcp.h"
#include "../ss-test.h"

#include <float.h>

enum { N_MAX = 200 };

static SsLemke *lemke;
static double M[N_MAX * N_MAX], q[N_MAX], z[N_MAX], planted[N_MAX];

/* Violations here are recomputed, independent of the solver: largest of -w, -z, |w z| per the size of the data. */
static double
violation (int n)
{
  double worst = 0;
  for (int i = 0; i < n; i++) {
    double w = q[i];
    for (int j = 0; j < n; j++)
      w += M[j * n + i] * z[j];
    worst = fmax (worst, fmax (fmax (-w, -z[i]), fabs (w * z[i])));
  }
  return worst;
}

static SsLcpResult
solve (int n)
{
  SsLcpResult result;
  SsError err;
  SS_CHECK (ss_lemke_solve (lemke, n, M, n, q, 100 * (n + 10), z, &result, &err) == SS_OK);
  SS_CHECK_NEAR (result.residual, violation (n), 1e-12 * (1 + violation (n)));
  return result;
}

/* M = A A' / n (+ shift): positive definite or semidefinite of the given rank. */
static void
make_gram (SsRandom *random, int n, int rank, double shift)
{
  static double A[N_MAX * N_MAX];
  for (int i = 0; i < n * rank; i++)
    A[i] = ss_random_normal (random);
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++) {
      M[j * n + i] = i == j ? shift : 0;
      for (int k = 0; k < rank; k++)
        M[j * n + i] += A[k * n + i] * A[k * n + j] / n;
    }
}

/* q so that z = planted with w > 0 or = 0 on the complement solves it. `degenerate`: a third of the pairs are 0 and
 * 0. */
static void
plant (SsRandom *random, int n, bool degenerate)
{
  double w[N_MAX];
  for (int i = 0; i < n; i++) {
    double u = ss_random_uniform (random);
    planted[i] = u < 0.4 ? ss_random_between (random, 0.1, 2) : 0;
    w[i] = u >= (degenerate ? 0.7 : 0.4) ? ss_random_between (random, 0.1, 2) : 0;
  }
  for (int i = 0; i < n; i++) {
    q[i] = w[i];
    for (int j = 0; j < n; j++)
      q[i] -= M[j * n + i] * planted[j];
  }
}

static void
test_planted_positive_definite (void)
{
  SsRandom random;
  ss_random_seed (&random, 1);
  int sizes[] = {1, 2, 5, 20, 60, 150};
  double worst = 0;
  for (int s = 0; s < 6; s++)
    for (int trial = 0; trial < 6; trial++) {
      int n = sizes[s];
      make_gram (&random, n, n, 0.1);
      plant (&random, n, trial % 2 == 1);
      SS_CHECK (solve (n).outcome == SS_OUTCOME_SOLVED);
      /* the solution is unique; condition below 100, so 1e-12 is rounding with room */
      for (int i = 0; i < n; i++) {
        SS_CHECK_NEAR (z[i], planted[i], 1e-12);
        worst = fmax (worst, fabs (z[i] - planted[i]));
      }
    }
  printf ("  worst error %.2g\n", worst);
}

/* Scaling of rows over twelve decades must not matter. */
static void
test_badly_scaled (void)
{
  SsRandom random;
  ss_random_seed (&random, 2);
  for (int trial = 0; trial < 20; trial++) {
    int n = 30;
    double d[N_MAX];
    make_gram (&random, n, n, 0.1);
    plant (&random, n, false);
    for (int i = 0; i < n; i++)
      d[i] = pow (10, ss_random_between (&random, -6, 6));
    for (int j = 0; j < n; j++) {
      for (int i = 0; i < n; i++)
        M[j * n + i] *= d[i] * d[j];
      q[j] *= d[j];
    }
    SS_CHECK (solve (n).outcome == SS_OUTCOME_SOLVED);
    for (int i = 0; i < n; i++)
      SS_CHECK_NEAR (z[i] * d[i], planted[i], 1e-12);
  }
}

/* Semidefinite M, feasible: any solution will do; w is unique. */
static void
test_semidefinite (void)
{
  SsRandom random;
  ss_random_seed (&random, 3);
  for (int trial = 0; trial < 60; trial++) {
    int n = 3 + trial % 40;
    make_gram (&random, n, n / 2, 0);
    plant (&random, n, trial % 3 == 0);
    SS_CHECK (solve (n).outcome == SS_OUTCOME_SOLVED);
    SS_CHECK_NEAR (violation (n), 0, 1e-10); /* supports of semidefinite problems may be ill-conditioned */
  }
}

/* Is there a solution with this support? Solves M_SS z_S = -q_S by elimination and checks the signs. */
static bool
support_solves (int n, unsigned support, double tolerance)
{
  double a[8][9], x[8] = {0};
  int index[8], m = 0;
  for (int i = 0; i < n; i++)
    if (support >> i & 1)
      index[m++] = i;
  for (int i = 0; i < m; i++) {
    for (int j = 0; j < m; j++)
      a[i][j] = M[index[j] * n + index[i]];
    a[i][m] = -q[index[i]];
  }
  for (int k = 0; k < m; k++) {
    int best = k;
    for (int i = k + 1; i < m; i++)
      if (fabs (a[i][k]) > fabs (a[best][k]))
        best = i;
    if (fabs (a[best][k]) < 1e-12)
      return false;
    for (int j = 0; j <= m; j++) {
      double t = a[k][j];
      a[k][j] = a[best][j];
      a[best][j] = t;
    }
    for (int i = k + 1; i < m; i++)
      for (int j = m; j >= k; j--)
        a[i][j] -= a[k][j] * a[i][k] / a[k][k];
  }
  for (int k = m - 1; k >= 0; k--) {
    x[k] = a[k][m];
    for (int j = k + 1; j < m; j++)
      x[k] -= a[k][j] * x[j];
    x[k] /= a[k][k];
  }
  for (int k = 0; k < m; k++)
    if (x[k] < -tolerance)
      return false;
  for (int i = 0; i < n; i++) {
    double w = q[i];
    for (int k = 0; k < m; k++)
      w += M[index[k] * n + i] * x[k];
    if (w < -tolerance)
      return false;
  }
  return true;
}

static bool
any_support_solves (int n, double tolerance)
{
  for (unsigned support = 0; support < 1u << n; support++)
    if (support_solves (n, support, tolerance))
      return true;
  return false;
}

/* Random matrices of any class, and of small integers (degenerate): "solved" is always a solution; for P and
 * copositive-plus matrices (Gram plus skew) Lemke answers exactly when enumeration finds one. */
static void
test_enumeration (void)
{
  SsRandom random;
  ss_random_seed (&random, 4);
  int n_solved = 0, n_infeasible = 0, n_missed = 0;
  for (int trial = 0; trial < 6000; trial++) {
    int n = 1 + (int)(ss_random_next (&random) % 6), kind = trial % 3;
    make_gram (&random, n, kind == 0 ? n : (n + 1) / 2, 0);
    for (int j = 0; j < n; j++)
      for (int i = 0; i < j; i++) {
        double skew = ss_random_normal (&random);
        M[j * n + i] += skew;
        M[i * n + j] -= skew;
      }
    for (int i = 0; i < n; i++)
      q[i] = ss_random_normal (&random);
    if (kind == 2) /* any class, small integers */
      for (int i = 0; i < n * n; i++)
        M[i] = (double)(ss_random_next (&random) % 5) - 2;
    if (kind == 2)
      for (int i = 0; i < n; i++)
        q[i] = (double)(ss_random_next (&random) % 5) - 2;
    SsLcpResult result = solve (n);
    bool exists = any_support_solves (n, 1e-9);
    if (result.outcome == SS_OUTCOME_SOLVED) {
      n_solved++;
      SS_CHECK_NEAR (violation (n), 0, 1e-9);
    } else {
      SS_CHECK (result.outcome == SS_OUTCOME_INFEASIBLE);
      n_infeasible++;
      if (kind != 2)
        SS_CHECK (!exists);
      else if (exists)
        n_missed++;
    }
  }
  printf ("  %d solved, %d on a ray; %d of these (matrices of no class) had a solution\n", n_solved, n_infeasible,
          n_missed);
  SS_CHECK (n_infeasible > 100);
}

static void
test_infeasible_and_degenerate (void)
{
  /* w = -z - 1 < 0: no solution */
  M[0] = -1;
  q[0] = -1;
  SS_CHECK (solve (1).outcome == SS_OUTCOME_INFEASIBLE);
  /* w0 = z1 - 1, w1 = -z0 - 1 */
  memcpy (M, (double[]){0, -1, 1, 0}, 4 * sizeof *M);
  memcpy (q, (double[]){-1, -1}, 2 * sizeof *q);
  SS_CHECK (solve (2).outcome == SS_OUTCOME_INFEASIBLE);
  /* cycling example of Kostreva for Lemke without a rule (Cottle, Pang, Stone, 4.4): solution exists */
  memcpy (M, (double[]){1, 0, 2, 2, 1, 0, 0, 2, 1}, 9 * sizeof *M);
  memcpy (q, (double[]){-1, -1, -1}, 3 * sizeof *q);
  SS_CHECK (solve (3).outcome == SS_OUTCOME_SOLVED);
  for (int i = 0; i < 3; i++)
    SS_CHECK_NEAR (z[i], 1.0 / 3, 1e-15);
  /* all ties */
  for (int i = 0; i < 40 * 40; i++)
    M[i] = 1;
  for (int i = 0; i < 40; i++)
    q[i] = -1;
  SS_CHECK (solve (40).outcome == SS_OUTCOME_SOLVED);
  SS_CHECK_NEAR (violation (40), 0, 1e-14);
  /* q >= 0 and no unknowns */
  q[0] = 0;
  M[0] = 0;
  SS_CHECK (solve (1).outcome == SS_OUTCOME_SOLVED && z[0] == 0);
  SS_CHECK (solve (0).outcome == SS_OUTCOME_SOLVED);
  /* pivots are limited */
  SsLcpResult result;
  SsError err;
  M[0] = 1;
  q[0] = -1;
  SS_CHECK (ss_lemke_solve (lemke, 1, M, 1, q, 0, z, &result, &err) == SS_OK);
  SS_CHECK (result.outcome != SS_OUTCOME_SOLVED || result.residual == 0);
  q[0] = NAN;
  SS_CHECK (ss_lemke_solve (lemke, 1, M, 1, q, 9, z, &result, &err) == SS_ERR_ARG);
  SS_CHECK_CONTAINS (err.message, "q[0]");
}

/* Stewart-Trinkle problems: m contacts on few bodies (W is singular as soon as m is larger than the degrees of freedom)
 * with friction, at velocity level (always solvable; the matrix is copositive). Even trials have normals that point up,
 * from lower bodies to higher ones: all can separate at once. Odd trials have any normals: bodies may be jammed,
 * impulses are then unbounded and round-off may win, which must be admitted. */
static void
test_friction_problems (void)
{
  SsRandom random;
  ss_random_seed (&random, 5);
  double worst = 0;
  int most_pivots = 0, n_admitted = 0;
  for (int trial = 0; trial < 400; trial++) {
    int m = 1 + (int)(ss_random_next (&random) % 25), n_bodies = 1 + m / 3, n = 4 * m;
    static double G[2 * 64][3 * 32];
    double inverse_mass[3 * 32], free_velocity[3 * 32], mu[64];
    memset (G, 0, sizeof G);
    for (int b = 0; b < n_bodies; b++) {
      double mass = pow (10, ss_random_between (&random, -2, 2));
      inverse_mass[3 * b] = inverse_mass[3 * b + 1] = 1 / mass;
      inverse_mass[3 * b + 2] = 6 / mass;
      for (int i = 0; i < 3; i++)
        free_velocity[3 * b + i] = ss_random_normal (&random);
    }
    for (int c = 0; c < m; c++) {
      mu[c] = trial % 5 == 0 ? 0 : ss_random_between (&random, 0, 1.5);
      double angle = trial % 2 ? ss_random_between (&random, -3, 3) : ss_random_between (&random, 0.3, 2.8);
      double normal[2] = {cos (angle), sin (angle)}, tangent[2] = {sin (angle), -cos (angle)};
      int a = (int)(ss_random_next (&random) % (unsigned)n_bodies);
      int b = c % 3 == 0 || a == 0 ? a : (int)(ss_random_next (&random) % (unsigned)a);
      for (int side = 0; side < 2; side++) {
        int body = side ? b : a;
        double sign = side ? -1 : 1, rx = ss_random_between (&random, -0.5, 0.5), ry = -0.5;
        if (side && b == a)
          continue; /* against the ground */
        G[c][3 * body] += sign * normal[0];
        G[c][3 * body + 1] += sign * normal[1];
        G[c][3 * body + 2] += sign * (rx * normal[1] - ry * normal[0]);
        G[m + c][3 * body] += sign * tangent[0];
        G[m + c][3 * body + 1] += sign * tangent[1];
        G[m + c][3 * body + 2] += sign * (rx * tangent[1] - ry * tangent[0]);
      }
    }
    memset (M, 0, sizeof (double) * (size_t)(n * n));
    for (int j = 0; j < 2 * m; j++)
      for (int i = 0; i < 2 * m; i++) {
        double w = 0;
        for (int k = 0; k < 3 * n_bodies; k++)
          w += G[i][k] * inverse_mass[k] * G[j][k];
        M[j * n + i] = w;
        if (j >= m)
          M[(j + m) * n + i] = -w;
        if (i >= m)
          M[j * n + i + m] = -w;
        if (i >= m && j >= m)
          M[(j + m) * n + i + m] = w;
      }
    for (int c = 0; c < m; c++) {
      M[(3 * m + c) * n + m + c] = M[(3 * m + c) * n + 2 * m + c] = 1;
      M[c * n + 3 * m + c] = mu[c];
      M[(m + c) * n + 3 * m + c] = M[(2 * m + c) * n + 3 * m + c] = -1;
    }
    for (int i = 0; i < 2 * m; i++) {
      double v = 0;
      for (int k = 0; k < 3 * n_bodies; k++)
        v += G[i][k] * free_velocity[k];
      q[i] = v;
      if (i >= m)
        q[i + m] = -v;
    }
    for (int c = 0; c < m; c++)
      q[3 * m + c] = 0;
    SsLcpResult result = solve (n);
    if (trial % 2 == 1 && result.outcome != SS_OUTCOME_SOLVED) {
      n_admitted++;
      continue;
    }
    SS_CHECK (result.outcome == SS_OUTCOME_SOLVED);
    SS_CHECK_NEAR (violation (n), 0, 1e-8); /* impulses up to 1e3, masses over four decades, dependent rows */
    worst = fmax (worst, violation (n));
    most_pivots = result.pivots > most_pivots ? result.pivots : most_pivots;
  }
  printf ("  worst violation %.2g, most pivots %d, %d jammed ones given up\n", worst, most_pivots, n_admitted);
  SS_CHECK (n_admitted <= 3); /* measured 0 to 1 */
}

/* The support of a solution solves nearby problems without pivots; a wrong support is refused. */
static void
test_warm_start (void)
{
  SsRandom random;
  SsLcpResult result;
  SsError err;
  bool support[N_MAX];
  ss_random_seed (&random, 8);
  int n = 40;
  make_gram (&random, n, n, 0.1);
  plant (&random, n, false);
  (void)solve (n);
  for (int i = 0; i < n; i++) {
    support[i] = z[i] > 0;
    q[i] += 1e-3 * ss_random_normal (&random); /* planted values and slacks are above 0.1, condition below 100 */
  }
  SS_CHECK (ss_lemke_try (lemke, n, M, n, q, support, z, &result, &err) == SS_OK);
  SS_CHECK (result.outcome == SS_OUTCOME_SOLVED && result.pivots == 0);
  SS_CHECK_NEAR (violation (n), 0, 1e-12);
  support[3] = !support[3];
  SS_CHECK (ss_lemke_try (lemke, n, M, n, q, support, z, &result, &err) == SS_OK);
  SS_CHECK (result.outcome == SS_OUTCOME_STALLED);
  for (int i = 0; i < n; i++)
    SS_CHECK (z[i] == 0);
}

/* A number that is none is refused wherever it stands, by both doors, and said by its place; what was there stays. */
static void
test_not_finite (void)
{
  enum { N = 3 };
  static const double wrong[] = {NAN, INFINITY, -INFINITY};
  const bool support[N] = {true, true, true};
  double numbers[N * N + N] = {2, 0, 0, 0, 2, 0, 0, 0, 2, -1, -1, -1}, answer[N];
  SsLcpResult result;

  for (int at = 0; at < N * N + N; at++)
    for (int k = 0; k < 3; k++) {
      const double kept = numbers[at];
      char place[16];

      numbers[at] = wrong[k];
      if (at < N * N)
        snprintf (place, sizeof place, "M[%d,%d]", at % N, at / N);
      else
        snprintf (place, sizeof place, "q[%d]", at - N * N);
      for (int door = 0; door < 2; door++) {
        SsError err = {0};

        answer[0] = 7;
        SS_CHECK ((door == 0 ? ss_lemke_solve (lemke, N, numbers, N, numbers + N * N, 9, answer, &result, &err)
                             : ss_lemke_try (lemke, N, numbers, N, numbers + N * N, support, answer, &result, &err)) ==
                  SS_ERR_ARG);
        SS_CHECK (err.status == SS_ERR_ARG && answer[0] == 7);
        SS_CHECK_CONTAINS (err.message, place);
      }
      numbers[at] = kept;
    }
}

static void
test_no_allocation_and_memory_failure (void)
{
  SsRandom random;
  ss_random_seed (&random, 6);
  make_gram (&random, 50, 50, 0.1);
  plant (&random, 50, false);
  (void)solve (50);
  uint64_t before = ss_alloc_count ();
  (void)solve (50);
  SS_CHECK (ss_alloc_count () == before);

  SsError err;
  for (uint64_t k = 1; k <= 6; k++) {
    SsLemke *other = NULL;
    ss_alloc_fail_at (k);
    SS_CHECK (ss_lemke_new (10, &other, &err) == SS_ERR_MEMORY && other == NULL);
    ss_alloc_fail_at (0);
  }

  /* a larger problem than all before, by either door: refused where there is no memory, and solved after that */
  const bool support[20] = {false};
  SsLemke *small = NULL;
  SsLcpResult result;
  make_gram (&random, 20, 20, 0.1);
  plant (&random, 20, false);
  SS_CHECK (ss_lemke_new (1, &small, &err) == SS_OK);
  for (int door = 0; door < 2 && small != NULL; door++)
    for (uint64_t k = 1; k <= 3; k++) {
      err = (SsError){0};
      ss_alloc_fail_at (k);
      SS_CHECK ((door == 0 ? ss_lemke_solve (small, 20, M, 20, q, 99, z, &result, &err)
                           : ss_lemke_try (small, 20, M, 20, q, support, z, &result, &err)) == SS_ERR_MEMORY);
      ss_alloc_fail_at (0);
      SS_CHECK (err.status == SS_ERR_MEMORY && err.message[0] != '\0');
    }
  if (small != NULL)
    SS_CHECK (ss_lemke_solve (small, 20, M, 20, q, 3000, z, &result, &err) == SS_OK && violation (20) < 1e-12);
  ss_lemke_free (small);
}

int
main (void)
{
  SsError err;
  if (ss_lemke_new (4, &lemke, &err) != SS_OK)
    return 1;
  SS_RUN (test_planted_positive_definite);
  SS_RUN (test_badly_scaled);
  SS_RUN (test_semidefinite);
  SS_RUN (test_enumeration);
  SS_RUN (test_infeasible_and_degenerate);
  SS_RUN (test_friction_problems);
  SS_RUN (test_warm_start);
  SS_RUN (test_not_finite);
  SS_RUN (test_no_allocation_and_memory_failure);
  ss_lemke_free (lemke);
  return ss_test_finish ();
}
