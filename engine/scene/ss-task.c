/* engine/scene/ss-task.c: reads the `task` section and evaluates the initial guess of a model. */
#include "scene/ss-scenario-private.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of a scene whose file gives no horizon and step. */
#define DEFAULT_T_END 1.0
#define DEFAULT_DT    0.01

/* Times that differ by less than this many roundings are one. */
static const double same_time_roundings = 16;

/* ---- horizon and tracking ---------------------------------------------------------------------------------------- */

/* An optimiser has something to do, and times say how many steps there are unless `steps` does. */
static bool
has_plan (const SsReader *reader, const SsJsonAt *task_at)
{
  SsJsonAt member;

  return ss_at_member (reader, task_at, "targets", &member) || ss_at_member (reader, task_at, "constraints", &member) ||
         ss_at_member (reader, task_at, "cost", &member);
}

/* Reads `horizon`, `t_end` and `dt`; one of the first two stands for both. Returns the horizon. */
static double
read_horizon (SsReader *reader, const SsJsonAt *at, SsTask *task)
{
  int before = reader->n_problems;
  double horizon;
  SsJsonAt member;
  bool has_horizon;

  task->t_end = DEFAULT_T_END;
  task->dt = DEFAULT_DT;
  if (at == NULL)
    return DEFAULT_T_END;
  has_horizon = ss_at_member (reader, at, "horizon", &member);
  reader->marks_structural = has_plan (reader, at) && !ss_at_member (reader, at, "steps", &member);
  horizon = ss_read_real (reader, at, "horizon", SS_POSITIVE, DEFAULT_T_END);
  task->t_end = ss_read_real (reader, at, "t_end", SS_POSITIVE, horizon);
  task->dt = ss_read_real (reader, at, "dt", SS_POSITIVE, DEFAULT_DT);
  reader->marks_structural = false;
  if (reader->n_problems == before && task->t_end / task->dt > SS_STEPS_MAX)
    ss_reader_problem (reader, at, "at most 10 million steps", "t_end / dt is too large");
  return has_horizon ? horizon : task->t_end;
}

typedef struct {
  SsTracking *items;
  int n_items, capacity;
  SsTrackKind kind;
  bool wrap;
} TrackingList;

static void
add_residual (SsReader *reader, const SsJsonAt *at, void *user_data)
{
  TrackingList *list = user_data;
  SsTracking item = {.kind = list->kind, .wrap = list->wrap};

  if (ss_read_formula (reader, at, SS_USES_VARIABLES | SS_USES_INDEX, &item.residual, NULL) &&
      ss_reader_reserve (reader, (void **)&list->items, &list->capacity, list->n_items + 1, sizeof *list->items))
    list->items[list->n_items++] = item;
}

static void
read_tracking (SsReader *reader, const SsJsonAt *task_at, SsTask *task)
{
  static const char *const kinds[SS_TRACK_COUNT] = {"position", "velocity", "angle", "angular_velocity"};
  bool wrap = ss_read_boolean (reader, task_at, "wrap", false);
  TrackingList list = {0};
  SsJsonAt at, child;

  if (!ss_at_member (reader, task_at, "tracking", &at) || !ss_read_is_object (reader, &at))
    return;
  for (int kind = 0; kind < SS_TRACK_COUNT; kind++) {
    if (!ss_at_member (reader, &at, kinds[kind], &child))
      continue;
    list.kind = (SsTrackKind)kind;
    list.wrap = wrap && kind == SS_TRACK_ANGLE;
    ss_read_items (reader, &child, add_residual, &list);
  }
  task->n_tracking = list.n_items;
  task->tracking = ss_reader_keep (reader, list.items, list.n_items, sizeof *list.items);
}

/* ---- inputs ------------------------------------------------------------------------------------------------------ */

/* Who runs a closed loop reads them in the file; here they are looked at. */
static void
check_input (SsReader *reader, const SsJsonAt *at, void *user_data)
{
  const char *name = json_string_value (at->value);
  const SsSymbol *symbol = name != NULL ? ss_names_find (&reader->names, name, strlen (name)) : NULL;

  (void)user_data;
  if (symbol == NULL || symbol->kind != SS_SYMBOL_VARIABLE)
    ss_reader_problem (reader, at, "the name of one of the model's variables", "this is no variable");
}

static void
check_inputs (SsReader *reader, const SsJsonAt *task_at)
{
  SsJsonAt at;

  if (ss_at_member (reader, task_at, "inputs", &at))
    ss_read_items (reader, &at, check_input, NULL);
}

/* ---- breaks ------------------------------------------------------------------------------------------------------ */

typedef struct {
  double *items;
  int n, capacity;
} Breaks;

static void
add_break (SsReader *reader, const SsJsonAt *at, void *user_data)
{
  Breaks *breaks = user_data;
  double t;

  if (breaks->n == SS_BREAKS_MAX) {
    ss_reader_problem (reader, at, "at most 10000 breaks", "there are too many breaks");
    breaks->n++;
  } else if (breaks->n < SS_BREAKS_MAX && ss_read_number (reader, at, SS_ANY_NUMBER, &t) &&
             ss_reader_reserve (reader, (void **)&breaks->items, &breaks->capacity, breaks->n + 1,
                                sizeof *breaks->items))
    breaks->items[breaks->n++] = t;
}

static int
compare_times (const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;

  return (x > y) - (x < y);
}

/* Who lists breaks, be it none, knows of the kinks. */
static void
read_breaks (SsReader *reader, const SsJsonAt *task_at)
{
  SsScene *scene = (SsScene *)reader->scenario->scene; /* it is being read */
  Breaks breaks = {0};
  SsJsonAt at;
  int n = 0;

  if (!ss_at_member (reader, task_at, "breaks", &at))
    return;
  ss_read_items (reader, &at, add_break, &breaks);
  breaks.n = breaks.n < SS_BREAKS_MAX ? breaks.n : SS_BREAKS_MAX;
  if (breaks.n > 1)
    qsort (breaks.items, (size_t)breaks.n, sizeof *breaks.items, compare_times);
  for (int i = 0; i < breaks.n; i++)
    if (n == 0 || breaks.items[i] > breaks.items[n - 1])
      breaks.items[n++] = breaks.items[i];
  scene->n_breaks = n;
  scene->breaks = ss_reader_keep (reader, breaks.items, n, sizeof *breaks.items);
  if (reader->n_kinks == 0)
    return;
  memmove (reader->warnings, reader->warnings + reader->n_kinks,
           (size_t)(reader->n_warnings - reader->n_kinks) * sizeof *reader->warnings);
  reader->n_warnings -= reader->n_kinks;
  reader->n_kinks = 0;
}

double
ss_scene_next_break (const SsScene *scene, double t)
{
  SS_ASSERT (scene != NULL && scene->n_bodies >= 0);

  const double after = t + same_time_roundings * DBL_EPSILON * fabs (t);

  int low = 0, high = scene->n_breaks;

  while (low < high) {
    const int middle = low + (high - low) / 2;

    if (scene->breaks[middle] > after)
      high = middle;
    else
      low = middle + 1;
  }
  return low < scene->n_breaks ? scene->breaks[low] : INFINITY;
}

/* ---- the guess --------------------------------------------------------------------------------------------------- */

static void
add_auxiliary (SsReader *reader, const SsJsonAt *at, void *user_data)
{
  const char *name = json_string_value (at->value);

  (void)user_data;
  if (name == NULL) {
    ss_reader_problem (reader, at, "a name in quotes", "this is no name of an auxiliary value");
    return;
  }
  name = ss_reader_expand (reader, at);
  if (name != NULL &&
      ss_reader_add_name (reader, at, ss_reader_strdup (reader, name), SS_SYMBOL_AUXILIARY, reader->n_auxiliary))
    reader->n_auxiliary++;
}

/* Names of the auxiliary values in the order of their slots. */
static const char *const *
list_auxiliary (SsReader *reader)
{
  const char **names = ss_reader_alloc (reader, (size_t)reader->n_auxiliary, sizeof *names);

  for (int i = 0; names != NULL && i < reader->names.n_symbols; i++)
    if (reader->names.symbols[i].kind == SS_SYMBOL_AUXILIARY)
      names[reader->names.symbols[i].index] = reader->names.symbols[i].name;
  return names;
}

/* True if the formula reads, at k+1, something that `is_set` (by slot at k) does not hold; names it. */
static bool
reads_unset_next (SsReader *reader, SsExpr e, const bool *is_set, const char **name)
{
  const SsModel *model = reader->model;
  int n_slots = model->n_slots + 2 * reader->n_auxiliary;
  int *slots = ss_new_array (int, n_slots);
  bool found = false;
  int n;

  if (slots == NULL) {
    reader->out_of_memory = true;
    return false;
  }
  n = ss_graph_inputs (reader->scenario->graph, e, slots, n_slots);
  for (int i = 0; i < n && i < n_slots && !found; i++) {
    if (slots[i] >= model->slot_next && slots[i] < model->slot_parameters && !is_set[slots[i] - model->slot_next]) {
      *name = model->variables[slots[i] - model->slot_next];
      found = true;
    } else if (slots[i] >= model->n_slots + reader->n_auxiliary && !is_set[slots[i] - reader->n_auxiliary]) {
      *name = reader->scenario->task.guess.auxiliary[slots[i] - model->n_slots - reader->n_auxiliary];
      found = true;
    }
  }
  ss_free (slots);
  return found;
}

/* Reads {"name": "formula", ...}: assignments to variables and auxiliary values, in order. */
static void
read_assignments (SsReader *reader, const SsJsonAt *guess_at, const char *key, bool with_next, const SsAssignment **out,
                  int *n_out)
{
  const SsModel *model = reader->model;
  unsigned allowed = SS_USES_VARIABLES | SS_USES_AUXILIARY | SS_USES_INDEX | (with_next ? SS_USES_NEXT : 0);
  SsAssignment *list = NULL;
  bool *is_set = NULL;
  SsJsonAt at, child;
  int n = 0, capacity = 0;

  if (!ss_at_member (reader, guess_at, key, &at) || !ss_read_is_object (reader, &at))
    return;
  is_set = ss_new_array (bool, model->n_slots + 2 * reader->n_auxiliary);
  if (is_set == NULL) {
    reader->out_of_memory = true;
    return;
  }
  for (bool more = ss_at_first (reader, &at, &child); more && !reader->out_of_memory;
       more = ss_at_next (reader, &child)) {
    const SsSymbol *symbol = ss_names_find (&reader->names, child.key, strlen (child.key));
    SsAssignment item = {0};
    const char *name = NULL;

    if (symbol == NULL || (symbol->kind != SS_SYMBOL_VARIABLE && symbol->kind != SS_SYMBOL_AUXILIARY)) {
      const char *near = ss_reader_nearest (reader, child.key, 1u << SS_SYMBOL_VARIABLE | 1u << SS_SYMBOL_AUXILIARY);

      ss_reader_problem (reader, &child, "a variable of the model or an auxiliary value",
                         near != NULL ? "'%.64s' is no variable; did you mean '%s'?" : "'%.64s' is no variable",
                         child.key, near);
      continue;
    }
    item.slot = symbol->kind == SS_SYMBOL_VARIABLE ? symbol->index : reader->slot_auxiliary + symbol->index;
    if (!ss_read_formula (reader, &child, allowed, &item.value, NULL))
      continue;
    if (with_next && reads_unset_next (reader, item.value, is_set, &name)) {
      ss_reader_problem (reader, &child, "next() of what is assigned above", "next(%s) is not known yet", name);
      continue;
    }
    is_set[item.slot] = true;
    if (ss_reader_reserve (reader, (void **)&list, &capacity, n + 1, sizeof *list))
      list[n++] = item;
  }
  ss_free (is_set);
  *out = ss_reader_keep (reader, list, n, sizeof *list);
  *n_out = n;
}

static void
read_noise (SsReader *reader, const SsJsonAt *guess_at, SsGuess *guess)
{
  SsJsonAt at, seed_at;
  double seed = 1;

  if (!ss_at_member (reader, guess_at, "noise", &at) || !ss_read_is_object (reader, &at))
    return;
  guess->noise_amplitude = ss_read_real (reader, &at, "amplitude", SS_NONNEGATIVE, NAN);
  if (!ss_at_member (reader, &at, "seed", &seed_at) || !ss_read_number (reader, &seed_at, SS_NONNEGATIVE, &seed))
    seed = 1;
  else if (seed != floor (seed) || seed > (double)UINT32_MAX) {
    ss_reader_problem (reader, &seed_at, "a whole number from 0 to 4294967295", "this is no seed");
    seed = 1;
  }
  guess->noise_seed = (uint32_t)seed;
}

static void
read_guess (SsReader *reader, const SsJsonAt *task_at, SsGuess *guess)
{
  SsJsonAt at, child;

  guess->slot_auxiliary = reader->slot_auxiliary = reader->model->n_slots;
  guess->n_slots = reader->model->n_slots;
  if (task_at == NULL || !ss_at_member (reader, task_at, "guess", &at))
    return;
  if (json_is_string (at.value)) {
    static const char *const names[] = {"zeros"};

    ss_read_choice (reader, &at, names, 1, "guess");
    return;
  }
  if (!json_is_object (at.value)) {
    ss_reader_problem (reader, &at, "\"zeros\", {\"values\": ...} or {\"first\": ..., \"next\": ...}",
                       "this is no initial guess");
    return;
  }
  if (ss_at_member (reader, &at, "auxiliary", &child)) {
    ss_read_items (reader, &child, add_auxiliary, NULL);
    if (reader->n_auxiliary > SS_VARIABLES_MAX ||
        (double)reader->n_auxiliary * reader->model->n_points > SS_VARIABLES_TOTAL_MAX) {
      ss_reader_problem (reader, &child, "at most 10000, and 10 million over all points",
                         "there are too many auxiliary values");
      return;
    }
    guess->n_auxiliary = reader->n_auxiliary;
    guess->n_slots += 2 * reader->n_auxiliary;
    guess->auxiliary = list_auxiliary (reader);
    if (guess->auxiliary == NULL)
      return;
  }
  if (ss_at_member (reader, &at, "values", &child)) {
    guess->kind = SS_GUESS_VALUES;
    read_assignments (reader, &at, "values", false, &guess->first, &guess->n_first);
  } else if (ss_at_member (reader, &at, "first", &child) || ss_at_member (reader, &at, "next", &child)) {
    guess->kind = SS_GUESS_ROLLOUT;
    read_assignments (reader, &at, "first", false, &guess->first, &guess->n_first);
    read_assignments (reader, &at, "next", true, &guess->next, &guess->n_next);
    read_assignments (reader, &at, "each", false, &guess->each, &guess->n_each);
  } else if (!ss_at_member (reader, &at, "noise", &child)) {
    ss_reader_problem (reader, &at, "'values', or 'first' and 'next', or 'noise'", "the guess says nothing");
  }
  read_noise (reader, &at, guess);
}

void
ss_read_task (SsReader *reader, const SsJsonAt *root)
{
  SS_ASSERT (reader != NULL);

  SsTask *task = &reader->scenario->task;
  SsJsonAt at;
  bool has_task = ss_at_member (reader, root, "task", &at) && ss_read_is_object (reader, &at);

  if (reader->model != NULL) {
    task->dt = reader->model->time_step;
    task->t_end = (reader->model->n_points - 1) * task->dt;
    if (has_task) {
      read_tracking (reader, &at, task);
      check_inputs (reader, &at);
    }
    read_guess (reader, has_task ? &at : NULL, &task->guess);
  } else {
    double horizon = read_horizon (reader, has_task ? &at : NULL, task);

    if (has_task) {
      read_breaks (reader, &at);
      ss_read_plan (reader, &at, horizon);
    }
  }
}

/* ---- evaluation -------------------------------------------------------------------------------------------------- */

typedef struct {
  const SsScenario *scenario;
  double *inputs, *memo; /* by slot; by node */
  int *stamp, tick;
} GuessWork;

static bool
open_work (GuessWork *work, const SsScenario *scenario)
{
  int n_nodes = ss_graph_n_nodes (scenario->graph);

  *work = (GuessWork){.scenario = scenario,
                      .inputs = ss_new_array (double, scenario->task.guess.n_slots + 1),
                      .memo = ss_new_array (double, n_nodes + 1),
                      .stamp = ss_new_array (int, n_nodes + 1)};
  return work->inputs != NULL && work->memo != NULL && work->stamp != NULL;
}

static void
close_work (GuessWork *work)
{
  ss_free (work->inputs);
  ss_free (work->memo);
  ss_free (work->stamp);
}

static double
evaluate (GuessWork *work, SsExpr e)
{
  /* Stamps are compared with the tick: start over before it runs out. */
  if (work->tick == INT32_MAX) {
    memset (work->stamp, 0, (size_t)ss_graph_n_nodes (work->scenario->graph) * sizeof *work->stamp);
    work->tick = 0;
  }
  return ss_graph_eval (work->scenario->graph, e, work->inputs, work->scenario->task.guess.n_slots, work->memo,
                        work->stamp, ++work->tick);
}

/* Carries out a list of assignments; targets at k+1 when `next_slots`. Returns the slot of a value that is not finite,
 * or -1. */
static int
assign (GuessWork *work, const SsAssignment *list, int n, bool next_slots)
{
  const SsModel *model = work->scenario->model;
  const SsGuess *guess = &work->scenario->task.guess;

  for (int i = 0; i < n; i++) {
    double value = evaluate (work, list[i].value);
    int slot = list[i].slot;

    if (!isfinite (value))
      return slot;
    if (next_slots)
      slot += slot < model->n_variables ? model->slot_next : guess->n_auxiliary;
    work->inputs[slot] = value;
  }
  return -1;
}

/* Variables and auxiliary values at point k into the inputs. The inputs hold those of k-1 when k > 0. Returns a bad
 * slot or -1. */
static int
evaluate_point (GuessWork *work, int k)
{
  const SsModel *model = work->scenario->model;
  const SsGuess *guess = &work->scenario->task.guess;
  size_t n = (size_t)model->n_variables, n_auxiliary = (size_t)guess->n_auxiliary;
  double *now = work->inputs, *next = work->inputs + model->slot_next;
  double *auxiliary = work->inputs + guess->slot_auxiliary;
  int bad = -1;

  if (k > 0 && guess->kind == SS_GUESS_ROLLOUT) {
    /* From k-1 to k: k and t in `next` are those of k-1. */
    memset (next, 0, n * sizeof *next);
    memset (auxiliary + n_auxiliary, 0, n_auxiliary * sizeof *auxiliary);
    bad = assign (work, guess->next, guess->n_next, true);
    memcpy (now, next, n * sizeof *now);
    memcpy (auxiliary, auxiliary + n_auxiliary, n_auxiliary * sizeof *auxiliary);
  } else {
    memset (now, 0, n * sizeof *now);
    memset (auxiliary, 0, n_auxiliary * sizeof *auxiliary);
  }
  work->inputs[model->slot_k] = k;
  work->inputs[model->slot_t] = k * model->time_step;
  if (bad < 0 && (k == 0 || guess->kind == SS_GUESS_VALUES))
    bad = assign (work, guess->first, guess->n_first, false);
  if (bad < 0)
    bad = assign (work, guess->each, guess->n_each, false);
  return bad;
}

static void
set_parameters (GuessWork *work)
{
  for (int i = 0; i < work->scenario->n_parameters; i++)
    work->inputs[work->scenario->model->slot_parameters + i] = work->scenario->parameters[i].value;
}

static void
add_noise (const SsGuess *guess, double *x, size_t n)
{
  /* Numerical Recipes' linear congruential generator, as the reference notes prescribe; two to the 32nd scales to [0,
   * 1). */
  const uint32_t multiplier = 1664525u, increment = 1013904223u;
  const double range = 4294967296.0;
  uint32_t state = guess->noise_seed;

  if (guess->noise_amplitude == 0)
    return;
  for (size_t j = 0; j < n; j++) {
    state = multiplier * state + increment;
    x[j] += guess->noise_amplitude * (2 * (double)state / range - 1);
  }
}

static SsStatus
report_bad_value (const SsScenario *scenario, int slot, int k, SsError *err)
{
  const SsGuess *guess = &scenario->task.guess;
  const char *name = slot < scenario->model->n_variables ? scenario->model->variables[slot]
                                                         : guess->auxiliary[slot - guess->slot_auxiliary];

  ss_error_set (err, SS_ERR_INVALID, "the initial guess of '%s' at point %d is not a finite number", name, k);
  if (err != NULL)
    snprintf (err->path, sizeof err->path, "task.guess");
  return SS_ERR_INVALID;
}

SsStatus
ss_scenario_guess (const SsScenario *scenario, double *x, SsError *err)
{
  SS_ASSERT (scenario != NULL && x != NULL);

  const SsModel *model = scenario->model;
  GuessWork work = {0};
  SsStatus status = SS_OK;
  double *values = NULL;
  size_t n;

  if (model == NULL)
    return ss_error_set (err, SS_ERR_ARG, "the scenario has no model, hence no initial guess");
  n = (size_t)model->n_points * (size_t)model->n_variables;
  values = ss_new_array (double, n);
  if (!open_work (&work, scenario) || values == NULL) {
    status = ss_error_set (err, SS_ERR_MEMORY, "out of memory for the initial guess");
    goto out;
  }
  set_parameters (&work);
  if (scenario->task.guess.kind == SS_GUESS_TABLE)
    memcpy (values, scenario->task.guess.table, n * sizeof *values);
  for (int k = 0; k < model->n_points && scenario->task.guess.kind != SS_GUESS_ZEROS &&
                  scenario->task.guess.kind != SS_GUESS_TABLE;
       k++) {
    int bad = evaluate_point (&work, k);

    if (bad >= 0) {
      status = report_bad_value (scenario, bad, k, err);
      goto out;
    }
    memcpy (values + (size_t)k * (size_t)model->n_variables, work.inputs, (size_t)model->n_variables * sizeof *values);
  }
  add_noise (&scenario->task.guess, values, n);
  memcpy (x, values, n * sizeof *x);

out:
  close_work (&work);
  ss_free (values);
  return status;
}

/* ---- the start --------------------------------------------------------------------------------------------------- */

/* True if the expression reads parameters only. */
static bool
is_known (const SsScenario *scenario, SsExpr e)
{
  int slot;

  /* Ascending: the first slot tells. */
  return ss_graph_inputs (scenario->graph, e, &slot, 1) == 0 || slot >= scenario->model->slot_parameters;
}

static bool
is_variable (const SsScenario *scenario, SsExpr e)
{
  return ss_graph_op (scenario->graph, e) == SS_OP_INPUT &&
         ss_graph_slot (scenario->graph, e) < scenario->model->n_variables;
}

/* Sets a variable from a row at point 0 of the form variable, variable - known, variable + known, known - variable. */
static void
apply_initial_row (GuessWork *work, SsExpr row)
{
  const SsGraph *graph = work->scenario->graph;
  SsOp op = ss_graph_op (graph, row);
  SsExpr a = ss_graph_operand (graph, row, 0), b = ss_graph_operand (graph, row, 1);
  SsExpr variable = SS_EXPR_NONE, known = SS_EXPR_NONE;
  double value = 0;

  if (is_variable (work->scenario, row)) {
    variable = row;
  } else if (op == SS_OP_SUB || op == SS_OP_ADD) {
    if (is_variable (work->scenario, a) && is_known (work->scenario, b)) {
      variable = a;
      known = b;
    } else if (is_variable (work->scenario, b) && is_known (work->scenario, a)) {
      variable = b;
      known = a;
    }
  }
  if (variable == SS_EXPR_NONE)
    return;
  if (known != SS_EXPR_NONE)
    value = (op == SS_OP_ADD ? -1 : 1) * evaluate (work, known);
  if (isfinite (value))
    work->inputs[ss_graph_slot (graph, variable)] = value;
}

SsStatus
ss_model_initial_values (const SsScenario *scenario, double *values, SsError *err)
{
  SS_ASSERT (scenario != NULL);

  const SsModel *model = scenario->model;
  GuessWork work = {0};
  SsStatus status = SS_OK;
  int bad;

  if (!open_work (&work, scenario)) {
    status = ss_error_set (err, SS_ERR_MEMORY, "out of memory for the initial values");
    goto out;
  }
  set_parameters (&work);
  bad = evaluate_point (&work, 0);
  if (bad >= 0) {
    status = report_bad_value (scenario, bad, 0, err);
    goto out;
  }
  for (int b = 0; b < model->n_blocks; b++)
    for (int r = 0; r < model->blocks[b].n_rows && model->blocks[b].first == 0; r++)
      if (model->blocks[b].rows[r].kind == SS_ROWS_EQUALITY)
        apply_initial_row (&work, model->blocks[b].rows[r].a);
  memcpy (values, work.inputs, (size_t)model->n_variables * sizeof *values);

out:
  close_work (&work);
  return status;
}
