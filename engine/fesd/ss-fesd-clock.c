/* engine/fesd/ss-fesd-clock.c: see the header. */
#include "fesd/ss-fesd-clock.h"

#include "core/ss-memory.h"

#include <math.h>

static double
sum_of (const SsFesdClock *clock, const SsSimState *state, int value)
{
  double sum = 0;
  for (int i = 0; i < clock->n_contacts; i++)
    sum += state->contact[SS_SIM_N_CONTACT_VALUES * i + value];
  return sum;
}

/* Time has gone on to t over the stages that were told [002 (69)]. */
static SsStatus
go_on (SsFesdClock *clock, double t, SsError *err)
{
  SsStatus status = SS_OK;
  for (int i = 0; status == SS_OK && i < clock->n_held; i++) {
    SsEvent event = clock->held[i];
    const double end = clock->s + clock->grown;
    event.tau = fmax (end - (1 + clock->force (clock->owner)) * (t - event.t), clock->s);
    if (!(event.tau <= end))
      event.tau = end;
    status = clock->to->event (clock->to->owner, &event, err);
  }
  clock->n_held = 0;
  clock->s += clock->grown;
  clock->grown = 0;
  clock->t = t;
  return status;
}

/* [002 (49)]. */
static SsStatus
take_row (void *owner, const SsSimState *state, SsError *err)
{
  SsFesdClock *clock = owner;
  SsSimState at = *state;
  SsStatus status = go_on (clock, state->t, err);
  clock->s += sum_of (clock, state, SS_SIM_IMPULSE_N);
  at.tau = clock->s;
  return status == SS_OK && clock->to != NULL ? clock->to->row (clock->to->owner, &at, err) : status;
}

/* [002 (46c) (52c) (63)]. */
static SsStatus
take_stage (void *owner, const SsSimState *state, double weight, SsError *err)
{
  SsFesdClock *clock = owner;
  SsSimState at = *state;
  clock->grown += weight * (1 + sum_of (clock, state, SS_SIM_LAMBDA_N));
  at.tau = clock->s + state->tau;
  return clock->to != NULL ? clock->to->stage (clock->to->owner, &at, weight, err) : SS_OK;
}

static SsStatus
take_event (void *owner, const SsEvent *event, SsError *err)
{
  SsFesdClock *clock = owner;
  SsEvent at = *event;
  if (clock->to == NULL)
    return SS_OK;
  if (event->t > clock->t) {
    if (ss_array_reserve ((void **)&clock->held, &clock->capacity, clock->n_held + 1, sizeof *clock->held) != 0)
      return ss_error_set (err, SS_ERR_MEMORY, "no memory for what happens within a step");
    clock->held[clock->n_held++] = *event;
    return SS_OK;
  }
  at.tau = clock->s;
  return clock->to->event (clock->to->owner, &at, err);
}

void
ss_fesd_clock_init (SsFesdClock *clock, int n_contacts, double (*force) (void *owner), void *owner)
{
  SS_ASSERT (clock != NULL);
  *clock = (SsFesdClock){.n_contacts = n_contacts, .force = force, .owner = owner};
}

void
ss_fesd_clock_clear (SsFesdClock *clock)
{
  SS_ASSERT (clock != NULL);
  ss_free (clock->held);
  *clock = (SsFesdClock){0};
}

void
ss_fesd_clock_begin (SsFesdClock *clock, const SsStep *step, const SsSimState *state)
{
  SS_ASSERT (clock != NULL && step != NULL && state != NULL);
  clock->sink = (SsStepSink){clock, take_row, take_stage, take_event};
  clock->to = step->sink;
  clock->t = state->t;
  clock->s = state->tau;
  clock->grown = 0;
  clock->n_held = 0;
}

SsStatus
ss_fesd_clock_end (SsFesdClock *clock, double t, SsSimState *state, SsError *err)
{
  SS_ASSERT (clock != NULL && state != NULL);
  SsStatus status = go_on (clock, t, err);
  if (status == SS_OK) /* a jump at the end */
    state->tau = clock->s + sum_of (clock, state, SS_SIM_IMPULSE_N);
  return status;
}
