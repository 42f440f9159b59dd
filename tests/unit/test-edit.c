/* tests/unit/test-edit.c: fields of a file changed by their paths: what was asked for is read again, all else stays. */
#include "scene/ss-edit.h"

#include "core/ss-core.h"
#include "ss-test-scenario.h"

#include <string.h>

static const char text[] =
    "{\"format\": 1, \"name\": \"edit\", \"parameters\": {\"f\": 5}, \"scene\": {\"bodies\": ["
    "{\"name\": \"box\", \"mass\": 3, \"position\": [1, 2], \"shape\": {\"type\": \"circle\", \"radius\": 1}}],"
    "\"actuators\": [{\"name\": \"fx\", \"type\": \"force\", \"body\": \"box\", \"direction\": [1, 0], \"lower\": -4, "
    "\"upper\": \"f\"}]},"
    "\"task\": {\"horizon\": 2, \"steps\": 20, \"targets\": [{\"body\": \"box\", \"position\": [3, null], "
    "\"velocity\": [0, 0]}]}}";

static SsScenario *
edited (const SsEdit *edits, int n)
{
  SsScenario *scenario = ss_test_read_text (text), *again;
  char *changed = NULL;
  SsError err = {0};

  SS_CHECK (ss_scenario_with_edits (scenario, edits, n, &changed, &err) == SS_OK);
  again = ss_test_read_text (changed);
  ss_free (changed);
  ss_scenario_free (scenario);
  return again;
}

static void
fields_are_set_made_and_taken_out (void)
{
  const SsEdit edits[] = {{"task.horizon", "3"},
                          {"task.targets[0].position[0]", "0.5"},
                          {"task.targets[0].velocity", NULL},
                          {"task.targets[0].weight.position", "7"},
                          {"scene.actuators[0].upper", "\"2 * (f)\""},
                          {"scene.friction", "0.25"}};
  SsScenario *s = edited (edits, 6);
  const SsPlan *plan = s->task.plan;

  SS_CHECK_NEAR (plan->horizon, 3, 0);
  SS_CHECK_NEAR (plan->targets[0].value[0], 0.5, 0);
  SS_CHECK (isnan (plan->targets[0].value[3]));
  SS_CHECK_NEAR (plan->targets[0].weight[0], 7, 0);
  SS_CHECK_NEAR (s->scene->actuators[0].upper, 10, 0);
  SS_CHECK_NEAR (s->scene->actuators[0].lower, -4, 0);
  SS_CHECK_NEAR (s->scene->default_mu, 0.25, 0);
  SS_CHECK_NEAR (s->scene->bodies[0].mass, 3, 0);
  ss_scenario_free (s);
}

/* Parameters that were overridden are part of what was solved. */
static void
overrides_are_written (void)
{
  SsScenario *scenario = NULL, *again;
  SsProblems problems;
  char *changed = NULL;
  SsError err = {0};

  ss_problems_init (&problems);
  SS_CHECK (ss_scenario_read (text, strlen (text), "", &(SsOverride){"f", 9}, 1, &problems, &scenario) == SS_OK);
  SS_CHECK (ss_scenario_with_edits (scenario, &(SsEdit){"task.steps", "30"}, 1, &changed, &err) == SS_OK);
  again = ss_test_read_text (changed);
  SS_CHECK_NEAR (again->scene->actuators[0].upper, 9, 0);
  SS_CHECK (again->task.plan->steps == 30);
  ss_free (changed);
  ss_scenario_free (again);
  ss_scenario_free (scenario);
  ss_problems_clear (&problems);
}

/* What is no JSON, of a member, of an element of a list and of one that is not there yet. */
static void
wrong_values_are_told (void)
{
  static const char *const paths[] = {"task.horizon", "task.targets[0].position[0]", "scene.friction"};
  SsScenario *scenario = ss_test_read_text (text);

  for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
    char *changed = NULL;
    SsError err = {0};
    SS_CHECK (ss_scenario_with_edits (scenario, &(SsEdit){paths[i], "2 * f"}, 1, &changed, &err) == SS_ERR_INVALID);
    SS_CHECK (changed == NULL);
    SS_CHECK_CONTAINS (err.message, "needs a number, a formula in quotes");
  }
  ss_scenario_free (scenario);
}

static void
wrong_paths_are_named (void)
{
  static const SsEdit edits[] = {{"task.targets[3].angle", "1"},
                                 {"task..horizon", "1"},
                                 {"", "1"},
                                 {"task.horizon", "not json"},
                                 {"task.targets[0]", NULL},
                                 {"task.targets[x]", "1"},
                                 {"name.part", "1"},
                                 {"scene.nothing.at", NULL},
                                 {"task.targets[].angle", "1"},
                                 {"task.targets[-1].angle", "1"},
                                 {"task.targets[0.angle", "1"}};
  SsScenario *scenario = ss_test_read_text (text);

  for (size_t i = 0; i < sizeof edits / sizeof *edits; i++) {
    char *changed = NULL;
    SsError err = {0};
    SS_CHECK (ss_scenario_with_edits (scenario, &edits[i], 1, &changed, &err) == SS_ERR_INVALID);
    SS_CHECK (changed == NULL && strstr (err.message, edits[i].path) != NULL);
  }
  ss_scenario_free (scenario);
}

int
main (void)
{
  SS_RUN (fields_are_set_made_and_taken_out);
  SS_RUN (overrides_are_written);
  SS_RUN (wrong_values_are_told);
  SS_RUN (wrong_paths_are_named);
  return ss_test_finish ();
}
