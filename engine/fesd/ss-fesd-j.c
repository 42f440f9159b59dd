/* engine/fesd/ss-fesd-j.c: see the header. */
#include "fesd/ss-fesd-j.h"

#include "core/ss-memory.h"
#include "fesd/ss-fesd-check.h"
#include "simulate/ss-sim-limits.h"

typedef struct {
  int scheme, stages, elements, max_events;
  SsSimLimits limits;
} Options;

/* In the order of SsTableauFamily. */
static const char *const schemes[] = {"radau-iia", "gauss-legendre", "lobatto-iiic", NULL};

#define FIELD(name) .offset = offsetof (Options, name)

static const SsOptionSpec specs[] = {
    {.name = "scheme",
     .type = SS_OPTION_CHOICE,
     FIELD (scheme),
     .fallback = SS_TABLEAU_RADAU_IIA,
     .choices = schemes,
     .symbol = "",
     .unit = "",
     .common = true,
     .summary = "Runge-Kutta scheme of an element; Gauss-Legendre gains an order and does not damp stiff springs."},
    {.name = "stages",
     .type = SS_OPTION_INTEGER,
     FIELD (stages),
     .minimum = 1,
     .maximum = SS_TABLEAU_STAGES_MAX,
     .fallback = 3,
     .symbol = "s",
     .unit = "",
     .common = true,
     .summary = "Stages of the scheme, 1 to 9, for Lobatto IIIC 2 to 5; more are more accurate and cost their cube."},
    {.name = "elements",
     .type = SS_OPTION_INTEGER,
     FIELD (elements),
     .minimum = 1,
     .maximum = 50,
     .fallback = 2,
     .symbol = "N_FE",
     .unit = "",
     .common = true,
     .summary = "Finite elements of a step; a step with more events is halved, more elements cost more."},
    {.name = "max-events",
     .type = SS_OPTION_INTEGER,
     FIELD (max_events),
     .minimum = 1,
     .maximum = 2e9,
     .fallback = 100000,
     .symbol = "",
     .unit = "",
     .common = false,
     .summary = "Most events within a second of motion; the run fails beyond it."},
    SS_SIM_LIMITS_OPTIONS (Options, limits, SS_SIM_ENERGY_GAIN),
};
static const SsOptionTable table = {.n_specs = sizeof specs / sizeof *specs, .specs = specs, .size = sizeof (Options)};

typedef struct {
  SsFesdSystem *system;
  SsFesdMarch *march;
  SsFesdCheck *check;
} Integrator;

static void
integrator_free (void *integrator)
{
  Integrator *self = integrator;
  if (self == NULL)
    return;
  ss_fesd_check_free (self->check);
  ss_fesd_march_free (self->march);
  ss_fesd_system_free (self->system);
  ss_free (self);
}

static SsStatus
integrator_new (const SsScene *scene, const void *options, void **out, SsError *err)
{
  Options given;
  *out = NULL;
  ss_options_init (&table, &given);
  if (options != NULL)
    given = *(const Options *)options;
  SsStatus status = ss_scene_check_inertia (scene, err);
  if (status != SS_OK)
    return status;
  Integrator *self = ss_new (Integrator);
  if (self == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for the integrator fesd-j");
  SsTableau tableau;
  const SsFesdMarchOptions march = {.family = (SsTableauFamily)given.scheme,
                                    .n_stages = given.stages,
                                    .n_elements = given.elements,
                                    .max_events = given.max_events};
  status = ss_tableau_make (march.family, march.n_stages, &tableau, err);
  if (status == SS_OK)
    status = ss_fesd_system_new (scene, &self->system, err);
  if (status == SS_OK)
    status = ss_fesd_march_new (self->system, &march, &self->march, err);
  if (status == SS_OK)
    status = ss_fesd_check_new (self->system, &tableau, &self->check, err);
  if (status == SS_OK)
    *out = self;
  else
    integrator_free (self);
  return status;
}

static double
judge_element (void *owner, const SsFesdSolved *solved)
{
  return ss_fesd_check_element (owner, solved);
}

static double
judge_jump (void *owner, const SsFesdJump *jump)
{
  return ss_fesd_check_jump (owner, jump);
}

static SsStatus
integrator_step (void *integrator, const SsStep *step, SsSimState *state, SsStepInfo *info, SsError *err)
{
  Integrator *self = integrator;
  const SsFesdJudge judge = {.owner = self->check, .element = judge_element, .jump = judge_jump};
  ss_fesd_check_set_controls (self->check, step->controls);
  return ss_fesd_march_step (self->march, step, &judge, state, &info->residual, &info->way, err);
}

const SsIntegratorClass ss_integrator_fesd_j = {
    .name = "fesd-j",
    .label = "FESD-J",
    .summary =
        "Finite elements that end where contacts switch: events at exact times, full order of the scheme between "
        "them (paper 000); costs more a step than time stepping.",
    .options = &table,
    .new_ = integrator_new,
    .step = integrator_step,
    .free_ = integrator_free,
    .uses_restitution = true,
    .gives_events = true,
    .gives_stages = true,
};
