/* ui/parts/ssui-outcome-owners.c: see the header. */
#include "ui/parts/ssui-outcome-owners.h"

#include "app/document/ssapp-document-outcome.h"
#include "app/session/ssapp-compared.h"
#include "app/session/ssapp-outcome-ideas.h"
#include "app/session/ssapp-study-session.h"

#include <glib/gi18n.h>

/* ---- a study ----------------------------------------------------------------------------------------------------- */

static char *
dup_study_formula (GObject *owner, const char *name)
{
  const SsappStudy *study = ssapp_study_session_get_study (SSAPP_STUDY_SESSION (owner));

  return g_strdup (study != NULL ? ssapp_study_get_outcome (study, name) : NULL);
}

static GPtrArray *
list_study_ideas (GObject *owner)
{
  return ssapp_study_session_list_ideas (SSAPP_STUDY_SESSION (owner));
}

static char *
try_study_outcome (GObject *owner, const char *name, const char *text, GError **error)
{
  return ssapp_study_session_try_outcome (SSAPP_STUDY_SESSION (owner), name, text, error);
}

const SsuiOutcomeOwner ssui_outcome_owner_study = {.title = N_ ("Outcome of Every Run"),
                                                   .new_title = N_ ("What Every Run Is Asked"),
                                                   .dup_formula = dup_study_formula,
                                                   .list_ideas = list_study_ideas,
                                                   .try_outcome = try_study_outcome,
                                                   .set_action = "win.study-set-outcome",
                                                   .remove_action = "win.study-remove-outcome"};

/* ---- runs that are compared -------------------------------------------------------------------------------------- */

static char *
dup_compared_formula (GObject *owner, const char *name)
{
  return ssapp_compared_dup_formula (SSAPP_COMPARED (owner), name);
}

static GPtrArray *
list_compared_ideas (GObject *owner)
{
  return ssapp_compared_list_ideas (SSAPP_COMPARED (owner));
}

static char *
try_compared_outcome (GObject *owner, const char *name, const char *text, GError **error)
{
  return ssapp_compared_try (SSAPP_COMPARED (owner), name, text, error);
}

const SsuiOutcomeOwner ssui_outcome_owner_compared = {.title = N_ ("Outcome of the Chosen Runs"),
                                                      .new_title = N_ ("What the Chosen Runs Are Asked"),
                                                      .dup_formula = dup_compared_formula,
                                                      .list_ideas = list_compared_ideas,
                                                      .try_outcome = try_compared_outcome,
                                                      .set_action = "win.compare-set-outcome",
                                                      .remove_action = "win.compare-remove-outcome"};

/* ---- a sketch ---------------------------------------------------------------------------------------------------- */

static char *
dup_document_formula (GObject *owner, const char *name)
{
  const SsScenario *scenario = ssapp_document_get_scenario (SSAPP_DOCUMENT (owner));

  for (int i = 0; i < scenario->n_interests; i++)
    if (g_strcmp0 (scenario->interests[i].name, name) == 0)
      return g_strdup (scenario->interests[i].formula);
  return NULL;
}

static GPtrArray *
list_document_ideas (GObject *owner)
{
  return ssapp_outcome_ideas (ssapp_document_get_scenario (SSAPP_DOCUMENT (owner)));
}

static char *
try_document_outcome (GObject *owner, const char *name, const char *text, GError **error)
{
  return ssapp_document_try_outcome (SSAPP_DOCUMENT (owner), name != NULL ? name : "", text, error);
}

const SsuiOutcomeOwner ssui_outcome_owner_document = {.title = N_ ("Outcome of the Motion"),
                                                      .new_title = N_ ("What the Motion Is Asked"),
                                                      .dup_formula = dup_document_formula,
                                                      .list_ideas = list_document_ideas,
                                                      .try_outcome = try_document_outcome,
                                                      .set_action = "win.set-outcome",
                                                      .remove_action = "win.remove-outcome"};
