/* engine/run/ss-method.c: the registry of methods. Names of the contract that this build lacks are listed with the reason, so that a
 * misspelling and a missing part get different answers. */
#include "run/ss-run.h"

#include "core/ss-memory.h"
#include "nlp/ss-scholtes.h"

#include <stdio.h>
#include <string.h>
#include <threads.h>

enum { MAX_METHODS = 32 };

static const SsOptionTable no_options = {0};

typedef struct {
  int n_methods;
  SsMethod methods[MAX_METHODS];
} Registry;

/* Filled once, constant afterwards: option tables belong to the classes, whose fields are no constant expressions in C. */
static Registry registry;
static once_flag registry_once = ONCE_FLAG_INIT;

static void
add (SsMethod method)
{
  SS_ASSERT (registry.n_methods < MAX_METHODS);
  if (method.nlp != NULL) {
    method.label = method.nlp->label;
    method.summary = method.nlp->summary;
    method.options = method.nlp->options;
  } else if (method.integrator != NULL) {
    method.label = method.integrator->label;
    method.summary = method.integrator->summary;
    method.options = method.integrator->options;
  }
  method.is_built = method.nlp != NULL || method.integrator != NULL;
  if (method.options == NULL)
    method.options = &no_options;
  registry.methods[registry.n_methods++] = method;
}

static void
add_integrator (const SsIntegratorClass *class_)
{
  add ((SsMethod){.kind = SS_METHOD_INTEGRATOR, .name = class_->name, .integrator = class_});
}

static void
add_optimiser (const SsNlpClass *class_)
{
  add ((SsMethod){.kind = SS_METHOD_OPTIMISER, .name = class_->name, .nlp = class_});
}

static void
add_unbuilt (SsMethodKind kind, const char *name, const char *label, const char *summary, const char *why_not)
{
  add ((SsMethod){.kind = kind, .name = name, .label = label, .summary = summary, .why_not = why_not});
}

static void
add_missing (SsMethodKind kind, const char *name, const char *label, const char *summary)
{
  add_unbuilt (kind, name, label, summary, "not in this version");
}

/* In the order of the contract's list of names. */
static void
fill_registry (void)
{
  const SsMethodKind integrator = SS_METHOD_INTEGRATOR, law = SS_METHOD_IMPACT_LAW;

  add_integrator (&ss_integrator_explicit_euler);
  add_integrator (&ss_integrator_semi_implicit_euler);
  add_integrator (&ss_integrator_implicit_euler);
#if SS_HAVE_CVODE
  add_integrator (&ss_integrator_cvode);
#else
  add_unbuilt (integrator, "cvode", "CVODE (penalty)", "Penalty contacts, variable order and step (SUNDIALS)",
               "not in this build (it needs SUNDIALS 6: package libsundials-dev, meson option cvode)");
#endif
  add_integrator (&ss_integrator_moreau_jean);
  add_integrator (&ss_integrator_stewart_trinkle);
  add_integrator (&ss_integrator_anitescu_potra);
  add_integrator (&ss_integrator_convex_time_stepping);
  add_integrator (&ss_integrator_constraint_solver);
  add_missing (integrator, "event-driven", "Event-Driven", "Smooth arcs between impacts, with a chosen impact law");
  add_missing (integrator, "fesd-j", "FESD-J", "Finite elements with switch detection and state jumps (paper 000)");
  add_missing (integrator, "time-freezing", "Time Freezing", "Impacts as motion in frozen time (paper 001)");

  add_optimiser (&ss_nlp_crisp);
  add_optimiser (&ss_nlp_ipopt);
  add_optimiser (&ss_nlp_scholtes);

  add_missing (law, "newton", "Newton", "Restitution of normal velocities");
  add_missing (law, "anitescu-potra", "Anitescu-Potra", "Simultaneous inelastic impact with friction");
  add_missing (law, "sequential", "Sequential", "One contact after another");
  add_missing (law, "set-valued", "Set-Valued", "All post-impact velocities (paper 002)");
}

int
ss_method_count (void)
{
  call_once (&registry_once, fill_registry);
  return registry.n_methods;
}

const SsMethod *
ss_method_at (int index)
{
  SS_ASSERT (index >= 0 && index < ss_method_count ());
  return &registry.methods[index];
}

const SsMethod *
ss_method_find (SsMethodKind kind, const char *name, SsError *err)
{
  static const char *const kind_names[] = {"integrator", "optimiser", "impact law"};
  const char *names[MAX_METHODS];
  int n_names = 0;

  for (int i = 0; i < ss_method_count (); i++) {
    const SsMethod *method = ss_method_at (i);
    if (method->kind != kind)
      continue;
    if (strcmp (method->name, name) == 0)
      return method;
    names[n_names++] = method->name;
  }
  /* A known name of another kind deserves a better answer than "unknown". */
  for (int i = 0; i < ss_method_count (); i++) {
    const SsMethod *method = ss_method_at (i);
    if (strcmp (method->name, name) == 0) {
      ss_error_set (err, SS_ERR_INVALID, "'%s' is an %s, not an %s", name, kind_names[method->kind], kind_names[kind]);
      return NULL;
    }
  }
  ss_error_set (err, SS_ERR_INVALID, "there is no %s named '%s'", kind_names[kind], name);
  if (err != NULL) {
    const char *nearest = ss_nearest_name (name, names, n_names);
    if (nearest != NULL)
      snprintf (err->expected, sizeof err->expected, "%s?", nearest);
  }
  return NULL;
}

/* The method a section of the file means: two kinds may share a name, and then one that is built has the options. */
static const SsMethod *
find_any (const char *name)
{
  const SsMethod *found = NULL;

  for (int i = 0; i < ss_method_count (); i++) {
    const SsMethod *method = ss_method_at (i);
    if (strcmp (method->name, name) == 0 && (found == NULL || (!found->is_built && method->is_built)))
      found = method;
  }
  return found;
}

const SsOptionTable *
ss_method_option_table (const SsMethod *method, const SsScenario *scenario, const char *name)
{
  const SsOptionTable *common = &ss_transcribe_option_table;

  for (int i = 0; method->kind == SS_METHOD_OPTIMISER && scenario->model == NULL && i < common->n_specs; i++)
    if (strcmp (common->specs[i].name, name) == 0)
      return common;
  return method->options;
}

static SsStatus
check_default (const SsScenario *scenario, const SsMethodDefault *item, SsError *err)
{
  const SsMethod *method = find_any (item->method);
  const SsOptionTable *table;
  const char *names[MAX_METHODS];
  SsStatus status;
  void *options;

  if (method == NULL) {
    for (int i = 0; i < ss_method_count (); i++)
      names[i] = ss_method_at (i)->name;
    const char *nearest = ss_nearest_name (item->method, names, ss_method_count ());
    ss_error_set (err, SS_ERR_INVALID, "there is no method named '%s'", item->method);
    snprintf (err->expected, sizeof err->expected, "%s%s", nearest != NULL ? nearest : "a name of `methods`",
              nearest != NULL ? "?" : "");
    return SS_ERR_INVALID;
  }
  if (!method->is_built)
    return SS_OK;
  table = ss_method_option_table (method, scenario, item->name);
  options = ss_alloc (1, table->size + 1);
  if (options == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  ss_options_init (table, options);
  status = ss_options_set (table, options, item->name, item->value, err);
  ss_free (options);
  return status;
}

void
ss_method_init_options (const SsMethod *method, const SsScenario *scenario, void *options)
{
  ss_options_init (method->options, options);
  if (scenario->model == NULL && method->nlp != NULL && method->nlp->plan_preset != NULL) {
    SsStatus status = ss_options_set (method->options, options, "preset", method->nlp->plan_preset, NULL);
    SS_ASSERT (status == SS_OK);
    (void)status;
  }
}

SsStatus
ss_method_check_defaults (const SsScenario *scenario, SsProblems *problems)
{
  SsStatus status = SS_OK;

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
