/* engine/plan/ss-polish-pieces.c: see the header. */
#include "plan/ss-polish-pieces.h"

#include "mpcc/ss-problem.h"
#include "plan/ss-plan-rest.h"
#include "core/ss-memory.h"
#include "solve/ss-run-replayed.h"
#include "solve/ss-run-result.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The rest of a plan is taken where no row of it is missed by more: a tenth of what a run's rows may be. Else the piece
 * before goes on. */
static const double solved_rest = 1e-7;
/* The replay of the whole ends as near as a plan in pieces means it [m]. */
static const double joined_distance = 1e-3;
/* Iterations of a rest, whose start is nearly its answer. */
enum { REST_ITERATIONS = 30 };

/* ---- cuts -------------------------------------------------------------------------------------------------------- */

static int
first_segment (const SsFesdSequence *sequence, int interval)
{
  int s = 0;

  while (s < sequence->n_segments && sequence->segments[s].interval < interval)
    s++;
  return s;
}

int
ss_pieces_cuts (const SsFesdSequence *sequence, int n_pieces, int *cuts)
{
  SS_ASSERT (n_pieces >= 0);

  int n = 0, last = 0;

  for (int piece = 1; piece < n_pieces; piece++) {
    int cut = (int)lround ((double)piece * sequence->n_intervals / n_pieces);

    while (cut < sequence->n_intervals && ss_fesd_sequence_jumps (sequence, first_segment (sequence, cut)))
      cut++;
    if (cut > last && cut < sequence->n_intervals)
      cuts[n++] = last = cut;
  }
  return n;
}

/* The sequence from an interval on; `last`: up to that one. */
static SsStatus
take_intervals (const SsFesdSequence *from, int first, int last, SsFesdSequence **out, SsError *err)
{
  const size_t n_gaps = (size_t)from->n_gaps, n_controls = (size_t)from->n_controls;
  const int size = ss_fesd_sequence_sample_size (from);
  SsStatus status = ss_fesd_sequence_new (last - first, from->n_gaps, from->n_q, from->n_controls,
                                          from->horizon / from->n_intervals * (last - first), out, err);

  if (status != SS_OK)
    return status;
  memcpy ((*out)->controls, from->controls + (size_t)first * n_controls,
          (size_t)(last - first) * n_controls * sizeof *from->controls);
  for (int s = 0; s < from->n_segments && status == SS_OK; s++) {
    const SsFesdSegment *segment = &from->segments[s];
    const int place = (*out)->n_segments;

    if (segment->interval < first || segment->interval >= last)
      continue;
    status = ss_fesd_sequence_insert (*out, place, segment->interval - first, segment->length, err);
    if (status == SS_OK)
      status = ss_fesd_sequence_divide (*out, place, segment->n_elements, segment->shares, err);
    if (status != SS_OK)
      break;
    SsFesdSegment *own = &(*out)->segments[place];
    memcpy (own->mode, segment->mode, n_gaps * sizeof *own->mode);
    memcpy (own->jump, segment->jump, n_gaps * sizeof *own->jump);
    memcpy (own->impulse, segment->impulse, 2 * n_gaps * sizeof *own->impulse);
    for (int i = 0; i < segment->n_samples && status == SS_OK; i++) {
      const double *sample = segment->samples + (size_t)i * size;
      double *added = ss_fesd_sequence_add_sample (*out, place, sample[0]);

      if (added != NULL)
        memcpy (added, sample, (size_t)size * sizeof *added);
      else
        status = ss_error_set (err, SS_ERR_MEMORY, "out of memory");
    }
  }
  if (status != SS_OK) {
    ss_fesd_sequence_free (*out);
    *out = NULL;
  }
  return status;
}

/* ---- the plan along its replay ----------------------------------------------------------------------------------- */

typedef struct {
  const SsScenario *scenario;
  SsTranscribeOptions transcription;
  SsFesdOptions fesd;
  SsPolishOptions options;
  SsRunControl *control;
  SsPolished *plan;
  double *x;                /* of plan->model, owned: the pieces, one behind the other */
  SsFesdSequence *sequence; /* of the newest rest, owned                               */
  int n_joints;             /* rests that were solved                                  */
  int first;                /* interval that it begins with                            */
} Pieces;

static int
find_variable (const SsModel *model, const char *name)
{
  int v = 0;

  while (v < model->n_variables && strcmp (model->variables[v], name) != 0)
    v++;
  SS_ASSERT (v < model->n_variables);
  return v;
}

/* The point's length, such that its clock and length add up to `end` to the last bit. */
static void
end_at (double *point, int clock, int length, double end)
{
  point[length] = end - point[clock];
  for (int i = 0; i < 4 && point[clock] + point[length] != end; i++)
    point[length] = nextafter (point[length], point[clock] + point[length] < end ? INFINITY : -INFINITY);
}

/* Clocks at the ends of the plan's intervals to the last bit, as the steps of the replay follow from them: equations
 * leave 1e-11 of them. */
static void
set_clocks (Pieces *p)
{
  const SsModel *model = p->plan->model->model;
  const SsFesdSequence *sequence = p->plan->sequence;
  const int n = model->n_variables, h = find_variable (model, "h");
  double *point = p->x;

  for (int s = 0; s < sequence->n_segments; s++) {
    const int interval = sequence->segments[s].interval;

    if (s == 0 || interval != sequence->segments[s - 1].interval) {
      const double begins = interval * sequence->horizon / sequence->n_intervals;

      point[model->clock] = begins;
      if (s > 0)
        end_at (point - n, model->clock, h, begins);
    }
    point += (size_t)n * (size_t)sequence->segments[s].n_elements;
  }
  point[model->clock] = sequence->horizon;
  end_at (point - n, model->clock, h, sequence->horizon);
}

static SsStatus
replay_whole (Pieces *p, SsPlanReplay *out, SsError *err)
{
  SsTrajectory *motion = NULL;
  SsStatus status = ss_problem_trajectory (p->plan->model, p->x, &motion, err);

  *out = (SsPlanReplay){0};
  if (status == SS_OK)
    status = ss_run_replay_plan (p->scenario, &p->transcription, motion, p->control, out, err);
  ss_trajectory_free (motion);
  return status;
}

/* Row of the motion at that time, the last one; -1: it ended before. */
static int
row_at (const SsTrajectory *motion, double t, double rounding)
{
  int row = motion->n_rows - 1;

  while (row >= 0 && ss_trajectory_row (motion, row)[0] > t + rounding)
    row--;
  return row >= 0 && ss_trajectory_row (motion, row)[0] >= t - rounding ? row : -1;
}

/* The polished rest takes the place of what the plan had from its interval on. */
static void
join (Pieces *p, SsPolished *rest, int interval)
{
  const SsModel *model = p->plan->model->model;
  const size_t n = (size_t)model->n_variables;
  const SsFesdSequence *sequence = p->plan->sequence;
  const double begins = interval * sequence->horizon / sequence->n_intervals;
  size_t first = 0;

  SS_ASSERT (rest->model->model->n_variables == model->n_variables);
  for (int s = 0; s < first_segment (sequence, interval); s++)
    first += (size_t)sequence->segments[s].n_elements;
  SS_ASSERT (first + (size_t)rest->model->model->n_points == (size_t)model->n_points);
  double off = 0;
  for (int v = 0; v < model->n_states; v++)
    if (v != model->clock)
      off = fmax (off, fabs (p->x[first * n + (size_t)v] - rest->x[v]));
  if (p->control != NULL)
    ss_run_control_log (p->control, SS_LOG_DEBUG, "polish: the replay is %.2g off at t = %.6g s", off, begins);
  for (int k = 0; k < rest->model->model->n_points; k++) {
    double *point = p->x + (first + (size_t)k) * n;

    memcpy (point, rest->x + (size_t)k * n, n * sizeof *point);
    point[model->clock] += begins;
  }
  set_clocks (p);
  ss_fesd_sequence_free (p->sequence);
  p->sequence = rest->sequence;
  rest->sequence = NULL;
  p->first = interval;
  p->n_joints++;
}

/* From the row of the motion on, which is at the beginning of the interval. */
static SsStatus
solve_rest (Pieces *p, int interval, const SsTrajectory *motion, int row, SsError *err)
{
  const SsFesdSequence *whole = p->plan->sequence;
  SsTranscribeOptions transcription = p->transcription;
  SsFesdSequence *sequence = NULL;
  SsPolished polished = {0};
  SsPlanRest rest;
  const int n_left = whole->n_intervals - interval;
  bool is_joined = false;
  SsStatus status = ss_plan_rest_open (p->scenario, whole->horizon / whole->n_intervals * n_left, n_left, &rest, err);

  transcription.dt = transcription.t_end = 0;
  if (status == SS_OK)
    status = ss_plan_rest_follow (&rest, motion, row, err);
  if (status == SS_OK)
    status = take_intervals (p->sequence, interval - p->first, p->sequence->n_intervals, &sequence, err);
  if (status == SS_OK)
    status = ss_polish (&rest.scenario, &transcription, sequence, &p->options, p->control, &polished, err);
  if (status == SS_ERR_INVALID) { /* the motion is where the task does not allow a start */
    snprintf (polished.message, sizeof polished.message, "%s", err->message);
    *err = (SsError){0};
    status = SS_OK;
  }
  p->plan->n_solves += polished.n_solves;
  p->plan->n_iterations += polished.n_iterations;
  p->plan->linear_seconds += polished.linear_seconds;
  if (status == SS_OK)
    is_joined = polished.is_solved && polished.metrics.max_violation < solved_rest;
  if (is_joined)
    join (p, &polished, interval);
  else if (status == SS_OK)
    snprintf (p->plan->message, sizeof p->plan->message, "the rest from t = %.6g s on is not solved: %.300s",
              interval * whole->horizon / whole->n_intervals, polished.message);
  ss_polished_clear (&polished);
  ss_fesd_sequence_free (sequence);
  ss_plan_rest_close (&rest);
  return status;
}

/* To the joint at the beginning of the interval, and the rest from there. */
static SsStatus
go_on (Pieces *p, int interval, bool *goes_on, SsError *err)
{
  const SsFesdSequence *whole = p->plan->sequence;
  const double length = whole->horizon / whole->n_intervals, t = interval * length;

  SsPlanReplay replay;
  SsOutcome why;

  *goes_on = false;
  if (ss_run_control_should_stop (p->control, &why))
    return SS_OK;
  SsStatus status = replay_whole (p, &replay, err);
  if (status != SS_OK)
    return status;
  const int row = replay.motion != NULL ? row_at (replay.motion, t, 1e-6 * length) : -1;

  *goes_on = row >= 0;
  if (row >= 0)
    status = solve_rest (p, interval, replay.motion, row, err);
  else
    snprintf (p->plan->message, sizeof p->plan->message, "the replay does not come to t = %.6g s: %s", t,
              replay.message);
  ss_plan_replay_clear (&replay);
  return status;
}

/* Metrics, sequence and replay of what is joined. */
static SsStatus
judge (Pieces *p, SsError *err)
{
  SsPolished *plan = p->plan;
  SsFesdSequence *sequence = NULL;
  SsPlanReplay replay = {0};

  p->fesd.sequence = plan->sequence;
  p->transcription.own = &p->fesd;
  SsStatus status = ss_metrics_compute (plan->model, p->x, &plan->metrics, err);
  if (status == SS_OK)
    status = ss_fesd_sequence_from_fixed (p->scenario, &p->transcription, p->x, &sequence, err);
  if (status == SS_OK)
    status = replay_whole (p, &replay, err);
  p->fesd.sequence = NULL;
  if (status != SS_OK) {
    ss_fesd_sequence_free (sequence);
    return status;
  }
  ss_free (plan->x);
  ss_fesd_sequence_free (plan->sequence);
  plan->x = p->x;
  plan->sequence = sequence;
  p->x = NULL;
  ss_tried_controls_clear (&plan->replay);
  plan->replay.is_complete = replay.outcome == SS_OUTCOME_COMPLETED;
  plan->replay.value = (SsPlanValue){.objective = replay.objective, .way = replay.way, .t = replay.way_t};
  plan->end_distance = replay.end_distance;

  ss_plan_replay_clear (&replay);
  return SS_OK;
}

/* Pieces that neither fit together nor are replayed are no plan: the whole one is, x of its model, which is taken. */
static SsStatus
return_to_whole (Pieces *p, double *whole, SsError *err)
{
  char why[320];

  snprintf (why, sizeof why, "%.300s", p->plan->message);
  snprintf (p->plan->message, sizeof p->plan->message,
            "in pieces it was not solved: the %d that were miss each other by up to %.2g%s%s", p->plan->n_pieces,
            p->plan->metrics.max_violation, why[0] != '\0' ? "; " : "", why);
  memcpy (p->plan->x, whole,
          (size_t)p->plan->model->model->n_points * (size_t)p->plan->model->model->n_variables * sizeof *whole);
  p->x = p->plan->x;
  p->plan->x = NULL;
  p->plan->n_pieces = 1;
  return judge (p, err);
}

SsStatus
ss_polish_pieces (const SsScenario *scenario, const SsTranscribeOptions *transcription, const SsPolishOptions *options,
                  int n_pieces, SsRunControl *control, SsPolished *polished, SsError *err)
{
  SS_ASSERT (polished->is_solved && polished->model->model->has_clock);
  Pieces p = {.scenario = scenario,
              .transcription = *transcription,
              .fesd = *(const SsFesdOptions *)transcription->own,
              .options = *options,
              .control = control,
              .plan = polished};
  const size_t n = (size_t)polished->model->model->n_points * (size_t)polished->model->model->n_variables;
  const double start = ss_clock_thread_cpu ();
  int *cuts = ss_new_array (int, n_pieces + 1), n_joints = 0;
  bool goes_on = true;

  p.transcription.own = &p.fesd;
  p.options.keeps_sequence = p.options.gives_up = true;
  polished->message[0] = '\0';
  p.options.max_iterations = REST_ITERATIONS;
  p.x = ss_new_array (double, n + 1);
  double *whole = ss_new_array (double, n + 1);
  SsStatus status = ss_plan_rest_check (scenario, "planned in pieces", err);
  if (status == SS_OK && (cuts == NULL || p.x == NULL || whole == NULL))
    status = ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  if (status == SS_OK)
    status = ss_fesd_sequence_copy (polished->sequence, &p.sequence, err);
  if (status == SS_OK) {
    memcpy (p.x, polished->x, n * sizeof *p.x);
    memcpy (whole, polished->x, n * sizeof *whole);
    set_clocks (&p);
    n_joints = ss_pieces_cuts (polished->sequence, n_pieces, cuts);
  }
  for (int i = 0; i < n_joints && status == SS_OK && goes_on; i++)
    status = go_on (&p, cuts[i], &goes_on, err);
  if (status == SS_OK)
    status = judge (&p, err);
  polished->n_pieces = p.n_joints + 1;
  if (status == SS_OK)
    polished->agrees = goes_on && polished->replay.is_complete && polished->replay.value.way <= SS_RUN_PATH_KEPT &&
                       polished->end_distance <= joined_distance;
  if (status == SS_OK && !polished->agrees && polished->metrics.max_violation >= SS_RUN_FEASIBLE)
    status = return_to_whole (&p, whole, err);
  polished->cpu_seconds += ss_clock_thread_cpu () - start;
  ss_free (cuts);
  ss_free (whole);
  ss_free (p.x);
  ss_fesd_sequence_free (p.sequence);
  return status;
}
