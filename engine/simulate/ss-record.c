/* engine/simulate/ss-record.c: see ss-record-private.h. */
#include "simulate/ss-record-private.h"

#include "contact/ss-contact-corner.h"
#include "contact/ss-contact-problem.h"
#include "scene/ss-measure.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Times that differ by less than this many roundings are one. */
static const double same_time_roundings = 16;

/* Numbers of rows that are reserved at first, at most. */
enum { FIRST_NUMBERS = 1 << 21 };
enum { N_BODY_CHANNELS = 6, N_MORE_CONTACT_CHANNELS = 4, DISSIPATED = 2 };
static int
n_channel_contacts_of (const SsScene *scene)
{
  return scene->n_contacts <= SS_CONTACTS_WITH_CHANNELS_MAX ? scene->n_contacts : 0;
}

/* ---- channels ---------------------------------------------------------------------------------------------------- */

/* Channels that only this integrator (NULL: none) has, beside tau. */
static int
n_more_of (const SsIntegratorClass *integrator, const SsScene *scene, const void *options)
{
  return integrator != NULL && integrator->n_more != NULL ? integrator->n_more (scene, options) : 0;
}

/* Channels of motions with rows of stages. */
static const SsQuantity marks[] = {SS_QUANTITY_STEP_NUMBER, SS_QUANTITY_STAGE, SS_QUANTITY_N_STAGES};
enum { N_MARKS = sizeof marks / sizeof *marks };

int
ss_integrator_keeps_stages (const SsIntegratorClass *integrator, const void *options)
{
  return integrator != NULL && integrator->keeps_stages != NULL ? integrator->keeps_stages (options) : 0;
}

/* A trajectory with the first channels as given, then those of the scene with these indices, then a second clock
 * unless it is UNKNOWN, and what `own` (NULL: nothing) with its options adds to it. */
static SsStatus
trajectory_new (const SsScene *scene, const SsChannel *first, int n_first, const int *of_scene, int n_of_scene,
                SsQuantity clock, const SsIntegratorClass *own, const void *options, int n_rows, SsTrajectory **out,
                SsError *err)
{
  const int n_clocks = clock != SS_QUANTITY_UNKNOWN;
  const int n = n_first + n_of_scene, n_more = n_more_of (own, scene, options);
  const int n_marks = ss_integrator_keeps_stages (own, options) > 0 ? N_MARKS : 0;
  SsChannel *channels = ss_new_array (SsChannel, n + 1 + n_more + n_marks);
  SsArena *arena = ss_arena_new ();
  SsStatus status = ss_error_set (err, SS_ERR_MEMORY, "no memory for the names of %d channels", n);
  if (arena == NULL || channels == NULL)
    goto done;
  memcpy (channels, first, (size_t)n_first * sizeof *first);
  for (int i = 0; i < n_of_scene; i++) {
    char name[SS_CHANNEL_NAME_MAX];
    channels[n_first + i] = ss_scene_channel (scene, of_scene[i], name, sizeof name);
    channels[n_first + i].name = ss_arena_strdup (arena, name);
    if (channels[n_first + i].name == NULL)
      goto done;
  }
  if (clock != SS_QUANTITY_UNKNOWN)
    channels[n] = ss_channel_of_clock (clock);
  for (int i = 0; i < n_more; i++) {
    char name[SS_CHANNEL_NAME_MAX];
    SsChannel *channel = &channels[n + n_clocks + i];
    *channel = own->more (scene, options, i, name, sizeof name);
    channel->name = ss_arena_strdup (arena, name);
    if (channel->name == NULL)
      goto done;
  }
  for (int i = 0; i < n_marks; i++)
    channels[n + n_clocks + n_more + i] =
        (SsChannel){.name = ss_quantity_name (marks[i]), .quantity = marks[i], .unit = "", .owner_name = ""};
  status = ss_trajectory_new (channels, n + n_clocks + n_more + n_marks, n_rows, out, err);

done:
  ss_free (channels);
  ss_arena_free (arena);
  return status;
}

/* The second clock of an integrator with these options; UNKNOWN: it has none. */
static SsQuantity
ss_integrator_second_clock (const SsIntegratorClass *integrator, const void *options)
{
  SS_ASSERT (integrator != NULL);
  return integrator->second_clock != NULL ? integrator->second_clock (options) : SS_QUANTITY_UNKNOWN;
}

SsStatus
ss_simulation_trajectory_new (const SsScene *scene, const SsIntegratorClass *integrator, const void *options,
                              int n_rows, SsTrajectory **out, SsError *err)
{
  SS_ASSERT (scene != NULL && out != NULL);
  const SsQuantity clock = integrator != NULL ? ss_integrator_second_clock (integrator, options) : SS_QUANTITY_UNKNOWN;
  if (clock == SS_QUANTITY_UNKNOWN && n_more_of (integrator, scene, options) == 0 &&
      ss_integrator_keeps_stages (integrator, options) == 0)
    return ss_scene_trajectory_new (scene, n_rows, out, err);
  const SsChannel first = ss_channel_of_time ();
  const int n = ss_scene_n_channels (scene);
  int *all = ss_new_array (int, n);
  *out = NULL;
  if (all == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for the names of %d channels", n);
  for (int i = 0; i < n; i++)
    all[i] = i;
  SsStatus status = trajectory_new (scene, &first, 1, all, n, clock, integrator, options, n_rows, out, err);
  ss_free (all);
  return status;
}

/* t, weight, row, states of the bodies, forces of the contacts, controls. */
static SsStatus
stages_new (const SsScene *scene, SsTrajectory **out, SsError *err)
{
  const int n_contacts = n_channel_contacts_of (scene), first_contact = N_BODY_CHANNELS * scene->n_bodies;
  const int first_control = first_contact + (SS_SIM_N_CONTACT_VALUES + N_MORE_CONTACT_CHANNELS) * n_contacts +
                            scene->n_joints + ss_scene_n_force_channels (scene);
  SsChannel first[SS_SIM_N_STAGE_CHANNELS] = {ss_channel_of_time (), ss_channel_named ("weight"),
                                              ss_channel_named ("row")};
  first[SS_SIM_STAGE_WEIGHT].unit = ss_quantity_unit (SS_QUANTITY_TIME);
  int *of_scene = ss_new_array (int, first_contact + 2 * n_contacts + scene->n_actuators + 1);
  int n = 0;
  if (of_scene == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for the channels of stages");
  for (; n < first_contact; n++)
    of_scene[n] = n;
  for (int i = 0; i < n_contacts; i++) {
    of_scene[n++] = first_contact + SS_SIM_N_CONTACT_VALUES * i + SS_SIM_LAMBDA_N;
    of_scene[n++] = first_contact + SS_SIM_N_CONTACT_VALUES * i + SS_SIM_LAMBDA_T;
  }
  for (int i = 0; i < scene->n_actuators; i++)
    of_scene[n++] = first_control + i;
  SsStatus status =
      trajectory_new (scene, first, SS_SIM_N_STAGE_CHANNELS, of_scene, n, SS_QUANTITY_UNKNOWN, NULL, NULL, 0, out, err);
  ss_free (of_scene);
  return status;
}

/* ---- rows -------------------------------------------------------------------------------------------------------- */

double
ss_sim_cone_violation (const SsScene *scene, int contact, const double *values)
{
  SS_ASSERT (scene != NULL && values != NULL && contact >= 0 && contact < scene->n_contacts);

  const SsContact *c = &scene->contacts[contact];
  const double h = values[SS_SIM_LAMBDA_T] != 0   ? values[SS_SIM_IMPULSE_T] / values[SS_SIM_LAMBDA_T]
                   : values[SS_SIM_LAMBDA_N] != 0 ? values[SS_SIM_IMPULSE_N] / values[SS_SIM_LAMBDA_N]
                                                  : 0;
  const double pressed = values[SS_SIM_IMPULSE_N] + (c->cohesion > 0 ? h * c->cohesion : 0);

  return fmax (fabs (values[SS_SIM_IMPULSE_T]) - c->mu * pressed, 0);
}

const double *
ss_sim_record_contact_values (const SsSimRecord *r, const double *row, int *n_contacts)
{
  SS_ASSERT (r != NULL && n_contacts != NULL);
  *n_contacts = r->n_channel_contacts;
  return row + 1 + N_BODY_CHANNELS * r->scene->n_bodies;
}

static double *
fill_bodies (const SsScene *scene, const SsSimState *state, double *row)
{
  for (int i = 0; i < scene->n_bodies; i++, row += N_BODY_CHANNELS) {
    memcpy (row, state->q + 3 * i, 3 * sizeof *row);
    memcpy (row + 3, state->v + 3 * i, 3 * sizeof *row);
  }
  return row;
}

static double *
fill_controls (SsSimRecord *r, const SsSimState *state, const double *controls, double *row)
{
  for (int i = 0; i < r->scene->n_actuators; i++)
    *row++ = ss_dynamics_control (r->dynamics, i, state->t, state->q, state->v, controls);
  return row;
}

/* Forces of joints, and of springs as they are in the state. */
static double *
fill_forces (SsSimRecord *r, const SsSimState *state, double *row)
{
  const SsScene *scene = r->scene;
  for (int i = 0; i < scene->n_joints; i++)
    for (int k = 0; k < SS_JOINT_N_FORCES; k++)
      if (ss_joint_has_force (&scene->joints[i], (SsJointForce)k))
        *row++ = state->joint != NULL ? state->joint[SS_JOINT_N_FORCES * i + k] : NAN;
  if (scene->n_springs > 0)
    ss_dynamics_spring_rows (r->dynamics, state->q, state->v, r->springs);
  for (int i = 0; i < scene->n_springs; i++)
    *row++ = r->springs[i].stiffness * r->springs[i].phi +
             r->springs[i].damping * ss_row_velocity (&r->springs[i], state->v);
  return row;
}

/* The row of a state under these controls. */
static void
fill (SsSimRecord *r, const SsSimState *state, const double *controls, double *row)
{
  const SsScene *scene = r->scene;
  const int n_contacts = r->n_channel_contacts;
  double *at = row, dissipated = 0;
  *at++ = state->t;
  at = fill_bodies (scene, state, at);
  memcpy (at, state->contact, SS_SIM_N_CONTACT_VALUES * (size_t)n_contacts * sizeof *row);
  at += SS_SIM_N_CONTACT_VALUES * n_contacts;
  for (int i = 0; i < n_contacts; i++) {
    const double *values = state->contact + SS_SIM_N_CONTACT_VALUES * i;
    *at++ = values[SS_SIM_GAP] < 0 ? -values[SS_SIM_GAP] : 0; /* fmax leaves the sign of its zero open */
    *at++ = ss_sim_cone_violation (scene, i, values);
    *at++ = state->dissipated[i];
    *at++ = 0; /* of the law: the judge's */
  }
  for (int i = 0; i < scene->n_contacts; i++)
    dissipated += state->dissipated[i];
  ss_dynamics_set_time (r->dynamics, state->t);
  for (int i = 0; i < scene->n_joints; i++)
    *at++ = ss_dynamics_joint_drift (r->dynamics, i, state->q);
  at = fill_forces (r, state, at);
  at = fill_controls (r, state, controls, at);
  for (int i = 0; i < scene->n_measures; i++)
    *at++ = ss_measure_at (&scene->measures[i], state->q, 3).value;
  *at++ = ss_dynamics_kinetic_energy (r->dynamics, state->v);
  *at++ = ss_dynamics_potential_energy (r->dynamics, state->q);
  *at++ = dissipated;
  ss_dynamics_momentum (r->dynamics, state->q, state->v, at);
  at += 3;
  *at++ = r->residual;
  if (r->clock != SS_QUANTITY_UNKNOWN)
    *at++ = state->tau;
  memcpy (at, r->state.more, (size_t)r->n_more * sizeof *at);
  if (r->n_more > 0 && state->more != NULL)
    memcpy (at, state->more, (size_t)r->n_more * sizeof *at);
  at += r->n_more;
  if (r->of_element > 0) {
    *at++ = r->step;
    *at++ = r->stage;
    *at++ = r->of_element;
  }
  SS_ASSERT (at == row + r->motion->n_channels);
}

size_t
ss_sim_record_state_size (const SsSimRecord *r)
{
  SS_ASSERT (r != NULL);
  return (size_t)(r->row - r->state.q);
}

void
ss_sim_record_fill (SsSimRecord *r, double *row)
{
  SS_ASSERT (r != NULL);
  fill (r, &r->state, r->controls, row);
}

void
ss_sim_record_restore (SsSimRecord *r, const double *row)
{
  SS_ASSERT (r != NULL && row != NULL);

  const SsScene *scene = r->scene;
  int n_contacts = r->n_channel_contacts, n = 1;

  r->state.t = row[0];
  for (int i = 0; i < scene->n_bodies; i++, n += N_BODY_CHANNELS) {
    memcpy (r->state.q + 3 * i, row + n, 3 * sizeof *row);
    memcpy (r->state.v + 3 * i, row + n + 3, 3 * sizeof *row);
  }
  memcpy (r->state.contact, row + n, SS_SIM_N_CONTACT_VALUES * (size_t)n_contacts * sizeof *row);
  n += SS_SIM_N_CONTACT_VALUES * n_contacts;
  for (int i = 0; i < n_contacts; i++)
    r->state.dissipated[i] = row[n + N_MORE_CONTACT_CHANNELS * i + DISSIPATED];
  n += N_MORE_CONTACT_CHANNELS * n_contacts + scene->n_joints;
  for (int i = 0; i < scene->n_joints; i++)
    for (int k = 0; k < SS_JOINT_N_FORCES; k++)
      if (ss_joint_has_force (&scene->joints[i], (SsJointForce)k))
        r->state.joint[SS_JOINT_N_FORCES * i + k] = row[n++];
  r->residual = row[r->residual_column];
  if (r->clock != SS_QUANTITY_UNKNOWN)
    r->state.tau = row[r->residual_column + 1];
}

/* The contacts of the state that do something, for the row that comes next. */
static SsStatus
keep_contacts (SsSimRecord *r, const SsSimState *state, SsError *err)
{
  SsContactRows *list = r->contacts;

  for (int i = 0; list != NULL && i < r->scene->n_contacts; i++) {
    const double *values = state->contact + SS_SIM_N_CONTACT_VALUES * i;
    const bool acts = values[SS_SIM_IMPULSE_N] != 0 || values[SS_SIM_IMPULSE_T] != 0 || values[SS_SIM_GAP] < 0;

    if (!acts)
      continue;
    if (ss_array_reserve ((void **)&list->items, &list->capacity, list->n + 1, sizeof *list->items) != 0)
      return ss_error_set (err, SS_ERR_MEMORY, "no memory for %d contacts of rows", list->n + 1);
    list->items[list->n++] = (SsContactRow){.row = r->motion->n_rows,
                                            .contact = i,
                                            .gap = values[SS_SIM_GAP],
                                            .lambda_n = values[SS_SIM_LAMBDA_N],
                                            .lambda_t = values[SS_SIM_LAMBDA_T],
                                            .impulse_n = values[SS_SIM_IMPULSE_N],
                                            .impulse_t = values[SS_SIM_IMPULSE_T],
                                            .dissipated = state->dissipated[i]};
  }
  return SS_OK;
}

SsStatus
ss_sim_record_append (SsSimRecord *r, SsError *err)
{
  SS_ASSERT (r != NULL);
  ss_sim_record_fill (r, r->row);
  SsStatus status = keep_contacts (r, &r->state, err);
  return status == SS_OK ? ss_trajectory_append (r->motion, r->row, err) : status;
}

void
ss_sim_record_forget (SsSimRecord *r)
{
  SS_ASSERT (r != NULL);
  r->motion->n_rows = 0;
  if (r->stages != NULL)
    r->stages->n_rows = 0;
  if (r->stage_rows != NULL)
    r->stage_rows->n_rows = 0;
  if (r->events != NULL)
    r->events->n_items = r->events->n_left_out = 0;
  if (r->points != NULL)
    r->points->n = 0;
  if (r->contacts != NULL)
    r->contacts->n = 0;
}

/* ---- steps ------------------------------------------------------------------------------------------------------- */

/* A time of the step under way; its end is one number. */
static double
time_in_step (const SsSimRecord *r, double t)
{
  if (fabs (t - r->t_end) <= same_time_roundings * DBL_EPSILON * fmax (fabs (t), fabs (r->t_end)))
    t = r->t_end;
  SS_ASSERT (t <= r->t_end);
  return t;
}

static SsStatus
take_row (void *owner, const SsSimState *state, SsError *err)
{
  SsSimRecord *r = owner;
  SsSimState at = *state;
  at.t = time_in_step (r, state->t);
  SS_ASSERT (at.t >= r->t_last && state->contact != NULL && state->dissipated != NULL);
  r->t_last = at.t;
  r->stage = 0;
  fill (r, &at, r->step_controls, r->row);
  SsStatus status = keep_contacts (r, &at, err);
  return status == SS_OK ? ss_trajectory_append (r->motion, r->row, err) : status;
}

/* The row of a stage; its number goes up from row to row. */
static SsStatus
keep_stage_row (SsSimRecord *r, const SsSimState *state, SsError *err)
{
  SsSimState at = *state;
  at.t = time_in_step (r, state->t);
  r->stage++;
  fill (r, &at, r->step_controls, r->row);
  return ss_trajectory_append (r->stage_rows, r->row, err);
}

static SsStatus
take_stage (void *owner, const SsSimState *state, double weight, SsError *err)
{
  SsSimRecord *r = owner;
  SS_ASSERT (r->stages != NULL && isfinite (weight));
  r->of_stage[SS_SIM_STAGE_T] = time_in_step (r, state->t);
  r->of_stage[SS_SIM_STAGE_WEIGHT] = weight;
  r->of_stage[SS_SIM_STAGE_ROW] = r->motion->n_rows;
  double *at = fill_bodies (r->scene, state, r->of_stage + SS_SIM_N_STAGE_CHANNELS);
  for (int i = 0; i < r->n_channel_contacts; i++) {
    *at++ = state->contact[SS_SIM_N_CONTACT_VALUES * i + SS_SIM_LAMBDA_N];
    *at++ = state->contact[SS_SIM_N_CONTACT_VALUES * i + SS_SIM_LAMBDA_T];
  }
  at = fill_controls (r, state, r->step_controls, at);
  SS_ASSERT (at == r->of_stage + r->stages->n_channels);
  SsStatus status = ss_trajectory_append (r->stages, r->of_stage, err);
  return status == SS_OK && r->stage_rows != NULL ? keep_stage_row (r, state, err) : status;
}

static SsStatus
take_event (void *owner, const SsEvent *event, SsError *err)
{
  SsSimRecord *r = owner;
  SsEvent exact = *event;
  (void)err;
  SS_ASSERT (r->events != NULL);
  exact.t = time_in_step (r, event->t);
  exact.is_exact = true;
  if (r->clock == SS_QUANTITY_UNKNOWN)
    exact.tau = NAN;
  SS_ASSERT (r->events->n_items == 0 || exact.t >= r->events->items[r->events->n_items - 1].t);
  ss_events_add (r->events, &exact);
  return SS_OK;
}

void
ss_sim_record_begin_step (SsSimRecord *r, double t_end)
{
  SS_ASSERT (r != NULL);
  r->t_end = t_end;
  r->t_begin = r->t_last = r->state.t;
  memset (r->state.joint, 0, SS_JOINT_N_FORCES * (size_t)r->scene->n_joints * sizeof *r->state.joint);
  r->step_controls = r->controls;
  r->step++;
  r->stage = 0;
  r->n_rows = r->motion->n_rows;
  r->n_stages = r->stages != NULL ? r->stages->n_rows : 0;
  r->n_events = r->events != NULL ? r->events->n_items : 0;
  r->n_left_out = r->events != NULL ? r->events->n_left_out : 0;
  r->n_points = r->points != NULL ? r->points->n : 0;
  r->n_contact_rows = r->contacts != NULL ? r->contacts->n : 0;
  r->step_points.n = 0;
}

/* The impulses of the step's points belong to the row at its end. */
static SsStatus
keep_points (SsSimRecord *r, SsError *err)
{
  const int n = r->step_points.n;
  if (r->points == NULL)
    return SS_OK;
  if (ss_array_reserve ((void **)&r->points->items, &r->points->capacity, r->points->n + n, sizeof *r->points->items) !=
      0)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for the impulses of %d contact points", n);
  for (int i = 0; i < n; i++) {
    SsPointImpulse *item = &r->points->items[r->points->n++];
    *item = r->step_points.items[i];
    item->row = r->motion->n_rows;
  }
  return SS_OK;
}

SsStatus
ss_sim_record_end_step (SsSimRecord *r, double residual, SsError *err)
{
  SS_ASSERT (r != NULL);
  r->residual = residual;
  for (int k = 0; k < SS_JOINT_N_FORCES * r->scene->n_joints && r->stages == NULL; k++)
    r->state.joint[k] /= r->t_end - r->t_begin;
  r->stage = 0;
  for (int k = r->n_rows; k < r->motion->n_rows; k++)
    r->motion->values[(size_t)k * (size_t)r->motion->n_channels + (size_t)r->residual_column] = residual;
  for (int k = r->n_stages; r->stage_rows != NULL && k < r->stage_rows->n_rows; k++)
    r->stage_rows->values[(size_t)k * (size_t)r->motion->n_channels + (size_t)r->residual_column] = residual;
  SsStatus status = keep_points (r, err);
  return status == SS_OK ? ss_sim_record_append (r, err) : status;
}

void
ss_sim_record_undo_step (SsSimRecord *r)
{
  SS_ASSERT (r != NULL);
  r->motion->n_rows = r->n_rows;
  r->step--;
  r->stage = 0;
  if (r->stages != NULL)
    r->stages->n_rows = r->n_stages;
  if (r->stage_rows != NULL)
    r->stage_rows->n_rows = r->n_stages;
  if (r->events != NULL) {
    r->events->n_items = r->n_events;
    r->events->n_left_out = r->n_left_out;
  }
  if (r->points != NULL)
    r->points->n = r->n_points;
  if (r->contacts != NULL)
    r->contacts->n = r->n_contact_rows;
}

int
ss_sim_record_first_row (const SsSimRecord *r)
{
  SS_ASSERT (r != NULL);
  return r->n_rows;
}

/* ---- life -------------------------------------------------------------------------------------------------------- */

static SsStatus
init_stages (SsSimRecord *r, SsError *err)
{
  SsStatus status = stages_new (r->scene, &r->stages, err);
  if (status != SS_OK)
    return status;
  r->of_stage = ss_new_array (double, r->stages->n_channels);
  return r->of_stage != NULL ? SS_OK : ss_error_set (err, SS_ERR_MEMORY, "no memory for a stage");
}

/* Room for the impulses of a step's points, and the list of those of all. */
static SsStatus
init_points (SsSimRecord *r, SsError *err)
{
  int n = 0;
  for (int i = 0; i < r->n_channel_contacts; i++)
    n += ss_contact_n_corners (r->scene, i);
  r->points = ss_new (SsPointImpulses);
  r->step_points = (SsPointImpulses){.capacity = n, .items = ss_new_array (SsPointImpulse, n + 1)};
  if (r->points == NULL || r->step_points.items == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for the impulses of %d contact points", n);
  if (r->n_channel_contacts > 0)
    r->state.points = &r->step_points;
  return SS_OK;
}

SsStatus
ss_sim_record_init (SsSimRecord *r, const SsScene *scene, const SsIntegratorClass *integrator, const void *options,
                    int n_rows, SsError *err)
{
  SS_ASSERT (r != NULL && scene != NULL && n_rows >= 0);

  size_t n = 3 * (size_t)scene->n_bodies, m = SS_SIM_N_CONTACT_VALUES * (size_t)scene->n_contacts;
  const size_t n_joint = SS_JOINT_N_FORCES * (size_t)scene->n_joints;
  *r = (SsSimRecord){.scene = scene,
                     .clock = ss_integrator_second_clock (integrator, options),
                     .n_channel_contacts = n_channel_contacts_of (scene)};
  r->sink = (SsStepSink){r, take_row, take_stage, take_event};
  r->residual_column = ss_scene_n_channels (scene); /* the scene's last one, after t */
  r->n_more = n_more_of (integrator, scene, options);
  r->of_element = ss_integrator_keeps_stages (integrator, options);
  r->state.q = ss_new_array (double, 2 * n + m + (size_t)scene->n_contacts + n_joint + (size_t)r->residual_column + 2 +
                                         2 * (size_t)r->n_more + N_MARKS);
  r->springs = ss_new_array (SsRow, scene->n_springs + 1);
  if (r->state.q == NULL || r->springs == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "no memory for the state of %d bodies", scene->n_bodies);
  r->state.v = r->state.q + n;
  r->state.contact = r->state.v + n;
  r->state.dissipated = r->state.contact + m;
  r->state.joint = r->state.dissipated + scene->n_contacts;
  r->state.more = r->state.joint + n_joint;
  r->row = r->state.more + r->n_more;
  SsStatus status = ss_dynamics_new (scene, &r->dynamics, err);
  if (status != SS_OK)
    return status;
  for (int i = 0; i < scene->n_bodies; i++)
    for (int k = 0; k < 3; k++) {
      r->state.q[3 * i + k] = scene->bodies[i].q[k];
      r->state.v[3 * i + k] = scene->bodies[i].is_fixed ? 0 : scene->bodies[i].v[k];
    }
  for (int i = 0; i < scene->n_contacts; i++)
    r->state.contact[SS_SIM_N_CONTACT_VALUES * i + SS_SIM_GAP] =
        r->n_channel_contacts > 0 ? ss_scene_contact_gap (scene, i, r->state.q) : INFINITY;
  const int most = FIRST_NUMBERS / (r->residual_column + 1);
  status = ss_simulation_trajectory_new (scene, integrator, options, n_rows < most ? n_rows : most, &r->motion, err);
  if (status == SS_OK && integrator->gives_stages)
    status = init_stages (r, err);
  if (status == SS_OK && r->of_element > 0)
    status = ss_trajectory_new (r->motion->channels, r->motion->n_channels, 0, &r->stage_rows, err);
  if (status == SS_OK && integrator->gives_events)
    status = ss_events_new (&r->events, err);
  if (status == SS_OK && !integrator->gives_events)
    status = init_points (r, err);
  /* With stages the forces of contacts are told there. */
  if (status == SS_OK && r->n_channel_contacts < scene->n_contacts && !integrator->gives_stages) {
    r->contacts = ss_new (SsContactRows);
    if (r->contacts == NULL)
      status = ss_error_set (err, SS_ERR_MEMORY, "no memory for the contacts of a motion");
  }
  return status;
}

void
ss_sim_record_clear (SsSimRecord *r)
{
  SS_ASSERT (r != NULL);
  ss_dynamics_free (r->dynamics);
  ss_trajectory_free (r->motion);
  ss_trajectory_free (r->stages);
  ss_trajectory_free (r->stage_rows);
  ss_events_free (r->events);
  ss_point_impulses_free (r->points);
  ss_contact_rows_free (r->contacts);
  ss_free (r->step_points.items);
  ss_free (r->of_stage);
  ss_free (r->springs);
  ss_free (r->state.q);
  *r = (SsSimRecord){0};
}
