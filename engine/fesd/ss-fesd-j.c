/* engine/fesd/ss-fesd-j.c: see the header. */
#include "fesd/ss-fesd-j.h"

static const SsOptionSpec specs[] = {
    SS_FESD_OPTIONS (SsFesdJOptions, fesd),
    SS_SIM_LIMITS_OPTIONS (SsFesdJOptions, limits, SS_SIM_ENERGY_GAIN),
};
static const SsOptionTable table = {
    .n_specs = sizeof specs / sizeof *specs, .specs = specs, .size = sizeof (SsFesdJOptions)};

static SsStatus
integrator_new (const SsScene *scene, const void *options, void **out, SsError *err)
{
  SsFesdJOptions given;
  ss_options_init (&table, &given);
  if (options != NULL)
    given = *(const SsFesdJOptions *)options;
  return ss_fesd_integrator_new (scene, &given.fesd, NULL, false, out, err);
}

static int
keeps_stages (const void *options)
{
  return ss_fesd_integrator_keeps_stages (options != NULL ? &((const SsFesdJOptions *)options)->fesd : NULL);
}

const SsIntegratorClass ss_integrator_fesd_j = {
    .name = "fesd-j",
    .label = "FESD-J",
    .summary =
        "Finite elements that end where contacts switch: events at exact times, full order of the scheme between "
        "them (paper 000); costs more a step than time stepping.",
    .solves = "Rigid contact (Signorini) with Coulomb friction, at exact times of all switches; impacts at one time at "
              "once, with Newton's restitution and Coulomb friction of impulses.",
    .options = &table,
    .new_ = integrator_new,
    .step = ss_fesd_integrator_step,
    .free_ = ss_fesd_integrator_free,
    .set_proposer = ss_fesd_integrator_set_proposer,
    .uses = SS_USES_RESTITUTION | SS_USES_JOINT_DRIVES | SS_USES_TIME,
    .contact_law = {.place = SS_LAW_STAGES},
    .gives_events = true,
    .gives_stages = true,
    .keeps_stages = keeps_stages,
    .sensitivity = &ss_fesd_integrator_sensitivity,
};
