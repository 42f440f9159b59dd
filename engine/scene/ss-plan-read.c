/* engine/scene/ss-plan-read.c: reads from the `task` section of a scene what an optimiser shall reach: horizon,
 * targets, bounds, effort, constraints, cost, free end time, guess and candidate contacts.
 *
 * Runs after the whole scene. Names that a rejected part of the scene would have had are not reported as unknown.
 * Everything that is given is checked, also when the task asks for nothing that an optimiser could reach and the plan
 * is left out.
 */
#include "scene/ss-scene-private.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Weight of the integral of u^2 when the file gives none [cost per N^2 s]: that of the paper's problems (004), enough
 * to make the controls unique where the targets leave them free, and small against a weighted target of 1 or more. */
#define DEFAULT_EFFORT 1e-3
/* Cost of a second of horizon when it is free: without any, no time would be too long. */
#define DEFAULT_TIME_WEIGHT 1.0
/* A target on a locked coordinate may miss where that coordinate is by this much [m, rad, m/s, rad/s]: rounded decimals
 * of a file. */
#define LOCKED_TOLERANCE 1e-6

typedef struct {
  SsSceneReader scene; /* names and slots of the scene that has been read */
  SsPlan *plan;
  const SsJsonAt *task_at;

  SsPlanTarget *targets;
  int n_targets, target_capacity;
  SsPlanBound *bounds;
  int n_bounds, bound_capacity;
  SsPlanConstraint *constraints;
  int n_constraints, constraint_capacity;
  SsPlanCost *costs;
  int n_costs, cost_capacity;
  double *effort;

  /* Of the constraint or list of contacts being read. */
  SsPlanConstraint block;
  SsNames contact_names;
  bool *is_candidate;
} PlanReader;

/* ---- values ------------------------------------------------------------------------------------------------------ */

/* Two numbers or null; null leaves `value` as it is. False after reporting. */
static bool
read_open_pair (SsReader *reader, const SsJsonAt *at, const char *expected, double value[2])
{
  SsJsonAt child;
  bool good = true;

  if (!json_is_array (at->value) || json_array_size (at->value) != 2) {
    ss_reader_problem (reader, at, expected, "these are not two numbers");
    return false;
  }
  for (bool more = ss_at_first (reader, at, &child); more; more = ss_at_next (reader, &child))
    if (!json_is_null (child.value))
      good = ss_read_number (reader, &child, SS_ANY_NUMBER, &value[child.index]) && good;
  return good;
}

/* A member that is a number; null and absence leave `value` as it is. */
static void
read_open (SsReader *reader, const SsJsonAt *object, const char *key, SsNumberRule rule, double *value)
{
  SsJsonAt at;

  if (ss_at_member (reader, object, key, &at) && !json_is_null (at.value))
    ss_read_number (reader, &at, rule, value);
}

/* The member `body`: one that can move; -1 after reporting. */
static int
read_body (PlanReader *plan, const SsJsonAt *at, const char *what)
{
  SsReader *reader = plan->scene.reader;
  SsJsonAt member;
  int body;

  if (!ss_read_is_object (reader, at) || !ss_read_member (reader, at, "body", "the name of a body", &member))
    return -1;
  body = ss_scene_find_body (&plan->scene, &member, false);
  if (body < 0)
    return -1;
  if (ss_body_is_immovable (&plan->scene.bodies[body])) {
    ss_reader_problem (reader, &member, "a body that can move", "the %s is of a body that does not move", what);
    return -1;
  }
  return body;
}

/* ---- targets ----------------------------------------------------------------------------------------------------- */

/* `weight`: a number, or numbers by kind; what has none is a constraint. */
static void
read_weights (SsReader *reader, const SsJsonAt *target_at, double weight[SS_PLAN_COORDINATES])
{
  static const struct {
    const char *key;
    int first, last;
  } kinds[] = {{"position", 0, 1}, {"angle", 2, 2}, {"velocity", 3, 4}, {"angular_velocity", 5, 5}};
  SsJsonAt at;
  double value;

  for (int c = 0; c < SS_PLAN_COORDINATES; c++)
    weight[c] = INFINITY;
  if (!ss_at_member (reader, target_at, "weight", &at) || json_is_null (at.value))
    return;
  if (json_is_number (at.value) || json_is_string (at.value)) {
    if (ss_read_number (reader, &at, SS_NONNEGATIVE, &value))
      for (int c = 0; c < SS_PLAN_COORDINATES; c++)
        weight[c] = value;
  } else if (json_is_object (at.value)) {
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
      value = INFINITY;
      read_open (reader, &at, kinds[i].key, SS_NONNEGATIVE, &value);
      for (int c = kinds[i].first; c <= kinds[i].last; c++)
        weight[c] = value;
    }
  } else {
    ss_reader_problem (reader, &at, "a number, or {\"position\", \"angle\", \"velocity\", \"angular_velocity\"}",
                       "this is no weight");
  }
}

/* A hard target on a coordinate that nothing can change. */
static void
check_locks (PlanReader *plan, const SsJsonAt *at, const SsPlanTarget *target)
{
  static const char *const names[3] = {"x", "y", "theta"};
  const SsBody *body = &plan->scene.bodies[target->body];
  char shown[32];

  for (int c = 0; c < 3; c++) {
    double there = body->q[c] + body->v[c] * plan->plan->horizon;
    bool is_moving = body->v[c] != 0 && plan->plan->is_time_free;

    if (!body->lock[c])
      continue;
    if (isinf (target->weight[c]) && !isnan (target->value[c]) && !is_moving &&
        fabs (target->value[c] - there) > LOCKED_TOLERANCE) {
      ss_format_double (there, shown, sizeof shown);
      ss_reader_problem (plan->scene.reader, at, "a target where the lock leads, a weight, or null",
                         "%s of '%s' is locked and will be %s at the end", names[c], body->name, shown);
    }
    if (isinf (target->weight[3 + c]) && !isnan (target->value[3 + c]) &&
        fabs (target->value[3 + c] - body->v[c]) > LOCKED_TOLERANCE) {
      ss_format_double (body->v[c], shown, sizeof shown);
      ss_reader_problem (plan->scene.reader, at, "the velocity that the lock keeps, a weight, or null",
                         "the velocity of %s of '%s' is locked at %s", names[c], body->name, shown);
    }
  }
}

static void
read_target (SsReader *reader, const SsJsonAt *at, void *user_data)
{
  PlanReader *plan = user_data;
  SsPlanTarget target = {0};
  const SsBody *body;
  SsJsonAt member;
  SsVec2 origin;
  int before = reader->n_problems;
  bool says_something = false;

  for (int c = 0; c < SS_PLAN_COORDINATES; c++)
    target.value[c] = NAN;
  target.body = read_body (plan, at, "target");
  if (target.body < 0)
    return;
  body = &plan->scene.bodies[target.body];
  for (int i = 0; i < plan->n_targets; i++)
    if (plan->targets[i].body == target.body)
      ss_reader_problem (reader, at, "one target a body", "'%s' has another target already", body->name);
  if (ss_at_member (reader, at, "position", &member))
    read_open_pair (reader, &member, "[x, y], null for what is free", target.value);
  read_open (reader, at, "angle", SS_ANY_NUMBER, &target.value[2]);
  if (ss_at_member (reader, at, "velocity", &member))
    read_open_pair (reader, &member, "[vx, vy], null for what is free", target.value + 3);
  read_open (reader, at, "angular_velocity", SS_ANY_NUMBER, &target.value[5]);
  read_weights (reader, at, target.weight);
  if (reader->n_problems > before)
    return;
  for (int c = 0; c < SS_PLAN_COORDINATES; c++)
    says_something = says_something || !isnan (target.value[c]);
  if (!says_something) {
    ss_reader_problem (reader, at, "'position', 'angle', 'velocity' or 'angular_velocity'",
                       "the target of '%s' says nothing", body->name);
    return;
  }
  /* `position` means what it means for the body; the plan speaks of the centre of mass. */
  if (body->origin.x != 0 || body->origin.y != 0) {
    if (isnan (target.value[2]) && !(isnan (target.value[0]) && isnan (target.value[1]))) {
      ss_reader_problem (reader, at, "an angle beside the position",
                         "'%s' has a density, so that its position is not its centre of mass, and needs an angle",
                         body->name);
      return;
    }
    if (!isnan (target.value[2])) {
      origin = ss_vec2_turned (body->origin, target.value[2]);
      target.value[0] -= origin.x;
      target.value[1] -= origin.y;
    }
  }
  check_locks (plan, at, &target);
  if (ss_reader_reserve (reader, (void **)&plan->targets, &plan->target_capacity, plan->n_targets + 1,
                         sizeof *plan->targets))
    plan->targets[plan->n_targets++] = target;
}

/* ---- bounds ------------------------------------------------------------------------------------------------------ */

static void
read_bound (SsReader *reader, const SsJsonAt *at, void *user_data)
{
  PlanReader *plan = user_data;
  SsPlanBound bound = {0};
  SsJsonAt member;
  int n_given = 0;

  bound.body = read_body (plan, at, "bound");
  if (bound.body < 0)
    return;
  for (int i = 0; i < plan->n_bounds; i++)
    if (plan->bounds[i].body == bound.body)
      ss_reader_problem (reader, at, "one entry a body", "'%s' has other bounds already",
                         plan->scene.bodies[bound.body].name);
  for (int c = 0; c < SS_PLAN_COORDINATES; c++) {
    double pair[2] = {-INFINITY, INFINITY};

    if (ss_at_member (reader, at, ss_body_channels[c], &member)) {
      n_given++;
      if (read_open_pair (reader, &member, "[lower, upper], null for what is free", pair) && pair[0] > pair[1])
        ss_reader_problem (reader, &member, "lower <= upper", "no value fits between lower and upper");
    }
    bound.lower[c] = pair[0];
    bound.upper[c] = pair[1];
  }
  if (n_given == 0)
    ss_reader_problem (reader, at, "some of x, y, theta, vx, vy, omega", "the bounds of '%s' say nothing",
                       plan->scene.bodies[bound.body].name);
  if (ss_reader_reserve (reader, (void **)&plan->bounds, &plan->bound_capacity, plan->n_bounds + 1,
                         sizeof *plan->bounds))
    plan->bounds[plan->n_bounds++] = bound;
}

/* ---- effort ------------------------------------------------------------------------------------------------------ */

/* A number for all actuators, or an object of actuator -> number. */
static void
read_effort (PlanReader *plan)
{
  SsReader *reader = plan->scene.reader;
  const SsScene *scene = plan->scene.scene;
  SsJsonAt at, child;
  double weight = DEFAULT_EFFORT;
  bool has_effort = ss_at_member (reader, plan->task_at, "effort", &at);

  plan->effort = ss_reader_alloc (reader, (size_t)scene->n_actuators, sizeof *plan->effort);
  if (plan->effort == NULL)
    return;
  if (has_effort && !json_is_object (at.value))
    ss_read_number (reader, &at, SS_NONNEGATIVE, &weight);
  for (int i = 0; i < scene->n_actuators; i++)
    plan->effort[i] = weight;
  if (!has_effort || !json_is_object (at.value))
    return;
  for (bool more = ss_at_first (reader, &at, &child); more; more = ss_at_next (reader, &child)) {
    const SsSymbol *actuator = ss_names_find (&plan->scene.actuator_names, child.key, strlen (child.key));
    const char *near = NULL;

    if (strcmp (child.key, "description") == 0)
      continue;
    if (actuator != NULL) {
      ss_read_number (reader, &child, SS_NONNEGATIVE, &plan->effort[actuator->index]);
    } else if (!reader->scene_has_problems) {
      near = ss_names_nearest (&plan->scene.actuator_names, child.key);
      ss_reader_problem (reader, &child, "the name of an actuator",
                         near != NULL ? "unknown actuator '%.64s'; did you mean '%s'?" : "unknown actuator '%.64s'",
                         child.key, near);
    }
  }
}

/* ---- formulas ---------------------------------------------------------------------------------------------------- */

/* A formula with derivatives; at the last point there are no controls. SS_EXPR_NONE after reporting. */
static SsExpr
read_smooth (PlanReader *plan, const SsJsonAt *at, SsPlanPoints points)
{
  SsReader *reader = plan->scene.reader;
  const SsGraph *graph = reader->scenario->graph;
  SsExpr e = ss_scene_read_formula (&plan->scene, at);
  int n_slots = plan->scene.scene->n_slots, *slots, n;

  if (e == SS_EXPR_NONE)
    return e;
  if (!ss_graph_is_smooth (graph, e)) {
    ss_reader_problem (reader, at, "a smooth formula: no comparison, if, floor, mod",
                       "constraints and costs need derivatives, this formula has none");
    return SS_EXPR_NONE;
  }
  if (points != SS_PLAN_LAST)
    return e;
  slots = ss_new_array (int, n_slots);
  if (slots == NULL) {
    reader->out_of_memory = true;
    return SS_EXPR_NONE;
  }
  n = ss_graph_inputs (graph, e, slots, n_slots); /* ascending */
  if (n > 0 && slots[n - 1] >= plan->scene.scene->slot_controls) {
    ss_reader_problem (reader, at, "points \"all\" or \"interior\" for formulas with controls",
                       "the formula reads a control, and none acts at the last point");
    e = SS_EXPR_NONE;
  }
  ss_free (slots);
  return e;
}

static void
add_row (SsReader *reader, const SsJsonAt *at, void *user_data)
{
  PlanReader *plan = user_data;
  SsPlanConstraint row = plan->block;
  char path[sizeof ((SsError *)NULL)->path];

  row.row = read_smooth (plan, at, row.points);
  if (row.row == SS_EXPR_NONE)
    return;
  ss_reader_path (reader, at, path, sizeof path);
  row.path = ss_reader_strdup (reader, path);
  row.line = ss_reader_line (reader, at);
  if (ss_reader_reserve (reader, (void **)&plan->constraints, &plan->constraint_capacity, plan->n_constraints + 1,
                         sizeof *plan->constraints))
    plan->constraints[plan->n_constraints++] = row;
}

/* `points`, one of names[n] in the order of SsPlanPoints; all when absent. False after reporting. */
static bool
read_points (SsReader *reader, const SsJsonAt *object, const char *const *names, int n, int *choice)
{
  SsJsonAt at;

  *choice = 0;
  if (ss_at_member (reader, object, "points", &at))
    *choice = ss_read_choice (reader, &at, names, n, "choice of points");
  return *choice >= 0;
}

static void
read_constraint (SsReader *reader, const SsJsonAt *at, void *user_data)
{
  static const char *const names[] = {"all", "interior", "last"};
  PlanReader *plan = user_data;
  SsJsonAt member;
  int points;
  bool has_rows = false;

  if (!ss_read_is_object (reader, at) || !read_points (reader, at, names, 3, &points))
    return;
  plan->block = (SsPlanConstraint){.name = ss_read_expanded_text (reader, at, "name", ""),
                                   .points = (SsPlanPoints)points}; /* `names` is in that order */
  if (ss_at_member (reader, at, "zero", &member)) {
    has_rows = true;
    plan->block.kind = SS_ROWS_EQUALITY;
    ss_read_items (reader, &member, add_row, plan);
  }
  if (ss_at_member (reader, at, "nonnegative", &member)) {
    has_rows = true;
    plan->block.kind = SS_ROWS_NONNEGATIVE;
    ss_read_items (reader, &member, add_row, plan);
  }
  if (!has_rows)
    ss_reader_problem (reader, at, "'zero', 'nonnegative' or both, lists of formulas", "the constraint has no rows");
}

static void
read_cost (SsReader *reader, const SsJsonAt *at, void *user_data)
{
  static const char *const names[] = {"all", "last"};
  PlanReader *plan = user_data;
  SsPlanCost cost = {0};
  SsJsonAt member;
  int points;

  if (!ss_read_is_object (reader, at) || !read_points (reader, at, names, 2, &points) ||
      !ss_read_member (reader, at, "cost", "a formula", &member))
    return;
  cost.points = points == 0 ? SS_PLAN_ALL : SS_PLAN_LAST;
  cost.cost = read_smooth (plan, &member, cost.points);
  if (cost.cost != SS_EXPR_NONE &&
      ss_reader_reserve (reader, (void **)&plan->costs, &plan->cost_capacity, plan->n_costs + 1, sizeof *plan->costs))
    plan->costs[plan->n_costs++] = cost;
}

/* ---- time, guess, candidates ------------------------------------------------------------------------------------- */

static void
read_time (PlanReader *plan, double horizon)
{
  SsReader *reader = plan->scene.reader;
  const SsTask *task = &reader->scenario->task;
  SsPlan *out = plan->plan;
  double steps = round (horizon / task->dt);
  SsJsonAt at;
  int before = reader->n_problems;

  out->horizon = out->time_lower = out->time_upper = horizon;
  if (ss_at_member (reader, plan->task_at, "steps", &at)) {
    reader->marks_structural = true;
    out->steps = 1;
    ss_read_integer (reader, &at, 1, SS_POINTS_MAX, &out->steps);
    reader->marks_structural = false;
  } else if (steps > SS_POINTS_MAX) {
    plan->plan->steps = SS_POINTS_MAX; /* of importance only to a plan */
  } else {
    out->steps = steps >= 1 ? (int)steps : 1;
  }
  if (!ss_at_member (reader, plan->task_at, "free_time", &at) || !ss_read_is_object (reader, &at))
    return;
  out->is_time_free = true;
  out->time_lower = ss_read_real (reader, &at, "lower", SS_POSITIVE, NAN);
  out->time_upper = ss_read_real (reader, &at, "upper", SS_POSITIVE, NAN);
  out->time_weight = ss_read_real (reader, &at, "weight", SS_NONNEGATIVE, DEFAULT_TIME_WEIGHT);
  out->are_steps_free = ss_read_boolean (reader, &at, "per_step", false);
  if (reader->n_problems == before && !(out->time_lower <= horizon && horizon <= out->time_upper))
    ss_reader_problem (reader, &at, "lower <= horizon <= upper", "the horizon is not between its bounds");
}

static void
read_guess (PlanReader *plan)
{
  static const char *const names[] = {"still", "zeros", "simulation"};
  SsReader *reader = plan->scene.reader;
  SsJsonAt at;
  int choice = 0;

  if (ss_at_member (reader, plan->task_at, "guess", &at))
    choice = ss_read_choice (reader, &at, names, 3, "guess of a scene");
  if (choice >= 0)
    plan->plan->guess = (SsPlanGuess)choice; /* `names` is in that order */
}

static void
add_candidate (SsReader *reader, const SsJsonAt *at, void *user_data)
{
  PlanReader *plan = user_data;
  const char *text = json_is_string (at->value) ? ss_reader_expand (reader, at) : NULL;
  int contact;

  /* The contact may be that of a rejected part of the scene. */
  if (reader->scene_has_problems && (text == NULL || ss_names_find (&plan->contact_names, text, strlen (text)) == NULL))
    return;
  contact = ss_scene_find_name (reader, at, &plan->contact_names, "contact");
  if (contact >= 0)
    plan->is_candidate[contact] = true;
}

static void
read_candidates (PlanReader *plan)
{
  SsReader *reader = plan->scene.reader;
  const SsScene *scene = plan->scene.scene;
  SsJsonAt at;
  int *candidates, n = 0;
  bool is_all = true;

  if (ss_at_member (reader, plan->task_at, "contacts", &at) &&
      !(json_is_string (at.value) && strcmp (json_string_value (at.value), "all") == 0)) {
    if (!json_is_array (at.value)) {
      ss_reader_problem (reader, &at, "\"all\" or a list of names of contacts", "these are no contacts");
      return;
    }
    is_all = false;
  }
  plan->is_candidate = ss_new_array (bool, scene->n_contacts + 1);
  if (plan->is_candidate == NULL) {
    reader->out_of_memory = true;
    return;
  }
  if (is_all) {
    memset (plan->is_candidate, true, (size_t)scene->n_contacts * sizeof *plan->is_candidate);
  } else {
    for (int i = 0; i < scene->n_contacts && !reader->out_of_memory; i++)
      if (!ss_names_add (&plan->contact_names, scene->contacts[i].name, SS_SYMBOL_CHANNEL, i, 0))
        reader->out_of_memory = true;
    if (!reader->out_of_memory)
      ss_read_items (reader, &at, add_candidate, plan);
  }
  for (int i = 0; i < scene->n_contacts; i++)
    n += plan->is_candidate[i];
  candidates = ss_reader_alloc (reader, (size_t)n, sizeof *candidates);
  if (candidates == NULL)
    return;
  n = 0;
  for (int i = 0; i < scene->n_contacts; i++)
    if (plan->is_candidate[i])
      candidates[n++] = i;
  plan->plan->candidates = candidates;
  plan->plan->n_candidates = n;
}

/* ---- the plan ---------------------------------------------------------------------------------------------------- */

/* Names and slots of the scene, as its own reader had them. */
static void
open_scene (PlanReader *plan)
{
  SsReader *reader = plan->scene.reader;
  SsScene *scene = plan->scene.scene;

  plan->scene.bodies = (SsBody *)scene->bodies; /* read only */
  plan->scene.n_bodies = scene->n_bodies;
  plan->scene.misses_bodies = reader->scene_has_problems;
  plan->scene.reads_controls = true;
  for (int b = 0; b < scene->n_bodies; b++)
    if (ss_names_find (&plan->scene.body_names, scene->bodies[b].name, strlen (scene->bodies[b].name)) == NULL &&
        !ss_names_add (&plan->scene.body_names, scene->bodies[b].name, SS_SYMBOL_CHANNEL, b, 0))
      reader->out_of_memory = true;
  for (int i = 0; i < scene->n_actuators; i++)
    if (!ss_names_add (&plan->scene.actuator_names, scene->actuators[i].name, SS_SYMBOL_CHANNEL, i, 0))
      reader->out_of_memory = true;
}

static void
read_list (PlanReader *plan, const char *key, SsItemFunc item)
{
  SsJsonAt at;

  if (ss_at_member (plan->scene.reader, plan->task_at, key, &at))
    ss_read_items (plan->scene.reader, &at, item, plan);
}

static void
keep_lists (PlanReader *plan)
{
  SsReader *reader = plan->scene.reader;
  SsPlan *out = plan->plan;

  out->targets = ss_reader_keep (reader, plan->targets, plan->n_targets, sizeof *plan->targets);
  out->bounds = ss_reader_keep (reader, plan->bounds, plan->n_bounds, sizeof *plan->bounds);
  out->constraints = ss_reader_keep (reader, plan->constraints, plan->n_constraints, sizeof *plan->constraints);
  out->costs = ss_reader_keep (reader, plan->costs, plan->n_costs, sizeof *plan->costs);
  out->n_targets = plan->n_targets;
  out->n_bounds = plan->n_bounds;
  out->n_constraints = plan->n_constraints;
  out->n_costs = plan->n_costs;
  out->effort = plan->effort;
}

void
ss_read_plan (SsReader *reader, const SsJsonAt *task_at, double horizon)
{
  PlanReader plan = {.scene = {.reader = reader, .scene = (SsScene *)reader->scenario->scene}, .task_at = task_at};

  plan.plan = ss_reader_alloc (reader, 1, sizeof *plan.plan);
  if (plan.plan == NULL)
    return;
  open_scene (&plan);
  if (!reader->out_of_memory) {
    read_time (&plan, horizon);
    read_list (&plan, "targets", read_target);
    read_list (&plan, "bounds", read_bound);
    read_effort (&plan);
    plan.plan->effort_rate = ss_read_real (reader, task_at, "effort_rate", SS_NONNEGATIVE, 0);
    read_list (&plan, "constraints", read_constraint);
    read_list (&plan, "cost", read_cost);
    read_guess (&plan);
    read_candidates (&plan);
    ss_read_worlds (reader, task_at, plan.plan);
  }
  keep_lists (&plan);
  if (plan.n_targets > 0 || plan.n_constraints > 0 || plan.n_costs > 0)
    reader->scenario->task.plan = plan.plan;
  ss_names_clear (&plan.scene.body_names);
  ss_names_clear (&plan.scene.actuator_names);
  ss_names_clear (&plan.contact_names);
  ss_free (plan.is_candidate);
}
