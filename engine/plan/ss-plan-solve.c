/* engine/plan/ss-plan-solve.c: see the header. */
#include "plan/ss-plan-solve.h"

#include "core/ss-memory.h"
#include "core/ss-relay.h"
#include "core/ss-work.h"
#include "solve/ss-run-judge.h"
#include "plan/ss-plan-leads.h"
#include "plan/ss-plan-starts.h"
#include "plan/ss-plan-traces.h"
#include "transcribe/ss-transcriptions.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A polished plan as the answer of `result`, which has none yet. */
static SsStatus
take_polished (const SsSolveJob *job, const SsPolished *polished, SsMetrics *metrics, SsRunResult *result, SsError *err)
{
  const SsStatus status = ss_solve_judge_point (job->scenario, polished->model, polished->x, metrics, result, err);
  char account[96] = "polished";

  if (polished->n_pieces > 1)
    snprintf (account, sizeof account, "polished in %d pieces, each from where the replay of those before is",
              polished->n_pieces);
  result->misses_task = false;
  ss_solve_decide (SS_OUTCOME_SOLVED, metrics, account, result);
  if (polished->n_pieces > 0)
    ss_run_append_text (result->message, sizeof result->message, polished->message);
  snprintf (result->start, sizeof result->start, "%s", polished->start);
  return status;
}

SsStatus
ss_plan_judge_polished (const SsSolveJob *job, const SsPolished *found, SsRunControl *control, SsRunResult *own,
                        SsError *err)
{
  SS_ASSERT (found != NULL && own != NULL);

  SsMetrics metrics;
  SsSilence silence;

  ss_run_result_init (own);
  ss_silence_init (&silence, control);
  SsStatus status = take_polished (job, found, &metrics, own, err);
  if (status == SS_OK)
    status = ss_run_judge_plan (job->scenario, &job->transcription, &silence.inner, own, err);
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

/* Whom polished plans are told to while others are tried. */
typedef struct {
  const SsSolveJob *job;
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
  status = ss_plan_judge_polished (telling->job, best, telling->control, &answer, err);
  if (status == SS_OK)
    ss_run_control_emit_answer (telling->control, &answer);
  ss_run_result_clear (&answer);
  return status;
}

/* Polished plans, and after them the exact motion. */
static int
n_solutions (const SsImproved *improved)
{
  return improved->n_solutions + improved->has_shot;
}

/* Polished plan i of what other starts gave: the best of them is the last one. */
static const SsPolished *
solution_at (const SsImproved *improved, int i)
{
  return i < improved->n_solutions - 1 ? &improved->found[i] : &improved->best;
}

/* The answer among the solutions, each judged; -1: the method's own. Where its own may be the answer it is judged, too:
 * what is feasible, possible, replayed and cheapest wins. */
static SsStatus
choose_plan (const SsSolveJob *job, SsRunControl *control, const SsImproved *improved, const SsRunResult *judged,
             SsRunResult *result, int *chosen, SsError *err)
{
  SsPlanRank best = improved->own;
  char message[sizeof result->message];
  SsSilence silence;
  SsStatus status = SS_OK;

  if (best.grade > SS_PLAN_NOT_POSSIBLE && result->outcome == SS_OUTCOME_SOLVED && n_solutions (improved) > 0) {
    memcpy (message, result->message, sizeof message);
    ss_silence_init (&silence, control);
    status = ss_run_judge_plan (job->scenario, &job->transcription, &silence.inner, result, err);
    if (result->outcome == SS_OUTCOME_NOT_REPLAYABLE)
      best.grade = SS_PLAN_NOT_POSSIBLE;
    result->outcome = SS_OUTCOME_SOLVED; /* the run judges its answer, whichever it is */
    memcpy (result->message, message, sizeof message);
  }
  *chosen = -1;
  for (int i = n_solutions (improved) - 1; i >= 0; i--) {
    SsPlanRank rank = ss_plan_rank (&judged[i]);

    if (i < improved->n_solutions) /* one replay's word, which the starts went by, too */
      rank.cost = solution_at (improved, i)->replay.value.objective;

    if (!ss_plan_goes_before (&best, &rank) && (*chosen < 0 || ss_plan_goes_before (&rank, &best))) {
      best = rank;
      *chosen = i;
    }
  }
  return status;
}

/* An exact motion as the answer of `result`, which has none yet; takes it. */
static SsStatus
take_shot (SsRunResult *shot, SsMetrics *metrics, SsRunResult *result, SsError *err)
{
  SsTrajectory *motion = ss_run_take_motion (shot);
  const double violation = ss_metric_get (&shot->metrics, SS_METRIC_MAX_VIOLATION);

  shot->n_motions = 0; /* that was the only one */
  *metrics = (SsMetrics){.objective = ss_metric_get (&shot->metrics, SS_METRIC_OBJECTIVE),
                         .max_violation = violation,
                         .violation_equality = violation,
                         .tracking_error = violation,
                         .success_paper = true,
                         .is_finite = true};
  for (int i = 0; i < SS_TRACK_COUNT; i++)
    metrics->tracking[i] = NAN;
  result->stages = shot->stages;
  shot->stages = NULL;
  result->misses_task = false;
  ss_violations_clear (&result->violations);
  ss_solve_decide (SS_OUTCOME_SOLVED, metrics, shot->message, result);
  snprintf (result->start, sizeof result->start, "%s", shot->start);
  return ss_run_add_answer (result, &motion, err);
}

/* The chosen solution is the answer, the others are kept. Takes from `judged`. */
static SsStatus
take_plans (const SsSolveJob *job, const SsImproved *improved, int chosen, SsRunResult *judged, SsSolve *solve,
            SsRunResult *result, SsError *err)
{
  SsStatus status = SS_OK;

  if (chosen >= 0) {
    ss_trajectory_free (ss_run_take_motion (result));
    ss_trajectory_free (result->stages);
    result->stages = NULL;
    result->n_motions = 0; /* the answer was the only one */
    status = chosen < improved->n_solutions
                 ? take_polished (job, solution_at (improved, chosen), &solve->metrics, result, err)
                 : take_shot (&judged[chosen], &solve->metrics, result, err);
  }
  for (int i = 0; i < n_solutions (improved) && status == SS_OK; i++)
    if (i != chosen)
      status = ss_run_keep_solution (&judged[i], result, err);
  return status;
}

/* All that was found, judged; the answer among it, or the method's own, is the run's. */
static SsStatus
judge_plans (const SsSolveJob *job, SsRunControl *control, SsImproved *improved, SsSolve *solve, SsRunResult *result,
             bool *is_better, SsError *err)
{
  SsRunResult *judged = ss_new_array (SsRunResult, improved->n_solutions + 2);
  SsStatus status = judged != NULL ? SS_OK : ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  int chosen = -1, n = 0;

  for (; n < improved->n_solutions && status == SS_OK; n++)
    status = ss_plan_judge_polished (job, solution_at (improved, n), control, &judged[n], err);
  if (status == SS_OK && improved->has_shot) {
    judged[n++] = improved->shot; /* judged when it was found */
    ss_run_result_init (&improved->shot);
  }
  for (int i = 0; i < n && status == SS_OK; i++)
    status = ss_plan_note_try (&judged[i], SS_TRY_START, judged[i].start, &improved->tries, err);
  if (status == SS_OK)
    status = ss_tries_take (&result->tries, &improved->tries, err);
  if (status == SS_OK)
    status = choose_plan (job, control, improved, judged, result, &chosen, err);
  if (status == SS_OK)
    status = take_plans (job, improved, chosen, judged, solve, result, err);
  for (int i = 0; i < n; i++)
    ss_run_result_clear (&judged[i]);
  ss_free (judged);
  *is_better = chosen >= 0;
  return status;
}

/* Polishes the answer, and what other starts give; the best takes the answer's place. The run's times have both. */
static SsStatus
improve_plan (SsSolve *solve, SsRunControl *control, SsImproved *improved, SsRunResult *result, SsError *err)
{
  const SsSolveJob *job = solve->job;
  const double start = ss_clock_wall (), before = solve->metrics.max_violation, own_seconds = solve->answer.cpu_seconds;
  Telling telling = {job, control};
  const SsImproveListener listener = {tell_polished, &telling};
  SsStatus status = ss_plan_improve (job, solve->answer.x, before, &listener, control, improved, err);
  SsMetricSet *set = &result->metrics;
  bool is_better = false;

  solve->answer.solve_seconds += ss_clock_wall () - start;
  solve->answer.cpu_seconds += improved->cpu_seconds;
  solve->answer.linear_seconds += improved->linear_seconds;
  if (status == SS_OK)
    status = judge_plans (job, control, improved, solve, result, &is_better, err);
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
  if (!ss_solve_keeps_modes (job)) /* else the method was not asked */
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

/* Of what is left of a limit, that a method may take which has a plan already. */
static const double THEN_PART = 0.7;

/* Cheap motions, before the method. */
typedef struct {
  const SsTrajectory *const *motions;
  int n;
} Leads;

/* The method's answer; where there is a plan already, within the work that it then has. */
static SsStatus
answer_then (SsSolve *solve, bool has_plan, SsRunControl *control, SsRunResult *result, SsError *err)
{
  SsRunControl silent;

  if (!has_plan)
    return ss_solve_answer (solve, control, result, err);
  ss_run_control_init (&silent);
  SsRunControl *limited = control != NULL ? control : &silent;
  const double work = limited->work_limit, cpu = limited->cpu_limit,
               then = ss_transcription_fesd_options (&solve->job->transcription)->then * SS_WORK_SECOND;
  limited->work_limit = fmin (work, ss_work_thread () + then);
  if (isfinite (cpu)) /* the answer is still to be judged */
    limited->cpu_limit = cpu - (1 - THEN_PART) * fmax (cpu - ss_run_control_cpu (limited), 0);
  const SsStatus status = ss_solve_answer (solve, limited, result, err);
  limited->work_limit = work;
  limited->cpu_limit = cpu;
  return status;
}

/* What cheap motions lead to, the solve's answer, then what its options make of it. */
static SsStatus
solve_and_improve (SsSolve *solve, const Leads *leads, SsRunControl *control, SsRunResult *result, SsError *err)
{
  const bool improves = ss_plan_improves (solve->job) || leads != NULL;
  SsImproved improved = {0};
  SsPlanTraces traces = {0};
  Telling telling = {solve->job, control};
  const SsImproveListener listener = {tell_polished, &telling};
  SsStatus status = SS_OK;

  ss_plan_traces_begin (&traces, improves ? control : NULL);
  traces.is_leading = true;
  if (leads != NULL)
    status = ss_plan_lead (solve->job, leads->motions, leads->n, &listener, control, &improved, err);
  traces.is_leading = false;
  if (status == SS_OK)
    status = answer_then (solve, n_solutions (&improved) > 0, control, result, err);
  ss_plan_traces_polish (&traces);
  if (status == SS_OK && improves && !ss_outcome_is_asked (result->outcome) && result->outcome != SS_OUTCOME_UNBOUNDED)
    status = improve_plan (solve, control, &improved, result, err);
  if (status == SS_OK)
    status = ss_solve_judge (solve, control, result, err);
  if (status == SS_OK && ss_tries_count (&result->tries, SS_TRY_ENDS) > 0 && result->start[0] == '\0')
    status = ss_plan_note_try (result, SS_TRY_START, "the method's own answer", &result->tries, err);
  ss_plan_traces_end (&traces);
  ss_improved_clear (&improved);
  return status;
}

static SsStatus
solve_led (const SsSolveJob *job, const Leads *leads, SsRunControl *control, SsRunResult *result, SsError *err)
{
  SsSolve solve;
  SsOutcome why;
  bool is_over;

  ss_run_result_init (result);
  SsStatus status = ss_run_control_should_stop (control, &why) ? SS_OK : ss_plan_check_pieces (job, err);
  if (status != SS_OK)
    return status;
  status = ss_solve_begin (&solve, job, control, result, &is_over, err);
  if (status == SS_OK && !is_over)
    status = solve_and_improve (&solve, leads, control, result, err);
  return ss_solve_end (&solve, status, control, result, err);
}

SsStatus
ss_plan_solve (const SsSolveJob *job, SsRunControl *control, SsRunResult *result, SsError *err)
{
  return solve_led (job, NULL, control, result, err);
}

SsStatus
ss_plan_solve_led (const SsSolveJob *job, const SsTrajectory *const *motions, int n, SsRunControl *control,
                   SsRunResult *result, SsError *err)
{
  SS_ASSERT (n >= 0);
  return solve_led (job, &(Leads){motions, n}, control, result, err);
}
