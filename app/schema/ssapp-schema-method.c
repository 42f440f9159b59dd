/* app/schema/ssapp-schema-method.c: a method of the user's own (app/job/ssapp-own.h): its file, and the lines that its
 * program writes. */
#include "app/schema/ssapp-schemas-private.h"

#define NEEDED TRUE
#define FREE   FALSE

/* ---- the file ---------------------------------------------------------------------------------------------------- */

static const SsappSchemaField method_fields[] = {
    {"format", "1", "", "of this file", NEEDED},
    {"name", "text", "", "at most 40 lower-case letters, digits, - _ .; no method of its kind has it", NEEDED},
    {"kind", "'simulate'|'optimise'", "", "integrator of scenes, or optimiser of models and plans", NEEDED},
    {"title", "text", "", "what tables and menus show; absent: the name", FREE},
    {"summary", "text", "", "what it is, in a sentence", NEEDED},
    {"solves", "text", "", "its law or problem in a sentence", FREE},
    {"command", "[text]", "", "program and arguments; a file beside this one becomes its path", NEEDED},
    {"options", "[option]", "", "what a run may set", FREE},
    {"patience", "number", "s", "without a word or computing after which it counts as hung; absent: 30", FREE}};

static const SsappSchemaField option_fields[] = {
    {"name", "text", "", "of the option", NEEDED},
    {"type", "'real'|'integer'|'boolean'|'choice'|'text'", "", "what its values are", NEEDED},
    {"minimum", "number", "", "of a number", FREE},
    {"maximum", "number", "", "of a number", FREE},
    {"default", "number|flag|text", "", "value where none is set", FREE},
    {"choices", "[text]", "", "of a choice", FREE},
    {"unit", "text", "", "of its values", FREE},
    {"symbol", "text", "", "letter in the equations", FREE},
    {"common", "flag", "", "shown without asking for all options", FREE},
    {"summary", "text", "", "what it does", FREE}};

static const SsappSchemaPart method_parts[] = {SSAPP_PART ("method", method_fields, "a method of the user's own"),
                                               SSAPP_PART ("option", option_fields, "an option of the method")};

const SsappSchema ssapp_schema_of_methods = {.name = "method",
                                             .title = "A method of the user's own",
                                             .parts = method_parts,
                                             .n_parts = G_N_ELEMENTS (method_parts)};

/* ---- what its program writes ------------------------------------------------------------------------------------- */

static const SsappSchemaField question_fields[] = {
    {"type", "'question'", "", "asks; a line of type reply answers", NEEDED},
    {"want", "[text]", "", "names of what is asked", NEEDED},
    {"x", "[number]", "", "point of a problem", FREE},
    {"q", "[number]", "", "coordinates of a scene's bodies", FREE},
    {"v", "[number]", "", "their velocities", FREE},
    {"t", "number", "s", "time", FREE},
    {"sigma", "number", "", "weight of the objective's Hessian", FREE},
    {"multipliers", "[number]", "", "weights of the rows' Hessians", FREE},
    {"band", "number", "m", "gap up to which points are listed", FREE}};

static const SsappSchemaField told_frame_fields[] = {
    {"type", "'frame'", "", "a row of the motion", NEEDED},
    {"channels", "[text]", "", "names of the channels; absent: as in the frame before", FREE},
    {"values", "[real]", "", "of the channels", NEEDED}};

static const SsappSchemaField told_iteration_fields[] = {{"type", "'iteration'", "", "a row of its table", NEEDED},
                                                         {"iteration", "count", "", "number of the row", NEEDED}};

static const SsappSchemaField told_iterate_fields[] = {
    {"type", "'iterate'", "", "the answer where the run is ended now", NEEDED},
    {"iteration", "count", "", "whose point it is", FREE},
    {"x", "[number]", "", "the variables", NEEDED}};

static const SsappSchemaField told_log_fields[] = {
    {"type", "'log'", "", "a line of text", NEEDED},
    {"level", "'debug'|'info'|'warning'|'error'", "", "how grave it is", FREE},
    {"text", "text", "", "the line", NEEDED}};

static const SsappSchemaField told_result_fields[] = {
    {"type", "'result'", "", "the last line", NEEDED},
    {"outcome", "text", "", "solved, completed, failed, ...; the judge has the last word", NEEDED},
    {"message", "name", "", "why", FREE},
    {"x", "[number]", "", "an optimiser's answer", FREE},
    {"iterations", "count", "", "that an optimiser took", FREE}};

static const SsappSchemaPart told_parts[] = {
    {.name = "line",
     .means = "a line that the program of a method writes",
     .choice = "question|frame|iteration|iterate|log|result"},
    SSAPP_PART ("question", question_fields, "a question about the problem or the scene"),
    SSAPP_PART ("frame", told_frame_fields, "a row of the motion"),
    {.name = "iteration",
     .means = "a row of the method's table, with the columns that it has",
     .fields = told_iteration_fields,
     .n_fields = G_N_ELEMENTS (told_iteration_fields),
     .others = "real"},
    SSAPP_PART ("iterate", told_iterate_fields, "the newest point"),
    SSAPP_PART ("log", told_log_fields, "a line of text"),
    SSAPP_PART ("result", told_result_fields, "the end")};

const SsappSchema ssapp_schema_of_method_lines = {.name = "method-line",
                                                  .title = "A line that the program of a method writes",
                                                  .parts = told_parts,
                                                  .n_parts = G_N_ELEMENTS (told_parts)};
