/* engine/fit/ss-fit-solve.c: see the header. */
#include "fit/ss-fit-solve.h"

#include "linalg/ss-linalg.h"

#include <math.h>
#include <string.h>

/* A step that is expected to lower the loss by less moves the unknowns by a hundredth of their standard errors. */
#define DECREASE_LEFT 1e-4
#define DAMPING_FIRST 1e-3
#define DAMPING_MOST  1e9

SsStatus
ss_fit_point_init (SsFitPoint *point, const SsFitProblem *problem, SsError *err)
{
  SS_ASSERT (problem != NULL);
  *point = (SsFitPoint){.unknowns = ss_new_array (double, problem->n_unknowns + 1),
                        .predicted = ss_new_array (double, problem->n_values + 1),
                        .jacobian = ss_new_array (double, (size_t)problem->n_values *(size_t)problem->n_unknowns + 1),
                        .scales = ss_new_array (double, problem->n_groups + 1)};
  if (point->unknowns != NULL && point->predicted != NULL && point->jacobian != NULL && point->scales != NULL)
    return SS_OK;
  ss_fit_point_clear (point);
  return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
}

void
ss_fit_point_clear (SsFitPoint *point)
{
  SS_ASSERT (point != NULL);
  ss_free (point->unknowns);
  ss_free (point->predicted);
  ss_free (point->jacobian);
  ss_free (point->scales);
  *point = (SsFitPoint){0};
}

void
ss_fit_point_copy (const SsFitPoint *from, SsFitPoint *to, const SsFitProblem *problem)
{
  SS_ASSERT (from != NULL && to != NULL && problem != NULL);

  const size_t n = (size_t)problem->n_unknowns, m = (size_t)problem->n_values;
  SsFitPoint kept = *to;

  memcpy (kept.unknowns, from->unknowns, n * sizeof (double));
  memcpy (kept.predicted, from->predicted, m * sizeof (double));
  memcpy (kept.jacobian, from->jacobian, n * m * sizeof (double));
  memcpy (kept.scales, from->scales, (size_t)problem->n_groups * sizeof (double));
  *to = *from;
  to->unknowns = kept.unknowns;
  to->predicted = kept.predicted;
  to->jacobian = kept.jacobian;
  to->scales = kept.scales;
}

static SsStatus
take_scales (const SsFitProblem *problem, SsFitPoint *point, SsError *err)
{
  double *work = ss_new_array (double, problem->n_values + 1);

  if (work == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  for (int g = 0; g < problem->n_groups; g++) {
    int n = 0;
    for (int i = 0; i < problem->n_values; i++)
      if (problem->group[i] == g)
        work[n++] = problem->measured[i] - point->predicted[i];
    point->scales[g] = fmax (ss_fit_scale (SS_FIT_UPPER, work, n), problem->least[g]);
  }
  ss_free (work);
  return SS_OK;
}

double
ss_fit_loss_at (const SsFitProblem *problem, SsFitLoss loss, const double *scales, const double *predicted)
{
  SS_ASSERT (problem != NULL);

  double sum = 0;

  for (int i = 0; i < problem->n_values; i++)
    sum += ss_fit_rho (loss, (problem->measured[i] - predicted[i]) / scales[problem->group[i]]);
  return sum;
}

SsStatus
ss_fit_evaluate (const SsFitProblem *problem, SsFitLoss loss, bool keeps_scales, bool with_slopes, SsFitPoint *point,
                 SsError *err)
{
  SS_ASSERT (problem != NULL && point != NULL);

  SsStatus status = problem->predict (problem->owner, point->unknowns, point->predicted,
                                      with_slopes ? point->jacobian : NULL, &point->is_made, err);

  if (status == SS_OK && point->is_made && !keeps_scales)
    status = take_scales (problem, point, err);
  if (status == SS_OK)
    point->loss = point->is_made ? ss_fit_loss_at (problem, loss, point->scales, point->predicted) : (double)INFINITY;
  return status;
}

/* ---- one step ---------------------------------------------------------------------------------------------------- */

typedef struct {
  const SsFitProblem *problem;
  const SsFitSolveOptions *options;
  int n_active;
  int *active;                           /* unknowns that a step may move */
  double *normal, *factor;               /* n_unknowns x n_unknowns each */
  double *slope, *step, *trial, *values; /* n_unknowns thrice, n_values */
  double damping;
} Solver;

static void
solver_clear (Solver *s)
{
  ss_free (s->active);
  ss_free (s->normal);
  ss_free (s->factor);
  ss_free (s->slope);
  ss_free (s->step);
  ss_free (s->trial);
  ss_free (s->values);
}

static SsStatus
solver_init (Solver *s, const SsFitProblem *problem, const SsFitSolveOptions *options, SsError *err)
{
  const int n = problem->n_unknowns;

  *s = (Solver){problem,
                options,
                .active = ss_new_array (int, n + 1),
                .normal = ss_new_array (double, n *n + 1),
                .factor = ss_new_array (double, n *n + 1),
                .slope = ss_new_array (double, n + 1),
                .step = ss_new_array (double, n + 1),
                .trial = ss_new_array (double, n + 1),
                .values = ss_new_array (double, problem->n_values + 1),
                .damping = DAMPING_FIRST};
  if (s->active != NULL && s->normal != NULL && s->factor != NULL && s->slope != NULL && s->step != NULL &&
      s->trial != NULL && s->values != NULL)
    return SS_OK;
  solver_clear (s);
  return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
}

/* slope = J' W r and normal = J' W J by the weights at the point, of the unknowns that are not held by a bound or by
 * the caller. */
static void
linearise (Solver *s, SsFitLoss loss, const SsFitPoint *point)
{
  const SsFitProblem *p = s->problem;
  const int n = p->n_unknowns;

  memset (s->slope, 0, (size_t)n * sizeof *s->slope);
  memset (s->normal, 0, (size_t)n * (size_t)n * sizeof *s->normal);
  for (int i = 0; i < p->n_values; i++) {
    const double *row = &point->jacobian[(size_t)i * (size_t)n], scale = point->scales[p->group[i]];
    const double residual = p->measured[i] - point->predicted[i];
    const double weight = ss_fit_weight (loss, residual / scale) / (scale * scale);
    for (int k = 0; k < n; k++) {
      if (row[k] == 0)
        continue;
      s->slope[k] += weight * row[k] * residual;
      for (int j = 0; j <= k; j++)
        s->normal[k * n + j] += weight * row[k] * row[j];
    }
  }
  s->n_active = 0;
  for (int k = 0; k < n; k++)
    if ((s->options->is_held == NULL || !s->options->is_held[k]) &&
        !(point->unknowns[k] <= p->lower[k] && s->slope[k] < 0) &&
        !(point->unknowns[k] >= p->upper[k] && s->slope[k] > 0))
      s->active[s->n_active++] = k;
}

/* The damped step into s->trial; returns by how much the quadratic model falls, NaN where there is none. */
static double
propose (Solver *s, const SsFitPoint *point)
{
  const SsFitProblem *p = s->problem;
  const int n = p->n_unknowns, m = s->n_active;
  double falls = 0;

  for (int a = 0; a < m; a++) {
    const int k = s->active[a];
    for (int b = 0; b <= a; b++)
      s->factor[b * m + a] = s->normal[k * n + s->active[b]]; /* by columns */
    /* an unknown that nothing depends on stays where it is */
    s->factor[a * m + a] += s->damping * s->normal[k * n + k] + 1e-6 / (p->size[k] * p->size[k]);
    s->step[a] = s->slope[k];
  }
  if (m > 0 && ss_dense_cholesky (m, s->factor, m) != SS_OK)
    return NAN;
  if (m > 0)
    ss_dense_cholesky_solve (m, s->factor, m, s->step);
  memcpy (s->trial, point->unknowns, (size_t)n * sizeof *s->trial);
  for (int a = 0; a < m; a++) {
    const int k = s->active[a];
    s->trial[k] = fmin (fmax (point->unknowns[k] + s->step[a], p->lower[k]), p->upper[k]);
    s->step[a] = s->trial[k] - point->unknowns[k];
    falls += s->slope[k] * s->step[a];
  }
  for (int a = 0; a < m; a++)
    for (int b = 0; b < m; b++) {
      const int k = s->active[a], j = s->active[b];
      falls -= s->step[a] * s->step[b] * s->normal[k >= j ? k * n + j : j * n + k] / 2;
    }
  return falls;
}

static void
tell (const Solver *s, const SsFitPoint *point, double falls, SsRunControl *control)
{
  double sum = 0;

  for (int i = 0; i < s->problem->n_values; i++) {
    const double u = (s->problem->measured[i] - point->predicted[i]) / point->scales[s->problem->group[i]];
    sum += u * u;
  }
  const SsColumn columns[] = {{"loss", point->loss},
                              {"rms", sqrt (sum / fmax (s->problem->n_values, 1))},
                              {"scale", s->problem->n_groups > 0 ? point->scales[0] : NAN},
                              {"decrease", falls},
                              {"damping", s->damping}};
  ss_run_control_emit_iteration (control, point->n_steps, columns, (int)(sizeof columns / sizeof *columns));
  ss_run_control_emit_iterate (control, point->n_steps, point->unknowns, s->problem->n_unknowns);
  if (s->problem->told != NULL && !s->options->keeps_scales)
    s->problem->told (s->problem->owner, point);
}

/* A step with which the loss falls, by dampings that grow; *goes_on: false at a minimum, or where there is none. */
static SsStatus
take_step (Solver *s, SsFitLoss loss, SsFitPoint *point, bool *goes_on, double *falls, SsError *err)
{
  const SsFitProblem *p = s->problem;
  bool is_made = false;

  for (; s->damping < DAMPING_MOST; s->damping *= 8) {
    *falls = propose (s, point);
    if (isnan (*falls))
      continue;
    if (*falls < DECREASE_LEFT) {
      point->is_converged = true;
      break;
    }
    SsStatus status = p->predict (p->owner, s->trial, s->values, NULL, &is_made, err);
    if (status != SS_OK)
      return status;
    const double after = is_made ? ss_fit_loss_at (p, loss, point->scales, s->values) : (double)INFINITY;
    if (after >= point->loss)
      continue;
    memcpy (point->unknowns, s->trial, (size_t)p->n_unknowns * sizeof (double));
    memcpy (point->predicted, s->values, (size_t)p->n_values * sizeof (double));
    s->damping = fmax (s->damping * (point->loss - after > *falls / 2 ? 0.1 : 0.5), 1e-9);
    point->loss = after;
    *goes_on = true;
    return SS_OK;
  }
  *goes_on = false;
  return SS_OK;
}

/* Steps to a minimum: each by the scales of the residuals before it, so that they are settled where it ends. */
static SsStatus
solve_with (Solver *s, SsFitLoss loss, SsRunControl *control, SsFitPoint *point, SsOutcome *why, bool *is_stopped,
            SsError *err)
{
  const SsFitProblem *p = s->problem;
  const int most = point->n_steps + s->options->max_steps;
  bool goes_on = true;
  double falls = NAN;

  point->is_converged = false;
  while (goes_on && point->n_steps < most) {
    SsStatus status = ss_fit_evaluate (p, loss, s->options->keeps_scales, true, point, err);
    if (status != SS_OK || !point->is_made)
      return status;
    tell (s, point, falls, control);
    *is_stopped = ss_run_control_should_stop (control, why);
    if (*is_stopped)
      return SS_OK;
    linearise (s, loss, point);
    status = take_step (s, loss, point, &goes_on, &falls, err);
    if (status != SS_OK)
      return status;
    point->n_steps += goes_on;
  }
  return SS_OK;
}

SsStatus
ss_fit_solve (const SsFitProblem *problem, const SsFitSolveOptions *options, SsRunControl *control, SsFitPoint *point,
              SsOutcome *why, SsError *err)
{
  SS_ASSERT (problem != NULL && options != NULL && point != NULL && why != NULL);
  bool is_stopped = false;
  Solver s;
  SsStatus status = solver_init (&s, problem, options, err);

  if (status != SS_OK)
    return status;
  /* A loss that forgets far residuals is for the end: from afar it forgets all. */
  if (options->loss == SS_FIT_TUKEY && !options->keeps_scales) {
    status = solve_with (&s, SS_FIT_HUBER, control, point, why, &is_stopped, err);
    s.damping = DAMPING_FIRST;
  }
  if (status == SS_OK && !is_stopped)
    status = solve_with (&s, options->loss, control, point, why, &is_stopped, err);
  if (status == SS_OK && point->is_made && !is_stopped)
    status = ss_fit_evaluate (problem, options->loss, options->keeps_scales, false, point, err);
  solver_clear (&s);
  return status;
}
