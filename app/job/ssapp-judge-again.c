/* app/job/ssapp-judge-again.c: see the header. */
#include "app/job/ssapp-judge-again.h"

#include "app/base/ssapp-json.h"
#include "app/base/ssapp-metric.h"
#include "app/draw/ssapp-run-events.h"
#include "app/job/ssapp-result.h"
#include "app/job/ssapp-violations.h"
#include "core/ss-stage-rows.h"
#include "solve/ss-run-violations.h"
#include "simulate/ss-simulate.h"

#include <math.h>
#include <string.h>

/* What other machines' libraries may leave in sums. */
static const double TOLERANCE = 1e-9;

typedef struct {
  const SsScenario *scenario;
  const json_t *result;
  const SsTrajectory *motion;
  SsMetricSet claimed;
  GPtrArray *faults; /* of char * */
} Judge;

#define FAULT_OF_TIME  "its time runs back, or is no number"
#define FAULT_OF_STATE "a state of a success is no number"

/* Of a motion of a success: each row has a time, a number beside it, and all numbers of a state. */
static const char *
numbers_fault (const SsTrajectory *motion)
{
  for (int k = 0; k < motion->n_rows; k++) {
    const double *row = ss_trajectory_row (motion, k);
    int n_finite = 0;
    if (!isfinite (row[0]))
      return "Motion: " FAULT_OF_TIME;
    for (int c = 1; c < motion->n_channels; c++) {
      if (!isfinite (row[c]) && motion->channels[c].is_state)
        return "Motion: " FAULT_OF_STATE;
      n_finite += isfinite (row[c]) ? 1 : 0;
    }
    if (n_finite == 0 && motion->n_channels > 1)
      return "Motion: a row of a success has no number";
  }
  return NULL;
}

const char *
ssapp_result_fault (SsMethodKind kind, const char *outcome, const SsTrajectory *motion)
{
  SsOutcome known;

  if (outcome == NULL || !ss_outcome_from_name (outcome, &known))
    return "its outcome is none that this program knows";
  if (known == (kind == SS_METHOD_OPTIMISER ? SS_OUTCOME_COMPLETED : SS_OUTCOME_SOLVED))
    return "its outcome is none of its kind of method";
  if (ss_outcome_is_success (known) && (motion == NULL || motion->n_rows < 1) && kind != SS_METHOD_IMPACT_LAW)
    return "it claims success and has no motion";
  return ss_outcome_is_success (known) && motion != NULL ? numbers_fault (motion) : NULL;
}

/* ---- comparing --------------------------------------------------------------------------------------------------- */

/* A claim that is not known (NaN) is none. `scale`: what sums were made of. */
static void
compare (Judge *self, const char *what, double claimed, double judged, double scale)
{
  if (isnan (claimed) || claimed == judged ||
      fabs (claimed - judged) <= TOLERANCE * MAX (MAX (1, scale), MAX (fabs (claimed), fabs (judged))))
    return;
  g_ptr_array_add (self->faults, g_strdup_printf ("%s: %.9g, by its motion %.9g", what, claimed, judged));
}

static void
compare_metrics (Judge *self, SsOutcome outcome, const SsMetricSet *judged, const SsMetric *metrics, gsize n)
{
  for (gsize i = 0; i < n; i++) {
    g_autofree char *title = ssapp_metric_title (metrics[i]);
    if (!judged->is_set[metrics[i]])
      continue;
    if (self->claimed.is_set[metrics[i]])
      compare (self, title, ss_metric_get (&self->claimed, metrics[i]), ss_metric_get (judged, metrics[i]), 0);
    if (ss_outcome_is_success (outcome) && isnan (ss_metric_get (&self->claimed, metrics[i])) &&
        isfinite (ss_metric_get (judged, metrics[i])))
      g_ptr_array_add (self->faults, g_strdup_printf ("%s: it claims success without it", title));
  }
}

/* Numbers of an object of the result, and of objects in it, beside ours of the same names. */
static void
compare_objects (Judge *self, const char *where, json_t *claimed, json_t *judged, double scale)
{
  const char *name;
  json_t *value, *claim;

  json_object_foreach (judged, name, value)
  {
    g_autofree char *what = g_strdup_printf ("%s %s", where, name);
    claim = json_object_get (claimed, name);
    if (json_is_object (value))
      compare_objects (self, what, claim, value, scale);
    else if (json_is_number (value) && !json_is_number (claim))
      g_ptr_array_add (self->faults, g_strdup_printf ("%s: no number", what));
    else if (json_is_number (claim))
      compare (self, what, json_number_value (claim), json_is_number (value) ? json_number_value (value) : (double)NAN,
               scale);
  }
}

/* Channels of the result's final state beside the last row. */
static void
compare_end (Judge *self)
{
  json_t *state = json_object_get (self->result, "final_state"), *value;
  const char *name;

  json_object_foreach (state, name, value)
  {
    const int channel = ss_trajectory_channel (self->motion, name);
    g_autofree char *what = g_strdup_printf ("%s at the end", name);
    if (channel < 0 || !(json_is_number (value) || json_is_null (value)))
      g_ptr_array_add (self->faults, g_strdup_printf ("%s: not of its motion", what));
    else if (json_is_number (value))
      compare (self, what, json_number_value (value),
               ss_trajectory_row (self->motion, self->motion->n_rows - 1)[channel], 0);
  }
}

/* ---- form -------------------------------------------------------------------------------------------------------- */

static void
add_fault (Judge *self, const char *what, const char *why)
{
  g_ptr_array_add (self->faults, g_strdup_printf ("%s: %s", what, why));
}

/* A number of its type, or null: not known. Counts and times are not below 0. */
static void
check_metric (Judge *self, const SsMetricSpec *spec, const json_t *value)
{
  const gboolean is_from_zero = spec->type == SS_METRIC_TYPE_COUNT || strcmp (spec->unit, "s") == 0;
  const gboolean has_type = spec->type == SS_METRIC_TYPE_FLAG    ? json_is_boolean (value)
                            : spec->type == SS_METRIC_TYPE_COUNT ? json_is_integer (value)
                                                                 : json_is_number (value);

  if (value == NULL || json_is_null (value))
    return;
  if (!has_type)
    add_fault (self, spec->label, "not the kind of number that it is");
  else if (is_from_zero && json_number_value (value) < 0)
    add_fault (self, spec->label, "below 0");
}

static void
check_metrics (Judge *self)
{
  const json_t *metrics = json_object_get (self->result, "metrics");

  if (!json_is_object (metrics))
    add_fault (self, "Metrics", "no object");
  for (int i = 0; i < SS_METRIC_COUNT; i++) {
    const SsMetricSpec *spec = ss_metric_spec ((SsMetric)i);
    g_auto (GStrv) path = g_strsplit (spec->name, ".", 2);
    const json_t *first = json_object_get (metrics, path[0]);
    check_metric (self, spec, path[1] != NULL ? json_object_get (first, path[1]) : first);
  }
}

/* Known kinds, of contacts and joints of the scene, within the motion. */
static void
check_events (Judge *self)
{
  const json_t *list = json_object_get (self->result, "events");
  const SsScene *scene = self->scenario->scene;
  g_autoptr (GArray) events = ssapp_run_events_from_json (self->result);
  const int n_rows = self->motion != NULL ? self->motion->n_rows : 0;

  if (!json_is_array (list) || json_array_size (list) != events->len) {
    add_fault (self, "Events", "not all of them can be read");
    return;
  }
  for (guint i = 0; i < events->len; i++) {
    const SsappRunEvent *event = &g_array_index (events, SsappRunEvent, i);
    const char *subject = ssapp_run_event_subject (event);
    if (ss_scene_find (scene, SS_OWNER_CONTACT, subject) < 0 && ss_scene_find (scene, SS_OWNER_JOINT, subject) < 0) {
      add_fault (self, "Events", "one is of no contact or joint of the scene");
      return;
    }
    if (n_rows > 0 && (event->t < ss_trajectory_row (self->motion, 0)[0] - TOLERANCE ||
                       event->t > ss_trajectory_row (self->motion, n_rows - 1)[0] + TOLERANCE)) {
      add_fault (self, "Events", "one is outside the time of the motion");
      return;
    }
  }
}

/* Which scenario the result says that it is of. */
static void
check_scenario (Judge *self)
{
  const json_t *told = json_object_get (self->result, "scenario"), *values = json_object_get (told, "values"),
               *set = json_object_get (told, "parameters");

  if (g_strcmp0 (ssapp_json_get_string (told, "sha256"), self->scenario->sha256) != 0)
    add_fault (self, "Scenario", "its result is of another one");
  for (int i = 0; i < self->scenario->n_parameters; i++) {
    const SsParameter *p = &self->scenario->parameters[i];
    g_autofree char *what = g_strdup_printf ("Parameter %s", p->name);
    const json_t *value = json_object_get (values, p->name), *own = json_object_get (set, p->name);
    if (!json_is_number (value) || json_number_value (value) != p->value || (own != NULL) != p->is_overridden ||
        (own != NULL && json_number_value (own) != p->value))
      add_fault (self, what, "not the value that was asked for");
  }
}

/* Time does not run back; of a success every number of a state is there. */
static void
check_motion (Judge *self, SsOutcome outcome)
{
  const SsTrajectory *motion = self->motion;
  double before = -INFINITY;

  for (int a = 0; a < motion->n_channels; a++)
    for (int b = a + 1; b < motion->n_channels; b++)
      if (strcmp (motion->channels[a].name, motion->channels[b].name) == 0) {
        add_fault (self, motion->channels[a].name, "there are two such channels");
        return;
      }
  for (int k = 0; k < motion->n_rows; k++) {
    const double *row = ss_trajectory_row (motion, k);
    gboolean is_finite = TRUE;
    for (int c = 0; ss_outcome_is_success (outcome) && c < motion->n_channels; c++)
      is_finite = is_finite && (!motion->channels[c].is_state || isfinite (row[c]));
    if (!isfinite (row[0]) || row[0] < before)
      add_fault (self, "Motion", FAULT_OF_TIME);
    else if (!is_finite)
      add_fault (self, "Motion", FAULT_OF_STATE);
    else {
      before = row[0];
      continue;
    }
    return;
  }
}

/* ---- judging ----------------------------------------------------------------------------------------------------- */

/* Whether a plan's own account is that of its replay, which has the stages of an exact integrator: an exact finish, or
 * a plan in finite elements. */
static gboolean
is_replayed (const Judge *self)
{
  return json_is_object (json_object_get (self->result, "replayed"));
}

/* Whether the method's account needs more than the rows: its stages, which stay where it ran. */
static gboolean
needs_stages (const Judge *self)
{
  const char *name = ssapp_json_get_string (json_object_get (self->result, "method"), "name");
  const SsMethod *method = name != NULL ? ss_method_find (SS_METHOD_INTEGRATOR, name, NULL) : NULL;

  return is_replayed (self) || (method != NULL && method->integrator->gives_stages);
}

/* The result's account of energy beside that of its motion. */
static void
compare_energy (Judge *self, const SsMotionVerdict *verdict)
{
  json_t *judged = ssapp_energy_to_json (verdict), *claimed = json_object_get (self->result, "energy"), *ends;

  if (judged != NULL && needs_stages (self)) {
    ends = json_pack ("{s:O, s:O}", "initial", json_object_get (judged, "initial"), "final",
                      json_object_get (judged, "final"));
    json_decref (judged);
    judged = ends;
  }
  if (judged != NULL && json_is_object (claimed))
    compare_objects (self, "Energy", claimed, judged, verdict->turned_over);
  else if (claimed != NULL && !json_is_null (claimed))
    add_fault (self, "Energy", "an account that its motion does not give");
  json_decref (judged);
}

/* As a motion of the scene: a plan's is looked at to its end, however it ended; what it claims is by `outcome`. */
static gboolean
judge_motion (Judge *self, SsMethodKind kind, SsOutcome outcome, GError **error)
{
  static const SsMetric of_rows[] = {SS_METRIC_MAX_COMPLEMENTARITY, SS_METRIC_MAX_BALANCE_RESIDUAL};
  static const SsMetric metrics[] = {SS_METRIC_ENERGY_INITIAL,     SS_METRIC_ENERGY_FINAL,
                                     SS_METRIC_MAX_PENETRATION,    SS_METRIC_MAX_SWEPT_OVERLAP,
                                     SS_METRIC_MAX_CONE_VIOLATION, SS_METRIC_MAX_JOINT_DRIFT},
                        of_method[] = {SS_METRIC_MAX_RESIDUAL};
  SsSimResult made = {0};
  SsRunResult judged;
  SsError err = {0};
  SsStatus status = ss_stage_rows_has (self->motion)
                        ? ss_stage_rows_leave_out (self->motion, &made.trajectory, &err) /* the steps were judged */
                        : ss_trajectory_copy (self->motion, &made.trajectory, &err);

  if (status == SS_OK)
    status = ss_scenario_describe (self->scenario, made.trajectory, &err);
  made.metrics.steps = -1;
  if (status != SS_OK) {
    ss_trajectory_free (made.trajectory);
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, err.message);
    return FALSE;
  }
  status = ss_run_result_from_motion (
      self->scenario->scene, NULL, kind == SS_METHOD_OPTIMISER ? SS_OUTCOME_COMPLETED : outcome, &made, &judged, &err);
  if (status == SS_OK && judged.verdict.is_complete) {
    compare_metrics (self, outcome, &judged.metrics, metrics, G_N_ELEMENTS (metrics));
    if (!is_replayed (self))
      compare_metrics (self, outcome, &judged.metrics, of_method, G_N_ELEMENTS (of_method));
    if (!needs_stages (self))
      compare_metrics (self, outcome, &judged.metrics, of_rows, G_N_ELEMENTS (of_rows));
    compare_energy (self, &judged.verdict);
  } else if (status != SS_OK) {
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, err.message);
  }
  ss_run_result_clear (&judged);
  return status == SS_OK;
}

/* As a point of the problem; where the motion does not tell all of it, nothing is compared. */
static gboolean
judge_point (Judge *self, SsOutcome outcome, gboolean *is_exact, GError **error)
{
  static const SsMetric metrics[] = {
      SS_METRIC_OBJECTIVE,          SS_METRIC_MAX_VIOLATION,        SS_METRIC_COMPLEMENTARITY,
      SS_METRIC_VIOLATION_EQUALITY, SS_METRIC_VIOLATION_INEQUALITY, SS_METRIC_VIOLATION_PRODUCT,
      SS_METRIC_L1_VIOLATION,       SS_METRIC_TRACKING_TOTAL};
  SsViolations list = {0};
  SsMetrics found;
  SsMetricSet judged = {0};

  *is_exact = FALSE;
  if (!ssapp_violations_of_motion (self->scenario, self->result, self->motion, 1, &list, &found, is_exact, error))
    return FALSE;
  ss_violations_clear (&list);
  if (!*is_exact)
    return TRUE;
  ss_metrics_fill_set (&found, &judged);
  compare_metrics (self, outcome, &judged, metrics, G_N_ELEMENTS (metrics));
  if (outcome == SS_OUTCOME_SOLVED && !(found.max_violation < SS_RUN_FEASIBLE))
    g_ptr_array_add (self->faults,
                     g_strdup_printf ("Outcome: solved, but its motion violates a row by %.3g", found.max_violation));
  return TRUE;
}

static SsScenario *
read_scenario (const char *text, const json_t *parameters, GError **error)
{
  SsOverride *overrides = g_new0 (SsOverride, json_object_size (parameters) + 1);
  SsScenario *scenario = NULL;
  SsProblems problems;
  const char *name;
  json_t *value;
  int n = 0;

  ss_problems_init (&problems);
  json_object_foreach ((json_t *)parameters, name, value) overrides[n++] =
      (SsOverride){name, json_number_value (value)};
  if (ss_scenario_read (text, strlen (text), "", overrides, n, &problems, &scenario) != SS_OK) {
    char line[1024] = "";
    if (problems.n_items > 0)
      ss_error_format (&problems.items[0], line, sizeof line);
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "its scenario cannot be read: %s", line);
    scenario = NULL;
  }
  ss_problems_clear (&problems);
  g_free (overrides);
  return scenario;
}

static gboolean
judge (Judge *self, SsMethodKind kind, SsOutcome outcome, GError **error)
{
  g_autoptr (GError) local = NULL;
  gboolean is_exact = FALSE;

  check_motion (self, outcome);
  compare_end (self);
  if (self->faults->len > 0)
    return TRUE;
  if (kind == SS_METHOD_OPTIMISER && !judge_point (self, outcome, &is_exact, &local) && self->scenario->scene == NULL) {
    g_propagate_error (error, g_steal_pointer (&local));
    return FALSE;
  }
  if (self->scenario->scene != NULL)
    return judge_motion (self, kind, outcome, error);
  if (!is_exact)
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "its motion lacks variables of its scenario");
  return is_exact;
}

char *
ssapp_judge_again (SsMethodKind kind, const char *scenario_text, const json_t *parameters, const json_t *result,
                   const SsTrajectory *motion)
{
  g_autoptr (GPtrArray) faults = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GError) error = NULL;
  Judge self = {.result = result, .motion = motion, .faults = faults};
  const char *name = ssapp_json_get_string (result, "outcome"), *fault = ssapp_result_fault (kind, name, motion);
  SsOutcome outcome;

  if (fault != NULL)
    return g_strdup (fault);
  ssapp_metrics_from_json (json_object_get (result, "metrics"), &self.claimed);
  SsScenario *scenario = read_scenario (scenario_text, parameters, &error);
  self.scenario = scenario;
  if (scenario != NULL) {
    check_scenario (&self);
    check_metrics (&self);
    if (kind != SS_METHOD_IMPACT_LAW)
      check_events (&self);
  }
  const gboolean is_judged = scenario != NULL && faults->len == 0 && motion != NULL && motion->n_rows > 0 &&
                             kind != SS_METHOD_IMPACT_LAW && ss_outcome_from_name (name, &outcome);
  if (is_judged)
    judge (&self, kind, outcome, &error);
  ss_scenario_free (scenario);
  if (error != NULL)
    return g_strdup (error->message);
  g_ptr_array_add (faults, NULL);
  return faults->len > 1 ? g_strjoinv ("; ", (char **)faults->pdata) : NULL;
}
