/* tests/numeric/test-ways-on.c: what would make a failed plan solvable. Truth: scenes whose only fault is known; the
 * changed scene solved once more, from its text, by a method that had no part in the search; the judge. */
#include "plan/ss-ways-on.h"

#include "nlp/ss-auto.h"
#include "nlp/ss-crisp.h"
#include "run/ss-run.h"
#include "ss-test-scenario.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A disc pushes a box from 0 to 0.8 m along a floor. */
typedef struct {
  double height, horizon, limit, disc;
  bool has_wall, has_ceiling;
} Push;

static const Push plain = {.height = 0.15, .horizon = 2, .limit = 20, .disc = -0.5};

static SsScenario *
push (Push p)
{
  char text[2400];

  snprintf (text, sizeof text,
            "{\"format\": 1, \"name\": \"push\", \"scene\": {\"gravity\": [0, -9.81], \"friction\": 0.3, \"bodies\": ["
            "{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]}},"
            "{\"name\": \"box\", \"mass\": 1, \"position\": [0, 0.15],"
            " \"shape\": {\"type\": \"box\", \"width\": 0.4, \"height\": 0.3}},"
            "{\"name\": \"disc\", \"mass\": 0.5, \"lock\": [\"theta\"], \"position\": [%g, 0.12],"
            " \"shape\": {\"type\": \"circle\", \"radius\": 0.1}}%s%s],"
            "\"actuators\": ["
            "{\"name\": \"fx\", \"type\": \"force\", \"body\": \"disc\", \"direction\": [1, 0], \"lower\": -%g, "
            "\"upper\": %g},"
            "{\"name\": \"fy\", \"type\": \"force\", \"body\": \"disc\", \"direction\": [0, 1], \"lower\": -20, "
            "\"upper\": 20}]},"
            "\"task\": {\"horizon\": %g, \"steps\": %d, \"targets\": [{\"body\": \"box\", \"position\": [0.8, %g], "
            "\"angle\": 0, \"velocity\": [0, 0], \"angular_velocity\": 0}], \"effort\": 0.01}}",
            p.disc,
            p.has_wall ? ", {\"name\": \"wall\", \"fixed\": true, \"position\": [0.45, 1], \"shape\": {\"type\": "
                         "\"box\", \"width\": 0.1, \"height\": 2}}"
                       : "",
            p.has_ceiling ? ", {\"name\": \"ceiling\", \"fixed\": true, \"position\": [0, 0.5], \"shape\": {\"type\": "
                            "\"box\", \"width\": 6, \"height\": 0.2}}"
                          : "",
            p.limit, p.limit, p.horizon, (int)lround (p.horizon / 0.05), p.height);
  return ss_test_read_text (text);
}

/* Fails at once: CRISP has no iterations to speak of. Then ways on. */
static void
fail (const SsScenario *scenario, double seconds, SsRunResult *result)
{
  SsCrispOptions options;
  SsJob job = ss_job (ss_method_find (SS_METHOD_OPTIMISER, "crisp", NULL), scenario, &options);
  SsError err = {0};

  ss_options_init (ss_nlp_crisp.options, &options);
  options.k_max = 2;
  job.solve.ways_on = seconds;
  SS_CHECK (ss_run (&job, NULL, result, &err) == SS_OK);
  SS_CHECK (!ss_outcome_is_success (result->outcome));
}

static const SsWayOn *
find (const SsRunResult *result, const char *kind)
{
  for (int i = 0; i < result->n_ways; i++)
    if (strcmp (result->ways[i].kind, kind) == 0 && result->ways[i].outcome == SS_OUTCOME_SOLVED)
      return &result->ways[i];
  return NULL;
}

/* The changed scene is solved, by another member of the race with another seed. */
static void
check_again (const SsScenario *scenario, const SsWayOn *way)
{
  SsAutoOptions options;
  SsRunResult result;
  SsError err = {0};
  char *text = NULL;

  SS_CHECK (ss_scenario_with_edits (scenario, way->edits, way->n_edits, &text, &err) == SS_OK);
  SsScenario *changed = ss_test_read_text (text);
  SsJob job = ss_job (ss_method_find (SS_METHOD_OPTIMISER, "auto", NULL), changed, &options);
  ss_options_init (ss_nlp_auto.options, &options);
  options.member = SS_RACE_AGAIN;
  options.seed = 7;
  options.refine = 0;
  SsRunControl control;
  ss_run_control_init (&control);
  SS_CHECK (ss_run (&job, &control, &result, &err) == SS_OK);
  SS_CHECK (result.outcome == SS_OUTCOME_SOLVED);
  ss_run_result_clear (&result);
  ss_scenario_free (changed);
  ss_free (text);
}

static void
the_fault_is_found (void)
{
  static const struct {
    Push push;
    const char *kind;
    double seconds; /* of the search */
  } cases[] = {
      {{0.15, 0.3, 20, -0.5, false, false}, "time", 1.25},
      {{0.15, 2, 2, -0.5, false, false}, "actuators", 1.25}, /* below the friction of 2.9 N */
      {{0.15, 2, 20, -0.5, true, false}, "contacts", 2.5},
      {{0.15, 2, 20, 0.5, false, true}, "start", 1.25}, /* there is no way round the box */
  };

  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    SsScenario *scenario = push (cases[i].push);
    SsRunResult result;

    fail (scenario, cases[i].seconds, &result);
    const SsWayOn *way = find (&result, cases[i].kind);
    if (way == NULL)
      fprintf (stderr, "%s: %s\n", cases[i].kind, result.message);
    SS_CHECK (way != NULL);
    SS_CHECK (way == NULL || strncmp (result.message, "Solvable with ", 14) == 0);
    if (way != NULL)
      check_again (scenario, way);
    ss_run_result_clear (&result);
    ss_scenario_free (scenario);
  }
}

/* The box shall stand still in the air: a change that leaves the goal there cannot help, and none is said to. */
static void
nothing_is_said_that_was_not_tried (void)
{
  static const char *const goal_stays[] = {"time", "start", "actuators", "contacts", "friction"};
  SsScenario *scenario = push ((Push){1.5, 2, 20, -0.5, false, false});
  SsRunResult result;

  fail (scenario, 2, &result);
  SS_CHECK (result.n_ways > 0);
  for (size_t i = 0; i < sizeof goal_stays / sizeof *goal_stays; i++)
    SS_CHECK (find (&result, goal_stays[i]) == NULL);
  ss_run_result_clear (&result);
  ss_scenario_free (scenario);
}

/* Counted work: the same ways, costs and work again. */
static void
the_same_again (void)
{
  SsScenario *scenario = push ((Push){0.15, 0.3, 20, -0.5, false, false});
  SsRunResult a, b;

  fail (scenario, 1, &a);
  fail (scenario, 1, &b);
  SS_CHECK (a.n_ways == b.n_ways && a.n_ways > 0);
  for (int i = 0; i < a.n_ways && i < b.n_ways; i++) {
    SS_CHECK (strcmp (a.ways[i].words, b.ways[i].words) == 0 && a.ways[i].outcome == b.ways[i].outcome);
    SS_CHECK (a.ways[i].objective == b.ways[i].objective || isnan (a.ways[i].objective));
    SS_CHECK (a.ways[i].work == b.ways[i].work);
  }
  SS_CHECK (strcmp (a.message, b.message) == 0);
  ss_run_result_clear (&a);
  ss_run_result_clear (&b);
  ss_scenario_free (scenario);
}

/* A scene that is solvable as it is needs no change, and none is proposed. */
static void
no_change_where_none_is_needed (void)
{
  SsScenario *scenario = push (plain);
  SsRunResult result;

  fail (scenario, 2, &result);
  SS_CHECK (result.n_ways == 1 && find (&result, "method") != NULL && result.ways[0].n_edits == 0);
  ss_run_result_clear (&result);
  ss_scenario_free (scenario);
}

/* Off, of a success, and after a cancel nothing is tried. */
static void
only_after_a_failure (void)
{
  SsScenario *scenario = push (plain);
  SsRunResult result;
  SsRunControl control;
  SsError err = {0};
  SsJob job = ss_job (ss_method_find (SS_METHOD_OPTIMISER, "crisp", NULL), scenario, NULL);

  fail (scenario, 0, &result);
  SS_CHECK (result.n_ways == 0 && result.ways == NULL);
  ss_run_result_clear (&result);
  ss_run_control_init (&control);
  ss_run_control_cancel (&control);
  job.solve.ways_on = 1;
  SS_CHECK (ss_run (&job, &control, &result, &err) == SS_OK && result.outcome == SS_OUTCOME_CANCELLED);
  SS_CHECK (result.n_ways == 0);
  ss_run_result_clear (&result);
  ss_scenario_free (scenario);
}

int
main (void)
{
  SS_RUN_SLOW (the_fault_is_found);
  SS_RUN (nothing_is_said_that_was_not_tried);
  SS_RUN_SLOW (the_same_again);
  SS_RUN (no_change_where_none_is_needed);
  SS_RUN (only_after_a_failure);
  return ss_test_finish ();
}
