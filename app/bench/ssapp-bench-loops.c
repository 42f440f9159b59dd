/* app/bench/ssapp-bench-loops.c: see the header. */
#include "app/bench/ssapp-bench-loops.h"

#include "app/base/ssapp-json.h"
#include "app/bench/ssapp-bench-common.h"
#include "app/job/ssapp-asked.h"
#include "app/job/ssapp-result.h"
#include "app/session/ssapp-reproduce.h"
#include "run/ss-run-table.h"

#include <math.h>
#include <string.h>

/* SSAPP_BENCH_LOOP_CONDITIONS where none has the name; then there is an error that lists them. */
static guint
find_condition (const char *name, GError **error)
{
  g_autoptr (GString) names = g_string_new (NULL);

  for (guint c = 0; c < SSAPP_BENCH_LOOP_CONDITIONS; c++) {
    if (strcmp (ssapp_bench_loop_conditions[c].name, name) == 0)
      return c;
    g_string_append_printf (names, "%s%s", c > 0 ? ", " : "", ssapp_bench_loop_conditions[c].name);
  }
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "a closed loop is not disturbed by '%s' (expected %s)",
               name, names->str);
  return SSAPP_BENCH_LOOP_CONDITIONS;
}

SsTrajectory *
ssapp_bench_loop_motion (const SsappBenchLoopPlan *plan, const char *condition, SsMetricSet *metrics, GError **error)
{
  g_return_val_if_fail (plan != NULL && plan->methods->len > 0 && condition != NULL, NULL);
  const guint c = find_condition (condition, error);
  SsappBenchLoopMade made;

  if (c == SSAPP_BENCH_LOOP_CONDITIONS ||
      !ssapp_bench_loop_make (plan, g_ptr_array_index (plan->methods, 0), c, &made, error))
    return NULL;
  SsTrajectory *motion = g_steal_pointer (&made.motion);
  if (metrics != NULL)
    ss_metrics_fill_set (&made.last, metrics);
  ssapp_bench_loop_made_clear (&made);
  return motion;
}

/* ---- as a run ---------------------------------------------------------------------------------------------------- */

static SsappJobSpec *
make_spec (const SsappBenchLoopPlan *plan, const SsappBenchMethod *method, const SsScenario *scenario)
{
  SsappJobSpec *spec = ssapp_job_spec_new ();

  spec->kind = SS_METHOD_OPTIMISER;
  spec->method = g_strdup (method->method->name);
  spec->scenario_text = g_strdup (plan->text);
  spec->scenario_file = g_strdup (plan->name);
  spec->seed = plan->seed;
  spec->has_seed = TRUE;
  spec->cpu_seconds = plan->cpu_limit;
  for (guint i = 0; i < method->names->len; i++) {
    g_ptr_array_add (spec->option_names, g_strdup (g_ptr_array_index (method->names, i)));
    g_ptr_array_add (spec->option_values, g_strdup (g_ptr_array_index (method->values, i)));
  }
  for (int p = 0; p < scenario->n_parameters; p++)
    if (scenario->parameters[p].is_overridden) {
      g_ptr_array_add (spec->parameter_names, g_strdup (scenario->parameters[p].name));
      g_array_append_val (spec->parameter_values, scenario->parameters[p].value);
    }
  return spec;
}

static double
sum (const GArray *array)
{
  double total = 0;

  for (guint i = 0; i < array->len; i++)
    total += g_array_index (array, double, i);
  return total;
}

/* The motion is taken: a judged result, whose outcome says that the loop came to its end, and no more. */
static gboolean
judge (SsappBenchLoopMade *made, guint condition, SsRunResult *result, GError **error)
{
  SsError failure;

  if (ss_run_result_from_table (made->scenario, &made->motion, result, &failure) != SS_OK) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, "%s", failure.message);
    return FALSE;
  }
  result->outcome = SS_OUTCOME_COMPLETED;
  ss_metric_set (&result->metrics, SS_METRIC_ITERATIONS, made->steps);
  ss_metric_set (&result->metrics, SS_METRIC_CPU_SECONDS, sum (made->seconds));
  g_snprintf (result->message, sizeof result->message,
              "closed loop, %s: %d plans, %d not solved; steps whose plant found no next state: %d",
              ssapp_bench_loop_conditions[condition].what, made->steps, made->n_failed, made->n_lost);
  return TRUE;
}

static json_t *
asked_loop (const SsappBenchLoopPlan *plan, guint condition)
{
  SsappAskedLoop loop = {
      .disturbed = ssapp_bench_loop_conditions[condition].name, .steps = plan->steps, .set = json_object ()};

  for (int i = 0; i < plan->n_set; i++)
    json_object_set_new (loop.set, plan->set[i].name, json_real (plan->set[i].value));
  return ssapp_record_give_to_json (&ssapp_asked_loop_record, &loop);
}

/* As a project has it; a new reference, or NULL with an error. */
static json_t *
make_json (const SsappBenchLoopPlan *plan, const SsappBenchMethod *method, guint condition, const SsappJobSpec *spec,
           const SsScenario *scenario, const SsRunResult *result, GError **error)
{
  SsError failure;
  g_autofree void *options = ssapp_bench_method_options (method, scenario, &failure);

  if (options == NULL) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, "%s: %s", method->label, failure.message);
    return NULL;
  }
  json_t *json = ssapp_result_new (spec, scenario, method->method, options, NULL, result, 0);
  json_t *asked = json_object_get (json, "asked");
  json_object_set_new (asked, "verb", json_string ("bench"));
  json_object_set_new (asked, "loop", asked_loop (plan, condition));
  return json;
}

/* The loop as a run of the project; what was made has no motion after that. */
static gboolean
keep (const SsappBenchLoopPlan *plan, const SsappBenchMethod *method, guint condition, SsappBenchLoopMade *made,
      SsappStore *store, GError **error)
{
  g_autofree char *note = g_strdup_printf ("closed loop: %s", ssapp_bench_loop_conditions[condition].name);
  SsRunResult result;

  if (!judge (made, condition, &result, error))
    return FALSE;
  SsappJobSpec *spec = make_spec (plan, method, made->scenario);
  g_autofree char *options = ssapp_job_spec_options_json (spec), *parameters = ssapp_job_spec_parameters_json (spec);
  json_t *json = make_json (plan, method, condition, spec, made->scenario, &result, error);
  g_autofree char *text = json != NULL ? ssapp_json_text (json, FALSE) : NULL;
  const gboolean ok =
      text != NULL &&
      ssapp_store_record (store, spec->id, spec->scenario_text, made->scenario->name,
                          (SsMethodId){spec->kind, spec->method}, options, parameters, spec->seed, error) &&
      ssapp_store_finish (store, spec->id, text, ss_run_motion (&result), error) && ssapp_store_flush (store, error) &&
      ssapp_store_set_note (store, spec->id, note, error);
  json_decref (json);
  ssapp_job_spec_free (spec);
  ss_run_result_clear (&result);
  return ok;
}

/* ---- once more --------------------------------------------------------------------------------------------------- */

/* The object of a stored run's result; a new reference, NULL: it is no closed loop, or is not there. */
static json_t *
read_asked (SsappStore *store, const char *id, GError **error)
{
  g_autofree char *text = ssapp_store_get_result_json (store, id, error);
  json_t *result = text != NULL ? json_loads (text, 0, NULL) : NULL, *asked = json_object_get (result, "asked");

  asked = json_is_object (json_object_get (asked, "loop")) ? json_incref (asked) : NULL;
  json_decref (result);
  return asked;
}

gboolean
ssapp_bench_loop_is_stored (SsappStore *store, const char *id)
{
  json_t *asked = read_asked (store, id, NULL);
  const gboolean is_loop = asked != NULL;

  json_decref (asked);
  return is_loop;
}

/* The method and the options that the run's row has. NULL with an error. */
static GPtrArray *
read_methods (const SsappRunRow *row, GError **error)
{
  json_t *options = json_loads (row->options_json, 0, NULL), *value;
  g_autofree char *message = NULL;
  GPtrArray *methods = ssapp_bench_methods_parse (SS_METHOD_OPTIMISER, row->method, &message);
  const char *name;
  gboolean ok = methods != NULL;

  json_object_foreach (options, name, value)
  {
    g_autofree char *text =
        json_is_string (value) ? g_strdup (json_string_value (value)) : ssapp_json_text (value, FALSE);
    ok = ok && ssapp_bench_methods_set (methods, name, text, &message);
  }
  json_decref (options);
  if (ok)
    return methods;
  g_set_error (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_FAILED, "run %.8s cannot be repeated: %s", row->id, message);
  g_clear_pointer (&methods, g_ptr_array_unref);
  return NULL;
}

/* The plan's loop as the record of a job would be; NULL with an error. */
static SsappReproduceRecord *
make_record (const SsappBenchLoopPlan *plan, guint condition, GError **error)
{
  const SsappBenchMethod *method = g_ptr_array_index (plan->methods, 0);
  SsappReproduceRecord *record = NULL;
  SsappBenchLoopMade made;
  SsRunResult result;

  if (!ssapp_bench_loop_make (plan, method, condition, &made, error))
    return NULL;
  if (ssapp_bench_is_cancelled (plan->control)) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "the repeated loop was cancelled");
  } else if (judge (&made, condition, &result, error)) {
    SsappJobSpec *spec = make_spec (plan, method, made.scenario);
    json_t *json = make_json (plan, method, condition, spec, made.scenario, &result, error);
    if (json != NULL)
      record = ssapp_reproduce_record_new (json, ss_run_take_motion (&result));
    ssapp_job_spec_free (spec);
    ss_run_result_clear (&result);
  }
  ssapp_bench_loop_made_clear (&made);
  return record;
}

SsappReproduceRecord *
ssapp_bench_loop_again (SsappStore *store, const char *id, SsRunControl *control, GError **error)
{
  SsappRunRow *row = ssapp_store_get_sound_run (store, id, error);
  json_t *asked = row != NULL ? read_asked (store, row->id, error) : NULL;
  g_autofree char *text = asked != NULL ? ssapp_store_get_scenario_text (store, row->id, error) : NULL;
  GPtrArray *methods = text != NULL ? read_methods (row, error) : NULL;
  json_t *loop = json_object_get (asked, "loop"), *set = json_object_get (loop, "set"), *value;
  g_autofree SsOverride *overrides = g_new0 (SsOverride, json_object_size (set) + 1);
  SsappBenchLoopPlan plan = {.text = text, .set = overrides, .methods = methods, .control = control};
  SsappReproduceRecord *record = NULL;
  const char *name;

  if (methods != NULL) {
    const guint condition = find_condition (ssapp_json_get_string (loop, "disturbed"), error);
    json_object_foreach (set, name, value) overrides[plan.n_set++] = (SsOverride){name, json_number_value (value)};
    plan.name = row->scenario_name;
    plan.steps = (int)json_integer_value (json_object_get (loop, "steps"));
    plan.seed = row->seed;
    plan.cpu_limit = ssapp_json_get_real (asked, "cpu_seconds");
    if (condition < SSAPP_BENCH_LOOP_CONDITIONS)
      record = make_record (&plan, condition, error);
    g_ptr_array_unref (methods);
  }
  json_decref (asked);
  ssapp_run_row_free (row);
  return record;
}

/* ---- the suite --------------------------------------------------------------------------------------------------- */

static gboolean
add_loop (const SsappBenchLoopPlan *plan, SsappBenchSheet *sheet, const SsappBenchMethod *method, guint condition,
          SsappStore *store, GError **error)
{
  const SsappBenchLoopCondition *by = &ssapp_bench_loop_conditions[condition];
  SsappBenchLoopMade made;

  if (!ssapp_bench_loop_make (plan, method, condition, &made, error))
    return FALSE;
  const gboolean is_told = by->friction <= 1 || made.has_friction;
  gboolean ok = TRUE;
  if (is_told) {
    const double *ends = made.last.tracking;
    SSAPP_BENCH_ROW (
        sheet, {method->label}, {by->name}, {.n = made.steps}, {.n = made.first.tracking[SS_TRACK_POSITION]},
        {.n = ends[SS_TRACK_POSITION]}, {.n = ends[SS_TRACK_VELOCITY]}, {.n = ends[SS_TRACK_ANGLE]},
        {ssapp_bench_is_reached (&made.last) ? "yes" : "no"}, {.n = made.n_failed}, {.n = made.n_lost},
        {.n = 1e3 * ssapp_bench_median (made.seconds)}, {.n = 1e3 * ssapp_bench_percentile (made.seconds, 100)});
    ssapp_bench_say (plan->say, "%s, %s: %.3g m from the goal", method->label, by->name, ends[SS_TRACK_POSITION]);
    ok = store == NULL || ssapp_bench_is_cancelled (plan->control) ||
         keep (plan, method, condition, &made, store, error);
  }
  ssapp_bench_loop_made_clear (&made);
  return ok;
}

/* Of that list, NULL: each. FALSE with an error. */
static gboolean
choose (char *const *names, gboolean chosen[SSAPP_BENCH_LOOP_CONDITIONS], GError **error)
{
  for (guint c = 0; c < SSAPP_BENCH_LOOP_CONDITIONS; c++)
    chosen[c] = names == NULL;
  for (guint i = 0; names != NULL && names[i] != NULL; i++) {
    const guint c = find_condition (names[i], error);
    if (c == SSAPP_BENCH_LOOP_CONDITIONS)
      return FALSE;
    chosen[c] = TRUE;
  }
  return TRUE;
}

SsappBenchSheet *
ssapp_bench_loop (const SsappBenchLoopPlan *plan, char *const *conditions, SsappStore *store, GError **error)
{
  g_return_val_if_fail (plan != NULL, NULL);
  static const char *const columns[] = {"method|method|0",
                                        "condition|disturbed by|0",
                                        "steps|steps|5",
                                        "start|start [m]|4",
                                        "end|end [m]|4",
                                        "velocity|velocity [m/s]|3",
                                        "angle|angle [rad]|3",
                                        "reached|reached|0",
                                        "failed|not solved|5",
                                        "lost|plant not solved|5",
                                        "median|CPU time, median [ms]|3",
                                        "longest|longest [ms]|3",
                                        NULL};
  gboolean chosen[SSAPP_BENCH_LOOP_CONDITIONS], ok = choose (conditions, chosen, error);
  SsappBenchSheet *sheet = ssapp_bench_sheet_new ();
  g_autofree char *title = g_strdup_printf ("Closed loop of %s: distance from the goal", plan->name);

  ssapp_bench_sheet_table (sheet, "loops", title, columns);
  for (guint m = 0; m < plan->methods->len; m++)
    for (guint c = 0; c < SSAPP_BENCH_LOOP_CONDITIONS && ok && !ssapp_bench_is_cancelled (plan->control); c++)
      if (chosen[c])
        ok = add_loop (plan, sheet, g_ptr_array_index (plan->methods, m), c, store, error);
  for (guint c = 0; c < SSAPP_BENCH_LOOP_CONDITIONS; c++)
    if (chosen[c])
      ssapp_bench_sheet_note (sheet, "%s: %s.", ssapp_bench_loop_conditions[c].name,
                              ssapp_bench_loop_conditions[c].what);
  ssapp_bench_sheet_note (sheet, "end, velocity, angle: errors of the last state; reached: by the limits of CRISP's "
                                 "section IV-C (0.1 m, 0.5 m/s, pi/6, 0.1 pi/s).");
  if (!ok)
    g_clear_pointer (&sheet, ssapp_bench_sheet_free);
  return sheet;
}
