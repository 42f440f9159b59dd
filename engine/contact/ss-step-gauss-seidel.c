/* engine/contact/ss-step-gauss-seidel.c: two solvers that take a problem as its rows (ss-step-rows.h).
 *
 * Nonsmooth Gauss-Seidel (M. Jean, J. J. Moreau, Contact Mechanics Int. Symp. (1992)): sweeps over the points, at each
 * Coulomb's law solved exactly, by cases, for its own two impulses with all others held; bilateral rows one by one.
 * Lemke's method: the LCP of Stewart and Trinkle in pn - least, p+, p-, lambda of all points at once, of problems small
 * enough for a dense matrix. */
#include "contact/ss-step-rows.h"
#include "contact/ss-step-solver.h"

#include "core/ss-memory.h"
#include "lcp/ss-lcp.h"

#include <math.h>
#include <string.h>

/* Sweeps, where no limit was given. */
enum { SWEEPS_MAX = 100000 };
/* Unknowns of Lemke's method, and pivots for each: seconds of work. */
enum { LEMKE_UNKNOWNS = 1600, PIVOTS_PER_UNKNOWN = 16, PIVOTS_AT_LEAST = 400 };

/* ---- Gauss-Seidel ------------------------------------------------------------------------------------------------ */

/* What a row's velocity is without its point's own impulses. */
static double
of_others (const SsStepRows *rows, const double *z, int row, int own, int n_own)
{
  const SsPattern *a = &rows->W.pattern;
  double sum = rows->q[row];
  for (int k = a->start[row]; k < a->start[row + 1]; k++)
    if (a->index[k] < own || a->index[k] >= own + n_own)
      sum += rows->W.value[k] * z[a->index[k]];
  return sum;
}

/* Sliding towards `side` (the sign of pt) with u_n = 0, or open. False: that is no solution. */
static bool
try_sliding (const double w[4], double un, double ut, double mu, double least, int side, double *z)
{
  const double wn = w[0] + side * mu * w[1];
  double pn = wn > 0 ? -un / wn : least;
  if (!(wn > 0) && un < 0)
    return false;
  pn = fmax (pn, least);
  const double pt = side * mu * pn;
  if (side * (ut + w[2] * pn + w[3] * pt) > 0) /* it slides the other way */
    return false;
  z[0] = pn;
  z[1] = pt;
  return true;
}

void
ss_step_solve_point (const double w[4], double un, double ut, double mu, double least, double *z)
{
  const double determinant = w[0] * w[3] - w[1] * w[2], bound = mu * least;
  const double open_t = w[3] > 0 ? -ut - w[2] * least : 0, held = w[3] > 0 ? open_t / w[3] : 0;
  if (un + w[0] * least + w[1] * fmin (fmax (held, -bound), bound) >= 0 && mu * least >= fabs (held)) {
    z[0] = least;
    z[1] = held;
    return;
  }
  if (determinant > 0) {
    const double pn = (-w[3] * un + w[1] * ut) / determinant, pt = (w[2] * un - w[0] * ut) / determinant;
    if (pn >= least && fabs (pt) <= mu * pn) {
      z[0] = pn;
      z[1] = pt;
      return;
    }
  }
  if (!try_sliding (w, un, ut, mu, least, 1, z))
    try_sliding (w, un, ut, mu, least, -1, z);
}

static void
sweep (const SsStepProblem *problem, const SsStepRows *rows, const double *own, double *z)
{
  for (int i = 0; i < rows->n_contacts; i++)
    ss_step_solve_point (own + 4 * i, of_others (rows, z, 2 * i, 2 * i, 2), of_others (rows, z, 2 * i + 1, 2 * i, 2),
                         problem->mu[i], problem->least[i], z + 2 * i);
  for (int i = 2 * rows->n_contacts; i < rows->n; i++) {
    const double w = ss_sparse_get (&rows->W, i, i);
    if (w > 0)
      z[i] = -of_others (rows, z, i, i, 1) / w;
  }
}

SsStatus
ss_step_go_gauss_seidel (SsStepRun *run, SsError *err)
{
  const SsStepProblem *problem = ss_step_run_problem (run);
  SsStepRows rows;
  SsStatus status = ss_step_rows_new (problem, &rows, err);
  if (status != SS_OK)
    return status;
  double *z = ss_new_array (double, (size_t)rows.n + 1), *own = ss_new_array (double, 4 * (size_t)rows.n_contacts + 1);
  if (z == NULL || own == NULL)
    status = ss_error_set (err, SS_ERR_MEMORY, "no memory for a solver");
  for (int i = 0; i < rows.n_contacts && status == SS_OK; i++)
    for (int k = 0; k < 4; k++) /* nn, nt, tn, tt */
      own[4 * i + k] = ss_sparse_get (&rows.W, 2 * i + k / 2, 2 * i + k % 2);
  bool goes_on = status == SS_OK;
  for (int k = 1; k <= SWEEPS_MAX && goes_on; k++) {
    sweep (problem, &rows, own, z);
    if (ss_step_run_is_due (run, k))
      goes_on = ss_step_run_tell (run, k, z, z + 2 * rows.n_contacts);
  }
  if (goes_on)
    ss_step_run_give_up (run, "its own limit of sweeps was reached");
  ss_free (z);
  ss_free (own);
  ss_step_rows_clear (&rows);
  return status;
}

/* ---- Lemke ------------------------------------------------------------------------------------------------------- */

/* Per point pn - least, p+, p-, lambda; column-major. */
static void
fill_lcp (const SsStepProblem *problem, const SsStepRows *rows, double *A, double *q)
{
  const int m = rows->n_contacts;
  const size_t n = 4 * (size_t)m;
  for (int i = 0; i < m; i++) {
    q[4 * i] = rows->q[2 * i];
    q[4 * i + 1] = rows->q[2 * i + 1];
    q[4 * i + 2] = -rows->q[2 * i + 1];
    q[4 * i + 3] = problem->mu[i] * problem->least[i];
    A[4 * i + 1 + n * (size_t)(4 * i + 3)] = A[4 * i + 2 + n * (size_t)(4 * i + 3)] = 1;
    A[4 * i + 3 + n * (size_t)(4 * i)] = problem->mu[i];
    A[4 * i + 3 + n * (size_t)(4 * i + 1)] = A[4 * i + 3 + n * (size_t)(4 * i + 2)] = -1;
  }
  for (int row = 0; row < 2 * m; row++)
    for (int k = rows->W.pattern.start[row]; k < rows->W.pattern.start[row + 1]; k++) {
      const int column = rows->W.pattern.index[k], i = 4 * (row / 2), j = 4 * (column / 2);
      const double w = rows->W.value[k];
      const bool is_t = row % 2 == 1, by_t = column % 2 == 1;
      for (int a = is_t; a <= 2 * is_t; a++)
        for (int b = by_t; b <= 2 * by_t; b++)
          A[i + a + n * (size_t)(j + b)] += (a == 2 ? -1 : 1) * (b == 2 ? -1 : 1) * w;
      if (!by_t) {
        q[i + is_t] += w * problem->least[column / 2];
        if (is_t)
          q[i + 2] -= w * problem->least[column / 2];
      }
    }
}

SsStatus
ss_step_go_lemke (SsStepRun *run, SsError *err)
{
  const SsStepProblem *problem = ss_step_run_problem (run);
  const int m = problem->n_contacts, n = 4 * m;
  SsStepRows rows = {0};
  SsLemke *lemke = NULL;
  SsLcpResult result;
  double *A = NULL, *q = NULL, *z = NULL, *r = NULL;
  if (n > LEMKE_UNKNOWNS || problem->n_joints > 0) {
    ss_step_run_give_up (run, problem->n_joints > 0 ? "Lemke's method takes no bilateral rows here"
                                                    : "more than 400 points are too many for Lemke's dense matrix");
    return SS_OK;
  }
  SsStatus status = ss_step_rows_new (problem, &rows, err);
  if (status == SS_OK)
    status = ss_lemke_new (n, &lemke, err);
  A = ss_new_array (double, (size_t)n *(size_t)n + 1);
  q = ss_new_array (double, (size_t)n + 1);
  z = ss_new_array (double, (size_t)n + 1);
  r = ss_new_array (double, 2 * (size_t)m + 1);
  if (status == SS_OK && (A == NULL || q == NULL || z == NULL || r == NULL))
    status = ss_error_set (err, SS_ERR_MEMORY, "no memory for a solver");
  if (status == SS_OK) {
    fill_lcp (problem, &rows, A, q);
    status = ss_lemke_solve (lemke, n, A, n, q, PIVOTS_PER_UNKNOWN * n + PIVOTS_AT_LEAST, z, &result, err);
  }
  if (status == SS_OK) {
    for (int i = 0; i < m; i++) {
      r[2 * i] = z[4 * i] + problem->least[i];
      r[2 * i + 1] = z[4 * i + 1] - z[4 * i + 2];
    }
    if (ss_step_run_tell (run, result.pivots, r, NULL))
      ss_step_run_give_up (run, ss_outcome_name (result.outcome));
  }
  ss_lemke_free (lemke);
  ss_step_rows_clear (&rows);
  ss_free (A);
  ss_free (q);
  ss_free (z);
  ss_free (r);
  return status;
}
