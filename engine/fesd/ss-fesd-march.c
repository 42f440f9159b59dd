/* engine/fesd/ss-fesd-march.c: see the header. */
#include "fesd/ss-fesd-march-private.h"

#include "core/ss-memory.h"
#include "simulate/ss-sim-limits.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Number of the state before the element that is tried. */
enum { PLACE = SS_FESD_DEPTH_MAX + 1 };
/* After a switch the next one is looked for within REACH times the element before. */
enum { REACH = 4 };
/* Not within less than this part of the step. */
static const double shortest_reach = 1e-6;
enum { AT_INSTANT_MAX = 60, SOLVES_MAX = 20000, SOLVES_PER_EVENT = 20 };
/* Elements of a step after which it asks whether the run should end. */
enum { SOLVES_UNASKED = 64 };

SsStatus
ss_fesd_march_new (SsFesdSystem *system, const SsFesdMarchOptions *options, SsFesdMarch **out, SsError *err)
{
  SS_ASSERT (system != NULL && options != NULL && out != NULL);
  SS_ASSERT (options->n_elements >= 1);

  *out = NULL;
  SsFesdMarch *m = ss_new (SsFesdMarch);
  if (m == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for a simulation by finite elements");
  m->system = system;
  m->options = *options;
  m->row_to_patch = -1;
  ss_fesd_record_init (&m->record, system->scene, options->freeze.n_more);
  SsStatus status = ss_tableau_make (options->family, options->n_stages, &m->tableau, err);
  if (status == SS_OK)
    status = ss_fesd_element_new (system, &m->tableau, &m->element, err);
  if (status == SS_OK)
    status = ss_fesd_law_new (system, &m->law, err);
  if (status == SS_OK)
    status = ss_fesd_watch_new (system, &m->tableau, &m->watch, err);
  if (status == SS_OK)
    status = ss_fesd_state_init (system, &m->now, err);
  if (status == SS_OK && options->freeze.owner == NULL) /* its elements are not those of a march alone */
    status = ss_fesd_estimate_init (m, err);
  if (status == SS_OK) {
    m->impulse = ss_new_array (double, 6 * (size_t)ss_fesd_n_items (system) + 3 * (size_t)system->n_q + 1);
    m->joint_rows = ss_new_array (SsRow, SS_JOINT_ROWS_MAX * (size_t)system->scene->n_joints + 1);
    if (m->impulse == NULL || m->joint_rows == NULL)
      status = ss_error_set (err, SS_ERR_MEMORY, "no memory for a simulation by finite elements");
  }
  if (status != SS_OK) {
    ss_fesd_march_free (m);
    return status;
  }
  m->told_impulse = m->impulse + 2 * ss_fesd_n_items (system);
  m->work = m->told_impulse + 2 * ss_fesd_n_items (system);
  m->of_stage = m->work + system->n_q;
  ss_fesd_element_set_offsets (m->element, m->now.offset);
  *out = m;
  return SS_OK;
}

void
ss_fesd_march_free (SsFesdMarch *m)
{
  if (m == NULL)
    return;
  ss_fesd_element_free (m->element);
  ss_fesd_estimate_clear (m);
  ss_fesd_law_free (m->law);
  ss_fesd_watch_free (m->watch);
  ss_fesd_record_clear (&m->record);
  ss_fesd_log_clear (&m->log);
  ss_fesd_state_clear (&m->now);
  for (int i = 0; i < SS_FESD_DEPTH_MAX + 2; i++)
    ss_fesd_state_clear (&m->saved[i]);
  ss_free (m->choice.touches);
  ss_free (m->choice.base);
  ss_free (m->choice.trial);
  ss_free (m->impulse);
  ss_free (m->joint_rows);
  ss_free (m);
}

bool
ss_fesd_march_is_over (const SsFesdMarch *m, double *t)
{
  SS_ASSERT (m != NULL && t != NULL);
  *t = m->now.t;
  return m->is_over;
}

void
ss_fesd_march_set_proposer (SsFesdMarch *m, const SsProposer *proposer, bool asks_first)
{
  SS_ASSERT (m != NULL);
  m->options.proposer = proposer;
  m->options.asks_first = asks_first;
}

bool
ss_fesd_march_error (const SsFesdMarch *m, double *error, double *due_order, double *order)
{
  SS_ASSERT (m != NULL && error != NULL && due_order != NULL && order != NULL);
  *error = ss_fesd_estimate_error (m);
  *due_order = m->estimate.order;
  *order =
      m->now.sampling.differences[1] > 0 ? log2 (m->now.sampling.differences[0] / m->now.sampling.differences[1]) : 0;
  return m->estimate.trial != NULL;
}

/* Says why when the step is to be given up. */
static bool
is_endless (SsFesdMarch *m)
{
  SsOutcome why;
  const double most = SOLVES_MAX + SOLVES_PER_EVENT * m->options.max_events * (m->t_step_end - m->saved[0].t);
  if (m->now.events > m->options.max_events)
    snprintf (m->reason, sizeof m->reason, "more than max-events = %g events within a second, at t = %.9g s",
              m->options.max_events, m->now.t);
  else if ((double)m->solves > most)
    snprintf (m->reason, sizeof m->reason, "the step makes no progress after %ld elements, at t = %.9g s", m->solves,
              m->now.t);
  else if (m->solves > SOLVES_UNASKED && ss_run_control_should_stop (m->control, &why))
    snprintf (m->reason, sizeof m->reason, "the run was ended within a step, at t = %.9g s", m->now.t);
  else
    return false;
  return true;
}

/* Equal elements in the present modes to t_end, none of which may end in a switch. SS_FESD_CLEAR: taken; SS_FESD_EVENT:
 * one did; *is_first: the first, which is still the element's solution. */
static SsFesdOutcome
try_equal (SsFesdMarch *m, double t_end, int n, bool *is_first, SsError *err)
{
  *is_first = false;
  if (m->now.is_capturing && m->now.t + (t_end - m->now.t) / n < m->now.capture_end)
    return SS_FESD_EVENT;
  for (int k = 0; k < n; k++) {
    SsFesdSwitch what;
    bool no_memory;
    if (!ss_fesd_follow_start (m, err, &no_memory))
      return no_memory ? SS_FESD_NO_MEMORY : SS_FESD_NOT_SOLVED;
    SsFesdOutcome outcome = SS_FESD_NOT_SOLVED;
    if (ss_fesd_follow_solve (m, (t_end - m->now.t) / (n - k)))
      outcome = ss_fesd_watch_find (m->watch, m->element, m->now.q, m->now.v, m->now.modes, m->now.offset, NULL, &what)
                    ? SS_FESD_EVENT
                    : SS_FESD_CLEAR;
    *is_first = k == 0 && outcome == SS_FESD_EVENT;
    if (outcome != SS_FESD_CLEAR)
      return outcome;
    bool is_cut;
    if (!ss_fesd_follow_cut (m, &is_cut))
      return SS_FESD_NOT_SOLVED;
    outcome = ss_fesd_follow_accept (m, k == n - 1 && !is_cut, t_end, NULL, err);
    if (outcome != SS_FESD_DONE)
      return outcome;
    if (m->is_over)
      return SS_FESD_CLEAR;
    if (m->now.t < m->t_step_end && ss_fesd_tell_row (m, NULL, err) != SS_OK)
      return SS_FESD_NO_MEMORY;
  }
  return SS_FESD_CLEAR;
}

/* Modes at the start of a part, where none are known. */
static SsFesdOutcome
begin_part (SsFesdMarch *m, SsError *err)
{
  if (m->now.is_known)
    return SS_FESD_DONE;
  const SsFesdOutcome outcome = ss_fesd_settle (m, NULL, err);
  if (outcome != SS_FESD_DONE || !m->choice.is_hopeless || m->choice.is_proposed)
    return outcome;
  return ss_fesd_change_modes (m, NULL, err);
}

/* The next element ends in a switch: SS_FESD_EVENT, it is solved; SS_FESD_DONE: look again; else as try_elements. */
static SsFesdOutcome
try_switch (SsFesdMarch *m, double t_end, bool is_solved, SsFesdSwitch *what, SsError *err)
{
  bool no_memory;
  if (!is_solved && !ss_fesd_follow_start (m, err, &no_memory))
    return no_memory ? SS_FESD_NO_MEMORY : SS_FESD_TOO_MANY;
  SsFesdOutcome outcome = ss_fesd_follow (m, t_end - m->now.t, is_solved, what);
  if (m->now.is_capturing && outcome == SS_FESD_CLEAR && m->depth < SS_FESD_PATIENCE)
    return SS_FESD_TOO_MANY; /* it was not exact enough */
  if (m->now.is_capturing &&
      !(outcome == SS_FESD_EVENT && m->now.t + ss_fesd_element_length (m->element) >= m->now.capture_end))
    return ss_fesd_release (m, err);
  if (outcome == SS_FESD_NOT_SOLVED || outcome == SS_FESD_CLEAR)
    return SS_FESD_TOO_MANY;
  if (outcome != SS_FESD_AT_ONCE)
    return outcome;
  bool is_blind = m->choice.n_tried > 0;
  outcome = is_blind ? ss_fesd_follow_blindly (m, t_end, err) : SS_FESD_NOT_SOLVED;
  if (outcome == SS_FESD_NOT_SOLVED)
    outcome = ss_fesd_change_modes (m, what, err);
  if (!is_blind && (outcome == SS_FESD_TOO_MANY || outcome == SS_FESD_FAILED)) { /* there are no others */
    const SsFesdOutcome last = ss_fesd_follow_blindly (m, t_end, err);
    outcome = last == SS_FESD_DONE || last == SS_FESD_NO_MEMORY ? last : outcome;
  }
  return outcome;
}

/* The element that ends in a switch is taken, then comes what happens there. */
static SsFesdOutcome
take_switch (SsFesdMarch *m, double t_end, double length, const SsFesdSwitch *what, SsError *err)
{
  const bool is_last = ss_fesd_element_length (m->element) >= t_end - m->now.t - ss_fesd_sliver * length;
  bool is_cut;
  if (!ss_fesd_follow_cut (m, &is_cut))
    return SS_FESD_TOO_MANY;
  const SsFesdOutcome outcome = ss_fesd_follow_accept (m, is_last && !is_cut, t_end, what, err);
  if (outcome != SS_FESD_DONE || m->is_over)
    return outcome == SS_FESD_NOT_SOLVED ? SS_FESD_TOO_MANY : outcome;
  if (m->now.t < m->t_step_end && ss_fesd_tell_row (m, NULL, err) != SS_OK)
    return SS_FESD_NO_MEMORY;
  m->now.events++;
  if (++m->now.at_instant > AT_INSTANT_MAX) {
    snprintf (m->reason, sizeof m->reason, "the contact modes switch without end at t = %.9g s", m->now.t);
    return SS_FESD_FAILED;
  }
  return ss_fesd_settle (m, what, err);
}

/* Back to where the element that is tried begins. */
static void
take_back (SsFesdMarch *m, bool is_selected, bool is_proposed)
{
  const double wanted = m->now.sampling.wanted;
  ss_fesd_state_restore (m, PLACE);
  m->now.sampling.wanted = wanted;
  m->choice.is_selected = is_selected;
  m->choice.is_proposed = is_proposed;
}

/* Where the next elements end, *n of them: `left` share what is left, or one goes as far as `reach`; with a tolerance
 * one has a length that the tolerance allows, or a little less, so that the last is no shorter. */
static double
end_of_next (const SsFesdMarch *m, double t_end, double reach, int left, int *n)
{
  const double rest = t_end - m->now.t;
  const bool is_near = !m->now.is_capturing && reach < rest / left;
  *n = is_near ? 1 : left;
  if (m->options.tolerance == 0 || m->now.is_capturing)
    return is_near ? m->now.t + reach : t_end;
  const double longest =
      fmin (m->now.sampling.wanted > 0 ? m->now.sampling.wanted : rest / left, is_near ? reach : INFINITY);
  const double parts = ceil (rest / longest - ss_fesd_sliver);
  *n = 1;
  return parts > 1 ? m->now.t + rest / parts : t_end;
}

/* Elements to t_end; SS_FESD_TOO_MANY: they cannot be solved so long. When there are no more elements, what is left is
 * a part of its own, and elements are then looked for over a few times the last one that a switch has ended, and over
 * more where nothing switches. */
static SsFesdOutcome
try_elements (SsFesdMarch *m, double t_end, SsError *err)
{
  const double length = t_end - m->now.t;
  int left = m->options.n_elements;
  double reach = INFINITY;
  bool is_part = false;
  m->t_part_end = t_end;
  SsFesdOutcome outcome = begin_part (m, err);
  while (outcome == SS_FESD_DONE && m->now.t < t_end && !m->is_over) {
    if (left == 0) {
      m->counts.bisected++;
      is_part = true;
      left = m->options.n_elements;
    }
    if (is_endless (m))
      return SS_FESD_FAILED;
    const bool is_selected = m->choice.is_selected, is_proposed = m->choice.is_proposed;
    int n;
    const double target = end_of_next (m, t_end, is_part ? reach : INFINITY, left, &n);
    bool is_first;
    if (ss_fesd_state_save (m, PLACE, err) != SS_OK)
      return SS_FESD_NO_MEMORY;
    outcome = try_equal (m, target, n, &is_first, err);
    if (outcome == SS_FESD_NO_MEMORY || outcome == SS_FESD_CLEAR) {
      outcome = outcome == SS_FESD_CLEAR ? SS_FESD_DONE : outcome;
      reach *= REACH;
      continue;
    }
    is_first = is_first && is_part;
    if (!is_first)
      take_back (m, is_selected, is_proposed);
    SsFesdSwitch what;
    const double t = m->now.t;
    if (outcome != SS_FESD_COARSE) {
      outcome = try_switch (m, m->options.tolerance > 0 ? target : t_end, is_first, &what, err);
      if (outcome != SS_FESD_EVENT)
        continue;
      outcome = take_switch (m, t_end, length, &what, err);
      if (outcome == SS_FESD_COARSE)
        take_back (m, is_selected, is_proposed);
    }
    if (outcome == SS_FESD_COARSE) { /* again, and shorter */
      outcome = SS_FESD_DONE;
      continue;
    }
    reach = fmax (REACH * (m->now.t - t), shortest_reach * length);
    left--;
  }
  return outcome;
}

static SsFesdOutcome
advance (SsFesdMarch *m, double t_end, int depth, SsError *err)
{
  if (is_endless (m))
    return SS_FESD_FAILED;
  if (ss_fesd_state_save (m, depth, err) != SS_OK)
    return SS_FESD_NO_MEMORY;
  m->reason[0] = 0;
  m->depth = depth;
  SsFesdOutcome outcome = try_elements (m, t_end, err);
  if (outcome == SS_FESD_DONE || outcome == SS_FESD_NO_MEMORY || outcome == SS_FESD_FAILED)
    return outcome;
  /* what was right stays: halves of the rest */
  const int last = m->saved[PLACE].t > m->saved[depth].t ? PLACE : depth;
  const double middle = 0.5 * (m->saved[last].t + t_end);
  if (depth + 1 >= SS_FESD_DEPTH_MAX || !(middle > m->saved[last].t && middle < t_end)) {
    if (m->reason[0] == 0)
      snprintf (m->reason, sizeof m->reason,
                "more switches of contacts near t = %.9g s than %d halvings of a step separate", m->now.t, depth);
    return SS_FESD_FAILED;
  }
  ss_fesd_state_restore (m, last);
  m->counts.bisected++;
  outcome = advance (m, middle, depth + 1, err);
  if (outcome != SS_FESD_DONE || m->is_over)
    return outcome;
  return advance (m, t_end, depth + 1, err);
}

/* The state is not the one that the last step ended with: contacts are looked up anew. */
static void
begin_anew (SsFesdMarch *m, const SsSimState *state)
{
  SsFesdSystem *s = m->system;
  const double touch = ss_fesd_touch_part * s->size;
  memcpy (m->now.q, state->q, (size_t)s->n_q * sizeof *m->now.q);
  memcpy (m->now.v, state->v, (size_t)s->n_q * sizeof *m->now.v);
  m->now.is_known = false;
  m->now.at_instant = m->now.solved = 0;
  m->now.events = 0;
  m->now.second = floor (state->t);
  for (int i = 0; i < ss_fesd_n_items (s); i++) {
    m->now.modes[i] = m->now.told[i] = SS_FESD_OPEN;
    m->now.offset[i] = m->now.overlap[i] = m->now.lambda_n[i] = m->now.lambda_t[i] = 0;
    m->now.ends[i] = NAN;
    m->now.broken[i] = 0;
    ss_fesd_zeno_forget (m, i);
  }
  for (int i = 0; i < s->n_static; i++) {
    const double gap = ss_fesd_point_gap (&s->points[i], state->q);
    m->now.offset[i] = m->now.overlap[i] = gap < -touch ? gap : 0;
  }
  for (int i = 0; i < 2 * s->n_pairs; i++)
    m->now.live[i] = false;
  ss_fesd_estimate_begin (m);
  memset (m->now.a, 0, (size_t)s->n_free * sizeof *m->now.a);
  memset (m->now.bilateral, 0, (size_t)s->n_bilateral * sizeof *m->now.bilateral);
  ss_fesd_state_install (m);
}

void
ss_fesd_march_begin (SsFesdMarch *m, const SsSimState *state)
{
  SS_ASSERT (m != NULL && state != NULL);
  m->now.t = state->t;
  m->now.tau = state->tau;
  begin_anew (m, state);
}

static bool
is_continued (const SsFesdMarch *m, const SsSimState *state)
{
  const SsFesdSystem *s = m->system;
  return m->has_stepped && fabs (m->now.t - state->t) <= 64 * DBL_EPSILON * fmax (1, fabs (state->t)) &&
         memcmp (m->now.q, state->q, (size_t)s->n_q * sizeof *m->now.q) == 0 &&
         memcmp (m->now.v, state->v, (size_t)s->n_q * sizeof *m->now.v) == 0;
}

SsStatus
ss_fesd_march_step (SsFesdMarch *m, const SsStep *step, const SsFesdJudge *judge, SsSimState *state, double *residual,
                    SsStepWay *way, SsError *err)
{
  SS_ASSERT (m != NULL && step != NULL && state != NULL && residual != NULL);

  SsFesdSystem *s = m->system;
  const SsFesdCounts before = m->counts;
  m->judge = judge;
  ss_fesd_system_set_controls (s, step->controls);
  m->controls = step->controls;
  m->control = step->control;
  if (!is_continued (m, state))
    begin_anew (m, state);
  m->now.t = state->t;
  m->now.tau = state->tau;
  m->tau_of_jump = NAN;
  m->now.residual = 0;
  m->t_step_end = state->t + step->dt;
  m->saved[0].t = state->t; /* is_endless asks before it is saved; the state may have gone back in time */
  m->row_to_patch = -1;
  m->choice.is_selected = m->choice.is_asked = m->choice.is_proposed = false;
  if (floor (state->t) > m->now.second) {
    m->now.second = floor (state->t);
    m->now.events = 0;
  }
  for (int i = 0; i < s->scene->n_contacts; i++)
    m->now.dissipated[i] = state->dissipated != NULL ? state->dissipated[i] : 0;
  memset (m->impulse, 0, 2 * (size_t)ss_fesd_n_items (s) * sizeof *m->impulse);
  ss_fesd_record_cut (&m->record, 0, 0);
  m->log.n = 0;
  m->has_stepped = false;
  m->is_over = m->options.freeze.owner != NULL && m->now.tau >= m->options.freeze.tau_end;
  m->solves = m->tests = 0;
  m->impacts = 0;
  SsFesdOutcome outcome = advance (m, m->t_step_end, 0, err);
  if (outcome == SS_FESD_NO_MEMORY)
    return SS_ERR_MEMORY;
  if (outcome != SS_FESD_DONE) { /* how far it came, for whoever listens */
    if (ss_fesd_tell_row (m, NULL, err) == SS_OK) {
      ss_fesd_tell_rows (m);
      (void)!ss_fesd_record_emit (&m->record, step, err);
    }
    return ss_error_set (err, SS_ERR_SINGULAR, "%s", m->reason);
  }
  ss_fesd_tell_rows (m);
  SsStatus status = ss_fesd_record_emit (&m->record, step, err);
  if (status != SS_OK)
    return status;
  memcpy (state->q, m->now.q, (size_t)s->n_q * sizeof *state->q);
  memcpy (state->v, m->now.v, (size_t)s->n_q * sizeof *state->v);
  ss_fesd_tell_gaps (m, m->now.q, state->contact);
  ss_fesd_tell_forces (s, m->now.lambda_n, m->now.lambda_t, m->impulse, state->contact);
  ss_fesd_tell_joints (m, state->joint);
  for (int i = 0; state->dissipated != NULL && i < s->scene->n_contacts; i++)
    state->dissipated[i] = m->now.dissipated[i];
  if (m->options.freeze.owner != NULL)
    state->tau = m->now.tau;
  if (m->options.freeze.owner != NULL && state->more != NULL)
    m->options.freeze.fill (m->options.freeze.owner, m, state->more);
  *residual = m->now.residual;
  m->has_stepped = true;
  *way = m->counts.homotopy > before.homotopy           ? SS_STEP_HOMOTOPY
         : m->counts.bisected > before.bisected         ? SS_STEP_BISECTED
         : m->counts.alternatives > before.alternatives ? SS_STEP_ALTERNATIVE
                                                        : SS_STEP_PREDICTED;
  return SS_OK;
}
