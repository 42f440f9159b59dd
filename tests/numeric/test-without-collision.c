/* tests/numeric/test-without-collision.c: impacts without a collision (P. Painleve 1895; Z. Zhao, C. Liu, B. Chen,
 * Multibody Syst. Dyn. 19, 2008) by event-driven with law=set-valued, and by fesd-j as the limit of short time steps,
 * against Routh's process for a rod, which is written out here: slip at the edge of the cone until it has ended, then
 * stick until nothing approaches. */
#include "fesd/ss-event-driven.h"
#include "fesd/ss-fesd-j.h"
#include "judge/ss-motion.h"
#include "ss-test-scenario.h"

#include "core/ss-memory.h"
#include "core/ss-random.h"
#include "ss-test-simulate.h"

static const double g = 9.81;

/* ---- the rod ----------------------------------------------------------------------------------------------------- */

/* A slender rod on its left end, which slides to the left; it turns with omega. */
typedef struct {
  double m, l, phi, mu, v, omega;
} Rod;

/* What follows of it. */
typedef struct {
  double a, b;          /* normal acceleration of the end: a force / m + b */
  double vx, vy, omega; /* after the impact */
  double pn, pt;        /* its impulse */
  double stick;         /* tangential over normal impulse while the end sticks */
} Truth;

static SsScenario *
scenario_of (const Rod *r)
{
  char text[1200];
  const double x = r->l / 2 * cos (r->phi), y = r->l / 2 * sin (r->phi);
  snprintf (text, sizeof text,
            "{\"format\": 1, \"name\": \"rod\", \"scene\": {\"gravity\": [0, %.17g], \"friction\": %.17g, \"bodies\": ["
            "{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]}}, "
            "{\"name\": \"rod\", \"shape\": {\"type\": \"segment\", \"length\": %.17g}, \"mass\": %.17g, "
            "\"inertia\": %.17g, \"position\": [%.17g, %.17g], \"angle\": %.17g, \"velocity\": [%.17g, %.17g], "
            "\"angular_velocity\": %.17g}]}, \"task\": {\"t_end\": 0.05, \"dt\": 0.005}}",
            -g, r->mu, r->l, r->m, r->m * r->l * r->l / 12, x, y, r->phi, -r->v - r->omega * y, r->omega * x, r->omega);
  return ss_test_read_text (text);
}

/* With the end at (-x, -y) from the middle: v_end = v + omega (y, -x), and an impulse (pt, pn) changes the end's
 * velocity by (1 + 12 y^2/l^2, -12 x y/l^2; -12 x y/l^2, 1 + 12 x^2/l^2)/m (pt, pn). */
static Truth
truth_of (const Rod *r)
{
  const double x = r->l / 2 * cos (r->phi), y = r->l / 2 * sin (r->phi), k = 12 / (r->l * r->l);
  const double tt = (1 + k * y * y) / r->m, tn = -k * x * y / r->m, nn = (1 + k * x * x) / r->m;
  Truth truth = {.a = r->m * (nn + tn * r->mu), .b = -g + r->omega * r->omega * y};
  /* slip to the left, friction to the right: until -v + (tn + tt mu) pn = 0 */
  const double slides = r->v / (tn + tt * r->mu), depth = (nn + tn * r->mu) * slides;
  /* then (tt pt + tn pn) = 0 until the end, which approaches by depth < 0, does so no more */
  truth.stick = -tn / tt;
  const double sticks = -depth / (nn + tn * truth.stick);
  truth.pn = slides + sticks;
  truth.pt = r->mu * slides + truth.stick * sticks;
  truth.vx = -r->v - r->omega * y + truth.pt / r->m;
  truth.vy = r->omega * x + truth.pn / r->m;
  truth.omega = r->omega + k / r->m * (y * truth.pt - x * truth.pn);
  return truth;
}

/* ---- runs -------------------------------------------------------------------------------------------------------- */

static SsSimResult
attempt (const SsIntegratorClass *integrator, const SsScene *scene, const char *const *texts, double dt, double t_end)
{
  SsSimResult result = {0};
  SsError err = {0};
  void *options = ss_alloc (1, integrator->options->size);
  ss_test_set_options (integrator->options, options, texts, &err);
  const SsSimJob job = {.scene = scene, .integrator = integrator, .options = options, .dt = dt, .t_end = t_end};
  SS_CHECK (ss_simulate_job (&job, NULL, &result, &err) == SS_OK);
  ss_free (options);
  return result;
}

static const char *const set_valued[] = {"law=set-valued", NULL};

static const SsEvent *
event_of (const SsSimResult *result, SsEventKind kind)
{
  for (int i = 0; i < result->events->n_items; i++)
    if (result->events->items[i].kind == kind)
      return &result->events->items[i];
  return NULL;
}

static double
energy (const Rod *r, const SsTrajectory *motion, int row)
{
  const double vx = ss_test_value (motion, row, "rod.vx"), vy = ss_test_value (motion, row, "rod.vy"),
               omega = ss_test_value (motion, row, "rod.omega");
  return r->m * (vx * vx + vy * vy + r->l * r->l / 12 * omega * omega) / 2 +
         r->m * g * ss_test_value (motion, row, "rod.y");
}

/* The judge's word on the whole motion, and an energy that falls but for the scheme's error: 1e-6 of it. */
static void
check_motion (const Rod *r, const SsScene *scene, const SsSimResult *result)
{
  SsMotionVerdict verdict;
  SS_CHECK (ss_motion_judge (scene, result->trajectory, true, NULL, &verdict, NULL) == SS_OK);
  SS_CHECK (verdict.penetration.value < 1e-9);
  SS_CHECK (verdict.cone.value < 1e-9);
  ss_motion_verdict_clear (&verdict);
  SS_CHECK (result->metrics.own_residual < 1e-8 && result->metrics.n_law_missed == 0);
  const double first = energy (r, result->trajectory, 0);
  for (int row = 1; row < result->trajectory->n_rows; row++)
    SS_CHECK (energy (r, result->trajectory, row) <= first + 1e-6 * fabs (first));
}

/* ---- tests ------------------------------------------------------------------------------------------------------- */

/* Rods of all kinds: where the end would sink without a force and a force pushes it down (a < 0, b < 0), the run begins
 * with the impact of the closed form; everywhere else, where some mode is consistent, there is none. */
static void
check_rods (const SsIntegratorClass *integrator, const char *const *options)
{
  int n_inconsistent = 0, n_indeterminate = 0, n_ordinary = 0, n_later = 0;
  SsRandom random;
  ss_random_seed (&random, 1895);
  for (int trial = 0; trial < 60; trial++) {
    const Rod r = {.m = ss_random_between (&random, 0.2, 5),
                   .l = ss_random_between (&random, 0.3, 3),
                   .phi = ss_random_between (&random, 0.3, 1.4),
                   .mu = ss_random_between (&random, 0.5, 4),
                   .v = ss_random_between (&random, 0.5, 6),
                   .omega = ss_random_between (&random, -8, 8)};
    const Truth truth = truth_of (&r);
    if (fabs (truth.a) < 1e-3 || fabs (truth.b) < 1e-2) /* too near to tell the cases apart */
      continue;
    const bool is_inconsistent = truth.a < 0 && truth.b < 0;
    const int before = ss_test_failed_checks;
    n_inconsistent += is_inconsistent;
    n_indeterminate += truth.a < 0 && truth.b > 0;
    n_ordinary += truth.a > 0;
    SsScenario *scenario = scenario_of (&r);
    SsSimResult result = attempt (integrator, scenario->scene, options, 0.005, 0.05);
    const SsEvent *event = event_of (&result, SS_EVENT_WITHOUT_COLLISION);
    SS_CHECK (result.outcome == SS_OUTCOME_COMPLETED);
    n_later += event != NULL && event->t > 0;
    SS_CHECK (is_inconsistent ? event != NULL && event->t == 0 : event == NULL || event->t > 0);
    check_motion (&r, scenario->scene, &result);
    if (is_inconsistent && event != NULL && result.trajectory->n_rows > 1) {
      /* roundings of speeds of some m/s, some of them divided by small a; the law leaves approaches of 1e-8 m/s */
      const double tolerance = 2e-8 * fmax (1, r.m);
      SS_CHECK (truth.stick < r.mu && truth.pn > 0);
      SS_CHECK_NEAR (event->impulse, truth.pn, tolerance);
      SS_CHECK (ss_test_value (result.trajectory, 1, "t") == 0);
      SS_CHECK_NEAR (ss_test_value (result.trajectory, 1, "rod.vx"), truth.vx, tolerance);
      SS_CHECK_NEAR (ss_test_value (result.trajectory, 1, "rod.vy"), truth.vy, tolerance);
      SS_CHECK_NEAR (ss_test_value (result.trajectory, 1, "rod.omega"), truth.omega, tolerance * 12 / r.l);
      SS_CHECK (energy (&r, result.trajectory, 1) < energy (&r, result.trajectory, 0));
    }
    if (ss_test_failed_checks > before)
      printf ("  trial %d: m %.3g l %.3g phi %.3g mu %.3g v %.3g omega %.3g: a %.3g b %.3g: %s\n", trial, r.m, r.l,
              r.phi, r.mu, r.v, r.omega, truth.a, truth.b, result.message);
    ss_sim_result_clear (&result);
    ss_scenario_free (scenario);
  }
  printf ("  %d inconsistent, %d indeterminate, %d ordinary; %d with an impact later\n", n_inconsistent,
          n_indeterminate, n_ordinary, n_later);
  SS_CHECK (n_inconsistent >= 5 && n_indeterminate >= 5 && n_ordinary >= 20);
}

/* [002 (53)]. */
static void
test_rods (void)
{
  check_rods (&ss_integrator_event_driven, set_valued);
}

static void
test_rods_by_short_steps (void)
{
  check_rods (&ss_integrator_fesd_j, (const char *const[]){NULL});
}

/* The example: then the end sticks, and the rod turns about it as a pendulum, 2/3 l long, whose energy stays. */
static void
test_example (void)
{
  static const char *const options[][3] = {
      {"law=set-valued", NULL}, {"law=set-valued", "law.rates=equal", NULL}, {"law=set-valued", "law.seed=7", NULL}};
  const Rod r = {.m = 1, .l = 1, .phi = 1, .mu = 2, .v = 3};
  const Truth truth = truth_of (&r);
  SsScenario *scenario = ss_test_read_file ("examples/classics/painleve-rod.stickslip.json", NULL, 0);
  for (size_t k = 0; k < sizeof options / sizeof *options; k++) {
    SsSimResult result = attempt (&ss_integrator_event_driven, scenario->scene, options[k], 0.005, 0.2);
    const SsEvent *event = event_of (&result, SS_EVENT_WITHOUT_COLLISION);
    SS_CHECK (result.outcome == SS_OUTCOME_COMPLETED && event != NULL && event->t == 0 && event->is_exact);
    SS_CHECK (result.events->n_items == 1);
    if (event != NULL)
      SS_CHECK_NEAR (event->impulse, truth.pn, 1e-10);
    const int last = result.trajectory->n_rows - 1;
    const double omega = ss_test_value (result.trajectory, last, "rod.omega"),
                 theta = ss_test_value (result.trajectory, last, "rod.theta");
    SS_CHECK_NEAR (ss_test_value (result.trajectory, 1, "rod.omega"), truth.omega, 1e-10);
    /* the scheme's error over forty elements */
    SS_CHECK_NEAR (omega * omega, truth.omega * truth.omega + 3 * g / r.l * (sin (r.phi) - sin (theta)), 1e-7);
    check_motion (&r, scenario->scene, &result);
    ss_sim_result_clear (&result);
  }
  ss_scenario_free (scenario);
}

/* Laws that do not know such impacts go through by short time steps: the end sticks as Routh's does. */
static void
test_other_laws (void)
{
  static const char *const laws[] = {"law=newton", "law=anitescu-potra", "law=sequential", NULL};
  const Truth truth = truth_of (&(const Rod){.m = 1, .l = 1, .phi = 1, .mu = 2, .v = 3});
  SsScenario *scenario = ss_test_read_file ("examples/classics/painleve-rod.stickslip.json", NULL, 0);
  for (int k = 0; k < 4; k++) {
    const char *const options[] = {laws[k], NULL};
    SsSimResult result = attempt (laws[k] != NULL ? &ss_integrator_event_driven : &ss_integrator_fesd_j,
                                  scenario->scene, options, 0.005, 0.2);
    const SsEvent *event = event_of (&result, SS_EVENT_WITHOUT_COLLISION);
    SS_CHECK (result.outcome == SS_OUTCOME_COMPLETED && event != NULL && event->t == 0);
    if (event != NULL)
      SS_CHECK_NEAR (event->impulse, truth.pn, 1e-10);
    SS_CHECK_NEAR (ss_test_value (result.trajectory, 1, "rod.omega"), truth.omega, 1e-10);
    ss_sim_result_clear (&result);
  }
  ss_scenario_free (scenario);
}

int
main (void)
{
  SS_RUN (test_rods);
  SS_RUN (test_rods_by_short_steps);
  SS_RUN (test_example);
  SS_RUN (test_other_laws);
  return ss_test_finish ();
}
