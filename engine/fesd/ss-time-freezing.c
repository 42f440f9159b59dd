/* engine/fesd/ss-time-freezing.c: see the header. */
#include "fesd/ss-time-freezing.h"

#include "core/ss-memory.h"
#include "fesd/ss-fesd-check.h"
#include "fesd/ss-fesd-integrator.h"
#include "fesd/ss-fesd-sensitivity.h"
#include "fesd/ss-freeze.h"
#include "simulate/ss-sim-limits.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct {
  SsFesdIntegratorOptions fesd; /* its scheme is not an option here */
  double a_n, stiffness, tau_end;
  SsSimLimits limits;
} Options;

static const SsOptionSpec specs[] = {
    SS_FESD_ELEMENT_OPTIONS (Options, fesd),
    {.name = "a-n",
     .type = SS_OPTION_REAL,
     .offset = offsetof (Options, a_n),
     .minimum = 0,
     .maximum = 1e12,
     .fallback = 0,
     .symbol = "a_n",
     .unit = "N",
     .common = true,
     .summary =
         "Normal force of the auxiliary dynamics. Larger values make frozen spans shorter, and let physical time in "
         "contact run nearer to numerical time; 0: chosen so that the first impact lasts about one element."},
    {.name = "k",
     .type = SS_OPTION_REAL,
     .offset = offsetof (Options, stiffness),
     .minimum = 1e-6,
     .maximum = 1e9,
     .fallback = 10,
     .symbol = "k",
     .unit = "1/s2",
     .common = false,
     .summary = "Stiffness of the auxiliary dynamics at elastic contacts (restitution between 0 and 1). Larger "
                "values make the frozen spans of these contacts shorter."},
    {.name = "tau-end",
     .type = SS_OPTION_REAL,
     .offset = offsetof (Options, tau_end),
     .minimum = 0,
     .maximum = 1e9,
     .fallback = 0,
     .symbol = "",
     .unit = "s",
     .common = true,
     .summary = "Numerical time at which the run ends, unless physical time has reached the end of the run before; "
                "0: no such end."},
    SS_FESD_STAGE_ROWS_OPTION (Options, fesd),
    SS_SIM_LIMITS_OPTIONS (Options, limits, SS_SIM_ENERGY_GAIN),
};
static const SsOptionTable table = {.n_specs = sizeof specs / sizeof *specs, .specs = specs, .size = sizeof (Options)};

typedef struct {
  SsFesdSystem *system;
  SsFreeze *freeze;
  SsFesdMarch *march;
  SsFesdCheck *check;
  SsFesdSensitivity *sensitivity; /* NULL: no derivatives are followed */
} Integrator;

static void
integrator_free (void *integrator)
{
  Integrator *self = integrator;
  if (self == NULL)
    return;
  ss_fesd_sensitivity_free (self->sensitivity);
  ss_fesd_check_free (self->check);
  ss_fesd_march_free (self->march);
  ss_freeze_free (self->freeze);
  ss_fesd_system_free (self->system);
  ss_free (self);
}

static SsStatus
make (Integrator *self, const SsScene *scene, const Options *given, SsError *err)
{
  SsTableau tableau;
  SsFesdMarchOptions march = {.family = SS_TABLEAU_RADAU_IIA,
                              .n_stages = given->fesd.stages,
                              .n_elements = given->fesd.elements,
                              .keeps_stages = given->fesd.stage_rows,
                              .max_events = given->fesd.max_events};
  const SsFreezeOptions freeze = {.n_elements = given->fesd.elements, .a_n = given->a_n, .stiffness = given->stiffness};
  SsStatus status = ss_tableau_make (march.family, march.n_stages, &tableau, err);
  if (status == SS_OK)
    status = ss_fesd_system_new (scene, &self->system, err);
  if (status == SS_OK)
    status = ss_freeze_new (self->system, &tableau, &freeze, &self->freeze, err);
  if (status != SS_OK)
    return status;
  march.freeze = ss_freeze_hooks (self->freeze);
  march.freeze.tau_end = given->tau_end > 0 ? given->tau_end : INFINITY;
  march.impacts = ss_freeze_impacts (self->freeze);
  status = ss_fesd_march_new (self->system, &march, &self->march, err);
  if (status == SS_OK)
    status = ss_fesd_check_new (self->system, &tableau, &self->check, err);
  if (status != SS_OK)
    return status;
  ss_freeze_set_march (self->freeze, self->march);
  /* Slip may end within a jump, and begin again: not Newton's law at its end. */
  if (!ss_freeze_is_elastic (self->freeze))
    ss_fesd_check_set_other_law (self->check, 0);
  return SS_OK;
}

static SsStatus
integrator_new (const SsScene *scene, const void *options, void **out, SsError *err)
{
  Options given;
  SS_ASSERT (scene != NULL && out != NULL);
  *out = NULL;
  ss_options_init (&table, &given);
  if (options != NULL)
    given = *(const Options *)options;
  SsStatus status = ss_scene_check_inertia (scene, err);
  if (status != SS_OK)
    return status;
  Integrator *self = ss_new (Integrator);
  if (self == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for an integrator by finite elements");
  status = make (self, scene, &given, err);
  if (status == SS_OK)
    *out = self;
  else
    integrator_free (self);
  return status;
}

static double
judge_element (void *owner, const SsFesdSolved *solved)
{
  Integrator *self = owner;
  return fmax (ss_fesd_check_element (self->check, solved), ss_freeze_check_element (self->freeze, solved));
}

static double
judge_jump (void *owner, const SsFesdJump *jump)
{
  Integrator *self = owner;
  return fmax (ss_fesd_check_jump (self->check, jump), ss_freeze_check_jumps (self->freeze));
}

static SsStatus
integrator_step (void *integrator, const SsStep *step, SsSimState *state, SsStepInfo *info, SsError *err)
{
  SS_ASSERT (integrator != NULL && step != NULL && state != NULL && info != NULL);

  Integrator *self = integrator;
  const SsFesdJudge judge = {.owner = self, .element = judge_element, .jump = judge_jump};
  const double t_end = state->t + step->dt;
  SsError why = {0};
  ss_fesd_check_set_controls (self->check, step->controls);
  SsStatus status = ss_freeze_begin (self->freeze, step, state, err);
  if (status != SS_OK)
    return status;
  status = ss_fesd_march_step (self->march, step, &judge, state, &info->residual, &info->way, &why);
  info->residual = fmax (info->residual, ss_freeze_missed (self->freeze));
  info->is_over = ss_fesd_march_is_over (self->march, &info->t_over);
  if (status == SS_OK && self->sensitivity != NULL)
    status = ss_fesd_sensitivity_step (self->sensitivity, step, info->is_over ? info->t_over : t_end, &why);
  if (status == SS_OK || status == SS_ERR_MEMORY || ss_freeze_reason (self->freeze)[0] == '\0') {
    if (status != SS_OK && err != NULL)
      *err = why;
    return status;
  }
  return ss_error_set (err, status, "%s, at t = %.9g s", ss_freeze_reason (self->freeze), state->t);
}

static SsQuantity
second_clock (const void *options)
{
  (void)options;
  return SS_QUANTITY_NUMERICAL_TIME;
}

/* Multipliers where the run begins; forces are those of its first row, which has none. */
static void
start (void *integrator, SsSimState *state)
{
  Integrator *self = integrator;
  ss_fesd_march_begin (self->march, state);
  ss_freeze_fill (self->freeze, self->march, state->more);
}

static void
say (const void *integrator, SsRunControl *control)
{
  const Integrator *self = integrator;
  ss_freeze_say (self->freeze, control);
}

static SsStatus
follow (void *integrator, const SsSensitivityInput *inputs, int n, SsError *err)
{
  Integrator *self = integrator;
  const SsFesdBesideLaw law = {.freeze = self->freeze};
  return ss_fesd_sensitivity_new (self->march, &law, inputs, n, &self->sensitivity, err);
}

static const SsSensitivityState *
slopes (const void *integrator)
{
  const Integrator *self = integrator;
  return ss_fesd_sensitivity_state (self->sensitivity);
}

static int
keeps_stages (const void *options)
{
  return ss_fesd_integrator_keeps_stages (options != NULL ? &((const Options *)options)->fesd : NULL);
}

static const SsSensitivityClass sensitivity = {.follow = follow, .state = slopes};

const SsIntegratorClass ss_integrator_time_freezing = {
    .name = "time-freezing",
    .label = "Time-freezing",
    .summary =
        "Impacts become motion in a numerical time while the physical one stands still; finite elements that end "
        "where contacts switch (paper 001); normals of contacts closed together must be orthogonal.",
    .solves = "Rigid contact with Coulomb friction and Newton's restitution as the limit of a smooth system in a "
              "numerical time, during whose impacts the physical time stands still.",
    .options = &table,
    .new_ = integrator_new,
    .step = integrator_step,
    .free_ = integrator_free,
    .uses = SS_USES_RESTITUTION,
    .contact_law = {.place = SS_LAW_STAGES, .jump = SS_LAW_JUMP_IN_PARTS}, /* slips turn within an impact */
    .gives_events = true,
    .gives_stages = true,
    .keeps_stages = keeps_stages,
    .second_clock = second_clock,
    .n_more = ss_freeze_n_more,
    .more = ss_freeze_channel,
    .start = start,
    .say = say,
    .sensitivity = &sensitivity,
};
