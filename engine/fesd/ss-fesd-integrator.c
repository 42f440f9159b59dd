/* engine/fesd/ss-fesd-integrator.c: see the header. */
#include "fesd/ss-fesd-integrator.h"

#include "core/ss-memory.h"
#include "fesd/ss-fesd-check.h"
#include "fesd/ss-fesd-clock.h"
#include "fesd/ss-fesd-sensitivity.h"

const char *const ss_fesd_schemes[] = {"radau-iia", "gauss-legendre", "lobatto-iiic", NULL};
const char *const ss_fesd_zenos[] = {"extrapolate", "equations", NULL};
const char *const ss_fesd_alternatives[] = {"off", "on", "first", NULL};

typedef struct {
  SsFesdSystem *system;
  SsFesdImpacts *impacts; /* NULL: the law of the paper */
  SsFesdMarch *march;
  SsFesdCheck *check;
  SsFesdSensitivity *sensitivity; /* NULL: no derivatives are followed */
  SsFesdAlternatives alternatives;
  bool has_clock;
  SsFesdClock clock;
} Integrator;

void
ss_fesd_integrator_free (void *integrator)
{
  Integrator *self = integrator;
  if (self == NULL)
    return;
  ss_fesd_clock_clear (&self->clock);
  ss_fesd_sensitivity_free (self->sensitivity);
  ss_fesd_check_free (self->check);
  ss_fesd_march_free (self->march);
  ss_fesd_impacts_free (self->impacts);
  ss_fesd_system_free (self->system);
  ss_free (self);
}

void
ss_fesd_integrator_set_proposer (void *integrator, const SsProposer *proposer)
{
  const Integrator *self = integrator;
  if (self->alternatives != SS_FESD_ALTERNATIVES_OFF)
    ss_fesd_march_set_proposer (self->march, proposer, self->alternatives == SS_FESD_ALTERNATIVES_FIRST);
}

static double
force_now (void *owner)
{
  Integrator *self = owner;
  return ss_fesd_march_force (self->march);
}

SsStatus
ss_fesd_integrator_new (const SsScene *scene, const SsFesdIntegratorOptions *options,
                        const SsFesdImpactOptions *impacts, bool has_clock, void **out, SsError *err)
{
  SS_ASSERT (scene != NULL && options != NULL && out != NULL);

  *out = NULL;
  SsStatus status = ss_scene_check_inertia (scene, err);
  if (status != SS_OK)
    return status;
  Integrator *self = ss_new (Integrator);
  if (self == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for an integrator by finite elements");
  SsTableau tableau;
  self->has_clock = has_clock;
  self->alternatives = (SsFesdAlternatives)options->alternatives;
  ss_fesd_clock_init (&self->clock, scene->n_contacts, force_now, self);
  SsFesdMarchOptions march = {.family = (SsTableauFamily)options->scheme,
                              .n_stages = options->stages,
                              .n_elements = options->elements,
                              .zeno = (SsFesdZeno)options->zeno,
                              .tolerance = options->tolerance,
                              .keeps_stages = options->stage_rows,
                              .max_events = options->max_events};
  status = ss_tableau_make (march.family, march.n_stages, &tableau, err);
  if (status == SS_OK)
    status = ss_fesd_system_new (scene, &self->system, err);
  if (status == SS_OK && impacts != NULL)
    status = ss_fesd_impacts_new (self->system, impacts, &self->impacts, err);
  if (self->impacts != NULL)
    march.impacts = ss_fesd_impacts_law (self->impacts);
  if (status == SS_OK)
    status = ss_fesd_march_new (self->system, &march, &self->march, err);
  if (status == SS_OK && self->impacts != NULL)
    ss_fesd_impacts_set_march (self->impacts, self->march);
  if (status == SS_OK)
    status = ss_fesd_check_new (self->system, &tableau, &self->check, err);
  if (status == SS_OK && impacts != NULL && impacts->law != SS_FESD_IMPACTS_NEWTON)
    ss_fesd_check_set_other_law (self->check, ss_fesd_impacts_approach (impacts));
  if (status == SS_OK)
    *out = self;
  else
    ss_fesd_integrator_free (self);
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

/* The step, and what the march says of it. */
static SsStatus
march (Integrator *self, const SsStep *step, const SsFesdJudge *judge, SsSimState *state, SsStepInfo *info,
       SsError *err)
{
  const double t_end = state->t + step->dt;
  SsStatus status = ss_fesd_march_step (self->march, step, judge, state, &info->residual, &info->way, err);
  if (status == SS_OK && self->sensitivity != NULL)
    status = ss_fesd_sensitivity_step (self->sensitivity, step, t_end, err);
  if (status == SS_OK)
    info->has_error = ss_fesd_march_error (self->march, &info->error, &info->due_order, &info->order);
  return status;
}

SsStatus
ss_fesd_integrator_step (void *integrator, const SsStep *step, SsSimState *state, SsStepInfo *info, SsError *err)
{
  SS_ASSERT (integrator != NULL && step != NULL && state != NULL && info != NULL);

  Integrator *self = integrator;
  const SsFesdJudge judge = {.owner = self->check, .element = judge_element, .jump = judge_jump};
  ss_fesd_check_set_controls (self->check, step->controls);
  if (self->impacts != NULL)
    ss_fesd_impacts_forks (self->impacts)->n = 0;
  if (!self->has_clock)
    return march (self, step, &judge, state, info, err);
  SsStep heard = *step;
  ss_fesd_clock_begin (&self->clock, step, state);
  heard.sink = &self->clock.sink;
  SsStatus status = march (self, &heard, &judge, state, info, err);
  return status == SS_OK ? ss_fesd_clock_end (&self->clock, state->t + step->dt, state, err) : status;
}

int
ss_fesd_integrator_keeps_stages (const SsFesdIntegratorOptions *options)
{
  return options != NULL && options->stage_rows ? options->stages : 0;
}

SsStatus
ss_fesd_integrator_keep (void *integrator, void **memory, SsError *err)
{
  const Integrator *self = integrator;
  return ss_fesd_march_keep (self->march, memory, err);
}

void
ss_fesd_integrator_put_back (void *integrator, void *memory)
{
  const Integrator *self = integrator;
  ss_fesd_march_put_back (self->march, memory);
}

void
ss_fesd_integrator_choose (void *integrator, const SsForkChoice *choices, int n, int room)
{
  const Integrator *self = integrator;
  SS_ASSERT (self->impacts != NULL);
  ss_fesd_forks_begin (ss_fesd_impacts_forks (self->impacts), choices, n, room);
}

const SsFork *
ss_fesd_integrator_forks (void *integrator, int *n)
{
  SS_ASSERT (n != NULL);

  const Integrator *self = integrator;
  SsFesdForks *forks = ss_fesd_impacts_forks (self->impacts);
  ss_fesd_forks_end (forks, ss_fesd_march_n_jumps (self->march));
  *n = forks->n;
  return forks->items;
}

static SsStatus
follow (void *integrator, const SsSensitivityInput *inputs, int n, SsError *err)
{
  Integrator *self = integrator;
  SS_ASSERT (self->sensitivity == NULL);
  const SsFesdBesideLaw law = {.impacts = self->impacts != NULL ? ss_fesd_impacts_options (self->impacts) : NULL};
  return ss_fesd_sensitivity_new (self->march, &law, inputs, n, &self->sensitivity, err);
}

static const SsSensitivityState *
slopes (const void *integrator)
{
  const Integrator *self = integrator;
  return ss_fesd_sensitivity_state (self->sensitivity);
}

const SsSensitivityClass ss_fesd_integrator_sensitivity = {.follow = follow, .state = slopes};
