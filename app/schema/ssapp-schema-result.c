/* app/schema/ssapp-schema-result.c: the parts of results: the table of a result's members (app/job/ssapp-result.h), the
 * records that they are lists of, and what is written without a record. */
#include "app/base/ssapp-metric.h"
#include "app/base/ssapp-outcome.h"
#include "app/draw/ssapp-run-events.h"
#include "app/job/ssapp-certainty.h"
#include "app/job/ssapp-fan.h"
#include "app/job/ssapp-race.h"
#include "app/job/ssapp-reasons.h"
#include "app/job/ssapp-result.h"
#include "app/job/ssapp-sensitivity.h"
#include "app/job/ssapp-tries.h"
#include "app/job/ssapp-violations.h"
#include "app/job/ssapp-ways.h"
#include "app/schema/ssapp-schemas-private.h"

#include <string.h>

#define NEEDED TRUE
#define FREE   FALSE

/* ---- what is in every result ------------------------------------------------------------------------------------- */

static const SsappSchemaField scenario_fields[] = {{"name", "text", "", "the scenario's name, or the file's", NEEDED},
                                                   {"sha256", "text", "", "of the file's text", FREE},
                                                   {"parameters", "{real}", "", "parameters that were set", NEEDED},
                                                   {"values", "{real}", "", "all parameters", NEEDED}};

static const SsappSchemaField method_fields[] = {
    {"name", "name", "", "of the method", NEEDED},
    {"options", "{real|text|flag}", "", "all that it used, with presets filled in", NEEDED},
    {"version", "text", "", "of the method or its library", NEEDED},
    {"program", "text", "", "file that a method of the user's own starts, without symbolic links", FREE},
    {"program_version", "text", "", "sha256: and the hash of that file", FREE}};

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

static const SsappSchemaField asked_fields[] = {
    {"verb", "text", "", "of the command line", NEEDED},
    {"dt", "number", "s", "step", FREE},
    {"t_end", "number", "s", "end", FREE},
    {"seed", "count", "", "of random numbers", FREE},
    {"seconds", "number", "s", "limit of wall time", FREE},
    {"cpu_seconds", "number", "s", "limit of CPU time, of all threads and processes", FREE},
    {"bytes", "number", "B", "limit of address space", FREE},
    {"ways_on", "number", "s", "counted time for ways on after a failure", FREE},
    {"bound", "number", "s", "CPU time for a lower bound after the answer", FREE},
    {"keep_iterates", "count", "", "every how many iterates are kept", FREE},
    {"every", "count", "", "every how many steps rows are kept", FREE},
    {"outcomes", "{text}", "", "formulas that are asked of the motion, by name", FREE},
    {"sensitivity", "text", "", "numbers by which derivatives are followed", FREE},
    {"motion", "asked-motion", "", "plan that a replay follows, or motion that an optimiser starts from", FREE},
    {"at", "number", "s", "time of the state at an impact", FREE},
    {"touching", "number", "m", "gap below which points touch", FREE},
    {"tolerance", "number", "m/s", "speeds below are 0 where modes are named", FREE},
    {"planes", "[text]", "", "planes whose hulls are asked for", FREE}};

static const SsappSchemaField asked_motion_fields[] = {{"run", "text", "", "id of its run; empty: of no run", NEEDED},
                                                       {"rows", "count", "", "of its table", NEEDED},
                                                       {"channels", "count", "", "of its table", NEEDED},
                                                       {"sha256", "text", "", "of its numbers", NEEDED}};

/* ---- simulations ------------------------------------------------------------------------------------------------- */

static const SsappSchemaField run_event_fields[] = {
    {"condition", "null|condition", "", "what an exact time was solved for; null: another event caused it", FREE},
    {"sensitivity", "{real}", "s", "derivatives of the time by number, each per its unit", FREE}};

static const SsappSchemaField condition_fields[] = {{"name", "text", "", "what is 0 then", NEEDED},
                                                    {"value", "real", "`unit`", "what is left of it", NEEDED},
                                                    {"unit", "text", "", "its unit", NEEDED}};

static const SsappSchemaField controller_fields[] = {
    {"name", "text", "", "of the controller", NEEDED},
    {"q", "real", "", "weight of states", FREE},
    {"r", "real", "", "weight of controls", FREE},
    {"every", "count", "", "steps between plans", FREE},
    {"look_ahead", "count", "", "steps that a plan looks ahead", FREE},
    {"plans", "count", "", "plans that were made", FREE},
    {"kept", "count", "", "plans that failed, so that the one before was kept", FREE},
    {"cpu_seconds", "real", "s", "CPU time of the plans", FREE},
    {"clipped", "count", "", "steps whose controls were cut to their bounds", FREE}};

static const SsappSchemaField worlds_fields[] = {{"n", "count", "", "how many", NEEDED},
                                                 {"seed", "count", "", "of the draw", NEEDED}};

/* ---- motions, fans, samples -------------------------------------------------------------------------------------- */

static const SsappSchemaField branch_fields[] = {
    {"branch", "count", "", "its number", NEEDED},
    {"events", "[run-event]", "", "what happened in it", NEEDED},
    {"final_state", "null|{real}", "", "every state channel at its last time", NEEDED}};

static const SsappSchemaField fan_fields[] = {
    {"bodies", "[fan-body]", "", "where bodies end", NEEDED},
    {"events_left_out", "count", "", "events of branches that are not listed", FREE}};

static const SsappSchemaField fan_body_fields[] = {{"body", "text", "", "name of the body", NEEDED}};

static const SsappSchemaField samples_fields[] = {
    {"columns", "[text]", "", "names of the columns", NEEDED},
    {"shape", "[count 2]", "", "rows and columns", NEEDED},
    {"data", "base64", "", "little-endian float64 by rows; absent: sent and stored apart", FREE}};

/* ---- optimisers -------------------------------------------------------------------------------------------------- */

static const SsappSchemaField violations_fields[] = {
    {"rows", "count", "", "rows of the problem", NEEDED},
    {"violated", "count", "", "of these violated", NEEDED},
    {"list", "[violation]", "", "those that are violated most", NEEDED}};

static const SsappSchemaField way_fields[] = {{"kind", "text", "", "kind of change", NEEDED},
                                              {"edits", "[edit]", "", "what it changes in the file", NEEDED}};

static const SsappSchemaField edit_fields[] = {
    {"path", "text", "", "place in the file", NEEDED},
    {"value", "any", "", "what is put there; absent: it is taken out", FREE}};

static const SsappSchemaField race_fields[] = {{"account", "text", "", "the race in words", NEEDED},
                                               {"members", "[member]", "", "its members", NEEDED}};

static const SsappSchemaField member_fields[] = {
    {"run", "name", "", "id of its answer's run; null: nothing is kept", NEEDED}};

static const SsappSchemaField tries_fields[] = {{"account", "text", "", "the tries in words", NEEDED},
                                                {"counts", "{{count}}", "", "by kind and by what came of it", NEEDED},
                                                {"best", "real", "", "lowest cost of an honest one", NEEDED},
                                                {"near", "count", "", "honest ones near to it", NEEDED},
                                                {"list", "[try]", "", "tries that are kept", NEEDED}};

static const SsappSchemaField exact_fields[] = {{"run", "name", "", "id of its run; null: there is none", NEEDED},
                                                {"reason", "name", "", "why there is none", NEEDED}};

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

static const SsappSchemaField interest_fields[] = {{"value", "real", "`unit`", "of the run", NEEDED},
                                                   {"unit", "text", "", "its unit", NEEDED},
                                                   {"formula", "text", "", "what was asked for", NEEDED},
                                                   {"message", "text", "", "why it has no value", FREE}};

/* ---- impacts ----------------------------------------------------------------------------------------------------- */

static const SsappSchemaField impact_fields[] = {
    {"law", "text", "", "of an impact", FREE},
    {"contacts", "[text]", "", "points that touch, in the order of vectors", FREE},
    {"configuration", "configuration", "", "state before the impact", FREE},
    {"policy", "text", "", "how sets are drawn", FREE},
    {"step", "real", "N s", "step of a set", FREE},
    {"max_steps", "count", "", "of a draw", FREE},
    {"modes", "[mode-share]", "", "joint modes of the samples", FREE},
    {"pointed", "flag", "", "whether the cone is pointed", FREE},
    {"r", "real", "", "radius of the cone", FREE},
    {"c", "real", "", "constant of the cone", FREE},
    {"theorem_8", "{real}", "", "number of steps", FREE},
    {"theorem_9", "{real}", "", "number of samples", FREE},
    {"extents", "[extent]", "", "least and largest speeds", FREE},
    {"bound", "name", "", "what the outer extents come from; null: there are none", FREE},
    {"hulls", "[hull]", "", "hulls of the samples in planes", FREE}};

static const SsappSchemaField configuration_fields[] = {{"hash", "text", "", "of the configuration", NEEDED},
                                                        {"vn", "[real]", "m/s", "normal speeds", NEEDED},
                                                        {"vt", "[real]", "m/s", "tangential speeds", NEEDED},
                                                        {"kinetic_energy", "real", "J", "before the impact", NEEDED}};

static const SsappSchemaField outcome_fields[] = {{"v", "[real]", "m/s, rad/s", "velocities of the bodies", NEEDED},
                                                  {"vn", "[real]", "m/s", "normal speeds", NEEDED},
                                                  {"vt", "[real]", "m/s", "tangential speeds", NEEDED},
                                                  {"ln", "[real]", "N s", "normal impulses", NEEDED},
                                                  {"lt", "[real]", "N s", "tangential impulses", NEEDED},
                                                  {"kinetic_energy", "real", "J", "after the impact", NEEDED},
                                                  {"modes", "[text]", "", "of each point", NEEDED},
                                                  {"solves", "count", "", "problems that were solved", NEEDED},
                                                  {"share", "real", "", "of all outcomes", NEEDED},
                                                  {"finished", "flag", "", "whether it came to an end", NEEDED},
                                                  {"order", "null|[text]", "", "of impacts one after another", NEEDED}};

static const SsappSchemaField mode_share_fields[] = {{"mode", "[text]", "", "of each point", NEEDED},
                                                     {"fraction", "real", "", "of the samples", NEEDED}};

static const SsappSchemaField extent_fields[] = {{"speed", "text", "", "column of the samples", NEEDED},
                                                 {"inner", "[real 2]", "m/s", "reached for sure", NEEDED},
                                                 {"outer", "[real 2]", "m/s", "never left", NEEDED}};

static const SsappSchemaField hull_fields[] = {{"x", "text", "m/s", "column of the samples", NEEDED},
                                               {"y", "text", "m/s", "column of the samples", NEEDED},
                                               {"vertices", "[[real 2]]", "m/s", "of the hull", NEEDED},
                                               {"inner", "null|[hull-mode]", "", "hulls by joint mode", NEEDED},
                                               {"outer", "null|[hull-mode]", "", "outer bounds by joint mode", NEEDED}};

static const SsappSchemaField hull_mode_fields[] = {{"mode", "[text]", "", "of each point", NEEDED},
                                                    {"vertices", "[[real 2]]", "m/s", "of the hull", NEEDED}};

void
ssapp_schema_add_result (json_t *properties, json_t *needed)
{
  json_t *metrics = json_object ();

  for (const SsappResultMember *member = ssapp_result_members; member->about.name != NULL; member++)
    ssapp_schema_add (&member->about, properties, needed, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (impact_fields); i++)
    ssapp_schema_add (&impact_fields[i], properties, needed, NULL);
  add_metrics (metrics, needed); /* an impact's result has them beside its other members */
  json_object_update_missing (properties, metrics);
  json_decref (metrics);
}

const SsappSchemaPart ssapp_result_parts[] = {
    {.name = "result", .means = "the result of a run", .add = ssapp_schema_add_result},
    SSAPP_PART ("result-scenario", scenario_fields, "what was run"),
    SSAPP_PART ("result-method", method_fields, "by what it was run"),
    SSAPP_PART_OF_WORDS ("outcome", ssapp_outcome_word, SSAPP_OUTCOMES, "how a run ended"),
    {.name = "metrics",
     .means = "numbers about the run",
     .fields = metrics_fields,
     .n_fields = G_N_ELEMENTS (metrics_fields),
     .add = add_metrics},
    SSAPP_PART_AND_RECORD ("certificate", &ssapp_certificate_record, certificate_fields,
                           "an optimiser's own account of its answer"),
    SSAPP_PART ("certificate-not-computed", certificate_fields, "why there is no account"),
    SSAPP_PART ("asked", asked_fields, "what was asked for"),
    SSAPP_PART ("asked-motion", asked_motion_fields, "a motion that a run was given"),
    SSAPP_PART_OF_RECORD ("problem", &ssapp_problem_record, "what is wrong with a file or an option"),
    SSAPP_PART_OF_RECORD ("reason", &ssapp_reason_record, "why a run is no success"),
    SSAPP_PART_AND_RECORD ("run-event", &ssapp_run_event_record, run_event_fields,
                           "what happened at a contact or joint"),
    SSAPP_PART ("condition", condition_fields, "what an exact time was solved for"),
    SSAPP_PART_OF_RECORD ("steps-by-way", &ssapp_steps_by_way_record, "steps of fesd-j"),
    SSAPP_PART_OF_RECORD ("steps-by-certainty", &ssapp_steps_record, "how sure steps are"),
    SSAPP_PART_OF_RECORD ("sensitivity-break", &ssapp_sensitivity_break_record, "where derivatives end or jump"),
    SSAPP_PART_OF_RECORD ("sensitivity-side", &ssapp_sensitivity_side_record, "derivatives to one side"),
    SSAPP_PART_OF_RECORD ("energy", &ssapp_energy_record, "energy of a simulation"),
    SSAPP_PART_OF_RECORD ("replay-first", &ssapp_replay_first_record, "where a replay parts from its plan"),
    SSAPP_PART ("result-controller", controller_fields, "what held a replay on its plan"),
    SSAPP_PART ("asked-worlds", worlds_fields, "worlds of a replay"),
    SSAPP_PART_OF_RECORD ("motion", &ssapp_motion_record, "a motion of a run, without its rows"),
    SSAPP_PART_OF_WORDS ("motion-role", ssapp_motion_role_word, SS_MOTION_ROLE_COUNT, "what a motion is of a run"),
    SSAPP_PART_AND_RECORD ("branch", &ssapp_fan_branch_record, branch_fields, "a branch of a fan"),
    SSAPP_PART ("fan", fan_fields, "all branches together"),
    SSAPP_PART_AND_RECORD ("fan-body", &ssapp_fan_body_record, fan_body_fields, "a body at the ends of the branches"),
    SSAPP_PART ("samples", samples_fields, "a table of samples"),
    SSAPP_PART ("violations", violations_fields, "rows that an answer violates"),
    SSAPP_PART_OF_RECORD ("violation", &ssapp_violation_record, "a violated row"),
    SSAPP_PART_AND_RECORD ("way-on", &ssapp_way_record, way_fields, "a change of the scene that has a plan"),
    SSAPP_PART ("edit", edit_fields, "a change of a file"),
    SSAPP_PART ("race", race_fields, "members that try to solve one plan"),
    SSAPP_PART_AND_RECORD ("member", &ssapp_member_record, member_fields, "a member of a race"),
    SSAPP_PART ("tries", tries_fields, "what was tried for a better answer"),
    SSAPP_PART_OF_RECORD ("try", &ssapp_try_record, "a try"),
    SSAPP_PART ("solution-name", solution_name_fields, "a further answer, whose result its own run has"),
    SSAPP_PART ("interest", interest_fields, "a quantity of interest"),
    {.name = "exact",
     .means = "the exact plan",
     .fields = exact_fields,
     .n_fields = G_N_ELEMENTS (exact_fields),
     .add = add_exact},
    SSAPP_PART ("configuration", configuration_fields, "state before an impact"),
    SSAPP_PART ("impact-outcome", outcome_fields, "velocities after an impact"),
    SSAPP_PART ("mode-share", mode_share_fields, "a joint mode of the samples"),
    SSAPP_PART ("extent", extent_fields, "least and largest of a speed"),
    SSAPP_PART ("hull", hull_fields, "hull of the samples in a plane"),
    SSAPP_PART ("hull-mode", hull_mode_fields, "hull of a joint mode")};
G_STATIC_ASSERT (G_N_ELEMENTS (ssapp_result_parts) == SSAPP_RESULT_PARTS);

const SsappSchema ssapp_schema_of_results = {.name = "result",
                                             .title = "A result of Stickslip",
                                             .parts = ssapp_result_parts,
                                             .n_parts = G_N_ELEMENTS (ssapp_result_parts)};
