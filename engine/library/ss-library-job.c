/* engine/library/ss-library-job.c: jobs and results of library/stickslip.h. */
#include "library/ss-library-private.h"

#include "run/ss-run-table.h"
#include "simulate/ss-sensitivity.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct StickslipJob {
  const SsScenario *scenario; /* borrowed */
  const SsMethod *method;
  void *options, *transcription; /* owned: of the method, and ss_transcription_option_table's */
  double dt, t_end;              /* [s]; NaN: the scenario's */
  double wall, cpu;              /* limits [s]; INFINITY: none */
  SsTrajectory *motion;          /* owned; NULL: none */
  int n_numbers;
  char **numbers; /* owned: of sensitivities */
  SsRunControl control;
};

/* ---- job --------------------------------------------------------------------------------------------------------- */

StickslipJob *
stickslip_job_new (const StickslipScenario *scenario, const StickslipMethod *method, char *error, size_t size)
{
  const SsScenario *of = ss_library_scenario (scenario);
  const SsMethod *by = ss_library_method (method);
  SsError err;
  SsStatus status = ss_run_check (of, by, &err);
  StickslipJob *job = status == SS_OK ? ss_new (StickslipJob) : NULL;

  if (job != NULL) {
    *job = (StickslipJob){of, by, .dt = NAN, .t_end = NAN, .wall = INFINITY, .cpu = INFINITY};
    ss_run_control_init (&job->control);
    job->options = ss_alloc (1, by->options->size + 1);
    job->transcription = ss_alloc (1, ss_transcription_option_table ()->size + 1);
  }
  if (status == SS_OK && (job == NULL || job->options == NULL || job->transcription == NULL))
    status = ss_error_set (&err, SS_ERR_MEMORY, "out of memory");
  if (status == SS_OK)
    status = ss_method_begin_options (by, of, job->options, job->transcription, &err);
  if (ss_library_tell (status, &err, error, size))
    return job;
  stickslip_job_free (job);
  return NULL;
}

void
stickslip_job_free (StickslipJob *job)
{
  if (job == NULL)
    return;
  for (int i = 0; i < job->n_numbers; i++)
    ss_free (job->numbers[i]);
  ss_free (job->numbers);
  ss_trajectory_free (job->motion);
  ss_free (job->options);
  ss_free (job->transcription);
  ss_free (job);
}

bool
stickslip_job_set_option (StickslipJob *job, const char *name, const char *value, char *error, size_t size)
{
  SS_ASSERT (job != NULL && name != NULL && value != NULL);
  SsError err;

  return ss_library_tell (
      ss_method_set_option (job->method, job->scenario, job->options, job->transcription, name, value, &err), &err,
      error, size);
}

/* Whether the method takes such a time [s]. */
static bool
check_time (const StickslipJob *job, double seconds, char *error, size_t size)
{
  SsError err;
  SsStatus status = SS_OK;

  if (job->method->kind == SS_METHOD_IMPACT_LAW)
    status = ss_error_set (&err, SS_ERR_INVALID, "an impact takes no time: it has no step and no horizon");
  else if (job->scenario->scene == NULL)
    status = ss_error_set (&err, SS_ERR_INVALID, "step and horizon of a model are parameters of it");
  else if (!(seconds > 0) || isinf (seconds))
    status = ss_error_set (&err, SS_ERR_INVALID, "step and horizon are positive numbers of seconds");
  return ss_library_tell (status, &err, error, size);
}

bool
stickslip_job_set_step (StickslipJob *job, double dt, char *error, size_t size)
{
  SS_ASSERT (job != NULL);
  if (!check_time (job, dt, error, size))
    return false;
  job->dt = dt;
  return true;
}

bool
stickslip_job_set_end (StickslipJob *job, double t_end, char *error, size_t size)
{
  SS_ASSERT (job != NULL);
  if (!check_time (job, t_end, error, size))
    return false;
  job->t_end = t_end;
  return true;
}

void
stickslip_job_set_limits (StickslipJob *job, double wall, double cpu)
{
  SS_ASSERT (job != NULL && wall >= 0 && cpu >= 0);
  job->wall = wall;
  job->cpu = cpu;
}

/* The caller's motion with what the scenario knows of its channels. */
static SsStatus
copy_motion (const SsScenario *scenario, const SsTrajectory *from, SsTrajectory **out, SsError *err)
{
  SsStatus status = ss_trajectory_copy (from, out, err);

  if (status == SS_OK)
    status = ss_scenario_describe (scenario, *out, err);
  if (status != SS_OK) {
    ss_trajectory_free (*out);
    *out = NULL;
  }
  return status;
}

bool
stickslip_job_set_motion (StickslipJob *job, const StickslipTrajectory *motion, char *error, size_t size)
{
  SS_ASSERT (job != NULL);
  SsTrajectory *copy = NULL;
  SsError err;
  SsStatus status = SS_OK;

  if (motion != NULL && job->method->kind == SS_METHOD_IMPACT_LAW)
    status = ss_error_set (&err, SS_ERR_INVALID, "'%s' is an impact law: it takes no motion", job->method->name);
  else if (motion != NULL)
    status = copy_motion (job->scenario, ss_library_trajectory (motion), &copy, &err);
  if (!ss_library_tell (status, &err, error, size))
    return false;
  ss_trajectory_free (job->motion);
  job->motion = copy;
  return true;
}

bool
stickslip_job_add_sensitivity (StickslipJob *job, const char *number, char *error, size_t size)
{
  SS_ASSERT (job != NULL && number != NULL);
  SsError err;
  SsStatus status = SS_OK;
  int capacity = job->n_numbers;

  if (job->method->kind != SS_METHOD_INTEGRATOR)
    status = ss_error_set (&err, SS_ERR_INVALID, "'%s' is no integrator: it has no derivatives", job->method->name);
  else if (ss_array_reserve ((void **)&job->numbers, &capacity, job->n_numbers + 1, sizeof *job->numbers) != 0 ||
           (job->numbers[job->n_numbers] = ss_strdup (number)) == NULL)
    status = ss_error_set (&err, SS_ERR_MEMORY, "out of memory");
  else
    job->n_numbers++;
  return ss_library_tell (status, &err, error, size);
}

/* As the engine takes it: all of it borrowed from `self`. */
static SsJob
make_job (StickslipJob *self)
{
  SsJob job = ss_job (self->method, self->scenario, self->options);

  if (self->method->kind == SS_METHOD_INTEGRATOR) {
    job.simulate.dt = self->dt;
    job.simulate.t_end = self->t_end;
    job.simulate.plan = self->motion;
    job.simulate.sensitivity = (const char *const *)self->numbers;
    job.simulate.n_sensitivity = self->n_numbers;
    job.simulate.wants_sides = true;
  } else if (self->method->kind == SS_METHOD_OPTIMISER) {
    job.solve.start = self->motion;
    job.solve.transcription = ss_transcription_choose (self->transcription);
    if (self->scenario->model == NULL)
      ss_method_suit (self->method, job.solve.transcription.class_, self->options);
    job.solve.transcription.dt = isnan (self->dt) ? 0 : self->dt;
    job.solve.transcription.t_end = isnan (self->t_end) ? 0 : self->t_end;
  }
  return job;
}

StickslipResult *
stickslip_job_run (StickslipJob *self, char *error, size_t size)
{
  SS_ASSERT (self != NULL);
  StickslipResult *result = ss_new (StickslipResult);
  SsError err;
  SsStatus status = result != NULL ? SS_OK : ss_error_set (&err, SS_ERR_MEMORY, "out of memory");

  if (status == SS_OK) {
    const SsJob job = make_job (self);
    self->control.deadline = isfinite (self->wall) ? ss_clock_wall () + self->wall : INFINITY;
    if (isfinite (self->cpu))
      ss_run_control_limit_cpu (&self->control, self->cpu);
    status = ss_run (&job, &self->control, &result->run, &err);
  }
  if (ss_library_tell (status, &err, error, size))
    return result;
  ss_free (result);
  return NULL;
}

void
stickslip_job_cancel (StickslipJob *job)
{
  SS_ASSERT (job != NULL);
  ss_run_control_cancel (&job->control);
}

/* ---- result ------------------------------------------------------------------------------------------------------ */

StickslipResult *
stickslip_judge (const StickslipScenario *scenario, const StickslipTrajectory *motion, char *error, size_t size)
{
  const SsScenario *of = ss_library_scenario (scenario);
  StickslipResult *result = ss_new (StickslipResult);
  SsTrajectory *copy = NULL;
  SsError err;
  SsStatus status = result != NULL ? SS_OK : ss_error_set (&err, SS_ERR_MEMORY, "out of memory");

  if (status == SS_OK && ss_library_trajectory (motion)->n_rows < 1)
    status = ss_error_set (&err, SS_ERR_INVALID, "a motion without rows");
  if (status == SS_OK)
    status = copy_motion (of, ss_library_trajectory (motion), &copy, &err);
  if (status == SS_OK)
    status = ss_run_result_from_table (of, &copy, &result->run, &err);
  if (ss_library_tell (status, &err, error, size))
    return result;
  ss_free (result);
  return NULL;
}

void
stickslip_result_free (StickslipResult *result)
{
  if (result == NULL)
    return;
  ss_run_result_clear (&result->run);
  ss_free (result);
}

const char *
stickslip_result_outcome (const StickslipResult *result)
{
  SS_ASSERT (result != NULL);
  return ss_outcome_name (result->run.outcome);
}

bool
stickslip_result_is_success (const StickslipResult *result)
{
  SS_ASSERT (result != NULL);
  return ss_outcome_is_success (result->run.outcome);
}

const char *
stickslip_result_message (const StickslipResult *result)
{
  SS_ASSERT (result != NULL);
  return result->run.message;
}

int
stickslip_result_n_motions (const StickslipResult *result)
{
  SS_ASSERT (result != NULL);
  return result->run.n_motions;
}

static const SsRunMotion *
motion_at (const StickslipResult *result, int index)
{
  SS_ASSERT (index >= 0 && index < stickslip_result_n_motions (result));
  return &result->run.motions[index];
}

const StickslipTrajectory *
stickslip_result_motion (const StickslipResult *result, int index)
{
  return (const StickslipTrajectory *)(const void *)motion_at (result, index)->trajectory;
}

const char *
stickslip_result_role (const StickslipResult *result, int index)
{
  return ss_motion_role_name (motion_at (result, index)->role);
}

double
stickslip_result_share (const StickslipResult *result, int index)
{
  return motion_at (result, index)->share;
}

/* ---- metrics ----------------------------------------------------------------------------------------------------- */

int
stickslip_metric_count (void)
{
  return SS_METRIC_COUNT;
}

static const SsMetricSpec *
metric_at (int index)
{
  SS_ASSERT (index >= 0 && index < SS_METRIC_COUNT);
  return ss_metric_spec ((SsMetric)index);
}

const char *
stickslip_metric_name (int index)
{
  return metric_at (index)->name;
}

const char *
stickslip_metric_unit (int index)
{
  return metric_at (index)->unit;
}

const char *
stickslip_metric_summary (int index)
{
  return metric_at (index)->summary;
}

bool
stickslip_result_metric (const StickslipResult *result, const char *name, double *value)
{
  SS_ASSERT (result != NULL && name != NULL && value != NULL);
  const SsMetric metric = ss_metric_find (name);

  if (metric == SS_METRIC_COUNT || !result->run.metrics.is_set[metric])
    return false;
  *value = ss_metric_get (&result->run.metrics, metric);
  return true;
}

/* ---- sensitivities ----------------------------------------------------------------------------------------------- */

const StickslipTrajectory *
stickslip_result_derivatives (const StickslipResult *result)
{
  SS_ASSERT (result != NULL);
  const SsSensitivity *found = result->run.sensitivity;

  return found != NULL ? (const StickslipTrajectory *)(const void *)found->slopes : NULL;
}

double
stickslip_result_derivative (const StickslipResult *result, const char *number, const char *channel)
{
  SS_ASSERT (result != NULL && number != NULL && channel != NULL);
  const SsSensitivity *found = result->run.sensitivity;
  char name[256];

  for (int i = 0; found != NULL && found->slopes->n_rows > 0 && i < found->n_inputs; i++) {
    if (strcmp (found->names[i], number) != 0)
      continue;
    snprintf (name, sizeof name, "d.%s.%s", number, channel);
    const int column = ss_trajectory_channel (found->slopes, name) - 1 - i * ss_sensitivity_width (found);
    const double *final = ss_sensitivity_final_columns (found, i);
    return column >= 0 && column < ss_sensitivity_width (found) && final != NULL ? final[column] : NAN;
  }
  return NAN;
}
