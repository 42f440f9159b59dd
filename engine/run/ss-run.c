/* engine/run/ss-run.c: see ss-run.h. One road for every optimiser and one for every integrator; both end in our own metrics. */
#include "run/ss-run.h"

#include "mpcc/ss-problem.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- messages -------------------------------------------------------------------------------------------------------------------- */

/* `value` with two significant digits and '.' whatever the locale: "3.1e-10". */
static const char *
format_short (double value, char buffer[16])
{
  char text[40];

  if (!isfinite (value)) {
    snprintf (buffer, 16, "not finite");
    return buffer;
  }
  snprintf (text, sizeof text, "%.1e", fabs (value));
  const char *exponent = strchr (text, 'e');
  snprintf (buffer, 16, "%s%c.%c%.5s", value < 0 ? "-" : "", text[0], exponent[-1], exponent);
  return buffer;
}

static void
append_text (char *message, size_t size, const char *text)
{
  size_t used = strlen (message);

  if (text != NULL && text[0] != '\0')
    snprintf (message + used, size - used, "%s%s", used > 0 ? "; " : "", text);
}

bool
ss_outcome_is_success (SsOutcome outcome)
{
  return outcome == SS_OUTCOME_SOLVED || outcome == SS_OUTCOME_COMPLETED;
}

/* ---- cache ------------------------------------------------------------------------------------------------------------------------ */

struct SsRunCache {
  char sha256[65];
  int n_parameters;
  double *parameters; /* values of the mpcc: of the last job */
  SsTranscribeOptions transcription;
  SsScenario *plan; /* of a scene: its transcription; NULL for a model */
  SsMpcc *mpcc;
  const SsMethod *method;
  double *options; /* two numbers per option: its value, and whether it was given (presets fill in what was not) */
  void *solver;
};

static void
clear_solver (SsRunCache *cache)
{
  if (cache->solver != NULL)
    cache->method->nlp->free_ (cache->solver);
  ss_free (cache->options);
  cache->solver = NULL;
  cache->options = NULL;
  cache->method = NULL;
}

static void
clear_cache (SsRunCache *cache)
{
  clear_solver (cache);
  ss_mpcc_free (cache->mpcc);
  ss_scenario_free (cache->plan);
  ss_free (cache->parameters);
  memset (cache, 0, sizeof *cache);
}

SsRunCache *
ss_run_cache_new (void)
{
  return ss_new (SsRunCache);
}

void
ss_run_cache_free (SsRunCache *cache)
{
  if (cache == NULL)
    return;
  clear_cache (cache);
  ss_free (cache);
}

/* The kept problem fits when the text is the same and no parameter that changes sizes differs; of a scene no parameter at all, since its numbers are constants of the
 * formulas. */
static bool
problem_fits (const SsRunCache *cache, const SsJob *job)
{
  const SsScenario *scenario = job->scenario;

  if (cache->mpcc == NULL || strcmp (cache->sha256, scenario->sha256) != 0 ||
      cache->n_parameters != scenario->n_parameters)
    return false;
  for (int i = 0; i < scenario->n_parameters; i++)
    if ((scenario->parameters[i].is_structural || cache->plan != NULL) &&
        scenario->parameters[i].value != cache->parameters[i])
      return false;
  return cache->plan == NULL ||
         (cache->transcription.coordinates == job->transcription.coordinates &&
          cache->transcription.dt == job->transcription.dt && cache->transcription.t_end == job->transcription.t_end);
}

/* The kept solver fits when, moreover, method and options are the same, and the numbers too where it has looked at them. */
static bool
solver_fits (const SsRunCache *cache, const SsJob *job)
{
  if (cache->solver == NULL || cache->method != job->method)
    return false;
  for (int i = 0; job->method->nlp->keeps_numbers && i < cache->n_parameters; i++)
    if (job->scenario->parameters[i].value != cache->parameters[i])
      return false;
  for (int i = 0; i < job->method->options->n_specs; i++)
    if (ss_options_get (job->method->options, job->options, i) != cache->options[2 * i] ||
        ss_options_is_given (job->method->options, job->options, i) != (cache->options[2 * i + 1] != 0))
      return false;
  return true;
}

static SsStatus
keep_problem (SsRunCache *cache, const SsJob *job, SsError *err)
{
  const SsScenario *scenario = job->scenario, *model;
  SsStatus status;

  clear_cache (cache);
  cache->parameters = ss_new_array (double, scenario->n_parameters + 1);
  if (cache->parameters == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  status = ss_run_model (scenario, &job->transcription, &model, &cache->plan, err);
  if (status == SS_OK)
    status = ss_problem_build (model, &cache->mpcc, err);
  if (status != SS_OK)
    return status;
  ss_problem_parameters (scenario, cache->parameters);
  cache->transcription = job->transcription;
  cache->n_parameters = scenario->n_parameters;
  memcpy (cache->sha256, scenario->sha256, sizeof cache->sha256);
  return SS_OK;
}

static void
set_numbers (SsRunCache *cache, const SsScenario *scenario)
{
  ss_problem_parameters (scenario, cache->parameters);
  ss_mpcc_set_parameters (cache->mpcc, cache->parameters);
}

static SsStatus
keep_solver (SsRunCache *cache, const SsJob *job, SsError *err)
{
  const SsOptionTable *table = job->method->options;

  clear_solver (cache);
  set_numbers (cache, job->scenario);
  cache->options = ss_new_array (double, 2 * table->n_specs + 1);
  if (cache->options == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  for (int i = 0; i < table->n_specs; i++) {
    cache->options[2 * i] = ss_options_get (table, job->options, i);
    cache->options[2 * i + 1] = ss_options_is_given (table, job->options, i);
  }
  cache->method = job->method;
  return job->method->nlp->new_ (cache->mpcc, job->options, &cache->solver, err);
}

/* ---- optimisers ------------------------------------------------------------------------------------------------------------------- */

/* What the method claims, corrected by what our metrics found. */
static SsOutcome
decide_outcome (SsOutcome claimed, const SsMetrics *metrics)
{
  if (!metrics->is_finite)
    return claimed == SS_OUTCOME_CANCELLED || claimed == SS_OUTCOME_TIME_LIMIT ? claimed : SS_OUTCOME_DIVERGED;
  if (claimed != SS_OUTCOME_SOLVED && claimed != SS_OUTCOME_COMPLETED)
    return claimed;
  if (metrics->max_violation < SS_RUN_FEASIBLE)
    return SS_OUTCOME_SOLVED;
  return metrics->max_violation > SS_RUN_NEARLY ? SS_OUTCOME_INFEASIBLE : SS_OUTCOME_STALLED;
}

static void
describe_metrics (SsRunResult *result, SsOutcome claimed, const char *account)
{
  const SsMetrics *m = &result->metrics;
  char violation[16], limit[16];
  char *text = result->message;
  const size_t size = sizeof result->message;

  format_short (m->max_violation, violation);
  format_short (SS_RUN_FEASIBLE, limit);
  if (!m->is_finite)
    snprintf (text, size, "%s is not finite", isfinite (m->max_violation) ? "the objective" : m->worst);
  else if (m->max_violation < SS_RUN_FEASIBLE)
    snprintf (text, size, "max violation %s below %s", violation, limit);
  else
    snprintf (text, size, "max violation %s above %s, worst row %s", violation, limit, m->worst);
  if (claimed == SS_OUTCOME_SOLVED && result->outcome != SS_OUTCOME_SOLVED)
    append_text (text, size, "the method claims success");
  append_text (text, size, account);
}

/* Says so where a feasible answer is no nearer to its task than the starting point was: doing nothing may well obey every law. */
static void
warn_of_missed_task (const SsScenario *scenario, const double *start, SsRunResult *result)
{
  const SsMetrics *m = &result->metrics;
  SsMetrics before;
  char now[16], then[16];

  if (m->success_paper || !isfinite (m->tracking_error) || ss_metrics_compute (scenario, start, &before, NULL) != SS_OK)
    return;
  if (!(m->tracking_error >= SS_RUN_APPROACHED * before.tracking_error))
    return;
  const size_t used = strlen (result->message);
  snprintf (result->message + used, sizeof result->message - used,
            "; the task is not approached: tracking error %s, at the starting point %s",
            format_short (m->tracking_error, now), format_short (before.tracking_error, then));
}

/* Metrics and trajectory of the point x, whatever happened before. */
static SsStatus
judge_point (const SsScenario *scenario, const double *x, SsRunResult *result, SsError *err)
{
  SsStatus status = ss_metrics_compute (scenario, x, &result->metrics, err);

  if (status == SS_OK)
    status = ss_problem_trajectory (scenario, x, &result->trajectory, err);
  return status;
}

static void
end_early (SsRunResult *result, SsOutcome outcome, const char *when)
{
  result->outcome = outcome;
  snprintf (result->message, sizeof result->message, "%s %s",
            outcome == SS_OUTCOME_CANCELLED ? "cancelled" : "time limit reached", when);
  result->metrics.objective = result->metrics.max_violation = result->metrics.complementarity = NAN;
  result->metrics.tracking_error = NAN;
  for (int i = 0; i < SS_TRACK_COUNT; i++)
    result->metrics.tracking[i] = NAN;
}

/* The scenario's guess of a model in equations, and over it what the motion has of its variables. */
static SsStatus
follow_motion (const SsScenario *scenario, const SsTrajectory *start, double *x, SsError *err)
{
  const SsModel *model = scenario->model;
  const double first = start->n_rows > 0 ? ss_trajectory_row (start, 0)[0] : 0;
  SsStatus status = ss_problem_guess (scenario, x, err);
  double *row = ss_new_array (double, start->n_channels + 1);
  int n_known = 0;

  if (row == NULL && status == SS_OK)
    status = ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  for (int v = 0; v < model->n_variables && status == SS_OK && start->n_rows > 0; v++) {
    const int channel = ss_trajectory_channel (start, model->variables[v]);

    n_known += channel > 0;
    for (int k = 0; k < model->n_points && channel > 0; k++) {
      ss_trajectory_sample (start, first + k * model->time_step, row);
      x[(size_t)k * (size_t)model->n_variables + (size_t)v] = row[channel];
    }
  }
  if (status == SS_OK && n_known == 0)
    status = ss_error_set (err, SS_ERR_INVALID, "nothing in the trajectory to start from is a variable of '%s'",
                           scenario->name);
  ss_free (row);
  return status;
}

/* Starting point of a job for the model it is solved as. */
static SsStatus
make_start (const SsJob *job, const SsScenario *model, int n_variables, double *x, SsError *err)
{
  SsTranscribeOptions options = job->transcription;
  SsScenario *plan = NULL;
  SsStatus status;

  if (job->x0 != NULL) {
    memcpy (x, job->x0, sizeof (double) * (size_t)n_variables);
    return SS_OK;
  }
  if (job->start == NULL)
    return ss_problem_guess (model, x, err);
  if (job->scenario->model != NULL)
    return follow_motion (model, job->start, x, err);
  /* A scene's guess is made with its variables: once more, with the motion. */
  options.start = job->start;
  status = ss_transcribe (job->scenario, &options, &plan, err);
  if (status == SS_OK)
    status = ss_problem_guess (plan, x, err);
  ss_scenario_free (plan);
  return status;
}

static SsStatus
run_optimiser (const SsJob *job, SsRunControl *control, SsRunResult *result, SsError *err)
{
  const SsScenario *model; /* what is solved: the scenario, or its plan's transcription */
  SsRunCache own = {0}, *cache = job->cache != NULL ? job->cache : &own;
  SsNlpResult answer = {0};
  SsStatus status = SS_OK;
  double *guess = NULL;
  char left_out[512];
  const double start = ss_clock_wall ();

  if (ss_run_control_should_stop (control, &result->outcome)) {
    end_early (result, result->outcome, "before the problem was built");
    goto end;
  }

  /* Problem and solver, made or kept. */
  result->is_setup_reused = problem_fits (cache, job);
  if (!result->is_setup_reused)
    status = keep_problem (cache, job, err);
  model = cache->plan != NULL ? cache->plan : job->scenario;
  if (status == SS_OK && solver_fits (cache, job))
    set_numbers (cache, job->scenario);
  else if (status == SS_OK)
    status = keep_solver (cache, job, err);
  if (status != SS_OK)
    goto end;
  result->n_pairs = ss_mpcc_n_pairs (cache->mpcc);

  /* Starting point. */
  guess = ss_new_array (double, ss_mpcc_n_variables (cache->mpcc) + 1);
  if (guess == NULL) {
    status = ss_error_set (err, SS_ERR_MEMORY, "out of memory");
    goto end;
  }
  status = make_start (job, model, ss_mpcc_n_variables (cache->mpcc), guess, err);
  if (status != SS_OK)
    goto end;
  result->setup_seconds = ss_clock_wall () - start;
  if (control != NULL && ss_transcribe_left_out (job->scenario, left_out, sizeof left_out))
    ss_run_control_log (control, SS_LOG_WARNING, "%s", left_out);

  status = job->method->nlp->solve (cache->solver, guess, control, &answer, err);
  if (status != SS_OK)
    goto end;
  result->iterations = answer.iterations;
  result->subproblems = answer.subproblems;
  result->inner_iterations = answer.inner_iterations;
  result->solve_seconds = answer.solve_seconds;
  result->cpu_seconds = answer.cpu_seconds;
  result->qp_seconds = answer.qp_seconds;
  result->derivative_seconds = answer.derivative_seconds;
  result->value_seconds = answer.value_seconds;
  result->stationarity = answer.stationarity;
  result->certificate = answer.certificate;

  status = judge_point (model, answer.x, result, err);
  if (status != SS_OK)
    goto end;
  result->outcome = decide_outcome (answer.outcome, &result->metrics);
  describe_metrics (result, answer.outcome, answer.message);
  warn_of_missed_task (model, guess, result);

end:
  ss_free (guess);
  if (status != SS_OK || cache == &own)
    clear_cache (cache);
  return status;
}

/* ---- integrators ------------------------------------------------------------------------------------------------------------------ */

/* Notes when the first frame leaves: until then it was setup. */
typedef struct {
  SsProgressFunc progress;
  void *user_data;
  double first_wall, first_cpu; /* NaN before the first frame */
} FirstFrame;

static void
note_first_frame (void *user_data, const SsProgress *progress)
{
  FirstFrame *first = user_data;

  if (progress->kind == SS_PROGRESS_FRAME && isnan (first->first_wall)) {
    first->first_wall = ss_clock_wall ();
    first->first_cpu = ss_clock_thread_cpu ();
  }
  if (first->progress != NULL)
    first->progress (first->user_data, progress);
}

static bool
trajectory_is_finite (const SsTrajectory *trajectory)
{
  if (trajectory->n_rows == 0)
    return true;
  const double *last = ss_trajectory_row (trajectory, trajectory->n_rows - 1);
  for (int i = 0; i < trajectory->n_channels; i++)
    if (!isfinite (last[i]))
      return false;
  return true;
}

/* What happened in the motion; the message says what of it the list does not have. */
static SsStatus
find_events (const SsScene *scene, SsRunResult *result, SsError *err)
{
  char note[128] = "";
  SsStatus status = ss_events_find (scene, result->trajectory, &result->events, err);

  if (status != SS_OK)
    return status;
  if (result->events->n_left_out > 0)
    snprintf (note, sizeof note, "the first %d of %d events are listed", result->events->n_items,
              result->events->n_items + result->events->n_left_out);
  else if (scene->n_contacts > SS_CONTACTS_WITH_CHANNELS_MAX)
    snprintf (note, sizeof note, "events of contacts are not listed for more than %d contacts",
              SS_CONTACTS_WITH_CHANNELS_MAX);
  append_text (result->message, sizeof result->message, note);
  return SS_OK;
}

/* How far the motion is from the plan. */
static SsStatus
compare_with_plan (const SsJob *job, SsRunResult *result, SsError *err)
{
  char distance[16], note[192];
  SsStatus status = ss_replay_compare (job->scenario->scene, job->plan, result->trajectory, &result->replay, NULL, err);

  if (status == SS_ERR_INVALID) { /* controls without a motion: a simulation like any other */
    append_text (result->message, sizeof result->message, "the plan has no motion to compare with");
    return SS_OK;
  }
  if (status != SS_OK)
    return status;
  result->is_replay = true;
  snprintf (note, sizeof note, "largest distance to the plan %s m (%s at t = %.9g s)",
            format_short (result->replay.largest, distance), job->scenario->scene->bodies[result->replay.body].name,
            result->replay.t);
  append_text (result->message, sizeof result->message, note);
  return SS_OK;
}

/* One answer of a step is not always the only one: says which of the two it is. */
static void
describe_parted_steps (const SsScene *scene, const SsReplaySteps *steps, SsRunResult *result)
{
  char note[320], largest[16];
  const char *body = steps->first_body >= 0 ? scene->bodies[steps->first_body].name : "none ends";
  int n = snprintf (
      note, sizeof note,
      "%d of %d steps, each from the plan's own state, part from it, the first at t = %.9g s (%s), by up to %s m",
      steps->n_parted, steps->n_steps, steps->first_t, body, format_short (steps->largest, largest));

  if (steps->n_other == steps->n_parted)
    snprintf (note + n, sizeof note - (size_t)n, ": each has another answer, and the plan's is one");
  else if (steps->n_other > 0)
    snprintf (note + n, sizeof note - (size_t)n, ": %d of them have another answer, and the plan's is one",
              steps->n_other);
  else if (steps->n_other == 0)
    snprintf (note + n, sizeof note - (size_t)n, ": the plan does not obey this integrator's law there");
  append_text (result->message, sizeof result->message, note);
}

/* A plan that obeys the integrator's law at its own steps is found again step by step, wherever the whole replay has gone meanwhile. */
static SsStatus
compare_steps_with_plan (const SsJob *job, SsRunResult *result, SsError *err)
{
  const SsScene *scene = job->scenario->scene;
  SsReplaySteps *steps = &result->replay_steps;
  SsStatus status = ss_replay_compare_steps (scene, job->plan, job->method->integrator, job->options, steps, err);

  if (status == SS_ERR_INVALID) { /* the plan has not the motion of all bodies */
    *err = (SsError){0};
    return SS_OK;
  }
  if (status != SS_OK)
    return status;
  result->has_replay_steps = true;
  if (steps->n_other >= 0) /* else the plan belongs to another law, and every step may part */
    describe_parted_steps (scene, steps, result);
  return SS_OK;
}

static void
warn_about_clamping (const SsReplay *replay, SsRunControl *control)
{
  int actuator = ss_replay_clamped (replay);

  if (actuator >= 0)
    ss_run_control_log (control, SS_LOG_WARNING, "the plan's control %s leaves the bounds of its actuator and is cut",
                        ss_replay_scene (replay)->actuators[actuator].name);
}

static SsStatus
run_integrator (const SsJob *job, SsRunControl *control, SsRunResult *result, SsError *err)
{
  const SsScenario *scenario = job->scenario;
  const bool steps_by_plan = job->plan != NULL && isnan (job->dt);
  const double dt = isnan (job->dt) && job->plan == NULL ? scenario->task.dt : job->dt;
  double t_end = isnan (job->t_end) ? scenario->task.t_end : job->t_end;
  SsReplay *replay = NULL;
  const double start = ss_clock_wall (), start_cpu = ss_clock_thread_cpu ();
  SsRunControl own;
  char account[256] = "";
  SsStatus status;

  if (!steps_by_plan && !(isfinite (dt) && dt > 0))
    return ss_error_set (err, SS_ERR_INVALID, "the step dt must be a positive number of seconds");
  if (!(isfinite (t_end) && t_end >= 0))
    return ss_error_set (err, SS_ERR_INVALID, "the horizon t_end must be a number of seconds, not negative");

  if (control == NULL) {
    ss_run_control_init (&own);
    control = &own;
  }
  if (job->plan != NULL) {
    status = ss_replay_new (scenario->scene, job->plan, &replay, err);
    if (status != SS_OK)
      return status;
    warn_about_clamping (replay, control);
    if (isnan (job->t_end))
      t_end = ss_replay_t_end (replay);
  }
  FirstFrame first = {control->progress, control->user_data, NAN, NAN};
  control->progress = note_first_frame;
  control->user_data = &first;
  status =
      ss_simulate_controlled (replay != NULL ? ss_replay_scene (replay) : scenario->scene, job->method->integrator,
                              job->options, replay != NULL ? ss_replay_controls (replay) : NULL, dt, t_end, control,
                              &result->trajectory, &result->sim, &result->outcome, account, sizeof account, err);
  ss_replay_free (replay);
  control->progress = first.progress;
  control->user_data = first.user_data;
  if (status != SS_OK)
    return status;

  const double begun = isnan (first.first_wall) ? start : first.first_wall;
  result->setup_seconds = begun - start;
  result->solve_seconds = ss_clock_wall () - begun;
  result->cpu_seconds = ss_clock_thread_cpu () - (isnan (first.first_cpu) ? start_cpu : first.first_cpu);
  result->iterations = result->sim.steps;

  /* Our own look at the answer: a motion that is not finite did not complete. */
  if (result->outcome == SS_OUTCOME_COMPLETED && result->trajectory != NULL &&
      !trajectory_is_finite (result->trajectory)) {
    result->outcome = SS_OUTCOME_DIVERGED;
    snprintf (result->message, sizeof result->message, "the motion is not finite");
  }
  append_text (result->message, sizeof result->message, account);
  if (result->message[0] == '\0') {
    char penetration[16];
    snprintf (result->message, sizeof result->message, "%d steps, deepest penetration %s m", result->sim.steps,
              format_short (result->sim.max_penetration, penetration));
  }
  if (job->plan != NULL) {
    status = compare_with_plan (job, result, err);
    if (status == SS_OK && result->is_replay && steps_by_plan && result->outcome == SS_OUTCOME_COMPLETED)
      status = compare_steps_with_plan (job, result, err);
    if (status != SS_OK)
      return status;
  }
  return find_events (scenario->scene, result, err);
}

/* ---- the door --------------------------------------------------------------------------------------------------------------------- */

SsStatus
ss_run_check (const SsScenario *scenario, const SsMethod *method, SsError *err)
{
  if (!method->is_built)
    return ss_error_set (err, SS_ERR_NOT_BUILT, "'%s' is %s", method->name, method->why_not);
  if (method->kind == SS_METHOD_OPTIMISER && scenario->model == NULL && scenario->task.plan == NULL)
    return ss_error_set (err, SS_ERR_INVALID,
                         "'%s' is an optimiser; the task of the scene '%s' does not say what shall be reached: give it "
                         "a target, a constraint or a cost",
                         method->name, scenario->name);
  if (method->kind == SS_METHOD_INTEGRATOR && scenario->scene == NULL)
    return ss_error_set (err, SS_ERR_INVALID, "'%s' is an integrator; '%s' is a model in equations: optimise it",
                         method->name, scenario->name);
  return SS_OK;
}

SsStatus
ss_run_model (const SsScenario *scenario, const SsTranscribeOptions *options, const SsScenario **model,
              SsScenario **transcribed, SsError *err)
{
  SsStatus status = SS_OK;

  *transcribed = NULL;
  if (scenario->model == NULL)
    status = ss_transcribe (scenario, options, transcribed, err);
  *model = *transcribed != NULL ? *transcribed : scenario;
  return status;
}

SsStatus
ss_run (const SsJob *job, SsRunControl *control, SsRunResult *result, SsError *err)
{
  SsStatus status = SS_ERR_INTERNAL;

  memset (result, 0, sizeof *result);
  result->outcome = SS_OUTCOME_FAILED;
  result->stationarity = NAN;
  result->is_simulation = job->method->kind == SS_METHOD_INTEGRATOR;
  status = ss_run_check (job->scenario, job->method, err);
  if (status != SS_OK)
    return status;

  switch (job->method->kind) {
  case SS_METHOD_INTEGRATOR:
    status = run_integrator (job, control, result, err);
    break;
  case SS_METHOD_OPTIMISER:
    status = run_optimiser (job, control, result, err);
    break;
  case SS_METHOD_IMPACT_LAW:
    status = ss_error_set (err, SS_ERR_NOT_BUILT, "impact laws are not in this version");
    break;
  }
  if (status != SS_OK)
    ss_run_result_clear (result);
  return status;
}

void
ss_run_result_clear (SsRunResult *result)
{
  ss_trajectory_free (result->trajectory);
  ss_events_free (result->events);
  memset (result, 0, sizeof *result);
  result->outcome = SS_OUTCOME_FAILED;
}

SsStatus
ss_run_result_from_iterate (const SsJob *job, SsOutcome outcome, int iteration, const double *x, int n_x,
                            SsTrajectory **frames, SsRunResult *result, SsError *err)
{
  const SsScenario *model = NULL;
  SsScenario *plan = NULL;
  SsStatus status = SS_OK;

  memset (result, 0, sizeof *result);
  result->stationarity = NAN;
  result->iterations = iteration;
  result->is_simulation = job->method->kind == SS_METHOD_INTEGRATOR;
  end_early (result, outcome, "inside an iteration; this is the last iterate that was published");
  if (result->is_simulation) {
    result->sim = (SsSimMetrics){.steps = iteration,
                                 .energy_initial = NAN,
                                 .energy_final = NAN,
                                 .max_penetration = NAN,
                                 .max_cone_violation = NAN,
                                 .max_residual = NAN};
    if (frames != NULL) {
      result->trajectory = *frames;
      *frames = NULL;
      status = find_events (job->scenario->scene, result, err);
      if (status == SS_OK && job->plan != NULL)
        status = compare_with_plan (job, result, err);
    }
  } else if (x != NULL) {
    status = ss_run_model (job->scenario, &job->transcription, &model, &plan, err);
    if (status == SS_OK && n_x == model->model->n_points * model->model->n_variables)
      status = judge_point (model, x, result, err);
    else if (status == SS_OK)
      end_early (result, outcome, "before the first iterate");
    ss_scenario_free (plan);
  } else {
    end_early (result, outcome, "before the first iterate");
  }
  if (status != SS_OK)
    ss_run_result_clear (result);
  return status;
}
