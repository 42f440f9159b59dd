/* engine/run/ss-method.h: the registry of methods, and what kinds of method there are.
 *
 * A method is known by kind and name: two kinds may share a name. The registry is what menus, command line, tables and
 * tests walk; nothing else lists methods.
 * Methods from elsewhere (of the user's own) join the same list, by whoever runs them.
 * Threads: any; the registry only grows: by the program's methods at first, then by ss_method_add. Tests:
 * tests/unit/test-run.c
 */
#pragma once

#include "core/ss-option.h"
#include "scene/ss-scenario.h"

/* A change of one kind of class shall not compile again who only knows methods. */
typedef struct SsImpactLawClass SsImpactLawClass;
typedef struct SsIntegratorClass SsIntegratorClass;
typedef struct SsNlpClass SsNlpClass;
typedef struct SsTranscriptionClass SsTranscriptionClass;

/* ---- kinds ------------------------------------------------------------------------------------------------------- */

/* Identifier, name in files, name in sentences, title of a list, verb of the command line, of job lines and of stored
 * runs. */
#define SS_METHOD_KIND_LIST(X)                                                                                         \
  X (INTEGRATOR, "integrator", "integrator", "Integrators", "simulate")                                                \
  X (OPTIMISER, "optimiser", "optimiser", "Optimisers", "optimise")                                                    \
  X (IMPACT_LAW, "impact-law", "impact law", "Impact laws", "impact")

typedef enum {
#define X(id, name, words, title, verb) SS_METHOD_##id,
  SS_METHOD_KIND_LIST (X)
#undef X
      SS_METHOD_KIND_COUNT
} SsMethodKind;

typedef struct {
  const char *name, *words, *title, *verb;
} SsMethodKindSpec;

/* Static. */
const SsMethodKindSpec *ss_method_kind_spec (SsMethodKind kind);
/* The kind of that name, or SS_METHOD_KIND_COUNT. */
SsMethodKind ss_method_kind_find (const char *name);
/* The kind of that verb, or SS_METHOD_KIND_COUNT. */
SsMethodKind ss_method_kind_of_verb (const char *verb);

/* ---- methods ----------------------------------------------------------------------------------------------------- */

typedef struct {
  SsMethodKind kind;
  const char *name;
  int copy; /* 0: the method; 1, 2, ...: one more of it with options of its own, which differs in its look alone */
} SsMethodId;

/* Same kind and same name, which neither lacks. */
bool ss_method_id_is_equal (SsMethodId a, SsMethodId b);

typedef struct {
  SsMethodKind kind;
  const char *name, *label, *summary;
  const char *solves;  /* INTEGRATOR, IMPACT_LAW: the law in a sentence; "" of others */
  bool is_built;       /* false: known name of the contract, not in this build */
  const char *why_not; /* when not built                                       */
  bool is_default;     /* taken where the user names none of its kind; one a kind at most */
  bool is_second;      /* runs beside the default where two are shown to begin with       */
  bool has_own_steps;  /* INTEGRATOR: answers to a tolerance at any dt */
  /* For marks and colours: a number of its own; of neighbouring ones, which are likely to be compared, the colours
   * differ too. */
  int look;
  const SsOptionTable *options;        /* empty table when not built */
  const SsNlpClass *nlp;               /* OPTIMISER                  */
  const SsIntegratorClass *integrator; /* INTEGRATOR                 */
  const SsImpactLawClass *law;         /* IMPACT_LAW                 */
  const char *version;                 /* of a method from elsewhere: a hash of what it is; NULL: of this program */
} SsMethod;

enum { SS_METHODS_MAX = 64 }; /* for arrays: no registry has more */
/* All methods of the contract, built or not, in the order of its list; index 0 .. count - 1. Static; any thread. */
int ss_method_count (void);
const SsMethod *ss_method_at (int index);
/* A method from elsewhere, at the end of the list. Its kind, its class (NULL: it is not built, and why_not says why)
 * and its version are read; texts, options and names are the class's, of what is not built the method's own. All that
 * it points to lives as long as the program. Its looks follow those of the others. SS_ERR_INVALID: there is a method of
 * its kind and name; SS_ERR_MEMORY: the list is full. From any thread, one at a time. */
SS_NODISCARD SsStatus ss_method_add (const SsMethod *method, SsError *err);
/* Borrows the name. */
SsMethodId ss_method_id (const SsMethod *method);
/* Finds by kind and name; on failure err (may be NULL) suggests the nearest. */
const SsMethod *ss_method_find (SsMethodKind kind, const char *name, SsError *err);
/* The same without a message; NULL: not in this version. */
const SsMethod *ss_method_lookup (SsMethodId id);
/* The method of a class; NULL: it is none of the registry. */
const SsMethod *ss_method_of_integrator (const SsIntegratorClass *class_);
/* Where a name may be of either kind: the one of `first`, else of `second`; on failure err is as of the second. */
const SsMethod *ss_method_find_either (SsMethodKind first, SsMethodKind second, const char *name, SsError *err);
/* The default of a kind; NULL where there is none. */
const SsMethod *ss_method_default (SsMethodKind kind);
/* The method of a kind where the user names none: the first of it that the scenario's `methods` name and that is built;
 * else `auto` for the plan of a scene; else the default one, NULL where there is none. */
const SsMethod *ss_method_of_scenario (SsMethodKind kind, const SsScenario *scenario);
/* The first of a kind that the scenario's `methods` name and that is built; NULL: none. */
const SsMethod *ss_method_named_by (SsMethodKind kind, const SsScenario *scenario);

/* ---- options ----------------------------------------------------------------------------------------------------- */

/* Checks the scenario's `methods` section, which its reader takes as it is: methods that exist, options that they have,
 * values in range. Where kinds share the section's name, an option is of each kind that has it. Adds every problem with
 * its line and path and returns SS_ERR_INVALID if there was one. Methods that are not built may have any options. */
SS_NODISCARD SsStatus ss_method_check_defaults (const SsScenario *scenario, SsProblems *problems);

/* Whether a line of the `methods` section is for this method: its name, and an option that it has, or that no built
 * method of the name has (which setting it tells then). */
bool ss_method_takes_default (const SsMethod *method, const SsScenario *scenario, const SsMethodDefault *line);

/* A number among the method's options (NULL: its defaults), see ss_options_get; `fallback` where it has none of that
 * name. */
double ss_method_option (const SsMethod *method, const void *options, const char *name, double fallback);
/* Defaults of a method's options for a scenario's kind (ss_options_init, then the preset for plans of scenes). What the
 * file and the user say comes after. */
void ss_method_init_options (const SsMethod *method, const SsScenario *scenario, void *options);
/* Sets an option where it belongs (ss_method_option_table): in the method's struct, or that of the transcriptions, of
 * the size of ss_transcription_option_table. Errors as of ss_options_set. */
SS_NODISCARD SsStatus ss_method_set_option (const SsMethod *method, const SsScenario *scenario, void *options,
                                            void *transcription, const char *name, const char *value, SsError *err);
/* Both structs for a scenario: defaults, then what its file says of the method. The last error of a line that does not
 * hold, which ss_method_check_defaults tells with its place; the others are set all the same. */
SS_NODISCARD SsStatus ss_method_begin_options (const SsMethod *method, const SsScenario *scenario, void *options,
                                               void *transcription, SsError *err);
/* What the method takes of a scene's restitution, stiffness and damping with these options (NULL: the defaults), of
 * SsSceneUse; of an optimiser it is the transcription's (NULL: the default one). */
unsigned ss_method_uses (const SsMethod *method, const SsTranscriptionClass *class_, const void *options);
/* Gives options that neither of them has set what the transcription (NULL: the default one) wants of an optimiser. */
void ss_method_suit (const SsMethod *method, const SsTranscriptionClass *class_, void *options);

/* The table that has an option of that name: the method's own, or that of the transcription
 * (ss_transcription_option_table) where the method is an optimiser and the scenario a scene. Never NULL: names of
 * neither are refused by the method's own. */
const SsOptionTable *ss_method_option_table (const SsMethod *method, const SsScenario *scenario, const char *name);
