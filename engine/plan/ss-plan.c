/* engine/plan/ss-plan.c: see the header. */
#include "plan/ss-plan.h"

#include "bound/ss-bound-run.h"
#include "core/ss-relay.h"
#include "core/ss-work.h"
#include "dynamics/ss-start-fit.h"
#include "plan/ss-exact-finish.h"
#include "plan/ss-plan-solve.h"
#include "plan/ss-plan-robust.h"
#include "plan/ss-plan-starts.h"
#include "plan/ss-plan-worlds.h"
#include "plan/ss-race.h"
#include "plan/ss-ways-on.h"
#include "solve/ss-run-judge.h"
#include "plan/ss-plan-lazy.h"
#include "transcribe/ss-fesd-j.h"
#include "transcribe/ss-transcriptions.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The least rest of a limit that is worth an exact plan [s]. */
static const double FINISH_LEAST = 0.05;
/* Answers that are tried for it. */
enum { ANSWERS_MOST = 8 };

/* The exact plan is a solution of its own beside the answer. Takes its result. */
static SsStatus
keep_exact (SsExactFinish *finish, SsRunResult *result, SsError *err)
{
  SsMetricSet *set = &result->metrics;

  ss_metric_set (set, SS_METRIC_EXACT_FOUND, finish->is_found);
  ss_metric_set (set, SS_METRIC_EXACT_CPU_SECONDS, finish->cpu);
  snprintf (result->exact_reason, sizeof result->exact_reason, "%s", finish->reason);
  if (!finish->is_found)
    return SS_OK;
  ss_metric_set (set, SS_METRIC_EXACT_OBJECTIVE, ss_metric_get (&finish->result.metrics, SS_METRIC_OBJECTIVE));
  ss_metric_set (set, SS_METRIC_EXACT_END_DISTANCE, finish->end_distance);
  const SsStatus status = ss_run_keep_solution (&finish->result, result, err);
  if (status == SS_OK)
    result->exact_solution = result->n_solutions;
  return status;
}

/* Motions of a run's answer and, behind it, of the race's others, those whose replays end nearest first. */
typedef struct {
  int n;
  const SsTrajectory *motions[ANSWERS_MOST];
  const SsMember *members[ANSWERS_MOST]; /* NULL: the answer */
} Answers;

static void
list_answers (const SsRunResult *result, Answers *answers)
{
  *answers = (Answers){.n = 1, .motions = {ss_run_motion (result)}};
  for (int i = 0; i < result->n_members; i++) {
    const SsMember *member = &result->members[i];
    const SsTrajectory *motion = member->solution > 0 ? ss_run_solution_motion (result, member->solution) : NULL;
    int at = answers->n;

    if (motion == NULL || !isfinite (member->tenth))
      continue;
    while (at > 1 && answers->members[at - 1]->tenth > member->tenth)
      at--;
    if (at >= ANSWERS_MOST)
      continue;
    answers->n = answers->n < ANSWERS_MOST ? answers->n + 1 : ANSWERS_MOST;
    for (int k = answers->n - 1; k > at; k--) {
      answers->motions[k] = answers->motions[k - 1];
      answers->members[k] = answers->members[k - 1];
    }
    answers->motions[at] = motion;
    answers->members[at] = member;
  }
}

/* The answer of a race is told, so that nothing loses it, and made exact. */
static SsStatus
finish_exactly (const SsSolveJob *job, SsRunControl *control, SsRunResult *result, SsError *err)
{
  const double left = control != NULL ? control->cpu_limit - ss_run_control_cpu (control) : INFINITY,
               taken = ss_metric_get (&result->metrics, SS_METRIC_CPU_SECONDS),
               seconds = fmin (fmin (SS_EXACT_SECONDS, fmax (FINISH_LEAST, taken)), left);
  SsExactFinish finish;
  Answers answers;
  SsOutcome why;
  char text[400], of[80] = "";

  if (result->outcome != SS_OUTCOME_SOLVED)
    return SS_OK;
  ss_run_control_emit_answer (control, result);
  if (ss_run_control_should_stop (control, &why) || seconds < FINISH_LEAST) {
    ss_metric_set (&result->metrics, SS_METRIC_EXACT_FOUND, false);
    snprintf (result->exact_reason, sizeof result->exact_reason, "the run's limits left no time for it");
    return SS_OK;
  }
  list_answers (result, &answers);
  SsStatus status = ss_exact_finish (job, answers.motions, answers.n, seconds, control, &finish, err);
  if (status == SS_OK)
    status = keep_exact (&finish, result, err);
  ss_exact_finish_clear (&finish);
  if (status != SS_OK)
    return status;
  if (finish.from > 0)
    snprintf (of, sizeof of, " of %s", answers.members[finish.from]->label);
  if (finish.is_found)
    snprintf (text, sizeof text, "made exact%s in %.2g s: cost %.6g, replay within %.1g m", of, finish.cpu,
              ss_metric_get (&result->metrics, SS_METRIC_EXACT_OBJECTIVE), finish.end_distance);
  else
    snprintf (text, sizeof text, "not made exact: %s", finish.reason);
  ss_run_append_text (result->message, sizeof result->message, text);
  return SS_OK;
}

/* Of `auto`, as the job has them or by default. */
static SsAutoOptions
options_of (const SsSolveJob *job)
{
  SsAutoOptions options;

  if (job->options != NULL)
    return *(const SsAutoOptions *)job->options;
  ss_options_init (ss_nlp_auto.options, &options);
  return options;
}

/* A run that has parts is looked at as a whole before them. */
static SsStatus
plan_in_parts (const SsSolveJob *job, bool races, SsRunControl *control, SsRunResult *result, SsError *err)
{
  SsSolveJob part = *job;
  SsStatus status = SS_OK;

  part.is_part = true;
  if (!job->is_part)
    status = ss_solve_look_at_whole (job, control, result, err);
  if (status != SS_OK || result->outcome == SS_OUTCOME_UNBOUNDED)
    return status;
  return races ? ss_plan_race (&part, control, result, err) : ss_plan_lazily (&part, NULL, control, NULL, result, err);
}

/* ---- cheap motions first ----------------------------------------------------------------------------------------- */

/* Plans in time steps that lead to others: at most so many; CPU time that they may take [s], and part of a limit. */
enum { LEADS_MOST = 4 };
static const double LEAD_SECONDS = 10, LEAD_PART = 1.0 / 3;

static bool
is_led (const SsSolveJob *job)
{
  const SsFesdOptions *options = ss_transcription_fesd_options (&job->transcription);

  return options != NULL && options->first == SS_FESD_FIRST_STEPS && options->modes == SS_FESD_MODES_FREE &&
         !job->is_part && job->start == NULL && job->x0 == NULL && !job->takes_start && job->scenario->scene != NULL &&
         job->scenario->scene->n_actuators > 0 && ss_plan_has_hard_targets (job->scenario->task.plan);
}

/* The plan in time steps, by a race in this process. */
static SsStatus
race_in_steps (const SsSolveJob *job, SsRunControl *control, SsRunResult *steps, SsError *err)
{
  SsSolveJob race = {.scenario = job->scenario, .nlp = &ss_nlp_auto, .is_part = true};
  const double left = control != NULL ? control->cpu_limit - ss_run_control_cpu (control) : INFINITY,
               wall = control != NULL ? control->deadline - ss_clock_wall () : INFINITY;
  SsAutoOptions options;
  SsSilence silence;

  ss_options_init (ss_nlp_auto.options, &options);
  options.budget = fmin (LEAD_SECONDS, LEAD_PART * left);
  options.refine = 0;
  options.held = 0;
  race.options = &options;
  race.transcription = (SsTranscribeOptions){
      .class_ = &ss_transcription_time_stepping, .dt = job->transcription.dt, .t_end = job->transcription.t_end};
  ss_silence_init (&silence, control);
  if (isfinite (wall))
    silence.inner.deadline = ss_clock_wall () + LEAD_PART * wall;
  if (!(options.budget > 0))
    return SS_OK;
  SsStatus status = ss_plan_race (&race, &silence.inner, steps, err);
  if (status == SS_ERR_INVALID) { /* time stepping does not know the scene */
    *err = (SsError){0};
    status = SS_OK;
  } else if (status == SS_OK && control != NULL)
    ss_run_control_log (control, SS_LOG_INFO, "plan in time steps: %s", steps->message);
  return status;
}

/* Plans in time steps, then simulated motions, lead; then the method. */
static SsStatus
plan_led (const SsSolveJob *job, SsRunControl *control, SsRunResult *result, SsError *err)
{
  const SsTrajectory *motions[LEADS_MOST];
  SsRunResult steps;
  int n = 0;
  SsStatus status = ss_solve_look_at_whole (job, control, result, err);

  if (status != SS_OK)
    return status;
  if (result->outcome == SS_OUTCOME_UNBOUNDED) { /* as the method alone will find */
    ss_run_result_clear (result);
    return ss_plan_solve (job, control, result, err);
  }
  ss_run_result_init (&steps);
  status = race_in_steps (job, control, &steps, err);
  if (status == SS_OK && ss_run_motion (&steps) != NULL)
    motions[n++] = ss_run_motion (&steps);
  for (int i = 0; i < steps.n_motions && status == SS_OK && n < LEADS_MOST; i++)
    if (steps.motions[i].role == SS_MOTION_SOLUTION)
      motions[n++] = steps.motions[i].trajectory;
  if (status == SS_OK)
    status = ss_plan_solve_led (job, motions, n, control, result, err);
  ss_run_result_clear (&steps);
  return status;
}

/* Where start velocities do not fit a joint, a plan begins with a jump of them that no control had a part in. */
static SsStatus
warn_of_start (const SsScene *scene, bool has_springs, SsRunControl *control, SsError *err)
{
  SsStartMisfit misfit = {.joint = -1};
  char text[320];
  const SsStatus status = control != NULL ? ss_start_misfit_of_scene (scene, has_springs, &misfit, err) : SS_OK;

  if (status == SS_OK && misfit.joint >= 0) {
    ss_start_misfit_text (scene, &misfit, text, sizeof text);
    ss_run_control_log (control, SS_LOG_WARNING, "%s", text);
  }
  return status;
}

/* In the file's own world. */
static SsStatus
plan_at_home (const SsSolveJob *job, SsRunControl *control, SsRunResult *result, SsError *err)
{
  const double started = ss_clock_wall (), work = ss_work_thread ();
  const bool races = ss_plan_races (job),
             is_lazy = job->scenario->model == NULL && job->transcription.contacts == SS_PLAN_CONTACTS_LAZY;

  ss_run_result_init (result);
  SsStatus status = ss_solve_check (job->scenario, job->nlp->name, err);
  if (status != SS_OK)
    return status;
  if (job->scenario->scene != NULL && !job->is_part) {
    const SsTranscriptionClass *class_ =
        job->transcription.class_ != NULL ? job->transcription.class_ : ss_transcription_at (0);
    ss_run_warn_of_ignored (job->scenario->scene, class_->name, class_->uses, control);
    status = warn_of_start (job->scenario->scene, (class_->uses & SS_USES_JOINT_STIFFNESS) != 0, control, err);
    if (status != SS_OK)
      return status;
  }
  if (!races && !is_lazy && is_led (job))
    return plan_led (job, control, result, err);
  if (!races && !is_lazy)
    return ss_plan_solve (job, control, result, err);
  status = plan_in_parts (job, races, control, result, err);
  if (status == SS_OK)
    status = ss_solve_close (job, started, work, control, result, err);
  if (status == SS_OK && races && !job->is_part && options_of (job).finish == SS_AUTO_FINISH_EXACT)
    status = finish_exactly (job, control, result, err);
  if (status != SS_OK)
    ss_run_result_clear (result);
  return status;
}

/* ---- what it is worth elsewhere ---------------------------------------------------------------------------------- */

/* Nobody's part: members of a race in processes of their own are limited in their counted work. */
static bool
is_whole (const SsSolveJob *job, const SsRunControl *control)
{
  return !job->is_part && !(control != NULL && isfinite (control->work_limit));
}

/* The plan is replayed in worlds that it was not made for, with what limits leave. */
static SsStatus
try_other_worlds (const SsSolveJob *job, SsRunControl *control, SsRunResult *result, SsError *err)
{
  SsFeedbackOptions by_lqr = SS_FEEDBACK_OPTIONS;
  const SsWorldsOptions options = {
      .n = SS_WORLDS_USUAL, .seed = SS_WORLDS_SEED, .work = SS_WORLDS_WORK, .has_open = true, .feedback = &by_lqr};
  SsPlanWorlds worlds;
  SsOutcome why;

  if (!is_whole (job, control) || result->outcome != SS_OUTCOME_SOLVED || !ss_plan_worlds_can (job->scenario) ||
      ss_run_motion (result) == NULL || ss_run_control_should_stop (control, &why))
    return SS_OK;
  by_lqr.kind = SS_CONTROLLER_LQR;
  SsStatus status = ss_plan_worlds (job->scenario, ss_run_motion (result), &options, control, &worlds, err);
  if (status == SS_OK)
    status = ss_plan_worlds_tell (&worlds, result, err);
  else if (status == SS_ERR_INVALID) { /* the plan is one all the same */
    ss_run_control_log (control, SS_LOG_INFO, "the plan was not tried in other worlds: %s",
                        err != NULL ? err->message : "");
    if (err != NULL)
      *err = (SsError){0};
    return SS_OK;
  }
  ss_plan_worlds_clear (&worlds);
  return status;
}

/* What a run has beside its answer goes over to another one, and the answer of before is a solution of that. */
static SsStatus
take_over (SsRunResult *before, SsRunResult *result, SsError *err)
{
  static const SsMetric kept[] = {SS_METRIC_SETUP_SECONDS, SS_METRIC_SOLVE_SECONDS, SS_METRIC_CPU_SECONDS,
                                  SS_METRIC_THREADS,       SS_METRIC_WORK,          SS_METRIC_FIRST_SECONDS};
  SsStatus status = SS_OK;

  for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
    if (before->metrics.is_set[kept[i]])
      ss_metric_set (&result->metrics, kept[i], before->metrics.value[kept[i]]);
  result->members = before->members;
  result->n_members = before->n_members;
  result->solutions = before->solutions;
  result->n_solutions = before->n_solutions;
  result->exact_solution = before->exact_solution;
  memcpy (result->exact_reason, before->exact_reason, sizeof result->exact_reason);
  result->tries = before->tries;
  before->tries = (SsTries){0};
  for (int i = 0; i < result->n_members; i++)
    if (result->members[i].solution == 0) /* the answer of before */
      result->members[i].solution = result->n_solutions + 1;
  before->members = NULL;
  before->solutions = NULL;
  before->n_members = before->n_solutions = before->exact_solution = 0;
  for (int i = 1; i < before->n_motions && status == SS_OK; i++) /* the first is the answer */
    status = ss_run_add_motion (result, &before->motions[i].trajectory, before->motions[i].role,
                                before->motions[i].branch, before->motions[i].share, err);
  return status == SS_OK ? ss_run_keep_solution (before, result, err) : status;
}

/* The plan for the file's own world becomes one for all that the task wants, where that is found. */
static SsStatus
plan_for_worlds (const SsSolveJob *job, SsRunControl *control, SsRunResult *result, SsError *err)
{
  SsRobust robust;
  const char *held = job->scenario->task.plan != NULL && job->scenario->task.plan->world_feedback == SS_PLAN_WORLDS_LQR
                         ? ", held by LQR,"
                         : "";
  char text[320];
  SsOutcome why;

  if (!is_whole (job, control) || result->outcome != SS_OUTCOME_SOLVED || !ss_plan_robust_wants (job) ||
      ss_run_motion (result) == NULL || ss_run_control_should_stop (control, &why))
    return SS_OK;
  SsStatus status = ss_plan_robust (job, ss_run_motion (result), control, &robust, err);
  if (status == SS_ERR_INVALID &&
      held[0] != '\0') { /* nothing can hold it: the plan for one world is one all the same */
    ss_run_append_text (result->message, sizeof result->message, err != NULL ? err->message : "");
    if (err != NULL)
      *err = (SsError){0};
    return SS_OK;
  }
  if (status != SS_OK)
    return status;
  if (robust.is_found) {
    const double cost = ss_metric_get (&robust.result.metrics, SS_METRIC_OBJECTIVE),
                 nominal = ss_metric_get (&result->metrics, SS_METRIC_OBJECTIVE);
    SsRunResult before = *result;

    *result = robust.result;
    ss_run_result_init (&robust.result);
    snprintf (before.start, sizeof before.start, "for one world");
    snprintf (result->start, sizeof result->start, "for %d worlds", robust.n_copies);
    snprintf (text, sizeof text,
              "one control for %d worlds%s holds in %d of %d that it was chosen by, that for one in %d; it costs %.6g, "
              "that %.6g",
              robust.n_copies, held, robust.n_after, robust.n_worlds, robust.n_before, cost, nominal);
    snprintf (result->message, sizeof result->message, "%s", text);
    ss_run_append_text (result->message, sizeof result->message, before.message);
    ss_metric_set (&result->metrics, SS_METRIC_WORLDS_PLANNED, robust.n_copies);
    status = take_over (&before, result, err);
    ss_run_result_clear (&before);
  } else {
    snprintf (text, sizeof text, "the plan for one world%s holds in %d of %d worlds of the task%s%s", held,
              robust.n_before, robust.n_worlds,
              robust.n_before < robust.n_worlds ? ", and no better one was found" : "",
              robust.why[0] != '\0' ? ": " : "");
    ss_run_append_text (result->message, sizeof result->message, text);
    ss_run_append_text (result->message, sizeof result->message, robust.why);
    ss_metric_set (&result->metrics, SS_METRIC_WORLDS_PLANNED, 1);
  }
  ss_metric_set (&result->metrics, SS_METRIC_WORLDS_CPU_SECONDS, robust.cpu);
  ss_plan_robust_clear (&robust);
  return status;
}

/* ---- how far from the best --------------------------------------------------------------------------------------- */

/* Counts the iterations that a run tells. */
typedef struct {
  SsRunControl *control; /* NULL: nobody listens */
  SsProgressFunc progress;
  void *user_data;
  int n_told;
} Counted;

static void
hear (void *user_data, const SsProgress *progress)
{
  Counted *counted = user_data;

  if (progress->kind == SS_PROGRESS_ITERATION && progress->iteration >= counted->n_told)
    counted->n_told = progress->iteration + 1;
  counted->progress (counted->user_data, progress);
}

static void
begin_count (Counted *counted, SsRunControl *control)
{
  *counted = (Counted){.control = control != NULL && control->progress != NULL ? control : NULL};
  if (counted->control == NULL)
    return;
  counted->progress = control->progress;
  counted->user_data = control->user_data;
  control->progress = hear;
  control->user_data = counted;
}

static void
end_count (const Counted *counted)
{
  if (counted->control == NULL)
    return;
  counted->control->progress = counted->progress;
  counted->control->user_data = counted->user_data;
}

static bool
bound_is_wanted (const SsSolveJob *job, const SsRunControl *control)
{
  return job->bound > 0 && job->scenario->model != NULL && is_whole (job, control);
}

/* The race of models from a better point that the bound came across: an answer of it that is cheaper becomes the
 * run's. */
static SsStatus
take_better (const SsSolveJob *job, const double *x, SsRunControl *control, SsRunResult *result, SsError *err)
{
  SsSolveJob again = *job;
  SsAutoOptions options = options_of (job);
  SsSilence silence;
  SsRunResult better, before = *result;

  options.improve = 0; /* the first answer, where it is */
  again.options = &options;
  again.start = NULL;
  again.x0 = x;
  ss_silence_init (&silence, control);
  ss_run_control_inherit (&silence.inner, control);
  SsStatus status = ss_solve (&again, &silence.inner, &better, err);
  if (status != SS_OK)
    return status;
  const bool was_solved = before.outcome == SS_OUTCOME_SOLVED;
  ss_free (better.members); /* its race is none of the run's */
  better.members = NULL;
  better.n_members = 0;
  if (better.outcome != SS_OUTCOME_SOLVED || (was_solved && ss_metric_get (&better.metrics, SS_METRIC_OBJECTIVE) >=
                                                                ss_metric_get (&before.metrics, SS_METRIC_OBJECTIVE))) {
    ss_run_result_clear (&better);
    return SS_OK;
  }
  *result = better;
  snprintf (before.start, sizeof before.start, "the guess");
  snprintf (result->start, sizeof result->start, "a point of the bound's search");
  ss_run_append_text (result->message, sizeof result->message, "from a point that the search for a lower bound found");
  status = take_over (&before, result, err);
  ss_run_result_clear (&before);
  return status;
}

/* What the bound says of the answer. */
static void
tell_bound (const SsBoundRun *run, SsRunResult *result)
{
  const bool is_solved = result->outcome == SS_OUTCOME_SOLVED;
  const double objective = is_solved ? ss_metric_get (&result->metrics, SS_METRIC_OBJECTIVE) : INFINITY;
  char text[400];

  ss_metric_set (&result->metrics, SS_METRIC_BOUND_CPU_SECONDS, run->search.cpu_seconds + run->check_seconds);
  if (run->bound == INFINITY && !is_solved)
    result->outcome = SS_OUTCOME_INFEASIBLE;
  if (!run->has_bound || run->bound == INFINITY) { /* its own words say why */
    ss_run_append_text (result->message, sizeof result->message, run->message);
    return;
  }
  ss_metric_set (&result->metrics, SS_METRIC_LOWER_BOUND, run->bound);
  if (is_solved)
    ss_metric_set (&result->metrics, SS_METRIC_GAP, ss_bound_gap (run->bound, objective));
  ss_bound_words (run->bound, objective, text, sizeof text);
  ss_run_append_text (result->message, sizeof result->message, text);
}

/* How far the answer of a model is from the best, and a better one of `auto` where that is come across. */
static SsStatus
bound_answer (const SsSolveJob *job, int n_told, SsRunControl *control, SsRunResult *result, SsError *err)
{
  const SsModel *model = job->scenario->model;
  const double left = control != NULL ? control->cpu_limit - ss_run_control_cpu (control) : INFINITY;
  SsBoundRunOptions options;
  SsBoundRun run;
  SsRelay relay;
  SsError what = {0};
  SsOutcome why;

  if (result->outcome == SS_OUTCOME_UNBOUNDED || ss_run_control_should_stop (control, &why))
    return SS_OK;
  double *x = ss_new_array (double, (size_t)model->n_points *(size_t)model->n_variables + 1);
  if (x == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory for a lower bound");
  ss_run_control_emit_answer (control, result); /* so that nothing loses it */
  ss_bound_run_options_init (&options);
  options.cpu_seconds = fmin (job->bound, left);
  if (ss_run_motion (result) != NULL &&
      ss_solve_follow_motion (job->scenario, ss_run_motion (result), x, &what) == SS_OK)
    options.x = x;
  ss_relay_init (&relay, control);
  relay.offset = n_told;
  SsStatus status = ss_bound_run (job->scenario, &options, &relay.inner, &run, &what);
  ss_free (x);
  if (status == SS_ERR_INVALID) { /* a formula of which no bound can be had */
    char text[400];
    snprintf (text, sizeof text, "no bound: %.380s", what.message);
    ss_run_append_text (result->message, sizeof result->message, text);
    return SS_OK;
  }
  if (status != SS_OK) {
    if (err != NULL)
      *err = what;
    return status;
  }
  const double objective = ss_metric_get (&result->metrics, SS_METRIC_OBJECTIVE);
  const bool is_better =
      run.x != NULL && (result->outcome != SS_OUTCOME_SOLVED || ss_bound_gap (run.answer, objective) > 0);
  if (is_better && job->nlp == &ss_nlp_auto)
    status = take_better (job, run.x, control, result, err);
  if (status == SS_OK)
    tell_bound (&run, result);
  ss_bound_run_clear (&run);
  return status;
}

/* Of limits, what a race for a plan for one world may take where one for more is wanted. */
static const double HOME_PART = 0.5;

/* Options of that race. */
static void
shorten_race (const SsSolveJob *job, SsRunControl *control, SsAutoOptions *options)
{
  const double cpu = control != NULL ? control->cpu_limit - ss_run_control_cpu (control) : INFINITY,
               wall = control != NULL ? control->deadline - ss_clock_wall () : INFINITY;

  *options = options_of (job);
  const double own = options->budget > 0 ? options->budget : INFINITY,
               budget = HOME_PART * fmin (fmin (own, cpu), wall * options->threads);
  if (isfinite (budget) && budget > 0)
    options->budget = budget;
}

SsStatus
ss_plan (const SsSolveJob *job, SsRunControl *control, SsRunResult *result, SsError *err)
{
  SsSolveJob home = *job;
  SsAutoOptions options;

  if (ss_plan_races (job) && is_whole (job, control) && ss_plan_robust_wants (job)) {
    shorten_race (job, control, &options);
    home.options = &options;
  }
  const bool is_bounded = bound_is_wanted (job, control);
  Counted counted;
  if (is_bounded)
    begin_count (&counted, control);
  SsStatus status = plan_at_home (&home, control, result, err);
  if (is_bounded) {
    end_count (&counted);
    if (status == SS_OK)
      status = bound_answer (job, counted.n_told, control, result, err);
  }
  if (status == SS_OK && result->outcome == SS_OUTCOME_SOLVED && is_whole (job, control) &&
      (ss_plan_robust_wants (job) || (ss_plan_races (job) && ss_plan_worlds_can (job->scenario))))
    ss_run_control_emit_answer (control, result); /* so that nothing loses it */
  if (status == SS_OK)
    status = plan_for_worlds (job, control, result, err);
  if (status == SS_OK)
    status = try_other_worlds (job, control, result, err);
  if (status == SS_OK && ss_ways_on_wanted (job, result))
    status = ss_ways_on_find (job, control, result, err);
  if (status != SS_OK)
    ss_run_result_clear (result);
  return status;
}
