/* tests/unit/test-least-distance.c: the shortest r with G r >= h, proved by its own multipliers: r = G' u with u >= 0
 * that is 0 where a row is met with room is the shortest (the problem is convex); u >= 0 with G' u = 0 and h' u > 0
 * proves that there is none (Farkas). Which of both holds is known from how the rows are made. */
#include "lcp/ss-least-distance.h"
#include "core/ss-random.h"
#include "../ss-test.h"

enum { N_MAX = 20, ROWS_MAX = 24 };

static double G[ROWS_MAX * N_MAX], h[ROWS_MAX], r[N_MAX], u[ROWS_MAX];

/* Rounding of sums of 20 products, with rows that are opposite to 1e-4. */
static const double ACCURATE = 1e-9;

static bool
solve (int n, int rows)
{
  bool exists;
  SS_CHECK (ss_least_distance (n, rows, G, h, r, u, &exists, NULL) == SS_OK);
  return exists;
}

static void
check_shortest (int n, int rows)
{
  double left[N_MAX], size = ss_norm_2 (n, r);

  memcpy (left, r, sizeof left);
  for (int k = 0; k < rows; k++) {
    const double *g = G + k * n, room = ss_dot (n, g, r) - h[k];
    SS_CHECK (u[k] >= 0 && room >= -ACCURATE * h[k]);
    SS_CHECK (u[k] * fmax (0, room) <= ACCURATE * size * size);
    ss_axpy (n, -u[k], g, left);
  }
  SS_CHECK (ss_norm_2 (n, left) <= ACCURATE * size);
}

static void
check_none (int n, int rows)
{
  double sum[N_MAX] = {0}, reach = 0, size = 0;

  for (int k = 0; k < rows; k++) {
    SS_CHECK (u[k] >= 0);
    ss_axpy (n, u[k], G + k * n, sum);
    reach += u[k];
    size = fmax (size, u[k] * ss_norm_2 (n, G + k * n));
  }
  SS_CHECK (reach > 0 && ss_norm_2 (n, sum) <= ACCURATE * size);
}

static int
below (SsRandom *random, int n)
{
  return (int)(ss_random_uniform (random) * n);
}

static void
random_row (SsRandom *random, int n, double scale, double *g)
{
  for (int i = 0; i < n; i++)
    g[i] = scale * ss_random_normal (random);
}

/* A direction has an angle below a right one with every row, however near to it: some have pairs of rows that are
 * opposite but for `margin`, as the sides of narrow friction cones are. */
static void
test_planted_direction (void)
{
  SsRandom random;

  ss_random_seed (&random, 11);
  for (int round = 0; round < 2000; round++) {
    const int n = 2 + below (&random, N_MAX - 2), rows = 1 + below (&random, ROWS_MAX);
    const double margin = pow (10, -4 * ss_random_uniform (&random));
    double direction[N_MAX];
    random_row (&random, n, 1, direction);
    const double size = ss_norm_2 (n, direction);
    for (int k = 0; k < rows; k++) {
      double *g = G + k * n;
      const double scale = pow (10, ss_random_between (&random, -2, 2));
      if (k % 2 == 0)
        random_row (&random, n, 1, g);
      else
        for (int i = 0; i < n; i++)
          g[i] = -G[(k - 1) * n + i];
      const double part = ss_dot (n, g, direction) / (size * size);
      ss_axpy (n, -part + margin * ss_random_between (&random, 1, 2) / size, direction, g);
      h[k] = scale;
      for (int i = 0; i < n; i++)
        g[i] *= scale;
    }
    SS_CHECK (solve (n, rows));
    check_shortest (n, rows);
  }
}

/* Some combination of rows is 0. */
static void
test_planted_proof (void)
{
  SsRandom random;

  ss_random_seed (&random, 12);
  for (int round = 0; round < 2000; round++) {
    const int n = 1 + below (&random, N_MAX - 1), rows = 2 + below (&random, ROWS_MAX - 1);
    const int last = 1 + below (&random, rows - 1);
    double sum[N_MAX] = {0};
    for (int k = 0; k < rows; k++) {
      random_row (&random, n, pow (10, ss_random_between (&random, -2, 2)), G + k * n);
      h[k] = ss_random_between (&random, 0.1, 10);
      if (k < last)
        ss_axpy (n, ss_random_uniform (&random), G + k * n, sum);
    }
    for (int i = 0; i < n; i++)
      G[last * n + i] = -sum[i];
    SS_CHECK (!solve (n, rows));
    check_none (n, rows);
  }
}

static void
test_edges (void)
{
  const double two[4] = {3, 4, 3, 4};

  SS_CHECK (solve (3, 0) && ss_norm_2 (3, r) == 0);
  memcpy (G, two, sizeof two);
  h[0] = 5, h[1] = 10;
  SS_CHECK (solve (2, 1));
  SS_CHECK_NEAR (r[0], 0.6, 1e-15);
  SS_CHECK (solve (2, 2)); /* the same row twice: the further one counts */
  SS_CHECK_NEAR (r[1], 1.6, 1e-15);
  G[0] = G[1] = 0;
  SS_CHECK (!solve (2, 2));
  check_none (2, 2);
}

static void
test_no_memory (void)
{
  bool exists;

  for (uint64_t k = 1; k <= 9; k++) {
    ss_alloc_fail_at (k);
    SS_CHECK (ss_least_distance (2, 2, G, h, r, u, &exists, NULL) == SS_ERR_MEMORY && !exists);
    ss_alloc_fail_at (0);
  }
}

/* The cone between (1, 0) and (0.6, 0.8): a point in it is a sum, of one above it the foot lies on the edge, of one
 * behind it at the tip. */
static void
test_distance_to_a_cone (void)
{
  static const double columns[] = {1, 0, .6, .8};
  static const struct {
    double x[2], distance, weights[2];
  } cases[] = {{{2.2, 1.6}, 0, {1, 2}},
               {{-.8 + .6, .6 + .8}, 1, {0, 1}},
               {{-1, -2}, 2.23606797749979, {0, 0}},
               {{3, -2}, 2, {3, 0}}};
  SsError err;

  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    double weights[2], distance;
    SS_CHECK (ss_distance_to_cone (2, 2, columns, cases[k].x, weights, &distance, &err) == SS_OK);
    SS_CHECK_NEAR (distance, cases[k].distance, 1e-14);
    SS_CHECK_NEAR (weights[0], cases[k].weights[0], 1e-14);
    SS_CHECK_NEAR (weights[1], cases[k].weights[1], 1e-14);
  }
}

int
main (void)
{
  SS_RUN (test_planted_direction);
  SS_RUN (test_planted_proof);
  SS_RUN (test_edges);
  SS_RUN (test_distance_to_a_cone);
  SS_RUN (test_no_memory);
  return ss_test_finish ();
}
