/* engine/plan/ss-polish.c: see the header. */
#include "plan/ss-polish.h"

#include "mpcc/ss-problem.h"
#include "nlp/ss-bounds.h"
#include "nlp/ss-ipopt.h"
#include "plan/ss-elements-replay.h"
#include "plan/ss-polish-targets.h"
#include "plan/ss-polish-tell.h"
#include "core/ss-relay.h"
#include "solve/ss-run-result.h"
#include "core/ss-memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A segment at most this much longer than the shortest allowed has vanished. */
static const double vanished = 1.05;
/* A gap that opens by less between two contacts, of what it opens in the whole plan, has not opened. */
static const double crack = 1e-4;
/* The end of an answer misses no target by more: closed contacts hold places to the order of the scheme. */
static const double TARGETS_MISSED = 1e-5;
/* Length of a segment that is made, as a part of its interval: room to move from. */
static const double made_length = 0.05;
/* Measure that the first refinement aims at, as a part of the largest speed, and what each further one does to it: by
 * 3 stages elements become 1.7 times shorter where they are above it. Most parts of an element at once. */
static const double first_level = 2e-4, refine_factor = 0.2;
/* What the replay of an element of a plan in pieces may be off by where nobody says: what a run's rows may be missed by
 * is a hundred times that. */
static const double element_distance = 1e-8;
/* Of a problem near its start: it is to be feasible, and its cost is not the task's. */
static const double near_tol = 1e-3;
/* Times that a switch may move over an interval's end before it stays there. */
enum { VISITS_MAX = 4, PARTS_MAX = 4, ELEMENTS_MAX = 4000, REPLAY_STEPS_LEAST = 8 };

typedef struct {
  const SsScenario *scenario;
  SsTranscribeOptions transcription;
  SsFesdOptions fesd; /* own options of it, with the sequence */
  SsPolishOptions options;
  SsPlan plan;
  SsRunControl *control;
  SsFesdSequence *sequence; /* of the next problem, owned */
  double *measures;         /* of the elements of the last answer, owned */
  double *off;              /* likewise, of a plan in pieces: what the replay of each is off by; owned */
  int *visits;              /* n_intervals + 1: switches that have moved over an interval's end; owned */
  double start, level;      /* CPU clock; measure that refinement aims at */
  SsPolished *out;
} Polish;

/* What a start is worth: no motion at all, one in other modes or elements, nearly the answer, the answer of nearly the
 * same problem. */
typedef enum { ROUGH, COLD, WARM, HOT } Warmth;

/* ---- one smooth problem ------------------------------------------------------------------------------------------ */

static SsStatus
make_solver (const Polish *p, const SsMpcc *mpcc, Warmth warmth, void **solver, SsError *err)
{
  static const double push[] = {1e-2, 1e-3, 1e-4, 1e-9}, mu_init[] = {10, 1e-2, 1e-3, 1e-8};
  /* Where the answer of nearly the same problem is the start, a motion is asked for: its cost hardly changes. */
  static const double tol[] = {1e-8, 1e-8, 1e-8, 1e-4};
  /* A start from a motion may be outside of what the task bounds by what the motion is off. */
  static const double relax[] = {1e-11, 1e-11, 1e-11, 1e-9};
  const SsOptionValue values[] = {
      {offsetof (SsIpoptOptions, bounds), SS_BOUNDS_EXACT},
      {offsetof (SsIpoptOptions, constr_viol_tol), 1e-11},
      {offsetof (SsIpoptOptions, mu_strategy), SS_IPOPT_MU_MONOTONE},
      {offsetof (SsIpoptOptions, pivot), 1e-2},
      {offsetof (SsIpoptOptions, permutes), false},
      {offsetof (SsIpoptOptions, max_iter), p->options.max_iterations},
      {offsetof (SsIpoptOptions, tol), p->options.near > 0 ? near_tol : tol[warmth]},
      {offsetof (SsIpoptOptions, bound_relax), relax[warmth]},
      {offsetof (SsIpoptOptions, bound_push), push[warmth]},
      {offsetof (SsIpoptOptions, mu_init), mu_init[warmth]},
  };
  SsIpoptOptions options;

  ss_options_init (ss_nlp_ipopt.options, &options);
  ss_options_give (ss_nlp_ipopt.options, &options, values, sizeof values / sizeof *values);
  return ss_nlp_ipopt.new_ (mpcc, &options, solver, err);
}

/* The answer of the sequence's problem becomes the polish's. *solved: whether there is one. */
static SsStatus
keep_answer (Polish *p, SsScenario **model, const SsNlpResult *answer, bool *solved, SsError *err)
{
  SsPolished *out = p->out;
  const size_t n = (size_t)(*model)->model->n_points * (size_t)(*model)->model->n_variables;
  SsFesdSequence *sequence = NULL;
  SsMetrics metrics;
  SsStatus status = ss_metrics_compute (*model, answer->x, &metrics, err);

  *solved = false;
  if (status != SS_OK)
    return status;
  const SsColumn row[] = {
      {"objective", metrics.objective}, {"violation", metrics.max_violation}, {"problem", out->n_solves}};
  if (p->control != NULL)
    ss_run_control_emit_iteration (p->control, out->n_iterations, row, 3);
  if (!metrics.is_finite || !(metrics.max_violation < 1e-6)) {
    char violation[16];

    snprintf (out->message, sizeof out->message, "violation %s with fixed modes, at %s; %.300s",
              ss_run_format_short (metrics.max_violation, violation), metrics.worst, answer->message);
    return SS_OK;
  }
  double *x = ss_new_array (double, n + 1);
  if (x == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  memcpy (x, answer->x, n * sizeof *x);
  p->fesd.sequence = p->sequence;
  status = ss_fesd_sequence_from_fixed (p->scenario, &p->transcription, x, &sequence, err);
  double missed = 0;
  if (status == SS_OK)
    status = ss_polish_missed (&p->plan, sequence, &missed, err);
  if (status != SS_OK || missed > TARGETS_MISSED) {
    snprintf (out->message, sizeof out->message, "contacts hold the end %.2g away from a target", missed);
    ss_fesd_sequence_free (sequence);
    ss_free (x);
    return status;
  }
  ss_free (out->x);
  ss_scenario_free (out->model);
  ss_fesd_sequence_free (out->sequence);
  out->x = x;
  out->model = *model;
  out->sequence = sequence;
  out->metrics = metrics;
  out->is_solved = true;
  *model = NULL;
  *solved = true;
  return SS_OK;
}

static SsStatus
solve (Polish *p, Warmth warmth, bool *solved, SsError *err)
{
  SsPolishTelling telling;
  SsScenario *model = NULL;
  SsMpcc *mpcc = NULL;
  void *solver = NULL;
  double *x = NULL;
  SsNlpResult answer = {0};

  *solved = false;
  ss_polish_telling_init (&telling, p->control, p->options.tells, p->out->n_solves + 1, p->out->n_iterations);
  telling.silence.no_restoration = p->options.gives_up;
  p->fesd.sequence = p->sequence;
  SsStatus status = ss_transcribe (p->scenario, &p->transcription, &model, err);
  if (status == SS_OK)
    status = ss_problem_build (model, &mpcc, err);
  if (status == SS_OK) {
    double *parameters = ss_new_array (double, model->n_parameters + 1);

    x = ss_new_array (double, ss_mpcc_n_variables (mpcc) + 1);
    if (x == NULL || parameters == NULL)
      status = ss_error_set (err, SS_ERR_MEMORY, "out of memory");
    else {
      ss_problem_parameters (model, parameters);
      ss_mpcc_set_parameters (mpcc, parameters);
      status = ss_problem_guess (model, x, err);
    }
    ss_free (parameters);
  }
  if (status == SS_OK)
    status = make_solver (p, mpcc, warmth, &solver, err);
  if (status == SS_OK)
    status = ss_nlp_ipopt.solve (solver, x, &telling.silence.inner, &answer, err);
  if (status == SS_OK) {
    p->out->n_solves++;
    p->out->n_iterations += answer.iterations;
    p->out->linear_seconds += isnan (answer.linear_seconds) ? 0 : answer.linear_seconds;
    status = keep_answer (p, &model, &answer, solved, err);
    if (p->control != NULL)
      ss_run_control_log (p->control, SS_LOG_DEBUG,
                          "polish: %d elements in %d segments, %d rows: %s, objective %.9g, violation %.2g",
                          ss_fesd_sequence_n_elements (p->sequence), p->sequence->n_segments, ss_mpcc_n_rows (mpcc),
                          answer.message, p->out->metrics.objective, p->out->metrics.max_violation);
  }
  if (solver != NULL)
    ss_nlp_ipopt.free_ (solver);
  ss_free (x);
  ss_mpcc_free (mpcc);
  ss_scenario_free (model);
  return status;
}

/* ---- changes of the sequence ------------------------------------------------------------------------------------- */

static SsFesdSegment *
segment_at (const SsFesdSequence *sequence, int s)
{
  return s >= 0 && s < sequence->n_segments ? &sequence->segments[s] : NULL;
}

static bool
is_beside (const SsFesdSequence *sequence, int s, int other)
{
  return segment_at (sequence, other) != NULL && sequence->segments[s].interval == sequence->segments[other].interval;
}

/* Impulses of `from` that the segment `to` does not have itself. */
static void
take_jumps (const SsFesdSequence *sequence, const SsFesdSegment *from, SsFesdSegment *to)
{
  for (int l = 0; l < sequence->n_gaps; l++)
    if (to->jump[l] == SS_FESD_OPEN && from->jump[l] != SS_FESD_OPEN) {
      to->jump[l] = from->jump[l];
      to->impulse[2 * l] = from->impulse[2 * l];
      to->impulse[2 * l + 1] = from->impulse[2 * l + 1];
    }
}

static void
clear_jumps (const SsFesdSequence *sequence, SsFesdSegment *segment)
{
  for (int l = 0; l < sequence->n_gaps; l++) {
    segment->jump[l] = SS_FESD_OPEN;
    segment->impulse[2 * l] = segment->impulse[2 * l + 1] = 0;
  }
}

/* Jumps that nothing makes: all their gaps were closed before, and are. A gap that closes has one. */
static void
mend_jumps (const SsFesdSequence *sequence, int s)
{
  SsFesdSegment *segment = segment_at (sequence, s), *before = segment_at (sequence, s - 1);
  bool is_needed = before == NULL;

  for (int l = 0; l < sequence->n_gaps && before != NULL; l++) {
    const bool was_open = before->mode[l] == SS_FESD_OPEN;

    if (was_open && segment->mode[l] != SS_FESD_OPEN && segment->jump[l] == SS_FESD_OPEN)
      segment->jump[l] = segment->mode[l];
    is_needed = is_needed || (was_open && segment->jump[l] != SS_FESD_OPEN);
  }
  if (!is_needed)
    clear_jumps (sequence, segment);
}

/* A segment in the modes of `of`, where that begins (at_start) or ends, of one element; its samples are that point. */
static SsStatus
make_segment (SsFesdSequence *sequence, int before, int interval, int of, bool at_start, SsError *err)
{
  const size_t n = (size_t)sequence->n_gaps;
  const double length = made_length * sequence->horizon / sequence->n_intervals;
  double *sample = ss_new_array (double, ss_fesd_sequence_sample_size (sequence)), *own;
  SsStatus status = sample != NULL ? SS_OK : ss_error_set (err, SS_ERR_MEMORY, "out of memory");

  if (status == SS_OK) {
    ss_fesd_sequence_sample (sequence, of, at_start ? 0 : 1, sample);
    status = ss_fesd_sequence_insert (sequence, before, interval, length, err);
  }
  if (status == SS_OK) {
    const SsFesdSegment *from = segment_at (sequence, of >= before ? of + 1 : of);

    memcpy (sequence->segments[before].mode, from->mode, n * sizeof *from->mode);
    own = ss_fesd_sequence_add_sample (sequence, before, 0);
    if (own != NULL)
      memcpy (own + 1, sample + 1, (size_t)(ss_fesd_sequence_sample_size (sequence) - 1) * sizeof *own);
    else
      status = ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  }
  ss_free (sample);
  return status;
}

/* What a made segment is long goes off its neighbour, of which at least half stays. */
static void
take_room (SsFesdSegment *made, SsFesdSegment *neighbour)
{
  made->length = fmin (made->length, 0.5 * neighbour->length);
  neighbour->length -= made->length;
}

/* The first segment of its interval has vanished: its switch belongs to the interval before, or stays at the end. */
static SsStatus
move_back (Polish *p, int s, SsError *err)
{
  SsFesdSequence *sequence = p->sequence;
  SsFesdSegment *gone = segment_at (sequence, s), *next = gone + 1;
  const int interval = gone->interval;

  next->length += gone->length;
  take_jumps (sequence, gone, next);
  if (interval == 0 || p->visits[interval]++ >= VISITS_MAX) {
    ss_fesd_sequence_remove (sequence, s);
    mend_jumps (sequence, s);
    return SS_OK;
  }
  SsStatus status = make_segment (sequence, s, interval - 1, s + 1, true, err);
  if (status != SS_OK)
    return status;
  SsFesdSegment *made = segment_at (sequence, s), *after = segment_at (sequence, s + 2);
  take_jumps (sequence, after, made);
  clear_jumps (sequence, after);
  take_room (made, segment_at (sequence, s - 1));
  ss_fesd_sequence_remove (sequence, s + 1);
  mend_jumps (sequence, s);
  return SS_OK;
}

/* The last segment of its interval has vanished: its switch belongs to the next one. */
static SsStatus
move_on (Polish *p, int s, SsError *err)
{
  SsFesdSequence *sequence = p->sequence;
  SsFesdSegment *gone = segment_at (sequence, s), *next = gone + 1;
  const int interval = gone->interval;

  segment_at (sequence, s - 1)->length += gone->length;
  take_jumps (sequence, gone, next);
  if (p->visits[interval + 1]++ < VISITS_MAX) {
    SsStatus status = make_segment (sequence, s + 1, interval + 1, s - 1, false, err);

    if (status != SS_OK)
      return status;
    take_room (segment_at (sequence, s + 1), segment_at (sequence, s + 2));
  }
  ss_fesd_sequence_remove (sequence, s);
  mend_jumps (sequence, s);
  mend_jumps (sequence, s + 1 < sequence->n_segments ? s + 1 : s);
  return SS_OK;
}

/* One between two switches has vanished, or the last of all: they are one. */
static void
take_out (SsFesdSequence *sequence, int s)
{
  SsFesdSegment *gone = segment_at (sequence, s), *next = gone + 1, *before = gone - 1;

  if (is_beside (sequence, s, s - 1))
    before->length += gone->length;
  else
    next->length += gone->length;
  if (s + 1 < sequence->n_segments)
    take_jumps (sequence, gone, next);
  ss_fesd_sequence_remove (sequence, s);
  if (s < sequence->n_segments)
    mend_jumps (sequence, s);
}

/* The elements of the segment and of the next one, whose length is to be added, as elements of one segment. */
static SsStatus
join_elements (SsFesdSequence *sequence, int s, double share, SsError *err)
{
  const SsFesdSegment *to = segment_at (sequence, s), *from = segment_at (sequence, s + 1);
  double *shares = ss_new_array (double, to->n_elements + from->n_elements);
  int n = 0;

  if (shares == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  for (int e = 0; e < to->n_elements; e++)
    shares[n++] = to->shares[e] * share;
  for (int e = 0; e < from->n_elements; e++)
    shares[n++] = from->shares[e] * (1 - share);
  SsStatus status = ss_fesd_sequence_divide (sequence, s, n, shares, err);
  ss_free (shares);
  return status;
}

/* Neighbours in one interval without a switch or jump between them are one. */
static SsStatus
merge_equal (SsFesdSequence *sequence, SsError *err)
{
  const int size = ss_fesd_sequence_sample_size (sequence);

  for (int s = 1; s < sequence->n_segments; s++) {
    SsFesdSegment *to = segment_at (sequence, s - 1), *from = segment_at (sequence, s);
    const double length = to->length + from->length, share = length > 0 ? to->length / length : 1;

    if (!is_beside (sequence, s, s - 1) || ss_fesd_sequence_jumps (sequence, s) ||
        !ss_fesd_sequence_same_modes (sequence, s - 1, s))
      continue;
    for (int i = 0; i < to->n_samples; i++)
      to->samples[(size_t)i * size] *= share;
    for (int i = 0; i < from->n_samples; i++) {
      const double *sample = from->samples + (size_t)i * size;
      double *added = ss_fesd_sequence_add_sample (sequence, s - 1, share + (1 - share) * sample[0]);

      if (added == NULL)
        return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
      memcpy (added + 1, sample + 1, (size_t)(size - 1) * sizeof *added);
    }
    SsStatus status = join_elements (sequence, s - 1, share, err);
    if (status != SS_OK)
      return status;
    to->length = length;
    ss_fesd_sequence_remove (sequence, s--);
  }
  return SS_OK;
}

/* How far a gap opens in the plan. */
static double
reach_of (const SsFesdSequence *sequence, int gap)
{
  double largest = 0;

  for (int s = 0; s < sequence->n_segments; s++)
    largest = fmax (largest, ss_fesd_sequence_largest_gap (sequence, s, gap));
  return largest;
}

/* A gap that opens between two contacts without ever being open, or nearly so, stays closed: what a contact breaks into
 * when its force was about zero. *changed is set where there was one. */
static void
close_cracks (Polish *p, bool *changed)
{
  SsFesdSequence *sequence = p->sequence;

  for (int l = 0; l < sequence->n_gaps; l++) {
    const double limit = crack * reach_of (sequence, l);

    for (int first = 1, last; first < sequence->n_segments; first = last + 1) {
      double largest = 0;

      last = first;
      if (sequence->segments[first].mode[l] != SS_FESD_OPEN || sequence->segments[first - 1].mode[l] == SS_FESD_OPEN)
        continue;
      while (last < sequence->n_segments && sequence->segments[last].mode[l] == SS_FESD_OPEN)
        largest = fmax (largest, ss_fesd_sequence_largest_gap (sequence, last++, l));
      if (last >= sequence->n_segments || largest > limit)
        continue;
      for (int s = first; s < last; s++)
        sequence->segments[s].mode[l] = sequence->segments[first - 1].mode[l];
      sequence->segments[last].jump[l] = SS_FESD_OPEN;
      for (int s = first; s <= last; s++)
        mend_jumps (sequence, s);
      p->out->n_changes++;
      *changed = true;
    }
  }
}

/* Segments as short as allowed. *changed: whether there was one. */
static SsStatus
change_sequence (Polish *p, double shortest, bool *changed, SsError *err)
{
  SsFesdSequence *sequence = p->sequence;
  const double least = shortest * sequence->horizon / sequence->n_intervals;
  SsStatus status = SS_OK;

  *changed = false;
  close_cracks (p, changed);
  for (int s = 0; s < sequence->n_segments && status == SS_OK; s++) {
    const bool has_before = is_beside (sequence, s, s - 1), has_after = is_beside (sequence, s, s + 1);

    if (sequence->segments[s].length > least || (!has_before && !has_after))
      continue;
    *changed = true;
    p->out->n_changes++;
    if (has_after && !has_before)
      status = move_back (p, s, err);
    else if (has_before && !has_after && s + 1 < sequence->n_segments)
      status = move_on (p, s, err);
    else
      take_out (sequence, s);
  }
  if (status == SS_OK)
    status = merge_equal (sequence, err);
  return status;
}

/* ---- elements ---------------------------------------------------------------------------------------------------- */

/* At first: segments in elements as long as an interval's part, at least one. */
static SsStatus
divide_equally (Polish *p, SsError *err)
{
  SsFesdSequence *sequence = p->sequence;
  const double interval = sequence->horizon / sequence->n_intervals;
  SsStatus status = SS_OK;

  for (int s = 0; s < sequence->n_segments && status == SS_OK; s++)
    status = ss_fesd_sequence_divide (
        sequence, s, (int)fmax (1, ceil (sequence->segments[s].length / interval * p->options.elements - 0.1)), NULL,
        err);
  return status;
}

/* Measures of all elements of the answer, from its samples: the left point and the stages of each. */
static SsStatus
measure (Polish *p, double *largest, double *speed, SsError *err)
{
  const SsFesdSequence *sequence = p->out->sequence;
  const int size = ss_fesd_sequence_sample_size (sequence), n_q = sequence->n_q, n_nodes = p->options.stages + 1;
  int k = 0;

  ss_free (p->measures);
  p->measures = ss_new_array (double, ss_fesd_sequence_n_elements (sequence) + 1);
  *largest = *speed = 0;
  if (p->measures == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  for (int s = 0; s < sequence->n_segments; s++) {
    const SsFesdSegment *segment = &sequence->segments[s];

    for (int e = 0; e < segment->n_elements; e++, k++) {
      const double *nodes = segment->samples + (size_t)e * n_nodes * size;

      for (int i = 0; i < n_q; i++) {
        double difference[SS_TABLEAU_STAGES_MAX + 1], width = 1;

        for (int j = 0; j < n_nodes; j++) {
          difference[j] = nodes[(size_t)j * size + 1 + n_q + i];
          *speed = fmax (*speed, fabs (difference[j]));
        }
        for (int order = 1; order < n_nodes; order++) {
          for (int j = n_nodes - 1; j >= order; j--)
            difference[j] =
                (difference[j] - difference[j - 1]) / (nodes[(size_t)j * size] - nodes[(size_t)(j - order) * size]);
          width *= segment->shares[e];
        }
        p->measures[k] = fmax (p->measures[k], fabs (difference[n_nodes - 1]) * width);
      }
      *largest = fmax (*largest, p->measures[k]);
    }
  }
  return SS_OK;
}

/* In how many parts the element is divided: above the level; in a plan in pieces where its replay is off by too much,
 * by the order 2 s of its end. */
static int
parts_of (const Polish *p, int element, double level)
{
  const bool by_replay = p->options.pieces > 1;
  const double over = by_replay ? p->off[element] / p->options.distance : p->measures[element] / level;
  const double parts = ceil (pow (over, 1.0 / (by_replay ? 2 * p->options.stages : p->options.stages)));

  return over > 1 ? (int)fmin (fmax (parts, 2), PARTS_MAX) : 1;
}

/* Elements above the level are divided; *n_divided. */
static SsStatus
refine (Polish *p, double level, int *n_divided, SsError *err)
{
  SsFesdSequence *sequence = p->sequence;
  SsStatus status = SS_OK;
  int k = 0;

  *n_divided = 0;
  for (int s = 0; s < sequence->n_segments && status == SS_OK; s++) {
    const SsFesdSegment *segment = &sequence->segments[s];
    const int n_elements = segment->n_elements;
    double *shares = ss_new_array (double, PARTS_MAX *n_elements);
    int n = 0;

    if (shares == NULL)
      return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
    for (int e = 0; e < n_elements; e++, k++) {
      const int n_parts = parts_of (p, k, level);

      *n_divided += n_parts > 1;
      for (int i = 0; i < n_parts; i++)
        shares[n++] = segment->shares[e] / n_parts;
    }
    status = ss_fesd_sequence_divide (sequence, s, n, shares, err);
    ss_free (shares);
  }
  return status;
}

/* ---- the loop ---------------------------------------------------------------------------------------------------- */

/* Steps of the replay in an interval: four to an element, by the interval with most. */
static int
replay_steps (const SsFesdSequence *sequence)
{
  const int steps = 4 * ss_fesd_sequence_most_elements (sequence);

  return steps > REPLAY_STEPS_LEAST ? steps : REPLAY_STEPS_LEAST;
}

/* Of the centre of mass that ends farthest from the plan's [m]; INFINITY: there is no motion. */
static double
end_distance (const Polish *p, double *sample)
{
  const SsScene *scene = p->scenario->scene;
  const SsFesdSequence *plan = p->out->sequence;
  const SsTrajectory *motion = p->out->replay.simulated.trajectory;
  double farthest = 0;

  if (motion == NULL || motion->n_rows == 0)
    return INFINITY;
  const double *end = ss_trajectory_row (motion, motion->n_rows - 1);
  ss_fesd_sequence_sample (plan, plan->n_segments - 1, 1, sample);
  for (int b = 0; b < scene->n_bodies; b++) {
    char name[SS_CHANNEL_NAME_MAX];
    double off[2] = {0, 0};

    for (int i = 0; i < 2; i++) {
      snprintf (name, sizeof name, "%s.%s", scene->bodies[b].name, i == 0 ? "x" : "y");
      const int channel = ss_trajectory_channel (motion, name);
      if (channel > 0)
        off[i] = end[channel] - sample[1 + 3 * b + i];
    }
    farthest = fmax (farthest, hypot (off[0], off[1]));
  }
  return farthest;
}

/* A plan in pieces: each element from the plan's own state. What the whole costs is not known from them. */
static SsStatus
replay_elements (Polish *p, SsError *err)
{
  SsPolished *out = p->out;
  SsElementsReplay replay;

  ss_free (p->off);
  replay.off = p->off = ss_new_array (double, ss_fesd_sequence_n_elements (out->sequence) + 1);
  if (p->off == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  SsStatus status = ss_elements_replay (p->scenario, out->sequence, p->control, &replay, err);
  if (status != SS_OK)
    return status;
  out->replay.is_complete = replay.is_complete;
  out->replay.value = (SsPlanValue){.objective = NAN, .way = replay.way, .t = NAN};
  out->end_distance = replay.distance;
  out->agrees = replay.is_complete && replay.largest <= p->options.distance && replay.way <= SS_RUN_PATH_KEPT;
  if (p->control != NULL)
    ss_run_control_log (p->control, SS_LOG_DEBUG, "polish: replays of elements keep the path to %.2g, end %.2g off",
                        replay.way, replay.largest);
  return SS_OK;
}

static SsStatus
replay_answer (Polish *p, SsError *err)
{
  SsPolished *out = p->out;

  if (p->options.pieces > 1)
    return replay_elements (p, err);
  SsPlan plan = p->plan;
  double *sample = ss_new_array (double, ss_fesd_sequence_sample_size (out->sequence));

  if (sample == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  plan.horizon = out->sequence->horizon;
  ss_tried_controls_clear (&out->replay);
  SsStatus status = ss_try_controls (p->scenario, &plan, out->sequence->controls, replay_steps (out->sequence),
                                     p->fesd.a_n_of, p->control, &out->replay, err);
  const double off = fabs (out->replay.value.objective - out->metrics.objective);
  out->end_distance = status == SS_OK ? end_distance (p, sample) : NAN;
  ss_free (sample);
  out->agrees = status == SS_OK && out->replay.is_complete && !(out->end_distance > p->options.distance) &&
                off <= p->options.agreement * fmax (fabs (out->replay.value.objective), 1e-6) &&
                out->replay.value.way <= SS_RUN_PATH_KEPT;
  if (status == SS_OK && p->control != NULL)
    ss_run_control_log (p->control, SS_LOG_DEBUG,
                        "polish: replay %.9g of %.9g, path kept to %.2g, %.2g m from the plan at the end",
                        out->replay.value.objective, out->metrics.objective, out->replay.value.way, out->end_distance);
  return status;
}

static bool
is_over (const Polish *p)
{
  SsOutcome why;

  return p->out->n_solves >= p->options.max_solves || ss_run_control_should_stop (p->control, &why);
}

/* The next sequence is the answer's, as it is. */
static SsStatus
take_answer (Polish *p, SsError *err)
{
  ss_fesd_sequence_free (p->sequence);
  p->sequence = NULL;
  return ss_fesd_sequence_copy (p->out->sequence, &p->sequence, err);
}

/* Elements that are not smooth enough, in parts; *more: there are some, and not too many in all. */
static SsStatus
refine_next (Polish *p, bool *more, SsError *err)
{
  double largest, speed;
  int n_divided = 0;
  SsStatus status = measure (p, &largest, &speed, err);

  p->level = isinf (p->level) ? first_level * speed : p->level * refine_factor;
  if (p->level >= largest)
    p->level = refine_factor * largest;
  if (status == SS_OK)
    status = refine (p, p->level, &n_divided, err);
  p->out->n_refinements++;
  *more = n_divided > 0 && ss_fesd_sequence_n_elements (p->sequence) <= ELEMENTS_MAX;
  return status;
}

static SsStatus
run_loop (Polish *p, SsError *err)
{
  SsPolished *out = p->out;
  Warmth warmth = p->options.is_rough ? ROUGH : COLD;
  bool changed = false, may_change = true, solved, more = true, is_replayed = false;

  if (p->options.keeps_sequence)
    return solve (p, HOT, &solved, err);
  SsStatus status = change_sequence (p, vanished * SS_FESD_SHORTEST, &changed, err);

  changed = false; /* there is no answer yet to go back to */
  if (status == SS_OK)
    status = divide_equally (p, err);
  while (status == SS_OK && more && !is_over (p)) {
    status = solve (p, warmth, &solved, err);
    if (status != SS_OK || (!solved && !changed))
      break;
    may_change = may_change && solved;
    status = take_answer (p, err);
    changed = false;
    is_replayed = false;
    if (status == SS_OK && p->options.near > 0) { /* one that agrees is all that is asked for */
      status = replay_answer (p, err);
      is_replayed = true;
    }
    if (status != SS_OK || (is_replayed && out->agrees))
      break;
    if (may_change)
      status = change_sequence (p, vanished * SS_FESD_SHORTEST, &changed, err);
    if (status != SS_OK)
      break;
    warmth = changed ? COLD : WARM;
    if (changed)
      continue;
    if (p->options.is_coarse)
      return SS_OK;
    if (!is_replayed)
      status = replay_answer (p, err);
    is_replayed = true;
    if (status != SS_OK || out->agrees)
      break;
    status = refine_next (p, &more, err);
  }
  if (status == SS_OK && out->is_solved && !p->options.is_coarse && !is_replayed)
    status = replay_answer (p, err);
  return status;
}

SsStatus
ss_polish (const SsScenario *scenario, const SsTranscribeOptions *transcription, const SsFesdSequence *start,
           const SsPolishOptions *options, SsRunControl *control, SsPolished *out, SsError *err)
{
  SS_ASSERT (scenario != NULL && scenario->n_parameters >= 0 && transcription != NULL && start != NULL &&
             start->n_segments <= start->capacity && out != NULL);

  Polish p = {.scenario = scenario,
              .transcription = *transcription,
              .options = options != NULL ? *options : (SsPolishOptions){0},
              .control = control,
              .start = ss_clock_thread_cpu (),
              .level = INFINITY,
              .out = out};
  SsStatus status;

  *out = (SsPolished){.metrics = {.objective = NAN, .max_violation = NAN}, .end_distance = NAN};
  p.options.stages = p.options.stages > 0 ? p.options.stages : 3;
  p.options.elements = p.options.elements > 0 ? p.options.elements : 3;
  p.options.max_solves = p.options.max_solves > 0 ? p.options.max_solves : 24;
  p.options.max_iterations = p.options.max_iterations > 0 ? p.options.max_iterations : 100;
  p.options.agreement = p.options.agreement > 0 ? p.options.agreement : 1e-4;
  if (!(p.options.distance > 0))
    p.options.distance = p.options.pieces > 1 ? element_distance : INFINITY;
  if (transcription->own != NULL)
    p.fesd = *(const SsFesdOptions *)transcription->own;
  else
    ss_options_init (ss_transcription_fesd_j.options, &p.fesd);
  p.fesd.stages = p.options.stages;
  p.fesd.near = p.options.near;
  p.transcription.class_ = &ss_transcription_fesd_j;
  p.transcription.own = &p.fesd;
  p.plan = *scenario->task.plan;
  p.plan.steps = start->n_intervals;
  p.visits = ss_new_array (int, start->n_intervals + 1);
  status = p.visits != NULL ? ss_fesd_sequence_copy (start, &p.sequence, err)
                            : ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  if (status == SS_OK)
    status = run_loop (&p, err);
  ss_fesd_sequence_free (p.sequence);
  ss_free (p.measures);
  ss_free (p.visits);
  ss_free (p.off);
  out->cpu_seconds = ss_clock_thread_cpu () - p.start;
  return status;
}

void
ss_polished_clear (SsPolished *polished)
{
  SS_ASSERT (polished != NULL);
  ss_fesd_sequence_free (polished->sequence);
  ss_scenario_free (polished->model);
  ss_free (polished->x);
  ss_tried_controls_clear (&polished->replay);
  *polished = (SsPolished){0};
}
