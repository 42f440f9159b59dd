/* engine/run/ss-method.c: the registry of methods. Names of the contract that this build lacks are listed with the
 * reason, so that a misspelling and a missing part get different answers. */
#include "run/ss-method.h"

#include "core/ss-memory.h"
#include "nlp/ss-auto.h"
#include "nlp/ss-ipopt.h"
#include "nlp/ss-scholtes.h"
#include "run/ss-integrators.h"
#include "transcribe/ss-transcriptions.h"
#include "impact/ss-impact-law.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <threads.h>

static const SsOptionTable no_options = {0};

typedef struct {
  atomic_int n_methods; /* is raised when a method is whole */
  SsMethod methods[SS_METHODS_MAX];
} Registry;

/* Filled once, then only added to: option tables belong to the classes, whose fields are no constant expressions
 * in C. */
static Registry registry;
static once_flag registry_once = ONCE_FLAG_INIT;

/* Places in the order of looks, one a method. The first four are curves of papers that stand side by side. */
enum {
  LOOK_CRISP,
  LOOK_IPOPT,
  LOOK_SCHOLTES,
  LOOK_FESD_J,
  LOOK_STEWART_TRINKLE,
  LOOK_ANITESCU_POTRA,
  LOOK_MOREAU_JEAN,
  LOOK_CONVEX_TIME_STEPPING,
  LOOK_CONSTRAINT_SOLVER,
  LOOK_EVENT_DRIVEN,
  LOOK_TIME_FREEZING,
  LOOK_CVODE,
  LOOK_EXPLICIT_EULER,
  LOOK_IMPLICIT_EULER,
  LOOK_SEMI_IMPLICIT_EULER,
  LOOK_SEQUENTIAL_LAW,
  LOOK_SET_VALUED_LAW,
  LOOK_NEWTON_LAW,
  LOOK_ANITESCU_POTRA_LAW,
  LOOK_AUTO,
  LOOKS /* of methods from elsewhere and on */
};

static SsMethod *
add (SsMethod method)
{
  SS_ASSERT (registry.n_methods < SS_METHODS_MAX);
  if (method.nlp != NULL) {
    method.label = method.nlp->label;
    method.summary = method.nlp->summary;
    method.options = method.nlp->options;
  } else if (method.integrator != NULL) {
    method.label = method.integrator->label;
    method.summary = method.integrator->summary;
    method.solves = method.integrator->solves;
    method.options = method.integrator->options;
  } else if (method.law != NULL) {
    method.label = method.law->label;
    method.summary = method.law->summary;
    method.solves = method.law->solves;
    method.options = method.law->options;
  }
  method.is_built = method.nlp != NULL || method.integrator != NULL || method.law != NULL;
  if (method.solves == NULL)
    method.solves = "";
  if (method.options == NULL)
    method.options = &no_options;
  const int place = registry.n_methods;
  registry.methods[place] = method;
  registry.n_methods = place + 1;
  return &registry.methods[place];
}

static SsMethod *
add_integrator (const SsIntegratorClass *class_, int look)
{
  return add ((SsMethod){.kind = SS_METHOD_INTEGRATOR, .name = class_->name, .integrator = class_, .look = look});
}

static SsMethod *
add_optimiser (const SsNlpClass *class_, int look)
{
  return add ((SsMethod){.kind = SS_METHOD_OPTIMISER, .name = class_->name, .nlp = class_, .look = look});
}

static SsMethod *
add_law (const SsImpactLawClass *class_, int look)
{
  return add ((SsMethod){.kind = SS_METHOD_IMPACT_LAW, .name = class_->name, .law = class_, .look = look});
}

/* In the order of the contract's list of names. */
static void
fill_registry (void)
{
#define X(id, look, by_default) add_integrator (&ss_integrator_##id, LOOK_##look)->is_default = by_default;
  SS_INTEGRATOR_PENALTY_LIST (X)
#if SS_HAVE_CVODE
  add_integrator (&ss_integrator_cvode, LOOK_CVODE)->has_own_steps = true;
#else
  add ((SsMethod){.kind = SS_METHOD_INTEGRATOR,
                  .name = "cvode",
                  .label = "CVODE (penalty)",
                  .summary = "Penalty contacts, variable order and step (SUNDIALS)",
                  .look = LOOK_CVODE,
                  .has_own_steps = true,
                  .why_not = "not in this build (it needs SUNDIALS 6: package libsundials-dev, meson option cvode)"});
#endif
  SS_INTEGRATOR_RIGID_LIST (X)
#undef X

  /* CRISP finds the contacts of a plan by itself where the homotopy takes a hundred times as long. */
  add_optimiser (&ss_nlp_crisp, LOOK_CRISP)->is_default = true;
  add_optimiser (&ss_nlp_ipopt, LOOK_IPOPT)->is_second = true;
  add_optimiser (&ss_nlp_scholtes, LOOK_SCHOLTES);
  add_optimiser (&ss_nlp_auto, LOOK_AUTO);

  add_law (&ss_impact_law_newton, LOOK_NEWTON_LAW);
  add_law (&ss_impact_law_anitescu_potra, LOOK_ANITESCU_POTRA_LAW);
  add_law (&ss_impact_law_sequential, LOOK_SEQUENTIAL_LAW);
  add_law (&ss_impact_law_set_valued, LOOK_SET_VALUED_LAW)->is_default = true;
}

/* ---- look-up ----------------------------------------------------------------------------------------------------- */

const SsMethodKindSpec *
ss_method_kind_spec (SsMethodKind kind)
{
  static const SsMethodKindSpec specs[] = {
#define X(id, name, words, title, verb) {name, words, title, verb},
      SS_METHOD_KIND_LIST (X)
#undef X
  };

  SS_ASSERT (kind >= 0 && kind < SS_METHOD_KIND_COUNT);
  return &specs[kind];
}

SsMethodKind
ss_method_kind_find (const char *name)
{
  int kind = 0;

  while (kind < SS_METHOD_KIND_COUNT && strcmp (ss_method_kind_spec ((SsMethodKind)kind)->name, name) != 0)
    kind++;
  return (SsMethodKind)kind;
}

SsMethodKind
ss_method_kind_of_verb (const char *verb)
{
  int kind = 0;

  SS_ASSERT (verb != NULL);
  while (kind < SS_METHOD_KIND_COUNT && strcmp (ss_method_kind_spec ((SsMethodKind)kind)->verb, verb) != 0)
    kind++;
  return (SsMethodKind)kind;
}

bool
ss_method_id_is_equal (SsMethodId a, SsMethodId b)
{
  SS_ASSERT (a.name != NULL && b.name != NULL);
  return a.kind == b.kind && strcmp (a.name, b.name) == 0;
}

int
ss_method_count (void)
{
  call_once (&registry_once, fill_registry);
  return registry.n_methods;
}

SsStatus
ss_method_add (const SsMethod *method, SsError *err)
{
  SS_ASSERT (method != NULL && method->name != NULL);
  if (ss_method_lookup (ss_method_id (method)) != NULL)
    return ss_error_set (err, SS_ERR_INVALID, "there is an %s '%s' already", ss_method_kind_spec (method->kind)->words,
                         method->name);
  if (ss_method_count () == SS_METHODS_MAX)
    return ss_error_set (err, SS_ERR_MEMORY, "there are %d methods already: no more are taken", SS_METHODS_MAX);
  SsMethod added = *method;
  added.look = LOOKS;
  for (int i = 0; i < ss_method_count (); i++)
    added.look = ss_method_at (i)->look >= added.look ? ss_method_at (i)->look + 1 : added.look;
  add (added);
  return SS_OK;
}

const SsMethod *
ss_method_at (int index)
{
  SS_ASSERT (index >= 0 && index < ss_method_count ());
  return &registry.methods[index];
}

SsMethodId
ss_method_id (const SsMethod *method)
{
  SS_ASSERT (method != NULL);
  return (SsMethodId){method->kind, method->name};
}

const SsMethod *
ss_method_lookup (SsMethodId id)
{
  SS_ASSERT (id.name != NULL);
  for (int i = 0; i < ss_method_count (); i++)
    if (ss_method_id_is_equal (ss_method_id (ss_method_at (i)), id))
      return ss_method_at (i);
  return NULL;
}

/* Whether one of the names was near enough to be suggested. */
static bool
refuse_unknown (SsError *err, const char *words, const char *name, const char *const *names, int n_names)
{
  const char *nearest = ss_nearest_name (name, names, n_names);

  ss_error_set (err, SS_ERR_INVALID,
                nearest != NULL ? "there is no %s named '%s'; did you mean '%s'?" : "there is no %s named '%s'", words,
                name, nearest);
  return nearest != NULL;
}

const SsMethod *
ss_method_find (SsMethodKind kind, const char *name, SsError *err)
{
  SS_ASSERT (name != NULL);

  const SsMethod *found = ss_method_lookup ((SsMethodId){kind, name});
  const char *words = ss_method_kind_spec (kind)->words, *names[SS_METHODS_MAX];
  int n_names = 0;

  if (found != NULL || err == NULL)
    return found;
  /* A known name of another kind deserves a better answer than "unknown". */
  for (int i = 0; i < ss_method_count (); i++) {
    const SsMethod *method = ss_method_at (i);
    if (strcmp (method->name, name) == 0) {
      ss_error_set (err, SS_ERR_INVALID, "'%s' is an %s, not an %s", name, ss_method_kind_spec (method->kind)->words,
                    words);
      return NULL;
    }
    if (method->kind == kind)
      names[n_names++] = method->name;
  }
  refuse_unknown (err, words, name, names, n_names);
  return NULL;
}

const SsMethod *
ss_method_of_integrator (const SsIntegratorClass *class_)
{
  SS_ASSERT (class_ != NULL);
  for (int i = 0; i < ss_method_count (); i++)
    if (ss_method_at (i)->integrator == class_)
      return ss_method_at (i);
  return NULL;
}

const SsMethod *
ss_method_find_either (SsMethodKind first, SsMethodKind second, const char *name, SsError *err)
{
  const SsMethod *method = ss_method_lookup ((SsMethodId){first, name});

  return method != NULL ? method : ss_method_find (second, name, err);
}

const SsMethod *
ss_method_default (SsMethodKind kind)
{
  for (int i = 0; i < ss_method_count (); i++)
    if (ss_method_at (i)->kind == kind && ss_method_at (i)->is_default)
      return ss_method_at (i);
  return NULL;
}

const SsMethod *
ss_method_named_by (SsMethodKind kind, const SsScenario *scenario)
{
  SS_ASSERT (scenario != NULL && scenario->n_parameters >= 0);
  for (int i = 0; i < scenario->n_method_names; i++) {
    const SsMethod *method = ss_method_lookup ((SsMethodId){kind, scenario->method_names[i]});

    if (method != NULL && method->is_built)
      return method;
  }
  return NULL;
}

const SsMethod *
ss_method_of_scenario (SsMethodKind kind, const SsScenario *scenario)
{
  const SsMethod *named = ss_method_named_by (kind, scenario);

  if (named != NULL)
    return named;
  return kind == SS_METHOD_OPTIMISER && scenario->task.plan != NULL
             ? ss_method_lookup ((SsMethodId){kind, ss_nlp_auto.name})
             : ss_method_default (kind);
}

/* ---- options ----------------------------------------------------------------------------------------------------- */

const SsOptionTable *
ss_method_option_table (const SsMethod *method, const SsScenario *scenario, const char *name)
{
  SS_ASSERT (method != NULL && scenario != NULL && name != NULL);

  const SsOptionTable *common = ss_transcription_option_table ();

  for (int i = 0; method->kind == SS_METHOD_OPTIMISER && scenario->model == NULL && i < common->n_specs; i++)
    if (strcmp (common->specs[i].name, name) == 0)
      return common;
  return method->options;
}

static bool
has_option (const SsMethod *method, const SsScenario *scenario, const char *name)
{
  return method->is_built && ss_options_knows (ss_method_option_table (method, scenario, name), name);
}

bool
ss_method_takes_default (const SsMethod *method, const SsScenario *scenario, const SsMethodDefault *line)
{
  bool others_have = false;

  SS_ASSERT (method != NULL && scenario != NULL && line != NULL);
  if (strcmp (method->name, line->method) != 0)
    return false;
  for (int i = 0; i < ss_method_count (); i++)
    others_have = others_have || (strcmp (ss_method_at (i)->name, line->method) == 0 &&
                                  has_option (ss_method_at (i), scenario, line->name));
  return has_option (method, scenario, line->name) || !others_have;
}

static SsStatus
set_default (const SsMethod *method, const SsScenario *scenario, const SsMethodDefault *line, SsError *err)
{
  const SsOptionTable *table = ss_method_option_table (method, scenario, line->name);
  void *options = ss_alloc (1, table->size + 1);
  SsStatus status;

  if (options == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  ss_options_init (table, options);
  status = ss_options_set (table, options, line->name, line->value, err);
  ss_free (options);
  return status;
}

static SsStatus
refuse_unknown_method (const char *name, SsError *err)
{
  const char *names[SS_METHODS_MAX];

  for (int i = 0; i < ss_method_count (); i++)
    names[i] = ss_method_at (i)->name;
  if (!refuse_unknown (err, "method", name, names, ss_method_count ()))
    snprintf (err->expected, sizeof err->expected, "a name of `methods`");
  return SS_ERR_INVALID;
}

/* Where kinds share the name, says which of them it is about. */
static SsStatus
name_kind (const SsMethod *method, bool is_shared, SsStatus status, SsError *err)
{
  char message[sizeof err->message];

  if (status == SS_OK || !is_shared)
    return status;
  snprintf (message, sizeof message, "%s", err->message);
  snprintf (err->message, sizeof err->message, "of the %s: %.*s", ss_method_kind_spec (method->kind)->words,
            (int)sizeof message - 64, message);
  return status;
}

static SsStatus
check_default (const SsScenario *scenario, const SsMethodDefault *line, SsError *err)
{
  const SsMethod *named = NULL, *built = NULL; /* some method of that name, and one that has options */
  SsStatus status = SS_OK;
  int n_named = 0, n_taken = 0;

  for (int i = 0; i < ss_method_count (); i++) {
    const SsMethod *method = ss_method_at (i);
    if (strcmp (method->name, line->method) != 0)
      continue;
    named = method;
    n_named++;
    if (method->is_built && built == NULL)
      built = method;
    n_taken += has_option (method, scenario, line->name);
  }
  if (named == NULL)
    return refuse_unknown_method (line->method, err);
  if (built == NULL)
    return SS_OK;
  if (n_taken == 0)
    return name_kind (built, n_named > 1, set_default (built, scenario, line, err), err);
  for (int i = 0; i < ss_method_count () && status == SS_OK; i++) {
    const SsMethod *method = ss_method_at (i);
    if (strcmp (method->name, line->method) == 0 && has_option (method, scenario, line->name))
      status = name_kind (method, n_named > 1, set_default (method, scenario, line, err), err);
  }
  return status;
}

double
ss_method_option (const SsMethod *method, const void *options, const char *name, double fallback)
{
  SS_ASSERT (method != NULL);
  return ss_options_value (method->options, options, name, fallback);
}

void
ss_method_init_options (const SsMethod *method, const SsScenario *scenario, void *options)
{
  SS_ASSERT (method != NULL && scenario != NULL);

  if (method->nlp != NULL)
    ss_nlp_init_options (method->nlp, scenario->model == NULL, options);
  else
    ss_options_init (method->options, options);
}

SsStatus
ss_method_set_option (const SsMethod *method, const SsScenario *scenario, void *options, void *transcription,
                      const char *name, const char *value, SsError *err)
{
  SS_ASSERT (options != NULL && transcription != NULL && value != NULL);
  const SsOptionTable *table = ss_method_option_table (method, scenario, name);

  return ss_options_set (table, table == method->options ? options : transcription, name, value, err);
}

SsStatus
ss_method_begin_options (const SsMethod *method, const SsScenario *scenario, void *options, void *transcription,
                         SsError *err)
{
  SsStatus status = SS_OK;

  ss_method_init_options (method, scenario, options);
  ss_options_init (ss_transcription_option_table (), transcription);
  for (int i = 0; i < scenario->n_method_defaults; i++) {
    const SsMethodDefault *line = &scenario->method_defaults[i];
    const SsStatus own =
        ss_method_takes_default (method, scenario, line)
            ? ss_method_set_option (method, scenario, options, transcription, line->name, line->value, err)
            : SS_OK;
    status = own != SS_OK ? own : status;
  }
  return status;
}

unsigned
ss_method_uses (const SsMethod *method, const SsTranscriptionClass *class_, const void *options)
{
  SS_ASSERT (method != NULL);

  if (method->integrator != NULL)
    return ss_integrator_uses (method->integrator, options);
  if (method->law != NULL)
    return ss_impact_law_uses (method->law, options);
  return (class_ != NULL ? class_ : ss_transcription_at (0))->uses;
}

void
ss_method_suit (const SsMethod *method, const SsTranscriptionClass *class_, void *options)
{
  SS_ASSERT (method != NULL && options != NULL);

  if (method->nlp != NULL)
    ss_transcription_suit (class_, method->nlp, options);
}

static bool
is_name_of_method (const char *name)
{
  for (int i = 0; i < ss_method_count (); i++)
    if (strcmp (ss_method_at (i)->name, name) == 0)
      return true;
  return false;
}

/* Options of a method are told by themselves. */
static bool
has_options (const SsScenario *scenario, const char *method)
{
  for (int i = 0; i < scenario->n_method_defaults; i++)
    if (strcmp (scenario->method_defaults[i].method, method) == 0)
      return true;
  return false;
}

SsStatus
ss_method_check_defaults (const SsScenario *scenario, SsProblems *problems)
{
  SS_ASSERT (scenario != NULL && problems != NULL);

  SsStatus status = SS_OK;

  for (int i = 0; i < scenario->n_method_names; i++)
    if (!is_name_of_method (scenario->method_names[i]) && !has_options (scenario, scenario->method_names[i])) {
      SsError error = {0};

      status = refuse_unknown_method (scenario->method_names[i], &error);
      snprintf (error.file, sizeof error.file, "%s", scenario->file);
      snprintf (error.path, sizeof error.path, "methods.%s", scenario->method_names[i]);
      ss_problems_add (problems, &error);
    }
  for (int i = 0; i < scenario->n_method_defaults; i++) {
    const SsMethodDefault *item = &scenario->method_defaults[i];
    SsError error = {0};

    if (check_default (scenario, item, &error) == SS_OK)
      continue;
    error.line = item->line;
    snprintf (error.file, sizeof error.file, "%s", scenario->file);
    snprintf (error.path, sizeof error.path, "methods.%s.%s", item->method, item->name);
    ss_problems_add (problems, &error);
    status = SS_ERR_INVALID;
  }
  return status;
}
