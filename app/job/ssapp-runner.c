/* app/job/ssapp-runner.c: see ssapp-runner.h.
 *
 * What both threads touch is in `SsappSolve`, behind one mutex: a queue of events, the newest iterate, the frames so far,
 * and at the end the result. The solver's thread wakes the main thread through a source's ready time; the main thread
 * hands the events out.
 */
#include "app/job/ssapp-runner.h"

#include "app/base/ssapp-json.h"
#include "app/base/ssapp-memory.h"
#include "app/job/ssapp-cpu.h"
#include "app/job/ssapp-elsewhere.h"
#include "app/job/ssapp-frames.h"
#include "app/job/ssapp-impact-input.h"
#include "app/job/ssapp-impact-result.h"
#include "app/job/ssapp-quota.h"
#include "app/job/ssapp-race.h"
#include "app/job/ssapp-result.h"
#include "core/ss-work.h"
#include "mpcc/ss-problem.h"
#include "simulate/ss-simulate.h"

#include <math.h>
#include <string.h>
#include <sys/resource.h>

#define ITERATE_PERIOD (1.0 / 30) /* s: contract of the event stream */
#define FRAME_PERIOD   (1.0 / 60)
/* CPU time beyond its limit after which a solver that does not come back is left behind [s]. */
#define CPU_GRACE 0.5
enum {
  CPU_LOOK_MS = 100,       /* how often CPU time is looked at where it has a limit */
  MAX_DISPLAY_ROWS = 1000, /* of an iterate for display: more than pixels would delay the answer to a cancel */
};

typedef struct {
  SsappEventKind kind; /* ITERATION, KEPT, LOG */
  double t;
  int iteration, n;
  SsColumn *columns;
  double *x;
  SsLogLevel level;
  char *text;
} SsappSolveItem;

typedef struct {
  /* Constant while the thread runs. */
  SsappJobSpec *spec;
  SsSolveCache *cache;
  GSource *wake;
  double start;
  SsRunControl control; /* atomics, and the solver's own */
  SsElsewhere elsewhere;

  GMutex mutex; /* guards all below */
  GPtrArray *queue;
  double *latest;
  int latest_n, latest_iteration;
  gboolean latest_is_new;
  SsTrajectory *frames; /* of every frames_every-th frame, frames_last: the number of the newest one */
  int frames_every, n_frames, frames_last;
  gboolean frames_are_new;
  json_t *race; /* newest members of a race; NULL: none */
  gboolean race_is_new;
  /* of a race: its best answer so far, as the result if the run ended now; NULL: none */
  SsTrajectory *best;
  json_t *best_result;
  gboolean best_is_new;
  double first_cpu, last_cpu; /* of the solver's thread, at the first and the last iterate or frame [s] */
  SsScenario *scenario;       /* set once; then constant */
  /* of a replay: what its plan was made for, where that is another world, NULL: the same; and what is moved */
  SsScenario *believed;
  SsDisturbance *disturbances;
  char **sensitivity;          /* NULL-terminated names; NULL: no derivatives are wanted */
  void *transcription_options; /* of ss_transcription_option_table */
  SsTranscribeOptions transcription;
  /* OPTIMISER: what the solver works on; the scenario, or its plan's, which the cache owns; else NULL */
  const SsScenario *model;
  const SsMethod *method;
  void *options;
  /* IMPACT_LAW: a file of numbers and its configuration, in the place of the scenario; NULL: it is a scene */
  SsImpactFile *file;
  SsImpact *impact;
  double *state;        /* IMPACT_LAW: q, v at the impact, 3 n_bodies each; NULL: the scene's own */
  json_t *impact_parts; /* IMPACT_LAW: what its result says besides; set with is_done */
  gboolean is_done;
  SsStatus status;
  SsError error;
  SsProblems problems;
  SsRunResult result;
  double reading_seconds;
} SsappSolve;

struct SsappRunner {
  SsappEventFunc func;
  gpointer user_data;
  SsSolveCache *cache;
  SsappCapture *capture; /* borrowed, nullable */
  SsappSolve *shared;    /* NULL when idle */
  GThread *thread;
  gboolean is_running, has_started;
  double last_iterate, last_frame;
  guint grace_timer, limit_timer, cpu_timer;
  double children_cpu; /* of the process's children when the job began [s] */
  struct rlimit old_limit;
  gboolean has_limit;
  SsappQuota quota;         /* of the running job */
  SsappSolveItem *last_row; /* of the convergence table, where it was left out; nullable */
};

/* ---- the solver's thread ----------------------------------------------------------------------------------------- */

static void
ssapp_solve_item_free (SsappSolveItem *item)
{
  if (item == NULL)
    return;
  g_free (item->columns);
  g_free (item->x);
  g_free (item->text);
  g_free (item);
}

static void
ssapp_solve_wake (SsappSolve *shared)
{
  g_source_set_ready_time (shared->wake, 0);
}

static SsappSolveItem *
ssapp_solve_push (SsappSolve *shared, SsappEventKind kind, int iteration)
{
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

/* Channels of a simulation: names for the frames that arrive before the trajectory does. */
static SsTrajectory *
frames_new (const SsScenario *scenario, const SsMethod *method, const void *options, int n_values)
{
  SsTrajectory *frames = NULL;

  if (scenario->scene == NULL ||
      ss_simulation_trajectory_new (scenario->scene, method->integrator, options, 256, &frames, NULL) != SS_OK)
    return NULL;
  if (frames->n_channels != n_values)
    g_clear_pointer (&frames, ss_trajectory_free);
  return frames;
}

static void
take_frame (SsappSolve *shared, const SsProgress *progress)
{
  if (shared->frames == NULL)
    shared->frames = frames_new (shared->scenario, shared->method, shared->options, progress->n_values);
  if (shared->frames == NULL || shared->frames->n_channels != progress->n_values ||
      !ssapp_frames_take (shared->frames, &shared->frames_every, &shared->n_frames, progress->values))
    return;
  shared->frames_last = progress->iteration;
  shared->frames_are_new = TRUE;
}

static json_t *ssapp_solve_result (const SsappSolve *shared, const SsRunResult *result);

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

/* Runs on the solver's thread: copies and returns. */
static void
ssapp_solve_on_progress (void *user_data, const SsProgress *progress)
{
  SsappSolve *shared = user_data;
  const int keep = shared->spec->keep_every;
  SsappSolveItem *item;

  g_mutex_lock (&shared->mutex);
  if (progress->kind == SS_PROGRESS_ITERATE || progress->kind == SS_PROGRESS_FRAME) {
    shared->last_cpu = ss_clock_thread_cpu ();
    if (shared->latest == NULL && shared->frames == NULL)
      shared->first_cpu = shared->last_cpu;
  }
  switch (progress->kind) {
  case SS_PROGRESS_ITERATION:
    item = ssapp_solve_push (shared, SSAPP_EVENT_ITERATION, progress->iteration);
    item->n = progress->n_columns;
    item->columns = g_memdup2 (progress->columns, sizeof (SsColumn) * (gsize)progress->n_columns);
    for (int i = 0; i < item->n; i++)
      item->columns[i].name = g_intern_string (item->columns[i].name);
    break;
  case SS_PROGRESS_ITERATE:
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
      item = ssapp_solve_push (shared, SSAPP_EVENT_KEPT, progress->iteration);
      item->x = try_copy (progress->values, progress->n_values);
      item->n = item->x != NULL ? progress->n_values : 0;
    }
    break;
  case SS_PROGRESS_FRAME:
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

/* To where the option belongs: the method's own, or the transcription's. */
static SsStatus
set_option (SsappSolve *shared, const SsMethod *method, void *options, const char *name, const char *value,
            SsError *error)
{
  const SsOptionTable *table =
      shared->scenario != NULL ? ss_method_option_table (method, shared->scenario, name) : method->options;
  const gboolean is_own = table == method->options;

  return ss_options_set (table, is_own ? options : shared->transcription_options, name, value, error);
}

/* Defaults, then the scenario's, then the job's. */
static SsStatus
make_options (SsappSolve *shared, const SsMethod *method, void *options)
{
  const SsappJobSpec *spec = shared->spec;
  const SsScenario *scenario = shared->scenario;
  SsError error;
  SsStatus status = SS_OK;

  if (scenario != NULL)
    ss_method_init_options (method, scenario, options);
  else
    ss_options_init (method->options, options);
  ss_options_init (ss_transcription_option_table (), shared->transcription_options);
  for (int i = 0; scenario != NULL && i < scenario->n_method_defaults; i++) {
    const SsMethodDefault *d = &scenario->method_defaults[i];
    if (ss_method_takes_default (method, scenario, d) &&
        set_option (shared, method, options, d->name, d->value, &error) != SS_OK)
      status = SS_ERR_INVALID; /* told by ss_method_check_defaults already */
  }
  for (guint i = 0; i < spec->option_names->len; i++) {
    const char *name = g_ptr_array_index (spec->option_names, i), *value = g_ptr_array_index (spec->option_values, i);
    if (set_option (shared, method, options, name, value, &error) != SS_OK) {
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
    job.simulate.every = spec->every;
    job.simulate.contacts = spec->contacts;
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
  g_snprintf (error.path, sizeof error.path, "%s", shared->spec->kind == SS_METHOD_IMPACT_LAW ? "--law" : "--method");
  ss_problems_add (&shared->problems, &error);
  return NULL;
}

static SsStatus
prepare (SsappSolve *shared)
{
  SsError error = {0};
  SsStatus status = prepare_input (shared);

  if (status != SS_OK)
    return status;
  const SsMethod *method = find_method (shared);
  if (method == NULL || !check_step (shared, method))
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
  if (status == SS_OK && method->kind == SS_METHOD_OPTIMISER) {
    const SsJob job = make_job (shared, method, options);
    status = ss_solve_prepare (&job.solve, &model, &error);
    if (status != SS_OK) {
      g_snprintf (error.path, sizeof error.path, "task");
      ss_problems_add (&shared->problems, &error);
    }
  } else if (status == SS_OK) {
    agree_on_seed (shared, method, options);
    if (method->kind == SS_METHOD_IMPACT_LAW && shared->spec->start != NULL)
      status = take_state (shared);
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

static gpointer
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

static void
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
  g_free (shared->options);
  g_free (shared->transcription_options);
  ss_problems_clear (&shared->problems);
  g_mutex_clear (&shared->mutex);
  g_free (shared);
}

static void
emit (SsappRunner *self, SsappEvent *event)
{
  self->func (self, self->shared->spec, event, self->user_data);
}

static double
elapsed (SsappRunner *self)
{
  return ss_clock_wall () - self->shared->start;
}

/* Every n-th time and the last one, of rows with equal times the first and the last, so that a jump stays one; takes
 * and returns a trajectory. */
static SsTrajectory *
ssapp_solve_thin (SsTrajectory *motion)
{
  const int stride = (motion->n_rows + MAX_DISPLAY_ROWS - 1) / MAX_DISPLAY_ROWS;
  SsTrajectory *thin = NULL;
  SsStatus status;

  if (stride <= 1 ||
      ss_trajectory_new (motion->channels, motion->n_channels, MAX_DISPLAY_ROWS + 1, &thin, NULL) != SS_OK)
    return motion;
  status = SS_OK;
  for (int first = 0, k = 0; first < motion->n_rows && status == SS_OK; k++) {
    const int last = ss_trajectory_last_at (motion, first);
    if (k % stride == 0 || last == motion->n_rows - 1) {
      status = ss_trajectory_append (thin, ss_trajectory_row (motion, first), NULL);
      if (last > first && status == SS_OK)
        status = ss_trajectory_append (thin, ss_trajectory_row (motion, last), NULL);
    }
    first = last + 1;
  }
  ss_trajectory_free (status == SS_OK ? motion : thin);
  return status == SS_OK ? thin : motion;
}

static void
emit_point (SsappRunner *self, SsappEventKind kind, double t, int iteration, const double *x, int n)
{
  const SsScenario *scenario = self->shared->model;
  SsTrajectory *motion = NULL;

  if (scenario == NULL || n != scenario->model->n_points * scenario->model->n_variables ||
      ss_problem_trajectory (scenario, x, &motion, NULL) != SS_OK)
    return;
  if (kind == SSAPP_EVENT_ITERATE)
    motion = ssapp_solve_thin (motion);
  emit (self, &(SsappEvent){.kind = kind, .t = t, .iteration = iteration, .trajectory = motion});
  ss_trajectory_free (motion);
}

static void
emit_text (SsappRunner *self, double t, SsLogLevel level, const char *text)
{
  if (ssapp_quota_take_line (&self->quota, level, text))
    emit (self, &(SsappEvent){.kind = SSAPP_EVENT_LOG, .t = t, .level = level, .text = text});
}

static void
emit_row (SsappRunner *self, const SsappSolveItem *item)
{
  emit (self, &(SsappEvent){.kind = SSAPP_EVENT_ITERATION,
                            .t = item->t,
                            .iteration = item->iteration,
                            .columns = item->columns,
                            .n_columns = item->n});
}

/* Takes the item. */
static void
emit_item (SsappRunner *self, SsappSolveItem *item)
{
  enum { COLUMN_BYTES = 35 }; /* of a name and a number with 17 digits, in JSON */

  switch (item->kind) {
  case SSAPP_EVENT_KEPT:
    if (ssapp_quota_take_iterate (&self->quota, sizeof (double) * (gsize)item->n))
      emit_point (self, SSAPP_EVENT_KEPT, item->t, item->iteration, item->x, item->n);
    break;
  case SSAPP_EVENT_LOG:
    emit_text (self, item->t, item->level, item->text);
    break;
  default:
    g_clear_pointer (&self->last_row, ssapp_solve_item_free);
    if (!ssapp_quota_take_row (&self->quota, item->iteration, (gsize)item->n * COLUMN_BYTES)) {
      self->last_row = item;
      return;
    }
    emit_row (self, item);
  }
  ssapp_solve_item_free (item);
}

/* The best answer so far as the result if the run ended now, and its motion, both the caller's; NULL: none yet. */
static json_t *
best_so_far (SsappSolve *shared, SsTrajectory **best)
{
  json_t *result = NULL, *race = NULL, *member;
  size_t i;

  g_mutex_lock (&shared->mutex);
  if (shared->best_result != NULL && ss_trajectory_copy (shared->best, best, NULL) == SS_OK) {
    result = json_deep_copy (shared->best_result);
    race = json_deep_copy (shared->race);
  }
  g_mutex_unlock (&shared->mutex);
  if (result == NULL || race == NULL)
    return result;
  g_autofree char *text =
      g_strdup_printf ("%s; %s", ssapp_json_get_string (race, "account"), ssapp_json_get_string (result, "message"));
  ssapp_race_end (race);
  json_array_foreach (json_object_get (race, "members"), i, member)
  {
    if (json_is_true (json_object_get (member, "best")))
      json_object_set_new (member, "run", json_string (shared->spec->id));
  }
  json_object_set_new (result, "race", race);
  json_object_set_new (result, "message", json_string (text));
  return result;
}

/* An answer that is better than those before: to be looked at, and to be kept should this process die. */
static void
emit_best (SsappRunner *self)
{
  SsTrajectory *best = NULL;
  json_t *result = best_so_far (self->shared, &best);

  if (result == NULL)
    return;
  emit (self, &(SsappEvent){.kind = SSAPP_EVENT_ANSWER, .t = elapsed (self), .trajectory = best, .result = result});
  json_decref (result);
  best = ssapp_solve_thin (best);
  emit (self, &(SsappEvent){.kind = SSAPP_EVENT_ITERATE, .t = elapsed (self), .trajectory = best});
  ss_trajectory_free (best);
}

/* Where a race is, behind its best answer when that is another one: who reads of an answer has it, whatever happens to
 * this process next. */
static void
emit_race (SsappRunner *self)
{
  SsappSolve *shared = self->shared;
  json_t *race = NULL;

  g_mutex_lock (&shared->mutex);
  const gboolean is_best_new = shared->best_is_new;
  if (shared->race_is_new)
    race = json_incref (shared->race);
  shared->race_is_new = shared->best_is_new = FALSE;
  g_mutex_unlock (&shared->mutex);
  if (is_best_new)
    emit_best (self);
  if (race != NULL)
    emit (self, &(SsappEvent){.kind = SSAPP_EVENT_RACE, .t = elapsed (self), .race = race});
  g_mutex_lock (&shared->mutex); /* the solver's thread may drop it, too */
  json_decref (race);
  g_mutex_unlock (&shared->mutex);
}

/* The newest iterate and frame, unless the last ones are too recent; then the source wakes again when they are due. */
static void
emit_display (SsappRunner *self)
{
  SsappSolve *shared = self->shared;
  const double now = ss_clock_wall ();
  double again = INFINITY, *x = NULL;
  int n = 0, iteration = 0;

  g_mutex_lock (&shared->mutex);
  if (shared->latest_is_new && now - self->last_iterate >= ITERATE_PERIOD) {
    n = shared->latest_n;
    iteration = shared->latest_iteration;
    x = g_memdup2 (shared->latest, sizeof (double) * (gsize)n);
    shared->latest_is_new = FALSE;
    self->last_iterate = now;
  } else if (shared->latest_is_new) {
    again = self->last_iterate + ITERATE_PERIOD - now;
  }
  if (shared->frames_are_new && now - self->last_frame >= FRAME_PERIOD) {
    emit (self, &(SsappEvent){.kind = SSAPP_EVENT_FRAME,
                              .t = now - shared->start,
                              .iteration = shared->frames_last,
                              .trajectory = shared->frames});
    shared->frames_are_new = FALSE;
    self->last_frame = now;
  } else if (shared->frames_are_new) {
    again = fmin (again, self->last_frame + FRAME_PERIOD - now);
  }
  g_mutex_unlock (&shared->mutex);
  if (x != NULL)
    emit_point (self, SSAPP_EVENT_ITERATE, now - shared->start, iteration, x, n);
  g_free (x);
  if (isfinite (again))
    g_source_set_ready_time (shared->wake, g_get_monotonic_time () + (gint64)(again * G_TIME_SPAN_SECOND) + 1);
}

static SsappEnd
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

static SsappEnd
ssapp_end_of_outcome (SsOutcome outcome)
{
  if (ss_outcome_is_success (outcome))
    return SSAPP_END_SUCCESS;
  return ss_outcome_is_early (outcome) ? SSAPP_END_STOPPED : SSAPP_END_NO_SUCCESS;
}

/* What was left out on the way; a run's last row is kept whatever its number. */
static void
emit_notices (SsappRunner *self)
{
  if (self->last_row != NULL) {
    emit_row (self, self->last_row);
    ssapp_quota_return_row (&self->quota);
    g_clear_pointer (&self->last_row, ssapp_solve_item_free);
  }
  g_autoptr (GPtrArray) notices = ssapp_quota_notices (&self->quota);
  for (guint i = 0; i < notices->len; i++)
    emit (self, &(SsappEvent){.kind = SSAPP_EVENT_LOG,
                              .t = elapsed (self),
                              .level = SS_LOG_WARNING,
                              .text = g_ptr_array_index (notices, i)});
}

static void
restore_memory (SsappRunner *self)
{
  if (self->has_limit)
    setrlimit (RLIMIT_AS, &self->old_limit);
  self->has_limit = FALSE;
}

/* The solver's thread is still there: its limit stays, and the main thread gets some room beyond it. */
static void
add_headroom (SsappRunner *self)
{
  struct rlimit limit;

  if (!self->has_limit || getrlimit (RLIMIT_AS, &limit) != 0)
    return;
  limit.rlim_cur = (rlim_t)MIN (self->shared->spec->bytes + SSAPP_MEMORY_HEADROOM, (double)limit.rlim_max);
  setrlimit (RLIMIT_AS, &limit);
}

/* Ends the job towards the outside. */
static void
emit_result (SsappRunner *self, json_t *result, SsappEnd end, const SsTrajectory *trajectory, const SsRunResult *record)
{
  SsappSolve *shared = self->shared;
  gboolean is_done;

  g_mutex_lock (&shared->mutex);
  is_done = shared->is_done;
  g_mutex_unlock (&shared->mutex);
  g_clear_handle_id (&self->grace_timer, g_source_remove);
  g_clear_handle_id (&self->limit_timer, g_source_remove);
  g_clear_handle_id (&self->cpu_timer, g_source_remove);
  ssapp_capture_drain (self->capture);
  emit_notices (self);
  json_object_set_new (result, "warnings", ssapp_quota_warnings (&self->quota, NULL, NULL));
  self->is_running = FALSE;
  emit (self, &(SsappEvent){.kind = SSAPP_EVENT_RESULT,
                            .t = elapsed (self),
                            .trajectory = trajectory,
                            .scenario = shared->scenario,
                            .method = shared->method,
                            .result = result,
                            .record = record,
                            .end = end,
                            .problems = is_done && shared->problems.n_items > 0 ? &shared->problems : NULL});
  json_decref (result);
}

static const char *
ssapp_solve_name (const SsappSolve *shared)
{
  if (shared->scenario != NULL)
    return shared->scenario->name;
  if (shared->impact != NULL && shared->impact->name[0] != '\0')
    return shared->impact->name;
  return shared->spec->scenario_file;
}

static json_t *
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

/* CPU time of the run [s], the processes that it started included, which the solver is told here. */
static double
cpu_so_far (SsappRunner *self)
{
  SsRunControl *control = &self->shared->control;
  const double others = ssapp_cpu_of_children () - self->children_cpu;

  atomic_store (&control->cpu_others, (long long)(1e9 * fmax (others, 0)));
  return ss_run_control_cpu (control);
}

/* The answer is the best one that was found; FALSE: none yet. */
static gboolean
end_with_best (SsappRunner *self, const char *message)
{
  SsTrajectory *best = NULL;
  json_t *result = best_so_far (self->shared, &best);

  if (result == NULL)
    return FALSE;
  g_autofree char *text = g_strdup_printf ("%s: %s", message, ssapp_json_get_string (result, "message"));
  json_object_set_new (result, "message", json_string (text));
  /* the member's own would be a part of what the run has taken */
  json_t *metrics = json_object_get (result, "metrics");
  json_object_set_new (metrics, "solve_seconds", json_real (elapsed (self) - self->shared->reading_seconds));
  json_object_set_new (metrics, "cpu_seconds", json_real (cpu_so_far (self)));
  emit_result (self, result, SSAPP_END_SUCCESS, best, NULL);
  ss_trajectory_free (best);
  return TRUE;
}

/* The answer is the last published iterate, or the rows of a simulation so far. `message`: NULL for what the outcome
 * says. */
static void
end_with_iterate (SsappRunner *self, SsOutcome outcome, const char *message, SsappEnd end)
{
  SsappSolve *shared = self->shared;
  SsRunResult result;
  SsError error = {0};
  SsTrajectory *frames = NULL;
  double *x, cpu;
  int n, iteration;
  gboolean is_ready;

  g_mutex_lock (&shared->mutex);
  is_ready = shared->options != NULL && shared->method->kind != SS_METHOD_IMPACT_LAW;
  n = shared->latest_n;
  cpu = shared->last_cpu - shared->first_cpu;
  iteration = shared->frames != NULL ? shared->frames_last : shared->latest_iteration;
  x = n > 0 ? g_memdup2 (shared->latest, sizeof (double) * (gsize)n) : NULL;
  if (shared->frames != NULL)
    (void)!ss_trajectory_copy (shared->frames, &frames, NULL);
  g_mutex_unlock (&shared->mutex);

  SsJob job = {0};
  if (is_ready) {
    job = ss_job (shared->method, shared->scenario, shared->options);
    if (shared->method->kind == SS_METHOD_OPTIMISER)
      job.solve.transcription = shared->transcription;
    else
      job.simulate.plan = shared->spec->plan;
    job.simulate.every = MAX (shared->spec->every, shared->frames_every);
  }
  if (is_ready && ss_run_result_from_iterate (&job, outcome, iteration, x, n, &frames, &result, &error) == SS_OK) {
    const double used = elapsed (self) - shared->reading_seconds;
    ss_metric_set (&result.metrics, SS_METRIC_SOLVE_SECONDS, x != NULL || result.n_motions > 0 ? used : 0);
    ss_metric_set (&result.metrics, SS_METRIC_CPU_SECONDS, cpu);
    if (message != NULL)
      g_strlcpy (result.message, message, sizeof result.message);
    emit_result (self, ssapp_solve_result (shared, &result), end, ss_run_motion (&result), NULL);
    ss_run_result_clear (&result);
  } else {
    const char *early = shared->spec->kind == SS_METHOD_IMPACT_LAW ? "ended before the law had an answer"
                                                                   : "ended before the first iterate";
    json_t *object = ssapp_result_new_failed (shared->spec, is_ready ? shared->scenario : NULL,
                                              message != NULL ? message : early, NULL);
    json_object_set_new (object, "outcome", json_string (ss_outcome_name (outcome)));
    emit_result (self, object, end, NULL, NULL);
  }
  ss_trajectory_free (frames);
  g_free (x);
}

/* "out of memory (limit 2 GB): detail"; g_free. */
static char *
memory_message (SsappRunner *self, const char *detail)
{
  static const char what[] = SSAPP_MEMORY_MESSAGE;
  const double bytes = self->shared->spec->bytes;
  g_autofree char *size = isfinite (bytes) ? ssapp_memory_format (bytes) : NULL;
  g_autofree char *limit = size != NULL ? g_strdup_printf (" (limit %s)", size) : g_strdup ("");
  const gboolean says_more = *detail != '\0' && strcmp (detail, what) != 0;

  return g_strdup_printf ("%s%s%s%s", what, limit, says_more ? ": " : "", says_more ? detail : "");
}

/* The solver came back. */
static void
conclude (SsappRunner *self)
{
  SsappSolve *shared = self->shared;
  char message[1024];

  if (shared->status == SS_OK) {
    emit_result (self, ssapp_solve_result (shared, &shared->result), ssapp_end_of_outcome (shared->result.outcome),
                 ss_run_motion (&shared->result), &shared->result);
    return;
  }
  if (shared->problems.n_items > 0) {
    ss_error_format (&shared->problems.items[0], message, sizeof message);
    if (shared->problems.n_items > 1)
      g_strlcat (message, " (and more)", sizeof message);
  } else {
    ss_error_format (&shared->error, message, sizeof message);
    if (message[0] == '\0')
      g_strlcpy (message, ss_status_text (shared->status), sizeof message);
  }
  if (shared->status == SS_ERR_MEMORY && shared->problems.n_items == 0) {
    g_autofree char *text = memory_message (self, message);
    if (end_with_best (self, text))
      return;
    end_with_iterate (self, SS_OUTCOME_FAILED, text, SSAPP_END_BROKEN);
    return;
  }
  emit_result (self, ssapp_result_new_failed (shared->spec, shared->scenario, message, &shared->problems),
               ssapp_end_of_status (shared->status), NULL, NULL);
}

/* The solver did not come back in time: the answer is the last published iterate. */
static void
abandon (SsappRunner *self, SsOutcome outcome)
{
  if (!self->is_running)
    return;
  add_headroom (self);
  if (!end_with_best (self, outcome == SS_OUTCOME_CANCELLED ? "stopped" : ss_outcome_early_words (outcome)))
    end_with_iterate (self, outcome, NULL, SSAPP_END_STOPPED);
}

static gboolean
on_grace_over (gpointer user_data)
{
  SsappRunner *self = user_data;

  self->grace_timer = 0;
  abandon (self, SS_OUTCOME_CANCELLED);
  return G_SOURCE_REMOVE;
}

static gboolean
on_limit_over (gpointer user_data)
{
  SsappRunner *self = user_data;

  self->limit_timer = 0;
  abandon (self, SS_OUTCOME_TIME_LIMIT);
  return G_SOURCE_REMOVE;
}

/* The solver sees the CPU time of its own threads; that of other processes is told to it. Where it does not come back
 * in time it is left behind. */
static gboolean
on_cpu_look (gpointer user_data)
{
  SsappRunner *self = user_data;
  const SsRunControl *control = &self->shared->control;

  if (!(cpu_so_far (self) > control->cpu_limit + CPU_GRACE))
    return G_SOURCE_CONTINUE;
  self->cpu_timer = 0;
  abandon (self, SS_OUTCOME_CPU_LIMIT);
  return G_SOURCE_REMOVE;
}

/* The job's limit of CPU time, or the budget of a race, which is another name of it; NaN: none. */
static double
cpu_limit_of (const SsappJobSpec *spec)
{
  double limit = spec->cpu_seconds, budget;

  for (guint i = 0; i < spec->option_names->len; i++)
    if (strcmp (g_ptr_array_index (spec->option_names, i), "budget") == 0 &&
        ss_parse_double (g_ptr_array_index (spec->option_values, i), &budget) && budget > 0)
      limit = fmin (limit, budget); /* passes over NaN */
  return limit;
}

static gboolean
on_wake (gpointer user_data)
{
  SsappRunner *self = user_data;
  SsappSolve *shared = self->shared;
  GPtrArray *queue;
  gboolean is_done, is_ready;

  g_source_set_ready_time (shared->wake, -1);
  g_mutex_lock (&shared->mutex);
  queue = shared->queue;
  shared->queue = g_ptr_array_new_with_free_func ((GDestroyNotify)ssapp_solve_item_free);
  is_done = shared->is_done;
  is_ready = shared->options != NULL;
  g_mutex_unlock (&shared->mutex);

  if (self->is_running) {
    if (is_ready && !self->has_started) {
      self->has_started = TRUE;
      emit (self, &(SsappEvent){.kind = SSAPP_EVENT_START,
                                .t = elapsed (self),
                                .scenario = shared->scenario,
                                .scenario_name = ssapp_solve_name (shared),
                                .method = shared->method});
    }
    for (guint i = 0; i < queue->len; i++)
      emit_item (self, g_steal_pointer (&g_ptr_array_index (queue, i)));
    emit_race (self);
    if (!is_done)
      emit_display (self);
  }
  g_ptr_array_unref (queue);
  if (!is_done)
    return G_SOURCE_CONTINUE;

  /* The flag is the last thing the thread sets, so that joining does not wait. */
  if (self->thread != NULL)
    g_thread_join (g_steal_pointer (&self->thread));
  restore_memory (self);
  if (self->is_running)
    conclude (self);
  g_clear_pointer (&self->shared, ssapp_solve_free);
  return G_SOURCE_REMOVE;
}

/* A source that is dispatched whenever its ready time is reached. */
static gboolean
dispatch_wake (GSource *source, GSourceFunc callback, gpointer user_data)
{
  (void)source;
  return callback (user_data);
}

static GSourceFuncs wake_funcs = {.dispatch = dispatch_wake};

SsappRunner *
ssapp_runner_new (SsappEventFunc func, gpointer user_data)
{
  SsappRunner *self = g_new0 (SsappRunner, 1);

  self->func = func;
  self->user_data = user_data;
  self->cache = ss_solve_cache_new ();
  return self;
}

void
ssapp_runner_free (SsappRunner *self)
{
  if (self == NULL)
    return;
  g_return_if_fail (!ssapp_runner_is_busy (self));
  ss_solve_cache_free (self->cache);
  ssapp_quota_clear (&self->quota);
  g_free (self);
}

static guint
grace_of (const SsappJobSpec *spec)
{
  return spec->kind == SS_METHOD_IMPACT_LAW ? SSAPP_RUNNER_SAMPLES_GRACE_MS : SSAPP_RUNNER_GRACE_MS;
}

/* The limit of the job, until its thread is gone. */
static void
limit_memory (SsappRunner *self)
{
  const double bytes = self->shared->spec->bytes;
  struct rlimit limit;

  if (!isfinite (bytes) || bytes <= 0 || getrlimit (RLIMIT_AS, &self->old_limit) != 0)
    return;
  /* Under a sanitizer the program itself takes terabytes of address space: then not a byte more could be had. */
  if (bytes <= ssapp_memory_in_use ()) {
    SsappSolveItem *item = ssapp_solve_push (self->shared, SSAPP_EVENT_LOG, 0);
    item->level = SS_LOG_WARNING;
    item->text = g_strdup ("there is no limit of memory: the program itself takes more address space than that");
    return;
  }
  limit = self->old_limit;
  limit.rlim_cur = (rlim_t)MIN (bytes, (double)limit.rlim_max);
  self->has_limit = setrlimit (RLIMIT_AS, &limit) == 0;
}

void
ssapp_runner_start (SsappRunner *self, SsappJobSpec *spec)
{
  SsappSolve *shared = g_new0 (SsappSolve, 1);

  g_return_if_fail (self->shared == NULL);
  shared->spec = spec;
  shared->sensitivity = spec->sensitivity != NULL ? g_strsplit (spec->sensitivity, ",", -1) : NULL;
  shared->cache = self->cache;
  shared->elsewhere = ssapp_elsewhere (spec);
  shared->start = ss_clock_wall ();
  ss_run_control_init (&shared->control);
  shared->control.progress = ssapp_solve_on_progress;
  shared->control.user_data = shared;
  if (isfinite (spec->seconds)) {
    shared->control.deadline = shared->start + spec->seconds;
    self->limit_timer =
        g_timeout_add ((guint)CLAMP (spec->seconds * 1000 + grace_of (spec), 0, G_MAXINT), on_limit_over, self);
  }
  const double cpu_limit = cpu_limit_of (spec);
  ss_run_control_limit_cpu (&shared->control, isfinite (cpu_limit) ? cpu_limit : INFINITY);
  self->children_cpu = ssapp_cpu_of_children ();
  if (isfinite (cpu_limit))
    self->cpu_timer = g_timeout_add (CPU_LOOK_MS, on_cpu_look, self);
  g_mutex_init (&shared->mutex);
  shared->queue = g_ptr_array_new_with_free_func ((GDestroyNotify)ssapp_solve_item_free);
  ss_problems_init (&shared->problems);
  shared->wake = g_source_new (&wake_funcs, sizeof (GSource));
  g_source_set_callback (shared->wake, on_wake, self, NULL);
  g_source_attach (shared->wake, g_main_context_get_thread_default ());

  self->shared = shared;
  self->is_running = TRUE;
  self->has_started = FALSE;
  self->last_iterate = self->last_frame = -INFINITY;
  ssapp_quota_clear (&self->quota);
  ssapp_quota_init (&self->quota, FALSE);
  limit_memory (self);
  self->thread = g_thread_try_new ("solver", ssapp_solve_thread, shared, NULL);
  if (self->thread == NULL) {
    shared->status = SS_ERR_MEMORY;
    shared->is_done = TRUE;
    ssapp_solve_wake (shared);
  }
}

void
ssapp_runner_set_capture (SsappRunner *self, SsappCapture *capture)
{
  self->capture = capture;
}

gboolean
ssapp_runner_is_running (SsappRunner *self)
{
  return self->is_running;
}

gboolean
ssapp_runner_is_busy (SsappRunner *self)
{
  return self->shared != NULL;
}

void
ssapp_runner_cancel (SsappRunner *self)
{
  if (!self->is_running)
    return;
  atomic_store (&self->shared->control.pause, 0);
  ss_run_control_cancel (&self->shared->control);
  if (self->grace_timer == 0)
    self->grace_timer = g_timeout_add (grace_of (self->shared->spec), on_grace_over, self);
}

void
ssapp_runner_pause (SsappRunner *self, gboolean paused)
{
  if (self->is_running)
    atomic_store (&self->shared->control.pause, paused ? 1 : 0);
}

void
ssapp_runner_stop_member (SsappRunner *self, const char *member)
{
  const json_t *item;
  size_t i;

  if (!self->is_running)
    return;
  g_mutex_lock (&self->shared->mutex);
  json_array_foreach (json_object_get (self->shared->race, "members"), i, item)
  {
    if (g_strcmp0 (ssapp_json_get_string (item, "name"), member) == 0)
      ss_run_control_stop_member (&self->shared->control, (int)i);
  }
  g_mutex_unlock (&self->shared->mutex);
}

void
ssapp_runner_log (SsappRunner *self, SsLogLevel level, const char *text)
{
  if (self->is_running)
    emit_text (self, elapsed (self), level, text);
}
