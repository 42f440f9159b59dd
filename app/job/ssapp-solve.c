/* app/job/ssapp-solve.c: see the header. */
#include "app/job/ssapp-solve.h"

#include "app/base/ssapp-json.h"
#include "app/draw/ssapp-run-events.h"
#include "app/job/ssapp-cpu.h"
#include "app/job/ssapp-frames.h"
#include "app/job/ssapp-impact-input.h"
#include "app/job/ssapp-impact-result.h"
#include "app/job/ssapp-interests-seen.h"
#include "app/job/ssapp-keep.h"
#include "app/job/ssapp-own-job.h"
#include "app/job/ssapp-race.h"
#include "app/job/ssapp-result-samples.h"
#include "app/job/ssapp-result.h"
#include "core/ss-work.h"
#include "simulate/ss-simulate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_DISPLAY_ROWS = 1000 }; /* of an iterate for display: more than pixels would delay the answer to a cancel */

void
ssapp_solve_item_free (SsappSolveItem *item)
{
  if (item == NULL)
    return;
  g_free (item->columns);
  g_free (item->x);
  g_free (item->text);
  g_free (item);
}

void
ssapp_solve_wake (SsappSolve *shared)
{
  g_return_if_fail (shared != NULL);
  g_source_set_ready_time (shared->wake, 0);
}

SsappSolveItem *
ssapp_solve_push (SsappSolve *shared, SsappEventKind kind, int iteration)
{
  g_return_val_if_fail (shared != NULL, NULL);
  SsappSolveItem *item = g_new0 (SsappSolveItem, 1);

  item->kind = kind;
  item->iteration = iteration;
  item->t = ss_clock_wall () - shared->start;
  g_ptr_array_add (shared->queue, item);
  return item;
}

/* The solver goes on without what there is no memory for. */
static double *
try_copy (const double *values, int n)
{
  const gsize size = sizeof (double) * (gsize)n;
  double *copy = g_try_malloc (MAX (size, 1));

  if (copy != NULL && n > 0)
    memcpy (copy, values, size);
  return copy;
}

static void
take_frame (SsappSolve *shared, const SsProgress *progress)
{
  if (shared->frames == NULL) {
    shared->frames =
        ssapp_frames_new (shared->scenario->scene, shared->method->integrator, shared->options, progress->n_values);
    if (shared->frames != NULL && shared->spec->start != NULL)
      ssapp_frames_take_past (shared->frames, &shared->frames_every, &shared->n_frames, shared->scenario->scene,
                              shared->spec->start);
  }
  if (shared->frames == NULL || shared->frames->n_channels != progress->n_values ||
      !ssapp_frames_take (shared->frames, &shared->frames_every, &shared->n_frames, progress->values))
    return;
  shared->frames_last = progress->iteration;
  shared->frames_are_new = TRUE;
}

const char *
ssapp_solve_name (const SsappSolve *shared)
{
  if (shared->scenario != NULL)
    return shared->scenario->name;
  if (shared->impact != NULL && shared->impact->name[0] != '\0')
    return shared->impact->name;
  return shared->spec->scenario_file;
}

json_t *
ssapp_solve_result (const SsappSolve *shared, const SsRunResult *result)
{
  const SsMethod *method = shared->method;
  const gboolean transcribes = method->kind == SS_METHOD_OPTIMISER && shared->scenario->model == NULL;
  SsRunResult told = *result;
  told.samples = NULL; /* sent and stored apart: they may be more than a line takes */
  json_t *object =
      ssapp_result_new (shared->spec, shared->scenario, method, shared->options,
                        transcribes ? shared->transcription_options : NULL, &told, shared->reading_seconds);

  if (shared->scenario == NULL)
    json_object_set_new (json_object_get (object, "scenario"), "name", json_string (ssapp_solve_name (shared)));
  if (result->samples != NULL)
    json_object_set_new (object, "sample_table", ssapp_samples_shape_to_json (result->samples));
  if (shared->impact_parts != NULL)
    json_object_update (object, shared->impact_parts);
  return object;
}

/* An answer that is better than those before. */
static void
take_answer (SsappSolve *shared, const SsRunResult *answer)
{
  SsTrajectory *motion = NULL;

  if (answer == NULL || ss_run_motion (answer) == NULL ||
      ss_trajectory_copy (ss_run_motion (answer), &motion, NULL) != SS_OK)
    return;
  ss_trajectory_free (shared->best);
  json_decref (shared->best_result);
  shared->best = motion;
  shared->best_result = ssapp_solve_result (shared, answer);
  shared->best_is_new = TRUE;
}

/* Members of a race, and an answer of theirs. */
static void
take_race (SsappSolve *shared, const SsProgress *progress)
{
  json_decref (shared->race);
  shared->race = ssapp_race_to_json (progress->members, progress->n_members, NULL, NULL);
  shared->race_is_new = TRUE;
  take_answer (shared, progress->answer);
}

/* That clock is a call of the kernel: it is read once a millisecond of the other, which is none. */
static void
note_cpu (SsappSolve *shared)
{
  const double period = 1e-3, now = ss_clock_wall ();
  const gboolean is_first = shared->latest == NULL && shared->frames == NULL;

  if (!is_first && now < shared->cpu_looked + period)
    return;
  shared->cpu_looked = now;
  shared->last_cpu = ss_clock_thread_cpu ();
  if (is_first)
    shared->first_cpu = shared->last_cpu;
}

/* Runs on the solver's thread: copies and returns. An iterate or frame that waits to be taken has woken the reader
 * already, who comes back for it when it is due: a wake for each step of a simulation took a third of its time. */
void
ssapp_solve_on_progress (void *user_data, const SsProgress *progress)
{
  SsappSolve *shared = user_data;
  const int keep = shared->spec->keep_every;
  SsappSolveItem *item;
  gboolean wakes = TRUE;

  g_mutex_lock (&shared->mutex);
  if (progress->kind == SS_PROGRESS_ITERATE || progress->kind == SS_PROGRESS_FRAME)
    note_cpu (shared);
  switch (progress->kind) {
  case SS_PROGRESS_ITERATION:
    item = ssapp_solve_push (shared, SSAPP_EVENT_ITERATION, progress->iteration);
    item->n = progress->n_columns;
    item->columns = g_memdup2 (progress->columns, sizeof (SsColumn) * (gsize)progress->n_columns);
    for (int i = 0; i < item->n; i++)
      item->columns[i].name = g_intern_string (item->columns[i].name);
    break;
  case SS_PROGRESS_ITERATE:
    wakes = !shared->latest_is_new;
    if (shared->latest_n != progress->n_values) {
      g_free (shared->latest);
      shared->latest = try_copy (progress->values, progress->n_values);
      shared->latest_n = shared->latest != NULL ? progress->n_values : 0;
    } else {
      memcpy (shared->latest, progress->values, sizeof (double) * (gsize)progress->n_values);
    }
    shared->latest_iteration = progress->iteration;
    shared->latest_is_new = shared->latest != NULL;
    if (keep > 0 && progress->iteration % keep == 0) {
      wakes = TRUE;
      item = ssapp_solve_push (shared, SSAPP_EVENT_KEPT, progress->iteration);
      item->x = try_copy (progress->values, progress->n_values);
      item->n = item->x != NULL ? progress->n_values : 0;
    }
    break;
  case SS_PROGRESS_FRAME:
    wakes = !shared->frames_are_new;
    take_frame (shared, progress);
    break;
  case SS_PROGRESS_LOG:
    item = ssapp_solve_push (shared, SSAPP_EVENT_LOG, 0);
    item->level = progress->level;
    item->text = g_strdup (progress->text);
    break;
  case SS_PROGRESS_MEMBERS:
    take_race (shared, progress);
    break;
  case SS_PROGRESS_ANSWER:
    take_answer (shared, progress->answer);
    break;
  }
  g_mutex_unlock (&shared->mutex);
  if (wakes)
    ssapp_solve_wake (shared);
}

static SsStatus
read_scenario (SsappSolve *shared, SsScenario **scenario)
{
  const SsappJobSpec *spec = shared->spec;
  const int n = (int)spec->parameter_names->len;
  SsOverride *overrides = g_new0 (SsOverride, n + 1);
  const size_t length = strlen (spec->scenario_text);
  gboolean sets_seed = spec->has_seed;
  SsStatus status;

  for (int i = 0; i < n; i++) {
    overrides[i].name = g_ptr_array_index (spec->parameter_names, (guint)i);
    overrides[i].value = g_array_index (spec->parameter_values, double, (guint)i);
    sets_seed = sets_seed && strcmp (overrides[i].name, "seed") != 0;
  }
  status =
      ss_scenario_read (spec->scenario_text, length, spec->scenario_file, overrides, n, &shared->problems, scenario);
  /* --seed is the parameter `seed` too, where the scenario has one. */
  if (status == SS_OK && sets_seed && ss_scenario_parameter (*scenario, "seed") >= 0) {
    ss_scenario_free (*scenario);
    *scenario = NULL;
    overrides[n] = (SsOverride){"seed", (double)spec->seed};
    status = ss_scenario_read (spec->scenario_text, length, spec->scenario_file, overrides, n + 1, &shared->problems,
                               scenario);
  }
  g_free (overrides);
  return status;
}

/* What the plan of a replay was made for, where the world has other parameters; and where the start is moved. */
static SsStatus
read_replay (SsappSolve *shared, const SsScenario *scenario)
{
  const SsappJobSpec *spec = shared->spec;
  const SsappReplayAsk *ask = &spec->replay;
  const int n = (int)ask->plan_names->len;
  g_autofree SsOverride *overrides = g_new0 (SsOverride, n + 1);
  gboolean differs = FALSE;
  SsError error = {0};

  shared->disturbances = g_new0 (SsDisturbance, ask->disturbed->len + 1);
  if (!ssapp_replay_ask_resolve (ask, scenario->scene, shared->disturbances, &error)) {
    ss_problems_add (&shared->problems, &error);
    return SS_ERR_INVALID;
  }
  if (!ask->has_plan_set)
    return SS_OK;
  for (int i = 0; i < n; i++)
    overrides[i] =
        (SsOverride){g_ptr_array_index (ask->plan_names, (guint)i), g_array_index (ask->plan_values, double, (guint)i)};
  const SsStatus status = ss_scenario_read (spec->scenario_text, strlen (spec->scenario_text), spec->scenario_file,
                                            overrides, n, &shared->problems, &shared->believed);
  for (int i = 0; status == SS_OK && i < scenario->n_parameters; i++)
    differs = differs || scenario->parameters[i].value != shared->believed->parameters[i].value;
  if (!differs)
    ss_scenario_free (g_steal_pointer (&shared->believed));
  return status;
}

/* Defaults, then the scenario's, then the job's. */
static SsStatus
make_options (SsappSolve *shared, const SsMethod *method, void *options)
{
  const SsappJobSpec *spec = shared->spec;
  const SsScenario *scenario = shared->scenario;
  void *transcription = shared->transcription_options;
  SsError error;
  SsStatus status = SS_OK;

  if (scenario != NULL) {
    /* ss_method_check_defaults has told what does not hold */
    status = ss_method_begin_options (method, scenario, options, transcription, &error);
  } else {
    ss_options_init (method->options, options);
    ss_options_init (ss_transcription_option_table (), transcription);
  }
  for (guint i = 0; i < spec->option_names->len; i++) {
    const char *name = g_ptr_array_index (spec->option_names, i), *value = g_ptr_array_index (spec->option_values, i);
    if ((scenario != NULL ? ss_method_set_option (method, scenario, options, transcription, name, value, &error)
                          : ss_options_set (method->options, options, name, value, &error)) != SS_OK) {
      g_snprintf (error.path, sizeof error.path, "--option %s", name);
      ss_problems_add (&shared->problems, &error);
      status = SS_ERR_INVALID;
    }
  }
  return status;
}

/* "seed", or "law.seed" of a law within a method. */
static gboolean
is_seed (const char *option)
{
  return strcmp (option, "seed") == 0 || g_str_has_suffix (option, ".seed");
}

/* The seed of a law that draws is an option of it. What was asked for as the job's is that option's, unless it was
 * given by its name. */
static void
agree_on_seed (SsappSolve *shared, const SsMethod *method, void *options)
{
  SsappJobSpec *spec = shared->spec;
  g_autofree char *asked = g_strdup_printf ("%" G_GUINT64_FORMAT, spec->seed);
  gboolean is_named = FALSE;
  SsError error;

  for (int i = 0; i < method->options->n_specs; i++) {
    const char *name = method->options->specs[i].name;
    if (!is_seed (name))
      continue;
    for (guint k = 0; k < spec->option_names->len; k++)
      is_named = is_named || strcmp (g_ptr_array_index (spec->option_names, k), name) == 0;
    if (spec->has_seed && !is_named && ss_options_set (method->options, options, name, asked, &error) == SS_OK) {
      g_ptr_array_add (spec->option_names, g_strdup (name));
      g_ptr_array_add (spec->option_values, g_steal_pointer (&asked));
    }
    spec->seed = (guint64)ss_options_get (method->options, options, i);
  }
}

/* Step and horizon of a plan of a scene may be given; those of a model are its parameters: to ignore them here would
 * look as if they had been used. */
static gboolean
check_step (SsappSolve *shared, const SsMethod *method)
{
  const SsappJobSpec *spec = shared->spec;
  SsError error;

  if (method->kind == SS_METHOD_INTEGRATOR || (isnan (spec->dt) && isnan (spec->t_end)))
    return TRUE;
  if (method->kind == SS_METHOD_IMPACT_LAW) {
    ss_error_set (&error, SS_ERR_INVALID, "an impact takes no time: it has no step and no horizon");
    g_snprintf (error.path, sizeof error.path, "%s", isnan (spec->dt) ? "--t-end" : "--dt");
    ss_problems_add (&shared->problems, &error);
    return FALSE;
  }
  if (shared->scenario->model == NULL && (isnan (spec->dt) || spec->dt > 0) && (isnan (spec->t_end) || spec->t_end > 0))
    return TRUE;
  if (shared->scenario->model == NULL) {
    ss_error_set (&error, SS_ERR_INVALID, "step and horizon of a plan must be positive numbers of seconds");
    g_snprintf (error.path, sizeof error.path, "%s", spec->dt <= 0 ? "--dt" : "--t-end");
    ss_problems_add (&shared->problems, &error);
    return FALSE;
  }
  ss_error_set (&error, SS_ERR_INVALID, "the time step and the number of points of '%s' are parameters of its model",
                shared->scenario->name);
  g_snprintf (error.path, sizeof error.path, "%s", isnan (spec->dt) ? "--t-end" : "--dt");
  g_strlcpy (error.expected, "--set NAME=VALUE", sizeof error.expected);
  ss_problems_add (&shared->problems, &error);
  return FALSE;
}

/* A job of its kind: the spec says the same of all. */
static SsJob
make_job (const SsappSolve *shared, const SsMethod *method, const void *options)
{
  const SsappJobSpec *spec = shared->spec;
  SsJob job = ss_job (method, shared->scenario, options);

  switch (method->kind) {
  case SS_METHOD_INTEGRATOR:
    job.simulate.dt = spec->dt;
    job.simulate.t_end = spec->t_end;
    job.simulate.past = spec->start;
    job.simulate.past_events = shared->past_events;
    job.simulate.every = spec->every;
    job.simulate.contacts = spec->contacts;
    job.simulate.watch = spec->seen != NULL ? ssapp_interests_seen_watch (spec->seen) : NULL;
    job.simulate.sensitivity = (const char *const *)shared->sensitivity;
    job.simulate.n_sensitivity = shared->sensitivity != NULL ? (int)g_strv_length (shared->sensitivity) : 0;
    job.simulate.wants_sides = true;
    if (spec->plan == NULL)
      break;
    job.simulate.plan = spec->plan;
    job.simulate.feedback = &spec->replay.feedback;
    job.simulate.believed = shared->believed;
    job.simulate.worlds = spec->replay.worlds;
    job.simulate.worlds_seed = (uint64_t)spec->replay.worlds_seed;
    job.simulate.friction = spec->replay.friction != 1 ? spec->replay.friction : 0;
    job.simulate.n_disturbances = shared->disturbances != NULL ? (int)spec->replay.disturbed->len : 0;
    job.simulate.disturbances = shared->disturbances;
    break;
  case SS_METHOD_OPTIMISER:
    job.solve.transcription = shared->transcription;
    job.solve.start = spec->start;
    job.solve.state = spec->continued.state.n_values > 0 ? &spec->continued.state : NULL;
    job.solve.cache = shared->cache;
    job.solve.elsewhere = &shared->elsewhere;
    job.solve.ways_on = spec->ways_on > 0 ? spec->ways_on : 0;
    job.solve.bound = spec->bound > 0 ? spec->bound : 0;
    break;
  case SS_METHOD_IMPACT_LAW:
    job.impact.impact = shared->impact;
    job.impact.q = shared->state;
    job.impact.v = shared->state != NULL ? shared->state + 3 * shared->scenario->scene->n_bodies : NULL;
    job.impact.touching = spec->touching;
    break;
  case SS_METHOD_KIND_COUNT:
    break;
  }
  return job;
}

/* ---- impacts ----------------------------------------------------------------------------------------------------- */

static SsStatus
read_numbers (SsappSolve *shared)
{
  SsappJobSpec *spec = shared->spec;
  SsImpactFile *file = NULL;
  SsImpact *impact = NULL;
  SsError error = {0};
  SsStatus status = ss_impact_file_read (spec->scenario_text, strlen (spec->scenario_text), spec->scenario_file,
                                         &shared->problems, &file);

  if (status == SS_OK) {
    status = ss_impact_new_from_file (file, &impact, &error);
    g_strlcpy (error.file, spec->scenario_file, sizeof error.file);
  }
  if (status == SS_OK && (spec->start != NULL || spec->parameter_names->len > 0))
    status =
        ss_error_set (&error, SS_ERR_INVALID, "a file of numbers has no parameters, and takes no state of a motion");
  if (error.status != SS_OK)
    ss_problems_add (&shared->problems, &error);
  g_mutex_lock (&shared->mutex);
  shared->file = file;
  shared->impact = impact;
  g_mutex_unlock (&shared->mutex);
  return status;
}

/* The state at the impact. The text that a project keeps becomes that of the scene in this state, where a text can say
 * it. */
static SsStatus
take_state (SsappSolve *shared)
{
  SsappJobSpec *spec = shared->spec;
  const SsScene *scene = shared->scenario->scene;
  const int n = scene->n_bodies;
  double *state = g_new0 (double, 6 * (gsize)n + 1);
  SsError error = {0};
  const SsStatus status = ssapp_impact_state_at (scene, spec->start, spec->at, state, state + 3 * n, &error);

  shared->state = state;
  if (status != SS_OK) {
    ss_problems_add (&shared->problems, &error);
    return status;
  }
  char *text = ssapp_impact_scenario_in_state (spec->scenario_text, scene, state, state + 3 * n, &error);
  if (text != NULL) {
    g_free (spec->scenario_text);
    spec->scenario_text = text;
  } else {
    ss_run_control_log (&shared->control, SS_LOG_WARNING, "a project keeps the scene at its start: %s", error.message);
  }
  return SS_OK;
}

/* What the result of an impact says besides, from the record that ss_run left. */
static SsStatus
describe_impact (SsappSolve *shared, const SsRunResult *result, SsError *error)
{
  const SsImpact *impact = shared->impact != NULL ? shared->impact : result->configuration;
  json_t *parts = json_object ();
  const SsStatus status = ssapp_impact_result_add_run (parts, shared->method->name, impact, result,
                                                       shared->spec->tolerance, shared->spec->planes, error);

  if (status == SS_OK && shared->impact == NULL)
    json_object_set_new (json_object_get (parts, "configuration"), "touching",
                         ssapp_json_real (shared->spec->touching > 0 ? shared->spec->touching : SS_RUN_TOUCHING));
  if (status == SS_OK)
    shared->impact_parts = json_incref (parts);
  json_decref (parts);
  return status;
}

/* ---- the job ----------------------------------------------------------------------------------------------------- */

static SsStatus
prepare_input (SsappSolve *shared)
{
  SsScenario *scenario = NULL;
  SsError error = {0};

  if (shared->spec->kind == SS_METHOD_IMPACT_LAW && ssapp_impact_is_numbers (shared->spec->scenario_text))
    return read_numbers (shared);
  const SsStatus status = read_scenario (shared, &scenario);
  if (status != SS_OK)
    return status;
  g_mutex_lock (&shared->mutex);
  shared->scenario = scenario;
  g_mutex_unlock (&shared->mutex);
  if (ss_method_check_defaults (scenario, &shared->problems) != SS_OK)
    return SS_ERR_INVALID;
  if (shared->spec->plan != NULL && scenario->scene == NULL) {
    ss_error_set (&error, SS_ERR_INVALID, "'%s' is a model in equations: only plans of scenes can be replayed",
                  scenario->name);
    ss_problems_add (&shared->problems, &error);
    return SS_ERR_INVALID;
  }
  return shared->spec->plan != NULL ? read_replay (shared, scenario) : SS_OK;
}

/* Whether motions of the scenario can be asked that; it is known before there is one. */
static gboolean
check_outcomes (SsappSolve *shared)
{
  const GPtrArray *texts = shared->spec->outcomes;
  g_autoptr (GError) error = NULL;
  g_autoptr (SsappInterests) interests = ssapp_interests_new ((const char *const *)texts->pdata, texts->len, &error);

  if (interests != NULL && shared->scenario != NULL)
    ssapp_interests_check (interests, shared->scenario, &error);
  if (error != NULL) {
    SsError problem = {0};
    ss_error_set (&problem, SS_ERR_INVALID, "%s", error->message);
    g_strlcpy (problem.path, texts->len > 0 ? "--outcome" : "outcomes", sizeof problem.path);
    ss_problems_add (&shared->problems, &problem);
  }
  if (error == NULL && shared->spec->every > 1 && shared->spec->start == NULL && shared->spec->seen == NULL)
    shared->spec->seen = ssapp_interests_seen_new (texts, shared->scenario);
  return error == NULL;
}

/* The method, if it can run what was read; NULL after a problem. */
static const SsMethod *
find_method (SsappSolve *shared)
{
  SsError error = {0};
  const SsMethod *method = ss_method_find (shared->spec->kind, shared->spec->method, &error);
  SsStatus status = method != NULL ? SS_OK : SS_ERR_INVALID;

  if (method != NULL && shared->scenario != NULL)
    status = ss_run_check (shared->scenario, method, &error);
  else if (method != NULL && !method->is_built)
    status = ss_error_set (&error, SS_ERR_NOT_BUILT, "'%s' is %s", method->name, method->why_not);
  if (status == SS_OK)
    return method;
  g_autofree char *beside =
      method == NULL ? ssapp_own_beside (shared->spec->scenario_file, shared->spec->method) : NULL;
  if (beside != NULL) {
    g_autofree char *words = g_strdup (error.message);
    ss_error_set (&error, SS_ERR_INVALID, "%s; %s runs once you allow it: `stickslip-cli methods --allow FILE`", words,
                  beside);
  }
  g_snprintf (error.path, sizeof error.path, "%s", shared->spec->kind == SS_METHOD_IMPACT_LAW ? "--law" : "--method");
  ss_problems_add (&shared->problems, &error);
  return NULL;
}

/* A method of the user's own gets its job. */
static SsStatus
bind_own (SsappSolve *shared, const SsMethod *method, void *options)
{
  const SsappOwn *own = ssapp_own_find (method);
  SsError error = {0};

  if (own == NULL)
    return SS_OK;
  shared->own = ssapp_own_run_new (own, shared->spec, shared->scenario, options, &error);
  if (shared->own == NULL)
    ss_problems_add (&shared->problems, &error);
  return shared->own != NULL ? SS_OK : SS_ERR_INVALID;
}

/* What its processes took is part of what the run took; optimisers tell it by themselves. */
static void
add_own_cpu (const SsappSolve *shared, SsRunResult *result)
{
  if (shared->own != NULL && shared->method->kind == SS_METHOD_INTEGRATOR &&
      result->metrics.is_set[SS_METRIC_CPU_SECONDS])
    ss_metric_set (&result->metrics, SS_METRIC_CPU_SECONDS,
                   ss_metric_get (&result->metrics, SS_METRIC_CPU_SECONDS) + shared->own->cpu);
}

double
ssapp_solve_waited (SsappSolve *shared, gboolean takes_family)
{
  g_return_val_if_fail (shared != NULL, (double)NAN);
  const double waited = ssapp_cpu_waited (getpid (), takes_family) - shared->waited_before;

  g_mutex_lock (&shared->mutex);
  const double before = shared->waited;
  g_mutex_unlock (&shared->mutex);
  return isnan (waited) ? waited : fmax (waited, before);
}

void
ssapp_solve_note_machine (SsappSolve *shared, SsMetricSet *metrics)
{
  g_return_if_fail (shared != NULL);
  const double waited = ssapp_solve_waited (shared, shared->own != NULL);
  double load;

  if (isfinite (waited))
    ss_metric_set (metrics, SS_METRIC_WAITED_SECONDS, waited);
  if (getloadavg (&load, 1) == 1)
    ss_metric_set (metrics, SS_METRIC_MACHINE_LOAD, load);
}

/* At its time limit the method is not to blame for what other programs took. */
static void
tell_slow_machine (SsappSolve *shared, SsRunResult *result)
{
  const double limit = shared->spec->seconds, waited = ssapp_solve_waited (shared, TRUE);

  if (result->outcome != SS_OUTCOME_TIME_LIMIT || ssapp_cpu_outcome_at_limit (waited, limit) == SS_OUTCOME_TIME_LIMIT)
    return;
  g_autofree char *before = g_strdup (result->message);
  result->outcome = SS_OUTCOME_MACHINE_SLOW;
  g_snprintf (result->message, sizeof result->message, "%s: of %.3g s it waited %.3g s for a processor; %s",
              ss_outcome_early_words (SS_OUTCOME_MACHINE_SLOW), limit, waited, before);
}

/* What a simulation goes on from, and whether it can. */
static SsStatus
take_past (SsappSolve *shared, const SsMethod *method, const void *options)
{
  const json_t *events = shared->spec->start_events;
  const SsJob job = make_job (shared, method, options);
  SsError error = {0};
  SsStatus status = ss_run_check_past (&job.simulate, &error);

  if (status == SS_OK && events != NULL)
    status = ssapp_run_events_to_list (events, shared->scenario->scene, &shared->past_events, &error);
  if (status != SS_OK)
    ss_problems_add (&shared->problems, &error);
  return status;
}

static SsStatus
prepare (SsappSolve *shared)
{
  SsError error = {0};
  SsStatus status = prepare_input (shared);

  if (status != SS_OK)
    return status;
  const SsMethod *method = find_method (shared);
  if (method == NULL || !check_step (shared, method) || !check_outcomes (shared))
    return SS_ERR_INVALID;
  void *options = g_malloc0 (MAX (method->options->size, 1));
  shared->transcription_options = g_malloc0 (ss_transcription_option_table ()->size);
  status = make_options (shared, method, options);
  shared->transcription = ss_transcription_choose (shared->transcription_options);
  if (method->kind == SS_METHOD_OPTIMISER && shared->scenario->model == NULL)
    ss_method_suit (method, shared->transcription.class_, options);
  shared->transcription.dt = isnan (shared->spec->dt) ? 0 : shared->spec->dt;
  shared->transcription.t_end = isnan (shared->spec->t_end) ? 0 : shared->spec->t_end;
  const SsScenario *model = NULL;
  if (status == SS_OK)
    status = bind_own (shared, method, options);
  if (status == SS_OK && method->kind == SS_METHOD_OPTIMISER) {
    const SsJob job = make_job (shared, method, options);
    status = ss_solve_prepare (&job.solve, &model, &error);
    if (status != SS_OK) {
      g_snprintf (error.path, sizeof error.path, "task");
      ss_problems_add (&shared->problems, &error);
    }
  } else if (status == SS_OK) {
    agree_on_seed (shared, method, options);
    if (shared->spec->start != NULL)
      status = method->kind == SS_METHOD_IMPACT_LAW ? take_state (shared) : take_past (shared, method, options);
  }
  if (status != SS_OK) {
    g_free (options);
    return status;
  }
  g_mutex_lock (&shared->mutex);
  shared->model = model;
  shared->method = method;
  shared->options = options;
  g_mutex_unlock (&shared->mutex);
  return status;
}

gpointer
ssapp_solve_thread (gpointer user_data)
{
  SsappSolve *shared = user_data;
  SsRunResult result;
  SsError error = {0};
  SsStatus status;

  memset (&result, 0, sizeof result);
  status = prepare (shared);
  shared->reading_seconds = ss_clock_wall () - shared->start;
  ssapp_solve_wake (shared); /* `start` leaves now */
  if (status == SS_OK) {
    const SsJob job = make_job (shared, shared->method, shared->options);
    if (isfinite (shared->spec->work))
      shared->control.work_limit = ss_work_thread () + shared->spec->work;
    status = ss_run (&job, &shared->control, &result, &error);
    if (status == SS_OK) {
      add_own_cpu (shared, &result);
      ssapp_solve_note_machine (shared, &result.metrics);
      tell_slow_machine (shared, &result);
    }
    if (status == SS_OK && shared->method->kind == SS_METHOD_IMPACT_LAW) {
      status = describe_impact (shared, &result, &error);
      if (status != SS_OK)
        ss_run_result_clear (&result);
    }
  }
  g_mutex_lock (&shared->mutex);
  shared->status = status;
  shared->error = error;
  shared->result = result;
  shared->is_done = TRUE;
  g_mutex_unlock (&shared->mutex);
  ssapp_solve_wake (shared);
  return NULL;
}

/* ---- the main thread --------------------------------------------------------------------------------------------- */

void
ssapp_solve_free (SsappSolve *shared)
{
  ssapp_job_spec_free (shared->spec);
  g_source_destroy (shared->wake);
  g_source_unref (shared->wake);
  g_ptr_array_unref (shared->queue);
  g_free (shared->latest);
  ss_trajectory_free (shared->frames);
  json_decref (shared->race);
  json_decref (shared->best_result);
  ss_trajectory_free (shared->best);
  ss_run_result_clear (&shared->result);
  json_decref (shared->impact_parts);
  ss_impact_free (shared->impact);
  ss_impact_file_free (shared->file);
  g_free (shared->state);
  ss_scenario_free (shared->scenario);
  ss_scenario_free (shared->believed);
  g_free (shared->disturbances);
  g_strfreev (shared->sensitivity);
  ss_events_free (shared->past_events);
  g_free (shared->options);
  ssapp_own_run_free (shared->own);
  g_free (shared->transcription_options);
  ss_problems_clear (&shared->problems);
  g_mutex_clear (&shared->mutex);
  g_free (shared);
}

SsTrajectory *
ssapp_solve_thin (SsTrajectory *motion)
{
  g_return_val_if_fail (motion != NULL, NULL);
  SsTrajectory *thin = motion->n_rows > MAX_DISPLAY_ROWS ? ssapp_keep_thin (motion, MAX_DISPLAY_ROWS) : NULL;

  if (thin == NULL)
    return motion;
  ss_trajectory_free (motion);
  return thin;
}

SsappEnd
ssapp_end_of_status (SsStatus status)
{
  switch (status) {
  case SS_ERR_SINGULAR:
    return SSAPP_END_NO_SUCCESS;
  case SS_ERR_MEMORY:
  case SS_ERR_INTERNAL:
    return SSAPP_END_BROKEN;
  default:
    return SSAPP_END_BAD_INPUT;
  }
}

SsappEnd
ssapp_end_of_outcome (SsOutcome outcome)
{
  if (ss_outcome_is_success (outcome))
    return SSAPP_END_SUCCESS;
  return ss_outcome_is_early (outcome) ? SSAPP_END_STOPPED : SSAPP_END_NO_SUCCESS;
}
