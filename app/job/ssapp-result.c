/* app/job/ssapp-result.c: see ssapp-result.h. */
#include "app/job/ssapp-result.h"

#include "app/base/ssapp-json.h"
#include "app/base/ssapp-metric.h"
#include "app/base/ssapp-record.h"
#include "app/job/ssapp-asked.h"
#include "app/job/ssapp-certainty.h"
#include "app/job/ssapp-fan.h"
#include "app/job/ssapp-interests-seen.h"
#include "app/job/ssapp-own.h"
#include "app/job/ssapp-race.h"
#include "app/job/ssapp-reasons.h"
#include "app/job/ssapp-result-samples.h"
#include "app/job/ssapp-sensitivity.h"
#include "app/job/ssapp-tries.h"
#include "app/job/ssapp-violations.h"
#include "app/job/ssapp-ways.h"
#include "app/draw/ssapp-run-events.h"

#include <math.h>
#include <string.h>

/* ---- pieces ------------------------------------------------------------------------------------------------------ */

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

typedef struct {
  const char *name, *sha256;
  json_t *parameters, *values;
} ToldScenario;

static const SsappRecordField scenario_fields[] = {
    SSAPP_FIELD (ToldScenario, name, "name", STRING, "", "the scenario's name, or the file's"),
    SSAPP_FIELD_FREE (ToldScenario, sha256, "sha256", LABEL, "", "of the file's text"),
    SSAPP_FIELD_AS (ToldScenario, parameters, "parameters", "{real}", false, "", "parameters that were set"),
    SSAPP_FIELD_AS (ToldScenario, values, "values", "{real}", false, "", "all parameters")};
const SsappRecord ssapp_result_scenario_record = SSAPP_RECORD (ToldScenario, scenario_fields);

json_t *
ssapp_result_scenario_to_json (const SsScenario *scenario, const char *file)
{
  ToldScenario told = {file, NULL, json_object (), json_object ()};

  if (scenario != NULL) {
    told.name = scenario->name;
    told.sha256 = scenario->sha256;
  }
  for (int i = 0; scenario != NULL && i < scenario->n_parameters; i++) {
    const SsParameter *p = &scenario->parameters[i];
    if (p->is_overridden)
      json_object_set_new (told.parameters, p->name, number (p->value, p->is_integer));
    json_object_set_new (told.values, p->name, number (p->value, p->is_integer));
  }
  return ssapp_record_give_to_json (&ssapp_result_scenario_record, &told);
}

typedef struct {
  const char *name;
  json_t *options;
  const char *version, *program, *program_version;
} ToldMethod;

static const SsappRecordField method_fields[] = {
    SSAPP_FIELD (ToldMethod, name, "name", STRING, "", "of the method"),
    SSAPP_FIELD_AS (ToldMethod, options, "options", "{real|text|flag}", false, "",
                    "all that it used, with presets filled in"),
    SSAPP_FIELD (ToldMethod, version, "version", STRING, "", "of the method or its library"),
    SSAPP_FIELD_FREE (ToldMethod, program, "program", LABEL, "",
                      "file that a method of the user's own starts, without symbolic links"),
    SSAPP_FIELD_FREE (ToldMethod, program_version, "program_version", LABEL, "",
                      "sha256: and the hash of that file; left out where it runs a module of Python that has no hash")};
const SsappRecord ssapp_result_method_record = SSAPP_RECORD (ToldMethod, method_fields);

static json_t *
method_to_json (const char *name, const SsMethod *method, const void *options, const void *transcription_options)
{
  const SsappOwn *own = method != NULL ? ssapp_own_find (method) : NULL;
  g_autofree char *program_version = own != NULL && own->unhashed == NULL ? ssapp_own_program_version (own) : NULL;
  ToldMethod told = {name, json_object (), SS_VERSION, own != NULL ? own->program : NULL, program_version};
  g_autofree void *used = NULL; /* with presets filled in: given again, they do the same */
  g_autofree void *used_by_plan = NULL;

  if (method != NULL && options != NULL && method->nlp != NULL && method->nlp->resolve != NULL) {
    used = g_malloc0 (method->options->size);
    method->nlp->resolve (options, used);
    options = used;
  }
  if (method != NULL)
    ssapp_json_add_options (told.options, method->options, options);
  if (transcription_options != NULL) {
    used_by_plan = g_malloc0 (ss_transcription_option_table ()->size);
    ss_transcription_resolve (transcription_options, used_by_plan);
    ssapp_json_add_options (told.options, ss_transcription_option_table (), used_by_plan);
  }
  if (method != NULL && method->version != NULL)
    told.version = method->version;
  else if (method != NULL && method->nlp != NULL)
    told.version = method->nlp->version;
  return ssapp_record_give_to_json (&ssapp_result_method_record, &told);
}

static const SsappRecordField certificate_fields[] = {
    SSAPP_FIELD (SsNlpCertificate, is_feasible, "feasible", FLAG, "", "to the tolerance of the method"),
    SSAPP_FIELD (SsNlpCertificate, is_stationary, "stationary", FLAG, "", "`promise_part` is within that tolerance"),
    SSAPP_FIELD (SsNlpCertificate, violation_equality, "violation_equality", REAL, "", "largest of the equations"),
    SSAPP_FIELD (SsNlpCertificate, violation_inequality, "violation_inequality", REAL, "",
                 "largest of the inequalities"),
    SSAPP_FIELD (SsNlpCertificate, complementarity, "complementarity", REAL, "", "largest |a b| over pairs"),
    SSAPP_FIELD (SsNlpCertificate, promise, "promise", REAL, "", "the model's decrease within a radius of 1"),
    SSAPP_FIELD (SsNlpCertificate, promise_gap, "promise_gap", REAL, "", "the true one is at most this much larger"),
    SSAPP_FIELD (SsNlpCertificate, promise_part, "promise_part", REAL, "", "promise and gap as a part of the merit"),
    SSAPP_FIELD (SsNlpCertificate, last_step, "last_step", REAL, "", "steps are to vanish"),
    SSAPP_FIELD (SsNlpCertificate, last_radius, "last_radius", REAL, "", "while the radius does not"),
    SSAPP_FIELD (SsNlpCertificate, merit, "merit", REAL, "", "merit function at the end"),
    SSAPP_FIELD (SsNlpCertificate, largest_penalty, "largest_penalty", REAL, "", "largest of its penalties")};
const SsappRecord ssapp_certificate_record = SSAPP_RECORD (SsNlpCertificate, certificate_fields);

/* null when the method has none; its text alone when it was not computed. */
static json_t *
certificate_to_json (const SsNlpCertificate *c)
{
  json_t *object;

  if (!c->is_computed && c->text[0] == '\0')
    return json_null ();
  object = json_object ();
  json_object_set_new (object, "text", text (c->text));
  if (c->is_computed)
    ssapp_record_add_to_json (&ssapp_certificate_record, c, object);
  return object;
}

/* Objective, violations, ... of a result: the table's metrics, and what is no number. */
static json_t *
metrics_to_json (const SsMethod *method, const SsRunResult *result, double reading_seconds)
{
  SsMetricSet set = result->metrics;
  json_t *object;

  if (set.is_set[SS_METRIC_SETUP_SECONDS])
    set.value[SS_METRIC_SETUP_SECONDS] += reading_seconds;
  object = ssapp_metrics_to_json (&set);
  if (result->worst[0] != '\0')
    json_object_set_new (object, "worst", text (result->worst));
  if (method != NULL && method->kind == SS_METHOD_OPTIMISER)
    json_object_set_new (object, "certificate", certificate_to_json (&result->certificate));
  return object;
}

/* Every state channel at the last time point, and nothing else. */
static json_t *
final_state_to_json (const SsTrajectory *trajectory)
{
  json_t *object = json_object ();

  if (trajectory == NULL || trajectory->n_rows == 0)
    return object;
  const double *last = ss_trajectory_row (trajectory, trajectory->n_rows - 1);
  for (int i = 1; i < trajectory->n_channels; i++)
    if (trajectory->channels[i].is_state)
      json_object_set_new (object, trajectory->channels[i].name, ssapp_json_real (last[i]));
  return object;
}

/* Local solutions are runs of their own, derivatives are told by their numbers at the end. */
static gboolean
is_told_apart (SsMotionRole role)
{
  return role == SS_MOTION_SOLUTION || role == SS_MOTION_SLOPES || role == SS_MOTION_WORLDS;
}

/* A run with one answer has it as the trajectory of the job, and says no more of it. */
static gboolean
is_plain (const SsRunResult *result)
{
  gboolean has_others = result->fan != NULL;

  for (int i = 0; i < result->n_motions; i++)
    has_others =
        has_others || (result->motions[i].role != SS_MOTION_ANSWER && !is_told_apart (result->motions[i].role));
  return !has_others;
}

const char *
ssapp_motion_role_word (int role)
{
  return ss_motion_role_name ((SsMotionRole)role);
}

/* What a motion is; its rows are sent and stored apart. */
typedef struct {
  SsMotionRole role;
  int branch, rows;
  double share;
  json_t *final_state;
} ToldMotion;

static const SsappRecordField motion_fields[] = {
    SSAPP_FIELD_OF (ToldMotion, role, "role", WORD, ssapp_motion_role_word, SS_MOTION_ROLE_COUNT, SS_MOTION_ROLE_COUNT,
                    "what it is of the run"),
    SSAPP_FIELD (ToldMotion, branch, "branch", INTEGER, "", "branch of a fan; 0: the answer"),
    SSAPP_FIELD (ToldMotion, share, "share", REAL, "", "of all that can happen"),
    SSAPP_FIELD (ToldMotion, rows, "rows", INTEGER, "", "of its table"),
    SSAPP_FIELD_AS (ToldMotion, final_state, "final_state", "{real}", false, "",
                    "every state channel at the last time")};
const SsappRecord ssapp_motion_record = SSAPP_RECORD (ToldMotion, motion_fields);

static json_t *
motions_to_json (const SsRunResult *result)
{
  json_t *list = json_array ();

  for (int i = 0; i < result->n_motions; i++) {
    const SsRunMotion *motion = &result->motions[i];
    ToldMotion told = {motion->role, motion->branch, motion->trajectory != NULL ? motion->trajectory->n_rows : 0,
                       motion->share, NULL};
    if (is_told_apart (motion->role))
      continue;
    told.final_state = final_state_to_json (motion->trajectory);
    json_array_append_new (list, ssapp_record_to_json (&ssapp_motion_record, &told));
    json_decref (told.final_state);
  }
  return list;
}

static const SsappRecordField problem_fields[] = {
    SSAPP_FIELD (SsError, file, "file", TEXT, "", "file that it was found in"),
    SSAPP_FIELD (SsError, line, "line", INTEGER, "", "line, from 1; 0: not known"),
    SSAPP_FIELD (SsError, column, "column", INTEGER, "", "column, from 1; 0: not known"),
    SSAPP_FIELD (SsError, path, "path", TEXT, "", "place in the document"),
    SSAPP_FIELD (SsError, message, "message", TEXT, "", "what is wrong"),
    SSAPP_FIELD (SsError, expected, "expected", TEXT, "", "what was expected instead")};
const SsappRecord ssapp_problem_record = SSAPP_RECORD (SsError, problem_fields);

json_t *
ssapp_problems_to_json (const SsProblems *problems)
{
  return problems != NULL ? ssapp_records_to_json (&ssapp_problem_record, problems->items, problems->n_items)
                          : json_array ();
}

/* Steps by the way they were solved, of methods that follow contact modes. */
static const SsappRecordField way_fields[] = {
    SSAPP_FIELD (SsRunResult, n_by_way[SS_STEP_PREDICTED], "predicted", INTEGER, "", "steps whose mode was predicted"),
    SSAPP_FIELD (SsRunResult, n_by_way[SS_STEP_ALTERNATIVE], "alternatives", INTEGER, "", "steps of another mode"),
    SSAPP_FIELD (SsRunResult, n_by_way[SS_STEP_HOMOTOPY], "homotopy", INTEGER, "", "steps by homotopy"),
    SSAPP_FIELD (SsRunResult, n_by_way[SS_STEP_BISECTED], "bisected", INTEGER, "", "steps that were halved")};
const SsappRecord ssapp_steps_by_way_record = SSAPP_RECORD (SsRunResult, way_fields);

static const SsappRecordField share_fields[] = {
    SSAPP_FIELD (SsappEnergyShare, part, "part", REAL, "", "`energy` / `of`"),
    SSAPP_FIELD (SsappEnergyShare, own.value, "energy", REAL, "J", "how much"),
    SSAPP_FIELD (SsappEnergyShare, own.of, "of", REAL, "J", "the energy that it is a part of"),
    SSAPP_FIELD (SsappEnergyShare, own.from, "from", REAL, "s", "since when"),
    SSAPP_FIELD (SsappEnergyShare, own.to, "to", REAL, "s", "until when")};
static const SsappRecord share_record = SSAPP_RECORD (SsappEnergyShare, share_fields);

static const SsappRecordField energy_fields[] = {
    SSAPP_FIELD (SsappEnergy, initial, "initial", REAL, "J", "kinetic energy and potential at the start"),
    SSAPP_FIELD (SsappEnergy, final, "final", REAL, "J", "kinetic energy and potential at the end"),
    SSAPP_FIELD (SsappEnergy, surplus, "surplus", REAL, "J", "what is there at the end and came from nothing"),
    SSAPP_FIELD (SsappEnergy, in_play, "in_play", REAL, "J", "largest energy above the lowest potential"),
    SSAPP_FIELD_MADE_OF (SsappEnergy, gained, "gained", RECORD, &share_record, false, "most that came from nothing"),
    SSAPP_FIELD_MADE_OF (SsappEnergy, lost, "lost", RECORD, &share_record, false, "most that went to nothing"),
    SSAPP_FIELD (SsappEnergy, turned_over, "turned_over", REAL, "J", "what friction, dampers and drives took for good"),
    SSAPP_FIELD_AS (SsappEnergy, work, "work", "{real}", false, "J", "work by what did it")};
const SsappRecord ssapp_energy_record = SSAPP_RECORD (SsappEnergy, energy_fields);

json_t *
ssapp_energy_to_json (const SsMotionVerdict *verdict)
{
  g_return_val_if_fail (verdict != NULL, NULL);
  SsappEnergyShare gained = {verdict->gained.value / verdict->gained.of, verdict->gained},
                   lost = {verdict->lost.value / verdict->lost.of, verdict->lost};
  const SsappEnergy energy = {
      verdict->energy_initial, verdict->energy_final, verdict->surplus, verdict->in_play, &gained, &lost,
      verdict->turned_over,    json_object ()};
  json_t *object = NULL;

  for (int i = 0; i < SS_WORK_COUNT; i++)
    json_object_set_new (energy.work, ss_work_name ((SsWork)i), ssapp_json_real (verdict->work[i]));
  if (verdict->is_complete && !isnan (verdict->surplus))
    object = ssapp_record_to_json (&ssapp_energy_record, &energy);
  json_decref (energy.work);
  return object;
}

static const SsappRecordField exact_fields[] = {
    SSAPP_FIELD (SsappExact, run, "run", LABEL, "", "id of its run; null: there is none"),
    SSAPP_FIELD (SsappExact, reason, "reason", LABEL, "", "why there is none")};
const SsappRecord ssapp_exact_record = SSAPP_RECORD (SsappExact, exact_fields);

/* The exact plan beside the answer, with its metrics. */
static json_t *
exact_of (const json_t *object, const SsRunResult *result)
{
  json_t *exact = json_deep_copy (json_object_get (json_object_get (object, "metrics"), "exact"));
  const json_t *solution = result->exact_solution > 0 ? json_array_get (json_object_get (object, "solutions"),
                                                                        (size_t)result->exact_solution - 1)
                                                      : NULL;
  const SsappExact told = {ssapp_json_get_string (solution, "run"),
                           result->exact_reason[0] != '\0' ? result->exact_reason : NULL};

  ssapp_record_add_to_json (&ssapp_exact_record, &told, exact);
  return exact;
}

/* ---- results ----------------------------------------------------------------------------------------------------- */

/* What a member of a result is made of. */
struct SsappResultFacts {
  const SsappJobSpec *spec;
  const SsScenario *scenario; /* NULL: a file of numbers, or one that could not be read */
  const SsMethod *method;     /* NULL: the job never ran */
  const void *options, *transcription_options;
  const SsRunResult *result; /* NULL: the job never ran */
  const char *message;
  const SsProblems *problems; /* NULL: none */
  double reading_seconds;
  json_t *object; /* the result's members so far */
};
typedef SsappResultFacts Facts;

/* The scene; NULL: there is none. */
static const SsScene *
scene_of (const Facts *facts)
{
  return facts->scenario != NULL ? facts->scenario->scene : NULL;
}

static json_t *
write_format (const Facts *facts)
{
  (void)facts;
  return json_integer (1);
}

static json_t *
write_scenario (const Facts *facts)
{
  return ssapp_result_scenario_to_json (facts->scenario, facts->spec->scenario_file);
}

static json_t *
write_method (const Facts *facts)
{
  return method_to_json (facts->spec->method, facts->method, facts->options, facts->transcription_options);
}

static json_t *
write_outcome (const Facts *facts)
{
  return text (ss_outcome_name (facts->result != NULL ? facts->result->outcome : SS_OUTCOME_FAILED));
}

static json_t *
write_message (const Facts *facts)
{
  return text (facts->message);
}

static json_t *
write_metrics (const Facts *facts)
{
  return facts->result != NULL ? metrics_to_json (facts->method, facts->result, facts->reading_seconds)
                               : json_object ();
}

static json_t *
write_final_state (const Facts *facts)
{
  return final_state_to_json (facts->result != NULL ? ss_run_motion (facts->result) : NULL);
}

static json_t *
write_events (const Facts *facts)
{
  return facts->result != NULL && facts->scenario != NULL
             ? ssapp_run_events_to_json (facts->scenario->scene, facts->result->events)
             : json_array ();
}

/* What is asked of the motion; an impact has no motion, and outcomes of its own. */
static json_t *
write_outcomes (const Facts *facts)
{
  const GPtrArray *texts = facts->spec->outcomes;
  g_autoptr (SsappInterests) interests =
      ssapp_interests_new_of ((const char *const *)texts->pdata, texts->len, facts->scenario);

  return ssapp_interests_get_n (interests) > 0 && facts->spec->kind != SS_METHOD_IMPACT_LAW
             ? ssapp_interests_to_json (interests, ssapp_interests_seen_sums (facts->spec->seen),
                                        ss_run_motion (facts->result), facts->object)
             : NULL;
}

static json_t *
write_ways (const Facts *facts)
{
  const int *n = facts->result->n_by_way;

  return n[SS_STEP_PREDICTED] + n[SS_STEP_ALTERNATIVE] + n[SS_STEP_HOMOTOPY] + n[SS_STEP_BISECTED] > 0
             ? ssapp_record_to_json (&ssapp_steps_by_way_record, facts->result)
             : NULL;
}

static json_t *
write_steps (const Facts *facts)
{
  return ssapp_certainty_to_json (scene_of (facts), facts->result);
}

static json_t *
write_sensitivities (const Facts *facts)
{
  if (scene_of (facts) != NULL)
    ssapp_sensitivity_add_to_json (facts->object, scene_of (facts), facts->result);
  return NULL;
}

static json_t *
write_every (const Facts *facts)
{
  const int every = MAX (facts->result->every, facts->spec->start_every); /* of the motion so far, too */
  return every > 1 ? json_integer (every) : NULL;
}

static json_t *
write_energy (const Facts *facts)
{
  return facts->method != NULL && facts->method->kind == SS_METHOD_INTEGRATOR
             ? ssapp_energy_to_json (&facts->result->verdict)
             : NULL;
}

static json_t *
write_second_clock (const Facts *facts)
{
  const int clock = ss_run_second_clock (facts->result);

  return clock >= 0 ? text (ss_run_motion (facts->result)->channels[clock].name) : NULL;
}

/* What the replay of a plan was worth, beside the metrics as well: the contract has it there. */
static json_t *
write_replayed (const Facts *facts)
{
  return facts->result->metrics.is_set[SS_METRIC_REPLAYED_OBJECTIVE]
             ? json_deep_copy (json_object_get (json_object_get (facts->object, "metrics"), "replayed"))
             : NULL;
}

static json_t *
write_replay_first (const Facts *facts)
{
  return facts->result->has_first && facts->scenario != NULL
             ? ssapp_replay_first_to_json (facts->scenario->scene, facts->result)
             : NULL;
}

/* Of a replay what was asked for, and what the controller did. Returns the parameters that the plan has its own. */
static json_t *
write_replay (const Facts *facts)
{
  const SsRunResult *result = facts->result;
  json_t *plan, *set;

  if (facts->spec->plan == NULL)
    return NULL;
  plan = json_object ();
  ssapp_replay_ask_to_json (&facts->spec->replay, result->controller != SS_CONTROLLER_NONE ? &result->account : NULL,
                            facts->object, plan);
  set = json_incref (json_object_get (plan, "set"));
  json_decref (plan);
  return set;
}

static json_t *
write_warnings (const Facts *facts)
{
  (void)facts;
  return json_array ();
}

static json_t *
write_problems (const Facts *facts)
{
  return facts->problems != NULL && facts->problems->n_items > 0 ? ssapp_problems_to_json (facts->problems) : NULL;
}

static json_t *
write_reasons (const Facts *facts)
{
  return facts->result->reasons.n > 0 ? ssapp_reasons_to_json (&facts->result->reasons) : NULL;
}

static json_t *
write_violations (const Facts *facts)
{
  return facts->result->violations.n > 0 ? ssapp_violations_to_json (&facts->result->violations) : NULL;
}

static json_t *
write_ways_on (const Facts *facts)
{
  return facts->result->n_ways > 0 ? ssapp_ways_to_json (facts->result->ways, facts->result->n_ways) : NULL;
}

static json_t *
write_seed (const Facts *facts)
{
  return json_integer ((json_int_t)facts->spec->seed);
}

static json_t *
write_asked (const Facts *facts)
{
  return facts->spec->method != NULL ? ssapp_asked_to_json (facts->spec) : NULL;
}

static json_t *
write_run (const Facts *facts)
{
  return text (facts->spec->id);
}

static json_t *
write_start_from (const Facts *facts)
{
  const char *run = facts->spec->start_from;

  return run != NULL && run[0] != '\0' ? text (run) : NULL;
}

static json_t *
write_continued (const Facts *facts)
{
  return facts->spec->continued.changes != NULL ? ssapp_continued_to_json (&facts->spec->continued) : NULL;
}

static json_t *
write_state (const Facts *facts)
{
  return facts->result->state.n_values > 0 ? ssapp_state_to_json (&facts->result->state) : NULL;
}

static json_t *
write_replay_of (const Facts *facts)
{
  return facts->spec->replay_of != NULL ? text (facts->spec->replay_of) : NULL;
}

static json_t *
write_motions (const Facts *facts)
{
  return is_plain (facts->result) ? NULL : motions_to_json (facts->result);
}

static json_t *
write_fan (const Facts *facts)
{
  if (facts->result->fan != NULL && facts->scenario != NULL)
    ssapp_fan_add_to_json (facts->object, facts->scenario->scene, facts->result);
  return NULL;
}

static json_t *
write_samples (const Facts *facts)
{
  return facts->result->samples != NULL ? ssapp_samples_to_json (facts->result->samples) : NULL;
}

static json_t *
write_start (const Facts *facts)
{
  return facts->result->start[0] != '\0' ? text (facts->result->start) : NULL;
}

/* A local solution from another start: an object as that of the run, with an id of its own. Its motion is the run's. */
static json_t *
solution_to_json (const Facts *facts, int index)
{
  g_autofree char *id = g_uuid_string_random ();
  SsappJobSpec own_spec = *facts->spec;
  SsRunResult own = facts->result->solutions[index];
  SsRunMotion motion = {.role = SS_MOTION_ANSWER,
                        .share = 1,
                        .trajectory =
                            (SsTrajectory *)ss_run_solution_motion (facts->result, index + 1)}; /* only read */

  own_spec.id = id;
  own.motions = &motion;
  own.n_motions = 1;
  json_t *object = ssapp_result_new (&own_spec, facts->scenario, facts->method, facts->options,
                                     facts->transcription_options, &own, 0);
  json_object_set_new (object, "solution_of", text (facts->spec->id));
  return object;
}

static json_t *
write_solutions (const Facts *facts)
{
  json_t *list = facts->result->n_solutions > 0 ? json_array () : NULL;

  for (int i = 0; i < facts->result->n_solutions; i++)
    json_array_append_new (list, solution_to_json (facts, i));
  return list;
}

static json_t *
write_exact (const Facts *facts)
{
  return facts->result->metrics.is_set[SS_METRIC_EXACT_FOUND] ? exact_of (facts->object, facts->result) : NULL;
}

static json_t *
write_race (const Facts *facts)
{
  const SsRunResult *result = facts->result;

  return result->n_members > 0 ? ssapp_race_to_json (result->members, result->n_members, facts->spec->id,
                                                     json_object_get (facts->object, "solutions"))
                               : NULL;
}

static json_t *
write_tries (const Facts *facts)
{
  return ssapp_tries_to_json (&facts->result->tries);
}

const SsappResultMember ssapp_result_members[] = {
    {{"format", "1", "", "of the result", TRUE}, write_format, TRUE},
    {{"scenario", "result-scenario", "", "what was run", TRUE}, write_scenario, TRUE},
    {{"method", "result-method", "", "by what it was run", TRUE}, write_method, TRUE},
    {{"outcome", "outcome", "", "how it ended", TRUE}, write_outcome, TRUE},
    {{"message", "text", "", "the same in words", TRUE}, write_message, TRUE},
    {{"metrics", "metrics", "", "numbers of the table of metrics", TRUE}, write_metrics, TRUE},
    {{"final_state", "{real}", "", "every state channel at the last time", TRUE}, write_final_state, TRUE},
    {{"events", "[run-event]", "", "what happened in a simulation, by time", TRUE}, write_events, TRUE},
    {{"every", "count", "", "rows of every so many steps were kept", FALSE}, write_every, FALSE},
    {{"outcomes", "[impact-outcome]|{interest}", "", "what was asked of the motion; or what an impact law gives",
      FALSE},
     write_outcomes,
     FALSE},
    {{"fesd", "steps-by-way", "", "steps of fesd-j by the way they were solved", FALSE}, write_ways, FALSE},
    {{"steps", "steps-by-certainty", "", "steps by whether the law has one solution", FALSE}, write_steps, FALSE},
    {{"sensitivities", "{{real}}", "", "derivatives of the final state by number and channel", FALSE},
     write_sensitivities,
     FALSE},
    {{"sensitivity_breaks", "[sensitivity-break]", "", "where derivatives end or jump", FALSE}, NULL, FALSE},
    {{"sensitivity_sides", "[sensitivity-side]", "", "derivatives to one side, where both differ", FALSE}, NULL, FALSE},
    {{"metric_sensitivities", "{{real}}", "", "derivatives of metrics by number and metric", FALSE}, NULL, FALSE},
    {{"metrics_without_sensitivity", "{text}", "", "metrics that have no derivative, and why", FALSE}, NULL, FALSE},
    {{"energy", "energy", "", "the judge's account of a simulation's energy", FALSE}, write_energy, FALSE},
    {{"second_clock", "text", "", "channel of the motion's other time", FALSE}, write_second_clock, FALSE},
    {{"replayed", "{real}", "", "the metrics of the plan's replay once more", FALSE}, write_replayed, FALSE},
    {{"replay_first", "replay-first", "", "where a replay parts from its plan", FALSE}, write_replay_first, FALSE},
    {{"controller", "result-controller", "", "what held a replay on its plan", FALSE}, NULL, FALSE},
    {{"friction", "number", "", "factor of the contacts' friction in a replay", FALSE}, NULL, FALSE},
    {{"worlds", "asked-worlds", "", "worlds that a replay was asked for", FALSE}, NULL, FALSE},
    {{"disturb", "{number}", "", "what was added to coordinates at a replay's start", FALSE}, NULL, FALSE},
    {{"plan_set", "{real}", "", "parameters that a replay's plan has its own", FALSE}, write_replay, FALSE},
    {{"warnings", "[text]", "", "what to know before the numbers are believed", TRUE}, write_warnings, TRUE},
    {{"problems", "[problem]", "", "what is wrong with the scenario or the options", FALSE}, write_problems, TRUE},
    {{"reasons", "[reason]", "", "why it is no success", FALSE}, write_reasons, FALSE},
    {{"violations", "violations", "", "rows that the answer violates most", FALSE}, write_violations, FALSE},
    {{"ways_on", "[way-on]", "", "changes of the scene that have a plan", FALSE}, write_ways_on, FALSE},
    {{"seed", "count", "", "of random numbers", TRUE}, write_seed, TRUE},
    {{"asked", "asked", "", "what was asked for", FALSE}, write_asked, TRUE},
    {{"run", "name", "", "id of the run; null: it was not stored", TRUE}, write_run, TRUE},
    {{"start_from", "text", "", "id of the run that it started from", FALSE}, write_start_from, FALSE},
    {{"continued", "continued", "", "where it goes on from, of that run", FALSE}, write_continued, TRUE},
    {{"state", "state", "", "of a paused run: what its method needs to go on", FALSE}, write_state, FALSE},
    {{"replay_of", "text", "", "id of the run whose controls it follows", FALSE}, write_replay_of, FALSE},
    {{"motions", "[motion]", "", "what its motions are, where there are several", FALSE}, write_motions, FALSE},
    {{"branches", "[branch]", "", "branches of a fan", FALSE}, write_fan, FALSE},
    {{"fan", "fan", "", "bodies at the ends of a fan's branches", FALSE}, NULL, FALSE},
    {{"sample_table", "samples", "", "samples of a set", FALSE}, write_samples, FALSE},
    {{"hulls", "[hull]", "", "hulls of the samples in planes", FALSE}, NULL, FALSE},
    {{"start", "text", "", "where an optimiser started from", FALSE}, write_start, FALSE},
    {{"solutions", "[result|solution-name]", "", "further answers; stored: in runs of their own", FALSE},
     write_solutions,
     FALSE},
    {{"solution_of", "text", "", "id of the run that this is a further answer of", FALSE}, NULL, FALSE},
    {{"exact", "exact", "", "the exact plan beside the answer", FALSE}, write_exact, FALSE},
    {{"race", "race", "", "members of a race", FALSE}, write_race, FALSE},
    {{"tries", "tries", "", "what was tried for a better answer", FALSE}, write_tries, FALSE},
    {{NULL}, NULL, FALSE}};

static json_t *
make (Facts *facts)
{
  facts->object = json_object ();
  for (const SsappResultMember *member = ssapp_result_members; member->about.name != NULL; member++) {
    const gboolean is_told = member->write != NULL && (facts->result != NULL || member->is_told_of_failed);
    json_t *value = is_told ? member->write (facts) : NULL;
    if (value != NULL)
      json_object_set_new (facts->object, member->about.name, value);
  }
  return facts->object;
}

json_t *
ssapp_result_new (const SsappJobSpec *spec, const SsScenario *scenario, const SsMethod *method, const void *options,
                  const void *transcription_options, const SsRunResult *result, double reading_seconds)
{
  g_return_val_if_fail (spec != NULL && result != NULL && !(reading_seconds < 0), NULL);
  return make (&(Facts){spec, scenario, method, options, transcription_options, result, result->message, NULL,
                        reading_seconds, NULL});
}

json_t *
ssapp_result_new_failed (const SsappJobSpec *spec, const SsScenario *scenario, const char *message,
                         const SsProblems *problems)
{
  g_return_val_if_fail (spec != NULL && message != NULL, NULL);
  return make (&(Facts){.spec = spec, .scenario = scenario, .message = message, .problems = problems});
}

void
ssapp_result_read (const json_t *object, SsRunResult *result)
{
  const char *outcome = ssapp_json_get_string (object, "outcome"), *message = ssapp_json_get_string (object, "message");
  const json_t *metrics = json_object_get (object, "metrics");
  const char *worst = ssapp_json_get_string (metrics, "worst");
  GArray *motions = ssapp_records_from_json (&ssapp_motion_record, json_object_get (object, "motions"));

  ss_run_result_init (result);
  if (outcome == NULL || !ss_outcome_from_name (outcome, &result->outcome))
    result->outcome = SS_OUTCOME_FAILED;
  g_strlcpy (result->message, message != NULL ? message : "", sizeof result->message);
  g_strlcpy (result->worst, worst != NULL ? worst : "", sizeof result->worst);
  ssapp_metrics_from_json (metrics, &result->metrics);
  ssapp_reasons_from_json (object, &result->reasons);
  for (guint i = 0; i < motions->len; i++) {
    const ToldMotion *told = &g_array_index (motions, ToldMotion, i);
    const gboolean is_one = told->role != SS_MOTION_ROLE_COUNT && !(told->share < 0) && !(told->share > 1);
    SsTrajectory *none = NULL;
    if (is_one && ss_run_add_motion (result, &none, told->role, told->branch, told->share, NULL) != SS_OK)
      break;
  }
  ssapp_records_free (&ssapp_motion_record, motions);
  if (json_is_object (json_object_get (object, "sample_table")))
    result->samples = ssapp_samples_from_json (json_object_get (object, "sample_table"));
}
