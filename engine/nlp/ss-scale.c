/* engine/nlp/ss-scale.c: see the header. */
#include "nlp/ss-scale.h"

#include "nlp/ss-noisy-start.h"

#include <math.h>
#include <string.h>

enum { AROUND = 4 };         /* points beside the start */
static const double FAR = 1; /* from it, of the size of the variables */

typedef struct {
  const SsMpcc *mpcc;
  SsMpccEval *eval;
  double *gradient, *hessian;
} Look;

/* Largest first or second derivative at x; NAN: all are zero, or one is not finite. */
static double
size_at (const Look *look, const double *x)
{
  const SsPattern *h = ss_mpcc_objective_hessian_pattern (look->mpcc);
  const int n = ss_mpcc_n_variables (look->mpcc);
  double largest = 0, sum = 0;

  ss_mpcc_gradient (look->eval, x, look->gradient);
  ss_mpcc_objective_hessian (look->eval, x, look->hessian);
  for (int j = 0; j < n; j++) {
    largest = fmax (largest, fabs (look->gradient[j]));
    sum += look->gradient[j];
    for (int k = h->start[j]; k < h->start[j + 1]; k++)
      if (h->index[k] == j) {
        largest = fmax (largest, fabs (look->hessian[k]));
        sum += look->hessian[k];
      }
  }
  return isfinite (sum) && largest > 0 ? largest : NAN;
}

/* A power of two near to 1/factor. */
static double
power_of_two (double factor)
{
  return ldexp (1, -(int)lround (log2 (factor)));
}

SsStatus
ss_scale_choose (const SsMpcc *mpcc, const double *x0, double *scale, SsError *err)
{
  SS_ASSERT (scale != NULL);

  const int n = ss_mpcc_n_variables (mpcc);
  Look look = {.mpcc = mpcc};
  SsStatus status = ss_mpcc_eval_new (mpcc, &look.eval, err);
  double *x = ss_new_array (double, n + 1), *unit = ss_new_array (double, n + 1);

  *scale = 1;
  look.gradient = ss_new_array (double, n + 1);
  look.hessian = ss_new_array (double, ss_mpcc_objective_hessian_pattern (mpcc)->start[n] + 1);
  if (status == SS_OK && (x == NULL || unit == NULL || look.gradient == NULL || look.hessian == NULL))
    status = ss_error_set (err, SS_ERR_MEMORY, "out of memory for the scale of the objective");
  if (status == SS_OK) {
    double least = size_at (&look, x0), most = least;
    for (int j = 0; j < n; j++)
      unit[j] = fmax (1, fabs (x0[j]));
    for (int i = 0; i < AROUND; i++) {
      ss_noisy_start (n, x0, unit, FAR, 1, i, x);
      const double size = size_at (&look, x);
      least = fmin (least, size);
      most = fmax (most, size);
    }
    if (least > SS_SCALE_MOST)
      *scale = power_of_two (least / SS_SCALE_COMMON);
    else if (most > 0 && most < SS_SCALE_LEAST)
      *scale = power_of_two (most / SS_SCALE_COMMON);
  }
  ss_mpcc_eval_free (look.eval);
  ss_free (look.gradient);
  ss_free (look.hessian);
  ss_free (unit);
  ss_free (x);
  return status;
}

void
ss_scale_undo (const SsMpcc *mpcc, double scale, SsNlpResult *r, double *y)
{
  if (scale == 1)
    return;
  r->finish.value /= scale;
  r->certificate.promise /= scale;
  r->certificate.promise_gap /= scale;
  r->certificate.merit /= scale;
  r->certificate.largest_penalty /= scale;
  r->stationarity /= scale;
  for (int i = 0; r->multipliers != NULL && i < ss_mpcc_n_rows (mpcc); i++)
    y[i] = r->multipliers[i] / scale;
  r->multipliers = r->multipliers != NULL ? y : NULL;
}

void
ss_scale_undo_columns (double scale, SsColumn *columns, int n)
{
  SS_ASSERT (n >= 0);
  for (int i = 0; i < n; i++)
    if (strcmp (columns[i].name, "objective") == 0 || strcmp (columns[i].name, "merit") == 0 ||
        strcmp (columns[i].name, "mu_max") == 0)
      columns[i].value /= scale;
}

void
ss_scale_undo_members (double scale, SsMember *members, int n)
{
  SS_ASSERT (n >= 0);
  for (int i = 0; i < n; i++)
    members[i].objective /= scale;
}
