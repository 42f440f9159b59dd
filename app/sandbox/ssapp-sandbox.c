/* app/sandbox/ssapp-sandbox.c: see the header. */
#include "app/sandbox/ssapp-sandbox-private.h"

#include <math.h>
#include <string.h>

/* A dt this much longer than a whole part of a frame still is that part. */
#define PART_TOLERANCE 1e-9
#define SPEED_MIN      1e-3
#define SPEED_MAX      100.0
/* Frames are counted over this long for their rate: long enough for a steady number, short enough to follow what
 * happens. [s] */
#define RATE_PERIOD 1.0

G_DEFINE_FINAL_TYPE (SsappSandbox, ssapp_sandbox, G_TYPE_OBJECT)

static void
hand_clear (SsappSandboxHand *hand)
{
  g_free (hand->text);
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
  const int index = ss_scene_find (scene, SS_OWNER_BODY, body);

  if (index < 0 || ss_body_is_immovable (&scene->bodies[index]))
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

SsScenario *
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
  const double passed = (double)(now - self->rate_since) / SSAPP_SANDBOX_US;

  self->n_taken++;
  if (self->rate_since != 0 && passed < RATE_PERIOD)
    return;
  if (self->rate_since != 0 && passed < 2 * RATE_PERIOD) /* longer is a pause */
    self->frame_rate = (double)(self->n_taken - self->rate_from) / passed;
  self->rate_since = now;
  self->rate_from = self->n_taken;
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
