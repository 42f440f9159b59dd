/* app/bench/ssapp-bench-tasks.c: see the header. */
#include "app/bench/ssapp-bench-tasks-private.h"

#include "app/base/ssapp-json.h"
#include "run/ss-run.h"
#include "simulate/ss-stewart-trinkle.h"

#include <math.h>
#include <string.h>

/* What has a target has moved by at least this: [m], [rad]. */
static const double MOVED = 0.03, TURNED = 0.2;
/* Limits of the actuators above what the witness took. */
static const double LIMIT_LEAST = 1.15, LIMIT_MOST = 2;
/* A goal at rest: below this speed of the witness [m/s, rad/s]. */
static const double AT_REST = 1e-9;
enum { MAX_DRAWS = 600 };

/* ---- from a draft to a file -------------------------------------------------------------------------------------- */

/* The scenario. `limits`: of the actuators; NULL: the witness, with formulas. Takes `targets` (NULL: none). */
static char *
write_task (const SsappTaskDraft *d, const char *name, const double *limits, json_t *targets)
{
  json_t *actuators = json_deep_copy (d->actuators);
  json_t *scene = json_pack ("{s:[f,f], s:f, s:O, s:O, s:O, s:o, s:s}", "gravity", 0.0, -d->gravity, "friction",
                             d->friction, "bodies", d->bodies, "joints", d->joints, "springs", d->springs, "actuators",
                             actuators, "contacts", "all");
  json_t *task = json_pack ("{s:f, s:i, s:f, s:f}", "horizon", d->horizon, "steps", d->steps, "t_end", d->horizon, "dt",
                            d->horizon / d->steps);
  json_t *file, *actuator;
  size_t a;

  json_array_foreach (actuators, a, actuator)
  {
    json_object_set_new (actuator, "lower", json_real (limits != NULL ? -limits[a] : -1e6));
    json_object_set_new (actuator, "upper", json_real (limits != NULL ? limits[a] : 1e6));
    if (limits == NULL)
      json_object_set (actuator, "formula", json_array_get (d->formulas, a));
  }
  if (targets != NULL) {
    json_object_set_new (task, "targets", targets);
    json_object_set_new (task, "effort", json_real (0.01));
  }
  file = json_pack ("{s:i, s:s, s:o, s:o}", "format", 1, "name", name, "scene", scene, "task", task);
  char *text = ssapp_json_text (file, TRUE);
  json_decref (file);
  return text;
}

static SsScenario *
read_text (const char *text, char **message)
{
  SsScenario *scenario = NULL;
  SsProblems problems;

  ss_problems_init (&problems);
  if (ss_scenario_read (text, strlen (text), "task", NULL, 0, &problems, &scenario) != SS_OK)
    *message = g_strdup_printf ("%s (%s)", problems.n_items > 0 ? problems.items[0].message : "out of memory",
                                problems.n_items > 0 ? problems.items[0].path : "");
  ss_problems_clear (&problems);
  return scenario;
}

/* ---- the witness ------------------------------------------------------------------------------------------------- */

/* Its motion by the law of plans, in their steps. */
static gboolean
simulate (const SsScenario *scenario, SsRunResult *result, char **message)
{
  const SsMethod *method = ss_method_find (SS_METHOD_INTEGRATOR, "stewart-trinkle", NULL);
  SsStewartTrinkleOptions options;
  const SsJob job = ss_job (method, scenario, &options);
  SsError error;

  ss_options_init (method->options, &options);
  options.gap = SS_STEWART_TRINKLE_END;
  const SsStatus status = ss_run (&job, NULL, result, &error);
  if (status != SS_OK)
    *message = g_strdup (error.message);
  return status == SS_OK;
}

/* Why the judge does not certify it; NULL: it does. Static. */
static const char *
find_fault (const SsRunResult *result)
{
  const SsMotionVerdict *v = &result->verdict;

  if (result->outcome != SS_OUTCOME_COMPLETED || !v->is_complete)
    return "the motion did not complete";
  if (!(v->penetration.value <= SS_RUN_OVERLAP_TOLD && v->swept_overlap.value <= SS_RUN_OVERLAP_TOLD &&
        v->overlap_share.value <= SS_RUN_OVERLAP_SHARE_MAX))
    return "bodies overlap";
  if (!(v->given[SS_WORK_CONTACTS].sum <= SS_RUN_GIVEN_MAX * v->turned_over))
    return "contacts give energy";
  return NULL;
}

static double
value_at (const SsTrajectory *motion, int row, const char *body, const char *what)
{
  g_autofree char *name = g_strconcat (body, ".", what, NULL);
  const int channel = ss_trajectory_channel (motion, name);

  return channel >= 0 ? ss_trajectory_row (motion, row)[channel] : 0;
}

/* Targets at the motion's end; NULL: one of the bodies has not moved, or does not rest where it should. */
static json_t *
make_targets (const SsappTaskDraft *d, const SsTrajectory *motion)
{
  json_t *targets = json_array (), *aimed;
  const int last = motion->n_rows - 1;
  gboolean ok = TRUE;
  size_t i;

  json_array_foreach (d->targets, i, aimed)
  {
    const char *body = json_string_value (json_object_get (aimed, "body"));
    const int what = (int)json_integer_value (json_object_get (aimed, "what"));
    const double x = value_at (motion, last, body, "x"), y = value_at (motion, last, body, "y"),
                 angle = value_at (motion, last, body, "theta"), omega = value_at (motion, last, body, "omega");
    const double vx = value_at (motion, last, body, "vx"), vy = value_at (motion, last, body, "vy");
    const gboolean rests = hypot (vx, vy) < AT_REST && fabs (omega) < AT_REST;
    json_t *target = json_pack ("{s:s}", "body", body);

    ok = ok && isfinite (x + y + angle + vx + vy + omega) &&
         (hypot (x - value_at (motion, 0, body, "x"), y - value_at (motion, 0, body, "y")) > MOVED ||
          fabs (angle - value_at (motion, 0, body, "theta")) > TURNED);
    if (what & SSAPP_TASK_PLACE)
      json_object_set_new (target, "position", json_pack ("[f,f]", x, y));
    if (what & SSAPP_TASK_ANGLE)
      json_object_set_new (target, "angle", json_real (angle));
    if (what & SSAPP_TASK_REST) {
      json_object_set_new (target, "velocity", json_pack ("[f,f]", rests ? 0 : vx, rests ? 0 : vy));
    }
    if ((what & SSAPP_TASK_REST) && (what & SSAPP_TASK_ANGLE))
      json_object_set_new (target, "angular_velocity", json_real (rests ? 0 : omega));
    json_array_append_new (targets, target);
  }
  if (!ok)
    g_clear_pointer (&targets, json_decref);
  return targets;
}

/* Of the actuators, and what the task's effort is along the motion. */
static void
make_limits (SsappTaskDraft *d, const SsTrajectory *motion, double *limits, double *objective)
{
  json_t *actuator;
  size_t a;

  *objective = 0;
  json_array_foreach (d->actuators, a, actuator)
  {
    g_autofree char *name = g_strconcat ("u.", json_string_value (json_object_get (actuator, "name")), NULL);
    const int channel = ss_trajectory_channel (motion, name);
    double most = 0;

    for (int k = 0; k < motion->n_rows - 1; k++) {
      const double u = ss_trajectory_row (motion, k)[channel];

      most = fmax (most, fabs (u));
      *objective += 0.01 * d->horizon / d->steps * u * u;
    }
    limits[a] = fmax (most, 0.1) * ss_random_between (&d->random, LIMIT_LEAST, LIMIT_MOST);
  }
}

/* ---- a task ------------------------------------------------------------------------------------------------------ */

static void
open_draft (SsappTaskDraft *d, guint64 seed)
{
  *d = (SsappTaskDraft){.bodies = json_array (),
                        .joints = json_array (),
                        .springs = json_array (),
                        .actuators = json_array (),
                        .formulas = json_array (),
                        .targets = json_array (),
                        .gravity = 9.81};
  ss_random_seed (&d->random, seed);
}

static void
close_draft (SsappTaskDraft *d)
{
  json_decref (d->bodies);
  json_decref (d->joints);
  json_decref (d->springs);
  json_decref (d->actuators);
  json_decref (d->formulas);
  json_decref (d->targets);
}

/* One draw; FALSE: not certified, with the reason in *message (g_free). */
static gboolean
draw (SsappBenchTask *task, int kind, guint64 seed, char **message)
{
  SsappTaskDraft d;
  double limits[16];
  SsRunResult result;
  json_t *targets = NULL;

  open_draft (&d, seed);
  ssapp_bench_draw_task (&d, kind);
  g_assert (json_array_size (d.actuators) <= G_N_ELEMENTS (limits));
  task->witness = write_task (&d, ssapp_bench_task_kinds[kind], NULL, NULL);
  SsScenario *scenario = read_text (task->witness, message);
  const gboolean has_run = scenario != NULL && simulate (scenario, &result, message);
  const char *fault = has_run ? find_fault (&result) : NULL;

  if (has_run && fault == NULL) {
    targets = make_targets (&d, ss_run_motion (&result));
    fault = targets == NULL ? "what has a target does not move" : NULL;
  }
  if (targets != NULL) {
    make_limits (&d, ss_run_motion (&result), limits, &task->objective);
    task->text = write_task (&d, ssapp_bench_task_kinds[kind], limits, targets);
  } else if (fault != NULL)
    *message = g_strdup (fault);
  if (has_run)
    ss_run_result_clear (&result);
  ss_scenario_free (scenario);
  close_draft (&d);
  return task->text != NULL;
}

SsappBenchTask *
ssapp_bench_task_new (int kind, guint64 seed, char **message)
{
  SsappBenchTask *task = g_new0 (SsappBenchTask, 1);
  SsRandom seeds;

  task->kind = ssapp_bench_task_kinds[kind];
  ss_random_seed (&seeds, seed + 1000003u * (guint64)kind);
  *message = NULL;
  for (task->n_draws = 1; task->n_draws <= MAX_DRAWS; task->n_draws++) {
    g_clear_pointer (message, g_free);
    task->seed = ss_random_next (&seeds);
    if (draw (task, kind, task->seed, message))
      return task;
    g_clear_pointer (&task->witness, g_free);
  }
  ssapp_bench_task_free (task);
  return NULL;
}

void
ssapp_bench_task_free (SsappBenchTask *task)
{
  if (task == NULL)
    return;
  g_free (task->text);
  g_free (task->witness);
  g_free (task);
}
