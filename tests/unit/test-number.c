/* tests/unit/test-number.c: numbers of a scenario by name: found, changed, and read again as they were asked for. */
#include "scene/ss-number.h"

#include "core/ss-core.h"
#include "ss-test-scenario.h"

static const char text[] =
    "{\"format\": 1, \"name\": \"numbers\", \"parameters\": {\"mu\": {\"value\": 0.5, \"minimum\": 0}, \"m\": 2, "
    "\"half\": \"m/2\"}, \"scene\": {\"gravity\": [0, -9.81], \"friction\": \"mu\", \"restitution\": 0.25, \"bodies\": "
    "["
    "{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]}}, "
    "{\"name\": \"box\", \"mass\": 3, \"position\": [0, \"m\"], \"shape\": {\"type\": \"box\", \"width\": 1, "
    "\"height\": 1}}, "
    "{\"name\": \"ell\", \"density\": 10, \"position\": [4, 5], \"angle\": 0.3, \"shape\": {\"type\": \"polygon\", "
    "\"vertices\": [[0, 0], [3, 0], [0, 3]]}}], "
    "\"contacts\": [{\"bodies\": [\"floor\", \"box\"], \"name\": \"foot\", \"friction\": 0.7}, "
    "{\"bodies\": [\"box\", \"ell\"], \"friction\": 0.3}]}, "
    "\"task\": {\"t_end\": 1, \"dt\": 0.01}}";

/* The scenario with one number changed, read again. */
static SsScenario *
with (const SsScenario *scenario, const char *name, double value)
{
  char *changed = NULL;
  SsError err = {0};

  SS_CHECK (ss_scenario_with_numbers (scenario, &(SsOverride){name, value}, 1, &changed, &err) == SS_OK);
  SsScenario *again = ss_test_read_text (changed);
  ss_free (changed);
  return again;
}

static void
numbers_come_back_as_they_were_asked_for (void)
{
  static const struct {
    const char *name;
    double value;
  } numbers[] = {{"mu", 0.5},
                 {"m", 2},
                 {"box.x", 0},
                 {"box.y", 2},
                 {"box.vx", 0},
                 {"box.omega", 0},
                 {"ell.angle", 0.3},
                 {"box.mass", 3},
                 {"gravity.y", -9.81},
                 {"foot.friction", .7},
                 {"box-ell.friction", .3},      /* a contact without a name */
                 {"ell-box.friction", .3},      /* its bodies in the other order */
                 {"box-ell.restitution", 0.25}, /* what the scene says, where the contact says nothing */
                 {"foot.rolling", 0},
                 {"scene.cohesion", 0},
                 {"ell.density", 10},
                 {"scene.restitution", 0.25}};
  SsScenario *scenario = ss_test_read_text (text);

  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    const double wanted = numbers[i].value + 0.1;
    SsNumber number;
    SsError err = {0};
    SS_CHECK (ss_scenario_number (scenario, numbers[i].name, &number, &err) == SS_OK);
    SS_CHECK_NEAR (number.value, numbers[i].value, 0);
    SsScenario *again = with (scenario, numbers[i].name, wanted);
    SS_CHECK (ss_scenario_number (again, numbers[i].name, &number, &err) == SS_OK);
    SS_CHECK_NEAR (number.value, wanted, 0);
    ss_scenario_free (again);
  }
  ss_scenario_free (scenario);
}

/* A start is of the centre of mass, also where the file's frame lies beside it and is turned with it. */
static void
a_start_is_of_the_centre_of_mass (void)
{
  SsScenario *scenario = ss_test_read_text (text);
  const SsOverride numbers[] = {{"ell.theta", -1.2}, {"ell.x", 7}};
  char *changed = NULL;

  SS_CHECK (ss_scenario_with_numbers (scenario, numbers, 2, &changed, NULL) == SS_OK);
  SsScenario *again = ss_test_read_text (changed);
  const SsBody *was = &scenario->scene->bodies[2], *is = &again->scene->bodies[2];
  SS_CHECK (hypot (was->origin.x, was->origin.y) > 0.1);
  SS_CHECK_NEAR (is->q[0], 7, 1e-14);
  SS_CHECK_NEAR (is->q[1], was->q[1], 1e-14);
  SS_CHECK_NEAR (is->q[2], -1.2, 0);
  ss_free (changed);
  ss_scenario_free (again);
  ss_scenario_free (scenario);
}

/* Parameters that were overridden stay so, and formulas of them follow. */
static void
overrides_are_kept (void)
{
  SsProblems problems;
  SsScenario *scenario = NULL;

  ss_problems_init (&problems);
  SS_CHECK (ss_scenario_read (text, strlen (text), "", &(SsOverride){"m", 6}, 1, &problems, &scenario) == SS_OK);
  SsScenario *again = with (scenario, "mu", 0.1);
  SS_CHECK_NEAR (again->parameters[2].value, 3, 0);
  SS_CHECK_NEAR (again->scene->bodies[1].q[1], 6, 0);
  ss_scenario_free (again);
  ss_scenario_free (scenario);
  ss_problems_clear (&problems);
}

static void
what_is_no_number_is_told (void)
{
  static const struct {
    const char *name, *part;
  } wrong[] = {{"nu", "did you mean 'mu'"},        {"box.colour", "no number"}, {"ell.mass", "ell.density"},
               {"scene.friction", "formula 'mu'"}, {"crate.x", "no number"},    {"floor-box.friction", "no number"},
               {"box-ell.colour", "no number"}};
  SsScenario *scenario = ss_test_read_text (text);

  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    SsNumber number;
    SsError err = {0};
    SS_CHECK (ss_scenario_number (scenario, wrong[i].name, &number, &err) == SS_ERR_INVALID);
    SS_CHECK_CONTAINS (err.message, wrong[i].part);
  }
  ss_scenario_free (scenario);
}

/* Contacts that the word "all" makes have no place in the file. */
static void
made_contacts_are_told (void)
{
  SsScenario *scenario = ss_test_read_text (
      "{\"format\": 1, \"name\": \"all\", \"scene\": {\"bodies\": [{\"name\": \"floor\", \"fixed\": true, \"shape\": "
      "{\"type\": \"half-plane\", \"normal\": [0, 1]}}, {\"name\": \"box\", \"mass\": 3, \"shape\": {\"type\": "
      "\"box\", "
      "\"width\": 1, \"height\": 1}}], \"contacts\": \"all\"}, \"task\": {\"t_end\": 1, \"dt\": 0.01}}");
  SsNumber number;
  SsError err = {0};

  SS_CHECK (ss_scenario_number (scenario, "floor-box.friction", &number, &err) == SS_ERR_INVALID);
  SS_CHECK_CONTAINS (err.message, "change scene.friction");
  SS_CHECK (ss_scenario_number (scenario, "scene.friction", &number, &err) == SS_OK);
  ss_scenario_free (scenario);
}

int
main (void)
{
  SS_RUN (numbers_come_back_as_they_were_asked_for);
  SS_RUN (a_start_is_of_the_centre_of_mass);
  SS_RUN (overrides_are_kept);
  SS_RUN (what_is_no_number_is_told);
  SS_RUN (made_contacts_are_told);
  return ss_test_finish ();
}
