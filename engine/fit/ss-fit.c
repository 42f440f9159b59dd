/* engine/fit/ss-fit.c: see the header. Starts, the best of them, what it is worth. */
#include "fit/ss-fit.h"

#include "fit/ss-fit-model.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
  STARTS_USUAL = 10,
  STARTS_MOST = 200,
  SOLVED_STARTS = 3, /* that are followed to their minimum */
  SOLVED_MOST = 9,   /* while none of these fits */
  STEPS = 40,
  STEPS_FIRST = 12, /* of a start, before the best one goes on */
  LOOKS = 16,       /* along a number of the scene */
  AGAIN = 3         /* better points of profiles that are followed */
};
/* What the loss must be lower by to be another valley: more than noise of a value or two. */
#define LOOK_GAIN 4.0

typedef struct {
  SsFitModel model;
  SsFitProblem problem;
  SsFitPoint best;
  SsFitErrors errors;
  double *better; /* n_unknowns: what a profile found */
  bool is_stopped;
  SsOutcome why;
} Fit;

/* ---- starts ------------------------------------------------------------------------------------------------------ */

typedef struct {
  double *unknowns;
  double merit;
  unsigned long sequence;
  bool is_tried;
} Start;

/* By which starts with scales of their own are compared: the log likelihood of normal noise, robust. */
static double
merit_of (const Fit *fit, const SsFitPoint *point)
{
  double sum = 0;

  for (int i = 0; point->is_made && i < fit->model.n_values; i++)
    sum += log (point->scales[fit->model.groups[i]]);
  return point->is_made ? sum : (double)INFINITY;
}

/* Whether somebody or a limit has ended the fit, now or before. */
static bool
stops (Fit *fit)
{
  fit->is_stopped = fit->is_stopped || ss_run_control_should_stop (fit->model.control, &fit->why);
  return fit->is_stopped;
}

static SsStatus
look_at_starts (Fit *fit, Start *starts, int n, SsFitPoint *point, SsFitResult *result, SsError *err)
{
  SsStatus status = SS_OK;

  for (int i = 0; i < n && status == SS_OK; i++) {
    memcpy (point->unknowns, starts[i].unknowns, (size_t)fit->model.n_unknowns * sizeof (double));
    status = ss_fit_evaluate (&fit->problem, SS_FIT_HUBER, false, false, point, err);
    starts[i].merit = merit_of (fit, point);
    starts[i].sequence = fit->model.sequence;
    bool is_new = point->is_made;
    for (int j = 0; j < i && is_new; j++)
      is_new = !isfinite (starts[j].merit) || starts[j].sequence != starts[i].sequence;
    result->n_sequences += is_new;
    if (stops (fit) && i > 0)
      break;
  }
  result->n_starts = n;
  return status;
}

/* The best start that was not followed: of a sequence that none was followed of, where there is one. */
static Start *
next_start (Start *starts, int n)
{
  Start *best = NULL, *fresh = NULL;

  for (int i = 0; i < n; i++) {
    bool is_fresh = true;
    if (starts[i].is_tried || !isfinite (starts[i].merit))
      continue;
    for (int j = 0; j < n && is_fresh; j++)
      is_fresh = !starts[j].is_tried || starts[j].sequence != starts[i].sequence;
    if (best == NULL || starts[i].merit < best->merit)
      best = &starts[i];
    if (is_fresh && (fresh == NULL || starts[i].merit < fresh->merit))
      fresh = &starts[i];
  }
  return fresh != NULL ? fresh : best;
}

static bool
fits (Fit *fit, SsFitResult *result)
{
  if (fit->best.is_made)
    ss_fit_judge (&fit->model, &fit->best, fit->model.work, result);
  return fit->best.is_made && result->verdict == SS_FIT_GOOD;
}

static SsStatus
follow_starts (Fit *fit, Start *starts, int n, SsFitPoint *point, SsFitResult *result, SsError *err)
{
  const SsFitSolveOptions first = {fit->model.job->loss, STEPS_FIRST, NULL, false};
  double merit = INFINITY;
  SsStatus status = SS_OK;

  for (int tries = 0; tries < SOLVED_MOST && status == SS_OK && (!fit->is_stopped || tries == 0); tries++) {
    Start *start = next_start (starts, n);
    if (start == NULL || (tries >= SOLVED_STARTS && fits (fit, result)))
      break;
    start->is_tried = true;
    memcpy (point->unknowns, start->unknowns, (size_t)fit->model.n_unknowns * sizeof (double));
    point->n_steps = 0;
    fit->model.n_followed++;
    status = ss_fit_solve (&fit->problem, &first, fit->model.control, point, &fit->why, err);
    (void)stops (fit);
    /* what is stopped within a simulation has unknowns all the same */
    const double reached = fit->is_stopped && tries == 0 ? 0 : merit_of (fit, point);
    if (status == SS_OK && reached < merit) {
      merit = reached;
      ss_fit_point_copy (point, &fit->best, &fit->problem);
    }
  }
  if (status != SS_OK || isfinite (merit))
    return status;
  if (!fit->is_stopped)
    return ss_error_set (err, SS_ERR_INVALID, "no motion can be made from any start: %.280s", fit->model.reason);
  /* within the first simulation */
  memcpy (fit->best.unknowns, starts[0].unknowns, (size_t)fit->model.n_unknowns * sizeof (double));
  return SS_OK;
}

/* Along each number of the scene from the best point on: where the loss is lower somewhere, another valley begins, as
 * that of impacts that slip, to which nothing leads from those that stick. */
static SsStatus
look_along (Fit *fit, SsFitResult *result, SsError *err)
{
  const SsFitSolveOptions options = {fit->model.job->loss, STEPS_FIRST, NULL, false};
  const int n = fit->model.n_unknowns;
  SsFitPoint point;
  SsStatus status = ss_fit_point_init (&point, &fit->problem, err);

  for (int k = 0; k < n && status == SS_OK && !fit->is_stopped; k++) {
    const SsFitUnknown *u = &fit->model.unknowns[k];
    const double huber = ss_fit_loss_at (&fit->problem, SS_FIT_HUBER, fit->best.scales, fit->best.predicted);
    double least = huber - LOOK_GAIN, at = NAN;
    for (int i = 0; i < LOOKS && u->trial < 0 && status == SS_OK; i++) {
      ss_fit_point_copy (&fit->best, &point, &fit->problem);
      point.unknowns[k] = u->from + (u->to - u->from) * (i + 0.5) / LOOKS;
      status = ss_fit_evaluate (&fit->problem, SS_FIT_HUBER, true, false, &point, err);
      at = point.loss < least ? point.unknowns[k] : at;
      least = fmin (least, point.loss);
    }
    if (isnan (at) || status != SS_OK)
      continue;
    result->n_starts++;
    point.unknowns[k] = at;
    point.n_steps = 0;
    fit->model.n_followed++;
    status = ss_fit_solve (&fit->problem, &options, fit->model.control, &point, &fit->why, err);
    if (status == SS_OK && point.is_made && merit_of (fit, &point) < merit_of (fit, &fit->best))
      ss_fit_point_copy (&point, &fit->best, &fit->problem);
    (void)stops (fit);
  }
  ss_fit_point_clear (&point);
  return status;
}

static SsStatus
find_best (Fit *fit, SsFitResult *result, SsError *err)
{
  const int n = fit->model.n_unknowns, asked = fit->model.job->n_starts;
  const int most = asked > 0 ? (asked < STARTS_MOST ? asked : (int)STARTS_MOST) : (int)STARTS_USUAL;
  double *unknowns = ss_new_array (double, (size_t)most *(size_t)n + 1);
  Start *starts = ss_new_array (Start, most);
  SsFitPoint point = {0};
  SsStatus status = unknowns != NULL && starts != NULL ? ss_fit_point_init (&point, &fit->problem, err)
                                                       : ss_error_set (err, SS_ERR_MEMORY, "out of memory");

  if (status == SS_OK) {
    const int n_starts = ss_fit_starts (&fit->model, most, unknowns);
    for (int i = 0; i < n_starts; i++)
      starts[i] = (Start){&unknowns[(size_t)i * (size_t)n], INFINITY, 0, false};
    status = look_at_starts (fit, starts, n_starts, &point, result, err);
    if (status == SS_OK)
      status = follow_starts (fit, starts, n_starts, &point, result, err);
  }
  if (status == SS_OK && !fit->is_stopped)
    status = look_along (fit, result, err);
  if (status == SS_OK && !fit->is_stopped && !fit->best.is_converged) {
    const SsFitSolveOptions rest = {fit->model.job->loss, STEPS, NULL, false};
    fit->model.n_followed++;
    status = ss_fit_solve (&fit->problem, &rest, fit->model.control, &fit->best, &fit->why, err);
    (void)stops (fit);
  }
  ss_fit_point_clear (&point);
  ss_free (starts);
  ss_free (unknowns);
  return status;
}

/* ---- what the data tell ------------------------------------------------------------------------------------------ */

static bool
is_profiled (const SsFitJob *job, const char *name)
{
  for (int i = 0; i < job->n_profiles; i++)
    if (strcmp (job->profiles[i], name) == 0)
      return true;
  return false;
}

/* An unknown for which others make up: that it is not told apart from them, the one that follows it most, and how well
 * it would be known without them. Its value stays with theirs, since only together they fit. */
static void
tell_traded (const Fit *fit, int k, SsFitEstimate *e)
{
  const int n = fit->model.n_unknowns;
  const double *c = fit->errors.covariance;
  double most = 0;
  int other = -1;

  for (int j = 0; j < n; j++) {
    const double correlation = c[k * n + j] / sqrt (c[k * n + k] * c[j * n + j]);
    if (j != k && fabs (correlation) >= fabs (most)) {
      most = correlation;
      other = j;
    }
  }
  const size_t told = strlen (e->why);
  snprintf (&e->why[told], sizeof e->why - told,
            "%sthese data do not tell it apart from %s (correlation %.4f); were the others known, its standard error "
            "would be %.2g",
            told > 0 ? ": " : "", other >= 0 ? fit->model.unknowns[other].name : "the others", most,
            fit->errors.alone[k]);
}

/* An unknown whose loss is open to a side: what is told, and the value that it had, where the loss allows it. */
static void
tell_open (const SsFitUnknown *u, const SsFitProfiled *profiled, bool is_traded, SsFitEstimate *e)
{
  const double lower = profiled->lower, upper = profiled->upper;
  const char *same = is_traded ? "fits with other values of the others" : "gives the same motion";

  e->standard_error = e->lower = e->upper = NAN;
  e->is_identifiable = false;
  e->at_least = profiled->has_lower ? lower : (double)NAN;
  e->at_most = profiled->has_upper ? upper : (double)NAN;
  if (!is_traded)
    e->value = fmin (fmax (u->start, lower), upper);
  if (profiled->has_lower && profiled->has_upper)
    snprintf (e->why, sizeof e->why, "the data allow all of %.4g to %.4g", lower, upper);
  else if (profiled->has_lower)
    snprintf (e->why, sizeof e->why, "any value above %.4g %s, as far as these data tell", lower, same);
  else if (profiled->has_upper)
    snprintf (e->why, sizeof e->why, "any value below %.4g %s, as far as these data tell", upper, same);
  else if (is_traded)
    snprintf (e->why, sizeof e->why, "any value between %.4g and %.4g %s", lower, upper, same);
  else
    snprintf (e->why, sizeof e->why, "these data do not depend on it between %.4g and %.4g", lower, upper);
}

/* The estimate of an unknown, with a profile where it needs one. */
static SsStatus
estimate (Fit *fit, int k, SsFitResult *result, bool *is_better, SsError *err)
{
  const SsFitUnknown *u = &fit->model.unknowns[k];
  SsFitEstimate *e = &result->estimates[k];
  const double deviation = sqrt (fit->errors.covariance[k * fit->model.n_unknowns + k]);
  const bool is_poor = result->verdict == SS_FIT_POOR, is_weak = fit->errors.is_weak[k];
  const bool is_traded = fit->errors.is_traded[k];
  SsFitProfiled profiled = {.better = fit->better};

  e->is_identifiable = !is_poor && !is_weak;
  if (e->is_identifiable) {
    e->standard_error = deviation;
    e->lower = fmax (e->value - fit->errors.quantile * deviation, u->lower);
    e->upper = fmin (e->value + fit->errors.quantile * deviation, u->upper);
  } else if (is_poor || !is_traded)
    snprintf (e->why, sizeof e->why, is_poor ? "the model does not fit" : "these data hardly depend on it");
  const bool is_needed = is_weak && u->trial < 0;
  if (!is_needed && !is_profiled (fit->model.job, u->name)) {
    if (is_traded && !is_poor)
      tell_traded (fit, k, e);
    return SS_OK;
  }
  SsStatus status = ss_fit_profile (&fit->model, &fit->best, &fit->errors, k, &profiled, err);
  if (status != SS_OK)
    return status;
  if (is_needed && !is_poor)
    tell_open (u, &profiled, is_traded, e);
  if (is_traded && !is_poor)
    tell_traded (fit, k, e);
  *is_better = profiled.least < -2 * LOOK_GAIN;
  result->profiles[result->n_profiles] = profiled.curve;
  result->profiles[result->n_profiles++].estimate = k;
  (void)stops (fit);
  return SS_OK;
}

static void
name_estimates (const Fit *fit, SsFitResult *result)
{
  for (int k = 0; k < fit->model.n_unknowns; k++) {
    SsFitEstimate *e = &result->estimates[k];
    *e = (SsFitEstimate){.trial = fit->model.unknowns[k].trial,
                         .value = fit->best.unknowns[k],
                         .from = fit->model.unknowns[k].from,
                         .to = fit->model.unknowns[k].to,
                         .standard_error = NAN,
                         .lower = NAN,
                         .upper = NAN,
                         .at_least = NAN,
                         .at_most = NAN};
    snprintf (e->name, sizeof e->name, "%s", fit->model.unknowns[k].name);
  }
}

static void
fill_correlation (const Fit *fit, SsFitResult *result)
{
  const int n = fit->model.n_unknowns;
  const double *c = fit->errors.covariance;

  for (int k = 0; k < n; k++)
    for (int j = 0; j < n; j++)
      result->correlation[k * n + j] = result->estimates[k].is_identifiable && result->estimates[j].is_identifiable
                                           ? c[k * n + j] / sqrt (c[k * n + k] * c[j * n + j])
                                           : (double)NAN;
}

static void
forget_profiles (SsFitResult *result)
{
  for (int i = 0; i < result->n_profiles; i++) {
    ss_free (result->profiles[i].values);
    ss_free (result->profiles[i].losses);
  }
  result->n_profiles = 0;
}

/* The best point with its slopes. Who stopped gets it without them: the last simulations go to their end. */
static SsStatus
evaluate_best (Fit *fit, SsError *err)
{
  const SsFitLoss loss = fit->model.job->loss;

  if (!stops (fit)) {
    fit->model.is_central = true;
    const SsStatus status = ss_fit_evaluate (&fit->problem, loss, false, true, &fit->best, err);
    fit->model.is_central = false;
    if (!stops (fit))
      return status;
  }
  fit->model.control = NULL;
  return ss_fit_evaluate (&fit->problem, loss, false, false, &fit->best, err);
}

/* Of the best point. *is_better: false; true where a profile found a better one, fit->better. */
static SsStatus
tell_of_best (Fit *fit, SsFitResult *result, bool *is_better, SsError *err)
{
  const int n = fit->model.n_unknowns;

  name_estimates (fit, result);
  forget_profiles (result);
  SsStatus status = evaluate_best (fit, err);
  if (status != SS_OK || !fit->best.is_made)
    return status != SS_OK ? status
                           : ss_error_set (err, SS_ERR_INVALID, "no motion can be made: %.280s", fit->model.reason);
  ss_fit_judge (&fit->model, &fit->best, fit->model.work, result);
  if (fit->is_stopped)
    return SS_OK;
  status = ss_fit_errors (&fit->model, &fit->best, result, &fit->errors, err);
  for (int k = 0; k < n && status == SS_OK && !fit->is_stopped && !*is_better; k++)
    status = estimate (fit, k, result, is_better, err);
  if (status != SS_OK)
    return status;
  fill_correlation (fit, result);
  ss_fit_doubt_scale (&fit->model, &fit->errors, result);
  return SS_OK;
}

/* A profile may find a better point: then all is told of that one. */
static SsStatus
tell (Fit *fit, SsFitResult *result, SsError *err)
{
  const SsFitSolveOptions options = {fit->model.job->loss, STEPS, NULL, false};
  bool is_better = false;
  SsStatus status = tell_of_best (fit, result, &is_better, err);

  for (int i = 0; i < AGAIN && status == SS_OK && is_better && !fit->is_stopped; i++) {
    memcpy (fit->best.unknowns, fit->better, (size_t)fit->model.n_unknowns * sizeof (double));
    fit->best.n_steps = 0;
    fit->model.n_followed++;
    status = ss_fit_solve (&fit->problem, &options, fit->model.control, &fit->best, &fit->why, err);
    (void)stops (fit);
    is_better = false;
    if (status == SS_OK)
      status = tell_of_best (fit, result, &is_better, err);
  }
  return status;
}

static SsStatus
copy_point (Fit *fit, SsFitResult *result, SsError *err)
{
  SsStatus status = SS_OK;

  for (int i = 0; i < fit->model.n_values; i++) {
    result->values[i] = ss_fit_model_value (&fit->model, i);
    result->values[i].predicted = fit->best.predicted[i];
  }
  result->n_values = fit->model.n_values;
  result->loss = fit->best.loss;
  result->criterion = 2 * fit->best.loss + fit->model.n_unknowns * log (fmax (fit->model.n_values, 1));
  result->n_steps = fit->best.n_steps;
  for (int i = 0; i < fit->model.job->n_trials && status == SS_OK; i++)
    status = ss_fit_model_text (&fit->model, fit->best.unknowns, i, &result->scenarios[i], err);
  return status;
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

static SsStatus
make_room (Fit *fit, SsFitResult *result, SsError *err)
{
  const SsFitModel *m = &fit->model;
  const int n = m->n_unknowns;

  result->estimates = ss_new_array (SsFitEstimate, n + 1);
  result->correlation = ss_new_array (double, n *n + 1);
  result->residuals = ss_new_array (SsFitResidual, m->n_groups + 1);
  result->profiles = ss_new_array (SsFitProfile, n + 1);
  result->values = ss_new_array (SsFitValue, m->n_values + 1);
  result->scenarios = ss_new_array (char *, m->job->n_trials + 1);
  fit->errors.covariance = ss_new_array (double, n *n + 1);
  fit->errors.is_weak = ss_new_array (bool, n + 1);
  fit->errors.is_traded = ss_new_array (bool, n + 1);
  fit->errors.alone = ss_new_array (double, n + 1);
  fit->errors.by_scale = ss_new_array (double, n + 1);
  fit->better = ss_new_array (double, n + 1);
  if (result->estimates == NULL || result->correlation == NULL || result->residuals == NULL ||
      result->profiles == NULL || result->values == NULL || result->scenarios == NULL ||
      fit->errors.covariance == NULL || fit->errors.is_weak == NULL || fit->errors.is_traded == NULL ||
      fit->errors.alone == NULL || fit->errors.by_scale == NULL || fit->better == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  result->n_estimates = n;
  result->n_trials = m->job->n_trials;
  for (int k = 0; k < n * n; k++)
    result->correlation[k] = NAN;
  return ss_fit_point_init (&fit->best, &fit->problem, err);
}

static SsStatus
check_profiles (const SsFitModel *model, SsError *err)
{
  for (int i = 0; i < model->job->n_profiles; i++) {
    bool is_there = false;
    for (int k = 0; k < model->n_unknowns && !is_there; k++)
      is_there = strcmp (model->unknowns[k].name, model->job->profiles[i]) == 0;
    if (!is_there)
      return ss_error_set (err, SS_ERR_INVALID, "a profile of '%s' is asked for, which is not free",
                           model->job->profiles[i]);
  }
  return SS_OK;
}

SsStatus
ss_fit (const SsFitJob *job, SsRunControl *control, SsFitResult *result, SsError *err)
{
  SS_ASSERT (job != NULL && job->scenario != NULL && job->method != NULL && result != NULL);
  const double start = ss_clock_thread_cpu ();
  Fit fit = {.why = SS_OUTCOME_CANCELLED};

  *result = (SsFitResult){0};
  SsStatus status = ss_fit_model_init (&fit.model, job, control, err);
  if (status != SS_OK)
    return status;
  fit.problem = ss_fit_model_problem (&fit.model);
  status = check_profiles (&fit.model, err);
  if (status == SS_OK)
    status = make_room (&fit, result, err);
  if (status == SS_OK)
    status = find_best (&fit, result, err);
  if (status == SS_OK)
    status = tell (&fit, result, err);
  if (status == SS_OK)
    status = copy_point (&fit, result, err);
  result->outcome = fit.is_stopped             ? fit.why
                    : fit.best.is_converged    ? SS_OUTCOME_SOLVED
                    : fit.best.n_steps < STEPS ? SS_OUTCOME_STALLED
                                               : SS_OUTCOME_MAX_ITERATIONS;
  result->n_simulations = fit.model.n_simulations;
  result->cpu_seconds = ss_clock_thread_cpu () - start;
  ss_fit_point_clear (&fit.best);
  ss_free (fit.errors.covariance);
  ss_free (fit.errors.is_weak);
  ss_free (fit.errors.is_traded);
  ss_free (fit.errors.alone);
  ss_free (fit.errors.by_scale);
  ss_free (fit.better);
  ss_fit_model_clear (&fit.model);
  if (status != SS_OK)
    ss_fit_result_clear (result);
  return status;
}

void
ss_fit_result_clear (SsFitResult *result)
{
  SS_ASSERT (result != NULL);
  forget_profiles (result);
  for (int i = 0; result->scenarios != NULL && i < result->n_trials; i++)
    ss_free (result->scenarios[i]);
  ss_free (result->estimates);
  ss_free (result->correlation);
  ss_free (result->residuals);
  ss_free (result->profiles);
  ss_free (result->values);
  ss_free (result->scenarios);
  *result = (SsFitResult){0};
}

double
ss_fit_compare (const SsFitResult *base, const SsFitResult *other, SsFitLoss loss)
{
  SS_ASSERT (base != NULL && other != NULL);

  double merits[2] = {0, 0}, losses[2] = {0, 0};
  const SsFitResult *both[2] = {base, other};

  if (base->n_values != other->n_values || base->n_residuals != other->n_residuals)
    return NAN;
  for (int i = 0; i < base->n_values; i++)
    for (int r = 0; r < 2; r++)
      merits[r] += log (both[r]->residuals[both[r]->values[i].residual].scale);
  const SsFitResult *better = both[merits[1] < merits[0]];
  for (int i = 0; i < base->n_values; i++)
    for (int r = 0; r < 2; r++) {
      const SsFitValue *v = &both[r]->values[i];
      losses[r] += ss_fit_rho (loss, (v->measured - v->predicted) / better->residuals[v->residual].scale);
    }
  return 2 * (losses[1] - losses[0]) + (other->n_estimates - base->n_estimates) * log (fmax (base->n_values, 1));
}
