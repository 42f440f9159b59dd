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
  return ss_uses_check (scene, ss_integrator_uses (integrator, options), integrator->name, err);
}
