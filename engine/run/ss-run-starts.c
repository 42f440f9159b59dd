/* engine/run/ss-run-starts.c: see the header. */
#include "run/ss-run-starts.h"

#include "mpcc/ss-problem.h"
#include "run/ss-run-private.h"
#include "run/ss-stick-moves.h"
#include "transcribe/ss-freeze-plan.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Steps of CRISP's plan and of the simulation of its controls in an interval. */
enum { CRISP_STEPS = 4, TRIED_STEPS = 8 };

/* A change of a sequence is followed by another one where the cost falls by more than this part: replays are good to
 * 1e-4. Touches that are tried in vain before no other one is. */
static const double repeat_gain = 1e-3;
enum { PASSED_MAX = 2 };
/* Polishes of neighbours that stick elsewhere, after one start. */
enum { MOVES_MAX = 12, NEIGHBOURS_MAX = 6 };

/* Of the method again, in turn: first sigma and factor. */
static const struct {
  const char *sigma0, *kappa;
} others[] = {{"10", "0.5"}, {"1", "0.2"}, {"10", "0.1"}, {"0.1", "0.3"}};

typedef struct {
  const SsJob *job;
  SsRunControl *control;
  SsTranscribeOptions transcription; /* fesd-j, with options */
  SsFesdOptions fesd;
  bool is_frozen; /* the method's plan is one in numerical time */
  SsPlan plan;    /* its intervals */
  int n_passed;   /* touches of the smallest impulses that stay in the next sequence with one less */
  SsImproved *out;
} Starts;

static const SsFesdOptions *
options_of (const SsJob *job)
{
  const SsTranscriptionClass *class_ = job->transcription.class_;

  return class_ == &ss_transcription_fesd_j || class_ == &ss_transcription_time_freezing ? job->transcription.own
                                                                                         : NULL;
}

bool
ss_run_improves (const SsJob *job)
{
  const SsFesdOptions *options = options_of (job);

  return job->scenario->scene != NULL && options != NULL && (options->polish || options->starts > 1);
}

void
ss_improved_clear (SsImproved *improved)
{
  for (int i = 0; i < improved->n_solutions - 1; i++)
    ss_polished_clear (&improved->found[i]);
  ss_free (improved->found);
  ss_polished_clear (&improved->best);
  *improved = (SsImproved){0};
}

/* ---- comparing --------------------------------------------------------------------------------------------------- */

/* Of replays: one that came to its end, that kept the path, that costs less. */
static bool
is_less (const SsTriedControls *a, const SsTriedControls *b)
{
  const bool keeps_a = a->value.way <= SS_RUN_PATH_KEPT, keeps_b = b->value.way <= SS_RUN_PATH_KEPT;

  if (!a->is_complete || !b->is_complete)
    return a->is_complete && !b->is_complete;
  return keeps_a != keeps_b ? keeps_a : a->value.objective < b->value.objective;
}

/* Takes a solution, which is zeroed. */
static SsStatus
take (Starts *s, const char *name, SsPolished *polished, SsError *err)
{
  SsImproved *out = s->out;
  char cost[16], text[96];

  out->n_solves += polished->n_solves;
  out->cpu_seconds += polished->cpu_seconds;
  out->linear_seconds += polished->linear_seconds;
  snprintf (polished->start, sizeof polished->start, "%s", name);
  if (!polished->is_solved) {
    snprintf (text, sizeof text, "%s: not solved", name);
    ss_run_append_text (out->message, sizeof out->message, text);
    if (s->control != NULL)
      ss_run_control_log (s->control, SS_LOG_INFO, "polish of %s: %s", name, polished->message);
    return SS_OK;
  }
  snprintf (cost, sizeof cost, "%.6g", polished->replay.value.objective);
  snprintf (text, sizeof text, "%s: %s replayed%s", name, cost, polished->agrees ? "" : " (refined too little)");
  ss_run_append_text (out->message, sizeof out->message, text);
  if (s->control != NULL)
    ss_run_control_log (s->control, SS_LOG_INFO,
                        "polish of %s: objective %.9g, replayed %.9g, path left by %.2g, %d smooth problems, %.3g s",
                        name, polished->metrics.objective, polished->replay.value.objective, polished->replay.value.way,
                        polished->n_solves, polished->cpu_seconds);
  if (out->n_solutions > 0) {
    SsPolished *found = ss_realloc (out->found, (size_t)out->n_solutions, sizeof *found);

    if (found == NULL)
      return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
    out->found = found;
    found[out->n_solutions - 1] = *polished;
    if (is_less (&polished->replay, &out->best.replay)) {
      found[out->n_solutions - 1] = out->best;
      out->best = *polished;
    }
  } else
    out->best = *polished;
  out->n_solutions++;
  *polished = (SsPolished){0};
  return SS_OK;
}

static SsStatus
polish (Starts *s, const char *name, const SsFesdSequence *sequence, SsError *err)
{
  SsPolished polished;
  const SsPolishOptions options = {.stages = s->fesd.stages > 3 ? s->fesd.stages : 3};
  SsStatus status = ss_polish (s->job->scenario, &s->transcription, sequence, &options, s->control, &polished, err);

  if (status == SS_OK)
    status = take (s, name, &polished, err);
  ss_polished_clear (&polished);
  return status;
}

/* The sequence of the motion under these controls; *tried is what they cost. A motion that ends early leaves *out
 * NULL. */
static SsStatus
follow (Starts *s, const double *controls, SsTriedControls *tried, SsFesdSequence **out, SsError *err)
{
  SsStatus status =
      ss_try_controls (s->job->scenario, &s->plan, controls, TRIED_STEPS, s->fesd.a_n_of, s->control, tried, err);

  *out = NULL;
  if (status == SS_OK && tried->is_complete)
    status = ss_fesd_sequence_from_motion (s->job->scenario, &s->transcription, tried->simulated.trajectory,
                                           tried->simulated.stages, controls, out, err);
  if (status == SS_ERR_INVALID) { /* no modes to be read: no start */
    *err = (SsError){0};
    status = SS_OK;
  }
  return status;
}

/* ---- the starts -------------------------------------------------------------------------------------------------- */

static SsStatus start_from_frozen (Starts *s, const char *name, const double *x, SsTriedControls *own, SsError *err);

/* The method's answer: its modes; where they lead nowhere, those of the motion that its controls give. *own: what the
 * answer costs. */
static SsStatus
start_from_answer (Starts *s, const char *name, const double *x, SsTriedControls *own, SsError *err)
{
  SsFesdSequence *read = NULL, *followed = NULL;
  const int before = s->out->n_solutions;

  if (s->is_frozen)
    return start_from_frozen (s, name, x, own, err);
  SsStatus status = ss_fesd_sequence_from_iterate (s->job->scenario, &s->transcription, x, &read, err);

  if (status == SS_ERR_INVALID) {
    *err = (SsError){0};
    return SS_OK;
  }
  if (status == SS_OK)
    status = follow (s, read->controls, own, &followed, err);
  if (status == SS_OK)
    status = polish (s, name, read, err);
  if (status == SS_OK && s->out->n_solutions == before && followed != NULL)
    status = polish (s, "the motion of its controls", followed, err);
  ss_fesd_sequence_free (read);
  ss_fesd_sequence_free (followed);
  return status;
}

/* Controls of a motion in time, averaged over the intervals; what is frozen counts nothing. */
static void
average_in_time (const Starts *s, const SsTrajectory *motion, double *controls)
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
start_from_frozen (Starts *s, const char *name, const double *x, SsTriedControls *own, SsError *err)
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
    status = follow (s, controls, own, &sequence, err);
  }
  const int before = s->out->n_solutions;
  if (status == SS_OK && sequence != NULL)
    status = polish (s, name, sequence, err);
  /* Modes that lead nowhere: their neighbours. */
  for (int i = 0; i < NEIGHBOURS_MAX && status == SS_OK && sequence != NULL && s->out->n_solutions == before; i++) {
    SsFesdSequence *moved = NULL;

    status = ss_stick_move (sequence, i, &moved, err);
    if (moved == NULL)
      break;
    status = polish (s, "its neighbour", moved, err);
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
average_controls (const Starts *s, const SsTrajectory *motion, double *controls)
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
start_from_crisp (Starts *s, SsError *err)
{
  const SsMethod *crisp = ss_method_find (SS_METHOD_OPTIMISER, "crisp", err);
  SsJob job = {.scenario = s->job->scenario,
               .method = crisp,
               .dt = NAN,
               .t_end = NAN,
               .transcription = {.class_ = &ss_transcription_time_stepping}};
  SsSilence silence;
  SsRunResult result;
  SsTriedControls tried = {0};
  SsFesdSequence *sequence = NULL;
  double *controls = ss_new_array (double, s->plan.steps * s->job->scenario->scene->n_actuators + 1);
  void *options = crisp != NULL ? ss_alloc (1, crisp->options->size + 1) : NULL;
  SsStatus status = controls != NULL && options != NULL ? SS_OK : ss_error_set (err, SS_ERR_MEMORY, "out of memory");

  ss_run_result_init (&result);
  ss_silence_init (&silence, s->control);
  if (status == SS_OK) {
    ss_method_init_options (crisp, s->job->scenario, options);
    job.options = options;
    job.transcription.dt = s->plan.horizon / s->plan.steps / CRISP_STEPS;
    job.transcription.t_end = s->job->transcription.t_end;
    status = ss_run (&job, &silence.inner, &result, err);
  }
  if (status == SS_OK && ss_run_motion (&result) != NULL &&
      ss_run_motion (&result)->n_rows >= s->plan.steps * CRISP_STEPS) {
    average_controls (s, ss_run_motion (&result), controls);
    status = follow (s, controls, &tried, &sequence, err);
  }
  s->out->cpu_seconds += fmax (ss_metric_get (&result.metrics, SS_METRIC_CPU_SECONDS), 0);
  if (status == SS_OK && sequence != NULL)
    status = polish (s, "CRISP's time-stepping plan", sequence, err);
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

/* The touch of the smallest impulse that is above `above`, which it then is; -1: none. */
static int
find_touch (const SsFesdSequence *sequence, double *above, int *gap)
{
  double least = INFINITY;
  int first = -1;

  for (int i = 1; i < sequence->n_segments; i++)
    for (int l = 0; l < sequence->n_gaps; l++) {
      const double impulse = sequence->segments[i].impulse[2 * l];

      if (sequence->segments[i].jump[l] != SS_FESD_OPEN && sequence->segments[i - 1].mode[l] == SS_FESD_OPEN &&
          impulse > *above && impulse < least) {
        least = impulse;
        first = i;
        *gap = l;
      }
    }
  *above = least;
  return first;
}

/* The best sequence without the touch of the smallest impulse but `n_passed`: that gap stays open until it would part
 * anyway. */
static SsStatus
start_with_less (Starts *s, SsError *err)
{
  SsFesdSequence *sequence = NULL;
  int first = -1, gap = -1;
  double above = -INFINITY;
  SsStatus status = s->out->best.is_solved ? ss_fesd_sequence_copy (s->out->best.sequence, &sequence, err) : SS_OK;

  for (int i = 0; sequence != NULL && i <= s->n_passed; i++)
    first = find_touch (sequence, &above, &gap);
  if (first >= 0) {
    sequence->segments[first].jump[gap] = SS_FESD_OPEN;
    for (int i = first; i < sequence->n_segments && sequence->segments[i].mode[gap] != SS_FESD_OPEN; i++)
      sequence->segments[i].mode[gap] = SS_FESD_OPEN;
    status = polish (s, "one touch less", sequence, err);
  }
  ss_fesd_sequence_free (sequence);
  return status;
}

/* Where in a flight of the gap it is smallest, away from the flight's ends; false: nowhere. */
static bool
find_approach (const SsFesdSequence *sequence, int gap, int *segment, double *theta)
{
  const int size = ss_fesd_sequence_sample_size (sequence);
  double least = INFINITY, before = INFINITY, here = INFINITY;
  int at = -1, number = -1;

  /* a local minimum over the samples in a row: smaller than both neighbours */
  for (int s = 0; s < sequence->n_segments; s++) {
    const SsFesdSegment *own = &sequence->segments[s];

    for (int i = 0; i < own->n_samples; i++) {
      const double next =
          own->mode[gap] == SS_FESD_OPEN ? own->samples[(size_t)(i + 1) * size - sequence->n_gaps + gap] : INFINITY;

      if (at >= 0 && isfinite (here) && here < before && here < next && isfinite (next) && isfinite (before) &&
          here < least) {
        least = here;
        *segment = at;
        *theta = sequence->segments[at].samples[(size_t)number * size];
      }
      if (next != here) {
        before = here;
        here = next;
        at = s;
        number = i;
      }
    }
  }
  return isfinite (least) && *theta > 0.05 && *theta < 0.95;
}

static SsStatus
start_with_more (Starts *s, SsError *err)
{
  SsFesdSequence *sequence = NULL;
  int segment = -1, gap = -1;
  double theta = 0;
  SsStatus status = s->out->best.is_solved ? ss_fesd_sequence_copy (s->out->best.sequence, &sequence, err) : SS_OK;

  for (int l = 0; sequence != NULL && l < sequence->n_gaps && gap < 0; l++) {
    bool touches = false;

    for (int i = 1; i < sequence->n_segments; i++)
      touches = touches || sequence->segments[i].jump[l] != SS_FESD_OPEN;
    if (touches && find_approach (sequence, l, &segment, &theta))
      gap = l;
  }
  if (status == SS_OK && gap >= 0) {
    status = ss_sequence_split (sequence, segment, theta, err);
    if (status == SS_OK)
      sequence->segments[segment + 1].jump[gap] = SS_FESD_SLIP_PLUS;
    if (status == SS_OK)
      status = polish (s, "one touch more", sequence, err);
  }
  ss_fesd_sequence_free (sequence);
  return status;
}

/* Whether the start made a plan that is cheaper than the best one was. */
static SsStatus
try_change (Starts *s, SsStatus (*start) (Starts *, SsError *), bool *gains, SsError *err)
{
  const double best = s->out->best.replay.value.objective;
  const SsStatus status = start (s, err);

  *gains = s->out->best.replay.value.objective < best - repeat_gain * fabs (best);
  return status;
}

/* Changes the best sequence again and again while that brings cheaper plans; another touch where one must stay. */
static SsStatus
repeat (Starts *s, SsStatus (*start) (Starts *, SsError *), int passed_max, SsError *err)
{
  SsOutcome why;
  SsStatus status;
  bool gains;

  s->n_passed = 0;
  do {
    status = try_change (s, start, &gains, err);
    s->n_passed += !gains;
  } while (status == SS_OK && s->n_passed <= passed_max && !ss_run_control_should_stop (s->control, &why));
  return status;
}

/* The method once more with other options, or another transcription's. */
static SsStatus
solve_again (Starts *s, const char *name, const void *options, const SsTranscribeOptions *transcription, SsError *err)
{
  const SsMethod *method = s->job->method;
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
    status = method->nlp->new_ (mpcc, options, &solver, err);
  }
  if (status == SS_OK)
    status = method->nlp->solve (solver, x, &silence.inner, &answer, err);
  if (status == SS_OK) {
    s->out->cpu_seconds += answer.cpu_seconds;
    status = start_from_answer (s, name, answer.x, &tried, err);
  }
  ss_tried_controls_clear (&tried);
  if (solver != NULL)
    method->nlp->free_ (solver);
  ss_mpcc_free (mpcc);
  ss_scenario_free (model);
  ss_free (x);
  ss_free (parameters);
  return status;
}

/* Neighbours of the best plan that stick elsewhere, as long as one of them is cheaper. */
static SsStatus
move_sticks (Starts *s, SsError *err)
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
    status = polish (s, "another stick", moved, err);
    n_polished++;
    ss_fesd_sequence_free (moved);
    if (status != SS_OK)
      break;
    if (s->out->best.replay.value.objective < best - repeat_gain * fabs (best))
      number = -1;
  }
  return status;
}

/* The method with another first sigma; `index` in the list. */
static SsStatus
start_with_sigma (Starts *s, int index, SsError *err)
{
  const SsMethod *method = s->job->method;
  void *options = ss_alloc (1, method->options->size + 1);
  char name[64];
  SsStatus status = options != NULL ? SS_OK : ss_error_set (err, SS_ERR_MEMORY, "out of memory");

  snprintf (name, sizeof name, "sigma0 %s, kappa %s", others[index].sigma0, others[index].kappa);
  if (status == SS_OK) {
    memcpy (options, s->job->options, method->options->size);
    status = ss_options_set (method->options, options, "sigma0", others[index].sigma0, err);
  }
  if (status == SS_OK)
    status = ss_options_set (method->options, options, "kappa", others[index].kappa, err);
  if (status == SS_OK)
    status = solve_again (s, name, options, &s->job->transcription, err);
  ss_free (options);
  return status;
}

/* The plan in numerical time with the other cost: its polish has the task's. */
static SsStatus
start_with_other_cost (Starts *s, SsError *err)
{
  SsFesdOptions own = *options_of (s->job);
  SsTranscribeOptions transcription = s->job->transcription;

  own.cost = own.cost == SS_FREEZE_PHYSICAL ? SS_FREEZE_IN_TAU : SS_FREEZE_PHYSICAL;
  transcription.own = &own;
  return solve_again (s, "the other cost", s->job->options, &transcription, err);
}

static bool
has_option (const SsMethod *method, const char *name)
{
  for (int i = 0; i < method->options->n_specs; i++)
    if (strcmp (method->options->specs[i].name, name) == 0)
      return true;
  return false;
}

static SsStatus
run_start (Starts *s, int number, SsError *err)
{
  enum { FIRST_SIGMA = 5 };

  if (s->is_frozen && number == 2)
    return start_with_other_cost (s, err);
  number -= s->is_frozen; /* the others come one later */
  if (number == 2)
    return start_from_crisp (s, err);
  if (number == 3)
    return repeat (s, start_with_less, PASSED_MAX, err);
  if (number == 4)
    return repeat (s, start_with_more, 0, err);
  if (number - FIRST_SIGMA < (int)(sizeof others / sizeof others[0]) && has_option (s->job->method, "sigma0") &&
      has_option (s->job->method, "kappa"))
    return start_with_sigma (s, number - FIRST_SIGMA, err);
  return SS_OK;
}

/* What the last start took, its own solve included but for the first. */
static void
say_seconds (Starts *s, double seconds)
{
  char text[48];

  snprintf (text, sizeof text, " [%.2g s]", seconds);
  const size_t used = strlen (s->out->message);
  snprintf (s->out->message + used, sizeof s->out->message - used, "%s", text);
}

SsStatus
ss_run_improve (const SsJob *job, const double *x, SsRunControl *control, SsImproved *out, SsError *err)
{
  Starts s = {
      .job = job, .control = control, .transcription = job->transcription, .fesd = *options_of (job), .out = out};
  const double begun = ss_clock_thread_cpu ();
  double *a_n = ss_new_array (double, job->scenario->scene->n_contacts + 1);
  SsTriedControls own = {0};
  SsOutcome why;
  SsStatus status = a_n != NULL ? SS_OK : ss_error_set (err, SS_ERR_MEMORY, "out of memory");

  *out = (SsImproved){0};
  s.is_frozen = job->transcription.class_ == &ss_transcription_time_freezing;
  s.transcription.class_ = &ss_transcription_fesd_j;
  s.transcription.own = &s.fesd;
  if (status == SS_OK && s.is_frozen && s.fesd.cost == SS_FREEZE_IN_TAU) {
    status = ss_freeze_plan_a_n (job->scenario, &job->transcription, a_n, err);
    s.fesd.a_n_of = a_n;
  }
  s.plan = *job->scenario->task.plan;
  if (job->transcription.t_end > 0)
    s.plan.horizon = job->transcription.t_end;
  if (job->transcription.dt > 0)
    s.plan.steps = (int)fmax (round (s.plan.horizon / job->transcription.dt), 1);
  if (status == SS_OK)
    status = start_from_answer (&s, "the method's own plan", x, &own, err);
  if (status == SS_OK && s.is_frozen)
    status = move_sticks (&s, err);
  say_seconds (&s, ss_clock_thread_cpu () - begun);
  out->n_starts = 1;
  for (int number = 2; number <= s.fesd.starts && status == SS_OK; number++) {
    if (ss_run_control_should_stop (control, &why))
      break;
    const double best = out->best.replay.value.objective, again = ss_clock_thread_cpu ();
    status = run_start (&s, number, err);
    if (status == SS_OK && s.is_frozen && !(out->best.replay.value.objective >= best))
      status = move_sticks (&s, err);
    say_seconds (&s, ss_clock_thread_cpu () - again);
    out->n_starts++;
  }
  /* What a plan in numerical time is worth in time need not reach its targets. */
  out->is_better = out->best.is_solved && (s.is_frozen || !own.is_complete || !is_less (&own, &out->best.replay));
  ss_tried_controls_clear (&own);
  ss_free (a_n);
  return status;
}
