/* app/schema/ssapp-schema-result.c: the parts of results: the table of a result's members (app/job/ssapp-result.h), the
 * records that they are lists of, and what is written without a record. */
#include "app/base/ssapp-metric.h"
#include "app/base/ssapp-outcome.h"
#include "app/draw/ssapp-run-events.h"
#include "app/job/ssapp-asked.h"
#include "app/job/ssapp-certainty.h"
#include "app/job/ssapp-fan.h"
#include "app/job/ssapp-impact-result.h"
#include "app/job/ssapp-interests.h"
#include "app/job/ssapp-race.h"
#include "app/job/ssapp-reasons.h"
#include "app/job/ssapp-replay-ask.h"
#include "app/job/ssapp-result-samples.h"
#include "app/job/ssapp-result.h"
#include "app/job/ssapp-sensitivity.h"
#include "app/job/ssapp-state.h"
#include "app/job/ssapp-tries.h"
#include "app/job/ssapp-violations.h"
#include "app/job/ssapp-ways.h"
#include "app/schema/ssapp-schemas-private.h"

#include <string.h>

#define NEEDED TRUE
#define FREE   FALSE

/* ---- what is in every result ------------------------------------------------------------------------------------- */

static const SsappSchemaField metrics_fields[] = {
    {"worst", "text", "", "row that is violated most", FREE},
    {"certificate", "null|certificate|certificate-not-computed", "", "of an optimiser", FREE}};

static const SsappSchemaField certificate_fields[] = {{"text", "text", "", "the same in words", NEEDED}};

/* The table of metrics; a name with a dot is a member of an object. */
static void
add_metrics (json_t *properties, json_t *needed)
{
  static const char *const types[] = {
      [SS_METRIC_TYPE_REAL] = "real", [SS_METRIC_TYPE_COUNT] = "integer|null", [SS_METRIC_TYPE_FLAG] = "flag|null"};

  (void)needed;
  for (int i = 0; i < SS_METRIC_COUNT; i++) {
    const SsMetricSpec *spec = ss_metric_spec ((SsMetric)i);
    const char *dot = strchr (spec->name, '.');
    g_autofree char *group = dot != NULL ? g_strndup (spec->name, (gsize)(dot - spec->name)) : NULL;
    json_t *into = group != NULL ? json_object_get (properties, group) : NULL;
    json_t *property = ssapp_schema_property (types[spec->type], spec->unit, spec->summary, NULL);

    if (group != NULL && into == NULL) {
      into = json_pack ("{s:s, s:{}}", "type", "object", "properties");
      json_object_set_new (properties, group, into);
    }
    json_object_set_new (group != NULL ? json_object_get (into, "properties") : properties,
                         dot != NULL ? dot + 1 : spec->name, property);
  }
}

/* ---- simulations ------------------------------------------------------------------------------------------------- */

const SsappSchemaField ssapp_run_event_fields[2] = {
    {"condition", "null|condition", "", "what an exact time was solved for; null: another event caused it", FREE},
    {"sensitivity", "{real}", "s", "derivatives of the time by number, each per its unit", FREE}};

/* ---- motions, fans, samples -------------------------------------------------------------------------------------- */

static const SsappSchemaField branch_fields[] = {
    {"branch", "count", "", "its number", NEEDED},
    {"events", "[run-event]", "", "what happened in it", NEEDED},
    {"final_state", "null|{real}", "", "every state channel at its last time", NEEDED}};

static const SsappSchemaField fan_fields[] = {
    {"bodies", "[fan-body]", "", "where bodies end", NEEDED},
    {"events_left_out", "count", "", "events of branches that are not listed", FREE}};

static const SsappSchemaField fan_body_fields[] = {{"body", "text", "", "name of the body", NEEDED}};

/* ---- optimisers -------------------------------------------------------------------------------------------------- */

static const SsappSchemaField way_fields[] = {{"kind", "text", "", "kind of change", NEEDED},
                                              {"edits", "[edit]", "", "what it changes in the file", NEEDED}};

static const SsappSchemaField edit_fields[] = {
    {"path", "text", "", "place in the file", NEEDED},
    {"value", "any", "", "what is put there; absent: it is taken out", FREE}};

/* The metrics whose names begin with "exact." */
static void
add_exact (json_t *properties, json_t *needed)
{
  json_t *metrics = json_object ();

  add_metrics (metrics, needed);
  json_object_update_missing (properties, json_object_get (json_object_get (metrics, "exact"), "properties"));
  json_decref (metrics);
}

static const SsappSchemaField solution_name_fields[] = {{"run", "text", "", "id of its run", NEEDED},
                                                        {"start", "text", "", "where the optimiser started from", FREE},
                                                        {"outcome", "outcome", "", "how it ended", NEEDED},
                                                        {"message", "text", "", "the same in words", NEEDED},
                                                        {"objective", "real", "", "cost of the answer", FREE},
                                                        {"replayed", "{real}", "", "what its replay was worth", FREE}};

/* ---- all --------------------------------------------------------------------------------------------------------- */

void
ssapp_schema_add_result (json_t *properties, json_t *needed)
{
  static const SsappRecord *const impacts[] = {&ssapp_impact_record, &ssapp_impact_draw_record,
                                               &ssapp_impact_set_record};
  json_t *metrics = json_object (), *of_impacts = json_object ();

  for (const SsappResultMember *member = ssapp_result_members; member->about.name != NULL; member++)
    ssapp_schema_add (&member->about, properties, needed, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (impacts); i++)
    ssapp_schema_add_record (impacts[i], of_impacts, NULL, NULL);
  json_object_update_missing (properties, of_impacts); /* its seed is that of every result */
  json_decref (of_impacts);
  add_metrics (metrics, needed); /* an impact's result has them beside its other members */
  json_object_update_missing (properties, metrics);
  json_decref (metrics);
}

const SsappSchemaPart ssapp_result_parts[] = {
    {.name = "result", .means = "the result of a run", .add = ssapp_schema_add_result},
    SSAPP_PART_OF_RECORD ("result-scenario", &ssapp_result_scenario_record, "what was run"),
    SSAPP_PART_OF_RECORD ("result-method", &ssapp_result_method_record, "by what it was run"),
    SSAPP_PART_OF_WORDS ("outcome", ssapp_outcome_word, SSAPP_OUTCOMES, "how a run ended"),
    {.name = "metrics",
     .means = "numbers about the run",
     .fields = metrics_fields,
     .n_fields = G_N_ELEMENTS (metrics_fields),
     .add = add_metrics},
    SSAPP_PART_AND_RECORD ("certificate", &ssapp_certificate_record, certificate_fields,
                           "an optimiser's own account of its answer"),
    SSAPP_PART ("certificate-not-computed", certificate_fields, "why there is no account"),
    SSAPP_PART_OF_RECORD ("continued", &ssapp_continued_record, "from where a run goes on"),
    SSAPP_PART_OF_RECORD ("state", &ssapp_state_record, "what a method knows where it was paused"),
    SSAPP_PART_OF_RECORD ("asked", &ssapp_asked_record, "what was asked for"),
    SSAPP_PART_OF_RECORD ("problem", &ssapp_problem_record, "what is wrong with a file or an option"),
    SSAPP_PART_OF_RECORD ("reason", &ssapp_reason_record, "why a run is no success"),
    SSAPP_PART_AND_RECORD ("run-event", &ssapp_run_event_record, ssapp_run_event_fields,
                           "what happened at a contact or joint"),
    SSAPP_PART_OF_RECORD ("condition", &ssapp_event_condition_record, "what an exact time was solved for"),
    SSAPP_PART_OF_RECORD ("steps-by-way", &ssapp_steps_by_way_record, "steps of fesd-j"),
    SSAPP_PART_OF_RECORD ("steps-by-certainty", &ssapp_steps_record, "how sure steps are"),
    SSAPP_PART_OF_RECORD ("sensitivity-break", &ssapp_sensitivity_break_record, "where derivatives end or jump"),
    SSAPP_PART_OF_RECORD ("sensitivity-side", &ssapp_sensitivity_side_record, "derivatives to one side"),
    SSAPP_PART_OF_RECORD ("energy", &ssapp_energy_record, "energy of a simulation"),
    SSAPP_PART_OF_RECORD ("replay-first", &ssapp_replay_first_record, "where a replay parts from its plan"),
    SSAPP_PART_OF_RECORD ("result-controller", &ssapp_controller_record, "what held a replay on its plan"),
    SSAPP_PART_OF_RECORD ("asked-worlds", &ssapp_worlds_record, "worlds of a replay"),
    SSAPP_PART_OF_RECORD ("motion", &ssapp_motion_record, "a motion of a run, without its rows"),
    SSAPP_PART_OF_WORDS ("motion-role", ssapp_motion_role_word, SS_MOTION_ROLE_COUNT, "what a motion is of a run"),
    SSAPP_PART_AND_RECORD ("branch", &ssapp_fan_branch_record, branch_fields, "a branch of a fan"),
    SSAPP_PART ("fan", fan_fields, "all branches together"),
    SSAPP_PART_AND_RECORD ("fan-body", &ssapp_fan_body_record, fan_body_fields, "a body at the ends of the branches"),
    SSAPP_PART_OF_RECORD ("samples", &ssapp_samples_record, "a table of samples"),
    SSAPP_PART_OF_RECORD ("violations", &ssapp_violations_record, "rows that an answer violates"),
    SSAPP_PART_AND_RECORD ("way-on", &ssapp_way_record, way_fields, "a change of the scene that has a plan"),
    SSAPP_PART ("edit", edit_fields, "a change of a file"),
    SSAPP_PART_OF_RECORD ("race", &ssapp_race_record, "members that try to solve one plan"),
    SSAPP_PART_OF_RECORD ("tries", &ssapp_tries_record, "what was tried for a better answer"),
    SSAPP_PART ("solution-name", solution_name_fields, "a further answer, whose result its own run has"),
    SSAPP_PART_OF_RECORD ("interest", &ssapp_interest_record, "a quantity of interest"),
    {.name = "exact", .means = "the exact plan", .record = &ssapp_exact_record, .add = add_exact},
    SSAPP_PART_OF_RECORD ("impact-outcome", &ssapp_impact_outcome_record, "velocities after an impact"),
    SSAPP_PART_OF_RECORD ("mode-share", &ssapp_impact_share_record, "a joint mode of the samples"),
    SSAPP_PART_OF_RECORD ("hull", &ssapp_impact_hull_record, "hull of the samples in a plane"),
    SSAPP_PART_OF_RECORD ("hull-mode", &ssapp_impact_mode_hull_record, "hull of a joint mode")};
G_STATIC_ASSERT (G_N_ELEMENTS (ssapp_result_parts) == SSAPP_RESULT_PARTS);

const SsappSchema ssapp_schema_of_results = {.name = "result",
                                             .title = "A result of Stickslip",
                                             .parts = ssapp_result_parts,
                                             .n_parts = G_N_ELEMENTS (ssapp_result_parts)};
