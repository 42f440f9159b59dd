/* tests/unit/test-qp.c: the l1-penalised trust-region QP [004 (12a)-(12d)].
 *
 * Truth: planted optima (the problem is built backwards from a primal-dual pair); KKT residuals recomputed here with
 * dense loops; and weak duality: for a diagonal Hessian every y in its intervals gives the lower bound
 *   -y'c + sum_j min_{l_j <= p_j <= u_j} (g - J'y)_j p_j + H_jj p_j^2 / 2
 * in closed form, so that equal bounds prove optimality without any other solver. */
#include "qp/ss-qp-private.h" /* n_groups: whether lanes are in use */
#include "tests/ss-test.h"

#include <stdlib.h>

enum { MAX_N = 120, MAX_ROWS = 400, MAX_ENTRIES = 4000 };

typedef struct {
  int n, n_eq, n_rows;
  SsPattern hessian, jacobian;
  double h[MAX_ENTRIES], j[MAX_ENTRIES], g[MAX_N], c[MAX_ROWS], mu[MAX_ROWS], lower[MAX_N], upper[MAX_N];
  bool is_outside[MAX_ROWS], has_outside;
  double p[MAX_N], y[MAX_ROWS]; /* planted */
} Problem;

static SsQpOptions
tight_options (void)
{
  SsQpOptions o;
  ss_qp_options_init (&o);
  o.tolerance_residual = 1e-9; /* multipliers of 1e4 and more leave no digits beyond */
  o.tolerance_gap = 1e-9;
  return o;
}

static SsQpData
data_of (const Problem *q)
{
  return (SsQpData){q->h, q->g, q->j, q->c, q->mu, q->lower, q->upper};
}

static void
clear (Problem *q)
{
  ss_pattern_clear (&q->hessian);
  ss_pattern_clear (&q->jacobian);
}

static SsQp *
new_qp (const Problem *q, const SsQpOptions *options)
{
  SsQp *qp = NULL;
  SsQpShape shape = {q->n,        q->n_eq,      q->n_rows - q->n_eq,
                     &q->hessian, &q->jacobian, q->has_outside ? q->is_outside : NULL};
  SS_CHECK (ss_qp_new (&shape, options, &qp, NULL) == SS_OK);
  return qp;
}

/* Random rows of 0 to 6 entries (0 for one row in 25), Hessian B'B (or diagonal) on the first half of the variables. */
static void
make_patterns (Problem *q, SsRandom *random, int n, int n_eq, int n_rows, bool diagonal)
{
  static int major[MAX_ENTRIES], minor[MAX_ENTRIES], slot[MAX_ENTRIES];
  int t = 0;
  *q = (Problem){.n = n, .n_eq = n_eq, .n_rows = n_rows};
  for (int i = 0; i < n_rows; i++) {
    int entries = i % 25 == 24 ? 0 : i < n_eq ? 3 + i % 4 : 1 + i % 5;
    for (int e = 0; e < entries; e++, t++) {
      major[t] = i;
      minor[t] = (int)(ss_random_next (random) % (uint64_t)n);
    }
  }
  SS_CHECK (ss_pattern_from_triplets (&q->jacobian, n_rows, n, t, major, minor, slot, NULL) == SS_OK);
  for (int k = 0; k < q->jacobian.start[n_rows]; k++)
    q->j[k] = ss_random_between (random, -2, 2);
  t = 0;
  for (int j = 0; j < n / 2; j++) {
    major[t] = minor[t] = j, t++;
    if (!diagonal && j + 1 < n / 2)
      major[t] = j, minor[t] = j + 1, t++;
  }
  SS_CHECK (ss_pattern_from_triplets (&q->hessian, n, n, t, major, minor, slot, NULL) == SS_OK);
  for (int j = 0; j < n; j++)
    for (int k = q->hessian.start[j]; k < q->hessian.start[j + 1]; k++)
      q->h[k] = q->hessian.index[k] == j ? ss_random_between (random, 2, 3) : ss_random_between (random, -1, 1);
}

/* out += J'v */
static void
add_transposed (const Problem *q, const double *v, double *out)
{
  for (int i = 0; i < q->n_rows; i++)
    for (int k = q->jacobian.start[i]; k < q->jacobian.start[i + 1]; k++)
      out[q->jacobian.index[k]] += q->j[k] * v[i];
}

static double
row_value (const Problem *q, int i, const double *p)
{
  double sum = q->c[i];
  for (int k = q->jacobian.start[i]; k < q->jacobian.start[i + 1]; k++)
    sum += q->j[k] * p[q->jacobian.index[k]];
  return sum;
}

static void
add_hessian (const Problem *q, const double *p, double *out)
{
  for (int j = 0; j < q->n; j++)
    for (int k = q->hessian.start[j]; k < q->hessian.start[j + 1]; k++) {
      int i = q->hessian.index[k];
      out[i] += q->h[k] * p[j];
      if (i != j)
        out[j] += q->h[k] * p[i];
    }
}

/* q(p) - q(0) */
static double
model (const Problem *q, const double *p)
{
  double hp[MAX_N] = {0}, value = 0;
  add_hessian (q, p, hp);
  for (int j = 0; j < q->n; j++)
    value += (q->g[j] + 0.5 * hp[j]) * p[j];
  for (int i = 0; i < q->n_rows; i++) {
    if (q->is_outside[i])
      continue;
    double now = row_value (q, i, p), old = q->c[i];
    value += i < q->n_eq ? q->mu[i] * (fabs (now) - fabs (old)) : q->mu[i] * (fmax (0, -now) - fmax (0, -old));
  }
  return value;
}

/* Lower bound of the model's minimum from multipliers; diagonal Hessian. */
static double
dual_bound (const Problem *q, const double *y)
{
  double slope[MAX_N], value = 0, h[MAX_N] = {0}, minus_y[MAX_ROWS];
  for (int i = 0; i < q->n_rows; i++) {
    double yi = fmin (q->mu[i], fmax (i < q->n_eq ? -q->mu[i] : 0, y[i]));
    minus_y[i] = -yi;
    value -= yi * q->c[i];
    value -= i < q->n_eq ? q->mu[i] * fabs (q->c[i]) : q->mu[i] * fmax (0, -q->c[i]); /* relative to q(0) */
  }
  memcpy (slope, q->g, sizeof slope);
  add_transposed (q, minus_y, slope);
  for (int j = 0; j < q->n; j++)
    for (int k = q->hessian.start[j]; k < q->hessian.start[j + 1]; k++)
      h[j] = q->h[k];
  for (int j = 0; j < q->n; j++) {
    double p = h[j] > 0       ? fmin (q->upper[j], fmax (q->lower[j], -slope[j] / h[j]))
               : slope[j] > 0 ? q->lower[j]
                              : q->upper[j];
    value += slope[j] * p + 0.5 * h[j] * p * p;
  }
  return value;
}

/* Plants an optimum: a third of the rows active with a multiplier inside, a third satisfied, a third violated; a
 * quarter of the bounds active. Boxes around zero, or anywhere, many of them without zero. */
static void
plant_in (Problem *q, SsRandom *random, double mu, bool beside_zero)
{
  double minus[MAX_ROWS], bound[MAX_N] = {0};
  for (int j = 0; j < q->n; j++) {
    double radius = ss_random_between (random, 0.5, 2), at = ss_random_between (random, -0.9, 0.9) * radius;
    double centre = beside_zero ? ss_random_between (random, -1.5, 1.5) * radius : 0;
    q->lower[j] = centre - radius;
    q->upper[j] = centre + radius;
    q->p[j] = centre + at;
    if (j % 4 == 3) {
      q->p[j] = at > 0 ? q->upper[j] : q->lower[j];
      bound[j] = (at > 0 ? -1 : 1) * ss_random_between (random, 0.1, 3); /* lower minus upper multiplier */
    }
  }
  for (int i = 0; i < q->n_rows; i++) {
    q->mu[i] = mu * ss_random_between (random, 0.5, 2);
    q->c[i] = 0;
    double at = row_value (q, i, q->p), off = ss_random_between (random, 0.1, 1);
    if (i < q->n_eq) { /* equality: on the row inside (-mu, mu), or off it at an end */
      double kind[] = {ss_random_between (random, -0.8, 0.8) * q->mu[i], -q->mu[i], q->mu[i]};
      q->y[i] = kind[i % 3];
      q->c[i] = -at + (i % 3 == 1 ? off : i % 3 == 2 ? -off : 0);
    } else {
      double kind[] = {ss_random_between (random, 0.1, 0.9) * q->mu[i], 0, q->mu[i]};
      q->y[i] = kind[i % 3];
      q->c[i] = -at + (i % 3 == 1 ? off : i % 3 == 2 ? -off : 0);
    }
    if (q->jacobian.start[i] == q->jacobian.start[i + 1] || q->is_outside[i])
      q->y[i] = 0;
  }
  memset (q->g, 0, sizeof q->g);
  add_hessian (q, q->p, q->g);
  for (int j = 0; j < q->n; j++)
    q->g[j] = -q->g[j] + bound[j];
  memcpy (minus, q->y, sizeof minus);
  add_transposed (q, minus, q->g);
}

static void
plant (Problem *q, SsRandom *random, double mu)
{
  plant_in (q, random, mu, false);
}

/* Largest KKT residual from the data alone; the bound multipliers are what the stationarity leaves over. */
static double
kkt_residual (const Problem *q, const SsQpResult *r, double *complementarity)
{
  double f[MAX_N], minus[MAX_ROWS], worst = 0;
  memcpy (f, q->g, sizeof f);
  add_hessian (q, r->p, f);
  *complementarity = 0;
  for (int i = 0; i < q->n_rows; i++) {
    double at = row_value (q, i, r->p), y = r->multipliers[i], lo = i < q->n_eq ? -q->mu[i] : 0;
    if (q->is_outside[i]) {
      worst = fmax (worst, fabs (y));
      minus[i] = 0;
      continue;
    }
    minus[i] = -y;
    worst = fmax (worst, fmax (lo - y, y - q->mu[i]));
    /* positive part of the row against the lower end of the interval, negative part against the upper end */
    *complementarity += fmax (0, at) * (y - lo) + fmax (0, -at) * (q->mu[i] - y);
  }
  add_transposed (q, minus, f);
  for (int j = 0; j < q->n; j++) {
    worst = fmax (worst, fmax (q->lower[j] - r->p[j], r->p[j] - q->upper[j]));
    /* f > 0 needs p at its lower end, f < 0 at the upper one */
    *complementarity += f[j] > 0 ? f[j] * (r->p[j] - q->lower[j]) : -f[j] * (q->upper[j] - r->p[j]);
  }
  return worst;
}

static void
test_planted_optima (void)
{
  static Problem q;
  SsRandom random;
  ss_random_seed (&random, 11);
  SsQpOptions tight = tight_options ();
  for (int trial = 0; trial < 12; trial++) {
    make_patterns (&q, &random, 60 + 5 * trial, 15 + trial, 150 + 10 * trial, trial % 2 == 0);
    plant (&q, &random, trial % 3 == 2 ? 1000 : 5);
    SsQp *qp = new_qp (&q, &tight);
    SsQpData data = data_of (&q);
    SsQpResult r;
    SS_CHECK (ss_qp_solve (qp, &data, NULL, &r, NULL) == SS_OK);
    SS_CHECK (r.outcome == SS_OUTCOME_SOLVED);
    double best = model (&q, q.p), scale = 1 + fabs (best), comp;
    SS_CHECK_NEAR (r.model_change, best, 1e-7 * scale); /* the accuracy of the optimal value */
    SS_CHECK_NEAR (r.model_change, model (&q, r.p),
                   1e-10 * scale);                   /* the report is what the point gives: rounding only */
    SS_CHECK (kkt_residual (&q, &r, &comp) <= 1e-9); /* intervals and box hold up to rounding */
    SS_CHECK_NEAR (comp, 0, 1e-6 * scale);           /* gap and residual tolerances times path lengths */
    SS_CHECK (r.iterations < 40);
    ss_qp_free (qp);
    clear (&q);
  }
}

/* Boxes that need not hold zero, as bounds of variables make them, and rows that are left out: a seventh, whose numbers
 * must not matter. The box's multipliers are what stationarity leaves over. */
static void
test_boxes_beside_zero (void)
{
  static Problem q;
  SsRandom random;
  ss_random_seed (&random, 13);
  SsQpOptions tight = tight_options ();
  for (int trial = 0; trial < 8; trial++) {
    make_patterns (&q, &random, 60 + 5 * trial, 15 + trial, 150 + 10 * trial, trial % 2 == 0);
    q.has_outside = trial % 4 < 2;
    for (int i = q.n_eq; i < q.n_rows && q.has_outside; i++)
      q.is_outside[i] = i % 7 == 5;
    plant_in (&q, &random, trial % 3 == 2 ? 1000 : 5, true);
    SsQp *qp = new_qp (&q, &tight);
    SsQpData data = data_of (&q);
    SsQpResult r;
    SS_CHECK (ss_qp_solve (qp, &data, NULL, &r, NULL) == SS_OK);
    SS_CHECK (r.outcome == SS_OUTCOME_SOLVED);
    double best = model (&q, q.p), scale = 1 + fabs (best), comp, f[MAX_N], minus[MAX_ROWS];
    SS_CHECK_NEAR (r.model_change, best, 1e-7 * scale); /* as in test_planted_optima */
    SS_CHECK (kkt_residual (&q, &r, &comp) <= 1e-9);
    SS_CHECK_NEAR (comp, 0, 1e-6 * scale);
    double dual_tolerance = tight.tolerance_residual * (1 + ss_norm_inf (q.n, q.g)); /* what the solver stops at */
    memcpy (f, q.g, sizeof f);
    add_hessian (&q, r.p, f);
    for (int i = 0; i < q.n_rows; i++)
      minus[i] = -r.multipliers[i];
    add_transposed (&q, minus, f);
    for (int j = 0; j < q.n; j++) {
      SS_CHECK (r.at_lower[j] > 0 && r.at_upper[j] > 0);
      SS_CHECK_NEAR (f[j], r.at_lower[j] - r.at_upper[j], dual_tolerance);
    }
    ss_qp_free (qp);
    clear (&q);
  }
}

/* A chain of POINTS points with PER_POINT variables: rows link neighbours and hold within a point; the first and the
 * last point have rows of their own. With `shuffle`, variables and rows in random order. */
static void
make_chain (Problem *q, SsRandom *random, bool shuffle)
{
  enum { POINTS = 30, PER_POINT = 4, LINKS = 2, LIMITS = 6 };
  static int major[MAX_ENTRIES], minor[MAX_ENTRIES], slot[MAX_ENTRIES];
  int variable[MAX_N], row[MAX_ROWS], t = 0, r = 0;
  *q = (Problem){.n = POINTS * PER_POINT, .n_eq = (POINTS - 1) * LINKS + 3};
  q->n_rows = q->n_eq + POINTS * LIMITS;
  for (int i = 0; i < q->n; i++)
    variable[i] = i;
  for (int i = 0; i < q->n_rows; i++)
    row[i] = i;
  for (int i = q->n - 1; i > 0 && shuffle; i--) {
    int j = (int)(ss_random_next (random) % (uint64_t)(i + 1)), old = variable[i];
    variable[i] = variable[j];
    variable[j] = old;
  }
#define ENTRY(point, part) (major[t] = row[r], minor[t++] = variable[(point)*PER_POINT + (part)])
  for (int k = 0; k < POINTS - 1; k++) {
    ENTRY (k, 0), ENTRY (k, 1), ENTRY (k + 1, 0), r++;
    ENTRY (k, 1), ENTRY (k, 2), ENTRY (k, 3), ENTRY (k + 1, 1), r++;
  }
  ENTRY (0, 0), r++;
  ENTRY (0, 1), r++;
  ENTRY (POINTS - 1, 0), ENTRY (POINTS - 1, 1), r++;
  for (int k = 0; k < POINTS; k++) {
    ENTRY (k, 2), r++;
    ENTRY (k, 3), r++;
    ENTRY (k, 2), ENTRY (k, 3), r++;
    ENTRY (k, 0), ENTRY (k, 2), r++;
    ENTRY (k, 0), ENTRY (k, 1), ENTRY (k, 3), r++;
    ENTRY (k, 1), r++;
  }
#undef ENTRY
  SS_CHECK (r == q->n_rows);
  SS_CHECK (ss_pattern_from_triplets (&q->jacobian, q->n_rows, q->n, t, major, minor, slot, NULL) == SS_OK);
  for (int k = 0; k < t; k++)
    q->j[k] = ss_random_between (random, 0.5, 2) * (ss_random_uniform (random) < 0.5 ? -1 : 1);
  t = 0;
  for (int k = 0; k < POINTS; k++)
    for (int part = 0; part < 2; part++)
      major[t] = minor[t] = variable[k * PER_POINT + part], t++;
  SS_CHECK (ss_pattern_from_triplets (&q->hessian, q->n, q->n, t, major, minor, slot, NULL) == SS_OK);
  for (int k = 0; k < t; k++)
    q->h[k] = ss_random_between (random, 0.1, 3);
}

/* A chain is solved in lanes; its optima are planted, and the answer of the same chain without recognisable order is as
 * good. */
static void
test_chains (void)
{
  static Problem q;
  SsRandom random;
  ss_random_seed (&random, 17);
  SsQpOptions tight = tight_options ();
  for (int trial = 0; trial < 10; trial++) {
    make_chain (&q, &random, trial % 2 == 1);
    plant (&q, &random, trial % 3 == 2 ? 1000 : 5);
    SsQp *qp = new_qp (&q, &tight);
    SS_CHECK ((qp->n_groups > 0) == (trial % 2 == 0)); /* lanes are found, and only where they are */
    SS_CHECK (trial % 2 == 1 || (qp->eq.n_groups > 0 && qp->general.n_groups > 0 && qp->n_two_groups > 0));
    SsQpData data = data_of (&q);
    SsQpResult r;
    SS_CHECK (ss_qp_solve (qp, &data, NULL, &r, NULL) == SS_OK);
    SS_CHECK (r.outcome == SS_OUTCOME_SOLVED);
    double best = model (&q, q.p), scale = 1 + fabs (best), comp;
    SS_CHECK_NEAR (r.model_change, best, 1e-7 * scale);             /* as in test_planted_optima */
    SS_CHECK_NEAR (r.model_change, model (&q, r.p), 1e-10 * scale); /* rounding only              */
    SS_CHECK (kkt_residual (&q, &r, &comp) <= 1e-9);
    SS_CHECK_NEAR (comp, 0, 1e-6 * scale);
    ss_qp_free (qp);
    clear (&q);
  }
}

/* A correction moves p so that rows held at their bound (multiplier inside its interval) follow a change of their
 * constants. */
static void
test_correction (void)
{
  static Problem q;
  static double delta[MAX_ROWS];
  SsRandom random;
  ss_random_seed (&random, 19);
  SsQpOptions tight = tight_options ();
  for (int trial = 0; trial < 6; trial++) {
    double dp[MAX_N], row[MAX_ROWS], before[MAX_N];
    if (trial % 2 == 0)
      make_chain (&q, &random, false);
    else
      make_patterns (&q, &random, 60, 10, 40, false); /* few rows: those held are independent */
    plant (&q, &random, 5);
    SsQp *qp = new_qp (&q, &tight);
    SsQpData data = data_of (&q);
    SsQpResult r;
    SS_CHECK (ss_qp_solve (qp, &data, NULL, &r, NULL) == SS_OK && r.outcome == SS_OUTCOME_SOLVED);
    memcpy (before, r.p, (size_t)q.n * sizeof (double));
    /* The change of a small step s of all variables: rows held must go back by J s. Equal changes of dependent rows
     * stay consistent. */
    double step[MAX_N];
    for (int j = 0; j < q.n; j++)
      step[j] = j % 4 == 3 ? 0 : 1e-3 * ss_random_normal (&random); /* variables at their radius cannot move */
    for (int i = 0; i < q.n_rows; i++)
      delta[i] = row_value (&q, i, step) - q.c[i];
    SS_CHECK (ss_qp_correct (qp, delta, dp));
    SS_CHECK (memcmp (before, r.p, (size_t)q.n * sizeof (double)) == 0); /* the answer stays */
    for (int i = 0; i < q.n_rows; i++) {
      double held =
          i < q.n_eq ? q.mu[i] - fabs (r.multipliers[i]) : fmin (r.multipliers[i], q.mu[i] - r.multipliers[i]);
      row[i] = row_value (&q, i, dp) - q.c[i];
      if (held > 0.05 && q.jacobian.start[i] < q.jacobian.start[i + 1])
        SS_CHECK_NEAR (row[i], -delta[i], 1e-6); /* weights of rows held are about held^2 over 1e-9 */
    }
    ss_qp_free (qp);
    clear (&q);
  }
}

static void
test_duality_certifies_random_problems (void)
{
  static Problem q;
  SsRandom random;
  ss_random_seed (&random, 7);
  SsQpOptions tight = tight_options ();
  for (int trial = 0; trial < 12; trial++) {
    make_patterns (&q, &random, 80, 20, 200, true);
    for (int j = 0; j < q.n; j++) {
      q.g[j] = ss_random_between (&random, -3, 3);
      q.upper[j] = pow (10, ss_random_between (&random, -2, 1));
      q.lower[j] = trial % 3 == 0 ? -q.upper[j] : -1e-9 * pow (10, ss_random_between (&random, 0, 9)); /* almost 0 */
    }
    for (int i = 0; i < q.n_rows; i++) {
      q.c[i] = ss_random_between (&random, -1, 1);
      q.mu[i] = pow (10, ss_random_between (&random, 0, trial % 4 + 1)); /* up to 1e4 side by side with 1 */
    }
    SsQp *qp = new_qp (&q, &tight);
    SsQpData data = data_of (&q);
    SsQpResult r;
    SS_CHECK (ss_qp_solve (qp, &data, NULL, &r, NULL) == SS_OK);
    SS_CHECK (r.outcome == SS_OUTCOME_SOLVED);
    double lower = dual_bound (&q, r.multipliers);
    SS_CHECK_NEAR (r.model_change, lower, 1e-7 * (1 + fabs (lower)));
    SS_CHECK (r.model_change >= lower - 1e-9 * (1 + fabs (lower))); /* weak duality, up to rounding */
    ss_qp_free (qp);
    clear (&q);
  }
}

/* The default tolerances promise 1e-3 of the value; measured here against the planted optimum. */
static void
test_default_tolerances (void)
{
  static Problem q;
  SsRandom random;
  ss_random_seed (&random, 3);
  for (int trial = 0; trial < 6; trial++) {
    make_patterns (&q, &random, 100, 30, 240, false);
    plant (&q, &random, 10);
    SsQp *qp = new_qp (&q, NULL);
    SsQpData data = data_of (&q);
    SsQpResult r;
    SS_CHECK (ss_qp_solve (qp, &data, NULL, &r, NULL) == SS_OK);
    SS_CHECK (r.outcome == SS_OUTCOME_SOLVED);
    double best = model (&q, q.p);
    SS_CHECK (r.model_change >= best - 1e-9 * (1 + fabs (best)));
    SS_CHECK (r.model_change <= best + 1e-2 * (1 + fabs (best)));
    SS_CHECK (r.iterations <= 25);
    ss_qp_free (qp);
    clear (&q);
  }
}

/* No cost at all: every p is optimal among those that keep the rows, and the answer is the middle of the box. */
static void
test_flat_problem_stays_in_the_middle (void)
{
  static Problem q;
  SsRandom random;
  ss_random_seed (&random, 5);
  make_patterns (&q, &random, 40, 0, 60, true);
  memset (q.h, 0, sizeof q.h);
  for (int j = 0; j < q.n; j++)
    q.lower[j] = -1, q.upper[j] = 1;
  for (int i = 0; i < q.n_rows; i++)
    q.mu[i] = 1, q.c[i] = 50; /* far from active: rows have at most five entries of at most 2 */
  SsQp *qp = new_qp (&q, NULL);
  SsQpData data = data_of (&q);
  SsQpResult r;
  SS_CHECK (ss_qp_solve (qp, &data, NULL, &r, NULL) == SS_OK);
  SS_CHECK (r.outcome == SS_OUTCOME_SOLVED);
  for (int j = 0; j < q.n; j++)
    SS_CHECK_NEAR (r.p[j], 0, 0.2); /* rows 50 away pull by mu/50 at most against the box's barrier */
  SS_CHECK_NEAR (r.model_change, 0, 1e-12);
  ss_qp_free (qp);
  clear (&q);
}

/* Contradicting and repeated rows, variables nobody uses, zero rows: degenerate, still an optimum with a
 * certificate. */
static void
test_degenerate_rows (void)
{
  static Problem q;
  SsRandom random;
  ss_random_seed (&random, 9);
  SsQpOptions tight = tight_options ();
  make_patterns (&q, &random, 60, 20, 160, true);
  for (int i = 0; i < q.n_rows; i++) {
    q.c[i] = 0;
    q.mu[i] = i % 7 == 0 ? 1e6 : 10;
  }
  for (int i = 21; i < q.n_rows;
       i++) { /* copies of the row five before, where the lengths agree, turned round: a >= 0 and -a >= 0 */
    int from = q.jacobian.start[i - 5], to = q.jacobian.start[i], q_i = q.jacobian.start[i + 1] - to;
    if (i - 5 < q.n_eq || q.jacobian.start[i - 4] - from != q_i)
      continue;
    bool same = memcmp (q.jacobian.index + from, q.jacobian.index + to, (size_t)q_i * sizeof (int)) == 0;
    for (int k = 0; k < q_i && same; k++)
      q.j[to + k] = -q.j[from + k];
  }
  for (int j = 0; j < q.n; j++)
    q.lower[j] = -1, q.upper[j] = 1, q.g[j] = j % 3 - 1;
  SsQp *qp = new_qp (&q, &tight);
  SsQpData data = data_of (&q);
  SsQpResult r;
  SS_CHECK (ss_qp_solve (qp, &data, NULL, &r, NULL) == SS_OK);
  double lower = dual_bound (&q, r.multipliers);
  SS_CHECK_NEAR (r.model_change, lower, 1e-7 * (1 + fabs (lower)));
  ss_qp_free (qp);
  clear (&q);
}

static void
test_no_allocation_and_repeatable (void)
{
  static Problem q;
  static double first[MAX_N];
  SsRandom random;
  ss_random_seed (&random, 21);
  make_patterns (&q, &random, 70, 20, 180, false);
  plant (&q, &random, 5);
  SsQp *qp = new_qp (&q, NULL);
  SsQpData data = data_of (&q);
  SsQpResult r;
  uint64_t before = ss_alloc_count ();
  SS_CHECK (ss_qp_solve (qp, &data, NULL, &r, NULL) == SS_OK);
  memcpy (first, r.p, (size_t)q.n * sizeof (double));
  SS_CHECK (ss_qp_solve (qp, &data, NULL, &r, NULL) == SS_OK);
  SS_CHECK (ss_alloc_count () == before);
  SS_CHECK (memcmp (first, r.p, (size_t)q.n * sizeof (double)) == 0); /* cold start: same bits */
  ss_qp_free (qp);
  clear (&q);
}

static void
test_bad_data_fails (void)
{
  static Problem q;
  SsRandom random;
  ss_random_seed (&random, 23);
  make_patterns (&q, &random, 40, 10, 90, false);
  plant (&q, &random, 5);
  SsQp *qp = new_qp (&q, NULL);
  double *const places[] = {&q.g[3], &q.j[17], &q.c[5], &q.h[2], &q.lower[1], &q.upper[2], &q.mu[7]};
  const double bad[] = {NAN, INFINITY, -INFINITY};
  SsQpResult r;
  for (size_t p = 0; p < sizeof places / sizeof places[0]; p++)
    for (size_t b = 0; b < 3; b++) {
      double good = *places[p];
      *places[p] = bad[b];
      SsQpData data = data_of (&q);
      SS_CHECK (ss_qp_solve (qp, &data, NULL, &r, NULL) == SS_OK);
      SS_CHECK (r.outcome == SS_OUTCOME_FAILED);
      SS_CHECK (isfinite (r.p[0]));
      *places[p] = good;
    }
  q.mu[7] = 0; /* not positive */
  SsQpData data = data_of (&q);
  SS_CHECK (ss_qp_solve (qp, &data, NULL, &r, NULL) == SS_OK);
  SS_CHECK (r.outcome == SS_OUTCOME_FAILED);
  ss_qp_free (qp);
  clear (&q);
}

static void
test_cancel_and_limit (void)
{
  static Problem q;
  SsRandom random;
  ss_random_seed (&random, 29);
  make_patterns (&q, &random, 60, 15, 150, false);
  plant (&q, &random, 5);
  SsQpOptions few = tight_options ();
  few.max_iterations = 3;
  SsQp *qp = new_qp (&q, &few);
  SsQpData data = data_of (&q);
  SsQpResult r;
  SS_CHECK (ss_qp_solve (qp, &data, NULL, &r, NULL) == SS_OK);
  SS_CHECK (r.outcome == SS_OUTCOME_MAX_ITERATIONS);
  SS_CHECK (r.iterations == 3);
  SS_CHECK (r.residual_dual > 0 && r.gap > 0);
  SsRunControl control;
  ss_run_control_init (&control);
  ss_run_control_cancel (&control);
  SS_CHECK (ss_qp_solve (qp, &data, &control, &r, NULL) == SS_OK);
  SS_CHECK (r.outcome == SS_OUTCOME_CANCELLED);
  SS_CHECK (r.iterations == 0);
  ss_qp_free (qp);
  clear (&q);
}

/* Every allocation of ss_qp_new may fail: an error, no solver, no leak (the leak is for the sanitizer to see). */
static void
fail_every_allocation (Problem *q)
{
  SsQpShape shape = {q->n, q->n_eq, q->n_rows - q->n_eq, &q->hessian, &q->jacobian};
  SsStatus status = SS_ERR_MEMORY;
  uint64_t n = 0;
  while (status != SS_OK && n < 1000) {
    SsQp *qp = NULL;
    ss_alloc_fail_at (++n);
    status = ss_qp_new (&shape, NULL, &qp, NULL);
    ss_alloc_fail_at (0);
    SS_CHECK (status == SS_OK ? qp != NULL : qp == NULL && status == SS_ERR_MEMORY);
    ss_qp_free (qp);
  }
  SS_CHECK (status == SS_OK);
}

static void
test_out_of_memory (void)
{
  static Problem q;
  SsRandom random;
  ss_random_seed (&random, 31);
  make_patterns (&q, &random, 30, 8, 70, false);
  fail_every_allocation (&q);
  clear (&q);
  make_chain (&q, &random, false);
  fail_every_allocation (&q);
  clear (&q);
}

int
main (void)
{
  SS_RUN (test_planted_optima);
  SS_RUN (test_boxes_beside_zero);
  SS_RUN (test_chains);
  SS_RUN (test_correction);
  SS_RUN (test_duality_certifies_random_problems);
  SS_RUN (test_default_tolerances);
  SS_RUN (test_flat_problem_stays_in_the_middle);
  SS_RUN (test_degenerate_rows);
  SS_RUN (test_no_allocation_and_repeatable);
  SS_RUN (test_bad_data_fails);
  SS_RUN (test_cancel_and_limit);
  SS_RUN (test_out_of_memory);
  return ss_test_finish ();
}
