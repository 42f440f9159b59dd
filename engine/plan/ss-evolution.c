/* engine/plan/ss-evolution.c: see the header. */
#include "plan/ss-evolution.h"

#include "core/ss-memory.h"

#include <math.h>
#include <string.h>

/* Without a better point for so many generations, and one for each so many axes, it is over. */
enum { PATIENCE = 20, AXES_PATIENCE = 3 };

struct SsEvolution {
  SsRandom *random;
  int n, lambda, mu;
  double cs, ds, cc, c1, cmu, expected, weight_sum;   /* as in the paper; E |N (0, I)|; mu_eff */
  double *mean, *units, *variance, *path, *path_step; /* n each */
  double *weights;                                    /* mu */
  double *points, *costs;                             /* of the generation: lambda x n; lambda */
  int n_points, generations, since_better;
  double step, best;
};

void
ss_evolution_free (SsEvolution *evolution)
{
  if (evolution == NULL)
    return;
  ss_free (evolution->mean);
  ss_free (evolution);
}

SsStatus
ss_evolution_new (int n, SsRandom *random, SsEvolution **out, SsError *err)
{
  SS_ASSERT (n >= 0 && out != NULL);

  SsEvolution *e = ss_new (SsEvolution);
  double sum = 0, squares = 0;

  if (e == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  const int lambda = 4 + (int)(3 * log (n)), mu = lambda / 2;
  *e = (SsEvolution){.random = random, .n = n, .lambda = lambda, .mu = mu};
  e->mean = ss_new_array (double, (size_t)(5 * n + mu + lambda * n + lambda) + 1);
  if (e->mean == NULL) {
    ss_free (e);
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  }
  e->units = e->mean + n;
  e->variance = e->units + n;
  e->path = e->variance + n;
  e->path_step = e->path + n;
  e->weights = e->path_step + n;
  e->points = e->weights + mu;
  e->costs = e->points + (size_t)lambda * (size_t)n;
  for (int i = 0; i < mu; i++) {
    e->weights[i] = log (mu + 0.5) - log (i + 1);
    sum += e->weights[i];
  }
  for (int i = 0; i < mu; i++) {
    e->weights[i] /= sum;
    squares += e->weights[i] * e->weights[i];
  }
  const double m = e->weight_sum = 1 / squares, faster = (n + 2) / 3.0;
  e->cs = (m + 2) / (n + m + 5);
  e->ds = 1 + 2 * fmax (0, sqrt ((m - 1) / (n + 1)) - 1) + e->cs;
  e->cc = (4 + m / n) / (n + 4 + 2 * m / n);
  e->c1 = fmin (1, faster * 2 / ((n + 1.3) * (n + 1.3) + m));
  e->cmu = fmin (1 - e->c1, faster * 2 * (m - 2 + 1 / m) / ((n + 2.0) * (n + 2) + m));
  e->expected = sqrt (n) * (1 - 1 / (4.0 * n) + 1 / (21.0 * n * n));
  *out = e;
  return SS_OK;
}

void
ss_evolution_begin (SsEvolution *e, const double *mean, const double *units)
{
  SS_ASSERT (e != NULL);
  memcpy (e->mean, mean, (size_t)e->n * sizeof *mean);
  memcpy (e->units, units, (size_t)e->n * sizeof *units);
  for (int i = 0; i < e->n; i++) {
    e->variance[i] = 1;
    e->path[i] = e->path_step[i] = 0;
  }
  e->step = 1;
  e->n_points = e->generations = e->since_better = 0;
  e->best = INFINITY;
}

void
ss_evolution_draw (SsEvolution *e, double *x)
{
  SS_ASSERT (e != NULL);
  for (int i = 0; i < e->n; i++)
    x[i] = e->mean[i] + e->step * e->units[i] * sqrt (e->variance[i]) * ss_random_normal (e->random);
}

/* Mean, paths, variances and step follow the generation. */
static void
follow (SsEvolution *e)
{
  const int n = e->n;
  double length = 0;

  for (int i = 0; i < n; i++) {
    const double scale = e->step * e->units[i];
    double moved = 0, spread = 0;

    for (int k = 0; k < e->mu; k++) {
      const double y = (e->points[(size_t)k * (size_t)n + (size_t)i] - e->mean[i]) / scale;
      moved += e->weights[k] * y;
      spread += e->weights[k] * y * y;
    }
    e->mean[i] += scale * moved;
    e->path_step[i] =
        (1 - e->cs) * e->path_step[i] + sqrt (e->cs * (2 - e->cs) * e->weight_sum) * moved / sqrt (e->variance[i]);
    length += e->path_step[i] * e->path_step[i];
    e->path[i] = (1 - e->cc) * e->path[i] + sqrt (e->cc * (2 - e->cc) * e->weight_sum) * moved;
    e->variance[i] =
        fmax ((1 - e->c1 - e->cmu) * e->variance[i] + e->c1 * e->path[i] * e->path[i] + e->cmu * spread, 1e-12);
  }
  e->step *= exp (fmin (1, e->cs / e->ds * (sqrt (length) / e->expected - 1)));
  e->generations++;
  e->n_points = 0;
}

void
ss_evolution_tell (SsEvolution *e, const double *x, double cost)
{
  SS_ASSERT (e != NULL);

  const size_t n = (size_t)e->n;
  int place = e->n_points++;

  for (; place > 0 && cost < e->costs[place - 1]; place--) { /* the best first */
    e->costs[place] = e->costs[place - 1];
    memcpy (e->points + (size_t)place * n, e->points + (size_t)(place - 1) * n, n * sizeof *x);
  }
  e->costs[place] = cost;
  memcpy (e->points + (size_t)place * n, x, n * sizeof *x);
  if (e->n_points < e->lambda)
    return;
  const bool is_better = e->costs[0] < e->best * (1 - 1e-3) || (isinf (e->best) && isfinite (e->costs[0]));
  e->since_better = is_better ? 0 : e->since_better + 1;
  e->best = fmin (e->best, e->costs[0]);
  follow (e);
}

bool
ss_evolution_is_over (const SsEvolution *e, double part)
{
  return e->step < part || e->since_better > PATIENCE + e->n / AXES_PATIENCE;
}
