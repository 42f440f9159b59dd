/* app/job/ssapp-own-job.c: see the header. */
#include "app/job/ssapp-own-job.h"

#include "app/base/ssapp-json.h"

#include <math.h>

static void
set_number (json_t *object, const char *name, double value)
{
  if (isfinite (value))
    json_object_set_new (object, name, json_real (value));
}

static json_t *
job_to_json (const SsappOwnRun *run, const SsappJobSpec *spec, const void *options)
{
  const SsMethod *method = &run->own->method;
  json_t *all = json_object (), *set = json_object (), *limits = json_object ();

  ssapp_json_add_options (all, method->options, options);
  for (guint i = 0; i < spec->parameter_names->len; i++)
    json_object_set_new (set, g_ptr_array_index (spec->parameter_names, i),
                         ssapp_json_real (g_array_index (spec->parameter_values, double, i)));
  set_number (limits, "seconds", spec->seconds);
  set_number (limits, "cpu_seconds", spec->cpu_seconds);
  set_number (limits, "bytes", run->bytes);
  json_t *job = json_pack ("{s:s, s:i, s:s, s:s, s:s, s:s, s:s, s:o, s:o, s:o}", "type", "job", "protocol",
                           SSAPP_OWN_PROTOCOL, "id", spec->id, "verb", ss_method_kind_spec (method->kind)->verb,
                           "scenario_text", spec->scenario_text, "scenario_name", spec->scenario_file, "method",
                           method->name, "options", all, "set", set, "limits", limits);
  set_number (job, "dt", run->dt);
  set_number (job, "t_end", run->t_end);
  if (spec->has_seed)
    json_object_set_new (job, "seed", json_integer ((json_int_t)spec->seed));
  return job;
}

SsappOwnRun *
ssapp_own_run_new (const SsappOwn *own, const SsappJobSpec *spec, const SsScenario *scenario, void *options,
                   SsError *err)
{
  g_return_val_if_fail (own != NULL, NULL);
  const gboolean simulates = own->method.kind == SS_METHOD_INTEGRATOR;

  if (spec->plan != NULL && spec->plan->n_rows < 1) {
    ss_error_set (err, SS_ERR_INVALID, "the plan has no time points");
    return NULL;
  }
  SsappOwnRun *run = g_new0 (SsappOwnRun, 1);
  run->own = own;
  run->bytes = spec->bytes;
  run->plan = spec->plan;
  run->dt = simulates ? spec->dt : NAN;
  run->t_end = simulates ? spec->t_end : NAN;
  if (simulates && isnan (run->dt) && run->plan == NULL)
    run->dt = scenario->task.dt;
  if (simulates && isnan (run->t_end))
    run->t_end = run->plan != NULL ? ss_trajectory_row (run->plan, run->plan->n_rows - 1)[0] : scenario->task.t_end;
  run->job = job_to_json (run, spec, options);
  ssapp_own_bind (options, run);
  return run;
}

void
ssapp_own_run_free (SsappOwnRun *run)
{
  if (run == NULL)
    return;
  json_decref (run->job);
  g_free (run);
}
