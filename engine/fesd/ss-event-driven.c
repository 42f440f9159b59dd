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
         "Which impact law decides an impact. newton: the restitution coefficient of each contact acts on "
         "velocities; anitescu-potra: the coefficient acts on impulses (Poisson); sequential, set-valued: impacts "
         "are inelastic, whatever the coefficient, unless law.restitution says otherwise. set-valued knows impacts "
         "without a collision (Painleve), where others fail."},
    {.name = "law.restitution",
     .type = SS_OPTION_CHOICE,
     FIELD (restitution),
     .symbol = "",
     .choices = ss_impact_restitution_names,
     .unit = "",
     .common = true,
     .summary =
         "With law=sequential and law=set-valued: what the contacts' coefficients of restitution do. none: impacts "
         "are inelastic; poisson: a contact receives e times the normal impulse of its compression again, or less "
         "where that would give energy. Rates (law.rates) are inelastic."},
    {.name = "law.order",
     .type = SS_OPTION_TEXT,
     FIELD (order),
     .symbol = "",
     .unit = "",
     .common = true,
     .summary = "With law=sequential: names of contacts, separated by commas, in the order in which they are resolved; "
                "contacts that are not named follow in the order of the scene."},
    {.name = "law.tolerance",
     .type = SS_OPTION_REAL,
     FIELD (tolerance),
     .symbol = "",
     .minimum = 1e-12,
     .maximum = 1e-7,
     .fallback = 1e-8,
     .unit = "m/s",
     .common = false,
     .summary = "With law=sequential: largest speed of approach at which a contact is passed over. Larger values "
                "take fewer solves and leave contacts that approach."},
    {.name = "law.max-solves",
     .type = SS_OPTION_INTEGER,
     FIELD (max_solves),
     .symbol = "",
     .minimum = 1,
     .maximum = 1000000,
     .fallback = 100000,
     .unit = "",
     .common = false,
     .summary = "With law=sequential: largest number of solves in one impact; a run with an impact that needs more "
                "fails."},
    {.name = "law.seed",
     .type = SS_OPTION_INTEGER,
     FIELD (seed),
     .symbol = "",
     .minimum = 0,
     .maximum = 2147483647,
     .fallback = 1,
     .unit = "",
     .common = true,
     .summary = "With law=set-valued: seed of the outcomes. The first impact of the run is the first sample that "
                "`stickslip-cli impact` draws with this seed, the next impact the second sample."},
    {.name = "law.step",
     .type = SS_OPTION_REAL,
     .offset = offsetof (Options, impacts.step),
     .symbol = "h",
     .minimum = 0,
     .maximum = 1e9,
     .unit = "N s",
     .common = true,
     .summary = "With law=set-valued: largest normal impulse of a contact in one step of an impact. Larger values take "
                "fewer steps and mix the impulses of contacts less finely; 0: the impulse that stops one contact."},
    {.name = "law.max-steps",
     .type = SS_OPTION_INTEGER,
     .offset = offsetof (Options, impacts.max_steps),
     .symbol = "N",
     .minimum = 1,
     .maximum = SS_IMPACT_STEPS_MAX,
     .fallback = SS_IMPACT_STEPS_MAX,
     .unit = "",
     .common = false,
     .summary = "With law=set-valued: largest number of steps in one impact; a run with an impact that needs more "
                "fails."},
    {.name = "law.policy",
     .type = SS_OPTION_CHOICE,
     FIELD (policy),
     .symbol = "",
     .choices = policies,
     .unit = "",
     .common = false,
     .summary =
         "With law=set-valued: which solution is taken where a step has several. lemke: the one that Lemke's method "
         "finds with a covering vector of ones; random-covering: the one that it finds with a random covering "
         "vector; enumerate: any of all solutions, with equal probability (up to 6 contacts, slower)."},
    {.name = "law.draw",
     .type = SS_OPTION_CHOICE,
     FIELD (draw),
     .symbol = "",
     .choices = ss_impact_draw_names,
     .unit = "",
     .common = false,
     .summary = "With law=set-valued: how the largest impulses of the contacts in a step are drawn. uniform: "
                "independently, up to law.step; simplex: so that their sum is law.step; sobol: from a Sobol sequence; "
                "corners: each is 0, law.step or uniform, which reaches the extremes of the set."},
    {.name = "law.rows",
     .type = SS_OPTION_CHOICE,
     FIELD (rows),
     .symbol = "",
     .choices = rows,
     .unit = "",
     .common = false,
     .summary =
         "With law=set-valued: how the friction rows of a step's problem are written, which decides which of several "
         "solutions Lemke's method finds. scaled: divided by the friction coefficient where that is above 1; plain: "
         "as in the paper."},
    {.name = "law.close",
     .type = SS_OPTION_BOOLEAN,
     FIELD (close),
     .symbol = "",
     .unit = "",
     .common = false,
     .summary = "With law=set-valued: whether an impact whose contacts still approach after law.max-steps steps "
                "takes the closing step of the paper's Algorithm 2."},
    {.name = "law.epsilon",
     .type = SS_OPTION_REAL,
     FIELD (epsilon),
     .symbol = "ε",
     .minimum = 1e-12,
     .maximum = 1e6,
     .fallback = 1e-2,
     .unit = "",
     .common = false,
     .summary = "With law=set-valued: size of the closing step, whose largest impulse is epsilon / (3 psi) with the "
                "paper's psi. Larger values make the closing step larger."},
    {.name = "law.rates",
     .type = SS_OPTION_TEXT,
     FIELD (rates),
     .symbol = "",
     .unit = "",
     .common = false,
     .summary = "With law=set-valued: rates of the normal impulses, one for each contact point, separated by commas; "
                "impacts then follow the one path with these rates and nothing is sampled. Semicolons separate "
                "pieces, each with its length in s: 0.1:1,0;0,1. equal: the same rate for any number of points."},
    {.name = "law.all",
     .type = SS_OPTION_BOOLEAN,
     FIELD (all),
     .symbol = "",
     .unit = "",
     .common = true,
     .summary = "With law=anitescu-potra or law=sequential: whether the run goes on with every outcome of an impact, "
                "as a fan: the outcomes of all contact modes (up to 6 points), or of all orders (up to 5 points). "
                "off: the run goes on with the first outcome."},
    {.name = "branches",
     .type = SS_OPTION_INTEGER,
     FIELD (branches),
     .minimum = 1,
     .maximum = 1000,
     .fallback = 1,
     .symbol = "B",
     .unit = "",
     .common = true,
     .summary = "With law=set-valued: number of outcomes that are drawn for every impact of several points; the run "
                "goes on with each outcome, as a fan of motions with shares. Larger numbers show the set more finely "
                "and reach max-branches sooner."},
    {.name = "max-branches",
     .type = SS_OPTION_INTEGER,
     FIELD (max_branches),
     .symbol = "",
     .minimum = 1,
     .maximum = 1000,
     .fallback = 32,
     .unit = "",
     .common = true,
     .summary = "Largest number of motions in a fan. A fan that has this many draws one outcome for every further "
                "impact. Larger numbers take longer in proportion."},
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

/* Impacts without rebound use no restitution. Other laws than Newton's have no rates beside the velocities. */
static unsigned
uses_with (const void *options)
{
  const int law = options != NULL ? ((const Options *)options)->impacts.law : SS_FESD_IMPACTS_NEWTON;
  const bool bounces = law == SS_FESD_IMPACTS_NEWTON || law == SS_FESD_IMPACTS_ANITESCU_POTRA ||
                       ((const Options *)options)->impacts.restitution == SS_IMPACT_POISSON;

  return SS_USES_JOINT_DRIVES | (law == SS_FESD_IMPACTS_NEWTON ? SS_USES_TIME : 0) |
         (bounces ? SS_USES_RESTITUTION : 0);
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

static int
keeps_stages (const void *options)
{
  return ss_fesd_integrator_keeps_stages (options != NULL ? &((const Options *)options)->fesd : NULL);
}

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
    .uses = SS_USES_RESTITUTION | SS_USES_JOINT_DRIVES | SS_USES_TIME,
    .contact_law = {.place = SS_LAW_STAGES},
    .uses_with = uses_with,
    .gives_events = true,
    .gives_stages = true,
    .keeps_stages = keeps_stages,
    .second_clock = second_clock,
    .sensitivity = &ss_fesd_integrator_sensitivity,
    .fork = &fork,
};
