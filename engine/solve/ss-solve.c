/* engine/solve/ss-solve.c: see the header. */
#include "solve/ss-solve-private.h"

#include "core/ss-memory.h"
#include "core/ss-work.h"
#include "mpcc/ss-problem.h"
#include "nlp/ss-auto.h"
#include "nlp/ss-scale.h"
#include "nlp/ss-stationarity.h"
#include "solve/ss-run-judge.h"
#include "solve/ss-run-unbounded.h"
#include "transcribe/ss-transcriptions.h"
#include "transcribe/ss-fesd-j.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

SsStatus
ss_solve_check (const SsScenario *scenario, const char *name, SsError *err)
{
  SS_ASSERT (scenario != NULL && name != NULL);

  if (scenario->model == NULL && scenario->task.plan == NULL)
    return ss_error_set (err, SS_ERR_INVALID,
                         "'%s' is an optimiser; the task of the scene '%s' does not say what shall be reached: give "
                         "the task a target, a constraint or a cost",
                         name, scenario->name);
  return scenario->scene != NULL ? ss_scene_check_inertia (scenario->scene, err) : SS_OK;
}

SsStatus
ss_solve_model (const SsScenario *scenario, const SsTranscribeOptions *options, const SsScenario **model,
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
ss_solve_prepare (const SsSolveJob *job, const SsScenario **model, SsError *err)
{
  SS_ASSERT (job->cache != NULL);
  return ss_solve_cache_model (job->cache, job, model, err);
}

/* ---- what an answer is worth
 * --------------------------------------------------------------------------------------- */

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
  char violation[16], limit[16], judged[sizeof result->message];
  char *text = result->message;
  const size_t size = sizeof result->message;

  ss_run_format_short (m->max_violation, violation);
  ss_run_format_short (SS_RUN_FEASIBLE, limit);
  if (!m->is_finite)
    snprintf (judged, size, "%s is not finite", isfinite (m->max_violation) ? "the objective" : m->worst);
  else if (m->max_violation < SS_RUN_FEASIBLE)
    snprintf (judged, size, "max violation %s below %s", violation, limit);
  else
    snprintf (judged, size, "max violation %s above %s, worst row %s", violation, limit, m->worst);
  text[0] = '\0';
  if (claimed == SS_OUTCOME_FAILED) /* why it failed comes first: the point may be no more than the start */
    ss_run_append_text (text, size, account);
  ss_run_append_text (text, size, judged);
  if (claimed == SS_OUTCOME_SOLVED && result->outcome != SS_OUTCOME_SOLVED)
    ss_run_append_text (text, size, "the method claims success");
  if (claimed != SS_OUTCOME_FAILED)
    ss_run_append_text (text, size, account);
}

void
ss_solve_decide (SsOutcome claimed, const SsMetrics *metrics, const char *account, SsRunResult *result)
{
  SS_ASSERT (result != NULL);
  result->outcome = decide_outcome (claimed, metrics);
  describe_metrics (result, metrics, claimed, account);
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
            "; the answer does not approach the task: its tracking error is %s, that of the starting point %s",
            ss_run_format_short (m->tracking_error, now), ss_run_format_short (before.tracking_error, then));
}

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
  if (!set->is_set[SS_METRIC_B_BIACTIVE]) /* look_at_kind counts those that small products leave near zero, too */
    ss_metric_set (set, SS_METRIC_B_BIACTIVE, finish->n_biactive);
}

/* The one place where an optimiser's numbers become metrics. */
static void
fill_optimiser_set (const SsSolve *solve, SsRunResult *result)
{
  SsMetricSet *set = &result->metrics;
  const SsNlpResult *answer = &solve->answer;

  ss_metrics_fill_set (&solve->metrics, set);
  memcpy (result->worst, solve->metrics.worst, sizeof result->worst);
  ss_metric_set (set, SS_METRIC_N_PAIRS, solve->n_pairs);
  ss_metric_set (set, SS_METRIC_ITERATIONS, answer->iterations);
  ss_metric_set (set, SS_METRIC_SUBPROBLEMS, answer->subproblems);
  ss_metric_set (set, SS_METRIC_INNER_ITERATIONS, answer->inner_iterations);
  ss_metric_set (set, SS_METRIC_STATIONARITY, answer->stationarity);
  ss_metric_set (set, SS_METRIC_SETUP_SECONDS, solve->setup_seconds);
  ss_metric_set (set, SS_METRIC_SOLVE_SECONDS, answer->solve_seconds);
  ss_metric_set (set, SS_METRIC_CPU_SECONDS, answer->cpu_seconds);
  ss_metric_set (set, SS_METRIC_QP_SECONDS, answer->qp_seconds);
  ss_metric_set (set, SS_METRIC_LINEAR_SECONDS, answer->linear_seconds);
  ss_metric_set (set, SS_METRIC_DERIVATIVE_SECONDS, answer->derivative_seconds);
  ss_metric_set (set, SS_METRIC_VALUE_SECONDS, answer->value_seconds);
  ss_metric_set (set, SS_METRIC_THREADS, 1);
  ss_metric_set (set, SS_METRIC_SETUP_REUSED, solve->is_setup_reused);
  result->certificate = answer->certificate;
  if (answer->n_members > 0 && (result->members = ss_new_array (SsMember, answer->n_members)) != NULL) {
    memcpy (result->members, answer->members, (size_t)answer->n_members * sizeof *answer->members);
    result->n_members = answer->n_members;
    ss_scale_undo_members (solve->scale, result->members, result->n_members);
  }
  fill_finish (&answer->finish, solve->metrics.max_violation, set);
}

SsStatus
ss_solve_judge_point (const SsScenario *scenario, const SsScenario *model, const double *x, SsMetrics *metrics,
                      SsRunResult *result, SsError *err)
{
  SS_ASSERT (result != NULL);

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
    return ss_run_add_answer (result, &trajectory, err);
  ss_trajectory_free (trajectory);
  return status;
}

static SsStatus
judge_answer (SsSolve *solve, SsRunResult *result, SsError *err)
{
  const SsStatus status =
      ss_solve_judge_point (solve->job->scenario, solve->model, solve->answer.x, &solve->metrics, result, err);
  if (status != SS_OK)
    return status;
  ss_solve_decide (solve->answer.outcome, &solve->metrics, solve->answer.message, result);
  if (!solve->job->takes_start)
    warn_of_missed_task (solve->model, solve->guess, &solve->metrics, result);
  return SS_OK;
}

/* A solve of which no point is known. */
static SsSolve
nothing_solved (const SsSolveJob *job)
{
  SsSolve solve = {.job = job, .answer.stationarity = NAN, .best.iteration = -1, .scale = 1};

  solve.metrics.objective = solve.metrics.max_violation = solve.metrics.complementarity = NAN;
  solve.metrics.tracking_error = NAN;
  for (int i = 0; i < SS_TRACK_COUNT; i++)
    solve.metrics.tracking[i] = NAN;
  return solve;
}

/* ---- where it starts --------------------------------------------------------------------------------------------- */

SsStatus
ss_solve_follow_motion (const SsScenario *scenario, const SsTrajectory *start, double *x, SsError *err)
{
  SS_ASSERT (scenario != NULL && scenario->n_parameters >= 0 && start != NULL && start->n_rows >= 0);

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
    status = ss_error_set (err, SS_ERR_INVALID, "no channel of the trajectory to start from is a variable of '%s'",
                           scenario->name);
  ss_free (row);
  return status;
}

bool
ss_solve_keeps_modes (const SsSolveJob *job)
{
  SS_ASSERT (job != NULL);

  const SsFesdOptions *options = ss_transcription_fesd_options (&job->transcription);

  return options != NULL && options->modes != SS_FESD_MODES_FREE;
}

/* Starting point of a job for the model it is solved as. */
static SsStatus
make_start (const SsSolveJob *job, const SsSolveCache *cache, const SsScenario *model, int n_variables, double *x,
            SsError *err)
{
  if (job->x0 != NULL) {
    memcpy (x, job->x0, sizeof (double) * (size_t)n_variables);
    return SS_OK;
  }
  if (job->start == NULL)
    return ss_problem_guess (model, x, err);
  if (job->scenario->model != NULL)
    return ss_solve_follow_motion (model, job->start, x, err);
  return ss_transcript_guess (cache->transcript, job->scenario, job->start, x, err);
}

/* ---- the method -------------------------------------------------------------------------------------------------- */

/* The starting point as the answer of a method that was not asked: as it is, or its modes are polished. */
static SsStatus
take_start (const SsSolveJob *job, const double *guess, SsNlpResult *answer, SsError *err)
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

/* Who hears of a method's answers while it goes on (SsProgress.solved): they are judged first, as the run's own. */
typedef struct {
  const SsSolve *solve;
  SsRunControl *control;
  SsProgressFunc progress;
  void *user_data;
} Judged;

enum { MOST_TOLD = 32 }; /* columns, and members of a race */

/* What is told of the objective, in its own unit. */
static void
tell_unscaled (const Judged *judged, const SsProgress *progress)
{
  SsColumn columns[MOST_TOLD];
  SsMember members[MOST_TOLD];
  SsProgress told = *progress;

  if (judged->solve->scale != 1 && told.kind == SS_PROGRESS_ITERATION && told.n_columns <= MOST_TOLD) {
    memcpy (columns, told.columns, (size_t)told.n_columns * sizeof *columns);
    ss_scale_undo_columns (judged->solve->scale, columns, told.n_columns);
    told.columns = columns;
  } else if (judged->solve->scale != 1 && told.kind == SS_PROGRESS_MEMBERS && told.n_members <= MOST_TOLD) {
    memcpy (members, told.members, (size_t)told.n_members * sizeof *members);
    ss_scale_undo_members (judged->solve->scale, members, told.n_members);
    told.members = members;
  }
  judged->progress (judged->user_data, &told);
}

static void
hear_answer (void *user_data, const SsProgress *progress)
{
  const Judged *judged = user_data;
  SsProgress told = *progress;
  SsRunResult result;

  if (progress->kind != SS_PROGRESS_ANSWER || progress->solved == NULL) {
    tell_unscaled (judged, progress);
    return;
  }
  SsSolve solve = *judged->solve;
  solve.answer = *progress->solved;
  ss_scale_undo (solve.cache->mpcc, solve.scale, &solve.answer, solve.multipliers);
  ss_run_result_init (&result);
  if (judge_answer (&solve, &result, NULL) == SS_OK && ss_outcome_is_success (result.outcome)) {
    fill_optimiser_set (&solve, &result);
    told.answer = &result;
    told.solved = NULL;
    judged->progress (judged->user_data, &told);
  }
  ss_run_result_clear (&result);
}

/* Of models alone: a plan's answer would have to be replayed too. */
static void
listen_to_answers (const SsSolve *solve, SsRunControl *control, Judged *judged)
{
  *judged = (Judged){solve, control, control->progress, control->user_data};
  if (control->progress == NULL || solve->job->is_part || solve->job->scenario->model == NULL)
    return;
  control->progress = hear_answer;
  control->user_data = judged;
}

static void
end_listening (Judged *judged)
{
  judged->control->progress = judged->progress;
  judged->control->user_data = judged->user_data;
}

/* Whether the method goes on from what it knew where it was paused, which is of its problem's structure. Tells where
 * not, since the motion alone is less. */
static bool
take_state (SsSolve *solve, SsRunControl *control)
{
  const SsSolveJob *job = solve->job;
  const SsNlpState *state = job->state;
  const SsMpcc *mpcc = solve->cache->mpcc;

  if (state == NULL || job->is_part)
    return false;
  if (state->n_variables != ss_mpcc_n_variables (mpcc) || state->n_rows != ss_mpcc_n_rows (mpcc)) {
    ss_run_control_log (control, SS_LOG_INFO,
                        "the problem has another structure than the paused one (%d variables and %d rows, not %d and "
                        "%d): going on from the motion alone",
                        ss_mpcc_n_variables (mpcc), ss_mpcc_n_rows (mpcc), state->n_variables, state->n_rows);
    return false;
  }
  if (strcmp (state->method, job->nlp->name) != 0 || job->nlp->go_on == NULL ||
      !job->nlp->go_on (solve->cache->solver, state)) {
    ss_run_control_log (control, SS_LOG_INFO, "what %s knew is not what %s needs here: going on from the motion alone",
                        state->method, job->nlp->name);
    return false;
  }
  return true;
}

/* After a solve that was paused. */
static SsStatus
keep_state (SsSolve *solve, SsError *err)
{
  const SsSolveJob *job = solve->job;
  SsNlpState *state = &solve->state;

  if (job->nlp->keep == NULL || job->is_part || solve->answer.outcome != SS_OUTCOME_PAUSED)
    return SS_OK;
  ss_nlp_state_clear (state);
  snprintf (state->method, sizeof state->method, "%s", job->nlp->name);
  state->n_variables = ss_mpcc_n_variables (solve->cache->mpcc);
  state->n_rows = ss_mpcc_n_rows (solve->cache->mpcc);
  state->scale = solve->scale;
  return job->nlp->keep (solve->cache->solver, state, err);
}

/* The method on the problem with its objective scaled, if it is a model's of uncommon size. */
static SsStatus
solve_scaled (SsSolve *solve, const double *x0, SsRunControl *control, SsError *err)
{
  const SsSolveJob *job = solve->job;
  SsMpcc *mpcc = solve->cache->mpcc;
  SsStatus status = SS_OK;

  if (take_state (solve, control))
    solve->scale = job->state->scale;
  else if (job->scenario->model != NULL && !job->is_part &&
           (job->nlp->takes_objective == NULL || !job->nlp->takes_objective (job->options)))
    status = ss_scale_choose (mpcc, x0, &solve->scale, err);
  if (status == SS_OK) {
    ss_mpcc_set_objective_scale (mpcc, solve->scale);
    if (job->nlp->see_model != NULL && job->scenario->model != NULL && !job->is_part)
      job->nlp->see_model (solve->cache->solver, solve->model);
    status = job->nlp->solve (solve->cache->solver, x0, control, &solve->answer, err);
    if (status == SS_OK)
      status = keep_state (solve, err);
    ss_mpcc_set_objective_scale (mpcc, 1);
  }
  if (status == SS_OK)
    ss_scale_undo (mpcc, solve->scale, &solve->answer, solve->multipliers);
  return status;
}

/* The method's answer, unless it ended without success and has been at a feasible point that is better: that one, found
 * to be so by our metrics, is the answer then. */
static SsStatus
solve_kept (SsSolve *solve, SsRunControl *control, SsError *err)
{
  const SsScenario *model = solve->model;
  const double *guess = solve->guess;
  SsBestPoint *best = &solve->best;
  const int n = model->model->n_points * model->model->n_variables;
  SsMetrics metrics, own, before;
  SsRunControl silent;
  Judged judged;

  if (control == NULL) {
    ss_run_control_init (&silent);
    control = &silent;
  }
  listen_to_answers (solve, control, &judged);
  SsStatus status = ss_best_point_begin (best, n, SS_RUN_FEASIBLE, control, err);
  if (status == SS_OK)
    status = solve_scaled (solve, guess, control, err);
  ss_best_point_end (best);
  end_listening (&judged);
  if (status != SS_OK || solve->answer.outcome == SS_OUTCOME_SOLVED || solve->answer.outcome == SS_OUTCOME_PAUSED ||
      best->iteration < 0)
    return status;
  status = ss_metrics_compute (model, best->x, &metrics, err);
  if (status == SS_OK)
    status = ss_metrics_compute (model, solve->answer.x, &own, err);
  if (status == SS_OK)
    status = ss_metrics_compute (model, guess, &before, err);
  if (status != SS_OK)
    return status;
  const bool is_nearer =
                 metrics.success_paper || !(metrics.tracking_error >= SS_RUN_APPROACHED * before.tracking_error),
             is_worse = !own.is_finite || own.max_violation >= SS_RUN_FEASIBLE || own.objective > metrics.objective;
  if (metrics.is_finite && metrics.max_violation < SS_RUN_FEASIBLE && is_nearer && is_worse) {
    char text[sizeof solve->answer.message];

    snprintf (text, sizeof text, "%.180s; its best feasible point, of iteration %d", solve->answer.message,
              best->iteration);
    memcpy (solve->answer.message, text, sizeof text);
    solve->answer.x = best->x;
  }
  return SS_OK;
}

static bool
breaks_rows (const SsSolve *solve)
{
  SsMetrics metrics;

  return solve->answer.x != NULL && ss_metrics_compute (solve->model, solve->answer.x, &metrics, NULL) == SS_OK &&
         !(metrics.max_violation < SS_RUN_FEASIBLE);
}

/* The method itself, or what stands in its place. An objective that falls without bound needs no method: that is looked
 * for before, and once more from an answer that is not proved. Nor is a method believed that no point is feasible;
 * `auto` goes on from one that is found. */
static SsStatus
find_answer (SsSolve *solve, SsRunControl *control, SsError *err)
{
  const SsSolveJob *job = solve->job;
  const SsScenario *model = solve->model;
  const double *guess = solve->guess;
  double *far = solve->far;
  SsMpcc *mpcc = solve->cache->mpcc;
  SsNlpResult *answer = &solve->answer;
  const bool looks = !job->is_part && !ss_solve_keeps_modes (job) && !job->takes_start;
  bool is_unbounded = false, is_found = false, is_conflict = false;
  SsStatus status = SS_OK;

  if (looks)
    status = ss_run_look_unbounded (model, mpcc, guess, control, far, answer, &is_unbounded, err);
  if (status != SS_OK || is_unbounded)
    return status;
  if (ss_solve_keeps_modes (job) || job->takes_start)
    return take_start (job, guess, answer, err);
  status = solve_kept (solve, control, err);
  if (status == SS_OK && looks)
    status = ss_run_doubt_infeasible (mpcc, guess, control, far, answer, &is_found, err);
  if (status == SS_OK && looks && !is_found && job->scenario->model != NULL && breaks_rows (solve))
    status = ss_run_name_conflict (mpcc, guess, control, far, answer, &is_found, &is_conflict, err);
  if (status == SS_OK && is_found && job->nlp == &ss_nlp_auto)
    status = solve_scaled (solve, far, control, err);
  if (status == SS_OK && is_found && answer->outcome == SS_OUTCOME_INFEASIBLE)
    answer->outcome = SS_OUTCOME_STALLED;
  if (status == SS_OK && looks && !is_conflict && !answer->finish.is_b_stationary)
    status = ss_run_look_unbounded (model, mpcc, answer->x, control, far, answer, &is_unbounded, err);
  return status;
}

/* ---- step by step ------------------------------------------------------------------------------------------------ */

static SsStatus
allocate (SsSolve *solve, SsError *err)
{
  const int n = ss_mpcc_n_variables (solve->cache->mpcc);

  solve->guess = ss_new_array (double, n + 1);
  solve->far = ss_new_array (double, n + 1);
  solve->multipliers = ss_new_array (double, ss_mpcc_n_rows (solve->cache->mpcc) + 1);
  return solve->guess != NULL && solve->far != NULL && solve->multipliers != NULL
             ? SS_OK
             : ss_error_set (err, SS_ERR_MEMORY, "out of memory");
}

SsStatus
ss_solve_begin (SsSolve *solve, const SsSolveJob *job, SsRunControl *control, SsRunResult *result, bool *is_over,
                SsError *err)
{
  SS_ASSERT (job != NULL && job->scenario != NULL && job->nlp != NULL && result != NULL);
  char left_out[512];

  ss_run_result_init (result);
  *solve = nothing_solved (job);
  solve->started = ss_clock_wall ();
  solve->work = ss_work_thread ();
  *is_over = false;
  SsStatus status = ss_solve_check (job->scenario, job->nlp->name, err);
  if (status != SS_OK)
    return status;
  *is_over = ss_run_control_should_stop (control, &result->outcome);
  if (*is_over) {
    ss_run_end_early (result, result->outcome, "before the problem was built");
    return SS_OK;
  }
  solve->cache = job->cache != NULL ? job->cache : ss_solve_cache_new ();
  if (solve->cache == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  status = ss_solve_cache_model (solve->cache, job, &solve->model, err);
  if (status == SS_OK)
    status = ss_solve_cache_solver (solve->cache, job, solve->model, &solve->is_setup_reused, err);
  if (status == SS_OK) {
    solve->n_pairs = ss_mpcc_n_pairs (solve->cache->mpcc);
    status = allocate (solve, err);
  }
  if (status == SS_OK)
    status = make_start (job, solve->cache, solve->model, ss_mpcc_n_variables (solve->cache->mpcc), solve->guess, err);
  if (status != SS_OK)
    return status;
  solve->setup_seconds = ss_clock_wall () - solve->started;
  if (control != NULL && ss_transcribe_left_out (job->scenario, &job->transcription, left_out, sizeof left_out))
    ss_run_control_log (control, SS_LOG_WARNING, "%s", left_out);
  return SS_OK;
}

/* In which sense a model's answer is stationary, whatever the method, of the objective as the method saw it. */
static SsStatus
look_at_kind (SsSolve *solve, SsRunControl *control, SsRunResult *result, SsError *err)
{
  SsMpcc *mpcc = solve->cache->mpcc;
  SsMetricSet *set = &result->metrics;
  SsStationarity kind;
  char words[200];

  ss_mpcc_set_objective_scale (mpcc, solve->scale);
  SsStatus status = ss_stationarity_look (mpcc, solve->answer.x, control, &kind, err);
  ss_mpcc_set_objective_scale (mpcc, 1);
  if (status != SS_OK)
    return status;
  solve->answer.cpu_seconds += kind.cpu_seconds;
  ss_stationarity_describe (&kind, words, sizeof words);
  ss_run_append_text (result->message, sizeof result->message, words);
  ss_metric_set (set, SS_METRIC_B_BIACTIVE, kind.n_biactive);
  if (kind.kind != SS_STATIONARY_NOT_CHECKED) {
    ss_metric_set (set, SS_METRIC_STRONGLY_STATIONARY, kind.kind >= SS_STATIONARY_STRONGLY);
    if (kind.is_complete || kind.kind >= SS_STATIONARY_M)
      ss_metric_set (set, SS_METRIC_M_STATIONARY, kind.kind >= SS_STATIONARY_M);
    if (kind.is_complete || kind.kind >= SS_STATIONARY_C)
      ss_metric_set (set, SS_METRIC_C_STATIONARY, kind.kind >= SS_STATIONARY_C);
  }
  if (kind.curvature != SS_CURVATURE_NOT_CHECKED)
    ss_metric_set (set, SS_METRIC_SECOND_ORDER, kind.curvature == SS_CURVATURE_HOLDS);
  return SS_OK;
}

SsStatus
ss_solve_answer (SsSolve *solve, SsRunControl *control, SsRunResult *result, SsError *err)
{
  SsStatus status = find_answer (solve, control, err);

  if (status == SS_OK)
    status = judge_answer (solve, result, err);
  if (status == SS_OK) {
    result->state = solve->state;
    solve->state = (SsNlpState){0};
  }
  if (status == SS_OK && result->outcome == SS_OUTCOME_SOLVED && solve->job->scenario->model != NULL &&
      !solve->job->is_part)
    status = look_at_kind (solve, control, result, err);
  return status;
}

SsStatus
ss_solve_judge (SsSolve *solve, SsRunControl *control, SsRunResult *result, SsError *err)
{
  SS_ASSERT (solve != NULL);

  const SsSolveJob *job = solve->job;

  if (job->scenario->model != NULL)
    return ss_outcome_is_success (result->outcome)
               ? SS_OK
               : ss_reasons_of_model (solve->model, solve->answer.x, &result->reasons, err);
  SsStatus status = ss_run_judge_plan (job->scenario, &job->transcription, control, result, err);
  if (status == SS_OK && job->keeps_feasible)
    status = ss_run_judge_ended (job->scenario, &job->transcription, solve->metrics.max_violation, result, err);
  return status;
}

/* How long the run may take by the limit that ended it [s]: wall time, or CPU time, of which a race has a limit of its
 * own. */
static double
seconds_given (const SsSolveJob *job, const SsRunControl *control, double started, SsOutcome outcome)
{
  const double wall = control != NULL ? control->deadline - started : INFINITY,
               cpu = control != NULL ? control->cpu_limit : INFINITY,
               budget = ss_options_value (job->nlp->options, job->options, "budget", 0);

  return outcome == SS_OUTCOME_CPU_LIMIT ? fmin (cpu, budget > 0 ? budget : INFINITY) : wall;
}

SsStatus
ss_solve_close (const SsSolveJob *job, double started, double work, SsRunControl *control, SsRunResult *result,
                SsError *err)
{
  if (ss_outcome_is_success (result->outcome))
    ss_violations_truncate (&result->violations, SS_VIOLATIONS_KEPT_OF_SUCCESS);
  const SsStatus status =
      ss_run_find_reasons (job->scenario, seconds_given (job, control, started, result->outcome), result, err);
  if (status == SS_OK && !result->metrics.is_set[SS_METRIC_WORK]) /* a race has threads of its own */
    ss_metric_set (&result->metrics, SS_METRIC_WORK, (ss_work_thread () - work) / SS_WORK_SECOND);
  return status;
}

SsStatus
ss_solve_end (SsSolve *solve, SsStatus status, SsRunControl *control, SsRunResult *result, SsError *err)
{
  SS_ASSERT (solve != NULL);
  fill_optimiser_set (solve, result);
  ss_best_point_clear (&solve->best);
  ss_nlp_state_clear (&solve->state);
  ss_free (solve->guess);
  ss_free (solve->far);
  ss_free (solve->multipliers);
  if (solve->cache != NULL && solve->cache != solve->job->cache)
    ss_solve_cache_free (solve->cache);
  else if (solve->cache != NULL && status != SS_OK) /* who prepared the job may still look at its model */
    ss_solve_cache_clear_problem (solve->cache);
  if (status == SS_OK)
    status = ss_solve_close (solve->job, solve->started, solve->work, control, result, err);
  if (status != SS_OK)
    ss_run_result_clear (result);
  return status;
}

SsStatus
ss_solve (const SsSolveJob *job, SsRunControl *control, SsRunResult *result, SsError *err)
{
  SsSolve solve;
  bool is_over;
  SsStatus status = ss_solve_begin (&solve, job, control, result, &is_over, err);

  if (status == SS_OK && !is_over)
    status = ss_solve_answer (&solve, control, result, err);
  if (status == SS_OK && !is_over)
    status = ss_solve_judge (&solve, control, result, err);
  return ss_solve_end (&solve, status, control, result, err);
}

/* ---- other ways to a result -------------------------------------------------------------------------------------- */

SsStatus
ss_solve_look_at_whole (const SsSolveJob *job, SsRunControl *control, SsRunResult *result, SsError *err)
{
  SsSolveCache cache = {0};
  SsSolve solve = nothing_solved (job);
  bool is_unbounded = false;

  if (job->scenario->model != NULL || job->scenario->task.plan->n_costs == 0) /* what is left is a sum of squares */
    return SS_OK;
  solve.cache = &cache;
  SsStatus status = ss_solve_cache_model (&cache, job, &solve.model, err);
  if (status == SS_OK)
    status = ss_solve_cache_problem (&cache, job, solve.model, err);
  if (status == SS_OK)
    status = allocate (&solve, err);
  if (status == SS_OK)
    status = make_start (job, &cache, solve.model, ss_mpcc_n_variables (cache.mpcc), solve.guess, err);
  if (status == SS_OK)
    status = ss_run_look_unbounded (solve.model, cache.mpcc, solve.guess, control, solve.far, &solve.answer,
                                    &is_unbounded, err);
  if (status == SS_OK && is_unbounded) {
    solve.n_pairs = ss_mpcc_n_pairs (cache.mpcc);
    ss_run_result_clear (result);
    status = ss_solve_judge_point (job->scenario, solve.model, solve.answer.x, &solve.metrics, result, err);
    ss_solve_decide (solve.answer.outcome, &solve.metrics, solve.answer.message, result);
    if (status == SS_OK)
      status = ss_run_judge_plan (job->scenario, &job->transcription, control, result, err);
    fill_optimiser_set (&solve, result);
  }
  ss_solve_cache_clear (&cache);
  ss_free (solve.guess);
  ss_free (solve.far);
  ss_free (solve.multipliers);
  return status;
}

SsStatus
ss_solve_from_iterate (const SsSolveJob *job, SsOutcome outcome, int iteration, const double *x, int n_x,
                       SsRunResult *result, SsError *err)
{
  SS_ASSERT (job != NULL && job->scenario != NULL && job->nlp != NULL && result != NULL);

  const SsScenario *model = NULL;
  SsScenario *plan = NULL;
  SsSolve solve = nothing_solved (job);
  SsStatus status = SS_OK;

  ss_run_result_init (result);
  ss_run_end_early (result, outcome, "inside an iteration; this is the last iterate that was published");
  if (x != NULL)
    status = ss_solve_model (job->scenario, &job->transcription, &model, &plan, err);
  if (x != NULL && status == SS_OK && n_x == model->model->n_points * model->model->n_variables)
    status = ss_solve_judge_point (job->scenario, model, x, &solve.metrics, result, err);
  else if (status == SS_OK)
    ss_run_end_early (result, outcome, "before the first iterate");
  if (status == SS_OK && job->scenario->model == NULL && ss_run_motion (result) != NULL)
    status = ss_run_judge_plan (job->scenario, &job->transcription, NULL, result, err);
  else if (status == SS_OK && ss_run_motion (result) != NULL)
    status = ss_reasons_of_model (model, x, &result->reasons, err);
  solve.answer.iterations = iteration;
  if (ss_options_value (job->nlp->options, job->options, "certificate", 0) != 0)
    snprintf (solve.answer.certificate.text, sizeof solve.answer.certificate.text,
              "not computed: the run was ended inside an iteration");
  fill_optimiser_set (&solve, result);
  if (status == SS_OK)
    status = ss_run_find_reasons (job->scenario, INFINITY, result, err);
  ss_scenario_free (plan);
  if (status != SS_OK)
    ss_run_result_clear (result);
  return status;
}
