/* engine/contact/ss-step-admm.c: alternating directions for Coulomb's law.
 *
 * With De Saxce's change of variables u^ = u + s, s = (mu |u_t|, 0), Coulomb's law is K* > u^ _|_ r in K, the cone
 * |r_t| <= mu r_n (G. De Saxce, Z.-Q. Feng, Math. Comput. Model. 28 (1998)). For a shift s that is given that is the
 * convex problem min 1/2 r' W r + (q + s)' r over K, and s = mu |u_t| of its answer is a fixed point (V. Acary, F.
 * Cadoux, C. Lemarechal, J. Malick, ZAMM 91 (2011)). Here it is split as r = z with z in K, s is that of each
 * iterate, and
 *     r <- -(W + rho D)^-1 (q + s + y - rho D z),   z <- P_K (r + y/(rho D)),   y <- y + rho D (r - z)
 * (J. Carpentier, Q. Le Lidec, L. Montaut, From compliant to rigid contact simulation, RSS 2024, who balance rho by
 * the residuals as here). D: the mean mobility of each point, so that impulses of light and heavy bodies are of one
 * size. -y tends to u^, and its tangential part gives the shift: with u_t of W z in its place a fifth of the
 * problems of data/bench/steps goes in a circle. A point with a least impulse has the part of K above it; bilateral
 * rows have z free. */
#include "contact/ss-step-rows.h"
#include "contact/ss-step-solver.h"

#include "core/ss-memory.h"

#include <math.h>
#include <string.h>

enum { ITERATIONS_MAX = 100000 };
/* rho at the start; it is changed by the factor when one residual is that many times the other, which costs a
 * factorisation. Looked at after the first number of iterations, then each time after twice as many, so that it
 * settles: with a rho that changes for ever the iterates need not converge. */
static const double rho_first = 0.1, unbalanced = 5, rho_factor = 3, rho_least = 1e-8, rho_most = 1e8;
enum { BALANCE_FIRST = 10 };

typedef struct {
  const SsStepProblem *problem;
  SsStepRows rows;
  SsPattern lower;
  SsLdl *ldl;
  double *values, *base;                       /* of `lower`: with rho D, without */
  double *r, *z, *y, *s, *D, *work, *z_before; /* n each */
  double *block;
  double rho;
} Admm;

static SsStatus
make_pattern (Admm *a, SsError *err)
{
  const SsPattern *w = &a->rows.W.pattern;
  const int n_all = ss_sparse_n_entries (&a->rows.W);
  int n = 0, *column = ss_new_array (int, (size_t)n_all + 1), *row = ss_new_array (int, (size_t)n_all + 1),
      *slot = ss_new_array (int, (size_t)n_all + 1);
  double *picked = ss_new_array (double, (size_t)n_all + 1);
  SsStatus status = column != NULL && row != NULL && slot != NULL && picked != NULL
                        ? SS_OK
                        : ss_error_set (err, SS_ERR_MEMORY, "no memory for a solver");
  for (int i = 0; i < a->rows.n && status == SS_OK; i++)
    for (int k = w->start[i]; k < w->start[i + 1]; k++)
      if (w->index[k] <= i) {
        column[n] = w->index[k];
        row[n] = i;
        picked[n++] = a->rows.W.value[k];
      }
  if (status == SS_OK)
    status = ss_pattern_from_triplets (&a->lower, a->rows.n, a->rows.n, n, column, row, slot, err);
  if (status == SS_OK) {
    a->base = ss_new_array (double, (size_t)n + 1);
    a->values = ss_new_array (double, (size_t)n + 1);
    if (a->base == NULL || a->values == NULL)
      status = ss_error_set (err, SS_ERR_MEMORY, "no memory for a solver");
  }
  for (int k = 0; k < n && status == SS_OK; k++)
    a->base[slot[k]] = picked[k];
  if (status == SS_OK)
    status = ss_ldl_new (&a->lower, &a->ldl, err);
  ss_free (column);
  ss_free (row);
  ss_free (slot);
  ss_free (picked);
  return status;
}

static SsStatus
factor (Admm *a, SsError *err)
{
  memcpy (a->values, a->base, (size_t)a->lower.start[a->lower.n_major] * sizeof *a->values);
  for (int i = 0; i < a->rows.n; i++) /* the diagonal is the first of its column */
    a->values[a->lower.start[i]] += a->rho * a->D[i];
  return ss_ldl_factor (a->ldl, a->values, NULL, 0, NULL) == SS_OK
             ? SS_OK
             : ss_error_set (err, SS_ERR_SINGULAR, "the matrix W + rho D is singular");
}

static void
scale_rows (Admm *a)
{
  for (int i = 0; i < a->rows.n_contacts; i++) {
    const double mean =
        0.5 * (ss_sparse_get (&a->rows.W, 2 * i, 2 * i) + ss_sparse_get (&a->rows.W, 2 * i + 1, 2 * i + 1));
    a->D[2 * i] = a->D[2 * i + 1] = mean > 0 ? mean : 1;
  }
  for (int i = 2 * a->rows.n_contacts; i < a->rows.n; i++) {
    const double w = ss_sparse_get (&a->rows.W, i, i);
    a->D[i] = w > 0 ? w : 1;
  }
}

/* P_K of a point: the cone, above its least impulse. */
static void
project (double mu, double least, double *z)
{
  const double n = z[0], t = z[1];
  if (fabs (t) > mu * n) {
    const double side = t > 0 ? 1 : -1, along = fmax (n + mu * side * t, 0) / (1 + mu * mu);
    z[0] = along;
    z[1] = side * mu * along;
  }
  if (z[0] < least) {
    z[0] = least;
    z[1] = fmin (fmax (t, -mu * least), mu * least);
  }
}

/* One iteration; returns its primal and dual residual, as speeds. */
static void
iterate (Admm *a, double *primal, double *dual)
{
  const int n = a->rows.n;
  for (int i = 0; i < n; i++)
    a->work[i] = a->rho * a->D[i] * a->z[i] - a->rows.q[i] - a->s[i] - a->y[i];
  memcpy (a->r, a->work, (size_t)n * sizeof *a->r);
  ss_ldl_solve (a->ldl, a->r);
  memcpy (a->z_before, a->z, (size_t)n * sizeof *a->z);
  for (int i = 0; i < n; i++)
    a->z[i] = a->r[i] + a->y[i] / (a->rho * a->D[i]);
  for (int i = 0; i < a->rows.n_contacts; i++)
    project (a->problem->mu[i], a->problem->least[i], a->z + 2 * i);
  *primal = *dual = 0;
  for (int i = 0; i < n; i++) {
    a->y[i] += a->rho * a->D[i] * (a->r[i] - a->z[i]);
    *primal = fmax (*primal, a->D[i] * fabs (a->r[i] - a->z[i]));
    *dual = fmax (*dual, a->rho * a->D[i] * fabs (a->z[i] - a->z_before[i]));
  }
  for (int i = 0; i < a->rows.n_contacts; i++) /* the shift, by the velocities that y stands for */
    a->s[2 * i] = a->problem->mu[i] * fabs (a->y[2 * i + 1]);
}

static SsStatus
balance (Admm *a, double primal, double dual, SsError *err)
{
  const double rho = primal > unbalanced * dual   ? fmin (a->rho * rho_factor, rho_most)
                     : dual > unbalanced * primal ? fmax (a->rho / rho_factor, rho_least)
                                                  : a->rho;
  if (rho == a->rho)
    return SS_OK;
  a->rho = rho;
  return factor (a, err);
}

SsStatus
ss_step_go_admm (SsStepRun *run, SsError *err)
{
  Admm a = {.problem = ss_step_run_problem (run), .rho = rho_first};
  SsStatus status = ss_step_rows_new (a.problem, &a.rows, err);
  if (status != SS_OK)
    return status;
  const size_t n = (size_t)a.rows.n;
  a.block = ss_new_array (double, 7 * n + 1);
  if (a.block == NULL) {
    status = ss_error_set (err, SS_ERR_MEMORY, "no memory for a solver");
    goto done;
  }
  double **const vectors[] = {&a.r, &a.z, &a.y, &a.s, &a.D, &a.work, &a.z_before};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
    *vectors[i] = a.block + i * n;
  scale_rows (&a);
  for (int i = 0; i < a.rows.n_contacts; i++)
    a.z[2 * i] = a.problem->least[i];
  status = make_pattern (&a, err);
  if (status == SS_OK)
    status = factor (&a, err);
  bool goes_on = status == SS_OK;
  int next = BALANCE_FIRST;
  for (int k = 1; k <= ITERATIONS_MAX && goes_on && status == SS_OK; k++) {
    double primal, dual;
    iterate (&a, &primal, &dual);
    if (ss_step_run_is_due (run, k))
      goes_on = ss_step_run_tell (run, k, a.z, a.z + 2 * a.rows.n_contacts);
    if (goes_on && k == next) {
      status = balance (&a, primal, dual, err);
      next = k + (k < 8 * BALANCE_FIRST ? BALANCE_FIRST : k);
    }
  }
  if (goes_on && status == SS_OK)
    ss_step_run_give_up (run, "its own limit of iterations was reached");

done:
  ss_ldl_free (a.ldl);
  ss_pattern_clear (&a.lower);
  ss_step_rows_clear (&a.rows);
  ss_free (a.values);
  ss_free (a.base);
  ss_free (a.block);
  return status;
}
