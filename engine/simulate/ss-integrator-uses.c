/* engine/simulate/ss-integrator-uses.c: what an integrator takes of a scene; see ss-simulate.h. */
#include "scene/ss-uses.h"
#include "simulate/ss-simulate.h"

unsigned
ss_integrator_uses (const SsIntegratorClass *integrator, const void *options)
{
  return integrator->uses_with != NULL ? integrator->uses_with (options) : integrator->uses;
}

SsStatus
ss_integrator_check_scene (const SsIntegratorClass *integrator, const void *options, const SsScene *scene, SsError *err)
{
  SS_ASSERT (integrator != NULL && scene != NULL);
  unsigned uses = ss_integrator_uses (integrator, options);
  if (integrator->acts_at_both_ends != NULL && integrator->acts_at_both_ends (scene, options))
    uses &= ~(unsigned)SS_USES_COHESION; /* halves of a step would each ask anew which points touch */
  return ss_uses_check (scene, uses, integrator->name, err);
}
