/* app/job/ssapp-result.h: the result object of the command line, the worker and the project. */
#pragma once

#include <jansson.h>

#include "app/base/ssapp-schema.h"
#include "app/job/ssapp-runner.h"

G_BEGIN_DECLS

typedef struct SsappResultFacts SsappResultFacts;
typedef struct {
  SsappSchemaField about;
  /* A new reference; NULL: not said. NULL: the member is written elsewhere. */
  json_t *(*write) (const SsappResultFacts *facts);
  gboolean is_told_of_failed; /* also of a job that never ran */
} SsappResultMember;
/* The members of a result in their order; a new one is a line of this table. Ends with a name NULL. */
extern const SsappResultMember ssapp_result_members[];

/* Energy that came from nothing, or went there: the part of what it is a part of. */
typedef struct {
  double part;
  SsMotionShare own;
} SsappEnergyShare;

/* The judge's account of a simulation's energy [J]; after reading released by ssapp_record_clear. */
typedef struct {
  double initial, final, surplus, in_play;
  SsappEnergyShare *gained, *lost; /* NULL: not told */
  double turned_over;
  json_t *work; /* by name; NULL: not told */
} SsappEnergy;

/* The exact plan beside an answer. */
typedef struct {
  const char *run;    /* NULL: there is none */
  const char *reason; /* why there is none; NULL: there is one */
} SsappExact;

extern const SsappRecord ssapp_exact_record;           /* of SsappExact */
extern const SsappRecord ssapp_result_scenario_record; /* what was run */
extern const SsappRecord ssapp_result_method_record;   /* by what it was run */
extern const SsappRecord ssapp_energy_record;          /* of SsappEnergy */
extern const SsappRecord ssapp_motion_record;          /* what a result says of a motion */
const char *ssapp_motion_role_word (int role);         /* SsMotionRole by its number, as a word of a field */
extern const SsappRecord ssapp_steps_by_way_record;    /* of SsRunResult: its steps of fesd-j */
extern const SsappRecord ssapp_certificate_record;     /* of SsNlpCertificate */
extern const SsappRecord ssapp_problem_record;         /* of SsError */

/* {"name", "sha256", "parameters", "values"}; NULL: one that could not be read, of `file`. */
json_t *ssapp_result_scenario_to_json (const SsScenario *scenario, const char *file);
/* All new references; `warnings` is empty, for who ran the job to fill. `scenario` is NULL of a file of numbers.
 * `options` is the method's struct, transcription_options that of ss_transcription_option_table for an optimiser's
 * plan of a scene, else NULL; reading_seconds is added to the setup. */
json_t *ssapp_result_new (const SsappJobSpec *spec, const SsScenario *scenario, const SsMethod *method,
                          const void *options, const void *transcription_options, const SsRunResult *result,
                          double reading_seconds);
/* A job that never ran: scenario, method and problems may be NULL. */
json_t *ssapp_result_new_failed (const SsappJobSpec *spec, const SsScenario *scenario, const char *message,
                                 const SsProblems *problems);
/* What a result object says of a run: outcome, message, reasons, metrics, motions (without their rows, which are sent
 * and stored apart), samples; what is missing or unknown is left out. `result` is initialised here. */
void ssapp_result_read (const json_t *object, SsRunResult *result);
/* The judge's account of a simulation's energy; NULL where it has none. New reference. */
json_t *ssapp_energy_to_json (const SsMotionVerdict *verdict);
json_t *ssapp_problems_to_json (const SsProblems *problems);

G_END_DECLS
