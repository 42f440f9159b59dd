/* engine/fit/ss-fit-profile.c: the loss along one unknown. All others follow: by a linear step along the valley, whose
 * direction is that of the covariance at first and that of the last two points from then on, and, where that leaves the
 * loss high, by steps of their own. Without the linear step they lost a narrow valley, such as that of a mass and a
 * stiffness of which the data tell the ratio alone, and the set ended beside the best value. */
#include "fit/ss-fit-model.h"

#include <math.h>
#include <string.h>

/* The loss allows what raises 2 F / K by less: the 95 % quantile of chi square with one degree of freedom. */
#define ALLOWED 3.841
/* So much more, and nothing brings it back. */
#define FAR 400.0
/* So much more, and a loss that forgets far residuals may have forgotten those that lead back. */
#define FORGETS 40.0
/* Points of a curve over all that is looked at; halvings of an end. */
enum { POINTS = 21, HALVINGS = 7, STEPS = 4 };

typedef struct {
  SsFitModel *model;
  SsFitProblem problem;
  const SsFitPoint *best;
  const double *covariance; /* n_unknowns x n_unknowns */
  double factor;
  int unknown;
  bool *is_held;
  double *from, *slope; /* n_unknowns each: where the others are led from, and their change by the unknown */
  SsFitPoint point;
} Profiler;

/* The others where the line through `from` has them; with is_led false as they are there. */
static void
place_others (Profiler *p, double value, bool is_led)
{
  const double step = is_led ? value - p->from[p->unknown] : 0;

  for (int k = 0; k < p->model->n_unknowns; k++)
    p->point.unknowns[k] =
        fmin (fmax (p->from[k] + step * p->slope[k], p->model->unknowns[k].lower), p->model->unknowns[k].upper);
  p->point.unknowns[p->unknown] = value;
}

static double
rise_of (const Profiler *p, SsStatus status)
{
  return status == SS_OK && p->point.is_made ? 2 * (p->point.loss - p->best->loss) / p->factor : (double)INFINITY;
}

/* The next point is led from here. */
static void
lead_from_here (Profiler *p, double value)
{
  const double step = value - p->from[p->unknown];

  for (int k = 0; k < p->model->n_unknowns; k++) {
    p->slope[k] = step != 0 ? (p->point.unknowns[k] - p->from[k]) / step : p->slope[k];
    p->from[k] = p->point.unknowns[k];
  }
}

/* 2 dF / K with the unknown at `value`; the point is then there. INFINITY: no motion. */
static SsStatus
look_from (Profiler *p, double value, bool is_led, double *rise, SsError *err)
{
  const SsFitLoss loss = p->model->job->loss;
  SsFitSolveOptions options = {loss, STEPS, p->is_held, true};
  SsOutcome why;

  memcpy (p->point.scales, p->best->scales, (size_t)p->model->n_groups * sizeof (double));
  place_others (p, value, is_led);
  p->point.n_steps = 0;
  SsStatus status = ss_fit_evaluate (&p->problem, loss, true, false, &p->point, err);
  *rise = rise_of (p, status);
  if (status != SS_OK || *rise <= ALLOWED / 4 || p->model->n_unknowns == 1 || (!p->point.is_made) || *rise > 1e5)
    return status;
  if (loss == SS_FIT_TUKEY && *rise > FORGETS) {
    options.loss = SS_FIT_HUBER;
    status = ss_fit_solve (&p->problem, &options, NULL, &p->point, &why, err);
    options.loss = loss;
  }
  if (status == SS_OK)
    status = ss_fit_solve (&p->problem, &options, NULL, &p->point, &why, err);
  *rise = rise_of (p, status);
  return status;
}

static SsStatus
look (Profiler *p, double value, double *rise, SsError *err)
{
  SsStatus status = look_from (p, value, true, rise, err);

  return status == SS_OK && !(*rise < FAR) && p->model->n_unknowns > 1 ? look_from (p, value, false, rise, err)
                                                                       : status;
}

/* The end of the allowed set between a value that is allowed and one that is not. */
static SsStatus
halve (Profiler *p, double in, double out, double *end, SsError *err)
{
  SsStatus status = SS_OK;
  double rise;

  for (int i = 0; i < HALVINGS && status == SS_OK; i++) {
    const double middle = (in + out) / 2;
    status = look (p, middle, &rise, err);
    if (rise <= ALLOWED) {
      in = middle;
      lead_from_here (p, middle);
    } else
      out = middle;
  }
  *end = in;
  return status;
}

static void
insert (SsFitProfile *curve, double value, double loss)
{
  int i = curve->n++;

  for (; i > 0 && curve->values[i - 1] > value; i--) {
    curve->values[i] = curve->values[i - 1];
    curve->losses[i] = curve->losses[i - 1];
  }
  curve->values[i] = value;
  curve->losses[i] = loss;
}

/* Outwards from the best value to `limit`. */
static SsStatus
walk (Profiler *p, double limit, double step, SsFitProfiled *out, bool *has_end, double *end, SsError *err)
{
  const double best = p->best->unknowns[p->unknown];
  const int n = (int)ceil (fabs (limit - best) / step - 1e-9);
  double allowed = best, rise = 0;
  SsOutcome why;
  SsStatus status = SS_OK;

  const int n_unknowns = p->model->n_unknowns;
  const double *row = &p->covariance[p->unknown * n_unknowns];
  ss_fit_point_copy (p->best, &p->point, &p->problem);
  for (int k = 0; k < n_unknowns; k++) {
    p->from[k] = p->best->unknowns[k];
    p->slope[k] = row[k] / row[p->unknown];
  }
  *has_end = false;
  *end = limit;
  for (int i = 1; i <= n && status == SS_OK && rise < FAR; i++) {
    const double value = best + (limit - best) * i / n;
    if (ss_run_control_should_stop (p->model->control, &why))
      return SS_OK;
    status = look (p, value, &rise, err);
    if (status != SS_OK)
      return status;
    insert (&out->curve, value, rise);
    if (rise < out->least) {
      out->least = rise;
      memcpy (out->better, p->point.unknowns, (size_t)p->model->n_unknowns * sizeof (double));
    }
    if (rise <= ALLOWED && !*has_end)
      allowed = value;
    if (rise > ALLOWED && !*has_end) {
      *has_end = true;
      status = halve (p, allowed, value, end, err);
      if (status == SS_OK)
        status = look (p, value, &rise, err);
    }
    if (status == SS_OK && p->point.is_made)
      lead_from_here (p, value);
  }
  return status;
}

SsStatus
ss_fit_profile (SsFitModel *model, const SsFitPoint *best, const SsFitErrors *errors, int unknown, SsFitProfiled *out,
                SsError *err)
{
  SS_ASSERT (model != NULL && errors != NULL && unknown >= 0 && unknown < model->n_unknowns);

  const SsFitUnknown *u = &model->unknowns[unknown];
  const int n = model->n_unknowns;
  Profiler p = {.model = model,
                .problem = ss_fit_model_problem (model),
                .best = best,
                .covariance = errors->covariance,
                .factor = errors->factor,
                .unknown = unknown,
                .is_held = ss_new_array (bool, n),
                .from = ss_new_array (double, n),
                .slope = ss_new_array (double, n)};
  const double deviation = sqrt (errors->covariance[unknown * n + unknown]);
  /* Fine where the data tell it, else over all that there is. */
  const double from = errors->is_weak[unknown] ? u->from : fmax (u->from, best->unknowns[unknown] - 4 * deviation);
  const double to = errors->is_weak[unknown] ? u->to : fmin (u->to, best->unknowns[unknown] + 4 * deviation);
  const double step = (to - from) / (POINTS - 1);

  *out = (SsFitProfiled){
      .better = out->better,
      .curve = {.values = ss_new_array (double, 2 * POINTS + 4), .losses = ss_new_array (double, 2 * POINTS + 4)}};
  SsStatus status = ss_fit_point_init (&p.point, &p.problem, err);
  if (status == SS_OK && (p.is_held == NULL || p.from == NULL || p.slope == NULL || out->curve.values == NULL ||
                          out->curve.losses == NULL))
    status = ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  if (status == SS_OK) {
    p.is_held[unknown] = true;
    insert (&out->curve, best->unknowns[unknown], 0);
    status = walk (&p, from, step, out, &out->has_lower, &out->lower, err);
  }
  if (status == SS_OK)
    status = walk (&p, to, step, out, &out->has_upper, &out->upper, err);
  ss_fit_point_clear (&p.point);
  ss_free (p.is_held);
  ss_free (p.from);
  ss_free (p.slope);
  if (status != SS_OK) {
    ss_free (out->curve.values);
    ss_free (out->curve.losses);
    out->curve = (SsFitProfile){0};
  }
  return status;
}
