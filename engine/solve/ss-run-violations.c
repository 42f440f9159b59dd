/* engine/solve/ss-run-violations.c: see the header. */
#include "solve/ss-run-violations.h"

#include "core/ss-memory.h"
#include "mpcc/ss-problem.h"
#include "solve/ss-solve.h"

#include <math.h>
#include <string.h>

/* Times of rows and points are multiples of one step: they agree to rounding. */
static const double same_time = 1e-9;

/* Whether the motion's rows are the model's points; x is filled then. */
static bool
take_rows (const SsModel *model, const SsTrajectory *motion, double *x)
{
  const int n = model->n_variables;

  if (motion->n_rows != model->n_points || model->rows != NULL)
    return false;
  for (int k = 0; k < model->n_points && !model->has_clock; k++)
    if (!(fabs (ss_trajectory_row (motion, k)[0] - k * model->time_step) <= same_time * fmax (1, k)))
      return false;
  for (int v = 0; v < n; v++) {
    const int channel = ss_trajectory_channel (motion, model->variables[v]);

    if (channel <= 0)
      return false;
    for (int k = 0; k < model->n_points; k++)
      x[(size_t)k * (size_t)n + (size_t)v] = ss_trajectory_row (motion, k)[channel];
  }
  return true;
}

static SsStatus
find_of_model (const SsScenario *scenario, const SsTrajectory *motion, int n_max, SsMetrics *metrics, SsViolations *out,
               bool *is_exact, SsError *err)
{
  const SsModel *model = scenario->model;
  double *x = ss_new_array (double, (size_t)model->n_points *(size_t)model->n_variables + 1);
  SsStatus status = x != NULL ? SS_OK : ss_error_set (err, SS_ERR_MEMORY, "out of memory");

  if (status == SS_OK) {
    *is_exact = take_rows (model, motion, x);
    if (!*is_exact)
      status = ss_solve_follow_motion (scenario, motion, x, err);
  }
  if (status == SS_OK)
    status = ss_violations_find (scenario, NULL, x, n_max, metrics, out, err);
  ss_free (x);
  return status;
}

/* Whether the points of a model are where the motion's rows are. */
static bool
has_points_of (const SsModel *model, const SsTrajectory *motion)
{
  return model->rows != NULL || motion->n_rows == model->n_points;
}

/* Steps as the motion has them, in the place of the plan's. */
static void
take_steps (const SsTrajectory *motion, SsTranscribeOptions *options)
{
  const double first = ss_trajectory_row (motion, 0)[0], last = ss_trajectory_row (motion, motion->n_rows - 1)[0];

  options->t_end = last - first;
  options->dt = options->t_end / (motion->n_rows - 1);
}

static SsStatus
find_of_scene (const SsScenario *scenario, const SsTranscribeOptions *options, const SsTrajectory *motion, int n_max,
               SsMetrics *metrics, SsViolations *out, bool *is_exact, SsError *err)
{
  SsTranscribeOptions own = options != NULL ? *options : (SsTranscribeOptions){0};
  SsTranscript *transcript = NULL;
  double *x = NULL;
  SsStatus status = ss_transcript_new (scenario, &own, &transcript, err);

  if (status == SS_OK && motion->n_rows > 1 && !has_points_of (ss_transcript_model (transcript)->model, motion)) {
    SsTranscript *other = NULL;

    take_steps (motion, &own);
    if (ss_transcript_new (scenario, &own, &other, NULL) == SS_OK) {
      ss_transcript_free (transcript);
      transcript = other;
    }
  }
  if (status == SS_OK) {
    const SsModel *model = ss_transcript_model (transcript)->model;

    x = ss_new_array (double, (size_t)model->n_points *(size_t)model->n_variables + 1);
    if (x == NULL)
      status = ss_error_set (err, SS_ERR_MEMORY, "out of memory");
    else if (!(*is_exact = take_rows (model, motion, x)))
      status = ss_transcript_guess (transcript, scenario, motion, x, err);
  }
  if (status == SS_OK)
    status = ss_violations_find (ss_transcript_model (transcript), scenario->scene, x, n_max, metrics, out, err);
  ss_free (x);
  ss_transcript_free (transcript);
  return status;
}

SsStatus
ss_run_violations (const SsScenario *scenario, const SsTranscribeOptions *options, const SsTrajectory *motion,
                   int n_max, SsMetrics *metrics, SsViolations *out, bool *is_exact, SsError *err)
{
  SS_ASSERT (scenario != NULL && motion != NULL && n_max >= 1 && out != NULL && is_exact != NULL);
  *out = (SsViolations){0};
  *is_exact = false;
  if (motion->n_rows == 0)
    return ss_error_set (err, SS_ERR_INVALID, "there is no motion");
  return scenario->model != NULL ? find_of_model (scenario, motion, n_max, metrics, out, is_exact, err)
                                 : find_of_scene (scenario, options, motion, n_max, metrics, out, is_exact, err);
}
