/* app/bench/ssapp-bench-freeze.c: see ssapp-bench-freeze.h; files: ssapp-bench-freeze-data.c. */
#include "app/bench/ssapp-bench-common.h"
#include "app/bench/ssapp-bench-freeze-private.h"

#include "app/base/ssapp-file.h"
#include "app/draw/ssapp-clock.h"
#include "app/draw/ssapp-frozen.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench-freeze-block-exact.h"
#include "bench-freeze-block.h"
#include "bench-freeze-corner.h"
#include "bench-freeze-friction-exact.h"
#include "bench-freeze-frictionless-exact.h"
#include "bench-freeze-guiding.h"
#include "bench-freeze-hopper.h"
#include "bench-freeze-particle-exact.h"
#include "bench-freeze-particle.h"
#include "bench-freeze-rod.h"

enum { N_EXACT = 4, REPEATS = 3, TRUTH_STEPS = 1280, N_STEPS = 12, FIGURE_STEPS = 90 };
/* Where a switch falls within a step differs from run to run, and so do errors: many runs tell an order. */
static const int staged_steps[N_STEPS] = {10, 13, 16, 20, 25, 32, 40, 50, 64, 80, 160, 320};
static const int plain_steps[N_STEPS] = {20, 40, 80, 160, 320, 640, 1280, 2560, 5120, 10240, 15000, 20480};
/* The last two are time stepping. */
static const char *const method_list = "fesd-j:stages=2,fesd-j:stages=3,time-freezing:stages=2,time-freezing:stages=3,"
                                       "moreau-jean,stewart-trinkle";
static const double theory[SSAPP_FREEZE_METHODS] = {3, 5, 3, 5, 1, 1};
enum { FIRST_FREEZING = 2, FIRST_PLAIN = 4, JUDGED_SCENE = 0 };
static const char *const truth_method = "fesd-j:stages=5";
/* Below is rounding, above the step is too long to speak of an order. */
static const double least_error = 1e-12, largest_error = 0.1, order_tolerance = 0.3, check_tolerance = 1e-7;

/* Exact states: channel and key of final_state. */
typedef struct {
  const char *channel, *key;
} Exact;

static const struct {
  const char *title, *text;
  const char *exact; /* JSON; NULL: the truth is a run */
  Exact states[N_EXACT];
} scenes[SSAPP_FREEZE_SCENES] = {
    {"guiding particle, mu = 0.6",
     bench_freeze_guiding,
     bench_freeze_friction_exact,
     {{"particle.x", "q1"}, {"particle.y", "q2"}, {"particle.vx", "v1"}, {"particle.vy", "v2"}}},
    {"particle that slips and sticks",
     bench_freeze_particle,
     bench_freeze_particle_exact,
     {{"particle.x", "q1"}, {"particle.y", "q2"}, {"particle.vx", "v1"}, {"particle.vy", "v2"}}},
    {"block that sticks and is pulled off",
     bench_freeze_block,
     bench_freeze_block_exact,
     {{"block.x", "q"}, {"block.vx", "v"}}},
    {"disc in a corner", bench_freeze_corner, NULL, {{NULL, NULL}}},
    {"sliding rod, mu = 1", bench_freeze_rod, NULL, {{NULL, NULL}}},
    {"hopper on a leg", bench_freeze_hopper, NULL, {{NULL, NULL}}},
};

const char *
ssapp_freeze_scene_title (int scene)
{
  return scenes[scene].title;
}

static const char *
truth_name (int scene)
{
  return scenes[scene].exact != NULL ? "closed form" : truth_method;
}

/* ---- runs -------------------------------------------------------------------------------------------------------- */

/* FALSE with a message: it did not come to its end. The result is for ss_sim_result_clear either way. */
static gboolean
simulate (const SsScenario *scenario, const SsappBenchMethod *method, int steps, SsSimResult *result,
          double *cpu_seconds, char *message, gsize size)
{
  SsError error = {0};
  void *options = ssapp_bench_method_options (method, scenario, &error);
  const SsSimJob job = {.scene = scenario->scene,
                        .integrator = method->method->integrator,
                        .options = options,
                        .dt = scenario->task.t_end / steps,
                        .t_end = scenario->task.t_end};
  const double begun = ss_clock_thread_cpu ();
  const gboolean ok = options != NULL && ss_simulate_job (&job, NULL, result, &error) == SS_OK;

  *cpu_seconds = ss_clock_thread_cpu () - begun;
  g_free (options);
  if (ok && result->outcome == SS_OUTCOME_COMPLETED)
    return TRUE;
  g_strlcpy (message, ok ? result->message : error.message, size);
  return FALSE;
}

/* Numbers that the state at the end should have, by channel; NaN: not compared. */
typedef struct {
  int n;
  char **channels; /* owned */
  double *values;  /* owned */
} Truth;

static void
truth_clear (Truth *truth)
{
  for (int i = 0; i < truth->n; i++)
    g_free (truth->channels[i]);
  g_free (truth->channels);
  g_free (truth->values);
  *truth = (Truth){0};
}

static void
truth_add (Truth *truth, const char *channel, double value)
{
  truth->channels = g_renew (char *, truth->channels, truth->n + 1);
  truth->values = g_renew (double, truth->values, truth->n + 1);
  truth->channels[truth->n] = g_strdup (channel);
  truth->values[truth->n++] = value;
}

static void
truth_of_file (int scene, Truth *truth)
{
  json_t *root = json_loads (scenes[scene].exact, 0, NULL), *state = json_object_get (root, "final_state");

  for (int k = 0; k < N_EXACT && scenes[scene].states[k].channel != NULL; k++)
    truth_add (truth, scenes[scene].states[k].channel, ssapp_freeze_number (state, scenes[scene].states[k].key));
  json_decref (root);
}

/* State channels of a run with five stages and short steps. */
static gboolean
truth_of_run (const SsScenario *scenario, Truth *truth, char *message, gsize size)
{
  char *wrong = NULL;
  GPtrArray *methods = ssapp_bench_methods_parse (SS_METHOD_INTEGRATOR, truth_method, &wrong);
  SsSimResult result = {0};
  double cpu_seconds;
  const gboolean ok = methods != NULL && simulate (scenario, g_ptr_array_index (methods, 0), TRUTH_STEPS, &result,
                                                   &cpu_seconds, message, size);

  for (int c = 1; ok && c < result.trajectory->n_channels; c++)
    if (result.trajectory->channels[c].is_state)
      truth_add (truth, result.trajectory->channels[c].name,
                 ss_trajectory_row (result.trajectory, result.trajectory->n_rows - 1)[c]);
  ss_sim_result_clear (&result);
  g_clear_pointer (&methods, g_ptr_array_unref);
  g_free (wrong);
  return ok;
}

static double
error_of (const SsTrajectory *motion, const Truth *truth)
{
  const double *end = ss_trajectory_row (motion, motion->n_rows - 1);
  double error = 0;

  for (int i = 0; i < truth->n; i++)
    error = fmax (error, fabs (end[ss_trajectory_channel (motion, truth->channels[i])] - truth->values[i]));
  return error;
}

static void
run_once (SsappBenchFreeze *self, int scene, int method, int steps, const SsScenario *scenario, const Truth *truth)
{
  SsappFreezeRun run = {.scene = scene,
                        .method = method,
                        .steps = steps,
                        .h = scenario->task.t_end / steps,
                        .error = NAN,
                        .cpu_seconds = INFINITY};

  for (int k = 0; k < REPEATS; k++) {
    SsSimResult result = {0};
    double cpu_seconds;
    run.is_completed = simulate (scenario, g_ptr_array_index (self->methods, method), steps, &result, &cpu_seconds,
                                 run.message, sizeof run.message);
    run.cpu_seconds = fmin (run.cpu_seconds, cpu_seconds);
    if (run.is_completed)
      run.error = error_of (result.trajectory, truth);
    ss_sim_result_clear (&result);
    if (!run.is_completed || ssapp_bench_is_cancelled (self->plan->control))
      break;
  }
  g_array_append_val (self->runs, run);
}

/* Problems are scenes. */
typedef struct {
  SsappBenchFreeze *bench;
  SsScenario *scenario; /* of the scene at hand */
  Truth truth;
} Work;

static void
end_scene (gpointer data, guint scene, gboolean is_whole)
{
  Work *self = data;

  (void)is_whole;
  ssapp_bench_say (self->bench->plan->say, "%s", scenes[scene].title);
  truth_clear (&self->truth);
  g_clear_pointer (&self->scenario, ss_scenario_free);
}

/* A scene without truth has one row, which says why. */
static gboolean
begin_scene (gpointer data, guint scene, GError **error)
{
  Work *self = data;
  SsappFreezeRun none = {.scene = (int)scene, .error = NAN, .h = NAN, .cpu_seconds = NAN};
  g_autofree char *refusal = NULL;

  (void)error;
  self->scenario = ssapp_bench_read (scenes[scene].text, scenes[scene].title, NULL, 0, &refusal);
  if (self->scenario == NULL)
    g_strlcpy (none.message, refusal, sizeof none.message);
  else if (scenes[scene].exact != NULL)
    truth_of_file ((int)scene, &self->truth);
  else
    truth_of_run (self->scenario, &self->truth, none.message, sizeof none.message);
  if (self->truth.n > 0)
    return TRUE;
  g_array_append_val (self->bench->runs, none);
  end_scene (self, scene, FALSE);
  return FALSE;
}

static gboolean
run_method (gpointer data, guint scene, guint m, GError **error)
{
  const Work *self = data;
  const SsappBenchFreezePlan *plan = self->bench->plan;
  const int *steps = plan->steps != NULL ? plan->steps : m < FIRST_PLAIN ? staged_steps : plain_steps;
  const int n = plan->steps != NULL ? plan->n_steps : N_STEPS;

  (void)error;
  for (int k = 0; k < n && !ssapp_bench_is_cancelled (plan->control); k++)
    run_once (self->bench, (int)scene, (int)m, steps[k], self->scenario, &self->truth);
  return TRUE;
}

/* ---- examples of the paper --------------------------------------------------------------------------------------- */

static void
check (SsappFreezeExample *example, const char *name, double ours, double exact)
{
  ssapp_freeze_check (example, name, ours, exact, check_tolerance);
}

static const SsEvent *
find_event (const SsSimResult *result, SsEventKind kind)
{
  for (int i = 0; i < result->events->n_items; i++)
    if (result->events->items[i].kind == kind)
      return &result->events->items[i];
  return NULL;
}

/* Beside the closed form, by the names of its file. */
static void
check_example (SsappFreezeExample *example, const SsSimResult *result, const char *exact)
{
  static const Exact ends[] = {
      {"particle.x", "q1"}, {"particle.y", "q2"}, {"particle.vx", "v1"}, {"particle.vy", "v2"}};
  json_t *root = json_loads (exact, 0, NULL), *times = json_object_get (root, "numerical_times");
  const json_t *state = json_object_get (root, "final_state");
  const SsEvent *impact = find_event (result, SS_EVENT_IMPACT), *lift = find_event (result, SS_EVENT_SEPARATION);
  SsTrajectory *told = ssapp_told_by_second_clock (result->trajectory);
  GArray *frozen = ssapp_frozen_spans (told);
  const double *end = ss_trajectory_row (result->trajectory, result->trajectory->n_rows - 1);

  check (example, "tau of the impact [s]", impact != NULL ? impact->tau : NAN,
         ssapp_freeze_number (times, "tau_impact"));
  check (example, "tau of the end of the jump [s]",
         frozen->len > 0 ? g_array_index (frozen, SsappPlotSpan, 0).end : NAN,
         ssapp_freeze_number (times, "tau_end_of_jump"));
  check (example, "tau of take-off [s]", lift != NULL ? lift->tau : NAN, ssapp_freeze_number (times, "tau_liftoff"));
  check (example, "tau of the end [s]", end[ss_trajectory_second_clock (result->trajectory)],
         ssapp_freeze_number (state, "tau"));
  for (gsize k = 0; k < G_N_ELEMENTS (ends); k++)
    check (example, ends[k].channel, end[ss_trajectory_channel (result->trajectory, ends[k].channel)],
           ssapp_freeze_number (state, ends[k].key));
  g_array_unref (frozen);
  ss_trajectory_free (told);
  json_decref (root);
}

static void
run_example (SsappBenchFreeze *self, int index, const char *title, const char *stem, double mu, const char *exact)
{
  SsappFreezeExample *example = &self->examples[index];
  const SsOverride set[] = {{"mu", mu}};
  SsSimResult result = {0};
  double cpu_seconds;
  g_autofree char *refusal = NULL;

  example->title = title;
  example->stem = stem;
  example->scenario = ssapp_bench_read (bench_freeze_guiding, title, set, 1, &refusal);
  if (example->scenario == NULL)
    g_strlcpy (example->message, refusal, sizeof example->message);
  if (example->scenario != NULL &&
      simulate (example->scenario, g_ptr_array_index (self->methods, FIRST_FREEZING + 1), FIGURE_STEPS, &result,
                &cpu_seconds, example->message, sizeof example->message)) {
    check_example (example, &result, exact);
    example->motion = g_steal_pointer (&result.trajectory);
  }
  ss_sim_result_clear (&result);
}

const char *const ssapp_bench_freeze_parts[] = {"examples", "plan", "work", NULL};

SsappFreezePart
ssapp_bench_freeze_part (const char *name)
{
  for (int i = 0; ssapp_bench_freeze_parts[i] != NULL; i++)
    if (strcmp (name, ssapp_bench_freeze_parts[i]) == 0)
      return (SsappFreezePart)(1 << i);
  return (SsappFreezePart)0;
}

SsappBenchFreeze *
ssapp_bench_freeze_new (const SsappBenchFreezePlan *plan)
{
  static const SsappBenchRuns work = {SSAPP_FREEZE_SCENES, SSAPP_FREEZE_METHODS, 1, begin_scene, run_method, end_scene};
  SsappBenchFreeze *self = g_new0 (SsappBenchFreeze, 1);
  char *message = NULL;

  self->plan = plan;
  self->runs = g_array_new (FALSE, TRUE, sizeof (SsappFreezeRun));
  self->methods = ssapp_bench_methods_parse (SS_METHOD_INTEGRATOR, method_list, &message);
  g_assert (self->methods != NULL); /* the list is ours */
  if (plan->parts & SSAPP_FREEZE_PART_EXAMPLES) {
    run_example (self, 0, "Examples 1 to 3 (mu = 0)", "fig3-clocks", 0, bench_freeze_frictionless_exact);
    run_example (self, 1, "Example 4 (mu = 0.6)", "fig5-clocks", 0.6, bench_freeze_friction_exact);
  }
  if (plan->parts & SSAPP_FREEZE_PART_PLAN)
    ssapp_freeze_plan (self);
  if (plan->parts & SSAPP_FREEZE_PART_WORK)
    ssapp_bench_make_runs (&work, &(Work){.bench = self}, plan->control, NULL);
  return self;
}

void
ssapp_bench_freeze_free (SsappBenchFreeze *self)
{
  if (self == NULL)
    return;
  for (int i = 0; i < SSAPP_FREEZE_EXAMPLES; i++) {
    ss_scenario_free (self->examples[i].scenario);
    ss_trajectory_free (self->examples[i].motion);
  }
  g_ptr_array_unref (self->methods);
  g_array_unref (self->runs);
  g_free (self);
}

/* ---- tables ------------------------------------------------------------------------------------------------------ */

/* Slope of log (error) over log (h) of the runs with errors between 1e-12 (rounding) and 0.1; *n: how many. NaN: fewer
 * than two. */
static double
order_of (const SsappBenchFreeze *self, int scene, int method, int *n)
{
  g_return_val_if_fail (self != NULL, (double)NAN);
  SsappBenchFit fit = {0};

  for (guint i = 0; i < self->runs->len; i++) {
    const SsappFreezeRun *run = &g_array_index (self->runs, SsappFreezeRun, i);
    if (run->scene != scene || run->method != method || !(run->error > least_error && run->error < largest_error))
      continue;
    ssapp_bench_fit_add (&fit, log (run->h), log (run->error));
  }
  *n = fit.n;
  return ssapp_bench_fit_slope (&fit);
}

static int
fill_examples (const SsappBenchFreeze *self, SsappBenchSheet *sheet)
{
  static const char *const columns[] = {"example|example|0",    "quantity|quantity|0",     "value|value|15",
                                        "exact|closed form|15", "difference|difference|2", NULL};
  int n_failed = 0;

  ssapp_bench_sheet_table (sheet, "examples", "The examples of paper 001 by time-freezing, Radau IIA, 3 stages",
                           columns);
  for (int i = 0; i < SSAPP_FREEZE_EXAMPLES; i++) {
    const SsappFreezeExample *example = &self->examples[i];
    for (int k = 0; k < example->n_checks; k++) {
      const double difference = fabs (example->checks[k].ours - example->checks[k].exact);
      SSAPP_BENCH_ROW (sheet, {example->title}, {example->checks[k].name}, {.n = example->checks[k].ours},
                       {.n = example->checks[k].exact}, {.n = difference});
      n_failed += !(difference <= example->checks[k].tolerance);
    }
    if (example->title != NULL && example->motion == NULL) {
      SSAPP_BENCH_ROW (sheet, {example->title}, {example->message});
      n_failed++;
    }
  }
  ssapp_bench_sheet_note (
      sheet, "Figs 1 to 3 are of Example 3, Fig. 5 of Example 4, Fig. 6 of Example 5; --data writes them.");
  ssapp_bench_sheet_note (sheet, "Figs 7 and 8 are of the robot's motion that --from gives.");
  return n_failed;
}

/* Fig. 6: force and speed of time of each interval beside the exact optimum, then the motion. */
static void
fill_plan (const SsappBenchFreeze *self, SsappBenchSheet *sheet)
{
  static const char *const intervals[] = {"interval|interval|3", "u|force [N]|7",   "u_exact|exact|7",
                                          "s|speed of time s|6", "s_exact|exact|6", NULL};
  static const char *const motion[] = {
      "tau|tau [s]|7", "t|t [s]|7",       "x|x [m]|6", "y|y [m]|6",     "vx|vx [m/s]|6",
      "vy|vy [m/s]|6", "speed|dt/dtau|5", "s|s|5",     "u|force [N]|6", NULL};
  static const char *const channels[] = {"t",           "particle.x", "particle.y", "particle.vx",
                                         "particle.vy", "speed",      "s_k",        "u.push"};
  const SsappFreezeExample *example = &self->examples[SSAPP_FREEZE_PLANNED];

  ssapp_bench_sheet_table (sheet, "intervals", "The plan of Example 5, interval by interval", intervals);
  for (int k = 0; k < example->n_intervals; k++) {
    const SsappFreezeInterval *i = &example->intervals[k];
    SSAPP_BENCH_ROW (sheet, {.n = k + 1}, {.n = i->u}, {.n = i->u_exact}, {.n = i->s}, {.n = i->s_exact});
  }
  ssapp_bench_sheet_table (sheet, "motion", "The motion of Example 5 by both clocks", motion);
  for (int r = 0; example->motion != NULL && r < example->motion->n_rows; r++) {
    const double *row = ss_trajectory_row (example->motion, r);
    double n[G_N_ELEMENTS (channels)];
    for (guint c = 0; c < G_N_ELEMENTS (channels); c++)
      n[c] = row[ss_trajectory_channel (example->motion, channels[c])];
    SSAPP_BENCH_ROW (sheet, {.n = row[ss_trajectory_second_clock (example->motion)]}, {.n = n[0]}, {.n = n[1]},
                     {.n = n[2]}, {.n = n[3]}, {.n = n[4]}, {.n = n[5]}, {.n = n[6]}, {.n = n[7]});
  }
}

static int
fill_runs (const SsappBenchFreeze *self, SsappBenchSheet *sheet)
{
  static const char *const columns[] = {"scene|scene|0",
                                        "method|method|0",
                                        "steps|steps|6",
                                        "h|step [s]|3",
                                        "error|error at the end|3",
                                        "cpu_seconds|CPU [s]|3",
                                        "end|end|0",
                                        NULL};
  int n_failed = 0;

  ssapp_bench_sheet_table (sheet, "work", "Work against precision", columns);
  for (guint i = 0; i < self->runs->len; i++) {
    const SsappFreezeRun *run = &g_array_index (self->runs, SsappFreezeRun, i);
    const SsappBenchMethod *method = g_ptr_array_index (self->methods, run->method);
    SSAPP_BENCH_ROW (sheet, {scenes[run->scene].title}, {method->label}, {.n = run->steps}, {.n = run->h},
                     {.n = run->error}, {.n = run->cpu_seconds}, {run->is_completed ? "completed" : run->message});
    n_failed += !run->is_completed && run->method < FIRST_PLAIN;
  }
  ssapp_bench_sheet_note (sheet, "Error: largest difference of a coordinate [m], [rad] or velocity from the truth.");
  ssapp_bench_sheet_note (sheet, "Time stepping that diverges at a long step is no failure of the suite.");
  ssapp_bench_sheet_note (sheet, "CPU: least of %d runs, with set-up and rows.", REPEATS);
  return n_failed;
}

/* Returns how many are judged and wrong. */
static int
fill_orders (const SsappBenchFreeze *self, SsappBenchSheet *sheet)
{
  static const char *const columns[] = {"scene|scene|0",   "method|method|0",      "truth|truth|0",   "order|order|3",
                                        "theory|theory|3", "fitted|runs fitted|3", "agrees|agrees|0", NULL};
  int n_failed = 0;

  ssapp_bench_sheet_table (sheet, "orders", "Observed orders", columns);
  for (int scene = 0; scene < SSAPP_FREEZE_SCENES; scene++)
    for (int m = 0; m < SSAPP_FREEZE_METHODS; m++) {
      int n;
      const double order = order_of (self, scene, m, &n);
      const gboolean is_judged =
          self->plan->steps == NULL && scene == JUDGED_SCENE && m >= FIRST_FREEZING && m < FIRST_PLAIN;
      const gboolean agrees = fabs (order - theory[m]) <= order_tolerance;
      SSAPP_BENCH_ROW (sheet, {scenes[scene].title},
                       {((SsappBenchMethod *)g_ptr_array_index (self->methods, m))->label}, {truth_name (scene)},
                       {.n = order}, {.n = theory[m]}, {.n = n},
                       {!is_judged ? "not judged"
                        : agrees   ? "yes"
                                   : "no"});
      n_failed += is_judged && !agrees;
    }
  ssapp_bench_sheet_note (sheet, "Fitted: runs with errors between 1e-12 and 0.1. Fewer than two: the motion is a "
                                 "polynomial that the scheme has exactly.");
  return n_failed;
}

SsappBenchSheet *
ssapp_bench_freeze_sheet (const SsappBenchFreeze *self, int *n_failed)
{
  g_return_val_if_fail (self != NULL, NULL);
  SsappBenchSheet *sheet = ssapp_bench_sheet_new ();

  const int parts = self->plan->parts;

  *n_failed = parts & (SSAPP_FREEZE_PART_EXAMPLES | SSAPP_FREEZE_PART_PLAN) ? fill_examples (self, sheet) : 0;
  if (parts & SSAPP_FREEZE_PART_PLAN)
    fill_plan (self, sheet);
  if (parts & SSAPP_FREEZE_PART_WORK) {
    *n_failed += fill_orders (self, sheet);
    *n_failed += fill_runs (self, sheet);
  }
  return sheet;
}

char *
ssapp_bench_freeze_csv (const SsappBenchFreeze *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  GString *out = g_string_new ("scene,method,truth,steps,h,error,cpu_seconds,end\n");

  for (guint i = 0; i < self->runs->len; i++) {
    const SsappFreezeRun *run = &g_array_index (self->runs, SsappFreezeRun, i);
    ssapp_csv_append_text (out, scenes[run->scene].title);
    g_string_append_c (out, ',');
    ssapp_csv_append_text (out, ((SsappBenchMethod *)g_ptr_array_index (self->methods, run->method))->label);
    g_string_append_printf (out, ",%s,%d,", truth_name (run->scene), run->steps);
    ssapp_csv_append_number (out, run->h);
    g_string_append_c (out, ',');
    ssapp_csv_append_number (out, run->error);
    g_string_append_c (out, ',');
    ssapp_csv_append_number (out, run->cpu_seconds);
    g_string_append_c (out, ',');
    ssapp_csv_append_text (out, run->is_completed ? "completed" : run->message);
    g_string_append_c (out, '\n');
  }
  return g_string_free (out, FALSE);
}
