/* app/study/ssapp-study-job.c: see the header. */
#include "app/study/ssapp-study-job.h"

#include "app/base/ssapp-json.h"
#include "app/base/ssapp-memory.h"

#include <math.h>
#include <string.h>

const char *
ssapp_study_get_start (const SsappStudy *study, const SsappStudyTask *task)
{
  g_return_val_if_fail (study != NULL, NULL);
  for (guint a = 0; a < study->axes->len; a++)
    if (((SsappStudyAxis *)g_ptr_array_index (study->axes, a))->kind == SSAPP_AXIS_GUESS &&
        strcmp (task->values[a], SSAPP_STUDY_GUESS_SCENARIO) != 0 &&
        strcmp (task->values[a], SSAPP_STUDY_GUESS_ZEROS) != 0)
      return task->values[a];
  return NULL;
}

SsappJob *
ssapp_study_new_job (const SsappStudy *study, const SsappStudyTask *task, guint workers, const SsTrajectory *start)
{
  g_return_val_if_fail (study != NULL, NULL);
  const SsappStudyMethod *method = g_ptr_array_index (study->methods, task->method);
  SsappJob *job = ssapp_job_new (task->scenario, study->scenario_name, method->id);
  double step = NAN, horizon = NAN;

  for (guint i = 0; task->option_names[i] != NULL; i++)
    ssapp_job_set_option (job, task->option_names[i], task->option_values[i]);
  for (guint a = 0; a < study->axes->len; a++) {
    const SsappStudyAxis *axis = g_ptr_array_index (study->axes, a);
    double number = NAN;
    ss_parse_double (task->values[a], &number);
    if (axis->kind == SSAPP_AXIS_PARAMETER)
      ssapp_job_set_parameter (job, axis->name, number);
    else if (axis->kind == SSAPP_AXIS_STEP)
      step = number;
    else if (axis->kind == SSAPP_AXIS_HORIZON)
      horizon = number;
    else if (axis->kind == SSAPP_AXIS_SEED)
      ssapp_job_set_seed (job, g_ascii_strtoull (task->values[a], NULL, 10));
  }
  if (isfinite (step) || isfinite (horizon))
    ssapp_job_set_step (job, step, horizon);
  if (start != NULL)
    ssapp_job_set_start (job, start, ssapp_study_get_start (study, task));
  ssapp_job_set_outcomes (job, study->outcomes);
  ssapp_job_set_time_limit (job, study->time_limit);
  ssapp_job_set_cpu_limit (job, study->cpu_limit);
  if (isfinite (study->bound))
    ssapp_job_set_bound (job, study->bound);
  ssapp_job_set_memory_limit (job,
                              isfinite (study->memory_limit) ? study->memory_limit : ssapp_memory_default (workers));
  return job;
}

char *
ssapp_study_task_to_json (const SsappStudy *study, const SsappStudyTask *task)
{
  g_return_val_if_fail (study != NULL, NULL);
  json_t *object = json_object ();

  for (guint a = 0; a < study->axes->len; a++) {
    const SsappStudyAxis *axis = g_ptr_array_index (study->axes, a);
    double number;
    const gboolean is_number = axis->kind != SSAPP_AXIS_GUESS && ss_parse_double (task->values[a], &number);
    json_object_set_new (object, axis->name, is_number ? json_real (number) : json_string (task->values[a]));
  }
  char *text = ssapp_json_text (object, FALSE);
  json_decref (object);
  return text;
}
