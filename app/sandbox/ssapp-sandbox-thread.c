/* app/sandbox/ssapp-sandbox-thread.c: the thread that steps a sandbox, and the rows that it keeps; see
 * ssapp-sandbox.h. */
#include "app/sandbox/ssapp-sandbox-private.h"

#include <math.h>
#include <string.h>

/* Behind by more than this, time slips instead of catching up: a hand on a body must not see it race. [s] */
#define LONGEST_LAG 0.1
/* Share of the newest step in the smoothed step time. */
#define SMOOTHING 0.05

void
ssapp_sandbox_live_free (SsappSandboxLive *live)
{
  if (live == NULL)
    return;
  ss_simulation_free (live->simulation);
  ss_hand_free (live->hand);
  g_free (live->u);
  ss_scenario_free (live->scenario);
  g_free (live);
}

/* ---- kept rows --------------------------------------------------------------------------------------------------- */

/* Takes a kept row out of the count and frees it. */
static void
forget_row (SsappSandbox *self, SsappPackedRow *packed)
{
  self->packed_bytes -= packed->size;
  self->full_bytes -= packed->full_size;
  ssapp_packed_row_free (packed);
}

/* Rows after the shown one never happened. */
static void
forget_future (SsappSandbox *self)
{
  while (self->rows->len > self->shown + 1)
    forget_row (self, g_ptr_array_steal_index (self->rows, self->rows->len - 1));
  while (self->hands->len > 0 && g_array_index (self->hands, SsappSandboxHand, self->hands->len - 1).t > self->frame[0])
    g_array_set_size (self->hands, self->hands->len - 1);
  if (self->pulled >= 0 && self->pulled_at > self->frame[0])
    self->pulled = -1;
}

static void
drop_oldest (SsappSandbox *self)
{
  forget_row (self, g_ptr_array_index (self->rows, self->dropped));
  self->rows->pdata[self->dropped++] = NULL;
}

/* Takes the packed row. */
void
ssapp_sandbox_add_row (SsappSandbox *self, SsappPackedRow *packed)
{
  g_return_if_fail (self != NULL);
  g_ptr_array_add (self->rows, packed);
  self->packed_bytes += packed->size;
  self->full_bytes += packed->full_size;
  while (self->rows->len - self->dropped > 1 &&
         (self->packed_bytes > self->packed_max || self->full_bytes > self->row_bytes_max))
    drop_oldest (self);
  /* Places of dropped rows are given back when they are half of all. */
  if (self->dropped > self->rows->len / 2) {
    g_ptr_array_remove_range (self->rows, 0, self->dropped);
    self->dropped = 0;
  }
  self->shown = self->rows->len - 1;
}

static void
free_packed_row (gpointer packed)
{
  ssapp_packed_row_free (packed);
}

/* A stage that leads to the row. */
static void
add_stage (SsappPackedRow *packed, const double *stage, int n)
{
  SsappPackedRow *one = ssapp_packed_row_new (stage, n);

  if (packed->stages == NULL)
    packed->stages = g_ptr_array_new_with_free_func (free_packed_row);
  packed->size += one->size;
  packed->full_size += one->full_size;
  g_ptr_array_add (packed->stages, one);
}

static void
add_event (SsappPackedRow *packed, const SsEvent *event)
{
  if (packed->events == NULL)
    packed->events = g_array_new (FALSE, FALSE, sizeof *event);
  g_array_append_val (packed->events, *event);
  packed->size += sizeof *event;
  packed->full_size += sizeof *event;
}

/* All of the last step: its rows, the last one as given, each with the stages before it and the events up to it. */
static void
add_step (SsappSandbox *self, const double *last)
{
  const SsTrajectory *rows = ss_simulation_rows (self->live->simulation);
  const SsTrajectory *stages = ss_simulation_stages (self->live->simulation);
  const SsEventList *events = ss_simulation_events (self->live->simulation);
  int stage = 0, event = 0;

  for (int i = 0; i < rows->n_rows; i++) {
    const gboolean is_last = i == rows->n_rows - 1;
    const double *row = is_last ? last : ss_trajectory_row (rows, i);
    SsappPackedRow *packed = ssapp_packed_row_new (row, self->n_channels);

    packed->ends_step = is_last;
    for (; stages != NULL && stage < stages->n_rows && ss_trajectory_row (stages, stage)[self->stage_row] <= i; stage++)
      add_stage (packed, ss_trajectory_row (stages, stage), stages->n_channels);
    for (; events != NULL && event < events->n_items && (is_last || events->items[event].t <= row[0]); event++)
      add_event (packed, &events->items[event]);
    ssapp_sandbox_add_row (self, packed);
  }
}

const SsappPackedRow *
ssapp_sandbox_row_at (SsappSandbox *self, guint index)
{
  g_return_val_if_fail (self != NULL, NULL);
  return g_ptr_array_index (self->rows, index);
}

/* Last row not after `time`, so after a jump at that time; the oldest if all are later. */
guint
ssapp_sandbox_find_row (SsappSandbox *self, double time)
{
  g_return_val_if_fail (self != NULL, 0);
  guint low = self->dropped, high = self->rows->len - 1;

  while (low < high) {
    guint middle = low + (high - low + 1) / 2;
    if (ssapp_sandbox_row_at (self, middle)->t <= time)
      low = middle;
    else
      high = middle - 1;
  }
  return low;
}

/* contacts: of the step that ends at this row, those of whose rows number `last` act; NULL: none are known. */
void
ssapp_sandbox_publish (SsappSandbox *self, const double *row, const SsContactRows *contacts, int last)
{
  g_return_if_fail (self != NULL);
  int first = contacts != NULL ? contacts->n : 0;

  memcpy (self->frame, row, (gsize)self->n_channels * sizeof *row);
  while (first > 0 && contacts->items[first - 1].row == last)
    first--;
  g_array_set_size (self->contacts, 0);
  if (contacts != NULL && first < contacts->n)
    g_array_append_vals (self->contacts, contacts->items + first, (guint)(contacts->n - first));
  self->frame_number++;
}

/* ---- the stepping thread ----------------------------------------------------------------------------------------- */

/* What the controls of the row are acts on the next step, whatever the formulas say. */
static void
hold_controls_of (SsappSandbox *self, const double *row)
{
  SsappSandboxLive *live = self->live;

  if (live->hand == NULL)
    return;
  live->has_drag = FALSE;
  for (int i = 0; i < live->controls.n_actuators; i++)
    live->u[i] = row[self->u_channels[i]];
  ss_simulation_set_controls (live->simulation, &live->controls);
}

/* The controls of the next step, into the row of the present state: those of the plan that is made again and again,
 * else of the formulas, and where a driven body is dragged what pulls it. TRUE: the actuators pull, nothing else does.
 * With the mutex. */
static gboolean
choose_controls (SsappSandbox *self, const SsappDrag *drag, double *row)
{
  SsappSandboxLive *live = self->live;
  const SsSimState *state = ss_simulation_state (live->simulation);
  gboolean is_driven = FALSE;

  if (live->hand == NULL)
    return FALSE;
  if (self->replanner != NULL)
    ssapp_replanner_ask (self->replanner, state->t, state->q, state->v);
  ss_simulation_set_controls (live->simulation,
                              self->replanner != NULL ? ssapp_replanner_take (self->replanner)
                              : self->held != NULL ? ssapp_held_plan_controls (self->held, state->t, state->q, state->v)
                                                   : NULL);
  ss_simulation_fill (live->simulation, self->row);
  for (int i = 0; i < live->controls.n_actuators; i++)
    live->u[i] = self->row[self->u_channels[i]];
  if (drag->is_active) {
    const SsVec2 p = ssapp_drag_impulse (live->scenario->scene, drag, self->h, state->q, state->v);
    is_driven = ss_hand_pull (live->hand, state->t, state->q, state->v, drag->body, drag->anchor,
                              (SsVec2){p.x / self->h, p.y / self->h}, live->u);
  }
  live->has_drag = drag->is_active;
  if (is_driven || self->replanner != NULL || self->held != NULL) /* those of a plan may go with it */
    ss_simulation_set_controls (live->simulation, &live->controls);
  for (int i = 0; i < live->controls.n_actuators; i++)
    row[self->u_channels[i]] = live->u[i];
  return is_driven;
}

/* With the mutex held: seek and reload, which need the simulation. */
static void
handle_requests (SsappSandbox *self)
{
  if (self->live_wanted != NULL) {
    ss_simulation_restore (self->live_wanted->simulation, self->frame);
    ssapp_sandbox_live_free (self->live);
    self->live = g_steal_pointer (&self->live_wanted);
    hold_controls_of (self, self->frame);
    forget_future (self);
  }
  if (!isnan (self->seek_wanted)) {
    self->shown = ssapp_sandbox_find_row (self, self->seek_wanted);
    self->seek_wanted = NAN;
    ssapp_packed_row_unpack (ssapp_sandbox_row_at (self, self->shown), self->row, self->n_channels);
    ss_simulation_restore (self->live->simulation, self->row);
    hold_controls_of (self, self->row);
    ssapp_sandbox_publish (self, self->row, NULL, 0);
    self->has_failed = FALSE;
    self->message[0] = '\0';
  }
  if (self->steps_wanted == 0 && self->n_handled != self->n_requests) {
    self->n_handled = self->n_requests;
    g_cond_broadcast (&self->handled);
  }
}

/* With the mutex held, which it gives back during the step. */
static void
do_step (SsappSandbox *self)
{
  const SsappDrag drag = self->drag;
  SsSimState *state = ss_simulation_state (self->live->simulation);
  SsStepInfo info;
  SsError err;
  SsStatus status;
  const gint64 start = g_get_monotonic_time ();
  const double cpu_start = ss_clock_thread_cpu ();

  /* what actuators drive waits for their controls, which the next row has */
  const gboolean pulls =
      drag.is_active && (self->live->hand == NULL || (self->live->has_drag && !self->live->is_driven));
  if (pulls && self->pulled < 0) {
    self->pulled = drag.body;
    self->pulled_at = self->frame[0];
  }
  g_mutex_unlock (&self->mutex);
  if (pulls)
    ssapp_drag_pull (self->live->scenario->scene, &drag, self->h, state);
  status = ss_simulation_step (self->live->simulation, self->h, &info, &err);
  g_mutex_lock (&self->mutex);

  if (status != SS_OK) {
    /* what the spring or a divergence did is taken back */
    ss_simulation_restore (self->live->simulation, self->frame);
    self->has_failed = self->is_paused = TRUE;
    self->steps_wanted = 0;
    g_strlcpy (self->message, err.message, sizeof self->message);
    return;
  }
  if (self->seek_wanted == self->seek_wanted) /* asked for meanwhile: this step is not wanted any more */
    return;
  const double seconds = (double)(g_get_monotonic_time () - start) / SSAPP_SANDBOX_US;
  self->step_seconds = self->n_steps == 0 ? seconds : self->step_seconds + SMOOTHING * (seconds - self->step_seconds);
  self->cpu_seconds += ss_clock_thread_cpu () - cpu_start;
  self->n_steps++;
  if (self->steps_wanted > 0)
    self->steps_wanted--;
  forget_future (self);
  const SsTrajectory *rows = ss_simulation_rows (self->live->simulation);
  memcpy (self->last, ss_trajectory_row (rows, rows->n_rows - 1), (gsize)self->n_channels * sizeof *self->last);
  self->live->is_driven = choose_controls (self, &self->drag, self->last);
  ssapp_sandbox_publish (self, self->last, ss_simulation_contacts (self->live->simulation), rows->n_rows - 1);
  add_step (self, self->last);
}

/* Waits, with the mutex, until the next step is due or something is asked; TRUE when it is due. */
static gboolean
is_due (SsappSandbox *self)
{
  const gint64 now = g_get_monotonic_time (), period = (gint64)(self->h / self->speed * SSAPP_SANDBOX_US);

  if (self->due == 0)
    self->due = now;
  if (now < self->due) {
    g_cond_wait_until (&self->wake, &self->mutex, self->due);
    return FALSE;
  }
  if ((double)(now - self->due) > LONGEST_LAG * SSAPP_SANDBOX_US) {
    self->slipped += (double)(now - self->due) / SSAPP_SANDBOX_US;
    self->due = now;
  }
  self->due += period;
  return TRUE;
}

/* How often who waits for the first plan looks whether it is there [us]. */
enum { LOOK_PERIOD = 10000 };

/* With the mutex: TRUE while the first plan is looked for, after a short wait. */
static gboolean
is_waiting_for_plan (SsappSandbox *self)
{
  const SsSimState *state = ss_simulation_state (self->live->simulation);
  SsappReplanState loop;

  if (self->replanner == NULL)
    return FALSE;
  ssapp_replanner_get_state (self->replanner, &loop);
  if (!loop.is_looking)
    return FALSE;
  ssapp_replanner_ask (self->replanner, state->t, state->q, state->v);
  g_cond_wait_until (&self->wake, &self->mutex, g_get_monotonic_time () + LOOK_PERIOD);
  self->due = 0;
  return TRUE;
}

gpointer
ssapp_sandbox_thread (gpointer data)
{
  SsappSandbox *self = data;

  g_mutex_lock (&self->mutex);
  while (!self->quit) {
    handle_requests (self);
    if (self->steps_wanted > 0) {
      do_step (self);
    } else if (self->is_paused) {
      self->due = 0;
      g_cond_wait (&self->wake, &self->mutex);
    } else if (!is_waiting_for_plan (self) && is_due (self)) {
      do_step (self);
    }
  }
  self->n_handled = self->n_requests;
  g_cond_broadcast (&self->handled);
  g_mutex_unlock (&self->mutex);
  return NULL;
}
