/* engine/impact/ss-impact-step.c: builds the LCP of a step, has it solved as it stands, and checks the answer. */
#include "impact/ss-impact-step.h"

#include "lcp/ss-lemke-plain.h"

#include <math.h>
#include <string.h>

enum { MAX = SS_IMPACT_CONTACTS_MAX, SIZE_MAX_ = 5 * MAX };

/* An answer that misses the problem by a larger part is lost to round-off; scaled rows then have the next try. */
static const double accepted_part = 1e-9;

/* Covering vector of rows that are impulses: so many times what gives the lightest contact the speed 1. Any number is
 * as good; with this one the models of paper 002 have the answers that they have by ones, in their units. */
static const double impulse_cover = 16;

struct SsImpactStep {
  const SsImpact *impact; /* borrowed */
  SsImpactRows rows;
  SsLemkePlain *capped, *simultaneous;
  SsLemkePlain *spare[2]; /* with scaled rows, where `rows` are plain: capped, simultaneous */
  double divisor[MAX];    /* of the g rows */
  double cover[4 * MAX];  /* Lemke's covering vector where no other one is asked for  */
  double q[SIZE_MAX_], z[SIZE_MAX_];
};

/* W of the capped problem; of the simultaneous one from row and column m on. By columns
 * [002 (32)-(35) (73)-(74) (75b)]. */
static void
build (const SsImpact *impact, bool is_scaled, double *W)
{
  const int m = impact->m, size = 5 * m;

#define AT(i, j) W[(j)*size + (i)]
  memset (W, 0, (size_t)(size * size) * sizeof *W);
  for (int i = 0; i < 3 * m; i++)
    for (int j = 0; j < 3 * m; j++) {
      /* rows and columns ln_i, p_2i, p_2i+1 of J: Jn_i, Jt_i, -Jt_i */
      const int a = i < m ? i : m + (i - m) / 2, b = j < m ? j : m + (j - m) / 2;
      const bool is_negative = (i >= m && (i - m) % 2 == 1) != (j >= m && (j - m) % 2 == 1);
      const double d = impact->contact[b * 2 * m + a];
      AT (m + i, m + j) = is_negative ? -d : d;
    }
  for (int i = 0; i < m; i++) {
    const double by = is_scaled && impact->mu[i] > 1 ? impact->mu[i] : 1;
    AT (i, m + i) = -1;
    AT (m + i, i) = 1;
    AT (4 * m + i, m + i) = impact->mu[i] / by;
    for (int s = 0; s < 2; s++) {
      AT (2 * m + 2 * i + s, 4 * m + i) = 1;
      AT (4 * m + i, 2 * m + 2 * i + s) = -1 / by;
    }
  }
#undef AT
}

static SsStatus
make_kernels (const SsImpact *impact, bool is_scaled, SsLemkePlain **capped, SsLemkePlain **simultaneous, SsError *err)
{
  const int m = impact->m, size = 5 * m;
  double *W = ss_new_array (double, size *size);
  SsStatus status = ss_lemke_plain_new (size, capped, err);

  if (status == SS_OK)
    status = ss_lemke_plain_new (4 * m, simultaneous, err);
  if (status == SS_OK && W == NULL)
    status = ss_error_set (err, SS_ERR_MEMORY, "no memory for %d contacts", m);
  if (status == SS_OK) {
    build (impact, is_scaled, W);
    ss_lemke_plain_set_matrix (*capped, W, size);
    ss_lemke_plain_set_matrix (*simultaneous, W + m * size + m, size);
  }
  ss_free (W);
  return status;
}

/* Of the simultaneous problem: 1 of rows that are speeds, and of those that are impulses the impulse that makes such
 * a speed, so that which of several solutions is found has nothing to do with units. Capped ones have the paper's. */
static void
set_cover (SsImpactStep *step)
{
  const int m = step->impact->m;
  double lightest = 0;

  for (int i = 0; i < m; i++)
    lightest = fmax (lightest, step->impact->contact[i * 2 * m + i]);
  for (int i = 0; i < 4 * m; i++)
    step->cover[i] = i < 3 * m || !(lightest > 0) ? 1 : impulse_cover / lightest;
}

SsStatus
ss_impact_step_new (const SsImpact *impact, SsImpactRows rows, SsImpactStep **out, SsError *err)
{
  SS_ASSERT (impact != NULL && out != NULL);

  SsImpactStep *step = ss_new (SsImpactStep);
  bool has_large_mu = false;
  SsStatus status;

  *out = NULL;
  if (step == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for %d contacts", impact->m);
  step->impact = impact;
  step->rows = rows;
  set_cover (step);
  for (int i = 0; i < impact->m; i++) {
    has_large_mu = has_large_mu || impact->mu[i] > 1;
    step->divisor[i] = rows == SS_IMPACT_ROWS_SCALED && impact->mu[i] > 1 ? impact->mu[i] : 1;
  }
  status = make_kernels (impact, rows == SS_IMPACT_ROWS_SCALED, &step->capped, &step->simultaneous, err);
  if (status == SS_OK && rows == SS_IMPACT_ROWS_PLAIN && has_large_mu)
    status = make_kernels (impact, true, &step->spare[0], &step->spare[1], err);
  if (status != SS_OK) {
    ss_impact_step_free (step);
    return status;
  }
  *out = step;
  return SS_OK;
}

void
ss_impact_step_free (SsImpactStep *step)
{
  if (step == NULL)
    return;
  ss_lemke_plain_free (step->capped);
  ss_lemke_plain_free (step->simultaneous);
  ss_lemke_plain_free (step->spare[0]);
  ss_lemke_plain_free (step->spare[1]);
  ss_free (step);
}

static inline double
worse (double a, double b)
{
  return b <= a ? a : b; /* keeps a NaN */
}

/* Impulses from z, from its ln on, with what p+ and p- have in common taken away. Returns whether there was any. */
static bool
read_impulses (int m, double *z, double *impulse)
{
  bool has_common = false;

  for (int i = 0; i < m; i++) {
    double *p = z + m + 2 * i;
    const double common = p[0] < p[1] ? p[0] : p[1];
    p[0] -= common;
    p[1] -= common;
    impulse[i] = z[i];
    impulse[m + i] = p[0] - p[1];
    has_common = has_common || common > 0;
  }
  return has_common;
}

/* Largest of -z, -w, |z w| with w = W z + q, where J v' = u + D impulse is in `speeds`; z from its ln on, b before. */
static double
residual (const SsImpactStep *step, const SsImpactStepJob *job, const double *b, const double *z, const double *speeds)
{
  const SsImpact *impact = step->impact;
  const int m = impact->m;
  double worst = 0;

  for (int i = 0; i < m; i++) {
    const double *p = z + m + 2 * i, g = z[3 * m + i];
    const double by = step->divisor[i];
    const double bias = job->bias != NULL ? job->bias[i] : 0, given = job->given != NULL ? job->given[i] : 0;
    const double pairs[5][2] = {
        {z[i], speeds[i] + bias + (b != NULL ? b[i] : 0)},
        {p[0], speeds[m + i] + g},
        {p[1], -speeds[m + i] + g},
        {g, (impact->mu[i] * (z[i] + given) - p[0] - p[1]) / by},
        {b != NULL ? b[i] : 0, b != NULL ? job->cap[i] - z[i] : 0},
    };
    for (int k = 0; k < 5; k++) {
      const double x = pairs[k][0], w = pairs[k][1];
      worst = worse (worse (worse (worst, -x), -w), fabs (x * w));
    }
  }
  return worst;
}

double
ss_impact_step_residual (const SsImpactStep *step, const double *cap, const double *impulse, const double *speeds)
{
  SS_ASSERT (step != NULL && cap != NULL && impulse != NULL && speeds != NULL);

  const int m = step->impact->m;
  double b[MAX], z[4 * MAX];

  for (int i = 0; i < m; i++) {
    const double lt = impulse[m + i];
    b[i] = speeds[i] < 0 ? -speeds[i] : 0;
    z[i] = impulse[i];
    z[m + 2 * i] = lt > 0 ? lt : 0;
    z[m + 2 * i + 1] = lt < 0 ? -lt : 0;
    z[3 * m + i] = fabs (speeds[m + i]);
  }
  return residual (step, &(SsImpactStepJob){.cap = cap}, b, z, speeds);
}

static void
solve_with (SsImpactStep *step, SsLemkePlain *lemke, const SsImpactStepJob *job, const double *u,
            SsImpactStepResult *result)
{
  const int m = step->impact->m, first = job->cap != NULL ? m : 0;
  double *z = step->z + first;
  SsLcpResult solved;

  const double *own = first > 0 ? NULL : step->cover;
  ss_lemke_plain_solve (lemke, step->q, job->cover != NULL ? job->cover : own, step->z, &solved);
  const bool has_common = read_impulses (m, z, result->impulse);
  for (int k = 0; k < 2 * m; k++)
    result->speeds[k] = u[k];
  for (int l = 0; l < 2 * m; l++)
    for (int k = 0; result->impulse[l] != 0 && k < 2 * m; k++)
      result->speeds[k] += step->impact->contact[l * 2 * m + k] * result->impulse[l];
  result->pivots += solved.pivots;
  /* the method's own is recomputed from W and q as well */
  result->residual = has_common ? residual (step, job, first > 0 ? step->z : NULL, z, result->speeds) : solved.residual;
  result->part = solved.part;
  result->is_solved = solved.outcome == SS_OUTCOME_SOLVED;
}

/* [002 (72a) (75a)]. */
void
ss_impact_step_solve (SsImpactStep *step, const SsImpactStepJob *job, double *v, SsImpactStepResult *result)
{
  SS_ASSERT (step != NULL && job != NULL && v != NULL && result != NULL);

  const SsImpact *impact = step->impact;
  const int m = impact->m, first = job->cap != NULL ? m : 0;
  double u[2 * MAX], *q = step->q + first;

  ss_impact_speeds (impact, v, u);
  for (int i = 0; i < m; i++) {
    const double by = step->divisor[i];
    if (job->cap != NULL)
      step->q[i] = job->cap[i];
    q[i] = u[i] + (job->bias != NULL ? job->bias[i] : 0);
    q[m + 2 * i] = u[m + i];
    q[m + 2 * i + 1] = -u[m + i];
    q[3 * m + i] = job->given != NULL ? impact->mu[i] * job->given[i] / by : 0;
  }
  result->pivots = 0;
  solve_with (step, first > 0 ? step->capped : step->simultaneous, job, u, result);
  SsLemkePlain *spare = step->spare[first > 0 ? 0 : 1];
  if (spare != NULL && !(result->is_solved && result->part <= accepted_part)) {
    for (int i = 0; i < m; i++)
      q[3 * m + i] /= impact->mu[i] > 1 ? impact->mu[i] : 1;
    solve_with (step, spare, job, u, result);
  }
  if (result->is_solved)
    ss_impact_push (impact, result->impulse, v);
}
