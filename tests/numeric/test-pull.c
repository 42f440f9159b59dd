/* tests/numeric/test-pull.c: pulled outcomes. Truth: closed forms of flights with bounces and of slides, conditions of
 * a least change, and the found scene simulated by another integrator. */
#include "core/ss-memory.h"
#include "fit/ss-pull.h"
#include "ss-test-scenario.h"

#include <math.h>

static const double g = 9.81;

#define FLOOR "{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]}}"
#define WALL                                                                                                           \
  "{\"name\": \"wall\", \"fixed\": true, \"position\": [3, 0], \"shape\": {\"type\": \"half-plane\", \"normal\": "     \
  "[-1, "                                                                                                              \
  "0]}}"

/* A ball that is thrown between floor and wall; its radius is 0.1. */
static const char throw_text[] =
    "{\"format\": 1, \"name\": \"throw\", \"parameters\": {\"e\": {\"value\": 0.7, \"minimum\": 0, \"maximum\": 1}}, "
    "\"scene\": {\"gravity\": [0, -9.81], \"restitution\": \"e\", \"friction\": 0, \"bodies\": [" FLOOR ", " WALL
    ", {\"name\": \"ball\", \"mass\": 1, \"position\": [0, 1.1], \"velocity\": [1.5, 1], \"shape\": {\"type\": "
    "\"circle\", \"radius\": 0.1}}], \"contacts\": \"all\"}, \"task\": {\"t_end\": 1.3, \"dt\": 0.05}}";
/* A box that slides to rest, or up to the wall, where it stays. */
static const char slide_text[] =
    "{\"format\": 1, \"name\": \"slide\", \"parameters\": {\"mu\": {\"value\": 0.4, \"minimum\": 0.2, \"maximum\": "
    "0.6}}, "
    "\"scene\": {\"gravity\": [0, -9.81], \"friction\": \"mu\", \"bodies\": [" FLOOR ", " WALL
    ", {\"name\": \"box\", \"mass\": 2, \"position\": [0, 0.1], \"velocity\": [2, 0], \"shape\": {\"type\": \"box\", "
    "\"width\": 0.4, \"height\": 0.2}}], \"contacts\": \"all\"}, \"task\": {\"t_end\": 2, \"dt\": 0.05}}";

/* Height above its lowest place of a ball that starts at height h with speed v upwards, after t, and the time of the
 * n-th impact. */
static double
bounce (double h, double v, double e, double t, int n, double *t_impact)
{
  double at = 0;
  for (int k = 0;; k++) {
    const double flight = (v + sqrt (v * v + 2 * g * h)) / g;
    if (k + 1 == n)
      *t_impact = at + flight;
    if (at + flight > t && k + 1 >= n)
      return h + v * (t - at) - g * (t - at) * (t - at) / 2;
    at += flight;
    v = e * (g * flight - v);
    h = 0;
  }
}

static SsPull
pull (const SsScenario *scenario, const char *method, const SsPullWant *wants, int n_wants, const SsPullCause *causes,
      int n_causes, bool wants_others)
{
  SsError err = {0};
  SsPull result = {0};
  const SsMethod *found = ss_method_find (SS_METHOD_INTEGRATOR, method, &err);
  void *options = ss_alloc (1, found->options->size);
  ss_method_init_options (found, scenario, options);
  const SsPullJob job = {.scenario = scenario,
                         .method = found,
                         .options = options,
                         .dt = NAN,
                         .t_end = NAN,
                         .n_causes = n_causes,
                         .causes = causes,
                         .n_wants = n_wants,
                         .wants = wants,
                         .wants_others = wants_others};
  const SsStatus status = ss_pull (&job, NULL, &result, &err);
  SS_CHECK (status == SS_OK);
  if (status != SS_OK)
    printf ("  %s\n", err.message);
  ss_free (options);
  return result;
}

/* One outcome, one number. */
static SsPull
pull_one (const SsScenario *scenario, const char *formula, double value, const char *cause, double lower, double upper)
{
  const SsPullWant want = {formula, value, NAN};
  const SsPullCause causes[] = {{cause, lower, upper}};
  return pull (scenario, "event-driven", &want, 1, causes, 1, false);
}

static bool
is_near (const char *what, double value, double truth, double tolerance)
{
  const bool is_so = fabs (value - truth) <= tolerance;
  if (!is_so)
    printf ("  %s: %.12g, not %.12g: off by %.2e\n", what, value, truth, value - truth);
  return is_so;
}

/* What another integrator makes of the found scene. */
static double
value_elsewhere (const SsPull *result, const char *method, const char *formula)
{
  SsScenario *scenario = ss_test_read_text (result->scenario);
  const SsPullWant want = {formula, 0, 1e9};
  const SsPullCause cause = {"gravity.y", NAN, NAN};
  SsPull again = pull (scenario, method, &want, 1, &cause, 1, false);
  const double value = again.outcomes[0].was;
  ss_pull_clear (&again);
  ss_scenario_free (scenario);
  return value;
}

/* The flight: start speed, restitution, time of an impact. Another integrator finds the same places (fesd-j, whose
 * impacts are exact) or nearly (moreau-jean at 50 ms, whose impacts are late by up to a step). */
static void
flights_are_pulled (void)
{
  SsScenario *scenario = ss_test_read_text (throw_text);
  double t2, t3;
  SsPull r = pull_one (scenario, "final(ball.y)", 0.4, "ball.vy", NAN, NAN);
  SS_CHECK (r.is_reached && r.stop == SS_PULL_NONE);
  SS_CHECK (is_near ("y by vy", 0.1 + bounce (1, r.changes[0].value, 0.7, 1.3, 2, &t2), 0.4, 1e-6));
  SS_CHECK (is_near ("y elsewhere", value_elsewhere (&r, "fesd-j", "final(ball.y)"), 0.4, 1e-6));
  ss_pull_clear (&r);
  r = pull_one (scenario, "final(ball.y)", 0.5, "e", NAN, NAN);
  SS_CHECK (r.is_reached && is_near ("y by e", 0.1 + bounce (1, 1, r.changes[0].value, 1.3, 1, &t2), 0.5, 1e-6));
  ss_pull_clear (&r);
  r = pull_one (scenario, "last(impact ball floor).t - first(impact ball floor).t", 0.6, "ball.y", 0.2, 3);
  const double h = r.changes[0].value - 0.1;
  bounce (h, 1, 0.7, 0, 1, &t2);
  bounce (h, 1, 0.7, 0, 2, &t3);
  SS_CHECK (r.is_reached && is_near ("phase", t3 - t2, 0.6, 2e-6));
  ss_pull_clear (&r);
  r = pull_one (scenario, "first(impact ball floor).t", 0.5, "ball.vy", NAN, NAN);
  bounce (1, r.changes[0].value, 0.7, 0, 1, &t2);
  SS_CHECK (r.is_reached && is_near ("t by vy", t2, 0.5, 1e-6));
  SS_CHECK (is_near ("t elsewhere", value_elsewhere (&r, "moreau-jean", "first(impact ball floor).t"), 0.5, 0.051));
  ss_pull_clear (&r);
  ss_scenario_free (scenario);
}

/* By the wall: x = 2.9 - e (1.3 v - 2.9) is 2 with v = 3.22, and x = 1.3 v with v = 1.538; beyond 2.9 is none. */
static void
the_wall_gives_two_causes_and_a_nearest (void)
{
  SsScenario *scenario = ss_test_read_text (throw_text);
  const SsPullWant want = {"final(ball.x)", 2, NAN};
  const SsPullCause cause = {"ball.vx", 0, 5};
  SsPull r = pull (scenario, "event-driven", &want, 1, &cause, 1, true);
  SS_CHECK (r.is_reached && r.has_same_sequence && is_near ("v", r.changes[0].value, 2 / 1.3, 1e-6));
  SS_CHECK (is_near ("slope", r.slopes[0], 1.3, 1e-6));
  SS_CHECK (r.n_others == 1 && is_near ("v by the wall", r.others[0].values[0], (2.9 + 0.9 / 0.7) / 1.3, 2e-6));
  ss_pull_clear (&r);
  r = pull_one (scenario, "final(ball.x)", 3.5, "ball.vx", 0, 5);
  SS_CHECK (!r.is_reached && r.stop == SS_PULL_TURN && r.event_subject >= 0);
  SS_CHECK (is_near ("nearest", r.outcomes[0].value, 2.9, 1e-6) && is_near ("there", r.at, 2.9 / 1.3, 1e-6));
  SS_CHECK (strstr (scenario->scene->contacts[r.event_subject].name, "wall") != NULL);
  ss_pull_clear (&r);
  ss_scenario_free (scenario);
}

/* x = v^2 / (2 mu g), and 2.8 at the wall. */
static void
slides_are_pulled_and_say_what_stands_in_the_way (void)
{
  SsScenario *scenario = ss_test_read_text (slide_text);
  SsPull r = pull_one (scenario, "final(box.x)", 0.7, "mu", NAN, NAN);
  SS_CHECK (r.is_reached && is_near ("mu", r.changes[0].value, 4 / (2 * g * 0.7), 1e-6));
  ss_pull_clear (&r);
  r = pull_one (scenario, "final(box.x)", 0.1, "mu", NAN, NAN);
  SS_CHECK (!r.is_reached && r.stop == SS_PULL_BOUND && r.changes[0].is_at_bound && r.changes[0].value == 0.6);
  SS_CHECK (is_near ("nearest", r.outcomes[0].value, 4 / (2 * 0.6 * g), 1e-9));
  ss_pull_clear (&r);
  r = pull_one (scenario, "final(box.x)", 0.7, "box.mass", NAN, NAN);
  SS_CHECK (!r.is_reached && r.stop == SS_PULL_NO_DEPENDENCE && r.changes[0].value == 2);
  ss_pull_clear (&r);
  r = pull_one (scenario, "final(box.x)", 2.95, "box.vx", 0, 8);
  SS_CHECK (!r.is_reached && r.stop == SS_PULL_HELD && is_near ("held", r.outcomes[0].value, 2.8, 1e-6));
  ss_pull_clear (&r);
  r = pull_one (scenario, "first(separation box wall).t", 1, "mu", NAN, NAN);
  SS_CHECK (!r.is_reached && r.stop == SS_PULL_NO_OUTCOME);
  ss_pull_clear (&r);
  ss_scenario_free (scenario);
}

/* With two numbers the change is the least: in sizes it is parallel to the derivatives. With two outcomes it is the
 * only one. */
static void
several_numbers_change_least (void)
{
  SsScenario *scenario = ss_test_read_text (slide_text);
  const SsPullWant want = {"final(box.x)", 0.8, NAN};
  const SsPullCause causes[] = {{"box.vx", NAN, NAN}, {"mu", NAN, NAN}};
  SsPull r = pull (scenario, "event-driven", &want, 1, causes, 2, false);
  const double v = r.changes[0].value, mu = r.changes[1].value;
  SS_CHECK (r.is_reached && is_near ("x", v * v / (2 * mu * g), 0.8, 1e-6));
  const double by_v = v / (mu * g) * r.changes[0].size, by_mu = -v * v / (2 * mu * mu * g) * r.changes[1].size;
  const double dv = (v - 2) / r.changes[0].size, dmu = (mu - 0.4) / r.changes[1].size;
  SS_CHECK (is_near ("parallel", (dv * by_mu - dmu * by_v) / hypot (by_v, by_mu), 0, 1e-4 * hypot (dv, dmu)));
  ss_pull_clear (&r);
  ss_scenario_free (scenario);

  scenario = ss_test_read_text (throw_text);
  const SsPullWant wants[] = {{"final(ball.x)", 2.5, NAN}, {"final(ball.y)", 0.3, NAN}};
  const SsPullCause starts[] = {{"ball.vx", NAN, NAN}, {"ball.vy", NAN, NAN}};
  double t;
  r = pull (scenario, "event-driven", wants, 2, starts, 2, false);
  SS_CHECK (r.is_reached && is_near ("vx", r.changes[0].value, 2.5 / 1.3, 1e-5));
  SS_CHECK (is_near ("y", 0.1 + bounce (1, r.changes[1].value, 0.7, 1.3, 1, &t), 0.3, 1e-6));
  ss_pull_clear (&r);
  ss_scenario_free (scenario);
}

/* The range: up to v = 2.9 / 1.3 without the wall, where the outcome goes on and turns. */
static void
the_range_has_its_changes_of_sequence (void)
{
  SsScenario *scenario = ss_test_read_text (throw_text);
  SsError err = {0};
  const SsMethod *method = ss_method_find (SS_METHOD_INTEGRATOR, "event-driven", &err);
  void *options = ss_alloc (1, method->options->size);
  ss_method_init_options (method, scenario, options);
  const SsPullWant want = {"final(ball.x)", NAN, NAN};
  const SsPullCause cause = {"ball.vx", 1, 3};
  const SsPullJob job = {.scenario = scenario,
                         .method = method,
                         .options = options,
                         .dt = NAN,
                         .t_end = NAN,
                         .n_causes = 1,
                         .causes = &cause,
                         .n_wants = 1,
                         .wants = &want};
  SsReach reach;
  SS_CHECK (ss_reach (&job, 0, 9, NULL, &reach, &err) == SS_OK);
  SS_CHECK (reach.n_edges >= 1 && reach.n_sequences >= 2 && reach.lower == 1 && reach.upper == 3);
  const SsReachPoint *at = &reach.points[reach.edges[0].point];
  SS_CHECK (is_near ("edge", at->at, 2.9 / 1.3, 3e-6) && !reach.edges[0].is_jump);
  for (int i = 0; i < reach.n_points; i++) {
    const SsReachPoint *p = &reach.points[i];
    const double way = 1.3 * p->at, x = way <= 2.9 ? way : 2.9 - 0.7 * (way - 2.9);
    SS_CHECK (is_near ("x", p->values[0], x, 1e-9) && (i == 0 || p->at > p[-1].at));
    bool is_edge = false; /* which may have none */
    for (int k = 0; k < reach.n_edges; k++)
      is_edge = is_edge || reach.edges[k].point == i || reach.edges[k].point + 1 == i;
    SS_CHECK ((is_edge && isnan (p->slopes[0])) ||
              is_near ("slope", p->slopes[0], way <= 2.9 ? 1.3 : -0.7 * 1.3, 1e-6));
  }
  ss_reach_clear (&reach);
  ss_free (options);
  ss_scenario_free (scenario);
}

static void
what_cannot_be_pulled_is_refused (void)
{
  SsScenario *scenario = ss_test_read_text (slide_text);
  const SsMethod *method = ss_method_find (SS_METHOD_INTEGRATOR, "event-driven", NULL);
  static const SsPullWant wants[] = {{"final(box.q)", 1, NAN}, {"final(box.x)", 1, NAN}};
  static const SsPullCause causes[] = {{"mu", NAN, NAN}, {"nu", NAN, NAN}, {"mu", 0.5, 0.6}};
  for (int k = 0; k < 3; k++) {
    SsPull result = {0};
    SsError err = {0};
    void *options = ss_alloc (1, method->options->size);
    ss_method_init_options (method, scenario, options);
    const SsPullJob job = {.scenario = scenario,
                           .method = method,
                           .options = options,
                           .dt = NAN,
                           .t_end = NAN,
                           .n_causes = 1,
                           .causes = &causes[k],
                           .n_wants = 1,
                           .wants = &wants[k > 0]};
    SS_CHECK (ss_pull (&job, NULL, &result, &err) == SS_ERR_INVALID && err.message[0] != '\0');
    ss_free (options);
  }
  ss_scenario_free (scenario);
}

int
main (void)
{
  SS_RUN (flights_are_pulled);
  SS_RUN (the_wall_gives_two_causes_and_a_nearest);
  SS_RUN (slides_are_pulled_and_say_what_stands_in_the_way);
  SS_RUN (several_numbers_change_least);
  SS_RUN (the_range_has_its_changes_of_sequence);
  SS_RUN (what_cannot_be_pulled_is_refused);
  return ss_test_finish ();
}
