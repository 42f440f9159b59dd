/* engine/simulate/ss-fan.c: see the header. */
#include "simulate/ss-fan.h"

#include "core/ss-memory.h"
#include "simulate/ss-simulate-private.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A branch with where its next step starts. */
typedef struct {
  SsFanBranch about; /* its trajectory and events are this one's, also of branch 0 */
  double *numbers;   /* owned: the state's block */
  double t, tau, residual;
  void *memory; /* of the integrator, owned */
  bool is_live;
  int n_choices; /* of the next step */
  SsForkChoice *choices;
} Branch;

typedef struct {
  SsSimRun *run;
  const SsForkClass *fork;
  void *stepper;
  int most, n, capacity, active; /* active: whose state the record and the integrator have; -1: nobody's */
  Branch *branches;
  SsTrajectory *stages, *scratch; /* of branch 0, and of the others */
  double t_cut;                   /* first fork without enough room; NaN: none */
  bool is_cut_by_memory;
  double energy_final; /* of branch 0 */
} Fan;

void
ss_fan_branches_free (SsFanBranch *branches, int n)
{
  SS_ASSERT (n >= 0);
  for (int i = 0; i < n; i++) {
    ss_trajectory_free (branches[i].trajectory);
    ss_events_free (branches[i].events);
  }
  ss_free (branches);
}

static void
clear_branch (const Fan *fan, Branch *b)
{
  ss_trajectory_free (b->about.trajectory);
  ss_events_free (b->about.events);
  ss_free (b->numbers);
  ss_free (b->choices);
  fan->fork->forget (b->memory);
  *b = (Branch){0};
}

/* The record gives back what it has of the active branch. */
static void
release (Fan *fan)
{
  SsSimRecord *r = &fan->run->record;
  if (fan->active < 0)
    return;
  Branch *b = &fan->branches[fan->active];
  b->about.trajectory = r->motion;
  b->about.events = r->events;
  r->motion = NULL;
  r->events = NULL;
  fan->active = -1;
}

/* Stores the record's state and the integrator's memory in the branch: its next step starts from them. */
static SsStatus
keep (Fan *fan, Branch *b, SsError *err)
{
  const SsSimRecord *r = &fan->run->record;
  memcpy (b->numbers, r->state.q, ss_sim_record_state_size (r) * sizeof *b->numbers);
  b->t = r->state.t;
  b->tau = r->state.tau;
  b->residual = r->residual;
  return fan->fork->keep (fan->stepper, &b->memory, err);
}

static void
activate (Fan *fan, int i)
{
  SsSimRecord *r = &fan->run->record;
  if (fan->active != i) {
    release (fan);
    Branch *b = &fan->branches[i];
    r->motion = b->about.trajectory;
    r->events = b->about.events;
    b->about.trajectory = NULL;
    b->about.events = NULL;
    memcpy (r->state.q, b->numbers, ss_sim_record_state_size (r) * sizeof *b->numbers);
    r->state.t = b->t;
    r->state.tau = b->tau;
    r->residual = b->residual;
    fan->fork->put_back (fan->stepper, b->memory);
    fan->active = i;
  }
  r->stages = i == 0 ? fan->stages : fan->scratch;
  if (i > 0 && fan->scratch != NULL)
    fan->scratch->n_rows = 0;
}

/* A new branch with the start of the active branch's step, of whose rows and events it takes so many. */
static SsStatus
add_branch (Fan *fan, int parent, int n_rows, int n_events, SsError *err)
{
  const SsSimRecord *r = &fan->run->record;
  if (ss_array_reserve ((void **)&fan->branches, &fan->capacity, fan->n + 1, sizeof *fan->branches) != 0)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for %d branches", fan->n + 1);
  const Branch *from = &fan->branches[parent];
  Branch *b = &fan->branches[fan->n++];
  *b = (Branch){.t = from->t, .tau = from->tau, .residual = from->residual, .is_live = true};
  b->numbers = ss_new_array (double, ss_sim_record_state_size (r));
  if (b->numbers == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for %d branches", fan->n);
  memcpy (b->numbers, from->numbers, ss_sim_record_state_size (r) * sizeof *b->numbers);
  SsTrajectory part = *r->motion;
  part.n_rows = n_rows;
  SsStatus status = ss_trajectory_copy (&part, &b->about.trajectory, err);
  if (status == SS_OK && r->events != NULL)
    status = ss_events_new (&b->about.events, err);
  if (status == SS_OK && r->events != NULL) {
    memcpy (b->about.events->items, r->events->items, (size_t)n_events * sizeof *r->events->items);
    b->about.events->n_items = n_events;
  }
  return status;
}

/* The choices of `from` and then those of the forks before `fork`, which took their first draws, and this draw. */
static SsStatus
set_choices (Branch *b, const Branch *from, const SsFork *forks, int fork, long draw, SsError *err)
{
  b->choices = ss_new_array (SsForkChoice, (size_t)(from->n_choices + fork + 1));
  if (b->choices == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for %d choices", from->n_choices + fork + 1);
  for (int i = 0; i < from->n_choices; i++)
    b->choices[b->n_choices++] = from->choices[i];
  for (int i = 0; i < fork; i++)
    b->choices[b->n_choices++] = (SsForkChoice){forks[i].instant, forks[i].draws[0]};
  b->choices[b->n_choices++] = (SsForkChoice){forks[fork].instant, draw};
  return SS_OK;
}

/* The step of the branch, which has taken the first draws, forked: branches for the other draws. They copy the
 * integrator's memory from that of the step's start. */
static SsStatus
branch_off (Fan *fan, int parent, int n_rows, int n_events, SsError *err)
{
  int n;
  const SsFork *forks = fan->fork->forks (fan->stepper, &n);
  double share = fan->branches[parent].about.share;
  SsStatus status = SS_OK;
  for (int i = 0; status == SS_OK && i < n; i++) {
    if (forks[i].is_cut && isnan (fan->t_cut))
      fan->t_cut = forks[i].t;
    for (int way = 1; status == SS_OK && way < forks[i].n_ways; way++) {
      status = add_branch (fan, parent, n_rows, n_events, err);
      if (status != SS_OK)
        break;
      Branch *b = &fan->branches[fan->n - 1];
      b->about.share = share * forks[i].share[way];
      b->about.parent = parent;
      b->about.t_fork = forks[i].t;
      status = set_choices (b, &fan->branches[parent], forks, i, forks[i].draws[way], err);
    }
    share *= forks[i].share[0];
  }
  fan->branches[parent].about.share = share;
  return status;
}

/* Memory of the integrator for the branches from `first` on: that of the parent, at the start of its step. */
static SsStatus
share_memory (Fan *fan, int parent, int first, SsError *err)
{
  SsStatus status = SS_OK;
  if (first == fan->n)
    return SS_OK;
  fan->fork->put_back (fan->stepper, fan->branches[parent].memory);
  for (int i = first; status == SS_OK && i < fan->n; i++)
    status = fan->fork->keep (fan->stepper, &fan->branches[i].memory, err);
  return status;
}

/* How many more motions there is room for. */
static int
room (Fan *fan)
{
  const SsSimRun *run = fan->run;
  const SsTrajectory *motion = run->record.motion;
  const double t = run->record.state.t, t_end = run->job->t_end;
  const double steps = isnan (run->job->dt) ? run->job->controls->n_rows : t_end / run->job->dt;
  const double rows = fmax (steps, t > 0 ? motion->n_rows * t_end / t : 0);
  const double by_memory = floor (SS_FAN_NUMBERS_MAX / fmax (rows * motion->n_channels, 1)) - fan->n;
  const int by_options = fan->most - fan->n;
  if (by_memory >= by_options)
    return by_options;
  fan->is_cut_by_memory = true;
  return by_memory > 0 ? (int)by_memory : 0;
}

/* One step of a branch; branches that it makes come at the end of the list, to take the same step. */
static SsStatus
step_branch (Fan *fan, int i, double next, SsError *err)
{
  SsSimRecord *r = &fan->run->record;
  SsOutcome outcome;
  char message[sizeof fan->branches->about.message] = "";
  activate (fan, i);
  const int n_rows = r->motion->n_rows, n_events = r->events != NULL ? r->events->n_items : 0, first = fan->n;
  Branch *b = &fan->branches[i];
  fan->fork->choose (fan->stepper, b->choices, b->n_choices, room (fan));
  SsStatus status = ss_sim_run_step (fan->run, fan->stepper, next, &outcome, message, sizeof message, err);
  if (status == SS_OK && outcome == SS_OUTCOME_COMPLETED)
    status = branch_off (fan, i, n_rows, n_events, err);
  b = &fan->branches[i]; /* the list may have moved */
  if (status == SS_OK && first < fan->n) {
    void *memory = NULL; /* at the step's end */
    status = fan->fork->keep (fan->stepper, &memory, err);
    if (status == SS_OK) {
      status = share_memory (fan, i, first, err);
      fan->fork->put_back (fan->stepper, memory);
    }
    fan->fork->forget (memory);
  }
  if (status != SS_OK)
    return status;
  ss_free (b->choices);
  b->choices = NULL;
  b->n_choices = 0;
  b->about.outcome = outcome;
  b->is_live = outcome == SS_OUTCOME_COMPLETED;
  memcpy (b->about.message, message, sizeof message);
  if (!b->is_live)
    return SS_OK;
  if (i == 0) {
    ss_sim_run_tell (fan->run, ss_sim_record_first_row (r));
    fan->energy_final = fan->run->metrics.energy_final;
  }
  return keep (fan, b, err);
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

static void
say_end (const Fan *fan, SsSimResult *result)
{
  int n_ended = 0, first = -1;
  double share = 0;
  for (int i = 0; i < fan->n; i++)
    if (!fan->branches[i].is_live) {
      n_ended++;
      share += fan->branches[i].about.share;
      first = first < 0 ? i : first;
    }
  result->outcome = n_ended == 0 ? SS_OUTCOME_COMPLETED : SS_OUTCOME_FAILED;
  if (n_ended == 0)
    snprintf (result->message, sizeof result->message, "reached t = %.9g s in %d steps, %d branch%s",
              fan->run->job->t_end, fan->run->metrics.steps, fan->n, fan->n == 1 ? "" : "es");
  else
    snprintf (result->message, sizeof result->message,
              "%d of %d branches (share %.3g) ended early; branch %d, share %.3g: %.300s", n_ended, fan->n, share,
              first, fan->branches[first].about.share, fan->branches[first].about.message);
}

static void
say_cuts (const Fan *fan)
{
  SsRunControl *control = fan->run->control;
  if (control == NULL || isnan (fan->t_cut))
    return;
  if (fan->is_cut_by_memory)
    ss_run_control_log (control, SS_LOG_WARNING,
                        "the fan has %d of the branches that half a gigabyte holds: from t = %.9g s on impacts are "
                        "drawn less often; a larger step or a shorter horizon leaves room for more",
                        fan->n, fan->t_cut);
  else
    ss_run_control_log (control, SS_LOG_WARNING,
                        "the fan has %d of at most %d branches: from t = %.9g s on impacts are drawn less often, each "
                        "motion going on with its whole share; max-branches allows more",
                        fan->n, fan->most, fan->t_cut);
}

static SsStatus
integrate (Fan *fan, SsSimResult *result, SsError *err)
{
  SsSimRun *run = fan->run;
  double t = run->record.state.t;
  bool is_any = true;
  while (is_any && t < run->job->t_end) {
    activate (fan, 0);
    if (ss_sim_run_stops (run, result))
      return SS_OK;
    const double next = ss_sim_run_next_time (run);
    is_any = false;
    for (int i = 0; i < fan->n; i++) {
      if (!fan->branches[i].is_live)
        continue;
      SsStatus status = step_branch (fan, i, next, err);
      if (status != SS_OK)
        return status;
      is_any = is_any || fan->branches[i].is_live;
    }
    ss_sim_run_count_step (run, t, next);
    t = next;
  }
  say_end (fan, result);
  return SS_OK;
}

/* Branches as the result has them; those of branch 0 are the record's again. */
static SsStatus
hand_over (Fan *fan, SsSimResult *result, SsError *err)
{
  SsSimRecord *r = &fan->run->record;
  result->branches = ss_new_array (SsFanBranch, fan->n);
  if (result->branches == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for %d branches", fan->n);
  release (fan);
  for (int i = 0; i < fan->n; i++) {
    result->branches[i] = fan->branches[i].about;
    if (result->outcome != SS_OUTCOME_COMPLETED && result->outcome != SS_OUTCOME_FAILED && fan->branches[i].is_live)
      result->branches[i].outcome = result->outcome;
    fan->branches[i].about.trajectory = NULL;
    fan->branches[i].about.events = NULL;
  }
  result->n_branches = fan->n;
  r->motion = result->branches[0].trajectory;
  r->events = result->branches[0].events;
  result->branches[0].trajectory = NULL;
  result->branches[0].events = NULL;
  return SS_OK;
}

SsStatus
ss_sim_run_fan (SsSimRun *run, void *stepper, int most, SsSimResult *result, SsError *err)
{
  SS_ASSERT (run != NULL);

  SsSimRecord *r = &run->record;
  Fan fan = {.run = run,
             .fork = run->job->integrator->fork,
             .stepper = stepper,
             .most = most,
             .active = -1,
             .stages = r->stages,
             .t_cut = NAN,
             .energy_final = run->metrics.energy_final};
  SsStatus status = SS_OK;
  ss_trajectory_free (r->stage_rows); /* of one motion alone */
  r->stage_rows = NULL;
  if (r->stages != NULL)
    status = ss_trajectory_new (r->stages->channels, r->stages->n_channels, 0, &fan.scratch, err);
  if (status == SS_OK && ss_array_reserve ((void **)&fan.branches, &fan.capacity, 1, sizeof *fan.branches) != 0)
    status = ss_error_set (err, SS_ERR_MEMORY, "no memory for a fan");
  if (status == SS_OK) {
    fan.branches[0] = (Branch){.about = {.share = 1, .parent = -1}, .is_live = true};
    fan.branches[0].numbers = ss_new_array (double, ss_sim_record_state_size (r));
    fan.n = 1;
    fan.active = 0;
    status = fan.branches[0].numbers != NULL ? keep (&fan, &fan.branches[0], err)
                                             : ss_error_set (err, SS_ERR_MEMORY, "no memory for a fan");
  }
  if (status == SS_OK)
    status = integrate (&fan, result, err);
  if (status == SS_OK)
    status = hand_over (&fan, result, err);
  if (status == SS_OK)
    say_cuts (&fan);
  run->metrics.energy_final = fan.energy_final;
  if (status != SS_OK)
    release (&fan);
  r->stages = fan.stages;
  for (int i = 0; i < fan.n; i++)
    clear_branch (&fan, &fan.branches[i]);
  ss_free (fan.branches);
  ss_trajectory_free (fan.scratch);
  return status;
}
