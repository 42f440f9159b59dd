/* tests/unit/test-plan.c: the task of a scene as an optimiser reads it: targets, bounds, effort, formulas with
 * controls, time, candidates; and how mistakes in it are told.
 *
 * Truth: the file's own numbers, the shift between the file's frame and the centre of mass in closed form, and formulas
 * evaluated by hand.
 */
#include "ss-test-scenario.h"

#include <stdlib.h>

static const double pi = 3.14159265358979323846;

/* Values from a few operations on numbers of order 1. */
static const double rounding = 4e-15;

#define SCENE                                                                                                          \
  "\"scene\": {\"bodies\": ["                                                                                          \
  "{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]}},"                 \
  "{\"name\": \"box\", \"mass\": 2, \"position\": [0, 0.5], \"shape\": {\"type\": \"box\", \"width\": 1, "             \
  "\"height\": 1}},"                                                                                                   \
  "{\"name\": \"slab\", \"density\": 3, \"position\": [5, 0], \"shape\": {\"type\": \"polygon\", \"vertices\": [[0, "  \
  "0], [2, 0], [2, 1], [0, 1]]}},"                                                                                     \
  "{\"name\": \"disc\", \"mass\": 1, \"position\": [-2, 1], \"shape\": {\"type\": \"circle\", \"radius\": 0.2}}],"     \
  "\"actuators\": [{\"name\": \"fx\", \"type\": \"force\", \"body\": \"disc\", \"direction\": [1, 0]},"                \
  "{\"name\": \"fy\", \"type\": \"force\", \"body\": \"disc\", \"direction\": [0, 1]}]}"
#define SCENARIO(task)                                                                                                 \
  "{\"format\": 1, \"name\": \"s\", \"parameters\": {\"a\": 2, \"n\": 8}, " SCENE ", \"task\": {" task "}}"

/* ---- mistakes ---------------------------------------------------------------------------------------------------- */

static const SsTestBadFile bad_files[] = {
    {"plan-mistakes",
     SS_ERR_INVALID,
     9,
     {{15, "task.targets[0].body", "did you mean 'box'"},
      {16, "task.targets[1].body", "a body that can move"},
      {17, "task.targets[2]", "says nothing"},
      {18, "task.targets[3]", "angle"},
      {19, "task.targets[4]", "locked and will be 2"},
      {22, "task.bounds[0].x", "lower <= upper"},
      {23, "task.bounds[1]", "say nothing"},
      {25, "task.effort.motr", "did you mean 'motor'"},
      {26, "task.free_time", "lower <= horizon <= upper"}}},
    {"plan-formulas",
     SS_ERR_INVALID,
     8,
     {{12, "task.steps", "whole number"},
      {14, "task.constraints[0].nonnegative[0]", "did you mean 'u.motor'"},
      {15, "task.constraints[1].zero[0]", "none acts at the last point"},
      {16, "task.constraints[2]", "no rows"},
      {19, "task.cost[0].cost", "smooth"},
      {20, "task.cost[1].points", "all, last"},
      {22, "task.contacts[0]", "did you mean 'box-disc'"},
      {23, "task.guess", "still, zeros, simulation"}}},
};

static void
test_bad_files (void)
{
  for (size_t i = 0; i < sizeof bad_files / sizeof *bad_files; i++)
    ss_test_check_bad_file (&bad_files[i]);
}

/* Names that a rejected part of the scene would have had are no mistakes of the task. */
static void
test_consequences (void)
{
  static const char text[] =
      "{\"format\": 1, \"name\": \"s\", \"scene\": {\"bodies\": [{\"name\": \"disc\", \"mass\": 1, "
      "\"shape\": {\"type\": \"circle\", \"radius\": 1}}], \"actuators\": [{\"name\": \"fx\", "
      "\"type\": \"force\", \"body\": \"disc\", \"direction\": [0, 0]}]}, \"task\": {\"effort\": "
      "{\"fx\": 1}, \"targets\": [{\"body\": \"disc\", \"position\": [1, 1]}]}}";
  SsProblems problems;
  SsScenario *scenario = NULL;

  ss_problems_init (&problems);
  SS_CHECK (ss_scenario_read (text, strlen (text), "", NULL, 0, &problems, &scenario) == SS_ERR_INVALID);
  SS_CHECK (problems.n_items == 1 && strstr (problems.items[0].path, "direction") != NULL);
  ss_problems_clear (&problems);
}

/* ---- what is read ------------------------------------------------------------------------------------------------ */

static void
test_no_plan (void)
{
  SsScenario *s = ss_test_read_text (SCENARIO ("\"t_end\": 3, \"effort\": 0.1, \"guess\": \"zeros\""));

  SS_CHECK (s->task.plan == NULL && s->task.t_end == 3);
  SS_CHECK (s->scene->slot_controls == s->scene->slot_t + 1 && s->scene->n_slots == s->scene->slot_controls + 2);
  ss_scenario_free (s);
}

static void
test_targets (void)
{
  SsScenario *s = ss_test_read_text (SCENARIO (
      "\"horizon\": 1.5, \"targets\": [{\"body\": \"box\", \"position\": [\"a/2\", null], \"angle\": \"pi/2\", "
      "\"velocity\": [0, 0], \"angular_velocity\": 0}, {\"body\": \"slab\", \"position\": [6, 1], \"angle\": "
      "\"pi/2\", \"weight\": 100}, {\"body\": \"disc\", \"position\": [0, 2], \"velocity\": [1, 2], \"weight\": "
      "{\"velocity\": 5, \"position\": null}}]"));
  const SsPlan *plan = s->task.plan;

  SS_CHECK (plan != NULL && plan->n_targets == 3);
  SS_CHECK (plan->horizon == 1.5 && plan->steps == 150 && s->task.t_end == 1.5 && !plan->is_time_free);
  SS_CHECK (plan->targets[0].body == 1 && plan->targets[0].value[0] == 1 && isnan (plan->targets[0].value[1]));
  SS_CHECK_NEAR (plan->targets[0].value[2], pi / 2, rounding);
  for (int c = 0; c < SS_PLAN_COORDINATES; c++)
    SS_CHECK (isinf (plan->targets[0].weight[c]) && plan->targets[1].weight[c] == 100);
  /* The file's frame is at a corner of the 2 x 1 slab; a quarter turn takes its centre (1, 0.5) to (-0.5, 1). */
  SS_CHECK_NEAR (plan->targets[1].value[0], 6 - 0.5, rounding);
  SS_CHECK_NEAR (plan->targets[1].value[1], 1 + 1, rounding);
  SS_CHECK (isnan (plan->targets[1].value[3]));
  SS_CHECK (isinf (plan->targets[2].weight[0]) && isinf (plan->targets[2].weight[2]));
  SS_CHECK (plan->targets[2].weight[3] == 5 && plan->targets[2].weight[4] == 5 && plan->targets[2].value[4] == 2);
  SS_CHECK (plan->effort[0] == 1e-3 && plan->effort[1] == 1e-3 && plan->effort_rate == 0);
  SS_CHECK (plan->guess == SS_PLAN_GUESS_STILL);
  SS_CHECK (plan->n_candidates == s->scene->n_contacts &&
            plan->candidates[plan->n_candidates - 1] == plan->n_candidates - 1);
  ss_scenario_free (s);
}

static void
test_bounds_and_effort (void)
{
  SsScenario *s = ss_test_read_text (SCENARIO (
      "\"t_end\": 2, \"steps\": \"n\", \"targets\": [{\"body\": \"box\", \"position\": [1, 0.5]}], \"bounds\": "
      "[{\"body\": \"disc\", \"x\": [-1, null], \"omega\": [0, 0]}], \"effort\": {\"fy\": 7}, \"effort_rate\": "
      "0.5, \"guess\": \"simulation\", \"contacts\": [\"slab-disc\", \"floor-box\"], \"free_time\": {\"lower\": "
      "1, \"upper\": 3, \"per_step\": true}"));
  const SsPlan *plan = s->task.plan;

  SS_CHECK (plan->horizon == 2 && plan->steps == 8 && s->parameters[1].is_structural &&
            !s->parameters[0].is_structural);
  SS_CHECK (plan->n_bounds == 1 && plan->bounds[0].body == 3);
  SS_CHECK (plan->bounds[0].lower[0] == -1 && plan->bounds[0].upper[0] == INFINITY);
  SS_CHECK (plan->bounds[0].lower[1] == -INFINITY && plan->bounds[0].lower[5] == 0 && plan->bounds[0].upper[5] == 0);
  SS_CHECK (plan->effort[0] == 1e-3 && plan->effort[1] == 7 && plan->effort_rate == 0.5);
  SS_CHECK (plan->guess == SS_PLAN_GUESS_SIMULATION);
  SS_CHECK (plan->is_time_free && plan->are_steps_free && plan->time_lower == 1 && plan->time_upper == 3 &&
            plan->time_weight == 1);
  SS_CHECK (plan->n_candidates == 2 && plan->candidates[0] < plan->candidates[1]);
  SS_CHECK (strcmp (s->scene->contacts[plan->candidates[0]].name, "floor-box") == 0);
  SS_CHECK (strcmp (s->scene->contacts[plan->candidates[1]].name, "slab-disc") == 0);
  ss_scenario_free (s);
}

/* Values of all slots from which formulas give what can be computed by hand. */
static double
evaluate (const SsScenario *s, SsExpr e)
{
  int n = s->scene->n_slots, n_nodes = ss_graph_n_nodes (s->graph);
  double *inputs = ss_new_array (double, n), *memo = ss_new_array (double, n_nodes), value;
  int *stamp = ss_new_array (int, n_nodes);

  for (int i = 0; i < n; i++)
    inputs[i] = 1 + 0.5 * i;
  value = ss_graph_eval (s->graph, e, inputs, n, memo, stamp, 1);
  ss_free (inputs);
  ss_free (memo);
  ss_free (stamp);
  return value;
}

static double
slot_value (int slot)
{
  return 1 + 0.5 * slot;
}

static void
test_formulas (void)
{
  SsScenario *s = ss_test_read_text (SCENARIO (
      "\"constraints\": [{\"name\": \"fence\", \"points\": \"interior\", \"nonnegative\": [\"disc.x - u.fx\", "
      "{\"for\": "
      "\"i\", \"from\": 1, \"to\": 2, \"rows\": [\"box.y - {i}\"]}], \"zero\": [\"u.fy*a + t\"]}, {\"points\": "
      "\"last\", \"zero\": [\"box.theta\"]}], \"cost\": [{\"cost\": \"u.fx^2\"}, {\"points\": \"last\", \"cost\": "
      "\"box.omega\"}]"));
  const SsPlan *plan = s->task.plan;
  const SsScene *scene = s->scene;

  SS_CHECK (plan->n_constraints == 5 && plan->n_costs == 2 && plan->n_targets == 0);
  SS_CHECK (plan->constraints[0].kind == SS_ROWS_EQUALITY && plan->constraints[1].kind == SS_ROWS_NONNEGATIVE);
  SS_CHECK (strcmp (plan->constraints[0].name, "fence") == 0 && plan->constraints[0].points == SS_PLAN_INTERIOR);
  SS_CHECK (strcmp (plan->constraints[4].path, "task.constraints[1].zero[0]") == 0 && plan->constraints[4].line == 1);
  SS_CHECK (plan->constraints[4].points == SS_PLAN_LAST && plan->constraints[0].points == SS_PLAN_INTERIOR);
  SS_CHECK_NEAR (
      evaluate (s, plan->constraints[0].row),
      slot_value (scene->slot_controls + 1) * slot_value (scene->slot_parameters) + slot_value (scene->slot_t), 1e-13);
  SS_CHECK_NEAR (evaluate (s, plan->constraints[1].row), slot_value (6 * 3) - slot_value (scene->slot_controls), 1e-13);
  SS_CHECK_NEAR (evaluate (s, plan->constraints[3].row), slot_value (6 + 1) - 2, 1e-13);
  SS_CHECK (plan->costs[0].points == SS_PLAN_ALL && plan->costs[1].points == SS_PLAN_LAST);
  SS_CHECK_NEAR (evaluate (s, plan->costs[1].cost), slot_value (6 + 5), 1e-13);
  ss_scenario_free (s);
}

/* Fields that nobody reads are kept; those that look misspelt or belong elsewhere are named, notes are not. */
static void
test_warnings (void)
{
  static const struct {
    const char *task, *path, *meant; /* path NULL: no warning */
  } cases[] = {
      {"\"horizn\": 2, \"t_end\": 1", "task.horizn", "'horizon'"},
      {"\"targets\": [{\"body\": \"box\", \"position\": [1, 1], \"angel\": 0.1}]", "task.targets[0].angel", "'angle'"},
      {"\"targets\": [{\"body\": \"box\", \"position\": [1, 1], \"wieght\": 10}]", "task.targets[0].wieght",
       "'weight'"},
      {"\"bounds\": [{\"body\": \"box\", \"x\": [0, 1], \"omga\": [0, 1]}]", "task.bounds[0].omga", "'omega'"},
      {"\"bounds\": [{\"body\": \"box\", \"x\": [0, 1], \"angle\": [0, 1]}]", "task.bounds[0].angle",
       "theta, vx, vy, x, y"},
      {"\"note\": \"free\", \"author\": {\"name\": \"A\", \"mail\": 1}, \"comment\": [1], \"_steps\": 3", NULL, NULL},
      {"\"description\": \"x\", \"effort\": {\"fx\": 1, \"description\": \"y\"}", NULL, NULL},
  };

  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[4096];
    SsScenario *s;

    snprintf (text, sizeof text, "{\"format\": 1, \"name\": \"s\", " SCENE ", \"task\": {%s}}", cases[i].task);
    s = ss_test_read_text (text);
    SS_CHECK (s != NULL && s->n_warnings == (cases[i].path != NULL));
    if (cases[i].path != NULL && s->n_warnings == 1) {
      SS_CHECK (strcmp (s->warnings[0].path, cases[i].path) == 0 && s->warnings[0].line == 1);
      SS_CHECK (strstr (s->warnings[0].message, cases[i].meant) != NULL);
    }
    ss_scenario_free (s);
  }
}

static void
test_out_of_memory (void)
{
  static const char text[] = SCENARIO (
      "\"horizon\": 1, \"targets\": [{\"body\": \"box\", \"position\": [1, 2], \"weight\": 3}], \"bounds\": "
      "[{\"body\": "
      "\"disc\", \"x\": [0, 1]}], \"effort\": {\"fx\": 1}, \"constraints\": [{\"nonnegative\": [\"u.fx + box.x\"]}, "
      "{\"points\": \"last\", \"zero\": [\"box.x\"]}], \"cost\": [{\"cost\": \"box.x\"}], \"contacts\": "
      "[\"floor-box\"]");
  bool done = false;
  int n = 0;

  while (!done && n < 3000) {
    SsProblems problems;
    SsScenario *s = NULL;
    SsStatus status;

    ss_problems_init (&problems);
    ss_alloc_fail_at ((uint64_t)++n);
    status = ss_scenario_read (text, strlen (text), "", NULL, 0, &problems, &s);
    ss_alloc_fail_at (0);
    done = status == SS_OK;
    SS_CHECK (done || status == SS_ERR_MEMORY);
    SS_CHECK (!done || (s->task.plan != NULL && s->task.plan->n_constraints == 2));
    ss_scenario_free (s);
    ss_problems_clear (&problems);
  }
  SS_CHECK (done && n > 20);
  printf ("  %d allocations\n", n - 1);
}

int
main (void)
{
  SS_RUN (test_bad_files);
  SS_RUN (test_consequences);
  SS_RUN (test_no_plan);
  SS_RUN (test_targets);
  SS_RUN (test_bounds_and_effort);
  SS_RUN (test_formulas);
  SS_RUN (test_warnings);
  SS_RUN (test_out_of_memory);
  return ss_test_finish ();
}
