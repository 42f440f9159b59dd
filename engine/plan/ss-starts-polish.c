/* engine/plan/ss-starts-polish.c: what all starts of a plan by fesd-j do with a sequence; see ss-starts-private.h. */
#include "plan/ss-starts-private.h"

#include "core/ss-memory.h"
#include "plan/ss-polish-pieces.h"
#include "plan/ss-sequence-changes.h"
#include "transcribe/ss-freeze-plan.h"
#include "transcribe/ss-transcriptions.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A change of a sequence is one where the cost falls by this part on coarse elements, which agree better with each
 * other than with fine ones; how many are tried of one plan, and what a smooth problem of it may take. */
static const double change_gain = 1e-4, no_cost = 1e300;
enum { CHANGES_MAX = 40, COARSE_ITERATIONS = 100, CHANGE_ITERATIONS = 50, COARSE_SOLVES = 12, START_ITERATIONS = 500 };

/* Weight of the distance from a motion, beside costs of about 1, and how near the replay of that plan is to end [m]. */
static const double NEAR = 10, NEAR_DISTANCE = 1e-4;
enum { NEAR_SOLVES = 3 }; /* one that needs more is of forces that no law decides, mostly */

/* ---- a run of starts --------------------------------------------------------------------------------------------- */

SsStatus
ss_starts_open (SsStarts *s, const SsSolveJob *job, const SsImproveListener *listener, SsRunControl *control,
                SsImproved *out, SsError *err)
{
  SS_ASSERT (s != NULL && job != NULL && out != NULL);

  SsStatus status = SS_OK;

  *s = (SsStarts){.job = job,
                  .listener = listener,
                  .control = control,
                  .transcription = job->transcription,
                  .fesd = *ss_transcription_fesd_options (&job->transcription),
                  .is_frozen = job->transcription.class_ == &ss_transcription_time_freezing,
                  .plan = *job->scenario->task.plan,
                  .out = out};
  s->transcription.class_ = &ss_transcription_fesd_j;
  s->transcription.own = &s->fesd;
  if (s->is_frozen && s->fesd.cost == SS_FREEZE_IN_TAU) {
    s->a_n = ss_new_array (double, job->scenario->scene->n_contacts + 1);
    status = s->a_n != NULL ? ss_freeze_plan_a_n (job->scenario, &job->transcription, s->a_n, err)
                            : ss_error_set (err, SS_ERR_MEMORY, "out of memory");
    s->fesd.a_n_of = s->a_n;
  }
  s->n_before = out->n_solutions + out->has_shot;
  if (job->transcription.t_end > 0)
    s->plan.horizon = job->transcription.t_end;
  if (job->transcription.dt > 0)
    s->plan.steps = (int)fmax (round (s->plan.horizon / job->transcription.dt), 1);
  return status;
}

void
ss_starts_close (SsStarts *s)
{
  SS_ASSERT (s != NULL);
  ss_free (s->a_n);
}

SsStatus
ss_starts_end (SsStarts *s, const char *name, double seconds, bool is_best, bool is_own, SsError *err)
{
  SS_ASSERT (s != NULL);

  char text[48];
  const int n = s->out->n_solutions + s->out->has_shot, before = s->n_before;

  snprintf (text, sizeof text, " [%.2g s]", seconds);
  const size_t used = strlen (s->out->message);
  snprintf (s->out->message + used, sizeof s->out->message - used, "%s", text);
  s->out->n_starts++;
  if (is_best) {
    snprintf (s->out->best_start, sizeof s->out->best_start, "%s", name);
    s->out->is_first = is_own;
    s->out->best_seconds = seconds;
  }
  s->n_before = n;
  return n > before ? SS_OK : ss_tries_add (&s->out->tries, SS_TRY_START, SS_TRY_NO_PLAN, NAN, name, err);
}

/* ---- polishing --------------------------------------------------------------------------------------------------- */

static SsPlanRank
rank_of (const SsPolished *polished)
{
  return ss_plan_rank_of_controls (polished->metrics.max_violation, &polished->replay, polished->end_distance);
}

/* In the account of the starts. */
static void
ss_starts_say_unsolved (SsStarts *s, const char *name)
{
  char text[96];

  snprintf (text, sizeof text, "%s: not solved", name);
  ss_run_append_text (s->out->message, sizeof s->out->message, text);
}

/* Takes a solution, which is zeroed. */
static SsStatus
take (SsStarts *s, const char *name, SsPolished *polished, SsError *err)
{
  SsImproved *out = s->out;
  bool is_best = true;
  char cost[16], text[96];

  out->n_solves += polished->n_solves;
  out->cpu_seconds += polished->cpu_seconds;
  out->linear_seconds += polished->linear_seconds;
  snprintf (polished->start, sizeof polished->start, "%s", name);
  if (!polished->is_solved) {
    ss_starts_say_unsolved (s, name);
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
    const SsPlanRank own = rank_of (polished), best = rank_of (&out->best);
    is_best = ss_plan_goes_before (&own, &best);
    if (is_best) {
      found[out->n_solutions - 1] = out->best;
      out->best = *polished;
    }
  } else
    out->best = *polished;
  out->n_solutions++;
  *polished = (SsPolished){0};
  return is_best ? s->listener->found (s->listener->user_data, &out->best, err) : SS_OK;
}

static int
polish_stages (const SsStarts *s)
{
  return s->fesd.stages > 3 ? s->fesd.stages : 3;
}

bool
ss_starts_keep_modes (const SsStarts *s)
{
  SS_ASSERT (s != NULL);
  return s->fesd.modes != SS_FESD_MODES_FREE;
}

/* What a smooth problem may take. */
static int
iterations (const SsStarts *s, int usual)
{
  return s->fesd.polish_iterations > 0 ? s->fesd.polish_iterations : usual;
}

SsStatus
ss_starts_polish (SsStarts *s, const char *name, const SsFesdSequence *sequence, SsError *err)
{
  SS_ASSERT (s != NULL);

  SsPolished polished;
  const SsPolishOptions options = {.stages = polish_stages (s),
                                   .elements = ss_starts_keep_modes (s) ? s->fesd.elements : s->elements,
                                   .max_iterations = iterations (s, ss_starts_keep_modes (s) ? START_ITERATIONS : 0),
                                   .max_solves = s->fesd.polish_rounds,
                                   .distance = s->fesd.replay_distance,
                                   .tells = ss_starts_keep_modes (s),
                                   .pieces = s->fesd.pieces};
  SsStatus status = ss_polish (s->job->scenario, &s->transcription, sequence, &options, s->control, &polished, err);

  if (status == SS_OK && polished.is_solved && options.pieces > 1)
    status =
        ss_polish_pieces (s->job->scenario, &s->transcription, &options, options.pieces, s->control, &polished, err);
  if (status == SS_OK)
    status = take (s, name, &polished, err);
  ss_polished_clear (&polished);
  return status;
}

/* Polishes a sequence on coarse elements; where it is cheaper it takes the place of *best, which costs *cost. The
 * sequence is cleared. */
static SsStatus
try_sequence (SsStarts *s, SsFesdSequence *sequence, bool is_patient, SsFesdSequence **best, double *cost, bool *gains,
              SsError *err)
{
  const SsPolishOptions options = {.stages = polish_stages (s),
                                   .elements = s->elements,
                                   .max_iterations = iterations (s, is_patient ? COARSE_ITERATIONS : CHANGE_ITERATIONS),
                                   .max_solves = COARSE_SOLVES,
                                   .gives_up = !is_patient,
                                   .is_coarse = true};
  SsPolished polished;
  SsStatus status = ss_polish (s->job->scenario, &s->transcription, sequence, &options, s->control, &polished, err);

  *gains = false;
  s->out->n_solves += polished.n_solves;
  s->out->cpu_seconds += polished.cpu_seconds;
  s->out->linear_seconds += polished.linear_seconds;
  if (status == SS_OK && polished.is_solved && polished.metrics.objective < *cost - change_gain * fabs (*cost)) {
    *gains = true;
    *cost = polished.metrics.objective;
    ss_fesd_sequence_free (*best);
    *best = polished.sequence;
    polished.sequence = NULL;
  }
  ss_polished_clear (&polished);
  ss_fesd_sequence_free (sequence);
  return status;
}

/* Every change of that kind until one gains, and then from the first again. *any: whether one did. */
static SsStatus
try_changes (SsStarts *s, SsSequenceChange kind, int *n_left, SsFesdSequence **best, double *cost, bool *any,
             SsError *err)
{
  SsOutcome why;
  SsStatus status = SS_OK;

  *any = false;
  for (int number = 0; status == SS_OK && *n_left > 0; number++) {
    SsFesdSequence *changed = NULL;
    bool is_one = false, gains = false;

    if (ss_run_control_should_stop (s->control, &why))
      break;
    status = ss_fesd_sequence_copy (*best, &changed, err);
    if (status == SS_OK)
      status = ss_sequence_change (changed, kind, number, &is_one, err);
    if (status != SS_OK || !is_one) {
      ss_fesd_sequence_free (changed);
      break;
    }
    --*n_left;
    status = try_sequence (s, changed, false, best, cost, &gains, err);
    if (!gains)
      continue;
    *any = true;
    number = -1;
    if (s->control != NULL)
      ss_run_control_log (s->control, SS_LOG_DEBUG, "change of the sequence: %s: %.9g on coarse elements",
                          ss_sequence_change_names[kind], *cost);
  }
  return status;
}

/* Solves the sequence's problem on coarse elements, changes it as long as that pays, and refines what is best; *kept:
 * whether there is a solution. is_motion: the sequence is that of a motion, which is worth more patience. */
SsStatus
ss_starts_polish_changed (SsStarts *s, const char *name, const SsFesdSequence *sequence, bool is_motion, bool *kept,
                          SsError *err)
{
  SS_ASSERT (s != NULL && kept != NULL);

  SsFesdSequence *best = NULL, *same = NULL;
  const int before = s->out->n_solutions;
  double cost = no_cost;
  bool is_solved = false, any = false, any_ever = false;
  int n_left = CHANGES_MAX, n_quiet = 0;
  SsStatus status = ss_fesd_sequence_copy (sequence, &same, err);

  if (status == SS_OK)
    status = try_sequence (s, same, is_motion, &best, &cost, &is_solved, err);
  for (int kind = 0; status == SS_OK && is_solved && n_quiet < SS_SEQUENCE_N_CHANGES;
       kind = (kind + 1) % SS_SEQUENCE_N_CHANGES) {
    status = try_changes (s, (SsSequenceChange)kind, &n_left, &best, &cost, &any, err);
    n_quiet = any ? 1 : n_quiet + 1;
    any_ever = any_ever || any;
  }
  if (status == SS_OK && is_solved) {
    status = ss_starts_polish (s, name, best, err);
    if (status == SS_OK && s->out->n_solutions == before && any_ever) /* the first one had an answer, too */
      status = ss_starts_polish (s, name, sequence, err);
  } else if (status == SS_OK)
    ss_starts_say_unsolved (s, name);
  *kept = s->out->n_solutions > before;
  ss_fesd_sequence_free (best);
  return status;
}

/* The sequence of the motion under these controls; *tried is what they cost. A motion that ends early leaves *out
 * NULL. */
SsStatus
ss_starts_follow (SsStarts *s, const double *controls, SsTriedControls *tried, SsFesdSequence **out, SsError *err)
{
  SS_ASSERT (s != NULL && out != NULL);

  SsStatus status = ss_try_controls (s->job->scenario, &s->plan, controls, SS_STARTS_TRIED_STEPS, s->fesd.a_n_of,
                                     s->control, tried, err);

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

SsStatus
ss_starts_polish_near (SsStarts *s, const char *name, const SsFesdSequence *sequence, bool *kept, SsError *err)
{
  SS_ASSERT (s != NULL);

  const SsPolishOptions options = {.stages = polish_stages (s),
                                   .elements = s->elements,
                                   .max_iterations = iterations (s, COARSE_ITERATIONS),
                                   .max_solves = NEAR_SOLVES,
                                   .near = NEAR,
                                   .distance = s->fesd.replay_distance > 0 ? s->fesd.replay_distance : NEAR_DISTANCE};
  SsFesdSequence *solved = NULL;
  SsPolished polished;
  bool is_cheaper;
  SsStatus status = ss_polish (s->job->scenario, &s->transcription, sequence, &options, s->control, &polished, err);

  const bool is_solved = status == SS_OK && polished.is_solved;
  *kept = is_solved && polished.agrees;
  if (is_solved)
    status = ss_fesd_sequence_copy (polished.sequence, &solved, err);
  if (status == SS_OK)
    status = take (s, name, &polished, err);
  if (*kept && status == SS_OK)
    status = ss_starts_polish_changed (s, "a cheaper plan in its modes", solved, false, &is_cheaper, err);
  ss_fesd_sequence_free (solved);
  ss_polished_clear (&polished);
  return status;
}
