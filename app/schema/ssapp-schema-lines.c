/* app/schema/ssapp-schema-lines.c: what a worker reads and writes, a JSON object a line: jobs and events. */
#include "app/draw/ssapp-run-events.h"
#include "app/job/ssapp-race.h"
#include "app/job/ssapp-state.h"
#include "app/schema/ssapp-schemas-private.h"

#define NEEDED TRUE
#define FREE   FALSE

/* ---- jobs -------------------------------------------------------------------------------------------------------- */

static const SsappSchemaField job_fields[] = {
    {"type", "'job'", "", "a run that is asked for", NEEDED},
    {"id", "name", "", "of the run; null, empty: a new one", FREE},
    {"protocol", "count", "", "version of these lines, 1; told to methods of the user's own", FREE},
    {"verb", "'optimise'|'optimize'|'simulate'|'replay'|'impact'", "", "what is done", NEEDED},
    {"scenario", "any", "", "a scenario as an object; or `scenario_text`", FREE},
    {"scenario_text", "text", "", "text of a scenario's file; messages have its lines", FREE},
    {"scenario_name", "text", "", "name of that file, for messages", FREE},
    {"method", "text", "", "name of the method", NEEDED},
    {"options", "{number|text|flag}", "", "options of the method by name", FREE},
    {"set", "{number|text}", "", "parameters by name", FREE},
    {"seed", "count|null", "", "of random numbers", FREE},
    {"dt", "real", "s", "step; null: the scenario's", FREE},
    {"t_end", "real", "s", "end; null: the scenario's", FREE},
    {"every", "count", "", "rows of every so many steps are kept; absent: 1", FREE},
    {"limits", "limits|null", "", "limits of the run", FREE},
    {"iterates", "name", "", "all, thin:N or none are kept; absent: none", FREE},
    {"outcomes", "{text}", "", "formulas that are asked of the motion, by name", FREE},
    {"sensitivity", "text", "", "numbers with commas by which derivatives are followed", FREE},
    {"ways_on", "real", "s", "counted time for ways on after a failure", FREE},
    {"bound", "real", "s", "CPU time for a lower bound after a model's answer", FREE},
    {"start", "motion-given|null", "",
     "motion that an optimiser starts from, that a simulation goes on from, or that has the state at an impact", FREE},
    {"continued", "continued|null", "", "of a start: where the run goes on from, of the run that it comes from", FREE},
    {"pause_at", "count|null", "", "iteration at which an optimiser ends as paused", FREE},
    {"plan", "motion-given|null", "", "motion whose controls a replay follows", FREE},
    {"controller", "controller|null", "", "what holds a replay on its plan", FREE},
    {"friction", "real", "", "factor of the contacts' friction in a replay", FREE},
    {"worlds", "worlds-asked|null", "", "worlds in which a replay is tried", FREE},
    {"disturb", "{number}", "", "what is added to coordinates at a replay's start", FREE},
    {"at", "real", "s", "time of `start` at an impact; absent: its end", FREE},
    {"touching", "real", "m", "gap below which points touch at an impact; absent: the engine's", FREE},
    {"tolerance", "real", "m/s", "speeds below it are 0 where modes of an impact are named", FREE},
    {"planes", "[text]|null", "", "planes of speeds whose hulls are asked for, such as vn_A,vn_B", FREE}};

static const SsappSchemaField limits_fields[] = {
    {"seconds", "real", "s", "wall time", FREE},
    {"cpu_seconds", "real", "s", "CPU time of all threads and processes", FREE},
    {"work", "real", "s", "counted time, the same on every machine", FREE},
    {"bytes", "real", "B", "address space of the worker, at least 3e8", FREE}};

static const SsappSchemaField motion_given_fields[] = {
    {"run", "name", "", "id of its run; null: of no run", FREE},
    {"channels", "[text]", "", "names of the channels", NEEDED},
    {"channel_records", "[channel]", "", "what the channels are", FREE},
    {"shape", "[count 2]", "", "rows and channels", NEEDED},
    {"data", "base64", "", "little-endian float64 by rows", NEEDED},
    {"events", "[run-event]", "", "of what a simulation goes on from: what happened in it; absent: not known", FREE},
    {"every", "count", "", "of what a simulation goes on from: rows of every so many steps are there; absent: of all",
     FREE},
    {"set", "{number}", "", "of a plan: parameters of its own", FREE}};

static const SsappSchemaField job_controller_fields[] = {
    {"name", "text", "", "of the controller", NEEDED},
    {"q", "real", "", "weight of states", FREE},
    {"r", "real", "", "weight of controls", FREE},
    {"every", "count|null", "", "steps between plans", FREE},
    {"look_ahead", "count|null", "", "steps that a plan looks ahead", FREE}};

static const SsappSchemaField worlds_asked_fields[] = {{"n", "count|null", "", "how many", FREE},
                                                       {"seed", "count|null", "", "of the draw", FREE}};

static const SsappSchemaField cancel_fields[] = {{"type", "'cancel'", "", "ends a job", NEEDED},
                                                 {"id", "name", "", "of the job; absent: the one that runs", FREE}};

static const SsappSchemaField hold_fields[] = {{"type", "'pause'|'resume'", "", "holds the job that runs", NEEDED}};

static const SsappSchemaField keep_fields[] = {
    {"type", "'keep'", "", "ends the job that runs at its iterate, as paused", NEEDED}};

/* What a result tells of it, and the state. */
static const SsappSchemaField continued_fields[] = {
    {"iteration", "integer", "", "of the run that it goes on from; 0 of a simulation", FREE},
    {"t", "number", "s", "of a simulation that it goes on from", FREE},
    {"changes", "[text]", "", "of the problem and the method since", FREE},
    {"state", "state|null", "", "what the method knew there; absent: it goes on from the motion alone", FREE}};

static const SsappSchemaField stop_member_fields[] = {{"type", "'stop_member'", "", "ends a member of a race", NEEDED},
                                                      {"member", "text", "", "its name", NEEDED}};

static const SsappSchemaField quit_fields[] = {{"type", "'quit'", "", "no further job is taken", NEEDED}};

static const SsappSchemaField channel_fields[] = {{"name", "text", "", "of the channel", NEEDED},
                                                  {"quantity", "text", "", "what it is", FREE},
                                                  {"unit", "text", "", "its unit", FREE},
                                                  {"owner", "text", "", "kind of what it belongs to", FREE},
                                                  {"of", "text", "", "name of what it belongs to", FREE},
                                                  {"state", "flag", "", "whether it is of the state", FREE}};

static const SsappSchemaPart job_parts[] = {
    {.name = "line", .means = "a line that a worker reads", .choice = "job|cancel|hold|keep|stop-member|quit"},
    SSAPP_PART ("job", job_fields, "a run that is asked for"),
    SSAPP_PART ("limits", limits_fields, "limits of a run; the run ends at the first"),
    SSAPP_PART ("motion-given", motion_given_fields, "a motion as a table"),
    SSAPP_PART ("channel", channel_fields, "a channel of a motion"),
    SSAPP_PART_AND_RECORD ("run-event", &ssapp_run_event_record, ssapp_run_event_fields,
                           "what happened at a contact or joint"),
    SSAPP_PART_OF_RECORD ("condition", &ssapp_event_condition_record, "what an exact time was solved for"),
    SSAPP_PART ("controller", job_controller_fields, "what holds a replay on its plan"),
    SSAPP_PART ("worlds-asked", worlds_asked_fields, "worlds in which a replay is tried"),
    SSAPP_PART ("cancel", cancel_fields, "ends a job"),
    SSAPP_PART ("hold", hold_fields, "holds a job, or lets it go on"),
    SSAPP_PART ("keep", keep_fields, "ends a job as paused, with what its method needs to go on"),
    SSAPP_PART ("continued", continued_fields, "from where a run goes on"),
    SSAPP_PART_OF_RECORD ("state", &ssapp_state_record, "what a method knows where it was paused"),
    SSAPP_PART ("stop-member", stop_member_fields, "ends a member of a race"),
    SSAPP_PART ("quit", quit_fields, "ends the worker after its jobs")};

const SsappSchema ssapp_schema_of_jobs = {.name = "job",
                                          .title = "A line that a worker of Stickslip reads",
                                          .parts = job_parts,
                                          .n_parts = G_N_ELEMENTS (job_parts)};

/* ---- events ------------------------------------------------------------------------------------------------------ */

#define HEAD(Type, Means)                                                                                              \
  {"type", Type, "", Means, NEEDED}, {"id", "text", "", "of the job", NEEDED},                                         \
  {                                                                                                                    \
    "t", "real", "s", "since the job's start", NEEDED                                                                  \
  }

static const SsappSchemaField start_fields[] = {HEAD ("'start'", "the scenario was read"),
                                                {"scenario", "about-scenario", "", "what is run", NEEDED},
                                                {"method", "text", "", "name of the method", NEEDED},
                                                {"n_points", "count", "", "time points of a model", FREE},
                                                {"n_variables", "count", "", "variables of a model", FREE},
                                                {"n_bodies", "count", "", "bodies of a scene", FREE},
                                                {"n_contacts", "count", "", "contacts of a scene", FREE}};

static const SsappSchemaField about_scenario_fields[] = {{"name", "text", "", "of the scenario", NEEDED},
                                                         {"sha256", "text", "", "of the file's text", FREE}};

static const SsappSchemaField iteration_fields[] = {HEAD ("'iteration'", "a row of the method's table"),
                                                    {"iteration", "count", "", "number of the row", NEEDED}};

static const SsappSchemaField iterate_fields[] = {HEAD ("'iterate'", "the newest point as a motion, for display"),
                                                  {"iteration", "count", "", "whose point it is", NEEDED},
                                                  {"channels", "[text]", "", "names of the channels", NEEDED},
                                                  {"channel_records", "[channel]", "", "what the channels are", NEEDED},
                                                  {"shape", "[count 2]", "", "rows and channels", NEEDED},
                                                  {"data", "base64", "", "little-endian float64 by rows", NEEDED}};

static const SsappSchemaField frame_fields[] = {HEAD ("'frame'", "the newest row of a simulation, for display"),
                                                {"row", "count", "", "its number", NEEDED},
                                                {"channels", "[text]", "", "names of the channels", NEEDED},
                                                {"values", "[real]", "", "of the channels", NEEDED}};

static const SsappSchemaField trajectory_fields[] = {
    HEAD ("'trajectory'", "rows of a motion that is kept"),
    {"role", "'iterate'|motion-role", "", "what it is of the run", NEEDED},
    {"iteration", "count", "", "whose iterate it is", FREE},
    {"branch", "count", "", "branch of a fan", FREE},
    {"share", "real", "", "of all that can happen", FREE},
    {"first_row", "count", "", "number of the first of these rows", NEEDED},
    {"rows", "count", "", "how many rows these are", NEEDED},
    {"channels", "[text]", "", "names of the channels", NEEDED},
    {"channel_records", "[channel]", "", "what the channels are; with the first rows", FREE},
    {"shape", "[count 2]", "", "rows and channels of the whole", NEEDED},
    {"data", "base64", "", "little-endian float64 by rows", NEEDED}};

static const SsappSchemaField sample_rows_fields[] = {
    HEAD ("'samples'", "rows of a table of samples"),
    {"columns", "[text]", "", "names of the columns", NEEDED},
    {"shape", "[count 2]", "", "rows and columns of the whole", NEEDED},
    {"first_row", "count", "", "number of the first of these rows", NEEDED},
    {"rows", "count", "", "how many rows these are", NEEDED},
    {"data", "base64", "", "little-endian float64 by rows", NEEDED}};

static const SsappSchemaField log_fields[] = {
    HEAD ("'log'", "a line of text"),
    {"level", "'debug'|'info'|'warning'|'error'", "", "how grave it is", NEEDED},
    {"text", "text", "", "the line", NEEDED}};

static const SsappSchemaField race_line_fields[] = {HEAD ("'race'", "where the members of a race are")};

static const SsappSchemaField answer_fields[] = {
    HEAD ("'answer'|'result'", "answer: the best so far; result: the end")};

static const SsappSchemaPart event_parts[] = {
    {.name = "line",
     .means = "a line that a worker writes",
     .choice = "start|iteration|iterate|frame|trajectory|sample-rows|log|race-line|result-line"},
    SSAPP_PART ("start", start_fields, "the scenario was read"),
    SSAPP_PART ("about-scenario", about_scenario_fields, "what is run"),
    {.name = "iteration",
     .means = "a row of the method's table, with the columns that it has",
     .fields = iteration_fields,
     .n_fields = G_N_ELEMENTS (iteration_fields),
     .others = "real"},
    SSAPP_PART ("iterate", iterate_fields, "the newest point as a motion"),
    SSAPP_PART ("frame", frame_fields, "the newest row of a simulation"),
    SSAPP_PART ("trajectory", trajectory_fields, "rows of a motion"),
    SSAPP_PART ("channel", channel_fields, "a channel of a motion"),
    SSAPP_PART ("sample-rows", sample_rows_fields, "rows of a table of samples"),
    SSAPP_PART ("log", log_fields, "a line of text"),
    SSAPP_PART_AND_RECORD ("race-line", &ssapp_race_record, race_line_fields, "members of a race"),
    {.name = "result-line",
     .means = "a result; `result` is the last line of a job",
     .fields = answer_fields,
     .n_fields = G_N_ELEMENTS (answer_fields),
     .add = ssapp_schema_add_result}};

const SsappSchema ssapp_schema_of_events = {.name = "event",
                                            .title = "A line that a worker of Stickslip writes",
                                            .parts = event_parts,
                                            .n_parts = G_N_ELEMENTS (event_parts),
                                            .shared = ssapp_result_parts,
                                            .n_shared = SSAPP_RESULT_PARTS};

/* ---- all --------------------------------------------------------------------------------------------------------- */

const SsappSchema *const ssapp_schemas[] = {&ssapp_schema_of_scenarios,
                                            &ssapp_schema_of_results,
                                            &ssapp_schema_of_events,
                                            &ssapp_schema_of_jobs,
                                            &ssapp_schema_of_methods,
                                            &ssapp_schema_of_method_lines,
                                            NULL};
