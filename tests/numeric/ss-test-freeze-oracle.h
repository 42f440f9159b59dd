/* tests/numeric/ss-test-freeze-oracle.h: the optimum of paper 001's Example 5 for any friction, height and number of
 * intervals, by a convex problem of its own and no code of the engine.
 *
 * A particle of mass 1 falls from `height`, slips after its impact until `stop` and sticks then. The fall is the same
 * under every push, so that with `stop` given its velocity and position there are linear in the pushes:
 *     sum u_k L_k = mu g t_h + mu g (stop - t_h)
 *     sum u_k (L_k (stop - t_k) - L_k^2 / 2) = target + mu g t_h (stop - t_h) + mu g (stop - t_h)^2 / 2
 * with L_k the part of interval k before `stop`. min sum w_k u_k^2 with |u_k| <= u_max is solved by its two
 * multipliers, the best `stop` by a scan and a golden section.
 */
#pragma once

#include <float.h>
#include <math.h>
#include <stdbool.h>

enum { SS_TEST_ORACLE_MAX = 64 };

typedef struct {
  double g, a_n, u_max, mu, height, target, horizon;
  int n;
  bool in_tau; /* cost over numerical time */
} SsTestOracle;

typedef struct {
  double cost, stop, u[SS_TEST_ORACLE_MAX]; /* cost INFINITY: no slip that ends at once with the target */
} SsTestOptimum;

typedef struct {
  int n;
  double w[SS_TEST_ORACLE_MAX], a[2][SS_TEST_ORACLE_MAX], most[SS_TEST_ORACLE_MAX], b[2];
} SsTestOracleProblem;

/* The problem of one `stop`. An interval that goes on after it must leave the particle stuck. */
static inline SsTestOracleProblem
ss_test_oracle_problem (const SsTestOracle *o, double stop)
{
  const double hit = sqrt (2 * o->height / o->g), length = o->horizon / o->n, rest = stop - hit, drag = o->mu * o->g;
  SsTestOracleProblem p = {.n = o->n,
                           .b = {drag * hit + drag * rest, o->target + drag * hit * rest + drag * rest * rest / 2}};

  for (int k = 0; k < o->n; k++) {
    const double t = k * length, part = fmax (fmin (t + length, stop) - t, 0),
                 flight = fmax (fmin (t + length, hit) - t, 0);

    p.a[0][k] = part;
    p.a[1][k] = part * (stop - t) - part * part / 2;
    p.most[k] = part > 0 && part < (1 - 1e-9) * length ? fmin (o->u_max, drag) : o->u_max;
    p.w[k] = length;
    if (o->in_tau)
      p.w[k] =
          flight + (length - flight) * (1 + o->g / o->a_n) + (t < hit && hit <= t + length ? o->g * hit / o->a_n : 0);
  }
  return p;
}

/* u of two multipliers; the dual function, to be maximised. */
static inline double
ss_test_oracle_dual (const SsTestOracleProblem *p, const double y[2], double *u)
{
  double value = y[0] * p->b[0] + y[1] * p->b[1];

  for (int k = 0; k < p->n; k++) {
    const double slope = y[0] * p->a[0][k] + y[1] * p->a[1][k];

    u[k] = fmax (-p->most[k], fmin (p->most[k], slope / (2 * p->w[k])));
    value += p->w[k] * u[k] * u[k] - slope * u[k];
  }
  return value;
}

/* Newton's method on the dual, which is piecewise quadratic, each step halved until it ascends but for rounding. */
static inline double
ss_test_oracle_solve (const SsTestOracleProblem *p, double *u)
{
  double y[2] = {0, 0}, best = ss_test_oracle_dual (p, y, u);

  for (int i = 0; i < 200; i++) {
    double h[2][2] = {{1e-14, 0}, {0, 1e-14}}, r[2] = {p->b[0], p->b[1]}, cost = 0;

    for (int k = 0; k < p->n; k++) {
      cost += p->w[k] * u[k] * u[k];
      for (int j = 0; j < 2; j++) {
        r[j] -= p->a[j][k] * u[k];
        for (int l = 0; l < 2 && fabs (u[k]) < p->most[k]; l++)
          h[j][l] += p->a[j][k] * p->a[l][k] / (2 * p->w[k]);
      }
    }
    if (fmax (fabs (r[0]), fabs (r[1])) < 1e-11)
      return cost;
    const double det = h[0][0] * h[1][1] - h[0][1] * h[1][0];
    const double step[2] = {(h[1][1] * r[0] - h[0][1] * r[1]) / det, (h[0][0] * r[1] - h[1][0] * r[0]) / det};
    double part = 1, value = -INFINITY, to[2] = {y[0], y[1]};

    for (; part > 1e-9 && !(value >= best - 1e-13 * fabs (best)); part /= 2) {
      to[0] = y[0] + part * step[0];
      to[1] = y[1] + part * step[1];
      value = ss_test_oracle_dual (p, to, u);
    }
    y[0] = to[0];
    y[1] = to[1];
    best = value;
  }
  return INFINITY;
}

static inline double
ss_test_oracle_cost (const SsTestOracle *o, double stop, double *u)
{
  const SsTestOracleProblem p = ss_test_oracle_problem (o, stop);

  return ss_test_oracle_solve (&p, u);
}

/* Between two stopping times around a local minimum. */
static inline double
ss_test_oracle_golden (const SsTestOracle *o, double low, double high)
{
  const double ratio = (sqrt (5) - 1) / 2;
  double u[SS_TEST_ORACLE_MAX];

  for (int i = 0; i < 60; i++) {
    const double left = high - ratio * (high - low), right = low + ratio * (high - low);

    if (ss_test_oracle_cost (o, left, u) < ss_test_oracle_cost (o, right, u))
      high = right;
    else
      low = left;
  }
  return (low + high) / 2;
}

static inline SsTestOptimum
ss_test_oracle (const SsTestOracle *o)
{
  enum { SCAN = 800 };
  const double hit = sqrt (2 * o->height / o->g);
  double cost[SCAN + 1], u[SS_TEST_ORACLE_MAX];
  SsTestOptimum best = {.cost = INFINITY};

  for (int i = 0; i <= SCAN; i++)
    cost[i] = ss_test_oracle_cost (o, hit + (o->horizon - hit) * i / SCAN, u);
  for (int i = 0; i <= SCAN; i++) {
    if (!isfinite (cost[i]) || (i > 0 && cost[i - 1] < cost[i]) || (i < SCAN && cost[i + 1] < cost[i]))
      continue;
    const double width = (o->horizon - hit) / SCAN, at = hit + width * i;
    const double stops[2] = {at, ss_test_oracle_golden (o, fmax (at - width, hit), fmin (at + width, o->horizon))};

    for (int k = 0; k < 2; k++) {
      const double found = ss_test_oracle_cost (o, stops[k], u);

      if (found < best.cost) {
        best.cost = found;
        best.stop = stops[k];
        for (int j = 0; j < o->n; j++)
          best.u[j] = u[j];
      }
    }
  }
  return best;
}
