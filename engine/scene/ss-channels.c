/* engine/scene/ss-channels.c: the channels of a simulation, in their order; see ss-scenario.h. */
#include "scene/ss-measure.h"
#include "scene/ss-scenario-private.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *const ss_body_channels[SS_BODY_CHANNELS] = {"x", "y", "theta", "vx", "vy", "omega"};

static const SsQuantity body_quantities[SS_BODY_CHANNELS] = {SS_QUANTITY_POSITION_X, SS_QUANTITY_POSITION_Y,
                                                             SS_QUANTITY_ANGLE,      SS_QUANTITY_VELOCITY_X,
                                                             SS_QUANTITY_VELOCITY_Y, SS_QUANTITY_ANGULAR_VELOCITY};
static const SsQuantity contact_quantities[SS_CONTACT_CHANNELS] = {
    SS_QUANTITY_GAP, SS_QUANTITY_NORMAL_FORCE, SS_QUANTITY_TANGENTIAL_FORCE, SS_QUANTITY_NORMAL_IMPULSE,
    SS_QUANTITY_TANGENTIAL_IMPULSE};
static const SsQuantity more_contact_quantities[] = {SS_QUANTITY_PENETRATION, SS_QUANTITY_CONE_VIOLATION,
                                                     SS_QUANTITY_DISSIPATED, SS_QUANTITY_LAW_RESIDUAL};
static const SsQuantity whole_quantities[] = {
    SS_QUANTITY_KINETIC_ENERGY, SS_QUANTITY_POTENTIAL_ENERGY, SS_QUANTITY_DISSIPATED_ENERGY, SS_QUANTITY_MOMENTUM_X,
    SS_QUANTITY_MOMENTUM_Y,     SS_QUANTITY_ANGULAR_MOMENTUM, SS_QUANTITY_RESIDUAL};
static const SsQuantity joint_quantities[SS_JOINT_N_FORCES] = {SS_QUANTITY_REACTION_X,      SS_QUANTITY_REACTION_Y,
                                                               SS_QUANTITY_REACTION_MOMENT, SS_QUANTITY_LIMIT_FORCE,
                                                               SS_QUANTITY_MOTOR_FORCE,     SS_QUANTITY_JOINT_FRICTION};
enum {
  N_MORE_CONTACT_CHANNELS = sizeof more_contact_quantities / sizeof *more_contact_quantities,
  N_WHOLE_CHANNELS = sizeof whole_quantities / sizeof *whole_quantities
};

bool
ss_joint_has_force (const SsJoint *joint, SsJointForce force)
{
  SS_ASSERT (joint != NULL);

  switch (force) {
  case SS_JOINT_MOMENT:
    return joint->kind == SS_JOINT_SLIDER || joint->kind == SS_JOINT_WELD || joint->kind == SS_JOINT_GEAR ||
           (joint->kind == SS_JOINT_FORMULA && ss_joint_n_rows (joint) > 0);
  case SS_JOINT_LIMIT:
    return isfinite (joint->lower) || isfinite (joint->upper);
  case SS_JOINT_MOTOR:
    return joint->motor_limit > 0;
  case SS_JOINT_FRICTION:
    return joint->friction > 0;
  default:
    return ss_joint_n_rows (joint) > 0 && joint->kind != SS_JOINT_GEAR;
  }
}

static int
n_forces_of (const SsJoint *joint)
{
  int n = 0;
  for (int k = 0; k < SS_JOINT_N_FORCES; k++)
    n += ss_joint_has_force (joint, (SsJointForce)k);
  return n;
}

int
ss_scene_n_force_channels (const SsScene *scene)
{
  SS_ASSERT (scene != NULL && scene->n_bodies >= 0);

  int n = scene->n_springs;
  for (int i = 0; i < scene->n_joints; i++)
    n += n_forces_of (&scene->joints[i]);
  return n;
}

int
ss_scene_n_channel_contacts (const SsScene *scene)
{
  return scene->n_contacts <= SS_CONTACTS_WITH_CHANNELS_MAX ? scene->n_contacts : 0;
}

int
ss_scene_n_channels (const SsScene *scene)
{
  SS_ASSERT (scene != NULL && scene->n_bodies >= 0);
  return SS_BODY_CHANNELS * scene->n_bodies +
         (SS_CONTACT_CHANNELS + N_MORE_CONTACT_CHANNELS) * ss_scene_n_channel_contacts (scene) + scene->n_joints +
         ss_scene_n_force_channels (scene) + scene->n_actuators + scene->n_measures + N_WHOLE_CHANNELS;
}

/* Of phi of a joint's rows: angles are among those of a weld and of a slider. */
static const char *
unit_of_drift (const SsJoint *joint)
{
  const bool has_angle =
      joint->kind == SS_JOINT_SLIDER || joint->kind == SS_JOINT_WELD || joint->kind == SS_JOINT_FORMULA;
  return has_angle ? "m or rad" : "m";
}

/* Names of a list, a stride apart. */
typedef struct {
  const char *const *first;
  size_t stride; /* [bytes] */
  int n;
} NameList;

#define NAMES_OF(items, n_items) ((NameList){(n_items) > 0 ? &(items)->name : NULL, sizeof *(items), n_items})

static NameList
names_of (const SsScene *scene, SsOwner owner)
{
  switch (owner) {
  case SS_OWNER_BODY:
    return NAMES_OF (scene->bodies, scene->n_bodies);
  case SS_OWNER_CONTACT:
    return NAMES_OF (scene->contacts, scene->n_contacts);
  case SS_OWNER_JOINT:
    return NAMES_OF (scene->joints, scene->n_joints);
  case SS_OWNER_ACTUATOR:
    return NAMES_OF (scene->actuators, scene->n_actuators);
  case SS_OWNER_SPRING:
    return NAMES_OF (scene->springs, scene->n_springs);
  case SS_OWNER_MEASURE:
    return NAMES_OF (scene->measures, scene->n_measures);
  case SS_OWNER_SCENE:
  case SS_OWNER_COUNT:
    break;
  }
  return (NameList){0};
}

int
ss_scene_find (const SsScene *scene, SsOwner owner, const char *name)
{
  if (scene == NULL || name == NULL)
    return -1;
  const NameList names = names_of (scene, owner);
  const char *at = (const char *)names.first;
  for (int i = 0; i < names.n; i++, at += names.stride) {
    const char *other;
    memcpy (&other, at, sizeof other);
    if (strcmp (other, name) == 0)
      return i;
  }
  return -1;
}

const char *
ss_actuator_unit (const SsScene *scene, int actuator)
{
  SS_ASSERT (scene != NULL);
  SS_ASSERT (actuator >= 0 && actuator < scene->n_actuators);

  const SsActuator *a = &scene->actuators[actuator];

  if (a->kind == SS_ACTUATOR_JOINT)
    return scene->joints[a->joint].kind == SS_JOINT_SLIDER ? "N" : "N m";
  return a->kind == SS_ACTUATOR_TORQUE ? "N m" : "N";
}

static SsChannel
owned (SsQuantity quantity, SsOwner owner, const char *owner_name, char *name, size_t size)
{
  snprintf (name, size, "%s.%s", owner_name, ss_quantity_name (quantity));
  return (SsChannel){.name = name,
                     .quantity = quantity,
                     .unit = ss_quantity_unit (quantity),
                     .owner = owner,
                     .owner_name = owner_name,
                     .is_state = owner == SS_OWNER_BODY};
}

/* Number i of the forces of joints and springs. */
static SsChannel
channel_of_force (const SsScene *scene, int i, char *name, size_t size)
{
  int j = 0, which = -1;
  for (; j < scene->n_joints && i >= n_forces_of (&scene->joints[j]); j++)
    i -= n_forces_of (&scene->joints[j]);
  if (j == scene->n_joints) {
    SsChannel about = owned (SS_QUANTITY_TENSION, SS_OWNER_SPRING, scene->springs[i].name, name, size);
    about.unit = scene->springs[i].is_torsion ? "N m" : "N";
    return about;
  }
  const SsJoint *joint = &scene->joints[j];
  for (; i >= 0; i -= ss_joint_has_force (joint, (SsJointForce)which))
    which++;
  const bool is_tension = joint->kind == SS_JOINT_ROPE && which == SS_JOINT_LIMIT;
  SsChannel about =
      owned (is_tension ? SS_QUANTITY_TENSION : joint_quantities[which], SS_OWNER_JOINT, joint->name, name, size);
  if (which >= SS_JOINT_LIMIT)
    about.unit = joint->kind == SS_JOINT_SLIDER || is_tension ? "N" : "N m";
  return about;
}

SsChannel
ss_measure_channel (const SsMeasure *measure, char *name, size_t size)
{
  SS_ASSERT (measure != NULL);

  const SsQuantity quantity = measure->is_angle ? SS_QUANTITY_ANGLE_DISTANCE : SS_QUANTITY_DISTANCE;

  snprintf (name, size, "measure.%s", measure->name);
  return (SsChannel){.name = name,
                     .quantity = quantity,
                     .unit = ss_quantity_unit (quantity),
                     .owner = SS_OWNER_MEASURE,
                     .owner_name = measure->name};
}

SsChannel
ss_scene_channel (const SsScene *scene, int channel, char *name, size_t size)
{
  SS_ASSERT (scene != NULL);

  const int n_contacts = ss_scene_n_channel_contacts (scene);
  int i = channel;
  SsChannel about;

  SS_ASSERT (channel >= 0 && channel < ss_scene_n_channels (scene));
  if (i < SS_BODY_CHANNELS * scene->n_bodies)
    return owned (body_quantities[i % SS_BODY_CHANNELS], SS_OWNER_BODY, scene->bodies[i / SS_BODY_CHANNELS].name, name,
                  size);
  i -= SS_BODY_CHANNELS * scene->n_bodies;
  if (i < SS_CONTACT_CHANNELS * n_contacts)
    return owned (contact_quantities[i % SS_CONTACT_CHANNELS], SS_OWNER_CONTACT,
                  scene->contacts[i / SS_CONTACT_CHANNELS].name, name, size);
  i -= SS_CONTACT_CHANNELS * n_contacts;
  if (i < N_MORE_CONTACT_CHANNELS * n_contacts)
    return owned (more_contact_quantities[i % N_MORE_CONTACT_CHANNELS], SS_OWNER_CONTACT,
                  scene->contacts[i / N_MORE_CONTACT_CHANNELS].name, name, size);
  i -= N_MORE_CONTACT_CHANNELS * n_contacts;
  if (i < scene->n_joints) {
    about = owned (SS_QUANTITY_DRIFT, SS_OWNER_JOINT, scene->joints[i].name, name, size);
    about.unit = unit_of_drift (&scene->joints[i]);
    return about;
  }
  i -= scene->n_joints;
  const int n_forces = ss_scene_n_force_channels (scene);
  if (i < n_forces)
    return channel_of_force (scene, i, name, size);
  i -= n_forces;
  if (i < scene->n_actuators) {
    about = owned (SS_QUANTITY_CONTROL, SS_OWNER_ACTUATOR, scene->actuators[i].name, name, size);
    about.unit = ss_actuator_unit (scene, i);
    snprintf (name, size, "u.%s", scene->actuators[i].name);
    return about;
  }
  i -= scene->n_actuators;
  if (i < scene->n_measures)
    return ss_measure_channel (&scene->measures[i], name, size);
  about = (SsChannel){.name = name, .quantity = whole_quantities[i - scene->n_measures], .owner_name = ""};
  about.unit = ss_quantity_unit (about.quantity);
  snprintf (name, size, "%s", ss_quantity_name (about.quantity));
  return about;
}

SsStatus
ss_scene_trajectory_new (const SsScene *scene, int n_rows, SsTrajectory **out, SsError *err)
{
  SS_ASSERT (scene != NULL && out != NULL);

  const int n = 1 + ss_scene_n_channels (scene);
  SsChannel *channels = ss_new_array (SsChannel, n);
  SsArena *arena = ss_arena_new ();
  SsStatus status = ss_error_set (err, SS_ERR_MEMORY, "no memory for the names of %d channels", n);

  *out = NULL;
  if (arena == NULL || channels == NULL)
    goto done;
  channels[0] = ss_channel_of_time ();
  for (int i = 1; i < n; i++) {
    char name[SS_CHANNEL_NAME_MAX];

    channels[i] = ss_scene_channel (scene, i - 1, name, sizeof name);
    channels[i].name = ss_arena_strdup (arena, name);
    if (channels[i].name == NULL)
      goto done;
  }
  status = ss_trajectory_new (channels, n, n_rows, out, err);

done:
  ss_free (channels);
  ss_arena_free (arena);
  return status;
}

SsChannel
ss_model_channel (const SsModel *model, int variable)
{
  SS_ASSERT (model != NULL);

  SsChannel about;

  SS_ASSERT (variable >= 0 && variable < model->n_variables);
  if (model->about != NULL)
    return model->about[variable];
  about = ss_channel_named (model->variables[variable]);
  about.is_state = variable < model->n_states;
  return about;
}

/* The scene's channel of that name, looked for from *hint on, since most trajectories keep the order. */
static bool
find_channel (const SsScene *scene, const char *wanted, int *hint, char *name, size_t size, SsChannel *about)
{
  const int n = ss_scene_n_channels (scene);

  const SsQuantity quantity = ss_quantity_find (wanted);
  if (ss_quantity_is_second_clock (quantity)) { /* of integrators that have one */
    *about = ss_channel_of_clock (quantity);
    return true;
  }
  for (int k = 0; k < n; k++) {
    const int i = (*hint + k) % n;

    *about = ss_scene_channel (scene, i, name, size);
    if (strcmp (name, wanted) == 0) {
      *hint = i + 1;
      return true;
    }
  }
  return false;
}

static bool
find_variable (const SsModel *model, const char *wanted, SsChannel *about)
{
  for (int i = 0; i < model->n_variables; i++)
    if (strcmp (model->variables[i], wanted) == 0) {
      *about = ss_model_channel (model, i);
      return true;
    }
  return false;
}

SsStatus
ss_scenario_describe (const SsScenario *scenario, SsTrajectory *trajectory, SsError *err)
{
  SS_ASSERT (trajectory != NULL && trajectory->n_rows >= 0);

  char name[SS_CHANNEL_NAME_MAX];
  SsStatus status = SS_OK;
  int hint = 0;

  for (int i = 0; i < trajectory->n_channels && status == SS_OK; i++) {
    const SsChannel *channel = &trajectory->channels[i];
    SsChannel about = ss_channel_of_time ();

    if (channel->quantity != SS_QUANTITY_UNKNOWN || (channel->is_state && scenario->scene == NULL))
      continue;
    if (i == 0 ||
        (scenario->scene != NULL && find_channel (scenario->scene, channel->name, &hint, name, sizeof name, &about)) ||
        (scenario->model != NULL && find_variable (scenario->model, channel->name, &about)))
      status = ss_trajectory_describe (trajectory, i, &about, err);
  }
  return status;
}
