/* engine/fit/ss-fit-verdict.c: whether residuals are noise: their size beside that of the data, and their order. */
#include "fit/ss-fit-model.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Residuals are larger than the noise beyond FAR times its deviation, and much larger beyond TOO_FAR; not where they
 * are this part of the channel's range at most: no simulation is as exact as noise-free data. */
#define FAR      1.5
#define TOO_FAR  3.0
#define EXACT    1e-3
#define NEAR_FIT 5e-3
/* Correlation of neighbours: of noise it has the deviation 1 / sqrt (n). */
#define PATTERN     0.2
#define TOO_PATTERN 0.6
#define OUTLIER     4.0
#define MANY_OUT    0.25

static const char *const verdicts[] = {
#define X(id, name) name,
    SS_FIT_VERDICT_LIST (X)
#undef X
};

const char *
ss_fit_verdict_name (SsFitVerdict verdict)
{
  return verdicts[verdict];
}

/* The noise of a channel: what is left of four samples of a trial that follow each other beside the parabola through
 * them, in units of its deviation: c_k = 1 / prod (t_k - t_j), to the norm 1. */
static double
noise_of (const SsFitModel *model, int group, double *work)
{
  int cells[4] = {-1, -1, -1, -1}, n = 0, n_cells = 0, trial = -1;

  for (int i = 0; i < model->n_values; i++) {
    const SsFitCell *cell = &model->cells[i];
    if (cell->group != group)
      continue;
    n_cells = cell->trial == trial ? n_cells + 1 : 1;
    trial = cell->trial;
    memmove (cells, cells + 1, 3 * sizeof *cells);
    cells[3] = i;
    if (n_cells < 4)
      continue;
    double sum = 0, norm = 0;
    for (int k = 0; k < 4; k++) {
      double c = 1;
      for (int j = 0; j < 4; j++)
        if (j != k)
          c /= model->cells[cells[k]].t - model->cells[cells[j]].t;
      sum += c * model->measured[cells[k]];
      norm += c * c;
    }
    if (isfinite (sum) && norm > 0 && isfinite (norm))
      work[n++] = sum / sqrt (norm);
  }
  return n >= 4 ? ss_fit_scale (SS_FIT_MEDIAN, work, n) : (double)NAN;
}

static void
measure (const SsFitModel *model, const SsFitPoint *point, int group, double *work, SsFitResidual *r)
{
  double before = NAN, products = 0, squares = 0, sum = 0, scale = point->scales[group];
  int trial = -1, n_out = 0;

  *r = (SsFitResidual){.scale = scale, .range = model->ranges[group]};
  snprintf (r->name, sizeof r->name, "%s", model->group_names[group]);
  for (int i = 0; i < model->n_values; i++) {
    if (model->cells[i].group != group)
      continue;
    const double residual = model->measured[i] - point->predicted[i];
    sum += residual * residual;
    n_out += fabs (residual) > OUTLIER * scale;
    r->n_values++;
    /* outliers hide a pattern */
    const double cut = fmin (fmax (residual, -3 * scale), 3 * scale);
    if (model->cells[i].trial == trial)
      products += cut * before;
    squares += cut * cut;
    before = cut;
    trial = model->cells[i].trial;
  }
  r->rms = sqrt (sum / fmax (r->n_values, 1));
  r->pattern = squares > 0 ? products / squares : 0;
  r->outliers = (double)n_out / fmax (r->n_values, 1);
  r->noise = noise_of (model, group, work);
}

static SsFitVerdict
judge (const SsFitResidual *r, double least, char *why, size_t size)
{
  const double chance = 4 / sqrt (fmax (r->n_values, 1));
  const bool is_exact = r->scale <= fmax (EXACT * r->range, least); /* as well as any channel that stands still */

  if (r->outliers > MANY_OUT) {
    snprintf (why, size, "%.0f %% of the residuals of %s are outliers", 100 * r->outliers, r->name);
    return SS_FIT_POOR;
  }
  if (!is_exact && r->noise > 0 && r->scale > FAR * r->noise) {
    snprintf (why, size, "the residuals of %s are %.3g times the noise of the data (%.3g beside %.3g)", r->name,
              r->scale / r->noise, r->scale, r->noise);
    return r->scale > TOO_FAR * r->noise && r->scale > NEAR_FIT * r->range ? SS_FIT_POOR : SS_FIT_DOUBTFUL;
  }
  if (!is_exact && r->pattern > fmax (PATTERN, chance)) {
    snprintf (why, size, "the residuals of %s have a pattern: those that follow each other are correlated by %.2f",
              r->name, r->pattern);
    return r->pattern > TOO_PATTERN && r->scale > NEAR_FIT * r->range ? SS_FIT_POOR : SS_FIT_DOUBTFUL;
  }
  return SS_FIT_GOOD;
}

void
ss_fit_judge (const SsFitModel *model, const SsFitPoint *point, double *work, SsFitResult *result)
{
  SS_ASSERT (model != NULL && model->n_values >= 0 && result != NULL);
  result->verdict = SS_FIT_GOOD;
  result->message[0] = '\0';
  for (int g = 0; g < model->n_groups; g++) {
    char why[256] = "";
    measure (model, point, g, work, &result->residuals[g]);
    const SsFitVerdict verdict = judge (&result->residuals[g], model->least[g], why, sizeof why);
    if (verdict > result->verdict) {
      result->verdict = verdict;
      snprintf (result->message, sizeof result->message, "%s: %s",
                verdict == SS_FIT_POOR ? "the model does not fit the data, so that its numbers mean nothing"
                                       : "the intervals may be too short",
                why);
    }
  }
  result->n_residuals = model->n_groups;
}
