/* engine/impact/ss-impact-law.c: what the laws share. */
#include "impact/ss-impact-law.h"

#include "scene/ss-uses.h"

#include <stdio.h>
#include <string.h>

const char *const ss_impact_restitution_names[] = {"none", "poisson", NULL};

void
ss_impact_result_clear (SsImpactResult *result)
{
  SS_ASSERT (result != NULL);
  for (int i = 0; i < result->n_outcomes; i++)
    ss_free (result->outcomes[i].v);
  ss_free (result->outcomes);
  ss_impact_set_free (result->set);
  ss_impact_bound_free (result->bound);
  ss_impact_set_free (result->corners);
  *result = (SsImpactResult){0};
}

SsImpactOutcome *
ss_impact_result_add (SsImpactResult *result, const SsImpact *impact, const double *v)
{
  SS_ASSERT (result != NULL && impact != NULL && v != NULL);

  SsImpactOutcome *outcomes = ss_realloc (result->outcomes, (size_t)result->n_outcomes + 1, sizeof *result->outcomes);
  double *copy = ss_new_array (double, impact->n);

  result->outcomes = outcomes != NULL ? outcomes : result->outcomes;
  if (outcomes == NULL || copy == NULL) {
    ss_free (copy);
    return NULL;
  }
  SsImpactOutcome *outcome = &outcomes[result->n_outcomes++];
  memcpy (copy, v, (size_t)impact->n * sizeof *copy);
  *outcome = (SsImpactOutcome){.v = copy, .share = 1, .is_finished = true};
  ss_impact_speeds (impact, v, outcome->u);
  outcome->energy = ss_impact_kinetic_energy (impact, v);
  return outcome;
}

void
ss_impact_result_note (SsImpactResult *result, const char *format, ...)
{
  SS_ASSERT (result != NULL && format != NULL);

  const size_t used = strlen (result->message), room = sizeof result->message - used;
  va_list args;

  if (room < 3)
    return;
  if (used > 0)
    memcpy (result->message + used, "; ", 3);
  va_start (args, format);
  vsnprintf (result->message + strlen (result->message), sizeof result->message - strlen (result->message), format,
             args);
  va_end (args);
}

unsigned
ss_impact_law_uses (const SsImpactLawClass *law, const void *options)
{
  SS_ASSERT (law != NULL);

  const bool is_asked = options != NULL && law->asks_restitution != NULL && law->asks_restitution (options);
  return law->uses_restitution || is_asked ? SS_USES_ALL : SS_USES_ALL & ~SS_USES_RESTITUTION;
}

/* [002 (71)]. */
SsStatus
ss_impact_resolve (const SsImpactLawClass *law, const SsImpact *impact, const void *options, SsRunControl *control,
                   SsImpactResult *result, SsError *err)
{
  SS_ASSERT (law != NULL && impact != NULL && result != NULL);

  void *made = NULL;
  SsStatus status = law->new_ (impact, options, &made, err);

  *result = (SsImpactResult){0};
  if (status == SS_OK)
    status = law->resolve (made, control, result, err);
  law->free (made);
  return status;
}
