/* engine/fesd/ss-event-driven.c: see the header. */
#include "fesd/ss-event-driven.h"

#include "fesd/ss-fesd-integrator.h"
#include "simulate/ss-sim-limits.h"

typedef struct {
  SsFesdIntegratorOptions fesd;
  SsFesdImpactOptions impacts;
  bool clock;
  SsSimLimits limits;
} Options;

/* In the order of SsFesdImpactsKind, SsImpactPolicy, SsImpactDrawKind. */
static const char *const laws[] = {"newton", "anitescu-potra", "sequential", "set-valued", NULL};
static const char *const policies[] = {"lemke", "random-covering", "enumerate", NULL};
static const char *const draws[] = {"uniform", "simplex", "sobol", NULL};
static const char *const rows[] = {"scaled", "plain", NULL}; /* SsImpactRows */

#define FIELD(name) .offset = offsetof (Options, impacts.name)

static const SsOptionSpec specs[] = {
    {.name = "law",
     .type = SS_OPTION_CHOICE,
     FIELD (law),
     .symbol = "",
     .fallback = SS_FESD_IMPACTS_NEWTON,
     .choices = laws,
     .unit = "",
     .common = true,
     .summary =
         "Impact law. newton: restitution of velocities by the contacts' coefficients; anitescu-potra: restitution "
         "of impulses (Poisson) by them; sequential, set-valued: inelastic, without restitution."},
    {.name = "law.order",
     .type = SS_OPTION_TEXT,
     FIELD (order),
     .symbol = "",
     .unit = "",
     .common = true,
     .summary =
         "Sequential: names of contacts, parted by commas, in the order in which they are resolved; contacts that "
         "are not named follow in the order of the scene."},
    {.name = "law.tolerance",
     .type = SS_OPTION_REAL,
     FIELD (tolerance),
     .symbol = "",
     .minimum = 1e-12,
     .maximum = 1e-7,
     .fallback = 1e-8,
     .unit = "m/s",
     .common = false,
     .summary = "Sequential: largest speed of approach of a contact that is passed over; smaller values take more "
                "solves."},
    {.name = "law.max-solves",
     .type = SS_OPTION_INTEGER,
     FIELD (max_solves),
     .symbol = "",
     .minimum = 1,
     .maximum = 1000000,
     .fallback = 100000,
     .unit = "",
     .common = false,
     .summary = "Sequential: most solves of one impact; a run with an impact that needs more fails."},
    {.name = "law.seed",
     .type = SS_OPTION_INTEGER,
     FIELD (seed),
     .symbol = "",
     .minimum = 0,
     .maximum = 2147483647,
     .fallback = 1,
     .unit = "",
     .common = true,
     .summary =
         "Set-valued: seed of the outcomes. The first impact is the first sample that the verb impact draws with "
         "this seed, the next impact the second sample."},
    {.name = "law.step",
     .type = SS_OPTION_REAL,
     .offset = offsetof (Options, impacts.step),
     .symbol = "h",
     .minimum = 0,
     .maximum = 1e9,
     .unit = "N s",
     .common = true,
     .summary =
         "Set-valued: largest normal impulse of a contact in a step of the impact; larger values take fewer steps "
         "and mix the impulses of contacts less finely; 0: the impulse that stops one contact."},
    {.name = "law.max-steps",
     .type = SS_OPTION_INTEGER,
     .offset = offsetof (Options, impacts.max_steps),
     .symbol = "N",
     .minimum = 1,
     .maximum = SS_IMPACT_STEPS_MAX,
     .fallback = SS_IMPACT_STEPS_MAX,
     .unit = "",
     .common = false,
     .summary = "Set-valued: most steps of one impact; a run with an impact that needs more fails."},
    {.name = "law.policy",
     .type = SS_OPTION_CHOICE,
     FIELD (policy),
     .symbol = "",
     .choices = policies,
     .unit = "",
     .common = false,
     .summary =
         "Set-valued: which solution is taken where a step has several. lemke: Lemke's, with a covering vector of "
         "ones; random-covering: Lemke's, with a random covering vector; enumerate: one of all, with equal "
         "probability (up to 6 contacts, slower)."},
    {.name = "law.draw",
     .type = SS_OPTION_CHOICE,
     FIELD (draw),
     .symbol = "",
     .choices = draws,
     .unit = "",
     .common = false,
     .summary = "Set-valued: how the largest impulses of the contacts in a step are drawn. uniform: independent, up "
                "to law.step; simplex: with the sum law.step; sobol: from a Sobol sequence."},
    {.name = "law.rows",
     .type = SS_OPTION_CHOICE,
     FIELD (rows),
     .symbol = "",
     .choices = rows,
     .unit = "",
     .common = false,
     .summary =
         "Set-valued: friction rows of a step's problem. scaled: divided by max (1, mu); plain: as the paper writes "
         "them. Decides which of several solutions Lemke's method finds."},
    {.name = "law.close",
     .type = SS_OPTION_BOOLEAN,
     FIELD (close),
     .symbol = "",
     .unit = "",
     .common = false,
     .summary = "Set-valued: whether samples that still approach after law.max-steps take the closing step of "
                "Algorithm 2."},
    {.name = "law.epsilon",
     .type = SS_OPTION_REAL,
     FIELD (epsilon),
     .symbol = "ε",
     .minimum = 1e-12,
     .maximum = 1e6,
     .fallback = 1e-2,
     .unit = "",
     .common = false,
     .summary = "Set-valued: size of the closing step: its cap is epsilon / (3 psi)."},
    {.name = "law.rates",
     .type = SS_OPTION_TEXT,
     FIELD (rates),
     .symbol = "",
     .unit = "",
     .common = false,
     .summary = "Set-valued: rates of the normal impulses, one for each contact point, parted by commas: one path "
                "with these rates is followed and nothing is sampled. Pieces of s: 0.1:1,0;0,1. equal: the same rate "
                "for any number of points."},
    {.name = "law.all",
     .type = SS_OPTION_BOOLEAN,
     FIELD (all),
     .symbol = "",
     .unit = "",
     .common = true,
     .summary = "Anitescu-potra, sequential: the run goes on with every outcome of an impact as a fan: of all "
                "contact modes (up to 6 points) or of all orders (up to 5 points). off: with the first outcome."},
    {.name = "branches",
     .type = SS_OPTION_INTEGER,
     FIELD (branches),
     .minimum = 1,
     .maximum = 1000,
     .fallback = 1,
     .symbol = "B",
     .unit = "",
     .common = true,
     .summary = "Set-valued: draws of every impact of several points; the run goes on with each outcome, as a fan of "
                "motions with shares. More draws show the set more finely and reach max-branches sooner."},
    {.name = "max-branches",
     .type = SS_OPTION_INTEGER,
     FIELD (max_branches),
     .symbol = "",
     .minimum = 1,
     .maximum = 1000,
     .fallback = 32,
     .unit = "",
     .common = true,
     .summary = "Most motions of a fan; a fan that has so many draws every further impact once. Larger values take "
                "longer in proportion."},
    {.name = "clock",
     .type = SS_OPTION_BOOLEAN,
     .offset = offsetof (Options, clock),
     .symbol = "s",
     .fallback = 1,
     .unit = "",
     .common = false,
     .summary = "Whether the run has a second clock s with ds = (1 + sum lambda_n) dt (paper 002), by which an "
                "impact lasts as long as its impulse; the clock is one more channel."},
    SS_FESD_OPTIONS (Options, fesd),
    SS_SIM_LIMITS_OPTIONS (Options, limits, SS_SIM_ENERGY_GAIN),
};
static const SsOptionTable table = {.n_specs = sizeof specs / sizeof *specs, .specs = specs, .size = sizeof (Options)};

static SsStatus
integrator_new (const SsScene *scene, const void *options, void **out, SsError *err)
{
  Options given;
  ss_options_init (&table, &given);
  if (options != NULL)
    given = *(const Options *)options;
  return ss_fesd_integrator_new (scene, &given.fesd, &given.impacts, given.clock, out, err);
}

static SsQuantity
second_clock (const void *options)
{
  return options == NULL || ((const Options *)options)->clock ? SS_QUANTITY_IMPULSE_TIME : SS_QUANTITY_UNKNOWN;
}

/* Impacts without rebound use no restitution. */
static unsigned
uses_with (const void *options)
{
  const int law = options != NULL ? ((const Options *)options)->impacts.law : SS_FESD_IMPACTS_NEWTON;

  return law == SS_FESD_IMPACTS_NEWTON || law == SS_FESD_IMPACTS_ANITESCU_POTRA ? SS_USES_RESTITUTION : 0;
}

static int
most_motions (const void *options)
{
  return options != NULL ? ss_fesd_impacts_most (&((const Options *)options)->impacts) : 1;
}

static const SsForkClass fork = {
    .most = most_motions,
    .keep = ss_fesd_integrator_keep,
    .put_back = ss_fesd_integrator_put_back,
    .forget = ss_fesd_march_forget,
    .choose = ss_fesd_integrator_choose,
    .forks = ss_fesd_integrator_forks,
};

const SsIntegratorClass ss_integrator_event_driven = {
    .name = "event-driven",
    .label = "Event-Driven",
    .summary = "Smooth arcs between impacts at exact times, with a chosen law of impacts: the stepper of fesd-j; one "
               "outcome of each impact, or a fan of motions with branches.",
    .solves = "Rigid contact (Signorini) with Coulomb friction between impacts at exact times; an impact obeys the law "
              "of the option law: Newton, Anitescu and Potra, one contact after another, or all outcomes of a set.",
    .options = &table,
    .new_ = integrator_new,
    .step = ss_fesd_integrator_step,
    .free_ = ss_fesd_integrator_free,
    .set_proposer = ss_fesd_integrator_set_proposer,
    .uses = SS_USES_RESTITUTION,
    .uses_with = uses_with,
    .gives_events = true,
    .gives_stages = true,
    .second_clock = second_clock,
    .fork = &fork,
};
