/* tests/numeric/test-impact-large.c: an impact of many contacts: a row of boxes is judged by its equations, written out
 * here. */
#include "fesd/ss-event-driven.h"
#include "impact/ss-impact-law.h"
#include "ss-test-scenario.h"
#include "ss-test-simulate.h"

#include <math.h>
#include <string.h>

enum { BOXES = 9, N = 3 * BOXES, FLOOR = 2 * BOXES, M = FLOOR + 2 * (BOXES - 1) };

/* A row of eight boxes of .2 m and 1 kg on a floor, and a ninth that comes from the left: coordinates x, y, theta. */
static void
set_row (double mass[N * N], double jn[M * N], double jt[M * N], double v[N])
{
  const double half = 0.1;
  memset (mass, 0, N * N * sizeof *mass);
  memset (jn, 0, M * N * sizeof *jn);
  memset (jt, 0, M * N * sizeof *jt);
  memset (v, 0, N * sizeof *v);
  v[0] = 2;
  for (int b = 0; b < BOXES; b++) {
    mass[(3 * b) * N + 3 * b] = mass[(3 * b + 1) * N + 3 * b + 1] = 1;
    mass[(3 * b + 2) * N + 3 * b + 2] = (0.04 + 0.04) / 12;
    for (int side = 0; side < 2; side++) { /* on the floor: the corner at (+-half, -half) */
      double *n = jn + (2 * b + side) * N + 3 * b, *t = jt + (2 * b + side) * N + 3 * b;
      n[1] = 1, n[2] = side == 0 ? -half : half;
      t[0] = 1, t[2] = half;
    }
    for (int side = 0; b + 1 < BOXES && side < 2; side++) { /* the next box's corner at (-half, +-half) */
      const int row = FLOOR + 2 * b + side;
      const double y = side == 0 ? half : -half;
      double *n = jn + row * N + 3 * b, *t = jt + row * N + 3 * b;
      n[0] = -1, n[2] = y, n[3] = 1, n[5] = -y; /* speed of the next along x less ours */
      t[1] = 1, t[2] = half, t[4] = -1, t[5] = half;
    }
  }
}

static double
row_speed (const double *row, const double *v)
{
  double sum = 0;
  for (int i = 0; i < N; i++)
    sum += row[i] * v[i];
  return sum;
}

/* M (v' - v) = J' l, l pushes within its cone, nothing approaches afterwards, no energy comes out of it; with
 * `is_at_once` what pushes does not leave (no restitution) and friction is against the slip. */
static void
check_impact (const char *name, const double *v_after, const double *impulse, bool is_at_once, double approach)
{
  static double mass[N * N], jn[M * N], jt[M * N], v[N];
  const double mu = 0.3, rounding = 1e-9; /* of 34 contacts, whose impulses are some 1 N s */
  double energy = 0, before = 0;
  set_row (mass, jn, jt, v);
  for (int i = 0; i < N; i++) {
    double due = mass[i * N + i] * v[i];
    for (int k = 0; k < M; k++)
      due += jn[k * N + i] * impulse[k] + jt[k * N + i] * impulse[M + k];
    SS_CHECK_NEAR (mass[i * N + i] * v_after[i], due, rounding);
    energy += 0.5 * mass[i * N + i] * v_after[i] * v_after[i];
    before += 0.5 * mass[i * N + i] * v[i] * v[i];
  }
  for (int k = 0; k < M; k++) {
    const double leaves = row_speed (jn + k * N, v_after), slip = row_speed (jt + k * N, v_after);
    SS_CHECK (leaves >= -approach);
    SS_CHECK (impulse[k] >= -rounding);
    SS_CHECK (fabs (impulse[M + k]) <= mu * impulse[k] + rounding);
    if (!is_at_once)
      continue;
    SS_CHECK_NEAR (impulse[k] * leaves, 0, rounding);
    SS_CHECK (impulse[M + k] * slip <= rounding);
    SS_CHECK_NEAR (fabs (slip) * (mu * impulse[k] - fabs (impulse[M + k])), 0, rounding);
  }
  printf ("  %s: energy %.6f of %.6f J\n", name, energy, before);
  SS_CHECK (energy <= before + rounding);
}

static void
a_row_of_boxes_is_hit (void)
{
  static double mass[N * N], jn[M * N], jt[M * N], v[N];
  double mu[M];
  const SsImpactLawClass *const laws[] = {&ss_impact_law_newton, &ss_impact_law_anitescu_potra,
                                          &ss_impact_law_sequential};
  SsImpact *impact = NULL;
  SsError err = {0};
  set_row (mass, jn, jt, v);
  for (int i = 0; i < M; i++)
    mu[i] = 0.3;
  const SsImpactNumbers numbers = {.n = N, .m = M, .mass = mass, .jn = jn, .jt = jt, .mu = mu, .v = v, .h = NAN};
  SS_CHECK (ss_impact_new (&numbers, &impact, &err) == SS_OK);
  SS_CHECK (impact != NULL && impact->m == 34);
  for (size_t k = 0; impact != NULL && k < sizeof laws / sizeof *laws; k++) {
    SsImpactResult result = {0};
    void *options = ss_alloc (1, laws[k]->options->size);
    ss_options_init (laws[k]->options, options);
    if (laws[k] == &ss_impact_law_sequential)
      ((SsSequentialOptions *)options)->max_solves = 100000;
    SS_CHECK (ss_impact_resolve (laws[k], impact, options, NULL, &result, &err) == SS_OK);
    SS_CHECK (result.n_outcomes == 1);
    if (result.n_outcomes == 1) /* sequential ends where nothing is faster than its tolerance, 2.2e-6 m/s by default */
      check_impact (laws[k]->name, result.outcomes[0].v, result.outcomes[0].impulse, k < 2, k < 2 ? 1e-9 : 1e-5);
    ss_impact_result_clear (&result);
    ss_free (options);
  }
  ss_impact_free (impact);
}

/* The same row within a motion, by all laws: momentum along x changes by the floor's friction alone. */
static void
a_row_is_hit_in_a_motion (void)
{
  const char *laws[] = {"newton", "anitescu-potra", "sequential", "set-valued"};
  SsScenario *scenario = ss_test_read_text (
      "{\"format\": 1, \"name\": \"row\", \"title\": \"\", \"scene\": {\"gravity\": [0, -9.81], \"friction\": 0.3, "
      "\"bodies\": [{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]}}, "
      "{\"for\": \"i\", \"from\": 1, \"to\": 8, \"rows\": [{\"name\": \"b{i}\", \"shape\": {\"type\": \"box\", "
      "\"width\": 0.2, \"height\": 0.2}, \"mass\": 1, \"position\": [\"0.2*{i}\", 0.1]}]}, {\"name\": \"piston\", "
      "\"shape\": {\"type\": \"box\", \"width\": 0.2, \"height\": 0.2}, \"mass\": 1, \"position\": [-0.05, 0.1], "
      "\"velocity\": [2, 0]}]}, \"task\": {\"t_end\": 0.1, \"dt\": 0.01}}");
  for (int k = 0; k < 4; k++) {
    SsSimResult result = {0};
    SsError err = {0};
    void *options = ss_alloc (1, ss_integrator_event_driven.options->size);
    ss_options_init (ss_integrator_event_driven.options, options);
    SS_CHECK (ss_options_set (ss_integrator_event_driven.options, options, "law", laws[k], &err) == SS_OK);
    const SsSimJob job = {.scene = scenario->scene,
                          .integrator = &ss_integrator_event_driven,
                          .options = options,
                          .dt = 0.01,
                          .t_end = 0.1};
    SS_CHECK (ss_simulate_job (&job, NULL, &result, &err) == SS_OK);
    SS_CHECK (result.outcome == SS_OUTCOME_COMPLETED);
    SS_CHECK (result.events != NULL && result.events->n_items > 0);
    SS_CHECK (result.metrics.energy_final <= result.metrics.energy_initial + 1e-9);
    SS_CHECK (result.metrics.max_penetration < 1e-9); /* m */
    ss_sim_result_clear (&result);
    ss_free (options);
  }
  ss_scenario_free (scenario);
}

int
main (void)
{
  SS_RUN (a_row_of_boxes_is_hit);
  SS_RUN (a_row_is_hit_in_a_motion);
  return ss_test_finish ();
}
