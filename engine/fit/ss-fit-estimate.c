/* engine/fit/ss-fit-estimate.c: covariance of the unknowns, and which of them the data tell. */
#include "fit/ss-fit-model.h"

#include "linalg/ss-linalg.h"

#include <math.h>
#include <string.h>

/* An unknown is weak where its standard error is more than this part of where it is looked for. */
#define WEAK 0.25

/* Huber's factor: what the loss takes of the efficiency of squares. */
static double
factor_of (const SsFitModel *model, const SsFitPoint *point)
{
  double squares = 0, slopes = 0;
  const double n = model->n_values, freedom = fmax (n - model->n_unknowns, 1);

  for (int i = 0; i < model->n_values; i++) {
    const double u = (model->measured[i] - point->predicted[i]) / point->scales[model->groups[i]];
    const double psi = u * ss_fit_weight (model->job->loss, u);
    squares += psi * psi;
    slopes += ss_fit_psi_slope (model->job->loss, u);
  }
  slopes = fmax (slopes / n, 0.05);
  return squares / freedom / (slopes * slopes);
}

/* Neighbours that are alike count less: the mean over the channels. */
static double
inflation_of (const SsFitResult *result)
{
  double sum = 0, n = 0;

  for (int g = 0; g < result->n_residuals; g++) {
    const SsFitResidual *r = &result->residuals[g];
    const double pattern = r->pattern > 2 / sqrt (fmax (r->n_values, 1)) ? fmin (r->pattern, 0.95) : 0;
    sum += r->n_values * (1 + pattern) / (1 - pattern);
    n += r->n_values;
  }
  return n > 0 ? sum / n : 1;
}

/* The inverse of the information, in units of where the unknowns are looked for, to which each is known beforehand:
 * so there is an inverse also where the data say nothing. */
static SsStatus
invert (const SsFitModel *model, const SsFitPoint *point, double factor, double *inverse, SsError *err)
{
  const int n = model->n_unknowns;
  double *a = ss_new_array (double, n *n + 1), *column = ss_new_array (double, n + 1);
  SsStatus status = a != NULL && column != NULL ? SS_OK : ss_error_set (err, SS_ERR_MEMORY, "out of memory");

  for (int i = 0; status == SS_OK && i < model->n_values; i++) {
    const double *row = &point->jacobian[(size_t)i * (size_t)n];
    const double scale = point->scales[model->groups[i]];
    for (int k = 0; k < n; k++)
      for (int j = 0; j <= k && row[k] != 0; j++)
        a[j * n + k] += row[k] * row[j] / (scale * scale * factor); /* by columns */
  }
  for (int k = 0; status == SS_OK && k < n; k++) {
    const double width = model->unknowns[k].to - model->unknowns[k].from;
    for (int j = 0; j <= k; j++)
      a[j * n + k] *= width * (model->unknowns[j].to - model->unknowns[j].from);
    a[k * n + k] += 1;
  }
  if (status == SS_OK)
    status = ss_dense_cholesky (n, a, n);
  for (int k = 0; status == SS_OK && k < n; k++) {
    memset (column, 0, (size_t)n * sizeof *column);
    column[k] = 1;
    ss_dense_cholesky_solve (n, a, n, column);
    for (int j = 0; j < n; j++)
      inverse[j * n + k] = column[j];
  }
  ss_free (a);
  ss_free (column);
  return status;
}

SsStatus
ss_fit_errors (const SsFitModel *model, const SsFitPoint *point, const SsFitResult *result, SsFitErrors *errors,
               SsError *err)
{
  const int n = model->n_unknowns;

  errors->factor = factor_of (model, point) * inflation_of (result);
  errors->quantile = ss_fit_student (fmax (model->n_values - n, 1));
  SsStatus status = invert (model, point, errors->factor, errors->covariance, err);
  for (int k = 0; status == SS_OK && k < n; k++) {
    const SsFitUnknown *u = &model->unknowns[k];
    errors->is_weak[k] = sqrt (errors->covariance[k * n + k]) > WEAK;
    for (int j = 0; j < n; j++) {
      errors->covariance[k * n + j] *= u->to - u->from;
      errors->covariance[j * n + k] *= u->to - u->from;
    }
  }
  return status;
}
