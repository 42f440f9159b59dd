/* engine/run/ss-run.c: see ss-run.h. One road for every optimiser and one for every integrator; both end in our own
 * metrics. */
#include "run/ss-run-private.h"
#include "run/ss-race.h"
#include "run/ss-run-lazy.h"
#include "run/ss-run-starts.h"
#include "run/ss-run-unbounded.h"
#include "run/ss-step-homotopy.h"
#include "run/ss-run-traces.h"
#include "run/ss-run-replayed.h"

#include "core/ss-work.h"
#include "contact/ss-contact-corner.h"
#include "mpcc/ss-problem.h"
#include "nlp/ss-best-point.h"
#include "scene/ss-uses.h"
#include "simulate/ss-fan.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

bool
ss_outcome_is_success (SsOutcome outcome)
{
  return outcome == SS_OUTCOME_SOLVED || outcome == SS_OUTCOME_COMPLETED;
}

/* ---- the record -------------------------------------------------------------------------------------------------- */

static const char *const role_names[] = {
#define X(id, name) name,
    SS_MOTION_ROLE_LIST (X)
#undef X
};

const char *
ss_motion_role_name (SsMotionRole role)
{
  SS_ASSERT (role >= 0 && role < SS_MOTION_ROLE_COUNT);
  return role_names[role];
}

SsMotionRole
ss_motion_role_find (const char *name)
{
  int role = 0;

  SS_ASSERT (name != NULL);
  while (role < SS_MOTION_ROLE_COUNT && strcmp (role_names[role], name) != 0)
    role++;
  return (SsMotionRole)role;
}

SsStatus
ss_samples_new (const char *const *columns, int n_columns, int n_rows, SsSamples **out, SsError *err)
{
  SS_ASSERT (out != NULL && n_columns >= 0 && n_rows >= 0);
  SsSamples *samples = ss_new (SsSamples);
  bool ok = samples != NULL;

  *out = NULL;
  if (ok) {
    samples->columns = ss_new_array (char *, n_columns + 1);
    samples->values = ss_alloc ((size_t)n_rows + 1, sizeof (double) * ((size_t)n_columns + 1));
    ok = samples->columns != NULL && samples->values != NULL;
  }
  for (int c = 0; ok && c < n_columns; c++) {
    samples->columns[c] = ss_strdup (columns[c]);
    ok = samples->columns[c] != NULL;
    samples->n_columns = c + 1;
  }
  if (!ok) {
    ss_samples_free (samples);
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  }
  samples->n_rows = n_rows;
  *out = samples;
  return SS_OK;
}

void
ss_samples_free (SsSamples *samples)
{
  if (samples == NULL)
    return;
  for (int c = 0; c < samples->n_columns; c++)
    ss_free (samples->columns[c]);
  ss_free (samples->columns);
  ss_free (samples->values);
  ss_free (samples);
}

void
ss_run_result_init (SsRunResult *result)
{
  SS_ASSERT (result != NULL);
  memset (result, 0, sizeof *result);
  result->outcome = SS_OUTCOME_FAILED;
}

void
ss_run_result_clear (SsRunResult *result)
{
  SS_ASSERT (result != NULL);

  for (int i = 0; i < result->n_motions; i++)
    ss_trajectory_free (result->motions[i].trajectory);
  ss_free (result->motions);
  ss_trajectory_free (result->stages);
  ss_events_free (result->events);
  ss_samples_free (result->samples);
  ss_run_fan_free (result->fan);
  ss_impact_free (result->configuration);
  if (result->impact != NULL)
    ss_impact_result_clear (result->impact);
  ss_free (result->impact);
  ss_motion_verdict_clear (&result->verdict);
  ss_violations_clear (&result->violations);
  for (int i = 0; i < result->n_solutions; i++)
    ss_run_result_clear (&result->solutions[i]);
  ss_free (result->solutions);
  ss_free (result->members);
  ss_run_result_init (result);
}

/* Index of the answer among the motions, or -1. */
static int
find_answer (const SsRunResult *result)
{
  for (int i = 0; i < result->n_motions; i++)
    if (result->motions[i].role == SS_MOTION_ANSWER)
      return i;
  return -1;
}

const SsTrajectory *
ss_run_motion (const SsRunResult *result)
{
  const int answer = find_answer (result);

  return answer >= 0 ? result->motions[answer].trajectory : NULL;
}

int
ss_run_second_clock (const SsRunResult *result)
{
  const SsTrajectory *motion = ss_run_motion (result);

  return motion != NULL ? ss_trajectory_second_clock (motion) : -1;
}

SsTrajectory *
ss_run_take_motion (SsRunResult *result)
{
  const int answer = find_answer (result);
  SsTrajectory *trajectory = answer >= 0 ? result->motions[answer].trajectory : NULL;

  if (answer >= 0)
    result->motions[answer].trajectory = NULL;
  return trajectory;
}

SsStatus
ss_run_add_motion (SsRunResult *result, SsTrajectory **trajectory, SsMotionRole role, int branch, double share,
                   SsError *err)
{
  SS_ASSERT (result != NULL && trajectory != NULL && role >= 0 && role < SS_MOTION_ROLE_COUNT);
  SS_ASSERT (isnan (share) || (share >= 0 && share <= 1));
  SsRunMotion *motions = ss_realloc (result->motions, (size_t)result->n_motions + 1, sizeof *motions);

  if (motions == NULL) {
    ss_trajectory_free (*trajectory);
    *trajectory = NULL;
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  }
  result->motions = motions;
  motions[result->n_motions++] = (SsRunMotion){*trajectory, role, branch, share};
  *trajectory = NULL;
  return SS_OK;
}

static SsStatus
add_answer (SsRunResult *result, SsTrajectory **trajectory, SsError *err)
{
  return ss_run_add_motion (result, trajectory, SS_MOTION_ANSWER, 0, 1, err);
}

/* ---- cache ------------------------------------------------------------------------------------------------------- */

struct SsRunCache {
  SsTranscript *transcript; /* of a scene; NULL for a model */
  char sha256[65];
  int n_parameters;
  double *parameters; /* values of the mpcc: of the last job */
  SsMpcc *mpcc;       /* NULL: none is kept */
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
clear_problem (SsRunCache *cache)
{
  clear_solver (cache);
  ss_mpcc_free (cache->mpcc);
  ss_free (cache->parameters);
  cache->mpcc = NULL;
  cache->parameters = NULL;
}

static void
clear_cache (SsRunCache *cache)
{
  clear_problem (cache);
  ss_transcript_free (cache->transcript);
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

/* The model of the job, with its numbers, from the cache where one of that structure is kept. */
static SsStatus
prepare_model (SsRunCache *cache, const SsJob *job, const SsScenario **model, SsError *err)
{
  SsStatus status = SS_OK;
  bool fits = false;

  *model = job->scenario;
  if (job->scenario->model != NULL)
    return SS_OK;
  if (cache->transcript != NULL && ss_transcript_has_options (cache->transcript, &job->transcription))
    status = ss_transcript_fill (cache->transcript, job->scenario, &fits, err);
  if (status == SS_OK && !fits) {
    clear_cache (cache);
    status = ss_transcript_new (job->scenario, &job->transcription, &cache->transcript, err);
  }
  if (status == SS_OK)
    *model = ss_transcript_model (cache->transcript);
  return status;
}

/* The kept problem is that of the kept transcript, or of the same text with no other parameter that changes sizes. */
static bool
problem_fits (const SsRunCache *cache, const SsScenario *scenario)
{
  if (cache->mpcc == NULL || scenario->model == NULL)
    return cache->mpcc != NULL;
  if (cache->transcript != NULL || strcmp (cache->sha256, scenario->sha256) != 0 ||
      cache->n_parameters != scenario->n_parameters)
    return false;
  for (int i = 0; i < scenario->n_parameters; i++)
    if (scenario->parameters[i].is_structural && scenario->parameters[i].value != cache->parameters[i])
      return false;
  return true;
}

/* The kept solver fits when, moreover, method and options are the same, and the numbers too where it has looked at
 * them. */
static bool
solver_fits (const SsRunCache *cache, const SsJob *job, const SsScenario *model)
{
  if (cache->solver == NULL || cache->method != job->method)
    return false;
  for (int i = 0; job->method->nlp->keeps_numbers && i < cache->n_parameters; i++)
    if (model->parameters[i].value != cache->parameters[i])
      return false;
  for (int i = 0; i < job->method->options->n_specs; i++)
    if (ss_options_get (job->method->options, job->options, i) != cache->options[2 * i] ||
        ss_options_is_given (job->method->options, job->options, i) != (cache->options[2 * i + 1] != 0))
      return false;
  return true;
}

static SsStatus
keep_problem (SsRunCache *cache, const SsJob *job, const SsScenario *model, SsError *err)
{
  if (job->scenario->model != NULL)
    clear_cache (cache);
  else
    clear_problem (cache);
  cache->parameters = ss_new_array (double, model->n_parameters + 1);
  if (cache->parameters == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  SsStatus status = ss_problem_build (model, &cache->mpcc, err);
  if (status != SS_OK)
    return status;
  ss_problem_parameters (model, cache->parameters);
  cache->n_parameters = model->n_parameters;
  memcpy (cache->sha256, model->sha256, sizeof cache->sha256);
  return SS_OK;
}

static void
set_numbers (SsRunCache *cache, const SsScenario *model)
{
  ss_problem_parameters (model, cache->parameters);
  ss_mpcc_set_parameters (cache->mpcc, cache->parameters);
}

static SsStatus
keep_solver (SsRunCache *cache, const SsJob *job, const SsScenario *model, SsError *err)
{
  const SsOptionTable *table = job->method->options;

  clear_solver (cache);
  set_numbers (cache, model);
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

/* ---- optimisers -------------------------------------------------------------------------------------------------- */

/* What the method claims, corrected by what our metrics found. */
static SsOutcome
decide_outcome (SsOutcome claimed, const SsMetrics *metrics)
{
  if (!metrics->is_finite)
    return ss_outcome_is_early (claimed) ? claimed : SS_OUTCOME_DIVERGED;
  if (claimed == SS_OUTCOME_INFEASIBLE && metrics->max_violation < SS_RUN_FEASIBLE)
    return SS_OUTCOME_STALLED; /* here is a feasible point */
  if (claimed != SS_OUTCOME_SOLVED && claimed != SS_OUTCOME_COMPLETED)
    return claimed;
  if (metrics->max_violation < SS_RUN_FEASIBLE)
    return SS_OUTCOME_SOLVED;
  return metrics->max_violation > SS_RUN_NEARLY ? SS_OUTCOME_INFEASIBLE : SS_OUTCOME_STALLED;
}

static void
describe_metrics (SsRunResult *result, const SsMetrics *m, SsOutcome claimed, const char *account)
{
  char violation[16], limit[16];
  char *text = result->message;
  const size_t size = sizeof result->message;

  ss_run_format_short (m->max_violation, violation);
  ss_run_format_short (SS_RUN_FEASIBLE, limit);
  if (!m->is_finite)
    snprintf (text, size, "%s is not finite", isfinite (m->max_violation) ? "the objective" : m->worst);
  else if (m->max_violation < SS_RUN_FEASIBLE)
    snprintf (text, size, "max violation %s below %s", violation, limit);
  else
    snprintf (text, size, "max violation %s above %s, worst row %s", violation, limit, m->worst);
  if (claimed == SS_OUTCOME_SOLVED && result->outcome != SS_OUTCOME_SOLVED)
    ss_run_append_text (text, size, "the method claims success");
  ss_run_append_text (text, size, account);
}

void
ss_run_warn_of_ignored (const SsScene *scene, const char *name, unsigned uses, SsRunControl *control)
{
  const int n = control != NULL ? ss_uses_count_ignored (scene, uses) : 0;
  char text[256];

  for (int i = 0; i < n; i++) {
    ss_uses_describe_ignored (scene, uses, i, text, sizeof text);
    ss_run_control_log (control, SS_LOG_WARNING, "%s %s", name, text);
  }
}

/* Says so where a feasible answer is no nearer to its task than the starting point was: doing nothing may well obey
 * every law. */
static void
warn_of_missed_task (const SsScenario *scenario, const double *start, const SsMetrics *m, SsRunResult *result)
{
  SsMetrics before;
  char now[16], then[16];

  if (m->success_paper || !isfinite (m->tracking_error) || ss_metrics_compute (scenario, start, &before, NULL) != SS_OK)
    return;
  if (!(m->tracking_error >= SS_RUN_APPROACHED * before.tracking_error))
    return;
  result->misses_task = true;
  const size_t used = strlen (result->message);
  snprintf (result->message + used, sizeof result->message - used,
            "; the task is not approached: tracking error %s, at the starting point %s",
            ss_run_format_short (m->tracking_error, now), ss_run_format_short (before.tracking_error, then));
}

/* What an optimiser's run cost and claimed, beside what its answer is worth. Zeroed: nothing was solved. */
typedef struct {
  SsMetrics metrics; /* of the answer */
  SsNlpResult answer;
  int n_pairs;
  double setup_seconds;
  bool is_setup_reused;
} Solved;

static void
fill_finish (const SsNlpFinish *finish, double violation, SsMetricSet *set)
{
  if (finish->text[0] == '\0')
    return;
  ss_metric_set (set, SS_METRIC_B_VERIFIED, finish->is_b_stationary && violation < SS_RUN_FEASIBLE);
  ss_metric_set (set, SS_METRIC_FINISH_ROUNDS, finish->rounds);
  ss_metric_set (set, SS_METRIC_FINISH_ITERATIONS, finish->iterations);
  ss_metric_set (set, SS_METRIC_FINISH_PROGRAMS, finish->programs);
  ss_metric_set (set, SS_METRIC_FINISH_CPU_SECONDS, finish->cpu_seconds);
  if (!finish->is_computed)
    return;
  ss_metric_set (set, SS_METRIC_B_STATIONARY, finish->value);
  ss_metric_set (set, SS_METRIC_B_RADIUS, finish->rho);
  ss_metric_set (set, SS_METRIC_B_BIACTIVE, finish->n_biactive);
}

/* The one place where an optimiser's numbers become metrics. */
static void
fill_optimiser_set (const Solved *solved, SsRunResult *result)
{
  SsMetricSet *set = &result->metrics;
  const SsNlpResult *answer = &solved->answer;

  ss_metrics_fill_set (&solved->metrics, set);
  memcpy (result->worst, solved->metrics.worst, sizeof result->worst);
  ss_metric_set (set, SS_METRIC_N_PAIRS, solved->n_pairs);
  ss_metric_set (set, SS_METRIC_ITERATIONS, answer->iterations);
  ss_metric_set (set, SS_METRIC_SUBPROBLEMS, answer->subproblems);
  ss_metric_set (set, SS_METRIC_INNER_ITERATIONS, answer->inner_iterations);
  ss_metric_set (set, SS_METRIC_STATIONARITY, answer->stationarity);
  ss_metric_set (set, SS_METRIC_SETUP_SECONDS, solved->setup_seconds);
  ss_metric_set (set, SS_METRIC_SOLVE_SECONDS, answer->solve_seconds);
  ss_metric_set (set, SS_METRIC_CPU_SECONDS, answer->cpu_seconds);
  ss_metric_set (set, SS_METRIC_QP_SECONDS, answer->qp_seconds);
  ss_metric_set (set, SS_METRIC_LINEAR_SECONDS, answer->linear_seconds);
  ss_metric_set (set, SS_METRIC_DERIVATIVE_SECONDS, answer->derivative_seconds);
  ss_metric_set (set, SS_METRIC_VALUE_SECONDS, answer->value_seconds);
  ss_metric_set (set, SS_METRIC_THREADS, 1);
  ss_metric_set (set, SS_METRIC_SETUP_REUSED, solved->is_setup_reused);
  result->certificate = answer->certificate;
  if (answer->n_members > 0 && (result->members = ss_new_array (SsMember, answer->n_members)) != NULL) {
    memcpy (result->members, answer->members, (size_t)answer->n_members * sizeof *answer->members);
    result->n_members = answer->n_members;
  }
  fill_finish (&answer->finish, solved->metrics.max_violation, set);
}

/* Metrics and trajectory of the point x of the model as which a scenario is solved, whatever happened before. */
static SsStatus
judge_point (const SsScenario *scenario, const SsScenario *model, const double *x, SsMetrics *metrics,
             SsRunResult *result, SsError *err)
{
  SsTrajectory *trajectory = NULL;
  ss_violations_clear (&result->violations);
  SsStatus status =
      ss_violations_find (model, scenario->scene, x, SS_VIOLATIONS_KEPT, metrics, &result->violations, err);

  if (status == SS_OK)
    status = ss_problem_trajectory (model, x, &trajectory, err);
  if (status == SS_OK)
    status = ss_scenario_describe (scenario, trajectory, err);
  if (status == SS_OK)
    status = ss_problem_stages (model, x, &result->stages, err);
  if (status == SS_OK)
    return add_answer (result, &trajectory, err);
  ss_trajectory_free (trajectory);
  return status;
}

static void
end_early (SsRunResult *result, SsOutcome outcome, const char *when)
{
  result->outcome = outcome;
  snprintf (result->message, sizeof result->message, "%s %s", ss_outcome_early_words (outcome), when);
}

/* A run of which no point is known. */
static Solved
nothing_solved (void)
{
  Solved solved = {.answer.stationarity = NAN};

  solved.metrics.objective = solved.metrics.max_violation = solved.metrics.complementarity = NAN;
  solved.metrics.tracking_error = NAN;
  for (int i = 0; i < SS_TRACK_COUNT; i++)
    solved.metrics.tracking[i] = NAN;
  return solved;
}

SsStatus
ss_run_follow_motion (const SsScenario *scenario, const SsTrajectory *start, double *x, SsError *err)
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
make_start (const SsJob *job, const SsRunCache *cache, const SsScenario *model, int n_variables, double *x,
            SsError *err)
{
  if (job->x0 != NULL) {
    memcpy (x, job->x0, sizeof (double) * (size_t)n_variables);
    return SS_OK;
  }
  if (job->start == NULL)
    return ss_problem_guess (model, x, err);
  if (job->scenario->model != NULL)
    return ss_run_follow_motion (model, job->start, x, err);
  return ss_transcript_guess (cache->transcript, job->scenario, job->start, x, err);
}

/* A polished plan as the answer of `result`, which has none yet. */
static SsStatus
take_polished (const SsJob *job, const SsPolished *polished, SsMetrics *metrics, SsRunResult *result, SsError *err)
{
  const SsStatus status = judge_point (job->scenario, polished->model, polished->x, metrics, result, err);
  char account[96] = "polished";

  if (polished->n_pieces > 1)
    snprintf (account, sizeof account, "polished in %d pieces, each from where the replay of those before is",
              polished->n_pieces);
  result->misses_task = false;
  result->outcome = decide_outcome (SS_OUTCOME_SOLVED, metrics);
  describe_metrics (result, metrics, SS_OUTCOME_SOLVED, account);
  if (polished->n_pieces > 0)
    ss_run_append_text (result->message, sizeof result->message, polished->message);
  snprintf (result->start, sizeof result->start, "%s", polished->start);
  return status;
}

/* A local solution as a result of its own: judged as the answer is, but silently. `own` is initialised here. */
static SsStatus
result_of_polished (const SsJob *job, const SsPolished *found, SsRunControl *control, SsRunResult *own, SsError *err)
{
  SsMetrics metrics;
  SsSilence silence;

  ss_run_result_init (own);
  ss_silence_init (&silence, control);
  SsStatus status = take_polished (job, found, &metrics, own, err);
  if (status == SS_OK)
    status = ss_run_judge_plan (job, &silence.inner, own, err);
  if (status != SS_OK)
    return status;
  ss_metrics_fill_set (&metrics, &own->metrics);
  memcpy (own->worst, metrics.worst, sizeof own->worst);
  ss_metric_set (&own->metrics, SS_METRIC_ITERATIONS, found->n_iterations);
  ss_metric_set (&own->metrics, SS_METRIC_POLISHED, true);
  ss_metric_set (&own->metrics, SS_METRIC_POLISH_SOLVES, found->n_solves);
  ss_metric_set (&own->metrics, SS_METRIC_CPU_SECONDS, found->cpu_seconds);
  ss_metric_set (&own->metrics, SS_METRIC_LINEAR_SECONDS, found->linear_seconds);
  return SS_OK;
}

/* One that is not the answer, judged: its motion is kept with the run. Takes `own`. */
static SsStatus
keep_solution (SsRunResult *own, SsRunResult *result, SsError *err)
{
  SsRunResult *solutions = ss_realloc (result->solutions, (size_t)result->n_solutions + 1, sizeof *solutions);

  if (solutions == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  result->solutions = solutions;
  solutions[result->n_solutions++] = *own;
  SsTrajectory *trajectory = ss_run_take_motion (own);
  solutions[result->n_solutions - 1].n_motions = 0; /* that was the only one */
  own->n_motions = 0;
  ss_run_result_init (own);
  return ss_run_add_motion (result, &trajectory, SS_MOTION_SOLUTION, result->n_solutions, NAN, err);
}

/* Whom polished plans are told to while others are tried. */
typedef struct {
  const SsJob *job;
  SsRunControl *control;
} Telling;

static SsStatus
tell_polished (void *user_data, const SsPolished *best, SsError *err)
{
  const Telling *telling = user_data;
  SsRunResult answer;
  SsStatus status = SS_OK;

  if (telling->control == NULL)
    return SS_OK;
  status = result_of_polished (telling->job, best, telling->control, &answer, err);
  if (status == SS_OK)
    ss_run_control_emit_answer (telling->control, &answer);
  ss_run_result_clear (&answer);
  return status;
}

/* Solution i of what other starts gave: the best of them is the last one. */
static const SsPolished *
solution_at (const SsImproved *improved, int i)
{
  return i < improved->n_solutions - 1 ? &improved->found[i] : &improved->best;
}

/* The answer among the solutions, each judged; -1: the method's own. Where its own may be the answer it is judged, too:
 * what is feasible, possible, replayed and cheapest wins. */
static SsStatus
choose_plan (const SsJob *job, SsRunControl *control, const SsImproved *improved, const SsRunResult *judged,
             SsRunResult *result, int *chosen, SsError *err)
{
  SsPlanRank best = improved->own;
  char message[sizeof result->message];
  SsSilence silence;
  SsStatus status = SS_OK;

  if (best.grade > SS_PLAN_NOT_POSSIBLE && result->outcome == SS_OUTCOME_SOLVED && improved->n_solutions > 0) {
    memcpy (message, result->message, sizeof message);
    ss_silence_init (&silence, control);
    status = ss_run_judge_plan (job, &silence.inner, result, err);
    if (result->outcome == SS_OUTCOME_NOT_REPLAYABLE)
      best.grade = SS_PLAN_NOT_POSSIBLE;
    result->outcome = SS_OUTCOME_SOLVED; /* the run judges its answer, whichever it is */
    memcpy (result->message, message, sizeof message);
  }
  *chosen = -1;
  for (int i = improved->n_solutions - 1; i >= 0; i--) {
    SsPlanRank rank = ss_plan_rank (&judged[i]);
    rank.cost =
        solution_at (improved, i)->replay.value.objective; /* one replay's word, which the starts went by, too */

    if (!ss_plan_goes_before (&best, &rank) && (*chosen < 0 || ss_plan_goes_before (&rank, &best))) {
      best = rank;
      *chosen = i;
    }
  }
  return status;
}

/* The chosen solution is the answer, the others are kept. Takes from `judged`. */
static SsStatus
take_plans (const SsJob *job, const SsImproved *improved, int chosen, SsRunResult *judged, Solved *solved,
            SsRunResult *result, SsError *err)
{
  SsStatus status = SS_OK;

  if (chosen >= 0) {
    ss_trajectory_free (ss_run_take_motion (result));
    ss_trajectory_free (result->stages);
    result->stages = NULL;
    result->n_motions = 0; /* the answer was the only one */
    status = take_polished (job, solution_at (improved, chosen), &solved->metrics, result, err);
  }
  for (int i = 0; i < improved->n_solutions && status == SS_OK; i++)
    if (i != chosen)
      status = keep_solution (&judged[i], result, err);
  return status;
}

/* All that was found, judged; the answer among it, or the method's own, is the run's. */
static SsStatus
judge_plans (const SsJob *job, SsRunControl *control, const SsImproved *improved, Solved *solved, SsRunResult *result,
             bool *is_better, SsError *err)
{
  SsRunResult *judged = ss_new_array (SsRunResult, improved->n_solutions + 1);
  SsStatus status = judged != NULL ? SS_OK : ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  int chosen = -1, n = 0;

  for (; n < improved->n_solutions && status == SS_OK; n++)
    status = result_of_polished (job, solution_at (improved, n), control, &judged[n], err);
  if (status == SS_OK)
    status = choose_plan (job, control, improved, judged, result, &chosen, err);
  if (status == SS_OK)
    status = take_plans (job, improved, chosen, judged, solved, result, err);
  for (int i = 0; i < n; i++)
    ss_run_result_clear (&judged[i]);
  ss_free (judged);
  *is_better = chosen >= 0;
  return status;
}

/* Polishes the answer, and what other starts give; the best takes the answer's place. The run's times have both. */
static SsStatus
improve_plan (const SsJob *job, SsRunControl *control, Solved *solved, SsImproved *improved, SsRunResult *result,
              SsError *err)
{
  const double start = ss_clock_wall (), before = solved->metrics.max_violation,
               own_seconds = solved->answer.cpu_seconds;
  Telling telling = {job, control};
  const SsImproveListener listener = {tell_polished, &telling};
  SsStatus status = ss_run_improve (job, solved->answer.x, before, &listener, control, improved, err);
  SsMetricSet *set = &result->metrics;
  bool is_better = false;

  solved->answer.solve_seconds += ss_clock_wall () - start;
  solved->answer.cpu_seconds += improved->cpu_seconds;
  solved->answer.linear_seconds += improved->linear_seconds;
  if (status == SS_OK)
    status = judge_plans (job, control, improved, solved, result, &is_better, err);
  if (status != SS_OK)
    return status;
  ss_run_append_text (result->message, sizeof result->message, improved->message);
  if (improved->best_start[0] != '\0') {
    const double seconds = improved->best_seconds + (improved->is_first ? own_seconds : 0);
    char text[160];

    snprintf (text, sizeof text, "the best is from %s, in all %.3g s", improved->best_start, seconds);
    ss_run_append_text (result->message, sizeof result->message, text);
    ss_metric_set (set, SS_METRIC_POLISH_BEST_SECONDS, seconds);
  }
  if (!ss_run_keeps_modes (job)) /* else the method was not asked */
    ss_metric_set (set, SS_METRIC_POLISH_BEFORE, before);
  ss_metric_set (set, SS_METRIC_POLISHED, is_better);
  if (improved->best.n_pieces > 1)
    ss_metric_set (set, SS_METRIC_POLISH_PIECES, improved->best.n_pieces);
  ss_metric_set (set, SS_METRIC_POLISH_STARTS, improved->n_starts);
  ss_metric_set (set, SS_METRIC_POLISH_SOLUTIONS, improved->n_solutions);
  ss_metric_set (set, SS_METRIC_POLISH_SOLVES, improved->n_solves);
  ss_metric_set (set, SS_METRIC_POLISH_CPU_SECONDS, improved->cpu_seconds);
  ss_metric_set (set, SS_METRIC_POLISH_LINEAR_SECONDS, improved->linear_seconds);
  return status;
}

/* The starting point as the answer of a method that was not asked: as it is, or its modes are polished. */
static SsStatus
take_start (const SsJob *job, const double *guess, SsNlpResult *answer, SsError *err)
{
  if (job->takes_start) {
    answer->x = guess;
    answer->outcome = SS_OUTCOME_SOLVED;
    snprintf (answer->message, sizeof answer->message, "a simulated motion that ends at its targets");
    return SS_OK;
  }
  if (job->start == NULL)
    return ss_error_set (err, SS_ERR_INVALID,
                         "modes=start needs a motion whose modes it takes (--from RUN or FILE.csv)");
  answer->x = guess;
  answer->outcome = SS_OUTCOME_MAX_ITERATIONS;
  snprintf (answer->message, sizeof answer->message, "modes of the start, not solved with complementarities");
  return SS_OK;
}

/* The method's answer, unless it ended without success and has been at a feasible point that is better: that one, found
 * to be so by our metrics, is the answer then. */
static SsStatus
solve_kept (const SsJob *job, const SsScenario *model, void *solver, const double *guess, SsRunControl *control,
            SsBestPoint *best, Solved *solved, SsError *err)
{
  const int n = model->model->n_points * model->model->n_variables;
  SsMetrics metrics, own, before;
  SsRunControl silent;

  if (control == NULL) {
    ss_run_control_init (&silent);
    control = &silent;
  }
  SsStatus status = ss_best_point_begin (best, n, SS_RUN_FEASIBLE, control, err);
  if (status == SS_OK)
    status = job->method->nlp->solve (solver, guess, control, &solved->answer, err);
  ss_best_point_end (best);
  if (status != SS_OK || solved->answer.outcome == SS_OUTCOME_SOLVED || best->iteration < 0)
    return status;
  status = ss_metrics_compute (model, best->x, &metrics, err);
  if (status == SS_OK)
    status = ss_metrics_compute (model, solved->answer.x, &own, err);
  if (status == SS_OK)
    status = ss_metrics_compute (model, guess, &before, err);
  if (status != SS_OK)
    return status;
  const bool is_nearer =
                 metrics.success_paper || !(metrics.tracking_error >= SS_RUN_APPROACHED * before.tracking_error),
             is_worse = !own.is_finite || own.max_violation >= SS_RUN_FEASIBLE || own.objective > metrics.objective;
  if (metrics.is_finite && metrics.max_violation < SS_RUN_FEASIBLE && is_nearer && is_worse) {
    char text[sizeof solved->answer.message];

    snprintf (text, sizeof text, "%.180s; its best feasible point, of iteration %d", solved->answer.message,
              best->iteration);
    memcpy (solved->answer.message, text, sizeof text);
    solved->answer.x = best->x;
  }
  return SS_OK;
}

/* The method itself, or what stands in its place. An objective that falls without bound needs no method: that is looked
 * for before, and once more from an answer that is not proved. Nor is a method believed that no point is feasible;
 * `auto` goes on from one that is found. `far`: n_variables, for the point that shows it. */
static SsStatus
solve_job (const SsJob *job, SsRunCache *cache, const SsScenario *model, const double *guess, double *far,
           SsRunControl *control, SsBestPoint *best, Solved *solved, SsError *err)
{
  SsNlpResult *answer = &solved->answer;
  const bool looks = !job->is_part && !ss_run_keeps_modes (job) && !job->takes_start;
  bool is_unbounded = false, is_found = false;
  SsStatus status = SS_OK;

  if (looks)
    status = ss_run_look_unbounded (model, cache->mpcc, guess, control, far, answer, &is_unbounded, err);
  if (status != SS_OK || is_unbounded)
    return status;
  if (ss_run_keeps_modes (job) || job->takes_start)
    return take_start (job, guess, answer, err);
  status = solve_kept (job, model, cache->solver, guess, control, best, solved, err);
  if (status == SS_OK && looks)
    status = ss_run_doubt_infeasible (cache->mpcc, guess, control, far, answer, &is_found, err);
  if (status == SS_OK && is_found && job->method->nlp == &ss_nlp_auto)
    status = job->method->nlp->solve (cache->solver, far, control, answer, err);
  if (status == SS_OK && is_found && answer->outcome == SS_OUTCOME_INFEASIBLE)
    answer->outcome = SS_OUTCOME_STALLED;
  if (status == SS_OK && looks && !answer->finish.is_b_stationary)
    status = ss_run_look_unbounded (model, cache->mpcc, answer->x, control, far, answer, &is_unbounded, err);
  return status;
}

/* Of a run that has parts: whether the whole is unbounded, from the job's start; only then has `result` an answer. */
static SsStatus
look_at_whole (const SsJob *job, SsRunControl *control, SsRunResult *result, SsError *err)
{
  const SsScenario *model = NULL;
  SsRunCache cache = {0};
  Solved solved = nothing_solved ();
  double *guess = NULL, *far = NULL;
  bool is_unbounded = false;

  if (job->scenario->model != NULL || job->scenario->task.plan->n_costs == 0) /* what is left is a sum of squares */
    return SS_OK;
  SsStatus status = prepare_model (&cache, job, &model, err);
  if (status == SS_OK)
    status = keep_problem (&cache, job, model, err);
  if (status == SS_OK) {
    set_numbers (&cache, model);
    guess = ss_new_array (double, ss_mpcc_n_variables (cache.mpcc) + 1);
    far = ss_new_array (double, ss_mpcc_n_variables (cache.mpcc) + 1);
    status = guess == NULL || far == NULL
                 ? ss_error_set (err, SS_ERR_MEMORY, "out of memory")
                 : make_start (job, &cache, model, ss_mpcc_n_variables (cache.mpcc), guess, err);
  }
  if (status == SS_OK)
    status = ss_run_look_unbounded (model, cache.mpcc, guess, control, far, &solved.answer, &is_unbounded, err);
  if (status == SS_OK && is_unbounded) {
    solved.n_pairs = ss_mpcc_n_pairs (cache.mpcc);
    ss_run_result_clear (result);
    status = judge_point (job->scenario, model, solved.answer.x, &solved.metrics, result, err);
    result->outcome = decide_outcome (solved.answer.outcome, &solved.metrics);
    describe_metrics (result, &solved.metrics, solved.answer.outcome, solved.answer.message);
    if (status == SS_OK)
      status = ss_run_judge_plan (job, control, result, err);
    fill_optimiser_set (&solved, result);
  }
  clear_cache (&cache);
  ss_free (guess);
  ss_free (far);
  return status;
}

static SsStatus
run_optimiser (const SsJob *job, SsRunControl *control, SsRunResult *result, SsError *err)
{
  const SsScenario *model; /* what is solved: the scenario, or its plan's transcription */
  SsRunCache own = {0}, *cache = job->cache != NULL ? job->cache : &own;
  Solved solved = nothing_solved ();
  SsImproved improved = {0};
  SsBestPoint best = {.iteration = -1};
  SsRunTraces traces = {0};
  SsStatus status = SS_OK;
  double *guess = NULL, *far = NULL;
  char left_out[512];
  const double start = ss_clock_wall ();

  if (ss_run_control_should_stop (control, &result->outcome)) {
    end_early (result, result->outcome, "before the problem was built");
    goto end;
  }

  /* Problem and solver, made or kept. */
  status = ss_run_check_pieces (job, err);
  if (status == SS_OK)
    status = prepare_model (cache, job, &model, err);
  if (status != SS_OK)
    goto end;
  solved.is_setup_reused = problem_fits (cache, job->scenario);
  if (!solved.is_setup_reused)
    status = keep_problem (cache, job, model, err);
  if (status == SS_OK && (job->takes_start || solver_fits (cache, job, model)))
    set_numbers (cache, model);
  else if (status == SS_OK)
    status = keep_solver (cache, job, model, err);
  if (status != SS_OK)
    goto end;
  solved.n_pairs = ss_mpcc_n_pairs (cache->mpcc);

  /* Starting point. */
  guess = ss_new_array (double, ss_mpcc_n_variables (cache->mpcc) + 1);
  far = ss_new_array (double, ss_mpcc_n_variables (cache->mpcc) + 1);
  if (guess == NULL || far == NULL) {
    status = ss_error_set (err, SS_ERR_MEMORY, "out of memory");
    goto end;
  }
  status = make_start (job, cache, model, ss_mpcc_n_variables (cache->mpcc), guess, err);
  if (status != SS_OK)
    goto end;
  solved.setup_seconds = ss_clock_wall () - start;
  if (control != NULL && ss_transcribe_left_out (job->scenario, &job->transcription, left_out, sizeof left_out))
    ss_run_control_log (control, SS_LOG_WARNING, "%s", left_out);

  ss_run_traces_begin (&traces, ss_run_improves (job) ? control : NULL);
  status = solve_job (job, cache, model, guess, far, control, &best, &solved, err);
  ss_run_traces_polish (&traces);
  if (status == SS_OK)
    status = judge_point (job->scenario, model, solved.answer.x, &solved.metrics, result, err);
  if (status != SS_OK)
    goto end;
  result->outcome = decide_outcome (solved.answer.outcome, &solved.metrics);
  describe_metrics (result, &solved.metrics, solved.answer.outcome, solved.answer.message);
  if (!job->takes_start)
    warn_of_missed_task (model, guess, &solved.metrics, result);
  if (ss_run_improves (job) && result->outcome != SS_OUTCOME_CANCELLED && result->outcome != SS_OUTCOME_UNBOUNDED)
    status = improve_plan (job, control, &solved, &improved, result, err);
  if (job->scenario->model == NULL && status == SS_OK)
    status = ss_run_judge_plan (job, control, result, err);
  if (job->scenario->model == NULL && status == SS_OK && job->keeps_feasible)
    status = ss_run_judge_ended (job, solved.metrics.max_violation, result, err);
  if (job->scenario->model != NULL && status == SS_OK && !ss_outcome_is_success (result->outcome))
    status = ss_reasons_of_model (model, solved.answer.x, &result->reasons, err);

end:
  ss_run_traces_end (&traces);
  fill_optimiser_set (&solved, result);
  ss_improved_clear (&improved);
  ss_best_point_clear (&best);
  ss_free (guess);
  ss_free (far);
  if (cache == &own)
    clear_cache (cache);
  else if (status != SS_OK) /* who prepared the job may still look at its model */
    clear_problem (cache);
  return status;
}

/* ---- integrators ------------------------------------------------------------------------------------------------- */

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

/* What happened in the motion, where the integrator did not say it; the message says what of it the list does not
 * have. */
static SsStatus
find_events (const SsScene *scene, bool is_given, SsRunResult *result, SsError *err)
{
  char note[128] = "";
  SsStatus status =
      result->events != NULL ? SS_OK : ss_events_find (scene, ss_run_motion (result), NULL, &result->events, err);

  if (status != SS_OK)
    return status;
  if (result->events->n_left_out > 0)
    snprintf (note, sizeof note, "the first %d of %d events are listed", result->events->n_items,
              result->events->n_items + result->events->n_left_out);
  else if (!is_given && scene->n_contacts > SS_CONTACTS_WITH_CHANNELS_MAX)
    snprintf (note, sizeof note, "events of contacts are not listed for more than %d contacts",
              SS_CONTACTS_WITH_CHANNELS_MAX);
  ss_run_append_text (result->message, sizeof result->message, note);
  return SS_OK;
}

/* The one place where a simulation's numbers become metrics: the judge's, so that a motion is worth the same whoever
 * made its steps; `own` has what only the driver knows. */
static SsStatus
fill_motion_set (const SsScene *scene, const SsSimMetrics *own, SsRunControl *control, SsRunResult *result,
                 SsError *err)
{
  if (own->steps >= 0) /* else they are not known */
    ss_metric_set (&result->metrics, SS_METRIC_STEPS, own->steps);
  ss_metric_set (&result->metrics, SS_METRIC_MAX_RESIDUAL, own->own_residual);
  memcpy (result->n_by_way, own->n_by_way, sizeof result->n_by_way);
  return ss_run_judge_motion (scene, control, result, err);
}

static void
fill_times (SsMetricSet *set, double setup, double solve, double cpu)
{
  ss_metric_set (set, SS_METRIC_SETUP_SECONDS, setup);
  ss_metric_set (set, SS_METRIC_SOLVE_SECONDS, solve);
  ss_metric_set (set, SS_METRIC_CPU_SECONDS, cpu);
  ss_metric_set (set, SS_METRIC_THREADS, 1);
}

static void
fill_replay_distance (const SsReplayDistance *distance, SsMetricSet *set)
{
  ss_metric_set (set, SS_METRIC_REPLAY_DISTANCE, distance->largest);
  ss_metric_set (set, SS_METRIC_REPLAY_ANGLE, distance->largest_angle);
  ss_metric_set (set, SS_METRIC_REPLAY_FINAL, distance->at_end);
  ss_metric_set (set, SS_METRIC_REPLAY_FINAL_ANGLE, distance->at_end_angle);
}

/* How far the motion is from the plan; *is_replay: whether it could be compared. */
static SsStatus
compare_with_plan (const SsJob *job, SsRunResult *result, bool *is_replay, SsError *err)
{
  char distance[16], note[192];
  SsReplayDistance replay;
  SsStatus status = ss_replay_compare (job->scenario->scene, job->plan, ss_run_motion (result), &replay, NULL, err);

  *is_replay = false;

  if (status == SS_ERR_INVALID) { /* controls without a motion: a simulation like any other */
    ss_run_append_text (result->message, sizeof result->message, "the plan has no motion to compare with");
    return SS_OK;
  }
  if (status != SS_OK)
    return status;
  *is_replay = true;
  fill_replay_distance (&replay, &result->metrics);
  snprintf (note, sizeof note, "largest distance to the plan %s m (%s at t = %.9g s)",
            ss_run_format_short (replay.largest, distance), job->scenario->scene->bodies[replay.body].name, replay.t);
  ss_run_append_text (result->message, sizeof result->message, note);
  const SsScene *believed = job->believed != NULL ? job->believed->scene : NULL;
  if (believed != NULL && believed->n_contacts != job->scenario->scene->n_contacts)
    believed = NULL;
  status =
      ss_replay_find_first (job->scenario->scene, believed, job->plan, ss_run_motion (result), &result->first, err);
  result->has_first = status == SS_OK;
  return status;
}

/* How far the end is from what the task aims at, where its plan has targets. */
static void
measure_goal (const SsScenario *scenario, const SsTrajectory *motion, SsMetricSet *set)
{
  static const SsMetric metrics[SS_PLAN_COORDINATES] = {
      SS_METRIC_TRACKING_POSITION, SS_METRIC_TRACKING_POSITION, SS_METRIC_TRACKING_ANGLE,
      SS_METRIC_TRACKING_VELOCITY, SS_METRIC_TRACKING_VELOCITY, SS_METRIC_TRACKING_ANGULAR_VELOCITY};
  const SsPlan *plan = scenario->task.plan;
  char name[SS_CHANNEL_NAME_MAX];
  double total = 0;

  for (int i = 0; plan != NULL && i < plan->n_targets; i++)
    for (int c = 0; c < SS_PLAN_COORDINATES; c++) {
      const double value = plan->targets[i].value[c];
      snprintf (name, sizeof name, "%s.%s", scenario->scene->bodies[plan->targets[i].body].name, ss_body_channels[c]);
      const int channel = ss_trajectory_channel (motion, name);
      if (isnan (value) || channel < 0)
        continue;
      const double off = ss_trajectory_row (motion, motion->n_rows - 1)[channel] - value;
      const double before = set->is_set[metrics[c]] ? ss_metric_get (set, metrics[c]) : 0;
      ss_metric_set (set, metrics[c], hypot (before, off));
      total = hypot (total, off);
    }
  if (plan != NULL && plan->n_targets > 0)
    ss_metric_set (set, SS_METRIC_TRACKING_TOTAL, total);
}

static void
warn_about_clamping (const SsReplay *replay, SsRunControl *control)
{
  int actuator = ss_replay_clamped (replay);

  if (actuator >= 0)
    ss_run_control_log (control, SS_LOG_WARNING, "the plan's control %s leaves the bounds of its actuator and is cut",
                        ss_replay_scene (replay)->actuators[actuator].name);
}

/* The scenario's; of a replay those of the plan's transcription, where this is its integrator, else NaN, the plan's own
 * steps. */
static double
default_step (const SsJob *job)
{
  const char *integrator;
  double step;

  if (job->plan == NULL)
    return job->scenario->task.dt;
  return ss_run_find_replay (job->plan, &integrator, &step) && strcmp (integrator, job->method->name) == 0 ? step : NAN;
}

/* What the task of the scene's plan says of its replay, where the integrator tells its stages. */
static SsStatus
value_replay (const SsJob *job, SsRunResult *result, SsError *err)
{
  SsPlanValue value;

  if (job->scenario->task.plan == NULL || result->stages == NULL || result->outcome != SS_OUTCOME_COMPLETED)
    return SS_OK;
  SsStatus status = ss_plan_value (job->scenario, ss_run_motion (result), result->stages, &value, err);
  if (status != SS_OK)
    return status;
  ss_metric_set (&result->metrics, SS_METRIC_REPLAYED_OBJECTIVE, value.objective);
  ss_metric_set (&result->metrics, SS_METRIC_REPLAYED_END_DISTANCE,
                 ss_metric_get (&result->metrics, SS_METRIC_REPLAY_FINAL));
  ss_metric_set (&result->metrics, SS_METRIC_REPLAYED_PATH_VIOLATION, value.way);
  return SS_OK;
}

/* A feedback that was told to stop before the motion began. */
static SsStatus
end_before_it_began (SsRunControl *control, SsRunResult *result)
{
  SsOutcome why = SS_OUTCOME_CANCELLED;

  ss_run_control_should_stop (control, &why);
  result->outcome = why;
  snprintf (result->message, sizeof result->message, "%s while the feedback was made", ss_outcome_early_words (why));
  return SS_OK;
}

/* Whether the replay is of the plan's own world: only then can a step that differs be no step of the plan's law. */
static bool
is_plain_replay (const SsJob *job)
{
  return job->plan != NULL && job->believed == NULL && job->n_disturbances == 0 &&
         (job->feedback == NULL || job->feedback->kind == SS_CONTROLLER_NONE);
}

static void
describe_feedback (const SsFeedback *feedback, SsRunResult *result)
{
  char note[160];

  ss_feedback_account (feedback, &result->account);
  const SsFeedbackAccount *a = &result->account;
  if (result->controller == SS_CONTROLLER_LQR)
    snprintf (note, sizeof note, "held on the plan by LQR, at a bound in %d of %d steps", a->n_clipped, a->n_calls);
  else
    snprintf (note, sizeof note, "held on the plan by %d plans (%.3g s CPU), %d of which changed nothing", a->n_plans,
              a->cpu_seconds, a->n_kept);
  ss_run_append_text (result->message, sizeof result->message, note);
}

static SsStatus
run_integrator (const SsJob *job, SsRunControl *control, SsRunResult *result, SsError *err)
{
  const SsScenario *scenario = job->scenario;
  const bool steps_by_plan = job->plan != NULL && isnan (job->dt);
  double dt = isnan (job->dt) ? default_step (job) : job->dt;
  double t_end = isnan (job->t_end) ? scenario->task.t_end : job->t_end;
  SsReplay *replay = NULL;
  const double start = ss_clock_wall (), start_cpu = ss_clock_thread_cpu ();
  SsRunControl own;
  SsSimResult simulated = {0};
  SsStepHomotopy *homotopy = NULL;
  SsFeedback *feedback = NULL;
  SsStatus status = SS_OK;

  if ((!steps_by_plan || !isnan (dt)) && !(isfinite (dt) && dt > 0))
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
    for (int i = 0; i < job->n_disturbances; i++)
      ss_replay_disturb (replay, job->disturbances[i].body, job->disturbances[i].coordinate, job->disturbances[i].by);
    if (isnan (job->t_end))
      t_end = ss_replay_t_end (replay);
    if (job->feedback != NULL && job->feedback->kind != SS_CONTROLLER_NONE) {
      result->controller = job->feedback->kind;
      status = ss_feedback_new (job->believed != NULL ? job->believed : scenario, job->plan, job->feedback, control,
                                &feedback, err);
      if (status != SS_OK || feedback == NULL) {
        ss_replay_free (replay);
        return status != SS_OK ? status : end_before_it_began (control, result);
      }
      if (isnan (job->t_end))
        t_end += ss_feedback_settling (feedback);
      if (isnan (dt))
        dt = ss_feedback_step (feedback);
    }
  }
  const SsScene *scene = replay != NULL ? ss_replay_scene (replay) : scenario->scene;
  if (job->method->integrator->set_proposer != NULL)
    status = ss_step_homotopy_new (scenario, scene, control, &homotopy, err);
  if (status != SS_OK) {
    ss_feedback_free (feedback);
    ss_replay_free (replay);
    return status;
  }
  FirstFrame first = {control->progress, control->user_data, NAN, NAN};
  control->progress = note_first_frame;
  control->user_data = &first;
  status = ss_simulate_job (&(SsSimJob){.scene = scene,
                                        .proposer = homotopy != NULL ? ss_step_homotopy_proposer (homotopy) : NULL,
                                        .integrator = job->method->integrator,
                                        .options = job->options,
                                        .controls = replay != NULL ? ss_replay_controls (replay) : NULL,
                                        .controller = feedback != NULL ? ss_feedback_controller (feedback) : NULL,
                                        .dt = dt,
                                        .t_end = t_end},
                            control, &simulated, err);
  ss_replay_free (replay);
  control->progress = first.progress;
  control->user_data = first.user_data;
  char asked[160] = "";
  if (homotopy != NULL)
    ss_step_homotopy_account (homotopy, asked, sizeof asked);
  ss_step_homotopy_free (homotopy);
  if (feedback != NULL && status == SS_OK)
    describe_feedback (feedback, result);
  ss_feedback_free (feedback);
  if (status != SS_OK)
    return status;
  result->stages = simulated.stages;
  result->events = simulated.events;
  result->outcome = simulated.outcome;

  const double begun = isnan (first.first_wall) ? start : first.first_wall;
  fill_times (&result->metrics, begun - start, ss_clock_wall () - begun,
              ss_clock_thread_cpu () - (isnan (first.first_cpu) ? start_cpu : first.first_cpu));
  status = add_answer (result, &simulated.trajectory, err);
  if (status == SS_OK)
    status = ss_run_take_fan (scenario->scene, &simulated, result, err);
  ss_fan_branches_free (simulated.branches, simulated.n_branches);
  if (status == SS_OK && result->events == NULL)
    status = ss_events_find (scenario->scene, ss_run_motion (result), simulated.points, &result->events, err);
  ss_point_impulses_free (simulated.points);
  if (status == SS_OK)
    status = fill_motion_set (scenario->scene, &simulated.metrics, control, result, err);
  if (status != SS_OK)
    return status;

  /* Our own look at the answer: a motion that is not finite did not complete. */
  if (result->outcome == SS_OUTCOME_COMPLETED && !trajectory_is_finite (ss_run_motion (result))) {
    result->outcome = SS_OUTCOME_DIVERGED;
    snprintf (result->message, sizeof result->message, "the motion is not finite");
  }
  ss_run_append_text (result->message, sizeof result->message, simulated.message);
  ss_run_append_text (result->message, sizeof result->message, asked);
  if (result->message[0] == '\0') {
    char penetration[16];
    snprintf (result->message, sizeof result->message, "%d steps, deepest penetration %s m", simulated.metrics.steps,
              ss_run_format_short (ss_metric_get (&result->metrics, SS_METRIC_MAX_PENETRATION), penetration));
  }
  if (job->plan != NULL) {
    bool is_replay = false;
    status = compare_with_plan (job, result, &is_replay, err);
    if (status == SS_OK && is_replay && steps_by_plan && is_plain_replay (job) &&
        result->outcome == SS_OUTCOME_COMPLETED)
      status = ss_run_judge_replay (job, result, err);
    measure_goal (scenario, ss_run_motion (result), &result->metrics);
    if (status == SS_OK)
      status = value_replay (job, result, err);
    if (status != SS_OK)
      return status;
  }
  ss_run_refuse_nonsense (job, &simulated.metrics, control, result);
  return find_events (scenario->scene, job->method->integrator->gives_events, result, err);
}

/* In a world whose contacts have another friction. */
static SsStatus
run_in_world (const SsJob *job, SsRunControl *control, SsRunResult *result, SsError *err)
{
  SsScenario world = *job->scenario;
  SsScene scene = *world.scene;
  SsContact *contacts = ss_new_array (SsContact, scene.n_contacts + 1);
  SsJob own = *job;

  if (contacts == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  for (int i = 0; i < scene.n_contacts; i++) {
    contacts[i] = scene.contacts[i];
    contacts[i].mu *= job->friction;
  }
  scene.contacts = contacts;
  world.scene = &scene;
  own.scenario = &world;
  own.believed = job->believed != NULL ? job->believed : job->scenario;
  own.friction = 0;
  const SsStatus status = run_integrator (&own, control, result, err);
  ss_free (contacts);
  return status;
}

/* ---- the door ---------------------------------------------------------------------------------------------------- */

SsStatus
ss_run_check (const SsScenario *scenario, const SsMethod *method, SsError *err)
{
  SS_ASSERT (scenario != NULL && method != NULL);

  if (!method->is_built)
    return ss_error_set (err, SS_ERR_NOT_BUILT, "'%s' is %s", method->name, method->why_not);
  if (method->kind == SS_METHOD_OPTIMISER && scenario->model == NULL && scenario->task.plan == NULL)
    return ss_error_set (err, SS_ERR_INVALID,
                         "'%s' is an optimiser; the task of the scene '%s' does not say what shall be reached: give it "
                         "a target, a constraint or a cost",
                         method->name, scenario->name);
  if (method->kind == SS_METHOD_IMPACT_LAW && scenario->scene == NULL)
    return ss_error_set (err, SS_ERR_INVALID, "'%s' is an impact law; '%s' is a model in equations", method->name,
                         scenario->name);
  if (method->kind == SS_METHOD_INTEGRATOR && scenario->scene == NULL)
    return ss_error_set (err, SS_ERR_INVALID, "'%s' is an integrator; '%s' is a model in equations: optimise it",
                         method->name, scenario->name);
  if (method->kind != SS_METHOD_IMPACT_LAW && scenario->scene != NULL)
    return ss_scene_check_inertia (scenario->scene, err);
  return SS_OK;
}

SsStatus
ss_run_model (const SsScenario *scenario, const SsTranscribeOptions *options, const SsScenario **model,
              SsScenario **transcribed, SsError *err)
{
  SS_ASSERT (scenario != NULL && model != NULL && transcribed != NULL);

  SsStatus status = SS_OK;

  *transcribed = NULL;
  if (scenario->model == NULL)
    status = ss_transcribe (scenario, options, transcribed, err);
  *model = *transcribed != NULL ? *transcribed : scenario;
  return status;
}

SsStatus
ss_run_prepare (const SsJob *job, const SsScenario **model, SsError *err)
{
  SS_ASSERT (job->cache != NULL);
  return prepare_model (job->cache, job, model, err);
}

/* How long the run may take by the limit that ended it [s]: wall time, or CPU time, of which a race has a limit of its
 * own. */
static double
seconds_given (const SsJob *job, const SsRunControl *control, double started, SsOutcome outcome)
{
  const double wall = control != NULL ? control->deadline - started : INFINITY,
               cpu = control != NULL ? control->cpu_limit : INFINITY,
               budget = ss_method_option (job->method, job->options, "budget", 0);

  return outcome == SS_OUTCOME_CPU_LIMIT ? fmin (cpu, budget > 0 ? budget : INFINITY) : wall;
}

/* A run that has parts is looked at as a whole before them. */
static SsStatus
run_any_optimiser (const SsJob *job, SsRunControl *control, SsRunResult *result, SsError *err)
{
  const bool races = ss_run_races (job),
             is_lazy = job->scenario->model == NULL && job->transcription.contacts == SS_PLAN_CONTACTS_LAZY;
  SsJob part = *job;
  SsStatus status = SS_OK;

  if (!races && !is_lazy)
    return run_optimiser (job, control, result, err);
  part.is_part = true;
  if (!job->is_part)
    status = look_at_whole (job, control, result, err);
  if (status != SS_OK || result->outcome == SS_OUTCOME_UNBOUNDED)
    return status;
  return races ? ss_run_race (&part, control, result, err) : ss_run_lazily (&part, NULL, control, NULL, result, err);
}

SsStatus
ss_run (const SsJob *job, SsRunControl *control, SsRunResult *result, SsError *err)
{
  SS_ASSERT (job != NULL && result != NULL);
  SS_ASSERT (job->method != NULL && (job->scenario != NULL || job->impact != NULL));

  SsStatus status = SS_OK;
  const double started = ss_clock_wall (), work = ss_work_thread ();

  ss_run_result_init (result);
  if (job->scenario != NULL)
    status = ss_run_check (job->scenario, job->method, err);
  if (status != SS_OK)
    return status;

  switch (job->method->kind) {
  case SS_METHOD_INTEGRATOR:
    status = job->friction > 0 ? run_in_world (job, control, result, err) : run_integrator (job, control, result, err);
    break;
  case SS_METHOD_OPTIMISER:
    if (job->scenario->scene != NULL && !job->is_part)
      ss_run_warn_of_ignored (
          job->scenario->scene,
          (job->transcription.class_ != NULL ? job->transcription.class_ : ss_transcription_at (0))->name,
          ss_method_uses (job->method, job->transcription.class_, job->options), control);
    status = run_any_optimiser (job, control, result, err);
    if (status == SS_OK && ss_outcome_is_success (result->outcome))
      ss_violations_truncate (&result->violations, SS_VIOLATIONS_KEPT_OF_SUCCESS);
    if (status == SS_OK)
      status = ss_run_find_reasons (job->scenario, seconds_given (job, control, started, result->outcome), result, err);
    break;
  case SS_METHOD_IMPACT_LAW:
    status = ss_run_impact (job, control, result, err);
    break;
  case SS_METHOD_KIND_COUNT:
    status = ss_error_set (err, SS_ERR_INTERNAL, "a method of no kind");
    break;
  }
  if (status == SS_OK && !result->metrics.is_set[SS_METRIC_WORK]) /* a race has threads of its own */
    ss_metric_set (&result->metrics, SS_METRIC_WORK, (ss_work_thread () - work) / SS_WORK_SECOND);
  if (status != SS_OK)
    ss_run_result_clear (result);
  return status;
}

SsStatus
ss_run_result_from_motion (const SsScene *scene, SsOutcome outcome, SsSimResult *simulated, SsRunResult *result,
                           SsError *err)
{
  SS_ASSERT (scene != NULL && simulated != NULL && simulated->trajectory != NULL && simulated->trajectory->n_rows > 0);
  const SsSimMetrics own = {.steps = simulated->metrics.steps,
                            .own_residual = ss_run_largest (simulated->trajectory, SS_QUANTITY_RESIDUAL)};
  SsStatus status;

  ss_run_result_init (result);
  result->outcome = outcome;
  result->stages = simulated->stages;
  result->events = simulated->events;
  simulated->stages = NULL;
  simulated->events = NULL;
  fill_times (&result->metrics, NAN, NAN, NAN);
  status = add_answer (result, &simulated->trajectory, err);
  if (status == SS_OK)
    status = fill_motion_set (scene, &own, NULL, result, err);
  if (status != SS_OK)
    ss_run_result_clear (result);
  return status;
}

/* What is known of a simulation that was left behind: its rows so far. */
static SsStatus
keep_frames (const SsJob *job, int steps, SsTrajectory **frames, SsRunResult *result, SsError *err)
{
  const SsIntegratorClass *integrator = job->method->integrator;
  const bool has_rows = frames != NULL && *frames != NULL, has_rows_within = integrator->gives_stages;
  const SsSimMetrics own = {.steps = has_rows_within ? -1 : steps, /* which are counted in rows */
                            .own_residual = has_rows ? ss_run_largest (*frames, SS_QUANTITY_RESIDUAL) : NAN};
  bool is_replay;
  SsStatus status = SS_OK;

  fill_times (&result->metrics, 0, 0, 0);
  result->lacks_stages = integrator->gives_stages;
  if (has_rows)
    status = add_answer (result, frames, err);
  if (status == SS_OK)
    status = fill_motion_set (job->scenario->scene, &own, NULL, result, err);
  if (!has_rows)
    return status;
  /* Else they went with the step that did not come back. */
  if (status == SS_OK && !integrator->gives_events)
    status = find_events (job->scenario->scene, false, result, err);
  if (status == SS_OK && job->plan != NULL)
    status = compare_with_plan (job, result, &is_replay, err);
  return status;
}

SsStatus
ss_run_result_from_iterate (const SsJob *job, SsOutcome outcome, int iteration, const double *x, int n_x,
                            SsTrajectory **frames, SsRunResult *result, SsError *err)
{
  SS_ASSERT (job != NULL && result != NULL);
  SS_ASSERT (job->scenario != NULL && job->method != NULL);

  const SsScenario *model = NULL;
  SsScenario *plan = NULL;
  SsStatus status = SS_OK;

  ss_run_result_init (result);
  end_early (result, outcome, "inside an iteration; this is the last iterate that was published");
  if (job->method->kind == SS_METHOD_INTEGRATOR) {
    status = keep_frames (job, iteration, frames, result, err);
  } else {
    Solved solved = nothing_solved ();
    if (x != NULL)
      status = ss_run_model (job->scenario, &job->transcription, &model, &plan, err);
    if (x != NULL && status == SS_OK && n_x == model->model->n_points * model->model->n_variables)
      status = judge_point (job->scenario, model, x, &solved.metrics, result, err);
    else if (status == SS_OK)
      end_early (result, outcome, "before the first iterate");
    if (status == SS_OK && job->scenario->model == NULL && ss_run_motion (result) != NULL)
      status = ss_run_judge_plan (job, NULL, result, err);
    else if (status == SS_OK && ss_run_motion (result) != NULL)
      status = ss_reasons_of_model (model, x, &result->reasons, err);
    solved.answer.iterations = iteration;
    if (ss_method_option (job->method, job->options, "certificate", 0) != 0)
      snprintf (solved.answer.certificate.text, sizeof solved.answer.certificate.text,
                "not computed: the run was ended inside an iteration");
    fill_optimiser_set (&solved, result);
    if (status == SS_OK)
      status = ss_run_find_reasons (job->scenario, INFINITY, result, err);
    ss_scenario_free (plan);
  }
  if (status != SS_OK)
    ss_run_result_clear (result);
  return status;
}
