/* app/sandbox/ssapp-sandbox.c: see the header. */
#include "app/sandbox/ssapp-sandbox.h"

#include "app/base/ssapp-json.h"
#include "app/sandbox/ssapp-drag.h"
#include "app/sandbox/ssapp-packed-row.h"
#include "app/job/ssapp-result.h"
#include "dynamics/ss-hand.h"
#include "simulate/ss-simulate.h"

#include <math.h>
#include <string.h>

/* Behind by more than this, time slips instead of catching up: a hand on a body must not see it race. [s] */
#define LONGEST_LAG 0.1
/* Share of the newest step in the smoothed step time. */
#define SMOOTHING 0.05
/* A dt this much longer than a whole part of a frame still is that part. */
#define PART_TOLERANCE 1e-9
#define SPEED_MIN      1e-3
#define SPEED_MAX      100.0
#define MICROSECONDS   1e6
/* Frames are counted over this long for their rate: long enough for a steady number, short enough to follow what
 * happens. [s] */
#define RATE_PERIOD 1.0

/* What the stepping thread works on. */
typedef struct {
  SsScenario *scenario;
  SsSimulation *simulation;
  SsHand *hand;        /* NULL: no actuators */
  double t0;           /* the one time of the controls: 0 */
  double *u;           /* n_actuators */
  SsControls controls; /* u for ever */
  gboolean has_drag;   /* the controls know of the drag */
  gboolean is_driven;  /* and do what it wants */
} SsappSandboxLive;

typedef struct {
  double t;
  char *text;
} SsappSandboxHand; /* something that the scenario does not say */

struct _SsappSandbox {
  GObject parent_instance;
  /* constant, or of the owner's thread only */
  const SsMethod *method;
  const char *reason; /* why that one; NULL when it was asked for */
  void *options;      /* owned */
  GPtrArray *option_names, *option_values;
  char *first_text, *text;
  GHashTable *overrides;      /* name -> double* */
  SsScenario *scenario;       /* the owner's own reading */
  SsTrajectory *layout;       /* owned; no rows: what the channels are */
  SsTrajectory *stage_layout; /* owned; the same of stages; NULL: the integrator gives none */
  int stage_row;              /* its channel that counts rows */
  int n_channels, n_bodies;
  double h;
  GThread *thread;
  /* of the stepping thread while it lives */
  SsappSandboxLive *live;
  double *row, *last;
  int *u_channels; /* of the actuators */
  gint64 due;      /* of the next step [us], 0: begin now */
  /* shared */
  GMutex mutex;
  GCond wake, handled;
  gboolean quit, is_paused, has_failed;
  int steps_wanted;
  double speed, seek_wanted; /* NaN: none */
  guint64 n_requests, n_handled;
  SsappSandboxLive *live_wanted;
  SsappHeldPlan *held;       /* owned; NULL: none; as the replanner */
  SsappReplanner *replanner; /* owned; NULL: none. Of the owner's thread, which alone changes it, and shared */
  SsappDrag drag;
  double *frame;
  GArray *contacts; /* of SsContactRow: those that act in the frame and have no channels */
  guint64 frame_number, n_steps, n_taken;
  gint64 rate_since; /* [us]; 0 before the first frame */
  guint64 rate_from; /* n_taken then */
  double frame_rate;
  double step_seconds, cpu_seconds, slipped;
  char message[512];
  GPtrArray *rows; /* of SsappPackedRow; the first `dropped` are NULL */
  guint dropped, shown;
  gsize packed_bytes, full_bytes, packed_max, row_bytes_max;
  GArray *hands; /* of SsappSandboxHand */
  /* the first body that was pulled by what is no actuator, and when [s]; -1: none */
  int pulled;
  double pulled_at;
};

G_DEFINE_FINAL_TYPE (SsappSandbox, ssapp_sandbox, G_TYPE_OBJECT)

static void
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

static void
hand_clear (SsappSandboxHand *hand)
{
  g_free (hand->text);
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
static void
ssapp_sandbox_add_row (SsappSandbox *self, SsappPackedRow *packed)
{
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

static const SsappPackedRow *
ssapp_sandbox_row_at (SsappSandbox *self, guint index)
{
  return g_ptr_array_index (self->rows, index);
}

/* Last row not after `time`, so after a jump at that time; the oldest if all are later. */
static guint
find_row (SsappSandbox *self, double time)
{
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
static void
ssapp_sandbox_publish (SsappSandbox *self, const double *row, const SsContactRows *contacts, int last)
{
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
    self->shown = find_row (self, self->seek_wanted);
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
  const double seconds = (double)(g_get_monotonic_time () - start) / MICROSECONDS;
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
  const gint64 now = g_get_monotonic_time (), period = (gint64)(self->h / self->speed * MICROSECONDS);

  if (self->due == 0)
    self->due = now;
  if (now < self->due) {
    g_cond_wait_until (&self->wake, &self->mutex, self->due);
    return FALSE;
  }
  if ((double)(now - self->due) > LONGEST_LAG * MICROSECONDS) {
    self->slipped += (double)(now - self->due) / MICROSECONDS;
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

static gpointer
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

/* ---- commands ---------------------------------------------------------------------------------------------------- */

static void
lock_for_request (SsappSandbox *self)
{
  g_mutex_lock (&self->mutex);
  self->n_requests++;
}

static void
send_request (SsappSandbox *self)
{
  g_cond_signal (&self->wake);
  g_mutex_unlock (&self->mutex);
}

void
ssapp_sandbox_set_paused (SsappSandbox *self, gboolean paused)
{
  g_return_if_fail (SSAPP_IS_SANDBOX (self));
  lock_for_request (self);
  self->is_paused = paused;
  if (!paused) {
    self->has_failed = FALSE;
    self->message[0] = '\0';
  }
  send_request (self);
}

void
ssapp_sandbox_step (SsappSandbox *self, int n_steps)
{
  g_return_if_fail (n_steps > 0);
  lock_for_request (self);
  self->is_paused = TRUE;
  self->has_failed = FALSE;
  self->message[0] = '\0';
  self->steps_wanted += n_steps;
  send_request (self);
}

void
ssapp_sandbox_set_speed (SsappSandbox *self, double factor)
{
  g_return_if_fail (SSAPP_IS_SANDBOX (self));
  lock_for_request (self);
  self->speed = CLAMP (factor, SPEED_MIN, SPEED_MAX);
  self->due = 0;
  send_request (self);
}

void
ssapp_sandbox_rewind (SsappSandbox *self, double time)
{
  g_return_if_fail (SSAPP_IS_SANDBOX (self));
  lock_for_request (self);
  self->is_paused = TRUE;
  self->steps_wanted = 0;
  self->seek_wanted = isnan (time) ? 0 : time;
  send_request (self);
}

void
ssapp_sandbox_sync (SsappSandbox *self)
{
  g_return_if_fail (SSAPP_IS_SANDBOX (self));
  g_mutex_lock (&self->mutex);
  const guint64 wanted = self->n_requests;
  while (self->thread != NULL && self->n_handled < wanted)
    g_cond_wait (&self->handled, &self->mutex);
  g_mutex_unlock (&self->mutex);
}

void
ssapp_sandbox_set_memory (SsappSandbox *self, gsize packed_bytes, gsize row_bytes)
{
  g_return_if_fail (SSAPP_IS_SANDBOX (self));
  g_mutex_lock (&self->mutex);
  self->packed_max = packed_bytes;
  self->row_bytes_max = row_bytes;
  g_mutex_unlock (&self->mutex);
}

/* Takes text. With the mutex held. */
static void
add_hand (SsappSandbox *self, char *text)
{
  SsappSandboxHand hand = {.t = self->frame[0], .text = text};
  g_array_append_val (self->hands, hand);
}

/* ---- dragging ---------------------------------------------------------------------------------------------------- */

enum { BODY_VALUES = 6, FIRST_BODY_VALUE = 1 }; /* x, y, theta, vx, vy, omega after the time */

gboolean
ssapp_sandbox_drag_begin (SsappSandbox *self, const char *body, SsVec2 point)
{
  g_return_val_if_fail (SSAPP_IS_SANDBOX (self), FALSE);

  const SsScene *scene = self->scenario->scene;
  int index = 0;

  while (index < scene->n_bodies && g_strcmp0 (scene->bodies[index].name, body) != 0)
    index++;
  if (index == scene->n_bodies || ss_body_is_immovable (&scene->bodies[index]))
    return FALSE;
  g_mutex_lock (&self->mutex);
  const double *q = self->frame + FIRST_BODY_VALUE + BODY_VALUES * index;
  self->drag = (SsappDrag){TRUE, index, ssapp_drag_turn ((SsVec2){point.x - q[0], point.y - q[1]}, -q[2]), point};
  add_hand (self, g_strdup_printf ("%s is dragged", body));
  g_mutex_unlock (&self->mutex);
  return TRUE;
}

void
ssapp_sandbox_drag_to (SsappSandbox *self, SsVec2 point)
{
  g_return_if_fail (SSAPP_IS_SANDBOX (self));
  g_mutex_lock (&self->mutex);
  if (isfinite (point.x) && isfinite (point.y))
    self->drag.target = point;
  g_mutex_unlock (&self->mutex);
}

void
ssapp_sandbox_drag_end (SsappSandbox *self)
{
  g_return_if_fail (SSAPP_IS_SANDBOX (self));
  g_mutex_lock (&self->mutex);
  if (self->drag.is_active)
    add_hand (self, g_strdup_printf ("%s is let go", self->scenario->scene->bodies[self->drag.body].name));
  self->drag.is_active = FALSE;
  g_mutex_unlock (&self->mutex);
}

char *
ssapp_sandbox_describe_pulled (SsappSandbox *self)
{
  g_return_val_if_fail (SSAPP_IS_SANDBOX (self), NULL);
  char *text = NULL;

  g_mutex_lock (&self->mutex);
  if (self->pulled >= 0 && self->pulled_at <= self->frame[0])
    text = g_strdup_printf ("%s was pulled by hand at %.2f s, which no actuator can do: the plan may find another way",
                            self->scenario->scene->bodies[self->pulled].name, self->pulled_at);
  g_mutex_unlock (&self->mutex);
  return text;
}

gboolean
ssapp_sandbox_get_spring (SsappSandbox *self, SsVec2 *on_body, SsVec2 *pointer)
{
  g_return_val_if_fail (SSAPP_IS_SANDBOX (self), FALSE);

  gboolean is_active;

  g_mutex_lock (&self->mutex);
  is_active = self->drag.is_active;
  if (is_active) {
    const double *q = self->frame + FIRST_BODY_VALUE + BODY_VALUES * self->drag.body;
    const SsVec2 r = ssapp_drag_turn (self->drag.anchor, q[2]);
    *on_body = (SsVec2){q[0] + r.x, q[1] + r.y};
    *pointer = self->drag.target;
  }
  g_mutex_unlock (&self->mutex);
  return is_active;
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

static SsScenario *
ssapp_sandbox_read_scenario (const char *text, GHashTable *overrides, GError **error)
{
  g_autofree SsOverride *list = g_new0 (SsOverride, g_hash_table_size (overrides) + 1);
  char line[1024] = "The scenario cannot be read";
  SsScenario *scenario = NULL;
  SsProblems problems;
  GHashTableIter iter;
  gpointer name, value;
  int n = 0;

  g_hash_table_iter_init (&iter, overrides);
  while (g_hash_table_iter_next (&iter, &name, &value))
    list[n++] = (SsOverride){name, *(double *)value};
  ss_problems_init (&problems);
  if (ss_scenario_read (text, strlen (text), "", list, n, &problems, &scenario) != SS_OK) {
    if (problems.n_items > 0)
      ss_error_format (&problems.items[0], line, sizeof line);
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, line);
  } else if (scenario->scene == NULL || scenario->scene->n_bodies == 0) {
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "There are no bodies to play with");
    ss_scenario_free (scenario);
    scenario = NULL;
  }
  ss_problems_clear (&problems);
  return scenario;
}

/* Of a scene with actuators. */
static SsStatus
make_hand (SsappSandboxLive *live, SsError *err)
{
  const SsScene *scene = live->scenario->scene;

  if (scene->n_actuators == 0)
    return SS_OK;
  live->u = g_new0 (double, scene->n_actuators);
  live->controls = (SsControls){.n_rows = 1, .n_actuators = scene->n_actuators, .t = &live->t0, .u = live->u};
  return ss_hand_new (scene, &live->hand, err);
}

/* The owner's reading and the stepping thread's. */
static gboolean
read_both (SsappSandbox *self, const char *text, GHashTable *overrides, SsScenario **scenario, SsappSandboxLive **live,
           GError **error)
{
  SsError err;

  *scenario = ssapp_sandbox_read_scenario (text, overrides, error);
  if (*scenario == NULL)
    return FALSE;
  *live = g_new0 (SsappSandboxLive, 1);
  (*live)->scenario = ssapp_sandbox_read_scenario (text, overrides, error);
  if ((*live)->scenario != NULL && (self->method != NULL) &&
      ss_simulation_new ((*live)->scenario->scene, self->method->integrator, self->options, &(*live)->simulation,
                         &err) == SS_OK &&
      make_hand (*live, &err) == SS_OK)
    return TRUE;
  if ((*live)->scenario != NULL)
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, err.message);
  ssapp_sandbox_live_free (*live);
  ss_scenario_free (*scenario);
  return FALSE;
}

/* In words what differs between two readings. */
static char *
describe_change (const SsScenario *from, const SsScenario *to)
{
  GString *text = g_string_new (NULL);

  for (int i = 0; i < to->n_parameters; i++) {
    int k = ss_scenario_parameter (from, to->parameters[i].name);
    if (k < 0 || from->parameters[k].value != to->parameters[i].value)
      g_string_append_printf (text, "%s%s = %.10g", text->len > 0 ? ", " : "", to->parameters[i].name,
                              to->parameters[i].value);
  }
  if (text->len == 0)
    g_string_append (text, "the scenario was edited");
  return g_string_free (text, FALSE);
}

static gboolean
has_same_channels (SsappSandbox *self, const SsappSandboxLive *live)
{
  const SsChannel *channels = ss_simulation_channels (live->simulation);

  if (ss_simulation_n_channels (live->simulation) != self->n_channels ||
      live->scenario->scene->n_bodies != self->n_bodies)
    return FALSE;
  for (int i = 0; i < self->n_channels; i++)
    if (strcmp (channels[i].name, self->layout->channels[i].name) != 0)
      return FALSE;
  return TRUE;
}

static gboolean
reload (SsappSandbox *self, const char *text, GHashTable *overrides, GError **error)
{
  SsScenario *scenario;
  SsappSandboxLive *live;

  if (!read_both (self, text, overrides, &scenario, &live, error))
    return FALSE;
  if (!has_same_channels (self, live)) {
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
                         "That makes other bodies, joints or contacts: start the sandbox again");
    ssapp_sandbox_live_free (live);
    ss_scenario_free (scenario);
    return FALSE;
  }
  lock_for_request (self);
  ssapp_sandbox_live_free (self->live_wanted);
  self->live_wanted = live;
  if (self->drag.is_active && ss_body_is_immovable (&scenario->scene->bodies[self->drag.body]))
    self->drag.is_active = FALSE;
  add_hand (self, describe_change (self->scenario, scenario));
  send_request (self);
  if (self->replanner != NULL)
    ssapp_replanner_set_goals (self->replanner, scenario);
  ss_scenario_free (self->scenario);
  self->scenario = scenario;
  return TRUE;
}

gboolean
ssapp_sandbox_set_parameter (SsappSandbox *self, const char *name, double value, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_SANDBOX (self), FALSE);

  double *old = g_hash_table_lookup (self->overrides, name);
  double before = old != NULL ? *old : NAN;

  g_hash_table_replace (self->overrides, g_strdup (name), g_memdup2 (&value, sizeof value));
  if (reload (self, self->text, self->overrides, error))
    return TRUE;
  if (isnan (before))
    g_hash_table_remove (self->overrides, name);
  else
    g_hash_table_replace (self->overrides, g_strdup (name), g_memdup2 (&before, sizeof before));
  return FALSE;
}

gboolean
ssapp_sandbox_set_text (SsappSandbox *self, const char *scenario_text, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_SANDBOX (self), FALSE);
  if (strcmp (scenario_text, self->text) == 0)
    return TRUE;
  if (!reload (self, scenario_text, self->overrides, error))
    return FALSE;
  g_free (self->text);
  self->text = g_strdup (scenario_text);
  return TRUE;
}

/* ---- the task in a loop ------------------------------------------------------------------------------------------ */

/* g_free; names are borrowed. */
static SsOverride *
list_overrides (SsappSandbox *self, int *n)
{
  SsOverride *list = g_new0 (SsOverride, g_hash_table_size (self->overrides) + 1);
  GHashTableIter iter;
  gpointer name, value;

  *n = 0;
  g_hash_table_iter_init (&iter, self->overrides);
  while (g_hash_table_iter_next (&iter, &name, &value))
    list[(*n)++] = (SsOverride){name, *(double *)value};
  return list;
}

static SsappReplanner *
make_replanner (SsappSandbox *self, const SsReplanOptions *options, GError **error)
{
  int n;
  g_autofree SsOverride *list = list_overrides (self, &n);

  return ssapp_replanner_new (self->text, list, n, options, error);
}

gboolean
ssapp_sandbox_set_replan (SsappSandbox *self, const SsReplanOptions *options, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_SANDBOX (self), FALSE);
  SsappReplanner *made = options != NULL ? make_replanner (self, options, error) : NULL, *old = self->replanner;

  if (options != NULL && made == NULL)
    return FALSE;
  lock_for_request (self);
  self->replanner = made;
  if (made != NULL)
    add_hand (self, g_strdup_printf ("its task is planned again every %.6g s", ssapp_replanner_get_period (made)));
  else if (old != NULL)
    add_hand (self, g_strdup ("its task is planned no more"));
  send_request (self);
  if (old != NULL) {
    ssapp_replanner_stop (old);
    ssapp_replanner_unref (old);
  }
  return TRUE;
}

gboolean
ssapp_sandbox_hold_plan (SsappSandbox *self, const SsTrajectory *plan, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_SANDBOX (self), FALSE);
  int n;
  g_autofree SsOverride *list = list_overrides (self, &n);
  SsappHeldPlan *made = plan != NULL ? ssapp_held_plan_new (self->text, list, n, plan, error) : NULL, *old;

  if (plan != NULL && made == NULL)
    return FALSE;
  lock_for_request (self);
  old = self->held;
  self->held = made;
  if (made != NULL)
    add_hand (self, g_strdup ("a plan holds it by an LQR"));
  else if (old != NULL)
    add_hand (self, g_strdup ("no plan holds it any more"));
  send_request (self);
  ssapp_held_plan_free (old);
  return TRUE;
}

gboolean
ssapp_sandbox_is_held (SsappSandbox *self)
{
  g_return_val_if_fail (SSAPP_IS_SANDBOX (self), FALSE);
  return self->held != NULL;
}

SsappReplanner *
ssapp_sandbox_get_replanner (SsappSandbox *self)
{
  g_return_val_if_fail (SSAPP_IS_SANDBOX (self), NULL);
  return self->replanner;
}

/* ---- asking ------------------------------------------------------------------------------------------------------ */

const char *
ssapp_sandbox_get_method (SsappSandbox *self)
{
  g_return_val_if_fail (SSAPP_IS_SANDBOX (self), NULL);
  return self->method->name;
}

const char *
ssapp_sandbox_get_reason (SsappSandbox *self)
{
  g_return_val_if_fail (SSAPP_IS_SANDBOX (self), NULL);
  return self->reason;
}

const SsScenario *
ssapp_sandbox_get_scenario (SsappSandbox *self)
{
  g_return_val_if_fail (SSAPP_IS_SANDBOX (self), NULL);
  return self->scenario;
}

double
ssapp_sandbox_get_step (SsappSandbox *self)
{
  g_return_val_if_fail (SSAPP_IS_SANDBOX (self), NAN);
  return self->h;
}

int
ssapp_sandbox_get_n_channels (SsappSandbox *self)
{
  g_return_val_if_fail (SSAPP_IS_SANDBOX (self), 0);
  return self->n_channels;
}

const SsChannel *
ssapp_sandbox_get_channels (SsappSandbox *self)
{
  g_return_val_if_fail (SSAPP_IS_SANDBOX (self), NULL);
  return self->layout->channels;
}

void
ssapp_sandbox_get_state (SsappSandbox *self, SsappSandboxState *state)
{
  g_return_if_fail (SSAPP_IS_SANDBOX (self));
  g_mutex_lock (&self->mutex);
  *state = (SsappSandboxState){.time = self->frame[0],
                               .earliest = ssapp_sandbox_row_at (self, self->dropped)->t,
                               .newest = ssapp_sandbox_row_at (self, self->rows->len - 1)->t,
                               .is_paused = self->is_paused,
                               .n_steps = self->n_steps,
                               .step_seconds = self->step_seconds,
                               .cpu_seconds = self->cpu_seconds,
                               .n_frames = self->n_taken,
                               .frame_rate = self->frame_rate,
                               .slipped = self->slipped,
                               .has_failed = self->has_failed};
  g_strlcpy (state->message, self->message, sizeof state->message);
  g_mutex_unlock (&self->mutex);
}

/* One more frame is drawn. */
static void
count_frame (SsappSandbox *self)
{
  const gint64 now = g_get_monotonic_time ();
  const double passed = (double)(now - self->rate_since) / MICROSECONDS;

  self->n_taken++;
  if (self->rate_since != 0 && passed < RATE_PERIOD)
    return;
  if (self->rate_since != 0 && passed < 2 * RATE_PERIOD) /* longer is a pause */
    self->frame_rate = (double)(self->n_taken - self->rate_from) / passed;
  self->rate_since = now;
  self->rate_from = self->n_taken;
}

guint64
ssapp_sandbox_take_frame (SsappSandbox *self, guint64 seen, double *row)
{
  return ssapp_sandbox_take_frame_with (self, seen, row, NULL);
}

guint64
ssapp_sandbox_take_frame_with (SsappSandbox *self, guint64 seen, double *row, GArray *contacts)
{
  g_return_val_if_fail (SSAPP_IS_SANDBOX (self), 0);

  guint64 number;

  g_mutex_lock (&self->mutex);
  number = self->frame_number;
  if (number != seen) {
    memcpy (row, self->frame, (gsize)self->n_channels * sizeof *row);
    if (contacts != NULL) {
      g_array_set_size (contacts, 0);
      g_array_append_vals (contacts, self->contacts->data, self->contacts->len);
    }
    count_frame (self);
  }
  g_mutex_unlock (&self->mutex);
  return number;
}

/* ---- as a run ---------------------------------------------------------------------------------------------------- */

/* What leads to a kept row, whose index among those that are kept is `index`. */
static gboolean
append_inside (SsappSandbox *self, const SsappPackedRow *packed, int index, double *stage, SsSimResult *all)
{
  gboolean ok = TRUE;

  for (guint k = 0; ok && packed->stages != NULL && k < packed->stages->len; k++) {
    ssapp_packed_row_unpack (g_ptr_array_index (packed->stages, k), stage, self->stage_layout->n_channels);
    stage[self->stage_row] = index;
    ok = ss_trajectory_append (all->stages, stage, NULL) == SS_OK;
  }
  for (guint k = 0; packed->events != NULL && k < packed->events->len; k++)
    if (all->events->n_items < SS_EVENTS_MAX)
      all->events->items[all->events->n_items++] = g_array_index (packed->events, SsEvent, k);
    else
      all->events->n_left_out++;
  return ok;
}

/* Rows, stages and events up to the shown row, and the number of whole steps in them. What led to the first row is not
 * known any more where older ones were dropped. FALSE: no memory. */
static gboolean
dup_motion (SsappSandbox *self, SsSimResult *all)
{
  const SsIntegratorClass *integrator = self->method->integrator;
  const int n_stage = self->stage_layout != NULL ? self->stage_layout->n_channels : 0;
  g_autofree double *row = g_new (double, self->n_channels), *stage = g_new (double, n_stage + 1);
  gboolean ok = TRUE;

  *all = (SsSimResult){0};
  g_mutex_lock (&self->mutex);
  const int n_rows = (int)(self->shown + 1 - self->dropped);
  ok = ss_trajectory_new (self->layout->channels, self->n_channels, n_rows, &all->trajectory, NULL) == SS_OK;
  if (ok && n_stage > 0)
    ok = ss_trajectory_new (self->stage_layout->channels, n_stage, n_rows, &all->stages, NULL) == SS_OK;
  if (ok && integrator->gives_events)
    ok = ss_events_new (&all->events, NULL) == SS_OK;
  for (int i = 0; ok && i < n_rows; i++) {
    const SsappPackedRow *packed = ssapp_sandbox_row_at (self, self->dropped + (guint)i);

    ssapp_packed_row_unpack (packed, row, self->n_channels);
    all->metrics.steps += i > 0 && packed->ends_step;
    ok = ss_trajectory_append (all->trajectory, row, NULL) == SS_OK &&
         (i == 0 || append_inside (self, packed, i, stage, all));
  }
  g_mutex_unlock (&self->mutex);
  if (!ok)
    ss_sim_result_clear (all);
  return ok;
}

SsTrajectory *
ssapp_sandbox_dup_trajectory (SsappSandbox *self)
{
  g_return_val_if_fail (SSAPP_IS_SANDBOX (self), NULL);
  SsSimResult all;

  if (!dup_motion (self, &all))
    return NULL;
  SsTrajectory *trajectory = g_steal_pointer (&all.trajectory);
  ss_sim_result_clear (&all);
  return trajectory;
}

/* What the run was made from. */
static SsappJobSpec *
make_spec (SsappSandbox *self, double t_end)
{
  SsappJobSpec *spec = ssapp_job_spec_new ();

  spec->kind = SS_METHOD_INTEGRATOR;
  spec->scenario_text = g_strdup (self->first_text);
  spec->scenario_file = g_strdup ("");
  spec->method = g_strdup (self->method->name);
  for (guint i = 0; i < self->option_names->len; i++) {
    g_ptr_array_add (spec->option_names, g_strdup (g_ptr_array_index (self->option_names, i)));
    g_ptr_array_add (spec->option_values, g_strdup (g_ptr_array_index (self->option_values, i)));
  }
  spec->dt = self->h;
  spec->t_end = t_end;
  return spec;
}

static void
on_warning (void *user_data, const SsProgress *progress)
{
  if (progress->kind == SS_PROGRESS_LOG && progress->level == SS_LOG_WARNING)
    json_array_append_new (user_data, json_string (progress->text));
}

/* What a run of the scene by this integrator warns of at its start, that is one to t = 0 s, of no steps, and what the
 * judge found in the motion. New list of texts. */
static json_t *
collect_warnings (SsappSandbox *self, const SsScene *scene, const SsMotionVerdict *verdict)
{
  json_t *list = json_array ();
  SsRunControl control;
  SsTrajectory *none = NULL;
  SsSimMetrics metrics;
  SsOutcome outcome;
  char message[256];

  ss_run_control_init (&control);
  control.progress = on_warning;
  control.user_data = list;
  /* Where that cannot be done there is nothing to warn of. */
  if (ss_simulate (scene, self->method->integrator, self->options, self->h, 0, &control, &none, &metrics, &outcome,
                   message, sizeof message, NULL) == SS_OK)
    ss_trajectory_free (none);
  ss_run_warn_of_passage (self->scenario->scene, verdict, &control);
  return list;
}

static gboolean
write_run (SsappStore *store, const SsappJobSpec *spec, const char *name, json_t *result, GPtrArray *log,
           const SsTrajectory *trajectory, GError **error)
{
  const json_t *warnings = json_object_get (result, "warnings");

  g_autofree char *options = ssapp_job_spec_options_json (spec), *parameters = ssapp_job_spec_parameters_json (spec);
  g_autofree char *text = ssapp_json_text (result, FALSE);
  g_autofree char *note = log->len == 0 ? g_strdup ("sandbox")
                                        : g_strdup_printf ("sandbox, %u %s by hand: see the log", log->len,
                                                           log->len == 1 ? "change" : "changes");

  if (!ssapp_store_record (store, spec->id, spec->scenario_text, name, (SsMethodId){spec->kind, spec->method}, options,
                           parameters, 0, error))
    return FALSE;
  for (size_t w = 0; w < json_array_size (warnings); w++)
    if (!ssapp_store_add_log (store, spec->id, 0, SS_LOG_WARNING, json_string_value (json_array_get (warnings, w)),
                              error))
      return FALSE;
  for (guint i = 0; i < log->len; i++)
    if (!ssapp_store_add_log (store, spec->id, 0, SS_LOG_INFO, g_ptr_array_index (log, i), error))
      return FALSE;
  return ssapp_store_finish (store, spec->id, text, trajectory, error) && ssapp_store_flush (store, error) &&
         ssapp_store_set_note (store, spec->id, note, error);
}

/* The record of what was seen so far, and in `log` what hands did to it. Takes what was seen. */
static gboolean
make_record (SsappSandbox *self, SsSimResult *all, GPtrArray *log, SsRunResult *result, GError **error)
{
  const double t = ss_trajectory_row (all->trajectory, all->trajectory->n_rows - 1)[0];
  const int n_steps = all->metrics.steps;
  const SsMotionLaw law = ss_integrator_contact_law (self->scenario->scene, self->method->integrator, self->options);
  SsError err;

  if (ss_run_result_from_motion (self->scenario->scene, &law, SS_OUTCOME_COMPLETED, all, result, &err) != SS_OK) {
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_FAILED, "There is no memory for the run");
    return FALSE;
  }
  g_mutex_lock (&self->mutex);
  for (guint i = 0; i < self->hands->len; i++) {
    const SsappSandboxHand *hand = &g_array_index (self->hands, SsappSandboxHand, i);
    if (hand->t <= t)
      g_ptr_array_add (log, g_strdup_printf ("%.6g s: %s", hand->t, hand->text));
  }
  if (self->has_failed)
    result->outcome = SS_OUTCOME_FAILED;
  ss_metric_set (&result->metrics, SS_METRIC_SOLVE_SECONDS, self->step_seconds * (double)n_steps);
  snprintf (result->message, sizeof result->message, "sandbox: %.400s%s%d steps to t = %.9g s",
            self->has_failed ? self->message : "", self->has_failed ? "; " : "", n_steps, t);
  g_mutex_unlock (&self->mutex);
  return TRUE;
}

char *
ssapp_sandbox_keep (SsappSandbox *self, SsappStore *store, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_SANDBOX (self), NULL);
  g_autoptr (GPtrArray) log = g_ptr_array_new_with_free_func (g_free);
  SsSimResult all;
  const gboolean has_memory = dup_motion (self, &all);
  g_autoptr (GHashTable) none = g_hash_table_new (g_str_hash, g_str_equal);
  SsScenario *first = ssapp_sandbox_read_scenario (self->first_text, none, error);
  SsRunResult result;
  char *id = NULL;

  if (first == NULL || !has_memory) {
    if (first != NULL)
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_FAILED, "There is no memory for the run");
    ss_scenario_free (first);
    ss_sim_result_clear (&all);
    return NULL;
  }
  const double t = ss_trajectory_row (all.trajectory, all.trajectory->n_rows - 1)[0];
  if (!make_record (self, &all, log, &result, error)) {
    ss_scenario_free (first);
    return NULL;
  }
  SsappJobSpec *spec = make_spec (self, t);
  json_t *json = ssapp_result_new (spec, first, self->method, self->options, NULL, &result, 0);
  json_object_set_new (json, "warnings", collect_warnings (self, first->scene, &result.verdict));
  json_t *asked = json_object_get (json, "asked");
  json_object_set_new (asked, "verb", json_string ("sandbox"));
  json_object_set_new (asked, "by_hand", json_integer ((json_int_t)log->len));
  if (write_run (store, spec, first->name, json, log, ss_run_motion (&result), error))
    id = g_strdup (spec->id);
  json_decref (json);
  ssapp_job_spec_free (spec);
  ss_run_result_clear (&result);
  ss_scenario_free (first);
  return id;
}

/* ---- object ------------------------------------------------------------------------------------------------------ */

/* More bodies that move than this: the exact law takes 15 ms a step for a collapsing wall of 50 boxes, the convex
 * relaxation 2 ms. */
enum { EXACT_LAW_BODIES_MAX = 20 };

static const char *
standard_method (const SsScene *scene, const char **reason)
{
  int n_moving = 0;

  *reason = NULL;
  for (int i = 0; i < scene->n_contacts; i++)
    if (scene->contacts[i].restitution > 0) {
      *reason = "Moreau–Jean, since contacts bounce";
      return ss_integrator_moreau_jean.name;
    }
  for (int i = 0; i < scene->n_bodies; i++)
    n_moving += !ss_body_is_immovable (&scene->bodies[i]);
  if (n_moving <= EXACT_LAW_BODIES_MAX)
    return ss_integrator_stewart_trinkle.name;
  *reason =
      "More than 20 bodies move: convex time stepping keeps up with them, and lets sliding contacts lift a little";
  return ss_integrator_convex_time_stepping.name;
}

static gboolean
find_method (const char *name, const SsMethod **method, GError **error)
{
  SsError err;
  char line[1024];

  *method = ss_method_find (SS_METHOD_INTEGRATOR, name, &err);
  if (*method != NULL && (*method)->is_built)
    return TRUE;
  if (*method != NULL)
    ss_error_set (&err, SS_ERR_NOT_BUILT, "%s: %s", name, (*method)->why_not);
  ss_error_format (&err, line, sizeof line);
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, line);
  return FALSE;
}

static gboolean
take_options (SsappSandbox *self, const char *const *options, GError **error)
{
  SsError err;
  char line[1024];

  self->options = g_malloc0 (MAX (self->method->options->size, 1));
  ss_options_init (self->method->options, self->options);
  for (int i = 0; options != NULL && options[i] != NULL && options[i + 1] != NULL; i += 2) {
    if (ss_options_set (self->method->options, self->options, options[i], options[i + 1], &err) != SS_OK)
      goto fail;
    g_ptr_array_add (self->option_names, g_strdup (options[i]));
    g_ptr_array_add (self->option_values, g_strdup (options[i + 1]));
  }
  return TRUE;

fail:
  ss_error_format (&err, line, sizeof line);
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, line);
  return FALSE;
}

static gboolean
prepare (SsappSandbox *self, const char *text, const char *const *options, GError **error)
{
  if (!take_options (self, options, error) ||
      !read_both (self, text, self->overrides, &self->scenario, &self->live, error))
    return FALSE;
  self->text = g_strdup (text);
  self->first_text = g_strdup (text);
  self->n_bodies = self->scenario->scene->n_bodies;
  self->n_channels = ss_simulation_n_channels (self->live->simulation);
  const SsTrajectory *stages = ss_simulation_stages (self->live->simulation);
  if (ss_trajectory_new (ss_simulation_channels (self->live->simulation), self->n_channels, 1, &self->layout, NULL) !=
          SS_OK ||
      (stages != NULL &&
       ss_trajectory_new (stages->channels, stages->n_channels, 1, &self->stage_layout, NULL) != SS_OK)) {
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_FAILED, "There is no memory for the sandbox");
    return FALSE;
  }
  self->stage_row = stages != NULL ? ss_trajectory_channel (stages, "row") : -1;
  self->h = SSAPP_SANDBOX_FRAME / ceil (fmax (SSAPP_SANDBOX_FRAME / self->scenario->task.dt - PART_TOLERANCE, 1));
  self->row = g_new0 (double, self->n_channels);
  self->last = g_new0 (double, self->n_channels);
  self->u_channels = g_new0 (int, self->scenario->scene->n_actuators + 1);
  for (int i = 0; i < self->scenario->scene->n_actuators; i++) {
    g_autofree char *name = g_strdup_printf ("u.%s", self->scenario->scene->actuators[i].name);
    self->u_channels[i] = MAX (ss_trajectory_channel (self->layout, name), 0);
  }
  self->frame = g_new0 (double, self->n_channels);
  ss_simulation_fill (self->live->simulation, self->row);
  ssapp_sandbox_publish (self, self->row, NULL, 0);
  SsappPackedRow *first = ssapp_packed_row_new (self->row, self->n_channels);
  first->ends_step = TRUE;
  ssapp_sandbox_add_row (self, first);
  return TRUE;
}

SsappSandbox *
ssapp_sandbox_new_with (const char *scenario_text, const SsMethod *method, const char *const *options, GError **error)
{
  g_autoptr (SsappSandbox) self = g_object_new (SSAPP_TYPE_SANDBOX, NULL);

  g_return_val_if_fail (method != NULL && method->integrator != NULL, NULL);
  self->method = method;
  if (!prepare (self, scenario_text, options, error))
    return NULL;
  self->thread = g_thread_try_new ("sandbox", ssapp_sandbox_thread, self, error);
  return self->thread != NULL ? g_steal_pointer (&self) : NULL;
}

SsappSandbox *
ssapp_sandbox_new (const char *scenario_text, const char *method, const char *const *options, GError **error)
{
  const char *reason = NULL;
  const SsMethod *found;

  if (method == NULL) {
    g_autoptr (GHashTable) none = g_hash_table_new (g_str_hash, g_str_equal);
    SsScenario *scenario = ssapp_sandbox_read_scenario (scenario_text, none, error);
    if (scenario == NULL)
      return NULL;
    method = standard_method (scenario->scene, &reason);
    ss_scenario_free (scenario);
  }
  if (!find_method (method, &found, error))
    return NULL;
  SsappSandbox *self = ssapp_sandbox_new_with (scenario_text, found, options, error);
  if (self != NULL)
    self->reason = reason;
  return self;
}

void
ssapp_sandbox_stop (SsappSandbox *self)
{
  g_return_if_fail (SSAPP_IS_SANDBOX (self));
  if (self->thread == NULL)
    return;
  g_mutex_lock (&self->mutex);
  self->quit = TRUE;
  g_cond_signal (&self->wake);
  g_mutex_unlock (&self->mutex);
  g_thread_join (g_steal_pointer (&self->thread));
}

static void
ssapp_sandbox_finalize (GObject *object)
{
  SsappSandbox *self = SSAPP_SANDBOX (object);

  ssapp_sandbox_stop (self);
  g_clear_pointer (&self->held, ssapp_held_plan_free);
  g_clear_pointer (&self->replanner, ssapp_replanner_unref);
  ssapp_sandbox_live_free (self->live);
  ssapp_sandbox_live_free (self->live_wanted);
  ss_scenario_free (self->scenario);
  g_ptr_array_unref (self->rows);
  g_array_unref (self->hands);
  g_ptr_array_unref (self->option_names);
  g_ptr_array_unref (self->option_values);
  g_hash_table_unref (self->overrides);
  ss_trajectory_free (self->layout);
  ss_trajectory_free (self->stage_layout);
  g_free (self->options);
  g_free (self->text);
  g_free (self->first_text);
  g_free (self->row);
  g_free (self->last);
  g_free (self->u_channels);
  g_free (self->frame);
  g_array_unref (self->contacts);
  g_mutex_clear (&self->mutex);
  g_cond_clear (&self->wake);
  g_cond_clear (&self->handled);
  G_OBJECT_CLASS (ssapp_sandbox_parent_class)->finalize (object);
}

static void
ssapp_sandbox_class_init (SsappSandboxClass *class)
{
  G_OBJECT_CLASS (class)->finalize = ssapp_sandbox_finalize;
}

static void
ssapp_sandbox_init (SsappSandbox *self)
{
  g_mutex_init (&self->mutex);
  g_cond_init (&self->wake);
  g_cond_init (&self->handled);
  self->contacts = g_array_new (FALSE, FALSE, sizeof (SsContactRow));
  self->is_paused = TRUE;
  self->speed = 1;
  self->seek_wanted = NAN;
  self->packed_max = SSAPP_SANDBOX_MEMORY;
  self->row_bytes_max = SSAPP_SANDBOX_ROWS_MEMORY;
  self->rows = g_ptr_array_new_with_free_func ((GDestroyNotify)ssapp_packed_row_free);
  self->hands = g_array_new (FALSE, FALSE, sizeof (SsappSandboxHand));
  self->pulled = -1;
  g_array_set_clear_func (self->hands, (GDestroyNotify)hand_clear);
  self->option_names = g_ptr_array_new_with_free_func (g_free);
  self->option_values = g_ptr_array_new_with_free_func (g_free);
  self->overrides = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
}
