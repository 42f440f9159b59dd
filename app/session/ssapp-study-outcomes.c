/* app/session/ssapp-study-outcomes.c: what the study on show asks of its runs; see ssapp-study-session.h. */
#include "app/session/ssapp-study-private.h"

#include "app/session/ssapp-asked-runs.h"

#include <glib/gi18n.h>
#include <string.h>

void
ssapp_study_session_show_outcome (SsappStudySession *self, const char *name)
{
  g_return_if_fail (SSAPP_IS_STUDY_SESSION (self));
  ssapp_study_look_want (self, name);
}

/* In the place of the one of that name. */
static void
replace (SsappStudy *study, const char *name, const char *text)
{
  if (name != NULL && *name != '\0' && (strncmp (text, name, strlen (name)) != 0 || text[strlen (name)] != '='))
    ssapp_study_remove_outcome (study, name);
  ssapp_study_set_outcome (study, text);
}

/* Runs that are there answer what is asked now. */
static gboolean
ask_runs (SsappStudySession *self, const SsappStudy *study, GError **error)
{
  guint n_mute;

  return ssapp_interests_ask_study (self->store, self->id, study->outcomes, &n_mute, error);
}

gboolean
ssapp_study_session_set_outcome (SsappStudySession *self, const char *name, const char *text, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_STUDY_SESSION (self), FALSE);
  g_autofree char *own = g_strndup (text, strcspn (text, "="));
  g_autofree char *checked = ssapp_study_session_try_outcome (self, name, text, error);
  SsappStudy *study = checked != NULL ? ssapp_study_begin_edit (self, error) : NULL;

  if (study == NULL)
    return FALSE;
  replace (study, name, text);
  if (!ask_runs (self, study, error)) {
    ssapp_study_free (study);
    return FALSE;
  }
  ssapp_study_session_drop_set (self);
  g_hash_table_remove_all (self->rows); /* as they were before they were asked */
  if (!ssapp_study_end_edit (self, study, *name == '\0' ? _ ("Add Outcome") : _ ("Change Outcome"), error))
    return FALSE;
  ssapp_study_look_want (self, g_strstrip (own));
  return TRUE;
}

gboolean
ssapp_study_session_remove_outcome (SsappStudySession *self, const char *name, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_STUDY_SESSION (self), FALSE);
  SsappStudy *study = ssapp_study_begin_edit (self, error);

  if (study == NULL)
    return FALSE;
  if (!ssapp_study_remove_outcome (study, name)) {
    ssapp_study_free (study);
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, _ ("The study has no outcome “%s”"), name);
    return FALSE;
  }
  return ssapp_study_end_edit (self, study, _ ("Remove Outcome"), error);
}

/* The unit of what is asked in the study's scenario; NULL with an error. */
static char *
unit_of (const SsappStudy *study, const char *text, GError **error)
{
  g_autoptr (SsappInterests) interests = ssapp_interests_new (&text, 1, error);
  SsScenario *scenario = interests != NULL ? ssapp_study_read_scenario (study, error) : NULL;
  char *unit = scenario != NULL ? ssapp_interests_dup_unit (interests, 0, scenario, error) : NULL;

  ss_scenario_free (scenario);
  return unit;
}

char *
ssapp_study_session_try_outcome (SsappStudySession *self, const char *name, const char *text, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_STUDY_SESSION (self), NULL);
  if (self->study == NULL)
    return ssapp_study_fail_with (error, _ ("There is no study yet")), NULL;
  if (*text == '=')
    return ssapp_study_fail_with (error, SSAPP_OUTCOME_WANTED), NULL;
  g_autoptr (SsappStudy) study = ssapp_study_copy (self->study);
  g_autofree char *unit = unit_of (study, text, error), *own = g_strndup (text, strcspn (text, "="));
  if (unit == NULL)
    return NULL;
  replace (study, name, text);
  if (study->methods->len > 0 && !ssapp_study_check (study, error))
    return NULL;
  const guint n = ssapp_study_count (study);
  return ssapp_outcome_words (own, unit, n, n);
}

char *
ssapp_study_session_dup_outcome_unit (SsappStudySession *self, guint index)
{
  g_return_val_if_fail (SSAPP_IS_STUDY_SESSION (self), NULL);
  char *unit = self->study != NULL && index < self->study->outcomes->len
                   ? unit_of (self->study, g_ptr_array_index (self->study->outcomes, index), NULL)
                   : NULL;

  return unit != NULL ? unit : g_strdup ("");
}

GPtrArray *
ssapp_study_session_list_ideas (SsappStudySession *self)
{
  g_return_val_if_fail (SSAPP_IS_STUDY_SESSION (self), NULL);
  SsScenario *scenario = self->study != NULL ? ssapp_study_read_scenario (self->study, NULL) : NULL;
  GPtrArray *ideas = ssapp_outcome_ideas (scenario);

  ss_scenario_free (scenario);
  return ideas;
}
