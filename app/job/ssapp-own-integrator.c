/* app/job/ssapp-own-integrator.c: a simulation by a program of the user's own. The driver of all integrators takes the
 * steps; each reads the program's rows up to its end. So its motion is recorded, judged, limited and shown as any
 * other.
 *
 * Rows are `frame` events: `channels` names what stands in `values` (it may be left out from the second one on): t, of
 * each body that moves .x .y .theta .vx .vy .omega, of contacts .impulse_n .impulse_t [N s, since the row before] or
 * .lambda_n .lambda_t [N, mean since then]; others are passed over. A row at the start is compared with the scene's. */
#include "app/job/ssapp-own-class.h"

#include "app/base/ssapp-json.h"
#include "app/job/ssapp-own-child.h"
#include "contact/ss-contact-problem.h"

#include <math.h>
#include <string.h>

enum {
  ROWS_WITHIN_MAX = 100000,
  N_IMPULSES = 2,
  N_TOLD = 4
}; /* rows of one step; impulse_n, impulse_t, lambda_n, lambda_t */
/* A motion of which no force explains so much of the changes of velocity is not the scene's; looked at after so many
 * steps, and at the end. */
static const double UNEXPLAINED_MOST = 0.5;
enum { STEPS_BEFORE_A_VERDICT = 20 };
/* Of a step: times that differ by less are one. And of a coordinate (1 at least): how exactly the start is the scene's.
 * */
static const double SAME_TIME = 1e-6, SAME_START = 1e-9;

typedef struct {
  SsappOwnRun *run;
  const SsScene *scene; /* borrowed */
  SsControls *plan;     /* of a replay; NULL: none */
  SsappOracle *oracle;
  SsappOwnChild *child;
  int n_columns;
  int time;     /* column of t */
  int *body;    /* 6 n_bodies: column of each, -1: none */
  int *contact; /* N_TOLD n_contacts, likewise */
  double *row;  /* n_columns: of the newest frame */
  gboolean has_row;
  double start;   /* of the first step [s] */
  double *q, *v;  /* n: of a row within a step */
  double *before; /* n: velocities of the row before it */
  double *force;  /* SS_SIM_N_CONTACT_VALUES n_contacts, likewise */
  gboolean has_begun;
  /* Of bodies that no joint holds, over the steps in which the method tells no force of their contacts: changes of
   * velocity, with those that the scene's forces make, and what is left of them [m/s] */
  SsDynamics *dynamics;
  double *force_before, *force_after; /* n [N], [N m] */
  double changes, unexplained;
  int n_steps;
} Stepper;

static void
stepper_free (void *data)
{
  Stepper *self = data;

  if (self == NULL)
    return;
  ssapp_own_child_free (self->child);
  ssapp_oracle_free (self->oracle);
  ss_controls_free (self->plan);
  ss_dynamics_free (self->dynamics);
  g_free (self->force_before);
  g_free (self->force_after);
  g_free (self->body);
  g_free (self->contact);
  g_free (self->row);
  g_free (self->q);
  g_free (self->v);
  g_free (self->before);
  g_free (self->force);
  g_free (self);
}

static SsStatus
stepper_new (const SsScene *scene, const void *options, void **integrator, SsError *err)
{
  SsappOwnRun *run = options != NULL ? ((const SsappOwnOptions *)options)->run : NULL;

  if (run == NULL)
    return ss_error_set (err, SS_ERR_INVALID,
                         "a method of your own takes part in runs, which have a job to tell it; here "
                         "there is none");
  Stepper *self = g_new0 (Stepper, 1);
  self->run = run;
  self->scene = scene;
  self->body = g_new (int, 6 * scene->n_bodies + 1);
  self->contact = g_new (int, N_TOLD * scene->n_contacts + 1);
  self->q = g_new0 (double, 3 * scene->n_bodies + 1);
  self->v = g_new0 (double, 3 * scene->n_bodies + 1);
  self->before = g_new0 (double, 3 * scene->n_bodies + 1);
  self->force = g_new0 (double, SS_SIM_N_CONTACT_VALUES * scene->n_contacts + 1);
  self->force_before = g_new0 (double, 3 * scene->n_bodies + 1);
  self->force_after = g_new0 (double, 3 * scene->n_bodies + 1);
  SsStatus status = ss_dynamics_new (scene, &self->dynamics, err);
  if (status == SS_OK && run->plan != NULL)
    status = ss_controls_new (scene, run->plan, &self->plan, err);
  if (status != SS_OK) {
    stepper_free (self);
    return status;
  }
  self->oracle = ssapp_oracle_new_scene (scene, run->dt, run->t_end, self->plan, err);
  if (self->oracle != NULL)
    self->child = ssapp_own_child_new (run, NULL, self->oracle, err);
  if (self->child == NULL) {
    stepper_free (self);
    return SS_ERR_INVALID;
  }
  *integrator = self;
  return SS_OK;
}

/* ---- channels ---------------------------------------------------------------------------------------------------- */

static int
column_of (const json_t *channels, const char *owner, const char *what)
{
  g_autofree char *name = owner != NULL ? g_strconcat (owner, ".", what, NULL) : g_strdup (what);
  const json_t *channel;
  size_t i;

  json_array_foreach (channels, i, channel)
  {
    if (g_strcmp0 (json_string_value (channel), name) == 0)
      return (int)i;
  }
  return -1;
}

static SsStatus
take_channels (Stepper *self, const json_t *channels, SsError *err)
{
  static const char *const told[N_TOLD] = {"impulse_n", "impulse_t", "lambda_n", "lambda_t"};
  const SsScene *scene = self->scene;

  self->n_columns = (int)json_array_size (channels);
  g_free (self->row);
  self->row = g_new0 (double, self->n_columns + 1);
  self->time = column_of (channels, NULL, "t");
  if (self->time < 0)
    return ssapp_own_fail (self->run, err, "has a frame without the channel t");
  for (int i = 0; i < scene->n_bodies; i++)
    for (int c = 0; c < SS_BODY_CHANNELS; c++) {
      self->body[6 * i + c] = column_of (channels, scene->bodies[i].name, ss_body_channels[c]);
      if (self->body[6 * i + c] < 0 && !ss_body_is_immovable (&scene->bodies[i]))
        return ssapp_own_fail (self->run, err, "has a frame without the channel %s.%s: is it of another scene?",
                               scene->bodies[i].name, ss_body_channels[c]);
    }
  for (int i = 0; i < scene->n_contacts; i++)
    for (int k = 0; k < N_TOLD; k++)
      self->contact[N_TOLD * i + k] = column_of (channels, scene->contacts[i].name, told[k]);
  return SS_OK;
}

/* A number of the row; `fallback` where it has none. */
static double
value_or (const Stepper *self, int column, double fallback)
{
  return column >= 0 ? self->row[column] : fallback;
}

/* ---- rows -------------------------------------------------------------------------------------------------------- */

static SsStatus
take_frame (Stepper *self, const json_t *frame, SsError *err)
{
  const json_t *channels = json_object_get (frame, "channels"), *values = json_object_get (frame, "values"), *value;
  size_t i;

  if (channels != NULL || self->n_columns == 0) {
    SsStatus status = take_channels (self, channels, err);
    if (status != SS_OK)
      return status;
  }
  if ((int)json_array_size (values) != self->n_columns)
    return ssapp_own_fail (self->run, err, "has a frame with %d values of %d channels", (int)json_array_size (values),
                           self->n_columns);
  json_array_foreach (values, i, value) self->row[i] = json_is_number (value) ? json_number_value (value) : NAN;
  if (!isfinite (self->row[self->time]))
    return ssapp_own_fail (self->run, err, "has a frame whose t is no number");
  self->has_row = TRUE;
  return SS_OK;
}

/* The method's last word came before its motion was whole. */
static SsStatus
tell_early_end (Stepper *self, const json_t *result, double t, SsError *err)
{
  g_autofree char *message = ssapp_own_text (result, "message"), *outcome = ssapp_own_text (result, "outcome");

  return ssapp_own_fail (self->run, err, "ended at t = %.9g s of %.9g s with outcome %.40s: %s", t, self->run->t_end,
                         outcome[0] != '\0' ? outcome : "(none)", message[0] != '\0' ? message : "it says no more");
}

static SsStatus
next_row (Stepper *self, const SsStep *step, double t, SsError *err)
{
  json_t *event = ssapp_own_child_next (self->child, step->control, err);
  const char *type = ssapp_json_get_string (event, "type");
  SsStatus status = SS_ERR_INVALID;

  if (event == NULL)
    return status;
  if (strcmp (type, "frame") == 0)
    status = take_frame (self, event, err);
  else if (strcmp (type, "result") == 0)
    status = tell_early_end (self, event, t, err);
  else
    status = ssapp_own_fail (self->run, err, "wrote an event of type \"%s\", which a simulation has not", type);
  json_decref (event);
  return status;
}

/* A motion that begins elsewhere is that of another scene. */
static SsStatus
check_start (const Stepper *self, const SsSimState *state, SsError *err)
{
  for (int i = 0; i < self->scene->n_bodies; i++)
    for (int c = 0; c < SS_BODY_CHANNELS; c++) {
      const double ours = c < 3 ? state->q[3 * i + c] : state->v[3 * i + c - 3];
      const double theirs = value_or (self, self->body[6 * i + c], ours);
      if (!(fabs (theirs - ours) <= SAME_START * fmax (1, fabs (ours))))
        return ssapp_own_fail (self->run, err,
                               "begins with %s.%s = %.9g where the scene has %.9g: is its motion of "
                               "another scene?",
                               self->scene->bodies[i].name, ss_body_channels[c], theirs, ours);
    }
  return SS_OK;
}

/* The row as a state: of q, v what it has, of contacts the gaps and what it tells over the time h since the last row.
 * */
static void
fill_state (const Stepper *self, double h, double *q, double *v, double *contact)
{
  const SsScene *scene = self->scene;

  for (int i = 0; i < scene->n_bodies; i++)
    for (int c = 0; c < 3; c++) {
      q[3 * i + c] = value_or (self, self->body[6 * i + c], q[3 * i + c]);
      v[3 * i + c] = value_or (self, self->body[6 * i + 3 + c], v[3 * i + c]);
    }
  for (int i = 0; i < scene->n_contacts; i++) {
    const int *column = self->contact + N_TOLD * i;
    double *values = contact + SS_SIM_N_CONTACT_VALUES * i;

    values[SS_SIM_GAP] =
        scene->n_contacts <= SS_CONTACTS_WITH_CHANNELS_MAX ? ss_scene_contact_gap (scene, i, q) : INFINITY;
    for (int k = 0; k < N_IMPULSES; k++) {
      const double mean = value_or (self, column[N_IMPULSES + k], NAN);
      const double impulse = value_or (self, column[k], isnan (mean) ? 0 : h * mean);
      values[SS_SIM_IMPULSE_N + k] = impulse;
      values[SS_SIM_LAMBDA_N + k] = isnan (mean) ? impulse / h : mean;
    }
  }
}

/* ---- whether the motion is the scene's --------------------------------------------------------------------------- */

/* Whether a contact of the body has told a force in the row that was read last. */
static gboolean
is_pushed (const Stepper *self, int body, const double *contact)
{
  for (int i = 0; i < self->scene->n_contacts; i++) {
    const SsContact *c = &self->scene->contacts[i];
    const double *values = contact + SS_SIM_N_CONTACT_VALUES * i;
    if ((c->body_a == body || c->body_b == body) && (values[SS_SIM_IMPULSE_N] != 0 || values[SS_SIM_IMPULSE_T] != 0))
      return TRUE;
  }
  return FALSE;
}

/* Adds a row's changes of velocity over h [s] from those of `before`; the forces before it are known. Only where a body
 * is free in both senses: what contacts and joints do the judge looks at. */
static void
look_at_changes (Stepper *self, double t, double h, const double *before, const double *q, const double *v,
                 const double *contact, const double *controls)
{
  const double *inverse = ss_dynamics_inverse_mass (self->dynamics);

  ss_dynamics_forces (self->dynamics, SS_FORCE_ALL, t, q, v, controls, self->force_after);
  for (int i = 0; i < self->scene->n_bodies; i++) {
    const double w = inverse[3 * i];
    if (w == 0 || ss_body_is_joined (self->scene, i) || is_pushed (self, i, contact))
      continue;
    double change[2], due[2];
    for (int c = 0; c < 2; c++) {
      change[c] = v[3 * i + c] - before[3 * i + c];
      due[c] = 0.5 * h * w * (self->force_before[3 * i + c] + self->force_after[3 * i + c]);
    }
    self->changes += fmax (hypot (change[0], change[1]), hypot (due[0], due[1]));
    self->unexplained += hypot (change[0] - due[0], change[1] - due[1]);
  }
  memcpy (self->force_before, self->force_after, 3 * (size_t)self->scene->n_bodies * sizeof (double));
}

static SsStatus
check_changes (Stepper *self, double t, double same, SsError *err)
{
  if (++self->n_steps < STEPS_BEFORE_A_VERDICT && t < self->run->t_end - same)
    return SS_OK;
  if (!(self->unexplained > UNEXPLAINED_MOST * self->changes))
    return SS_OK;
  return ssapp_own_fail (
      self->run, err,
      "tells a motion that is not this scene's: of %.3g m/s by which bodies without a force of "
      "contact change their velocities up to t = %.9g s, %.3g m/s follow from no force (does it tell "
      "the impulses of its contacts?)",
      self->changes, t, self->unexplained);
}

/* ---- a step ------------------------------------------------------------------------------------------------------ */

/* A row within the step, told to the driver. */
static SsStatus
emit_row (Stepper *self, const SsStep *step, const SsSimState *state, double last, SsError *err)
{
  SsSimState within = *state;

  within.t = self->row[self->time];
  within.q = self->q;
  within.v = self->v;
  within.contact = self->force;
  memcpy (self->before, self->v, 3 * (size_t)self->scene->n_bodies * sizeof (double));
  fill_state (self, within.t - last, within.q, within.v, within.contact);
  look_at_changes (self, within.t, within.t - last, self->before, within.q, within.v, within.contact, step->controls);
  return ss_step_emit_row (step, &within, err);
}

static SsStatus
do_step (void *integrator, const SsStep *step, SsSimState *state, SsStepInfo *info, SsError *err)
{
  Stepper *self = integrator;
  const double end = state->t + step->dt, same = SAME_TIME * step->dt;
  const size_t n = 3 * (size_t)self->scene->n_bodies * sizeof (double);
  double last = state->t;

  memcpy (self->q, state->q, n);
  memcpy (self->v, state->v, n);
  /* Controls jump between steps; formulas do not. */
  if (self->n_steps == 0 || step->controls != NULL)
    ss_dynamics_forces (self->dynamics, SS_FORCE_ALL, state->t, state->q, state->v, step->controls, self->force_before);
  ssapp_oracle_hold (self->oracle, state->t, end, step->controls);
  for (int k = 0; k < ROWS_WITHIN_MAX; k++) {
    SsStatus status = next_row (self, step, last, err);
    const double t = self->has_row ? self->row[self->time] : NAN;

    if (status == SS_OK && !self->has_begun && fabs (t - state->t) <= same) {
      self->has_begun = TRUE;
      status = check_start (self, state, err);
      if (status == SS_OK)
        continue;
    }
    if (status != SS_OK)
      return status;
    self->has_begun = TRUE;
    if (!(t > last + same))
      return ssapp_own_fail (self->run, err, "has a row at t = %.9g s behind one at %.9g s: times must ascend", t,
                             last);
    if (t > end + same)
      return ssapp_own_fail (self->run, err,
                             "has a row at t = %.9g s but none at %.9g s, where a step ends: the answer "
                             "to the question `scene` lists the `times`",
                             t, end);
    if (t >= end - same) {
      fill_state (self, end - last, state->q, state->v, state->contact);
      look_at_changes (self, end, end - last, self->v, state->q, state->v, state->contact, step->controls);
      state->t = end;
      *info = (SsStepInfo){0};
      return check_changes (self, end, same, err);
    }
    status = emit_row (self, step, state, last, err);
    if (status != SS_OK)
      return status;
    last = t;
  }
  return ssapp_own_fail (self->run, err, "has more than %d rows in the step from t = %.9g s", ROWS_WITHIN_MAX,
                         state->t);
}

const SsIntegratorClass ssapp_own_integrator = {
    .solves = "",
    .new_ = stepper_new,
    .step = do_step,
    .free_ = stepper_free,
    .uses = SS_USES_ALL, /* nobody here knows */
    .is_stream = true,
};
