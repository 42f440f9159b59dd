/* engine/plan/ss-plan-starts.c: see the header. */
#include "plan/ss-plan-starts.h"
#include "plan/ss-starts-private.h"

#include "mpcc/ss-problem.h"
#include "nlp/ss-scholtes.h"
#include "plan/ss-follow-plan.h"
#include "plan/ss-plan-rest.h"
#include "plan/ss-polish-pieces.h"
#include "core/ss-memory.h"
#include "core/ss-relay.h"
#include "plan/ss-search-controls.h"
#include "plan/ss-sequence-changes.h"
#include "plan/ss-stick-moves.h"
#include "transcribe/ss-freeze-plan.h"
#include "transcribe/ss-transcriptions.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Steps of CRISP's plan in an interval, and of the motions that a search tries, and how many of them. */
enum { CRISP_STEPS = 4, SEARCH_STEPS = 2, SEARCH_TRIES = 1500 };

/* Of plans in numerical time: a neighbour is followed by another one where the cost falls by more than this part:
 * replays are good to 1e-4. */
static const double repeat_gain = 1e-3;
/* Polishes of neighbours that stick elsewhere, after one start. */
enum { MOVES_MAX = 12, NEIGHBOURS_MAX = 6 };

/* Products up to this leave modes readable: sums over an element of metres times newtons and the like. */
static const double telling = 0.1;

/* Of the method again, in turn: first sigma and factor. */
static const struct {
  double sigma0, kappa;
} others[] = {{10, 0.5}, {1, 0.2}, {10, 0.1}, {0.1, 0.3}};

static const char *const other_cost = "the other cost", *const crisp_plan = "CRISP's time-stepping plan";

bool
ss_plan_improves (const SsSolveJob *job)
{
  SS_ASSERT (job != NULL);

  const SsFesdOptions *options = ss_transcription_fesd_options (&job->transcription);

  return job->scenario->scene != NULL && options != NULL &&
         (options->polish || options->starts > 1 || options->pieces > 1 || options->modes != SS_FESD_MODES_FREE);
}

SsStatus
ss_plan_check_pieces (const SsSolveJob *job, SsError *err)
{
  SS_ASSERT (job != NULL);

  const SsFesdOptions *options = ss_transcription_fesd_options (&job->transcription);

  if (job->scenario->task.plan == NULL || options == NULL || options->pieces <= 1)
    return SS_OK;
  if (job->scenario->task.plan->is_time_free)
    return ss_error_set (
        err, SS_ERR_INVALID,
        "'%s' cannot be planned in pieces: its end time is free, and the rest of a plan has a fixed one",
        job->scenario->name);
  return ss_plan_rest_check (job->scenario, "planned in pieces", err);
}

void
ss_improved_clear (SsImproved *improved)
{
  SS_ASSERT (improved != NULL);
  for (int i = 0; i < improved->n_solutions - 1; i++)
    ss_polished_clear (&improved->found[i]);
  ss_free (improved->found);
  ss_tries_clear (&improved->tries);
  if (improved->has_shot)
    ss_run_result_clear (&improved->shot);
  ss_polished_clear (&improved->best);
  *improved = (SsImproved){0};
}

/* ---- the starts -------------------------------------------------------------------------------------------------- */

static SsStatus start_from_frozen (SsStarts *s, const char *name, const double *x, SsTriedControls *own, SsError *err);

bool
ss_plan_has_hard_targets (const SsPlan *plan)
{
  SS_ASSERT (plan != NULL && plan->steps >= 0);
  for (int i = 0; i < plan->n_targets; i++)
    for (int c = 0; c < SS_PLAN_COORDINATES; c++)
      if (!isnan (plan->targets[i].value[c]) && isinf (plan->targets[i].weight[c]))
        return true;
  return false;
}

/* These controls, made cheaper by trying, and the sequence of their motion, polished. */
static SsStatus
start_from_searched (SsStarts *s, const char *name, double *controls, bool *kept, SsError *err)
{
  SsFesdSequence *sequence = NULL;
  SsTriedControls tried = {0};
  SsSearched searched;
  const double start = ss_clock_thread_cpu ();
  const int max_tries = ss_plan_has_hard_targets (&s->plan) ? 1 : SEARCH_TRIES;
  SsStatus status =
      ss_search_controls (s->job->scenario, &s->plan, SEARCH_STEPS, max_tries, s->control, controls, &searched, err);

  if (status == SS_OK)
    status = ss_starts_follow (s, controls, &tried, &sequence, err);
  s->out->cpu_seconds += ss_clock_thread_cpu () - start;
  if (status == SS_OK && s->control != NULL)
    ss_run_control_log (s->control, SS_LOG_DEBUG, "%s: %d motions tried, from %.6g to %.6g, %.3g s", name,
                        searched.n_tries, searched.before, searched.after, ss_clock_thread_cpu () - start);
  if (status == SS_OK && sequence != NULL)
    status = ss_starts_polish_changed (s, name, sequence, true, kept, err);
  ss_tried_controls_clear (&tried);
  ss_fesd_sequence_free (sequence);
  return status;
}

/* The motion that is led along a sequence which is none, and what a search makes of it. */
static SsStatus
start_from_followed (SsStarts *s, const SsFesdSequence *plan, bool *kept, SsError *err)
{
  double *controls = ss_new_array (double, (size_t)plan->n_intervals *(size_t)plan->n_controls + 1);
  bool followed = false;
  const double start = ss_clock_thread_cpu ();
  SsStatus status = controls != NULL ? ss_follow_plan (s->job->scenario, plan, SS_STARTS_TRIED_STEPS, s->control,
                                                       controls, &followed, err)
                                     : ss_error_set (err, SS_ERR_MEMORY, "out of memory");

  s->out->cpu_seconds += ss_clock_thread_cpu () - start;
  if (status == SS_OK && followed)
    status = start_from_searched (s, "a motion along the plan", controls, kept, err);
  ss_free (controls);
  return status;
}

/* Whether products of the method's answer are small enough for modes to be read from it. */
static SsStatus
tells_modes (SsStarts *s, const double *x, bool *tells, SsError *err)
{
  SsScenario *model = NULL;
  SsMetrics metrics;
  SsStatus status = ss_transcribe (s->job->scenario, &s->job->transcription, &model, err);

  if (status == SS_OK)
    status = ss_metrics_compute (model, x, &metrics, err);
  *tells = status == SS_OK && metrics.complementarity <= telling;
  ss_scenario_free (model);
  return status;
}

/* Modes of the motion that the job starts from: it as an iterate of fesd-j, whatever the job's transcription is. */
static SsStatus
read_start (SsStarts *s, SsFesdSequence **out, SsError *err)
{
  SsTranscript *transcript = NULL;
  double *x = NULL;
  SsStatus status = ss_transcript_new (s->job->scenario, &s->transcription, &transcript, err);

  *out = NULL;
  if (status == SS_OK) {
    const SsModel *model = ss_transcript_model (transcript)->model;

    x = ss_new_array (double, (size_t)model->n_points *(size_t)model->n_variables + 1);
    status = x != NULL ? ss_transcript_guess (transcript, s->job->scenario, s->job->start, x, err)
                       : ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  }
  if (status == SS_OK)
    status = ss_fesd_sequence_from_iterate (s->job->scenario, &s->transcription, x, out, err);
  ss_transcript_free (transcript);
  ss_free (x);
  return status;
}

/* The method's answer: its modes, where it tells them; where they lead nowhere, those of a motion that is led along it;
 * then those of the motion that its controls give. *own: what the answer costs. */
static SsStatus
start_from_answer (SsStarts *s, const char *name, const double *x, SsTriedControls *own, SsError *err)
{
  SsFesdSequence *read = NULL, *followed = NULL;
  bool kept = false, tells = false;

  if (s->is_frozen && !ss_starts_keep_modes (s))
    return start_from_frozen (s, name, x, own, err);
  SsStatus status = s->is_frozen ? read_start (s, &read, err)
                                 : ss_fesd_sequence_from_iterate (s->job->scenario, &s->transcription, x, &read, err);

  if (status == SS_ERR_INVALID) {
    *err = (SsError){0};
    return SS_OK;
  }
  if (status == SS_OK && ss_starts_keep_modes (s)) {
    if (s->fesd.modes == SS_FESD_MODES_STICKING)
      ss_sequence_stick (read);
    status = ss_starts_polish (s, name, read, err);
    ss_fesd_sequence_free (read);
    return status;
  }
  if (status == SS_OK)
    status = ss_starts_follow (s, read->controls, own, &followed, err);
  if (status == SS_OK)
    status = tells_modes (s, x, &tells, err);
  if (status == SS_OK && tells)
    status = ss_starts_polish_changed (s, name, read, false, &kept, err);
  if (status == SS_OK && !kept)
    status = start_from_followed (s, read, &kept, err);
  if (status == SS_OK && !kept && followed != NULL)
    status = ss_starts_polish_changed (s, "the motion of its controls", followed, true, &kept, err);
  ss_fesd_sequence_free (read);
  ss_fesd_sequence_free (followed);
  return status;
}

/* What the answer's controls cost; of one in numerical time that is not asked. */
static SsStatus
try_answer (SsStarts *s, const double *x, SsTriedControls *own, SsError *err)
{
  SsFesdSequence *read = NULL, *followed = NULL;
  SsStatus status =
      s->is_frozen ? SS_OK : ss_fesd_sequence_from_iterate (s->job->scenario, &s->transcription, x, &read, err);

  if (status == SS_OK && read != NULL)
    status = ss_starts_follow (s, read->controls, own, &followed, err);
  else if (status == SS_ERR_INVALID) {
    *err = (SsError){0};
    status = SS_OK;
  }
  ss_fesd_sequence_free (read);
  ss_fesd_sequence_free (followed);
  return status;
}

/* Controls of a motion in time, averaged over the intervals; what is frozen counts nothing. */
static void
average_in_time (const SsStarts *s, const SsTrajectory *motion, double *controls)
{
  const SsScene *scene = s->job->scenario->scene;
  const double interval = s->plan.horizon / s->plan.steps;
  char name[SS_CHANNEL_NAME_MAX];

  for (int a = 0; a < scene->n_actuators; a++) {
    snprintf (name, sizeof name, "u.%s", scene->actuators[a].name);
    const int channel = ss_trajectory_channel (motion, name);

    for (int i = 0; i < s->plan.steps && channel >= 0; i++) {
      double sum = 0, length = 0;

      for (int r = 1; r < motion->n_rows; r++) {
        const double *from = ss_trajectory_row (motion, r - 1);
        const double part = fmin (ss_trajectory_row (motion, r)[0], (i + 1) * interval) - fmax (from[0], i * interval);

        sum += part > 0 ? part * from[channel] : 0;
        length += part > 0 ? part : 0;
      }
      controls[i * scene->n_actuators + a] = length > 0 ? sum / length : 0;
    }
  }
}

/* The answer of a plan in numerical time: the modes of the motion that its controls give in time. */
static SsStatus
start_from_frozen (SsStarts *s, const char *name, const double *x, SsTriedControls *own, SsError *err)
{
  SsScenario *model = NULL;
  SsTrajectory *motion = NULL;
  SsFesdSequence *sequence = NULL;
  double *controls = ss_new_array (double, s->plan.steps * s->job->scenario->scene->n_actuators + 1);
  SsStatus status = controls != NULL ? ss_transcribe (s->job->scenario, &s->job->transcription, &model, err)
                                     : ss_error_set (err, SS_ERR_MEMORY, "out of memory");

  if (status == SS_OK)
    status = ss_problem_trajectory (model, x, &motion, err);
  if (status == SS_OK) {
    if (s->plan.is_time_free)
      s->plan.horizon = ss_trajectory_row (motion, motion->n_rows - 1)[0];
    average_in_time (s, motion, controls);
    status = ss_starts_follow (s, controls, own, &sequence, err);
  }
  const int before = s->out->n_solutions;
  if (status == SS_OK && sequence != NULL)
    status = ss_starts_polish (s, name, sequence, err);
  /* Modes that lead nowhere: their neighbours. */
  for (int i = 0; i < NEIGHBOURS_MAX && status == SS_OK && sequence != NULL && s->out->n_solutions == before; i++) {
    SsFesdSequence *moved = NULL;

    status = ss_stick_move (sequence, i, &moved, err);
    if (moved == NULL)
      break;
    status = ss_starts_polish (s, "its neighbour", moved, err);
    ss_fesd_sequence_free (moved);
  }
  ss_fesd_sequence_free (sequence);
  ss_trajectory_free (motion);
  ss_scenario_free (model);
  ss_free (controls);
  return status;
}

/* Controls of a time-stepping plan, averaged over the intervals. */
static void
average_controls (const SsStarts *s, const SsTrajectory *motion, double *controls)
{
  const SsScene *scene = s->job->scenario->scene;
  char name[SS_CHANNEL_NAME_MAX];

  for (int a = 0; a < scene->n_actuators; a++) {
    snprintf (name, sizeof name, "u.%s", scene->actuators[a].name);
    const int channel = ss_trajectory_channel (motion, name);

    for (int i = 0; i < s->plan.steps && channel >= 0; i++) {
      double sum = 0;

      for (int k = 0; k < CRISP_STEPS && i * CRISP_STEPS + k < motion->n_rows; k++)
        sum += ss_trajectory_row (motion, i * CRISP_STEPS + k)[channel];
      controls[i * scene->n_actuators + a] = sum / CRISP_STEPS;
    }
  }
}

static SsStatus
start_from_crisp (SsStarts *s, SsError *err)
{
  const SsNlpClass *crisp = &ss_nlp_crisp;
  SsSolveJob job = {
      .scenario = s->job->scenario, .nlp = crisp, .transcription = {.class_ = &ss_transcription_time_stepping}};
  SsSilence silence;
  SsRunResult result;
  SsTriedControls tried = {0};
  SsFesdSequence *sequence = NULL;
  bool kept;
  double *controls = ss_new_array (double, s->plan.steps * s->job->scenario->scene->n_actuators + 1);
  void *options = ss_alloc (1, crisp->options->size + 1);
  SsStatus status = controls != NULL && options != NULL ? SS_OK : ss_error_set (err, SS_ERR_MEMORY, "out of memory");

  ss_run_result_init (&result);
  ss_silence_init (&silence, s->control);
  if (status == SS_OK) {
    ss_nlp_init_options (crisp, true, options);
    job.options = options;
    job.transcription.dt = s->plan.horizon / s->plan.steps / CRISP_STEPS;
    job.transcription.t_end = s->job->transcription.t_end;
    status = ss_solve (&job, &silence.inner, &result, err);
  }
  if (status == SS_OK && ss_run_motion (&result) != NULL &&
      ss_run_motion (&result)->n_rows >= s->plan.steps * CRISP_STEPS) {
    average_controls (s, ss_run_motion (&result), controls);
    status = ss_starts_follow (s, controls, &tried, &sequence, err);
  }
  s->out->cpu_seconds += fmax (ss_metric_get (&result.metrics, SS_METRIC_CPU_SECONDS), 0);
  if (status == SS_OK && sequence != NULL)
    status = ss_starts_polish_changed (s, crisp_plan, sequence, true, &kept, err);
  else if (status == SS_ERR_INVALID || status == SS_OK) { /* the other transcription does not know the scene */
    ss_run_append_text (s->out->message, sizeof s->out->message, "CRISP's time-stepping plan: none");
    *err = (SsError){0};
    status = SS_OK;
  }
  ss_fesd_sequence_free (sequence);
  ss_tried_controls_clear (&tried);
  ss_run_result_clear (&result);
  ss_free (controls);
  ss_free (options);
  return status;
}

/* The method once more with other options, or another transcription's. */
static SsStatus
solve_again (SsStarts *s, const char *name, const void *options, const SsTranscribeOptions *transcription, SsError *err)
{
  const SsNlpClass *nlp = s->job->nlp;
  SsSilence silence;
  SsMpcc *mpcc = NULL;
  SsScenario *model = NULL;
  SsNlpResult answer = {0};
  SsTriedControls tried = {0};
  void *solver = NULL;
  double *x = NULL, *parameters = NULL;
  SsStatus status = ss_transcribe (s->job->scenario, transcription, &model, err);

  ss_silence_init (&silence, s->control);
  if (status == SS_OK)
    status = ss_problem_build (model, &mpcc, err);
  if (status == SS_OK) {
    x = ss_new_array (double, ss_mpcc_n_variables (mpcc) + 1);
    parameters = ss_new_array (double, model->n_parameters + 1);
    status = x != NULL && parameters != NULL ? ss_problem_guess (model, x, err)
                                             : ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  }
  if (status == SS_OK) {
    ss_problem_parameters (model, parameters);
    ss_mpcc_set_parameters (mpcc, parameters);
    status = nlp->new_ (mpcc, options, &solver, err);
  }
  if (status == SS_OK)
    status = nlp->solve (solver, x, &silence.inner, &answer, err);
  if (status == SS_OK) {
    s->out->cpu_seconds += answer.cpu_seconds;
    status = start_from_answer (s, name, answer.x, &tried, err);
  }
  ss_tried_controls_clear (&tried);
  if (solver != NULL)
    nlp->free_ (solver);
  ss_mpcc_free (mpcc);
  ss_scenario_free (model);
  ss_free (x);
  ss_free (parameters);
  return status;
}

/* Neighbours of the best plan that stick elsewhere, as long as one of them is cheaper. */
static SsStatus
move_sticks (SsStarts *s, SsError *err)
{
  SsStatus status = SS_OK;
  SsOutcome why;
  int n_polished = 0;

  for (int number = 0; s->out->best.is_solved && n_polished < MOVES_MAX; number++) {
    const double best = s->out->best.replay.value.objective;
    SsFesdSequence *moved = NULL;

    if (ss_run_control_should_stop (s->control, &why))
      break;
    status = ss_stick_move (s->out->best.sequence, number, &moved, err);
    if (status != SS_OK || moved == NULL)
      break;
    status = ss_starts_polish (s, "another stick", moved, err);
    n_polished++;
    ss_fesd_sequence_free (moved);
    if (status != SS_OK)
      break;
    if (s->out->best.replay.value.objective < best - repeat_gain * fabs (best))
      number = -1;
  }
  return status;
}

static void
name_sigma (int index, char *name, size_t size)
{
  snprintf (name, size, "sigma0 %g, kappa %g", others[index].sigma0, others[index].kappa);
}

/* The homotopy with another first sigma; `index` in the list. */
static SsStatus
start_with_sigma (SsStarts *s, int index, SsError *err)
{
  const SsOptionValue begin[] = {{offsetof (SsScholtesOptions, sigma0), others[index].sigma0},
                                 {offsetof (SsScholtesOptions, kappa), others[index].kappa}},
                      end[] = {{offsetof (SsScholtesOptions, sigma_min), telling},
                               {offsetof (SsScholtesOptions, tol_comp), telling}};
  SsScholtesOptions options = *(const SsScholtesOptions *)s->job->options;
  char name[64];

  name_sigma (index, name, sizeof name);
  ss_options_give (ss_nlp_scholtes.options, &options, begin, 2);
  if (s->is_frozen)
    ss_options_give (ss_nlp_scholtes.options, &options, end, 2);
  return solve_again (s, name, &options, &s->job->transcription, err);
}

/* The plan in numerical time with the other cost: its polish has the task's. */
static SsStatus
start_with_other_cost (SsStarts *s, SsError *err)
{
  SsFesdOptions own = *ss_transcription_fesd_options (&s->job->transcription);
  SsTranscribeOptions transcription = s->job->transcription;

  own.cost = own.cost == SS_FREEZE_PHYSICAL ? SS_FREEZE_IN_TAU : SS_FREEZE_PHYSICAL;
  transcription.own = &own;
  return solve_again (s, other_cost, s->job->options, &transcription, err);
}

enum { FIRST_SIGMA = 3, N_OTHERS = sizeof others / sizeof others[0] };

/* Its place among the starts of a plan by fesd-j; 1: the other cost of a plan in numerical time. */
static int
place_of (const SsStarts *s, int number)
{
  return number - s->is_frozen;
}

static void
name_start (const SsStarts *s, int number, char *name, size_t size)
{
  const int place = place_of (s, number);

  if (place < FIRST_SIGMA)
    snprintf (name, size, "%s", place < 2 ? other_cost : crisp_plan);
  else if (place - FIRST_SIGMA < N_OTHERS)
    name_sigma (place - FIRST_SIGMA, name, size);
  else
    name[0] = '\0';
}

static SsStatus
run_start (SsStarts *s, int number, SsError *err)
{
  const int place = place_of (s, number);

  if (place < FIRST_SIGMA)
    return place < 2 ? start_with_other_cost (s, err) : start_from_crisp (s, err);
  if (place - FIRST_SIGMA < N_OTHERS && s->job->nlp == &ss_nlp_scholtes)
    return start_with_sigma (s, place - FIRST_SIGMA, err);
  return SS_OK;
}

static SsPlanRank
rank_of_best (const SsImproved *out)
{
  return out->best.is_solved
             ? ss_plan_rank_of_controls (out->best.metrics.max_violation, &out->best.replay, out->best.end_distance)
             : (SsPlanRank){.grade = SS_PLAN_NONE};
}

static bool
is_better (const SsImproved *out, const SsPlanRank *before)
{
  const SsPlanRank now = rank_of_best (out);

  return ss_plan_goes_before (&now, before);
}

SsStatus
ss_plan_improve (const SsSolveJob *job, const double *x, double violation, const SsImproveListener *listener,
                 SsRunControl *control, SsImproved *out, SsError *err)
{
  SS_ASSERT (out != NULL);

  const double begun = ss_clock_thread_cpu ();
  SsStarts s;
  SsTriedControls own = {0};
  SsOutcome why;
  const bool improves = ss_plan_improves (job);
  SsStatus status = ss_starts_open (&s, job, listener, control, out, err);
  const char *own_name = ss_starts_keep_modes (&s) ? "the modes of the start" : "the method's own plan";
  const SsPlanRank before = rank_of_best (out);

  if (status == SS_OK && improves)
    status = start_from_answer (&s, own_name, x, &own, err);
  else if (status == SS_OK && violation < SS_RUN_FEASIBLE)
    status = try_answer (&s, x, &own, err);
  if (status == SS_OK && improves && s.is_frozen && !ss_starts_keep_modes (&s))
    status = move_sticks (&s, err);
  if (status == SS_OK && improves)
    status = ss_starts_end (&s, own_name, ss_clock_thread_cpu () - begun, is_better (out, &before), true, err);
  for (int number = 2;
       improves && number <= s.fesd.starts && place_of (&s, number) < FIRST_SIGMA + N_OTHERS && status == SS_OK;
       number++) {
    if (ss_run_control_should_stop (control, &why))
      break;
    const double best = out->best.replay.value.objective, again = ss_clock_thread_cpu ();
    const SsPlanRank least = rank_of_best (out);
    char name[64];

    name_start (&s, number, name, sizeof name);
    status = run_start (&s, number, err);
    if (status == SS_OK && s.is_frozen && !(out->best.replay.value.objective >= best))
      status = move_sticks (&s, err);
    if (status == SS_OK)
      status = ss_starts_end (&s, name, ss_clock_thread_cpu () - again, is_better (out, &least), false, err);
  }
  out->own = ss_plan_rank_of_controls (violation, &own, NAN);
  /* What a plan in numerical time is worth in time need not reach its targets. */
  if (s.is_frozen && out->own.grade > SS_PLAN_IN_VAIN)
    out->own = (SsPlanRank){SS_PLAN_IN_VAIN, violation, INFINITY};
  ss_tried_controls_clear (&own);
  ss_starts_close (&s);
  return status;
}
