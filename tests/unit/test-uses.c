/* tests/unit/test-uses.c: which method a scenario names, and what laws ignore of a scene. */
#include "run/ss-method.h"
#include "scene/ss-uses.h"
#include "tests/ss-test-scenario.h"
#include "simulate/ss-simulate.h"

static const char bodies[] =
    "\"bodies\": [{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]}},"
    "{\"name\": \"a\", \"mass\": 1, \"position\": [0, 1], \"shape\": {\"type\": \"circle\", \"radius\": 0.1}},"
    "{\"name\": \"b\", \"mass\": 1, \"position\": [1, 1], \"shape\": {\"type\": \"circle\", \"radius\": 0.1}}]";

static SsScenario *
read_scene (const char *rest, const char *end)
{
  char text[2048];

  snprintf (text, sizeof text, "{\"format\": 1, \"name\": \"s\", \"scene\": {%s%s}%s}", bodies, rest, end);
  return ss_test_read_text (text);
}

static const char *
own (const SsScenario *scenario, SsMethodKind kind)
{
  return ss_method_of_scenario (kind, scenario)->name;
}

/* The first of each kind in the order of the file, with options or without; names of both kinds count as both. */
static void
scenarios_name_their_method (void)
{
  static const char plan[] = ", \"task\": {\"horizon\": 1, \"targets\": [{\"body\": \"a\", \"position\": [1, 1]}]}";
  static const struct {
    const char *methods, *integrator, *optimiser, *planner, *law;
  } cases[] = {
      {"", "stewart-trinkle", "crisp", "auto", "set-valued"},
      {", \"methods\": {}", "stewart-trinkle", "crisp", "auto", "set-valued"},
      {", \"methods\": {\"moreau-jean\": {}}", "moreau-jean", "crisp", "auto", "set-valued"},
      {", \"methods\": {\"scholtes\": {}, \"fesd-j\": {\"stages\": 3}, \"moreau-jean\": {}, \"ipopt\": {}}", "fesd-j",
       "scholtes", "scholtes", "set-valued"},
      {", \"methods\": {\"newton\": {}, \"anitescu-potra\": {}}", "anitescu-potra", "crisp", "auto", "newton"},
      {", \"methods\": {\"description\": \"none\", \"auto\": {}, \"crisp\": {}}", "stewart-trinkle", "auto", "auto",
       "set-valued"},
  };

  for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
    char end[512];
    SsScenario *scene = read_scene ("", cases[c].methods);

    SS_CHECK_STR (own (scene, SS_METHOD_INTEGRATOR), cases[c].integrator);
    SS_CHECK_STR (own (scene, SS_METHOD_OPTIMISER), cases[c].optimiser);
    SS_CHECK_STR (own (scene, SS_METHOD_IMPACT_LAW), cases[c].law);
    ss_scenario_free (scene);
    snprintf (end, sizeof end, "%s%s", plan, cases[c].methods);
    scene = read_scene ("", end);
    SS_CHECK_STR (own (scene, SS_METHOD_OPTIMISER), cases[c].planner);
    ss_scenario_free (scene);
  }
  SsScenario *misspelt = read_scene ("", ", \"methods\": {\"moreau-jan\": {}}");
  SsProblems problems;
  ss_problems_init (&problems);
  SS_CHECK (ss_method_check_defaults (misspelt, &problems) != SS_OK && problems.n_items == 1);
  SS_CHECK_STR (problems.items[0].path, "methods.moreau-jan");
  ss_problems_clear (&problems);
  ss_scenario_free (misspelt);
}

static void
check_ignored (const SsScene *scene, unsigned uses, const char *summary, int n)
{
  char text[256];

  ss_uses_summarise_ignored (scene, uses, text, sizeof text);
  SS_CHECK_STR (text, summary);
  SS_CHECK (ss_uses_count_ignored (scene, uses) == n);
}

static void
what_is_not_used_is_told (void)
{
  static const char rest[] =
      ", \"contacts\": [{\"bodies\": [\"floor\", \"a\"], \"restitution\": 0.5, \"stiffness\": 1e5},"
      " {\"bodies\": [\"floor\", \"b\"], \"restitution\": 0.25}, {\"bodies\": [\"a\", \"b\"], \"damping\": 7}],"
      " \"joints\": [{\"name\": \"rod\", \"type\": \"rod\", \"bodies\": [\"a\", \"b\"], \"stiffness\": 3e8}]";
  SsScenario *scenario = read_scene (rest, "");
  char text[256];

  check_ignored (scenario->scene, SS_USES_ALL, "", 0);
  check_ignored (scenario->scene, 0, "ignores restitution, stiffness, damping of contacts and stiffness of joints", 4);
  check_ignored (scenario->scene, SS_USES_RESTITUTION | SS_USES_JOINT_STIFFNESS,
                 "ignores stiffness and damping of contacts", 2);
  check_ignored (scenario->scene, SS_USES_ALL & ~SS_USES_CONTACT_DAMPING, "ignores damping of contacts", 1);
  ss_uses_describe_ignored (scenario->scene, 0, 0, text, sizeof text);
  SS_CHECK_STR (text, "does not use restitution: the 0.5 of contact floor-a, and that of 1 other contact, is ignored");
  ss_uses_describe_ignored (scenario->scene, 0, 1, text, sizeof text);
  SS_CHECK_STR (text, "does not use stiffness: the 100000 N/m of contact floor-a is ignored");
  ss_uses_describe_ignored (scenario->scene, 0, 3, text, sizeof text);
  SS_CHECK_STR (text, "does not use the joints' stiffness: the 3e+08 of joint rod is ignored");
  ss_scenario_free (scenario);
  scenario = read_scene ("", "");
  check_ignored (scenario->scene, 0, "", 0);
  ss_scenario_free (scenario);
}

/* By what the laws do: a disc falls on a floor, and the motion differs where a number of the scene is another, if and
 * only if the class says that it uses it. */
static void
check_use (const SsMethod *method, const char *name, double less, double more, SsSceneUse use)
{
  double height[2]; /* sums over the rows */

  for (int i = 0; i < 2; i++) {
    char rest[512];
    SsTrajectory *motion = NULL;
    SsSimMetrics metrics;
    SsOutcome outcome;
    char message[256];

    snprintf (rest, sizeof rest, ", \"contacts\": [{\"bodies\": [\"floor\", \"a\"], \"%s\": %g}]", name,
              i == 0 ? less : more);
    SsScenario *scenario = read_scene (rest, "");
    void *options = ss_alloc (1, method->options->size + 1);
    ss_method_init_options (method, scenario, options);
    SS_CHECK (ss_simulate (scenario->scene, method->integrator, options, 0.001, 0.6, NULL, &motion, &metrics, &outcome,
                           message, sizeof message, NULL) == SS_OK);
    SS_CHECK (outcome == SS_OUTCOME_COMPLETED);
    height[i] = 0;
    for (int k = 0; k < motion->n_rows; k++)
      height[i] += ss_trajectory_row (motion, k)[ss_trajectory_channel (motion, "a.y")];
    ss_trajectory_free (motion);
    ss_free (options);
    ss_scenario_free (scenario);
  }
  if ((height[0] != height[1]) != ((method->integrator->uses & use) != 0))
    printf ("  %s and %s\n", method->name, name);
  SS_CHECK ((height[0] != height[1]) == ((method->integrator->uses & use) != 0));
}

static void
classes_tell_the_truth (void)
{
  for (int i = 0; i < ss_method_count (); i++) {
    const SsMethod *method = ss_method_at (i);

    if (method->kind != SS_METHOD_INTEGRATOR || !method->is_built)
      continue;
    check_use (method, "restitution", 0.3, 0.7, SS_USES_RESTITUTION);
    check_use (method, "stiffness", 1e4, 3e4, SS_USES_CONTACT_STIFFNESS);
    check_use (method, "damping", 100, 20000, SS_USES_CONTACT_DAMPING);
  }
}

int
main (void)
{
  SS_RUN (scenarios_name_their_method);
  SS_RUN (what_is_not_used_is_told);
  SS_RUN (classes_tell_the_truth);
  return ss_test_finish ();
}
