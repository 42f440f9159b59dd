/* app/bench/ssapp-bench-loop.c: see the header.
 *
 * The plant's step is the model's own: its block `dynamics` is linear in the next state, of which its rows are solved,
 * with the plan's first controls. Of a pair whose first side is one control alone and whose second grows with it, as
 * the force of a wall, the plant takes the value that the pair has at its own state: a kicked pole is not pushed by a
 * wall that the plan expected. Only numbers of the initial state and of the goal change from solve to solve. */
#include "app/bench/ssapp-bench-loop.h"

#include "app/bench/ssapp-bench-common.h"
#include "mpcc/ss-problem.h"

#include <math.h>
#include <string.h>

enum { STATES_MAX = 16, SETS_MAX = 64 };
static const double noise = 2e-3, kick = 0.1, wrong_friction = 1.3, goal_step = 0.3; /* see conditions */

static const struct {
  const char *name, *what;
  double noise, kick, friction, goal;
} conditions[] = {{"none", "the plant is the model", 0, 0, 1, 0},
                  {"noise", "normal noise of 0.002 on each state, each step", noise, 0, 1, 0},
                  {"kick", "0.1 is added to each state half way", 0, kick, 1, 0},
                  {"friction", "the plant's mu is 1.3 times the plan's", 0, 0, wrong_friction, 0},
                  {"goal", "the goal's first coordinate goes by 0.3 half way", 0, 0, 1, goal_step}};

/* Names of the file: a state and the parameter of its start, or of its goal. */
typedef struct {
  char *state, *parameter;
} Pair;

typedef struct {
  const SsappBenchLoopPlan *plan;
  const SsappBenchMethod *method;
  guint condition;
  int n, n_goals;
  Pair starts[STATES_MAX], goals[STATES_MAX]; /* owned */
  double state[STATES_MAX], target[STATES_MAX];
  SsRandom random;
  SsMpcc *mpcc;
  void *solver, *options;
  double *parameters, *guess, *answer;
  int size; /* of guess and answer */
  int steps, n_failed;
  GArray *seconds;
} Loop;

/* ---- what the file says ------------------------------------------------------------------------------------------ */

/* "px - xt": both names, owned; FALSE: it is something else. */
static gboolean
split (const char *formula, Pair *pair)
{
  g_autoptr (GRegex) regex = g_regex_new ("^\\s*(\\w+)\\s*-\\s*([A-Za-z_]\\w*)\\s*$", 0, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;

  if (formula == NULL || !g_regex_match (regex, formula, 0, &match))
    return FALSE;
  *pair = (Pair){g_match_info_fetch (match, 1), g_match_info_fetch (match, 2)};
  return TRUE;
}

/* All of a list; -1: one is something else, or there are too many. */
static int
split_all (const json_t *list, Pair *pairs)
{
  const json_t *item;
  size_t i;
  int n = 0;

  json_array_foreach (list, i, item) if (n == STATES_MAX || !split (json_string_value (item), &pairs[n++])) return -1;
  return n;
}

static gboolean
read_names (Loop *self, GError **error)
{
  json_t *root = json_loads (self->plan->text, 0, NULL);
  const json_t *blocks = json_object_get (json_object_get (root, "model"), "constraints"), *block;
  const json_t *goals = json_object_get (json_object_get (json_object_get (root, "task"), "tracking"), "position");
  size_t i;

  json_array_foreach (blocks, i, block) if (g_strcmp0 (json_string_value (json_object_get (block, "name")), "start") ==
                                            0) self->n = split_all (json_object_get (block, "zero"), self->starts);
  self->n_goals = split_all (goals, self->goals);
  json_decref (root);
  if (self->n > 0 && self->n_goals > 0)
    return TRUE;
  g_set_error (
      error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
      "%s has no start or goal of rows such as 'x - x0', a state less a parameter, which a closed loop changes",
      self->plan->name);
  return FALSE;
}

/* The scenario with the state and the goal of now; friction times `friction`. NULL with an error. */
static SsScenario *
read_now (Loop *self, double friction, GError **error)
{
  SsOverride set[SETS_MAX];
  g_autofree char *message = NULL;
  int n = 0;

  for (int i = 0; i < self->plan->n_set && n < SETS_MAX - 2 * STATES_MAX - 1; i++)
    set[n++] = self->plan->set[i];
  SsScenario *scenario = ssapp_bench_read (self->plan->text, self->plan->name, set, n, &message);
  const int mu = scenario != NULL ? ss_scenario_parameter (scenario, "mu") : -1;
  if (scenario != NULL && self->steps >= 0) {
    for (int i = 0; i < self->n; i++)
      set[n++] = (SsOverride){self->starts[i].parameter, self->state[i]};
    for (int i = 0; i < self->n_goals; i++)
      set[n++] = (SsOverride){self->goals[i].parameter, self->target[i]};
    if (mu >= 0)
      set[n++] = (SsOverride){"mu", friction * scenario->parameters[mu].value};
    ss_scenario_free (scenario);
    scenario = ssapp_bench_read (self->plan->text, self->plan->name, set, n, &message);
  }
  if (scenario == NULL)
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "%s", message);
  return scenario;
}

/* ---- the plant --------------------------------------------------------------------------------------------------- */

static int
variable (const SsModel *model, const char *name)
{
  for (int i = 0; i < model->n_variables; i++)
    if (strcmp (model->variables[i], name) == 0)
      return i;
  return -1;
}

static const SsModelBlock *
find_block (const SsModel *model, const char *name)
{
  for (int b = 0; b < model->n_blocks; b++)
    if (strcmp (model->blocks[b].name, name) == 0)
      return &model->blocks[b];
  return NULL;
}

static double
evaluate (const SsScenario *scenario, SsExpr e, const double *inputs)
{
  const int n = ss_graph_n_nodes (scenario->graph);
  g_autofree double *memo = g_new0 (double, n);
  g_autofree int *stamp = g_new0 (int, n);

  return ss_graph_eval (scenario->graph, e, inputs, scenario->model->n_slots, memo, stamp, 1);
}

/* A control that a pair alone decides at this state: a = v, b = b0 + s v with s > 0, so v = max (0, -b0/s). */
static void
take_contact (const SsScenario *scenario, const SsModelRow *row, double *inputs)
{
  for (int v = scenario->model->n_states; v < scenario->model->n_variables; v++) {
    const double kept = inputs[v];
    inputs[v] = 0;
    const double a0 = evaluate (scenario, row->a, inputs), b0 = evaluate (scenario, row->b, inputs);
    inputs[v] = 1;
    const double a1 = evaluate (scenario, row->a, inputs), rise = evaluate (scenario, row->b, inputs) - b0;
    inputs[v] = a0 == 0 && a1 == 1 && rise > 0 ? fmax (0, -b0 / rise) : kept;
  }
}

/* Gauss with pivots; FALSE: singular. */
static gboolean
solve_dense (int n, double *a, double *b)
{
  for (int k = 0; k < n; k++) {
    int p = k;
    for (int i = k + 1; i < n; i++)
      p = fabs (a[i * n + k]) > fabs (a[p * n + k]) ? i : p;
    if (!(fabs (a[p * n + k]) > 1e-12))
      return FALSE;
    for (int j = 0; j < n; j++) {
      const double swap = a[k * n + j];
      a[k * n + j] = a[p * n + j];
      a[p * n + j] = swap;
    }
    const double swap = b[k];
    b[k] = b[p];
    b[p] = swap;
    for (int i = 0; i < n; i++) {
      const double factor = i == k ? 0 : a[i * n + k] / a[k * n + k];
      for (int j = k; j < n && factor != 0; j++)
        a[i * n + j] -= factor * a[k * n + j];
      b[i] -= factor * b[k];
    }
  }
  for (int k = 0; k < n; k++)
    b[k] /= a[k * n + k];
  return TRUE;
}

/* The state after the plan's first controls. */
static gboolean
step_plant (Loop *self, GError **error)
{
  SsScenario *scenario = read_now (self, conditions[self->condition].friction, error);
  if (scenario == NULL)
    return FALSE;
  const SsModel *model = scenario->model;
  const SsModelBlock *dynamics = find_block (model, "dynamics");
  g_autofree double *inputs = g_new0 (double, model->n_slots);
  double matrix[STATES_MAX * STATES_MAX], next[STATES_MAX];
  gboolean ok = dynamics != NULL && dynamics->n_rows == self->n;

  memcpy (inputs, self->answer, sizeof (double) * (gsize)model->n_variables);
  for (int i = 0; i < self->n; i++)
    inputs[variable (model, self->starts[i].state)] = self->state[i];
  for (int p = 0; p < scenario->n_parameters; p++)
    inputs[model->slot_parameters + p] = scenario->parameters[p].value;
  for (int b = 0; b < model->n_blocks; b++)
    for (int r = 0; r < model->blocks[b].n_rows; r++)
      if (model->blocks[b].rows[r].kind == SS_ROWS_COMPLEMENTARY && model->blocks[b].first == 0)
        take_contact (scenario, &model->blocks[b].rows[r], inputs);
  for (int r = 0; r < self->n && ok; r++) {
    const double zero = evaluate (scenario, dynamics->rows[r].a, inputs);
    next[r] = -zero;
    for (int i = 0; i < self->n; i++) {
      double *slot = &inputs[model->slot_next + variable (model, self->starts[i].state)];
      *slot = 1;
      matrix[r * self->n + i] = evaluate (scenario, dynamics->rows[r].a, inputs) - zero;
      *slot = 0;
    }
  }
  ss_scenario_free (scenario);
  ok = ok && solve_dense (self->n, matrix, next);
  if (!ok)
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                 "the block 'dynamics' of %s does not tell each next state linearly", self->plan->name);
  else
    memcpy (self->state, next, sizeof (double) * (gsize)self->n);
  return ok;
}

static void
disturb (Loop *self)
{
  const gboolean is_half = self->steps == self->plan->steps / 2;

  for (int i = 0; i < self->n; i++) {
    if (conditions[self->condition].noise > 0)
      self->state[i] += conditions[self->condition].noise * ss_random_normal (&self->random);
    self->state[i] += is_half ? conditions[self->condition].kick : 0;
  }
  self->target[0] += is_half ? conditions[self->condition].goal : 0;
}

/* ---- the loop ---------------------------------------------------------------------------------------------------- */

static gboolean
set_up (Loop *self, GError **error)
{
  self->steps = -1; /* as the file has it */
  SsScenario *scenario = read_names (self, error) ? read_now (self, 1, error) : NULL;
  SsError failure = {.message = "out of memory"};

  if (scenario == NULL)
    return FALSE;
  for (int i = 0; i < self->n; i++)
    self->state[i] = scenario->parameters[ss_scenario_parameter (scenario, self->starts[i].parameter)].value;
  for (int i = 0; i < self->n_goals; i++)
    self->target[i] = scenario->parameters[ss_scenario_parameter (scenario, self->goals[i].parameter)].value;
  self->options = ssapp_bench_method_options (self->method, scenario, &failure);
  gboolean ok = self->options != NULL && ss_problem_build (scenario, &self->mpcc, &failure) == SS_OK &&
                self->method->method->nlp->new_ (self->mpcc, self->options, &self->solver, &failure) == SS_OK;
  if (ok) {
    self->size = ss_mpcc_n_variables (self->mpcc);
    self->parameters = g_new0 (double, scenario->n_parameters);
    self->guess = g_new0 (double, self->size);
    self->answer = g_new0 (double, self->size);
    ok = ss_problem_guess (scenario, self->guess, &failure) == SS_OK;
  }
  if (!ok) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, "%s: %s", self->method->label, failure.message);
  }
  ss_scenario_free (scenario);
  self->steps = 0;
  return ok;
}

static gboolean
plan_once (Loop *self, GError **error)
{
  SsScenario *scenario = read_now (self, 1, error);
  SsNlpResult result;
  SsError failure;

  if (scenario == NULL)
    return FALSE;
  ss_problem_parameters (scenario, self->parameters);
  ss_mpcc_set_parameters (self->mpcc, self->parameters);
  self->plan->control->deadline = ss_clock_wall () + self->plan->time_limit;
  const double begun = ss_clock_thread_cpu ();
  const SsStatus status =
      self->method->method->nlp->solve (self->solver, self->guess, self->plan->control, &result, &failure);
  const double spent = ss_clock_thread_cpu () - begun;
  const int m = scenario->model->n_variables;
  if (status == SS_OK) {
    g_array_append_val (self->seconds, spent);
    self->n_failed += result.outcome != SS_OUTCOME_SOLVED;
    memcpy (self->answer, result.x, sizeof (double) * (gsize)self->size);
    memmove (self->guess, self->answer + m, sizeof (double) * (gsize)(self->size - m));
    memcpy (self->guess + self->size - m, self->answer + self->size - m, sizeof (double) * (gsize)m);
  } else {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, "%s: %s", self->method->label, failure.message);
  }
  ss_scenario_free (scenario);
  return status == SS_OK;
}

/* Of the goal's coordinates [m]. */
static double
distance (const Loop *self)
{
  double sum = 0;

  for (int g = 0; g < self->n_goals; g++)
    for (int i = 0; i < self->n; i++)
      if (strcmp (self->starts[i].state, self->goals[g].state) == 0)
        sum += (self->state[i] - self->target[g]) * (self->state[i] - self->target[g]);
  return sqrt (sum);
}

static void
clear (Loop *self)
{
  for (int i = 0; i < STATES_MAX; i++) {
    g_free (self->starts[i].state);
    g_free (self->starts[i].parameter);
    g_free (self->goals[i].state);
    g_free (self->goals[i].parameter);
  }
  if (self->solver != NULL)
    self->method->method->nlp->free_ (self->solver);
  ss_mpcc_free (self->mpcc);
  g_free (self->options);
  g_free (self->parameters);
  g_free (self->guess);
  g_free (self->answer);
  g_array_unref (self->seconds);
}

static gboolean
run_one (const SsappBenchLoopPlan *plan, SsappBenchSheet *sheet, const SsappBenchMethod *method, guint condition,
         GError **error)
{
  Loop loop = {
      .plan = plan, .method = method, .condition = condition, .seconds = g_array_new (FALSE, FALSE, sizeof (double))};
  gboolean ok = set_up (&loop, error);
  const double first = ok ? distance (&loop) : NAN;

  ss_random_seed (&loop.random, plan->seed);
  while (ok && loop.steps < plan->steps && !ssapp_bench_is_cancelled (plan->control)) {
    ok = plan_once (&loop, error) && step_plant (&loop, error);
    loop.steps++;
    if (ok)
      disturb (&loop);
  }
  if (ok) {
    SSAPP_BENCH_ROW (sheet, {method->label}, {conditions[condition].name}, {.n = loop.steps}, {.n = first},
                     {.n = distance (&loop)}, {.n = loop.n_failed}, {.n = 1e3 * ssapp_bench_median (loop.seconds)},
                     {.n = 1e3 * ssapp_bench_percentile (loop.seconds, 100)});
    ssapp_bench_say (plan->say, "%s, %s: %.3g m from the goal", method->label, conditions[condition].name,
                     distance (&loop));
  }
  clear (&loop);
  return ok;
}

SsappBenchSheet *
ssapp_bench_loop (const SsappBenchLoopPlan *plan, GError **error)
{
  g_return_val_if_fail (plan != NULL, NULL);
  static const char *const columns[] = {"method|method|0",
                                        "condition|disturbed by|0",
                                        "steps|steps|5",
                                        "start|start [m]|4",
                                        "end|end [m]|4",
                                        "failed|not solved|5",
                                        "median|CPU time, median [ms]|3",
                                        "longest|longest [ms]|3",
                                        NULL};
  SsappBenchSheet *sheet = ssapp_bench_sheet_new ();
  g_autofree char *title = g_strdup_printf ("Closed loop of %s: distance from the goal", plan->name);
  gboolean ok = TRUE;

  ssapp_bench_sheet_table (sheet, "loops", title, columns);
  for (guint m = 0; m < plan->methods->len; m++)
    for (guint c = 0; c < G_N_ELEMENTS (conditions) && ok && !ssapp_bench_is_cancelled (plan->control); c++)
      ok = run_one (plan, sheet, g_ptr_array_index (plan->methods, m), c, error);
  for (guint c = 0; c < G_N_ELEMENTS (conditions); c++)
    ssapp_bench_sheet_note (sheet, "%s: %s.", conditions[c].name, conditions[c].what);
  if (!ok)
    g_clear_pointer (&sheet, ssapp_bench_sheet_free);
  return sheet;
}
