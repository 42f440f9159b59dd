/* app/bench/ssapp-bench-mpc.c: suite mpc: push T in a closed loop, 10 points of 0.05 s as in the robot experiment of
 * paper 004 (sec. IV-D).
 *
 * At each step the problem is solved from the state at hand, warm started from the shifted plan; the plan's first
 * controls are applied to the model for one step, Gaussian noise is added, and so on. Only numbers of the initial state
 * change, so problem, derivatives and orderings are made once. The model's step is the scenario's own dynamics row,
 * next(x) - x - h f = 0, solved for next(x): nothing of the physics is repeated here. Every `episode` steps the T is
 * put elsewhere. Metrics come from the scenario, read again with the step's state, outside the clock.
 */
#include "app/bench/ssapp-bench.h"

#include "app/base/ssapp-json.h"
#include "mpcc/ss-problem.h"

#include <malloc.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { N_STATE = 3, MAX_CHECKS = 3 };

static const char *const state_names[N_STATE] = {"px", "py", "th"};
static const char *const state_parameters[N_STATE] = {"px0", "py0", "th0"};
static const char *const target_parameters[N_STATE] = {"xt", "yt", "tht"};

/* Where the T is put: about the distance of the shipped task, any direction; and turned up to a right angle. */
static const double START_RADIUS = 0.3;     /* m   */
static const double START_ANGLE = G_PI / 2; /* rad */
static const double USABLE =
    1e-3; /* violation up to which a plan that did not converge is still applied [m and such] */

typedef struct {
  const SsappBenchMpcPlan *plan;
  SsappBenchLoop *loop;
  SsRandom random;
  SsMpcc *mpcc;
  void *solver, *options;
  double *parameters, *guess, *answer; /* of the mpcc; guess and answer hold n_variables */
  int n;                               /* n_variables of the mpcc */
  double state[N_STATE], target[N_STATE];
  double iterations;
  GError **error;
} Loop;

static double
wrap_angle (double angle)
{
  return remainder (angle, 2 * G_PI);
}

/* Resident memory of this process without pages of files [bytes]: code that runs late for the first time is no leak.
 * Counted page by page, since the counters of /proc/self/statm are off by up to 32 pages a processor, and without what
 * the allocator keeps for later. 0: not known. */
static gint64
own_bytes (void)
{
  static const char key[] = "\nAnonymous:";
  g_autofree char *text = NULL;
  const char *found;

  malloc_trim (0);
  if (!g_file_get_contents ("/proc/self/smaps_rollup", &text, NULL, NULL))
    return 0;
  found = strstr (text, key);
  return found != NULL ? g_ascii_strtoll (found + strlen (key), NULL, 10) * 1024 : 0;
}

static gboolean
fail (Loop *self, const char *what)
{
  g_set_error (self->error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_FAILED, "%s: %s", self->loop->method->label, what);
  return FALSE;
}

/* The scenario with the state of now; NULL after an error. */
static SsScenario *
read_scenario (Loop *self, gboolean with_state)
{
  const char *text = ssapp_bench_scenario_text ("push-t");
  SsOverride set[1 + N_STATE] = {{"N", self->plan->n_points}};
  SsScenario *scenario = NULL;
  SsProblems problems;

  for (int i = 0; i < N_STATE; i++)
    set[1 + i] = (SsOverride){state_parameters[i], self->state[i]};
  ss_problems_init (&problems);
  if (ss_scenario_read (text, strlen (text), "push-t", set, with_state ? 1 + N_STATE : 1, &problems, &scenario) !=
      SS_OK)
    fail (self, problems.n_items > 0 ? problems.items[0].message : "out of memory");
  ss_problems_clear (&problems);
  return scenario;
}

static double
parameter (const SsScenario *scenario, const char *name)
{
  const int i = ss_scenario_parameter (scenario, name);

  g_assert (i >= 0);
  return scenario->parameters[i].value;
}

static int
variable (const SsModel *model, const char *name)
{
  for (int i = 0; i < model->n_variables; i++)
    if (strcmp (model->variables[i], name) == 0)
      return i;
  g_assert_not_reached ();
}

/* ---- the plant --------------------------------------------------------------------------------------------------- */

/* Value of row i of the block `dynamics` at point 0 with the state of now, the plan's controls and `next` in place of
 * the next state. */
static double
dynamics_row (const Loop *self, const SsScenario *scenario, int i, double next)
{
  const SsModel *model = scenario->model;
  const int n_nodes = ss_graph_n_nodes (scenario->graph), v = variable (model, state_names[i]);
  double *inputs = g_new0 (double, model->n_slots), *memo = g_new0 (double, n_nodes), value = NAN;
  int *stamp = g_new0 (int, n_nodes);

  memcpy (inputs, self->answer, sizeof (double) * (gsize)model->n_variables);
  for (int s = 0; s < N_STATE; s++)
    inputs[variable (model, state_names[s])] = self->state[s];
  inputs[model->slot_next + v] = next;
  for (int p = 0; p < scenario->n_parameters; p++)
    inputs[model->slot_parameters + p] = scenario->parameters[p].value;
  for (int b = 0; b < model->n_blocks; b++)
    if (strcmp (model->blocks[b].name, "dynamics") == 0 && i < model->blocks[b].n_rows)
      value = ss_graph_eval (scenario->graph, model->blocks[b].rows[i].a, inputs, model->n_slots, memo, stamp, 1);
  g_free (inputs);
  g_free (memo);
  g_free (stamp);
  return value;
}

/* One explicit step, and noise. */
static gboolean
step_plant (Loop *self, const SsScenario *scenario)
{
  /* A turn moves the rim of the T by as much as a shift moves its middle. */
  const double sigma[N_STATE] = {self->plan->noise, self->plan->noise, self->plan->noise / parameter (scenario, "r")};
  double next[N_STATE];

  for (int i = 0; i < N_STATE; i++) {
    const double at_zero = dynamics_row (self, scenario, i, 0), at_one = dynamics_row (self, scenario, i, 1);
    if (!(fabs (at_one - at_zero - 1) < 1e-12 * fmax (1, fabs (at_zero)))) /* rounding of one subtraction */
      return fail (self, "the dynamics of push-t are not explicit steps");
    next[i] = -at_zero + sigma[i] * ss_random_normal (&self->random);
  }
  memcpy (self->state, next, sizeof next);
  return TRUE;
}

/* ---- starting points --------------------------------------------------------------------------------------------- */

/* The plan one point later, its last point twice; the first point is put where the T is. */
static void
shift_plan (Loop *self, const SsModel *model)
{
  const int m = model->n_variables;

  memmove (self->guess, self->answer + m, sizeof (double) * (gsize)(self->n - m));
  memcpy (self->guess + self->n - m, self->answer + self->n - m, sizeof (double) * (gsize)m);
  for (int i = 0; i < N_STATE; i++)
    self->guess[variable (model, state_names[i])] = self->state[i];
  self->guess[variable (model, "ct")] = cos (self->state[2]);
  self->guess[variable (model, "st")] = sin (self->state[2]);
}

static void
note_start (Loop *self)
{
  SsappBenchLoop *loop = self->loop;

  loop->n_episodes++;
  loop->start_position_mean += hypot (self->state[0] - self->target[0], self->state[1] - self->target[1]);
  loop->start_angle_mean += fabs (wrap_angle (self->state[2] - self->target[2]));
}

static void
note_end (Loop *self)
{
  const double position = hypot (self->state[0] - self->target[0], self->state[1] - self->target[1]);
  const double angle = fabs (wrap_angle (self->state[2] - self->target[2]));

  g_array_append_val (self->loop->final_position, position);
  g_array_append_val (self->loop->final_angle, angle);
}

/* Puts the T elsewhere and forgets the plan. */
static void
restart (Loop *self)
{
  const double radius = START_RADIUS * sqrt (ss_random_uniform (&self->random));
  const double direction = ss_random_between (&self->random, -G_PI, G_PI);

  self->state[0] = self->target[0] + radius * cos (direction);
  self->state[1] = self->target[1] + radius * sin (direction);
  self->state[2] = self->target[2] + ss_random_between (&self->random, -START_ANGLE, START_ANGLE);
  memset (self->guess, 0, sizeof (double) * (gsize)self->n);
  note_start (self);
}

/* ---- re-solving -------------------------------------------------------------------------------------------------- */

static SsStatus
solve_once (Loop *self, void *solver, SsNlpResult *result, SsError *failure)
{
  ss_mpcc_set_parameters (self->mpcc, self->parameters);
  ss_run_control_limit_cpu (self->plan->control, self->plan->cpu_limit);
  const SsStatus status =
      self->loop->method->method->nlp->solve (solver, self->guess, self->plan->control, result, failure);
  self->plan->control->cpu_limit = INFINITY;
  return status;
}

/* The same problem by a solver made for it alone must give the same bits: nothing of earlier solves may leak into an
 * answer. */
static gboolean
check_against_fresh (Loop *self)
{
  const SsNlpClass *nlp = self->loop->method->method->nlp;
  void *fresh = NULL;
  SsNlpResult result;
  SsError failure;
  SsStatus status = nlp->new_ (self->mpcc, self->options, &fresh, &failure);

  if (status == SS_OK)
    status = solve_once (self, fresh, &result, &failure);
  if (status == SS_OK && result.outcome != SS_OUTCOME_CANCELLED) {
    self->loop->n_checked++;
    self->loop->n_differing += memcmp (result.x, self->answer, sizeof (double) * (gsize)self->n) != 0;
  }
  nlp->free_ (fresh);
  return status == SS_OK || fail (self, failure.message);
}

/* One re-solve with its measurements; *go_on becomes FALSE when it was cancelled. `scenario` has the state of now. */
static gboolean
resolve (Loop *self, const SsScenario *scenario, gboolean *go_on)
{
  SsappBenchLoop *loop = self->loop;
  SsNlpResult result;
  SsMetrics metrics;
  SsError failure;

  ss_problem_parameters (scenario, self->parameters);
  const uint64_t allocations = ss_alloc_count ();
  const double cpu = ss_clock_thread_cpu ();
  const SsStatus status = solve_once (self, self->solver, &result, &failure);
  const double cpu_spent = ss_clock_thread_cpu () - cpu;
  const uint64_t allocated = ss_alloc_count () - allocations;

  if (status != SS_OK)
    return fail (self, failure.message);
  if (result.outcome == SS_OUTCOME_CANCELLED) {
    *go_on = FALSE;
    return TRUE;
  }
  if (ss_metrics_compute (scenario, result.x, &metrics, &failure) != SS_OK)
    return fail (self, failure.message);
  loop->allocations += allocated;
  loop->n_failures += result.outcome != SS_OUTCOME_SOLVED || !(metrics.max_violation < SS_RUN_FEASIBLE);
  loop->violation_max = fmax (loop->violation_max, metrics.max_violation);
  self->iterations += result.iterations;
  g_array_append_val (loop->n_steps % self->plan->episode == 0 ? loop->cold : loop->cpu, cpu_spent);
  /* A plan that is far from the model is not followed: the shifted old one is, whose errors are those of the noise. */
  memcpy (self->answer, metrics.max_violation < USABLE ? result.x : self->guess, sizeof (double) * (gsize)self->n);
  if (loop->n_checked < MAX_CHECKS && loop->n_steps % (self->plan->steps / MAX_CHECKS + 1) == 0 &&
      metrics.max_violation < USABLE)
    return check_against_fresh (self);
  return TRUE;
}

/* ---- one loop ---------------------------------------------------------------------------------------------------- */

static gboolean
set_up (Loop *self)
{
  const SsappBenchMethod *method = self->loop->method;
  const double start = ss_clock_thread_cpu ();
  SsScenario *scenario = read_scenario (self, FALSE);
  SsError failure = {.message = "out of memory"};
  gboolean ok = scenario != NULL;

  if (!ok)
    return FALSE;
  self->options = ssapp_bench_method_options (method, scenario, &failure);
  ok = self->options != NULL && ss_problem_build (scenario, &self->mpcc, &failure) == SS_OK &&
       method->method->nlp->new_ (self->mpcc, self->options, &self->solver, &failure) == SS_OK;
  self->loop->setup_seconds = ss_clock_thread_cpu () - start;
  if (!ok) {
    fail (self, failure.message);
  } else {
    self->n = ss_mpcc_n_variables (self->mpcc);
    self->parameters = g_new0 (double, scenario->n_parameters);
    self->guess = g_new0 (double, self->n);
    self->answer = g_new0 (double, self->n);
    for (int i = 0; i < N_STATE; i++) {
      self->state[i] = parameter (scenario, state_parameters[i]);
      self->target[i] = parameter (scenario, target_parameters[i]);
    }
  }
  ss_scenario_free (scenario);
  return ok;
}

static gboolean
step_loop (Loop *self, gboolean *go_on)
{
  SsappBenchLoop *loop = self->loop;
  SsScenario *scenario = read_scenario (self, TRUE);
  gboolean ok = scenario != NULL && resolve (self, scenario, go_on);

  if (ok && *go_on) {
    ok = step_plant (self, scenario);
    loop->n_steps++;
    if (loop->n_steps == MAX (self->plan->steps / 10, 1))
      loop->memory_warm = own_bytes ();
    if (loop->n_steps % self->plan->episode == 0 || loop->n_steps == self->plan->steps) {
      note_end (self);
      if (loop->n_steps < self->plan->steps)
        restart (self);
    } else {
      shift_plan (self, scenario->model);
    }
  }
  ss_scenario_free (scenario);
  return ok;
}

static gboolean
run_loop (Loop *self)
{
  SsappBenchLoop *loop = self->loop;
  gboolean go_on = TRUE, ok = set_up (self);

  if (ok)
    note_start (self);
  while (ok && go_on && loop->n_steps < self->plan->steps)
    ok = step_loop (self, &go_on);
  loop->memory_end = own_bytes ();
  loop->iterations_mean = loop->n_steps > 0 ? self->iterations / loop->n_steps : NAN;
  if (loop->n_episodes > 0) {
    loop->start_position_mean /= loop->n_episodes;
    loop->start_angle_mean /= loop->n_episodes;
  }
  if (self->solver != NULL)
    loop->method->method->nlp->free_ (self->solver);
  ss_mpcc_free (self->mpcc);
  g_free (self->options);
  g_free (self->parameters);
  g_free (self->guess);
  g_free (self->answer);
  return ok && go_on;
}

static void
loop_free (gpointer data)
{
  SsappBenchLoop *loop = data;

  g_array_unref (loop->cpu);
  g_array_unref (loop->cold);
  g_array_unref (loop->final_position);
  g_array_unref (loop->final_angle);
  g_free (loop);
}

GPtrArray *
ssapp_bench_mpc (const SsappBenchMpcPlan *plan, GError **error)
{
  g_return_val_if_fail (plan != NULL, NULL);
  GPtrArray *loops = g_ptr_array_new_with_free_func (loop_free);
  gboolean ok = TRUE;

  for (guint m = 0; ok && m < plan->methods->len; m++) {
    SsappBenchLoop *loop = g_new0 (SsappBenchLoop, 1);
    Loop self = {.plan = plan, .loop = loop, .error = error};
    loop->method = g_ptr_array_index (plan->methods, m);
    /* Room for all samples beforehand, so that their growth is not mistaken for the solver's. */
    loop->cpu = g_array_sized_new (FALSE, TRUE, sizeof (double), (guint)plan->steps);
    loop->cold = g_array_new (FALSE, FALSE, sizeof (double));
    loop->final_position = g_array_new (FALSE, FALSE, sizeof (double));
    loop->final_angle = g_array_new (FALSE, FALSE, sizeof (double));
    g_ptr_array_add (loops, loop);
    ss_random_seed (&self.random, plan->seed);
    ok = run_loop (&self);
  }
  return loops;
}

/* ---- report ------------------------------------------------------------------------------------------------------ */

static const struct {
  const char *title, *key;
  double percent;
} ranks[] = {
    {"median", "median", 50}, {"90 %", "percentile_90", 90}, {"99 %", "percentile_99", 99}, {"longest", "max", 100}};

static double
rank_of (GArray *values, int r)
{
  const double *data = (const double *)(const void *)values->data;

  return ranks[r].percent == 50 ? ssapp_median (data, (int)values->len)
                                : ssapp_percentile (data, (int)values->len, ranks[r].percent);
}

static void
print_times (GString *out, const char *title, GArray *values)
{
  g_string_append_printf (out, "  %-30s", title);
  for (guint r = 0; r < G_N_ELEMENTS (ranks); r++)
    g_string_append_printf (out, "%s%s %.2f", r > 0 ? ", " : "", ranks[r].title, 1e3 * rank_of (values, (int)r));
  g_string_append (out, " ms\n");
}

char *
ssapp_bench_mpc_text (const SsappBenchMpcPlan *plan, GPtrArray *loops)
{
  g_return_val_if_fail (plan != NULL, NULL);
  GString *out = g_string_new (NULL);

  g_string_append_printf (out,
                          "push T, %d points of 0.05 s, receding horizon against the model with noise of %g m a step, "
                          "seed %" G_GUINT64_FORMAT "\n",
                          plan->n_points, plan->noise, plan->seed);
  for (guint m = 0; m < loops->len; m++) {
    const SsappBenchLoop *loop = g_ptr_array_index (loops, m);
    if (loop->n_steps == 0)
      continue;
    g_string_append_printf (out, "%s: %d solves in %d episodes\n", loop->method->label, loop->n_steps,
                            loop->n_episodes);
    g_string_append_printf (out, "  %-30s%.1f ms, once\n", "set-up, CPU", 1e3 * loop->setup_seconds);
    print_times (out, "re-solve, CPU", loop->cpu);
    print_times (out, "first of an episode, CPU", loop->cold);
    g_string_append_printf (out, "  %-30s%.1f\n", "mean iterations", loop->iterations_mean);
    g_string_append_printf (out, "  %-30s%d of %d not solved; largest violation %.1e\n", "failures", loop->n_failures,
                            loop->n_steps, loop->violation_max);
    g_string_append_printf (out, "  %-30smean %.3f m, %.3f rad\n", "error at the start", loop->start_position_mean,
                            loop->start_angle_mean);
    g_string_append_printf (out, "  %-30smedian %.4f m, %.4f rad; largest %.4f m, %.4f rad\n",
                            "error at the end of episodes", rank_of (loop->final_position, 0),
                            rank_of (loop->final_angle, 0), rank_of (loop->final_position, 3),
                            rank_of (loop->final_angle, 3));
    g_string_append_printf (out,
                            "  %-30s%+" G_GINT64_FORMAT " KiB from re-solve %d to %d; %" G_GUINT64_FORMAT
                            " allocations by the engine in re-solves\n",
                            "memory", (loop->memory_end - loop->memory_warm) / 1024, MAX (plan->steps / 10, 1),
                            loop->n_steps, loop->allocations);
    g_string_append_printf (out, "  %-30s%d of %d differ\n", "checked by a fresh solver", loop->n_differing,
                            loop->n_checked);
  }
  g_string_append (
      out, "The paper reports 80 ms on average for its robot experiment (same horizon and step, its laptop).\n");
  return g_string_free (out, FALSE);
}

static json_t *
times_to_json (GArray *values)
{
  json_t *object = json_object ();

  for (guint r = 0; r < G_N_ELEMENTS (ranks); r++)
    json_object_set_new (object, ranks[r].key, ssapp_json_real (rank_of (values, (int)r)));
  return object;
}

static const char *
name_of (SsMetric metric)
{
  return ss_metric_spec (metric)->name;
}

static json_t *
loop_to_json (const SsappBenchLoop *loop)
{
  json_t *object = json_object ();

  json_object_set_new (object, "method", json_string (loop->method->label));
  json_object_set_new (object, "solves", json_integer (loop->n_steps));
  json_object_set_new (object, "episodes", json_integer (loop->n_episodes));
  json_object_set_new (object, "failures", json_integer (loop->n_failures));
  json_object_set_new (object, name_of (SS_METRIC_SETUP_SECONDS), ssapp_json_real (loop->setup_seconds));
  json_object_set_new (object, name_of (SS_METRIC_CPU_SECONDS), times_to_json (loop->cpu));
  json_object_set_new (object, "first_cpu_seconds", times_to_json (loop->cold));
  json_object_set_new (object, "iterations_mean", ssapp_json_real (loop->iterations_mean));
  json_object_set_new (object, name_of (SS_METRIC_MAX_VIOLATION), ssapp_json_real (loop->violation_max));
  json_object_set_new (object, "start_position_mean", ssapp_json_real (loop->start_position_mean));
  json_object_set_new (object, "start_angle_mean", ssapp_json_real (loop->start_angle_mean));
  json_object_set_new (object, "final_position_median", ssapp_json_real (rank_of (loop->final_position, 0)));
  json_object_set_new (object, "final_position_max", ssapp_json_real (rank_of (loop->final_position, 3)));
  json_object_set_new (object, "final_angle_median", ssapp_json_real (rank_of (loop->final_angle, 0)));
  json_object_set_new (object, "final_angle_max", ssapp_json_real (rank_of (loop->final_angle, 3)));
  json_object_set_new (object, "memory_growth_bytes", json_integer (loop->memory_end - loop->memory_warm));
  json_object_set_new (object, "allocations", json_integer ((json_int_t)loop->allocations));
  json_object_set_new (object, "checked_by_fresh_solver", json_integer (loop->n_checked));
  json_object_set_new (object, "differing", json_integer (loop->n_differing));
  return object;
}

json_t *
ssapp_bench_mpc_json (const SsappBenchMpcPlan *plan, GPtrArray *loops, gboolean is_complete)
{
  g_return_val_if_fail (plan != NULL, NULL);
  json_t *list = json_array ();

  for (guint m = 0; m < loops->len; m++)
    json_array_append_new (list, loop_to_json (g_ptr_array_index (loops, m)));
  return json_pack ("{s:i, s:s, s:b, s:i, s:i, s:o, s:I, s:o, s:o}", "format", 1, "suite", "mpc", "complete",
                    is_complete, "steps", plan->steps, "n_points", plan->n_points, "noise",
                    ssapp_json_real (plan->noise), "seed", (json_int_t)plan->seed, "machine", ssapp_bench_machine (),
                    "methods", list);
}
