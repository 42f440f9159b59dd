/* app/bench/ssapp-bench-loop.c: see the header.
 *
 * The plant is the file's own rows over one step: its state is given, its inputs are the plan's, and all else (forces
 * of contacts, slack, the next state) is the nearest to the plan that its equations and complementarity pairs allow.
 * What bounds a plan alone (`nonnegative`) does not bind it: a payload may fall off. An input gives way only where no
 * next state exists: a leg does not push beyond its length. A disturbed state is brought back to the nearest one that
 * the rows at a point allow. */
#include "app/bench/ssapp-bench-loop.h"

#include "app/base/ssapp-json.h"
#include "app/bench/ssapp-bench-common.h"
#include "judge/ss-metrics.h"
#include "mpcc/ss-problem.h"

#include <math.h>
#include <string.h>

enum { STATES_MAX = 16, SETS_MAX = 128, MUS_MAX = 4, SHORTEST = 2 };
static const double noise = 2e-3, kick = 0.1, wrong_friction = 1.3, goal_step = 0.3; /* see conditions */
/* Weight of what follows beside that of inputs: they give way last. */
static const double follows = 1e-4;

const SsappBenchLoopCondition ssapp_bench_loop_conditions[SSAPP_BENCH_LOOP_CONDITIONS] = {
    {"none", "the plant is the model", 0, 0, 1, 0},
    {"noise", "normal noise of 0.002 on each state, each step", noise, 0, 1, 0},
    {"kick", "0.1 is added to each state half way", 0, kick, 1, 0},
    {"friction", "the plant's friction is 1.3 times the plan's", 0, 0, wrong_friction, 0},
    {"goal", "the goal's first coordinate goes by 0.3 half way", 0, 0, 1, goal_step}};

/* Names of the file: a state and the parameter of its start. */
typedef struct {
  char *state, *parameter;
} Pair;

/* What a plan has beside the given state: a variable and the plant's parameter that has its value. */
typedef struct {
  int variable;
  char *parameter; /* owned */
} Control;

/* A problem whose numbers alone change from solve to solve. */
typedef struct {
  SsMpcc *mpcc;
  void *solver, *options;
  const SsNlpClass *nlp;
  double *parameters;
} Problem;

typedef struct {
  const SsappBenchLoopPlan *plan;
  const SsappBenchMethod *method, *plants; /* plants: that of plant and settle */
  guint condition;
  char *plant, *settle;   /* the model over one step, and at one point, as texts */
  char *points, *goal;    /* parameters: number of points, first coordinate of the goal */
  char *mus[MUS_MAX + 1]; /* parameters of friction */
  double mu_values[MUS_MAX];
  int n, n_mus, n_points;
  Pair starts[STATES_MAX]; /* owned */
  double state[STATES_MAX], first[STATES_MAX], target;
  int m;            /* variables at a point */
  GArray *controls; /* of Control */
  SsRandom random;
  Problem main, step, point;
  double *answer;                     /* of the plan: n_points x m */
  double *ahead;                      /* the plant's next point: m */
  GArray *motion;                     /* of double: state and controls of each step */
  GArray *seconds;                    /* of plans */
  int total, steps, n_failed, n_lost; /* lost: steps whose plant found no next state */
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

static gboolean
is_listed (const Pair *pairs, int n, const char *state)
{
  for (int i = 0; i < n; i++)
    if (strcmp (pairs[i].state, state) == 0)
      return TRUE;
  return FALSE;
}

/* All of a list; of "st - sin(th0)", a function of a start, the state and the parameter are th and th0. -1: a row is
 * something else, or there are too many. */
static int
split_all (const json_t *list, Pair *pairs)
{
  g_autoptr (GRegex) start = g_regex_new ("\\(\\s*([A-Za-z_]\\w*)0\\s*\\)", 0, 0, NULL);
  const json_t *item;
  size_t i;
  int n = 0;

  json_array_foreach (list, i, item)
  {
    const char *row = json_string_value (item);
    g_autoptr (GMatchInfo) match = NULL;
    Pair pair;
    if (row == NULL || n == STATES_MAX)
      return -1;
    if (split (row, &pair)) {
      pairs[n++] = pair;
    } else if (g_regex_match (start, row, 0, &match)) {
      g_autofree char *state = g_match_info_fetch (match, 1);
      if (!is_listed (pairs, n, state))
        pairs[n++] = (Pair){g_strdup (state), g_strconcat (state, "0", NULL)};
    } else {
      return -1;
    }
  }
  return n;
}

static gboolean
is_start (const json_t *block)
{
  return g_strcmp0 (json_string_value (json_object_get (block, "name")), "start") == 0;
}

static gboolean
read_names (Loop *self, const json_t *root, GError **error)
{
  const json_t *model = json_object_get (root, "model"), *blocks = json_object_get (model, "constraints"), *block;
  const json_t *goals = json_object_get (json_object_get (json_object_get (root, "task"), "tracking"), "position");
  Pair goal = {0};
  size_t i;

  json_array_foreach (blocks, i, block) if (is_start (block)) self->n =
      split_all (json_object_get (block, "zero"), self->starts);
  self->points = g_strdup (json_string_value (json_object_get (model, "points")));
  if (self->n > 0 && self->points != NULL && split (json_string_value (json_array_get (goals, 0)), &goal)) {
    self->goal = goal.parameter;
    g_free (goal.state);
    return TRUE;
  }
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
               "%s has no start or goal of rows such as 'x - x0', a state less a parameter, which a closed loop "
               "changes, or no parameter of its number of points",
               self->plan->name);
  return FALSE;
}

/* Parameters mu, mu1, ...: their names and values. */
static void
find_friction (Loop *self, const SsScenario *scenario)
{
  for (int p = 0; p < scenario->n_parameters && self->n_mus < MUS_MAX; p++) {
    const char *name = scenario->parameters[p].name;
    if (g_str_has_prefix (name, "mu") && strspn (name + 2, "0123456789") == strlen (name + 2)) {
      self->mu_values[self->n_mus] = scenario->parameters[p].value;
      self->mus[self->n_mus++] = g_strdup (name);
    }
  }
}

/* ---- the plant as a text ----------------------------------------------------------------------------------------- */

/* Rows of a list that speak of the next state, or those that do not. A new array. */
static json_t *
choose_rows (const json_t *list, gboolean has_next)
{
  json_t *chosen = json_array (), *item;
  size_t i;

  json_array_foreach (list, i, item)
  {
    g_autofree char *text = ssapp_json_text (item, FALSE);
    if ((strstr (text, "next(") != NULL) == has_next)
      json_array_append (chosen, item);
  }
  return chosen;
}

/* Equations and pairs of a block at those points; a block of none is not added. */
static void
add_block (json_t *blocks, const json_t *block, gboolean has_next, json_t *points)
{
  json_t *own = json_deep_copy (block);
  static const char *const lists[] = {"zero", "complementary"};
  size_t n = 0;

  json_object_del (own, "nonnegative");
  for (guint i = 0; i < G_N_ELEMENTS (lists); i++) {
    json_t *rows = choose_rows (json_object_get (block, lists[i]), has_next);
    n += json_array_size (rows);
    if (json_array_size (rows) > 0)
      json_object_set (own, lists[i], rows);
    else
      json_object_del (own, lists[i]);
    json_decref (rows);
  }
  json_object_set_new (own, "points", points);
  if (n > 0)
    json_array_append (blocks, own);
  json_decref (own);
}

/* What holds at every point of the file holds at both of a step, or at the one of a settled state. */
static json_t *
choose_blocks (const json_t *blocks, gboolean is_step)
{
  json_t *chosen = json_array ();
  const json_t *block;
  size_t i;

  json_array_foreach (blocks, i, block)
  {
    const json_t *points = json_object_get (block, "points");
    const gboolean is_everywhere = json_is_array (points) || g_strcmp0 (json_string_value (points), "all") == 0;
    if (is_start (block) && is_step)
      add_block (chosen, block, FALSE, json_integer (0));
    else if (is_everywhere && is_step)
      add_block (chosen, block, TRUE, json_integer (0));
    if (is_everywhere)
      add_block (chosen, block, FALSE, is_step ? json_string ("all") : json_integer (0));
  }
  return chosen;
}

/* Of the file's list; without one all controls are. */
static gboolean
is_input (const json_t *root, const char *name)
{
  const json_t *list = json_object_get (json_object_get (root, "task"), "inputs"), *item;
  size_t i;

  json_array_foreach (list, i, item) if (strcmp (json_string_value (item), name) == 0) return TRUE;
  return list == NULL;
}

/* The file with other rows and, as its cost, the way from the plan's controls (a step) or from the state (settled). */
static char *
rewrite (Loop *self, const json_t *root, const SsScenario *scenario, gboolean is_step)
{
  json_t *own = json_deep_copy (root), *model = json_object_get (own, "model");
  json_t *parameters = json_object_get (own, "parameters");
  g_autoptr (GString) cost = g_string_new ("0");

  for (guint c = 0; is_step && c < self->controls->len; c++) {
    const Control *control = &g_array_index (self->controls, Control, c);
    const char *name = scenario->model->variables[control->variable];
    char weight[G_ASCII_DTOSTR_BUF_SIZE];
    json_object_set_new (parameters, control->parameter, json_pack ("{s:i}", "value", 0));
    g_string_append_printf (cost, " + %s*(%s - %s)^2",
                            g_ascii_dtostr (weight, sizeof weight, is_input (root, name) ? 1 : follows), name,
                            control->parameter);
  }
  for (int i = 0; !is_step && i < self->n; i++)
    g_string_append_printf (cost, " + (%s - %s)^2", self->starts[i].state, self->starts[i].parameter);
  json_object_set_new (model, "constraints", choose_blocks (json_object_get (model, "constraints"), is_step));
  json_object_set_new (model, "cost", json_pack ("[{s:s, s:i, s:s}]", "name", "near", "points", 0, "cost", cost->str));
  json_object_set_new (json_object_get (own, "task"), "guess", json_string ("zeros"));
  char *text = ssapp_json_text (own, FALSE);
  json_decref (own);
  return text;
}

/* ---- problems ---------------------------------------------------------------------------------------------------- */

/* A text with the state and the goal of now; friction times `friction`. NULL with an error. */
static SsScenario *
read_now (Loop *self, const char *text, int n_points, double friction, GError **error)
{
  SsOverride set[SETS_MAX];
  g_autofree char *message = NULL;
  int n = 0;

  for (int i = 0; i < self->plan->n_set && n < SETS_MAX / 2; i++)
    set[n++] = self->plan->set[i];
  set[n++] = (SsOverride){self->points, n_points};
  for (int i = 0; i < self->n; i++)
    set[n++] = (SsOverride){self->starts[i].parameter, self->state[i]};
  set[n++] = (SsOverride){self->goal, self->target};
  for (int i = 0; i < self->n_mus; i++)
    set[n++] = (SsOverride){self->mus[i], friction * self->mu_values[i]};
  for (guint c = 0; text == self->plant && c < self->controls->len && n < SETS_MAX; c++) {
    const Control *control = &g_array_index (self->controls, Control, c);
    set[n++] = (SsOverride){control->parameter, self->answer[control->variable]};
  }
  SsScenario *scenario = ssapp_bench_read (text, self->plan->name, set, n, &message);
  if (scenario == NULL)
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "%s", message);
  return scenario;
}

static void
problem_clear (Problem *problem)
{
  if (problem->solver != NULL)
    problem->nlp->free_ (problem->solver);
  ss_mpcc_free (problem->mpcc);
  g_free (problem->options);
  g_free (problem->parameters);
  *problem = (Problem){0};
}

static gboolean
problem_make (Problem *problem, const SsappBenchMethod *method, const SsScenario *scenario, GError **error)
{
  SsError failure = {.message = "out of memory"};

  problem->nlp = method->method->nlp;
  problem->options = ssapp_bench_method_options (method, scenario, &failure);
  if (problem->options != NULL && ss_problem_build (scenario, &problem->mpcc, &failure) == SS_OK &&
      problem->nlp->new_ (problem->mpcc, problem->options, &problem->solver, &failure) == SS_OK) {
    problem->parameters = g_new0 (double, scenario->n_parameters);
    return TRUE;
  }
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, "%s: %s", method->label, failure.message);
  problem_clear (problem);
  return FALSE;
}

/* From x, into x; made when it is solved for the first time. */
static gboolean
problem_solve (Loop *self, Problem *problem, const SsappBenchMethod *method, const SsScenario *scenario, double *x,
               gboolean *is_solved, GError **error)
{
  SsNlpResult result;
  SsError failure;

  if (problem->mpcc == NULL && !problem_make (problem, method, scenario, error))
    return FALSE;
  ss_problem_parameters (scenario, problem->parameters);
  ss_mpcc_set_parameters (problem->mpcc, problem->parameters);
  ss_run_control_limit_cpu (self->plan->control, self->plan->cpu_limit);
  const SsStatus status = problem->nlp->solve (problem->solver, x, self->plan->control, &result, &failure);
  self->plan->control->cpu_limit = INFINITY;
  if (status != SS_OK) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, "%s: %s", method->label, failure.message);
    return FALSE;
  }
  memcpy (x, result.x, sizeof (double) * (gsize)ss_mpcc_n_variables (problem->mpcc));
  *is_solved = result.outcome == SS_OUTCOME_SOLVED;
  return TRUE;
}

/* ---- the loop ---------------------------------------------------------------------------------------------------- */

/* Variables of the states, in the order of the file's start. */
static void
put_state (const Loop *self, const SsModel *model, double *x)
{
  for (int i = 0; i < self->n; i++)
    for (int v = 0; v < model->n_states; v++)
      if (strcmp (model->variables[v], self->starts[i].state) == 0)
        x[v] = self->state[i];
}

static void
take_state (Loop *self, const SsModel *model, const double *x)
{
  for (int i = 0; i < self->n; i++)
    for (int v = 0; v < model->n_states; v++)
      if (strcmp (model->variables[v], self->starts[i].state) == 0)
        self->state[i] = x[v];
}

/* The state after the plan's first controls, and what they were in the plant. */
static gboolean
step_plant (Loop *self, GError **error)
{
  SsScenario *scenario =
      read_now (self, self->plant, SHORTEST, ssapp_bench_loop_conditions[self->condition].friction, error);
  gboolean is_solved = TRUE;

  if (scenario == NULL)
    return FALSE;
  g_autofree double *x = g_memdup2 (self->answer, sizeof (double) * (gsize)(SHORTEST * self->m));
  put_state (self, scenario->model, x);
  const gboolean ok = problem_solve (self, &self->step, self->plants, scenario, x, &is_solved, error);
  if (ok) {
    put_state (self, scenario->model, x); /* what is given has no rounding */
    g_array_append_vals (self->motion, x, (guint)self->m);
    take_state (self, scenario->model, x + self->m);
    memcpy (self->ahead, x + self->m, sizeof (double) * (gsize)self->m);
    self->n_lost += !is_solved;
  }
  ss_scenario_free (scenario);
  return ok;
}

static gboolean
settle (Loop *self, GError **error)
{
  SsScenario *scenario =
      read_now (self, self->settle, SHORTEST, ssapp_bench_loop_conditions[self->condition].friction, error);
  gboolean is_solved = TRUE;

  if (scenario == NULL)
    return FALSE;
  g_autofree double *x = g_memdup2 (self->answer, sizeof (double) * (gsize)(SHORTEST * self->m));
  put_state (self, scenario->model, x);
  const gboolean ok = problem_solve (self, &self->point, self->plants, scenario, x, &is_solved, error);
  if (ok)
    take_state (self, scenario->model, x);
  ss_scenario_free (scenario);
  return ok;
}

static gboolean
disturb (Loop *self, GError **error)
{
  const gboolean is_half = self->steps == self->total / 2;
  const double push = is_half ? ssapp_bench_loop_conditions[self->condition].kick : 0,
               spread = ssapp_bench_loop_conditions[self->condition].noise;

  self->target += is_half ? ssapp_bench_loop_conditions[self->condition].goal : 0;
  for (int i = 0; i < self->n; i++)
    self->state[i] += push + (spread > 0 ? spread * ss_random_normal (&self->random) : 0);
  return (push == 0 && spread == 0) || settle (self, error);
}

/* Points of the next plan: a task that is done once ends where its last point is. */
static int
points_left (const Loop *self)
{
  return self->plan->steps == 0 ? MAX (self->n_points - self->steps, SHORTEST) : self->n_points;
}

static gboolean
plan_once (Loop *self, GError **error)
{
  const int n = points_left (self), m = self->m;
  SsScenario *scenario = read_now (self, self->plan->text, n, 1, error);
  gboolean is_solved = TRUE;

  if (scenario == NULL)
    return FALSE;
  if (self->steps > 0) /* the plan one point later, its last point twice where it does not end sooner */
    memmove (self->answer, self->answer + m, sizeof (double) * (gsize)((self->n_points - 1) * m));
  if (self->plan->steps == 0)
    problem_clear (&self->main);
  const double begun = ss_clock_thread_cpu ();
  const gboolean ok = problem_solve (self, &self->main, self->method, scenario, self->answer, &is_solved, error);
  const double spent = ss_clock_thread_cpu () - begun;
  if (ok)
    g_array_append_val (self->seconds, spent);
  self->n_failed += !is_solved;
  ss_scenario_free (scenario);
  return ok;
}

/* NaN: it is none. */
static double
parameter (const SsScenario *scenario, const char *name)
{
  const int p = ss_scenario_parameter (scenario, name);

  return p >= 0 ? scenario->parameters[p].value : NAN;
}

static gboolean
read_file (Loop *self, GError **error)
{
  json_t *root = json_loads (self->plan->text, 0, NULL);
  g_autofree char *message = NULL;
  SsScenario *scenario =
      ssapp_bench_read (self->plan->text, self->plan->name, self->plan->set, self->plan->n_set, &message);
  SsError failure = {.message = "out of memory"};
  gboolean ok = scenario != NULL && read_names (self, root, error);

  if (scenario == NULL)
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "%s", message);
  if (ok) {
    const SsModel *model = scenario->model;
    self->m = model->n_variables;
    self->n_points = model->n_points;
    self->total = self->plan->steps > 0 ? self->plan->steps : self->n_points - 1;
    for (int v = 0; v < self->m; v++)
      if (!is_listed (self->starts, self->n, model->variables[v])) {
        const Control control = {v, g_strconcat ("plan_", model->variables[v], NULL)};
        g_array_append_val (self->controls, control);
      }
    for (int i = 0; i < self->n; i++)
      self->first[i] = self->state[i] = parameter (scenario, self->starts[i].parameter);
    self->target = parameter (scenario, self->goal);
    find_friction (self, scenario);
    self->plant = rewrite (self, root, scenario, TRUE);
    self->settle = rewrite (self, root, scenario, FALSE);
    self->ahead = g_new0 (double, self->m);
    self->answer = g_new0 (double, self->n_points * self->m);
    ok = ss_problem_guess (scenario, self->answer, &failure) == SS_OK;
    if (!ok)
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, "%s", failure.message);
  }
  json_decref (root);
  ss_scenario_free (scenario);
  return ok;
}

static void
clear (Loop *self)
{
  for (int i = 0; i < STATES_MAX; i++) {
    g_free (self->starts[i].state);
    g_free (self->starts[i].parameter);
  }
  for (int i = 0; i < self->n_mus; i++)
    g_free (self->mus[i]);
  problem_clear (&self->main);
  problem_clear (&self->step);
  problem_clear (&self->point);
  g_free (self->plant);
  g_free (self->settle);
  g_free (self->points);
  g_free (self->goal);
  g_free (self->answer);
  g_free (self->ahead);
  for (guint c = 0; c < self->controls->len; c++)
    g_free (g_array_index (self->controls, Control, c).parameter);
  g_array_unref (self->controls);
  g_array_unref (self->motion);
  g_array_unref (self->seconds);
}

/* ---- what came of it --------------------------------------------------------------------------------------------- */

/* The file with n points that begin at the first state; its goal is that of now. NULL with an error. */
static SsScenario *
read_whole (Loop *self, int n, GError **error)
{
  double now[STATES_MAX];
  memcpy (now, self->state, sizeof now);
  memcpy (self->state, self->first, sizeof now);
  SsScenario *scenario = read_now (self, self->plan->text, n, 1, error);
  memcpy (self->state, now, sizeof now);
  return scenario;
}

/* The task's errors are those of the last point. */
static gboolean
measure (const SsScenario *scenario, const double *x, SsMetrics *metrics, SsTrajectory **motion, GError **error)
{
  SsError failure;
  const gboolean ok = ss_metrics_compute (scenario, x, metrics, &failure) == SS_OK &&
                      (motion == NULL || ss_problem_trajectory (scenario, x, motion, &failure) == SS_OK);

  if (!ok)
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, "%s", failure.message);
  return ok;
}

/* The motion's last point is the state of now. */
static gboolean
end_motion (Loop *self, SsappBenchLoopMade *made, GError **error)
{
  SsScenario *scenario = read_now (self, self->plan->text, SHORTEST, 1, error);

  if (scenario == NULL)
    return FALSE;
  put_state (self, scenario->model, self->ahead);
  ss_scenario_free (scenario);
  g_array_append_vals (self->motion, self->ahead, (guint)self->m);
  if (self->motion->len < (guint)(SHORTEST * self->m)) /* before the first step */
    g_array_append_vals (self->motion, self->ahead, (guint)self->m);
  made->scenario = read_whole (self, (int)self->motion->len / self->m, error);
  return made->scenario != NULL &&
         measure (made->scenario, (const double *)(const void *)self->motion->data, &made->last, &made->motion, error);
}

static gboolean
run_steps (Loop *self, GError **error)
{
  gboolean ok = TRUE;

  ss_random_seed (&self->random, self->plan->seed);
  while (ok && self->steps < self->total && !ssapp_bench_is_cancelled (self->plan->control)) {
    ok = plan_once (self, error) && step_plant (self, error);
    self->steps++;
    ok = ok && disturb (self, error);
  }
  return ok;
}

/* Errors of the first state: of a motion that stays there. */
static gboolean
measure_first (Loop *self, SsMetrics *first, GError **error)
{
  SsScenario *scenario = read_whole (self, SHORTEST, error);
  g_autofree double *x = g_new0 (double, SHORTEST * self->m);
  gboolean ok = scenario != NULL;

  for (int k = 0; ok && k < SHORTEST; k++)
    put_state (self, scenario->model, x + k * self->m);
  ok = ok && measure (scenario, x, first, NULL, error);
  ss_scenario_free (scenario);
  return ok;
}

void
ssapp_bench_loop_made_clear (SsappBenchLoopMade *made)
{
  g_return_if_fail (made != NULL);
  ss_trajectory_free (made->motion);
  ss_scenario_free (made->scenario);
  g_clear_pointer (&made->seconds, g_array_unref);
  *made = (SsappBenchLoopMade){0};
}

gboolean
ssapp_bench_loop_make (const SsappBenchLoopPlan *plan, const SsappBenchMethod *method, guint condition,
                       SsappBenchLoopMade *made, GError **error)
{
  g_return_val_if_fail (plan != NULL && method != NULL && condition < SSAPP_BENCH_LOOP_CONDITIONS && made != NULL,
                        FALSE);
  g_autoptr (GPtrArray) plants = ssapp_bench_methods_parse (SS_METHOD_OPTIMISER, "crisp", NULL);
  Loop loop = {.plan = plan, .method = method, .condition = condition, .plants = g_ptr_array_index (plants, 0)};

  loop.controls = g_array_new (FALSE, FALSE, sizeof (Control));
  loop.motion = g_array_new (FALSE, FALSE, sizeof (double));
  loop.seconds = g_array_new (FALSE, FALSE, sizeof (double));
  *made = (SsappBenchLoopMade){0};
  const gboolean ok = read_file (&loop, error) && measure_first (&loop, &made->first, error) &&
                      run_steps (&loop, error) && end_motion (&loop, made, error);
  made->steps = loop.steps;
  made->n_failed = loop.n_failed;
  made->n_lost = loop.n_lost;
  made->has_friction = loop.n_mus > 0;
  made->seconds = g_array_ref (loop.seconds);
  clear (&loop);
  if (!ok)
    ssapp_bench_loop_made_clear (made);
  return ok;
}
