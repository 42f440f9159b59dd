/* engine/fit/ss-fit-estimate.c: covariance of the unknowns, and which of them the data tell. */
#include "fit/ss-fit-model.h"

#include "linalg/ss-linalg.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* An unknown is weak where its standard error is more than this part of where it is looked for. */
#define WEAK 0.25
/* Lengths are doubted where a scale that is off by 1 % is not noticed: few films are that exact. More than 10 % is no
 * oversight. */
#define SCALE_FROM 0.01
#define SCALE_TO   0.1
/* How well a free scale is known beforehand. */
#define SCALE_WIDTH 10.0

/* The least factor: without it, data without noise, such as those of a simulation, made the information infinite. */
#define FACTOR_LEAST 1e-10

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

static bool
is_length (const SsFitModel *model, int value)
{
  return model->cells[value].coordinate % 3 < 2;
}

/* Where an unknown is looked for; the one after the last is the scale. */
static double
width_of (const SsFitModel *model, int k)
{
  return k < model->n_unknowns ? model->unknowns[k].to - model->unknowns[k].from : SCALE_WIDTH;
}

/* The inverse of the information about n unknowns, one more than there are with the scale, in units of where they are
 * looked for, to which each is known beforehand: so there is an inverse also where the data say nothing. `alone` (n;
 * NULL: not wanted): the error of each were all others known. */
static SsStatus
invert (const SsFitModel *model, const SsFitPoint *point, double factor, int n, double *inverse, double *alone,
        SsError *err)
{
  const int n_unknowns = model->n_unknowns;
  double *a = ss_new_array (double, n *n + 1), *column = ss_new_array (double, n + 1);
  SsStatus status = a != NULL && column != NULL ? SS_OK : ss_error_set (err, SS_ERR_MEMORY, "out of memory");

  for (int i = 0; status == SS_OK && i < model->n_values; i++) {
    const double scale = point->scales[model->groups[i]];
    memcpy (column, &point->jacobian[(size_t)i * (size_t)n_unknowns], (size_t)n_unknowns * sizeof *column);
    if (n > n_unknowns)
      column[n_unknowns] = is_length (model, i) ? point->predicted[i] : 0;
    for (int k = 0; k < n; k++)
      for (int j = 0; j <= k && column[k] != 0; j++)
        a[j * n + k] += column[k] * column[j] / (scale * scale * factor); /* by columns */
  }
  for (int k = 0; status == SS_OK && k < n; k++) {
    for (int j = 0; j <= k; j++)
      a[j * n + k] *= width_of (model, k) * width_of (model, j);
    a[k * n + k] += 1;
    if (alone != NULL)
      alone[k] = 1 / sqrt (a[k * n + k]);
  }
  if (status == SS_OK && (status = ss_dense_cholesky (n, a, n)) != SS_OK)
    ss_error_set (err, status, "what the data tell of the unknowns has no inverse");
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

/* What a scale would make of the unknowns, were it free. */
static SsStatus
ask_scale (const SsFitModel *model, const SsFitPoint *point, SsFitErrors *errors, SsError *err)
{
  const int n = model->n_unknowns;
  bool has_length = false;

  errors->scale_error = NAN;
  for (int i = 0; i < model->n_values && !has_length; i++)
    has_length = is_length (model, i);
  for (int k = 0; k < n; k++)
    has_length = has_length && model->unknowns[k].kind != SS_UNKNOWN_SCALE;
  if (!has_length)
    return SS_OK;
  double *inverse = ss_new_array (double, (n + 1) * (n + 1));
  SsStatus status = inverse != NULL ? invert (model, point, errors->factor, n + 1, inverse, NULL, err)
                                    : ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  if (status == SS_OK) {
    const double *scale = &inverse[n * (n + 1)];
    errors->scale_error = SCALE_WIDTH * sqrt (scale[n]);
    for (int k = 0; k < n; k++)
      errors->by_scale[k] = scale[k] / scale[n] * width_of (model, k) / SCALE_WIDTH;
  }
  ss_free (inverse);
  return status;
}

void
ss_fit_doubt_scale (const SsFitModel *model, const SsFitErrors *errors, SsFitResult *result)
{
  SS_ASSERT (errors != NULL && result != NULL);

  const double off = fmin (errors->quantile * errors->scale_error, SCALE_TO);
  char names[160] = "";
  size_t length = 0;

  for (int k = 0; off >= SCALE_FROM && k < model->n_unknowns; k++) { /* false of NaN */
    const SsFitEstimate *e = &result->estimates[k];
    const double moved = off * fabs (errors->by_scale[k]);
    if (!e->is_identifiable || e->trial >= 0 || !(moved > errors->quantile * e->standard_error) ||
        length + strlen (e->name) + 24 > sizeof names)
      continue;
    length += (size_t)snprintf (&names[length], sizeof names - length, "%s%s by %.2g", length > 0 ? ", " : "", e->name,
                                moved);
  }
  const size_t told = strlen (result->message);
  if (length > 0)
    snprintf (&result->message[told], sizeof result->message - told,
              "%sa wrong scale of lengths would not be noticed: %.2g %% off moves %s (measure a length that the scene "
              "knows)",
              told > 0 ? "; " : "", 100 * off, names);
}

SsStatus
ss_fit_errors (const SsFitModel *model, const SsFitPoint *point, const SsFitResult *result, SsFitErrors *errors,
               SsError *err)
{
  SS_ASSERT (model != NULL && model->n_values >= 0 && errors != NULL);

  const int n = model->n_unknowns;

  errors->factor = fmax (factor_of (model, point) * inflation_of (result), FACTOR_LEAST);
  errors->quantile = ss_fit_student (fmax (model->n_values - n, 1));
  SsStatus status = invert (model, point, errors->factor, n, errors->covariance, errors->alone, err);
  for (int k = 0; status == SS_OK && k < n; k++) {
    const SsFitUnknown *u = &model->unknowns[k];
    errors->is_weak[k] = sqrt (errors->covariance[k * n + k]) > WEAK;
    errors->is_traded[k] = errors->is_weak[k] && errors->alone[k] <= WEAK;
    errors->alone[k] *= u->to - u->from;
    for (int j = 0; j < n; j++) {
      errors->covariance[k * n + j] *= u->to - u->from;
      errors->covariance[j * n + k] *= u->to - u->from;
    }
  }
  return status == SS_OK ? ask_scale (model, point, errors, err) : status;
}
