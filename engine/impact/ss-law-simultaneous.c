/* engine/impact/ss-law-simultaneous.c: the laws of Newton and of Anitescu and Potra. */
#include "impact/ss-impact-law.h"

#include "impact/ss-impact-modes.h"

#include <math.h>
#include <string.h>

/* Rises of the energy below this fraction are round-off. */
static const double energy_rise = 1e-12;

typedef struct {
  const SsImpact *impact; /* borrowed */
  bool is_newton;
  SsAnitescuPotraOptions options;
  SsImpactStep *step;
  SsImpactModes *modes; /* all=on */
  double *v;
} Law;

static void
law_free (void *data)
{
  Law *law = data;

  if (law == NULL)
    return;
  ss_impact_step_free (law->step);
  ss_impact_modes_free (law->modes);
  ss_free (law->v);
  ss_free (law);
}

static SsStatus
law_new (const SsImpact *impact, bool is_newton, const SsAnitescuPotraOptions *options, void **out, SsError *err)
{
  Law *law = ss_new (Law);
  SsStatus status;

  *out = NULL;
  if (law == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for %d contacts", impact->m);
  law->impact = impact;
  law->is_newton = is_newton;
  law->options = *options;
  law->v = ss_new_array (double, impact->n);
  status = ss_impact_step_new (impact, SS_IMPACT_ROWS_SCALED, &law->step, err);
  if (status == SS_OK && options->all)
    status = ss_impact_modes_new (impact, &law->modes, err);
  if (status == SS_OK && law->v == NULL)
    status = ss_error_set (err, SS_ERR_MEMORY, "no memory for %d coordinates", impact->n);
  if (status != SS_OK) {
    law_free (law);
    return status;
  }
  *out = law;
  return SS_OK;
}

static SsStatus
new_newton (const SsImpact *impact, const void *options, void **out, SsError *err)
{
  (void)options;
  return law_new (impact, true, &(SsAnitescuPotraOptions){0}, out, err);
}

static SsStatus
new_anitescu_potra (const SsImpact *impact, const void *options, void **out, SsError *err)
{
  return law_new (impact, false, options, out, err);
}

/* ---- solving ----------------------------------------------------------------------------------------------------- */

static bool
is_elastic (const SsImpact *impact)
{
  for (int i = 0; i < impact->m; i++)
    if (impact->restitution[i] > 0)
      return true;
  return false;
}

static SsStatus
solve (Law *law, const SsImpactStepJob *job, double *v, SsImpactStepResult *solved, SsError *err)
{
  ss_impact_step_solve (law->step, job, v, solved);
  if (solved->is_solved && solved->part <= SS_IMPACT_DROPPED)
    return SS_OK;
  return ss_error_set (err, SS_ERR_SINGULAR,
                       "the complementarity problem of the impact law has no answer (residual "
                       "%g)",
                       solved->residual);
}

/* Poisson's second problem: e ln on each contact, and friction with it, on top of the first one's impulses. */
static SsStatus
restitute (Law *law, double *v, double *impulse, int *solves, SsError *err)
{
  const SsImpact *impact = law->impact;
  double given[2 * SS_IMPACT_CONTACTS_MAX] = {0};
  SsImpactStepResult second = {0};
  SsStatus status;

  for (int i = 0; i < impact->m; i++)
    given[i] = impact->restitution[i] * impulse[i];
  ss_impact_push (impact, given, v);
  status = solve (law, &(SsImpactStepJob){.given = given}, v, &second, err);
  for (int k = 0; k < 2 * impact->m; k++)
    impulse[k] += given[k] + second.impulse[k];
  ++*solves;
  return status;
}

static SsStatus
add (Law *law, SsImpactResult *result, const double *v, const double *impulse, int solves, double share, SsError *err)
{
  const SsImpact *impact = law->impact;
  const double before = ss_impact_kinetic_energy (impact, impact->v);
  SsImpactOutcome *outcome = ss_impact_result_add (result, impact, v);

  if (outcome == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for an outcome");
  memcpy (outcome->impulse, impulse, 2 * (size_t)impact->m * sizeof *impulse);
  outcome->solves = solves;
  outcome->share = share;
  if (outcome->energy > before * (1 + energy_rise))
    ss_impact_result_note (result, "the kinetic energy rises from %.6g J to %.6g J, as this law can with friction",
                           before, outcome->energy);
  return SS_OK;
}

/* [002 (31a)-(31d)]. */
static SsStatus
resolve_one (Law *law, SsImpactResult *result, SsError *err)
{
  const SsImpact *impact = law->impact;
  double u[2 * SS_IMPACT_CONTACTS_MAX], bias[SS_IMPACT_CONTACTS_MAX];
  SsImpactStepResult solved = {0};
  int solves = 1;

  memcpy (law->v, impact->v, (size_t)impact->n * sizeof *law->v);
  ss_impact_speeds (impact, impact->v, u);
  for (int i = 0; i < impact->m; i++)
    bias[i] = impact->restitution[i] * fmin (u[i], 0);
  SsStatus status = solve (law, &(SsImpactStepJob){.bias = law->is_newton ? bias : NULL}, law->v, &solved, err);
  if (status == SS_OK && !law->is_newton && is_elastic (impact))
    status = restitute (law, law->v, solved.impulse, &solves, err);
  if (status == SS_OK)
    status = add (law, result, law->v, solved.impulse, solves, 1, err);
  return status;
}

static int
by_energy (const SsImpact *impact, const SsImpactSolution *a, const SsImpactSolution *b)
{
  const double ea = ss_impact_kinetic_energy (impact, a->v), eb = ss_impact_kinetic_energy (impact, b->v);

  return (ea > eb) - (ea < eb);
}

static SsStatus
resolve_all (Law *law, SsImpactResult *result, SsError *err)
{
  const SsImpact *impact = law->impact;
  const SsImpactSolution *found;
  const int n = ss_impact_modes_solve (law->modes, impact->v, NULL, &found);
  int order[SS_IMPACT_SOLUTIONS_MAX];
  SsStatus status = SS_OK;

  if (n == 0)
    return resolve_one (law, result, err);
  for (int i = 0; i < n; i++) { /* by insertion, least energy first */
    int at = i;
    for (; at > 0 && by_energy (impact, &found[order[at - 1]], &found[i]) > 0; at--)
      order[at] = order[at - 1];
    order[at] = i;
  }
  for (int i = 0; status == SS_OK && i < n; i++) {
    double impulse[2 * SS_IMPACT_CONTACTS_MAX];
    int solves = 1;
    memcpy (law->v, found[order[i]].v, (size_t)impact->n * sizeof *law->v);
    memcpy (impulse, found[order[i]].impulse, sizeof impulse);
    if (is_elastic (impact))
      status = restitute (law, law->v, impulse, &solves, err);
    if (status == SS_OK)
      status = add (law, result, law->v, impulse, solves, 1.0 / n, err);
  }
  return status;
}

static SsStatus
resolve (void *data, SsRunControl *control, SsImpactResult *result, SsError *err)
{
  Law *law = data;

  (void)control;
  *result = (SsImpactResult){0};
  const SsStatus status = law->options.all ? resolve_all (law, result, err) : resolve_one (law, result, err);
  if (status != SS_OK)
    ss_impact_result_clear (result);
  return status;
}

/* ---- classes ----------------------------------------------------------------------------------------------------- */

static const SsOptionSpec specs[] = {
    {.name = "all",
     .type = SS_OPTION_BOOLEAN,
     .offset = offsetof (SsAnitescuPotraOptions, all),
     .minimum = 0,
     .maximum = 1,
     .symbol = "",
     .unit = "",
     .common = true,
     .summary =
         "Whether every solution of the impact law is found, by trying all 4^m contact modes (up to 6 contacts); "
         "else the one that Lemke's method finds."},
};
static const SsOptionTable options_table = {1, specs, sizeof (SsAnitescuPotraOptions), 0};
static const SsOptionTable no_options = {0, NULL, sizeof (SsAnitescuPotraOptions), 0};

const SsImpactLawClass ss_impact_law_newton = {
    .name = "newton",
    .label = "Newton",
    .summary = "Restitution of normal velocities",
    .solves = "All contacts at once: speeds of separation are e times those of approach (Newton) at contacts with an "
              "impulse, Coulomb friction of impulses.",
    .options = &no_options,
    .uses_restitution = true,
    .new_ = new_newton,
    .resolve = resolve,
    .free = law_free,
};

const SsImpactLawClass ss_impact_law_anitescu_potra = {
    .name = "anitescu-potra",
    .label = "Anitescu-Potra",
    .summary = "Simultaneous impact with friction, inelastic or with Poisson's restitution",
    .solves = "All contacts at once: a compression that stops all approach with Coulomb friction of impulses, then e "
              "times its normal impulses (Poisson).",
    .options = &options_table,
    .uses_restitution = true,
    .new_ = new_anitescu_potra,
    .resolve = resolve,
    .free = law_free,
};
