/* engine/simulate/ss-past.c: see the header. */
#include "simulate/ss-past.h"

#include "contact/ss-contact-problem.h"
#include "core/ss-memory.h"
#include "dynamics/ss-dynamics.h"
#include "simulate/ss-record-private.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A joint that is open by so much more than it was in the past is another joint. [m, rad] */
static const double other_joint = 1e-3;
/* A start that differs by so much, of 1 + its size, from that of the past is another start. */
static const double other_start = 1e-9;

struct SsPast {
  const SsScene *posed;     /* borrowed */
  SsScene scene;            /* with other bodies */
  SsBody *bodies;           /* owned */
  const SsTrajectory *rows; /* borrowed */
};

static int
channel_of (const SsTrajectory *motion, const char *owner, const char *quantity)
{
  char name[SS_CHANNEL_NAME_MAX];
  snprintf (name, sizeof name, "%s.%s", owner, quantity);
  return ss_trajectory_channel (motion, name);
}

/* ---- the state --------------------------------------------------------------------------------------------------- */

/* Bodies and joints that are there no more. */
static SsStatus
check_left_out (const SsScene *scene, const SsTrajectory *past, SsError *err)
{
  for (int i = 0; i < past->n_channels; i++) {
    const SsChannel *c = &past->channels[i];
    const bool is_body = c->owner == SS_OWNER_BODY && c->quantity == SS_QUANTITY_ANGLE,
               is_joint = c->owner == SS_OWNER_JOINT && c->quantity == SS_QUANTITY_DRIFT;
    if (is_body && ss_scene_find (scene, SS_OWNER_BODY, c->owner_name) < 0)
      return ss_error_set (err, SS_ERR_INVALID, "a simulation goes on with the bodies that it began with: %s is gone",
                           c->owner_name);
    if (is_joint && ss_scene_find (scene, SS_OWNER_JOINT, c->owner_name) < 0)
      return ss_error_set (err, SS_ERR_INVALID, "a simulation goes on with the joints that it began with: %s is gone",
                           c->owner_name);
  }
  return SS_OK;
}

/* Whether it had a speed at any time. */
static bool
has_moved (const SsTrajectory *past, const char *body)
{
  int speeds[3];
  for (int k = 0; k < 3; k++)
    speeds[k] = channel_of (past, body, ss_body_channels[3 + k]);
  for (int i = 0; i < past->n_rows; i++)
    for (int k = 0; k < 3; k++)
      if (speeds[k] >= 0 && ss_trajectory_row (past, i)[speeds[k]] != 0)
        return true;
  return false;
}

static SsStatus
take_body (SsBody *body, const SsTrajectory *past, SsError *err)
{
  const double *last = ss_trajectory_row (past, past->n_rows - 1);
  const bool follows = body->is_fixed && !has_moved (past, body->name);
  for (int k = 0; k < 6; k++) {
    const int channel = channel_of (past, body->name, ss_body_channels[k]);
    if (channel < 0)
      return ss_error_set (err, SS_ERR_INVALID, "a simulation goes on with the bodies that it began with: %s is new",
                           body->name);
    if (!isfinite (last[channel]))
      return ss_error_set (err, SS_ERR_INVALID, "the motion so far ends with body %s nowhere", body->name);
    if (follows)
      continue;
    if (k < 3)
      body->q[k] = last[channel];
    else if (body->is_fixed)
      body->v[k - 3] = 0;
    else if (!body->lock[k - 3])
      body->v[k - 3] = last[channel];
  }
  return SS_OK;
}

/* Whether the joints of the scene hold where the bodies are. */
static SsStatus
check_joints (const SsPast *self, SsError *err)
{
  const SsScene *scene = &self->scene;
  const double *last = ss_trajectory_row (self->rows, self->rows->n_rows - 1);
  if (scene->n_joints == 0)
    return SS_OK;
  SsDynamics *dynamics = NULL;
  double *q = ss_new_array (double, 3 * scene->n_bodies);
  SsStatus status =
      q != NULL ? ss_dynamics_new (scene, &dynamics, err) : ss_error_set (err, SS_ERR_MEMORY, "no memory");
  for (int i = 0; status == SS_OK && i < scene->n_bodies; i++)
    memcpy (q + 3 * i, scene->bodies[i].q, 3 * sizeof *q);
  if (status == SS_OK)
    ss_dynamics_set_time (dynamics, ss_past_t (self));
  for (int i = 0; status == SS_OK && i < scene->n_joints; i++) {
    const char *name = scene->joints[i].name;
    const int channel = channel_of (self->rows, name, ss_quantity_name (SS_QUANTITY_DRIFT));
    const double open = ss_dynamics_joint_drift (dynamics, i, q);
    if (channel < 0)
      status = ss_error_set (err, SS_ERR_INVALID, "a simulation goes on with the joints that it began with: %s is new",
                             name);
    else if (!(open <= fabs (last[channel]) + other_joint))
      status = ss_error_set (err, SS_ERR_INVALID,
                             "joint %s does not hold any more where its bodies are at t = %.9g s: it would be open by "
                             "%.3g",
                             name, ss_past_t (self), open);
  }
  ss_dynamics_free (dynamics);
  ss_free (q);
  return status;
}

SsStatus
ss_past_new (const SsScene *scene, const SsTrajectory *past, SsPast **out, SsError *err)
{
  SS_ASSERT (scene != NULL && past != NULL && out != NULL);
  *out = NULL;
  if (past->n_rows == 0)
    return ss_error_set (err, SS_ERR_INVALID, "there is no motion yet to go on from");
  SsPast *self = ss_new (SsPast);
  if (self == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for what goes on");
  self->rows = past;
  self->posed = scene;
  self->scene = *scene;
  self->scene.bodies = self->bodies = ss_new_array (SsBody, scene->n_bodies + 1);
  SsStatus status = self->bodies != NULL ? check_left_out (scene, past, err)
                                         : ss_error_set (err, SS_ERR_MEMORY, "no memory for what goes on");
  for (int i = 0; status == SS_OK && i < scene->n_bodies; i++) {
    self->bodies[i] = scene->bodies[i];
    status = take_body (&self->bodies[i], past, err);
  }
  if (status == SS_OK)
    status = check_joints (self, err);
  if (status == SS_OK)
    *out = self;
  else
    ss_past_free (self);
  return status;
}

void
ss_past_free (SsPast *self)
{
  if (self == NULL)
    return;
  ss_free (self->bodies);
  ss_free (self);
}

const SsScene *
ss_past_scene (const SsPast *self)
{
  SS_ASSERT (self != NULL);
  return &self->scene;
}

double
ss_past_t (const SsPast *self)
{
  SS_ASSERT (self != NULL);
  return ss_trajectory_row (self->rows, self->rows->n_rows - 1)[0];
}

double
ss_past_taken (const SsPast *self)
{
  SS_ASSERT (self != NULL);
  const int channel = ss_trajectory_channel (self->rows, ss_quantity_name (SS_QUANTITY_DISSIPATED_ENERGY));
  return channel >= 0 ? ss_trajectory_row (self->rows, self->rows->n_rows - 1)[channel] : 0;
}

double
ss_past_gap (const SsPast *self, int contact)
{
  SS_ASSERT (self != NULL && contact >= 0 && contact < self->scene.n_contacts);
  const int channel = channel_of (self->rows, self->scene.contacts[contact].name, ss_quantity_name (SS_QUANTITY_GAP));
  return channel >= 0 ? ss_trajectory_row (self->rows, self->rows->n_rows - 1)[channel] : INFINITY;
}

bool
ss_past_overrules_start (const SsPast *self, int body)
{
  SS_ASSERT (self != NULL && body >= 0 && body < self->scene.n_bodies);
  const SsBody *posed = &self->posed->bodies[body];
  const double *first = ss_trajectory_row (self->rows, 0);
  if (posed->is_fixed && !has_moved (self->rows, posed->name))
    return false;
  for (int k = 0; k < 6; k++) {
    const double start = k < 3 ? posed->q[k] : posed->v[k - 3];
    const int channel = channel_of (self->rows, posed->name, ss_body_channels[k]);
    if ((k < 3 || (!posed->is_fixed && !posed->lock[k - 3])) &&
        fabs (first[channel] - start) > other_start * (1 + fabs (start)))
      return true;
  }
  return false;
}

/* ---- rows -------------------------------------------------------------------------------------------------------- */

/* What a row of the past, whose bodies are at `q`, has in a channel that the past has not. */
static double
lacked (const SsScene *scene, const SsChannel *channel, double t, const double *q)
{
  if (ss_quantity_is_second_clock (channel->quantity))
    return t;
  if (channel->quantity != SS_QUANTITY_GAP)
    return 0;
  const int contact = ss_scene_find (scene, SS_OWNER_CONTACT, channel->owner_name);
  return contact >= 0 ? ss_scene_contact_gap (scene, contact, q) : INFINITY;
}

SsStatus
ss_past_rows (const SsPast *self, const SsTrajectory *like, SsTrajectory **out, SsError *err)
{
  SS_ASSERT (self != NULL && like != NULL && out != NULL);
  *out = NULL;
  const SsTrajectory *rows = self->rows;
  const int n_places = 3 * self->scene.n_bodies;
  int *from = ss_new_array (int, like->n_channels), *places = ss_new_array (int, n_places + 1);
  double *row = ss_new_array (double, like->n_channels), *q = ss_new_array (double, n_places + 1);
  const bool has_room = from != NULL && places != NULL && row != NULL && q != NULL;
  SsStatus status = has_room ? ss_trajectory_new (like->channels, like->n_channels, rows->n_rows, out, err)
                             : ss_error_set (err, SS_ERR_MEMORY, "no memory for the motion so far");
  for (int c = 0; status == SS_OK && c < like->n_channels; c++)
    from[c] = ss_trajectory_channel (rows, like->channels[c].name);
  for (int k = 0; status == SS_OK && k < n_places; k++)
    places[k] = channel_of (rows, self->scene.bodies[k / 3].name, ss_body_channels[k % 3]);
  for (int i = 0; status == SS_OK && i < rows->n_rows; i++) {
    const double *values = ss_trajectory_row (rows, i);
    for (int k = 0; k < n_places; k++)
      q[k] = values[places[k]];
    for (int c = 0; c < like->n_channels; c++)
      row[c] = from[c] >= 0 ? values[from[c]] : lacked (&self->scene, &like->channels[c], values[0], q);
    status = ss_trajectory_append (*out, row, err);
    ss_trajectory_pass (rows, i);
  }
  if (status != SS_OK && has_room) {
    ss_trajectory_free (*out);
    *out = NULL;
  }
  ss_free (from);
  ss_free (places);
  ss_free (row);
  ss_free (q);
  return status;
}

/* Whether what the channel has is counted from the start of the motion. */
static bool
is_sum (SsQuantity quantity)
{
  return quantity == SS_QUANTITY_DISSIPATED || quantity == SS_QUANTITY_DISSIPATED_ENERGY ||
         quantity == SS_QUANTITY_STEP_NUMBER || ss_quantity_is_second_clock (quantity);
}

void
ss_past_sums (const SsPast *self, const SsTrajectory *like, double *sums)
{
  SS_ASSERT (self != NULL && like != NULL && sums != NULL);
  const double *last = ss_trajectory_row (self->rows, self->rows->n_rows - 1);
  for (int c = 0; c < like->n_channels; c++) {
    const SsChannel *channel = &like->channels[c];
    sums[c] = 0;
    if (!is_sum (channel->quantity))
      continue;
    const int from = ss_trajectory_channel (self->rows, channel->name);
    sums[c] = from >= 0 ? last[from] : lacked (&self->scene, channel, last[0], NULL);
  }
}

SsStatus
ss_past_join (const SsPast *self, SsTrajectory *motion, SsTrajectory *stages, SsError *err)
{
  SS_ASSERT (self != NULL && motion != NULL);
  const int n = motion->n_channels, n_own = motion->n_rows;
  SsTrajectory *joined = NULL;
  SsStatus status = ss_past_rows (self, motion, &joined, err);
  double *row = ss_new_array (double, n), *sums = ss_new_array (double, n);
  if (status == SS_OK && (row == NULL || sums == NULL))
    status = ss_error_set (err, SS_ERR_MEMORY, "no memory for the motion so far");
  if (status == SS_OK)
    ss_past_sums (self, motion, sums);
  for (int i = 0; status == SS_OK && i < n_own; i++) {
    for (int c = 0; c < n; c++)
      row[c] = ss_trajectory_row (motion, i)[c] + sums[c];
    status = ss_trajectory_append (joined, row, err);
  }
  ss_free (sums);
  ss_free (row);
  if (status != SS_OK) {
    ss_trajectory_free (joined);
    return status;
  }
  const SsTrajectory own = *motion; /* they change places: who holds the motion has the whole */
  *motion = *joined;
  *joined = own;
  ss_trajectory_free (joined);
  for (int i = 0; stages != NULL && i < stages->n_rows; i++)
    stages->values[(size_t)i * (size_t)stages->n_channels + SS_SIM_STAGE_ROW] += self->rows->n_rows;
  return SS_OK;
}
