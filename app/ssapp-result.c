/* app/ssapp-result.c: see ssapp-result.h. */
#include "app/ssapp-result.h"

#include "app/ssapp-json.h"
#include "app/ssapp-run-events.h"

#include <math.h>
#include <string.h>

/* ---- pieces ----------------------------------------------------------------------------------------------------------------------- */

static json_t *
text (const char *value)
{
  char *valid = g_utf8_make_valid (value != NULL ? value : "", -1);
  json_t *json = json_string (valid);

  g_free (valid);
  return json;
}

/* Integers stay integers: {"j": 12}. */
static json_t *
number (double value, gboolean is_integer)
{
  return is_integer && isfinite (value) && fabs (value) < 9e15 ? json_integer ((json_int_t)value)
                                                               : ssapp_json_real (value);
}

static json_t *
scenario_to_json (const SsappJobSpec *spec, const SsScenario *scenario)
{
  json_t *object = json_object (), *overridden = json_object (), *values = json_object ();

  json_object_set_new (object, "name", text (scenario != NULL ? scenario->name : spec->scenario_file));
  if (scenario != NULL)
    json_object_set_new (object, "sha256", text (scenario->sha256));
  for (int i = 0; scenario != NULL && i < scenario->n_parameters; i++) {
    const SsParameter *p = &scenario->parameters[i];
    if (p->is_overridden)
      json_object_set_new (overridden, p->name, number (p->value, p->is_integer));
    json_object_set_new (values, p->name, number (p->value, p->is_integer));
  }
  json_object_set_new (object, "parameters", overridden);
  json_object_set_new (object, "values", values);
  return object;
}

static json_t *
options_to_json (const SsOptionTable *table, const void *options)
{
  json_t *object = json_object ();

  for (int i = 0; options != NULL && i < table->n_specs; i++) {
    const SsOptionSpec *spec = &table->specs[i];
    const double value = ss_options_get (table, options, i);
    char word[64];
    switch (spec->type) {
    case SS_OPTION_REAL:
      json_object_set_new (object, spec->name, ssapp_json_real (value));
      break;
    case SS_OPTION_INTEGER:
      json_object_set_new (object, spec->name, number (value, TRUE));
      break;
    case SS_OPTION_BOOLEAN:
      json_object_set_new (object, spec->name, json_boolean (value != 0));
      break;
    case SS_OPTION_CHOICE:
      ss_options_format (table, options, i, word, sizeof word);
      json_object_set_new (object, spec->name, text (word));
      break;
    }
  }
  return object;
}

static json_t *
method_to_json (const char *name, const SsMethod *method, const void *options)
{
  json_t *object = json_object ();
  g_autofree void *used = NULL; /* with presets filled in: given again, they do the same */

  if (method != NULL && options != NULL && method->nlp != NULL && method->nlp->resolve != NULL) {
    used = g_malloc0 (method->options->size);
    method->nlp->resolve (options, used);
    options = used;
  }
  json_object_set_new (object, "name", text (name));
  json_object_set_new (object, "options", method != NULL ? options_to_json (method->options, options) : json_object ());
  json_object_set_new (object, "version",
                       text (method != NULL && method->nlp != NULL ? method->nlp->version : SS_VERSION));
  return object;
}

static json_t *
tracking_to_json (const SsMetrics *m)
{
  static const char *const names[SS_TRACK_COUNT] = {"position", "velocity", "angle", "angular_velocity"};
  json_t *object = json_object ();

  for (int i = 0; i < SS_TRACK_COUNT; i++)
    json_object_set_new (object, names[i], ssapp_json_real (m->tracking[i]));
  json_object_set_new (object, "total", ssapp_json_real (m->tracking_error));
  return object;
}

/* null when the method has none. */
static json_t *
certificate_to_json (const SsNlpCertificate *c)
{
  json_t *object;

  if (!c->is_computed)
    return json_null ();
  object = json_object ();
  json_object_set_new (object, "text", text (c->text));
  json_object_set_new (object, "feasible", json_boolean (c->is_feasible));
  json_object_set_new (object, "stationary", json_boolean (c->is_stationary));
  json_object_set_new (object, "violation_equality", ssapp_json_real (c->violation_equality));
  json_object_set_new (object, "violation_inequality", ssapp_json_real (c->violation_inequality));
  json_object_set_new (object, "complementarity", ssapp_json_real (c->complementarity));
  json_object_set_new (object, "promise", ssapp_json_real (c->promise));
  json_object_set_new (object, "promise_gap", ssapp_json_real (c->promise_gap));
  json_object_set_new (object, "promise_part", ssapp_json_real (c->promise_part));
  json_object_set_new (object, "last_step", ssapp_json_real (c->last_step));
  json_object_set_new (object, "last_radius", ssapp_json_real (c->last_radius));
  json_object_set_new (object, "merit", ssapp_json_real (c->merit));
  json_object_set_new (object, "largest_penalty", ssapp_json_real (c->largest_penalty));
  return object;
}

json_t *
ssapp_metrics_to_json (const SsMetrics *m)
{
  json_t *object = json_object ();

  json_object_set_new (object, "objective", ssapp_json_real (m->objective));
  json_object_set_new (object, "max_violation", ssapp_json_real (m->max_violation));
  json_object_set_new (object, "complementarity", ssapp_json_real (m->complementarity));
  json_object_set_new (object, "violation_equality", ssapp_json_real (m->violation_equality));
  json_object_set_new (object, "violation_inequality", ssapp_json_real (m->violation_inequality));
  json_object_set_new (object, "violation_product", ssapp_json_real (m->violation_product));
  json_object_set_new (object, "l1_violation", ssapp_json_real (m->l1_violation));
  json_object_set_new (object, "tracking_error", tracking_to_json (m));
  json_object_set_new (object, "success_paper", json_boolean (m->success_paper));
  json_object_set_new (object, "n_variables", json_integer (m->n_variables));
  json_object_set_new (object, "n_constraints", json_integer (m->n_equalities + m->n_inequalities));
  json_object_set_new (object, "n_equalities", json_integer (m->n_equalities));
  json_object_set_new (object, "n_inequalities", json_integer (m->n_inequalities));
  json_object_set_new (object, "n_products", json_integer (m->n_products));
  if (m->worst[0] != '\0')
    json_object_set_new (object, "worst", text (m->worst));
  return object;
}

static void
add_simulation_metrics (json_t *object, const SsSimMetrics *m)
{
  json_object_set_new (object, "steps", json_integer (m->steps));
  json_object_set_new (object, "energy_initial", ssapp_json_real (m->energy_initial));
  json_object_set_new (object, "energy_final", ssapp_json_real (m->energy_final));
  json_object_set_new (object, "max_penetration", ssapp_json_real (m->max_penetration));
  json_object_set_new (object, "max_cone_violation", ssapp_json_real (m->max_cone_violation));
  json_object_set_new (object, "max_residual", ssapp_json_real (m->max_residual));
}

static void
add_replay_metrics (json_t *object, const SsReplayDistance *d)
{
  json_object_set_new (object, "replay_distance", ssapp_json_real (d->largest));
  json_object_set_new (object, "replay_angle", ssapp_json_real (d->largest_angle));
  json_object_set_new (object, "replay_final", ssapp_json_real (d->at_end));
  json_object_set_new (object, "replay_final_angle", ssapp_json_real (d->at_end_angle));
}

static void
add_replay_steps (json_t *object, const SsReplaySteps *steps)
{
  json_object_set_new (object, "replay_step", ssapp_json_real (steps->largest));
  json_object_set_new (object, "replay_step_t", ssapp_json_real (steps->t));
  json_object_set_new (object, "replay_parted", json_integer (steps->n_parted));
  if (steps->n_parted > 0)
    json_object_set_new (object, "replay_parted_t", ssapp_json_real (steps->first_t));
  if (steps->n_other >= 0)
    json_object_set_new (object, "replay_not_unique", json_integer (steps->n_other));
}

/* Every state channel at the last time point: the model's states; of a scene what moves, no forces. */
static gboolean
is_state_channel (const SsScenario *scenario, const char *channel)
{
  static const char *const suffixes[] = {".x", ".y", ".theta", ".vx", ".vy", ".omega"};

  if (scenario->model != NULL) {
    for (int i = 0; i < scenario->model->n_states; i++)
      if (strcmp (scenario->model->variables[i], channel) == 0)
        return TRUE;
    return FALSE;
  }
  for (guint i = 0; i < G_N_ELEMENTS (suffixes); i++)
    if (g_str_has_suffix (channel, suffixes[i]))
      return TRUE;
  return FALSE;
}

static json_t *
final_state_to_json (const SsScenario *scenario, const SsTrajectory *trajectory)
{
  json_t *object = json_object ();

  if (trajectory == NULL || trajectory->n_rows == 0)
    return object;
  const double *last = ss_trajectory_row (trajectory, trajectory->n_rows - 1);
  for (int i = 1; i < trajectory->n_channels; i++)
    if (is_state_channel (scenario, trajectory->channels[i]))
      json_object_set_new (object, trajectory->channels[i], ssapp_json_real (last[i]));
  return object;
}

json_t *
ssapp_problems_to_json (const SsProblems *problems)
{
  json_t *list = json_array ();

  for (int i = 0; problems != NULL && i < problems->n_items; i++) {
    const SsError *e = &problems->items[i];
    json_t *item = json_object ();
    json_object_set_new (item, "file", text (e->file));
    json_object_set_new (item, "line", json_integer (e->line));
    json_object_set_new (item, "column", json_integer (e->column));
    json_object_set_new (item, "path", text (e->path));
    json_object_set_new (item, "message", text (e->message));
    json_object_set_new (item, "expected", text (e->expected));
    json_array_append_new (list, item);
  }
  return list;
}

/* ---- results ---------------------------------------------------------------------------------------------------------------------- */

json_t *
ssapp_result_new (const SsappJobSpec *spec, const SsScenario *scenario, const SsMethod *method, const void *options,
                  const SsRunResult *result, double reading_seconds)
{
  json_t *object = json_object ();
  json_t *metrics = result->is_simulation ? json_object () : ssapp_metrics_to_json (&result->metrics);

  if (result->is_simulation) {
    add_simulation_metrics (metrics, &result->sim);
    if (result->is_replay)
      add_replay_metrics (metrics, &result->replay);
    if (result->has_replay_steps)
      add_replay_steps (metrics, &result->replay_steps);
  } else {
    json_object_set_new (metrics, "iterations", json_integer (result->iterations));
    json_object_set_new (metrics, "subproblems", json_integer (result->subproblems));
    json_object_set_new (metrics, "inner_iterations", json_integer (result->inner_iterations));
    json_object_set_new (metrics, "stationarity", ssapp_json_real (result->stationarity));
    json_object_set_new (metrics, "certificate", certificate_to_json (&result->certificate));
    json_object_set_new (metrics, "qp_seconds", ssapp_json_real (result->qp_seconds));
    json_object_set_new (metrics, "derivative_seconds", ssapp_json_real (result->derivative_seconds));
    json_object_set_new (metrics, "value_seconds", ssapp_json_real (result->value_seconds));
    json_object_set_new (metrics, "n_pairs", json_integer (result->n_pairs));
    json_object_set_new (metrics, "setup_reused", json_boolean (result->is_setup_reused));
  }
  json_object_set_new (metrics, "setup_seconds", ssapp_json_real (result->setup_seconds + reading_seconds));
  json_object_set_new (metrics, "solve_seconds", ssapp_json_real (result->solve_seconds));
  json_object_set_new (metrics, "cpu_seconds", ssapp_json_real (result->cpu_seconds));
  json_object_set_new (metrics, "threads", json_integer (1));

  json_object_set_new (object, "format", json_integer (1));
  json_object_set_new (object, "scenario", scenario_to_json (spec, scenario));
  json_object_set_new (object, "method", method_to_json (spec->method, method, options));
  json_object_set_new (object, "outcome", text (ss_outcome_name (result->outcome)));
  json_object_set_new (object, "message", text (result->message));
  json_object_set_new (object, "metrics", metrics);
  json_object_set_new (object, "final_state", final_state_to_json (scenario, result->trajectory));
  json_object_set_new (object, "events", ssapp_run_events_to_json (scenario->scene, result->events));
  json_object_set_new (object, "seed", json_integer ((json_int_t)spec->seed));
  json_object_set_new (object, "run", text (spec->id));
  if (spec->start_from != NULL && spec->start_from[0] != '\0')
    json_object_set_new (object, "start_from", text (spec->start_from));
  if (spec->replay_of != NULL)
    json_object_set_new (object, "replay_of", text (spec->replay_of));
  return object;
}

json_t *
ssapp_result_new_failed (const SsappJobSpec *spec, const SsScenario *scenario, const char *message,
                         const SsProblems *problems)
{
  json_t *object = json_object ();

  json_object_set_new (object, "format", json_integer (1));
  json_object_set_new (object, "scenario", scenario_to_json (spec, scenario));
  json_object_set_new (object, "method", method_to_json (spec->method, NULL, NULL));
  json_object_set_new (object, "outcome", text (ss_outcome_name (SS_OUTCOME_FAILED)));
  json_object_set_new (object, "message", text (message));
  json_object_set_new (object, "metrics", json_object ());
  json_object_set_new (object, "final_state", json_object ());
  json_object_set_new (object, "events", json_array ());
  if (problems != NULL && problems->n_items > 0)
    json_object_set_new (object, "problems", ssapp_problems_to_json (problems));
  json_object_set_new (object, "seed", json_integer ((json_int_t)spec->seed));
  json_object_set_new (object, "run", text (spec->id));
  return object;
}
