/* engine/judge/ss-step-residual.c: the natural map of a step's problem; see ss-step-problem.h. */
#include "judge/ss-step-problem.h"

#include "core/ss-memory.h"

#include <math.h>
#include <string.h>

struct SsStepJudge {
  const SsStepProblem *problem; /* borrowed */
  SsStepMass *mass;             /* NULL of a reduced problem */
  double *w;                    /* 2 m: mobility of each row; 1 where it has none */
  double *v, *u, *g;            /* n, 2 m, k */
  double scale;
};

/* What the row does to itself: H M^-1 H' + C, or the diagonal of W. */
static double
mobility (SsStepJudge *judge, int row)
{
  const SsStepProblem *problem = judge->problem;
  const SsPattern *h = &problem->H.pattern;
  double w = problem->compliance[row];
  if (judge->mass == NULL) {
    w += ss_sparse_get (&problem->W, row, row);
    return w > 0 ? w : 1;
  }
  memset (judge->v, 0, (size_t)problem->n_velocities * sizeof *judge->v);
  for (int k = h->start[row]; k < h->start[row + 1]; k++)
    judge->v[h->index[k]] = problem->H.value[k];
  const double *inverse = ss_step_mass_inverse (judge->mass);
  if (inverse != NULL) { /* no need to touch them all */
    for (int k = h->start[row]; k < h->start[row + 1]; k++)
      w += problem->H.value[k] * problem->H.value[k] * inverse[h->index[k]];
    return w > 0 ? w : 1;
  }
  ss_step_mass_solve (judge->mass, judge->v);
  for (int k = h->start[row]; k < h->start[row + 1]; k++)
    w += problem->H.value[k] * judge->v[h->index[k]];
  return w > 0 ? w : 1;
}

/* judge->v, u and g of impulses, without compliance. */
static void
find_motion (SsStepJudge *judge, const double *r, const double *p)
{
  const SsStepProblem *problem = judge->problem;
  const int n = problem->n_velocities, m = problem->n_contacts, k = problem->n_joints;
  if (judge->mass == NULL) {
    ss_csr_multiply (&problem->W.pattern, problem->W.value, r, judge->u);
  } else {
    memset (judge->v, 0, (size_t)n * sizeof *judge->v);
    ss_csr_multiply_transposed (&problem->H.pattern, problem->H.value, r, judge->v);
    if (k > 0)
      ss_csr_multiply_transposed (&problem->G.pattern, problem->G.value, p, judge->v);
    ss_step_mass_solve (judge->mass, judge->v);
    for (int i = 0; i < n; i++)
      judge->v[i] += problem->v_free[i];
    ss_csr_multiply (&problem->H.pattern, problem->H.value, judge->v, judge->u);
    if (k > 0)
      ss_csr_multiply (&problem->G.pattern, problem->G.value, judge->v, judge->g);
  }
  for (int i = 0; i < 2 * m; i++)
    judge->u[i] += problem->b[i];
  for (int i = 0; i < k; i++)
    judge->g[i] += problem->joint_bias[i];
}

SsStatus
ss_step_judge_new (const SsStepProblem *problem, SsStepJudge **out, SsError *err)
{
  SS_ASSERT (problem != NULL && out != NULL);

  SsStepJudge *judge = ss_new (SsStepJudge);
  const size_t n = (size_t)problem->n_velocities, m = (size_t)problem->n_contacts, k = (size_t)problem->n_joints;
  SsStatus status = SS_OK;
  if (judge == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory to judge a problem of %d contacts", problem->n_contacts);
  judge->problem = problem;
  judge->w = ss_new_array (double, 2 * m + 1);
  judge->v = ss_new_array (double, n + 1);
  judge->u = ss_new_array (double, 2 * m + 1);
  judge->g = ss_new_array (double, k + 1);
  double *none = ss_new_array (double, 2 * m + k + 1);
  if (judge->w == NULL || judge->v == NULL || judge->u == NULL || judge->g == NULL || none == NULL)
    status = ss_error_set (err, SS_ERR_MEMORY, "no memory to judge a problem of %d contacts", problem->n_contacts);
  if (status == SS_OK && !ss_step_problem_is_reduced (problem))
    status = ss_step_mass_new (problem, &judge->mass, err);
  if (status == SS_OK) {
    for (int i = 0; i < 2 * problem->n_contacts; i++)
      judge->w[i] = mobility (judge, i);
    find_motion (judge, none, none);
    judge->scale = fmax (ss_norm_inf (2 * problem->n_contacts, judge->u), ss_norm_inf (problem->n_joints, judge->g));
    *out = judge;
  } else {
    ss_step_judge_free (judge);
  }
  ss_free (none);
  return status;
}

void
ss_step_judge_free (SsStepJudge *judge)
{
  if (judge == NULL)
    return;
  ss_step_mass_free (judge->mass);
  ss_free (judge->w);
  ss_free (judge->v);
  ss_free (judge->u);
  ss_free (judge->g);
  ss_free (judge);
}

double
ss_step_judge_residual (SsStepJudge *judge, const double *r, const double *p, int *worst)
{
  SS_ASSERT (judge != NULL && (r != NULL || judge->problem->n_contacts == 0));
  SS_ASSERT (p != NULL || judge->problem->n_joints == 0);

  const SsStepProblem *problem = judge->problem;
  double largest = 0;
  int where = -1;
  bool is_number = true;
  find_motion (judge, r, p);
  for (int i = 0; i < problem->n_contacts; i++) {
    const double *w = judge->w + 2 * i, rn = r[2 * i], rt = r[2 * i + 1], bound = problem->mu[i] * fmax (rn, 0),
                 un = judge->u[2 * i] += problem->compliance[2 * i] * rn,
                 ut = judge->u[2 * i + 1] += problem->compliance[2 * i + 1] * rt;
    /* w (projection of r - u/w, less r), in which a huge impulse does not swallow the rate */
    const double normal = fabs (fmax (-un, w[0] * (problem->least[i] - rn))),
                 tangent = fabs (fmin (fmax (-ut, w[1] * (-bound - rt)), w[1] * (bound - rt))),
                 here = fmax (normal, tangent);
    is_number = is_number && isfinite (normal) && isfinite (tangent);
    if (here > largest) {
      largest = here;
      where = i;
    }
  }
  for (int i = 0; i < problem->n_joints; i++) {
    const double here = fabs (judge->g[i] + problem->joint_compliance[i] * p[i]);
    is_number = is_number && isfinite (here);
    if (here > largest) {
      largest = here;
      where = problem->n_contacts + i;
    }
  }
  if (worst != NULL)
    *worst = where;
  return is_number ? largest : NAN;
}

const double *
ss_step_judge_velocities (const SsStepJudge *judge)
{
  SS_ASSERT (judge != NULL);
  return judge->mass != NULL ? judge->v : judge->u;
}

double
ss_step_judge_scale (const SsStepJudge *judge)
{
  SS_ASSERT (judge != NULL);
  return judge->scale;
}
