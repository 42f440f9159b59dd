/* engine/impact/ss-law-set-valued.c: the sampler as a law. */
#include "impact/ss-impact-law.h"

#include "impact/ss-impact-rates.h"

#include <math.h>
#include <string.h>

/* A share of unfinished samples above this is told. */
static const double told_share = 0.01;

typedef struct {
  int policy, rows, draw;
  double step;
  int max_steps, samples, seed, threads, restitution;
  bool close, bound;
  double epsilon;
  char rates[SS_OPTION_TEXT_MAX];
} Options;

typedef struct {
  const SsImpact *impact; /* borrowed */
  SsImpactSetOptions options;
  bool has_rates, has_bound;
  double until[SS_IMPACT_PIECES_MAX], values[SS_IMPACT_PIECES_MAX * SS_IMPACT_CONTACTS_MAX];
  SsImpactRates rates;
} Law;

static SsStatus
law_new (const SsImpact *impact, const void *options, void **out, SsError *err)
{
  const Options *given = options;
  Law *law = ss_new (Law);

  *out = law;
  if (law == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for a law");
  law->impact = impact;
  law->options = (SsImpactSetOptions){.policy = (SsImpactPolicy)given->policy,
                                      .rows = (SsImpactRows)given->rows,
                                      .draw = (SsImpactDrawKind)given->draw,
                                      .h = given->step > 0 ? given->step : NAN,
                                      .max_steps = given->max_steps,
                                      .n_samples = given->samples,
                                      .seed = (uint64_t)given->seed,
                                      .n_threads = given->threads,
                                      .closes = given->close,
                                      .restitutes = given->restitution == SS_IMPACT_POISSON,
                                      .epsilon = given->epsilon};
  law->has_rates = given->rates[0] != '\0';
  law->has_bound = given->bound;
  const SsStatus status =
      law->has_rates ? ss_impact_rates_parse (given->rates, impact->m, law->until, law->values, &law->rates, err)
                     : SS_OK;
  if (status != SS_OK) {
    ss_free (law);
    *out = NULL;
  }
  return status;
}

/* With given rates there is one outcome. */
static SsStatus
follow_rates (Law *law, SsImpactResult *result, SsError *err)
{
  enum { CORNERS_MAX = 10000 };
  SsImpactPath *path;
  SsStatus status = ss_impact_path_new (law->impact, &law->rates, CORNERS_MAX, &path, err);

  if (status != SS_OK)
    return status;
  const int last = path->n_points - 1, size = 2 * path->m;
  SsImpactOutcome *outcome = ss_impact_result_add (result, law->impact, path->v + last * path->n);
  if (outcome != NULL) {
    memcpy (outcome->impulse, path->impulse + last * size, (size_t)size * sizeof *path->impulse);
    outcome->solves = last;
    outcome->is_finished = path->is_finished;
    ss_impact_result_note (result, "along the given rates the path has %d sides and ends at s = %.6g N s%s", last,
                           path->s[last], path->is_finished ? "" : ", where a contact still approaches");
  } else {
    status = ss_error_set (err, SS_ERR_MEMORY, "no memory for an outcome");
  }
  ss_impact_path_free (path);
  if (status != SS_OK)
    ss_impact_result_clear (result);
  return status;
}

/* From outside, and from inside. */
static SsStatus
bound_set (Law *law, SsRunControl *control, SsImpactResult *result, SsError *err)
{
  SsStatus status = law->options.restitutes ? ss_impact_bound_of_energy (law->impact, &result->bound, err)
                                            : ss_impact_bound_new (law->impact, control, &result->bound, err);

  for (int i = 0; i < 2 * law->impact->m; i++)
    result->inner.low[i] = result->inner.high[i] = NAN;
  if (status == SS_OK)
    status = ss_impact_corner_draws (law->impact, &result->set->options, NULL, &result->corners, err);
  if (status != SS_OK)
    return status;
  ss_impact_extent_widen (law->impact, result->set, &result->inner);
  ss_impact_extent_widen (law->impact, result->corners, &result->inner);
  if (!result->bound->is_whole && !law->options.restitutes)
    ss_impact_result_note (result, "the energy alone bounds the set from outside: its modes are too many");
  return status;
}

/* What the theory does not cover here. */
static SsStatus
note_limits (const SsImpact *impact, SsImpactResult *result, SsError *err)
{
  const SsImpactSetOptions *options = &result->set->options;
  SsStatus status = ss_impact_cone (impact, options->h, &result->cone, err);

  if (status == SS_OK)
    status = ss_impact_net (impact, options->h, options->max_steps, options->epsilon, &result->net, err);
  if (status != SS_OK)
    return status;
  if (options->restitutes) /* the theorems are of inelastic impacts */
    result->cone.c = result->net.log10_samples = NAN;
  else if (!result->cone.is_pointed)
    ss_impact_result_note (result, "the friction cone is not pointed: no bound on the number of steps is known");
  if (result->cone.rank < 2 * impact->m)
    ss_impact_result_note (result, "J has %d independent rows of %d: impulses are not unique, velocities are compared",
                           result->cone.rank, 2 * impact->m);
  if (impact->skew > 1e-6)
    ss_impact_result_note (result, "a tangent is not normal to its normal (|cosine| %.3g)", impact->skew);
  return SS_OK;
}

static SsStatus
resolve (void *data, SsRunControl *control, SsImpactResult *result, SsError *err)
{
  Law *law = data;
  SsStatus status;

  *result = (SsImpactResult){0};
  if (law->has_rates)
    return follow_rates (law, result, err);
  status = ss_impact_set_new (law->impact, &law->options, control, &result->set, err);
  if (status != SS_OK)
    return status;
  const SsImpactSet *set = result->set;
  if (set->n_unfinished > told_share * set->n_samples)
    ss_impact_result_note (result, "%.3g %% of the samples still approach after %d steps",
                           100.0 * set->n_unfinished / set->n_samples, set->options.max_steps);
  if (set->n_dropped > 0)
    ss_impact_result_note (result, "%d samples were dropped because a step had no answer", set->n_dropped);
  status = note_limits (law->impact, result, err);
  if (status == SS_OK && law->has_bound && set->outcome == SS_OUTCOME_COMPLETED)
    status = bound_set (law, control, result, err);
  if (status != SS_OK)
    ss_impact_result_clear (result);
  return status;
}

static const char *const policies[] = {"lemke", "random-covering", "enumerate", NULL};
static const char *const rows[] = {"scaled", "plain", NULL};

#define CHOICE(field_, name_, list_, common_, summary_)                                                                \
  {                                                                                                                    \
    .name = name_, .type = SS_OPTION_CHOICE, .offset = offsetof (Options, field_), .minimum = 0,                       \
    .maximum = sizeof list_ / sizeof *list_ - 2, .choices = list_, .symbol = "", .unit = "", .common = common_,        \
    .summary = summary_                                                                                                \
  }
#define INTEGER(field_, name_, minimum_, maximum_, fallback_, symbol_, common_, summary_)                              \
  {                                                                                                                    \
    .name = name_, .type = SS_OPTION_INTEGER, .offset = offsetof (Options, field_), .minimum = minimum_,               \
    .maximum = maximum_, .fallback = fallback_, .symbol = symbol_, .unit = "", .common = common_, .summary = summary_  \
  }

static const SsOptionSpec specs[] = {
    CHOICE (policy, "policy", policies, true,
            "Which solution is taken where a step has several. lemke: the one that Lemke's method finds with a "
            "covering vector of ones; random-covering: the one that it finds with a random covering vector; "
            "enumerate: any of all solutions, with equal probability (up to 6 contacts, slower)."),
    INTEGER (samples, "samples", 1, SS_IMPACT_SAMPLES_MAX, 16384, "M", true,
             "Number of samples. More samples show the set more finely; the time grows in proportion."),
    {.name = "step",
     .type = SS_OPTION_REAL,
     .offset = offsetof (Options, step),
     .minimum = 0,
     .maximum = 1e9,
     .symbol = "h",
     .unit = "N s",
     .common = true,
     .summary = "Largest normal impulse of a contact in a step. Larger values take fewer steps and mix the impulses "
                "of contacts less finely; 0: the step of the configuration, or the impulse that stops one contact."},
    INTEGER (max_steps, "max-steps", 0, SS_IMPACT_STEPS_MAX, 0, "N", true,
             "Largest number of steps in a sample; a sample that needs more stays unfinished. Larger values finish "
             "more samples; 0: the number of the configuration, or 10."),
    INTEGER (seed, "seed", 0, 2147483647, 1, "", false,
             "Seed of the random draws; the same seed gives the same samples."),
    CHOICE (restitution, "restitution", ss_impact_restitution_names, true,
            "What the contacts' coefficients of restitution do. none: impacts are inelastic; poisson: what a contact "
            "was given in compression waits, times e, and is given back in later steps, mixed with the other contacts "
            "in any way, or less where that would give energy."),
    CHOICE (
        draw, "draw", ss_impact_draw_names, false,
        "How the largest impulses of the contacts in a step are drawn. uniform: independently, up to step; "
        "simplex: so that their sum is step; sobol: from a Sobol sequence; corners: each is 0, step or uniform, which "
        "reaches the extremes of the set."),
    CHOICE (rows, "rows", rows, false,
            "How the friction rows of a step's problem are written, which decides which of several solutions Lemke's "
            "method finds. scaled: divided by the friction coefficient where that is above 1; plain: as in the paper."),
    {.name = "close",
     .type = SS_OPTION_BOOLEAN,
     .offset = offsetof (Options, close),
     .minimum = 0,
     .maximum = 1,
     .symbol = "",
     .unit = "",
     .common = false,
     .summary = "Whether a sample whose contacts still approach after its last step takes the closing step of the "
                "paper's Algorithm 2; the authors' program takes no closing step."},
    {.name = "epsilon",
     .type = SS_OPTION_REAL,
     .offset = offsetof (Options, epsilon),
     .minimum = 1e-12,
     .maximum = 1e6,
     .fallback = 1e-2,
     .symbol = "ε",
     .unit = "",
     .common = false,
     .summary =
         "How near to every outcome a sample shall be, in the paper's Algorithm 2 and Theorem 9: the closing step's "
         "largest impulse is epsilon / (3 psi). Larger values make the closing step larger and need fewer samples."},
    {.name = "bound",
     .type = SS_OPTION_BOOLEAN,
     .offset = offsetof (Options, bound),
     .minimum = 0,
     .maximum = 1,
     .fallback = 1,
     .symbol = "",
     .unit = "",
     .common = false,
     .summary = "Whether the set is bounded from outside too, by linear programmes over the modes of the contacts, and "
                "from inside by further draws at the corners of the impulses."},
    {.name = "rates",
     .type = SS_OPTION_TEXT,
     .offset = offsetof (Options, rates),
     .symbol = "",
     .unit = "",
     .common = false,
     .summary = "Rates of the normal impulses, one for each contact, separated by commas; the one path with these "
                "rates is followed and nothing is sampled. Semicolons separate pieces, each with its length in s: "
                "0.1:1,0;0,1."},
    INTEGER (threads, "threads", 1, SS_IMPACT_THREADS_MAX, 1, "", false,
             "Number of threads that draw samples; the samples are the same for every number."),
};
static const SsOptionTable options_table = {sizeof specs / sizeof *specs, specs, sizeof (Options), 0};

static bool
asks_restitution (const void *options)
{
  return ((const Options *)options)->restitution == SS_IMPACT_POISSON;
}

const SsImpactLawClass ss_impact_law_set_valued = {
    .name = "set-valued",
    .label = "Set-Valued",
    .summary = "All post-impact velocities (paper 002)",
    .solves = "Contacts share an impact in any proportion and order, each with Coulomb friction, inelastic or with "
              "Poisson's restitution: the set of all outcomes, not one.",
    .options = &options_table,
    .asks_restitution = asks_restitution,
    .new_ = law_new,
    .resolve = resolve,
    .free = ss_free,
};
