/* tests/numeric/test-impact-restitution.c: Poisson's restitution of the laws sequential and set-valued: Newton's
 * cradle, one contact against the law of Anitescu and Potra, and that no energy is gained. */
#include "impact/ss-impact-law.h"

#include "../ss-test-scenario.h"

enum { BALLS = 5 };

/* Balls of 1 kg in a row, the first with 2 m/s. */
static SsImpact *
cradle (double e)
{
  double mass[BALLS * BALLS] = {0}, jn[(BALLS - 1) * BALLS] = {0}, jt[(BALLS - 1) * BALLS] = {0};
  double mu[BALLS - 1] = {0}, restitution[BALLS - 1], v[BALLS] = {2};
  static const char *const names[BALLS - 1] = {"1", "2", "3", "4"};
  SsImpact *impact = NULL;

  for (int i = 0; i < BALLS; i++)
    mass[i * BALLS + i] = 1;
  for (int c = 0; c < BALLS - 1; c++) {
    jn[c * BALLS + c] = -1;
    jn[c * BALLS + c + 1] = 1;
    restitution[c] = e;
  }
  SS_CHECK (ss_impact_new (&(SsImpactNumbers){.n = BALLS,
                                              .m = BALLS - 1,
                                              .mass = mass,
                                              .jn = jn,
                                              .jt = jt,
                                              .mu = mu,
                                              .v = v,
                                              .restitution = restitution,
                                              .contacts = names,
                                              .h = NAN},
                           &impact, NULL) == SS_OK);
  return impact;
}

static SsImpactResult
resolve (const SsImpactLawClass *law, const SsImpact *impact, const char *const *settings)
{
  void *options = ss_alloc (1, law->options->size);
  SsImpactResult result = {0};
  SsError err = {0};

  ss_options_init (law->options, options);
  for (int k = 0; settings[k] != NULL; k += 2)
    SS_CHECK (ss_options_set (law->options, options, settings[k], settings[k + 1], &err) == SS_OK);
  if (ss_impact_resolve (law, impact, options, NULL, &result, &err) != SS_OK) {
    printf ("%s: %s\n", law->name, err.message);
    ss_test_failed_checks++;
  }
  ss_free (options);
  return result;
}

/* The last ball takes it all, in whatever order the contacts are resolved; inelastic, they end together. */
static void
test_cradle_in_order (void)
{
  const char *const all[] = {"restitution", "poisson", "all", "on", NULL}, *const none[] = {NULL};
  SsImpact *impact = cradle (1);
  SsImpactResult result = resolve (&ss_impact_law_sequential, impact, all);

  SS_CHECK (result.n_outcomes == 1 && result.outcomes[0].is_finished && result.outcomes[0].solves == BALLS - 1);
  for (int i = 0; i < BALLS; i++)
    SS_CHECK_NEAR (result.outcomes[0].v[i], i == BALLS - 1 ? 2 : 0, 1e-14);
  for (int c = 0; c < BALLS - 1; c++) /* each contact passes on m v */
    SS_CHECK_NEAR (result.outcomes[0].impulse[c], 2, 1e-14);
  ss_impact_result_clear (&result);
  result = resolve (&ss_impact_law_sequential, impact, none);
  for (int i = 0; i < BALLS; i++) /* to the law's tolerance of an approach, summed */
    SS_CHECK_NEAR (result.outcomes[0].v[i], .4, 1e-4);
  ss_impact_result_clear (&result);
  ss_impact_free (impact);
}

/* Among the outcomes of the set is the cradle's: each contact ends before the next begins. No sample has more energy
 * than the first ball had, and all have its momentum. */
static void
test_cradle_in_any_way (void)
{
  SsImpact *impact = cradle (1);
  const SsImpactSetOptions options = {
      .h = NAN, .restitutes = true, .draw = SS_IMPACT_DRAW_CORNERS, .n_samples = 3000, .seed = 1, .n_threads = 1};
  SsImpactSet *set;
  int n_last = 0;

  SS_CHECK (ss_impact_set_new (impact, &options, NULL, &set, NULL) == SS_OK);
  for (int k = 0; k < set->n_samples; k++) {
    const double *v = set->v + k * BALLS;
    double sum = 0, rest = 0;
    for (int i = 0; i < BALLS; i++) {
      sum += v[i];
      rest = i < BALLS - 1 ? fmax (rest, fabs (v[i])) : rest;
    }
    SS_CHECK_NEAR (sum, 2, 1e-12);
    SS_CHECK (set->energy[k] <= 2 * (1 + 1e-11));
    n_last += set->state[k] == SS_IMPACT_FINISHED && rest < 1e-6;
  }
  SS_CHECK (n_last > 0 && set->n_finished > .99 * set->n_samples && set->n_dropped == 0);
  ss_impact_set_free (set);
  ss_impact_free (impact);
}

/* Uniform in [-1, 1). */
static double
number (int model, int k)
{
  return 2 * ss_impact_uniform (SS_IMPACT_STREAM_POLICY, 1997, (uint64_t)model, k / 256, k % 256) - 1;
}

static SsImpact *
random_impact (int model, int n, int m)
{
  double mass[36] = {0}, jn[18], jt[18], mu[3], restitution[3], v[6];
  SsImpact *impact = NULL;
  int k = 0;

  for (int i = 0; i < n; i++) {
    mass[i * n + i] = exp (number (model, k++));
    v[i] = number (model, k++);
  }
  for (int i = 0; i < m * n; i++) {
    jn[i] = number (model, k++);
    jt[i] = number (model, k++);
  }
  for (int i = 0; i < m; i++) {
    mu[i] = fmax (number (model, k++), 0);
    restitution[i] = fmin (1, fabs (1.2 * number (model, k++)));
  }
  SS_CHECK (
      ss_impact_new (
          &(SsImpactNumbers){
              .n = n, .m = m, .mass = mass, .jn = jn, .jt = jt, .mu = mu, .v = v, .restitution = restitution, .h = NAN},
          &impact, NULL) == SS_OK);
  return impact;
}

/* One contact by itself is the law of Anitescu and Potra (their second problem), wherever that gives no energy. */
static void
test_one_contact (void)
{
  const char *const poisson[] = {"restitution", "poisson", NULL}, *const none[] = {NULL};
  int n_compared = 0;

  for (int model = 0; model < 60; model++) {
    SsImpact *impact = random_impact (model, 3, 1);
    const double before = ss_impact_kinetic_energy (impact, impact->v);
    SsImpactResult ours = resolve (&ss_impact_law_sequential, impact, poisson);
    SsImpactResult theirs = resolve (&ss_impact_law_anitescu_potra, impact, none);
    if (theirs.outcomes[0].energy <= before && theirs.outcomes[0].impulse[0] > 0) {
      for (int i = 0; i < 3; i++)
        SS_CHECK_NEAR (ours.outcomes[0].v[i], theirs.outcomes[0].v[i], 1e-12);
      n_compared++;
    }
    ss_impact_result_clear (&ours);
    ss_impact_result_clear (&theirs);
    ss_impact_free (impact);
  }
  SS_CHECK (n_compared > 20);
}

/* A ball on a floor of no friction comes up with e times its speed, in however many steps. */
static void
test_bounce_in_steps (void)
{
  const double mass = .7, one = 1, zero = 0, v = -3, e = .6;
  SsImpact *impact;
  SsImpactSet *set;

  SS_CHECK (
      ss_impact_new (
          &(SsImpactNumbers){
              .n = 1, .m = 1, .mass = &mass, .jn = &one, .jt = &zero, .mu = &zero, .v = &v, .restitution = &e, .h = .4},
          &impact, NULL) == SS_OK);
  SS_CHECK (ss_impact_set_new (
                impact,
                &(SsImpactSetOptions){.h = NAN, .restitutes = true, .n_samples = 200, .seed = 3, .n_threads = 1}, NULL,
                &set, NULL) == SS_OK);
  SS_CHECK (set->n_finished == 200);
  for (int k = 0; k < set->n_samples; k++)
    SS_CHECK_NEAR (set->v[k], 1.8, 2e-8); /* what waits is told at 1e-8 m/s */
  ss_impact_set_free (set);
  ss_impact_free (impact);
}

/* Friction and several contacts at random: no outcome gains energy, none approaches, and velocities are those of the
 * impulses. */
static void
test_no_energy_is_gained (void)
{
  const char *const poisson[] = {"restitution", "poisson", "tolerance", "1e-9", NULL};
  int n_lowered = 0, n_finished = 0;

  for (int model = 0; model < 150; model++) {
    SsImpact *impact = random_impact (model, 3 + model % 3, 1 + model % 3);
    const double before = ss_impact_kinetic_energy (impact, impact->v);
    SsImpactResult result = resolve (&ss_impact_law_sequential, impact, poisson);
    const SsImpactOutcome *outcome = &result.outcomes[0];
    double v[6];
    memcpy (v, impact->v, (size_t)impact->n * sizeof *v);
    ss_impact_push (impact, outcome->impulse, v);
    for (int i = 0; i < impact->n; i++)
      SS_CHECK_NEAR (v[i], outcome->v[i], 1e-10);
    SS_CHECK (outcome->energy <= before * (1 + 1e-10));
    n_lowered += strstr (result.message, "lowered") != NULL;
    ss_impact_result_clear (&result);
    SsImpactSet *set;
    SS_CHECK (ss_impact_set_new (
                  impact,
                  &(SsImpactSetOptions){.h = NAN, .restitutes = true, .n_samples = 40, .seed = 1, .n_threads = 1}, NULL,
                  &set, NULL) == SS_OK);
    for (int k = 0; k < set->n_samples; k++)
      SS_CHECK (set->energy[k] <= before * (1 + 1e-10));
    n_finished += set->n_finished;
    ss_impact_set_free (set);
    ss_impact_free (impact);
  }
  SS_CHECK (n_finished > 5000);
  printf ("# restitution was lowered in %d of 150 sequences\n", n_lowered);
}

/* Without coefficients the option changes no bit. */
static void
test_inelastic_is_the_same (void)
{
  SsImpact *impact = cradle (0);
  SsImpactSet *sets[2];

  for (int k = 0; k < 2; k++)
    SS_CHECK (ss_impact_set_new (
                  impact,
                  &(SsImpactSetOptions){
                      .h = NAN, .restitutes = k == 1, .max_steps = 30, .n_samples = 100, .seed = 1, .n_threads = 1},
                  NULL, &sets[k], NULL) == SS_OK);
  SS_CHECK (memcmp (sets[0]->v, sets[1]->v, sizeof (double) * BALLS * 100) == 0);
  ss_impact_set_free (sets[0]);
  ss_impact_set_free (sets[1]);
  ss_impact_free (impact);
}

int
main (void)
{
  SS_RUN (test_cradle_in_order);
  SS_RUN (test_cradle_in_any_way);
  SS_RUN (test_one_contact);
  SS_RUN (test_bounce_in_steps);
  SS_RUN (test_no_energy_is_gained);
  SS_RUN (test_inelastic_is_the_same);
  return ss_test_finish ();
}
